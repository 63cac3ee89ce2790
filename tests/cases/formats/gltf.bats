#!/usr/bin/env bats
# glTF: what comes out is compared with the same numbers filtered as CSV, and the rest byte for byte.
load ../common

# gltf COMMAND FILE...: makes or reads a file with an independent program.
gltf()
{
    python3 "$TOOLS/gltf.py" "$@"
}

# agrees TOLERANCE IN OUT CHANNEL...: OUT holds what damper makes of the channels of IN as CSV.
agrees()
{
    local tolerance=$1 in=$2 out=$3
    shift 3
    local rotations
    rotations=$(printf '%s\n' "$@" | grep rotation | paste -sd, || true)
    gltf pair "$in" "$out" "$@"
    sprung damper -H 0.1 -d 0 ${rotations:+--quaternions "$rotations"} in.csv > want.csv
    ! cmp -s in.csv got.csv
    sprung diff --abs "$tolerance" --rel 0 want.csv got.csv
}

# differ FILE FILE: how many bytes differ, of files of one length.
differ()
{
    [[ $(stat -c %s "$1") == $(stat -c %s "$2") ]]
    { cmp -l "$1" "$2" || true; } | wc -l
}

# The whole of it: two animations, two parts in the first, all paths and kinds of numbers.
all='animations=[["walk",[[0,"translation","f32","LINEAR",0],[0,"rotation","i16","LINEAR",1],[2,"weights","u8","LINEAR",0],[1,"scale","f32","STEP",0]]],[null,[[0,"rotation","i8","LINEAR",0],[2,"weights","u16","LINEAR",0],[1,"translation","f32","CUBICSPLINE",0],[1,"rotation","f32","LINEAR",1]]]]'

@test "gltf: samples are those of the same numbers as CSV, in each container" {
    gltf make a.glb
    gltf make b.gltf
    gltf make c.gltf 'bin="c.bin"'
    for f in a.glb b.gltf c.gltf; do
        sprung damper -H 0.1 -q "$f" -o "out_$f"
        agrees 1e-7 "$f" "out_$f" walk/hip.translation walk/hip.rotation
        gltf extremes "out_$f"
        gltf bytes "out_$f" > "$f.bytes"
    done
    cmp a.glb.bytes b.gltf.bytes || cmp -n 1285 a.glb.bytes b.gltf.bytes # the chunk is padded
    cmp c.gltf.bytes b.gltf.bytes
    cmp out_c.bin c.gltf.bytes
}

@test "gltf: animations, parts, names and kinds of numbers" {
    gltf make m.glb "$all"
    sprung damper -H 0.1 -q m.glb -o o.glb
    agrees 2e-7 m.glb o.glb walk/hip.translation
    agrees 2e-5 m.glb o.glb walk/hip.rotation
    agrees 0.002 m.glb o.glb walk/face.weights
    agrees 0.004 m.glb o.glb animation1/hip.rotation
    agrees 1e-5 m.glb o.glb animation1/face.weights
    agrees 2e-7 m.glb o.glb animation1/node1.rotation
    gltf extremes o.glb
    gltf pair m.glb o.glb animation1/node1.translation # CUBICSPLINE
    cmp in.csv got.csv
    gltf pair m.glb o.glb walk/node1.scale # STEP
    cmp in.csv got.csv
    # Rotations keep their length.
    gltf csv o.glb animation1/node1.rotation | awk -F, 'NR > 1 { d = $2^2 + $3^2 + $4^2 + $5^2 - 1; if (d > 1e-6 || d < -1e-6) exit 1 }'
}

@test "gltf: channels with CUBICSPLINE are copied, with a note" {
    gltf make c.gltf 'animations=[["a",[[0,"translation","f32","CUBICSPLINE",0],[0,"rotation","f32","LINEAR",0]]]]'
    fails 0 sprung damper -H 0.1 c.gltf -o o.gltf
    says '1 channel with STEP or CUBICSPLINE interpolation, or of an extension: copied unchanged'
    gltf pair c.gltf o.gltf a/hip.translation
    cmp in.csv got.csv
    agrees 1e-6 c.gltf o.gltf a/hip.rotation
}

@test "gltf: signs of quaternions continue from row to row, and a rotation that did not change keeps its bytes" {
    gltf make m.glb 'animations=[["a",[[0,"rotation","f32","LINEAR",0]]]]' 'extremes=false'
    python3 - << 'END'
import struct
d = bytearray(open("m.glb", "rb").read())
at = d.index(b"HEAD") + 4 + 40 * 4
for i in range(40):
    if i * i % 7 in (1, 2):
        q = struct.unpack_from("<4f", d, at + 16 * i)
        struct.pack_into("<4f", d, at + 16 * i, *(-c for c in q))
open("f.glb", "wb").write(d)
END
    ! cmp -s m.glb f.glb
    sprung tracking -q f.glb -o o.glb
    cmp f.glb o.glb
    # Where rotations change, the signs of the input do not matter.
    sprung damper -H 0.1 -q m.glb -o m.out.glb
    sprung damper -H 0.1 -q f.glb -o f.out.glb
    gltf pair m.out.glb f.out.glb a/hip.rotation
    sprung diff --abs 1e-6 in.csv got.csv
    awk -F, 'NR > 2 { d = 0; for (i = 2; i <= 5; i++) d += x[i] * $i; if (d < 0) exit 1 } { for (i = 2; i <= 5; i++) x[i] = $i }' got.csv
    # As numbers, they keep what the filter makes of them.
    sprung damper -H 0.1 -q --quaternions none f.glb -o n.glb
    gltf pair f.glb n.glb a/hip.rotation
    sprung damper -H 0.1 -q -d 0 --quaternions none in.csv | sprung diff --abs 1e-6 - got.csv
}

