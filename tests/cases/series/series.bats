#!/usr/bin/env bats
# Rows in time: time column, rates, gaps, groups, starts, derivatives. A damper of half-life 1 halves its distance in
# one second, so expected values can be seen by eye. A value that does not change keeps its text.
load ../common

half()
{
    sprung damper -H 1 -d 0 --decimals 4 "$@"
}

@test "time: found under its usual names, in any letter case" {
    for name in time t Timestamp SECONDS '"Time (Seconds)"' __time '#time' 'Elapsed Time' 'time seconds' 'Time [s]'; do
        printf '%s,x\n0,0\n1,1\n' "$name" > in.csv
        [ "$(half in.csv | tail -n 1)" = 1,0.5000 ]
    done
}

@test "time: by name and by position, elsewhere than first" {
    printf 'x,when\n0,5\n1,6\n' > in.csv
    [ "$(half -t when in.csv | tail -n 1)" = 0.5000,6 ]
    [ "$(half --time 2 in.csv | tail -n 1)" = 0.5000,6 ]
}

@test "time: units" {
    printf 'time,x\n0,0\n1000,1\n' > in.csv
    [ "$(half --time-unit ms in.csv | column 2 | tail -n 1)" = 0.5000 ]
    printf 'time,x\n1700000000000000000,0\n1700000001000000000,1\n' > in.csv
    [ "$(half --time-unit ns in.csv | tail -n 1)" = 1700000001000000000,0.5000 ]
    printf 'time,x\n1700000000000000,0\n1700000002000000,1\n' > in.csv
    [ "$(half --time-unit us in.csv | column 2 | tail -n 1)" = 0.7500 ]
}

@test "time: the unit in its name counts, unless --time-unit gives another" {
    for name in 'Time [ms]' time_ms 'timestamp (milliseconds)'; do
        printf '%s,x\n0,0\n1000,1\n' "$name" > in.csv
        [ "$(half in.csv | column 2 | tail -n 1)" = 0.5000 ]
        [ "$(half --time-unit s in.csv | column 2 | tail -n 1)" = 1 ]
    done
    printf '#timestamp [ns],x\n1403636579758555392,0\n1403636580758555392,1\n' > in.csv
    [ "$(half in.csv | tail -n 1)" = 1403636580758555392,0.5000 ]
    printf '{"timestamp_us":0,"x":0}\n{"timestamp_us":1000000,"x":1}\n' | half --from jsonl | tail -n 1 | grep -xF '{"timestamp_us":1000000,"x":0.5000}'
    printf 'host_clock_ms,x\n0,0\n1000,1\n' > in.csv
    [ "$(half -t host_clock_ms in.csv | column 2 | tail -n 1)" = 0.5000 ]
    half -v -t host_clock_ms in.csv 2>&1 > out.csv | grep -q 'time: column "host_clock_ms", in ms'
    # Joined header lines: the last one is the name.
    printf 'Take,Body\nTime (ms),X\n0,0\n1000,1\n' > in.csv
    [ "$(half --header 1,2 in.csv | tail -n 1)" = 1000,0.5000 ]
}

@test "time: dates are read as seconds, exactly, with offsets, blanks for T, and without zone" {
    printf 'time,x\n2026-11-22T05:08:56.123Z,0\n2026-11-22T06:08:57.123+01:00,1\n2026-11-22 00:08:58.123-0500,1\n' > in.csv
    half in.csv | cmp - <(printf 'time,x\n2026-11-22T05:08:56.123Z,0\n2026-11-22T06:08:57.123+01:00,0.5000\n2026-11-22 00:08:58.123-0500,0.7500\n')
    # A second after a leap day, and a day later.
    printf 'time,x\n"2024-02-29 23:59:59,5",0\n"2024-03-01 00:00:00,5",1\n' > in.csv
    [ "$(half in.csv | tail -n 1)" = '"2024-03-01 00:00:00,5",0.5000' ]
    printf 'day,x\n2023-12-31,0\n2024-01-01,1\n' | sprung damper -H 86400 -d 0 --decimals 4 -t day | tail -n 1 | grep -x '2024-01-01,0.5000'
    printf '[{"t":"2026-11-22T05:08:56Z","x":0},{"t":"2026-11-22T05:08:57Z","x":1}]' | half | grep -xF '[{"t":"2026-11-22T05:08:56Z","x":0},{"t":"2026-11-22T05:08:57Z","x":0.5000}]'
    # Nanoseconds apart: the doubles of these times are equal.
    printf 'time,x\n2026-11-22T05:08:56.000000001Z,0\n2026-11-22T05:08:56.000000002Z,1\n' > in.csv
    [ "$(sprung damper -H 1e-9 -d 0 --decimals 4 in.csv | column 2 | tail -n 1)" = 0.5000 ]
    # The unit of a name does not count.
    printf 'timestamp_ns,x\n2026-11-22T05:08:56.5Z,0\n2026-11-22T05:08:57.5Z,1\n' > in.csv
    half in.csv | tail -n 1 | grep -xF 2026-11-22T05:08:57.5Z,0.5000
}

