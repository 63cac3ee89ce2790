#!/usr/bin/python3
"""Writes src/number/elementary_tables.h: the constants of src/number/elementary.c, by mpmath. Usage: elementary.py >FILE"""
import sys

try:
    from mpmath import mp, mpf, cos, exp, floor, log, atan, ldexp, nint, pi, sin, frexp
except ImportError:
    sys.exit(77)

mp.prec = 2000


def rounded(x, bits):
    """x rounded to so many bits, half to even."""
    mantissa, exponent = frexp(x)
    return ldexp(nint(ldexp(mantissa, bits)), exponent - bits)


def hexadecimal(x):
    assert mpf(float(x)) == x
    text = float(x).hex()
    sign, text = ("-", text[1:]) if text[0] == "-" else ("", text)
    head, exponent = text.split("p")
    if "." in head:
        head = head.rstrip("0").rstrip(".")
    return f"{sign}{head}p{exponent}" if x else "0"


def parts(x, *bits):
    """x as a sum of doubles of so many bits each."""
    result = []
    for n in bits:
        part = rounded(x, n) if x else mpf(0)
        result.append(part)
        x -= part
    return result


def split(x):
    """The head and the tail of x."""
    return "{ " + ", ".join(hexadecimal(part) for part in parts(x, 26, 53)) + " }"


def table(name, comment, rows, each=2):
    print(f"/* {comment} */\nstatic const struct {name}[{len(rows)}] = {{")
    for first in range(0, len(rows), each):
        print("    " + ", ".join(rows[first:first + each]) + ",")
    print("};\n")


def constant(name, comment, values):
    print(f"/* {comment} */\nstatic const double {name}[] = {{ " + ", ".join(hexadecimal(x) for x in values) + " };\n")


def near_log(i):
    """A short number near 1 / (1 + i/128), and the logarithm of its reciprocal, less log 2 where that is nearer to 0."""
    factor = rounded(1 / (1 + mpf(i) / 128), 12)
    logarithm = -log(factor) - (log(2) if i >= LOG_FOLD else 0)
    high = ldexp(nint(ldexp(logarithm, 42)), -42)
    return f"{{ {hexadecimal(factor)}, {{ {hexadecimal(high)}, {hexadecimal(rounded(logarithm - high, 53))} }} }}"


LOG_FOLD = 53  # 1 + 53/128 is just below the square root of 2
print("""/* Made by tests/ref/elementary.py, do not edit: the constants of elementary.c. */
#ifndef SPRUNG_NUMBER_ELEMENTARY_TABLES_H
#define SPRUNG_NUMBER_ELEMENTARY_TABLES_H

/* clang-format off */""")
constant("exp_step", "log 2 / 128 in parts; the first has so few bits that its product with 2^18 steps is exact",
         parts(log(2) / 128, 34, 53))
constant("steps_of_exp", "128 / log 2", [rounded(128 / log(2), 53)])
table("pair two_to", "2^(i/128): head and tail", [split(mpf(2) ** (mpf(i) / 128)) for i in range(128)])
print(f"enum {{ LOG_FOLD = {LOG_FOLD} }}; /* from this row on, logarithms are those of half the number */\n")
print("""struct log_row {
    double factor; /* 12 bits: near the reciprocal of 1 + i/128 */
    struct pair log;
};
""")
table("log_row near_log", "-log(factor), or -log(2 factor); the first part is a multiple of 2^-42",
      [near_log(i) for i in range(129)], 1)
high = ldexp(nint(ldexp(log(2), 42)), -42)
constant("log_2", "log 2; the first part is a multiple of 2^-42", [high, rounded(log(2) - high, 53)])
constant("log_10_inverse", "1 / log 10", parts(1 / log(10), 53, 53))
constant("turn_step", "2 pi / 256 in parts; products of the first two with 2^20 steps are exact", parts(pi / 128, 33, 33, 53))
constant("steps_of_turn", "256 / (2 pi)", [rounded(128 / pi, 53)])
constant("turn", "2 pi", parts(2 * pi, 53, 53))
constant("quarter_turns", "0, pi / 2 and pi, each in two parts", [x for n in range(3) for x in parts(n * pi / 2, 53, 53)])
table("pair circle", "sin(2 pi i / 256): head and tail",
      [split(sin(2 * pi * i / 256) if i % 128 else mpf(0)) for i in range(256)])
table("pair arc", "atan(i/64) in two parts",
      ["{ " + ", ".join(hexadecimal(part) for part in parts(atan(mpf(i) / 64), 53, 53)) + " }" for i in range(65)])
words = 20
bits = int(floor(ldexp(1 / (2 * pi), 64 * (words - 1))))
print("/* 1 / (2 pi) in binary, 64 bits a word, the first bits first; the first word is before the point */")
print(f"static const uint64_t turns_of_radian[{words}] = {{")
for first in range(0, words, 4):
    four = range(first, min(first + 4, words))
    print("    " + ", ".join(f"0x{bits >> 64 * (words - 1 - i) & (1 << 64) - 1:016x}" for i in four) + ",")
print("""};
/* clang-format on */

#endif""")
