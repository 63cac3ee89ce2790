"""accuracy.py ends|motions: recorded series against the truth, as numbers and as a table.

ends: the RMS error of the 12 rows at both ends, and of the first row, of 40 motions of up to 4 Hz at 120 rows a second with
noise of 0 to 10 mm, at a cutoff of 6 Hz, beside the Butterworth low-pass of second order forward and backward, whose -3 dB
frequency after both passes is 6 Hz as well, in the three ways of scipy's filtfilt: with its 9 rows of odd extension, with a
second of it, and with method="gust" (F. Gustafsson, "Determining the initial states in forward-backward filtering", IEEE
Transactions on Signal Processing 44, 1996).
motions: butterworth --cutoff auto --zero-phase over gait, a reach in rest, a throw, an impact, stairs, the steps of an encoder,
the pulses of a force plate and a gear, at 30 to 1,000 rows a second: the chosen cutoff ("-": the series stays), the RMS error
beside that of the raw series and of the best of many cutoffs, and the largest change of a sample. The program fails where an
error is above its bound."""
import math
import os
import random
import re
import subprocess
import sys

SPRUNG = os.environ["SPRUNG"]
failed = []


def smooth(columns, rate, *options):
    """The columns smoothed as one file."""
    rows = ["time," + ",".join("c%d" % k for k in range(len(columns)))]
    rows += ["%r," % (i / rate) + ",".join(map(repr, row)) for i, row in enumerate(zip(*columns))]
    done = subprocess.run([SPRUNG, "butterworth", "--zero-phase", "-q", "-d", "0", "-t", "time", *options],
                          input="\n".join(rows) + "\n", capture_output=True, text=True, check=True)
    return list(zip(*[[float(x) for x in line.split(",")[1:]] for line in done.stdout.splitlines()[1:]]))


def chosen(raw, rate):
    """The cutoff that auto chooses for a series, and the largest change of a sample."""
    text = "time,c0\n" + "".join("%r,%r\n" % (i / rate, x) for i, x in enumerate(raw))
    done = subprocess.run([SPRUNG, "butterworth", "--cutoff", "auto", "--zero-phase", "-v", "-d", "0"], input=text,
                          capture_output=True, text=True, check=True)
    cutoff = re.search("auto chose cutoff ([^ ]+)", done.stderr)
    got = [float(line.split(",")[1]) for line in done.stdout.splitlines()[1:]]
    return cutoff[1] if cutoff else "-", max(abs(a - b) for a, b in zip(got, raw))


def rms(errors):
    return math.sqrt(sum(e * e for e in errors) / len(errors))


def check(what, value, bound):
    if value > bound:
        failed.append("%s: %.4g is above %.4g" % (what, value, bound))


# --- ends ---

def butter(cutoff, rate):
    """b and a of the second-order Butterworth low-pass by the bilinear transform."""
    w = math.tan(math.pi * cutoff / rate)
    n = 1 + math.sqrt(2) * w + w * w
    return [w * w / n, 2 * w * w / n, w * w / n], [1, 2 * (w * w - 1) / n, (1 - math.sqrt(2) * w + w * w) / n]


def one_way(b, a, x, z1=0, z2=0):
    """From a state, in the transposed direct form II."""
    out = []
    for value in x:
        y = b[0] * value + z1
        z1, z2 = b[1] * value - a[1] * y + z2, b[2] * value - a[2] * y
        out.append(y)
    return out


def filtfilt(x, cutoff, rate, pad=9):
    """Both ways over the odd extension, each from the state in which its first value has settled."""
    b, a = butter(cutoff / (math.sqrt(2) - 1) ** 0.25, rate)  # |H|^2 is 1/sqrt 2 at the cutoff
    out = [2 * x[0] - v for v in x[pad:0:-1]] + list(x) + [2 * x[-1] - v for v in x[-2:-2 - pad:-1]]
    for _ in range(2):
        out = one_way(b, a, out, (1 - b[0]) * out[0], (b[2] - a[2]) * out[0])[::-1]
    return out[pad:-pad]


def gust(x, cutoff, rate):
    """Both ways from the two states for which the order of the ways matters least."""
    b, a = butter(cutoff / (math.sqrt(2) - 1) ** 0.25, rate)

    def forward(series):
        return one_way(b, a, series)

    def backward(series):
        return one_way(b, a, series[::-1])[::-1]

    rest = [0] * len(x)
    free = [one_way(b, a, rest, 1, 0), one_way(b, a, rest, 0, 1)]
    ends = [(backward(y), y) for y in free] + [(y[::-1], forward(y[::-1])) for y in free]  # of both orders, by state
    differ = [[p - q for p, q in zip(*pair)] for pair in ends] + [[p - q for p, q in zip(forward(backward(x)), backward(forward(x)))]]
    rows = [[sum(p * q for p, q in zip(u, v)) for v in differ] for u in differ[:4]]  # normal equations
    for k in range(4):
        for other in range(4):
            factor = rows[other][k] / rows[k][k] if other != k else 0
            rows[other] = [p - factor * q for p, q in zip(rows[other], rows[k])]
    states = [rows[k][4] / rows[k][k] for k in range(4)]
    return [y + sum(s * pair[0][i] for s, pair in zip(states, ends)) for i, y in enumerate(backward(forward(x)))]


def wander(rate, rows):
    """A motion of up to 4 Hz, some 100 mm high."""
    waves = [(random.uniform(0.3, 4), random.uniform(0, 2 * math.pi)) for _ in range(6)]
    return [sum(60 / (1 + f) * math.sin(2 * math.pi * f * i / rate + p) for f, p in waves) for i in range(rows)]


