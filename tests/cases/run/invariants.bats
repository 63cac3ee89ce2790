#!/usr/bin/env bats
# The three invariants: bytes do not depend on how the input is cut into blocks, nor on threads, nor do unselected bytes
# change. Large enough for several blocks.
load ../common

setup_file()
{
    cd "$BATS_FILE_TMPDIR"
    python3 - <<'P'
import math
with open("large.csv", "w", newline="") as f:
    f.write("time,x,note,y,id\r\n")
    for n in range(30000):
        note = '"a\r\nb"' if n % 997 == 0 else "plain"
        y = "" if n % 71 < 3 else "%.5f" % math.cos(n / 50)
        f.write("%.4f,%r,%s,%s,%d\r\n" % (n / 240, math.sin(n / 90), note, y, 9007199254740993 + n))
P
}

setup()
{
    cd "$BATS_FILE_TMPDIR"
}

@test "blocks: a file and a pipe with odd chunks give the same bytes, for every filter" {
    for filter in "${filters[@]}"; do
        # shellcheck disable=SC2086
        sprung $filter large.csv > file.csv
        # shellcheck disable=SC2086
        in_pieces large.csv | sprung $filter > pipe.csv
        cmp file.csv pipe.csv
    done
}

@test "threads: one processor and all of them give the same bytes" {
    for filter in "${filters[@]}"; do
        # shellcheck disable=SC2086
        sprung $filter large.csv > all.csv
        # shellcheck disable=SC2086
        taskset -c 0 "$SPRUNG" $filter large.csv | cmp - all.csv
    done
}

@test "unselected bytes: everything but the channel is as it was" {
    sprung critical -H 0.1 -c x -d 0 large.csv > out.csv
    python3 - <<'P'
import csv
a, b = (list(csv.reader(open(name, newline=""))) for name in ("large.csv", "out.csv"))
assert len(a) == len(b)
assert all(p[:1] + p[2:] == q[:1] + q[2:] for p, q in zip(a, b))
P
    cmp <(tr -d '0-9.e-' < large.csv) <(tr -d '0-9.e-' < out.csv)
}

@test "blank lines of every spelling: a file and small pieces give the same bytes and the same error" {
    for blank in '\n\n' '\n\r\n' '\n\r\r\r\n' '\r\n\r\r\n\n'; do
        for after in '' '2,3\n' 'note\n' '\r'; do
            whole=0 pieces=0
            # shellcheck disable=SC2059
            printf "time,x\n0,1\n1,2\n$blank$after" | sprung damper -H 1 > whole.txt 2>&1 || whole=$?
            # shellcheck disable=SC2059
            { printf 'time,x\n0,1\n1,2\n' && sleep 0.03 && printf "$blank" && sleep 0.03 && printf "$after"; } |
                sprung damper -H 1 > pieces.txt 2>&1 || pieces=$?
            echo "$blank$after: $(cat whole.txt) $(cat pieces.txt)"
            [ "$whole" = "$pieces" ]
            cmp whole.txt pieces.txt
        done
    done
}

@test "rest: while the input stands still a spring comes to rest entirely, wherever blocks end" {
    awk 'BEGIN { print "time,x"; for (i = 0; i < 12000; i++) printf "%.3f,%d\n", i / 1000, (i > 0) + 1 }' > still.csv
    for filter in "damper -H 0.005" "critical -H 0.01" "spring -f 40 -z 0.5" "second-order -f 40 -z 0.5 -r 1" "double -H 0.01" \
        "timed -H 0.01 --time 0.2" "velocity -H 0.01 --speed 2"; do
        # shellcheck disable=SC2086
        sprung $filter -d 1 still.csv > file.csv
        [ "$(tail -n 1 file.csv)" = 11.999,2,0 ] || { echo "$filter: $(tail -n 1 file.csv)"; return 1; }
        # shellcheck disable=SC2086
        python3 -c '
import sys
data = open("still.csv", "rb").read()
for at in range(0, len(data), 3001):
    sys.stdout.buffer.write(data[at:at + 3001]); sys.stdout.buffer.flush()' | sprung $filter -d 1 > pipe.csv
        cmp file.csv pipe.csv
    done
}

