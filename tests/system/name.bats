#!/usr/bin/env bats
# A unit's name is free again once its container is deleted, whatever became of the unit; and a name that is somebody
# else's is left alone.
# shellcheck disable=SC2016,SC2030,SC2031 # each test is a function

load helpers
load container

# overdue: a container that systemd kills for running too long
overdue() {
        program sleep 10
        property RuntimeMaxUSec "uint64 2000000"
        property TimeoutStopUSec "uint64 1000000"
}

# status_exits UNIT N: what `systemctl status` exits with
status_exits() {
        run systemctl status "$1"
        [ "$status" -eq "$2" ] || { echo "systemctl status exits $status, not $2"; return 1; }
}

# starts_again: the same ID, thus the same unit, at once
starts_again() {
        cfg '.annotations = {}'
        script 'exit 21'
        run_container -21
}

@test "a failed unit that stays until it is reset is gone after delete, and its name starts again" {
        overdue
        property CollectMode "'inactive'"
        run_detached
        eventually 8 unit_is "$UNIT" failed
        has_property "$UNIT" Result timeout
        status_exits "$UNIT" 3
        has_status "$ID" stopped
        run -0 "$RUNTIME" delete "$ID"
        status_exits "$UNIT" 4
        starts_again
}

@test "a failed unit that systemd forgets by itself is gone before delete, and its name starts again" {
        overdue
        engine_create
        "$RUNTIME" start "$ID"
        [[ $(engine_says) =~ ^killed" "(9|15)$ ]]
        eventually unit_unknown "$UNIT"
        has_status "$ID" stopped
        run -0 "$RUNTIME" delete "$ID"
        status_exits "$UNIT" 4
        starts_again
}

# held MODE: the same while a client of systemd holds a reference on the unit, until delete has reset the failure
held() {
        local deleting
        overdue
        property CollectMode "'$1'"
        run_detached
        hold "$UNIT"
        eventually 8 unit_is "$UNIT" failed
        status_exits "$UNIT" 3
        "$RUNTIME" delete "$ID" >"$BATS_TEST_TMPDIR/deleted" 2>&1 3>&- 7>&- &
        deleting=$!
        eventually unit_is "$UNIT" inactive
        release
        wait $deleting || { cat "$BATS_TEST_TMPDIR/deleted"; return 1; }
        status_exits "$UNIT" 4
        starts_again
}

@test "a client that holds a reference on the failed unit does not burn the name" {
        held inactive
}

@test "a client that holds a reference on a unit that is forgotten by itself does not burn the name" {
        held inactive-or-failed
}

@test "delete does not wait for ever for a client that never lets go of the unit" {
        overdue
        run_detached
        hold "$UNIT"
        eventually 8 unit_is "$UNIT" failed
        run timeout 60 "$RUNTIME" delete "$ID" 7>&-
        [ "$status" -ne 124 ]
        # a unit that is only inactive does not stand in the way of a new one of the name
        [ "$(property_of "$UNIT" ActiveState)" = inactive ]
        release
        eventually unit_unknown "$UNIT"
        starts_again
}

# bats test_tags=qemu
@test "an OOM-killed container's name is free after delete" {
        requires memory
        script 'tail /dev/zero'
        cfg '.linux.resources.memory = {limit: 20971520, swap: 20971520}'
        run_container -137
        unit_unknown "$UNIT"
        property CollectMode "'inactive'"
        property OOMPolicy "'stop'"
        launch -137 "$RUNTIME" run --keep -b "$BUNDLE" "$ID"
        eventually unit_is "$UNIT" failed
        has_property "$UNIT" Result oom-kill
        status_exits "$UNIT" 3
        "$RUNTIME" delete "$ID"
        status_exits "$UNIT" 4
        [ ! -e "/run/systemd/transient/$UNIT" ]
        starts_again
}

