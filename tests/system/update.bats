#!/usr/bin/env bats
# update: the unit's properties and the files of the container's control group change together, or not at all.
# shellcheck disable=SC2016,SC2030,SC2031,SC2086,SC2119,SC2120 # each test is a function

load helpers
load container

# update [-STATUS] OPTION…: of $ID, in the manner of engines: the ID last
update() {
        local expected=-0
        case ${1:-} in -[0-9]) expected=$1; shift ;; esac
        run "$expected" "$RUNTIME" update "$@" "$ID" 3>&-
}

# update_with JSON: as CRI-O and containerd call it
update_with() {
        local expected=-0
        case ${1:-} in -[0-9]) expected=$1; shift ;; esac
        run "$expected" "$RUNTIME" update --resources=- "$ID" <<<"$1" 3>&-
}

# unit_file NAME, payload_file NAME: a file of the unit's control group, of the container's
unit_file() {
        cat "$CGROUPS$(property_of "$UNIT" ControlGroup)/$1"
}

payload_file() {
        cat "$(payload_of "$ID")/$1"
}

# file_is NAME VALUE: of the container's control group
file_is() {
        [ "$(payload_file "$1")" = "$2" ] || { echo "$1 is $(payload_file "$1"), not $2"; return 1; }
}

# everywhere FILE VALUE PROPERTY SHOWN: payload and systemd agree
everywhere() {
        file_is "$1" "$2" && has_property "$UNIT" "$3" "$4"
}

# limits_shown: what systemd says
limits_shown() {
        systemctl show "$UNIT" | grep -E '^(Allowed|CPU|IO|Memory|Tasks)[A-Za-z]*(CPUs|Nodes|Max|Weight|USec|High|Low)='
}

no_reload_needed() {
        has_property "$UNIT" NeedDaemonReload no
}

freeze() {
        echo "$1" >"$(payload_of "$ID")/cgroup.freeze"
}

@test "created, running and paused containers are updated, and no reload is ever asked for, nested slices included" {
        cfg '.linux.cgroupsPath = "upd-foo-group.slice:pre:" + $id' --arg id "$ID"
        UNIT=pre-$ID.service
        property TasksMax "uint64 500"
        property MemoryMax "uint64 5000000000"
        program sleep 1000
        create
        update_with '{"unified": {"cgroup.max.depth": "3"}, "pids": {"limit": -1}}'
        file_is cgroup.max.depth 3
        has_property "$UNIT" TasksMax infinity
        no_reload_needed
        "$RUNTIME" start "$ID" 3>&-
        [[ $(payload_of "$ID") == */upd.slice/upd-foo.slice/upd-foo-group.slice/$UNIT/payload ]]
        # in an order in which systemd does not keep them
        for option in --memory=-1 --cpu-quota=-1; do
                update "$option"
                [ -z "$output" ]
                no_reload_needed
        done
        has_property "$UNIT" MemoryMax infinity
        has_property "$UNIT" TasksMax infinity
        systemctl set-property --runtime "$UNIT" CPUWeight=50 TasksMax=400
        no_reload_needed
        freeze 1
        eventually has_status "$ID" paused
        update_with '{"unified": {"cgroup.max.depth": "4"}, "memory": {"swap": -1}}'
        file_is cgroup.max.depth 4
        has_status "$ID" paused
        freeze 0
        # what it was not asked for stays, through a reload too
        systemctl daemon-reload
        systemctl daemon-reexec
        has_property "$UNIT" TasksMax 400
        has_property "$UNIT" CPUWeight 50
        file_is cgroup.max.depth 4
        no_reload_needed
        "$RUNTIME" delete --force "$ID"
        [ ! -e "/run/systemd/transient/$UNIT.d" ]
}

@test "update is all or nothing, and leaves alone what it was not given" {
        program sleep 1000
        run_detached
        update_with '{"unified": {"cgroup.max.depth": "7", "cgroup.max.descendants": "8"}}'
        before=$(limits_shown)
        # the kernel refuses the last one, after the others were written
        update_with -1 '{"unified": {"cgroup.max.depth": "5", "cgroup.max.descendants": "x"}, "pids": {"limit": -1}, "memory": {"limit": -1}}'
        [[ $output == *"cannot update container '$ID': -: unified.cgroup.max.descendants: cannot write 'x'"* ]]
        file_is cgroup.max.depth 7
        file_is cgroup.max.descendants 8
        [ "$(limits_shown)" = "$before" ]
        # one after the other: what is put back is what the one before has set
        flock "/run/unitrun/$ID/config.json" timeout -s KILL 0.3 "$RUNTIME" update "$ID" 3>&- || status=$?
        [ "$status" = 137 ]
        # nothing and null are no change
        update
        update_with '{}'
        update_with '{"memory": {"limit": 0, "swap": 0}, "cpu": {"shares": 0, "quota": 0, "cpus": ""}}'
        file_is cgroup.max.depth 7
}

