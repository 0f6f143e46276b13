#!/usr/bin/env bats
# Options of mounts: flags of the source that stay or go, links, remounts, propagation, order, spelling.
# shellcheck disable=SC2016,SC2030,SC2031 # each test is a function

load helpers
load container

# replaced DESTINATION …: likewise, in place of the one that is there
replaced() {
        cfg --arg d "$1" '.mounts |= map(select(.destination != $d))'
        mounted "$@"
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

# owner_of_cgroup: who owns what in the container's control group, as the host sees it
owners_of_cgroup() {
        local payload file
        payload=$(payload_of "$ID")
        for file in . cgroup.procs cgroup.subtree_control cgroup.threads cgroup.max.depth; do
                stat -c %u "$payload/$file"
        done
}

@test "a writable control group belongs to the user of the container, its limits do not" {
        local owners
        cgroup_rw='(.mounts[] | select(.destination == "/sys/fs/cgroup") | .options) |= map(if . == "ro" then "rw" else . end)'
        program sleep 600
        in_user_namespace
        while read -r edit wanted; do
                cp "$BUNDLE/config.json" "$BATS_TEST_TMPDIR/saved"
                case $edit in *w*) cfg "$cgroup_rw" ;; esac
                case $edit in *n*) ;; *) cfg '.linux.namespaces |= map(select(.type != "cgroup"))' ;; esac
                case $edit in *u*) cfg '.process.user.uid = 12' ;; esac
                case $edit in *h*) cfg 'del(.linux.uidMappings, .linux.gidMappings) | .linux.namespaces |= map(select(.type != "user"))' ;; esac
                run_detached
                owners=$(owners_of_cgroup | xargs)
                "$RUNTIME" delete --force "$ID"
                [ "$owners" = "$wanted" ] || { echo "$edit: $owners, not $wanted"; return 1; }
                mv "$BATS_TEST_TMPDIR/saved" "$BUNDLE/config.json"
        done <<CASES
n 0 0 0 0 0
w 0 0 0 0 0
nw 100000 100000 100000 100000 0
nwu 100012 100012 100012 100012 0
nwuh 12 12 12 12 0
CASES
        # and it is of use
        cfg "$cgroup_rw"
        inside 'stat -c %u /sys/fs/cgroup/cgroup.procs; mkdir /sys/fs/cgroup/x && echo 1 >/sys/fs/cgroup/x/cgroup.procs && cat /proc/self/cgroup; echo 1 >/sys/fs/cgroup/cgroup.max.depth || echo kept' 2>&1
        [ "${lines[0]}" = 0 ]
        [[ $output == *0::/x* ]]
        [[ $output == *kept* ]]
        # in the user namespace of another container as well
        program sleep 600
        run_detached
        cfg --arg path "/proc/$(pid_of "$ID")/ns/user" 'del(.linux.uidMappings, .linux.gidMappings)
                | (.linux.namespaces[] | select(.type == "user")).path = $path | .process.args = ["stat", "-c", "%u", "/sys/fs/cgroup"]'
        run -0 "$RUNTIME" run --bundle "$BUNDLE" "$ID-2" </dev/null 3>&-
        [ "$output" = 0 ]
        "$RUNTIME" delete --force "$ID"
}

@test "sysfs and cgroup2 that a user namespace may not mount are the host's, read-only all the same" {
        local table
        table=$(cut -d' ' -f5- /proc/self/mountinfo | sort)
        in_user_namespace
        cfg '.linux.namespaces |= map(select(.type != "network"))'
        script='touch /sys/x /sys/fs/cgroup/x; mkdir /sys/fs/cgroup/new; echo 1 >/sys/kernel/profiling; ls -d /sys/class/net; awk "\$5 ~ \"^/sys(\$|/fs/cgroup\$)\" { print \$5, \$6 }" /proc/self/mountinfo; true'
        inside "$script" 2>&1
        [[ $output == *"/sys/class/net"* && $output == *"/sys ro,nosuid,nodev,noexec"* && $output == *"/sys/fs/cgroup ro,nosuid,nodev,noexec"* ]]
        [[ $output == *"mkdir: can't create directory '/sys/fs/cgroup/new'"* ]]
        cfg '.linux.namespaces |= map(select(.type != "cgroup"))'
        inside "$script" 2>&1
        [[ $output == *"/sys/class/net"* && $output == *"/sys ro,nosuid,nodev,noexec"* && $output == *"/sys/fs/cgroup ro,nosuid,nodev,noexec"* ]]
        [[ $output == *"mkdir: can't create directory '/sys/fs/cgroup/new'"* ]]
        cfg '(.mounts[] | select(.destination == "/sys/fs/cgroup") | .options) |= map(select(. != "ro"))'
        inside "$script" 2>&1
        [[ $output == *"/sys/fs/cgroup rw,nosuid,nodev,noexec"* ]]
        [[ $output == *"mkdir: can't create directory '/sys/fs/cgroup/new'"* ]]
        [ "$(cut -d' ' -f5- /proc/self/mountinfo | sort)" = "$table" ]
}

