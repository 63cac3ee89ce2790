/* Numbers: the known hard cases, and random ones, against expected values found by other means: exact
 * rationals (hex floats below), and glibc's strtod and snprintf in the "C" locale. Texts stand at the very
 * end of heap blocks of their size, so that the sanitizer sees a read past end. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "number/exact.h"
#include "number/fast_read.h"
#include "ref/powers_table.h"
#include "unit/number/draw.h"

#define count(array) (sizeof(array) / sizeof((array)[0]))

typedef const char *reader(const char *p, const char *end, char point, double *x, struct number_decimal *d);

static void assert_same(reader *read, const char *p, const char *end, char point, const char *after, double x,
                        const struct number_decimal *d)
{
    double same = 0;
    struct number_decimal same_d;
    assert_ptr_equal(read(p, end, point, &same, &same_d), after);
    if (!after)
        return;
    assert_int_equal(bits_of(same), bits_of(x));
    assert_int_equal(same_d.exact, d->exact);
    assert_int_equal(same_d.digits, d->digits);
    assert_int_equal(same_d.exp10, d->exp10);
}

/* How many of the n bytes at text all readers take, 0 if they refuse; they must agree, also when a line end
 * and more stands behind, so that short numbers are read as such. */
static size_t read_bytes(const char *text, size_t n, char point, double *x, struct number_decimal *d)
{
    char *block = malloc(n ? n : 1), *longer = malloc(n + 20);
    assert_non_null(block);
    assert_non_null(longer);
    char *p = block + (n ? 0 : 1);
    memcpy(p, text, n);
    memcpy(longer, text, n);
    memcpy(longer + n, "\n1234567890.12345678", 20);
    const char *after = number_read_decimal(p, p + n, point, x, d);
    size_t taken = after ? (size_t)(after - p) : 0;
    double same = 0;
    assert_ptr_equal(number_read(p, p + n, point, &same), after);
    assert_true(!after || bits_of(same) == bits_of(*x));
    assert_same(number_read_decimal, longer, longer + n + 20, point, taken ? longer + taken : NULL, *x, d);
    free(block);
    free(longer);
    return taken;
}

static void assert_reads(const char *text, double wanted)
{
    struct number_decimal d;
    double x = NAN;
    size_t n = strlen(text);
    if (read_bytes(text, n, '.', &x, &d) != n || bits_of(x) != bits_of(wanted))
        fail_msg("\"%s\" reads as %a, not %a", text, x, wanted);
}

