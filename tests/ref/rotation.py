#!/usr/bin/python3
"""Writes tests/ref/rotation_table.h: rotations and filters of rotations, in 60 digits. Usage: rotation.py >FILE

Rotations are matrices here; a rotation vector becomes one by the power series of the matrix exponential, and comes back from
the matrix itself. A filter is its differential equation in the vectors seen from each row's goal, moved by the exponential of
the whole linear system. No quaternion is multiplied, and no closed form of a spring is used.
"""
from mpmath import mp, mpf, matrix, eye, expm, factorial, inverse, logm, sqrt, atan2, pi, log, cos, sin

mp.dps = 60
LCG = 2024


def noise():
    global LCG
    LCG = (LCG * 6364136223846793005 + 1442695040888963407) % 2**64
    return (LCG >> 11) * 2.0**-53


def cross(v):
    return matrix([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def to_matrix(v):
    """exp of the cross product matrix, by its power series."""
    A, term, total, n = cross(v), eye(3), eye(3), 1
    while n < 4 or mp.norm(term) > mpf(10)**-(mp.dps + 5):
        term = term * A / n
        total += term
        n += 1
    return total


def to_vector(R):
    """The rotation vector of a matrix: axis from the skew part, angle from skew part and trace."""
    s = [(R[2, 1] - R[1, 2]) / 2, (R[0, 2] - R[2, 0]) / 2, (R[1, 0] - R[0, 1]) / 2]
    n = sqrt(sum(x * x for x in s))
    if n == 0:
        return [mpf(0)] * 3
    angle = atan2(n, (R[0, 0] + R[1, 1] + R[2, 2] - 1) / 2)
    return [angle * x / n for x in s]


def from_quaternion(q):
    """The matrix of a quaternion of any length: v -> q v q*, written out by what it does to the axes."""
    w, x, y, z = map(mpf, q)
    n = w * w + x * x + y * y + z * z
    return eye(3) + 2 / n * (w * cross([x, y, z]) + cross([x, y, z])**2)


def to_quaternion(R):
    """The quaternion as the eigenvector of the largest eigenvalue of Bar-Itzhack's matrix (2000), w not negative."""
    K = matrix([[R[0, 0] + R[1, 1] + R[2, 2], R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]],
                [0, R[0, 0] - R[1, 1] - R[2, 2], R[0, 1] + R[1, 0], R[0, 2] + R[2, 0]],
                [0, 0, R[1, 1] - R[0, 0] - R[2, 2], R[1, 2] + R[2, 1]],
                [0, 0, 0, R[2, 2] - R[0, 0] - R[1, 1]]])
    for i in range(4):
        for j in range(i):
            K[i, j] = K[j, i]
    values, vectors = mp.eigsy(K)
    best = max(range(4), key=lambda i: values[i])
    q = [vectors[i, best] for i in range(4)]
    return [-x for x in q] if q[0] < 0 else q


def fixed(mp_vector):
    return [float(x) for x in mp_vector]


def pairs():
    """Rotation vectors as doubles, of every size up to nearly half a turn."""
    sizes = [mpf(10)**-k for k in (300, 160, 30, 16, 9, 8, 7, 5, 4, 3, 2, 1)]
    sizes += [mpf(1), mpf(2), mpf(3), pi / 2] + [pi - mpf(10)**-k for k in (1, 3, 5, 7, 9, 12)]
    for size in sizes:
        for axis in ([1, 0, 0], [0, -1, 0], [.6, 0, -.8]) + tuple([noise() - .5 for _ in range(3)] for _ in range(2)):
            n = sqrt(sum(mpf(a)**2 for a in axis))
            v = fixed([size * a / n for a in axis])
            mp.dps = 60 + 2 * max(0, int(-mp.log10(size)))
            half = sqrt(sum(mpf(x)**2 for x in v)) / 2
            q = to_quaternion(to_matrix(v)) if size > mpf(10)**-20 else [mpf(1)] + [mpf(x) / 2 for x in v]
            assert abs(q[0] - cos(half)) < mpf(10)**-50     # and so it is known otherwise
            yield v, fixed(q)
            mp.dps = 60


# --- angular velocity: with [y] the matrix of the cross product, exp([y]) turns with J y', J = sum of [y]^n / (n + 1)! ---

def jacobian(y):
    term, total, n = eye(3), eye(3), 1
    while n < 4 or mp.norm(term) / factorial(n) > mpf(10)**-(mp.dps + 5):
        term = term * cross(y)
        total += term / factorial(n + 1)
        n += 1
    return total


def apply(A, v):
    return list(A * matrix(v))


def angular_acceleration(y, v, a):
    """The derivative of J(y) v by time, as a central difference over 1e-20 s."""
    h = mpf(10)**-20
    ends = [apply(jacobian([yi + t * vi for yi, vi in zip(y, v)]), [vi + t * ai for vi, ai in zip(v, a)]) for t in (-h, h)]
    return [(p - m) / (2 * h) for m, p in zip(*ends)]


# --- filters, in the vectors from the row's goal: goal moves from g0 to 0 ---

def system(s, d, x, v, g0, T, linear, q):
    """x'' = s (g - x) + d (q - v) per component; g is 0, or moves to 0 evenly. Returns x, v, acceleration."""
    out = []
    for xi, vi, gi, qi in zip(x, v, g0, q):
        slope, start = (-gi / T, gi) if linear else (mpf(0), mpf(0))
        A = matrix([[0, 1, 0, 0], [-s, -d, s, d * qi], [0, 0, 0, slope], [0, 0, 0, 0]])
        y = expm(A * T) * matrix([xi, vi, start, 1])
        out.append((y[0], y[1], s * (0 - y[0]) + d * (qi - y[1])))
    return [list(c) for c in zip(*out)]


def one_order(rate, x, g0, T, linear):
    out = []
    for xi, gi in zip(x, g0):
        slope, start = (-gi / T, gi) if linear else (mpf(0), mpf(0))
        A = matrix([[-rate, rate, 0], [0, 0, slope], [0, 0, 0]])
        y = expm(A * T) * matrix([xi, start, 1])
        v = rate * (0 - y[0])
        out.append((y[0], v, rate * (slope - v)))
    return [list(c) for c in zip(*out)]


LN2 = log(mpf(2))
CUT = 8


def follow(kind, rows):
    """rows: (T, quaternion, cut). Yields rotation matrix, angular velocity and acceleration of each."""
    name, options = kind
    o = {k: mpf(v) if isinstance(v, float) else v for k, v in options.items()}
    G = X = None
    zero = [mpf(0)] * 3
    w, said, e, u, q, known = zero, zero, zero, zero, zero, 0
    for n, (T, quat, cut) in enumerate(rows):
        P, G, T = G, from_quaternion(quat), mpf(T)
        if P is None:
            X = G
            yield X, zero, zero
            continue
        g0, x = to_vector(P * G.T), to_vector(X * G.T)
        way = [-g / T for g in g0]
        linear = options.get('hold') == 'linear' or name == 'second-order'
        v = apply(inverse(jacobian(x)), w)      # of x, where the goal stands still
        if name in ('damper', 'critical', 'spring', 'second-order'):
            if name == 'damper':
                last = v
                x, v, a = one_order(LN2 / o['halflife'], x, g0, T, linear)
                if not linear:  # the goal jumps, and so does the velocity
                    a = [(vi - li) / T for vi, li in zip(v, last)]
            elif name == 'critical':
                y = 2 * LN2 / o['halflife']
                fed = way if options.get('goal_velocity') == 'difference' else zero
                x, v, a = system(y * y, 2 * y, x, v, g0, T, linear, fed)
            elif name == 'spring':
                f = 2 * pi * o['frequency']
                fed = way if options.get('goal_velocity') == 'difference' else zero
                x, v, a = system(f * f, 2 * o['damping_ratio'] * f, x, v, g0, T, linear, fed)
            else:       # y + k1 y' + k2 y'' = x + k3 x'
                f = 2 * pi * o['frequency']
                k1, k2, k3 = 2 * o['damping_ratio'] / f, 1 / f**2, o['response'] * o['damping_ratio'] / f
                x, v, a = system(1 / k2, k1 / k2, x, v, g0, T, linear, [k3 / k1 * c for c in way])
            w, a = apply(jacobian(x), v), angular_acceleration(x, v, a)
            X = to_matrix(x) * G
            yield X, w, a
            continue
        # The output is exp(e) from a goal that moves at q: w = J e' + exp(e) q.
        if name == 'tracking':
            ax, av, gain = mpf(.01), mpf(.2), mpf(1) / 60
            if cut:
                e, u, q, t = x, v, zero, 1 - ax
            else:
                t = (1 - av) * (1 - ax)
                # x - (g - q T) before the step is what was left: e. v + a T - q is v - q of the row before.
                if known == 1:
                    u = apply(inverse(jacobian(e)), [wi - ri for wi, ri in zip(w, apply(to_matrix(e), way))])
                q = way
            M = matrix([[1 - ax, gain * t], [-ax / gain, t]])
            L = logm(M).apply(mp.re) / gain
            step = expm(T * L)
            known = 1 if cut else 2
        else:
            y = 2 * LN2 / o['halflife']
            L = matrix([[0, 1], [-y * y, -2 * y]])
            step = expm(T * L)
        moved = [step * matrix([ei, ui]) for ei, ui in zip(e, u)]
        if name == 'inertialize' and cut:
            # The new motion has the velocity of its next step. Where it was T ago the output had the error b, of the
            # rate r. It goes on at the velocity without the old error, and of that what is left of it is added.
            T_next, next_quat, _ = rows[n + 1]
            q = [m / mpf(T_next) for m in to_vector(from_quaternion(next_quat) * G.T)]
            b = to_vector(X * G.T * to_matrix([qi * T for qi in q]))
            r = apply(inverse(jacobian(b)), [wi - ri for wi, ri in zip(w, apply(to_matrix(b), q))])
            left = [(m[0] - ei - ui * T, m[1] - ui) for m, ei, ui in zip(moved, e, u)]
            e = [bi + ri * T + m[0] for bi, ri, m in zip(b, r, left)]
            u = [ri + m[1] for ri, m in zip(r, left)]
        else:
            q = way if not cut else q
            e, u = [m[0] for m in moved], [m[1] for m in moved]
        X = to_matrix(e) * G
        w = [ji + ri for ji, ri in zip(apply(jacobian(e), u), apply(to_matrix(e), q))]
        # Tracking goes on with w; what it prints is the slope of its curve: e' is by the generator of the step.
        rate = [L[0, 0] * ei + L[0, 1] * ui for ei, ui in zip(e, u)]
        old, said = said, [ji + ri for ji, ri in zip(apply(jacobian(e), rate), apply(to_matrix(e), q))]
        yield X, said, [(wi - oi) / T for wi, oi in zip(said, old)]


KINDS = [('damper', dict(halflife=.1)), ('damper', dict(halflife=.1, hold='linear')),
         ('critical', dict(halflife=.1)), ('critical', dict(halflife=.08, hold='linear')),
         ('critical', dict(halflife=.1, goal_velocity='difference')),
         ('spring', dict(frequency=2.0, damping_ratio=.3)),
         ('spring', dict(frequency=1.5, damping_ratio=.5, hold='linear', goal_velocity='difference')),
         ('second-order', dict(frequency=2.0, damping_ratio=.4, response=-1.5)),
         ('tracking', dict()), ('inertialize', dict(halflife=.15))]
NROW, EVERY = 20, 6


def motion(cuts):
    """A tumbling motion, rows at uneven times, quaternions of either sign, two jumps; they are cuts or not."""
    rows, R, w = [], eye(3), [4 * noise() - 2 for _ in range(3)]
    for n in range(NROW):
        T = (.25 + 1.5 * noise()) / 60
        w = [a + (noise() - .5) for a in w]
        R = to_matrix([mpf(a) * mpf(T) for a in w]) * R
        jump = n in (8, 15)
        if jump:        # one of them nearly half a turn; springs take it as any goal
            R = to_matrix([mpf(3.1) if n == 15 and not cuts else mpf(1.2), mpf(.2), mpf(-.3)]) * R
        sign = -1 if noise() < .4 else 1
        rows.append((T, [sign * x for x in fixed(to_quaternion(R))], CUT if jump and cuts else 0))
    return rows


def hexes(values):
    return ', '.join(float(v).hex() for v in values)


def main():
    print('/* Generated by tests/ref/rotation.py, do not edit. */')
    print('/* A rotation vector and its quaternion. */')
    print('static const struct {\n    double v[3], q[4];\n} rotation_pairs[] = {')
    for v, q in list(pairs())[::7]:
        print('    { { %s }, { %s } },' % (hexes(v), hexes(q)))
    print('};\n')
    print('enum { ROTATION_NROW = %d, ROTATION_EVERY = %d };' % (NROW, EVERY))
    print('/* Two motions: the jumps of the second are cuts. */')
    print('static const struct {\n    double T[ROTATION_NROW], goal[ROTATION_NROW][4];')
    print('    unsigned char cut[ROTATION_NROW];\n} rotation_motions[] = {')
    motions = [motion(False), motion(True)]
    for rows in motions:
        print('    { { %s },' % hexes(r[0] for r in rows))
        print('      { %s },' % ',\n        '.join('{ %s }' % hexes(r[1]) for r in rows))
        print('      { %s } },' % ', '.join(str(1 if r[2] else 0) for r in rows))
    print('};\n')
    print('/* Filters of rotations: w, x, y, z, then velocity and acceleration of the rows i with i % ROTATION_EVERY == 0. */')
    print('static const struct {\n    const char *filter, *words;\n    size_t motion;')
    print('    double expected[(ROTATION_NROW + ROTATION_EVERY - 1) / ROTATION_EVERY][10];\n} rotation_cases[] = {')
    for name, options in KINDS:
        cuts = name in ('tracking', 'inertialize')
        words = ' '.join('%s=%s' % (k.replace('_', '-'), v) for k, v in options.items())
        kept = [row for i, row in enumerate(follow((name, options), motions[cuts])) if i % EVERY == 0]
        print('    { "%s", "%s", %d,' % (name, words, cuts))
        print('      { %s } },' % ',\n        '.join('{ %s }' % hexes(to_quaternion(X) + v + a) for X, v, a in kept))
    print('};')


main()
