#!/usr/bin/env bats
# --start-velocity: the initial velocity.
load ../common

setup()
{
    cd "$BATS_TEST_TMPDIR"
    # Uneven times.
    python3 - <<'P'
import math, random
random.seed(11)
t = 0
with open("take.csv", "w") as f:
    f.write("time,x,y\n")
    for n in range(12):
        f.write("%.3f,%.9g,%.9g\n" % (t, math.sin(3 * t) + n // 6, 5 + math.cos(t)))
        t += random.choice((.01, .03, .1))
P
}

# filtered FILTER OPTIONS [NAME=VALUE]...: filters take.csv, and prints the cases for matrix_rows.py.
filtered()
{
    local filter=$1 options=$2
    shift 2
    n=$((${n:-0} + 1))
    sprung $filter $options -d 1 take.csv > out$n.csv
    echo "$filter out$n.csv x $*"
}

@test "springs start with the velocity that is given" {
    needs python3
    {
        filtered critical "-H 0.2 --start-velocity -0.25" halflife=.2 start-velocity=-.25
        filtered critical "-H 0.2 --start 2 --start-velocity 7" halflife=.2 start=2 start-velocity=7
        filtered spring "-f 2 -z 0.3 --hold linear --start-velocity 3" frequency=2 damping-ratio=.3 hold=linear start-velocity=3
        filtered double "-H 0.2 --start-velocity 3" halflife=.2 start-velocity=3
        filtered second-order "-f 2 -z 0.5 -r 1 --start-velocity 3" frequency=2 damping-ratio=.5 response=1 start-velocity=3
        filtered tracking "--start-velocity 3" start-velocity=3
        filtered tracking "--start 2 --start-velocity 7" start=2 start-velocity=7
    } > cases
    [ "$(python3 "$TOOLS/matrix_rows.py" take.csv < cases)" = $((7 * 24)) ]
}

@test "--start-velocity first is the slope to the next row" {
    needs python3
    {
        filtered critical "-H 0.2 --start-velocity first" halflife=.2 start-velocity=first
        filtered spring "-f 2 -z 0.3 --start-velocity first" frequency=2 damping-ratio=.3 start-velocity=first
        filtered double "-H 0.2 --hold linear --start-velocity first" halflife=.2 hold=linear start-velocity=first
        filtered second-order "-f 2 -z 0.5 -r 1 --start-velocity first" frequency=2 damping-ratio=.5 response=1 start-velocity=first
        filtered tracking "--start 2 --start-velocity first" start=2 start-velocity=first
    } > cases
    [ "$(python3 "$TOOLS/matrix_rows.py" take.csv < cases)" = $((5 * 24)) ]
}

@test "a clean signal passes tracking and inertialize from the first row on, with its velocity" {
    printf 'time,x\n0,1\n0.5,2\n1,5\n1.5,5\n' > in.csv
    for filter in tracking "inertialize -H 0.1"; do
        [ "$(sprung $filter -d 1 --start-velocity first in.csv | column 2)" = "$(column 2 < in.csv)" ]
        [ "$(sprung $filter -d 1 --start-velocity first in.csv | column 3 | sed -n 2p)" = 2 ]
    done
}

@test "the initial velocity of inertialize is that of goal and offset, and the offset decays" {
    # The goal moves at 2 per second, the output starts at 5 per second: an offset of velocity 3 at 0, t exp(-y t) 3.
    printf 'time,x\n0,1\n0.5,2\n1,3\n' > in.csv
    sprung inertialize -H 0.5 -d 1 --start-velocity 5 in.csv | tail -n +2 |
        awk -F, '{ y = 4 * log(2); t = $1; want = 1 + 2 * t + 3 * t * exp(-y * t); d = $2 - want
            if (d * d > 1e-24) exit 1; n++ } END { exit n != 3 }'
}

@test "timed, velocity and character start with a velocity: before the goal moves it decays" {
    printf 'time,x\n0,0\n0.5,0\n1,0\n' > in.csv
    for filter in "timed -H 0.5 --time 1" "velocity -H 0.5 --speed 9"; do
        sprung $filter -d 1 --start-velocity 5 in.csv | tail -n +2 |
            awk -F, '{ y = 4 * log(2); d = $2 - 5 * $1 * exp(-y * $1); if (d * d > 1e-24) exit 1; n++ } END { exit n != 3 }'
    done
    # The velocity of character is a critical spring on the goal: 5 (1 + y t) exp(-y t).
    sprung character -H 0.5 -d 1 --start-velocity 5 in.csv | tail -n +2 |
        awk -F, '{ y = 4 * log(2); d = $3 - 5 * (1 + y * $1) * exp(-y * $1); if (d * d > 1e-24) exit 1; n++ } END { exit n != 3 }'
}

@test "a run that begins anew, and each group, starts with the velocity again" {
    printf 'time,x,g\n0,1,a\n0,1,b\n0.1,,a\n0.2,4,a\n0.3,6,a\n0.1,3,b\n' > in.csv
    [ "$(sprung critical -H 0.1 -d 1 --gaps restart --group-by g --start-velocity 3 in.csv | column 4 | sed -n '2,3p;5p' | tr '\n' ' ')" = "3 3 3 " ]
    # After the first value of a there is no value, so that no first difference is known; after its second there is.
    [ "$(sprung critical -H 0.1 -d 1 --gaps restart --group-by g --start-velocity first in.csv | column 4 | sed -n '2,3p' | tr '\n' ' ')" = "0 20 " ]
    sprung critical -H 0.1 -d 1 --gaps restart --group-by g --start-velocity first in.csv | column 4 | sed -n 5p |
        awk '{ d = $1 - 20; exit !(d * d < 1e-20) }'
}

@test "measured velocities of goals stay with their rows where rows wait for the next" {
    needs python3
    printf 'time,x,xv\n0,1,0\n0.1,2,9\n0.2,2.5,1\n0.4,2.5,\n0.5,4,2\n' > in.csv
    # first is 10 here, so that both command lines mean the same; only the first lets rows wait.
    sprung critical -H 0.1 -d 1 --goal-velocity-from x:xv --start-velocity first in.csv > waits.csv
    sprung critical -H 0.1 -d 1 --goal-velocity-from x:xv --start-velocity 10 in.csv | cmp - waits.csv
    while read -r row; do
        echo "$row"
    done < in.csv | sprung critical -H 0.1 -d 1 --goal-velocity-from x:xv --start-velocity first | cmp - waits.csv
}

@test "a rotation starts with an angular velocity, in rad/s" {
    # A turn about z by 0.5 rad/s, sampled, as quaternions and as angles in degrees.
    awk 'BEGIN { print "time,q_w,q_x,q_y,q_z"; for (n = 0; n < 6; n++) {
        a = 0.05 * n; printf "%.2f,%.17g,0,0,%.17g\n", n / 10, cos(a / 2), sin(a / 2) } }' > q.csv
    awk 'BEGIN { print "time,a_x,a_y,a_z"; for (n = 0; n < 6; n++) printf "%.2f,0,0,%.17g\n", n / 10, 9 * n / 3.14159265358979 }' > a.csv
    awk 'BEGIN { print "time,x"; for (n = 0; n < 6; n++) printf "%.2f,%.17g\n", n / 10, 0.05 * n }' > x.csv
    # About a fixed axis the scalar filter is the same; --start-velocity V is V about each axis.
    for filter in "critical -H 0.2" "spring -f 1 -z 0.3" "second-order -f 1 -z 0.4 -r 1" tracking "inertialize -H 0.1"; do
        sprung $filter -d 1 --start-velocity first x.csv | column 3 > velocity
        sprung $filter -d 1 --start-velocity first --quaternions q q.csv | column 8 > turns
        paste -d, velocity turns | tail -n +2 | awk -F, '{ d = $1 - $2; if (d * d > 1e-20) exit 1; n++ } END { exit n != 6 }'
        sprung $filter -d 1 --start-velocity first --rotations a:XYZ a.csv | column 7 > turns
        paste -d, velocity turns | tail -n +2 |
            awk -F, '{ d = $1 - $2 * 3.14159265358979 / 180; if (d * d > 1e-20) exit 1; n++ } END { exit n != 6 }'
        [ "$(sprung $filter -d 1 --start-velocity 2 --quaternions q q.csv | column 6-8 | sed -n 2p)" = 2,2,2 ]
    done
    # It is the derivative of what is printed, also away from the target.
    awk 'BEGIN { print "time,q_w,q_x,q_y,q_z"; for (n = 0; n < 3; n++) printf "%.6f,0.6,0.8,0,0\n", n / 1000000 }' > far.csv
    sprung critical -H 1 -d 1 --start zero --start-velocity 2 --quaternions q far.csv |
        awk -F, 'NR == 3 { exit !($3 * 2e6 > 1.99 && $3 * 2e6 < 2.01 && $4 * 2e6 > 1.99 && $4 * 2e6 < 2.01 && ++n) } END { exit !n }'
}

