#!/usr/bin/env bats
# .container files: services of the administrator's, made by unitrun-generator at boot and at each daemon-reload.
# shellcheck disable=SC2016,SC2030,SC2031,SC2086 # each test is a function

load helpers
load container

DIR=/etc/unitrun/containers
GENERATOR=/usr/lib/systemd/system-generators/unitrun-generator

# Since systemd 254 generators have a /tmp of their own: bundles are elsewhere.
eval "$(declare -f setup | sed '1s/setup/common_setup/')"
setup() {
        common_setup
        PLACE=/srv/$ID
        mkdir -p "$PLACE"
        mv "$BUNDLE" "$PLACE/bundle"
        BUNDLE=$PLACE/bundle
}

# file NAME LINE…: NAME.container; a test's names begin with $ID
file() {
        local name=$1
        shift
        mkdir -p "$DIR"
        printf '%s\n' "$@" >"$DIR/$name.container"
}

# bundle LINE…: $ID.container for $BUNDLE, with more lines behind
bundle() {
        file "$ID" '[Container]' "Bundle=$BUNDLE" "$@"
        systemctl daemon-reload
        UNIT=$ID.service
}

# rootfs LINE…: likewise for the bundle's root filesystem alone
rootfs() {
        file "$ID" '[Container]' "Rootfs=$BUNDLE/rootfs" "$@"
        systemctl daemon-reload
        UNIT=$ID.service
}

teardown() {
        [ -n "${BATS_TEST_COMPLETED:-}" ] || show_failure
        systemctl kill -s KILL --kill-whom=main "$ID*" 2>/dev/null || true
        systemctl stop "$ID*" 2>/dev/null || true
        systemctl reset-failed "$ID*" 2>/dev/null || true
        find /etc/unitrun/containers /run/unitrun/containers /usr/lib/unitrun/containers -maxdepth 1 -name "$ID*" -exec rm -rf {} + 2>/dev/null || true
        find /etc/systemd/system /run/systemd/system -maxdepth 1 -name "$ID*" -exec rm -rf {} +
        systemctl daemon-reload
        rm -rf "$PLACE"
        [ -z "$(find /run/unitrun -maxdepth 1 -name "$ID*")" ] || { ls /run/unitrun; return 1; }
        cleanup_containers
}

unit_ended() {
        case $(property_of "$UNIT" ActiveState) in inactive | failed) ;; *) return 1 ;; esac
}

# prints WORDS: eventually a line of the unit's journal
prints() {
        eventually sh -c "journalctl -b -u $UNIT -t $ID -o cat | grep -qxF -- \"\$1\"" - "$1"
}

# generate: into $OUT_DIR, with what is below $BATS_TEST_TMPDIR/c alone
generate() {
        OUT_DIR=$BATS_TEST_TMPDIR/out
        rm -rf "$OUT_DIR"
        mkdir -p "$BATS_TEST_TMPDIR/c" "$OUT_DIR"
        UNITRUN_CONTAINER_DIRS=$BATS_TEST_TMPDIR/c "$GENERATOR" "$OUT_DIR"
}

@test "where there is nothing to do nothing is done, without a word" {
        generate
        [ -z "$(ls -A "$OUT_DIR")" ]
        ln -s nowhere "$BATS_TEST_TMPDIR/c/dangling.container"
        for dirs in "$BATS_TEST_TMPDIR/c" /nosuch "" "/nosuch:$BATS_TEST_TMPDIR/c"; do
                UNITRUN_CONTAINER_DIRS=$dirs run "$GENERATOR" "$OUT_DIR" "$OUT_DIR" "$OUT_DIR"
                [ "$status" -eq 0 ] && [ -z "$output" ] && [ -z "$(ls -A "$OUT_DIR")" ] || { echo "$dirs: $output"; return 1; }
        done
        run -1 "$GENERATOR"
        [[ $output == *usage* ]]
        run -1 "$GENERATOR" /nosuch
        eventually sh -c "journalctl -b -t unitrun-generator -o cat | grep -q /nosuch"
}

