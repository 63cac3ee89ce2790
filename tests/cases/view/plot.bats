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
    *.pdf) [ "$(head -c 4 "$1")" = %PDF ] ;;
    esac
}

@test "svg, png and pdf by the name of the file, in any letter case; anything else is refused" {
    for name in a.svg a.png a.pdf a.SVG; do
        sprung plot -o $name "$DATA/wave.csv"
        [ -s $name ]
    done
    draws a.svg
    draws a.png
    draws a.pdf
    sprung plot --plot b.svg "$DATA/wave.csv"
    cmp a.svg b.svg
    for name in a.gif svg .svg a; do
        fails 2 sprung plot -o $name "$DATA/wave.csv"
        says '.svg, .png or .pdf'
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

@test "in the terminal no gnuplot is needed; before and after are both visible, with colors and without" {
    mkdir bin
    PATH=$PWD/bin $(command -v env) "$SPRUNG" plot -c x "$DATA/wave.csv" > before.txt
    sprung critical -H 0.1 -c x -d 0 "$DATA/wave.csv" -o after.csv
    "$SPRUNG" plot -c x "$DATA/wave.csv" after.csv > both.txt
    grep -q '^x  ⠊⠔ wave  ⠒⠒ after$' both.txt
    # Without colors a line before filtering has every other dot: fewer than alone, and with the second more again.
    dots() { python3 -c 'import sys; print(sum(bin(ord(c) - 0x2800).count("1") for c in sys.stdin.read() if 0x2800 <= ord(c) < 0x2900))'; }
    "$SPRUNG" plot -c x "$DATA/wave.csv" "$DATA/wave.csv" | dots > same.txt
    (($(dots < both.txt) > $(cat same.txt) && $(dots < before.txt) == $(cat same.txt) - $(head -n 1 both.txt | dots)))
    "$SPRUNG" plot --color=always -c x "$DATA/wave.csv" after.csv > color.txt
    [[ $(grep -c $'\033\[90m' color.txt) -gt 5 && $(grep -c $'\033\[36m' color.txt) -gt 5 ]]
    NO_COLOR=1 "$SPRUNG" plot -c x "$DATA/wave.csv" after.csv | cmp - both.txt
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

@test "files of one name: the legend has what differs in their paths" {
    mkdir -p raw/s1 calm/s1
    cp "$DATA/wave.csv" raw/s1/take.csv
    cp "$DATA/wave.csv" calm/s1/take.csv
    cp "$DATA/wave.csv" calm/s1/take.txt
    [ "$(sprung plot -c x raw/s1/take.csv calm/s1/take.csv | head -n 1)" = 'x  ⠊⠔ raw/s1/take  ⠒⠒ calm/s1/take' ]
    [ "$(sprung plot -c x calm/s1/take.csv calm/s1/take.txt | head -n 1)" = 'x  ⠊⠔ take.csv  ⠒⠒ take.txt' ]
    [ "$(sprung plot -c x ./raw/s1/take.csv "$DATA/wave.csv" | head -n 1)" = 'x  ⠊⠔ take  ⠒⠒ wave' ]
}

@test "axes are named with units, panels with channels and their derivatives" {
    sprung critical -H 0.1 -c x "$DATA/wave.csv" > after.csv
    sprung plot --unit mm -o a.svg -x cut,y "$DATA/wave.csv" after.csv
    for name in 'x (mm)' 'x_vel (mm/s)' 'x_acc (mm/s²)' 'time (s)' wave after; do
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

@test "gaps are open, cuts are marked" {
    printf 'time,x,cut\n0,1,0\n1,2,0\n2,,0\n3,2,1\n4,3,0\n' > in.csv
    sprung plot -c x -o gap.svg in.csv
    sed 's/,,/,2,/' in.csv > full.csv
    sprung plot -c x -o full.svg full.csv
    moves() { grep -o "M[0-9.]*,[0-9.]*" "$1" | wc -l; }
    [ "$(moves gap.svg)" -gt "$(moves full.svg)" ]
    sprung plot -c x --cut-column cut -o cut.svg in.csv
    [ "$(grep -c "stroke-dasharray" cut.svg)" -gt "$(grep -c "stroke-dasharray" gap.svg)" ]
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
    says '3 are left out, first "c7"'
    grep -q 'c6' a.svg
    [ "$(grep -c 'c7' a.svg)" = 0 ]
    fails 0 sprung plot -o a.svg --across 2 in.csv
    [ -z "$err" ]
    grep -q 'c9' a.svg
}

@test "channels that are left out are counted once, in however many files" {
    printf 'time,a,b,c,d,e,f,g,h,i\n0,1,2,3,4,5,6,7,8,9\n1,2,3,4,5,6,7,8,9,1\n' | tee before.csv > after.csv
    fails 0 sprung plot before.csv after.csv
    says 'the picture shows 6 channels; 3 are left out, first "g" (choose with --columns, or add --across 2)'
    printf 'time,g,j\n0,1,2\n1,2,3\n' > other.csv
    fails 0 sprung plot before.csv after.csv other.csv
    says '4 are left out, first "g"'
    fails 0 sprung plot -c 2-8 before.csv after.csv
    says '1 is left out, first "g"'
}

@test "a legend has the rows that it needs, and what its names differ in" {
    for i in 1 2 3 4 5; do cp "$DATA/wave.csv" "a_take_with_a_rather_long_name_$i.csv"; done
    sprung plot -c x -o one.svg "$DATA/wave.csv" a_take*1.csv
    sprung plot -c x -o five.svg a_take*.csv
    sprung plot -c x,y --across 2 -o across.svg a_take*.csv
    height() { sed -n 's/.*viewBox="0 0 640 \([0-9]*\)".*/\1/p' "$1"; }
    [ "$(height five.svg)" = $((8 + 70 + 30 + 300 + 64)) ]
    [ "$(height one.svg)" = $((8 + 30 + 300 + 64)) ]
    for i in 1 2 3 4 5; do
        grep -q "a_take_w….*long_name_$i" five.svg
        grep -q "a_take_w….*long_name_$i" across.svg
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
        sprung plot -o $name --title "'; system('touch pwned') #" ./od*.csv > out.txt
    done
    [ ! -e pwned ]
    grep -q 'touch pwned' out.txt
    grep -qF '&lt;b>&amp;é\x1B[1m' a.svg
    draws a.svg
}

@test "without gnuplot: an error that says so, before any work" {
    mkdir bin
    for files in "plot -o a.svg $DATA/wave.csv" "response damper -H 1 --plot a.svg" "damper -H 1 --plot a.svg $DATA/wave.csv"; do
        # shellcheck disable=SC2086
        fails 2 env PATH="$PWD/bin" "$SPRUNG" $files
        says 'gnuplot'
        says 'apt-get install gnuplot-nox'
        [ ! -e a.svg ]
        [ -z "$out" ]
    done
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
    fails 2 bash -c "'$SPRUNG' response damper -H 1 --plot - > /dev/full"
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
    bash -c "ulimit -v $limit; '$SPRUNG' damper -H 1 --plot b.svg in.csv > /dev/null"
}

@test "FILTER --plot: input against output of what was just filtered, which is the same as without" {
    sprung tracking --cut-column cut -c x,y "$DATA/wave.csv" > want.csv
    sprung tracking --cut-column cut -c x,y --plot a.svg "$DATA/wave.csv" > got.csv
    cmp want.csv got.csv
    draws a.svg
    for name in input output x_vel y_acc 'time (s)'; do
        grep -q "$name" a.svg
    done
    sprung tracking --cut-column cut -c x --plot - -o got.csv "$DATA/wave.csv" | grep -q 'x_acc (1/s²)'
    sprung critical -H 0.1 -c x --plot b.svg -i.bak <(true) 2> /dev/null || true
    cp "$DATA/wave.csv" in.csv
    sprung critical -H 0.1 -c x --plot c.svg -i in.csv
    draws c.svg
    head -n 1 in.csv | cmp - <(head -n 1 "$DATA/wave.csv")
}

@test "an axis has the unit of a velocity only where the column is one" {
    printf 'time,left_velocity\n0,1\n0.1,2\n0.2,4\n' > in.csv
    sprung damper -H 0.1 -d 1 --plot - -o got.csv in.csv > picture
    grep -q 'left_velocity_vel (1/s)' picture
    grep -q 'left_velocity  ' picture
}

@test "FILTER --plot: look-ahead, groups, many channels, a pipe" {
    fails 0 sprung inertialize -H 0.1 --cut-column cut -c x --plot a.svg "$DATA/wave.csv"
    draws a.svg
    fails 0 sprung critical -H 0.1 --group-by actor --plot a.svg "$DATA/groups.csv"
    says 'the first group'
    # One group, however its key is spelled.
    printf '{"time":0,"who":"a","x":0}\n{"time":1,"who":"\\u0061","x":1}\n' > one.jsonl
    fails 0 sprung critical -H 1 --group-by who --plot a.svg one.jsonl
    [ -z "$err" ]
    fails 0 sprung resonance -H 0.1 --frequencies 1,2 -c x --plot a.svg - < "$DATA/wave.csv"
    grep -q 'x@2' a.svg
    { echo "time,$(seq -s, -f c%g 9)"; echo 0,1,2,3,4,5,6,7,8,9; echo 1,1,2,3,4,5,6,7,8,9; } > in.csv
    fails 0 sprung damper -H 1 --plot a.svg in.csv
    says '3 more are left out'
}

@test "plot of a folder: the hint names a file in it, or a pair in two folders" {
    mkdir -p a/sub b/sub empty
    cp "$DATA/walk.bvh" a/only.bvh
    cp "$DATA/walk.bvh" a/sub/walk.bvh
    cp "$DATA/walk.bvh" b/sub/walk.bvh
    fails 2 sprung plot a
    says 'a: cannot read: Is a directory'
    says 'hint: try sprung plot a/only.bvh'
    fails 2 sprung plot a b
    says 'hint: try sprung plot a/sub/walk.bvh b/sub/walk.bvh; for all files: sprung diff a b'
    mkdir 'c d' 'e f'
    printf 'time,x\n0,1\n1,2\n' | tee 'c d/x y.csv' > 'e f/x y.csv'
    fails 2 sprung plot 'c d' 'e f'
    says "hint: try sprung plot 'c d/x y.csv' 'e f/x y.csv'; for all files: sprung diff 'c d' 'e f'"
    sprung plot a/sub/walk.bvh b/sub/walk.bvh > out.txt 2> err.txt
    sprung diff a b > /dev/null || [ $? = 1 ]
    fails 2 sprung plot a empty
    says 'hint: try sprung diff a empty'
}

@test "FILTER --plot: what cannot be is refused before any work" {
    fails 2 sprung damper -H 1 --plot a.svg "$DATA/wave.csv" "$DATA/groups.csv" --output-dir out
    says 'draws one file'
    # Below a folder there may be several as well.
    mkdir takes
    cp "$DATA/wave.csv" "$DATA/groups.csv" takes
    fails 2 sprung damper -H 1 --plot a.svg --recursive takes --output-dir out
    says 'draws one file'
    [ ! -e a.svg ]
    fails 2 sprung damper -H 1 --plot - "$DATA/wave.csv"
    says '--output'
    [ -z "$out" ]
    # Of joined inputs no input is replaced.
    printf 'time,x\n0,1\n1,2\n' | tee one.csv > two.svg
    fails 2 sprung damper -H 1 --join one.csv two.svg --from csv --plot two.svg
    says 'the picture would replace the input'
    cmp one.csv two.svg
    fails 2 sprung damper -H 1 --plot a.gif "$DATA/wave.csv"
    says '.svg'
    printf 'time,x\n0,1\n1,oops\n' > in.csv
    fails 2 sprung damper -H 1 --plot a.svg in.csv
    [ ! -e a.svg ]
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

@test "a picture never takes the place of an input or of the output" {
    cp "$DATA/wave.csv" in.svg
    cp in.svg keep.svg
    ln -s in.svg link.svg
    fails 2 sprung critical -H 0.1 --from csv --plot in.svg -o out.csv in.svg
    says 'the picture would replace the input'
    fails 2 sprung critical -H 0.1 --from csv --plot link.svg -i in.svg
    fails 2 sprung plot --from csv -o in.svg in.svg
    says 'the picture would replace in.svg'
    cmp in.svg keep.svg
    fails 2 sprung critical -H 0.1 --plot z.svg -o z.svg "$DATA/wave.csv"
    says 'the same name'
    [ ! -e z.svg ]
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
