#!/usr/bin/env bats
# linux.netDevices: network devices of the host that become the container's.
# shellcheck disable=SC2016,SC2030,SC2031 # each test is a function

load helpers
load container

# devices NAME…: devices of the host, each an end of a pair
devices() {
        local name
        DEVICES=("$@")
        for name; do
                ip link del "$name-peer" 2>/dev/null || true
                ip link add "$name" type veth peer name "$name-peer"
        done
}

teardown() {
        local bad=0 name
        [ -n "${BATS_TEST_COMPLETED:-}" ] || show_failure
        "$RUNTIME" delete --force "$ID" || bad=1
        ip netns del "$ID" 2>/dev/null || true
        assert_nothing_left "$ID" || bad=1
        for name in "${DEVICES[@]}"; do
                ip link del "$name-peer" 2>/dev/null || true
        done
        return $bad
}

# inner COMMAND…: the host's ip in the container's network namespace
inner() {
        nsenter --net="/proc/$(pid_of "$ID")/ns/net" "$@"
}

# addresses DEVICE [inner]: those of global scope, sorted
addresses() {
        ${2:-} ip -json address show dev "$1" | jq -r '[.[].addr_info[] | select(.scope == "global") | "\(.local)/\(.prefixlen)"] | sort | join(" ")'
}

@test "a device is the container's, renamed, with its addresses, its MTU and its MAC, and up" {
        devices ut-a ut-b
        ip link set ut-a mtu 1400 address 02:00:00:00:00:17
        ip address add 10.9.8.7/24 broadcast 10.9.8.255 dev ut-a
        ip address add fd00:9::7/64 dev ut-a
        ip address add 169.254.9.9/16 scope link dev ut-a
        ip link set ut-a up
        cfg '.linux.netDevices = {"ut-a": {"name": "eth0"}, "ut-b": {}}'
        program sleep 100
        create
        ! ip link show ut-a 2>/dev/null || return 1
        ! ip link show ut-b 2>/dev/null || return 1
        [ "$(inner ip -json link show eth0 | jq '.[0].mtu')" = 1400 ]
        inner ip -json link show eth0 | jq -e '.[0].address == "02:00:00:00:00:17" and (.[0].flags | index("UP"))'
        inner ip -json link show ut-b | jq -e '.[0].flags | index("UP")'
        [ "$(addresses eth0 inner)" = "10.9.8.7/24 fd00:9::7/64" ]
        inner ip -json -4 address show dev eth0 | jq -e '.[].addr_info[] | .broadcast == "10.9.8.255"'
        # what is of this link alone is not taken along
        ! inner ip address show dev eth0 | grep 169.254 || return 1
        "$RUNTIME" start "$ID"
        run -0 "$RUNTIME" exec "$ID" ls /sys/class/net 3>&-
        [[ $output == *eth0* ]]
}

@test "into a user namespace, and into a network namespace that is joined" {
        devices ut-a ut-b
        program sleep 100
        cfg '.linux.namespaces += [{type: "user"}] | .linux.uidMappings = [{containerID: 0, hostID: 100000, size: 65536}]
                | .linux.gidMappings = .linux.uidMappings | .linux.netDevices = {"ut-a": {"name": "net0"}}'
        create
        inner ip link show net0
        "$RUNTIME" delete --force "$ID"
        cfg '.linux.namespaces |= map(select(.type != "user")) | del(.linux.uidMappings) | del(.linux.gidMappings)'
        ip netns add "$ID"
        cfg --arg path "/run/netns/$ID" '.linux.namespaces |= map(if .type == "network" then .path = $path else . end)
                | .linux.netDevices = {"ut-b": {}}'
        create
        ip -n "$ID" link show ut-b
}

@test "a create that fails gives every device back as it was" {
        devices ut-a ut-b
        ip address add 10.9.8.7/24 dev ut-a
        ip link set ut-a up
        program sleep 100
        # at the last device
        cfg '.linux.netDevices = {"ut-a": {"name": "eth0"}, "ut-b": {"name": "lo"}}'
        create -1
        [[ $output == *"config.json: linux.netDevices.ut-b: the container's network namespace has a 'lo' already"* ]]
        [ "$(addresses ut-a)" = 10.9.8.7/24 ]
        ip -json link show ut-a | jq -e '.[0].flags | index("UP")'
        ip -json link show ut-b | jq -e '.[0].flags | index("UP") | not'
        # and after the last one
        cfg '.linux.netDevices = {"ut-a": {"name": "eth0"}, "ut-b": {}}'
        hook createContainer 'exit 1'
        create -1
        [ "$(addresses ut-a)" = 10.9.8.7/24 ]
        ip link show ut-b
        assert_nothing_left "$ID"
}

@test "what can't be moved is an error that names it" {
        devices ut-a
        program true
        cfg '.linux.netDevices = {"ut-none": {}}'
        create -1
        [[ $output == *"config.json: linux.netDevices.ut-none: there is no such network device"* ]]
        cfg '.linux.netDevices = {"lo": {"name": "lo1"}}'
        create -1
        [[ $output == *"config.json: linux.netDevices.lo: cannot move the device to the container: "* ]]
        cfg '.linux.netDevices = {"ut-a": {"name": "x"}, "lo": {"name": "x"}}'
        create -1
        [[ $output == *"linux.netDevices."*".name: 'x' is the name of another device already"* ]]
        cfg '.linux.netDevices = {"ut-a": {}} | .linux.namespaces |= map(select(.type != "network"))'
        create -1
        [[ $output == *"config.json: linux.netDevices: there is no network namespace among the namespaces to move them to"* ]]
        ip link show ut-a
        assert_nothing_left "$ID"
}
