#!/usr/bin/env bats
# What the container sees: its root, mounts, devices, and what is hidden from it.
# shellcheck disable=SC2016,SC2030,SC2031 # each test is a function

load helpers
load container

# options_of DESTINATION: of the mount there, as the container sees it
options_of() {
        inside "grep ' $1 ' /proc/self/mountinfo | tail -n 1 | sed 's/ - .*//' | cut -d' ' -f6-"
}

@test "nothing of the host's files is in the container" {
        inside 'ls /; cat /proc/self/mountinfo | cut -d" " -f5'
        [[ $output != */checkout* ]]
        [[ $output != *"$BATS_RUN_TMPDIR"* ]]
        inside 'ls /proc/1/root/; ls -d /..; ls /../..'
        [[ $output != *checkout* ]]
        inside 'chroot /proc/1/root ls /'
        [[ $output != *checkout* ]]
}

@test "the mounts of the default config are there, each of its type" {
        inside 'awk "{print \$2, \$3}" /proc/mounts'
        for mount in "/proc proc" "/sys sysfs" "/dev tmpfs" "/dev/pts devpts" "/dev/mqueue mqueue" "/dev/shm tmpfs" "/sys/fs/cgroup cgroup2"; do
                grep -qx "$mount" <<<"$output" || { echo "no $mount in $output"; return 1; }
        done
}

@test "a read-only root cannot be written, the mounts in it can" {
        cfg '.root.readonly = true'
        inside 'touch /x; touch /dev/shm/x && echo shm'
        [[ $output == *"Read-only file system"* ]]
        [ "${lines[-1]}" = shm ]
}

