#!/usr/bin/env bats
# FBX: what comes out is compared with the same numbers filtered as CSV, and the rest by an independent reader.
load ../common

# fbx COMMAND FILE...: makes or reads a file with an independent program.
fbx()
{
    python3 "$TOOLS/fbx.py" "$@"
}

# agrees TOLERANCE IN OUT ORDER CHANNEL...: OUT holds what damper makes of the channels of IN as CSV; ORDER is the product
# of the rotations among them.
agrees()
{
    local tolerance=$1 in=$2 out=$3 order=$4
    shift 4
    local rotations
    rotations=$(printf '%s\n' "$@" | grep rotation | sed "s/\$/:$order/" | paste -sd, || true)
    fbx pair "$in" "$out" "$@"
    sprung damper -H 0.1 -d 0 ${rotations:+--rotations "$rotations"} in.csv > want.csv
    ! cmp -s in.csv got.csv
    sprung diff --abs "$tolerance" --rel 0 want.csv got.csv
}

# changed N IN OUT: the values of N curves differ, and nothing else.
changed()
{
    local n
    n=$(fbx same "$2" "$3")
    [[ $n == "$1" ]] || { echo "$n curves differ, not $1"; return 1; }
}

# Each container, with arrays deflated and not, and both kinds of footers.
containers=("version=7100" "version=7400 deflate=9 blender=true" "version=7700 deflate=null footer=false")

@test "fbx: values are those of the same numbers as CSV, in each container, and nothing else changes" {
    for way in "${containers[@]}"; do
        fbx make a.fbx $way
        sprung damper -H 0.1 -q a.fbx -o o.fbx --force
        agrees 1e-5 a.fbx o.fbx ZYX walk/hip.translation walk/hip.rotation
        changed 6 a.fbx o.fbx
        sprung tracking -q a.fbx -o same.fbx --force
        cmp a.fbx same.fbx
    done
}

@test "fbx: curves that are not filtered keep their deflated bytes" {
    fbx make a.fbx 'rows=200' deflate=9
    sprung damper -H 0.1 -q -c 'walk/hip.translation.y' a.fbx -o o.fbx
    changed 1 a.fbx o.fbx
    sprung butterworth --cutoff 0.96 --zero-phase -q a.fbx -o o.fbx --force
    changed 6 a.fbx o.fbx
}

@test "fbx: the footer fits files of every length" {
    for n in {1..17}; do
        fbx make a.fbx rows=$((20 + 3 * n)) blender=$([[ $((n % 2)) == 0 ]] && echo true || echo false) version=$((n % 3 ? 7400 : 7700))
        sprung damper -H 0.1 -q a.fbx -o o.fbx --force
        changed 6 a.fbx o.fbx
    done
}

@test "fbx: each order of rotation, and angles by themselves" {
    products=(ZYX YZX XZY ZXY YXZ XYZ)
    for order in 0 1 2 3 4 5; do
        fbx make a.fbx 'curves=[["walk","Base","hip","Lcl Rotation","a","a","a"]]' "order={\"hip\":$order}"
        sprung damper -H 0.1 -q a.fbx -o o$order.fbx
        agrees 2e-5 a.fbx o$order.fbx ${products[order]} walk/hip.rotation
    done
    ! cmp -s o0.fbx o1.fbx
    # Spherical: angles one by one.
    fbx make a.fbx 'curves=[["walk","Base","hip","Lcl Rotation","a","a","a"]]' 'order={"hip":6}'
    sprung damper -H 0.1 -q a.fbx -o o.fbx
    fbx pair a.fbx o.fbx walk/hip.rotation
    sprung damper -H 0.1 -d 0 --angles 2-4 in.csv > want.csv
    sprung diff --abs 1e-5 want.csv got.csv
    # So with --rotations none.
    fbx make b.fbx 'curves=[["walk","Base","hip","Lcl Rotation","a","a","a"]]'
    sprung damper -H 0.1 -q --rotations none b.fbx -o p.fbx
    fbx pair a.fbx p.fbx walk/hip.rotation
    cmp <(fbx csv o.fbx walk/hip.rotation) <(fbx csv p.fbx walk/hip.rotation)
}