static const struct {
    const char *text;
    double x;
} readings[] = {
    /* 2^53 and around: halfway cases go to even, a digit far behind decides */
    { "9007199254740991", 0x1.fffffffffffffp+52 },
    { "9007199254740992", 0x1p+53 },
    { "9007199254740993", 0x1p+53 },
    { "9007199254740993.00000000000000000000000000000000001", 0x1.0000000000001p+53 },
    { "9007199254740994", 0x1.0000000000001p+53 },
    { "9007199254740995", 0x1.0000000000002p+53 },
    { "90071992547409930000e-4", 0x1p+53 },
    { "900719925474099300000000000000000001e-20", 0x1.0000000000001p+53 },
    { "9007199254740992.99999999999999999999999", 0x1p+53 },
    /* the midpoint above 1 and its neighbours in the last digit */
    { "1.00000000000000011102230246251565404236316680908203125", 0x1p+0 },
    { "1.00000000000000011102230246251565404236316680908203124", 0x1p+0 },
    { "1.00000000000000011102230246251565404236316680908203126", 0x1.0000000000001p+0 },
    { "1.00000000000000033306690738754696212708950042724609375", 0x1.0000000000002p+0 },
    /* denormals, and where they begin and end */
    { "5e-324", 0x0.0000000000001p-1022 },
    { "4.9406564584124654e-324", 0x0.0000000000001p-1022 },
    { "2.4703282292062327e-324", 0.0 },
    { "2.4703282292062328e-324", 0x0.0000000000001p-1022 },
    { "7.4109846876186981e-324", 0x0.0000000000001p-1022 },
    { "7.4109846876186982e-324", 0x0.0000000000002p-1022 },
    { "1e-323", 0x0.0000000000002p-1022 },
    { "2e-324", 0.0 },
    { "1e-400", 0.0 },
    { "1e-320", 0x0.00000000007e8p-1022 },
    { "2.2250738585072011e-308", 0x0.fffffffffffffp-1022 },
    { "2.2250738585072012e-308", 0x1p-1022 },
    { "2.2250738585072014e-308", 0x1p-1022 },
    { "4.4501477170144023e-308", 0x1.fffffffffffffp-1022 },
    /* the greatest, and what is past it */
    { "1.7976931348623157e308", 0x1.fffffffffffffp+1023 },
    { "1.7976931348623158e308", 0x1.fffffffffffffp+1023 },
    { "1.7976931348623158079e308", 0x1.fffffffffffffp+1023 },
    { "1.7976931348623159e308", INFINITY },
    { "1.8e308", INFINITY },
    { "1e309", INFINITY },
    { "1e400", INFINITY },
    { "-1e400", -INFINITY },
    { "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017977587207096"
      "330286416692887910946555547851940402630657488671505820681908902000708383676273854845817711531764475730"
      "270069855571366959622842914819860834936475292719074168444365510704342711559699508093042879",
      0x1.203af9ee75615p+974 },
    { "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017977587207096"
      "330286416692887910946555547851940402630657488671505820681908902000708383676273854845817711531764475730"
      "270069855571366959622842914819860834936475292719074168444365510704342711559699508093042880",
      0x1.203af9ee75615p+974 },
    { "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017977587207096"
      "330286416692887910946555547851940402630657488671505820681908902000708383676273854845817711531764475730"
      "270069855571366959622842914819860834936475292719074168444365510704342711559699508093042880e-1",
      0x1.cd2b297d889bcp+970 },
    /* powers of ten: exact to 1e22, not after */
    { "1", 0x1p+0 },
    { "10", 0x1.4p+3 },
    { "1e0", 0x1p+0 },
    { "1e15", 0x1.c6bf52634p+49 },
    { "1e22", 0x1.0f0cf064dd592p+73 },
    { "1e23", 0x1.52d02c7e14af6p+76 },
    { "1e-1", 0x1.999999999999ap-4 },
    { "1e-5", 0x1.4f8b588e368f1p-17 },
    { "1e-7", 0x1.ad7f29abcaf48p-24 },
    { "1e-22", 0x1.e392010175ee6p-74 },
    { "1e-23", 0x1.82db34012b251p-77 },
    { "1e100", 0x1.249ad2594c37dp+332 },
    { "1e-100", 0x1.bff2ee48e053p-333 },
    { "1e300", 0x1.7e43c8800759cp+996 },
    { "1e-300", 0x1.56e1fc2f8f359p-997 },
    { "1e308", 0x1.1ccf385ebc8ap+1023 },
    { "1e-307", 0x1.1fa182c40c60dp-1020 },
    /* seen to fail elsewhere (test sets of Clinger, Gay, Nelson, Lemire; CVE-2010-4476, PHP bug 53632) */
    { "6.9294956446009195e15", 0x1.89e56ee5e7a58p+52 },
    { "3.518437208883201171875e13", 0x1.0000000000002p+45 },
    { "62.5364939768271845828", 0x1.f44abd5aa7ca4p+5 },
    { "8.10109172351e-10", 0x1.bd5cbaef0fd0cp-31 },
    { "1.50000000000000011102230246251565", 0x1.8p+0 },
    { "9214843084008499", 0x1.05e6cec57761ap+53 },
    { "30078505129381147446200", 0x1.97a3c7271b021p+74 },
    { "1777820000000000000001", 0x1.8180d5bad2e3ep+70 },
    { "10944.0000000000018189894035458565", 0x1.5600000000001p+13 },
    { "1090544144181609348671888949248", 0x1.b8779f2474dfap+99 },
    { "1090544144181609348835077142190", 0x1.b8779f2474dfbp+99 },
    { "6631236846766476e-316", 0x1.c6bf52634p-998 },
    { "3237883913302901289588352197e-324", 0x1.0f0c68de6526bp-985 },
    { "0.500000000000000166533453693773481063544750213623046875", 0x1.0000000000002p-1 },
    { "7.0420557077594588669468784357561207962098443483187940792729600000e+59", 0x1.c0bee4d8e1912p+198 },
    { "1.7339253062092163730578609458683877051596800000000000000000000000e+42", 0x1.3e78c6adb1d29p+140 },
    { "2.0972622234386619214559824785284023792871122537545728000000000000e+52", 0x1.c070675475037p+173 },
    { "8.9e-324", 0x0.0000000000002p-1022 },
    { "358416272e-33", 0x1.bbb2a68c9d0b9p-82 },
    { "5.9604644775390625e-8", 0x1p-24 },
    /* every spelling */
    { "+5", 0x1.4p+2 },
    { "-5", -0x1.4p+2 },
    { ".5", 0x1p-1 },
    { "5.", 0x1.4p+2 },
    { "-.5", -0x1p-1 },
    { "+.5e1", 0x1.4p+2 },
    { "5.e3", 0x1.388p+12 },
    { "007", 0x1.cp+2 },
    { "1e-007", 0x1.ad7f29abcaf48p-24 },
    { "1E+2", 0x1.9p+6 },
    { "1e00000000000000000000000000002", 0x1.9p+6 },
    { "0", 0.0 },
    { "0.0", 0.0 },
    { "-0", -0.0 },
    { "-0.0e5", -0.0 },
    { "0e999999999999", 0.0 },
    { "0000000000000000000000000000.25", 0x1p-2 },
    { "0.00000000000000000000000000000000000000001", 0x1.be03d0bf225c7p-137 },
    { "123456789012345678", 0x1.b69b4ba630f35p+56 },
    { "1234567890123456789", 0x1.12210f47de981p+60 },
    { "12345678901234567890", 0x1.56a95319d63e1p+63 },
    { "18446744073709551615", 0x1p+64 },
    { "18446744073709551616", 0x1p+64 },
    { "99999999999999999999", 0x1.5af1d78b58c4p+66 },
    { "1234567.1234567", 0x1.2d6871f9adbb9p+20 },
    { "12345678.12345678", 0x1.78c29c3f35ba2p+23 },
    { "123456789.123456789", 0x1.d6f34547e6b75p+26 },
    /* no counter overflows */
    { "1e999999999999", INFINITY },
    { "1e-999999999999", 0.0 },
    { "1e-99999999999999999999999999", 0.0 },
    { "1e+99999999999999999999999999", INFINITY },
    { "-1e-9223372036854775808", -0.0 },
    { "1e9223372036854775808", INFINITY },
    { "0e99999999999999999999", 0.0 },
    { "1e2147483648", INFINITY },
    { "1e-2147483649", 0.0 },
    { "1e4294967296", INFINITY },
};

