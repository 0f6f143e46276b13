#!/usr/bin/env bats
# linux.intelRdt. No machine of these tests has such a CPU: a directory stands for the file system, so that what is
# written where can be seen, and not what the kernel makes of it.
# shellcheck disable=SC2016,SC2030,SC2031,SC2086 # each test is a function

load helpers
load container

# resctrl: the directory, as the kernel has it on a machine with one cache
resctrl() {
        UNITRUN_RESCTRL=$BATS_TEST_TMPDIR/resctrl
        export UNITRUN_RESCTRL
        mkdir -p "$UNITRUN_RESCTRL"/{info/L3,info/MB,mon_groups}
        printf 'L3:0=fffff\nMB:0=100\n' >"$UNITRUN_RESCTRL/schemata"
        : >"$UNITRUN_RESCTRL/tasks"
        echo fffff >"$UNITRUN_RESCTRL/info/L3/cbm_mask"
        echo 16 >"$UNITRUN_RESCTRL/info/L3/num_closids"
        echo 10 >"$UNITRUN_RESCTRL/info/MB/min_bandwidth"
        echo "mask f00000 is out of range" >"$UNITRUN_RESCTRL/info/last_cmd_status"
}

# group NAME [SCHEMATA]: one that an administrator has made, with the files that the kernel puts there
group() {
        mkdir -p "$UNITRUN_RESCTRL/$1/mon_groups" "$UNITRUN_RESCTRL/$1/mon_data/mon_L3_00"
        : >"$UNITRUN_RESCTRL/$1/tasks"
        printf '%b' "${2:-L3:0=fffff\nMB:0=100\n}" >"$UNITRUN_RESCTRL/$1/schemata"
        echo 4096 >"$UNITRUN_RESCTRL/$1/mon_data/mon_L3_00/llc_occupancy"
}

# rdt FILTER: linux.intelRdt, as jq writes it
rdt() {
        cfg ".linux.intelRdt = $1"
}

# emptied GROUP: what rmdir(2) does there although the kernel's files are in it
emptied() {
        find "$UNITRUN_RESCTRL/$1" -mindepth 1 -depth -delete
}

@test "without the file system linux.intelRdt is an error" {
        rdt '{l3CacheSchema: "L3:0=f"}'
        create -1
        [[ $output == *"config.json: linux.intelRdt: "*resctrl* ]]
}

@test "a container is put into the group that closID names, and so is what exec runs" {
        resctrl
        group gold
        rdt '{closID: "gold"}'
        program sleep 100
        run_detached
        grep -qx "$(pid_of "$ID")" "$UNITRUN_RESCTRL/gold/tasks"
        "$RUNTIME" exec --detach --pid-file "$BATS_TEST_TMPDIR/pid" "$ID" sleep 100
        grep -qx "$(cat "$BATS_TEST_TMPDIR/pid")" "$UNITRUN_RESCTRL/gold/tasks"
        run -0 "$RUNTIME" events --stats "$ID"
        jq -e '.data.intel_rdt | .l3_cache_schema == "L3:0=fffff" and .l3_cache_info.cbm_mask == "fffff" and .l3_cache_info.num_closids == 16
                and .mem_bw_info.min_bandwidth == 10 and .mem_bw_schema_root == "MB:0=100" and .cmt_stats == [{llc_occupancy: 4096}]' <<<"$output"
        "$RUNTIME" update --l3-cache-schema "L3:0=ff" --mem-bw-schema "MB:0=50" "$ID"
        [ "$(head -n 2 "$UNITRUN_RESCTRL/gold/schemata")" = $'L3:0=ff\nMB:0=50' ] # over what was there
        "$RUNTIME" delete --force "$ID"
        # it is the administrator's
        [ -d "$UNITRUN_RESCTRL/gold" ]
        # one that is not there has to be made with something
        rdt '{closID: "silver"}'
        create -1
        [[ $output == *"linux.intelRdt.closID"*silver* ]]
        [ ! -e "$UNITRUN_RESCTRL/silver" ]
}

@test "a group that is there has to be as it is wanted" {
        resctrl
        group gold 'L3:0=0000f;1=ff\nMB:0=100;1=50\n'
        program true
        for fits in '{closID: "gold", l3CacheSchema: "L3:0=f"}' '{closID: "gold", memBwSchema: "MB:1=50"}' '{closID: "gold", schemata: ["L3:1=ff", "MB:0=100"]}'; do
                rdt "$fits"
                run_container
        done
        for other in '{closID: "gold", l3CacheSchema: "L3:0=ff"}' '{closID: "gold", schemata: ["L2:0=f"]}' '{closID: "gold", memBwSchema: "MB:2=50"}' \
                '{closID: "/", l3CacheSchema: "L3:0=f"}'; do
                rdt "$other"
                create -1
                [[ $output == *"linux.intelRdt: "*"do not agree"* ]] || { echo "$other: $output"; return 1; }
        done
        [ "$(cat "$UNITRUN_RESCTRL/gold/schemata")" = $'L3:0=0000f;1=ff\nMB:0=100;1=50' ]
}

@test "a group that the container needs is made for it, written to, and removed with it" {
        resctrl
        program sleep 100
        # the kernel would have put the file there
        group "$ID"
        rdt '{l3CacheSchema: "L3:0=f\nMB:0=10", memBwSchema: "MB:0=20", schemata: ["L3:1=1"]}'
        run_detached
        [ "$(cat "$UNITRUN_RESCTRL/$ID/schemata")" = $'L3:0=f\nMB:0=20\nL3:1=1' ]
        grep -qx "$(pid_of "$ID")" "$UNITRUN_RESCTRL/$ID/tasks"
        emptied "$ID"
        "$RUNTIME" delete --force "$ID"
        [ ! -e "$UNITRUN_RESCTRL/$ID" ]
        # one that can't be written to is not left: here there is no file
        rdt '{closID: "silver", l3CacheSchema: "L3:0=f00000"}'
        create -1
        [[ $output == *"linux.intelRdt: cannot write '$UNITRUN_RESCTRL/silver/schemata' (mask f00000 is out of range)"* ]]
        [ ! -e "$UNITRUN_RESCTRL/silver" ]
}

@test "monitoring counts in a group of the container's own, which goes with it" {
        resctrl
        group gold
        rdt '{closID: "gold", enableMonitoring: true}'
        program sleep 100
        mkdir -p "$UNITRUN_RESCTRL/gold/mon_groups/$ID"
        : >"$UNITRUN_RESCTRL/gold/mon_groups/$ID/tasks"
        run_detached
        grep -qx "$(pid_of "$ID")" "$UNITRUN_RESCTRL/gold/mon_groups/$ID/tasks"
        emptied "gold/mon_groups/$ID"
        "$RUNTIME" delete --force "$ID"
        [ ! -e "$UNITRUN_RESCTRL/gold/mon_groups/$ID" ]
        [ -d "$UNITRUN_RESCTRL/gold" ]
}

@test "without a group there is nothing to update" {
        program sleep 100
        run_detached
        launch -1 "$RUNTIME" update --l3-cache-schema "L3:0=f" "$ID"
        [[ $output == *"Intel RDT schemata: the container has no group there"* ]]
}
