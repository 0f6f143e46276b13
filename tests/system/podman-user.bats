#!/usr/bin/env bats
# podman without root: what its everyday commands do with crun they do here, and the container is a unit of the user's.
# shellcheck disable=SC2016,SC2030,SC2031,SC2086,SC2329 # each test is a function

load helpers
load container
load user

# pod COMMAND…: podman as the user, whose runtime is ours
pod() {
        as guest podman --runtime "$RUNTIME" "$@"
}

# pod_run OPTION…: likewise
pod_run() {
        pod run --network=none "$@"
}

# full NAME: the whole ID
full() {
        pod inspect -f '{{.Id}}' "$1"
}

setup_file() {
        bats_require_minimum_version 1.8.0
        make_user guest 2001
        tar -C /tmp/rfs -c . >/tmp/image.tar
        chmod 644 /tmp/image.tar
        as guest podman import -q /tmp/image.tar busybox >/dev/null
}

teardown() {
        local bad=0
        [ -n "${BATS_TEST_COMPLETED:-}" ] || { show_failure; journalctl _UID=2001 -b -n 40 --no-pager | sed 's/^/  /'; }
        pod pod rm -f -t 0 --all >/dev/null 2>&1 || true
        pod rm -f -t 0 --all >/dev/null 2>&1 || true
        eventually nothing_left_of guest || bad=1
        return $bad
}

@test "run, in the foreground: output, exit status, user and groups" {
        run -0 pod_run --rm busybox sh -c 'id -u; echo err >&2'
        [[ $output == *0*err* ]]
        run -3 pod_run --rm busybox sh -c 'exit 3'
        run -137 pod_run --rm busybox sh -c 'kill -9 $$; sleep 9' || [ "$status" -eq 0 ]
        run -127 pod_run --rm busybox /no/such
        run -126 pod_run --rm busybox /etc
        run -0 pod_run --rm --user 5:6 busybox id -u
        [[ $output == *5 ]]
        run -0 pod_run --rm -i busybox cat <<<"from stdin"
        [[ $output == *"from stdin" ]]
}

