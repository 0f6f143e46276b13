#!/usr/bin/env bats
# Every command, and the supervisor, killed at any instant: nothing is left that the next command with the same ID
# trips over. UNITRUN_ROUNDS says how often.
# shellcheck disable=SC2016,SC2030,SC2031,SC2086 # each test is a function

load helpers
load container

setup_file() {
        bats_require_minimum_version 1.8.0
        export BATS_TEST_TIMEOUT=$((120 + ROUNDS * 4))
}

# create_takes: how many microseconds, the longest of three
create_takes() {
        local longest=0 began took
        for _ in 1 2 3; do
                began=${EPOCHREALTIME/[.,]/}
                quiet_create
                took=$((${EPOCHREALTIME/[.,]/} - began))
                [ $took -le $longest ] || longest=$took
                undo
        done
        echo $longest
}

undo() {
        "$RUNTIME" delete --force "$ID" 3>&-
}

quiet_create() {
        "$RUNTIME" create -b "$BUNDLE" "$ID" </dev/null >/dev/null 2>"$BATS_TEST_TMPDIR/held" 3>&-
}

# kill_within MICROSECONDS COMMAND…: SIGKILL at a random instant of that time or shortly after
kill_within() {
        local limit=$1 pid
        shift
        "$@" </dev/null >/dev/null 2>&1 3>&- &
        pid=$!
        pause $(((RANDOM * 32768 + RANDOM) % (limit * 6 / 5)))
        kill -KILL $pid 2>/dev/null || true
        wait $pid 2>/dev/null || true
}

# pause MICROSECONDS: without a process, which would take longer than that to start
pause() {
        [ -e "$BATS_TEST_TMPDIR/never" ] || mkfifo "$BATS_TEST_TMPDIR/never"
        read -r -t "$(printf '%d.%06d' $(($1 / 1000000)) $(($1 % 1000000)))" <>"$BATS_TEST_TMPDIR/never" || true
}

# clean WHERE: nothing is left of the ID
clean() {
        assert_nothing_left "$ID" || { echo "after $1"; return 1; }
}

# works: the same ID runs a container from beginning to end
works() {
        run_container || { echo "the same ID does not work: $output"; return 1; }
}

@test "create killed at any instant leaves nothing to delete --force, and nothing to the next create" {
        program sleep 100
        limit=$(create_takes)
        for round in $(seq "$ROUNDS"); do
                kill_within "$limit" "$RUNTIME" create -b "$BUNDLE" "$ID"
                if run "$RUNTIME" state "$ID" && [ "$status" -eq 0 ]; then
                        [[ $(jq -r .status <<<"$output") = @(creating|created|stopped) ]]
                fi
                case $((round % 3)) in
                0) undo || { echo "round $round"; return 1; }
                        clean "round $round" ;;
                1) # the commit may have happened
                        quiet_create || grep -q "already exists" "$BATS_TEST_TMPDIR/held" || { echo "round $round"; cat "$BATS_TEST_TMPDIR/held"; return 1; }
                        undo
                        clean "round $round" ;;
                2) # without another command: what has not been committed ends by itself
                        if run "$RUNTIME" state "$ID" && [ "$status" -eq 0 ] && [ "$(jq -r .status <<<"$output")" = created ]; then undo; fi
                        eventually unit_unknown "$UNIT"
                        eventually sh -c "! grep -lF '$ID' /proc/[0-9]*/cgroup 2>/dev/null"
                        undo
                        clean "round $round" ;;
                esac
        done
        program true
        works
}

