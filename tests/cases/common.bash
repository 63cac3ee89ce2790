# Loaded by every bats file: the program, the sample data, a folder to work in, and common checks.
ROOT=${BATS_TEST_DIRNAME%/tests/cases/*}
TOOLS=$ROOT/tests/cases/tools
SPRUNG=${SPRUNG:-$ROOT/build/sprung}
DATA=$ROOT/data

# All of them, for what holds for each.
filters=("damper -H 0.1" "critical -H 0.1" "spring -f 2 -z 0.3" "second-order -f 2 -z 0.5 -r -1" "tracking"
    "inertialize -H 0.1" "double -H 0.1" "timed -H 0.1 --time 0.2" "velocity -H 0.1 --speed 2" "character -H 0.2 --predict 0.1"
    "resonance -H 0.5 --frequencies 1,2")

setup()
{
    cd "$BATS_TEST_TMPDIR"
}

sprung()
{
    "$SPRUNG" "$@"
}

# fails STATUS COMMAND...: runs it, keeps its output in $out and its messages in $err.
fails()
{
    local want=$1 got=0
    shift
    "$@" > out.txt 2> err.txt || got=$?
    out=$(cat out.txt)
    err=$(cat err.txt)
    [[ $got == "$want" ]] || { echo "status $got, not $want: $*"; echo "$err"; return 1; }
}

# says TEXT: the last message holds TEXT.
says()
{
    [[ $err == *"$1"* ]] || { echo "not said: $1"; echo "said: $err"; return 1; }
}

# needs PROGRAM: skips the test where that is missing.
needs()
{
    command -v "$1" > /dev/null || skip "$1 is missing"
}

# job [ARGUMENT]...: a filter like any other, for tests of what is around filters.
job()
{
    sprung damper -H 1 -d 0 "$@"
}

# column N: that column of csv without quotes.
column()
{
    cut -d, -f"$1"
}

# reads [NAME]...: another program reads bvh.
reads()
{
    python3 "$TOOLS/read_motion.py" "$@"
}

# make_preload: $PRELOAD is tools/preload.c, for systems on which something goes wrong.
make_preload()
{
    [[ ${BUILD:-} == *san* ]] && skip "sanitizers come first"
    PRELOAD=$BATS_FILE_TMPDIR/preload.so
    [[ -e $PRELOAD ]] || cc -shared -fPIC -O2 -o "$PRELOAD" "$TOOLS/preload.c" -ldl
}

# in_pieces FILE: writes it in pieces of odd lengths.
in_pieces()
{
    python3 -c '
import sys
data = open(sys.argv[1], "rb").read()
at, step = 0, 1
while at < len(data):
    sys.stdout.buffer.write(data[at:at + step]); sys.stdout.buffer.flush()
    at += step
    step = step * 7 % 30011 + 1' "$1"
}

# each_row ROW LINES ARGUMENT...: feeds rows (a format of the row's number and a value) one by one through a pipe, and
# demands so many lines for each before the next is sent: the header and one for the first.
each_row()
{
    python3 - "$SPRUNG" "$@" <<'P'
import select, subprocess, sys
p = subprocess.Popen(sys.argv[1:2] + sys.argv[4:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
p.stdin.write(b"time,x\n")
for n in range(200):
    p.stdin.write((sys.argv[2] % (n, n % 7) + "\n").encode())
    want = int(sys.argv[3]) if n else 2
    got = b""
    while got.count(b"\n") < want:
        ready, _, _ = select.select([p.stdout], [], [], 20)
        if not ready:
            sys.exit("row %d did not come out" % n)
        got += p.stdout.read(65536)
    assert got.count(b"\n") == want, got
p.stdin.close()
sys.exit(p.wait())
P
}
