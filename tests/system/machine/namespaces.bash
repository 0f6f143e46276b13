# shellcheck shell=bash
# Machines made of namespaces: a Debian tree's own systemd is PID 1 of a fresh set of them, on a cgroup v2 subtree of
# its own. Its root is an overlay whose upper layer is a tmpfs that nobody outside sees, so ending the machine's
# processes leaves nothing to undo but empty cgroups.

# cgroup_mount: where this system has cgroup v2, mounting it if need be
cgroup_mount() {
        local dir
        dir=$(findmnt -nt cgroup2 -o TARGET | head -n 1)
        if [ -z "$dir" ]; then
                dir=$RUN/cgroup
                mkdir -p "$dir"
                mount -t cgroup2 cgroup2 "$dir"
        fi
        echo "$dir"
}

machine_cgroup() {
        echo "$(cgroup_mount)/unitrun-test-$1"
}

machine_root() {
        cat "$RUN/$1/root" 2>/dev/null || die "no machine $1"
}

machine_pid() {
        head -n 1 "$(machine_cgroup "$1")/init.scope/cgroup.procs" 2>/dev/null
}

# machine_enter NAME COMMAND…: COMMAND sees all of the machine but stays in this script's cgroup
machine_enter() {
        local pid
        pid=$(machine_pid "$1")
        [ -n "$pid" ] || return 125
        shift
        (cd / && exec env -i HOME=/root TERM="${TERM:-dumb}" LANG=C.UTF-8 \
                PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
                nsenter -t "$pid" -m -u -i -n -p -C --wdns=/ -- "$@")
}

# machine_exec NAME COMMAND…: COMMAND is a service of the machine, as what moves processes into units has to be
machine_exec() {
        local name=$1 stdio=--pipe
        shift
        [ -d "$RUN/$name" ] || die "no machine $name"
        if [ -t 0 ] && [ -t 1 ]; then stdio=--pty; fi
        machine_enter "$name" systemd-run --quiet --wait --collect --service-type=exec $stdio \
                -E "UNITRUN_ROUNDS=${UNITRUN_ROUNDS:-}" \
                -E HOME=/root -E "TERM=${TERM:-dumb}" -E LANG=C.UTF-8 -E "MACHINE=$name, $(tree_name "$(machine_root "$name")")" \
                -E PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin -- "$@"
}

machine_boot() {
        local name=$1 root=$2 cgroup controllers controller state
        cgroup=$(machine_cgroup "$name")
        sweep_machines
        [ ! -d "$RUN/$name" ] || die "machine $name is up already"
        say "booting $name, $(tree_name "$root") in namespaces"
        mkdir -p "$RUN/$name/mnt"
        echo "$root" >"$RUN/$name/root"
        case $name in "$OWN_PREFIX"*) echo $$ >"$RUN/$name/owner" ;; esac
        mkdir "$cgroup"
        read -ra controllers <"$(cgroup_mount)/cgroup.controllers" || true
        for controller in "${controllers[@]}"; do
                echo "+$controller" >"$(cgroup_mount)/cgroup.subtree_control" 2>/dev/null || true
        done
        # The new PID 1 goes into the cgroup before it takes that for the root of its cgroup namespace. unshare itself
        # stays outside: a process in the machine's root cgroup would keep systemd from enabling controllers.
        # shellcheck disable=SC2016
        setsid unshare --mount --uts --ipc --net --pid --fork --kill-child \
                sh -c 'echo 0 >"$0/cgroup.procs" && exec unshare --cgroup "$@"' "$cgroup" \
                "$PARTS/boot-namespaces" "$root" "$RUN/$name/mnt" "$TOP" "$INSIDE" "$name" \
                >"$RUN/$name/console" 2>&1 </dev/null &
        disown # its end by machine_halt is no news
        for _ in $(seq 300); do
                state=$(machine_enter "$name" systemctl is-system-running 2>/dev/null) || true
                case $state in
                running | degraded)
                        machine_enter "$name" "$INSIDE/tests/system/machine/prepare"
                        return
                        ;;
                esac
                sleep 0.1
        done
        cat "$RUN/$name/console" >&2
        machine_halt "$name"
        die "machine $name did not come up (systemd says: ${state:-nothing})"
}

# machine_install NAME STAGE: copies what `meson install` put into STAGE
machine_install() {
        [ -d "$RUN/$1" ] || die "no machine $1"
        flock "$2.lock" tar -C "$2" --owner=0 --group=0 -c . |
                machine_enter "$1" tar -C / --keep-directory-symlink -x
        machine_enter "$1" systemctl daemon-reload
}

machine_halt() {
        local cgroup
        [ ! -e "$RUN/$1/qemu-pid" ] || kill "$(cat "$RUN/$1/qemu-pid")" 2>/dev/null || true
        cgroup=$(machine_cgroup "$1")
        [ ! -e "$cgroup/cgroup.kill" ] || echo 1 >"$cgroup/cgroup.kill"
        for _ in $(seq 100); do
                find "$cgroup" -depth -type d -exec rmdir {} + 2>/dev/null || true
                [ -d "$cgroup" ] || break
                sleep 0.1
        done
        rm -rf "${RUN:?}/$1"
}

machine_list() {
        local file name
        for file in "$RUN"/*/root; do
                [ -e "$file" ] || continue
                name=$(basename "$(dirname "$file")")
                printf '%-20s PID %-8s %s\n' "$name" "$(machine_pid "$name")" "$(cat "$file")"
        done
}

# end_own_machines: what fresh_machine booted
end_own_machines() {
        local dir
        for dir in "$RUN/$OWN_PREFIX"*; do
                [ ! -d "$dir" ] || machine_halt "$(basename "$dir")"
        done
}

# sweep_machines: those of a script that was killed before it could end them
sweep_machines() {
        local file
        for file in "$RUN"/*/owner; do
                [ ! -e "$file" ] || kill -0 "$(cat "$file")" 2>/dev/null || machine_halt "$(basename "$(dirname "$file")")"
        done
}
