#!/usr/bin/env bats
# What a hook's failure or time-out does: before the program runs everything is undone, afterwards the container is
# stopped, and at the end it is only a warning.
# shellcheck disable=SC2016,SC2030,SC2031,SC2086 # each test is a function

load helpers
load container

# marks KIND NAME: a hook that leaves the file NAME
marks() {
        hook "$1" "touch $BATS_TEST_TMPDIR/$2"
}

marked() {
        [ -e "$BATS_TEST_TMPDIR/$1" ]
}

not_marked() {
        [ ! -e "$BATS_TEST_TMPDIR/$1" ] || { echo "$1 is there"; return 1; }
}

# nothing_of_it: no container, no unit, no process
nothing_of_it() {
        run -1 "$RUNTIME" state "$ID"
        [[ $output == *"does not exist"* ]]
        unit_unknown "$UNIT"
        assert_nothing_left "$ID"
}

create_fails_by() {
        program touch /tmp/ran
        marks "$1" 1
        hook "$1" 'echo "no bridge br0" >&2; exit 2'
        marks "$1" 3
        marks poststop poststop
        create -1
        [[ $output == *"$1 hook"*"/bin/sh"*"status 2"*"no bridge br0"* ]]
        marked 1
        not_marked 3
        marked poststop
        [ ! -e "$BUNDLE/rootfs/tmp/ran" ]
        nothing_of_it
}

@test "a prestart hook that fails undoes create and is quoted" {
        create_fails_by prestart
}

@test "a createRuntime hook that fails undoes create and is quoted" {
        create_fails_by createRuntime
}

@test "a createContainer hook that fails undoes create and is quoted" {
        create_fails_by createContainer
}

@test "after a hook failed, the same ID can be created at once" {
        program true
        hook createRuntime "test -e $BATS_TEST_TMPDIR/allowed"
        create -1
        touch "$BATS_TEST_TMPDIR/allowed"
        run_container
}

@test "a hook that cannot be executed is named with the reason" {
        program true
        hook_program createRuntime /nonexistent/hook
        create -1
        [[ $output == *"createRuntime hook"*"/nonexistent/hook"*"o such file or directory"* ]]
        touch "$BATS_TEST_TMPDIR/plain"
        cfg --arg path "$BATS_TEST_TMPDIR/plain" '.hooks.createRuntime[0].path = $path'
        create -1
        [[ $output == *"$BATS_TEST_TMPDIR/plain"*"ermission denied"* ]]
        nothing_of_it
}

@test "a hook killed by a signal is named with the signal" {
        program true
        hook createRuntime 'kill -SEGV $$'
        create -1
        [[ $output == *"createRuntime hook"*SEGV* ]]
        nothing_of_it
}

@test "a failing hook fails create within a second" {
        program true
        hook_program prestart /bin/false
        began=$(milliseconds)
        create -1
        [ $(($(milliseconds) - began)) -lt 1000 ]
}

@test "a startContainer hook that fails fails start and stops the container" {
        program touch /tmp/ran
        marks poststart poststart
        marks poststop poststop
        hook startContainer 'echo "not today" >&2; exit 4'
        create
        run -1 "$RUNTIME" start "$ID"
        [[ $output == *"startContainer hook"*"/bin/sh"*"status 4"* ]]
        not_marked poststart
        [ ! -e "$BUNDLE/rootfs/tmp/ran" ]
        run "$RUNTIME" state "$ID"
        [ "$status" -ne 0 ] || [ "$(jq -r .status <<<"$output")" = stopped ]
        "$RUNTIME" delete --force "$ID"
        marked poststop
        nothing_of_it
}

@test "a poststart hook that fails fails start, stops the container and names the hook" {
        program sleep 100
        hook poststart 'echo "no bridge br0" >&2; exit 3'
        marks poststart second
        marks poststop poststop
        create
        pid=$(pid_of "$ID")
        run -1 "$RUNTIME" start "$ID"
        [[ $output == *"poststart hook"*"/bin/sh"*"status 3"*"no bridge br0"* ]]
        process_ended "$pid"
        not_marked second
        eventually journal_has "no bridge br0" -u "$UNIT"
        "$RUNTIME" delete --force "$ID"
        marked poststop
        nothing_of_it
}

@test "run whose poststart hook fails leaves nothing" {
        program sleep 100
        hook_program poststart /bin/false
        marks poststart second
        marks poststop poststop
        launch "$RUNTIME" run -b "$BUNDLE" "$ID" && return 1
        [ "$status" -ne 0 ]
        [[ $output == *"poststart hook"*"/bin/false"*"status 1"* ]]
        not_marked second
        marked poststop
        nothing_of_it
        [ -z "$(systemctl list-units --all --failed --plain --no-legend "$UNIT")" ]
}

