#!/usr/bin/env bats
# --zero-phase: smoothed so that nothing lags. tools/zero_phase.py works out the numbers by other means; the other
# tests are about gaps, groups, formats and faults.
load ../common

CHECK=$TOOLS/zero_phase.py

numbers()
{
    SPRUNG="$SPRUNG" python3 "$CHECK" "$@"
}

# noise ROWS [SEED]: a wandering series at 64 rows a second.
noise()
{
    awk -v n="$1" -v seed="${2:-1}" 'BEGIN {
        srand(seed); print "time,x,y"
        for (i = 0; i < n; i++) { x += rand() - 0.5; y += rand() - 0.5; printf "%.6f,%.4f,%.4f\n", i / 64, x, y } }'
}

both()
{
    sprung critical -H 0.05 --zero-phase "$@"
}

@test "zero phase: the values do not depend on --derivatives" {
    for filter in "damper -H 0.1" "critical -H 0.1" "double -H 0.1" "butterworth --cutoff 3" "butterworth --cutoff auto"; do
        sprung $filter --zero-phase -d 0 "$DATA/wave.csv" | cut -d, -f1-3 > values.csv
        sprung $filter --zero-phase -d 2 "$DATA/wave.csv" | cut -d, -f1-3 | cmp - values.csv
    done
}

@test "zero phase: the gain is that of the filter forward and backward" {
    numbers gain
}

@test "zero phase: symmetric input gives symmetric output and derivatives" {
    numbers symmetry
}

@test "zero phase: a constant and a ramp come out unchanged, ends and uneven steps too" {
    numbers ends
}

@test "zero phase: a row that is missing does not make the others lie on another grid" {
    declare -A cutoff=([0.001]=30 [0.01]=3 [1]=0.03)
    for step in "${!cutoff[@]}"; do
        awk -v step=$step 'BEGIN { print "time,x"; for (i = 0; i < 3000; i++)
            if (i != 97 && i != 2500) printf "%.3f,%.3f\n", i * step, 7 * i }' > ramp.csv
        for filter in butterworth critical damper; do
            sprung $filter --cutoff ${cutoff[$step]} --zero-phase -d 0 -q ramp.csv > out.csv
            sprung diff --abs 1e-6 ramp.csv out.csv
        done
    done
}

@test "zero phase: at the cutoff a tone keeps its phase, its gain is 1/sqrt 2, and its derivatives are a tone's" {
    numbers tones
}

@test "zero phase: velocity and acceleration are those of one curve" {
    numbers curve
}

@test "zero phase: two rows at nearly the same time do no harm to derivatives" {
    numbers near
}

@test "zero phase: a series told backward comes out backward" {
    numbers reversal
}

@test "zero phase: a filter much slower than the series leaves a line, and is linear" {
    numbers slow
}

@test "zero phase: the ends are better than those of filtfilt" {
    numbers filtfilt
}

@test "zero phase: the ends are at most 2.4 times as noisy as the middle" {
    numbers noise
}

@test "zero phase: at uneven steps a series told backward comes out backward" {
    numbers mirror
}

@test "zero phase: a single row, and two" {
    printf 'time,x\n0,5.5\n' > one.csv
    [ "$(both one.csv | tail -n 1)" = 0,5.5,0,0 ]
    printf 'time,x\n0,5\n2,4\n' > two.csv
    both two.csv > two.out
    printf 'time,x,x_vel,x_acc\n0,5,-0.5,0\n2,4,-0.5,0\n' | sprung diff --abs 1e-12 - two.out
    printf 'time,x\n' > none.csv
    [ "$(both none.csv)" = time,x,x_vel,x_acc ]
}

@test "zero phase: of several rows at one time the first value counts" {
    printf 'time,x\n0,1\n1,7\n2,3\n3,2\n' > plain.csv
    printf 'time,x\n0,1\n1,\n1,7\n1,50\n2,3\n2,9\n3,2\n' > twice.csv
    both -d 0 plain.csv > plain.out
    both -d 0 twice.csv | sed '3d;5d;7d' > twice.out
    cmp plain.out twice.out
    [ "$(both -d 0 twice.csv | sed -n 4p)" = "$(both -d 0 twice.csv | sed -n 5p)" ]
    [ "$(both -d 0 twice.csv | sed -n 3p)" = 1, ]
    both -d 0 --gaps fill twice.csv | sed '3d;5d;7d' | cmp - plain.out
}