@test "a file becomes a service that systemd starts, shows, reloads and stops" {
        script 'trap "echo reloaded" HUP; trap "echo bye; exit 0" INT; echo up; while :; do sleep 0.05; done'
        bundle 'StopSignal=SIGINT' 'ReloadSignal=HUP' '[Unit]' 'Description=The web' '[Service]' 'RestartSec=3'
        [ "$(property_of "$UNIT" SourcePath)" = "$DIR/$ID.container" ]
        [ "$(property_of "$UNIT" Description)" = "The web" ]
        [ "$(property_of "$UNIT" Slice)" = unitrun.slice ]
        [ "$(property_of "$UNIT" RestartUSec)" = 3s ]
        systemctl start "$UNIT"
        prints up
        [ "$(pid_of "$ID")" = "$(property_of "$UNIT" MainPID)" ]
        run -0 "$RUNTIME" list
        [[ $output == *"$ID "*" running "*"$UNIT"* ]]
        run -0 "$RUNTIME" exec "$ID" echo inside
        systemctl reload "$UNIT"
        prints reloaded
        [ "$(journalctl -b CONTAINER_NAME="$ID" -o cat | grep -cxE 'up|reloaded')" = 2 ]
        [ "$(journalctl -b CONTAINER_ID="$ID" _SYSTEMD_UNIT="$UNIT" -o cat | grep -cxE 'up|reloaded')" = 2 ]
        systemctl stop "$UNIT"
        prints bye
        [ "$(property_of "$UNIT" Result)" = success ]
        [ ! -e "/run/unitrun/$ID" ]
        # the generated unit is in order
        run systemd-analyze --man=no verify "/run/systemd/generator/$UNIT"
        [[ $output != *"$ID"*:* ]]
}

@test "without a bundle: bytes reach the program as they stand in the file" {
        rootfs 'Exec=sh -c "printf \"%%s|\" \"$@\"; echo; echo \"$A\"; echo \"$HOME\"" - "a  b" '"'"'$HOME'"'"' %%n \\t ";" x\x41 "q\"q" %N' \
                'Environment="A=x y\\n" B=c' 'Hostname=web' 'WorkingDir=/tmp' 'ReadOnly=yes'
        systemctl start "$UNIT"
        eventually unit_ended
        prints 'a  b|$HOME|%n|\t|;|xA|q"q|'"$ID|"
        prints 'x y\n'
        prints /root
        [ "$(property_of "$UNIT" Result)" = success ]
        # no line of the unit comes from within a value
        rootfs 'Exec=sh -c "true' 'ExecStartPre=/bin/touch '"$BATS_TEST_TMPDIR"'/pwn"'
        [ "$(property_of "$UNIT" LoadState)" = not-found ]
        rootfs 'Exec=sh -c true' 'Environment="A=x\nExecStartPre=/bin/touch '"$BATS_TEST_TMPDIR"'/pwn"'
        systemctl start "$UNIT"
        eventually unit_ended
        [ ! -e "$BATS_TEST_TMPDIR/pwn" ]
        [ -z "$(property_of "$UNIT" ExecStartPre)" ]
}

@test "a file with a mistake is told by line and reason, and the others are made all the same" {
        program true
        bundle
        mkdir "$PLACE/bad"
        echo '{' >"$PLACE/bad/config.json"
        file "$ID-a" '[Container]' 'Bundel=/x'
        file "$ID-b" '[Container]' "Bundle=$PLACE/bad"
        file "$ID-c" 'Bundle=/x'
        file "$ID-d" '[Container]' "Bundle=$BUNDLE" '[Service]' 'User=me'
        systemctl daemon-reload
        systemctl start "$UNIT"
        for text in "$DIR/$ID-a.container:2: Bundel=: no key of [Container] (did you mean 'Bundle'?)" "$ID-b.container: bundle '$PLACE/bad': config.json" \
                "$DIR/$ID-c.container:1: 'Bundle=/x' stands before the first section" "$DIR/$ID-d.container:4: User=: can't be set for a container"; do
                eventually sh -c "journalctl -b -t unitrun-generator -p err -o cat | grep -qF -- \"\$1\"" - "$text"
        done
        for name in a b c d; do
                [ "$(systemctl show -P LoadState "$ID-$name.service")" = not-found ]
        done
        run -1 "$GENERATOR" --dry-run
        [[ $output == *"---$ID.service---"* && $output == *"$ID-a.container:2: Bundel="* ]]
}

