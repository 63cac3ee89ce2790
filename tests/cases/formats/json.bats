#!/usr/bin/env bats
# json and jsonl: every shape, nothing else changes, live, bounded, faults with line and path, conversions.
load ../common

# A filter under which a constant series stays as it is, to the byte.
same()
{
    job "${@:2}" "$1" > back
    cmp "$1" back
}

# Python prints what its expression makes of the records of JSON Lines (o).
shows_lines()
{
    python3 -c "import json; o=[json.loads(l) for l in open('$1')]; print($2)"
}

@test "rows that are arrays get no derivatives unasked, but in other formats" {
    printf '[[0,1,2],[1,3,4]]' | sprung damper -H 1 -q -t 1 > out.json
    [ "$(cat out.json)" = '[[0,1,2],[1,2,3]]' ]
    printf '[0,1,2]\n[1,3,4]\n' | sprung damper -H 1 -q -t 1 | grep -qx '\[1,2,3\]'
    printf '[[0,1,2],[1,3,4]]' | sprung damper -H 1 -q -t 1 --to csv | tail -n 1 | grep -qE '^1,2,3(,[-0-9.e]+){4}$'
    printf '[[0,1,2],[1,3,4]]' | sprung damper -H 1 -q -t 1 -d 1 | grep -qE '\[1,2,3(, [-0-9.e]+){2}\]'
}

@test "every shape comes back byte for byte when its numbers do not change" {
    printf '[{"time": 0, "x": 5, "id": 9007199254740993},\n  {"time":1,"x":5, "id":1.50 }\n]\n' > a.json
    printf '[[0,5],\n[1, 5]] ' > b.json
    printf '[5,5 ,\r\n5]' > c.json
    printf '{"rate": 100, "time": [0, 1], "hip": {"x": [5, 5]}, "who": ["a", "b"]}\n' > d.json
    printf '{"time":0,"x":5}\n\n{"x":5,"time":1}' > e.jsonl
    printf '{"meta":{"tracks":[1]},"tracks":[{"n":[]},{"s/1":[{"t":0,"pos":[5,5]},{"t":1,"pos":[5,5]}]}],"end":{"s/1":3}}\n' > f.json
    same a.json -c x
    same b.json -t 1
    same c.json --rate 10
    same d.json
    same e.jsonl
    same f.json --records '/tracks/1/s~11'
}

@test "the one array of records in a document is read, and a note names its pointer" {
    printf '{"n":[],"in":{"a/b~c \\u00e9":[{"t":0,"x":1},{"t":1,"x":2}]},"size":[3,4]}' > in.json
    fails 0 job -d 1 in.json
    [ "$err" = "sprung: in.json: uses the only array of records (--records '/in/a~1b~0c é'; the object itself: --records /)" ]
    grep -o '"t"' out.txt | wc -l | grep -qx 2
    [[ $out == *'{"t":1,"x":'*', "x_vel": '*'}]}'* ]]
    job -d 1 --records '/in/a~1b~0c é' in.json | cmp - out.txt
    # An object with times is columns.
    echo '{"a":{"time":[0,1],"x":[1,1]},"events":[{"x":5},{"x":6},{"x":7}]}' > columns.json
    job --rate 9 -c '*x' columns.json > out.txt
    cmp columns.json out.txt
    # The document itself has the name /.
    printf '{"x":[1,1],"events":[{"x":5}]}' > in.json
    [ "$(job --rate 1 --to csv in.json)" = $'x\n5' ]
    [ "$(job --rate 1 --to csv --records / in.json)" = $'x\n1\n1' ]
    printf '{"take":{"frames":[{"t":0,"x":1}],"marks":[{"t":0}]},"n":[5,6]}' > in.json
    fails 2 job --rate 9 in.json
    says 'hint: try --records /take/frames, or another of them'
}

