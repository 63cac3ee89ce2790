#!/usr/bin/env bats
# The functions of data/springs.c: they compile without a warning, and give the numbers of the program.
load ../common

# butterworth is the spring of damping ratio 1/sqrt 2: tests/unit/springs compares them.

# The functions, with tools/own_code.c behind them, as the program ./own.
setup_file()
{
    cd "$BATS_FILE_TMPDIR" || return
    cat "${BATS_TEST_DIRNAME%/tests/cases/*}/data/springs.c" "${BATS_TEST_DIRNAME%/tests/cases/*}/tests/cases/tools/own_code.c" > own.c
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
    sprung "$@" -d 1 --decimals 17 -c x "$BATS_FILE_TMPDIR/in.csv" | sed 1d | column 2,4 > program.csv
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
    sprung critical -H 0.1 --quaternions q -d 1 --decimals 17 "$BATS_FILE_TMPDIR/turns.csv" | sed 1d | column 2-8 > program.csv
    near own.csv program.csv "1 2 3 4 5 6 7"
}

@test "the equations that help gives of double, timed, velocity, character, resonance and one-euro are those of the program" {
    python3 - "$SPRUNG" "$BATS_FILE_TMPDIR/in.csv" <<'P'
import cmath, subprocess, sys
from math import exp, log, pi
rows = [[float(v) for v in line.split(",")] for line in open(sys.argv[2]).read().split()[1:]]
H, S, speed, F = .1, .4, 60, 2
first = rows[0][1]

def critical(x, v, g, H, T):
    y = 2 * log(2) / H
    e, E = x - g, exp(-y * T)
    j = v + y * e
    return g + E * (e + j * T), E * (v - j * y * T)

def double(g, T, s):
    y = 4 * log(2) / H
    E, u = exp(-y * T), y * T
    e1, v1, e, v, last = s.get("d", (0, 0, 0, 0, first))
    e1 += last - g
    j, k = v1 + y * e1, v + y * e
    s["d"] = (E * (e1 + j * T), E * (v1 - j * u),
              E * (e + k * T) + E * u**2 * (1/2 + u/6) * e1 + T * E * (u**2/6 - 1) * v1,
              E * (v - k * u) - y * E * u**3/6 * e1 + E * u**2 * (1/2 - u/6) * v1, g)
    return g + s["d"][0] + s["d"][2]

def timed(g, T, s):
    lag = H / log(2)
    x, v, i, r, last = s.get("t", (first, 0, first, 0, first))
    r = max((S if g != last else r) - T, 0)
    x, v = critical(x, v, i + (g - i) * lag / max(r, T) if r > lag else g, H, T)
    s["t"] = (x, v, i + (g - i) * T / max(r, T), r, g)
    return x

def velocity(g, T, s):
    lag = H / log(2)
    x, v, i = s.get("v", (first, 0, first))
    def toward(way):
        return i + max(min(g - i, way), -way)
    x, v = critical(x, v, toward(speed * lag), H, T)
    s["v"] = (x, v, toward(speed * T))
    return x

def character(g, T, s):
    p, v, a = s.get("c", (0, 0, 0))
    y = 2 * log(2) / H
    j, E = v - g, exp(-y * T)
    k = a + y * j
    s["c"] = (p + g * T + k / y**2 + j / y - E * (k / y**2 + (j + k * T) / y), g + E * (j + k * T), E * (a - k * y * T))
    return s["c"][0]

def one_euro(g, T, s):
    x, d = s.get("o", (first, 0))
    def a(f):
        return 1 - exp(-2 * pi * f * T)
    d += a(1) * ((g - x) / T - d)
    x += a(1 + .1 * abs(d)) * (g - x)
    s["o"] = (x, d)
    return x

def resonance(g, T, s):
    w, d, g = 2 * pi * F, 4 * log(2) / H, g - first
    E, turn = exp(-d * T / 2), cmath.exp(1j * w * T)
    P, Q, M, Z = s.get("r", (1 / (1 - 2j * w / d), 1 / (1 - 4j * w / d), 0, 0))
    P, Q, M, Z = E * turn * P + 1 - E, E * turn**2 * Q + 1 - E, E * M + (1 - E) * g, E * turn * Z + (1 - E) * g
    s["r"] = (P, Q, M, Z)
    a, h, Y = 1 - abs(P)**2 + 1e-3, Q - P**2, 2 * (Z - M * P)
    return abs(a * Y - h * Y.conjugate()) / (a**2 - abs(h)**2)

for words, function in (("double -H 0.1", double), ("timed -H 0.1 --time 0.4", timed), ("velocity -H 0.1 --speed 60", velocity),
                        ("character -H 0.1", character), ("one-euro --beta 0.1", one_euro),
                        ("resonance -H 0.1 --frequencies 2", resonance)):
    printed = subprocess.run([sys.argv[1]] + words.split() + ["-d", "0", "--decimals", "17", "-c", "x", sys.argv[2]],
                             check=True, capture_output=True, text=True).stdout.split()[1:]
    got = [float(line.split(",")[3 if function is resonance else 1]) for line in printed]
    state, worst = {}, 0
    for n in range(1, len(rows)):
        worst = max(worst, abs(function(rows[n][1], rows[n][0] - rows[n - 1][0], state) - got[n]))
    size = max(map(abs, got))
    assert size > .1 and worst <= 1e-11 * size, (words, worst, size)
P
}

