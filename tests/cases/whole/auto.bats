#!/usr/bin/env bats
# --cutoff auto: it never does harm. How near it comes to the best cutoff: accuracy.bats.
load ../common
bats_require_minimum_version 1.5.0

# made AWK: 200 rows at 100 rows a second of column x, by an expression of i.
made()
{
    awk -v seed=3 'BEGIN { srand(seed); print "time,x"; for (i = 0; i < 200; i++) printf "%.2f,%s\n", i / 100, '"$1"' }'
}

@test "auto: states, gears and few values stay, whatever other channels do, and a note says so" {
    made 'int(i / 40) % 3' > gear.csv
    "$SPRUNG" butterworth --cutoff auto --zero-phase -d 0 gear.csv > out.csv 2> err
    cmp gear.csv out.csv
    grep -q 'channel "x": copied unchanged, as so few different whole numbers' err
    made 'i % 20 ? "" : i / 7' > few.csv
    "$SPRUNG" butterworth --cutoff auto --zero-phase -d 0 few.csv > out.csv 2> err
    cmp few.csv out.csv
    grep -q 'needs at least 20 values' err
    # A fault is said alone.
    echo 0.5,1 >> few.csv
    ! "$SPRUNG" butterworth --cutoff auto --zero-phase -d 0 few.csv > out.csv 2> err
    grep -q 'time goes backward' err
    ! grep -q 'needs at least 20 values' err
}

@test "auto: a force plate's pulses keep their peak, and the force of 0 stays" {
    made '(i % 100 < 60 ? sprintf("%.2f", 740 * (1 - (i % 100 / 30 - 1) ^ 4)) : 0)' > in.csv
    "$SPRUNG" butterworth --cutoff auto --zero-phase -d 0 in.csv > out.csv
    "$SPRUNG" diff --abs 7.4 in.csv out.csv
}

@test "auto: a series that every cutoff harms stays; the note names the row that stands out most" {
    made 'sprintf("%.4f", sin(i / 30) + (i == 111 ? 40 : 0))' > in.csv
    "$SPRUNG" butterworth --cutoff auto --zero-phase -d 0 in.csv > out.csv 2> err
    cmp in.csv out.csv
    grep -q '; row 112 stands out most: if it is a spike, add --despike 6' err
    awk 'NR == 1 { print "g," $0; next } { print "a," $0 "\nb," $0 }' in.csv > groups.csv
    "$SPRUNG" butterworth --cutoff auto --zero-phase -d 0 --group-by g groups.csv 2>&1 > out.csv | grep -q '"x": .* row 223 stands'
    "$SPRUNG" butterworth --cutoff auto --zero-phase --despike 6 -v in.csv 2>&1 > out.csv | grep -q 'auto chose cutoff'
}

@test "auto: what stays has the derivatives and the filled gaps of the spline through its samples" {
    made 'i % 20 && i % 20 != 1 ? "" : 3 * i / 100' | head -n 60 > in.csv
    "$SPRUNG" butterworth --cutoff auto --zero-phase -d 1 --gaps fill -q in.csv |
        awk -F, 'NR > 1 && NR < 43 && ($2 - 3 * $1) ^ 2 + ($3 - 3) ^ 2 > 1e-18 { exit 1 }'
}

@test "auto: values that fill gaps, masked ones and spikes say nothing about the noise" {
    made '(i % 30 < 8 && i > 9) ? "" : sprintf("%.4f", sin(i / 20) + (rand() - .5) / 10)' > in.csv
    local way chosen=()
    for way in keep fill linear; do
        chosen+=("$("$SPRUNG" butterworth --cutoff auto --zero-phase --gaps $way -v in.csv 2>&1 > out.csv | grep 'auto chose')")
    done
    [[ ${chosen[0]} == "${chosen[1]}" && ${chosen[0]} == "${chosen[2]}" ]]
}

@test "auto: a constant, a ramp, one row and missing values are left unchanged" {
    local expression
    for expression in 5.5 i/8 '(i == 3 ? 2 : "")' '""'; do
        made "$expression" > in.csv
        "$SPRUNG" butterworth --cutoff auto --zero-phase -d 0 -q in.csv > out.csv
        "$SPRUNG" diff --abs 1e-9 in.csv out.csv
    done
}

@test "auto: the bytes are those of the cutoff that was chosen" {
    made 'sprintf("%.4f", sin(i / 20) + (rand() - .5) / 10)' > in.csv
    local cutoff
    cutoff=$("$SPRUNG" butterworth --cutoff auto --zero-phase -v in.csv 2>&1 > auto.csv | sed -n 's/.*chose cutoff \(.*\) Hz.*/\1/p')
    "$SPRUNG" butterworth --cutoff "$cutoff" --zero-phase in.csv > given.csv
    cmp auto.csv given.csv
}

@test "auto: coloured noise and smoothed data are warned of, white noise is not" {
    made 'sprintf("%.3f", rand())' > white.csv
    run -0 "$SPRUNG" butterworth --cutoff auto --zero-phase -o out.csv white.csv
    [[ $output != *"may be motion, not noise"* ]]
    made 'sprintf("%.9f", sin(i / 3))' > smooth.csv
    run -0 "$SPRUNG" butterworth --cutoff auto --zero-phase --force -o out.csv smooth.csv
    [[ $output == *"may be motion, not noise"* ]]
}

@test "auto takes memory of at most six times the file" {
    seq 0 199999 | awk 'BEGIN { print "time,x,y,z" } { printf "%.3f,%.5f,%.5f,%.5f\n", $1 / 250, sin($1 / 50), cos($1 / 70), $1 % 17 }' > in.csv
    local most
    most=$(python3 - "$SPRUNG" <<'P'
import resource, subprocess, sys
subprocess.run([sys.argv[1], *"butterworth --cutoff auto --zero-phase -q -d 0 -o out.csv in.csv".split()], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
P
    )
    ((most * 1024 < 6 * $(stat -c %s in.csv) + 8000000))
}