@test "a row that waits for the next and is too large ends the output there, however rows come" {
    python3 - "$SPRUNG" <<'P'
import subprocess, sys, time
def rows(n, bad, keys):
    out = ["time,k,x,c\n"]
    for i in range(n):
        # The first group jumps into row `bad` from the other end of all numbers; the last rows of the others do so later.
        g = i % keys
        x, c = (i // keys % 5, 0)
        if g == bad % keys and i in (bad - keys, bad):
            x, c = (1.7e308, 1) if i == bad else (-1.7e308, 0)
        if g != bad % keys and i > bad + 2 * keys:
            x, c = (1.7e308, 1) if i // keys % 2 else (-1.7e308, 1)
        out.append("%d,g%d,%r,%d\n" % (i, g, x, c))
    return out
def run(lines, keys, pause):
    command = [sys.argv[1], "inertialize", "-H", "0.1", "-c", "x", "--cut-column", "c", "-d", "0", "--group-by", "k"]
    p = subprocess.Popen(command if keys > 1 else command[:-2], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, bufsize=0)
    try:
        for line in lines if pause else ["".join(lines)]:
            p.stdin.write(line.encode())
            time.sleep(pause)
        p.stdin.close()
    except BrokenPipeError:
        pass
    p.stdin = None
    out, err = p.communicate()
    return p.returncode, out.decode(), err.decode()
for n, bad, keys, pause in ((5, 4, 1, 0), (5, 3, 1, 0), (5, 3, 1, 0.05), (5, 4, 1, 0.05), (513, 512, 1, 0), (1200, 511, 1, 0),
                            (1200, 512, 1, 0), (1200, 513, 1, 0), (1200, 1024, 1, 0), (9, 4, 2, 0), (9, 4, 2, 0.05),
                            (16, 5, 3, 0), (16, 5, 3, 0.05), (16, 8, 3, 0.05), (6, 5, 2, 0.05), (3000, 2100, 3, 0)):
    lines = rows(n, bad, keys)
    status, out, err = run(lines, keys, pause)
    got = [line.split(",")[0] for line in out.splitlines()[1:]]
    assert status == 2 and got == [str(i) for i in range(bad)], (n, bad, keys, pause, status, got[-3:], err)
    assert "(standard input):%d: column \"x\": the filtered value is too large" % (bad + 2) in err, (n, bad, keys, pause, err)
    assert "e+308" not in out.replace("-1.7e+308", ""), (n, bad, keys, pause)
P
}

# cut_anywhere FILE OPTION…: the same bytes from a file without a suffix and from a pipe, wherever what it brings first ends.
cut_anywhere()
{
    python3 - "$SPRUNG" "$@" <<'P'
import fcntl, struct, subprocess, sys, termios, time
program, name, options = sys.argv[1], sys.argv[2], sys.argv[3:]
whole = open(name, "rb").read()
want = subprocess.run([program] + options + [name], capture_output=True)
assert want.returncode == 0 and want.stdout, want.stderr
for cut in range(1, min(len(whole), 60)):
    p = subprocess.Popen([program] + options, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    p.stdin.write(whole[:cut])
    p.stdin.flush()
    while p.poll() is None and struct.unpack("i", fcntl.ioctl(p.stdin, termios.FIONREAD, b"0000"))[0]:
        time.sleep(0.001)
    got = p.communicate(whole[cut:])[0]
    assert got == want.stdout, (cut, got)
P
}

@test "the format is told from the first bytes, wherever a pipe cuts them" {
    printf 'time\tx\n0\t1\n1\t2\n' > tabs
    cut_anywhere tabs damper -H 1
    [ "$(sprung damper -H 1 -d 0 tabs)" = "$(sprung damper -H 1 -d 0 --from tsv tabs)" ]
    printf 'time,x\n0,1\n1,2\n' > commas
    cut_anywhere commas damper -H 1
    printf '{"time":0,"x":1}\n{"time":1,"x":2}\n' > lines
    cut_anywhere lines damper -H 1
    printf '{"a":[0],"x":1}\n{"a":[1],"x":2}\n' > unnamed
    cut_anywhere unnamed damper -H 1 --rate 1
    printf '[0,1]\n[1,2]\n' > arrays
    cut_anywhere arrays damper -H 1 --rate 1
    printf '{"time":[0,1],"x":[1,2]}\n' > columns
    cut_anywhere columns damper -H 1
    printf '[{"time":0,"x":1},\n{"time":1,"x":2}]\n' > records
    cut_anywhere records damper -H 1
    sprung damper -H 1 -d 0 --rate 100 -c x --to wav commas > sound
    cut_anywhere sound damper -H 1
}

# pieces FILE ARGUMENT…: status, bytes and messages of a file do not depend on the pieces in which it comes. They stay in
# status.txt, out.txt and err.txt.
pieces()
{
    python3 - "$SPRUNG" "$@" <<'P'
import fcntl, struct, subprocess, sys, termios, time
program, name, options = sys.argv[1], sys.argv[2], sys.argv[3:]
data = open(name, "rb").read()
def result(p):
    out, err = p.communicate()
    return p.returncode, out, err
def feed(p, size):
    try:
        for at in range(0, len(data), size):
            p.stdin.write(data[at:at + size])
            while p.poll() is None and struct.unpack("i", fcntl.ioctl(fd, termios.FIONREAD, b"0000"))[0]:
                time.sleep(0)
        p.stdin.close()
    except BrokenPipeError:
        pass
want = result(subprocess.Popen([program] + options, stdin=open(name, "rb"), stdout=subprocess.PIPE, stderr=subprocess.PIPE))
for end, what in zip(("status", "out", "err"), want):
    open(end + ".txt", "wb").write(what if end != "status" else b"%d" % what)
for size in (1, 7, 200, 3000, 70000):
    if len(data) / size > 4000:
        continue
    p = subprocess.Popen([program] + options, stdin=subprocess.PIPE, stdout=open("got.txt", "wb"), stderr=open("said.txt", "wb"), bufsize=0)
    fd = p.stdin.fileno()
    feed(p, size)
    got = p.wait(), open("got.txt", "rb").read(), open("said.txt", "rb").read()
    assert got == want, (options, size, [a for a, b in zip(got, want) if a != b], [b for a, b in zip(got, want) if a != b])
P
}

@test "the line of an error counts the line ends of the first line, also behind others in quotes" {
    awk 'BEGIN { ORS = "\r"; print "time,x,note"; for (n = 2; n < 9000; n++)
        printf "%d,%d,%s\r", n == 7337 ? 7000 : n, n % 7, n % 50 == 3 ? "\"a\nb\"" : "c" }' > cr.csv
    for options in "critical -H 1 -c x" "critical -H 1 -c x --resample 3" "butterworth --cutoff 0.1 -c x --zero-phase" "inertialize -H 1 -c x --detect-cuts 4 --report"; do
        # shellcheck disable=SC2086
        pieces cr.csv $options
        grep -q ':7337: column "time": time goes backward' err.txt
    done
}

@test "warnings of a step and cuts that are found are said in the order of the rows that show them" {
    # Steps of 30 and 50 s.
    awk 'BEGIN { print "time,x,y"; for (n = 0; n < 3000; n++) { t += n == 44 ? 30 : n == 45 || n == 46 ? 50 : 1
        printf "%d,%d,%d\n", t, n % 7 + (n > 700 ? 900 : 0), n % 5 + (n > 900 ? 900 : 0) } }' > steps.csv
    for options in "damper --method euler --damping 0.1" \
        "spring --method euler --stiffness 0.02 --damping 0.02" "second-order --method euler -f 0.05 -z 1 -r 0"; do
        # shellcheck disable=SC2086
        pieces steps.csv $options -c x,y
        [ "$(grep -c 'diverges: a time step of 50 s' err.txt)" = 1 ]
    done
    awk -F, -v OFS=, 'NR > 1 { $1 = NR } 1' steps.csv > rows.csv
    pieces rows.csv tracking --detect-cuts 8 -c x,y -v
    grep -q 'cut found.*"y"' err.txt
    # Behind a row that ends the series nothing is said.
    sed '2000s/^[0-9]*/0/' rows.csv > back.csv
    pieces back.csv tracking --detect-cuts 8 -c x,y -v
    [ "$(cat status.txt)" = 2 ]
}

