#!/usr/bin/env bats
# create, start, state, kill, delete and run, one container from its beginning to its end.
# shellcheck disable=SC2016

load helpers
load container

@test "create, start, kill and delete lead from created over running to stopped and to nothing" {
        program sleep 100
        create
        has_status "$ID" created
        unit_is "$UNIT" activating
        run -0 "$RUNTIME" start "$ID"
        [ -z "$output" ]
        has_status "$ID" running
        unit_is "$UNIT" active
        run -0 "$RUNTIME" kill "$ID" KILL
        eventually has_status "$ID" stopped
        run -0 "$RUNTIME" delete "$ID"
        [ -z "$output" ]
        unit_unknown "$UNIT"
        assert_nothing_left "$ID"
        run -1 "$RUNTIME" state "$ID"
}

@test "the program runs at start and not before" {
        script 'touch /tmp/ran'
        create
        [ ! -e "$BUNDLE/rootfs/tmp/ran" ]
        "$RUNTIME" start "$ID"
        [ -e "$BUNDLE/rootfs/tmp/ran" ] || eventually test -e "$BUNDLE/rootfs/tmp/ran"
}

@test "start returns when the program was executed" {
        program sleep 100
        create
        "$RUNTIME" start "$ID"
        [ "$(readlink "/proc/$(pid_of "$ID")/exe")" != "$(command -v "$RUNTIME")" ]
        [ "$(tr '\0' ' ' <"/proc/$(pid_of "$ID")/cmdline")" = "sleep 100 " ]
}

@test "state tells all that engines read" {
        program sleep 100
        annotate com.example.text 'a "quoted" /path'
        run_detached
        run -0 "$RUNTIME" state "$ID"
        state=$output
        jq -e --arg id "$ID" --arg bundle "$BUNDLE" '
                .id == $id and .bundle == $bundle and .rootfs == $bundle + "/rootfs" and .status == "running"
                and (.ociVersion | test("^1\\.[0-9]+\\.[0-9]+")) and (.pid | type) == "number" and .pid > 1
                and (.created | test("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}(\\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$"))
                and .annotations["com.example.text"] == "a \"quoted\" /path" and (.owner | type) == "string"' <<<"$state"
        # CRI-O decodes a state over its own record, so these must not be there
        jq -e '[keys[] | ascii_downcase] - ["started", "finished", "exitcode", "oomkilled", "seccompkilled", "error",
                "initpid", "initstarttime", "checkpointedtime", "containermonitorprocess"] == [keys[] | ascii_downcase]' <<<"$state"
        [ "$(date -d "$(jq -r .created <<<"$state")" +%s)" -ge "$(date -d "$TEST_BEGAN" +%s)" ]
        # the process of that number is the program
        grep -qx sleep "/proc/$(jq .pid <<<"$state")/comm"
}

@test "a stopped container has pid 0" {
        run_detached
        eventually has_status "$ID" stopped
        [ "$(pid_of "$ID")" = 0 ]
}

@test "the pid file holds the digits of the container's first process and nothing else" {
        program sleep 100
        printf 1234567890123 >"$BATS_TEST_TMPDIR/pid"
        cd "$BATS_TEST_TMPDIR"
        create --pid-file pid
        run -0 od -An -c "$BATS_TEST_TMPDIR/pid"
        [[ $output != *'\n'* ]]
        [ "$(cat "$BATS_TEST_TMPDIR/pid")" = "$(pid_of "$ID")" ]
        grep -q "^NSpid:.*[[:space:]]1\$" "/proc/$(pid_of "$ID")/status"
        # engines look for its control group at once
        [[ $(payload_of "$ID") == */$UNIT/payload ]]
}

