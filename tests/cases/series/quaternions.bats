#!/usr/bin/env bats
# Rotations: which columns are one, what comes out of them, and what happens at gaps, cuts, groups and faults. That the
# numbers are right is tested in unit/series/test_rotation.c.
load ../common

# A turning joint in turn.csv: time,hip_w,hip_x,hip_y,hip_z,m. The sign of the quaternion changes now and then.
setup()
{
    cd "$BATS_TEST_TMPDIR"
    python3 - <<'P'
import math
with open("turn.csv", "w") as f:
    f.write("time,hip_w,hip_x,hip_y,hip_z,m\n")
    for n in range(300):
        a, s = math.sin(n / 40) + .05 * math.sin(n * 1.7), -1 if n % 7 in (3, 4) else 1
        q = [math.cos(a), .48 * math.sin(a), -.6 * math.sin(a), .64 * math.sin(a)]
        f.write("%.4f,%s,%d\n" % (n / 120, ",".join("%.6f" % (s * x) for x in q), n))
P
    sprung critical -H 0.1 --quaternions hip -c 'hip*' turn.csv > want.csv
}

# The same series under other names.
renamed()
{
    sed "1s/.*/$1/" turn.csv > other.csv
}

# OPTIONS...: what comes of other.csv has the rows of want.csv.
as_wanted()
{
    sprung critical -H 0.1 "$@" -x m other.csv | tail -n +2 | diff - <(tail -n +2 want.csv)
}

@test "a filter that cannot filter rotations refuses the quaternions that names show" {
    printf 'time,q_w,q_x,q_y,q_z,m\n0,1,0,0,0,5\n0.1,0.8,0.6,0,0,5\n' > in.csv
    fails 2 sprung one-euro in.csv
    says 'column "q_w": --quaternions: one-euro cannot filter rotations'
    says '; to leave rotations alone: --exclude LIST; as separate numbers: --quaternions none'
    fails 2 sprung critical -H 0.1 --start 5 in.csv
    says '--start: a rotation cannot start at a single number'
    for way in '--quaternions none' '--exclude q_w,q_x,q_y,q_z'; do
        # shellcheck disable=SC2086
        fails 0 sprung one-euro $way in.csv
        [[ $err != *quaternion* ]]
    done
    fails 0 sprung critical --lag 0.1 in.csv
    [[ $err != *warning:*quaternion* ]]
}

@test "rates are added after the row, all velocities first" {
    head -n 1 want.csv | grep -qx 'time,hip_w,hip_x,hip_y,hip_z,m,hip_vel_x,hip_vel_y,hip_vel_z,hip_acc_x,hip_acc_y,hip_acc_z'
    [ "$(sprung critical -H 0.1 -d 1 --quaternions hip turn.csv | head -n 1)" = \
        "time,hip_w,hip_x,hip_y,hip_z,m,hip_vel_x,hip_vel_y,hip_vel_z,m_vel" ]
    sprung critical -H 0.1 -d 0 --quaternions hip -x m turn.csv | diff - <(cut -d, -f1-6 want.csv)
}

@test "names: with an underscore, with a dot, joined, in either case, in any order, like a glob" {
    renamed time,hip.w,hip.x,hip.y,hip.z,m && as_wanted --quaternions hip
    renamed time,hipw,hipx,hipy,hipz,m && as_wanted --quaternions hip
    renamed time,hipW,hipX,hipY,hipZ,m && as_wanted --quaternions hip
    renamed time,hip_W,hip_X,hip_Y,hip_Z,m && as_wanted --quaternions hip && as_wanted --quaternions '*ip'
    renamed time,w,x,y,z,m && as_wanted --quaternions '*'
    renamed 'time,"a,b_w","a,b_x","a,b_y","a,b_z",m' && as_wanted --quaternions '"a,b"'
    awk -F, -v OFS=, '{ print $1, $4, $2, $5, $3, $6 }' turn.csv > other.csv
    sprung critical -H 0.1 --quaternions hip -x m other.csv | awk -F, -v OFS=, '{ print $1, $3, $5, $2, $4, $6, $7, $8, $9, $10, $11, $12 }' | diff - want.csv
}

