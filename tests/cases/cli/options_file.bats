#!/usr/bin/env bats
# Options from a file: what they do, what wins over them, and the place that an error names.
load ../common
load words

W=$DATA/wave.csv

# refused TEXT MESSAGE: a file of that text is an error, named as MESSAGE, before the input is opened.
refused()
{
    printf -- "$1" > bad.txt
    fails 2 sprung damper -H 0.1 --options bad.txt missing.csv
    says "sprung: bad.txt:$2"
    [[ -z $out ]]
}

@test "options come from a file, before or after others, CR LF or not" {
    printf '# studio\n--halflife 0.1 # calm\n\n-d0 --gaps "fi"ll \n  -c "x,"y' > a.txt
    same damper --options a.txt "$W" -- damper -H 0.1 -d 0 --gaps fill -c x,y "$W"
    same damper "$W" --options=a.txt -- damper -H 0.1 -d 0 --gaps fill -c x,y "$W"
    sed 's/$/\r/' a.txt > crlf.txt
    same damper --options crlf.txt "$W" -- damper --options a.txt "$W"
    printf -- "-c 'a \"b'\"#c\"d#e\$x*~" > words.txt
    fails 2 sprung damper -H 1 --options words.txt "$W"
    says 'no column "a "b#cd#e$x*~"'
    same damper --options <(cat a.txt) "$W" -- damper --options a.txt "$W"
}

@test "the command line wins, wherever --options stands" {
    echo '-H 0.3 --decimals 2 -c x -d 0' > a.txt
    for words in "--options a.txt -H 0.1 --decimals 5 -c y" "-H 0.1 --decimals 5 -c y --options a.txt"; do
        same damper $words "$W" -- damper -H 0.1 --decimals 5 -c y -d 0 "$W"
    done
    echo '-H 0.1 --in-place' > a.txt
    cp "$W" w.csv
    fails 2 sprung damper --options a.txt --lag 0.3 w.csv
    says '--halflife cannot be combined with --lag'
    cmp w.csv "$W"
    sprung damper --options a.txt w.csv
    ! cmp -s w.csv "$W"
}

@test "a later file wins over an earlier one" {
    echo '-H 0.1 -d 1' > a.txt
    echo '-H 0.3' > b.txt
    same damper --options a.txt --options b.txt "$W" -- damper -H 0.3 -d 1 "$W"
    same damper --options b.txt --options a.txt "$W" -- damper -H 0.1 -d 1 "$W"
    same damper --options a.txt -H 0.2 --options b.txt "$W" -- damper -H 0.2 -d 1 "$W"
}

@test "options that may be repeated add to those of the file" {
    echo "-H 0.1 --mask x:x<0 --mask 'y:y<0'" > a.txt
    same damper --options a.txt --mask 'y:y>2' "$W" -- \
        damper -H 0.1 --mask 'x:x<0' --mask 'y:y<0' --mask 'y:y>2' "$W"
}

@test "commands take them, too" {
    echo '--abs 1000 --rel 1' > a.txt
    sprung damper -H 0.1 -d 0 "$W" > w.csv
    fails 1 sprung diff "$W" w.csv
    sprung diff --options a.txt "$W" w.csv
    echo '-H 0.1 --rate 60' > a.txt
    same response critical --options a.txt --rate 240 -- response critical -H 0.1 --rate 240
}

@test "errors name the file and the line" {
    refused '\n\n--halflif 1' '3: unknown option --halflif'
    says "did you mean --halflife?"
    refused '-d 0\n-H x\n' '2: --halflife: must be a number greater than 0: "x"'
    refused "-q\n-c ''" '2: --columns: the value is empty'
    refused '-q\n-H' '2: --halflife needs a value'
    refused '-d 0\ntake.csv' '2: not an option; give files on the command line: "take.csv"'
    refused '-q\n--mask "a\nb' '2: a quote is not closed on this line'
    printf -- '-q -H' > bad.txt
    fails 2 sprung damper 1 --options bad.txt "$W"
    says "bad.txt:1: --halflife needs a value"
}

@test "files that cannot be read" {
    fails 2 sprung damper -H 1 --options missing.txt "$W"
    says "sprung: missing.txt: cannot open"
    fails 2 sprung damper -H 1 --options . "$W"
    says "sprung: .: cannot read: Is a directory"
    fails 2 sprung damper -H 1 --options= "$W"
    says "--options: the value is empty"
    head -c 1048576 /dev/zero | tr '\0' ' ' > a.txt
    sprung damper -H 1 --options a.txt "$W" > /dev/null
    echo >> a.txt
    fails 2 sprung damper -H 1 --options a.txt "$W"
    says "sprung: a.txt: an options file can be at most 1 MiB"
}

@test "no output replaces a file that the command reads" {
    printf 'time,x\n0,1\n1,2\n' > in.csv
    echo '-H 0.1' > options.txt
    echo in.csv > names.txt
    cp options.txt names.txt "$BATS_FILE_TMPDIR"
    fails 2 sprung critical --options options.txt -o options.txt in.csv
    says 'options.txt: the output is the input options.txt'
    fails 2 sprung critical --options options.txt -o ./options.txt --force in.csv
    mkdir out
    ln options.txt out/in.csv
    fails 2 sprung plot --options options.txt -o options.txt in.csv
    for file in options.txt names.txt; do
        cmp "$file" "$BATS_FILE_TMPDIR/$file"
    done
}
