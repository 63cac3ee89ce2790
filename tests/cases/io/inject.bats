#!/usr/bin/env bats
# Faults of the system, one at a time (tests/inject; make inject tries each call), and of every allocation.
load ../common

@test "injected faults: a message, status 2, the original whole, no litter" {
    needs strace
    make_preload
    strace -qq -o /dev/null true || skip "strace may not trace here"
    "$ROOT/tests/inject" "$SPRUNG" "$PRELOAD" 1 fresh backup batch
}

@test "reads and writes of 7 bytes, every other one interrupted: not one byte changes" {
    make_preload
    sprung critical -H 0.1 "$DATA/wave.csv" > want.csv
    export LD_PRELOAD=$PRELOAD FAIL=short
    sprung critical -H 0.1 "$DATA/wave.csv" -o got.csv
    sprung critical -H 0.1 < "$DATA/wave.csv" > piped.csv
    unset LD_PRELOAD
    cmp want.csv got.csv
    cmp want.csv piped.csv
}

@test "a file of many that the disk refuses: it fails, by name, and is as it was; the others are done" {
    command -v strace > /dev/null || skip "strace is missing"
    strace -qq -o /dev/null true || skip "strace may not trace here"
    [[ $BUILD == *san* ]] && skip "leaks cannot be looked for under strace"
    for i in {10..49}; do printf 'time,x\n0,%d\n1,5\n' "$i" > "$i.csv"; done
    mkdir want && cp ./*.csv want
    sprung damper -H 1 -d 0 -i want/*.csv
    for jobs in 1 3; do
        mkdir "got$jobs" && cp ./*.csv "got$jobs"
        status=0
        strace -qq -f -o strace.txt -e trace=fsync -e inject=fsync:error=EIO:when=1 \
            "$SPRUNG" damper -H 1 -d 0 -j "$jobs" -i "got$jobs"/*.csv 2> says.txt || status=$?
        cat says.txt
        [ "$status" = 2 ]
        # The first call of each thread fails: as many files as are said to.
        [ "$(grep -c 'cannot write: Input/output error' says.txt)" = "$(grep -c EIO strace.txt)" ]
        [ "$(ls -A "got$jobs" | wc -l)" = 40 ]
        for file in [1-4][0-9].csv; do
            if grep -q "got$jobs/$file: cannot write" says.txt; then cmp "$file" "got$jobs/$file"; else cmp "want/$file" "got$jobs/$file"; fi
        done
        grep -q ' of 40 files failed' says.txt
    done
}

@test "a standard output that the disk refuses at the end is an error" {
    needs strace
    strace -qq -o /dev/null true || skip "strace may not trace here"
    [[ $BUILD == *san* ]] && skip "leaks cannot be looked for under strace"
    printf 'time,x\n0,0\n1,8\n' > in.csv
    status=0
    strace -qq -o /dev/null -P "$PWD/out.csv" -e trace=close -e inject=close:error=EIO \
        "$SPRUNG" damper -H 1 in.csv > out.csv 2> err.txt || status=$?
    [ "$status" = 2 ]
    grep -q 'cannot write standard output: Input/output error' err.txt
}

@test "a file that cannot be moved to its place: the old one stays, and no backup" {
    needs strace
    strace -qq -o /dev/null true || skip "strace may not trace here"
    [[ $BUILD == *san* ]] && skip "leaks cannot be looked for under strace"
    printf 'time,x\n0,0\n1,8\n' > in.csv
    cp in.csv old.csv
    fails 2 strace -qq -f -o /dev/null -e trace=rename -e inject=rename:error=EIO:when=1 "$SPRUNG" damper -H 1 -i.bak in.csv
    says 'in.csv.bak and replace it: Input/output error'
    cmp in.csv old.csv
    [ "$(ls -A | tr '\n' ' ')" = 'err.txt in.csv old.csv out.txt ' ]
}
