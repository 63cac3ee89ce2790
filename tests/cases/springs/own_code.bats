#!/usr/bin/env bats
# The functions of the manual's section IN YOUR OWN CODE: they compile without a warning, and give the numbers of the program.
load ../common

# The code of the section, with tools/own_code.c behind it, as the program ./own.
setup_file()
{
    local section=${BATS_TEST_DIRNAME%/tests/cases/*}/man/sprung.1.in
    cd "$BATS_FILE_TMPDIR" || return
    awk '/^\.Sh / { inside = /IN YOUR OWN CODE/; wanted = 0 }
         inside && /^\.Ss / { wanted = 1 }
         /^\.Ed/ { literal = 0 }
         literal { gsub(/\\e/, "\\"); print }
         wanted && /^\.Bd -literal/ { literal = 1 }' "$section" > code.c
    cat code.c "${BATS_TEST_DIRNAME%/tests/cases/*}/tests/cases/tools/own_code.c" > own.c
    ${CC:-cc} -std=c17 -D_XOPEN_SOURCE=700 -O2 -ffp-contract=off -Wall -Wextra -Wshadow -Werror own.c -o own -lm
    # Uneven times; a motion with jumps of position and velocity, some of them marked as cuts.
    python3 - > in.csv <<'P'
import math, random
draw = random.Random(4)
t = 0
print("time,x,cut")
for n in range(1500):
    t += draw.uniform(.2, 1.8) / 60 if n else 0
    x = 10 * math.sin(t) + 3 * math.sin(7 * t) + (40 if n >= 300 else 0) - (25 if n >= 301 else 0) + (n >= 900) * 5 * t
    print("%.9f,%.6f,%d" % (t, x, n in (300, 301, 302, 900)))
P
    python3 - > turns.csv <<'P'
import math
print("time,q_w,q_x,q_y,q_z")
for n in range(1500):
    t = n / 120 + .003 * math.sin(n)
    axis = [math.sin(t), math.cos(1.3 * t), .5 + math.sin(.7 * t)]
    half = (1.4 * math.sin(2 * t) + (1.1 if n >= 400 else 0)) / 2
    norm = math.hypot(*axis)
    print(",".join("%.17g" % v for v in [t, math.cos(half)] + [math.sin(half) * a / norm for a in axis]))
P
}

# agree NAME NUMBERS -- FILTER OPTIONS: position and velocity of the function are those of the program, to 1e-12 of their range.
agree()
{
    local words=()
    for ((;;)); do
        [[ $1 == -- ]] && break
        words+=("$1")
        shift
    done
    shift
    sed 1d "$BATS_FILE_TMPDIR/in.csv" | "$BATS_FILE_TMPDIR/own" "${words[@]}" > own.csv
    sprung "$@" -d 1 --precision 17 -c x "$BATS_FILE_TMPDIR/in.csv" | sed 1d | column 2,4 > program.csv
    near own.csv program.csv "${columns:-1 2}"
}

# near GOT WANT COLUMNS: they differ by at most 1e-12 of each column's largest number; quaternions up to their sign.
near()
{
    python3 - "$1" "$2" "$3" <<'P'
import sys
got, want = ([[float(v) for v in line.split(",")] for line in open(name)] for name in sys.argv[1:3])
assert len(got) == len(want) == 1500, (len(got), len(want))
for g, w in zip(got, want):
    if len(g) == 7 and sum(a * b for a, b in zip(g[:4], w[:4])) < 0:
        g[:4] = [-v for v in g[:4]]
for column in (int(word) - 1 for word in sys.argv[3].split()):
    size = max(abs(row[column]) for row in want)
    worst = max(abs(g[column] - w[column]) for g, w in zip(got, want))
    assert size > .1 and worst <= 1e-12 * size, (column, worst, size)
P
}

@test "damper and critical" {
    columns=1 agree damper 0.1 -- damper -H 0.1
    agree critical 0.1 -- critical -H 0.1
    agree critical 3 -- critical -H 3
}

@test "spring: below, at and above critical damping, and with the velocity of the goal" {
    agree spring 100 3 0 -- spring -k 100 -b 3
    agree spring 100 20 0 -- spring -k 100 -b 20
    agree spring 100 300 0 -- spring -k 100 -b 300
    agree spring 100 6 1 -- spring -k 100 -b 6 --goal-velocity difference
}

@test "second-order" {
    agree second_order 2 0.5 -1 -- second-order -f 2 -z 0.5 -r -1
    agree second_order 1 1 0 -- second-order -f 1 -z 1 -r 0
    agree second_order 1 3 2 -- second-order -f 1 -z 3 -r 2
}

@test "tracking, across cuts: real and complex eigenvalues" {
    columns=1 agree tracking 0.01 0.2 60 -- tracking --cut-column cut
    columns=1 agree tracking 0.1 0.2 60 -- tracking --cut-column cut --position-gain 0.1
    columns=1 agree tracking 0.3 0.9 30 -- tracking --cut-column cut --position-gain 0.3 --velocity-gain 0.9 --gain-rate 30
}

@test "inertialize, across cuts" {
    agree inertialize 0.15 -- inertialize -H 0.15 --cut-column cut
}

@test "critical of a quaternion" {
    sed 1d "$BATS_FILE_TMPDIR/turns.csv" | "$BATS_FILE_TMPDIR/own" critical_turn 0.1 > own.csv
    sprung critical -H 0.1 --quaternions q -d 1 --precision 17 "$BATS_FILE_TMPDIR/turns.csv" | sed 1d | column 2-8 > program.csv
    near own.csv program.csv "1 2 3 4 5 6 7"
}

@test "the conversions of the help are those that --verbose prints" {
    fails 0 sprung second-order -f 2 -z 0.4 -r -1.5 -v "$BATS_FILE_TMPDIR/in.csv"
    # k1 = z / (pi f), k2 = 1 / (2 pi f)^2, k3 = r z / (2 pi f)
    says 'response -1.5, k1 0.063662 s, k2 0.00633257 s^2, k3 -0.0477465 s'
    fails 0 sprung critical --lag 0.5 -v "$BATS_FILE_TMPDIR/in.csv"
    says 'halflife 0.346574 s, lag 0.5 s'
    says 'response 0, k1 0.5 s, k2 0.0625 s^2, k3 0 s'
    # A spring with the velocity of its goal is the second-order filter of response 2.
    fails 0 sprung critical --lag 0.5 --goal-velocity difference -v "$BATS_FILE_TMPDIR/in.csv"
    says 'response 2, k1 0.5 s, k2 0.0625 s^2, k3 0.5 s'
    for filter in damper critical spring second-order tracking inertialize double timed velocity character resonance one-euro; do
        sprung help $filter > help.txt
        grep -q '^A step of T seconds toward the goal g' help.txt
        narrow help.txt
    done
    sprung help code | grep -q '^    double damper(double x, double g, double H, double T)$'
}
