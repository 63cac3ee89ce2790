#!/usr/bin/env bats
# --forget: when a group is dropped and begins anew, that nothing else changes, and what groups cost.
load ../common

# make_lives FILE TIME: rows of five groups that come and go, written to FILE in csv. The column life has the key and
# the number of the group's life, counted here by the rule of the manual with decimal numbers. TIME: how times are
# written, seconds or clock (times of day, around midnight).
make_lives()
{
    python3 - "$@" <<'P'
import random, sys
from decimal import Decimal
random.seed(4)
keys, rows, away, now = "abcde", [], {}, 0
for i in range(3000):
    now += random.choice((0, 1, 3, 10))
    key = random.choice([k for k in keys if away.get(k, 0) < now] or keys)
    if random.random() < .03:
        away[key] = now + random.choice((200, 499, 500, 501, 2000))
    rows.append((now + random.choice((0, 0, 0, 7)) * (random.random() < .02), key))
rows += [(t, k.upper()) for k in keys for t in [x * 50 for x in range(12)] + [1050, 1051, 1551, 1552, 2053]]
limit, clock, last, lives = 500, None, {}, {}
with open(sys.argv[1], "w") as out:
    out.write("time,key,x,y,life\n")
    for number, (ms, key) in enumerate(rows):
        if key in last and ms < last[key][0] and max(clock, ms) - last[key][1] <= limit:
            ms = last[key][0]  # a time that goes backward within a life would be an error
        clock = ms if clock is None else max(clock, ms)
        if key not in last or clock - last[key][1] > limit or ms - last[key][0] > limit:
            lives[key] = lives.get(key, 0) + 1
        last[key] = ms, clock
        x = "" if random.random() < .15 else "%.2f" % (random.gauss(0, 1) + 40 * (random.random() < .01))
        if sys.argv[2] == "clock":
            day = 86400000 - 6000 + ms
            text = "%d:%02d:%02d.%03d" % (day // 3600000 % 24, day // 60000 % 60, day // 1000 % 60, day % 1000)
        else:
            text = str(Decimal(1700000000) + Decimal(ms) / 1000)
        out.write("%s,%s,%s,%d,%s%d\n" % (text, key, x, number % 17, key, lives[key]))
print(sum(lives.values()), max(lives.values()))
assert max(lives.values()) > 3
P
}

@test "a forgotten group begins anew, as if its next rows were another group" {
    local options
    for time in seconds clock; do
        make_lives in.csv $time
        for options in "critical -H .1" "inertialize -H .1 --detect-cuts 4" "tracking --detect-cuts 4" \
            "damper -H .1 --gaps linear --despike 4" "critical -H .1 --gaps linear --max-gap .3" \
            "damper -H .1 --gaps fill --mask 'x:y<2'" "timed -H .1 --time .2 --gaps restart" \
            "butterworth --cutoff 0.96 --zero-phase" "butterworth --cutoff 1 --zero-phase --lookahead .3"; do
            [[ $time == seconds || $options == critical* ]] || continue
            eval "sprung $options -c x -q --group-by life in.csv" > want.csv
            eval "sprung $options -c x -q --group-by key --forget 500ms in.csv" > got.csv
            cmp got.csv want.csv
            eval "in_pieces in.csv | sprung $options -j 4 -c x -q --group-by key --forget 0.5" | cmp - want.csv
            eval "sprung $options -c x -q --group-by key in.csv" > kept.csv || true
            ! cmp -s kept.csv want.csv
        done
    done
    sprung critical -H .1 -c x -v --group-by life in.csv 2>&1 > out.csv | grep -o '[0-9]* groups' > want
    sprung critical -H .1 -c x -v --group-by key --forget .5 in.csv 2>&1 > out.csv | grep -o '[0-9]* groups' | cmp - want
}

@test "rows in order of time and rows in order of group give the same numbers" {
    printf 'time,key,x\n' | tee in.csv > sorted.csv
    for ((i = 0; i < 400; i++)); do
        echo "$i,k$((i * i % 7)),$((i * 7 % 31))"
    done > rows
    cat rows >> in.csv
    sort -s -t, -k2,2 rows >> sorted.csv
    sprung critical -H 2 --group-by key --forget 4 in.csv | tail -n +2 | sort > want
    sprung critical -H 2 --group-by key --forget 4 sorted.csv | tail -n +2 | sort | cmp - want
    ! sprung critical -H 2 --group-by key in.csv | tail -n +2 | sort | cmp -s - want
}

# peak KEYS ARGUMENT...: peak memory in kB of the program on a stream of so many groups of one row; the messages are in
# err.txt.
peak()
{
    python3 - "$SPRUNG" "$@" 2> err.txt <<'P'
import resource, subprocess, sys
p = subprocess.Popen([sys.argv[1]] + sys.argv[3:] + ["--group-by", "key"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
p.stdin.write(b"time,key,x\n")
for first in range(0, int(sys.argv[2]), 1000):
    p.stdin.write("".join("%d.%03d,k%d,%d\n" % (i // 1000, i % 1000, i, i % 7) for i in range(first, first + 1000)).encode())
p.stdin.close()
assert p.wait() == 0
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
P
}

@test "memory is bounded where groups come and go, also where rows wait for others" {
    [[ $BUILD == *san* ]] && skip "sanitizers change memory use"
    for options in "critical -H .1" "tracking --detect-cuts 5" "critical -H .1 --gaps linear --despike 5"; do
        kept=$(peak 60000 $options) bounded=$(peak 60000 $options --forget 0.2)
        echo "$options: $kept kB, with --forget $bounded kB"
        ((bounded < 24576)) # thousands of groups have rows in the two blocks that are under way
        ((kept > bounded + 5000))
    done
}

@test "a group without rows lets the rows behind it go" {
    (printf 'time,key,x\n0,a,1\n1,b,1\n2,b,2\n'; sleep .3; printf '3,b,3\n'; sleep 3) |
        sprung inertialize -H .1 -d 0 -q --group-by key --forget 1.5 > out.csv &
    sleep 1.5
    [ "$(wc -l < out.csv)" -ge 4 ]
    wait
    [ "$(wc -l < out.csv)" = 5 ]
}

@test "a group takes at most 512 bytes a channel" {
    [[ $BUILD == *san* ]] && skip "sanitizers change memory use"
    # Both streams fill what does not depend on the number of groups.
    few=$(peak 30000 critical -H .1) many=$(peak 90000 critical -H .1)
    echo "$few kB for 30,000 groups, $many kB for 90,000"
    (((many - few) * 1024 < 60000 * 512))
}

@test "a stream of very many groups is told of --forget, once" {
    peak 99000 critical -H .1
    [ ! -s err.txt ]
    peak 102000 critical -H .1
    [ "$(cat err.txt)" = "sprung: (standard input): warning: 100000 groups so far, and each stays in memory until the input ends; --forget 60 drops groups without rows for 60 s" ]
    peak 102000 critical -H .1 --forget 1000
    [ ! -s err.txt ]
}

@test "what --forget cannot be combined with" {
    printf 'time,key,x\n0,a,1\n1,a,2\n' > in.csv
    fails 2 sprung critical -H 1 --forget 2 in.csv
    says '--forget needs --group-by'
    fails 2 sprung critical -H 1 --forget 2 --group-by key --resample 5 in.csv
    says '--forget cannot be combined with --resample'
    fails 2 sprung critical -H 1 --forget 2 --group-by key --rate 5 in.csv
    says '--forget needs a time column'
    fails 2 sprung critical -H 1 --forget 0 --group-by key in.csv
    says '--forget: must be greater than 0'
    printf 'frame,key,x\n0,a,1\n1,a,2\n' > in.csv
    fails 0 sprung critical -H 1 -c x --forget 2 --group-by key --rate 5 --time frame --time-unit frames in.csv
}
