#!/usr/bin/env bats
# Motion capture as other programs export it: TRC with names above other columns or with markers that have none, STO
# with several numbers in a cell, TSV of Qualisys. What comes out is compared with the way of a plain table, whose
# names and numbers python takes from the bytes; between numbers no byte may change.
load ../common

# make_exports: one file of each kind, 60 rows at 100 per second.
make_exports()
{
    python3 - <<'P'
from math import cos, sin
import random
random.seed(5)
rows = range(60)
def wave(n, k):
    return "%.*f" % (4 + k % 3, 100 * sin(0.07 * n + k) + random.gauss(0, 0.3))
def put(name, head, rows, eol="\n"):
    open(name, "w", newline="").write(eol.join(head.split("\n") + rows) + eol)
top = "PathFileType\t4\t(X/Y/Z)\ta.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\n100\t100\t60\t%d\tm\n"
body = lambda n, k: ["%d\t%.2f" % (n + 1, n / 100)] + [wave(n, i) for i in range(k)]
put("old.trc", top % 3 + "Frame#\tTime\t\tA\t\tB c\t\tD\n\t\t\tX1\tY1\tZ1\tX2\tY2\tZ2\tX3\tY3\tZ3\n",
    ["\t".join(body(n, 9)) for n in rows])
put("cortex.trc", top % 2 + "Frame#\tTime\tA\t\t\tB\t\t\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n",
    ["\t".join(body(n, 12) if n != 20 else body(n, 3) + ["", "", ""] + ["7", "8", "9"] * 2) + "\t" for n in rows], "\r\n")
def turn(n, k):
    a = 0.05 * n + k
    return ",".join(repr(x) for x in (cos(a / 2), sin(a / 2) * 0.6, sin(a / 2) * 0.8, 0.0))
put("turns.sto", "DataRate=100\nDataType=Quaternion\nversion=3\nendheader\ntime\thip\tknee_imu",
    ["%r\t%s\t %s" % (n / 100, turn(n, 0), turn(n, 1)) for n in rows])
put("arrows.mot", "DataType=Vec3\nversion=3\nendheader\ntime\t/ball|v\tb",
    ["%r\t%s\t%s" % (n / 100, ", ".join(wave(n, k) for k in range(3)), "nan,nan,nan" if n == 9 else "1,2," + wave(n, 7))
     for n in rows])
head = ("NO_OF_FRAMES\t60\nNO_OF_CAMERAS\t8\nNO_OF_MARKERS\t2\nFREQUENCY\t100\nDESCRIPTION\t--\nDATA_INCLUDED\t3D\n"
        "MARKER_NAMES\tA\tB c\nTRAJECTORY_TYPES\tMeasured\tMeasured")
cells = lambda n: [wave(n, i) for i in range(6)] if n != 30 else [wave(n, 0), "1", "2", "", "", ""]
put("bare.tsv", head, ["\t".join(cells(n)) for n in rows], "\r\n")
put("timed.tsv", head, ["%d\t%.5f\t" % (n + 1, n / 100) + "\t".join(cells(n)) for n in rows])
put("named.tsv", head + "\nFrame\tTime\tA X\tA Y\tA Z\tB c X\tB c Y\tB c Z",
    ["%d\t%.5f\t" % (n + 1, n / 100) + "\t".join(cells(n)) for n in rows])
P
}
exports=(old.trc cortex.trc turns.sto arrows.mot bare.tsv timed.tsv named.tsv)

# flat NAMES FILE: its last 60 lines as csv with these names; numbers have their column's decimals.
flat()
{
    echo "$1"
    tail -n 60 "$2" | tr -d '\r ' | if [[ $2 == *cortex* ]]; then sed 's/\t$//'; else cat; fi | tr '\t' ,
}

