#!/usr/bin/python3
"""Resamples a csv by what the manual says, in fractions, and compares: knows nothing of sprung; for its tests.

    resample.py make SEED ROWS [OPTION]...            prints a series at random times: time, x, y, note, cut, who
    resample.py check HZ IN OUT [OPTION]...           OUT is IN at even times: prints how many rows that are

    --scale N    times are whole numbers of 10^-N of their unit (make)
    --origin T   the first of them is at or after T (make)
    --holes P    that part of the values is missing (make)
    --cuts T,T   jumps at these times of the column's unit (check)
    --cut        the column cut marks jumps (check)
    --group      a series for each value of the column who (check)
    --period P   x and y are angles (check)
    --rate HZ    row n is at n / HZ: the time column is text (check)
    --unit U     the time column's unit in seconds, as 1/1000 (check)

Values at rows must be exact, those in between to 1e-12 of the larger neighbour; angles to as much of the largest value,
since whole turns are added and taken off. Times are those of the neighbouring doubles, as the shortest decimals, unless
the first time of the series has decimals that doubles of that size do not tell apart: then it has as many.
"""
import argparse
import csv
import math
import random
import sys
from fractions import Fraction

LARGEST = 1e6  # of values; unwrapped angles come close to it

def make(a):
    rnd = random.Random(a.seed)
    step = Fraction(1, 10**a.scale)
    print("time,x,y,note,cut,who")
    t = Fraction(a.origin)
    for n in range(a.rows):
        hole = [rnd.random() < a.holes for _ in "xy"]
        x, y = round(rnd.uniform(-180, 180), 3), rnd.uniform(-1, 1) * LARGEST / 10 ** rnd.randint(0, 9)
        units = t / step
        text = f"{'-' if units < 0 else ''}{abs(units) // 10**a.scale}"
        if a.scale:
            text += f".{int(abs(units)) % 10**a.scale:0{a.scale}}"
        cells = [text, "" if hole[0] and n else repr(x), "nan" if hole[1] and n else repr(y),
                 rnd.choice(['"a, b"', "plain", '"say ""so"""', ""]), str(int(rnd.random() < 0.1)), rnd.choice("uvw")]
        print(",".join(cells))
        t += step * rnd.choice([0, 1, 1, 2, 3, 7, 10, 40])


def gap(text):
    return text in ("", "nan")


def resample(rows, times, hz, cuts, marked, period):
    """Yields for each point: the row with which it is known, its time, its values, the row with its cells, whether it is
    cut. A value is None in a gap, else its number and the two it lies between, None where it is one of them."""
    kept, k, due, past = None, 0, False, 0
    for n, row in enumerate(rows):
        t = times[n]
        cut = marked and row[4] not in ("", "0")
        while past < len(cuts) and cuts[past] <= t:
            cut, past = True, past + 1
        if kept is not None and t == times[kept]:
            due |= cut
            continue
        while kept is not None and times[0] + k / hz < t:
            at = times[0] + k / hz
            values = []
            for c in (1, 2):
                a, b = rows[kept][c], row[c]
                if gap(a) or gap(b):
                    values.append(None)
                    continue
                x, y = Fraction(float(a)), Fraction(float(b))
                d = y - x
                if period:
                    d -= period * round_half_away(d / period)
                f = (at - times[kept]) / (t - times[kept])
                values.append((x, None) if cut else (x + d * f, (x, y)))
            yield n, at, values, rows[kept], due
            due = False
            k += 1
        due |= cut
        kept = n
        if times[0] + k / hz == t:
            yield n, t, [None if gap(row[c]) else (Fraction(float(row[c])), None) for c in (1, 2)], row, due
            due = False
            k += 1


def round_half_away(x):
    return math.floor(abs(x) + Fraction(1, 2)) * (1 if x >= 0 else -1)


