#!/usr/bin/python3
"""Writes tests/ref/springs_table.h: damper, critical, spring, second-order and double, in 50 digits. Usage: springs.py >FILE

Every filter is computed row by row from its definition, in position and velocity (the program keeps the error from the goal).
Only the coefficients s and d of a spring are rounded to double, as in the program; everything after them has 50 digits. What
depends on the time step alone is computed with mpmath; the rows are computed with gmpy2, which is faster and rounds alike.
"""
import math
from operator import mul
import gmpy2
from gmpy2 import mpfr
from mpmath import mp, mpf, matrix, eye, exp, sin, cos, cosh, log, sqrt, norm, floor

mp.dps = 50
gmpy2.get_context().precision = mp.prec
ZERO = mpfr(0)
LN2, PI = log(2), +mp.pi
RATIOS = 0., 1e-9, .3, 1 - 1e-9, 1., 1 + 1e-9, 3., 1e3
STEPS = 1e-9, 1 / 240, 1 / 60, 1., 1e6
HALFLIVES = 1e-9, .1, 1e9
HOLDEN = 1, mpf(".48"), mpf(".235")
UNREAL = mpf("1.00746054"), mpf(".45053901"), mpf(".25724632")
IRREGULAR = 1, 2, .5, 1  # times the case's T: a row's step, by turns


