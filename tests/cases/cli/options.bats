#!/usr/bin/env bats
# The command line as a user types it: spellings, values, order, and what is said when it is wrong.
load ../common
load words

W=$DATA/wave.csv

@test "every way to write a value" {
    same damper -H 0.1 -d 0 "$W" -- damper --halflife=.1 -d0 "$W"
    same damper -H.1 --derivatives 1 "$W" -- damper --halflife 1e-1 --derivatives=1 "$W"
    same second-order -f 2 -z .5 -r -2 "$W" -- second-order -f2 -z.5 --response=-2 "$W"
    same damper -H=1 -d=0 --start -5 -c=x "$W" -o=/dev/stdout -- damper -H 1 -d 0 --start=-5.0 -c x "$W"
    same damper -qH.1 -d0 "$W" -- damper --quiet -d 0 -H 0.1 "$W"
    same damper -H 1 --mask 'x:x<0' --mask='y:y<0' "$W" -- damper -H 1 --mask 'y:y<0' --mask 'x:x<0' "$W"
    [[ $(sprung damper -qh --nonsense) == "$(sprung damper -h)" ]]
}

@test "options stand before or after the file, whatever POSIXLY_CORRECT says" {
    same damper "$W" -H 0.1 -d 0 -- damper -d 0 -H 0.1 "$W"
    POSIXLY_CORRECT=1 same damper "$W" -H 0.1 -d 0 -- damper -d 0 -H 0.1 "$W"
    cp "$W" ./-x.csv
    sprung damper -H 0.1 -- -x.csv | cmp - <(sprung damper -H 0.1 "$W")
    sprung damper -H 0.1 - < "$W" | cmp - <(sprung damper -H 0.1 "$W")
}

@test "of an option given twice the last counts" {
    same damper -H 5 -H 0.1 --gaps restart --gaps fill "$W" -- damper -H 0.1 --gaps fill "$W"
}

@test "unknown options: the nearest; abbreviations are unknown" {
    fails 2 sprung damper --halfife 1 "$W"
    says "unknown option --halfife"
    says "did you mean --halflife?"
    fails 2 sprung damper --half 1 "$W"
    says "did you mean --halflife?"
    fails 2 sprung damper -halflife 1 "$W"
    says "did you mean --halflife?"
    [[ -z $out ]]
    for word in -Q -5 -é; do
        fails 2 sprung damper -H 1 "-q${word#-}" "$W"
        says "unknown option $word"
        [[ -z $out ]]
    done
    fails 2 sprung damper --HALFLIFE 1 "$W"
    says "did you mean --halflife?"
}

@test "missing, surplus and empty values" {
    fails 2 sprung damper "$W" --halflife
    says "--halflife needs a value: greater than 0"
    fails 2 sprung damper "$W" -qH
    says "--halflife needs a value: greater than 0"
    fails 2 sprung damper -H 1 "$W" --time-unit
    says "--time-unit needs a value: s, ms, us, ns, min, h or frames"
    fails 2 sprung damper -H 1 "$W" -c
    says "--columns needs a value: LIST"
    fails 2 sprung damper -H 1 --quiet=yes "$W"
    says "--quiet does not take a value"
    fails 2 sprung damper -H 1 --columns= "$W"
    says "--columns: the value is empty"
}

@test "bad numbers name the option, the range and the value" {
    fails 2 sprung damper -H -1 "$W"
    says '--halflife: must be greater than 0: "-1"'
    for bad in nan inf 0x10 1e400 12abc 1,5 "" " 1" --1 1_000; do
        fails 2 sprung damper --halflife="$bad" "$W"
        says "--halflife: "
    done
    fails 2 sprung damper -H 1 -d 3 "$W"
    says '--derivatives: must be from 0 to 2: "3"'
    fails 2 sprung damper -H 1 -d 1.5 "$W"
    says '--derivatives: must be a whole number from 0 to 2: "1.5"'
    fails 2 sprung damper -H 1 -d 99999999999999999999 "$W"
    says '--derivatives: must be from 0 to 2: "99999999999999999999"'
    fails 2 sprung damper -H 1 --gaps fil "$W"
    says '--gaps: must be keep, fill, linear or restart: "fil"'
    says 'did you mean fill?'
    fails 2 sprung resonance -H 1 --frequencies 1,x "$W"
    says '--frequencies: must be a number greater than 0: "x"'
    fails 2 sprung resonance -H 1 --frequencies 1, "$W"
    says '--frequencies: must be a number greater than 0'
    fails 2 sprung resonance -H 1 --frequencies 1,-1,2 "$W"
    says '--frequencies: must be greater than 0: "-1"'
    for bad in 3:2:5 1:2:1 1:2: 1:2; do
        fails 2 sprung resonance -H 1 --frequencies $bad "$W"
        says '--frequencies: must be LO:HI:N with LO < HI and N from 2 to 100000: "'$bad'"'
    done
}

@test "--time on timed is the filter's, -t the column" {
    fails 2 sprung timed -H 0.1 --time seconds "$W"
    sprung timed -H 0.1 --time 0.5 -t time "$W" > /dev/null
}

@test "numbers on the command line do not follow the locale" {
    LC_ALL=de_DE.UTF-8 same damper -H 0.1 "$W" -- damper -H 1e-1 "$W"
}

@test "LO:HI:N is geometric" {
    sprung resonance -H 1 --frequencies 1:100:3 -c x -d 0 "$W" | head -n 1 | grep -q 'x@1,x@10,x@100$'
}

