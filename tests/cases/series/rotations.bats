#!/usr/bin/env bats
# Euler angles as rotations: the columns that are one, the joints of BVH, and that they move as the same rotations given as
# quaternions do. That angles and quaternions are converted right is tested in unit/springs/test_euler.c.
load ../common

# A joint that passes its pole, where x reaches 90 degrees and z and y flip by 180: joint.csv, in the order z, x, y, and
# the same motion in quat.csv.
setup()
{
    cd "$BATS_TEST_TMPDIR"
    cat > turn.py <<'P'
import math
def product(p, q):
    w, x, y, z = p
    a, b, c, d = q
    return (w*a - x*b - y*c - z*d, w*b + x*a + y*d - z*c, w*c - x*d + y*a + z*b, w*d + x*c - y*b + z*a)
def quaternion(angles, axes="zxy", unit=math.pi / 180):
    q = (1, 0, 0, 0)
    for a, axis in zip(angles, axes):
        s = math.sin(a * unit / 2)
        q = product(q, (math.cos(a * unit / 2), *[s * (axis == k) for k in "xyz"]))
    return q
def apart(p, q):
    """Degrees between two rotations."""
    return math.degrees(4 * math.asin(min(math.dist(p, q), math.dist(p, [-x for x in q])) / 2))
def rows(name):
    return [[float(x) for x in line.split(",")] for line in open(name).read().split()[1:]]
P
    cat > make.py <<'P'
from turn import *
joint, quat = open("joint.csv", "w"), open("quat.csv", "w")
joint.write("time,hip_z,hip_x,hip_y\n")
quat.write("time,hip_w,hip_x,hip_y,hip_z\n")
for n in range(300):
    t = n / 120
    z, x, y = 170 + 25 * math.sin(3 * t), 70 + 40 * math.sin(5 * t), 30 * math.cos(4 * t)
    if x > 90:
        z, x, y = z + 180, 180 - x, y + 180
    z, x, y = [round(v, 6) for v in ((z + 180) % 360 - 180, x, (y + 180) % 360 - 180)]
    joint.write("%.9f,%.6f,%.6f,%.6f\n" % (t, z, x, y))
    quat.write("%.9f,%.17g,%.17g,%.17g,%.17g\n" % (t, *quaternion((z, x, y))))
P
    python3 make.py
}

# A skeleton of joints "NAME CHANNEL...", and the frames of the file; the root has positions, too.
skeleton()
{
    local frames=$1 joint n=0
    shift
    echo HIERARCHY
    for joint; do
        # shellcheck disable=SC2086
        set -- $joint
        echo "$([ $n = 0 ] && echo ROOT || echo JOINT) $1 {"
        echo "OFFSET 0 1 0 CHANNELS $(($# - 1)) ${*:2}"
        n=$((n + 1))
    done
    echo "End Site { OFFSET 0 1 0 }"
    for ((; n > 0; n--)); do echo "}"; done
    printf 'MOTION\nFrames: %d\nFrame Time: 0.01\n' "$(wc -l < "$frames")"
    cat "$frames"
}

@test "a joint that passes its pole moves as the same rotation given as a quaternion" {
    for filter in 'critical -H 0.1' tracking 'damper -H 0.2' 'spring -f 2 -z 0.3' 'inertialize -H 0.1 --cuts 1'; do
        # shellcheck disable=SC2086
        sprung $filter --rotations hip:ZXY joint.csv > out.csv
        # shellcheck disable=SC2086
        sprung $filter --quaternions hip quat.csv > want.csv
        # shellcheck disable=SC2086
        sprung $filter -d 0 --angles 'hip*' joint.csv > angles.csv
        head -n 1 out.csv | grep -qx time,hip_z,hip_x,hip_y,hip_vel_x,hip_vel_y,hip_vel_z,hip_acc_x,hip_acc_y,hip_acc_z
        python3 - "$filter" <<'P'
import sys
from turn import *
out, want, angles, read = (rows(name + ".csv") for name in ("out", "want", "angles", "joint"))
worst = 0
for o, w, a, r in zip(out, want, angles, read):
    assert apart(quaternion(o[1:4]), w[1:5]) < 1e-9
    # Angular velocity and acceleration in degrees.
    assert all(abs(x - math.degrees(y)) < 1e-9 * (1 + abs(x)) + 1e-6 for x, y in zip(o[4:], w[5:]))
    # Of the two solutions and all turns those nearest to the input.
    others = ([o[1], o[2], o[3]], [o[1] + 180, 180 - o[2], o[3] + 180])
    distance = [sum((((x - y + 180) % 360) - 180)**2 for x, y in zip(other, r[1:4])) for other in others]
    assert math.dist(o[1:4], r[1:4])**2 <= min(distance) + 1e-6
    worst = max(worst, apart(quaternion(a[1:4]), w[1:5]))
assert worst > 5 or sys.argv[1] in ("tracking", "inertialize -H 0.1 --cuts 1"), worst
P
    done
}