@test "directories, masks, drop-ins and templates follow systemd's rules" {
        program true
        mkdir -p /usr/lib/unitrun/containers /run/unitrun/containers "$DIR/$ID.container.d" "/usr/lib/unitrun/containers/$ID@.container.d"
        printf '[Container]\nBundle=%s\n[Unit]\nDescription=vendor\n' "$BUNDLE" >"/usr/lib/unitrun/containers/$ID.container"
        cp "/usr/lib/unitrun/containers/$ID.container" "/usr/lib/unitrun/containers/$ID-m.container"
        printf '[Container]\nBundle=%s\n[Unit]\nDescription=run\n' "$BUNDLE" >"/run/unitrun/containers/$ID.container"
        printf '[Unit]\nDescription=drop-in\n[Container]\nNotify=yes\n' >"$DIR/$ID.container.d/50-a.conf"
        printf '[Container]\nRootfs=%s\nExec=echo "instance %%i of %%p"\n' "$BUNDLE/rootfs" >"/usr/lib/unitrun/containers/$ID@.container"
        printf '[Unit]\nDescription=Number %%i\n' >"/usr/lib/unitrun/containers/$ID@.container.d/a.conf"
        ln -s /dev/null "$DIR/$ID-m.container"
        systemctl daemon-reload
        [ "$(systemctl show -P Description "$ID.service")" = drop-in ]
        [ "$(systemctl show -P SourcePath "$ID.service")" = "/run/unitrun/containers/$ID.container" ]
        [[ $(systemctl show -P ExecStart "$ID.service") == *--notify* ]]
        [ "$(systemctl show -P LoadState "$ID-m.service")" = not-found ]
        UNIT=$ID@7.service
        [ "$(property_of "$UNIT" Description)" = "Number 7" ]
        systemctl start "$UNIT"
        eventually unit_ended
        eventually sh -c "journalctl -b -u $UNIT -t $ID-7 -o cat | grep -qx 'instance 7 of $ID'"
        # what changed or went is what systemd knows after a reload
        rm "/run/unitrun/containers/$ID.container" "$DIR/$ID.container.d/50-a.conf" "$DIR/$ID-m.container"
        systemctl daemon-reload
        [ "$(systemctl show -P Description "$ID.service")" = vendor ]
        [ "$(systemctl show -P LoadState "$ID-m.service")" = loaded ]
}

@test "it is started when [Install] says so, and not otherwise" {
        program sleep 1000
        bundle
        [ -z "$(property_of "$UNIT" WantedBy)" ]
        printf '[Unit]\n' | tee "/run/systemd/system/$ID-a.target" >"/run/systemd/system/$ID-b.target"
        bundle '[Install]' "WantedBy=$ID-a.target $ID-b.target" "Alias=$ID-other.service"
        file "$ID-t@" '[Container]' "Bundle=$BUNDLE" '[Install]' "WantedBy=$ID-a.target"
        systemctl daemon-reload
        [ "$(systemctl show -P Wants "$ID-b.target")" = "$UNIT" ]
        [ "$(systemctl show -P Wants "$ID-a.target")" = "$UNIT" ]
        systemctl start "$ID-a.target"
        eventually unit_is "$UNIT" active
        [ "$(systemctl show -P Id "$ID-other.service")" = "$UNIT" ]
        has_status "$ID" running
        # masking it is systemctl's as ever
        systemctl stop "$UNIT"
        systemctl mask --runtime "$UNIT"
        run ! systemctl start "$UNIT"
        systemctl unmask --runtime "$UNIT"
        run systemctl is-enabled "$UNIT"
        [ "$output" = generated ]
}

@test "mounts, other containers and limits are the unit's, where the bundle says them" {
        script 'trap "exit 0" TERM; while :; do sleep 0.05; done'
        cp -a "$BUNDLE" "$PLACE/with blank"
        cfg '.linux.resources += {pids: {limit: 55}, memory: {limit: 67108864}, cpu: {shares: 512, quota: 30000, period: 100000}}'
        file "$ID-limits" '[Container]' "Bundle=$BUNDLE"
        file "$ID-db" '[Container]' "Bundle=$PLACE/with blank"
        rootfs 'Exec=readlink /proc/self/ns/net' "Volume=$BATS_TEST_TMPDIR:/data" "Network=$ID-db.container"
        [[ $(systemctl show -P RequiresMountsFor "$ID-db.service") == *"$PLACE/with blank"* ]]
        [[ $(property_of "$UNIT" RequiresMountsFor) == *"$BUNDLE/rootfs"* && $(property_of "$UNIT" RequiresMountsFor) == *"$BATS_TEST_TMPDIR"* ]]
        [ "$(systemctl show -P TasksMax "$ID-limits.service")" = 55 ]
        [ "$(systemctl show -P MemoryMax "$ID-limits.service")" = 67108864 ]
        [ "$(systemctl show -P CPUQuotaPerSecUSec "$ID-limits.service")" = 300ms ]
        # the other one is started with it, and its network is that one's
        systemctl start "$UNIT"
        [ "$(systemctl show -P ActiveState "$ID-db.service")" = active ]
        network=$(readlink "/proc/$(pid_of "$ID-db")/ns/net")
        prints "$network"
        eventually unit_ended
        # the bundle may not be there yet when the generator runs
        file "$ID-late" '[Container]' "Bundle=$PLACE/late"
        systemctl daemon-reload
        mv "$PLACE/with blank" "$PLACE/late"
        systemctl start "$ID-late.service"
        has_status "$ID-late" running
}

