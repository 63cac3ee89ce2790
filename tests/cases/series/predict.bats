#!/usr/bin/env bats
# --predict: columns of where a filter will be.
load ../common

setup()
{
    cd "$BATS_TEST_TMPDIR"
    # Uneven times.
    python3 - <<'P'
import math, random
random.seed(12)
t = 0
with open("take.csv", "w") as f:
    f.write("time,x\n")
    for n in range(10):
        f.write("%.3f,%.9g\n" % (t, math.sin(3 * t) + n // 5))
        t += random.choice((.01, .03, .1))
P
}

# filtered FILTER OPTIONS [NAME=VALUE]...: filters take.csv, and prints the cases for matrix_rows.py.
filtered()
{
    local filter=$1 options=$2
    shift 2
    n=$((${n:-0} + 1))
    sprung $filter $options -q -d 1 --predict 0.1,2 take.csv > out$n.csv
    echo "$filter out$n.csv x predict=0.1,2 $*"
}

# more ROW FILTER [OPTION]...: the last two cells of what the filter makes of in.csv and ROW.
more()
{
    local row=$1
    shift
    { cat in.csv; echo "$row"; } | sprung "$@" -q -d 1 | tail -n 1
}

@test "predictions are right to 1e-12, with a target that stays and one that goes on" {
    needs python3
    {
        filtered damper "-H 0.2" halflife=.2
        filtered critical "-H 0.2 --start 2" halflife=.2 start=2
        filtered critical "-H 0.2 --goal-velocity difference --hold linear" halflife=.2 goal-velocity=difference hold=linear
        filtered spring "-f 2 -z 0.3" frequency=2 damping-ratio=.3
        filtered spring "-f 2 -z 0.3 --goal-velocity difference" frequency=2 damping-ratio=.3 goal-velocity=difference
        filtered double "-H 0.2" halflife=.2
        filtered second-order "-f 2 -z 0.5 -r 1" frequency=2 damping-ratio=.5 response=1
        filtered tracking "--start 3" start=3
    } > cases
    [ "$(python3 "$TOOLS/matrix_rows.py" take.csv < cases)" = $((8 * 10 * 6)) ]
}

@test "a prediction is what one more row with the same target prints" {
    printf 'time,x\n0,1\n0.1,2\n0.3,4\n0.4,5\n' > in.csv
    for filter in "damper --method exponential --damping 5" "damper -H 0.2" "critical -H 0.1" "spring -f 2 -z 0.3 --approx holden" \
        "second-order -f 2 -z 0.5 -r 1" "double -H 0.1 --hold linear" "tracking --start 0 --acceleration-gain 0.5"; do
        [ "$(sprung $filter -q -d 1 --predict 0.25,1 in.csv | tail -n 1 | cut -d, -f4,5)" = "$(more 0.65,5 $filter | cut -d, -f2,3)" ]
    done
    # Also in gaps that are filled, in the first row, and in rows of one time.
    printf 'time,x\n0,1\n0.1,2\n0.1,3\n0.2,\n' > in.csv
    sprung critical -H 0.1 -d 1 --gaps fill --predict 0.25 in.csv > out.csv
    [ "$(tail -n 1 out.csv | cut -d, -f4,5)" = "$(more 0.45,2 critical -H 0.1 --gaps fill | cut -d, -f2,3)" ]
    [ "$(sed -n 2p out.csv | cut -d, -f4,5)" = 1,0 ]
    [ "$(sed -n 3p out.csv | cut -d, -f4,5)" = "$(sed -n 4p out.csv | cut -d, -f4,5)" ]
    # A gap that is kept has no prediction.
    sprung critical -H 0.1 -d 1 --predict 0.25 in.csv | tail -n 1 | grep -qx '0.2,,,,'
}

@test "rotations are predicted as one more row prints them" {
    printf 'time,q_w,q_x,q_y,q_z\n0,1,0,0,0\n0.1,0.9,0.3,0.1,0\n0.2,0.6,0.5,-0.3,0.4\n' > in.csv
    for filter in "damper -H 0.2" "critical -H 0.1" "spring -f 2 -z 0.3" "second-order -f 2 -z 0.5 -r 1" "tracking --start zero"; do
        sprung $filter -q -d 1 --predict 0.25 --quaternions q in.csv > out.csv
        [ "$(head -n 1 out.csv)" = time,q_w,q_x,q_y,q_z,q_vel_x,q_vel_y,q_vel_z,q_w@0.25,q_x@0.25,q_y@0.25,q_z@0.25,q_vel_x@0.25,q_vel_y@0.25,q_vel_z@0.25 ]
        [ "$(tail -n 1 out.csv | cut -d, -f9-15)" = "$(more 0.45,0.6,0.5,-0.3,0.4 $filter --quaternions q | cut -d, -f2-8)" ]
    done
    # About a fixed axis it is the angle, also where the target goes on.
    awk -v OFS=, 'BEGIN { print "time,x,r_x,r_y,r_z"; for (n = 0; n < 5; n++) print n / 10, n * n, 0, 0, n * n }' > turn.csv
    sprung critical -H 0.1 -d 1 --predict 0.25 --goal-velocity difference --rotations r:XYZ turn.csv > out.csv
    [ "$(head -n 1 out.csv)" = time,x,r_x,r_y,r_z,x_vel,x@0.25,x_vel@0.25,r_vel_x,r_vel_y,r_vel_z,r_x@0.25,r_y@0.25,r_z@0.25,r_vel_x@0.25,r_vel_y@0.25,r_vel_z@0.25 ]
    tail -n +2 out.csv | awk -F, '{ d = $7 - $14; v = $8 - $17; if (d * d > 1e-20 || v * v > 1e-18) exit 1; n++ } END { exit n != 5 }'
}

@test "predictions stand in every format that takes velocities" {
    sprung critical -H 0.1 --predict 0.1,2 take.csv > out.csv
    [ "$(head -n 1 out.csv)" = time,x,x_vel,x_acc,x@0.1,x_vel@0.1,x@2,x_vel@2 ]
    [ "$(sprung critical -H 0.1 -d 0 --predict 0.1 take.csv | head -n 1)" = time,x,x@0.1 ]
    sprung critical -H 0.1 --predict 0.1,2 --to jsonl take.csv | sprung damper --method lerp --factor 1 -d 0 -c x --from jsonl --to csv | cmp - out.csv
    # Arrays in JSON.
    printf '[{"t":0,"p":[1,2]},{"t":1,"p":[3,2]}]' > a.json
    sprung critical -H 1 -d 1 --predict 2 a.json > b.json
    python3 -c '
import json
rows = json.load(open("b.json"))
assert list(rows[1]) == ["t", "p", "p.0_vel", "p.0@2", "p.0_vel@2", "p.1_vel", "p.1@2", "p.1_vel@2"], list(rows[1])
assert rows[1]["p.1@2"] == 2 and 1 < rows[1]["p.0@2"] < 3'
    fails 2 sprung critical -H 0.1 --predict 0.1 "$DATA/walk.bvh" -o out.bvh
    says 'columns that the filter adds: a bvh file has no place for them'
}

@test "--predict is refused with the reason where it has no meaning" {
    fails 2 sprung butterworth --cutoff 2 --predict 1 --zero-phase take.csv
    says '--predict cannot be combined with --zero-phase'
    fails 2 sprung critical -H 1 --predict 1 --in-place take.csv
    says '--in-place keeps the columns of a file'
    fails 2 sprung tracking --predict 1 --resample 10 take.csv
    says '--predict with tracking cannot be combined with --resample'
    fails 2 sprung spring -f 1 -z 1 --method euler --predict 1 take.csv
    says 'spring --method euler cannot be combined with --predict'
    says 'hint: try --method exact'
    fails 2 sprung damper --method lerp --factor 0.5 --hold linear --predict 1 take.csv
    says 'damper --method lerp cannot be combined with --hold'
    says 'hint: try --method exact'
    fails 2 sprung double -H 1 --method published --predict 1 take.csv
    fails 2 sprung second-order -f 1 -z 1 -r 0 --method substep --predict 1 take.csv
    fails 2 sprung tracking --method gain --predict 1 take.csv
    fails 2 sprung critical -H 1 --predict 1,1 take.csv
    says '--predict has the value 1 twice'
    fails 2 sprung critical -H 1 --predict 0 take.csv
    fails 2 sprung response critical -H 1 --predict 1
    says '--predict does not apply to response'
}