@test "zero phase: a missing value is no value, and the curve goes on below it" {
    noise 200 > whole.csv
    awk -F, -v OFS=, 'NR == 60 || NR == 61 { $2 = "" } { print }' whole.csv > gap.csv
    sed '60,61d' whole.csv > left_out.csv
    both --gaps fill gap.csv > filled
    both gap.csv > kept
    [ "$(sed -n '60,61p' kept | cut -d, -f2,4,5 | sort -u)" = ,, ]
    sed '60,61d' kept > kept.rest
    sed '60,61d' filled | cmp - kept.rest
    # A row that is left out says what an empty cell says.
    both -c x left_out.csv | cut -d, -f1,2 > want
    cut -d, -f1,2 kept.rest | sprung diff --abs 1e-9 want -
    # Between the values the curve of a butterworth is a cubic: its values where it is filled fit its velocities.
    sprung butterworth --cutoff 4 --zero-phase --gaps fill gap.csv | awk -F, '
        NR >= 59 && NR <= 62 { x[NR] = $2; v[NR] = $4 }
        END { T = 1 / 64; off = x[61] - x[60] - T * (v[60] + v[61]) / 2 + T * T * (v[62] - v[61] - v[60] + v[59]) / 24 / T
              exit off > 1e-4 || off < -1e-4 }'
}

@test "zero phase: before the first value and behind the last value nothing is known" {
    noise 60 > rows.csv
    both rows.csv | tail -n +2 > want
    { echo time,x,y; echo -2,,; echo -1,,; tail -n +2 rows.csv; echo 7,,; echo 8,,; } > around.csv
    both --gaps fill around.csv > got
    [ "$(sed -n '2p;3p;64p;65p' got | tr '\n' ' ')" = '-2,,,,,, -1,,,,,, 7,,,,,, 8,,,,,, ' ]
    sed -n 4,63p got | cmp - want
    printf 'time,x\n0,\n1,\n' > never.csv
    [ "$(both -d 0 --gaps fill never.csv | tr '\n' ' ')" = 'time,x 0, 1, ' ]
}

@test "zero phase: a gap that ends a run, by --gaps restart or --max-gap" {
    noise 60 > first.csv
    noise 50 2 | awk -F, -v OFS=, 'NR > 1 { print $1 + 1.5, $2, $3 }' > second.csv
    { cat first.csv; echo 1,,; echo 1.25,,; cat second.csv; } > joined.csv
    both first.csv > want
    { echo 1,,,,,,; echo 1.25,,,,,,; } >> want
    { head -n 1 first.csv; cat second.csv; } | both | tail -n +2 >> want
    both --gaps restart joined.csv | cmp - want
    # From the last value before the gap to the first value after the gap, 37/64 of a second pass.
    both --max-gap 0.578 joined.csv | cmp - want
    both --max-gap 0.578 --gaps fill joined.csv | cmp - want
    both --max-gap 0.579 joined.csv > longer
    ! cmp -s longer want
    both --max-gap 0.578125 joined.csv | cmp - longer
}

@test "zero phase: a gap exactly as long as --max-gap is bridged, also where the limit is no binary fraction" {
    printf 'time,x\n0.0,8\n0.1,0\n0.2,\n0.3,\n0.4,8\n0.5,1\n' > in.csv
    for rate in "" "--rate 10"; do
        both --gaps fill $rate -x time in.csv > want.csv
        both --gaps fill $rate -x time --max-gap 0.3 in.csv | cmp - want.csv
        both --gaps fill $rate -x time --max-gap 0.299999999999999 in.csv | sed -n 4,5p | grep -c ',,,$' > empty.txt
        [ "$(cat empty.txt)" = 2 ]
    done
}

@test "zero phase: groups are series of their own" {
    noise 3000 1 | awk -F, -v OFS=, 'NR == 1 { print "who", $0; next } { print "ann", $0 }' > ann.csv
    noise 2000 2 | awk -F, -v OFS=, 'NR == 1 { print "who", $0; next } { print "bob", $0 }' > bob.csv
    { head -n 1 ann.csv; { tail -n +2 ann.csv; tail -n +2 bob.csv; } | sort -s -t, -k2,2n; } > mixed.csv
    both --group-by who mixed.csv > out.csv
    for who in ann bob; do
        { head -n 1 out.csv; grep "^$who" out.csv; } > got
        both -x who "$who.csv" | cmp - got
    done
}

@test "zero phase: bytes depend neither on threads, nor on blocks, nor on how the input arrives" {
    noise 60000 > long.csv
    both -j 1 long.csv > want
    both -j 4 long.csv | cmp - want
    both < long.csv | cmp - want
    dd if=long.csv bs=777 status=none | both -j 3 | cmp - want
    # Late rows change earlier rows: a value at the end changes the value before.
    sed '$s/.*/937.484375,1000,0/' long.csv | both | cmp -s - want && return 1
    [ "$(wc -l < want)" = 60001 ]
}

