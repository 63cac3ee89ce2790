#!/usr/bin/env bats
# --vectors: what depends on a size is taken of the vector. The law that needs no reference: a vector has no axes of its
# own, so that turned input gives turned output, and along one axis a vector is a number.
load ../common

# motion NAME [JUMP]: m_x, m_y and m_z over 2 s at 100 Hz, with a jump of (60, 1.5, 0.5) at 1 s, and with a still start.
motion()
{
    python3 - "$@" <<'P'
import math, random, sys
random.seed(7)
jump = len(sys.argv) > 2
with open(sys.argv[1], "w") as f:
    f.write("time,m_x,m_y,m_z\n")
    for i in range(200):
        t = i / 100
        at = [30 * math.sin(4 * t), 80 * math.cos(3 * t), 20 * t * t]
        if jump and i >= 100:
            at = [a + b for a, b in zip(at, (60, 1.5, 0.5))]
        f.write("%.2f," % t + ",".join("%.9f" % (a + random.gauss(0, 0.02)) for a in at) + "\n")
P
}

# turn FILE: its vectors, and with derivatives those too, turned about (1, 2, 2) by 50 degrees.
turn()
{
    python3 - "$1" <<'P'
import csv, math, sys
rows = list(csv.reader(open(sys.argv[1])))
a, n = math.radians(50), (1 / 3, 2 / 3, 2 / 3)
def turned(v):
    cross = (n[1] * v[2] - n[2] * v[1], n[2] * v[0] - n[0] * v[2], n[0] * v[1] - n[1] * v[0])
    dot = sum(p * q for p, q in zip(n, v))
    return [v[k] * math.cos(a) + cross[k] * math.sin(a) + n[k] * dot * (1 - math.cos(a)) for k in range(3)]
print(",".join(rows[0]))
for r in rows[1:]:
    v = turned([float(x) for x in r[1:4]])
    print(",".join([r[0]] + ["%.12f" % x for x in v]))
P
}

# near FILE FILE TOLERANCE
near()
{
    python3 - "$@" <<'P'
import csv, sys
a, b = (list(csv.reader(open(name))) for name in sys.argv[1:3])
assert a[0] == b[0] and len(a) == len(b)
worst = max(abs(float(x) - float(y)) for p, q in zip(a[1:], b[1:]) for x, y in zip(p, q))
assert worst <= float(sys.argv[3]), worst
P
}

sized=("velocity -H 0.05 --speed 40" "timed -H 0.02 --time 0.1" "tracking --max-velocity 90 --max-acceleration 900"
    "tracking --method gain --max-velocity 90 --max-acceleration 900" "tracking --method spring-damper --max-velocity 90"
    "tracking --detect-cuts 8" "butterworth --cutoff 6 --zero-phase" "butterworth --cutoff auto --zero-phase")

@test "turned input gives turned output" {
    motion m.csv jump
    turn m.csv > turned.csv
    for filter in "${sized[@]}"; do
        sprung $filter -q -d 0 --vectors m m.csv > out.csv
        sprung $filter -q -d 0 --vectors m turned.csv > got.csv
        near <(turn out.csv) got.csv 1e-8
    done
    sprung velocity -H 0.05 --speed 40 -q -d 0 --vectors m m.csv > out.csv
    sprung velocity -H 0.05 --speed 40 -q -d 0 --vectors none turned.csv > none.csv
    ! near <(turn out.csv) none.csv 1 2> /dev/null
}

@test "predictions with limits turn, too" {
    motion m.csv jump
    turn m.csv > turned.csv
    for k in m turned; do
        sprung tracking --max-velocity 90 --max-acceleration 900 --predict 0.1 -q -d 1 --vectors m $k.csv > $k.out
        for column in @0.1 _vel@0.1; do
            awk -F, -v OFS=, -v end="$column" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
                { print $1, $at["m_x" end], $at["m_y" end], $at["m_z" end] }' $k.out > "$k$column"
        done
    done
    near <(turn m@0.1) turned@0.1 1e-8
    near <(turn m_vel@0.1) turned_vel@0.1 1e-7
}