def goals(n, seed):
    """Noise on a square wave, far from 0: harness_noise() and the same arithmetic."""
    for i in range(n):
        seed = (seed * 6364136223846793005 + 1442695040888963407) % 2**64
        yield 100 + ((i // 40 % 2) + .25 * ((seed >> 11) * 2.0**-53))


def steps(n, T, irregular):
    return [T * IRREGULAR[i % 4] if irregular else T for i in range(n)]


def decay(u, approx=None):
    return exp(-u) if approx is None else 1 / (1 + approx[0] * u + approx[1] * u**2 + approx[2] * u**3)


def phi(s, d, T, approx=None):
    """The transition matrix by the textbook formula; 50 digits make up for cancellation."""
    y, S = d / 2, None
    k = s - y * y
    if approx is not None:  # only ever critical here
        C, S = decay(y * T, approx), T * decay(y * T, approx)
    elif k > 0:
        w = sqrt(k)
        C, S = exp(-y * T) * cos(w * T), exp(-y * T) * sin(w * T) / w
    elif k == 0:
        C, S = exp(-y * T), T * exp(-y * T)
    else:
        h = sqrt(-k)
        a, b = exp((h - y) * T), exp(-(h + y) * T)
        C, S = (a + b) / 2, (a - b) / (2 * h)
    return C + y * S, S, -s * S, C - y * S


def number(x):
    """x as an mpfr. The exponents of MPFR end near -2**30; of smaller numbers only the sign reaches the table."""
    sign, mantissa, exponent, _ = mpf(x)._mpf_
    return mpfr(-mantissa if sign else mantissa) * mpfr(2)**max(exponent, -2**28)


class Steps(dict):
    """Maps a time step T to what make(T) returns, as a list of mpfr; computed once for each T."""

    def __init__(self, make):
        self.make = make

    def __missing__(self, T):
        self[T] = [number(x) for x in self.make(mpf(T))]
        return self[T]


# A filter yields for each row the value, its velocity, and the terms whose sum is its acceleration: the largest term
# limits how exact the sum can be.
def spring(rows, s, d, hold="step", difference=False, approx=None):
    x = before = next(rows)[1]
    v, S, D, q = ZERO, number(s), number(d), ZERO
    steps = Steps(lambda T: (T, d / s, *phi(s, d, T, approx)))
    yield x, v, ZERO, ZERO, ZERO
    for t, g in rows:
        T, ratio, p0, p1, p2, p3 = steps[t]
        if hold == "step":
            if difference:
                q = (g - before) / T
            c = g + ratio * q
            e, w = x - c, v
            x, v = c + p0 * e + p1 * w, p2 * e + p3 * w
        else:
            u = (g - before) / T
            if difference:
                q = u
            off = ratio * (u - q)
            e, w = x - (before - off), v - u
            x, v = g - off + p0 * e + p1 * w, u + p2 * e + p3 * w
        yield x, v, S * (g - x), D * q, -D * v
        before = g


def spring_euler(rows, s, d, difference=False):
    x = before = next(rows)[1]
    v, s, d = ZERO, number(s), number(d)
    yield x, v, ZERO, ZERO, ZERO
    for t, g in rows:
        T = mpfr(t)
        q = (g - before) / T if difference else ZERO
        v += T * (s * (g - x) + d * (q - v))
        x += T * v
        yield x, v, s * (g - x), d * q, -d * v
        before = g


def damper(rows, rate, amount=None, hold="step", approx=None):
    """amount(T): the part of the way of one step, where it is not 1 - exp(-rate T); rate(T): of velocity."""
    x = before = next(rows)[1]
    steps = Steps(lambda T: (T, rate(T), amount(T) if amount else 0, decay(rate(T) * T, approx)))
    v = ZERO
    yield x, v, ZERO, ZERO
    for t, g in rows:
        T, r, part, left = steps[t]
        u = (g - before) / T
        if hold == "linear":
            x = g - u / r + (x - before + u / r) * left
        elif amount:
            x += (g - x) * part
        else:
            x = g + (x - g) * left
        last, v = v, r * (g - x)
        yield x, v, *((r * u, -r * v) if hold == "linear" else (v / T, -last / T))
        before = g


def second_order(rows, f, z, r, method):
    w = 6.283185307179586 * f
    s, d = mpf(w * w), mpf(2 * z * w)
    w, z, r = mpf(w), mpf(z), mpf(r)
    k1, k2 = d / s, 1 / s

    def step(T):
        """Substeps, the coefficients p1 and p2 of one, and Phi of the exact method."""
        n, p1, p2, P = 1, k1, k2, (0, 0, 0, 0)
        if method == "exact":
            P = phi(s, d, T)
        elif method == "clamp" or method == "pole-zero" and w * T < z:
            p2 = max(k2, T * T / 2 + T * k1 / 2, T * k1)
        elif method == "pole-zero":
            t1 = exp(-z * w * T)
            a, b = 2 * t1 * (cos if z <= 1 else cosh)(T * w * sqrt(abs(z * z - 1))), t1 * t1
            t2 = T / (1 + b - a)
            p1, p2 = (1 - b) * t2, T * t2
        elif method == "substep":
            n = int(floor(T / (sqrt(4 * k2 + k1 * k1) - k1))) + 1
        return T, n, p1, p2, *P

    steps, c1, c2, c3 = Steps(step), number(k1), number(k2), number(r * k1 / 2)
    y = before = next(rows)[1]
    v = ZERO
    yield y, v, ZERO, ZERO, ZERO
    for t, g in rows:
        T, n, p1, p2, *P = steps[t]
        u = (g - before) / T
        if method == "exact":
            off = (c3 - c1) * u
            e, ev = y - (before + off), v - u
            y, v = g + off + P[0] * e + P[1] * ev, u + P[2] * e + P[3] * ev
        else:
            for _ in range(int(n)):
                y += T / n * v
                v += T / n * (g + c3 * u - y - p1 * v) / p2
        yield y, v, (g - y) / c2, c3 * u / c2, -c1 * v / c2
        before = g


def exponential(A, T):
    n = max(0, int(mp.log(norm(A) * T + 1, 2)) + 2)
    mp.dps = 90 + 2 * n
    term = P = A * (T / 2**n)
    i = 2
    while norm(term) > mpf(10)**-mp.dps:
        term = term * A * (T / 2**n) / i
        P, i = P + term, i + 1
    for _ in range(n):
        P = 2 * P + P * P
    mp.dps = 50
    return P + eye(A.rows)


def double(rows, H, hold="step", published=False, approx=None):
    """Exact: both springs, the goal and its slope as one linear system."""
    y = 4 * LN2 / H
    s, d = y * y, 2 * y
    system = matrix([[0, 1, 0, 0, 0, 0], [-s, -d, 0, 0, s, 0], [0, 0, 0, 1, 0, 0], [s, 0, -s, -d, 0, 0], [0, 0, 0, 0, 0, 1],
                     [0, 0, 0, 0, 0, 0]])

    def step(T):
        if published:
            return T, *phi(s, d, T, approx)
        return (T, ) if y * T > 500 else (T, *exponential(system, T))

    steps, Y = Steps(step), number(y)
    x = before = next(rows)[1]
    state = [x, ZERO, x, ZERO]
    yield x, ZERO, ZERO, ZERO
    for t, g in rows:
        T, *P = steps[t]
        u = (g - before) / T if hold == "linear" else ZERO
        if published:
            x1, v1, x2, v2 = state
            e = x1 - g
            x1, v1 = g + P[0] * e + P[1] * v1, P[2] * e + P[3] * v1
            e = x2 - x1
            x2, v2 = x1 + P[0] * e + P[1] * v2, P[2] * e + P[3] * v2
            state = [x1, v1, x2, v2]
        elif not P:
            state = [g - 2 / Y * u, u, g - 4 / Y * u, u]
        else:
            state += [before, u] if hold == "linear" else [g, ZERO]
            with gmpy2.local_context(precision=4 * mp.prec):
                state = [sum(map(mul, P[i:i + 6], state)) for i in (0, 6, 12, 18)]
            state = [+x for x in state]
        yield state[2], state[3], Y * Y * (state[0] - state[2]), -2 * Y * state[3]
        before = g


def hexadecimal(x):
    return float(x + 0).hex().replace("0x0.0p+0", "0")


def case(filter, words, n, T, irregular, make):
    seed = case.seed = case.seed + 1
    if seed % 11 != 1:
        return
    rows = zip(steps(n, T, irregular), map(mpfr, goals(n, seed)))
    out = list(make(rows))
    column = [(min(values), max(values)) for values in zip(*out)]
    most = [float(max(high - mean, mean - low)) for (low, high), mean in zip(column, [100, 0, *[0] * len(column)])]
    most[2:] = [max(most[2:])]
    print('{ "%s", "%s", %s, %d, %d, %d,' % (filter, words, T.hex(), irregular, seed, n))
    print("  { " + ", ".join("%.3g" % m for m in most) + " },")
    at = [", ".join(hexadecimal(x) for x in (*out[i][:2], sum(out[i][2:]))) for i in (1, n // 2 + 7, n - 1)]
    print("  { { %s },\n    { %s },\n    { %s } } }," % tuple(at))


def main():
    case.seed = 0
    print("""/* Generated by tests/ref/springs.py, do not edit. */
static const struct {
    const char *filter, *words;
    double T;
    int irregular, seed, nrow;
    double most[3];       /* of all rows: distance of the value from 100, velocity, and a term of acceleration */
    double expected[3][3]; /* of rows 1, nrow / 2 + 7 and nrow - 1 */
} springs_cases[] = {""")
    for z in RATIOS:
        for H in HALFLIVES:
            for T in STEPS:
                y = 2 * math.log(2) / H
                s, d = ((y / z) * (y / z), 2 * y) if z else (y * y, 0.)
                hold, velocity = ("step", "linear")[T == 1 / 240], ("zero", "difference")[T == 1.]
                words = "stiffness=%s damping=%s hold=%s goal-velocity=%s" % (s.hex(), d.hex(), hold, velocity)
                case("spring", words, 10001, T, 0,
                     lambda rows: spring(rows, mpf(s), mpf(d), hold, velocity == "difference"))
    for z in .3, 3.:
        for difference in False, True:
            words = "stiffness=100 damping=%s goal-velocity=%s" % ((20 * z).hex(), ("zero", "difference")[difference])
            case("spring", words + " hold=linear", 1001, 1 / 60, 1,
                 lambda rows: spring(rows, mpf(100), mpf(20 * z), "linear", difference))
            case("spring", words + " method=euler", 1001, 1 / 120, 1,
                 lambda rows: spring_euler(rows, mpf(100), mpf(20 * z), difference))
    for H in HALFLIVES:
        for T in STEPS:
            h, long = "halflife=" + H.hex(), T in (1 / 240, 1 / 60)
            n = 10001 if long else 1001
            rate = lambda T: LN2 / mpf(H)
            y = 2 * LN2 / mpf(H)
            case("damper", h, n, T, 1, lambda rows: damper(rows, rate))
            case("damper", h + " hold=linear", n, T, 1, lambda rows: damper(rows, rate, hold="linear"))
            case("critical", h, n, T, 1, lambda rows: spring(rows, y * y, 2 * y))
            case("critical", h + " hold=linear", n, T, 1, lambda rows: spring(rows, y * y, 2 * y, "linear"))
            case("critical", h + " goal-velocity=difference", n, T, 1,
                 lambda rows: spring(rows, y * y, 2 * y, difference=True))
            case("double", h, 1001, T, 1, lambda rows: double(rows, mpf(H)))
            case("double", h + " hold=linear", 1001, T, 1, lambda rows: double(rows, mpf(H), "linear"))
            case("double", h + " method=published", 1001, T, 1, lambda rows: double(rows, mpf(H), published=True))
            if T < 1e6:
                for name, approx in ("holden", HOLDEN), ("unreal", UNREAL):
                    case("damper", h + " approx=" + name, 1001, T, 1, lambda rows: damper(rows, rate, approx=approx))
                    case("critical", h + " approx=" + name, 1001, T, 1,
                         lambda rows: spring(rows, y * y, 2 * y, approx=approx))
                    case("double", h + " method=published approx=" + name, 1001, T, 1,
                         lambda rows: double(rows, mpf(H), published=True, approx=approx))
    case("critical", "goal-velocity=difference hold=linear halflife=0.1", 1001, 1 / 60, 1,
         lambda rows: spring(rows, (20 * LN2)**2, 40 * LN2, "linear", True))
    for T in 1 / 240, 1 / 60, .5:
        case("damper", "method=lerp factor=0.125", 1001, T, 1,
             lambda rows: damper(rows, lambda T: mpf(.125) / T, lambda T: mpf(.125)))
        case("damper", "method=euler damping=1.5", 1001, T, 1,
             lambda rows: damper(rows, lambda T: mpf(1.5), lambda T: mpf(1.5) * T))
        case("damper", "method=exponential damping=20 fixed-rate=50", 1001, T, 1,
             lambda rows: damper(rows, lambda T: -50 * log(1 - mpf(20) / 50),
                                 lambda T: 1 - (1 / (1 - mpf(20) / 50))**(-T * 50)))
    for z in RATIOS:
        for f in 1e-9, 1., 1e3:
            for r in -2., 0., 1.5:
                for T in (1 / 60, ) if r else STEPS:
                    words = "frequency=%s damping-ratio=%s response=%g" % (f.hex(), z.hex(), r)
                    case("second-order", words, 1001, T, 1, lambda rows: second_order(rows, f, z, r, "exact"))
    for z in .3, 1., 3.:
        for r in -2., 1.5:
            for method in "euler", "clamp", "substep", "pole-zero":
                for T in (1 / 240, ) if method == "euler" else (1 / 240, .05, .5):
                    words = "frequency=2 damping-ratio=%g response=%g method=%s" % (z, r, method)
                    case("second-order", words, 1001, T, T < .01,
                         lambda rows: second_order(rows, 2., z, r, method))
    rest = 1 - mpf(59.999999987) / 60
    for T in 1 / 240, .05:
        case("damper", "method=exponential damping=59.999999987 fixed-rate=60", 1001, T, 1,
             lambda rows: damper(rows, lambda T: -60 * log(rest), lambda T: 1 - rest**(T * 60)))
    for z in RATIOS:
        words = "frequency=1 damping-ratio=%s response=1.5" % z.hex()
        case("second-order", words, 10001, 1 / 60, 1, lambda rows: second_order(rows, 1., z, 1.5, "exact"))
    for hold in "step", "linear":
        case("double", "halflife=0.1 hold=" + hold, 10001, 1 / 60, 1, lambda rows: double(rows, mpf(.1), hold))
    for T in .07, .1:  # on either side of where pole-zero takes over, w T = z
        case("second-order", "frequency=2 damping-ratio=1 response=1.5 method=pole-zero", 1001, T, 0,
             lambda rows: second_order(rows, 2., 1., 1.5, "pole-zero"))
    print("};")


main()