@test "the root of a tmpfs or procfs has the mode that was asked for, or that of what it covers, each time" {
        mkdir -m 0700 "$BUNDLE/rootfs/private"
        mounted /new/place tmpfs tmpfs
        mounted /private tmpfs tmpfs nosuid
        mounted /chosen tmpfs tmpfs mode=0444
        for _ in first second; do
                script 'stat -c %a /new/place /private /chosen /dev/shm /proc'
                (umask 077; run_container; [ "$output" = "1777
700
444
1777
555" ]) || return 1
        done
}

@test "what is read-only in the end is so after devices and the terminal are there" {
        cfg '(.mounts[] | select(.destination == "/dev") | .options) += ["ro"]'
        inside 'echo x >/dev/null && test -c /dev/zero && touch /dev/x 2>/dev/null || echo refused'
        [ "$output" = refused ]
        mkbundle "$BUNDLE" '.root.readonly = true | .process.terminal = true'
        script 'test -c /dev/console && touch /x 2>/dev/null || echo refused'
        listen_at_console
        create --console-socket "$SOCKET"
        "$RUNTIME" start "$ID"
        eventually file_has "$SHOWN" refused
        hang_up
        eventually has_status "$ID" stopped
        "$RUNTIME" delete "$ID"
        mkbundle "$BUNDLE" '.root.readonly = true | .mounts |= map(select(.destination | startswith("/dev") | not))'
        inside 'echo x >/dev/null && touch /dev/x 2>/dev/null || echo refused'
        [ "$output" = refused ]
}

@test "paths may be spelled as one likes, and nothing is made in a bound /dev" {
        local outside=$BATS_TEST_TMPDIR/outside
        cfg '(.mounts[] | select(.destination == "/dev")).destination = "//dev/./"
                | (.mounts[] | select(.destination == "/proc")).destination = "//proc/"
                | (.mounts[] | select(.destination == "/sys")).destination = "/./sys"
                | .linux.devices = [{path: "//dev/./x/", type: "c", major: 10, minor: 229}, {path: "/dev/null/", type: "c", major: 1, minor: 3}]'
        inside 'ls -d /dev/null /dev/x; awk "\$2 ~ \"^/(dev|proc|sys)\$\" { print \$2 }" /proc/mounts'
        [ "${lines[*]}" = "/dev/null /dev/x /proc /dev /sys" ]
        mkdir "$outside"
        touch "$outside/null"
        mkbundle "$BUNDLE" '.mounts |= map(select(.destination | startswith("/dev") | not))'
        mounted /dev/ bind "$outside" bind
        cfg '.linux.devices = [{path: "/dev/x", type: "c", major: 10, minor: 229}]'
        inside 'ls /dev'
        [ "$output" = null ]
        [ ! -s "$outside/null" ]
}

@test "many mounts are made with few open files" {
        mkdir "$BATS_TEST_TMPDIR/source"
        cfg --arg s "$BATS_TEST_TMPDIR/source" \
                '.mounts += [range(400) | {destination: "/many/\(.)", source: $s, options: ["rbind", "rprivate", "ro"]}]'
        script 'grep -c /many/ /proc/self/mountinfo'
        (ulimit -n 256; run_container; [ "$output" = 400 ])
}

@test "a bind source may lie in what earlier mounts have put into the container's root" {
        local rootfs=$BUNDLE/rootfs from=$BATS_TEST_TMPDIR/from
        mkdir -p "$from/a/x" "$from/b/y" "$from/c/z"
        for i in a/x b/y c/z; do echo $i >"$from/$i/file"; done
        ln -s b "$from/link"
        for namespace in host user; do
                [ $namespace = host ] || { in_user_namespace; chmod o-rwx "$from"; }
                cfg '.mounts |= .[:7]'
                mounted /m bind "$from/a" bind rprivate
                mounted /m/x bind "$from/link" bind rprivate
                mounted /m/x/y bind "$from/c" bind rprivate
                mounted /m/x/y/z bind "$from/link" bind rprivate
                mounted /m/x/y/z/y bind "$rootfs/m/x" rbind rprivate
                mounted /final bind "$rootfs/m" rbind rprivate
                inside 'cat /final/x/y/z/y/y/z/file /final/x/y/z/y/y/z/y/file 2>&1; true'
                [[ $output == *b/y* ]] || { echo "$namespace: $output"; return 1; }
        done
}

@test "the root's propagation is that of the config, and what the container mounts stays its own unless it is shared" {
        local table propagation
        table=$(cut -d' ' -f5- /proc/self/mountinfo | sort)
        cfg '.process.capabilities |= map_values(. + ["CAP_SYS_ADMIN"])'
        for propagation in private slave shared unbindable rprivate rslave rshared runbindable; do
                cfg --arg p $propagation '.linux.rootfsPropagation = $p'
                script 'awk "\$5 == \"/\"" /proc/self/mountinfo; mkdir -p /a /b; mount --bind /tmp /b; mount -t tmpfs t /b && echo mounted
                        mount --bind / /a 2>&1 && echo bound; awk "\$5 == \"/a\"" /proc/self/mountinfo'
                run_container
                case $propagation in
                *shared) [[ ${lines[0]} == *shared:* ]] && [[ ${lines[-1]} == *" /a "*shared:* ]] ;;
                *slave) [[ ${lines[0]} != *shared:* ]] && [[ $output == *bound* ]] ;;
                *unbindable) [[ ${lines[0]} == *unbindable* ]] && [[ $output == *"Invalid argument"* ]] ;;
                *private) [[ ${lines[0]} != *[rd]:[0-9]* ]] && [[ ${lines[-1]} != *[rd]:[0-9]* ]] ;;
                esac || { echo "$propagation: $output"; return 1; }
                [ "$(cut -d' ' -f5- /proc/self/mountinfo | sort)" = "$table" ] || { echo "$propagation leaks"; return 1; }
        done
}