@test "a config that is changed after create has no effect" {
        script 'echo as created'
        hook poststop 'touch /tmp/poststop-as-created'
        create
        rm -f /tmp/poststop-as-created
        script 'echo changed'
        cfg '.process.args = ["false"] | .hooks = {} | .annotations = {"x": "y"}'
        "$RUNTIME" start "$ID"
        eventually has_status "$ID" stopped
        [ "$(cat "$OUT")" = "as created" ]
        [ "$(state_field "$ID" 'annotations.x')" = null ]
        "$RUNTIME" delete "$ID"
        rm /tmp/poststop-as-created
}

@test "run passes on output and exit status and leaves nothing" {
        script 'echo out; echo err >&2; exit 5'
        launch -5 "$RUNTIME" run --bundle "$BUNDLE" "$ID"
        [ "$(cat "$OUT")" = out ]
        [ "$output" = err ]
        assert_nothing_left "$ID"
        [ ! -e "/run/unitrun/$ID" ]
}

@test "run passes on what it is given on stdin" {
        script 'read line; echo "got $line"'
        run -0 "$RUNTIME" run --bundle "$BUNDLE" "$ID" <<<hello
        [ "$output" = "got hello" ]
}

@test "run --detach returns while the container runs" {
        program sleep 100
        run_detached --pid-file "$BATS_TEST_TMPDIR/pid"
        has_status "$ID" running
        [ "$(cat "$BATS_TEST_TMPDIR/pid")" = "$(pid_of "$ID")" ]
}

@test "run --keep leaves the stopped container to delete" {
        script 'exit 3'
        run_container -3 --keep
        has_status "$ID" stopped
        "$RUNTIME" delete "$ID"
        assert_nothing_left "$ID"
}

@test "signals that run gets reach the container, but for the shell's job control" {
        local signals="1 2 3 6 10 12 14 18 23 28 30 37 64" signal
        script "for n in $signals 20 21 22; do trap \"echo got \$n\" \$n; done; trap 'exit 9' TERM
                echo ready; while :; do sleep 0.05; done"
        OUT=$BATS_TEST_TMPDIR/out
        "$RUNTIME" run --bundle "$BUNDLE" "$ID" >"$OUT" 2>&1 </dev/null 3>&- &
        HELPERS+=($!)
        eventually file_has "$OUT" ready
        for signal in 20 21 22 $signals; do
                kill "-$signal" $!
        done
        eventually eval '[ "$(sort -un -k 2 "$OUT" | grep got | cut -d" " -f2 | xargs)" = "$signals" ]'
        kill $!
        wait $! || status=$?
        [ "$status" -eq 9 ]
        assert_nothing_left "$ID"
}

@test "the bundle is the current directory unless told otherwise, and may be relative" {
        script 'echo here'
        cd "$BUNDLE"
        run -0 "$RUNTIME" run "$ID" 3>&-
        [ "$output" = here ]
        cd ..
        program sleep 100
        launch "$RUNTIME" create -b bundle "$ID"
        [ "$(state_field "$ID" bundle)" = "$BUNDLE" ]
}

@test "delete ends a container that was only created" {
        program sleep 100
        create
        pid=$(pid_of "$ID")
        run -0 "$RUNTIME" delete "$ID"
        process_ended "$pid"
        unit_unknown "$UNIT"
        assert_nothing_left "$ID"
}

@test "delete refuses a running container, delete --force ends it" {
        program sleep 100
        run_detached
        run -1 "$RUNTIME" delete "$ID"
        [[ $output == *"cannot delete container"*"$ID"*"not stopped: running"* ]]
        has_status "$ID" running
        run -0 "$RUNTIME" delete --force "$ID"
        [ -z "$output" ]
        unit_unknown "$UNIT"
        assert_nothing_left "$ID"
}

@test "delete --force ends a container that ignores signals" {
        script 'trap "" TERM INT HUP QUIT; while :; do sleep 1; done'
        run_detached
        began=$(milliseconds)
        "$RUNTIME" delete -f "$ID"
        [ $(($(milliseconds) - began)) -lt 3000 ]
        assert_nothing_left "$ID"
}