@test "fbx: three curves of a rotation with keys at different times are filtered as angles, with a note" {
    fbx make a.fbx 'curves=[["walk","Base","hip","Lcl Rotation","a","half","two"]]'
    fails 0 sprung damper -H 0.1 a.fbx -o o.fbx
    says '1 rotation with a missing or stepped curve, or with different key times for x, y and z: each angle is filtered separately'
    changed 2 a.fbx o.fbx
    for axis in x y; do
        fbx pair a.fbx o.fbx walk/hip.rotation.$axis
        sprung damper -H 0.1 -d 0 --angles 2 in.csv | sprung diff --abs 1e-4 - got.csv
    done
    sprung tracking -q a.fbx -o same.fbx
    cmp a.fbx same.fbx
}

@test "fbx: keys of a rotation more than 180 degrees apart are warned of" {
    fbx make a.fbx 'curves=[["walk","Base","hip","Lcl Rotation","a","a","a"]]' \
        'edit="curves[1].find(\"KeyValueFloat\").props[0].value[5:] = [200 + x for x in curves[1].find(\"KeyValueFloat\").props[0].value[5:]]"'
    fails 0 sprung damper -H 0.1 a.fbx -o o.fbx
    says 'warning: 1 rotation with keys more than 180 degrees apart, filtered the short way round: add keys between them'
    says '--rotations none --period 1e6'
    sprung damper -H 0.1 -q --rotations none --period 1e6 a.fbx -o n.fbx
    fbx pair a.fbx n.fbx walk/hip.rotation
    sprung damper -H 0.1 -d 0 --rotations none in.csv | sprung diff --abs 1e-4 - got.csv
    fbx make b.fbx
    fails 0 sprung damper -H 0.1 b.fbx -o p.fbx
    [[ $err != *warning* ]]
}

@test "fbx: a missing key of a rotation is a gap, and after a gap the rotation continues only where --gaps says so" {
    fbx make gap.fbx 'curves=[["walk", "Base", "hip", "Lcl Rotation", "a", "a", "a"]]' deflate=null \
        'edit="curves[0].kids[3].props[0].value[5] = float(\"nan\")"'
    sprung tracking -q --gaps restart gap.fbx -o same.fbx
    cmp gap.fbx same.fbx
    # As documented, a gap counts as a cut.
    sprung tracking -q gap.fbx -o bridged.fbx
    ! cmp -s gap.fbx bridged.fbx
}

