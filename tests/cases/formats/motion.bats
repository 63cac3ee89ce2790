#!/usr/bin/env bats
# BVH, TRC, STO and MOT: read, filtered and written as they were but for filtered cells; an independent reader
# (read_motion.py) takes what comes out. Files that other programs wrote are looked for beside the repository.
load ../common

REAL=$ROOT/../shared/data

# real NAME: skips the test where that file is not there.
real()
{
    [[ -r $REAL/$1 ]] || skip "no file $1"
}

samples=(walk.bvh markers.trc angles.sto angles.mot)

# near FILE FILE [TOLERANCE]: csv with the same names, and numbers that are near; gaps are spelled in any way.
near()
{
    python3 - "$@" <<'P'
import csv, sys
a, b = (list(csv.reader(open(name))) for name in sys.argv[1:3])
tolerance = float(sys.argv[3]) if len(sys.argv) > 3 else 0
assert a[0] == b[0], (a[0], b[0])
assert len(a) == len(b), (len(a), len(b))
for n, (p, q) in enumerate(zip(a[1:], b[1:])):
    assert len(p) == len(q), n
    for x, y in zip(p, q):
        gaps = [v.strip() in ("", "nan") for v in (x, y)]
        assert gaps == [True, True] or abs(float(x) - float(y)) <= tolerance, (n, x, y)
P
}

@test "samples: header and everything but filtered cells stay, and another program reads them" {
    for file in "${samples[@]}"; do
        sprung critical -H 0.05 "$DATA/$file" > "$file"
        [ "$(reads --only '*' "$DATA/$file" "$file")" -gt 280 ]
        sprung critical -H 0.05 "$DATA/$file" -o "out-$file"
        cmp "$file" "out-$file"
        sprung critical -H 0.05 < "$DATA/$file" | cmp - "$file"
    done
}

@test "samples: only the channels that were asked for change" {
    sprung critical -H 0.05 -c 'Spine.*' "$DATA/walk.bvh" > walk.bvh
    [ "$(reads --only 'Spine.*' "$DATA/walk.bvh" walk.bvh)" -gt 100 ]
    sprung critical -H 0.05 -x '*.Y' "$DATA/markers.trc" > markers.trc
    [ "$(reads --only '*.[XZ]' "$DATA/markers.trc" markers.trc)" -gt 100 ]
    sprung critical -H 0.05 -c knee_moment_r "$DATA/angles.mot" > angles.mot
    [ "$(reads --only knee_moment_r "$DATA/angles.mot" angles.mot)" -gt 80 ]
    sprung damper -H 0.05 -c 2 "$DATA/walk.bvh" | cmp <(sprung damper -H 0.05 -c Hips.Xposition "$DATA/walk.bvh") -
}

@test "bvh: the numbers are those that the same motion in csv gives" {
    reads "$DATA/walk.bvh" > walk.csv
    sprung spring -f 2 -z 0.5 -d 0 --rotations '*:ZXY' walk.csv > rotations.csv
    sprung spring -f 2 -z 0.5 -d 0 --angles '*rotation' walk.csv > none.csv
    ! cmp -s rotations.csv none.csv
    sprung spring -f 2 -z 0.5 --decimals 17 "$DATA/walk.bvh" > walk.bvh
    near rotations.csv <(reads walk.bvh) 1e-9
    near rotations.csv <(sprung spring -f 2 -z 0.5 -d 0 --to csv "$DATA/walk.bvh") 1e-9
    sprung spring -f 2 -z 0.5 --rotations none --decimals 17 "$DATA/walk.bvh" > walk.bvh
    near none.csv <(reads walk.bvh) 1e-9
    near none.csv <(sprung spring -f 2 -z 0.5 --rotations none -d 0 --to csv "$DATA/walk.bvh") 1e-9
}

@test "bvh: a turn past 180 degrees is one turn, printed in the turn of the input" {
    sprung critical -H 0.05 -c Hips.Yrotation --rotations none "$DATA/walk.bvh" > out.bvh
    reads out.bvh > out.csv
    python3 - <<'P'
import csv
y = [float(row["Hips.Yrotation"]) for row in csv.DictReader(open("out.csv"))]
assert max(y) <= 182 and min(y) < -90
assert all(abs((q - p + 180) % 360 - 180) < 8 for p, q in zip(y, y[1:]))
P
}