@test "a container cannot be started twice" {
        program sleep 100
        run_detached
        run -1 "$RUNTIME" start "$ID"
        [[ $output == *"cannot start an already running container"* ]]
        has_status "$ID" running
        "$RUNTIME" kill "$ID" KILL
        eventually has_status "$ID" stopped
        run -1 "$RUNTIME" start "$ID"
        [[ $output == *"cannot start a container that has stopped"* ]]
}

@test "create, run detached, kill and delete of one name go on and on without a pause" {
        program sleep 100
        for round in $(seq "$ROUNDS"); do
                run_detached
                "$RUNTIME" kill "$ID" KILL
                "$RUNTIME" delete "$ID" || { echo "round $round"; return 1; }
                unit_unknown "$UNIT"
        done
        assert_nothing_left "$ID"
}

@test "programs that end at once are no failure" {
        program true
        for round in $(seq "$ROUNDS"); do
                run "$RUNTIME" run --bundle "$BUNDLE" "$ID-$round" </dev/null 3>&-
                [ "$status" -eq 0 ] && [ -z "$output" ] || { echo "round $round: $status, $output"; return 1; }
        done
        [ -z "$(systemctl list-units --all --plain --no-legend "*$ID*")" ]
}

@test "create, start and delete of a program that ends at once" {
        program true
        for round in $(seq $((ROUNDS / 2))); do
                create
                "$RUNTIME" start "$ID"
                eventually has_status "$ID" stopped
                "$RUNTIME" delete "$ID"
        done
}

@test "a container stopped by systemctl is stopped for the engine" {
        program sleep 100
        hook poststop "touch $BATS_TEST_TMPDIR/poststop"
        cfg '.process.args = ["sh", "-c", "trap \"exit 0\" TERM; while :; do sleep 0.1; done"]'
        run_detached
        systemctl stop "$UNIT"
        run -0 "$RUNTIME" state "$ID"
        [ "$(jq -r .status <<<"$output")" = stopped ]
        for signal in 0 TERM KILL; do
                run -1 "$RUNTIME" kill "$ID" "$signal"
                [[ $output == *"container not running"* ]]
        done
        run -0 "$RUNTIME" delete "$ID"
        [ -e "$BATS_TEST_TMPDIR/poststop" ]
        assert_nothing_left "$ID"
}

@test "state needs no systemd and no bus" {
        program sleep 100
        run_detached
        run -0 env DBUS_SYSTEM_BUS_ADDRESS=unix:path=/nonexistent "$RUNTIME" state "$ID"
        [ "$(jq -r .status <<<"$output")" = running ]
        run -0 unshare --mount sh -c 'mount -t tmpfs tmpfs /run/systemd && exec "$0" state "$1"' "$RUNTIME" "$ID"
        [ "$(jq -r .status <<<"$output")" = running ]
}

@test "the bus or systemd's private socket alone is enough" {
        program sleep 100
        # a socket that is covered by another file is nothing to connect to
        without() {
                launch unshare --mount sh -c 'mount --bind /dev/null "$0" && exec "$@"' "$@"
        }
        for socket in /run/dbus/system_bus_socket /run/systemd/private; do
                without "$socket" "$RUNTIME" create --bundle "$BUNDLE" "$ID"
                without "$socket" "$RUNTIME" start "$ID"
                has_status "$ID" running
                without "$socket" "$RUNTIME" delete --force "$ID"
                unit_unknown "$UNIT"
        done
}

@test "a runtime killed by its engine after create leaves the container to the next command" {
        script 'echo started'
        create
        OUT=$BATS_TEST_TMPDIR/out
        # another process, another environment, another working directory
        (cd / && env -i PATH="$PATH" "$RUNTIME" start "$ID" 3>&-)
        eventually has_status "$ID" stopped
        [ "$(cat "$OUT")" = started ]
        (cd / && env -i "$(command -v "$RUNTIME")" delete --force "$ID" 3>&-)
        assert_nothing_left "$ID"
}
