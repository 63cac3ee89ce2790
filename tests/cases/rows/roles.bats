#!/usr/bin/env bats
# Which columns are channels, which one is the time and in what unit, by the header and the first row alone;
# and what is said of the others.

load ../common

half() { sprung damper -H 1 -d 0 --decimals 4 "$@"; }

@test "times in minutes and hours, by the name and by --time-unit" {
    printf 'time,x\n0,0\n60,1\n3600,2\n' | half > want.csv
    printf 'time (min),x\n0,0\n1,1\n60,2\n' | half | column 2 | diff - <(column 2 < want.csv)
    printf 'Time[h],x\n0,0\n0.016666666666666666,1\n1,2\n' | half | column 2 | diff - <(column 2 < want.csv)
    printf 'time,x\n0,0\n1,1\n60,2\n' | half --time-unit min | column 2 | diff - <(column 2 < want.csv)
    printf 'timeMs,x\n0,0\n60000,1\n3600000,2\n' | half | column 2 | diff - <(column 2 < want.csv)
    # Minutes are exact: 0.1 min is 6 s, wherever the times begin.
    printf 'time (min),x\n1000000.1,0\n1000000.2,1\n' | sprung critical -H 6 -d 0 | column 2 > min.csv
    printf 'time,x\n0,0\n6,1\n' | sprung critical -H 6 -d 0 | column 2 | cmp - min.csv
    printf 'time (min),x\n0,0\n1,1\n' > in.csv
    fails 2 half --resample 1 in.csv
    says '--resample prints new times, and this column holds minutes'
    # Other formats take seconds.
    printf 'time (min),x\n0,0\n0.5,1\n1,1\n' | half --to sto | tail -n 1 | grep -q '^60	'
}

@test "times since 1970 in ms, us or ns are told by their size, and a note says so" {
    printf 'timestamp,x\n1700000000000,0\n1700000001000,1\n' > in.csv
    fails 0 half in.csv
    says 'in.csv: the times of "timestamp" are taken for ms since 1970, as 1700000000000 in the first row can be nothing else: --time-unit says another unit'
    printf 'time,x\n0,0\n1,1\n' | half | column 2 | diff - <(printf '%s\n' "$out" | column 2)
    half < in.csv 2>&1 > out.csv | grep -q 'ms since 1970'
    printf '%s\n' "$out" | cmp - out.csv
    [ -z "$(half -q in.csv 2>&1 > /dev/null)" ]
    # JSON alike.
    printf '{"t":1700000000000,"x":0}\n{"t":1700000001000,"x":1}\n' | half --from jsonl 2> err.txt | tail -n 1 | grep -q '"x":0.5'
    grep -q 'ms since 1970' err.txt
    # Seconds since 1970, and small numbers, are what they were.
    printf 'timestamp,x\n1700000000,0\n1700000001,1\n' > in.csv
    fails 0 half in.csv
    [ -z "$err" ]
}

@test "--time with frame numbers asks for their unit" {
    printf 'Frame,x\n0,0\n1,1\n' > in.csv
    fails 2 half --time Frame in.csv
    says 'column "Frame": --time names a count of rows, and the unit of a time is missing'
    says '--time-unit frames --rate HZ'
    half --time Frame --time-unit frames --rate 1 in.csv | tail -n 1 | grep -q '^1,0.5'
    half --time 1 --time-unit s in.csv | tail -n 1 | grep -q '^1,0.5'
}

@test "counts of rows and times of another clock are left alone, each kind with one note" {
    printf ',time,#,utc_usec,unix_time,Hardware counter (us),x\n0,0,4,7,8,9,0\n1,1,5,8,9,10,1\n' > in.csv
    fails 0 half in.csv
    [ "$(printf '%s\n' "$out" | tail -n 1)" = "1,1,5,8,9,10,$(printf 'time,x\n0,0\n1,1\n' | half | tail -n 1 | column 2)" ]
    says 'counts of rows are no channels unless --columns names them: "1", "#"'
    says 'times of another clock are no channels unless --columns names them: "utc_usec", "unix_time", "Hardware counter (us)"'
    [ "$(printf '%s\n' "$err" | wc -l)" = 2 ]
    half -q -c 4,7 in.csv | tail -n 1 | grep -qE '^1,1,5,7\.[0-9]+,9,10,0'
    # An index of pandas begins with 0, one of R with 1; a series may begin with any other number.
    printf ',time,x\n0.5,0,0\n1.5,1,1\n' > in.csv
    fails 0 half in.csv
    [ "$(printf '%s\n' "$out" | tail -n 1 | column 1)" != 1.5 ]
}

@test "a column of text is left alone with a note that names it and its text" {
    printf 'time,x,label,who\n0,0,walk,a\n1,1,run,b\n' > in.csv
    fails 0 half in.csv
    [ "$err" = 'sprung: in.csv: columns with text in the first row are left alone, unless --missing says that it is a gap: "label" (walk), "who" (a)' ]
    fails 0 half -q in.csv
    [ -z "$err" ]
    fails 0 half -c x in.csv
    [ -z "$err" ]
    fails 0 half --group-by who -x label in.csv
    [ -z "$err" ]
    # Many columns are one line of bounded length.
    { printf 'time,x'; printf ',label%d' $(seq 500); printf '\n0,0'; printf ',a%.0s' $(seq 500); printf '\n'; } > in.csv
    fails 0 half in.csv
    [ "${#err}" -lt 500 ]
    says 'and 492 more'
}

@test "--rate against the rate that the file states is said with both" {
    cp "$DATA/walk.bvh" in.bvh
    fails 0 half --rate 50 in.bvh
    says 'in.bvh: --rate says 50 rows per second, and the header says'
    says ': --rate counts'
}
