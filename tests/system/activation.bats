#!/usr/bin/env bats
# Socket activation: descriptors that the caller has for the container's program, and what the program is told of them.
# shellcheck disable=SC2016,SC2030,SC2031 # each test is a function

load helpers
load container

# tells: the program shows its descriptors, and what it knows of sockets
tells() {
        script 'echo $(cd /proc/self/fd && echo *); env | grep ^LISTEN | sort'
        printf 'three\n' >"$BATS_TEST_TMPDIR/3"
        printf 'four\n' >"$BATS_TEST_TMPDIR/4"
}

# activated SHELL-TEXT OPTION…: run, by a shell that has fds 3 and 4, and SHELL-TEXT in front of the command
activated() {
        local status=$1 text=$2
        shift 2
        run "$status" sh -c 'file=$1 bundle=$2 id=$3; shift 3; exec 3<"$file/3" 4<"$file/4" 5<&-; '"$text"' exec "$@" -b "$bundle" "$id" </dev/null' \
                sh "$BATS_TEST_TMPDIR" "$BUNDLE" "$ID" "$RUNTIME" run "$@" 3>&-
}

@test "sockets of systemd are the container's, with their names, and it is told so" {
        script 'echo fds $(cd /proc/self/fd && echo *); env | grep ^LISTEN | sort; for fd in 3 4 5 6 7; do readlink /proc/self/fd/$fd; done'
        port=$((20000 + RANDOM % 10000))
        systemd-socket-activate $(seq -f "-l 127.0.0.1:%.0f" $port $((port + 4))) --fdname=a:b:c:d:e \
                "$RUNTIME" run -b "$BUNDLE" "$ID" </dev/null >"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err" 3>&- &
        waiter=$!
        HELPERS+=("$waiter")
        knock() { (exec 9<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; }
        eventually 10 knock
        wait "$waiter"
        mapfile -t lines <"$BATS_TEST_TMPDIR/out"
        [[ ${lines[0]} == "fds 0 1 2 3 4 5 6 7"* ]]
        [ "${lines[1]}" = LISTEN_FDNAMES=a:b:c:d:e ]
        [ "${lines[2]}" = LISTEN_FDS=5 ]
        [ "${lines[3]}" = LISTEN_PID=1 ]
        for i in 4 5 6 7 8; do
                [[ ${lines[$i]} == socket:* ]]
        done
}

@test "without a pid namespace of its own the program is told its real PID" {
        script 'echo $$; echo $LISTEN_PID'
        touch "$BATS_TEST_TMPDIR/3" "$BATS_TEST_TMPDIR/4"
        cfg '.linux.namespaces |= map(select(.type != "pid"))'
        activated -0 'LISTEN_PID=$$ LISTEN_FDS=2'
        [ "${lines[0]}" = "${lines[1]}" ]
}

@test "sockets for another process are not passed on, and nobody is told of them" {
        tells
        for text in 'LISTEN_PID=1 LISTEN_FDS=2' 'LISTEN_FDS=2' 'LISTEN_PID=$$' 'LISTEN_PID=x LISTEN_FDS=2' 'LISTEN_PID=1 LISTEN_FDS=x' \
                'LISTEN_PID=$$ LISTEN_FDS=0'; do
                activated -0 "$text"
                [[ ${lines[0]} =~ ^"0 1 2"( 3)?$ ]] || { echo "$text: $output"; return 1; } # 3 is the directory that is read
                [ ${#lines[@]} -eq 1 ]
        done
}

@test "sockets that are not there, or are no number, are errors, and no descriptor of unitrun is taken for one" {
        tells
        activated -1 'LISTEN_PID=$$ LISTEN_FDS=3'
        [[ $output == *"LISTEN_FDS: file descriptor 5 is not open"* ]]
        activated -1 'LISTEN_PID=$$ LISTEN_FDS=x'
        [[ $output == *"LISTEN_FDS: 'x' is not a number of file descriptors"* ]]
        activated -1 'LISTEN_PID=$$ LISTEN_FDS=-1'
        activated -1 'LISTEN_PID=$$ LISTEN_FDS=4294967297'
        activated -1 '' --preserve-fds 3
        [[ $output == *"--preserve-fds: file descriptor 5 is not open"* ]]
        activated -1 'LISTEN_PID=$$ LISTEN_FDS=1' --preserve-fds 2
        [[ $output == *"--preserve-fds: file descriptor 5 is not open"* ]]
        assert_nothing_left "$ID"
}

@test "--preserve-fds counts behind the sockets, but an engine that has told the program itself means the same by both" {
        tells
        activated -0 'LISTEN_PID=$$ LISTEN_FDS=1 LISTEN_FDNAMES=web' --preserve-fds 1
        [[ ${lines[0]} == "0 1 2 3 4"* ]]
        [ "${lines[*]:1}" = "LISTEN_FDNAMES=web LISTEN_FDS=1 LISTEN_PID=1" ]
        cfg '.process.env += ["LISTEN_PID=1", "LISTEN_FDS=2", "LISTEN_FDNAMES=theirs"]'
        activated -0 'LISTEN_PID=$$ LISTEN_FDS=2 LISTEN_FDNAMES=ours' --preserve-fds 2
        [[ ${lines[0]} == "0 1 2 3 4"* ]]
        [ "${lines[*]:1}" = "LISTEN_FDNAMES=theirs LISTEN_FDS=2 LISTEN_PID=1" ]
}

@test "podman passes sockets on" {
        busybox_image
        port=$((20000 + RANDOM % 10000))
        systemd-socket-activate -l 127.0.0.1:$port podman --runtime "$RUNTIME" run --rm --network=none busybox \
                sh -c 'env | grep ^LISTEN | sort; readlink /proc/self/fd/3' </dev/null >"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err" 3>&- &
        waiter=$!
        HELPERS+=("$waiter")
        knock() { (exec 9<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; }
        eventually 10 knock
        wait "$waiter" || { cat "$BATS_TEST_TMPDIR/err"; return 1; }
        mapfile -t lines <"$BATS_TEST_TMPDIR/out"
        [ "${lines[*]}" != "" ]
        grep -qx LISTEN_FDS=1 "$BATS_TEST_TMPDIR/out"
        grep -qx LISTEN_PID=1 "$BATS_TEST_TMPDIR/out"
        grep -q '^socket:' "$BATS_TEST_TMPDIR/out"
}