static void test_read(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < count(readings); i++) {
        assert_reads(readings[i].text, readings[i].x);
        assert_int_equal(bits_of(strtod(readings[i].text, NULL)), bits_of(readings[i].x));
    }
}

/* What follows a number, or cuts it short, changes neither its value nor its end. */
static void test_read_stops(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        char point;
        size_t taken;
        double x;
    } rows[] = {
        { "12abc", '.', 2, 12 },
        { "1e", '.', 1, 1 },
        { "1e+", '.', 1, 1 },
        { "1e-", '.', 1, 1 },
        { "1E+x", '.', 1, 1 },
        { "1e 5", '.', 1, 1 },
        { "1e5e5", '.', 3, 1e5 },
        { "1e5.5", '.', 3, 1e5 },
        { "1.e", '.', 2, 1 },
        { "1.5.5", '.', 3, 1.5 },
        { "5..", '.', 2, 5 },
        { "0x10", '.', 1, 0 },
        { "0X1p3", '.', 1, 0 },
        { "1_000", '.', 1, 1 },
        { "1,234", '.', 1, 1 },
        { "1,234", ',', 5, 1.234 },
        { "-,5e1,", ',', 5, -5 },
        { "5,;", ',', 2, 5 },
        { "1.234", ',', 1, 1 },
        { "1-2", '.', 1, 1 },
        { "1+2", '.', 1, 1 },
        { "7 ", '.', 1, 7 },
        { "7\n8", '.', 1, 7 },
        { "12345678:", '.', 8, 12345678 },
        { "1234567/", '.', 7, 1234567 },
        { "123\xb9", '.', 3, 123 },
        { "123\xff\xff\xff\xff\xff", '.', 3, 123 },
        { "1.25\x80", '.', 4, 1.25 },
    };
    for (size_t i = 0; i < count(rows); i++) {
        struct number_decimal d;
        double x = NAN;
        size_t taken = read_bytes(rows[i].text, strlen(rows[i].text), rows[i].point, &x, &d);
        if (taken != rows[i].taken || bits_of(x) != bits_of(rows[i].x))
            fail_msg("\"%s\" reads as %a from %zu bytes", rows[i].text, x, taken);
    }
    struct number_decimal d;
    double x = NAN;
    assert_int_equal(read_bytes("1\0002", 3, '.', &x, &d), 1);
}

