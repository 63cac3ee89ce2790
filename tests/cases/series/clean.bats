#!/usr/bin/env bats
# --mask, --despike and --gaps linear: what is cleaned before the first filter. An independent program (clean.py),
# which fills in fractions, says what must come out.
load ../common

# A filter that prints its goals as they are, also after cuts.
loud_goals()
{
    sprung tracking --position-gain 1 --velocity-gain 1 -d 0 "$@"
}
goals()
{
    loud_goals -q "$@"
}

# agrees 'OPTIONS OF SPRUNG' 'OPTIONS OF CHECK': in.csv is filled as fractions say, in LEAST values at least.
agrees()
{
    local n
    # shellcheck disable=SC2086
    goals -c x,y $1 in.csv > out.csv
    # shellcheck disable=SC2086
    n=$(python3 "$TOOLS/clean.py" check in.csv out.csv $2)
    [ "$n" -ge "$3" ]
}

# spikes SEED NOISE HEIGHT COUNT: clean.csv, a sine of 100 at 0.8 Hz with 120 rows per second and that noise, and take.csv,
# the same with so many spikes of about that height.
spikes()
{
    python3 - "$@" <<'P'
import math, random, sys
seed, noise, height, count = (float(a) for a in sys.argv[1:])
r = random.Random(seed)
at = r.sample(range(30, 1170, 25), int(count))
with open("clean.csv", "w") as clean, open("take.csv", "w") as take:
    for f in clean, take:
        f.write("time,x\n")
    for n in range(1200):
        x = 100 * math.sin(2 * math.pi * 0.8 * n / 120 + 0.3) + (r.gauss(0, noise) if noise else 0)
        jump = r.choice((-1, 1)) * r.uniform(*((height, height) if count == 1 else (25, 80))) if n in at else 0
        clean.write("%.6f,%.9g\n" % (n / 120, x))
        take.write("%.6f,%.9g\n" % (n / 120, x + jump))
P
}

# worst FILE FILE: the largest difference between the channel x of both.
worst()
{
    python3 -c '
import csv, sys
print("%.9g" % max(abs(float(a["x"]) - float(b["x"])) for a, b in zip(*([*csv.DictReader(open(f))] for f in sys.argv[1:]))))' "$@"
}

below()
{
    awk -v a="$1" -v b="$2" 'BEGIN { exit !(a < b) }' || { echo "$1 is not below $2"; return 1; }
}

@test "gaps are filled as fractions say, whole or not at all, in groups and between cuts" {
    for seed in 1 2; do
        python3 "$TOOLS/clean.py" make $seed 400 > in.csv
        for most in "" "--max-gap 3rows" "--max-gap 0.05"; do
            agrees "--gaps linear $most --cuts 1,2.5" "--linear $most --cuts 1,2.5" 20
            agrees "--gaps linear $most --cut-column cut --group-by who" "--linear $most --cut-column --by" 15
        done
    done
}

@test "spikes are bridged as fractions say, with every way of --gaps" {
    for seed in 2 3; do
        python3 "$TOOLS/clean.py" make $seed 400 > in.csv
        agrees "--gaps linear --despike 1000" "--linear --spikes" 12
        agrees "--gaps linear --despike 1000 --max-gap 3rows --cut-column cut" "--linear --spikes --max-gap 3rows --cut-column" 8
        for gaps in keep restart; do
            agrees "--gaps $gaps --despike 1000" "--spikes" 4
        done
    done
}

@test "a gap is filled by the line between its neighbours, and one at the end stays" {
    printf 'x,y\n0,1\n,1\n4,1\n,1\n,1\n10,1\n' | goals --rate 1 --gaps linear > out.csv
    printf 'x,y\n0,1\n2,1\n4,1\n6,1\n8,1\n10,1\n' | cmp - out.csv
    printf 'x,y\n,1\n0,1\n,1\n4,1\n,1\n' | goals -c x,y --rate 1 --gaps linear | tail -n 5 | tr '\n' ' ' | grep -qx ',1 0,1 2,1 4,1 ,1 '
}

