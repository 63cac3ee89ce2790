#!/usr/bin/env bats
# --bad-rows skip: rows that cannot be used are left out and counted; the others are as if these had never been there.
load ../common

# make_streams: good.csv, and the same rows among bad ones in bad.csv and bad.jsonl.
make_streams()
{
    python3 - <<'P'
import random
random.seed(5)
good, bad, records = open("good.csv", "w"), open("bad.csv", "w"), open("bad.jsonl", "w")
for f in good, bad:
    f.write("time,x,g\n")
records.write('junk\n"text"\n{"time": 0, "x"\n')
for i in range(30000):
    row = "%d,%.3f,%s\n" % (i, random.random(), "ab"[i >= 100])
    good.write(row)
    bad.write(row)
    records.write('{"time": %d, "x": %s, "g": "%s"}\n' % (i, *row[:-1].split(",")[1:]))
    if random.random() < 0.05:
        bad.write(random.choice(["junk\n", "\n", " \n\n", "%d,abc,a\n" % i, "%d,1\n" % i, "%d,1,%s\n" % (i - 5, row[-2]), ",1,a\n", '%d,"1"x,a\n' % i]))
        records.write(random.choice(["{junk\n", '{"time":%d,"x":"abc"}\n' % i, '{"time":-1,"x":1,"g":"%s"}\n' % row[-2], '{"x":1}\n', "[1]\n", "\n"]))
P
}

@test "the rows that stay are those of the file without bad rows; files, pieces and threads agree" {
    make_streams
    for args in 'critical -H 1' 'critical -H 1 -d 0 --group-by g' 'butterworth --cutoff .1 --zero-phase -d 0' 'damper -H 1 --despike 6 --resample 2 -d 0'; do
        sprung $args good.csv > want.csv
        for jobs in 1 4; do
            sprung $args -j$jobs --bad-rows skip bad.csv 2> /dev/null | cmp - want.csv
            sprung $args -j$jobs --bad-rows skip bad.jsonl --to csv 2> /dev/null | sprung diff --rel 0 - want.csv
        done
        in_pieces bad.csv | sprung $args --bad-rows skip 2> /dev/null | cmp - want.csv
        in_pieces bad.jsonl | sprung $args --bad-rows skip --from jsonl --to csv 2> /dev/null | sprung diff --rel 0 - want.csv
    done
}

@test "the first row that is left out is named, all are counted, and the status is 0" {
    printf 'time,x\n0,1\n1,abc\n2\n3,4\n1.5,7\n# note\n4,5\n' > a.csv
    fails 0 sprung damper -H 3 -d 0 --bad-rows skip a.csv
    says 'a.csv: warning: line 3 is left out: column "x": not a number: "abc"'
    says 'a.csv: 3 rows were left out'
    [ "$(cut -d, -f1 out.txt | tr '\n' ' ')" = 'time 0 3 # note 4 ' ]
    fails 2 sprung damper -H 3 -d 0 a.csv
    says 'a.csv:3: column "x": not a number'
    printf '{"time":0,"x":1}\n[]\n' > a.jsonl
    fails 2 sprung damper -H 3 -d 0 a.jsonl
    says 'hint: to leave such rows out: --bad-rows skip'
    printf 'junk\n' > a.jsonl
    fails 2 sprung damper -H 3 -d 0 --bad-rows skip a.jsonl
    says 'no line is JSON'
}

@test "a date and a time of day that are no time" {
    printf 'date,time,x\n2026-01-01,9:00,1\n2026-01-01,nine,2\n2026-01-01\n2026-01-01,9:01,3\n' > a.csv
    fails 0 sprung damper -H 60 -d 0 --bad-rows skip a.csv
    says 'line 3 is left out: column "time": '
    says '2 rows were left out'
    [ "$(tail -n 1 out.txt)" = 2026-01-01,9:01,2 ]
}

