#!/usr/bin/env bats
# The machines themselves: what every other test takes for granted.

load helpers

# Sets PEER to a runtime of the distribution that runs here: Debian 12's crun raises a limit, for which it needs
# CAP_SYS_RESOURCE.
need_peer() {
        for PEER in crun runc; do
                command -v $PEER >/dev/null || continue
                ! podman --runtime $PEER run --rm --network=none busybox true >/dev/null 2>&1 || return 0
        done
        skip "neither crun nor runc can run here"
}

# bats test_tags=qemu
@test "systemd is running and no unit failed" {
        run -0 systemctl is-system-running --wait
        [ "$output" = running ]
        [ "$(cat /proc/1/comm)" = systemd ]
}

# bats test_tags=qemu
@test "tests are in a unit of the machine's systemd" {
        run -0 grep -c '^0::/system\.slice/.*\.service' /proc/self/cgroup
}

# bats test_tags=qemu
@test "the journal keeps what a service writes" {
        systemd-run --quiet --wait --unit="smoke-$ID" echo "written by $ID"
        eventually sh -c "journalctl --no-pager -u smoke-$ID | grep -q 'written by $ID'"
}

# bats test_tags=qemu
@test "the memory, pids and cpu controllers are there" {
        requires memory pids cpu
        run -0 systemd-run --quiet --wait --pipe -p MemoryMax=64M -p TasksMax=50 -p CPUQuota=50% \
                sh -c 'cd /sys/fs/cgroup/system.slice/$(sed "s|.*/||" /proc/self/cgroup | tail -n 1) && cat memory.max pids.max cpu.max'
        [ "${lines[0]}" = 67108864 ]
        [ "${lines[1]}" = 50 ]
        [ "${lines[2]}" = "50000 100000" ]
}

@test "a bundle has a config and a root file system" {
        cfg '.process.args = ["echo", "hello"]'
        run -0 jq -r '.process.args[1]' "$BUNDLE/config.json"
        [ "$output" = hello ]
        [ "$(chroot "$BUNDLE/rootfs" /bin/echo hello)" = hello ]
}

@test "nothing is left of a container that never was" {
        assert_nothing_left "$ID"
}

@test "what is left is found" {
        systemd-run --quiet --unit="smoke-$ID" sleep 60
        mkdir -p "/run/unitrun/$ID" "$BUNDLE/m"
        mount -t tmpfs tmpfs "$BUNDLE/m"
        run assert_nothing_left "$ID"
        umount "$BUNDLE/m"
        rmdir "/run/unitrun/$ID"
        systemctl stop "smoke-$ID"
        [ "$status" -eq 1 ]
        for what in unit process mount cgroup "state directory"; do
                [[ $output == *"a $what of $ID left"* ]]
        done
        assert_nothing_left "$ID"
}

# bats test_tags=qemu
@test "podman runs a container with the distribution's runtime" {
        busybox_image
        need_peer
        run -7 podman --runtime "$PEER" run --rm --network=none busybox sh -c 'echo hello; exit 7'
        [ "$output" = hello ]
}

@test "podman's bridge network works" {
        busybox_image
        need_peer
        run -0 podman --runtime "$PEER" run --rm --network=bridge busybox ip -o -4 addr show eth0
        [[ $output == *"inet 10.88."* ]]
}
