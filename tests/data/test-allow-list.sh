#!/bin/bash
# test-allow-list.sh ANNOTATION.C MAN: the properties that the man page says may be set, and their types, are those of the
# table in the code.
set -u
. "$(dirname "$0")/tap.bash"

# "NAME TYPE" per line, in the order of the table
code=$(sed -n '/allowed_properties\[\] = {/,/^};/s/^[^"]*{"\([A-Za-z]*\)", *"\([^"]*\)".*/\1 \2/p' "$1")
# one "NAME (TYPE)," per line
man=$(sed -n '/^\.\\" allow-list: begin/,/^\.\\" allow-list: end/s/^\([A-Za-z]*\) (\(.*\))[,.]$/\1 \2/p' "$2")

check "the code has a table" test "$(wc -l <<<"$code")" -gt 20
is=$(diff <(sort <<<"$code") <(sort <<<"$man") | grep '^[<>]' | tr '\n' ' ')
check "the man page has the same ($is)" test -z "$is"
finish
