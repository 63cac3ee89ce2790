#!/usr/bin/env bats
# Values with units, and the words of other programs.
load ../common
load words

W=$DATA/wave.csv

# hints WORD... -- TEXT: a command line that fails with a hint of that text, and with no hint that replaces files.
hints()
{
    local line=()
    while [[ $1 != -- ]]; do
        line+=("$1")
        shift
    done
    fails 2 sprung "${line[@]}"
    says "$2"
    ! grep -E -- '--in-place( |$)|--force' <<< "$err"
}

@test "a value may carry the unit of its option" {
    same critical -H 20ms "$W" -- critical -H 0.02 "$W"
    same critical -H '20 ms' "$W" -- critical -H 0.02 "$W"
    same critical -H 0.3us "$W" -- critical -H 0.0000003 "$W"
    same critical -H 1e2ms "$W" -- critical -H 0.1 "$W"
    same critical -H 0.5min "$W" -- critical -H 30 "$W"
    same critical -H 2h "$W" -- critical -H 7200 "$W"
    same critical --cutoff 6Hz "$W" -- critical --cutoff 6 "$W"
    same critical --cutoff 0.006kHz "$W" -- critical --cutoff 6 "$W"
    same critical --cutoff 600mHz "$W" -- critical --cutoff 0.6 "$W"
    same critical -H .1 --max-gap 500ms "$W" -- critical -H .1 --max-gap 0.5 "$W"
}

@test "a power of ten in a unit rounds as the number itself does" {
    for digits in 0.3 0.7 1.1 12.3 123.456 33.3; do
        sprung critical -H "${digits}ms" "$W" > unit.txt
        sprung critical -H "${digits}e-3" "$W" | cmp - unit.txt
    done
}

@test "a wrong unit is an error that names the right ones" {
    hints critical --cutoff 20ms "$W" -- 'give a frequency, such as 6, 6Hz or 0.006kHz'
    hints critical -H 6Hz "$W" -- 'give a time, such as 0.1, 0.1s or 100ms'
    hints spring -f 2 -z 0.5s "$W" -- '--damping-ratio: must be a number at least 0: "0.5s"'
    hints spring -k 5s -z 0.5 "$W" -- '--stiffness: must be a number'
    hints critical -H .1 -j 2rows "$W" -- '--jobs: must be a whole number from 1 to 256'
    hints critical -H 5parsec "$W" -- '--halflife: must be a number greater than 0: "5parsec"'
    hints critical -H 5msx "$W" -- 'must be a number'
}

@test "options of other programs: the hint names the option here" {
    while read -r word hint; do
        hints critical -H .1 "--$word" 1 "$W" -- "$hint"
    done << 'LIST'
fps --rate 100
fs --rate 100
sample-rate --rate 100
fc --cutoff 6
order --zero-phase doubles it
overshoot spring -f 2 -z 0.3
bounce spring -f 2 -z 0.3
outliers --despike 6
strength --cutoff 6
window --cutoff 6
alpha --factor 0.1
filtfilt --zero-phase
unit --time-unit
tolerance sprung diff --abs 1e-6
tol sprung diff --abs 1e-6
zeta spring -f 2 -z 0.7
tau --lag 0.1
smooth --cutoff 6
output-format --to csv
LIST
}