@test "where nothing changes the input's numbers come out: a pose at the pole, turns, motion that tracking passes" {
    awk 'BEGIN { print "time,a_x,a_y,a_z,b_x,b_y,b_z"; for (n = 0; n < 40; n++) print n / 60 ",12.3,90,-7,1000.25,-90,540.1" }' > pose.csv
    for filter in 'critical -H 0.1' 'damper -H 0.1 --gaps fill' 'spring -f 3 -z 0.2' tracking 'inertialize -H 0.1'; do
        # shellcheck disable=SC2086
        sprung $filter -d 0 --rotations 'a:XYZ,b:ZYX' pose.csv | cmp - pose.csv
    done
    sprung tracking -d 0 --rotations hip:ZXY joint.csv | sprung diff --rel 0 joint.csv -
    head -n 30 joint.csv | tail -n +2 | cut -d, -f2-4 | tr , ' ' > frames
    skeleton frames 'Hip Zrotation Xrotation Yrotation' > in.bvh
    sprung tracking in.bvh | cmp - in.bvh
}

# OPTIONS...: what comes of joint.csv with its columns named anew, the header first, has the rows of want.csv.
renamed()
{
    local names=$1
    shift
    sed "1s/.*/$names/" joint.csv | sprung critical -H 0.1 "$@" | tail -n +2 | cmp - <(tail -n +2 want.csv)
}

@test "names: with an underscore, a dot, joined, in either case, like a glob, by position, in quotes" {
    sprung critical -H 0.1 --rotations hip:ZXY joint.csv > want.csv
    renamed time,hip_z,hip_x,hip_y --rotations hip:zxy
    renamed time,hip.z,hip.x,hip.y --rotations hip:ZXY
    renamed time,hipZ,hipX,hipY --rotations hip:ZXY
    renamed time,hip.Zrotation,hip.Xrotation,hip.Yrotation --rotations hip:ZXY
    renamed time,hip_Z,hip_X,hip_Y --rotations '*:ZXY'
    renamed time,hip_Z,hip_X,hip_Y --rotations 2-4:ZXY
    renamed time,a,b,c --rotations 2-4:ZXY
    renamed 'time,"a,b_z","a,b_x","a,b_y"' --rotations '"a,b:ZXY"'
    sed '1s/.*/time,a,b,c/' joint.csv | sprung critical -H 0.1 -d 1 --rotations 2-4:ZXY | head -n 1 | grep -qx time,a,b,c,q2_vel_x,q2_vel_y,q2_vel_z
    # The order is that of the product, wherever the columns stand.
    awk -F, -v OFS=, '{ print $1, $4, $2, $3 }' joint.csv | sprung critical -H 0.1 --rotations hip:ZXY |
        awk -F, -v OFS=, '{ print $1, $3, $4, $2, $5, $6, $7, $8, $9, $10 }' | cmp - want.csv
    ! sprung critical -H 0.1 --rotations hip:XYZ joint.csv | cmp -s - want.csv
}

