#!/usr/bin/env bats
# Where users of other runtimes have stumbled: who the program is, where it is found, and what it inherits.
# shellcheck disable=SC2016,SC2030,SC2031,SC2086 # each test is a function

load helpers
load container

# exec_ok OPTION… -- PROGRAM…: exec in $ID; $output
exec_ok() {
        run -0 timeout -k 1 "$PATIENCE" "$RUNTIME" exec "$@" </dev/null 3>&-
}

# as USER: process.user of the container
as() {
        cfg --argjson uid "$1" '.process.user = {uid: $uid, gid: $uid}'
}

# tool PATH MODE OWNER: a script in the root file system that says its path
tool() {
        mkdir -p "$BUNDLE/rootfs$(dirname "$1")"
        printf '#!/bin/sh\necho %s\n' "$1" >"$BUNDLE/rootfs$1"
        chmod "$2" "$BUNDLE/rootfs$1"
        chown "$3" "$BUNDLE/rootfs$1"
}

@test "programs are found in the container's PATH: hidden, relative, for their owner alone, past directories" {
        tool /opt/b/.hid 755 0
        tool /opt/b/mine 700 1000:1000
        tool /opt/b/late 755 0
        tool /work/rel 755 0
        tool /work/dir/x 755 0
        mkdir -p "$BUNDLE/rootfs/opt/a/late"
        cfg '.process.env = ["PATH=/opt/a:/opt/b:/bin"] | .process.cwd = "/work"'
        for name in .hid mine late ./rel dir/x; do
                as "$([ $name = mine ] && echo 1000 || echo 0)"
                program "$name"
                run_container || { echo "$name: $output"; return 1; }
                [[ $output == /*"${name#./}" ]] || { echo "$name: $output"; return 1; }
        done
        # none at all: the usual one
        cfg '.process.env = []'
        program true
        run_container
        # for exec as well
        cfg '.process.env = ["PATH=/opt/a:/opt/b:/bin"]'
        program sleep 100
        run_detached
        for name in .hid late ./rel dir/x; do
                exec_ok "$ID" $name
                [[ $output == /*"${name#./}" ]]
        done
        exec_ok --user 1000:1000 "$ID" mine
        [ "$output" = /opt/b/mine ]
}

@test "exec has the groups of its own process, never the caller's" {
        cfg '.process.user = {uid: 0, gid: 0, additionalGids: [10]}'
        program sleep 100
        run_detached
        exec_with() {
                jq '.process | .args = ["sh", "-c", "id -G"] | .terminal = false | '"$1" "$BUNDLE/config.json" >"$BATS_TEST_TMPDIR/p.json"
                run -0 setpriv --groups 999 timeout -k 1 "$PATIENCE" "$RUNTIME" exec -p "$BATS_TEST_TMPDIR/p.json" "$ID" </dev/null 3>&-
        }
        exec_with '.user.additionalGids = [20]'
        [ "$output" = "0 20" ]
        exec_with 'del(.user.additionalGids)'
        [ "$output" = "0" ]
        run -0 setpriv --groups 999 "$RUNTIME" exec -u 5:6 "$ID" id -G </dev/null 3>&-
        [ "$output" = "6" ]
        run -0 setpriv --groups 999 "$RUNTIME" exec "$ID" id -G </dev/null 3>&-
        [ "$output" = "0 10" ]
}

@test "a working directory for its owner alone can be entered by the owner, and by root without capabilities" {
        mkdir -p "$BUNDLE/rootfs/home/me"
        chown 1000:1000 "$BUNDLE/rootfs/home/me"
        chmod 700 "$BUNDLE/rootfs/home/me"
        cfg '.process.cwd = "/home/me"'
        for id in 1000 0; do
                as $id
                cfg '.process.capabilities = {}'
                program pwd
                run_container
                [ "$output" = /home/me ]
        done
        as 0
        program sleep 100
        touch "$BUNDLE/rootfs/file"
        run_detached
        exec_ok --cwd /home/me --user 1000:1000 "$ID" pwd
        [ "$output" = /home/me ]
        for cwd in /file /proc/self/cwd/../../../../..; do
                run timeout -k 1 "$PATIENCE" "$RUNTIME" exec --cwd "$cwd" "$ID" ls / </dev/null 3>&-
                [ "$status" -eq 255 ] || [[ $output == *rootfs* || $output == *bin* ]]
        done
        run -255 "$RUNTIME" exec --cwd /file "$ID" true </dev/null 3>&-
        [ "$(wc -l <<<"$output")" -eq 1 ]
        [[ $output == */file*"ot a directory"* ]]
}

