#!/usr/bin/env bats
# --then: a chain of filters in one process gives what a pipe of programs gives, each of which prints its numbers in full.
load ../common

setup_file()
{
    cd "$BATS_FILE_TMPDIR"
    python3 - <<'P'
import math, random
random.seed(19)
with open("gaps.csv", "w") as f:
    f.write("time,x,y,a,cut\n")
    t = 0
    for n in range(1500):
        t += random.choice((8, 8, 8, 9, 0, 25))
        x = "" if n < 3 or n % 97 < 4 else "%.3f" % (math.sin(n / 40) * 10 + (n > 700) * 20)
        a = "nan" if n % 131 < 2 else "%.2f" % ((n * 1.7) % 360)
        f.write("%.3f,%s,%.4f,%s,%d\n" % (t / 1000, x, random.gauss(0, 1), a, n == 700))
with open("groups.csv", "w") as f:
    f.write("time,who,x\n")
    for n in range(600):
        f.write("%.3f,%s,%.3f\n" % (n // 2 / 100, "abc"[random.randrange(3)], random.gauss(0, 1)))
with open("turns.csv", "w") as f:
    f.write("time,q_w,q_x,q_y,q_z,r_z,r_x,r_y\n")
    for n in range(400):
        u = n / 100
        w, x, y, z = math.cos(u), math.sin(u) * 0.6, math.sin(u) * 0.48, math.sin(u) * 0.64
        e = 20 * math.sin(u), 80 + 15 * math.sin(3 * u), 30 * math.cos(u)
        q = ",,," if n % 53 == 7 else ",%.7f,nan,%.7f" % (x, z) if n % 61 == 9 else "%.7f,%.7f,%.7f,%.7f" % (w, x, y, z)
        f.write("%.2f,%s,%.4f,%.4f,%.4f\n" % ((u, q) + e))
P
}

# agree OPTIONS FILE FILTER...: one program with --then prints what the pipe prints; OPTIONS are given to all. Programs
# before the last print $full and no derivatives.
agree()
{
    local options=$1 file=$2 pipe chain n=$#
    shift 2
    pipe="cat $file"
    chain="sprung $1 -q $options"
    for ((n = 1; n <= $#; n++)); do
        pipe+=" | sprung ${!n} -q $options $([[ $n == $# ]] || echo "-d 0 ${full:-}")"
        ((n == 1)) || chain+=" --then '${!n}'"
    done
    eval "$pipe" > pipe.out
    eval "$chain $file" > chain.out
    cmp pipe.out chain.out || { echo "$pipe"; echo "$chain"; diff pipe.out chain.out | head -n 4; return 1; }
    [ -s chain.out ]
}

setup()
{
    cd "$BATS_FILE_TMPDIR"
}

@test "two and three filters are the pipe, bit for bit" {
    agree "" "$DATA/wave.csv" "damper -H 0.05" "critical -H 0.1"
    agree "" "$DATA/wave.csv" "critical -H 0.1" "critical -H 0.1" "spring -f 2 -z 0.3"
    agree "--derivatives 1" "$DATA/step.csv" "double -H 0.1 --hold linear" "damper -H 0.02"
    agree "" "$DATA/step.csv" "one-euro --beta 0.1" "timed -H 0.1 --time 0.2" "velocity -H 0.1 --speed 2"
    agree "-c x" "$DATA/wave.csv" "critical -H 0.05" "character -H 0.2 --predict 0.1"
    agree "-c x" "$DATA/wave.csv" "tracking" "resonance -H 0.5 --frequencies 1,2"
}

@test "gaps, equal times and late first values pass from filter to filter" {
    for gaps in keep fill restart; do
        for filter in "damper -H 0.05" tracking "critical -H 0.1 --zero-phase"; do
            agree "-x a,cut --gaps $gaps" gaps.csv "$filter" "spring -f 2 -z 0.5"
            agree "-x a,cut --gaps $gaps --max-gap 0.03" gaps.csv "spring -f 2 -z 0.5" "$filter"
        done
    done
    agree "-x a,cut --start 5" gaps.csv "damper -H 0.05" "critical -H 0.1"
}

@test "--resample between two filters: the first follows the values of each block, not the goals of an earlier one" {
    # The rows of data/wave.csv, each a block of its own.
    sprung tracking -d 0 -c x,y --then 'critical -H 0.05' --resample 60 "$DATA/wave.csv" > want.csv
    sprung tracking -d 0 -c x,y --resample 60 "$DATA/wave.csv" | sprung critical -d 0 -H 0.05 -c x,y | sprung diff --rel 1e-9 --abs 1e-9 want.csv -
    for threads in 1 2; do
        head -n 40 "$DATA/wave.csv" > in.csv
        in_pieces in.csv | sprung tracking -d 0 -j $threads -c x,y --then 'critical -H 0.05' --resample 60 > out.csv
        sprung tracking -d 0 -c x,y --then 'critical -H 0.05' --resample 60 in.csv | cmp - out.csv
    done
}

@test "filters with look-ahead and --zero-phase come first or later" {
    agree "" "$DATA/wave.csv" "tracking" "damper -H 0.05"
    agree "" "$DATA/wave.csv" "damper -H 0.05" "tracking" "tracking"
    agree "" "$DATA/wave.csv" "critical -H 0.05 --zero-phase" "tracking"
    agree "" "$DATA/wave.csv" "tracking" "critical -H 0.05 --zero-phase" "damper -H 0.02 --zero-phase"
}

@test "angles are unwrapped and wrapped by each filter" {
    agree "-c a,y --angles a" gaps.csv "damper -H 0.05" "critical -H 0.1"
    agree "-c a,y --angles a --wrap" gaps.csv "damper -H 0.05" "tracking" "critical -H 0.1"
    agree "-c a,y --angles a --wrap" gaps.csv "damper -H 0.05 --zero-phase" "critical -H 0.1"
}

@test "rotations stay rotations" {
    agree "--quaternions q --rotations r:ZXY" turns.csv "critical -H 0.1" "tracking"
    agree "--quaternions q --rotations r:ZXY" turns.csv "tracking" "damper -H 0.1" "spring -f 2 -z 0.5"
    agree "--quaternions q" turns.csv "critical -H 0.1 --zero-phase" "damper -H 0.1"
    full="--precision 17" agree "--precision 12" "$DATA/walk.bvh" "critical -H 0.1" "damper -H 0.05"
    full="--precision 17" agree "--precision 12" "$DATA/walk.bvh" "critical -H 0.1" "second-order -f 3 -z 1 -r 0"
}

@test "groups keep their own state in each filter" {
    agree "--group-by who" groups.csv "damper -H 0.05" "tracking" "critical -H 0.1"
    agree "--group-by who" groups.csv "critical -H 0.1 --zero-phase" "tracking"
}

@test "cuts are for the filters that take them" {
    agree "-c x,y --cut-column cut" gaps.csv "tracking" "inertialize -H 0.1"
    for cuts in "--cut-column cut" "--cuts 7,9.5" "--detect-cuts 9"; do
        sprung critical -H 0.02 -c x,y -d 0 gaps.csv | sprung inertialize -H 0.1 -c x,y $cuts > pipe.out
        sprung critical -H 0.02 -c x,y --then 'inertialize -H 0.1' $cuts gaps.csv | cmp - pipe.out
        sprung inertialize -H 0.1 -c x,y -d 0 $cuts gaps.csv | sprung critical -H 0.02 -c x,y > pipe.out
        sprung inertialize -H 0.1 -c x,y --then 'critical -H 0.02' $cuts gaps.csv | cmp - pipe.out
    done
    fails 2 sprung critical -H 0.1 --then 'damper -H 1' --cuts 1 gaps.csv
    says 'unknown option --cuts'
    says 'this is an option of tracking, inertialize'
}

@test "options of a later filter are its own: --set, --columns" {
    agree "" "$DATA/wave.csv" "damper -H 0.05 --set x:H=0.2" "critical -H 0.1 --set \"y:H=0.02\""
    sprung damper -H 0.05 -d 0 "$DATA/wave.csv" | sprung critical -H 0.1 -c x > pipe.out
    sprung damper -H 0.05 --then 'critical -H 0.1 --columns x' "$DATA/wave.csv" | cmp - pipe.out
    sprung damper -H 0.05 -d 0 gaps.csv | sprung critical -H 0.1 -c 'y,a' -d 0 --zero-phase |
        sprung resonance -H 0.5 --frequencies 2 -c x > pipe.out
    sprung damper -H 0.05 --then 'critical -H 0.1 -c y,a --zero-phase' --then 'resonance -H 0.5 --frequencies 2 -c x' \
        gaps.csv | cmp - pipe.out
    sprung critical -H 0.1 --quaternions q -d 0 turns.csv | sprung damper -H 0.02 --quaternions q -c 'q_*' > pipe.out
    sprung critical -H 0.1 --quaternions q --then 'damper -H 0.02 -c q_*' turns.csv | cmp - pipe.out
    sprung critical -H 0.1 --quaternions q -d 0 turns.csv | sprung damper -H 0.02 -c 'r_*' > pipe.out
    sprung critical -H 0.1 --quaternions q --then 'damper -H 0.02 -c r_*' turns.csv | cmp - pipe.out
}

@test "a measured velocity is for the first filter" {
    sprung critical -H 0.1 --goal-velocity-from x:y -c x -d 0 gaps.csv | sprung spring -f 2 -z 0.5 -c x > pipe.out
    sprung critical -H 0.1 --goal-velocity-from x:y -c x --then 'spring -f 2 -z 0.5' gaps.csv | cmp - pipe.out
}

@test "--resample: later filters see the points, with even steps" {
    sprung critical -H 0.05 --resample 50 -d 0 -x time,cut,a gaps.csv > points.csv
    sprung damper -H 0.1 --rate 50 -c x,y points.csv > pipe.out
    sprung critical -H 0.05 --resample 50 -x cut,a --then 'damper -H 0.1' gaps.csv | cmp - pipe.out
    sprung tracking -c x -d 0 --rate 50 pipe.out | cut -d, -f1-5 > three.out
    sprung critical -H 0.05 --resample 50 -x cut,a -d 0 --then 'damper -H 0.1' --then 'tracking -c x' gaps.csv |
        cmp - three.out
    sprung critical -H 0.05 --resample 50 -c x -d 0 gaps.csv | sprung resonance -H 0.5 --frequencies 2 -c x --rate 50 > pipe.out
    sprung critical -H 0.05 --resample 50 -c x --then 'resonance -H 0.5 --frequencies 2' gaps.csv | cmp - pipe.out
    sprung tracking --resample 50 --cut-column cut -c x,y -d 0 gaps.csv |
        sprung inertialize -H 0.1 --rate 50 --cut-column cut -c x,y > pipe.out
    sprung tracking --resample 50 --cut-column cut -c x,y --then 'inertialize -H 0.1' gaps.csv | cmp - pipe.out
    sprung damper -H 0.05 --resample 200 --group-by who groups.csv -d 0 --then 'critical -H 0.1' > all.out
    for who in a b c; do
        grep "time\|,$who," groups.csv | sprung damper -H 0.05 --resample 200 -c x -d 0 --then 'critical -H 0.1' > one.out
        cmp one.out <(grep "time\|,$who," all.out)
    done
}

@test "--resample: later filters see what was masked, and not, as the first one does" {
    awk 'BEGIN { print "time,x"; for (i = 0; i < 90; i++) printf "%.3f,%d\n", i / 60, i % 30 < 4 ? 1000 : i }' > mask.csv
    sed 's/,1000$/,/' mask.csv > empty.csv
    for gaps in keep linear; do
        sprung damper -H 0.05 --then "critical -H 0.1" --resample 100 --gaps $gaps --mask 'x:x>999' mask.csv > masked.out
        sprung damper -H 0.05 --then "critical -H 0.1" --resample 100 --gaps $gaps empty.csv | cmp - masked.out
    done
}

@test "formats: json, jsonl, audio" {
    sprung damper -H 0.001 -d 0 --to json gaps.csv > gaps.json
    sprung damper -H 0.001 -d 0 --to jsonl gaps.csv > gaps.jsonl
    agree "" gaps.json "damper -H 0.05" "critical -H 0.1"
    agree "" gaps.jsonl "tracking" "critical -H 0.1"
    cut -d, -f3 gaps.csv | sprung damper -H 0.01 -d 0 --rate 1000 --to wav --subtype double > gaps.wav
    agree "" gaps.wav "damper -H 0.01" "critical -H 0.02"
    sprung damper -H 0.05 --then 'critical -H 0.1' gaps.csv --to json > out.json
    sprung damper -H 0.05 --then 'critical -H 0.1' gaps.csv | sprung diff --exact out.json -
}

@test "neither pieces nor threads change bytes or messages" {
    for chain in "critical -H 0.1 --then damper\ -H\ 0.01 -v" "tracking -v --then tracking --detect-cuts 9" \
        "tracking --then critical\ -H\ 0.1\ --zero-phase --then tracking" "damper -H 0.1 --resample 70 --then tracking"; do
        eval "sprung $chain -j1 - < gaps.csv" > one.out 2> one.err
        eval "sprung $chain -j2 - < gaps.csv" > two.out 2> two.err
        cmp one.out two.out
        cmp one.err two.err
        for size in 1 7 200; do
            python3 -c '
import sys
data = open("gaps.csv", "rb").read()
for i in range(0, len(data), int(sys.argv[1])):
    sys.stdout.buffer.write(data[i:i + int(sys.argv[1])]); sys.stdout.buffer.flush()' $size |
                eval "sprung $chain" > two.out 2> two.err
            cmp one.out two.out
            cmp one.err two.err
        done
    done
}

@test "each row comes out as soon as it went in" {
    each_row '%d,%d' 1 critical --halflife 0.1 --then 'damper -H 0.1' --then 'spring -f 1 -z 0.5'
}

@test "an error has the line of the input, and the rows before it are written" {
    awk 'NR == 900 { sub(/,[^,]*,/, ",word,") } { print }' gaps.csv > bad.csv
    for then in tracking 'critical -H 0.1' 'critical -H 0.1 --zero-phase'; do
        for first in "damper -H 0.1" tracking; do
            # shellcheck disable=SC2086
            fails 2 sprung $first -q -d 0 --then "$then" bad.csv
            says 'bad.csv:900: column "x": '
            [ "$(wc -l < out.txt)" = 899 ]
        done
    done
    sed '901s/^[^,]*/0/' gaps.csv > back.csv
    fails 2 sprung damper -H 0.1 -q --then tracking --then 'damper -H 1' back.csv
    says 'back.csv:901: column "time": '
    [ "$(wc -l < out.txt)" = 900 ]
    awk 'BEGIN { print "time,x"; for (n = 0; n < 100; n++) print n "," (n ? "1e300" : 0) }' > huge.csv
    sprung tracking -q -d 0 huge.csv > tracked.csv
    fails 2 sprung damper --method euler --damping 30 -q -d 0 tracked.csv
    pipe=$err rows=$out
    fails 2 sprung tracking -q -d 0 --then 'damper --method euler --damping 30' --then 'damper -H 1' huge.csv
    says 'the filtered value is too large'
    [ "${err#*csv:}" = "${pipe#*csv:}" ]
    [ "$(wc -l <<< "$out")" = "$(wc -l <<< "$rows")" ]
}

@test "batches, --dry-run, --options, --report and --max-change" {
    cp gaps.csv one.csv
    cp gaps.csv two.csv
    cat > options.txt <<'P'
-H 0.05 -x a,cut   # the first filter
--then 'critical -H 0.1 --set "x:H=0.2"'
P
    sprung damper -d 0 --options options.txt gaps.csv > want.csv
    sprung damper -H 0.05 -x a,cut -d 0 --then 'critical -H 0.1 --set x:H=0.2' gaps.csv | cmp - want.csv
    sprung damper --options options.txt --dry-run -i one.csv two.csv | grep -c csv
    sprung damper --options options.txt --precision 17 -i one.csv two.csv
    sprung diff --exact one.csv want.csv
    cmp one.csv two.csv
    sprung critical -H 0.1 -c y --then 'damper -H 0.1' --report=json gaps.csv -o out.csv > report.json
    python3 - <<'P'
import csv, json
a, b = ([float(r["y"]) for r in csv.DictReader(open(n))] for n in ("gaps.csv", "out.csv"))
largest = max(abs(p - q) for p, q in zip(a, b))
report = json.load(open("report.json"))
assert report["filter"] == "critical, damper", report
assert report["channels"][0]["change"]["largest"] == largest
P
    fails 2 sprung critical -H 0.1 -c y --then 'damper -H 0.1' --max-change 0.1 gaps.csv
    says '--max-change allows only 0.1'
    fails 2 sprung critical -H 0.1 --then 'damper -H 1 --set none:H=2' one.csv two.csv --output-dir none
    says 'no filtered column of any file matches "none"'
}

@test "-v prints every filter, and what is the same is said once" {
    sprung critical -H 0.1 --then 'damper -H 0.2 -c x' --then 'critical -H 0.1' -v "$DATA/wave.csv" 2> err.txt > out.csv
    grep -o 'critical: .*\|damper: .*' err.txt | sed 's/,.*//' > said.txt
    printf 'critical: halflife 0.1\ndamper: halflife 0.2\ncritical: halflife 0.1\n' | diff said.txt - || { cat err.txt; false; }
    sprung tracking --velocity-gain 0.3 --then 'tracking --velocity-gain 0.3' --then 'critical -H 1e-5' --then 'critical -H 1e-5' -c x "$DATA/step.csv" 2> err.txt > out.csv
    [ "$(grep -c 'tracking changes nothing' err.txt)" = 1 ]
    [ "$(grep -c 'next to nothing' err.txt)" = 1 ]
}

@test "memory does not grow with the series" {
    [[ $BUILD == *san* ]] && skip "sanitizers change memory use"
    awk 'BEGIN { print "x"; for (n = 0; n < 400000; n++) print n % 7 }' > long.csv
    peak()
    {
        python3 - "$SPRUNG" "$1" <<'P'
import resource, subprocess, sys
subprocess.run(["sh", "-c", "head -n %s long.csv | %s critical -H 0.1 --rate 100 -j1 --then tracking --then 'damper -H 1' -d 0 > /dev/null 2>&1" % (sys.argv[2], sys.argv[1])])
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
P
    }
    small=$(peak 100000)
    large=$(peak 400000)
    echo "$small kB, $large kB"
    ((large < small + 1000))
}

@test "wrong chains are refused before anything is read" {
    while IFS='|' read -r then says hint; do
        fails 2 sprung critical -H 0.1 --then "$then" nothing.csv
        says "$says"
        says "$hint"
        [[ $err != *nothing.csv* ]]
    done <<'P'
|--then: the value is empty|
  |--then: the value is empty|
criticl -H 1|--then: no such filter: "criticl"|did you mean critical?
critical -H 'x|--then: the quote ' is not closed|
critical -H|--then: --halflife needs a value|
critical -H -1|--then: --halflife: must be|
damper|--then: damper needs|
damper -H 1 file.csv|--then: not an option; give files outside --then: "file.csv"|
damper -H 1 --gaps fill|--then: --gaps applies to the whole command: put it before --then|--then accepts only the filter's own options
damper -H 1 -d 0|--then: --derivatives applies to the whole command|
damper -H 1 -o x|--then: --output applies to the whole command|
damper -H 1 --resample 50|--then: --resample applies to the whole command|
damper -H 1 --then critical|--then: --then applies to the whole command|
damper -H 1 --options x|--then: --options applies to the whole command|
damper -H 1 --cuts 1|--then: --cuts applies to the whole command|
damper -H 1 --halflive 2|--then: unknown option --halflive|did you mean --halflife?
damper -H 1 --set x:G=1|--then: --set: damper has no option "G"|
tracking --zero-phase|--zero-phase does not work with tracking|
P
    fails 2 sprung resonance -H 0.5 --frequencies 2 --then 'damper -H 1' nothing.csv
    says '--then: resonance adds columns, so it must be the last filter'
    says 'move it to the last --then'
    fails 2 sprung damper -H 1 --then 'character -H 1' --then 'damper -H 1' nothing.csv
    says '--then: the output of character has a different unit from its input, so it must be the last filter'
    fails 2 sprung damper -H 1 --then 'double -H 1' --quaternions q nothing.csv
    says '--quaternions: double cannot filter rotations'
    fails 2 sprung response damper -H 1 --then 'damper -H 1'
    says 'unknown option --then'
    fails 2 sprung damper -H 1 --then 'damper -H 1 -c z' gaps.csv
    says '--then: --columns: '
    fails 2 sprung damper -H 1 --then 'damper -H 1 -c q_w' --quaternions q turns.csv
    says 'column "q_x": --then: --columns names only part of the rotation'
    fails 2 sprung damper -H 1 $(printf -- "--then tracking %.0s" {1..16}) gaps.csv
    says '--then: at most 15 times'
}

@test "a rotation of length 0 that a filter of numbers hands on is an error of the next filter, in its row" {
    printf 'time,hip.Rotation.X,hip.Rotation.Y,hip.Rotation.Z,hip.Rotation.W\n' > in.csv
    printf '%s,0,0,0,1\n' 0 1 >> in.csv
    printf '2,0,0,0,0\n3,0,0,0,1\n' >> in.csv
    fails 2 sprung double --halflife 0.0001 -d 0 -q --then 'damper --halflife 0.1' in.csv
    says 'in.csv:4: column "hip.Rotation.W": not a rotation: the four components are 0'
    [ "$out" = "$(head -n 3 in.csv)" ]
}
