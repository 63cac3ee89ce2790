#!/usr/bin/env bats
# --cutoff: the gain of the whole operation is 1/sqrt 2 there; and what --verbose says a parameter is equivalent to. The
# formulas by transfer functions: unit/springs/test_cutoff.c.
load ../common

# Filters with --cutoff, one line each.
cutoffs()
{
    cat <<'LIST'
damper
critical
critical --goal-velocity difference
double
spring -z 0.2
spring -z 0.7071067811865476
spring -z 1
spring -z 4
spring -z 0.5 --goal-velocity difference
LIST
}

# gain FIRST LAST: of CSV with an input sine of 200 rows a cycle in column 1 and its output in column 2, from rows that are whole cycles.
gain()
{
    awk -F, -v first="$1" -v last="$2" '
        NR > first + 1 && NR <= last + 1 {
            u = 3.14159265358979 / 100 * NR
            a += $1 * sin(u); b += $1 * cos(u); c += $2 * sin(u); d += $2 * cos(u)
        }
        END { print sqrt((c * c + d * d) / (a * a + b * b)) }'
}

# near GOT WANT RELATIVE
near()
{
    awk -v got="$1" -v want="$2" -v most="$3" 'BEGIN { d = got / want - 1; exit !(d < most && -d < most) }' || { echo "$1, not $2"; return 1; }
}

@test "a long sine at the cutoff comes out at 1/sqrt 2, with one pass" {
    awk 'BEGIN { print "x"; for (n = 0; n < 6000; n++) printf "%.15g\n", sin(n * 3.14159265358979324 / 100) }' > sine.csv
    while read -r filter; do
        for run in 0.02; do
            # shellcheck disable=SC2086
            sprung $filter --cutoff $run --hold linear --rate "$(awk "BEGIN { print 200 * ${run% --*} }")" -d 0 sine.csv | paste -d, sine.csv - > out.csv
            near "$(gain 2000 4000 < out.csv)" 0.7071067811865476 1e-3 || { echo "$filter $run"; return 1; }
        done
    done < <(cutoffs)
}

@test "on rows the gain at the cutoff is 1/sqrt 2 with either hold, up to four tenths of the row rate" {
    SPRUNG="$SPRUNG" python3 "$TOOLS/cutoff.py"
}

@test "--options and other options of the speed: the same one is replaced, another is refused" {
    printf 'time,x,y\n' > in.csv
    awk 'BEGIN { for (n = 0; n < 100; n++) print n / 100 "," n % 7 "," n % 11 }' >> in.csv
    sprung butterworth --cutoff 3 --zero-phase -d 0 in.csv > three.csv
    sprung butterworth --cutoff 8 --zero-phase -d 0 in.csv > eight.csv
    echo '--cutoff 8 --zero-phase' > options.txt
    sprung butterworth --options options.txt -d 0 in.csv | cmp - eight.csv
    sprung butterworth --options options.txt --cutoff 3 -d 0 in.csv | cmp - three.csv
    echo '-H 9' > options.txt
    fails 2 sprung critical --options options.txt --cutoff 3 -d 0 in.csv
    says '--halflife cannot be combined with --cutoff'
}

@test "mistakes: a cutoff that is not positive, beside another speed, or of a spring without a damping ratio" {
    for hz in 0 -1 nan inf x; do
        fails 2 sprung damper --cutoff $hz
        says '--cutoff'
    done
    fails 2 sprung critical --cutoff 1 -H 1
    says '--halflife cannot be combined with --cutoff'
    fails 2 sprung double
    says 'double needs --halflife or --cutoff'
    fails 2 sprung spring --cutoff 1 --damping 2
    says '--cutoff cannot be combined with --damping, only with --damping-ratio'
    fails 2 sprung spring --cutoff 1
    says '--damping-ratio'
    fails 2 sprung tracking --cutoff 1
    says 'this is an option of damper, critical, spring, butterworth, double'
}

# equal FILE NAME WANT: what a line "equivalent to" says.
equal()
{
    near "$(grep -o " $2 [^ ,;]*" "$1" | cut -d' ' -f 3)" "$3" 5e-6 || { echo "$2:"; cat "$1"; return 1; }
}

@test "verbose tells what the parameter is equivalent to" {
    printf 'time,x,y\n0,1,2\n1,2,3\n2,3,4\n' > in.csv
    value() { awk "BEGIN { ln2 = log(2); pi = 3.14159265358979; H = 0.3; F = 2; z = 0.4; printf \"%.12g\", $1 }"; }
    sprung damper -H 0.3 -v in.csv 2>&1 > /dev/null | grep equivalent > line.txt
    equal line.txt 'halflife' 0.3
    equal line.txt 'lag' "$(value 'H / ln2')"
    equal line.txt 'cutoff' "$(value 'ln2 / H / (2 * pi)')"
    sprung critical -H 0.3 -v in.csv 2>&1 > /dev/null | grep equivalent > line.txt
    equal line.txt 'lag' "$(value 'H / ln2')"
    equal line.txt 'cutoff' "$(value '2 * ln2 / H / (2 * pi) * sqrt(sqrt(2) - 1)')"
    sprung butterworth --cutoff 0.32 --zero-phase -v in.csv 2>&1 > /dev/null | grep equivalent > line.txt
    equal line.txt 'cutoff' 0.32
    grep -q 'Hz of both passes' line.txt
    sprung double -H 0.3 -v in.csv 2>&1 > /dev/null | grep equivalent > line.txt
    equal line.txt 'lag' "$(value 'H / ln2')"
    equal line.txt 'cutoff' "$(value '4 * ln2 / H / (2 * pi) * sqrt(2 ^ 0.25 - 1)')"
    sprung spring -f 2 -z 0.4 -v in.csv 2>&1 > /dev/null | grep equivalent > line.txt
    equal line.txt 'halflife' "$(value 'ln2 / (z * pi * F)')"
    equal line.txt 'lag' "$(value 'z / (pi * F)')"
    equal line.txt 'cutoff' "$(value 'F * sqrt(1 - 2 * z * z + sqrt((1 - 2 * z * z) ^ 2 + 1))')"
    # Infinite values are left out, and filters without a half-life of the whole have no such line.
    fails 0 sprung spring -f 2 -z 0 -v in.csv
    says 'equivalent to lag 0 s, cutoff'
    fails 0 sprung resonance -H 1 --frequencies 2 -v in.csv
    [[ $err != *equivalent* ]]
}