@test "several, which share an order, beside quaternions, angles and numbers" {
    awk -F, -v OFS=, 'NR == 1 { print "time,a_z,a_x,a_y,m,b_x,b_y,b_z"; next } { print $1, $2, $3, $4, NR, $3, $4, $2 }' joint.csv > two.csv
    cut -d, -f1-4 two.csv | sprung critical -H 0.1 -d 0 --rotations a:ZXY > a.csv
    cut -d, -f1,6-8 two.csv | sprung critical -H 0.1 -d 0 --rotations b:ZXY > b.csv
    cut -d, -f1,5 two.csv | sprung critical -H 0.1 -d 0 > n.csv
    for list in a,b:ZXY '*:ZXY' 'b:ZXY,a:ZXY' '2-4,b:ZXY'; do
        sprung critical -H 0.1 -d 0 --rotations "$list" two.csv > out.csv
        cut -d, -f1-4 out.csv | cmp - a.csv
        cut -d, -f1,5 out.csv | cmp - n.csv
        cut -d, -f1,6-8 out.csv | cmp - b.csv
    done
    paste -d, two.csv <(cut -d, -f2- quat.csv) <(seq 0 299 | sed '1i w') > all.csv
    sprung critical -H 0.1 -d 0 --rotations a,b:ZXY --quaternions hip --angles w all.csv > out.csv
    cut -d, -f1-4 out.csv | cmp - a.csv
    cut -d, -f1,9-12 out.csv | cmp - <(sprung critical -H 0.1 -d 0 --quaternions hip quat.csv)
}

@test "radians" {
    python3 - <<'P'
from turn import *
with open("radians.csv", "w") as f:
    f.write("time,hip_z,hip_x,hip_y\n")
    for r in rows("joint.csv"):
        f.write("%.9f,%.17g,%.17g,%.17g\n" % (r[0], *map(math.radians, r[1:])))
P
    sprung critical -H 0.1 --rotations hip:ZXY joint.csv > degrees.csv
    sprung critical -H 0.1 --rotations hip:ZXY --period 6.283185307179586 radians.csv > out.csv
    python3 - <<'P'
from turn import *
for d, r in zip(rows("degrees.csv"), rows("out.csv")):
    assert all(abs(math.radians(x) - y) < 1e-11 * (1 + abs(y)) for x, y in zip(d[1:], r[1:]))
P
}

@test "orders whose first axis stands again: as the same rotations given as quaternions, through the poles" {
    for order in xyx xzx yxy yzy zxz zyz; do
        python3 - $order <<'P'
import sys
from turn import *
order = sys.argv[1]
arm, quat = open("arm.csv", "w"), open("quat.csv", "w")
arm.write("time,a,b,c\n")
quat.write("time,hip_w,hip_x,hip_y,hip_z\n")
for n in range(300):
    t = n / 120
    first, second, third = 20 + 25 * math.sin(3 * t), 40 + 50 * math.sin(5 * t), 30 * math.cos(4 * t)
    if second < 0:                           # as most programs print the angles
        first, second, third = first + 180, -second, third + 180
    angles = [round(v, 6) for v in ((first + 180) % 360 - 180, second, (third + 180) % 360 - 180)]
    arm.write("%.9f,%.6f,%.6f,%.6f\n" % (t, *angles))
    quat.write("%.9f,%.17g,%.17g,%.17g,%.17g\n" % (t, *quaternion(angles, order)))
P
        sprung critical -H 0.1 --rotations 2-4:$order arm.csv > out.csv
        sprung critical -H 0.1 --quaternions hip quat.csv > want.csv
        python3 - $order <<'P'
import sys
from turn import *
got, want, read = rows("out.csv"), rows("want.csv"), rows("arm.csv")
assert max(apart(quaternion(g[1:4], sys.argv[1]), w[1:5]) for g, w in zip(got, want)) < 1e-10
for g, w in zip(got, want):                  # angular velocity and acceleration
    assert all(abs(math.radians(x) - y) < 1e-9 * (1 + abs(y)) for x, y in zip(g[4:], w[5:]))
# Of the two triples and all turns those nearest to the input's.
for g, r in zip(got, read):
    def far(angles):
        return sum((a - b - 360 * round((a - b) / 360))**2 for a, b in zip(angles, r[1:]))
    g = g[1:4]
    assert far(g) <= far((g[0] + 180, -g[1], g[2] + 180)) + 1e-9 and all(abs(a - b) <= 180 for a, b in zip(g, r[1:]))
P
    done
    # A pose that rests keeps its bytes, at a pole too.
    printf 't,a,b,c\n0,10.50,0,-20\n0.1,10.50,0,-20\n0.2,10.50,0,-20\n' > rest.csv
    sprung critical -H 0.1 -d 0 --rotations 2-4:YXY rest.csv | cmp - rest.csv
}

