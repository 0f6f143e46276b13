# shellcheck shell=bash
# Places and messages, for tests/machine and its parts.

CACHE=${UNITRUN_TEST_CACHE:-/var/cache/unitrun-tests} # Debian trees, kernels: may be thrown away at any time
RUN=/run/unitrun-tests                                # what is known of the machines that are up
INSIDE=/checkout                                      # where a machine sees this source tree, read-only
OWN_PREFIX=own$$-                                     # machines that end with this script
STAGE= # set by build: the tree to install into machines
export CACHE RUN INSIDE OWN_PREFIX STAGE

say() {
        printf '[%3d s] %s\n' "$SECONDS" "$*" >&2
}

die() {
        echo "tests/machine: $*" >&2
        exit 1
}

# quietly LOG COMMAND…: keeps the output in LOG and shows its end only if COMMAND fails
quietly() {
        local log=$1
        shift
        "$@" >"$log" 2>&1 </dev/null && return
        echo "failed: $*" >&2
        tail -n 60 "$log" >&2
        return 1
}

# tree_name ROOT: debian12, debian13 …
tree_name() {
        # shellcheck source=/dev/null
        (. "$1/etc/os-release" && echo "$ID${VERSION_ID:-}")
}
