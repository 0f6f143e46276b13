#!/usr/bin/env bats
# linux.seccomp beyond the basics in process.bats: every action, every flag, system calls that are newer than the profile,
# and notifications to an agent.
# shellcheck disable=SC2016,SC2030,SC2031 # each test is a function

load helpers
load container

# filter JQ-OBJECT: linux.seccomp, with ALLOW as the default
filter() {
        cfg --arg agent "$AGENT" ".linux.seccomp = {defaultAction: \"SCMP_ACT_ALLOW\"} + $1"
}

# agent: seccomp-agent on $AGENT, which writes what it is sent to $STATE
agent() {
        AGENT=$BATS_TEST_TMPDIR/agent STATE=$BATS_TEST_TMPDIR/state
        rm -f "$AGENT"
        seccomp-agent "$AGENT" "$STATE" </dev/null >/dev/null 3>&- &
        AGENT_PID=$!
        HELPERS+=("$AGENT_PID")
        eventually test -S "$AGENT"
}

# failed_create TEXT
failed_create() {
        create -1
        [[ $output == *"$1"* ]] || { echo "no '$1' in '$output'"; return 1; }
        [ "$(wc -l <"$ERR")" -eq 1 ]
        unit_unknown "$UNIT"
}

AGENT=

@test "each action does what it says" {
        # a first process of a pid namespace is not killed by what it has no handler for
        cfg '.linux.namespaces |= map(select(.type != "pid"))'
        program mkdir /tmp/x
        for action in KILL KILL_THREAD KILL_PROCESS TRAP; do
                filter "{syscalls: [{names: [\"mkdir\", \"mkdirat\"], action: \"SCMP_ACT_$action\"}]}"
                run_container -159
                [ ! -e "$BUNDLE/rootfs/tmp/x" ]
        done
        # nobody traces: ENOSYS; LOG and ALLOW let it pass
        filter '{syscalls: [{names: ["mkdir", "mkdirat"], action: "SCMP_ACT_TRACE", errnoRet: 7}]}'
        run_container -1
        [[ $output == *"Function not implemented"* ]]
        for action in LOG ALLOW; do
                filter "{defaultAction: \"SCMP_ACT_LOG\", syscalls: [{names: [\"mkdir\", \"mkdirat\"], action: \"SCMP_ACT_$action\"}]}"
                program mkdir "/tmp/$action"
                run_container
        done
}

@test "a default action that is missing or unknown, and an errno where there is none, are errors" {
        program true
        cfg '.linux.seccomp = {syscalls: []}'
        failed_create 'linux.seccomp.defaultAction: required, but missing'
        cfg '.linux.seccomp = {defaultAction: "SCMP_ACT_FOO"}'
        failed_create "linux.seccomp.defaultAction: 'SCMP_ACT_FOO'"
        filter '{syscalls: [{names: ["mkdir"], action: "SCMP_ACT_KILL", errnoRet: 1}]}'
        failed_create 'linux.seccomp.syscalls[0].action: SCMP_ACT_KILL has no errno'
        filter '{defaultErrnoRet: 1}'
        failed_create 'linux.seccomp.defaultAction: SCMP_ACT_ALLOW has no errno'
        filter '{flags: ["SECCOMP_FILTER_FLAG_NOSUCH"]}'
        failed_create "linux.seccomp.flags[0]: 'SECCOMP_FILTER_FLAG_NOSUCH'"
        filter '{architectures: ["SCMP_ARCH_NOSUCH"]}'
        failed_create "linux.seccomp.architectures[0]: 'SCMP_ARCH_NOSUCH'"
}

@test "each flag, and all that a profile names more than once or that nobody knows, is taken" {
        for flag in TSYNC LOG SPEC_ALLOW WAIT_KILLABLE_RECV; do
                filter "{flags: [\"SECCOMP_FILTER_FLAG_$flag\"]}"
                inside_prints 2 'sed -n "s/^Seccomp:[[:space:]]*//p" /proc/self/status'
        done
        filter '{flags: ["SECCOMP_FILTER_FLAG_LOG", "SECCOMP_FILTER_FLAG_SPEC_ALLOW"],
                architectures: ["SCMP_ARCH_X86_64", "SCMP_ARCH_X86", "SCMP_ARCH_X32", "SCMP_ARCH_AARCH64", "SCMP_ARCH_ARM"],
                syscalls: [{names: ["read", "no_such_call"], action: "SCMP_ACT_ALLOW"},
                        {names: ["kill"], action: "SCMP_ACT_ERRNO", args: [{index: 1, value: 10, op: "SCMP_CMP_EQ"}]},
                        {names: ["kill"], action: "SCMP_ACT_ERRNO", args: [{index: 1, value: 12, op: "SCMP_CMP_EQ"}]},
                        {names: ["no_such_call"], action: "SCMP_ACT_ERRNO"},
                        {names: ["kill"], action: "SCMP_ACT_ERRNO", args: [{index: 1, value: 12, op: "SCMP_CMP_EQ"}]}]}'
        inside_prints 'denied denied allowed' 'p() { kill -$1 1 2>/dev/null && echo allowed || echo denied; }; p 10; p 12; p 0'
        annotate run.oci.seccomp_fail_unknown_syscall 1
        failed_create "linux.seccomp.syscalls[0].names[1]: 'no_such_call'"
}

