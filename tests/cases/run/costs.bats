#!/usr/bin/env bats
# What wide and sparse inputs cost: time that grows with the number of columns, memory that does not grow with columns times rows.
load ../common

setup()
{
    cd "$BATS_TEST_TMPDIR"
    cat > cost.py <<'P'
import os, subprocess, sys
def seconds(words):
    """The least processor time of three runs."""
    best = 1e9
    for _ in range(3):
        before = os.times()
        subprocess.run([os.environ["SPRUNG"]] + words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        after = os.times()
        best = min(best, after.children_user - before.children_user)
    return best
def grows_with(write, words, few, factor):
    """Eight times the columns may take 24 times the time; 64 times is the square."""
    costs = []
    for n in (few, few * factor):
        write("%d.csv" % n, n)
        costs.append(seconds(words + ["%d.csv" % n]))
    print(costs)
    sys.exit(costs[1] > 3 * factor * max(costs[0], .01))
P
}

@test "columns with derivatives take time in proportion to their number" {
    python3 - <<'P'
from cost import *
def write(name, n):
    with open(name, "w") as f:
        f.write(",".join(["time"] + ["c%d" % i for i in range(n)]) + "\n")
        for row in (0, 1):
            f.write(",".join([str(row)] + [str(i) for i in range(n)]) + "\n")
grows_with(write, ["critical", "-H", ".1"], 5000, 8)
P
}

@test "rotations take time in proportion to their number" {
    python3 - <<'P'
from cost import *
def write(name, n):
    with open(name, "w") as f:
        f.write(",".join(["time"] + ["b%d_%s" % (i, c) for i in range(n) for c in "wxyz"]) + "\n")
        for row in (0, 1):
            f.write(",".join([str(row)] + ["1,0,0,0"] * n) + "\n")
grows_with(write, ["critical", "-H", ".1", "-d", "0", "--quaternions", "b*"], 2000, 8)
P
}

@test "records without the members of a wide first record take little memory" {
    python3 - > in.jsonl <<'P'
import json
print(json.dumps({"a%d" % i: i for i in range(2000)}))
print("{}\n" * 8000, end="")
P
    for from in jsonl json; do
        [ $from = jsonl ] || { sed '1s/^/[/; $!s/$/,/; $s/$/]/' in.jsonl > in.json; }
        python3 - in.$from <<'P'
import os, resource, subprocess, sys
subprocess.run([os.environ["SPRUNG"], "critical", "-H", ".1", "-d", "0", "--rate", "100", "-o", "out", sys.argv[1]], check=True)
kilobytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(kilobytes)
sys.exit("san" not in os.environ.get("BUILD", "") and kilobytes > 100000)
P
        cmp out in.$from
    done
}

@test "records whose members stand in another order than in the first keep their order" {
    python3 - <<'P'
import json
with open("1001.jsonl", "w") as f:
    for row in range(8):
        order = range(1001) if row == 0 else [(i * 7 + row) % 1001 for i in range(1001)]
        f.write(json.dumps({"a%d" % i: i + row for i in order}) + "\n")
P
    sprung critical -H .1 --rate 10 --to csv 1001.jsonl > in_order.csv
    sprung critical -H .1 --rate 10 1001.jsonl > got.jsonl
    sprung diff --rel 0 in_order.csv got.jsonl
}

@test "diff and inspect of many tables take time in proportion to their number" {
    PYTHONPATH="$TOOLS" python3 - <<'P'
from cost import *
import gltf
costs = []
for n in (300, 2400):
    glb = "%d.glb" % n
    animations = [["a%d" % i, [[0, "translation", "f32", "LINEAR", 0]]] for i in range(n)]
    gltf.make(glb, animations=animations, rows=2, extremes=False)
    costs.append([seconds(["diff", glb, glb]), seconds(["inspect", glb])])
print(costs)
sys.exit(any(many > 3 * 8 * max(few, .02) for few, many in zip(*costs)))
P
}
