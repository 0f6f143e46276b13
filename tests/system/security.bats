#!/usr/bin/env bats
# What a hostile image, volume, annotation or neighbour must not reach: group 10 of the field cases, and what reviews
# have found.
# shellcheck disable=SC1003,SC2016,SC2030,SC2031,SC2094,SC2153 # each test is a function; UNIT is of helpers

load helpers
load container

INIT=/usr/libexec/unitrun/unitrun-init

# namespace_path TYPE PATH: joins the namespace at PATH
namespace_path() {
        cfg --arg type "$1" --arg path "$2" \
                '.linux.namespaces |= (map(select(.type != $type)) + [{type: $type, path: $path}])'
}

@test "a create that fails leaves a unit of its name alone that is somebody else's" {
        local _
        program true
        for _ in 1 2 3 4 5 6 7 8; do
                systemd-run --quiet --unit="$UNIT" sleep 600
                # fails before systemd can have answered
                namespace_path network /nonexistent
                create -1
                unit_is "$UNIT" active
                cfg '.linux.namespaces |= map(select(.type != "network")) | .root.path = "/nonexistent"'
                create -1
                unit_is "$UNIT" active
                systemctl stop "$UNIT"
        done
}

@test "no text in an annotation becomes a setting of the unit at daemon-reload" {
        local text evil=$BATS_TEST_TMPDIR/evil
        program sleep 600
        text="a\\n[Service]\\nExecStopPost=/bin/touch $evil\\n[Unit]\\nX=b"
        property Description "\"$text\""
        create -1
        [[ $output == *Description* ]]
        cfg 'del(.annotations)'
        property LogExtraFields "[b'A=$text']"
        create -1
        # one that swallows the next line
        cfg 'del(.annotations)'
        property SyslogIdentifier "'a\\\\\\\\'"
        create -1

        cfg 'del(.annotations)'
        annotate org.opencontainers.image.ref.name $'a\n[Service]\nExecStopPost=/bin/touch '"$evil"$'\nX=\\'
        annotate nerdctl/name 'a\'
        run_detached
        systemctl daemon-reload
        has_property "$UNIT" ExecStopPost ""
        has_property "$UNIT" KillMode mixed
        has_property "$UNIT" Type notify
        "$RUNTIME" delete --force "$ID"
        [ ! -e "$evil" ]
}

@test "what is set in a namespace is not set in the host's by way of a path" {
        local forward hostname msgmax type
        forward=$(cat /proc/sys/net/ipv4/ip_forward) hostname=$(hostname) msgmax=$(cat /proc/sys/kernel/msgmax)
        program true
        for type in network:net ipc:ipc uts:uts user:user; do
                mkbundle "$BUNDLE" '.process.args = ["true"] | del(.hostname)'
                namespace_path "${type%:*}" "/proc/1/ns/${type#*:}"
                case $type in
                network:*) cfg --arg value $((1 - forward)) '.linux.sysctl = {"net.ipv4.ip_forward": $value}' ;;
                ipc:*) cfg '.linux.sysctl = {"kernel.msgmax": "9876"}' ;;
                uts:*) cfg '.hostname = "evil"' ;;
                user:*) cfg '.linux.sysctl = {"user.max_inotify_watches": "777"}' ;;
                esac
                run_container -1
                [[ $output == *"would change the host's"* ]]
        done
        [ "$(cat /proc/sys/net/ipv4/ip_forward)" = "$forward" ]
        [ "$(cat /proc/sys/kernel/msgmax)" = "$msgmax" ]
        [ "$(hostname)" = "$hostname" ]
        # without settings the host's may be joined
        mkbundle "$BUNDLE" '.process.args = ["true"] | del(.hostname)'
        namespace_path network /proc/1/ns/net
        run_container
}

