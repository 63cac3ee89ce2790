#!/usr/bin/env bats
# inspect: what it says of made files, whose rate, gaps and spikes are known, and of the samples; its command
# lines run.
load ../common

# fact FILE EXPRESSION [ARGUMENT]...: prints a Python expression of the JSON report: r is the report, t its first table,
# c a dictionary from names to columns.
fact()
{
    local file=$1 expression=$2
    shift 2
    sprung inspect --report json "$@" "$file" | python3 -c '
import json, sys
r = json.loads(sys.stdin.readline())
assert sys.stdin.read() == ""
t = r["tables"][0]
c = {x["name"]: x for x in t["columns"]}
print(eval(sys.argv[1]))' "$expression"
}

# is FILE EXPRESSION VALUE [ARGUMENT]...
is()
{
    local got
    got=$(fact "$1" "$2" "${@:4}")
    [[ $got == "$3" ]] || { echo "$1: $2 is $got, not $3"; return 1; }
}

# made OUT [KEY=VALUE]...: a motion in x with white noise of 0.01, and y, at a rate; keys: rate=100 rows=1000 decimals=4;
# gap=FIRST:LAST (rows from 1, of x), spike=ROW:SIZE, late=ROW:SECONDS (all later rows are late).
made()
{
    python3 - "$@" <<'P'
import math, random, sys
k = dict(a.split("=") for a in sys.argv[2:])
rate, rows, decimals = float(k.get("rate", 100)), int(k.get("rows", 1000)), int(k.get("decimals", 4))
gap = [int(x) for x in k.get("gap", "0:-1").split(":")]
spike = k.get("spike", "0:0").split(":")
late = k.get("late", "0:0").split(":")
random.seed(7)
with open(sys.argv[1], "w") as f:
    f.write("time,x,y\n")
    for i in range(1, rows + 1):
        t = (i - 1) / rate + (float(late[1]) if 0 < int(late[0]) <= i else 0)
        x = math.sin(t) + random.gauss(0, .01) + (float(spike[1]) if i == int(spike[0]) else 0)
        f.write("%.*f,%s,%.3f\n" % (decimals, t, "" if gap[0] <= i <= gap[1] else "%.5f" % x, 3 + math.cos(t / 3)))
P
}

# cleans FILE [ARGUMENT]...: the command line that inspect prints runs, and writes the file that it names.
cleans()
{
    local command
    command=$(fact "$1" 'r["command"]' "${@:2}")
    rm -rf clean
    (PATH=$BATS_TEST_TMPDIR/bin:$PATH; eval "$command -q") > out.txt 2> err.txt ||
        { echo "failed: $command"; cat err.txt; return 1; }
    [[ ! -s err.txt && -s clean/$(basename "$1") ]] || { echo "odd: $command"; cat err.txt; return 1; }
}

# long FILE: adds rows to a table of a few rows, as --cutoff auto needs 20: the rows again, rising, with noise, at later times.
long()
{
    awk -F, -v OFS=, 'NR == 1 { print; next } { row[NR] = $0; step = $1 - last; last = $1 }
        END { for (k = 0; k < 25; k++) for (i = 2; i <= NR; i++) {
            $0 = row[i]; $1 += k * (last + step)
            for (c = 2; c <= NF; c++) if ($c ~ /^[0-9]*[.][0-9]+$/) $c += (NR - 1) * k + i + sin((NR * k + i) ^ 3)
            print } }' "$1" > long.tmp
    mv long.tmp "$1"
}

linked()
{
    mkdir -p bin
    ln -sf "$(realpath "$SPRUNG")" bin/sprung
}

@test "the rate, steps and span of known times" {
    made a.csv
    is a.csv '(t["time"]["rate"], t["time"]["even"], t["rows"], t["whole"], t["time"]["span"])' "(100, True, 1000, True, 9.99)"
    # 60 Hz in three decimals has steps of 16 and 17 ms; the rate is told all the same, and so is 59.94.
    made b.csv rate=60 decimals=3
    is b.csv '(t["time"]["rate"], t["time"]["even"])' "(60, True)"
    made b.csv rate=59.94 decimals=6
    is b.csv 't["time"]["rate"]' 59.94
    # As printf %g prints them, large times have fewer decimals than small ones.
    awk 'BEGIN { print "time,x"; for (i = 0; i < 2000; i++) printf "%g,%d\n", i / 120, i % 7 }' > g.csv
    is g.csv '(t["time"]["rate"], t["time"]["even"])' "(120, True)"
    # Missing rows are long steps; the rate stays.
    made c.csv late=301:0.05
    is c.csv '(t["time"]["rate"], t["time"]["steps_long"], round(t["time"]["step_most"], 9))' "(100, 1, 0.06)"
    sprung inspect c.csv | tr -s '\n ' ' ' | grep -q '1 long step (longest: 0.06 s before row 301)'
    printf 't,x\n0,1\n0.1,2\n0.35,4\n0.4,3\n0.4,3\n0.62,1\n' > d.csv
    is d.csv '(t["time"]["rate"], t["time"]["even"], t["time"]["rows_of_equal_time"])' "(None, False, 1)"
    sprung inspect d.csv | grep -q '1 row has the time of the row before'
}

@test "the unit of times and the reason for it" {
    printf 'Time (ms),x\n0,1.5\n10,2.5\n20,4.5\n' > a.csv
    is a.csv '(t["time"]["unit_seconds"], t["time"]["rate"])' "(0.001, 100)"
    sprung inspect a.csv | grep -q 'column "Time (ms)", in ms by its name'
    printf 'timestamp,x\n1700000000000,1\n1700000000010,2\n1700000000020,4\n' > b.csv
    sprung inspect b.csv | grep -q 'in ms by the size of its numbers'
    is a.csv 't["time"]["unit_seconds"]' 1 --time-unit s
    long a.csv
    fact a.csv 'r["command"]' --time-unit s | grep -q -- '--time-unit s'
    { echo time,x; for i in {0..24}; do echo "$((i * 50 / 3)),$((50 * i + i * i * 7919 % 101))"; done; } > c.csv
    sprung inspect c.csv > c.txt
    grep -q 'in s (assumed)' c.txt
    is c.csv '"butterworth --time-unit ms " in r["command"]' True
    printf 'n\nversion=1\nnRows=4\nnColumns=2\nendheader\ntime\tx\n0\t1\n16\t2\n33\t4\n50\t3\n' > c.sto
    sprung inspect c.sto > c.txt
    grep -q 'in s (by the format)' c.txt
    ! grep -q -- '--time-unit' c.txt
}

