"""spline.py dense|uneven|stretches|lookahead|loop|reversed|points|rotations|arrival: butterworth --zero-phase against the
cubic smoothing spline, whose normal equations in value and slope of each sample are solved by elimination. SPRUNG: the program."""
import math
import os
import random
import subprocess
import sys

SPRUNG = os.environ["SPRUNG"]
random.seed(3)


def solve(times, values, weights, a2):
    """Value and slope at each time: the least sum of w (x - g)^2 and a2 integral of x''^2."""
    n = len(times)
    A, b = [[0.0] * 4 for _ in range(2 * n)], [0.0] * (2 * n)
    for i, (g, w) in enumerate(zip(values, weights)):
        if w:
            A[2 * i][0] += w
            b[2 * i] += w * g
    for i in range(1, n):
        T = times[i] - times[i - 1]
        form = [[12 / T**3, 6 / T**2, -12 / T**3, 6 / T**2], [0, 4 / T, -6 / T**2, 2 / T], [0, 0, 12 / T**3, -6 / T**2],
                [0, 0, 0, 4 / T]]
        for p in range(4):
            for r in range(p, 4):
                A[2 * i - 2 + p][r - p] += a2 * form[p][r]
    for k in range(2 * n):
        for j in range(1, min(4, 2 * n - k)):
            f = A[k][j] / A[k][0]
            for m in range(j, 4):
                A[k + j][m - j] -= f * A[k][m]
            b[k + j] -= f * b[k]
    for k in reversed(range(2 * n)):
        b[k] = (b[k] - sum(A[k][j] * b[k + j] for j in range(1, min(4, 2 * n - k)))) / A[k][0]
    return b[::2], b[1::2]


def penalty(cutoff, T):
    q = (2 * math.sin(math.pi * cutoff * T))**2
    return (math.sqrt(2) - 1) * (1 - q / 6) / q**2 * T**4


def sprung(times, columns, *options, derivatives=1, pieces=None, names=None):
    """The columns of the result: value, velocity, … of each. A None is an empty cell."""
    rows = ["time," + ",".join(names or ["c%d" % k for k in range(len(columns))])]
    rows += ["%r," % t + ",".join("" if x is None else repr(x) for x in row) for t, row in zip(times, zip(*columns))]
    text = "\n".join(rows) + "\n"
    command = [SPRUNG, "butterworth", "--zero-phase", "-q", "-d", str(derivatives), "-t", "time", *options]
    if pieces is None:
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout
    else:
        child = subprocess.Popen(f"{{ {pieces}; }} | " + " ".join(command), shell=True, stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE, text=True)
        done = child.communicate(text)[0]
    read = [[float(x) if x not in ("", "nan") else None for x in line.split(",")[1:]] for line in done.splitlines()[1:]]
    return [list(column) for column in zip(*read)]


def near(got, want, tolerance, what):
    for i, (a, b) in enumerate(zip(got, want)):
        assert (a is None) == (b is None), (what, i, a, b)
        assert a is None or abs(a - b) <= tolerance, (what, i, a, b)
    assert len(got) == len(want), (what, len(got), len(want))


def walk(times):
    return [300 * math.sin(6 * t) + 100 * math.cos(17 * t + 1) + random.gauss(0, 2) for t in times]


def dense():
    """Away from the ends, on even rows, with and without gaps."""
    for rate, cutoff, missing in ((120, 6, 0), (60, 10, 0), (1000, 30, 0), (100, 5, .2), (30, 12, 0)):
        n = int(30 / cutoff * rate)
        times = [i / rate for i in range(n)]
        values = [None if i not in (0, n - 1) and random.random() < missing else x for i, x in enumerate(walk(times))]
        weights = [0 if x is None else 1 / rate for x in values]
        x, v = solve(times, [x or 0 for x in values], weights, penalty(cutoff, 1 / rate))
        got = sprung(times, [values], "--cutoff", str(cutoff), "--gaps", "fill")
        part = slice(int(10 / cutoff * rate), int(20 / cutoff * rate))
        near(got[0][part], x[part], 1e-7, ("value", rate))
        near(got[1][part], v[part], 1e-4, ("velocity", rate))