@test "gltf: -128 is -1, and stays as it is where nothing moves" {
    gltf make m.glb 'animations=[["a",[[0,"weights","i8","LINEAR",0]]]]' 'extremes=false'
    python3 - << 'END'
d = open("m.glb", "rb").read()
at = d.index(b"HEAD") + 4 + 40 * 4
open("m.glb", "wb").write(d[:at] + b"\x80\x81" * 40 + d[at + 80:])
END
    sprung damper -H 0.1 -d 0 -q --to csv m.glb | awk -F, 'NR > 1 && ($2 != -1 || $3 != -1) { exit 1 }'
    sprung damper -H 0.1 -q m.glb -o o.glb
    cmp m.glb o.glb
}

@test "gltf: every other byte comes out as it is" {
    gltf make a.glb 'animations=[["a",[[0,"translation","f32","LINEAR",0],[2,"translation","f32","LINEAR",0]]]]' 'extremes=false'
    sprung damper -H 0.1 -q -c 'a/face.translation.y' a.glb -o o.glb
    (($(differ a.glb o.glb) <= 40 * 4))
    cmp <(gltf json a.glb) <(gltf json o.glb)
    gltf csv a.glb a/face.translation > a.csv
    gltf csv o.glb a/face.translation > o.csv
    cmp <(cut -d, -f1,2,4 a.csv) <(cut -d, -f1,2,4 o.csv)
    cmp <(gltf csv a.glb a/hip.translation) <(gltf csv o.glb a/hip.translation)
    # JSON: all lines but those of min, max and base64.
    gltf make b.gltf
    sprung damper -H 0.1 -q b.gltf -o o.gltf
    [[ $(diff b.gltf o.gltf | grep -c '^>') -gt 0 ]]
    ! diff b.gltf o.gltf | grep '^[<>]' | grep -vE '^[<>] +(-?[0-9.e-]+,?|"uri": "data:[^"]*")$'
    # What changes nothing gives the file back.
    for f in a.glb b.gltf; do
        sprung tracking -q "$f" -o "same_$f"
        cmp "$f" "same_$f"
    done
}

@test "gltf: escapes and missing = in an embedded buffer" {
    gltf make b.gltf
    python3 - << 'END'
s = open("b.gltf").read()
at = s.index(";base64,")
end = s.index('"', at)
open("e.gltf", "w").write(s[:at] + s[at:end].rstrip("=").replace("/", "\\/") + s[end:])
END
    sprung damper -H 0.1 -q b.gltf -o want.gltf
    sprung damper -H 0.1 -q e.gltf -o got.gltf
    cmp <(gltf bytes want.gltf) <(gltf bytes got.gltf)
    gltf extremes got.gltf
}

@test "gltf: an embedded buffer longer than a cell of text" {
    gltf make b.gltf 'rows=40000'
    sprung damper -H 0.1 -q -c '*translation*' b.gltf -o o.gltf
    agrees 1e-7 b.gltf o.gltf walk/hip.translation
}

@test "gltf: lists are checked against all parts, and each part takes its own" {
    gltf make m.glb "$all"
    sprung damper -H 0.1 -q -c 'walk/hip.translation.*,animation1/hip.*' m.glb -o o.glb
    agrees 2e-7 m.glb o.glb walk/hip.translation
    gltf pair m.glb o.glb walk/hip.rotation walk/face.weights animation1/node1.rotation
    cmp in.csv got.csv
    sprung damper -H 0.1 -q m.glb -o auto.glb
    sprung damper -H 0.1 -q --quaternions 'walk/hip.rotation,animation1/hip.rotation,animation1/node1.rotation' m.glb -o o.glb
    cmp auto.glb o.glb
    sprung damper -H 0.1 -q --quaternions none m.glb -o o.glb
    ! cmp -s auto.glb o.glb
    sprung damper -H 0.1 -q -c '2-4' m.glb -o o.glb
    sprung damper -H 0.1 -q -c 'walk/hip.translation.*' m.glb -o p.glb
    cmp o.glb p.glb
    fails 2 sprung damper -H 0.1 -c 'walk/hop.translation.x' m.glb -o o.glb
    says 'did you mean "walk/hip.translation.x"?'
    fails 2 sprung damper -H 0.1 -c 'walk/hip' m.glb -o o.glb
    says "did you mean 'walk/hip.*'?"
    fails 2 sprung damper -H 0.1 -c 'walk/hop.*' m.glb -o o.glb
    says '--columns: no column "walk/hop.*"'
    fails 2 sprung damper -H 0.1 --quaternions walk/hop.rotation m.glb -o o.glb
    says '--quaternions: "walk/hop.rotation" does not match the columns of a quaternion'
    fails 2 sprung damper -H 0.1 -c 'walk/node1.scale.x' m.glb -o o.glb
    says '2 channels with STEP or CUBICSPLINE interpolation, or of an extension: copied unchanged'
    says 'no column "walk/node1.scale.x"'
    fails 2 sprung damper -H 0.1 --gaps fill --mask 'walk/hip.translation.x:animation1/face.weights.0<0' m.glb -o o.glb
    says '--mask: no column "animation1/face.weights.0"'
    fails 2 sprung damper -H 0.1 --group-by 2 m.glb -o o.glb
    says "--group-by does not apply to glb files, which have their own time and hold one series"
}

@test "gltf: --mask and --angles in the parts that have their columns" {
    gltf make m.glb "$all" 'extremes=false'
    sprung damper -H 0.1 -q --gaps fill --mask 'walk/hip.translation.x:walk/hip.translation.y<-0.5' --angles 'animation1/face*' --period 1000 m.glb -o o.glb
    gltf csv m.glb walk/hip.translation > in.csv
    gltf csv o.glb walk/hip.translation > got.csv
    sprung damper -H 0.1 -d 0 --gaps fill --mask 'walk/hip.translation.x:walk/hip.translation.y<-0.5' in.csv > want.csv
    sprung diff --abs 1e-7 want.csv got.csv
    agrees 2e-5 m.glb o.glb walk/hip.rotation
}

