#!/usr/bin/env bats
# Signals end the program by themselves, and nothing is left behind; closed descriptors; other locales.
load ../common

setup()
{
    cd "$BATS_TEST_TMPDIR"
    { echo time,x; seq 0 2000 | sed 's/.*/&,&&/'; } > x.csv
}

# ended SIGNAL ARGUMENT...: sends the signal while the program waits for input; prints how it ended and what is there.
ended()
{
    python3 - "$SPRUNG" "$@" <<'P'
import os, signal, subprocess, sys, time
number = getattr(signal, "SIG" + sys.argv[2])
def plain():
    for s in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGPIPE):
        signal.signal(s, signal.SIG_DFL)
    import resource
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
p = subprocess.Popen([sys.argv[1], "damper", "-H", "1"] + sys.argv[3:], stdin=subprocess.PIPE, stderr=subprocess.PIPE,
                     preexec_fn=plain)
p.stdin.write(open("x.csv", "rb").read()); p.stdin.flush()
time.sleep(0.3)
p.send_signal(number)
said = p.stderr.read()
assert p.wait() == -number, "ended with %d, said %s" % (p.returncode, said)
assert said == b"", said
P
}

@test "SIGINT, SIGTERM, SIGHUP, SIGQUIT: ended by that signal, no output, no litter" {
    echo old > over.csv
    for signal in INT TERM HUP QUIT; do
        ended $signal -o out.csv
        ended $signal -o over.csv
        [ "$(LC_ALL=C ls -A | tr '\n' ' ')" = 'over.csv x.csv ' ]
        [ "$(cat over.csv)" = old ]
    done
}

@test "an ignored SIGINT or SIGHUP stays ignored" {
    for signal in INT HUP; do
        bash -c "trap '' $signal; (head -n 3 x.csv; sleep 0.5; tail -n +4 x.csv) | '$SPRUNG' damper -H 1 -o out.csv & sleep 0.2; pkill -$signal -P \$\$ -x sprung; wait"
        [ "$(wc -l < out.csv)" = 2002 ]
        rm out.csv
    done
}

@test "closed descriptors: no data file takes their place" {
    sprung damper -H 1 --decimals input x.csv > want.csv
    cp x.csv keep.csv
    for closed in '<&-' '>&-' '2>&-' '<&- >&-' '<&- 2>&-' '>&- 2>&-' '<&- >&- 2>&-'; do
        status=0
        bash -c "'$SPRUNG' damper -H 1 --decimals input x.csv -o out.csv $closed" || status=$?
        cmp out.csv want.csv
        bash -c "'$SPRUNG' damper -H 1 -d 2 --decimals input x.csv keep.csv --output-dir out $closed" || true
        cmp out/x.csv want.csv
        cmp out/keep.csv want.csv
        bash -c "'$SPRUNG' damper -H 1 -d 2 -i x.csv nowhere.csv $closed" || true
        cmp x.csv want.csv
        cp keep.csv x.csv
        rm -r out out.csv
        [ "$(LC_ALL=C ls -A | tr '\n' ' ')" = 'keep.csv want.csv x.csv ' ]
    done
}

@test "the cases again under LC_ALL=de_DE.UTF-8" {
    [[ -n ${SPRUNG_AGAIN:-} || $BUILD == *san* ]] && skip "once is enough"
    if ! locale -a | grep -qix 'de_DE.utf-\?8'; then
        command -v localedef > /dev/null && localedef -i de_DE -f UTF-8 ./de_DE.UTF-8 || skip "no German locale"
        export LOCPATH=$PWD
    fi
    [ "$(LC_ALL=de_DE.UTF-8 locale decimal_point)" = , ]
    cd "$ROOT/tests/cases"
    SPRUNG_AGAIN=1 LC_ALL=de_DE.UTF-8 bats --tap series/series.bats formats/csv.bats > "$BATS_TEST_TMPDIR/log.txt" 2>&1 ||
        { grep -A 20 '^not ok' "$BATS_TEST_TMPDIR/log.txt"; return 1; }
}
