#!/usr/bin/env bats
# --resample: rows at even times made of rows at any. An independent resampler (resample.py), which counts in fractions,
# says what must come out; here it is given to every format, at every cut of blocks.
load ../common

MAKE=$TOOLS/make_audio.py

grid()
{
    python3 "$TOOLS/resample.py" "$@"
}

# Prints the goals that a filter steps over as they are.
goals()
{
    sprung damper -H 1e-30 --hold linear -d 0 -q "$@"
}

# agrees HZ 'OPTIONS OF SPRUNG' 'OPTIONS OF CHECK': in.csv resampled is what fractions say.
agrees()
{
    local n
    # shellcheck disable=SC2086
    goals -c x,y --resample "$1" ${2-} in.csv > out.csv
    # shellcheck disable=SC2086
    n=$(grid check "$1" in.csv out.csv ${3-})
    [ "$n" -gt 10 ]
}

# near FILE FILE: csv with the same rows of numbers, whatever their names; times may differ in the last place.
near()
{
    python3 - "$@" <<'P'
import csv, sys
a, b = (list(csv.reader(open(name)))[1:] for name in sys.argv[1:3])
assert len(a) == len(b) > 10, (len(a), len(b))
for p, q in zip(a, b):
    p, q = ([None if x in ("", "nan") else float(x) for x in v] for v in (p, q))
    assert abs(p[0] - q[0]) < 1e-12, (p, q)
    assert all(x == y or abs(x - y) <= 1e-6 for x, y in zip(p[1:], q[1:])), (p, q) # motion formats have some six decimals
P
}

@test "rows at any times: points between them lie on the line, points on them are them" {
    grid make 1 400 > in.csv
    for hz in 10 100 60 29.97 3 0.7; do agrees $hz; done
    grid make 1 100 > in.csv
    for hz in 1000 123.456789; do agrees $hz; done
}

@test "times count as decimals, wherever they begin" {
    grid make 2 300 --scale 6 --origin 1700000000 > in.csv
    agrees 1000000
    grid make 3 300 --scale 3 --origin -2 > in.csv
    agrees 60
}

@test "times in milliseconds, microseconds and nanoseconds" {
    grid make 5 300 --scale 0 --origin 1700000000000 > in.csv
    agrees 120 "--time-unit ms" "--unit 1/1000"
    agrees 100 "--time-unit ms" "--unit 1/1000"
    agrees 1e5 "--time-unit us" "--unit 1/1000000"
    agrees 1e9 "--time-unit ns" "--unit 1/1000000000"
}

@test "times with more digits than a double holds" {
    grid make 5 300 --scale 0 --origin 1700000000123456789 > in.csv
    agrees 1e9 "--time-unit ns" "--unit 1/1000000000"
    agrees 3e8 "--time-unit ns" "--unit 1/1000000000"
    grid make 6 300 --scale 9 --origin 1700000000 > in.csv
    agrees 1e9
    agrees 7e7 "--group-by who" "--group"
    grid make 7 300 --scale 9 --origin -1700000000 > in.csv
    agrees 3e8
    printf 'time,x\n1700000000.123456789,0\n1700000000.223456790,1\n' > in.csv
    goals --resample 10 in.csv | cut -d, -f1 | tail -n 1 | grep -x 1700000000.223456789
    goals --resample 10 in.csv --to jsonl | tail -n 1 | grep '"time": 1700000000.223456789,'
    goals --resample 10 in.csv --to jsonl | goals --resample 10 | tail -n 1 | grep '"time": 1700000000.223456789,'
    printf 'time,x\n1700000000223456790,1\n1700000000223456789,1\n' > in.csv
    fails 2 goals --time-unit ns --resample 10 in.csv
    says '1700000000223456789 after 1700000000223456790'
}

@test "rows by number: --rate" {
    grid make 6 400 > in.csv
    agrees 25 "--rate 60" "--rate 60"
    agrees 144 "--rate 60" "--rate 60"
    agrees 29.97 "--rate 59.94 --group-by who" "--rate 59.94 --group"
}

@test "gaps: points between a gap and anything are gaps, one on a value is not" {
    grid make 7 400 --holes 0.2 > in.csv
    agrees 100
    agrees 20
    agrees 7 "--missing -999"
}

@test "cuts that are found are found on the grid, and told in true time" {
    python3 -c '
print("time,x")
for n in range(100): print("%.2f,%.3f" % (100 + n / 50, (n % 3) * 0.001 + (n >= 60) * 9))' > in.csv
    sprung tracking --detect-cuts 20 --resample 100 in.csv -v 2>&1 > /dev/null | grep 'cut found at 101.2 s'
}

