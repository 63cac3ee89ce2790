#!/usr/bin/env bats
# Cuts from every source, and what tracking and inertialize do at them.
load ../common

# A line of slope 1 that jumps by 10 before the row at 2 s; 0.1 s a row.
setup()
{
    cd "$BATS_TEST_TMPDIR"
    python3 - <<'P'
with open("in.csv", "w") as f:
    f.write("time,x,c\n")
    for n in range(41):
        f.write("%g,%g,%d\n" % (n / 10, n / 10 + (10 if n >= 20 else 0), n == 20))
P
    sprung tracking -d 0 -c x --cut-column c in.csv > want.csv
}

@test "without cuts a clean line passes bit for bit, jump and all" {
    sprung tracking -d 0 -c x in.csv | cmp - in.csv
    # With the last row, which waits for the end.
    printf 'time,x\n0,1\n1,2\n2,3\n3,7\n' > line.csv
    sprung inertialize -H 0.1 -d 0 line.csv | cmp - line.csv
}

@test "at a cut the curve goes on from where it was, and comes to the signal in time" {
    python3 - <<'P'
rows = [line.split(",") for line in open("want.csv").read().split()[1:]]
x = [float(row[1]) for row in rows]
assert x[:20] == [n / 10 for n in range(20)], "clean before the cut"
assert abs(x[20] - x[19]) < 2.5, "no jump of 10 at the cut"
assert abs(x[40] - 14) < abs(x[20] - 12), "comes nearer"
P
}

@test "a cut column and a list give the same bytes" {
    sprung tracking -d 0 -c x --cuts 2 in.csv | cmp - want.csv
    sprung tracking -d 0 -c x --cuts 1.95,7 in.csv | cmp - want.csv
    sprung tracking -d 0 -c x --cuts 7,2,2 in.csv | cmp - want.csv
    fails 0 sprung tracking -c x --cuts 2,4 in.csv
    [ -z "$err" ]
    fails 0 sprung tracking -c x --cuts 300,2 in.csv
    [ "$err" = 'sprung: in.csv: warning: --cuts 300: no row has this time or a later one' ]
    sprung tracking -d 0 -c x --rate 10 --cuts 2 in.csv | cmp - want.csv
}

@test "a cut at the time of a row is at this row, whatever the unit of the times" {
    local unit first
    for unit in s:.210: ms:210: us:210000: ns:210000000:; do
        IFS=: read -r unit first _ <<< "$unit"
        printf 'time,x\n1700000000%s,0\n1700000001%s,7\n1700000002%s,9\n' "$first" "$first" "$first" > in.csv
        sprung tracking --time-unit $unit --cuts 1700000001.21 -v -d 0 in.csv 2> err.txt > at.csv
        grep -q ' 1 cut,' err.txt
        sprung tracking --time-unit $unit --cuts 1700000000.9 -d 0 in.csv | cmp at.csv -
    done
}

@test "detection finds the jump, and -v says where" {
    sprung tracking -d 0 -c x --detect-cuts 8 -v in.csv 2> err.txt | cmp - want.csv
    grep -q 'cut found at 2 s in "x"' err.txt
    [ "$(grep -c 'cut found' err.txt)" = 1 ]
}

@test "detection finds none in a clean curve" {
    python3 -c '
import math
print("time,x")
for n in range(300): print("%.3f,%r" % (n / 60, round(math.sin(n / 20), 6) or 0))' > sine.csv
    sprung tracking --detect-cuts 8 -v -d 0 sine.csv 2> err.txt | cmp - sine.csv
    ! grep 'cut found' err.txt
}

