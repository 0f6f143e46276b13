#!/usr/bin/env bats
# Paths that an image, a volume or a neighbour has bent: nothing outside the root is made, changed, covered or shown, no
# file of procfs is taken for another, and no descriptor of the runtime is left in the container.
# shellcheck disable=SC2016,SC2030,SC2031,SC2094 # each test is a function

load helpers
load container

setup_attack() {
        OUTSIDE=$BATS_TEST_TMPDIR/outside
        mkdir -p "$OUTSIDE"
        echo host >"$OUTSIDE/file"
        chmod 600 "$OUTSIDE/file"
        STATE=$(state_of_host)
}

# state_of_host: what an attack would change
state_of_host() {
        find "$OUTSIDE" -printf '%p %y %m %u %T@ %s\n' | sort
        cat "$OUTSIDE/file" /proc/sys/kernel/core_pattern
        cut -d' ' -f5 /proc/self/mountinfo | sort
}

untouched() {
        local now
        now=$(state_of_host)
        [ "$now" = "$STATE" ] || { diff <(echo "$STATE") <(echo "$now"); return 1; }
}

# attempt: runs the container, which may fail; the descriptors 7 and 9 would lead out
attempt() {
        run timeout --foreground -k 1 "$PATIENCE" "$RUNTIME" run --bundle "$BUNDLE" "$ID" </dev/null 3>&- 7<"$OUTSIDE" 9</
        untouched || { echo "$output"; return 1; }
}

# flip A B: exchanges the two names again and again
flip() {
        python3 -c '
import ctypes, sys, time
exchange = ctypes.CDLL(None).renameat2
while True:
    exchange(-100, sys.argv[1].encode(), -100, sys.argv[2].encode(), 2)
    time.sleep(0.0002)' "$1" "$2" 3>&- &
        HELPERS+=($!)
}

@test "links of every kind in the root keep mounts, devices, masks and the working directory inside" {
        local to
        setup_attack
        for to in "$OUTSIDE" "../../../../../../../../..$OUTSIDE" /proc/self/fd/7 /proc/self/fd/9/tmp /proc/self/cwd \
                /proc/1/root/tmp /proc/self/root /dev/fd/7; do
                mkbundle "$BUNDLE" '.process.args = ["true"]'
                ln -sfn "$to" "$BUNDLE/rootfs/link"
                cp "$BUNDLE/config.json" "$BATS_TEST_TMPDIR/plain"
                for edit in '.mounts += [{destination: "/link/new", type: "tmpfs", source: "t"}]' \
                        '.mounts += [{destination: "/link/new/file", source: "/etc/hostname", options: ["bind"]}]' \
                        '.mounts += [{destination: "/link/file", source: "/etc/hostname", options: ["bind"]}]' \
                        '.linux.devices = [{path: "/link/file", type: "c", major: 1, minor: 3, fileMode: 511, uid: 5}]' \
                        '.linux.maskedPaths = ["/link", "/link/file"] | .linux.readonlyPaths = ["/link", "/link/file"]' \
                        '.process.cwd = "/link/new"'; do
                        cp "$BATS_TEST_TMPDIR/plain" "$BUNDLE/config.json"
                        cfg "$edit"
                        attempt || { echo "$to: $edit"; return 1; }
                done
        done
}

@test "dots in destinations stay inside" {
        setup_attack
        cfg --arg o "$OUTSIDE" '.process.args = ["ls", $o]
                | .mounts += [{destination: ("/../../../.." + $o + "/new"), type: "tmpfs", source: "t"},
                        {destination: ("/tmp/../../.." + $o + "/../outside/other"), source: "/etc/hostname", options: ["bind"]}]
                | .linux.devices = [{path: ("/../.." + $o + "/device"), type: "p"}] | .linux.maskedPaths += ["/../../../" + $o + "/file"]'
        attempt
        [ "$status" -eq 0 ]
        [ "${lines[*]}" = "device new other" ]
}

@test "a directory that turns into a link while mount points are made in it leads nowhere" {
        local volume=$BATS_TEST_TMPDIR/volume i
        setup_attack
        mkdir -p "$volume/a"
        ln -s "$OUTSIDE" "$volume/b"
        ln -s "../../../../../../../..$OUTSIDE" "$volume/c"
        cfg --arg v "$volume" '.process.args = ["true"] | .process.cwd = "/volume/a/w/d"
                | .mounts += [{destination: "/volume", source: $v, options: ["bind"]},
                        ({destination: ("/volume/a/" + ("p","q","r") + "/s/t"), type: "tmpfs", source: "t"}),
                        ({destination: ("/volume/a/" + ("f","g","h") + "/i"), source: "/etc/hostname", options: ["bind"]})]
                | .linux.devices = [{path: "/volume/a/d/null", type: "c", major: 1, minor: 3, fileMode: 511}]
                | .linux.maskedPaths += ["/volume/a/file"]'
        flip "$volume/a" "$volume/b"
        flip "$volume/b" "$volume/c"
        for i in $(seq $((ROUNDS / 2))); do
                attempt || { echo "round $i"; return 1; }
        done
}

