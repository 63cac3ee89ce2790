#!/usr/bin/env bats
# --set: other parameters of the filter for some channels.
load ../common

setup()
{
    cd "$BATS_TEST_TMPDIR"
    python3 - <<'P'
import math
names = ["Hips.X", "Hips.Y", "Finger1.X", "Finger1.Y", "Finger2.X", "Head.X", "Hand:L.X"]
with open("take.csv", "w") as f:
    f.write("time,note," + ",".join(names) + "\n")
    t = 0
    for n in range(900):
        t += 0.01 if n % 7 else 0.013
        cells = ["" if (n + i) % 97 == 5 else "%.4f" % (math.sin(n / (9 + i)) + 0.3 * math.sin(n * (i + 1.7))) for i in range(len(names))]
        f.write("%.4f,row %d,%s\n" % (t, n, ",".join(cells)))
P
}

# cells NAME FILE: its cells and those of its derivatives.
cells()
{
    python3 -c '
import csv, sys
rows = list(csv.reader(open(sys.argv[2])))
at = [i for i, name in enumerate(rows[0]) if name in (sys.argv[1], sys.argv[1] + "_vel", sys.argv[1] + "_acc")]
assert at
print("\n".join(",".join(row[i] for i in at) for row in rows))' "$1" "$2"
}

# same CHANNEL OPTION...: what set.csv has for a channel is what a run with these options makes of it alone.
same()
{
    local channel=$1
    shift
    sprung "$@" -c "$channel" take.csv > alone.csv
    cells "$channel" set.csv > a
    cells "$channel" alone.csv > b
    cmp a b || { echo "$channel: $*"; return 1; }
}

@test "each channel is filtered as in a run of its own" {
    sprung critical -H 0.1 --set 'Hips*:halflife=0.3' --set 'Finger*:H=0.02' take.csv > set.csv
    for c in Hips.X Hips.Y; do same $c critical -H 0.3; done
    for c in Finger1.X Finger1.Y Finger2.X; do same $c critical -H 0.02; done
    for c in Head.X Hand:L.X; do same $c critical -H 0.1; done
}

@test "the value alone, without derivatives, over neighbours that differ" {
    sprung damper -H 0.1 -d 0 --set '3,5,7:H=0.4' take.csv > set.csv
    for c in Hips.X Finger1.X Finger2.X; do same $c damper -H 0.4 -d 0; done
    for c in Hips.Y Finger1.Y Head.X Hand:L.X; do same $c damper -H 0.1 -d 0; done
}

@test "names, positions, ranges, lists, and names with colons and equals signs" {
    sprung critical -H 0.1 --set 'Hips.X,5-6:H=0.3' --set 'Hand:L.X:H=0.7' take.csv > set.csv
    same Hips.X critical -H 0.3
    same Finger1.X critical -H 0.3
    same Finger1.Y critical -H 0.3
    same Hand:L.X critical -H 0.7
    same Head.X critical -H 0.1
    printf 'time,3,a=b\n0,1,1\n1,2,2\n' > odd.csv
    sprung damper -H 1 -d 0 --decimals 2 --header 1 --set '=3:H=0.5' --set 'a=b:H=2' odd.csv > out.csv
    [ "$(tail -n 1 out.csv)" = "1,1.75,1.29" ]
}

@test "later sets win, and several for one channel add up" {
    sprung second-order -f 2 -z 0.5 -r 0 --set '*.X:z=1' --set 'Hips*:f=1' --set 'Hips.X:z=0.2' take.csv > set.csv
    same Hips.X second-order -f 1 -z 0.2 -r 0
    same Hips.Y second-order -f 1 -z 0.5 -r 0
    same Head.X second-order -f 2 -z 1 -r 0
    same Finger1.Y second-order -f 2 -z 0.5 -r 0
}

