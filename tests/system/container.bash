# shellcheck shell=bash disable=SC2016,SC2034 # jq filters and scripts in single quotes; variables for bats
# For tests of containers, after helpers: the commands under test on the test's own $BUNDLE and $ID, ways to edit the
# config, and a teardown that makes every test leave the machine as it was.

ROUNDS=${UNITRUN_ROUNDS:-30} # how often a test repeats what only goes wrong now and then
CGROUPS=/sys/fs/cgroup
PATIENCE=40 # seconds; a command that takes longer has hung, and its test is to fail and not to stay

# built_helpers: where the C helpers are, as built for this Debian, else for the one that built
built_helpers() {
        local top=$BATS_TEST_DIRNAME/../.. dir
        dir=$top/build-machine-$(sh -c ". /etc/os-release && echo \$ID\$VERSION_ID")
        [ -d "$dir/tests/system" ] || dir=$top/build-machine
        realpath -m "$dir/tests/system"
}
PATH=$PATH:$(built_helpers)
export PATH ROUNDS PATIENCE

# After each test: nothing of its container may be left once `delete --force` was called. Containers of other IDs are
# the test's own business; whatever has $ID in its name is found all the same.
teardown() {
        local id bad=0 helper
        [ -n "${BATS_TEST_COMPLETED:-}" ] || show_failure
        for helper in "${HELPERS[@]}"; do
                kill "$helper" 2>/dev/null || true
        done
        while read -r id; do
                "$RUNTIME" delete --force "$id" 3>&- || bad=1
        done < <(find /run/unitrun -mindepth 1 -maxdepth 1 -name "*$ID*" -printf '%f\n' 2>/dev/null)
        assert_nothing_left "$ID" || bad=1
        [ $bad -eq 0 ] || { show_failure; cleanup_containers; }
        return $bad
}

# HELPERS: processes that the test started beside the containers, ended by teardown
HELPERS=()

# launch [-STATUS] COMMAND…: `run`, for commands that leave a container behind: that would hold the pipe which `run`
# reads. stdout is in the file $OUT, stderr in $ERR and in $output.
launch() {
        local expected=0
        case $1 in -[0-9]*) expected=${1#-}; shift ;; esac
        OUT=$BATS_TEST_TMPDIR/out ERR=$BATS_TEST_TMPDIR/err
        BATS_RUN_COMMAND="$*" status=0
        rm -f "$OUT" "$ERR"
        timeout --foreground -k 1 "$PATIENCE" "$@" </dev/null >>"$OUT" 2>>"$ERR" 3>&- || status=$?
        output=$(cat "$ERR")
        [ "$status" -eq "$expected" ] || { echo "exit status $status instead of $expected"; return 1; }
}

# create, run_detached [-STATUS] [OPTION…]: $BUNDLE as $ID
create() {
        local expected=-0
        case ${1:-} in -[0-9]*) expected=$1; shift ;; esac
        launch "$expected" "$RUNTIME" create --bundle "$BUNDLE" "$@" "$ID"
}

run_detached() {
        local expected=-0
        case ${1:-} in -[0-9]*) expected=$1; shift ;; esac
        launch "$expected" "$RUNTIME" run --detach --bundle "$BUNDLE" "$@" "$ID"
}

# run_container [-STATUS] [OPTION…]: in the foreground; $output is the container's
# shellcheck disable=SC2120 # called by tests too
run_container() {
        local expected=-0
        case ${1:-} in -[0-9]*) expected=$1; shift ;; esac
        run "$expected" timeout --foreground -k 1 "$PATIENCE" "$RUNTIME" run --bundle "$BUNDLE" "$@" "$ID" </dev/null 3>&-
}

