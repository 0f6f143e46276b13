#!/usr/bin/env bats
# NOTIFY_SOCKET: what a container's program tells with sd_notify(3), and who hears of it.
# shellcheck disable=SC2016,SC2030,SC2031 # each test is a function

load helpers
load container

setup_file() {
        bats_require_minimum_version 1.8.0
}

# notifies SCRIPT: the program is a script that has the command notify
notifies() {
        cp "$(command -v notify)" "$BUNDLE/rootfs/bin/notify"
        script "$1"
}

# hears: a socket, $SOCKET, and what has come there, in the file $HEARD
hears() {
        SOCKET=$BATS_TEST_TMPDIR/s HEARD=$BATS_TEST_TMPDIR/heard
        notify --listen "$SOCKET" >"$HEARD" 3>&- &
        HELPERS+=($!)
        eventually test -S "$SOCKET"
}

@test "a program that is ready makes the service that runs it ready, and its words are both units'" {
        notifies 'notify STATUS=loading; while [ ! -e /tmp/go ]; do sleep 0.05; done; notify READY=1 MAINPID=2 "STATUS=up and well"; trap "exit 0" TERM; while :; do sleep 0.05; done'
        cfg '.mounts += [{destination: "/tmp", type: "bind", source: "'"$BATS_TEST_TMPDIR"'", options: ["bind"]}]'
        outer=$ID-outer.service
        systemd-run -q --no-block --unit="$outer" -p Type=notify -p NotifyAccess=all "$(command -v "$RUNTIME")" run -b "$BUNDLE" "$ID"
        eventually has_property "$outer" StatusText loading
        eventually has_property "$UNIT" StatusText loading
        # the container runs, as far as its own unit is concerned; the service that waits for it does not yet
        has_status "$ID" running
        [ "$(property_of "$UNIT" ActiveState)" = active ]
        [ "$(property_of "$outer" ActiveState)" = activating ]
        touch "$BATS_TEST_TMPDIR/go"
        eventually unit_is "$outer" active
        eventually has_property "$outer" StatusText "up and well"
        eventually has_property "$UNIT" StatusText "up and well"
        [ "$(cat "/proc/$(property_of "$outer" MainPID)/comm")" = unitrun ]
        systemctl stop "$outer"
        assert_nothing_left "$ID"
}

@test "create, start and run --detach do not wait for a program that never says that it is ready" {
        hears
        notifies 'sleep 100'
        launch timeout 10 env NOTIFY_SOCKET="$SOCKET" "$RUNTIME" create -b "$BUNDLE" "$ID"
        launch timeout 10 "$RUNTIME" start "$ID"
        has_status "$ID" running
        "$RUNTIME" delete --force "$ID"
        launch timeout 10 env NOTIFY_SOCKET="$SOCKET" "$RUNTIME" run --detach -b "$BUNDLE" "$ID"
        has_status "$ID" running
        [ ! -s "$HEARD" ]
}

@test "the caller of a detached container hears its PID as the host counts, and whatever comes last" {
        hears
        notifies 'echo $NOTIFY_SOCKET; id -u; notify READY=1 MAINPID=1 WATCHDOG=1; notify FDSTORE=1; kill -0 1; exec notify STOPPING=1 STATUS=bye'
        cfg '.process.user = {uid: 1234, gid: 1234} | .root.readonly = true'
        launch env NOTIFY_SOCKET="$SOCKET" "$RUNTIME" create -b "$BUNDLE" "$ID"
        pid=$(pid_of "$ID")
        "$RUNTIME" start "$ID"
        eventually file_has "$HEARD" STATUS=bye
        [ "$(xargs <"$OUT")" = "/run/notify/notify.sock 1234" ]
        [ "$(xargs <"$HEARD")" = "READY=1 WATCHDOG=1 MAINPID=$pid STOPPING=1 STATUS=bye" ]
}

@test "the container can do nothing to the socket but send" {
        hears
        notifies 'touch /run/notify/x; rm -f /run/notify/notify.sock; mv /run/notify/notify.sock /run/notify/y; notify READY=1; ls /run/notify'
        cfg '.root.readonly = false | .mounts += [{destination: "/run", type: "tmpfs", source: "tmpfs"}]'
        launch env NOTIFY_SOCKET="$SOCKET" "$RUNTIME" run -b "$BUNDLE" "$ID"
        [ "$(tail -n 1 "$OUT")" = notify.sock ]
        file_has "$HEARD" READY=1
}

@test "with a user namespace it is the same" {
        hears
        notifies 'notify READY=1'
        cfg '.linux.namespaces += [{type: "user"}] | .linux.uidMappings = [{containerID: 0, hostID: 100000, size: 65536}]
                | .linux.gidMappings = .linux.uidMappings'
        mkdir -p "$BUNDLE/rootfs/run/notify" # the container's root could not, in a directory of the host's
        launch env NOTIFY_SOCKET="$SOCKET" "$RUNTIME" run -b "$BUNDLE" "$ID"
        file_has "$HEARD" READY=1
}

@test "a socket that can't be served is ignored with a warning, one of the engine's own is left alone" {
        notifies 'echo "-$NOTIFY_SOCKET-"; ls /run'
        for address in relative vsock:2:1234 "/$(printf '%0200d' 1)"; do
                run -0 env NOTIFY_SOCKET="$address" "$RUNTIME" run -b "$BUNDLE" "$ID" </dev/null 3>&-
                [[ $output == *"NOTIFY_SOCKET: '$address' is no AF_UNIX socket, ignoring"*--* ]]
        done
        cfg '.linux.namespaces |= map(select(.type != "mount")) | .mounts = [] | del(.linux.maskedPaths) | del(.linux.readonlyPaths)'
        run -0 env NOTIFY_SOCKET=/run/systemd/notify "$RUNTIME" run -b "$BUNDLE" "$ID" </dev/null 3>&-
        [[ $output == *"NOTIFY_SOCKET: '/run/systemd/notify' needs a mount namespace of the container's own, ignoring"* ]]
        [ ! -e "$BUNDLE/rootfs/run/notify" ]
        cfg '.linux.namespaces += [{type: "mount"}] | .process.env += ["NOTIFY_SOCKET=/theirs"]'
        run -0 env NOTIFY_SOCKET=/run/systemd/notify "$RUNTIME" run -b "$BUNDLE" "$ID" </dev/null 3>&-
        [[ ${lines[0]} == "-/theirs-" ]]
        [[ $output != *notify* ]]
}

@test "podman's --sdnotify=container and --sdnotify=conmon make a service ready" {
        busybox_image
        for way in container conmon; do
                outer=$ID-$way.service
                systemd-run -q --unit="$outer" -p Type=notify -p NotifyAccess=all podman --runtime "$RUNTIME" run --rm -d --sdnotify=$way \
                        --network=none --name "$ID" -v "$(command -v notify):/notify:ro" busybox sh -c '/notify READY=1 STATUS=in; exec sleep 100' >/dev/null
                unit_is "$outer" active
                [ "$(cat "/proc/$(property_of "$outer" MainPID)/comm")" = conmon ]
                podman --runtime "$RUNTIME" rm --force --time 0 "$ID" >/dev/null 3>&-
                systemctl stop "$outer"
                systemctl reset-failed "$outer" 2>/dev/null || true
        done
}
