#!/usr/bin/env bats
# The exit status of the container is what `run` ends with, what the engine reaps, and what systemd says of the unit's
# main process: by both of the ways in which the supervisor, which is not its parent, can learn it.
# shellcheck disable=SC2016,SC2030,SC2031 # each test is a function

load helpers
load container

CODES="0 1 2 19 77 126 127 128 137 200 255"
SIGNALS="1 6 9 10 11 15 34 64"

# the_reaper, the_pidfd: chooses the way
the_reaper() {
        export UNITRUN_FORCE_REAPER=1
}

the_pidfd() {
        local major minor
        IFS=.- read -r major minor _ </proc/sys/kernel/osrelease
        [ $((major * 1000 + minor)) -ge 6015 ] || skip "needs Linux 6.15 for exit statuses from a pidfd"
        unset UNITRUN_FORCE_REAPER
}

parent_of() {
        sed -n 's/^PPid:\t//p' "/proc/$1/status"
}

# with_reaper: whether a process stands between the engine and the container
with_reaper() {
        local parent
        parent=$(parent_of "$(cat "$PID_FILE")")
        [ "$parent" != "$ENGINE" ] && [ "$(parent_of "$parent")" = "$ENGINE" ]
}

# begin: creates with an engine, and keeps the unit in systemd's memory so that it can be asked afterwards
begin() {
        engine_create
        hold "$UNIT"
        if [ -n "${UNITRUN_FORCE_REAPER:-}" ]; then with_reaper; else [ "$(parent_of "$(cat "$PID_FILE")")" = "$ENGINE" ]; fi
}

# agree "exited N" | "killed N": the engine and systemd say so of the container of `begin`; then it is deleted
agree() {
        local said value=${1##* }
        said=$(engine_says)
        [ "$said" = "$1" ] || { echo "the engine says '$said', not '$1'"; return 1; }
        eventually sh -c "systemctl show -P ActiveState $UNIT | grep -Eqx 'inactive|failed'"
        has_property "$UNIT" ExecMainStatus "$value"
        case $1 in
        "exited 0") has_property "$UNIT" Result success ;;
        exited*) has_property "$UNIT" Result exit-code ;;
        # systemd takes these for a clean end of a service
        "killed 1" | "killed 2" | "killed 13" | "killed 15") has_property "$UNIT" Result success ;;
        *) [[ $(property_of "$UNIT" Result) = @(signal|core-dump) ]] ;;
        esac
        case $1 in
        exited*) has_property "$UNIT" ExecMainCode 1 ;;
        killed*) [[ $(property_of "$UNIT" ExecMainCode) = [23] ]] ;;
        esac
        has_status "$ID" stopped
        release
        "$RUNTIME" delete "$ID"
}

all_codes_agree() {
        local code
        for code in $CODES; do
                script "exit $code"
                begin
                "$RUNTIME" start "$ID"
                agree "exited $code"
        done
}

all_signals_agree() {
        local signal
        # the first process of a pid namespace does not die of signals that it could handle
        cfg '.linux.namespaces |= map(select(.type != "pid"))'
        program sleep 100
        for signal in $SIGNALS; do
                begin
                "$RUNTIME" start "$ID"
                "$RUNTIME" kill "$ID" "$signal"
                agree "killed $signal"
        done
}

@test "every exit status is the engine's and systemd's, through the pidfd" {
        the_pidfd
        all_codes_agree
}

@test "every exit status is the engine's and systemd's, through the reaper" {
        the_reaper
        all_codes_agree
}

@test "every deadly signal is the engine's and systemd's, through the pidfd" {
        the_pidfd
        all_signals_agree
}

@test "every deadly signal is the engine's and systemd's, through the reaper" {
        the_reaper
        all_signals_agree
}

# run_passes_on: `run` in the foreground
run_passes_on() {
        local code signal
        for code in $CODES; do
                script "exit $code"
                run_container "-$code"
        done
        cfg '.linux.namespaces |= map(select(.type != "pid"))'
        for signal in $SIGNALS; do
                # realtime signals are beyond what busybox's kill takes by name, not by number
                script "kill -$signal \$\$; sleep 100"
                run_container "-$((128 + signal))"
        done
}

