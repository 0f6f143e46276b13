#!/usr/bin/env bats
# A plain user at a shell: containers are services of the user's own manager.
# shellcheck disable=SC2016,SC2030,SC2031,SC2046,SC2086,SC2329 # each test is a function

load helpers
load container
load user

eval "$(declare -f setup | sed '1s/setup/common_setup/')"
setup() {
        common_setup
        BUNDLE=/home/guest/$ID
        mkbundle "$BUNDLE"
        as guest "$RUNTIME" spec --rootless --bundle /home/guest >/dev/null
        mv /home/guest/config.json "$BUNDLE/config.json"
        chown -R guest:guest "$BUNDLE"
        cfg '.process.terminal = false | .root.readonly = false'
}

setup_file() {
        bats_require_minimum_version 1.8.0
        make_user guest 2001
        make_user other 2002
}

teardown() {
        local bad=0 name
        [ -n "${BATS_TEST_COMPLETED:-}" ] || { show_failure; as guest journalctl --user -b -n 30 --no-pager | sed 's/^/  /'; }
        for name in guest other; do
                find "/run/user/$(id -u $name)/unitrun" -mindepth 1 -maxdepth 1 -printf '%f\n' 2>/dev/null | while read -r id; do
                        as $name "$RUNTIME" delete --force "$id" || true
                done
                user_systemctl $name stop "*$ID*" 2>/dev/null || true
                user_systemctl $name reset-failed "*$ID*" 2>/dev/null || true
                eventually nothing_left_of $name || bad=1
        done
        rm -rf "/home/guest/$ID"* "/home/other/$ID"*
        return $bad
}

# cfg leaves a file of root's: it is the user's again before each command
guest() {
        chown -R guest:guest "$BUNDLE/config.json"
        as guest "$@"
}

# guest_run [-STATUS]: in the foreground; $output
guest_run() {
        chown guest "$BUNDLE/config.json"
        run "${1:--0}" timeout -k 1 "$PATIENCE" su guest -c 'XDG_RUNTIME_DIR=/run/user/2001 exec "$@"' -- sh "$RUNTIME" run --bundle "$BUNDLE" "$ID" </dev/null 3>&-
}

# guest_detached: in the background
guest_detached() {
        chown guest "$BUNDLE/config.json"
        OUT=$BATS_TEST_TMPDIR/out
        as guest "$RUNTIME" run --detach --bundle "$BUNDLE" "$ID" </dev/null >"$OUT" 2>&1 || { cat "$OUT"; return 1; }
}

@test "the config that spec --rootless writes runs as it is, with the user as its root" {
        script 'id -u; cat /proc/self/uid_map; hostname; echo made >/made'
        guest_run
        [[ $(xargs <<<"$output") == "0 0 2001 1 unitrun" ]]
        [ "$(stat -c %U "$BUNDLE/rootfs/made")" = guest ]
        nothing_left_of guest
}

