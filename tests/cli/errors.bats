#!/usr/bin/env bats
# What goes wrong on the command line: a clear error, exit status 1, and nothing left behind.
# shellcheck disable=SC2016,SC2030,SC2031,SC2086 # each test is a function

load ../system/helpers
load ../system/container

# fails_with TEXT… -- COMMAND…: exit status 1, nothing on stdout, one line on stderr that has each TEXT
fails_with() {
        local texts=() text
        while [ "$1" != -- ]; do texts+=("$1"); shift; done
        shift
        launch -1 "$@"
        [ ! -s "$OUT" ] || { echo "on stdout:"; cat "$OUT"; return 1; }
        [ "$(wc -l <"$ERR")" -eq 1 ] || { echo "not one line: $output"; return 1; }
        for text in "${texts[@]}"; do
                [[ $output == *"$text"* ]] || { echo "no '$text' in: $output"; return 1; }
        done
}

@test "an unknown container is an error for each command that needs it" {
        for command in state start kill delete; do
                fails_with "'$ID'" "does not exist" -- "$RUNTIME" $command "$ID"
        done
        [ ! -e "/run/unitrun/$ID" ]
}

@test "delete --force of an unknown container is no error" {
        run -0 "$RUNTIME" delete --force "$ID"
        [ -z "$output" ]
        run -0 "$RUNTIME" delete -f "$ID"
}

@test "an ID that is no file name is refused by every command" {
        before=$(ls -A /run/unitrun 2>/dev/null || true)
        for id in '' . .. a/b ../x 'a b' 'a%b' "$(printf 'a\nb')" "$(head -c 2000 /dev/zero | tr '\0' a)"; do
                for command in "create -b $BUNDLE" "run -b $BUNDLE" state start kill delete; do
                        launch -1 "$RUNTIME" $command -- "$id"
                        [[ $output == *[Cc]"ontainer ID"* ]] || { echo "$command '$id': $output"; return 1; }
                done
        done
        [ -z "$(systemctl list-units --all --plain --no-legend 'unitrun-*')" ]
        [ "$(ls -A /run/unitrun 2>/dev/null || true)" = "$before" ]
}

@test "IDs may have letters, digits and a few signs" {
        program true
        for id in a A0 "$ID.x" "$ID+x" "$ID-x" "${ID}_x" "$(printf '%064d' 0)"; do
                run -0 "$RUNTIME" run -b "$BUNDLE" "$id" </dev/null 3>&-
                [ ! -e "/run/unitrun/$id" ]
        done
}

@test "a container that exists is not created again, and is not harmed" {
        program sleep 100
        run_detached
        pid=$(pid_of "$ID")
        fails_with "$ID" "already exists" -- "$RUNTIME" create -b "$BUNDLE" "$ID"
        fails_with "$ID" "already exists" -- "$RUNTIME" run -b "$BUNDLE" "$ID"
        has_status "$ID" running
        [ "$(pid_of "$ID")" = "$pid" ]
        unit_is "$UNIT" active
        # nor when it has stopped
        "$RUNTIME" kill "$ID" KILL
        eventually has_status "$ID" stopped
        fails_with "$ID" "already exists" -- "$RUNTIME" create -b "$BUNDLE" "$ID"
}

@test "a bundle that is not there, or has no config, is an error with its path" {
        fails_with /nonexistent/bundle "o such file or directory" -- "$RUNTIME" create -b /nonexistent/bundle "$ID"
        mkdir "$BATS_TEST_TMPDIR/empty"
        fails_with config.json "o such file or directory" -- "$RUNTIME" create -b "$BATS_TEST_TMPDIR/empty" "$ID"
        fails_with "ot a directory" -- "$RUNTIME" create -b "$BUNDLE/config.json" "$ID"
        cd "$BATS_TEST_TMPDIR/empty"
        fails_with config.json -- "$RUNTIME" create "$ID"
        assert_nothing_left "$ID"
}

