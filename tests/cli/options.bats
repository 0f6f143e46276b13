#!/usr/bin/env bats
# The command lines that engines write: every spelling, whatever stands before the command, and what goes where.
# shellcheck disable=SC2016,SC2030,SC2031,SC2086 # each test is a function

load ../system/helpers
load ../system/container

@test "conmon's command line is understood" {
        program sleep 100
        launch "$RUNTIME" --systemd-cgroup --log-format=json --log "$BATS_TEST_TMPDIR/log" \
                create --bundle "$BUNDLE" --pid-file "$BATS_TEST_TMPDIR/pid" --no-new-keyring "$ID"
        [ ! -s "$BATS_TEST_TMPDIR/log" ]
        [ -z "$output" ]
        # and afterwards podman's: nothing before the command, hardly an environment
        env -i XDG_RUNTIME_DIR=/run/user/0 PATH=/usr/sbin:/usr/bin:/sbin:/bin "$RUNTIME" start "$ID" 3>&-
        env -i XDG_RUNTIME_DIR=/run/user/0 "$(command -v "$RUNTIME")" kill "$ID" 9
        eventually has_status "$ID" stopped
        env -i XDG_RUNTIME_DIR=/run/user/0 "$(command -v "$RUNTIME")" delete --force "$ID"
        assert_nothing_left "$ID"
}

@test "containerd's and CRI-O's command lines are understood" {
        program sleep 100
        root=$BATS_TEST_TMPDIR/root
        launch "$RUNTIME" --root "$root" --debug --log "$BATS_TEST_TMPDIR/log" --log-format json --systemd-cgroup --rootless=false \
                create --bundle="$BUNDLE" --no-pivot --pid-file="$BATS_TEST_TMPDIR/pid" "$ID"
        launch "$RUNTIME" --root="$root" --log "$BATS_TEST_TMPDIR/log" --log-format json start "$ID"
        launch "$RUNTIME" --root "$root" state "$ID"
        jq -e '.status == "running"' "$OUT"
        launch "$RUNTIME" --root "$root" kill -a "$ID" 9
        eventually sh -c "$RUNTIME --root $root state $ID | jq -e '.status == \"stopped\"'"
        launch "$RUNTIME" --root "$root" delete --force "$ID"
        unit_unknown "$UNIT"
        [ -z "$(ls -A "$root")" ]
}

@test "options may stand in any order and spelling, the ID comes last" {
        program true
        for options in "-b $BUNDLE" "--bundle $BUNDLE" "--bundle=$BUNDLE" "--pid-file $BATS_TEST_TMPDIR/p -b $BUNDLE --no-pivot" \
                "--no-new-keyring --bundle=$BUNDLE --pid-file=$BATS_TEST_TMPDIR/p" "--preserve-fds 0 -b $BUNDLE" "--no-subreaper --bundle $BUNDLE"; do
                run -0 "$RUNTIME" run $options "$ID" </dev/null 3>&-
                [ -z "$output" ]
        done
        run -0 "$RUNTIME" run -b "$BUNDLE" -- "$ID" </dev/null 3>&-
}

@test "global options of runc and crun are accepted" {
        for options in --debug "--log-level debug" "--log-level=warning" "--rootless auto" "--rootless=true" "--rootless false" --systemd-cgroup \
                "--cgroup-manager systemd" "--cgroup-manager=systemd" "--log-format text" "--log-format=json"; do
                launch -1 "$RUNTIME" $options state "$ID"
                [[ $output == *"does not exist"* ]] || { echo "$options: $output"; return 1; }
        done
        for options in "--log-format yaml" "--log-level loud" "--cgroup-manager nosuch"; do
                launch -1 "$RUNTIME" $options state "$ID"
                [[ $output == *"${options##* }"* ]] || { echo "$options: $output"; return 1; }
        done
}

