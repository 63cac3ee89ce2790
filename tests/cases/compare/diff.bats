#!/usr/bin/env bats
# diff: what agrees, what does not, how it is told, and what the status is.
load ../common

# differs STATUS [OPTION]...: diff of a.csv and b.csv.
differs()
{
    local want=$1
    shift
    fails "$want" sprung diff "$@" a.csv b.csv
}

# tells TEXT: the report holds TEXT.
tells()
{
    [[ $out == *"$1"* ]] || { echo "not told: $1"; echo "told: $out"; return 1; }
}

# member JSON-PATH: a member of the JSON report, by python.
member()
{
    python3 -c 'import json, sys; print(json.dumps(eval("json.load(open(\"out.txt\"))" + sys.argv[1])))' "$1"
}

@test "the same: says so, status 0; -q says nothing" {
    printf 'time,x,note\n0,1,a\n1,2,b\n' > a.csv
    cp a.csv b.csv
    differs 0
    [ "$out" = "3 of 3 columns agree; 2 rows compared" ]
    printf 'x\n1\n' > a.csv
    printf 'x\n2\n' > b.csv
    differs 1
    tells "no column agrees (1 compared); 1 row compared"
    tells 'column "x": 1 of 1 row differs'
    printf 'time,x,note\n0,1,a\n1,2,b\n' | tee a.csv > b.csv
    differs 0 -q
    [ -z "$out" ]
}

@test "numbers agree within A + R*max(|a|,|b|), up to it, not past it; R is 1e-9, A is 0" {
    printf 'x\n1000000000\n' > a.csv
    printf 'x\n1000000001\n' > b.csv
    differs 0
    printf 'x\n1000000002\n' > b.csv
    differs 1
    differs 0 --rel 2e-9
    differs 0 --rel 0 --abs 2
    differs 1 --rel 0 --abs 1.9
    differs 0 --rel 1e-9 --abs 1
    printf 'x\n0\n' > a.csv
    printf 'x\n1e-300\n' > b.csv
    differs 1
    differs 0 --abs 1e-300
    printf 'x\n-1\n' > a.csv
    printf 'x\n1\n' > b.csv
    differs 1 --rel 1.9
    differs 0 --rel 2
    printf 'x\n8\n' > a.csv
    printf 'x\n5.5\n' > b.csv
    differs 0 --abs 0.5 --rel 0.25
    differs 1 --abs 0.5 --rel 0.2499999999999999
    differs 1 --abs 0.499999999999 --rel 0.25
    differs 0 --abs 2.5 --angles x
    differs 1 --abs 2.499999999999999 --rel 0 --angles x
}

@test "of several worst differences of one size the first is reported" {
    printf 'x\n1\n5\n5\n-5\n' > a.csv
    printf 'x\n1\n7\n3\n-7\n' > b.csv
    differs 1
    tells 'worst: row 2, line 3: expected 5, actual 7'
}

@test "--rel 0: the same to the last bit; 0 is -0; how a number is written does not matter" {
    printf 'x\n0.1\n0\n1e2\n' > a.csv
    printf 'x\n0.10\n-0\n100\n' > b.csv
    differs 0 --rel 0
    printf 'x\n0.1\n0\n100.00000000000001\n' > b.csv
    differs 0
    differs 1 --rel 0
    tells 'row 3'
    # 2^53 + 1 is no double.
    printf 'x\n9007199254740993\n' > a.csv
    printf 'x\n9007199254740992\n' > b.csv
    differs 0 --rel 0
}

@test "a gap agrees with a gap, however written, and with no number" {
    printf 'time,x\n0,1\n1,\n2,nan\n' > a.csv
    printf 'time,x\n0,1\n1,NA\n2,null\n' > b.csv
    differs 0
    printf 'time,x\n0,1\n1,0\n2,\n' > b.csv
    differs 1
    tells 'expected (gap), actual 0'
    differs 1 --abs 1e9
    printf 'time,x\n0,1\n1,-999\n2,-999\n' > b.csv
    differs 0 --missing -999
}