@test "gltf: reports, messages and limits name the part" {
    gltf make m.glb "$all"
    sprung damper -H 0.1 -q --report json m.glb -o o.glb | python3 -c '
import json, sys
all = [json.loads(line) for line in sys.stdin]
assert [r["file"] for r in all] == ["m.glb: " + part for part in ("walk", "walk, table 2", "animation1",
                                                                   "animation1, table 2")], all
assert [r["rows"] for r in all] == [40, 50, 40, 50]
assert [len(r["channels"]) for r in all] == [5, 4, 6, 4]'
    sprung damper -H 0.1 -q --report m.glb -o o.glb > text
    grep -qF 'm.glb: walk, table 2: damper, 50 rows' text
    fails 0 sprung damper -H 0.1 -v m.glb -o o.glb
    says 'm.glb: walk: 40 rows, 0 missing values'
    says 'm.glb: animation1: channels 11-16: "animation1/hip.rotation.x" to "animation1/face.weights.1"'
    says 'column "'
    [[ ! -e big.glb ]]
    [[ -z $out ]]
    # One table: as with any file.
    gltf make a.glb
    sprung damper -H 0.1 -q --report json a.glb -o o.glb | grep -qF '"file":"a.glb"'
}

@test "gltf: samplers with equal times are one part, and shared values are filtered once" {
    gltf make a.glb 'animations=[["a",[[0,"translation","f32","LINEAR",0]]],["b",[[0,"translation","f32","LINEAR",0],[2,"scale","f32","LINEAR",0]]]]' \
        'edit=[["\"output\": 3","\"output\": 1"]]'
    fails 0 sprung damper -H 0.1 a.glb -o o.glb
    agrees 1e-7 a.glb o.glb a/hip.translation
    agrees 1e-7 a.glb o.glb b/face.scale
    # Times of their own, all equal: animation b has two inputs.
    gltf make t.glb 'animations=[["b",[[0,"translation","f32","LINEAR",0],[2,"scale","f32","LINEAR",0]]],["c",[[0,"scale","f32","LINEAR",0]]]]' \
        'edit=[["\"input\": 0,\n          \"output\": 2","\"input\": 3,\n          \"output\": 2"]]'
    sprung damper -H 0.1 -q --report json t.glb -o o.glb | python3 -c '
import json, sys
assert [json.loads(line)["file"] for line in sys.stdin] == ["t.glb: b", "t.glb: c"]'
    agrees 1e-7 t.glb o.glb b/hip.translation b/face.scale
    # Not alike: with other times, filtered and not.
    gltf make r.glb 'animations=[["a",[[0,"translation","f32","LINEAR",0],[2,"scale","f32","LINEAR",1]]]]' 'edit=[["\"output\": 3","\"output\": 1"]]'
    fails 2 sprung damper -H 0.1 r.glb -o o.glb
    says 'at $.accessors[1]: several samplers share it, but their times differ or not all are filtered'
    gltf make r.glb 'animations=[["a",[[0,"translation","f32","LINEAR",0],[2,"scale","f32","STEP",0]]]]' 'edit=[["\"output\": 2","\"output\": 1"]]'
    fails 2 sprung damper -H 0.1 r.glb -o o.glb
    says 'at $.accessors[1]: several samplers share it, but their times differ or not all are filtered'
}

@test "gltf: to other formats and from them" {
    gltf make m.glb "$all"
    gltf make a.glb
    sprung damper -H 0.1 -d 0 -q --to csv a.glb > got.csv
    gltf csv a.glb walk/hip.translation walk/hip.rotation > in.csv
    sprung damper -H 0.1 -d 0 --quaternions walk/hip.rotation in.csv > want.csv
    sprung diff --abs 1e-12 want.csv got.csv
    for to in json jsonl tsv; do
        sprung damper -H 0.1 -d 0 -q --to $to a.glb > got.$to
        sprung diff --from $to got.$to got.$to
    done
    sprung diff got.json got.csv
    # Of several parts one.
    sprung damper -H 0.1 -d 0 -q -c 'walk/hip.rotation.*' --to csv m.glb > got.csv
    [[ $(head -n1 got.csv) == time,walk/hip.rotation.x,walk/hip.rotation.y,walk/hip.rotation.z,walk/hip.rotation.w ]]
    [[ $(wc -l < got.csv) == 51 ]]
    sprung damper -H 0.1 -d 0 -q -c 'walk/hip.rotation.*' --to json m.glb > got.json
    sprung diff got.csv got.json
    sprung damper -H 0.1 -q --resample 60 -c 'walk/hip.rotation.*' --to csv m.glb > grid.csv
    [[ $(wc -l < grid.csv) -gt 90 ]]
    fails 2 sprung damper -H 0.1 --to csv m.glb
    says 'csv: the channels are in 4 tables with different times; only one can be shown'
    says 'choose the channels of one table with --columns'
    fails 2 sprung damper -H 0.1 --resample 30 a.glb -o o.glb
    says '--to csv'
    fails 2 sprung damper -H 0.1 -d 1 a.glb -o o.glb
    says 'columns cannot be added to glb files'
    fails 2 sprung damper -H 0.1 in.csv -o o.glb
    says '--to glb needs glb input'
    fails 2 sprung damper -H 0.1 a.glb -o o.gltf
    says '--to gltf needs gltf input'
}

