#!/usr/bin/env bats
# More processes in podman's containers: exec, top, healthchecks, attach.
# shellcheck disable=SC2016,SC2030,SC2031,SC2086,SC2154 # each test is a function; bats sets $stderr

load helpers
load container
load podman

# stays [OPTION…]: a container to work in, $cid
stays() {
        cid=$(podman_run -d "$@" busybox sh -c 'trap "exit 0" TERM; touch /ready; while :; do sleep 0.2; done')
        eventually podman_do exec $cid test -e /ready
}

@test "podman exec has the program's status and output, and its own where there is no program" {
        stays
        run -0 --separate-stderr podman_do exec $cid sh -c 'echo out; echo err >&2'
        [ "$output" = out ] && [ "$stderr" = err ]
        run -0 podman_do exec -i $cid cat <<<"through stdin"
        [ "$output" = "through stdin" ]
        run -7 podman_do exec $cid sh -c 'exit 7'
        run -137 podman_do exec $cid sh -c 'kill -9 $$'
        run -127 podman_do exec $cid nosuch
        [[ $output = *"executable file not found in"* ]]
        run -127 podman_do exec $cid /no/such
        run -126 podman_do exec $cid /etc
        [[ $output = *"ermission denied"* ]]
        run -127 podman_do exec -w /missing $cid true
        [[ $output = *"'/missing': No such file or directory"* ]]
        run -0 podman_do exec -u 1000:2000 -w /tmp -e A=b $cid sh -c 'id -u; id -g; pwd; echo $A'
        [ "${lines[*]}" = "1000 2000 /tmp b" ]
        run -0 podman_do exec --privileged $cid sed -n 's/^CapEff:\t//p' /proc/self/status
        privileged=$output
        run -0 podman_do exec $cid sed -n 's/^CapEff:\t//p' /proc/self/status
        [ $((16#$privileged)) -gt $((16#$output)) ]
        # 3 is the directory itself
        run -0 podman_do exec $cid ls /proc/self/fd
        [ "${lines[*]}" = "0 1 2 3" ]
        run -0 podman --runtime "$RUNTIME" exec --preserve-fds 1 $cid sh -c 'cat <&3' 3<<<"through fd 3"
        [ "$output" = "through fd 3" ]
        podman_do stop -t 2 $cid
        run ! podman_do exec $cid true
        [[ $output = *"running"* ]]
}

@test "podman exec -it: a terminal of the right size, Ctrl-C and Ctrl-D, and its status" {
        stays
        at_terminal podman --runtime "$RUNTIME" exec -it $cid sh -c 'echo "begin $((1 + 2))"
                trap "stty size" WINCH; trap "echo inter""rupted" INT
                until [ "$line" = quit ]; do read -r line; echo "got <$line>"; done
                cat; echo the end; exit 5'
        shown "begin 3"
        echo hello >&8
        shown "got <hello>"
        kill -USR1 "$CONSOLE"
        shown "30 90"
        printf '\003' >&8
        shown interrupted
        printf 'quit\n\004' >&8
        shown "the end"
        ends_with 5
        at_terminal podman --runtime "$RUNTIME" exec -it $cid seq 1 20000
        ends_with 0
        [ "$(tr -d '\r' <"$SHOWN" | sha256sum)" = "$(seq 1 20000 | sha256sum)" ]
}

@test "podman exec -d and podman top: the process is seen, in the container's unit, and ends with it" {
        stays
        podman_do exec -d $cid sleep 1234
        eventually eval 'podman_do top $cid args | grep -q "^sleep 1234"'
        pid=$(podman_do top $cid hpid args | sed -n 's/ *sleep 1234 *$//p')
        grep -q "libpod-$cid.service/" /proc/$pid/cgroup
        run -0 podman_do top $cid user pid comm
        [[ $output = *"root "*sleep* ]]
        # through the container's own ps
        run -0 podman_do top $cid -o pid,args
        [[ $output = *"sleep 1234"* ]]
        podman_do stop -t 2 $cid
        eventually process_ended $pid
}

@test "podman healthcheck: the container is healthy, then it is not" {
        stays --health-cmd 'test ! -e /broken' --health-interval=disable --health-retries=1
        run -0 podman_do healthcheck run $cid
        run -0 podman inspect -f '{{.State.Health.Status}}' $cid
        [ "$output" = healthy ]
        podman_do exec $cid touch /broken
        run -1 podman_do healthcheck run $cid
        run -0 podman inspect -f '{{.State.Health.Status}}' $cid
        [ "$output" = unhealthy ]
}

@test "a terminal is left with the detach keys and taken again with podman attach" {
        at_terminal podman --runtime "$RUNTIME" run --network=none --name attached-$$ -it busybox sh -c '
                echo "begin $((1 + 2))"; while read -r line; do echo "got <$line>"; [ "$line" != end ] || exit 6; done'
        shown "begin 3"
        printf 'one\n' >&8
        shown "got <one>"
        # podman takes a detach key only if it comes alone
        eventually eval 'printf "\020" >&8; sleep 0.1; printf "\021" >&8; sleep 0.2; process_ended "$CONSOLE"'
        ends_with 0
        [ "$(podman inspect -f '{{.State.Status}}' attached-$$)" = running ]
        at_terminal podman --runtime "$RUNTIME" attach attached-$$
        eventually eval 'printf "two\n" >&8; file_has "$SHOWN" "got <two>"'
        printf 'end\n' >&8
        # podman 4.3 does not pass on the status here
        ends_with 6 || ends_with 0
        run -0 podman wait attached-$$
        [ "$output" = 6 ]
}
