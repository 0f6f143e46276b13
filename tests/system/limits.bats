#!/usr/bin/env bats
# Resource limits: what systemd says of the unit, what the kernel enforces, and what the container sees are the same.
# Most need all cgroup controllers and run under qemu, where everything is slow: a test does more than one thing there.
# shellcheck disable=SC2016,SC2030,SC2031,SC2086 # each test is a function

load helpers
load container

# resources JQ-OBJECT
resources() {
        cfg --argjson r "$(jq -nc "$1")" '.linux.resources = $r'
}

# unit_file NAME, payload_file NAME: a file of the unit's control group, of the container's
unit_file() {
        cat "$CGROUPS$(property_of "$UNIT" ControlGroup)/$1"
}

payload_file() {
        cat "$(payload_of "$ID")/$1"
}

# everywhere FILE VALUE PROPERTY SHOWN: payload, unit and systemd agree
everywhere() {
        [ "$(payload_file "$1")" = "$2" ] || { echo "payload: $1 is $(payload_file "$1"), not $2"; return 1; }
        has_property "$UNIT" "$3" "$4"
}

# bats test_tags=qemu
@test "cpu, memory and pids limits are the unit's, the kernel's and the container's, and a reload changes nothing" {
        requires cpu memory pids
        resources '{cpu: {quota: 30000, period: 100000, shares: 512}, memory: {limit: 67108864, swap: 100663296, reservation: 33554432}, pids: {limit: 55}}'
        script 'cd /sys/fs/cgroup; cat cpu.max memory.max pids.max; exec sleep 1000'
        run_detached
        all() {
                everywhere cpu.max "30000 100000" CPUQuotaPerSecUSec 300ms
                everywhere cpu.weight 59 CPUWeight 59
                everywhere memory.max 67108864 MemoryMax 67108864
                everywhere memory.swap.max 33554432 MemorySwapMax 33554432
                everywhere memory.low 33554432 MemoryLow 33554432
                everywhere pids.max 55 TasksMax 55
                has_property "$UNIT" NeedDaemonReload no
        }
        all
        [ "$(xargs <"$OUT")" = "30000 100000 67108864 55" ]
        # more than the quota in the unit's own group: rounded up, and the supervisor counts as a task
        head $CGROUPS$(property_of "$UNIT" ControlGroup)/{cpu.max,cpu.weight,memory.max,memory.swap.max,memory.low,pids.max} >"$BATS_TEST_TMPDIR/before"
        systemctl daemon-reload
        systemd-run --quiet --wait true
        systemctl daemon-reexec
        head $CGROUPS$(property_of "$UNIT" ControlGroup)/{cpu.max,cpu.weight,memory.max,memory.swap.max,memory.low,pids.max} >"$BATS_TEST_TMPDIR/after"
        diff "$BATS_TEST_TMPDIR/before" "$BATS_TEST_TMPDIR/after"
        all
}

# bats test_tags=qemu
@test "cpu shares become weights as engines agreed on" {
        requires cpu
        program sleep 1000
        for pair in 2:1 1024:100 262144:10000; do
                resources "{cpu: {shares: ${pair%:*}}}"
                create
                everywhere cpu.weight "${pair#*:}" CPUWeight "${pair#*:}"
                "$RUNTIME" delete "$ID"
        done
        # 0 is no wish
        resources '{cpu: {shares: 0}}'
        create
        everywhere cpu.weight 100 CPUWeight "[not set]"
}

# bats test_tags=qemu
@test "a pids limit of -1 is none, 0 is a limit, and 1 is enough to create" {
        requires pids
        program sleep 1000
        for limit in -1:max:infinity 1:1:1 55:55:55; do
                IFS=: read -r given file shown <<<"$limit"
                resources "{pids: {limit: $given}}"
                create || { echo "limit $given: $output"; return 1; }
                [ "$(payload_file pids.max)" = "$file" ]
                [ "$given" = 1 ] || has_property "$UNIT" TasksMax "$shown"
                "$RUNTIME" delete --force "$ID"
        done
        resources '{pids: {limit: 0}}'
        create
        [[ $(payload_file pids.max) = [01] ]]
        "$RUNTIME" delete --force "$ID"
        # the limit is the container's: one task is one task, and it can end
        resources '{pids: {limit: 1}}'
        script 'exit 3'
        run_container -3
}

