#!/usr/bin/env bats
# What a container costs and what it must not leak: descriptors, memory, messages, time of everybody else.
# shellcheck disable=SC2016,SC2030,SC2031,SC2086 # each test is a function

load helpers
load container

@test "the program has no descriptors but the standard ones" {
        program sh -c 'ls /proc/self/fd'
        # 3 is the directory that ls reads
        exec 20</dev/null 21<"$BUNDLE" 22>/dev/null 23</proc/self/ns/net 40</dev/zero 100</dev/null
        run_container
        exec 20<&- 21<&- 22>&- 23<&- 40<&- 100<&-
        [ "$(xargs <<<"$output")" = "0 1 2 3" ]
}

@test "descriptors are passed on as far as --preserve-fds says" {
        script 'ls /proc/self/fd; cat <&3; cat <&5'
        echo three >"$BATS_TEST_TMPDIR/3"
        echo five >"$BATS_TEST_TMPDIR/5"
        run -0 sh -c 'exec 3<"$1" 5<"$2" 6</dev/null 4</dev/null 7<&- && exec "$0" run --preserve-fds 3 -b "$3" "$4" </dev/null' \
                "$RUNTIME" "$BATS_TEST_TMPDIR/3" "$BATS_TEST_TMPDIR/5" "$BUNDLE" "$ID"
        [ "$(xargs <<<"$output")" = "0 1 2 3 4 5 6 three five" ] # 6 is the directory that ls reads
}

@test "neither the supervisor nor the waiting first process holds what the caller had open" {
        program sleep 100
        : >"$BATS_TEST_TMPDIR/held"
        exec 20<"$BATS_TEST_TMPDIR/held" 21<"$BUNDLE"
        create
        exec 20<&- 21<&-
        for pid in $(pid_of "$ID") $(property_of "$UNIT" MainPID); do
                run ls -l "/proc/$pid/fd"
                [[ $output != *"$BATS_TEST_TMPDIR/held"* && $output != *" $BUNDLE"$'\n'* ]]
        done
        "$RUNTIME" start "$ID"
        run ls "/proc/$(pid_of "$ID")/fd"
        [ "$(xargs <<<"$output")" = "0 1 2" ]
}

@test "the supervisor has a handful of descriptors" {
        program sleep 100
        run_detached
        run ls -l "/proc/$(property_of "$UNIT" MainPID)/fd"
        [ "$(grep -c -- '->' <<<"$output")" -le 14 ]
        # nothing that keeps the bundle or the container's root busy
        [[ $output != *"$BUNDLE"* ]]
}

@test "a bundle on a file system of its own can be unmounted while its container runs in namespaces of its own" {
        program sleep 100
        mkdir "$BATS_TEST_TMPDIR/fs"
        mount -t tmpfs tmpfs "$BATS_TEST_TMPDIR/fs"
        mount --make-private "$BATS_TEST_TMPDIR/fs"
        mkbundle "$BATS_TEST_TMPDIR/fs/bundle" '.process.args = ["sleep", "100"]'
        launch "$RUNTIME" run -d -b "$BATS_TEST_TMPDIR/fs/bundle" "$ID"
        umount "$BATS_TEST_TMPDIR/fs"
        has_status "$ID" running
        "$RUNTIME" delete --force "$ID"
}

@test "with no room left below the state root a container still is what it says it is" {
        program sleep 100
        root=$BATS_TEST_TMPDIR/root
        mkdir "$root"
        mount -t tmpfs -o size=1m,nr_inodes=200 tmpfs "$root"
        mount --make-private "$root"
        launch "$RUNTIME" --root "$root" create -b "$BUNDLE" "$ID"
        cat /dev/zero >"$root/ballast" 2>/dev/null || true
        launch "$RUNTIME" --root "$root" start "$ID"
        run -0 "$RUNTIME" --root "$root" state "$ID"
        [ "$(jq -r .status <<<"$output")" = running ]
        launch -1 "$RUNTIME" --root "$root" delete "$ID"
        [[ $output == *"not stopped"* ]]
        "$RUNTIME" --root "$root" kill "$ID" KILL
        eventually sh -c "$RUNTIME --root $root state $ID | jq -e '.status == \"stopped\"'"
        [ "$(head -n 1 "$root/$ID/status")" = "killed 9" ]
        launch "$RUNTIME" --root "$root" delete "$ID"
        cat /dev/zero >>"$root/ballast" 2>/dev/null || true
        launch -1 "$RUNTIME" --root "$root" create -b "$BUNDLE" "$ID"
        [[ $output == *"No space left"* ]]
        [ "$(ls -A "$root")" = ballast ]
        umount "$root"
        unit_unknown "$UNIT"
}

