#!/usr/bin/env bats
# ID-mapped mounts: whose mapping applies, to which mounts, and what is said when one can't be had.
# shellcheck disable=SC2016,SC2030,SC2031 # each test is a function

load helpers
load container

setup_file() {
        local source=$BATS_FILE_TMPDIR/fs
        mkdir "$source"
        # tmpfs can be mapped since Linux 6.3, ext4 since 5.12
        if ! printf '6.3\n%s\n' "$(uname -r)" | sort -CV || ! mount -t tmpfs -o mode=755 tmpfs "$source"; then
                truncate -s 64M "$source.image"
                mkfs.ext4 -q "$source.image" && mount -o loop "$source.image" "$source" || return 0
        fi
        chmod 755 "$BATS_FILE_TMPDIR" "$source"
        mkdir -p "$source/one" "$source/many" "$source/tree/sub"
        touch "$source/one/file" "$source/many/a" "$source/many/b" "$source/tree/top" "$source/tree/sub/covered"
        chown 100:211 "$source/many/a" "$source/tree/top"
        chown 101:222 "$source/many/b"
        mount --bind "$source/many" "$source/tree/sub"
        export SOURCE=$source
}

teardown_file() {
        [ -z "${SOURCE:-}" ] || umount -R "$SOURCE"
}

# mapping CONTAINER-ID HOST-ID SIZE …: a list for uidMappings
mapping() {
        local list=
        while [ $# -gt 0 ]; do
                list+=",{\"containerID\": $1, \"hostID\": $2, \"size\": $3}"
                shift 3
        done
        echo "[${list#,}]"
}

# mapped_mount DESTINATION NAME UIDS GIDS OPTION…: one more bind mount; "" for no mappings
mapped_mount() {
        [ -n "${SOURCE:-}" ] || skip "needs a file system that can be ID-mapped"
        local destination=$1 name=$2 uids=${3:-null} gids=${4:-null}
        shift 4
        cfg --arg d "$destination" --arg s "$SOURCE/$name" --argjson u "$uids" --argjson g "$gids" \
                --argjson o "$(json_list "$@")" \
                '.mounts += [{destination: $d, source: $s, options: $o}
                        + if $u then {uidMappings: $u, gidMappings: $g} else {} end]'
}

@test "a mount has the mapping that stands beside it" {
        local map
        map=$(mapping 0 100000 65536)
        mapped_mount /one one "$map" "$map" bind
        mapped_mount /plain one "" "" bind
        mapped_mount /many many "$(mapping 100 101000 1 101 102000 1)" "$(mapping 210 101100 10 220 102200 10)" bind
        inside 'stat -c "%u:%g" /one/file /plain/file /many/a /many/b; touch /one/new 2>&1; true'
        [ "${lines[*]:0:4}" = "100000:100000 0:0 101000:101101 102000:102202" ]
        # nobody of the mount's is root
        [[ $output == *"Value too large"* ]]

        in_user_namespace
        inside 'stat -c "%u:%g" /one/file /plain/file /many/a /many/b; touch /one/new && stat -c "%u:%g" /one/new'
        [ "${lines[*]}" = "0:0 65534:65534 1000:1101 2000:2202 0:0" ]
        [ "$(stat -c %u:%g "$SOURCE/one/new")" = 0:0 ]
        rm "$SOURCE/one/new"
}

@test "idmap is for the mount, ridmap for those below it too" {
        local uids gids option
        uids=$(mapping 100 1000 2) gids=$(mapping 211 2000 1 222 2001 1)
        for option in "" idmap ridmap; do
                mkbundle "$BUNDLE"
                mapped_mount /tree tree "$uids" "$gids" rbind rprivate ${option:+"$option"}
                inside 'stat -c "%u:%g" /tree/top /tree/sub/a /tree/sub/b'
                case $option in
                ridmap) [ "${lines[*]}" = "1000:2000 1000:2000 1001:2001" ] ;;
                *) [ "${lines[*]}" = "1000:2000 100:211 101:222" ] ;;
                esac
        done
        # as podman and crun write a mapping, here of the container's IDs
        in_user_namespace
        cfg '.mounts |= map(select(.destination != "/tree"))'
        mapped_mount /tree tree "" "" rbind "ridmap=uids=@100-7-2;gids=211-100008-1#222-100009-1"
        inside 'stat -c "%u:%g" /tree/top /tree/sub/a /tree/sub/b'
        [ "${lines[*]}" = "7:8 7:8 8:9" ]
}