@test "a config that is no JSON, or not that of a container, is an error that says where" {
        local original
        original=$(cat "$BUNDLE/config.json")
        for text in '' '{' '[]' 'null' '{"ociVersion": 1}' 'nonsense'; do
                printf '%s' "$text" >"$BUNDLE/config.json"
                fails_with config.json -- "$RUNTIME" create -b "$BUNDLE" "$ID"
        done
        while IFS='|' read -r filter path; do
                jq "$filter" <<<"$original" >"$BUNDLE/config.json"
                fails_with config.json "$path" -- "$RUNTIME" create -b "$BUNDLE" "$ID" || { echo "for $filter"; return 1; }
        done <<'INVALID'
del(.ociVersion)|ociVersion
.ociVersion = "2.0.0"|ociVersion
.ociVersion = "one"|ociVersion
del(.root)|root
.root = "rootfs"|root
.process.args = "true"|process.args
.process.args = ["true", 5]|process.args[1]
.process.user.uid = -1|process.user.uid
.process.user.uid = 4294967296|process.user.uid
.process.cwd = ""|process.cwd
.process.env = ["NOEQUALS"]|process.env[0]
.mounts[2].destination = 5|mounts[2].destination
.linux.namespaces[1].type = "netwrok"|linux.namespaces[1].type
.linux.resources.memory.limit = "64M"|linux.resources.memory.limit
.linux.resources.pids.limit = 1.5|linux.resources.pids.limit
.hooks.prestart = [{"path": "relative"}]|hooks.prestart[0].path
.hooks.poststart = [{"path": "/bin/true", "timeout": 0}]|hooks.poststart[0].timeout
.annotations = {"x": 5}|annotations
INVALID
        assert_nothing_left "$ID"
        [ ! -e "/run/unitrun/$ID" ]
}

@test "slices and unit names that systemd does not have are refused with the value" {
        program sleep 100
        for path in "-a.slice:p:$ID" "a--b.slice:p:$ID" "user.slice/user-0.slice:p:$ID" "foo:p:$ID" "a.scope:p:$ID" "..:p:$ID" \
                "a.slice:p:" "a.slice:p:$(head -c 300 /dev/zero | tr '\0' x)"; do
                cfg --arg path "$path" '.linux.cgroupsPath = $path'
                launch -1 "$RUNTIME" create -b "$BUNDLE" "$ID" || { echo "for $path"; return 1; }
                [[ $output == *cgroupsPath*"${path%%:*}"* ]] || { echo "$path: $output"; return 1; }
        done
        assert_nothing_left "$ID"
}

@test "a path to a control group where a unit is asked for is an error of its own" {
        program sleep 100
        cfg '.linux.cgroupsPath = "/foo/bar"'
        fails_with cgroupsPath /foo/bar -- "$RUNTIME" --systemd-cgroup create -b "$BUNDLE" "$ID"
        assert_nothing_left "$ID"
}

@test "a command or an option with a typing error is an error that says what may have been meant" {
        run -1 "$RUNTIME" strat "$ID"
        [[ $output == *"'strat' is not a command (did you mean 'start'?), see 'unitrun --help'"* ]]
        run -1 "$RUNTIME" run --detahc "$ID"
        [[ $output == *"see 'unitrun run --help': Unknown option --detahc (did you mean '--detach'?)"* ]]
        run -1 "$RUNTIME" --rot=/tmp state "$ID"
        [[ $output == *"(did you mean '--root'?)"* ]]
        run -1 "$RUNTIME" help sate
        [[ $output == *"'sate' is not a command (did you mean 'state'?)"* ]]
        run -1 "$RUNTIME" run --quite-another "$ID"
        [[ $output != *"did you mean"* ]]
}

@test "commands and options that do not exist are errors that name them" {
        launch -1 "$RUNTIME" nosuchcommand
        [[ $output == *nosuchcommand* ]]
        launch -1 "$RUNTIME" --nosuchoption state "$ID"
        [[ $output == *nosuchoption* ]]
        launch -1 "$RUNTIME" create --nosuchoption "$ID"
        [[ $output == *nosuchoption* ]]
        launch -1 "$RUNTIME"
        [ -n "$output" ]
        for command in create start state kill delete run; do
                launch -1 "$RUNTIME" $command
                [[ $output == *ID* ]]
                [ ! -s "$OUT" ]
        done
        for command in create start state delete run; do
                launch -1 "$RUNTIME" $command "$ID" surplus
                [[ $output == *surplus* ]]
        done
        launch -1 "$RUNTIME" kill "$ID" TERM surplus
        [[ $output == *surplus* ]]
}

