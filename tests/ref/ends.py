#!/usr/bin/python3
"""Writes src/whole/smoother_table.h: the energy that white noise of variance 1 has in the difference of two rungs. Usage: ends.py >FILE

A run of five periods of the cutoff on even rows is smoothed with the penalty eased toward its end (smoother_ends.h). The
unknowns are value and slope at each row; the penalty of a step is a quadratic form of four of them. Of the difference of the matrices of a rung and of the
rung before, the squares of the rows within 0.6 periods of the end are added up, and divided by the number of these rows.
"""
from math import pi, sin, sqrt
ROWS = [2.25, 3, 4, 5.5, 8, 11, 15, 20, 30, 60]  # in a period
PARTS = [1, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001, 1e-4, 1e-6]


def smoother(rows, part, decide):
    """The last rows of the matrix, with a step of 1."""
    q = (2 * sin(pi / rows))**2
    a2 = (sqrt(2) - 1) * (1 - q / 6) / q**2
    n = int(5 * rows) + 1
    A = [[0.0] * 4 for _ in range(2 * n)]  # the diagonal, and three numbers beside it
    for i in range(n):
        A[2 * i][0] += 1
    for i in range(1, n):
        u = (n - 1 - i + 0.5) / (1.5 * rows)
        ease = a2 * part**(1 - u * u * (3 - 2 * u)) if u < 1 else a2
        form = [[12, 6, -12, 6], [6, 4, -6, 2], [-12, -6, 12, -6], [6, 2, -6, 4]]
        for p in range(4):
            for r in range(p, 4):
                A[2 * i - 2 + p][r - p] += ease * form[p][r]
    rights = [[float(k == 2 * (n - 1 - d)) for k in range(2 * n)] for d in range(decide)]
    for k in range(2 * n):
        for j in range(1, min(4, 2 * n - k)):
            f = A[k][j] / A[k][0]
            for m in range(j, 4):
                A[k + j][m - j] -= f * A[k][m]
            for b in rights:
                b[k + j] -= f * b[k]
    for b in rights:
        for k in reversed(range(2 * n)):
            b[k] = (b[k] - sum(A[k][j] * b[k + j] for j in range(1, min(4, 2 * n - k)))) / A[k][0]
    return [b[::2] for b in rights]


def energies(rows):
    before, found = None, []
    decide = int(0.6 * rows + 1e-6) + 1
    for part in PARTS:
        now = smoother(rows, part, decide)
        if before:
            found.append(sum((a - b)**2 for x, y in zip(now, before) for a, b in zip(x, y)) / decide)
        before = now
    return found


print("/* Energies of noise. Made by tests/ref/ends.py. */")
print("enum { ENERGY_COLUMNS = %d };" % len(ROWS))
print("static const double energy_rows[ENERGY_COLUMNS] = { %s };" % ", ".join(str(r) for r in ROWS))
print("static const double energy[ENERGY_COLUMNS][%d] = {" % (len(PARTS) - 1))
for rows in ROWS:
    print("    { %s }," % ", ".join("%.4g" % x for x in energies(rows)))
print("};")
