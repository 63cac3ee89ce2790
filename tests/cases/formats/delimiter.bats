#!/usr/bin/env bats
# The delimiter is found in the head and the first rows: the same from a file, from a pipe, and in every command.
load ../common

half()
{
    sprung damper -H 1 -d 0 --decimals 1 "$@"
}

# The same table with commas between the cells: what every other delimiter must give.
table()
{
    printf 'time,x,y\n0.0,1.5,8.0\n1.0,3.5,0.0\n2.0,1.5,0.0\n' > commas.csv
}

@test "delimiter: tabs, semicolons, bars and blanks need no option, whatever the name of the file" {
    table
    for delimiter in $'\t' ';' '|' ' '; do
        half commas.csv | tr , "$delimiter" > want
        for name in in.tsv in.txt in in.csv; do
            tr , "$delimiter" < commas.csv > "$name"
            half "$name" | cmp - want
        done
        in_pieces in.csv | half | cmp - want
        sprung inspect in.csv > inspected
        grep -q "filtered  *x" inspected
        sprung diff in.csv commas.csv
        in_pieces in.csv | sprung diff commas.csv -
        tail -n +2 in.csv > rows
        half --rate 1 rows | cmp - <(half --rate 1 --no-header rows)
        in_pieces rows | half --rate 1 --no-header | cmp - <(half --rate 1 rows)
        half --header 1 in.csv | cmp - want
    done
}

@test "delimiter: a row without names that begins with a date may have empty cells" {
    printf '2026-01-01T00:00:00Z\t\t0\t8.0\n2026-01-01T00:00:01Z\t\t0\t0.0\n' > in.tsv
    half --no-header -t 1 -c 4 in.tsv > got
    printf '2026-01-01T00:00:00Z\t\t0\t8.0\n2026-01-01T00:00:01Z\t\t0\t4.0\n' | cmp - got
}

@test "delimiter: plot draws a table between semicolons" {
    needs gnuplot
    table
    tr , ';' < commas.csv > in.csv
    sprung plot -o a.svg commas.csv
    sprung plot -o b.svg in.csv
    sed 's/in\.csv/commas.csv/g' b.svg | cmp - a.svg
}

@test "delimiter: decimal commas beside semicolons, tabs, bars and blanks" {
    table
    for delimiter in $'\t' ';' '|' ' '; do
        tr ',.' "$delimiter," < commas.csv > in.csv
        half commas.csv | tr ',.' "$delimiter," > want
        half in.csv | cmp - want
        in_pieces in.csv | half | cmp - want
        tail -n +2 in.csv | half --rate 1 -c 2,3 | cmp - <(tail -n +2 want)
    done
}

@test "delimiter: a comma wins where several cut alike; text and units do not mislead" {
    printf 'time,x;pos,a b\n0,1,2 3\n1,3,2 4\n' > in.csv
    [ "$(half in.csv 2> /dev/null | tail -n 1)" = '1,2.0,2 4' ]
    printf 'Device one\nRate 100\n\ntime,x\n0,1\n1,3\n' > in.csv
    [ "$(half in.csv | tail -n 1)" = 1,2.0 ]
    printf 'Device: a b\nGain; 100\ntime,x\n0,1\n1,3\n' > in.csv
    [ "$(half in.csv | tail -n 1)" = 1,2.0 ]
    printf 'time;label;x\n0;a,b;1\n1;c;3\n' > in.csv
    [ "$(half in.csv 2> /dev/null | tail -n 1)" = '1;c;2.0' ]
    printf 'x;label\n1;s0\n3;s1\n' > in.csv
    [ "$(half --rate 1 in.csv 2> /dev/null | tail -n 1)" = '2.0;s1' ]
    printf 'time (s),x (mm)\n0,1\n1,3\n' > in.csv
    [ "$(half in.csv | tail -n 1)" = 1,2.0 ]
    # A single column has no delimiter.
    printf 'x\n1\n3\n' > in.csv
    [ "$(half --rate 1 in.csv | tail -n 1)" = 2.0 ]
}

