#!/usr/bin/env bats
# The container's namespaces: new ones, shared ones, and those of another container.
# shellcheck disable=SC2016,SC2030,SC2031 # each test is a function

load helpers
load container

# ns PID TYPE
ns() {
        readlink "/proc/$1/ns/$2"
}

# without TYPE…: the config asks for no namespace of these types
without() {
        local type
        for type; do cfg --arg type "$type" '.linux.namespaces |= map(select(.type != $type))'; done
}

# join TYPE PATH
join() {
        cfg --arg type "$1" --arg path "$2" '.linux.namespaces |= map(select(.type != $type)) + [{type: $type, path: $path}]'
}

# mapped HOST-ID SIZE: a user namespace in which root is HOST-ID
mapped() {
        cfg --argjson id "$1" --argjson size "$2" '.linux.namespaces += [{type: "user"}]
                | .linux.uidMappings = [{containerID: 0, hostID: $id, size: $size}]
                | .linux.gidMappings = .linux.uidMappings'
        chown -R "$1:$1" "$BUNDLE/rootfs"
}

@test "namespaces that are asked for are new, the others are the caller's" {
        program sleep 100
        run_detached
        pid=$(pid_of "$ID")
        for type in pid net ipc uts mnt cgroup; do
                [ "$(ns "$pid" $type)" != "$(ns self $type)" ] || { echo $type; return 1; }
        done
        [ "$(ns "$pid" user)" = "$(ns self user)" ]
        "$RUNTIME" delete -f "$ID"
        without network ipc uts pid cgroup
        cfg 'del(.hostname)'
        run_detached
        pid=$(pid_of "$ID")
        for type in pid net ipc uts user cgroup; do
                [ "$(ns "$pid" $type)" = "$(ns self $type)" ] || { echo $type; return 1; }
        done
}

@test "the first process of a pid namespace is the program" {
        script 'echo $$; ps -o pid,comm | tail -n +2 | wc -l'
        run_container
        [ "${lines[0]}" = 1 ]
}

