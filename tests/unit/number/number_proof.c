/* The long proof of the number module: number_proof [ROUNDS [SEED]]. Random and built cases are read and
 * printed, and compared bit by bit and byte by byte with glibc's strtod and snprintf in the "C" locale, which
 * round correctly too. Prints one line per difference (the first few), a summary line, and exits with 1 if
 * there was any. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number/fast_read.h"
#include "unit/number/draw.h"

enum { TEXT_MAX = 1600 };

static uint64_t checks, differences;

static int draw_int(int from, int to)
{
    return from + (int)(draw() % (uint64_t)(to - from + 1));
}

static double draw_double(void)
{
    for (;;) {
        double x = double_of(draw());
        if (isfinite(x))
            return x;
    }
}

static double draw_usual(void)
{
    double x = ldexp((double)(int64_t)draw(), draw_int(-110, 10));
    char text[64];
    if (draw() % 2)
        return x;
    snprintf(text, sizeof text, "%.*g", draw_int(1, 12), x); /* as typed by people: few digits, and ties */
    return strtod(text, NULL);
}

static void expect(bool same, const char *what, const char *given, const char *got)
{
    checks++;
    if (same)
        return;
    if (differences++ < 20)
        printf("difference: %s: given %s, got %s\n", what, given, got);
}

/* ---- Reading ---- */

/* Behind the text, whose end is told by the NUL as well, stand NUMBER_SHORT_BYTES more. */
static void check_read(const char *text)
{
    size_t n = strlen(text);
    double x = 0;
    char got[64];
    double wanted = strtod(text, NULL);
    const char *after = number_read(text, text + n, '.', &x);
    snprintf(got, sizeof got, "%a (wanted %a)", x, wanted);
    expect(after == text + n && bits_of(x) == bits_of(wanted), "read", text, got);

    struct number_decimal d;
    double again = 0;
    number_read_decimal(text, text + n, '.', &again, &d);
    expect(bits_of(again) == bits_of(wanted), "read_decimal", text, got);
    struct number_decimal same = { 0, 0, false };
    after = number_read_decimal(text, text + n + NUMBER_SHORT_BYTES, '.', &again, &same);
    snprintf(got, sizeof got, "%a (wanted %a)", again, wanted);
    expect(after == text + n && bits_of(again) == bits_of(wanted) && same.exact == d.exact &&
               same.digits == d.digits && same.exp10 == d.exp10,
           "read short", text, got);
    if (d.exact) {
        snprintf(got, sizeof got, "%s%" PRId64 "e%d", d.digits == 0 && text[0] == '-' ? "-" : "", d.digits,
                 d.exp10);
        expect(bits_of(strtod(got, NULL)) == bits_of(wanted), "exact decimal", text, got);
    }
}

static void draw_digits(char *text, int n)
{
    uint64_t kind = draw() % 8;
    for (int i = 0; i < n; i++)
        text[i] = (char)('0' + (kind == 0 && i > 0 ? 0 : kind == 1 ? 9 : draw() % 10));
    text[n] = '\0';
}

static void check_decimal(int most)
{
    char digits[TEXT_MAX], text[TEXT_MAX + 32];
    int n = draw_int(1, most);
    draw_digits(digits, n);
    int before = draw_int(0, n);
    const char *sign = draw() % 4 ? "" : draw() % 2 ? "-" : "+";
    int exponent = draw() % 2 ? draw_int(-350, 320) - before : draw_int(-25, 25);
    if (draw() % 4)
        snprintf(text, sizeof text, "%s%.*s.%se%d", sign, before, digits, digits + before, exponent);
    else
        snprintf(text, sizeof text, "%s%.*s%s%s", sign, before, digits, before < n || before == 0 ? "." : "",
                 digits + before);
    check_read(text);
}

/* The digits of the number midway between |x| and the next double, by adding and halving their exact
 * decimals. */
static void write_midpoint(char *text, double x)
{
    static char a[TEXT_MAX], b[TEXT_MAX];
    x = fabs(x);
    double next = double_of(bits_of(x) + 1);
    int n = snprintf(a, sizeof a, "%0*.1075f", 309 + 1 + 1075, x);
    snprintf(b, sizeof b, "%0*.1075f", 309 + 1 + 1075, next);
    int carry = 0;
    for (int i = n - 1; i >= 0; i--) {
        if (a[i] == '.')
            continue;
        int sum = a[i] - '0' + b[i] - '0' + carry;
        carry = sum / 10;
        a[i] = (char)(sum % 10);
    }
    for (int i = 0; i < n; i++) {
        if (a[i] == '.')
            continue;
        int digit = carry * 10 + a[i];
        carry = digit % 2;
        a[i] = (char)('0' + digit / 2);
    }
    while (n > 0 && a[n - 1] == '0')
        n--;
    a[n] = '\0';
    strcpy(text, a + strspn(a, "0"));
}

