#!/usr/bin/env bats
# How filtered numbers are spelled: a value that does not change keeps its bytes, in every text format; others have
# the decimals of their column where the file is to stay as it was. tracking leaves data without jumps unchanged.
load ../common

setup()
{
    cd "$BATS_TEST_TMPDIR"
}

# back FILE [OPTION...]: tracking gives the same bytes, also in place.
back()
{
    sprung tracking -d 0 "$@" | cmp - "$1"
    cp "$1" "place-$1"
    sprung tracking -i "place-$1" "${@:2}"
    cmp "place-$1" "$1"
}

@test "csv and tsv: numbers as they were typed come back" {
    printf 'time,a,b,c,d,e\r\n0,1.50,+1,1e3,-0,"1.5"\r\n 1 ,"2.0" ,0001,1E+3,.5,5.\n2, 3.10 ,1e-007,-0.0,+.5e0,"  7 "' > a.csv
    back a.csv
    tr , '\t' < a.csv | sed 's/\t/ \t/' > a.tsv
    back a.tsv
    printf 'time;a;b\n0;1,5;-0,0\n1;1,50;1e3\n2;"2,00";+1\n' > comma.csv
    back comma.csv --decimal , --delimiter ';'
    # Digits that a double does not hold are as good as those that it does.
    printf 'time,a\n0,0.1000000000000000055511151231257827\n1,12345678901234567890\n2,4.9e-324\n' > long.csv
    back long.csv
}

@test "derivatives are all that is added" {
    printf 'time,a,b\n0,1.50,+1\n1,2.0,"1e0"\n2,2.50,1\n' > in.csv
    sprung tracking in.csv | cut -d, -f1-3 | cmp - in.csv
    [ "$(sprung tracking in.csv | head -n 1)" = time,a,b,a_vel,a_acc,b_vel,b_acc ]
}

@test "json and jsonl: numbers as they were typed come back" {
    printf '[ {"time":0, "p":[1.50,-0], "q": {"x" : 1E3}},\n {"time":1.0,"p":[ 2.0 , 0.0],"q":{"x":10e+2}} , {"q":{"x":1e-07},"p":[null,1.10],"time":2} ]\n' > a.json
    back a.json
    printf '{"time":[0,1.0,2],"x":[1.50,2E0, -0 ],"p":[[1.0,2],[ 1.10,2.0],[1,2e0]]}' > columns.json
    back columns.json
    printf '{"time":0,"x":1.50}\n{"x":2E0,"time":1}\n{"time": 2 , "x":-0.0}\n' > a.jsonl
    back a.jsonl
    sprung tracking -d 0 --to jsonl a.json | cmp - <(printf '%s\n' '{"time":0, "p":[1.50,-0], "q": {"x" : 1E3}}' \
        '{"time":1.0,"p":[ 2.0 , 0.0],"q":{"x":10e+2}}' '{"q":{"x":1e-07},"p":[null,1.10],"time":2}')
}

# skeleton FRAMES: the header of a BVH file of one joint.
skeleton()
{
    printf 'HIERARCHY\nROOT Hips\n{\n\tOFFSET 0 0 0\n\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n'
    printf '\tEnd Site\n\t{\n\t\tOFFSET 0 1 0\n\t}\n}\nMOTION\nFrames: %d\nFrame Time: 0.01\n' "$1"
}

@test "bvh, trc, sto and mot: numbers as they were typed come back" {
    { skeleton 3; printf '1.50 +1 1e3 -0 -0.00000 0001 \n\t2.0\t.5 5. 1E+0 1e-007 1.0\n1 2 3 -0.0 +.5e0 1\n'; } > a.bvh
    sprung tracking -c '*position' a.bvh | cmp - a.bvh
    printf 'PathFileType\t4\t(X/Y/Z)\ta.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n100\t100\t3\t1\tmm\t100\t1\t3\nFrame#\tTime\tA\t\t\n\t\tX1\tY1\tZ1\n\n1\t0\t1.50\t+1\t1e3\n2\t0.01\t2.0\t.5\t-0\n3\t0.02\t5.\t1E+0\t 0.10\n' > a.trc
    back a.trc
    printf 'a\nversion=1\nnRows=3\nnColumns=4\ninDegrees=no\nendheader\ntime a b c\n0 1.50 +1 1e3\n 0.01   2.0 .5 -0 \n0.02 5. 1E+0 -0.0\n' > a.sto
    back a.sto
    cp a.sto a.mot
    back a.mot
}

@test "what changes is printed, and nothing else, whatever --decimals is" {
    printf 'time,x\n0,2.00\n1,2.000\n2,4.0\n3,2.25\n4,-0.0\n' > in.csv
    half() { sprung damper -H 1 -d 0 "$@" in.csv | cut -d, -f2 | tail -n +2 | tr '\n' ' '; }
    [ "$(half)" = '2.00 2.000 3 2.625 1.3125 ' ]
    [ "$(half --decimals 2)" = '2.00 2.000 3.00 2.62 1.31 ' ]
    # 0 and -0 are one number; a number that only looks alike after rounding is another.
    printf 'time,x\n0,-0\n1,-0.0\n2,0.002\n3,0.001\n' > in.csv
    [ "$(half --decimals 3)" = '-0 -0.0 0.001 0.001 ' ]
    printf 'time,x\n0,1.0\n1,\n2,nan\n3,1.00\n4,NA\n' > in.csv
    [ "$(half)" = '1.0  nan 1.00 NA ' ]
    [ "$(half --gaps fill)" = '1.0 1 1 1.00 1 ' ]
    printf '[{"time":0,"x":1.0},{"time":1,"x":null},{"time":2,"x":1.00}]' > in.json
    [ "$(sprung damper -H 1 -d 0 --gaps fill in.json)" = '[{"time":0,"x":1.0},{"time":1,"x":1},{"time":2,"x":1.00}]' ]
    [ "$(sprung damper -H 1 -d 0 --missing 7.0 --gaps fill <<< $'time,x\n0,6.0\n1,7.0\n2,6.00')" = $'time,x\n0,6.0\n1,6\n2,6.00' ]
}

