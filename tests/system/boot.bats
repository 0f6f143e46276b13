#!/usr/bin/env bats
# A system that boots with .container files in place. It is itself a container here, of this machine's own root and systemd.
# shellcheck disable=SC2016,SC2030,SC2031,SC2086 # each test is a function

load helpers
load container

# system: $ROOT, this system's files, to be changed at will; $BUNDLE is it as a container
system() {
        ROOT=$BATS_TEST_TMPDIR/root
        mkdir -p "$ROOT" "$BATS_TEST_TMPDIR/upper" "$BATS_TEST_TMPDIR/work"
        mount -t overlay -o "lowerdir=/,upperdir=$BATS_TEST_TMPDIR/upper,workdir=$BATS_TEST_TMPDIR/work" system "$ROOT"
        mount --make-private "$ROOT"
        sh "$BATS_TEST_DIRNAME/machine/plain-system" "$ROOT" inner
        mkdir -p "$ROOT/srv" "$ROOT/etc/unitrun/containers"
        cp -a /tmp/rfs "$ROOT/srv/rootfs"
        rm -rf "$ROOT/etc/systemd/system/unitrun"*
        cfg --argjson names "$("$RUNTIME" features | jq -c .linux.capabilities)" --arg root "$ROOT" \
                '.root = {path: $root, readonly: false} | .process.args = ["/lib/systemd/systemd", "--log-target=journal"] | .process.env += ["container=unitrun"]
                | .process.noNewPrivileges = false | .process.capabilities = {bounding: $names, effective: $names, permitted: $names} | .process.rlimits = []
                | del(.linux.maskedPaths) | del(.linux.readonlyPaths) | del(.linux.seccomp) | (.mounts[] | select(.type == "cgroup")).options = ["rw", "nosuid", "nodev", "noexec"]
                | .mounts += [{destination: "/run", type: "tmpfs", source: "tmpfs", options: ["mode=755"]}, {destination: "/tmp", type: "tmpfs", source: "tmpfs"}]'
        annotate org.opencontainers.image.stopSignal SIGRTMIN+3
}

teardown() {
        [ -n "${BATS_TEST_COMPLETED:-}" ] || { inner journalctl -b --no-pager -n 60 | sed 's/^/  /'; show_failure; }
        "$RUNTIME" delete --force "$ID" || true
        umount -l "$BATS_TEST_TMPDIR/root" 2>/dev/null || true
        assert_nothing_left "$ID"
}

# inner COMMAND…: in that system
inner() {
        timeout -k 1 "$PATIENCE" "$RUNTIME" exec --env PATH=/usr/sbin:/usr/bin:/sbin:/bin "$ID" "$@" </dev/null 3>&-
}

is_up() {
        [ "$(inner systemctl is-active "$1")" = active ]
}

@test "services of .container files are up after the boot, in their order, whatever else is wrong" {
        system
        cat >"$ROOT/etc/unitrun/containers/db.container" <<'END'
[Container]
Rootfs=/srv/rootfs
Exec=sh -c 'trap "exit 0" TERM; echo db up; while :; do sleep 0.1; done'
[Install]
WantedBy=multi-user.target
END
        cat >"$ROOT/etc/unitrun/containers/web.container" <<'END'
[Unit]
After=db.service
Requires=db.service
[Container]
Rootfs=/srv/rootfs
Network=db.container
Exec=sh -c 'trap "exit 0" TERM; echo web up; while :; do sleep 0.1; done'
[Service]
Restart=always
[Install]
WantedBy=multi-user.target
END
        printf '[Container]\nBundel=/x\n[Install]\nWantedBy=multi-user.target\n' >"$ROOT/etc/unitrun/containers/bad.container"
        printf '[Container]\nRootfs=/srv/rootfs\nExec=/no/such\n[Install]\nWantedBy=multi-user.target\n' >"$ROOT/etc/unitrun/containers/broken.container"
        printf '[Container]\nRootfs=/srv/rootfs\nExec=sleep 1000\n' >"$ROOT/etc/unitrun/containers/idle.container"
        run_detached
        eventually is_up multi-user.target
        eventually is_up web.service
        [ "$(inner systemctl is-active db.service)" = active ]
        [ "$(inner systemctl is-failed broken.service)" = failed ]
        [ "$(inner systemctl is-active idle.service || true)" = inactive ]
        [ "$(inner systemctl show -P LoadState bad.service)" = not-found ]
        [ "$(inner systemctl show -P ActiveEnterTimestampMonotonic db.service)" -lt "$(inner systemctl show -P ActiveEnterTimestampMonotonic web.service)" ]
        [ "$(inner "$RUNTIME" list -q | xargs)" = "db web" ]
        # an upgrade while they run: other programs under the same names
        before=$(inner systemctl show -P MainPID web.service)
        for file in "$ROOT"/usr/libexec/unitrun/* "$ROOT/usr/bin/unitrun"; do
                cp "$file" "$file.new"
                mv "$file.new" "$file"
        done
        inner systemctl daemon-reexec
        [ "$(inner systemctl show -P MainPID web.service)" = "$before" ]
        [ "$(inner "$RUNTIME" exec web echo inside)" = inside ]
        inner systemctl restart web.service
        eventually is_up web.service
        # and the way down
        "$RUNTIME" kill "$ID" RTMIN+3
        eventually has_status "$ID" stopped
}
