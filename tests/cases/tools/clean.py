#!/usr/bin/python3
"""Fills gaps and spikes of a csv by what the manual says, in fractions, and compares; knows nothing of sprung; for its tests.

    clean.py make SEED ROWS      prints a series at uneven times: time,x,y,who,cut; now and then a value is missing, or
                                 beyond 1e6: a spike, at least 13 rows after the last one
    clean.py check IN OUT [OPTION]...   OUT is IN after cleaning; prints how many values were filled

    --linear        gaps are filled
    --max-gap L     of at most so many seconds, or rows as in 3rows
    --spikes        values beyond 1e6 that changed are spikes; a few of them may be kept
    --by            each who is a series of its own
    --cuts T,T --cut-column   nothing is filled over these times, nor into rows where cut is 1

Valid values must keep their bytes.
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

def cubic(points, t):
    """Lagrange's cubic through four points, within their range."""
    total = F(0)
    for i, (ti, x) in enumerate(points):
        for j, (tj, _) in enumerate(points):
            x *= (t - tj) / (ti - tj) if i != j else 1
        total += x
    values = [x for _, x in points]
    return min(max(total, min(values)), max(values))

def bridge(run):
    """run: [time, value or None, spike]; puts numbers in the place of spikes."""
    put = {}
    for i, (t, _, spike) in enumerate(run):
        before = [r[:2] for r in run[:i] if r[1] is not None and not r[2]][-2:]
        after = [r[:2] for r in run[i + 1:] if r[1] is not None and not r[2]][:2]
        if spike:
            assert len(before) == len(after) == 2
            put[i] = cubic(before + after, t)
    for i, x in put.items():
        run[i][1] = x
    return put

def fill(run, most):
    put, last = {}, None
    for j, (t, x, _) in enumerate(run):
        if x is None:
            continue
        if last is not None and j - last > 1:
            s, a = run[last][0], run[last][1]
            rows = most and most.endswith("rows")
            long = most and (j - last - 1 > int(most[:-4]) if rows else t - s > F(most))
            for k in range(last + 1, last if long else j):
                put[k] = a + (x - a) * (run[k][0] - s) / (t - s)
        last = j
    return put

def runs_of(rows, name, a, cuts):
    """Splits a channel at cuts; a spike is a large value that has changed."""
    runs, past = [[]], 0
    for r, o in rows:
        now = sum(c <= F(r["time"]) for c in cuts)
        if now > past or (a.cut_column and r["cut"] == "1"):
            runs.append([])
        past = now
        value = None if r[name] in ("", "nan") else F(r[name])
        large = a.spikes and value is not None and value > 10**6
        runs[-1].append([F(r["time"]), value, large and o[name] != r[name]])
    return runs

def check(a):
    read, out = ([*csv.DictReader(open(name))] for name in a.files)
    assert len(read) == len(out)
    cuts, total, spikes, kept = [F(t) for t in a.cuts.split(",")] if a.cuts else [], 0, 0, 0
    for who in sorted({r["who"] for r in read}) if a.by else [None]:
        rows = [(r, o) for r, o in zip(read, out) if who is None or r["who"] == who]
        for name in "xy":
            want = []
            for run in runs_of(rows, name, a, cuts):
                spikes += sum(spike for _, _, spike in run)
                kept += sum(bool(a.spikes) and x is not None and x > 10**6 and not spike for _, x, spike in run)
                put = bridge(run)
                if a.linear:
                    put.update(fill(run, a.max_gap))
                want += [put.get(k) for k in range(len(run))]
            for (r, o), x in zip(rows, want, strict=True):
                total += x is not None
                if x is None:
                    assert r[name] == o[name], (r, o)
                else:
                    assert abs(float(o[name]) - float(x)) <= 1e-9 * max(1, abs(float(x))), (r, o, float(x))
    assert kept <= spikes, (kept, spikes)
    print(total)

p = argparse.ArgumentParser()
p.add_argument("verb")
p.add_argument("files", nargs=2)
p.add_argument("--linear", action="store_true")
p.add_argument("--spikes", action="store_true")
p.add_argument("--max-gap")
p.add_argument("--by", action="store_true")
p.add_argument("--cuts")
p.add_argument("--cut-column", action="store_true")
a = p.parse_args()
if a.verb == "make":
    make(int(a.files[0]), int(a.files[1]))
else:
    check(a)
