#!/usr/bin/env bats
# --join: several inputs as one series. What it must give is made in another way: the rows are put behind each other
# by awk, with times that were added up there, and the cut is given as a time.
load ../common

# takes: first.csv and second.csv, each from time 0 on, of 30 rows at 0.02 s.
takes()
{
    local k
    for k in first second; do
        awk -v at="$([[ $k == first ]] && echo 0 || echo 50)" 'BEGIN {
            print "time,x,note"
            for (i = 0; i < 30; i++)
                printf "%.2f,%.3f,row %d\n", i * 0.02, at + 10 * sin(i * 0.3), i
        }' > $k.csv
    done
}

# behind: first.csv and second.csv behind each other, where the second begins at 0.60.
behind()
{
    cat first.csv
    awk -F, 'NR > 1 { printf "%.2f,%s,%s\n", $1 + 0.6, $2, $3 }' second.csv
}

@test "two takes from time 0 are one series with a cut at the seam" {
    takes
    behind > both.csv
    for filter in "inertialize -H 0.1" "tracking"; do
        sprung $filter --join first.csv second.csv -o joined.csv
        sprung $filter --cuts 0.6 both.csv -o wanted.csv
        cmp wanted.csv joined.csv
        ! cmp -s wanted.csv <(sprung $filter both.csv)
    done
    # The way of the spring: the offset at the seam has halved after some half-lives, and no row jumps.
    sprung inertialize -H 0.1 -d 0 --join first.csv second.csv |
        awk -F, 'NR > 2 && ($2 - last > 8 || last - $2 > 8) { exit 1 } { last = $2 }'
}

@test "times that go on already keep their bytes, and so does a series of one input" {
    takes
    awk -F, 'NR == 1 { print; next } { printf "%.3f,%s,%s\n", $1 + 7, $2, $3 }' second.csv > late.csv
    sprung damper -H 0.1 -d 0 --join first.csv late.csv > joined.csv
    cut -d, -f1,3 joined.csv | cmp - <(cat first.csv <(tail -n +2 late.csv) | cut -d, -f1,3)
    sprung damper -H 0.1 first.csv | cmp - <(sprung damper -H 0.1 --join first.csv)
}

@test "pipes, threads, blocks and line ends do not matter, and a last line gets its end" {
    takes
    sprung inertialize -H 0.1 --join first.csv second.csv first.csv > wanted.csv
    printf '%s' "$(< first.csv)" > cut.csv
    printf '\n\n' >> cut.csv
    sprung inertialize -H 0.1 --join cut.csv <(cat second.csv) - < first.csv | cmp - wanted.csv
    sprung inertialize -H 0.1 -j 4 --join first.csv second.csv first.csv | cmp - wanted.csv
    sed 's/$/\r/' first.csv > first_crlf.csv
    sed 's/$/\r/' second.csv > second_crlf.csv
    truncate -s -2 first_crlf.csv
    sprung inertialize -H 0.1 --join first_crlf.csv second_crlf.csv > joined.csv
    cmp joined.csv <(sprung inertialize -H 0.1 --join first.csv second.csv | sed 's/$/\r/')
}