@test "a running unit of somebody else with the container's name is an error, and left alone" {
        program sleep 100
        systemd-run --quiet --unit="$UNIT" sleep 600
        main=$(property_of "$UNIT" MainPID)
        create -1
        [[ $output == *"$UNIT"* ]]
        run -1 "$RUNTIME" state "$ID"
        [ "$(property_of "$UNIT" MainPID)" = "$main" ]
        [ "$(pgrep -cf "sleep 600")" = 1 ]
        run -0 "$RUNTIME" delete --force "$ID"
        unit_is "$UNIT" active
        [ "$(property_of "$UNIT" MainPID)" = "$main" ]
        systemctl stop "$UNIT"
        starts_again
}

@test "a failed unit of somebody else with the container's name is an error that says how to reset it" {
        program sleep 100
        systemd-run --quiet --wait --unit="$UNIT" false || true
        unit_is "$UNIT" failed
        create -1
        [[ $output == *"$UNIT"* ]]
        [[ $output == *"systemctl reset-failed"* ]]
        run -0 "$RUNTIME" delete --force "$ID"
        unit_is "$UNIT" failed
        systemctl reset-failed "$UNIT"
        starts_again
}

@test "a failed unit of unitrun's own, whose state is lost, is reset by create" {
        program sh -c 'exit 3'
        property CollectMode "'inactive'"
        run_detached
        eventually unit_is "$UNIT" failed
        rm -rf "/run/unitrun/${ID:?}"
        starts_again
}

@test "an inactive unit file of the container's name is an error, and left alone" {
        program sleep 100
        printf '[Service]\nExecStart=/bin/sleep 600\n' >"/run/systemd/system/$UNIT"
        systemctl daemon-reload
        create -1
        [[ $output == *"$UNIT"* ]]
        [ -e "/run/systemd/system/$UNIT" ]
        unit_is "$UNIT" inactive
        rm "/run/systemd/system/$UNIT"
        systemctl daemon-reload
        starts_again
}

@test "a unit that systemd will not start is an error with systemd's own reason" {
        program sleep 100
        slice=masked$RANDOM.slice
        systemctl mask --runtime --quiet "$slice"
        cfg --arg path "$slice:unitrun:$ID" '.linux.cgroupsPath = $path'
        create -1
        [[ $output == *"$UNIT"* ]]
        [[ $output == *masked* ]] || [[ $output == *dependency* ]]
        run -1 "$RUNTIME" state "$ID"
        assert_nothing_left "$ID"
        systemctl unmask --runtime --quiet "$slice"
        create
}

@test "a job that fails for what it depends on is an error with that result" {
        program sleep 100
        slice=needy$RANDOM.slice
        printf '[Service]\nType=oneshot\nExecStart=/bin/false\n' >"/run/systemd/system/$slice.service"
        printf '[Unit]\nRequires=%s.service\nAfter=%s.service\n' "$slice" "$slice" >"/run/systemd/system/$slice"
        systemctl daemon-reload
        cfg --arg path "$slice:unitrun:$ID" '.linux.cgroupsPath = $path'
        create -1
        [[ $output == *"$UNIT"*dependency* ]]
        assert_nothing_left "$ID"
        rm "/run/systemd/system/$slice"{,.service}
        systemctl daemon-reload
        systemctl reset-failed "$slice.service"
        create
}

@test "a supervisor that cannot be started is an error that names the unit and its journal" {
        program sleep 100
        supervisor=$(find /usr/libexec -name unitrun-supervisor)
        : >"$BATS_TEST_TMPDIR/empty"
        chmod 755 "$BATS_TEST_TMPDIR/empty" # one that may not be executed is found before
        mount --bind "$BATS_TEST_TMPDIR/empty" "$supervisor"
        create -1 || { umount "$supervisor"; return 1; }
        umount "$supervisor"
        [[ $output == *"$UNIT"* ]]
        [[ $output == *"journalctl -u $UNIT"* ]]
        assert_nothing_left "$ID"
        create
}
