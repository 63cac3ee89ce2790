#!/usr/bin/python3
"""Writes powers_table.h: the powers of ten as 128-bit mantissas, by exact integers. Usage: number_table.py >FILE

The integer formulas with which exact.h finds exponents are checked here too, over all their arguments.
"""
from fractions import Fraction

MIN, MAX = -342, 340  # least: number_read's 19 digits * 10^-342; greatest: 17 digits of the smallest denormal


def floor_log(base, value):
    """The integer n with base^n <= value < base^(n+1), for a positive Fraction."""
    guess = len(str(value.numerator)) - len(str(value.denominator)) if base == 10 else \
        value.numerator.bit_length() - value.denominator.bit_length()
    n = guess - 1
    while Fraction(base) ** (n + 1) <= value:
        n += 1
    return n


def mantissa(q):
    """ceil(10^q * 2^n), n such that the result has 128 bits."""
    n = 127 - floor_log(2, Fraction(10) ** q)
    scaled = Fraction(10) ** q * Fraction(2) ** n
    result = -(-scaled.numerator // scaled.denominator)
    assert result.bit_length() == 128
    assert (result == scaled) == (0 <= q <= 55)
    return result


def check_formulas():
    for q in range(MIN, MAX + 1):
        assert q * 1741647 >> 19 == floor_log(2, Fraction(10) ** q)
    for e in range(-1100, 1100):
        assert e * 1262611 >> 22 == floor_log(10, Fraction(2) ** e)
        assert e * 1262611 - 524031 >> 22 == floor_log(10, Fraction(3, 4) * Fraction(2) ** e)


check_formulas()
print("""/* Made by number_table.py, do not edit: what src/number/exact.c computes before main(). */
/* clang-format off */
enum { POWERS_STRIDE = 11 }; /* row i: 10^(LEAST_POWER + i POWERS_STRIDE) */
static const struct power powers_table[] = {""")
for q in range(MIN, MAX + 1, 11):
    m = mantissa(q)
    print(f"    {{ 0x{m >> 64:016x}, 0x{m & (1 << 64) - 1:016x} }}, /* 1e{q} */")
print("""};
/* clang-format on */""")
