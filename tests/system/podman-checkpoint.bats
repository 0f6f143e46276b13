#!/usr/bin/env bats
# podman container checkpoint and restore; under qemu, see checkpoint.bats.
# shellcheck disable=SC2016,SC2030,SC2031 # each test is a function

load helpers
load container
load podman

count() {
        podman_do exec "$1" cat /count
}

counted_beyond() {
        [ "$(count "$1")" -gt "$2" ]
}

@test "without criu podman says that the runtime does not support checkpoints" {
        ! command -v criu >/dev/null || ! criu check >/dev/null 2>&1 || skip "criu is installed, and works"
        podman_run --detach --name "$ID" busybox sleep 1000 >/dev/null
        run ! podman_do container checkpoint "$ID"
        [ "$(podman_do inspect --format '{{.State.Status}}' "$ID")" = running ]
}

# bats test_tags=qemu
@test "podman checkpoints a container and restores it, also from an archive under another name" {
        needs_criu
        podman_run --detach --name "$ID" busybox sh -c 'i=0; while :; do i=$((i + 1)); echo $i >/count; sleep 0.1; done' >/dev/null
        eventually counted_beyond "$ID" 3
        before=$(count "$ID")
        podman_do container checkpoint "$ID"
        [ "$(podman_do inspect --format '{{.State.Status}}' "$ID")" = exited ]
        podman_do container restore "$ID"
        [ "$(podman_do inspect --format '{{.State.Status}}' "$ID")" = running ]
        eventually counted_beyond "$ID" "$before"
        cid=$(podman_do inspect --format '{{.Id}}' "$ID")
        unit_is "libpod-$cid.service" active
        podman_do container checkpoint --export "$BATS_TEST_TMPDIR/archive.tar.gz" "$ID"
        podman_do container restore --import "$BATS_TEST_TMPDIR/archive.tar.gz" --name "$ID-other"
        eventually counted_beyond "$ID-other" "$before"
        podman_do stop -t 1 "$ID-other"
        podman_do start "$ID"
        [ "$(podman_do inspect --format '{{.State.Status}}' "$ID")" = running ]
}
