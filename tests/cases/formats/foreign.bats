#!/usr/bin/env bats
# Files that are not what their user takes them for: each is said for what it is, with a way out.
load ../common

# named HEX TEXT: a file that begins with these bytes is named so, whatever its name and however its bytes arrive.
named()
{
    printf '%b' "$1" > in.csv
    head -c 300 /dev/zero >> in.csv
    fails 2 sprung critical -H 0.1 in.csv
    says "sprung: in.csv: the file is $2"
    says "hint:"
    fails 2 sprung critical -H 0.1 --from json in.csv
    says "the file is $2"
    fails 2 sprung critical -H 0.1 - < <(for ((i = 0; i < 20; i++)); do dd if=in.csv bs=1 skip=$i count=1 status=none; done)
    says "(standard input): the file is $2"
}

@test "archives, documents, pictures and programs are named by their first bytes" {
    named '\x1f\x8b\x08\x00' "compressed with gzip"
    says "zcat FILE | sprung"
    named 'BZh91AY&SY' "compressed with bzip2"
    named '\xfd7zXZ\x00' "compressed with xz"
    named '\x28\xb5\x2f\xfd' "compressed with zstd"
    named 'PK\x03\x04' "a zip archive"
    named '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1' "an Office document, such as XLS"
    named '\x89HDF\r\n\x1a\n' "an HDF5 file"
    named 'MATLAB 5.0 MAT-file, Platform' "a MATLAB file"
}

@test "a text that begins like one of them is read" {
    for start in P PK PAR1 BZh ID3 '%' MATLAB Og; do
        printf '%s,time,x\n0,0,1\n1,1,1\n' "$start" > in.csv
        [ "$(sprung critical -H 0.1 -d 0 -c x in.csv | tail -n 1)" = 1,1,1 ]
    done
}

@test "CSV named json, commas in numbers" {
    printf 'time x\n0 1\n1 1\n' > in.txt
    [ "$(sprung critical -H 0.1 -d 0 --delimiter ' ' in.txt | tail -n 1)" = "1 1" ]
    printf 'time,x\n0,1\n' > in.json
    fails 2 sprung critical -H 0.1 in.json
    says "if it is CSV, try --from csv"
    [ "$(sprung critical -H 0.1 -d 0 --from csv in.json | tail -n 1)" = 0,1 ]
    printf 'time,x\n0,1\n1,"1,234.5"\n' > in.csv
    fails 2 sprung critical -H 0.1 in.csv
    says 'in.csv:3: column "x": not a number: "1,234.5"'
    printf 'time,x,y\n0,"1,2345",3\n1,"12,34",3\n' > in.csv
    fails 0 sprung critical -H 1 -d 0 in.csv
    [ "$err" = 'sprung: in.csv: not filtered (text): "x" (1,2345)' ]
}

@test "Vicon: the names stand above the units, sections are named" {
    printf 'Trajectories,,,\n100,,,\n,,hip,\nFrame,Sub Frame,X,Y\n,,mm,mm\n1,0,1,2\n2,0,1,3\n' > in.csv
    fails 0 sprung critical -H 0.1 -d 1 -c 'hip.X,*Y' in.csv
    printf 'Trajectories,,,\n100,,,\n,,hip,,hip,hip\nFrame,Sub Frame,X,Y,X_vel,Y_vel\n,,mm,mm\n1,0,1,2,0,0\n' | cmp - <(head -n 6 <<< "$out")
    # The rate is the file's own, and what is written can be read again.
    [ "$out" = "$(sprung critical -H 0.1 -d 1 --rate 100 in.csv 2> /dev/null)" ]
    printf '%s\n' "$out" > out.csv
    fails 0 sprung critical -H 0.1 -d 1 out.csv
    says '"hip.X_vel" (derivative), "hip.Y_vel" (derivative)'
    [ "$(sprung critical -q -H 0.1 --resample 50 in.csv | sed -n 2p)" = 50,,, ]
    fails 2 sprung critical -H 0.1 -c knee in.csv
    says 'columns: "Frame", "Sub Frame", "hip.X", "hip.Y"'
    for lines in 3,2 3, ,3 0,2 3-4; do
        fails 2 sprung critical -H 0.1 --rate 100 "--header=$lines" in.csv
        says "--header must be the line of the names"
    done
    printf 'time,deg,N\ntext,mm,m/s\n0,1,1\n' > units.csv
    [ "$(sprung critical -H 0.1 -d 0 -c mm units.csv --rate 1 | tail -n 1)" = 0,1,1 ]
    { cat in.csv; printf '\nDevices,,,\n1000,,,\nFrame,Sub Frame,V,V\n1,0,1,2\n'; } > two.csv
    fails 2 sprung critical -H 0.1 --rate 100 two.csv
    says 'two.csv:8: a blank line between rows'
    says "csplit -z FILE"
    csplit -s -z two.csv '/^[[:space:],]*$/' '{*}'
    cmp xx00 in.csv
}