@test "the container is a service of the user's manager, from create to delete" {
        script 'trap "exit 0" TERM; while :; do sleep 0.05; done'
        chown guest "$BUNDLE/config.json"
        as guest "$RUNTIME" create --bundle "$BUNDLE" "$ID" </dev/null >/dev/null
        user_status guest "$ID" created
        [ "$(user_property guest "unitrun-$ID.service" ActiveState)" = activating ]
        as guest "$RUNTIME" start "$ID"
        user_status guest "$ID" running
        [ "$(user_property guest "unitrun-$ID.service" ActiveState)" = active ]
        group=$(user_property guest "unitrun-$ID.service" ControlGroup)
        [[ $group == /user.slice/user-2001.slice/user@2001.service/* ]]
        grep -qx "$(as guest "$RUNTIME" state "$ID" | jq .pid)" "$CGROUPS$group/payload/cgroup.procs"
        [[ $(as guest systemctl --user status --no-pager "unitrun-$ID.service") == *"Running sh as PID"* ]]
        # the system's manager has no such unit, and root's list no such container
        unit_unknown "unitrun-$ID.service"
        [[ $("$RUNTIME" list -q) != *"$ID"* ]]
        [ "$(as guest "$RUNTIME" exec "$ID" id -u)" = 0 ]
        [[ $(as guest "$RUNTIME" ps "$ID") == *sh* ]]
        [[ $(as guest "$RUNTIME" list) == *"$ID "*" running "*" guest "*"unitrun-$ID.service"* ]]
        as guest "$RUNTIME" events --stats "$ID" | jq -e .data.pids
        as guest "$RUNTIME" pause "$ID"
        user_status guest "$ID" paused
        as guest "$RUNTIME" resume "$ID"
        as guest "$RUNTIME" kill "$ID" TERM
        eventually user_status guest "$ID" stopped
        as guest "$RUNTIME" delete "$ID"
        nothing_left_of guest
}

@test "systemctl --user stops it, and the exit status is the program's everywhere" {
        script 'trap "exit 3" TERM; while :; do sleep 0.05; done'
        property CollectMode "'inactive'"
        guest_detached
        user_systemctl guest stop "unitrun-$ID.service"
        eventually user_status guest "$ID" stopped
        [ "$(user_property guest "unitrun-$ID.service" ExecMainStatus)" = 3 ]
        as guest "$RUNTIME" delete "$ID"
        cfg 'del(.annotations)'
        for code in 0 5; do
                script "exit $code"
                guest_run -$code
        done
        script 'kill -SEGV $$'
        cfg 'del(.linux.namespaces[] | select(.type == "pid")) | .mounts |= map(select(.destination != "/proc"))'
        guest_run -139
}

@test "more than the own ID is mapped as far as /etc/subuid allows it" {
        cfg '.linux.uidMappings = [{containerID: 0, hostID: 2001, size: 1}, {containerID: 1, hostID: 200100000, size: 65536}] | .linux.gidMappings = .linux.uidMappings'
        for set in bounding effective permitted; do
                cfg ".process.capabilities.$set += [\"CAP_CHOWN\", \"CAP_SETUID\", \"CAP_SETGID\"]"
        done
        script 'cat /proc/self/uid_map | xargs; touch /mine; chown 7:8 /mine; id -u'
        guest_run
        [[ $output == *"0 2001 1 1 200100000 65536"* ]]
        [ "$(stat -c %u:%g "$BUNDLE/rootfs/mine")" = 200100006:200100007 ]
        cfg '.process.user = {uid: 5, gid: 6, additionalGids: [9]}'
        script 'id -u; id -G'
        guest_run
        [ "$(xargs <<<"$output")" = "5 6 9" ]
        cfg '.linux.uidMappings[1].hostID = 300000'
        run -1 guest "$RUNTIME" run -b "$BUNDLE" "$ID" </dev/null
        [[ $output == *"config.json: linux.uidMappings: "*"newuidmap"*"not allowed"* ]]
        cfg '.linux.uidMappings[1].hostID = 200100000'
        run -1 guest env PATH=/nosuch "$(command -v "$RUNTIME")" run -b "$BUNDLE" "$ID" </dev/null
        [[ $output == *"linux.uidMappings"*newuidmap* ]]
        nothing_left_of guest
}

@test "hooks of all kinds run, and a poststart hook that fails fails the user's unit" {
        for kind in prestart createRuntime createContainer poststart poststop; do
                hook $kind "echo $kind >>$BUNDLE/order"
        done
        script 'exit 0'
        guest_run
        [[ $(xargs <"$BUNDLE/order") == "prestart createRuntime createContainer"*poststop ]]
        grep -q poststart "$BUNDLE/order"
        cfg 'del(.hooks)'
        hook poststart 'echo no such luck >&2; exit 3'
        program sleep 100
        chown guest "$BUNDLE/config.json"
        run -1 guest "$RUNTIME" run -d -b "$BUNDLE" "$ID" </dev/null
        [[ $output == *"poststart hook"*"no such luck"* ]]
        nothing_left_of guest
}

@test "a limit whose controller the user's manager has not is an error that says how to get it" {
        [ -e /sys/fs/cgroup/user.slice/user-2001.slice/user@2001.service/memory.max ] && skip "the controller memory is there"
        cfg '.linux.resources = {memory: {limit: 67108864}}'
        program true
        run -1 guest "$RUNTIME" run -b "$BUNDLE" "$ID" </dev/null
        [[ $output == *"linux.resources.memory.limit"*"'memory'"*"user@2001.service"*"user@.service.d"* ]]
        # unlimited needs none
        cfg '.linux.resources = {memory: {limit: -1}, pids: {limit: -1}}'
        guest_run
}

@test "without a manager there is a clear error, and a way without one" {
        program true
        chown guest "$BUNDLE/config.json"
        run -1 su guest -c 'unset XDG_RUNTIME_DIR; exec "$@"' -- sh "$RUNTIME" run -b "$BUNDLE" "$ID" </dev/null 3>&-
        [[ $output == *XDG_RUNTIME_DIR* ]]
        mkdir -p "$BATS_TEST_TMPDIR/empty"
        chown guest "$BATS_TEST_TMPDIR/empty"
        chmod 700 "$BATS_TEST_TMPDIR/empty"
        without() {
                chown guest "$BUNDLE/config.json"
                timeout "$PATIENCE" su guest -c 'unset DBUS_SESSION_BUS_ADDRESS; export XDG_RUNTIME_DIR="$0"; exec "$@"' -- "$BATS_TEST_TMPDIR/empty" "$RUNTIME" "$@" </dev/null 3>&-
        }
        run -1 without --systemd-cgroup run -b "$BUNDLE" "$ID"
        [[ $output == *"manager running?"* ]] || { echo "$output"; return 1; }
        [ -z "$(ls -A "$BATS_TEST_TMPDIR/empty/unitrun" 2>/dev/null)" ]
        # unless one was asked for, the container stays where the caller is
        script 'exit 4'
        run -4 without run -b "$BUNDLE" "$ID"
        [[ $output == *"gets no unit"* ]]
        run -4 without --cgroup-manager disabled run -b "$BUNDLE" "$ID"
        [ -z "$output" ]
        program sleep 100
        without run -d -b "$BUNDLE" "$ID" >"$BATS_TEST_TMPDIR/out" 2>&1
        [ "$(without exec "$ID" echo inside)" = inside ]
        [ "$(without state "$ID" | jq -r .status)" = running ]
        without delete --force "$ID"
        [ -z "$(ls -A "$BATS_TEST_TMPDIR/empty/unitrun")" ]
        cfg '.linux.resources = {pids: {limit: 5}}'
        run -1 without run -b "$BUNDLE" "$ID"
        [[ $output == *"linux.resources.pids.limit"*"no control group"* ]]
}

@test "state that somebody else could write or owns is refused" {
        program sleep 100
        guest_detached
        # root's and another user's eyes
        run -1 as other "$RUNTIME" --root /run/user/2001/unitrun state "$ID"
        run -1 as other "$RUNTIME" --root /run/user/2001/unitrun kill "$ID" KILL
        user_status guest "$ID" running
        mkdir -p "$BATS_TEST_TMPDIR/root/$ID"
        cp -a "/run/user/2001/unitrun/$ID/." "$BATS_TEST_TMPDIR/root/$ID/"
        chown -R guest "$BATS_TEST_TMPDIR/root"
        chmod 755 "$BATS_TEST_TMPDIR/root"
        for command in "state" "kill" "delete --force" "exec"; do
                run "$RUNTIME" --root "$BATS_TEST_TMPDIR/root" $command "$ID" $(if [ "$command" = exec ]; then echo true; fi)
                [ "$status" -ne 0 ]
                [[ $output == *"belongs to user 2001"* ]] || { echo "$command: $output"; return 1; }
        done
        ln -s /etc "/run/user/2002/unitrun"
        run -1 as other "$RUNTIME" run -b "$BUNDLE" "$ID" </dev/null
        rm "/run/user/2002/unitrun"
        user_status guest "$ID" running
}

@test "two users have containers of one name, and neither hears of the other's" {
        program sleep 100
        cp -a "$BUNDLE" "/home/other/$ID"
        chown -R other:other "/home/other/$ID"
        jq '.linux.uidMappings[0].hostID = 2002 | .linux.gidMappings[0].hostID = 2002' "$BUNDLE/config.json" >"/home/other/$ID/config.json"
        guest_detached
        as other "$RUNTIME" run --detach --bundle "/home/other/$ID" "$ID" </dev/null >/dev/null 2>&1
        user_status guest "$ID" running
        user_status other "$ID" running
        as guest "$RUNTIME" delete --force "$ID"
        user_status other "$ID" running
        as other "$RUNTIME" delete --force "$ID"
}

@test "killed at any moment, a command leaves nothing that the next one trips over" {
        program true
        chown guest "$BUNDLE/config.json"
        for ((i = 0; i < ROUNDS / 2; i++)); do
                as guest timeout -s KILL "0.0$((i % 10))$((RANDOM % 10))" "$RUNTIME" run -b "$BUNDLE" "$ID" </dev/null >/dev/null 2>&1 || true
                as guest "$RUNTIME" delete --force "$ID"
                eventually nothing_left_of guest
        done
        guest_run
}

@test "bundles and .container files are services of the user's manager as well" {
        script 'trap "exit 0" TERM; echo up; while :; do sleep 0.05; done'
        as guest mkdir -p .local/share/unitrun/bundles .config/unitrun/containers
        rm -rf "/home/guest/.local/share/unitrun/bundles/$ID"
        cp -a "$BUNDLE" "/home/guest/.local/share/unitrun/bundles/$ID"
        chown -R guest:guest "/home/guest/.local/share/unitrun/bundles/$ID"
        user_systemctl guest start "unitrun@$ID.service"
        user_status guest "$ID" running
        [ "$(user_property guest "unitrun@$ID.service" MainPID)" = "$(as guest "$RUNTIME" state "$ID" | jq .pid)" ]
        user_systemctl guest stop "unitrun@$ID.service"
        [ "$(user_property guest "unitrun@$ID.service" Result)" = success ]
        printf '[Container]\nBundle=%s\nNotify=no\n' "$BUNDLE" >"/home/guest/.config/unitrun/containers/$ID-f.container"
        user_systemctl guest daemon-reload
        user_systemctl guest start "$ID-f.service"
        user_status guest "$ID-f" running
        run -1 as guest "$RUNTIME" start "$ID-f"
        [[ $output == *"systemctl --user start $ID-f.service"* ]]
        user_systemctl guest kill -s KILL --kill-whom=main "$ID-f.service"
        eventually user_has guest "$ID-f.service" ActiveState failed
        eventually nothing_left_of guest
        rm -rf "/home/guest/.local/share/unitrun/bundles/$ID" "/home/guest/.config/unitrun/containers/$ID-f.container"
        user_systemctl guest reset-failed
        user_systemctl guest daemon-reload
}

@test "several users have several containers at once, without leftovers or cross-talk" {
        script 'exit ${N:-9}'
        for ((u = 0; u < 4; u++)); do
                make_user "many$u" $((2010 + u))
                for ((i = 0; i < 5; i++)); do
                        dir=/home/many$u/$ID-$i
                        cp -a "$BUNDLE" "$dir"
                        jq --arg n "N=$((u * 10 + i))" --argjson id $((2010 + u)) '.process.env += [$n] | .linux.uidMappings[0].hostID = $id | .linux.gidMappings[0].hostID = $id' \
                                "$BUNDLE/config.json" >"$dir/config.json"
                        chown -R "many$u:many$u" "$dir"
                done
        done
        declare -A pids
        for ((u = 0; u < 4; u++)); do
                for ((i = 0; i < 5; i++)); do
                        as "many$u" "$RUNTIME" run -b "/home/many$u/$ID-$i" "same-$i" </dev/null >/dev/null 2>&1 &
                        pids[$u$i]=$!
                done
        done
        for ((u = 0; u < 4; u++)); do
                for ((i = 0; i < 5; i++)); do
                        status=0
                        wait "${pids[$u$i]}" || status=$?
                        [ $status -eq $((u * 10 + i)) ] || { echo "user $u, container $i: $status"; return 1; }
                done
                eventually nothing_left_of "many$u"
        done
}

@test "when the user's manager ends the containers end with it, and nothing is in the way of the next login" {
        make_user leaver 2030
        cp -a "$BUNDLE" "/home/leaver/$ID"
        jq '.process.args = ["sh", "-c", "trap \"exit 0\" TERM; while :; do sleep 0.05; done"] | .linux.uidMappings[0].hostID = 2030 | .linux.gidMappings[0].hostID = 2030' \
                "$BUNDLE/config.json" >"/home/leaver/$ID/config.json"
        chown -R leaver:leaver "/home/leaver/$ID"
        as leaver "$RUNTIME" run --detach --bundle "/home/leaver/$ID" "$ID" </dev/null >/dev/null 2>&1
        pid=$(as leaver "$RUNTIME" state "$ID" | jq .pid)
        loginctl disable-linger leaver
        loginctl terminate-user leaver 2>/dev/null || true
        systemctl stop user@2030.service
        [ ! -e "/proc/$pid" ]
        [ -z "$(pgrep -u leaver unitrun)" ]
        make_user leaver 2030
        as leaver "$RUNTIME" delete --force "$ID"
        as leaver "$RUNTIME" run --detach --bundle "/home/leaver/$ID" "$ID" </dev/null >/dev/null 2>&1
        user_status leaver "$ID" running
        as leaver "$RUNTIME" delete --force "$ID"
        eventually nothing_left_of leaver
}
