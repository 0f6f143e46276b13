#!/bin/bash
# test-generator.sh GENERATOR UNITRUN.CONTAINER.5 UNITRUN-GENERATOR.8: the manual has the keys and options that the program knows, and
# its example is one that the program takes.
set -u
GENERATOR=$1 FILE_MAN=$2 PROGRAM_MAN=$3
. "$(dirname "$0")/tap.bash"

of_code=$("$GENERATOR" --list-keys | sort)
of_manual=$(sed -n '/^\.\\" keys: begin/,/^\.\\" keys: end/s/^\.BI \([A-Za-z]*=\).*/\1/p' "$FILE_MAN" | sort)
check "the program has keys" test "$(wc -l <<<"$of_code")" -gt 15
check "the manual has the same keys ($(diff <(echo "$of_code") <(echo "$of_manual") | xargs))" test "$of_code" = "$of_manual"
while read -r option; do
        check "the manual has the option $option" grep -qF -- "${option//-/\\-}" "$PROGRAM_MAN"
done < <("$GENERATOR" --help | grep -oE -- '--[a-z-]+')

directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
sed -n '/^\.SH EXAMPLE/,/^\.EE/p' "$FILE_MAN" | sed -n '/^#/,/^\.EE/p' | grep -v '^\.' | sed 's/\\-/-/g' >"$directory/web.container"
output=$(UNITRUN_CONTAINER_DIRS=$directory "$GENERATOR" --dry-run 2>&1)
check "the manual's example becomes a unit" grep -q -- '--rootfs=/srv/web/rootfs .* web -- /usr/sbin/httpd -DFOREGROUND' <<<"$output"
check "and is started with what it says" grep -q -- '^---multi-user.target.wants/web.service' <<<"$output"
finish
