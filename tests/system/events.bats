#!/usr/bin/env bats
# events: the container's numbers, and the kernel's kills for want of memory.
# shellcheck disable=SC2016,SC2030,SC2031,SC2034 # each test is a function

load helpers
load container

# stats [FILTER]: of $ID, through jq
stats() {
        "$RUNTIME" events --stats "$ID" 3>&- | jq -e "${1:-.}"
}

# watch_events [OPTION…]: in the background; lines go to $EVENTS, the exit status to $EVENTS.status
watch_events() {
        EVENTS=$BATS_TEST_TMPDIR/events
        : >"$EVENTS"
        rm -f "$EVENTS.status"
        { status=0; "$RUNTIME" events "$@" "$ID" >"$EVENTS" 2>&1 || status=$?; echo $status >"$EVENTS.status"; } 3>&- &
        HELPERS+=($!)
}

# lines_of_type TYPE N: there are at least N
lines_of_type() {
        [ "$(grep -c "^{\"type\":\"$1\",\"id\":\"$ID\"" "$EVENTS")" -ge "$2" ]
}

@test "the numbers of a container are there without limits, without resources, and whatever controllers are missing" {
        cfg 'del(.linux.resources) | .linux.cgroupsPath = "ev-foo-group.slice:pre:" + $id' --arg id "$ID"
        UNIT=pre-$ID.service
        script 'i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done; echo ready; exec sleep 1000'
        create
        stats '.type == "stats" and .data.pids.current == 1'
        "$RUNTIME" start "$ID" 3>&-
        eventually file_has "$OUT" ready
        stats '.id == "'"$ID"'" and .data.cpu.usage.total > 1000000 and .data.cpu.usage.total >= .data.cpu.usage.user'
        # every object that runc's has, with numbers
        stats '.data | [.cpu.throttling.periods, .cpuset.cpu_exclusive, .memory.cache, .memory.usage.limit, .memory.usage.usage,
                .memory.swap.limit, .memory.kernel.failcnt, .pids.limit] | all(type == "number")'
        stats '.data | [.memory.raw, .memory.event_count, .hugetlb, .intel_rdt] | all(type == "object")'
        stats '.data.blkio | [.ioServiceBytesRecursive, .ioServicedRecursive] | all(type == "array")'
        if [ -s "$(payload_of "$ID")/cpu.pressure" ]; then
                stats '.data.cpu.psi.some | has("avg10") and (.total | type) == "number"'
        fi
        [ "$("$RUNTIME" events --stats "$ID" 3>&- | wc -l)" = 1 ]
        # without a unit and without a group
        "$RUNTIME" delete --force "$ID"
        cfg --arg path "/$ID.d" '.linux.cgroupsPath = $path'
        hugetlb={}
        if grep -qw hugetlb "$CGROUPS/cgroup.controllers"; then
                cfg '.linux.resources.hugepageLimits = [{pageSize: "2MB", limit: 0}]'
                hugetlb='{"2MB":{usage:0,failcnt:0}}'
        fi
        launch "$RUNTIME" --cgroup-manager cgroupfs run --detach --bundle "$BUNDLE" "$ID"
        stats ".data.pids.current >= 1 and .data.hugetlb[\"2MB\"] == (${hugetlb})[\"2MB\"]"
        "$RUNTIME" delete --force "$ID"
        cfg 'del(.linux.cgroupsPath, .linux.resources)'
        launch "$RUNTIME" --cgroup-manager disabled run --detach --bundle "$BUNDLE" "$ID"
        run -1 "$RUNTIME" events --stats "$ID" 3>&-
        [[ $output == *"no control group"* ]]
}

@test "events come at the interval, and the command ends with the container or with whoever reads" {
        program sleep 1000
        run_detached
        watch_events --interval 50ms
        eventually lines_of_type stats 3
        jq -e . "$EVENTS" >/dev/null
        # a reader that has had enough
        timeout 10 "$RUNTIME" events --interval=0.01s "$ID" 2>"$BATS_TEST_TMPDIR/err" 3>&- | head -1 | grep -q stats
        [ ! -s "$BATS_TEST_TMPDIR/err" ]
        # a reader that is gone before there is anything to read
        timeout 10 "$RUNTIME" events --interval 1h "$ID" 3>&- | true
        echo 1 >"$(payload_of "$ID")/cgroup.freeze"
        "$RUNTIME" events --stats "$ID" 3>&- | grep -q '"type":"stats"'
        echo 0 >"$(payload_of "$ID")/cgroup.freeze"
        "$RUNTIME" kill "$ID" KILL
        eventually test -s "$EVENTS.status"
        [ "$(cat "$EVENTS.status")" = 0 ]
        eventually has_status "$ID" stopped
        for option in --stats --interval=1s; do
                run -1 "$RUNTIME" events $option "$ID" 3>&-
                [[ $output == *"container not running"* ]]
        done
        "$RUNTIME" delete "$ID"
        run -1 "$RUNTIME" events "$ID" 3>&-
        [[ $output == *"does not exist"* ]]
}

@test "an interval that is none is an error that names it" {
        program sleep 1000
        create
        for interval in 0 0s -1s 5x s 1m-3s ''; do
                run -1 timeout 5 "$RUNTIME" events "--interval=$interval" "$ID" 3>&-
                [[ $output == *"--interval: "* ]] || { echo "$interval: $output"; return 1; }
        done
        run -124 timeout 0.3 "$RUNTIME" events --interval 1h1m0.5s "$ID" 3>&-
        [ -z "$output" ]
}

# bats test_tags=qemu
@test "memory, pids and limits are in the numbers, and each kill for want of memory is an event" {
        requires memory pids cpu
        cfg '.linux.resources = {memory: {limit: 33554432, swap: 33554432}, pids: {limit: 55}, cpu: {quota: 50000}}'
        script 'for i in 1 2; do (tail /dev/zero); echo child=$?; done; exec sleep 1000'
        create
        watch_events --interval 1s
        eventually lines_of_type stats 1
        "$RUNTIME" start "$ID" 3>&-
        eventually 60 lines_of_type oom 2
        grep -qx "{\"type\":\"oom\",\"id\":\"$ID\"}" "$EVENTS"
        [ "$(grep -c '"oom"' <(grep '^{"type":"oom"' "$EVENTS"))" = 2 ]
        has_status "$ID" running
        stats '.data.memory | .usage.limit == 33554432 and .swap.limit == 33554432 and .usage.usage > 0 and .usage.max > 16000000
                and .raw.anon > 0 and .event_count.oom_kill == 2'
        stats '.data.pids == {current: 1, limit: 55}'
        stats '.data.cpu.throttling.periods > 0'
        "$RUNTIME" update --memory -1 --pids-limit -1 "$ID" 3>&-
        # more than fits in a signed number
        "$RUNTIME" events --stats "$ID" 3>&- | grep -q '"usage":{"limit":18446744073709551615,'
        stats '.data.pids.limit == 0'
        "$RUNTIME" delete --force "$ID"
        eventually test -s "$EVENTS.status"
        [ "$(cat "$EVENTS.status")" = 0 ]
        # and the kill that ends the container is told before the command ends
        script 'exec tail /dev/zero'
        create
        watch_events --interval 1h
        "$RUNTIME" start "$ID" 3>&-
        eventually 60 test -s "$EVENTS.status"
        lines_of_type oom 1
}
