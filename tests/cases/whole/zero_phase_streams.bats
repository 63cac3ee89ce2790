#!/usr/bin/env bats
# --zero-phase on long series and live input: rows leave before the input ends, in bounded memory, with the numbers of the
# whole series. --gaps fill holds the whole series, and is what the other results are compared with.
load ../common

# motion ROWS [SEED]: two channels with noise at 64 rows a second, and an angle that goes round.
motion()
{
    awk -v n="$1" -v seed="${2:-1}" 'BEGIN {
        srand(seed); print "time,x,y,turn,who"
        for (i = 0; i < n; i++)
            printf "%.6f,%.4f,%.4f,%.4f,%s\n", i / 64, 90 * sin(i / 40) + rand(), 40 * cos(i / 31) + rand(),
                (i * 2.5) % 360 + rand() / 10, i % 2 ? "a" : "b" }'
}

@test "a long series has the numbers of the series as a whole, also with groups, angles and rows of one time" {
    motion 6000 > even.csv
    awk -F, -v OFS=, 'NR > 1 && NR % 7 == 0 { $1 = before } { before = $1; print }' even.csv > shared.csv
    awk -F, -v OFS=, 'NR > 1 { $1 = sprintf("%.6f", $1 + (NR * NR % 5) / 1000) } { print }' even.csv > uneven.csv
    for file in even shared uneven; do
        for filter in "butterworth --cutoff 4" "critical -H 0.05" "damper -H 0.05" "double -H 0.1" "spring -f 2 -z 1.5"; do
            for options in "-x turn" "-x turn --group-by who" "--angles turn" "--angles turn --wrap"; do
                # shellcheck disable=SC2086
                sprung $filter --zero-phase -q $options $file.csv > streamed.csv
                # shellcheck disable=SC2086
                sprung $filter --zero-phase -q $options --gaps fill $file.csv > whole.csv
                sprung diff -q --abs 2e-8 --rel 1e-8 whole.csv streamed.csv || { echo "$file: $filter $options"; return 1; }
            done
        done
    done
}

@test "uneven steps count the same in every part, and beside any other channel" {
    # Steps of 10 and 20 ms in random order: each is the usual one somewhere.
    awk 'BEGIN { srand(4); print "time,a,b,c"
        for (i = 0; i < 4000; i++) {
            t += rand() < 0.5 ? 0.01 : 0.02
            printf "%.2f,%.4f,%.4f,%.4f\n", t, 9 * sin(t) + rand(), 9 * cos(t) + rand(), rand() } }' > in.csv
    for filter in butterworth critical damper; do
        sprung $filter --cutoff 3 --zero-phase -q in.csv > parts.csv
        sprung $filter --cutoff 3 --zero-phase -q --gaps fill in.csv > whole.csv
        sprung diff -q parts.csv whole.csv
    done
}

@test "near gaps, too, a long series has the numbers of the series as a whole" {
    # A rotation holds the whole series. Gaps of 1 to 250 rows, where 7 periods are 112 rows.
    for seed in 1 2 3; do
        motion 6000 $seed | awk -F, -v OFS=, -v seed=$seed '
            function next_gap(column) { begin[column] = NR + int(600 * rand()); end[column] = begin[column] + int(250 * rand()) }
            BEGIN { srand(seed) }
            NR == 1 { print $1, $2, $3, "q_w,q_x,q_y,q_z"; next_gap(2); next_gap(3); next }
            { for (c = 2; c <= 3; c++) { if (NR > end[c]) next_gap(c); if (NR >= begin[c]) $c = "" }
              print $1, $2, $3, 1, 0, 0, 0 }' > all.csv
        cut -d, -f1-3 all.csv > in.csv
        for filter in "butterworth --cutoff 4" "critical --cutoff 4" "damper --cutoff 4"; do
            # shellcheck disable=SC2086
            sprung $filter --zero-phase -q -d 1 in.csv > streamed.csv
            # shellcheck disable=SC2086
            sprung $filter --zero-phase -q -d 1 --quaternions q all.csv | cut -d, -f1-3,8,9 > whole.csv
            sprung diff -q --abs 1e-6 --rel 1e-8 whole.csv streamed.csv || { echo "$seed: $filter"; return 1; }
        done
    done
}

@test "rows leave while the input goes on, 17 periods of the cutoff or 192 rows behind at most" {
    motion 1000 > in.csv
    { while IFS= read -r line; do echo "$line"; done < in.csv; sleep 3; } | sprung butterworth --cutoff 6 --zero-phase -x turn > out.csv &
    sleep 2
    # 17 periods at 6 Hz are 182 rows, less than the 192 rows of the shortest window.
    (($(wc -l < out.csv) > 1000 - 194)) || { wc -l out.csv; return 1; }
    wait
    [ "$(wc -l < out.csv)" = 1001 ]
}

