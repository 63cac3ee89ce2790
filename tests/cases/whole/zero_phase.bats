#!/usr/bin/env bats
# --zero-phase: forward, then backward over the result. tools/zero_phase.py works out the numbers by other means; the other
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

@test "zero phase: a whole series is what convolution both ways gives" {
    numbers convolution
}

@test "zero phase: symmetric input gives symmetric output and derivatives" {
    numbers symmetry
}

@test "zero phase: a constant and a ramp come out unchanged, ends and uneven steps too" {
    numbers ends
}

@test "zero phase: a tone keeps its phase, its gain is the square of the gain of one pass, and its derivatives are a tone's" {
    numbers tones
}

@test "zero phase: velocity and acceleration are the derivatives of the spline through the values" {
    numbers curve
}

@test "zero phase: at uneven steps --hold linear gives the best derivatives" {
    numbers uneven
}

@test "zero phase: two rows at nearly the same time do no harm to derivatives" {
    numbers near
}

@test "zero phase: a series told backward comes out backward" {
    numbers reversal
}

@test "zero phase: a filter that remembers more than the series" {
    numbers slow
}

@test "zero phase: slow filters are linear to 1e-9 of the range" {
    numbers slower
}

@test "zero phase: the ends are as good as those of filtfilt" {
    numbers filtfilt
}

@test "zero phase: the ends are at most 2.2 times as noisy as the middle" {
    numbers noise
}

@test "zero phase: at uneven steps a series told backward comes out backward, and the goal moves" {
    numbers mirror
}

