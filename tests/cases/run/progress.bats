#!/usr/bin/env bats
# The progress line, as it looks on a terminal (tmux) and in a pipe.
load ../common

setup()
{
    cd "$BATS_TEST_TMPDIR"
    { echo time,x; seq 0 2000 | sed 's/.*/&,&&/'; } > x.csv
}

teardown()
{
    [[ -z ${TERMINAL:-} ]] || tmux -L "$TERMINAL" kill-server 2> /dev/null || true
}

# terminal COLUMNS COMMAND: runs it in a terminal of that width.
terminal()
{
    needs tmux
    TERMINAL=sprung-$$-$BATS_TEST_NUMBER
    printf '%s\n' "$2" > run.sh
    tmux -L "$TERMINAL" -f /dev/null new-session -d -x "$1" -y 8 "SPRUNG='$SPRUNG' sh run.sh; sleep 60" 3>&- ||
        skip "no terminal here"
}

screen()
{
    tmux -L "$TERMINAL" capture-pane -p
}

# until_shown PATTERN [SECONDS]: waits for it on the screen.
until_shown()
{
    for ((i = 0; i < ${2:-10} * 10; i++)); do
        screen | grep -qE "$1" && return
        sleep 0.1
    done
    echo "not shown: $1"
    screen
    return 1
}

# slow ROWS: a command that writes rows slowly, 40 a second.
slow()
{
    cat > slow.py << 'P'
import sys, time
print("t,x", flush=True)
for i in range(int(sys.argv[1])):
    print("%d,%d" % (i, 11 * i), flush=True)
    time.sleep(0.025)
P
    echo "python3 slow.py $1"
}

@test "on a terminal after a second: rows and time; at the end it is cleared" {
    terminal 60 "$(slow 80) | \$SPRUNG damper -H 1 -o out.csv; echo done"
    sleep 0.5
    [ -z "$(screen | tr -d '\n ')" ]
    until_shown '^[0-9]+ rows  0:0[1-9]$'
    until_shown '^done'
    [ "$(screen | head -n 1)" = done ]
    [ "$(wc -l < out.csv)" = 81 ]
}

@test "not for short work, not with quiet, not over data on the same terminal" {
    terminal 60 "\$SPRUNG damper -H 1 x.csv -o out.csv; $(slow 60) | \$SPRUNG damper -H 1 -q -o out.csv; echo done"
    for i in 1 2 3 4 5 6 7 8 9; do
        screen | grep -q 'rows  0:' && { screen; return 1; }
        sleep 0.4
    done
    until_shown '^done'
    [ "$(screen | head -n 1)" = done ]
}

@test "files and bar; messages stand above it; cleared" {
    mkdir in
    for i in $(seq 9); do cp x.csv in/$i.csv; done
    echo bad > in/5.csv
    mkfifo in/pipe.csv
    terminal 100 "\$SPRUNG damper -H 1 in/*.csv -j 1 --output-dir out; echo done"
    sleep 0.3
    $(slow 60) > in/pipe.csv &
    until_shown '^9/10 files  [0-9,]+ rows  0:0[0-9]'
    until_shown '^sprung: in/5.csv:'
    until_shown '^done'
    screen | grep -q 'rows  0:' && return 1
    screen | grep -q '^sprung: 1 of 10 files failed'
    teardown
    mkdir many
    python3 -c 'for i in range(600): open("many/%d.csv" % i, "w").write("t,x\n" + "".join("%d,2\n" % k for k in range(50)))'
    # A disk that takes its time, or there would be nothing to see.
    command -v strace > /dev/null && strace -qq -o /dev/null true || skip "strace is missing, or may not trace here"
    slow_disk='strace -qq -f --seccomp-bpf -o /dev/null -e trace=fsync -e inject=fsync:delay_enter=30000'
    terminal 100 "export ASAN_OPTIONS=detect_leaks=0; $slow_disk \$SPRUNG damper -H 1 -i many/*.csv; echo done"
    until_shown '^ *[0-9]+%  .[#-]{24}.  [0-9]+/600 files  [0-9]+ rows  [0-9]+:[0-9]+$'
    until_shown '^done' 60
}

@test "cut at the width of the terminal" {
    terminal 14 "$(slow 120) | \$SPRUNG damper -H 1 -o out.csv; echo done"
    until_shown '^[0-9]+ rows  0:0$'
    [ "$(screen | grep -c .)" = 1 ]
}

@test "cleared on signals" {
    for signal in INT TERM HUP; do
        terminal 60 "$(slow 400) | sh -c 'echo \$\$ > pid; exec \$SPRUNG damper -H 1 -o out.csv'; echo ended \$?"
        until_shown 'rows  0:'
        kill -$signal "$(cat pid)"
        until_shown '^ended'
        screen | grep -q 'rows  0:' && { screen; return 1; }
        [ ! -e out.csv ]
        teardown
    done
}
