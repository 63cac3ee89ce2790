#!/usr/bin/env bats
# .npy: arrays are made and read by tools/npy.py, which knows nothing of sprung and needs no NumPy.
load ../common

types="<f4 <f8"
still="tracking -q --rate 60"

npy()
{
    python3 "$TOOLS/npy.py" "$@"
}

# refuses TEXT HINT: a.npy is refused with this message, from a file and from a pipe.
refuses()
{
    fails 2 sprung $still a.npy -o out.npy
    says "sprung: a.npy: $1"
    says "hint: $2"
    [ ! -e out.npy ]
    fails 2 sprung $still --to csv < a.npy
    says "sprung: (standard input): $1"
    says "hint: $2"
}

@test "npy: numbers of both types are those that another program reads, and untouched ones stay byte for byte" {
    for type in $types; do
        for shape in 70,3 70, 1,2; do
            npy make a.npy "$type" $shape
            npy csv a.npy > want.csv
            sprung $still -d 0 --to csv a.npy | sprung diff -q --rel 0 want.csv -
            sprung $still a.npy | cmp - a.npy
            sprung $still < a.npy | cat | cmp - a.npy
        done
    done
}

@test "npy: with a decimal comma numbers that pass through have it in CSV, too, and are numbers in JSON" {
    npy make a.npy "<f8" 70,3
    sprung $still -d 0 -c 2 --to csv a.npy > want.csv
    sprung $still -d 0 -c 2 --to csv --decimal , a.npy > out.csv
    sprung diff -q --rel 0 want.csv <(sed 's/"\([^",]*\),\([^"]*\)"/\1.\2/g' out.csv)
    [ "$(grep -c '[0-9][.]' out.csv)" = 0 ]
    sprung $still -d 0 -c 2 --to json a.npy > want.json
    sprung $still -d 0 -c 2 --to json --decimal , a.npy | cmp - want.json
}

@test "npy: filtered numbers are those of CSV, as near as their type holds them" {
    for type in $types; do
        npy make a.npy "$type" 70,3
        npy csv a.npy > a.csv
        sprung damper -q -H 0.05 -d 0 --rate 60 a.csv > want.csv
        sprung damper -q -H 0.05 --rate 60 a.npy -o b.npy
        npy csv b.npy > got.csv
        sprung diff -q --abs 1e-5 want.csv got.csv
        [ "$(npy head b.npy)" = "$(npy head a.npy)" ]
    done
}

@test "npy: --group-by tells the numbers of a column apart, as in CSV" {
    for type in $types; do
        npy make a.npy "$type" 6,3 values=0,1,50,0,2,60,1,1,70,2,2,90,2,1,30,3,2,20
        npy csv a.npy > a.csv
        sprung critical -H 1 --group-by 2 --rate 10 --no-header a.csv > want.csv
        sprung critical -H 1 --group-by 2 --rate 10 --to csv a.npy | sprung diff -q --rel 0 want.csv -
        sprung critical -H 1 --group-by 2 -t 1 --no-header a.csv > want.csv
        sprung critical -H 1 --group-by 2 -t 1 --to csv a.npy | sprung diff -q --rel 0 want.csv -
    done
}

@test "npy: headers of every version are kept" {
    for version in 1 2 3; do
        npy make a.npy "<f4" 3,2 version=$version
        sprung $still a.npy | cmp - a.npy
        sprung damper -q -H 1 --rate 60 a.npy > b.npy
        [ "$(npy head b.npy)" = "$(npy head a.npy)" ]
    done
    npy make a.npy "<f4" 3,2 "header=  { 'fortran_order':False,'shape':( 3,2),  'descr':'<f4',}  "
    sprung $still a.npy | cmp - a.npy
}

