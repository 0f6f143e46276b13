#!/usr/bin/env bats
# The six kinds of hooks: when and where they run, and what they are given. hook-failure.bats has what their failure does.
# shellcheck disable=SC2016,SC2030,SC2031,SC2086 # each test is a function

load helpers
load container

KINDS="prestart createRuntime createContainer startContainer poststart poststop"

# in_each SCRIPT: a hook of every kind runs SCRIPT, in which $KIND is the kind and $T a directory for its results;
# collect afterwards gathers in $RESULTS what the one within the container wrote there
in_each() {
        local kind
        RESULTS=$BATS_TEST_TMPDIR/results
        mkdir "$RESULTS"
        for kind in $KINDS; do
                if [ $kind = startContainer ]; then T=/tmp; else T=$RESULTS; fi
                hook $kind "KIND=$kind T=$T; $1"
        done
}

collect() {
        [ "$(ls "$BUNDLE/rootfs/tmp")" = "" ] || mv "$BUNDLE"/rootfs/tmp/* "$RESULTS"
}

@test "hooks run in the order of the life cycle, each kind in the order of its list" {
        program true
        for kind in $KINDS; do
                dir=$BATS_TEST_TMPDIR
                [ $kind != startContainer ] || dir=/tmp
                hook $kind "echo $kind-1 >>$dir/log"
                hook $kind "echo $kind-2 >>$dir/log"
        done
        log=$BATS_TEST_TMPDIR/log
        create
        [ "$(xargs <"$log")" = "prestart-1 prestart-2 createRuntime-1 createRuntime-2 createContainer-1 createContainer-2" ]
        [ ! -e "$BUNDLE/rootfs/tmp/log" ]
        : >"$log"
        "$RUNTIME" start "$ID"
        [ "$(xargs <"$BUNDLE/rootfs/tmp/log")" = "startContainer-1 startContainer-2" ]
        [ "$(xargs <"$log")" = "poststart-1 poststart-2" ]
        : >"$log"
        eventually has_status "$ID" stopped
        [ ! -s "$log" ]
        "$RUNTIME" delete "$ID"
        [ "$(xargs <"$log")" = "poststop-1 poststop-2" ]
        assert_nothing_left "$ID"
}

@test "each hook gets the state of its moment on stdin, as one line of JSON" {
        program sleep 100
        annotate com.example/key 'a/b "c"'
        in_each 'cat >$T/$KIND'
        cd "$(dirname "$BUNDLE")"
        launch "$RUNTIME" create -b bundle "$ID"
        pid=$(pid_of "$ID")
        "$RUNTIME" start "$ID"
        "$RUNTIME" delete --force "$ID"
        collect
        for kind in $KINDS; do
                jq -e --arg id "$ID" --arg bundle "$BUNDLE" '.id == $id and .bundle == $bundle
                        and (.ociVersion | test("^1\\.")) and .annotations["com.example/key"] == "a/b \"c\""' "$RESULTS/$kind" ||
                        { echo $kind; cat "$RESULTS/$kind"; return 1; }
                [ "$(tr -d '\n' <"$RESULTS/$kind" | wc -c)" -ge $(($(wc -c <"$RESULTS/$kind") - 1)) ]
                grep -qF 'com.example/key' "$RESULTS/$kind"
        done
        for pair in prestart:creating createRuntime:creating createContainer:creating startContainer:created \
                poststart:running poststop:stopped; do
                [ "$(jq -r .status "$RESULTS/${pair%:*}")" = "${pair#*:}" ] || { echo "$pair"; return 1; }
        done
        for kind in prestart createRuntime poststart; do
                [ "$(jq .pid "$RESULTS/$kind")" = "$pid" ]
        done
        [ "$(jq .pid "$RESULTS/startContainer")" = 1 ]
        [ "$(jq '.pid // 0' "$RESULTS/poststop")" = 0 ]
}

@test "hooks run in the runtime's namespaces or the container's, as their kind says" {
        program sleep 100
        in_each 'for ns in mnt uts net ipc pid; do readlink /proc/self/ns/$ns; done >$T/$KIND; hostname >>$T/$KIND'
        create
        "$RUNTIME" start "$ID"
        pid=$(pid_of "$ID")
        for who in $pid self; do
                for ns in mnt uts net ipc pid; do readlink "/proc/$who/ns/$ns"; done >"$RESULTS/of-$who"
                if [ $who = self ]; then hostname; else echo testbox; fi >>"$RESULTS/of-$who"
        done
        "$RUNTIME" delete --force "$ID"
        collect
        for kind in prestart createRuntime poststart poststop; do
                diff "$RESULTS/of-self" "$RESULTS/$kind" || { echo $kind; return 1; }
        done
        for kind in createContainer startContainer; do
                diff "$RESULTS/of-$pid" "$RESULTS/$kind" || { echo $kind; return 1; }
        done
}

@test "createContainer hooks see the runtime's files, startContainer hooks the container's" {
        program sleep 100
        hook createContainer "test -e $BUNDLE/config.json && mountpoint -q $BUNDLE/rootfs/proc && touch $BUNDLE/rootfs/tmp/create"
        cp "$BUNDLE/rootfs/bin/busybox" "$BUNDLE/rootfs/only-inside"
        hook_program startContainer /only-inside touch /tmp/start
        create
        "$RUNTIME" start "$ID"
        [ -e "$BUNDLE/rootfs/tmp/create" ]
        [ -e "$BUNDLE/rootfs/tmp/start" ]
}

@test "a first process that is killed by its startContainer hook was not started" {
        program sleep 100
        cfg 'del(.linux.namespaces[] | select(.type == "pid"))'
        hook_program startContainer /bin/busybox sh -c 'kill -9 $PPID; sleep 1'
        create
        run -1 "$RUNTIME" start "$ID"
        [[ $output == *"ended before its program was executed"* ]]
        [ "$("$RUNTIME" state "$ID" | jq -r .status)" = stopped ]
}

@test "mounts that a createContainer hook makes are there for the program and nobody else" {
        script 'cat /tmp/from-hook'
        hook createContainer "mount -t tmpfs tmpfs $BUNDLE/rootfs/tmp && echo from the hook >$BUNDLE/rootfs/tmp/from-hook"
        run_container
        [ "$output" = "from the hook" ]
        [ ! -e "$BUNDLE/rootfs/tmp/from-hook" ]
}

@test "a poststart hook runs after the program was executed and before start returns" {
        program sleep 100
        hook poststart 'pid=$(jq .pid); tr "\0" " " </proc/$pid/cmdline >'"$BATS_TEST_TMPDIR/post"
        create
        [ ! -e "$BATS_TEST_TMPDIR/post" ]
        "$RUNTIME" start "$ID"
        [ "$(cat "$BATS_TEST_TMPDIR/post")" = "sleep 100 " ]
}

@test "poststart hooks run for a program that ends at once, and find its state" {
        program true
        hook poststart 'jq -r .status >'"$BATS_TEST_TMPDIR/post"
        hook poststart "touch $BATS_TEST_TMPDIR/second"
        for round in $(seq 10); do
                rm -f "$BATS_TEST_TMPDIR"/{post,second}
                run_container
                [ "$(cat "$BATS_TEST_TMPDIR/post")" = running ]
                [ -e "$BATS_TEST_TMPDIR/second" ]
        done
}

@test "systemctl status shows each poststart hook and its exit" {
        program sleep 100
        hook poststart true
        hook poststart 'exit 0'
        run_detached
        run -0 systemctl --no-pager --full status "$UNIT"
        [ "$(grep -c 'ExecStartPost=.*code=exited, status=0' <<<"$output")" -eq 2 ]
}

@test "a hook that does not read its state is no failure, however long that is" {
        program true
        cfg --arg long "$(head -c 100000 /dev/zero | tr '\0' x)" '.annotations = {long: $long, longer: $long}'
        for kind in prestart createRuntime createContainer poststart poststop; do
                hook_program $kind /bin/true
                hook_program $kind /bin/ls
                hook_program $kind /bin/true true x
        done
        hook_program startContainer /bin/true
        for round in $(seq $((ROUNDS / 3))); do
                launch "$RUNTIME" run -b "$BUNDLE" "$ID"
                [ -z "$output" ] && [ ! -s "$OUT" ] || { cat "$OUT" "$ERR"; return 1; }
        done
        # and whole for one that does
        hook poststop "wc -c >$BATS_TEST_TMPDIR/size"
        run_container
        [ "$(cat "$BATS_TEST_TMPDIR/size")" -gt 200000 ]
}

@test "argv is the hook's own, its first word too" {
        program sleep 100
        for kind in prestart createRuntime createContainer poststart poststop; do
                cfg --arg kind $kind --arg out "$BATS_TEST_TMPDIR/argv-$kind" \
                        '.hooks[$kind] = [{path: "/bin/bash", args: ["my name", "-c", "printf \"%s|\" \"$@\" >\($out)", "argv 0", "a  b", "", "*"]},
                                {path: "/bin/cp", args: ["my name", "/proc/self/cmdline", $out + "-cp"]}]'
        done
        create
        "$RUNTIME" start "$ID"
        "$RUNTIME" delete -f "$ID"
        for kind in prestart createRuntime createContainer poststart poststop; do
                [ "$(tr '\0' '|' <"$BATS_TEST_TMPDIR/argv-$kind")" = "a  b||*|" ] || { echo $kind; cat "$BATS_TEST_TMPDIR/argv-$kind"; return 1; }
                [[ $(tr '\0' '|' <"$BATS_TEST_TMPDIR/argv-$kind-cp") == "my name|/proc/self/cmdline|"* ]]
        done
}

@test "without args the hook's path is its name" {
        program true
        printf '#!/bin/sh\ntr "\\0" "|" </proc/$$/cmdline >%s/argv\n' "$BATS_TEST_TMPDIR" >"$BATS_TEST_TMPDIR/hook"
        chmod 755 "$BATS_TEST_TMPDIR/hook"
        hook_program prestart "$BATS_TEST_TMPDIR/hook"
        run_container
        [ "$(cat "$BATS_TEST_TMPDIR/argv")" = "/bin/sh|$BATS_TEST_TMPDIR/hook|" ]
}

@test "a hook with an env gets exactly that" {
        program sleep 100
        for kind in $KINDS; do
                dir=$BATS_TEST_TMPDIR
                [ $kind != startContainer ] || dir=/tmp
                cfg --arg kind $kind --arg out "$dir/env-$kind" \
                        '.hooks[$kind] = [{path: "/bin/cp", args: ["cp", "/proc/self/environ", $out], env: ["A=b", "C=d e"]},
                                {path: "/bin/cp", args: ["cp", "/proc/self/environ", $out + "-empty"], env: []}]'
        done
        launch env FOO=bar "$RUNTIME" create -b "$BUNDLE" "$ID"
        env FOO=baz "$RUNTIME" start "$ID"
        "$RUNTIME" delete -f "$ID"
        mv "$BUNDLE"/rootfs/tmp/env-* "$BATS_TEST_TMPDIR"
        for kind in $KINDS; do
                [ "$(tr '\0' '|' <"$BATS_TEST_TMPDIR/env-$kind")" = "A=b|C=d e|" ] || { echo $kind; return 1; }
                [ "$(stat -c %s "$BATS_TEST_TMPDIR/env-$kind-empty")" = 0 ] || { echo "$kind, empty"; return 1; }
        done
}

@test "a hook without an env gets that of who called create, within the container that of the program" {
        program sleep 100
        cfg '.process.env += ["INSIDE=yes"]'
        in_each 'cp /proc/self/environ $T/$KIND' # the shell may add, not take away
        launch env FOO="b r" "$RUNTIME" create -b "$BUNDLE" "$ID"
        env -u FOO "$RUNTIME" start "$ID"
        # poststop hooks are run by whoever deletes
        env FOO="b r" "$RUNTIME" delete -f "$ID"
        collect
        for kind in prestart createRuntime poststart poststop; do
                tr '\0' '\n' <"$RESULTS/$kind" | grep -qx "FOO=b r" || { echo $kind; return 1; }
                tr '\0' '\n' <"$RESULTS/$kind" | grep -q "^PATH=." || { echo $kind; return 1; }
        done
        run -0 sh -c "tr '\0' '\n' <$RESULTS/startContainer | grep -x INSIDE=yes"
        run -1 sh -c "tr '\0' '\n' <$RESULTS/startContainer | grep ^FOO="
}

@test "what hooks write is in the journal and not in the runtime's output" {
        program true
        in_each "echo \"\$KIND of $ID says out\"; echo \"\$KIND of $ID says err\" >&2"
        cfg 'del(.hooks.startContainer)' # its output is the container's
        launch "$RUNTIME" run -b "$BUNDLE" "$ID"
        [ -z "$output" ]
        [ ! -s "$OUT" ]
        for kind in prestart createRuntime createContainer poststart poststop; do
                eventually journal_has "$kind of $ID says out"
                eventually journal_has "$kind of $ID says err"
        done
        eventually journal_has "poststart of $ID says out" -u "$UNIT"
}

@test "hooks have no descriptors but the standard ones" {
        program sleep 100
        in_each 'ls /proc/self/fd >$T/$KIND' # 3 is the directory that ls reads
        exec 20</dev/null 21</dev/null 22>/dev/null
        create
        "$RUNTIME" start "$ID"
        "$RUNTIME" delete -f "$ID"
        exec 20<&- 21<&- 22>&-
        collect
        for kind in $KINDS; do
                # a shell may keep its script at 10 and up
                [ "$(grep -vx 10 "$RESULTS/$kind" | tr '\n' ' ')" = "0 1 2 3 " ] || { echo $kind; cat "$RESULTS/$kind"; return 1; }
        done
}

@test "without a timeout a hook may take longer than systemd's own start timeout" {
        # 90 s by default: made short for the test
        mkdir -p /run/systemd/system.conf.d
        printf '[Manager]\nDefaultTimeoutStartSec=2s\n' >/run/systemd/system.conf.d/50-short.conf
        systemctl daemon-reload
        program sleep 100
        hook poststart "sleep 4; touch $BATS_TEST_TMPDIR/post"
        hook createRuntime "sleep 3; touch $BATS_TEST_TMPDIR/create"
        create
        [ -e "$BATS_TEST_TMPDIR/create" ]
        "$RUNTIME" start "$ID"
        [ -e "$BATS_TEST_TMPDIR/post" ]
        has_status "$ID" running
        rm /run/systemd/system.conf.d/50-short.conf
        systemctl daemon-reload
}
