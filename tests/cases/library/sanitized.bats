#!/usr/bin/env bats
# The library with the sanitizers. tests/run runs this with the build that has them, whose objects are those of the library.
load ../common

@test "library: the sanitizers find nothing in it, whatever rows it gets" {
    [[ ${BUILD:-} == *san* ]] || skip "for the build with sanitizers"
    # shellcheck disable=SC2046
    clang -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -std=c17 -D_XOPEN_SOURCE=700 -DSPRUNG_VERSION='"0"' \
        -I"$ROOT/src" "$TOOLS/library.c" "$ROOT"/src/library/*.c "$ROOT/$BUILD/libsprung.a" \
        $(pkg-config --libs sndfile libcjson zlib) -lm -pthread -o all
    ASAN_OPTIONS=detect_leaks=1 ./all | grep -qx done
}