@test "run ends with the container's exit status, or 128 and its signal, through the pidfd" {
        the_pidfd
        run_passes_on
}

@test "run ends with the container's exit status, or 128 and its signal, through the reaper" {
        the_reaper
        run_passes_on
}

@test "no exit status is ever lost" {
        script 'exit 19'
        for round in $(seq "$ROUNDS"); do
                run_container -19 || { echo "round $round"; return 1; }
        done
}

@test "no exit status is ever lost, with a reaper" {
        the_reaper
        script 'exit 19'
        for round in $(seq "$ROUNDS"); do
                run_container -19 || { echo "round $round"; return 1; }
        done
}

# slow_engine: the container has ended before its engine looks
slow_engine() {
        script 'read go; exit 23'
        mkfifo "$BATS_TEST_TMPDIR/go"
        cfg --arg fifo "$BATS_TEST_TMPDIR/go" '.process.args = ["sh", "-c", "echo ready; read go </go; exit 23"]
                | .mounts += [{destination: "/go", type: "bind", source: $fifo, options: ["bind"]}]'
        begin
        "$RUNTIME" start "$ID"
        eventually file_has "$OUT" ready
        kill -STOP "$ENGINE"
        pid=$(cat "$PID_FILE")
        echo go >"$BATS_TEST_TMPDIR/go"
        eventually process_ended "$pid"
        has_status "$ID" stopped
        kill -CONT "$ENGINE"
        agree "exited 23"
}

@test "an engine that is slow to reap gets its status, and so does systemd, through the pidfd" {
        the_pidfd
        slow_engine
}

@test "an engine that is slow to reap gets its status, and so does systemd, through the reaper" {
        the_reaper
        slow_engine
}

# lost_engine: the engine is killed, the container goes on and systemd still learns how it ended
lost_engine() {
        script 'echo ready; trap "exit 24" TERM; while :; do sleep 0.05; done'
        begin
        "$RUNTIME" start "$ID"
        eventually file_has "$OUT" ready
        kill -KILL "$ENGINE"
        wait "$ENGINE" || true
        has_status "$ID" running
        "$RUNTIME" kill "$ID" TERM
        eventually unit_is "$UNIT" failed
        has_property "$UNIT" ExecMainStatus 24
        has_status "$ID" stopped
        release
        "$RUNTIME" delete "$ID"
        assert_nothing_left "$ID"
}

@test "a container whose engine was killed keeps its exit status, through the pidfd" {
        the_pidfd
        lost_engine
}

@test "a container whose engine was killed keeps its exit status, through the reaper" {
        the_reaper
        lost_engine
}

@test "the reaper is gone when the container is" {
        the_reaper
        program sleep 100
        engine_create
        "$RUNTIME" start "$ID"
        with_reaper
        reaper=$(parent_of "$(cat "$PID_FILE")")
        "$RUNTIME" kill "$ID" KILL
        [ "$(engine_says)" = "killed 9" ]
        process_ended "$reaper"
        "$RUNTIME" delete "$ID"
        [ ! -e "/proc/$reaper" ] || [[ $(readlink "/proc/$reaper/exe") != */unitrun-init ]]
}


@test "a container whose reaper was killed still ends its unit" {
        the_reaper
        script 'echo ready; trap "exit 25" TERM; while :; do sleep 0.05; done'
        begin
        "$RUNTIME" start "$ID"
        eventually file_has "$OUT" ready
        kill -KILL "$(parent_of "$(cat "$PID_FILE")")"
        has_status "$ID" running
        "$RUNTIME" kill "$ID" TERM
        [ "$(engine_says)" = "exited 25" ]
        eventually sh -c "systemctl show -P ActiveState $UNIT | grep -Eqx 'inactive|failed'"
        release
        "$RUNTIME" delete "$ID"
        assert_nothing_left "$ID"
}