@test "time: a time of day goes on after midnight, in each group" {
    printf 'time,who,x\n23:59:58.5,a,0\n23:59:59,b,0\n23:59:59.5,a,1\n0:00:00.5,a,1\n0:00:01,b,1\n' > in.csv
    [ "$(half --group-by who in.csv | column 3 | tail -n +2 | tr '\n' ' ')" = "0 0 0.5000 0.7500 0.7500 " ]
    # Over many blocks, for a pipe and several threads, as with the times in seconds.
    python3 - <<'END'
from math import sin
clock, plain = open("clock.csv", "w"), open("plain.csv", "w")
print("time,x", file=clock), print("time,x", file=plain)
for i in range(8000):
    ms = 43200000 + i * 25000 + i * i % 7  # 55 hours
    s = ms // 1000 % 86400
    x = "%.6f" % sin(i / 50)
    print("%02d:%02d:%02d.%03d,%s" % (s // 3600, s // 60 % 60, s % 60, ms % 1000, x), file=clock)
    print("%d.%03d,%s" % (ms // 1000, ms % 1000, x), file=plain)
END
    for options in "" "--zero-phase" "--cuts 86401,150000 -d 2" "--detect-cuts 3"; do
        f="critical -H 60"
        [[ $options == --*cuts* ]] && f=tracking
        sprung $f $options plain.csv | cut -d, -f2- > plain.txt
        sprung $f $options clock.csv | cut -d, -f2- | cmp - plain.txt
        cat clock.csv | sprung $f $options -j 2 | cut -d, -f2- | cmp - plain.txt
    done
    # A gap over midnight, longer than --max-gap.
    printf 'time,x\n23:59:58,0\n23:59:59,\n00:00:02,8\n' > in.csv
    [ "$(half --max-gap 3 in.csv | column 2 | tail -n 1)" = 8 ]
    [ "$(half --max-gap 5 in.csv | column 2 | tail -n 1)" != 8 ]
}

@test "time: the first row decides the form, another one later is an error with its line" {
    printf 'time,x\n05:08:56,0\n05:08:57,1\n2026-11-22,1\n' > in.csv
    fails 2 half in.csv
    says 'in.csv:4: column "time": not a time in the form of the first row: "2026-11-22"'
    [ "$out" = "$(printf 'time,x\n05:08:56,0\n05:08:57,0.5000')" ]
    printf 'time,x\n2026-02-28,0\n2026-02-29,1\n' > in.csv
    fails 2 half in.csv
    says 'in.csv:3: column "time": not a time in the form of the first row: "2026-02-29"'
    for cell in 2026-02-29T05:08:57Z 2016-12-31T23:59:60Z 2026-13-01T05:08:57Z 2026-11-22T25:08:57+01:00; do
        printf 'time,x\n2016-11-22T05:08:56Z,0\n%s,1\n' "$cell" > in.csv
        fails 2 half in.csv
        says "in.csv:3: column \"time\": not a time in the form of the first row: \"$cell\""
    done
    printf 'time,x\n05:08:56,0\n05:60:57,1\n' > in.csv
    fails 2 half in.csv
    says 'not a time in the form of the first row: "05:60:57"'
    printf 'time,x\n0,0\n05:08:57,1\n' > in.csv
    fails 2 half in.csv
    says 'in.csv:3: column "time": not a number: "05:08:57"'
    printf 'time,x\n05:08:57,0\n05:08:56,1\n' > in.csv
    fails 2 half in.csv
    says 'in.csv:3: column "time": time goes backward: 18536 after 18537 seconds'
    printf '{"t":"05:08:57","x":0}\n{"t":7,"x":0}\n' > in.jsonl
    fails 2 half in.jsonl
    says 'in.jsonl:2:' && says 'not a time in the form of the first row: "7"'
    printf 'time,x\n05:08:57,0\n' > in.csv
    fails 2 half --resample 10 in.csv
    says 'column "time": --resample needs times that are numbers in s, ms, us or ns'
}

@test "time: what is no time that can be read is said, with a way out" {
    printf 'Timecode,x\n01:02:03:04,0\n01:02:03:05,1\n' > in.csv
    fails 2 half -t Timecode in.csv
    says 'in.csv: column "Timecode": this text cannot be read as a time: "01:02:03:04"'
    says 'hint: times are read as numbers, or as in 2026-11-22 19:35:00'
    [ "$(half --rate 1 in.csv | tail -n 1)" = 01:02:03:05,0.5000 ]
}

@test "time: steps are exact differences of what was written" {
    # As doubles these times are 2.4e-7 apart at best; the step would be wrong in the fourth digit.
    printf 'time,x\n1700000000.0000,0\n1700000000.0001,1\n' > big.csv
    printf 'time,x\n0.0000,0\n0.0001,1\n' > small.csv
    a=$(sprung damper -H 0.0001 -d 0 big.csv | column 2 | tail -n 1)
    b=$(sprung damper -H 0.0001 -d 0 small.csv | column 2 | tail -n 1)
    [ "$a" = "$b" ]
    # Nanoseconds of this century have 19 digits: 256 of them are one double.
    printf 'time,x\n1700000000123456789,0\n1700000000123456790,1\n1700000000123456792,1\n' > big.csv
    sprung damper -H 1e-9 -d 0 --time-unit ns --decimals 4 big.csv | column 2 | tail -n 2 | tr '\n' ' ' | grep -x '0.5000 0.8750 '
    sed 's/^1700000000/&./' big.csv | sprung damper -H 1e-9 -d 0 --decimals 4 | column 2 | tail -n 2 | tr '\n' ' ' | grep -x '0.5000 0.8750 '
}

@test "time: irregular steps are exact" {
    printf 'time,x\n0,0\n0.25,1\n1,1\n3,1\n' > in.csv
    [ "$(half in.csv | column 2 | tail -n +2 | tr '\n' ' ')" = "0 0.1591 0.5000 0.8750 " ]
}

@test "time: equal times are a step of no length, the state holds" {
    printf 'time,x\n0,0\n1,1\n1,7\n2,1\n' > in.csv
    [ "$(half in.csv | column 2 | tail -n +2 | tr '\n' ' ')" = "0 0.5000 0.5000 0.7500 " ]
}

@test "time: rows of one time are one sample, whether a job holds rows or not" {
    printf 'time,x,y\n0,1,\n0,,10\n1,2,\n1,,20\n2,3,\n2,,30\n' > pairs.csv
    printf 'time,q_w,q_x,q_y,q_z\n0,1,0,0,\n0,0.6,0.8,0,0\n1,,0.6,0,0\n1,0.8,0.6,0,0\n' > partial.csv
    printf 'time,x\n0,1\n1,\n1,5\n2,\n2,-3\n3,1\n3.1,\n3.2,7\n' > gaps.csv
    for file in pairs.csv partial.csv gaps.csv; do
        for filter in "critical -H .1" "tracking" "tracking --detect-cuts 6" "damper -H .2 --gaps fill" "inertialize -H .5"; do
            sprung $filter -q $file > want
            sprung $filter -q --despike 1e30 $file | cmp - want
            in_pieces $file | sprung $filter -q --from csv - | cmp - want
        done
    done
    sprung critical -q -H .001 -d 0 pairs.csv | cmp - pairs.csv
    sprung critical -q -H .001 -d 0 partial.csv | cmp - partial.csv # a rotation comes from one row
}

@test "time: backward is an error with both values, the line and a hint" {
    printf 'time,x\n0,0\n1,1\n0.5,1\n2,1\n' > in.csv
    fails 2 half in.csv
    says 'in.csv:4: column "time": time goes backward: 0.5 after 1'
    says '--group-by'
    says '--rate'
    [ "$out" = "$(printf 'time,x\n0,0\n1,0.5000')" ]
    printf '{"time":[0,1,0.5],"x":[3,4,5]}' > in.json # columns: the fault is within the text of all of them
    fails 2 sprung butterworth --cutoff auto --zero-phase -d 0 --to csv in.json
    says 'column "time": time goes backward: 0.5 after 1'
}

@test "time: none and no rate is an error that says what to give" {
    printf 'a,x\n0,0\n1,1\n' > in.csv
    fails 2 half in.csv
    says 'no time column'
    says '--rate'
    says ', as in -t 1'
}

@test "rate: rows are numbered, a time column is only passed through" {
    printf 'time,x\n9,0\n3,1\n1,1\n' > in.csv
    [ "$(half --rate 1 in.csv | tail -n +2 | tr '\n' ' ')" = "9,0 3,0.5000 1,0.7500 " ]
    [ "$(half --rate 0.5 in.csv | column 2 | tail -n 1)" = 0.9375 ]
}

@test "frames: with a rate frame numbers are times, so that dropped frames are longer steps" {
    printf 'Frame,Sub Frame,x\n72262,0,0\n72263,0,1\n72265,0,1\n72265,0,1\n' > in.csv
    half --time-unit frames --rate 1 in.csv > out.csv 2> err.txt
    [ "$(column 3 < out.csv | tail -n +2 | tr '\n' ' ')" = "0 0.5000 0.8750 0.8750 " ]
    cut -d, -f1,2 in.csv | cmp - <(cut -d, -f1,2 out.csv)
    # At any rate, as the closed form: 1 - 2^(-frames / rate), the last digit aside.
    sprung damper -H 1 -d 0 --time-unit frames --rate 29.97 -q in.csv | column 3 | tail -n +2 > got.txt
    python3 -c 'print(*(1 - 0.5 ** (n / 29.97) for n in (0, 1, 3, 3)), sep="\n")' > want.txt
    sprung diff --no-header --rel 1e-14 want.txt got.txt
    # Without lost frames it is --rate, bit for bit.
    awk 'BEGIN { print "frame,x"; for (i = 0; i < 300; i++) print i + 7 "," sin(i / 9) }' > even.csv
    sprung critical -H 0.1 --rate 120 -q even.csv > want.csv
    sprung critical -H 0.1 --rate 120 --time-unit frames -q even.csv | cmp - want.csv
    # The frame counter comes before a time column; -t may name any.
    printf 'time,frame,x\n0,1,0\n9,2,1\n' > in.csv
    [ "$(half --time-unit frames --rate 1 -x time in.csv | tail -n 1)" = 9,2,0.5000 ]
    printf 'n,x\n1,0\n3,1\n' > in.csv
    [ "$(half --time-unit frames --rate 2 -t n in.csv | tail -n 1)" = 3,0.5000 ]
    half -v --time-unit frames --rate 2 -t n in.csv 2>&1 > out.csv | grep -q 'time: column "n", 2 frames per second'
    # Seconds count: cuts, gaps.
    printf 'frame,x\n1,0\n2,\n5,8\n' > in.csv
    [ "$(half --time-unit frames --rate 10 --max-gap 0.3 in.csv | column 2 | tail -n 1)" = 8 ]
    printf 'frame,x\n10,0\n11,100\n12,100\n13,100\n14,100\n' > in.csv
    [ "$(sprung tracking -d 0 -q --time-unit frames --rate 10 --cuts 1.1 in.csv | tail -n 1)" != \
      "$(sprung tracking -d 0 -q --time-unit frames --rate 10 --cuts 1.2 in.csv | tail -n 1)" ]
    [ "$(sprung tracking -d 0 -q --time-unit frames --rate 10 --cuts 1.1 in.csv | column 2)" = \
      "$(sed 's/^1/1./; s/^1.,/1,/' in.csv | sprung tracking -d 0 -q -t 1 --time-unit s --cuts 1.1 | column 2)" ]
}

@test "frames: what does not fit is said" {
    printf 'Frame,x\n1,0\n3,1\n' > in.csv
    fails 2 half --time-unit frames in.csv
    says '--time-unit frames needs the frame rate'
    says '--rate, such as --rate 100'
    fails 2 half in.csv
    says 'no time column found, and the row rate is unknown'
    says '--rate 100 (if frames were dropped: --time-unit frames, too)'
    fails 2 half --time-unit frames --rate 10 --resample 10 in.csv
    says 'column "Frame": --resample needs times that are numbers in s, ms, us or ns'
    printf 'a,x\n1,0\n3,1\n' > in.csv
    fails 2 half --time-unit frames --rate 10 in.csv
    says '--time-unit frames needs the frame rate and a column of frame numbers'
    printf 'frame,x\n3,0\n2,1\n' > in.csv
    fails 2 half --time-unit frames --rate 10 in.csv
    says 'in.csv:3: column "frame": time goes backward: 2 after 3'
}

@test "frame counters are no channels, and a note says so once" {
    for name in FRAME# 'Sub Frame' Index; do
        printf 'time,%s,x\n0,72262,0\n1,72263,1\n2,72264,1\n' "$name" > in.csv
        half in.csv > out.csv 2> err.txt
        printf 'time,%s,x\n0,72262,0\n1,72263,0.5000\n2,72264,0.7500\n' "$name" | cmp - out.csv
        echo "sprung: in.csv: not filtered: \"$name\" (count); to filter one, name it with --columns" | cmp - err.txt
        # Named it is one; without being a channel otherwise there is no note; --quiet.
        [ "$(half -c "$name,x" in.csv 2> err.txt | tail -n 1)" = 2,72263.2500,0.7500 ]
        half -c 2-3 in.csv | tail -n 1 | grep -qx 2,72263.2500,0.7500
        half -x "$name" in.csv 2>> err.txt | cmp - out.csv
        half -c x in.csv 2>> err.txt | cmp - out.csv
        half -q in.csv 2>> err.txt | cmp - out.csv
        half -q --group-by "$name" in.csv 2>> err.txt > /dev/null
        [ ! -s err.txt ]
    done
    half -n in.csv 2>&1 | grep -q 'not filtered: "Index" (count)'
    half -c '*' in.csv 2> err.txt | cmp - out.csv
    grep -q 'not filtered: "Index" (count)' err.txt
    printf 'frame,frame,frames,Frame X\n1,1,1,1\n3,3,3,3\n' > in.csv
    [ "$(half --rate 1 in.csv 2> /dev/null | tail -n 1)" = 3,3,2.0000,2.0000 ]
    printf 'time,index\n0,1\n1,2\n' > in.csv
    fails 2 half in.csv
    says 'the first data row has no number except times and counts'
    printf '{"t":0,"frame":1,"x":0}\n{"t":1,"frame":2,"x":1}\n' | half --from jsonl -q | tail -n 1 | grep -xF '{"t":1,"frame":2,"x":0.5000}'
    # What has frames of its own takes the numbers, or leaves them out.
    printf 'Frame,time,x\n7,0,0\n9,1,1\n' | half -q --rate 1 --to wav | half -q --from wav --to csv --rate 1 | sed -n 1p | grep -xE 'time,ch1'
}

@test "gaps: empty, nan, NA and null in any case are gaps" {
    for gap in '' nan NaN NA na null NULL; do
        printf 'time,x\n0,1\n1,%s\n2,1\n' "$gap" > in.csv
        [ "$(half in.csv)" = "$(printf 'time,x\n0,1\n1,%s\n2,1' "$gap")" ]
    done
}

@test "--missing: numbers by value, other texts by text, quoted or not, in channels of every format, never the time" {
    printf 'time,x\n0,1\n1,-999.00\n2,"-9.99e2"\n3,err\n4,"err"\n5,Err \n6,1\n' > in.csv
    fails 2 half --missing 0,-999,err in.csv
    says 'in.csv:7: column "x": not a number: "Err"'
    half --missing ' -999, err ,Err,0' in.csv | sed 5,6s/err/err/ | cmp - <(sed 's/^\([06]\),1$/\1,1/' in.csv)
    printf 'time;x\n-999;1,5\n0;-999,0\n' | half --missing -999 | cmp - <(printf 'time;x\n-999;1,5\n0;-999,0\n')
    printf '[{"time":0,"x":1},{"time":1,"x":-999.0},{"time":2,"x":"-999"}]' > in.json
    half --missing -999 --gaps fill in.json | cmp - <(printf '[{"time":0,"x":1},{"time":1,"x":1.0000},{"time":2,"x":1.0000}]')
    printf 'time,x\n2026-11-22,0\n2026-11-23,8\n' > in.csv
    half --missing 2026-11-23 in.csv | cmp - <(half in.csv)
    fails 0 half --missing 7 in.csv
    says 'in.csv: warning: --missing 7: found in no channel'
    fails 0 half --mask 'x:x<-7' in.csv
    says "warning: --mask x:x<-7: no value becomes missing; check the limit and its direction, < or >"
    printf '1\n-999\n3\n' | sprung damper -H 1 -d 0 --rate 1 --no-header -c 1 --missing 7 --to npy > in.npy
    sprung damper -H 1 -d 0 --rate 1 --missing -499 --gaps fill --to csv in.npy | sed -n 2p | grep -qx 1
}

@test "gaps keep: the gap stays, the spring coasts on toward the last goal" {
    printf 'time,x\n0,0\n1,8\n2,\n3,8\n' > in.csv
    [ "$(half in.csv | column 2 | tail -n +2 | tr '\n' ' ')" = "0 4.0000  7.0000 " ]
    sprung damper -H 1 in.csv > out.csv
    [ "$(sed -n 4p out.csv)" = "2,,," ]
}

@test "gaps fill: the spring's value is printed" {
    printf 'time,x\n0,0\n1,8\n2,\n3,8\n' > in.csv
    [ "$(half --gaps fill in.csv | column 2 | tail -n +2 | tr '\n' ' ')" = "0 4.0000 6.0000 7.0000 " ]
}

@test "gaps restart: the next value starts a new run" {
    printf 'time,x\n0,0\n1,8\n2,\n3,8\n4,0\n' > in.csv
    [ "$(half --gaps restart in.csv | column 2 | tail -n +2 | tr '\n' ' ')" = "0 4.0000  8 4.0000 " ]
}

@test "max-gap: a longer gap restarts, a shorter one does not" {
    printf 'time,x\n0,0\n1,8\n2,\n3,8\n4,\n5,\n6,0\n' > in.csv
    [ "$(half --max-gap 2 in.csv | column 2 | tail -n +2 | tr '\n' ' ')" = "0 4.0000  7.0000   0 " ]
    [ "$(half --max-gap 2 --gaps fill in.csv | column 2 | tail -n +2 | tr '\n' ' ')" = "0 4.0000 6.0000 7.0000   0 " ]
    [ "$(half --max-gap 3 in.csv | column 2 | tail -n 1)" = 3.8750 ]
}

@test "max-gap: a gap exactly as long as the limit is bridged, also where the limit is no binary fraction" {
    printf 'time,x\n0.0,8\n0.1,0\n0.2,\n0.3,\n0.4,8\n' > in.csv
    for rate in "" "--rate 10"; do
        half --gaps fill $rate -x time in.csv > want.csv
        half --gaps fill $rate -x time --max-gap 0.3 in.csv | cmp - want.csv
        half --gaps fill $rate -x time --max-gap 0.299999999999999 in.csv | tail -n 1 | grep -qx '0.4,8'
    done
}

@test "gaps: before the first value there is nothing to print" {
    printf 'time,x,y\n0,,1\n1,,1\n2,4,1\n3,0,1\n' > in.csv
    [ "$(half --gaps fill in.csv | column 2 | tail -n +2 | tr '\n' ' ')" = "  4 2.0000 " ]
}

@test "gaps: NaN never enters the state" {
    printf 'time,x\n0,0\n1,nan\n2,8\n3,8\n' > in.csv
    [[ "$(half in.csv | column 2 | tail -n 1)" == 6.0000 ]]
}

@test "start: first, zero, a number" {
    printf 'time,x\n0,8\n1,8\n' > in.csv
    [ "$(half in.csv | column 2 | tr '\n' ' ')" = "x 8 8 " ]
    [ "$(half --start zero in.csv | column 2 | tr '\n' ' ')" = "x 0.0000 4.0000 " ]
    [ "$(half --start -8 in.csv | column 2 | tr '\n' ' ')" = "x -8.0000 0.0000 " ]
    # 8 - 8 exp(-t ln 2) has the velocity 8 ln 2 and the acceleration -8 (ln 2)^2 at 0.
    [ "$(sprung damper -H 1 --start 0 -d 2 --decimals 9 in.csv | sed -n 2p)" = 0,0.000000000,5.545177444,-3.843624111 ]
    fails 2 half --start here in.csv
    says '--start'
}

@test "start: a character, whose input is no place, starts in the origin or where it is told" {
    printf 'time,x\n0,8\n1,8\n2,-3\n' > in.csv
    go() { sprung character -H 1 --predict 0.5 --decimals 9 "$@" in.csv | tail -n +2; }
    go > origin
    go --start first | cmp - origin
    go --start zero | cmp - origin
    go --start -5 | LC_ALL=C awk -F, -v OFS=, '{ for (i = 2; i <= 5; i += 3) $i = sprintf("%.9f", $i + 5); print }' | cmp - origin
    [ "$(go --start -5 | cut -d, -f1-3 | head -n 1)" = 0,-5.000000000,0.000000000 ]
}

@test "group-by: interleaved groups are series of their own" {
    printf 'g,time,x\na,0,0\nb,5,8\na,1,8\nb,6,0\na,2,8\nb,7,0\n' > in.csv
    [ "$(half --group-by g in.csv | tail -n +2 | tr '\n' ' ')" = \
        "a,0,0 b,5,8 a,1,4.0000 b,6,4.0000 a,2,6.0000 b,7,2.0000 " ]
}

@test "group-by: each of a thousand keys is one group, in any order" {
    awk 'BEGIN { print "time,g,x"; for (t = 0; t < 3; t++) for (i = 0; i < 1000; i++) print t ",k" i * (7 + 2 * t) % 1000 "," t }' > in.csv
    [ "$(half --group-by g in.csv | awk -F, 'NR > 1 && $1 == 2 { print $3 }' | sort | uniq -c | tr -s ' ')" = " 1000 1.2500" ]
}

@test "group-by: a quoted key is the same text" {
    printf 'g,time,x\na,0,0\n"a",1,8\n b ,1,0\n"b",2,8\n"c""d",0,0\n"c""d",1,8\n' > in.csv
    [ "$(half --group-by g in.csv | grep -c ',4.0000$')" = 3 ]
}

# Rows of six series, mixed, with times, values and cuts that depend on the row; `both` joins what bone and axis say.
two_columns()
{
    awk 'BEGIN {
        print "bone,axis,both,time,x,cut"
        for (i = 0; i < 400; i++) {
            bone = i * i % 7 < 3 ? "hip" : i % 3 ? "knee" : ""
            axis = i % 5 < 2 ? "x" : "y"
            printf "%s,%s,%s,%d,%d,%d\n", bone, axis, bone "/" axis, i, i * 7919 % 101, i % 57 == 0
        }
    }'
}

@test "group-by: several columns are the same as one that joins them" {
    two_columns > in.csv
    for options in "damper -H 3" "butterworth --cutoff 0.02 --zero-phase" "damper -H 3 --resample 0.3" \
        "damper -H 3 --despike 3 --gaps linear" "damper -H 3 --max-gap 8 --gaps restart" "damper -H 3 -j 3"; do
        eval "sprung $options -c x --group-by both in.csv" > want.csv
        for columns in bone,axis 1,2 axis,1 =bone,2 '"bone","axis"' ' bone , axis'; do
            eval "sprung $options -c x --group-by '$columns' in.csv" | cmp - want.csv
        done
        eval "sprung $options -c x --group-by bone,axis" < in.csv | cmp - want.csv
        [ "$(eval "sprung $options -c x --group-by bone in.csv" | cksum)" != "$(cksum < want.csv)" ]
    done
    for to in json jsonl; do
        sprung damper -H 1 -c x -d 0 --to $to in.csv > in.$to
        sprung damper -H 3 -c x -d 0 --group-by both in.$to > want.$to
        sprung damper -H 3 -c x -d 0 --group-by bone,axis in.$to | cmp - want.$to
    done
    sprung damper -H 3 -c x --group-by bone,axis -v in.csv 2>&1 > /dev/null | grep -q ' 6 groups'
    sprung damper -H 3 -c x --group-by bone,axis --report in.csv -o out.csv 2>&1 | grep -Eq '6 groups$'
}

@test "group-by: texts with commas and quotes join without meeting, names with commas go in quotes" {
    # a,b with c is another series than a with b,c.
    printf '"p,q",r,time,x\n"a,b",c,0,0\na,"b,c",0,8\n"a,b",c,1,8\na,"b,c",1,0\n' > in.csv
    for columns in '"p,q",r' '="p,q",2' '1,2'; do
        [ "$(half --group-by "$columns" in.csv | tail -n 2 | tr '\n' ' ')" = '"a,b",c,1,4.0000 a,"b,c",1,4.0000 ' ]
    done
    # A glob and a range are lists, too; the order and a second mention change nothing.
    for columns in 'r,"p,q"' '1-2' 'r*,p*,1'; do
        half -q --group-by "$columns" in.csv | cmp - <(half -q --group-by 1,2 in.csv)
    done
    # A quote within a text, and empty texts: ("",,) is not (,"",).
    printf 'p,r,time,x\n"""a",b,0,0\n"""a"",b","",0,8\n,a,0,4\na,,0,2\n"""a",b,1,8\n"""a"",b","",1,0\n,a,1,0\na,,1,4\n' > in.csv
    [ "$(half --group-by p,r in.csv | tail -n 4 | sed 's/.*,//' | tr '\n' ' ')" = "4.0000 4.0000 2.0000 3.0000 " ]
}

@test "group-by: what several columns cannot be" {
    two_columns > in.csv
    fails 2 half --group-by bone,axs in.csv
    says '--group-by: no column "axs"'
    says 'did you mean "axis"?'
    fails 2 half --group-by bone,time in.csv
    says 'column "time": --group-by names this column, but it is already the time column'
    fails 2 half --group-by bone,9 in.csv
    says '--group-by: no column "9"'
    fails 2 half --group-by bone, in.csv
    says '--group-by: empty entry in the list'
    printf 'bone,axis,time,x\nhip,x,1,0\nhip,"y,z",2,0\nhip,"y,z",1,0\n' > in.csv
    for more in "" "--resample 3"; do
        fails 2 half --group-by bone,axis $more in.csv
        says 'in.csv:4: column "time": time goes backward: 1 after 2'
    done
}

@test "group-by: keys that differ only at their end are different groups" {
    long=$(printf 'k%.0s' {1..300})
    for pair in "${long}1 ${long}2" "$long ${long}k" "1 1.0"; do
        read -r a b <<< "$pair"
        printf 'g,time,x\n%s,0,0\n%s,0,8\n%s,1,8\n%s,1,0\n' "$a" "$b" "$a" "$b" > in.csv
        [ "$(half --group-by g in.csv | cut -d, -f3 | tr '\n' ' ')" = "x 0 8 4.0000 4.0000 " ]
    done
}

@test "group-by: one bad group, rows before the fault are written" {
    printf 'g,time,x\na,0,0\nb,5,8\na,1,8\nb,4,0\na,2,8\n' > in.csv
    fails 2 half --group-by g in.csv
    says 'in.csv:5: column "time": time goes backward: 4 after 5'
    says 'hint: sort the rows of each series by time (--group-by COLUMN tells series apart); to leave out such rows, add --bad-rows skip; to ignore the times, give the row rate, as in --rate 100'
    fails 2 half --group-by g --resample 1 in.csv
    says 'hint: sort the rows of each series by time (--group-by COLUMN tells series apart); to leave out such rows, add --bad-rows skip; to ignore the times, give the row rate, as in --rate 100'
    [ "$(wc -l < out.txt)" = 4 ]
}

@test "derivatives: 2 by default, 1 and 0 on request, names from the channel" {
    printf 'time,x\n0,0\n1,8\n' > in.csv
    [ "$(sprung damper -H 1 in.csv | head -n 1)" = time,x,x_vel,x_acc ]
    [ "$(sprung damper -H 1 -d 1 in.csv | head -n 1)" = time,x,x_vel ]
    [ "$(sprung damper -H 1 -d 0 in.csv | head -n 1)" = time,x ]
    # y = 2 ln 2: velocity 8 y^2 / 4, acceleration y^2 (8 - x) - 2 y velocity, with x = 8 (1 - (1 + y) / 4)
    [ "$(sprung critical -H 1 --decimals 5 in.csv | tail -n 1)" = 1,3.22741,3.84362,-1.48477 ]
}

@test "derivatives: where their name exists already they get another, and the column stays" {
    printf 'time,x,x_vel\n0,0,1\n1,8,1\n' > in.csv
    [ "$(sprung damper -H 1 -d 1 -c x,x_vel in.csv | head -n 1)" = time,x,x_vel,x_vel_2,x_vel_vel ]
    [ "$(sprung damper -H 1 -d 0 -c x,x_vel in.csv | head -n 1)" = time,x,x_vel ]
    printf 'time,x,x_vel,x_vel_2\n0,0,1,5\n1,8,1,5\n' > in.csv
    [ "$(sprung damper -H 1 -d 1 -c x in.csv | cut -d, -f 1-4)" = "$(sprung damper -H 1 -d 0 -c x in.csv)" ]
    [ "$(sprung damper -H 1 -d 1 -c x in.csv | head -n 1)" = time,x,x_vel,x_vel_2,x_vel_3 ]
}

@test "an unstable method that overflows is an error with its line, not inf" {
    { echo time,x; for i in $(seq 0 400); do echo "$i,$((i % 2))"; done; } > in.csv
    fails 2 sprung damper --method euler --damping 100 -d 0 in.csv
    says 'too large'
    [[ "$out" != *inf* && "$out" != *nan* ]]
}

@test "cut column: non-zero is a cut between the row before and this one" {
    printf 'time,x,c\n0,0,0\n1,0,0\n2,9,1\n3,9,0\n' > in.csv
    sprung tracking --cut-column c -d 0 in.csv > out.csv
    [ "$(sed -n 4p out.csv | cut -d, -f2)" != 9 ]
    [ "$(cut -d, -f3 out.csv | tr '\n' ' ')" = "c 0 0 1 0 " ]
}

@test "a column of the name of an output stays, and the output gets another name" {
    printf 'time,x,x@1,x_vel\n0,1,2,3\n' > in.csv
    [ "$(sprung resonance -H 1 --frequencies 1 -c x in.csv | head -n 1)" = time,x,x@1,x_vel,x@1_2 ]
    [ "$(sprung resonance -H 1 --frequencies 1 -c x in.csv | tail -n 1 | column 1-4)" = 0,1,2,3 ]
}

@test "a value, velocity or acceleration past all numbers is an error, not the largest number" {
    printf 'time,x\n0,1e300\n0.001,1.5e300\n0.002,-1e304\n0.003,-1e304\n' > in.csv
    for method in exact gain halflife spring-damper; do
        fails 2 sprung tracking --method $method in.csv
        says 'in.csv:4: column "x": the filtered value is too large (over 1.8e308)'
    done
    sprung tracking -d 1 in.csv > out.csv
    printf 'time,x\n0,1e300\n1e-7,1.5e300\n2e-7,-1e303\n3e-7,-1e303\n' > in.csv
    fails 2 sprung tracking -d 1 in.csv
    says 'in.csv:4: column "x": the filtered value is too large (over 1.8e308)'
    printf 'time,x\n0,1e308\n1,-1e308\n2,1e308\n3,\n' > in.csv
    fails 2 sprung butterworth --cutoff 0.2 --zero-phase --lookahead 1 in.csv
    says 'in.csv:2: column "x": the filtered value is too large (over 1.8e308)'
    printf 'time,x\n0,1\n1,2\n2,3\n3,\n' | sprung butterworth --cutoff 0.2 --zero-phase --lookahead 1 -v 2>&1 > out.csv | grep -q ' 1 missing value,'
}

@test "verbose: one is not many" {
    printf 'time,x\n0,1\n1,\n' > in.csv
    sprung tracking --cuts 1 -v in.csv 2> err.txt > /dev/null
    grep -qx 'sprung: in.csv: 2 rows, 1 missing value, 1 cut, 1 group' err.txt
    printf '5\n' | sprung resonance -H 1 --frequencies 2 --rate 1 -v 2> err.txt > /dev/null
    grep -q 'csv, 1 column, time' err.txt
    grep -q '1 row, 0 missing values, 0 cuts, 1 group$' err.txt
    grep -q 'halflife 1, frequencies (1)' err.txt
    fails 2 sprung damper -H 1 --rate 1 -c 2 - < <(printf '5\n')
    says 'no column "2"'
}

@test "verbose: the filter's parameters, the time, the channels, the gaps" {
    sprung critical -H 0.25 -v -c y "$DATA/wave.csv" 2> err.txt > /dev/null
    grep -q 'critical: halflife 0.25, goal-velocity zero$' err.txt
    grep -q 'time: column "time"' err.txt
    grep -q 'channel "y" (column 3)' err.txt
    sprung critical -H 0.25 -v -c x,y "$DATA/wave.csv" 2>&1 > /dev/null | grep -q 'channels 2-3: "x" to "y"$'
    grep -q '240 rows, 12 missing values' err.txt
    sprung critical -H 0.25 -v --rate 59.94 "$DATA/wave.csv" 2>&1 > /dev/null | grep -q '59.94 rows per second'
    [ -z "$(sprung critical -H 0.25 -c x "$DATA/step.csv" 2>&1 > /dev/null)" ]
}
@test "names of added columns are unique, whatever the names of the input are" {
    for head in 't,,,,_vel_2' 't,,,_vel,_vel_3' 't,,_vel_2,_acc' 't,x,x,' 't,,,,,'; do
        printf '%s\n0,1,2,3,4,5\n1,2,3,4,5,6\n' "$head" | cut -d, -f1-"$(awk -F, '{ print NF; exit }' <<< "$head")" |
            sprung critical -q -H 0.1 | sed 1q | tr , '\n' | sed '/^$/d; 1,3{/^x$/d}' | sort | uniq -d > twice.txt
        [ ! -s twice.txt ]
    done
    printf 't,,,,_vel_2\n0,1,2,3,4\n' > in.csv
    [ "$(sprung critical -q -H 0.1 -d 1 in.csv | sed 1q)" = 't,,,,_vel_2,2_vel,3_vel,4_vel,_vel_2_vel' ]
}

@test "a cut at the end of a run is no cut of the next run" {
    printf 't,x,c\n0,0,0\n1,0,0\n1,0,1\n2,,0\n3,5,0\n4,9,0\n5,9,0\n' > in.csv
    sprung inertialize -H 1 -d 0 --gaps restart --cut-column c -t t -c x in.csv | cmp - in.csv
    printf 't,x,c\n0,0,0\n1,0,0\n1,0,1\n3,5,0\n4,5,0\n' > cut.csv
    [ "$(sprung inertialize -H 1 -d 0 --cut-column c -t t -c x cut.csv | sed -n 5p)" = 3,0,0 ]
}
