#!/usr/bin/python3
"""Fills gaps and spikes of a csv by what the manual says, in fractions, and compares; knows nothing of sprung; for its tests.

    clean.py make SEED ROWS      prints a series at uneven times: time,x,y,who,cut; now and then a value is missing, or
                                 beyond 1e6: a spike, at least 13 rows after the last one
    clean.py check IN OUT [OPTION]...   OUT is IN after cleaning; prints how many values were filled

    --gaps WAY      linear, cubic, or another one, which fills only spikes
    --max-gap L     seconds, or rows as in 3rows
    --window N      of --despike: spikes are the values that changed (most of those beyond 1e6, which this does not judge
                    again); they are bridged where both neighbours are so near
    --by            each who is a series of its own
    --cuts T,T --cut-column   nothing is filled over these times, nor into rows where cut is 1

The cubic is written with the basis of Hermite and slopes from Lagrange's parabolas. Valid values must keep their bytes.
"""
import argparse
import csv
import math
import random
import sys
from fractions import Fraction as F

def make(seed, rows):
    r = random.Random(seed)
    print("time,x,y,who,cut")
    t, hole, last = 0, [0, 0], [0, 0]
    for i in range(rows):
        t += r.choice((5, 10, 10, 25))
        cells = []
        for k in range(2):
            hole[k] = hole[k] - 1 if hole[k] else r.choice((0,) * 26 + (1, 2, 4, 8))
            x = 20 * math.sin(i / 9 + k) + r.uniform(-1e-2, 1e-2)
            if i - last[k] > 12 and r.random() < 1 / 30:
                x, last[k] = x + 1e7, i
            cells.append(r.choice(("", "nan")) if hole[k] else "%.4f" % x)
        print("%.3f,%s,%s,%s,%d" % (t / 1000, *cells, r.choice("abb"), r.random() < 0.02))

def slope(p, at):
    """Of the parabola through three points, at one of their times."""
    total = F(0)
    for i, (ti, vi) in enumerate(p):
        (tj, _), (tk, _) = p[:i] + p[i + 1:]
        total += vi * (2 * at - tj - tk) / ((ti - tj) * (ti - tk))
    return total

def parabola(p, t):
    return sum(v * (t - p[i - 1][0]) * (t - p[i - 2][0]) / ((u - p[i - 1][0]) * (u - p[i - 2][0])) for i, (u, v) in enumerate(p))

def curve(a0, a, b, b1, t):
    T = b[0] - a[0]
    if T == 0:
        return a[1]
    if not a0 and not b1:
        return a[1] + (b[1] - a[1]) * (t - a[0]) / T
    if not a0 or not b1:
        return parabola([a0 or a, a if a0 else b, b if a0 else b1], t)
    m, n, s = slope([a0, a, b], a[0]), slope([a, b, b1], b[0]), (t - a[0]) / T
    return ((2 * s**3 - 3 * s**2 + 1) * a[1] + (s**3 - 2 * s**2 + s) * T * m + (3 * s**2 - 2 * s**3) * b[1]
            + (s**3 - s**2) * T * n)

def fill(rows, a):
    """rows: [time, value or None, spike, run]; returns the values that are put in, by number."""
    put, nodes, n = {}, [], len(rows)
    def valid(i, run):
        return i < n and rows[i][3] == run and rows[i][1] is not None and not rows[i][2]
    def node(i):
        return (rows[i][0], rows[i][1], i)
    i = 0
    while i < n:
        run = rows[i][3]
        if i == 0 or rows[i - 1][3] != run:
            nodes = []
        if valid(i, run):
            if not nodes or rows[i][0] > nodes[-1][0]:
                nodes.append(node(i))
            i += 1
            continue
        j = i
        while j < n and rows[j][3] == run and not valid(j, run):
            j += 1
        if not nodes or not valid(j, run):
            i, nodes = j, []
            continue
        long = a.gaps not in ("linear", "cubic")
        if a.max_gap and a.max_gap.endswith("rows"):
            long |= j - i > int(a.max_gap[:-4])
        elif a.max_gap:
            long |= rows[j][0] - nodes[-1][0] > F(a.max_gap)
        cubic = a.gaps != "linear"
        after = node(j + 1) if cubic and valid(j + 1, run) and rows[j + 1][0] > rows[j][0] else None
        before = nodes[-2] if cubic and len(nodes) > 1 else None
        for k in range(i, j):
            if not long or (rows[k][2] and j - k <= a.window and k - nodes[-1][2] <= a.window):
                put[k] = curve(before and before[:2], nodes[-1][:2], node(j)[:2], after and after[:2], rows[k][0])
        nodes = [] if long else nodes
        i = j
    return put

def check(a):
    read, out = ([*csv.DictReader(open(name))] for name in (a.files[0], a.files[1]))
    assert len(read) == len(out)
    cuts, total = [F(t) for t in a.cuts.split(",")] if a.cuts else [], 0
    for who in sorted({r["who"] for r in read}) if a.by else [None]:
        rows = [(r, o) for r, o in zip(read, out) if who is None or r["who"] == who]
        for name in "xy":
            series, run, past, missed = [], 0, 0, 0
            for r, o in rows:
                t, cell = F(r["time"]), r[name]
                now = sum(c <= t for c in cuts)
                run += now > past or (a.cut_column and r["cut"] == "1")
                past = now
                value = None if cell in ("", "nan") else F(cell)
                series.append((t, value, value is not None and o[name] != cell and a.window > 0, run))
                missed += a.window > 0 and value is not None and value > 10**6 and o[name] == cell
            put = fill(series, a)
            assert missed < 5, missed
            for i, (r, o) in enumerate(rows):
                if i in put:
                    total += 1
                    assert abs(float(o[name]) - float(put[i])) < 1e-11 * max(1, abs(put[i])), (who, name, i, r, o, float(put[i]))
                elif series[i][1] is not None and not series[i][2]:
                    assert o[name] == r[name], (who, name, i, r, o)
                else:
                    assert o[name] in ("", "nan"), (who, name, i, r, o)
    print(total)

p = argparse.ArgumentParser()
p.add_argument("what")
p.add_argument("files", nargs=2)
p.add_argument("--gaps", default="keep")
p.add_argument("--max-gap")
p.add_argument("--window", type=int, default=0)
p.add_argument("--by", action="store_true")
p.add_argument("--cuts")
p.add_argument("--cut-column", action="store_true")
a = p.parse_args()
if a.what == "make":
    make(int(a.files[0]), int(a.files[1]))
else:
    check(a)
