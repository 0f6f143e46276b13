#!/usr/bin/env bats
# The container's program: how it is found, who it is, and what it may do.
# shellcheck disable=SC2016,SC2030,SC2031 # each test is a function

load helpers
load container

# create_says TEXT…: create fails and its message has each TEXT; engines match them
create_says() {
        local text
        create -1
        for text; do
                [[ $output == *"$text"* ]] || { echo "no '$text' in '$output'"; return 1; }
        done
        [ "$(wc -l <"$ERR")" -eq 1 ]
        unit_unknown "$UNIT"
}

@test "a program that is not in the PATH is an error of create" {
        program nosuchprogram
        create_says 'exec: "nosuchprogram"' 'executable file not found in $PATH'
        cfg '.process.env = ["PATH=/sbin:/nonexistent"]'
        program busybox
        create_says 'executable file not found in $PATH'
        assert_nothing_left "$ID"
}

@test "a program that is not at its path is an error of create" {
        program /no/such/program
        create_says /no/such/program 'no such file or directory'
        program ./nosuchprogram
        create_says 'no such file or directory'
        assert_nothing_left "$ID"
}

@test "a program that may not be executed is an error of create" {
        touch "$BUNDLE/rootfs/plain"
        program /plain
        create_says /plain 'permission denied'
        program /etc
        create_says /etc 'permission denied'
        cp "$BUNDLE/rootfs/bin/busybox" "$BUNDLE/rootfs/private"
        chmod 700 "$BUNDLE/rootfs/private"
        cfg '.process.user = {uid: 1000, gid: 1000} | .process.capabilities = {}'
        program /private
        create_says /private 'permission denied'
        assert_nothing_left "$ID"
}

@test "an empty program name, or none, is an error" {
        program ''
        create_says 'exec: "": executable file not found in $PATH'
        cfg '.process.args = []'
        create_says args
        cfg 'del(.process.args)'
        create_says args
}

@test "the PATH is the container's, in its order, from its working directory" {
        mkdir "$BUNDLE/rootfs/first" "$BUNDLE/rootfs/second" "$BUNDLE/rootfs/not"
        printf '#!/bin/sh\necho first\n' >"$BUNDLE/rootfs/first/which-one"
        printf '#!/bin/sh\necho second\n' >"$BUNDLE/rootfs/second/which-one"
        touch "$BUNDLE/rootfs/not/which-one"
        chmod 755 "$BUNDLE"/rootfs/{first,second}/which-one
        program which-one
        cfg '.process.env = ["PATH=/not:/second:/first:/bin"]'
        PATH=$PATH:/first run_container
        [ "$output" = second ]
        cfg '.process.env = ["PATH=first:/second:/bin"]'
        run_container
        [ "$output" = first ]
        program ./which-one
        cfg '.process.cwd = "/second"'
        run_container
        [ "$output" = second ]
}

@test "a program that turns out not to be one fails start, and the container is stopped" {
        echo 'no format' >"$BUNDLE/rootfs/text"
        printf '#!/no/such/interpreter\n' >"$BUNDLE/rootfs/script"
        chmod 755 "$BUNDLE"/rootfs/{text,script}
        for pair in "/text:xec format error" "/script:o such file or directory"; do
                program "${pair%%:*}"
                create
                run -1 "$RUNTIME" start "$ID"
                [[ $output == *"${pair#*:}"* ]]
                run -1 "$RUNTIME" start "$ID"
                run -0 "$RUNTIME" delete --force "$ID"
                unit_unknown "$UNIT"
        done
}

@test "a program that vanishes between create and start fails start" {
        cp "$BUNDLE/rootfs/bin/busybox" "$BUNDLE/rootfs/true"
        program /true
        create
        rm "$BUNDLE/rootfs/true"
        run -1 "$RUNTIME" start "$ID"
        [[ $output == *"/true"*"o such file or directory"* ]]
        "$RUNTIME" delete --force "$ID"
}

