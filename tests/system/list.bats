#!/usr/bin/env bats
# list and ps: which containers there are, and which processes they have.
# shellcheck disable=SC2016,SC2030,SC2031,SC2086 # each test is a function

load helpers
load container

# row ID: its line of the table on $output, with single spaces
row() {
        grep "^$1 " <<<"$output" | tr -s ' '
}

# lists: the IDs of this test
lists() {
        "$RUNTIME" list --quiet 3>&- | grep "$ID" | tr '\n' ' '
}

@test "list shows every container with its unit and status, as a table, as JSON and as IDs" {
        program sleep 100
        annotate some.note "a value"
        create
        launch "$RUNTIME" run --detach --bundle "$BUNDLE" "$ID-b"
        launch "$RUNTIME" run --detach --bundle "$BUNDLE" "$ID-c"
        "$RUNTIME" pause "$ID-c"
        launch "$RUNTIME" run --detach --bundle "$BUNDLE" "$ID-d"
        "$RUNTIME" kill "$ID-d" KILL
        eventually has_status "$ID-d" stopped
        run -0 "$RUNTIME" list
        [[ ${lines[0]} =~ ^ID\ +PID\ +STATUS\ +BUNDLE\ +CREATED\ +OWNER\ +UNIT$ ]]
        [[ "$(row "$ID")" =~ ^"$ID $(pid_of "$ID") created $BUNDLE "20[-0-9]+T[0-9:.]+"Z root unitrun-$ID.service"$ ]]
        [[ "$(row "$ID-b")" == "$ID-b $(pid_of "$ID-b") running $BUNDLE "* ]]
        [[ "$(row "$ID-c")" == "$ID-c $(pid_of "$ID-c") paused $BUNDLE "* ]]
        [[ "$(row "$ID-d")" == "$ID-d 0 stopped $BUNDLE "* ]]
        [ "$(lists)" = "$ID $ID-b $ID-c $ID-d " ]
        # an entry of the JSON is what state says
        for id in "$ID" "$ID-b" "$ID-c" "$ID-d"; do
                [ "$("$RUNTIME" list --format json | jq -S --arg id "$id" '.[] | select(.id == $id)')" = \
                        "$("$RUNTIME" state "$id" | jq -S .)" ]
        done
        [ "$("$RUNTIME" list -f json | wc -l)" -eq 1 ]
}