# names FILE: of the columns, as its header says.
names()
{
    case $1 in
    old.trc) echo Frame,time,A.X,A.Y,A.Z,B c.X,B c.Y,B c.Z,D.X,D.Y,D.Z ;;
    cortex.trc) echo Frame,time,A.X,A.Y,A.Z,B.X,B.Y,B.Z,3.X,3.Y,3.Z,4.X,4.Y,4.Z ;;
    turns.sto) echo time,hip.w,hip.x,hip.y,hip.z,knee_imu.w,knee_imu.x,knee_imu.y,knee_imu.z ;;
    arrows.mot) echo "time,/ball|v.x,/ball|v.y,/ball|v.z,b.x,b.y,b.z" ;;
    bare.tsv) echo A.x,A.y,A.z,B c.x,B c.y,B c.z ;;
    *) echo Frame,time,A.x,A.y,A.z,B c.x,B c.y,B c.z ;;
    esac
}

@test "filtered as the same numbers in a plain table, and no other byte changes" {
    make_exports
    for file in "${exports[@]}"; do
        options=(-x '3.*,4.*')
        [[ $file == cortex.trc ]] || options=()
        [[ $file != turns.sto ]] || options=(--quaternions '*')
        [[ $file != bare.tsv ]] || options=(--rate 100)
        flat "$(names "$file")" "$file" > in.csv
        sprung critical -H 0.05 -d 0 --decimals input "${options[@]}" in.csv > expected.csv
        sprung critical -H 0.05 "$file" -o "out-$file"
        flat "$(names "$file")" "out-$file" | diff expected.csv -
        [ "$(grep -cv . <(cmp "$file" "out-$file"))" = 0 ] # something has changed
        cmp <(head -n -60 "$file") <(head -n -60 "out-$file")
        cmp <(tr -d 0-9.e- < "$file") <(tr -d 0-9.e- < "out-$file")
    done
    for file in old.trc turns.sto; do
        sprung tracking -q "$file" | cmp - "$file"
    done
}

@test "conversions: a column for each number, under the names" {
    make_exports
    sprung damper -H 1e-9 -q --to csv -d 0 turns.sto | sprung diff --rel 0 <(flat "$(names turns.sto)" turns.sto) -
    sprung damper -H 1e-9 -q --to csv -d 0 old.trc | head -n 1 | grep -qx 'Frame#,Time,A.X,A.Y,A.Z,B c.X,B c.Y,B c.Z,D.X,D.Y,D.Z'
    sprung damper -H 1e-9 -q --to csv -d 0 cortex.trc | cut -d, -f9-14 | diff <(flat "$(names cortex.trc)" cortex.trc | cut -d, -f9-14) -
    sprung damper -H 1e-9 -q --to jsonl -d 0 arrows.mot | head -n 1 | grep -q '^{"time": 0.0, "/ball|v.x": '
    sprung damper -H 1e-9 -q --to csv -d 0 bare.tsv | cut -d, -f1 | diff <(python3 -c 'print("time", *(n / 100 if n % 100 else n // 100 for n in range(60)), sep="\n")') -
    sprung damper -H 1e-9 -q -d 0 named.tsv --to tsv | head -n 1 | grep -qx "$(printf 'Frame\tTime\tA.x\tA.y\tA.z\tB c.x\tB c.y\tB c.z')"
}

@test "quaternions of sto are rotations unless --quaternions none" {
    make_exports
    sprung critical -H 0.2 turns.sto --to csv -d 0 | python3 -c '
import csv, sys
rows = list(csv.DictReader(sys.stdin))
assert all(abs(sum(float(r["hip." + c]) ** 2 for c in "wxyz") - 1) < 1e-9 for r in rows) and len(rows) == 60'
    sprung critical -H 0.2 --quaternions none turns.sto --to csv -d 0 > none.csv
    flat "$(names turns.sto)" turns.sto | sprung critical -q -H 0.2 -d 0 --quaternions none | sprung diff --rel 0 none.csv -
}