static void test_read_refuses(void **unused)
{
    (void)unused;
    static const char *const rows[] = { "",    "+",   "-",   ".",    "+.",   "-.",       "e5",
                                        ".e5", "-e5", "--1", "+-1",  "- 1",  " 1",       "\t1",
                                        ",5",  "..5", "a",   "x1",   "inf",  "infinity", "nan",
                                        "NA",  "/",   ":",   "\xb1", "\xff", "+a",       "-.e1" };
    for (size_t i = 0; i < count(rows); i++) {
        struct number_decimal d;
        double x = 0;
        if (read_bytes(rows[i], strlen(rows[i]), '.', &x, &d) != 0)
            fail_msg("\"%s\" is read", rows[i]);
    }
    struct number_decimal d;
    double x = 0;
    assert_int_equal(read_bytes(".5", 2, ',', &x, &d), 0);
    assert_int_equal(read_bytes("\0", 1, '.', &x, &d), 0);
}

/* Every length of a text, so that each way to load its last bytes is gone. */
static void test_read_every_end(void **unused)
{
    (void)unused;
    static const char *const texts[] = { "-1234567.123456789012345678e-12345",
                                         "0.000000000000000000012345678901",
                                         "12345678901234567890123.4567890123e+7", ".98765432109876543210" };
    for (size_t i = 0; i < count(texts); i++)
        for (size_t n = 1; n <= strlen(texts[i]); n++) {
            char prefix[64], *after;
            struct number_decimal d;
            double x = 0;
            memcpy(prefix, texts[i], n);
            prefix[n] = '\0';
            double wanted = strtod(prefix, &after);
            assert_int_equal(read_bytes(texts[i], n, '.', &x, &d), after - prefix);
            assert_int_equal(bits_of(x), bits_of(wanted));
        }
}

static void fill(char *text, size_t n, char c)
{
    memset(text, c, n);
    text[n] = '\0';
}

static void test_read_many_digits(void **unused)
{
    (void)unused;
    static char text[20000], tail[64];
    for (size_t n = 1; n < 10000; n = n * 2 + 1) {
        strcpy(text, "9007199254740993."); /* halfway, down to even, but for the last digit */
        fill(text + strlen(text), n, '0');
        assert_reads(text, 0x1p+53);
        strcat(text, "1");
        assert_reads(text, 0x1.0000000000001p+53);

        strcpy(text, "9007199254740992.");
        fill(text + strlen(text), n, '9');
        assert_reads(text, 0x1p+53);

        strcpy(text, "0."); /* zeros that an exponent takes back */
        fill(text + 2, n, '0');
        snprintf(tail, sizeof tail, "15e%zu", n);
        strcat(text, tail);
        assert_reads(text, 0.15);

        fill(text, n, '0');
        strcat(text, "15");
        assert_reads(text, 15);

        text[0] = '3';
        fill(text + 1, n, '0');
        snprintf(tail, sizeof tail, "e-%zu", n + 1);
        strcat(text, tail);
        assert_reads(text, 0.3);

        fill(text, n, '7');
        assert_reads(text, strtod(text, NULL));
        strcat(text, "e-150");
        assert_reads(text, strtod(text, NULL));
    }
    /* 2^-1075, half of the least double: 751 digits, exact; and the same with one more */
    snprintf(text, sizeof text, "%.1074f", 0x1p-1074);
    size_t n = strlen(text);
    for (int carry = 0, i = 2; i <= (int)n; i++) {
        int digit = carry * 10 + (text[i] ? text[i] - '0' : 0);
        text[i] = (char)('0' + digit / 2);
        carry = digit % 2;
    }
    text[n + 1] = '\0';
    assert_reads(text, 0);
    strcat(text, "00000000001");
    assert_reads(text, 0x1p-1074);
    text[n] = '4';
    assert_reads(text, 0);
}

