#!/usr/bin/env bats
# --report: what the filter did to each channel.
load ../common

setup()
{
    cd "$BATS_TEST_TMPDIR"
    python3 - <<'P'
import math
with open("take.csv", "w") as f:
    f.write("time,who,x,y,angle\n")
    t = 0
    for n in range(700):
        t += 0.01 if n % 7 else 0.013
        x = math.sin(n / 9) + (3 if 200 < n < 204 else 0)
        y = "" if n % 50 in (7, 8) else "%.3f" % (100 * math.cos(n / 40) + 5 * math.sin(n * 1.9))
        angle = (n * 7.3) % 360 - 180
        f.write("%.4f,%s,%.3f,%s,%.2f\n" % (t, "ab"[n * n % 3 % 2], x, y, angle))
P
    # check INPUT OUTPUT REPORT PERIOD...: recomputes the report from what went in and what came out.
    cat > check.py <<'P'
import csv, json, math, sys
before, after = (list(csv.DictReader(open(name))) for name in sys.argv[1:3])
report = json.loads(open(sys.argv[3]).read())
period = dict(zip(sys.argv[4::2], map(float, sys.argv[5::2])))
assert report["rows"] == len(before) == len(after)
for channel in report["channels"]:
    name = channel["channel"]
    changes = []
    for row, (a, b) in enumerate(zip(before, after), 1):
        if a[name] == "":
            continue
        d = float(b[name]) - float(a[name])
        if name in period:
            d = math.fmod(d, period[name])
            d = min(abs(d), period[name] - abs(d))
        changes.append((abs(d), row, a))
    size, row, cells = max(changes, key=lambda c: c[0])
    want = channel["change"]
    close = lambda a, b: abs(a - b) <= 1e-9 * (1 + abs(b))
    assert close(want["largest"], size), (name, want, size)
    assert close([c for c in changes if c[1] == want["row"]][0][0], size), (name, want, row)
    if name not in period:
        assert want["row"] == row and want["time"] == float(cells["time"])
    assert want.get("group", cells["who"]) == before[want["row"] - 1]["who"] or "group" not in want
    assert close(want["rms"], math.sqrt(sum(c[0] ** 2 for c in changes) / len(changes)))
    for key, suffix in ("velocity", "_vel"), ("acceleration", "_acc"):
        assert channel[key] == max(abs(float(r[name + suffix])) for r in after if r[name + suffix] != ""), (name, key)
    assert channel["gaps"] == sum(a[name] == "" for a in before)
P
}

@test "report json may be two words, as for diff; another word is a file" {
    sprung critical -H 0.1 --report=json -o out.csv take.csv > one.json
    sprung critical -H 0.1 --report json -o out.csv take.csv > two.json
    cmp one.json two.json
    sprung critical -H 0.1 -o out.csv --report take.csv > text.txt
    sprung critical -H 0.1 -o out.csv take.csv --report text > two.txt
    cmp text.txt two.txt
}

@test "the numbers are those of the input and the output" {
    for options in "" "--gaps fill" "--gaps restart --max-gap 0.01" "--group-by who" "--start zero" "--hold linear"; do
        # shellcheck disable=SC2086
        sprung critical -H 0.1 $options --report=json -o out.csv take.csv > report.json
        python3 check.py take.csv out.csv report.json
    done
    for options in "" "--gaps fill --group-by who"; do
        # shellcheck disable=SC2086
        sprung butterworth --cutoff 2 --zero-phase $options --report=json -o out.csv take.csv > report.json
        python3 check.py take.csv out.csv report.json
    done
    sprung tracking --detect-cuts 10 --report=json -o out.csv take.csv > report.json
    python3 check.py take.csv out.csv report.json
}

@test "angles change by the short way" {
    sprung critical -H 0.1 --angles angle --report=json -o out.csv take.csv > report.json
    python3 check.py take.csv out.csv report.json angle 360
    python3 -c 'import json; assert json.load(open("report.json"))["channels"][2]["change"]["largest"] <= 180'
}