@test "markers without a name: copied and noted, and filtered when named" {
    make_exports
    fails 0 sprung critical -H 0.05 cortex.trc
    says 'not filtered: "3.X" (no name)'
    sprung critical -H 0.05 -c 4.X cortex.trc > out.trc
    [ "$(diff cortex.trc out.trc | grep -c '^>')" = 59 ]
    # Rows grow when markers appear, and shrink: only the markers of the head are there in each row.
    sed '30s/\t*\r$/\t1\t2\t3\r/; 40s/\(\t[^\t]*\)\{6\}\t\r$/\r/; 41s/\t[^\t]*\t\r$/\r/' cortex.trc > ragged.trc
    sprung critical -H 0.05 ragged.trc > out.trc
    for line in 30 40 41; do
        cmp <(sed -n "${line}p" out.trc | cut -f9-) <(sed -n "${line}p" ragged.trc | cut -f9-)
        [ "$(sed -n "${line}p" out.trc | tr -d '\r' | cut -f1-8)" = "$(sprung critical -H 0.05 cortex.trc | sed -n "${line}p" | cut -f1-8)" ]
    done
    [ "$(sed -n 40p out.trc | tr -cd '\t' | wc -c)" = 7 ]
    sprung critical -H 0.05 < ragged.trc | cmp - out.trc
    sprung critical -H 0.05 -c 4.Z --gaps fill ragged.trc > filled.trc
    cmp <(sed -n 40p ragged.trc) <(sed -n 40p filled.trc)
}

@test "trc: cells that are missing at the end of a row are gaps" {
    make_exports
    sed '30s/\t[^\t]*\t[^\t]*$//' old.trc > short.trc
    sprung critical -H 0.05 -q -d 0 --gaps linear --to csv short.trc > short.csv
    [ "$(cut -d, -f1-8 short.csv)" = "$(sprung critical -H 0.05 -q -d 0 --to csv old.trc | cut -d, -f1-8)" ]
    [ "$(sed -n 26p short.csv | tr -cd , | wc -c)" = 10 ]
    sprung critical -H 0.05 -q short.trc > out.trc
    [ "$(sed -n 30p out.trc | tr -cd '\t' | wc -c)" = 8 ]
}

# qualisys_table TAB_AT_NAMES TAB_AT_ROWS: a file of a body, body.tsv, and of analog samples, analog.tsv, with or without a tab
# at the ends of lines, and the same rows as csv in body.csv and analog.csv.
qualisys_table()
{
    awk -v at_names="$1" -v at_rows="$2" 'BEGIN {
        tab[0] = ""; tab[1] = "\t"
        printf "NO_OF_FRAMES\t40\nNO_OF_BODIES\t1\nFREQUENCY\t50\nDESCRIPTION\t--\nDATA_INCLUDED\t6D\nBODY_NAMES\tbox\n" > "body.tsv"
        print "X\tY\tZ\tRoll\tPitch\tYaw\tResidual" tab[at_names] > "body.tsv"
        print "X,Y,Z,Roll,Pitch,Yaw,Residual" > "body.csv"
        printf "NO_OF_SAMPLES\t40\nTOT_NO_OF_CHAN\t3\nFREQUENCY\t1000\nDATA_INCLUDED\tANALOG\n" > "analog.tsv"
        print "CHANNEL_NAMES\tFx\tFy\tEMG 1" tab[at_names] > "analog.tsv"
        print "CHANNEL_GAIN\t0\t0\t0" tab[at_names] "\nCHANNEL_HIGH\t10\t10\t10" > "analog.tsv"
        print "Fx,Fy,EMG 1" > "analog.csv"
        for (i = 0; i < 40; i++) {
            row = ""
            for (k = 0; k < 7; k++) {
                row = row sprintf("%s%.3f", k ? "\t" : "", sin(i * .3 + k))
                if (k == 2) analog = row
            }
            print row tab[at_rows] > "body.tsv"; print analog tab[at_rows] > "analog.tsv"
            gsub(/\t/, ",", row); gsub(/\t/, ",", analog)
            print row > "body.csv"; print analog > "analog.csv"
        } }'
}