@test "zero phase: threads that share many channels change no byte, and the first fault counts" {
    awk 'BEGIN { srand(5); for (i = -1; i < 2000; i++) { printf "%s", i < 0 ? "time" : i / 120
        for (c = 0; c < 30; c++) printf ",%s", i < 0 ? "c" c : sin(i / 20 + c) + rand()
        print "" } }' > wide.csv
    for cutoff in 6 auto; do
        sprung butterworth --cutoff $cutoff --zero-phase -v -j 1 wide.csv > one.csv 2> one.txt
        sprung butterworth --cutoff $cutoff --zero-phase -v -j 5 wide.csv > five.csv 2> five.txt
        cmp one.csv five.csv
        cmp one.txt five.txt
    done
    awk -F, -v OFS=, 'NR == 1500 { $20 = 1e308 } NR == 1501 { $20 = -1e308 } NR == 1400 { $9 = 1e308 } NR == 1401 { $9 = -1e308 } 1' \
        wide.csv > large.csv
    run -2 sprung butterworth --cutoff 6 --zero-phase -d 2 -j 1 -o one.csv large.csv
    first=$output
    run -2 sprung butterworth --cutoff 6 --zero-phase -d 2 -j 5 -o five.csv large.csv
    [ "$output" = "$first" ]
}

@test "zero phase: points of --resample lie on the curve of the rows, which points do not change" {
    awk 'BEGIN { print "time,x"; for (i = 0; i < 600; i++) printf "%.6f,%.9f\n", i / 60, sin(2 * 3.14159265358979 * i / 10) }' > tone.csv
    for filter in "butterworth --cutoff 25" "critical --cutoff 20" "damper --cutoff 20"; do
        smooth="sprung $filter --zero-phase -d 2"
        $smooth tone.csv > rows.csv
        $smooth --resample 180 tone.csv > all.csv
        $smooth --resample 180 -j 3 < tone.csv | cmp - all.csv
        awk 'NR == 1 || NR % 3 == 2' all.csv > points.csv
        paste -d, rows.csv points.csv | awk -F, 'NR > 50 && NR < 550 { for (i = 2; i <= 4; i++) {
            off = $i - $(i + 4); size = i == 2 ? 1 : i == 3 ? 38 : 1421
            if (off < 0) off = -off
            if (off > 2e-4 * size) exit 1 } n++ }
            END { exit n != 499 }'
    done
    # Of a wave of 6 Hz on rows at 60 Hz the points at 100 Hz are the wave, not lines between rows.
    sprung butterworth --cutoff 25 --zero-phase --resample 100 tone.csv | awk -F, 'NR > 101 && NR < 900 {
        s = sin(2 * 3.14159265358979 * 6 * $1); ss += s * s; sx += s * $2; xx += $2 * $2; n++ }
        END { exit !(n > 700 && sqrt((xx - sx * sx / ss) / n) < 2e-4) }'
}

@test "zero phase: points change no row, and other channels no number, also where most samples are missing" {
    awk 'BEGIN { srand(5); print "time,x,y"; for (i = 0; i < 900; i++) {
        x = rand() < 0.7 && i > 1 ? "" : sprintf("%.3f", 100 * sin(i / 12) + rand())
        y = rand() < 0.7 && i > 1 ? "" : sprintf("%.3f", 50 * cos(i / 30))
        printf "%.6f,%s,%s\n", i / 32, x, y } }' > sparse.csv
    awk -F, 'NR == 1 || NR < 400' OFS=, sparse.csv | awk -F, -v OFS=, 'NR > 1 { $2 = sin(NR / 9) + $1 % 0.3; $3 = 1 } { print }' > full.csv
    for file in sparse full; do
        for filter in "butterworth --cutoff 1" "critical -H 0.1"; do
            # shellcheck disable=SC2086
            sprung $filter --zero-phase --gaps fill -d 0 -q -c x $file.csv | cut -d, -f1,2 > rows.csv
            # shellcheck disable=SC2086
            sprung $filter --zero-phase --gaps fill -d 0 -q -c x --resample 64 $file.csv | awk -F, 'NR % 2 == 0 || NR == 1' | cut -d, -f1,2 > points.csv
            sprung diff --abs 1e-8 --abs time:1e-6 rows.csv points.csv
            # shellcheck disable=SC2086
            sprung $filter --zero-phase -d 0 -q -c x --resample 64 $file.csv | cut -d, -f1,2 > alone.csv
            # shellcheck disable=SC2086
            sprung $filter --zero-phase -d 0 -q -c x,y --resample 64 $file.csv | cut -d, -f1,2 > beside.csv
            sprung diff --abs 1e-8 alone.csv beside.csv
        done
    done
}

