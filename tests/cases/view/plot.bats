#!/usr/bin/env bats
# plot: pictures of series, in files and in the terminal.
load ../common

setup()
{
    cd "$BATS_TEST_TMPDIR"
    needs gnuplot
}

# draws FILE: it is a whole picture of its kind.
draws()
{
    case $1 in
    *.svg) python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$1" ;;
    *.png) [ "$(head -c 4 "$1" | tail -c 3)" = PNG ] ;;
    esac
}

@test "svg and png by the name of the file, in any letter case; anything else is refused" {
    for name in a.svg a.png a.SVG; do
        sprung plot -o $name "$DATA/wave.csv"
        [ -s $name ]
    done
    draws a.svg
    draws a.png
    for name in a.gif a.pdf svg .svg a; do
        fails 2 sprung plot -o $name "$DATA/wave.csv"
        says '.svg or .png'
    done
}

@test "without a file, or with -: in the terminal" {
    sprung plot -c x "$DATA/wave.csv" > a.txt
    sprung plot -c x -o - "$DATA/wave.csv" > b.txt
    cmp a.txt b.txt
    grep -q 'time (s)' a.txt
    [ "$(grep -cE '⠒|⠉|⣀|⠤' a.txt)" -gt 5 ]
    narrow a.txt
}

@test "in the terminal no gnuplot is needed; before and after are both visible" {
    mkdir bin
    PATH=$PWD/bin $(command -v env) "$SPRUNG" plot -c x "$DATA/wave.csv" > before.txt
    sprung critical -H 0.1 -c x -d 0 "$DATA/wave.csv" -o after.csv
    cp "$DATA/wave.csv" wave.csv
    "$SPRUNG" plot -c x wave.csv after.csv > both.txt
    grep -q '^x  ⠊⠔ wave.csv  ⠒⠒ after.csv$' both.txt
    # Without colors a line before filtering has every other dot: fewer than alone, and with the second more again.
    dots() { python3 -c 'import sys; print(sum(bin(ord(c) - 0x2800).count("1") for c in sys.stdin.read() if 0x2800 <= ord(c) < 0x2900))'; }
    "$SPRUNG" plot -c x wave.csv wave.csv | dots > same.txt
    (($(dots < both.txt) > $(cat same.txt) && $(dots < before.txt) == $(cat same.txt) - $(head -n 1 both.txt | dots)))
    NO_COLOR=1 "$SPRUNG" plot -c x wave.csv after.csv | cmp - both.txt
}

@test "the dots of a straight line are where the line is" {
    printf 'time,x\n0,0\n1,1\n' > in.csv
    sprung plot in.csv > a.txt
    # Row by row from the top the line is further to the left, and it goes from the last column to the first.
    python3 - << 'P'
rows = [line[10:].rstrip("\n") for line in open("a.txt") if len(line) > 10 and line[9] in "│┤"]
spans = [[i for i, c in enumerate(r) if "⠀" < c <= "⣿"] for r in rows]
spans = [s for s in spans if s]
assert len(rows) == 16 and len(spans) >= 14
assert max(spans[0]) == 68 and min(spans[-1]) == 0, spans
assert all(max(low) <= min(high) + 1 for high, low in zip(spans, spans[1:])), spans
P
}

@test "files of one name: the legend has their paths" {
    mkdir -p raw/s1 calm/s1
    cp "$DATA/wave.csv" raw/s1/take.csv
    cp "$DATA/wave.csv" calm/s1/take.csv
    cp "$DATA/wave.csv" calm/s1/take.txt
    [ "$(sprung plot -c x raw/s1/take.csv calm/s1/take.csv | head -n 1)" = 'x  ⠊⠔ raw/s1/take.csv  ⠒⠒ calm/s1/take.csv' ]
    [ "$(sprung plot -c x calm/s1/take.csv calm/s1/take.txt | head -n 1)" = 'x  ⠊⠔ calm/s1/take.csv  ⠒⠒ calm/s1/take.txt' ]
}

@test "axes are named, panels with channels and their derivatives" {
    sprung critical -H 0.1 -c x "$DATA/wave.csv" > after.csv
    sprung plot -o a.svg -x cut,y "$DATA/wave.csv" after.csv
    for name in x x_vel x_acc 'time (s)' wave after; do
        grep -q ">$name<" a.svg || grep -q "$name" a.svg || { echo "no $name"; return 1; }
    done
    # before is grey, after has a colour of Okabe and Ito
    grep -q '153, 153, 153' a.svg || grep -qi '#999999' a.svg
    grep -q '0, 114, 178' a.svg || grep -qi '#0072B2' a.svg
}

@test "the same input gives the same bytes" {
    sprung plot -o a.svg "$DATA/wave.csv"
    sprung plot -o b.svg - < "$DATA/wave.csv"
    LC_ALL=de_DE.UTF-8 TZ=UTC+5 sprung plot -o c.svg "$DATA/wave.csv"
    cmp a.svg b.svg
    cmp a.svg c.svg
}

