#!/usr/bin/env bats
# --zero-phase: the cubic smoothing spline, by tools/spline.py against its normal equations; what it cannot be combined with.
load ../common
bats_require_minimum_version 1.5.0

spline()
{
    SPRUNG="$SPRUNG" python3 "$TOOLS/spline.py" "$@"
}

@test "zero phase: away from the ends the curve solves the normal equations, with gaps, too" {
    spline dense
}

@test "zero phase: at uneven steps a sample stands for half of both steps beside it" {
    spline uneven
}

@test "zero phase: a long series has the curve of the series as a whole" {
    spline stretches
}

@test "--lookahead: each row is that of the spline through all rows up to S seconds later" {
    spline lookahead
}

@test "--loop: value, velocity and acceleration agree at the seam, and a turned loop has the turned result" {
    spline loop
}

@test "zero phase: the reversed series has the reversed result" {
    spline reversed
}

@test "zero phase: points of --resample lie on the cubic between two rows" {
    spline points
}

@test "zero phase: a rotation about a fixed axis has the result of its angle" {
    spline rotations
}

@test "zero phase: bytes depend neither on threads, nor on pieces, nor on other channels" {
    spline arrival
}

@test "zero phase: a constant and a ramp come out unchanged, ends and uneven steps too" {
    seq 0 40 | awk 'BEGIN { print "time,c,r" } { t = $1 / 50 + ($1 % 3) / 400; printf "%.4f,7,%.4f\n", t, 3 * t }' > in.csv
    "$SPRUNG" butterworth --cutoff 5 --zero-phase -d 0 in.csv > out.csv
    "$SPRUNG" diff --abs 1e-9 in.csv out.csv
}

@test "zero phase: a single row, and two" {
    printf 'time,x\n0,3\n' | "$SPRUNG" butterworth --cutoff 5 --zero-phase | grep -qx '0,3,0,0'
    printf 'time,x\n0,3\n0.1,4\n' | "$SPRUNG" butterworth --cutoff 2 --zero-phase -d 1 > out.csv
    printf 'time,x,x_vel\n0,3,10\n0.1,4,10\n' | "$SPRUNG" diff --abs 1e-9 - out.csv
}

@test "zero phase: rows of one time are one sample; each channel takes its first value" {
    printf 'time,x,y\n0,1,\n0,,10\n1,2,\n1,,20\n2,3,\n2,,30\n' |
        "$SPRUNG" butterworth --cutoff .2 --zero-phase -d 0 > out.csv
    printf 'time,x,y\n0,1,\n0,,10\n1,2,\n1,,20\n2,3,\n2,,30\n' | "$SPRUNG" diff --abs 1e-9 - out.csv
    for near in .00000000001,1 .20000000001,2; do # rows as near as that, too, also at the start
        { echo time,x && printf '%s\n' 0,1 .2,2 .4,3 .6,4 $near | sort -n; } > line.csv
        sed "s/^$near/${near%,*},5/" line.csv | "$SPRUNG" butterworth --cutoff 1 --zero-phase -d 0 > near.csv
        "$SPRUNG" diff --abs 1e-5 line.csv near.csv
    done
}

@test "zero phase: gaps stay gaps, are filled by the curve, or end a run" {
    seq 0 60 | awk 'BEGIN { print "time,x" } { t = $1 / 20; print t "," ($1 % 20 == 7 || $1 % 20 == 8 ? "" : 3 * t) }' > in.csv
    "$SPRUNG" butterworth --cutoff 2 --zero-phase -d 0 in.csv > keep.csv
    "$SPRUNG" diff --abs 1e-9 in.csv keep.csv
    "$SPRUNG" butterworth --cutoff 2 --zero-phase -d 0 --gaps fill in.csv > fill.csv
    seq 0 60 | awk 'BEGIN { print "time,x" } { t = $1 / 20; print t "," 3 * t }' | "$SPRUNG" diff --abs 1e-9 - fill.csv
    awk -F, -v OFS=, 'NR > 1 && $2 != "" { $2 += NR > 10 ? 100 : 0 } 1' in.csv > jump.csv
    "$SPRUNG" butterworth --cutoff 2 --zero-phase -d 0 --gaps restart jump.csv > restart.csv
    "$SPRUNG" diff --abs 1e-9 jump.csv restart.csv
}

@test "zero phase: angles go on over the seam, printed in the turn of their cells" {
    seq 0 80 | awk 'BEGIN { print "time,a" } { a = $1 * 17 % 360; print $1 / 50 "," (a > 180 ? a - 360 : a) }' > in.csv
    "$SPRUNG" butterworth --cutoff 4 --zero-phase -d 0 --angles a in.csv > out.csv
    "$SPRUNG" diff --abs 1e-9 in.csv out.csv
}