@test "systemctl status shows which poststart hook failed" {
        program sleep 100
        property CollectMode "'inactive'"
        hook poststart true
        hook poststart 'exit 9'
        create
        run -1 "$RUNTIME" start "$ID"
        eventually unit_is "$UNIT" failed
        run systemctl --no-pager --full status "$UNIT"
        [[ $output == *"ExecStartPost="*"status=0/SUCCESS"* ]]
        [[ $output == *"ExecStartPost="*"status=9"* ]]
        "$RUNTIME" delete --force "$ID"
        unit_unknown "$UNIT"
}

@test "a poststop hook that fails is a warning, and the others run" {
        script 'exit 6'
        hook poststop 'echo "still busy" >&2; exit 5'
        marks poststop second
        launch -6 "$RUNTIME" run -b "$BUNDLE" "$ID"
        [[ $output == *"poststop hook"*"/bin/sh"*"status 5"*"still busy"* ]]
        marked second
        nothing_of_it
        rm "$BATS_TEST_TMPDIR/second"
        program true
        run_detached
        eventually has_status "$ID" stopped
        run -0 "$RUNTIME" delete "$ID"
        [[ $output == *"poststop hook"* ]]
        marked second
        nothing_of_it
}

# timed_out KIND: its hook has one second and wants more, and so does what it started
timed_out() {
        hook "$1" "sleep 8765 & sleep 8765" '{"timeout": 1}'
}

@test "a hook that exceeds its timeout is killed with its children and fails create" {
        for kind in prestart createRuntime createContainer; do
                program true
                cfg '.hooks = {}'
                timed_out $kind
                began=$(milliseconds)
                create -1
                took=$(($(milliseconds) - began))
                [ $took -ge 1000 ] && [ $took -lt 3000 ] || { echo "took $took ms"; return 1; }
                [[ $output == *"$kind hook"*"timed out"* ]]
                eventually sh -c '! pgrep -f "[s]leep 8765"'
                nothing_of_it
        done
}

@test "a poststart hook that exceeds its timeout is killed with its children and stops the container" {
        program sleep 100
        timed_out poststart
        create
        pid=$(pid_of "$ID")
        began=$(milliseconds)
        run -1 "$RUNTIME" start "$ID"
        took=$(($(milliseconds) - began))
        [ $took -ge 1000 ] && [ $took -lt 4000 ] || { echo "took $took ms"; return 1; }
        [[ $output == *"poststart hook"*"timed out"* ]]
        process_ended "$pid"
        eventually sh -c '! pgrep -f "[s]leep 8765"'
        "$RUNTIME" delete --force "$ID"
        nothing_of_it
}

@test "a startContainer hook that exceeds its timeout fails start" {
        program true
        timed_out startContainer
        create
        run -1 "$RUNTIME" start "$ID"
        [[ $output == *"startContainer hook"*"timed out"* ]]
        "$RUNTIME" delete --force "$ID"
        eventually sh -c '! pgrep -f "[s]leep 8765"'
        nothing_of_it
}

@test "a poststop hook that exceeds its timeout does not hold up delete" {
        program true
        timed_out poststop
        marks poststop second
        began=$(milliseconds)
        run_container
        [ $(($(milliseconds) - began)) -lt 4000 ]
        [[ $output == *"poststop hook"*"timed out"* ]]
        marked second
        nothing_of_it
}

@test "journalctl finds a failed hook, program or command by its message ID and its unit" {
        program sleep 100
        hook poststart 'echo no such luck >&2; exit 3'
        run_detached -1
        found() {
                journalctl -b MESSAGE_ID="$1" -u "$UNIT" --since "$TEST_BEGAN" -o json | jq -e 'select(.PRIORITY == "3") | .MESSAGE' |
                        grep -q "$2"
        }
        eventually found 0b8ee9c1f2f94fd39a3a5d8bb1a7c2e4 "no such luck"
        cfg 'del(.hooks)'
        printf '#!/no/such/interpreter\n' >"$BUNDLE/rootfs/bin/broken"
        chmod 755 "$BUNDLE/rootfs/bin/broken"
        program /bin/broken
        run_detached -1
        eventually found 5e0a1c6d7d8b4a1f9c53c2e1f0b6a947 "broken"
        # a command whose standard error is the journal
        run systemd-run -q --wait --collect --unit "command-$ID" "$(command -v "$RUNTIME")" start "nosuch-$ID"
        eventually sh -c "journalctl -b -u command-$ID -o json | jq -e 'select(.MESSAGE_ID == \"d138dbb88b1144c7bfcfa060bfb5f776\") | .MESSAGE' | grep -q nosuch-$ID"
}
