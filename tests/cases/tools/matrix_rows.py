#!/usr/bin/python3
"""Filters a csv by matrix exponentials of 30 digits, and compares: knows nothing of sprung; for its tests.

    matrix_rows.py IN < CASES

Each line of CASES is FILTER OUT CHANNEL [NAME=VALUE]...: OUT is what FILTER (damper, critical, spring, double, second-order
or tracking) has made of CHANNEL in IN. NAME=VALUE are the filter's options, and: start=X, hold=linear,
goal-velocity=difference, predict=S,S,..., group=COLUMN. OUT has the columns CHANNEL and CHANNEL_vel, and with predict
CHANNEL@S and CHANNEL_vel@S. Every number must agree to 1e-12 of the largest number of its column. Prints how many agree.
"""
import csv
import sys

from mpmath import expm, log, logm, matrix, mp, mpf, pi

mp.dps = 30
TOLERANCE = 1e-12


class Options:
    """The options by name."""

    def __init__(self, words):
        self.given = dict(word.split("=", 1) for word in words)

    def has(self, name):
        return name in self.given

    def word(self, name, otherwise=None):
        return self.given.get(name, otherwise)

    def number(self, name, otherwise=None):
        value = self.given.get(name)
        if value is None:
            return mpf(otherwise) if otherwise is not None else None
        return mpf(float(value))


def rate_of_critical(options, halves):
    """Half the damping of a critical spring: halves * ln 2 / half-life."""
    if options.has("lag"):
        return 2 / options.number("lag")
    return halves * log(2) / options.number("halflife")


def equation(name, options):
    """The matrix A of z' = A z, z = states, goal, slope of the goal, velocity against which the damping acts. The states are
    position and velocity, of double those of the second spring, then of the first."""
    if name == "damper":
        if options.has("lag"):
            rate = 1 / options.number("lag")
        elif options.has("remaining"):
            rate = -log(options.number("remaining"))
        else:
            rate = log(2) / options.number("halflife")
        return matrix([[-rate, rate, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]])
    if name == "double":
        y = rate_of_critical(options, 4)
        s, d = y * y, 2 * y
        return matrix([[0, 1, 0, 0, 0, 0, 0], [-s, -d, s, 0, 0, 0, 0], [0, 0, 0, 1, 0, 0, 0],
                       [0, 0, -s, -d, s, 0, 0], [0, 0, 0, 0, 0, 1, 0], [0] * 7, [0] * 7])
    if name == "critical":
        y = rate_of_critical(options, 2)
        s, d = y * y, 2 * y
    elif name == "second-order":
        w, z = 2 * pi * options.number("frequency"), options.number("damping-ratio")
        s, d = w * w, 2 * z * w
    else:
        s, d, z = None, None, options.number("damping-ratio")
        if options.has("stiffness"):
            s = options.number("stiffness")
        if options.has("frequency"):
            s = (2 * pi * options.number("frequency")) ** 2
        if options.has("damping"):
            d = options.number("damping")
        if options.has("halflife"):
            d = 4 * log(2) / options.number("halflife")
        if d is None:
            d = 2 * z * mp.sqrt(s)
        if s is None:
            s = (d / 2 / z) ** 2
    return matrix([[0, 1, 0, 0, 0], [-s, -d, s, 0, d], [0, 0, 0, 1, 0], [0] * 5, [0] * 5])