@test "gltf: diff and plot take all parts" {
    gltf make m.glb "$all"
    sprung damper -H 0.1 -q -c 'animation1/node1.rotation.*' m.glb -o o.glb
    sprung diff m.glb m.glb
    fails 1 sprung diff m.glb o.glb
    [[ $out == *'16 of 20 columns agree; 180 rows compared'* ]]
    [[ $out == *'column "animation1/node1.rotation.x": '*' of 180 rows differ'* ]]
    # Rows of a table that come after others: all differences are within 1, and the first is in the table's own rows.
    fails 0 sprung diff --abs 1 m.glb o.glb
    gltf pair m.glb o.glb animation1/node1.rotation
    differing=$(sprung diff --rel 0 in.csv got.csv | sed -nE 's/^.*node1.rotation.x": ([0-9]+) of 50 rows.*/\1/p')
    fails 1 sprung diff --rel 0 m.glb o.glb
    [[ $differing -gt 0 && $out == *"column \"animation1/node1.rotation.x\": $differing of 180 rows differ"* ]]
    # Times are numbers, within the tolerance or not.
    gltf make late.glb "$all" 'late=0.001'
    sprung diff --abs time:0.01 -q m.glb late.glb
    fails 1 sprung diff m.glb late.glb
    [[ $out == *'column "time": '* ]]
    # A long table before one with many columns.
    PYTHONPATH=$TOOLS python3 -B - << 'END'
import json, struct
from gltf import container
data, views, accessors = bytearray(), [], []
def add(numbers):
    views.append({"buffer": 0, "byteOffset": len(data), "byteLength": 4 * len(numbers)})
    accessors.append({"bufferView": len(views) - 1, "componentType": 5126, "count": len(numbers), "type": "SCALAR"})
    data.extend(struct.pack("<%df" % len(numbers), *numbers))
    return len(views) - 1
animations = []
for rows, weights in ((100000, 1), (2, 500)):
    times = add([i / 60 for i in range(rows)])
    values = add([i % 7 for i in range(rows * weights)])
    animations.append({"samplers": [{"input": times, "output": values}],
                       "channels": [{"sampler": 0, "target": {"node": 0, "path": "weights"}}]})
text = json.dumps({"asset": {"version": "2.0"}, "nodes": [{}], "animations": animations, "accessors": accessors,
                   "bufferViews": views, "buffers": [{"byteLength": len(data)}]}).encode()
open("long.glb", "wb").write(container(text, data, fill=b"\0"))
END
    sprung diff long.glb long.glb
    sprung damper -H 1e-9 -q long.glb | cmp - long.glb
    sprung help formats > help.txt
    grep -q '^    gltf ' help.txt
    grep -q 'glTF 2.0' help.txt
    needs gnuplot
    sprung plot -c 'walk/hip.*' m.glb -o x.svg
    [[ -s x.svg ]]
}

@test "gltf: the other file is written beside the output, and named in it" {
    mkdir in other
    gltf make in/c.gltf 'bin="c d.bin"' 'edit=[["c d.bin","c%20d.bin"]]'
    cp -r in before
    sprung damper -H 0.1 -q in/c.gltf -o other/x.gltf
    cmp in/c.gltf before/c.gltf
    sprung damper -H 0.1 -q --to gltf in/c.gltf -o other/y.bin
    cmp other/y.bin.bin other/x.bin
    rm other/y*
    cmp 'in/c d.bin' 'before/c d.bin'
    agrees 1e-7 in/c.gltf other/x.gltf walk/hip.translation walk/hip.rotation
    [[ $(ls other) == $'x.bin\nx.gltf' ]]
    grep -qF '"uri": "x.bin"' other/x.gltf
    # A name that a URI spells otherwise.
    sprung damper -H 0.1 -q in/c.gltf -o 'other/ü #1.gltf'
    grep -qF '"uri": "%C3%BC%20%231.bin"' 'other/ü #1.gltf'
    cmp other/x.bin 'other/ü #1.bin'
    # A pair is replaced as a pair; another file only with --force.
    sprung damper -H 0.2 -q in/c.gltf -o other/x.gltf
    ! cmp -s other/x.bin 'other/ü #1.bin'
    rm other/x.gltf
    cp other/x.bin x.keep
    fails 2 sprung damper -H 0.1 in/c.gltf -o other/x.gltf
    says 'the file other/x.bin already exists'
    cmp other/x.bin x.keep
    sprung damper -H 0.1 -q --force in/c.gltf -o other/x.gltf
    fails 2 bash -c '"$0" damper -H 0.1 in/c.gltf -o other/x.gltf > other/x.bin' "$SPRUNG"
    says 'the file other/x.bin is not a regular file'
    sprung damper -H 0.1 -q --force in/c.gltf -o other/x.gltf
    fails 2 sprung damper -H 0.1 in/c.gltf -o 'in/c d.gltf'
    says "in/c d.gltf: in/c d.bin would overwrite the samples of the input"
    fails 2 sprung damper -H 0.1 in/c.gltf
    says 'the samples are in another file, which cannot be written to a pipe'
    says 'use --output FILE.gltf, which writes both'
    fails 2 sprung damper -H 0.1 --from gltf < in/c.gltf
    says 'at $.buffers[0]: its data is in another file, which cannot be located from standard input'
    sprung damper -H 0.1 -q -n in/c.gltf -o dry.gltf
    [[ ! -e dry.gltf && ! -e dry.bin ]]
}

