#!/usr/bin/env bats
# libsprung: what it exports, programs that see its header alone, and its numbers against the command line.
load ../common

LIBRARY=$ROOT/${BUILD:-build}/lib

# checked WORD...: tests/cases/tools/library.py, through Python's ctypes.
checked()
{
    SPRUNG="$SPRUNG" python3 "$TOOLS/library.py" "$LIBRARY/libsprung.so.4" "$@"
}

# A program that sees the installed header alone: the first row of a filter, and the answer to a step.
write_program()
{
    cat > "$1" << 'END'
#include <sprung.h>
#include <stdio.h>

int main(void)
{
    sprung *filter;
    char message[200];
    double step[3] = { 0, 0.25, 0.25 }, goal[3] = { 0, 1, 1 }, value[3];
    if (sprung_open(&filter, "critical", "halflife=0.25", 1, message, sizeof message) != SPRUNG_OK) {
        puts(message);
        return 1;
    }
    sprung_process(filter, 3, step, goal, NULL, value, NULL, NULL);
    sprung_close(filter);
    printf("%.17g,%.17g,%.17g\n", value[0], value[1], value[2]);
    return 0;
}
END
}

@test "library: it exports what the header declares, and needs libc and libm alone" {
    grep -o 'sprung_[a-z_]*(' "$ROOT/src/sprung.h" | tr -d '(' | LC_ALL=C sort -u > declared.txt
    nm -D --defined-only "$LIBRARY/libsprung.so.4" | awk '{ print $3 }' | LC_ALL=C sort > shared.txt
    nm -g --defined-only "$LIBRARY/libsprung.a" | awk 'NF == 3 { print $3 }' | LC_ALL=C sort > static.txt
    diff declared.txt shared.txt
    diff declared.txt static.txt
    readelf -d "$LIBRARY/libsprung.so.4" | grep NEEDED | grep -o '\[.*\]' | LC_ALL=C sort > needed.txt
    [[ -z $(grep -v -e libc.so -e libm.so -e libm.musl -e ld-linux needed.txt) ]]
    readelf -d "$LIBRARY/libsprung.so.4" | grep -q 'SONAME.*libsprung\.so\.4'
}

# The numbers on stdin, one line with commas, are those of the file $1 to 1e-12.
same_numbers() {
    awk -F, 'NR == FNR { fields = split($0, want, ","); next }
             { seen = NF; for (i = 1; i <= NF; i++) if ($i - want[i] > 1e-12 || want[i] - $i > 1e-12) exit 1 }
             END { if (seen == 0 || seen != fields) exit 1 }' "$1" -
}

@test "library: programs in C99 and C++17 that see the installed header alone, static and shared" {
    make_apart install-library DESTDIR="$PWD/root" PREFIX=/usr
    write_program one.c
    cp one.c one.cpp
    local warn="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror" lib=root/usr/lib
    # shellcheck disable=SC2086
    ${CC:-cc} -std=c99 $warn -Iroot/usr/include one.c $lib/libsprung.a -lm -o static
    # shellcheck disable=SC2086
    ${CC:-cc} -std=c99 $warn -Iroot/usr/include one.c -L$lib -lsprung -lm -o shared
    printf 'time,x\n0,0\n0.25,1\n0.5,1\n' | sprung critical -H 0.25 -d 0 --decimals 17 | tail -n +2 | cut -d, -f2 | paste -sd, > want.txt
    ./static | same_numbers want.txt
    LD_LIBRARY_PATH=$lib ./shared | same_numbers want.txt
    if command -v c++ > /dev/null; then
        # shellcheck disable=SC2086
        c++ -std=c++17 $warn -Iroot/usr/include one.cpp $lib/libsprung.a -lm -o plus
        ./plus | same_numbers want.txt
    fi
    PKG_CONFIG_PATH=root/usr/lib/pkgconfig pkg-config --libs --define-variable=prefix=root/usr sprung | grep -q -- '-lsprung'
}

@test "library: 100 random settings of every filter give the numbers of the command line, bit for bit" {
    checked numbers
}

@test "library: rotations give the numbers of the command line, bit for bit" {
    checked rotations
}

@test "library: whole series give the numbers of --zero-phase, bit for bit, also with auto" {
    checked smooth
}

@test "library: a channel with too few numbers for auto is copied beside another one, and a result may be too large" {
    checked few
}

@test "library: spikes and jumps are those that were planted" {
    checked marks
}

@test "library: wrong settings and data are refused without dashes; start, prediction and response by closed forms" {
    checked errors
}

@test "library: rows with gaps, cuts and shared times, predictions, starts and resets allocate and print nothing" {
    cat > rows.c << 'END'
#include <sprung.h>
#include <math.h>
#include <stdlib.h>

static int allocations;

#define COUNTED(type, name, parameters, arguments) \
    type __real_##name parameters;                 \
    type __wrap_##name parameters                  \
    {                                              \
        allocations++;                             \
        return __real_##name arguments;            \
    }
COUNTED(void *, malloc, (size_t n), (n))
COUNTED(void *, calloc, (size_t n, size_t size), (n, size))
COUNTED(void *, realloc, (void *old, size_t n), (old, n))

int main(int argc, char **argv)
{
    sprung *filter;
    double step[1000], goal[1000], value[1000], start[4] = { 1 };
    unsigned char cut[1000];
    int rotations = argc > 2;
    if ((rotations ? sprung_open_rotations : sprung_open)(&filter, argv[1], "halflife=0.1", 1, NULL, 0) != SPRUNG_OK)
        return 1;
    allocations = 0;
    for (int i = 0; i < 400; i++) {
        for (int k = 0; k < 1000; k++) {
            step[k] = k % 5 ? 0.01 : 0;
            goal[k] = (i + k) % 7 || rotations ? (i + k) % 11 : NAN;
            cut[k] = k % 13 == 0;
        }
        sprung_process(filter, rotations ? 250 : 1000, step, goal, cut, value, NULL, NULL);
        sprung_predict(filter, 0.1, value, NULL);
        if (i % 100 == 0)
            sprung_start(filter, start, NULL);
        if (i % 100 == 50)
            sprung_reset(filter);
    }
    return allocations > 0 ? 2 : 0;
}
END
    # shellcheck disable=SC2086
    ${CC:-cc} -O1 -I"$ROOT/src" rows.c "$LIBRARY/libsprung.a" -lm -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc -o rows
    for words in critical inertialize "critical rotations"; do
        # shellcheck disable=SC2086
        ./rows $words > said.txt 2>&1
        [[ ! -s said.txt ]]
    done
}