@test "auto chooses once for a vector, and the others by themselves" {
    motion m.csv
    sprung butterworth --cutoff auto --zero-phase -v --vectors m m.csv 2> err > /dev/null
    [ "$(grep -o 'cutoff [0-9.]* Hz' err | sort -u | wc -l)" = 1 ]
    sprung butterworth --cutoff auto --zero-phase -v --vectors none m.csv 2> err > /dev/null
    [ "$(grep -o 'cutoff [0-9.]* Hz' err | sort -u | wc -l)" = 3 ]
}

@test "along one axis a vector is a number" {
    motion m.csv jump
    awk -F, -v OFS=, 'NR > 1 { $3 = $4 = 0 } { print }' m.csv > line.csv
    cut -d, -f1,2 line.csv > x.csv
    for filter in "${sized[@]}"; do
        sprung $filter -q -d 0 --vectors m line.csv | cut -d, -f1,2 > got.csv
        sprung $filter -q -d 0 x.csv > want.csv
        near want.csv got.csv 1e-9
    done
}

@test "filters and options without sizes give the same bytes" {
    motion m.csv
    for filter in "damper -H 0.1" "critical -H 0.1" "spring -f 2 -z 0.3" "second-order -f 2 -z 0.5 -r -1" \
        "double -H 0.1" "one-euro --beta 0.1" "inertialize -H 0.1 --cuts 1" "tracking --cuts 0.5" "character -H 0.1"; do
        sprung $filter --vectors m m.csv | cmp - <(sprung $filter --vectors none m.csv)
    done
}

@test "velocity: the way is straight, and the speed is that of the vector" {
    printf 'time,w.x,w.y\n' > keys.csv
    awk 'BEGIN { for (i = 0; i < 200; i++) printf "%.2f,%d,%d\n", i / 50, (i > 0) * 10, (i > 0) }' >> keys.csv
    sprung velocity -q -H 0.05 --speed 5 --vectors w keys.csv > out.csv
    # On the straight line from (0,0) to (10,1), and at 5 units a second in the middle of the way.
    awk -F, 'NR > 1 { d = $3 - $2 / 10; if (d * d > 1e-24) bent = 1 }
        NR == 52 { x = $2; y = $3 }
        NR == 62 { s = sqrt(($2 - x) ^ 2 + ($3 - y) ^ 2) / 0.2; seen = s > 4.9999 && s < 5.0001 }
        END { exit bent || !seen }' out.csv
    ! sprung velocity -q -H 0.05 --speed 5 keys.csv |
        awk -F, 'NR > 1 { d = $3 - $2 / 10; if (d * d > 1e-3) exit 1 }'
}

@test "timed starts anew for all components" {
    # x gets a new goal at 0.5 s; y has had its goal from 0 on, for 0.6 s.
    awk 'BEGIN { print "time,a_x,a_y"; for (i = 0; i < 100; i++) printf "%.2f,%d,%d\n", i / 50, (i > 25) * 4, (i > 0) }' > keys.csv
    sprung timed -q -d 0 -H 0.01 --time 0.6 --vectors a keys.csv > both.csv
    # without the vector y has arrived at 0.8 s; with it, y gets there with x, at 1.1 s
    y=$(awk -F, '$1 == "0.80" { print ($3 < 0.95) }' both.csv)
    alone=$(sprung timed -q -d 0 -H 0.01 --time 0.6 keys.csv | awk -F, '$1 == "0.80" { print ($3 < 0.95) }')
    [ "$y $alone" = "1 0" ]
    awk -F, '$1 == "1.30" && ($3 < 0.999 || $2 < 3.99) { exit 1 }' both.csv
}

