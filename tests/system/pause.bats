#!/usr/bin/env bats
# pause and resume: the container stands still, its unit and whoever asks about it do not.
# shellcheck disable=SC2016,SC2030,SC2031,SC2086 # each test is a function

load helpers
load container

# counting: a program that adds to the file $COUNT
counting() {
        COUNT=$BUNDLE/rootfs/count
        cfg '.root.readonly = false'
        script 'trap "exit 5" TERM; while :; do echo >>/count; sleep 0.05; done'
}

counts() {
        local before
        before=$(stat -c %s "$COUNT")
        eventually 5 grows "$before"
}

grows() {
        [ "$(stat -c %s "$COUNT")" -gt "$1" ]
}

stands_still() {
        local before
        before=$(stat -c %s "$COUNT")
        sleep 0.2
        [ "$(stat -c %s "$COUNT")" -eq "$before" ]
}

@test "a paused container stands still and says so everywhere, and goes on when resumed" {
        counting
        run_detached
        eventually test -s "$COUNT"
        pid=$(pid_of "$ID")
        "$RUNTIME" pause "$ID"
        has_status "$ID" paused
        [ "$(pid_of "$ID")" = "$pid" ]
        stands_still
        eventually has_property "$UNIT" StatusText "Paused, sh (PID $pid) is frozen"
        [ "$(property_of "$UNIT" ActiveState)" = active ]
        # and the unit is not marked as changed, nor does a reload wake anybody
        [ "$(property_of "$UNIT" NeedDaemonReload)" = no ]
        systemctl daemon-reload
        has_status "$ID" paused
        stands_still
        "$RUNTIME" resume "$ID"
        has_status "$ID" running
        counts
        eventually has_property "$UNIT" StatusText "Running sh as PID $pid"
        [ "$(property_of "$UNIT" NeedDaemonReload)" = no ]
}

@test "pause and resume where they make no sense say why" {
        program sleep 100
        create
        run -1 "$RUNTIME" resume "$ID"
        [[ $output == *"container not paused: '$ID'"* ]]
        "$RUNTIME" start "$ID"
        run -1 "$RUNTIME" resume "$ID"
        [[ $output == *"container not paused: '$ID'"* ]]
        "$RUNTIME" pause "$ID"
        run -1 "$RUNTIME" pause "$ID"
        [[ $output == *"container already paused: '$ID'"* ]]
        run -1 "$RUNTIME" start "$ID"
        [[ $output == *"cannot start a paused container"* ]]
        run -1 "$RUNTIME" delete "$ID"
        [[ $output == *"not stopped"* ]]
        has_status "$ID" paused
        "$RUNTIME" kill "$ID" KILL
        eventually has_status "$ID" stopped
        for command in pause resume; do
                run -1 "$RUNTIME" $command "$ID"
                [[ $output == *"container not"*": '$ID'"* ]]
                run -1 "$RUNTIME" $command unknown
                [[ $output == *"does not exist"* ]]
        done
}

@test "a created container can be paused, and started once it is resumed" {
        counting
        create
        "$RUNTIME" pause "$ID"
        has_status "$ID" paused
        eventually has_property "$UNIT" StatusText "Paused before its start"
        run -1 "$RUNTIME" start "$ID"
        [[ $output == *"cannot start a paused container"* ]]
        "$RUNTIME" resume "$ID"
        has_status "$ID" created
        eventually has_property "$UNIT" StatusText "Created, waiting for start"
        "$RUNTIME" start "$ID"
        has_status "$ID" running
        eventually test -s "$COUNT"
}

# pause_one: a container that is paused once its program has got to its trap
pause_one() {
        rm -f "$COUNT"
        engine_create
        "$RUNTIME" start "$ID"
        eventually test -s "$COUNT"
        "$RUNTIME" pause "$ID"
}

