#!/usr/bin/env bats
# Containers without a unit of their own: in a control group below the caller's unit or anywhere else, or in none.
# shellcheck disable=SC2016,SC2030,SC2031,SC2086 # each test is a function

load helpers
load container

# in_group [PATH]: the container's control group, named after the test
in_group() {
        GROUP=${1:-/unitrun-test/$ID}
        cfg --arg path "$GROUP" '.linux.cgroupsPath = $path'
}

teardown_file() {
        rmdir $CGROUPS/unitrun-test 2>/dev/null || true
}

no_supervisor() {
        ! pgrep -f "^[^ ]*unitrun-supervisor /run/unitrun/$ID( |$)"
}

# nothing_of_group: the group is gone, and so is who watched it
nothing_of_group() {
        eventually no_supervisor
        [ -z "${GROUP:-}" ] || [ ! -e "$CGROUPS$GROUP" ] || { echo "$GROUP is left"; return 1; }
        assert_nothing_left "$ID"
}

@test "an absolute path is a control group, without a unit: the whole life of a container" {
        in_group
        script 'trap "exit 9" TERM; echo up; while :; do sleep 0.1; done'
        engine_create
        has_status "$ID" created
        unit_unknown "$UNIT"
        [ "$(state_field "$ID" systemdUnit)" = null ]
        pid=$(pid_of "$ID")
        [ "$(sed -n s/^0:://p /proc/$pid/cgroup)" = "$GROUP/payload" ]
        [ "$(wc -l <$CGROUPS$GROUP/supervisor/cgroup.procs)" -eq 1 ]
        "$RUNTIME" start "$ID"
        has_status "$ID" running
        run -6 "$RUNTIME" exec "$ID" sh -c 'exit 6' 3>&-
        run -1 "$RUNTIME" start "$ID"
        [[ $output == *"already running"* ]]
        run -1 "$RUNTIME" delete "$ID"
        [[ $output == *"not stopped"* ]]
        eventually file_has "$OUT" up
        "$RUNTIME" kill "$ID" TERM
        [ "$(engine_says)" = "exited 9" ]
        eventually has_status "$ID" stopped
        eventually no_supervisor
        "$RUNTIME" delete "$ID"
        nothing_of_group
        # a relative one starts at the root; run has the program's exit status
        in_group "unitrun-test/$ID"
        script 'grep ^0:: /proc/self/cgroup; exit 7'
        cfg '.linux.namespaces |= map(select(.type != "cgroup"))'
        run_container -7
        [ "$output" = "0::/unitrun-test/$ID/payload" ]
        GROUP=/$GROUP
        nothing_of_group
}

@test "delete by force ends everything in the group, also what a shared pid namespace keeps" {
        in_group
        cfg '.linux.namespaces |= map(select(.type != "pid"))'
        script 'sleep 1000 & sleep 1001 & echo up; exec sleep 1000'
        run_detached
        eventually file_has "$OUT" up
        "$RUNTIME" kill --all "$ID" CONT
        "$RUNTIME" delete --force "$ID"
        nothing_of_group
}

@test "hooks run at their times without systemd, and a failed poststart hook stops the container" {
        in_group
        for kind in createRuntime poststart poststop; do
                hook $kind "echo $kind \$(jq -r .status) >>$BATS_TEST_TMPDIR/hooks"
        done
        program sleep 1000
        create
        "$RUNTIME" start "$ID"
        [ "$(xargs <"$BATS_TEST_TMPDIR/hooks")" = "createRuntime creating poststart running" ]
        "$RUNTIME" delete --force "$ID"
        [ "$(tail -n 1 "$BATS_TEST_TMPDIR/hooks")" = "poststop stopped" ]
        hook poststart 'echo no bridge >&2; exit 4'
        create
        run -1 "$RUNTIME" start "$ID"
        [[ $output == *"poststart hook '/bin/sh'"*"status 4"*"no bridge"* ]]
        has_status "$ID" stopped
        "$RUNTIME" delete "$ID"
        # a program that has ended by then is no reason to leave them out
        cfg '.hooks = {}'
        hook poststart "sleep 0.3; echo late >>$BATS_TEST_TMPDIR/hooks"
        script 'exit 3'
        run_container -3
        [ "$(tail -n 1 "$BATS_TEST_TMPDIR/hooks")" = late ]
        nothing_of_group
}

