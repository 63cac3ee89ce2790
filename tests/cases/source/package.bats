#!/usr/bin/env bats
# Installing, the tarball of the source and the Debian package.
load ../common

files()
{
    (cd "$1" && find . -type f | LC_ALL=C sort)
}

# both_debs: makes both packages, once.
both_debs()
{
    needs dpkg-deb
    needs lintian
    debs=$BATS_FILE_TMPDIR
    [[ -e $debs/sprung.deb ]] || make_apart deb DEB="$debs/sprung.deb" DEB_DEV="$debs/dev.deb"
}

@test "make install and make uninstall without root: the program, its pages, completions and samples" {
    make_apart install PREFIX="$PWD/local dir"
    [[ $("local dir/bin/sprung" --version) == "$(sprung --version)" ]]
    for page in sprung.1 sprung-filters.7 sprung-formats.5 sprung-cookbook.7; do
        gzip -dc "local dir/share/man/man${page##*.}/$page.gz" | cmp - "$ROOT/${BUILD:-build}/$page"
    done
    cmp "local dir/share/doc/sprung/examples/springs.c" "$DATA/springs.c"
    cmp "local dir/share/doc/sprung/examples/wave.csv" "$DATA/wave.csv"
    [[ $(find "local dir" -name '*sprung*' -path '*complet*' -type f | wc -l) == 2 ]]
    [[ -s "local dir/share/zsh/site-functions/_sprung" ]]
    cmp "local dir/include/sprung.h" "$ROOT/src/sprung.h"
    [[ -s "local dir/lib/libsprung.a" && -s "local dir/lib/libsprung.so" ]]
    grep -qx "prefix=$PWD/local dir" "local dir/lib/pkgconfig/sprung.pc"
    make_apart uninstall PREFIX="$PWD/local dir"
    [[ -z $(find "local dir" -type f -o -type l) ]]
}

@test "make deb: the files of make install, in the usual places; lintian finds no error" {
    both_debs
    make_apart install-program DESTDIR="$PWD/installed" PREFIX=/usr
    dpkg-deb -x "$debs/sprung.deb" unpacked
    diff <(files installed) <(files unpacked)
    diff -r installed/usr/share unpacked/usr/share
    lintian --allow-root --fail-on error "$debs/sprung.deb"
    # The version is that of the newest release in the change log.
    newest=$(sed -n 's/^## \[\([0-9.]*\)\].*/\1/p' "$ROOT/CHANGELOG.md" | head -n 1)
    [[ $newest =~ ^[0-9]+\.[0-9]+\.[0-9]+$ && $(dpkg-deb -f "$debs/sprung.deb" Version) == "$newest" ]]
    [[ $(unpacked/usr/bin/sprung --version) == "sprung $newest" ]]
    # The same bytes again, and a program that runs the page's examples among the installed samples.
    make_apart deb-program DEB="$PWD/again.deb"
    cmp "$debs/sprung.deb" again.deb
    export PATH=$PWD/unpacked/usr/bin:$PATH
    cd unpacked/usr/share/doc/sprung/examples
    [[ $(command -v sprung > /dev/null; env sprung critical --halflife 0.1 wave.csv | wc -l) == 241 ]]
    dpkg-deb -f "$debs/sprung.deb" Depends | grep -q '^libc6 (>= [0-9.]*), libcjson1 (>= [0-9.]*), libsndfile1 (>= [0-9.]*), zlib1g (>= [0-9a-z.:]*)$'
}

@test "make deb-dev: header, libraries, pkg-config and page; a program builds from them; lintian finds no error" {
    both_debs
    make_apart deb-dev DEB_DEV="$PWD/again.deb"
    cmp "$debs/dev.deb" again.deb
    lintian --allow-root --fail-on error "$debs/dev.deb"
    dpkg-deb -x "$debs/dev.deb" unpacked
    printf '#include <sprung.h>\nint main(void) { return sprung_version()[0] != 52; }\n' > version.c
    ${CC:-cc} -Iunpacked/usr/include version.c unpacked/usr/lib/libsprung.a -lm -o version
    ./version
    grep -qx 'prefix=/usr' unpacked/usr/lib/pkgconfig/sprung.pc
    [[ $(dpkg-deb -f "$debs/dev.deb" Package) == libsprung-dev ]]
}

@test "make dist: a tarball that has every file, and that builds" {
    make_apart dist DIST="$PWD/sprung.tar.gz"
    tar xzf sprung.tar.gz
    [[ $(ls) == *sprung-*.*.* ]]
    cd sprung-*/
    if [[ -e $ROOT/.git ]]; then
        diff <(cd "$ROOT" && git ls-files | LC_ALL=C sort) <(files . | sed 's,^\./,,')
    fi
    while read -r file; do cmp "$file" "$ROOT/$file"; done < <(files .)
    # The build's own objects, older than no file of the tarball: make looks for every source and header, and links.
    cp -a "$BATS_FILE_TMPDIR/build" build
    rm build/sprung
    make -s all > make.txt 2>&1 || { cat make.txt; return 1; }
    build/sprung critical -H 0.1 data/wave.csv | cmp - <(sprung critical -H 0.1 "$DATA/wave.csv")
    make_apart dist DIST="$BATS_TEST_TMPDIR/again.tar.gz"
    cmp ../sprung.tar.gz ../again.tar.gz
    make -s dist DIST="$BATS_TEST_TMPDIR/from_tarball.tar.gz" > /dev/null
    diff <(tar tzf ../sprung.tar.gz) <(tar tzf ../from_tarball.tar.gz | grep -v '/make.txt$')
}

@test "src/README.md names files and folders that are there" {
    local path n=0
    for path in $(grep -oE '`[a-z_]+(/[-a-z_.0-9]+)+' "$ROOT/src/README.md" | tr -d '`'); do
        [[ $path == build/* ]] && continue # made by make
        [[ -e $ROOT/src/$path || -e $ROOT/$path ]] || { echo "not there: $path"; return 1; }
        n=$((n + 1))
    done
    ((n > 20))
    grep -oE '[a-z_]+\.[ch]: [a-z_]+' "$ROOT/src/README.md" | while IFS=': ' read -r path name; do
        grep -rqw "$name" "$ROOT/src" --include "$path" || { echo "not in $path: $name"; return 1; }
    done
}