@test "fbx: stacks, layers, tables and names" {
    fbx make a.fbx 'curves=[["walk","Base","hip","Lcl Translation","a","a","a"],["run","Base","hip","Lcl Translation","a","a","a"],["run","Base","hip","Lcl Scaling","b","b","b"],["run","Base","face","Smile","a"],["run","Base","hip","Lcl Rotation","a","a","a"]]'
    fails 0 sprung damper -H 0.1 -v a.fbx -o o.fbx
    says 'a.fbx: run: 40 rows'
    says 'a.fbx: run, table 2: 50 rows'
    says 'a.fbx: walk: channels 2-4: "walk/hip.translation.x" to "walk/hip.translation.z"'
    says 'a.fbx: run: channels 5-11: "run/hip.translation.x" to "run/hip.rotation.z"'
    changed 13 a.fbx o.fbx
    agrees 1e-5 a.fbx o.fbx ZYX walk/hip.translation
    agrees 1e-5 a.fbx o.fbx ZYX run/hip.translation run/face.Smile run/hip.rotation
    agrees 1e-5 a.fbx o.fbx ZYX run/hip.scale
    fails 2 sprung damper -H 0.1 --to csv a.fbx
    says 'csv: the channels are in 3 tables with different times; only one can be shown'
    sprung damper -H 0.1 -q -c 'run/hip.scale.*' --to csv -d 0 a.fbx > got.csv
    fbx csv a.fbx run/hip.scale > in.csv
    sprung damper -H 0.1 -d 0 in.csv | sprung diff - got.csv
    for to in json jsonl tsv; do
        sprung damper -H 0.1 -q -c 'run/hip.scale.*' -d 0 --to $to a.fbx > got.$to
        sprung diff got.csv got.$to
    done
    sprung diff a.fbx a.fbx
    fails 1 sprung diff a.fbx o.fbx
    cat a.fbx | sprung damper -H 0.1 -q | cmp - o.fbx
    in_pieces a.fbx | sprung damper -H 0.1 -q -j3 | cmp - o.fbx
    sprung damper -H 0.1 -q -j1 a.fbx | cmp - o.fbx
    fails 2 sprung damper -H 0.1 in.csv -o x.fbx
    says '--to fbx needs fbx input'
    fails 2 sprung damper -H 0.1 -d 1 a.fbx -o x.fbx
    says 'columns cannot be added to fbx files'
    # Several layers are named.
    fbx make l.fbx 'curves=[["walk","Base","hip","Lcl Translation","a","a","a"],["walk","Up","hip","Lcl Translation","a","a","a"]]'
    sprung damper -H 0.1 -q --to csv -d 0 l.fbx | head -n 1 > head
    [[ $(cat head) == time,walk/Base/hip.translation.x,walk/Base/hip.translation.y,walk/Base/hip.translation.z,walk/Up/hip.* ]]
}

@test "fbx: a rotation is filtered as a whole, by a filter of rotations, or as angles" {
    fbx make a.fbx
    fails 2 sprung damper -H 0.1 -c walk/hip.rotation.y a.fbx -o o.fbx
    says 'column "walk/hip.rotation.x": --rotations: each rotation is filtered as a whole, but this column is not filtered'
    says "or filter each number separately with --rotations none"
    fails 2 sprung velocity -H 0.1 --speed 1 a.fbx -o o.fbx
    says 'column "walk/hip.rotation.x": --rotations: velocity cannot filter rotations'
    sprung damper -H 0.1 -q -c walk/hip.rotation.y --rotations none a.fbx -o o.fbx
    changed 1 a.fbx o.fbx
    sprung damper -H 0.1 -q -c walk/hip.rotation.y --angles walk/hip.rotation.y a.fbx -o p.fbx
    cmp o.fbx p.fbx
    sprung velocity -H 0.1 --speed 1 -q -x '*.rotation.*' a.fbx -o o.fbx --force
    changed 3 a.fbx o.fbx
}

@test "fbx: angles by themselves keep their turns" {
    fbx make a.fbx 'curves=[["walk","Base","hip","Lcl Rotation","a","a",null]]' \
        'edit="for c in curves: c.find(\"KeyValueFloat\").props[0].value[:] = [[0, 360, 720, 170, -170][i % 5] for i in range(40)]"'
    sprung tracking -q a.fbx -o same.fbx
    cmp a.fbx same.fbx
    # The shorter way is 0 for 720, 170 for 170, and 20 on from there to -170.
    sprung damper -H 0.1 -q a.fbx -o o.fbx
    sprung damper -H 0.1 -d 0 --angles 2,3 --to csv a.fbx > want.csv
    fbx csv o.fbx walk/hip.rotation | sprung diff --abs 1e-4 - want.csv
    [[ $(sed -n 3p want.csv) == *,360,360 && $(sed -n 4p want.csv) == *,720,720 ]]
}