@test "signals, stop and delete reach a paused container" {
        counting
        # a signal waits; the stop signal of systemctl does not
        pause_one
        "$RUNTIME" kill "$ID" TERM
        has_status "$ID" paused
        "$RUNTIME" resume "$ID"
        [ "$(engine_says)" = "exited 5" ]
        "$RUNTIME" delete "$ID"

        pause_one
        systemctl stop "$UNIT"
        [ "$(engine_says)" = "exited 5" ]
        "$RUNTIME" delete "$ID"

        pause_one
        "$RUNTIME" kill "$ID" KILL
        [ "$(engine_says)" = "killed 9" ]
        "$RUNTIME" delete "$ID"

        run_detached
        "$RUNTIME" pause "$ID"
        "$RUNTIME" delete --force "$ID"
        unit_unknown "$UNIT"
}

@test "a container that has frozen a part of itself runs, and ends when it is told to" {
        cfg '.mounts |= map(if .destination == "/sys/fs/cgroup" then .options |= map(select(. != "ro")) else . end)'
        script 'cd /sys/fs/cgroup; mkdir x; sleep 1000 & echo $! >x/cgroup.procs; echo 1 >x/cgroup.freeze; echo frozen; exec sleep 1000'
        run_detached
        eventually file_has "$OUT" frozen
        has_status "$ID" running
        run -1 "$RUNTIME" resume "$ID"
        "$RUNTIME" exec "$ID" true
        began=$(milliseconds)
        "$RUNTIME" delete --force "$ID"
        run_detached
        eventually file_has "$OUT" frozen
        "$RUNTIME" pause "$ID"
        "$RUNTIME" kill "$ID" KILL
        "$RUNTIME" delete "$ID"
        [ $(($(milliseconds) - began)) -lt 4000 ]
}

@test "a unit that an administrator froze is a paused container, and resume thaws it" {
        counting
        run_detached
        eventually test -s "$COUNT"
        systemctl freeze "$UNIT"
        has_status "$ID" paused
        stands_still
        "$RUNTIME" resume "$ID"
        has_status "$ID" running
        counts
        # systemd knows of it: it can freeze the unit once more, and thaw it
        systemctl freeze "$UNIT"
        systemctl thaw "$UNIT"
        has_status "$ID" running
        # frozen in both ways, the container goes on when both are undone
        "$RUNTIME" pause "$ID"
        systemctl freeze "$UNIT"
        systemctl thaw "$UNIT"
        has_status "$ID" paused
        "$RUNTIME" resume "$ID"
        counts
        systemctl freeze "$UNIT"
        "$RUNTIME" delete --force "$ID"
        unit_unknown "$UNIT"
}

@test "a frozen group above the container's is the error of resume" {
        program sleep 100
        cfg '.linux.cgroupsPath = "unitruntestpause.slice:unitrun:'"$ID"'"'
        run_detached
        "$RUNTIME" pause "$ID"
        echo 1 >$CGROUPS/unitruntestpause.slice/cgroup.freeze
        run -1 timeout 30 "$RUNTIME" resume "$ID"
        echo 0 >$CGROUPS/unitruntestpause.slice/cgroup.freeze
        [[ $output == *"cannot resume container '$ID': a group above its cgroup"*"is frozen"* ]]
        eventually has_status "$ID" running
}

@test "pause works on a container in a group without a unit, and is refused without a group" {
        counting
        cfg --arg path "/unitrun-test-pause/$ID" '.linux.cgroupsPath = $path'
        run_detached
        eventually test -s "$COUNT"
        "$RUNTIME" pause "$ID"
        has_status "$ID" paused
        stands_still
        "$RUNTIME" resume "$ID"
        counts
        echo 1 >"$CGROUPS/unitrun-test-pause/$ID/cgroup.freeze"
        eventually has_status "$ID" paused
        "$RUNTIME" resume "$ID"
        has_status "$ID" running
        "$RUNTIME" delete --force "$ID"
        rmdir $CGROUPS/unitrun-test-pause
        cfg 'del(.linux.cgroupsPath) | del(.linux.resources)'
        launch "$RUNTIME" --cgroup-manager disabled run --detach --bundle "$BUNDLE" "$ID"
        run -1 "$RUNTIME" pause "$ID"
        [[ $output == *"cannot pause container '$ID': the container has no control group"* ]]
}