# motive: as Motive 1.x exports a take.
motive()
{
    printf 'Format Version,1.21,Take Name,Take\r\n\r\n'
    printf ',,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body Marker,Rigid Body Marker\r\n'
    printf ',,Body 1,Body 1,Body 1,Body 1,Body 1,Body 1_1,Body 1_1\r\n'
    printf ',,Rotation,Rotation,Rotation,Rotation,Error Per Marker,Position,Marker Quality\r\n'
    printf 'Frame,Time,X,Y,Z,W,,X,\r\n'
    awk 'BEGIN {
        for (i = 0; i < 40; i++)
            printf "%d,%.6f,0.000000,%s,0.001000,%d.000000,0.998795\r\n", i, i / 120,
                (i > 4 ? "0.600000,0.000000,-0.800000" : "0.000000,0.000000,-1.000000"), i % 3
    }'
}

@test "Motive: a line of numeric IDs is no row, a line of commas alone is no line of types" {
    motive | awk -F, -v OFS=, '{ sub(/\r$/, "") } NR == 2 { $0 = ",,,,,,,," } { print } NR == 4 { print ",ID,1,1,1,1,1,2,2" }' > take.csv
    [ "$(sprung inspect --report columns take.csv | sed -n '3p;8p' | tr '\n' ' ')" = 'Body 1.Rotation.X Body 1_1.Position.X ' ]
    fails 0 sprung critical -H 0.05 -d 0 take.csv
    cmp <(head -n 7 take.csv) <(head -n 7 <<< "$out")
}

@test "Motive: frames, time, errors and qualities are no channels, and a note says so" {
    motive > take.csv
    fails 0 sprung critical -H 0.05 -d 0 take.csv
    says 'take.csv: not filtered: "Frame" (count), "Body 1.Error Per Marker" (quality), "Body 1_1.Marker Quality" (quality)'
    cmp <(cut -d, -f1,2,7,9 <<< "$out") <(cut -d, -f1,2,7,9 take.csv)
    ! cmp -s <(cut -d, -f8 <<< "$out") <(cut -d, -f8 take.csv)
    fails 0 sprung critical -H 0.05 --header 4,5,6 take.csv
    says '"Frame" (count), "Body 1.Error Per Marker" (quality), "Body 1_1.Marker Quality" (quality)'
    fails 0 sprung critical -H 0.05 -q take.csv
    [ -z "$err" ]
    fails 0 sprung critical -H 0.05 -d 0 -c 7,8 take.csv
    ! cmp -s <(cut -d, -f7,8 <<< "$out") <(cut -d, -f7,8 take.csv)
    [[ $err != *"not filtered"* ]]
}

@test "Motive: inspect masks by the quality of a marker, never by its error, of which less is better" {
    motive | sed '20s/0.998795/0.100000/' > take.csv
    sprung inspect take.csv > report.txt
    grep -q 'for --mask .*Marker Quality' report.txt
    ! grep -qF -- 'Error Per Marker<' report.txt
    fails 0 sprung critical -H 0.05 -d 0 --mask '*.Position.X:*.Marker Quality<0.6' take.csv
    [[ $err != *warning* ]]
}