@test "a resampled row has its own numbers, not the spelling of the row that its cells are from" {
    printf 'time,x\n0,1.50\n1,1.50\n2,2.50\n' > in.csv
    sprung damper --method lerp --factor 1 -d 0 --resample 2 in.csv | cmp - <(printf 'time,x\n0,1.5\n0.5,1.5\n1,1.5\n1.5,2.5\n2,2.5\n')
}

@test "--decimals input: each number as the cell that it replaces, at least 6" {
    printf 'time,a,b,c,d,e\n0,0.5,0,1.12345678,1e-9,0.123456789012345678\n1,1,1,2.00000000,3e-9,1.000000000000000000\n' > in.csv
    # d: an exponent; e: more decimals than can be asked for: neither loses digits.
    sprung damper -H 1 -d 0 --decimals input in.csv | tail -n 1 | grep -qx '1,0.750000,0.500000,1.56172839,2e-09,0.5617283945061728'
    sprung damper -H 1 -d 1 -c a --decimals input in.csv | tail -n 1 | grep -q '^1,0.750000,.*,0\.[0-9]\{12,17\}'
    printf 'time;x\n0;"0,12345678"\n1;"1,00000000"\n' | sprung damper -H 1 -d 0 --decimals input --decimal , --delimiter ';' | tail -n 1 | grep -qx '1;"0,56172839"'
    printf '[{"time":0,"x":-0.12345678,"y":1e0},{"time":1,"x":1,"y":3}]' | sprung damper -H 1 -d 0 --decimals input |
        cmp - <(printf '[{"time":0,"x":-0.12345678,"y":1e0},{"time":1,"x":0.438272,"y":2.000000}]')
    printf '{"time":[0,1],"x":[0.5,1]}' | sprung damper -H 1 -d 0 --decimals input | cmp - <(printf '{"time":[0,1],"x":[0.5,0.750000]}')
    fails 2 sprung damper -H 1 --decimals all in.csv
    says '--decimals: must be a whole number from 0 to 17 or input: "all"'
    fails 2 sprung damper -H 1 --decimals 18 in.csv
}

@test "digits of the input: the default in place, in --output-dir and in motion formats, unless others are given" {
    printf 'time,x\n0,0.5\n1,1\n2,1\n' > in.csv
    last() { cp in.csv x.csv; sprung damper -H 1 -i "$@" x.csv; tail -n 1 x.csv; }
    [ "$(last)" = 2,0.875000 ]
    [ "$(last --decimals 2)" = 2,0.88 ]
    for options in "" "--decimals 2" "--derivatives 1"; do
        last $options
        sprung damper -H 1 --output-dir out $options in.csv --force
        cmp x.csv out/in.csv
    done
    sprung damper -H 1 --output-dir out --to json in.csv
    grep -q '"x": 0.875}' out/in.json
    printf 'a\nnRows=2\nnColumns=3\nendheader\ntime x y\n0 1.00000000 1\n1 2 2\n' > in.sto
    [ "$(sprung damper -H 1 in.sto | tail -n 1)" = '1 1.500000 1.500000' ]
    mkdir dir
    sprung damper -H 1 in.sto --output-dir dir
    sprung damper -H 1 in.sto | cmp - dir/in.sto
    [ "$(sprung damper -H 1 in.sto --to csv -d 0 | tail -n 1)" = 1,1.5,1.5 ]
    { skeleton 2; printf '0.5 0 0.00000000 1e0 0 -0.5\n1 1 1 3 1 0.5\n'; } | sprung damper -H 0.01 --rotations none | tail -n 1 |
        cmp - <(echo 0.750000 0.500000 0.500000 2.000000 0.500000 0.000000)
    skeleton 0 > empty.bvh
    sprung damper -H 1 empty.bvh | cmp - empty.bvh
}

@test "points of --resample have the decimals of the cell of the row before" {
    printf 'time,x\n0,0.5\n1,0.12345678\n2,0.5\n' > in.csv
    sprung damper --method lerp --factor 1 -d 0 --resample 2 --decimals input in.csv | cut -d, -f2 | tr '\n' ' ' > got
    [ "$(cat got)" = 'x 0.500000 0.123457 0.12345678 0.50000000 0.500000 ' ]
}

@test "a bvh file of six decimals grows by less than 15 percent" {
    awk '/^Frame Time/ { print; motion = 1; next } motion { for (i = 1; i <= NF; i++) printf "%.6f ", $i; print ""; next } 1' \
        "$DATA/walk.bvh" > six.bvh
    cp six.bvh calm.bvh
    sprung critical -H 0.05 -i calm.bvh
    ! cmp -s six.bvh calm.bvh
    (($(stat -c %s calm.bvh) * 100 <= $(stat -c %s six.bvh) * 115))
    sprung critical -H 0.05 six.bvh | cmp - calm.bvh
}

@test "real files of other programs come back byte for byte" {
    real=$ROOT/../shared/data
    [[ -r $real/walk01_rot.csv ]] || skip "no such files"
    for file in walk01_rot.csv motive_take.csv one_euro_ground_truth.csv; do
        sprung tracking -d 0 "$real/$file" | cmp - "$real/$file"
    done
    sed 's/^nRows=250/nRows=88/' "$real/inverse_kin.mot" > in.mot
    sprung tracking -d 0 in.mot | cmp - in.mot
}
