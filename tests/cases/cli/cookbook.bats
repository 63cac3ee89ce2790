#!/usr/bin/env bats
# The recipes of sprung-cookbook(7) run as they stand there, on files like those that they speak of, and do what they say.
load ../common

setup()
{
    cd "$BATS_TEST_TMPDIR"
    mkdir bin
    ln -s "$(realpath "$SPRUNG")" bin/sprung
    PATH=$PWD/bin:$PATH
}

# recipe TITLE: writes the commands below a heading to recipe.sh.
recipe()
{
    sed -n -E "/^## $1( \{.*)?\$/,/^##? /s/^    //p" "$ROOT/man/sprung-cookbook.7.in" > recipe.sh
    [[ -s recipe.sh ]] || { echo "no recipe: $1"; return 1; }
}

run_recipe()
{
    recipe "$1"
    bash -o pipefail recipe.sh > out.txt 2> err.txt < /dev/null
}

takes()
{
    mkdir -p takes/two
    cp "$DATA/walk.bvh" "$DATA/markers.trc" takes
    cp "$DATA/joints.csv" takes/two
}

# spread FILE COLUMN: the mean square of second differences of a column.
spread()
{
    awk -F, -v k="$2" 'NR > 1 && $k != "" { d = $k - 2 * b + a; if (n++ > 1) sum += d * d; a = b; b = $k } END { printf "%.9f\n", sum / n }' "$1"
}

@test "cookbook: every recipe has a case here" {
    grep -c '^@test "cookbook recipe' "$ROOT/tests/cases/cli/cookbook.bats" > cases.txt
    grep -c '^## ' "$ROOT/man/sprung-cookbook.7.in" > recipes.txt
    diff recipes.txt cases.txt
    "$SPRUNG" help cookbook | grep -q 'Clean a folder of takes'
}

@test "cookbook recipe: clean a folder of takes" {
    takes
    cp -r takes before
    run_recipe "Clean a folder of takes" || [ $? = 1 ]
    diff -r before takes
    [ "$(cd clean && find . -type f | LC_ALL=C sort | tr '\n' ' ')" = './markers.trc ./two/joints.csv ./walk.bvh ' ]
    ! cmp -s clean/walk.bvh takes/walk.bvh
}

@test "cookbook recipe: clean a walk whose feet stay planted" {
    cp "$DATA/walk.bvh" walk.bvh
    run_recipe "Clean a walk whose feet stay planted"
    sprung butterworth --cutoff 6 --zero-phase -q walk.bvh -o six.bvh
    sprung butterworth --cutoff 12 --zero-phase -q walk.bvh -o twelve.bvh
    sprung diff -q -c 'Hips*,*Leg*' twelve.bvh clean.bvh
    sprung diff -q -c 'Spine*' six.bvh clean.bvh
}

@test "cookbook recipe: a live pointer" {
    cut -d, -f1,2 "$DATA/wave.csv" > pointer.csv
    recipe "A live pointer"
    sed 's/tail -n +1 -f/tail -n +1/' recipe.sh > once.sh
    bash -o pipefail once.sh > out.csv
    [ "$(wc -l < out.csv)" = 241 ]
    # the pipe stays open, and every row comes out
    timeout 20 bash recipe.sh > live.csv 2> /dev/null 3>&- &
    for n in $(seq 100); do
        [ "$(wc -l < live.csv 2> /dev/null)" = 241 ] && break
        sleep 0.1
    done
    cmp live.csv out.csv
    kill $!
}

@test "cookbook recipe: check curves in CI" {
    needs xmllint
    takes
    cp "$DATA/studio.txt" .
    sprung butterworth --options studio.txt --recursive takes --output-dir golden 2> err.txt
    run_recipe "Check curves in CI"
    xmllint --noout --schema "$TOOLS/junit.xsd" report.xml
    grep -q 'tests="3" failures="0" errors="0"' report.xml
    sed -i 's/cutoff 6/cutoff 5/' studio.txt
    rm -r actual
    ! run_recipe "Check curves in CI"
    xmllint --noout --schema "$TOOLS/junit.xsd" report.xml
    grep -q 'failures="3"' report.xml
}