# Bounds of the RMS error of 12 end rows and of the first row, mm: those of the design with a tenth more for the draw.
ENDS = {0: (.01, .01), .1: (.10, .13), .3: (.24, .38), 1: (.70, 1.2), 3: (1.8, 2.9), 10: (5.6, 8.8)}


def ends():
    random.seed(1)
    rate, rows = 120, 240
    lines = [("noise", *["%s%s" % x for way in ("sprung", "filtfilt", "a second", "gust") for x in ((way, ", 12 rows"), ("first row", ""))])]
    for noise, (bound, first_bound) in ENDS.items():
        truth = [wander(rate, rows) for _ in range(40)]
        raw = [[x + random.gauss(0, noise) for x in column] for column in truth]
        found = []
        for got in (smooth(raw, rate, "--cutoff", "6"), [filtfilt(column, 6, rate) for column in raw],
                    [filtfilt(column, 6, rate, pad=rate) for column in raw], [gust(column, 6, rate) for column in raw]):
            off = [[a - b for a, b in zip(x, y)] for x, y in zip(got, truth)]
            found += [rms([e for o in off for e in o[:12] + o[-12:]]), rms([e for o in off for e in (o[0], o[-1])])]
        lines.append(["%g" % noise] + ["%.3f" % x for x in found])
        check("ends, noise %g, 12 rows" % noise, found[0], bound)
        check("ends, noise %g, first row" % noise, found[1], first_bound)
        check("ends, noise %g, 12 rows beside filtfilt" % noise, found[0], min(found[2::2]))
        check("ends, noise %g, first row beside filtfilt" % noise, found[1], found[3])
    return lines


# --- motions ---

def ease(u):
    """From 0 to 1 with the least jerk. T. Flash and N. Hogan, Journal of Neuroscience 5 (1985)."""
    u = min(1, max(0, u))
    return u ** 3 * (10 - 15 * u + 6 * u * u)


def gait(t):
    return 400 * t + sum(80 / k ** 2 * math.sin(2 * math.pi * 0.9 * k * t + k) for k in range(1, 6))


def reach(t):
    return 300 * ease((t - 7.3) / 0.3) - 300 * ease((t - 13.1) / 0.3)


def throw(t):
    return 900 * ease((t - 8) / 0.25) - 900 * ease((t - 9) / 0.8)


def impact(t):
    return 100 * math.sin(2 * t) + (40 * math.exp(-(t - 10) / 0.05) * math.sin(2 * math.pi * 12 * (t - 10)) if t > 10 else 0)


def stairs(t):
    return 180 * sum(ease((t - s) / 0.35) for s in range(1, 20))


def pulse(t):
    """Newtons: stance of 0.6 s with two peaks, then nothing."""
    u = t % 1.1 / 0.6
    return 740 * math.sin(math.pi * u) ** .3 * (1 - .25 * math.sin(math.pi * u) ** 4) if u < 1 else 0


def gear(t):
    return [1, 2, 3, 4, 8, 8, 2, 5][int(t / .7) % 8]


MOTIONS = {"gait": (gait, .5), "reach in rest": (reach, .3), "throw": (throw, .5), "impact": (impact, .5), "stairs": (stairs, .5),
           "encoder": (lambda t: 30 * math.sin(1.3 * t), None), "pulse": (pulse, 1), "gear": (gear, None)}
CUTOFFS = [0.5, 0.7, 1, 1.4, 2, 2.8, 4, 5.6, 8, 11, 16, 22, 31, 44, 62, 88, 125, 177, 250]


# Times the best cutoff's error, where that is more than 1.25: the steps of an encoder that lasts for many rows are no white
# noise, and at 30 rows a second an impact of 12 Hz looks like noise.
BOUND = {("encoder", 120): 2.5, ("encoder", 250): 3.2, ("encoder", 1000): 1.5, ("impact", 30): 1.5}


def motions():
    random.seed(2)
    lines = [("motion", "rows a second", "cutoff", "best cutoff", "raw", "auto", "best", "auto / best", "largest change")]
    for name, (motion, noise) in MOTIONS.items():
        for rate in (30, 60, 120, 250, 1000):
            rows = min(20 * rate, 6000) if name not in ("gait", "encoder") else 10 * min(rate, 400)
            late = 6 if name in ("reach in rest", "throw", "impact") and rows < 20 * rate else 0
            truth = [motion(late + i / rate) for i in range(rows)]
            raw = [round(x) if noise is None else x + random.gauss(0, noise) for x in truth]
            error = {}
            for cutoff in ["auto"] + [str(c) for c in CUTOFFS if c < 0.44 * rate]:
                error[cutoff] = rms([a - b for a, b in zip(smooth([raw], rate, "--cutoff", cutoff)[0], truth)])
            own, auto = rms([a - b for a, b in zip(raw, truth)]), error.pop("auto")
            at = min(error, key=error.get)
            best = min(error[at], own)
            cutoff, change = chosen(raw, rate)
            ratio = "%.2f" % (auto / best) if best else "-"
            lines.append([name, "%d" % rate, cutoff, at if best < own else "-"] + ["%.4f" % x for x in (own, auto, best)] + [ratio, "%.3g" % change])
            check("%s at %d rows a second" % (name, rate), auto, BOUND.get((name, rate), 1.25) * best)
            if name not in ("pulse", "gear"):
                check("%s at %d rows a second beside the raw series" % (name, rate), auto, 1.4 * own if rate == 30 else 0.95 * own)
            else:
                check("%s at %d rows a second: largest change" % (name, rate), change, 7.4 if name == "pulse" else 0)
    return lines


table = {"ends": ends, "motions": motions}[sys.argv[1]]()
for line in table:
    print("  ".join(cell.rjust(18) for cell in line))
if failed:
    sys.exit("\n".join(failed))
