#!/usr/bin/env bats
# The system's bad days: full disks, closed descriptors and pipes, directories, odd names.
load ../common

setup()
{
    cd "$BATS_TEST_TMPDIR"
    printf 'time,x\n0,0\n1,8\n' > in.csv
}

@test "a full disk is an error, status 2, for data, help and version" {
    for arguments in "damper -H 1 in.csv" "help" "damper --help" "help damper" "--version" "--help"; do
        # shellcheck disable=SC2086
        fails 2 bash -c "'$SPRUNG' $arguments > /dev/full"
        says 'cannot write'
    done
}

@test "standard output closed at the start: an error, and no file is damaged" {
    cp in.csv keep.csv
    fails 2 bash -c "'$SPRUNG' damper -H 1 in.csv >&-"
    says 'cannot write'
    cmp in.csv keep.csv
}

@test "standard input closed at the start: an error" {
    fails 2 bash -c "'$SPRUNG' damper -H 1 <&-"
    says 'cannot read'
}

@test "standard error closed at the start: the output is right, no file is damaged" {
    [ "$(bash -c "'$SPRUNG' damper -H 1 -d 0 in.csv 2>&-" | tail -n 1)" = 1,4 ]
    fails 2 bash -c "'$SPRUNG' damper -H 1 nowhere.csv 2>&-"
}

@test "a directory, a missing file" {
    mkdir folder
    fails 2 job folder
    says 'folder'
    says 'irectory'
    fails 2 job nowhere.csv
    says 'nowhere.csv: cannot open: No such file'
}

@test "the reader closes the pipe: quiet, by SIGPIPE" {
    { echo time,x; seq 0 200000 | sed 's/.*/&,-&/'; } > long.csv
    run bash -c "'$SPRUNG' damper -H 1 long.csv 2> err.txt | head -n 1; echo \${PIPESTATUS[0]}"
    [ "${lines[1]}" = 141 ]
    [ ! -s err.txt ]
}

@test "the reader closes the pipe and SIGPIPE is ignored: error 2" {
    { echo time,x; seq 0 200000 | sed 's/.*/&,&/'; } > long.csv
    run bash -c "trap '' PIPE; '$SPRUNG' damper -H 1 long.csv 2> err.txt | head -n 1; echo \${PIPESTATUS[0]}"
    [ "${lines[1]}" = 2 ]
    grep -q 'cannot write' err.txt
}

@test "output is the input, by redirection: refused before anything is read" {
    cp in.csv keep.csv
    fails 2 bash -c "'$SPRUNG' damper -H 1 in.csv >> in.csv"
    says 'input'
    cmp in.csv keep.csv
    ln -s in.csv link.csv
    fails 2 bash -c "'$SPRUNG' damper -H 1 link.csv >> in.csv"
    cmp in.csv keep.csv
}

@test "names with newline, escape and leading dash are escaped and work" {
    cp in.csv -- "-odd.csv"
    [ "$(job ./-odd.csv | tail -n 1)" = 1,4 ]
    [ "$(job -- -odd.csv | tail -n 1)" = 1,4 ]
    fails 2 job $'no\e[31m\nsuch'
    says 'no\x1B[31m\nsuch'
}

@test "long names are told whole" {
    long=$(printf 'n%.0s' {1..250})
    fails 2 job "$long.csv"
    says "sprung: $long.csv: cannot open"
    fails 2 job "$long/$long/$long/$long/$long/$long.csv"
    says "$long/$long/$long/$long/$long/$long.csv: cannot open"
    escapes=$(printf '\033%.0s' {1..250})
    fails 2 job "./$escapes"
    says "sprung: ./$(printf '\\x1B%.0s' {1..250}): cannot open"
    cp in.csv "$long.csv"
    fails 2 job "$long.csv" -o "$long/$long/$long.csv"
    says "$long/$long/$long.csv: cannot write"
    [ "$(job "$long.csv" --output-dir "out/$long/$long" -n)" = "$long.csv -> out/$long/$long/$long.csv" ]
    job "$long.csv" -v 2>&1 > /dev/null | grep -q "^sprung: $long.csv: csv"
}

@test "short reads and interrupted calls change nothing" {
    { echo time,x; seq 0 30000 | sed 's/.*/&,&/'; } > long.csv
    job long.csv > want.csv
    python3 -c '
import sys, time
data = open("long.csv", "rb").read()
at = 0
step = 1
while at < len(data):
    sys.stdout.buffer.write(data[at:at + step]); sys.stdout.buffer.flush()
    at += step
    step = step * 3 % 4001 + 1
' | job > got.csv
    cmp want.csv got.csv
}

@test "help and unknown words" {
    fails 2 sprung
    [ -z "$out" ]
    says 'sprung FILTER'
    fails 2 sprung critcal
    says 'did you mean critical'
    fails 2 job --halflif 1 in.csv
    says '--halflife'
    fails 2 job --no-such-thing in.csv
    says 'unknown option'
    sprung --help | grep -q critical
    sprung --version | grep -qE '^sprung [0-9]+\.[0-9]+\.[0-9]+$'
    sprung critical -h | grep -q -- --halflife
    cmp <(sprung help critical) <(sprung critical --help)
}

@test "a binary format is not written to a terminal, nor under a name for text" {
    printf 'x\n0\n1\n' > in.csv
    job -d 0 --rate 100 --to wav -o in.wav in.csv
    for format in wav au aiff; do
        run script -qec "$SPRUNG critical -H 1 -d 0 --rate 100 --to $format in.csv" /dev/null < /dev/null
        [[ $status == 2 && $output == *"$format is binary, but standard output is a terminal"* ]]
    done
    run script -qec "$SPRUNG critical -H 1 in.wav --to csv" /dev/null < /dev/null
    [[ $status == 0 && $output == *time,ch1* ]]
    job in.wav | cmp - <(job in.wav -o - )
    job in.wav -o out.csv
    job -d 0 --rate 100 --to wav -o out.sound in.csv
    cmp out.sound in.wav
}

@test "no input and a terminal: short help, status 2" {
    needs script
    run script -qec "$SPRUNG critical -H 1" /dev/null < /dev/null
    [ "$status" = 2 ]
    [[ "$output" == *"critical needs a file, or data on standard input"* ]]
    [[ "$output" == *"usage: sprung FILTER"* ]]
}

@test "little memory for eight threads: a message, never a crash" {
    [[ ${BUILD:-} == *san* ]] && skip "sanitizers reserve memory"
    python3 -c 'print("time,x"); [print(f"{i},{i % 7}") for i in range(50000)]' > big.csv
    for ((size = 8000; size <= 16000; size += 200)); do
        status=0
        (ulimit -c 0 -v $size; exec "$SPRUNG" critical -q -H 0.1 -j 8 big.csv) > /dev/null 2> err.txt || status=$?
        case $status in
        0) ;;
        2) grep -q 'out of memory' err.txt ;;
        127) grep -q 'shared libraries' err.txt ;;
        *) echo "$size: status $status"; false ;;
        esac
    done
}
