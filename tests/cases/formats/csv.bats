#!/usr/bin/env bats
# Bad and odd text: accepted exactly, or refused with place and hint, status 2, the rows before the fault written.
load ../common

# same FILE [OPTION]...: a filter that changes nothing (a constant series) gives the file back byte for byte.
same()
{
    job "${@:2}" "$1" > back.csv
    cmp "$1" back.csv
}

@test "line ends: LF, CRLF, lone CR, and no final newline keep their style" {
    printf 'time,x\n0,5\n1,5\n' > lf.csv
    printf 'time,x\r\n0,5\r\n1,5\r\n' > crlf.csv
    printf 'time,x\r0,5\r1,5\r' > cr.csv
    printf 'time,x\n0,5\n1,5' > open.csv
    printf 'time,x\r\n0,5\r\n1,5' > opencrlf.csv
    for file in lf crlf cr open opencrlf; do
        same $file.csv
        sprung damper -H 1 -d 1 $file.csv > d.csv
        [ "$(tr '\r' '\n' < d.csv | grep -c ',0$')" = 2 ]
    done
}

@test "UTF-8 BOM: kept, also before a quoted header" {
    printf '\xef\xbb\xbftime,x\n0,5\n1,5\n' > a.csv
    printf '\xef\xbb\xbf"time","x"\n0,5\n1,5\n' > b.csv
    same a.csv
    same b.csv
    same b.csv -t time -c x
}

@test "UTF-16: an error that says how to convert" {
    printf 'time,x\n0,5\n' | iconv -t UTF-16 > in.csv
    fails 2 job in.csv
    says 'UTF-16'
    says 'iconv'
}

@test "NUL byte: an error with its line" {
    printf 'time,x\n0,5\n1,\0005\n' > in.csv
    fails 2 job in.csv
    says 'in.csv:3'
    says 'NUL'
}

@test "quotes: newlines and doubled quotes inside pass; line numbers count physical lines" {
    printf 'time,x,note\n0,5,"two\nlines, ""quoted"""\n1,5,plain\n' > in.csv
    same in.csv
    printf 'time,x,note\n0,5,"two\nlines"\n1,oops,plain\n' > in.csv
    fails 2 job in.csv
    says 'in.csv:4: column "x"'
}

@test "quoted numbers are filtered inside their quotes" {
    printf 'time,x\n0,"0"\n"1","8"\n' > in.csv
    [ "$(job --decimals 1 in.csv | tail -n 1)" = '"1","4.0"' ]
}

@test "unterminated quote: the line where it opened" {
    printf 'time,x,note\n0,5,a\n1,5,"open\n2,5,b\n3,5,c\n' > in.csv
    fails 2 job in.csv
    says 'in.csv:3'
    says 'quote'
}

@test "unterminated quote in the first row, not in the last column: the same" {
    printf 'time,x,y\n0,"1,2\n1,2,3\n' > in.csv
    fails 2 job in.csv
    says 'in.csv:2: this quote is never closed'
}

@test "text after a closing quote: the line where it opened" {
    printf 'time,x,note\n0,5,a\n1,5,"closed"oops\n' > in.csv
    fails 2 job in.csv
    says 'in.csv:3'
}

@test "ragged rows: expected and found counts" {
    printf 'Time;P1;P2\n2017/10/15 00:02:04;19;10;;16\n2017/10/15 00:04:04;21;11;;17\n' > wide.csv
    fails 2 sprung damper -H 120 wide.csv
    says "wide.csv:2: expected 3 cells, found 5"
    says "or leave the names out: sed 1d FILE | sprung ... --no-header"
    [ "$(tail -n +2 wide.csv | sprung damper -H 120 -d 0 --no-header | tail -n 1)" = '2017/10/15 00:04:04;20;10.5;;16.5' ]
    printf 'time,x,y\n0,5,5\n1,5\n' > in.csv
    fails 2 job in.csv
    says 'in.csv:3'
    says '3'
    says '2'
    [ "$out" = "$(printf 'time,x,y\n0,5,5')" ]
    printf 'time,x,y\n0,5,5\n1,5,5,5\n' > in.csv
    fails 2 job in.csv
    says 'in.csv:3'
    says '4'
    says "hint: to leave such rows out: --bad-rows skip"
    # What is after a lost cell lies under another column: the row is short, rather than a number bad.
    printf 'time,x,place\n0,1,hall\n1,yard\n' > short.csv
    fails 2 sprung damper -H 1 short.csv
    says "short.csv:3: expected 3 cells, found 2"
}