static void test_read_decimal(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        int64_t digits;
        int exp10;
        bool exact;
    } rows[] = {
        { "0", 0, 0, true },
        { "0.00", 0, -2, true },
        { "-0.0", 0, -1, true },
        { "0.01", 1, -2, true },
        { "1.50", 150, -2, true },
        { "-12.5e1", -125, 0, true },
        { "-12.5e3", 0, 0, false },
        { "+7", 7, 0, true },
        { "5.", 5, 0, true },
        { "1e-18", 1, -18, true },
        { "0.1e-18", 0, 0, false },
        { "999999999999999999", 999999999999999999, 0, true },
        { "-99999999.9999999999", -999999999999999999, -10, true },
        { "1000000000000000000", 1000000000000000000, 0, true },
        { "1700000000.123456789", 1700000000123456789, -9, true },
        { "-4611686018427387903", -4611686018427387903, 0, true },
        { "4611686018427387904", 0, 0, false },
        { "1.0000000000000000001", 0, 0, false },
        { "1.00000000000000000000", 1000000000000000000, -18, true },
        { "9223372036854775808", 0, 0, false },
        { "-9223372036854775808", 0, 0, false },
        { "000000000000000000000001.25", 125, -2, true },
        { "1234567890123456789012", 0, 0, false },
        { "1e999999999999", 0, 0, false },
        { "1700000000.123456", 1700000000123456, -6, true },
    };
    for (size_t i = 0; i < count(rows); i++) {
        struct number_decimal d = { 1, 1, false };
        double x = 0;
        assert_int_equal(read_bytes(rows[i].text, strlen(rows[i].text), '.', &x, &d), strlen(rows[i].text));
        if (d.exact != rows[i].exact || (d.exact && (d.digits != rows[i].digits || d.exp10 != rows[i].exp10)))
            fail_msg("\"%s\" is %lld * 10^%d, %d", rows[i].text, (long long)d.digits, d.exp10, d.exact);
    }
}

static void test_decimals_of_text(void **unused)
{
    static const struct {
        const char *text;
        int decimals;
    } rows[] = { { "0", 0 },           { "-12", 0 },           { "5.", 0 },    { ".5", 1 },   { "+1.50", 2 },
                 { "-0.00", 2 },       { "0.00120", 5 },       { "1e-9", -1 }, { "1E3", -1 }, { "1.e2", -1 },
                 { "1.000000000", 9 }, { "1.61026e-005", -1 }, { "", 0 },      { "none", 0 } };
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(number_decimals(rows[i].text, strlen(rows[i].text), '.'), rows[i].decimals);
    assert_int_equal(number_decimals("1,234", 5, ','), 3);
    assert_int_equal(number_decimals("1.234", 3, '.'), 1); /* nothing after the text is read */
}

static void test_print_decimal(void **unused)
{
    (void)unused;
    static const struct {
        struct number_decimal d;
        const char *text;
    } rows[] = {
        { { 0, 0, true }, "0" },
        { { 0, -3, true }, "0" },
        { { -7, 0, true }, "-7" },
        { { 150, -2, true }, "1,5" },
        { { 100, -2, true }, "1" },
        { { 1700000000123456789, 0, true }, "1700000000123456789" },
        { { 1700000000123456789, -9, true }, "1700000000,123456789" },
        { { 4611686018427387903, -18, true }, "4,611686018427387903" },
        { { -461168601842738790, -18, true }, "-0,46116860184273879" },
    };
    for (size_t i = 0; i < count(rows); i++) {
        char text[NUMBER_MAX + 1];
        text[number_print_decimal(text, &rows[i].d, ',')] = 0;
        assert_string_equal(text, rows[i].text);
    }
}

struct printing {
    double x;
    int decimals;
    const char *text;
};