@test "the host's own root can be a container's, with mounts of its own, and its /dev stays as it is" {
        local before
        before=$(stat -c '%n %a %Z' /dev/null /dev/tty /dev/zero; find /dev -maxdepth 1 | sort)
        mkdir -p "$BATS_TEST_TMPDIR/place"
        cfg --arg place "$BATS_TEST_TMPDIR/place" '.root.path = "/"
                | .mounts |= map(select(.destination | startswith("/dev") | not))
                | .mounts += [{destination: $place, type: "tmpfs", source: "tmpfs"}] | .linux.maskedPaths += ["/etc/hostname"]'
        script "touch $BATS_TEST_TMPDIR/place/x; ls $BATS_TEST_TMPDIR/place; cat /proc/1/comm /etc/hostname; echo x >/dev/null; test -e /checkout && echo host"
        run_container
        [ "${lines[*]}" = "x sh host" ] || [ "${lines[*]}" = "x cat host" ]
        [ -z "$(ls -A "$BATS_TEST_TMPDIR/place")" ]
        [ "$(stat -c '%n %a %Z' /dev/null /dev/tty /dev/zero; find /dev -maxdepth 1 | sort)" = "$before" ]
        # what leads there by another name is a mistake
        ln -s / "$BUNDLE/slash"
        cfg '.root.path = "slash"'
        run_container -1
        [[ $output == *"root.path"* ]]
}

@test "--no-pivot leaves no procfs or sysfs of the host to be mounted anew in a user namespace" {
        local caps='["CAP_SETFCAP", "CAP_SETUID", "CAP_SETGID", "CAP_SYS_ADMIN"]'
        cfg --argjson caps "$caps" '.process.capabilities |= map_values(. + $caps | unique)'
        script 'ls / | xargs; awk "\$3 == \"proc\" || \$3 == \"sysfs\" { print \$2 }" /proc/mounts | sort -u | xargs
                unshare -mrpf sh -c "mount -t proc none /proc && echo h >/proc/sysrq-trigger" 2>&1 || echo refused
                unshare -mrpfn sh -c "mount -t sysfs none /sys && cat /sys/firmware/*" 2>&1 || echo refused'
        run_container --no-pivot
        [[ ${lines[0]} != *checkout* ]]
        [ "$(grep -c refused <<<"$output")" = 2 ] || { echo "$output"; return 1; }
        [[ $output == *"ermission denied"* ]]
        # the host keeps its own
        [ -e /proc/self/stat ]
        [ -d /sys/kernel ]
        in_user_namespace
        script 'cat /proc/1/comm; test -e /checkout && echo host; test -d /sys/class/net && echo sys'
        run_container --no-pivot
        [ "${lines[*]}" = "sh sys" ] || [ "${lines[*]}" = "cat sys" ]
}

host_table() {
        cut -d' ' -f4- /proc/self/mountinfo | sort
}

same_table() {
        [ "$(host_table)" = "$TABLE" ] || { diff <(echo "$TABLE") <(host_table); return 1; }
}

