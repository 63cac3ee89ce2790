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
    says '--resample needs times that are numbers in s, ms, us or ns'
}

@test "other ways to write the unit of the time: behind / . or a comma, in words, in a line of its own" {
    printf 'time,x\n0,0\n0.06,1\n3.6,2\n' | half | column 2 > want.csv
    for name in 'Time / ms' 'time/ms' 'time.ms' '"Time, ms"' 'elapsed_ms' 'Elapsed (ms)' 'time_in_ms' 'Time in milliseconds'; do
        printf '%s,x\n0,0\n60,1\n3600,2\n' "$name" | half | sed 's/^"[^"]*"/name/' | column 2 | diff - want.csv
    done
    for units in '(ms),(mm)' '[ms],' ms,mm; do
        printf 'Time,x\n%s\n0,0\n60,1\n3600,2\n' "$units" > in.csv
        for options in "" "--header 1"; do
            # shellcheck disable=SC2086
            half -v $options in.csv 2> err.txt | sed 2d | column 2 | diff - want.csv
            grep -q 'time: column "Time", in ms by the line below the names' err.txt
        done
        half --time-unit s in.csv 2>&1 > /dev/null | grep -q 'warning: --halflife 1 does not fit .* rows .* s apart'
    done
    half -v --header 1,2 in.csv 2>&1 > /dev/null | grep -q 'column "Time.ms", in ms by its name'
    # A name that says the unit is not doubted.
    printf 'Time (min),x\n0,0\n60,1\n120,2\n180,3\n' > in.csv
    fails 0 half in.csv
    says 'rows 3.6e+03 s apart: next to nothing'
    [[ $err != *--time-unit* ]]
    for name in T/K U.T accel_s temp.min time.x; do
        printf '%s,x\n0,0\n1,1\n' "$name" > in.csv
        fails 2 half in.csv
        says 'no time column found, and the row rate is unknown'
    done
}

@test "times since 1970 in ms, us or ns are told by their size" {
    printf 'timestamp,x\n1700000000000,0\n1700000001000,1\n' > in.csv
    fails 0 half in.csv
    [ -z "$err" ]
    printf 'time,x\n0,0\n1,1\n' | half | column 2 | diff - <(printf '%s\n' "$out" | column 2)
    half -v < in.csv 2>&1 > out.csv | grep -q 'in ms by the size of its numbers'
    printf '%s\n' "$out" | cmp - out.csv
    # JSON alike.
    printf '{"t":1700000000000,"x":0}\n{"t":1700000001000,"x":1}\n' | half --from jsonl 2> err.txt | tail -n 1 | grep -q '"x":0.5'
    # Seconds since 1970, and small numbers, are what they were.
    printf 'timestamp,x\n1700000000,0\n1700000001,1\n' > in.csv
    fails 0 half in.csv
    [ -z "$err" ]
}

@test "what a name and the first number say of a column: channel, count, mark, quality or clock" {
    while read -r name number reason; do
        printf 'time,y,%s\n0,1,%s\n' "${name//+/ }" "$number" | sprung inspect --report json |
            sed 's/.*"position":3,"role":"[a-z]*","reason":"\([^"]*\)".*/\1/' > got.txt
        grep -q "$reason" got.txt || { echo "$name $number: $(< got.txt), not $reason"; return 1; }
    done << 'END'
x                    1             a number
Frame                1             count
#                    4             count
Sample+#             0             count
n                    0.5           a number
Local+frame+number   3             count
track_id             7             marker or ID
grid                 7             a number
state                -1            marker or ID
state                0.5           a number
nose_likelihood      1             quality
utc_usec             0             clock
Hardware+counter+(us) 12           clock
sensor_ms            1700000000000 clock
delay_ms             12            a number
t                    3             a number
END
}