@test "a group with processes in it, or a frozen one, is refused and stays as it is" {
        in_group
        mkdir -p "$CGROUPS$GROUP"
        program true
        sh -c 'echo $$ >"$1/cgroup.procs"; exec sleep 1000' sh "$CGROUPS$GROUP" 3>&- &
        HELPERS+=($!)
        eventually grep -q . "$CGROUPS$GROUP/cgroup.procs"
        create -1
        [[ $output == *cgroupsPath*"not empty"*"$GROUP"* ]]
        [ "$(cat "$CGROUPS$GROUP/cgroup.procs")" = "${HELPERS[0]}" ]
        kill "${HELPERS[0]}"
        eventually file_has "$CGROUPS$GROUP/cgroup.events" "populated 0"
        echo 1 >"$CGROUPS$GROUP/cgroup.freeze"
        create -1
        [[ $output == *cgroupsPath*"$GROUP"*frozen* ]]
        echo 0 >"$CGROUPS$GROUP/cgroup.freeze"
        # an empty one is as good as none
        run_container
        nothing_of_group
}

@test "paths that lead out of the control groups, and managers that don't fit, are refused" {
        program true
        for path in /a/../../b / ///./; do
                in_group "$path"
                create -1
                [[ $output == *cgroupsPath*"'$path'"* ]] || { echo "$path: $output"; return 1; }
        done
        in_group "/unitrun-test/$ID"
        launch -1 "$RUNTIME" --systemd-cgroup create -b "$BUNDLE" "$ID"
        [[ $output == *"'/unitrun-test/$ID'"*slice:prefix:name* ]]
        launch -1 "$RUNTIME" --cgroup-manager=systemd create -b "$BUNDLE" "$ID"
        in_group "a.slice:b:$ID"
        launch -1 "$RUNTIME" --cgroup-manager cgroupfs create -b "$BUNDLE" "$ID"
        [[ $output == *"'a.slice:b:$ID'"*cgroupfs* ]]
        # without a path the cgroupfs manager has one of its own
        cfg 'del(.linux.cgroupsPath) | .linux.namespaces |= map(select(.type != "cgroup"))'
        program grep ^0:: /proc/self/cgroup
        run -0 "$RUNTIME" --cgroup-manager cgroupfs run -b "$BUNDLE" "$ID" 3>&-
        [ "$output" = "0::/unitrun-$ID/payload" ]
        GROUP=/unitrun-$ID
        nothing_of_group
}

@test "without a control group the container is where its creator is" {
        cfg '.linux.namespaces |= map(select(.type != "cgroup"))'
        script 'echo up; grep ^0:: /proc/self/cgroup; exec sleep 1000'
        launch "$RUNTIME" --cgroup-manager disabled run -d -b "$BUNDLE" "$ID"
        eventually file_has "$OUT" 0::
        [ "$(tail -n 1 "$OUT")" = "$(grep ^0:: /proc/self/cgroup)" ]
        unit_unknown "$UNIT"
        run -6 "$RUNTIME" exec "$ID" sh -c 'exit 6' 3>&-
        run -255 "$RUNTIME" exec --cgroup x "$ID" true 3>&-
        [[ $output == *"no control group"* ]]
        "$RUNTIME" kill --all "$ID" KILL
        eventually has_status "$ID" stopped
        "$RUNTIME" kill --all "$ID" KILL
        "$RUNTIME" delete "$ID"
        nothing_of_group
        cfg '.linux.resources = {pids: {limit: 10}}'
        launch -1 "$RUNTIME" --cgroup-manager disabled create -b "$BUNDLE" "$ID"
        [[ $output == *linux.resources.pids.limit*disabled* ]]
        nothing_of_group
}

@test "device rules hold in a group, too" {
        systemd-run --quiet --wait -p DevicePolicy=strict sh -c '! test -w /dev/net/tun' || skip "needs BPF programs for devices"
        in_group
        cfg '.linux.devices = [{path: "/dev/tun", type: "c", major: 10, minor: 200, fileMode: 438}, {path: "/dev/fuse", type: "c", major: 10, minor: 229, fileMode: 438}]
                | .linux.resources.devices = [{allow: false, access: "rwm"}, {allow: true, type: "c", major: 10, minor: 200, access: "rw"}]'
        script '{ : <>/dev/tun; } 2>&1; { : <>/dev/fuse; } 2>&1; head -c 1 /dev/zero | wc -c'
        run_container
        [[ $output != *tun*"not permitted"* && $output == *fuse*"not permitted"*1 ]] || { echo "$output"; return 1; }
        nothing_of_group
}

