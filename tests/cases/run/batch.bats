#!/usr/bin/env bats
# Many files, one command: where they go, what is refused, what is said, and how much it takes.
load ../common

setup()
{
    cd "$BATS_TEST_TMPDIR"
    for i in 1 2 3 4 5; do
        printf 'time,x\n0,%d\n1,8\n2,8\n' "$i" > "$i.csv"
    done
}

# same_results DIR: each DIR/N.csv is what N.csv gives alone, with the digits of the input.
same_results()
{
    for i in 1 2 3 4 5; do
        job "$i.csv" --decimals input | cmp - "$1/$i.csv" || return 1
    done
}

# nothing_else DIR NAME...: these names and no more are in DIR, hidden ones too.
nothing_else()
{
    local dir=$1
    shift
    [[ $(LC_ALL=C ls -A "$dir" | tr '\n' ' ') == "$* " ]] || { ls -A "$dir"; return 1; }
}

@test "output: appears whole" {
    job 1.csv -o out.csv
    job 1.csv | cmp - out.csv
    job 2.csv --output out.csv
    job 2.csv | cmp - out.csv
    nothing_else . 1.csv 2.csv 3.csv 4.csv 5.csv out.csv
}

@test "output: not at all when something goes wrong" {
    printf 'time,x\n0,1\n1,bad\n' > bad.csv
    fails 2 job bad.csv -x none -o out.csv
    fails 2 job bad.csv -c x -o out.csv
    says 'bad.csv:3: column "x"'
    [ ! -e out.csv ]
    echo old > out.csv
    fails 2 job bad.csv -c x -o out.csv
    [ "$(cat out.csv)" = old ]
    nothing_else . 1.csv 2.csv 3.csv 4.csv 5.csv bad.csv err.txt out.csv out.txt
}

@test "output: - and /dev/stdout are standard output, appended to where the shell says so" {
    echo first > out.csv
    job 1.csv -o - >> out.csv
    job 1.csv -o /dev/stdout >> out.csv
    [ "$(wc -l < out.csv)" = 9 ]
    [ "$(head -n 1 out.csv)" = first ]
    job 1.csv -o /dev/null
    [ -c /dev/null ]
}

@test "output: a pipe is written through" {
    mkfifo pipe
    cat pipe > got.csv &
    job 1.csv -o pipe
    wait
    [ -p pipe ]
    job 1.csv | cmp - got.csv
    job 1.csv -o >(cat > through.csv)
    wait $!
    cmp through.csv got.csv
}

@test "output: its name tells the format, --to says otherwise" {
    job 1.csv -o out.tsv
    [ "$(head -n 1 out.tsv)" = $'time\tx' ]
    job 1.csv --to csv -o out.tsv
    [ "$(head -n 1 out.tsv)" = time,x ]
}

@test "output: a name that looks like another format's is refused, with the known ones" {
    for name in x.mp3 x.MP3 x.xlsx x.h5 x.parquet dir.d/x.npz; do
        fails 2 job gone.csv -o $name
        says "sprung: --output: no such format: \"${name##*.}\""
    done
    for name in x.mp3 x.aac; do
        fails 2 job gone.csv -o $name
        says 'for sound, try .flac, .ogg or .wav'
    done
    for name in x.xlsx x.h5 x.parquet dir.d/x.npz; do
        fails 2 job gone.csv -o $name
        says 'for all formats: sprung help formats'
    done
    fails 2 job 1.csv -o x.cvs
    says 'did you mean csv?'
    fails 2 job 1.csv -o x.mp3 -n
    nothing_else . 1.csv 2.csv 3.csv 4.csv 5.csv err.txt out.txt
    job 1.csv > want
    cp 1.csv in.emg
    job in.emg -o out.emg # the same kind of name as the input
    cmp out.emg want
    for name in x .x x. x.txt x.DAT x.log x.out x.tmp x.2024 v1.2-b x.XyZ01abC; do
        job 1.csv -o $name
        cmp $name want
    done
    job 1.csv --to tsv -o x.mp3
    [ "$(head -n 1 x.mp3)" = $'time\tx' ]
}

