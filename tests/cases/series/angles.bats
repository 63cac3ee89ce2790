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

@test "wrapped angles come out as the unrolled curve does, for every filter" {
    for filter in "damper -H 0.1" "critical -H 0.1" "spring -f 2 -z 0.4" "second-order -f 2 -z 0.5 -r -1" tracking \
        "inertialize -H 0.1" "double -H 0.1"; do
        # shellcheck disable=SC2086
        sprung $filter --decimals 6 turning.csv > want.csv
        # shellcheck disable=SC2086
        sprung $filter --decimals 6 --angles x wrapped.csv | cmp - want.csv
    done
}

@test "--wrap takes the same turns off again" {
    sprung critical -H 0.1 -d 0 --decimals 6 --angles x wrapped.csv > open.csv
    sprung critical -H 0.1 -d 0 --decimals 6 --angles x --wrap wrapped.csv > wrapped_out.csv
    python3 - <<'P'
def column(name): return [line.split(",")[1] for line in open(name).read().split()[1:]]
raw, flat, open_, wrapped = map(column, ("wrapped.csv", "turning.csv", "open.csv", "wrapped_out.csv"))
for r, f, o, w in zip(raw, flat, open_, wrapped):
    assert (r == "") == (w == "")
    if r:
        turns = round((float(f) - float(r)) / 360)
        assert abs(float(o) - 360 * turns - float(w)) < 1e-9
P
}

@test "--period: radians, and other circles" {
    printf 'time,x\n0,0.9\n1,0.1\n2,0.3\n' > in.csv
    [ "$(sprung damper -H 1 -d 0 --decimals 3 --angles x --period 1 in.csv | cut -d, -f2 | tr '\n' ' ')" = "x 0.9 1.000 1.150 " ]
}

@test "an angle that is no channel is refused" {
    fails 2 sprung damper -H 1 --angles time wrapped.csv
    says 'time'
    fails 2 sprung damper -H 1 --angles nosuch wrapped.csv
    says 'nosuch'
}