@test "a gap as long as the limit is filled, also where the limit is no binary fraction" {
    printf 'time,x\n0,1\n0.1,\n0.2,\n0.3,7\n0.4,8\n' > in.csv
    for most in 0.3 2rows 1e2; do
        goals --gaps linear --max-gap $most in.csv | sed -n 3,4p | tr '\n' ' ' | grep -qx '0.1,3 0.2,5 '
        goals --gaps linear --max-gap $most --rate 10 -c x in.csv | sed -n 3p | grep -qx '0.1,3'
    done
    for most in 0.299999999999999 1rows 0 0rows; do
        goals --gaps linear --max-gap $most in.csv | cmp - in.csv
    done
}

@test "--max-gap in rows: keep and fill restart after a longer gap, forward, both ways, and resampled" {
    printf 'time,x\n0,1\n1,3\n3,\n3.5,\n9,8\n10,8.5\n' > in.csv
    local filter="critical -H 0.4" smooth="butterworth --cutoff 0.1 --zero-phase"
    for options in "$filter" "$filter --gaps fill" "$smooth" "$smooth --gaps fill" "$filter --resample 2" "$filter --gaps fill --resample 2"; do
        for rows in 1 2; do
            # shellcheck disable=SC2086
            sprung $options -d 1 --max-gap ${rows}rows in.csv > rows.csv
            # shellcheck disable=SC2086
            sprung $options -d 1 --max-gap $( ((rows == 1)) && echo 2.2 || echo 8) in.csv | cmp - rows.csv
        done
    done
}

@test "a filled series is filtered as if it had been written so" {
    python3 "$TOOLS/clean.py" make 5 300 > in.csv
    goals -c x,y --gaps linear --max-gap 6rows --decimals 17 in.csv > filled.csv
    for options in "critical -H 0.05" "butterworth --cutoff 2 --zero-phase" "double -H 0.1 --max-gap 6rows" \
        "spring -f 2 -z 0.3 --group-by who --max-gap 1e3"; do
        # shellcheck disable=SC2086
        sprung $options -c x,y --gaps restart filled.csv > want.csv
        [[ $options == *group* ]] && continue
        # shellcheck disable=SC2086
        sprung $options -c x,y --gaps linear --max-gap 6rows in.csv | sprung diff --abs 1e-7 --rel 1e-9 want.csv -
    done
    sprung critical -H 0.05 -c x,y --gaps restart --resample 37 filled.csv > want.csv
    sprung critical -H 0.05 -c x,y --gaps linear --max-gap 6rows --resample 37 in.csv | sprung diff --abs 1e-7 --rel 1e-9 want.csv -
}

@test "in place only the gaps change" {
    printf 'time, x ,"note"\r\n0,1.50,a\r\n1, +2e0,b\r\n2,,c\r\n3,004.0,d\r\n4,NA,"e,"\r\n5,6.,f\r\n6,"7",g\r\n7,,h\r\n' > take.csv
    sprung tracking --gaps linear -i take.csv
    printf 'time, x ,"note"\r\n0,1.50,a\r\n1, +2e0,b\r\n2,3.000000,c\r\n3,004.0,d\r\n4,5.000000,"e,"\r\n5,6.,f\r\n6,"7",g\r\n7,,h\r\n' | cmp - take.csv
}

