#!/usr/bin/env bats
# What podman's options give to a container on unitrun.
# shellcheck disable=SC2016,SC2030,SC2031,SC2086 # each test is a function

load helpers
load container
load podman

@test "without a network there is only the loopback" {
        run -0 podman_run --rm busybox sh -c 'ls /sys/class/net; ip -o -4 addr show lo'
        [ "${lines[0]}" = lo ]
        [[ ${lines[1]} == *127.0.0.1* ]]
}

@test "containers on the bridge reach each other, and a published port" {
        first=$(podman_do run -d --network=bridge -p 18080:80 busybox sh -c 'mkdir /www; echo hello >/www/index.html; httpd -f -p 80 -h /www')
        address=$(podman inspect -f '{{.NetworkSettings.IPAddress}}' $first)
        eventually sh -c "podman --runtime $RUNTIME run --rm --network=bridge busybox wget -q -O - http://$address/ 3>&- | grep -q hello"
        run -0 busybox wget -q -O - "http://$address/"
        [ "$output" = hello ]
        podman_do rm -f -t 0 $first
        [ -z "$(ip -o link show type veth)" ]
}

@test "a read-only container can write where it is meant to" {
        run podman_run --rm --read-only busybox sh -c 'touch /x; touch /tmp/x && touch /run/x && touch /dev/shm/x && echo fine'
        [[ $output == *"Read-only file system"*fine* ]]
}

@test "the user is a number, a name or both, with groups" {
        run -0 podman_run --rm --user 1000:2000 busybox id
        [[ $output == uid=1000*gid=2000* ]]
        run -0 podman_run --rm --user root --group-add 77 busybox id -G
        [[ " $output " == *" 77 "* ]]
        run -0 podman_run --rm --user 1000 busybox sh -c 'grep CapEff /proc/self/status; echo x >/dev/stdout'
        [[ ${lines[0]} == *0000000000000000 ]]
        run podman_run --rm --user nosuchuser busybox true
        [ "$status" -ne 0 ]
}

@test "capabilities can be dropped and added" {
        run -0 podman_run --rm --cap-drop=all busybox grep CapBnd /proc/self/status
        [[ $output == *0000000000000000 ]]
        run -0 podman_run --rm --cap-drop=all --cap-add=chown busybox grep CapEff /proc/self/status
        [[ $output == *0000000000000001 ]]
        run -0 podman_run --rm --cap-drop=chown busybox sh -c 'chown 1:1 /tmp 2>&1 || true'
        [[ $output == *"not permitted"* ]]
        run -0 podman_run --rm busybox grep CapInh /proc/self/status
        [[ $output == *0000000000000000 ]]
}

@test "limits of the process are set" {
        run -0 podman_run --rm --ulimit nofile=100:200 --ulimit core=0:0 --ulimit nproc=4096:4096 busybox sh -c 'ulimit -Sn; ulimit -Hn; ulimit -c'
        [ "$(xargs <<<"$output")" = "100 200 0" ]
}

@test "volumes are the host's directories, read-only on request" {
        mkdir "$BATS_TEST_TMPDIR/volume"
        echo hello >"$BATS_TEST_TMPDIR/volume/file"
        run -0 podman_run --rm -v "$BATS_TEST_TMPDIR/volume:/vol" busybox sh -c 'cat /vol/file; echo changed >/vol/file'
        [ "$output" = hello ]
        [ "$(cat "$BATS_TEST_TMPDIR/volume/file")" = changed ]
        run podman_run --rm -v "$BATS_TEST_TMPDIR/volume:/vol:ro" busybox sh -c 'echo x >/vol/file'
        [[ $output == *"Read-only file system"* ]]
        run -0 podman_run --rm -v "$ID:/named" busybox sh -c 'echo x >/named/file'
        run -0 podman_run --rm -v "$ID:/named" busybox cat /named/file
        [ "$output" = x ]
        podman volume rm "$ID"
        run -0 podman_run --rm --mount "type=bind,src=$BATS_TEST_TMPDIR/volume,dst=/vol,ro,bind-propagation=rslave" busybox cat /vol/file
}

@test "a tmpfs has its options" {
        run -0 podman_run --rm --tmpfs /mnt:size=1m,mode=1750 busybox sh -c 'stat -c %a /mnt; df -k /mnt | tail -n 1 | tr -s " " | cut -d" " -f2'
        [ "$(xargs <<<"$output")" = "1750 1024" ]
        # with what the image has there
        run -0 podman_run --rm --tmpfs /etc busybox ls /etc/passwd
}

@test "kernel settings are the container's" {
        run -0 podman_run --rm --sysctl net.ipv4.ip_forward=1 --sysctl kernel.msgmax=12345 busybox cat /proc/sys/net/ipv4/ip_forward /proc/sys/kernel/msgmax
        [ "$(xargs <<<"$output")" = "1 12345" ]
}