@test "the host name and the domain name are the container's own" {
        script 'hostname; cat /proc/sys/kernel/domainname'
        cfg '.hostname = "inside" | .domainname = "example.org"'
        was=$(hostname)
        run_container
        [ "$output" = "inside
example.org" ]
        [ "$(hostname)" = "$was" ]
        without uts
        run_container -1
        [[ $output == *hostname* ]]
}

@test "a network namespace has a loopback that is up" {
        script 'ip -o link show lo; ping -c 1 -W 1 127.0.0.1'
        cfg '.process.capabilities.bounding += ["CAP_NET_RAW"] | .process.capabilities.effective += ["CAP_NET_RAW"] | .process.capabilities.permitted += ["CAP_NET_RAW"]'
        run_container
        [[ $output == *LOOPBACK,UP* ]]
        [[ $output == *"1 packets received"* ]]
}

@test "namespaces are joined by path" {
        other=$ID-other
        program sleep 100
        launch "$RUNTIME" run -d -b "$BUNDLE" "$other"
        pid=$(pid_of "$other")
        for type in network:net ipc:ipc uts:uts pid:pid; do
                join "${type%:*}" "/proc/$pid/ns/${type#*:}"
        done
        cfg 'del(.hostname)'
        run_detached
        mine=$(pid_of "$ID")
        for type in net ipc uts pid; do
                [ "$(ns "$mine" $type)" = "$(ns "$pid" $type)" ] || { echo $type; return 1; }
        done
        [ "$(ns "$mine" mnt)" != "$(ns "$pid" mnt)" ]
        # still in its own unit
        [ "$(unit_of "$ID")" = "$UNIT" ]
        "$RUNTIME" kill "$ID" KILL
        eventually has_status "$ID" stopped
        has_status "$other" running
        "$RUNTIME" delete -f "$other"
}

@test "a namespace that was bound to a file is joined" {
        touch "$BATS_TEST_TMPDIR/net"
        unshare --net="$BATS_TEST_TMPDIR/net" ip link set lo up
        join network "$BATS_TEST_TMPDIR/net"
        script 'readlink /proc/self/ns/net'
        run_container
        [ "$output" = "net:[$(stat -L -c %i "$BATS_TEST_TMPDIR/net")]" ]
        umount "$BATS_TEST_TMPDIR/net"
}

@test "a namespace path of the wrong type or of nothing is an error that names it" {
        join network /proc/self/ns/ipc
        run_container -1
        [[ $output == */proc/self/ns/ipc* ]]
        join network /nonexistent/ns
        run_container -1
        [[ $output == */nonexistent/ns*"o such file or directory"* ]]
        join network "$BUNDLE/config.json"
        run_container -1
        [[ $output == *"$BUNDLE/config.json"* ]]
        assert_nothing_left "$ID"
}

@test "a user namespace maps root to another user" {
        mapped 100000 65536
        script 'id -u; id -g; echo $(cat /proc/self/uid_map); echo $(cat /proc/self/gid_map); touch /tmp/made && stat -c %u:%g /tmp/made; exec sleep 100'
        run_detached
        eventually sh -c "[ \$(wc -l <$OUT) -ge 5 ]"
        [ "$(cat "$OUT")" = "0
0
0 100000 65536
0 100000 65536
0:0" ]
        [ "$(stat -c %u:%g "$BUNDLE/rootfs/tmp/made")" = 100000:100000 ]
        [ "$(stat -c %u "/proc/$(pid_of "$ID")")" = 100000 ]
        [ "$(ns "$(pid_of "$ID")" user)" != "$(ns self user)" ]
}

@test "a user namespace may have several ranges, and a user other than root" {
        mapped 100000 1
        cfg '.linux.uidMappings = [{containerID: 0, hostID: 100000, size: 1000}, {containerID: 1000, hostID: 200000, size: 10}]
                | .linux.gidMappings = .linux.uidMappings | .process.user = {uid: 1003, gid: 1004, additionalGids: [5, 1005]}'
        script 'id -u; id -g; id -G'
        run_container
        [ "$output" = "1003
1004
1004 5 1005" ]
}

@test "in a user namespace everything of the default config works" {
        mapped 100000 65536
        script 'stat -c "%F %t:%T %u" /dev/null /dev/tty; cat /sys/fs/cgroup/cgroup.procs | head -n 1; cat /proc/kcore 2>/dev/null | wc -c
                echo x >/dev/null; mount | grep -c "type \(proc\|sysfs\|mqueue\|devpts\|cgroup2\)"'
        run_container
        [ "${lines[0]%% *}" = character ]
        [ "${lines[2]}" = 1 ]
        [ "${lines[3]}" = 0 ]
        [ "${lines[4]}" -ge 5 ]
}

@test "another container's user namespace is joined with the others that belong to it" {
        other=$ID-other
        mapped 100000 65536
        program sleep 100
        launch "$RUNTIME" run -d -b "$BUNDLE" "$other"
        pid=$(pid_of "$other")
        cfg 'del(.linux.uidMappings, .linux.gidMappings, .hostname)'
        for type in user:user network:net ipc:ipc uts:uts; do
                join "${type%:*}" "/proc/$pid/ns/${type#*:}"
        done
        run_detached
        mine=$(pid_of "$ID")
        for type in user net ipc uts; do
                [ "$(ns "$mine" $type)" = "$(ns "$pid" $type)" ] || { echo $type; return 1; }
        done
        [ "$(stat -c %u "/proc/$mine")" = 100000 ]
        "$RUNTIME" delete -f "$other"
}

@test "mappings without a user namespace, and a user namespace without mappings, are errors" {
        cfg '.linux.uidMappings = [{containerID: 0, hostID: 100000, size: 10}]'
        run_container -1
        [[ $output == *uidMappings* ]]
        cfg '.linux.namespaces += [{type: "user"}] | .linux.uidMappings = []'
        run_container -1
        [[ $output == *appings* ]]
        assert_nothing_left "$ID"
}

@test "a user that is not mapped is an error that names the user" {
        mapped 100000 10
        cfg '.process.user = {uid: 4711, gid: 0}'
        run_container -1
        [[ $output == *4711* ]]
}

@test "a cgroup namespace makes the container's group the root" {
        script 'grep ^0:: /proc/self/cgroup'
        run_container
        [ "$output" = 0::/ ]
        without cgroup
        run_container
        [[ $output == 0::*/"$UNIT"/payload ]]
}

@test "a time namespace has its offsets" {
        [ -e /proc/self/ns/time ] || skip "needs time namespaces in the kernel"
        cfg '.linux.namespaces += [{type: "time"}] | .linux.timeOffsets = {boottime: {secs: 1000000}, monotonic: {secs: 2000000, nanosecs: 5}}'
        script 'cut -d. -f1 /proc/uptime; echo $(cat /proc/self/timens_offsets)'
        run_container
        [ "${lines[0]}" -ge 1000000 ]
        [[ ${lines[1]} == "monotonic 2000000 5 boottime 1000000 0" ]]
        cfg '.linux.namespaces |= map(select(.type != "time"))'
        run_container -1
        [[ $output == *timeOffsets* ]]
}

@test "the same namespace twice is an error" {
        cfg '.linux.namespaces += [{type: "pid"}]'
        run_container -1
        [[ $output == *namespaces*pid* ]]
}

@test "kernel settings are made in the container's namespaces and nowhere else" {
        script 'cat /proc/sys/net/ipv4/ip_forward /proc/sys/net/ipv4/ping_group_range /proc/sys/kernel/msgmax'
        cfg '.linux.sysctl = {"net.ipv4.ip_forward": "1", "net.ipv4.ping_group_range": "0 0", "kernel.msgmax": "12345"}'
        was=$(cat /proc/sys/net/ipv4/ip_forward /proc/sys/kernel/msgmax)
        run_container
        [ "$(xargs <<<"$output")" = "1 0 0 12345" ]
        [ "$(cat /proc/sys/net/ipv4/ip_forward /proc/sys/kernel/msgmax)" = "$was" ]
}

@test "kernel settings that would be the host's are refused by name" {
        for name in vm.swappiness kernel.panic fs.file-max; do
                cfg --arg name $name '.linux.sysctl = {($name): "1"}'
                run_container -1
                [[ $output == *"$name"* ]]
        done
        cfg '.linux.sysctl = {"net.ipv4.ip_forward": "1"}'
        without network
        run_container -1
        [[ $output == *net.ipv4.ip_forward*network* ]]
        cfg '.linux.sysctl = {"kernel.msgmax": "1"}'
        without ipc
        run_container -1
        [[ $output == *kernel.msgmax*ipc* ]]
}

@test "a value that a kernel setting does not take is an error that names it" {
        cfg '.linux.sysctl = {"net.ipv4.ip_forward": "many"}'
        run_container -1
        [[ $output == *net.ipv4.ip_forward* ]]
        cfg '.linux.sysctl = {"net.ipv4.no_such_thing": "1"}'
        run_container -1
        [[ $output == *net.ipv4.no_such_thing* ]]
        cfg '.linux.sysctl = {"net.ipv4/../../kernel.panic": "1"}'
        run_container -1
        assert_nothing_left "$ID"
}