@test "orders whose first axis stands again: BVH" {
    python3 - <<'P'
import math
for n in range(50):
    print(*["%.6f" % (60 * math.sin(n / 9 + k) + 10 * k) for k in range(6)], file=open("frames", "a"))
P
    skeleton frames 'Arm Yrotation Xrotation Yrotation' 'Knee Zrotation Yrotation Xrotation' > in.bvh
    reads in.bvh > in.csv
    sprung critical -H 0.1 --to csv -d 0 in.bvh > out.csv
    sprung critical -H 0.1 -d 0 --rotations 2-4:YXY,5-7:ZYX in.csv | sprung diff --rel 1e-12 - out.csv
}

@test "bvh: joints with three rotations are one each, in their order; other joints have angles" {
    python3 - <<'P'
import math
for n in range(50):
    print(*["%.6f" % (180 * math.sin(n / 9 + k) + 10 * k) for k in range(16)], file=open("frames", "a"))
P
    skeleton frames 'Root Xposition Yposition Zposition Yrotation Xrotation Zrotation' 'Hinge Xrotation' \
        'Knee Zrotation Yrotation Xrotation' 'Two Zrotation Xrotation' 'Odd Xrotation Xrotation Yrotation' 'One Yrotation' > in.bvh
    sprung critical -H 0.1 --to csv -d 0 in.bvh > out.csv
    reads in.bvh > in.csv
    sprung critical -H 0.1 -d 0 --rotations Root:YXZ,Knee:ZYX --angles 'Hinge*,Two*,Odd*,One*' in.csv > want.csv
    sprung diff --rel 1e-12 want.csv out.csv
    sprung critical -H 0.1 --decimals 17 in.bvh > out.bvh
    sprung critical -H 0.1 --decimals 17 -j 4 < in.bvh | cmp - out.bvh
    reads out.bvh | sprung diff --rel 1e-12 out.csv -
    # A list says all: the other joints are angles.
    sprung critical -H 0.1 -d 0 --rotations Knee:ZYX in.bvh --to csv > out.csv
    sprung critical -H 0.1 -d 0 --rotations Knee:ZYX --angles 'Root.?rotation,Hinge*,Two*,Odd*,One*' in.csv | sprung diff --rel 1e-12 - out.csv
    sprung critical -H 0.1 -d 1 --to csv in.bvh | head -n 1 | grep -q ',Root_vel_x,Root_vel_y,Root_vel_z,Hinge.Xrotation_vel,'
}

@test "bvh: --angles filters the angles of a joint separately; one of them alone is refused" {
    sprung critical -H 0.1 --angles '*Zrotation' "$DATA/walk.bvh" > out.bvh
    sprung critical -H 0.1 --angles '*Zrotation' --rotations none "$DATA/walk.bvh" | cmp - out.bvh
    for options in '-c Spine.Xrotation' '-c *.Xrotation' '-x Spine.Zrotation'; do
        # shellcheck disable=SC2086
        fails 2 sprung critical -H 0.1 $options "$DATA/walk.bvh"
        says 'each rotation is filtered as a whole, but this column is not filtered'
        says 'filter each number separately with --rotations none'
        # shellcheck disable=SC2086
        sprung critical -H 0.1 $options --rotations none "$DATA/walk.bvh" > out.bvh
    done
    # The other joints are rotations still.
    sprung critical -H 0.1 --to csv -d 0 --angles 'Hips.Zrotation' "$DATA/walk.bvh" > one.csv
    sprung critical -H 0.1 --to csv -d 0 --rotations none "$DATA/walk.bvh" | cut -d, -f1-7 | cmp - <(cut -d, -f1-7 one.csv)
    sprung critical -H 0.1 --to csv -d 0 "$DATA/walk.bvh" | cut -d, -f8- | cmp - <(cut -d, -f8- one.csv)
    sprung critical -H 0.1 --start zero --to csv -d 0 --decimals 9 "$DATA/walk.bvh" | sed -n 2p | cut -d, -f5- | grep -qxE '(0\.0{9},?){12}'
}