@test "hugepage limits change, go back when a controller is missing, and without a unit there are only files" {
        requires hugetlb
        cfg '.linux.resources.hugepageLimits = [{pageSize: "2MB", limit: 4194304}]'
        program sleep 1000
        run_detached
        update_with '{"hugepageLimits": [{"pageSize": "2MB", "limit": 2097152}]}'
        file_is hugetlb.2MB.max 2097152
        file_is hugetlb.2MB.rsvd.max 2097152
        update_with -1 '{"hugepageLimits": [{"pageSize": "2MB", "limit": 0}, {"pageSize": "3MB", "limit": 0}]}'
        [[ $output == *"-: hugepageLimits[1]: "*3MB* ]]
        file_is hugetlb.2MB.max 2097152
        "$RUNTIME" delete --force "$ID"
        cfg --arg path "/$ID.d" '.linux.cgroupsPath = $path'
        launch "$RUNTIME" --cgroup-manager cgroupfs run --detach --bundle "$BUNDLE" "$ID"
        update_with '{"hugepageLimits": [{"pageSize": "2MB", "limit": 2097152}], "pids": {"limit": -1}}'
        [ "$(cat "$CGROUPS/$ID.d/payload/hugetlb.2MB.max")" = 2097152 ]
        "$RUNTIME" delete --force "$ID"
        cfg 'del(.linux.resources, .linux.cgroupsPath)'
        launch "$RUNTIME" --cgroup-manager disabled run --detach --bundle "$BUNDLE" "$ID"
        update -1 --memory 64M
        [[ $output == *"no control group"* ]]
}

