#!/usr/bin/env bats
# --halflife auto: the half-life of least expected error by Mallows' Cp, for each channel.
load ../common

auto()
{
    sprung critical -H auto --zero-phase -v "$@"
}

# noisy ROWS SEED: noise on a slow and a fast sine, at 64 rows a second.
noisy()
{
    awk -v n="$1" -v seed="$2" 'BEGIN {
        srand(seed); print "time,x,y"
        for (i = 0; i < n; i++)
            printf "%.6f,%.4f,%.4f\n", i / 64, sin(i / 20) + 0.2 * rand(), sin(i / 5) + 0.1 * rand() }'
}

# chosen NAME: the half-life of a channel in err.txt.
chosen()
{
    sed -n "s/.*channel \"$1\".*: auto chose half-life \(.*\) s, cutoff .*/\1/p" err.txt
}

@test "half-life auto: the RMS error is at most 1.1 times the least that any half-life leaves" {
    SPRUNG="$SPRUNG" python3 "$TOOLS/choose_halflife.py" best
}

@test "half-life auto: a spike, gaps and a long series choose nearly the same half-life, and a rotation the half-life of its angle" {
    SPRUNG="$SPRUNG" python3 "$TOOLS/choose_halflife.py" robust
    SPRUNG="$SPRUNG" python3 "$TOOLS/choose_halflife.py" rotations
}

@test "half-life auto: values that fill gaps say nothing about the noise, so each way of --gaps has the same choice" {
    noisy 1200 3 | awk -F, -v OFS=, 'NR > 1 && NR % 20 < 6 { $2 = "" } NR > 1 && NR % 97 < 2 { $3 = "" } { print }' > in.csv
    auto --gaps keep in.csv > out.csv 2> err.txt
    keep=$(chosen x) other=$(chosen y)
    [[ $keep && $other ]]
    for gaps in linear cubic fill; do
        auto --gaps $gaps in.csv > out.csv 2> err.txt
        [[ $(chosen x) == "$keep" && $(chosen y) == "$other" ]]
    done
}

@test "half-life auto: values in place of masked ones and of spikes say nothing about the noise, either" {
    noisy 1200 3 | awk -F, -v OFS=, '{ print $0, NR == 1 ? "sure" : NR % 20 < 6 || NR % 7 == 3 ? 0 : 1 }' > masked.csv
    awk -F, -v OFS=, 'NR > 1 && !$4 { $2 = $3 = "" } { print }' masked.csv > empty.csv
    for gaps in linear cubic fill; do
        auto -c x,y --gaps $gaps empty.csv > empty.out 2> err.txt
        want="$(chosen x) $(chosen y)"
        auto -c x,y --gaps $gaps --mask '*:sure<1' -x sure masked.csv > masked.out 2> err.txt
        [[ $want != ' ' && "$(chosen x) $(chosen y)" == "$want" ]]
        sprung diff -q empty.out masked.out
    done
    noisy 1200 3 | awk -F, -v OFS=, 'NR % 20 == 5 || NR % 20 == 6 { $2 += 4 } { print }' > spikes.csv
    awk -F, -v OFS=, 'NR % 20 == 5 || NR % 20 == 6 { $2 = "" } { print }' spikes.csv > empty.csv
    auto -c x --gaps linear empty.csv > empty.out 2> err.txt
    want=$(chosen x)
    auto -c x --despike 6 spikes.csv > spikes.out 2> err.txt
    grep -q 'x": 0 values masked, 120 spikes bridged' err.txt
    [[ $want && $(chosen x) == "$want" ]]
}

@test "half-life auto: a warning names noise that is not white, and data that were smoothed before" {
    SPRUNG="$SPRUNG" python3 "$TOOLS/choose_halflife.py" coloured
}

@test "half-life auto: white noise is never taken for none, in short series and in coarse steps" {
    SPRUNG="$SPRUNG" python3 "$TOOLS/choose_halflife.py" white
}

@test "half-life auto: fewer than 20 values are refused, and a warning names data without noise" {
    noisy 19 1 > in.csv
    fails 2 auto in.csv
    says "auto needs at least 20 values"
    noisy 20 1 > in.csv
    auto in.csv > /dev/null
    awk 'BEGIN { print "time,x"; for (i = 0; i < 300; i++) printf "%.3f,%.9f\n", i / 100, sin(i / 8) }' > clean.csv
    auto clean.csv > out.csv 2> err.txt
    grep -q "found almost no noise" err.txt
    # No number is offered: only the user knows how fast the motion is.
    grep -q 'changes little; to smooth more, give --cutoff HZ instead, and see the change with --report$' err.txt
    # One warning for all channels that move; a channel at rest gets no warning.
    awk 'BEGIN { print "time,x,y,still,z"
        for (i = 0; i < 300; i++) printf "%.3f,%.9f,%.9f,5,%.9f\n", i / 100, sin(i / 8), cos(i / 8), sin(i / 9) }' > clean.csv
    auto clean.csv > out.csv 2> err.txt
    [ "$(grep -c "almost no noise" err.txt)" = 1 ]
    grep -q 'warning: channel "x" and 2 more: auto found' err.txt
    noisy 300 1 > in.csv
    auto in.csv > out.csv 2> err.txt
    ! grep -q "almost no noise" err.txt
}

