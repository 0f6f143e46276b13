# shellcheck shell=bash
# Machines under qemu, with Debian's kernel and all cgroup v2 controllers, for what namespaces can't give. They boot a
# Debian tree shared read-only over 9p, under a tmpfs; where there is no KVM the CPU is emulated, so they are slow.

# qemu_kernel: prints a directory with vmlinuz, initrd.gz and modules/, made once for each version of the kernel
qemu_kernel() {
        local package version dir new
        need "${QEMU_PACKAGES[@]}"
        [ -n "$(kernel_package)" ] || quietly "$RUN/apt-update.log" apt-get update -qq || true
        package=$(kernel_package)
        if [ -z "$package" ]; then
                # without a package list, what was made before will do
                dir=$(compgen -G "$CACHE/linux-image-*/initrd.gz" | tail -n 1)
                [ -n "$dir" ] || { say "no kernel package to be found"; return 1; }
                dirname "$dir"
                return
        fi
        dir=$CACHE/$package-$(cat "$PARTS"/initramfs-{init,modules} | md5sum | cut -c 1-8)
        mkdir -p "$CACHE"
        exec 8>"$CACHE/kernel.lock"
        flock 8
        if [ ! -e "$dir/initrd.gz" ]; then
                say "fetching $package for qemu, once"
                new=$dir.new
                rm -rf "$new"
                mkdir -p "$new"/{i/bin,i/mods,r}
                (cd "$new" && chmod 777 . && quietly "$RUN/kernel.log" apt-get download -qq "$package" && dpkg -x ./*.deb r && rm ./*.deb && chmod 755 .)
                # merged /usr or not, depending on the suite
                mv "$new"/r/{,usr/}lib "$new" 2>/dev/null || true
                version=$(basename "$new"/lib/modules/*)
                mv "$new/r/boot/vmlinuz-$version" "$new/vmlinuz"
                rm -rf "$new/r" "$new/lib/modules/$version/kernel"/{sound,drivers/{gpu,media,net/wireless,net/ethernet,infiniband,iio,usb,staging}}
                depmod -b "$new" "$version"
                initramfs "$new" "$version"
                rm -rf "$new/i"
                mv "$new" "$dir"
        fi
        exec 8>&-
        echo "$dir"
}

kernel_package() {
        apt-cache depends "linux-image-$(dpkg --print-architecture)" 2>/dev/null | sed -n 's/.*Depends: \(linux-image-.*\)/\1/p' | head -n 1
}

# initramfs DIR VERSION: busybox, and the modules that its init loads in the order of their names
initramfs() {
        local module file number=100
        cp "$(command -v busybox)" "$1/i/bin/busybox"
        cp "$PARTS/initramfs-init" "$1/i/init"
        # shellcheck disable=SC2013
        for module in $(cat "$PARTS/initramfs-modules"); do
                modprobe -d "$1" -S "$2" --show-depends "$module"
        done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' | while read -r file; do
                number=$((number + 1))
                case $file in
                *.xz) xz -dc "$file" ;;
                *.zst) zstd -dcq "$file" ;;
                *) cat "$file" ;;
                esac >"$1/i/mods/$number.ko"
        done
        (cd "$1/i" && find . | cpio -o -H newc --quiet | gzip -1) >"$1/initrd.gz"
}

# qemu_exec SECONDS ROOT INSTALLED COMMAND…: boots, installs, runs COMMAND as a service and ends, with COMMAND's exit
# status (124 if there is none after SECONDS). COMMAND's output comes as it is written.
qemu_exec() {
        local seconds=$1 root=$2 installed=$3 kernel share pid status
        local accel=(-accel "tcg,thread=multi" -cpu max)
        shift 3
        kernel=$(qemu_kernel) || return 1
        # a device alone says little: in some virtual machines there is one under which no ordinary kernel boots
        if [ -w /dev/kvm ] && grep -qwE 'vmx|svm' /proc/cpuinfo; then
                accel=(-accel kvm -cpu host)
        fi
        share=$(mktemp -d "$RUN/${OWN_PREFIX}qemu.XXXXXX")
        mkdir "$share/installed"
        [ ! -d "$installed" ] || cp -a "$installed/." "$share/installed"
        printf '%q ' "$@" >"$share/command"
        echo "qemu, $(tree_name "$root")" >"$share/name"
        touch "$share/out"
        say "booting $(tree_name "$root") under qemu"
        # -display none -serial file: nothing of the console gets into our output
        timeout "$seconds" qemu-system-x86_64 -M q35 "${accel[@]}" -smp 2 -m 2G -no-reboot -nodefaults -display none \
                -serial "file:$share/console" -kernel "$kernel/vmlinuz" -initrd "$kernel/initrd.gz" \
                -append "console=ttyS0 rw quiet mitigations=off systemd.show_status=0 systemd.unified_cgroup_hierarchy=1" \
                -virtfs "local,path=$root,security_model=none,mount_tag=root,readonly=on,multidevs=remap" \
                -virtfs "local,path=$TOP,security_model=none,mount_tag=checkout,readonly=on,multidevs=remap" \
                -virtfs "local,path=$kernel/lib/modules,security_model=none,mount_tag=modules,readonly=on,multidevs=remap" \
                -virtfs "local,path=$share,security_model=none,mount_tag=share,multidevs=remap" \
                >"$share/qemu" 2>&1 </dev/null &
        pid=$!
        echo "$pid" >"$share/qemu-pid"
        echo $$ >"$share/owner"
        tail -n +1 -f --pid="$pid" "$share/out"
        wait "$pid" || true
        status=$(cat "$share/status" 2>/dev/null) || status=124
        if [ "$status" = 124 ]; then
                echo "the machine under qemu ended without a result:" >&2
                tail -n 40 "$share/qemu" "$share/console" >&2
        fi
        rm -rf "$share"
        return "$status"
}
