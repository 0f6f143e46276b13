#!/usr/bin/env bats
# unitrun service: a unit of the administrator's is the container, and systemd its supervisor.
# shellcheck disable=SC2016,SC2030,SC2031,SC2086 # each test is a function

load helpers
load container

UNIT_DIR=/run/systemd/system

setup_file() {
        bats_require_minimum_version 1.8.0
        LIBEXEC=$("$RUNTIME" --version | sed -n 's/^libexec: //p')
        export LIBEXEC
}

# service LINE…: the unit $ID.service whose container is $BUNDLE (or what $SERVICE says), with more lines for [Service]
service() {
        UNIT=$ID.service
        {
                printf '[Unit]\nDescription=Container %s\n[Service]\nType=notify\nNotifyAccess=main\nDelegate=yes\nKillMode=mixed\n' "$ID"
                printf 'OOMPolicy=continue\nSyslogIdentifier=%s\nTimeoutStopSec=20\n' "$ID"
                printf '%s\n' "ExecStart=:$(command -v "$RUNTIME") service ${SERVICE:---bundle=$BUNDLE $ID}" \
                        "ExecStartPost=$LIBEXEC/unitrun-hook /run/unitrun/$ID all" "ExecStop=-$(command -v "$RUNTIME") service --thaw $ID" \
                        "ExecStopPost=$(command -v "$RUNTIME") service --clean $ID" "$@"
        } >"$UNIT_DIR/$UNIT"
        systemctl daemon-reload
}

teardown() {
        [ -n "${BATS_TEST_COMPLETED:-}" ] || show_failure
        systemctl kill -s KILL --kill-whom=main "$ID*" 2>/dev/null || true
        systemctl stop "$ID*" 2>/dev/null || true
        systemctl reset-failed "$ID*" 2>/dev/null || true
        find "$UNIT_DIR" -maxdepth 1 -name "$ID*" -exec rm -rf {} +
        systemctl daemon-reload
        [ ! -e "/run/unitrun/$ID" ] || { echo "the state directory is left"; return 1; }
        cleanup_containers
}

is_gone() {
        [ ! -e "/run/unitrun/$ID" ] && [ ! -e "$CGROUPS$(property_of "$UNIT" ControlGroup)/payload" ]
}

@test "the unit's main process is the container's, and no process of the runtime's stays" {
        script 'trap "exit 0" TERM; echo out; echo err >&2; while :; do sleep 0.05; done'
        service
        systemctl start "$UNIT"
        pid=$(pid_of "$ID")
        [ "$(property_of "$UNIT" MainPID)" = "$pid" ]
        [ "$(property_of "$UNIT" ActiveState)" = active ]
        [[ $(property_of "$UNIT" StatusText) == "Running sh as PID $pid" ]]
        group=$CGROUPS$(property_of "$UNIT" ControlGroup)
        grep -qx "$pid" "$group/payload/cgroup.procs"
        eventually sh -c "[ -z \"\$(cat $group/cgroup.procs $group/supervisor/cgroup.procs)\" ]"
        [ "$(awk '/^PPid/ { print $2 }' "/proc/$pid/status")" = 1 ]
        has_status "$ID" running
        run -0 "$RUNTIME" state "$ID"
        [ "$(jq -r .systemdUnit <<<"$output")" = "$UNIT" ]
        eventually sh -c "[ \$(journalctl -u $UNIT -t $ID -o cat | grep -cxE 'out|err') -eq 2 ]"
        run journalctl -b -u "$UNIT" -o cat
        [[ $output != *"not our child"* && $output != *"Supervising process"* ]]
        systemctl stop "$UNIT"
        [ "$(property_of "$UNIT" Result)" = success ]
        is_gone
}

@test "how the container ends is how the unit ends, however soon" {
        service
        for code in 0 3; do
                for ((i = 0; i < 10; i++)); do
                        script "exit $code"
                        systemctl reset-failed "$UNIT" 2>/dev/null || true
                        launch -0 systemctl start "$UNIT" || [ $code -ne 0 ]
                        eventually unit_ended
                        [ "$(property_of "$UNIT" ExecMainStatus)" = "$code" ] || { property_of "$UNIT" Result; return 1; }
                        [ "$(property_of "$UNIT" Result)" = "$([ $code = 0 ] && echo success || echo exit-code)" ]
                        is_gone
                done
        done
        script 'kill -SEGV $$; while :; do sleep 1; done'
        cfg 'del(.linux.namespaces[] | select(.type == "pid"))'
        systemctl reset-failed "$UNIT"
        systemctl start "$UNIT" || true
        eventually unit_ended
        [ "$(property_of "$UNIT" ExecMainStatus)" = 11 ]
        is_gone
}

