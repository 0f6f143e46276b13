# shellcheck shell=bash disable=SC2034 # variables for bats
# For tests of podman on unitrun, after helpers and container.

# podman_do COMMAND…, podman_run OPTION…: what podman says; fd 3 is bats' own and must not be kept by a container
podman_do() {
        podman --runtime "$RUNTIME" "$@" 3>&-
}

podman_run() {
        podman_do run --network=none "$@"
}

# conmon_of PID: its parent; with a reaper in between, that one's
conmon_of() {
        local parent
        parent=$(sed -n 's/^PPid:\t//p' "/proc/$1/status")
        [ "$(cat "/proc/$parent/comm")" = conmon ] || parent=$(sed -n 's/^PPid:\t//p' "/proc/$parent/status")
        echo "$parent"
}

setup_file() {
        bats_require_minimum_version 1.8.0
        busybox_image
}

# what podman makes: units libpod-*, state directories of long IDs, conmons, zombies
teardown() {
        local bad=0
        [ -n "${BATS_TEST_COMPLETED:-}" ] || show_failure
        podman_do pod rm -f -t 0 --all >/dev/null 2>&1
        podman_do rm -f -t 0 --all >/dev/null 2>&1
        eventually none_of conmon pgrep -a -x conmon || bad=1
        none_of unit systemctl list-units --all --plain --no-legend 'libpod-*.service' || bad=1
        none_of "state directory" ls -A /run/unitrun || bad=1
        none_of supervisor pgrep -a unitrun-superv || bad=1
        eventually none_of zombie zombies || bad=1
        [ $bad -eq 0 ] || show_failure
        return $bad
}

# none_of WHAT COMMAND…: fails and shows it if COMMAND prints a line
none_of() {
        local found what=$1
        shift
        found=$("$@" 2>/dev/null)
        [ -z "$found" ] || { echo "a $what is left: $found"; return 1; }
}

zombies() {
        ps -eo stat=,pid=,ppid=,comm= | awk "/^Z/"
}
