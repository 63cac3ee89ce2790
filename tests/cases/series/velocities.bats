#!/usr/bin/env bats
# --goal-velocity-from: velocities of the goals from columns of their own.
load ../common

setup()
{
    cd "$BATS_TEST_TMPDIR"
    # A and B at uneven times, with velocities; gaps in values, in velocities, and in both.
    python3 - <<'P'
import math, random
random.seed(3)
t, rows = 0, []
for n in range(160):
    t += random.choice((10, 15, 40))
    s = t / 1000
    cells = []
    for c, f in enumerate((math.sin, math.cos)):
        x, v = f(3 * s) + random.gauss(0, .01), (math.cos, lambda a: -math.sin(a))[c](3 * s) * 3
        cells += ["" if n and random.random() < .1 else "%.9g" % x, "" if random.random() < .1 else "%.9g" % v]
    rows.append(("%.3f" % s, *cells, "row %d" % n))
with open("take.csv", "w") as f:
    f.write("time,A.pos,A.vel,B.pos,B.vel,note\n")
    for row in rows:
        f.write(",".join(row) + "\n")
P
}

# follows NAME VELOCITY FILE [LINEAR]: the column NAME of FILE, as the spring of -f 1.5 -z 0.7 by its equation, whose goal
# has the velocity that take.csv says in VELOCITY, or the difference since the last value.
follows()
{
    python3 - "$@" <<'P'
import csv, math, sys
name, velocity, file, linear = sys.argv[1], sys.argv[2], sys.argv[3], len(sys.argv) > 4
w = 2 * math.pi * 1.5
s, d = w * w, 2 * .7 * w
rows, out = (list(csv.DictReader(open(f))) for f in ("take.csv", file))
x = before = float(rows[0][name])
v = since = 0
for last, row, got in zip(rows, rows[1:], out[1:]):
    T = float(row["time"]) - float(last["time"])
    since += T
    gap = row[name] == ""
    goal = before if gap else float(row[name])
    q = 0 if gap else float(row[velocity]) if row[velocity] else (goal - before) / since
    n = 40
    h = T / n
    for i in range(n):
        def slope(x, v, t):
            g = before + (goal - before) * t / T if linear else goal
            return v, s * (g - x) + d * (q - v)
        a1, b1 = slope(x, v, i * h)
        a2, b2 = slope(x + h / 2 * a1, v + h / 2 * b1, (i + .5) * h)
        a3, b3 = slope(x + h / 2 * a2, v + h / 2 * b2, (i + .5) * h)
        a4, b4 = slope(x + h * a3, v + h * b3, (i + 1) * h)
        x, v = x + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4), v + h / 6 * (b1 + 2 * b2 + 2 * b3 + b4)
    before, since = goal, since if gap else 0
    want = x, v, s * (goal - x) + d * (q - v)
    for number, column in zip(want, (name, name + "_vel", name + "_acc")):
        assert abs(float(got[column]) - number) < 1e-7 * (1 + abs(number)), (row, column, got[column], number)
P
}

