# bash completion for sprung: the program says what can follow. In COMP_WORDS, = is a word of its own.
_sprung()
{
    local word
    COMPREPLY=()
    while IFS=$'\t' read -r word _; do
        [[ $word == *[!A-Za-z0-9_=,.:@-]* ]] && word=$(printf %q "$word")
        COMPREPLY+=("$word")
    done < <("${COMP_WORDS[0]}" help --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null)
}
complete -o bashdefault -o default -F _sprung sprung
