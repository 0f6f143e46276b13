#!/usr/bin/env bats
# checkpoint and restore: the container goes on where it was, in a fresh unit. CRIU is real, and needs a kernel it knows:
# under qemu with Debian's.
# shellcheck disable=SC2016,SC2030,SC2031,SC2086 # each test is a function

load helpers
load container

# counting: a program that adds to the file $COUNT, and says so when it is told to end
counting() {
        COUNT=$BUNDLE/rootfs/count
        cfg '.root.readonly = false'
        script 'i=0; trap "exit 5" TERM; while :; do i=$((i + 1)); echo $i >/count; sleep 0.1; done'
}

count() {
        cat "$COUNT"
}

counted_beyond() {
        [ "$(count)" -gt "$1" ]
}

# quietly_run [OPTION…]: $BUNDLE as $ID with nothing of the host's open
quietly_run() {
        timeout "$PATIENCE" "$RUNTIME" run --detach --bundle "$BUNDLE" "$@" "$ID" </dev/null >/dev/null 2>&1 3>&-
}

# checkpoint [OPTION…]: into $IMAGE
checkpoint() {
        run -0 timeout "$PATIENCE" "$RUNTIME" checkpoint --image-path "$IMAGE" "$@" "$ID" 3>&-
}

# checkpointed: of a counting container there is only the image
checkpointed() {
        needs_criu
        counting
        quietly_run
        eventually test -s "$COUNT"
        checkpoint
}

# restore [-STATUS] [OPTION…]: stderr is $output
restore() {
        local expected=0
        case ${1:-} in -[0-9]*) expected=${1#-}; shift ;; esac
        status=0
        timeout "$PATIENCE" "$RUNTIME" restore --detach --bundle "$BUNDLE" --image-path "$IMAGE" "$@" "$ID" \
                </dev/null >/dev/null 2>"$BATS_TEST_TMPDIR/err" 3>&- || status=$?
        output=$(cat "$BATS_TEST_TMPDIR/err")
        [ "$status" -eq "$expected" ] || {
                echo "restore: exit status $status instead of $expected: $output"
                tail -n 30 "$IMAGE/restore.log"
                return 1
        }
}

@test "without criu checkpoint and restore say so, and so does their --help" {
        mkdir "$BATS_TEST_TMPDIR/bin"
        if command -v criu >/dev/null; then
                run -1 unshare -m sh -c "mount --bind /dev/null $(command -v criu) && $RUNTIME checkpoint --help"
        else
                run -1 "$RUNTIME" checkpoint --help
                [[ $output == *"the program criu, which is not installed"* ]]
        fi
        [[ $output == *"--leave-running"* ]]
}

@test "what podman looks for: restore knows --lsm-mount-context" {
        command -v criu >/dev/null || skip "criu is not installed"
        run -1 "$RUNTIME" restore --lsm-mount-context
        [[ $output == *"requires an argument"* ]]
}

@test "wrong options and statuses are refused before criu is asked" {
        command -v criu >/dev/null || skip "criu is not installed"
        IMAGE=$BATS_TEST_TMPDIR/image
        script 'sleep 1000'
        create
        run -1 "$RUNTIME" checkpoint --image-path "$IMAGE" "$ID"
        [[ $output == *"cannot checkpoint container '$ID': container not running: it is created"* ]]
        "$RUNTIME" start "$ID"
        for bad in --manage-cgroups-mode=hard --empty-ns=pid --page-server=9876 --parent-path=/abs --status-fd=77; do
                run -1 "$RUNTIME" checkpoint --image-path "$IMAGE" $bad "$ID"
                [[ $output == *"${bad%%=*}: "* ]]
        done
        [ ! -e "$IMAGE" ]
        run -1 "$RUNTIME" restore --bundle "$BUNDLE" --image-path "$BATS_TEST_TMPDIR/none" "$ID"
        [[ $output == *"container with given ID already exists"* ]]
        "$RUNTIME" delete --force "$ID"
        run -1 "$RUNTIME" restore --detach --bundle "$BUNDLE" --image-path "$BATS_TEST_TMPDIR/none" "$ID"
        [[ $output == *"--image-path: cannot open '$BATS_TEST_TMPDIR/none': No such file or directory"* ]]
}

