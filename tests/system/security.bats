#!/usr/bin/env bats
# What a hostile image, volume, annotation or neighbour must not reach: group 10 of the field cases, and what reviews
# have found.
# shellcheck disable=SC2016,SC2030,SC2031 # each test is a function

load helpers
load container

INIT=/usr/libexec/unitrun/unitrun-init

# namespace_path TYPE PATH: joins the namespace at PATH
namespace_path() {
        cfg --arg type "$1" --arg path "$2" \
                '.linux.namespaces |= (map(select(.type != $type)) + [{type: $type, path: $path}])'
}

@test "a create that fails leaves a unit of its name alone that is somebody else's" {
        local round
        program true
        for round in 1 2 3 4 5 6 7 8; do
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