@test "gaps are open" {
    printf 'time,x,cut\n0,1,0\n1,2,0\n2,,0\n3,2,1\n4,3,0\n' > in.csv
    sprung plot -c x -o gap.svg in.csv
    sed 's/,,/,2,/' in.csv > full.csv
    sprung plot -c x -o full.svg full.csv
    moves() { grep -o "M[0-9.]*,[0-9.]*" "$1" | wc -l; }
    [ "$(moves gap.svg)" -gt "$(moves full.svg)" ]
}

@test "a value between gaps, a single row, no row, no value, a constant: all are drawn" {
    printf 'time,x\n0,1\n1,\n2,5\n3,\n4,1\n' > in.csv
    sprung plot -o a.svg in.csv 2> err.txt
    draws a.svg
    printf 'time,x\n7,1\n' > in.csv
    sprung plot -o a.svg in.csv 2>> err.txt
    printf 'time,x\n7,\n8,\n' > in.csv
    sprung plot -o a.svg in.csv 2>> err.txt
    printf 'time,x\n7,-3\n8,-3\n' > in.csv
    sprung plot -o a.svg in.csv 2>> err.txt
    printf 'time,x\n0,0\n1,0\n' > in.csv
    sprung plot -o a.svg in.csv 2>> err.txt
    printf 'time,x\n0,1e-300\n1,1e300\n' > in.csv
    sprung plot -o a.svg in.csv 2>> err.txt
    [ ! -s err.txt ]
}

@test "times far from 0 are counted from the start" {
    printf 'time,x\n1700000000.5,1\n1700000001.5,2\n' > in.csv
    sprung plot in.csv | grep -q 'time (s), from 1700000000.5 on'
}

@test "units of time, rates" {
    printf 'time,x\n0,1\n2000,2\n' > in.csv
    sprung plot --time-unit ms in.csv | grep -qE '^ +0 .* 2 *$'
    sed 's/time/time (ms)/' in.csv | sprung plot - | grep -qE '^ +0 .* 2 *$'
    printf 'time,x\n23:59:59,1\n00:00:01,2\n' | sprung plot - | grep -qE '^ +0 .* 2 *$'
    printf 'frame,x\n0,1\n240,2\n' > in.csv
    sprung plot --time-unit frames --rate 120 in.csv | grep -qE '^ +0 .* 2 *$'
    sprung plot --rate 1 in.csv 2>&1 | grep -q 'not drawn: "frame" (count); to draw one, name it with --columns'
    printf 'x\n0\n1\n2\n' > in.csv
    fails 2 sprung plot in.csv
    says '--rate'
    sprung plot --rate 0.5 in.csv | grep -qE '^ +0 .* 4 *$'
}

@test "long names are cut in the middle, where the end tells them apart" {
    printf 'time,Idle/Slime_002:Ctrl_master.translation.x,Idle/Slime_002:Ctrl_mästér.translation.y\n0,1,2\n1,2,3\n' > in.csv
    sprung plot in.csv > dots.txt
    grep -q '^Idle/Slime_…l_master.translation.x' dots.txt
    grep -q '^Idle/Slime_…l_mästér.translation.y$' dots.txt
    sprung plot -o a.svg in.csv
    grep -q 'Idle/Slime_…l_master.translation.x<' a.svg
    grep -q 'Idle/Slime_…l_mästér.translation.y<' a.svg
}

@test "several channels as panels; what is left out is said" {
    { echo "time,$(seq -s, -f c%g 9)"; echo 0,1,2,3,4,5,6,7,8,9; echo 1,1,2,3,4,5,6,7,8,9; } > in.csv
    fails 0 sprung plot -o a.svg in.csv
    says 'the picture has room for 6 channels: to choose them, use --columns'
    grep -q 'c6' a.svg
    [ "$(grep -c 'c7' a.svg)" = 0 ]
    fails 0 sprung plot -c 5-9 -o a.svg in.csv
    [ -z "$err" ]
    fails 2 sprung plot .
}

@test "a legend has the rows that it needs, and what its names differ in" {
    for i in 1 2 3 4 5; do cp "$DATA/wave.csv" "a_take_with_a_rather_long_name_$i.csv"; done
    sprung plot -c x -o one.svg "$DATA/wave.csv" a_take*1.csv
    sprung plot -c x -o five.svg a_take*.csv
    height() { sed -n 's/.*viewBox="0 0 640 \([0-9]*\)".*/\1/p' "$1"; }
    [ "$(height five.svg)" = $((8 + 5 * 20 + 36 + 300 + 64)) ]
    [ "$(height one.svg)" = $((8 + 2 * 20 + 36 + 300 + 64)) ]
    for i in 1 2 3 4 5; do
        grep -q "a_take_with….*long_name_$i" five.svg
    done
    # A file whose channel is in no panel of several lines is in the legend, too.
    printf 'time,p\n0,1\n1,2\n' > p_alone.csv
    sprung plot -o both.svg "$DATA/wave.csv" a_take*1.csv p_alone.csv
    grep -q p_alone both.svg
}

