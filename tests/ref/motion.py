#!/usr/bin/python3
"""Writes tests/ref/motion_table.h: inertialize, timed, velocity, character and resonance, in 80 digits. Usage: motion.py >FILE

The rules of each are followed row by row as they are defined; whatever a spring does in a step is the exponential of its
linear system, not a closed form.
"""
from mpmath import mp, mpf, matrix, expm, log, pi

mp.dps = 80
CUT, GAP, ALONE = 8, 16, 32
LN2 = log(2)
LCG = 54321


def noise():
    global LCG
    LCG = (LCG * 6364136223846793005 + 1442695040888963407) % 2**64
    return (LCG >> 11) * 2.0**-53


SYSTEMS = {}


def moved(A, T, state):
    key = (tuple(A), T)
    if key not in SYSTEMS:
        mp.dps = 80 + int(mp.log10(1 + abs(T) * mp.norm(A)))
        SYSTEMS[key] = expm(T * A)
    mp.dps = 80
    return SYSTEMS[key] * matrix(state)


def spring(s, d, T, e, v):
    return moved(matrix([[0, 1], [-s, -d]]), T, [e, v])


def critical(H, T, e, v):
    y = 2 * LN2 / H
    return spring(y * y, 2 * y, T, e, v)


def inertialize(rows, H):
    before, q, off, rate = rows[0][1], mpf(0), mpf(0), mpf(0)
    yield rows[0][1], mpf(0), mpf(0)
    y = 2 * LN2 / H
    for i in range(1, len(rows)):
        T, g, mark = rows[i]
        off, rate = critical(H, T, off, rate)
        new, acc = (g - before) / T, None
        if mark & GAP:
            new = acc = mpf(0)
        elif mark & CUT:
            new = q if mark & ALONE or i + 1 == len(rows) else (rows[i + 1][1] - g) / rows[i + 1][0]
            off += before + q * T - g
            rate += q - new
            acc = mpf(0)
        elif acc is None:
            acc = (new - q) / T
        yield g + off, new + rate, acc - y * y * off - 2 * y * rate
        before, q = g, new


def ahead(H, T, apprehension):
    return H / LN2 if apprehension is None else T + apprehension * H


def timed(rows, H, S, apprehension=None):
    x = xi = goal = rows[0][1]
    v, r, y = mpf(0), mpf(0), 2 * LN2 / H
    yield x, v, mpf(0)
    for T, g, mark in rows[1:]:
        if g != goal:
            r = S
        goal = g
        r = max(r - T, mpf(0))
        vg = (g - xi) / max(r, T)
        F = ahead(H, T, apprehension)
        future = xi + vg * F if F < r else g
        e, v = critical(H, T, x - future, v)
        x = future + e
        xi += vg * T
        yield x, v, -y * y * e - 2 * y * v


def velocity(rows, H, speed, apprehension=None):
    x = xi = rows[0][1]
    v, y = mpf(0), 2 * LN2 / H
    yield x, v, mpf(0)
    for T, g, mark in rows[1:]:
        way = mpf(1) if g > xi else mpf(-1)
        F = ahead(H, T, apprehension)
        future = xi + way * speed * F if abs(g - xi) > speed * F else g
        e, v = critical(H, T, x - future, v)
        x = future + e
        xi = xi + way * speed * T if abs(g - xi) > speed * T else g
        yield x, v, -y * y * e - 2 * y * v


def character(rows, H, predict=()):
    y, state = 2 * LN2 / H, [mpf(0)] * 3

    def walk(T, g, state):                    # x' = v, v' = a, a' = y^2 (g - v) - 2 y a
        A = matrix([[0, 1, 0, 0], [0, 0, 1, 0], [0, -y * y, -2 * y, y * y], [0, 0, 0, 0]])
        return list(moved(A, T, list(state) + [g]))[:3]
    for i, (T, g, mark) in enumerate(rows):
        if i:
            state = walk(T, g, state)
        out = list(state)
        for S in predict:
            out += walk(mpf(S), g, state)
        yield tuple(out)


def resonance(rows, H, frequencies):
    d, start = 4 * LN2 / H, rows[0][1]
    springs = [[mpf(0), mpf(0)] for _ in frequencies]
    for i, (T, g, mark) in enumerate(rows):
        energies = []
        for spring_state, F in zip(springs, frequencies):
            s = (2 * pi * mpf(F))**2
            if i:
                e, v = spring(s, d, T, spring_state[0] - (g - start), spring_state[1])
                spring_state[:] = [g - start + e, v]
            energies.append((spring_state[1]**2 + s * spring_state[0]**2) / 2)
        yield tuple(energies)


