#!/usr/bin/env bats
# Faults of the system, one at a time, at every n-th call (tests/inject; make inject tries all of them).
load common

@test "injected faults: a message, status 2, the original whole, no litter" {
    needs strace
    make_preload
    strace -qq -o /dev/null true || skip "strace may not trace here"
    "$BATS_TEST_DIRNAME/../inject" "$SPRUNG" "$PRELOAD" 3
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
