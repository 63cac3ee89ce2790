# bash completion for sprung: the program says what can follow.
_sprung()
{
    mapfile -t COMPREPLY < <("${COMP_WORDS[0]}" help --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null | cut -f 1)
}
complete -o bashdefault -o default -F _sprung sprung
