#!/bin/bash
# test-tables.sh MAN ANNOTATIONS-MAN ANNOTATION.C UNIT-PROPERTIES.C RESOURCES.C RUN-ANNOTATION.C: what the man page lists is what stands in the tables of
# the code: the properties that annotations may set, the other annotations that count, and the resources.
set -u
MAN=$(mktemp)
trap 'rm -f "$MAN"' EXIT
cat "$1" "$2" >"$MAN"
ANNOTATIONS=$3 PROPERTIES=$4 RESOURCES=$5 RUN_ANNOTATIONS=$6
. "$(dirname "$0")/tap.bash"

# between NAME: the man page from ".\" NAME: begin" to ".\" NAME: end"
between() {
        sed -n "/^\\.\\\\\" $1: begin/,/^\\.\\\\\" $1: end/p" "$MAN"
}

# same WHAT CODE MAN: two lists of lines
same() {
        local is
        check "the code has a table of $1" test "$(wc -l <<<"$2")" -gt 5
        is=$(diff <(sort <<<"$2") <(sort <<<"$3") | grep '^[<>]' | tr -s '\n ' ' ')
        check "the man page has the same $1 ($is)" test -z "$is"
}

# "NAME TYPE"; one "NAME (TYPE)," per line in the man page
same properties \
        "$(sed -n '/allowed_properties\[\] = {/,/^};/s/^[^"]*{"\([A-Za-z]*\)", *"\([^"]*\)".*/\1 \2/p' "$ANNOTATIONS")" \
        "$(between allow-list | sed -n 's/^\([A-Za-z]*\) (\(.*\))[,.]$/\1 \2/p')"

# names only: which property and file they are in is said more precisely in the man page
same resources \
        "$(sed -n '/ resource_rules\[\] = {/,/^};/{/carry_nowhere\|carry_check_usage/!s/^[^"]*{"\([A-Za-z.]*\)",.*/\1/p}' "$RESOURCES")" \
        "$(between resources | grep -v '^\.' | cut -d ' ' -f 1)"

while read -r field property file; do
        row=$(between resources | grep "^$field ")
        [ "$property" = NULL ] || check "$field: $property" grep -qw "$property" <<<"$row"
        [ "$file" = NULL ] || check "$field: $file" grep -qw "$file" <<<"$row"
done < <(sed -n '/ resource_rules\[\] = {/,/^};/{/carry_nowhere\|carry_check_usage/!s/^[^"]*{\(.*\), *carry_.*/\1/p}' "$RESOURCES" |
        tr -d '",')

while read -r annotation; do
        check "the man page has the annotation $annotation" grep -qF -- "${annotation//-/\\-}" "$MAN"
done < <(sed -n '/_annotations\[\] = {/,/^};/s/^ *"\(.*\)",.*/\1/p' "$PROPERTIES")

same "crun's annotations" \
        "$(sed -n '/ run_annotations\[\] = {/,/^};/s/^[^"]*{"\([a-z_.0-9-]*\)",.*/run.oci.\1/p' "$RUN_ANNOTATIONS")" \
        "$(between run-annotations | sed -n 's/\\-/-/g; s/^\.I \(run\.oci\.[a-z].*\)/\1/p')"
finish