@test "Motive: names are joined from markers, kinds of data and axes, and derivatives are named alike" {
    motive | sed '20,22s/0.998795/0.100000/' > take.csv
    [ "$(sprung inspect --report columns take.csv | tr '\n' ' ')" = 'Frame Time Body 1.Rotation.X Body 1.Rotation.Y Body 1.Rotation.Z Body 1.Rotation.W Body 1.Error Per Marker Body 1_1.Position.X Body 1_1.Marker Quality ' ]
    sprung critical -H 0.05 -q -c '*_1.Position.X' take.csv > named.csv
    cmp named.csv <(sprung critical -H 0.05 -q -c 8 take.csv)
    cmp <(head -n 6 named.csv) <(head -n 6 take.csv)
    sprung critical -H 0.05 -q -c 8 -d 1 take.csv > out.csv
    [ "$(sed -n 4p out.csv | tr -d '\r')" = ',,Body 1,Body 1,Body 1,Body 1,Body 1,Body 1_1,Body 1_1,Body 1_1' ]
    [ "$(sed -n 5p out.csv | tr -d '\r' | cut -d, -f10)" = Position ]
    [ "$(sed -n 6p out.csv | tr -d '\r' | cut -d, -f10)" = X_vel ]
    fails 0 sprung inspect out.csv
    [[ $out == *'derivative'* ]]
    # As Motive 2 and later writes it: with labels, with a line of ids.
    awk -F, -v OFS=, '{ sub(/\r$/, "") } NR == 3 { $2 = "Type" } NR == 4 { $2 = "Name"; print; gsub(/Body 1/, "\"AB\""); $2 = "ID" }
        NR == 6 { $2 = "Time (Seconds)" } { print }' take.csv > new.csv
    [ "$(sprung inspect --report columns new.csv | sed -n 2,3p | tr '\n' ' ')" = 'Time (Seconds) Body 1.Rotation.X ' ]
    sprung inspect new.csv | grep -q 'time *column "Time (Seconds)"'
    fails 2 sprung critical -H 0.05 -c knee new.csv
    says 'columns: "Frame", "Time (Seconds)", "Body 1.Rotation.X"'
}

@test "Motive: --rate against the times is said once" {
    motive | sed '1s/\r/,Export Frame Rate,120\r/' > take.csv
    fails 0 sprung critical -H 0.05 -d 0 --rate 7 take.csv
    says '--rate 7 is used, but the times in "Time" show 120 rows per second'
    [ "$(grep -c -- '--rate 7 is used' err.txt)" = 1 ]
}

@test "Motive: X, Y, Z and W of Rotation are quaternions, and a note says so" {
    motive > take.csv
    fails 0 sprung critical -H 0.05 -d 2 take.csv
    says 'take.csv: 1 quaternion is filtered as a rotation (--quaternions none: as separate numbers)'
    printf '%s\n' "$out" > rotations.csv
    [[ $(sed -n 6p rotations.csv) == *,Body\ 1.Rotation_vel_x,Body\ 1.Rotation_vel_y,Body\ 1.Rotation_vel_z,Body\ 1.Rotation_acc_x* ]]
    sprung critical -H 0.05 -d 2 --quaternions 3-6:xyzw -q take.csv | sed 6d | cmp - <(sed 6d rotations.csv)
    sprung critical -H 0.05 -d 0 -q take.csv | cut -d, -f3-6 > want.csv
    sprung critical -H 0.05 -d 0 --header 4,5,6 -q take.csv | cut -d, -f3-6 | cmp - want.csv
    sprung critical -H 0.05 -d 0 --header 4,5,6 -q --quaternions '*.Rotation' take.csv | cut -d, -f3-6 | cmp - want.csv
    for options in '--quaternions none' '--angles 3'; do
        # shellcheck disable=SC2086
        fails 0 sprung critical -H 0.05 -d 1 $options take.csv
        [[ $err != *"as rotations (1)"* ]]
        [[ $out == *X_vel* ]]
    done
    fails 0 sprung critical -H 0.05 --quaternions none take.csv
    [[ $err != *warning* ]]
    fails 2 sprung critical -H 0.05 --start 5 take.csv
    says 'a rotation cannot start at a single number'
    fails 2 sprung double -H 0.05 -d 1 take.csv
    says '--quaternions none'
    # A clean take comes back byte for byte.
    cp take.csv copy.csv
    sprung tracking --quaternions none -q -i copy.csv
    cmp copy.csv take.csv
}

