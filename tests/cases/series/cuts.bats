#!/usr/bin/env bats
# Cuts from every source, and what tracking and inertialize do at them.
load ../common

# A line of slope 1 that jumps by 10 before the row at 2 s; 0.1 s a row.
setup()
{
    cd "$BATS_TEST_TMPDIR"
    python3 - <<'P'
with open("in.csv", "w") as f:
    f.write("time,x,c\n")
    for n in range(41):
        f.write("%g,%g,%d\n" % (n / 10, n / 10 + (10 if n >= 20 else 0), n == 20))
P
    printf 'time,note\n2,jump\n' > cuts.csv
    printf '[2.0]\n' > cuts.json
    printf '1.95\n9\n' > bare.csv
    sprung tracking -d 0 -c x --cut-column c in.csv > want.csv
}

@test "without cuts a clean line passes bit for bit, jump and all" {
    sprung tracking -d 0 -c x in.csv | cmp - in.csv
}

@test "at a cut the curve goes on from where it was, and comes to the signal in time" {
    python3 - <<'P'
rows = [line.split(",") for line in open("want.csv").read().split()[1:]]
x = [float(row[1]) for row in rows]
assert x[:20] == [n / 10 for n in range(20)], "clean before the cut"
assert abs(x[20] - x[19]) < 2.5, "no jump of 10 at the cut"
assert abs(x[40] - 14) < abs(x[20] - 12), "comes nearer"
P
}

@test "cut column, list, csv, json and bare list give the same bytes" {
    sprung tracking -d 0 -c x --cuts 2 in.csv | cmp - want.csv
    sprung tracking -d 0 -c x --cuts 1.95,7 in.csv | cmp - want.csv
    sprung tracking -d 0 -c x --cuts-from cuts.csv in.csv | cmp - want.csv
    sprung tracking -d 0 -c x --cuts-from cuts.json in.csv | cmp - want.csv
    sprung tracking -d 0 -c x --cuts-from bare.csv in.csv | cmp - want.csv
    sprung tracking -d 0 -c x --rate 10 --cuts 2 in.csv | cmp - want.csv
}

@test "detection finds the jump, and -v says where" {
    sprung tracking -d 0 -c x --detect-cuts 8 -v in.csv 2> err.txt | cmp - want.csv
    grep -q 'cut found at 2 s in channel "x"' err.txt
    [ "$(grep -c 'cut found' err.txt)" = 1 ]
}

@test "detection finds none in a clean curve" {
    python3 -c '
import math
print("time,x")
for n in range(300): print("%.3f,%r" % (n / 60, round(math.sin(n / 20), 6) or 0))' > sine.csv
    sprung tracking --detect-cuts 8 -v -d 0 sine.csv 2> err.txt | cmp - sine.csv
    ! grep 'cut found' err.txt
}

@test "inertialize: position goes on over the cut, outside of it the signal is untouched" {
    sprung inertialize -H 0.2 -d 0 -c x --cuts 2 in.csv > out.csv
    cmp <(head -n 21 in.csv) <(head -n 21 out.csv)
    python3 - <<'P'
x = [float(line.split(",")[1]) for line in open("out.csv").read().split()[1:]]
assert abs(x[20] - 2.0) < 1e-9, x[20]     # the source went on to 2.0; the destination moves alike
assert abs(x[40] - 14) < 0.2, x[40]
P
}

@test "clips need no markers" {
    sprung tracking -d 0 -c x --max-velocity 2 in.csv > out.csv
    cmp <(head -n 21 in.csv) <(head -n 21 out.csv)
    ! cmp -s in.csv out.csv
}

@test "cuts are refused where they mean nothing, or are not numbers" {
    fails 2 sprung critical -H 0.1 --cuts 2 in.csv
    says '--cuts'
    fails 2 sprung tracking --cuts 1,two in.csv
    says '--cuts'
    fails 2 sprung tracking --cuts cue in.csv
    says 'cue'
    fails 2 sprung tracking --cut-column nosuch in.csv
    says 'nosuch'
    fails 2 sprung tracking --cuts-from nosuch.csv in.csv
    says 'nosuch.csv'
    # A fault in the file of cuts has its place there.
    for text in '[2,]=1: column "$[1]": expected a value: "]"' '[2] 3=1: column "$": text after the end of the document: "3"' \
        '[\n2,\n"a"]=3: column "$[1]": a string, where a number should be: "a"' '[2,=1: column "$[1]": the text ends too early' \
        '[]= there is no column of times in it' '{"cuts":[2,"a"]}=1: column "$.cuts[1]"'; do
        printf "${text%%=*}" > fault.json
        fails 2 sprung tracking -c x --cuts-from fault.json in.csv
        says "sprung: in.csv: --cuts-from fault.json:${text#*=}"
    done
}