@test "qualisys: bodies and analog samples are tables, with a tab at the ends of names or rows or both" {
    for tabs in "0 0" "1 0" "0 1" "1 1"; do
        # shellcheck disable=SC2086
        qualisys_table $tabs
        for name in body analog; do
            [ $name = body ] && rate=50 || rate=1000
            sprung critical -H 0.05 -d 1 --rate $rate $name.csv > want.csv
            fails 0 sprung critical -H 0.05 -d 1 $name.tsv -o out.tsv
            [[ $err != *warning*head* ]]
            diff <(tail -n 40 want.csv) <(tail -n 40 out.tsv | tr '\t' , | sed 's/,,/,/; s/,$//')
            diff <(head -n 1 want.csv | tr , '\n') <(grep -E '^(X|CHANNEL_NAMES)' out.tsv | tr '\t' '\n' | grep -v CHANNEL_NAMES | grep .)
            cmp <(grep -E '^[A-Z_]{3,}' $name.tsv | grep -v CHANNEL_NAMES) <(grep -E '^[A-Z_]{3,}' out.tsv | grep -v CHANNEL_NAMES)
            # What was written is read again, and in pieces.
            sprung damper -H 1e-9 -d 0 -c "$(head -n 1 $name.csv)" out.tsv | cmp - out.tsv
            in_pieces $name.tsv | sprung critical -H 0.05 -d 1 | cmp - out.tsv
            sprung critical -H 0.05 --resample 25 $name.tsv | grep -qx "$(printf 'FREQUENCY\t25')"
        done
    done
}

@test "trc: --rate against the times is noted with both" {
    make_exports
    fails 0 sprung critical -H 0.05 --rate 120 old.trc
    says 'old.trc: warning: --rate 120 is used, but the times in "Time" show 100 rows per second'
    for options in '--rate 100' '' '-q --rate 120'; do
        fails 0 sprung critical -H 0.05 $options old.trc
        [[ $err != *--rate* ]]
    done
}

@test "numbers of frames and markers that are wrong: a note, and all rows" {
    make_exports
    sed '3s/60/61/; 3s/3\tm/5\tm/' old.trc > wrong.trc
    fails 0 sprung critical -H 0.05 wrong.trc
    says "wrong.trc: warning: the header says 61 frames, but the file has 60: all are used"
    says "warning: NumMarkers is 5, but the file has 3 named markers"
    [ "$(tail -n 60 out.txt)" = "$(sprung critical -H 0.05 old.trc | tail -n 60)" ]
    sed '1s/60/59/' bare.tsv > wrong.tsv
    fails 0 sprung critical -H 0.05 wrong.tsv
    says "the header says 59 frames, but the file has 60"
    # What is no number of rows, by the same rule.
    for n in -3 abc 1.5; do
        sed "3s/60/$n/" old.trc > wrong.trc
        sed "1s/60/$n/" bare.tsv > wrong.tsv
        sed "s/^nRows=.*/nRows=$n/" "$DATA/angles.mot" > wrong.mot
        sed "/^Frames/s/60/$n/" "$DATA/walk.bvh" > wrong.bvh
        for right in old.trc bare.tsv "$DATA"/{angles.mot,walk.bvh}; do
            fails 0 sprung critical -H 0.05 "wrong.${right##*.}"
            says "warning: the header says $n frames, but the file has "
            sprung critical -q -H 0.05 "$right" | cmp - out.txt
        done
    done
    sed '40s/\t/\tx/2' wrong.trc > bad.trc # after an error it is not told how far the file was read
    for j in 1 4; do
        fails 2 sprung critical -H 0.05 -j "$j" bad.trc
        [[ $err != *"the header says"* ]]
    done
    for file in old.trc cortex.trc bare.tsv; do
        fails 0 sprung critical -H 0.05 "$file"
        [[ $err != *warning* ]]
    done
}

@test "qualisys: a row in which no marker was seen is a row, also the first and the last" {
    printf 'NO_OF_FRAMES\t5\nFREQUENCY\t100\nDATA_INCLUDED\t3D\nMARKER_NAMES\tm\n\t\t\n1\t2\t3\n\t\t\n4\t5\t6\n\t\t\n' > gaps.tsv
    fails 0 sprung tracking -d 0 --gaps restart --to csv -o gaps.csv gaps.tsv
    [[ $err != *"the header says"* ]]
    diff gaps.csv - <<< $'time,m.x,m.y,m.z\n0,,,\n0.01,1,2,3\n0.02,,,\n0.03,4,5,6\n0.04,,,'
    sprung tracking -q -d 0 --gaps restart gaps.tsv | cmp - gaps.tsv
}