@test "limits are exactly those asked for, in a user namespace and past the caller's too, for exec as well" {
        in_user_namespace
        cfg '.process.rlimits = [{type: "RLIMIT_NOFILE", hard: 1000, soft: 900}, {type: "RLIMIT_MEMLOCK", hard: 77, soft: 77},
                {type: "RLIMIT_CORE", hard: 0, soft: 0}]'
        program sleep 100
        # jq has doubles only; where the machine may not raise the limit this is left out
        [ "$(ulimit -Hl)" = unlimited ] || cfg 'del(.process.rlimits[1])'
        sed -i 's/: 77\b/: 18446744073709551615/' "$BUNDLE/config.json"
        (ulimit -Sn 1024 && run_detached)
        [ "$(awk '/^Max open files/ { print $4, $5 }' "/proc/$(pid_of "$ID")/limits")" = "900 1000" ]
        [ "$(ulimit -Hl)" != unlimited ] || [ "$(awk '/^Max locked memory/ { print $4, $5 }' "/proc/$(pid_of "$ID")/limits")" = "unlimited unlimited" ]
        (ulimit -Sn 1024 && exec_ok "$ID" sh -c 'ulimit -n; ulimit -Hn; ulimit -c' && [ "$(xargs <<<"$output")" = "900 1000 0" ])
        "$RUNTIME" delete --force "$ID"
        for bad in '{type: "RLIMIT_NOFILES", hard: 1, soft: 1}' '{type: "RLIMIT_NOFILE", hard: 1, soft: 2}'; do
                cfg ".process.rlimits = [$bad]"
                create -1
                [[ $output == *process.rlimits*RLIMIT_NOFILE* ]]
        done
        cfg '.process.rlimits = [{type: "RLIMIT_CPU", hard: 1, soft: 1}, {type: "RLIMIT_CPU", hard: 1, soft: 1}]'
        create -1
        [[ $output == *RLIMIT_CPU* ]]
}

@test "the caller's umask is nobody's: not the program's, not that of nodes and directories" {
        cfg '.linux.devices = [{path: "/dev/made", type: "c", major: 1, minor: 3, fileMode: 438}] | .process.cwd = "/made/deep"'
        mounted /made2/tmp tmpfs tmpfs
        program sleep 100
        (umask 077 && run_detached)
        exec_ok "$ID" sh -c 'umask; stat -c %a /dev/made /made /made/deep /made2'
        [ "$(xargs <<<"$output")" = "0022 666 755 755 755" ]
        [ "$(awk '/^Umask/ { print $2 }' "/proc/$(pid_of "$ID")/status")" = 0022 ]
        "$RUNTIME" delete --force "$ID"
        cfg '.process.user.umask = 63'
        (umask 002 && run_detached)
        exec_ok "$ID" sh -c umask
        [ "$output" = 0077 ]
        [ "$(awk '/^Umask/ { print $2 }' "/proc/$(pid_of "$ID")/status")" = 0077 ]
}

@test "oomScoreAdj of 0 is set, one that is not there is the caller's, and a lower one is root's to set" {
        program cat /proc/self/oom_score_adj
        wanted() {
                [ "$(sh -c "echo 500 >/proc/self/oom_score_adj; exec \"\$@\"" - "$RUNTIME" run -b "$BUNDLE" "$ID" </dev/null 3>&-)" = "$1" ]
        }
        cfg '.process.oomScoreAdj = 0'
        wanted 0
        cfg '.process.oomScoreAdj = 300'
        wanted 300
        # below what the caller may go, which takes CAP_SYS_RESOURCE
        cfg '.process.oomScoreAdj = -500'
        wanted -500 || [[ $(create 2>&1 || echo "$output") == *process.oomScoreAdj* ]]
        "$RUNTIME" delete --force "$ID"
        cfg 'del(.process.oomScoreAdj)'
        wanted 500
}

@test "a narrow affinity of the caller is not the program's" {
        [ "$(nproc)" -gt 1 ] || skip "one CPU only"
        all=$(awk '/^Cpus_allowed_list/ { print $2 }' /proc/1/status)
        script 'grep Cpus_allowed_list /proc/self/status; sleep 100'
        launch taskset -c 0 "$RUNTIME" run -d -b "$BUNDLE" "$ID"
        eventually grep -q Cpus "$OUT"
        [ "$(awk '{ print $2 }' "$OUT")" = "$all" ]
        run -0 taskset -c 0 "$RUNTIME" exec "$ID" grep Cpus_allowed_list /proc/self/status </dev/null 3>&-
        [ "$(awk '{ print $2 }' <<<"$output")" = "$all" ]
        # what the config says for exec holds in the end
        jq '.process | .terminal = false | .args = ["grep", "Cpus_allowed_list", "/proc/self/status"] | .execCPUAffinity = {initial: "0-1", final: "1"}' \
                "$BUNDLE/config.json" >"$BATS_TEST_TMPDIR/p.json"
        run -0 "$RUNTIME" exec -p "$BATS_TEST_TMPDIR/p.json" "$ID" </dev/null 3>&-
        [ "$(awk '{ print $2 }' <<<"$output")" = 1 ]
}