@test "gltf: in place both files are replaced, and kept with a suffix" {
    gltf make c.gltf 'bin="d.bin"'
    cp c.gltf c.keep
    cp d.bin d.keep
    chmod 640 d.bin
    sprung damper -H 0.1 -q -i.bak c.gltf
    cmp c.gltf.bak c.keep
    cmp d.bin.bak d.keep
    [[ $(stat -c %a d.bin) == 640 ]]
    mkdir was
    cp c.keep was/c.gltf
    cp d.keep was/d.bin
    agrees 1e-7 was/c.gltf c.gltf walk/hip.translation walk/hip.rotation
    gltf extremes c.gltf
    grep -qF '"uri": "d.bin"' c.gltf
    rm c.gltf.bak
    fails 2 sprung damper -H 0.1 -q -i.bak c.gltf
    says 'd.bin.bak already exists'
    rm d.bin.bak
    sprung damper -H 0.1 -q -i c.gltf
    [[ $(ls -A) == *$'c.gltf\nc.keep\nd.bin\nd.keep'* && $(ls -A) != *bak* && $(ls -A) != *sprung-* ]]
    sed 's/"d.bin"/"s.gltf"/' c.gltf > s.gltf
    for n in {1..20}; do printf '%1000s' ''; done >> s.gltf
    fails 2 sprung damper -H 0.1 -q --quaternions none -i s.gltf
    ln d.bin e.bin
    fails 2 sprung damper -H 0.1 -q -i c.gltf
    says '2 hard links'
    says 'd.bin'
}

@test "gltf: each of the two files is replaced completely or not at all, and a backup has the old numbers" {
    make_preload
    gltf make c.gltf 'bin="d.bin"'
    cp c.gltf c.keep
    cp d.bin d.keep
    fails 2 env LD_PRELOAD="$PRELOAD" FAIL=rename=1 "$SPRUNG" damper -H 0.1 -q -i c.gltf
    says 'cannot move the new file into place'
    cmp c.gltf c.keep
    cmp d.bin d.keep
    fails 2 env LD_PRELOAD="$PRELOAD" FAIL=rename=2 "$SPRUNG" damper -H 0.1 -q -i.bak c.gltf
    says 'c.gltf: cannot back the file up as '
    cmp c.gltf c.keep
    cmp d.bin.bak d.keep
    fails 2 env LD_PRELOAD="$PRELOAD" FAIL=new=1 "$SPRUNG" damper -H 0.1 -q c.keep --from gltf -o x.gltf
    [[ ! -e x.gltf && ! -e x.bin && $(ls -A) != *sprung-* ]]
}

@test "gltf: no two outputs of one run write to one other file" {
    mkdir out
    gltf make a.gltf 'bin="d.bin"'
    cp a.gltf b.gltf
    cp d.bin d.keep
    cp a.gltf a.keep
    for threads in 1 2; do
        fails 2 sprung damper -H 0.1 -j $threads -i.orig --force a.gltf b.gltf
        says 'b.gltf: the output d.bin is also the output of a.gltf'
        says 'nothing was written'
        cmp d.bin d.keep
        cmp a.gltf a.keep
        [[ ! -e d.bin.orig ]]
    done
    sprung damper -H 0.1 -q -i b.gltf
    ! cmp -s d.bin d.keep
    cp d.keep d.bin
    cp a.keep b.gltf
    sprung damper -H 0.1 -q --output-dir out a.gltf b.gltf
    cmp out/a.bin out/b.bin
    cp a.gltf a.GLTF
    # One after the other, or both at once.
    for threads in 1 2; do
        fails 2 sprung damper -H 0.1 -j $threads --output-dir out2 a.gltf a.GLTF
        says 'a.GLTF: the output out2/a.bin is also the output of a.gltf'
        [[ ! -e out2 ]]
    done
    fails 2 sprung damper -H 0.1 --output-dir out a.gltf
    rm out/a.gltf
    fails 2 sprung damper -H 0.1 --output-dir out a.gltf
    says 'the file out/a.bin already exists'
}