@test "groups have grids of their own, and points come in the order in which they are known" {
    grid make 9 600 > in.csv
    agrees 30 "--group-by who -x cut" "--group"
    agrees 7 "--group-by who" "--group"
}

@test "angles go the short way between rows" {
    grid make 10 400 > in.csv
    agrees 60 "--angles x,y" "--period 360"
    printf 'time,x\n0,170\n.25,175\n.5,180\n.75,185\n1,190\n' > want.csv
    printf 'time,x\n0,170\n1,-170\n' | goals --resample 4 --angles x | sprung diff --angles x --key time want.csv -
    printf 'time,x\n0,0.9\n1,0.1\n' | goals --resample 4 --angles x --period 1 | cut -d, -f2 | tail -n 1 | grep -x '0.1'
}

@test "rotations of a steady spin: the filter sees even steps of it" {
    # At uneven times and with random signs. A damper of a ramp lags by tau (1 - exp(-t / tau)), tau = H / ln 2.
    python3 - > in.csv <<'P'
import math, random
random.seed(8)
print("time,q_w,q_x,q_y,q_z")
t = 0
while t < 4000:
    a, s = 5 * t / 1000 / 2, random.choice([1, -1])
    q = (math.cos(a), 2 / 3 * math.sin(a), -1 / 3 * math.sin(a), 2 / 3 * math.sin(a))
    print("%.3f,%s" % (t / 1000, ",".join("%.17g" % (s * x) for x in q)))
    t += random.randint(1, 300)
P
    sprung damper -H 0.1 --hold linear -d 1 --quaternions q --resample 60 in.csv > damper.csv
    sprung tracking -d 1 --quaternions q --resample 60 in.csv > tracking.csv
    python3 - <<'P'
import csv, math
times = [float(row[0]) for row in list(csv.reader(open("in.csv")))[1:]]
last = times[-1]
axis = (2 / 3, -1 / 3, 2 / 3)
tau = 0.1 / math.log(2)
for name in "damper", "tracking":
    head, *rows = csv.reader(open(name + ".csv"))
    assert head == "time q_w q_x q_y q_z q_vel_x q_vel_y q_vel_z".split(), head
    assert len(rows) == int(last * 60 + 1e-9) + 1 > 200, (len(rows), last)
    for n, row in enumerate(rows):
        t, q, v = float(row[0]), [float(x) for x in row[1:5]], [float(x) for x in row[5:]]
        assert abs(t - n / 60) < 1e-15 * max(1, t), (n, t)
        slow = math.exp(-t / tau)
        late, rate = (tau * (1 - slow), 5 * (1 - slow)) if name == "damper" else (0, 5 * (n > 0))
        if name == "tracking" and 0 < t < times[1]:
            continue  # from rest to the speed: a curve
        a = 5 * (t - late) / 2
        want = [math.cos(a)] + [x * math.sin(a) for x in axis]
        sign = 1 if sum(x * y for x, y in zip(q, want)) > 0 else -1
        assert max(abs(x - sign * y) for x, y in zip(q, want)) < 1e-12, (name, n, q, want)
        assert max(abs(x - rate * y) for x, y in zip(v, axis)) < 1e-10, (name, n, v, rate)
P
}

@test "rotations go the short way at an even rate, whatever their signs" {
    python3 - > in.csv <<'P'
import math, random
random.seed(6)
print("time,q_w,q_x,q_y,q_z")
for n in range(60):
    q = [random.gauss(0, 1) for _ in range(4)]
    if n % 5 == 3:
        q = [1, 1e-9 * n, 2e-9, 0]
    if n % 5 == 4:
        q = [-x for x in last]
    last = q = [x / math.sqrt(sum(y * y for y in q)) for x in q]
    print("%d,%s" % (n, ",".join("%.17g" % x for x in q) if n % 20 != 10 else ",0,0,1"))
P
    goals --quaternions q --resample 7 in.csv > out.csv
    python3 - <<'P'
import csv, math
old, new = ([[float(x or "nan") for x in row] for row in list(csv.reader(open(name)))[1:]] for name in ("in.csv", "out.csv"))
assert len(new) == 59 * 7 + 1
for k, (t, *got) in enumerate(new):
    i, f = divmod(k, 7)
    a, b, f = old[i][1:], old[min(i + 1, 59)][1:], f / 7
    if math.isnan(sum(a)) or (f and math.isnan(sum(b))):
        assert all(map(math.isnan, got)), (k, got)
        continue
    if f:
        dot = sum(x * y for x, y in zip(a, b))
        b = [x if dot >= 0 else -x for x in b]
        # The angle between them by the two sides of the rhombus that they span: exact at every angle.
        whole = 2 * math.atan2(math.dist(a, b), math.dist(a, [-x for x in b]))
        if whole > 1e-8:
            a = [(math.sin(whole * (1 - f)) * x + math.sin(whole * f) * y) / math.sin(whole) for x, y in zip(a, b)]
        else:
            a = [x * (1 - f) + y * f for x, y in zip(a, b)]
    sign = 1 if sum(x * y for x, y in zip(a, got)) > 0 else -1
    assert max(abs(sign * x - y) for x, y in zip(got, a)) < 1e-14, (k, got, a)
P
    printf 'time,q_w,q_x,q_y,q_z\n0,0.6,0.8,0,0\n1,-0.6,-0.8,0,0\n' | goals --quaternions q --resample 2 | cut -d, -f2- | uniq -c |
        grep -q ' 3 0.6,0.8,0,0'
}

