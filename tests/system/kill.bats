#!/usr/bin/env bats
# Signals to a container, in every spelling that engines and people use.
# shellcheck disable=SC2016

load helpers
load container

# listening SIGNAL…: a program that says "ready" and the number of each of these signals that it gets, and stays
listening() {
        local signal text=
        for signal; do text+="trap 'echo got $signal' $signal; "; done
        script "$text echo ready; while :; do sleep 0.05; done"
}

run_listening() {
        listening "$@"
        run_detached
        eventually file_has "$OUT" ready
}

@test "kill without a signal sends SIGTERM" {
        run_listening 15
        run -0 "$RUNTIME" kill "$ID"
        [ -z "$output" ]
        eventually file_has "$OUT" "got 15"
}

@test "signals are numbers or names, with or without SIG, in any case" {
        run_listening 1 10 12 15
        for signal in 10 USR1 SIGUSR1 usr1 SigUsr1; do
                : >"$OUT"
                "$RUNTIME" kill "$ID" "$signal"
                eventually file_has "$OUT" "got 10"
        done
        "$RUNTIME" kill "$ID" HUP
        eventually file_has "$OUT" "got 1"
        "$RUNTIME" kill "$ID" 12
        eventually file_has "$OUT" "got 12"
}

@test "realtime signals are numbers or counted from either end" {
        run_listening 37
        for signal in 37 RTMIN+3 SIGRTMIN+3 RTMAX-27; do
                : >"$OUT"
                "$RUNTIME" kill "$ID" "$signal"
                eventually file_has "$OUT" "got 37"
        done
}

@test "signal 0 asks whether the container runs" {
        run_listening 15
        run -0 "$RUNTIME" kill "$ID" 0
        has_status "$ID" running
        "$RUNTIME" kill "$ID" 9
        eventually has_status "$ID" stopped
        run -1 "$RUNTIME" kill "$ID" 0
        [[ $output == *"container not running"* ]]
}

@test "a signal that does not exist is refused and named" {
        run_listening 15
        for signal in 65 -1 1000 WRONG SIG "" 9x; do
                run -1 "$RUNTIME" kill -- "$ID" "$signal"
                [[ $output == *"signal"*"'$signal'"* ]]
        done
        run -1 "$RUNTIME" kill "$ID" -1
        [[ $output == *-1* ]]
        has_status "$ID" running
}

@test "a created container can be killed" {
        local signal
        program sleep 100
        for signal in KILL TERM INT HUP QUIT; do
                create
                "$RUNTIME" kill "$ID" $signal
                eventually has_status "$ID" stopped
                run -1 "$RUNTIME" start "$ID"
                "$RUNTIME" delete "$ID"
        done
        assert_nothing_left "$ID"
}

@test "kill of a stopped container says that it is not running" {
        program true
        run_detached
        eventually has_status "$ID" stopped
        run -1 "$RUNTIME" kill "$ID" TERM
        [[ $output == *"container not running"* ]]
        [ "${#lines[@]}" -eq 1 ]
        run -1 "$RUNTIME" kill "$ID" KILL
        [[ $output == *"container not running"* ]]
        "$RUNTIME" delete "$ID"
        # one that its engine has not reaped yet has ended as well
        engine_create
        kill -STOP "$ENGINE"
        "$RUNTIME" start "$ID"
        eventually has_status "$ID" stopped
        grep -q "^State:.Z" "/proc/$(cat "$PID_FILE")/status"
        run -1 "$RUNTIME" kill "$ID" TERM
        [[ $output == *"container not running"* ]]
        kill -CONT "$ENGINE"
        [ "$(engine_says)" = "exited 0" ]
}

@test "kill and delete against the end of the container: each does it, or says why not" {
        program sh -c 'sleep 0.02'
        for ((round = 0; round < ROUNDS / 2; round++)); do
                run_detached
                while run "$RUNTIME" kill "$ID" 0 && [ "$status" -eq 0 ]; do :; done
                [ "$output" = "unitrun: container not running: '$ID'" ] || { echo "round $round: $output"; return 1; }
                run -0 "$RUNTIME" delete "$ID"
                run_detached
                until run "$RUNTIME" delete "$ID" && [ "$status" -eq 0 ]; do
                        [[ $output == *"not stopped: running"* ]] || { echo "round $round: $output"; return 1; }
                done
                run -1 "$RUNTIME" kill "$ID" 0
                [[ $output == *"'$ID' does not exist"* ]]
        done
}