@test "gltf: what cannot be read is refused with its place" {
    plain='animations=[["a",[[0,"translation","f32","LINEAR",0],[2,"scale","f32","LINEAR",0]]]]'
    cat > edits << 'END'
["\"version\": \"2.0\"","\"version\": \"1.0\""]|"asset" has no "version" 2.0: only glTF 2 can be read
["\"input\": 0","\"input\": 3"]|at $.animations[0].samplers[0]: its "input" is 3, but there are only 3, counted from 0
["\"input\": 0","\"input\": -1"]|its "input" is not a whole number
["\"input\": 0","\"input\": \"0\""]|its "input" is not a whole number
["\"input\": 0","\"inputs\": 0"]|at $.animations[0].samplers[0]: has no "input"
["\"input\": 0","\"input\": 1"]|at $.accessors[1]: its elements have 3 numbers, but the animation needs 1
["\"output\": 1","\"output\": 0"]|at $.accessors[0]: its elements have 1 number, but the animation needs 3
["\"sampler\": 0","\"sampler\": 9"]|at $.animations[0].channels[0]: its "sampler" is 9
["\"node\": 0","\"node\": 7"]|its "node" is 7, but there are only 3
["\"count\": 40,\n      \"type\": \"VEC3\"","\"count\": 41,\n      \"type\": \"VEC3\""]|at $.accessors[1]: its 41 elements do not fit into bufferViews[1]
["\"count\": 40,\n      \"type\": \"VEC3\"","\"count\": 9007199254740992,\n      \"type\": \"VEC3\""]|do not fit into bufferViews[1]
["\"count\": 40,\n      \"type\": \"VEC3\"","\"count\": 39,\n      \"type\": \"VEC3\""]|it has 40 times, but 39 values
["\"count\": 40,\n      \"type\": \"VEC3\"","\"count\": 0,\n      \"type\": \"VEC3\""]|its 0 elements do not fit
["\"bufferView\": 1","\"byteOffset\": 481,\"bufferView\": 1"]|do not fit into bufferViews[1]
["\"bufferView\": 1","\"byteOffset\": 2,\"bufferView\": 1"]|do not fit into bufferViews[1]
["\"byteOffset\": 164","\"byteOffset\": 162"]|it is filtered, but shares bytes with another accessor
["\"byteLength\": 480","\"byteLength\": 9000"],["\"count\": 40,\n      \"type\": \"VEC3\"","\"count\": 700,\n      \"type\": \"VEC3\""]|at $.accessors[1]: its bufferView goes beyond buffers[0]
["\"byteOffset\": 164","\"byteOffset\": 168"]|it is filtered, but shares bytes with another accessor
["\"byteOffset\": 164","\"byteOffset\": 160"]|it is filtered, but shares bytes with another accessor
["\"byteOffset\": 164","\"byteStride\": 16,\"byteOffset\": 164"]|do not fit
["\"bufferView\": 1","\"bufferView\": 8"]|its "bufferView" is 8, but there are only 3
["\"bufferView\": 1,",""]|at $.accessors[1]: has no "bufferView"
["\"bufferView\": 1","\"sparse\": {},\"bufferView\": 1"]|at $.accessors[1]: sparse accessors cannot be read
["\"byteOffset\": 164","\"extensions\": {\"EXT_meshopt_compression\": {}}, \"byteOffset\": 164"]|at $.bufferViews[1]: compressed with meshoptimizer, which cannot be read
["\"componentType\": 5126","\"componentType\": 5124"]|at $.accessors[0]: its "componentType" or "type" is unknown
["\"componentType\": 5126","\"componentType\": 5125"]|at $.accessors[0]: animations need floats, or normalized integers of 8 or 16 bits
["\"componentType\": 5126","\"componentType\": 5123"]|animations need floats, or normalized
["\"componentType\": 5126","\"normalized\": true, \"componentType\": 5123"]|at $.accessors[0]: times must be floats, but it holds integers
["\"type\": \"VEC3\"","\"type\": \"VEC9\""]|its "componentType" or "type" is unknown
["\"path\": \"scale\"","\"path\": \"rotation\""]|its elements have 3 numbers, but the animation needs 4
["\"buffer\": 0","\"buffer\": 1"]|its "buffer" is 1, but there is only 1
["base64,","base64,*"]|at $.buffers[0]: its data: URI is not valid base64
[";base64,",","]|at $.buffers[0]: its data: URI is not base64
["data:application/octet-stream;base64,","../x.bin?"]|at $.buffers[0]: its URI cannot be used
["\"byteLength\": 1128","\"byteLength\": 1129"]|at $.buffers[0]: byteLength is 1129, but there are 1128 bytes
["\"accessors\": [","\"accessors\": 3, \"b\": ["]|at $.accessors: is not an array
["\"scene\": 0","\"scene\": 00"]|not a JSON number
["\"animations\"","\"nothing\""]|no animation found: the file has none
["\"target\"","\"goal\""]|at $.animations[0].channels[0]: has no "target" with a "path"
END
    gltf many .gltf "$plain" < edits
    local n=0
    while IFS='|' read -r _ say; do
        n=$((n + 1))
        fails 2 sprung damper -H 0.1 $n.gltf -o o.gltf
        says "$say"
        [[ ! -e o.gltf ]]
    done < edits
    ((n >= 39))
    # Times that do not ascend.
    gltf make x.glb "$plain"
    python3 - << 'END'
d = open("x.glb", "rb").read()
at = d.index(b"HEAD") + 4
open("x.glb", "wb").write(d[:at] + d[at + 8:at + 12] + d[at + 4:])
END
    fails 2 sprung damper -H 0.1 x.glb -o o.glb
    says 'x.glb: column "time": time goes backward: 0'
    # Only what STEP, CUBICSPLINE and extensions animate.
    gltf make x.glb 'animations=[["a",[[0,"translation","f32","STEP",0],[2,"scale","i16","CUBICSPLINE",0],[1,"pointer","f32","LINEAR",0]]]]'
    fails 2 sprung damper -H 0.1 x.glb -o o.glb
    says '3 channels with STEP or CUBICSPLINE interpolation, or of an extension: copied unchanged'
    says 'no animation found: no channel has LINEAR interpolation'
    # Draco, on meshes alone, does not matter.
    gltf make x.glb "$plain" 'edit=[["\"scene\": 0","\"extensionsRequired\": [\"KHR_draco_mesh_compression\"], \"scene\": 0"]]'
    sprung damper -H 0.1 -q x.glb -o o.glb
}

@test "gltf: what an extension animates is not filtered; commas, lengths and times that cannot be" {
    one='animations=[["a",[[0,"translation","f32","LINEAR",0],[2,"scale","f32","LINEAR",0]]]]'
    gltf make a.gltf "$one" 'edit=[["\"path\": \"scale\"","\"path\": \"pointer\""],["\"output\": 2","\"output\": 1"]]'
    fails 2 sprung damper -H 0.1 a.gltf -o o.gltf
    says 'at $.accessors[1]: several samplers share it, but their times differ or not all are filtered'
    gltf make a.gltf "$one" 'edit=[[";base64,",";base64\\u002c"]]'
    fails 2 sprung damper -H 0.1 a.gltf -o o.gltf
    says 'at $.buffers[0]: its data: URI is not base64'
    PYTHONPATH=$TOOLS python3 -B - << 'END'
import json, struct
from gltf import container
data = struct.pack("<f", 0) + bytes(300000)
accessors = [{"bufferView": 0, "componentType": 5126, "count": 1, "type": "SCALAR"}]
accessors += [{"bufferView": 1, "componentType": 5121, "normalized": True, "count": 300000, "type": "SCALAR"}] * 100
views = [{"buffer": 0, "byteLength": 4}, {"buffer": 0, "byteOffset": 4, "byteLength": 300000}]
channels = [{"sampler": i, "target": {"node": 0, "path": "weights"}} for i in range(100)]
samplers = [{"input": 0, "output": 1 + i} for i in range(100)]
text = json.dumps({"asset": {"version": "2.0"}, "nodes": [{"name": "n"}], "accessors": accessors, "bufferViews": views,
                   "animations": [{"samplers": samplers, "channels": channels}], "buffers": [{"byteLength": len(data)}]})
open("same.glb", "wb").write(container(text.encode(), data))
END
    fails 2 sprung damper -H 0.1 same.glb -o o.glb
    says 'the column names are too long: they repeat long object names'
}

