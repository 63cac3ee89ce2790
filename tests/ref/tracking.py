#!/usr/bin/python3
"""Writes tests/ref/tracking_table.h: the tracking filter by its definition, in 80 digits. Usage: tracking.py >FILE

Positions and velocities, not errors, are carried; matrices are raised by exp(p log M), springs are moved by the exponential
of the whole linear system. None of this is how the program does it. The velocity of method exact is the slope of its curve,
by log M.
"""
from mpmath import mp, mpf, matrix, expm, logm, eye, log

mp.dps = 80
CUT, GAP = 8, 16
LCG = 12345


def noise():
    global LCG
    LCG = (LCG * 6364136223846793005 + 1442695040888963407) % 2**64
    return (LCG >> 11) * 2.0**-53


LOGS = {}


def logarithm(ax, av, G):
    """log M, in gain steps; M must have one."""
    if (ax, av, G) not in LOGS:
        t = (1 - av) * (1 - ax)
        M = matrix([[1 - ax, G * t], [-ax / G, t]])
        if ax == 0 and av == 0:
            LOGS[ax, av, G] = matrix([[0, G], [0, 0]])
        else:
            LOGS[ax, av, G] = logm(M)
            assert mp.norm(expm(LOGS[ax, av, G]) - M) < mpf(10)**-60
    return LOGS[ax, av, G]


def rate_of_error(ax, av, G, e, u):
    """The slope of e. ax = 1: nothing of e is left; av = 1: e decays by itself, as the limit of logarithms says."""
    if ax == 1:
        return mpf(0)
    if av == 1:
        return log(1 - ax) / G * e
    L = logarithm(ax, av, G)
    return mp.re(L[0, 0] * e + L[0, 1] * u) / G


def power(ax, av, G, T):
    """M^(T/G). ax = 1: the whole power nearest below two steps, by the rate of the row; av = 1: rank one."""
    p, t = T / G, (1 - av) * (1 - ax)
    M = matrix([[1 - ax, G * t], [-ax / G, t]])
    if ax == 1:
        return matrix([[0, 0], [-1 / T if p < mpf(3) / 2 else 0, 0]])
    if av == 1:
        return (1 - ax)**(p - 1) * M
    return expm(p * logarithm(ax, av, G)).apply(mp.re)


def spring(s, d, f, T, e, v):
    """x'' = f - s x - d x' over T, by the exponential of the system with f as a third state."""
    A = matrix([[0, 1, 0], [-s, -d, f], [0, 0, 0]])
    moved = expm(T * A) * matrix([e, v, 1])
    return moved[0], moved[1]


COEFFICIENTS = {'holden': ('1', '.48', '.235'), 'unreal': ('1.00746054', '.45053901', '.25724632')}


def engine_spring(s, d, f, T, e, v, approx):
    """The same as spring_damper_exact of Holden's article steps it, with its approximate exponential."""
    a, b, c = (mpf(float(k)) for k in COEFFICIENTS[approx])

    def decay(u):
        return 1 / (1 + a * u + b * u**2 + c * u**3)
    s = max(s, mpf(10)**-50)                  # without stiffness: the limit
    y, goal = d / 2, f / s
    x = e - goal
    if s > y * y:
        w = mp.sqrt(s - y * y)
        j = x * y + v
        E, cos, sin = decay(y * T), mp.cos(w * T), mp.sin(w * T)
        return goal + E * (x * cos + j / w * sin), E * (v * cos - (y * j / w + w * x) * sin)
    fast, slow = (d + mp.sqrt(d * d - 4 * s)) / 2, (d - mp.sqrt(d * d - 4 * s)) / 2
    j1 = (v + x * fast) / (fast - slow)
    j0 = x - j1
    j0, j1 = j0 * decay(fast * T), j1 * decay(slow * T)
    return goal + j0 + j1, -fast * j0 - slow * j1


def clip(x, most):
    return x if most is None else max(-most, min(most, x))


def lerp(x, y, a):
    return x + a * (y - x)


