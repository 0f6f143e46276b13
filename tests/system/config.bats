#!/usr/bin/env bats
# Reading config.json: what is no config, what a version is, what is ignored, and what is nearly right.
# shellcheck disable=SC2016,SC2030,SC2031 # each test is a function

load helpers
load container

# refused TEXT…: create fails with one line that has each TEXT, and leaves nothing
refused() {
        local text
        launch -1 "$RUNTIME" create -b "$BUNDLE" "$ID"
        [ ! -s "$OUT" ] || { echo "on stdout:"; cat "$OUT"; return 1; }
        [ "$(wc -l <"$ERR")" -eq 1 ] || { echo "not one line: $output"; return 1; }
        [ "$(wc -c <"$ERR")" -lt 600 ] || { echo "too long: $output"; return 1; }
        for text; do
                [[ $output == *"$text"* ]] || { echo "no '$text' in: $output"; return 1; }
        done
        [ ! -e "/run/unitrun/$ID" ]
}

@test "every 1.x is a version, a draft of 1.0 is with a warning, anything else is an error" {
        program true
        for version in 1.0.0 1.0.2-dev 1.2.1 1.3.0 1.99.0+x; do
                cfg --arg version "$version" '.ociVersion = $version'
                run_container
                [ -z "$output" ] || { echo "$version: $output"; return 1; }
        done
        cfg '.ociVersion = "0.5.0-dev"'
        run_container
        [[ $output == *warning*ociVersion*0.5.0-dev* ]]
        for version in '""' '"abc"' '"1"' '"1.3"' '"2.0.0"' null 17; do
                cfg --argjson version "$version" '.ociVersion = $version'
                refused "config.json: ociVersion: "
        done
        cfg 'del(.ociVersion)'
        refused "config.json: ociVersion: required, but missing"
}

