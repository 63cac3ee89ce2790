#!/usr/bin/env bats
# Warnings for what the user can hardly have meant. They go by the first rows, however these arrive, and change no byte.
load ../common

# same_in_pieces COMMAND...: its messages and output do not depend on how standard input arrives.
same_in_pieces()
{
    "$@" < in.csv > whole.txt 2> whole.err
    for size in 1 7 64; do
        { while IFS= read -r -N "$size" piece || [ -n "$piece" ]; do printf %s "$piece"; done < in.csv; } | "$@" > pieces.txt 2> pieces.err
        cmp whole.txt pieces.txt
        cmp whole.err pieces.err
    done
    cat in.csv | "$@" 2>&1 > /dev/null | cmp - whole.err
}

@test "steps in which the filter does more than 99 percent, or less than a millionth" {
    # 1 - exp(-T / scale), where the scale of damper -H 1 is 1 / log(2): 99 % after 6.64 s.
    printf 'time,x\n0,1\n6.7,2\n13.4,1\n20.1,4\n' > in.csv
    fails 0 sprung damper -H 1 in.csv
    says "warning: --halflife 1 does not fit 4 rows 6.7 s apart: next to nothing is smoothed; try --halflife 10"
    fails 0 sprung damper --lag 1.43 in.csv
    says "warning: --lag 1.43 does not fit 4 rows 6.7 s apart: next to nothing is smoothed; try --lag 20"
    sed 's/6.7/6.6/; s/13.4/13.2/; s/20.1/19.8/' in.csv > less.csv
    fails 0 sprung damper -H 1 less.csv
    [ -z "$err" ]
    printf 'time,x\n0,1\n16,2\n32,1\n48,4\n' > in.csv
    same_in_pieces sprung critical -H 0.1 -d 0
    grep -q "warning: --halflife 0.1 does not fit 4 rows 16 s apart" whole.err
    grep -q "if the times are not in seconds, add --time-unit" whole.err
    fails 0 sprung critical -H 0.1 --time-unit ms in.csv
    [ -z "$err" ]
    printf 'time,x\n0,1\n1,2\n2,1\n3,4\n' > count.csv
    fails 0 sprung critical -H 0.1 -d 0 --time-unit frames --rate 60 count.csv
    [ -z "$err" ]
    # Where a format says that times are seconds, there is no other unit to try.
    printf 'n\nversion=1\nnRows=4\nnColumns=2\nendheader\ntime\tx\n0\t1\n1\t2\n2\t1\n3\t4\n' > count.sto
    fails 0 sprung critical -H 0.1 -d 0 count.sto
    says "next to nothing is smoothed; try --halflife 2"
    [[ $err != *--time-unit* ]]
    fails 0 sprung critical -H 0.1 --time-unit s count.csv
    [[ $err != *--time-unit* ]]
    fails 0 sprung critical -H 0.1 -q in.csv
    [ -z "$err" ]
    fails 0 sprung critical -H 0.1 --time-unit ns in.csv
    says "warning: --halflife 0.1 does not fit 4 rows 1.6e-08 s apart: the output hardly moves; try --halflife 3e-08"
    # A pause before or after the first rows, or in another group, is none.
    printf 'time,x\n0,1\n1000,2\n1000.01,1\n1000.02,4\n' > in.csv
    fails 0 sprung critical -H 0.1 in.csv
    [ -z "$err" ]
    printf 'time,x,g\n0,1,a\n0,1,b\n0.01,1,a\n0.02,1,a\n900,1,b\n0.03,1,a\n' > in.csv
    fails 0 sprung critical -H 0.1 --group-by g in.csv
    [ -z "$err" ]
    printf 'time,x\n0,1\n16,2\n' > in.csv
    same_in_pieces sprung critical -H 0.1 -d 0
    grep -q "rows 16 s apart" whole.err
    fails 0 sprung damper --method lerp --factor 0.5 in.csv
    [ -z "$err" ]
    printf 'x\n1\n2\n3\n' > in.csv
    fails 0 sprung critical -H 0.1 --rate 0.001 in.csv
    says "rows 1e+03 s apart"
}

