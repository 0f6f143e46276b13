# shellcheck shell=bash
# Runs the tests and counts what they report. Everything ends as TAP files below $RESULTS, which are what is counted.

# results_begin FILTER…: FILTER is a .bats file (by path or name), or part of a test's name
results_begin() {
        local filter
        RESULTS=$(mktemp -d "$RUN/${OWN_PREFIX}results.XXXXXX")
        FILES=() NAME_FILTER=
        for filter; do
                filter=${filter%.bats}
                if compgen -G "$TOP/tests/*/${filter##*/}.bats" >/dev/null; then
                        FILES+=("$TOP"/tests/*/"${filter##*/}.bats")
                else
                        NAME_FILTER+=${NAME_FILTER:+|}$filter
                fi
        done
        [ ${#FILES[@]} -gt 0 ] || FILES=("$TOP"/tests/cli/*.bats "$TOP"/tests/system/*.bats)
        GIVEN_FILES=no
        [ $# -eq 0 ] || [ -n "$NAME_FILTER" ] || GIVEN_FILES=yes
}

# run_unit_tests ROOT: `meson test`; one result for each TAP line of a test, or for a test that prints no TAP
run_unit_tests() {
        local names=() log
        [ "$GIVEN_FILES" = no ] && [ -e "$TOP/$BUILD/build.ninja" ] || return 0
        log=$TOP/$BUILD/meson-logs/testlog.json
        mapfile -t names < <(in_tree "$1" meson test -C "$BUILD" --list 2>/dev/null | sed 's/.* \/ //' |
                grep -E -- "${NAME_FILTER:-.}" || true)
        [ ${#names[@]} -gt 0 ] || return 0
        say "unit tests"
        rm -f "$log"
        in_tree "$1" meson test -C "$BUILD" --no-rebuild --print-errorlogs "${names[@]}" </dev/null >&2 || true
        if [ ! -e "$log" ]; then
                echo "not ok meson test wrote no log" >"$RESULTS/$BUILD.tap"
                return
        fi
        jq -r '
                .name as $name | .result as $result | (.stdout // "" | split("\n")) as $lines
                | ($lines | map(select(test("^(not )?ok\\b")))) as $points
                | if $result == "SKIP" and ($points | length) == 0 then "ok \($name) # skip"
                  elif ($points | length) == 0 then
                        (if $result == "OK" or $result == "EXPECTEDFAIL" then "ok" else "not ok" end) + " \($name)"
                  else ($points[] | sub("^(?<r>(not )?ok)\\s*(?<n>\\d*)"; "\(.r) \(.n) \($name):")),
                        (if $result == "OK" or $result == "SKIP" or ($points | any(startswith("not ok"))) then empty
                         else "not ok \($name): \($result)" end)
                  end' "$log" >"$RESULTS/$BUILD.tap"
}

# show_tap LABEL: TAP from bats on stdin, for people on stderr
show_tap() {
        local line
        while IFS= read -r line; do
                case $line in
                [0-9]*..[0-9]*) ;;
                *) printf '[%3d s] %s: %s\n' "$SECONDS" "$1" "$line" >&2 ;;
                esac
        done
}

# complete_tap FILE LABEL: adds a failure for each test that was planned and has no result
complete_tap() {
        awk -v label="$2" '
                /^1\.\.[0-9]+$/ { plan = substr($0, 4); planned = 1 }
                /^(not )?ok / { seen++ }
                END {
                        if (!planned) print "not ok " label ": no tests reported"
                        for (; seen < plan; seen++) print "not ok " label ": planned, but without a result"
                }' "$1" | tee -a "$1.lost" >&2
        cat "$1.lost" >>"$1"
        rm -f "$1.lost"
}

bats_command() {
        BATS=(env BATS_TEST_TIMEOUT="${UNITRUN_TEST_TIMEOUT:-120}" bats --tap)
        [ -z "$NAME_FILTER" ] || BATS+=(--filter "$NAME_FILTER")
}

# run_in_machine ROOT INSTALLED FILE: one .bats file, in a machine of its own
run_in_machine() {
        local label file=${3#"$TOP/"} tap name
        label=$(tree_name "$1")/$(basename "$3" .bats)
        name=$OWN_PREFIX$(tree_name "$1")-$(basename "$3" .bats)
        tap=$RESULTS/${label//\//-}.tap
        machine_boot "$name" "$1"
        machine_install "$name" "$2"
        machine_exec "$name" timeout 1200 "${BATS[@]}" "$INSIDE/$file" 2>&1 </dev/null | tee "$tap" | show_tap "$label" || true
        complete_tap "$tap" "$label"
        machine_halt "$name"
}

# run_machine_pass ROOT: all .bats files, several machines at a time
run_machine_pass() {
        local file installed running=0 jobs=${UNITRUN_TEST_JOBS:-$(nproc)}
        installed=$RESULTS/installed-$(tree_name "$1")
        cp -a "$STAGE" "$installed" # so that a build meanwhile is no matter
        bats_command
        for file in "${FILES[@]}"; do
                [ -e "$file" ] || continue
                if [ "$running" -ge "$jobs" ]; then
                        wait -n || true
                        running=$((running - 1))
                fi
                (run_in_machine "$1" "$installed" "$file") &
                running=$((running + 1))
        done
        wait
}

# run_qemu_pass ROOT: the tests tagged qemu, all in one machine
run_qemu_pass() {
        local label tap file tagged=()
        label=$(tree_name "$1")-qemu
        tap=$RESULTS/$label.tap
        for file in "${FILES[@]}"; do
                [ ! -e "$file" ] || ! grep -q '^ *# bats .*tags=.*\bqemu\b' "$file" || tagged+=("$INSIDE/${file#"$TOP/"}")
        done
        [ ${#tagged[@]} -gt 0 ] || return 0
        # emulated, everything takes ten times as long
        UNITRUN_TEST_TIMEOUT=300 bats_command
        qemu_exec "${UNITRUN_TEST_QEMU_SECONDS:-900}" "$1" "$STAGE" "${BATS[@]}" --filter-tags qemu "${tagged[@]}" |
                tee "$tap" | show_tap "$label" || true
        complete_tap "$tap" "$label"
}

results_end() {
        local passed failed skipped
        # shellcheck disable=SC2016
        read -r passed failed skipped < <(cat "$RESULTS"/*.tap 2>/dev/null | awk '
                /^not ok/ { failed++; next }
                /^ok/ { if (tolower($0) ~ /# *skip/) skipped++; else passed++ }
                END { print passed + 0, failed + 0, skipped + 0 }')
        [ "$failed" -eq 0 ] || { echo "failed:" && cd "$RESULTS" && grep -H '^not ok' ./*.tap | sed 's|^./||'; } >&2
        rm -rf "$TOP/build-machine/results"
        mkdir -p "$TOP/build-machine/results"
        cp "$RESULTS"/*.tap "$TOP/build-machine/results" 2>/dev/null || true
        echo "$passed passed, $failed failed, $skipped skipped"
        [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
