#!/usr/bin/env bats
# sprung diff of two folders: which files pair, the report, the status, and the report in the XML of JUnit.
load ../common

setup()
{
    cd "$BATS_TEST_TMPDIR"
    mkdir -p want/sub got/sub
    printf 'time,x\n0,1\n1,2\n' | tee want/same.csv > got/same.csv
    printf 'time,x\n0,1\n1,2\n' > want/sub/take.csv
    printf 'time,x\n0,1\n1,2.5\n' > got/sub/take.csv
}

@test "files pair by their paths below the folders; a line a file that differs, a summary, the status of the worst" {
    fails 1 sprung diff want got
    [ "$out" = 'different: sub/take.csv: column "x": row 2, line 3, time 1: expected 2, actual 2.5
1 of 2 files agrees: 1 different' ]
    fails 1 sprung diff -v want got
    [[ $out == 'same: same.csv'*'different: sub/take.csv: 1 of 2 columns agrees; 2 rows compared'*$'\n''column "x"'*'1 of 2 files agrees: 1 different' ]]
    [[ $(sprung diff want want/) == '2 of 2 files agree' ]]
    # --report text is the default, and -v lists the files that agree, too.
    sprung diff --report text want got > report.txt || true
    { sprung diff want got || true; } | cmp - report.txt
    [ "$(sprung diff --abs 0.5 want got | tail -n 1)" = '2 of 2 files agree' ]
    [ "$(sprung diff --abs x:0.5 ./want/ got | tail -n 1)" = '2 of 2 files agree' ]
    fails 1 sprung diff -q want got
    [ -z "$out$err" ]
}

@test "missing and surplus files are differences; a file that cannot be read does not stop the others" {
    cp want/same.csv want/a.csv
    cp want/same.csv got/z.csv
    fails 1 sprung diff want got
    [[ $out == *'only in expected: a.csv'* && $out == *'only in actual: z.csv'* ]]
    [[ $out == *'1 of 4 files agrees: 1 different, 1 only in expected, 1 only in actual' ]]
    printf 'time,x\n0,1\n1\n' > got/same.csv
    fails 2 sprung diff want got
    says 'sprung: got/same.csv:3: expected 2 cells, found 1'
    says '1 of 4 files could not be compared'
    [[ $out == *'not compared: same.csv'* && $out == *'different: sub/take.csv'* ]]
    if [ "$(id -u)" != 0 ]; then
        chmod 0 got/sub
        fails 2 sprung diff want got
        chmod 755 got/sub
    fi
}

@test "files without a series: the same bytes agree" {
    local still='{"asset": {"version": "2.0"}}'
    rm want/same.csv got/same.csv
    echo "$still" | tee want/still.gltf > got/still.gltf
    fails 1 sprung diff -v want got
    [[ $out == *'same: still.gltf'*'1 of 2 files agrees: 1 different' ]]
    [ -z "$err" ]
    sprung diff want/still.gltf got/still.gltf > out.txt 2> err.txt
    grep -qx '0 of 0 columns agree; 0 rows compared' out.txt
    [ "$(sprung diff --report json want/still.gltf got/still.gltf 2> err.txt | grep -c '"same":.true')" = 1 ]
    echo "$still " > got/still.gltf
    fails 2 sprung diff want got
    says 'sprung: want/still.gltf: no animation found: the file has none'
    [[ $out == *'not compared: still.gltf'* ]]
    echo "${still/2.0/2.1}" > got/still.gltf
    fails 2 sprung diff want/still.gltf got/still.gltf
}

@test "files of known formats; hidden files are left out" {
    printf 'time,x\n0,1\n' > want/notes.txt
    printf 'time,x\n0,1\n' > want/.hidden.csv
    fails 1 sprung diff want got
    [[ $out != *notes* && $out != *hidden* ]]
    mkdir empty none
    fails 2 sprung diff empty none
    says 'nothing to compare in "empty" and "none"'
    fails 2 sprung diff want want/same.csv
    says 'cannot compare a folder with a file'
    fails 2 sprung diff want nosuch
    says 'there is no file of this name: "nosuch"'
}

@test "a list that names no column is an error if it does so in all files" {
    printf 'time,q_w,q_x,q_y,q_z,angle\n0,1,0,0,0,5\n' > want/turn.csv
    cp want/turn.csv got
    rm -r want/sub got/sub
    for option in '--angles ang*' '--quaternions q' '--exclude angle' '--abs q_*:1' '-c ang*'; do
        # shellcheck disable=SC2086
        fails 0 sprung diff $option want got
        [[ $out == *'files agree'* || $option == -c* ]]
    done
    # A pair in which nothing was compared does not count as agreeing, and is no difference.
    [ "$out" = 'nothing to compare: same.csv
1 of 2 files agrees: 1 nothing to compare' ]
    sprung diff -c angle --report json want got | grep -c '"result":.*"nothing to compare"' | grep -qx 1
    sprung diff -c angle --report junit want got | grep -A1 'name="same.csv">' | grep -q '<skipped message='
    printf 'time,x\n' | tee want/same.csv > got/same.csv
    [ "$(sprung diff want got | tail -n 1)" = '1 of 2 files agrees: 1 nothing to compare' ]
    fails 2 sprung diff -x '*' want got
    says 'nothing to compare in "want" and "got"'
    for option in '--angles no*' '--quaternions no' '--exclude no' '--rel no:1' '-c no' '-c angle,no'; do
        # shellcheck disable=SC2086
        fails 2 sprung diff $option want got
        says " names nothing in any file"
    done
}

@test "many files, in the order of their paths" {
    for n in $(seq 300); do
        printf 'time,x\n0,1\n1,%d\n' "$n" > want/$n.csv
        printf 'time,x\n0,1\n1,%d\n' $((n - n % 7 / 6)) > got/$n.csv
    done
    fails 1 sprung diff want got
    grep -qx '258 of 302 files agree: 44 different' out.txt
    [ "$(sed '$d' out.txt | sed 's/^[a-z ]*: \([^:]*\).*/\1/' | LC_ALL=C sort -c 2>&1)" = "" ]
    fails 1 sprung diff --report json want got
    [ "$(python3 -c 'import json; d = json.load(open("out.txt")); print(d["same"], d["files"], d["files_agree"],
        sum(r["result"] == "different" for r in d["results"]), d["results"][-1]["file"],
        d["results"][-1]["differences"]["columns"][1]["beyond"])')" = 'False 302 258 44 sub/take.csv 1' ]
}

@test "--report junit: valid by the schema, a case a file, control characters and markup escaped" {
    needs xmllint
    cp want/same.csv want/'a<b>&"c".csv'
    cp want/same.csv got/$'tab\there.csv'
    printf 'time,x\n0,1\n1\n' > got/same.csv
    fails 2 sprung diff --report junit want got
    cp out.txt report.xml
    xmllint --noout --schema "$TOOLS/junit.xsd" report.xml
    [ "$(python3 - <<'P'
import xml.etree.ElementTree as tree
suite = tree.parse("report.xml").getroot()[0]
print(suite.get("tests"), suite.get("failures"), suite.get("errors"))
for case in suite:
    print(case.get("name"), *(child.tag for child in case))
print("worst: row" in suite[2][0].text)
print(suite[0][0].get("message"), suite[3][0].get("message"), sep=", ")
P
    )" = '4 3 1
a<b>&"c".csv failure
same.csv error
sub/take.csv failure
tab\there.csv failure
True
only in want, only in got' ]
    # two files are one case
    sprung diff --report junit want/a*.csv want/a*.csv > report.xml
    xmllint --noout --schema "$TOOLS/junit.xsd" report.xml
    fails 1 sprung diff --report junit want/sub/take.csv got/sub/take.csv
    xmllint --noout --schema "$TOOLS/junit.xsd" out.txt
    grep -q 'failures="1" errors="0"' out.txt
}

@test "a report that cannot be written is trouble" {
    [ -e /dev/full ] || skip "no /dev/full"
    for style in text json junit; do
        got=0
        sprung diff --report $style want got > /dev/full 2> err.txt || got=$?
        [ $got = 2 ]
        grep -q 'cannot write' err.txt
    done
}

@test "no colors in JSON and JUnit, whatever standard error is" {
    printf 'time,x\n0,1\n0,oops\n' > want/bad.csv
    cp want/bad.csv got
    for style in json junit; do
        TERM=xterm python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' "$SPRUNG" diff --report $style want got > all.txt || true
        grep -q 'bad.csv' all.txt
        sed -n '/^[{<]/,$p' all.txt > report.txt
        [ -s report.txt ]
        ! grep $'\033' report.txt
    done
}

@test "JUnit: names with characters that XML does not allow" {
    needs xmllint
    mkdir old new
    printf 'time,x]]>,\xef\xbf\xbe\n0,1,2\n' | tee old/$'n\xef\xbf\xbf]]>.csv' | sed 's/1,2/9,2/' > new/$'n\xef\xbf\xbf]]>.csv'
    fails 1 sprung diff --report junit old new
    xmllint --noout --schema "$TOOLS/junit.xsd" out.txt
}

@test "a column that no file has is an error" {
    fails 2 sprung diff -c speed want got
    says '--columns: speed names nothing in any file'
    [[ $out != *agree* ]]
}

@test "the line of a file says which rows and columns only one side has" {
    rm want/same.csv got/same.csv
    printf 'time,x\n0,1\n1,2\n2,3\n' > want/sub/take.csv
    printf 'time,x,y\n0,1,5\n' > got/sub/take.csv
    fails 1 sprung diff want got
    [[ $out == 'different: sub/take.csv: 2 rows only in expected (to pair rows by a column: --key); 1 column only in actual'* ]]
    printf 'time,x\n0,4\n' > got/sub/take.csv
    fails 1 sprung diff --report junit want got
    [[ $out == *'<failure message="column &quot;x&quot;: row 1, line 2, time 0: expected 1, actual 4; 2 rows only in expected (to pair rows by a column: --key)">'* ]]
}

@test "JUnit: the message holds column, row and both values" {
    fails 1 sprung diff --report junit want got
    [[ $out == *'<failure message="column &quot;x&quot;: row 2, line 3, time 1: expected 2, actual 2.5">'* ]]
    fails 1 sprung diff --report junit want/sub/take.csv got/sub/take.csv
    [[ $out == *'<failure message="column &quot;x&quot;: row 2, line 3, time 1: expected 2, actual 2.5">'* ]]
}

@test "the line of a file shows its worst difference, of the rows that differ" {
    rm want/same.csv got/same.csv
    printf 'time,x,y,note\n0,1,5,a\n1,2,6,b\n2,3,7,c\n3,4e6,8,d\n' > want/sub/take.csv
    printf 'time,x,y,note\n0,1.5,5,z\n1,2,9,b\n2,1,,c\n3,4000400,8,d\n' > got/sub/take.csv
    fails 1 sprung diff --rel 1e-3 want got
    # 400 of 4e6 is within the tolerance.
    [ "$(head -n 1 out.txt)" = 'different: sub/take.csv: worst: column "y": row 2, line 3, time 1: expected 6, actual 9; 2 other columns differ' ]
    fails 1 sprung diff -c x,note --rel 1e-3 want got
    [[ $out == 'different: sub/take.csv: worst: column "x": row 3, line 4, time 2: expected 3, actual 1; 1 other column differs'* ]]
    fails 1 sprung diff want got --report junit
    [[ $out == *'<failure message="worst: column &quot;x&quot;: row 4, line 5, time 3: expected 4000000, actual 4000400; 2 other columns differ">'* ]]
    fails 1 sprung diff -c note want got
    [[ $out == 'different: sub/take.csv: column "note": row 1, line 2, time 0: expected "a", actual "z"'* ]]
}