@test "what cannot be meant for a take of a few seconds, and one row" {
    awk 'BEGIN { print "time,x"; for (i = 0; i < 400; i++) printf "%.2f,%d\n", i / 100, i % 7 }' > in.csv
    for option in '--halflife 50' '--lag 50'; do
        # shellcheck disable=SC2086
        fails 0 sprung critical $option in.csv
        says "$option does not fit 400 rows 0.01 s apart: the output hardly moves; try ${option% *} 0.0"
    done
    for filter in 'butterworth --zero-phase' butterworth critical; do
        # shellcheck disable=SC2086
        fails 0 sprung $filter --cutoff 0.2 in.csv
        says 'warning: --cutoff 0.2 does not fit'
    done
    fails 0 sprung critical -H .1 --max-gap 20 in.csv
    says '--max-gap 20 is longer than the whole series, 3.99 s, and has no effect; for 20 rows: --max-gap 20rows'
    for options in 'critical -H 1 --max-gap 3' 'butterworth --zero-phase --cutoff 0.5'; do
        # shellcheck disable=SC2086
        fails 0 sprung $options in.csv
        [ -z "$err" ]
    done
    printf 'time,x\n0,1\n' > one.csv
    fails 0 sprung butterworth --zero-phase --cutoff 6 one.csv
    says 'warning: only one row, too few to filter, in 1 of 1 series'
    printf 'time,g,x\n0,a,1\n0,b,2\n1,a,3\n2,c,4\n' > in.csv
    same_in_pieces sprung critical -H 1 --group-by g
    grep -q 'warning: only one row, too few to filter, in 2 of 3 series; try another --group-by COLUMN$' whole.err
}

@test "standard output is a file, and another format is written, or nothing" {
    printf 'time,x\n0,1\n1,2\n' > in.csv
    sprung damper -H 1 in.csv > out.json 2> err.txt
    grep -q 'warning: standard output is .*/out.json, but csv is written: for json, add --to json' err.txt
    sprung damper -H 1 -i in.csv > out.csv 2> err.txt
    grep -q 'warning: nothing is written to standard output, .*/out.csv: --in-place changes the input' err.txt
    sprung damper -H 1 -i in.csv > /dev/null 2> err.txt
    [ ! -s err.txt ]
}

@test "every filter with a half-life has a time scale, which follows it" {
    printf 'time,x\n0,1\n1,2\n2,1\n3,4\n' > in.csv
    for filter in "damper -H" "critical -H" "double -H" "inertialize -H" "velocity --speed 1 -H" "character -H" \
        "resonance --frequencies 0.1 -H" "spring -z 1 -H"; do
        # shellcheck disable=SC2086
        fails 0 sprung $filter 1e-3 in.csv
        says "does not fit 4 rows 1 s apart: next"
        # The value of the hint gives no warning.
        option=$(sed -n 's/.* try \(--[a-z-]* [^;]*\);.*/\1/p' err.txt)
        set -- $filter
        # shellcheck disable=SC2086
        fails 0 sprung "${@:1:$# - 1}" $option in.csv
        ! grep -q "apart" err.txt
        # shellcheck disable=SC2086
        fails 0 sprung $filter 1 in.csv
        ! grep -q "apart" err.txt
        # shellcheck disable=SC2086
        fails 0 sprung $filter 1e8 in.csv
        says "does not fit 4 rows 1 s apart: the output"
    done
    # The half-life of timed only rounds the ends of a move; points of --resample are nearer than the rows.
    fails 0 sprung timed --time 0.5 -H 1e-3 in.csv
    ! grep -q apart err.txt
    fails 0 sprung critical -H 0.1 --resample 60 in.csv
    ! grep -q apart err.txt
    fails 0 sprung timed --time 0.5 -H 1e8 in.csv
    says "does not fit 4 rows 1 s apart: the output"
    # No warning before an error about the same.
    fails 2 sprung butterworth --cutoff 6 in.csv
    [[ $err != *warning* ]]
}

