#!/usr/bin/python3
"""Compares results of src/number/elementary.c with mpmath. Usage: elementary_values 5000 | elementary_check.py

Prints for each function the largest error in units of the last place, and how many results are correctly rounded. The status is 1
if an error is above 0.502 (pow: 0.51), or if fewer than 99.9 % of the results are correctly rounded.
"""
import sys

from mpmath import mp, mpf, atan2, cos, exp, expm1, hypot, isnan, ldexp, log, log1p, power, sin

FUNCTIONS = {
    "exp": lambda x, y: exp(x),
    "expm1": lambda x, y: expm1(x),
    "log": lambda x, y: log(x),
    "log1p": lambda x, y: log1p(x) if x > -1 else mpf("-inf" if x == -1 else "nan"),
    "log10": lambda x, y: log(x) / log(mpf(10)),
    "sin": lambda x, y: sin(x),
    "cos": lambda x, y: cos(x),
    "pow": power,
    "hypot": hypot,
    "atan2": atan2,
}
mp.prec = 240
MOST = mpf(float.fromhex("0x1.fffffffffffffp+1023")) + ldexp(mpf(1), 970)  # from here on, numbers round to infinity


def error(got, want):
    """The error in units of the last place of what is wanted, or None if both are NaN, 0 or infinite."""
    if isnan(want) or isnan(got):
        return None if isnan(want) and isnan(got) else mpf("inf")
    if abs(want) >= MOST:
        return None if abs(got) == mpf("inf") and (got > 0) == (want > 0) else mpf("inf")
    if abs(got) == mpf("inf"):
        return got
    exponent = max(mp.frexp(want)[1] if want else -2000, -1021)
    places = abs(got - want) / ldexp(mpf(1), exponent - 53)
    return places if exponent > -1021 else places / 2  # denormal results may be rounded twice


worst, wrong, count, bad = {}, {}, {}, False
for line in sys.stdin:
    name, x, y, got = line.split()
    want = FUNCTIONS[name](mpf(float.fromhex(x)), mpf(float.fromhex(y)))
    found = error(mpf(float.fromhex(got)), want) or 0
    count[name] = count.get(name, 0) + 1
    wrong[name] = wrong.get(name, 0) + (found > 0.5)
    if found > worst.get(name, (-1,))[0]:
        worst[name] = found, x, y, got
for name, (found, x, y, got) in worst.items():
    right = 1 - wrong[name] / count[name]
    most = 0.51 if name == "pow" else 0.502
    verdict = "" if found <= most and right >= 0.999 else "   WRONG"
    bad = bad or bool(verdict)
    print(f"{name}: largest error {float(found):.5f} at {x} {y} ({got}), {100 * right:.3f} % correctly rounded{verdict}")
assert set(worst) == set(FUNCTIONS)
sys.exit(bad)