@test "fbx: what passes through, with a note" {
    fbx make a.fbx 'curves=[["walk","Base","hip","Lcl Translation","a","two","one"],["walk","Base","hip","Visibility","a"],["walk","Base","hip","Smile","a"],["walk","Base","hip","Lcl Rotation","a","a",null]]' \
        'flags={"4":[2]}'
    fails 0 sprung damper -H 0.1 a.fbx -o o.fbx
    says '4 curves copied unchanged: steps, visibility, fewer than 3 keys, or without an object'
    says '1 rotation with a missing or stepped curve, or with different key times for x, y and z: each angle is filtered separately'
    changed 3 a.fbx o.fbx
    # Constant at some keys, and slopes of the user.
    fbx make b.fbx 'flags={"0":[2,24836],"1":[1032],"2":[264]}'
    fails 0 sprung damper -H 0.1 b.fbx -o p.fbx
    changed 6 b.fbx p.fbx
    # A curve of two curve nodes is one channel; circles, other connections and numbers without objects do not matter.
    fbx make c.fbx 'edit="id = lambda n: n.props[0].value; nodes = [o for o in objects if o.name == \"AnimationCurveNode\"]; link = lambda *a: connections.append(Node(\"C\", [Prop(\"S\", a[0])] + [Prop(\"L\", x) for x in a[1:3]] + [Prop(\"S\", x) for x in a[3:]])); link(\"OP\", id(curves[0]), id(nodes[1]), \"d|Y\"); link(\"OP\", id(nodes[0]), id(nodes[1]), \"d|X\"); link(\"OP\", id(nodes[1]), id(nodes[0]), \"d|X\"); link(\"OP\", id(curves[1]), id(curves[2]), \"d|X\"); link(\"OO\", 99999, 5); link(\"PO\", 5, 5)"'
    fails 0 sprung damper -H 0.1 c.fbx -o q.fbx
    changed 6 c.fbx q.fbx
    agrees 1e-5 c.fbx q.fbx ZYX walk/hip.translation walk/hip.rotation
    # Nothing to filter.
    fbx make d.fbx 'curves=[["walk","Base","hip","Visibility","a"]]'
    fails 2 sprung damper -H 0.1 d.fbx -o r.fbx
    says 'no animation found'
}

@test "fbx: what cannot be read is refused with its place" {
    fbx make a.fbx
    printf '; FBX 7.5.0 project file\n' > t.fbx
    fails 2 sprung damper -H 0.1 t.fbx -o o.fbx
    says 'an ASCII FBX file cannot be read'
    says 'hint: save it as binary FBX'
    local head='import sys; d = bytearray(open("a.fbx", "rb").read()); import struct; '
    bad()
    {
        python3 -c "$head$1; open('x.fbx', 'wb').write(d)"
        fails 2 sprung damper -H 0.1 x.fbx -o o.fbx
        says "$2"
        [[ ! -e o.fbx ]]
    }
    bad 'd[22] = 1' 'a big-endian FBX file cannot be read'
    bad 'd[23:27] = struct.pack("<I", 6100)' 'FBX 6.1: only FBX 7 can be read'
    says 'export it as FBX 7'
    bad 'd[23:27] = struct.pack("<I", 8000)' 'FBX 8.0: only FBX 7 can be read'
    bad 'd = d[:20]' 'the file ends inside its header'
    bad 'd = d[:19]' 'this is not an FBX file'
    bad 'd = d[:25]' 'the file ends inside its header'
    bad 'd = d[:27]' 'the node at byte 27 ends outside its parent'
    bad 'd = d[:2000]' 'ends outside its parent: the file is damaged or cut off'
    [[ $err != *column* ]]
    bad 'd[27:31] = struct.pack("<I", 5)' 'the node at byte 27 ends outside its parent'
    bad 'd[27:31] = struct.pack("<I", 4294967295)' 'the node at byte 27 ends outside its parent'
    bad 'd[35:39] = struct.pack("<I", 4294967295)' 'the node at byte 27 is shorter than its values'
    bad 'at = d.index(b"KeyTimel"); d[at + 8:at + 12] = struct.pack("<I", 41)' 'does not hold 41 numbers'
    bad 'at = d.index(b"KeyTimel"); d[at + 8:at + 12] = struct.pack("<I", 4294967295)' 'the unpacked keys exceed'
    bad 'at = d.index(b"KeyTimel"); d[at + 12:at + 16] = struct.pack("<I", 0)' 'its array should have 40 numbers of 8 bytes, but has'
    bad 'at = d.index(b"KeyTimel"); d[at + 12:at + 16] = struct.pack("<I", 2)' 'its value is not an array of integers'
    bad 'at = d.index(b"KeyTimel"); d[at + 16:at + 20] = struct.pack("<I", 4294967295)' 'its value is not an array of integers'
    bad 'at = d.index(b"KeyTimel"); d[at + 30] ^= 255' 'its compressed array is damaged'
    bad 'd = d.replace(b"KeyValueFloatf", b"KeyValueFloati", 1)' 'its value is not an array of floats'
    bad 'd = d.replace(b"KeyTime", b"KeyTone", 1)' 'it has no KeyTime or no KeyValueFloat'
    # In the tree: lengths that differ, times that go backward, depth.
    tree()
    {
        fbx make x.fbx "edit=$1"
        fails 2 sprung damper -H 0.1 x.fbx -o o.fbx
        says "$2"
    }
    tree '"curves[0].find(\"KeyTime\").props[0].value.pop()"' 'it has 39 times, but 40 values'
    says 'column "AnimationCurve 1'
    tree '"t = curves[0].find(\"KeyTime\").props[0].value; t[5] = 7"' 'column "time": time goes backward: '
    tree '"n = Node(\"deep\", [], [])\nfor i in range(120): n = Node(\"deep\", [], [n])\ntop.append(n)"' 'nodes are nested more than 100 deep'
    tree '"curves[0].find(\"KeyTime\").props[0] = Prop(\"l\", [0] * 30000000, 9)"' 'the unpacked keys exceed 78 MiB, the limit for a file of this size'
    tree '"v = curves[0].find(\"KeyValueFloat\").props[0].value; v[3] = float(\"inf\")"' 'column "walk/hip.translation.x": row 4: the sample is infinite'
}