@test "gltf: two buffers that are one file" {
    gltf make c.gltf 'bin="c.bin"' 'animations=[["a",[[0,"translation","f32","LINEAR",0],[2,"scale","f32","LINEAR",0]]]]'
    python3 - << 'END'
import json
d = json.load(open("c.gltf"))
d["buffers"].append(dict(d["buffers"][0], uri="./c.bin"))
views = d["bufferViews"]
views[2]["buffer"] = 1
json.dump(d, open("two.gltf", "w"))
END
    fails 2 sprung damper -H 0.1 -q -i two.gltf
    says 'the samples are in several other files'
    sprung damper -H 0.1 -q -c '*translation*' -i two.gltf
    gltf pair two.gltf c.gltf a/face.scale
    cmp in.csv got.csv
}

@test "gltf: several tables on standard input are named as standard input" {
    gltf make m.glb "$all" 'extremes=false'
    fails 0 sprung damper -H 0.1 -v - < m.glb
    says 'sprung: (standard input): walk: 40 rows'
    says 'sprung: (standard input): animation1: '
    [[ $err != *'sprung: -:'* ]]
    gltf make a.gltf
    fails 2 sprung damper -H 0.1 < a.gltf
    says 'this is a glTF file'
    says 'hint: try --from gltf'
    sprung damper -H 0.1 -q --from gltf < a.gltf > o.gltf
    sprung damper -H 0.1 -q a.gltf -o p.gltf
    cmp o.gltf p.gltf
}

@test "gltf: columns with different times are no rotation" {
    gltf make m.glb 'animations=[["walk",[[0,"translation","f32","LINEAR",0],[0,"rotation","i16","LINEAR",1]]]]'
    fails 2 sprung damper -H 0.1 --quaternions 4-7:wxyz m.glb -o o.glb
    says '"4-7" does not match the columns of a quaternion'
}

@test "gltf: a wrong min or max of a filtered channel is written right" {
    gltf make a.glb 'animations=[["a",[[0,"translation","f32","LINEAR",0],[2,"scale","f32","LINEAR",0]]]]'
    PYTHONPATH=$TOOLS python3 -B - << 'END'
import json
from gltf import Reader, container
r = Reader("a.glb")
a = r.doc["accessors"][1]
a["min"][1] -= 3
a["max"][2] += 5
open("wrong.glb", "wb").write(container(json.dumps(r.doc).encode(), r.binary))
END
    sprung critical -q -H 0.1 wrong.glb -o right.glb
    gltf extremes right.glb
}