@test "detection sees both edges of a spike, and tracking is never further from the truth than the input" {
    python3 - "$SPRUNG" << 'P'
import math, re, subprocess, sys
n, rate, takes = 260, 120, []
for phase in range(0, 63, 7):
    for size in 1, -1, 2, -2, 5, -5, 20, -20, 100, -100:
        truth = [100 * math.sin(2 * math.pi * .8 * k / rate + phase / 10) for k in range(n)]
        takes.append((size, truth, [x + size * (k == 150) for k, x in enumerate(truth)]))
text = "time," + ",".join(f"x{c}" for c in range(len(takes))) + "\n"
text += "".join(f"{k / rate!r}," + ",".join(repr(x[k]) for _, _, x in takes) + "\n" for k in range(n))

def run(*words):
    r = subprocess.run([sys.argv[1], *words, "-v", "-d", "0"], input=text, text=True, capture_output=True, check=True)
    return list(zip(*[[float(x) for x in row.split(",")] for row in r.stdout.split()[1:]]))[1:], r.stderr

def rms(a, b):
    return math.sqrt(sum((x - y) ** 2 for x, y in zip(a, b)))

for words in (["5"], ["8"], ["12"], ["20"], ["8", "--method", "halflife"], ["8", "--position-gain", "0.1"]):
    out, said = run("tracking", "--detect-cuts", *words)
    for c, (size, truth, x) in enumerate(takes):
        assert rms(out[c], truth) <= rms(x, truth) * (1 + 1e-9), (words, size, rms(out[c], truth) / rms(x, truth))
        found = re.findall(rf'cut found at (\S+) s in "x{c}"', said)
        assert found in ([], ["1.25", "1.25833"]), (words, size, found)
        if abs(size) > 2:
            assert found and max(abs(a - b) for a, b in zip(out[c], truth)) < .2, (words, size, found)
rows, _ = run("tracking", "--detect-cuts", "8")
out, _ = run("tracking", "--detect-cuts", "8", "--resample", "240")
assert all(rms(y[::2], x) < 1e-9 for x, y in zip(rows, out))  # points between the rows change nothing
P
}

@test "a spike in an angle or a rotation is bridged, wherever its rows are cut" {
    python3 - << 'P' > turn.csv
import math
print("time,a,q_w,q_x,q_y,q_z")
for k in range(200):
    a = 40 + 3 * k + 5 * math.sin(k / 9) + (30 if k == 120 else 0)
    h = math.radians(a) / 2
    print(f"{k / 100},{a % 360!r},{math.cos(h)!r},0,{.6 * math.sin(h)!r},{.8 * math.sin(h)!r}")
P
    sprung tracking -d 0 --detect-cuts 8 --angles a --quaternions q -v turn.csv > out.csv 2> err.txt
    [ "$(grep -c 'cut found at 1.2 s' err.txt)" = 2 ]
    [ "$(grep -c 'cut found at 1.21 s' err.txt)" = 2 ]
    [ "$(grep -c 'cut found' err.txt)" = 4 ]
    python3 - << 'P'
import math
for k, row in enumerate(open("out.csv").read().split()[1:]):
    _, a, w, x, y, z = map(float, row.split(","))
    want = 40 + 3 * k + 5 * math.sin(k / 9)
    h = math.radians(want) / 2
    assert abs((a - want + 180) % 360 - 180) < .1, (k, a)
    assert abs(abs(w * math.cos(h) + (.6 * y + .8 * z) * math.sin(h)) - 1) < 1e-6, k
P
    for rows in 1 7 100; do
        { head -n 1 turn.csv; for ((i = 2; i <= 201; i += rows)); do tail -n +"$i" turn.csv | head -n "$rows"; done; } |
            sprung tracking -d 0 --detect-cuts 8 --angles a --quaternions q | cmp - out.csv
    done
}

@test "detection finds one-step jumps once, and none at a corner" {
    awk 'BEGIN { print "time,x,y"; for (i = 0; i < 200; i++)
        printf "%.2f,%.6f,%.6f\n", i / 100, 10 * sin(i / 20) + 50 * (i > 80) - 30 * (i > 140), (i > 100 ? 4 * i - 400 : 0) + 1e-3 * sin(i * i) }' > jump.csv
    sprung tracking --detect-cuts 10 -v jump.csv 2>&1 > /dev/null | grep -o 'found at .*' > found.txt
    printf 'found at 0.81 s in "x"\nfound at 1.41 s in "x"\n' | cmp - found.txt
}