@test "which names are times, and in what unit" {
    while read -r name seconds; do
        printf '%s,x\n0,1\n1,2\n' "${name//+/ }" | sprung inspect --report json | sed 's/.*"unit_seconds":\([^,]*\).*/\1/; s/^{.*/none/' > got.txt
        [[ $(< got.txt) == "$seconds" ]] || { echo "$name: $(< got.txt), not $seconds"; return 1; }
    done << 'END'
Timestamp        1
#+time+[s]       1
Elapsed_Time     1
__time           1
timestampUs      1e-06
t+[µs]           1e-06
T_NS             1e-09
timeNS           1e-09
Time+(hours)     3600
t+[h]            3600
t_h              3600
tMin             60
lifetime         none
temperature+[s]  none
END
    # A time in the last line of a joined header.
    printf 'Sensor,Sensor\nx,Time (ms)\n1,0\n2,5\n' | sprung inspect --header 1,2 --report json | grep -q '"unit_seconds":0.001'
    # With --rate a column of times may be filtered by its name, and by no pattern.
    printf 'time,x\n0,1\n' > rate.csv
    sprung damper -H 1 -d 0 --rate 1 -c '*' -v rate.csv 2>&1 | grep -c channel | grep -qx 1
    sprung damper -H 1 -d 0 --rate 1 -c time,x -v rate.csv 2>&1 | grep -q 'channels 1-2'
}

@test "a column that is empty in the first row may hold texts later" {
    printf 'time,x,note\n0,1,\n1,2,hi\n2,2,3\n' > in.csv
    sprung tracking -q -d 0 in.csv | cmp - in.csv
    [ "$(sprung tracking -q -d 0 --to csv --from jsonl <<< $'{"time":0,"x":1,"n":null}\n{"time":1,"x":2,"n":"hi"}' | tail -n 1)" = 1,2,hi ]
    printf 'time,x\n0,1\n1,hi\n' | fails 2 sprung tracking -q -d 0
}

@test "a column with a text before any number is text; a text after a number is a fault" {
    printf 'time,a,b\n0,NA,1\n1,one,1\n2,5,1\n3,two,1\n4,,1\n5,NA,1\n6,7,1\n' > text.csv
    for options in '' '--gaps fill' '--gaps linear' '--gaps restart' '--bad-rows skip' '--despike 6'; do
        sprung damper -H 1 -d 0 $options text.csv | cmp - text.csv
    done
    sprung butterworth --cutoff auto --zero-phase -q -d 0 text.csv | cmp - text.csv
    # A point has the text of the row before.
    sprung damper -H 1 -d 0 --resample 2 text.csv | column 2 | sed 1d | tr '\n' ' ' |
        grep -qx 'NA NA one one 5 5 two two   NA NA 7 '
    { printf 'time,a,b\n'; for ((i = 0; i < 9000; i++)); do
        case $i in
            [0-4]) echo "$i,,$i" ;;
            8000 | 8500) echo "$i,text,$i" ;;
            *[05]) echo "$i,nan,$i" ;;
            *) echo "$i,$((i % 9)),$i" ;;
        esac
    done; } > number.csv
    fails 2 sprung damper -H 1 -d 0 number.csv
    says 'number.csv:8002: column "a": not a number: "text"'
    says 'hint: if this text means a gap: --missing text'
    printf '%s\n' "$out" > want.csv
    [ "$(wc -l < want.csv)" = 8001 ]
    sprung damper -H 1 -d 0 <(head -n 8001 number.csv) | cmp - want.csv
    { in_pieces number.csv | sprung damper -H 1 -d 0 -j2 2> /dev/null || true; } | cmp - want.csv
    fails 0 sprung damper -H 1 -d 0 --bad-rows skip --gaps fill number.csv
    says 'line 8002 is left out: column "a": not a number: "text"'
    says '2 rows were left out'
    grep -v text number.csv | sprung damper -H 1 -d 0 --gaps fill | cmp - <(printf '%s\n' "$out")
    in_pieces number.csv | sprung damper -H 1 -d 0 --bad-rows skip --gaps fill -j2 2> /dev/null | cmp - <(printf '%s\n' "$out")
    # Also in JSON, where a string is a text.
    printf '{"t":0,"a":null}\n{"t":1,"a":4}\n{"t":2,"a":"5"}\n' > a.jsonl
    fails 2 sprung damper -H 1 -d 0 a.jsonl
    says 'a.jsonl:3: column "a": not a number: "5"'
    # A column that only decides about others holds numbers.
    printf 'time,x,cut\n0,1,\n1,2,hi\n' > cut.csv
    fails 2 sprung tracking -d 0 --cut-column cut cut.csv
    says 'a cut column holds numbers'
}