@test "other cells compare as text; text among numbers is text" {
    printf 'time,note\n0,a\n1,"b, c"\n' > a.csv
    printf 'time,note\n0,a\n1,"b, d"\n' > b.csv
    differs 1
    tells 'column "note": 1 of 2 rows differs'
    tells 'expected "b, c", actual "b, d"'
    printf 'time,x\n0,1\n1,oops\n2,1\n' > a.csv
    cp a.csv b.csv
    differs 0
    printf 'time,x\n0,1\n1,5\n2,1\n' > b.csv
    differs 1
    tells 'expected "oops", actual 5'
    printf 'time,id\n0,x1\n1,007\n' > a.csv
    printf 'time,id\n0,x1\n1,7\n' > b.csv
    differs 1
}

@test "the report: columns that agree first, then the worst of each that does not, with row, time and values" {
    printf 'time,x,y,z\n0,1,1,1\n0.5,100,2,1\n1,3,3,1\n1.5,0.001,4,1\n' > a.csv
    printf 'time,x,y,z\n0,1,1,1\n0.5,101,2,1\n1,3,3,1\n1.5,0.002,4.5,1\n' > b.csv
    differs 1
    [ "$out" = '2 of 4 columns agree; 4 rows compared
column "x": 2 of 4 rows differ; worst: row 2, line 3, time 0.5: expected 100, actual 101
column "y": 1 of 4 rows differs; worst: row 4, line 5, time 1.5: expected 4, actual 4.5
worst: column "x": row 2, line 3, time 0.5: expected 100, actual 101; 1 other column differs' ]
    # Of a single column it is said already.
    printf 'time,x,y,z\n0,1,1,1\n0.5,101,2,1\n1,3,3,1\n1.5,0.002,4,1\n' > b.csv
    differs 1
    [[ $out != *'
worst: '* ]]
}

@test "the JSON report tells a script the same, no digit lost" {
    printf 'time,x,"a ""b"""\n0,1,1\n0.1,0.30000000000000004,9007199254740993\n' > a.csv
    printf 'time,x,"a ""b""",d\n0,1,1,0\n0.1,0.7000000000000001,9007199254740993,0\n2,1,1,1\n' > b.csv
    differs 1 --report json
    [ "$(member '["same"]')" = false ]
    [ "$(member '["columns_agree"]')/$(member '["columns_total"]')" = 2/4 ]
    [ "$(member '["columns_only_in_actual"]')" = '["d"]' ]
    [ "$(member '["rows_only_in_actual"]["rows"]')" = 1 ]
    [ "$(member '["columns"][1]["worst"]["actual"]')" = 0.7000000000000001 ]
    [ "$(member '["columns"][1]["worst"]["expected"]')" = 0.30000000000000004 ]
    [ "$(member '["columns"][1]["worst"]["key"]')" = 0.1 ]
    [ "$(member '["columns"][1]["worst"]["line"]')" = 3 ]
    [ "$(member '["columns"][2]["column"]')" = '"a \"b\""' ]
    cp a.csv b.csv
    differs 0 --report json
    [ "$(member '["same"]')" = true ]
}

@test "columns that one side has alone are differences, named; their order is none" {
    printf 'time,x,y\n0,1,2\n' > a.csv
    printf 'y,time,x\n2,0,1\n' > b.csv
    differs 0
    printf 'time,y,z\n0,2,3\n' > b.csv
    differs 1
    tells '2 of 4 columns agree'
    tells 'only in expected (a.csv): column "x"'
    tells 'only in actual (b.csv): column "z"'
    differs 0 -c time,y
    differs 1 -c x,y
    differs 1 -c z
    differs 2 -c nowhere
    says '--columns'
}

@test "-c: what one side knows is a difference, what neither does is an error" {
    printf 'time,u,"a,""b"\n0,1,2\n' > a.csv
    printf 'time,v,"a,""b"\n0,1,2\n' > b.csv
    differs 1 -c u
    [ "$(head -n 1 <<< "$out")" = 'no column is in both files; 1 row compared' ]
    tells 'only in expected (a.csv): column "u"'
    differs 1 -c 'time,v*'
    tells 'only in actual (b.csv): column "v"'
    tells '1 of 2 columns agrees'
    differs 0 -c 'time, 3'
    tells '2 of 2 columns agree'
    differs 2 -c u,w
    says '"w"'
    differs 2 -c time,
    differs 2 -c 'time,"u'
}

@test "-c: positions are those of EXPECTED" {
    printf 'time,x\n0,1\n' > a.csv
    printf 'time,x,s\n0,1,2\n' > b.csv
    differs 2 -c 3
    says 'no column "3"'
    differs 2 -c s,3
    differs 0 -c 1-2
    tells '2 of 2 columns agree'
    differs 0 -c 2-
    printf 'x,time\n1,5\n' > b.csv
    differs 0 -c 2
    differs 1 -c 1
    fails 0 sprung diff b.csv a.csv -c 1
}

@test "row counts differ: told, on either side; header only" {
    printf 'time,x\n0,1\n1,2\n2,3\n' > a.csv
    printf 'time,x\n0,1\n' > b.csv
    differs 1
    tells 'only in expected (a.csv): 2 rows, the first is row 2, time 1'
    fails 1 sprung diff b.csv a.csv
    tells 'only in actual (a.csv): 2 rows'
    printf 'time,x\n' > b.csv
    differs 1
    cp b.csv a.csv
    differs 0
}

@test "lines are counted over long stretches without a row" {
    { printf 'time,x\n0,1\n'; yes '# nothing here for a long time' | head -n 9000; } > a.csv
    cp a.csv b.csv
    echo 1,2 >> a.csv
    echo 1,3 >> b.csv
    differs 1
    tells 'worst: row 2, line 9003, time 1: expected 2, actual 3'
}

@test "--key: rows pair by time within the tolerance; what has no partner is told" {
    printf 'time,x\n0,1\n1,2\n2,3\n3,4\n' > a.csv
    printf 'time,x\n0,1\n2.0000000001,3\n2.5,9\n3,5\n' > b.csv
    differs 1 --key time --abs time:1e-9
    tells 'only in expected (a.csv): 1 row, the first is row 2, time 1'
    tells 'only in actual (b.csv): 1 row, the first is row 3, time 2.5'
    tells '3 rows compared'
    tells 'worst: row 4, line 5, time 3: expected 4, actual 5'
    differs 1 --key 1
    differs 2 --key nowhere
}

@test "--key: a key at exactly the tolerance pairs; of two keys equally near the first does" {
    printf 'time,x\n0,1\n4,2\n' > a.csv
    printf 'time,x\n0.5,1\n4.5,2\n' > b.csv
    differs 0 --key time --abs time:0.5
    differs 1 --key time --abs time:0.4999 --abs 9
    tells '0 rows compared'
    printf 'time,x\n1,1\n2,2\n' > a.csv
    printf 'time,x\n1.5,1\n' > b.csv
    differs 1 --key time --abs time:1
    tells '2 of 2 columns agree; 1 row compared'
    tells 'only in expected (a.csv): 1 row, the first is row 2, time 2'
    fails 1 sprung diff --key time --abs time:1 b.csv a.csv
    tells 'only in actual (a.csv): 1 row, the first is row 2, time 2'
}

@test "--key: equal keys pair in order; keys that go backward or are missing are errors with their line" {
    printf 'time,x\n0,1\n1,2\n1,3\n' > a.csv
    cp a.csv b.csv
    differs 0 --key time
    printf 'time,x\n0,1\n2,2\n1,3\n' > b.csv
    differs 2 --key time
    says 'b.csv:4'
    printf 'time,x\n0,1\n,2\n' > b.csv
    differs 2 --key time
    says 'b.csv:3'
    printf 'name,x\na,1\n' > a.csv
    cp a.csv b.csv
    differs 2 --key name
    says '"name"'
}

@test "--key: a long merge over many blocks, against python" {
    python3 - <<'PY'
import random
random.seed(5)
a = [(k, k * 3) for k in range(60000) if random.random() < .9]
b = [(k, k * 3 + (k % 5000 == 7)) for k in range(60000) if random.random() < .9]
for name, rows in ("a.csv", a), ("b.csv", b):
    with open(name, "w") as f:
        f.write("time,x\n" + "".join("%d,%d\n" % r for r in rows))
x, y = dict(a), dict(b)
both = [k for k in x if k in y]
open("want.txt", "w").write("%d %d %d %d" % (len(both), sum(x[k] != y[k] for k in both), len(a) - len(both), len(b) - len(both)))
PY
    differs 1 --key time --report json --rel 0
    [ "$(member '["rows_compared"]') $(member '["columns"][1]["beyond"]') $(member '["rows_only_in_expected"]["rows"]') $(member '["rows_only_in_actual"]["rows"]')" = "$(cat want.txt)" ]
}

@test "--angles: modulo 360" {
    printf 'time,yaw\n0,359.9999999\n1,0\n2,-90\n' > a.csv
    printf 'time,yaw\n0,-0.0000001\n1,720\n2,270\n' > b.csv
    differs 1
    differs 0 --angles yaw
    # How far angles are apart is the short way round: 30 and 20, not 30 and 340.
    printf 'time,yaw\n0,330\n1,340\n2,-90\n' > b.csv
    differs 1 --angles yaw
    tells 'column "yaw": 2 of 3 rows differ; worst: row 1'
    differs 2 --angles nowhere
}

@test "--quaternions: up to sign, all four together" {
    printf 'time,q_w,q_x,q_y,q_z\n0,0.5,-0.5,0.5,0.5\n1,1,0,0,0\n' > a.csv
    printf 'time,q_w,q_x,q_y,q_z\n0,-0.5,0.5,-0.5,-0.5\n1,1,0,0,0\n' > b.csv
    differs 1
    differs 0 --quaternions q
    differs 0 --quaternions 2-5
    differs 0 --quaternions 2-5:wxyz
    printf 'time,q_w,q_x,q_y,q_z\n0,-0.5,-0.5,-0.5,-0.5\n1,1,0,0,0\n' > b.csv
    differs 1 --quaternions q
    tells 'column "q_x": 1 of 2 rows differs'
    tells '4 of 5 columns agree'
    differs 2 --quaternions p
    says 'hip_w'
    # At right angles both signs are as near: the numbers are compared as they are.
    printf 'time,q_w,q_x,q_y,q_z\n0,-0.5,-0.5,0.5,0.5\n1,1,0,0,0\n' > b.csv
    printf 'time,q_w,q_x,q_y,q_z\n0,-0.5,-0.5,-0.5,-0.5\n1,1,0,0,0\n' > a.csv
    differs 1 --quaternions q
    tells 'column "q_y": 1 of 2 rows differs'
    tells 'column "q_z": 1 of 2 rows differs'
    tells '3 of 5 columns agree'
}

@test "--quaternions: the report has the numbers that were compared" {
    printf 'time,q_w,q_x,q_y,q_z\n1,0.6,0.8,0,0\n' > a.csv
    printf 'time,q_w,q_x,q_y,q_z\n1,0.6,-0.8,0,0\n' > b.csv
    differs 1 --quaternions q
    tells '4 of 5 columns agree'
    tells 'worst: row 1, line 2, time 1: expected 0.6, actual -0.6 (quaternion negated)'
    differs 1 --quaternions q --report json
    [ "$(member '["columns"][1]["worst"]["actual"]')" = -0.6 ]
    [ "$(member '["columns"][1]["worst"]["negated"]')" = true ]
    # 0 has no sign, and a gap has none; a quaternion as near as it stands is not negated.
    printf 'time,q_w,q_x,q_y,q_z\n1,0.6,0.8,0.5,0.5\n' > a.csv
    printf 'time,q_w,q_x,q_y,q_z\n1,-0.6,-0.8,0,\n' > b.csv
    differs 1 --quaternions q
    tells 'expected 0.5, actual 0 (quaternion negated)'
    grep -q 'worst: row 1, line 2, time 1: expected 0.5, actual (gap)$' <<< "$out"
    printf 'time,q_w,q_x,q_y,q_z\n1,0.6,0.8,0,0.1\n' > b.csv
    differs 1 --quaternions q
    tells '3 of 5 columns agree'
    [[ $out != *negated* ]]
}

# bats test_tags=posix
@test "--quaternions: globs, and what cannot be told" {
    printf 'time,a.W,a.X,a.Y,a.Z,bw,bx,by,bz,w\n0,0.5,-0.5,0.5,0.5,1,0,0,0,3\n' > a.csv
    printf 'time,a.W,a.X,a.Y,a.Z,bw,bx,by,bz,w\n0,-0.5,0.5,-0.5,-0.5,-1,0,0,0,3\n' > b.csv
    differs 0 --quaternions '*'
    differs 0 --quaternions 'a,b'
    differs 0 --quaternions '6-9:WXYZ,a,*'
    differs 1 --quaternions 'a*'
    tells 'column "bw"'
    differs 2 --quaternions 'c*'
    says '"c*" does not match the columns of a quaternion'
    differs 2 --quaternions '2-4'
    says '"2-4" does not match the columns of a quaternion'
    differs 2 --quaternions '2-5:wxyy'
    says 'has no valid order'
    differs 2 --quaternions '8-11'
    says '"8-11" does not match the columns of a quaternion'
    differs 2 --quaternions 'a,3-6:wxyz'
    says 'it is part of another rotation'
}

@test "--quaternions: a gap on both sides leaves the others their sign" {
    printf 'time,q_w,q_x,q_y,q_z\n0,1,0,0,0\n1,0.5,,0.5,0.5\n' > a.csv
    printf 'time,q_w,q_x,q_y,q_z\n0,1,0,0,0\n1,-0.5,,-0.5,-0.5\n' > b.csv
    differs 0 --quaternions q
    printf 'time,q_w,q_x,q_y,q_z\n0,1,0,0,0\n1,-0.5,,0.5,-0.5\n' > b.csv
    differs 1 --quaternions q
    tells '4 of 5 columns agree'
}

@test "formats may differ" {
    printf 'time,x,note\n0,1.50,a\n1,,"b ""c"""\n2,3,\n' > a.csv
    printf 'time\tx\tnote\n0\t1.5\ta\n1\tNA\t"b ""c"""\n2\t3e0\t\n' > b.tsv
    fails 0 sprung diff a.csv b.tsv
    printf 'time,x,note\n0,1.50,a\n1,,"b ""c"""\n2,3,z\n' > a.csv
    printf '[{"time":0,"x":1.5,"note":"a"},{"time":1,"x":null,"note":"b \\"c\\""},{"time":2,"x":3,"note":"z"}]' > b.json
    fails 0 sprung diff a.csv b.json
    fails 0 sprung diff b.json a.csv
    printf '{"time":0,"x":1.5,"note":"a"}\n{"time":1,"x":1,"note":"b"}\n{"time":2,"x":3,"note":"z"}\n' > c.jsonl
    fails 1 sprung diff b.json c.jsonl
    tells '1 of 3 columns agrees'
}

@test "no header: columns pair by position" {
    printf '0,1\n1,2\n' > a.csv
    printf 't,x\n0,1\n1,2\n' > b.csv
    fails 0 sprung diff a.csv b.csv
    printf 't,x,y\n0,1,0\n1,2,0\n' > b.csv
    differs 1
}

@test "standard input is one side" {
    printf 'time,x\n0,1\n' > a.csv
    fails 0 bash -c "'$SPRUNG' diff a.csv - < a.csv"
    fails 1 bash -c "printf 'time,x\n0,2\n' | '$SPRUNG' diff - a.csv"
    tells 'expected 2, actual 1'
    fails 2 sprung diff - -
}

@test "status 2: one file, three files, a missing one, a broken one, with its place" {
    printf 'time,x\n0,1\n1,2\n' > a.csv
    printf 'time,x\n0,1\n1,2,3\n' > b.csv
    differs 2
    says 'b.csv:3'
    fails 2 sprung diff a.csv
    fails 2 sprung diff a.csv a.csv a.csv
    fails 2 sprung diff a.csv nowhere.csv
    says 'nowhere.csv: cannot open'
    fails 2 sprung diff nowhere.csv a.csv
    : > b.csv
    differs 2
    says 'b.csv'
}

@test "status 2 when the report cannot be written, same or not" {
    printf 'time,x\n0,1\n' > a.csv
    printf 'time,x\n0,2\n' > b.csv
    for pair in 'a.csv a.csv' 'a.csv b.csv' '--report json a.csv b.csv'; do
        fails 2 bash -c "'$SPRUNG' diff $pair > /dev/full"
        says 'cannot write'
        fails 2 bash -c "'$SPRUNG' diff $pair >&-"
    done
    fails 1 bash -c "'$SPRUNG' diff -q a.csv b.csv > /dev/full"
}

# bats test_tags=posix
@test "memory is bounded: two million rows" {
    python3 -c '
with open("a.csv", "w") as f:
    f.write("time,x\n")
    f.writelines("%d,%d.25\n" % (i, i % 1000) for i in range(2000000))'
    cp a.csv b.csv
    echo 2000000,1 >> b.csv
    limit=200000
    [[ $BUILD == *san* ]] && limit=unlimited
    fails 1 bash -c "ulimit -v $limit; '$SPRUNG' diff a.csv b.csv"
    tells '2 of 2 columns agree; 2000000 rows compared'
    fails 1 bash -c "ulimit -v $limit; '$SPRUNG' diff --key time a.csv b.csv"
    tells '2 of 2 columns agree; 2000000 rows compared'
}

@test "odd names are escaped" {
    printf 'time,"x\033[31m"\n0,1\n' > a.csv
    printf 'time,"x\033[31m"\n0,2\n' > b.csv
    differs 1
    tells 'x\x1B[31m'
    differs 1 --report json
    [ "$(member '["columns"][1]["column"]')" = '"x\u001b[31m"' ]
    printf 'time,x\xff\n0,1\n' > a.csv
    printf 'time,x\xff\n0,2\n' > b.csv
    differs 1 --report json
    member '["columns"][1]["column"]' | grep -q 'ufffd'
}

@test "every format against the csv it converts to, time included" {
    python3 - <<'PY'
import math, struct, wave
w = wave.open("a.wav", "wb")
w.setnchannels(2); w.setsampwidth(2); w.setframerate(8000)
w.writeframes(b"".join(struct.pack("<hh", int(9000 * math.sin(i / 20)), i % 100) for i in range(5000)))
w.close()
PY
    for file in a.wav "$DATA"/walk.bvh "$DATA"/markers.trc "$DATA"/angles.sto; do
        [ -e "$file" ] || continue
        sprung damper -H 1 -d 0 --to csv "$file" > a.csv
        sprung damper -H 1 -d 0 --to jsonl "$file" > a.jsonl
        fails 0 sprung diff a.csv a.jsonl
        fails 0 sprung diff "$file" "$file"
        fails 1 sprung diff "$file" a.csv
        [ "$(grep -c '^only in' out.txt)" -le 1 ]
    done
}

@test "audio: the time is compared, so another sample rate is a difference" {
    python3 - <<'PY'
import struct, wave
for name, rate in ("a.wav", 8000), ("b.wav", 8001):
    w = wave.open(name, "wb")
    w.setnchannels(1); w.setsampwidth(2); w.setframerate(rate)
    w.writeframes(struct.pack("<4h", 0, 16384, -16384, 8192))
    w.close()
open("a.csv", "w").write("time,ch1\n0.00,0\n0.000125,0.5\n0.00025,-.5\n0.000375,.25\n")
PY
    fails 1 sprung diff a.wav b.wav
    tells '1 of 2 columns agrees; 4 rows compared'
    tells 'column "time": 3 of 4 rows differ'
    tells 'worst: row 4, time 0.000375: expected 0.000375, actual 0.000374953'
    fails 0 sprung diff a.csv a.wav
    fails 0 sprung diff --key time a.wav a.csv
    tells '2 of 2 columns agree; 4 rows compared'
    fails 1 sprung diff --key time a.wav b.wav
    tells 'only in expected (a.wav): 3 rows, the first is row 2, time 0.000125'
}

@test "times and keys agree within half a unit of the last printed digit, whatever --abs and --rel say" {
    printf 'time,x\n0,1\n0.033,2\n0.067,3\n' > a.csv
    printf 'time,x\n0,1\n0.03333333,2\n0.06666667,3\n' > b.csv
    differs 0
    differs 0 --key time
    differs 1 --abs time:0
    tells 'column "time": 2 of 3 rows differ'
    printf 'time,x\n0,1\n0.034,2\n0.067,3\n' > b.csv
    differs 1 --abs 9 --rel 9
    tells '1 of 2 columns agree'
    differs 0 --abs time:0.001
    differs 1 --abs time:0.0009
    # a number without digits after the point is no rounded one
    printf 'time,x\n0,1\n' > a.csv
    printf 'time,x\n0.4,1\n' > b.csv
    differs 1
}

@test "--abs and --rel for some columns: LIST:A wins over A, and a later one over an earlier one" {
    printf 'time,x,x_vel,x_acc\n0,1,1,1\n1,2,2,2\n' > a.csv
    printf 'time,x,x_vel,x_acc\n0,1,1,1\n1,2.1,2.5,6\n' > b.csv
    differs 1 --abs 0.2
    tells '2 of 4 columns agree'
    differs 1 --abs '*_acc:5' --abs 0.2
    tells '3 of 4 columns agree'
    differs 0 --abs '*_acc:5' --abs 'x_vel:1' --abs 0.2
    differs 1 --abs '*_acc:5' --abs 'x_vel:1' --abs 0.2 --abs 'x_acc:1'
    differs 0 --abs 0.2 --rel '3-4:0.7'
    printf -- "--abs '*_acc:5'\n--abs x_vel:1\n" > tolerances.txt
    differs 0 --options tolerances.txt --abs 0.2
    printf 'a:b,time\n1,0\n' > a.csv
    printf 'a:b,time\n2,0\n' > b.csv
    differs 0 --abs 'a:b:1'
    differs 2 --abs 'nowhere:1'
    says '"nowhere"'
    for wrong in x x: :1 x:-1 -1 nan x:1e999; do
        differs 2 --abs "$wrong"
        says '--abs must be a number of at least 0, or LIST:NUMBER'
    done
    differs 2 --rel nowhere:1
}

# bats test_tags=posix
@test "--exclude: columns that are not compared, on either side" {
    printf 'time,x,y\n0,1,1\n' > a.csv
    printf 'time,x,y,z\n0,1,2,1\n' > b.csv
    differs 1
    differs 1 --exclude y
    tells 'only in actual (b.csv): column "z"'
    differs 0 -x y,z
    tells '2 of 2 columns agree'
    differs 2 -x nowhere
    differs 2 -x '*'
    says '--exclude leaves no column to compare'
    # positions count columns of the expected file, as with --columns
    printf 'time,y,x,z\n0,8,9,1\n' > b.csv
    differs 1 -x 3
    tells 'column "x": 1 of 1 row differs'
    [[ $out != *'column "y"'* ]]
    tells 'only in actual (b.csv): column "z"'
}

@test "a note when no row was compared; file names in the JSON report" {
    printf 'time,x\n' > a.csv
    cp a.csv b.csv
    differs 0
    says 'sprung: b.csv: no row was compared'
    differs 0 -q
    [ -z "$err" ]
    printf 'time,x\n0,1\n' | tee a.csv > b.csv
    differs 0 --report json
    [ -z "$err" ]
    [ "$(member '["expected"]') $(member '["actual"]')" = '"a.csv" "b.csv"' ]
}

@test "tables of a file in another order: rows of unlike tables differ in the columns of both tables" {
    p='["p",[[0,"translation","f32","LINEAR",0]]]'
    q='["q",[[0,"rotation","f32","LINEAR",1]]]'
    python3 "$TOOLS/gltf.py" make a.glb "animations=[$p,$q]"
    python3 "$TOOLS/gltf.py" make b.glb "animations=[$q,$p]"
    fails 1 sprung diff a.glb b.glb
    # p has 40 rows and q has 50. Rows 41 to 50 are rows of q in both files, but not the same rows of q.
    tells 'no column agrees (8 compared); 90 rows compared'
    for c in x y z; do
        tells "column \"p/hip.translation.$c\": 80 of 90 rows differ"
    done
    for c in w x y z; do
        tells "column \"q/hip.rotation.$c\": 90 of 90 rows differ"
    done
    fails 1 sprung diff --columns 'p*' b.glb a.glb
    tells 'no column agrees (3 compared); 90 rows compared'
    tells 'column "p/hip.translation.y": 80 of 90 rows differ'
    fails 2 sprung diff --key p/hip.translation.x b.glb b.glb
    says 'row 1 has no key'
}

@test "of many columns the report names the first 10 and the worst, and all on request" {
    wide() { awk -v s="$1" 'BEGIN { printf "time"; for (k = 1; k <= 25; k++) printf ",c%d", k; print ""
        for (i = 0; i < 9; i++) { printf "%d", i; for (k = 1; k <= 25; k++) printf ",%.2f", i + s * (k * 7 % 26); print "" } }'; }
    wide 0 > want.csv
    wide 0.01 > got.csv
    fails 1 sprung diff want.csv got.csv
    [ "$(sed -n 's/^column "c\([0-9]*\)".*/\1/p' out.txt | tr '\n' ' ')" = '1 2 3 4 5 6 7 8 9 10 ' ]
    [ "$(tail -n 2 out.txt | head -n 1)" = 'and 15 more columns differ (-v lists all)' ]
    [[ $(tail -n 1 out.txt) == 'worst: column "c11": row'*'; 24 other columns differ' ]]
    fails 1 sprung diff -v want.csv got.csv
    [ "$(grep -c '^column' out.txt)" = 25 ]
    ! grep -q 'lists all' out.txt
    fails 1 sprung diff --report junit want.csv got.csv
    [ "$(grep -c '^column\|>.*column' out.txt)" -ge 25 ]
    fails 1 sprung diff -c 1-11 want.csv got.csv
    [ "$(grep -c '^column' out.txt)" = 10 ]
    ! grep -q 'lists all' out.txt
}
