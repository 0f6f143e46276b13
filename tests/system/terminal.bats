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

# in_foreground ARG…: `run`, or `exec` of a shell script in a container that is there, at somebody's terminal
in_foreground() {
        if [ "$1" = run ]; then
                script "$2"
                at_terminal "$RUNTIME" run -b "$BUNDLE" "$ID"
        else
                at_terminal "$RUNTIME" exec --tty "$ID" sh -c "$2"
        fi
}

@test "run and exec in the foreground: the caller's terminal is the program's, and its own again afterwards" {
        local way
        cfg '.process.terminal = true | .process.consoleSize = {height: 33, width: 77}'
        for way in run exec; do
                if [ $way = exec ]; then
                        cfg '.process.terminal = false'
                        script 'exec sleep 100'
                        run_detached
                fi
                in_foreground $way 'test -t 0 && test -t 1 && test -t 2 && echo "all $((1 + 2))"; stty size
                        trap "stty size" WINCH; trap "echo inter""rupted" INT
                        until [ "$line" = quit ]; do read -r line; echo "got <$line>"; done
                        cat; echo the end; exit 5'
                shown "all 3"
                # the real size, not the config's, and from the first instant
                shown "24 80"
                echo hello >&8
                shown "got <hello>"
                # the echo is the program's terminal's only
                [ "$(grep -c hello "$SHOWN")" -eq 2 ]
                kill -USR1 "$CONSOLE"
                shown "30 90"
                printf '\003' >&8
                shown interrupted
                printf 'quit\n\004' >&8
                shown "the end"
                ends_with 5
        done
        "$RUNTIME" delete -f "$ID" 3>&-
        assert_nothing_left "$ID"
}

@test "the caller's terminal is its own again whatever ends the program or the start" {
        local signal began
        cfg '.process.terminal = true'
        for signal in TERM HUP KILL; do
                in_foreground run "trap 'exit 4' TERM HUP; echo rea""dy; while :; do sleep 0.05; done"
                shown ready
                if [ $signal = KILL ]; then
                        "$RUNTIME" kill "$ID" KILL
                        ends_with 137
                else
                        pkill -$signal -P "$CONSOLE"
                        ends_with 4
                fi
        done
        assert_nothing_left "$ID"
        program /nosuch
        at_terminal "$RUNTIME" run -b "$BUNDLE" "$ID"
        ends_with 1
        file_has "$SHOWN" '"/nosuch": no such file'
        hook poststart 'echo no >&2; exit 1'
        script 'trap "exit 0" TERM; while :; do sleep 0.1; done'
        began=$SECONDS
        at_terminal "$RUNTIME" run -b "$BUNDLE" "$ID"
        ends_with 1
        file_has "$SHOWN" 'poststart'
        # `run` is who reaps init, but it waits for systemd, which waits for the supervisor
        [ $((SECONDS - began)) -lt 8 ]
        assert_nothing_left "$ID"
}

@test "nothing of a terminal's output is lost, neither at the end nor when nobody reads for a while" {
        local i sum way=(exec --tty "$ID" seq 1 100000)
        sum=$(seq 1 100000 | sha256sum)
        script 'exec sleep 100'
        run_detached
        for i in 1 2 3; do
                [ "$("$RUNTIME" "${way[@]}" </dev/null 3>&- | sha256sum)" = "$sum" ]
        done
        [ "$("$RUNTIME" "${way[@]}" </dev/null 3>&- | (sleep 1; cat) | sha256sum)" = "$sum" ]
        at_terminal "$RUNTIME" "${way[@]}"
        ends_with 0
        [ "$(sha256sum <"$SHOWN")" = "$(seq 1 100000 | sed 's/$/\r/' | sha256sum)" ]
        # what ends at once, with a few bytes
        for ((i = 0; i < ROUNDS; i++)); do
                [ "$("$RUNTIME" exec -t "$ID" echo "$i" </dev/null 3>&-)" = "$i" ]
        done
        # who stops reading ends the program, and who does not read for long can still be ended
        run -0 timeout 5 sh -c '"$RUNTIME" exec -t "$0" yes 3>&- </dev/null | head -n 1' "$ID"
        "$RUNTIME" exec -t "$ID" sh -c 'trap "exit 3" TERM; echo $$ >/pid; seq 1 100000' </dev/null 3>&- |
                (eventually test -s "$BUNDLE/rootfs/pid"; sleep 0.3; pkill -TERM -f "exec -t $ID sh -c trap"; cat >/dev/null)
}

@test "a terminal without one of the caller's: input and output are passed on, the end of the input is Ctrl-D" {
        cfg '.process.terminal = true | .process.consoleSize = {height: 33, width: 77}'
        script 'stty size; stty -echo; echo ok; cat; echo end'
        run -0 setsid "$RUNTIME" run -b "$BUNDLE" "$ID" <<<$'one\ntwo' 3>&-
        [[ $output = *"33 77"*$'one\ntwo\nend' ]] || { echo "$output"; return 1; }
        # in the middle of a line too
        script 'stty -echo; cat; echo end'
        run -0 "$RUNTIME" run -b "$BUNDLE" "$ID" < <(sleep 0.2; printf 'no newline') 3>&-
        [ "$output" = "no newlineend" ]
        assert_nothing_left "$ID"
        # nobody waits with it: then it has to go somewhere
        run_detached -1
        [[ $output = *--console-socket* ]]
        cfg '.process.terminal = false'
        script 'exec sleep 100'
        run_detached
        run -255 "$RUNTIME" exec --tty --detach "$ID" true
        [[ $output = *--console-socket* ]]
}

@test "a pidfd of the process goes to the engine's socket" {
        script 'sleep 0.5'
        listen_at_console
        create --pidfd-socket "$SOCKET"
        shown "pid $(pid_of "$ID")"
        "$RUNTIME" start "$ID"
        hang_up
        "$RUNTIME" delete -f "$ID" 3>&-
        # the same for one more process
        program sleep 100
        run_detached
        listen_at_console
        "$RUNTIME" exec --pidfd-socket "$SOCKET" "$ID" true </dev/null 3>&-
        hang_up
        file_has "$SHOWN" "pid "
        "$RUNTIME" delete -f "$ID" 3>&-
        # and by `run`
        listen_at_console
        program true
        run_container --pidfd-socket="$SOCKET"
        hang_up
        file_has "$SHOWN" "pid "
        # crun's annotation means the same
        listen_at_console
        annotate run.oci.pidfd_receiver "$SOCKET"
        run_container
        hang_up
        file_has "$SHOWN" "pid "
        cfg 'del(.annotations)'
        create -1 --pidfd-socket "$BATS_TEST_TMPDIR/none"
        [[ $output == *--pidfd-socket*"$BATS_TEST_TMPDIR/none"* ]]
        assert_nothing_left "$ID"
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