@test "equal times: the first row counts; a step backward is an error with its line" {
    printf 'time,x,p\n0,0,a\n1,4,b\n1,9,c\n2,8,d\n' | goals -c x --resample 2 > out.csv
    printf 'time,x,p\n0,0,a\n0.5,2,a\n1,4,b\n1.5,6,b\n2,8,d\n' | cmp - out.csv
    printf 'time,x\n0,0\n1,4\n0.5,9\n' > in.csv
    fails 2 goals --resample 2 in.csv
    says 'in.csv:4: column "time": time goes backward: 0.5 after 1'
    [ "$(wc -l < out.txt)" = 4 ]
}

@test "times are short decimals, and are not rounded with the numbers" {
    printf 'time,x\n0.00,0\n0.29,1\n' | goals --resample 100 | cut -d, -f1 > out.txt
    (echo time; echo 0; for n in {1..29}; do printf '0.%02d\n' "$n"; done) | sed 's/\(\.[1-9]\)0$/\1/' | cmp - out.txt
    printf 'time,x\n3,0\n13,1\n' | goals --resample 400 --time-unit ms | cut -d, -f1 | tr '\n' ' ' > out.txt
    grep -x 'time 3 5.5 8 10.5 13 ' out.txt
    printf 'time,x\n0,0\n0.003,1\n' | goals --resample 1000 --decimals 1 > out.txt
    printf 'time,x\n0,0.0\n0.001,0.3\n0.002,0.7\n0.003,1.0\n' | cmp - out.txt
    printf 'time;x\n0,5;0\n1;1\n' | goals --resample 4 --decimal , --delimiter ';' --decimals 1 > out.txt
    printf 'time;x\n0,5;0,0\n0,75;0,5\n1;1,0\n' | cmp - out.txt
}

# Filters, one a line, and their options.
filters()
{
    cat <<'F'
damper -H 0.1
one-euro --beta 0.1
critical -H 0.1 --gaps fill
critical -H 0.1 --hold linear --gaps restart
spring -f 2 -z 0.3 --max-gap 0.02
second-order -f 2 -z 0.5 -r -1
double -H 0.1
timed -H 0.1 --time 0.2
velocity -H 0.1 --speed 2
character -H 0.2 --predict 0.1
resonance -H 0.5 --frequencies 1,2
F
}

# Filters that take cuts.
filters_with_cuts()
{
    cat <<'F'
tracking --cut-column c
tracking --detect-cuts 5
tracking --cuts 6,7.003 --max-acceleration 500
tracking --method gain --gaps fill
inertialize -H 0.1 --cut-column c
inertialize -H 0.1 --detect-cuts 5
F
}

