#!/usr/bin/env bats
# Unit properties from annotations, in crun's and runc's syntax: what is taken, what is refused, and that a refused one
# leaves nothing behind.
# shellcheck disable=SC2016,SC2030,SC2031 # each test is a function

load helpers
load container

# refused NAME VALUE: create fails with one line that names the annotation
refused() {
        cfg '.annotations = {}'
        property "$1" "$2"
        create -1 || { echo "for $1=$2"; return 1; }
        [[ $output == *"org.systemd.property.$1"* ]] || { echo "$1=$2: $output"; return 1; }
        [ "$(wc -l <"$ERR")" -eq 1 ] || { echo "more than a line for $1=$2: $output"; return 1; }
        unit_unknown "$UNIT"
}

@test "values are GVariant text or numbers, and seconds are turned into microseconds" {
        program sleep 100
        while IFS='|' read -r annotation value name shown; do
                cfg '.annotations = {}'
                property "$annotation" "$value"
                create || { echo "for $annotation=$value: $output"; return 1; }
                has_property "$UNIT" "$name" "$shown"
                "$RUNTIME" delete "$ID"
        done <<ACCEPTED
TimeoutStopUSec|uint64 123456789|TimeoutStopUSec|2min 3.456789s
TimeoutStopSec|2|TimeoutStopUSec|2s
TimeoutStopSec|uint64 2|TimeoutStopUSec|2s
RuntimeMaxSec|2|RuntimeMaxUSec|2s
RuntimeMaxSec|uint32 3|RuntimeMaxUSec|3s
RuntimeMaxUSec|uint64 1500000|RuntimeMaxUSec|1.500000s
CollectMode|'inactive-or-failed'|CollectMode|inactive-or-failed
CollectMode|"inactive"|CollectMode|inactive
KillSignal|3|KillSignal|3
KillSignal|int32 10|KillSignal|10
OOMPolicy|'kill'|OOMPolicy|kill
DefaultDependencies|true|DefaultDependencies|yes
Description|'a container'|Description|a container
ACCEPTED
}

@test "lists in either kind of quotes order the unit" {
        program sleep 100
        for value in "['dbus.service']" '["dbus.service", "basic.target"]'; do
                cfg '.annotations = {}'
                property After "$value"
                create
                [[ " $(property_of "$UNIT" After) " == *" dbus.service "* ]]
                "$RUNTIME" delete "$ID"
        done
}

@test "memory and tasks properties from annotations reach the unit" {
        requires memory pids
        program sleep 100
        property MemoryHigh "uint64 67108864"
        property TasksMax "uint64 77"
        create
        has_property "$UNIT" MemoryHigh 67108864
        has_property "$UNIT" TasksMax 77
}

@test "values that are no GVariant text are refused, each with one line that names the annotation" {
        program sleep 100
        for value in '' uint64 "'open" '[' 'uint64 1 2' 'true false' 99999999999999999999 '{' '@' "uint64 'x'"; do
                refused TimeoutStopUSec "$value"
        done
        refused RuntimeMaxSec true
        refused RuntimeMaxSec -1
        refused RuntimeMaxSec 99999999999999999
        assert_nothing_left "$ID"
}

@test "names that are none are refused" {
        program sleep 100
        for name in '' Sec USec x 'Bad Name' 'Memory.Max'; do
                refused "$name" "uint64 1"
        done
        assert_nothing_left "$ID"
}

@test "properties that run something or change who the container is on the host are refused by name" {
        program sleep 100
        for name in ExecStart ExecStartPre ExecStartPost ExecStopPost ExecStop ExecReload ExecCondition ExecStartPreEx; do
                refused "$name" "[('/bin/touch', ['touch', '/tmp/owned'], false)]"
        done
        for name in User Group RootDirectory WorkingDirectory PIDFile Type NotifyAccess Slice BusName RootImage \
                StandardOutput SELinuxContext AppArmorProfile; do
                refused "$name" "'/tmp/x'"
        done
        for name in OnFailure OnSuccess BindPaths BindReadOnlyPaths LoadCredential Environment EnvironmentFile \
                PassEnvironment SupplementaryGroups OpenFile Wants Requires; do
                refused "$name" "['x.service']"
        done
        refused Delegate false
        refused RemainAfterExit true
        [ ! -e /tmp/owned ]
        assert_nothing_left "$ID"
}

@test "a value of the wrong type is refused with systemd's reason" {
        program sleep 100
        refused TimeoutStopUSec "'soon'"
        refused CollectMode 3
        refused KillSignal "'TERM'"
        cfg '.annotations = {}'
        property CollectMode "'whenever'"
        create -1
        [[ $output == *"Invalid CollectMode"*whenever* ]]
        assert_nothing_left "$ID"
}