unit_ended() {
        case $(property_of "$UNIT" ActiveState) in inactive | failed) ;; *) return 1 ;; esac
}

@test "a container that can't be built or started fails its unit with the reason in its journal" {
        service
        program /nosuch
        launch -1 systemctl start "$UNIT"
        [ "$(property_of "$UNIT" ActiveState)" = failed ]
        eventually sh -c "journalctl -b -u $UNIT -o cat | grep -q \"container '$ID'.*/nosuch\""
        is_gone
        cfg '.root.path = "/nosuch-root"'
        launch -1 systemctl start "$UNIT"
        eventually sh -c "journalctl -b -u $UNIT -o cat | grep -q nosuch-root"
        echo '{' >"$BUNDLE/config.json"
        launch -1 systemctl start "$UNIT"
        eventually sh -c "journalctl -b -u $UNIT -o cat | grep -q 'config.json'"
        is_gone
}

@test "Restart= restarts it, as often as it ends" {
        script 'trap "exit 0" TERM; while :; do sleep 0.05; done'
        service Restart=always RestartSec=0 StartLimitIntervalSec=0
        sed -i 's/^\[Unit\]/[Unit]\nStartLimitIntervalSec=0/; /^StartLimitIntervalSec=0$/{x;s/^/x/;/^xx/{x;d};x}' "$UNIT_DIR/$UNIT"
        systemctl daemon-reload
        systemctl start "$UNIT"
        for ((i = 0; i < 8; i++)); do
                before=$(property_of "$UNIT" MainPID)
                case $((i % 2)) in 0) "$RUNTIME" kill "$ID" KILL ;; 1) systemctl restart "$UNIT" ;; esac
                restarted() {
                        local now
                        now=$(property_of "$UNIT" MainPID)
                        [ "$now" != 0 ] && [ "$now" != "$before" ] && [ "$(property_of "$UNIT" ActiveState)" = active ]
                }
                eventually restarted
                has_status "$ID" running
                [ "$(pid_of "$ID")" = "$(property_of "$UNIT" MainPID)" ]
        done
        systemctl stop "$UNIT"
        is_gone
}

@test "poststart hooks run before the unit counts as started; one that fails fails it" {
        script 'trap "exit 0" TERM; while :; do sleep 0.05; done'
        hook poststart 'cat >'"$BATS_TEST_TMPDIR"'/state'
        service
        systemctl start "$UNIT"
        [ "$(jq -r '.status + " " + .id' "$BATS_TEST_TMPDIR/state")" = "running $ID" ]
        systemctl stop "$UNIT"
        hook poststart 'echo no such luck >&2; exit 4'
        hook poststop 'cat >'"$BATS_TEST_TMPDIR"'/stopped'
        launch -1 systemctl start "$UNIT"
        [ "$(property_of "$UNIT" ActiveState)" = failed ]
        [[ $(property_of "$UNIT" ExecStartPost) == *"status=4"* ]]
        eventually sh -c "journalctl -b -u $UNIT -o cat | grep -q 'poststart hook.*no such luck'"
        [ "$(jq -r .status "$BATS_TEST_TMPDIR/stopped")" = stopped ]
        is_gone
        # one that the command line names comes last, and with a bundle as well
        cfg 'del(.hooks)'
        SERVICE="--bundle=$BUNDLE '--poststart-hook=/bin/sh -c \"touch $BATS_TEST_TMPDIR/extra\"' $ID" service
        systemctl start "$UNIT"
        [ -e "$BATS_TEST_TMPDIR/extra" ]
}

@test "with --notify the program says when it is ready, and what it must not say is kept from systemd" {
        cp "$(command -v notify)" "$BUNDLE/rootfs/bin/notify"
        script 'notify STATUS=loading; while [ ! -e /tmp/go ]; do sleep 0.05; done; notify READY=1 MAINPID=1 STATUS=well
                trap "exit 0" TERM; while :; do [ -e /tmp/silent ] || notify WATCHDOG=1; sleep 0.2; done'
        mounted /tmp bind "$BATS_TEST_TMPDIR" bind
        SERVICE="--notify --bundle=$BUNDLE $ID" service WatchdogSec=3 TimeoutAbortSec=1
        systemctl start --no-block "$UNIT"
        eventually has_property "$UNIT" StatusText loading
        [ "$(property_of "$UNIT" ActiveState)" = activating ]
        touch "$BATS_TEST_TMPDIR/go"
        eventually unit_is "$UNIT" active
        eventually has_property "$UNIT" StatusText well
        [ "$(property_of "$UNIT" MainPID)" = "$(pid_of "$ID")" ]
        "$RUNTIME" exec "$ID" sh -c 'cat /proc/1/environ | tr "\0" "\n"' >"$BATS_TEST_TMPDIR/env"
        grep -qx WATCHDOG_USEC=3000000 "$BATS_TEST_TMPDIR/env"
        grep -qx NOTIFY_SOCKET=/run/notify/notify.sock "$BATS_TEST_TMPDIR/env"
        # the watchdog is fed longer than it waits
        sleep 3.5
        [ "$(property_of "$UNIT" ActiveState)" = active ]
        touch "$BATS_TEST_TMPDIR/silent"
        eventually has_property "$UNIT" Result watchdog
        eventually is_gone
        relays() { [ -z "$(pgrep -f "unitrun-supervisor /run/unitrun/$ID notify")" ]; }
        eventually relays
}