@test "memory does not grow with the series" {
    awk 'BEGIN { print "time,x"; for (i = 0; i < 400000; i++) printf "%.4f,%.3f\n", i / 120, 100 * sin(i / 50) + i % 7 / 10 }' > in.csv
    python3 - <<'P'
import os, resource, subprocess, sys
for options in (["--zero-phase"], ["--zero-phase", "--max-gap", "1"]):
    subprocess.run([os.environ["SPRUNG"], "butterworth", "--cutoff", "6", *options, "-o", "out.csv", "in.csv"], check=True)
kilobytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(kilobytes)
sys.exit("san" not in os.environ.get("BUILD", "") and kilobytes > 40000)
P
    [ "$(wc -l < out.csv)" = 400001 ]
}

@test "--resample: points have their times also where all rows are held, and with --lookahead" {
    motion 3000 > in.csv
    for filter in "butterworth --cutoff 4" "critical -H 0.05" "double -H 0.05" "damper -H 0.05"; do
        for hz in 30 50 144.5; do
            # shellcheck disable=SC2086
            sprung $filter --zero-phase --resample $hz -x turn -q in.csv > want.csv
            # shellcheck disable=SC2086
            sprung $filter --zero-phase --resample $hz -x turn -q --gaps fill in.csv > whole.csv
            sprung diff -q --abs 1e-6 --rel 1e-6 want.csv whole.csv
            cmp <(cut -d, -f1 want.csv) <(cut -d, -f1 whole.csv)
            # shellcheck disable=SC2086
            for lookahead in 0 0.013 0.1; do
                sprung $filter --zero-phase --resample $hz -x turn -q --lookahead $lookahead in.csv > early.csv
                cmp <(cut -d, -f1 want.csv) <(cut -d, -f1 early.csv)
                [ "$(grep -ci nan early.csv)" = 0 ]
            done
        done
    done
    sprung critical -H 0.05 --zero-phase --quaternions hip --resample 30 -q "$DATA/joints.csv" | awk -F, 'NR > 2 && !($1 > before) { exit 1 } { before = $1 }'
}

@test "auto takes memory of at most five times the file" {
    awk 'BEGIN {
        printf "time"; for (k = 0; k < 60; k++) printf ",m%d", k; print ""
        for (i = 0; i < 20000; i++) {
            printf "%.4f", i / 120; for (k = 0; k < 60; k++) printf ",%.3f", 400 * sin(i / (20 + k)) + i * k % 7 / 10; print "" } }' > in.csv
    python3 - <<'P'
import os, resource, subprocess, sys
subprocess.run([os.environ["SPRUNG"], "butterworth", "--cutoff", "auto", "--zero-phase", "-j", "1", "-q", "-o", "out.csv", "in.csv"],
               check=True)
kilobytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(kilobytes, os.path.getsize("in.csv"))
sys.exit("san" not in os.environ.get("BUILD", "") and kilobytes > 5 * os.path.getsize("in.csv") / 1000)
P
    [ "$(wc -l < out.csv)" = 20001 ]
}

@test "bytes do not depend on blocks, pipes or threads, with gaps, groups and restarts" {
    motion 5000 3 | awk -F, -v OFS=, 'NR > 1 && (NR * 31 % 101 < 9 || (NR > 2000 && NR < 2100)) { $2 = "" } { print }' > in.csv
    for options in "butterworth --cutoff 4 -x turn" "critical -H 0.05 --group-by who -x turn" "damper -H 0.02 --angles turn --wrap --gaps restart" \
        "butterworth --cutoff 4 -x turn --resample 50" "double -H 0.1 -x turn --max-gap 0.2" "butterworth --cutoff 4 -x turn --lookahead 0.1"; do
        # shellcheck disable=SC2086
        sprung $options --zero-phase -q in.csv > want.csv
        for threads in 1 4; do
            # shellcheck disable=SC2086
            in_pieces in.csv | sprung $options --zero-phase -q -j $threads | cmp - want.csv || { echo "$options"; return 1; }
        done
    done
}