@test "a cut is found at one row for all components, and counted once" {
    motion m.csv jump
    sprung tracking --detect-cuts 8 -v -d 0 --vectors m m.csv > out.csv 2> err
    [ "$(grep -c 'cut found at 1 s in "m"' err)" = 1 ]
    grep -q '200 rows, 0 missing values, 1 cut, 1 group' err
    # y and z go on without the jump at that row, as x does
    paste -d, m.csv out.csv | awk -F, '$1 == "1.00" { y = $3 - $7; z = $4 - $8; seen = 1 }
        END { exit !(seen && y > 1 && y < 2 && z > 0.3 && z < 0.7) }'
}

@test "a marker with a missing component is missing" {
    motion m.csv
    awk -F, -v OFS=, 'NR >= 50 && NR < 60 { $3 = "" } { print }' m.csv > hole.csv
    awk -F, -v OFS=, 'NR >= 50 && NR < 60 { $2 = $3 = $4 = "" } { print }' m.csv > gap.csv
    for options in "critical -H 0.1" "critical -H 0.1 --gaps fill" "tracking --gaps linear" "critical -H 0.1 --gaps restart" \
        "tracking --despike 8" "butterworth --cutoff 2 --zero-phase"; do
        sprung $options -q -d 0 --vectors m gap.csv > want.csv
        sprung $options -q -d 0 --vectors m hole.csv > got.csv
        # Where the output is a gap the cells keep their text.
        awk -F, -v OFS=, 'NR >= 50 && NR < 60 && $3 == "" { $2 = $3 = $4 = "" } { print }' got.csv | cmp - want.csv
    done
    # a mask of one component
    sed '1s/$/,q/; 2,$s/$/,1/; 70,75s/1$/0/' m.csv > masked.csv
    sprung tracking --gaps linear -q -d 0 --vectors m --mask 'm_x:q<0.5' masked.csv > one.csv
    sprung tracking --gaps linear -q -d 0 --vectors m --mask 'm_*:q<0.5' masked.csv | cmp - one.csv
}

@test "a masked component is as one that is empty in the file: the cells of the others stay" {
    motion m.csv
    # z is empty in one of the rows that q marks
    awk -F, -v OFS=, 'NR > 1 { $5 = !(NR >= 50 && NR < 60) } NR == 1 { $5 = "q" } NR == 55 { $4 = "" } { print }' m.csv > q.csv
    awk -F, -v OFS=, '$5 == "0" { $2 = "" } { print }' q.csv > x.csv
    awk -F, -v OFS=, '$5 == "0" { $2 = $3 = $4 = "" } { print }' q.csv > all.csv
    copy="damper --method lerp --factor 1 -q -d 0"
    sprung $copy --vectors m --mask 'm_x:q<1' q.csv | cmp - x.csv
    for options in "critical -H 0.1" "critical -H 0.1 --gaps fill" "tracking --gaps linear" "tracking --gaps linear --max-gap 3rows" \
        "tracking --despike 8" "butterworth --cutoff 2 --zero-phase" "tracking --resample 70" "tracking --to json"; do
        eval "options=($options)"
        for list in x all; do
            sprung "${options[@]}" -q -d 0 -x q --vectors m $list.csv > want.csv
            sprung "${options[@]}" -q -d 0 --vectors m --mask "m_${list/all/*}:q<1" q.csv | cmp - want.csv
        done
    done
    # the mask compares the number in the file, although z is empty beside it
    sprung $copy --vectors m --mask 'm_x:m_x<-1000' q.csv | cmp - q.csv
    sprung $copy --mask 'R.Hip.X:R.Hip.X>79' -o out.trc "$DATA/markers.trc"
    awk -F'\t' -v OFS='\t' 'NR > 6 && $3 > 79 { $3 = ""; n++ } { print } END { exit n < 2 || n > 20 }' "$DATA/markers.trc" > want.trc
    cmp out.trc want.trc
}

