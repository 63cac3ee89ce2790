#!/usr/bin/env bats
# Lists of names (--files-from, --null) and batches that go on where they stopped (--update).
load ../common

setup()
{
    cd "$BATS_TEST_TMPDIR"
    mkdir in
    for i in {1..9}; do
        printf 'time,x\n0,%d\n1,8\n2,8\n' "$i" > in/$i.csv
    done
    ls in/*.csv > list
}

@test "a list gives what operands give, from a file, a pipe, in pieces, for any --jobs" {
    job in/*.csv --output-dir want
    for jobs in 1 4; do
        job --files-from list --output-dir file$jobs -j $jobs -q
        in_pieces list | job --files-from - --output-dir pipe$jobs -j $jobs -q
        job --files-from - --output-dir input$jobs -j $jobs -q < list
        tr '\n' '\0' < list | job -0 --files-from /dev/stdin in/1.csv in/2.csv --output-dir null$jobs -j $jobs 2> err.txt
        [ "$(cat err.txt)" = 'sprung: 9 done, 0 skipped, 0 of 9 files failed' ]
        for got in file pipe input null; do diff -r want $got$jobs; done
        cp -r in place$jobs
        sed "s/^in/place$jobs/" list | job --decimals 6 --files-from - -i.old -j $jobs -q
        for i in {1..9}; do
            job in/$i.csv --decimals 6 | cmp - place$jobs/$i.csv
            cmp in/$i.csv place$jobs/$i.csv.old
        done
    done
}

@test "names are read as they come: a file is filtered before the next name is written" {
    python3 - "$SPRUNG" <<'P'
import os, select, subprocess, sys
for jobs in "1", "3":
    out = "out" + jobs
    p = subprocess.Popen([sys.argv[1], "damper", "-H", "1", "-j", jobs, "--files-from", "-", "--output-dir", out],
                         stdin=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)
    for i in range(1, 5):
        p.stdin.write(b"in/%d.csv\nnone%d.csv\nin/" % (i, i)) # and the beginning of a name
        said = b""
        while b"none%d.csv" % i not in said:
            if not select.select([p.stderr], [], [], 20)[0]:
                p.kill()
                sys.exit("nothing was said of name %d before the next one" % i)
            said += os.read(p.stderr.fileno(), 1000)
        assert os.path.exists("%s/%d.csv" % (out, i)), i
        p.stdin.write(b"none.csv\n")
    p.stdin.close()
    assert p.wait() == 2
    assert b"sprung: 4 done, 0 skipped, 5 of 9 files failed: none1.csv, in/none.csv, none2.csv" in p.stderr.read()
P
}

@test "messages of a list do not depend on --jobs, pipe or file" {
    echo bad > in/3.csv
    sed -i '6s/.*/in\/none.csv/' list
    for jobs in 1 2 7; do
        fails 2 job --files-from list -v -j $jobs --output-dir file$jobs
        cp err.txt file$jobs.txt
        fails 2 bash -c "cat list | '$SPRUNG' damper -H 1 -d 0 --files-from - -v -j $jobs --output-dir pipe$jobs"
        cmp err.txt file$jobs.txt
        cmp err.txt file1.txt
        diff -r file1 pipe$jobs
    done
    [ "$(tail -n 1 err.txt)" = 'sprung: 7 done, 0 skipped, 2 of 9 files failed: in/3.csv, in/none.csv' ]
}

@test "line ends, empty lines, no last line end, repeated names; an empty list" {
    printf '\nin/1.csv\r\n\r\nin/2.csv\n./in/1.csv\n\nin/3.csv' > list
    for list in list -; do
        job --files-from $list --output-dir out$list 2> err.txt < <(cat list)
        [ "$(cat err.txt)" = 'sprung: 3 done, 0 skipped, 0 of 3 files failed' ]
        [ "$(ls out$list | tr '\n' ' ')" = '1.csv 2.csv 3.csv ' ]
    done
    for list in /dev/null -; do
        job --files-from $list --output-dir none 2> err.txt < <(:)
        [ "$(cat err.txt)" = 'sprung: 0 done, 0 skipped, 0 of 0 files failed' ]
        [ ! -e none ]
    done
}