@test "counts of rows and times of another clock are left alone, with one note" {
    printf ',time,#,utc_usec,unix_time,Hardware counter (us),x\n0,0,4,7,8,9,0\n1,1,5,8,9,10,1\n' > in.csv
    fails 0 half in.csv
    [ "$(printf '%s\n' "$out" | tail -n 1)" = "1,1,5,8,9,10,$(printf 'time,x\n0,0\n1,1\n' | half | tail -n 1 | column 2)" ]
    says 'not filtered: "1" (count), "#" (count), "utc_usec" (clock), "unix_time" (clock), "Hardware counter (us)" (clock);'
    [ "$(printf '%s\n' "$err" | wc -l)" = 1 ]
    half -q -c 4,7 in.csv | tail -n 1 | grep -qE '^1,1,5,7\.[0-9]+,9,10,0'
    # An index of pandas begins with 0, one of R with 1; a series may begin with any other number.
    printf ',time,x\n0.5,0,0\n1.5,1,1\n' > in.csv
    fails 0 half in.csv
    [ "$(printf '%s\n' "$out" | tail -n 1 | column 1)" != 1.5 ]
}

# same_from_pipe NAME ARGUMENT...: a filter gives $out and $err also from the file in pieces, through a pipe.
same_from_pipe()
{
    local name=$1 pipe
    shift
    in_pieces "$name" | half "$@" > pipe.csv 2> pipe.err
    printf '%s\n' "$out" | cmp - pipe.csv
    sed "s/(standard input)/$name/" pipe.err | diff - <([ -z "$err" ] || printf '%s\n' "$err")
}

@test "a table without names that begins with times since 1970 needs no option, in any unit" {
    for unit in 1 000 000000 000000000; do
        for rows in 2 3; do
            paste -d , <(printf "%s\n" 1700000000 1700000001 1700000003) <(printf '0\n8\n8\n') | head -n $rows |
                sed "s/^\([0-9]*\),/\1${unit#1},/" > in.csv
            fails 0 half in.csv
            [ "$(printf '%s\n' "$out" | column 2)" = "$(paste -d , <(printf '0\n1\n3\n') <(printf '0\n8\n8\n') | head -n $rows | half --no-header -t 1 | column 2)" ]
            same_from_pipe in.csv
            sprung inspect in.csv | grep -q 'time  *1 ('
        done
    done
    # Blanks between the cells, as in trajectories; --rate still numbers the rows.
    printf '1700000000.5 0 1\n1700000001.5 8 1\n' > in.txt
    [ "$(half in.txt | tail -n 1)" = '1700000001.5 4.0000 1' ]
    [ "$(half --rate 1 in.txt | tail -n 1)" = '1700000001.5 4.0000 1' ]
    # Numbers that are no times since 2000 are no times.
    for rows in '5,0\n6,8\n' '900000000,0\n900000001,8\n'; do
        printf "$rows" > in.csv
        fails 2 half in.csv
        says 'no time column found, and the row rate is unknown'
    done
}