@test "an update that can't be is an error that names the option, or the file and the path in it" {
        program sleep 1000
        run_detached
        while IFS='|' read -r options text; do
                update -1 $options
                [[ $output == *"$text"* && $output != *linux.resources* ]] || { echo "$options: $output"; return 1; }
        done <<'OPTIONS'
--memory 5x|--memory: '5x' is not a size such as 64M
--memory -5|--memory: '-5' is not a size
--memory-swap 64M|--memory-swap: it counts memory and swap together
--memory 64M --memory-swap 32M|--memory-swap: it counts memory and swap together: 33554432 is less
--cpu-quota 1ms|--cpu-quota: '1ms' is not a number
--cpu-period 5|--cpu-period: 5 is not between 1000 and 1000000
--cpu-idle 2|--cpu-idle: 2 is neither 0 nor 1
--cpu-rt-runtime 5|--cpu-rt-runtime: cgroup v2 has no
--cpuset-cpus 0-x|--cpuset-cpus: '0-x' is not a list
--pids-limit many|--pids-limit: 'many' is not a number
--blkio-weight 5|--blkio-weight: 5 is not between 10 and 1000
--resources /no/such|/no/such
--resources - --memory 5|--memory can't be given beside --resources
--nonsense|nonsense
OPTIONS
        while IFS='|' read -r json text; do
                echo "$json" >"$BATS_TEST_TMPDIR/r.json"
                update -1 -r "$BATS_TEST_TMPDIR/r.json"
                [[ $output == *"r.json: $text"* && $output != *linux.resources* ]] || { echo "$json: $output"; return 1; }
        done <<'FILES'
{"memory": {"limit": "5"}}|memory.limit: a number is expected
{"memory": {"limit": 5, "swap": 3}}|memory.swap: it counts
{"memory": {"swappiness": 5}}|memory.swappiness: cgroup v2
{"devices": [{"allow": true}]}|devices: the devices of a container can't be changed
{"memory"|line 2
FILES
        update --kernel-memory 5M --kernel-memory-tcp 5M
        "$RUNTIME" kill "$ID" KILL
        eventually has_status "$ID" stopped
        update -1 --memory 64M
        [[ $output == *"container not running"* ]]
        "$RUNTIME" delete "$ID"
        update -1 --memory 64M
        [[ $output == *"does not exist"* ]]
}

@test "no program ever loses a device because of an update" {
        script 'while :; do echo >/dev/null || echo refused; done'
        cfg '.linux.resources.devices = [{allow: false, access: "rwm"}]'
        run_detached
        for depth in 1 2 3 4 5; do
                update_with '{"devices": [{"allow": false, "access": "rwm"}], "unified": {"cgroup.max.depth": "'$depth'"}, "pids": {"limit": -1}}'
        done
        run -1 file_has "$OUT" refused
        run -1 "$RUNTIME" exec "$ID" sh -c 'mknod /null c 1 5 && dd if=/dev/mem count=1' 3>&-
        has_status "$ID" running
}

# bats test_tags=qemu
@test "the kernel, the unit and the container have the new limits, for good" {
        requires cpu cpuset memory pids
        cfg '.linux.resources = {cpu: {quota: 50000, period: 100000, shares: 512}, memory: {limit: 67108864}, pids: {limit: 55}}'
        program sleep 1000
        run_detached
        update --pids-limit 66
        everywhere pids.max 66 TasksMax 66
        update --memory 100M --memory-swap 160M
        everywhere memory.max 104857600 MemoryMax 104857600
        everywhere memory.swap.max 62914560 MemorySwapMax 62914560
        update --memory-swap 120M # memory is what it was
        everywhere memory.swap.max 20971520 MemorySwapMax 20971520
        update --memory 1.5g --memory-reservation 50M
        everywhere memory.max 1610612736 MemoryMax 1610612736
        everywhere memory.low 52428800 MemoryLow 52428800
        everywhere memory.swap.max 20971520 MemorySwapMax 20971520
        update --cpu-period 50000
        everywhere cpu.max "50000 50000" CPUQuotaPerSecUSec 1s
        update --cpu-quota 20000
        everywhere cpu.max "20000 50000" CPUQuotaPerSecUSec 400ms
        update --cpu-burst 50000 --cpu-quota 60000
        update --cpu-quota 5000 --cpu-burst 4000
        everywhere cpu.max "5000 50000" CPUQuotaPerSecUSec 100ms
        file_is cpu.max.burst 4000
        for pair in 2:1 262144:10000 1024:100; do
                update --cpu-share "${pair%:*}"
                everywhere cpu.weight "${pair#*:}" CPUWeight "${pair#*:}"
        done
        update --cpuset-cpus 0-1 --cpuset-mems 0
        update --cpuset-cpus 0
        everywhere cpuset.cpus 0 AllowedCPUs 0
        grep -qx 'Cpus_allowed_list:.0' "/proc/$(pid_of "$ID")/status"
        no_reload_needed
        # the unit's own group follows, and a reload changes nothing
        eventually test "$(unit_file memory.max)" = 1610612736
        all() {
                limits_shown
                head "$(payload_of "$ID")"/{cpu.max,cpu.weight,cpuset.cpus,memory.max,memory.swap.max,memory.low,pids.max}
                head "$CGROUPS$(property_of "$UNIT" ControlGroup)"/{cpu.max,cpu.weight,cpuset.cpus,memory.max,memory.swap.max,memory.low,pids.max}
        }
        all >"$BATS_TEST_TMPDIR/before"
        systemctl daemon-reload
        systemd-run --quiet --wait true
        systemctl daemon-reexec
        all >"$BATS_TEST_TMPDIR/after"
        diff "$BATS_TEST_TMPDIR/before" "$BATS_TEST_TMPDIR/after"
        update_with '{"unified": {"cpu.weight": "16", "pids.max": "0", "cpu.max": "40000 100000"}}'
        everywhere cpu.weight 16 CPUWeight 16
        everywhere cpu.max "40000 100000" CPUQuotaPerSecUSec 400ms
        everywhere pids.max 0 TasksMax 1 # which systemd has to be at least
        update --memory -1 --cpu-quota -1 --cpu-period 50000 --pids-limit -1
        everywhere memory.max max MemoryMax infinity
        everywhere memory.swap.max max MemorySwapMax infinity
        everywhere cpu.max "max 50000" CPUQuotaPerSecUSec infinity
        everywhere pids.max max TasksMax infinity
        no_reload_needed
}

# bats test_tags=qemu
@test "a refused limit leaves all others as they were, idle included" {
        requires cpu cpuset memory pids
        cfg '.linux.resources = {cpu: {quota: 50000, burst: 40000, shares: 2048}, memory: {limit: 67108864, swap: 134217728}, pids: {limit: 55}}'
        program sleep 1000
        run_detached
        all() {
                limits_shown
                head "$(payload_of "$ID")"/{cpu.max,cpu.max.burst,cpu.weight,cpu.idle,cpuset.cpus.effective,memory.max,memory.swap.max,memory.high,pids.max}
        }
        all >"$BATS_TEST_TMPDIR/before"
        while IFS='|' read -r json text; do
                update_with -1 "$json"
                [[ $output == *"$text"* ]] || { echo "$json: $output"; return 1; }
                all >"$BATS_TEST_TMPDIR/after"
                diff "$BATS_TEST_TMPDIR/before" "$BATS_TEST_TMPDIR/after" || { echo "$json"; return 1; }
        done <<'REFUSED'
{"pids":{"limit":5},"memory":{"limit":33554432,"swap":33554432},"cpu":{"idle":1,"cpus":"0"},"unified":{"cgroup.max.depth":"x"}}|-: unified.cgroup.max.depth: cannot write
{"pids":{"limit":5},"cpu":{"shares":4096,"cpus":"4000"}}|-: cpu.cpus: cannot write '4000' to cpuset.cpus
{"pids":{"limit":5},"cpu":{"quota":30000}}|-: cpu.quota: cannot write
{"pids":{"limit":5},"unified":{"memory.high":"0"}}|cannot change unit
{"pids":{"limit":5},"memory":{"limit":4096,"checkBeforeUpdate":true}}|-: memory.limit: 4096 is less than
{"pids":{"limit":5},"memory":{"swap":1}}|-: memory.swap: it counts memory and swap together: 1 is less than
REFUSED
        update --cpu-idle 1
        file_is cpu.idle 1
        has_property "$UNIT" CPUWeight idle
        update -1 --cpu-share 512
        [[ $output == *"--cpu-share: the container is idle"* ]]
        update --cpu-idle 0
        everywhere cpu.weight 100 CPUWeight "[not set]"
        update --cpu-idle 1
        update --cpu-idle 0 --cpu-share 512
        everywhere cpu.weight 59 CPUWeight 59
        no_reload_needed
}