@test "the velocity of the goal is the measured one, and the difference where that is missing" {
    for hold in step linear; do
        sprung spring -f 1.5 -z 0.7 --hold $hold --gaps fill --goal-velocity-from '*.pos:*.vel' take.csv > out.csv
        follows A.pos A.vel out.csv ${hold#step}
        follows B.pos B.vel out.csv ${hold#step}
    done
}

@test "the columns of velocities are copied; other channels are filtered as without" {
    sprung critical -H 0.1 --goal-velocity-from 'A.pos:A.vel' take.csv > out.csv
    [ "$(head -n 1 out.csv)" = time,A.pos,A.vel,B.pos,B.vel,note,A.pos_vel,A.pos_acc,B.pos_vel,B.pos_acc,B.vel_vel,B.vel_acc ]
    cmp <(column 1,3,6 < take.csv) <(column 1,3,6 < out.csv)
    sprung critical -H 0.1 -x A.vel take.csv > plain.csv
    cmp <(column 4,5,9- < plain.csv) <(column 4,5,9- < out.csv)
    ! cmp -s plain.csv out.csv
    # Unless they are channels themselves.
    sprung critical -H 0.1 -c A.pos,A.vel -d 0 --goal-velocity-from 'A.pos:A.vel' take.csv > both.csv
    sprung critical -H 0.1 -c A.vel -d 0 take.csv | column 3 | cmp - <(column 3 < both.csv)
    cmp <(column 2 < both.csv) <(column 2 < out.csv)
}

@test "one by one and with a *, csv and json, groups and one after the other, pieces and whole: the same numbers" {
    run() { sprung second-order -f 2 -z 0.5 -r 1.5 "$@"; }
    run --goal-velocity-from '*.pos:*.vel' take.csv > want.csv
    run --goal-velocity-from 'A.pos:A.vel' --goal-velocity-from 4:5 take.csv | cmp - want.csv
    in_pieces take.csv | run --goal-velocity-from '*.pos:*.vel' | cmp - want.csv
    run --goal-velocity-from '*.pos:*.vel' -j 4 --from csv - < take.csv | cmp - want.csv
    run -d 0 --goal-velocity-from '*.pos:*.vel' --to json take.csv > out.json
    python3 - <<'P'
import csv, json
rows, want = json.load(open("out.json")), list(csv.DictReader(open("want.csv")))
for row, line in zip(rows, want, strict=True):
    for name in "A.pos", "A.vel", "B.pos", "B.vel":
        assert (None if line[name] == "" else float(line[name])) == row[name], (row, line)
with open("take.jsonl", "w") as f:
    for row in csv.DictReader(open("take.csv")):
        f.write(json.dumps({k: v if k == "note" else None if v == "" else float(v) for k, v in row.items()}) + "\n")
with open("mixed.csv", "w") as f:
    lines = open("take.csv").read().splitlines()
    f.write(lines[0] + ",who\n")
    for line in lines[1:]:
        f.write(line + ",a\n" + line + ",b\n")
P
    run --goal-velocity-from '*.pos:*.vel' --to csv take.jsonl | sprung diff --rel 0 want.csv -
    run --goal-velocity-from '*.pos:*.vel' --group-by who mixed.csv | grep -v ',b,' > a.csv
    sprung diff --rel 0 -c 'A.*,B.*' want.csv a.csv
}

@test "a measured velocity passes less noise than the difference" {
    python3 - <<'P'
import math, random
random.seed(5)
with open("noisy.csv", "w") as f:
    f.write("time,x,v\n")
    for n in range(600):
        f.write("%.2f,%.9f,%.9f\n" % (n / 100, math.sin(n / 50) + random.gauss(0, .01), 2 * math.cos(n / 50)))
P
    sprung critical -H 0.1 -x v --goal-velocity difference noisy.csv > difference.csv
    sprung critical -H 0.1 --goal-velocity-from x:v noisy.csv > measured.csv
    python3 - <<'P'
import csv, math
def off(name):
    rows = list(csv.DictReader(open(name)))[100:]
    return math.sqrt(sum((float(r["x_vel"]) - 2 * math.cos(2 * float(r["time"])))**2 for r in rows) / len(rows))
assert off("measured.csv") < .3 * off("difference.csv"), (off("measured.csv"), off("difference.csv"))
P
}

@test "which column has which velocity is told with -v" {
    fails 0 sprung critical -H 0.1 -v -x note --goal-velocity-from '*.pos:*.vel' take.csv
    says 'velocity of "B.pos": column "B.vel"'
}

@test "what cannot be is refused" {
    refuse() { fails 2 sprung critical -H 0.1 --goal-velocity-from "$@" take.csv; }
    refuse A.pos
    says '--goal-velocity-from: must be LIST:COLUMN: "A.pos"'
    refuse 'A.pos:A.val'
    says 'no column "A.val"'
    says 'did you mean "A.vel"?'
    refuse '*.pos:*.speed'
    says 'found no columns that match both "*.pos" and "*.speed" with the same *'
    refuse 'A.pos:note'
    says 'column "note": --goal-velocity-from names this column, but its first row holds text'
    refuse 'A.pos:time'
    says 'it is already the time column'
    refuse 'B.pos:B.vel' -c A.pos
    says 'column "B.pos" is not filtered'
    refuse '*.pos:*.vel' --zero-phase
    says 'cannot be combined with --zero-phase'
    refuse '*.pos:*.vel' --resample 10
    says 'cannot be combined with --resample'
    fails 2 sprung damper -H 0.1 --goal-velocity-from '*.pos:*.vel' take.csv
    says 'damper has no --goal-velocity-from'
    says 'filters with --goal-velocity-from: critical, spring, '
    printf 'time,q_w,q_x,q_y,q_z,v\n0,1,0,0,0,0\n' > turn.csv
    fails 2 sprung critical -H 0.1 --quaternions q --goal-velocity-from q_x:v turn.csv
    says 'column "q_x": --goal-velocity-from cannot be used for part of a rotation'
    printf 'time,x,v\n0,1,0\n1,2,word\n' > text.csv
    fails 2 sprung critical -H 0.1 --goal-velocity-from x:v text.csv
    says 'text.csv:3: column "v": not a number'
    says 'hint: if this text means a gap, use --missing TEXT'
}