@test "output: the file there gives its mode, and its link stays" {
    umask 022
    job 1.csv -o new.csv
    [ "$(stat -c %a new.csv)" = 644 ]
    echo old > secret.csv
    chmod 600 secret.csv
    ln -s secret.csv link.csv
    job 1.csv -o link.csv
    [ -L link.csv ]
    [ "$(stat -c %a secret.csv)" = 600 ]
    job 1.csv | cmp - secret.csv
    (umask 077 && job 1.csv -o private.csv)
    [ "$(stat -c %a private.csv)" = 600 ]
}

@test "output: a folder, a missing folder, a read-only file" {
    mkdir folder
    fails 2 job 1.csv -o folder
    says 'folder: cannot write: Is a directory'
    says --output-dir
    fails 2 job 1.csv -o nowhere/out.csv
    says 'nowhere/out.csv: cannot write: No such file'
    echo old > ro.csv
    chmod 444 ro.csv
    fails 2 job 1.csv -o ro.csv
    says 'read-only'
    [ "$(cat ro.csv)" = old ]
    job 1.csv -o ro.csv --force
    job 1.csv | cmp - ro.csv
}

@test "output: the input itself, by any path, is refused" {
    cp 1.csv keep.csv
    ln -s 1.csv link.csv
    ln 1.csv hard.csv
    for out in 1.csv ./1.csv "$PWD/1.csv" link.csv hard.csv; do
        fails 2 job 1.csv -o "$out"
        says 'the output is the input 1.csv'
        cmp 1.csv keep.csv
    done
    fails 2 job -o 1.csv < 1.csv
    says 'the output is the input (standard input)'
    cmp 1.csv keep.csv
}

@test "output-dir: each under its own name; made if it is missing" {
    job [1-5].csv --output-dir a/b/out
    same_results a/b/out
    nothing_else a/b/out 1.csv 2.csv 3.csv 4.csv 5.csv
    job 1.csv "$PWD/2.csv" --output-dir c --suffix _clean
    nothing_else c 1_clean.csv 2_clean.csv
    job 1.csv --output-dir d --to tsv --suffix .new
    nothing_else d 1.new.tsv
}

@test "output-dir: columns stay, derivatives come when asked for" {
    sprung damper -H 1 1.csv 2.csv --output-dir out
    job 2.csv --decimals input | cmp - out/2.csv
    sprung damper -H 1 1.csv --output-dir json --to json
    job 1.csv --to json | cmp - json/1.json
    sprung damper -H 1 1.csv --output-dir more -d 1
    [ "$(head -n 1 more/1.csv)" = time,x,x_vel ]
}

@test "output-dir: nothing is left of one that stays empty" {
    fails 2 job nowhere.csv --output-dir out
    [ ! -e out ]
    fails 2 job 1.csv --output-dir 2.csv
    says '2.csv/1.csv: cannot write: Not a directory'
}

@test "several inputs and no place for each: an error that says so" {
    fails 2 job 1.csv 2.csv
    says '2 input files, but only one output'
    says '--output-dir'
    says '--in-place'
    fails 2 job 1.csv 2.csv -o out.csv
    [ -z "$out" ]
    [ ! -e out.csv ]
}

@test "places that do not go together" {
    fails 2 job 1.csv -o x --output-dir y
    says '--output cannot be combined with --output-dir'
    fails 2 job 1.csv -i --output-dir y
    says '--output-dir cannot be combined with --in-place'
    fails 2 job 1.csv -i --to tsv
    says '--to cannot be combined with --in-place'
    fails 2 job 1.csv --suffix x
    says '--suffix needs --output-dir'
    fails 2 job --output-dir y < 1.csv
    says 'standard input has no file name'
}

