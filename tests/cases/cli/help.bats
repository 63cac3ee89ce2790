#!/usr/bin/env bats
# Help, the manual pages and the completions: all there, all true, all checked for writing.
load ../common

# Names of all filters, as the help lists them.
filters()
{
    sprung help | sed -n '/^Filters/,/^$/s/^  \([a-z][a-z-]*\)  .*/\1/p' | tee filters.txt
    [[ $(wc -l < filters.txt) -ge 11 ]] || echo "too-few-filters"
}

# short_options FILE: no option of a help has more than two lines of text.
short_options()
{
    awk '/^  (-[a-zA-Z]|    --)/ { n = substr($0, 29) != "" && substr($0, 28, 1) == " " }
         substr($0, 1, 28) ~ /^ +$/ && ++n > 2 { print FILENAME ": " $0; bad = 1 }
         END { exit bad }' "$1"
}

# generated TEXT: a text of man/ with its lists, as a page.
generated()
{
    awk -f "$ROOT/man/page.awk" "$ROOT/build/options.tsv" "$1"
}

pages="sprung.1 sprung-filters.7 sprung-formats.5 sprung-cookbook.7"

# man_pages COLUMNS: writes each page as text to NAME.txt, and all of them to page.txt.
man_pages()
{
    for page in $pages; do
        generated "$ROOT/man/$page.in" > "$page"
        mandoc -T ascii -O width="$1" "$page" | sed 's/.\x08//g' > "$page.txt"
        cat "$page.txt"
    done > page.txt
}

# help_says OPTION TEXT: sprung help --OPTION has the text, whatever its lines are.
help_says()
{
    sprung help "--$1" | tr -s '\n ' ' ' | grep -qF -- "$2" || { echo "help --$1 does not say: $2"; return 1; }
}

# complete_bash WORD...: what bash offers for the last word.
complete_bash()
{
    ln -sf "$(realpath "$SPRUNG")" sprung
    PATH=$PWD:$PATH bash -c 'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sprung; echo "${COMPREPLY[*]}"' "$ROOT/man/completion.bash" "$@"
}

@test "without arguments: short help on stderr, status 2" {
    fails 2 sprung
    [[ -z $out ]]
    says "usage: sprung FILTER"
    says "tracking"
}

@test "sprung help names every filter with its summary" {
    filters > /dev/null
    options_table | awk -F '\t' '$1 == "filter" { print $2 }' | diff filters.txt -
    sprung help > help.txt
    grep -q '^  tracking  *passes a clean signal' help.txt
    [[ $(sprung --help) == "$(cat help.txt)" ]]
    [[ $(wc -l < help.txt) -le 60 ]]
    narrow help.txt
    for topic in gaps cookbook; do grep -q "^  \(.* \)\?$topic\( \|\$\)" help.txt; done
}

@test "-h is one screen: five command lines to copy, the names of filters and commands" {
    sprung -h > start.txt
    [[ $(wc -l < start.txt) -le 24 && $(grep -cE '^  ([a-z].* )?sprung ' start.txt) == 5 ]]
    narrow start.txt
    for name in $(filters) response diff plot inspect help; do grep -q "[ :]$name\( \|\$\)" start.txt; done
    fails 2 sprung
    [[ $(cat err.txt) == "$(cat start.txt)" ]]
}

@test "--help of each filter: usage, about, its options, then the shared ones; 80 columns" {
    for filter in $(filters); do
        sprung "$filter" --help > help.txt 2> err.txt
        [[ ! -s err.txt ]]
        [[ $(head -n 1 help.txt) == "usage: sprung $filter [OPTION]... [FILE]"* ]]
        for part in "$filter: " "Examples:" "Options of $filter:" "Columns and time:" "Gaps and spikes:" "Reading:" \
            "Output:" "Batches and messages:" "Other:" "A step of T"; do
            grep -n "^$part" help.txt >> order.txt || { echo "$filter: no $part"; return 1; }
        done
        sort -c -n order.txt
        rm order.txt
        narrow help.txt || { echo "$filter"; return 1; }
        [[ $(wc -l < help.txt) -le 210 ]]
        short_options help.txt || { echo "$filter"; return 1; }
        sprung help "$filter" | cmp help.txt
    done
}

@test "help of a command says in which order its words come" {
    [ "$(sprung help response | head -n 1)" = 'usage: sprung response FILTER [OPTION]...' ]
    fails 2 sprung response --step damper -H 1
    says 'response needs a filter, and then its options'
    fails 2 sprung --versoin
    fails 2 sprung -H 1 damper
    says 'give the filter first, then its options'
    [ "$(sprung help diff | head -n 1)" = 'usage: sprung diff [OPTION]... EXPECTED ACTUAL' ]
    [ "$(sprung help plot | head -n 1)" = 'usage: sprung plot [OPTION]... FILE...' ]
}