# bats test_tags=qemu
@test "limits hold in a group, too, and their controllers are enabled on the way" {
        requires cpu memory pids
        in_group
        cfg '.linux.resources = {memory: {limit: 67108864}, pids: {limit: 55}, cpu: {shares: 512}}'
        script 'cd /sys/fs/cgroup; cat memory.max pids.max cpu.weight'
        run_container
        [ "$(xargs <<<"$output")" = "67108864 55 59" ]
        nothing_of_group
}

@test "create killed at any instant leaves nothing that the next one trips over" {
        in_group
        program sleep 1000
        for round in $(seq "$ROUNDS"); do
                "$RUNTIME" create -b "$BUNDLE" "$ID" </dev/null >/dev/null 2>&1 3>&- &
                sleep "0.0$((round % 10))$((round % 7))"
                kill -KILL $! 2>/dev/null || true
                wait $! 2>/dev/null || true
                if [ $((round % 2)) -eq 0 ]; then
                        "$RUNTIME" delete --force "$ID"
                        nothing_of_group
                fi
                [ $((round % 3)) -ne 0 ] || "$RUNTIME" delete --force "$ID"
                [ -e "/run/unitrun/$ID/facts" ] || {
                        create
                        "$RUNTIME" delete "$ID"
                        nothing_of_group
                }
        done
        "$RUNTIME" delete --force "$ID"
        nothing_of_group
}

@test "a supervisor that is killed does not take the container's commands with it" {
        in_group
        program sleep 1000
        run_detached
        kill -KILL "$(cat "$CGROUPS$GROUP/supervisor/cgroup.procs")"
        eventually no_supervisor
        has_status "$ID" running
        "$RUNTIME" kill "$ID" KILL
        eventually has_status "$ID" stopped
        "$RUNTIME" delete "$ID"
        nothing_of_group
}

@test "below a delegated unit the container is the unit's, and ends with it" {
        [ -z "$(systemctl list-units --plain --no-legend "split-$ID.service")" ]
        in_group "/system.slice/split-$ID.service/payload-$ID"
        program sleep 1000
        systemd-run --quiet --unit "split-$ID" -p Delegate=yes -p KillMode=mixed sh -c \
                'g=/sys/fs/cgroup$(sed -n s/^0:://p /proc/self/cgroup); mkdir $g/runtime; echo $$ >$g/runtime/cgroup.procs
                "$1" run -d -b "$2" "$3"; exec sleep 1000' sh "$(command -v "$RUNTIME")" "$BUNDLE" "$ID"
        eventually has_status "$ID" running
        [ "$(sed -n s/^0:://p "/proc/$(pid_of "$ID")/cgroup")" = "$GROUP/payload" ]
        unit_is "split-$ID.service" active
        systemctl stop "split-$ID.service"
        eventually has_status "$ID" stopped
        "$RUNTIME" delete "$ID"
        nothing_of_group
}

@test "a container within a container: without systemd there, and with a control group that was delegated to it" {
        # what the outer one needs to be a host for another; cpuset and the like are no matter here
        cp -a "$BUNDLE" "$BATS_TEST_TMPDIR/inner"
        jq '.process.args = ["sh", "-c", "echo inner; cat /proc/self/cgroup; exit 6"]' "$BUNDLE/config.json" >"$BATS_TEST_TMPDIR/inner/config.json"
        cfg '.root.path = "/" | .process.noNewPrivileges = false | del(.linux.maskedPaths) | del(.linux.readonlyPaths) | del(.linux.seccomp)
                | .mounts |= map(select(.destination != "/dev/shm"))
                | (.mounts[] | select(.type == "cgroup")).options = ["rw"]
                | .mounts += [{destination: "/run", type: "tmpfs", source: "tmpfs", options: ["mode=755"]}]'

        cfg --argjson names "$("$RUNTIME" features | jq -c '.linux.capabilities')" \
                '.process.capabilities = {bounding: $names, effective: $names, permitted: $names}'
        for options in "" "--cgroup-manager=cgroupfs"; do
                script "unitrun $options run -b $BATS_TEST_TMPDIR/inner in; echo status \$?; unitrun $options list"
                launch "$RUNTIME" run -b "$BUNDLE" "$ID"
                grep -qx inner "$OUT" || { cat "$OUT" "$ERR"; return 1; }
                grep -qx "status 6" "$OUT"
        done
}