@test "each component of a vector has the change of the vector, and an Euler angle that of the rotation" {
    awk 'BEGIN { print "time,m_x,m_y,m_z,y"
        for (i = 0; i < 60; i++) printf "%.2f,%.3f,%.3f,%.3f,%.3f\n", i / 60, i % 7, i * i % 11, 5, i % 5 }' > m.csv
    sprung critical -q -H 0.1 --vectors m --report=json -o out.csv m.csv > report.json
    python3 - <<'EOF'
import csv, json, math
rows = lambda name: [[float(x) for x in row[:4]] for row in list(csv.reader(open(name)))[1:]]
inputs, outputs = rows("m.csv"), rows("out.csv")
most = max(math.dist(a[1:], b[1:]) for a, b in zip(inputs, outputs))
for channel in json.load(open("report.json"))["channels"][:3]:
    assert abs(channel["change"]["largest"] - most) < 1e-9, (channel, most)
EOF
    # Three Euler angles that turn about one axis: from 179 to -179 degrees is a short way.
    awk 'BEGIN { print "time,a_z,a_x,a_y"; for (i = 0; i < 60; i++) { z = 6 * i; printf "%.2f,%.3f,0,0\n", i / 60, (z > 180 ? z - 360 : z) } }' > a.csv
    sprung critical -q -H 0.1 --rotations a:ZXY --report=json -o out.csv a.csv > report.json
    python3 - <<'EOF'
import json
z, x, y = (c["change"]["largest"] for c in json.load(open("report.json"))["channels"])
assert 10 < z < 180 and z == x == y, (z, x, y)
EOF
}

@test "a channel without values is reported as empty, and auto chooses nothing for it" {
    awk 'BEGIN { print "time,a,b"; for (i = 0; i < 60; i++) printf "%.2f,%d,\n", i / 60, i * i % 7 }' > empty.csv
    for options in "--cutoff 4" "--cutoff auto"; do
        # shellcheck disable=SC2086
        sprung butterworth $options --zero-phase --report -v -o out.csv empty.csv > report.txt 2> err.txt
        # shellcheck disable=SC2086
        sprung butterworth $options --zero-phase --report=json -o out.csv empty.csv > report.json
        grep -qE '^b +empty( +-){5} +60 +0( +-)?$' report.txt
        if [[ $options == *auto ]]; then
            python3 -c 'import json; assert "cutoff" not in json.load(open("report.json"))["channels"][1]'
        fi
    done
}

@test "velocities are known without being printed, and the series is the same" {
    sprung critical -H 0.1 -d 2 --report=json -o two.csv take.csv > two.json
    sprung critical -H 0.1 -d 0 --report=json -o none.csv take.csv > none.json
    cmp two.json none.json
    sprung critical -H 0.1 -d 0 take.csv | cmp - none.csv
    sprung critical -H 0.1 -d 1 -q --report=json take.csv 2> one.json > one.csv
    cmp two.json one.json
    sprung critical -H 0.1 -d 1 take.csv | cmp - one.csv
    sprung character -H 0.1 -d 0 --predict 0.5,1 --report take.csv 2> /dev/null > with.csv
    sprung character -H 0.1 -d 0 --predict 0.5,1 take.csv | cmp - with.csv
}

@test "changes as large as numbers get" {
    printf 'time,y\n0,3e200\n1,-3e200\n2,3e200\n' > huge.csv
    sprung damper --remaining 0.99999 -d 0 --report=json -o out.csv huge.csv > report.json
    python3 - <<'P'
import csv, json, math
y = json.load(open("report.json"))["channels"][0]
pairs = list(zip(csv.DictReader(open("huge.csv")), csv.DictReader(open("out.csv"))))
changes = [abs(float(b["y"]) - float(a["y"])) for a, b in pairs]
want = max(changes) * math.sqrt(sum((c / max(changes)) ** 2 for c in changes) / 3)
assert abs(y["change"]["rms"] / want - 1) < 1e-12
P
}

@test "cuts, given and found, are those that --verbose tells" {
    sprung tracking --cuts 1,2,3 --detect-cuts 10 -v --report=json -o out.csv take.csv > report.json 2> told.txt
    python3 - <<'P'
import json, re
found = re.findall('cut found at .* in "(.*)"', open("told.txt").read())
assert found
for channel in json.load(open("report.json"))["channels"]:
    assert channel["cuts"] == 3 + found.count(channel["channel"]), channel
P
}