@test "columns: names, globs, positions, ranges, =NAME and quotes" {
    printf 'time,hip.x,hip.y,3,"a,b",note\n0,1,1,1,1,u\n1,2,2,2,2,v\n' > t.csv
    row() { sprung damper -H 1 -d 0 --header 1 "$@" t.csv | tail -n 1; }
    [[ $(row -c hip.x) == 1,1.5,2,2,2,v ]]
    [[ $(row -c 'hip.*') == 1,1.5,1.5,2,2,v ]]
    [[ $(row -c 2) == 1,1.5,2,2,2,v ]]
    [[ $(row -c 3) == 1,2,1.5,2,2,v ]]
    [[ $(row -c =3) == 1,2,2,1.5,2,v ]]
    [[ $(row -c '"a,b",2-3') == 1,1.5,1.5,2,1.5,v ]]
    [[ $(row -c 4-) == 1,2,2,1.5,1.5,v ]]
    [[ $(row -x 'hip.*') == 1,2,2,1.5,1.5,v ]]
    [[ $(row) == 1,1.5,1.5,1.5,1.5,v ]]
    [[ $(row -c ' 2, hip.y') == 1,1.5,1.5,2,2,v ]]
    # Brackets mean themselves.
    printf 'time,o[0],o[1],o0\n0,1,1,1\n1,2,2,2\n' | sprung damper -H 1 -d 0 -c 'o[*]' | tail -n 1 | grep -qx 1,1.5,1.5,2
}

@test "columns that are not there, are text, or stand twice" {
    fails 2 sprung damper -H 1 -c hipp "$W"
    says '--columns: no column "hipp"'
    says 'columns: "time", "x", "y", "pose", "cut"'
    fails 2 sprung damper -H 1 -c psoe "$W"
    says 'did you mean "pose"?'
    fails 2 sprung damper -H 1 -t LeftLeg "$DATA/walk.bvh"
    says 'did you mean "LeftLeg.Zrotation"? columns:'
    fails 2 sprung damper -H 1 -c pose "$W"
    says 'column "pose": --columns names this column, but its first row holds text'
    fails 2 sprung damper -H 1 -c time "$W"
    says 'column "time": --columns names this column, but it is already the time column'
    fails 2 sprung damper -H 1 -x nothing "$W"
    says '--exclude: no column "nothing"'
    printf 'time,X,X\n0,1,1\n1,2,2\n' > twice.csv
    fails 2 sprung damper -H 1 -c X twice.csv
    says 'several columns are named "X"'
    says "choose by position: 2 is the first"
    [[ $(sprung damper -H 1 -d 0 -c X_2 twice.csv | tail -n 1) == 1,2,1.5 ]]
    [[ $(sprung damper -H 1 -d 0 twice.csv | tail -n 1) == 1,1.5,1.5 ]]
}

@test "control characters in words are escaped in messages" {
    fails 2 sprung damper $'--\e[1m' "$W"
    says 'unknown option --\x1B[1m'
    fails 2 sprung damper $'--\xC2\x9B1m\xC2\xA0' "$W" # U+009B is the same to a terminal
    says 'unknown option --\xC2\x9B1m'$'\xC2\xA0'
    fails 2 sprung damper -H 1 -c $'a\nb' "$W"
    says 'no column "a\nb"'
    printf 'time,\e[1m\n0,1\n' > control.csv
    fails 0 sprung damper -H 1 -v control.csv
    says 'channel "\x1B[1m" (column 2)'
}

@test "ranges: open ends are said and kept" {
    for bad in 0 1 1.1 -1; do
        fails 2 sprung damper --remaining $bad "$DATA/wave.csv"
        says 'greater than 0 and less than 1'
    done
    sprung damper --remaining 0.5 -c x "$DATA/wave.csv" > /dev/null
}

@test "an option of other filters: which ones" {
    fails 2 sprung critical -H 1 --cuts 2 "$DATA/wave.csv"
    says 'unknown option --cuts'
    says 'this is an option of tracking, inertialize'
    fails 2 sprung critical -H 1 -z 1 "$DATA/wave.csv"
    says 'this is an option of spring, second-order'
    fails 2 sprung response one-euro --cutoff 2
    says 'this is an option of damper, critical, spring, butterworth, double'
    fails 2 sprung second-order -f 1 -z 1 -r 0 --hold linear "$DATA/wave.csv"
    says 'this is an option of damper, critical, spring, butterworth, double'
}

@test "--header 1 takes a line of numbers as names, --no-header as a row" {
    printf 'time,1,2\n0,5,6\n0.1,6,7\n' > in.csv
    fails 2 sprung damper -H 1 in.csv
    says 'try --header 1 if line 1 has the names'
    sprung damper -H 1 -d 1 --header 1 in.csv > out.csv
    [ "$(head -n 1 out.csv)" = time,1,2,1_vel,2_vel ]
    [ "$(wc -l < out.csv)" = 3 ]
    for column in '-t time' '-c x' '-c x* -t 2' '-c 1'; do
        fails 2 sprung damper -H 1 $column --no-header in.csv
        ! grep -q -e '--header 1' err.txt
    done
    fails 2 sprung damper -H 1 -c x --from json - <<< '[["time",1],[0,5]]'
    ! grep -q -e '--header 1' err.txt
}

@test "a list of columns shows a name with a comma as it is to be typed" {
    printf 'time,"a,b"\n0,5\n' > in.csv
    fails 2 sprung damper -H 1 -c x in.csv
    says 'columns: "time", "a,b"'
    sprung damper -H 1 -d 0 -c '"a,b"' in.csv | cmp - in.csv
}
