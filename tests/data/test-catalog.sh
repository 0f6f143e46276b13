#!/bin/bash
# test-catalog.sh CATALOG JOURNAL.H: every message ID of the code is explained, no other is, and journalctl takes the file.
set -u
CATALOG=$1 HEADER=$2
. "$(dirname "$0")/tap.bash"

of_code=$(sed -n 's/^#define MESSAGE_ID_.*"\([0-9a-f]*\)"$/\1/p' "$HEADER" | sort)
of_catalog=$(sed -n 's/^-- \([0-9a-f]*\)$/\1/p' "$CATALOG" | sort)
check "the code has message IDs" test "$(wc -l <<<"$of_code")" -ge 5
check "each is of 32 digits, and none is there twice" test "$(grep -cxE '[0-9a-f]{32}' <<<"$(uniq <<<"$of_code")")" = "$(wc -l <<<"$of_code")"
check "the catalog has the same" test "$of_code" = "$of_catalog"
for header in Subject Defined-By Documentation; do
        check "each has a line $header" test "$(grep -c "^$header: ." "$CATALOG")" = "$(wc -l <<<"$of_catalog")"
done
if command -v journalctl >/dev/null; then
        root=$(mktemp -d)
        mkdir -p "$root/usr/lib/systemd/catalog" "$root/var/lib/systemd/catalog"
        cp "$CATALOG" "$root/usr/lib/systemd/catalog/"
        check "journalctl takes it" journalctl --root "$root" --update-catalog
        check "and lists all of it" test "$(journalctl --root "$root" --list-catalog 2>/dev/null | grep -c unitrun:)" = "$(wc -l <<<"$of_catalog")"
        rm -rf "$root"
else
        skip "the catalog's syntax: journalctl is missing"
fi
finish