@test "whatever has got the name of a stopped container is not hit by its kill and delete" {
        local other=$BATS_TEST_TMPDIR/other
        program sleep 100
        for path in "" "/unitrun-test-kill/$ID"; do
                [ -z "$path" ] || cfg --arg path "$path" '.linux.cgroupsPath = $path'
                run_detached
                "$RUNTIME" kill "$ID" KILL
                eventually has_status "$ID" stopped
                [ -n "$path" ] || eventually unit_unknown "$UNIT"
                eventually launch "$RUNTIME" --root "$other" run --detach --bundle "$BUNDLE" "$ID"
                "$RUNTIME" kill --all "$ID" KILL
                "$RUNTIME" delete "$ID"
                "$RUNTIME" --root "$other" kill "$ID" 0
                "$RUNTIME" --root "$other" delete --force "$ID"
        done
        rmdir "$CGROUPS/unitrun-test-kill"
}

@test "SIGKILL reaches what the first process has left in a shared pid namespace" {
        cfg '.linux.namespaces |= map(select(.type != "pid"))'
        program sleep 100
        run_detached
        launch "$RUNTIME" exec --detach --pid-file "$BATS_TEST_TMPDIR/pid" "$ID" sleep 1000
        pid=$(cat "$BATS_TEST_TMPDIR/pid")
        supervisor=$(property_of "$UNIT" MainPID)
        kill -STOP "$supervisor" # or it would be first
        kill -KILL "$(pid_of "$ID")"
        eventually has_status "$ID" stopped
        run -1 "$RUNTIME" kill "$ID" TERM
        run -1 process_ended "$pid"
        "$RUNTIME" kill "$ID" KILL
        eventually process_ended "$pid"
        run -1 "$RUNTIME" kill "$ID" KILL
        kill -CONT "$supervisor"
}

@test "kill --all reaches every process of the container" {
        cfg '.linux.namespaces |= map(select(.type != "pid"))'
        script '(trap "echo child got it; exit" USR1; echo child; while :; do sleep 0.05; done) &
                trap "echo parent got it" USR1; echo parent; while :; do sleep 0.05; done'
        run_detached
        eventually file_has "$OUT" parent
        eventually file_has "$OUT" child
        "$RUNTIME" kill --all "$ID" USR1
        eventually file_has "$OUT" "child got it"
        eventually file_has "$OUT" "parent got it"
        "$RUNTIME" kill -a "$ID" KILL
        eventually has_status "$ID" stopped
        # nothing to signal is what was wanted
        run -0 "$RUNTIME" kill --all "$ID" KILL
}

@test "without --all only the first process gets the signal" {
        cfg '.linux.namespaces |= map(select(.type != "pid"))'
        script '(trap "echo child got it" USR1; echo child; while :; do sleep 0.05; done) &
                trap "echo parent got it" USR1; echo parent; while :; do sleep 0.05; done'
        run_detached
        eventually file_has "$OUT" parent
        eventually file_has "$OUT" child
        "$RUNTIME" kill "$ID" USR1
        eventually file_has "$OUT" "parent got it"
        "$RUNTIME" kill "$ID" USR1 # had the child been sent the first, it would have said so before this one's echo
        eventually sh -c "[ \$(grep -c 'parent got it' $OUT) -eq 2 ]"
        run -1 grep "child got it" "$OUT"
}

@test "processes that outlive the first one end with the container, also in a shared pid namespace" {
        cfg '.linux.namespaces |= map(select(.type != "pid"))'
        script '(trap "" TERM HUP; while :; do sleep 1; done) & echo ready; exit 4'
        run_detached
        eventually has_status "$ID" stopped
        eventually unit_unknown "$UNIT"
        [ -z "$(processes_of "$ID")" ]
        "$RUNTIME" delete "$ID"
        assert_nothing_left "$ID"
}

@test "delete ends a fork bomb" {
        requires pids
        cfg '.linux.resources.pids.limit = 50'
        script 'bomb() { bomb & bomb & sleep 100; }; echo ready; bomb'
        run_detached
        eventually file_has "$OUT" ready
        began=$(milliseconds)
        "$RUNTIME" delete --force "$ID"
        [ $(($(milliseconds) - began)) -lt 20000 ]
        assert_nothing_left "$ID"
}

@test "delete ends processes that keep starting others" {
        cfg '.linux.namespaces |= map(select(.type != "pid")) | .process.rlimits = [{type: "RLIMIT_NPROC", soft: 400, hard: 400}]'
        cfg '.process.user = {uid: 4711, gid: 4711}'
        script 'trap "" TERM
                i=0; while [ $i -lt 20 ]; do (trap "" TERM; while :; do sleep 0.01 & sleep 0.01; done) & i=$((i+1)); done; echo ready; wait'
        run_detached
        eventually file_has "$OUT" ready
        "$RUNTIME" delete --force "$ID"
        [ -z "$(processes_of "$ID")" ]
        assert_nothing_left "$ID"
}