@test "nothing of the runtime can be written, however it is reached" {
        local before
        before=$(sha256sum $INIT /usr/bin/unitrun 2>/dev/null || sha256sum "$(command -v unitrun)" $INIT)
        printf '#!/proc/self/exe\n' >"$BUNDLE/rootfs/script"
        chmod 755 "$BUNDLE/rootfs/script"
        ln -s /proc/self/exe "$BUNDLE/rootfs/link"
        program /proc/self/exe
        run_container -1
        program /script 3
        run_container -1
        program /link
        run_container -1
        # a process that holds init's program while init has become something else
        cfg '.process.args = ["sleep", "2"] | .process.capabilities |= map_values(["CAP_SYS_ADMIN", "CAP_SYS_PTRACE", "CAP_DAC_OVERRIDE"])'
        hook startContainer 'exec 9</proc/1/exe
                { sleep 1; echo evil >/proc/self/fd/9; echo evil >>/proc/self/fd/9; mount -o remount,bind,rw /proc/self/fd/9; echo evil >/proc/self/fd/9; } >/tried 2>&1 &
                (echo evil >/proc/1/exe) 2>/dev/null
                for file in /proc/1/map_files/*; do (echo evil >>"$file") 2>/dev/null; done
                exit 0'
        run_container
        grep -q "Read-only" "$BUNDLE/rootfs/tried"
        [ "$(sha256sum $INIT /usr/bin/unitrun 2>/dev/null || sha256sum "$(command -v unitrun)" $INIT)" = "$before" ]
}

@test "no descriptor leads out as the working directory" {
        local fd
        for fd in $(seq 0 24); do
                program sh -c 'pwd; ls ..'
                cfg --arg cwd "/proc/self/fd/$fd" '.process.cwd = $cwd'
                launch -1 "$RUNTIME" run --bundle "$BUNDLE" "$ID"
                [ ! -s "$OUT" ]
        done 7</etc 8</ 9<"$BUNDLE"
        ln -s /proc/self/fd/8 "$BUNDLE/rootfs/out"
        cfg '.process.cwd = "/out"'
        launch -1 "$RUNTIME" run --bundle "$BUNDLE" "$ID" 8</
}

@test "closed standard descriptors are not filled with what the runtime opens" {
        local fd
        script 'ls -l /proc/1/fd >/fds'
        "$RUNTIME" run --bundle "$BUNDLE" "$ID" <&- >&- 2>&- 3>&-
        for fd in 0 2; do
                grep -q " $fd -> /dev/null" "$BUNDLE/rootfs/fds"
        done
        [ "$(grep -c -- '->' "$BUNDLE/rootfs/fds")" = 3 ]
}

@test "create interrupted as soon as its state directory is there removes it" {
        local signal pid=$BATS_TEST_TMPDIR/pid
        requires_command strace
        program sleep 600
        for signal in HUP INT TERM; do
                # stays half a second where it has locked the directory
                env --default-signal=INT strace -o /dev/null -e inject=flock:delay_exit=500000 \
                        sh -c 'echo $$ >"$0"; exec "$@"' "$pid" "$RUNTIME" create --bundle "$BUNDLE" "$ID" \
                        </dev/null >/dev/null 2>"$BATS_TEST_TMPDIR/err" 3>&- &
                eventually test -d "/run/unitrun/$ID"
                kill -$signal "$(cat "$pid")"
                wait $! && return 1
                [ ! -e "/run/unitrun/$ID" ]
                grep -q "interrupted by SIG$signal" "$BATS_TEST_TMPDIR/err"
        done
}

@test "a state directory of somebody else is neither believed nor used" {
        local root=$BATS_TEST_TMPDIR/root evil=$BATS_TEST_TMPDIR/evil victim
        sleep 600 3>&- &
        victim=$!
        HELPERS+=("$victim")
        install -d -o 1000 -m 0700 "$root" "$root/$ID"
        cfg --arg evil "$evil" '.hooks.poststop = [{path: "/bin/touch", args: ["touch", $evil]}]'
        cp "$BUNDLE/config.json" "$root/$ID/config.json"
        printf '[Container]\nUnit=none.service\nPID=%d\nStartTime=%d\nControlGroup=/\nBundle=/tmp\n' \
                "$victim" "$(awk '{ print $22 }' "/proc/$victim/stat")" >"$root/$ID/facts"
        for command in state "kill" "start" "delete" "delete --force"; do
                # shellcheck disable=SC2086 # two words
                launch -1 "$RUNTIME" --root "$root" $command "$ID"
                [[ $output == *"belongs to user 1000"* ]]
        done
        kill -0 "$victim"
        [ ! -e "$evil" ]
}

@test "a trap beside the pid file is not stepped into" {
        local dir=$BATS_TEST_TMPDIR/pid
        mkdir "$dir"
        echo kept >"$dir/other"
        ln "$dir/other" "$dir/.file.new"
        program sleep 600
        create --pid-file "$dir/file"
        [ "$(cat "$dir/other")" = kept ]
        [ "$(cat "$dir/file")" = "$(pid_of "$ID")" ]
        "$RUNTIME" delete --force "$ID"
        mkfifo "$dir/.file.new"
        create --pid-file "$dir/file"
}

@test "links, volumes and fakes in the image do not reach procfs, /dev/null or the host" {
        local outside=$BATS_TEST_TMPDIR/outside pattern
        mkdir "$outside"
        pattern=$(cat /proc/sys/kernel/core_pattern)
        # CVE-2019-16884, CVE-2023-27561
        for place in /proc /proc/self /proc/self/attr /proc/sys /link/sys; do
                mkbundle "$BUNDLE"
                ln -sfn /proc "$BUNDLE/rootfs/link"
                cfg --arg place "$place" --arg source "$outside" \
                        '.mounts += [{destination: $place, type: "bind", source: $source, options: ["bind"]}]'
                run_container -1
                [[ $output == *"lies in /proc"* ]]
        done
        mkbundle "$BUNDLE"
        rmdir "$BUNDLE/rootfs/proc" 2>/dev/null || true
        ln -sfn "$outside" "$BUNDLE/rootfs/proc"
        run_container -1
        [[ $output == *"symbolic link"* ]]
        # CVE-2025-31133
        rm "$BUNDLE/rootfs/proc"
        mkdir -p "$BUNDLE/rootfs/proc" "$BUNDLE/rootfs/dev"
        ln -sf /proc/sys/kernel/core_pattern "$BUNDLE/rootfs/dev/null"
        cfg '.mounts |= map(select(.destination | startswith("/dev") | not))'
        run_container -1
        # CVE-2026-41579, CVE-2026-47766: an image whose /dev is a link
        rm -rf "$BUNDLE/rootfs/dev"
        ln -s "$outside" "$BUNDLE/rootfs/dev"
        script 'ls /dev/null /dev/zero'
        cfg '.mounts |= map(select(.destination | startswith("/dev") | not))'
        run_container
        [ -z "$(ls -A "$outside")" ]
        [ "$(cat /proc/sys/kernel/core_pattern)" = "$pattern" ]
}