# The second record spells its keys with escapes, in another order: short ones and one of more than a kilobyte.
@test "keys are the same however they are spelled" {
    python3 - <<'PYTHON'
import json
long, other = "\u00e9" * 600, "\u00e9" * 599 + "\u00e8"
keys = ["time", "a\"b", "\U0001f600", long, other]
first = {key: i for i, key in enumerate(keys)}
with open("a.jsonl", "w", encoding="utf-8") as f:
    f.write(json.dumps(first, ensure_ascii=False) + "\n")
    second = {key: 5 * first[key] + 1 for key in reversed(keys)}
    f.write(json.dumps(second) + "\n")
with open("b.jsonl", "w", encoding="utf-8") as f:
    for record in first, second:
        f.write(json.dumps({key: record[key] for key in keys}, ensure_ascii=False) + "\n")
PYTHON
    job -d 0 a.jsonl > from_a.jsonl
    job -d 0 b.jsonl > from_b.jsonl
    job -d 0 --to csv a.jsonl | cmp - <(job -d 0 --to csv b.jsonl)
    python3 -c 'import json; a, b = ([json.loads(l) for l in open(n)] for n in ("from_a.jsonl", "from_b.jsonl"))
assert a == b and list(a[1]) == list(b[1])[::-1] and a[1]["\u00e9" * 600] > a[0]["\u00e9" * 600]'
}

@test "an empty array is no error: there is nothing to filter" {
    printf ' [ ]\n' > a.json
    sprung critical -H 1 a.json | cmp - a.json
    printf '{"r":[],"n":[1]}' > b.json
    sprung critical -H 1 --records /r b.json | cmp - b.json
    [ "$(sprung critical -H 1 --to csv a.json)" = '' ]
}

@test "a first record without any value is an error: nothing says what the columns are" {
    for text in '[{}]' '[[]]' '[{"a":[]},{"a":[]}]' '[{"a":{}}]' '{}\n{}\n' '{}\n'; do
        printf "$text" > bad
        fails 2 sprung damper -H 1 --rate 1 --to csv bad
        says 'the first records are empty, but they decide the columns'
    done
}

@test "--records tells that a document on one line is no line of records" {
    printf '{"a/b":{"~":[{"time":0,"x":5},{"time":1,"x":5}]},"time":5}\n' > whole
    sprung damper -H 1 -d 0 --records '/a~1b/~0' < whole | cmp - whole
    sprung damper -H 1 -d 0 --records '/a~1b/~0' whole | cmp - whole
    fails 2 sprung damper -H 1 --records /a --from jsonl whole
    says '--records does not apply to jsonl, which has only rows'
    fails 2 sprung damper -H 1 --records /a "$DATA/wave.csv"
    says '--records does not apply to csv'
    fails 2 sprung damper -H 1 --header 2 whole --records '/a~1b/~0'
    says '--header does not apply to json'
}

@test "gaps: null stays, is filled, an absent member stays absent" {
    printf '[{"time":0,"x":5},{"time":1,"x":null},{"time":2},{"time":3,"x":5}]' > a.json
    same a.json
    sprung damper -H 1 -d 0 --gaps fill a.json > out.json
    [ "$(cat out.json)" = '[{"time":0,"x":5},{"time":1,"x":5},{"time":2},{"time":3,"x":5}]' ]
    [ "$(sprung damper -H 1 -d 1 a.json)" = '[{"time":0,"x":5, "x_vel": 0},{"time":1,"x":null, "x_vel": null},{"time":2, "x_vel": null},{"time":3,"x":5, "x_vel": 0}]' ]
}

@test "group-by: what a key says counts, not how it is spelled; a gap is the empty text" {
    printf '{"t":0,"g":"a\xc3\xa9","x":0}\n{"t":1,"g":1,"x":0}\n{"t":2,"g":null,"x":0}\n{"t":3,"g":1.0,"x":0}
{"t":4,"g":"\\u0061\\u00E9","x":8}\n{"t":5,"g":"1","x":8}\n{"t":6,"x":8}\n{"t":7,"g":"","x":8}\n{"t":8,"g":"1.0","x":8}\n' > a.jsonl
    sprung damper -H 1e3 -d 0 --group-by g a.jsonl > out.jsonl
    [ "$(shows_lines out.jsonl 'sorted(r["t"] for r in o if r["x"] == 0)')" = '[0, 1, 2, 3]' ]
    [ "$(shows_lines out.jsonl '[r["t"] for r in o if r["x"] == 8]')" = '[]' ]
    # The same rows are in the same groups in every format.
    sprung damper -H 1 --group-by g --to csv a.jsonl > want.csv
    sprung damper -H 1e-9 -d 0 --to csv a.jsonl | sprung damper -H 1 --group-by g | cmp - want.csv
}