@test "the program gets exactly its arguments and environment" {
        program sh -c 'tr "\0" "|" </proc/self/environ; echo; printf "%s|" "$@"' 'argv 0' 'a  b' '' '*' '$HOME' '-x' 'ä'
        cfg '.process.env = ["PATH=/bin", "EMPTY=", "SPACE=a b", "EQUAL=a=b", "LINE=a\nb"]'
        launch env OUTER=1 "$RUNTIME" run -b "$BUNDLE" "$ID"
        # HOME may be added, as by others
        [ "$(sed 's/HOME=[^|]*|//' "$OUT")" = 'PATH=/bin|EMPTY=|SPACE=a b|EQUAL=a=b|LINE=a
b|
a  b||*|$HOME|-x|ä|' ]
        # what stands there twice, and a HOME that says nothing
        cfg '.process.env = ["A=1", "HOME=/here", "PATH=/bin", "A=", "HOME=", "AB=2", "A=3"] | .process.args = ["env"]'
        run_container
        [ "${lines[*]}" = "PATH=/bin AB=2 A=3 HOME=/root" ]
}

@test "the working directory is that of the config, and one that is missing or not a directory is an error" {
        mkdir "$BUNDLE/rootfs/work"
        cfg '.process.cwd = "/work"'
        inside pwd
        [ "$output" = /work ]
        # no way out by what the runtime has open
        for n in 3 5 6 7 8 9 10 11 12; do
                cfg --arg cwd "/proc/self/fd/$n" '.process.cwd = $cwd'
                script 'ls ..; pwd'
                run "$RUNTIME" run -b "$BUNDLE" "$ID" </dev/null 3>&-
                [ "$status" -ne 0 ] || { echo "fd $n: $output"; return 1; }
        done
        cfg '.process.cwd = "relative"'
        create_says process.cwd relative
        touch "$BUNDLE/rootfs/file"
        cfg '.process.cwd = "/file"'
        create_says /file
}

@test "user, groups and umask are those of the config" {
        cfg '.process.user = {uid: 1000, gid: 1001, additionalGids: [5, 2000], umask: 23}'
        inside 'id -u; id -g; id -G; umask; touch /tmp/x; stat -c "%a %u:%g" /tmp/x'
        [ "$output" = "1000
1001
1001 5 2000
0027
640 1000:1001" ]
        # no groups of the caller's
        cfg '.process.user = {uid: 0, gid: 0}'
        script 'id -G; umask'
        run -0 setpriv --groups 4,27 "$RUNTIME" run -b "$BUNDLE" "$ID" </dev/null 3>&-
        [ "$output" = "0
0022" ]
}

@test "the capabilities are the five sets of the config" {
        cfg '.process.capabilities = {bounding: ["CAP_CHOWN", "CAP_KILL", "CAP_SETUID"], permitted: ["CAP_CHOWN", "CAP_KILL"],
                effective: ["CAP_CHOWN"], inheritable: ["CAP_KILL"], ambient: ["CAP_KILL"]} | .process.user = {uid: 1000, gid: 1000}'
        inside 'grep Cap /proc/self/status | cut -f 2'
        # inheritable, permitted, effective, bounding, ambient; a program without file capabilities: what is ambient
        [ "$output" = "0000000000000020
0000000000000020
0000000000000020
00000000000000a1
0000000000000020" ]
        cfg '.process.capabilities = {bounding: ["CAP_CHOWN"], permitted: ["CAP_CHOWN"], effective: ["CAP_CHOWN"]} | .process.user = {uid: 0, gid: 0}'
        inside 'grep Cap /proc/self/status | cut -f 2'
        [ "$(xargs <<<"$output")" = "0000000000000000 0000000000000001 0000000000000001 0000000000000001 0000000000000000" ]
}

@test "without capabilities in the config there are none" {
        cfg 'del(.process.capabilities)'
        inside 'grep -c "Cap.*:.0000000000000000" /proc/self/status'
        [ "$output" = 5 ]
        cfg '.process.capabilities = {}'
        inside 'grep -c "Cap.*:.0000000000000000" /proc/self/status'
        [ "$output" = 5 ]
}

@test "a capability that does not exist is a warning or an error that names it" {
        cfg '.process.capabilities.bounding += ["CAP_NO_SUCH"]'
        program true
        run "$RUNTIME" run -b "$BUNDLE" "$ID" </dev/null 3>&-
        [[ $output == *CAP_NO_SUCH* ]]
}

@test "the limits of the process are those of the config" {
        cfg '.process.rlimits = [{type: "RLIMIT_NOFILE", soft: 100, hard: 200}, {type: "RLIMIT_CORE", soft: 0, hard: 4096}, {type: "RLIMIT_STACK", soft: 1048576, hard: 2097152}]'
        inside 'ulimit -Sn; ulimit -Hn; ulimit -Sc; ulimit -Ss; ulimit -Hs'
        [ "$(xargs <<<"$output")" = "100 200 0 1024 2048" ]
        cfg '.process.rlimits = [{type: "RLIMIT_NOSUCH", soft: 1, hard: 1}]'
        program true
        create_says RLIMIT_NOSUCH
        cfg '.process.rlimits = [{type: "RLIMIT_NOFILE", soft: 1, hard: 1}, {type: "RLIMIT_NOFILE", soft: 2, hard: 2}]'
        create_says RLIMIT_NOFILE
        cfg '.process.rlimits = [{type: "RLIMIT_NOFILE", soft: 20, hard: 10}]'
        create_says 'rlimits[0].soft'
        assert_nothing_left "$ID"
}

@test "noNewPrivileges and oomScoreAdj are set, and are not when they are not asked for" {
        cfg '.process.noNewPrivileges = true | .process.oomScoreAdj = 321'
        inside 'grep NoNewPrivs /proc/self/status; cat /proc/self/oom_score_adj'
        [ "$(xargs <<<"$output")" = "NoNewPrivs: 1 321" ]
        cfg '.process.noNewPrivileges = false | del(.process.oomScoreAdj)'
        was=$(cat /proc/self/oom_score_adj)
        inside 'grep NoNewPrivs /proc/self/status; cat /proc/self/oom_score_adj'
        # the supervisor's own protection is not the container's
        [ "$(xargs <<<"$output")" = "NoNewPrivs: 0 $was" ]
}

@test "scheduling, I/O priority and personality are those of the config" {
        cfg '.process.scheduler = {policy: "SCHED_BATCH", nice: 7} | .process.ioPriority = {class: "IOPRIO_CLASS_BE", priority: 6}
                | .linux.personality = {domain: "LINUX32"}'
        inside 'cut -d" " -f19,41 /proc/self/stat; ionice -p $$; uname -m'
        [ "${lines[0]}" = "7 3" ]
        [[ ${lines[1]} == "best-effort: prio 6" ]]
        [[ ${lines[2]} == i?86 ]]
        # the class alone says enough
        cfg '.process.ioPriority = {class: "IOPRIO_CLASS_IDLE"}'
        inside 'ionice -p $$'
        [[ $output == idle* ]]
}

@test "a seccomp filter decides with the errno, the arguments and the action of the config" {
        cfg '.linux.seccomp = {defaultAction: "SCMP_ACT_ALLOW", syscalls: [
                {names: ["mkdir", "mkdirat", "nosuchsyscall"], action: "SCMP_ACT_ERRNO", errnoRet: 28},
                {names: ["chmod", "fchmodat", "fchmodat2"], action: "SCMP_ACT_ERRNO"},
                {names: ["kill"], action: "SCMP_ACT_ERRNO", args: [{index: 1, value: 10, op: "SCMP_CMP_EQ"}]}]}'
        inside 'grep Seccomp: /proc/self/status; mkdir /tmp/x; chmod 777 /tmp; kill -10 1; kill -0 1 && echo fine' 2>&1
        [ "${lines[0]##*[[:space:]]}" = 2 ]
        [[ $output == *"No space left on device"* ]]
        [[ $output == *"Operation not permitted"*"Operation not permitted"* ]]
        [ "${lines[-1]}" = fine ]
}

@test "a seccomp filter may kill, and is no obstacle to a program without new privileges" {
        cfg '.linux.namespaces |= map(select(.type != "pid")) | .process.noNewPrivileges = true
                | .linux.seccomp = {defaultAction: "SCMP_ACT_ALLOW", architectures: ["SCMP_ARCH_X86_64", "SCMP_ARCH_X86", "SCMP_ARCH_X32"],
                        syscalls: [{names: ["mkdir", "mkdirat"], action: "SCMP_ACT_KILL_PROCESS"}]}'
        program mkdir /tmp/x
        run_container -159 # SIGSYS
        [ ! -e "$BUNDLE/rootfs/tmp/x" ]
        cfg '.process.user = {uid: 1000, gid: 1000} | .process.capabilities = {}'
        run_container -159
}

@test "a filter that denies by default allows what it lists" {
        calls=$(strace -f -qq -o /dev/stdout chroot "$BUNDLE/rootfs" /bin/busybox echo x | sed -n 's/^[0-9]* *\([a-z0-9_]*\)(.*/\1/p' | sort -u |
                jq -Rs 'split("\n")[:-1] + ["execve", "execveat", "exit", "exit_group", "futex", "close", "read", "write", "rt_sigreturn", "prctl", "getuid", "getpid"]')
        cfg --argjson calls "$calls" '.linux.seccomp = {defaultAction: "SCMP_ACT_ERRNO", defaultErrnoRet: 38, syscalls: [{names: $calls, action: "SCMP_ACT_ALLOW"}]}'
        program /bin/busybox echo allowed
        run_container
        [ "$output" = allowed ]
        program /bin/busybox mount -t tmpfs x /tmp
        run "$RUNTIME" run -b "$BUNDLE" "$ID" </dev/null 3>&-
        [ "$status" -ne 0 ]
}

@test "a seccomp filter with an action or an operator that does not exist is an error that names it" {
        program true
        cfg '.linux.seccomp = {defaultAction: "SCMP_ACT_NOSUCH"}'
        create_says SCMP_ACT_NOSUCH
        cfg '.linux.seccomp = {defaultAction: "SCMP_ACT_ALLOW", syscalls: [{names: ["kill"], action: "SCMP_ACT_ERRNO", args: [{index: 1, value: 10, op: "SCMP_CMP_NOSUCH"}]}]}'
        create_says SCMP_CMP_NOSUCH
}

@test "neither the caller's oom_score_adj, affinity nor umask is the program's where the config says otherwise" {
        cfg '.process.oomScoreAdj = 0'
        script 'cat /proc/self/oom_score_adj; sed -n "s/^Cpus_allowed_list:[[:space:]]*//p" /proc/self/status; umask'
        run -0 sh -c 'umask 077; echo 500 >/proc/self/oom_score_adj; exec taskset -c 0 "$0" run -b "$1" "$2"' \
                "$RUNTIME" "$BUNDLE" "$ID" </dev/null 3>&-
        [ "${lines[0]}" = 0 ]
        [ "${lines[1]}" = "$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/1/status)" ]
        [ "${lines[2]}" = 0022 ]
}

@test "a working directory that is not there is made, one that only the user may enter is entered" {
        cfg '.process.cwd = "/not/there"'
        inside pwd
        [ "$output" = /not/there ]
        mkdir -m 700 "$BUNDLE/rootfs/private"
        chown 1000:1000 "$BUNDLE/rootfs/private"
        cfg '.process.cwd = "/private" | .process.user = {uid: 1000, gid: 1000} | .process.capabilities = {}'
        inside pwd
        [ "$output" = /private ]
}

@test "memory comes from the nodes that the config says, for exec as well" {
        [ -e /proc/self/numa_maps ] || skip "needs a kernel with NUMA"
        # of a page that is only the program's
        policy='awk "/stack/ { print \$2 }" /proc/self/numa_maps'
        cfg '.linux.memoryPolicy = {mode: "MPOL_BIND", nodes: "0", flags: ["MPOL_F_STATIC_NODES"]}'
        script "$policy; exec sleep 100"
        run_detached
        eventually file_has "$OUT" "bind=static:0"
        run -0 "$RUNTIME" exec "$ID" sh -c "$policy" 3>&-
        [ "$output" = "bind=static:0" ]
        "$RUNTIME" delete --force "$ID"
        for mode in MPOL_LOCAL MPOL_DEFAULT MPOL_PREFERRED; do
                cfg --arg mode "$mode" '.linux.memoryPolicy = {mode: $mode}'
                script "$policy"
                run_container
                [[ $output =~ ^(local|default)$ ]] || { echo "$mode: $output"; return 1; }
        done
        # a node that the machine has not
        cfg '.linux.memoryPolicy = {mode: "MPOL_BIND", nodes: "1023"}'
        run_container -1
        [[ $output == *"set linux.memoryPolicy to 'MPOL_BIND': Invalid argument"* ]]
        assert_nothing_left "$ID"
}
