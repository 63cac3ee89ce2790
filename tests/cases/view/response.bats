#!/usr/bin/env bats
# response: curves from the filters' own equations, the summary, and pictures of them. Closed forms: unit/view/test_response.c.
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
    sprung response critical -H 0.1 --impulse --rate 100 | head -n 4 | column 2 | tr '\n' ' ' > in.txt
    [ "$(cat in.txt)" = "input 0 100 0 " ]
    sprung response critical -H 0.1 --ramp --rate 4 --duration 1 | column 2 | tr '\n' ' ' > in.txt
    [ "$(cat in.txt)" = "input 0 0.25 0.5 0.75 1 " ]
    [ "$(sprung response damper -H 0.1 --bode | head -n 1)" = frequency,gain_db,phase_deg ]
}

@test "filtering the column input gives the very same output, for every linear filter and input" {
    while read -r filter; do
        for input in --step --impulse --ramp; do
            # shellcheck disable=SC2086
            sprung response $filter $input --rate 60 --duration 3 > r.csv
            column 1,2 < r.csv | sed '1a -1,0' | sprung $filter --rate 60 -x time -d 2 | sed 1,2d | column 2-4 > want.txt
            sed 1d r.csv | column 3-5 > got.txt
            [ "$(wc -l < got.txt)" = 181 ]
            cmp want.txt got.txt || { echo "$filter $input"; return 1; }
        done
    done < <(linear)
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

@test "summary: five numbers, as text, csv and JSON" {
    [ "$(sprung response critical -H 0.1 --summary)" = 'lag              0.14427 s behind constant-velocity motion
rise time        0.242222 s from 10 to 90 %
overshoot        0 %
settling time    0.420828 s until within 2 %
-3 dB frequency  1.42 Hz' ]
    sprung response second-order -f 2 -z 0.5 -r 0 --summary --to json > s.json
    python3 - <<'PY'
import json, math
s = json.load(open("s.json"))
w, z = 4 * math.pi, 0.5
assert abs(s["lag"] - 2 * z / w) < 1e-6 * s["lag"]
assert abs(s["overshoot"] - math.exp(-math.pi * z / math.sqrt(1 - z * z))) < 1e-6
assert s["filter"] == "second-order" and s["rate"] is None
assert set(s) == {"filter", "rate", "lag", "rise_time", "overshoot", "settling_time", "frequency_3db"}
PY
    [ "$(sprung response spring -f 1 -z 0 --summary | grep settling)" = 'settling time    none' ]
    [ "$(sprung response spring -f 1 -z 0 --summary --to json | grep settling | tr -d '\t')" = '"settling_time":null,' ]
    [ "$(sprung response damper -H 1 --summary --to csv | head -n 1)" = lag,rise_time,overshoot,settling_time,frequency_3db ]
}

@test "summary at a given rate is that of these rows" {
    # x += 0.1 (g - x): behind a ramp by 0.9/0.1 rows
    sprung response damper --method lerp --factor 0.1 --rate 50 --summary > s.txt
    grep -q '^lag  *0.18 s' s.txt
    # the goal of a row acts over the step before it: half a step earlier than constant-velocity motion, about
    sprung response damper -H 0.1 --rate 100 --summary --to json > s.json
    python3 -c '
import json, math
s = json.load(open("s.json"))
E = math.exp(-math.log(2) / 0.1 / 100)
assert abs(s["lag"] - 0.01 * E / (1 - E)) < 1e-12'
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

@test "JSON of a curve is the same numbers" {
    sprung response critical -H 0.1 --to json > r.json
    sprung response critical -H 0.1 > r.csv
    python3 - <<'PY'
import csv, json
a = json.load(open("r.json"))
b = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(open("r.csv"))]
assert a == b
PY
}

@test "what has no response of its own says so, and which filters have one" {
    for filter in "timed -H 1 --time 1" "velocity -H 1 --speed 1" "resonance -H 1 --frequencies 1"; do
        # shellcheck disable=SC2086
        fails 2 sprung response $filter
        says "${filter%% *} is not linear"
        says 'second-order'
        [ -z "$out" ]
    done
    for limit in --max-velocity --max-acceleration; do
        fails 2 sprung response tracking $limit 3
        says 'is not linear'
    done
}

@test "tracking passes a step and every tone, and shows it for as long as an error would last" {
    sprung response tracking > r.csv
    cmp <(column 2 < r.csv | sed 1d) <(column 3 < r.csv | sed 1d)
    [ "$(tail -n 1 r.csv | column 1)" = 1 ]
    [ "$(sprung response tracking --bode | column 2,3 | sort -u | tr '\n' ' ')" = "0,0 gain_db,phase_deg " ]
    [ "$(sprung response tracking --method halflife --bode --rate 60 | sed 1d | awk -F, '$2 * $2 + $3 * $3 > 1e-18')" = "" ]
    sprung response tracking --summary > s.txt
    grep -qx 'lag  *0 s behind constant-velocity motion' s.txt
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
    says 'one at a time'
    fails 2 sprung response critical -H 0.1 in.csv
    says 'in.csv'
    fails 2 sprung response critical -H -1
    says '--halflife'
    fails 2 sprung response critical
    fails 2 sprung response damper --method euler --damping 300 --rate 60 --duration 1000
    says '--rate'
    sprung response critical --help | grep -q -- '--summary'
    cmp <(sprung response --help) <(sprung help response)
}

@test "output that cannot be written is an error" {
    for words in "" --summary --bode "--to json" "--summary --to json"; do
        fails 2 bash -c "'$SPRUNG' response critical -H 0.1 $words > /dev/full"
        says 'cannot write'
    done
}

@test "--plot: the curve as a picture instead of numbers" {
    needs gnuplot
    sprung response second-order -f 2 -z 0.5 -r -2 --plot step.svg > out.txt
    [ ! -s out.txt ]
    grep -q 'time (s)' step.svg
    grep -q 'response to a step' step.svg
    grep -q 'output_acc (1/s²)' step.svg
    sprung response critical -H 0.1 --bode --plot bode.png
    [ "$(head -c 4 bode.png | tail -c 3)" = PNG ]
    sprung response critical -H 0.1 --impulse --plot i.pdf
    [ "$(head -c 4 i.pdf)" = %PDF ]
    sprung response critical -H 0.1 --ramp --plot - | grep -q 'response to a ramp'
    sprung response critical -H 0.1 --summary --plot s.svg | grep -q '^lag'
    [ -s s.svg ]
}