@test "derivatives are members at the end of the record, named by path" {
    printf '{"t": 0, "hip": {"pos": [5, 6, 7], "q": "a"}, "x": 1}\n' > a.jsonl
    [ "$(sprung critical -H 1 a.jsonl)" = '{"t": 0, "hip": {"pos": [5, 6, 7], "q": "a"}, "x": 1, "hip.pos.0_vel": 0, "hip.pos.0_acc": 0, "hip.pos.1_vel": 0, "hip.pos.1_acc": 0, "hip.pos.2_vel": 0, "hip.pos.2_acc": 0, "x_vel": 0, "x_acc": 0}' ]
    [ "$(sprung critical -H 1 -c hip.pos.1 -d 1 a.jsonl)" = '{"t": 0, "hip": {"pos": [5, 6, 7], "q": "a"}, "x": 1, "hip.pos.1_vel": 0}' ]
    [ "$(echo '{"t":[0,1],"x":[5,5]}' | sprung critical -H 1 -d 1 --from json)" = '{"t":[0,1],"x":[5,5], "x_vel": [0, 0]}' ]
    [ "$(echo '[[0,5],[1,5]]' | sprung critical -H 1 -d 1 --from json -t 1)" = '[[0,5, 0],[1,5, 0]]' ]
}

@test "numbers are those that the same series gives as csv" {
    sprung damper -H 1e-9 -d 0 -x cut --to json "$DATA/wave.csv" > in.json
    sprung critical -H 0.1 -x cut in.json --to csv > got.csv
    sprung critical -H 0.1 -x cut "$DATA/wave.csv" > want.csv
    python3 - <<'P'
import csv
a, b = (list(csv.reader(open(n))) for n in ("want.csv", "got.csv"))
assert a[0] == b[0] and len(a) == len(b)
for p, q in zip(a[1:], b[1:]):
    for x, y in zip(p, q):
        assert x == y or abs(float(x) - float(y)) <= 1e-6 * (1 + abs(float(x)))
P
}

@test "csv to json to csv, and jsonl, give the first csv again" {
    printf 'time,x,label,n,q\n0.000,5,"say ""hi"", you",1.50,007\n0.250,,a\\b,9007199254740993,+5\n0.5,5,é,,\n' > a.csv
    for to in json jsonl; do
        sprung damper -H 1 -d 0 -c x --to $to a.csv > a.$to
        sprung damper -H 1 -d 0 -c x --to csv a.$to > back.csv
        cmp a.csv back.csv
    done
    for shape in '[1,null,3]' '[{"x":1},{"x":null},{"x":3}]' '[[null],[null],[3]]'; do
        echo "$shape" | sprung damper -H 1e-9 --rate 9 -d 0 --to csv > a.csv
        [ "$(sprung damper -H 1e-9 --rate 9 -d 0 a.csv | wc -l)" = "$(wc -l < a.csv)" ]
        echo "$shape" | sprung diff --rel 0 - a.csv
    done
    sprung damper -H 1 -d 0 -c x --to jsonl a.json | cmp - a.jsonl
    sprung damper -H 1 -d 0 -c x --to json a.jsonl | cmp - a.json
    python3 -c 'import json; json.load(open("a.json"))'
}

@test "every character comes through csv and json as python reads them" {
    python3 - > a.json <<'P'
import json
codes = [*range(1, 0x300), 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x103FF, 0x10FC00, 0x10FFFF]
print(json.dumps([{"time": c, "x": 1, "s": "a%cz" % c} for c in codes]))
P
    sprung damper -H 1 -d 0 --to csv a.json > a.csv
    sprung damper -H 1 -d 0 --to json a.csv > b.json
    python3 - <<'P'
import csv, json
want = json.load(open("a.json"))
assert [r["s"] for r in csv.DictReader(open("a.csv", newline="", encoding="utf-8"))] == [r["s"] for r in want]
assert json.load(open("b.json", encoding="utf-8")) == want
P
}

@test "json to jsonl and back keeps records as they are, nested ones too" {
    printf '[\n{"time":0,"a":{"x":5},"n":[true,null]},\n{"a":{"x":5},"time":1,"s":"\\u00e9"}\n]\n' > a.json
    sprung damper -H 1 -d 0 --to jsonl a.json > a.jsonl
    [ "$(sed -n 2p a.jsonl)" = '{"a":{"x":5},"time":1,"s":"\u00e9"}' ]
    sprung damper -H 1 -d 0 --to json a.jsonl | cmp - a.json
}