NROW, MAXOUT = 24, 9
MARKS = [0] * NROW
for row in (6, 11, 18):
    MARKS[row] = CUT
for row in (10, 23):                         # one more cut follows, or the end
    MARKS[row] = CUT | ALONE
for row in (15, 16, 17):
    MARKS[row] = GAP


UNEVEN = [.25 + 1.75 * noise() for _ in range(NROW)]    # times the case's step: a row's step, if it is irregular
JUMPS, STEPPED, jump, level = [], [], 0.0, 1.0
for row in range(NROW):
    jump += 3 * noise() - 1.5 if MARKS[row] & CUT else 0
    JUMPS.append(JUMPS[-1] if MARKS[row] & GAP else float(mp.sin(3 * row / mpf(20))) + jump)
    level = 4 * noise() - 2 if row in (1, 9, 13, 14) else level
    STEPPED.append(level)


def rows_of(step, jumps):
    """The rows of a case, of a motion with jumps at marks or of one in steps; a negative step is irregular."""
    goals, marks = (JUMPS, MARKS) if jumps else (STEPPED, [0] * NROW)
    return [(-step * uneven if step < 0 else step, g, mark) for uneven, g, mark in zip(UNEVEN, goals, marks)]


HALFLIVES = (1e-9, .1, 1e9)
STEPS = (1e-9, 1 / 240, 1 / 60, 1.0, 1e6)
GRID = [(H, step) for H in HALFLIVES for step in STEPS] + [(.1, -1 / 30), (.03, -1 / 60)]
cases = []
for H, step in GRID:
    size = abs(step)
    cases.append(('inertialize', f'halflife={H!r}', step, inertialize, (mpf(H),)))
    S = 5.3 * size
    cases.append(('timed', f'halflife={H!r} time={S!r}', step, timed, (mpf(H), mpf(S))))
    speed = .31 / size
    cases.append(('velocity', f'halflife={H!r} speed={speed!r}', step, velocity, (mpf(H), mpf(speed))))
    cases.append(('character', f'halflife={H!r} predict={size!r},{7 * size!r}', step, character,
                  (mpf(H), (size, 7 * size))))
    low, middle, high = .01 / size, .3 / size, 2.7 / size
    cases.append(('resonance', f'halflife={H!r} method=energy frequencies={low!r},{middle!r},{high!r}', step, resonance,
                  (mpf(H), (low, middle, high))))
for H, A in ((.1, 2.0), (.05, 0.0)):
    cases.append(('timed', f'halflife={H!r} time=0.35 apprehension={A!r}', -1 / 20, timed, (mpf(H), mpf(.35), mpf(A))))
    cases.append(('velocity', f'halflife={H!r} speed=7.5 apprehension={A!r}', -1 / 20, velocity,
                  (mpf(H), mpf(7.5), mpf(A))))


def c_list(values, each):
    return ',\n    '.join(', '.join(v.hex() for v in values[i:i + each]) for i in range(0, len(values), each))


print('/* Generated by tests/ref/motion.py, do not edit. */')
print('enum { MOTION_NROW = %d, MOTION_EVERY = 6, MOTION_MAXOUT = %d };' % (NROW, MAXOUT))
print('/* The motions: with jumps at marks for inertialize, in steps for the others. */')
print('static const double motion_uneven[] = { %s };' % c_list(UNEVEN, 5))
print('static const double motion_jumps[] = { %s };' % c_list(JUMPS, 5))
print('static const double motion_steps[] = { %s };' % c_list(STEPPED, 5))
print('static const unsigned char motion_marks[] = { %s };' % ', '.join(map(str, MARKS)))
print('static const struct {\n    const char *filter, *words;')
print('    double step; /* of a row; where it is negative, times -motion_uneven */')
print('    size_t nout;\n    /* of the rows i with (i + case) % MOTION_EVERY == 0 */')
print('    double expected[MOTION_NROW / MOTION_EVERY][MOTION_MAXOUT];')
print('} motion_cases[] = {')
for number, (name, text, step, filter_, args) in enumerate(cases):
    if number % 7:
        continue
    exact = [(mpf(T), mpf(g), mark) for T, g, mark in rows_of(step, name == 'inertialize')]
    every = list(filter_(exact, *args))
    kept = [tuple(float(y) for y in out) for i, out in enumerate(every) if (i + number) % 6 == 0]
    print('    { "%s", "%s", %s, %d,' % (name, text, step.hex(), len(every[0])))
    print('      { %s } },' % ',\n        '.join('{ ' + ', '.join(y.hex() for y in out) + ' }' for out in kept))
print('};')
