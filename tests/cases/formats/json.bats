#!/usr/bin/env bats
# json and jsonl: every shape, nothing else changes, live, bounded, faults with line and path, conversions.
load ../common

# A filter under which a constant series stays as it is, to the byte.
same()
{
    job "${@:2}" "$1" > back
    cmp "$1" back
}

# Python prints what its expression makes of the output (o) and the input (i).
shows()
{
    python3 -c "import json,sys; i=json.load(open('$1')); o=json.load(open('$2')); print($3)"
}

# The same for JSON Lines.
shows_lines()
{
    python3 -c "import json; o=[json.loads(l) for l in open('$1')]; print($2)"
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

# The second record spells its keys with escapes, in another order: short ones and one of more than a kilobyte.
@test "the pointer that a message names for an array is the pointer that --records takes" {
    printf '{"a/b~c \\u00e9":[{"t":0,"x":1},{"t":1,"x":2}]}' > in.json
    fails 2 job in.json
    says "to read the array inside it: --records '/a~1b~0c é'"
    job -t t -c x --records '/a~1b~0c é' in.json > out.json
    [ "$(grep -o '"t"' out.json | wc -l)" = 2 ]
}

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
    for text in '[{}]' '[[]]' '[{"a":[]},{"a":[1]}]' '[{"a":{}}]' '{}\n{}\n' '{}\n'; do
        printf "$text" > bad
        for rate in '' '--rate 1'; do
            fails 2 sprung damper -H 1 $rate --to csv bad
            says 'the first record is empty'
            says 'bad:1: at $'
            says 'with null for a missing value'
        done
    done
}

@test "--records tells that a document on one line is no line of records" {
    printf '{"a/b":{"~":[{"time":0,"x":5},{"time":1,"x":5}]},"time":5}\n' > whole
    sprung damper -H 1 -d 0 --records '/a~1b/~0' < whole | cmp - whole
    sprung damper -H 1 -d 0 --records '/a~1b/~0' whole | cmp - whole
    fails 2 sprung damper -H 1 --records /a --from jsonl whole
    says '--records needs a JSON document, but jsonl has one record per line'
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
    [ "$(sprung damper -H 1 -d 1 a.json)" = '[{"time":0,"x":5,"x_vel":0},{"time":1,"x":null,"x_vel":null},{"time":2},{"time":3,"x":5,"x_vel":0}]' ]
}