@test "options that mean nothing in the format are refused, as by the filter" {
    printf '[{"time":0,"x":1},{"time":1,"x":3}]' > in.json
    for options in '--bad-rows skip' '--header 1' --analog; do
        # shellcheck disable=SC2086
        fails 2 sprung inspect $options in.json
        says "sprung: in.json: ${options%% *}"
    done
}

@test "no time and no rate is said, and asked for" {
    printf 'a,b\n0.5,2.5\n0.7,3.5\n0.6,5.5\n' > a.csv
    long a.csv
    is a.csv '(t["time"]["rate"], "--rate 1" in r["command"])' "(None, True)"
    sprung inspect a.csv | grep -q 'no time column and no rate'
    printf 'log_clock,x\n17,1\n18,2\n' > clock.csv
    is clock.csv 't["time"]["column"]' log_clock --time 1
    is a.csv '(t["time"]["rate"], "--rate 50" in r["command"])' "(50, True)" --rate 50
}

# epochs NAME UNITS: 300 rows at 50 per second, with Unix times of so many units a second below the name, and x.
epochs()
{
    awk -v name="$1" -v units="$2" 'BEGIN { print name ",x"; for (i = 0; i < 300; i++)
        printf (units > 1 ? "%.0f,%.3f\n" : "%.2f,%.3f\n"), 1.7e9 * units + i * units / 50, sin(i / 5) + sin(i * i) / 9 }'
}

@test "Unix times in a first column, or below a name of a time, are the time" {
    for name in unixtime 'host timestamp' epoch ts; do
        for units in 1 1000 1000000; do
            epochs "$name" $units > in.csv
            is in.csv '(t["time"]["column"], t["time"]["rate"], "--rate" in r["command"])' "('$name', 50, False)"
            fact in.csv 'r["command"]' > command.txt
            rm -rf clean
            . ./command.txt
            sprung critical -q -H 0.1 in.csv > out.csv
        done
    done
    epochs x 1000 | sed 's/,x/,y/' > in.csv
    is in.csv 't["time"]["column"]' x
    # A name with another unit.
    epochs 'unixtime_ms' 1 > in.csv
    is in.csv '"--rate 1 " in r["command"]' True
    # Whole seconds at 50 rows per second: rows need a rate.
    epochs unixtime 1 | sed 's/[.][0-9]*,/,/' > in.csv
    is in.csv '("command" in r, "--rate HZ" in r["why_not"])' "(False, True)"
    is in.csv '"butterworth --rate 50 --zero-phase" in r["command"]' True --rate 50
    epochs unixtime 1 > in.csv
    is in.csv '(t["time"]["rate"], "--time" in r["command"])' "(20, False)" --rate 20
}

@test "a column of dates is the time, and the command runs" {
    { echo start,x; for i in {0..24}; do printf '2026-01-01T00:00:%02d,%d\n' $i $((50 * i + i * i * 7919 % 101)); done; } > dates.csv
    fact dates.csv 'r["command"]' > command.txt
    [ "$(cat command.txt)" = 'sprung butterworth --zero-phase --cutoff auto --output-dir clean dates.csv' ]
    . ./command.txt
    diff <(cut -d , -f 1 clean/dates.csv) <(cut -d , -f 1 dates.csv)
    # Which of month and day is first cannot be seen.
    { echo start,x; for i in {0..24}; do echo "01/0$((1 + i % 9))/2026,$((50 * i + i * i * 7919 % 101))"; done; } > unsure.csv
    is unsure.csv '"--rate 1" in r["command"]' True
}

@test "gaps: how many missing values, and the longest with its place" {
    made a.csv gap=41:52
    is a.csv '[c["x"][k] for k in ("missing", "gaps", "longest_gap", "longest_gap_row")]' "[12, 1, 12, 41]"
    is a.csv '[c["y"][k] for k in ("missing", "gaps", "longest_gap")]' "[0, 0, 0]"
    is a.csv '"--gaps fill" in r["command"]' True
    # The seconds are those that --max-gap compares.
    sprung critical -H 0.1 -d 0 --gaps linear --max-gap 0.1301s a.csv | sed -n 42p | grep -q '^[^,]*,[0-9-]'
    sprung critical -H 0.1 -d 0 --gaps linear --max-gap 0.1299s a.csv | sed -n 42p | grep -q '^[^,]*,,'
    sprung inspect a.csv | tr -s '\n ' ' ' | grep -q 'longest gap: 12 rows of "x" from row 41'
    sed 's/$/,/; 1s/,$/,none/' a.csv > none.csv # a channel without a value has no gap that could be filled
    sprung inspect none.csv | tr -s '\n ' ' ' | grep -q 'longest gap: 12 rows of "x" from row 41'
    made b.csv
    is b.csv '"--gaps" in r["command"]' False
}

@test "spikes: their number and place; noise alone has none; --despike is for markers, elsewhere a spike may be real" {
    made a.csv spike=500:0.5
    is a.csv '[c["x"][k] for k in ("spikes", "spike_row")]' "[1, 500]"
    is a.csv '"--despike" in r["command"]' False
    awk -F'\t' -v OFS='\t' 'NR == 66 { $3 += 500 } 1' "$DATA/markers.trc" > b.trc
    sprung inspect b.trc | tr -s '\n ' ' ' |
        grep -qF -- '--despike 10 bridges large spikes only, never noise; 6 finds smaller ones, too'
    made c.csv rows=20000
    is c.csv '(c["x"]["spikes"], c["y"]["spikes"])' "(0, 0)"
}

