#!/usr/bin/env bats
# Standard input and output of a container, as a terminal and otherwise.
# shellcheck disable=SC2016,SC2030,SC2031 # each test is a function

load helpers
load container

# receive_terminal: the container has a terminal, and there is who takes it
receive_terminal() {
        listen_at_console
        cfg '.process.terminal = true'
}

# shown TEXT: the terminal has shown TEXT
shown() {
        eventually file_has "$SHOWN" "$1" || { cat "$SHOWN"; return 1; }
}

@test "a terminal goes to the engine's socket, and is the program's own" {
        receive_terminal
        script 'tty; test -t 0 && test -t 1 && test -t 2 && echo all three; stty size; cut -d" " -f7 /proc/self/stat; read line; echo "got $line"'
        create --console-socket "$SOCKET"
        # the engine has it before the program runs
        eventually grep -qE '^[0-9]+x[0-9]+$' "$SHOWN"
        "$RUNTIME" start "$ID"
        shown /dev/pts/0
        shown "all three"
        echo hello >&8
        shown "got hello"
        # and it controls the program: its number is not 0
        [ "$(tr -d '\r' <"$SHOWN" | sed -n 5p)" -gt 0 ]
        hang_up
        eventually has_status "$ID" stopped
}

@test "the terminal has the size of the config" {
        receive_terminal
        cfg '.process.consoleSize = {height: 33, width: 77}'
        script 'stty size'
        create --console-socket="$SOCKET"
        "$RUNTIME" start "$ID"
        shown "33 77"
        [ "$(head -n 1 "$SHOWN")" = 33x77 ]
        hang_up
}

@test "the terminal is /dev/console too, and belongs to the program's user" {
        receive_terminal
        cfg '.process.user = {uid: 1000, gid: 1000} | .process.capabilities = {}'
        script 'stat -L -c "owner %u" $(tty); test -c /dev/console && echo console; echo to the console >/dev/console; echo again >/dev/tty'
        create --console-socket "$SOCKET"
        "$RUNTIME" start "$ID"
        shown "owner 1000"
        shown "to the console"
        shown again
        hang_up
}

@test "the terminal's interrupt key interrupts the program" {
        receive_terminal
        script 'trap "echo interrupted; exit 3" INT; echo ready; while :; do sleep 0.1; done'
        create --console-socket "$SOCKET"
        "$RUNTIME" start "$ID"
        shown ready
        printf '\003' >&8
        shown interrupted
        hang_up
}

@test "a terminal in a user namespace belongs to the mapped user" {
        receive_terminal
        in_user_namespace
        script 'stat -L -c "owner %u" $(tty); echo x >/dev/console'
        create --console-socket "$SOCKET"
        "$RUNTIME" start "$ID"
        shown "owner 0"
        hang_up
}

@test "create with a terminal needs a console socket, and without one has none" {
        cfg '.process.terminal = true'
        create -1
        [[ $output == *console-socket* ]]
        cfg '.process.terminal = false'
        create -1 --console-socket "$BATS_TEST_TMPDIR/none"
        [[ $output == *console-socket* ]]
        assert_nothing_left "$ID"
}

@test "a console socket that nobody listens at is an error that names it" {
        cfg '.process.terminal = true'
        create -1 --console-socket "$BATS_TEST_TMPDIR/none"
        [[ $output == *"$BATS_TEST_TMPDIR/none"* ]]
        assert_nothing_left "$ID"
}

@test "run with a terminal and no console socket says what is missing" {
        cfg '.process.terminal = true'
        script 'echo x'
        run setsid "$RUNTIME" run -b "$BUNDLE" "$ID" </dev/null 3>&-
        [ "$status" -eq 1 ] && [[ $output == *terminal* ]] || [ "$output" = x$'\r' ] || { echo "$output"; return 1; }
}

@test "without a terminal the program has what the runtime was given" {
        script 'test -t 0 || test -t 1 || echo none; cat; echo err >&2; test -e /dev/console || echo no console'
        "$RUNTIME" run -b "$BUNDLE" "$ID" <<<input >"$BATS_TEST_TMPDIR/1" 2>"$BATS_TEST_TMPDIR/2" 3>&-
        [ "$(cat "$BATS_TEST_TMPDIR/1")" = "none
input
no console" ]
        [ "$(cat "$BATS_TEST_TMPDIR/2")" = err ]
}

@test "another user can open its own standard output again" {
        cfg '.process.user = {uid: 1000, gid: 1000} | .process.capabilities = {}'
        script 'echo out >/dev/stdout; echo err >/dev/stderr'
        "$RUNTIME" run -b "$BUNDLE" "$ID" </dev/null 2>&1 3>&- | tee "$BATS_TEST_TMPDIR/both"
        [ "$(cat "$BATS_TEST_TMPDIR/both")" = "out
err" ]
}