@test "-h of a filter is one screen: two examples, its own options, the most used ones; 45 lines of 80 columns" {
    for filter in $(filters); do
        sprung "$filter" -h --nonsense no-file > short.txt
        [[ $(wc -l < short.txt) -le 45 ]] || { echo "$filter: $(wc -l < short.txt) lines"; return 1; }
        [[ $(sprung "$filter" --help | wc -l) -le 140 ]] || { echo "$filter --help is too long"; return 1; }
        narrow short.txt || { echo "$filter"; return 1; }
        short_options short.txt || { echo "$filter"; return 1; }
        [[ $(sed -n '/^Examples:/,/^$/p' short.txt | grep -c "sprung $filter ") == 2 ]] || { echo "$filter: not two examples"; return 1; }
        sprung "$filter" --help > long.txt
        # The filter's own options stand in both with the same words, and each common one is in --help, too.
        diff <(sed -n '/^Options of/,/^$/p' long.txt) <(sed -n '/^Options of/,/^$/p' short.txt)
        for name in columns rate gaps output in-place verbose; do
            grep -q -- "--$name\b" short.txt || { echo "$filter: no --$name"; return 1; }
        done
        grep -oE '^  (-[a-zA-Z]|    )?,? ?--[a-z-]+' short.txt > names.txt
        while read -r name; do grep -qF -- "$name" long.txt; done < names.txt
    done
    for command in diff plot response inspect help; do
        sprung $command -h > short.txt
        [[ $(wc -l < short.txt) -le 45 && $(sed -n '/^Examples:/,/^$/p' short.txt | grep -c "sprung $command") -ge 2 ]]
        sprung $command --help > long.txt
        sprung help $command | cmp long.txt
        diff <(sed -n '/^Examples:/,/^$/p' long.txt) <(sed -n '/^Examples:/,/^$/p' short.txt)
    done
}

