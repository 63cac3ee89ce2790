#!/usr/bin/env bats
# --zero-phase with rotations. zero_rotations.py works out the numbers by other means.
load ../common

numbers()
{
    SPRUNG="$SPRUNG" python3 "$TOOLS/zero_rotations.py" "$@"
}

# A turning joint in turn.csv, whose sign changes now and then.
setup()
{
    cd "$BATS_TEST_TMPDIR"
    awk 'BEGIN { print "who,time,hip_w,hip_x,hip_y,hip_z"
        for (n = 0; n < 200; n++) { a = sin(n / 40) + 0.05 * sin(n * 1.7); s = n % 7 == 3 ? -1 : 1
            printf "%s,%.6f,%.6f,%.6f,%.6f,%.6f\n", n % 2 ? "ann" : "bob", n / 128, s * cos(a), 0.48 * s * sin(a),
                -0.6 * s * sin(a), 0.64 * s * sin(a) } }' > turn.csv
}

both()
{
    sprung critical -H 0.05 --zero-phase --quaternions hip -x who "$@"
}

@test "zero phase: about a fixed axis a rotation comes out as an angle" {
    numbers axis
}

@test "zero phase: points of --resample have the angular velocity and acceleration that those of an angle have" {
    awk 'BEGIN { print "time,angle,q_w,q_x,q_y,q_z"; for (i = 0; i < 80; i++) { a = 1.2 * sin(i / 9) + 0.05 * sin(i * 2.3)
        t += 0.02 + (i * 7 % 5) / 1000; printf "%.4f,%.15g,%.17g,0,0,%.17g\n", t, a, cos(a / 2), sin(a / 2) } }' > axis.csv
    for filter in damper critical; do
        sprung $filter -H 0.05 --zero-phase --resample 130 -d 2 --quaternions q axis.csv > both.csv
        awk -F, 'NR > 1 && (($7 - $11) ^ 2 > 1e-18 * 100 || ($8 - $14) ^ 2 > 1e-18 * 10000) { bad = 1 } END { exit bad || NR < 200 }' both.csv
    done
}

@test "zero phase: rotations told backward come out backward, without flips" {
    numbers reversal
}

@test "zero phase: angular velocity and acceleration are those of the motion" {
    numbers velocity
}

@test "zero phase: the ends of rotations are at most 2.2 times as noisy as the middle" {
    numbers noise
}

@test "zero phase: a rotation that stands still keeps its bytes" {
    { echo time,hip_w,hip_x,hip_y,hip_z; for i in 0 1 2 5 9; do echo "$i,0.183013,-0.5,0.683013,0.500000"; done; } > still.csv
    sprung critical -H 1 --zero-phase -d 0 --quaternions hip still.csv | sprung diff --rel 0 still.csv -
    sprung critical -H 1 --zero-phase --quaternions hip still.csv | cut -d, -f6- | tail -n +2 | sort -u > rates
    [ "$(cat rates)" = 0,0,0,0,0,0 ]
}

@test "zero phase: a missing component is a gap of all components, which is filled or not" {
    awk -F, -v OFS=, 'NR == 60 { $4 = "" } NR == 61 || NR == 2 { $3 = $4 = $5 = $6 = "" } { print }' turn.csv > gap.csv
    both gap.csv > kept
    both --gaps fill gap.csv > filled
    sed -n '2p;60,61p' kept | diff - <(sed -n '2p;60,61p' gap.csv | sed 's/$/,,,,,,/')
    sed '60,61d' kept > kept.rest
    sed '60,61d' filled | cmp - kept.rest
    ! sed 2d filled | grep -q ,,
    both --gaps restart gap.csv > restarted
    # Half way.
    printf 'time,hip_w,hip_x,hip_y,hip_z\n0,1,0,0,0\n1,,,,\n2,0,1,0,0\n' > half.csv
    sprung critical -H 1 --zero-phase --gaps fill -d 0 --decimals 6 --quaternions hip half.csv | sed -n 3p |
        grep -x 1,0.707107,0.707107,0.000000,0.000000
    { head -n 1 turn.csv; sed -n 62,201p turn.csv; } | both | tail -n +2 | cmp - <(sed -n '62,$p' restarted)
}

@test "zero phase: rotations by group, in blocks of any size, beside other channels" {
    both --group-by who turn.csv > out
    for who in ann bob; do
        { head -n 1 turn.csv; grep "^$who" turn.csv; } | both | tail -n +2 | cmp - <(grep "^$who" out)
    done
    dd if=turn.csv bs=77 status=none | both --group-by who | cmp - out
    awk -F, -v OFS=, 'NR == 1 { print $0, "other"; next } { print $0, NR % 5 }' turn.csv > more.csv
    sprung critical -H 0.05 --zero-phase -d 0 --quaternions hip -x who more.csv | cut -d, -f1-6 > got
    both -d 0 turn.csv | cmp - got
}

@test "zero phase: Euler angles as rotations, about one axis like the angle alone" {
    awk 'BEGIN { print "time,j_x,j_y,j_z"; for (i = 0; i < 200; i++)
        printf "%.6f,%s,0,0\n", i / 64, i == 50 ? "" : sprintf("%.4f", 400 * sin(i / 60) + sin(i * 1.7)) }' > turn.csv
    sprung critical -H 0.1 --zero-phase --gaps fill --rotations j:xyz turn.csv | cut -d, -f1,2,5,8 | sed "1s|.*|time,x,v,a|" > got
    sprung critical -H 0.1 --zero-phase --gaps fill turn.csv | cut -d, -f1,2,5,6 | sed "1s|.*|time,x,v,a|" > want
    sprung diff --abs 1e-8 got want
    sprung critical -H 0.1 --zero-phase "$DATA/walk.bvh" > calm.bvh
    sprung critical -H 0.1 --zero-phase --rotations none "$DATA/walk.bvh" | cmp -s - calm.bvh && return 1
    true
}