@test "a faulty record: its line, its path, and the records before it" {
    printf '[{"t":0,"x":5},\n {"t":1,"x":5},\n {"t":2,"x":"abc"}]' > a.json
    fails 2 sprung damper -H 1 -d 0 a.json
    says 'a.json:3: at $[2].x: expected a number, found a string: "abc"'
    [ "$out" = $'[{"t":0,"x":5},\n {"t":1,"x":5}' ]
    printf '{"tracks":[{},{},{},{"x":[1,2,3,true]}]}' > b.json
    fails 2 sprung damper -H 1 --rate 9 --records /tracks/3 b.json
    says 'b.json:1: at $.tracks[3].x[3]: expected a number: "true"'
    printf '{"t":0,"x":5}\n{"t":1,"x":\n{"t":2,"x":5}\n' > c.jsonl
    fails 2 sprung damper -H 1 -d 0 c.jsonl
    says 'c.jsonl:2: at $.x: this record is not complete at the end of its line'
    says '; to leave such rows out: --bad-rows skip'
    [ "$(sprung damper -H 1 -d 0 --bad-rows skip c.jsonl 2> err.txt | wc -l)" = 2 ]
}

@test "bad json is refused: truncated, junk, NUL, NaN, depth, surrogates, keys" {
    refused()
    {
        printf "$1" > bad.json
        fails 2 sprung damper -H 1 --rate 9 "${@:3}" bad.json
        says "$2"
    }
    refused '[{"x":1},{"x"' 'ends too early'
    refused '[{"x":1}] []' 'text after the end'
    refused '[{"x":1},{"x":\0001}]' 'NUL byte'
    refused '[{"x":NaN}]' 'not a JSON number'
    refused '[{"x":1e400}]' 'too large'
    refused '[{"x":1,"s":"\\ud800"}]' 'surrogate'
    refused '[{"x":1,"x":2}]' 'twice'
    refused "[{\"x\":1,\"d\":$(printf '[%.0s' {1..1100})" '1000'
    refused '[{"x":1},{"x":-Infinity}]' 'write a gap as null'
    refused '[{"x":1},{"x":1, "x_vel": 1}]' 'leave derivatives out with --derivatives 0'
    refused '[{"x":1,"y":1,"y":2}]' 'twice' -x y
    refused '{"x":[1,2],"y":[1],"y":[3,4]}' 'twice' -c x
}

@test "a row that the output cannot hold: the rows before it come out, however the input arrives" {
    python3 -c '
import sys
for n in range(9000):
    sys.stdout.buffer.write(b"%d,%s,5\n" % (n, b"\xff" if n == 8500 else b"a"))' > rows
    (echo time,s,x; cat rows) > a.csv
    fails 2 sprung damper -H 1 -d 0 --to jsonl a.csv
    says 'a.csv:8502: JSON must be UTF-8'
    sed 1q out.txt | cmp - <(echo '{"time": 0, "s": "a", "x": 5}')
    [ "$(wc -l < out.txt)" = 8500 ]
    in_pieces a.csv | sprung damper -H 1 -d 0 --to jsonl 2> /dev/null | cmp - out.txt
    sprung damper -H 1 -d 0 --to json a.csv 2> /dev/null | tail -n +2 | sed 's/,$//; $a\' | cmp - out.txt
    LC_ALL=C sed 's/^\([^,]*\),\(.*\),5$/{"time":\1,"s":"\2","x":5}/; s/\xff/\\u0000/' rows > a.jsonl
    fails 2 sprung damper -H 1 -d 0 --to csv a.jsonl
    says 'a.jsonl:8501: column "s": this text has a NUL byte'
    head -n 8501 a.csv | cmp - out.txt
    in_pieces a.jsonl | sprung damper -H 1 -d 0 --from jsonl --to csv 2> /dev/null | cmp - out.txt
    sprung damper -H 1 -d 0 a.jsonl | cmp - a.jsonl
}

@test "the first record with a channel decides the columns" {
    printf '[{"t":0,"p":[]},{"t":1,"p":[{"x":5}]},{"t":2,"p":[{"x":5}]}]' > a.json
    fails 0 sprung critical -H 1 a.json
    [ "$out" = '[{"t":0,"p":[], "p.0.x_vel": null, "p.0.x_acc": null},{"t":1,"p":[{"x":5}], "p.0.x_vel": 0, "p.0.x_acc": 0},{"t":2,"p":[{"x":5}], "p.0.x_vel": 0, "p.0.x_acc": 0}]' ]
    in_pieces a.json | sprung critical -H 1 --from json - | cmp - <(printf %s "$out")
    printf '{"t":0,"p":[{"x":5}]}\n{"t":1,"p":[{"x":5},{"y":1}]}\n{"t":2,"p":[],"z":1}\n' > b.jsonl
    same b.jsonl
}