@test "filters whose output cannot be compared with their input say so" {
    sprung resonance -H 0.1 --frequencies 1,2 -c x --report=json -o out.csv take.csv > report.json
    python3 -c 'import json; c = json.load(open("report.json"))["channels"][0]
assert c["change"] is None and c["velocity"] is None and c["acceleration"] is None and c["gaps"] == 0'
    sprung resonance -H 0.1 --frequencies 1,2 -c x --report -o out.csv take.csv > report.txt
    grep -q 'no change to report' report.txt
    sprung character -H 0.1 -c x --report=json -o out.csv take.csv > report.json
    python3 - <<'P'
import csv, json
channel, rows = json.load(open("report.json"))["channels"][0], list(csv.DictReader(open("out.csv")))
assert channel["change"] is None
assert channel["velocity"] == max(abs(float(r["x_vel"])) for r in rows)
assert channel["acceleration"] == max(abs(float(r["x_acc"])) for r in rows)
P
}

@test "the report stands apart from the series" {
    sprung critical -H 0.1 take.csv > want.csv
    fails 0 sprung critical -H 0.1 -q --report take.csv
    cmp out.txt want.csv
    says 'take.csv: critical, 700 rows'
    cp err.txt report.txt
    fails 0 sprung critical -H 0.1 -q --report -o - take.csv
    cmp out.txt want.csv
    cmp err.txt report.txt
    fails 0 sprung critical -H 0.1 -q --report -o out.csv take.csv
    cmp out.txt report.txt
    cmp out.csv want.csv
    [ -z "$err" ]
    sprung critical -H 0.1 -q --report -o /dev/stdout take.csv 2> err.txt | cmp - want.csv
    cmp err.txt report.txt
    fails 0 sprung critical -H 0.1 --report -q --output-dir dir take.csv
    cmp out.txt report.txt
    fails 0 sprung critical -H 0.1 --report -n -o out.csv take.csv
    [ "$out" = "take.csv -> out.csv" ]
    fails 0 sprung critical -H 0.1 --report -i take.csv
    cmp out.txt report.txt
}

@test "one line a file, in their order, and none for a file that fails" {
    for i in 1 2 3 4 5 6; do cp take.csv $i.csv; done
    printf 'time,x\n0,word\n' > 3.csv
    printf 'time,x\n0,0\n1,zwei\n' > 5.csv
    fails 2 sprung critical -H 0.1 --report=json --output-dir out 1.csv 2.csv 3.csv 4.csv 5.csv 6.csv
    python3 - <<'P'
import json
files = [json.loads(line) for line in open("out.txt")]
assert [f["file"] for f in files] == ["1.csv", "2.csv", "4.csv", "6.csv"]
assert all({**f, "file": ""} == {**files[0], "file": ""} for f in files)
P
}

@test "values that are filled are counted, whatever fills them, masked ones, too" {
    printf 'time,x,ok\n0,1,1\n0.1,,1\n0.2,2,1\n0.3,9,0\n0.4,3,1\n0.5,4,1\n' > in.csv
    for options in 'critical -H 0.1 --gaps fill' 'critical -H 0.1 --gaps linear' 'butterworth --cutoff 2 --zero-phase --gaps fill'; do
        # shellcheck disable=SC2086
        fails 0 sprung $options -c x --mask 'x:ok<1' --report json -o out.csv in.csv
        [[ $out == *'"filled":2'* ]]
        # shellcheck disable=SC2086
        fails 0 sprung $options -c x --mask 'x:ok<1' -v -o out.csv in.csv
        says '2 missing values filled'
        says '6 rows, 2 missing values'
    done
    fails 0 sprung critical -H 0.1 -c x --max-gap 0.05 --gaps fill --report json -o out.csv in.csv
    [[ $out == *'"filled":0'* ]]
    fails 0 sprung critical -H 0.1 -c x --gaps fill --report -o out.csv in.csv
    [[ $out == *' filled'* ]]
}