@test "an alternative takes the place of the other" {
    sprung critical -H 0.1 --goal-velocity difference --set 'Hips*:lag=0.3' --set 'Hips.Y:frequency=2' take.csv > set.csv
    same Hips.X critical --lag 0.3 --goal-velocity difference
    same Hips.Y critical --frequency 2 --goal-velocity difference
    sprung spring -f 2 -z 0.5 --set 'Hips*:stiffness=90' --set 'Finger1.X:halflife=0.1' --set 'Finger1.X:f=3' take.csv > set.csv
    same Hips.X spring -k 90 -z 0.5
    same Finger1.X spring -f 3 -H 0.1
    sprung damper -H 0.1 --hold linear --set 'Hips*:remaining=0.2' take.csv > set.csv
    same Hips.X damper --remaining 0.2 --hold linear
}

@test "a method of its own" {
    sprung damper -H 0.1 --set 'Hips*:method=lerp' --set 'Hips*:factor=0.2' take.csv > set.csv
    same Hips.X damper --method lerp --factor 0.2
    same Head.X damper -H 0.1
    sprung double -H 0.1 --set 'Hips*:approx=holden' take.csv > set.csv
    same Hips.X double -H 0.1 --approx holden
    same Head.X double -H 0.1
}

@test "what does not fit together is an error that names the channel" {
    fails 2 sprung spring -f 2 -z 0.5 --set 'Hips*:halflife=0.1' take.csv
    says 'take.csv: column "Hips.X": --set: spring: --damping-ratio cannot be combined with both --frequency and --halflife'
    says 'leave one of them out'
    [ -z "$out" ]
    fails 2 sprung damper -H 0.1 --set 'Hips.Y:method=lerp' take.csv
    says 'column "Hips.Y": --set: damper --method lerp'
}

@test "gaps, cuts, angles, groups, rows that wait for the next one or for the end" {
    sprung tracking --detect-cuts 8 --angles '*' --period 2 --gaps fill --set 'H*:position-gain=0.2' take.csv > set.csv
    same Hips.X tracking --detect-cuts 8 --angles Hips.X --period 2 --gaps fill --position-gain 0.2
    same Finger1.X tracking --detect-cuts 8 --angles Finger1.X --period 2 --gaps fill
    sprung inertialize -H 0.1 --cuts 1,2,3 --gaps restart --set '*.Y:H=0.4' take.csv > set.csv
    same Hips.Y inertialize -H 0.4 --cuts 1,2,3 --gaps restart
    same Hips.X inertialize -H 0.1 --cuts 1,2,3 --gaps restart
    sprung critical -H 0.1 --zero-phase --set 'Hips*:H=0.3' --set '*.Y:lag=0.05' take.csv > set.csv
    same Hips.X critical -H 0.3 --zero-phase
    same Hips.Y critical --lag 0.05 --zero-phase
    same Head.X critical -H 0.1 --zero-phase
    awk -F, -v OFS=, 'NR == 1 { print; next } { $2 = "g" NR % 3; print }' take.csv > groups.csv
    mv groups.csv take.csv
    sprung critical -H 0.1 --group-by note --set '*.Y:H=0.4' take.csv > set.csv
    same Hips.Y critical -H 0.4 --group-by note
    same Hips.X critical -H 0.1 --group-by note
}

@test "neither threads nor a pipe change a byte" {
    for n in 1 2 3 4 5 6 7 8 9 10 11 12; do tail -n +2 take.csv; done | awk -F, -v OFS=, '{ $1 = NR / 100; print }' > rows
    (head -n 1 take.csv && cat rows) > long.csv
    sprung critical -H 0.1 --set 'Hips*:H=0.3' --set '*.Y:H=0.02' -j 1 long.csv > one.csv
    sprung critical -H 0.1 --set 'Hips*:H=0.3' --set '*.Y:H=0.02' -j 4 long.csv | cmp - one.csv
    cat long.csv | sprung critical -H 0.1 --set 'Hips*:H=0.3' --set '*.Y:H=0.02' -j 3 | cmp - one.csv
}