@test "qualisys: the rate is FREQUENCY, missing markers are named, an output in .tsv keeps the header" {
    make_exports
    fails 0 sprung critical -H 0.05 -v bare.tsv
    says "qualisys, 7 columns, time: 100 rows per second"
    sprung critical -H 0.05 --resample 50 named.tsv > half.tsv
    [ "$(head -n 4 half.tsv | cut -f2 | tr '\n' ' ')" = "30 8 2 50 " ]
    [ "$(tail -n 30 half.tsv | cut -f2 | head -n 3 | tr '\n' ' ')" = "0 0.02 0.04 " ]
    sed 's/\t\t\t*$/\t0.000\t0.000\t0.000/' timed.tsv > zero.tsv
    sprung critical -H 0.05 --missing 0.000 zero.tsv | tail -n 30 | head -n 1 | grep -q "$(printf '\t0.000\t0.000\t0.000$')"
    mkdir out
    sprung critical -H 0.05 --output-dir out named.tsv
    cmp <(sprung critical -H 0.05 named.tsv) out/named.tsv
}

@test "faults: what is refused, and the way out" {
    make_exports
    fails 2 sprung critical -H 0.05 -d 1 arrows.mot
    says "derivatives: cells of several numbers cannot hold them"
    says "--to csv"
    fails 2 sprung critical -H 0.05 -d 1 bare.tsv
    says "a Qualisys file has only positions of markers"
    sed 's/3D/6D/' named.tsv > body.tsv
    fails 2 sprung critical -H 0.05 --from qualisys body.tsv
    says 'body.tsv:6: a Qualisys file must hold 3D data (marker positions): "6D"'
    [ "$(sprung critical -H 0.05 --from tsv --header 9 -d 0 body.tsv | wc -l)" = "$(wc -l < body.tsv)" ]
    fails 2 sprung critical -H 0.05 <(sed '/^MARKER/d' bare.tsv)
    says "no MARKER_NAMES line"
    fails 2 sprung critical -H 0.05 <(sed 's/^FREQUENCY\t100/FREQUENCY\t0/' bare.tsv)
    says "no row rate found: the file has no FREQUENCY line"
    fails 2 sprung critical -H 0.05 --to qualisys "$DATA/wave.csv"
    says "--to qualisys needs a qualisys input"
    sed '10s/,/\t/' turns.sto > bad.sto
    fails 2 sprung critical -H 0.05 bad.sto
    says "bad.sto:10: expected a time, then 4 comma-separated numbers in every cell after it"
    sed '10s/,[^,]*$//' turns.sto > bad.sto
    fails 2 sprung critical -H 0.05 bad.sto
    says "bad.sto:10: expected a time, then 4 comma-separated numbers"
    sed '12s/,[^,]*\t/,x\t/' turns.sto > bad.sto
    fails 2 sprung critical -H 0.05 bad.sto
    says 'bad.sto:12: column "hip.z": not a number: "x"'
}

@test "real files: filtered cells change, and nothing else" {
    real=$ROOT/../shared/data
    [[ -r $real/old_opensim.trc ]] || skip "no real files"
    for file in old_opensim.trc orientation_quats.sto vec3.sto; do
        fails 0 sprung critical -H 0.05 "$real/$file"
        cmp <(tr -d 0-9.e- < "$real/$file") <(tr -d 0-9.e- < out.txt)
        ! cmp -s "$real/$file" out.txt
    done
    sprung critical -H 0.05 -d 0 --to csv "$real/orientation_quats.sto" > a.csv
    { echo "time,$(sed -n 6p "$real/orientation_quats.sto" | cut -f2- | tr '\t' '\n' | sed 's/.*/&.w,&.x,&.y,&.z/' | paste -sd,)"
        sed 1,6d "$real/orientation_quats.sto" | tr '\t' ,; } > in.csv
    sprung critical -H 0.05 -d 0 --quaternions '*' in.csv | sprung diff --rel 0 - a.csv
}