@test "without --notify the program has no way to systemd" {
        script 'env; ls -d /run/systemd /run/notify || true'
        service
        systemctl start "$UNIT"
        eventually unit_ended
        eventually sh -c "journalctl -b -u $UNIT -o cat | grep -q PATH="
        run journalctl -b -u "$UNIT" -t "$ID" -o cat
        [[ $output != *NOTIFY_SOCKET=* && $output != *$'\n/run/'* ]]
}

@test "credentials of the unit can be read by the program's user alone" {
        script 'cat "$CREDENTIALS_DIRECTORY/secret" "$CREDENTIALS_DIRECTORY/set"; stat -c "%a %u" "$CREDENTIALS_DIRECTORY/secret"; echo x >"$CREDENTIALS_DIRECTORY/new" || echo refused'
        cfg '.process.user = {uid: 1234, gid: 1234}'
        echo "from a file" >"$BATS_TEST_TMPDIR/secret"
        service "LoadCredential=secret:$BATS_TEST_TMPDIR/secret" "SetCredential=set:in the unit"
        systemctl start "$UNIT"
        eventually unit_ended
        eventually sh -c "journalctl -b -u $UNIT -t $ID -o cat | grep -q refused"
        run journalctl -b -u "$UNIT" -t "$ID" -o cat
        [[ $output == *"from a file"*"in the unit"*"400 1234"*"refused"* ]]
        is_gone
}

@test "sockets that systemd listens on reach the program" {
        script 'echo "$LISTEN_FDS $LISTEN_FDNAMES $LISTEN_PID"; ls /proc/self/fd | xargs'
        service
        printf '[Socket]\nListenStream=%s\nListenStream=%s\nFileDescriptorName=web\n' "$BATS_TEST_TMPDIR/a.sock" "$BATS_TEST_TMPDIR/b.sock" \
                >"$UNIT_DIR/$ID.socket"
        systemctl daemon-reload
        systemctl start "$ID.socket"
        systemctl start "$UNIT"
        eventually sh -c "journalctl -b -u $UNIT -t $ID -o cat | grep -qx '2 web:web 1'"
        eventually sh -c "journalctl -b -u $UNIT -t $ID -o cat | grep -qx '0 1 2 3 4 5'"
}

@test "commands for containers work by name, and those that systemd is for say so" {
        script 'trap "echo reloaded" HUP; trap "exit 0" TERM; while :; do sleep 0.05; done'
        service "ExecReload=$(command -v "$RUNTIME") kill $ID HUP"
        systemctl start "$UNIT"
        run -0 "$RUNTIME" exec "$ID" echo inside
        [ "$output" = inside ]
        run -0 "$RUNTIME" ps -f json "$ID"
        [[ $output == *"$(pid_of "$ID")"* ]]
        "$RUNTIME" pause "$ID"
        has_status "$ID" paused
        "$RUNTIME" resume "$ID"
        run -0 "$RUNTIME" list
        [[ $output == *"$ID "*" running "*"$UNIT"* ]]
        run -0 "$RUNTIME" events --stats "$ID"
        launch -1 "$RUNTIME" start "$ID"
        [[ $output == *"systemctl start $UNIT"* ]]
        for force in "" --force; do
                launch -1 "$RUNTIME" delete $force "$ID"
                [[ $output == *"systemctl stop $UNIT"* ]]
        done
        has_status "$ID" running
        systemctl reload "$UNIT"
        eventually sh -c "journalctl -b -u $UNIT -t $ID -o cat | grep -qx reloaded"
        "$RUNTIME" kill "$ID" TERM
        eventually unit_ended
        is_gone
}