@test "a gap in one angle is a gap in all; a fill goes on from the angles printed last" {
    awk -F, -v OFS=, 'NR > 40 && NR < 80 { $(2 + NR % 3) = "" } 1' joint.csv > one.csv
    awk -F, -v OFS=, 'NR > 40 && NR < 80 { $2 = $3 = $4 = "" } 1' joint.csv > all.csv
    for gaps in keep fill restart; do
        for filter in 'critical -H 0.1' tracking 'inertialize -H 0.1'; do
            # shellcheck disable=SC2086
            sprung $filter --gaps $gaps --rotations hip:ZXY one.csv > out.csv
            # shellcheck disable=SC2086
            sprung $filter --gaps $gaps --rotations hip:ZXY all.csv > want.csv
            if [ $gaps = fill ]; then
                cmp want.csv out.csv
                ! grep -q ',,' out.csv
            else
                cut -d, -f5- out.csv | cmp - <(cut -d, -f5- want.csv)
                [ "$(grep -c ',,,,,' out.csv)" = 39 ]
                sed -n 41,79p out.csv | cut -d, -f1-4 | cmp - <(sed -n 41,79p one.csv)
            fi
        done
    done
    # The target's angles flip in the last row before the gap. The output, which lags behind, passes the pole within the gap.
    python3 - <<'P'
with open("flip.csv", "w") as f:
    print("time,a_z,a_x,a_y", file=f)
    for n in range(40):
        x = 70 + n
        print(n / 60, *([0, x, 0] if x <= 90 else ["", "", ""] if x > 95 else [180, 180 - x, 180]), sep=",", file=f)
P
    sprung critical -H 0.1 -d 0 --gaps fill --rotations a:ZXY flip.csv > out.csv
    python3 - <<'P'
from turn import *
out = rows("out.csv")
assert all(abs(x - y) < 3 for p, q in zip(out[26:], out[27:]) for x, y in zip(p[1:], q[1:]))
assert out[25][2] > 92 and abs(out[-1][2] - 85) < 3 and abs(out[-1][1] - 180) < 1e-6
P
}

@test "groups, equal times, --report, --detect-cuts, --resample" {
    sprung critical -H 0.1 --rotations hip:ZXY joint.csv > want.csv
    awk -F, -v OFS=, 'NR == 1 { print "who", $0; next } { print "a", $0; print "b", $1, -$2, $3, 1 }' joint.csv |
        sprung critical -H 0.1 --group-by who --rotations hip:ZXY | grep '^a' | cut -d, -f2- | cmp - <(tail -n +2 want.csv)
    awk 'NR == 60 { print; print; next } 1' joint.csv | sprung critical -H 0.1 --rotations hip:ZXY | awk 'NR != 61' | cmp - want.csv
    # The largest change is the largest angle between input and output, for each of the three.
    sprung critical -H 0.1 --rotations hip:ZXY --report=json -o out.csv joint.csv > report.json
    sprung tracking --rotations hip:ZXY -o same.csv joint.csv
    python3 - <<'P'
import json
from turn import *
out, read = rows("out.csv"), rows("joint.csv")
change = max(apart(quaternion(o[1:4]), quaternion(r[1:4])) for o, r in zip(out, read))
speed = [max(abs(o[k]) for o in out) for k in (4, 5, 6)]
for c, k in zip(json.load(open("report.json"))["channels"], (2, 0, 1)):
    assert abs(c["change"]["largest"] - change) < 1e-9, (c, change)
    assert abs(c["velocity"] - speed[k]) < 1e-9
P
    # A cut in the middle of the file is found once for the rotation, and is where the column says.
    awk -F, -v OFS=, 'NR == 1 { print $0, "cut"; next } { print $1, $2, $3, (NR > 151 ? $4 + 50 : $4), NR == 152 }' joint.csv > cut.csv
    sprung inertialize -H 0.1 --cut-column cut --rotations hip:ZXY cut.csv > want.csv
    sprung inertialize -H 0.1 --detect-cuts 20 -v -x cut --rotations hip:ZXY cut.csv 2> err.txt | cmp - want.csv
    [ "$(grep -c 'cut found at 1.25 s in "hip"' err.txt)" = 1 ]
    # Between rows the rotation turns at a constant rate, by the short way.
    printf 'time,a_z,a_x,a_y\n0,170,10,20\n1,-170,10,20\n2,10,90,10\n' |
        sprung tracking -d 0 --resample 4 --rotations a:ZXY > out.csv
    printf 'time,a_w,a_x,a_y,a_z\n' > quat.csv
    python3 -c '
from turn import *
for n, a in enumerate(((170, 10, 20), (-170, 10, 20), (10, 90, 10))): print(n, *map(repr, quaternion(a)), sep=",")' >> quat.csv
    sprung tracking -d 0 --resample 4 --quaternions a quat.csv > want.csv
    python3 - <<'P'
from turn import *
out, want = rows("out.csv"), rows("want.csv")
assert len(out) == len(want) == 9
assert all(apart(quaternion(o[1:4]), w[1:5]) < 1e-9 for o, w in zip(out, want))
assert all(170 <= o[1] < 190.001 for o in out[:4]) and out[4][1:4] == [-170, 10, 20]
P
}