@test "positions: the order is told by letters or given, and never guessed" {
    renamed time,a,b,c,d,m
    as_wanted --quaternions 2-5:wxyz
    as_wanted --quaternions 2-5:WXYZ
    sprung critical -H 0.1 --quaternions 2-5:wxyz other.csv | head -n 1 | grep -q ',q2_vel_x,'
    fails 2 sprung critical -H 0.1 --quaternions 2-5 other.csv
    says '--quaternions: "2-5" has no valid order'
    says '3-6:xyzw'
    renamed time,rot1,rot2,rot3,rot4,m
    sprung critical -H 0.1 --quaternions 2-5:wxyz other.csv | head -n 1 | grep -q ',rot_vel_x,'
    awk -F, -v OFS=, '{ print $1, $3, $4, $5, $2, $6 }' turn.csv > other.csv
    for order in '' :xyzw; do
        sprung critical -H 0.1 --quaternions "2-5$order" -x m other.csv | awk -F, -v OFS=, '{ print $1, $5, $2, $3, $4, $6, $7, $8, $9, $10, $11, $12 }' | diff - want.csv
    done
}

@test "several: each like on its own, and the columns beside them as ever" {
    awk -F, -v OFS=, 'NR == 1 { print "time,a_w,a_x,a_y,a_z,m,b_w,b_x,b_y,b_z"; next } { print $1, $2, $3, $4, $5, $6, $5, $4, $3, $2 }' turn.csv > two.csv
    cut -d, -f1,7-10 two.csv > b.csv
    cut -d, -f1,6 two.csv > n.csv
    for list in a,b '*' 'b,*' 'a,7-10' ; do
        sprung critical -H 0.1 -d 1 --quaternions "$list" two.csv > out.csv
        [ "$(head -n 1 out.csv)" = time,a_w,a_x,a_y,a_z,m,b_w,b_x,b_y,b_z,a_vel_x,a_vel_y,a_vel_z,m_vel,b_vel_x,b_vel_y,b_vel_z ]
        cut -d, -f1-5,11-13 out.csv | tail -n +2 | diff - <(cut -d, -f1-5,7-9 want.csv | tail -n +2)
        sprung critical -H 0.1 -d 1 --quaternions b b.csv | diff - <(cut -d, -f1,7-10,15-17 out.csv)
        sprung critical -H 0.1 -d 1 n.csv | diff - <(cut -d, -f1,6,14 out.csv)
    done
}

@test "a take with its names on several lines, X,Y,Z,W, and w = -1" {
    { printf 'Format,1.21,Rotation Type,Quaternion\n\n,,Body,Body,Body,Body,Body\n,,Rotation,Rotation,Rotation,Rotation,Position\nFrame,Time,X,Y,Z,W,X\n'
      awk 'BEGIN { for (n = 0; n < 200; n++) printf "%d,%.6f,%.6f,%.6f,%.6f,%.6f,%.3f\n", n, n / 120, .0001 * sin(n), .00002 * cos(n), 0, -1, n }'; } > take.csv
    sprung tracking -c 3-6 --quaternions 3-6:xyzw -d 0 --decimals 6 take.csv | sed 's/-0\.000000/0.000000/g' | diff - <(sed 's/,0,/,0.000000,/; s/-0\.000000/0.000000/g; s/,-1,/,-1.000000,/' take.csv)
    sprung critical -H 0.05 -c 3-6 --quaternions 3-6:xyzw take.csv > out.csv
    [ "$(sed -n 5p out.csv)" = Frame,Time,X,Y,Z,W,X,q3_vel_x,q3_vel_y,q3_vel_z,q3_acc_x,q3_acc_y,q3_acc_z ]
    awk -F, 'NR > 5 && !($6 < -0.99999999 && $6 >= -1) { exit 1 }' out.csv
    sprung critical -H 0.05 -c 3-6 --quaternions 3-6 -d 0 take.csv | cut -d, -f3-6 | diff - <(cut -d, -f3-6 out.csv)
    for list in 'Body.Rotation' '*.Rotation'; do
        sprung critical -H 0.05 --header 3,4,5 -c '*Rotation*' --quaternions "$list" -d 2 take.csv > named.csv
        grep -q 'Body.Rotation_vel_x,Body.Rotation_vel_y' named.csv
        tail -n +6 named.csv | diff - <(tail -n +6 out.csv)
    done
}

@test "signs are put right: what comes out has none that change, and begins as the input does" {
    python3 - <<'P'
def rows(name): return [[float(x) for x in line.split(",")[1:5]] for line in open(name).read().split()[1:]]
out, first = rows("want.csv"), rows("turn.csv")[0]
assert sum(a * b for a, b in zip(out[0], first)) > 0
for p, q in zip(out, out[1:]):
    assert sum(a * b for a, b in zip(p, q)) > .9
for q in out[1:]:
    assert abs(sum(x * x for x in q) - 1) < 1e-15
P
    sprung tracking -d 0 --quaternions hip -x m turn.csv | sprung diff --abs 0 --rel 0 --quaternions hip turn.csv -
}