@test "with --root the state is there and nowhere else" {
        program sleep 100
        root=$BATS_TEST_TMPDIR/some/root
        launch "$RUNTIME" --root "$root" run -d -b "$BUNDLE" "$ID"
        [ -d "$root/$ID" ]
        [ ! -e "/run/unitrun/$ID" ]
        run -1 "$RUNTIME" state "$ID"
        run -0 "$RUNTIME" --root "$root" state "$ID"
        # the same ID under two roots would be the same unit
        launch -1 "$RUNTIME" run -d -b "$BUNDLE" "$ID"
        [[ $output == *"$UNIT"* ]]
        run -0 "$RUNTIME" --root "$root" state "$ID"
        [ "$(jq -r .status <<<"$output")" = running ]
        "$RUNTIME" --root "$root" delete --force "$ID"
        [ ! -e "$root/$ID" ]
}

@test "the state directory is for its owner only" {
        program sleep 100
        (umask 000 && create)
        [ "$(stat -c %a "/run/unitrun/$ID")" = 700 ]
        [ -z "$(find "/run/unitrun/$ID" -perm /022 ! -type l)" ]
        [ -z "$(find /run/unitrun -maxdepth 0 -perm /022)" ]
}

@test "help is on stdout, for the program and each command" {
        launch "$RUNTIME" --help
        for command in create start state kill delete run; do
                grep -qw "$command" "$OUT"
        done
        [ -z "$output" ]
        for command in create start state kill delete run; do
                launch "$RUNTIME" $command --help
                grep -q "$command" "$OUT"
                grep -q -- --help "$OUT"
                [ -z "$output" ]
        done
        launch "$RUNTIME" run --help
        for option in --bundle --detach --pid-file --console-socket; do
                grep -q -- "$option" "$OUT"
        done
}

@test "help shows the same as --help" {
        [ "$("$RUNTIME" help)" = "$("$RUNTIME" --help)" ]
        for command in create exec list help; do
                [ "$("$RUNTIME" help $command)" = "$("$RUNTIME" $command --help)" ]
        done
}

@test "spec writes a config that runs as it is, and one for who is not root" {
        rm "$BUNDLE/config.json"
        run -0 "$RUNTIME" spec --bundle "$BUNDLE"
        [ -z "$output" ]
        [ "$(stat -c %a "$BUNDLE/config.json")" = 644 ]
        run -1 "$RUNTIME" spec -b "$BUNDLE"
        [[ $output == *"'$BUNDLE/config.json' exists: remove it first"* ]]
        run -1 "$RUNTIME" spec -b "$BUNDLE/none"
        [[ $output == *"cannot make '$BUNDLE/none/config.json': "* ]]
        # but for the terminal, which needs one
        cfg '.process.terminal = false | .process.args += ["-c", "hostname; grep NoNewPrivs /proc/self/status; touch /x"]'
        run_container -1
        [ "${lines[0]}" = unitrun ]
        [[ ${lines[1]} == NoNewPrivs:*1 ]]
        [[ ${lines[2]} == *"Read-only file system"* ]]
        rm "$BUNDLE/config.json"
        (cd "$BUNDLE" && "$RUNTIME" spec --rootless)
        cfg '.process.terminal = false | .process.args += ["-c", "cat /proc/self/uid_map; readlink /proc/self/ns/net"]'
        run_container -0
        [ "$(tr -s ' ' <<<"${lines[0]}")" = " 0 0 1" ]
        [ "${lines[1]}" = "$(readlink /proc/self/ns/net)" ]
}

@test "what stands behind the ID is the program's" {
        program sleep 100
        run_detached
        for arguments in "$ID echo" "$ID -- echo" "-- $ID -- echo"; do
                launch "$RUNTIME" exec $arguments --help -- -x
                [ "$(cat "$OUT")" = "--help -- -x" ]
        done
}

@test "the version is what engines look for" {
        for option in --version -v; do
                launch env XDG_RUNTIME_DIR=/nonexistent "$RUNTIME" $option
                [[ $(head -n 1 "$OUT") =~ ^unitrun\ version\ [0-9]+\.[0-9]+ ]]
                grep -qE '^spec: 1\.[0-9]+\.[0-9]+' "$OUT"
                [ -z "$output" ]
        done
}