@test "live: a record comes out as soon as it went in, in an array too" {
    python3 - "$SPRUNG" <<'P'
import select, subprocess, sys
p = subprocess.Popen([sys.argv[1], "critical", "-H", "0.1", "--rate", "9", "--from", "jsonl"],
                     stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
p.stdin.write(b"0\n")
if not select.select([p.stdout], [], [], 20)[0] or p.stdout.read(9) != b"0\n":
    sys.exit("a first record of two bytes did not come out")
p.stdin.close()
p.wait()
for lines in (False, True):
    p = subprocess.Popen([sys.argv[1], "critical", "-H", "0.1", "--from", "jsonl" if lines else "json"],
                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    for n in range(100):
        p.stdin.write(b"%s{\"t\":%d,\"x\":%d}%s" % (b"" if lines else b",\n" if n else b"[", n, n % 7, b"\n" if lines else b""))
        got = b""
        while got.count(b"}") < 1:
            if not select.select([p.stdout], [], [], 20)[0]:
                sys.exit("record %d did not come out" % n)
            got += p.stdout.read(65536)
    p.stdin.write(b"" if lines else b"]\n")
    p.stdin.close()
    if p.wait():
        sys.exit("status")
P
}

# bats test_tags=posix
@test "memory does not grow with an array of records" {
    [[ $BUILD == *san* ]] && skip "sanitizers change memory use"
    python3 - "$SPRUNG" <<'P'
import resource, subprocess, sys
p = subprocess.Popen([sys.argv[1], "critical", "-H", "0.1", "--from", "json"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
p.stdin.write(b'[{"t":0,"x":1}')
for n in range(100):
    p.stdin.write(b"".join(b',\n{"t":%d.%03d,"x":%d}' % (n + 1, k, k % 99) for k in range(1000)) * 1)
    p.stdin.write(b"," + b",".join(b'{"t":%d.999,"x":1,"pad":"%s"}' % (n + 1, b"p" * 50000) for k in range(10)))
p.stdin.write(b"]" + b" " * 2000000)
p.stdin.close()
assert p.wait() == 0
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print("peak", peak, "kB")
assert peak < 16384
P
}

# bats test_tags=posix
@test "rows of two bytes take no more memory than long ones, and stay as they are" {
    python3 -c '
for name, first, row, last in ("a.json", "[2", ",2", "]"), ("b.json", "[[2]", ",[2]", "]"), ("c.jsonl", "\n" * 100000 + "2\n", "2\n", "\n\n"):
    open(name, "w").write(first + row * 2000000 + last)'
    for file in a.json b.json c.jsonl; do
        same $file --rate 1
        [[ $BUILD == *san* || $file == a.json ]] && continue # an array of numbers is held
        python3 - "$SPRUNG" $file $([[ $file == b.json ]] && echo 2 || echo 0) <<'P'
import re, subprocess, sys
command = [sys.argv[1], "damper", "-H", "1", "-d", sys.argv[3], "-j2", "--rate", "1", "--from", sys.argv[2].split(".")[1]]
p = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
text = open(sys.argv[2], "rb").read()
p.stdin.write(text[:-1])
p.stdin.flush()
peak = int(re.search(r"VmHWM:\s*(\d+) kB", open(f"/proc/{p.pid}/status").read())[1])
p.stdin.write(text[-1:])
p.stdin.close()
assert p.wait() == 0
print("peak", peak, "kB")
assert peak < 8192
P
    done
}

@test "diff compares the rows of an object of columns that hold text only" {
    echo '{"s": ["a", "b"], "u": ["c", "d"]}' > a.json
    echo '{"s": ["a", "b"], "u": ["c", "e"]}' > b.json
    sprung diff a.json a.json | grep '2 rows compared'
    run sprung diff a.json b.json
    [[ $status == 1 && $output == *'column "u": 1 of 2 rows differs'* ]]
}

@test "a long text with escapes where audio needs a number: an error with its line" {
    local escapes
    escapes=$(printf '\\n%.0s' {1..5000})
    printf '{"x": 1, "gain": 2}\n{"x": 3, "gain": "%s"}\n' "$escapes" > a.jsonl
    fails 2 sprung damper -H 1 -d 0 -c x --rate 8000 --to wav -o out.wav a.jsonl
    says 'a.jsonl:2: column "gain": audio can hold only numbers, and this is not a number'
    [ ! -e out.wav ]
}
