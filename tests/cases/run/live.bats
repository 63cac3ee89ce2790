#!/usr/bin/env bats
# Live use: a row comes out as soon as it went in; memory stays bounded on a stream.
load ../common

@test "a row comes out as soon as it went in" {
    each_row '%d,%d' 1 critical --halflife 0.1
    each_row '2026-11-22T05:08:56.%06dZ,%d' 1 critical --halflife 0.1
}

@test "with a row of look-ahead each row comes when the next one arrives" {
    (printf 'time,x\n0,1\n1,2\n2,3\n'; sleep 1; printf '3,4\n'; sleep 3; printf '4,5\n') |
        sprung inertialize -H 0.1 -d 0 > out.csv &
    sleep 2.5
    [ "$(wc -l < out.csv)" -ge 3 ]
    wait
    [ "$(wc -l < out.csv)" = 6 ]
}

# burst WANT FILE ARGUMENT...: sends a file in one write, and requires WANT lines of output before its end comes.
burst()
{
    python3 - "$SPRUNG" "$@" <<'P'
import select, subprocess, sys
p = subprocess.Popen(sys.argv[1:2] + sys.argv[4:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
p.stdin.write(open(sys.argv[3], "rb").read())
want, got = int(sys.argv[2]), b""
while got.count(b"\n") < want:
    ready, _, _ = select.select([p.stdout], [], [], 20)
    if not ready:
        sys.exit("%s: %d lines of %d" % (" ".join(sys.argv[4:]), got.count(b"\n"), want))
    got += p.stdout.read(65536)
assert got.count(b"\n") == want, got
p.stdin.close()
sys.exit(p.wait())
P
}

@test "of rows in one write those that are final come out, whatever the others wait for" {
    printf 'time,x\n0,1\n1,2\n2,3\n3,\n' > gap.csv
    printf '{"time":0,"x":1}\n{"time":1,"x":2}\n{"time":2,"x":3}\n{"time":3,"x":null}\n' > gap.jsonl
    awk 'BEGIN { print "time,x"; for (i = 0; i < 5000; i++) printf "%.3f,%d\n", i / 100, i % 7 }' > long.csv
    head -n 41 long.csv > short.csv
    burst 4 gap.csv critical -H 0.1 --gaps linear
    burst 4 gap.csv critical -H 0.1 --gaps fill --max-gap 5
    burst 3 gap.jsonl critical -H 0.1 --gaps linear
    burst 40 short.csv inertialize -H 0.1
    burst 26 short.csv critical -H 0.1 --despike 6
    burst 36 short.csv butterworth --cutoff 20 --zero-phase --lookahead 0.05
    burst 4097 long.csv butterworth --cutoff 20 --zero-phase
}

@test "a first row of two bytes does not wait for the second" {
    (printf '5\n'; sleep 3; printf '6\n') | sprung damper -H 1 -d 0 --rate 1 > out.csv &
    sleep 1.5
    [ "$(cat out.csv)" = 5 ]
    wait
}

# A stream of N MB through the program; prints its peak memory in kB.
peak()
{
    python3 - "$SPRUNG" "$1" <<'P'
import os, resource, subprocess, sys
p = subprocess.Popen([sys.argv[1], "critical", "-H", "0.1", "--rate", "100"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
rows = "".join("%d,%.6f\n" % (i, (i * 7919 % 10007) / 1000) for i in range(60000)).encode()
p.stdin.write(b"n,x\n")
for i in range(int(sys.argv[2]) * 1000000 // len(rows) + 1):
    p.stdin.write(rows)
p.stdin.close()
assert p.wait() == 0
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
P
}

@test "memory does not grow with the stream" {
    [[ $BUILD == *san* ]] && skip "sanitizers change memory use"
    small=$(peak 5)
    large=$(peak 100)
    echo "peak: $small kB for 5 MB, $large kB for 100 MB"
    ((large < small + 2000))
    ((large < 16384))
}
