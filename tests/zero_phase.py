"""What --zero-phase must give, by other means: convolutions with responses in closed form, and properties.

    zero_phase.py CHECK    (SPRUNG names the program)
"""
import math
import os
import random
import subprocess
import sys

LN2 = math.log(2)
RATE = 60
T = 1 / RATE


def sprung(arguments, rows, head=None):
    """Rows of numbers (None: a gap) through the program: the filtered rows."""
    head = head or ['time'] + ['x%d' % i for i in range(1, len(rows[0]))]
    text = '\n'.join([','.join(head)] + [','.join('' if v is None else repr(v) for v in r) for r in rows]) + '\n'
    done = subprocess.run([os.environ['SPRUNG']] + arguments.split(), input=text, capture_output=True, text=True)
    if done.returncode:
        sys.exit('sprung %s: %s' % (arguments, done.stderr))
    return [[float(v) if v else None for v in line.split(',')] for line in done.stdout.split('\n')[1:-1]]


def even(values):
    """As rows, at RATE."""
    return [[i / RATE, v] for i, v in enumerate(values)]


def column(rows, i):
    return [r[i] for r in rows]


def close(what, got, want, tolerance):
    error = max(abs(a - b) for a, b in zip(got, want, strict=True))
    print('%s: largest error %.2g of %.2g' % (what, error, tolerance))
    if not error <= tolerance:
        sys.exit('%s: too far' % what)


# --- responses in closed form ----------------------------------------------------------------------------------------
# Position, velocity and acceleration of what a step of 1, or a ramp of slope 1, becomes, each less what is left of it
# after a long time, so that it dies away: 1 and 0 of a step; t - lag, 1 and 0 of a ramp.

def damper(halflife):
    r = LN2 / halflife
    E = lambda t: math.exp(-r * t)
    return lambda t: (-E(t), r * E(t), -r * r * E(t)), lambda t: (E(t) / r, -E(t), r * E(t))


def oscillator(s, d, k3=0):
    """y'' = s (x - y) - d y' + s k3 x': the sum of two exponentials, in complex numbers."""
    root = (d * d / 4 - s + 0j) ** .5
    p, q = -d / 2 + root, -d / 2 - root
    # Laplace transform of the impulse response: s (1 + k3 z) / ((z - p) (z - q)).
    a, b = s * (1 + k3 * p) / (p - q), s * (1 + k3 * q) / (q - p)

    def part(t, k):
        e = lambda z: math.exp(z.real * t) * complex(math.cos(z.imag * t), math.sin(z.imag * t))
        return (a * p ** k * e(p) + b * q ** k * e(q)).real
    return lambda t: (part(t, -1), part(t, 0), part(t, 1)), lambda t: (part(t, -2), part(t, -1), part(t, 0))


def repeated(order, y):
    """That many equal lags in a row, of rate y."""
    def parts(t):
        u, E, n = y * t, math.exp(-y * t), order - 1
        term = lambda k: E * u ** k / math.factorial(k) if k >= 0 else 0
        return (sum((order - k) * term(k) for k in range(order)) / y, -sum(term(k) for k in range(order)),
                y * term(n), y * y * (term(n - 1) - term(n)))
    return lambda t: parts(t)[1:], lambda t: parts(t)[:3]


HELD, MOVING = 0, 1

# Options, response, and whether the goal jumps or moves.
FILTERS = [
    ('damper -H 0.05', damper(.05), HELD),
    ('damper -H 0.05 --hold linear', damper(.05), MOVING),
    ('damper --method exponential -b 7', damper(LN2 / (-60 * math.log1p(-7 / 60))), HELD),
    ('critical -H 0.1', repeated(2, 2 * LN2 / .1), HELD),
    ('critical -H 0.1 --hold linear', repeated(2, 2 * LN2 / .1), MOVING),
    ('spring -f 2 -z 0.3', oscillator((4 * math.pi) ** 2, 2.4 * math.pi), HELD),
    ('spring -f 2 -z 0.3 --hold linear', oscillator((4 * math.pi) ** 2, 2.4 * math.pi), MOVING),
    ('spring -f 2 -z 3', oscillator((4 * math.pi) ** 2, 24 * math.pi), HELD),
    ('second-order -f 2 -z 0.5 -r -2', oscillator((4 * math.pi) ** 2, 4 * math.pi, -2 * .5 / (4 * math.pi)), MOVING),
    ('second-order -f 2 -z 0.5 -r 3', oscillator((4 * math.pi) ** 2, 4 * math.pi, 3 * .5 / (4 * math.pi)), MOVING),
    ('double -H 0.1', repeated(4, 4 * LN2 / .1), HELD),
    ('double -H 0.1 --hold linear', repeated(4, 4 * LN2 / .1), MOVING),
]