# poses ROWS SPEED: a vehicle in curves as KITTI writes it, three rows of the rotation matrix, each with a coordinate
# behind it, at first slow.
poses()
{
    awk -v n="$1" -v v="$2" 'BEGIN {
        for (i = 0; i < n; i++) {
            a = 0.3 * sin(i / 40); b = 0.01 * sin(i / 7); c = 0.008 * cos(i / 5)
            x += v * sin(a); z += v * cos(a)
            sa = sin(a); ca = cos(a); sb = sin(b); cb = cos(b); sc = sin(c); cc = cos(c)
            printf "%.6e %.6e %.6e %.6e ", ca * cc + sa * sb * sc, -ca * sc + sa * sb * cc, sa * cb, x
            printf "%.6e %.6e %.6e %.6e ", cb * sc, cb * cc, -sb, -0.01 * i * v
            printf "%.6e %.6e %.6e %.6e\n", -sa * cc + ca * sb * sc, sa * sc + ca * sb * cc, ca * cb, z
        } }'
}

@test "numbers of a rotation matrix are no quaternion, beside a position or alone" {
    poses 200 0.0001 > pose.txt
    # Nine numbers, twelve in the order of columns, and four rows of four.
    cut -d' ' -f1-3,5-7,9-11 pose.txt > nine.txt
    awk '{ print $1, $5, $9, $2, $6, $10, $3, $7, $11, $4, $8, $12 }' pose.txt > columns.txt
    sed 's/$/ 0 0 0 1/' pose.txt > four.txt
    for file in pose nine columns four; do
        fails 0 sprung critical -H 0.1 --rate 10 -d 0 "$file.txt"
        [ -z "$err" ]
        fails 0 sprung inspect --rate 10 "$file.txt"
        [[ $out != *uaternion* ]]
    done
    (echo r00,r01,r02,r10,r11,r12,r20,r21,r22; tr ' ' , < nine.txt) > named.csv
    fails 0 sprung critical -H 0.1 --rate 10 -d 0 named.csv
    [ -z "$err" ]
    # Three joints that are at rest are quaternions by their names.
    awk 'BEGIN { print "a_w,a_x,a_y,a_z,b_w,b_x,b_y,b_z,c_w,c_x,c_y,c_z"
        for (i = 0; i < 20; i++) print "1,0,0,0,1,0,0,0,1,0,0,0" }' > rest.csv
    fails 0 sprung critical -H 0.1 --rate 10 -d 0 rest.csv
    says '3 quaternions are filtered as rotations'
}

@test "four columns of length 1 that are named like a quaternion" {
    { echo time,hip_w,hip_x,hip_y,hip_z; for i in 0 1 2 3 4 5 6 7 8 9; do echo "0.$i,0.5,-0.5,0.5,0.5"; done; } > in.csv
    for names in hip_w,hip_x,hip_y,hip_z X,Y,Z,W q0,q1,q2,q3; do
        sed "1s/.*/time,$names/" in.csv > named.csv
        fails 0 sprung critical -H 0.1 -d 0 named.csv
        says '1 quaternion is filtered as a rotation'
    done
    fails 0 sprung critical -H 0.1 --quaternions hip in.csv
    [ -z "$err" ]
    # Components of two points, and a direction beside a small number are none.
    for names in time,a.w,b.x,c.y,d.z time,n.x,n.y,n.z,err time,a,b,c,d; do
        sed "1s/.*/$names/" in.csv > named.csv
        fails 0 sprung critical -H 0.1 named.csv
        [ -z "$err" ]
    done
}

# turning NAME...: 150 rows of 0.01 s of angles that turn by 3.7 a row, from -180 to 180, in columns of these names.
turning()
{
    awk -v names="$*" 'BEGIN { gsub(/ /, ",", names); n = split(names, name, ","); print "time," names
        for (i = 0; i < 150; i++) { a = (i * 3.7 + 100.3) % 360 - 180; printf "%.2f", i / 100; for (k = 0; k < n; k++) printf ",%.3f", a; print "" } }'
}