@test "a masked component of a rotation is a missing rotation, as one that is empty in the file" {
    { echo time,r_w,r_x,r_y,r_z,q; awk 'BEGIN { for (i = 0; i < 60; i++) printf "%.2f,%.6f,%.6f,0,0,%d\n", i / 50, cos(i / 40), sin(i / 40), i < 20 || i > 25 }'; } > w.csv
    cut -d, -f1,3- w.csv > e.csv
    for run in "w --quaternions r" "e --rotations r:ZXY"; do
        read -r name unit <<< "$run"
        awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $NF == "0" { $at["r_x"] = "" } { print }' $name.csv > hole.csv
        for options in "tracking" "tracking --gaps linear" "critical -H 0.1 --gaps fill"; do
            # shellcheck disable=SC2086
            sprung $options -q -d 0 -x q $unit hole.csv > want.csv
            # shellcheck disable=SC2086
            sprung $options -q -d 0 $unit --mask 'r_x:q<1' $name.csv | cmp - want.csv
        done
    done
}

@test "the report gives distances" {
    motion m.csv jump
    sprung critical -q -H 0.1 -d 2 --vectors m m.csv > out.csv
    sprung critical -q -H 0.1 --vectors m --report json -o /dev/null m.csv > report.json
    python3 - <<'P'
import csv, json, math
a, b = (list(csv.reader(open(n)))[1:] for n in ("m.csv", "out.csv"))
far = max(math.dist([float(x) for x in p[1:4]], [float(x) for x in q[1:4]]) for p, q in zip(a, b))
fast = max(math.hypot(*(float(q[k]) for k in (4, 6, 8))) for q in b)
channels = json.loads(open("report.json").read())["channels"]
for c in channels:
    assert abs(c["change"]["largest"] - far) < 1e-9, (far, c)
    assert abs(c["velocity"] - fast) < 1e-9, (fast, c)
P
}

@test "formats tell which columns are vectors, and one note says so" {
    vectors()
    {
        sprung tracking --max-velocity 1 -v "$@" 2>&1 > /dev/null | sed -n 's/.*: \([0-9]* points*\) .*/\1/p'
    }
    [ "$(vectors "$DATA/markers.trc")" = '3 points' ]
    [ "$(vectors "$DATA/walk.bvh")" = '1 point' ]
    [ "$(vectors "$DATA/vicon.csv")" = '3 points' ]
    [ "$(vectors "$DATA/hip.fbx")" = '1 point' ]
    [ "$(vectors --vectors none "$DATA/walk.bvh")" = '' ]
    printf 'version=1\nDataType=Vec3\nendheader\ntime\tp\tq\n0\t1,2,3\t4,5,6\n1\t1,2,3\t4,5,6\n' > v.sto
    [ "$(vectors v.sto)" = '2 points' ]
    printf 'Format Version,1.2,Export Frame Rate,100\n\n,Type,Bone,Bone,Bone\n,,Hip,Hip,Hip\n,,Position,Position,Position\nFrame,Time (Seconds),X,Y,Z\n0,0,1,2,3\n1,0.01,1,2,3\n' > motive.csv
    [ "$(vectors motive.csv)" = '1 point' ]
    printf 'FREQUENCY\t100\nMARKER_NAMES\ta\tb\n1\t2\t3\t4\t5\t6\n1\t2\t3\t4\t5\t6\n' > q.tsv
    [ "$(vectors --from qualisys q.tsv)" = '2 points' ]
    python3 "$TOOLS/gltf.py" make a.glb
    [ "$(vectors a.glb)" = '1 point' ]
    python3 "$TOOLS/make_c3d.py" a.c3d proc=84 float=0
    [ "$(vectors a.c3d)" = '3 points' ]
    # a usual run has no note; --verbose says how to treat the columns separately
    [ -z "$(sprung tracking --max-velocity 1 "$DATA/markers.trc" 2>&1 > /dev/null)" ]
    sprung critical -v -H 0.1 "$DATA/markers.trc" 2>&1 > /dev/null | grep -q -- '(--vectors none: as separate numbers)'
}