@test "APDM: the time may stand above the line of the names" {
    printf 'Format=7,5718,,,Lumbar\nTime,Accelerometer,,,Barometer\n,X,Y,Z,\n1550879504438281,1,2,3,4\n1550879504446093,2,2,3,4\n' > in.csv
    [ "$(sprung critical -H 0.05 -d 0 --time-unit us --decimals 4 in.csv | tail -n 1)" = 1550879504446093,1.0203,2,3,4 ]
    # The unit is told by the size of the numbers, and that is said.
    fails 0 sprung critical -H 0.05 -d 0 --decimals 4 in.csv
    [ "$(printf '%s\n' "$out" | tail -n 1)" = 1550879504446093,1.0203,2,3,4 ]
}

@test "a blank line between rows is an error that says how to take them out" {
    printf 'time,x\n\n0,0\n\n1,8\n\n2,8\n\n' > in.csv
    fails 2 sprung damper -H 1 -d 0 in.csv
    says 'in.csv:4: a blank line between rows'
    grep '[^[:space:]]' in.csv | sprung damper -H 1 -d 0 | cmp - <(printf 'time,x\n0,0\n1,4\n2,6\n')
}

@test "lines of units and blank lines below the names; the devices of Vicon" {
    for below in 's,V,counts' '(s),(\xc2\xb0C),(a.u.)' '[ms],[-],[-]' 's,dps,uT' '\ns,x axis,y axis\n'; do
        printf "time,a,b\n$below\n0,0,1\n1000,8,2\n" > in.csv
        fails 0 sprung damper -H 1000 -d 0 -q in.csv
        [ "$(sprung inspect in.csv | grep -c 'filtered  *a, b')" = 1 ]
        in_pieces in.csv | sprung damper -H 1000 -d 0 -q | diff - <(printf '%s\n' "$out")
    done
    printf 'Devices\n1000\n,,IMU,\nFrame,Sub Frame,x,y\n,,V,mV\n1,0,0,1\n1,1,8,2\n' > devices.csv
    fails 0 sprung damper -H 0.001 -d 0 devices.csv
    [ "$(printf '%s\n' "$out" | tail -n 1)" = 1,1,4,1.5 ]
    in_pieces devices.csv | sprung damper -H 0.001 -d 0 2> /dev/null | diff - <(printf '%s\n' "$out")
}

@test "XML and EyeLink files are named, with a way out" {
    printf '<?xml version="1.0"?>\n<a>1</a>\n' > a.xml
    fails 2 sprung critical -H 0.1 a.xml
    says 'a.xml: the file is an XML document'
    printf '** CONVERTED FROM x.edf using edfapi\n** DATE: x\n1000\t512.1\t384.2\t...\n1001\t513.1\t384.2\t...\n' > e.asc
    fails 2 sprung critical -H 0.1 e.asc
    says 'e.asc: the file is an EyeLink recording'
    # The way out works: two samples a millisecond apart.
    [[ $(grep '^[0-9]' e.asc | sprung critical -H 0.1 -q --no-header --time 1 --time-unit ms -d 0 | wc -l) == 2 ]]
}

@test "the lines of @ above the rows of XVG are copied" {
    rows='0.0 0.5\n10.0 0.7\n20.0 0.9\n'
    for head in '@    title "RMSD"\n@TYPE xy\n' '@    title "RMSD"\n@ view 0.15, 0.15, 0.75, 0.85\n@ s0 legend "a"\n@TYPE xy\n'; do
        printf "$head$rows" > rmsd.xvg
        [ "$(sprung damper -H 10 -d 0 -t 1 rmsd.xvg)" = "$(printf "${head}0.0 0.5\n10.0 0.6\n20.0 0.75")" ]
    done
    printf '@timestamp,x\n1,2\n3,4\n5,5\n' > kibana.csv
    [ "$(sprung damper -H 2 -d 1 -t 1 kibana.csv | head -n 1)" = @timestamp,x,x_vel ]
}