@test "npy: a header that is no such dictionary is refused" {
    for header in "" "[]" "{'descr': '<f4', 'fortran_order': False}" "{'descr': '<f4', 'fortran_order': False, 'shape': 3}" \
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-3,)}" "{'descr': '<f4', 'fortran_order': False, 'shape': (3" \
        "__import__('os').system('touch evaluated')"; do
        npy make a.npy "<f4" 3, "header=${header:- }"
        fails 2 sprung $still a.npy
        says "a.npy: the header is not a dictionary of descr, fortran_order and shape"
    done
    [ ! -e evaluated ]
}

@test "npy: other types and shapes are refused, with what to type in Python" {
    only="only arrays of little-endian float32 or float64 in C order can be read, of one or two dimensions"
    any="in Python: numpy.save(FILE, numpy.ascontiguousarray(a, '<f8').reshape(len(a), -1))"
    for descr in "'>f8'" "'<i2'" "'<f2'" "'<U8'"; do
        npy make a.npy "<f8" 3,2 "header={'descr': $descr, 'fortran_order': False, 'shape': (3, 2), }"
        refuses "$only: \"{'descr': $descr" "$any"
    done
    npy make a.npy "<f8" 3,2 "header={'descr': [('x', '<f8'), ('y', '<f8')], 'fortran_order': False, 'shape': (3, 2), }"
    refuses "$only" "in Python: numpy.save(FILE, numpy.lib.recfunctions.structured_to_unstructured(a, '<f8'))"
    npy make a.npy "<f8" 3,2 "header={'descr': '<f8', 'fortran_order': True, 'shape': (3, 2), }"
    refuses "$only" "$any"
    npy make a.npy "<f8" 3,2,2
    refuses "$only" "$any"
    npy make a.npy "<f8" "" values=1
    refuses "$only" "$any"
    npy make a.npy "<f8" 1,70000
    refuses "the array has 70000 columns, but 1 to 65536 can be read" "if its rows are the channels, in Python: numpy.save(FILE, a.T.copy())"
    npy make a.npy "<f8" 4,0
    fails 2 sprung $still a.npy
    says "a.npy: the array has 0 columns"
    { printf '\x93NUMPY\x04\x00'; head -c 100 /dev/zero; } > a.npy
    fails 2 sprung $still a.npy
    says "the header is not a dictionary of descr, fortran_order and shape"
    echo 1,2,3,4,5,6 > a.npy
    fails 2 sprung $still a.npy
    says "this is not an npy file: it does not begin with"
}

@test "npy: of an array that was cut the rows that are there are read, with a warning; more bytes are an error" {
    npy make whole.npy "<f8" 20,3
    head -c -30 whole.npy > a.npy
    fails 0 sprung tracking --rate 60 a.npy -o b.npy
    says "a.npy: warning: truncated: 20 rows expected, 18 found"
    [[ $(npy head b.npy) == *"'shape': (18, 3)"* ]]
    sprung $still < a.npy | cmp - b.npy
    sprung $still --to csv whole.npy | head -n 18 > want.csv
    sprung $still --to csv b.npy | cmp - want.csv
    cat whole.npy whole.npy > a.npy
    fails 2 sprung $still a.npy
    says "more bytes follow the 20 rows of the array"
    for n in 1 7 9 60; do
        head -c $n whole.npy > a.npy
        fails 2 sprung $still --from npy - < a.npy
        ((n < 6)) || says "the file ends inside its header, after $n byte"
    done
    : > a.npy
    fails 2 sprung $still a.npy
    says "a.npy: the file is empty"
}

@test "npy: an array without rows passes" {
    for shape in 0,3 0,; do
        npy make a.npy "<f8" $shape
        sprung $still a.npy | cmp - a.npy
        sprung $still < a.npy | cmp - a.npy
        [ -z "$(sprung $still --to csv a.npy)" ]
    done
}

@test "npy: gaps and infinite numbers" {
    npy make a.npy "<f8" 4,2 values=1,2,nan,3,2,4,5,6
    [ "$(sprung damper -q -H 1 --rate 60 -d 0 --to csv a.npy | sed -n 2p | cut -d, -f1)" = "" ]
    sprung damper -q -H 1 --rate 60 a.npy -o b.npy
    [[ $(npy csv b.npy | sed -n 2p) == ,2.* ]]
    sprung $still --gaps linear a.npy -o b.npy
    [ "$(npy csv b.npy | sed -n 2p)" = 1.5,3.0 ]
    npy make a.npy "<f4" 3, values=1,inf,2
    fails 2 sprung $still a.npy
    says 'a.npy: column "1": row 2: the sample is infinite'
    npy make a.npy "<f4" 5, values=-3e38,3e38,3e38,3e38,3e38
    fails 2 sprung spring -q -f 1 -z 0.01 --rate 4 a.npy -o b.npy
    says 'a.npy: column "1": row 3: '
    says 'does not fit into a sample of 32 bits'
    says 'hint: use --to csv'
}

@test "npy: CSV becomes an array of the columns that CSV would have, to a file and to a pipe" {
    cut -d, -f1-3 "$DATA/wave.csv" > wave.csv
    for more in "-d 0" "-d 2" "-d 1 --resample 100" "-d 0 --jobs 2"; do
        sprung critical -q -H 0.1 $more wave.csv | tail -n +2 > want.csv
        sprung critical -q -H 0.1 $more wave.csv -o a.npy
        npy csv a.npy | sprung diff -q --abs 0 --no-header want.csv -
        sprung critical -q -H 0.1 $more --to npy < wave.csv | cat | cmp - a.npy
        sprung critical -q -H 0.1 $more --to npy wave.csv > b.npy
        cmp a.npy b.npy
    done
    sprung critical -q -H 0.1 wave.csv -o a.npy
    [ "$(npy head a.npy)" = "1 {'descr': '<f8', 'fortran_order': False, 'shape': (240, 3)} 128" ]
    # the times of column 1 come back with the array
    sprung tracking -q --gaps restart --time 1 --to csv -d 0 a.npy > got.csv
    sprung critical -q -H 0.1 -d 0 wave.csv | tail -n +2 | sprung diff -q --no-header --rel 0 - got.csv
    fails 2 sprung critical -q -H 0.1 "$DATA/wave.csv" -o a.npy
    says 'wave.csv: column "pose": npy holds numbers, but this column is text'
    says 'hint: use --to csv, or take the column out first: mlr --csv cut -x -f pose FILE | sprung ...'
    if command -v mlr > /dev/null; then
        mlr --csv cut -x -f pose "$DATA/wave.csv" | sprung critical -H 0.1 -q -o cut.npy
    fi
    says "hint: use --to csv"
    printf 'time,a,b\n0,1,2\n1,1,x\n' | sprung damper -q -H 1 -c a --to npy 2> err | wc -c | grep -qx 0 || true
    [[ $(cat err) == *'(standard input):3: column "b": npy can hold only numbers, and this is not a number: "x"'* ]]
}

@test "npy: derivatives are further columns" {
    npy make a.npy "<f4" 9,2
    sprung critical -q -H 0.1 --rate 60 -d 1 a.npy -o b.npy
    [[ $(npy head b.npy) == *"'<f8'"*"(9, 4)"* ]]
    sprung critical -q -H 0.1 --rate 60 -d 1 --to csv a.npy > want.csv
    npy csv b.npy | sprung diff -q --rel 1e-6 want.csv -
}

@test "npy: times are a column by --time, or by itself where times since 1970 rise in it; else --rate tells" {
    npy make a.npy "<f8" 4,2
    fails 2 sprung critical -H 0.1 a.npy
    says "no time column found, and the row rate is unknown"
    npy make a.npy "<f8" 4,2 values=1700000000.0,1,1700000000.01,2,1700000000.02,3,1700000000.03,5
    npy csv a.npy > a.csv
    for more in "" "--time 1" "--resample 300"; do
        sprung critical -q -H 0.01 -d 0 $more --no-header a.csv > want.csv
        sprung critical -q -H 0.01 -d 0 $more --to csv a.npy | sprung diff -q --no-header --rel 0 want.csv -
        sprung critical -q -H 0.01 $more a.npy -o b.npy
        npy csv b.npy | sprung diff -q --no-header --rel 0 want.csv -
    done
    npy make a.npy "<f8" 3,2 values=0,1,nan,2,2,3
    fails 2 sprung critical -H 0.1 --time 1 a.npy -o b.npy
    says 'a.npy: column "1": row 2: the time is not a number'
    [ "$(sprung inspect --report json a.npy | python3 -c 'import json, sys; r = json.load(sys.stdin); print(r["format"], len(r["tables"][0]["columns"]))')" = "npy 2" ]
}

@test "npy: --resample writes the points before a row whose time goes backward" {
    npy make a.npy "<f8" 4,2 values=0,1,1,2,3,3,2,5
    npy make b.npy "<f8" 3,2 values=0,1,1,2,3,3
    sprung critical -q -H 1 --time 1 --resample 7 -c 2 b.npy -o want.npy
    fails 2 sprung critical -H 1 --time 1 --resample 7 -c 2 --to csv a.npy
    says 'a.npy: column "1": time goes backward: 2 after 3'
    npy csv want.npy | tail -n +2 | sprung diff -q --no-header --rel 1e-12 <(tail -n +2 out.txt | cut -d, -f1,2) -
}

@test "npy: other formats become arrays, and arrays other formats" {
    for file in walk.bvh markers.trc angles.sto; do
        sprung tracking -q --gaps restart -d 0 --to csv "$DATA/$file" | tail -n +2 > want.csv
        sprung tracking -q --gaps restart "$DATA/$file" -o a.npy
        npy csv a.npy | sprung diff -q --no-header --rel 0 want.csv -
    done
    npy make a.npy "<f4" 50,2
    sprung $still a.npy -o a.wav 2> /dev/null
    sprung $still a.wav -o b.npy
    npy csv b.npy | cut -d, -f2- | sprung diff -q --rel 0 <(npy csv a.npy) -
}

@test "npy: NumPy reads what is written, and what it writes is read" {
    python=
    for each in python3 /usr/bin/python3; do
        "$each" -c 'import numpy' 2> /dev/null && python=$each && break
    done
    [[ $python ]] || skip "NumPy is missing"
    "$python" - "$SPRUNG" << 'END'
import io, subprocess, sys
import numpy

def run(words, data):
    return subprocess.run([sys.argv[1]] + words.split(), input=data, stdout=subprocess.PIPE, check=True).stdout

def save(array):
    file = io.BytesIO()
    numpy.save(file, array)
    return file.getvalue()

random = numpy.random.default_rng(1)
for letter in "f4 f8".split():
    for shape in (50,), (50, 3), (1, 1), (0, 3):
        a = (random.standard_normal(shape) * 30).astype(letter)
        assert run("tracking -q --rate 60", save(a)) == save(a)
        b = numpy.load(io.BytesIO(run("damper -q -H 0.05 --rate 60", save(a))))
        assert (b.dtype, b.shape) == (a.dtype, a.shape)
        want, weight = a.astype("f8"), 1 - 2 ** (-1 / 3)
        for i in range(1, len(want)):
            want[i] = want[i - 1] + weight * (want[i] - want[i - 1])
        assert numpy.allclose(b, want, rtol=1e-6, atol=1e-6), (letter, shape)
    # what the errors say to type
    for a in (numpy.arange(6).reshape(3, 2), numpy.ones((3, 2), ">f8"), numpy.asfortranarray(numpy.ones((3, 2)))):
        assert len(run("tracking -q --rate 60", save(numpy.ascontiguousarray(a, "<f8")))) > 128
END
}