@test "second clocks are told by their names" {
    for name in seconds_elapsed milliseconds sim_t timestamps pose.header.stamp.secs header.stamp.nsecs \
        header.stamp.nanosec rosbagTimestamp gaze_timestamp host_ms dev_us utc epoch millis 'elapsed time' 'Computer timestamp'; do
        printf 'time,%s,x\n0,5,0\n1,7,8\n' "$name" > in.csv
        fails 0 half in.csv
        [ "$(printf '%s\n' "$out" | tail -n 1)" = 1,7,4.0000 ]
        says "\"$name\""
        same_from_pipe in.csv
        half -c x,2 in.csv | tail -n 1 | grep -q ,6.0000,4
    done
    # Sensor Logger, and a topic of ROS as text, whose time is %time.
    printf 'time,seconds_elapsed,z\n1700000000000000000,0.5,0\n1700000001000000000,1.5,8\n' > in.csv
    [ "$(half -q in.csv | tail -n 1)" = 1700000001000000000,1.5,4.0000 ]
    printf '%%time,field.header.seq,field.header.stamp,field.x\n1700000000000000000,4,1700000000000000000,0\n1700000001000000000,5,1700000001000000000,8\n' > in.csv
    [ "$(half -q in.csv | tail -n 1)" = 1700000001000000000,5,1700000001000000000,4.0000 ]
}

@test "a row leaves at once, whatever its numbers" {
    for row in 0,5000,0 0,0,0; do
        (printf 'time,device,device_vel\n%s\n' $row; sleep 3) | sprung damper -H 1 -d 0 2> live.err | (read -r -t 2 line; read -r -t 2 line; [ "$line" = $row ])
    done
}

@test "marks, ids and qualities are left alone by their names, with one note" {
    for name in id marker_id TrackID 'object id' cut flag event trigger status state label class mode button valid gaze_valid 'eye.Validity' outlier year; do
        printf 'time,%s,x\n0,1,0\n1,3,8\n' "$name" > in.csv
        fails 0 half in.csv
        [ "$(printf '%s\n' "$out" | tail -n 1)" = 1,3,4.0000 ]
        [ "$err" = "sprung: in.csv: not filtered: \"$name\" (event marker or ID); to filter one, name it with --columns" ]
        same_from_pipe in.csv
        fails 0 half -c "x,$name" in.csv
        [ -z "$err" ]
        [ "$(printf '%s\n' "$out" | tail -n 1)" = 1,2.0000,4.0000 ]
        # A fraction in the first row is no mark, and where nothing else is left a mark is a channel.
        printf 'time,%s,x\n0,1.5,0\n1,3.5,8\n' "$name" > in.csv
        [ "$(half in.csv | tail -n 1)" = 1,2.5000,4.0000 ]
        printf 'time,%s,who\n0,1,ann\n1,3,ben\n' "$name" > in.csv
        [ "$(half -q in.csv | tail -n 1)" = 1,2.0000,ben ]
        printf '[{"time":0,"%s":1,"x":0},{"time":1,"%s":3,"x":8}]' "$name" "$name" > in.json
        [[ $(half -q in.json) == *":3,"* ]]
    done
    # Words that only end alike are no ids.
    printf 'time,grid,acid,x\n0,1,1,0\n1,3,3,8\n' > in.csv
    [ "$(half in.csv | tail -n 1)" = 1,2.0000,2.0000,4.0000 ]
    for name in likelihood likelihood_2 nose.likelihood nose_visibility LeftHipConfidence 'knee confidence'; do
        printf 'time,frame,id,%s,x\n0,4,2,0.9,0\n1,5,3,0.5,8\n' "$name" > in.csv
        fails 0 half in.csv
        [ "$(printf '%s\n' "$out" | tail -n 1)" = 1,5,3,0.5,4.0000 ]
        [ "$err" = "sprung: in.csv: not filtered: \"frame\" (count), \"id\" (event marker or ID), \"$name\" (quality); to filter one, name it with --columns" ]
        same_from_pipe in.csv
    done
    # What --exclude takes away does not make a mark a channel.
    printf 'time,id,x\n0,1,0\n1,3,8\n' > in.csv
    fails 2 half -x x in.csv
    says '--exclude leaves nothing to filter'
    # The likelihood of a pose still masks.
    printf 'time,p_x,p_likelihood\n0,0,0.9\n1,8,0.1\n2,8,0.9\n' > in.csv
    [ "$(half -q --mask '*_x:*_likelihood<0.6' in.csv | sed -n 3p)" = 1,,0.1 ]
}

