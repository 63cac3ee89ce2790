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
    command=${command//-exec sprung/-exec "$SPRUNG"}
    command=${command//find ./find folder}
    command=${command//FILE/$W}
    command=${command//EXPECTED ACTUAL/$W $W}
    command=${command//NEW.csv/$W}
    command=${command//FOLDER/folder}
    command=${command//DIR/out}
    command=${command%% (*}
    eval "${command%;*}" < "$W" > out.txt || { echo "does not run: $command"; return 1; }
}

# try_words: tries every word of src/cli/synonyms.c; of each hint it prints a command line that leads to it, a tab, and the hint.
try_words()
{
    python3 - "$ROOT/src/cli/synonyms.c" <(options_table) "$SPRUNG" "$W" << 'P'
import re, subprocess, sys
table = open(sys.argv[1]).read().split("synonyms[] = {")[1].split("\n};")[0]
options = [line.split("\t") for line in open(sys.argv[2]) if line.startswith("option")]
owner = {o[3]: o[1] for o in reversed(options) if o[2] == "Filter"}
taken = {name for o in options if o[1] == "butterworth" for name in o[3:5]}
commands = {"RESPONSE": "response critical -H.1", "diff": "diff", "plot": "plot", "inspect": "inspect", "report": "inspect",
            "rate": "inspect"}
for words, where, hint in re.findall(r'\{ ((?:"[^"]*"\s*)+), "?([\w -]+)"?,\s*"((?:[^"\\]|\\.)*)" \}', table):
    for word in words.replace('"', " ").split():
        option = ("-" if len(word) == 1 else "--") + word
        command = commands.get(where) or owner.get(where, "butterworth")
        if where == "ANYWHERE" and word in taken:
            command = "inspect"
        line = word if where == "FIRST_WORD" else "help " + option if where == "HELP" else command + " %s 1" % option
        done = subprocess.run([sys.argv[3], *line.split(), sys.argv[4]], capture_output=True, text=True)
        assert done.returncode == 2 and hint in done.stderr, (line, hint, done.stderr)
    print(line, hint, sep="\t")
P
}

@test "each word of other programs and of version 3 has its hint, whose command runs" {
    try_words > lines.txt
    [ "$(wc -l < lines.txt)" -gt 80 ]
    while IFS=$'\t' read -r line hint; do
        # shellcheck disable=SC2086
        hints $line "$W" -- "$hint"
        runs_hint
    done < lines.txt
}

@test "words that are tried first: the hint has what this program has for them" {
    while read -r word hint; do
        hints butterworth --cutoff 6 "--$word" 1 "$W" -- "$hint"
    done << 'LIST'
fps --rate 100
order --zero-phase doubles it
outliers --despike 6
strength --cutoff 6
alpha --factor 0.1
filtfilt --zero-phase
padlen not needed
btype sprung help highpass
tolerance sprung diff --abs 1e-6
zeta spring -f 2 -z 0.7
tau --lag 0.1
output-format --to csv
wn --cutoff 6
limit --max-gap 30rows
usecols --columns
na-values --missing
na_values --missing
skiprows --header LINE
interpolate --gaps linear
person --group-by COLUMN
live no option
likelihood --mask
LIST
    while read -r word hint; do
        hints "$word" "$W" -- "$hint"
    done << 'LIST'
lowpass butterworth --cutoff 6
highpass sprung help highpass
ema damper
ewm damper
rolling damper
median --despike 6
smoothdamp critical
kalman one-euro
filtfilt butterworth --cutoff 6 --zero-phase
stats sprung inspect
convert tracking -d 0 --gaps restart FILE -o NEW.json
LIST
    hints version -- 'sprung --version'
    sprung tracking -d 0 --gaps restart "$W" -o NEW.json
    [ -s NEW.json ]
}

@test "words that led nowhere: each has a hint" {
    hints critical -H .1 --gaps interpolate "$W" -- 'must be keep, fill, linear or restart'
    hints critical -H .1 --nonsense "$W" -- 'for all options, add --help'
    hints tracking -H .1 "$W" -- 'position-halflife 0.1; to smooth: sprung critical'
    hints one-euro --predict .1 "$W" -- 'sprung second-order -f 3 -z 0.7 -r 2 FILE;'
    runs_hint
    for word in –H –-lag −−lag —halflife; do
        hints critical "$word" 0.1 "$W" -- "there is no file of this name: \"$word\""
        says 'type the - again'
    done
    hints spring -f 2 -zeta 0.5 "$W" -- '-z is the damping ratio'
    hints critical -H 0,1 "$W" -- 'numbers have a decimal point: 0.1'
    hints "$W" critical -H 1 -- "sprung inspect $W"
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
    hints butterworth -f 6 "$W" -- 'try --cutoff 6 (hertz)'
    hints one-euro --frequency 1 "$W" -- 'hint: try --min-cutoff 1 (hertz)'
    hints damper --stiffness 1 "$W" -- 'hint: this is an option of spring'
    hints damper --speed 1 "$W" -- 'hint: this is an option of one-euro, velocity'
}

@test "the spring in the hint about overshoot has what the hint says" {
    sprung spring --overshoot 1 "$W" 2> err.txt || true
    # shellcheck disable=SC2046
    sprung response $(grep -oE 'spring -f [0-9.]+ -z [0-9.]+' err.txt) --summary | awk '$1 == "overshoot" { exit !($2 > 30) }'
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
    says "find 'my takes' -type f -exec sprung inspect {} +"
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
    says 'hint: to look at its files: find takes -type f -exec sprung inspect {} +;'
    hints diff --report "$W" "$W" -- 'hint: text is the default: leave the option out'
    hints diff --abs 'x:0.1,y:0.2' "$W" "$W" -- "--abs 'knee*:0.001'"
    hints critical -H 1 --despike --gaps fill "$W" -- 'hint: bridge spikes above K times the usual scatter; try 6'
    hints plot -q "$W" -- 'hint: leave it out'
    sprung plot -c x "$W" 2>&1 > dots.svg | grep -qF 'not a picture: instead of > use -o '
    hints plot "$W" wave.png -- 'to draw into it: -o wave.png'
    sprung diff -h | tr -s ' \n' '  ' | grep -q -- '--rel R|LIST:R relative tolerance: 0.005 is 0.5 % of the larger number'
    hints help --cutof -- 'try sprung help --cutoff'
    hints help butterworth --cutoff -- 'try sprung help --cutoff'
    sprung help -H > letter.txt
    sprung help --halflife | cmp letter.txt
    fails 2 sprung help -Q
    says 'no such filter, command, topic or option: "-Q"'
}
