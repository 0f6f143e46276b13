# shellcheck shell=bash
# What has to be installed, the second Debian tree, and the build.

BUILD_PACKAGES=(gcc libc6-dev meson ninja-build pkg-config
        libsystemd-dev libseccomp-dev libjson-glib-dev libglib2.0-dev)
MACHINE_PACKAGES=(systemd dbus libpam-systemd iproute2 procps util-linux kmod busybox-static jq bats strace
        podman conmon crun netavark aardvark-dns iptables nftables uidmap catatonit)
# shellcheck disable=SC2034
QEMU_PACKAGES=(qemu-system-x86 kmod cpio xz-utils zstd busybox-static)
# only a tree of our own can have these without a thought of what they conflict with
TREE_PACKAGES=(systemd-sysv dbus-user-session runc slirp4netns passt fuse-overlayfs hyperfine less ca-certificates)

# need PACKAGE…: installs those that are missing
need() {
        local package missing=()
        for package; do
                [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
                        missing+=("$package")
        done
        [ ${#missing[@]} -gt 0 ] || return 0
        say "installing ${missing[*]}"
        (
                export DEBIAN_FRONTEND=noninteractive
                quietly "$RUN/apt-update.log" apt-get update -qq || say "apt-get update failed, trying all the same"
                quietly "$RUN/apt-install.log" apt-get install -y -qq --no-install-recommends \
                        -o DPkg::Lock::Timeout=300 "${missing[@]}"
        )
}

# need_machine_packages ROOT [PACKAGE…]: this system builds, and is the machine's tree too where ROOT is /
need_machine_packages() {
        local root=$1 program packages
        shift
        packages=("${BUILD_PACKAGES[@]}" "${MACHINE_PACKAGES[@]}" debhelper lintian "$@")
        command -v runc >/dev/null || packages+=(runc) # Docker's containerd.io brings its own and conflicts with Debian's
        # for checkpoint and restore; Debian 13 has none
        ! apt-cache show criu >/dev/null 2>&1 || packages+=(criu)
        need "${packages[@]}"
        for program in podman conmon bats jq busybox; do
                [ -x "$root/usr/bin/$program" ] || [ -x "$root/bin/$program" ] || die "$root has no $program"
        done
}

# second_tree: prints the tree with the other of the two systemd versions, made with mmdebstrap if need be
second_tree() {
        local suite=trixie tree packages
        [ "${UNITRUN_TEST_DEBIAN13:-1}" != 0 ] || return 1
        [ "$(tree_name /)" != debian13 ] || suite=bookworm
        packages=$(IFS=,; echo "${BUILD_PACKAGES[*]},${MACHINE_PACKAGES[*]},${TREE_PACKAGES[*]}")
        tree=$CACHE/$suite-$(md5sum <<<"$packages" | cut -c 1-8)
        mkdir -p "$CACHE"
        exec 8>"$CACHE/$suite.lock"
        flock -n 8 || { say "waiting for the Debian $suite tree that is being made"; flock 8; }
        if [ ! -d "$tree" ]; then
                need mmdebstrap
                say "making a Debian $suite tree, once (about 2 minutes)"
                rm -rf "$CACHE/$suite"-*
                if ! quietly "$CACHE/mmdebstrap.log" mmdebstrap --variant=minbase --include="$packages" \
                        "$suite" "$tree.new"; then
                        rm -rf "$tree.new"
                        say "no Debian $suite tree: the tests run on $(tree_name /) alone"
                        return 1
                fi
                mv "$tree.new" "$tree"
        fi
        exec 8>&-
        echo "$tree"
}

# in_tree ROOT COMMAND…: runs COMMAND in this source tree, with ROOT as the root directory (nothing else of it is written)
in_tree() {
        local root=$1
        shift
        if [ "$root" = / ]; then
                (cd "$TOP" && "$@")
        else
                unshare --mount --propagation private "$PARTS/in-tree" "$root" "$TOP" "$INSIDE" "$@"
        fi
}

# build ROOT: leaves the build directory's name in BUILD, the installed tree in STAGE. A tree without a compiler gets
# this system's build.
build() {
        local root=$1 options=(--prefix=/usr --libexecdir=libexec --buildtype=debugoptimized)
        [ -x "$root/usr/bin/meson" ] && [ -x "$root/usr/bin/gcc" ] || root=/
        BUILD=build-machine
        [ "$root" = / ] || BUILD=build-machine-$(tree_name "$root")
        STAGE=$TOP/$BUILD/stage
        [ "${CI:-}" != true ] || options+=(--werror)
        if [ ! -e "$TOP/meson.build" ]; then
                say "no meson.build here: the machine gets no unitrun"
                mkdir -p "$STAGE"
                return
        fi
        mkdir -p "$TOP/$BUILD"
        {
                flock 9
                if [ ! -e "$TOP/$BUILD/build.ninja" ]; then
                        say "configuring $BUILD"
                        quietly "$STAGE.log" in_tree "$root" meson setup "${options[@]}" "$BUILD"
                fi
                say "building $BUILD"
                quietly "$STAGE.log" in_tree "$root" ninja -C "$BUILD"
                rm -rf "$STAGE"
                mkdir "$STAGE"
                quietly "$STAGE.log" in_tree "$root" env DESTDIR="$(inside_path "$root")/$BUILD/stage" \
                        meson install -C "$BUILD" --no-rebuild
        } 9>"$STAGE.lock"
}

# inside_path ROOT: where in_tree's commands see this source tree
inside_path() {
        if [ "$1" = / ]; then echo "$TOP"; else echo "$INSIDE"; fi
}
