#!/usr/bin/env bats
# What filters owe to the driver, and all of them to the user: steps of no length, gaps and cuts where they
# are, and parameters that cannot be. What they compute is tested in tests/unit.
load ../common

methods=("damper -H 0.1 --hold linear" "critical -H 0.1 --hold linear --goal-velocity difference" "double -H 0.1 --method published"
    "spring --method euler -k 100 -b 5" "second-order --method pole-zero -f 2 -z 0.5 -r -1" "tracking --method spring-damper"
    "tracking --method halflife" "tracking --max-velocity 3" "tracking --cuts 0.9,1.3" "inertialize -H 0.1 --cuts 0.9,1.3")

# irregular: 150 rows at uneven times, as time.csv; the same with rows of no length between them, as zero.csv.
irregular()
{
    python3 - <<'P'
import random
random.seed(4)
t = 0
with open("time.csv", "w") as plain, open("zero.csv", "w") as zero:
    for f in plain, zero:
        f.write("time,x,row\n")
    for n in range(150):
        t += random.choice((1, 137, 16667, 33333))
        row = "%r,%d\n" % (random.random() + (n > 70), n)
        plain.write("%d.%06d,%s" % (t // 10**6, t % 10**6, row))
        zero.write("%d.%06d,%s" % (t // 10**6, t % 10**6, row))
        for k in range(n % 3):
            zero.write("%d.%06d,%r,-1\n" % (t // 10**6, t % 10**6, 100 * random.random()))
P
}

@test "a step of no length changes nothing, and repeats what was, for every filter" {
    irregular
    for filter in "${filters[@]}" "${methods[@]}"; do
        # The speed behind a cut is that to the next row: there must be one, of some length.
        [[ $filter == inertialize*--cuts* ]] && continue
        # shellcheck disable=SC2086
        sprung $filter -x row time.csv > want.csv
        # shellcheck disable=SC2086
        sprung $filter -x row zero.csv > out.csv
        cmp want.csv <(awk -F, '$3 != -1' out.csv) || { echo "$filter"; return 1; }
        [ "$(awk -F, '$3 == -1' out.csv | wc -l)" = 150 ]
        first=$([[ $filter == resonance* ]] && echo 4 || echo 2)
        awk -F, -v first="$first" '{
            text = ""
            for (i = first; i <= NF; i++)
                text = text "," (i == 3 ? "" : $i)
            if ($3 == -1 && text != before)
                exit 1
            before = text
        }' out.csv || { echo "$filter does not repeat"; return 1; }
    done
}

@test "a gap is a cut to tracking: its rows and the one after it are" {
    python3 - <<'P'
import math
with open("gap.csv", "w") as gap, open("cut.csv", "w") as cut:
    for f in gap, cut:
        f.write("time,x,c\n")
    for n in range(60):
        x = math.sin(n / 9) + 5 * (n >= 25)
        missing = 20 <= n < 25
        held = math.sin(19 / 9) if missing else x
        gap.write("%g,%s,%d\n" % (n / 30, "" if missing else repr(x), n == 40))
        cut.write("%g,%r,%d\n" % (n / 30, held, missing or n in (25, 40)))
P
    for method in exact gain halflife spring-damper; do
        sprung tracking --method $method --cut-column c --gaps fill gap.csv > filled.csv
        sprung tracking --method $method --cut-column c cut.csv > want.csv
        sprung diff --abs 1e-9 -c x,x_vel,x_acc want.csv filled.csv || { echo $method; return 1; }
        # Were it none, the jump of 5 would be in the output at once.
        awk -F, 'NR > 26 && NR < 30 && ($2 - before > 2) { exit 1 } { before = $2 }' filled.csv
    done
}

@test "a gap is a cut to inertialize: what comes after it begins where it stood" {
    python3 -c '
print("time,x")
for n in range(60): print("%g,%s" % (n / 30, "" if 20 <= n < 25 else n if n < 20 else 300 - 2 * n))' > gap.csv
    sprung inertialize -H 0.1 -d 0 --gaps fill gap.csv > out.csv
    awk -F, 'NR > 1 && NR < 27 { want = NR - 2 < 19 ? NR - 2 : 19; if ($2 - want > 1e-12 || want - $2 > 1e-12) exit 1 }
        NR == 61 && ($2 - 182 > 1 || 182 - $2 > 1) { exit 1 }' out.csv
}

@test "a cut on a row of no length is one before the next row that has some" {
    awk 'BEGIN { print "time,x,c"; for (i = 0; i < 40; i++) {
            if (i == 21) print "2.0,77,1"
            printf "%.1f,%d,%d\n", i / 10, i + (i > 20 ? 9 : 0), 0 } }' > zero.csv
    awk -F, -v OFS=, '$2 == 77 { next } { if ($1 == "2.1") $3 = 1; print }' zero.csv > plain.csv
    for filter in tracking "inertialize -H 0.2"; do
        # shellcheck disable=SC2086
        sprung $filter --cut-column c plain.csv | cut -d, -f1,2,4- > want.csv
        # shellcheck disable=SC2086
        sprung $filter --cut-column c zero.csv | sed 23d | cut -d, -f1,2,4- | cmp - want.csv
    done
}

@test "detection finds the steps whose slope changes back, by so many running medians" {
    python3 - "$SPRUNG" <<'P'
import random, re, statistics, subprocess, sys
random.seed(8)
found = 0
for take in range(6):
    t, level, rows = 0, 0.0, []
    for n in range(400):
        t += random.choice((8, 10, 12)) if take % 2 else 10
        level += (random.random() < .03) * random.uniform(-9, 9)
        rows.append((t / 1000, round(level + random.gauss(0, .01 + .05 * (n > 200)), 6)))
    factor = (4, 8, 15)[take // 2]
    for n in range(30, 400, 37):
        rows[n] = rows[n][0], rows[n][1] + (-1) ** n * 4
    want, bends, before, alone, spike, doubtful = [], [], 0, False, False, False
    for (t0, x0), (t1, x1), (t2, x2) in zip(rows, rows[1:], rows[2:]):
        bend = (x2 - x1) / (t2 - t1) - (x1 - x0) / (t1 - t0)
        most = factor * statistics.median_high(bends[-63:]) if len(bends) >= 5 else 1e99
        back = bend * before < 0
        cut = back and (spike and abs(bend) > abs(before) / 3 if alone else
                        min(abs(before), abs(bend)) > most and abs(bend) > .7 * abs(before))
        way = abs(before) * (t2 - t0) / (t2 - t1)
        alone = back and not alone and doubtful and .7 * way < abs(bend) < 2 * way
        spike, before, doubtful = alone and cut, bend, abs(bend) > most / 2 and not cut
        if cut:
            want.append("%.6g" % t1)
        bends.append(abs(bend))
    text = "time,x\n" + "".join("%.3f,%r\n" % row for row in rows)
    said = subprocess.run([sys.argv[1], "tracking", "--detect-cuts", str(factor), "-v"], input=text, text=True,
                          capture_output=True, check=True).stderr
    got = re.findall(r"cut found at (\S+) s", said)
    assert got == want, (factor, set(got) ^ set(want))
    found += len(got)
assert found > 30, found
P
}

@test "resonance: 3 cos reads 3 wherever it starts, at 2.2 to 100 rows a period; a constant reads 0" {
    for rate in 2.2 2.5 4 100; do
        for phase in 0 1 2.5; do
            awk -v rate=$rate -v phase=$phase 'BEGIN { print "x"; for (n = 0; n < 24 * rate; n++) printf "%.17g\n", 40 + 3 * cos(6.283185307179586 * n / rate + phase) }' > in.csv
            sprung resonance -H 1 --frequencies 1 --rate $rate in.csv | tail -n +2 |
                awk -F, -v rate=$rate 'NR > 10 * rate && ($2 < 2.96 || $2 > 3.01) { print; bad = 1 } END { exit bad || NR < 10 * rate }'
        done
    done
    printf 'x\n7\n7\n7\n7\n' | sprung resonance -H 1 --frequencies 1,2 --rate 10 > out.csv
    [ "$(sed 1d out.csv | sort -u)" = 7,0,0 ]
}

@test "method euler warns once when a step is too long for it, and only then" {
    printf 'time,x\n0,0\n0.1,1\n0.5,1\n0.9,2\n1.6,1\n' > in.csv
    for filter in "damper --method euler -b 6" "spring --method euler -k 30 -b 3" "second-order --method euler -f 1 -z 0.5 -r 0"; do
        # shellcheck disable=SC2086
        sprung $filter in.csv 2>&1 > out.csv | grep -c warning | grep -x 1
        # shellcheck disable=SC2086
        [ -z "$(head -n 3 in.csv | sprung $filter 2>&1 > out.csv)" ]
    done
}

@test "every number that cannot be is refused by name, with what is valid" {
    irregular
    # OPTION VALID BAD...: an option of any filter, or FILTER/OPTION of one.
    cat > bad.txt <<'L'
halflife greater_than_0 0 -1 -1e-3
lag greater_than_0 0 -1
cutoff greater_than_0 0 -1
predict greater_than_0 0 -1 1,0
remaining greater_than_0_and_less_than_1 0 1 -0.1 1.5
factor from_0_to_1 -0.1 1.0000001
damping at_least_0 -1e-9
damper/damping greater_than_0 0 -1
fixed-rate greater_than_0 0 -60
min-cutoff greater_than_0 0 -1
beta at_least_0 -1e-9
derivative-cutoff greater_than_0 0 -1
frequency greater_than_0 0 -1
stiffness greater_than_0 0 -1
damping-ratio at_least_0 -1e-9
response a_number
position-gain from_0_to_1 -1e-9 1.1
velocity-gain from_0_to_1 -1e-9 1.1
acceleration-gain from_0_to_1 -1e-9 1.1
gain-rate greater_than_0 0 -60
position-halflife at_least_0 -1e-9
velocity-halflife at_least_0 -1e-9
acceleration-halflife at_least_0 -1e-9
max-velocity at_least_0 -1e-9
max-acceleration at_least_0 -1e-9
time greater_than_0 0 -1
speed greater_than_0 0 -1
apprehension at_least_0 -1e-9
frequencies greater_than_0 0 -1 1,0
L
    # Options that take a value, but no choice.
    options_table | awk -F '\t' '$1 == "option" && $3 == "Filter" && $2 !~ "/" && $6 == "value" && $8 == "" { print $2, $4 }' > numbers.txt
    [[ -s numbers.txt ]]
    local names=
    while read -r filter name; do
        read -r _ valid bad <<< "$(grep "^$filter/$name " bad.txt || grep "^$name " bad.txt)"
        [[ $valid ]] || { echo "tests/cases/springs/filters.bats has no bad values of --$name ($filter)"; return 1; }
        # What no option takes: once for each name.
        [[ " $names " == *" $name "* ]] || bad+=" nan inf 1x"
        names+=" $name"
        for value in $bad; do
            fails 2 sprung "$filter" "--$name=$value" time.csv
            says "--$name: must be "
            says "${valid//_/ }"
            [ -z "$out" ]
        done
    done < numbers.txt
}
