#!/usr/bin/env bats
# Results at different sample rates.
load ../common

# sine RATE: 4 seconds of a 1 Hz sine.
sine()
{
    awk -v rate="$1" 'BEGIN { print "time,x"; for (i = 0; i <= 4 * rate; i++) printf "%.17g,%.17g\n", i / rate, sin(8 * atan2(1, 1) * i / rate) }'
}

# difference LOW HIGH OPTION...: largest difference of the results at two rates, at the rows they share, in percent of the amplitude.
difference()
{
    local low=$1 high=$2
    shift 2
    paste -d , <(sine "$low" | sprung "$@" -d 0) <(sine "$high" | sprung "$@" -d 0 | awk -v n=$((high / low)) 'NR == 1 || (NR - 2) % n == 0') |
        awk -F , 'NR > 1 { d = $2 - $4; d = d < 0 ? -d : d; if (d > most) most = d; rows++ } END { printf "%.1f %d\n", 100 * most, rows }'
}

@test "a 1 Hz sine at 15 and 120 Hz: 15 percent apart with the target held, 1.2 with linear" {
    [[ $(difference 15 120 critical -H 0.1) == "15.1 61" ]]
    [[ $(difference 15 120 critical -H 0.1 --hold linear) == "1.2 61" ]]
}

@test "hold linear and second-order agree at different rates to second order in the step, hold step to first" {
    for filter in "damper -H 0.1" "critical -H 0.1" "double -H 0.1" "spring -f 1 -z 0.5"; do
        # shellcheck disable=SC2086
        awk -v coarse="$(difference 15 1920 $filter --hold linear)" -v fine="$(difference 30 1920 $filter --hold linear)" \
            'BEGIN { exit !(coarse / fine > 3.5 && coarse / fine < 4.5) }'
        # shellcheck disable=SC2086
        awk -v coarse="$(difference 15 1920 $filter)" -v fine="$(difference 30 1920 $filter)" \
            'BEGIN { exit !(coarse / fine > 1.8 && coarse / fine < 2.2) }'
    done
    awk -v coarse="$(difference 15 1920 second-order -f 1 -z 0.5 -r 1)" -v fine="$(difference 30 1920 second-order -f 1 -z 0.5 -r 1)" \
        'BEGIN { exit !(coarse / fine > 3.5 && coarse / fine < 4.5) }'
}

@test "with the target held, one long step is many short ones" {
    printf 'time,x\n0,0\n0.1,1\n' > long.csv
    { printf 'time,x\n0,0\n'; seq 1 1000 | awk '{ printf "%.4f,1\n", $1 / 10000 }'; } > short.csv
    # The acceleration of a damper is the change of its velocity over a row.
    for filter in "damper -H 0.1 -d 1" "critical -H 0.1" "double -H 0.1" "spring -f 1 -z 0.5"; do
        # shellcheck disable=SC2086
        paste -d , <(sprung $filter long.csv | tail -n 1) <(sprung $filter short.csv | tail -n 1) |
            awk -F , '{ n = NF / 2; for (i = 2; i <= n; i++) { d = $i - $(i + n); if ((d < 0 ? -d : d) > 1e-11 * (1 + ($i < 0 ? -$i : $i))) exit 1 } }'
    done
}

# tracked RATE POSITION VELOCITY: the x of tracking with these gains of RATE steps a second, across two cuts of size 1.
tracked()
{
    sprung tracking --cut-column cut -c x -d 0 --decimals 9 --gain-rate "$1" --position-gain "$2" --velocity-gain "$3" "$DATA/step.csv" |
        sed 1d | column 2
}

# converted R2 A V: the gains of 60 steps a second at R2, as sprung-cookbook(7) gives them.
converted()
{
    awk -v r="$1" -v a="$2" -v v="$3" 'BEGIN { v2 = 1 - (1 - v) ^ (60 / r); printf "%.9g %.9g\n", a * (v2 / v) * (60 / r), v2 }'
}

@test "gains of tracking at another gain rate: the output differs by at most 4 percent of a jump, as the cookbook says" {
    tr -s ' \n' '  ' < "$ROOT/man/sprung-cookbook.7.in" |
        grep -qF 'V2 = 1 - (1 - V)^(R / R2) and A2 = A (V2 / V) (R / R2); for R2 from R / 2 to 2 R, the output then differs by up to 4 percent'
    for gains in "0.01 0.2" "0.04 0.4" "0.05 0.3" "0.001 0.05"; do
        for rate in 30 50 90 120; do
            # shellcheck disable=SC2046,SC2086
            paste -d , <(tracked 60 $gains) <(tracked $rate $(converted $rate $gains)) |
                awk -F , -v what="$gains at $rate" '{ d = $1 - $2; d = d < 0 ? -d : d; if (d > most) most = d }
                                                    END { print what, most; exit !(NR == 181 && most < 0.0415) }'
        done
    done
}
