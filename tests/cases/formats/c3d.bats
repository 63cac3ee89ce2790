#!/usr/bin/env bats
# C3D: files of every processor and sample type are made and read by tools/make_c3d.py, which knows nothing of sprung.
load ../common

c3d()
{
    python3 "$TOOLS/make_c3d.py" "$@"
}

# The six ways to store samples, and the same with unsigned analog samples; a point is missing in five frames. Beside
# each file are its numbers, NAME.csv and NAME.analog.csv.
setup_file()
{
    cd "$BATS_FILE_TMPDIR"
    local words=() processor real unsigned
    for processor in 84 85 86; do
        for real in 0 1; do
            for unsigned in 0 1; do
                words+=(-- $processor$real$unsigned.c3d proc=$processor float=$real unsigned=$unsigned gap=1:5:9 rate=125)
            done
        done
    done
    c3d "${words[@]:1}"
    c3d --numbers ./*.c3d
}

# each COMMAND: runs it for every file, as $file.
each()
{
    for file in "$BATS_FILE_TMPDIR"/*.c3d; do
        name=${file##*/}
        "$@" || { echo "with $name: $*"; return 1; }
    done
}

# differ: what differs between the files of $BATS_FILE_TMPDIR and those of the same name here.
differ()
{
    local pairs=()
    for file in *.c3d; do
        pairs+=("$BATS_FILE_TMPDIR/$file" "$file")
    done
    c3d --samples "${pairs[@]}" | sed 's/.*c3d //'
}

still="tracking -q --gaps restart"

@test "c3d: points and analog channels are the numbers that another program reads, in every byte order and sample type" {
    one()
    {
        sprung $still --to csv -d 0 "$file" | sprung diff -q --rel 0 "$file.csv" - &&
            sprung $still --analog --to csv -d 0 "$file" | sprung diff -q --rel 0 "$file.analog.csv" -
    }
    each one
}

@test "c3d: a filter that changes nothing gives the file back, from a file, in pieces, in place, in a folder" {
    one()
    {
        for options in "" --analog; do
            cp "$file" a.c3d
            sprung $still $options "$file" | cmp - "$file" && sprung $still $options < "$file" | cmp - "$file" &&
                sprung $still $options -i a.c3d && cmp a.c3d "$file" &&
                sprung $still $options --output-dir out --force "$file" && cmp "out/$name" "$file" || return
        done
    }
    each one
    in_pieces "$file" | sprung $still | cmp - "$file"
    in_pieces "$file" | sprung $still --analog | cmp - "$file"
}

# near CSV C3D TOLERANCE [OPTION]...: the numbers are near, and gaps are the same.
near()
{
    sprung $still --to csv -d 0 "${@:4}" "$2" | sprung diff --abs "$3" --rel 1e-7 "$1" -
}

@test "c3d: filtered samples are those of the same numbers as csv, and no other byte changes" {
    one()
    {
        sprung critical -H 0.05 -d 0 "$file.csv" > want.csv
        sprung critical -H 0.05 "$file" > "$name"
        near want.csv "$name" 0.0051
    }
    each one
    differ > changes
    awk '$1 != "point" || ($2 == 1 && $3 >= 5 && $3 <= 9) { exit 1 }' changes
    [ "$(wc -l < changes)" -gt 1000 ]
    one()
    {
        sprung critical -H 0.005 -d 0 "$file.analog.csv" > want.csv
        sprung critical -H 0.005 --analog "$file" > "$name"
        near want.csv "$name" 0.251 --analog
    }
    each one
    differ > changes
    awk '$1 != "analog" { exit 1 }' changes
    [ "$(wc -l < changes)" -gt 300 ]
}

@test "c3d: --zero-phase and --columns" {
    one()
    {
        sprung butterworth --cutoff 1.92 --zero-phase -c 'M1.*' "$file" > "$name"
        sprung butterworth --cutoff 1.92 --zero-phase -c 'M1.*' -d 0 "$file.csv" > want.csv
        near want.csv "$name" 0.0051
    }
    each one
    differ > changes
    awk '$1 != "point" || $2 != 0 { exit 1 }' changes
    [ -s changes ]
}

