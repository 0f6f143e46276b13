#!/usr/bin/env bats
# podman and conmon on top of unitrun: containers' lives. podman-options.bats has what a container is given.
# shellcheck disable=SC2016,SC2030,SC2031,SC2086 # each test is a function

load helpers
load container
load podman

@test "a foreground container passes on its output and its exit status" {
        for code in 0 1 7 125 255; do
                run "-$code" podman_run --rm busybox sh -c "echo out; exit $code"
                [ "$output" = out ]
        done
        run -0 podman_run --rm -i busybox cat <<<"through stdin"
        [ "$output" = "through stdin" ]
}

@test "a detached container is waited for, and its log is kept" {
        cid=$(podman_run -d busybox sh -c 'echo out; echo err >&2; sleep 0.5; exit 9')
        run -0 podman wait $cid
        [ "$output" = 9 ]
        # the journal may be a moment behind
        eventually sh -c "[ \"\$(podman logs $cid 2>&1 | sort | xargs)\" = 'err out' ]"
        [ "$(podman inspect -f '{{.State.ExitCode}} {{.State.Status}}' $cid)" = "9 exited" ]
        unit_unknown "libpod-$cid.service"
        podman rm $cid
}

@test "with the journald driver a log is what the container wrote, and nothing that others say of its unit" {
        hooks=$BATS_TEST_TMPDIR/hooks.d
        mkdir "$hooks"
        jq -n '{version: "1.0.0", hook: {path: "/bin/echo", args: ["echo", "said by a hook"]}, when: {always: true}, stages: ["poststart"]}' >"$hooks/echo.json"
        cid=$(podman_do --hooks-dir "$hooks" run -d --network=none --log-driver journald busybox sh -c 'echo out; sleep 0.5; echo last; exit 9')
        run -0 podman wait $cid
        eventually journal_has "said by a hook" -u "libpod-$cid.service"
        # all that systemd had to say has been said, too
        eventually journal_has "Failed with result" -u "libpod-$cid.service"
        eventually sh -c "podman logs $cid 2>/dev/null | grep -q last"
        run -0 podman logs $cid
        [ "$output" = "out
last" ]
}

@test "no exit status is lost on the way through conmon" {
        for round in $(seq $((ROUNDS / 6))); do
                run -23 podman_run --rm busybox sh -c 'exit 23'
        done
        the_reaper=1
        for round in $(seq $((ROUNDS / 6))); do
                UNITRUN_FORCE_REAPER=$the_reaper run -23 podman_run --rm busybox sh -c 'exit 23'
        done
}

@test "a container killed by a signal has 128 and the signal" {
        cid=$(podman_run -d busybox sleep 1000)
        podman_do kill -s KILL $cid
        run -0 podman wait $cid
        [ "$output" = 137 ]
}

@test "an interactive container has a terminal" {
        run -0 podman_run --rm -t busybox sh -c 'tty; test -t 0 && echo yes'
        [ "$(tr -d '\r' <<<"$output" | xargs)" = "/dev/pts/0 yes" ]
        mkfifo "$BATS_TEST_TMPDIR/keys"
        shown=$BATS_TEST_TMPDIR/shown
        command script -qec "podman --runtime $RUNTIME run --rm -it --network=none busybox sh -c 'echo ready; read x; echo got \$x; exit 3'" /dev/null \
                <"$BATS_TEST_TMPDIR/keys" >"$shown" 2>&1 3>&- &
        exec 8>"$BATS_TEST_TMPDIR/keys"
        eventually file_has "$shown" ready
        echo typed >&8
        status=0
        wait $! || status=$?
        exec 8>&-
        [ $status -eq 3 ]
        file_has "$shown" "got typed"
}

@test "the container is a service in podman's slice, with its first process where podman says" {
        cid=$(podman_run -d busybox sleep 1000)
        pid=$(podman inspect -f '{{.State.Pid}}' $cid)
        [ "$(tr '\0' ' ' <"/proc/$pid/cmdline")" = "sleep 1000 " ]
        [ "$("$RUNTIME" state $cid | jq .pid)" = "$pid" ]
        unit_is "libpod-$cid.service" active
        has_property "libpod-$cid.service" Slice machine.slice
        grep -q "/machine.slice/libpod-$cid.service/" "/proc/$pid/cgroup"
        # conmon is the parent, not systemd
        [ "$(podman inspect -f '{{.State.ConmonPid}}' $cid)" = "$(conmon_of $pid)" ]
        run -0 podman top $cid pid comm
        [[ $output == *sleep* ]]
}

@test "start attaches to a created container and has its exit status" {
        cid=$(podman_do create --network=none busybox sh -c 'echo attached; exit 11')
        run -11 podman_do start -a $cid
        [ "$output" = attached ]
        # and once more
        run -11 podman_do start -a $cid
        [ "$output" = attached ]
}

@test "stop sends the stop signal, and the container's own exit status counts" {
        cid=$(podman_run -d busybox sh -c 'trap "echo got TERM; exit 4" TERM; echo ready; while :; do sleep 0.1; done')
        eventually sh -c "podman logs $cid | grep -q ready"
        podman_do stop $cid
        [ "$(podman inspect -f '{{.State.ExitCode}}' $cid)" = 4 ]
        cid=$(podman_run -d --stop-signal USR1 busybox sh -c 'trap "exit 5" USR1; echo ready; while :; do sleep 0.1; done')
        eventually sh -c "podman logs $cid | grep -q ready"
        has_property "libpod-$cid.service" KillSignal 10
        podman_do stop $cid
        [ "$(podman inspect -f '{{.State.ExitCode}}' $cid)" = 5 ]
}

@test "stop kills what does not stop in time" {
        cid=$(podman_run -d busybox sh -c 'trap "" TERM; echo ready; while :; do sleep 0.1; done')
        eventually sh -c "podman logs $cid | grep -q ready"
        podman_do stop -t 1 $cid
        [ "$(podman inspect -f '{{.State.ExitCode}}' $cid)" = 137 ]
}

@test "systemctl stop is noticed by podman" {
        cid=$(podman_run -d busybox sh -c 'trap "exit 6" TERM; echo ready; while :; do sleep 0.1; done')
        eventually sh -c "podman logs $cid | grep -q ready"
        systemctl stop "libpod-$cid.service"
        run -0 podman wait $cid
        [ "$output" = 6 ]
        [ "$(podman inspect -f '{{.State.Status}}' $cid)" = exited ]
        run -0 podman_do start $cid
        unit_is "libpod-$cid.service" active
}

@test "rm --force removes a running container, its unit and its processes" {
        cid=$(podman_run -d busybox sh -c 'sleep 4711 & sleep 4712')
        podman_do rm -f -t 0 $cid
        unit_unknown "libpod-$cid.service"
        [ ! -e "/run/unitrun/$cid" ]
        run -1 pgrep -f 'sleep 471[12]'
        run -1 podman container exists $cid
}

@test "restart gives a new process under the same unit's name" {
        cid=$(podman_run -d busybox sh -c 'trap "exit 0" TERM; while :; do sleep 0.1; done')
        before=$(podman inspect -f '{{.State.Pid}}' $cid)
        for round in 1 2 3; do
                podman_do restart $cid
        done
        after=$(podman inspect -f '{{.State.Pid}}' $cid)
        [ "$before" != "$after" ]
        process_ended $before
        unit_is "libpod-$cid.service" active
        grep -q "libpod-$cid.service" "/proc/$after/cgroup"
}

@test "a restart policy brings a failed container back" {
        cid=$(podman_run -d --restart on-failure:2 busybox sh -c 'echo run; exit 3')
        eventually 15 sh -c "[ \$(podman logs $cid | grep -c run) -eq 3 ]"
        run -0 podman wait $cid
        [ "$output" = 3 ]
}

@test "a program that cannot be executed is 126, one that cannot be found 127" {
        run -126 podman_run --rm busybox /etc
        [[ $output == *"permission denied"* ]]
        run -127 podman_run --rm busybox /no/such/program
        [[ $output == *"no such file or directory"* ]]
        run -127 podman_run --rm busybox nosuchprogram
        [[ $output == *"executable file not found in \$PATH"* ]]
        run -127 podman_run --rm --workdir /no/such/directory busybox true || run -126 podman_run --rm --workdir /no/such/directory busybox true
}

@test "an init in the container reaps what others leave" {
        cid=$(podman_run -d --init busybox sh -c '(sleep 0.2345 & exec sleep 0.05) & sleep 1000')
        run -0 podman top $cid pid comm
        [[ ${lines[1]} =~ ^1\ +(catatonit|tini|docker-init|podman-init) ]]
        pid=$(podman inspect -f '{{.State.Pid}}' $cid)
        # the orphan becomes the init's, and is gone once it ended
        eventually sh -c "! pgrep -fx 'sleep 0.2345'"
        eventually none_of zombie sh -c "ps -o stat=,comm= --ppid $pid | grep ^Z"
        podman_do stop -t 5 $cid
        [[ $(podman inspect -f '{{.State.ExitCode}}' $cid) = @(143|137|0) ]]
}

@test "containers of a pod share its namespaces and end with it" {
        pod=$(podman_do pod create --network=none)
        podman_do run -d --pod $pod --name "$ID-a" busybox sleep 1000
        podman_do run -d --pod $pod --name "$ID-b" busybox sleep 1000
        a=$(podman inspect -f '{{.State.Pid}}' "$ID-a")
        b=$(podman inspect -f '{{.State.Pid}}' "$ID-b")
        for ns in net ipc uts; do
                [ "$(readlink /proc/$a/ns/$ns)" = "$(readlink /proc/$b/ns/$ns)" ]
        done
        for ns in mnt pid; do
                [ "$(readlink /proc/$a/ns/$ns)" != "$(readlink /proc/$b/ns/$ns)" ]
        done
        # a slice of the pod's own, with its containers' units
        [[ $(cat /proc/$a/cgroup) == *libpod_pod_$pod.slice/libpod-*.service/* ]]
        podman_do pod stop -t 1 $pod
        podman_do pod rm -f -t 0 $pod
        process_ended $a
        process_ended $b
}

@test "a container joins another one's namespaces" {
        first=$(podman_run -d busybox sleep 1000)
        for ns in net pid ipc uts; do
                option=$ns
                [ $ns != net ] || option=network
                [ $ns != uts ] || continue
                run -0 podman_do run --rm --$option container:$first busybox readlink /proc/self/ns/$ns
                [ "$output" = "$(readlink "/proc/$(podman inspect -f '{{.State.Pid}}' $first)/ns/$ns")" ]
        done
}

@test "a container without a pid namespace of its own is stopped with all its processes" {
        cid=$(podman_run -d --pid=host busybox sh -c 'sleep 4713 & sleep 4714 & wait')
        eventually pgrep -f 'sleep 4714'
        podman_do stop -t 1 $cid
        eventually sh -c "! pgrep -f 'sleep 471[34]'"
}

@test "podman's hooks run, also after the start" {
        hooks=$BATS_TEST_TMPDIR/hooks.d
        mkdir "$hooks"
        for stage in prestart createRuntime createContainer poststart poststop; do
                jq -n --arg stage $stage --arg out "$BATS_TEST_TMPDIR/$stage" \
                        '{version: "1.0.0", hook: {path: "/bin/sh", args: ["sh", "-c", "cat >\($out)"]}, when: {always: true}, stages: [$stage]}' >"$hooks/$stage.json"
        done
        run -0 podman --runtime "$RUNTIME" --hooks-dir "$hooks" run --rm --network=none busybox true 3>&-
        for stage in prestart createRuntime createContainer poststart poststop; do
                jq -e '.status' "$BATS_TEST_TMPDIR/$stage"
        done
}

@test "containers that podman does not know any more leave nothing behind either" {
        cid=$(podman_run -d busybox sleep 1000)
        conmon=$(podman inspect -f '{{.State.ConmonPid}}' $cid)
        kill -KILL $conmon
        has_status $cid running
        "$RUNTIME" kill $cid KILL
        eventually unit_unknown "libpod-$cid.service"
        # podman 5 misses conmon's exit status the first time
        podman_do rm -f -t 0 $cid || podman_do rm -f -t 0 $cid
        # podman 4.3 has no conmon to ask and leaves the runtime's state where it is, whatever the runtime
        launch "$RUNTIME" delete -f $cid
}

@test "many containers at once" {
        seq 12 | xargs -P 12 -I{} podman --runtime "$RUNTIME" run --rm --network=none busybox sh -c 'echo {}; exit 0' 2>&1 3>&- | sort -n >"$BATS_TEST_TMPDIR/all"
        [ "$(cat "$BATS_TEST_TMPDIR/all")" = "$(seq 12)" ]
}

@test "podman pauses, resumes, stops and removes paused containers" {
        podman_run --detach --name "$ID" busybox sh -c 'trap "exit 4" TERM; while :; do sleep 0.1; done' >/dev/null
        podman_do pause "$ID" >/dev/null
        [ "$(podman_do inspect --format '{{.State.Status}}' "$ID")" = paused ]
        run ! podman_do exec "$ID" true
        podman_do unpause "$ID" >/dev/null
        [ "$(podman_do inspect --format '{{.State.Status}}' "$ID")" = running ]
        podman_do exec "$ID" true
        podman_do pause "$ID" >/dev/null
        podman_do rm --force --time 1 "$ID" >/dev/null
}