/* One less in the last place, which may borrow; the text is not zero. */
static void decrement(char *text)
{
    for (char *p = text + strlen(text) - 1; p >= text; p--) {
        if (*p == '.')
            continue;
        if (*p > '0') {
            --*p;
            return;
        }
        *p = '9';
    }
}

/* The midpoint, just above it, just below it. */
static void check_midpoint(void)
{
    char text[TEXT_MAX + 32];
    double x = draw() % 4   ? draw_double()
               : draw() % 2 ? draw_usual()
                            : double_of(draw() % ((uint64_t)1 << draw_int(1, 52)));
    if (!(fabs(x) < DBL_MAX))
        return;
    write_midpoint(text, x);
    check_read(text);
    size_t n = strlen(text);
    strcat(text, draw() % 2 ? "1" : "0000000000000001");
    check_read(text);
    text[n] = '\0';
    decrement(text);
    if (draw() % 2)
        strcat(text, "9999999999999");
    check_read(text);
}

/* The first digits of a midpoint, and one more in the last place: hits what the first 64 or 128 bits of a
 * product leave undecided. */
static void check_near_midpoint(void)
{
    char midpoint[TEXT_MAX + 8], text[128];
    double x = draw_double();
    if (!(fabs(x) < DBL_MAX))
        return;
    write_midpoint(midpoint, x);
    char *point = strchr(midpoint, '.');
    int before = (int)(point - midpoint);
    memmove(point, point + 1, strlen(point));
    char *first = midpoint + strspn(midpoint, "0");
    before -= (int)(first - midpoint);
    int n = draw_int(15, 24);
    if ((int)strlen(first) < n)
        return;
    snprintf(text, sizeof text, "%.*se%d", n, first, before - n);
    check_read(text);
    if (text[n - 1] < '9') {
        text[n - 1]++;
        check_read(text);
    }
}

/* ---- Printing ---- */

static void print(char *text, double x, enum number_style style, int digits)
{
    struct number_format format = { style, digits, '.' };
    memset(text, '~', NUMBER_MAX + 1);
    size_t n = number_print(text, x, &format);
    expect(n <= NUMBER_MAX && text[NUMBER_MAX] == '~', "length", "a double", "too much");
    text[n] = '\0';
}

static void drop_minus_of_zero(char *text)
{
    if (text[0] == '-' && strspn(text, "-0.") == strlen(text))
        memmove(text, text + 1, strlen(text));
}

static void check_style(double x, enum number_style style, int digits)
{
    char got[NUMBER_MAX + 1], wanted[NUMBER_MAX + 1], given[64];
    print(got, x, style, digits);
    snprintf(wanted, sizeof wanted, style == NUMBER_DECIMALS ? "%.*f" : "%.*g", digits, x);
    drop_minus_of_zero(wanted);
    snprintf(given, sizeof given, "%a with %d digits", x, digits);
    expect(strcmp(got, wanted) == 0, style == NUMBER_DECIMALS ? "decimals" : "precision", given, got);
}

/* d.ddde+XX -> the integer of its digits and the exponent of the last one. */
struct digits {
    int64_t n;
    int exponent;
    int count;
};

static struct digits split(const char *text)
{
    struct digits d = { 0, 0, 0 };
    const char *p = text;
    bool fraction = false;
    int zeros = 0;
    for (; *p && *p != 'e'; p++) {
        if (*p == '.') {
            fraction = true;
        } else if (*p != '-') {
            d.exponent -= fraction;
            zeros = *p == '0' && d.count ? zeros + 1 : 0;
            d.n = d.n * 10 + (*p - '0');
            d.count += d.n != 0;
        }
    }
    for (; zeros > 0; zeros--) {
        d.n /= 10;
        d.exponent++;
        d.count--;
    }
    if (*p)
        d.exponent += atoi(p + 1);
    return d;
}

/* Whether n * 10^exponent reads as x. */
static bool reads_as(int64_t n, int exponent, double x)
{
    char text[64];
    snprintf(text, sizeof text, "%" PRId64 "e%d", n, exponent);
    return strtod(text, NULL) == x;
}