@test "c3d: a missing point stays missing, or is filled where all its coordinates are, and is then a processed one" {
    for way in fill linear; do
        one()
        {
            sprung damper -H 0.01 --gaps $way -d 0 "$file.csv" > want.csv
            sprung damper -H 0.01 --gaps $way "$file" > "$name"
            ! grep -q ,, want.csv && near want.csv "$name" 0.0051
        }
        each one
        differ | grep residual | sort | uniq -c | awk '{ print $1, $3, $4 }' | cmp - <(printf '12 1 %s\n' 5 6 7 8 9)
    done
    one()
    {
        sprung tracking -q --gaps linear -c 'M1.*,M2.x,M2.z' "$file" | cmp - "$file"
        sprung tracking -q --gaps linear -c 'M2.*' "$file" > "$name"
    }
    each one
    ! differ | grep -v 'point 1 [5-9]$\|residual 1 [5-9]$'
    c3d a.c3d points=1 gap=0:0:39
    sprung tracking -q --gaps linear a.c3d | cmp - a.c3d
}

@test "c3d: a point of which a value is masked becomes missing, and nothing else of it changes" {
    one()
    {
        sprung $still --mask 'M3.y:M3.y<-50' "$file" > "$name"
        awk -F, 'NR > 1 && $9 < -50 { print "residual 2 " NR - 2 }' "$file.csv" >> want
    }
    each one
    differ | cmp - want
    [ -s want ]
    value=$(sed -n 3p "$file.csv" | cut -d , -f 9)
    sprung tracking -q --gaps linear -c 'M3.*' --mask "M3.*:M3.*=$value" "$file" > masked.c3d
    ! cmp -s "$file" masked.c3d
    sprung tracking -q --gaps linear -c 'M3.*' --missing "$value" "$file" | cmp - masked.c3d
    sprung $still --mask 'V1:V1>100' --to csv -d 0 --analog "$file" > masked.csv
    grep -q ,, <(sed 's/^[^,]*,,/,,/' masked.csv)
    fails 2 sprung $still --analog --mask 'V1:V1>100' "$file"
    first=$(awk -F, 'NR > 1 && $2 == "" { print NR - 1; exit }' masked.csv)
    says "column \"V1\": row $first: this format cannot hold a gap"
    says "fill it with --gaps linear"
    [ -z "$out" ]
    sprung tracking -q --gaps linear --analog --mask 'V1:V1>100' "$file" > b.c3d
}

@test "c3d: an integer that leaves its range is an error with point and row, whatever -j and blocks are" {
    c3d a.c3d float=0 amplitude=320 frames=2000
    cp a.c3d b.c3d
    filter=(spring -f 1 -z 0.05)
    sprung "${filter[@]}" --to csv -d 0 a.c3d > a.csv
    frame=$(awk -F, 'NR > 1 { for (i = 2; i <= 4; i++) if ($i / 0.01 > 32767.5 || $i / 0.01 < -32768.5) { print NR - 1, substr("xyz", i - 1, 1); exit } }' a.csv)
    for jobs in 1 2 5; do
        fails 2 sprung "${filter[@]}" -j $jobs -c 'M1.*' a.c3d
        says "a.c3d: column \"M1.${frame#* }\": row ${frame% *}: "
        says "does not fit into a sample of 16 bits"
        [ -z "$out" ]
    done
    fails 2 sprung "${filter[@]}" -i a.c3d
    cmp a.c3d b.c3d
    sprung critical -H 0.02 a.c3d > c.c3d
    for jobs in 1 2 5; do
        sprung critical -H 0.02 -j $jobs a.c3d | cmp - c.c3d
        cat a.c3d | sprung critical -H 0.02 -j $jobs | cmp - c.c3d
    done
}

@test "c3d: a float that leaves its range, and an infinite one" {
    c3d a.c3d amplitude=3.3e38 -- b.c3d proc=85 amplitude=8e37 -- c.c3d points=1 channels=0 each=1 frames=2
    for file in a.c3d b.c3d; do
        fails 2 sprung spring -f 1 -z 0.05 $file
        says "does not fit into a sample of 32 bits"
    done
    at=$(($(stat -c %s c.c3d) - 7 - 12))
    { head -c $at c.c3d; printf '\0\0\200\177'; tail -c +$((at + 5)) c.c3d; } > d.c3d
    fails 2 sprung damper -H 1 d.c3d
    says 'd.c3d: column "M1.y": row 2: the sample is infinite'
    fails 1 sprung diff c.c3d d.c3d
}