@test "zero phase: a single row, and two" {
    printf 'time,x\n0,5.5\n' > one.csv
    [ "$(both one.csv | tail -n 1)" = 0,5.5,0,0 ]
    printf 'time,x\n0,5\n2,4\n' > two.csv
    [ "$(both two.csv | tr '\n' ' ')" = 'time,x,x_vel,x_acc 0,5,-0.5,0 2,4,-0.5,0 ' ]
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

@test "zero phase: a gap is bridged by a straight line, and filled or not" {
    noise 200 > whole.csv
    # A value that lies on the line through its neighbours, at uneven steps, says nothing that a gap does not say.
    awk -F, -v OFS=, 'NR == 61 { $1 = "0.93" } { t[NR] = $1; x[NR] = $2; y[NR] = $3 }
        END { x[60] = x[59] + (x[62] - x[59]) * (t[60] - t[59]) / (t[62] - t[59])
              x[61] = x[59] + (x[62] - x[59]) * (t[61] - t[59]) / (t[62] - t[59])
              for (i = 1; i <= NR; i++) print t[i], (i == 60 || i == 61) ? sprintf("%.17g", x[i]) : x[i], y[i] }' whole.csv > line.csv
    awk -F, -v OFS=, 'NR == 60 || NR == 61 { $2 = "" } { print }' line.csv > gap.csv
    both line.csv > want
    both --gaps fill gap.csv > filled
    sprung diff --abs 1e-12 --rel 1e-12 want filled
    both gap.csv > kept
    [ "$(sed -n '60,61p' kept | cut -d, -f2,4,5 | sort -u)" = ,, ]
    sed '60,61d' kept > kept.rest
    sed '60,61d' filled | cmp - kept.rest
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

@test "zero phase: --gaps error stops before the row" {
    noise 40 > rows.csv
    sed '30s/,[^,]*$/,/' rows.csv > gap.csv
    fails 2 both --gaps error gap.csv
    says 'gap.csv:30: column "y": a value is missing'
    head -n 29 rows.csv > before.csv
    [ "$out" = "$(both before.csv)" ]
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

# Peak memory in kB with these options.
peak()
{
    python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$SPRUNG" critical -H 0.05 --zero-phase "$@"
}

# bytes_a_row NUMBERS OPTION...: peak memory of 300000 rows over that of 100000, without the bytes of the input and without
# NUMBERS bytes a row.
bytes_a_row()
{
    numbers=$1
    shift
    text=$(($(wc -c < long.csv) - $(wc -c < short.csv)))
    echo $(((($(peak "$@" long.csv) - $(peak "$@" short.csv)) * 1024 - text) / 200000 - numbers))
}

@test "zero phase: a row takes about 120 bytes, and a number 24, or 40 with derivatives" {
    [[ $BUILD == *san* ]] && skip "sanitizers change memory use"
    # Times that are the rounded times of an even grid, which take more memory than exactly even times.
    noise 300000 | awk -F, -v OFS=, 'NR > 1 { $1 = sprintf("%.3f", (NR - 2) / 60) } { print }' > long.csv
    head -n 100001 long.csv > short.csv
    for j in 1 3; do
        plain=$(bytes_a_row $((2 * 24)) -j $j -d 0) rates=$(bytes_a_row $((2 * 40)) -j $j)
        echo "$plain bytes a row, and $rates with rates"
        # A tenth more: blocks stay as they were allocated.
        ((plain > 0 && plain < 132 && rates > 0 && rates < 132))
    done
}

@test "zero phase: --set, channels each with their own" {
    noise 3000 > rows.csv
    sprung critical -H 0.05 --zero-phase -d 0 --set x:halflife=0.3 rows.csv > got
    sprung critical -H 0.05 --zero-phase -d 0 rows.csv | cut -d, -f3 > y
    sprung critical -H 0.3 --zero-phase -d 0 rows.csv | cut -d, -f1,2 | paste -d, - y | cmp - got
}

@test "zero phase: rows and points of --resample as rows of a file, of which the points are printed" {
    noise 3000 | awk -F, -v OFS=, 'NR > 1 { $1 = sprintf("%.4f", $1 + 0.006 * sin(NR)) } NR == 99 { $2 = "" } { print }' > rows.csv
    sprung damper --method lerp --factor 1 -d 0 --resample 100 rows.csv > even.csv
    (head -n 1 rows.csv; (sed 1d even.csv; sed 1d rows.csv) | sort -t, -k1,1n -s -u) > all.csv
    [ "$(wc -l < all.csv)" -gt "$(wc -l < even.csv)" ]
    both all.csv | awk -F, 'NR == FNR { point[$1] = 1; next } $1 in point' even.csv - > want
    both --resample 100 rows.csv | cmp - want
    both --resample 100 -j 3 < rows.csv | cmp - want
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
        sprung diff --exact want got
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
    both --derivatives 1 --plot rows.svg rows.csv > plotted
    both --derivatives 1 rows.csv | cmp - plotted
    [ -s rows.svg ]
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
    sprung diff --exact want calm.wav
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
    says 'large.csv:5: column "x": the filtered value is too large for a number here'
    [ "$(wc -l < out.txt)" = 4 ]
    # The velocity may be too large where the value is not.
    printf 'time,x\n0,0\n0.001,1e307\n0.002,0\n' > steep.csv
    fails 2 sprung damper --method lerp --factor 1 --zero-phase steep.csv
    says 'steep.csv:2: column "x": the filtered value is too large for a number here'
    sprung damper --method lerp --factor 1 --zero-phase -d 0 steep.csv | sprung diff --rel 1e-15 steep.csv -
}

@test "zero phase: filters that are not linear, a start, and springs that never rest are refused" {
    noise 10 > rows.csv
    fails 2 sprung tracking --zero-phase rows.csv
    says '--zero-phase takes a linear filter without cuts, and tracking is none'
    says 'these are: damper, critical, spring, second-order, double'
    fails 2 both --start zero rows.csv
    says '--start has no meaning with --zero-phase'
    both --start first rows.csv
    fails 2 sprung spring -f 2 -z 0 --zero-phase rows.csv
    says 'sprung: --zero-phase takes a filter that comes to rest, and with these settings it never does'
    [ -z "$out" ]
    # Refused before anything is read, and once, not once for each file.
    fails 2 sprung second-order -f 2 -z 0 -r 0 --zero-phase --output-dir o none.csv other.csv
    [ "$(grep -c sprung: err.txt)" = 1 ]
    fails 2 sprung spring -f 2 -z 1 --set 'x:z=0' --zero-phase rows.csv
    says 'rows.csv: column "x": --zero-phase takes a filter that comes to rest'
    [ -z "$out" ]
    sprung spring -f 2 -z 0 --set '*:z=1' --zero-phase rows.csv > out.csv
    fails 2 sprung damper --method euler --damping 130 --zero-phase rows.csv
    says 'comes to rest'
    fails 2 sprung damper --method lerp --factor 0 --zero-phase rows.csv
    says 'comes to rest'
}

@test "zero phase: a filter whose rounding errors would show is refused" {
    awk 'BEGIN { print "time,x"; for (i = 0; i < 150; i++) print i / 64 "," sin(i * i) }' > in.csv
    sprung second-order -z 50 -r 1 -f 1e-4 --zero-phase in.csv > out.csv
    fails 2 sprung second-order -z 50 -r 1 -f 1e-6 --zero-phase in.csv
    says 'comes to rest within a million times the length of the series'
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