@test "what is no text of a config is an error of one line that says where, in little time and memory" {
        local original config=$BUNDLE/config.json size
        original=$(cat "$config")
        ulimit -v 600000 # KiB; of the front end and this shell
        while IFS='|' read -r text error; do
                printf '%b' "$text" >"$config"
                refused "$error" || { echo "for $text"; return 1; }
        done <<'TEXTS'
|config.json: line 1, column 1: the text is empty
{|config.json: line 1, column 2: the text ends
{} x|config.json: line 1, column 4: 'x' where the end
[]|config.json: an object is expected, not an array
null|config.json: an object is expected, not null
\xef\xbb\xbf{}|config.json: line 1, column 1: a byte order mark
{"a":"\xc3\x28"}|config.json: line 1, column 7: not valid UTF-8
{"a":"\\u0000"}|config.json: line 1, column 9: a NUL character
{"a":1,\n"a":2}|config.json: line 2, column 1: the property 'a' stands here a second time
{"a":\0001}|config.json: line 1, column 6:
{"ociVersion":"1.3.0","root":{"path":"rootfs","readonly":1e999999999}}|config.json: root.readonly: true or false is expected
TEXTS
        head -c 100000 /dev/zero | tr '\0' '[' >"$config"
        refused "config.json: line 1, column 65: nested more than 64 levels deep"
        jq '.process.oomScoreAdj = 123456789' <<<"$original" | sed "s/123456789/$(printf '1%.0s' {1..5000})/" >"$config"
        refused "config.json: process.oomScoreAdj: 1111" "out of range (-1000 to 1000)"
        for size in 100M 1T; do # sparse
                truncate -s $size "$config"
                refused "config.json: larger than 16 MiB"
        done
        rm "$config"
        refused "config.json: No such file or directory"
}

@test "what a config or a hook says makes no lines of its own in errors and warnings" {
        cfg '.linux.seccomp = {defaultAction: "SCMP_ACT_ALLOW\nunitrun: all is well\u001b[2J"}'
        refused 'SCMP_ACT_ALLOW\u000aunitrun: all is well\u001b[2J'
        cfg 'del(.linux.seccomp) | .mounts += [{destination: "/mnt\nx", type: "nosuch\nfs"}]'
        refused '/mnt\u000ax'
        cfg 'del(.mounts[-1]) | .process.capabilities.bounding += ["CAP_\n1"]'
        program true
        run_container
        [ "${#lines[@]}" -eq 1 ]
        [[ $output == *'CAP_\u000a1'* ]]
        hook createRuntime 'printf "one\ntwo\n" >&2; exit 1'
        launch -1 "$RUNTIME" create -b "$BUNDLE" "$ID"
        [ "$(wc -l <"$ERR")" -eq 2 ] # the warning and the error
        # however long a value is, the error is not
        cfg 'del(.hooks) | .process.capabilities.bounding |= .[:1] | .linux.seccomp = {defaultAction: ("A" * 100000)}'
        launch -1 "$RUNTIME" create -b "$BUNDLE" "$ID"
        [ "$(wc -c <"$ERR")" -lt 3000 ]
}

@test "what is no file at all is an error, and is not waited for" {
        local config=$BUNDLE/config.json
        rm "$config"; mkfifo "$config"
        refused "config.json: not a regular file"
        rm "$config"; mkdir "$config"
        refused "config.json: not a regular file"
        rmdir "$config"; ln -s /dev/zero "$config"
        refused "config.json: not a regular file"
        ln -sf /dev/tty "$config"
        refused "config.json"
        ln -sf config.json "$config"
        refused "config.json: Too many levels of symbolic links"
}

@test "what is wrong in a config is found before systemd is asked for anything" {
        local original
        original=$(cat "$BUNDLE/config.json")
        while IFS='|' read -r filter error; do
                jq "$filter" <<<"$original" >"$BUNDLE/config.json"
                refused "config.json: $error"
        done <<'WRONG'
.linux.seccomp = {defaultAction: "SCMP_ACT_ALOW"}|linux.seccomp.defaultAction: 'SCMP_ACT_ALOW'
.linux.namespaces[0].path = "/etc/passwd"|linux.namespaces[0].path: '/etc/passwd'
.mounts += [{destination: "/x"}]|mounts[
.linux.sysctl = {"kernel.panic": "1"}|linux.sysctl: 'kernel.panic'
.process.args = []|process.args: empty
.linux.resources.memory.swappiness = 1|linux.resources.memory.swappiness
.annotations["org.systemd.property.ExecStart"] = "x"|annotations.org.systemd.property.ExecStart
WRONG
        ! journal_has "$ID" _PID=1
}

@test "unknown properties and other platforms' sections are ignored, whatever they hold" {
        cfg '.unknown = {a: [null]} | .process.unknown = 1 | .linux.resources.unknown = -1 | .solaris = {milestone: 1}
                | .windows = [] | .vm = {hypervisor: {path: "x"}} | .zos = "x" | .freebsd = {jail: {vnet: "disable"}}
                | .process.commandLine = "x" | .process.user.username = "nobody" | .annotations["org.example.unknown"] = ""'
        script 'id -u'
        run_container
        [ "$output" = 0 ]
}

@test "a relative destination starts at the root, with a warning" {
        cfg '.mounts += [{destination: "../mnt/./x", type: "tmpfs", source: "relative"}]'
        script 'grep " /mnt/x " /proc/mounts'
        run_container
        [[ ${lines[0]} == *"warning: mounts["*"].destination: '../mnt/./x' is not an absolute path"*"'/mnt/x'" ]]
        [[ ${lines[1]} == "relative /mnt/x tmpfs "* ]]
        cfg '.mounts[-1].destination = ""'
        refused "].destination: '' is empty"
}

@test "words that are no mount options are for the filesystem, which says no by name, or for nobody" {
        # "acl" is no flag of mount(2), though some took it for one
        cfg '.mounts += [{destination: "/mnt", type: "tmpfs", source: "x", options: ["acl", "size=8k"]}]'
        refused "'/mnt'" acl
        cfg '.mounts[-1] = {destination: "/mnt", type: "none", source: "/etc", options: ["bind", "nosuchopt"]}'
        script 'ls /mnt/passwd'
        run_container
        [[ ${lines[0]} == *"warning: "*"'nosuchopt' means nothing to a bind mount, ignoring" ]]
        [ "${lines[1]}" = /mnt/passwd ]
        # the type alone makes a bind mount too
        cfg '.mounts[-1] = {destination: "/mnt", type: "bind", source: "/etc"}'
        run_container
        [ "$output" = /mnt/passwd ]
}

@test "kernel settings may be spelled with slashes, and have the values that engines write" {
        cfg '.linux.sysctl = {"net/ipv4/ip_forward": "1", "net.ipv4.ping_group_range": "0 4294967294",
                "net/ipv4/conf/lo/forwarding": "1"}'
        script 'cd /proc/sys/net/ipv4; cat ip_forward conf/lo/forwarding'
        was=$(cat /proc/sys/net/ipv4/{ip_forward,ping_group_range,conf/lo/forwarding})
        # the kernel has the last word: more than 2^31 - 1 was too much for it once, and is an error that names the setting
        if run_container; then
                [ "$(xargs <<<"$output")" = "1 1" ]
        else
                launch -1 "$RUNTIME" create -b "$BUNDLE" "$ID"
                [[ $output == *net.ipv4.ping_group_range* ]]
        fi
        [ "$(cat /proc/sys/net/ipv4/{ip_forward,ping_group_range,conf/lo/forwarding})" = "$was" ]
}

@test "a capability that the caller lacks is a warning, and not granted" {
        cfg '.process.capabilities = ({bounding: ["CAP_KILL", "CAP_SYS_BOOT"]} | .permitted = .bounding | .effective = .bounding)'
        script 'grep CapPrm /proc/self/status | cut -f 2'
        launch -0 setpriv --bounding-set -sys_boot "$RUNTIME" run -b "$BUNDLE" "$ID"
        [[ $output == *"warning: process.capabilities: CAP_SYS_BOOT can't be granted"* ]]
        [ "$(cat "$OUT")" = 0000000000000020 ]
}
