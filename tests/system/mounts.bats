#!/usr/bin/env bats
# Options of mounts: flags of the source that stay or go, links, remounts, propagation, order, spelling.
# shellcheck disable=SC2016,SC2030,SC2031 # each test is a function

load helpers
load container

# inside SCRIPT: runs it; $output is what it says
inside() {
        script "$1"
        run_container
}

# mounted DESTINATION TYPE SOURCE OPTION…: one more mount
mounted() {
        local destination=$1 type=$2 source=$3
        shift 3
        cfg --arg d "$destination" --arg t "$type" --arg s "$source" --argjson o "$(json_list "$@")" \
                '.mounts += [{destination: $d, type: $t, source: $s, options: $o}]'
}

# replaced DESTINATION …: likewise, in place of the one that is there
replaced() {
        cfg --arg d "$1" '.mounts |= map(select(.destination != $d))'
        mounted "$@"
}

in_user_namespace() {
        cfg '.linux.namespaces += [{type: "user"}]
                | .linux.uidMappings = [{containerID: 0, hostID: 100000, size: 65536}] | .linux.gidMappings = .linux.uidMappings'
        chown -R 100000:100000 "$BUNDLE/rootfs"
}

# restricted FLAGS: $SOURCE, a mount with just these flags
restricted() {
        mount -o remount,bind,strictatime "$SOURCE"
        mount -o "remount,bind,$1" "$SOURCE"
}

# flags_of DESTINATION: as the container sees them
flags_of() {
        script "awk '\$5 == \"$1\" { print \$6 }' /proc/self/mountinfo"
        run_container
        FLAGS=,$output,
}

# has WORD…, lacks WORD…: $FLAGS
has() {
        local word
        for word; do [[ $FLAGS == *,$word,* ]] || { echo "no $word in $FLAGS"; return 1; }; done
}

lacks() {
        local word
        for word; do [[ $FLAGS != *,$word,* ]] || { echo "$word in $FLAGS"; return 1; }; done
}

make_source() {
        SOURCE=$BATS_TEST_TMPDIR/source
        mkdir "$SOURCE"
        mount -t tmpfs -o mode=755 tmpfs "$SOURCE"
}

@test "a bind mount with flags has these, one without has its source's" {
        make_source
        restricted ro,noexec,nosymfollow,nodiratime
        mounted /mnt bind "$SOURCE" bind
        flags_of /mnt
        has ro noexec nosymfollow nodiratime
        replaced /mnt bind "$SOURCE" bind dev
        flags_of /mnt
        has rw nodiratime
        lacks ro noexec nosymfollow
        restricted nosuid,nodev,noexec,noatime
        replaced /mnt bind "$SOURCE" bind dev suid exec atime
        flags_of /mnt
        has rw noatime
        lacks nosuid nodev noexec
        restricted ro
        replaced /mnt bind "$SOURCE" bind rw nosuid rprivate
        flags_of /mnt
        has rw nosuid
        umount "$SOURCE"
}

@test "access times of a bind mount are its source's, unless one is chosen" {
        local from given wanted
        make_source
        while read -r from given wanted; do
                restricted "$from"
                # shellcheck disable=SC2086 # words
                replaced /mnt bind "$SOURCE" bind ${given//,/ }
                flags_of /mnt
                case $wanted in
                strictatime) lacks noatime relatime nodiratime ;;
                *)
                        # shellcheck disable=SC2086 # words
                        has ${wanted//,/ } ;;
                esac || { echo "$from, $given"; return 1; }
        done <<CASES
noatime norelatime noatime
noatime atime noatime
noatime relatime relatime
noatime nodiratime nodiratime,relatime
nodiratime strictatime strictatime
noatime nodiratime,norelatime nodiratime,relatime
relatime noatime,strictatime strictatime
relatime strictatime,noatime noatime
CASES
        umount "$SOURCE"
}

