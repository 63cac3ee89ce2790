#!/usr/bin/env bats
# --delimiter blanks: columns between any number of blanks and tabs, whose cells keep their width.
load ../common

half()
{
    sprung damper -H 1 -d 0 "$@"
}

# Columns of which the ends stand below each other, of awk's printf; and the same with commas.
tables()
{
    awk 'BEGIN {
        printf "%8s %10s   %8s\n", "time", "x", "y" > "blanks.txt"
        print "time,x,y" > "commas.csv"
        for (i = 0; i < 300; i++) {
            x = sprintf("%.4f", (i * i) % 97 - 40)
            y = i % 13 ? sprintf("%.3f", i % 7) : "nan"
            printf "%8.2f %10s   %8s\n", i / 10, x, y > "blanks.txt"
            printf "%.2f,%s,%s\n", i / 10, x, y > "commas.csv"
        }
    }'
}

@test "blanks: the numbers are those of the same table with commas" {
    tables
    for options in "-d 0" "-d 2" "--gaps fill" "--resample 7" "--decimals 2" "-d 0 -x x" "-c 3"; do
        sprung damper -H 0.4 $options commas.csv | sed 's/,,/,nan,/g; s/,,/,nan,/g; s/,$/,nan/' > want.csv
        sprung damper -H 0.4 $options --delimiter blanks blanks.txt > out.txt
        awk '{ $1 = $1; gsub(" ", ","); print }' out.txt | cmp - want.csv
        sprung damper -H 0.4 $options --delimiter blanks < blanks.txt | cmp - out.txt
        dd bs=7 if=blanks.txt 2> dd.txt | sprung damper -H 0.4 $options --delimiter blanks | cmp - out.txt
        sprung damper -H 0.4 $options --delimiter blanks -j 3 blanks.txt | cmp - out.txt
    done
    sprung damper -H 0.4 -d 0 --delimiter blanks --to json blanks.txt > out.json
    sprung damper -H 0.4 -d 0 --to json commas.csv | cmp - out.json
}

@test "blanks: bytes that are not filtered come out as they are" {
    printf '# a comment\n\n  time\t x   label\t\r\n   0\t 1.50   "a,b  \r\n  1   2.5    nan \t \r\n 2 -3e0 x\r\n \r\n\r\n' > in.txt
    sprung tracking -d 0 --delimiter blanks in.txt | cmp - in.txt
    tables
    sprung tracking -q -d 0 -c x --delimiter blanks blanks.txt | cmp - blanks.txt
    printf '  1 2\n  3 4' > in.txt
    sprung tracking -d 0 --rate 1 --delimiter blanks in.txt | cmp - in.txt
}

@test "blanks: a filtered number takes the place of its cell, and blanks stay" {
    printf '  time      x     y\n     0    8.0   100\n     1    0.0   -10\n' > in.txt
    half --decimals 1 --delimiter blanks in.txt > out.txt
    printf '  time      x     y\n     0    8.0   100\n     1    4.0   45.0\n' | cmp - out.txt
}

@test "blanks: derivatives stand at the end, one blank before each" {
    printf ' time   x  \n    0   8  \n    1   0  \n' > in.txt
    sprung damper -H 1 -d 1 --decimals 1 --delimiter blanks in.txt > out.txt
    printf ' time   x x_vel  \n    0   8 0.0  \n    1   4.0 -2.8  \n' | cmp - out.txt
    sprung damper -H 1 --decimals 1 --delimiter blanks in.txt > out.txt
    sprung damper -H 1 -d 1 --decimals 1 --delimiter blanks out.txt > again.txt
    [ "$(head -n 1 again.txt)" = ' time   x x_vel x_acc x_vel_2  ' ]
}

@test "blanks: what cannot be is said" {
    printf 'time   x\n0   1\n1   2   3\n' > in.txt
    fails 2 half --delimiter blanks in.txt
    says 'in.txt:3: expected 2 cells, found 3'
    printf 'time   x\n0   1\n  \n1   2\n' > in.txt
    fails 2 half --delimiter blanks in.txt
    says 'in.txt:3: a blank line between rows'
    printf 'time   x\n0   1\n1   "2"\n' > in.txt
    fails 2 half --delimiter blanks in.txt
    says 'in.txt:3: column "x": not a number'
    fails 2 half --delimiter blank in.txt
    says "--delimiter must be 'tab', 'blanks' or a character that is not part of a number"
    printf '[{"time":0,"x":1}]\n' > in.json
    fails 2 half --delimiter blanks --to csv in.json
    says '--delimiter does not apply to json, only to csv and tsv'
}

@test "blanks: trajectories with a line of names behind a # need no option" {
    for names in '# timestamp tx ty tz qx qy qz qw' '# timestamp(s) tx ty tz qx qy qz qw' '#timestamp tx ty tz qx qy qz qw'; do
        printf '# ground truth trajectory\n# file: take.bag\n%s\n' "$names" > in.txt
        printf '1305031098.6659 1.3563 0.6305 1.6380 0.6132 0.5962 -0.3311 -0.3986\n' >> in.txt
        printf '1305031099.6659 1.4563 0.6305 1.6380 0.6132 0.5962 -0.3311 -0.3986\n' >> in.txt
        sprung tracking -d 0 in.txt > out.txt 2> err.txt
        cmp in.txt out.txt
        in_pieces in.txt | sprung tracking -d 0 2> err.txt | cmp - in.txt
        [ "$(half -c tx --decimals 4 in.txt 2> /dev/null | tail -n 1)" = \
            '1305031099.6659 1.4063 0.6305 1.6380 0.6132 0.5962 -0.3311 -0.3986' ]
        half -c tx --decimals 4 in.txt 2> /dev/null > out.txt
        half -c tx --decimals 4 < in.txt 2> /dev/null | cmp - out.txt
        half -c tx --decimals 4 --delimiter ' ' in.txt 2> /dev/null | cmp - out.txt
        [ "$(sprung damper -H 1 -d 1 -c tx in.txt 2> /dev/null | sed -n 3p)" = "$names tx_vel" ]
    done
    # A sentence behind a # may have another number of words.
    printf '# see the words here\n8 2 3\n0 2 3\n' > in.txt
    [ "$(half --rate 1 in.txt | tail -n 1)" = '4 2 3' ]
}