@test "spikes where rows share their times: those that are counted are bridged" {
    for seed in 202 315 507 539; do
        python3 - $seed > shared.csv <<'P'
import math, random, sys
r = random.Random(int(sys.argv[1]))
n = r.choice((19, 30, 60, 120))
x = [10 * math.sin(i / 20 + 1) + r.gauss(0, .1 * r.choice((0, .001, 1))) for i in range(n)]
for _ in range(r.choice((2, 4, 6))):
    x[r.randrange(n)] += r.choice((-1, 1)) * 10 * r.choice((.2, 1, 3, 20))
step = r.choice((1, 1, 2, 3.3333, 4))
t = r.choice((0, 0, 1000, 12.34))
print("time,x")
for v in x:
    print("%.2f,%.4f" % (t, v))
    if r.random() > .08:
        t += step / 100 * r.choice([1] * 12 + [2, 5])
P
        bridged=$(sprung critical -H 0.1 --despike 10 --report json -q -o /dev/null shared.csv |
            python3 -c 'import json, sys; print(json.load(sys.stdin)["channels"][0]["spikes"])')
        is shared.csv 'c["x"]["spikes"]' "$bridged"
    done
}

@test "the role of each column has its reason" {
    cat > a.csv <<'E'
Frame,time,label,x,utc_usec,cut
1,0,walk,1.5,9000000,0
2,0.1,walk,1.25,9100000,0
3,0.2,run,1.75,9200000,1
4,0.3,run,1.5,9300000,0
E
    is a.csv '(c["Frame"]["role"], c["Frame"]["reason"])' "('copied', 'count')"
    is a.csv '(c["time"]["role"], c["time"]["reason"])' "('time', 'named like a time')"
    is a.csv '(c["label"]["role"], c["label"]["reason"])' "('copied', 'text')"
    is a.csv '(c["x"]["role"], c["x"]["reason"])' "('channel', 'a number in the first row')"
    is a.csv 'c["utc_usec"]["reason"]' clock
    is a.csv '(c["cut"]["role"], c["cut"]["reason"])' "('copied', 'event marker or ID')"
    # The rows show a count of rows that no name tells.
    awk 'BEGIN { print "time,k,x"; for (i = 0; i < 60; i++) printf "%.1f,%d,%.2f\n", i / 10, i + 5, i / 5 + sin(i ^ 3) }' > b.csv
    is b.csv '(c["k"]["exclude"], "--exclude k" in r["command"])' "('counts rows', True)"
    # The note of a filter names the command.
    fails 0 job a.csv
    says 'not filtered'
}

@test "an angle whose filtered numbers pass the ends of the turn is still an angle" {
    awk 'BEGIN { print "time,heading"; for (i = 0; i < 400; i++) { x = i * 3.1 + 4 * sin(i); while (x >= 360) x -= 360; printf "%.2f,%.3f\n", i / 50, x < 0 ? x + 360 : x } }' > turn.csv
    is turn.csv 'c["heading"]["kind"]' angle
    sprung butterworth -q --angles heading --cutoff 3.2 --zero-phase -d 0 turn.csv > smooth.csv
    awk -F, 'NR > 1 && ($2 < -1 || $2 > 361) { n++ } END { exit !n }' smooth.csv
    is smooth.csv 'c["heading"]["kind"]' angle
}

@test "the picture of a spinning angle rises, and a column that is left out does not decide the filter" {
    awk 'BEGIN { print "time,yaw,k"; for (i = 0; i < 80; i++) print i / 50 "," i * 25 % 360 "," (i > 59 ? i % 2 : "") }' > spin.csv
    sprung inspect spin.csv | grep -q ' yaw .*⣀.*⠉ '
    is spin.csv '("--exclude k " in r["command"], "butterworth" in r["command"])' "(True, True)"
}

@test "quaternions by their length, angles by their wraps, qualities by their names" {
    python3 -c '
import math
print("time,hip_w,hip_x,hip_y,hip_z,yaw,p_x,p_likelihood")
for i in range(200):
    a = i / 50
    s = -1 if i % 3 == 0 else 1
    print("%.2f,%.6f,%.6f,0,%.6f,%.3f,%.3f,%.2f" % (i / 100, s * math.cos(a), s * 0.6 * math.sin(a), s * 0.8 * math.sin(a),
          (i * 7.3 + 180) % 360 - 180, 10 + a, 0.9 if i % 50 else 0.3))' > a.csv
    is a.csv '[c["hip_" + k]["kind"] for k in "wxyz"]' "['rotation', 'rotation', 'rotation', 'rotation']"
    # Of q and -q the sign is no spike.
    is a.csv 'sum(c["hip_" + k]["spikes"] for k in "wxyz")' 0
    is a.csv '(c["yaw"]["kind"], c["yaw"]["period"], c["yaw"]["spikes"])' "('angle', 360, 0)"
    is a.csv '(c["p_likelihood"]["role"], c["p_likelihood"]["reason"])' "('mask', 'read by --mask')"
    is a.csv 'all(x in r["command"] for x in ("--angles yaw ", "--mask '\''*_x:*_likelihood<0.6'\''"))' True
    linked
    cleans a.csv
    [ "$(sed 1d clean/a.csv | column 6 | awk '$1 < -190 || $1 > 190 { n++ } END { print n + 0 }')" = 0 ]
    # What a filter takes for numbers is no quaternion for inspect.
    awk 'BEGIN { print "time,A.x,A.y,A.z,B.x,B.y,B.z"; for (i = 0; i < 9; i++) print i / 10 ",5," i ",0.5,0.5,0.5,0.5" }' > b.csv
    is b.csv '"rotation" in str(r)' False
}