@test "a quaternion of another length is brought to 1, one rounded to decimals passes" {
    printf 'time,q_w,q_x,q_y,q_z\n0,2,0,0,0\n1,2,0,0,0\n2,0.707,0,0.707,0\n' > in.csv
    [ "$(sprung tracking -d 0 --quaternions q in.csv | tr '\n' ' ')" = "time,q_w,q_x,q_y,q_z 0,1,0,0,0 1,1,0,0,0 2,0.707,0,0.707,0 " ]
}

@test "one missing component is a missing rotation" {
    awk -F, -v OFS=, 'NR > 1 && $6 > 49 && $6 < 60 { $(2 + $6 % 4) = "" } 1' turn.csv > one.csv
    awk -F, -v OFS=, 'NR > 1 && $6 > 49 && $6 < 60 { $2 = $3 = $4 = $5 = "" } 1' turn.csv > all.csv
    for gaps in keep fill restart; do
        for filter in 'critical -H 0.1' tracking 'inertialize -H 0.1'; do
            # shellcheck disable=SC2086
            sprung $filter --gaps $gaps --quaternions hip -x m one.csv > out.csv
            # shellcheck disable=SC2086
            sprung $filter --gaps $gaps --quaternions hip -x m all.csv | cut -d, -f6- | diff - <(cut -d, -f6- out.csv)
            case $gaps in
            fill) ! grep -q ',,' out.csv ;;
            *) [ "$(grep -c ',,,,,' out.csv)" = 10 ] ;;
            esac
        done
    done
    # A gap coasts to where the last goal is: the fill ends there, and a restart begins at the value.
    sprung critical -H 0.001 --gaps fill -d 0 --quaternions hip -x m one.csv | sed -n 61p | cut -d, -f2-5 > filled
    sed -n 51p one.csv | cut -d, -f2-5 > last
    paste -d, filled last | awk -F, '{ d = 0; for (i = 1; i < 5; i++) d += $i * $(i + 4); exit !(d > .9999999 || d < -.9999999) }'
    sprung critical -H 1 --max-gap 0.05 -d 0 --quaternions hip -x m one.csv | sed -n '1p;62p' > new.csv
    sed -n '1p;62p' one.csv | sprung diff --abs 0 --rel 0 --quaternions hip - new.csv
}

@test "groups are rotations of their own, whatever stands between" {
    awk -F, -v OFS=, 'NR == 1 { print "who", $0; next } { print "a", $0; print "b", $1, $2, -$3, -$4, -$5, $6 }' turn.csv > groups.csv
    sprung critical -H 0.1 --group-by who --quaternions hip -x m groups.csv > out.csv
    grep '^a' out.csv | cut -d, -f2- | diff - <(tail -n +2 want.csv)
    awk -F, '/^b/ && !($8 == 0 && $9 == 0) { n++ } END { exit n < 200 }' out.csv
}

@test "equal times hold the row" {
    awk 'NR == 60 { print; print; next } 1' turn.csv | sprung critical -H 0.1 --quaternions hip -x m | awk 'NR != 61' | diff - want.csv
}

@test "cuts: marked in a column, or found in any component at once" {
    python3 - <<'P'
import math
with open("cut.csv", "w") as f:
    f.write("time,q_w,q_x,q_y,q_z,cut\n")
    for n in range(200):
        a = n / 100 + (.8 if n >= 120 else 0)
        f.write("%.3f,%.9f,0,0,%.9f,%d\n" % (n / 60, math.cos(a / 2), math.sin(a / 2), n == 120))
P
    for filter in tracking 'inertialize -H 0.2'; do
        # shellcheck disable=SC2086
        sprung $filter --cut-column cut --quaternions q cut.csv > want.csv
        # shellcheck disable=SC2086
        sprung $filter --detect-cuts 8 -v -x cut --quaternions q cut.csv 2> err.txt | diff - want.csv
        [ "$(grep -c 'cut found' err.txt)" = 1 ]
        grep -q 'cut found at 2 s in "q"' err.txt
        grep -q ' 1 cut,' err.txt
        # It leaves from where it was, and comes to the new motion.
        python3 - <<'P'
import math
rows = [list(map(float, line.split(","))) for line in open("want.csv").read().split()[1:]]
angle = [2 * math.atan2(r[4], r[1]) for r in rows]
goal = [n / 100 + (.8 if n >= 120 else 0) for n in range(200)]
assert all(abs(a - g) < 1e-8 for a, g in zip(angle[:120], goal))
assert all(abs(b - a) < .06 for a, b in zip(angle, angle[1:]))
assert abs(angle[-1] - goal[-1]) < .1
P
    done
}

