#!/usr/bin/python3
"""Writes tests/ref/euler_table.h: Euler angles of the twelve orders and their rotations, in 60 digits. Usage: euler.py >FILE

Rotations are products of the three matrices. A quaternion is the eigenvector of Bar-Itzhack's matrix. Angles come back from
single entries of the matrix; the nearest ones are found by trying both solutions with every turn around the wanted ones.
"""
import itertools
import random

from mpmath import mp, mpf, matrix, eye, cos, sin, atan2, pi, nint

mp.dps = 60
draw = random.Random(15)
AXES = 'XYZ'


def about(axis, angle):
    i, j = (axis + 1) % 3, (axis + 2) % 3
    R = eye(3)
    R[i, i] = R[j, j] = cos(angle)
    R[i, j], R[j, i] = -sin(angle), sin(angle)
    return R


def index(order, i):
    """Of the angle of factor i: its axis, or where an axis stands twice its place."""
    return i if order[0] == order[2] else order[i]


def product(order, angles, period):
    R = eye(3)
    for i, axis in enumerate(order):
        R = R * about(axis, mpf(angles[index(order, i)]) * 2 * pi / period)
    return R


def to_quaternion(R):
    K = matrix([[R[0, 0] + R[1, 1] + R[2, 2], R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]],
                [0, R[0, 0] - R[1, 1] - R[2, 2], R[0, 1] + R[1, 0], R[0, 2] + R[2, 0]],
                [0, 0, R[1, 1] - R[0, 0] - R[2, 2], R[1, 2] + R[2, 1]],
                [0, 0, 0, R[2, 2] - R[0, 0] - R[1, 1]]])
    for i, j in itertools.combinations(range(4), 2):
        K[j, i] = K[i, j]
    values, vectors = mp.eigsy(K)
    best = max(range(4), key=lambda i: values[i])
    return [vectors[i, best] for i in range(4)]


def solutions(order, R, near, period):
    """R = Ra Rb Rc with e the sign of the order: R[a,c] = e sin b, R[b,c] = -e sin a cos b, R[c,c] = cos a cos b,
    R[a,b] = -e sin c cos b, R[a,a] = cos c cos b."""
    a, b, c = order
    e = 1 if (a + 1) % 3 == b else -1
    unit = 2 * pi / period
    cosine = mp.sqrt(R[a, a]**2 + R[a, b]**2)
    if cosine < mpf(10)**-25:               # the pole: a + c or a - c alone is determined
        sign = e * mp.sign(R[a, c])         # of b
        total = atan2(e * R[c, b], R[b, b])         # a + s c, with s = e sign
        s = e * sign
        gap = (total / unit - near[a] - s * near[c]) / 2
        gap -= nint(2 * gap / period) * period / 2
        yield {a: near[a] + gap, b: sign * period / 4, c: near[c] + s * gap}
        return
    for flip in (1, -1):
        yield {a: atan2(-flip * e * R[b, c], flip * R[c, c]) / unit,
               b: atan2(e * R[a, c], flip * cosine) / unit,
               c: atan2(-flip * e * R[a, b], flip * R[a, a]) / unit}


def solutions_repeated(order, R, near, period):
    """R = Ra Rb Ra with r the other axis and e the sign of a, b, r: R[a,a] = cos b, R[b,a] = sin b sin a,
    R[r,a] = -e sin b cos a, R[a,b] = sin b sin c, R[a,r] = e sin b cos c."""
    a, b, _ = order
    r = 3 - a - b
    e = 1 if (a + 1) % 3 == b else -1
    unit = 2 * pi / period
    sine = mp.sqrt(R[a, b]**2 + R[a, r]**2)
    if sine < mpf(10)**-25:                     # the pole: of the outer angles the sum or the difference is determined
        s = mp.sign(R[a, a])
        total = atan2(e * R[r, b], R[b, b])     # first + s third
        gap = (total / unit - near[0] - s * near[2]) / 2
        gap -= nint(2 * gap / period) * period / 2
        yield {0: near[0] + gap, 1: 0 if s > 0 else period / 2, 2: near[2] + s * gap}
        return
    for flip in (1, -1):
        yield {0: atan2(flip * R[b, a], -flip * e * R[r, a]) / unit,
               1: atan2(flip * sine, R[a, a]) / unit,
               2: atan2(flip * R[a, b], flip * e * R[a, r]) / unit}


def nearest(order, R, near, period):
    found = []
    repeated = order[0] == order[2]
    for angles in (solutions_repeated if repeated else solutions)(order, R, near, period):
        moved = [angles[k] + nint((near[k] - angles[k]) / period) * period for k in range(3)]
        found.append((sum((x - y)**2 for x, y in zip(moved, near)), moved))
        assert mp.norm(product(order, moved, period) - R) < mpf(10)**-40
    found.sort()
    assert len(found) < 2 or found[1][0] - found[0][0] > period * mpf(10)**-6
    cosine = R[order[0], order[0]]**2 + R[order[0], order[1]]**2
    return found[0][1], 1 - R[order[0], order[0]]**2 if repeated else cosine


def cases():
    repeated = [(a, b, a) for a, b, _ in itertools.permutations(range(3))]
    for order in list(itertools.permutations(range(3))) + repeated:
        middle = index(order, 1)
        pole = 0 if order in repeated else 90   # degrees; the other one is 180 from there
        for n in range(36):
            period = mpf(360) if n % 3 else mpf(6.283185307179586)
            angles = [float(draw.uniform(-.5, .5) * period) for _ in range(3)]
            if n in (1, 4, 7):              # at the pole, and close to it
                angles[middle] = [90., -90., 270.][n // 3] + pole - 90
            elif 8 < n < 20:
                angles[middle] = float(period / 4 * (draw.choice((1, -1, 3)) + mpf(pole) / 90 - 1) +
                                       period * draw.choice((1, -1)) * mpf(10)**(4 - n))
            elif 19 < n < 24:
                angles = [float(period * draw.choice((0, 1, 1, -3)) / 4) if k != middle else 0. for k in range(3)]
            elif n > 30:
                angles = [float(mpf(x) + period * draw.randint(-10**(n - 30), 10**(n - 30))) for x in angles]
            near = [float(mpf(x) + draw.uniform(-1.2, 1.2) * period * draw.choice((.1, .3, 1, 5))) for x in angles]
            R = product(order, angles, period)
            there, room = nearest(order, R, [mpf(x) for x in near], period)
            yield order, period, angles, to_quaternion(R), near, there, mp.sqrt(room)


def hexes(values):
    return ', '.join(float(v).hex() for v in values)


def main():
    print('/* Generated by tests/ref/euler.py, do not edit. */')
    print('/* Angles in an order, by axis, or where an axis stands twice by place; their quaternion; and the angles of the same')
    print(' * rotation nearest to others. room: the cosine of the middle angle, where an axis stands twice the sine. */')
    print('static const struct {\n    unsigned char axis[3];\n    double period, angle[3], q[4], near[3], nearest[3], room;')
    print('} euler_cases[] = {')
    for order, period, angles, q, near, there, room in list(cases())[::11]:
        print('    { { %s }, %s, { %s }, { %s }, { %s },\n      { %s }, %s },' %
              (', '.join(map(str, order)), float(period).hex(), hexes(angles), hexes(q), hexes(near), hexes(there),
               float(room).hex()))
    print('};')


main()