@test "in a batch each file has its own columns; in one without them, the command line counts, with a note" {
    printf 'time,Hips.X\n0,0\n1,4\n' > a.csv
    printf 'time,Head.X,Hips.Z\n0,0,0\n1,4,4\n' > b.csv
    printf 'time,Head.X\n0,0\n1,4\n' > c.csv
    fails 0 sprung damper -H 1 -d 0 --set 'Hips*:H=0.5' --output-dir out a.csv b.csv c.csv
    says "c.csv: --set 'Hips*:halflife' has no effect"
    [ "$(tail -n 1 out/a.csv)" = "1,3.000000" ]
    [ "$(tail -n 1 out/b.csv)" = "1,2.000000,3.000000" ]
    [ "$(tail -n 1 out/c.csv)" = "1,2.000000" ]
    fails 2 sprung damper -H 1 -d 0 --set 'Hip:H=0.5' --output-dir none -j 2 a.csv b.csv c.csv
    says 'sprung: --set: no filtered column of any file matches "Hip"'
    fails 0 sprung damper -H 1 -d 0 -q --set 'Hips*:H=0.5' --output-dir quiet a.csv c.csv
    [ -z "$err" ]
    fails 2 sprung damper -H 1 -d 0 --set 'Hips*:H=0.5' c.csv
    says '--set: no column matches "Hips*"'
}

@test "columns that are not filtered" {
    fails 2 sprung damper -H 1 --set 'note:H=1' take.csv
    says '--set: column "note" is not filtered'
    fails 2 sprung damper -H 1 --set 'not*:H=1' take.csv
    says '--set: no filtered column matches "not*"'
    fails 2 sprung damper -H 1 --set 'Hipps.X:H=1' take.csv
    says 'did you mean "Hips.X"?'
    fails 2 sprung damper -H 1 -x 'Hips*' --set 'Hips*:H=1' take.csv
    says '"Hips*"'
}

@test "mistakes in --set are told before anything is read" {
    for bad in 'Hips*' 'Hips*:halflife' 'halflife=1' ':halflife=1' 'Hips*:=1'; do
        fails 2 sprung damper -H 1 --set "$bad" nosuch.csv
        says 'must be LIST:option=value'
    done
    fails 2 sprung damper -H 1 --set 'a:halflive=1' nosuch.csv
    says 'damper has no option "halflive"'
    says 'did you mean halflife?'
    fails 2 sprung damper -H 1 --set 'a:derivatives=1' nosuch.csv
    says "--set accepts only the filter's own options"
    fails 2 sprung damper -H 1 --set 'a:halflife=-1' nosuch.csv
    mv err.txt set.txt
    fails 2 sprung damper --halflife -1 nosuch.csv
    cmp err.txt set.txt
    fails 2 sprung damper -H 1 --set 'a:hold=lineer' nosuch.csv
    says 'did you mean linear?'
    fails 2 sprung character -H 1 --set 'a:predict=1,2' nosuch.csv
    says '--predict adds columns'
    fails 2 sprung resonance -H 1 --frequencies 1,2 --set 'a:frequencies=1:4:3' nosuch.csv
    says '--frequencies adds columns'
}

@test "a bank of springs with a memory of its own" {
    sprung resonance -H 1 --frequencies 1,2 --set 'Hips.Y:H=0.2' take.csv > set.csv
    sprung resonance -H 0.2 --frequencies 1,2 take.csv > slow.csv
    sprung resonance -H 1 --frequencies 1,2 take.csv > fast.csv
    python3 - <<'P'
import csv
def columns(name): return {c[0]: c[1:] for c in zip(*csv.reader(open(name)))}
both, slow, fast = map(columns, ("set.csv", "slow.csv", "fast.csv"))
for name, cells in both.items():
    assert cells == (slow if name.startswith("Hips.Y@") else fast)[name], name
assert slow["Hips.Y@1"] != fast["Hips.Y@1"]
P
}

@test "--verbose tells each tuning and its channels" {
    fails 0 sprung critical -H 0.1 --set 'Hips*:lag=0.3' -v take.csv
    says 'critical: halflife 0.1, goal-velocity zero; channels "Finger1.X", "Finger1.Y", "Finger2.X", "Head.X", "Hand:L.X"'
    says 'critical: lag 0.3, goal-velocity zero; channels "Hips.X", "Hips.Y"'
}