@test "a null device that turns into a link unmasks nothing" {
        local volume=$BATS_TEST_TMPDIR/volume i shown=0
        setup_attack
        mkdir "$volume"
        mknod -m 666 "$volume/null" c 1 3
        ln -s /proc/sys/kernel/core_pattern "$volume/other"
        echo secret >"$BUNDLE/rootfs/secret"
        cfg --arg v "$volume" '.mounts |= map(select(.destination | startswith("/dev") | not))
                | .mounts += [{destination: "/dev", source: $v, options: ["bind"]}] | .linux.maskedPaths = ["/secret", "/proc/timer_list"]'
        script 'cat /secret; stat -L -c %t:%T /secret; echo evil >/secret; stat -L -c %t:%T /proc/timer_list'
        flip "$volume/null" "$volume/other"
        for i in $(seq $((ROUNDS / 5 + 1))); do
                attempt
                [ "$status" -eq 0 ] || continue
                shown=$((shown + 1))
                [ "${lines[*]}" = "1:3 1:3" ] || { echo "$output"; return 1; }
        done
        [ $shown -gt 0 ]
}

@test "a false /dev/console, /dev/pts or /dev/ptmx neither uncovers procfs nor gets the terminal" {
        local place to volume=$BATS_TEST_TMPDIR/dev
        setup_attack
        for place in console pts/0 ptmx pts/ptmx; do
                for to in /proc/sys/kernel/core_pattern /proc/sysrq-trigger "$OUTSIDE/file"; do
                        rm -rf "$volume"
                        mkdir -p "$volume/pts"
                        ln -s "$to" "$volume/$place"
                        mkbundle "$BUNDLE" '.process.terminal = true | .mounts |= map(select(.destination != "/dev"))'
                        cfg --arg v "$volume" '.mounts |= [{destination: "/dev", source: $v, options: ["bind"]}] + .'
                        case $place in pts/*) cfg '.mounts |= map(select(.destination != "/dev/pts"))' ;; esac
                        script 'echo evil >/proc/sys/kernel/core_pattern; echo evil >/proc/sysrq-trigger; cat /dev/console >/dev/null </dev/null'
                        listen_at_console
                        run "$RUNTIME" create --bundle "$BUNDLE" --console-socket "$SOCKET" "$ID" </dev/null 3>&- 8>&- 7<"$OUTSIDE"
                        if [ "$status" -eq 0 ]; then
                                # the terminal lies on the link, and what the link leads to is as it was
                                [[ $(awk '{ print $5, $(NF-2) }' "/proc/$(pid_of "$ID")/mountinfo") != */proc/sys/kernel/core_pattern* ]]
                                "$RUNTIME" delete --force "$ID"
                        fi
                        exec 8>&-
                        untouched || { echo "$place -> $to: $output"; return 1; }
                done
        done
}

@test "nothing but procfs itself and a few of its files is covered below /proc" {
        setup_attack
        local place
        for place in /proc /proc/ //proc/self /proc/self/attr /proc/self/attr/exec /proc/thread-self /proc/sys /proc/sys/kernel \
                /proc/1 /proc/sysrq-trigger /link/self /link; do
                mkbundle "$BUNDLE" '.process.args = ["true"] | .mounts |= map(select(.destination != "/proc"))
                        | .mounts = [{destination: "/proc", type: "proc", source: "proc"}] + .mounts'
                ln -sfn /proc "$BUNDLE/rootfs/link"
                for kind in "tmpfs" "bind"; do
                        cfg --arg place "$place" --arg kind $kind --arg o "$OUTSIDE" '.mounts |= map(select(.destination != $place or .type == "proc"))
                                | .mounts += [{destination: $place, type: $kind, source: $o, options: (if $kind == "bind" then ["bind"] else [] end)}]'
                        attempt
                        [ "$status" -ne 0 ] || { echo "$place $kind"; return 1; }
                done
        done
        # what lxcfs and the like replace
        mkbundle "$BUNDLE" '.process.args = ["cat", "/proc/uptime"]'
        cfg --arg o "$OUTSIDE/file" '.mounts += [{destination: "/proc/uptime", source: $o, options: ["bind", "ro"]}]'
        attempt
        [ "$output" = host ]
}

@test "the container has no descriptor but the three, whatever the caller had open" {
        setup_attack
        script 'ls /proc/self/fd /proc/1/fd; readlink /proc/1/fd/* /proc/1/cwd | grep -v "^/dev/\|pipe\|^/$" || echo none'
        attempt
        [ "$status" -eq 0 ]
        [[ $output != *"$OUTSIDE"* && ${lines[-1]} == none ]]
        hook startContainer 'ls -l /proc/self/fd /proc/1/fd >/fds'
        program true
        attempt
        [ "$status" -eq 0 ]
        run ! grep -qE "outside|unitrun/|checkout| /$" "$BUNDLE/rootfs/fds"
}