@test "a cutoff above 0.45 of the row rate is an error, by --rate or by the median of the first steps" {
    seq 0 40 | sed '1s/^/x\n/' > rows.csv
    fails 2 sprung critical --cutoff 16 --rate 30 rows.csv
    says '--cutoff 16 is too high for 30 rows per second: the maximum is 13.5 Hz'
    says 'hint: try --cutoff 3'
    fails 2 sprung critical --cutoff 13.7 --rate 30 rows.csv
    sprung critical --cutoff 13.5 --rate 30 rows.csv > out.csv
    awk 'BEGIN { print "time,x"; for (n = 0; n < 40; n++) print n / 10 "," n }' > times.csv
    fails 2 sprung critical --cutoff 5.5 -o out.csv times.csv
    says 'times.csv: --cutoff 5.5 is too high for 10 rows per second: the maximum is 4.5 Hz'
    says 'hint: try --cutoff 1'
    sprung critical --cutoff 4.5 times.csv 2> err.txt > out.csv
    ! grep -q 'too high' err.txt
    # The median, not the mean: after a pause of 20 s as well. Each series has its own rate.
    awk 'BEGIN { print "time,x"; for (n = 0; n < 40; n++) print n / 10 + (n > 0 ? 20 : 0) "," n }' > pause.csv
    sprung damper --cutoff 4.5 pause.csv > out.csv
    awk 'BEGIN { print "g,t,x"; for (n = 0; n < 40; n++) print "a," n / 100 "," n "\nb," n / 10 "," n }' > two.csv
    fails 2 sprung spring --cutoff 6 --damping-ratio 1 --group-by g two.csv
    says '--cutoff 6 is too high for 10 rows per second'
    # Of rows of one time, too.
    printf 'time,x\n0,1\n0.25,\n0.25,\n0.5,2\n' > joined.csv
    fails 2 sprung critical --cutoff 8 joined.csv
    says '--cutoff 8 is too high for 4 rows per second'
    # Row by row, the first step counts.
    for options in "" "--zero-phase --lookahead 0" "--zero-phase --lookahead 1"; do
        # shellcheck disable=SC2086
        fails 2 sprung butterworth --cutoff 5.5 $options < <(printf "t,x\n0,1\n"; sleep 0.2; printf "0.1,2\n0.2,3\n")
        says '--cutoff 5.5 is too high for 10 rows per second'
    done
}

@test "--zero-phase: a cutoff above 0.45 of the row rate of the whole series is an error" {
    # 60 rows a second with three decimals, and after 20 rows a pause of 3 s: the rate is 60 Hz all the same.
    awk 'BEGIN { print "time,x"; for (n = 0; n < 40; n++) printf "%.3f,%d\n", n / 60 + (n >= 20 ? 3 : 0), n % 7 }' > times.csv
    fails 2 sprung butterworth --cutoff 31 --zero-phase times.csv
    says '--cutoff 31 is too high for '
    sprung butterworth --cutoff 26.9 --zero-phase times.csv 2> err.txt > out.csv
    [ ! -s err.txt ]
}

@test "a cutoff that does not suit a slow file: the hint is one that works there, as long as the file is" {
    for step in 0.001 0.7 1 60 86400; do
        awk -v T=$step 'BEGIN { print "time,x"; for (n = 0; n < 12; n++) print n * T "," n % 5 }' > slow.csv
        for phase in "" --zero-phase; do
            # shellcheck disable=SC2086
            fails 2 sprung butterworth --cutoff 1e4 $phase slow.csv
            hint=$(grep "hint:" <<< "$err" | grep -o -- "--cutoff [0-9.e-]*")
            # shellcheck disable=SC2086
            fails 0 sprung butterworth $hint $phase -d 0 slow.csv
            [ -z "$err" ]
            [ "$(cut -d, -f2 <<< "$out" | sort -u | wc -l)" -gt 11 ]
        done
    done
}

@test "times of float32 in print count as even: --zero-phase gives what the exact times give" {
    python3 - <<'P'
import math, struct
single = lambda x: struct.unpack("f", struct.pack("f", x))[0]
with open("single.csv", "w") as a, open("exact.csv", "w") as b:
    a.write("time,x\n"); b.write("time,x\n")
    for n in range(400):
        x = math.sin(n * 0.4)
        a.write("%.9g,%.12g\n" % (single(n / 30), x)); b.write("%.15g,%.12g\n" % (n / 30, x))
P
    for file in single exact; do
        sprung butterworth --cutoff 5 --zero-phase -d 0 $file.csv | column 2 > $file.txt
    done
    paste -d, single.txt exact.txt | awk -F, 'NR > 1 { d = $1 - $2; if (d * d > most) most = d * d; n++ } END { print most; exit !(n == 400 && most < 1e-12) }'
}