/* Prints into a heap block of just the promised size, and leaves the text in the caller's. */
static void print(char *text, double x, int decimals, char point)
{
    struct number_format format = { decimals, point };
    char *block = malloc(NUMBER_MAX);
    assert_non_null(block);
    size_t n = number_print(block, x, &format);
    assert_true(n <= NUMBER_MAX);
    memcpy(text, block, n);
    text[n] = '\0';
    free(block);
}

static void assert_prints(const struct printing *rows, size_t n)
{
    char text[NUMBER_MAX + 1];
    for (size_t i = 0; i < n; i++) {
        print(text, rows[i].x, rows[i].decimals, '.');
        if (strcmp(text, rows[i].text) != 0)
            fail_msg("%a prints as %s, not %s", rows[i].x, text, rows[i].text);
    }
}

static void test_print_shortest(void **unused)
{
    (void)unused;
    static const struct printing rows[] = {
        { 0.0, NUMBER_SHORTEST, "0" },
        { -0.0, NUMBER_SHORTEST, "0" },
        { 1, NUMBER_SHORTEST, "1" },
        { -1, NUMBER_SHORTEST, "-1" },
        { 0.1, NUMBER_SHORTEST, "0.1" },
        { 0x1.3333333333334p-2, NUMBER_SHORTEST, "0.30000000000000004" },
        { 2.0 / 3, NUMBER_SHORTEST, "0.6666666666666666" },
        { -123456.789, NUMBER_SHORTEST, "-123456.789" },
        { 1e-5, NUMBER_SHORTEST, "0.00001" },
        { 0x1.4f8b588e368f0p-17, NUMBER_SHORTEST, "9.999999999999999e-06" },
        { 1.5e-5, NUMBER_SHORTEST, "0.000015" },
        { 1e-7, NUMBER_SHORTEST, "1e-07" },
        { 1.25e-10, NUMBER_SHORTEST, "1.25e-10" },
        { 1e15, NUMBER_SHORTEST, "1000000000000000" },
        { 9007199254740991, NUMBER_SHORTEST, "9007199254740991" },
        { 9007199254740992, NUMBER_SHORTEST, "9007199254740992" },
        { 9007199254740994, NUMBER_SHORTEST, "9007199254740994" },
        { 12345678.125, NUMBER_SHORTEST, "12345678.125" },
        { 123456789.125, NUMBER_SHORTEST, "123456789.125" },
        { 1234567890123456.5, NUMBER_SHORTEST, "1234567890123456.5" },
        { 1e16, NUMBER_SHORTEST, "10000000000000000" },
        { 12345678901234568, NUMBER_SHORTEST, "12345678901234568" },
        { 99999999999999984, NUMBER_SHORTEST, "99999999999999980" },
        { 1e17, NUMBER_SHORTEST, "1e+17" },
        { 123e18, NUMBER_SHORTEST, "1.23e+20" },
        { 1e22, NUMBER_SHORTEST, "1e+22" },
        { 1e23, NUMBER_SHORTEST, "1e+23" },
        { 0x1.52d02c7e14af7p+76, NUMBER_SHORTEST, "1.0000000000000001e+23" },
        { 1.5e300, NUMBER_SHORTEST, "1.5e+300" },
        { -1e-300, NUMBER_SHORTEST, "-1e-300" },
        { 0x1.fffffffffffffp+1023, NUMBER_SHORTEST, "1.7976931348623157e+308" },
        { 0x1p-1022, NUMBER_SHORTEST, "2.2250738585072014e-308" },
        { 0x0.fffffffffffffp-1022, NUMBER_SHORTEST, "2.225073858507201e-308" },
        { 0x1p-1074, NUMBER_SHORTEST, "5e-324" },
        { 0x2p-1074, NUMBER_SHORTEST, "1e-323" },
        { 0x3p-1074, NUMBER_SHORTEST, "1.5e-323" },
        { 0x1p-44, NUMBER_SHORTEST,
          "5.684341886080802e-14" }, /* the double below is nearer: the nearest 16 digits would not do */
        { 0x1p-1, NUMBER_SHORTEST, "0.5" },
        { 9.5367431640625e-7, NUMBER_SHORTEST, "9.5367431640625e-07" },
        { 2e-44, NUMBER_SHORTEST, "2e-44" },
        { 8.41e21, NUMBER_SHORTEST, "8.41e+21" },
        { 2.0e-3, NUMBER_SHORTEST, "0.002" },
        { 4.708356024711512e18, NUMBER_SHORTEST, "4.708356024711512e+18" },
        { 9.409340012568248e18, NUMBER_SHORTEST, "9.409340012568248e+18" },
    };
    assert_prints(rows, count(rows));
}