# bats test_tags=qemu
@test "poststart hooks run however few tasks the container may have" {
        requires pids
        resources '{pids: {limit: 1}}'
        program sleep 1000
        hook poststart "touch $BATS_TEST_TMPDIR/hook"
        run_detached
        [ -e "$BATS_TEST_TMPDIR/hook" ]
}

# bats test_tags=qemu
@test "memory and swap are counted together in the config and apart in the kernel" {
        requires memory
        program sleep 1000
        while read -r given memory swap; do
                resources "{memory: $given}"
                create || { echo "$given: $output"; return 1; }
                [ "$(payload_file memory.max) $(payload_file memory.swap.max)" = "$memory $swap" ] || { echo "$given"; return 1; }
                "$RUNTIME" delete "$ID"
        done <<'MEMORY'
{limit:67108864,swap:67108864} 67108864 0
{limit:67108864,swap:134217728} 67108864 67108864
{limit:67108864,swap:-1} 67108864 max
{limit:-1} max max
MEMORY
        resources '{memory: {limit: 67108864, swap: 33554432}}'
        create -1
        [[ $output == *swap* ]]
        resources '{memory: {swap: 33554432}}'
        create -1
        [[ $output == *swap* ]]
}

# bats test_tags=qemu
@test "an OOM-killed program is 137 and its name is free" {
        requires memory
        resources '{memory: {limit: 20971520, swap: 20971520}}'
        script 'tail /dev/zero'
        run_container -137
        unit_unknown "$UNIT"
        [ ! -e "/run/systemd/transient/$UNIT" ]
        eventually sh -c "journalctl -b -u $UNIT MESSAGE_ID=c92f4d1e3b7a4f0a8d6e5b2c1a9f8e73 -o cat | grep -q \"killed 'tail' (PID .*20971520 bytes\""
        script 'exit 5'
        run_container -5
}

# bats test_tags=qemu
@test "an OOM kill of one process does not end the container, unless it is asked for" {
        requires memory
        resources '{memory: {limit: 33554432, swap: 33554432}}'
        script '(tail /dev/zero); echo child=$?; exec sleep 1000'
        run_detached
        eventually 30 file_has "$OUT" child=137
        has_status "$ID" running
        unit_is "$UNIT" active
        "$RUNTIME" delete --force "$ID"
        for policy in stop kill; do
                cfg '.annotations = {}'
                property OOMPolicy "'$policy'"
                property CollectMode "'inactive'"
                property TimeoutStopUSec "uint64 1000000" # init is a PID 1 that ignores SIGTERM
                run_detached
                eventually 60 unit_is "$UNIT" failed
                has_property "$UNIT" Result oom-kill
                has_status "$ID" stopped
                "$RUNTIME" delete "$ID"
                unit_unknown "$UNIT"
        done
}

# bats test_tags=qemu
@test "a limit too low for any program ends it quickly, or is an error that says so; 1 MiB is enough" {
        requires memory
        program true
        for limit in 1 4096 65536; do
                # the supervisor, which is never killed, must not want for memory itself
                for ((i = 0; i < 4; i++)); do
                        resources "{memory: {limit: $limit, swap: $limit}}"
                        began=$(milliseconds)
                        run "$RUNTIME" run -b "$BUNDLE" "$ID" </dev/null 3>&-
                        [ $(($(milliseconds) - began)) -lt 30000 ]
                        [ "$status" -eq 137 ] || [[ $status -eq 1 && $output == *memory*limit* ]]
                        eventually unit_unknown "$UNIT"
                done
        done
        for limit in 1048576 4194304 10485760; do
                resources "{memory: {limit: $limit, swap: $limit}}"
                run_container || { echo "limit $limit: $output"; return 1; }
        done
        # and it is not the supervisor that is killed
        resources '{memory: {limit: 4194304, swap: 4194304}}'
        script 'tail /dev/zero; echo survived; exec tail /dev/zero'
        run_container -137
}

