"""choose_halflife.py best|least: --halflife auto, judged by the program's own results at given half-lives.

best: on smooth motion in white noise the RMS error is at most 1.1 times that of the best half-life.
least: no half-life, given as a number, has a lower score mean((x - y)^2) / (1 - h)^2 than the one that is chosen, but
for the width of the search, where h is the answer at a lone 1; with gaps, with uneven steps, for quaternions too.
"""
import json
import math
import os
import random
import subprocess
import sys

SPRUNG = os.environ["SPRUNG"]


def run(rows, *options):
    """Filters CSV; the result's rows as numbers, and the messages."""
    text = "\n".join(",".join("" if x is None else repr(x) if isinstance(x, float) else x for x in row)
                     for row in rows) + "\n"
    got = subprocess.run([SPRUNG, *options, "--zero-phase", "-d", "0", "-v"], input=text, capture_output=True, text=True,
                         check=True)
    out = [[float(x) if x else None for x in line.split(",")] for line in got.stdout.splitlines()[1:]]
    return out, got.stderr


def chosen(messages):
    return [float(line.split("half-life ")[1].split()[0]) for line in messages.splitlines() if "by cross-val" in line]


def motion(t):
    return math.sin(math.pi * t) + 0.5 * math.sin(2.6 * math.pi * t + 1) + 0.2 * math.sin(4.2 * math.pi * t + 2)


def rms(pairs):
    pairs = list(pairs)
    return math.sqrt(sum((a - b) ** 2 for a, b in pairs) / len(pairs))


def best():
    random.seed(7)
    for noise in 0.02, 0.1, 0.5:
        for halflife_filter in "damper", "critical", "double":
            times = [i / 120 for i in range(600)]
            truth = [motion(t) for t in times]
            rows = [["time", "x"]] + [[t, x + random.gauss(0, noise)] for t, x in zip(times, truth)]

            def error(halflife):
                out, _ = run(rows, halflife_filter, "-H", halflife)
                return rms((row[1], x) for row, x in zip(out, truth))

            least = min(error(repr(0.004 * 1.4 ** k)) for k in range(10))
            auto = error("auto")
            print(halflife_filter, noise, auto, least)
            assert auto <= 1.1 * least


def impulse(command, halflife, step, n):
    rows = [["time", "x"]] + [[i * step, float(i == n // 2)] for i in range(n)]
    return run(rows, *command, "-H", halflife)[0][n // 2][1]


def check_least(name, command, rows, misfit, step):
    """misfit: of the result's rows from the input's, the mean square of those that are known."""
    halflife = chosen(run(rows, *command, "-H", "auto")[1])[0]

    def score(h):
        return misfit(run(rows, *command, "-H", repr(h))[0]) / (1 - impulse(command, repr(h), step, 801)) ** 2

    here = score(halflife)
    others = [score(halflife * 1.25 ** k) for k in (-6, -3, -2, -1, 1, 2, 3, 6)]
    print(name, halflife, here, min(others))
    assert here <= min(others)


def square_of(rows, column):
    def misfit(out):
        pairs = [(a[column], b[column]) for a, b in zip(out, rows[1:]) if b[column] is not None]
        return rms(pairs) ** 2
    return misfit


def quaternion(angle, tilt):
    return [math.cos(angle / 2), math.sin(angle / 2) * math.cos(tilt), math.sin(angle / 2) * math.sin(tilt), 0.0]


def turned(rows):
    """Mean squared angle between the quaternions of the result and of the input."""
    def misfit(out):
        total = 0
        for a, b in zip(out, rows[1:]):
            dot = min(1, abs(sum(p * q for p, q in zip(a[1:], b[1:])) / math.sqrt(sum(q * q for q in b[1:]))))
            total += (2 * math.acos(dot)) ** 2
        return total / len(out)
    return misfit


def least():
    random.seed(3)
    even = [["time", "x"]] + [[i / 60, motion(i / 60) + random.gauss(0, 0.1)] for i in range(400)]
    gaps = [row[:1] + [None if 100 <= i < 130 or i in (7, 200) else row[1]] if i else row for i, row in enumerate(even)]
    t, uneven = 0.0, [["time", "x"]]
    for i in range(400):
        uneven.append([t, motion(t) + random.gauss(0, 0.1)])
        t += random.uniform(0.9, 1.1) / 60
    rotations = [["time", "w", "x", "y", "z"]] + [[i / 60] + quaternion(motion(i / 60) + random.gauss(0, 0.1), 0.3)
                                                  for i in range(400)]
    for command in ["critical"], ["double"], ["damper"]:
        check_least("even", command, even, square_of(even, 1), 1 / 60)
    check_least("gaps", ["critical"], gaps, square_of(gaps, 1), 1 / 60)
    check_least("uneven", ["critical", "--hold", "linear"], uneven, square_of(uneven, 1), 1 / 60)
    command = ["critical", "--quaternions", "2-5"]
    halflife = chosen(run(rotations, *command, "-H", "auto")[1])
    assert len(halflife) == 4 and len(set(halflife)) == 1

    def score(h):
        return turned(rotations)(run(rotations, *command, "-H", repr(h))[0]) / (
            1 - impulse(["critical"], repr(h), 1 / 60, 801)) ** 2

    others = [score(halflife[0] * 1.25 ** k) for k in (-6, -3, -2, -1, 1, 2, 3, 6)]
    print("quaternions", halflife[0], score(halflife[0]), min(others))
    assert score(halflife[0]) <= min(others)


{"best": best, "least": least}[sys.argv[1]]()