# inside_prints WORDS SCRIPT
inside_prints() {
        script "$2"
        run_container
        [ "$(xargs <<<"$output")" = "$1" ] || { echo "'$output' is not '$1'"; return 1; }
}

@test "system calls that the profile does not know give ENOSYS, those it knows and denies what it says" {
        [ "$(uname -m)" = x86_64 ] || skip "needs the system call numbers of x86_64"
        cp "$(command -v call)" "$BUNDLE/rootfs/call"
        # 103 is syslog(2), which is denied, 435 clone3(2), which has an errno of its own, 439 faccessat2(2), the highest named
        calls=$(strace -f -qq -o /dev/stdout "$BUNDLE/rootfs/call" 9999 | sed -n 's/^[0-9]* *\([a-z0-9_]*\)(.*/\1/p' | sort -u |
                jq -Rs 'split("\n")[:-1] - ["syscall_0x270f"] + ["faccessat2", "exit_group", "rseq", "set_robust_list", "getrandom", "prlimit64", "newfstatat"]')
        cfg --argjson calls "$calls" '.linux.seccomp = {defaultAction: "SCMP_ACT_ERRNO", syscalls: [
                {names: $calls, action: "SCMP_ACT_ALLOW"}, {names: ["clone3"], action: "SCMP_ACT_ERRNO", errnoRet: 38}]}'
        program /call 9999 440 103 435
        run_container
        [ "$(xargs <<<"$output")" = "38 38 1 38" ]
        cfg '.linux.seccomp.defaultErrnoRet = 6'
        run_container
        [ "$(xargs <<<"$output")" = "38 38 6 38" ]
        cfg '.linux.seccomp.defaultErrnoRet = 38'
        run_container
        [ "$(xargs <<<"$output")" = "38 38 38 38" ]
        cfg 'del(.linux.seccomp.defaultErrnoRet) | .linux.seccomp.defaultAction = "SCMP_ACT_KILL_PROCESS"'
        program /call 9999
        run_container
        [ "$output" = 38 ]
}

@test "a system call may be decided by an agent" {
        agent
        annotate org.example.a '"pid":1'
        for nnp in true false; do
                cfg --argjson nnp $nnp '.process.noNewPrivileges = $nnp'
                filter '{listenerPath: $agent, listenerMetadata: "some \"text\"", flags: ["SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV", "SECCOMP_FILTER_FLAG_TSYNC"],
                        syscalls: [{names: ["mkdir", "mkdirat"], action: "SCMP_ACT_NOTIFY"}]}'
                script 'mkdir /tmp/x; chmod 755 /tmp && echo fine; exec sleep 1000'
                rm -f "$STATE"
                create
                # not before start: an agent that takes one connection after the other would wait for us
                [ ! -e "$STATE" ]
                launch "$RUNTIME" start "$ID"
                eventually jq -e --arg id "$ID" --arg bundle "$BUNDLE" --argjson pid "$(pid_of "$ID")" \
                        '.ociVersion == "1.3.0" and .fds == ["seccompFd"] and .pid == $pid and .metadata == "some \"text\"" and
                        .state == {ociVersion: "1.3.0", id: $id, status: "created", pid: $pid, bundle: $bundle, annotations: {"org.example.a": "\"pid\":1"}}' "$STATE"
                [ "$(wc -c <"$STATE")" -gt 100 ]
                # the fd is the agent's alone
                run -1 grep -rls seccomp "/proc/$(pid_of "$ID")/fdinfo"
                run -0 find "/proc/$(pid_of "$ID")/task" -mindepth 1 -maxdepth 1
                [ "${#lines[@]}" -eq 1 ]
                launch "$RUNTIME" delete --force "$ID"
        done
}

