# fish completion for sprung: the program says what can follow.
function __sprung_complete
    set -l words (commandline -opc)
    sprung help --complete $words[2..-1] (commandline -ct) 2> /dev/null
end
complete -c sprung -a '(__sprung_complete)'