@test "list of nothing is headings, an empty array or nothing, also where there is no state root yet" {
        mkdir "$BATS_TEST_TMPDIR/empty"
        for root in "$BATS_TEST_TMPDIR/empty"{,/}; do
                run -0 "$RUNTIME" --root "$root" list
                [ ${#lines[@]} -eq 1 ]
                [[ $output == "ID "*UNIT ]]
                run -0 "$RUNTIME" --root "$root" list --format json
                [ "$output" = "[]" ]
                run -0 "$RUNTIME" --root "$root" list --quiet
                [ -z "$output" ]
        done
        # nothing is wrong where no container was ever made, unless it was named
        run -1 "$RUNTIME" --root "$BATS_TEST_TMPDIR/none" list
        [[ $output == *"cannot list the containers: "*"$BATS_TEST_TMPDIR/none"* ]]
        run -0 unshare --mount sh -c 'mount -t tmpfs tmpfs /run && exec "$@"' - "$RUNTIME" list -f json
        [ "$output" = "[]" ]
        # a foreign file is told, and no obstacle
        mkdir "$BATS_TEST_TMPDIR/foreign"
        touch "$BATS_TEST_TMPDIR/foreign/notes"
        launch "$RUNTIME" --root "$BATS_TEST_TMPDIR/foreign" list -q
        [ ! -s "$OUT" ]
        [[ $output == *warning*notes* ]]
        run -1 "$RUNTIME" list --format yaml
        [[ $output == *"--format: invalid format option 'yaml'"* ]]
        touch "$BATS_TEST_TMPDIR/file"
        run -1 "$RUNTIME" --root "$BATS_TEST_TMPDIR/file" list
        [[ $output == *"cannot list the containers: "*"$BATS_TEST_TMPDIR/file"* ]]
}

@test "damaged and half-made state directories do not spoil the list" {
        program sleep 100
        run_detached
        root=/run/unitrun
        mkdir -m 0700 "$root/$ID-half" "$root/$ID-text" "$root/$ID-short"
        echo nonsense >"$root/$ID-text/facts"
        head -c 40 "$root/$ID/facts" >"$root/$ID-short/facts"
        touch "$root/$ID-file"
        run -0 --separate-stderr "$RUNTIME" list --quiet
        [ "$(grep "$ID" <<<"$output")" = "$ID" ]
        for word in text short; do
                [[ $stderr == *"container '$ID-$word': the state file 'facts' is damaged: "*", ignoring"* ]]
                run -1 "$RUNTIME" state "$ID-$word"
                [[ $output == *"container '$ID-$word': the state file 'facts' is damaged: "* ]]
        done
        # a config that can't be read costs its annotations
        mv "$root/$ID/config.json" "$BATS_TEST_TMPDIR/kept"
        echo '{' >"$root/$ID/config.json"
        run -0 --separate-stderr "$RUNTIME" list --format json
        [ "$(jq -r --arg id "$ID" '.[] | select(.id == $id) | .status' <<<"$output")" = running ]
        [[ $stderr == *"container '$ID': "*", ignoring its annotations"* ]]
        mv "$BATS_TEST_TMPDIR/kept" "$root/$ID/config.json"
        rm -rf "$root/$ID-half" "$root/$ID-text" "$root/$ID-short" "$root/$ID-file"
}

@test "list goes on while containers come and go" {
        program true
        (
                exec 3>&-
                for ((i = 0; i < ROUNDS / 2; i++)); do
                        "$RUNTIME" run --bundle "$BUNDLE" "$ID" </dev/null
                done
        ) &
        maker=$!
        HELPERS+=("$maker")
        while kill -0 $maker 2>/dev/null; do
                run -0 --separate-stderr "$RUNTIME" list --format json
                jq -e 'type == "array"' <<<"$output" >/dev/null
                [ -z "$stderr" ]
        done
        wait $maker
}

@test "ps shows the processes of the container, those of exec and of its own groups included" {
        script 'sleep 1000 & sleep 1001; exit 1'
        cfg '.mounts |= map(if .type == "cgroup" then .options -= ["ro"] else . end)'
        create
        # one that waits to be started is a process
        run -0 "$RUNTIME" ps --format json "$ID"
        [ "$output" = "[$(pid_of "$ID")]" ]
        "$RUNTIME" start "$ID"
        launch "$RUNTIME" exec --detach "$ID" sh -c 'mkdir /sys/fs/cgroup/own && echo $$ >/sys/fs/cgroup/own/cgroup.procs; exec sleep 1002'
        four() { [ "$("$RUNTIME" ps --format=json "$ID" 3>&- | jq length)" -eq 4 ]; }
        eventually four
        eventually processes_filed sleep 3
        run -0 "$RUNTIME" ps "$ID"
        [[ ${lines[0]} =~ ^UID\ +PID\ +PPID\ .*CMD$ ]]
        [ ${#lines[@]} -eq 5 ]
        for seconds in 1000 1001 1002; do
                grep -q "sleep $seconds$" <<<"$output"
        done
        # other columns, and other options of ps
        run -0 "$RUNTIME" ps "$ID" -o comm,pid
        [ "$(tail -n +2 <<<"$output" | awk '{ print $1 }' | sort | uniq -c | tr -s ' ' | tr '\n' ';')" = " 1 sh; 3 sleep;" ]
        run -0 "$RUNTIME" ps -f table "$ID" aux
        [[ ${lines[0]} == "USER "*COMMAND ]]
        [ ${#lines[@]} -eq 5 ]
}

# processes_filed NAME N: the container has N processes of that name
processes_filed() {
        [ "$("$RUNTIME" ps "$ID" -eo comm,pid 3>&- | grep -c "^$1 ")" -eq "$2" ]
}

@test "what ps can't do is an error that says so" {
        program sleep 100
        run_detached
        run -1 "$RUNTIME" ps "$ID" -e -o comm
        [[ $output == *"ps shows no column PID"* ]]
        run -1 "$RUNTIME" ps "$ID" --no-such-option
        [[ $output == *"ps has failed: "*"long option" ]]
        run -1 "$RUNTIME" ps --format yaml "$ID"
        [[ $output == *"--format: invalid format option 'yaml'"* ]]
        run -1 env PATH=/nonexistent "$(command -v "$RUNTIME")" ps "$ID"
        [[ $output == *"cannot run ps: "* ]]
        run -1 "$RUNTIME" ps unknown
        [[ $output == *"container 'unknown' does not exist"* ]]
        "$RUNTIME" kill "$ID" KILL
        eventually has_status "$ID" stopped
        for format in json table; do
                run -1 "$RUNTIME" ps --format $format "$ID"
                [[ $output == *"container not running: '$ID'"* ]]
        done
        "$RUNTIME" delete "$ID"
        cfg 'del(.linux.cgroupsPath) | del(.linux.resources)'
        launch "$RUNTIME" --cgroup-manager disabled run --detach --bundle "$BUNDLE" "$ID"
        run -1 "$RUNTIME" ps "$ID"
        [[ $output == *"the processes of container '$ID' can't be told from others: it has no control group"* ]]
}
