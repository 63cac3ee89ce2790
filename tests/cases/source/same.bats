#!/usr/bin/env bats
# tests/same, which compares two builds: it finds what differs, and nothing where nothing does.
load ../common

other()
{
    printf '#!/bin/sh\nprogram=%s\n%s\n' "$SPRUNG" "$1" > other
    chmod +x other
}

@test "a program is the same as itself, and a wrapper that changes a byte, a message or the status is not" {
    "$ROOT/tests/same" "$SPRUNG" "$SPRUNG" 40 1 40
    other '"$program" "$@" | tr 5 6'
    fails 1 "$ROOT/tests/same" "$SPRUNG" other 0 1 100
    [[ $out == *": output differs"* ]]
    other '"$program" "$@" || { echo more >&2; exit 2; }'
    fails 1 "$ROOT/tests/same" "$SPRUNG" other 0 1 20
    [[ $out == *": messages differs"* && $out != *": output differs"* ]]
    other '"$program" "$@"; exit 3'
    fails 1 "$ROOT/tests/same" "$SPRUNG" other 0 1 100
    [[ $out == *": status differs"* && $out != *": output differs"* ]]
}