# Others that are linear, and whose response is not written out above.
MORE = ['damper --method lerp --factor 0.3', 'damper --method euler -b 20', 'critical -H 0.1 --goal-velocity difference',
        'critical -H 0.1 --approx unreal', 'spring -f 2 -z 0.3 --method euler',
        'spring -f 2 -H 0.1 --goal-velocity difference --hold linear', 'double -H 0.1 --method published'] + [
            'second-order -f 2 -z 0.5 -r 1 --method ' + m for m in ('euler', 'clamp', 'substep', 'pole-zero')]


def rows_of(response, hold, n):
    """What a goal of 1 in one row alone becomes in that row and the n - 1 after it: three lists."""
    step, ramp = response
    at = [(step if hold == HELD else ramp)(k * T) for k in range(n + 1)]
    if hold == HELD:
        last = (1, 0, 0)
        return [[at[1][o] + last[o]] + [at[k + 1][o] - at[k][o] for k in range(1, n)] for o in range(3)]
    lag = at[0][0]
    first, second = (T - lag, 1, 0), (lag, -1, 0)
    return [[(at[1][o] + first[o]) / T, (at[2][o] - 2 * at[1][o] + second[o]) / T] +
            [(at[k + 1][o] - 2 * at[k][o] + at[k - 1][o]) / T for k in range(2, n)] for o in range(3)]


def length_of(response):
    """Rows until nothing is left."""
    n = 64
    while max(abs(response[0](k * T)[0]) for k in range(n - 16, n)) > 1e-17:
        n += n // 4
    return n


def mirrored(values, j):
    """Through the end points, again and again."""
    shift, sign, last = 0, 1, len(values) - 1
    while not 0 <= j <= last:
        end, j = (values[0], -j) if j < 0 else (values[last], 2 * last - j)
        shift, sign = shift + 2 * sign * end, -sign
    return shift + sign * values[j]


def both_ways(values, response, hold):
    """Forward, then backward, over as much of the mirrored series as has any weight: three lists."""
    n, N = length_of(response), len(values)
    h = rows_of(response, hold, n)
    far = [mirrored(values, j) for j in range(-n, N + n)]
    way = [math.fsum(h[0][k] * far[n + j - k] for k in range(n)) for j in range(N + n)]
    x, v, a = ([math.fsum(h[o][k] * way[j + k] for k in range(n)) for j in range(N)] for o in range(3))
    return x, [-w for w in v], a


# --- checks ----------------------------------------------------------------------------------------------------------

def check_convolution():
    """A whole series with its ends, and its rates."""
    random.seed(1)
    for options, response, hold in FILTERS:
        values = [random.gauss(0, 1) for _ in range(30)]
        got = sprung(options + ' --zero-phase', even(values))
        close(options, column(got, 1), both_ways(values, response, hold)[0], 1e-12)
        # The line from end to end has its slope for velocity; what is over begins and ends at 0.
        slope = (values[-1] - values[0]) / 29
        v, a = both_ways([v - values[0] - slope * i for i, v in enumerate(values)], response, hold)[1:]
        close('  velocity', column(got, 2), [w + slope * RATE for w in v], 1e-10)
        close('  acceleration', column(got, 3), a, 1e-8)


def check_symmetry():
    for options in [f[0] for f in FILTERS] + MORE:
        values = [0.0] * 2001
        values[1000] = 1.0
        got = column(sprung(options + ' --zero-phase -d 0 --rate 60', even(values)), 1)
        close(options, got, got[::-1], 1e-14 * max(map(abs, got)))
        close('  area', [sum(got)], [1], 1e-13)


def uneven(n, seed=2):
    random.seed(seed)
    times = [0.0]
    while len(times) < n:
        times.append(round(times[-1] + random.choice([0.004, 0.01, 0.0171, 0.05]), 4))
    return times


