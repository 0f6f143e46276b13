# shellcheck shell=bash
# Results as TAP.

N_CHECKS=0 N_FAILED=0

# check TEXT COMMAND…: one result
check() {
        local text=$1
        shift
        N_CHECKS=$((N_CHECKS + 1))
        if "$@"; then
                echo "ok $N_CHECKS - ${text//#/ }"
        else
                N_FAILED=$((N_FAILED + 1))
                echo "not ok $N_CHECKS - ${text//#/ }"
        fi
}

# skip TEXT
skip() {
        N_CHECKS=$((N_CHECKS + 1))
        echo "ok $N_CHECKS - # SKIP $1"
}

finish() {
        echo "1..$N_CHECKS"
        [ $N_FAILED -eq 0 ]
        exit
}