@test "the conversions of the help are those that --verbose prints" {
    fails 0 sprung critical --lag 0.5 -v "$BATS_FILE_TMPDIR/in.csv"
    says 'halflife 0.346574 s, lag 0.5 s'
    for filter in "${filters[@]%% *}"; do
        sprung help $filter > help.txt
        grep -q '^A step of T seconds toward the goal g' help.txt
        narrow help.txt
    done
    sprung help code | grep -q '^    second-order    k1 = z / (pi f), k2 = 1 / (2 pi f)^2, k3 = r z / (2 pi f)$'
}

@test "second-order: clamp, stable and euler step k1, k2 and k3 as the code of t3ssel8r's video does" {
    # Long steps, so that each clamp acts: T is up to 0.03 s, k2 0.0004 s^2.
    for method in euler stable clamp; do
        step=$([[ $method == euler ]] && echo 0.005 || echo 0.03)
        python3 - $method $step > want.csv <<'P'
import math, sys
method, longest = sys.argv[1], float(sys.argv[2])
k1, k2, k3, y, yd, t = .02, .0004, -.01, 3, 0, 0
print("time,x,want")
for n in range(400):
    T = longest * (.4 + .6 * (n % 3) / 2)
    t += T if n else 0
    x = 3 * math.cos(2 * t) + (n > 200) * 5
    if n:
        xd = (x - last) / T
        safe = {"euler": k2, "stable": max(k2, 1.1 * (T * T / 4 + T * k1 / 2)),
                "clamp": max(k2, T * T / 2 + T * k1 / 2, T * k1)}[method]
        y += T * yd
        yd += T * (x + k3 * xd - y - k1 * yd) / safe
    last = x
    print("%.12f,%.17g,%.17g" % (t, x, y))
P
        sprung second-order -f 7.957747154594767 -z 0.5 -r -1 --method $method -c x -d 0 --decimals 17 want.csv > got.csv
        python3 - <<'P'
rows = [[float(c) for c in line.split(",")] for line in list(open("got.csv"))[1:]]
assert len(rows) == 400
assert max(abs(r[1] - r[2]) for r in rows) < 1e-8, max(abs(r[1] - r[2]) for r in rows)
assert max(abs(r[2]) for r in rows) < 100
P
    done
    # The coefficients of his code are no options.
    fails 2 sprung second-order --k1 0.02 --k2 0.0004 --k3 0 want.csv
    says '-f is 1 / (2 pi sqrt(k2)), -z is k1 / (2 sqrt(k2)), and -r is 2 k3 / k1'
}