def track(rows, method='exact', ax=.01, av=.2, aa=1.0, rate=60.0, hx=1.0, hv=.05, ha=0.0, maxv=None, maxa=None,
          approx=None):
    """rows: (T, goal, mark), the first a start. Yields (x, v, a)."""
    ax, av, aa, G = mpf(ax), mpf(av), mpf(aa), 1 / mpf(rate)
    maxv, maxa = maxv and mpf(maxv), maxa and mpf(maxa)
    x, v, before, slope, asked, printed = mpf(rows[0][1]), mpf(0), mpf(rows[0][1]), None, mpf(0), mpf(0)
    yield x, v, mpf(0)
    for T, g, mark in rows[1:]:
        T, g = mpf(T), mpf(g)
        cut = mark & (CUT | GAP)
        if mark & GAP:
            g = before
        raw = None if cut else (g - before) / T
        new = None if cut else clip(raw, maxv)
        a = mpf(0) if cut or slope is None else clip((raw - slope) / T, maxa)
        if not cut and asked is not None:       # no row since the start was within its limit: the change is taken over
            v += new - asked
        bx, bv, ba = ax, av, aa
        if method == 'halflife':
            bx, bv, ba = (1 - 2**(-T / mpf(h)) if h else mpf(1) for h in (hx, hv, ha))
        if method == 'exact':
            if cut:
                e, u = power(ax, mpf(0), G, T) * matrix([x - g, v])
                x, v, rate = g + e, u, rate_of_error(ax, mpf(0), G, e, u)
            else:
                e, u = power(ax, av, G, T) * matrix([x - (g - new * T), v + aa * a * T - new])
                x, v, rate = g + e, new + u, new + rate_of_error(ax, av, G, e, u)
        elif method == 'spring-damper':
            step = spring if approx is None else lambda *args: engine_spring(*args, approx)
            if cut:
                e, v = step(ax / G**2, ax / G, mpf(0), T, x - g, v)
            else:
                t = (1 - av) * (1 - ax)
                f = av * (1 - ax) / G * new + aa * t * a
                e, v = step(ax / G**2, (1 - t) / G, f, T, x - g, v)
            x = g + e
        else:
            if not cut:
                v = lerp(v, v + a * T, ba)
                v = lerp(v, new, bv)
            v = lerp(v, (g - x) / T, bx)
            x += T * v
        last, printed = printed, rate if method == 'exact' else v
        yield x, printed, (printed - last) / T
        before = g
        slope = raw if slope is not None or raw == new else None
        slope = None if cut else slope          # no acceleration is known before a slope is within its limit
        asked = new if asked is not None and not cut and slope is None else None


def words(method='exact', ax=.01, av=.2, aa=1.0, rate=60.0, hx=1.0, hv=.05, ha=0.0, maxv=None, maxa=None,
          approx=None):
    text = 'method=' + method
    if method == 'halflife':
        text += f' position-halflife={hx!r} velocity-halflife={hv!r} acceleration-halflife={ha!r}'
    else:
        text += f' position-gain={ax!r} velocity-gain={av!r} acceleration-gain={aa!r}'
        if method != 'gain':
            text += f' gain-rate={rate!r}'
    for name, most in (('max-velocity', maxv), ('max-acceleration', maxa)):
        if most is not None:
            text += f' {name}={most!r}'
    return text + (f' approx={approx}' if approx else '')


NROW = 30
MARKS = [0] * NROW
for row in (9, 15, 16, 22):     # 22: the first row after the gap
    MARKS[row] = CUT
for row in (19, 20, 21):
    MARKS[row] = GAP


# A smooth motion with jumps where the marks are; goals in gaps repeat, as the driver gives them.
UNEVEN = [.25 + 3.75 * noise() for _ in range(NROW)]    # times the case's step: a row's step, if it is irregular
GOALS, jump = [], 0.0
for row in range(NROW):
    jump += 3 * noise() - 1.5 if MARKS[row] & CUT else 0
    moving = float(mp.sin(3 * row / mpf(20)) + mpf(row * row) / 500) + jump + .001 * noise()
    GOALS.append(GOALS[-1] if MARKS[row] & GAP else moving)


def rows_of(step, first_cut):
    """The rows of a case; a negative step is irregular."""
    marks = MARKS[:1] + [CUT] + MARKS[2:] if first_cut else MARKS
    return [(-step * uneven if step < 0 else step, g, mark) for uneven, g, mark in zip(UNEVEN, GOALS, marks)]


GRID_X = (0.0, 1e-9, .01, .5, 1.0)
GRID_V = (0.0, 1e-9, .2, .5, 1.0)
STEPS = (1e-9, 1 / 240, 1 / 60, 1.0, 1e6)
IRREGULAR = -1 / 60

cases = [(IRREGULAR, False, dict(ax=ax, av=av)) for ax in GRID_X for av in GRID_V]
cases += [(step, False, dict()) for step in STEPS]
cases += [(IRREGULAR, True, dict()), (IRREGULAR, False, dict(rate=24.0))]
cases += [(IRREGULAR, False, dict(ax=1 / 9, av=.5)), (1 / 60, False, dict(ax=.1111111, av=.5))]   # where decays meet
cases += [(IRREGULAR, False, dict(aa=.5)), (IRREGULAR, False, dict(aa=0.0, ax=.1))]
cases += [(1 / 60, False, dict(maxv=2.0)), (IRREGULAR, False, dict(maxa=30.0)),
          (IRREGULAR, False, dict(maxv=3.0, maxa=100.0, aa=.7))]
