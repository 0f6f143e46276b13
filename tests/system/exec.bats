#!/usr/bin/env bats
# exec: one more program in a container.
# shellcheck disable=SC2016,SC2030,SC2031 # each test is a function

load helpers
load container

# start_container [FILTER]: one that stays, with FILTER applied to its config
start_container() {
        script 'trap "exit 0" TERM; while :; do sleep 1; done'
        [ $# -eq 0 ] || cfg "$1"
        run_detached
}

# exec_in [-STATUS] [OPTION…] ARG…: `exec` under `run`; an ARG "ID" stands for the container's
exec_in() {
        local expected=0 args=() arg
        case $1 in -[0-9]*) expected=${1#-}; shift ;; esac
        for arg; do
                [ "$arg" != ID ] || arg=$ID
                args+=("$arg")
        done
        run "-$expected" timeout --foreground -k 1 "$PATIENCE" "$RUNTIME" exec "${args[@]}" </dev/null 3>&-
}

# process JQ-FILTER: the file $PROCESS with the config's process object, changed
process() {
        PROCESS=$BATS_TEST_TMPDIR/process.json
        jq ".process | $1" "$BUNDLE/config.json" >"$PROCESS"
}

@test "the status is the program's, and 255 with a message where there is none" {
        start_container
        exec_in ID true
        exec_in -5 ID sh -c 'exit 5'
        exec_in -255 ID sh -c 'exit 255'
        [ -z "$output" ]
        exec_in -137 ID sh -c 'kill -9 $$'
        exec_in -255 ID nosuch
        [[ $output = *'exec: "nosuch": executable file not found in $PATH'* ]]
        exec_in -255 ID /no/such
        [[ $output = *'exec: "/no/such": no such file or directory'* ]]
        exec_in -255 ID /etc
        [[ $output = *'exec: "/etc": permission denied'* ]]
        exec_in -255 --cwd /missing ID true
        [[ $output = *"'/missing': No such file or directory"* ]]
        [ "${#lines[@]}" -eq 1 ]
        exec_in -255 ID-no true
        [[ $output = *"does not exist"* ]]
        exec_in -255 ID
        [[ $output = *"requires a program"* ]]
        # options behind the ID are the program's
        exec_in ID echo -d --tty -e
        [ "$output" = "-d --tty -e" ]
}

@test "the process is in all of the container's namespaces, its root and its control group" {
        local pid ns
        start_container
        pid=$(pid_of "$ID")
        exec_in ID sh -c 'for n in cgroup ipc mnt net pid uts; do readlink /proc/self/ns/$n; done; pwd; grep ^0: /proc/self/cgroup; cut -d" " -f6 /proc/self/stat; echo $$'
        for ns in cgroup:0 ipc:1 mnt:2 net:3 pid:4 uts:5; do
                [ "${lines[${ns#*:}]}" = "$(readlink "/proc/$pid/ns/${ns%:*}")" ]
        done
        [ "${lines[6]}" = / ]
        [ "${lines[7]}" = 0::/ ]
        # a session of its own
        [ "${lines[8]}" = "${lines[9]}" ]
        launch "$RUNTIME" exec --detach --pid-file "$BATS_TEST_TMPDIR/pid" "$ID" sleep 1000
        grep -qxF "0::$(sed -n 's/^0:://p' "/proc/$pid/cgroup")" "/proc/$(cat "$BATS_TEST_TMPDIR/pid")/cgroup"
}

@test "a detached process is the engine's child, its pid file is complete, and it dies with the unit" {
        local pid
        start_container
        printf 1234567890123 >"$BATS_TEST_TMPDIR/pid"
        launch "$RUNTIME" exec -d --pid-file "$BATS_TEST_TMPDIR/pid" "$ID" sleep 1000
        pid=$(cat "$BATS_TEST_TMPDIR/pid")
        [ "$(stat -c %s "$BATS_TEST_TMPDIR/pid")" -eq ${#pid} ]
        [ "$(tr '\0' ' ' <"/proc/$pid/cmdline")" = "sleep 1000 " ]
        launch -255 "$RUNTIME" exec -d --pid-file /no/dir/p "$ID" sleep 1001
        [[ $output = *"--pid-file: cannot write '/no/dir/p'"* ]]
        [ -z "$(pgrep -f '^sleep 1001' || true)" ]
        systemctl stop "$UNIT"
        eventually process_ended "$pid"
}

@test "environment, user, groups and working directory are the config's and what the options change" {
        start_container '.process.env += ["A=config", "B=config"] | .process.user.additionalGids = [10] | .process.cwd = "/tmp"'
        exec_in -e A=option -e 'C=two words' --env D= ID env
        [ "$(grep -c '^A=' <<<"$output")" -eq 1 ]
        grep -qx A=option <<<"$output"
        grep -qx B=config <<<"$output"
        grep -qx 'C=two words' <<<"$output"
        grep -qx D= <<<"$output"
        grep -qx HOME=/root <<<"$output"
        exec_in -255 -e novalue ID true
        exec_in ID sh -c 'pwd; id -G'
        [ "$output" = "/tmp"$'\n'"0 10" ]
        exec_in --cwd /etc -u 5:6 ID sh -c 'pwd; id -u; id -G'
        [ "$output" = "/etc"$'\n'"5"$'\n'"6" ]
        exec_in -u 1000:1000 -g 100 --additional-gids 99999 ID id -G
        [ "$output" = "1000 100 99999" ]
        # the caller's groups never get in
        run -0 setpriv --groups 999 "$RUNTIME" exec -u 5:6 "$ID" id -G
        [ "$output" = 6 ]
}

@test "a user is a number or two: nothing else is taken for root" {
        local wrong
        start_container
        exec_in -u 1 ID sh -c 'echo $(id -u):$(id -g)'
        [ "$output" = 1:0 ]
        exec_in -u 1:2 ID sh -c 'echo $(id -u):$(id -g)'
        [ "$output" = 1:2 ]
        for wrong in :2 1: root 1x -1 4294967296 4294967295 '' 1:2:3 +1 ' 1'; do
                exec_in -255 "--user=$wrong" ID id
                [[ $output = *"--user: "* ]]
        done
}

@test "--process: all is as the file says" {
        start_container '.process.user.additionalGids = [10]'
        process '.args = ["sh", "-c", "id -G; pwd; echo $X; ulimit -n; umask"] | .user = {uid: 0, gid: 0, additionalGids: [20], umask: 63}
                | .cwd = "/etc" | .env += ["X=file"] | .rlimits = [{type: "RLIMIT_NOFILE", soft: 77, hard: 88}]'
        exec_in --process "$PROCESS" ID
        [ "$output" = "0 20"$'\n'/etc$'\n'file$'\n'77$'\n'0077 ]
        process '.args = ["id", "-G"] | del(.user.additionalGids)'
        exec_in -p "$PROCESS" ID
        [ "$output" = 0 ]
        process '.args = ["sh", "-c", "cat /proc/self/oom_score_adj"] | .oomScoreAdj = 123'
        exec_in -p "$PROCESS" ID
        [ "$output" = 123 ]
        process '.args = ["nosuch"]'
        exec_in -255 -p "$PROCESS" ID
        [[ $output = *"executable file not found"* ]]
        process '.args = []'
        exec_in -255 -p "$PROCESS" ID
        [[ $output = *"process.args"* ]]
        exec_in -255 -p "$PROCESS" ID true
        exec_in -255 -p /no/such ID
        # the shell's <(…)
        process '.args = ["echo", "through a pipe"]'
        run -0 sh -c 'cat "$1" | "$0" exec --process /dev/stdin "$2"' "$RUNTIME" "$PROCESS" "$ID" 3>&-
        [ "$output" = "through a pipe" ]
        exec_in -255 -p /dev ID
        [[ $output == *"not a regular file or a pipe"* ]]
}

@test "capabilities are added to three sets, never to the inheritable one" {
        start_container '.process.capabilities = {bounding: ["CAP_KILL"], permitted: ["CAP_KILL"], effective: ["CAP_KILL"]}'
        exec_in ID sh -c 'grep Cap /proc/self/status | tr -d "\t\n"'
        [ "$output" = CapInh:0000000000000000CapPrm:0000000000000020CapEff:0000000000000020CapBnd:0000000000000020CapAmb:0000000000000000 ]
        exec_in --cap CAP_NET_ADMIN ID sh -c 'grep Cap /proc/self/status | tr -d "\t\n"'
        [ "$output" = CapInh:0000000000000000CapPrm:0000000000001020CapEff:0000000000001020CapBnd:0000000000001020CapAmb:0000000000000000 ]
        exec_in -255 -c kill ID true
        exec_in --no-new-privs ID grep NoNewPrivs /proc/self/status
        [[ $output = *1 ]]
}

@test "the container's seccomp program is loaded" {
        start_container '.linux.seccomp = {defaultAction: "SCMP_ACT_ALLOW", syscalls: [{names: ["mkdir", "mkdirat"], action: "SCMP_ACT_ERRNO", errnoRet: 95}]}'
        exec_in -1 ID mkdir /tmp/x
        [[ $output = *"not supported"* ]]
        exec_in ID grep '^Seccomp:' /proc/self/status
        [[ $output = *2 ]]
}

@test "a created container takes processes, a stopped one does not" {
        script 'exit 0'
        create
        exec_in ID sh -c 'echo $$; cat /proc/1/comm'
        [ "${lines[1]}" = unitrun-init ]
        "$RUNTIME" start "$ID"
        eventually has_status "$ID" stopped
        exec_in -255 ID true
        [[ $output = *"container not running"* ]]
}

@test "a paused container refuses, and with --ignore-paused the program runs when it is resumed" {
        local payload
        start_container
        payload=$(payload_of "$ID")
        echo 1 >"$payload/cgroup.freeze"
        eventually has_status "$ID" paused
        exec_in -255 ID true
        [[ $output = *"cannot exec in a paused container"* ]]
        "$RUNTIME" exec --ignore-paused "$ID" echo resumed >"$BATS_TEST_TMPDIR/said" 3>&- &
        HELPERS+=($!)
        eventually file_has "$payload/cgroup.events" "frozen 1"
        [ ! -s "$BATS_TEST_TMPDIR/said" ]
        echo 0 >"$payload/cgroup.freeze"
        eventually file_has "$BATS_TEST_TMPDIR/said" resumed
}

# bats test_tags=qemu
@test "a container that has built control groups of its own takes processes, and leaves none" {
        local payload
        start_container '.mounts |= map(if .destination == "/sys/fs/cgroup" then .options |= map(select(. != "ro")) else . end) | .process.args = ["sleep", "1000"]'
        payload=$(payload_of "$ID")
        exec_in ID sh -c 'cd /sys/fs/cgroup && mkdir x y && echo 1 >x/cgroup.procs && echo $$ >x/cgroup.procs && for c in $(cat cgroup.controllers); do echo +$c >cgroup.subtree_control; done; true'
        [ -n "$(cat "$payload/cgroup.subtree_control")" ] || skip "needs a cgroup controller"
        exec_in ID cat /proc/self/cgroup
        [ "$output" = 0::/x ]
        # its other processes stay where they are
        grep -qx "$(pid_of "$ID")" "$payload/x/cgroup.procs"
        exec_in --cgroup y ID cat /proc/self/cgroup
        [ "$output" = 0::/y ]
        exec_in -255 --cgroup none ID true
        exec_in -255 --cgroup ../supervisor ID true
        [[ $output = *"--cgroup: "* ]]
        launch "$RUNTIME" exec --detach "$ID" sleep 1000
        "$RUNTIME" kill "$ID" KILL
        eventually has_status "$ID" stopped
        "$RUNTIME" delete "$ID"
        [ ! -e "$payload" ]
}

@test "signals are passed on to the process" {
        start_container
        "$RUNTIME" exec "$ID" sh -c 'trap "echo got it; exit 9" TERM; echo ready; while :; do sleep 0.1; done' \
                >"$BATS_TEST_TMPDIR/said" 3>&- &
        local pid=$! rc=0
        HELPERS+=("$pid")
        eventually file_has "$BATS_TEST_TMPDIR/said" ready
        kill -TERM $pid
        wait $pid || rc=$?
        [ $rc -eq 9 ]
        file_has "$BATS_TEST_TMPDIR/said" "got it"
}

@test "no descriptor of the caller or of unitrun gets in, only those that are preserved" {
        start_container
        exec 5<"$BUNDLE/config.json" 6</etc/hostname
        run -0 "$RUNTIME" exec --preserve-fds 2 "$ID" sh -c 'echo /proc/self/fd/*; cat <&4' 4<<<four 3</dev/null
        [ "${lines[0]}" = "/proc/self/fd/0 /proc/self/fd/1 /proc/self/fd/2 /proc/self/fd/3 /proc/self/fd/4" ] ||
                [[ ${lines[0]} = *"/fd/4" ]] || [[ ${lines[0]} = *"/fd/4 "* && ${lines[0]} != *"/fd/5 "*"/fd/6"* ]]
        [ "${lines[1]}" = four ]
        exec 5<&- 6<&-
        # a directory of the host is no working directory
        local n
        for n in 3 4 5 6 7 8 9 10; do
                exec_in -255 --cwd /proc/self/fd/$n ID pwd
        done
}

@test "a terminal goes to the console socket" {
        start_container
        listen_at_console
        exec_in -255 --console-socket "$SOCKET" ID true
        process '.args = ["sh", "-c", "tty; stty size; test -t 1 && echo yes; read x; echo got $x"] | .terminal = true | .consoleSize = {height: 33, width: 77}'
        launch "$RUNTIME" exec --process "$PROCESS" --tty --detach --pid-file "$BATS_TEST_TMPDIR/pid" --console-socket "$SOCKET" "$ID"
        eventually file_has "$SHOWN" /dev/pts/
        eventually file_has "$SHOWN" "33 77"
        eventually file_has "$SHOWN" yes
        echo hello >&8
        eventually file_has "$SHOWN" "got hello"
        hang_up
}

@test "exec while the container ends: it runs or says that the container does not" {
        local round
        for ((round = 0; round < ROUNDS / 6 + 1; round++)); do
                program sh -c 'sleep 0.05'
                create
                "$RUNTIME" start "$ID" &
                while :; do
                        status=0
                        output=$(timeout -k 1 "$PATIENCE" "$RUNTIME" exec "$ID" true 2>&1 </dev/null 3>&-) || status=$?
                        [ $status -eq 0 ] && continue
                        [ $status -eq 255 ] || [ $status -eq 137 ] || { echo "$status: $output"; return 1; }
                        [ $status -eq 137 ] || [[ $output = *"not running"* ]] || { echo "$output"; return 1; }
                        break
                done
                wait $! || true
                launch "$RUNTIME" delete --force "$ID"
        done
}

@test "exec makes and moves no mounts that the host would hear of" {
        start_container
        run -0 python3 -c '
import select, subprocess, sys
table = open("/proc/self/mountinfo")
changed = select.poll()
changed.register(table, select.POLLPRI)
for _ in range(10):
    subprocess.run(sys.argv[1:], check=True)
sys.exit("the table of mounts has changed" if changed.poll(0) else 0)' "$RUNTIME" exec "$ID" true 3>&-
}

@test "whatever the container has made of its files, exec writes to no other and leads to no other" {
        local sums
        sums=$(sha256sum "$(command -v "$RUNTIME")" /usr/libexec/unitrun/*)
        printf '#!/proc/self/exe\n' >"$BUNDLE/rootfs/bin/script"
        chmod 755 "$BUNDLE/rootfs/bin/script"
        ln -s /proc/self/exe "$BUNDLE/rootfs/bin/self"
        ln -s /proc/self/fd/8 "$BUNDLE/rootfs/out"
        # tries to write the program of all that comes in
        script 'trap "exit 0" TERM; while :; do for p in /proc/[0-9]*; do [ $p = /proc/1 ] || (echo evil >$p/exe) 2>/dev/null; done; done'
        cfg '.process.capabilities |= map_values(. + ["CAP_SYS_ADMIN", "CAP_SYS_PTRACE", "CAP_DAC_OVERRIDE"] | unique)'
        run_detached
        local round fd program
        for ((round = 0; round < ROUNDS; round++)); do
                exec_in ID true
        done
        for program in self script /proc/self/exe; do
                run ! timeout --foreground -k 1 "$PATIENCE" "$RUNTIME" exec "$ID" $program </dev/null 3>&-
        done
        for fd in {0..24}; do
                run ! "$RUNTIME" exec --cwd "/proc/self/fd/$fd" "$ID" pwd </dev/null 3>&- 7</etc 8</ 9<"$BUNDLE"
        done
        run ! "$RUNTIME" exec --cwd /out "$ID" pwd </dev/null 3>&- 8</
        [ "$(sha256sum "$(command -v "$RUNTIME")" /usr/libexec/unitrun/*)" = "$sums" ]
        # a procfs of its own making
        exec_in ID sh -c 'mount -t tmpfs t /proc && mkdir -p /proc/self/attr /proc/1 && echo 7 >/proc/self/oom_score_adj && echo >/proc/self/attr/exec'
        process '.args = ["sleep", "1000"] | .oomScoreAdj = 123'
        launch "$RUNTIME" exec --process "$PROCESS" --detach --pid-file "$BATS_TEST_TMPDIR/pid" "$ID"
        [ "$(cat "/proc/$(cat "$BATS_TEST_TMPDIR/pid")/oom_score_adj")" = 123 ]
        exec_in ID cat /proc/self/oom_score_adj
        [ "$output" = 7 ]
}

# bats test_tags=qemu
@test "exec fits into a container that has little memory, and takes on its AppArmor profile" {
        requires memory
        start_container '.linux.resources.memory = {limit: 1048576, swap: 1048576}'
        exec_in -3 ID sh -c 'exit 3'
        "$RUNTIME" delete --force "$ID"
        grep -qs Y /sys/module/apparmor/parameters/enabled || skip "needs AppArmor"
        mkbundle "$BUNDLE" '.process.capabilities |= map_values(. + ["CAP_SYS_ADMIN"])'
        start_container '.process.apparmorProfile = "unconfined"'
        exec_in ID cat /proc/self/attr/current
        [ "$output" = unconfined ]
        # a procfs of the container's own making is not the one that is asked
        exec_in ID sh -c 'mount -t tmpfs t /proc && mkdir -p /proc/self/attr/apparmor && echo mine >/proc/self/attr/exec && echo mine >/proc/self/attr/apparmor/exec'
        exec_in ID sh -c 'cat /proc/self/attr/exec /proc/self/attr/apparmor/exec | xargs'
        [ "$output" = "mine mine" ]
        exec_in -255 --apparmor nosuch ID true
        [[ $output == *"process.apparmorProfile"*"nosuch"* ]]
        "$RUNTIME" delete --force "$ID"
        cfg '.process.apparmorProfile = "nosuch"'
        create
        launch -1 "$RUNTIME" start "$ID"
        [[ $output == *"process.apparmorProfile"*"nosuch"* ]]
}
