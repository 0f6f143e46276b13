#!/bin/bash
# test-package.sh SOURCE: the Debian package builds from the recipe, lintian has nothing to say, and what belongs into it is there.
set -u
SOURCE=$1
. "$(dirname "$0")/tap.bash"

for program in dpkg-buildpackage dh lintian; do
        command -v $program >/dev/null || { skip "the Debian package: $program is missing"; finish; exit; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/unitrun"
(cd "$SOURCE" && tar -c --exclude='./build*' --exclude=./.git .) | tar -x -C "$work/unitrun"
cp -r "$work/unitrun/data/debian" "$work/unitrun/debian"
check "the package builds" sh -c 'cd "$1/unitrun" && dpkg-buildpackage -us -uc -b -d >"$1/log" 2>&1 || { tail -n 20 "$1/log" | sed "s/^/# /"; false; }' - "$work"
said=$(lintian --allow-root "$work"/*.changes 2>/dev/null || true)
check "lintian is content ($(tr '\n' ';' <<<"$said"))" test -z "$said"
files=$(dpkg -c "$work"/unitrun_*.deb | awk '{ print $6 }')
for file in bin/unitrun libexec/unitrun/unitrun-supervisor system-generators/unitrun-generator user-generators/unitrun-generator \
        system/unitrun@.service user/unitrun@.service containers.conf.d/10-unitrun.conf catalog/unitrun.catalog man1/unitrun.1.gz \
        completions/unitrun examples/crio-unitrun.conf; do
        check "$file is in it" grep -q "/$file\$" <<<"$files"
done
finish