@test "auto: behind few values a cell that cannot be read is the error" {
    noisy 60 1 | awk -F, -v OFS=, 'NR == 9 { $2 = "oops" } { print }' > in.csv
    fails 2 sprung critical --cutoff auto --zero-phase -d 0 -o out.csv in.csv
    says 'in.csv:9: column "x": not a number: "oops"'
    in_pieces in.csv | sprung critical --cutoff auto --zero-phase -d 0 > /dev/null 2> err.txt || true
    grep -F '(standard input):9: column "x": not a number: "oops"' err.txt
    # The cell stands in a group of its own, and an operator before the filter finds a fault.
    awk -F, -v OFS=, '{ print $0, NR == 1 ? "g" : NR == 9 ? "b" : "a" }' in.csv > groups.csv
    fails 2 sprung critical --cutoff auto --zero-phase --group-by g -d 0 -o out.csv groups.csv
    says 'groups.csv:9: column "x": not a number: "oops"'
}

@test "auto: a channel with few values is left as it is, if another one is filtered" {
    noisy 60 1 | awk -F, -v OFS=, 'NR > 10 { $2 = "" } { print }' > in.csv
    for options in "--halflife auto" "--cutoff auto"; do
        # shellcheck disable=SC2086
        fails 0 sprung critical $options --zero-phase -d 1 -o out.csv --force in.csv
        says 'in.csv: channel "x": copied unchanged, as auto needs at least 20 values'
        cmp <(cut -d, -f2 in.csv) <(cut -d, -f2 out.csv)
        [ "$(cut -d, -f4 out.csv | sort -u | tr '\n' ' ')" = ' x_vel ' ]
        sprung critical $options --zero-phase -d 1 -q -x x in.csv | cut -d, -f3,4 | cmp - <(cut -d, -f3,5 out.csv)
    done
    # A channel without values is no other one.
    printf 't,x,y\n0,,1\n0.1,,2\n0.2,,4\n' > empty.csv
    fails 2 sprung butterworth --cutoff auto --zero-phase -d 0 empty.csv
    says 'auto needs at least 20 values'
    # A table of few values beside another table, and a file of such tables.
    python3 - <<'EOF'
import json, math
def table(n):
    return [{"t": i / 60, "x": math.sin(i / 5) + (i * 7919 % 101) / 500} for i in range(n)]
json.dump({"a": table(9), "b": table(60)}, open("two.json", "w"))
json.dump({"a": table(9), "b": table(8)}, open("few.json", "w"))
EOF
    fails 0 sprung critical --cutoff auto --zero-phase -d 0 --records '/*' -o out.json two.json
    says 'copied unchanged, as auto needs at least 20 values'
    python3 -c "import json; a, b = json.load(open('two.json')), json.load(open('out.json')); assert a['a'] == b['a'] and a['b'] != b['b']"
    fails 2 sprung critical --cutoff auto --zero-phase -d 0 --records '/*' -o few_out.json few.json
    says 'auto needs at least 20 values to measure the noise; every channel has fewer'
    [ ! -e few_out.json ]
    # A folder is complete with --unfilterable copy.
    mkdir takes
    mv in.csv takes
    noisy 9 1 > takes/short.csv
    fails 2 sprung critical --cutoff auto --zero-phase -d 0 --output-dir out takes/*
    says '1 file cannot be filtered; to copy it as it is, add --unfilterable copy --update'
    fails 0 sprung critical --cutoff auto --zero-phase -d 0 --output-dir out --unfilterable copy --update takes/*
    cmp takes/short.csv out/short.csv
}

@test "messages of other groups do not depend on blocks where a group has too few values" {
    awk 'BEGIN {
        print "time,x,group"
        print "0,1,few\n0.01,2,few\n0.02,1.5,few"
        for (i = 0; i < 400; i++)
            printf "%.2f,%.6f,%s\n", i / 100, sin(i / 20) + (i * 7919 % 100) / 1000, i % 2 ? "a" : "b"
    }' > groups.csv
    fails 2 sprung critical --halflife auto --zero-phase --group-by group -v -o out.csv groups.csv
    says 'groups.csv:2: column "x": auto needs at least 20 values'
    [[ $err != *'of group'* ]]
    grep -v '^sprung: groups.csv: csv' err.txt > want.txt
    in_pieces groups.csv | sprung critical --halflife auto --zero-phase --group-by group -v > out.csv 2> err.txt || true
    sed 's/(standard input)/groups.csv/' err.txt | grep -v '^sprung: groups.csv: csv' | diff want.txt -
}

@test "half-life auto: each channel is filtered with the half-life that -v and --report show" {
    noisy 300 1 > in.csv
    auto --report=json in.csv -o out.csv > report.json 2> err.txt
    local x y
    x=$(chosen x) y=$(chosen y)
    [[ -n $x && -n $y && $x != "$y" ]]
    python3 - "$x" "$y" <<'EOF'
import json, sys
channels = json.load(open("report.json"))["channels"]
assert [c["halflife"] for c in channels] == [float(h) for h in sys.argv[1:]], channels
EOF
    auto --report in.csv -o again.csv > report.txt 2> /dev/null
    sed -n 3p report.txt | grep -q 'half-life$'
    sprung critical --cutoff auto --zero-phase -v --report in.csv -o cutoffs.csv > cutoffs.txt 2> cutoffs.err
    cutoff=$(sed -n 's/.*channel "x": auto chose .*, cutoff \(.*\) Hz$/\1/p' cutoffs.err)
    grep -q '  cutoff (Hz)$' cutoffs.txt
    awk -v want="$cutoff" '$1 == "x" { n++; d = $NF - want; if (d * d > 1e-6) bad = 1 } END { exit bad || n != 1 }' cutoffs.txt
    sprung critical --cutoff auto --zero-phase -q --report=json in.csv -o cutoffs.csv | python3 -c "
import json, sys
for c in json.load(sys.stdin)['channels']:
    assert abs(c['equivalent']['halflife'] / c['halflife'] - 1) < 1e-9, c"
    grep "^x " report.txt | grep -q " $x\$"
    sprung critical -H 1 --zero-phase --report in.csv -o again.csv | sed -n 4p > heads.txt
    ! grep -q half-life heads.txt
}

@test "half-life auto: a group is judged alone" {
    noisy 200 1 > a.csv
    noisy 300 2 > b.csv
    (echo "time,x,y,g"
     awk -F, -v OFS=, 'FNR > 1 { print $0, FILENAME }' a.csv b.csv | sort -t, -k1,1n -s) > both.csv
    for one in a.csv b.csv; do
        auto "$one" 2> "$one.err" > "$one.out"
        auto --group-by g -d 2 both.csv 2> err.txt | awk -F, -v g="$one" '$4 == g { print $1 "," $2 "," $3 "," $5 "," $6 "," $7 "," $8 }' |
            cmp - <(sed 1d "$one.out")
        grep -qF "channel \"x\" of group \"$one\": $(sed -n 's/.*channel "x": \(half-life.*\)/\1/p' "$one.err")" err.txt
    done
    auto --group-by g --report both.csv -o out.csv 2> /dev/null | grep -qE ' 0\.0[0-9]+ to 0\.0[0-9]+$'
    auto --group-by g --report=json both.csv -o out.csv 2> /dev/null | grep -q '"halflife_least":0.*"halflife_largest":0'
}

@test "half-life auto: a constant, a ramp, one row and missing values are left unchanged" {
    (echo "time,x,y,z,none"
     awk 'BEGIN { for (i = 0; i < 40; i++) print i "," 3 "," i * 2 "," (i == 9 ? i : "") "," "" }') > in.csv
    sprung critical -H auto --zero-phase -d 0 in.csv | cmp - in.csv
    printf 'time,x\n' > empty.csv
    sprung critical -H auto --zero-phase -d 0 empty.csv | cmp - empty.csv
}

@test "cutoff auto: keys whose times lie far apart and close together stay almost as they are, as the warning says" {
    awk 'BEGIN { print "time,x"; for (i = 0; i < 40; i++) { t += i % 8 == 0 ? 9000 : 1 / 30; printf "%.6f,%.3f\n", t, 30 * sin(i / 6) } }' > keys.csv
    sprung butterworth --cutoff auto --zero-phase -d 0 keys.csv > out.csv 2> err.txt
    grep -q 'almost no noise' err.txt
    sprung diff -q --abs 0.02 --rel 0 keys.csv out.csv
}

@test "half-life auto: threads, pieces and other formats change nothing" {
    noisy 3000 3 > in.csv
    auto in.csv > out.csv 2> /dev/null
    auto -j 2 in.csv 2> /dev/null | cmp - out.csv
    in_pieces in.csv | auto 2> /dev/null | cmp - out.csv
    auto --to json in.csv 2> /dev/null > out.json
    sprung diff --abs 0 --rel 0 out.csv out.json
    auto "$DATA"/*.bvh -o out.bvh 2> err.txt
    grep -q "auto chose" err.txt
}

@test "half-life auto: combinations that are refused" {
    noisy 10 1 > in.csv
    fails 2 sprung critical -H auto in.csv
    says "auto needs --zero-phase"
    says "auto needs --zero-phase"
    fails 2 sprung critical -H auto --zero-phase --resample 10 in.csv
    says "auto cannot be combined with --resample"
    fails 2 sprung critical -H automatic in.csv
    says '--halflife: must be a number greater than 0 or auto: "automatic"'
    fails 2 sprung tracking --position-halflife auto in.csv
    says '--position-halflife: must be a number at least 0: "auto"'
    fails 2 sprung response critical -H auto
    says "auto needs a file to measure, but response reads none"
}

@test "cutoff auto: at any row rate, also at one row a second" {
    python3 -c '
import math, random
random.seed(2)
print("x")
for i in range(200): print(round(math.sin(i / 20) + random.gauss(0, 0.05), 4))' > slow.csv
    sprung butterworth --cutoff auto --zero-phase --rate 1 -v slow.csv 2>&1 > /dev/null | grep -q 'cutoff 0\.0[0-9]* Hz'
}

@test "auto: pieces of a long series are enough, with rows that share times and where values are rare" {
    noisy 60000 5 > in.csv
    # Of three rows of a time the first value counts: the half-life is that of every third row.
    awk -F, -v OFS=, 'NR > 1 { $1 = sprintf("%.6f", int((NR - 2) / 3) / 64) } { print }' in.csv > shared.csv
    awk -F, 'NR % 3 == 2 || NR == 1' shared.csv > third.csv
    auto shared.csv 2> err.txt | wc -l | grep -qx 60001
    chosen x > shared.txt
    auto third.csv 2> err.txt > /dev/null
    chosen x | paste -d/ shared.txt - | awk -F/ '{ exit !($1 / $2 > 0.95 && $1 / $2 < 1.05) }'
    awk -F, -v OFS=, 'NR > 1 && NR % 4000 != 2 { $2 = "" } { print }' in.csv > rare.csv
    auto -d 0 -c x rare.csv 2> err.txt > /dev/null || true
    grep -q "auto needs at least 20 values" err.txt
    awk -F, -v OFS=, 'NR > 1 && NR % 2600 != 2 { $2 = "" } { print }' in.csv > rare.csv
    auto -d 0 -c x rare.csv 2> err.txt | awk -F, '$2 ~ /[0-9]/ { n++ } END { exit n != 24 }'
    chosen x | grep -q '^[0-9]'
}

@test "auto holds a file of one column in at most 4 times its size" {
    [[ $BUILD == *san* ]] && skip "sanitizers change memory use"
    noisy 300000 4 | cut -d, -f1,2 > one.csv
    python3 - "$SPRUNG" one.csv <<'P'
import os, resource, subprocess, sys
subprocess.run([sys.argv[1], "critical", "-H", "auto", "--zero-phase", "-j1", sys.argv[2]], check=True, stdout=subprocess.DEVNULL)
peak, size = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024, os.path.getsize(sys.argv[2])
print("peak", peak, "of a file of", size, "bytes")
assert peak < 8e6 + 4 * size
P
}

@test "auto holds a minute of WAV in at most 4 times its size" {
    [[ $BUILD == *san* ]] && skip "sanitizers change memory use"
    python3 - <<'P'
import array, math, os, wave
tone = [int(8000 * math.sin(i / 20)) for i in range(48000)]
samples = array.array("h", (tone[i % 48000] + 4 * x for i, x in enumerate(array.array("b", os.urandom(60 * 48000)))))
with wave.open("minute.wav", "wb") as file:
    file.setparams((1, 2, 48000, 0, "NONE", ""))
    file.writeframes(samples.tobytes())
P
    python3 - "$SPRUNG" minute.wav <<'P'
import os, resource, subprocess, sys
subprocess.run([sys.argv[1], "butterworth", "--cutoff", "auto", "--zero-phase", "-q", "-j1", "-o", "out.wav", sys.argv[2]], check=True)
peak, size = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024, os.path.getsize(sys.argv[2])
print("peak", peak, "of a file of", size, "bytes")
assert peak < 4 * size
P
}