# json_list WORD…: jq 1.6 has trouble with -- and with NUL
json_list() {
        [ $# -gt 0 ] || { echo '[]'; return; }
        printf "%s\036" "$@" | jq -cRs 'split("\u001e")[:-1]'
}

# program ARG…: what the container runs
program() {
        local args
        args=$(json_list "$@")
        cfg --argjson args "$args" '.process.args = $args'
}

# script TEXT: likewise, a shell script
script() {
        program sh -c "$1"
}

# inside SCRIPT: runs it in the container, in the foreground; $output is what it says
inside() {
        script "$1"
        run_container
}

# mounted DESTINATION TYPE SOURCE OPTION…: one more mount
mounted() {
        local destination=$1 type=$2 source=$3
        shift 3
        cfg --arg d "$destination" --arg t "$type" --arg s "$source" --argjson o "$(json_list "$@")" \
                '.mounts += [{destination: $d, type: $t, source: $s, options: $o}]'
}

# in_user_namespace: root in the container is 100000 on the host
in_user_namespace() {
        cfg '.linux.namespaces += [{type: "user"}]
                | .linux.uidMappings = [{containerID: 0, hostID: 100000, size: 65536}] | .linux.gidMappings = .linux.uidMappings'
        chown -R 100000:100000 "$BUNDLE/rootfs"
}

# annotate NAME VALUE
annotate() {
        cfg --arg name "$1" --arg value "$2" '.annotations[$name] = $value'
}

# property NAME VALUE: the annotation that sets a unit property
property() {
        annotate "org.systemd.property.$1" "$2"
}

# hook KIND SCRIPT [JQ-OBJECT]: one more hook of KIND, run by sh; JQ-OBJECT has further fields
hook() {
        cfg --arg kind "$1" --arg script "$2" --argjson more "${3:-{\}}" \
                '.hooks[$kind] += [{path: "/bin/sh", args: ["sh", "-c", $script]} + $more]'
}

# hook_program KIND PATH [ARG…]: one more hook of KIND
hook_program() {
        local kind=$1 path=$2 args=null
        shift 2
        [ $# -eq 0 ] || args=$(json_list "$@")
        cfg --arg kind "$kind" --arg path "$path" --argjson args "$args" \
                '.hooks[$kind] += [{path: $path} + if $args then {args: $args} else {} end]'
}

state_field() {
        "$RUNTIME" state "$1" 3>&- | jq -r ".$2"
}

status_of() {
        state_field "$1" status
}

pid_of() {
        state_field "$1" pid
}

# has_status ID WORD, unit_is UNIT ACTIVE-STATE, has_property UNIT NAME VALUE: to be waited for with `eventually`
has_status() {
        local is
        is=$(status_of "$1")
        [ "$is" = "$2" ] || { echo "$1 is $is, not $2"; return 1; }
}

unit_is() {
        has_property "$1" ActiveState "$2"
}

has_property() {
        local is
        is=$(property_of "$1" "$2")
        [ "$is" = "$3" ] || { echo "$2 of $1 is $is, not $3"; return 1; }
}

# property_of UNIT NAME
property_of() {
        systemctl show --value --property "$2" "$1"
}

# unit_unknown UNIT: whether systemd has forgotten it
unit_unknown() {
        local rc=0
        systemctl status "$1" >/dev/null 2>&1 || rc=$?
        [ $rc -eq 4 ] || { echo "systemctl status $1: $rc, not 4"; return 1; }
}

# payload_of ID: the directory of the control group that the container's first process is in
payload_of() {
        echo "$CGROUPS$(sed -n 's/^0:://p' "/proc/$(pid_of "$1")/cgroup")"
}

# file_has FILE TEXT
file_has() {
        grep -qF -- "$2" "$1"
}

# journal_has TEXT [JOURNALCTL-ARGUMENT…]: since the test began
journal_has() {
        local text=$1
        shift
        journalctl -b --no-pager --since "$TEST_BEGAN" "$@" | grep -qF -- "$text"
}

# process_ended PID: no such process, or one that only waits to be reaped
process_ended() {
        local state
        state=$(sed 's/.*) \(.\).*/\1/' "/proc/$1/stat" 2>/dev/null) || return 0
        [ "$state" = Z ]
}

# milliseconds: of a clock that only has to be compared with itself
milliseconds() {
        echo $((${EPOCHREALTIME/[.,]/} / 1000))
}

# listen_at_console: somebody at $SOCKET who takes terminals; the file $SHOWN has what they show, fd 8 is the keyboard.
# It leaves at `hang_up`, once the terminal has nobody behind it.
listen_at_console() {
        SOCKET=$BATS_TEST_TMPDIR/console.sock SHOWN=$BATS_TEST_TMPDIR/shown
        rm -f "$SOCKET" "$SOCKET.keys"
        mkfifo "$SOCKET.keys"
        console "$SOCKET" <"$SOCKET.keys" >"$SHOWN" 2>&1 3>&- &
        CONSOLE=$!
        HELPERS+=("$CONSOLE")
        exec 8>"$SOCKET.keys"
        eventually test -S "$SOCKET"
}

# at_terminal COMMAND…: somebody who runs it at a terminal of 24x80. The file $SHOWN has what that shows, fd 8 is the
# keyboard, SIGUSR1 for $CONSOLE makes it 30x90.
at_terminal() {
        SHOWN=$BATS_TEST_TMPDIR/shown KEYS=$BATS_TEST_TMPDIR/keys
        rm -f "$KEYS" "$SHOWN"
        mkfifo "$KEYS"
        pty "$@" <"$KEYS" >"$SHOWN" 2>&1 3>&- &
        CONSOLE=$!
        HELPERS+=("$CONSOLE")
        exec 8>"$KEYS"
}

# ends_with STATUS: waits for the command of at_terminal; its status is 99 if it has not left the terminal as it was
ends_with() {
        local is=0
        exec 8>&-
        wait "$CONSOLE" || is=$?
        [ $is -eq "$1" ] || { echo "exit status $is instead of $1"; cat "$SHOWN"; return 1; }
}

# shown TEXT: the terminal has shown TEXT
shown() {
        eventually file_has "$SHOWN" "$1" || { cat "$SHOWN"; return 1; }
}

hang_up() {
        exec 8>&-
        wait "$CONSOLE"
}

# engine_create [OPTION…]: create, with a small conmon above it that will reap the container. The pid file is $PID_FILE,
# the container's end will be in $RESULT, for engine_says.
engine_create() {
        PID_FILE=$BATS_TEST_TMPDIR/pid RESULT=$BATS_TEST_TMPDIR/result
        OUT=$BATS_TEST_TMPDIR/out ERR=$BATS_TEST_TMPDIR/err
        rm -f "$PID_FILE" "$RESULT"
        engine "$PID_FILE" "$RESULT" "$RUNTIME" create --bundle "$BUNDLE" --pid-file "$PID_FILE" "$@" "$ID" \
                </dev/null >"$OUT" 2>"$ERR" 3>&- &
        ENGINE=$!
        HELPERS+=("$ENGINE")
        eventually 10 test -s "$RESULT" || { cat "$ERR"; return 1; }
}

# engine_says: waits for the container's end, prints "exited N" or "killed N"
engine_says() {
        eventually 10 grep -qv created "$RESULT" || return 1
        cat "$RESULT"
}

# hold UNIT: a client of systemd holds a reference on it, so that it is not forgotten, until `release`
hold() {
        local fifo=$BATS_TEST_TMPDIR/hold
        mkfifo "$fifo"
        hold-unit "$1" <"$fifo" >"$fifo.out" 2>&1 3>&- &
        HOLDER=$!
        HELPERS+=("$HOLDER")
        exec 7>"$fifo"
        eventually file_has "$fifo.out" held
}

release() {
        exec 7>&-
        wait "$HOLDER"
        rm "$BATS_TEST_TMPDIR/hold"
}

# needs_criu: skips the test where it is missing or cannot work; $IMAGE is where a test has its image
needs_criu() {
        command -v criu >/dev/null || skip "criu is not installed (Debian 13 has none)"
        criu check >/dev/null 2>&1 || skip "criu $(criu --version | sed -n 's/Version: //p') does not work with Linux $(uname -r)"
        IMAGE=$BATS_TEST_TMPDIR/image
}