@test "a quaternion with rows of four zeros has gaps" {
    linked
    awk 'BEGIN { print "time,x,hip_w,hip_x,hip_y,hip_z"
        for (i = 0; i < 80; i++) {
            a = i * .03; z = i >= 40 && i < 45
            printf "%.2f,%.1f,%.6f,%.6f,0,%.6f\n", i / 60, i + i * 37 % 11 / 2, z ? 0 : cos(a), z ? 0 : sin(a) * .6, z ? 0 : sin(a) * .8 } }' > a.csv
    is a.csv '[[c["hip_" + k][n] for n in ("kind", "missing", "spikes")] for k in "wx"]' "[['rotation', 5, 0], ['rotation', 5, 0]]"
    is a.csv '("--gaps fill" in r["command"], "--exclude" in r["command"])' "(True, False)"
    cleans a.csv
}

@test "text among the numbers of a channel is found, where a filter stops" {
    printf 'time,x,y\n0,1.5,2.0\n1,lost,2.5\n2,3.5,2.1\n3,lost,2.2\n4,3.1,2.3\n' > a.csv
    fails 2 job a.csv
    is a.csv '[c["x"][k] for k in ("texts", "text", "text_row", "missing")]' "[2, 'lost', 2, 2]"
    long a.csv
    is a.csv '"--exclude x" in r["command"]' True
    linked
    cleans a.csv
    is a.csv '"--missing lost" in r["command"]' True --missing lost
}

@test "series whose rows are mixed are told apart" {
    cp "$DATA/groups.csv" .
    is groups.csv '(t["group_by"], t["series"], "--group-by actor" in r["command"])' "('actor', 2, True)"
    is groups.csv 't["time"]["rows_backward"]' 0
    # A device, not its version, which stands first.
    awk 'BEGIN { print "ts,fw,device,x"; for (i = 0; i < 60; i++) for (d = 0; d < 3; d++)
        print 5 * i + d % 2 ",v" (d > 1) "," substr("abc", d + 1, 1) "," sin(i / 9) + d }' > fw.csv
    is fw.csv 't["group_by"]' device
    # By numbers, too.
    printf 'id,time,x\n7,0,1.5\n9,0.05,3\n7,0.02,1.25\n9,0.07,3\n7,0.1,1.25\n9,0.09,3\n' > b.csv
    is b.csv 't["group_by"]' id
}

@test "--group-by: what is said is said of the series, and the command has the option" {
    linked
    awk 'BEGIN { print "device,time,x"
        for (i = 0; i < 60; i++) for (d = 0; d < 2; d++)
            printf "%s,%.3f,%s\n", (d ? "b" : "a"), i / 30, (d && i ~ /^2[123]$/ ? "" : sin(i / 9) + 40 * d + (i * i % 7) / 50) }' > a.csv
    is a.csv '(t["series"], t["time"]["rate"], t["time"]["rows_backward"])' "(2, 30, 0)" --group-by device
    is a.csv '[c["x"][k] for k in ("spikes", "missing", "gaps", "longest_gap", "longest_gap_row")]' "[0, 3, 1, 3, 44]" --group-by device
    is a.csv '"--group-by device --gaps fill" in r["command"]' True --group-by device
    cleans a.csv --group-by device
}

# Rows of three joints, whose times rise from row to row; further columns by a program of awk that prints them, as "w".
mixed_rows() # [PROGRAM]
{
    awk 'BEGIN { split("hip knee toe", joint); print "time,joint,x,y,w"
                 for (i = 0; i < 60; i++)
                     for (m = 1; m <= 3; m++) {
                         printf "%.3f,%s,%.3f,%.3f,", i / 30 + m / 100, joint[m], sin(i / 9) + 3 * m, cos(i / 7) - 9 * m
                         '"${1-print \"-\"}"'
                     } }'
}

@test "mixed series are told apart by labels that change from row to row" {
    mixed_rows > a.csv
    is a.csv '(t["group_by"], t["series"], t["time"]["rate"], "--group-by joint" in r["command"])' "('joint', 3, 30, True)"
    linked
    cleans a.csv
    # The command is right: each joint alone comes out the same.
    sprung butterworth --zero-phase --cutoff auto -d 0 --group-by joint a.csv | grep toe > together.csv
    grep -e time -e toe a.csv | sprung butterworth --zero-phase --cutoff auto -d 0 | grep toe | cmp - together.csv
    # Without times, too: the rate counts the rows of each series.
    cut -d, -f2- a.csv > b.csv
    is b.csv '(t["group_by"], "--group-by joint --rate 1" in r["command"])' "('joint', True)"
    cleans b.csv
    sprung inspect --rate 30 b.csv | grep -q '^  *--group-by joint'
    # By numbers.
    sed 's/joint/id/; s/hip/4/; s/knee/2/; s/toe/8/' a.csv > c.csv
    is c.csv 't["group_by"]' id
    cleans c.csv
}

@test "times that go backward: no command, and the reason" {
    { echo time,x; for i in {0..40}; do echo "$((i == 30 ? 28 : i)),$((50 * i + i * i * 7919 % 101))"; done; } > a.csv
    is a.csv '("group_by" in t, "command" in r)' "(False, False)"
    sprung inspect a.csv | tr -s '\n ' ' ' | grep -qF 'time goes backward: --bad-rows skip leaves such rows out'
}