/* The nearest decimal of count digits to x, as digits (its zeros at the end kept). */
static struct digits nearest(double x, int count)
{
    char text[64];
    struct digits d = { 0, 0, count };
    snprintf(text, sizeof text, "%.*e", count - 1, x);
    char *p = text;
    for (; *p != 'e'; p++)
        if (*p != '.')
            d.n = d.n * 10 + (*p - '0');
    d.exponent = atoi(p + 1) - (count - 1);
    return d;
}

/* Reads back; no decimal with fewer digits does (the nearest, nor its neighbours: at a power of two the
 * nearest may fail where a farther one does not); and of those with as many digits it is the nearest that
 * does. */
static void check_shortest(double x)
{
    char got[NUMBER_MAX + 1], given[64];
    double back = 0;
    print(got, x, NUMBER_SHORTEST, 0);
    snprintf(given, sizeof given, "%a", x);
    expect(strtod(got, NULL) == x, "strtod of shortest", given, got);
    const char *after = number_read(got, got + strlen(got), '.', &back);
    expect(after == got + strlen(got) && bits_of(back) == bits_of(x == 0 ? 0 : x), "read of shortest", given,
           got);
    if (x == 0) {
        expect(strcmp(got, "0") == 0, "zero", given, got);
        return;
    }
    x = fabs(x);
    bool plain = 1e-5 <= x && x < 1e17;
    expect(plain == !strchr(got, 'e'), "notation of shortest", given, got);
    struct digits ours = split(got);
    int least = draw() % 64 == 0 ? 1 : ours.count - 1;
    for (int count = least < 1 ? 1 : least; count < ours.count; count++) {
        struct digits d = nearest(x, count);
        for (int step = -1; step <= 1; step++)
            expect(!reads_as(d.n + step, d.exponent, x), "shorter reads back", given, got);
    }
    struct digits d = nearest(x, ours.count);
    if (reads_as(d.n, d.exponent, x))
        expect(d.n == ours.n && d.exponent == ours.exponent, "closest", given, got);
    else
        expect((d.n - 1 == ours.n || d.n + 1 == ours.n) && d.exponent == ours.exponent, "closest that reads",
               given, got);
}

static void check_round(uint64_t round)
{
    static const double magnitudes[] = { 1e-300, 1e-20, 1e-3, 1, 1e3, 1e16, 1e18, 1e300 };
    double x = round / 16 % 2 ? draw_double() : draw_usual();
    char text[32];
    switch (round % 16) {
    case 0:
    case 1:
    case 2:
        check_shortest(x);
        break;
    case 3: /* powers of two and their neighbours, the smallest denormals */
        x = draw() % 2 ? ldexp(1, draw_int(-1074, 1023)) : double_of(draw() % 4096);
        check_shortest(double_of(bits_of(x) + (x > 0 ? draw() % 3 - 1 : 0)));
        break;
    case 4:
    case 5:
    case 6:
        check_style(x, NUMBER_PRECISION, draw_int(1, 17));
        break;
    case 7: /* at the edge of a power of ten */
        snprintf(text, sizeof text, "1e%d", draw_int(-320, 308));
        x = double_of(bits_of(strtod(text, NULL)) + draw() % 5 - 2);
        check_style(x, NUMBER_PRECISION, draw_int(1, 17));
        check_style(x, NUMBER_DECIMALS, draw_int(0, 17));
        check_shortest(x);
        break;
    case 8:
    case 9:
    case 10:
        if (round / 32 % 16)
            x = remainder(x, magnitudes[draw() % 8]);
        check_style(x, NUMBER_DECIMALS, draw_int(0, 17));
        break;
    case 11:
        check_decimal(15);
        break;
    case 12:
        check_decimal(25);
        break;
    case 13:
        check_near_midpoint();
        break;
    case 14:
        if (round / 16 % 2 == 0)
            check_decimal(800);
        else
            check_decimal(19);
        break;
    default:
        if (round / 16 % 2 == 0)
            check_midpoint();
        else
            check_decimal(22);
    }
}

int main(int argc, char **argv)
{
    uint64_t rounds = argc > 1 ? (uint64_t)strtod(argv[1], NULL) : 10000000;
    draw_state = argc > 2 ? strtoull(argv[2], NULL, 0) : 20240229;
    for (uint64_t i = 0; i < rounds; i++)
        check_round(i);
    printf("number_proof: %" PRIu64 " checks, %" PRIu64 " differences\n", checks, differences);
    return differences > 0;
}