def follow(name, options, rows, times, goals):
    """Yields position, velocity and the list of predicted positions and velocities of each row."""
    predict = [mpf(float(s)) for s in options.word("predict", "").split(",") if s]
    linear = name == "second-order" or options.word("hold") == "linear"
    v = mpf(0)
    x = mpf(float(options.word("start"))) if options.has("start") else goals[0]
    state = {"damper": [x], "double": [x, v, x, v]}.get(name, [x, v])

    A = equation(name, options)

    def outputs(values, goal, slope):
        if name == "damper":
            return values[0], A[0, 1] * (goal - values[0])
        return values[0], values[1]

    for n in range(len(rows)):
        slope = (goals[n] - goals[n - 1]) / (times[n] - times[n - 1]) if n else mpf(0)
        feed = slope if options.word("goal-velocity") == "difference" else mpf(0)
        if name == "second-order":
            feed = options.number("response") / 2 * slope
        if n:
            goal = goals[n - 1] if linear else goals[n]
            z = matrix(state + [goal, slope if linear else 0, feed])
            state = list(expm(A * (times[n] - times[n - 1])) * z)[:len(state)]
        later = []
        for s in predict:
            z = matrix(state + [goals[n], 0, 0])  # the goal stays
            end = list(expm(A * s) * z)[:len(state)]
            later += outputs(end, goals[n], 0)
        yield [*outputs(state, goals[n], slope), *later]


def track(options, rows, times, goals):
    """The tracking spring of the manual, method exact, without cuts."""
    predict = [mpf(float(s)) for s in options.word("predict", "").split(",") if s]
    v = mpf(0)
    x = mpf(float(options.word("start"))) if options.has("start") else goals[0]
    q = before = mpf(0)
    e, u = x - goals[0], mpf(0)
    printed = v
    p = options.number("position-gain", .01)
    w = options.number("velocity-gain", .2)
    a = options.number("acceleration-gain", 1)
    G = 1 / options.number("gain-rate", 60)
    t = (1 - p) * (1 - w)
    M = matrix([[1 - p, G * t], [-p / G, t]])
    L = logm(M) / G
    for n in range(len(rows)):
        if n:
            T = times[n] - times[n - 1]
            q = (goals[n] - goals[n - 1]) / T
            acceleration = (q - before) / T if n > 1 else mpf(0)
            e = x - (goals[n] - q * T)
            u = v + a * acceleration * T - q
            if n == 1:
                u = mpf(0)
            e, u = expm(L * T) * matrix([e, u])
            x, v, before = goals[n] + e, q + u, q
            printed = q + (L[0, 0] * e + L[0, 1] * u)
        later = []
        # The target stops: its velocity changes by -q.
        stopped = v - a * q if n else mpf(0)
        for s in predict:
            end = expm(L * s) * matrix([x - goals[n], stopped])
            later += [goals[n] + end[0], L[0, 0] * end[0] + L[0, 1] * end[1]]
        yield [x, printed, *later]


def check(rows, name, made, channel, words):
    """Returns how many numbers agree."""
    options = Options(words)
    out = list(csv.DictReader(open(made)))
    assert len(rows) == len(out) > 2
    columns = [channel, channel + "_vel"]
    for s in options.word("predict", "").split(","):
        columns += [channel + "@" + s, channel + "_vel@" + s] if s else []
    worst, agree = {c: mpf(0) for c in columns}, 0
    group = options.word("group")
    for key in sorted({row[group] for row in rows}) if group else [None]:
        mine = [i for i, row in enumerate(rows) if not group or row[group] == key]
        own = [rows[i] for i in mine]
        times, goals = [mpf(row["time"]) for row in own], [mpf(float(row[channel])) for row in own]
        right = track(options, own, times, goals) if name == "tracking" else follow(name, options, own, times, goals)
        for i, numbers in zip(mine, right):
            for c, number in zip(columns, numbers):
                worst[c] = max(worst[c], abs(mpf(float(out[i][c])) - number))
                agree += 1
    for c in columns:
        size = max(abs(float(row[c])) for row in out)
        if not worst[c] <= TOLERANCE * max(size, 1e-300):
            sys.exit("%s %s: %s is wrong by %s of %g" % (name, " ".join(words), c, mp.nstr(worst[c], 3), size))
    return agree


given = list(csv.DictReader(open(sys.argv[1])))
print(sum(check(given, *line.split()[:3], line.split()[3:]) for line in sys.stdin))