@test "a create that fails at its last step leaves no pid file and no container" {
        program sleep 100
        create -1 --pid-file "/nonexistent/directory/pid"
        [[ $output == */nonexistent/directory* ]]
        run -1 "$RUNTIME" state "$ID"
        unit_unknown "$UNIT"
        assert_nothing_left "$ID"
        program nosuchprogram
        create -1 --pid-file "$BATS_TEST_TMPDIR/pid"
        [ ! -e "$BATS_TEST_TMPDIR/pid" ]
}

@test "without a bus create fails at once with what was tried, and leaves nothing" {
        program sleep 100
        began=$(milliseconds)
        # there is a systemd, which can't be reached
        launch -1 timeout 30 unshare --mount sh -c 'mount -t tmpfs tmpfs /run/dbus; mount -t tmpfs tmpfs /run/systemd; mkdir /run/systemd/system
                exec env DBUS_SYSTEM_BUS_ADDRESS=unix:path=/nonexistent "$@"' sh "$RUNTIME" create -b "$BUNDLE" "$ID"
        [ $(($(milliseconds) - began)) -lt 5000 ]
        [[ $output == *bus* ]]
        run -0 "$RUNTIME" delete --force "$ID"
        assert_nothing_left "$ID"
        [ ! -e "/run/unitrun/$ID" ]
}

@test "start needs a program in the config" {
        cfg 'del(.process)'
        create
        fails_with process -- "$RUNTIME" start "$ID"
        has_status "$ID" created
}

@test "a relative path in a working directory that is gone is an error, not a path below /" {
        gone=$BATS_TEST_TMPDIR/gone
        for command in "--root x list" "--root x state $ID" "create $ID" "create -b sub $ID" "run -b sub $ID"; do
                mkdir -p "$gone"
                fails_with "working directory" -- sh -c 'cd "$1" && rmdir "$1" && shift && exec "$@"' - "$gone" "$RUNTIME" $command ||
                        { echo "$command: $output"; return 1; }
        done
        # what is absolute does not care
        mkdir "$gone"
        program true
        launch sh -c 'cd "$1" && rmdir "$1" && shift && exec "$@"' - "$gone" "$RUNTIME" run -b "$BUNDLE" "$ID"
}

@test "what could not be printed is an error" {
        program sleep 100
        run_detached
        for command in "state $ID" list "list -q" "list -f json" "ps $ID" "ps -f json $ID" "events --stats $ID" features --version help --help "help run" "run --help"; do
                run "$RUNTIME" $command 3>&-
                [ "$status" -eq 0 ] || { echo "$command: $output"; return 1; }
                run sh -c '"$@" 2>&1 >/dev/full' - "$RUNTIME" $command 3>&-
                [ "$status" -eq 1 ] && [[ $output == *"standard output"* ]] || { echo "$command: status $status: $output"; return 1; }
        done
        # it is the container's there
        program true
        run -0 sh -c '"$@" >/dev/full' - "$RUNTIME" run -b "$BUNDLE" "$ID-2" 3>&- </dev/null
}

@test "a part of unitrun that is missing or can't be executed is named before anything is made" {
        libexec=$("$RUNTIME" --version | sed -n 's/^libexec: //p')
        hook poststart true
        for part in supervisor hook init; do
                fails_with "$libexec/unitrun-$part" -- unshare -m sh -c 'mount --bind /dev/null "$1" && shift && exec "$@"' - \
                        "$libexec/unitrun-$part" "$RUNTIME" create -b "$BUNDLE" "$ID"
                [ ! -e "/run/unitrun/$ID" ]
                unit_unknown "$UNIT"
        done
}

@test "an empty path is refused with the option's name" {
        for options in "--pid-file=" "--bundle=" "--console-socket=" "--config=" "--pidfd-socket="; do
                fails_with "${options%=}" "empty" -- "$RUNTIME" create -b "$BUNDLE" "$options" "$ID"
        done
        fails_with "--root" "empty" -- "$RUNTIME" --root= list
}