@test "a value that a channel jumps to and back from is missing; a state is left out" {
    linked
    awk 'BEGIN { print "time,x,gear"
        for (i = 0; i < 120; i++) print i / 100 "," (i % 40 > 36 ? -4000 : 100 + 5 * sin(i / 9)) "," int(i / 30) }' > a.csv
    is a.csv '("--missing -4000 " in r["command"], "--exclude gear " in r["command"], c["gear"]["exclude"])' "(True, True, 'a state: few whole numbers')"
    cleans a.csv
    cut -d, -f1,3 a.csv > e.csv
    is e.csv '("command" in r, "no column that looks like motion" in r["why_not"])' "(False, True)"
    # A value that another channel has, too, stays; so does the least of a motion.
    awk 'BEGIN { print "time,x,y"; for (i = 0; i < 120; i++) print i / 100 "," (i % 40 > 36 ? 0 : 100 + 5 * sin(i / 9)) "," i % 17 }' > b.csv
    is b.csv '"--missing" in r.get("command", "")' False
    # A marker at 0 0 0 is lost.
    awk -F'\t' -v OFS='\t' 'NR > 12 && NR < 16 { $3 = $4 = $5 = 0 } 1' "$DATA/markers.trc" > c.trc
    is c.trc '"--missing 0 " in r["command"]' True
    cleans c.trc
    # Confidences beside numbered coordinates.
    awk 'BEGIN { print "time,x0,y0,c0"; for (i = 0; i < 60; i++) print i / 30 "," sin(i / 9) "," cos(i / 9) "," (i == 30 ? 0.1 : 0.9) }' > d.csv
    is d.csv '("--mask '"'x*,y*:c*<0.6'"'" in r["command"], c["c0"]["role"])' "(True, 'mask')"
    cleans d.csv
    # A point that is never sure keeps its values: no mask hides a whole channel.
    awk 'BEGIN { print "time,x0,y0,c0,x1,y1,c1"
        for (i = 0; i < 60; i++) print i / 30 "," sin(i / 9) "," cos(i / 9) "," (i == 30 ? 0.1 : 0.9) ",5," i % 7 ",0.4" }' > e.csv
    is e.csv '("--mask" in r.get("command", ""), c["x1"]["missing"])' "(False, 0)"
}

@test "a time that repeats: inspect asks for another clock, which leaves the time alone" {
    linked
    awk 'BEGIN { print "time,timestamp,x"
        for (i = 0; i < 60; i++) printf "%d,%.0f,%.3f\n", i / 10, 1.7e12 + 40 * i, sin(i / 9) }' > a.csv
    is a.csv '("command" in r, "try --time COLUMN with another clock, --group-by" in r["why_not"])' "(False, True)"
    fails 0 sprung critical -H 2 a.csv
    says 'try --rate 10, or --group-by COLUMN'
    is a.csv '(c["time"]["role"], t["time"]["rate"])' "('copied', 25)" --time timestamp
    cleans a.csv --time timestamp
    [ "$(head -n 1 clean/a.csv)" = time,timestamp,x ]
    [ "$(sprung critical -H 2 -t timestamp -q a.csv | head -n 1)" = time,timestamp,x,x_vel,x_acc ]
    cut -d, -f1,3 a.csv > b.csv
    is b.csv '("command" in r, "--group-by COLUMN if" in r["why_not"])' "(False, True)"
}

@test "a jump where a label changes is said: takes may be joined" {
    awk 'BEGIN { print "time,trial,x,y"; for (i = 0; i < 90; i++)
        printf "%.2f,%s,%.3f,%.3f\n", i / 50, i < 30 ? "walk" : "run", sin(i / 9) + 4 * (i >= 30), cos(i / 9) }' > a.csv
    is a.csv '(t["jump_row"], t["jump_column"], "--group-by" in r["command"])' "(31, 2, False)"
    sprung inspect a.csv | tr -s '\n ' ' ' |
        grep -qF 'values jump where "trial" changes (farthest: row 31); if these are separate takes: --group-by trial'
    is a.csv '(t["jump_row"], t["series"])' "(0, 2)" --group-by trial
    # The number of a take is no label, but a state.
    sed 's/trial/take/; s/walk/1/; s/run/2/' a.csv > take.csv
    is take.csv '(t["jump_row"], t["jump_column"])' "(31, 2)"
    # A label that changes without a jump, and a jump elsewhere.
    awk -F, -v OFS=, 'NR > 31 { $3 -= 4 } 1' a.csv > b.csv
    is b.csv 't["jump_row"]' 0
    awk -F, -v OFS=, 'NR > 50 { $3 += 9 } 1' a.csv > c.csv
    is c.csv 't["jump_row"]' 0
    # Where it changes in many rows, these are of several series, which no command mixes.
    awk -F, -v OFS=';' 'NR == 1 { $2 = "my device" } NR > 1 { $2 = NR * NR % 7 % 3; $3 += 90 * $2 } { $1 = $1 } 1' a.csv > d.csv
    is d.csv '("command" in r, r["why_not"])' "(False, \"the rows seem to be those of several series: try --group-by 'my device'\")"
}

# jumping VALUE EXPRESSION [TIMES]: 200 rows of x by an expression of i, in TIMES stretches of six rows the value instead.
jumping()
{
    awk -v x="$1" -v times="${3:-3}" 'BEGIN { print "time,x"; for (i = 0; i < 200; i++)
        print i / 100 "," (i % 60 > 53 && i < 60 * times ? x : '"$2"') }'
}

@test "numbers that mean a missing value by custom are advised as --missing; a limit, a state or a count is not" {
    linked
    for value in -1 999 9999 65535 -99 -9999; do
        jumping $value '40 + 5 * sin(i / 9) + (i * 7 % 11) / 10' > a.csv
        is a.csv "'--missing $value ' in r['command']" True
        cleans a.csv
        awk -F, 'NR > 1 && !($2 > 30 && $2 < 50) { exit 1 }' clean/a.csv
    done
    jumping -9999 '40 + 5 * sin(i / 9)' 1 > b.csv
    is b.csv "'--missing -9999 ' in r['command']" True
    # Of other numbers, or of rows that are near, nobody can tell.
    jumping 4095 '40 + 5 * sin(i / 9)' > c.csv
    is c.csv '"--missing" in r.get("command", "")' False
    jumping -1 '3 + 5 * sin(i / 9)' > c.csv
    is c.csv '"--missing" in r.get("command", "")' False
    # A sensor at its limit, in one direction or both; a state, and a count.
    while read -r expression; do
        jumping x "$expression" 0 > d.csv
        is d.csv '"--missing" in r.get("command", "")' False
    done << 'LIST'
(80000*sin(i/9)>65535?65535:80000*sin(i/9))
(1.3*sin(i/9)<-1?-1:1.3*sin(i/9))
(i%50<3?65535:i%50<5?20000:300+i%7)
(i%40<20?-1:5)
990+i%10
i%1000
LIST
}