@test "gaps: null in the place of a vector cannot be filled, and that is said once" {
    printf '[{"t":0,"p":[5,5]},{"t":1,"p":null},{"t":2,"p":[null,5]},{"t":3,"p":null},{"t":4,"p":[5,5]}]' > a.json
    fails 0 sprung damper -H 1 -d 0 --gaps fill a.json
    [ "$out" = '[{"t":0,"p":[5,5]},{"t":1,"p":null},{"t":2,"p":[5,5]},{"t":3,"p":null},{"t":4,"p":[5,5]}]' ]
    [ "$err" = 'sprung: a.json: --gaps fill fills a null where a number belongs; a null where an array or object belongs stays null' ]
    printf '{"t":0,"p":{"x":5}}\n{"t":1,"p":null}\n' > b.jsonl
    fails 0 sprung damper -H 1 -d 0 --gaps fill b.jsonl
    says 'b.jsonl: --gaps fill fills a null where a number belongs; a null where an array or object belongs stays null'
    fails 0 sprung damper -H 1 -d 0 --gaps fill -q b.jsonl
    [ -z "$err" ]
    # Where nothing is filled, or other formats have room, there is nothing to say.
    fails 0 sprung damper -H 1 -d 0 b.jsonl
    [ -z "$err" ]
    fails 0 sprung damper -H 1 -d 0 --gaps fill --to csv b.jsonl
    [ "$(tail -n 1 out.txt)$err" = 1,5 ]
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

@test "derivatives are siblings; of a vector, a vector" {
    printf '{"t": 0, "hip": {"pos": [5, 6, 7], "q": "a"}, "x": 1}\n' > a.jsonl
    [ "$(sprung critical -H 1 a.jsonl)" = '{"t": 0, "hip": {"pos": [5, 6, 7], "pos_vel": [0, 0, 0], "pos_acc": [0, 0, 0], "q": "a"}, "x": 1, "x_vel": 0, "x_acc": 0}' ]
    [ "$(sprung critical -H 1 -c hip.pos.1 -d 1 a.jsonl)" = '{"t": 0, "hip": {"pos": [5, 6, 7], "pos_vel": [null, 0, null], "q": "a"}, "x": 1}' ]
    [ "$(echo '{"t":[0,1],"x":[5,5]}' | sprung critical -H 1 -d 1 --from json)" = '{"t":[0,1],"x":[5,5],"x_vel":[0,0]}' ]
    [ "$(echo '[[0,5],[1,5]]' | sprung critical -H 1 -d 1 --from json -t 1)" = '[[0,5,0],[1,5,0]]' ]
}

@test "numbers are those that the same series gives as csv" {
    sprung critical -H 0.1 "$DATA/wave.csv" > want.csv
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
    refused '[{"x":01}]' 'not a JSON number'
    refused '[{"x":1e400}]' 'too large'
    refused '[{"x":1,"s":"\\ud800"}]' 'surrogate'
    refused '[{"x":1,"s":"\xED\xA0\x80"}]' 'not UTF-8'
    refused '[{"x":1,"s":"\xED\xBF\xBF"}]' 'not UTF-8'
    refused '[{"x\\u0000":1}]' 'u0000'
    refused '[{"x":1,"x":2}]' 'twice'
    refused '[{"x":1}]' 'no /b' --records /b
    refused "[{\"x\":1,\"d\":$(printf '[%.0s' {1..1100})" '1000'
    refused '{"x":[1,2],"x":[3,4]}' 'at $.x: this name occurs twice'
    refused '{"p":{"x":[1,2]},"p":[3,4]}' 'at $.p: this name occurs twice'
    refused '[{"x":1},{"x":-Infinity}]' 'write a gap as null'
    refused '[{"x":1},{"x":1,"x_vel":1}]' 'leave derivatives out with --derivatives 0'
    printf '{"x":[1,2],"y":[1],"y":[3,4]}' > twice.json
    sprung damper -H 1e-9 -d 0 --rate 9 -c x twice.json | cmp - twice.json
    printf '[{"x":1,"y":1,"y":2}]' > twice.json
    sprung damper -H 1 -d 0 --rate 9 -x y twice.json | cmp - twice.json
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

@test "an object that holds records says how to reach them" {
    printf '{"take":{"frames":[{"t":0,"x":1}]}}' > a.json
    fails 2 sprung damper -H 1 a.json
    says '--records /take/frames'
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
@test "memory does not grow with the document" {
    [[ $BUILD == *san* ]] && skip "sanitizers change memory use"
    python3 - "$SPRUNG" <<'P'
import resource, subprocess, sys
p = subprocess.Popen([sys.argv[1], "critical", "-H", "0.1", "--from", "json", "--records", "/r"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
p.stdin.write(b'{"r":[{"t":0,"x":1}')
for n in range(100):
    p.stdin.write(b"".join(b',\n{"t":%d.%03d,"x":%d}' % (n + 1, k, k % 99) for k in range(1000)) * 1)
    p.stdin.write(b"," + b",".join(b'{"t":%d.999,"x":1,"pad":"%s"}' % (n + 1, b"p" * 50000) for k in range(10)))
p.stdin.write(b'],"tail":[1' + b",2" * 10000000 + b"]}")
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
        [[ $BUILD == *san* ]] && continue
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

# --- several tables in one document ---

# A clip as THREE.AnimationClip.toJSON writes it, with blanks, escapes and long integers of its own.
make_clip()
{
    python3 - <<'PYTHON'
import json, math
def track(name, kind, times, row):
    values = [round(x, 4) for t in times for x in row(t)]
    return {"name": name, "times": times, "values": values, "type": kind}
def times(n, rate):
    return [round(i / rate, 4) for i in range(n)]
def turn(t):
    angle = math.sin(3 * t) + (0.2 if int(20 * t) % 3 else 0)
    return [0, 0.6 * math.sin(angle), 0.8 * math.sin(angle), math.cos(angle)]
noise = lambda t: math.sin(5 * t) + 0.1 * (int(30 * t) % 2)
tracks = [
    track("hip.quaternion", "quaternion", times(20, 30), turn),
    track("hip.position", "vector", times(9, 24), lambda t: [noise(t), 3 * t, 5]),
    track("mouth.morphTargetInfluences", "number", times(12, 30), lambda t: [noise(t), -noise(t)]),
    track("lamp.intensity", "number", times(15, 50), lambda t: [noise(t)]),
    dict(track("cut.position", "vector", times(3, 10), lambda t: [t, 0, 0]), interpolation=2300),
    {"name": "lamp.visible", "times": [0, 1], "values": [True, False], "type": "boolean"},
    {"name": "none.position", "times": [], "values": [], "type": "vector"},
]
text = json.dumps({"name": "walk", "duration": 0.625, "tracks": tracks, "uuid": "\u00e9", "blendMode": 2500}, indent=1)
text = text.replace('"duration": ', '"id":9007199254740993 ,\t"duration" :')
open("clip.json", "w").write(text + "\n \n")
PYTHON
}

# Compares the texts of two clips but for the numbers in "values" of numeric tracks, and these numbers with what the
# same rows give as CSV.
compare_clips()
{
    python3 - "$SPRUNG" "$@" <<'PYTHON'
import csv, io, json, re, subprocess, sys
program, before, after, *arguments = sys.argv[1:]
token = re.compile(r'"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|.', re.S)
old, new = (token.findall(open(name, encoding="utf-8", newline="").read()) for name in (before, after))
assert len(old) == len(new)
changed = [i for i, (a, b) in enumerate(zip(old, new)) if a != b]
assert changed and all(re.match(r"-?\d", old[i]) and re.match(r"-?\d", new[i]) for i in changed)
old, new = (json.load(open(name, encoding="utf-8")) for name in (before, after))
filtered = 0
for a, b in zip(old["tracks"], new["tracks"]):
    values = b.pop("values"), a.pop("values")
    n = len(a["times"])
    assert a == b
    if a["type"] == "boolean" or a.get("interpolation") == 2300 or n == 0:
        assert values[0] == values[1]
        continue
    k = len(values[1]) // n
    names = ["q_" + letter for letter in "xyzw"] if a["type"] == "quaternion" else [f"c{i}" for i in range(k)]
    rows = [[t] + values[1][i * k:i * k + k] for i, t in enumerate(a["times"])]
    text = "\n".join(",".join(map(repr, row)) for row in rows)
    command = [program, *arguments, "-d", "0", "--from", "csv"]
    if a["type"] == "quaternion":
        command += ["--quaternions", "q"]
    out = subprocess.run(command, input="time," + ",".join(names) + "\n" + text + "\n", text=True,
                         capture_output=True, check=True).stdout
    want = [float(x) for row in list(csv.reader(io.StringIO(out)))[1:] for x in row[1:]]
    assert want == values[0], (a["name"], want, values[0])
    assert want != values[1]
    filtered += 1
assert filtered == 4, filtered
del old["tracks"], new["tracks"]
assert old == new
PYTHON
}

@test "clips of three.js: only the numbers change, to those that each track gives as csv" {
    make_clip
    sprung critical -H 0.05 --records '/tracks/*' clip.json > out.json
    compare_clips clip.json out.json critical -H 0.05
    sprung critical -H 0.05 --records '/tracks/*' < clip.json | cmp - out.json
    (head -c 700 clip.json; sleep 0.2; tail -c +701 clip.json) | sprung critical -H 0.05 --records '/tracks/*' | cmp - out.json
    sprung butterworth --cutoff 1.92 --zero-phase --records '/tracks/*' clip.json > out.json
    compare_clips clip.json out.json butterworth --cutoff 1.92 --zero-phase
    cp clip.json place.json
    sprung critical -H 0.05 --records '/tracks/*' --in-place place.json
    compare_clips clip.json place.json critical -H 0.05 --decimals input
}

@test "tables: channels are named after \"name\", or else the path, with the component" {
    make_clip
    fails 0 sprung critical -H 0.05 --records '/tracks/*' -v clip.json
    says 'channels 2-5: "hip.quaternion.x" to "hip.quaternion.w", of the rotation "hip.quaternion"'
    says 'channels 6-8: "hip.position.x" to "hip.position.z"'
    says '"mouth.morphTargetInfluences.0" to "mouth.morphTargetInfluences.1"'
    says 'channel "lamp.intensity"'
    says '1 track with discrete interpolation: copied unchanged'
    says '1 value at /tracks/* without a table of numbers: copied unchanged'
    says 'time: column "times"'
    cat > a.json <<'JSON'
{"clips": [{"name": "walk", "joints": [{"name": "hip", "rows": [{"t": 0, "x": 1}, {"t": 1, "x": 3}]},
  {"rows": [[0, 5]]}, {"name": "a\u0000b", "rows": [{"t": 0, "pos": [1, 2]}]}]}, {"joints": {"k": {"rows": [{"t": 7, "x": 0}]}}}]}
JSON
    fails 2 sprung critical -H 1 --records '/clips/*/joints/*/rows' --columns nix a.json
    says 'walk/hip.x'
    says 'walk.joints.1.1'
    says 'walk.joints.2.pos.0'
    says 'clips.1.joints.k.x'
    # One table alone, in another format.
    sprung damper -H 1 --records '/clips/*/joints/*/rows' --columns walk/hip.x -d 0 --to csv a.json > out.csv
    cmp out.csv <(printf 't,walk/hip.x\n0,1\n1,2\n')
    fails 2 sprung damper -H 1 --records '/clips/*/joints/*/rows' --columns '*.x' --to csv a.json
    says 'in 2 tables with different times'
}

@test "tables: names and positions are those of the file, and an option that needs one table names the other" {
    printf '{"a": [{"t": 0, "x": 1, "y": 0, "c": 2}, {"t": 1, "x": 3, "y": 0, "c": 1}],\n "b": [{"t": 0, "z": 0}, {"t": 2, "z": 2}]}\n' > a.json
    fails 0 sprung damper -H 1 --records '/*' -v a.json
    says 'a: json, 4 columns, time: column "t"'
    says 'b: json, 2 columns, time: column "t"'
    says 'b: channel "b.z" (column 5)'
    [[ $(sprung damper -H 1 --records '/*' --columns 5 a.json) == *'"x": 3'*'"z": 1.5'* ]]
    [[ $(sprung damper -H 1 --records '/*' --columns a.x a.json) == *'"x": 2'*'"z": 2'* ]]
    fails 2 sprung damper -H 1 --records '/*' --columns 6 a.json
    says 'no column 6: there are 5'
    fails 2 sprung tracking --records '/*' --cut-column a.c a.json
    says 'column "a.c": --cut-column names this column, but it is in another table'
    fails 2 sprung damper -H 1 --records '/*' --rotations 3-5:XYZ a.json
    says 'column "b.z": --rotations: the columns of a rotation are in several tables'
    fails 2 sprung damper -H 1 --records '/*' --mask 'b.z:a.c<1' a.json
    says 'column "a.c": --mask names this column, but its times differ from those of "b.z"'
}

@test "tables: an object of columns alone has components, too; derivatives are arrays of the same form" {
    printf '{"times":[0, 1, 2],"values":[1,9, 2,9, 4,9],"type":"vector","u":[[1],[1],[1]]}' > a.json
    sprung damper -H 1 -d 1 a.json > out.json
    python3 - <<'PYTHON'
import json
o = json.load(open("out.json"))
assert o["values"] == [1, 9, 1.5, 9, 2.75, 9] and o["u"] == [[1], [1], [1]]
assert len(o["values_vel"]) == 6 and o["values_vel"][1::2] == [0, 0, 0] and o["values_vel"][4] > o["values_vel"][2] > 0
assert list(o) == ["times", "values", "values_vel", "type", "u", "u_vel"]
PYTHON
    # Half of the components are left alone.
    sprung damper -H 1 -d 0 -c values.y a.json | cmp - a.json
    sprung damper -H 1 -d 0 -c values.x a.json > out.json
    shows a.json out.json 'o["values"], o["u"] == i["u"]' | grep -qx '\[1, 9, 1.5, 9, 2.75, 9\] True'
    # With derivatives, tables are written as one array beside the other.
    printf '[%s, %s]' "$(cat a.json)" "$(cat a.json)" > b.json
    sprung damper -H 1 -d 1 --records '/*' b.json > out2.json
    sprung damper -H 1 -d 1 a.json > out.json
    cmp out2.json <(printf '[%s, %s]' "$(cat out.json)" "$(cat out.json)")
}

@test "tables: a wrong multiple, no times, a bad number, nothing that matches: place and path" {
    make_clip
    spoil()
    {
        python3 -c "import json; c=json.load(open('clip.json')); t=c['tracks']; $1; json.dump(c, open('bad.json', 'w'), indent=1)"
        fails 2 sprung critical -H 0.05 --records '/tracks/*' bad.json
        [[ $err =~ bad.json:([0-9]+): ]] || [[ -n ${2:-} ]] || { echo "no line: $err"; return 1; }
        cp err.txt err_file.txt
        fails 2 sprung critical -H 0.05 --records '/tracks/*' --from json < bad.json
        diff <(sed 's/^sprung: bad.json/sprung: (standard input)/' err_file.txt) err.txt
    }
    spoil 't[1]["values"].append(5)'
    says '$.tracks[1].values'
    says 'this one has 28 elements, "times" has 9'
    spoil 't[3]["values"][13] = "TYPO"'
    says '$.tracks[3].values[13]'
    says 'expected a number, found a string: "TYPO"'
    [[ $err == *":$(grep -n TYPO bad.json | cut -d: -f1): "* ]]
    spoil 'del t[1]["times"]'
    says 'at $.tracks[1]: '
    says 'no times ("times")'
    spoil 't[1]["times"][3] = None'
    says '$.tracks[1].times[3]'
    spoil 't[1]["times"] = []'
    says 'this one has 27 elements, "times" has 0'
    spoil 'c["tracks"] = []' none
    says 'the document has no table of numbers at /tracks/*'
    spoil 'c["tracks"] = {"a": 5, "b": "x", "c": {"d": [[], "x"]}, "e": [], "f": [True]}' none
    says 'the document has no table of numbers at /tracks/*'
    fails 2 sprung critical -H 0.05 --records '/nix/*/a' clip.json
    says 'no table of numbers at /nix/*/a'
    fails 2 sprung critical -H 0.05 --records '/tracks/*' --time 'hip.position.x' clip.json
    fails 2 sprung critical -H 0.05 --records '/tracks/*' --resample 10 clip.json
    says '--resample does not work with records inside a document'
    fails 2 sprung critical -H 0.05 clip.json
    says "to read the tables inside it: --records '/tracks/*'"
    printf '{"a": {"x": [1]}, "a": {"x": [2]}}' > twice.json
    fails 2 sprung critical -H 1 --rate 1 --records '/a/*' twice.json
    says '--records names this member, but it occurs twice'
}

# bats test_tags=posix
@test "tables: mixed things, arrays of records across blocks, and without times --rate" {
    python3 - <<'PYTHON'
import json
tables = {"few": [1, 4, 9], "n": 5, "none": [], "objects": {"a": [{}]}, "text": ["a"], "rows": [[1, 2], [3, 5]], "cols": {"x": [1, 3]}}
json.dump(tables, open("a.json", "w"))
long = [{"t": i / 100, "x": i % 7, "pad": "\n" * (i % 30)} for i in range(30000)]
json.dump({"a": long, "b": long[:3], "c": [{"t": 0, "x": 1}, {"t": 1, "x": "TYPO"}]}, open("long.json", "w"), indent=0)
json.dump({"a": long, "b": long[:3]}, open("good.json", "w"), indent=0)
json.dump(long, open("alone.json", "w"))
PYTHON
    fails 2 sprung damper -H 1 --records '/*' a.json
    says 'no time column'
    sprung damper -H 1 --rate 1 --records '/*' a.json > out.json
    shows a.json out.json '[o[k] for k in ("few", "rows", "cols")], all(o[k] == i[k] for k in ("n", "none", "objects", "text"))' > out.txt
    [ "$(cat out.txt)" = "[[1, 2.5, 5.75], [[1, 2], [2, 3.5]], {'x': [1, 2]}] True" ]
    sprung damper -H 1 -d 0 --records '/*' good.json > out.json
    sprung damper -H 1 -d 0 alone.json > alone_out.json
    python3 - <<'PYTHON'
import json
o, alone = json.load(open("out.json")), json.load(open("alone_out.json"))
assert o["a"] == alone and o["b"] == alone[:3]
PYTHON
    grep -v '^"x": ' good.json | cmp - <(grep -v '^"x": ' out.json)
    sprung damper -H 1 -d 0 --records '/*' - --from json < good.json | cmp - out.json
    fails 2 sprung damper -H 1 --records '/*' long.json
    says '$.c[1].x'
    [[ $err == *":$(grep -n TYPO long.json | cut -d: -f1): "* ]]
    fails 1 sprung diff --records '/*' good.json <(sed '$!b' good.json | python3 -c 'import json, sys; d = json.load(sys.stdin); d["b"][1]["x"] = 8; print(json.dumps(d))')
    [[ $out == *'"b.x": 1 of 30003 rows differs'* ]]
}

@test "tables: other formats get the columns of the table that is filtered, and no others" {
    printf '{"a":[{"x":1,"y":2},{"x":2,"y":1}],"b":[{"x":1,"z":2},{"x":3,"z":1}]}' > a.json
    sprung damper -H 1 -d 0 --rate 1 --records '/*' -c b.x --to csv a.json > out.csv
    [ "$(cat out.csv)" = "$(printf 'b.x,b.z\n1,2\n2,1\n')" ]
    sprung damper -H 1 -d 0 --rate 1 --records '/*' -c 'b.*' --to wav a.json > out.wav
    sprung tracking --to csv -d 0 out.wav > out.csv
    [ "$(cut -d, -f2,3 out.csv | tail -n +2)" = "$(printf '1,2\n2,1.5\n')" ]
    sprung inspect --rate 1 --records '/*' --report json a.json > out.json
    python3 -c 'import json; print([[c["name"] for c in t["columns"]] for t in json.load(open("out.json"))["tables"]])' > names
    [ "$(cat names)" = "[['a.x', 'a.y'], ['b.x', 'b.z']]" ]
}

@test "tables: a mask of one table leaves the rows of the others where they are" {
    printf '{"a":[{"time":0,"x":1},{"time":1,"x":3}],"b":[{"time":0,"x":1},{"time":1,"x":3}]}' > a.json
    sprung damper -H 1 --rate 1 -d 0 --records '/*' --mask 'b.x:time<1' a.json > out.json
    [ "$(cat out.json)" = '{"a":[{"time":0,"x":1},{"time":1,"x":2}],"b":[{"time":0,"x":null},{"time":1,"x":3}]}' ]
}

@test "a long text with escapes where audio needs a number: an error with its line" {
    local escapes
    escapes=$(printf '\\n%.0s' {1..5000})
    printf '{"x": 1, "gain": 2}\n{"x": 3, "gain": "%s"}\n' "$escapes" > a.jsonl
    fails 2 sprung damper -H 1 -d 0 -c x --rate 8000 --to wav -o out.wav a.jsonl
    says 'a.jsonl:2: column "gain": audio can hold only numbers, and this is not a number'
    [ ! -e out.wav ]
}

@test "columns: an object or an array among the numbers of a column is refused with its path" {
    echo '{"time":[0],"q":[1,0,{}]}' > object.json
    for command in inspect 'critical -H 0.1' 'damper -H 1 --columns q*'; do
        fails 2 sprung $command object.json
        says 'at $.q[2]: expected a number, found an object'
    done
    echo '{"time":[0,1],"q":[1,2,[3],4]}' > array.json
    fails 2 job array.json
    says 'at $.q[2]: expected a number, found an array'
    python3 -c 'print("{\"time\":[0],\"q\":[" + ",".join(["1"] + ["{}"] * 1000) + "]}")' > many.json
    fails 2 sprung inspect many.json
    says 'at $.q[1]: expected a number, found an object'
}
