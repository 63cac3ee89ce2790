/* Any bytes as a number's text, and any bits as a double to print, against a scanner of its own, and strtod
 * and snprintf in the "C" locale. The first byte chooses the point, the style and its digits; the rest is the
 * text. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number/fast_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static size_t count_digits(const char *p, size_t n)
{
    size_t i = 0;
    while (i < n && p[i] >= '0' && p[i] <= '9')
        i++;
    return i;
}

/* The length of the longest number at p, by the contract's grammar: 0 if none. */
static size_t match_number(const char *p, size_t n, char point)
{
    size_t i = n > 0 && (p[0] == '+' || p[0] == '-');
    size_t whole = count_digits(p + i, n - i), part = 0;
    i += whole;
    if (i < n && p[i] == point) {
        part = count_digits(p + i + 1, n - i - 1);
        if (whole || part)
            i += 1 + part;
    }
    if (!whole && !part)
        return 0;
    if (i < n && (p[i] == 'e' || p[i] == 'E')) {
        size_t j = i + 1;
        j += j < n && (p[j] == '+' || p[j] == '-');
        size_t digits = count_digits(p + j, n - j);
        if (digits)
            i = j + digits;
    }
    return i;
}

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static void check_print(double x, char point, unsigned choice)
{
    char got[NUMBER_MAX + 1], wanted[NUMBER_MAX + 1];
    const int decimals = choice % 3 == 0 ? NUMBER_SHORTEST : (int)(choice / 3 % 18);
    struct number_format format = { decimals, point };
    size_t n = number_print(got, x, &format);
    require(n < NUMBER_MAX);
    got[n] = '\0';
    if (decimals == NUMBER_SHORTEST) {
        double back = NAN;
        require(number_read(got, got + n, point, &back) == got + n);
        require(same_bits(back, x == 0 ? 0 : x));
        return;
    }
    if (fabs(x) >= 0x1p64)
        return;
    snprintf(wanted, sizeof wanted, "%.*f", decimals, x);
    bool minus_zero = wanted[0] == '-' && strspn(wanted, "-0.") == strlen(wanted);
    char *dot = strchr(wanted, '.');
    if (dot)
        *dot = point;
    require(strcmp(got, wanted + minus_zero) == 0);
}

static void check_text(const char *text, size_t n, char point)
{
    size_t length = match_number(text, n, point);
    double x = NAN, same = NAN;
    struct number_decimal d;
    const char *after = number_read(text, text + n, point, &x);
    require(after == (length ? text + length : NULL));
    require(number_read_decimal(text, text + n, point, &same, &d) == after);
    char *longer = malloc(n + 1 + NUMBER_SHORT_BYTES);
    require(longer != NULL);
    memcpy(longer, text, n);
    memset(longer + n, '\n', 1 + NUMBER_SHORT_BYTES);
    const char *longer_after = number_read(longer, longer + n + 1 + NUMBER_SHORT_BYTES, point, &same);
    require(longer_after == (length ? longer + length : NULL));
    free(longer);
    if (!after)
        return;
    char *copy = malloc(length + 1), exact[64];
    require(copy != NULL);
    memcpy(copy, text, length);
    copy[length] = '\0';
    char *comma = strchr(copy, point);
    if (comma)
        *comma = '.';
    double wanted = strtod(copy, NULL);
    free(copy);
    require(same_bits(x, wanted) && same_bits(x, same));
    if (!d.exact)
        return;
    require(d.digits > -NUMBER_EXACT && d.digits < NUMBER_EXACT && d.exp10 >= -18 && d.exp10 <= 0);
    snprintf(exact, sizeof exact, "%llde%d", (long long)d.digits, d.exp10);
    require(strtod(exact, NULL) == x);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    char point = data[0] & 128 ? ',' : '.';
    size_t n = size - 1;
    char *text = malloc(n ? n : 1); /* a block of its own, so that the sanitizer sees a read past end */
    require(text != NULL);
    memcpy(text, data + 1, n);
    check_text(n ? text : text + 1, n, point);
    double x = 0;
    if (n >= sizeof x)
        memcpy(&x, text, sizeof x);
    if (isfinite(x))
        check_print(x, point, data[0] & 127);
    if (number_read(text, text + n, point, &x) && isfinite(x))
        check_print(x, point, data[0] & 127);
    free(text);
    return 0;
}
