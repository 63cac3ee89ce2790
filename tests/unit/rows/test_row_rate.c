/* The rate of rows from printed times: found where one whole number fits, and not made up. */
#include "unit/harness.h"

#include "rows/row_rate.h"
#include <stdio.h>
#include <string.h>

/* Times printed by a format, as a text reader makes times of them. */
static bool rate_of(double rate, double start, size_t n, const char *format, double *found, struct error *e)
{
    struct row_rate r = { .nrow = 0 };
    for (size_t i = 0; i < n; i++) {
        char text[64];
        struct timestamp time;
        int length = snprintf(text, sizeof text, format, start + (double)i / rate);
        assert_non_null(number_read_decimal(text, text + length, '.', &time.t, &time.decimal));
        if (!row_rate_add(&r, &time, e))
            return false;
    }
    return row_rate_find(&r, found, e);
}

static void rates_are_found(void **state)
{
    (void)state;
    static const double rates[] = { 1,   2,    24,   30,    50,    60,    100,  120,
                                    240, 1000, 8000, 22050, 44100, 48000, 96000 };
    static const double starts[] = { 0, 0.5, 12.25, 1700000000 };
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        for (size_t k = 0; k < 4; k++)
            for (int way = 0; way < 2; way++) {
                struct error e;
                double found;
                if (way == 0 && starts[k] > 1e6 && rates[i] > 5000)
                    continue; /* doubles do not tell such times apart well enough */
                if (!rate_of(rates[i], starts[k], 30000, way ? "%.9f" : "%.17g", &found, &e)) {
                    if (starts[k] > 1e6)
                        continue;
                    fail_msg("%g from %g: %s", rates[i], starts[k], e.text);
                }
                assert_true(found == rates[i]);
            }
}

static void rates_are_not_made_up(void **state)
{
    (void)state;
    struct error e;
    double found;
    assert_true(rate_of(60, 0, 4, "%.4f", &found, &e) && found == 60);
    assert_true(rate_of(1 / 0.0167, 0, 3, "%.4f", &found, &e) && found == 60);
    assert_false(rate_of(1 / 0.0167, 0, 300, "%.4f", &found, &e)); /* 59.88 rows per second */
    assert_non_null(strstr(e.hint, "--rate"));
    assert_false(rate_of(44100, 0, 10, "%.5f", &found, &e)); /* too few digits to tell */
    assert_true(rate_of(44100, 0, 200000, "%.5f", &found, &e) && found == 44100);
    assert_false(rate_of(60, 0, 1, "%.4f", &found, &e));
    assert_false(rate_of(0.5, 0, 100, "%.4f", &found, &e));
    struct row_rate r = { 0 };
    static const char *const uneven[] = { "0", "0.1", "0.2", "0.35", "0.4" };
    bool good = true;
    for (size_t i = 0; i < 5 && good; i++) {
        struct timestamp time;
        number_read_decimal(uneven[i], uneven[i] + strlen(uneven[i]), '.', &time.t, &time.decimal);
        good = row_rate_add(&r, &time, &e);
    }
    assert_false(good && row_rate_find(&r, &found, &e));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_are_found),
        cmocka_unit_test(rates_are_not_made_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