@test "bvh: time is the frame's number times Frame Time, or what --rate says" {
    sprung critical -H 0.05 --to csv -c 2 -d 0 "$DATA/walk.bvh" | cut -d, -f1 > time.txt
    python3 -c '
from fractions import Fraction
times = open("time.txt").read().split()[1:]
assert len(times) == 60
assert all(float(text) == float(n * Fraction("0.0333333")) for n, text in enumerate(times))'
    reads "$DATA/walk.bvh" > walk.csv
    sprung critical -H 0.05 --rate 120 -d 0 --rotations '*:ZXY' -x time walk.csv > expected.csv
    sprung critical -H 0.05 --rate 120 --decimals 17 "$DATA/walk.bvh" > out.bvh
    near <(cut -d, -f2- expected.csv) <(reads out.bvh | cut -d, -f2-) 1e-9
}

@test "derivatives: left out unless asked for; mot takes them, bvh and trc name a way out" {
    sprung critical -H 0.05 -d 2 -c knee_angle_r "$DATA/angles.mot" > out.mot
    reads out.mot > out.csv
    [ "$(head -n 1 out.csv)" = time,hip_flexion_r,knee_angle_r,knee_moment_r,knee_angle_r_vel,knee_angle_r_acc ]
    fails 2 sprung critical -H 0.05 -d 1 "$DATA/walk.bvh"
    says "a bvh file has no place for them"
    says "--to csv"
    [ -z "$out" ]
    fails 2 sprung critical -H 0.05 -d 1 "$DATA/markers.trc"
    says "only positions of markers"
    sprung critical -H 0.05 -d 1 -c Hips.Xposition --to csv "$DATA/walk.bvh" > out.csv
    head -n 1 out.csv | grep -q ',Hips.Xposition_vel$'
}

@test "derivatives of a gap are nan in mot and sto, whatever stands between cells" {
    cells() { sed '1,/^endheader/d' "$1" | tail -n +2 | tr ' \t,' '\n\n\n' | grep -c .; }
    for between in ' ' '\t' ,; do
        printf 'a\nnRows=3\nnColumns=3\nendheader\ntime_x_y\n0_1_nan\n1_nan_2\n2_3_4\n' | sed "s/_/$between/g" > in.sto
        sprung critical -H 0.5 -d 2 in.sto > out.sto
        [ "$(cells out.sto)" = 21 ]
        sprung critical -H 0.5 -d 2 in.sto --to csv --decimals input > direct.csv
        reads out.sto > read.csv
        near direct.csv read.csv 1e-6
        sprung damper -H 1e-9 --from sto -d 0 < out.sto > again.sto
        [ "$(cells again.sto)" = 21 ]
    done
}

@test "columns that a filter adds of its own: --derivatives 0 is no way out, and not named as one" {
    for file in walk.bvh markers.trc; do
        fails 2 sprung resonance -H 1 --frequencies 1 --rotations none "$DATA/$file"
        says "columns that the filter adds"
        says "--to csv"
        [[ $err != *"--derivatives 0"* ]]
    done
}

@test "conversion: csv has the numbers of the file" {
    for file in angles.sto angles.mot walk.bvh; do
        sprung critical -H 0.05 "$DATA/$file" > direct
        near <(reads direct) <(sprung critical -H 0.05 --to csv -d 0 --decimals input "$DATA/$file") 1e-6
    done
}

@test "conversion: from sto to mot the header goes along" {
    sprung critical -H 0.05 --to mot "$DATA/angles.sto" > out.mot
    reads --only '*' "$DATA/angles.sto" out.mot
}

@test "conversion: a motion format is written from itself alone" {
    for to in bvh trc sto mot; do
        fails 2 sprung critical -H 0.05 --to $to "$DATA/wave.csv"
        says "--to $to needs a $to input: the output copies its header"
        says "use --to csv, tsv, json, jsonl or npy"
    done
}