static void test_print_decimals(void **unused)
{
    (void)unused;
    static const struct printing rows[] = {
        { 0.0, 0, "0" },
        { -0.0, 2, "0.00" },
        { -0.004, 2, "0.00" },
        { -0.5, 0, "0" },
        { 0.5, 0, "0" },
        { 1.5, 0, "2" },
        { 2.5, 0, "2" },
        { -0.006, 2, "-0.01" },
        { 0.125, 2, "0.12" },
        { 0.375, 2, "0.38" },
        { 1.005, 2, "1.00" },
        { 0.999, 2, "1.00" },
        { 99.9999999, 6, "100.000000" },
        { -9.5, 0, "-10" },
        { 1e-20, 17, "0.00000000000000000" },
        { 0x1p-57, 17, "0.00000000000000001" },
        { 0x1p-1074, 17, "0.00000000000000000" },
        { 123456.789, 6, "123456.789000" },
        { 0.1, 17, "0.10000000000000001" },
        { 1.1, 17, "1.10000000000000009" },
        { 4503599627370495.5, 0, "4503599627370496" },
        { 2251799813685248.5, 1, "2251799813685248.5" },
        { 9007199254740992, 3, "9007199254740992.000" },
        { 12345678, 1, "12345678.0" },
        { 123456789.25, 1, "123456789.2" },
        { 1e16, 0, "10000000000000000" },
        { 0x1p63, 0, "9223372036854775808" },
        { 0x1.fffffffffffffp+63, 2, "18446744073709549568.00" },
        { 0x1p64, 1, "1.8446744073709552e+19" }, /* above 2^64 as the shortest */
        { -1e22, 2, "-1e+22" },
    };
    assert_prints(rows, count(rows));
}

static void test_print_comma(void **unused)
{
    (void)unused;
    char text[NUMBER_MAX + 1];
    print(text, -1.5, NUMBER_SHORTEST, ',');
    assert_string_equal(text, "-1,5");
    print(text, 0.015, NUMBER_SHORTEST, ',');
    assert_string_equal(text, "0,015");
    print(text, 1234567890.5, NUMBER_SHORTEST, ',');
    assert_string_equal(text, "1234567890,5");
    print(text, 1e10, 1, ',');
    assert_string_equal(text, "10000000000,0");
}

static void drop_minus_of_zero(char *text)
{
    if (text[0] == '-' && strspn(text, "-0.") == strlen(text))
        memmove(text, text + 1, strlen(text));
}

static void assert_prints_decimals_like_c(double x, int digits)
{
    char got[NUMBER_MAX + 1], wanted[NUMBER_MAX + 1];
    if (fabs(x) >= 0x1p64)
        return;
    print(got, x, digits, '.');
    snprintf(wanted, sizeof wanted, "%.*f", digits, x);
    drop_minus_of_zero(wanted);
    if (strcmp(got, wanted) != 0)
        fail_msg("%a with %d digits prints as %s, not %s", x, digits, got, wanted);
}

/* Half of them any bits, half of usual size, some of these with few digits. */
static double draw_double(void)
{
    char text[64];
    uint64_t kind = draw() % 4;
    double x = kind < 2 ? double_of(draw()) : ldexp((double)(int64_t)draw(), -(int)(draw() % 90));
    if (kind == 3) {
        snprintf(text, sizeof text, "%.*g", (int)(1 + draw() % 12), x);
        x = strtod(text, NULL);
    }
    return isfinite(x) ? x : draw_double();
}

static void test_random_shortest(void **unused)
{
    (void)unused;
    for (int i = 0; i < 200000; i++) {
        struct number_format format = { NUMBER_SHORTEST, '.' };
        char text[NUMBER_MAX + 1];
        double x = draw_double(), back = NAN;
        size_t n = number_print(text, x, &format);
        text[n] = '\0';
        assert_ptr_equal(number_read(text, text + n, '.', &back), text + n);
        if (bits_of(back) != bits_of(x == 0 ? 0 : x) || strtod(text, NULL) != x)
            fail_msg("%a prints as %s, which reads as %a", x, text, back);
    }
}