@test "without mappings it is that of the container's user namespace, new or joined" {
        local option target
        in_user_namespace
        program sleep 600
        run_detached
        target=$(pid_of "$ID")
        for namespace in new joined; do
                for option in idmap ridmap; do
                        cfg '.mounts |= map(select(.destination != "/tree"))'
                        mapped_mount /tree tree "" "" rbind $option
                        script 'stat -c "%u:%g" /tree/top /tree/sub/a; touch /tree/new && rm /tree/new && echo written'
                        run -0 timeout -k 1 "$PATIENCE" "$RUNTIME" run --bundle "$BUNDLE" "$ID-2" </dev/null 3>&-
                        case $option in
                        idmap) [ "${lines[*]}" = "100:211 65534:65534 written" ] ;;
                        ridmap) [ "${lines[*]}" = "100:211 100:211 written" ] ;;
                        esac || { echo "$namespace $option: $output"; return 1; }
                done
                cfg --arg path "/proc/$target/ns/user" 'del(.linux.uidMappings, .linux.gidMappings)
                        | (.linux.namespaces[] | select(.type == "user")).path = $path'
        done
        "$RUNTIME" delete --force "$ID"
}

@test "an ID-mapped mount takes other options, many of them need no more open files" {
        local i
        in_user_namespace
        mapped_mount /shared one "" "" bind idmap shared nosuid ro
        for i in $(seq 20); do
                mapped_mount "/one$i" one "$(mapping 0 $((100000 + i)) 100)" "$(mapping 0 $((100000 + i)) 100)" bind
        done
        cfg '.process.rlimits = [{type: "RLIMIT_NOFILE", soft: 20, hard: 20}]'
        inside 'grep " /shared " /proc/self/mountinfo; stat -c %u /one1/file /one20/file; ls /proc/self/fd'
        [[ ${lines[0]} == *" ro,nosuid,"*shared:* ]]
        [ "${lines[*]:1:6}" = "1 20 0 1 2 3" ]
}

@test "a mapping that can't be had is refused with what is wrong" {
        # procfs is never mapped
        cfg --argjson map "$(mapping 0 1 1)" \
                '.mounts += [{destination: "/x", source: "/proc/sys", options: ["bind"], uidMappings: $map, gidMappings: $map}]'
        program true
        run_container -1
        [[ $output == *"mounts[7]: map the IDs of '/proc/sys' on '/x'"*"does the file system support"* ]]
        mkbundle "$BUNDLE" '.process.args = ["true"]'
        mapped_mount /one one "" "" bind idmap
        run_container -1
        [[ $output == *"mounts[7].options[1]: 'idmap' needs uidMappings and gidMappings beside it, or a user namespace"* ]]
        cfg '.mounts[-1].options[1] = "idmap=uids=0-1"'
        run_container -1
        [[ $output == *"mounts[7].options[1]: 'uids=0-1' is not a mapping"* ]]
        # ranges that no kernel takes
        cfg --argjson map "$(mapping 0 1 10 20 5 10)" '.mounts[-1] |= . + {options: ["bind"], uidMappings: $map, gidMappings: $map}'
        run_container -1
        [[ $output == *"mounts[7].uidMappings"* ]]
        cfg '.mounts[-1].uidMappings = [{containerID: 0, hostID: 1, size: 1}] | del(.mounts[-1].gidMappings)'
        run_container -1
        [[ $output == *"mounts[7].gidMappings: required beside uidMappings"* ]]
        assert_nothing_left "$ID"
}
