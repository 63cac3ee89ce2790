# What every bats file begins with: the program, the samples, a folder to work in.
SPRUNG=${SPRUNG:-$BATS_TEST_DIRNAME/../../build/sprung}
DATA=$BATS_TEST_DIRNAME/../../data

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