@test "a paused one is stopped like any other" {
        script 'trap "exit 0" TERM; while :; do sleep 0.05; done'
        service
        systemctl start "$UNIT"
        "$RUNTIME" pause "$ID"
        began=$(milliseconds)
        systemctl stop "$UNIT"
        [ $(($(milliseconds) - began)) -lt 5000 ]
        [ "$(property_of "$UNIT" Result)" = success ]
        is_gone
}

@test "an ID that an engine's container has is left to it" {
        program sleep 100
        run_detached
        engine=$UNIT pid=$(pid_of "$ID")
        service
        launch -1 systemctl start "$UNIT"
        eventually sh -c "journalctl -b -u $UNIT -o cat | grep -q 'already exists'"
        has_status "$ID" running
        [ "$(pid_of "$ID")" = "$pid" ]
        [ "$(property_of "$engine" MainPID)" != 0 ]
        "$RUNTIME" delete --force "$ID"
        launch systemctl start "$UNIT"
        systemctl kill -s KILL --kill-whom=main "$UNIT"
        eventually is_gone
}

@test "killed at any moment of its start, it leaves nothing and starts again" {
        script 'trap "exit 0" TERM; while :; do sleep 0.05; done'
        hook poststop 'touch '"$BATS_TEST_TMPDIR"'/poststop'
        service
        for ((i = 0; i < ROUNDS; i++)); do
                systemctl start --no-block "$UNIT"
                sleep "0.0$((i % 10))$((RANDOM % 10))"
                systemctl kill -s KILL --kill-whom=main "$UNIT" 2>/dev/null || true
                eventually unit_ended
                is_gone || { ls -la "/run/unitrun/$ID"; return 1; }
                systemctl reset-failed "$UNIT" 2>/dev/null || true
        done
        # not even where ExecStopPost= had no chance
        systemctl start "$UNIT"
        sed -i '/^ExecStopPost=/d' "$UNIT_DIR/$UNIT"
        systemctl daemon-reload
        systemctl kill -s KILL --kill-whom=main "$UNIT"
        eventually unit_ended
        [ -e "/run/unitrun/$ID" ]
        systemctl reset-failed "$UNIT"
        systemctl start "$UNIT"
        has_status "$ID" running
        systemctl stop "$UNIT"
        "$RUNTIME" delete "$ID"
        is_gone
}

@test "a unit that is no delegated notify service is told what it needs" {
        program true
        service
        for line in Type=notify Delegate=yes; do
                case $line in
                Type=*) edit='s/^Type=.*/Type=exec/; s/^NotifyAccess=.*/NotifyAccess=none/' ;;
                *) edit="s/^$line\$/Delegate=no/" ;;
                esac
                sed "/^ExecStartPost=/d; $edit" -i "$UNIT_DIR/$UNIT"
                systemctl daemon-reload
                systemctl start "$UNIT" || true
                eventually unit_ended
                eventually sh -c "journalctl -b -u $UNIT -o cat | grep -q 'it needs $line'"
                service
        done
        run -1 "$RUNTIME" service --bundle "$BUNDLE" "$ID"
        [[ $output == *"ExecStart= of a service"* ]]
}

# bats test_tags=qemu
@test "limits of the bundle hold in the container's own group" {
        requires memory pids
        script 'trap "exit 0" TERM; while :; do sleep 0.05; done'
        cfg '.linux.resources += {pids: {limit: 77}, memory: {limit: 67108864}}'
        service
        systemctl start "$UNIT"
        group=$CGROUPS$(property_of "$UNIT" ControlGroup)/payload
        [ "$(cat "$group/pids.max")" = 77 ]
        [ "$(cat "$group/memory.max")" = 67108864 ]
        # and may be changed while it runs, there and in the unit
        "$RUNTIME" update --pids-limit 66 --memory 64000000 --memory-swap 64000000 "$ID"
        [ "$(cat "$group/pids.max")" = 66 ]
        [ "$(property_of "$UNIT" TasksMax)" = 66 ]
        [ "$(property_of "$UNIT" MemoryMax)" = "$(cat "$group/memory.max")" ]
        systemctl set-property --runtime "$UNIT" TasksMax=60
        systemctl daemon-reload
        [ "$(cat "$group/pids.max")" = 66 ]
        "$RUNTIME" events --stats "$ID" | jq -e '.data.pids.limit == 66 and .data.memory.usage.limit <= 64000000'
        systemctl restart "$UNIT"
        [ "$(cat "$group/pids.max")" = 77 ]
        systemctl stop "$UNIT"
}