@test "capabilities: an unknown one and an ambient one that can't be are warnings, the rest is applied" {
        program sh -c 'grep ^Cap /proc/self/status'
        cfg '.process.capabilities = {bounding: ["CAP_FOO", "CAP_CHOWN"], permitted: ["CAP_CHOWN"], effective: ["CAP_CHOWN"], ambient: ["CAP_CHOWN"], inheritable: []}'
        launch "$RUNTIME" run -b "$BUNDLE" "$ID"
        [[ $output == *CAP_FOO* && $output == *ambient* ]]
        grep -q "CapBnd:.*0000000000000001" "$OUT"
        grep -q "CapAmb:.*0000000000000000" "$OUT"
        cfg '.process.capabilities = {bounding: ["chown"]}'
        run timeout "$PATIENCE" "$RUNTIME" run -b "$BUNDLE" "$ID" </dev/null 3>&-
        [[ $output == *chown* ]]
        # none of the sets: none
        cfg 'del(.process.capabilities)'
        run_container
        [ "$(grep -c 0000000000000000 <<<"$output")" -eq 5 ]
        program sleep 100
        run_detached
        exec_ok --cap CAP_NET_ADMIN "$ID" grep CapEff /proc/self/status
        [[ $output == *0000000000001000 ]]
}

@test "a filter without the calls that make the program what it is does not hit the runtime" {
        calls='["execve","exit","exit_group","read","write","open","openat","close","brk","mmap","munmap","mprotect","rt_sigaction","rt_sigprocmask","rt_sigreturn",
                "fstat","newfstatat","statx","stat","lseek","getuid","geteuid","getgid","getegid","getpid","getppid","uname","arch_prctl","set_tid_address","set_robust_list","rseq","prlimit64",
                "getrandom","futex","fcntl","dup2","dup3","dup","pipe","pipe2","clone","clone3","vfork","fork","wait4","ioctl","access","faccessat","faccessat2","readlink","readlinkat","getcwd",
                "sysinfo","poll","sendfile","writev","readv","getdents64","madvise","pread64","gettid","tgkill","kill","umask","setpgid","getpgrp","getpgid"]'
        as 1000
        cfg --argjson calls "$calls" '.process.noNewPrivileges = true | .linux.personality = {domain: "LINUX32"} | .process.cwd = "/tmp"
                | .linux.seccomp = {defaultAction: "SCMP_ACT_ERRNO", architectures: ["SCMP_ARCH_X86_64", "SCMP_ARCH_X86"], syscalls: [{names: $calls, action: "SCMP_ACT_ALLOW"}]}'
        chmod 1777 "$BUNDLE/rootfs/tmp"
        script 'grep -E "^(NoNewPrivs|Seccomp):" /proc/self/status; uname -m; pwd; id -u'
        run_container
        [[ $(xargs <<<"$output") == "NoNewPrivs: 1 Seccomp: 2 i686 /tmp 1000" ]]
}

@test "a terminal and its socket that do not fit are one clear error, and nothing is left" {
        program true
        cfg '.process.terminal = true'
        long=$BATS_TEST_TMPDIR/$(printf '%0120d' 0)
        for options in "" "--console-socket /nonexistent" "--console-socket $long"; do
                create -1 $options
                [ "$(wc -l <<<"$output")" -eq 1 ]
                [[ $output == *console-socket* || $output == *"${options#* }"* ]]
                [ ! -e "/run/unitrun/$ID" ]
        done
        run_detached -1
        cfg '.process.terminal = false'
        create -1 --console-socket /nonexistent
        [[ $output == *terminal* ]]
        # a size without a terminal says nothing
        cfg '.process.consoleSize = {height: 10, width: 20}'
        run_container
}

@test "podman gets 126 and 127 where its users expect them" {
        requires_podman() { command -v podman >/dev/null || skip "podman is missing"; }
        requires_podman
        touch "$BUNDLE/rootfs/mode-000"
        chmod 000 "$BUNDLE/rootfs/mode-000"
        while read -r expected program; do
                run podman --runtime "$RUNTIME" run --rm --network none --rootfs "$BUNDLE/rootfs" $program
                [ "$status" -eq "$expected" ] || { echo "$program: $status: $output"; return 1; }
        done <<'END'
127 /no/such
127 nosuch
126 /etc
126 /mode-000
END
        podman --runtime "$RUNTIME" run -d --name "$ID" --network none --rootfs "$BUNDLE/rootfs" sleep 100 3>&-
        while read -r expected program; do
                run podman exec "$ID" $program
                [ "$status" -eq "$expected" ] || { echo "exec $program: $status: $output"; return 1; }
        done <<'END'
127 /no/such
127 nosuch
126 /etc
126 /mode-000
END
        run podman exec --workdir /missing "$ID" true
        [ "$status" -eq 127 ] || [ "$status" -eq 0 ]
        podman rm -f -t 0 "$ID" 3>&-
}

@test "a deadline scheduler has its three times, and times that can't be are an error" {
        program sleep 100
        cfg '.process.scheduler = {policy: "SCHED_DEADLINE", runtime: 1000000, deadline: 10000000, period: 20000000}'
        run_detached
        [[ $(chrt -p "$(pid_of "$ID")") == *SCHED_DEADLINE*1000000/10000000/20000000* ]]
        "$RUNTIME" delete --force "$ID"
        cfg '.process.scheduler.runtime = 100000000'
        create -1
        [[ $output == *process.scheduler* ]]
}