@test "--start zero begins without rotation" {
    printf 'time,q_w,q_x,q_y,q_z\n0,-0.6,0,-0.8,0\n1,-0.6,0,-0.8,0\n' > in.csv
    # Half of 106.26 degrees after a half-life; the sign is the goal's.
    [ "$(sprung damper -H 1 -d 0 --start zero --decimals 6 --quaternions q in.csv | tr '\n' ' ')" = \
        "time,q_w,q_x,q_y,q_z 0,-1.000000,0,0.000000,0 1,-0.894427,0,-0.447214,0 " ]
    fails 2 sprung damper -H 1 --start 1 --quaternions q in.csv
    says 'a rotation cannot start at a single number'
}

@test "json: rates are members at the end of the record" {
    printf '[{"time":0,"hip":{"w":1,"x":0,"y":0,"z":0}},{"time":1,"hip":{"w":0.6,"x":0.8,"y":0,"z":0}}]' > in.json
    sprung damper -H 1 -d 1 --quaternions hip --decimals 3 in.json > out.json
    python3 - <<'P'
import json
first, last = json.load(open("out.json"))
assert list(last) == ["time", "hip", "hip_vel_x", "hip_vel_y", "hip_vel_z"]
assert last["hip"]["w"] == .894 and last["hip"]["x"] == .447 and last["hip_vel_x"] == .643 and last["hip_vel_y"] == 0
P
    [ "$(printf '{"time":[0,1],"hip_w":[1,0.6],"hip_x":[0,0.8],"hip_y":[0,0],"hip_z":[0,0]}' | sprung damper -H 1 -d 1 --quaternions hip --decimals 3)" = \
        '{"time":[0,1],"hip_w":[1,0.894],"hip_x":[0,0.447],"hip_y":[0,0],"hip_z":[0,0], "hip_vel_x": [0.000, 0.643], "hip_vel_y": [0.000, 0.000], "hip_vel_z": [0.000, 0.000]}' ]
    [ "$(printf '[{"time":0,"hip":[1,0,0,0]},{"time":1,"hip":[0.6,0.8,0,null]}]' | sprung damper -H 1 -d 0 --quaternions 2-5:wxyz --decimals 3 --gaps fill)" = \
        '[{"time":0,"hip":[1,0,0,0]},{"time":1,"hip":[1.000,0.000,0,0.000]}]' ]
    sprung critical -H 0.1 --quaternions hip -x m --to jsonl turn.csv > out.jsonl
    sprung diff want.csv out.jsonl
}