@test "one bad file does not stop the others; failures in order, then a summary; status 2" {
    printf 'time,x\n0,1\n0.5,bad\n' > 2.csv
    rm 4.csv
    for jobs in 1 2 8; do
        fails 2 job 5.csv 4.csv 3.csv 2.csv 1.csv -c x --output-dir out -j $jobs --force
        [ "$(grep -v hint: err.txt)" = 'sprung: 4.csv: cannot open: No such file or directory
sprung: 2.csv:3: column "x": not a number: "bad"
sprung: 2 of 5 files failed' ] || { echo "$err"; return 1; }
        nothing_else out 1.csv 3.csv 5.csv
    done
}

@test "two inputs for one output: refused before anything is written" {
    mkdir a b
    cp 1.csv a/x.csv
    cp 2.csv b/x.csv
    fails 2 job a/x.csv 3.csv b/x.csv --output-dir out
    says 'b/x.csv: the output out/x.csv is also the output of a/x.csv'
    says 'nothing was written'
    [ ! -e out ]
    cp 1.csv y.csv
    cp 1.csv y.tsv
    fails 2 job y.csv y.tsv --to tsv --output-dir out
    [ ! -e out ]
}

@test "an input named twice is refused: both would have one output" {
    ln -s 1.csv link.csv
    cp 1.csv keep.csv
    for again in ./1.csv link.csv "$PWD/1.csv"; do
        fails 2 job -i 1.csv "$again" 2.csv
        says "the output $again is also the output of 1.csv"
        says 'nothing was written'
    done
    cmp 1.csv keep.csv
    fails 2 job 3.csv ./3.csv --output-dir out
}

@test "output that is an input: refused before anything is written" {
    cp -r . ../keep
    fails 2 job 1.csv 2.csv --output-dir .
    says './1.csv: the output is the input 1.csv'
    mkdir out
    ln 2.csv out/1.csv
    ln -s ../4.csv out/3.csv
    fails 2 job 1.csv 2.csv 3.csv 4.csv --output-dir out --force
    says 'out/1.csv: the output is the input 2.csv'
    says 'out/3.csv: the output is the input 4.csv'
    for i in 1 2 3 4 5; do cmp $i.csv ../keep/$i.csv; done
    [ ! -e out/4.csv ]
}

@test "outputs that exist: refused before anything is written, but with --force" {
    mkdir out
    echo old > out/4.csv
    fails 2 job [1-5].csv --output-dir out
    says 'out/4.csv: the output already exists'
    says '--force'
    nothing_else out 4.csv
    [ "$(cat out/4.csv)" = old ]
    # The hint stands once, the name of each output.
    echo old > out/2.csv
    fails 2 job [1-5].csv --output-dir out
    [ "$(grep -c 'already exists' err.txt)" = 2 ]
    [ "$(grep -c 'hint: add --force' err.txt)" = 1 ]
    rm out/2.csv
    chmod 444 out/4.csv
    job [1-5].csv --output-dir out --force
    same_results out
    [ "$(stat -c %a out/4.csv)" = 444 ]
}

@test "dry-run: says what would be done, looks at each file, writes nothing" {
    cp 1.csv x.csv
    printf 'time,y\n0,1\n' > 5.csv
    mkdir out
    echo old > out/2.csv
    fails 2 job 1.csv 2.csv 5.csv -c x --output-dir out --force -n
    [ "$out" = '1.csv -> out/1.csv
2.csv -> out/2.csv' ]
    says '5.csv: --columns leaves nothing to filter'
    says '1 of 3 files failed'
    nothing_else out 2.csv
    [ "$(job 1.csv -i.bak -n)" = "1.csv in place" ]
    [ "$(job 1.csv -n)" = '1.csv -> (standard output)' ]
    job 1.csv --output-dir new/dir -n
    [ ! -e new ]
    cmp 1.csv x.csv
    [ "$(job $'odd\e\n.csv' 1.csv --output-dir out -n 2>&1 || true)" = 'sprung: odd\x1B\n.csv: cannot open: No such file or directory
1.csv -> out/1.csv
sprung: 1 of 2 files failed
sprung: --dry-run: checked options, headers and output names; no rows were read' ]
    [ -z "$(job 1.csv -n -q 2>&1 > /dev/null)" ]
}

@test "dry-run reads nothing from standard input" {
    printf 'time,x\n0,1\n' | { job -n > /dev/null; cat; } > rest.txt
    [ "$(cat rest.txt)" = "$(printf 'time,x\n0,1')" ]
    { job -n > /dev/null; cat; } < 1.csv > rest.txt
    cmp rest.txt 1.csv
}

@test "what is wrong with an option is said once, not for each file, and nothing is made" {
    for wrong in '--start foo' '--to cvs' '--from cvs'; do
        fails 2 job 1.csv 2.csv --output-dir out $wrong
        [ "$(grep -c ^sprung: <<< "$err")" = 1 ]
        says "sprung: ${wrong% *}"
        [ ! -e out ]
    done
    says 'hint: did you mean csv? formats are csv, tsv, json'
    for wrong in '--delimiter ab' '--delimiter .' '--decimal :' '--header 4,3' '--records a/b' '--no-header --header 1'; do
        fails 2 job 1.csv 2.csv --output-dir out $wrong
        [ "$(grep -c ^sprung: <<< "$err")" = 1 ]
        says "sprung: ${wrong%% *}"
        [ ! -e out ]
        fails 2 sprung diff 1.csv 2.csv $wrong
        says "sprung: ${wrong%% *}"
        fails 2 sprung plot 1.csv 2.csv $wrong
        says "sprung: ${wrong%% *}"
    done
    fails 2 sprung tracking --cuts 1,x 1.csv 2.csv --output-dir out
    [ "$err" = $'sprung: --cuts: must be a number: "x"\n  hint: times of cuts in seconds, such as 1.5,7 (sprung help --cuts)' ]
}

@test "a directory is no input; one conflict is said once" {
    fails 2 job --output-dir out .
    says '.: cannot read: Is a directory'
    says 'to filter them: --recursive'
    mkdir out a b
    cp 1.csv a/x.csv; cp 2.csv b/x.csv; cp 3.csv out/x.csv
    fails 2 job a/x.csv b/x.csv --output-dir out --force
    [ "$(grep -c 'is also the output of' <<< "$err")" = 1 ]
}

@test "quiet: no words but errors; verbose: what was found" {
    sprung second-order --help > /dev/null
    fails 2 job 1.csv nowhere.csv --output-dir out -q
    says nowhere.csv
    [ -z "$(job 2.csv -o out.csv -q 2>&1)" ]
    job 2.csv 3.csv --output-dir out -v 2> err.txt
    grep -q '^sprung: 2.csv: channel "x"' err.txt
    grep -q '^sprung: 3.csv: 3 rows' err.txt
    [ "$(grep -n 2.csv err.txt | tail -n 1 | cut -d: -f1)" -lt "$(grep -n 3.csv err.txt | head -n 1 | cut -d: -f1)" ]
}

@test "verbose tells parameters that nobody gave, too" {
    tells()
    {
        sprung tracking -d 0 -v "${@:2}" 1.csv 2>&1 > /dev/null | grep -qxF "sprung: 1.csv: tracking: $1"
    }
    gains='position-gain 0.01, velocity-gain 0.2, acceleration-gain 1'
    tells "method exact, $gains, gain-rate 60"
    tells "method exact, ${gains/0.01/0.5}, gain-rate 30" --position-gain 0.5 --gain-rate 30
    tells "method gain, $gains" --method gain
    tells 'method halflife, position-halflife 1, velocity-halflife 0.05, acceleration-halflife 0' --method halflife
    tells "method spring-damper, $gains, gain-rate 60, max-velocity 7" --method spring-damper --max-velocity 7
}

@test "names with newline, escape, leading dash, blanks and invalid UTF-8" {
    names=($'new\nline.csv' $'esc\e[31m.csv' -dash.csv 'two blanks .csv' $'bad\xff.csv')
    for name in "${names[@]}"; do cp 1.csv "./$name"; done
    job --output-dir out -- "${names[@]}"
    for name in "${names[@]}"; do job 1.csv --decimals input | cmp - "out/$name"; done
    job -i -- "${names[@]}"
    for name in "${names[@]}"; do job 1.csv --decimals input | cmp - "./$name"; done
    fails 2 job --output-dir out -- "${names[@]}"
    says 'out/new\nline.csv: the output already exists'
    says 'esc\x1B[31m'
    says 'bad\xFF'
}

@test "3,000 files in one call: quick and bounded" {
    mkdir in
    python3 -c '
for n in range(3000):
    open("in/%d.csv" % n, "w").write("time,x\n" + "".join("%d,%d\n" % (i, i * n % 17) for i in range(20)))'
    start=$(date +%s)
    peak=$( { find in -name '*.csv' -print0 | sort -z | python3 -c '
import resource, subprocess, sys
names = sys.stdin.buffer.read().split(b"\0")[:-1]
status = subprocess.call(sys.argv[1:] + names)
print(status, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$SPRUNG" damper -H 1 --output-dir out; } 3>&- )
    echo "3,000 files: $(($(date +%s) - start)) s, status and peak kB: $peak"
    [ "${peak% *}" = 0 ]
    [ "$(ls out | wc -l)" = 3000 ]
    for n in 0 1711 2999; do sprung damper -H 1 -d 0 --decimals input in/$n.csv | cmp - out/$n.csv; done
    [[ $BUILD == *san* ]] && return
    ((${peak#* } < 20000))
}

@test "few descriptors, little address space: it works, or says why not" {
    (ulimit -n 16 && job [1-5].csv -j 2 --output-dir out)
    same_results out
    (ulimit -n 16 && job [1-5].csv -j 2 --output-dir own && job -i [1-5].csv -j 2)
    for i in 1 2 3 4 5; do cmp $i.csv own/$i.csv; done
    fails 2 prlimit --nofile=4 "$SPRUNG" damper -H 1 1.csv -o few.csv 3>&- 4>&-
    says 'Too many open files'
    [ ! -e few.csv ]
    [[ $BUILD == *san* ]] && return
    { echo time,x; seq 0 200000 | sed 's/.*/&,&/'; } > large.csv
    job large.csv > want.csv
    (ulimit -v 300000 && job large.csv -j 8 -o got.csv)
    cmp want.csv got.csv
    mkdir in
    for i in $(seq 50); do cp large.csv in/$i.csv; done
    (ulimit -v 300000 && job in/*.csv -j 8 --output-dir bounded)
    job large.csv --decimals input > digits.csv
    for i in $(seq 50); do cmp digits.csv bounded/$i.csv; done
    for kb in 2000 4000 6000 8000 12000 20000 40000; do
        status=0
        (ulimit -v $kb && "$SPRUNG" damper -H 1 -d 0 large.csv -j 8 -o small.csv) 2> err.txt || status=$?
        [ $status = 0 ] && cmp want.csv small.csv && rm small.csv && continue
        # below what the loader needs, no program starts: 127, 134 or a signal of the shell's
        [ ! -e small.csv ]
        [ -s err.txt ]
    done
}

@test "a file size limit is an error like a full disk" {
    { echo time,x; seq 0 20000 | sed 's/.*/&,&/'; } > large.csv
    cp large.csv keep.csv
    fails 2 bash -c "ulimit -f 20; '$SPRUNG' damper -H 1 large.csv -i"
    says 'File too large'
    cmp large.csv keep.csv
    fails 2 bash -c "ulimit -f 20; '$SPRUNG' damper -H 1 1.csv large.csv 2.csv --output-dir out"
    says 'out/large.csv: cannot write: File too large'
    says '1 of 3 files failed'
    nothing_else out 1.csv 2.csv
}

@test "a note is printed for the first file that has it, and the other files are counted" {
    for i in 1 2 3 4 5; do printf 'frame,time,x\n1,0,0\n2,0.1,%d\n3,0.2,1\n' $i > $i.csv; done
    printf 'time,x,who\n0,1,ann\n0.1,2,ben\n' > text.csv
    for jobs in 1 4; do
        fails 0 job [1-5].csv text.csv -j $jobs --output-dir out --force
        [ "$(grep -c 'not filtered: "frame"' err.txt)" = 1 ]
        says 'sprung: 1.csv: not filtered'
        says 'sprung: text.csv: '
        says 'sprung: 4 more files have the same notes (to see all: --verbose)'
        fails 0 job [1-5].csv -j $jobs --output-dir out --force --verbose
        [ "$(grep -c 'not filtered: "frame"' err.txt)" = 5 ]
        [[ $err != *'more files'* ]]
        fails 0 sprung damper -H 1 -j $jobs -n --output-dir out --force [1-5].csv
        [ "$(grep -c 'not filtered: "frame"' err.txt)" = 1 ]
    done
    # On a terminal, too.
    TERM=xterm python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' \
        "$SPRUNG" damper -H 1 --output-dir out --force 1.csv 2.csv > seen.txt
    [ "$(grep -c 'not filtered: "frame"' seen.txt)" = 1 ]
    # Errors are told for each file.
    fails 2 job [1-5].csv -c gone --output-dir none
    [ "$(grep -c '.csv: --columns leaves nothing to filter' err.txt)" = 5 ]
    fails 0 job [1-5].csv --output-dir quiet -q
    [ -z "$err" ]
}

@test "a LIST that names no column of some inputs is a note, of all an error" {
    printf 'time,x,y\n0,1,2\n1,2,3\n2,3,4\n' > a.csv
    printf 'time,x,z\n0,1,2\n1,2,3\n2,3,4\n' > b.csv
    fails 0 sprung damper -H 1 -x y --output-dir o a.csv b.csv
    says '--exclude: y names nothing in 1 of 2 files'
    [ "$(cut -d, -f3 o/a.csv)" = "$(cut -d, -f3 a.csv)" ]
    [ "$(cut -d, -f3 o/b.csv)" != "$(cut -d, -f3 b.csv)" ]
    fails 0 sprung damper -H 1 -c 'y*,z' --output-dir p a.csv b.csv
    says '--columns: y* names nothing in 1 of 2 files'
    says '--columns: z names nothing in 1 of 2 files'
    fails 0 sprung damper -H 1 --angles y --output-dir s a.csv b.csv
    says '--angles: y names nothing in 1 of 2 files'
    [ "$(cut -d, -f2 p/b.csv)" = "$(cut -d, -f2 b.csv)" ]
    # Without any of --columns there is nothing to filter.
    fails 2 sprung damper -H 1 -c z --output-dir q a.csv b.csv
    says 'a.csv: --columns leaves nothing to filter'
    [ "$(ls q)" = b.csv ]
    # A LIST of --mask is noted as the others are.
    fails 0 sprung damper -H 1 --mask 'y,x:x<2' --output-dir t a.csv b.csv
    says '--mask: y names nothing in 1 of 2 files'
    fails 2 sprung damper -H 1 --mask 'xx:x<2' --output-dir u a.csv b.csv
    says '--mask: xx names nothing in 2 of 2 files'
    # A misspelled LIST: in no file, in a single file, and before files are replaced.
    fails 2 sprung damper -H 1 -x Y,y --output-dir r a.csv b.csv
    says '--exclude: Y names nothing in 2 of 2 files'
    fails 2 sprung damper -H 1 -x Y a.csv
    cp a.csv c.csv
    fails 2 sprung damper -H 1 -x y -i b.csv c.csv
    says 'b.csv: --exclude: no column "y"'
    [ "$(sed -n 3p b.csv)" = 1,2,3 ]
}

@test "a file that has nothing to filter is copied to --output-dir, with one note; alone it is an error" {
    mkdir -p in/deep
    printf 'time,x\n0,1\n1,3\n' > in/a.csv
    printf 'time,who\n0,ann\n1,bob\n' > in/b.csv
    printf 'time,who\n0,cat\n' > in/deep/c.csv
    fails 0 sprung damper -H 1 --recursive in --output-dir out
    says ': nothing to filter: copied (2 files in all)'
    cmp in/b.csv out/b.csv
    cmp in/deep/c.csv out/deep/c.csv
    [ -s out/a.csv ]
    fails 2 sprung damper -H 1 in/b.csv --output-dir one
    says 'nothing to filter'
    fails 2 sprung damper -H 1 -c who --recursive in --output-dir chosen
    fails 2 sprung damper -H 1 --to json --recursive in --output-dir json
    [ ! -e json/b.json ]
}