@test "odd names: newline, return, blanks, dash, bytes that are no UTF-8" {
    names=($'new\nline.csv' $'return\r' ' blanks .csv' -dash.csv $'bad\xff.csv')
    for name in "${names[@]}"; do cp in/1.csv "./$name"; done
    printf '%s\0' "${names[@]}" > list
    job -0 --files-from list --output-dir out -q
    for name in "${names[@]}"; do job in/1.csv --decimals input | cmp - "out/$name"; done
    fails 2 job -0 --files-from list --output-dir out
    says 'out/new\nline.csv: the output already exists'
    says 'out/return\r: the output already exists'
    fails 2 job --files-from list --output-dir new
    [ "$(head -n 2 err.txt)" = 'sprung: list:2: a name with a NUL byte
  hint: write one name per line, or use --null for names that end with NUL' ]
    [ ! -e new ]
    fails 2 bash -c "cat list | '$SPRUNG' damper -H 1 --files-from - --output-dir new in/1.csv"
    says 'sprung: (standard input):2: a name with a NUL byte'
    [ "$(ls new)" = 1.csv ]
    # A list names files: in it - is one, too.
    printf 'in/2.csv\n-\n' > list
    fails 2 job --files-from list --output-dir new --force
    says './-: cannot open: No such file'
    says '1 done, 0 skipped, 1 of 2 files failed: ./-'
    cp in/3.csv ./-
    job --files-from list --output-dir new --force -q < /dev/null
    job in/3.csv --decimals input | cmp - new/-
}

@test "conflicts: of operands and of a file refused before anything is written, of a pipe as soon as they are known" {
    mkdir a b
    cp in/1.csv a/x.csv
    cp in/2.csv b/x.csv
    printf 'a/x.csv\nin/3.csv\nb/x.csv\n' > list
    fails 2 job --files-from list --output-dir out
    [ "$err" = 'sprung: b/x.csv: the output out/x.csv is also the output of line 1 of list
  hint: filter them separately into two folders, or keep their paths with --parents
sprung: nothing was written' ]
    [ ! -e out ]
    for options in '' --force --update; do
        fails 2 bash -c "cat list | '$SPRUNG' damper -H 1 -d 0 --files-from - --output-dir out $options -j 3"
        says 'b/x.csv: the output out/x.csv is also the output of'
        says '2 done, 0 skipped, 1 of 3 files failed: b/x.csv'
        job a/x.csv --decimals input | cmp - out/x.csv
        job in/3.csv --decimals input | cmp - out/3.csv
        rm -r out
    done
    fails 2 bash -c "cat list | '$SPRUNG' damper -H 1 -d 0 --files-from - in/1.csv ./b/../in/2.csv --output-dir in --force"
    says 'in/1.csv: the output is the input itself'
    says 'nothing was written'
    # Outputs of this run that the list names, too: find sees them as they come.
    printf 'in/1.csv\nin/1_c.csv\n./in/1_c.csv\nin/1_c_c.csv\n' > list
    for jobs in 1 3; do
        fails 2 bash -c "cat list | '$SPRUNG' damper -H 1 --files-from - --output-dir in --suffix _c -j $jobs --force"
        says '1 done, 0 skipped, '
        [ ! -e in/1_c_c.csv ]
        says 'in/1_c.csv: this file is also the output of line 1 of (standard input)'
        rm in/1_c.csv
    done
    cp in/1.csv keep.csv
    fails 2 job --files-from <(printf 'in/1.csv\nin/2.csv\n') --output-dir in
    says 'in/1.csv: the output is the input itself'
    cmp in/1.csv keep.csv
}

@test "update: skips what is there, does what is missing or older, in one summary" {
    job in/[1-5].csv --output-dir out
    before=$(stat -c %i out/[145].csv)
    touch -d '2020-01-01' out/2.csv
    printf 'time,x\n0,7\n1,8\n' > in/3.csv
    touch -d '2030-01-01' in/3.csv # newer than its output will be
    touch -r in/4.csv out/4.csv
    job in/*.csv --output-dir out --update -n > out.txt 2> err.txt
    [ "$(sed -n '2p;4p' out.txt)" = 'in/2.csv -> out/2.csv, replaces the existing file
in/4.csv -> out/4.csv, skipped: the output is up to date' ]
    job in/*.csv --output-dir out --update 2> err.txt
    [ "$(cat err.txt)" = 'sprung: 6 done, 3 skipped, 0 of 9 files failed; to filter skipped files again, for example with new options, add --force' ]
    for i in {1..9}; do job in/$i.csv --decimals input | cmp - out/$i.csv; done
    [ "$(stat -c %i out/[145].csv)" = "$before" ]
    job in/[1245].csv --output-dir out --update 2> err.txt
    [ "$(cat err.txt)" = 'sprung: 0 done, 4 skipped, 0 of 4 files failed; to filter skipped files again, for example with new options, add --force' ]
    job in/[1245].csv --output-dir out --update --force 2> err.txt
    [ "$(cat err.txt)" = 'sprung: 4 done, 0 skipped, 0 of 4 files failed' ]
    rm in/1.csv
    echo bad > in/6.csv
    touch -d '2031-01-01' in/6.csv
    fails 2 job --files-from list --output-dir out --update -q
    [ "$(tail -n 1 err.txt)" = 'sprung: 1 done, 6 skipped, 2 of 9 files failed: in/1.csv, in/6.csv; to filter skipped files again, for example with new options, add --force' ]
    fails 2 job in/2.csv -i --update
    says '--update needs --output-dir'
    fails 2 job in/2.csv -0 --output-dir out
    says '--null needs --files-from'
    chmod 444 out/7.csv
    touch -d '2020-01-01' out/7.csv
    fails 2 job in/7.csv --output-dir out --update
    says 'out/7.csv: the file is read-only'
}

@test "other options: places, reports, limits, files of options, pictures" {
    fails 2 job --files-from list
    says '--files-from can name several inputs, but there is only one output'
    fails 2 job in/1.csv --files-from list -o out.csv
    says 'use --output-dir DIR'
    fails 2 job --files-from none --output-dir out
    [ "$err" = 'sprung: none: cannot open: No such file or directory' ]
    fails 2 job --files-from in --output-dir out
    says 'in: cannot read: Is a directory'
    echo "--files-from list --output-dir out --report" > options
    sprung damper -H 1 -d 0 --options options > report.txt 2> err.txt
    [ "$(grep -c '^in/[1-9].csv' report.txt)" = 9 ] || { cat report.txt; return 1; }
    fails 2 job --files-from list --output-dir max --max-change 2.9
    says 'of 9 files failed: in/1.csv, in/2.csv'
    [ ! -e max/1.csv ]
    [ -e max/8.csv ]
}

@test "progress: files of an unknown number, then of all" {
    job --files-from - --output-dir out --progress always 2> err.txt < <(cat list; sleep 1.2)
    grep -q '^[0-9]/? files  ' err.txt
    [[ $(grep files err.txt | tail -n 2 | head -n 1) =~ ^'9/9 files  ' ]] || { cat err.txt; return 1; }
    job --files-from list --output-dir new --progress always 2> err.txt
    [[ $(tail -n 2 err.txt | head -n 1) =~ ^'100%  9/9 files  ' ]] || { cat err.txt; return 1; }
}

@test "memory does not grow with the list" {
    [[ $BUILD == *san* ]] && skip "sanitizers need memory of their own"
    python3 - "$SPRUNG" <<'P'
import re, subprocess, sys, threading
def peak(n):
    p = subprocess.Popen([sys.argv[1], "damper", "-H", "1", "--files-from", "-", "--output-dir", "out"],
                         stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    names = b"".join(b"%s/%d.csv\n" % (b"long-name" * 25, i) for i in range(n))
    threading.Thread(target=lambda: (p.stdin.write(names), p.stdin.flush())).start()
    while b"/%d.csv: cannot open" % (n - 1) not in p.stderr.readline():
        pass
    with open("/proc/%d/status" % p.pid) as f:
        kb = int(re.search(r"VmHWM:\s+(\d+)", f.read())[1])
    p.stdin.close()
    assert p.stderr.readline().startswith(b"sprung: 0 done, 0 skipped, %d of %d files failed: " % (n, n))
    assert p.wait() == 2
    return kb
few, many = peak(300), peak(10000)
print(few, many)
assert many < few + 1500, "the names alone are 2300 kB"
P
}

@test "files of two folders in turn: each folder is brought to the disk once" {
    needs strace
    strace -qq -o /dev/null true || skip "strace may not trace here"
    [[ $BUILD == *san* ]] && skip "leaks cannot be looked for under strace"
    mkdir a b
    for i in {1..20}; do cp in/1.csv a/$i.csv && cp in/2.csv b/$i.csv && printf 'a/%d.csv\nb/%d.csv\n' $i $i; done > list
    strace -qq -f -o calls -e trace=fsync "$SPRUNG" damper -H 1 -i -q --files-from list
    [ "$(grep -c 'fsync(' calls)" = 42 ]
    mkdir out
    strace -qq -f -o calls -e trace=fsync "$SPRUNG" damper -H 1 -q --parents --output-dir out --files-from list
    [ "$(grep -c 'fsync(' calls)" = 43 ] # out itself, too
}

@test "a run that SIGTERM ends is completed with --update" {
    job in/*.csv --output-dir want
    python3 - "$SPRUNG" <<'P'
import os, signal, subprocess, sys, time
p = subprocess.Popen([sys.argv[1], "damper", "-H", "1", "--files-from", "-", "--output-dir", "out"], stdin=subprocess.PIPE)
p.stdin.write(b"".join(b"in/%d.csv\n" % i for i in range(1, 6))); p.stdin.flush()
while not os.path.isdir("out") or len(os.listdir("out")) < 5: time.sleep(0.01)
p.send_signal(signal.SIGTERM)
assert p.wait() == -signal.SIGTERM
assert sorted(os.listdir("out")) == ["%d.csv" % i for i in range(1, 6)]
P
    job --files-from list --output-dir out --update 2> err.txt
    [ "$(cat err.txt)" = 'sprung: 4 done, 5 skipped, 0 of 9 files failed; to filter skipped files again, for example with new options, add --force' ]
    diff -r want out
}

@test "many machines: GNU parallel over a list, interrupted with SIGTERM, completed with --update" {
    command -v parallel > /dev/null && parallel --version 2> /dev/null | grep -q GNU || skip "GNU parallel is missing"
    for i in {10..40}; do cp in/$((i % 9 + 1)).csv in/$i.csv; done
    job in/*.csv --output-dir want
    # The recipe of the manual, where -j 2 takes the place of --sshlogin.
    recipe()
    {
        find in -name '*.csv' | sort | parallel --will-cite -j 2 --pipe -N 10 \
            "$SPRUNG" damper -H 1 -d 0 --files-from - --update --output-dir out
    }
    # Files that never come hold two of the processes up.
    for i in 17 33; do mv in/$i.csv $i.csv; mkfifo in/$i.csv; done
    mkdir out
    recipe 2> /dev/null 3>&- &
    for ((n = 0; n < 100; n++)); do
        [ "$(ls out | wc -l)" -ge 12 ] && break
        sleep 0.05
    done
    pkill -TERM -P $! -x perl || pkill -TERM -P $! parallel
    sleep 0.1
    pkill -TERM -P $! -x perl || pkill -TERM -P $! parallel || true
    wait $! || true
    n=$(ls -A out | wc -l)
    ((n >= 12 && n < 40)) || { echo "$n files"; return 1; }
    for i in 17 33; do rm in/$i.csv; mv $i.csv in/$i.csv; touch in/$i.csv; done
    recipe 2> err.txt
    [ "$(grep -c ' skipped, 0 of 10 files failed' err.txt)" = 4 ]
    diff -r want out
}
