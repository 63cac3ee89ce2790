#!/usr/bin/python3
"""Writes tests/ref/smooth_table.h: smoothing splines by the normal equations, solved in 60 digits. Usage: smooth.py >FILE

The unknowns are value and slope of the curve at each row. The penalty of a step, the integral of a1 x'^2 + a2 x''^2 over the
curve that is best between both rows, is a quadratic form in the four numbers of the step: of the general solution c0 + c1 t +
c2 cosh kt + c3 sinh kt, or a cubic, by its boundary terms. Leverages are the results of impulses. Without mpmath the status
is 77.
"""
import sys
try:
    from mpmath import mp, mpf, matrix, lu_solve, cosh, sinh, sqrt, nstr
except ImportError:
    sys.exit(77)
mp.dps = 60
SEED = 7


def draw():
    global SEED
    SEED = (SEED * 6364136223846793005 + 1442695040888963407) % 2**64
    return float(SEED >> 11) * 2.0**-53


def form(a1, a2, T):
    """The quadratic form of a step."""
    if a1 == 0:
        return a2 * matrix([[12 / T**3, 6 / T**2, -12 / T**3, 6 / T**2], [6 / T**2, 4 / T, -6 / T**2, 2 / T],
                            [-12 / T**3, -6 / T**2, 12 / T**3, -6 / T**2], [6 / T**2, 2 / T, -6 / T**2, 4 / T]])
    k = sqrt(a1 / a2)
    c, s = cosh(k * T), sinh(k * T)
    ends = matrix([[1, 0, 1, 0], [0, 1, 0, k], [1, T, c, s], [0, 1, k * s, k * c]])
    forces = matrix([[0, -a1, 0, a2 * k**3 - a1 * k], [0, 0, -a2 * k**2, 0],
                     [0, a1, a1 * k * s - a2 * k**3 * s, a1 * k * c - a2 * k**3 * c],
                     [0, 0, a2 * k**2 * c, a2 * k**2 * s]])
    return forces * ends**-1


def solve(a1, a2, T, weight, ease, value, ends):
    n = len(T)
    A, b = matrix(2 * n, 2 * n), matrix(2 * n, 1)
    for i in range(1, n):
        if a2 == 0:
            part = mpf(a1) / mpf(T[i]) * matrix([[1, 0, -1, 0], [0, 0, 0, 0], [-1, 0, 1, 0], [0, 0, 0, 0]])
        else:
            part = form(mpf(a1) * mpf(ease[i]), mpf(a2) * mpf(ease[i]), mpf(T[i]))
        for p in range(4):
            for q in range(4):
                A[2 * i - 2 + p, 2 * i - 2 + q] += part[p, q]
    for i in range(n):
        A[2 * i, 2 * i] += mpf(weight[i])
        b[2 * i] = mpf(weight[i]) * mpf(value[i])
        if a2 == 0:
            A[2 * i + 1, 2 * i + 1] = 1
    for i, end in zip((0, n - 1), ends or ()):
        for j in range(2 * n):
            A[2 * i, j] = 0
        A[2 * i, 2 * i], b[2 * i] = 1, mpf(end)
    return lu_solve(A, b)


def even(n, T):
    return [T] * n


def uneven(n):
    return [0.002 + 0.1 * draw() for _ in range(n)]



# Penalty, steps, rows without a sample, whether the penalty is eased.
wave = lambda rate, cutoff: (2**.5 - 1) / (2 * 3.141592653589793 * cutoff)**4
CASES = [
    (0, wave(120, 6), even(24, 1 / 120), [], False),
    (0, wave(48000, 1), even(24, 1 / 48000), [], False),
    (0, 1e-4, uneven(24), [1, 2, 11, 12, 13], False),
    (0, 1e-4, uneven(24), [], True),
]
print('/* Made by tests/ref/smooth.py. */')
print('enum { SMOOTH_ROWS = 24 };')
print('static const struct {\n    double a1, a2, T[SMOOTH_ROWS], weight[SMOOTH_ROWS], ease[SMOOTH_ROWS], value[SMOOTH_ROWS];')
print('    double end[2], x[SMOOTH_ROWS], v[SMOOTH_ROWS], leverage[SMOOTH_ROWS];\n} smooth_table[] = {')
for a1, a2, T, missing, eased in CASES:
    n = len(T)
    weight = [0 if i in missing else T[i] for i in range(n)]
    ease = [0.05 + draw() if eased else 1.0 for _ in range(n)]
    value = [20 * draw() + 3 * i for i in range(n)]
    ends = [value[0] + 1, value[-1] - 2] if a1 else None
    x = solve(a1, a2, T, weight, ease, value, ends)
    leverage = []
    for i in range(n):
        impulse = [float(j == i) for j in range(n)]
        leverage.append(solve(a1, a2, T, weight, ease, impulse, ends and [0, 0])[2 * i] if weight[i] and not (ends and i in (0, n - 1)) else 0)
    rows = [T, weight, ease, value, ends or [0, 0]]
    print('    { %r, %r,' % (float(a1), a2 if a2 else 0.0))
    for row in rows:
        print('      { %s },' % ', '.join(repr(float(r)) for r in row))
    for row in ([x[2 * i] for i in range(n)], [x[2 * i + 1] for i in range(n)], leverage):
        print('      { %s },' % ', '.join(nstr(mpf(r), 17) for r in row))
    print('    },')
print('};')
