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
    says "warning: the first time steps are 6.7 s or more, and damper takes 1.44 s: it smooths next to nothing"
    sed 's/6.7/6.6/; s/13.4/13.2/; s/20.1/19.8/' in.csv > less.csv
    fails 0 sprung damper -H 1 less.csv
    [ -z "$err" ]
    printf 'time,x\n0,1\n16,2\n33,1\n50,4\n' > in.csv
    same_in_pieces sprung critical -H 0.1 -d 0
    grep -q "warning: the first time steps are 16 s or more, and critical takes 0.144 s" whole.err
    grep -q -- "--time-unit" whole.err
    fails 0 sprung critical -H 0.1 --time-unit ms in.csv
    [ -z "$err" ]
    fails 0 sprung critical -H 0.1 -q in.csv
    [ -z "$err" ]
    fails 0 sprung critical -H 0.1 --time-unit ns in.csv
    says "the first time steps are 1.7e-08 s or less, and critical takes 0.144 s: it hardly moves in a million rows"
    # A pause before or after the first rows, or in another group, is none.
    printf 'time,x\n0,1\n1000,2\n1000.01,1\n1000.02,4\n' > in.csv
    fails 0 sprung critical -H 0.1 in.csv
    [ -z "$err" ]
    printf 'time,x,g\n0,1,a\n0,1,b\n0.01,1,a\n0.02,1,a\n900,1,b\n0.03,1,a\n' > in.csv
    fails 0 sprung critical -H 0.1 --group-by g in.csv
    [ -z "$err" ]
    printf 'time,x\n0,1\n16,2\n' > in.csv
    same_in_pieces sprung critical -H 0.1 -d 0
    grep -q "16 s or more" whole.err
    fails 0 sprung damper --method lerp --factor 0.5 in.csv
    [ -z "$err" ]
    printf 'x\n1\n2\n3\n' > in.csv
    fails 0 sprung critical -H 0.1 --rate 0.001 in.csv
    says "the first time steps are 1e+03 s or more"
}

@test "every filter has a time scale, which follows its parameters" {
    printf 'time,x\n0,1\n1,2\n2,1\n3,4\n' > in.csv
    for filter in "damper -H" "critical -H" "double -H" "inertialize -H" "timed --time 1 -H" "velocity --speed 1 -H" "character -H" \
        "resonance --frequencies 0.1 -H" "spring -z 1 -H" "tracking --method halflife --velocity-halflife 0 --position-halflife"; do
        # shellcheck disable=SC2086
        fails 0 sprung $filter 1e-3 in.csv
        says "the first time steps are 1 s or more"
        # shellcheck disable=SC2086
        fails 0 sprung $filter 1 in.csv
        ! grep -q "time steps" err.txt
        # shellcheck disable=SC2086
        fails 0 sprung $filter 1e8 in.csv
        says "the first time steps are 1 s or less"
    done
    fails 0 sprung one-euro --min-cutoff 1000 in.csv
    says "the first time steps are 1 s or more"
    fails 0 sprung second-order -f 1000 -z 1 -r 0 in.csv
    says "the first time steps are 1 s or more"
}

@test "four columns of length 1 that are named like a quaternion" {
    { echo time,hip_w,hip_x,hip_y,hip_z; for i in 0 1 2 3 4 5 6 7 8 9; do echo "0.$i,0.5,-0.5,0.5,0.5"; done; } > in.csv
    same_in_pieces sprung critical -H 0.1 -d 0
    grep -q 'warning: "hip_w" and the three columns after it look like a quaternion' whole.err
    grep -q -- --quaternions whole.err
    fails 0 sprung critical -H 0.1 --quaternions hip in.csv
    [ -z "$err" ]
    sed 's/^time.*/time,X,Y,Z,W/' in.csv > named.csv
    fails 0 sprung critical -H 0.1 named.csv
    says '"X" and the three columns after it'
    sed 's/^time.*/time,a,b,c,d/' in.csv > named.csv
    fails 0 sprung critical -H 0.1 named.csv
    [ -z "$err" ]
    # Whatever their names, if all four move.
    awk 'BEGIN { print "time,q0,q1,q2,q3,other"; for (i = 0; i < 9; i++) { a = i / 9; printf "0.%d,%.6f,%.6f,%.6f,%.6f,%d\n", i, cos(a) * cos(.5 + a),
        cos(a) * sin(.5 + a), sin(a) * .6, sin(a) * .8, i } }' > moving.csv
    fails 0 sprung critical -H 0.1 moving.csv
    says '"q0" and the three columns after it'
    cut -d, -f1-4,6 moving.csv > three.csv
    fails 0 sprung critical -H 0.1 three.csv
    [ -z "$err" ]
    sed '4s/-0.5/0.4/' in.csv > long.csv
    fails 0 sprung critical -H 0.1 long.csv
    [ -z "$err" ]
}

@test "tracking and inertialize without cuts" {
    printf 'time,x,cut\n0,1,0\n1,2,1\n2,1,0\n' > in.csv
    same_in_pieces sprung tracking -c x -d 0
    grep -q "warning: tracking changes nothing here, as no cuts are given: --cuts" whole.err
    cmp in.csv whole.txt
    fails 0 sprung inertialize -H 1 -c x -d 0 in.csv
    says "inertialize changes nothing here, as no cuts are given"
    for options in "--cuts 1" "--cut-column cut" "--detect-cuts 5" "--max-velocity 1" "--max-acceleration 1" "--method gain" "--acceleration-gain 0.5"; do
        # shellcheck disable=SC2086
        fails 0 sprung tracking -c x $options in.csv
        [ -z "$err" ]
    done
    printf 'time,x\n0,1\n1,\n2,1\n' > in.csv
    fails 0 sprung tracking --gaps fill in.csv
    [ -z "$err" ]
}