@test "flags that a user namespace holds locked stay, and taking them away in words is refused by name" {
        local word
        make_source
        in_user_namespace
        restricted ro,nosuid,nodev,noexec,nosymfollow,noatime
        for options in bind "bind rprivate" "bind ro" "bind dev,nodev"; do
                # shellcheck disable=SC2086 # words
                replaced /mnt bind "$SOURCE" ${options//,/ }
                flags_of /mnt
                has ro nosuid nodev noexec noatime
        done
        # one that is not locked goes
        lacks nosymfollow
        for word in rw suid dev exec; do
                replaced /mnt bind "$SOURCE" bind $word
                run_container -1
                [[ $output == *"mounts[7]: option '$word' for '$SOURCE' on '/mnt': Operation not permitted"* ]]
        done
        replaced /mnt bind "$SOURCE" bind strictatime
        run_container -1
        [[ $output == *"mounts[7]: set the options of '$SOURCE' on '/mnt' (options 'bind,strictatime')"*"not permitted"* ]]
        umount "$SOURCE"
        # the root likewise
        mount --bind "$BUNDLE/rootfs" "$BUNDLE/rootfs"
        mount -o remount,bind,nodev,nosuid "$BUNDLE/rootfs"
        mkbundle "$BUNDLE" '.root.readonly = true'
        in_user_namespace
        flags_of /
        has ro nodev nosuid
        umount "$BUNDLE/rootfs"
}

@test "recursive flags reach files, pipes, sockets and what is mounted below" {
        make_source
        mkdir "$SOURCE/below"
        mount -t tmpfs tmpfs "$SOURCE/below"
        echo text >"$SOURCE/file"
        mkfifo "$SOURCE/pipe"
        python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$SOURCE/socket"
        mounted /file bind "$SOURCE/file" rbind rro
        mounted /pipe bind "$SOURCE/pipe" rbind rro
        mounted /socket bind "$SOURCE/socket" rbind rro
        mounted /tree bind "$SOURCE" rbind rnoatime rnosuid rnodev rnoexec rnosymfollow rro
        mounted /other bind "$SOURCE" rbind ro rrw rnodiratime
        inside 'cat /file; echo x >/file || echo refused; for m in /file /pipe /socket /tree /tree/below /other /other/below; do
                awk -v m=$m "\$5 == m { print m, \$6 }" /proc/self/mountinfo; done' 2>&1
        [ "${lines[0]}" = text ]
        [[ $output == *refused* ]]
        for at in /file /pipe /socket; do [[ $output == *"$at ro,"* ]]; done
        for at in /tree /tree/below; do [[ $output == *"$at ro,nosuid,nodev,noexec,noatime,nosymfollow"* ]]; done
        for at in /other /other/below; do [[ $output == *"$at rw,"*nodiratime* ]]; done
        umount "$SOURCE/below" "$SOURCE"
}

@test "links at either end of a bind mount are followed, copied, mounted or covered as the options say" {
        mkdir "$BATS_TEST_TMPDIR/source" "$BUNDLE/rootfs/place"
        echo target >"$BATS_TEST_TMPDIR/source/target"
        ln -s target "$BATS_TEST_TMPDIR/source/link"
        ln -s /place "$BUNDLE/rootfs/way"
        ln -s target "$BUNDLE/rootfs/same"
        mounted /followed bind "$BATS_TEST_TMPDIR/source/link" bind
        mounted /copied/link bind "$BATS_TEST_TMPDIR/source/link" bind copy-symlink
        mounted /same bind "$BATS_TEST_TMPDIR/source/link" bind copy-symlink
        mounted /no-link bind "$BATS_TEST_TMPDIR/source/target" bind copy-symlink ro
        mounted /itself bind "$BATS_TEST_TMPDIR/source/link" bind src-nofollow
        mounted /way/file bind "$BATS_TEST_TMPDIR/source/target" bind
        mounted /covered bind "$BATS_TEST_TMPDIR/source/target" bind dest-nofollow
        ln -s /nowhere "$BUNDLE/rootfs/covered"
        inside 'cat /followed /no-link /place/file /covered; for l in /copied/link /same /itself; do readlink $l; done; ls /nowhere; true'
        [ "${lines[*]:0:7}" = "target target target target target target target" ]
        [[ $output == *"/nowhere: No such file"* ]]
        [ "$(readlink "$BUNDLE/rootfs/covered")" = /nowhere ]
        # what is there and says something else is not replaced
        ln -sfn elsewhere "$BUNDLE/rootfs/same"
        run_container -1
        [[ $output == *"mounts[9]: '/same' exists and is not a link to 'target', as '$BATS_TEST_TMPDIR/source/link' is"* ]]
        rm "$BUNDLE/rootfs/same"
        cfg '.mounts[9].options += ["src-nofollow"]'
        run_container -1
        [[ $output == *"mounts[9].options: 'copy-symlink' makes a link"* ]]
        cfg '.mounts[9] = {destination: "/t", type: "tmpfs", source: "t", options: ["dest-nofollow"]}'
        run_container -1
        [[ $output == *"mounts[9].options: 'dest-nofollow' is for bind mounts"* ]]
}

@test "a remount changes what is mounted there, and nothing else" {
        mounted /tmp tmpfs tmpfs size=1m nosuid
        mounted /tmp tmpfs tmpfs remount size=2m noexec
        mounted /mnt tmpfs tmpfs
        mounted /mnt none none remount bind ro
        mounted /mnt/below tmpfs tmpfs
        mounted / none none remount nodev
        inside 'for m in / /tmp /mnt; do awk -v m=$m "\$5 == m { print m, \$6, \$NF }" /proc/self/mountinfo; done
                df -k /tmp | tail -n 1 | tr -s " " | cut -d" " -f2; ls /mnt'
        [[ ${lines[0]} == "/ "*nodev* ]]
        [[ $output == *"/tmp rw,nosuid,noexec,"* ]]
        [[ $output == *"/mnt ro,"* ]]
        [ "${lines[-2]} ${lines[-1]}" = "2048 below" ]
        cfg '.mounts[-1].destination = "/bin"'
        run_container -1
        [[ $output == *"mounts[12]: nothing is mounted on '/bin' that could be remounted"* ]]
        cfg '.mounts[-1] = {destination: "/tmp", options: ["remount", "nr_inodes=no"]}'
        run_container -1
        [[ $output == *"mounts[12]: remount 'mount' on '/tmp' (options 'remount,nr_inodes=no')"* ]]
}
