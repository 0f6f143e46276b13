# shellcheck shell=bash
# Runs the tests and counts what they report. Everything ends as TAP files below $RESULTS, which are what is counted.

# results_begin FILTER…: FILTER is a .bats file (by path or name), or part of a test's name
results_begin() {
        local filter
        RESULTS=$(mktemp -d "$RUN/${OWN_PREFIX}results.XXXXXX")
        FILES=() QUEUE=() NAME_FILTER=
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
        local names=() log tap=$RESULTS/$BUILD.tap
        [ "$GIVEN_FILES" = no ] && [ -e "$TOP/$BUILD/build.ninja" ] || return 0
        log=$TOP/$BUILD/meson-logs/testlog.json
        mapfile -t names < <(in_tree "$1" meson test -C "$BUILD" --list 2>/dev/null | sed 's/.* \/ //' |
                grep -E -- "${NAME_FILTER:-.}" || true)
        [ ${#names[@]} -gt 0 ] || return 0
        say "unit tests"
        rm -f "$log"
        : >"$tap"
        in_tree "$1" meson test -C "$BUILD" --no-rebuild --print-errorlogs "${names[@]}" </dev/null >&2 || true
        jq -r '
                .name as $name | .result as $result | (.stdout // "" | split("\n")) as $lines
                | ($lines | map(select(test("^(not )?ok\\b")))) as $points
                | if $result == "SKIP" and ($points | length) == 0 then "ok \($name) # skip"
                  elif ($points | length) == 0 then
                        (if $result == "OK" or $result == "EXPECTEDFAIL" then "ok" else "not ok" end) + " \($name)"
                  else ($points[] | sub("^(?<r>(not )?ok)\\s*(?<n>\\d*)"; "\(.r) \(.n) \($name):")),
                        (if $result == "OK" or $result == "SKIP" or ($points | any(startswith("not ok"))) then empty
                         else "not ok \($name): \($result)" end)
                  end' "$log" >"$tap" || return 0
        echo "1..$(wc -l <"$tap")" >>"$tap"
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

# complete_tap FILE: adds a failure for each test that was planned and has no result
complete_tap() {
        awk '
                /^1\.\.[0-9]+$/ { plan = substr($0, 4); planned = 1 }
                /^(not )?ok / { seen++ }
                END {
                        if (!planned) print "not ok: the machine or bats ended without a plan"
                        for (; seen + 0 < plan + 0; seen++) print "not ok: a test that was planned has no result"
                }' "$1" >"$1.lost"
        cat "$1.lost" >>"$1"
        rm -f "$1.lost"
}

# bats_command [OPTION…]: in BATS, how bats is to be called; in CHOSEN, those of FILES that have a test to run then
bats_command() {
        local file options=("$@")
        [ -z "$NAME_FILTER" ] || options+=(--filter "$NAME_FILTER")
        BATS=(env BATS_TEST_TIMEOUT="${UNITRUN_TEST_TIMEOUT:-300}" bats --tap "${options[@]}")
        CHOSEN=()
        for file in "${FILES[@]}"; do
                [ ! -e "$file" ] || [ "$(bats --count "${options[@]}" "$file")" = 0 ] || CHOSEN+=("${file#"$TOP/"}")
        done
}

# run_in_machine ROOT INSTALLED FILE: one .bats file, in a machine of its own
run_in_machine() {
        local label name tap
        label=$(tree_name "$1")/$(basename "$3" .bats)
        name=$OWN_PREFIX${label//\//-}
        tap=$RESULTS/${label//\//-}.tap
        : >"$tap" # counts as a failure if nothing comes
        machine_boot "$name" "$1"
        machine_install "$name" "$2"
        machine_exec "$name" timeout 1200 "${BATS[@]}" "$INSIDE/$3" 2>&1 </dev/null | tee "$tap" | show_tap "$label" || true
        machine_halt "$name"
}

# queue_machine_pass ROOT: all .bats files, with what was built last
queue_machine_pass() {
        local file installed
        installed=$RESULTS/installed-$(tree_name "$1")
        cp -a "$STAGE" "$installed" # so that a build meanwhile is no matter
        bats_command
        for file in "${CHOSEN[@]}"; do
                QUEUE+=("$(bats --count "$TOP/$file")"$'\t'"$1"$'\t'"$installed"$'\t'"$file")
        done
}

# run_queue: several machines at a time; the files with most tests first, so that no long one is alone at the end
run_queue() {
        local root installed file running=0 jobs=${UNITRUN_TEST_JOBS:-$(nproc)}
        [ ${#QUEUE[@]} -gt 0 ] || return 0
        while IFS=$'\t' read -r _ root installed file <&7; do
                if [ "$running" -ge "$jobs" ]; then
                        wait -n || true
                        running=$((running - 1))
                fi
                (run_in_machine "$root" "$installed" "$file") 7<&- &
                running=$((running + 1))
        done 7< <(printf '%s\n' "${QUEUE[@]}" | sort -rn)
        wait
}

# run_qemu_pass ROOT: the tests tagged qemu, all in one machine
run_qemu_pass() {
        local label tap
        label=$(tree_name "$1")-qemu
        tap=$RESULTS/$label.tap
        # emulated, everything takes ten times as long
        UNITRUN_TEST_TIMEOUT=300 bats_command --filter-tags qemu
        [ ${#CHOSEN[@]} -gt 0 ] || return 0
        : >"$tap"
        qemu_exec "${UNITRUN_TEST_QEMU_SECONDS:-2700}" "$1" "$STAGE" "${BATS[@]}" "${CHOSEN[@]/#/$INSIDE/}" |
                tee "$tap" | show_tap "$label" || true
}

results_end() {
        local passed failed skipped tap
        for tap in "$RESULTS"/*.tap; do
                [ ! -e "$tap" ] || complete_tap "$tap"
        done
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