# bats test_tags=qemu
@test "a restored container goes on where it was, in a fresh unit of the same name" {
        checkpointed
        unit_unknown "$UNIT"
        run -1 "$RUNTIME" state "$ID"
        before=$(count)
        [ "$before" -gt 0 ]
        sleep 0.3
        [ "$(count)" -eq "$before" ]

        restore --pid-file "$BATS_TEST_TMPDIR/pid"
        has_status "$ID" running
        unit_is "$UNIT" active
        pid=$(pid_of "$ID")
        [ "$(cat "$BATS_TEST_TMPDIR/pid")" = "$pid" ]
        has_property "$UNIT" StatusText "Running sh as PID $pid"
        [[ $(payload_of "$ID") == */$UNIT/payload ]]
        eventually counted_beyond "$before"
        run -0 "$RUNTIME" exec "$ID" cat /count
        [ "$output" -ge "$before" ]
        "$RUNTIME" pause "$ID"
        has_status "$ID" paused
        "$RUNTIME" resume "$ID"
        "$RUNTIME" kill "$ID" TERM
        eventually has_status "$ID" stopped
        "$RUNTIME" delete "$ID"
        unit_unknown "$UNIT"
        # again, and by systemctl
        restore
        unit_is "$UNIT" active
        systemctl stop "$UNIT"
        eventually has_status "$ID" stopped
}

# bats test_tags=qemu
@test "--leave-running, --pre-dump and --parent-path" {
        needs_criu
        counting
        quietly_run
        eventually test -s "$COUNT"
        checkpoint --leave-running
        has_status "$ID" running
        before=$(count)
        eventually counted_beyond "$before"
        if criu check --feature mem_dirty_track >/dev/null 2>&1; then
                IMAGE=$BATS_TEST_TMPDIR/first
                checkpoint --pre-dump
                has_status "$ID" running
                IMAGE=$BATS_TEST_TMPDIR/second
                checkpoint --parent-path ../first
                restore
                has_status "$ID" running
        else
                run -1 "$RUNTIME" checkpoint --image-path "$IMAGE" --pre-dump "$ID"
                [[ $output == *"--pre-dump"*"cannot track memory"* ]]
        fi
}