@test "the root's propagation is not shared unless the config says otherwise" {
        inside 'grep " / / " /proc/self/mountinfo || grep " / " /proc/self/mountinfo | head -n 1'
        [[ $output != *shared:* ]]
        for propagation in slave:master: rslave:master: shared:shared: private:; do
                cfg --arg propagation "${propagation%%:*}" '.linux.rootfsPropagation = $propagation'
                inside 'awk "\$5 == \"/\"" /proc/self/mountinfo'
                if [ -n "${propagation#*:}" ]; then [[ $output == *${propagation#*:}* ]]; else [[ $output != *[rd]:* ]]; fi ||
                        { echo "$propagation: $output"; return 1; }
        done
}

@test "a root that is not there, or no directory, is an error that names it" {
        for path in nonexistent config.json "$BUNDLE/nothing" ''; do
                cfg --arg path "$path" '.root.path = $path'
                run_container -1
                [[ $output == *"$path"* ]]
                [ -n "$path" ] || [[ $output == *root.path* ]]
        done
        assert_nothing_left "$ID"
}

@test "the root's path may be absolute or relative to the bundle" {
        cfg --arg path "$BUNDLE/rootfs" '.root.path = $path'
        inside 'echo yes'
        [ "$output" = yes ]
        cfg '.root.path = "./rootfs/../rootfs"'
        cd /
        inside 'echo yes'
        [ "$output" = yes ]
        [ "$(ls "$BUNDLE")" = "config.json
rootfs" ]
}

@test "mount options become the flags of the mount" {
        mkdir "$BATS_TEST_TMPDIR/source"
        while read -r given wanted; do
                cfg '.mounts |= map(select(.destination != "/mnt"))'
                mounted /mnt bind "$BATS_TEST_TMPDIR/source" bind "$given"
                options_of /mnt
                for option in $wanted; do
                        [[ ,${output%% *}, == *,$option,* ]] || { echo "$given: $output"; return 1; }
                done
        done <<OPTIONS
ro ro
nosuid nosuid
nodev nodev
noexec noexec
noatime noatime
nodiratime nodiratime
relatime relatime
ro
OPTIONS
        cfg '.mounts |= map(select(.destination != "/mnt"))'
        mounted /mnt bind "$BATS_TEST_TMPDIR/source" rbind ro nosuid nodev noexec
        options_of /mnt
        [[ ${output%% *} == ro,nosuid,nodev,noexec* ]]
}

@test "a bind mount shows the host's directory, for writing unless it is ro" {
        mkdir "$BATS_TEST_TMPDIR/source"
        echo hello >"$BATS_TEST_TMPDIR/source/file"
        mounted /mnt bind "$BATS_TEST_TMPDIR/source" bind rw
        inside 'cat /mnt/file; echo changed >/mnt/file'
        [ "$output" = hello ]
        [ "$(cat "$BATS_TEST_TMPDIR/source/file")" = changed ]
        cfg '.mounts[-1].options = ["bind", "ro"]'
        inside 'echo again >/mnt/file; true'
        [ "$(cat "$BATS_TEST_TMPDIR/source/file")" = changed ]
}

@test "a bind mount of a file makes its target" {
        echo hello >"$BATS_TEST_TMPDIR/file"
        mounted /made/of/nothing bind "$BATS_TEST_TMPDIR/file" bind ro
        inside 'cat /made/of/nothing'
        [ "$output" = hello ]
        [ -f "$BUNDLE/rootfs/made/of/nothing" ]
}

@test "rbind takes what is mounted below, bind does not" {
        mkdir -p "$BATS_TEST_TMPDIR/source/below"
        mount -t tmpfs tmpfs "$BATS_TEST_TMPDIR/source/below"
        touch "$BATS_TEST_TMPDIR/source/below/file"
        mounted /mnt none "$BATS_TEST_TMPDIR/source" rbind
        inside 'ls /mnt/below'
        [ "$output" = file ]
        cfg '.mounts[-1].options = ["bind"]'
        inside 'ls /mnt/below'
        [ "$output" = "" ]
        # ro is for the top one, rro for all
        cfg '.mounts[-1].options = ["rbind", "ro"]'
        inside 'touch /mnt/below/new && echo written; touch /mnt/new 2>/dev/null || echo refused'
        [ "$output" = "written
refused" ]
        cfg '.mounts[-1].options = ["rbind", "rro"]'
        inside 'touch /mnt/below/new2 2>/dev/null || echo refused; touch /mnt/new 2>/dev/null || echo refused'
        [ "$output" = "refused
refused" ]
        umount "$BATS_TEST_TMPDIR/source/below"
}

@test "mounts that the host makes later reach the container only through a slave or shared one" {
        mkdir -p "$BATS_TEST_TMPDIR/source/later"
        for propagation in rprivate: rslave:file rshared:file; do
                cfg '.mounts |= map(select(.destination != "/mnt"))'
                mounted /mnt bind "$BATS_TEST_TMPDIR/source" rbind "${propagation%:*}"
                script 'echo ready; read go </tmp/go; ls /mnt/later >/tmp/seen'
                rm -f "$BUNDLE/rootfs/tmp/go"
                mkfifo "$BUNDLE/rootfs/tmp/go"
                run_detached
                eventually file_has "$OUT" ready
                mount -t tmpfs tmpfs "$BATS_TEST_TMPDIR/source/later"
                touch "$BATS_TEST_TMPDIR/source/later/file"
                echo go >"$BUNDLE/rootfs/tmp/go"
                eventually has_status "$ID" stopped
                "$RUNTIME" delete "$ID"
                umount "$BATS_TEST_TMPDIR/source/later"
                [ "$(cat "$BUNDLE/rootfs/tmp/seen")" = "${propagation#*:}" ] || { echo "$propagation"; return 1; }
        done
}

@test "a tmpfs has the size, mode and owner of its options, and what was there with tmpcopyup" {
        mounted /mnt tmpfs tmpfs size=1m mode=1750 uid=11 gid=22 nosuid
        inside 'stat -c "%a %u %g" /mnt; df -k /mnt | tail -n 1 | tr -s " " | cut -d" " -f2'
        [ "$output" = "1750 11 22
1024" ]
        mkdir "$BUNDLE/rootfs/full"
        echo there >"$BUNDLE/rootfs/full/file"
        mounted /full tmpfs tmpfs tmpcopyup
        inside 'cat /full/file; echo changed >/full/file'
        [ "$output" = there ]
        [ "$(cat "$BUNDLE/rootfs/full/file")" = there ]
}

@test "mounts are made in order, one on top of another" {
        mkdir "$BATS_TEST_TMPDIR/source"
        touch "$BATS_TEST_TMPDIR/source/file"
        mounted /mnt tmpfs tmpfs
        mounted /mnt/deeper/still bind "$BATS_TEST_TMPDIR/source" bind
        inside 'ls /mnt/deeper/still'
        [ "$output" = file ]
        [ -z "$(ls -A "$BUNDLE/rootfs/mnt")" ]
}

@test "links in the root lead nowhere out of it" {
        outside=$BATS_TEST_TMPDIR/outside
        mkdir "$outside"
        ln -s "$outside" "$BUNDLE/rootfs/absolute"
        ln -s "../../../../../../../../../..$outside" "$BUNDLE/rootfs/relative"
        mounted /absolute/new tmpfs tmpfs
        mounted /relative/other tmpfs tmpfs
        inside "ls $outside"
        [ "$output" = "new
other" ]
        [ -z "$(ls -A "$outside")" ]
        # nor does the root's own /dev or /proc
        rm -rf "$BUNDLE/rootfs/dev"
        ln -s "$outside" "$BUNDLE/rootfs/dev"
        run "$RUNTIME" run -b "$BUNDLE" "$ID" </dev/null 3>&-
        [ -z "$(ls -A "$outside")" ]
}

@test "a mount that cannot be made is an error that says which and why" {
        mounted /mnt bind /nonexistent/source bind
        run_container -1
        [[ $output == */nonexistent/source*"o such file or directory"* ]]
        cfg '.mounts[-1] = {destination: "/mnt", type: "nosuchfs", source: "x"}'
        run_container -1
        [[ $output == */mnt* ]]
        cfg '.mounts[-1] = {destination: "/mnt", type: "tmpfs", source: "x", options: ["nosuchoption=1"]}'
        run_container -1
        [[ $output == */mnt* ]]
        assert_nothing_left "$ID"
}

@test "the control groups are read-only, unless asked for, and their root is the container's" {
        inside 'cat /sys/fs/cgroup/cgroup.procs | head -n 1; mkdir /sys/fs/cgroup/x; true'
        [ "${lines[0]}" = 1 ]
        [[ $output == *"Read-only file system"* ]]
        cfg '(.mounts[] | select(.destination == "/sys/fs/cgroup") | .options) |= map(if . == "ro" then "rw" else . end)'
        inside 'mkdir -p /sys/fs/cgroup/x/y && echo 1 >/sys/fs/cgroup/x/cgroup.procs && grep ^0:: /proc/self/cgroup'
        [ "$output" = 0::/x ]
        assert_nothing_left "$ID"
}

@test "the devices and links of the spec are there, for everybody" {
        inside 'cd /dev; stat -c "%n %t:%T %a" null zero full random urandom tty; for l in fd stdin stdout stderr ptmx; do echo "$l $(readlink $l)"; done'
        [ "$output" = "null 1:3 666
zero 1:5 666
full 1:7 666
random 1:8 666
urandom 1:9 666
tty 5:0 666
fd /proc/self/fd
stdin /proc/self/fd/0
stdout /proc/self/fd/1
stderr /proc/self/fd/2
ptmx pts/ptmx" ]
        inside 'echo x >/dev/null; head -c 3 /dev/zero | wc -c; echo out >/dev/stdout; echo x >/dev/full; true'
        [ "${lines[0]}" = 3 ]
        [ "${lines[1]}" = out ]
}

@test "devices of the config have their numbers, mode and owner" {
        cfg '.linux.devices = [{path: "/dev/fuse", type: "c", major: 10, minor: 229, fileMode: 432, uid: 7, gid: 8},
                {path: "/dev/deep/er", type: "b", major: 7, minor: 99}, {path: "/tmp/pipe", type: "p", fileMode: 384}]'
        inside 'stat -c "%F %t:%T %a %u %g" /dev/fuse /dev/deep/er; stat -c "%F %a" /tmp/pipe'
        [ "$output" = "character special file a:e5 660 7 8
block special file 7:63 666 0 0
fifo 600" ]
}

@test "a device that is not allowed cannot be opened, one that is can" {
        systemd-run --quiet --wait -p DevicePolicy=strict sh -c '! test -w /dev/net/tun' || skip "needs BPF programs for devices"
        cfg '.linux.devices = [{path: "/dev/tun", type: "c", major: 10, minor: 200, fileMode: 438}, {path: "/dev/fuse", type: "c", major: 10, minor: 229, fileMode: 438}]
                | .linux.resources.devices = [{allow: false, access: "rwm"}, {allow: true, type: "c", major: 10, minor: 200, access: "rw"}]'
        inside 'true <>/dev/tun && echo tun; true <>/dev/null && echo null; true <>/dev/fuse; true'
        [[ $output == *tun* && $output == *null* ]]
        [[ $output == *"can't open /dev/fuse"* || $output == *"not permitted"* ]]
}

@test "masked paths are empty, read-only paths cannot be written" {
        echo secret >"$BUNDLE/rootfs/secret"
        mkdir "$BUNDLE/rootfs/hidden" "$BUNDLE/rootfs/fixed"
        touch "$BUNDLE/rootfs/hidden/file" "$BUNDLE/rootfs/fixed/file"
        cfg '.linux.maskedPaths += ["/secret", "/hidden", "/no/such"] | .linux.readonlyPaths += ["/fixed", "/no/such"]'
        inside 'cat /secret; ls /hidden; touch /hidden/x || echo no; ls /fixed; touch /fixed/x || echo no; cat /proc/kcore | wc -c; echo 1 >/proc/sys/kernel/panic || echo no' 2>&1
        [ "$(grep -v : <<<"$output" | xargs)" = "no file no 0 no" ]
        inside 'stat -L -c %t:%T /secret'
        [ "$output" = 1:3 ]
}

@test "a false /dev/null in the root does not unmask anything" {
        cfg '.mounts |= map(select(.destination != "/dev" and (.destination | startswith("/dev/") | not)))'
        rm -rf "$BUNDLE/rootfs/dev"
        mkdir "$BUNDLE/rootfs/dev"
        echo unmasked >"$BUNDLE/rootfs/trap"
        ln -s /trap "$BUNDLE/rootfs/dev/null"
        echo secret >"$BUNDLE/rootfs/secret"
        cfg '.linux.maskedPaths = ["/secret"]'
        script 'cat /secret; stat -L -c %t:%T /secret'
        run "$RUNTIME" run -b "$BUNDLE" "$ID" </dev/null 3>&-
        [ "$status" -ne 0 ] || [ "$output" = 1:3 ]
        [[ $output != *secret$'\n'* && $output != *unmasked* ]]
}
