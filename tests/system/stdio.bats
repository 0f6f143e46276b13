#!/usr/bin/env bats
# Standard output of a container in the journal, as lines of its unit.
# shellcheck disable=SC2016,SC2030,SC2031 # each test is a function

load helpers
load container

# lines JQ-FILTER [JOURNALCTL-ARGUMENT…]: of the unit's lines that the container has written
lines() {
        local filter=$1
        shift
        journalctl --sync
        journalctl -b --no-pager -o json --since "$TEST_BEGAN" "${@:--u$UNIT}" |
                jq -r "select(.SYSLOG_IDENTIFIER == \"$ID\" and ._TRANSPORT == \"stdout\") | $filter"
}

@test "--stdio=journal: a line is its unit's, with the container's fields and the priority of its stream" {
        script 'read -r line || echo "no input"; echo out; echo err >&2; echo "<3>grave"; printf "no newline"'
        # nothing keeps the caller's output open, and nothing is printed
        run -0 timeout 10 "$RUNTIME" run --detach --stdio journal -b "$BUNDLE" "$ID" 3>&-
        [ -z "$output" ]
        eventually has_status "$ID" stopped
        run -0 lines '"\(.PRIORITY) \(.MESSAGE)"'
        [ "$(sort <<<"$output")" = "3 grave
4 err
6 no input
6 no newline
6 out" ] || { echo "$output"; return 1; }
        run -0 lines '[._SYSTEMD_UNIT, .CONTAINER_ID, .CONTAINER_ID_FULL] | join(" ")'
        [ "$(sort -u <<<"$output")" = "$UNIT ${ID:0:12} $ID" ] || { echo "$output"; return 1; }
        "$RUNTIME" delete "$ID"
}

@test "both lines of a program that ends at once are there, by the unit's name and by its invocation" {
        local i
        script 'echo out; echo err >&2'
        for ((i = 0; i < ROUNDS; i++)); do
                "$RUNTIME" run --stdio=journal -b "$BUNDLE" "$ID" </dev/null 3>&-
        done
        unit_unknown "$UNIT"
        run -0 lines '"\(._SYSTEMD_INVOCATION_ID) \(.MESSAGE)"'
        [ "$(sort -u <<<"$output" | wc -l)" -eq $((2 * ROUNDS)) ] || { echo "$output"; return 1; }
        # by the invocation alone
        run -0 lines .MESSAGE "_SYSTEMD_INVOCATION_ID=${output%% *}"
        [ "$(sort <<<"$output")" = "err
out" ]
}

@test "in the journal: much at once, standard output opened again, and output of an unprivileged user" {
        cfg '.process.user = {uid: 1000, gid: 1000} | .process.capabilities = {}'
        script 'seq 1 4000; echo again >/dev/stdout; echo warn >/dev/stderr; exec >&- 2>&-; sleep 0.2; exit 3'
        run -3 timeout 20 "$RUNTIME" run --stdio=journal -b "$BUNDLE" "$ID" 3>&- </dev/null
        [ -z "$output" ]
        [ "$(lines .MESSAGE | grep -cx '[0-9]*')" -eq 4000 ]
        run -0 lines 'select(.MESSAGE == "again" or .MESSAGE == "warn") | .PRIORITY'
        [ "$(sort <<<"$output" | xargs)" = "4 6" ]
}

@test "a container without a unit of its own writes to the journal of the caller's" {
        script 'echo out'
        cfg --arg path "/stdio-$ID" '.linux.cgroupsPath = $path'
        run -0 timeout 20 "$RUNTIME" run --stdio=journal -b "$BUNDLE" "$ID" 3>&- </dev/null
        [ -z "$output" ]
        [ "$(lines .MESSAGE SYSLOG_IDENTIFIER="$ID")" = out ]
}

@test "what --stdio can't be is refused" {
        create -1 --stdio=file
        [[ $output = *"--stdio: 'file' is not 'inherit' or 'journal'"* ]]
        cfg '.process.terminal = true'
        create -1 --stdio=journal --console-socket "$BATS_TEST_TMPDIR/none"
        [[ $output = *"--stdio=journal"*process.terminal* ]]
        assert_nothing_left "$ID"
}

@test "much output in the journal is there to the last line, unless the unit has a rate limit that cuts it" {
        script 'i=0; while [ $i -lt 3000 ]; do echo "line $i"; i=$((i + 1)); done'
        property LogRateLimitIntervalUSec "uint64 0"
        launch "$RUNTIME" run --stdio=journal -b "$BUNDLE" "$ID"
        lines() { [ "$(journalctl -b -u "$UNIT" -t "$ID" --since "$TEST_BEGAN" -o cat | grep -c '^line ')" -eq 3000 ]; }
        eventually lines
        property LogRateLimitIntervalUSec "uint64 60000000"
        property LogRateLimitBurst "uint32 50"
        script 'i=0; while [ $i -lt 3000 ]; do echo "other $i"; i=$((i + 1)); done; sleep 0.2; echo end'
        launch "$RUNTIME" run --stdio=journal -b "$BUNDLE" "$ID"
        some() { [ "$(journalctl -b -u "$UNIT" --since "$TEST_BEGAN" -o cat | grep -c '^other ')" -ge 50 ]; }
        eventually some
        [ "$(journalctl -b -u "$UNIT" --since "$TEST_BEGAN" -o cat | grep -c '^other ')" -lt 3000 ]
}

@test "what exec runs can write to the journal, too, as the container's unit" {
        program sleep 100
        run_detached
        launch "$RUNTIME" exec --stdio=journal "$ID" sh -c 'echo said; echo warned >&2; cat'
        [ ! -s "$OUT" ]
        launch "$RUNTIME" exec --detach --stdio journal "$ID" sh -c 'echo later'
        written() { journalctl -b -u "$UNIT" -t "$ID" --since "$TEST_BEGAN" -o json | jq -r '.PRIORITY + .MESSAGE' | grep -qx "$1"; }
        for line in 6said 4warned 6later; do
                eventually written $line
        done
        launch -255 "$RUNTIME" exec --stdio=nowhere "$ID" true
        [[ $output == *"--stdio: 'nowhere'"* ]]
        launch -255 "$RUNTIME" exec --stdio=journal -t "$ID" true
        [[ $output == *terminal* ]]
}