@test "time that goes backward in a group is told, and no command is advised that would stop there" {
    awk 'BEGIN { print "time,device,x"; for (i = 0; i < 90; i++) print (i == 50 ? 1 : i / 10) "," (i % 2 ? "a" : "b") "," i / 5 + sin(i ^ 3) }' > a.csv
    fails 0 sprung inspect --group-by device a.csv
    [[ $out == *'time goes backward in 1 row (first: row 51)'*'--bad-rows skip leaves such rows out'* ]]
    [[ $out != *'sprung '* ]]
    fails 2 sprung critical -H 0.1 --group-by device a.csv
    says 'time goes backward'
    says 'to leave out such rows, add --bad-rows skip'
    fails 0 sprung critical -H 0.1 --group-by device --bad-rows skip a.csv
    # Times of another series that begins earlier are no fault.
    awk 'BEGIN { print "time,device,x"; for (i = 0; i < 90; i++) print (i < 45 ? i : i - 45) / 10 "," (i < 45 ? "a" : "b") "," i % 45 + sin(i ^ 3) }' > b.csv
    fails 0 sprung inspect --group-by device b.csv
    [[ $out != *backward* && $out == *'sprung '* ]]
}

@test "a column that tells no mixed series apart advises no --group-by" {
    # One label; phases that last; a label in turn, and one of each value, in a single series.
    mixed_rows | grep -e time -e hip > a.csv
    is a.csv '("group_by" in t, "--group-by" in r["command"])' "(False, False)"
    for phase in 'int(i / 9) % 2 ? "swing" : "stance"' 'i % 3 ? "swing" : "stance"' 'sin(i / 9) < 0 ? "swing" : "stance"' \
        'i < 99 ? "swing" : "stance"'; do
        awk 'BEGIN { print "time,phase,x,y"; for (i = 0; i < 180; i++) printf "%.3f,%s,%.3f,%.3f\n", i / 90, '"$phase"', sin(i / 9), cos(i / 7) }' > b.csv
        is b.csv '("group_by" in t, "--group-by" in r["command"])' "(False, False)"
    done
    # A column that says more than the label does not take its place.
    mixed_rows 'print i % 3 ? "swing" : "stance"' > c.csv
    is c.csv 't["group_by"]' joint
}

@test "a part of a large file is read, and that is said" {
    python3 -c '
print("time,x")
for i in range(200001):
    print("%.3f,%d.5" % (i / 1000, 50 * i + i * i * 7919 % 101))' > a.csv
    is a.csv '(t["rows"], t["whole"], "--zero-phase" in r["command"])' "(200000, False, True)"
    sprung inspect a.csv | tr -s '\n ' ' ' | grep -q 'rows the first 200000, 200 s columns'
    head -n 200001 a.csv > b.csv
    is b.csv '(t["rows"], t["whole"], "--zero-phase" in r["command"])' "(200000, True, True)"
    # Of many channels fewer rows are read: 4 million numbers.
    python3 -c '
print("time," + ",".join("c%d" % i for i in range(999)))
row = ",1.5" * 999
for i in range(4500):
    print("%d%s" % (i, row))' > c.csv
    is c.csv '(t["rows"], t["whole"])' "(4000, False)"
}

@test "one screen: lines of 80 columns, columns of one kind on one line" {
    python3 -c '
print("time," + ",".join("joint%d_%s" % (i, k) for i in range(30) for k in "xyz"))
for n in range(50):
    print("%.2f," % (n / 50) + ",".join("%.3f" % (i + n * n / 100) for i in range(90)))' > a.csv
    sprung inspect a.csv > a.txt
    grep -v 'sprung butterworth' a.txt > lines.txt
    narrow lines.txt
    (($(wc -l < a.txt) <= 40))
    tr -s '\n ' ' ' < a.txt | grep -q 'filtered joint0_x … joint29_z, 90 columns values (12 of 90; all: -v)'
}

@test "format, delimiter and head" {
    cp "$DATA/take.csv" "$DATA/walk.bvh" "$DATA/markers.trc" .
    sprung inspect take.csv | grep -qF 'csv, separated by ","'
    is take.csv '"--header 3,4" in r["command"]' True --header 3,4
    is walk.bvh '(r["format"], c["Hips.Zrotation"]["kind"])' "('bvh', 'rotation')"
    is markers.trc '(r["format"], t["time"]["rate"])' "('trc', 100)"
    printf '1;2\n2;4\n' > a.txt
    sprung inspect --from csv --delimiter ';' --time 1 a.txt | grep -qF 'separated by ";"'
    { echo 't;x'; for i in {0..24}; do echo "$i;$((50 * i + i * i * 7919 % 101)).5"; done; } > point.csv
    is point.csv '"--decimal . " in r["command"]' True --decimal .
    printf '[{"t":0,"x":1.5},{"t":1,"x":null}]' > a.json
    is a.json '(r["format"], c["x"]["missing"])' "('json', 1)"
}