@test "whatever ends a series early, each row before it is filtered and no other row is printed" {
    # A fault in row 6000 of 10,000: the last good row is 5999, and each row has four cells.
    rows()
    {
        python3 - "$1" <<'P'
import sys
print("time,x,half")
for i in range(10000):
    bad = i == 6000
    print(f"{-1 if bad and sys.argv[1] == 'time' else i},", end="")
    print(sys.argv[1] if bad and sys.argv[1] not in ("time", "half") else i % 7, end=",")
    print("-1" if bad and sys.argv[1] == "half" else "0.5")
P
    }
    while IFS='|' read -r fault options; do
        rows "$fault" > bad.csv
        for threads in 1 4; do
            for input in file pipe; do
                status=0
                if [[ $input == file ]]; then
                    sprung critical -q -j $threads $options bad.csv > out.csv 2> err.txt || status=$?
                else
                    in_pieces bad.csv | sprung critical -q -j $threads $options > out.csv 2> err.txt || status=$?
                fi
                [ "$status" = 2 ]
                [ "$(wc -l < out.csv)" = 6001 ]
                [ "$(awk -F, '{ print NF }' out.csv | sort -u)" = 5 ]
            done
        done
    done <<'LIST'
time|-H 0.1 -c x
12abc|-H 0.1 -c x
12abc|-H 0.1 -c x --despike 6
LIST
}