@test "create killed at each of its steps leaves nothing" {
        program true
        for call in mkdir,mkdirat rename,renameat,renameat2 bind,listen connect sendmsg,sendto clone,clone3,vfork,fork write,pwrite64 recvmsg,recvfrom memfd_create ftruncate; do
                step=0
                while step=$((step + 1)) && [ $step -le 40 ]; do
                        status=0
                        strace -qqq -o /dev/null -e "trace=$call" -e "inject=$call:signal=KILL:when=$step" \
                                "$RUNTIME" create -b "$BUNDLE" "$ID" </dev/null >/dev/null 2>"$BATS_TEST_TMPDIR/held" 3>&- || status=$?
                        [ "$status" -ne 0 ] || break
                        [ "$status" -eq 137 ] || { echo "$call $step"; cat "$BATS_TEST_TMPDIR/held"; return 1; }
                        # by turns
                        [ $((step % 2)) -eq 0 ] || undo
                        works || { echo "killed at $call number $step"; return 1; }
                        clean "$call number $step"
                done
                undo
                clean "$call"
        done
}

@test "start killed at any instant leaves a container that can be deleted" {
        program sleep 100
        for round in $(seq "$ROUNDS"); do
                quiet_create || { echo "round $round"; cat "$BATS_TEST_TMPDIR/held"; return 1; }
                kill_within 20000 "$RUNTIME" start "$ID"
                [[ $(status_of "$ID") = @(created|running) ]]
                if [ $((round % 2)) -eq 0 ]; then
                        # a start that was never heard can be repeated
                        run "$RUNTIME" start "$ID"
                        [ "$status" -eq 0 ] || [[ $output == *"already running"* ]] || { echo "round $round: $output"; return 1; }
                        eventually has_status "$ID" running
                fi
                undo || { echo "round $round"; return 1; }
                clean "round $round"
        done
        program true
        works
}

@test "start killed while poststart hooks run leaves a container that can be deleted" {
        program sleep 100
        hook poststart 'sleep 0.05'
        hook poststart true
        for round in $(seq $((ROUNDS / 4))); do
                quiet_create
                kill_within 150000 "$RUNTIME" start "$ID"
                undo || { echo "round $round"; return 1; }
                clean "round $round"
        done
        program true
        works
}

@test "delete killed at any instant is finished by the next delete" {
        program sleep 100
        hook poststop "touch $BATS_TEST_TMPDIR/poststop"
        for round in $(seq "$ROUNDS"); do
                quiet_create || { echo "round $round"; cat "$BATS_TEST_TMPDIR/held"; return 1; }
                rm -f "$BATS_TEST_TMPDIR/poststop"
                [ $((round % 2)) -eq 0 ] || "$RUNTIME" start "$ID"
                kill_within 60000 "$RUNTIME" delete --force "$ID"
                case $((round % 3)) in
                0) # what is half deleted is in nobody's way
                        quiet_create || grep -q "already exists" "$BATS_TEST_TMPDIR/held" || { echo "round $round"; cat "$BATS_TEST_TMPDIR/held"; return 1; } ;;
                esac
                undo || { echo "round $round"; return 1; }
                clean "round $round"
                [ -e "$BATS_TEST_TMPDIR/poststop" ] || { echo "round $round: no poststop hook ran"; return 1; }
        done
}

# supervisor_pid: the main process of the unit, however young it is
supervisor_pid() {
        local pid
        pid=$(cat "$CGROUPS/system.slice/$UNIT/supervisor/cgroup.procs" "$CGROUPS/system.slice/$UNIT/cgroup.procs" 2>/dev/null | head -n 1)
        [ -n "$pid" ] && echo "$pid"
}

@test "a supervisor killed while it is being created fails create or stops the container" {
        program sleep 100
        for round in $(seq "$ROUNDS"); do
                quiet_create &
                creating=$!
                until pid=$(supervisor_pid); do
                        # create must not have failed before
                        kill -0 $creating 2>/dev/null || break
                done
                [ $((round % 2)) -eq 0 ] || pause $((RANDOM % 30000))
                [ -z "$pid" ] || kill -KILL "$pid" 2>/dev/null || true
                if wait $creating; then
                        # create was quicker than we: then it is killed now
                        [ -n "$pid" ] || kill -KILL "$(supervisor_pid)"
                        eventually has_status "$ID" stopped
                else
                        grep -qF "$UNIT" "$BATS_TEST_TMPDIR/held" || grep -q supervisor "$BATS_TEST_TMPDIR/held" || { echo "round $round"; cat "$BATS_TEST_TMPDIR/held"; return 1; }
                fi
                undo || { echo "round $round"; return 1; }
                clean "round $round"
        done
        program true
        works
}

