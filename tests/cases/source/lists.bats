#!/usr/bin/env bats
# Lists that are written by hand name what the program has.
load ../common

# named KIND: the names of all filters or commands.
named()
{
    "$SPRUNG" help --format table | awk -F '\t' -v kind="$1" '$1 == kind { print $2 }'
}

# names_all FILE PATTERN KIND: in FILE the lines that PATTERN picks, with NAME in place of each name, are there for every name.
names_all()
{
    local name
    named "$3" > names
    [[ -s names ]]
    while read -r name; do
        grep -qE -- "${2//NAME/$name}" "$1" || { echo "$1 does not name the $3 $name"; return 1; }
    done < names
}

@test "every filter is in the README's table, the manual, the picture and the comparison with an older program" {
    names_all "$ROOT/README.md" '^\| `NAME` \|' filter
    names_all "$ROOT/man/sprung-filters.7.in" 'NAME' filter
    names_all "$ROOT/Makefile" '^STEPS .* NAME( |$)' filter
    names_all "$ROOT/tests/same.lines" '^filter NAME( |$)' filter
}

@test "every command is in the manual and in the README" {
    names_all "$ROOT/man/sprung.1.in" 'NAME' command
    names_all "$ROOT/README.md" 'NAME' command
}
