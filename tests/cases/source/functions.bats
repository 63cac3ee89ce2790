#!/usr/bin/env bats
# The same bytes on every machine.
load ../common

@test "results do not depend on the C library: none of its elementary functions is linked" {
    needs nm
    for file in "$SPRUNG" "$ROOT/${BUILD:-build}"/lib/libsprung.so.3; do
        nm -u "$file" > symbols
        grep -q memcpy symbols
        [[ -z $(grep -E ' (c?(exp|exp2|expm1|pow|log|log2|log10|log1p|a?sinh?|a?cosh?|a?tanh?|atan2|hypot|cbrt)|cabs|carg|__divdc3)[fl]?(@|$)' symbols) ]]
    done
}

@test "results do not depend on the digits of long double, which differ from machine to machine: none is in the source" {
    [[ -z $(grep -rnE 'long double |\b(sqrt|fabs|round|remainder|fma)l\(' "$ROOT/src") ]]
}