@test "groups, resampling, gaps and a further filter see the same seam as a cut would make" {
    takes
    behind > both.csv
    for options in "--resample 30"; do
        eval "sprung tracking --join first.csv second.csv $options" > joined.csv
        eval "sprung tracking --cuts 0.6 both.csv $options" > wanted.csv
        cmp wanted.csv joined.csv
    done
    # Between two takes no line is drawn: other filters, too, have the last value up to the first row of the next take.
    printf 'time,x\n0,0\n0.1,0\n' > low.csv
    printf 'time,x\n1.1,8\n1.2,8\n' > high.csv
    sprung damper -H 0.1 -d 0 --resample 10 --join low.csv high.csv |
        awk -F, 'NR > 1 { x = $1 < 1.05 ? 0 : $1 < 1.15 ? 4 : 6; if ($2 - x > 1e-9 || x - $2 > 1e-9) exit 1; n++ } END { exit n != 13 }'
    # No gap is bridged across the seam: the last values of the first take are missing.
    awk -F, -v OFS=, 'NR > 28 { $2 = "" } { print }' first.csv > gap.csv
    sprung tracking --gaps linear -d 0 --join gap.csv second.csv -o joined.csv
    [ "$(awk -F, '$2 == ""' joined.csv | wc -l)" = 3 ]
    # Each group has its own seam.
    for k in first second; do
        awk -F, -v OFS=, 'NR == 1 { print $0, "who"; next } { print $0, "a"; print $1, -$2, $3, "b" }' $k.csv > $k.both
    done
    sprung inertialize -H 0.1 --group-by who --from csv --join first.both second.both > joined.csv
    for who in a b; do
        awk -F, -v who=$who 'NR == 1 || $4 == who' joined.csv > one.csv
        for k in first second; do
            awk -F, -v who=$who 'NR == 1 || $4 == who' $k.both > $k.one
        done
        sprung inertialize -H 0.1 --from csv --join first.one second.one | cmp - one.csv
    done
}

@test "a take that begins at the greatest time or before moves by the last step that leads forward" {
    # The greatest time is 1, in the second row; from the second row to the third time goes back.
    printf 'time,x,who\n0,1,a\n1,2,a\n0.2,1,b\n' > groups.csv
    for begin in 0 1; do
        printf 'time,x,who\n%d,1,a\n%d.5,2,a\n' $begin $begin > next.csv
        sprung tracking -q -d 0 --group-by who --join groups.csv next.csv > out.csv
        [ "$(cut -d, -f1 out.csv | tr '\n' ' ')" = "time 0 1 0.2 2 2.5 " ]
    done
    printf 'time,x,who\n1.25,1,a\n1.5,2,a\n' > next.csv
    sprung tracking -q -d 0 --group-by who --join groups.csv next.csv > out.csv
    [ "$(cut -d, -f1 out.csv | tr '\n' ' ')" = "time 0 1 0.2 1.25 1.5 " ]
}

@test "counters and other clocks go on, with --rate too" {
    printf 'frame,time,x\n1,0.0,1\n2,0.1,2\n' > a.csv
    printf 'frame,time,x\n7,0.00,1\n8,0.25,2\n' > b.csv
    sprung damper -H 1 -d 0 --join a.csv b.csv a.csv | cut -d, -f1,2 > got
    printf 'frame,time\n1,0.0\n2,0.1\n7,0.20\n8,0.45\n9,0.7\n10,0.8\n' | cmp - got
    sprung damper -H 1 -d 0 --rate 10 --join a.csv b.csv a.csv | cut -d, -f1,2 | cmp - got
    printf 'time,x\n0,1\n' > one.csv
    fails 2 sprung damper -H 1 --join one.csv one.csv
    says "one.csv:2: column \"time\": this file begins before one.csv ends, and its time step is unknown"
    [ "$(sprung damper -H 1 -d 0 --rate 1 --join one.csv one.csv)" = "$(printf 'time,x\n0,1\n0,1')" ]
}

@test "json lines: rows follow, and times move" {
    printf '{"t":0,"p":{"x":1,"n":"a"}}\n{"t":0.5,"p":{"x":2,"n":"b"}}' > a.jsonl
    printf '\xef\xbb\xbf{"t":0,"p":{"x":10,"n":"c"}}\n{"p":{"n":"d","x":20},"t":0.25}\n' > b.jsonl
    sprung inertialize -H 0.1 --join a.jsonl b.jsonl --to csv > got.csv
    printf 't,p.x,p.n\n0,1,a\n0.5,2,b\n1,10,c\n1.25,20,d\n' > both.csv
    sprung inertialize -H 0.1 --cuts 1 both.csv | cmp - got.csv
    sprung inertialize -H 0.1 -d 0 --join a.jsonl b.jsonl > got.jsonl
    python3 - <<'P'
import csv, json
rows = [json.loads(line) for line in open("got.jsonl")]
want = list(csv.DictReader(open("got.csv")))
assert [r["t"] for r in rows] == [0, 0.5, 1, 1.25]
assert [r["p"]["x"] for r in rows] == [float(w["p.x"]) for w in want]
assert [r["p"]["n"] for r in rows] == list("abcd")
P
}