@test "gltf: memory is at most 3 times the file" {
    PYTHONPATH=$TOOLS python3 -B - << 'END'
import array, json
from gltf import container
rows, nodes = 40000, 50
data = array.array("f", [i / 60 for i in range(rows)]) + array.array("f", [i * 37 % 1001 / 7 for i in range(3 * rows)]) * nodes
views = [{"buffer": 0, "byteLength": 4 * rows}] + [
    {"buffer": 0, "byteOffset": 4 * rows * (1 + 3 * k), "byteLength": 12 * rows} for k in range(nodes)]
accessors = [{"bufferView": 0, "componentType": 5126, "count": rows, "type": "SCALAR"}] + [
    {"bufferView": 1 + k, "componentType": 5126, "count": rows, "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 0]} for k in range(nodes)]
animation = {"samplers": [{"input": 0, "output": 1 + k} for k in range(nodes)],
             "channels": [{"sampler": k, "target": {"node": k, "path": "translation"}} for k in range(nodes)]}
text = json.dumps({"asset": {"version": "2.0"}, "nodes": [{}] * nodes, "animations": [animation], "accessors": accessors,
                   "bufferViews": views, "buffers": [{"byteLength": 4 * len(data)}]}).encode()
open("big.glb", "wb").write(container(text, data.tobytes()))
END
    [[ ${BUILD:-} == *san* ]] && skip "sanitizers take memory of their own"
    (ulimit -v $(($(stat -c %s big.glb) / 1024 * 3 + 40000)); sprung critical -H .1 -q -j1 big.glb -o o.glb)
    (($(stat -c %s o.glb) >= $(stat -c %s big.glb)))
}

@test "gltf: a rotation is filtered as a whole, by a filter of rotations, or as numbers" {
    gltf make a.glb
    fails 2 sprung damper -H 0.1 -c walk/hip.rotation.y a.glb -o o.glb
    says 'column "walk/hip.rotation.w": --quaternions: each rotation is filtered as a whole, but this column is not filtered'
    says "or filter each number separately with --quaternions none"
    fails 2 sprung damper -H 0.1 -x walk/hip.rotation.w a.glb -o o.glb
    says 'column "walk/hip.rotation.w": --quaternions: each rotation is filtered as a whole'
    fails 2 sprung velocity -H 0.1 --speed 1 a.glb -o o.glb
    says 'column "walk/hip.rotation.w": --quaternions: velocity cannot filter rotations'
    says "as separate numbers: --quaternions none"
    fails 2 sprung damper -H 0.1 --start 1 a.glb -o o.glb
    says '--start: a rotation cannot start at a single number'
    [[ ! -e o.glb ]]
    sprung velocity -H 0.1 --speed 1 -q --exclude '*.rotation.*' a.glb -o o.glb
    sprung velocity -H 0.1 --speed 1 -q --quaternions none a.glb -o p.glb
    cmp <(gltf csv o.glb walk/hip.translation) <(gltf csv p.glb walk/hip.translation)
    cmp <(gltf csv o.glb walk/hip.rotation) <(gltf csv a.glb walk/hip.rotation)
    sprung damper -H 0.1 -q --quaternions none -c walk/hip.rotation.y a.glb -o q.glb
    cmp <(gltf csv q.glb walk/hip.rotation | cut -d, -f2,4,5) <(gltf csv a.glb walk/hip.rotation | cut -d, -f2,4,5)
}

@test "gltf: the time is no channel, with and without a rate" {
    gltf make a.glb
    gltf make b.gltf
    gltf make m.glb "$all"
    for f in a.glb b.gltf m.glb; do
        for list in time 1 1-3; do
            for rate in '' '--rate 50'; do
                fails 2 sprung critical -H .1 -c $list $rate -o "o_$f" "$f"
                says "$f: column \"time\": --columns names this column, but it is already the time column"
                [[ ! -e o_$f ]]
            done
        done
    done
    sprung critical -H .1 --rate 50 -q -o all.glb m.glb
    sprung critical -H .1 --rate 50 -q -c '*' -o o.glb m.glb
    cmp all.glb o.glb
}

@test "gltf: a number that does not fit is an error with its channel and row" {
    gltf make m.glb 'animations=[["a",[[2,"weights","u8","LINEAR",0]]]]'
    fails 2 sprung damper -H 0.1 --start 3 m.glb -o o.glb
    says 'column "a/face.weights.'
    says 'does not fit into a sample of 8 bits'
    [[ ! -e o.glb ]]
}

@test "gltf: a URI that leaves the folder is refused" {
    mkdir in in/below
    gltf make in/c.gltf 'bin="c.bin"'
    cp in/c.bin secret.bin
    cp in/c.bin 'in/below/x y.bin'
    for uri in ../secret.bin ./../secret.bin below/../../secret.bin "$PWD/secret.bin" "file://$PWD/secret.bin" %2e%2e/secret.bin \
        ..%2fsecret.bin '..\\secret.bin' http://x/c.bin 'c.bin?x' 'c.bin#x' 'c.bin%00' '' 'c%zz.bin' '\u002e\u002e/secret.bin' 'c.bin\u0000'; do
        sed "s|\"c.bin\"|\"${uri//\\/\\\\}\"|" in/c.gltf > in/x.gltf
        fails 2 sprung damper -H 0.1 in/x.gltf -o o.gltf
        says 'at $.buffers[0]: its URI cannot be used'
    done
    sed 's|"c.bin"|"nothing.bin"|' in/c.gltf > in/x.gltf
    fails 2 sprung damper -H 0.1 in/x.gltf -o o.gltf
    says 'cannot open "in/nothing.bin": No such file'
    sed 's|"c.bin"|"below"|' in/c.gltf > in/x.gltf
    fails 2 sprung damper -H 0.1 in/x.gltf -o o.gltf
    says '"in/below" is not a regular file'
    sed 's|"c.bin"|"below/x%20y.bin"|' in/c.gltf > in/x.gltf
    sprung damper -H 0.1 -q in/x.gltf -o o.gltf
    sprung damper -H 0.1 -q in/c.gltf -o p.gltf
    cmp o.bin p.bin
    cp in/x.gltf in/y.gltf
    sprung damper -H 0.1 -q -i in/y.gltf
    cmp in/below/x*.bin p.bin
    grep -qF '"below/x%20y.bin"' in/y.gltf
}

@test "gltf: the lengths in a .glb are checked" {
    gltf make a.glb
    patch()
    {
        python3 - "$@" << 'END'
import struct, sys
d = bytearray(open("a.glb", "rb").read())
at, value = int(sys.argv[1]), int(sys.argv[2])
if at < 0:
    at = 20 + struct.unpack_from("<I", d, 12)[0]
struct.pack_into("<I", d, at, value)
open("x.glb", "wb").write(d)
END
        fails 2 sprung damper -H 0.1 x.glb -o o.glb
        says "$3"
    }
    patch 4 1 'glTF 1: only glTF 2 can be read'
    patch 8 1000 'the header says 1000 bytes, but the file has'
    patch 12 4294967295 'the first chunk is not JSON, or is longer than the file'
    patch 12 100000 'the first chunk is not JSON, or is longer than the file'
    patch 16 5130562 'the first chunk is not JSON, or is longer than the file'
    patch -1 4294967292 'has no "uri", and the file has no binary chunk'
    patch 12 100 'the file ends too early'
    for n in 4 11 12 19 20 30; do
        head -c $n a.glb > x.glb
        fails 2 sprung damper -H 0.1 x.glb -o o.glb
    done
    says 'the header says'
}

@test "gltf: a cutoff above 0.45 of the rate of sparse keys says what helps; the other files are filtered" {
    gltf make few.glb 'rows=12' 'animations=[["walk",[[0,"translation","f32","LINEAR",0]]]]' 'rate=2'
    gltf make many.glb
    fails 2 sprung butterworth --cutoff 6 --zero-phase --output-dir out few.glb many.glb
    says 'few.glb: --cutoff 6 is too high for 2 rows per second: the maximum is 0.9 Hz'
    says 'hint: try --cutoff 0.2'
    [[ $err != *'--to csv'* ]]
    sprung butterworth --cutoff 0.2 --zero-phase few.glb -o few_out.glb
    [ -e out/many.glb ] && [ ! -e out/few.glb ]
    sprung butterworth --cutoff 6 --zero-phase --output-dir out few.glb many.glb --cutoff auto --force -q
    cmp few.glb out/few.glb
    rm out/few.glb
    sprung tracking --resample 60 --to csv -q -d 0 few.glb | sprung butterworth --cutoff 6 --zero-phase -q -d 0 > few.csv
    [ "$(wc -l < few.csv)" -gt 300 ]
    fails 0 sprung critical -H 0.01 few.glb -o out/few.glb
    says 'next to nothing is smoothed'
    [[ $err != *--time-unit* ]]
}