@test "help, manual and README name one value for --despike; inspect says why it takes a larger one" {
    {
        cat "$ROOT"/man/*.in "$ROOT/README.md"
        for name in $(filters) response plot diff help gaps cuts; do sprung help "$name"; done
    } | grep -oE -- '--despike [0-9]+|-despike Ar? ?[0-9]+|try [0-9]+$' > all.txt || true
    grep -qx -- '--despike 6' all.txt
    [ "$(grep -- despike all.txt | sort -u)" = '--despike 6' ]
    sprung critical -h | grep -q 'usual scatter; try 6$'
    sprung help inspect | tr -s '\n ' ' ' | grep -qF -- '--despike 10 finds them, so noise is not counted'
}

@test "the examples of help run" {
    ln -s "$(realpath "$SPRUNG")" sprung
    sed '1s/x/hip/' "$ROOT/data/step.csv" > take.csv
    mkdir takes
    cp take.csv takes
    for copy in a keys stick sensor pointer tracker expected actual clean; do cp take.csv $copy.csv; done
    sprung critical -H 0.1 take.csv > golden.csv
    sprung -h | grep -E '^  ([a-z].* )?sprung ' | sed 's/^  //' > examples.txt
    for word in $(filters) diff plot response; do sprung help $word; done | sed -n '/^Examples:/,/^$/s/^  //p' >> examples.txt
    # Five of -h, two of each filter, and two of each command.
    [[ $(wc -l < examples.txt) == $((5 + 2 * ($(wc -l < filters.txt) + 3))) ]]
    while read -r example; do
        PATH=$PWD:$PATH bash -c "set -o pipefail; ${example/tail -n +1 -f/cat}" > out.txt 2> err.txt < /dev/null ||
            [[ $example == *plot* && $(cat err.txt) == *gnuplot* ]] || { echo "failed: $example"; cat err.txt; return 1; }
    done < examples.txt
}

@test "help on a topic is a section of a manual page" {
    topics=$(sprung help | sed -n '/^Topics /,/^$/p' | tail -n +2)
    [[ $topics == *zero-phase* && $topics == *resampling* && $topics == *audio* && $topics == *csv* ]]
    [[ $topics == *examples* && $topics == *status* ]]
    [[ $topics == *formats* && $topics == *gaps* && $topics == *columns* && $topics == *time* ]]
    [[ $topics == *rotations* && $topics == *cuts* && $topics == *batch* ]]
    man_pages 400
    for topic in $topics; do
        sprung help $topic > $topic.topic
        [[ $(wc -l < $topic.topic) -ge 6 ]]
        grep -v '^    ' $topic.topic > text.txt
        narrow text.txt || { echo "$topic"; return 1; }
        grep -qE '@[A-Z]|\\\(' $topic.topic && return 1
    done
    python3 - *.topic <<'P'
import re, sys
def words(name): # mandoc breaks lines behind hyphens, too
    text = " ".join(re.sub(r"(?m)^\* ", "o ", open(name).read()).split())
    return re.sub("['`]", "", text.replace("- ", "-"))
page = words("page.txt")
for name in sys.argv[1:]:
    text = words(name)
    for at in range(0, len(text), 60):
        assert text[at:at + 60] in page, (name, text[at:at + 60])
P
    for format in $(options_table | awk -F '\t' '$1 == "format" { print $2 }'); do
        sprung help formats | grep -qw "$format"
        [ "$(sprung help "$format" | wc -l)" -ge 10 ]
    done
    # The topic names each filter that has the option.
    sprung help --predict | sed -n 's/^Option of //p' | tr -d , | tr ' ' '\n' > owners.txt
    for filter in $(cat owners.txt); do sprung help predict | grep -qw -- "$filter" || { echo "$filter"; return 1; }; done
    grep -q butterworth owners.txt
    fails 2 sprung help gap
    says 'no such filter, command, topic or option: "gap"'
    says 'try sprung help gaps'
}

@test "defaults, ranges, choices and units are shown" {
    sprung spring --help > help.txt
    grep -q -- '--gaps keep|fill|linear|restart' help.txt
    grep -q '(default keep)' help.txt
    grep -q -- '-H, --halflife S .*second' help.txt
    sprung help --rate | grep -q '(greater than 0)'
    help_says derivatives '0 adds nothing, 1 velocity, 2 also acceleration; default 2, but 0 with -i or --output-dir'
    sprung help --decimals | grep -q 'from 0 to 17'
}

@test "help of --quaternions names the filters that take rotations" {
    options_table | awk -F '\t' '$1 == "filter" && $NF ~ /rotations/ { print $2 }' > able.txt
    [ "$(wc -l < able.txt)" -ge 5 ]
    for filter in $(cat able.txt); do help_says quaternions "$filter"; done
}

@test "on timed, --time is the filter's, and the time column is -t" {
    sprung timed --help > help.txt
    grep -q '^      --time S' help.txt
    grep -q '^  -t COLUMN' help.txt
    [[ $(grep -c -- '--time COLUMN' help.txt) == 0 ]]
}

@test "a mistyped filter or command: the nearest" {
    fails 2 sprung sprnig
    says 'no such filter or command: "sprnig"'
    says "did you mean spring?"
    fails 2 sprung help dampr
    says "did you mean damper?"
    printf 'time,x\n0,1\n' > ok.csv
    for file in ok.csv missing.csv some/path; do
        fails 2 sprung "$file"
        says "give the filter first, then the files"
        says "sprung inspect $file"
    done
    # A folder of the name does not change what a usual word means.
    mkdir clean
    fails 2 sprung clean ok.csv
    says 'no such filter or command: "clean"'
    says "sprung butterworth"
    fails 2 sprung --rate 60 damper
    says "give the filter first"
    fails 2 sprung help damper spring
    says "one filter, command, topic or option at a time"
}

@test "help on an option: what the option does, for each filter and command that has it" {
    sprung help despike > help.txt
    grep -q '^Option of every filter$' help.txt
    grep -q '^      --despike K ' help.txt
    sprung help --despike | diff help.txt -
    [ "$(grep -c '^Option of ' help.txt)" = 1 ]
    # One name, several meanings: the filters that share a text stand together, and no filter is left out.
    sprung help halflife > help.txt
    grep -q '^Option of damper' help.txt
    sed -n 's/^Option of //p' help.txt | tr -d , | tr ' ' '\n' | sort > owners.txt
    for filter in $(filters); do
        options_table | awk -F '\t' -v f="$filter" '$1 == "option" && $2 == f && $4 == "halflife" { print f; exit }'
    done | sort | diff owners.txt -
    # A topic has the plain name, the option the dashes.
    [[ $(sprung help --gaps) == "Option of every filter"*"--gaps keep|fill|"* ]]
    [[ $(sprung help gaps) != "Option of "* ]]
    sprung help --cut-column > help.txt
    grep -q '^Option of tracking' help.txt
    sprung help --options | grep -q '^      --options FILE  '
    fails 2 sprung help --despikes
}

@test "the version" {
    [[ $(sprung --version) =~ ^sprung\ [0-9]+\.[0-9]+\.[0-9]+$ && $(sprung -V) == "$(sprung --version)" ]]
    for word in damper response diff plot help; do
        [[ $(sprung $word --version) == "$(sprung --version)" && $(sprung $word -V) == "$(sprung --version)" ]]
    done
}

@test "help that cannot be written is an error" {
    for words in "help" "help damper" "damper --help" "--version" "help --complete cri"; do
        got=0
        "$SPRUNG" $words > /dev/full 2> err.txt || got=$?
        [[ $got == 2 ]]
        grep -q 'No space left' err.txt
    done
    got=0
    "$SPRUNG" help >&- 2> err.txt || got=$?
    [[ $got == 2 && -s err.txt ]]
}

@test "the manual pages hold every filter, command and option, and mandoc has nothing to say" {
    man_pages 78
    for page in $pages; do mandoc -Tlint -Wwarning "$page"; done
    for command in response diff plot inspect help; do grep -q "^   $command [[A-Z]" sprung.1.txt; done
    for filter in $(filters); do
        grep -q "^   $filter\$" page.txt
        for option in $(sprung "$filter" --help | grep -oE '^ +(-[a-zA-Z], )?--[a-z0-9-]+' | grep -oE '\-\-[a-z0-9-]+'); do
            grep -q -- "^       \(-[a-zA-Z], \)\?$option\b" page.txt || { echo "no $option"; return 1; }
        done
    done
}

@test "the manual is short: 6,000 words in sprung(1), 13,000 in all pages; it says an option of several filters once" {
    man_pages 78
    echo "words: $(wc -w < sprung.1.txt) of 6,000 in sprung(1), $(wc -w < page.txt) of 13,000 in all: make room in man/*.in"
    [[ $(wc -w < sprung.1.txt) -le 6000 && $(wc -w < page.txt) -le 13000 ]]
    [[ $(grep -c '^       --hold step|' page.txt) == 1 ]]
    grep -q 'As above: --' page.txt
}

@test "an unknown mark in a text of the manual is an error" {
    printf 'x(1) date - summary\n@NONSENSE@\n' > frame.in
    fails 1 generated frame.in
    says 'frame.in:2: unknown mark @NONSENSE@'
}

@test "every example of the manual runs" {
    mkdir bin
    ln -s "$(realpath "$SPRUNG")" bin/sprung
    man_pages 300
    sed -n 's/^ *\$ //p' page.txt > examples.txt
    [[ $(wc -l < examples.txt) -ge 5 ]]
    while read -r example; do
        (cd "$DATA" && PATH=$BATS_TEST_TMPDIR/bin:$PATH bash -c "set -o pipefail; $example") \
            > out.txt 2> err.txt < /dev/null || { echo "failed: $example"; cat err.txt; return 1; }
        # The samples have columns of text and of marks, which a note tells.
        sed -i '/not filtered/d' err.txt
        [[ ! -s err.txt && $(wc -l < out.txt) -ge 5 ]] || { echo "odd: $example"; cat err.txt; return 1; }
    done < examples.txt
}

@test "bash completes filters, options and choices" {
    [[ $(complete_bash sprung seco) == second-order ]]
    [[ $(complete_bash sprung damper --half) == --halflife ]]
    [[ " $(complete_bash sprung damper --gaps '') " == " keep fill linear restart " ]]
    [[ $(complete_bash sprung spring --method e) == "exact euler" ]]
    [[ $(complete_bash sprung timed -H '') == "" ]]
    [[ $(complete_bash sprung damper --to cs) == csv ]]
    [[ $(complete_bash sprung help tr) == 'tracking trc' ]]
    [[ $(complete_bash sprung response crit) == critical ]]
    [[ $(complete_bash sprung response critical --half) == --halflife ]]
    [[ $(complete_bash sprung response critical --b) == --bode ]]
    [[ $(complete_bash sprung response critical --gaps '') != *keep* ]]
    [[ $(complete_bash sprung response spring --method e) == "exact euler" ]]
    bash -n "$ROOT/man/completion.bash"
}

@test "completions are valid zsh and fish" {
    command -v zsh fish > /dev/null || skip "no zsh or no fish here"
    cp "$ROOT/man/completion.fish" sprung.fish
    ln -s "$(realpath "$SPRUNG")" sprung
    PATH=$PWD:$PATH
    zsh -n "$ROOT/man/completion.zsh"
    fish --no-execute sprung.fish
    fish -c 'source sprung.fish; complete -C "sprung damper --gaps k"' | grep -q '^keep'
    fish -c 'source sprung.fish; complete -C "sprung cri"' | grep -q '^critical'
    fish -c 'source sprung.fish; complete -C "sprung response cri"' | grep -q '^critical'
    fish -c 'source sprung.fish; complete -C "sprung response critical --half"' | grep -q '^--halflife'
    fish -c 'source sprung.fish; complete -C "sprung response critical --bo"' | grep -q '^--bode'
    [ -z "$(fish -c 'source sprung.fish; complete -C "sprung response critical --gaps k"' | grep '^keep')" ]
}