@test "a column of text is left alone with a note that names it and its text" {
    printf 'time,x,label,who\n0,0,walk,a\n1,1,run,b\n' > in.csv
    fails 0 half in.csv
    [ "$err" = 'sprung: in.csv: not filtered (text): "label" (walk), "who" (a)' ]
    # a long name is cut between two characters
    local long=$(printf 'ä%.0s' {1..29})
    printf 'time,x%s,y\n0,walk,1\n1,run,2\n' "$long$long" > long.csv
    half long.csv > /dev/null 2> err
    grep -qF "not filtered (text): \"x$long\" (walk)" err
    fails 0 half -q in.csv
    [ -z "$err" ]
    fails 0 half -c x in.csv
    [ -z "$err" ]
    fails 0 half --group-by who -x label in.csv
    [[ $err != *'not filtered'* ]]
    # Many columns are one line of bounded length.
    { printf 'time,x'; printf ',label%d' $(seq 500); printf '\n0,0'; printf ',a%.0s' $(seq 500); printf '\n'; } > in.csv
    fails 0 half in.csv
    [ "${#err}" -lt 500 ]
    says 'and 492 more'
}

@test "columns named as derivatives of a channel are left alone, and never overwritten" {
    vel() { sprung critical -H 0.1 "$@"; }
    printf 'time,x,x_vel,x_acc,y_vel\n0,0,1,2,3\n0.1,1,2,3,5\n0.2,3,4,5,8\n' > in.csv
    for to in csv json jsonl; do
        [[ $to == csv ]] || vel -q -d 0 -H 1e-9 --to $to in.csv > in.$to
        fails 0 vel --from $to --to csv in.$to
        says 'not filtered: "x_vel" (derivative), "x_acc" (derivative); to filter one, name it with --columns'
        [[ $out == time,x,x_vel,x_acc,y_vel,*x_vel_2,x_acc_2,*y_vel_vel* ]]
        # The same numbers as from a file without them.
        cut -d, -f1,2,5 in.csv | vel | column 2,3,4,5,6 | sed 1d > want.txt
        [ "$(printf '%s\n' "$out" | column 3,4 | sed 1d)" = "$(column 3,4 < in.csv | sed 1d)" ]
    done
    in_pieces in.csv | vel 2> pipe.err | cmp - <(vel -q in.csv)
    # By its name a derivative is a channel.
    vel -q -d 0 -c x,x_vel in.csv | column 3 | sed 1d | diff - <(cut -d, -f1,3 in.csv | sed 1s/x_vel/v/ | vel -q -d 0 | column 2 | sed 1d)
    # An array of JSON, and a rotation.
    echo '[{"t":0,"p":[1,2]},{"t":0.1,"p":[2,3]}]' > p.json
    fails 0 vel -d 0 --from json < <(vel p.json)
    says '"p.0_vel" (derivative)'
    printf 't,q_w,q_x,q_y,q_z\n0,1,0,0,0\n0.1,0,1,0,0\n' | vel -q > q.csv
    fails 0 vel q.csv
    says '"q_vel_x" (derivative)'
}

@test "channels without names: their derivatives have the position" {
    printf 't,,\n0,1,2\n1,2,3\n' | half -d 2 | head -n 1 | grep -qx 't,,,2_vel,2_acc,3_vel,3_acc'
    printf 't,,_vel\n0,1,2\n1,2,3\n' | sprung damper -H 1 -d 1 | head -n 1 | grep -qx 't,,_vel,2_vel,_vel_vel'
}