@test "what the agent answers is what the program gets, even for exec, and ENOSYS without an agent" {
        agent
        filter '{listenerPath: $agent, syscalls: [{names: ["mkdir", "mkdirat", "execve", "openat", "open", "close", "read"], action: "SCMP_ACT_NOTIFY"}]}'
        script 'mkdir /tmp/x; echo end'
        run_container
        [[ $output == *"No medium found"*end ]]
        # crun's annotation is the other way to name it; on one CPU too
        filter '{syscalls: [{names: ["mkdir", "mkdirat"], action: "SCMP_ACT_NOTIFY"}]}'
        annotate run.oci.seccomp.receiver "$AGENT"
        cfg '.process.execCPUAffinity = {initial: "0", final: "0"}'
        run_container
        [[ $output == *"No medium found"*end ]]
        script 'read x; mkdir /tmp/x; echo end'
        mkfifo "$BATS_TEST_TMPDIR/in"
        "$RUNTIME" run --bundle "$BUNDLE" "$ID" <"$BATS_TEST_TMPDIR/in" >"$BATS_TEST_TMPDIR/out" 2>&1 3>&- &
        HELPERS+=("$!")
        exec 7>"$BATS_TEST_TMPDIR/in"
        eventually has_status "$ID" running
        kill "$AGENT_PID"
        eventually process_ended "$AGENT_PID"
        echo >&7
        exec 7>&-
        eventually file_has "$BATS_TEST_TMPDIR/out" end
        file_has "$BATS_TEST_TMPDIR/out" "Function not implemented"
        eventually assert_nothing_left "$ID"
}

@test "what a process that exec adds may do is decided by the agent as well" {
        agent
        filter '{listenerPath: $agent, listenerMetadata: "text", syscalls: [{names: ["mkdir", "mkdirat"], action: "SCMP_ACT_NOTIFY"}]}'
        program sleep 1000
        create
        for now in created running; do
                rm -f "$STATE"
                [ $now = created ] || agent # the first one is busy with the container's init
                launch "$RUNTIME" exec --detach --pid-file "$BATS_TEST_TMPDIR/pid" "$ID" sh -c 'mkdir /tmp/x 2>/tmp/said'
                eventually file_has "$BUNDLE/rootfs/tmp/said" "No medium found"
                jq -e --arg id "$ID" --arg now "$now" --argjson pid "$(pid_of "$ID")" --argjson new "$(cat "$BATS_TEST_TMPDIR/pid")" \
                        '.pid == $new and .metadata == "text" and .state.pid == $pid and .state.id == $id and .state.status == $now' "$STATE"
                rm "$BUNDLE/rootfs/tmp/said"
                "$RUNTIME" start "$ID" || [ $now = running ]
        done
        rm "$AGENT"
        launch -255 "$RUNTIME" exec "$ID" true
        [[ $output == *"linux.seccomp.listenerPath: failed to connect with seccomp agent '$AGENT'"* ]]
        has_status "$ID" running
}

@test "notifications without an agent are an error, and leave the container as it was" {
        AGENT=$BATS_TEST_TMPDIR/agent
        filter '{listenerPath: $agent, syscalls: [{names: ["mkdir"], action: "SCMP_ACT_NOTIFY"}]}'
        program true
        create
        launch -1 "$RUNTIME" start "$ID"
        [[ $output == *"linux.seccomp.listenerPath: failed to connect with seccomp agent '$AGENT'"* ]]
        [ "$(status_of "$ID")" = created ]
        agent
        launch "$RUNTIME" start "$ID"
        eventually has_status "$ID" stopped
        launch "$RUNTIME" delete --force "$ID"
        # without the action the path is of no interest
        filter '{listenerPath: "/nonexistent"}'
        run_container
        filter '{syscalls: [{names: ["mkdir"], action: "SCMP_ACT_NOTIFY"}]}'
        failed_create 'linux.seccomp.listenerPath: required for SCMP_ACT_NOTIFY'
        filter '{listenerPath: $agent, syscalls: [{names: ["write"], action: "SCMP_ACT_NOTIFY"}]}'
        failed_create 'SCMP_ACT_NOTIFY cannot be used for the write syscall'
        cfg '.process.scheduler = {policy: "SCHED_FIFO", priority: 1}'
        filter '{listenerPath: $agent, syscalls: [{names: ["mkdir"], action: "SCMP_ACT_NOTIFY"}]}'
        failed_create 'SCMP_ACT_NOTIFY cannot be used along with process.scheduler.policy SCHED_FIFO'
        cfg 'del(.process.scheduler)'
        filter '{defaultAction: "SCMP_ACT_NOTIFY", listenerPath: $agent}'
        failed_create 'linux.seccomp.defaultAction: SCMP_ACT_NOTIFY cannot be used as the default'
}

@test "steps of the runtime are not hit by the filter that it loads" {
        cfg '.process.noNewPrivileges = true | .linux.personality = {domain: "LINUX32"} | .process.user = {uid: 1000, gid: 1000, additionalGids: [5]}
                | .process.capabilities = {} | .linux.seccomp = {defaultAction: "SCMP_ACT_ALLOW", syscalls: [{names:
                        ["personality", "setresuid", "setresgid", "setgroups", "prctl", "chdir", "capset", "sched_setaffinity", "sendmsg", "sendto", "keyctl"],
                        action: "SCMP_ACT_ERRNO"}]}'
        script 'grep -E "^(NoNewPrivs|Seccomp):" /proc/self/status; uname -m'
        run_container
        [ "$(xargs <<<"$output")" = "NoNewPrivs: 1 Seccomp: 2 i686" ]
}