@test "what cannot be is refused" {
    fails 2 sprung double -H 1 --rotations hip:ZXY joint.csv
    says '--rotations: double cannot filter rotations'
    says 'live, critical --lag 0.1 can; for recorded files, butterworth'
    sprung double -H 1 --rotations none joint.csv > out.csv
    fails 2 sprung critical -H 1 --start 5 --rotations hip:ZXY joint.csv
    says '--start: a rotation cannot start at a single number'
    fails 2 sprung critical -H 1 --rotations hip:ZXY -x hip_y joint.csv
    says 'column "hip_y": --rotations: each rotation is filtered as a whole, but this column is not filtered'
    says 'check --columns and --exclude, or filter each number separately with --rotations none'
    fails 2 sprung critical -H 1 --rotations 1-3:ZXY joint.csv
    says 'column "time": --rotations: each rotation is filtered as a whole, but this column is not filtered'
    fails 2 sprung critical -H 1 --rotations hip:ZXY --angles hip_y joint.csv
    says 'column "hip_y": --angles names this column, but it is part of another rotation'
    fails 2 sprung critical -H 1 --rotations hip:ZXY --quaternions hip quat.csv
    says 'column "hip_x": --rotations names this column, but it is part of another rotation'
    fails 2 sprung critical -H 1 --rotations hip joint.csv
    says '--rotations: "hip" has no valid order'
    fails 2 sprung critical -H 1 --rotations hip:ZXX joint.csv
    says '--rotations: "hip:ZXX" has no valid order'
    says 'ZXY'
    fails 2 sprung critical -H 1 --rotations hip:ZXZ joint.csv
    says '"hip" does not match the columns of a joint'
    fails 2 sprung critical -H 1 --rotations leg:ZXY joint.csv
    says '"leg" does not match the columns of a joint'
    # A measured velocity keeps its name.
    awk -F, -v OFS=, '{ print $0, NR == 1 ? "hip_vel_y" : 1 }' joint.csv > other.csv
    sprung critical -H 1 --rotations hip:ZXY other.csv | head -n 1 | grep -q ',hip_vel_y,.*,hip_vel_y_2,'
}

@test "the rotations of a BVH file are refused by filters that cannot filter rotations" {
    for filter in 'double -H 0.1' 'one-euro --min-cutoff 1 --beta 0.1' 'timed -H 0.1 --time 1' 'velocity -H 0.1 --speed 9' \
        'character -H 0.2' 'resonance -H 1 --frequencies 1 --to csv'; do
        # shellcheck disable=SC2086
        fails 2 sprung $filter "$DATA/walk.bvh" -o out.bvh
        says "column \"Hips.Xrotation\": --rotations: ${filter%% *} cannot filter rotations"
        says "as separate numbers: --rotations none"
        # shellcheck disable=SC2086
        sprung $filter --exclude '*.?rotation' "$DATA/walk.bvh" -o out.bvh
        # shellcheck disable=SC2086
        sprung $filter --rotations none "$DATA/walk.bvh" -o out.bvh
    done
    fails 2 sprung critical -H 0.1 --start 4 "$DATA/walk.bvh" -o out.bvh
    says '--start: a rotation cannot start at a single number'
}