@test "what inspect takes for an angle that wraps, and what not, by its name or its numbers" {
    turning scale.z wrist.y LASI:X handZ x > in.csv
    ! sprung inspect in.csv | grep -q 'wraps at'
    turning hip.rotation.z > in.csv
    sprung inspect in.csv | grep -q 'hip.rotation.z (.*wraps at 360'
    # Noise from end to end, a switch, numbers beyond a turn, whole numbers from 0 to 6.
    awk 'BEGIN { print "time,noise,radians,switch,far,score"; for (i = 0; i < 3000; i++) { a = sin(i * 12.9898) * 43758.5453; a -= int(a); a = a < 0 ? a + 1 : a
        printf "%.2f,%.3f,%.5f,%d,%.3f,%d\n", i / 100, 360 * a, 6.28318 * a - 3.14159, i % 20 < 10 ? 0 : 350, (i * 3.7) % 360 + 20 * (i > 1), i * 7 % 9 % 7 } }' > in.csv
    ! sprung inspect in.csv | grep -q 'wraps at'
}

@test "a column without a name that rises with the time beside --rate is warned of in any unit" {
    for step in 1 0.01 10 10000 10000000; do
        awk -v s=$step 'BEGIN { for (i = 0; i < 12; i++) printf "%.10g,%.3f\n", i * s, sin(i) }' > in.csv
        [ $step = 10000000 ] && awk 'BEGIN { for (i = 0; i < 12; i++) printf "9%d0000000,%.3f\n", 30 + i, sin(i) }' > in.csv
        same_in_pieces sprung critical -H 0.1 --rate 100
        grep -q 'warning: these columns are filtered, but rise evenly, like row numbers or times: "1";' whole.err
    done
    # A rounded 1/60 rises evenly, although 0 stands first; times whose steps are uneven do not.
    awk 'BEGIN { for (i = 0; i < 12; i++) printf "%s,%.3f\n", i ? sprintf("%.3f", i / 60) : "0", sin(i) }' > in.csv
    fails 0 sprung critical -H 0.1 --rate 60 in.csv
    says 'rise evenly, like row numbers or times: "1"'
    fails 0 sprung critical -H 0.1 --rate 100 in.csv
    [ -z "$err" ]
    awk 'BEGIN { print "a,b"; for (i = 0; i < 12; i++) printf "17000000000%d00000000,%.3f\n", 10 + i * i / 2, sin(i) }' > in.csv
    fails 0 sprung critical -H 0.1 --rate 60 in.csv
    [ -z "$err" ]
}

@test "rows that share their time are said with their number and what to type, in every format" {
    awk 'BEGIN { print "time,x"; for (i = 0; i < 185; i++) printf "%d,%.3f\n", i / 10, sin(i / 9) }' > in.csv
    same_in_pieces sprung critical -H 0.2
    grep -q 'warning: 166 of 185 rows have the same time as the row before: try --rate 10, or --group-by COLUMN if they are of several series$' whole.err
    fails 0 sprung critical -H 0.2 -d 0 --rate 10 in.csv
    [[ $err != *"same time"* ]]
    { printf 'a\nversion=1\nnRows=185\nnColumns=2\nendheader\n'; tr , '\t' < in.csv; } > in.mot
    fails 0 sprung critical -H 0.2 in.mot
    says 'in.mot: warning: 166 of 185 rows have the same time as the row before: try --rate 10'
    # One row in ten, and rows of the groups of --group-by, are no reason.
    awk 'BEGIN { print "time,x"; for (i = 0; i < 100; i++) printf "%.1f,%.3f\n", (i - (i % 10 == 1)) / 10, sin(i / 9) }' > in.csv
    fails 0 sprung critical -H 0.2 in.csv
    [ -z "$err" ]
    awk 'BEGIN { print "time,marker,x"; for (i = 0; i < 9; i++) for (m = 0; m < 2; m++) printf "%.1f,%s,%.3f\n", i / 10, m ? "hip" : "toe", sin(i / 9) + m }' > in.csv
    fails 0 sprung critical -H 0.2 in.csv
    says 'warning: 9 of 18 rows have the same time as the row before'
    fails 0 sprung critical -H 0.2 --group-by marker in.csv
    [ -z "$err" ]
    # Marker after marker: the error names the column.
    printf 'time,marker,x\n0,hip,1\n1,hip,2\n0,toe,3\n' > in.csv
    fails 2 sprung critical -H 2 in.csv
    says '--group-by COLUMN tells series apart'
}