def check_ends():
    for options in [f[0] for f in FILTERS] + MORE:
        for name, times in (('even', [i / 64 for i in range(100)]), ('uneven', uneven(100)), ('short', uneven(2))):
            if 'euler' in options and name == 'uneven':
                continue
            ramp = [3 - 7 * t for t in times]
            got = sprung(options + ' --zero-phase', [[t, 2.7, r] for t, r in zip(times, ramp)])
            for row in got:
                if row[1] != 2.7 or row[3] != 0 or row[4] != 0:
                    sys.exit('%s, %s: a constant came out as %s' % (options, name, row))
            close('%s, ramp, %s' % (options, name), column(got, 2), ramp, 1e-13)
            close('  velocity', column(got, 5), [-7] * len(got), 1e-10)
            close('  acceleration', column(got, 6), [0] * len(got), 1e-8)


def check_tones():
    """The gain is the square of that of one way, and nothing turns."""
    n = 3000
    for options, response, hold in FILTERS:
        h = rows_of(response, hold, length_of(response))[0]
        for frequency in (0.5, 2, 7, 23):
            w = 2 * math.pi * frequency / RATE
            gain = abs(sum(v * complex(math.cos(w * k), -math.sin(w * k)) for k, v in enumerate(h))) ** 2
            got = column(sprung(options + ' --zero-phase -d 0', even([math.sin(w * i) for i in range(n)])), 1)
            middle = range(n // 2 - 60, n // 2 + 60)
            close('%s at %g Hz, gain %.3g' % (options, frequency, gain), [got[i] for i in middle],
                  [gain * math.sin(w * i) for i in middle], 1e-12)


def check_derivatives():
    """At a thousand rows in a half-life the printed rates are those of the printed curve. (The damper's acceleration
    toward a goal that jumps is that of each jump.)"""
    rate, n = 10000, 6000
    curve = lambda t: math.sin(9 * t) + 0.5 * math.cos(23 * t + 1)
    rows = [[i / rate, curve(i / rate)] for i in range(n)]
    for options in [f[0] for f in FILTERS] + ['critical -H 0.1 --goal-velocity difference']:
        got = sprung(options + ' --zero-phase', rows)
        x, v, a = column(got, 1), column(got, 2), column(got, 3)
        # Away from the ends, where the mirrored curve bends suddenly.
        some = range(2500, n - 2500, 7)
        close(options + ', velocity', [v[i] for i in some], [(x[i + 1] - x[i - 1]) * rate / 2 for i in some], 0.02)
        if 'damper' not in options or 'linear' in options:
            close('  acceleration', [a[i] for i in some],
                  [(x[i + 1] - 2 * x[i] + x[i - 1]) * rate ** 2 for i in some], 1.0)


def check_reversal():
    """A series told backward comes out backward."""
    random.seed(4)
    values = [random.gauss(0, 1) for _ in range(300)]
    for options in [f[0] for f in FILTERS] + MORE:
        there = column(sprung(options + ' --zero-phase -d 0', even(values)), 1)
        back = column(sprung(options + ' --zero-phase -d 0', even(values[::-1])), 1)
        close(options, there, back[::-1], 1e-13)


def check_slow():
    """A filter that remembers many lengths of the series, against the plain sum over all of them."""
    random.seed(5)
    values = [random.gauss(0, 1) for _ in range(12)]
    for options, response, hold in [('critical -H 0.6', repeated(2, 2 * LN2 / .6), HELD),
                                    ('damper -H 0.4 --hold linear', damper(.4), MOVING),
                                    ('spring -f 1.1 -z 0.15', oscillator((2.2 * math.pi) ** 2, .66 * math.pi), HELD),
                                    ('double -H 0.8', repeated(4, 4 * LN2 / .8), HELD)]:
        got = sprung(options + ' --zero-phase -d 0', even(values))
        close(options, column(got, 1), both_ways(values, response, hold)[0], 1e-12)
    # In the end the line from the first value to the last one is all that is left.
    rows = [[t, random.gauss(0, 1)] for t in uneven(50)]
    span = rows[-1][0]
    for halflife in (3, 1e3, 1e6):
        got = sprung('critical -d 0 --hold linear --zero-phase -H %r' % halflife, rows)
        line = [rows[0][1] + (rows[-1][1] - rows[0][1]) * r[0] / span for r in rows]
        close('half-life %g s over %g s' % (halflife, span), column(got, 1), line,
              max(1e-8, (2 * LN2 * span / halflife / math.pi) ** 4 * 2))


if __name__ == '__main__':
    globals()['check_' + sys.argv[1]]()
