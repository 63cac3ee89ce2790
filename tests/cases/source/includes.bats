#!/usr/bin/env bats
# tests/includes, which checks who may include whom in src: wrong includes in a small copy of the tree are found.
load ../common

setup()
{
    cd "$BATS_TEST_TMPDIR"
    mkdir -p src/{number,base,io,springs,whole/kinds,rows,formats/{csv,json,audio,motion,binary,gltf,fbx},series/{clean,held},compare,view,library,run,cli/commands}
    echo 'const struct filter filter_one = { 0 }; /* X(filter_one) */' > src/springs/list.c
    echo 'const struct format format_one = { 0 }; /* X(format_one) */' > src/formats/list.c
    touch src/{number/read,base/error,rows/block,series/series,cli/options}.h
    printf '#include "rows/block.h"\n#include <stdio.h>\n#  include "series/series.h"\n' > src/series/series.c
    printf '#include "cli/options.h"\n' > src/main.c
}

# refused TEXT: tests/includes prints this line alone, and fails.
refused()
{
    fails 1 "$ROOT/tests/includes" src
    [[ $out == "$1" ]] || { echo "wanted: $1"; echo "got: $out"; return 1; }
}

@test "includes: a tree that keeps the order passes" {
    fails 0 "$ROOT/tests/includes" src
    [ -z "$out$err" ]
}

@test "includes: a header of a later folder, of no folder, or named without its folder" {
    echo '#include "series/series.h"' > src/rows/block.c
    refused "rows/block.c:1: rows may not include series"
    rm src/rows/block.c
    printf '\n # include "cli/options.h"\n' >> src/base/error.h
    refused "base/error.h:2: base may not include cli"
    : > src/base/error.h
    echo '#include "read.h"' > src/number/read.c
    fails 1 "$ROOT/tests/includes" src
    [[ $out == *"number/read.c:1: read.h is not named from src"* ]]
    rm src/number/read.c
    mkdir src/extra
    touch src/extra/more.h
    refused "extra/more.h: its folder is not in the order"
    echo '#include "extra/more.h"' > src/cli/options.c
    fails 1 "$ROOT/tests/includes" src
    [[ $out == *"cli/options.c:1: cli may not include extra"* ]]
}

@test "includes: formats do not include each other" {
    touch src/formats/{csv,json}/format.h
    echo '#include "formats/csv/format.h"' > src/formats/json/format.c
    refused "formats/json/format.c:1: formats/json and formats/csv may not include each other"
}

@test "includes: too many files in a folder or at the top" {
    touch src/io/{1..20}.c src/{2,3}.c
    fails 0 "$ROOT/tests/includes" src
    touch src/io/21.c
    refused "io: 21 source files"
    rm src/io/21.c
    touch src/4.c
    refused ".: 4 source files"
}

@test "includes: libraries belong to one file each" {
    echo '#include <sndfile.h>' > src/formats/audio/library.c
    echo '#include <cjson/cJSON.h>' > src/base/json_out.c
    echo '#include <pthread.h>' > src/base/pool.c
    echo '#include <getopt.h>' > src/cli/options.c
    fails 0 "$ROOT/tests/includes" src
    echo '#include <pthread.h>' > src/base/error.c
    refused "base/error.c: 1:#include <pthread.h>"
    echo '#include <cjson/cJSON.h>' > src/base/error.c
    refused "base/error.c: 1:#include <cjson/cJSON.h>"
}

@test "includes: a filter is in the list once, and named in its folder alone" {
    echo 'const struct filter filter_two = { 0 };' > src/springs/two.c
    refused "springs/list.c: filter_two is not there once"
    echo '/* X(filter_two) */' >> src/springs/list.c
    fails 0 "$ROOT/tests/includes" src
    echo 'extern const struct filter filter_two;' > src/run/job.c
    refused "run/job.c: names filter_two"
}

@test "src/README.md names files and folders that are there" {
    local path n=0
    for path in $(grep -oE '`[a-z_]+(/[-a-z_.0-9]+)+' "$ROOT/src/README.md" | tr -d '`'); do
        [[ -e $ROOT/src/$path || -e $ROOT/$path ]] || { echo "not there: $path"; return 1; }
        n=$((n + 1))
    done
    ((n > 20))
}