@test "poststart hooks are processes of the unit, the bundle's and PoststartHook=" {
        script 'trap "exit 0" TERM; while :; do sleep 0.05; done'
        hook poststart 'echo first >>'"$BATS_TEST_TMPDIR"'/order'
        bundle "PoststartHook=/bin/sh -c 'echo second >>$BATS_TEST_TMPDIR/order'"
        systemctl start "$UNIT"
        [ "$(xargs <"$BATS_TEST_TMPDIR/order")" = "first second" ]
        [ "$(systemctl show "$UNIT" | grep -c ^ExecStartPost=)" -eq 2 ]
        systemctl stop "$UNIT"
        bundle "PoststartHook=/bin/sh -c 'echo no luck >&2; exit 7'"
        launch -1 systemctl start "$UNIT"
        [ "$(property_of "$UNIT" ActiveState)" = failed ]
        run systemctl status --no-pager "$UNIT"
        [[ $output == *"unitrun-hook /run/unitrun/$ID 1 (code=exited, status=7)"* ]]
        eventually sh -c "journalctl -b -u $UNIT -o cat | grep -q 'no luck'"
}

@test "crashes are restarted as Restart= says, with a new container each time" {
        script 'trap "exit 0" TERM; while :; do sleep 0.05; done'
        bundle '[Unit]' 'StartLimitIntervalSec=0' '[Service]' 'Restart=always' 'RestartSec=0'
        systemctl start "$UNIT"
        for ((i = 0; i < 6; i++)); do
                before=$(property_of "$UNIT" MainPID)
                case $((i % 3)) in 0) kill -9 "$before" ;; 1) systemctl restart "$UNIT" ;; 2) "$RUNTIME" kill "$ID" KILL ;; esac
                restarted() {
                        local now
                        now=$(property_of "$UNIT" MainPID)
                        [ "$now" != 0 ] && [ "$now" != "$before" ] && [ "$(property_of "$UNIT" ActiveState)" = active ]
                }
                eventually restarted
                [ "$("$RUNTIME" state "$ID" | jq -r '.status + " \(.pid)"')" = "running $(property_of "$UNIT" MainPID)" ]
        done
        systemctl stop "$UNIT"
        [ ! -e "/run/unitrun/$ID" ]
        # a program that fails at once is not restarted for ever
        script 'exit 3'
        bundle '[Unit]' 'StartLimitIntervalSec=60' 'StartLimitBurst=3' '[Service]' 'Restart=on-failure' 'RestartSec=0'
        systemctl start "$UNIT" || true
        gave_up() { [ "$(property_of "$UNIT" ActiveState)" = failed ] && [ "$(property_of "$UNIT" NRestarts)" -ge 2 ]; }
        eventually gave_up
}

@test "two hundred of them take no time" {
        mkdir -p "$BATS_TEST_TMPDIR/c"
        for ((i = 0; i < 200; i++)); do
                printf '[Container]\nBundle=%s\n[Install]\nWantedBy=multi-user.target\n' "$BUNDLE" >"$BATS_TEST_TMPDIR/c/c$i.container"
        done
        generate
        [ "$(find "$OUT_DIR" -name '*.service' -type f | wc -l)" -eq 200 ]
        [ "$(find "$OUT_DIR/multi-user.target.wants" -type l | wc -l)" -eq 200 ]
        # nothing but units and links
        [ -z "$(find "$OUT_DIR" -type f ! -name '*.service')" ]
}
