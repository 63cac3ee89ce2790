#!/usr/bin/env bats
# response: curves from the filters' own equations, the summary. Closed forms: unit/view/test_response.c.
load ../common

# Filters with a response, one line each with parameters.
linear()
{
    cat <<'LIST'
damper -H 0.1
damper --method lerp --factor 0.1
damper -H 0.1 --hold linear
critical -H 0.1
critical -H 0.1 --goal-velocity difference
spring -f 1 -z 0.2
spring -f 1 -z 0
second-order -f 2 -z 0.5 -r -2
second-order -f 2 -z 0.5 -r 1 --method pole-zero
double -H 0.1
one-euro
one-euro --method published --min-cutoff 3
tracking
tracking --acceleration-gain 0.5 --position-gain 0.1
tracking --method spring-damper
LIST
}

@test "columns: time, input, output and its derivatives, from rest at 0" {
    sprung response critical -H 0.1 > r.csv
    [ "$(head -n 2 r.csv)" = 'time,input,output,output_vel,output_acc
0,0,0,0,0' ]
    [ "$(sprung response critical -H 0.1 --step | cmp - r.csv)" = "" ]
    [ "$(sed 1,2d r.csv | column 2 | sort -u)" = 1 ]
    [ "$(sprung response damper -H 0.1 --bode | head -n 1)" = frequency,gain_db,phase_deg ]
}

@test "filtering the column input gives the very same output, for every linear filter" {
    while read -r filter; do
        # shellcheck disable=SC2086
        sprung response $filter --rate 60 --duration 3 > r.csv
        # shellcheck disable=SC2086
        column 1,2 < r.csv | sed '1a -1,0' | sprung $filter --rate 60 -x time -d 2 | sed 1,2d | column 2-4 > want.txt
        sed 1d r.csv | column 3-5 > got.txt
        [ "$(wc -l < got.txt)" = 181 ]
        cmp want.txt got.txt || { echo "$filter"; return 1; }
    done < <(linear)
}

@test "with --zero-phase that holds far from the ends, as help says" {
    for duration in 0.4 4; do
        sprung response butterworth --cutoff 3 --zero-phase --rate 200 --duration $duration --to csv > r.csv
        sprung butterworth --cutoff 3 --zero-phase -c input -d 0 r.csv > f.csv
        awk -F, -v OFS=, 'FNR == 1 || ($1 > -0.3 && $1 < 0.3)' r.csv > want.csv
        awk -F, -v OFS=, 'FNR == 1 || ($1 > -0.3 && $1 < 0.3) { print $1, $2 }' f.csv | sed 's/input/output/' > got.csv
        [[ $duration = 4 ]] && agrees=0 || agrees=1
        status=0
        sprung diff --abs 1e-6 -q -c output want.csv got.csv || status=$?
        ((status == agrees)) || { echo "$duration: $status"; return 1; }
    done
    sprung help response | tr -s ' \n' ' ' | grep -F 'with --zero-phase only far from the first and last row'
}

@test "duration and rate are the user's, or suit the filter, however fast it is" {
    [ "$(sprung response damper -H 1 --rate 10 --duration 2 | wc -l)" = 22 ]
    for h in 1e-9 1e-3 1 1e6; do
        sprung response critical -H $h > r.csv
        n=$(wc -l < r.csv)
        ((n >= 402 && n <= 1002))
        tail -n 1 r.csv | column 3 | grep -qE '^0\.99[0-9]+$|^1\.00'
    done
    fails 2 sprung response damper -H 1 --rate 1e6 --duration 1e6
    says '--duration'
}

@test "summary: five numbers, as text and csv" {
    [ "$(sprung response critical -H 0.1 --summary)" = 'lag              0.14427 s behind constant-velocity motion
rise time        0.242222 s from 10 to 90 %
overshoot        0 %
settling time    0.420828 s until within 2 %
-3 dB frequency  1.42 Hz' ]
    sprung response second-order -f 2 -z 0.5 -r 0 --summary --to csv > s.csv
    python3 - <<'PY'
import csv, math
s = {key: float(value) for key, value in next(csv.DictReader(open("s.csv"))).items()}
w, z = 4 * math.pi, 0.5
assert abs(s["lag"] - 2 * z / w) < 1e-6 * s["lag"]
assert abs(s["overshoot"] - math.exp(-math.pi * z / math.sqrt(1 - z * z))) < 1e-6
assert set(s) == {"lag", "rise_time", "overshoot", "settling_time", "frequency_3db"}
PY
    [ "$(sprung response spring -f 1 -z 0 --summary | grep settling)" = 'settling time    none' ]
    [ "$(sprung response damper -H 1 --summary --to csv | head -n 1)" = lag,rise_time,overshoot,settling_time,frequency_3db ]
}

@test "bode: the closed form of a damper; rate/2 is the end" {
    sprung response damper -H 0.1 --bode > b.csv
    python3 - <<'PY'
import cmath, csv, math
rows = list(csv.DictReader(open("b.csv")))
assert len(rows) > 100 and float(rows[0]["frequency"]) <= 0.11 and float(rows[-1]["frequency"]) >= 10
rate = math.log(2) / 0.1
for row in rows:
    f = float(row["frequency"])
    h = rate / (rate + 2j * math.pi * f)
    assert abs(float(row["gain_db"]) - 20 * math.log10(abs(h))) < 1e-6
    assert abs(float(row["phase_deg"]) - math.degrees(cmath.phase(h))) < 0.002
PY
    [ "$(sprung response critical -H 0.1 --bode --rate 60 | tail -n 1 | column 1)" = 30 ]
    [ "$(sprung response critical -H 0.1 --bode --duration 4 --rate 60 | sed -n 2p | column 1)" = 0.25 ]
    fails 2 sprung response critical -H 0.1 --bode --duration 0.01 --rate 60
}

@test "bode: the phase of a fourfold lag goes on past a half turn" {
    sprung response double -H 0.1 --bode | tail -n 1 | column 3 > phase.txt
    python3 -c 'assert -361 < float(open("phase.txt").read()) < -330'
}

@test "what has no response says why; a filter that is not linear takes a step only" {
    for filter in "resonance -H 1 --frequencies 1" "character -H 1"; do
        # shellcheck disable=SC2086
        fails 2 sprung response $filter
        says "${filter%% *} has no response"
        [ -z "$out" ]
    done
    for filter in "timed -H 1 --time 1" "velocity -H 1 --speed 1" "inertialize -H 1" "one-euro --beta 0.1" "tracking --max-velocity 3"; do
        for input in --bode --zero-phase; do
            # shellcheck disable=SC2086
            fails 2 sprung response $filter $input
            says 'is not linear'
            says "$input"
            [ -z "$out" ]
        done
    done
}

@test "a filter that is not linear shows a step of 1, and it is what it does to the column input" {
    while read -r filter; do
        # shellcheck disable=SC2086
        fails 0 sprung response $filter --rate 60 --duration 2
        printf '%s\n' "$out" > r.csv
        cuts=
        [[ $filter == inertialize* ]] && cuts='--cut-column cut'
        if [[ $filter == tracking* ]]; then
            # with two rows at rest; of other filters the first is added below
            # shellcheck disable=SC2086
            column 1,2 < r.csv | sprung $filter --rate 60 -c input -d 2 | column 2-4 | sed 1d | cmp - <(sed 1d r.csv | column 3-5)
            sed -i 2d r.csv
        fi
        # shellcheck disable=SC2086
        sed 1d r.csv | awk -F, 'BEGIN { print "time,input,cut"; print "-1,0,0" } { print $1 "," $2 "," (NR == 2) }' |
            sprung $filter --rate 60 -x time,cut $cuts -d 2 | sed 1,2d | column 2,4,5 > want.txt
        sed 1d r.csv | column 3-5 > got.txt
        [ "$(wc -l < got.txt)" = 121 ]
        cmp want.txt got.txt
    done << 'LIST'
timed -H 0.1 --time 0.5
velocity -H 0.1 --speed 2
one-euro --beta 0.5
one-euro --beta 0.5 --speed input
tracking --max-velocity 3 --max-acceleration 10
tracking --max-velocity 3
tracking --max-velocity 3 --method halflife
inertialize -H 0.1
LIST
}

@test "the summary of a filter that is not linear: which numbers depend on the motion" {
    sprung response one-euro --min-cutoff 1 --beta 0.01 --rate 60 --summary > s.txt 2> err.txt
    [ "$(grep -c 'depends on the motion$' s.txt)" = 2 ]
    ! grep -q none s.txt
    sprung response one-euro --min-cutoff 1 --beta 0.01 --rate 60 --summary --to csv 2> err.txt | grep -q ',$'
}

@test "tracking passes a step and every tone, and shows it for as long as an error would last" {
    sprung response tracking > r.csv
    cmp <(column 2 < r.csv | sed 1d) <(column 3 < r.csv | sed 1d)
    [ "$(tail -n 1 r.csv | column 1)" = 1 ]
    [ "$(sprung response tracking --bode | column 2,3 | sort -u | tr '\n' ' ')" = "0,0 gain_db,phase_deg " ]
    [ "$(sprung response tracking --method halflife --bode --rate 60 | sed 1d | awk -F, '$2 * $2 + $3 * $3 > 1e-18')" = "" ]
    [ -z "$(sprung response tracking --method gain --summary 2>&1 > gain.txt)" ]
    # The times in its help.
    awk 'BEGIN { print "time,x"; for (i = 0; i < 2000; i++) printf "%.2f,%d\n", i / 100, i >= 100 }' > jump.csv
    sprung tracking --cuts 1 -d 0 jump.csv |
        awk -F, '$1 == "1.25" && $2 < 0.5 || $1 == "1.29" && $2 > 0.5 || $1 == "1.66" && $2 < 0.9 || $1 == "1.72" && $2 > 0.9 { n++ }
                 END { exit n != 4 }'
    sprung help tracking | tr -s '\n ' ' ' | grep -q 'half of a jump is gone after 0.27 s, 90 percent after 0.7 s'
    sprung response tracking --summary > s.txt
    grep -qx 'lag  *0 s behind constant-velocity motion' s.txt
    grep -qx 'rise time  *0 s from 10 to 90 %' s.txt
    grep -qx 'settling time  *0 s until within 2 %' s.txt
    grep -qx -- '-3 dB frequency  none' s.txt
    # Its gain at high frequencies is (1 - 0.2) (1 - 0.01), above 1/sqrt 2, whatever the rows do near half their rate.
    sprung response tracking --method spring-damper --summary | grep -qx -- '-3 dB frequency  none'
    # A filter that leaves no error has tones, too.
    sprung response damper --method lerp --factor 1 --bode | grep -q '^30,0,0$'
}

@test "mistakes: no filter, an unknown one, two inputs, a file, a bad parameter, an unstable method" {
    fails 2 sprung response
    says 'needs a filter'
    fails 2 sprung response critcal
    says 'did you mean critical?'
    fails 2 sprung response critical -H 0.1 --step --bode
    says 'give only one of'
    fails 2 sprung response critical -H 0.1 in.csv
    says 'in.csv'
    fails 2 sprung response critical -H -1
    says '--halflife'
    fails 2 sprung response critical
    fails 2 sprung response butterworth --cutoff 6 --rate 1 --summary
    says '--cutoff 6 is too high for 1 rows per second: the maximum is 0.45 Hz'
    says 'hint: try --cutoff 0.1'
    fails 2 sprung response damper --method euler --damping 300 --rate 60 --duration 1000
    says '--rate'
    sprung response critical --help | grep -q -- '--summary'
    cmp <(sprung response --help) <(sprung help response)
}

@test "output that cannot be written is an error" {
    for words in "" --summary --bode "--summary --to csv"; do
        fails 2 bash -c "'$SPRUNG' response critical -H 0.1 $words > /dev/full"
        says 'cannot write'
    done
}

@test "-o: the numbers in a file, which sprung plot draws" {
    sprung response critical -H 0.1 -o table.csv
    sprung response critical -H 0.1 | cmp - table.csv
    sprung plot table.csv | grep -q 'output_acc'
    sprung response critical -H 0.1 --summary -o summary.txt
    sprung response critical -H 0.1 --summary | cmp - summary.txt
    fails 2 sprung response critical -H 0.1 -o nowhere/table.csv
    fails 2 sprung response critical -H 0.1 -o step.svg
    says 'sprung plot step.csv -o step.svg'
}

# --- --zero-phase ---

# same_rows FROM TO LEAST: between these lines, value, velocity and acceleration of r.csv, at 60 rows per second, are those of
# want.csv, within LEAST units a row.
same_rows()
{
    paste -d, r.csv want.csv | awk -F, -v from="$1" -v to="$2" -v least="$3" '
        NR > from && NR < to {
            for (i = 3; i <= 5; i++) { d = ($i - $(i + 4)) / 60 ^ (i - 2); if (d * d > least * least) bad = 1 }
            n++
        }
        END { exit bad || n != to - from - 1 }'
}

@test "zero phase: the same as filtering the column input with --zero-phase, far from its ends" {
    while read -r filter; do
        # shellcheck disable=SC2086
        sprung response $filter --zero-phase --rate 60 --duration 5 > r.csv
        # shellcheck disable=SC2086
        column 1,2 < r.csv | sprung $filter --zero-phase --rate 60 -x time -d 2 > want.csv
        same_rows 121 482 1e-7 || { echo "$filter"; return 1; }
    done << 'LIST'
butterworth --cutoff 2
butterworth --cutoff 5 --hold linear
LIST
}

@test "zero phase: bode is -3 dB at the cutoff and without phase; the summary has no lag" {
    sprung response butterworth --cutoff 3 --zero-phase --bode > two.csv
    awk -F, 'NR > 1 && ($3 != 0 || (($1 < 2.9) && $2 < -3) || ($1 > 3.1 && $2 > -3)) { bad = 1 } END { exit bad || NR < 100 }' two.csv
    sprung response butterworth --cutoff 3 --zero-phase --summary > s.txt
    grep -q '^lag  *0 s' s.txt
    grep -q '^-3 dB frequency  3 Hz$' s.txt
    fails 2 sprung response tracking --zero-phase
    says '--zero-phase works only with butterworth'
    fails 2 sprung response butterworth --cutoff 9.6e-07 --zero-phase --rate 1000
    says 'a lower --rate'
}

@test "on a terminal: the summary; to a pipe or a file, and with --to csv, the table" {
    needs script
    sprung response critical -H 0.1 > table.csv
    [ "$(head -n 1 table.csv)" = time,input,output,output_vel,output_acc ]
    [ "$(wc -l < table.csv)" -gt 300 ]
    script -qec "stty cols 80; NO_COLOR=1 $SPRUNG response critical -H 0.1" /dev/null < /dev/null | tr -d '\r' > out.txt
    sprung response critical -H 0.1 --summary | diff - out.txt
    script -qec "$SPRUNG response critical -H 0.1 --to csv" /dev/null < /dev/null | tr -d '\r' | cmp - table.csv
}