@test "json lines: records without some members keep their bytes where times move" {
    printf '{"t":8,"x":0,"y":0}\n{"t":9,"x":50}\n' > first.jsonl
    printf '{"t":0,"x":0,"y":0}\n{"y":0,"t":1}\n{"t":10}\n' > second.jsonl
    # The times as they go on, in the text of the records, which becomes longer.
    { cat first.jsonl; printf '{"t":10,"x":0,"y":0}\n{"y":0,"t":11}\n{"t":20}\n'; } > whole.jsonl
    for options in "tracking -d 0 --cuts 10" "damper -H 1" "critical -H 1 --gaps fill"; do
        sprung $options -q whole.jsonl > want.jsonl
        sprung $options -q --join first.jsonl second.jsonl | cmp - want.jsonl
    done
}

@test "bvh and trc: counts in the head, frames and times are those of all rows" {
    sprung inertialize -H 0.1 --join "$DATA/walk.bvh" "$DATA/walk.bvh" "$DATA/walk.bvh" -o joined.bvh
    frames=$(awk '/^Frames:/ { print $2 }' "$DATA/walk.bvh")
    [ "$(awk '/^Frames:/ { print $2 }' joined.bvh)" = $((3 * frames)) ]
    [ "$(sed '1,/^Frame Time/d' joined.bvh | wc -l)" = $((3 * frames)) ]
    # the head but for the count, and the first take, are those of one take alone
    sprung inertialize -H 0.1 "$DATA/walk.bvh" > one.bvh
    lines=$(wc -l < one.bvh)
    cmp <(sed 's/^Frames:.*//' one.bvh | head -n $((lines - 1))) <(sed 's/^Frames:.*//' joined.bvh | head -n $((lines - 1)))

    sprung inertialize -H 0.1 --join "$DATA/markers.trc" "$DATA/markers.trc" -o joined.trc
    python3 - "$DATA/markers.trc" <<'P'
import sys
def read(name):
    lines = open(name).read().split("\n")
    head = dict(zip(lines[1].split("\t"), lines[2].split("\t")))
    rows = [line.split("\t") for line in lines[5:] if line.strip()]
    return head, [int(r[0]) for r in rows], [float(r[1]) for r in rows]
one, frames, times = read(sys.argv[1])
head, both, clock = read("joined.trc")
assert int(head["NumFrames"]) == len(both) == 2 * len(frames), head
assert both == list(range(frames[0], frames[0] + 2 * len(frames)))
step = times[-1] - times[-2]
assert all(abs(b - a - step) < 1e-6 for a, b in zip(clock, clock[1:]))
P
    sprung inertialize -H 0.1 --join "$DATA/angles.sto" "$DATA/angles.sto" |
        awk '/^nRows=/ { split($0, n, "=") } over { rows++ } /^endheader/ { getline; over = 1 } END { exit rows != n[2] }'
}

