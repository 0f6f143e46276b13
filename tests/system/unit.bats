#!/usr/bin/env bats
# The container's unit as systemd's own tools see it: its properties, its control groups, and what an administrator
# does to it.
# shellcheck disable=SC2016,SC2030,SC2031 # each test is a function

load helpers
load container

# polite TEXT SIGNAL STATUS: a program that ends with STATUS at SIGNAL, saying TEXT
polite() {
        script "trap 'echo $1; exit $3' $2; echo ready; while :; do sleep 0.05; done"
}

@test "the unit is a delegated notify service that systemd forgets by itself" {
        program sleep 100
        create
        while read -r name value; do
                has_property "$UNIT" "$name" "$value"
        done <<PROPERTIES
Type notify
NotifyAccess main
Delegate yes
CollectMode inactive-or-failed
KillMode mixed
OOMPolicy continue
TimeoutStartUSec infinity
Transient yes
NeedDaemonReload no
ActiveState activating
SubState start
OOMScoreAdjust -1000
PROPERTIES
        # systemctl quotes it
        [ "$(property_of "$UNIT" Documentation | tr -d '"')" = "man:unitrun(1)" ]
        [ -n "$(property_of "$UNIT" SyslogIdentifier)" ]
        [[ $(property_of "$UNIT" Description) == *"$ID"* ]]
        "$RUNTIME" start "$ID"
        has_property "$UNIT" SubState running
        has_property "$UNIT" NRestarts 0
}

@test "the status text says in words where the container is" {
        polite bye TERM 3
        property CollectMode "'inactive'"
        create
        [[ $(property_of "$UNIT" StatusText) == *[Cc]reated* ]]
        "$RUNTIME" start "$ID"
        text=$(property_of "$UNIT" StatusText)
        [[ $text == *[Rr]unning*sh* ]]
        [[ $text == *"PID $(pid_of "$ID")"* ]]
        eventually file_has "$OUT" ready
        "$RUNTIME" kill "$ID" TERM
        eventually unit_is "$UNIT" failed
        [[ $(property_of "$UNIT" StatusText) == *[Ee]xited*3* ]]
}

@test "the status text says so while a container is stopping" {
        script 'trap "echo told; sleep 2; exit 0" TERM; echo ready; while :; do sleep 0.1; done'
        run_detached
        eventually file_has "$OUT" ready
        systemctl stop --no-block "$UNIT"
        eventually file_has "$OUT" told
        unit_is "$UNIT" deactivating
        [[ $(property_of "$UNIT" StatusText) == *[Ss]topping* ]]
        eventually unit_unknown "$UNIT"
}

@test "the main process is the supervisor, the container is in a group beside it" {
        program sleep 100
        run_detached
        main=$(property_of "$UNIT" MainPID)
        pid=$(pid_of "$ID")
        [ "$main" != "$pid" ]
        [[ $(readlink "/proc/$main/exe") == */unitrun-supervisor ]]
        group=$CGROUPS$(property_of "$UNIT" ControlGroup)
        [ "$(cat "$group/supervisor/cgroup.procs")" = "$main" ]
        [ "$(cat "$group/payload/cgroup.procs")" = "$pid" ]
        [ -z "$(cat "$group/cgroup.procs")" ]
        # which is the root of what the container sees
        [ "$(nsenter -t "$pid" -C grep ^0:: "/proc/$pid/cgroup")" = 0::/ ]
}

@test "the container's first process is the caller's child, not systemd's" {
        program sleep 100
        engine_create
        [ "$(sed -n 's/^PPid:\t//p' "/proc/$(cat "$PID_FILE")/status")" = "$ENGINE" ] ||
                [ "$(sed -n 's/^PPid:\t//p' "/proc/$(sed -n 's/^PPid:\t//p' "/proc/$(cat "$PID_FILE")/status")/status")" = "$ENGINE" ]
        "$RUNTIME" kill "$ID" KILL
        [ "$(engine_says)" = "killed 9" ]
}

@test "systemctl status shows the container's processes, and exits 0" {
        script 'sleep 4711 & sleep 4712'
        run_detached
        run -0 systemctl --no-pager --full status "$UNIT"
        [[ $output == *"Active: active (running)"* ]]
        eventually sh -c "systemctl --no-pager --full status $UNIT | grep -q 'sleep 4711'"
        run -0 systemctl --no-pager --full status "$UNIT"
        [[ $output == *payload*"sleep 4711"*supervisor* ]] || [[ $output == *supervisor*payload*"sleep 4711"* ]]
        run -0 systemd-cgls --no-pager -u "$UNIT"
        [[ $output == *"sleep 4712"* ]]
}

@test "a slice and a prefix from the engine name the unit" {
        program sleep 100
        cfg --arg path "machine.slice:libpod:$ID" '.linux.cgroupsPath = $path'
        UNIT=libpod-$ID.service
        run_detached
        unit_is "$UNIT" active
        has_property "$UNIT" Slice machine.slice
        [ "$(unit_of "$ID")" = "$UNIT" ]
        "$RUNTIME" delete --force "$ID"
        unit_unknown "$UNIT"
        assert_nothing_left "$ID"
}

@test "dashes in a slice's name are levels" {
        program sleep 100
        cfg --arg path "my-foo-group.slice:pre:$ID" '.linux.cgroupsPath = $path'
        UNIT=pre-$ID.service
        run_detached
        run -0 grep ^0:: "/proc/$(pid_of "$ID")/cgroup"
        [ "$output" = "0::/my.slice/my-foo.slice/my-foo-group.slice/$UNIT/payload" ]
        [ -d "$(payload_of "$ID")" ]
        "$RUNTIME" delete -f "$ID"
        unit_unknown "$UNIT"
        systemctl stop my.slice
}

@test "an empty slice is the manager's default, a dash the root" {
        program sleep 100
        cfg --arg path ":pre:$ID" '.linux.cgroupsPath = $path'
        UNIT=pre-$ID.service
        run_detached
        has_property "$UNIT" Slice system.slice
        "$RUNTIME" delete -f "$ID"
        cfg --arg path "-.slice:pre:$ID" '.linux.cgroupsPath = $path'
        run_detached
        has_property "$UNIT" Slice -.slice
}

@test "without a cgroupsPath the unit is unitrun-ID in the default slice" {
        program sleep 100
        cfg 'del(.linux.cgroupsPath) | del(.linux.resources)'
        run_detached
        unit_is "$UNIT" active
        has_property "$UNIT" Slice system.slice
}

@test "an ID with characters that unit names lack is escaped as systemd-escape does" {
        program sleep 100
        local id="$ID+x"
        launch "$RUNTIME" run -d -b "$BUNDLE" "$id"
        unit=$(unit_of "$id")
        [ "$unit" = "unitrun-$ID$(systemd-escape +)x.service" ]
        unit_is "$unit" active
        "$RUNTIME" delete -f "$id"
        unit_unknown "$unit"
}

@test "systemctl stop sends SIGTERM, and the engine sees how the container ended" {
        polite bye TERM 0
        engine_create
        "$RUNTIME" start "$ID"
        eventually file_has "$OUT" ready
        systemctl stop "$UNIT"
        file_has "$OUT" bye
        [ "$(engine_says)" = "exited 0" ]
        has_status "$ID" stopped
}

@test "systemctl stop sends the signal that the image or the engine chose, and the engine's word counts more" {
        polite "got USR1" USR1 7
        annotate org.opencontainers.image.stopSignal SIGUSR1
        engine_create
        "$RUNTIME" start "$ID"
        has_property "$UNIT" KillSignal 10
        eventually file_has "$OUT" ready
        systemctl stop "$UNIT"
        [ "$(engine_says)" = "exited 7" ]
        "$RUNTIME" delete "$ID"
        polite "got QUIT" QUIT 8
        property KillSignal 3
        engine_create
        "$RUNTIME" start "$ID"
        has_property "$UNIT" KillSignal 3
        eventually file_has "$OUT" ready
        systemctl stop "$UNIT"
        [ "$(engine_says)" = "exited 8" ]
        file_has "$OUT" "got QUIT"
}

@test "a container may take as long to stop as its timeout allows" {
        script 'trap "sleep 2; echo done; exit 0" QUIT; echo ready; while :; do sleep 0.1; done'
        property TimeoutStopUSec "uint64 20000000"
        property KillSignal 3
        run_detached
        eventually file_has "$OUT" ready
        began=$(milliseconds)
        systemctl stop "$UNIT"
        took=$(($(milliseconds) - began))
        [ $took -ge 2000 ] && [ $took -lt 5000 ] || { echo "took $took ms"; return 1; }
        file_has "$OUT" "done"
        has_status "$ID" stopped
}

@test "a container that does not stop in its time is killed, with everything in it" {
        script '(trap "" TERM; while :; do sleep 0.1; done) & trap "" TERM; echo ready; while :; do sleep 0.1; done'
        property TimeoutStopUSec "uint64 1000000"
        property CollectMode "'inactive'"
        engine_create
        "$RUNTIME" start "$ID"
        eventually file_has "$OUT" ready
        systemctl stop "$UNIT"
        [ "$(engine_says)" = "killed 9" ]
        has_property "$UNIT" Result timeout
        [ -z "$(processes_of "$ID")" ]
        "$RUNTIME" delete "$ID"
        unit_unknown "$UNIT"
}

@test "systemctl stop ends a container that was only created" {
        program sleep 100
        engine_create
        pid=$(cat "$PID_FILE")
        systemctl stop "$UNIT"
        [[ $(engine_says) =~ ^(killed|exited)" " ]]
        process_ended "$pid"
        has_status "$ID" stopped
        "$RUNTIME" delete "$ID"
}

@test "systemctl kill reaches the container through the supervisor, and every process on request" {
        polite "got USR2" USR2 4
        engine_create
        "$RUNTIME" start "$ID"
        eventually file_has "$OUT" ready
        systemctl kill --kill-whom=main --signal=USR2 "$UNIT"
        [ "$(engine_says)" = "exited 4" ]
        file_has "$OUT" "got USR2"
        "$RUNTIME" delete "$ID"
        program sleep 100
        engine_create
        "$RUNTIME" start "$ID"
        systemctl kill --signal=KILL "$UNIT"
        [ "$(engine_says)" = "killed 9" ]
        eventually unit_unknown "$UNIT"
}

@test "a container does not outlive its supervisor" {
        program sleep 100
        engine_create
        "$RUNTIME" start "$ID"
        kill -KILL "$(property_of "$UNIT" MainPID)"
        [ "$(engine_says)" = "killed 9" ]
        eventually unit_unknown "$UNIT"
        has_status "$ID" stopped
        run -0 "$RUNTIME" delete "$ID"
}

@test "systemctl restart says which command restarts a container, and the engine sees it stopped" {
        program sleep 100
        property CollectMode "'inactive'"
        property TimeoutStopUSec "uint64 1000000"
        engine_create
        "$RUNTIME" start "$ID"
        run systemctl restart "$UNIT"
        [ "$status" -ne 0 ]
        [[ $(engine_says) =~ ^(killed|exited)" " ]]
        eventually unit_is "$UNIT" failed
        eventually journal_has restart -u "$UNIT" --identifier="$(property_of "$UNIT" SyslogIdentifier)"
        has_status "$ID" stopped
        "$RUNTIME" delete "$ID"
        unit_unknown "$UNIT"
}

@test "daemon-reload and daemon-reexec change nothing for a container" {
        cfg '.linux.resources.devices = [{allow: false, access: "rwm"}, {allow: true, type: "c", major: 10, minor: 229, access: "rw"}]'
        polite bye TERM 6
        engine_create
        systemctl daemon-reload # while created
        has_status "$ID" created
        "$RUNTIME" start "$ID"
        eventually file_has "$OUT" ready
        pid=$(pid_of "$ID")
        systemctl show "$UNIT" | grep -E '^(Main|Control|Device|Delegate|Kill|OOM|Timeout|Type|Status|Active|Sub)' >"$BATS_TEST_TMPDIR/before"
        systemctl daemon-reload
        systemctl daemon-reexec
        systemctl show "$UNIT" | grep -E '^(Main|Control|Device|Delegate|Kill|OOM|Timeout|Type|Status|Active|Sub)' >"$BATS_TEST_TMPDIR/after"
        diff "$BATS_TEST_TMPDIR/before" "$BATS_TEST_TMPDIR/after"
        has_property "$UNIT" NeedDaemonReload no
        has_status "$ID" running
        [ "$(pid_of "$ID")" = "$pid" ]
        systemctl stop "$UNIT"
        [ "$(engine_says)" = "exited 6" ]
        "$RUNTIME" delete "$ID"
        assert_nothing_left "$ID"
}

@test "no unit says that it needs a daemon-reload" {
        program sleep 100
        cfg '.linux.resources.devices = [{allow: false, access: "rwm"}, {allow: true, type: "c", major: 10, minor: 229, access: "rwm"},
                {allow: true, type: "b", access: "m"}, {allow: true, type: "c", major: 5, access: "rw"}]'
        property TimeoutStopUSec "uint64 5000000"
        create
        has_property "$UNIT" NeedDaemonReload no
        "$RUNTIME" start "$ID"
        has_property "$UNIT" NeedDaemonReload no
        systemctl daemon-reload
        has_property "$UNIT" NeedDaemonReload no
}