@test "cookbook recipe: the envelope of a sound" {
    python3 - <<'P'
import math, struct, wave
w = wave.open("voice.wav", "wb")
w.setnchannels(2); w.setsampwidth(2); w.setframerate(8000)
w.writeframes(b"".join(struct.pack("<h", int(size * math.sin(2 * math.pi * 440 * n / 8000) * (n >= 8000)))
                       for n in range(16000) for size in (20000, 5000)))
w.close()
P
    run_recipe "The envelope of a sound"
    # silence, then the mean of a sine without its sign: 2 / pi of its amplitude, on each side
    awk -F, 'NR == 30 { exit !($3 < 0.001 && $3 > -0.001) }' envelope.csv
    awk -F, 'NR == 150 { d = $3 / (5000 / 32768 * 2 / 3.14159265) - 1; exit !(d < 0.02 && d > -0.02) }' envelope.csv
    awk -F, 'NR == 30 { exit !($2 < 0.001) }' envelope.csv
    awk -F, 'NR == 150 { d = $2 / (20000 / 32768 * 2 / 3.14159265) - 1; exit !(d < 0.02 && d > -0.02) }' envelope.csv
    [ "$(wc -l < envelope.csv)" -ge 200 ]
}

@test "cookbook recipe: what is faster than a cutoff" {
    cp "$DATA/wave.csv" wave.csv
    run_recipe "High-pass: what is faster than a cutoff"
    paste -d , <(cut -d , -f 2 wave.csv) <(cut -d , -f 2 slow.csv) <(cut -d , -f 2 fast.csv) |
        awk -F, 'NR > 1 && ($1 - $2 - $3) ^ 2 > 1e-6 { exit 1 }'
    sprung help sound | grep -q 'sprung tracking --to csv'
}

@test "cookbook recipe: the log of a sensor" {
    awk -F, -v OFS=, 'NR == 20 { $2 = 99 } { print }' "$DATA/sensor.csv" > sensor.csv
    run_recipe "The log of a sensor"
    awk -F, 'NR > 2 && ($1 - last < 0.0999 || $1 - last > 0.1001) { exit 1 } NR > 1 { last = $1 } NR > 1 && $2 != "" && ($2 > 24 || $2 < 18) { exit 1 }' even.csv
}

@test "cookbook recipe: only some columns of a table" {
    cp "$DATA/wave.csv" wave.csv
    run_recipe "Only some columns of a table"
    [ "$(head -n 1 x.csv)" = time,x ]
    sprung critical -H 0.1 -d 0 -q wave.csv | sprung diff -q -c time,x - x.csv || [ $? = 1 ]
    [ "$(wc -l < x.csv)" = "$(wc -l < wave.csv)" ]
}

@test "cookbook recipe: convert a file without filtering it" {
    cp "$DATA/walk.bvh" take.bvh
    run_recipe "Convert a file without filtering it"
    sprung diff --rel 0 take.bvh take.csv
    printf 'time,x\n0,1\n1,\n2,70\n3,5\n' > gap.csv
    sed 's/take.bvh -o take.csv/gap.csv -o gap.json/' recipe.sh | bash
    sprung diff --rel 0 gap.csv gap.json
}

@test "cookbook recipe: join two takes" {
    cut -d, -f 1-3 "$DATA/wave.csv" | tee a.csv | awk -F, -v OFS=, 'NR > 1 { $2 += 50 } 1' > b.csv
    run_recipe "Join two takes"
    [ ! -s err.txt ]
    # The jump of 50 becomes a step like the one before it, and is gone a second later.
    awk -F, 'NR == 241 { x = $2 } NR == 242 { exit !($4 == 1 && ($2 - x) ^ 2 < 4) }' both.csv
    sprung diff -q --abs 0.2 -c 2,3 <(tail -n +180 b.csv) <(cut -d, -f 1-3 both.csv | tail -n +420)
}

@test "cookbook recipe: poses of OpenPose" {
    needs jq
    mkdir pose
    for n in 10 11 12 13 14 15; do
        jq -n --argjson n $n '{ people: [select($n != 10) | { pose_keypoints_2d: [range(25) | $n, 5, (if $n == 13 then 0.1 else 0.9 end)] }] }' > pose/$n.json
    done
    run_recipe "Poses of OpenPose"
    # Frame 10 has no person, and frame 13 only points that are not sure.
    [[ $(sed -n 2p pose.csv | tr -d ,) == "" && $(wc -l < pose.csv) == 7 ]]
    awk -F, 'NR == 5 { exit !($73 > 12.9 && $73 < 13.1 && $74 == 5 && $75 == 0.1) }' pose.csv
}

@test "cookbook recipe: a spring in a game, a curve in Blender or Houdini" {
    ${CC:-cc} -std=c99 -Wall -Wextra -Werror -I"$ROOT/src" "$DATA/camera.c" "$ROOT/${BUILD:-build}/lib/libsprung.a" -lm -o camera
    # The camera is behind a target that moves at 4 units a second by the lag of the filter: 0.1 / ln 2 * 1.
    ./camera | awk '{ exit !($1 > 3.5 && $1 < 5 && $2 == 1 && $3 == 2) }'
    [[ $(LD_LIBRARY_PATH=$ROOT/${BUILD:-build}/lib python3 "$DATA/clean.py") == True ]]
}
