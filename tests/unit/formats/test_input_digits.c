/* Digits of the input: rows and cells as printf spells numbers, against what printf prints in their place. */
#include "formats/format.h"
#include "formats/input_digits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 8 };

/* Finds the digits of columns whose first row holds these texts; "": a gap. Column i goes to out column i. */
static void find_digits(const char *const *text, size_t n, struct input_digits *digits)
{
    struct column column[MOST] = { 0 };
    size_t replace[MOST];
    struct columns columns = { .column = column, .ncolumn = n };
    const struct column_plan plan = { .columns = &columns };
    struct output_columns layout = { .nout = n, .replace = replace };
    struct error e;
    for (size_t i = 0; i < n; i++) {
        replace[i] = i;
        column[i].first = text[i][0] ? CELL_NUMBER : CELL_GAP;
        column[i].spelling = (struct number_spelling){ -1, 0 };
        if (text[i][0])
            column[i].spelling = number_spelling(text[i], strlen(text[i]), '.');
    }
    assert_true(input_digits_keep(&layout, &plan, &e));
    memcpy(digits, layout.digits, n * sizeof *digits);
    free(layout.digits);
}

static void check_row(const struct input_digits *expected, const char *const *text, size_t n)
{
    struct input_digits digits[MOST];
    find_digits(text, n, digits);
    for (size_t i = 0; i < n; i++)
        if (digits[i].kind != expected[i].kind || digits[i].n != expected[i].n)
            fail_msg("\"%s\", column %zu: kind %d, %d digits", text[i], i + 1, (int)digits[i].kind,
                     digits[i].n);
}

static void fixed_decimals(void **state)
{
    (void)state;
    const char *const row[] = { "0.5", "-12.12345678", "7", "", "1e-9", "103.5000" };
    const struct input_digits expected[] = { { DIGITS_DECIMALS, 6 },    { DIGITS_DECIMALS, 8 },
                                             { DIGITS_DECIMALS, 6 },    { DIGITS_UNKNOWN, 0 },
                                             { DIGITS_SIGNIFICANT, 6 }, { DIGITS_DECIMALS, 6 } };
    check_row(expected, row, sizeof row / sizeof *row);
    /* The same decimals everywhere: no row of %g, though the significant digits of most are equal, too. */
    const char *const same[] = { "1.234", "5.678", "-9.012" };
    const struct input_digits six[] = { { DIGITS_DECIMALS, 6 },
                                        { DIGITS_DECIMALS, 6 },
                                        { DIGITS_DECIMALS, 6 } };
    check_row(six, same, 3);
    /* Two numbers are too few to tell. */
    const char *const two[] = { "1.234", "56.78" };
    check_row(six, two, 2);
    /* Zeros alone, at least three, may be of %g. */
    const char *const zeros[] = { "0", "-0", "0" };
    const struct input_digits zero = { DIGITS_ZERO, 6 };
    check_row((const struct input_digits[]){ zero, zero, zero }, zeros, 3);
    check_row(six, zeros, 2);
    check_row(six, (const char *const[]){ "0", "0", "5" }, 3);
    check_row(six, (const char *const[]){ "0", "0", "0.0" }, 3);
}

static void significant_digits(void **state)
{
    (void)state;
    const char *const row[] = { "-9.2387e-007", "103.511", "0", "4.52346", "12.5", "0.00509297" };
    const struct input_digits six = { DIGITS_SIGNIFICANT, 6 };
    const struct input_digits expected[] = { six, six, six, six, six, six };
    check_row(expected, row, 6);
    const char *const seven[] = { "1.234567", "0.1234567", "12.5", "" };
    const struct input_digits more[] = {
        { DIGITS_SIGNIFICANT, 7 }, { DIGITS_SIGNIFICANT, 7 }, six, { DIGITS_UNKNOWN, 0 }
    };
    check_row(more, seven, 4);
}

