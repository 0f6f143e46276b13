# shellcheck shell=bash
# For the .bats files that run inside a machine: `load helpers` (or `load ../system/helpers` from tests/cli).
# Each test gets a fresh $BUNDLE and an $ID of its own; a test that fails shows the machine, the last command it
# gave to `run`, the unit and the journal. A test that only makes sense with all cgroup controllers is tagged:
#   # bats test_tags=qemu

bats_require_minimum_version 1.8.0

RUNTIME=${RUNTIME:-unitrun}
export RUNTIME

setup() {
        ID=$(basename "$BATS_TEST_FILENAME" .bats)-$BATS_TEST_NUMBER-$RANDOM
        BUNDLE=$BATS_TEST_TMPDIR/bundle
        UNIT=unitrun-$ID.service
        TEST_BEGAN=$(date +'%F %T')
        mkbundle "$BUNDLE"
        chmod 755 "$BATS_TEST_TMPDIR" "$BATS_RUN_TMPDIR"
}

teardown() {
        [ -n "${BATS_TEST_COMPLETED:-}" ] || show_failure
        cleanup_containers
}

# cleanup_containers: whatever the test left, so that the next one has a chance
cleanup_containers() {
        command -v "$RUNTIME" >/dev/null && "$RUNTIME" delete --force "$ID" >/dev/null 2>&1
        [ ! -d /var/lib/containers/storage ] || podman rm --all --force --time 0 >/dev/null 2>&1
        systemctl stop "*$ID*" 2>/dev/null
        systemctl reset-failed "*$ID*" 2>/dev/null
        return 0
}

show_failure() {
        echo "machine: ${MACHINE:-$(hostname)}"
        echo "last run: ${BATS_RUN_COMMAND:-none}${status:+ (exit status $status)}"
        [ -z "${output:-}" ] || printf '%s\n' "$output" | sed 's/^/  /'
        echo "systemctl status $UNIT:"
        systemctl --no-pager --full status "$UNIT" 2>&1 | sed 's/^/  /'
        echo "journal:"
        journalctl -b --no-pager -n 80 --since "$TEST_BEGAN" 2>&1 | sed 's/^/  /'
}

# cfg [JQ-OPTION…] FILTER: edits the bundle's config.json
cfg() {
        jq "$@" "$BUNDLE/config.json" >"$BUNDLE/config.new" && mv "$BUNDLE/config.new" "$BUNDLE/config.json"
}

# unit_of ID: the unit that the container's first process is in
unit_of() {
        unit-of "$1"
}

# podman's image `busybox`
busybox_image() {
        podman image exists busybox || tar -C /tmp/rfs -c . | podman import -q - busybox >/dev/null
}

# eventually [SECONDS] COMMAND…: until it succeeds; fails with its last output
eventually() {
        local limit=20 end out=
        case $1 in *[!0-9]*) ;; *) limit=$1; shift ;; esac
        end=$((SECONDS + limit))
        until out=$("$@" 2>&1); do
                if [ $SECONDS -ge "$end" ]; then
                        echo "not within $limit s: $*"
                        printf '%s\n' "$out"
                        return 1
                fi
                sleep 0.1
        done
}

processes_of() {
        local file
        grep -lsF -- "$1" /proc/[0-9]*/cgroup | while read -r file; do
                echo "$(basename "${file%/cgroup}") $(tr '\0' ' ' <"${file%cgroup}cmdline" 2>/dev/null)"
        done
}

# assert_nothing_left ID [UNIT]: no unit loaded, no process, mount, cgroup or state directory
assert_nothing_left() {
        leftovers "$1" "${2:-}" "${BUNDLE:-}" 2>/dev/null
}

# requires CONTROLLER…: skips, naming the first cgroup controller that the machine lacks
requires() {
        local controller
        for controller; do
                grep -qw -- "$controller" /sys/fs/cgroup/cgroup.controllers ||
                        skip "needs the cgroup controller $controller"
        done
}

# requires_command COMMAND…: likewise for programs
requires_command() {
        local command
        for command; do
                command -v "$command" >/dev/null || skip "needs $command"
        done
}
