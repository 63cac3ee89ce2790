#!/usr/bin/env bats
# Lists that are written by hand name what the program has.
load ../common

# named KIND: the names of what the program has of a kind: filter, command, format, option of filters, shared option, or
# way of --gaps.
named()
{
    options_table | awk -F '\t' -v kind="$1" '
        kind == "option of filters" && $1 == "option" && $3 == "Filter" { print $4 }
        kind == "shared option" && $1 == "option" && $3 != "Filter" { print $4 }
        kind == "way of --gaps" && $1 == "option" && $4 == "gaps" { print $8 }
        $1 == kind { print $2 }' | tr ' ' '\n' | LC_ALL=C sort -u
}

# names_all FILES PATTERN KIND: in FILES a line fits PATTERN, with NAME in place of the name, for every name of the kind; else
# $missing is set.
names_all()
{
    local name
    named "$3" > names
    [[ -s names ]]
    while read -r name; do
        # shellcheck disable=SC2086
        grep -qE -- "${2//NAME/$name}" "$ROOT"/$1 || { echo "$1 lacks the $3 $name: no line fits ${2//NAME/$name}"; missing=yes; }
    done < names
}

@test "every filter is in the README's table, the manual, the settings that tests use, and the test of equations" {
    names_all README.md '^\| `NAME` \|' filter
    names_all man/sprung-filters.7.in '\<NAME\>' filter
    names_all tests/filters '^NAME( |$)' filter
    names_all tests/cases/springs/own_code.bats '\<NAME\>' filter
    names_all tests/cases/tools/library.c '"NAME[" ]' filter
    [[ -z $missing ]]
}

@test "every command is in the manual and in the README" {
    names_all man/sprung.1.in 'NAME' command
    names_all README.md 'NAME' command
    [[ -z $missing ]]
}

@test "every option that only filters have is drawn by a law, and every shared option has a case" {
    names_all tests/laws/command_lines.py '"--NAME"' 'option of filters'
    names_all 'tests/cases/*/*.bats' '--NAME([^a-z-]|$)' 'shared option'
    [[ -z $missing ]]
}

@test "every way of --gaps is in its help and in the manual" {
    names_all src/cli/option_tables.c '[ "]NAME[:,]' 'way of --gaps'
    names_all man/sprung-filters.7.in '(--gaps |and )NAME |; NAME[, ]' 'way of --gaps'
    [[ -z $missing ]]
}

@test "every format has a harness for fuzzing, a law writes it, and help has its name" {
    names_all man/sprung-formats.5.in '^## .*[{ ]NAME[ }]' format
    names_all man/sprung-formats.5.in '^    (.* )?NAME([ ,]|$)' format
    names_all 'tests/fuzz/*.c' '"NAME"' format
    names_all tests/laws/forms.py '^(TEXT|KINDS|MOTION|STORED|UNWRITTEN) = .*"NAME"' format
    [[ -z $missing ]]
}