# bats test_tags=qemu
@test "mounts, an empty tmpfs on /run, masked paths and pipes come back" {
        needs_criu
        mkdir "$BATS_TEST_TMPDIR/data"
        echo from-host >"$BATS_TEST_TMPDIR/data/file"
        mounted /data bind "$BATS_TEST_TMPDIR/data" rbind rw
        mounted /scratch tmpfs tmpfs size=1m
        cfg '.linux.maskedPaths = ["/proc/kcore", "/proc/acpi", "/proc/none"] | .linux.readonlyPaths = ["/proc/sys"] | .root.readonly = false'
        script 'echo in-memory >/scratch/file; while read -r line; do echo "got $line"; done'
        # pipes without a name, as an engine has them
        exec 8> >("$RUNTIME" run --detach --bundle "$BUNDLE" "$ID" 2>/dev/null 3>&- | cat >"$BATS_TEST_TMPDIR/first" 3>&-)
        eventually has_status "$ID" running
        echo one >&8
        eventually file_has "$BATS_TEST_TMPDIR/first" "got one"
        checkpoint
        exec 8>&-
        exec 9> >("$RUNTIME" restore --detach --bundle "$BUNDLE" --image-path "$IMAGE" "$ID" 2>"$BATS_TEST_TMPDIR/err" 3>&- 8>&- |
                cat >"$BATS_TEST_TMPDIR/said" 3>&-)
        echo two >&9
        eventually file_has "$BATS_TEST_TMPDIR/said" "got two" || {
                cat "$BATS_TEST_TMPDIR/err"
                tail -n 20 "$IMAGE/restore.log"
                return 1
        }
        run -0 "$RUNTIME" exec "$ID" cat /scratch/file /data/file
        [ "$output" = "in-memory
from-host" ]
        run -0 "$RUNTIME" exec "$ID" head -c 1 /proc/kcore
        [ -z "$output" ]
        run -0 "$RUNTIME" exec "$ID" sh -c 'grep " /proc/sys " /proc/mounts'
        [[ $output == *" ro,"* ]]
        exec 9>&-
}

# bats test_tags=qemu
@test "a network namespace of somebody else's is joined again" {
        needs_criu
        ip netns add unitruntestcriu
        cfg '.linux.namespaces |= map(if .type == "network" then .path = "/run/netns/unitruntestcriu" else . end)
                | if any(.linux.namespaces[]; .type == "network") then . else .linux.namespaces += [{type: "network", path: "/run/netns/unitruntestcriu"}] end'
        counting
        quietly_run
        eventually test -s "$COUNT"
        checkpoint
        restore
        has_status "$ID" running
        [ "$(stat -Lc %i "/proc/$(pid_of "$ID")/ns/net")" = "$(stat -Lc %i /run/netns/unitruntestcriu)" ]
        "$RUNTIME" delete --force "$ID"
        ip netns del unitruntestcriu
}

# bats test_tags=qemu
@test "a terminal comes back, at the console socket" {
        needs_criu
        cfg '.process.terminal = true | .root.readonly = false'
        script 'while read -r line; do echo "got $line"; done'
        listen_at_console
        quietly_run --console-socket "$SOCKET"
        echo one >&8
        shown "got one"
        checkpoint
        hang_up
        listen_at_console
        restore --console-socket "$SOCKET"
        has_status "$ID" running
        echo two >&8
        shown "got two"
        "$RUNTIME" delete --force "$ID"
        hang_up
}

# bats test_tags=qemu
@test "hooks run on restore, and one of poststart that fails ends the container" {
        checkpointed
        hook createRuntime "cat >$BATS_TEST_TMPDIR/state"
        hook poststart "touch $BATS_TEST_TMPDIR/poststart"
        restore
        [ -e "$BATS_TEST_TMPDIR/poststart" ]
        [ "$(jq .pid "$BATS_TEST_TMPDIR/state")" = "$(pid_of "$ID")" ]
        "$RUNTIME" delete --force "$ID"
        hook poststart "echo no luck >&2; exit 1"
        restore -1
        [[ $output == *"poststart"* ]]
        run -1 "$RUNTIME" state "$ID"
        unit_unknown "$UNIT"
}

# bats test_tags=qemu
@test "a restore that fails, is killed or interrupted leaves nothing in the way" {
        checkpointed
        mv "$IMAGE/pstree.img" "$IMAGE/pstree.img.away"
        restore -1
        [[ $output == *"cannot restore container '$ID': criu failed: "*"see: $IMAGE/restore.log"* ]]
        unit_unknown "$UNIT"
        assert_nothing_left "$ID"
        mv "$IMAGE/pstree.img.away" "$IMAGE/pstree.img"
        for round in 1 2 3 4; do
                "$RUNTIME" restore --detach --bundle "$BUNDLE" --image-path "$IMAGE" "$ID" </dev/null >/dev/null 2>&1 3>&- &
                sleep 0.$((round * 2))
                kill -KILL $! 2>/dev/null || true
                wait $! 2>/dev/null || true
                "$RUNTIME" delete --force "$ID"
        done
        restore
        has_status "$ID" running
}

# bats test_tags=qemu
@test "restore in the foreground waits and has the program's exit status" {
        checkpointed
        "$RUNTIME" restore --bundle "$BUNDLE" --image-path "$IMAGE" "$ID" </dev/null >/dev/null 2>&1 3>&- &
        waiter=$!
        eventually has_status "$ID" running
        "$RUNTIME" kill "$ID" TERM
        rc=0
        wait $waiter || rc=$?
        [ $rc -eq 5 ]
        unit_unknown "$UNIT"
}

# bats test_tags=qemu
@test "a container with a user namespace is restored into one" {
        needs_criu
        in_user_namespace
        counting
        quietly_run
        eventually test -s "$COUNT"
        checkpoint
        restore
        has_status "$ID" running
        [ "$(stat -c %u "/proc/$(pid_of "$ID")")" = 100000 ]
        before=$(count)
        eventually counted_beyond "$before"
}