@test "c3d: names of points without a label, and of more than 255" {
    c3d a.c3d points=2 labels=0 -- b.c3d points=600 frames=2
    [ "$(sprung damper -H 1 --to csv -d 0 a.c3d | head -n 1)" == time,point1.x,point1.y,point1.z,point2.x,point2.y,point2.z ]
    c3d --numbers b.c3d
    sprung tracking -q --to csv -d 0 b.c3d | sprung diff --rel 0 b.c3d.csv -
    grep -q ',M600.x,M600.y,M600.z$' b.c3d.csv
}

@test "c3d: more than 65535 frames" {
    c3d a.c3d points=1 channels=0 each=1 frames=65600 first=70000 gap=0:65590:65595 -- \
        b.c3d points=1 channels=0 each=1 frames=65600 param.TRIAL.ACTUAL_END_FIELD=-
    sprung tracking -q --to csv -d 0 a.c3d > a.csv
    [ "$(wc -l < a.csv)" == 65601 ]
    grep -n ,,, a.csv | cut -d: -f1 | cmp - <(seq 65592 65597)
    fails 0 sprung tracking a.c3d -o c.c3d
    [[ $err != *differ* ]]
    [ "$(sprung tracking -q -d 0 --to csv b.c3d | wc -l)" == 65536 ]
}

@test "c3d: header and parameters that differ: the parameters are used" {
    keys=(header.points=4 header.last=30 header.last=7 header.total=12 header.each=6
        header.start=9 header.rate=50 "param.POINT.RATE=60 param.ANALOG.RATE=180")
    words=()
    for i in "${!keys[@]}"; do
        words+=(a$i.c3d frames=10 ${keys[i]} --)
    done
    c3d "${words[@]}" want.c3d frames=10 -- less.c3d frames=10 param.POINT.{FRAMES,USED,RATE,DATA_START,SCALE}=- param.ANALOG.USED=-
    sprung damper -H 1 --to csv -d 0 want.c3d > want.csv
    for i in "${!keys[@]}"; do
        fails 0 sprung damper -H 1 --to csv -d 0 a$i.c3d
        [[ ${keys[i]} == param.POINT.RATE* ]] || cmp out.txt want.csv
    done
    [[ $(tail -n 1 out.txt) == 0.15,* ]]
    fails 2 sprung damper -H 1 less.c3d
    says "the file has no points"
}

@test "c3d: files that are refused, and what is said" {
    keys=("header.start=200 param.POINT.DATA_START=200" "header.start=0 param.POINT.DATA_START=0" block=90 block=0 key=81
        processor=83 extra=0201414200800100000000 extra=0201414201000100000000 extra=02014142070001ffff00 points=0
        "points=0 channels=0" "float=0 param.POINT.SCALE=0" frames=0 "channels=0 float=1" param.ANALOG.GEN_SCALE=0)
    texts=("expected 40 frames of 72 bytes from block 200, found none" "expected 40 frames of 72 bytes from block 0, found none" "there is no block 90 of parameters"
        "there is no block 0 of parameters"
        "this is not a c3d file: byte 2 is not 0x50" "byte 516 (processor) is 83: expected 84" "points to itself or backward"
        "points to itself or backward" "does not fit into its section" "the file has no points" "the file has no points"
        "POINT:SCALE is 0" "expected 0 frames of 72 bytes" "the file has no analog channels"
        'column "V1": invalid ANALOG:SCALE, GEN_SCALE or OFFSET')
    words=()
    for i in "${!keys[@]}"; do
        words+=(a$i.c3d ${keys[i]} --)
    done
    c3d "${words[@]::${#words[@]}-1}"
    for i in "${!keys[@]}"; do
        analog=$([[ ${texts[i]} == *analog* || ${texts[i]} == *ANALOG* ]] && echo --analog) || true
        fails 2 sprung damper -H 1 $analog -o never.c3d a$i.c3d
        says "${texts[i]}"
        [ ! -e never.c3d ]
    done
    fails 2 sprung damper -H 1 a9.c3d
    says "to filter its analog channels, add --analog"
    head -c 300 $BATS_FILE_TMPDIR/8410.c3d > b.c3d
    fails 2 sprung damper -H 1 b.c3d
    says "the file ends inside its header, after 300 bytes"
    : > b.c3d
    fails 2 sprung damper -H 1 b.c3d
    says "the file is empty"
}