# private_kib PID
private_kib() {
        awk '/^Private_/ { sum += $2 } END { print sum }' "/proc/$1/smaps_rollup"
}

@test "the supervisor takes less than 300 KiB of its own and is statically linked" {
        program sleep 100
        run_detached
        pid=$(property_of "$UNIT" MainPID)
        # it gives pages back when nothing happens for a moment
        takes_little() { private=$(private_kib "$1"); echo "$private KiB"; [ "$private" -lt 300 ]; }
        eventually takes_little "$pid"
        [ "$(grep -c '\.so' "/proc/$pid/maps")" -eq 0 ]
        [ "$(sed -n "s/^Threads:\t//p" /proc/$pid/status)" = 1 ]
        run ldd "$(readlink "/proc/$pid/exe")"
        [[ $output == *"not a dynamic executable"* || $output == *"statically linked"* ]]
}

@test "one small process stays for a container, two where it takes a reaper, and systemd's memory comes back" {
        program sleep 1000
        before=$(awk '/^VmRSS/ { print $2 }' /proc/1/status)
        processes=$(ps -e | wc -l)
        n=40
        seq $n | xargs -P 8 -I{} "$RUNTIME" run -d -b "$BUNDLE" "$ID-{}" </dev/null >/dev/null 2>&1 3>&-
        [ "$(($(ps -e | wc -l) - processes))" -le $((n * 2 + 5)) ]
        take_little() {
                local pid total=0
                for pid in $(pgrep unitrun-superv); do
                        total=$((total + $(awk '/^Pss:/ { print $2 }' "/proc/$pid/smaps_rollup")))
                done
                echo "$total KiB"
                [ $total -lt $(($1 * 300)) ]
        }
        eventually take_little $n
        seq $n | xargs -P 8 -I{} "$RUNTIME" delete --force "$ID-{}" 3>&-
        assert_nothing_left "$ID"
        after=$(awk '/^VmRSS/ { print $2 }' /proc/1/status)
        [ $((after - before)) -lt 4096 ] || { echo "PID 1 went from $before to $after KiB"; return 1; }
}

# one_life ID: create, start and delete
one_life() {
        "$RUNTIME" create -b "$BUNDLE" "$1" </dev/null >/dev/null && "$RUNTIME" start "$1" && "$RUNTIME" delete --force "$1"
}

@test "100 life cycles at once all succeed while systemd still answers" {
        program sleep 1000
        reloads=$(systemctl show -P UnitsLoadFinishTimestampMonotonic)
        export -f one_life
        export BUNDLE RUNTIME
        seq 100 | xargs -P 100 -I{} bash -c 'one_life "$0" || echo "failed: $0"' "$ID-{}" >"$BATS_TEST_TMPDIR/lives" 2>&1 3>&- &
        lives=$!
        slowest=0 asked=0
        while kill -0 $lives 2>/dev/null; do
                began=$(milliseconds)
                busctl --quiet call org.freedesktop.systemd1 /org/freedesktop/systemd1 org.freedesktop.systemd1.Manager \
                        GetUnit s init.scope >/dev/null
                took=$(($(milliseconds) - began)) asked=$((asked + 1))
                [ $took -le $slowest ] || slowest=$took
        done
        wait $lives
        [ ! -s "$BATS_TEST_TMPDIR/lives" ] || { cat "$BATS_TEST_TMPDIR/lives"; return 1; }
        echo "asked $asked times, $slowest ms at most"
        [ $asked -gt 0 ] # it did answer, each time; how fast is the host's affair
        [ "$(systemctl show -P UnitsLoadFinishTimestampMonotonic)" = "$reloads" ]
        [ -z "$(systemctl list-units --all --plain --no-legend "*$ID*")" ]
        assert_nothing_left "$ID"
}

# messages COMMAND…: adds to $SENT how many packets COMMAND sends to systemd or the bus
messages() {
        local count
        strace -qqq -e trace=connect,sendmsg -o "$BATS_TEST_TMPDIR/trace" "$@" </dev/null >/dev/null 2>&1 3>&-
        count=$(awk '
                /connect\(/ && /run\/(systemd\/private|dbus)/ { split($0, part, /[(,]/); bus[part[2]] = 1 }
                /sendmsg\(/ { split($0, part, /[(,]/); if (part[2] in bus) n++ }
                END { print n + 0 }' "$BATS_TEST_TMPDIR/trace")
        SENT=$((SENT + count))
}

@test "a life cycle takes a dozen messages to systemd, and a few more where answers come in an unlucky order" {
        program sleep 1000
        SENT=0
        messages "$RUNTIME" create -b "$BUNDLE" "$ID"
        [ $SENT -ge 1 ]
        messages "$RUNTIME" start "$ID"
        messages "$RUNTIME" state "$ID"
        messages "$RUNTIME" kill "$ID" 0
        messages "$RUNTIME" delete --force "$ID"
        [ $SENT -le 20 ] || { echo "$SENT messages"; return 1; }
        unit_unknown "$UNIT"
}

@test "a caller with closed standard descriptors gets its container all the same" {
        program sleep 100
        "$RUNTIME" create -b "$BUNDLE" "$ID" <&- >&- 2>&- 3>&-
        "$RUNTIME" start "$ID" <&- >&- 2>&-
        has_status "$ID" running
        run ls "/proc/$(pid_of "$ID")/fd"
        [ "$(xargs <<<"$output")" = "0 1 2" ] || [ -z "$output" ]
        "$RUNTIME" delete --force "$ID" <&- >&- 2>&-
}

@test "the caller's signal mask, dispositions and oom_score_adj are not the container's or the supervisor's trouble" {
        script 'trap "exit 7" TERM; echo ready; while :; do sleep 0.05; done'
        # all that can be ignored is
        (trap '' TERM INT HUP CHLD PIPE USR1 USR2 2>/dev/null; run_detached)
        OUT=$BATS_TEST_TMPDIR/out
        eventually file_has "$OUT" ready
        systemctl stop "$UNIT"
        has_status "$ID" stopped
        [ "$(grep -c . "$OUT")" -eq 1 ]
}

@test "the programs of unitrun are not in the container, and cannot be written from it" {
        sums=$(sha256sum "$(command -v "$RUNTIME")" /usr/libexec/unitrun/*)
        # the image's program is the runtime that executes it
        ln -s /proc/self/exe "$BUNDLE/rootfs/bin/self"
        program /bin/self
        run "$RUNTIME" run -b "$BUNDLE" "$ID" </dev/null 3>&-
        printf '#!/proc/self/exe\n' >"$BUNDLE/rootfs/bin/script"
        chmod 755 "$BUNDLE/rootfs/bin/script"
        program /bin/script
        run timeout 10 "$RUNTIME" run -b "$BUNDLE" "$ID" </dev/null 3>&-
        [ "$status" -ne 124 ]
        program /proc/self/exe state x
        run timeout 10 "$RUNTIME" run -b "$BUNDLE" "$ID" </dev/null 3>&-
        [ "$status" -ne 124 ]
        # somebody in the same pid namespace who tries to write what the others run
        program sleep 100
        create
        pid=$(pid_of "$ID")
        run sh -c "exec 9>>/proc/$pid/exe"
        [ "$status" -ne 0 ]
        [ "$(sha256sum "$(command -v "$RUNTIME")" /usr/libexec/unitrun/*)" = "$sums" ]
}