@test "missing values: the words that pandas takes for them" {
    for gap in '#N/A' '#N/A N/A' '#NA' '-1.#IND' '-1.#QNAN' -NaN -nan '1.#IND' '1.#QNAN' '<NA>' N/A NA NULL NaN None n/a nan null; do
        printf 'time,x\n0,1\n1,%s\n2,1\n' "$gap" > in.csv
        [ "$(half in.csv)" = "$(cat in.csv)" ]
    done
    printf 'time,x\n0,1\n1,1.#INF\n' > in.csv
    fails 2 half in.csv
}

@test "decimal commas are told where cells stand between ; or tabs, and a note says so" {
    printf 'time;x\n0;0,5\n1;1,5\n' > in.csv
    fails 0 half --delimiter ';' in.csv
    [ "$out" = "$(printf 'time;x\n0;0,5\n1;1,0000')" ]
    says 'numbers are read with a decimal comma (if that is wrong: --decimal .)'
    [ "$(half --delimiter ';' < in.csv 2> /dev/null)" = "$out" ]
    tr ';' '\t' < in.csv | half --from tsv -q | tail -n 1 | grep -qP '^1\t1,0000'
    # A point anywhere in the first lines, or the option, says that they are none.
    printf 'time;x;y\n0.5;0,5;1\n1;1,5;2\n' > in.csv
    fails 0 half --delimiter ';' in.csv
    says '"x" (0,5)'
    printf 'time;x;y\n0;0,5;1\n1;1,5;2\n' | half --delimiter ';' --decimal . -q | tail -n 1 | grep -qx '1;1,5;1.5000'
}

@test "a text without a number is no series, and names alone are" {
    printf 'Permission is hereby granted, free of charge,\nto any person obtaining a copy, to deal\n' > LICENSE.csv
    fails 2 half --rate 1 LICENSE.csv
    says 'LICENSE.csv:2: no line holds numbers in at least half of its cells'
    [ -z "$out" ]
    printf 'time;x;y\n' > in.csv
    [ "$(half in.csv)" = 'time;x;y' ]
    printf 'time,x\n' > in.csv
    [ "$(half in.csv)" = time,x ]
    printf 'A title,\ntime,x\n' > in.csv
    half --header 2 in.csv | cmp - in.csv
}

@test "a first row of empty cells is a row, and numbers among names need --header" {
    printf 'date,a,b\n1954-06-01,,\n1954-06-02,1,2\n1954-06-03,2,3\n' > in.csv
    half -t date -H 86400 in.csv | cmp - <(printf 'date,a,b\n1954-06-01,,\n1954-06-02,1,2\n1954-06-03,1.5000,2.5000\n')
    printf 'Month,Day,1978,1979\n1,1,0.5,0.2\n1,2,0.7,0.3\n' > in.csv
    [ "$(half --rate 1 --header 1 -c =1978 in.csv)" = "$(printf 'Month,Day,1978,1979\n1,1,0.5,0.2\n1,2,0.6000,0.3')" ]
    # Rows of one kind are rows, and a note says how to say otherwise.
    printf 'walk,1,2\nrun,2,3\n' > in.csv
    fails 0 half --rate 1 in.csv
    [ "$(printf '%s\n' "$out" | head -n 1)" = walk,1,2 ]
    says '--header 1 if line 1 has the names, else --no-header'
    # As soon as the second row is there, both are written.
    { printf 'walk,1,2\nrun,2,3\n'; sleep 2; } | half --rate 1 -q | { IFS= read -r -t 1 line && [ "$line" = walk,1,2 ]; cat > /dev/null; }
}

@test "below a title, another delimiter is found" {
    printf 'Table of results\n\na;b\n1;2\n2;3\n' > in.csv
    half --rate 1 in.csv | cmp - <(printf 'Table of results\n\na;b\n1;2\n1.5000;2.5000\n')
}