# bats test_tags=qemu
@test "without any limits there is still an account" {
        requires memory pids
        cfg 'del(.linux.resources, .linux.cgroupsPath)'
        program sleep 1000
        run_detached
        [ "$(payload_file pids.current)" -ge 1 ]
        [ "$(payload_file memory.current)" -gt 0 ]
        grep -q usage_usec "$(payload_of "$ID")/cpu.stat"
        [[ $(property_of "$UNIT" MemoryCurrent) =~ ^[0-9]+$ ]]
        [[ $(property_of "$UNIT" TasksCurrent) =~ ^[0-9]+$ ]]
}

# bats test_tags=qemu
@test "cpus, burst, idle and unified settings reach the container's group" {
        requires cpu cpuset memory
        program sleep 1000
        resources '{cpu: {cpus: "0", mems: "0", quota: 50000, period: 100000, burst: 10000}, unified: {"memory.high": "50331648"}}'
        create
        everywhere cpuset.cpus 0 AllowedCPUs 0
        [ "$(payload_file cpu.max)" = "50000 100000" ]
        [ "$(payload_file cpu.max.burst)" = 10000 ]
        [ "$(payload_file memory.high)" = 50331648 ]
        "$RUNTIME" delete "$ID"
        resources '{cpu: {idle: 1}}'
        create
        [ "$(payload_file cpu.idle)" = 1 ]
        "$RUNTIME" delete "$ID"
        for bad in 'cpu: {cpus: "99-100"}' 'cpu: {cpus: "x"}' 'cpu: {quota: 50000, period: 5}' 'unified: {"no/such": "1"}' 'unified: {"memory.nosuch": "1"}'; do
                resources "{$bad}"
                create -1
        done
        unit_unknown "$UNIT"
}

# bats test_tags=qemu
@test "systemctl set-property changes a running container's limit" {
        requires memory
        resources '{memory: {limit: 67108864}}'
        program sleep 1000
        run_detached
        systemctl set-property --runtime "$UNIT" MemoryMax=33554432
        [ "$(unit_file memory.max)" = 33554432 ]
        has_status "$ID" running
}

# bats test_tags=qemu
@test "delete ends a fork bomb within its pids limit" {
        requires pids
        resources '{pids: {limit: 50}}'
        script 'bomb() { bomb & bomb & sleep 1000; }; echo ready; bomb'
        run_detached
        eventually 20 file_has "$OUT" ready
        began=$(milliseconds)
        "$RUNTIME" delete --force "$ID"
        [ $(($(milliseconds) - began)) -lt 60000 ]
        assert_nothing_left "$ID"
}

@test "a missing controller is an error that names it, unless the value means no limit" {
        missing=
        program true
        while IFS='|' read -r controller limit; do
                ! grep -qw "$controller" $CGROUPS/cgroup.controllers || continue
                missing+=" $controller"
                resources "$limit"
                create -1
                [[ $output == *"config.json: linux.resources."*controller*"$controller"* ]] || { echo "$limit: $output"; return 1; }
                unit_unknown "$UNIT"
        done <<'LIMITS'
memory|{memory: {limit: 67108864}}
pids|{pids: {limit: 50}}
cpu|{cpu: {shares: 512}}
cpu|{cpu: {quota: 50000, period: 100000}}
cpuset|{cpu: {cpus: "0"}}
io|{blockIO: {weight: 50}}
LIMITS
        [ -n "$missing" ] || skip "needs a machine that lacks a cgroup controller"
        for limits in '{memory: {limit: -1, swap: -1}, pids: {limit: -1}, cpu: {shares: 0, quota: -1}}' '{}'; do
                resources "$limits"
                run_container
        done
}

@test "hugepage limits and other controllers without a unit property are written to the container's group" {
        requires hugetlb
        program sleep 1000
        resources '{hugepageLimits: [{pageSize: "2MB", limit: 4194304}], unified: {"hugetlb.2MB.rsvd.max": "2097152"}}'
        run_detached
        [ "$(payload_file hugetlb.2MB.max)" = 4194304 ]
        [ "$(payload_file hugetlb.2MB.rsvd.max)" = 2097152 ]
        systemctl daemon-reload
        [ "$(payload_file hugetlb.2MB.max)" = 4194304 ]
        "$RUNTIME" delete --force "$ID"
        resources '{hugepageLimits: [{pageSize: "3MB", limit: 4194304}]}'
        create -1
        [[ $output == *3MB* ]]
        assert_nothing_left "$ID"
}