@test "fbx: memory is at most 3 times the file and its keys" {
    [[ ${BUILD:-} == *san* ]] && skip "sanitizers take memory of their own"
    python3 - "$TOOLS" << 'END'
import sys
sys.path.insert(0, sys.argv[1])
from fbx import build, write
write("big.fbx", build(rows=30000, deflate=None, curves=[["walk", "Base", "n%d" % i, "Lcl Translation", "a", "a", "a"] for i in range(15)]))
END
    (ulimit -v $(($(stat -c %s big.fbx) / 1024 * 3 + 40000)); sprung critical -H .1 -q -j1 big.fbx -o o.fbx)
    changed 45 big.fbx o.fbx
}

@test "fbx: in place, with a copy of the original" {
    fbx make a.fbx
    cp a.fbx keep.fbx
    sprung butterworth --cutoff 6 --zero-phase --in-place=.orig -q a.fbx
    cmp a.fbx.orig keep.fbx
    changed 6 keep.fbx a.fbx
}

@test "fbx: assimp reads every output, with the same nodes and animations" {
    needs assimp
    local n=0
    for f in "${SPRUNG_FBX:-/nowhere}"/*.fbx "$ROOT"/data/*.fbx; do
        [[ -e $f ]] || continue
        cp "$f" a.fbx
        sprung damper -H 0.1 -q a.fbx -o o.fbx --force || continue
        for each in a o; do
            assimp info $each.fbx | grep -v 'import took' > $each.txt
            fbx counts $each.fbx > $each.counts
        done
        cmp a.txt o.txt
        cmp a.counts o.counts
        fbx same a.fbx o.fbx
        sprung tracking -q a.fbx -o same.fbx --force
        cmp a.fbx same.fbx
        n=$((n + 1))
    done
    fbx make a.fbx
    sprung damper -H 0.1 -q a.fbx -o o.fbx --force
    cmp <(assimp info a.fbx | grep -v 'import took') <(assimp info o.fbx | grep -v 'import took')
}