static void test_random_rounded(void **unused)
{
    (void)unused;
    for (int i = 0; i < 100000; i++)
        assert_prints_decimals_like_c(draw_double(), (int)(draw() % 18));
}

/* Just below, at and just above powers of ten and of two, and halfway to them in the last place: where digits
 * are carried, where one way to print hands over to another. */
static void test_decimals_edges(void **unused)
{
    (void)unused;
    for (int n = 0; n <= 17; n++)
        for (int k = -20; k <= 20; k++)
            for (int half = -2; half <= 2; half++) {
                double x = pow(10, k) + half * 0.5 * pow(10, -n),
                       y = ldexp(1, 4 * k) + half * ldexp(1, 4 * k - 53);
                for (int step = -2; step <= 2; step++) {
                    double near_x = double_of(bits_of(x) + (uint64_t)(int64_t)step);
                    double near_y = double_of(bits_of(y) + (uint64_t)(int64_t)step);
                    if (isfinite(near_x)) /* not below 0 */
                        assert_prints_decimals_like_c(near_x, n);
                    if (isfinite(near_y))
                        assert_prints_decimals_like_c(-near_y, n);
                }
            }
}

static void test_random_read(void **unused)
{
    (void)unused;
    for (int i = 0; i < 200000; i++) {
        char digits[32], text[64];
        int n = 1 + (int)(draw() % (draw() % 2 ? 25 : 15)), before = (int)(draw() % (uint64_t)(n + 1));
        for (int j = 0; j < n; j++)
            digits[j] = (char)('0' + draw() % 10);
        int length = snprintf(text, sizeof text, "%s%.*s%s%.*s", draw() % 2 ? "-" : "", before, digits,
                              before < n || draw() % 2 ? "." : "", n - before, digits + before);
        if (draw() % 4 == 0)
            snprintf(text + length, 8, "e%d", (int)(draw() % 700) - 360);
        assert_reads(text, strtod(text, NULL));
    }
}

/* The decimals that numbers show. */
static void test_unit(void **unused)
{
    static const double two[] = { 1.25, -7, 0.1, 1e6 + 0.01, 0 }, rows[] = { 0.5, 0.001, 3, 0.002 };
    static const double rises[] = { 1, 1.0000011390908337, 1.0000034126885564 };
    static const double sums[] = { 0.1 + 1e-8, 0.3 - 1e-8 };
    (void)unused;
    assert_true(number_unit(two, 1, count(two), 9) == 0.01);
    assert_true(number_unit(rows, 2, 2, 9) == 0.1);
    assert_true(number_unit(rows + 1, 2, 2, 3) == 0.001);
    assert_true(number_unit(rows + 1, 2, 2, 2) == 0);
    assert_true(number_unit(rises, 1, count(rises), 12) == 0);
    assert_true(number_unit(sums, 1, count(sums), 7) == 0);
    assert_true(number_unit(NULL, 1, 0, 9) == 1);
}

/* Against powers made with Python's integers. */
static void test_powers(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof powers_table / sizeof *powers_table; i++)
        assert_memory_equal(&exact_powers[i * POWERS_STRIDE], &powers_table[i], sizeof *powers_table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_powers),
        cmocka_unit_test(test_read),
        cmocka_unit_test(test_read_stops),
        cmocka_unit_test(test_read_refuses),
        cmocka_unit_test(test_read_every_end),
        cmocka_unit_test(test_read_many_digits),
        cmocka_unit_test(test_read_decimal),
        cmocka_unit_test(test_decimals_of_text),
        cmocka_unit_test(test_print_decimal),
        cmocka_unit_test(test_print_shortest),
        cmocka_unit_test(test_print_decimals),
        cmocka_unit_test(test_print_comma),
        cmocka_unit_test(test_random_shortest),
        cmocka_unit_test(test_random_rounded),
        cmocka_unit_test(test_decimals_edges),
        cmocka_unit_test(test_random_read),
        cmocka_unit_test(test_unit),
    };
    return cmocka_run_group_tests_name("number", tests, NULL, NULL);
}