# runs_hint: if the hint has a command, it runs on a series; FILE and other names in capitals stand for files.
runs_hint()
{
    local command
    command=$(sed -nE 's/^  hint: ([^:]*: |[^:]* )?(find \.|sprung )/\2/p' err.txt)
    [[ -n $command ]] || return 0
    rm -rf out folder
    mkdir folder
    cp "$W" folder/a.csv
    command=${command//xargs -0 sprung/xargs -0 "$SPRUNG"}
    command=${command//find ./find folder}
    command=${command//FILE/$W}
    command=${command//EXPECTED ACTUAL/$W $W}
    command=${command//NEW.csv/$W}
    command=${command//FOLDER/folder}
    command=${command//DIR/out}
    eval "${command%;*}" < "$W" > out.txt || { echo "does not run: $command"; return 1; }
}

@test "options of version 3: the hint says what to type instead, and its command runs" {
    while IFS='|' read -r command option hint; do
        # shellcheck disable=SC2086
        hints $command $option "$W" -- "$hint"
        runs_hint
    done << 'LIST'
critical -H.1|--then critical|two runs
critical -H.1|--set x:lag=1|two runs
critical -H.1|--join|join the files first
critical -H.1|--files-from f|xargs -0
critical -H.1|--null|xargs -0
critical -H.1|-0|xargs -0
critical -H.1|--parents|--recursive keeps paths
critical -H.1|--max-change 1|sprung diff --abs 40
critical -H.1|--unfilterable copy|not needed
critical -H.1|--plot -|sprung plot
critical -H.1|--zero-phase|butterworth --cutoff
critical -H.1|--forget 3|not needed
critical -H.1|--start-velocity 1|--start X
critical -H.1|--goal-velocity-from x:y|--goal-velocity difference
critical -H.1|--despike-window 9|not needed
critical -H.1|--wrap|not needed
critical|--frequency 1|--halflife, --lag and --cutoff
spring -z.7|--angular-frequency 6.3|--frequency HZ
damper|--decay-rate 7|--halflife 0.099
tracking|--cuts-from f|--cuts 1.5,7
critical -H.1|--comment #|not needed
inspect|--comment #|not needed
critical -H.1|--allow-truncated|not needed
critical -H.1|--length-unit m|--to csv
critical -H.1|--subtype float|not needed
critical -H.1|--precision 6|--decimals 6
critical -H.1|--progress never|not needed
critical -H.1|--color never|NO_COLOR=1
diff|--exact|--rel 0
diff|--time-tolerance 1|--abs time:0.001
diff|--period 6.28|in degrees
diff|--include *.txt|all files of known formats
plot|--unit m|-c chooses columns
plot|--across 2|-c chooses columns
plot|--title a|-c chooses columns
plot|--cut-column cut|-c chooses columns
plot|--plot a.svg|-o FILE.svg
response critical -H.1|--plot a.svg|sprung plot -
response critical -H.1|--impulse|output_vel
response critical -H.1|--ramp|output_vel
response critical -H.1|--size 2|a step to 1
response critical -H.1|--lookahead 2|--zero-phase
help|--format table|--complete WORDS
LIST
}

@test "words that were tried and led nowhere: each has a hint, and its command runs" {
    while read -r word hint; do
        hints butterworth --cutoff 6 "$word" 1 "$W" -- "$hint"
        runs_hint
    done << 'LIST'
--wn --cutoff 6
-N butterworth and critical have order 2
--btype low-pass
--threads --jobs
--limit --max-gap 30rows
-y --output FILE
--icsv --from csv
--usecols --columns
--na-values --missing
--marker --columns
--skiprows --header LINE
--axis not needed
--outdir --output-dir DIR
--cols --columns
--interpolate --gaps linear
--person --group-by COLUMN
--live no option
--dir --recursive FOLDER
--lowpass --cutoff 6 FILE
--index_col --time COLUMN
--freqz --bode
--atol sprung diff
--blend sprung inertialize
--likelihood --mask
--skip-errors --bad-rows skip
--na --missing
LIST
    hints one-euro --min-cutoff 1 --dcutoff 1 "$W" -- --derivative-cutoff
    hints critical -H .1 -b 24 "$W" -- 'not needed'
    hints diff --atol 1 "$W" "$W" -- '--abs 1e-6'
    hints critical -H .1 --gaps interpolate "$W" -- 'must be keep, fill, linear or restart'
    hints critical -H .1 --nonsense "$W" -- 'for all options, add --help'
    hints tracking -H .1 "$W" -- 'position-halflife 0.1; to smooth: sprung critical'
    hints one-euro --predict .1 "$W" -- 'sprung second-order -f 3 -z 0.7 -r 2 FILE;'
    runs_hint
    for word in filtfilt sosfiltfilt wiener hampel ewm rolling lowpass kalman smoothdamp SmoothDamp resample compare \
        gaussian_filter1d pchip convolve bessel decimate stitch clamp jerk envelope fft graph info pid tween crossfade forecast bake gaps; do
        hints "$word" "$W" -- 'hint: '
        [[ $err != *'for all filters'* ]]
        runs_hint
    done
    for word in na_values ffill start-frame joint key-reduce passes max-speed mass Fs ofmt ss glob index_col dest input-file euler-filter; do
        hints butterworth --cutoff 6 "--$word" 1 "$W" -- 'hint: '
        [[ $err != *'for all options'* && $err != *'--mask'* ]]
        runs_hint
    done
    hints highpass "$W" -- 'sprung help highpass'
    hints butterworth highpass --cutoff 6 "$W" -- 'no filter is a high-pass; to subtract a low-pass from the input: sprung help highpass'
    hints version -- 'sprung --version'
    for word in –H –-lag −−lag —halflife; do
        hints critical "$word" 0.1 "$W" -- "there is no file of this name: \"$word\""
        says 'type the - again'
    done
    hints spring -f 2 -zeta 0.5 "$W" -- '-z is the damping ratio'
    hints critical -H 0.1 --fps 60 "$W" -- 'try --rate 100;'
    hints critical -H 0,1 "$W" -- 'numbers have a decimal point: 0.1'
    hints "$W" critical -H 1 -- "sprung inspect $W"
    hints median "$W" -- '--despike 6'
    # Words that are neither files nor options, before anything is written.
    while read -r word line; do
        # shellcheck disable=SC2086
        hints $line "$W" -- "there is no file of this name: \"$word\""
        says 'if it is a value, give it with its option: --c'
    done << 'LIST'
Hz butterworth --cutoff 6 Hz
nosuch butterworth --cutoff 6 nosuch
6 butterworth 6
y critical -H 0.1 --columns x y
z critical -H 0.1 --output-dir o -x x* z
y diff -c x y
.orig critical -H 0.1 --in-place .orig
LIST
    sprung critical -H 0.1 --columns x -q "$W" > out.txt
    cp "$W" in.wav
    hints critical -H 0.1 in.wav out.wav -- 'if the second is the output: -o out.wav'
}

@test "the hint names an option that the filter has" {
    hints butterworth --frequency 6 "$W" -- 'try --cutoff 6 (hertz)'
    hints butterworth -f 6 "$W" -- 'try --cutoff 6 (hertz)'
    hints diff --junit "$W" "$W" -- 'did you mean --report junit?'
    hints damper --freq 6 "$W" -- 'try --cutoff 6 (hertz)'
    hints spring -f 2 --zeta 0.3 "$W" -- '-z is the damping ratio'
    for word in smooth strength window halflife lag frequency fc; do
        hints one-euro "--$word" 1 "$W" -- 'hint: try --min-cutoff 1 (hertz)'
    done
    hints damper --stiffness 1 "$W" -- 'hint: this is an option of spring'
    hints damper --speed 1 "$W" -- 'hint: this is an option of one-euro, velocity'
}

@test "commands in hints about springs run, and have the overshoot that the hint says" {
    for word in overshoot; do
        sprung spring "--$word" 1 "$W" 2> err.txt || true
        spring=$(grep -oE 'spring -[-a-z]+ [0-9.]+ -[-a-z]+ [0-9.]+' err.txt)
        # shellcheck disable=SC2086
        sprung response $spring --summary > "$word.txt"
    done
    awk '$1 == "overshoot" { exit !($2 > 30) }' overshoot.txt
}

@test "--json and --format: the hint names the option that the command has" {
    for word in --json "--format json" --format=json; do
        # shellcheck disable=SC2086
        hints critical -H .1 $word "$W" -- '--to json'
        # shellcheck disable=SC2086
        hints response critical -H .1 $word -- '--to csv'
        # shellcheck disable=SC2086
        hints inspect $word "$W" -- 'did you mean --report json?'
        # shellcheck disable=SC2086
        hints diff $word "$W" "$W" -- 'did you mean --report json?'
    done
    hints plot --json "$W" -- 'unknown option --json'
    [[ $err != *'--to'* ]]
}

@test "filters of other programs: the hint names the filter here" {
    while read -r word hint; do
        hints "$word" "$W" -- "$hint"
    done << 'LIST'
lowpass butterworth --cutoff 6
1euro one-euro
ema damper
smoothdamp critical
kalman one-euro
savgol_filter butterworth --cutoff 6 --zero-phase
stats sprung inspect
lerp damper
fft --bode
limiter --max-velocity
savgol butterworth --cutoff 6 --zero-phase
convert tracking -d 0 --gaps restart FILE -o NEW.json
smooth butterworth --cutoff 6 --zero-phase
filter butterworth --cutoff 6 --zero-phase
LIST
    sprung tracking -d 0 --gaps restart "$W" -o NEW.json
    [ -s NEW.json ]
}

# pasted: a shell runs what the last hint says after "$1", and this works.
pasted()
{
    local example
    example=$(sed -n "s/^  hint: .*$1//p" err.txt)
    [ -n "$example" ]
    (eval "$2 $example") > out.txt || { echo "$2 $example"; return 1; }
    [ -s out.txt ]
}

@test "hints can be pasted where names have blanks and quotes" {
    mkdir 'my takes'
    cp "$W" "my takes/it's one.csv"
    fails 2 sprung "my takes/it's one.csv"
    says "sprung inspect 'my takes/it'\\''s one.csv'"
    pasted 'for it: ' ''
    fails 2 sprung inspect 'my takes'
    says "sprung inspect 'my takes'/*"
    fails 2 sprung critical -H 0.1 "$W" -o 'a b.xyz'
    says 'no such format: "xyz"'
    # Columns: by name, or by position where a list would read the name otherwise.
    printf 'time,the text,"a,b"\n0,1,2\n1,x,2\n2,1,y\n' > in.csv
    fails 2 sprung critical -H 1 in.csv
    says "if this text means a gap: --missing x; to leave the column unchanged: -x 'the text'"
    fails 2 sprung critical -H 1 -x 'the text' in.csv
    says "to leave the column unchanged: -x 3"
    printf '{"t":0,"temp":1}\n{"t":1,"temp":"err"}\n' > in.jsonl
    fails 2 sprung damper -H 1 in.jsonl
    says 'hint: if this text means a gap: --missing err; to leave the column unchanged: -x temp'
    sprung damper -H 1 -d 0 --missing err in.jsonl > out.jsonl
    printf 'time,the marker,x\n0,hip,1\n1,hip,2\n0,toe,3\n1,toe,3\n' > in.csv
    fails 2 sprung critical -H 1 in.csv
    says "(--group-by COLUMN tells series apart)"
    sprung critical -H 1 --group-by 'the marker' in.csv > out.csv
    printf 'Sub Frame,x\n1,0\n3,1\n' > in.csv
    fails 2 sprung critical -H 1 in.csv
    says "also -t 'Sub Frame' --time-unit frames"
    sprung critical -H 1 -t 'Sub Frame' --time-unit frames --rate 10 in.csv > out.csv
    printf '{"a b": [{"c": 1}]}' > in.json
    fails 0 sprung critical -H 1 --rate 10 in.json
    says "--records '/a b'"
    awk 'BEGIN { print "time,the knee"; for (i = 0; i < 200; i++) printf "%.2f,%.3f\n", i / 100, (i * 3.7 + 100.3 + sin(i ^ 3)) % 360 - 180 }' > in.csv
    sprung inspect in.csv | grep -q -- "--angles 'the knee' "
}

@test "without a value of its own: an example that runs on this file; with one: what is missing" {
    for filter in damper critical butterworth double; do
        fails 2 sprung "$filter" "$W"
        example=$(sed -n 's/^  hint: for example //p' err.txt)
        sprung "$filter" $example "$W" > out.txt
        [[ $(wc -l < out.txt) -gt 100 ]]
    done
    fails 2 sprung spring -f 2 "$W"
    says 'spring needs two of --stiffness (or --frequency, --cutoff), --damping (or --halflife), --damping-ratio'
    says 'hint: add --damping-ratio 0.7'
    sprung response spring --cutoff 2 --damping-ratio 0.7 > /dev/null
    # As ts writes rows.
    printf '0.000021 1\n0.100024 2\n0.200031 4\n' | sprung one-euro --min-cutoff 1 --beta 0.01 -t 1 --no-header -d 0 > out.csv
    [ "$(wc -l < out.csv)" = 3 ]
    fails 2 sprung spring -z 0.7 "$W"
    says 'hint: add --frequency 1'
    fails 2 sprung spring -f 1 -z 0.7 -H 1 "$W"
    says 'hint: leave one of them out'
    fails 2 sprung diff -a 1 "$W" "$W"
    says 'hint: try --abs 1e-6'
    hints diff --rotations joint:ZXY "$W" "$W" -- "hint: Euler angles: --angles 'joint_*'; quaternions: --quaternions joint"
    fails 2 sprung response butterworth
    says 'for example --cutoff 6'
}

@test "wrong words of a new user: a folder for inspect, an unknown option for help" {
    mkdir takes
    fails 2 sprung inspect takes
    says 'hint: to look at its files: sprung inspect takes/*;'
    hints inspect --recursive takes -- 'find . -name'
    hints diff -o j.xml "$W" "$W" -- 'hint: the result goes to standard output: add > FILE'
    hints diff --report "$W" "$W" -- 'hint: text is the default: leave the option out'
    hints diff --abs 'x:0.1,y:0.2' "$W" "$W" -- "--abs 'knee*:0.001'"
    hints critical -H 1 --despike --gaps fill "$W" -- 'hint: bridge spikes above K times the usual scatter; try 6'
    hints plot -q "$W" -- 'hint: leave it out'
    sprung plot -c x "$W" 2>&1 > dots.svg | grep -qF 'not a picture: instead of > use -o '
    hints plot --svg "$W" -- 'hint: try -o FILE.svg'
    hints plot "$W" wave.png -- 'to draw into it: -o wave.png'
    hints spring --freq 2 -z 1 "$W" -- 'did you mean --frequency?'
    hints diff --ignore x "$W" "$W" -- 'did you mean --exclude?'
    sprung diff -h | tr -s ' \n' '  ' | grep -q -- '--rel R|LIST:R relative tolerance: 0.005 is 0.5 % of the larger number'
    hints diff --tol 1 "$W" "$W" -- '--abs 1e-6'
    hints help --cutof -- 'try sprung help --cutoff'
    hints help --fps -- '--rate 100'
    hints help butterworth --cutoff -- 'try sprung help --cutoff'
    sprung help -H > letter.txt
    sprung help --halflife | cmp letter.txt
    fails 2 sprung help -Q
    says 'no such filter, command, topic or option: "-Q"'
}

@test "words that readers look up: the hint names the topic, which exists" {
    for word in spikes outliers interpolation; do
        fails 2 sprung help "$word"
        grep -oE 'sprung help [a-z-]+' err.txt > topics.txt
        while read -r _ _ topic; do sprung help "$topic" > help.txt; done < topics.txt
        [ -s help.txt ]
    done
    sprung help live | tr -s ' \n' '  ' > live.txt
    grep -qF 'Rows that arrive together are written together; with --despike' live.txt
    grep -qF 'or --gaps fill without --max-gap writes rows only when the input ends. If a row has an error, the rows before it are written' live.txt
    sprung help gaps | tr -s ' \n' '  ' | grep -qF 'keep, fill and restart suit live input, since no row waits.'
    sprung help update | tr -s ' \n' '  ' | grep -qF 'skip inputs whose output is newer. Only the times of the files count, not changed options: --force filters all again'
    sprung help --summary | tr -s ' \n' '  ' | grep -qF 'With --rate it is half a row shorter than --lag: see sprung help rates'
}