@test "duplicate header: an error only when it is selected by name" {
    printf 'time,x,x\n0,5,5\n1,5,5\n' > in.csv
    same in.csv
    same in.csv -c 2
    same in.csv -c x_2
    fails 2 job -c x in.csv
    says '"x"'
}

@test "missing column: the columns are listed, the nearest is suggested" {
    printf 'time,hip,knee\n0,5,5\n1,5,5\n' > in.csv
    fails 2 job -c hipp in.csv
    says 'hip'
    says 'knee'
    says 'did you mean'
}

@test "empty file: an error; header only: header out, status 0; blank line inside: an error" {
    : > in.csv
    fails 2 job in.csv
    says 'empty'
    printf 'time,x\n' > in.csv
    same in.csv
    [ "$(sprung damper -H 1 in.csv)" = time,x,x_vel,x_acc ]
    printf 'time,x\n0,5\n\n1,5\n' > in.csv
    fails 2 job in.csv
    says 'in.csv:3'
    says 'blank'
    # In a file of one column it is an empty cell, but for those at the end.
    [ "$(printf 'x\n1\n\n3\n\n' | job --rate 1 --gaps linear | tr '\n' ' ')" = 'x 1 1.5 2.25  ' ]
}

@test "cells past 1 MiB are errors, not memory" {
    python3 -c 'print("time,x,note\n0,5,a\n1,5," + "z" * (1 << 20 | 1))' > in.csv
    fails 2 job in.csv
    says 'in.csv:3'
}

@test "rows past 64 MiB are errors, not memory" {
    python3 -c '
import sys
sys.stdout.write("time,x" + ",y" * 100 + "\n0,5" + ",a" * 100 + "\n1,5")
for i in range(100): sys.stdout.write("," + "z" * 700000)
sys.stdout.write("\n")' > in.csv
    fails 2 job -c x in.csv
    says 'in.csv:3'
}

@test "what is no number is an error with its excerpt" {
    for bad in 1e400 -1e400 12abc 1e+ 0x10 '"1,234"' 1_000 --1 inf -Infinity 1e 1.2.3 '1 2' + . e5; do
        printf 'time,x\n0,5\n1,%s\n' "$bad" > in.csv
        fails 2 job in.csv
        says 'in.csv:3: column "x"'
        says "$(echo "$bad" | tr -d '"')"
        [ "$out" = "$(printf 'time,x\n0,5')" ]
    done
}

@test "odd but valid numbers are read exactly" {
    for number in 4.9406564584124654e-324 1e-400 +5 .5 5. 1e-007 1E3 -0 "$(printf '0.%0400d1' 0)" "$(printf '1%0300d' 0)"; do
        printf 'time,x\n0,%s\n1,%s\n' "$number" "$number" > in.csv
        job in.csv > out.csv
        python3 - "$number" "$(tail -n 1 out.csv | cut -d, -f2)" <<'P'
import sys
assert float(sys.argv[1]) == float(sys.argv[2]), sys.argv
P
    done
}

@test "text in a channel later on is an error that names -x" {
    printf 'time,x\n0,5\n1,five\n' > in.csv
    fails 2 job in.csv
    says '"five"'
    says '-x'
}