@test "a tab at the end of the names alone, or of the rows alone; a # before names between blanks" {
    printf 't\tx\t\n0\t1\n1\t2\n' | sprung damper -H 1 --from tsv -d 1 --decimals 4 | cmp - <(printf 't\tx\tx_vel\t\n0\t1\t0.0000\n1\t1.5000\t0.3466\n')
    printf 't\tx\n0\t1\t\n1\t2\t\n' | sprung damper -H 1 --from tsv -d 1 --decimals 4 | cmp - <(printf 't\tx\tx_vel\n0\t1\t0.0000\t\n1\t1.5000\t0.3466\t\n')
    printf '# timestamp(s) tx ty\n0 1 2\n1 2 3\n' | half --delimiter ' ' | cmp - <(printf '# timestamp(s) tx ty\n0 1 2\n1 1.5000 2.5000\n')
}

@test "dates with slashes, and those of ROS; the first row shows whether the day or the month is first" {
    want=$(printf 'time,x\n0,0\n1,8\n2,8\n' | half | column 2)
    while read -r first second third; do
        printf 'time,x\n%s,0\n%s,8\n%s,8\n' "${first//_/ }" "${second//_/ }" "${third//_/ }" > in.csv
        fails 0 half in.csv
        [ "$(printf '%s\n' "$out" | column 2)" = "$want" ]
        [ -z "$err" ]
        same_from_pipe in.csv
    done << 'E'
2015/01/31_01:00:00 2015/01/31_01:00:01 2015/01/31_01:00:02
1970/01/01/02:04:34.357 1970/01/01/02:04:35.357 1970/01/01/02:04:36.357
12/31/2015_23:59:59 1/1/2016_0:00:00 1/1/2016_0:00:01
31/01/2015_23:59:59 01/02/2015_00:00:00 01/02/2015_00:00:01
E
    # Dates that do not show it are asked for.
    printf 'time,x\n01/02/2015 10:00:00,0\n01/02/2015 10:00:01,8\n' > in.csv
    fails 2 half in.csv
    says 'column "time": this date may have the month or the day first: "01/02/2015 10:00:00"'
    says 'hint: times are read as numbers, or as in 2026-11-22 19:35:00, 22.11.2026 19:35:00 or 11/22/2026 7:35:00 PM'
    fails 2 half -t 1 <(printf 'when,x\nsoon,0\nlater,8\n')
    says 'column "when": this text cannot be read as a time: "soon"' && says 'hint: times are read as numbers, or as in'
}

@test "columns date and time next to each other are one time, by either name, over midnight" {
    local row='%s,%s,0\n%s,%s,8\n%s,%s,8\n'
    want=$(printf 'time,x\n0,0\n1,8\n2,8\n' | half | cut -d, -f2)
    for cells in '2026-12-31 23:59:58 2026-12-31 23:59:59 2027-01-01 0:00:00' \
        '31.12.2026 23:59:59.5 1.1.2027 00:00:00.5 01.01.2027 00:00:01.5' \
        '12/31/2026 11:59:59_PM 1/1/2027 12:00:00_AM 1/1/2027 12:00:01_AM' \
        '5/12/2026 11:59:59_AM 5/12/2026 12:00:00_PM 5/12/2026 12:00:01_pm'; do
        { echo Date,Time,x; printf "$row" ${cells} | tr _ ' '; } > in.csv
        for option in '' '-t Date' '-t Time'; do
            half $option in.csv | cut -d, -f3 | cmp - <(printf '%s\n' "$want")
        done
        fails 0 half in.csv
        same_from_pipe in.csv
    done
    half in.csv --to jsonl | half --from jsonl --to csv | cut -d, -f1 | cmp - <(cut -d, -f1 in.csv)
    fails 2 half --resample 10 in.csv
    says '--resample needs times'
    printf 'time,date,x\n0:00,2026-11-22,0\n0:01,,8\n' > in.csv
    fails 2 half in.csv
    says 'in.csv:3: column "time": not a time in the form of the first row: " 0:01"'
}