@test "--start-velocity is refused with the reason where it has no meaning" {
    fails 2 sprung damper -H 1 --start-velocity 1 take.csv
    says '--start-velocity does not apply to damper: its velocity follows from its distance to the input'
    fails 2 sprung one-euro --start-velocity first take.csv
    says 'filters with an initial velocity: critical, spring, '
    fails 2 sprung resonance -H 1 --frequencies 1 --start-velocity 1 take.csv
    says 'its resonators start at rest'
    fails 2 sprung character -H 1 --start-velocity first take.csv
    says '--start-velocity first does not apply to character, whose input is a velocity already'
    fails 2 sprung butterworth --cutoff 0.096 --zero-phase --start-velocity 0 take.csv
    says '--start-velocity cannot be combined with --zero-phase'
    fails 2 sprung critical -H 1 --start-velocity fast take.csv
    says '--start-velocity must be first or a number: "fast"'
}

@test "a row before a fault does not depend on rows behind it, from a file or a pipe" {
    # The second row of b would tell the velocity of its first row, and lies behind the fault.
    printf 'time,who,x,h\n0,a,1,1\n0,b,0,1\n1,a,2,1\n0.5,a,3,1\n0.5,b,24,1\n' > back.csv
    for from in back.csv "-"; do
        fails 2 sprung critical -H 1 --group-by who -c x --start-velocity first -d 1 $from < back.csv
        [ "$(sed -n 3p out.txt)" = "0,b,0,1,0" ]
        [ "$(wc -l < out.txt)" = 4 ]
    done
    [ "$(printf 'time,who,x\n0,a,1\n0,b,0\n1,a,2\n0.5,b,24\n' | sprung critical -H 1 --group-by who --start-velocity first -d 1 | sed -n 3p)" = "0,b,0,48" ]
}