@test "names, dots, globs and positions; blocks and threads do not matter" {
    motion m.csv jump
    for spelling in 'm_x,m_y,m_z:m' 'm.x,m.y,m.z:m' 'mx,my,mz:m' 'm_X,m_Y,m_Z:*' 'a,b,c:2-4'; do
        sed "1s/.*/time,${spelling%:*}/" m.csv > named.csv
        sprung velocity -q -d 0 -H 0.05 --speed 40 --vectors "${spelling#*:}" named.csv | tail -n +2 > got.csv
        sprung velocity -q -d 0 -H 0.05 --speed 40 --vectors m m.csv | tail -n +2 | cmp - got.csv
    done
    # components that are not neighbours
    awk -F, -v OFS=, '{ print $1, $4, "9", $2, $3 }' m.csv | sed '1s/9/n/' > mixed.csv
    sprung velocity -q -d 0 -H 0.05 --speed 40 --vectors m mixed.csv | awk -F, -v OFS=, '{ print $1, $4, $5, $2 }' > got.csv
    sprung velocity -q -d 0 -H 0.05 --speed 40 --vectors m m.csv | cmp - got.csv
    sprung tracking -q --detect-cuts 8 --vectors m m.csv > want.csv
    (while IFS= read -r line; do printf '%s\n' "$line"; done < m.csv) | sprung tracking -q -j 3 --detect-cuts 8 --vectors m |
        cmp - want.csv
}

@test "lists that cannot be are refused" {
    motion m.csv
    fails 2 sprung critical -H 0.1 --vectors wrist m.csv
    says '--vectors: "wrist" does not match the columns of a point'
    fails 2 sprung critical -H 0.1 --vectors m -x m_y m.csv
    says 'column "m_y": --vectors: each vector is filtered as a whole, but this column is not filtered'
    fails 2 sprung critical -H 0.1 --vectors m --angles m_z m.csv
    says 'column "m_z": --angles names this column, but it is part of another vector'
    fails 2 sprung critical -H 0.1 --vectors m,2-3 m.csv
    says 'it is part of another vector'
    fails 2 sprung critical -H 0.1 --vectors 1-4 m.csv
    says '--vectors: "1-4" does not match the columns of a point'
    # what a format tells gives way
    sprung tracking --max-velocity 1 -q -x '*.Y' "$DATA/markers.trc" > /dev/null
}

@test "a spike is found by the distance, and bridged in all components" {
    motion m.csv
    # Three rows stand out; in y and z the spikes are within the noise.
    awk -F, -v OFS=, 'NR == 40 || NR == 90 || NR == 160 { $2 += 9; $3 += 0.05; $4 -= 0.03 } { print }' m.csv > spikes.csv
    copy="damper --method lerp --factor 1 --despike 8 -q -d 0"
    sprung $copy --vectors m --report -o out.csv spikes.csv > report.txt
    paste -d, spikes.csv out.csv | awk -F, -v OFS=, '
        NR > 1 && ($2 != $6 || $3 != $7 || $4 != $8) { print NR, $2 != $6, $3 != $7, $4 != $8 }' > changed.txt
    printf '%s,1,1,1\n' 40 90 160 | diff - changed.txt
    near m.csv out.csv 0.3
    # Each component by itself: y and z keep their spikes.
    sprung $copy --vectors none spikes.csv | paste -d, spikes.csv - | awk -F, 'NR > 1 && ($3 != $7 || $4 != $8) { exit 1 }'
    # The verdict does not depend on the axes, nor on blocks.
    turn spikes.csv > turned.csv
    sprung $copy --vectors m turned.csv > got.csv
    near <(turn out.csv) got.csv 1e-6
    in_pieces spikes.csv | sprung $copy --vectors m | cmp - out.csv
}