@test "a supervisor killed in the life of a container takes it along" {
        program sleep 100
        for round in $(seq "$ROUNDS"); do
                quiet_create
                pid=$(supervisor_pid) starting=
                case $((round % 3)) in
                0) "$RUNTIME" start "$ID" ;;
                1) "$RUNTIME" start "$ID" >/dev/null 2>&1 3>&- &
                        starting=$!
                        pause $((RANDOM % 10000)) ;;
                esac
                kill -KILL "$pid"
                # a bare wait would wait for the clock of bats as well
                [ -z "$starting" ] || wait $starting || true
                eventually has_status "$ID" stopped
                eventually unit_unknown "$UNIT"
                run -1 "$RUNTIME" start "$ID"
                run -0 "$RUNTIME" delete "$ID"
                clean "round $round"
        done
}

@test "run killed at any instant leaves nothing to delete --force" {
        program sleep 100
        for round in $(seq $((ROUNDS / 2))); do
                kill_within 100000 "$RUNTIME" run -b "$BUNDLE" "$ID"
                undo || { echo "round $round"; return 1; }
                clean "round $round"
        done
}

@test "of two creates of one ID at once, one wins and the other says so" {
        program sleep 100
        for round in $(seq "$ROUNDS"); do
                "$RUNTIME" create -b "$BUNDLE" "$ID" </dev/null >/dev/null 2>"$BATS_TEST_TMPDIR/1" 3>&- &
                first=$!
                "$RUNTIME" create -b "$BUNDLE" "$ID" </dev/null >/dev/null 2>"$BATS_TEST_TMPDIR/2" 3>&- &
                second=$!
                won=0
                wait $first && won=$((won + 1)) || loser=1
                wait $second && won=$((won + 1)) || loser=2
                [ $won -eq 1 ] || { echo "round $round: $won won"; cat "$BATS_TEST_TMPDIR"/[12]; return 1; }
                grep -qE "already exists|in use" "$BATS_TEST_TMPDIR/$loser" || { echo "round $round"; cat "$BATS_TEST_TMPDIR/$loser"; return 1; }
                has_status "$ID" created
                [ "$(wc -l <"$(payload_of "$ID")/cgroup.procs")" -eq 1 ]
                "$RUNTIME" start "$ID"
                has_status "$ID" running
                undo
                clean "round $round"
        done
}

@test "create against delete: either comes first, and nothing is left in between" {
        program sleep 100
        for round in $(seq "$ROUNDS"); do
                quiet_create || { echo "round $round"; cat "$BATS_TEST_TMPDIR/held"; return 1; }
                "$RUNTIME" delete --force "$ID" >/dev/null 2>"$BATS_TEST_TMPDIR/deleted" 3>&- &
                deleting=$!
                "$RUNTIME" create -b "$BUNDLE" "$ID" </dev/null >/dev/null 2>"$BATS_TEST_TMPDIR/created" 3>&- &
                creating=$!
                wait $deleting || { echo "round $round"; cat "$BATS_TEST_TMPDIR/deleted"; return 1; }
                if wait $creating; then
                        has_status "$ID" created
                else
                        grep -qE "already exists|in use|being (created|deleted)" "$BATS_TEST_TMPDIR/created" || { echo "round $round"; cat "$BATS_TEST_TMPDIR/created"; return 1; }
                fi
                undo || { echo "round $round"; return 1; }
                clean "round $round"
        done
}

@test "start against delete and kill ends in nothing" {
        program sleep 100
        for round in $(seq $((ROUNDS / 2))); do
                quiet_create
                "$RUNTIME" start "$ID" >/dev/null 2>&1 3>&- &
                starting=$!
                [ $((round % 2)) -eq 0 ] || "$RUNTIME" kill "$ID" KILL
                timeout 20 "$RUNTIME" delete --force "$ID" || { echo "round $round"; return 1; }
                wait $starting || true
                clean "round $round"
        done
}