@test "the command line runs on each sample" {
    linked
    for file in "$DATA"/*.csv "$DATA"/*.bvh "$DATA"/*.trc "$DATA"/*.sto "$DATA"/*.mot; do
        cp "$file" .
        is "$(basename "$file")" '"command" in r or "choose a --cutoff HZ" in r["why_not"]' True
        [[ $(fact "$(basename "$file")" '"command" in r') == False ]] || cleans "$(basename "$file")"
    done
}

@test "the command line runs on C3D, glTF with several tables, and audio" {
    linked
    python3 "$TOOLS/make_c3d.py" a.c3d gap=1:5:12
    is a.c3d '(r["format"], t["time"]["rate"], c["M2.x"]["missing"])' "('c3d', 100, 8)"
    cleans a.c3d
    python3 "$TOOLS/gltf.py" make a.glb
    is a.glb 'c["walk/hip.rotation.x"]["kind"]' rotation
    cleans a.glb
    python3 "$TOOLS/gltf.py" make m.glb 'animations=[["walk",[[0,"translation","f32","LINEAR",0],[0,"rotation","i16","LINEAR",1]]],["run",[[0,"translation","f32","LINEAR",0]]]]'
    is m.glb 'len(r["tables"]) > 1 and all(x["rows"] > 0 and x["name"] for x in r["tables"])' True
    cleans m.glb
    made a.csv
    sprung tracking -d 0 --rate 100 a.csv -o a.wav
    is a.wav '(r["format"], t["time"]["rate"], t["rows"])' "('wav', 100, 1000)"
    cleans a.wav
}

@test "the command line runs where a filter stops at a cell: of a rotation, of a confidence, or an infinite one" {
    linked
    awk -F, -v OFS=, 'NR == 30 { $3 = "lost it" } 1' "$DATA/joints.csv" > a.csv
    is a.csv '[c["hip_" + k]["kind"] for k in "wxyz"]' "['rotation', 'rotation', 'rotation', 'rotation']"
    is a.csv '("--exclude hip_w,hip_x,hip_y,hip_z,knee_y " in r["command"], "--quaternions" in r["command"])' "(True, False)"
    cleans a.csv
    # The mask reads the confidences: a text among them leaves no mask, unless it is given as a missing value.
    awk -F, -v OFS=, 'NR == 40 { $7 = "lost" } 1' "$DATA/pose.csv" > b.csv
    is b.csv '"--mask" in r["command"]' False
    cleans b.csv
    is b.csv '"--mask" in r["command"]' True --missing lost
    awk -v OFS=, 'BEGIN { print "time,p_x,p_y,p_likelihood,z"
        for (i = 0; i < 100; i++) print i / 100, i == 30 ? "lost it" : sin(i / 9), i == 40 ? "lost it" : cos(i / 9), 0.9, i / 5 + sin(i ^ 3) }' > p.csv
    is p.csv '("--mask" in r["command"], "--exclude p_x,p_y " in r["command"])' "(False, True)"
    cleans p.csv
    python3 - <<'P'
import struct
def write(name, head, values):
    with open(name, "wb") as f:
        f.write(head + struct.pack("<%df" % len(values), *values))
bad = float("inf")
shape = b"{'descr': '<f4', 'fortran_order': False, 'shape': (60, 2), }".ljust(117) + b"\n"
write("e.npy", b"\x93NUMPY\1\0" + struct.pack("<H", len(shape)) + shape, [bad if i == 14 else 50 * i + i * i * 7919 % 101 for i in range(120)])
wave = struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + 480, b"WAVE", b"fmt ", 16, 3, 2, 100, 800, 8, 32, b"data", 480)
write("f.wav", wave, [bad if i == 14 else (50 * i + i * i * 7919 % 101) / 7000 for i in range(120)])
P
    is e.npy '(c["1"]["texts"], c["1"]["text_row"], "--exclude 1 " in r["command"])' "(1, 8, True)"
    is f.wav '(c["ch1"]["texts"], c["ch1"]["text_row"], "--exclude ch1 " in r["command"])' "(1, 8, True)"
    sprung inspect f.wav | grep -F '(infinite values, first "inf" in row 8)'
    cleans e.npy
    cleans f.wav
    # A quaternion of glTF is excluded as a whole.
    python3 "$TOOLS/gltf.py" make g.glb 'animations=[["walk",[[0,"translation","f32","LINEAR",0],[0,"rotation","f32","LINEAR",0]]]]'
    python3 - <<'P'
import json, struct
data = bytearray(open("g.glb", "rb").read())
n = struct.unpack_from("<I", data, 12)[0]
document = json.loads(data[20:20 + n])
accessor = document["accessors"][document["animations"][0]["samplers"][1]["output"]]
struct.pack_into("<f", data, 28 + n + document["bufferViews"][accessor["bufferView"]]["byteOffset"] + 48, float("inf"))
open("g.glb", "wb").write(data)
P
    is g.glb '[x["texts"] for x in t["columns"][1:]]' '[0, 0, 0, 1, 0, 0, 0]'
    cleans g.glb
    is g.glb '"--exclude walk/hip.rotation.x,walk/hip.rotation.y,walk/hip.rotation.z,walk/hip.rotation.w " in r["command"]' True
    sprung inspect -c '*rotation*' g.glb | grep -F 'no column that looks like motion can be filtered'
}

@test "the command line of any file runs, leads to the truth, and bridges the spikes that are counted" {
    mkdir -p drawn
    cd drawn
    python3 "$TOOLS/advised.py" "$(realpath "$SPRUNG")" truth
    python3 "$TOOLS/advised.py" "$(realpath "$SPRUNG")" 150
    python3 "$TOOLS/advised.py" "$(realpath "$SPRUNG")" "$DATA"/*.*
}

@test "names that a shell or a list could misread" {
    linked
    made 'it is a "test".csv'
    cleans 'it is a "test".csv'
    cp 'it is a "test".csv' -- -x.csv
    fact ./-x.csv 'r["command"]' > /dev/null
    printf 'time,"a,b",=3,*\n0,1.5,0,2\n1,2.5,1,2\n2,1.5,0,2.5\n3,1.0,1,2\n' > b.csv
    long b.csv
    is b.csv '"3,*" in r["command"]' True
    cleans b.csv
}

@test "standard input, several files" {
    made a.csv
    sprung inspect < a.csv > stdin.txt
    grep -q '^(standard input)$' stdin.txt
    command=$(sprung inspect --report json - < a.csv | python3 -c 'import json, sys; print(json.load(sys.stdin)["command"])')
    linked
    PATH=$BATS_TEST_TMPDIR/bin:$PATH bash -c "$command" < a.csv > out.csv
    [ "$(wc -l < out.csv)" = 1001 ]
    [ "$(head -n 1 out.csv)" = time,x,y ]
    cp a.csv b.csv
    sprung inspect a.csv b.csv --report json | python3 -c '
import json, sys
print(*[json.loads(x)["file"] for x in sys.stdin])' > names.txt
    [ "$(cat names.txt)" = "a.csv b.csv" ]
}

@test "files that cannot be read: status 2, and the others are reported" {
    : > empty.csv
    made a.csv
    fails 2 sprung inspect empty.csv missing.csv . a.csv
    says 'empty.csv: the file is empty'
    says 'missing.csv: cannot open'
    says 'Is a directory'
    [ "$(grep -c '^format' out.txt)" = 1 ]
    # What came before a fault is told; JSON has the error beside it.
    printf 'time,x\n0,1.5\n1,2\nabc,3\n' > b.csv
    fails 2 sprung inspect b.csv
    says 'b.csv:4: column "time": not a number: "abc"'
    grep -q '^rows      the first 2' out.txt
    fails 2 sprung inspect --report json b.csv
    python3 -c 'import json; r = json.load(open("out.txt")); assert r["error"] == "not a number" and "command" not in r'
    # Where the fault leaves no row, no table of nothing is told.
    printf 'time,x\n0,1\n1,2\n\nDevices\n3,4\n' > sections.csv
    fails 2 sprung inspect sections.csv
    says 'sections.csv:4: a blank line between rows'
    ! grep -q '^rows' out.txt
    # Without rows there is nothing to clean.
    printf 'time,x\n' > c.csv
    is c.csv '(t["rows"], "command" in r)' "(0, False)"
    sprung inspect c.csv | grep -q 'there are no rows'
    fails 2 sprung inspect --columns nothing a.csv
    says 'nothing'
}

@test "what a terminal would obey is escaped, in names, cells and the advised command" {
    name=$'ev\x1bil\xc2\x9b.csv'
    printf 'time,x\x1b[31m,y\xc2\x9bz,w\xe2\x80\xae,q\xff\n0,1,2,3,te\x1b]0;hi\x07xt\n1,2,3,4,b\xc2\x9b\n2,2,n\x1bo,4,b\n3,n\xffa,3,4,b\n' > "$name"
    for i in {3..22}; do echo "$i,2,2,$((50 * i + i * i * 7919 % 101)),b"; done >> "$name"
    sprung inspect "$name" > report.txt
    [ "$(LC_ALL=C grep -cP '\x1b|\x07|\x9b|\xe2\x80\xae|\xff' report.txt)" = 0 ]
    # the advised command is one that the shell reads back as the name of the file
    command=$(grep '^  sprung [bc]' report.txt)
    [[ $command == *" \$'ev\\x1Bil\\xC2\\x9B.csv'" ]]
    eval "set -- $command"
    [ "${*: -1}" = "$name" ]
    sprung inspect --report json "$name" > report.json
    [ "$(LC_ALL=C grep -cP '\x1b|\x07|\xff' report.json)" = 0 ]
}

@test "--bad-rows skip: rows that cannot be used are left out, and the command repeats the option" {
    awk 'BEGIN { print "time,x"; for (i = 0; i < 60; i++) print i / 100 "," sin(i / 5) + sin(i ^ 3) / 5; print "0.6" }' > in.csv
    fails 2 sprung inspect in.csv
    says 'expected 2 cells, found 1'
    says 'hint: to leave such rows out: --bad-rows skip'
    sprung inspect --bad-rows skip in.csv > out.txt
    grep -q '^rows      60, ' out.txt
    grep -q '^  sprung butterworth --bad-rows skip --zero-phase --cutoff auto --output-dir clean in.csv$' out.txt
}

@test "where auto may take motion for noise, inspect and the command say so in the same words, once" {
    awk 'BEGIN { print "time,x,y"; for (i = 0; i < 300; i++) printf "%.2f,%.9f,%.9f\n", i / 100, sin(i / 20), cos(i / 30) }' > quiet.csv
    awk -F, -v OFS=, 'NR > 1 { $3 += sin(NR ^ 3) / 9 } 1' quiet.csv > noisy.csv
    local words='what auto removes may be motion, not noise; to decide, give --cutoff HZ'
    local said='channel "x" and 1 more: '
    [ "$(sprung inspect quiet.csv | tr -s '\n ' ' ' | grep -oF "$said$words" | wc -l)" = 1 ]
    [ "$(sprung butterworth --zero-phase --cutoff auto quiet.csv 2>&1 > out.csv | grep -cF "$said$words")" = 1 ]
    # If there is nothing else to do, no command is advised.
    is quiet.csv '("command" in r, r["why_not"][:40])' "(False, '--cutoff auto cannot tell noise from mot')"
    is noisy.csv '"--cutoff auto" in r["command"]' True
}

@test "a stream with late rows and texts: what is wrong and what helps; with --bad-rows skip as the filter sees it" {
    python3 -c "
import math
for i in range(900):
    device = 'abc'[i % 3]
    late = .25 if i % 97 == 50 else 0
    temp = '\"err\"' if i % 31 == 7 else '%.1f' % (20 + 3 * math.sin(i / 80 + i % 3) + i % 3 * 4)
    print('{\"ts\":%.3f,\"device\":\"%s\",\"temp\":%s}' % (i / 30 - late, device, temp))" > s.jsonl
    sprung inspect s.jsonl > out.txt
    grep -q 'text in later rows, first "err"' out.txt
    tr -s '\n ' ' ' < out.txt | grep -q 'time goes backward: --bad-rows skip leaves such rows out'
    sprung inspect --bad-rows skip s.jsonl > out.txt
    grep -q 'filtered *temp' out.txt
    grep -q 'sprung butterworth --bad-rows skip --group-by device .*--cutoff auto' out.txt
    eval "$(sed -n 's/^  sprung /sprung /p' out.txt)"
    [ -s clean/s.jsonl ]
    printf 'time,x\n0,1\n1,off\n2,3\n' > t.csv
    sprung inspect t.csv | tr -s ' \n' ' ' | grep -qF 'if "off" means a gap, add --missing off'
}