@test "bvh: a wrong number of frames either way is a warning, with both, and the header that is written is true" {
    head -n -2 "$DATA/walk.bvh" > short.bvh
    fails 0 sprung critical -H 0.05 short.bvh
    says "short.bvh: warning: the header says 60 frames, but the file has 58: all are used"
    cmp out.txt <(sprung critical -H 0.05 "$DATA/walk.bvh" | head -n -2 | sed '/^Frames/s/60/58/')
    sprung critical -q -H 0.05 < short.bvh | cmp - out.txt
    (cat "$DATA/walk.bvh"; tail -n 1 "$DATA/walk.bvh") > long.bvh
    fails 0 sprung critical -H 0.05 < long.bvh
    says "warning: the header says 60 frames, but the file has 61: all are used"
    head -n -1 out.txt | sed '/^Frames/s/61/60/' | cmp - <(sprung critical -H 0.05 "$DATA/walk.bvh")
}

@test "faults: line, column, excerpt" {
    sed '50s/^[^ ]*/12abc/' "$DATA/walk.bvh" > bad.bvh
    fails 2 sprung critical -H 0.05 bad.bvh
    says 'bad.bvh:50: column "Hips.Xposition": not a number: "12abc"'
    sed '50s/^[^ ]* //' "$DATA/walk.bvh" > bad.bvh
    fails 2 sprung critical -H 0.05 bad.bvh
    says 'bad.bvh:50: expected 15 cells, found 14'
    sed 's/Zrotation/{/' "$DATA/walk.bvh" > bad.bvh
    fails 2 sprung critical -H 0.05 bad.bvh
    says 'bad.bvh:5: expected the name of a channel: "{"'
    sed '/^endheader/d' "$DATA/angles.sto" > bad.sto
    fails 2 sprung critical -H 0.05 bad.sto
    says 'no line "endheader"'
    sed '10s/\t[^\t]*\t/\tx\t/' "$DATA/markers.trc" > bad.trc
    fails 2 sprung critical -H 0.05 bad.trc
    says 'bad.trc:10: column "Time": not a number: "x"'
    : > empty.bvh
    fails 2 sprung critical -H 0.05 empty.bvh
    says "empty.bvh: the file is empty"
}

@test "gaps: an empty cell of trc stays, or is filled where it stands" {
    sprung critical -H 0.05 "$DATA/markers.trc" > keep.trc
    sprung critical -H 0.05 --gaps fill "$DATA/markers.trc" > fill.trc
    reads keep.trc > keep.csv
    reads fill.trc > fill.csv
    python3 - <<'P'
import csv
a, b = (list(csv.DictReader(open(name))) for name in ("keep.csv", "fill.csv"))
for n, (p, q) in enumerate(zip(a, b)):
    lost = 40 <= n < 52
    assert all((p["R.Knee." + axis] == "") == lost and q["R.Knee." + axis] != "" for axis in "XYZ"), n
P
}

@test "in place: shape and header stay" {
    cp "$DATA/walk.bvh" walk.bvh
    sprung critical -H 0.05 -i walk.bvh
    reads --only '*' "$DATA/walk.bvh" walk.bvh
}

@test "live: a row comes out as soon as it went in, where the header does not count the rows" {
    grep -v nRows "$DATA/angles.mot" > angles.mot
    sed 's/NumFrames/Frames/' "$DATA/markers.trc" > markers.trc
    for file in angles.mot markers.trc; do
        python3 - $file "$SPRUNG" critical -H 0.1 --from "${file##*.}" <<'P'
import select, subprocess, sys
lines = open(sys.argv[1], "rb").read().splitlines(True)
p = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
head = len(lines) - 50
p.stdin.write(b"".join(lines[:head]))
want = head
for n in range(40):
    while want:
        if not select.select([p.stdout], [], [], 20)[0]:
            sys.exit("row %d did not come out" % n)
        want -= p.stdout.read(65536).count(b"\n")
    p.stdin.write(lines[head + n])
    want = 1
p.stdin.write(b"".join(lines[head + 40:]))
p.stdin.close()
p.stdout.read()
sys.exit(p.wait())
P
    done
}

