#!/bin/bash
# test-completion.sh BASH: what the bash completion offers where.
set -u
. "$(dirname "$0")/tap.bash"
# shellcheck source=../../data/completions/bash/unitrun
. "$1"

ROOT=$(mktemp -d)
trap 'rm -rf "$ROOT"' EXIT
mkdir -p "$ROOT/web" "$ROOT/db"

# offers EXPECTED WORD…: the last of the words is the one that is completed
offers() {
        local expected=$1
        shift
        COMP_WORDS=(unitrun "$@")
        COMP_CWORD=$#
        _unitrun
        local is
        is=$(printf '%s\n' "${COMPREPLY[@]}" | sort | tr '\n' ' ')
        check "unitrun $* → ${is% }" test "${is% }" = "$expected"
}

offers "checkpoint create delete events exec features help kill list pause ps restore resume run spec start state update" ""
offers "start state" st
offers "pause ps" help p
offers "--log --log-format --log-level" --lo
offers "json text" --log-format ""
offers "json text" --log-format =
offers "json" --log-format = j
offers "info" --log-level i
offers "create" --debug --log-format json cr
offers "db web" --root "$ROOT" start ""
offers "db web" --root = "$ROOT" start ""
offers "web" --root "$ROOT" delete --force w
offers "" --root "$ROOT" delete web ""
offers "db web" --root "$ROOT" kill -a ""
offers "SIGTERM" --root "$ROOT" kill web TER
offers "SIGTERM" --root "$ROOT" kill web sigter
offers "--bundle" create --b
offers "" state --b
offers "--keep" run -b "$ROOT" --ke
offers "$ROOT/web" run --bundle "$ROOT/w"
offers "$ROOT/web" run --bundle = "$ROOT/w"
offers "" create ""
offers "db web" --root "$ROOT" exec ""
offers "--pid-file --pidfd-socket" exec --pid
offers "" --root "$ROOT" exec web --pid
offers "" --root "$ROOT" exec -e A=b web ""
offers "db web" --root "$ROOT" delete -f ""
offers "json table" list -f ""
offers "json" ps --format = j
offers "db web" --root "$ROOT" ps -f json ""
offers "" --root "$ROOT" ps web -
offers "" --root "$ROOT/none" start ""
finish
