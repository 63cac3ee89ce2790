#!/usr/bin/env bats
# A citizen of other engines: one input, one output, no shared state. GNU parallel and xargs over many files; one keyed
# stream split over workers and merged again, byte for byte.
load ../common

setup()
{
    cd "$BATS_TEST_TMPDIR"
    mkdir in
    python3 - <<'P'
import random
random.seed(2)
for n in range(40):
    with open("in/%02d.csv" % n, "w") as f:
        f.write("time,x\n" + "".join("%d,%.3f\n" % (i, random.gauss(0, 5)) for i in range(100)))
t = dict.fromkeys("abcdefgh", 0.0)
with open("keyed.csv", "w") as f:
    f.write("sensor,time,x\n")
    for i in range(20000):
        k = random.choice("abcdefgh")
        t[k] += random.random()
        f.write("%s,%.6f,%.3f\n" % (k, t[k], random.gauss(0, 5)))
P
    export SPRUNG
}

smooth()
{
    sprung critical -H 2 "$@"
}

@test "many files: xargs -P gives what one call gives" {
    smooth in/*.csv --output-dir one
    mkdir each
    find in -name '*.csv' -print0 | xargs -0 -P 4 -n 3 "$SPRUNG" critical -H 2 --output-dir each
    diff -r one each
}

@test "many files: GNU parallel gives what one call gives" {
    command -v parallel > /dev/null && parallel --version 2> /dev/null | grep -q GNU || skip "GNU parallel is missing"
    smooth in/*.csv --output-dir one
    mkdir each
    parallel --will-cite -j 4 "$SPRUNG" critical -H 2 -d 0 --decimals input {} -o each/{/} ::: in/*.csv
    diff -r one each
    # What --sshlogin sends to other machines: the file goes through standard input and output.
    mkdir far
    parallel --will-cite -j 4 "$SPRUNG critical -H 2 -d 0 --decimals input < {} > far/{/}" ::: in/*.csv
    diff -r one far
}

# split N: numbers the rows and deals them to N workers by their key; whatever worker a key goes to gets all of it.
split()
{
    awk -F, -v n="$1" 'NR == 1 { for (w = 0; w < n; w++) print "row," $0 > "part" w ".csv"; next }
        { if (!($1 in worker)) worker[$1] = count++ % n; print NR "," $0 > "part" worker[$1] ".csv" }' keyed.csv
}

# merge N: the workers' rows in the order of the stream, without their numbers.
merge()
{
    head -n 1 done0.csv | cut -d, -f2-
    for ((w = 0; w < $1; w++)); do tail -n +2 "done$w.csv"; done | LC_ALL=C sort -t, -k1,1n | cut -d, -f2-
}

@test "one keyed stream: split over workers and merged again, byte for byte" {
    smooth --group-by sensor -c x keyed.csv > want.csv
    for n in 1 3 8; do
        split $n
        ls part*.csv | head -n $n | xargs -P 4 -I {} sh -c \
            'f={}; "$SPRUNG" critical -H 2 --group-by sensor -c x "$f" -o "done${f#part}"'
        merge $n | cmp - want.csv
    done
}

@test "one keyed stream through GNU parallel: byte for byte" {
    command -v parallel > /dev/null && parallel --version 2> /dev/null | grep -q GNU || skip "GNU parallel is missing"
    smooth --group-by sensor -c x keyed.csv > want.csv
    split 3
    parallel --will-cite -j 3 "$SPRUNG" critical -H 2 --group-by sensor -c x part{}.csv -o done{}.csv ::: 0 1 2
    merge 3 | cmp - want.csv
}

@test "a fault at the end of a large file has its own line, whatever is under way" {
    seq 0 99999 | awk '{ print "{\"time\":" $1 ",\"x\":" $1 % 7 "}" }' > rows
    { cat rows; printf '{"time":1e5,"x":"4\n'; } > a.jsonl
    { echo '['; sed 's/$/,/' rows; printf '{"time":1e5,"x":4\n'; } > b.json
    { echo '['; sed 's/$/,/' rows; printf '{"time":1e5,"x":4}\n]]'; } > c.json
    { echo time,x; tr -cd '0-9,\n' < rows; printf '100000,"4\n'; } > d.csv
    for j in 1 2 4; do
        fails 2 sprung damper -H 1 -d 0 -j $j a.jsonl
        says 'a.jsonl:100001: at $.x: a control character in a string'
        fails 2 sprung damper -H 1 -d 0 -j $j b.json
        says 'b.json:100003: at $[100000].x: the file ends too early'
        fails 2 sprung damper -H 1 -d 0 -j $j c.json
        says 'c.json:100003: at $: text after the end of the document: "]"'
        fails 2 sprung damper -H 1 -d 0 -j $j d.csv
        says 'd.csv:100002: column "x": this quote is never closed'
    done
}