@test "RuntimeMaxUSec ends a container" {
        program sleep 100
        property RuntimeMaxUSec "uint64 1000000"
        property TimeoutStopUSec "uint64 1000000"
        engine_create
        "$RUNTIME" start "$ID"
        eventually 5 has_status "$ID" stopped
        [[ $(engine_says) =~ ^killed" "(9|15)$ ]]
        "$RUNTIME" delete "$ID"
        unit_unknown "$UNIT"
}

@test "the journal's records of the unit carry the container's identity" {
        program sleep 100
        hook poststart 'echo "from a hook of '"$ID"'"'
        annotate io.podman.annotations.image-name example/image:1
        run_detached
        eventually journal_has "from a hook of $ID" -u "$UNIT"
        record=$(journalctl -b --no-pager -o json -u "$UNIT" | jq -c --arg text "from a hook of $ID" 'select(.MESSAGE == $text)')
        jq -e --arg id "$ID" '.CONTAINER_ID_FULL == $id and .CONTAINER_ID == $id[:12] and (.SYSLOG_IDENTIFIER | length) > 0' <<<"$record"
}

@test "a name from an annotation is in the journal, and cannot forge other fields" {
        program sleep 100
        hook poststart 'echo "from a hook of '"$ID"'"'
        annotate io.kubernetes.container.name "$(printf 'web\nPRIORITY=0\nFORGED=yes=1')"
        annotate io.kubernetes.cri-o.Name web=1
        run_detached
        eventually journal_has "from a hook of $ID" -u "$UNIT"
        ! journalctl -b --no-pager -o json -u "$UNIT" | jq -e 'select(.FORGED != null or .PRIORITY == "0")' || return 1
}