@test "any number of lines in a panel" {
    for i in 1 2 3 4 5 6 7; do printf 'time,column 3,\n0,%d,2\n1,2,%d\n' $i $i > $i.csv; done
    sprung plot -o a.svg [1-7].csv
    draws a.svg
}

@test "names are no commands, whatever they hold" {
    printf 'time,"it'"'"'s `touch pwned` ""q"" $x @a \\n # ; %%s {/b}","<b>&é\033[1m"\n0,1,2\n1,2,3\n' > 'od`touch pwned`d'"'"'s.csv'
    for name in a.svg a.png -; do
        sprung plot -o $name ./od*.csv > out.txt
    done
    [ ! -e pwned ]
    grep -qF '&lt;b>&amp;é\x1B[1m' a.svg
    draws a.svg
}

@test "without gnuplot: an error that says so, before any work" {
    mkdir bin
    fails 2 env PATH="$PWD/bin" "$SPRUNG" plot -o a.svg "$DATA/wave.csv"
    says 'gnuplot'
    says 'apt-get install gnuplot-nox'
    [ ! -e a.svg ]
    [ -z "$out" ]
}

@test "a gnuplot that fails is an error, and what was there stays" {
    mkdir bin
    printf '#!/bin/sh\n[ "$1" = --version ] && exit 0\necho "line 1: no such terminal" >&2\nexit 1\n' > bin/gnuplot
    chmod +x bin/gnuplot
    echo old > a.svg
    fails 2 env PATH="$PWD/bin:$PATH" "$SPRUNG" plot -o a.svg "$DATA/wave.csv"
    says 'no such terminal'
    [ "$(cat a.svg)" = old ]
    printf '#!/bin/sh\necho "<svg>"\n' > bin/gnuplot
    fails 2 env PATH="$PWD/bin:$PATH" "$SPRUNG" plot -o a.svg "$DATA/wave.csv"
    says 'only part of the picture'
    [ "$(cat a.svg)" = old ]
}

@test "a full disk is an error" {
    fails 2 bash -c "'$SPRUNG' plot '$DATA/wave.csv' > /dev/full"
    says 'cannot write'
    fails 2 bash -c "'$SPRUNG' plot '$DATA/wave.csv' >&-"
    fails 2 sprung plot -o nowhere/a.svg "$DATA/wave.csv"
    says 'nowhere'
}

@test "a bad file, no file, too many: errors with their place" {
    printf 'time,x\n0,1\n1,oops\n' > in.csv
    fails 2 sprung plot -o a.svg in.csv
    says 'in.csv:3'
    [ ! -e a.svg ]
    fails 2 sprung plot
    fails 2 sprung plot - -
    fails 2 sprung plot a b c d e f g h i
    fails 2 sprung plot -c nothing "$DATA/wave.csv"
}

@test "a long series is drawn small, by its extremes, in bounded memory" {
    python3 -c '
with open("in.csv", "w") as f:
    f.write("time,x\n")
    f.writelines("%d,%d\n" % (i, 100 if i == 777777 else i % 7) for i in range(1000000))'
    limit=200000
    [[ $BUILD == *san* ]] && limit=unlimited
    sprung plot -o a.svg in.csv
    [ "$(stat -c %s a.svg)" -lt 200000 ]
    sprung plot in.csv | grep -q '^ *100 '
    sprung plot --help > /dev/null
    bash -c "ulimit -v $limit; '$SPRUNG' plot -o - in.csv > /dev/null"
}

@test "the README shows three pictures, which are there and whole" {
    readme=$ROOT/README.md
    [ "$(grep -c '^!\[.*](data/pictures/.*\.svg)$' "$readme")" = 3 ]
    grep -o 'data/pictures/[a-z]*\.svg' "$readme" | sort -u > names.txt
    [ "$(wc -l < names.txt)" = 3 ]
    while read -r name; do
        draws "$ROOT/$name"
        grep -q "^$name:" "$ROOT/Makefile"
        grep -q 'time (s)' "$ROOT/$name"
    done < names.txt
}

@test "a recording has its times by its rate, or by --rate" {
    seq 0 49 | awk 'BEGIN { print "x" } { print $1 / 100 }' > a.csv
    sprung damper -H 1 --rate 100 -d 0 --to wav a.csv > a.wav
    mkdir wav csv
    cp a.wav wav/x
    sprung damper -H 1e-9 -d 0 --to csv a.wav > csv/x
    for kind in wav csv; do
        (cd $kind && sprung plot -c ch1 -o - x) > $kind.txt
    done
    cmp wav.txt csv.txt
    (cd wav && sprung plot --rate 50 -c ch1 -o - x) > slow.txt
    ! cmp -s wav.txt slow.txt
}

@test "SVG: names with characters that XML does not allow" {
    needs xmllint
    printf 'time,a]]>b,\xef\xbf\xbe\n0,1,2\n1,2,3\n' > $'x]]>\xef\xbf\xbf.csv'
    sprung plot -o out.svg $'x]]>\xef\xbf\xbf.csv'
    xmllint --noout out.svg
}