@test "rows wait for the gap only" {
    each_row '%d,%d' 1 tracking --gaps linear -d 0 -q
    python3 - "$SPRUNG" <<'P'
import select, subprocess, sys
def live(options, value, last_of):
    p = subprocess.Popen([sys.argv[1], "damper", "-H", "1", "-q", "-d", "0", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    p.stdin.write(b"time,x\n")
    got = b""
    for n in range(60):
        p.stdin.write(b"%d,%s\n" % (n, value(n)))
        last = last_of(n)
        while got.count(b"\n") < last + 2:
            ready, _, _ = select.select([p.stdout], [], [], 20)
            assert ready, (options, n, got)
            got += p.stdout.read(65536)
        assert got.count(b"\n") <= last + 2, (options, n, got)
    p.stdin.close()
    p.stdout.read()
    assert p.wait() == 0
# A gap and the row before it, which may share a block with it, come when the row at its end is there.
gap = lambda n: n % 10 in (4, 5)
live(["--gaps", "linear"], lambda n: b"" if gap(n) else b"%d" % n, lambda n: n // 10 * 10 + 3 if gap(n) else n)
P
}

@test "spikes are bridged to a tenth of their size on a clean curve, and under noise" {
    spikes 1 0 5 1
    sprung tracking --despike 5 -d 0 -q take.csv > out.csv
    below "$(worst clean.csv out.csv)" 0.5
    for seed in 1 2 3; do
        spikes $seed 0.3 0 6
        sprung tracking --despike 6 -d 0 -v take.csv > out.csv 2> err.txt
        below "$(worst clean.csv out.csv)" 3
        grep -q 'channel "x": [678] spikes bridged$' err.txt
    done
}

@test "inspect counts the spikes that the filter bridges: 1000 series with gaps" {
    python3 - "$SPRUNG" <<'P'
import json, math, random, subprocess, sys
def report(*words):
    return json.loads(subprocess.run([sys.argv[1], *words], capture_output=True, check=True).stdout)
total, names = 0, [f"c{k}" for k in range(37)] + ["p_x", "p_y", "p_z"]
for seed in range(25):
    r = random.Random(seed)
    with open("in.csv", "w") as f:
        f.write("time," + ",".join(names) + "\n")
        t, gap = 0, [0] * len(names)
        for n in range(200):
            t += r.choice((8, 8, 8, 9, 16)) if seed % 2 else 8
            cells = []
            for k in range(len(names)):
                gap[k] = gap[k] - 1 if gap[k] > 0 else r.choice((0,) * 30 + (1, 2, 3, 20))
                x = 80 * math.sin(t / 300 + k) + r.gauss(0, 0.2) + (r.random() < 0.03) * r.choice((-30, 20, 60))
                cells.append("" if gap[k] > 0 and n > 0 else "%.4f" % x)
            f.write("%.3f,%s\n" % (t / 1000, ",".join(cells)))
    found = [c["spikes"] for c in report("inspect", "--report=json", "in.csv")["tables"][0]["columns"] if c["role"] == "channel"]
    changed = report("damper", "-H", "1", "--despike", "10", "-d", "0", "--report=json", "in.csv", "-o", "out.csv", "--force", "-q")
    bridged = {c["channel"]: c["spikes"] for c in changed["channels"]}
    assert len(found) == 40 and found == [bridged[name] for name in names], (seed, found, bridged)
    total += sum(found)
assert total > 1000, total
P
}

@test "a clean curve, a constant and a step keep their bytes" {
    spikes 1 0 0 0
    awk 'BEGIN { print "time,x,y,z"; for (n = 0; n < 200; n++) print n / 50 ",4.20," (n < 90 ? "1.5" : "-80") "," n * 0.25 }' > steps.csv
    for file in clean.csv steps.csv; do
        sprung tracking --despike 5 -d 0 -q $file | cmp - $file
    done
}

@test "spikes in recordings and in BVH" {
    seq 0 30 | awk '{ print ($1 == 5 ? 0.9 : 0.1 + $1 / 100) }' > spike.csv
    seq 0 30 | awk '{ print 0.1 + $1 / 100 }' > want.csv
    for name in spike want; do
        goals --rate 8000 --to wav $name.csv > $name.wav
    done
    goals --despike 5 spike.wav > out.wav
    sprung diff --abs 4e-5 want.wav out.wav
    { printf 'HIERARCHY\nROOT Hips\n{\n OFFSET 0 0 0\n CHANNELS 3 Xposition Yposition Zposition\n End Site\n {\n OFFSET 0 1 0\n }\n}\n'
      printf 'MOTION\nFrames: 40\nFrame Time: 0.01\n'
      awk 'BEGIN { for (n = 0; n < 40; n++) print n * n " " (n == 6 ? 99 : 2 * n) " 3" }'; } > in.bvh
    sed 's/36 99/36.000000 12.000000/' in.bvh > want.bvh
    goals --despike 5 in.bvh | cmp - want.bvh
}

@test "an angle is filled the shorter way, on the unwrapped angle" {
    printf 'time,a\n0,150\n1,165\n2,\n3,\n4,-150\n5,-135\n' > in.csv
    goals --angles a --gaps linear in.csv | column 2 | tr '\n' ' ' | grep -qx 'a 150 165 180 195 -150 -135 '
    # A spike is one by the shorter way, too.
    awk 'BEGIN { print "time,a"; for (n = 0; n < 40; n++) { a = 170 + n; print n "," (n == 20 ? 15 : (a > 180 ? a - 360 : a)) } }' > in.csv
    awk 'BEGIN { print "time,a"; for (n = 0; n < 40; n++) print n "," 170 + n }' > want.csv
    goals --angles a --despike 5 in.csv | sprung diff --angles a --abs 1e-9 want.csv -
}

# turns OPTION: in.csv, a rotation about a skew axis by the angle t^2 (quaternion q_w .. q_z of either sign, Euler angles e_x,
# e_y, e_z in the order ZXY), in which some components are missing; want.csv, without gaps.
turns()
{
    python3 - <<'P'
import math
n = 1 / math.sqrt(14)
axis = (n, 2 * n, 3 * n)
rows, want = [], []
for i in range(40):
    t = i / 10
    a = 0.25 * t * t
    s, w = math.sin(a / 2), math.cos(a / 2)
    x, y, z = (s * c for c in axis)
    # R = Rz Rx Ry of Hamilton's quaternion.
    ex = math.asin(2 * (y * z + w * x))
    ez = math.atan2(2 * (w * z - x * y), 1 - 2 * (x * x + z * z))
    ey = math.atan2(2 * (w * y - x * z), 1 - 2 * (x * x + y * y))
    e = [math.degrees(v) for v in (ex, ey, ez)]
    q = [w, x, y, z]
    sign = -1 if i % 7 == 3 else 1
    line = ["%.17g" % v for v in [t] + [sign * v for v in q] + e]
    whole = ["%.17g" % v for v in [t] + q + e]
    if 10 <= i < 14 or i == 20 or 30 <= i < 37:
        line[1 + i % 4] = line[5 + i % 3] = ""
    rows.append(line)
    want.append(whole)
for name, lines in ("in.csv", rows), ("want.csv", want):
    with open(name, "w") as f:
        f.write("time,q_w,q_x,q_y,q_z,e_x,e_y,e_z\n")
        f.writelines(",".join(line) + "\n" for line in lines)
P
}

@test "a rotation turns steadily through a gap" {
    turns
    for rotations in "--quaternions q -x e_*" "--rotations e:ZXY -x q_*"; do
        # shellcheck disable=SC2086
        goals $rotations --gaps linear in.csv > out.csv
        [[ $rotations == *ZXY* ]] || python3 - <<'P'
import csv, math
rows = [[float(v) if v else None for v in r[1:5]] for r in [*csv.reader(open("want.csv"))][1:]]
out = [[float(v) for v in r[1:5]] for r in [*csv.reader(open("out.csv"))][1:]]
for a, b in (9, 14), (19, 21), (29, 37):
    p, q = rows[a], rows[b]
    half = math.acos(sum(u * v for u, v in zip(p, q)))
    for i in range(a + 1, b):
        s = (i - a) / (b - a)
        want = [(math.sin((1 - s) * half) * u + math.sin(s * half) * v) / math.sin(half) for u, v in zip(p, q)]
        dot = sum(u * v for u, v in zip(want, out[i]))
        assert abs(abs(dot) - 1) < 1e-12 and sum(u * v for u, v in zip(out[i - 1], out[i])) > 0, (i, want, out[i])
P
    done
    # A spike in one component is one of the rotation; a changed sign is none.
    awk -F, -v OFS=, 'NR == 18 { $4 = 0.9 } { print }' want.csv | awk -F, -v OFS=, 'NR == 26 { for (k = 2; k <= 5; k++) $k = 0 - $k } { print }' > in.csv
    goals --quaternions q -x 'e_*' --despike 5 -v in.csv > out.csv 2> err.txt || goals --quaternions q -x 'e_*' --despike 5 in.csv > out.csv
    sprung diff --abs 1e-5 --quaternions q -c 'q_*' want.csv out.csv
}

@test "the last decimal of angles and rotations is no spike, and a spike among them is found" {
    python3 - <<'P'
import math
for name, spike in ("in.csv", 0), ("spike.csv", 4):
    with open(name, "w") as f:
        f.write("time,q_w,q_x,q_y,q_z,e_z,e_x,e_y,a\n")
        for n in range(1200):
            t = n / 120
            turn = 0.4 * math.sin(0.9 * t) + 0.1 * math.sin(2.1 * t) + math.radians(spike) * (n == 777)
            half = [math.cos(turn / 2)] + [math.sin(turn / 2) * c for c in (0.36, 0.48, 0.8)]
            euler = [10 * math.sin(0.7 * t) + spike * (n == 777), 20 + 5 * math.sin(0.9 * t + 1), -8 * math.sin(0.5 * t)]
            angle = (350 + 15 * math.sin(0.8 * t) + spike * (n == 777)) % 360 - 180
            f.write("%.5f,%s,%.1f\n" % (t, ",".join(["%.3f" % x for x in half] + ["%.1f" % x for x in euler]), angle))
# At rest between two values of the last decimal now and then a row has the other one.
with open("rest.csv", "w") as f:
    f.write("time,q_w,q_x,q_y,q_z,e_z,e_x,e_y,a\n")
    for n in range(300):
        other = n % 50 == 30
        f.write("%.5f,%s,0,0.8,0,%s,20.0,-8.0,%s\n" % (
            n / 120, "0.601" if other else "0.600", *["10.1" if other else "10.0"] * 2))
P
    for options in "--quaternions q -c q_*" "--rotations e:ZXY -c e_*" "--angles a -c a"; do
        # shellcheck disable=SC2086
        goals $options --despike 6 in.csv | cmp - in.csv
        # shellcheck disable=SC2086
        goals $options --despike 6 rest.csv | cmp - rest.csv
        # shellcheck disable=SC2086
        goals $options --despike 6 spike.csv > out.csv
        diff spike.csv out.csv | grep -c '^<' | grep -qx 1
        diff spike.csv out.csv | grep -q '^< 6.47500,'
    done
}

@test "masks: a DeepLabCut table of three header lines" {
    { echo 'scorer,net,net,net,net,net,net'; echo 'bodyparts,nose,nose,nose,tail,tail,tail'; echo 'coords,x,y,likelihood,x,y,likelihood'
      printf '0,1,2,0.9,3,4,0.9\n1,2,3,0.59,4,5,0.6\n2,3,4,1,9,9,\n3,4,5,0.95,6,7,0.9\n'; } > dlc.csv
    goals --rate 30 --header 1,2,3 --gaps linear --mask '*.x,*.y:*.likelihood<0.6' -x scorer.bodyparts.coords dlc.csv | tail -n 4 | tr '\n' ' ' |
        grep -qx '0,1,2,0.9,3,4,0.9 1,2,3,0.59,4,5,0.6 2,3,4,1,5,6, 3,4,5,0.95,6,7,0.9 '
    goals --rate 30 --header 1,2,3 --mask '*.x,*.y:*.likelihood<=0.6' -x scorer.bodyparts.coords dlc.csv | tail -n 4 | tr '\n' ' ' |
        grep -qx '0,1,2,0.9,3,4,0.9 1,,,0.59,,,0.6 2,3,4,1,,, 3,4,5,0.95,6,7,0.9 '
    # Its first column counts frames, and is left as it is.
    sprung critical -H 1 --rate 30 --header 1,2,3 dlc.csv 2> err.txt | tail -n 4 | column 1 | tr '\n' ' ' | grep -qx '0 1 2 3 '
    # The note has the names that --columns takes.
    grep -q 'not filtered: "scorer.bodyparts.coords" (count), "net.nose.likelihood" (quality), ' err.txt
    sprung critical -H 1 --rate 30 --header 1,2,3 -c net.nose.likelihood -d 0 dlc.csv > /dev/null
}

@test "masks: SLEAP, OpenPose, one column for all, and a column by itself" {
    printf 'time,nose.x,nose.y,nose.score,instance.score\n0,1,2,0.9,1\n1,8,8,0.1,1\n2,3,4,0.9,0\n3,4,5,0.9,1\n' > in.csv
    for order in '--mask x:c<.5 --mask c:o<1' '--mask c:o<1 --mask x:c<.5'; do
        printf 'time,x,c,o\n0,1,.9,1\n1,2,.8,0\n2,3,.1,1\n3,4,.9,1\n' | goals $order | tail -n 3 | tr '\n' ' ' | grep -qx '1,2,,0 2,,.1,1 3,4,.9,1 '
    done
    goals --mask 'nose.x,nose.y:nose.score<0.5' --mask 'nose.?:instance.score<1' in.csv | tail -n 4 | tr '\n' ' ' |
        grep -qx '0,1,2,0.9,1 1,,,0.1,1 2,,,0.9,0 3,4,5,0.9,1 '
    # The column of a mask is filtered only where --columns names it.
    sprung critical -H 1 -d 0 --mask 'nose.x:nose.score<0.5' in.csv | column 4 | cmp - <(column 4 < in.csv)
    sprung critical -H 1 -d 0 -c nose.x,nose.score --mask 'nose.x:nose.score<0.5' in.csv | column 4 | cmp -s - <(column 4 < in.csv) && return 1
    printf 'time,p0_x,p0_y,p0_c,p1_x,p1_y,p1_c\n0,1,1,.5,2,2,.4\n1,1,2,.7,2,3,.8\n' > in.csv
    goals --mask '*_x,*_y:*_c<.45' in.csv | tail -n 2 | tr '\n' ' ' | grep -qx '0,1,1,.5,,,.4 1,1,2,.7,2,3,.8 '
    printf 'time,x,y\n0,1,5\n1,200,6\n2,3,300\n3,4,8\n' > in.csv
    goals --mask 'x*,y:x>100' --gaps linear in.csv | tail -n 3 | tr '\n' ' ' | grep -qx '1,2,152.5 2,3,300 3,4,8 '
    for equal in = ==; do goals --mask "y:x${equal}200" in.csv | tail -n 3 | tr '\n' ' ' | grep -qx '1,200, 2,3,300 3,4,8 '; done
    goals --mask 'x,y:x>100' --gaps linear in.csv | tail -n 3 | tr '\n' ' ' | grep -qx '1,2,152.5 2,3,300 3,4,8 '
    goals --mask '*:*>=200' --gaps linear in.csv 2> /dev/null | tail -n 3 | tr '\n' ' ' | grep -qx '1,2,6 2,3,7 3,4,8 '
    # A text that the * stands for, too, tells nothing.
    printf 'time,x,who\n0,1,a\n1,300,b\n2,3,c\n' | goals --mask '*:*>200' | tail -n 2 | tr '\n' ' ' | grep -qx '1,,b 2,3,c '
    # A * in LIST alone is any text, and COLUMN is masked, too, where LIST names it.
    printf 'time,GazeX,GazeY\n0,1,5\n1,0,6\n2,3,7\n' | goals --mask '*:GazeX<.001' | tail -n 2 | tr '\n' ' ' | grep -qx '1,, 2,3,7 '
    printf 'x\n1\n200\n3\n' | goals --rate 1 --mask 'x:x>100' | tr '\n' ' ' | grep -qx 'x 1 nan 3 '
}

@test "masks by the time: the numbers of the file, in its unit" {
    printf 'ms,x,y\n0,1,5\n10,200,6\n20,3,7\n' > in.csv
    for options in "-t ms --time-unit ms" "--rate 100" "-t ms --time-unit frames --rate 100"; do
        # shellcheck disable=SC2086
        goals $options -c x,y --mask 'x:ms<=10' in.csv | tail -n 3 | tr '\n' ' ' | grep -qx '0,,5 10,,6 20,3,7 '
    done
    goals -t ms --mask 'x,y:ms>=20' in.csv | tail -n 3 | tr '\n' ' ' | grep -qx '0,1,5 10,200,6 20,, '
    # BVH counts its times itself.
    make_clip_bvh() { printf 'HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 4\nFrame Time: 0.5\n1 2 3\n2 3 4\n9 9 9\n4 5 6\n'; }
    make_clip_bvh > clip.bvh
    goals --to csv --mask '*position:time>=1' --vectors none clip.bvh | tail -n 4 | cut -d, -f1-2 | tr '\n' ' ' | grep -qx '0,1 0.5,2 1, 1.5, '
}

@test "masks in JSON: null takes the place of a number, whatever the shape, and paths are names" {
    printf '[{"t":0,"nose":{"p":[1,2],"c":0.9}},{"t":1,"nose":{"p":[7.0,8],"c":0.1}},{"t":2,"nose":{"p":[3,4],"c":0.8}}]\n' > in.json
    goals --mask '*.p.0,*.p.1:*.c<0.5' in.json | cmp - <(sed 's/7.0,8/null,null/' in.json)
    goals --gaps linear --mask '*.p.0,*.p.1:*.c<0.5' in.json | cmp - <(sed 's/7.0,8/2,3/' in.json)
    goals --mask '*.p.0,*.p.1:*.c<0.5' --to csv in.json | sed -n 3p | grep -qx '1,,,0.1'
    goals --mask '*.p.0,*.p.1:*.c<0.5' --to csv in.json -o in.csv
    printf '{"t":[0,1,2],"x":[1,7.0,3],"c":[1,0,null]}\n' > in.json
    goals --mask 'x:c<0.5' in.json | cmp - <(sed 's/7.0,3/null,null/' in.json)
    printf 'time,x,c\n0,1,1\n1,7,0\n2,3,1\n' | goals --mask 'x:c<0.5' --to json | tr -d '\n' | grep -qF '"x": null, "c": 0}'
    printf 'time,x,c\n0,1,1\n1,7,0\n2,3,1\n' | goals --mask 'x:c<0.5' --to tsv | sed -n 3p | cmp - <(printf '1\t\t0\n')
}

@test "a spike at an end of a file, of a group or beside a cut is kept, with a warning" {
    spikes 1 0.3 0 0
    awk -F, -v OFS=, 'NR == 2 || NR == 602 || NR == 1001 || NR == 1201 { $2 += 500 } { print }' take.csv > in.csv
    row() { sed -n "$(($1 + 1))p" "$2"; }
    cut=$(row 601 in.csv | cut -d, -f1)
    loud_goals --despike 6 --cuts "$cut" -v in.csv > out.csv 2> err.txt
    for n in 1 601 1200; do
        [ "$(row "$n" out.csv)" = "$(row "$n" in.csv)" ]
    done
    [ "$(row 1000 out.csv)" != "$(row 1000 in.csv)" ]
    grep -q 'warning: row 1 of "x" may be a spike, but is kept: too few values on one side to tell (3 such values)$' err.txt
    grep -q ' 1 spike bridged, 3 possible spikes kept$' err.txt
    sprung critical -H 0.1 -d 0 --despike 6 --report=json in.csv -o out.csv -q --force | python3 -c '
import json, sys
x = json.load(sys.stdin)["channels"][0]
assert x["spikes"] == 2, x'
    # Each group has its own ends.
    awk -F, -v OFS=, 'NR == 1 { print $0, "who"; next } { print $0, "a"; $2 += (NR == 4); print $0, "b" }' take.csv > groups.csv
    awk -F, -v OFS=, 'END { $2 += 500 } NR > 1 { print line } { line = $0 } END { print }' groups.csv > in.csv
    loud_goals --despike 6 --group-by who in.csv 2> err.txt | sprung diff in.csv -
    grep -q 'warning: row 2400 of "x" may be a spike, but is kept' err.txt
}

@test "the report counts spikes and what was filled" {
    spikes 1 0.3 0 6
    sed -i '100s/,.*/,/; 101s/,.*/,/' take.csv
    sprung tracking --despike 6 --gaps linear --report json -d 0 take.csv -o out.csv -q | python3 -c '
import json, sys
c = json.load(sys.stdin)["channels"][0]
assert 6 <= c["spikes"] <= 7 and c["filled"] == 2 and c["gaps"] == 2, c'
    sprung tracking --despike 6 --gaps linear --report -d 0 take.csv -o out.csv -q | sed -n '3s/.*cuts  spikes  filled$/good/p' | grep -qx good
    sprung critical -H 0.1 --report -d 0 take.csv -o out.csv | grep -c spikes | grep -qx 0
}

@test "what cannot be is said before anything is read" {
    printf 'time,x,y,note\n0,1,2,a\n' > in.csv
    fails 2 sprung tracking --despike 0 none.csv
    says '--despike: must be greater than 0'
    fails 2 sprung tracking --despike inf none.csv
    for mask in x:y 'x:y<' 'x:y<z' 'x:y<0x1' 'x:y<1e400' '<1' ''; do
        fails 2 sprung tracking --mask "$mask" in.csv
    done
    says '--mask'
    fails 2 sprung tracking --mask 'x<1' in.csv
    says "hint: for all columns: --mask '*:x<1'"
    for most in -1 5row 1.5rows rows 1e400 inf nan 5Hz; do
        fails 2 sprung tracking --max-gap "$most" none.csv
        says "--max-gap must be a time in seconds, such as 0.25, or a number of rows, such as 10rows: \"$most\""
    done
    fails 2 sprung tracking --mask 'x:notes<1' in.csv
    says '--mask: no column "notes"'
    says 'did you mean "note"?'
    fails 2 sprung tracking --mask 'x:note<1' in.csv
    says 'column "note": --mask names this column, but its first row holds text'
    printf 'time,x\n2026-01-01T00:00:00,1\n2026-01-01T00:00:01,2\n' > dates.csv
    fails 2 sprung tracking --mask 'x:time<1' dates.csv
    says 'column "time": --mask names this column, but its first row holds text'
    fails 2 sprung tracking --mask 'x*:*_b<1' in.csv
    says '--mask: no filtered column in "x*:*_b"'
    says 'hint: LIST names columns that are filtered; a * in COLUMN is the text that the * in LIST stands for'
    fails 2 sprung tracking -c x --mask 'y:x<1' in.csv
    says '--mask: no filtered column in "y:x"'
    fails 2 sprung tracking -c x --mask 'n*:x<1' in.csv
    says '--mask: no filtered column in "n*:x"'
}

@test "filled Euler angles are those of the two triples that are nearest to the row before" {
    { echo time,r_z,r_x,r_y; echo 0,190,110,0; for t in 1 2 3; do echo $t,,,; done; echo 4,200,120,10; } > in.csv
    sprung tracking --rotations r:ZXY --gaps linear -d 0 --quiet in.csv > out.csv
    # on the way between the two poses, which are 14 degrees apart
    awk -F, 'NR > 1 && ($2 < 189 || $2 > 201 || $3 < 109 || $3 > 121 || $4 < -1 || $4 > 11) { print; bad = 1 } END { exit bad || NR != 6 }' out.csv
    cmp <(sed -n '2p;6p' in.csv) <(sed -n '2p;6p' out.csv)
}

@test "--despike: rows of one time are one sample: doubled rows have the spikes of single rows" {
    awk 'BEGIN {
        print "time,x"
        for (i = 0; i < 200; i++) {
            noise = (i * i * 7919 + i * 104729) % 1009 / 1009 - 0.5
            printf "%.2f,%.4f\n", i / 100, sin(i / 30) + 0.1 * noise + (i == 100) - (i == 150)
        }
    }' > single.csv
    sed '1!p' single.csv > double.csv
    steps='damper --method lerp --factor 1 -d 0 --despike 6 --gaps linear'
    sprung $steps single.csv -v 2>&1 > single.out | grep -q ' 2 spikes bridged'
    sprung $steps double.csv -v 2>&1 > double.out | grep -q ' 2 spikes bridged'
    sed '1!p' single.out | cmp - double.out
    printf 'time,x\n0,0\n0.01,0\n0.02,1\n0.021,0\n0.021,0\n0.022,0\n0.773,1\n0.79,0\n0.8,0\n0.81,0\n0.81,-97\n' > end.csv
    sprung critical -H 0.1 end.csv | cmp - <(sprung critical -H 0.1 --despike 1e30 end.csv)
}
