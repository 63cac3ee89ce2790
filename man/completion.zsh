#compdef sprung
# zsh completion for sprung: the program says what can follow.
_sprung() {
    local line
    local -a found shown
    for line in "${(@f)$(sprung help --complete "${(@Q)words[2,CURRENT]}" 2> /dev/null)}"; do
        [[ -n $line ]] || continue
        found+=("${line%%$'\t'*}")
        shown+=("${line/$'\t'/  -- }")
    done
    (( $#found )) && compadd -l -d shown -a found || _files
}
_sprung "$@"
