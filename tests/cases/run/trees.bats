#!/usr/bin/env bats
# Folders as inputs (--recursive, --include).
load ../common

# find takes, sorted by bytes, names what --recursive should take.
setup()
{
    cd "$BATS_TEST_TMPDIR"
    mkdir -p takes/ann takes/ben/deep 'takes/b c' other
    n=0
    for file in takes/x.csv takes/ann/x.csv takes/ann/y.tsv.csv takes/ben/deep/x.csv 'takes/b c/z.CSV' takes/ann.csv other/x.csv; do
        n=$((n + 1))
        printf 'time,x\n0,%d\n1,8\n2,8\n' $n > "$file"
    done
    echo notes > takes/readme
    echo notes > takes/ann/notes.doc
    find takes -type f -iname '*.csv' | LC_ALL=C sort > want
}

# below DIR: the files below it, in order.
below()
{
    (cd "$1" && find . -type f | LC_ALL=C sort | cut -c 3-)
}

# same_results FROM TO: each file below TO is what its namesake below FROM gives alone.
same_results()
{
    while IFS= read -r file; do
        job "$1/$file" --decimals input | cmp - "$2/$file" || return 1
    done < <(below "$2")
}

@test "files below a folder, in order; outputs keep the path below it" {
    job --recursive takes --output-dir out -n 2> err.txt | sed 's/ -> .*//' > got
    cmp got want
    for folder in takes takes/ ./takes "$PWD/takes"; do
        rm -rf out
        job --recursive "$folder" --output-dir out 2> err.txt
        [ "$(cat err.txt)" = 'sprung: 6 done, 0 skipped, 0 of 6 files failed' ]
        [ "$(below out)" = "$(sed 's/^takes.//' want)" ]
        same_results takes out
    done
    (cd takes && job --recursive . --output-dir ../dot -q)
    diff -r out dot
    mkdir in && cd in
    job --recursive ../takes ../other/x.csv --output-dir ../pair -q 2> err.txt || status=$?
    [ "$status" = 2 ]
    grep -q 'the output ../pair/x.csv is also the output of ../takes/x.csv' err.txt
    [ ! -e ../pair ]
}

@test "the order does not depend on the order in which files were made; nor do results on --jobs" {
    mkdir many
    for i in 9 3 7 1 5; do mkdir many/$i; for j in 4 8 2; do printf 'time,x\n0,%d\n1,8\n' $j > many/$i/$j.csv; done; done
    job --recursive many --output-dir out -n 2> /dev/null | sed 's/ -> .*//' > got
    find many -type f | LC_ALL=C sort | cmp - got
    echo bad > many/3/bad.csv
    for jobs in 1 4; do
        fails 2 job --recursive many --output-dir out$jobs -j $jobs -v
        cp err.txt err$jobs.txt
        diff -r out1 out$jobs
    done
    cmp err1.txt err4.txt
}

@test "include: names that match one of the globs, and no others" {
    printf 'time,x\n0,1\n1,8\n' | tee takes/a.txt takes/ann/b.dat > takes/ann/c.txt
    job --recursive takes --include '*.txt' --include 'b.*' --output-dir out -q
    [ "$(below out)" = $'a.txt\nann/b.dat\nann/c.txt' ]
    fails 2 job takes/x.csv --include '*.txt' --output-dir out
    says '--include needs --recursive'
    fails 2 job --recursive takes --include '*.txt,b.*' --output-dir empty
    says 'no file matches --include' && says "for several globs repeat it: --include '*.bvh' --include '*.fbx'"
    [[ ! -e empty ]]
}

@test "in place, with backups; --update goes on where a run stopped" {
    cp -r takes before
    job --recursive takes -i.old --decimals 6 -q
    [ "$(find takes -name '*.old' | wc -l)" = 6 ]
    (cd before && while IFS= read -r file; do
        job "takes/$file" --decimals 6 > /dev/null 2>&1 || true
        cmp "$file" "../takes/$file.old" && job "$file" --decimals 6 | cmp - "../takes/$file" || exit 1
    done < <(sed 's/^takes.//' ../want))
    job --recursive before --output-dir out -q
    rm out/ann/x.csv
    touch -d 2030-01-01 before/ben/deep/x.csv
    job --recursive before --output-dir out --update 2> err.txt
    [ "$(cat err.txt)" = 'sprung: 2 done, 4 skipped, 0 of 6 files failed' ]
    same_results before out
}

@test "hidden names, links to folders and the output folder itself are left out; no loop" {
    ln -s .. takes/ann/loop
    ln -s ../other takes/linked
    ln -s ../../other/x.csv takes/ann/link.csv
    mkdir takes/.git
    cp other/x.csv takes/.git/x.csv
    cp other/x.csv takes/._x.csv
    mkfifo takes/pipe.csv
    mkdir takes/folder.csv
    cp other/x.csv takes/folder.csv/in.csv
    job --recursive takes --output-dir takes/out -q
    [ "$(below takes/out)" = "$( (sed 's/^takes.//' want; echo ann/link.csv; echo folder.csv/in.csv) | LC_ALL=C sort)" ]
    cp -r takes/out keep
    job --recursive takes --output-dir takes/out -q --force
    diff -r keep takes/out
    rm -r takes/out
    ln -s takes link
    job --recursive link --output-dir linked -q
    diff -r keep linked
}

@test "a folder that cannot be read is an error of that folder alone" {
    [ "$(id -u)" = 0 ] || skip "only root becomes somebody else"
    chmod 755 . .. && chmod -R a+rX takes
    cp "$SPRUNG" mine && chmod 755 mine
    chmod 700 takes/ben
    mkdir -m 777 out
    fails 2 setpriv --reuid=65534 --clear-groups ./mine damper -H 1 -d 0 --recursive takes --output-dir out
    says 'takes/ben: cannot read the folder: Permission denied'
    says '5 done, 0 skipped, 1 of 6 files failed'
    [ "$(below out)" = "$(grep -v ben want | sed 's/^takes.//')" ]
}

@test "options that do not go together" {
    fails 2 job --recursive takes
    says '--recursive can name several inputs, but there is only one output'
    fails 2 job takes --output-dir out
    says 'to filter them: --recursive'
    fails 2 job --recursive nowhere --output-dir out
    says 'there is no file of this name: "nowhere"'
}

@test "deep folders and many of them" {
    deep=takes
    for i in $(seq 200); do deep=$deep/d$((i % 10)); done
    mkdir -p "$deep"
    cp other/x.csv "$deep/x.csv"
    (ulimit -n 30 && job --recursive takes --output-dir out -q -j 2)
    cmp "out/${deep#takes/}/x.csv" <(job other/x.csv --decimals input)
}

@test "a link to nothing below a folder is named; the other files are done" {
    mkdir linked
    printf 'time,x\n0,1\n' > linked/a.csv
    ln -s nothing linked/b.csv
    ln -s nothing linked/b.unknown
    fails 2 sprung damper -H 1 --recursive linked --output-dir out
    says 'linked/b.csv: cannot open: No such file or directory'
    [ "$(ls out)" = a.csv ]
}