@test "zero phase: angles go on over the seam, and back into the input's turn" {
    python3 - <<'P'
import math
with open('round.csv', 'w') as r, open('straight.csv', 'w') as s:
    r.write('time,a\n')
    s.write('time,a\n')
    for i in range(500):
        a = round(300 * i / 64 + 40 * math.sin(i / 9), 4)
        gap = i in (100, 101, 300)
        s.write('%.6f,%s\n' % (i / 64, '' if gap else a))
        r.write('%.6f,%s\n' % (i / 64, '' if gap else round((a + 180) % 360 - 180, 4)))
P
    both --gaps fill straight.csv > want
    both --gaps fill --angles a round.csv > got
    sprung diff --abs 1e-9 want got
    both --gaps fill --angles a --wrap round.csv > wrapped
    sprung diff --abs 1e-9 --angles a want wrapped
    awk -F, 'NR > 1 && ($2 > 400 || $2 < -400) { exit 1 }' wrapped
}

@test "zero phase: every format gives the same numbers" {
    noise 300 > rows.csv
    both -d 0 rows.csv > want
    for to in json jsonl tsv; do
        sprung damper --method lerp --factor 1 -d 0 --to "$to" rows.csv > "rows.$to"
        both -d 0 --to csv "rows.$to" > got
        sprung diff --rel 0 want got
    done
    python3 -c '
import csv, json
rows = list(csv.DictReader(open("rows.csv")))
json.dump({k: [float(r[k]) for r in rows] for k in rows[0]}, open("columns.json", "w"))'
    both -d 0 columns.json > columns.out
    python3 -c '
import csv, json
got = json.load(open("columns.out"))
for i, row in enumerate(csv.DictReader(open("want"))):
    assert all(float(row[k]) == got[k][i] for k in row), (i, row)'
    sprung damper --method lerp --factor 1 -d 0 -x time --rate 64 --to au --subtype double -c x,y rows.csv > rows.au
    both -d 0 --to csv rows.au | cut -d, -f2- > got
    cut -d, -f2- want | tail -n +2 > numbers
    tail -n +2 got | cmp - numbers
}

@test "zero phase: motion files and recordings" {
    cp "$DATA/walk.bvh" .
    both -o calm.bvh walk.bvh
    both -d 0 --to csv --decimals input walk.bvh > want
    sprung diff want calm.bvh
    sed '/^Frame Time/q' walk.bvh | cmp - <(sed '/^Frame Time/q' calm.bvh)
    noise 5000 > rows.csv
    sprung damper --method lerp --factor 1 -d 0 -c x,y --rate 64 --to wav --subtype double -o rows.wav rows.csv
    both rows.wav > calm.wav
    both -d 0 --to csv rows.wav > want
    sprung diff --rel 0 want calm.wav
    both -d 0 --to tsv rows.csv | cut -f2- | tail -n +2 | tr '\t' , > numbers
    cut -d, -f2- want | tail -n +2 | cmp - numbers
}

@test "zero phase: a fault ends the series there, and what stands before it is written" {
    noise 9000 > rows.csv
    sed '8000s/,[^,]*,/,12abc,/' rows.csv > bad.csv
    head -n 7999 rows.csv > before.csv
    fails 2 both bad.csv
    says 'bad.csv:8000: column "x": not a number: "12abc"'
    both before.csv | cmp - out.txt
    sed '8000s/^[^,]*/3/' rows.csv > back.csv
    fails 2 both back.csv
    says 'back.csv:8000: column "time": time goes backward'
    both before.csv | cmp - out.txt
    # A group whose rows stand behind the fault in the same block.
    { echo time,x,who; awk -F, -v OFS=, 'NR > 1 { print $1, $2, "ann"; print $1, $3, "bob" }' before.csv; } > two.csv
    sed '9001s/^[^,]*/3/' two.csv > back.csv
    fails 2 both --group-by who back.csv
    says 'back.csv:9001: column "time": time goes backward'
    head -n 9000 two.csv | both --group-by who | cmp - out.txt
    # In place nothing changes.
    cp bad.csv kept.csv
    fails 2 both --in-place bad.csv
    cmp bad.csv kept.csv
}