@test "other columns, units, skeletons, rates and formats are refused with both names" {
    takes
    sed '1s/x/y/' second.csv > other.csv
    fails 2 sprung damper -H 1 --join first.csv other.csv -o out.csv
    says 'first.csv: --join other.csv: column 2 is "y", but in first.csv it is "x"'
    [ ! -e out.csv ]
    cut -d, -f1,2 second.csv > less.csv
    fails 2 sprung damper -H 1 --join first.csv less.csv
    says "--join less.csv: this file has 2 columns, but first.csv has 3"
    fails 2 sprung damper -H 1 --join first.csv <(cat less.csv)
    says "this file has 2 columns, but first.csv has 3"
    tr , ';' < second.csv > semicolon.csv
    fails 2 sprung damper -H 1 --join first.csv semicolon.csv
    says "first.csv: --join semicolon.csv: cells are separated by ';', but in first.csv by ','"
    sed 's/,/\t/g' "$DATA/markers.trc" > tabs.trc
    sed 's/\t/,/g' "$DATA/markers.trc" > commas.trc
    fails 2 sprung damper -H 1 --join tabs.trc commas.trc
    says "--join commas.trc: cells are separated by ',', but in tabs.trc by tabs"
    sed 's/OFFSET 0/OFFSET 1/' "$DATA/walk.bvh" > tall.bvh
    fails 2 sprung damper -H 1 --join "$DATA/walk.bvh" tall.bvh
    says "--join tall.bvh:"
    says "its skeleton differs from that of"
    sed 's/^Frame Time:.*/Frame Time: 0.5/' "$DATA/walk.bvh" > slow.bvh
    fails 2 sprung damper -H 1 --join "$DATA/walk.bvh" slow.bvh
    says "--join slow.bvh: the header says 2 rows per second"
    awk -F'\t' -v OFS='\t' 'NR == 3 { $5 = "m" } { print }' "$DATA/markers.trc" > metres.trc
    fails 2 sprung damper -H 1 --join "$DATA/markers.trc" metres.trc
    says "the unit of its markers differs from that of"
    fails 2 sprung damper -H 1 --join first.csv "$DATA/walk.bvh"
    says "this file is bvh, but first.csv is csv"
    fails 2 sprung damper -H 1 --join "$DATA/hip.fbx" "$DATA/hip.fbx"
    says "--join does not support fbx"
}

@test "an error has the name and the line of its own input" {
    takes
    sed '5s/[^,]*/oops/2' second.csv > bad.csv
    fails 2 sprung damper -H 1 --join first.csv second.csv bad.csv
    says 'bad.csv:5: column "x": not a number: "oops"'
    fails 2 sprung damper -H 1 --join first.csv - second.csv < bad.csv
    says '(standard input):5: column "x": not a number'
    awk 'NR == 3 { keep = $0; next } { print } NR == 4 { print keep }' second.csv > back.csv
    fails 2 sprung damper -H 1 --join first.csv back.csv second.csv
    says 'back.csv:4: '
}

@test "one output: --in-place, --output-dir, lists, a second standard input and an input as output are refused" {
    takes
    fails 2 sprung damper -H 1 --join --in-place first.csv second.csv
    says "--join writes one output for all inputs, but --in-place writes one for each"
    fails 2 sprung damper -H 1 --join --output-dir out first.csv second.csv
    says "--join writes one output for all inputs, but --output-dir writes one for each"
    fails 2 sprung damper -H 1 --join --files-from list first.csv
    says "--join needs all inputs on the command line, and --files-from adds others"
    fails 2 sprung damper -H 1 --join - first.csv -
    says "--join: standard input can be read only once, but it is named 2 times"
    fails 2 sprung damper -H 1 --join first.csv second.csv -o second.csv
    says "the output is second.csv itself"
    cp second.csv copy.csv
    ! sprung damper -H 1 --join first.csv second.csv >> second.csv
    cmp second.csv copy.csv
}

@test "memory does not grow with the inputs" {
    awk 'BEGIN { print "time,x"; for (i = 0; i < 300000; i++) printf "%.2f,%d\n", i / 100, i % 7 }' > long.csv
    (ulimit -v 100000 && sprung damper -H 1 -d 0 -j 1 --join long.csv long.csv long.csv long.csv > out.csv)
    [ "$(wc -l < out.csv)" = 1200001 ]
    tail -n 1 out.csv | grep -q '^11999.99,'
}

@test "an input that is refused at the seam leaves no row unfiltered" {
    printf 'time,x\n0,1\n' > one.csv
    python3 -c 'print("time,x"); [print(f"{i},{i % 7}") for i in range(10000)]' > two.csv
    for threads in 1 4; do
        fails 2 sprung critical -H 0.1 -j $threads --join one.csv two.csv
        says 'two.csv:2: column "time": this file begins before one.csv ends'
        [ "$out" = "$(printf 'time,x,x_vel,x_acc\n0,1,0,0')" ]
    done
}