@test "memory does not grow with the stream" {
    [[ $BUILD == *san* ]] && skip "sanitizers change memory use"
    for n in 5000 250000; do
        python3 - "$DATA/walk.bvh" "$n" "$SPRUNG" critical -H 0.1 <<'P' > "$n"
import resource, subprocess, sys
lines = open(sys.argv[1], "rb").read().splitlines(True)
n = int(sys.argv[2])
p = subprocess.Popen(sys.argv[3:], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
for line in lines[:-60]:
    p.stdin.write(b"Frames: %d\n" % n if line.startswith(b"Frames") else line)
for _ in range(n // 1000):
    p.stdin.write(lines[-1] * 1000)
p.stdin.close()
assert p.wait() == 0
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
P
    done
    echo "peak: $(cat 5000) kB, $(cat 250000) kB"
    (($(cat 250000) < $(cat 5000) + 2000))
}

@test "a real walk: the same numbers as its rotations in csv, and rewritten as it was" {
    real walk01.bvh
    sprung critical -H 0.1 -c Hips.Xposition --to csv -d 0 "$REAL/walk01.bvh" > walk.csv
    python3 - "$REAL/walk01_rot.csv" <<'P'
import csv, sys
a = [{k.strip(): float(v) for k, v in row.items()} for row in csv.DictReader(open(sys.argv[1]))]
b = list(csv.DictReader(open("walk.csv")))
assert len(a) == len(b) == 101
for n, (p, q) in enumerate(zip(a, b)):
    for name, x in p.items():
        joint, _, axis = name.partition(".")
        y = float(q["time" if name == "time" else "%s.%srotation" % (joint, axis.upper())])
        assert abs(x - y) <= (5e-5 if name == "time" else 2e-5), (n, name, x, y)
P
    sprung critical -H 0.1 "$REAL/walk01.bvh" > walk.bvh
    [ "$(reads --only '*' "$REAL/walk01.bvh" walk.bvh)" -gt 5000 ]
    sprung critical -H 0.1 -c 'Left*' "$REAL/walk01.bvh" > part.bvh
    [ "$(reads --only 'Left*' "$REAL/walk01.bvh" part.bvh)" -gt 2000 ]
}

@test "a real table of coordinates: the same bytes as by the way of csv" {
    real inverse_kin.mot
    sed 's/^nRows=250/nRows=88/' "$REAL/inverse_kin.mot" > in.mot
    sprung critical -H 0.1 in.mot > out.mot
    sprung critical -H 0.1 --from csv --to csv -d 0 --decimals input in.mot | cmp - out.mot
    sprung critical -H 0.1 < in.mot | cmp - out.mot
    sprung critical -H 0.1 "$REAL/inverse_kin.mot" | cmp - out.mot
    reads --only '*' in.mot out.mot
}

@test "sto: with inDegrees=no, and in columns named (rad), a full turn is 2 pi" {
    printf 'a\nversion=1\nnRows=3\nnColumns=2\ninDegrees = no\nendheader\ntime\tr\n0\t3.1\n0.01\t-3.1\n0.02\t-3.1\n' > a.sto
    sprung critical -H 0.001 --angles r -q a.sto > a.out
    sprung critical -H 0.001 --angles r --period 6.283185307179586 -q a.sto | cmp - a.out
    sprung critical -H 0.001 --angles r -q --period 360 a.sto | { ! cmp -s - a.out; }
    for name in 'r (rad)' yaw_rad 'r[radians]' $'r\n(s),(rad)'; do
        printf 'time,%s\n0,3.1\n0.01,-3.1\n' "$name" > b.csv
        sprung critical -H 0.01 --angles 2 -q b.csv | cmp - <(sprung critical -H 0.01 --angles 2 --period 6.283185307179586 -q b.csv)
    done
    # Euler angles, too
    printf 'a\nversion=1\nnRows=2\nnColumns=4\ninDegrees=no\nendheader\ntime\tr_x\tr_y\tr_z\n0\t0\t0\t0\n0.1\t3\t0.5\t-3\n' > e.sto
    sprung critical -H 0.1 --rotations r:XYZ -q e.sto | cmp - <(sprung critical -H 0.1 --rotations r:XYZ --period 6.283185307179586 -q e.sto)
}