# many_rows STEP: rows at hundredths of a second, STEP of them apart, or 1 to 9 at random where STEP is 0.
many_rows()
{
    python3 - "$1" <<'P'
import math, random, sys
random.seed(4)
print("time,x,y,p,c")
t = 500
for n in range(2000):
    y = "" if n % 71 < 3 else repr(math.cos(n / 9))
    print("%.2f,%r,%s,t%d,%d" % (t / 100, random.gauss(0, 3) + (n // 100 % 2) * 90, y, n, n % 97 == 5))
    t += int(sys.argv[1]) or random.randint(1, 9)
P
}

@test "a row at a point has the numbers that it has without the grid, for every filter" {
    many_rows 0 > in.csv
    { filters; filters_with_cuts; } | while read -r filter; do
        # shellcheck disable=SC2086
        sprung $filter -c x,y in.csv > plain.csv
        for hz in 4 20 37.5; do
            # shellcheck disable=SC2086
            sprung $filter -c x,y --resample $hz in.csv > even$hz.csv
        done
        python3 - <<'P'
import csv
plain, *others = (list(csv.reader(open(name + ".csv"))) for name in ("plain", "even4", "even20", "even37.5"))
rows = {float(row[0]): row[1:3] + row[5:] for row in plain[1:]}
for even in others:
    assert plain[0] == even[0]
    both = [(rows[float(row[0])], row[1:3] + row[5:]) for row in even[1:] if float(row[0]) in rows]
    assert len(both) > 20, len(both)
    for a, b in both:
        assert a == b, (a, b)
P
    done
}

@test "cuts of rotations are judged between rows, and a row at a point has its rotation without the grid" {
    python3 - > in.csv <<'P'
import math, random
random.seed(9)
print("time,q_w,q_x,q_y,q_z")
t = 0
for n in range(600):
    a, b = 0.4 * math.sin(t / 60) + (n // 100 % 2) * 2, 0.3 * math.cos(t / 45)
    q = (math.cos(a) * math.cos(b), math.sin(a) * math.cos(b), math.cos(a) * math.sin(b), math.sin(a) * math.sin(b))
    print("%.2f,%s" % (t / 100, ",".join("%.12g" % x for x in q)))
    t += random.choice([1, 2, 3])
P
    for filter in "tracking --detect-cuts 30" "inertialize -H 0.1 --detect-cuts 30"; do
        # shellcheck disable=SC2086
        sprung $filter -d 1 --quaternions q -v in.csv > plain.csv 2> plain.txt
        # shellcheck disable=SC2086
        sprung $filter -d 1 --quaternions q -v --resample 60 in.csv > even.csv 2> even.txt
        grep 'cut found' plain.txt > want.txt
        grep 'cut found' even.txt | cmp - want.txt
        [ "$(wc -l < want.txt)" = 5 ]
        python3 - <<'P'
import csv
plain, even = ([[float(x) for x in row] for row in list(csv.reader(open(name + ".csv")))[1:]] for name in ("plain", "even"))
rows = {row[0]: row[1:] for row in plain}
both = [(rows[row[0]], row[1:]) for row in even if row[0] in rows]
assert len(both) > 50, len(both)
assert all(abs(x - y) < 1e-9 for a, b in both for x, y in zip(a, b))
P
    done
}

@test "counts of -v are of rows that were read, those of --report of rows that are printed" {
    printf 'time,x\n0,0\n0.1,4\n0.2,\n0.3,1\n0.4,1\n0.5,1\n' > in.csv
    sprung tracking --cuts 0.35 --resample 4 -v in.csv 2>&1 > /dev/null | grep ' 6 rows, 1 missing value, 1 cut,'
    sprung butterworth --cutoff 0.096 --zero-phase --resample 4 -v in.csv 2>&1 > /dev/null | grep ' 6 rows, 1 missing value, 0 cuts,'
    sprung critical -H 1 --resample 4 --report text in.csv > /dev/null 2> report.txt
    grep ', 3 rows$' report.txt
    grep -E '^x +0[.]583[0-9]* +3 +0[.]5 .* 1 +0$' report.txt
}

@test "filters with cuts: a point is on the cubic curve through the values and velocities of the rows beside it" {
    python3 -c '
import math
print("time,x")
for n in range(600): print("%.17g,%.17g" % (n / 120, math.sin(n / 40) + n * n / 5e4))' > in.csv
    for filter in "tracking" "tracking --max-acceleration 15" "tracking --method spring-damper --max-acceleration 15" "inertialize -H 0.1"; do
        # shellcheck disable=SC2086
        sprung $filter in.csv > plain.csv
        # shellcheck disable=SC2086
        sprung $filter --rate 120 -x time in.csv --resample 50 | cut -d, -f2- > even.csv
        python3 - <<'P'
import csv
plain, even = ([[float(x) for x in row] for row in list(csv.reader(open(name + ".csv")))[1:]] for name in ("plain", "even"))
assert len(even) == 250
for n, (x, v, a) in enumerate(even[1:], 1):
    row = -(-n * 12 // 5)  # at or after the point
    (_, p, m, _), (_, q, k, a_to) = plain[row - 1:row + 1]
    T, s = 1 / 120, n * 12 / 5 - (row - 1)
    # Hermite's basis: two values, two slopes
    want = ((2 * s**3 - 3 * s**2 + 1) * p + (s**3 - 2 * s**2 + s) * T * m + (3 * s**2 - 2 * s**3) * q + (s**3 - s**2) * T * k,
            (6 * s**2 - 6 * s) * (p - q) / T + (3 * s**2 - 4 * s + 1) * m + (3 * s**2 - 2 * s) * k,
            (12 * s - 6) * (p - q) / T**2 + (6 * s - 4) * m / T + (6 * s - 2) * k / T)
    if n % 5 == 0:  # a row is at the point, and keeps its own acceleration
        want = q, k, a_to
    assert all(abs(g - w) < tol for g, w, tol in zip((x, v, a), want, (1e-12, 1e-10, 1e-7))), (n, (x, v, a), want)
P
    done
}

@test "noise between the points does not come through: 51 Hz at 1000 Hz, resampled to 10 Hz" {
    python3 -c '
import math
print("time,x")
for n in range(3001): print("%.3f,%.17g" % (n / 1000, math.sin(2 * math.pi * 51 * n / 1000)))' > in.csv
    sprung critical -H 0.1 -d 0 --resample 10 in.csv > out.csv
    python3 - <<'P'
import cmath, csv, math
rows = [float(x) for _, x in list(csv.reader(open("out.csv")))[1:]]
assert len(rows) == 31
# 51 Hz at 10 points a second is 1 Hz. The spring's gain is s / |s - w^2 + i d w|.
size = abs(sum(x * cmath.exp(-0.2j * math.pi * n) for n, x in enumerate(rows[21:]))) / 5
y, w = 2 * math.log(2) / 0.1, 2 * math.pi * 51
assert abs(size / (y * y / (y * y + w * w)) - 1) < 0.01, size
P
}

@test "a point is the state of the filter: that of a file with a row of the same goal there" {
    printf 'time,x\n0,1\n0.02,0\n0.04,3\n0.06,4\n' > in.csv
    printf 'time,x\n0,1\n0.01,0\n0.02,0\n0.03,3\n0.04,3\n0.05,4\n0.06,4\n' > jumps.csv
    printf 'time,x\n0,1\n0.01,0.5\n0.02,0\n0.03,1.5\n0.04,3\n0.05,3.5\n0.06,4\n' > moves.csv
    for filter in "critical -H 0.1" "spring -f 2 -z 0.3" "damper -H 0.1" "double -H 0.1"; do
        # shellcheck disable=SC2086
        sprung $filter -d 1 jumps.csv | sprung diff --abs 1e-12 - <(sprung $filter -d 1 --resample 100 in.csv)
        # shellcheck disable=SC2086
        sprung $filter -d 1 --hold linear moves.csv | sprung diff --abs 1e-12 - <(sprung $filter -d 1 --hold linear --resample 100 in.csv)
    done
}

@test "live: points come out as soon as the row after them is there" {
    each_row '%d.5,%d' 10 critical -H 1 --resample 10
}

@test "memory is bounded: an hour at 100 kHz, and a hundred thousand rows for each point" {
    [[ ${BUILD:-} == *san* ]] && skip "sanitizers take more"
    printf 'time,x,p\n0,0,%s\n3600,1,b\n' "$(printf '%01000d' 0 | tr 0 a)" > in.csv
    (ulimit -v 20000 && "$SPRUNG" critical -H 1 --resample 1e5 -j 1 in.csv) | head -n 200000 | tail -n 1 | cut -d, -f1 > out.txt
    grep -x '1.99998' out.txt
    python3 -c '
print("time,x,p")
for n in range(300001): print("%.6f,%d,%s" % (n / 1e6, n, "text" * 9))' > many.csv
    (ulimit -v 20000 && "$SPRUNG" damper -H 1 -d 0 --resample 10 -j 1 many.csv) > out.csv
    cut -d, -f1 out.csv | tr '\n' ' ' | grep -x 'time 0 0.1 0.2 0.3 '
}

@test "csv: header, line ends, quotes and other cells are kept; lines between rows are not" {
    printf '\xef\xbb\xbf# made by hand\r\n"time";"x";note;id\r\n0; 1,0 ;"a;""b""";9007199254740993\r\n# hm\r\n1;"2,0";x;2' > in.csv
    goals --resample 2 -c x --delimiter ';' --decimal , in.csv > out.csv
    printf '\xef\xbb\xbf# made by hand\r\n"time";"x";note;id\r\n0; 1 ;"a;""b""";9007199254740993\r\n0,5; 1,5 ;"a;""b""";9007199254740993\r\n1;"2";x;2\r\n' > want.csv
    cmp out.csv want.csv
    printf 'time\tx\n0\t1\n1\t2\n' | goals --from tsv --resample 2 | cmp - <(printf 'time\tx\n0\t1\n0.5\t1.5\n1\t2\n')
    printf 'x\n1\n\n' | goals --rate 1 --resample 2 | cmp - <(printf 'x\n1\n')
    printf '"x"\n1\nNA\n3\n' | goals --rate 1 --resample 2 | cmp - <(printf '"x"\n1\nnan\nNA\nNA\n3\n')
    printf 'time,x\n' | goals --resample 2 | cmp - <(printf 'time,x\n')
    printf 'time,x\r0,1\r1,2\r' | goals --resample 2 | cmp - <(printf 'time,x\r0,1\r0.5,1.5\r1,2\r')
}

@test "json: records keep their shape, and convert" {
    printf '[{"id":9007199254740993,"time":0,"hip":{"x":1,"ok":true},"v":[1, 2]},\n {"id":2,"time":1,"hip":{"x":3,"ok":null},"v":[3, null]}]\n' > in.json
    goals --resample 2 -c hip.x,v.0,v.1 -d 1 in.json > out.json
    cat > want.json <<'J'
[
{"id":9007199254740993,"time":0,"hip":{"x":1,"ok":true},"v":[1, 2], "hip.x_vel": 0, "v.0_vel": 0, "v.1_vel": 0},
{"id":9007199254740993,"time":0.5,"hip":{"x":2,"ok":true},"v":[2, null], "hip.x_vel": 2, "v.0_vel": 2, "v.1_vel": null},
{"id":2,"time":1,"hip":{"x":3,"ok":null},"v":[3, null], "hip.x_vel": 2, "v.0_vel": 2, "v.1_vel": null}
]
J
    cmp out.json want.json
    goals --resample 2 -c hip.x in.json --to csv > out.csv
    printf 'id,time,hip.x,hip.ok,v.0,v.1\n9007199254740993,0,1,true,1,2\n9007199254740993,0.5,2,true,1,2\n2,1,3,,3,\n' | cmp - out.csv
    printf '{"t":0,"x":1,"n":"a"}\n{"t":1,"x":2,"n":"b"}\n' | goals --resample 2 > out.jsonl
    printf '{"t":0,"x":1,"n":"a"}\n{"t":0.5,"x":1.5,"n":"a"}\n{"t":1,"x":2,"n":"b"}\n' | cmp - out.jsonl
    printf '1\n2\n' | goals --from jsonl --rate 1 --resample 2 | cmp - <(printf '1\n1.5\n2\n')
    printf 'time,x,n\n0,1,a\n1,2,"b"\n' | goals --resample 2 --to jsonl > out.jsonl
    printf '{"time": 0, "x": 1, "n": "a"}\n{"time": 0.5, "x": 1.5, "n": "a"}\n{"time": 1, "x": 2, "n": "b"}\n' | cmp - out.jsonl
}

@test "rows without a time column begin with their time in another table format" {
    # By the rate in the head, which Vicon's own format keeps, and by --rate, in each group.
    goals --resample 60 "$DATA/vicon.csv" --to jsonl > out.jsonl
    head -n 2 out.jsonl | tail -n 1 | grep -q '^{"time": 0.016666666666666666, "Frame": 2, "Sub Frame": 0, "Daphnee:WRIST.X": 59'
    goals --resample 60 "$DATA/vicon.csv" | sed -n 2p | grep -q '^60,'
    ! goals --resample 60 "$DATA/vicon.csv" | grep -q time
    ! goals "$DATA/vicon.csv" --to jsonl | grep -q time
    printf 'g,x\na,0\nb,2\na,1\nb,4\n' > in.csv
    goals --group-by g --rate 10 --resample 20 in.csv --to tsv | tr '\t' , |
        cmp - <(printf 'time,g,x\n0,a,0\n0,b,2\n0.05,a,0.5\n0.1,a,1\n0.05,b,3\n0.1,b,4\n')
    printf '{"x":[0,1,2]}' | goals --rate 2 --resample 2 --to csv | cmp - <(printf 'time,x\n0,0\n0.5,1\n1,2\n')
    # Without names, beside a time column that is only copied, and in JSON records, rows keep their shape.
    printf '0\n1\n' | goals --no-header --rate 10 --resample 20 --to tsv | cmp - <(printf '0\n0.5\n1\n')
    printf 'time,x\n0,0\n1,1\n' | goals --rate 10 --resample 20 --to tsv | cmp - <(printf 'time\tx\n0\t0\n0\t0.5\n1\t1\n')
    printf '[{"x":0},{"x":1}]' | goals --rate 10 --resample 10 --to jsonl | cmp - <(printf '{"x":0}\n{"x":1}\n')
}

@test "json: what stands around records is not lost, but refused" {
    printf '{"a":{"r":[{"time":0,"x":1},{"time":1,"x":2}]},"rest":5}' > in.json
    fails 2 goals --records /a/r --resample 2 in.json
    says '--resample does not work with records inside a document'
    says '--to jsonl'
    goals --records /a/r --resample 2 in.json --to jsonl | tail -n 1 | grep -x '{"time":1,"x":2}'
    printf '{"time":[0,1,2],"x":[0,5,1],"n":["a","b","c"]}' > in.json
    fails 2 goals --resample 2 in.json
    says '--resample does not work with an object of columns'
    goals --resample 1 in.json --to jsonl | cmp - <(printf '{"time": 0, "x": 0, "n": "a"}\n{"time": 1, "x": 5, "n": "b"}\n{"time": 2, "x": 1, "n": "c"}\n')
}

@test "of motion, what is filtered first is even at another rate" {
    sprung critical -H 0.05 --resample 50 -c '*rotation' -q -o out.bvh "$DATA/walk.bvh"
    # The other way gives even motion.
    fails 0 sprung critical -H 0.05 -c '*rotation' -o filtered.bvh "$DATA/walk.bvh"
    [ -z "$err" ]
    fails 0 sprung tracking --resample 50 -o even.bvh filtered.bvh
    [ -z "$err" ]
    [ "$(reads even.bvh | column 2 | uniq -d | wc -l)" -lt "$(reads out.bvh | column 2 | uniq -d | wc -l)" ]
}

@test "bvh, trc, sto, mot: headers tell the new rows, and another program reads them" {
    for file in walk.bvh markers.trc angles.sto angles.mot; do
        for hz in 50 240; do
            sprung critical -H 0.05 --resample $hz "$DATA/$file" > "$file"
            sprung critical -H 0.05 --resample $hz "$DATA/$file" -d 0 --to csv --decimals input > direct.csv
            reads "$file" > read.csv
            case $file in
            *.trc) python3 - <<'P'
import csv
rows = list(csv.reader(open("direct.csv")))
csv.writer(open("direct.csv", "w")).writerows([row[1:2] + row[:1] + row[2:] for row in rows])
P
            esac
            near direct.csv read.csv
            sprung damper -H 1e-9 "$file" | cmp - "$file" || [ $file = angles.mot ]
            rows=$(($(wc -l < read.csv) - 1))
            case $file in
            *.bvh) grep -aq "^Frames:.$rows" "$file" && grep -aq "^Frame Time:.$(python3 -c "print(1 / $hz)")" "$file" ;;
            *.trc) sed -n 3p "$file" | grep -q "^$hz.100.00.$rows.3.mm.100.00.1.120" ;;
            *) grep -q "^nRows=$rows" "$file" ;;
            esac
        done
    done
    cut -f 1 markers.trc | sed '1,/^Frame#/d' | grep -E '^[0-9]+$' | cmp - <(seq "$(sed -n 3p markers.trc | cut -f 3)")
    cmp <(sed -n 4,6p markers.trc) <(sed -n 4,6p "$DATA/markers.trc") # the last of them is blank
    sed -n '7,$p' "$DATA/markers.trc" | grep -q $'\t\r$'
    ! sed -n '7,$p' markers.trc | grep -q $'[0-9]\t\r$'
    sprung critical -H 0.05 --resample 240 "$DATA/markers.trc" | cmp - markers.trc
    sprung critical -H 0.05 --resample 240 - < "$DATA/markers.trc" -o out.trc
    cmp out.trc markers.trc
}

@test "sto: DataRate becomes the new rate; what is no number stays" {
    local way top='DataType=Quaternion\nendheader\ntime\thip\n0\t1,0,0,0\n1\t1,0,0,0\n2\t1,0,0,0\n'
    printf "DataRate=1.000000\n$top" > in.sto
    printf "DataRate= 1e0 Hz\r\n$top" > blank.sto
    printf "DataRate=\nother=1\n$top" > without.sto
    for way in 'critical -H 0.1' 'butterworth --cutoff .3 --zero-phase'; do
        sprung $way -d 0 --resample 2.5 in.sto | sed -n 1p | grep -qx 'DataRate=2.5'
        sprung $way -d 0 --resample 2.5 blank.sto | sed -n 1p | grep -qx $'DataRate= 2.5 Hz\r'
        sprung $way -d 0 --resample 2.5 without.sto | sed -n 1p | grep -qx 'DataRate='
        sprung $way -d 0 in.sto | sed -n 1p | grep -qx 'DataRate=1.000000'
    done
}

@test "motion formats: derivatives, gaps and conversions" {
    sprung critical -H 0.05 --resample 50 "$DATA/angles.sto" -d 1 > out.sto
    grep -qx 'nColumns=7' out.sto
    reads out.sto | sed -n 1p | grep -q 'hip_flexion_r_vel,knee_angle_r_vel,knee_moment_r_vel$'
    sprung critical -H 0.05 --resample 50 "$DATA/angles.sto" -d 1 --to csv --decimals input > direct.csv
    reads out.sto > read.csv
    near direct.csv read.csv
    fails 2 sprung critical -H 0.05 --resample 50 -d 1 "$DATA/walk.bvh"
    says 'derivatives'
}

@test "audio: another rate, the frames that it has, and samples between the old ones" {
    python3 "$MAKE" stereo in.wav
    python3 "$MAKE" samples in.wav > in.txt
    for hz in 12000 8000 5000 44100; do
        sprung damper -H 1e-30 --hold linear --resample $hz in.wav > out.wav
        python3 "$MAKE" samples out.wav > out.txt
        python3 - $hz <<'P'
import sys
from fractions import Fraction
old, new = ([float(x) for x in open(name).read().split()] for name in ("in.txt", "out.txt"))
hz, rate, channels = int(sys.argv[1]), int(old[0]), int(old[1])
assert new[:2] == [hz, channels], new[:2]
old, new = ([v[2 + c::channels] for c in range(channels)] for v in (old, new))
for c in range(channels):
    n = (len(old[c]) - 1) * hz // rate + 1
    assert len(new[c]) == n, (len(new[c]), n)
    for k, x in enumerate(new[c]):
        at = Fraction(k * rate, hz)
        i = int(at)
        end = old[c][min(i + 1, len(old[c]) - 1)]
        want = Fraction(old[c][i]) + Fraction(end - old[c][i]) * (at - i)
        assert abs(Fraction(x) - want) <= Fraction(1, 2), (c, k, x, float(want))
P
    done
    sprung damper -H 1e-9 --resample 12000 in.wav > out.wav
    cat in.wav | sprung damper -H 1e-9 --resample 12000 > piped.wav
    cmp out.wav piped.wav
    sprung damper -H 1e-9 --resample 8000 in.wav -c ch1 > same.wav
    cmp <(python3 "$MAKE" samples same.wav) <(python3 "$MAKE" samples in.wav)
    fails 2 sprung damper -H 1 --resample 44100.5 in.wav
    says 'audio needs a whole number'
}

@test "audio: cue points are named as lost, and other chunks stay" {
    python3 "$MAKE" cue in.wav
    fails 0 sprung damper -H 1e-9 --resample 24000 in.wav -o out.wav
    says 'metadata not kept: 2 cue points'
    ! grep -q 'cue ' out.wav
    python3 "$MAKE" metadata in.wav
    sprung damper -H 1e-9 --resample 24000 in.wav -o out.wav
    python3 "$MAKE" chunks in.wav > in.txt
    python3 "$MAKE" chunks out.wav > out.txt
    grep LIST in.txt | cmp - <(grep LIST out.txt)
}

@test "audio from and to csv" {
    printf 'time,x\n0,0\n0.0011,0.5\n0.004,-0.5\n' > in.csv
    goals --resample 1000 in.csv --to wav > out.wav
    python3 "$MAKE" samples out.wav | head -n 3 | tr '\n' ' ' | grep -q '^1000 1 '
    goals --resample 1000 in.csv --to wav | goals --from wav --to csv - > back.csv
    goals --resample 1000 in.csv | sed 's/x/ch1/' | sprung diff --abs 1e-7 - back.csv
}

@test "a filter that leaves its channel as it is shows the text of the row before" {
    printf 'time,x\n0,0\n1,4\n2,0\n' | sprung resonance -H 1 --frequencies 1 --resample 2 | cut -d, -f1,2 |
        cmp - <(printf 'time,x\n0,0\n0.5,0\n1,4\n1.5,4\n2,0\n')
}

@test "words: -v tells the rate; wrong values and missing times are errors" {
    printf 'time,x\n0,0\n1,4\n' > in.csv
    sprung critical -H 1 --resample 29.97 -v in.csv 2>&1 > /dev/null | grep -q 'resampled to 29.97 rows per second'
    for hz in 0 -1 nan inf 12x ''; do
        fails 2 sprung critical -H 1 --resample "$hz" in.csv
        says '--resample'
    done
    printf 'x\n0\n1\n' > bare.csv
    fails 2 sprung critical -H 1 --resample 10 bare.csv
    says 'no time column found, and the row rate is unknown'
}

@test "faults are told with the line of the row that is at fault" {
    python3 -c '
print("time,x,\"a\nb\"")
for n in range(50000): print("%d,%s,\"q\n%d\"" % (n, "oops" if n == 40000 else n, n))' > in.csv
    fails 2 goals -c x --resample 0.5 in.csv
    says 'in.csv:80003: column "x": not a number: "oops"'
    [ "$(wc -l < out.txt)" = 40002 ]
    fails 2 goals -c x --resample 3 in.csv
    says 'in.csv:80003: column "x": not a number: "oops"'
}

@test "dates cannot be resampled without --rate, as the manual says" {
    printf 'time,x\n2026-01-01T00:00:00,1\n2026-01-01T00:00:01,2\n2026-01-01T00:00:02,3\n' > dates.csv
    fails 2 sprung critical -H 0.1 --resample 2 dates.csv
    says 'if no row is missing, give the row rate in place of the times, as in --rate 100'
    sprung critical -H 0.1 -d 0 --rate 1 --resample 2 dates.csv > out.csv
    [ "$(wc -l < out.csv)" = 6 ]
    sprung help resampling | tr -s ' \n' '  ' | grep -q 'frame numbers cannot be resampled without --rate\.'
}
