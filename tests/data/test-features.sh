#!/bin/bash
# shellcheck disable=SC2317 # functions that check calls
# test-features.sh UNITRUN SCHEMAS: what `unitrun features` prints fits the spec's schema, and is complete.
set -u
UNITRUN=$1 SCHEMAS=$2

. "$(dirname "$0")/tap.bash"

ERRORS=$(mktemp)
trap 'rm -f "$ERRORS"' EXIT
# holds FILTER: it is true of the document
holds() {
        jq -e "$1" <<<"$document" >/dev/null
}

# neither root's nor systemd's: an engine asks before it has anything
document=$(env -i "$UNITRUN" features 2>"$ERRORS")
check "features needs no environment" test -n "$document"
check "nothing is on standard error" test ! -s "$ERRORS"
check "it is one JSON object" holds '[., inputs] | length == 1 and (.[0] | type == "object")'

# words DEFINITION: the values that the schema allows
words() {
        jq -c --arg name "$1" '.definitions[$name].enum | sort' "$SCHEMAS/defs-linux.json"
}

# is FILTER: what it finds in the document
is() {
        jq -c "$1" <<<"$document"
}

check "the versions are there" holds '.ociVersionMin == "1.0.0" and .ociVersionMax == "1.3.0"'
check "all kinds of hooks are there" test \
        "$(is .hooks)" = '["prestart","createRuntime","createContainer","startContainer","poststart","poststop"]'
check "all namespaces are there" test "$(is '.linux.namespaces | sort')" = "$(words NamespaceType)"
check "all seccomp actions are there" test "$(is '.linux.seccomp.actions | sort')" = "$(words SeccompAction)"
check "all seccomp operators are there" test "$(is '.linux.seccomp.operators | sort')" = "$(words SeccompOperators)"
check "all seccomp flags are known" test "$(is '.linux.seccomp.knownFlags | sort')" = "$(words SeccompFlag)"
check "the kernel's flags are among them" holds \
        '.linux.seccomp | (.supportedFlags | index("SECCOMP_FILTER_FLAG_LOG")) and .supportedFlags - .knownFlags == []'
check "no architecture is made up" test \
        "$(jq -c --argjson allowed "$(words SeccompArch)" '.linux.seccomp.archs - $allowed' <<<"$document")" = '[]'
check "the usual architectures are there" holds \
        '["SCMP_ARCH_X86_64", "SCMP_ARCH_X86", "SCMP_ARCH_AARCH64", "SCMP_ARCH_ARM"] - .linux.seccomp.archs == []'
check "capabilities are named as the spec has it" holds \
        '.linux.capabilities | length > 40 and all(test("^CAP_[A-Z_]+$"))'
check "recursive and ID-mapped mounts are offered" holds \
        '["rro", "rbind", "idmap", "ridmap", "tmpcopyup"] - .mountOptions == [] and .linux.mountExtensions.idmap.enabled'
check "control groups are those of systemd and version 2" holds \
        '.linux.cgroup | .v2 and .systemd and (.v1 | not)'
check "annotations that change the unit are called unsafe" holds \
        '.potentiallyUnsafeConfigAnnotations | index("org.systemd.property.")'
check "annotations are strings" holds '.annotations | all(.[]; type == "string")'

# Properties of newer texts of the spec than the schema.
newer='["intelRdt.schemata", "intelRdt.monitoring", "memoryPolicy", "memoryPolicy.modes", "memoryPolicy.flags"]'
allowed=$(jq -c 'def properties($at): (.properties // {}) | to_entries[] | ($at + .key) as $path | $path, (.value | properties($path + "."));
        [.linux | properties("")]' "$SCHEMAS/features-linux.json")
check "no property of linux is made up" test "$(jq -c --argjson allowed "$allowed" --argjson newer "$newer" \
        '[.linux | paths | map(select(type == "string")) | join(".")] | unique - $allowed - $newer' <<<"$document")" = '[]'
check "every property of linux is there" test "$(jq -c --argjson allowed "$allowed" \
        '$allowed - [.linux | paths | map(select(type == "string")) | join(".")]' <<<"$document")" = '[]'
check "no other property is made up, and none is missing" test \
        "$(is 'keys')" = "$(jq -c '.properties | keys' "$SCHEMAS/features-schema.json")"
finish