@test "c3d: a rate of no use is an error, unless --rate gives one" {
    words=(want.c3d)
    for rate in 0 nan -5; do
        words+=(-- a$rate.c3d header.rate=$rate param.POINT.RATE=$rate param.ANALOG.RATE=0)
    done
    c3d "${words[@]}"
    sprung damper -H 0.1 -d 0 --to csv want.c3d > want.csv
    for rate in 0 nan -5; do
        fails 2 sprung damper -H 0.1 a$rate.c3d
        says "the header has no usable row rate"
        says "give it with --rate HZ"
        sprung damper -H 0.1 --rate 100 -d 0 --to csv a$rate.c3d | cmp - want.csv
        sprung damper -H 0.1 --rate 100 a$rate.c3d > b.c3d
        near want.csv b.c3d 1e-5 --rate 100
        fails 2 sprung damper -H 0.1 --rate 100 -c time a$rate.c3d
    done
}

@test "c3d: to and from other formats" {
    file=$BATS_FILE_TMPDIR/8410.c3d
    for format in csv tsv json jsonl; do
        sprung $still -d 0 "$file" -o "b.$format"
        sprung diff --rel 0 "$file.csv" "b.$format"
    done
    fails 2 sprung $still "$file" -o b.trc
    says "--to trc needs a trc input: the output copies its header"
    says "use --to csv, tsv, json, jsonl or npy"
    fails 2 sprung damper -H 1 --to c3d "$file.csv"
    says "--to c3d needs c3d input"
    fails 2 sprung damper -H 1 "$file.csv" -o new.c3d
    says "use --to csv"
    fails 2 sprung damper -H 1 --resample 50 "$file"
    says "--resample cannot add rows to c3d files"
    fails 2 sprung damper -H 1 -d 1 "$file"
    says "add --derivatives 0, or write csv: -o FILE.csv"
    fails 2 sprung damper -H 1 --group-by M1.x --to csv "$file"
    says "c3d files, which have their own time and hold one series"
    fails 2 sprung damper -H 1 --analog "$file.csv"
    says "--analog does not apply to csv"
}

@test "c3d: --resample to csv gives what the same numbers in csv give, also in columns that are not filtered" {
    one()
    {
        for rate in 30 250; do
            sprung damper -H 0.05 --resample $rate -c 'M1.*,M2.x' -d 1 --to csv "$file" > got.csv
            sprung damper -H 0.05 --resample $rate -c 'M1.*,M2.x' -d 1 "$file.csv" > want.csv
            sprung diff --rel 1e-9 --abs 1e-12 want.csv got.csv || return
        done
    }
    each one
}

@test "c3d: the first bytes tell the format, and diff and plot read it" {
    c3d a.c3d
    cp a.c3d other
    sprung tracking -q other | cmp - a.c3d
    sprung diff -q a.c3d other
    sprung damper -H 0.1 a.c3d > b.c3d
    fails 1 sprung diff a.c3d b.c3d
    [[ $out == *'column "M1.x"'* ]]
    sprung help formats | grep -q '^ *c3d '
    sprung help c3d | grep -q '^C3D$'
    needs gnuplot
    sprung plot -c M1.x -o a.svg a.c3d b.c3d
    [ -s a.svg ]
}

@test "c3d: of a file that was cut the whole frames are read, and the output says how many there are" {
    c3d whole.c3d
    frames=$(sprung tracking -q -d 0 --to csv whole.c3d | tail -n +2 | wc -l)
    head -c -500 whole.c3d > cut.c3d
    fails 0 sprung tracking cut.c3d -o out.c3d
    says "cut.c3d: warning: truncated: $frames frames expected, "
    sprung tracking -q -d 0 --to csv cut.c3d > cut.csv
    (($(wc -l < cut.csv) < frames + 1))
    head -n "$(wc -l < cut.csv)" <(sprung tracking -q -d 0 --to csv whole.c3d) | cmp - cut.csv
    fails 0 sprung tracking -d 0 --to csv out.c3d
    [[ $err != *warning* ]]
    cmp out.txt cut.csv
}

@test "c3d: redirected into a file named as another format, a warning names --to" {
    c3d a.c3d
    sprung damper -H 1 a.c3d > x.csv 2> err
    grep -qF "x.csv, but c3d is written: for csv, add --to csv" err
    sprung damper -H 1 a.c3d 2> err > x.c3d
    ! grep -q standard err
}