/* Numbers that printf has printed in one format, replaced by others: as printf prints them in this format. */
static void as_printf(const char *format, size_t n, const double *x, const double *y)
{
    char row[MOST][64], expected[64], got[NUMBER_MAX + 1];
    const char *text[MOST];
    struct input_digits digits[MOST];
    for (size_t i = 0; i < n; i++) {
        snprintf(row[i], sizeof row[i], format, x[i]);
        text[i] = row[i];
    }
    find_digits(text, n, digits);
    for (size_t i = 0; i < n; i++) {
        struct number_spelling cell = number_spelling(text[i], strlen(text[i]), '.');
        struct number_format of_cell = input_digits_of_cell(digits[i], cell, '.');
        struct number_format of_column = input_digits_of_column(digits[i], '.');
        snprintf(expected, sizeof expected, format, y[i]);
        got[number_print(got, y[i], &of_cell)] = '\0';
        assert_string_equal(got, expected);
        got[number_print(got, y[i], &of_column)] = '\0';
        assert_string_equal(got, expected);
    }
}

static void numbers_look_as_before(void **state)
{
    (void)state;
    static const double x[] = {
        103.5111111, -9.238712e-7, 12.123456789, 0.00018635234, -3.7346666, 27.669611
    };
    static const double y[] = { 99.123456789, 1.5e-6, -1.23456789, 0.1, 10, 1234.56789 };
    as_printf("%.6f", 6, x, y);
    as_printf("%.9f", 6, x, y);
    as_printf("%.6g", 6, x, y);
    as_printf("%.8g", 6, x, y);
}

static void no_digit_less(void **state)
{
    (void)state;
    static const struct {
        struct input_digits column;
        const char *cell;
        enum number_style style;
        int digits;
    } rows[] = { { { DIGITS_DECIMALS, 6 }, "1.5", NUMBER_DECIMALS, 6 },
                 { { DIGITS_DECIMALS, 6 }, "1.12345678", NUMBER_DECIMALS, 8 },
                 { { DIGITS_DECIMALS, 6 }, "1e-9", NUMBER_PRECISION, 6 },
                 { { DIGITS_DECIMALS, 6 }, "1.2345678e-9", NUMBER_PRECISION, 8 },
                 { { DIGITS_DECIMALS, 6 }, "", NUMBER_DECIMALS, 6 },
                 { { DIGITS_DECIMALS, 6 }, "none", NUMBER_DECIMALS, 6 },
                 { { DIGITS_DECIMALS, 6 }, "0.000000000000000001", NUMBER_SHORTEST, 0 },
                 { { DIGITS_SIGNIFICANT, 6 }, "1.5", NUMBER_PRECISION, 6 },
                 { { DIGITS_SIGNIFICANT, 6 }, "123.45678", NUMBER_PRECISION, 8 },
                 { { DIGITS_SIGNIFICANT, 6 }, "0.1234567890123456", NUMBER_SHORTEST, 0 },
                 { { DIGITS_ZERO, 6 }, "123456", NUMBER_DECIMALS, 6 },
                 { { DIGITS_ZERO, 6 }, "12.34", NUMBER_DECIMALS, 6 },
                 { { DIGITS_ZERO, 6 }, "12.3456", NUMBER_PRECISION, 6 },
                 { { DIGITS_ZERO, 6 }, "12.34567", NUMBER_DECIMALS, 6 },
                 { { DIGITS_ZERO, 6 }, "0.00000012", NUMBER_DECIMALS, 8 } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct number_spelling cell = number_spelling(rows[i].cell, strlen(rows[i].cell), '.');
        struct number_format format = input_digits_of_cell(rows[i].column, cell, ',');
        if (format.style != rows[i].style || format.digits != rows[i].digits || format.point != ',')
            fail_msg("\"%s\": style %d, %d digits", rows[i].cell, (int)format.style, format.digits);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(fixed_decimals),
                                        cmocka_unit_test(significant_digits),
                                        cmocka_unit_test(numbers_look_as_before),
                                        cmocka_unit_test(no_digit_less) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