for method in ('gain', 'halflife', 'spring-damper'):
    cases += [(IRREGULAR, False, dict(method=method)), (1 / 240, True, dict(method=method)),
              (1 / 60, False, dict(method=method, maxv=3.0, maxa=100.0))]
cases += [(IRREGULAR, False, dict(method='halflife', hx=.1, hv=0.0, ha=.2))]
cases += [(IRREGULAR, False, dict(method='gain', ax=ax, av=av, aa=.5)) for ax in (0.0, 1.0) for av in (0.0, 1.0)]
cases += [(IRREGULAR, False, dict(method='spring-damper', ax=ax, av=av, aa=.5))
          for ax in (0.0, 1e-9, 1.0) for av in (0.0, 1e-6, 1.0)]
cases += [(step, False, dict(method='spring-damper', ax=ax)) for step in (1e-9, 1.0, 1e6) for ax in (1e-12, .01)]
cases += [(step, False, dict(method='spring-damper', approx=approx, ax=ax, aa=.5))
          for approx, step, ax in (('holden', IRREGULAR, 0.0), ('holden', IRREGULAR, .01), ('unreal', IRREGULAR, .1),
                                   ('unreal', 1.0, .01))]
# Next to nothing is left of one gain or of both, which decide together whether it swings.
cases += [(step, True, dict(ax=ax, av=av)) for step in (IRREGULAR, 1 / 240)
          for ax, av in ((.9999999, .9999999), (.9999, 1 - 1e-13), (.3, 1 - 1e-12), (1 - 1e-12, .6))]


def c_list(values, each):
    return ',\n    '.join(', '.join(v.hex() for v in values[i:i + each]) for i in range(0, len(values), each))


print('/* Generated by tests/ref/tracking.py, do not edit. */')
print('enum { TRACKING_NROW = %d, TRACKING_EVERY = 6 };' % NROW)
print('/* The motion of every case. */')
print('static const double tracking_uneven[] = { %s };' % c_list(UNEVEN, 5))
print('static const double tracking_goal[] = { %s };' % c_list(GOALS, 5))
print('static const unsigned char tracking_mark[] = { %s };' % ', '.join(map(str, MARKS)))
print('static const struct {\n    const char *words;')
print('    double step;    /* of a row; where it is negative, times -tracking_uneven */')
print('    bool first_cut; /* row 1 is marked too */')
print('    double expected[TRACKING_NROW / TRACKING_EVERY][3]; /* of the rows i with (i + case) % TRACKING_EVERY == 0 */')
print('} tracking_cases[] = {')
for number, (step, first_cut, settings) in enumerate(cases):
    if number % 7:
        continue
    results = enumerate(track(rows_of(step, first_cut), **settings))
    kept = [tuple(float(y) for y in xva) for i, xva in results if (i + number) % 6 == 0]
    print('    { "%s", %s, %d,' % (words(**settings), step.hex(), first_cut))
    print('      { %s } },' % ',\n        '.join('{ ' + ', '.join(y.hex() for y in xva) + ' }' for xva in kept))
print('};\n')

# An error of 1 left by a cut, n rows later: one power instead of n products.
COUNTS = (2, 30, 300, 10000)
print('/* Start at 1, cut to 0 in row 1, 0 ever after: x and its slope in rows %s. */' % ', '.join(map(str, COUNTS)))
print('static const size_t tracking_counts[] = { %s };' % ', '.join(map(str, COUNTS)))
print('static const struct {\n    const char *words;\n    double T, expected[%d][2];' % len(COUNTS))
print('} tracking_long[] = {')
counted = 0
for ax in GRID_X:
    for av in GRID_V:
        for step in STEPS:
            counted += 1
            if counted % 7 != 1:
                continue
            first = power(mpf(ax), mpf(0), 1 / mpf(60), mpf(step)) * matrix([1, 0])
            ends = []
            for n in COUNTS:
                if ax == 1:                     # not a power: row 2 forgets the rest
                    whole = matrix([[0, 0], [0, 0]])
                else:
                    whole = power(mpf(ax), mpf(av), 1 / mpf(60), (n - 1) * mpf(step))
                e, u = whole * first
                ends.append('{ %s, %s }' % (float(e).hex(), float(rate_of_error(mpf(ax), mpf(av), 1 / mpf(60), e, u)).hex()))
            print('    { "%s", %s,\n      { %s } },' % (words(ax=ax, av=av), step.hex(), ', '.join(ends)))
print('};')