def uneven():
    """Each sample stands for half of both steps beside it; the cutoff is met at the median step."""
    times = [0]
    while len(times) < 600:
        times.append(round(times[-1] + random.uniform(.006, .011), 6))
    values, steps = walk(times), [b - a for a, b in zip(times, times[1:])]
    weights = [steps[0]] + [(a + b) / 2 for a, b in zip(steps, steps[1:])] + [steps[-1]]
    median = sorted(steps)[len(steps) // 2]
    x, v = solve(times, values, weights, penalty(6, median))
    got = sprung(times, [values], "--cutoff", "6")
    near(got[0][200:400], x[200:400], 1e-7, "value")
    near(got[1][200:400], v[200:400], 1e-4, "velocity")


def stretches():
    """A long series has the curve of the series as a whole."""
    n, rate = 9000, 120
    times = [i / rate for i in range(n)]
    values = [None if 0 < i < n - 1 and (i % 2311 < 60 or random.random() < .02) else x for i, x in enumerate(walk(times))]
    x, v = solve(times, [x or 0 for x in values], [0 if x is None else 1 / rate for x in values], penalty(6, 1 / rate))
    got = sprung(times, [values], "--cutoff", "6")
    part = slice(200, n - 200)
    near(got[0][part], [b if a is not None else None for a, b in zip(values, x)][part], 1e-6, "value")
    near(got[1][part], [b if a is not None else None for a, b in zip(values, v)][part], 1e-3, "velocity")


def lookahead():
    """Each row is the last but S seconds of the spline through all rows up to then; live rows leave as soon."""
    n, rate = 400, 120
    times = [i / rate for i in range(n)]
    values = walk(times)
    for ahead in (0, 12, 30):
        got = sprung(times, [values], "--cutoff", "6", "--lookahead", repr(ahead / rate))
        for i in (200, 283, 350):
            end = i + ahead + 1
            x, v = solve(times[:end], values[:end], [1 / rate] * end, penalty(6, 1 / rate))
            near([got[0][i], got[1][i]], [x[i], v[i]], 1e-5, ("lookahead", ahead, i))


def loop():
    """Value, slope and bend agree at the seam, and a turned loop has the turned result."""
    rate, n = 30, 40
    wave = [10 * math.sin(2 * math.pi * i / n) + 4 * math.cos(8 * math.pi * i / n) + random.gauss(0, .3) for i in range(n)]
    for cutoff in ("1", "4", "9"):
        times = [i / rate for i in range(n)]
        got = sprung(times, [wave], "--cutoff", cutoff, "--loop", derivatives=2)
        turned = sprung(times, [wave[13:] + wave[:13]], "--cutoff", cutoff, "--loop", derivatives=2)
        closed = sprung(times + [n / rate], [wave + wave[:1]], "--cutoff", cutoff, "--loop", derivatives=2)
        for o, scale in enumerate((1e-8, 1e-6, 1e-4)):
            near(turned[o], got[o][13:] + got[o][:13], scale, ("turned", cutoff, o))
            near(closed[o], got[o] + got[o][:1], scale, ("closed", cutoff, o))


def back():
    """The reversed series has the reversed result, with uneven steps and gaps, too."""
    times = [0]
    while len(times) < 500:
        times.append(times[-1] + random.choice((.008, .009, .02)))
    values = [None if i % 50 in (7, 8, 9) else x for i, x in enumerate(walk(times))]
    got = sprung(times, [values], "--cutoff", "5", derivatives=2)
    back = sprung([times[-1] - t for t in times[::-1]], [values[::-1]], "--cutoff", "5", derivatives=2)
    for o, (sign, scale) in enumerate(((1, 1e-7), (-1, 1e-4), (1, 1e-2))):
        near([None if x is None else sign * x for x in back[o][::-1]], got[o], scale, ("reversed", o))


def points():
    """A point of --resample lies on the cubic between two rows; rows that are points keep their values."""
    rate, n = 60, 200
    times = [i / rate for i in range(n)]
    values = walk(times)
    rows = sprung(times, [values], "--cutoff", "5")
    got = sprung(times, [values], "--cutoff", "5", "--resample", "240")
    near(got[0][::4], rows[0], 1e-9, "rows")
    T = 1 / rate
    for i in range(n - 1):
        x0, x1, v0, v1 = rows[0][i], rows[0][i + 1], rows[1][i], rows[1][i + 1]
        for k in (1, 2, 3):
            u = k / 4
            x = (1 + 2 * u) * (1 - u)**2 * x0 + u * (1 - u)**2 * T * v0 + u**2 * (3 - 2 * u) * x1 + u**2 * (u - 1) * T * v1
            near([got[0][4 * i + k]], [x], 1e-7, ("point", i, k))


def quaternion(v):
    angle = math.sqrt(sum(x * x for x in v))
    s = math.sin(angle / 2) / angle if angle else .5
    return [math.cos(angle / 2)] + [s * x for x in v]


def rotations():
    """About a fixed axis the result is that of the angle, and quaternions keep length 1; the angular velocity of a tumbling
    motion is that of the rotations from row to row."""
    rate, n = 100, 300
    times = [i / rate for i in range(n)]
    angles = [2.5 * math.sin(3 * t) + random.gauss(0, .03) for t in times]
    axis = [.6, 0, .8]
    turned = [quaternion([a * x for x in axis]) for a in angles]
    want = sprung(times, [angles], "--cutoff", "5")
    got = sprung(times, list(zip(*turned)), "--cutoff", "5", "--quaternions", "q", names=["q_" + k for k in "wxyz"])
    for i in range(n):
        q = [got[k][i] for k in range(4)]
        assert abs(sum(x * x for x in q) - 1) < 1e-12
        near(q, [x * (1 if q[0] * quaternion([want[0][i] * x for x in axis])[0] > 0 else -1) for x in
                 quaternion([want[0][i] * x for x in axis])], 1e-6, ("fixed axis", i))
        near([got[4 + k][i] for k in range(3)], [want[1][i] * x for x in axis], 1e-4, ("rate", i))


def arrival():
    """Bytes depend neither on threads, nor on pieces, nor on other channels."""
    times = [i / 120 for i in range(5200)]
    x, y = walk(times), [None if i % 700 < 90 else v for i, v in enumerate(walk(times))]
    for options in (("--cutoff", "6"), ("--cutoff", "auto"), ("--cutoff", "6", "--lookahead", ".1"),
                    ("--cutoff", "4", "--gaps", "fill", "--max-gap", "2")):
        want = sprung(times, [x, y], *options, derivatives=2)
        assert sprung(times, [x, y], *options, "-j", "1", derivatives=2) == want, options
        assert sprung(times, [x, y], *options, derivatives=2, pieces="dd bs=777 status=none") == want, options
        assert sprung(times, [y], *options, derivatives=2)[0] == want[1], options


{"dense": dense, "uneven": uneven, "stretches": stretches, "lookahead": lookahead, "loop": loop, "reversed": back,
 "points": points, "rotations": rotations, "arrival": arrival}[sys.argv[1]]()
