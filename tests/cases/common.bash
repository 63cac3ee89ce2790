# Loaded by every bats file: paths of the program and the sample data, the working folder, common checks.
ROOT=${BATS_TEST_DIRNAME%/tests/cases/*}
TOOLS=$ROOT/tests/cases/tools
SPRUNG=${SPRUNG:-$ROOT/build/sprung}
DATA=$ROOT/data

# Every filter with options, for tests that hold for all of them.
mapfile -t filters < <(grep -v '^#' "$ROOT/tests/filters")

# A file with a setup of its own begins it with this.
setup()
{
    cd "$BATS_TEST_TMPDIR"
}

# The table of filters, commands, formats and options that man/table.c prints.
options_table()
{
    cat "$ROOT/build/options.tsv"
}

sprung()
{
    "$SPRUNG" "$@"
}

# The decimals of awk have a point in every locale: mawk and gawk print a comma where the locale has one.
awk()
{
    LC_ALL=C command awk "$@"
}

# make_apart TARGET...: make in the top folder, with a copy of what has been built: the program that is tested stays as it is
# whatever make finds out of date.
make_apart()
{
    local build=$BATS_FILE_TMPDIR/build
    if [[ ! -d $build ]]; then
        mkdir "$build"
        (cd "$ROOT/${BUILD:-build}" && find . -mindepth 1 -maxdepth 1 \
            \( -type f -o -name lib -o -exec test -d "$ROOT/src/{}" \; \) -exec cp -a -t "$build" {} +)
    fi
    make -s -C "$ROOT" BUILD="$build" "$@" > make.txt 2>&1 || { cat make.txt; return 1; }
}

# narrow FILE: no line has more than 80 columns.
narrow()
{
    local columns
    columns=$(LC_ALL=C.UTF-8 wc -L < "$1")
    ((columns <= 80)) || { echo "$1: a line of $columns columns"; return 1; }
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

# says TEXT: the messages of the last fails contain TEXT.
says()
{
    [[ $err == *"$1"* ]] || { echo "not said: $1"; echo "said: $err"; return 1; }
}

# trickle SIZE FILE: writes the file in pieces of SIZE bytes, with pauses between the first pieces, as a pipe may bring it.
trickle()
{
    python3 -c '
import sys, time
size, data = int(sys.argv[1]), open(sys.argv[2], "rb").read()
for piece, at in enumerate(range(0, len(data), size)):
    sys.stdout.buffer.write(data[at:at + size])
    sys.stdout.buffer.flush()
    time.sleep(0.002 if piece < 60 else 0)' "$@"
}

# needs PROGRAM: skips the test if the program is not installed.
needs()
{
    command -v "$1" > /dev/null || skip "$1 is missing"
}

# job [ARGUMENT]...: runs any one filter, for tests that do not depend on which.
job()
{
    sprung damper -H 1 -d 0 "$@"
}

# column N: prints column N of CSV without quotes.
column()
{
    cut -d, -f"$1"
}

# reads [NAME]...: reads BVH with an independent program.
reads()
{
    python3 "$TOOLS/read_motion.py" "$@"
}

# make_preload: compiles tools/preload.c, which makes system calls fail, to $PRELOAD.
make_preload()
{
    [[ ${BUILD:-} == *san* ]] && skip "the library of the sanitizers must be loaded first"
    PRELOAD=$BATS_FILE_TMPDIR/preload.so
    [[ -e $PRELOAD ]] || cc -shared -fPIC -O2 -o "$PRELOAD" "$TOOLS/preload.c" -ldl
}

# in_pieces FILE: writes the file to standard output in pieces of irregular lengths.
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

# each_row ROW LINES ARGUMENT...: sends rows (ROW is a format of row number and value) one by one through a pipe and
# requires LINES lines of output for each before it sends the next; for the first row the header and one line.
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
