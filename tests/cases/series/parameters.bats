#!/usr/bin/env bats
# Values of options that come from a column: @COLUMN.
load ../common

setup()
{
    cd "$BATS_TEST_TMPDIR"
    # Two groups at uneven times; s and h are half-lives, with gaps after the first rows of both groups.
    python3 - <<'P'
import math, random
random.seed(13)
t = {"a": 0, "b": .05}
with open("take.csv", "w") as f:
    f.write("time,x,s,f,z,r,gain,who\n")
    for n in range(20):
        g = "ab"[n % 3 == 1]
        s = "" if n > 2 and n % 4 == 0 else "%.5g" % random.uniform(.05, .5)
        f.write("%.3f,%.9g,%s,%.6g,%.6g,%.6g,%.4g,%s\n" % (t[g], math.sin(3 * t[g]) + n // 6, s, random.uniform(.5, 3),
                random.choice([.2, .7, 1, 2]), random.uniform(-1, 2), random.uniform(.005, .3), g))
        t[g] += random.choice((.01, .03, .1))
P
}

# filtered FILTER OPTIONS [NAME=VALUE]...: filters take.csv, and prints the cases for matrix_rows.py.
filtered()
{
    local filter=$1 options=$2
    shift 2
    n=$((${n:-0} + 1))
    sprung $filter $options -q -d 1 --group-by who -c x take.csv > out$n.csv
    echo "$filter out$n.csv x group=who $*"
}

@test "each row has its own parameters: an integrator of piecewise constant ones agrees to 1e-12" {
    needs python3
    {
        filtered damper "-H @s" halflife=@s
        filtered damper "--remaining @gain --hold linear" remaining=@gain hold=linear
        filtered critical "-H @s" halflife=@s
        filtered critical "--lag @s --goal-velocity difference" lag=@s goal-velocity=difference
        filtered critical "-f @f --start-velocity first --predict 0.2" frequency=@f start-velocity=first predict=0.2
        filtered spring "-f @f -z @z" frequency=@f damping-ratio=@z
        filtered spring "-k 30 -H @s --hold linear" stiffness=30 halflife=@s hold=linear
        filtered double "-H @s" halflife=@s
        filtered second-order "-f @f -z @z -r @r" frequency=@f damping-ratio=@z response=@r
        filtered tracking "--position-gain @gain --start 3" position-gain=@gain start=3
        filtered tracking "--velocity-gain @gain --acceleration-gain @gain --start-velocity 1" velocity-gain=@gain acceleration-gain=@gain start-velocity=1
    } > cases
    [ "$(python3 "$TOOLS/matrix_rows.py" take.csv < cases)" = $((12 * 40)) ]
}

@test "one-euro and the half-lives of tracking take columns" {
    needs python3
    sprung one-euro --min-cutoff @f --beta @z --derivative-cutoff @gain -d 0 --group-by who -c x take.csv > one.csv
    sprung tracking --method halflife --position-halflife @s --velocity-halflife @gain -d 0 -q --group-by who -c x take.csv > two.csv
    python3 - <<'P'
import csv, math
rows, one, two = (list(csv.DictReader(open(f))) for f in ("take.csv", "one.csv", "two.csv"))
last, n = {}, 0
for row, a, b in zip(rows, one, two):
    g, t, s = float(row["x"]), float(row["time"]), last.get(row["who"])
    f, z, c = (float(row[k]) for k in ("f", "z", "gain"))
    if s is None:
        s = dict(t=t, g=g, x=g, d=0, y=g, v=0, q=None, h=None)
    else:
        T = t - s["t"]
        slope = (g - s["x"]) / T
        s["d"] += (1 - math.exp(-2 * math.pi * c * T)) * (slope - s["d"])
        s["x"] = g + (s["x"] - g) * math.exp(-2 * math.pi * (f + z * abs(s["d"])) * T)
        h = float(row["s"]) if row["s"] else s["h"]
        q = (g - s["g"]) / T
        v = s["v"] if s["q"] is not None else q
        if s["q"] is not None:
            v += q - s["q"]
        v += (1 - 2 ** (-T / c)) * (q - v)
        v += (1 - 2 ** (-T / h)) * ((g - s["y"]) / T - v)
        s.update(t=t, g=g, y=s["y"] + T * v, v=v, q=q)
    if row["s"]:
        s["h"] = float(row["s"])
    last[row["who"]] = s
    assert abs(float(a["x"]) - s["x"]) < 1e-12 and abs(float(b["x"]) - s["y"]) < 1e-12, (row, a, b, s)
    n += 1
assert n == 20
P
}

@test "--set takes a column for some channels, and --then in a later filter" {
    printf 'time,x,y,h\n0,1,1,0.5\n1,3,3,0.5\n2,3,3,1\n' > in.csv
    # Half-life 1 for x; of the row for y, twice.
    sprung damper -H 1 --set y:halflife=@h -d 0 --then 'damper -H @h -c y' in.csv | grep -v time > out.csv
    [ "$(cut -d, -f2 out.csv | tr '\n' ' ')" = "1 2 2.5 " ]
    sprung damper -H 1 --set y:halflife=@h -d 0 in.csv | sprung damper -H @h -d 0 -c y | grep -v time | cmp - out.csv
    [ "$(cut -d, -f3 out.csv | tr '\n' ' ')" = "1 2.125 2.4375 " ]
    # A number of --set replaces a column of the command line, and the other way round.
    [ "$(sprung damper -H @h --set x:halflife=1 -d 0 in.csv)" = "$(sprung damper -H 1 --set y:halflife=@h -d 0 in.csv)" ]
    [ "$(sprung damper -H @h --set x:lag=1.4426950408889634 -d 0 in.csv)" = "$(sprung damper -H 1 --set y:halflife=@h -d 0 in.csv)" ]
}

