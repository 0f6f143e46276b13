#!/bin/bash
# test-options.sh UNITRUN MAN BASH ZSH FISH: every command and option in `unitrun --help` and `unitrun COMMAND --help` is
# in the man page, in the section of its command, and in all completions; and none is there that does not exist.
set -u
UNITRUN=$1 MAN=$2 BASH_FILE=$3 ZSH_FILE=$4 FISH_FILE=$5
. "$(dirname "$0")/tap.bash"

# options_in: the long and short options in the text on stdin that help shows; "-h, --help" is everywhere
options_in() {
        grep -E '^  +-' | grep -oE '^ +(-[a-zA-Z], )?--[a-z0-9-]+' | tr -d ' ' | tr , '\n' | sort -u
}

# man_section COMMAND: the part of the man page about it, without roff; run and restore also have what create has
man_section() {
        local from
        if [ "$1" = global ]; then
                from='^\.SH GLOBAL OPTIONS'
        else
                from="^\\.SS \"?$1 "
        fi
        sed -nE "/$from/,/^\\.S[SH]/{/^\\.S[SH]/!p}" "$MAN" | sed 's/\\-/-/g'
        case $1 in run | restore) man_section create ;; esac
}

# man_options COMMAND: those that it documents: in the first line of a tagged paragraph
man_options() {
        man_section "$1" | sed -n '/^\.TP/{n; p}' | grep -oE -- '(^|[ "])--?[a-z][a-z0-9-]*' | tr -d ' "' | sort -u
}

# bash_options COMMAND: those that the bash completion offers
bash_options() (
        # shellcheck source=../../data/completions/bash/unitrun
        . "$BASH_FILE"
        COMP_WORDS=(unitrun "$1" -) COMP_CWORD=2
        [ "$1" != global ] || { COMP_WORDS=(unitrun -); COMP_CWORD=1; }
        _unitrun
        printf '%s\n' "${COMPREPLY[@]}" | sort -u
)

# zsh_has OPTION, fish_has OPTION: for any command
zsh_has() {
        grep -qE -- "[{,'*]${1}[=[,}]" "$ZSH_FILE"
}

fish_has() {
        case $1 in
        --*) grep -qE -- "-l ${1#--}( |\$)" "$FISH_FILE" ;;
        *) grep -qE -- "-s ${1#-} " "$FISH_FILE" ;;
        esac
}

# differences A B: of two lists, as one line
differences() {
        diff <(echo "$1") <(echo "$2") | grep '^[<>]' | tr '\n' ' '
}

help_of() {
        if [ "$1" = global ]; then "$UNITRUN" --help; else "$UNITRUN" "$1" --help; fi
}

commands=$("$UNITRUN" --help | sed -n '/^Commands:/,/^$/{s/^  \([a-z]*\) .*/\1/p}')
check "there are commands" test -n "$commands"

for command in global $commands; do
        real=$(help_of "$command" | options_in)
        check "help shows options of '$command'" test -n "$real"
        # --help is documented once, with the global options
        is=$(differences "$(grep -vx -e -h -e --help <<<"$real")" "$(man_options "$command" | grep -vx -e -h -e --help)")
        check "the man page knows the options of '$command' ($is)" test -z "$is"
        is=$(differences "$real" "$(bash_options "$command")")
        check "the bash completion knows the options of '$command' ($is)" test -z "$is"
        is=$(for option in $real; do zsh_has "$option" || echo "$option"; done)
        check "the zsh completion knows the options of '$command' ($is)" test -z "$is"
        is=$(for option in $real; do fish_has "$option" || echo "$option"; done)
        check "the fish completion knows the options of '$command' ($is)" test -z "$is"
done

for command in $commands; do
        check "the synopsis has $command" grep -qxF ".B $command" "$MAN"
        check "the zsh completion knows $command" grep -qF "'$command:" "$ZSH_FILE"
        check "the fish completion knows $command" grep -qF -- "-a $command " "$FISH_FILE"
done
finish