@test "live: a rotation comes out as soon as it went in" {
    python3 - "$SPRUNG" <<'P'
import select, subprocess, sys
p = subprocess.Popen([sys.argv[1], "critical", "-H", "0.1", "--quaternions", "hip"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
lines = open("turn.csv", "rb").read().splitlines(keepends=True)[:60]
p.stdin.write(lines[0])
for n, line in enumerate(lines[1:]):
    p.stdin.write(line)
    got, want = b"", 2 if n == 0 else 1
    while got.count(b"\n") < want:
        if not select.select([p.stdout], [], [], 20)[0]:
            sys.exit("row %d did not come out" % n)
        got += p.stdout.read(65536)
p.stdin.close()
sys.exit(p.wait())
P
}

@test "a quaternion of zeros is a missing rotation" {
    printf 'time,q_w,q_x,q_y,q_z\n0,1,0,0,0\n1,0,0,0,0\n2,1,0,0,0\n' > in.csv
    sprung damper -H 1 -d 0 --quaternions q in.csv | cmp - in.csv
    sprung butterworth --cutoff .2 --zero-phase -d 0 --quaternions q in.csv | cmp - in.csv
    [ "$(sprung damper -H 1 -d 0 --gaps fill --quaternions q in.csv | sed -n 3p)" = 1,1,0,0,0 ]
}

@test "what cannot be is refused" {
    fails 2 sprung double -H 1 --quaternions hip turn.csv
    says 'double cannot filter rotations'
    says 'live, critical --lag 0.1 can; for recorded files, butterworth'
    fails 2 sprung damper -H 1 --quaternions leg turn.csv
    says '"leg" does not match the columns of a quaternion'
    says '3-6:xyzw'
    fails 2 sprung damper -H 1 --quaternions hip -x hip_y turn.csv
    says 'column "hip_y": --quaternions: each rotation is filtered as a whole, but this column is not filtered'
    fails 2 sprung damper -H 1 -x hip_y turn.csv
    says 'column "hip_y": --quaternions: each rotation is filtered as a whole, but this column is not filtered'
    fails 2 sprung damper -H 1 --quaternions 'hi*' -x hip_y turn.csv
    says 'column "hip_y": --quaternions: each rotation is filtered as a whole, but this column is not filtered'
    fails 2 sprung damper -H 1 --quaternions hip --angles hip_x turn.csv
    says 'column "hip_x": --angles names this column, but it is part of another rotation'
    fails 2 sprung damper -H 1 --quaternions 2-5:wxyz,hip,3-6:wxyz turn.csv
    says 'it is part of another rotation'
    fails 2 sprung damper -H 1 --quaternions 1-4:wxyz turn.csv
    says 'column "time": --quaternions: each rotation is filtered as a whole, but this column is not filtered'
    renamed time,hip_w,hip_x,hip_y,hip_z,hip_vel_y
    [[ $(sprung damper -H 1 -d 1 -q --quaternions hip other.csv | head -n 1) == *hip_vel_x,hip_vel_y_2,hip_vel_z* ]]
    printf 'time,X,X,Y,Z,W\n0,0,0,0,0,1\n' > in.csv
    fails 2 sprung damper -H 1 --quaternions '*' in.csv
    says 'several columns are named "X"'
}

@test "rates of two that have one name" {
    printf 'time,X,Y,Z,W,X,Y,Z,W\n0,0,0,0,1,0,0,0,1\n' > in.csv
    [ "$(sprung damper -H 1 -d 1 --quaternions 2-5,6-9 in.csv | head -n 1)" = \
        "time,X,Y,Z,W,X,Y,Z,W,q2_vel_x,q2_vel_y,q2_vel_z,q6_vel_x,q6_vel_y,q6_vel_z" ]
    printf 'time,a.X,a.Y,a.Z,a.W,aX,aY,aZ,aW\n0,0,0,0,1,0,0,0,1\n' > in.csv
    [ "$(sprung damper -H 1 -d 1 --quaternions 2-5,6-9 in.csv | head -n 1)" = \
        "time,a.X,a.Y,a.Z,a.W,aX,aY,aZ,aW,a_vel_x,a_vel_y,a_vel_z,a_vel_x_2,a_vel_y_2,a_vel_z_2" ]
}

@test "--report: changes are those of the rotation, whatever its sign" {
    sprung tracking --quaternions hip -x m --report=json -o out.csv turn.csv > report.json
    python3 - <<'P'
import json
for c in json.load(open("report.json"))["channels"]:
    assert c["change"]["largest"] == 0, c
    assert (c["velocity"] is None) == (c["channel"] == "hip_w"), c
P
    # The angle between input and output, in radians: 0.2 after a turn by 0.2 that the other way of writing it hides.
    printf 'time,q_w,q_x,q_y,q_z\n0,1,0,0,0\n1,%s,%s,0,0\n' "$(python3 -c 'from math import *; print(-cos(.1))')" \
        "$(python3 -c 'from math import *; print(-sin(.1))')" > angle.csv
    sprung critical -H 1e9 --quaternions q --report=json -o out.csv angle.csv > report.json
    python3 - <<'P'
import json
for c in json.load(open("report.json"))["channels"]:
    assert abs(c["change"]["largest"] - 0.2) < 1e-6, c
P
}

@test "a row in a gap that has some numbers of a rotation is in the gap" {
    printf 'time,q_w,q_x,q_y,q_z\n0,1,0,0,0\n.01,.995,.1,0,0\n.02,,,,\n.03,,,.4,\n.04,.98,.199,0,0\n' > in.csv
    sprung critical -H .1 --gaps fill --max-gap 1rows -d 0 -q in.csv | sed -n '4,5p' | tr '\n' ' ' | grep -qx '.02,,,, .03,,,.4, '
    printf 'time,q_w,q_x,q_y,q_z\n0,1,0,0,0\n.01,,,,\n.02,.9,.43,0,0\n.03,.968193,-.25,,\n' > in.csv
    sprung inertialize -H 1 --rate 100 -d 0 -q in.csv | tail -n 1 | grep -qx '.03,.968193,-.25,,'
}
