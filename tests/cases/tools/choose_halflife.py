"""choose_halflife.py best|robust|coloured|white|rotations: --halflife auto, judged by the program's own results at given half-lives.

best: for a gait, two sines and one, under white noise of 0.3 to 10 percent of the range, and quantised: the RMS error is at
most 1.1 times that of the best half-life of a grid at the median, and 1.25 times at worst.
robust: a spike of 500, gaps and a series of 40,000 rows of the same motion choose the same within 15 percent.
coloured: of noise that is not white, and of data that were smoothed before, a message says so; of white noise none does.
white: white noise of 0.3 at 120 rows a second is never taken for none: a series of 20 rows or 600, alone or on a sine, in
fine steps or in such coarse ones that most rows are equal.
rotations: a rotation about a fixed axis chooses what its angle does.
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
    return [float(line.split("half-life ")[1].split()[0]) for line in messages.splitlines() if "auto chose" in line]


def motion(t):
    return math.sin(math.pi * t) + 0.5 * math.sin(2.6 * math.pi * t + 1) + 0.2 * math.sin(4.2 * math.pi * t + 2)


def rms(pairs):
    pairs = list(pairs)
    return math.sqrt(sum((a - b) ** 2 for a, b in pairs) / len(pairs))


def sines(*tones):
    return lambda t: sum(size * math.sin(2 * math.pi * f * t + phase) for size, f, phase in tones)


MOTIONS = [(120, sines((300, 0.8, 0), (60, 2.3, 1), (15, 4.7, 2))), (100, sines((100, 1, 0), (30, 5, 1))),
           (100, sines((100, 2, 0)))]


def series(rate, move, n, change):
    truth = [move(i / rate) for i in range(n)]
    size = max(truth) - min(truth)
    return truth, [["time", "x"]] + [[round(i / rate, 6), change(x, size)] for i, x in enumerate(truth)]


def best():
    random.seed(7)
    ratios = []
    changes = [lambda x, size, part=part: x + random.gauss(0, part * size) for part in (0.003, 0.01, 0.03, 0.1)]
    changes += [lambda x, size: round(x / (0.01 * size)) * 0.01 * size]
    for rate, move in MOTIONS:
        for number, change in enumerate(changes):
            truth, rows = series(rate, move, 900, change)
            for name in ("damper", "critical", "double") if number == 1 else ("critical",):
                def error(halflife):
                    out, _ = run(rows, name, "-H", halflife)
                    return rms((row[1], x) for row, x in zip(out, truth))

                least = min(error(repr(0.35 * 1.3 ** k / rate)) for k in range(13))
                ratios.append(error("auto") / least)
                print(rate, number, name, ratios[-1])
    ratios.sort()
    assert ratios[len(ratios) // 2] <= 1.1 and ratios[-1] <= 1.25, ratios


def robust():
    random.seed(3)
    rate, move = MOTIONS[0]
    _, rows = series(rate, move, 900, lambda x, size: x + random.gauss(0, 3))
    plain = chosen(run(rows, "critical", "-H", "auto")[1])[0]
    spiked = [row[:] for row in rows]
    spiked[300][1] += 500
    gaps = [row[:1] + [None if 100 <= i < 130 or i in (7, 200) else row[1]] if i else row for i, row in enumerate(rows)]
    _, long = series(rate, move, 40000, lambda x, size: x + random.gauss(0, 3))
    for what, other in ("spike", spiked), ("gaps", gaps), ("long", long):
        got = chosen(run(other, "critical", "-H", "auto")[1])[0]
        print(what, got, plain)
        assert abs(got / plain - 1) <= 0.15


def coloured():
    random.seed(11)
    rate, move = MOTIONS[0]
    n = 900
    truth = [move(i / rate) for i in range(n)]
    white = [random.gauss(0, 3) for _ in range(n)]
    noisy = [x + w for x, w in zip(truth, white)]

    def mean(values):
        near = [values[max(i - 4, 0):i + 5] for i in range(n)]
        return [sum(some) / len(some) for some in near]

    coloured_noise = mean(mean(white))
    for what, values, said in (("white", noisy, False), ("smoothed", mean(mean(mean(noisy))), True),
                               ("coloured", [x + 3 * w for x, w in zip(truth, coloured_noise)], True)):
        messages = run([["time", "x"]] + [[round(i / rate, 6), x] for i, x in enumerate(values)],
                       "critical", "-H", "auto")[1]
        cutoff = float(messages.split("cutoff ")[1].split()[0])
        print(what, cutoff, messages)
        assert ("almost no noise" in messages) == said == (cutoff > rate / 4)


def white():
    random.seed(12)
    for what, value in (("alone", lambda t: random.gauss(0, 0.3)), ("wave", lambda t: 10 * math.sin(6 * t) + random.gauss(0, 0.3)),
                        ("tenths", lambda t: round(random.gauss(0, 0.3), 1)), ("coarse", lambda t: round(random.gauss(0, 0.3)))):
        for n, count in (20, 100), (30, 100), (60, 100), (600, 10):
            names = [f"c{i}" for i in range(count)]
            rows = [["time", *names]] + [[i / 120, *(float(value(i / 120)) for _ in names)] for i in range(n)]
            messages = run(rows, "critical", "-H", "auto", "--vectors", "none")[1]
            print(what, n, len(chosen(messages)))
            assert len(chosen(messages)) == count and "almost no noise" not in messages, messages


def rotations():
    random.seed(5)
    angles = [motion(i / 60) + random.gauss(0, 0.02) for i in range(400)]
    turned = [["time", "w", "x", "y", "z"]] + [[i / 60, math.cos(a / 2), math.sin(a / 2) * .6, math.sin(a / 2) * .8, 0.0]
                                               for i, a in enumerate(angles)]
    plain = chosen(run([["time", "a"]] + [[i / 60, a] for i, a in enumerate(angles)], "critical", "-H", "auto")[1])
    got = chosen(run(turned, "critical", "--quaternions", "2-5", "-H", "auto")[1])
    print(got, plain)
    assert len(got) == 4 and len(set(got)) == 1 and abs(math.log(got[0] / plain[0])) < 0.1


{"best": best, "robust": robust, "coloured": coloured, "white": white, "rotations": rotations}[sys.argv[1]]()