@test "without a bundle: a root filesystem, a program and the rest by options" {
        root=$BUNDLE/rootfs
        mkdir -p "$root/etc" "$BATS_TEST_TMPDIR/data"
        echo 'web:x:77:88::/home/web:/bin/sh' >"$root/etc/passwd"
        echo 'data' >"$BATS_TEST_TMPDIR/data/file"
        SERVICE="--rootfs=$root --env='A=b \$HOME %% c' --user=web --workdir=/tmp --volume=$BATS_TEST_TMPDIR/data:/data:ro --tmpfs=/scratch:mode=1777 \
                --hostname=named --read-only --cap-drop=all --cap-add=net_raw --device=/dev/full --sysctl=net.ipv4.ip_forward=1 $ID -- sh -c \
                'echo \"\$A|\$(id -u):\$(id -g)|\$PWD|\$(cat /data/file)|\$(hostname)|\$(cat /proc/sys/net/ipv4/ip_forward)|\$(grep CapBnd /proc/self/status)\"; \
                touch /scratch/x && echo scratch; touch /data/x || echo ro-data; touch /x || echo ro-root; ls -l /dev/full; ls /sys/class/net'"
        service
        systemctl start "$UNIT"
        eventually unit_ended
        eventually sh -c "journalctl -b -u $UNIT -t $ID -o cat | grep -qx ro-root"
        run journalctl -b -u "$UNIT" -t "$ID" -o cat
        [[ $output == *'b $HOME % c|77:88|/tmp|data|named|1|CapBnd:'$'\t''0000000000002000'* ]]
        [[ $output == *scratch*ro-data*ro-root*/dev/full*lo* ]]
}

@test "networks: the host's, another container's, one by path" {
        root=$BUNDLE/rootfs
        script 'trap "exit 0" TERM; while :; do sleep 0.05; done'
        run_detached
        other=$ID
        ID=$ID-b
        for network in host "container:$other" "ns:/proc/$(pid_of "$other")/ns/net"; do
                SERVICE="--rootfs=$root --network=$network $ID -- readlink /proc/self/ns/net" service
                systemctl start "$UNIT"
                eventually unit_ended
                case $network in host) wanted=$(readlink /proc/self/ns/net) ;; *) wanted=$(readlink "/proc/$(pid_of "$other")/ns/net") ;; esac
                eventually sh -c "journalctl -b -u $UNIT -t $ID -o cat | grep -qxF '$wanted'"
        done
        for network in nosuch "container:nosuch-$ID" ns:relative; do
                SERVICE="--rootfs=$root --network=$network $ID -- true" service
                launch -1 systemctl start "$UNIT"
                eventually sh -c "journalctl -b -u $UNIT -o cat | grep -q -- '--network'"
                systemctl reset-failed "$UNIT"
        done
        ID=$other
        "$RUNTIME" delete --force "$ID"
}

@test "for another account: a user namespace by mappings" {
        chown -R 200000:200000 "$BUNDLE/rootfs"
        SERVICE="--rootfs=$BUNDLE/rootfs --uidmap=0:200000:65536 --gidmap=0:200000:65536 $ID -- sh -c 'id -u; touch /made; cat /proc/self/uid_map'" service
        systemctl start "$UNIT"
        eventually unit_ended
        [ "$(stat -c %u "$BUNDLE/rootfs/made")" = 200000 ]
}

@test "wrong options are told with their name" {
        local root=$BUNDLE/rootfs
        while IFS='|' read -r options text; do
                SERVICE="$options" service
                launch -1 systemctl start "$UNIT"
                grep -qF -- "$text" <(journalctl -b -u "$UNIT" --since "$TEST_BEGAN" -o cat) || eventually sh -c "journalctl -b -u $UNIT -o cat | grep -qF -- \"$text\"" ||
                        { echo "$options: no '$text'"; return 1; }
                systemctl reset-failed "$UNIT"
        done <<END
$ID|either --bundle or --rootfs
--bundle=$BUNDLE --rootfs=$root $ID|either --bundle or --rootfs
--bundle=$BUNDLE --env=A=b $ID|--env belongs to --rootfs
--bundle=$BUNDLE $ID -- true|a program belongs to --rootfs
--rootfs=$root $ID|requires a program
--rootfs=$root --user=nobodyhere $ID -- true|--user: 'nobodyhere'
--rootfs=$root --volume=/a $ID -- true|--volume: '/a'
--rootfs=$root --volume=a:/b $ID -- true|--volume: 'a'
--rootfs=$root --device=/nosuch $ID -- true|--device: '/nosuch'
--rootfs=$root --uidmap=0:x:1 $ID -- true|--uidmap: '0:x:1'
END
}
