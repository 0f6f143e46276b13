#!/bin/bash
# test-man.sh PAGE…: the man pages are well-formed, as far as a program to tell is installed.
set -u
. "$(dirname "$0")/tap.bash"

# silent COMMAND…: succeeds without a word
# shellcheck disable=SC2317 # called by check
silent() {
        local output
        output=$("$@" 2>&1) && [ -z "$output" ] && return
        printf '%s\n' "$output" | sed 's/^/# /'
        return 1
}

for page; do
        name=$(basename "$page")
        if [[ $(head -n 1 "$page") == .so* ]]; then
                check "what $name refers to exists" test -e "$(dirname "$page")/$(basename "$(cut -d ' ' -f 2 "$page")")"
                continue
        fi
        if command -v mandoc >/dev/null; then
                check "mandoc finds nothing in $name" silent mandoc -Tlint "$page"
        elif command -v groff >/dev/null; then
                check "groff finds nothing in $name" silent groff -man -Tutf8 -ww -z "$page"
        else
                skip "$name: neither mandoc nor groff is installed"
        fi
done
finish
