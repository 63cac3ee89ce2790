#!/usr/bin/env bats
# Angles: a curve that passes the seam is filtered as if it never had.
load ../common

# A turning angle, unrolled in turning.csv, between -180 and 180 in wrapped.csv; gaps now and then, some at the seam.
setup()
{
    cd "$BATS_TEST_TMPDIR"
    python3 - <<'P'
import math
with open("turning.csv", "w") as a, open("wrapped.csv", "w") as b:
    a.write("time,x\n"), b.write("time,x\n")
    for n in range(400):
        x = round(500 * math.sin(n / 60) + 8 * math.sin(n * 1.9), 3)
        turns = math.floor((x + 180) / 360)
        gap = n % 50 in (7, 8)
        a.write("%.2f,%s\n" % (n / 100, "" if gap else "%.3f" % x))
        b.write("%.2f,%s\n" % (n / 100, "" if gap else "%.3f" % (x - 360 * turns)))
P
}

@test "wrapped angles come out as the unrolled curve does but for turns, for every filter" {
    for filter in "${filters[@]}"; do
        [[ $filter == resonance* ]] && continue # it keeps the cell
        # shellcheck disable=SC2086
        sprung $filter --decimals 6 turning.csv > want.csv
        # shellcheck disable=SC2086
        sprung $filter --decimals 6 --angles x wrapped.csv | sprung diff -q --abs 2e-6 --angles x want.csv - || { echo "$filter"; return 1; }
    done
}

@test "where the output is the target, the cell is the input's number, after any number of turns" {
    python3 - <<'P'
import math
for name, period, step in ("a", 360, 1.1), ("b", 2 * math.pi, -0.1), ("c", 0.7, 0.3):
    with open(name + ".csv", "w") as f, open(name + "_runs.csv", "w") as g:
        f.write("time,x\n"), g.write("time,x\n")
        for n in range(3000):
            x = round(n * step % period, 1) if period == 360 else n * step % period
            f.write("%.2f,%.17g\n" % (n / 100, x))
            x = n // 4 * 5 * step % period
            g.write("%.2f,%s\n" % (n / 100, "" if n % 4 == 3 else "%.17g" % x))
P
    for file in a,360 b,6.283185307179586 c,0.7; do
        name=${file%,*} period=${file#*,}
        for run in "tracking $name.csv" "inertialize -H 0.1 $name.csv" "butterworth --cutoff 1.92 --zero-phase --gaps restart ${name}_runs.csv"; do
            # shellcheck disable=SC2086
            sprung $run --angles x --period "$period" -d 0 > out.csv
            sprung diff --rel 0 "${run##* }" out.csv
        done
    done
}

@test "an angle is printed in the turn nearest to the input's" {
    sprung critical -H 0.1 -d 0 --angles x wrapped.csv > out.csv
    paste -d, <(column 2 wrapped.csv) <(column 2 out.csv) | awk -F, '$1 != "" && NR > 1 { d = $1 - $2; if (d > 180 || d < -180) exit 1 }'
}

@test "a prediction is in the turn of a row with the same value" {
    printf 'time,a\n0,350\n0.1,358\n0.2,2\n0.3,5\n0.4,8\n' > in.csv
    sprung critical -H 0.05 --angles a --predict 0.1 in.csv > out.csv
    sprung critical -H 0.05 -d 0 --angles a <(cat in.csv; echo 0.5,8) | tail -n 1 | cut -d, -f2 > next.txt
    names=$(head -n 1 out.csv)
    [ "$names" = "time,a,a_vel,a_acc,a@0.1,a_vel@0.1" ]
    tail -n 1 out.csv | cut -d, -f5 | paste - next.txt | awk '{ d = $1 - $2; if (d * d > 1e-18 || $1 > 8) exit 1 }'
}

@test "a change of half a period is the input's own, and adds no turns" {
    for half in 180 3.141592653589793; do
        period=$(python3 -c "print(2 * $half)")
        { echo time,x; for i in $(seq 0 99); do ((i % 2)) && echo "$i,$half" || echo "$i,0"; done; } > in.csv
        sed "s/,$half/,-$half/" in.csv > minus.csv
        for file in in.csv minus.csv; do
            sprung tracking --angles x --period "$period" -d 0 $file | cmp - $file
        done
    done
}

@test "--period: radians, and other circles" {
    printf 'time,x\n0,0.9\n1,0.1\n2,0.3\n' > in.csv
    [ "$(sprung damper -H 1 -d 0 --decimals 3 --angles x --period 1 in.csv | cut -d, -f2 | tr '\n' ' ')" = "x 0.9 0.000 0.150 " ]
}

@test "an angle that is no channel is refused" {
    fails 2 sprung damper -H 1 --angles time wrapped.csv
    says 'time'
    fails 2 sprung damper -H 1 --angles nosuch wrapped.csv
    says 'nosuch'
}