@test "a column of parameters is no channel, and --verbose says why" {
    printf 'time,x,h\n0,1,0.5\n1,3,\n2,3,1\n' > in.csv
    sprung damper -H @h -d 1 -v in.csv > out.csv 2> said
    [ "$(head -n 1 out.csv)" = time,x,h,x_vel ]
    cut -d, -f1,3 out.csv | cmp - <(cut -d, -f1,3 in.csv)
    grep -q "column \"h\" is not filtered: it supplies an option's values" said
    grep -q 'damper: halflife @h' said
    grep -q 'equivalent' said && return 1
    [ "$(sprung damper -H @3 -d 0 in.csv)" = "$(sprung damper -H @h -d 0 in.csv)" ]
    printf '[{"t":0,"x":1,"p":{"h":0.5}},{"t":1,"x":3,"p":{"h":null}}]' > in.json
    sprung damper -H @p.h -d 0 in.json | grep -qF '{"t":1,"x":2.5,"p":{"h":null}}'
    fails 2 sprung damper -H @h -c x,h in.csv
    says '--columns names this column, but it is already a column with the values of an option'
}

@test "values out of range, and missing ones at the start, are errors with their line" {
    printf 'time,x,h,note\n0,1,0.5,a\n1,3,,b\n2,3,0,c\n3,4,1,d\n' > in.csv
    fails 2 sprung damper -H @h -d 0 in.csv
    [ "$(wc -l < out.txt)" = 3 ]
    says 'in.csv:4: column "h": --halflife: must be greater than 0: "0"'
    fails 2 sprung second-order -f 1 -z @h -r @x in.csv
    says 'nothing to filter: the first data row has no number except the time'
    printf 'time,x,h\n0,1,\n1,3,1\n' > late.csv
    fails 2 sprung damper -H @h late.csv
    says 'late.csv:2: column "h": --halflife: the first row has no value for it'
    printf 'time,x,h\n0,1,1e-200\n' > far.csv
    fails 2 sprung critical -H @h far.csv
    says 'far.csv:2: column "h": --halflife 1e-200 is out of range'
    printf 'time,x,h\n0,1,1\n1,2,1\n2,2,-1\n' > gain.csv
    fails 2 sprung tracking --position-gain @h -q gain.csv
    says 'gain.csv:4: column "h": --position-gain: must be from 0 to 1: "-1"'
}

@test "the bytes do not depend on blocks, look-ahead or threads" {
    needs python3
    sprung critical -H @s -d 1 --group-by who -c x take.csv > out.csv
    while read -r row; do echo "$row"; done < take.csv | sprung critical -H @s -d 1 --group-by who -c x | cmp - out.csv
    sprung tracking --position-gain @gain -q -d 1 --cuts 0.2 --group-by who -c x take.csv > out.csv
    # No cut is that large: rows only wait for the next.
    while read -r row; do echo "$row"; done < take.csv |
        sprung tracking --position-gain @gain -q -d 1 --cuts 0.2 --detect-cuts 1e300 --group-by who -c x | cmp - out.csv
}

@test "rotations take parameters of their rows" {
    awk -v OFS=, 'BEGIN { print "time,x,r_x,r_y,r_z,h"; for (n = 0; n < 6; n++) print n / 10, n * n, 0, 0, n * n, 0.1 + n % 3 / 10 }' > turn.csv
    sprung critical -H @h -d 1 --rotations r:XYZ turn.csv | tail -n +2 |
        awk -F, '{ d = $2 - $5; v = $7 - $10; if (d * d > 1e-20 || v * v > 1e-18) exit 1; n++ } END { exit n != 6 }'
    # A limit in degrees stays one, whatever the row's gain is.
    sprung tracking --position-gain @h --max-velocity 40 --max-acceleration 900 -q -d 1 --rotations r:XYZ turn.csv | tail -n +2 |
        awk -F, '{ d = $2 - $5; v = $7 - $10; if (d * d > 1e-18 || v * v > 1e-14) exit 1; n++ } END { exit n != 6 }'
}

@test "@COLUMN is refused with the reason where it has no meaning" {
    fails 2 sprung critical -H @s --zero-phase -c x take.csv
    says '--zero-phase cannot be combined with @COLUMN'
    fails 2 sprung critical -H @s --resample 10 -c x take.csv
    says '--resample cannot be combined with @COLUMN'
    fails 2 sprung critical --cutoff @s -c x take.csv
    says '--cutoff cannot take its value from a column'
    fails 2 sprung spring --cutoff 3 -z @z -c x --group-by who take.csv
    says 'cannot be combined with --cutoff'
    fails 2 sprung inertialize -H @s take.csv
    says '--halflife cannot take its value from a column'
    fails 2 sprung critical -H @nothing take.csv
    says 'nothing'
    fails 2 sprung critical -H @who take.csv
    says 'its first row holds text'
    fails 2 sprung critical -H @time take.csv
    says 'it is already the time column'
    fails 2 sprung critical -H @ take.csv
    says 'a column name is missing after @'
    fails 2 sprung response critical -H @s
    says '@COLUMN needs a file with columns, but response reads none'
}
