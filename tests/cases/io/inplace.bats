#!/usr/bin/env bats
# In place: the file is replaced whole or not at all, and keeps what it had besides its bytes. signals at any moment.
load ../common

setup()
{
    cd "$BATS_TEST_TMPDIR"
    printf 'time,x\n0,1\n1,8\n2,8\n' > x.csv
    cp x.csv old.csv
    job x.csv --decimals input > new.csv
}

# names NAME...: these are all that is in the folder, besides what every test here has.
names()
{
    [[ $(LC_ALL=C ls -A -I old.csv -I new.csv -I err.txt -I out.txt | tr '\n' ' ') == "$* " ]] || { ls -A; return 1; }
}

# preload FAIL COMMAND...: a system on which something goes wrong (tools/preload.c).
preload()
{
    make_preload
    LD_PRELOAD=$PRELOAD FAIL=$1 "${@:2}"
}

@test "in place: a suffix that stands apart is no file, and nothing is done without the backup" {
    printf 'time,x\n0,0\n1,1\n' | tee old.csv > in.csv
    fails 2 sprung damper -H 1 --in-place .orig in.csv
    [ "$err" = 'sprung: there is no file of this name: ".orig"
  hint: if it is a value, give it with its option: --cutoff 6Hz, --columns x,y, --in-place=.orig' ]
    fails 2 sprung damper -H 1 in.csv -i .orig
    cmp in.csv old.csv
    fails 2 sprung damper -H 1 --report xml in.csv
    says 'there is no file of this name: "xml"'
    # A file that is gone is one of the batch.
    fails 2 sprung damper -H 1 -d 0 -i gone.csv in.csv
    says 'gone.csv'
    ! cmp -s in.csv old.csv
    cp old.csv series
    sprung damper -H 1 -d 0 -i series
    cmp in.csv series
}

@test "replaced by what the filter gives, without derivatives unless asked for" {
    sprung damper -H 1 -i x.csv
    cmp x.csv new.csv
    names x.csv
    cp old.csv x.csv
    sprung damper -H 1 --in-place -d 1 x.csv
    [ "$(head -n 1 x.csv)" = time,x,x_vel ]
}

@test "a suffix keeps the old file; an older one under that name goes only by --force" {
    job -i.bak x.csv
    cmp x.csv new.csv
    cmp x.csv.bak old.csv
    names x.csv x.csv.bak
    fails 2 job --in-place=.bak x.csv
    says 'already exists'
    cmp x.csv new.csv
    cmp x.csv.bak old.csv
    job --in-place=.bak --force x.csv
    cmp x.csv.bak new.csv
    names x.csv x.csv.bak
    cp old.csv x.csv
    job -i=.orig x.csv # as with the long name
    cmp x.csv.orig old.csv
    cmp x.csv new.csv
    rm x.csv.orig
    fails 2 job -i/bak x.csv
    says 'cannot contain a slash'
    mkdir x.csv.d
    cp x.csv keep
    fails 2 job -i.d x.csv
    says 'already exists'
    fails 2 job -i.d --force x.csv
    says 'cannot back the file up as '
    says 'x.csv.d'
    cmp x.csv keep
    names keep x.csv x.csv.bak x.csv.d
}

@test "a bad file stays as it was" {
    printf 'time,x\n0,1\n1,bad\n' > bad.csv
    cp bad.csv keep
    fails 2 job -i bad.csv x.csv -c x
    says 'bad.csv:3'
    cmp bad.csv keep
    cmp x.csv new.csv
    names bad.csv keep x.csv
}

@test "mode, and set-id bits" {
    for mode in 600 644 666 755 2755 4711 400; do
        cp old.csv x.csv
        chmod $mode x.csv
        job -i --force x.csv
        cmp x.csv new.csv
        [ "$(stat -c %a x.csv)" = $mode ]
        rm -f x.csv
    done
}

@test "owner and group" {
    [ "$(id -u)" = 0 ] || skip "only root gives files away"
    chown 1234:4321 x.csv
    chmod 4750 x.csv
    job -i x.csv
    cmp x.csv new.csv
    [ "$(stat -c %u:%g:%a x.csv)" = 1234:4321:4750 ]
}

@test "an owner that cannot be kept is an error" {
    [ "$(id -u)" = 0 ] || skip "only root makes such a file"
    mkdir --mode 777 open
    mv x.csv open
    chmod 666 open/x.csv
    chmod 755 . .. ../.. || true
    cp "$SPRUNG" open/program
    fails 2 setpriv --reuid 1234 --regid 1234 --clear-groups open/program damper -H 1 -i open/x.csv
    says 'cannot keep its owner'
    cmp open/x.csv old.csv
    [ "$(ls -A open | tr '\n' ' ')" = 'program x.csv ' ]
    # Another file need not be its owner's.
    echo old > open/y.csv
    chmod 666 open/y.csv
    setpriv --reuid 1234 --regid 1234 --clear-groups open/program damper -H 1 -d 0 --decimals input open/x.csv -o open/y.csv
    cmp open/y.csv new.csv
    [ "$(stat -c %u open/y.csv)" = 1234 ]
    # Another group has no rights.
    echo old > open/z.csv
    chmod 676 open/z.csv
    setpriv --reuid 1234 --regid 1234 --clear-groups open/program damper -H 1 open/x.csv -o open/z.csv
    [ "$(stat -c %u:%g:%a open/z.csv)" = 1234:1234:606 ]
}

@test "a symbolic link stays; the file it leads to is edited where it is" {
    mkdir far
    mv x.csv far/x.csv
    ln -s far/x.csv link.csv
    ln -s link.csv link2.csv
    job -i.bak link2.csv
    [ "$(readlink link2.csv)" = link.csv ]
    [ "$(readlink link.csv)" = far/x.csv ]
    cmp far/x.csv new.csv
    cmp far/x.csv.bak old.csv
    [ "$(ls -A far | tr '\n' ' ')" = 'x.csv x.csv.bak ' ]
}

@test "hard links are refused with a hint" {
    ln x.csv y.csv
    fails 2 job -i x.csv
    says '2 hard links'
    says '--output'
    cmp x.csv old.csv
    [ x.csv -ef y.csv ]
}

@test "a read-only file takes --force" {
    chmod 444 x.csv
    fails 2 job -i x.csv
    says 'x.csv: the file is read-only'
    says '--force'
    cmp x.csv old.csv
    job -i --force x.csv
    cmp x.csv new.csv
    [ "$(stat -c %a x.csv)" = 444 ]
}

@test "folders, pipes, devices, standard input, missing files; the others are done" {
    mkdir folder
    mkfifo pipe
    fails 2 job -i folder pipe /dev/null - nowhere.csv x.csv
    says 'folder: cannot edit in place: Is a directory'
    says 'pipe: only a regular file'
    says '/dev/null: only a regular file'
    says '(standard input): standard input cannot be edited in place'
    says 'nowhere.csv: cannot open'
    says '5 of 6 files failed'
    cmp x.csv new.csv
    fails 2 job -i
    says '--in-place needs a file'
}

@test "a backup that is an input is refused" {
    cp old.csv x.csv.bak
    fails 2 job -i.bak --force x.csv x.csv.bak
    says 'x.csv.bak is an input'
    cmp x.csv old.csv
    cmp x.csv.bak old.csv
}

# begun COMMAND...: runs it in the background with a slow input, the pipe slow.csv; returns when it reads.
begun()
{
    [[ -p slow.csv ]] || mkfifo slow.csv
    status=0
    "$@" 2> err.txt 3>&- &
    job=$!
    exec 9> slow.csv
    head -n 2 old.csv >&9
    sleep 0.2
}

# ended STATUS: lets the slow input end.
ended()
{
    tail -n +3 old.csv >&9
    exec 9>&-
    wait $job || status=$?
    err=$(cat err.txt)
    [ "$status" = "$1" ] || { echo "status $status: $err"; return 1; }
}

@test "an output that appears while it is made is left, unless with --force" {
    for force in '' --force; do
        rm -f out.csv
        begun "$SPRUNG" damper -H 1 -d 0 --decimals input slow.csv -o out.csv $force
        echo theirs > theirs.csv
        mv theirs.csv out.csv
        if [[ $force ]]; then
            ended 0
            cmp out.csv new.csv
        else
            ended 2
            says 'out.csv: another program '
            says 'add --force to replace it'
            [ "$(cat out.csv)" = theirs ]
        fi
        rm slow.csv
    done
    rm out.csv
    names x.csv
}

@test "outputs of a batch that appear meanwhile are left, with --update too; --force replaces them" {
    for options in '' --update --force; do
        rm -rf out slow.csv
        begun "$SPRUNG" damper -H 1 -d 0 --decimals input -j 1 slow.csv x.csv --output-dir out $options
        echo theirs | tee out/slow.csv > out/x.csv
        touch -d 2030-01-01 out/slow.csv out/x.csv
        if [[ $options == --force ]]; then
            ended 0
            cmp out/slow.csv new.csv
            cmp out/x.csv new.csv
        else
            ended 2
            says 'out/slow.csv: another program created this file meanwhile'
            [ "$(cat out/slow.csv out/x.csv)" = $'theirs\ntheirs' ]
        fi
    done
}

@test "without hard links: the same results" {
    preload links "$SPRUNG" damper -H 1 -i.bak x.csv
    cmp x.csv new.csv
    cmp x.csv.bak old.csv
    preload links "$SPRUNG" damper -H 1 -d 0 --decimals input old.csv -o out.csv
    cmp out.csv new.csv
    names out.csv x.csv x.csv.bak
}

# killing PROGRAM TIMES: ends it with SIGKILL and other signals, each after another time; looks after each.
killing()
{
    python3 - "$@" <<'P'
import os, random, signal, subprocess, sys, time
program, times = sys.argv[1], int(sys.argv[2])
random.seed(7)
rows = lambda n, k: "time,x\n" + "".join("%d,%d\n" % (i, i * k % 11) for i in range(n))
old = {"large.csv": rows(60000, 3), **{"%d.csv" % k: rows(20, k % 10 + 1) for k in range(30)}}
command = [program, "damper", "-H", "1", "-d", "0", "-i", "-j", "2"] + sorted(old)
def fresh():
    for name, text in old.items():
        with open(name, "w") as f: f.write(text)
read = lambda name: open(name).read()
os.mkdir("work"); os.chdir("work")
fresh()
start = time.time()
subprocess.check_call(command)
took = time.time() - start
new = {name: read(name) for name in old}
assert all(old[name] != new[name] for name in old)
killed = half = hidden = 0
for n in range(times):
    fresh()
    number = (signal.SIGKILL, signal.SIGINT, signal.SIGTERM, signal.SIGHUP)[n % 4]
    p = subprocess.Popen(command, preexec_fn=lambda: [signal.signal(s, signal.SIG_DFL) for s in (1, 2, 15)])
    time.sleep(random.random() * took * 1.1)
    p.send_signal(number)
    status = p.wait()
    assert status in (0, -number), status
    killed += status != 0
    got = {name: read(name) for name in old}
    bad = [name for name in old if got[name] not in (old[name], new[name])]
    assert not bad, "neither old nor new: %s" % bad
    left = set(os.listdir(".")) - set(old)
    assert len(left) <= (6 if number == signal.SIGKILL else 0) and all(".sprung-" in name for name in left), "litter: %s" % left
    for name in left: os.unlink(name)
    hidden += len(left)
    done = sum(got[name] == new[name] for name in old)
    half += 0 < done < len(old)
print("killed %d of %d times, %d times with some files done, %d hidden names left" % (killed, times, half, hidden))
assert killed > times // 4
P
}

@test "a signal at any moment: the old file or the new one, whole; hidden names of open files, after kill -9 alone" {
    killing "$SPRUNG" 40
}