@test "the end of a batch names the three channels that changed most, each with its file; a vector or rotation once" {
    printf 'time,p_x,p_y\n0,0,0\n1,8,6\n' > a.csv
    printf 'time,p_x,p_y,z\n0,0,0,0\n1,12,16,0.5\n' > b.csv
    fails 0 sprung damper -H 1 -q --report --output-dir out a.csv b.csv
    [ -z "$err" ]
    fails 0 sprung damper -H 1 --vectors 'p*' --report --output-dir out a.csv b.csv --force
    grep -qx 'sprung: changed most: "p_x" of b.csv by 10, "p_x" of a.csv by 5, "z" of b.csv by 0.25' err.txt
    fails 0 sprung damper -H 1 --report --output-dir out --force a.csv
    [[ $err != *most* ]]
}

@test "a report that cannot be written is a fault" {
    fails 2 bash -c '"$1" critical -H 0.1 --report -o out.csv take.csv > /dev/full' _ "$SPRUNG"
    says '(standard output)'
}

# a goes 0, 2, 5 and b 0, -1.25; velocity is half of the way that is left, acceleration its change.
@test "words: a table" {
    printf 'time,who,a,b\n0,n,0,0\n1,m,4,-2.5\n2,n,8,\n' > small.csv
    sprung damper --method lerp --factor 0.5 -c a,b --report -o out.csv small.csv > report.txt
    diff report.txt - <<'P'
small.csv: damper, 3 rows
2 channels, largest change 3 in "a"
channel  change  row  time       RMS  peak vel  peak acc  missing  cuts
a             3    3     2   2.08167       1.5         1        0     0
b          1.25    2     1  0.883883     0.625     0.625        1     0
P
}

@test "words: sorted by change, the 20 largest unless --verbose; JSON: all, in their order" {
    python3 - <<'P'
order = [7, 3, 24, 1, 9, 25, 2, 14, 5, 18, 10, 4, 22, 6, 20, 8, 11, 23, 12, 13, 15, 16, 21, 17, 19]
with open("many.csv", "w") as f:
    print("time", *("c%d" % i for i in order), "gap", sep=",", file=f)
    print(0, *(0 for i in order), "", sep=",", file=f)
    print(1, *(2 * i for i in order), "", sep=",", file=f)
P
    sprung damper --method lerp --factor 0.5 -c 2-27 --report -o out.csv many.csv > report.txt
    sed -n 2p report.txt | diff - <(echo '26 channels, largest change 25 in "c25"; the 20 with the largest change follow (--verbose shows all)')
    awk 'NR > 3 { print $1, $2 }' report.txt | diff - <(seq 25 -1 6 | sed 's/.*/c& &/')
    sprung damper --method lerp --factor 0.5 -c 2-27 --report -v -o out.csv many.csv 2> /dev/null > report.txt
    sed -n 2p report.txt | diff - <(echo '26 channels, largest change 25 in "c25"')
    awk 'NR > 3 { print $1, $2 }' report.txt | diff - <(seq 25 -1 1 | sed 's/.*/c& &/'; echo 'gap empty')
    sprung damper --method lerp --factor 0.5 -c 2-27 --report=json -o out.csv many.csv > report.json
    python3 - <<'P'
import json
names = [c["channel"] for c in json.load(open("report.json"))["channels"]]
assert names == open("many.csv").readline().strip().split(",")[1:], names
P
}

@test "names stay valid JSON, whatever they hold" {
    printf 'time,"a""\t\\",b\x01\xff\n0,1,2\n1,3,4\n' > odd.csv
    sprung damper -H 1 --report=json -o out.csv odd.csv > report.json
    python3 -c 'import json; c = json.load(open("report.json"))["channels"]; assert c[0]["channel"] == "a\"\t\\", c
assert c[1]["channel"] == "b\x01\ufffd", c'
    [ "$(wc -l < report.json)" = 1 ]
}

@test "--report takes text or json, after an equals sign" {
    fails 2 sprung critical -H 0.1 --report=xml take.csv
    says '--report: must be text or json: "xml"'
    sprung critical -H 0.1 --report=text -o out.csv take.csv > a
    sprung critical -H 0.1 --report -o out.csv take.csv | cmp - a
}