@test "no locale changes a byte" {
    printf 'time,x\n0,0\n1,1.5\n' > in.csv
    job in.csv > c.csv
    for locale in C de_DE.UTF-8 tr_TR.UTF-8 C.UTF-8 nonsense; do
        LC_ALL=$locale LANG=$locale job in.csv | cmp - c.csv
    done
}

@test "blanks around numbers stay, the header and text cells come out byte for byte" {
    printf ' time , x ,id,note\n 0 ,  5.00 ,12345678901234567890,"a ""b"""\n 1 ,\t5.00,1.50,-0.00000\n' > in.csv
    job -t 1 -c 2 --decimals 2 in.csv | cmp - in.csv
}

@test "comments and preamble pass through" {
    printf 'made by hand\n\n%% 1,2\n@ 3,4\n# 5,6\ntime,x\n# first\n0,5\n# second, of three, cells\n1,5\n#\n' > in.csv
    same in.csv
    printf '%% time x\n0 8\n1 0\n' | job -d 1 | head -n 1 | grep -qx '% time x x_vel'
    printf '# time,x\n0,8\n1,0\n' | job -d 1 | head -n 1 | grep -qx '# time,x,x_vel'
    # With as many cells as the head, it is a row.
    printf 'time,name,x\n0,#a,8\n#1,#a,0\n' > in.csv
    fails 2 job in.csv
    says 'in.csv:3: column "time": not a number: "#1"'
}

@test "delimiters: semicolon, tab, and decimal comma" {
    printf 'time;x\n0;0\n1;1,5\n' > in.csv
    [ "$(job --delimiter ';' --decimal , in.csv | tail -n 1)" = '1;0,75' ]
    printf 'time\tx\n0\t0\n1\t1.5\n' > in.tsv
    [ "$(job in.tsv | tail -n 1)" = "$(printf '1\t0.75')" ]
    [ "$(job --delimiter tab < in.tsv | tail -n 1)" = "$(printf '1\t0.75')" ]
}

@test "header: none, given by line, on several lines" {
    printf '0,0\n1,8\n' > in.csv
    [ "$(job --no-header -t 1 in.csv | tail -n 1)" = 1,4 ]
    [ "$(job -t 1 in.csv | tail -n 1)" = 1,4 ]
    job --header 3,4 --decimals 6 -c 'Hip.*' "$DATA/take.csv" > out.csv
    cmp <(head -n 4 out.csv) <(head -n 4 "$DATA/take.csv")
    cmp <(cut -d, -f1,2,6- out.csv) <(cut -d, -f1,2,6- "$DATA/take.csv")
    ! cmp -s out.csv "$DATA/take.csv"
}

@test "header: thousands of lines of which none is certainly a row, of an even and of an odd number" {
    { printf '1.5,a,b\n'; yes 1,a,b | head -n 3000; } > odd.csv
    tail -n +2 odd.csv > even.csv
    for file in odd even; do
        job --rate 10 $file.csv > out.csv
        job --rate 10 --no-header $file.csv > expected.csv
        cmp out.csv expected.csv
    done
}

@test "header: a first row of words that are gaps, in brackets as units are, is a row" {
    printf 'a,b\n(x),(x)\n1,2\n1,2\n' > in.csv
    same in.csv --rate 10 --missing '(x)'
}

@test "columns: text and unnamed empty columns are left out by default" {
    printf 'time,x,note,\n0,0,hello,\n1,8,world,\n' > in.csv
    [ "$(job in.csv | tail -n 1)" = 1,4,world, ]
}

@test "a time that cannot be read lists the forms, unless another column is the time" {
    for time in '12.05.21 19:35' '5:03 PM' '5/12/2021 19:35'; do
        printf 'time,x\n%s,5\n' "$time" > in.csv
        fails 2 job in.csv
        says 'hint: times are read as numbers, or as in 2026-11-22 19:35:00'
    done
    printf 't,x,timestamp\nA,5,0\nB,5,1\n' > in.csv
    same in.csv -q
}