@test "detection finds nothing in smooth motion in few digits, at any speed, and a second run in place changes nothing" {
    python3 - "$SPRUNG" <<'P'
import math, random, struct, subprocess, sys
random.seed(28)
def single(x):
    return struct.unpack("f", struct.pack("f", x))[0]
def as_decimals(n):
    return lambda x: "%.*f" % (n, x)
def as_digits(n):
    return lambda x: "%.*g" % (n, x)
digits = [as_digits(n) for n in range(3, 10)]
spellings = [as_decimals(n) for n in (3, 4, 6)] + digits
spellings += [lambda x: repr(single(x)), lambda x: "%.9g" % single(x), lambda x: "%.6f" % single(x)]
rows = 250
names, columns = ["time"], [[repr(k / 100) for k in range(rows)]]
for number, spell in enumerate(spellings):
    for speed in (.001, .05, 1, 30, 700):
        start, slope = random.uniform(-9, 9), speed * random.uniform(.5, 2)
        names.append("sine%d_%g" % (number, speed))
        columns.append([spell(start + slope * math.sin(k / 20 + start)) for k in range(rows)])
        if spell not in digits:  # a line that passes a power of ten is written with fewer decimals at once
            names.append("line%d_%g" % (number, speed))
            columns.append([spell(start + slope * k / 100) for k in range(rows)])
        names += ["turn%d_%g_%s" % (number, speed, c) for c in "wxyz"]
        halves = [min(slope, 40) * k / 200 + start for k in range(rows)]
        columns += [[spell(math.cos(h)) for h in halves]] + [[spell(part * math.sin(h)) for h in halves] for part in (0, .6, .8)]
with open("smooth.csv", "w") as f:
    f.write("\n".join(",".join(row) for row in [names] + [list(row) for row in zip(*columns)]) + "\n")
run = subprocess.run([sys.argv[1], "tracking", "--detect-cuts", "8", "-d", "0", "--quaternions", "turn*", "-v", "smooth.csv"],
                     text=True, capture_output=True, check=True)
found = [line for line in run.stderr.split("\n") if "cut found" in line]
assert not found, (len(found), found[:5])
assert run.stdout == open("smooth.csv").read()
P
    # A jump of a few units of the last digit is found all the same.
    awk 'BEGIN { print "time,x"; for (i = 0; i < 100; i++) printf "%.2f,%.3f\n", i / 100, i / 8 + (i > 50) * 0.008 }' > jump.csv
    sprung tracking --detect-cuts 8 -v jump.csv 2>&1 > /dev/null | grep 'cut found at 0.51 s'
}

@test "-v counts the cuts that are found by channel, and the cuts that are given once" {
    awk 'BEGIN { print "time,a,b,c"; for (i = 0; i < 60; i++) printf "%.2f,%d,%d,%d\n", i / 100, i + 90 * (i >= 20), i - 90 * (i >= 20), i % 3 }' > jumps.csv
    fails 0 sprung tracking --detect-cuts 10 -c a,b -d 0 -v jumps.csv
    says '60 rows, 0 missing values, 2 cuts, 1 group'
    awk -F, -v OFS=, '{ $3 = NR > 1 && $1 >= 0.4 ? $3 + 90 : $3; print }' jumps.csv > more.csv
    fails 0 sprung tracking --detect-cuts 10 -c a,b -d 0 -v more.csv
    says ' 3 cuts, '
    fails 0 sprung tracking --cuts 0.2,0.4 -d 0 -v jumps.csv
    says ' 2 cuts, '
}

@test "inertialize: position goes on over the cut, outside of it the signal is untouched" {
    sprung inertialize -H 0.2 -d 0 -c x --cuts 2 in.csv > out.csv
    cmp <(head -n 21 in.csv) <(head -n 21 out.csv)
    python3 - <<'P'
x = [float(line.split(",")[1]) for line in open("out.csv").read().split()[1:]]
assert abs(x[20] - 2.0) < 1e-9, x[20]     # the source went on to 2.0; the destination moves alike
assert abs(x[40] - 14) < 0.2, x[40]
P
}