@test "quaternions by the stems of their names and the length of the first row" {
    # The same rotations below names of all spellings, and between other columns.
    python3 -c '
import math
print("t,w,x,y,z")
for i in range(40):
    a = i / 7 + (.02 if i % 2 else 0)
    print(f"{i/100},{math.cos(a):.6f},{.6*math.sin(a):.6f},{.8*math.sin(a):.6f},0")' > in.csv
    want=$(sprung critical -H 0.02 -d 0 --quaternions 2-5:wxyz in.csv | sed 1d)
    for names in qw,qx,qy,qz imu_q1,imu_q2,imu_q3,imu_q4 att0,att1,att2,att3 'q_RS_w [],q_RS_x [],q_RS_y [],q_RS_z []' \
        qw_world,qx_world,qy_world,qz_world 'orientation[0],orientation[1],orientation[2],orientation[3]' \
        rot_r,rot_i,rot_j,rot_k head.W,head.X,head.Y,head.Z; do
        sed "1s/.*/t,$names/" in.csv > named.csv
        fails 0 sprung critical -H 0.02 -d 0 named.csv
        says '1 quaternion is filtered as a rotation'
        [ "$(printf '%s\n' "$out" | sed 1d)" = "$want" ]
        in_pieces named.csv | sprung critical -H 0.02 -d 0 2> pipe.err | cmp - <(printf '%s\n' "$out")
        sprung critical -H 0.02 -d 0 --quaternions none named.csv | sed 1d | cmp -s - <(printf '%s\n' "$want") && return 1
        sprung critical -H 0.02 -d 0 --to json named.csv 2> json.err | sprung critical -H 0.02 -d 0 --from json 2>&1 > /dev/null | grep -q '1 quaternion'
    done
    # No quaternion: another length, digits below another word, a letter that is missing.
    for names in 'a1,a2,a3,a4' 'qw,qx,qy,v'; do
        sed "1s/.*/t,$names/" in.csv > named.csv
        fails 0 sprung critical -H 0.02 -d 0 named.csv
        [[ $err != *"filtered as a"* ]]
    done
    printf 't,p_w,p_x,p_y,p_z\n0,3,1,0,2\n1,3,1,1,2\n' > in.csv
    fails 0 sprung critical -H 0.02 -d 0 in.csv
    [[ $err != *"filtered as a"* ]]
    # Gaps and four zeros in the first row.
    printf 't,p_w,p_x,p_y,p_z\n0,,,,\n1,1,0,0,0\n' | sprung critical -H 0.02 -d 0 2>&1 > /dev/null | grep -q '1 quaternion'
    printf 't,p_w,p_x,p_y,p_z\n0,0,0,0,0\n1,1,0,0,0\n' | sprung critical -H 0.02 -d 0 2>&1 > /dev/null | grep -q '1 quaternion'
}

@test "confidences beside points, repeated qualities, and packed dates and times are left alone" {
    printf 'x0,y0,c0,x1,y1,c1\n1,2,.5,4,5,1\n2,3,.9,5,6,.2\n' > in.csv
    fails 0 half --rate 1 in.csv
    says 'not filtered: "c0" (quality), "c1" (quality)'
    printf 'x,likelihood,x,likelihood\n1,.2,4,.5\n2,.3,5,.6\n' > in.csv
    fails 0 half --rate 1 in.csv
    says 'not filtered: "likelihood" (quality), "likelihood_2" (quality)'
    printf 'date,time,millis,ax\n140214,74852200,1392364131183.5,0\n140214,74852200,1392364132183.5,8\n' > in.csv
    [ "$(half -q in.csv | tail -n 1)" = 140214,74852200,1392364132183.5,4.0000 ]
}

@test "a second clock by a name of the time and the size of its numbers is left alone" {
    for name in recvTime server_clock stamp2; do
        printf 'time,%s,x\n0.1,1764500000008,1\n0.2,1764500000018,2\n' $name > in.csv
        fails 0 sprung critical -H 0.1 -d 0 in.csv
        says "not filtered: \"$name\" (clock)"
        [ "$(cut -d, -f2 <<< "$out" | tail -n 1)" = 1764500000018 ]
    done
}