@test "a container in the background is a service of the user's manager" {
        pod_run -d --name c busybox sh -c 'trap "exit 4" TERM; echo started; while :; do sleep 0.05; done' >/dev/null
        unit=libpod-$(full c).service
        [ "$(user_property guest "$unit" ActiveState)" = active ]
        [[ $(user_property guest "$unit" ControlGroup) == /user.slice/user-2001.slice/user@2001.service/* ]]
        eventually sh -c "su guest -c 'podman logs c' | grep -q started"
        [ "$(pod exec c sh -c 'echo inside; id -u' | xargs)" = "inside 0" ]
        run -7 pod exec c sh -c 'exit 7'
        [[ $(pod top c) == *sh* ]]
        pod pause c
        [ "$(pod inspect -f '{{.State.Status}}' c)" = paused ]
        pod unpause c
        user_systemctl guest stop "$unit"
        eventually sh -c '[ "$(su guest -c "podman inspect -f {{.State.Status}},{{.State.ExitCode}} c")" = exited,4 ]'
        pod start c >/dev/null
        [ "$(user_property guest "$unit" ActiveState)" = active ]
        pod restart -t 5 c >/dev/null
        pod stop -t 5 c >/dev/null
        [ "$(pod inspect -f '{{.State.ExitCode}}' c)" = 4 ]
        pod rm c >/dev/null
        [ "$(user_property guest "$unit" LoadState)" = not-found ]
}

@test "a terminal is one, in run and in exec" {
        run -0 as guest script -qec "podman --runtime $RUNTIME run --rm -t --network=none busybox sh -c 'tty; stty size'" /dev/null
        [[ $output == *"/dev/pts/0"* || $output == *"/dev/console"* ]]
        pod_run -d --name c busybox sleep 100 >/dev/null
        run -0 as guest script -qec "podman --runtime $RUNTIME exec -t c tty" /dev/null
        [[ $output == */dev/pts/* ]]
}

@test "volumes, tmpfs, capabilities, limits of processes, a read-only root" {
        as guest sh -c 'mkdir -p data && echo there >data/file'
        run -0 pod_run --rm -v /home/guest/data:/data -v /home/guest/data:/ro:ro --tmpfs /scratch --cap-drop all --cap-add net_raw --ulimit nofile=500:600 --read-only busybox sh -c \
                'cat /data/file; echo new >/data/new; touch /ro/x || echo ro; touch /scratch/x && echo scratch; touch /x || echo read-only; grep CapBnd /proc/self/status; ulimit -n'
        [[ $output == *there*ro*scratch*read-only*0000000000002000*500* ]]
        [ "$(cat /home/guest/data/new)" = new ]
}

@test "mappings of users: keep-id, auto, nomap" {
        run -0 pod_run --rm --userns=keep-id busybox id -u
        [[ $output == *2001 ]]
        run -0 pod_run --rm --userns=nomap busybox sh -c 'awk "{ print \$2 }" /proc/self/uid_map'
        run pod_run --rm --userns=auto:size=1000 busybox cat /proc/self/uid_map
        [ "$status" -eq 0 ] || [[ $output == *"subuid"* || $output == *"not enough"* || $output == *"no subuid"* ]]
}

@test "pods, and a container that joins another one's namespaces" {
        pod pod create --name p --network none --infra=true >/dev/null || skip "no image for the pod's infra container can be made"
        pod_run -d --name c busybox sleep 100 >/dev/null
        run -0 pod run --rm --network container:c --ipc container:c --pid container:c busybox ps
        [[ $output == *"sleep 100"* ]]
}

@test "health checks, stats and events" {
        pod_run -d --name c --health-cmd 'test -e /ok' --health-interval 1h busybox sh -c 'touch /ok; sleep 100' >/dev/null
        eventually pod healthcheck run c
        run pod stats --no-stream --format '{{.Name}} {{.PIDs}}' c
        [ "$status" -eq 0 ]
        [[ $output == *"c "* ]]
        pod update --help >/dev/null
        pod kill c >/dev/null
        eventually sh -c '[ "$(su guest -c "podman inspect -f {{.State.Status}} c")" = exited ]'
        [ "$(pod inspect -f '{{.State.ExitCode}}' c)" = 137 ]
}

@test "hooks run where podman is: in its namespaces, with the container's root mounted" {
        mkdir -p /home/guest/hooks
        cat >/home/guest/hooks/a.json <<'END'
{"version": "1.0.0", "hook": {"path": "/home/guest/hooks/hook", "args": ["hook", "poststart"]}, "when": {"always": true}, "stages": ["poststart"]}
END
        printf '#!/bin/sh\nset -e\ncat >/home/guest/hooks/state\n{ id -u; readlink /proc/self/ns/user; ls "$(sed -n "s/.*\\"bundle\\" *: *\\"\\([^\\"]*\\)\\".*/\\1/p" /home/guest/hooks/state)"; } >/home/guest/hooks/seen\n' \
                >/home/guest/hooks/hook
        chmod 755 /home/guest/hooks/hook
        chown -R guest:guest /home/guest/hooks
        run -0 as guest podman --runtime "$RUNTIME" --hooks-dir /home/guest/hooks run --rm --network=none busybox true
        [ "$(head -n 1 /home/guest/hooks/seen)" = 0 ]
        [ "$(sed -n 2p /home/guest/hooks/seen)" = "$(pod unshare readlink /proc/self/ns/user)" ]
        grep -q config.json /home/guest/hooks/seen
        rm -rf /home/guest/hooks
}

@test "an image is built with the runtime" {
        printf 'FROM busybox\nRUN echo built >/made && id -u\n' >/home/guest/Containerfile
        chmod 644 /home/guest/Containerfile
        run -0 pod build --isolation oci --network none -q -t made -f Containerfile .
        [ "$(pod_run --rm made cat /made)" = built ]
        as guest sh -c 'rm Containerfile'
}

@test "in a unit of the user's, with split groups: the unit is the one that counts" {
        # whatever the runtime
        [[ $(podman --version) != *" 4."* ]] || skip "needs podman 5: 4.3 leaves the unit for a scope of its own"
        as guest systemd-run --user -q --unit "split-$ID" -p Delegate=yes -p Type=notify -p NotifyAccess=all -p KillMode=mixed \
                podman --runtime "$RUNTIME" run --rm --name c --network none --cgroups=split --sdnotify=conmon -d busybox sh -c 'trap "exit 0" TERM; while :; do sleep 0.05; done'
        eventually user_has guest "split-$ID.service" ActiveState active
        pid=$(pod inspect -f '{{.State.Pid}}' c)
        [[ $(cat "/proc/$pid/cgroup") == *"split-$ID.service/"* ]]
        user_systemctl guest stop "split-$ID.service"
        eventually user_has guest "split-$ID.service" ActiveState inactive
}

@test "a quadlet of the user's runs with the runtime, in its own unit" {
        [ -x /usr/lib/systemd/user-generators/podman-user-generator ] || skip "podman-user-generator is missing (podman 4.3)"
        as guest mkdir -p .config/containers/systemd
        cat >"/home/guest/.config/containers/systemd/q.container" <<'END'
[Container]
Image=localhost/busybox
ContainerName=q
Network=none
GlobalArgs=--runtime unitrun
Exec=sh -c 'trap "exit 0" TERM; echo quadlet; while :; do sleep 0.05; done'
END
        user_systemctl guest daemon-reload
        user_systemctl guest start q.service
        [ "$(user_property guest q.service ActiveState)" = active ]
        pid=$(pod inspect -f '{{.State.Pid}}' q)
        [[ $(cat "/proc/$pid/cgroup") == *"/q.service/"* ]]
        [ "$(pod exec q echo inside)" = inside ]
        user_systemctl guest stop q.service
        [ "$(user_property guest q.service Result)" = success ]
        rm "/home/guest/.config/containers/systemd/q.container"
        user_systemctl guest daemon-reload
}

@test "many at once leave nothing" {
        for ((i = 0; i < 8; i++)); do
                pod_run --rm --name "m$i" busybox sh -c "exit $i" >/dev/null 2>&1 &
                pids[i]=$!
        done
        for ((i = 0; i < 8; i++)); do
                status=0
                wait "${pids[i]}" || status=$?
                [ $status -eq $i ]
        done
}