@test "a user namespace of podman's choice maps root away" {
        grep -q '^containers:' /etc/subuid || { echo containers:200000:200000 >>/etc/subuid; echo containers:200000:200000 >>/etc/subgid; }
        cid=$(podman_do run -d --network=none --userns=auto busybox sleep 1000)
        uid=$(stat -c %u "/proc/$(podman inspect -f '{{.State.Pid}}' $cid)")
        [ "$uid" -ge 100000 ]
        run -0 podman_do run --rm --network=none --userns=auto busybox sh -c 'id -u; touch /x && stat -c %u /x; cut -c 1-10 /proc/self/uid_map'
        [ "${lines[0]} ${lines[1]}" = "0 0" ]
}

@test "a user namespace with given mappings" {
        run -0 podman_do run --rm --network=none --uidmap 0:100000:1000 --gidmap 0:200000:1000 busybox sh -c 'id -u; echo $(cat /proc/self/uid_map) $(cat /proc/self/gid_map)'
        [ "${lines[0]}" = 0 ]
        [ "${lines[1]}" = "0 100000 1000 0 200000 1000" ]
        run -0 podman_do run --rm --network=bridge --uidmap 0:100000:1000 busybox ip -o -4 addr show eth0
        [[ $output == *10.88.* ]]
}

@test "podman's default seccomp profile is at work" {
        run -0 podman_run --rm busybox grep Seccomp: /proc/self/status
        [[ $output == *2 ]]
        run podman_run --rm busybox unshare -m true
        [ "$status" -ne 0 ]
        run -0 podman_run --rm --security-opt seccomp=unconfined busybox grep Seccomp: /proc/self/status
        [[ $output == *0 ]]
}

@test "security options and the oom score reach the program" {
        run -0 podman_run --rm --security-opt no-new-privileges busybox grep NoNewPrivs /proc/self/status
        [[ $output == *1 ]]
        run -0 podman_run --rm --oom-score-adj 123 busybox cat /proc/self/oom_score_adj
        [ "$output" = 123 ]
}

@test "host name, environment, working directory and entry point" {
        run -0 podman_run --rm --hostname inside -e A=b -w /tmp --entrypoint sh busybox -c 'hostname; echo $A; pwd'
        [ "$(xargs <<<"$output")" = "inside b /tmp" ]
}

@test "devices of the host are there, and may be used" {
        run -0 podman_run --rm --device /dev/fuse:/dev/myfuse:rw busybox sh -c 'stat -c %t:%T /dev/myfuse && true <>/dev/myfuse && echo open'
        [ "$(xargs <<<"$output")" = "a:e5 open" ]
}

@test "a privileged container has everything" {
        run -0 podman_run --rm --privileged busybox sh -c 'mkdir /mnt; mount -t tmpfs x /mnt && echo mounted; test -w /proc/sys/kernel/hostname && echo writable'
        [ "$(xargs <<<"$output")" = "mounted writable" ]
}

@test "the host's namespaces on request" {
        run -0 podman_do run --rm --network=host --pid=host --ipc=host --uts=host busybox sh -c 'for n in net pid ipc uts; do readlink /proc/self/ns/$n; done'
        for ns in net pid ipc uts; do
                [[ $output == *"$(readlink /proc/self/ns/$ns)"* ]]
        done
}

@test "a container's systemd would find its control groups" {
        run -0 podman_run --rm --systemd=always busybox sh -c 'mkdir /sys/fs/cgroup/init.scope && echo 1 >/sys/fs/cgroup/init.scope/cgroup.procs && grep ^0:: /proc/1/cgroup; echo $container; mount | grep -c " on /run "'
        [ "${lines[0]}" = 0::/init.scope ]
}

@test "journalctl and systemctl know the container by podman's names" {
        cid=$(podman_do run -d --network=none --name "$ID" busybox sleep 1000)
        run -0 systemctl --no-pager status "libpod-$cid.service"
        [[ $output == *"active (running)"* && $output == *"sleep 1000"* ]]
        [[ $(property_of "libpod-$cid.service" Description) == *"${cid:0:12}"* ]]
}

@test "podman update changes the unit, or says why it can't" {
        cid=$(podman_do run -d --network=none --name "$ID" busybox sleep 1000)
        if grep -qw memory "$CGROUPS/cgroup.controllers"; then
                run -0 podman_do update --memory 64m "$ID"
                has_property "libpod-$cid.service" MemoryMax 67108864
                has_property "libpod-$cid.service" NeedDaemonReload no
        else
                run -125 podman_do update --memory 64m "$ID"
                [[ $output == *"memory.limit: controller 'memory' is not available"* ]]
        fi
}