@test "zero phase: groups are series of their own" {
    seq 0 99 | awk 'BEGIN { print "time,id,x" } { print $1 / 20 ",a," $1 * 2; print $1 / 20 ",b," 7 - $1 }' > in.csv
    "$SPRUNG" butterworth --cutoff 2 --zero-phase -d 0 --group-by id in.csv > out.csv
    "$SPRUNG" diff --abs 1e-9 in.csv out.csv
}

@test "zero phase: a fault ends the series there, and what stands before it is written" {
    { seq 0 30 | awk 'BEGIN { print "time,x" } { print $1 / 20 "," $1 }'; echo 1.1,3; } > in.csv
    run -2 bash -c "'$SPRUNG' butterworth --cutoff 2 --zero-phase -d 0 in.csv 2> err"
    [[ ${#lines[@]} == 32 ]]
    grep -q 'in.csv:33:' err
}

@test "zero phase on other filters is refused, and the hint has the cutoff of their settings" {
    run -2 "$SPRUNG" critical --halflife 0.1 --zero-phase
    [[ $output == *"--zero-phase works only with butterworth"*"try sprung butterworth --cutoff 0.96 --zero-phase"* ]]
    run -2 "$SPRUNG" inertialize --halflife 0.1 --zero-phase
    [[ $output == *"works only with butterworth"* ]]
    run -2 "$SPRUNG" critical --halflife auto
    [[ $output == *"try sprung butterworth --cutoff auto --zero-phase"* ]]
    run -2 "$SPRUNG" damper --cutoff auto
    [[ $output == *"try sprung butterworth --cutoff auto --zero-phase"* ]]
}

@test "zero phase: what cannot be combined is refused" {
    printf 'time,x\n0,1\n0.1,2\n0.2,3\n' > in.csv
    local options
    for options in "--lookahead .2 --loop" "--lookahead .2 --gaps fill" "--cutoff auto --lookahead .2" "--start zero" "--cutoff 4.6"; do
        # shellcheck disable=SC2086
        run -2 "$SPRUNG" butterworth --cutoff 2 --zero-phase $options in.csv
    done
    [[ $output == *"too high"*"try --cutoff"* ]]
    run -2 "$SPRUNG" butterworth --cutoff 2 --loop in.csv
    [[ $output == *"--loop needs --zero-phase"* ]]
}

@test "a whole series that ends with a fault: the error is told, the rows before it are written" {
    printf '[{"time":1,"a":1},\n{"time":2,"a":2},\n{"time":0,"a":2}]\n' > in.json
    fails 2 sprung butterworth --cutoff auto --zero-phase -d 0 in.json
    says 'time goes backward: 0 after 2'
    [ "$out" = "$(printf '[{"time":1,"a":1},\n{"time":2,"a":2}')" ]
    printf 'time,a\n0,1\n.1,2\n.1,3\n.2,4\n' > in.csv
    fails 2 sprung butterworth --cutoff 6 --zero-phase --loop -d 0 in.csv
    says '--cutoff 6 is too high for 10 rows per second'
}

@test "--loop: an angle whose first or last value is missing goes round as if it were not" {
    printf 'time,yaw\n0,\n.01,20\n.02,31\n.03,39\n.04,50\n' > first.csv
    printf 'time,yaw\n0,10\n.01,20\n.02,31\n.03,39\n.04,\n' > last.csv
    for file in first last; do
        sprung butterworth --cutoff 5 --zero-phase --loop --angles yaw -d 0 -q $file.csv > angle.csv
        sprung butterworth --cutoff 5 --zero-phase --loop -d 0 -q $file.csv | sprung diff -q --abs 1e-9 - angle.csv
    done
}

@test "--lookahead: an angle goes on over its wrap, and two samples are a line, however low the cutoff" {
    printf 'time,a\n0,170\n.01,175\n.02,-180\n.03,-175\n.04,-170\n.05,-165\n' > in.csv
    sprung butterworth --cutoff 5 --zero-phase --lookahead .03 --angles a -d 1 -q in.csv |
        awk -F, 'NR > 1 { off = $2 - 165 - 5 * (NR - 1); off -= 360 * int(off / 360 - 0.5); if (off * off > 1e-10 || ($3 - 500) ^ 2 > 1) exit 1 }'
    printf 'time,x\n0,1\n.01,3\n.02,2\n' | sprung butterworth --cutoff .2 --zero-phase --lookahead 0 -d 1 -q > out.csv
    awk -F, 'NR == 3 && ($2 - 3) ^ 2 < 1e-8 && ($3 - 200) ^ 2 < 1e-4 { n++ } NR == 4 && ($2 - 2.5) ^ 2 < 1e-8 { n++ } END { exit n != 2 }' out.csv
}