@test "delimiter: a row of any delimiter comes out before the next row is there" {
    # A regular pipe ends; here the writer waits for each row.
    for delimiter in '\t' ';' ' ' '|'; do
        python3 - "$SPRUNG" "$delimiter" << 'P'
import select, subprocess, sys
d = "\t" if sys.argv[2] == "\\t" else sys.argv[2]
p = subprocess.Popen([sys.argv[1], "damper", "-H", "1", "-d", "0"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
p.stdin.write(("time%sx\n" % d).encode())
for n in range(5):
    p.stdin.write(("%d%s%d\n" % (n, d, n)).encode())
    got = b""
    while got.count(b"\n") < (1 if n else 2):
        if not select.select([p.stdout], [], [], 20)[0]:
            sys.exit("row %d did not come out" % n)
        got += p.stdout.read(65536)
p.stdin.close()
sys.exit(p.wait())
P
    done
}

@test "delimiter: decimal commas between commas are refused, with a way out" {
    printf '"time","x"\n"0,0","129,5"\n"1,0","130,5"\n' > in.csv
    fails 2 half in.csv
    says "if the decimal sign is ',', --decimal ,"
    fails 2 half --decimal , in.csv
    says "hint: the comma cannot be the delimiter, too: mlr --csv --ofs ';' cat FILE | sprung"
    [ "$(sed 's/","/;/; s/"//g' in.csv | half --decimal , --to csv | tail -n 1)" = '1,0;130,0' ]
}

@test "delimiter: trajectories of TUM, EuRoC and KITTI" {
    printf '# timestamp tx ty tz qx qy qz qw\n1305031098.60 1 0 2 0 0 0 1\n1305031098.61 3 0 2 0 0 1 0\n1305031098.62 3 0 2 0 0 1 0\n' > tum.txt
    # A quaternion of TUM is filtered as a rotation: it keeps its length.
    sprung critical -H 0.01 -d 0 tum.txt 2> err.txt | awk '!/#/ && (($5^2 + $6^2 + $7^2 + $8^2 - 1)^2 > 1e-12) { bad = 1 } END { exit bad }'
    in_pieces tum.txt | sprung critical -H 0.01 -d 0 2> err.txt | cmp - <(sprung critical -H 0.01 -d 0 tum.txt 2> err.txt)
    sprung critical -H 0.01 -d 0 --quaternions 5-8:xyzw tum.txt | cmp - <(sprung critical -H 0.01 -d 0 tum.txt 2> err.txt)
    # EuRoC: nanoseconds, commas and blanks, the unit in brackets.
    printf '#timestamp [ns],w_RS_S_x [rad s^-1],a_RS_S_x [m s^-2]\n1403636579758555392,-0.1,8.1\n1403636579763555584,-0.2,8.2\n' > imu.csv
    sprung critical -H 0.005000192 -d 0 --decimals 4 imu.csv > out.csv
    [ "$(tail -n 1 out.csv)" = 1403636579763555584,-0.1403,8.1403 ]
    # KITTI: twelve numbers a row and no times.
    printf '1 0 0 0.5 0 1 0 0.25 0 0 1 0\n1 0 0 1.5 0 1 0 0.25 0 0 1 8\n' > kitti.txt
    fails 2 half kitti.txt
    says 'as in -t 1, or the rows per second, as in --rate 100'
    [ "$(half --rate 1 kitti.txt | tail -n 1)" = '1 0 0 1.0 0 1 0 0.25 0 0 1 4.0' ]
    in_pieces kitti.txt | half --rate 1 | cmp - <(half --rate 1 kitti.txt)
}

@test "head: lines that are no names stay, rows may end in empty cells, one name over a decimal comma" {
    printf 'sep=;\ntime;x\n0;1\n1;3\n' > in.csv
    sprung damper -H 1 -d 1 --decimals 1 in.csv | cmp - <(printf 'sep=;\ntime;x;x_vel\n0;1;0.0\n1;2.0;0.7\n')
    printf 'Subject,S01\nRate,100\ntime,x\n0,1\n1,3\n' > in.csv
    sprung damper -H 1 -d 1 --decimals 1 in.csv | cmp - <(printf 'Subject,S01\nRate,100\ntime,x,x_vel\n0,1,0.0\n1,2.0,0.7\n')
    printf 'time,x\n0,1,,\n1,3,,\n' > in.csv
    half in.csv | cmp - <(printf 'time,x\n0,1,,\n1,2.0,,\n')
    in_pieces in.csv | half | cmp - <(half in.csv)
    printf 'pv_kw\n0,125\n0,250\n' > in.csv
    [ "$(sprung damper -H 1 --rate 1 -d 0 in.csv 2> /dev/null | tail -n 1)" = 0,1875 ]
    # Rows that hold more than the names are told, with both counts.
    printf 'time,x\n0,1,5\n' > in.csv
    fails 2 half in.csv
    says 'in.csv:2: expected 2 cells, found 3'
}