@test "clips need no markers" {
    sprung tracking -d 0 -c x --max-velocity 2 in.csv > out.csv
    cmp <(head -n 21 in.csv) <(head -n 21 out.csv)
    ! cmp -s in.csv out.csv
}

@test "limits: a step that is fast at the start or behind a gap is caught up with from behind, as later in the file" {
    awk 'BEGIN { print "time,x,y,z"; for (i = 0; i < 300; i++) { x = i > 0; printf "%.3f,%d,%d,%d\n", i / 200, x, 2 * x, -x } }' > start.csv
    awk 'BEGIN { print "time,x"; for (i = 0; i < 300; i++) printf "%.3f,%s\n", i / 200, i >= 20 && i < 25 ? "" : i == 25 }' > gap.csv
    for options in "" "--acceleration-gain 0.5" "--method gain" "--method halflife" "--method spring-damper" "--max-acceleration 50"; do
        for limit in 0 3 20; do
            # shellcheck disable=SC2086
            sprung tracking --max-velocity $limit $options -q -d 0 -c x start.csv > out.csv
            # shellcheck disable=SC2086
            sprung tracking --max-velocity $limit $options -q -d 0 gap.csv > gap.out
            # the pull overshoots by a tenth
            awk -F, 'FNR > 1 && $2 != "" && ($2 < -0.15 || $2 > 1.15) { print FILENAME, $0; exit 1 }' out.csv gap.out ||
                { echo "$options $limit"; return 1; }
            awk -F, 'FNR > 1 && $2 > 0.9 { exit 1 }' gap.out
        done
        # a vector has no axes of its own
        # shellcheck disable=SC2086
        sprung tracking --max-velocity 9 $options -q -d 0 --vectors 2-4 start.csv |
            awk -F, 'NR > 1 && ($3 - 2 * $2 > 1e-9 || 2 * $2 - $3 > 1e-9 || $4 + $2 > 1e-9 || $2 + $4 > 1e-9) { exit 1 }'
    done
}

@test "cuts are refused where they mean nothing, or are not numbers" {
    fails 2 sprung critical -H 0.1 --cuts 2 in.csv
    says '--cuts'
    fails 2 sprung tracking --cuts 1,two in.csv
    says '--cuts'
    fails 2 sprung tracking --cut-column nosuch in.csv
    says 'nosuch'
}

@test "a spike that is not yet known is not looked ahead to: a file and small pieces give the same bytes" {
    for seed in 4 5 6 7 8 9; do
        python3 - $seed > in.csv <<'P'
import random, sys
random.seed(int(sys.argv[1]))
x = t = 0
print("time,x")
for i in range(60):
    t += random.choice([10, 10, 1, 17])
    x += random.gauss(0, .1) + (random.choice([-20, 20]) if random.random() < .08 else 0)
    print("%.3f,%.4f" % (t / 1000, x + (random.choice([-30, 30]) if random.random() < .1 else 0)))
P
        sprung inertialize -H 0.041 --detect-cuts 5 in.csv > whole.csv
        "$ROOT/tests/properties" --feed 7 in.csv "$SPRUNG" inertialize -H 0.041 --detect-cuts 5 | cmp - whole.csv
    done
}

@test "-v says the cuts that are found, however the rows arrive" {
    awk 'BEGIN { print "time,g,x"; for (i = 0; i < 300; i++) printf "%.2f,%s,%d\n", i / 100, substr("abc", i * i % 3 + 1, 1), i + 90 * (i % 100 > 40) }' > in.csv
    sprung tracking --detect-cuts 8 -v --group-by g in.csv 2>&1 > /dev/null | grep -o 'cut found.*' | sort > want
    in_pieces in.csv | sprung tracking --detect-cuts 8 -v --group-by g --from csv - 2>&1 > /dev/null | grep -o 'cut found.*' | sort | cmp - want
    [ "$(wc -l < want)" -gt 3 ]
}