@test "without a mount namespace the mounts are made in the host's, and go with the container, however it ends" {
        local point i
        requires_command strace
        cfg '.linux.namespaces |= map(select(.type != "mount"))'
        TABLE=$(host_table)
        hook createRuntime "touch $BATS_TEST_TMPDIR/hook"
        script 'awk "\$2 == \"/proc\" || \$2 == \"/\"" /proc/mounts | wc -l; cat /proc/kcore 2>/dev/null | wc -c; ls /; echo 1 >/proc/sys/kernel/panic || echo read-only' 2>&1
        run_container
        [[ $output == *"linux.namespaces: there is no mount namespace"* && $output == *read-only* && $output != *checkout* ]]
        [ -e "$BATS_TEST_TMPDIR/hook" ]
        same_table
        # seen by the host while it runs, on top of what the engine has mounted there
        mount --bind "$BUNDLE/rootfs" "$BUNDLE/rootfs"
        point=$(host_table | sed 's/ shared:[0-9]*//')
        program sleep 600
        run_detached
        mountpoint -q "$BUNDLE/rootfs/proc"
        mountpoint -q /proc
        "$RUNTIME" delete --force "$ID"
        diff <(echo "$point") <(host_table | sed 's/ shared:[0-9]*//')
        umount "$BUNDLE/rootfs"
        # one that can't be created, and one whose create is killed
        mounted /mnt bind /nonexistent/source bind
        run_container -1
        same_table
        cfg 'del(.mounts[-1])'
        for i in 1 2 3; do
                strace -f -o /dev/null -e inject=chroot:delay_enter=20000000 "$RUNTIME" create --bundle "$BUNDLE" "$ID" </dev/null >/dev/null 2>&1 3>&- &
                HELPERS+=($!)
                eventually mountpoint -q "$BUNDLE/rootfs/proc"
                pkill -KILL -P $! || true
                kill -KILL $! || true
                wait $! || true
                "$RUNTIME" delete --force "$ID"
                same_table
        done
        cfg 'del(.hooks) | .linux.namespaces += [{type: "user"}] | .linux.uidMappings = [{containerID: 0, hostID: 100000, size: 100}] | .linux.gidMappings = .linux.uidMappings'
        run_container -1
        [[ $output == *"linux.namespaces: there is a user namespace, but no mount namespace"* ]]
}

@test "a mount namespace that is joined gets the mounts, and is as it was when the container is gone" {
        local holder table
        unshare --mount sleep 1000 3>&- &
        holder=$!
        HELPERS+=("$holder")
        eventually file_has "/proc/$holder/comm" sleep
        nsenter -t "$holder" -m mount -t tmpfs only-there /mnt
        there() { nsenter -t "$holder" -m cut -d' ' -f4- /proc/self/mountinfo | sort; }
        table=$(there)
        TABLE=$(host_table)
        cfg --arg path "/proc/$holder/ns/mnt" '.linux.namespaces |= map(if .type == "mount" then .path = $path else . end)
                | .mounts += [{destination: "/from", type: "bind", source: "/mnt", options: ["bind"]}]'
        script 'ls / | xargs; grep -o " /from .*only-there" /proc/mounts; echo 1 >/proc/sys/kernel/panic || echo read-only; exec sleep 1000' 2>&1
        run_detached
        eventually file_has "$ERR" "Read-only"
        [[ $(cat "$ERR") == *"the mount namespace is '/proc/$holder/ns/mnt'"* ]]
        run ! grep -q checkout "$OUT"
        [ "$(readlink "/proc/$(pid_of "$ID")/ns/mnt")" = "$(readlink "/proc/$holder/ns/mnt")" ]
        [ "$(readlink "/proc/$holder/root")" = / ]
        nsenter -t "$holder" -m mountpoint -q "$BUNDLE/rootfs/proc"
        same_table
        # who comes later gets the container's root
        run -0 "$RUNTIME" exec "$ID" sh -c 'cd /; ls -d /from bin; test -e /checkout && echo host; readlink /proc/self/ns/mnt' </dev/null 3>&-
        [ "${lines[*]}" = "/from bin $(readlink "/proc/$holder/ns/mnt")" ]
        "$RUNTIME" delete --force "$ID"
        diff <(echo "$table") <(there)
        # one that can't be created
        mounted /other bind /nonexistent/source bind
        create -1
        diff <(echo "$table") <(there)
        # and one whose namespace is gone with everybody in it
        cfg 'del(.mounts[-1]) | .process.args = ["sleep", "1000"]'
        run_detached
        kill "$holder"
        "$RUNTIME" delete --force "$ID"
        same_table
        # our own is none that could be joined
        cfg '.linux.namespaces |= map(if .type == "mount" then .path = "/proc/1/ns/mnt" else . end) | .process.args = ["true"] | del(.mounts[-1])'
        run_container
        same_table
        cfg '.linux.namespaces += [{type: "user"}] | .linux.uidMappings = [{containerID: 0, hostID: 100000, size: 100}] | .linux.gidMappings = .linux.uidMappings'
        create -1
        [[ $output == *"linux.namespaces: there is a user namespace, but no mount namespace of its own"* ]]
}
