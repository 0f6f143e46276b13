#!/usr/bin/env bats
# podman with containers that have no unit of their own.
# shellcheck disable=SC2016,SC2030,SC2031,SC2086 # each test is a function

load helpers
load container
load podman

@test "podman --cgroup-manager=cgroupfs has its own control groups" {
        run -4 podman_do --cgroup-manager=cgroupfs run --rm --network=none busybox sh -c 'echo out; exit 4'
        [ "$output" = out ]
        cid=$(podman_do --cgroup-manager=cgroupfs run -d --network=none busybox sh -c 'trap "exit 9" TERM; while :; do sleep 0.1; done')
        [[ $(sed -n s/^0:://p "/proc/$(podman inspect -f '{{.State.Pid}}' $cid)/cgroup") == */libpod-$cid/payload ]]
        podman_do --cgroup-manager=cgroupfs stop $cid
        run -0 podman_do wait $cid
        [ "$output" = 9 ]
        podman_do --cgroup-manager=cgroupfs start $cid
        podman_do --cgroup-manager=cgroupfs rm -f -t 0 $cid
        [ -z "$(find $CGROUPS -name "*$cid*")" ]
}

@test "podman --cgroups=disabled leaves the container in the group of its caller" {
        run -3 podman_run --rm --cgroups=disabled busybox sh -c 'echo out; exit 3'
        [ "$output" = out ]
        cid=$(podman_run -d --cgroups=disabled busybox sleep 1000)
        [ -z "$(find $CGROUPS -name "*$cid*")" ]
        podman_do kill -s KILL $cid
        run -0 podman_do wait $cid
        [ "$output" = 137 ]
        podman_do rm $cid
}

@test "podman --cgroups=split puts the container below the delegated unit that podman is in" {
        run -5 systemd-run --quiet --wait --pipe -p Delegate=yes --unit "split-$ID" podman --runtime "$RUNTIME" run --rm --network=none \
                --cgroups=split busybox sh -c 'echo out; exit 5' 3>&-
        [ "$output" = out ]
        systemctl reset-failed "split-$ID.service"
        group=$(systemd-run --quiet --wait --pipe -p Delegate=yes --unit "group-$ID" podman --runtime "$RUNTIME" run --rm --network=none \
                --cgroups=split --cgroupns=host busybox grep ^0:: /proc/self/cgroup 3>&-)
        [[ $group == "0::/system.slice/group-$ID.service/libpod-payload-"*/payload ]]
}

@test "a quadlet is started, is active and stopped by systemd" {
        generator=/usr/lib/systemd/system-generators/podman-system-generator
        [ -x $generator ] || skip "needs quadlet"
        mkdir -p /etc/containers/systemd
        cat >/etc/containers/systemd/quad.container <<'UNIT'
[Container]
Image=localhost/busybox:latest
Network=none
Exec=sh -c "trap 'exit 0' TERM; while :; do sleep 0.1; done"
GlobalArgs=--runtime unitrun
UNIT
        systemctl daemon-reload
        systemctl start quad.service
        unit_is quad.service active
        [[ $(sed -n s/^0:://p "/proc/$(podman inspect -f '{{.State.Pid}}' systemd-quad)/cgroup") == /system.slice/quad.service/libpod-payload-*/payload ]]
        systemctl restart quad.service
        unit_is quad.service active
        systemctl stop quad.service
        unit_is quad.service inactive
        has_property quad.service Result success
        rm /etc/containers/systemd/quad.container
        systemctl daemon-reload
        [ -z "$(find $CGROUPS -name '*libpod-payload*')" ]
}