@test "every format is read from a pipe in pieces as from a file" {
    cp "$DATA"/{angles.sto,angles.mot,markers.trc,walk.bvh,hip.fbx} .
    sed -n 1,60p "$DATA/wave.csv" > wave.csv
    job -q --to tsv wave.csv -o wave.tsv
    job -q --to json wave.csv -o wave.json
    job -q --to jsonl wave.csv -o wave.jsonl
    for format in wav au aiff caf flac w64; do
        job -q --rate 60 -c x -x time --to $format wave.csv -o wave.$format 2> /dev/null ||
            cut -d, -f1,2 wave.csv | sed 's/,$/,0/' | job -q --rate 60 -c x --to $format -o wave.$format
    done
    awk -F, 'NR > 1 { printf "%.4f,%s\n", 1.7e9 + $1, $2 }' wave.csv | job -q --to npy -o wave.npy
    python3 "$TOOLS/gltf.py" make walk.glb
    python3 "$TOOLS/make_c3d.py" walk.c3d proc=84 float=0
    printf 'NO_OF_FRAMES\t2\nFREQUENCY\t100\nMARKER_NAMES\ta\n1\t2\t3\n4\t5\t6\n' > qualisys.tsv
    printf 'Coordinates,,\nversion=1,,\nnRows=2,,\nnColumns=3,,\nendheader,,\ntime,a,b\n0,1,2\n1,2,3\n' > sheet.sto
    for file in angles.* markers.trc walk.* hip.fbx wave.* qualisys.tsv sheet.sto; do
        sprung critical -q -H 0.1 "$file" -o - > want < /dev/null 2> err || { cat err; false; }
        for size in 1 7; do
            [[ $(stat -c %s "$file") -lt 60000 || $size != 1 ]] || continue
            trickle $size "$file" | sprung critical -q -H 0.1 > got 2> err || { echo "$file"; cat err; false; }
            cmp want got || { echo "$file in pieces of $size"; false; }
        done
    done
}

@test "a fault at the end of a large file has its own line, whatever is under way" {
    seq 0 99999 | awk '{ print "{\"time\":" $1 ",\"x\":" $1 % 7 "}" }' > rows
    { cat rows; printf '{"time":1e5,"x":"4\n'; } > a.jsonl
    { echo '['; sed 's/$/,/' rows; printf '{"time":1e5,"x":4\n'; } > b.json
    { echo '['; sed 's/$/,/' rows; printf '{"time":1e5,"x":4}\n]]'; } > c.json
    { echo time,x; tr -cd '0-9,\n' < rows; printf '100000,"4\n'; } > d.csv
    for j in 1 2 4; do
        fails 2 sprung damper -H 1 -d 0 -j $j a.jsonl
        says 'a.jsonl:100001: at $.x: a control character in a string'
        fails 2 sprung damper -H 1 -d 0 -j $j b.json
        says 'b.json:100003: at $[100000].x: the file ends too early'
        fails 2 sprung damper -H 1 -d 0 -j $j c.json
        says 'c.json:100003: at $: text after the end of the document: "]"'
        fails 2 sprung damper -H 1 -d 0 -j $j d.csv
        says 'd.csv:100002: column "x": this quote is never closed'
    done
}