@test "a quote that is not closed in 100 lines costs its own row, as does a NUL; a first row is never left out" {
    python3 -c '
good, bad = open("good.csv", "w"), open("bad.csv", "w")
for f in good, bad:
    f.write("time,x,note\n")
for i in range(5000):
    note = "\"two\nlines\"" if i % 700 == 0 else "a"
    good.write("%d,%d,%s\n" % (i, i % 7, note))
    bad.write("%d,%d,%s\n" % (i, i % 7, note))
    if i % 700 == 350 or i == 4990:
        bad.write("%d,\"2,a\n%d,\0,a\n" % (i, i))'
    sprung damper -H 3 good.csv > want.csv 2> /dev/null
    fails 0 sprung damper -H 3 --bad-rows skip bad.csv
    cmp out.txt want.csv
    says 'line 354 is left out: column "x": this quote is never closed'
    says '16 rows were left out'
    in_pieces bad.csv | sprung damper -H 3 --bad-rows skip 2> /dev/null | cmp - want.csv
    # A row of two lines, of which the second has the quote, is one row, also where rows come one by one.
    { printf 'time,x,note\n0,1,a\n1,"2\n","b\n'; seq -f '%g,1,a' 2 500; } > two.csv
    { head -c 1500 two.csv; sleep 0.3; tail -c +1501 two.csv; } | sprung damper -H 3 --gaps linear --bad-rows skip 2> err.txt > out.txt
    grep -q '1 row was left out' err.txt
    for row in 0 '0,"1'; do
        printf 'time,x\n%s\n1,2\n' "$row" > a.csv
        fails 2 sprung damper -H 3 --bad-rows skip a.csv
        says 'a.csv:2: '
        says 'hint: --bad-rows skip cannot leave out the first row'
    done
}

@test "a clock that was set begins a new series, in each group by itself" {
    python3 -c '
print("time,x,g")
for i in range(100):
    print("%d,%d,a" % (i if i < 50 else i - 50, 5 if i < 50 else 7))
    print("%d,1,b" % i)' > a.csv
    fails 0 sprung critical -H 9 -d 0 --group-by g --bad-rows skip a.csv
    says 'line 122: time goes backward: 10 after 49, as in the 10 rows before it: the clock seems to have been reset'
    says '10 rows were left out'
    [ "$(grep -c ',7,a' out.txt)" = 40 ]
    [ "$(grep -c ',b' out.txt)" = 100 ]
}

@test "a clock that was set, where all rows of a series wait for its end" {
    python3 -c '
import math, random
random.seed(3)
rows = [["%g,%.3f\n" % (begin + i / 50, math.sin(i / 40) + random.gauss(0, .05)) for i in range(300)] for begin in (100, 0)]
for name, lines in ("in", rows[0] + rows[1]), ("first", rows[0]), ("second", rows[1][10:]):
    open(name + ".csv", "w").write("time,x\n" + "".join(lines))'
    for part in first second; do sprung butterworth --cutoff auto --zero-phase -d 0 $part.csv; done > want.csv
    sprung butterworth --cutoff auto --zero-phase -d 0 --bad-rows skip in.csv | cmp - <(sed '302d' want.csv)
}

@test "rows of a series that has ended do not hold back the rows after it" {
    (printf 'time,x\n'; seq -f '%g,1' 100 200; sleep .5; seq -f '%g,2' 1 60; sleep 4) |
        sprung damper -H 1 -d 0 --despike 6 --bad-rows skip > out.csv 2> /dev/null &
    sleep 2
    [ "$(wc -l < out.csv)" = 137 ] # 101 rows of the first series, and 35 of the 50 of the other
    wait
}

@test "formats and outputs that it does not go with" {
    echo '[{"t":0,"x":1}]' > a.json
    fails 2 sprung damper -H 1 --bad-rows skip a.json
    says 'works with csv, tsv and jsonl, not with json'
    printf 't,x\n0,1\n1,x\n' > a.csv
    fails 2 sprung damper -H 1 --bad-rows skip -i a.csv
    says 'would lose rows'
    sprung damper -H 9 --bad-rows skip -i=.orig a.csv
    [ "$(cat a.csv)" = $'t,x\n0,1' ]
}

@test "skip: a clock that was set is the same row by row" {
    awk 'BEGIN { print "time,x"; for (i = 0; i < 20; i++) print i / 10 + 100 "," i % 5; for (i = 0; i < 40; i++) print i / 10 "," i % 7 }' > in.csv
    sprung critical -H 0.1 -d 0 --bad-rows skip in.csv > want.csv 2> /dev/null
    [ "$(wc -l < want.csv)" = 51 ]
    while IFS= read -r line; do
        echo "$line"
        sleep 0.004
    done < in.csv | sprung critical -H 0.1 -d 0 --bad-rows skip 2> /dev/null | cmp - want.csv
}