def same(text, want, period, what):
    if want is None:
        assert gap(text), f"{what}: a gap, not {text}"
        return
    exact, ends = want
    got = Fraction(float(text))
    slack = 1e-11 * max(abs(float(x)) for x in (*(ends or ()), exact, LARGEST if period else 0))
    if period:
        got += period * round_half_away((exact - got) / period)
    assert abs(got - exact) <= slack, f"{what}: {float(exact)!r}, not {text}"


def spelled(at, first):
    """The time at as text; first is the text of the first time."""
    decimals = len(first.partition(".")[2])
    units = at * 10**decimals
    if abs(units) < 2**52:
        return None
    n = math.floor(units + Fraction(1, 2))
    text = f"{'-' if n < 0 else ''}{abs(n) // 10**decimals}.{abs(n) % 10**decimals:0{decimals}}"
    return text.rstrip("0").rstrip(".")


def join(rows, times):
    """Rows of one time are one sample: what misses in the first one comes from a later one."""
    first = 0
    for i, row in enumerate(rows):
        if times[i] != times[first]:
            first = i
        for c in (1, 2):
            if gap(rows[first][c]):
                rows[first][c] = row[c]


def check(a):
    source = list(csv.reader(open(a.input, newline="")))
    result = list(csv.reader(open(a.output, newline="")))
    assert source[0] == result[0], (source[0], result[0])
    source, result = source[1:], result[1:]
    hz, unit = Fraction(a.hz), Fraction(a.unit)
    period = Fraction(a.period) if a.period else None
    cuts = [Fraction(c) for c in a.cuts.split(",")] if a.cuts else []
    series = {}
    for n, row in enumerate(source):
        series.setdefault(row[5] if a.group else "", []).append(n)
    points = []
    for order in series.values():
        rows = [list(source[n]) for n in order]
        times = [Fraction(i) / Fraction(a.rate) if a.rate else Fraction(r[0]) * unit for i, r in enumerate(rows)]
        join(rows, times)
        for arrives, at, values, cells, cut in resample(rows, times, hz, cuts, a.cut, period):
            points.append((order[arrives], at, values, cells, cut, rows[0][0]))
    points.sort(key=lambda p: p[0])
    assert len(points) == len(result), f"{len(points)} rows, not {len(result)}"
    for i, ((_, at, values, cells, cut, first), row) in enumerate(zip(points, result)):
        if a.rate:
            assert row[0] == cells[0], f"row {i}: time {cells[0]}, not {row[0]}"
        elif spelled(at / unit, first):
            assert row[0] == spelled(at / unit, first), f"row {i}: time {spelled(at / unit, first)}, not {row[0]}"
        else:
            time = float(row[0])
            assert abs(time - at / unit) <= math.ulp(max(abs(time), abs(float(first)))), f"row {i}: time {float(at / unit)!r}, not {row[0]}"
            assert len(row[0]) <= len(repr(time)), f"row {i}: {row[0]} is long"
        for c, value in zip((1, 2), values):
            same(row[c], value, period, f"row {i}, column {c}")
        assert row[3] == cells[3] and row[5] == cells[5], f"row {i}: {row[3:]}, not {cells[3:]}"
        assert row[4] == (str(int(cut)) if a.cut else cells[4]), f"row {i}: cut {row[4]}, not {cut}"
    print(len(result))


def main():
    p = argparse.ArgumentParser()
    sub = p.add_subparsers(dest="what", required=True)
    m = sub.add_parser("make")
    m.add_argument("seed", type=int)
    m.add_argument("rows", type=int)
    m.add_argument("--scale", type=int, default=2)
    m.add_argument("--origin", default="0")
    m.add_argument("--holes", type=float, default=0)
    c = sub.add_parser("check")
    c.add_argument("hz")
    c.add_argument("input")
    c.add_argument("output")
    c.add_argument("--cuts")
    c.add_argument("--cut", action="store_true")
    c.add_argument("--group", action="store_true")
    c.add_argument("--period")
    c.add_argument("--rate")
    c.add_argument("--unit", default="1")
    a = p.parse_args()
    try:
        make(a) if a.what == "make" else check(a)
    except AssertionError as e:
        sys.exit(f"resample.py: {e}")


main()
