#!/usr/bin/env bats
# What people do with podman every day beyond run and stop: images that are built, pods from a file, restarts.
# shellcheck disable=SC2016,SC2030,SC2031 # each test is a function

load helpers
load container
load podman

@test "podman builds an image with RUN steps" {
        mkdir "$BATS_TEST_TMPDIR/context"
        printf '%s\n' 'FROM busybox' 'RUN echo built >/made && test "$(id -u)" = 0' 'USER 1000' 'RUN test "$(id -u)" = 1000' \
                'CMD cat /made' >"$BATS_TEST_TMPDIR/context/Containerfile"
        podman_do build --network=none --tag "$ID" "$BATS_TEST_TMPDIR/context"
        run -0 podman_run --rm "$ID"
        [ "$output" = built ]
        # a step that fails is a build that fails, and leaves nothing that runs
        printf '%s\n' 'FROM busybox' 'RUN exit 3' >"$BATS_TEST_TMPDIR/context/Containerfile"
        run ! podman_do build --network=none "$BATS_TEST_TMPDIR/context"
        [[ $output == *3* ]]
        podman_do rmi "$ID" >/dev/null
}

@test "podman plays a pod from a file, and takes it down" {
        cat >"$BATS_TEST_TMPDIR/pod.yaml" <<'YAML'
apiVersion: v1
kind: Pod
metadata: {name: played}
spec:
  hostNetwork: true
  containers:
  - name: one
    image: localhost/busybox
    command: [sh, -c, "trap 'exit 0' TERM; while :; do sleep 0.1; done"]
  - name: two
    image: localhost/busybox
    command: [sh, -c, "trap 'exit 0' TERM; while :; do sleep 0.1; done"]
YAML
        podman_do play kube "$BATS_TEST_TMPDIR/pod.yaml" >/dev/null
        [ "$(systemctl list-units --plain --no-legend --state=active 'libpod-*.service' | wc -l)" -ge 3 ]
        podman_do exec played-two true
        podman_do play kube --down "$BATS_TEST_TMPDIR/pod.yaml" >/dev/null
        [ -z "$(podman_do ps --all --quiet)" ]
}

@test "podman starts a container again that has failed, as often as it is told" {
        podman_run --detach --name "$ID" --restart=on-failure:3 busybox sh -c 'exit 1' >/dev/null
        restarted() { [ "$(podman_do inspect --format '{{.RestartCount}} {{.State.Status}}' "$ID")" = "3 exited" ]; }
        eventually 30 restarted
        [ "$(podman_do inspect --format '{{.State.ExitCode}}' "$ID")" = 1 ]
        podman_do events --stream=false --since 1m --filter "container=$ID" --format '{{.Status}}' >"$BATS_TEST_TMPDIR/events"
        [ "$(grep -c '^start$' "$BATS_TEST_TMPDIR/events")" -eq 4 ]
        [ "$(grep -c '^died$' "$BATS_TEST_TMPDIR/events")" -eq 4 ]
}

@test "a quadlet runs with the runtime, in its own unit, and is restarted as it says" {
        [ -x /usr/lib/systemd/system-generators/podman-system-generator ] || skip "podman-system-generator is missing (podman 4.3)"
        mkdir -p /etc/containers/systemd
        cat >/etc/containers/systemd/q.container <<'END'
[Container]
Image=localhost/busybox
ContainerName=q
Network=none
GlobalArgs=--runtime unitrun
Exec=sh -c 'trap "exit 0" TERM; echo quadlet; while :; do sleep 0.05; done'
[Service]
Restart=always
RestartSec=0
END
        systemctl daemon-reload
        systemctl start q.service
        pid=$(podman_do inspect -f '{{.State.Pid}}' q)
        [[ $(cat "/proc/$pid/cgroup") == *"/q.service/"* ]]
        kill -9 "$pid"
        back() { [ "$(property_of q.service NRestarts)" -ge 1 ] && [ "$(property_of q.service ActiveState)" = active ] && [ "$(podman_do exec q echo inside)" = inside ]; }
        eventually back
        systemctl stop q.service
        rm /etc/containers/systemd/q.container
        systemctl daemon-reload
}