@test "--rate against the times is said with both rates" {
    awk 'BEGIN { print "time,x"; for (i = 0; i < 30; i++) printf "%.3f,%.3f\n", i / 60, sin(i / 9) }' > in.csv
    same_in_pieces sprung critical -H 0.2 --rate 100
    grep -q 'warning: --rate 100 is used, but the times in "time" show 60.* rows per second; try that rate, none, or --time-unit frames$' whole.err
    for options in '.2 --rate 60' '.2 --rate 59.94' '200 --rate 0.06'; do # the last: milliseconds, which the file cannot say
        # shellcheck disable=SC2086
        fails 0 sprung critical -H $options in.csv
        [ -z "$err" ]
    done
    fails 0 sprung critical -H 0.2 --rate 100 -q in.csv
    [ -z "$err" ]
    # The times of joined takes begin again.
    cat in.csv <(tail -n +2 in.csv) > joined.csv
    fails 0 sprung critical -H 0.2 --rate 60 joined.csv
    [ -z "$err" ]
}

@test "columns that rise as counts and times do" {
    awk 'BEGIN { print "a,k,Zeit,b"; for (i = 0; i < 20; i++) printf "%.3f,%d,%.2f,%d\n", sin(i), i + 5, i / 60, i < 7 ? i : 9 }' > in.csv
    same_in_pieces sprung critical -H 0.1 --rate 60
    grep -q 'rise evenly, like row numbers or times: "k", "Zeit"; try --exclude COLUMN, or -t COLUMN instead of --rate' whole.err
    [ "$(wc -l < whole.err)" = 1 ]
    fails 0 sprung critical -H 0.1 --rate 60 -x k,Zeit in.csv
    [ -z "$err" ]
    fails 0 sprung critical -H 0.1 --rate 60 -q in.csv
    [ -z "$err" ]
    fails 0 sprung critical -H 0.1 --rate 60 -c k,Zeit in.csv
    [ -z "$err" ]
    fails 0 sprung critical -H 0.1 --time Zeit in.csv
    says 'rise evenly, like row numbers or times: "k"; try --exclude COLUMN, or -t COLUMN'
    head -n 8 in.csv > seven.csv
    fails 0 sprung critical -H 0.1 --rate 60 seven.csv
    [ -z "$err" ]
    # A row does not wait for the eighth.
    coproc LIVE { sprung critical -H 0.1 --rate 60 -d 0 2> live.err; }
    head -n 3 in.csv >&"${LIVE[1]}"
    for _ in 1 2 3; do IFS= read -r -t 20 line <&"${LIVE[0]}"; done
    [[ $line == *,5.*,* ]]
    [ ! -s live.err ]
    eval "exec ${LIVE[1]}>&-"
    wait
}

@test "a number that wraps like an angle is warned of, a coordinate that jumps is not" {
    awk 'BEGIN { print "time,heading,yaw,x"; for (i = 0; i < 80; i++) {
        a = (340 + 5 * i) % 360; r = (a > 180 ? a - 360 : a) * 3.14159265 / 180; printf "%.3f,%d,%.5f,%d\n", i / 30, a, r, a } }' > in.csv
    sprung butterworth --cutoff 6 --zero-phase -c heading in.csv 2>&1 > out.csv | grep -q 'warning: "heading" jumps like an angle that wraps, but is filtered as a plain number; try --angles heading$'
    sprung critical -H 0.1 -c yaw < in.csv 2>&1 > out.csv | grep -q 'warning: "yaw" jumps like .* try --angles yaw --period 6.283185307179586$'
    printf 'time,heading\n0,350\n1,350\n2,5\n3,5\n' | sprung critical -H 2 2>&1 > out.csv | grep -q 'warning: "heading" jumps like'
    sprung critical -H 0.1 -c heading,x --angles heading in.csv > out.csv 2> err.txt
    [ ! -s err.txt ]
}
