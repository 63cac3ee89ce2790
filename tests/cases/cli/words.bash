# Loaded by the files of this folder.
# same WORD... -- WORD...: both command lines print the same, and something.
same()
{
    local first=()
    while [[ $1 != -- ]]; do
        first+=("$1")
        shift
    done
    shift
    sprung "${first[@]}" > first.txt
    sprung "$@" > second.txt
    [[ $(wc -l < first.txt) -gt 100 ]]
    cmp first.txt second.txt
}