@test "a gap of more than 7 periods of the cutoff ends a run; a shorter one is bridged" {
    motion 3000 > in.csv
    # At 2 Hz 7 periods are 3.5 s, 224 rows.
    awk -F, -v OFS=, 'NR > 1500 && NR <= 1500 + 230 { $2 = "" } { print }' in.csv > long.csv
    awk -F, 'NR <= 1500' long.csv > first.csv
    sprung butterworth --cutoff 2 --zero-phase -q -c x long.csv | head -n 1500 > out.csv
    sprung butterworth --cutoff 2 --zero-phase -q -c x first.csv | sprung diff -q --abs 1e-9 --rel 1e-9 - out.csv
    awk -F, -v OFS=, 'NR > 1500 && NR <= 1500 + 150 { $2 = "" } { print }' in.csv > short.csv
    sprung butterworth --cutoff 2 --zero-phase -q -c x short.csv | head -n 1500 > out.csv
    sprung butterworth --cutoff 2 --zero-phase -q -c x first.csv > first.out.csv
    fails 1 sprung diff -q --abs 1e-6 --rel 1e-9 first.out.csv out.csv
}

@test "--lookahead: each row is that of the series that ends so much later" {
    motion 700 > in.csv
    for filter in "butterworth --cutoff 3" "critical -H 0.1" "butterworth --cutoff 4"; do
        # 0.25 s are 16 rows, and 17 are more than 0.26 s.
        lookahead=0.25
        [[ $filter == *4 ]] && lookahead=0.26
        # shellcheck disable=SC2086
        sprung $filter --zero-phase --lookahead $lookahead -x turn in.csv > out.csv
        [ "$(wc -l < out.csv)" = 701 ]
        for row in 2 20 100 400 650; do
            # shellcheck disable=SC2086
            head -n $((row + 16)) in.csv | sprung $filter --zero-phase -x turn | sed -n "1p; ${row}p" > want.csv
            sed -n "1p; ${row}p" out.csv > got.csv
            sprung diff -q --abs 1e-10 --rel 1e-9 want.csv got.csv || { echo "$filter, row $row"; return 1; }
        done
        # shellcheck disable=SC2086
        sprung $filter --zero-phase -x turn in.csv | sed -n '1p; 690,$p' > want.csv
        sed -n '1p; 690,$p' out.csv > got.csv
        sprung diff -q --abs 1e-10 --rel 1e-9 want.csv got.csv
    done
}

@test "--lookahead: rows that are missing shorten no window, and other channels change nothing" {
    motion 900 5 | awk -F, -v OFS=, 'NR > 2 && NR * NR % 11 == 1 { next } NR > 7 && NR % 10 == 3 { $3 = "" } { print }' > in.csv
    for filter in "butterworth --cutoff 2" "critical -H 0.08"; do
        # shellcheck disable=SC2086
        sprung $filter --zero-phase --lookahead 0 -d 0 -q -c x in.csv | cut -d, -f1,2 > alone.csv
        # shellcheck disable=SC2086
        sprung $filter --zero-phase --lookahead 0 -d 0 -q -c x,y in.csv | cut -d, -f1,2 > beside.csv
        sprung diff --abs 1e-8 alone.csv beside.csv
        for row in 300 411 573; do
            # shellcheck disable=SC2086
            head -n $row in.csv | sprung $filter --zero-phase -d 0 -q -c x | tail -n 1 | cut -d, -f1,2 >> ends.csv
            sed -n ${row}p alone.csv >> same.csv
        done
    done
    sprung diff --abs 1e-8 ends.csv same.csv
}

@test "--lookahead 0 writes each row at once; refused without --zero-phase and where all rows are needed" {
    each_row '%d,%d' 1 butterworth --cutoff 0.1 --zero-phase --lookahead 0 -q
    motion 50 > in.csv
    fails 2 sprung butterworth --cutoff 6 --lookahead 1 in.csv
    says '--lookahead works only with --zero-phase'
    fails 2 sprung butterworth --cutoff auto --zero-phase --lookahead 1 in.csv
    says '--lookahead does not work here: auto needs all rows at once'
    fails 2 sprung butterworth --cutoff 6 --zero-phase --gaps fill --lookahead 1 in.csv
    says '--gaps fill needs all rows at once'
}

@test "a fault in a long series ends it: the rows before are smoothed as a series that ends there" {
    motion 4000 > good.csv
    { head -n 3001 good.csv; echo '10,1,2,3,a'; tail -n +3003 good.csv; } > bad.csv
    for way in file pipe; do
        if [ $way = file ]; then
            fails 2 sprung butterworth --cutoff 6 --zero-phase -x turn bad.csv
        else
            in_pieces bad.csv > /dev/null
            fails 2 sprung butterworth --cutoff 6 --zero-phase -x turn < <(in_pieces bad.csv)
        fi
        says 'time goes backward'
        head -n 3001 good.csv | sprung butterworth --cutoff 6 --zero-phase -x turn | cmp - out.txt
    done
}
