#!/usr/bin/env bats
# Records that lack most members of a wide first record: a member that is not there is a gap, like null.
load ../common

# make_sparse FILE KIND: 4,000 records, of which most have no member of the 150 of the first one. Numbers come back after
# filters have come to rest, and before. KIND: layouts of the records.
make_sparse()
{
    python3 - "$@" <<'P'
import json, random, sys
random.seed(5)
members = ["a%d" % i for i in range(150)]
def some(row):
    if row == 0:
        return members
    if 700 < row < 1900 or 2100 < row < 3600:  # blocks without a number, then a few numbers
        return []
    few = random.choice([0] * 30 + [1, 2, 30])
    return sorted(random.sample(members, few), key=members.index) if random.random() < .7 else random.sample(members, few)
rows = []
for row in range(4000):
    numbers = {k: random.choice([None, 0, 7, 12.5, -3]) if row % 9 else 1.5 for k in some(row)}
    if row == 0:
        numbers = {k: None if i % 11 == 5 else i for i, k in enumerate(members)}
    if sys.argv[2] == "nested":
        left = {k: v for k, v in numbers.items() if int(k[1:]) < 75}
        right = {k: None if v is None and row else [v, 2] for k, v in numbers.items() if int(k[1:]) >= 75}
        record = {"left": left, **right} if left else right
    else:
        record = numbers
    if sys.argv[2] == "times":
        record = {"time": (row + row // 3 % 2 - (row % 50 == 1)) * .01, **record}
    rows.append({"key": "kl"[row * row % 7 % 2], **record})
with open(sys.argv[1], "w") as f:
    separators = (",", ":") if sys.argv[2] == "tight" else None
    f.writelines(json.dumps(row, separators=separators) + "\n" for row in rows)
P
}

@test "a member that is not there is a gap, as null is, in a file and in pieces of a pipe" {
    local filter
    for kind in plain tight nested times; do
        rate="--rate 100"
        [ $kind != times ] || rate=
        make_sparse in.jsonl $kind
        sed '1s/^/[/; $!s/$/,/; $s/$/]/' in.jsonl > in.json
        python3 - in.jsonl null.jsonl <<'P'
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
def full(first, row):
    """The record with null for what it lacks."""
    if isinstance(first, dict):
        return {k: full(v, (row or {}).get(k)) for k, v in first.items()}
    if isinstance(first, list):
        return row or [None] * len(first)
    return row
with open(sys.argv[2], "w") as f:
    f.writelines(json.dumps(full(rows[0], row)) + "\n" for row in rows)
P
        case $kind in
        plain) set -- "critical -H .003" "velocity -H .004 --speed 200 --gaps fill -d 0" ;;
        tight) set -- "spring -f 60 -z .9 --group-by key --gaps fill" "damper --method lerp --factor .9 --gaps restart" ;;
        nested) set -- "critical -H .02 --start zero --group-by key" "timed -H .005 --time .2 -d 0 --max-gap 2" ;;
        times) set -- "damper -H .002 --predict .1 --gaps fill" "double -H .002 --max-gap 500rows --group-by key" ;;
        esac
        for filter; do
            sprung $filter $rate -v --to csv null.jsonl > want.csv 2> want
            sprung $filter $rate -v --to csv in.jsonl > got.csv 2> said
            cmp got.csv want.csv
            diff <(grep -o '[0-9]* gaps.*' said) <(grep -o '[0-9]* gaps.*' want)
            sprung $filter $rate -q in.jsonl > want.jsonl
            in_pieces in.jsonl | sprung $filter $rate -q -j 3 --from jsonl - | cmp - want.jsonl
            sprung $filter $rate -q in.json | sed '1s/^\[//; s/,$//; $s/\]$//' | cmp - want.jsonl
        done
    done
}

@test "a fault in a record that lacks members is told as in any record" {
    make_sparse in.jsonl plain
    sed '3500s/.*/{"a7": 1, "a9": 2, "a7": 3}/' in.jsonl > twice.jsonl
    fails 2 sprung critical -H .1 --rate 100 twice.jsonl
    says 'twice.jsonl:3500: at $.a7: this name occurs twice in one object'
    [ "$(wc -l < out.txt)" = 3499 ]
    sed '3500s/.*/{"a3": "x"}/' in.jsonl > text.jsonl
    fails 2 sprung critical -H .1 --rate 100 text.jsonl
    says 'expected a number, found a string'
    [ "$(wc -l < out.txt)" = 3499 ]
}