@test "an error is one line on stderr and one JSON object in the log" {
        launch -1 "$RUNTIME" --log "$BATS_TEST_TMPDIR/log" --log-format json state "$ID"
        [ "$(wc -l <"$ERR")" -eq 1 ]
        [ ! -s "$OUT" ]
        jq -es 'length == 1 and .[0].level == "error" and (.[0].msg | contains("does not exist"))
                and (.[0].time | test("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}(\\.[0-9]+)?(Z|[+-][0-9:]{5})$"))' "$BATS_TEST_TMPDIR/log"
        # appended to what is there
        launch -1 "$RUNTIME" --log "$BATS_TEST_TMPDIR/log" --log-format=json delete "$ID"
        [ "$(jq -s length "$BATS_TEST_TMPDIR/log")" -eq 2 ]
}

@test "the log of a failed create is one object with the reason, also with hooks' and programs' output in it" {
        program nosuchprogram
        hook createRuntime 'printf "quote \" backslash \\\\ tab \t end\n" >&2; exit 3'
        launch -1 "$RUNTIME" --log "$BATS_TEST_TMPDIR/log" --log-format json create -b "$BUNDLE" "$ID"
        jq -es 'length == 1 and (.[0].msg | contains("quote \" backslash \\ tab"))' "$BATS_TEST_TMPDIR/log"
        rm "$BATS_TEST_TMPDIR/log"
        cfg '.hooks = {}'
        launch -1 "$RUNTIME" --log "$BATS_TEST_TMPDIR/log" --log-format json create -b "$BUNDLE" "$ID"
        jq -es 'length == 1 and (.[0].msg | contains("executable file not found in $PATH"))' "$BATS_TEST_TMPDIR/log"
}

@test "a text log is for people, and --debug has more in it" {
        launch -1 "$RUNTIME" --log "$BATS_TEST_TMPDIR/log" state "$ID"
        grep -q "does not exist" "$BATS_TEST_TMPDIR/log"
        program true
        launch "$RUNTIME" --debug --log "$BATS_TEST_TMPDIR/debug" run -b "$BUNDLE" "$ID"
        [ -s "$BATS_TEST_TMPDIR/debug" ]
        [ ! -s "$OUT" ]
}

@test "a log that cannot be written is an error, not silence" {
        launch -1 "$RUNTIME" --log /nonexistent/directory/log state "$ID"
        [[ $output == */nonexistent/directory/log* ]]
}

@test "the log may be the journal" {
        launch -1 "$RUNTIME" --log journald: state "$ID"
        eventually journal_has "'$ID'"
        [[ $output == *"does not exist"* ]]
        # structured, by an identifier of the caller's, and no field can be forged
        program sleep 100
        run_detached
        launch -1 "$RUNTIME" --log journald:me start "$ID"
        entry() { journalctl -b --no-pager -o json -t me CONTAINER_ID_FULL="$ID" | jq -ce 'select(.MESSAGE_ID == "d138dbb88b1144c7bfcfa060bfb5f776")'; }
        eventually entry
        entry | jq -e --arg id "$ID" --arg unit "$UNIT" '.CONTAINER_ID == $id[:12] and .UNIT == $unit and .PRIORITY == "3"
                and (.MESSAGE | contains("already running"))'
        launch -1 "$RUNTIME" --log journald:me delete "$(printf 'x\nPRIORITY=0')"
        sleep 0.2
        ! journalctl -b --no-pager -o json -t me | jq -e 'select(.PRIORITY == "0")' || return 1
        [ ! -e "journald:me" ]
}

@test "state prints JSON and nothing else, whatever the log level" {
        program sleep 100
        run_detached
        for options in "" --debug "--log-level debug" "--log-format json"; do
                launch "$RUNTIME" $options state "$ID"
                jq -e '.status == "running"' "$OUT"
                [ -n "$options" ] || [ -z "$output" ]
        done
}