@test "zero phase: a value too large ends the series as well, with the line of the value" {
    { echo time,who,x; for i in 1 2 3; do echo "$i,a,$i"; done; echo 4,b,1e308; echo 5,b,-1e308; echo 6,a,1; } > large.csv
    fails 2 both --group-by who large.csv
    says 'large.csv:5: column "x": the filtered value is too large (over 1.8e308)'
    [ "$(wc -l < out.txt)" = 4 ]
    # The velocity may be too large where the value is not.
    printf 'time,x\n0,0\n0.001,1e307\n0.002,0\n' > steep.csv
    fails 2 sprung critical -H 1e-3 --zero-phase steep.csv
    says 'steep.csv:2: column "x": the filtered value is too large (over 1.8e308)'
    says 'scale the input down'
}

@test "zero phase: what it cannot be combined with is refused in a sentence that says why" {
    noise 10 > rows.csv
    fails 2 sprung tracking --zero-phase rows.csv
    says '--zero-phase does not work with tracking'
    # The hint names the filters that take it, and no other.
    sed -n 's/.*filters with --zero-phase: //p' err.txt | sed 's/,\| and / /g' | tr -s ' ' '\n' | sort > able.txt
    for filter in "${filters[@]}"; do
        # shellcheck disable=SC2086
        "$SPRUNG" $filter --zero-phase rows.csv 2>&1 > out.txt | grep -q 'does not work with' || echo "${filter%% *}"
    done | sort | diff able.txt -
    fails 2 both --start zero rows.csv
    says '--start cannot be combined with --zero-phase'
    both --start first rows.csv
    for ratio in 0 0.2 0.689; do
        fails 2 sprung spring -f 2 -z $ratio --zero-phase rows.csv
        says 'sprung: --zero-phase needs a damping ratio of at least 0.69: below that, both passes together amplify'
        [ -z "$out" ]
    done
    sprung spring -f 2 -z 0.69 --zero-phase rows.csv > out.csv
    # Refused before anything is read, and once, not once for each file.
    fails 2 sprung second-order -f 2 -z 0 -r 0 --zero-phase --output-dir o none.csv other.csv
    [ "$(grep -c sprung: err.txt)" = 1 ]
    [ -z "$out" ]
    fails 2 sprung damper --method euler --damping 20 --zero-phase rows.csv
    says '--zero-phase cannot be combined with --method euler'
    fails 2 sprung critical -H 0.1 --approx unreal --zero-phase rows.csv
    says '--zero-phase cannot be combined with --approx'
    fails 2 sprung critical -H 0.1 --goal-velocity difference --zero-phase rows.csv
    says '--zero-phase has no lag, so --goal-velocity has no effect'
    fails 2 sprung second-order -f 2 -z 1 -r 1 --zero-phase rows.csv
    says '--zero-phase has no lag, so --goal-velocity has no effect'
    noise 100 > rows.csv
    fails 2 sprung butterworth --cutoff 29.5 --zero-phase rows.csv
    says '--cutoff 29.5 is too high for these rows: the maximum is 28.8 Hz, 0.45 times the row rate'
    sprung butterworth --cutoff 28.7 --zero-phase rows.csv > out.csv
}

@test "--hold has no effect with --zero-phase, and that is said" {
    printf 'time,x\n0,0\n1,1\n2,3\n' > rows.csv
    sprung critical -H 1 --zero-phase rows.csv > want.csv 2> err.txt
    [ ! -s err.txt ]
    for hold in step linear; do
        sprung critical -H 1 --zero-phase --hold $hold rows.csv 2> err.txt | cmp - want.csv
        grep -q 'warning: --hold has no effect with --zero-phase' err.txt
    done
}

@test "series without rows, and of one row: nothing is computed with arrays that are not there" {
    printf 'time,x\n' > none.csv
    printf 'time,x\n0,1\n' > one.csv
    for options in "--zero-phase" "--zero-phase --gaps linear --despike 5" "--zero-phase --resample 10" "--resample 10"; do
        sprung critical -H 0.1 -d 0 -q $options none.csv | cmp - none.csv
        sprung critical -H 0.1 -d 0 -q $options one.csv > out.csv
        [ "$(column 2 < out.csv | tail -n 1)" = 1 ]
        sprung critical -H 0.1 -d 0 -q $options --rate 8000 -c x none.csv --to wav > none.wav
        sprung critical -H 0.1 -q $options none.wav --to wav > out.wav
    done
    printf '[]\n' > none.json
    sprung critical -H 0.1 -d 0 -q --zero-phase --rate 5 none.json | cmp - none.json
}
