/* Limits of the elementary functions, as C17 Annex F has them, and the same bytes from every compiler.
 * tests/ref/elementary_check.py judges their digits. */
#include <float.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "unit/number/elementary_values.h"

#include <cmocka.h>

static void assert_same(const char *what, double got, double want)
{
    if (bits_of_result(got) != bits_of_result(want))
        fail_msg("%s: %a, not %a", what, got, want);
}

static void results_are_the_same_bytes_everywhere(void **state)
{
    (void)state;
    bool bad = false;
    for (int i = 0; i < FUNCTIONS; i++) {
        uint64_t hash = hash_of(&functions[i]);
        if (hash != functions[i].hash) {
            print_error("%s: 0x%016" PRIx64 "\n", functions[i].name, hash);
            bad = true;
        }
    }
    assert_false(bad);
}

static void limits_of_functions_of_one_argument(void **state)
{
    (void)state;
    static const struct {
        double (*function)(double x);
        double x, want;
    } rows[] = {
        { elementary_exp, 0.0, 1 },
        { elementary_exp, -0.0, 1 },
        { elementary_exp, HUGE_VAL, HUGE_VAL },
        { elementary_exp, -HUGE_VAL, 0 },
        { elementary_exp, 0x1.62e42fefa39efp+9, 0x1.fffffffffff2ap+1023 },
        { elementary_exp, 0x1.62e42fefa39f0p+9, HUGE_VAL },
        { elementary_exp, DBL_MAX, HUGE_VAL },
        { elementary_exp, -0x1.74910d52d3051p+9, 0x1p-1074 },
        { elementary_exp, -0x1.74910d52d3053p+9, 0 },
        { elementary_exp, -DBL_MAX, 0 },
        { elementary_expm1, 0.0, 0.0 },
        { elementary_expm1, -0.0, -0.0 },
        { elementary_expm1, 0x1p-1074, 0x1p-1074 },
        { elementary_expm1, HUGE_VAL, HUGE_VAL },
        { elementary_expm1, -HUGE_VAL, -1 },
        { elementary_expm1, -DBL_MAX, -1 },
        { elementary_log, 1, 0.0 },
        { elementary_log, 0.0, -HUGE_VAL },
        { elementary_log, -0.0, -HUGE_VAL },
        { elementary_log, HUGE_VAL, HUGE_VAL },
        { elementary_log, -1, NAN },
        { elementary_log, -HUGE_VAL, NAN },
        { elementary_log1p, 0.0, 0.0 },
        { elementary_log1p, -0.0, -0.0 },
        { elementary_log1p, -0x1p-1074, -0x1p-1074 },
        { elementary_log1p, -1, -HUGE_VAL },
        { elementary_log1p, -2, NAN },
        { elementary_log1p, HUGE_VAL, HUGE_VAL },
        { elementary_log10, 1, 0.0 },
        { elementary_log10, 0.0, -HUGE_VAL },
        { elementary_log10, -1, NAN },
        { elementary_log10, HUGE_VAL, HUGE_VAL },
        { elementary_sin, 0.0, 0.0 },
        { elementary_sin, -0.0, -0.0 },
        { elementary_sin, 0x1p-1074, 0x1p-1074 },
        { elementary_sin, HUGE_VAL, NAN },
        { elementary_cos, 0.0, 1 },
        { elementary_cos, -HUGE_VAL, NAN },
        /* the multiple of pi/2 that is nearest to a double (Muller, "Elementary Functions", 2016) */
        { elementary_cos, 0x1.6ac5b262ca1ffp+849, -0x1.14ae72e6ba22fp-61 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char what[64];
        snprintf(what, sizeof what, "row %zu, of %a", i, rows[i].x);
        assert_same(what, rows[i].function(rows[i].x), rows[i].want);
        assert_same("NaN", rows[i].function((double)NAN), (double)NAN);
    }
    for (int k = -300; k <= 300; k++) {
        char text[8];
        snprintf(text, sizeof text, "1e%d", k);
        assert_same(text, elementary_log10(strtod(text, NULL)), k);
        assert_same(text, elementary_pow(10, k), strtod(text, NULL));
    }
}

static void limits_of_functions_of_two_arguments(void **state)
{
    (void)state;
    static const struct {
        double (*function)(double x, double y);
        double x, y, want;
    } rows[] = {
        { elementary_pow, 0.0, 0.0, 1 },
        { elementary_pow, NAN, 0.0, 1 },
        { elementary_pow, 1, NAN, 1 },
        { elementary_pow, 2, NAN, NAN },
        { elementary_pow, NAN, 2, NAN },
        { elementary_pow, -2, 2, NAN },
        { elementary_pow, 0.0, 2, 0.0 },
        { elementary_pow, 0.0, -2, HUGE_VAL },
        { elementary_pow, HUGE_VAL, 2, HUGE_VAL },
        { elementary_pow, HUGE_VAL, -2, 0.0 },
        { elementary_pow, 2, HUGE_VAL, HUGE_VAL },
        { elementary_pow, 2, -HUGE_VAL, 0.0 },
        { elementary_pow, 0.5, HUGE_VAL, 0.0 },
        { elementary_pow, 2, 1023, 0x1p1023 },
        { elementary_pow, 2, 1024, HUGE_VAL },
        { elementary_pow, 2, -1074, 0x1p-1074 },
        { elementary_pow, 2, DBL_MAX, HUGE_VAL },
        { elementary_hypot, 3, -4, 5 },
        { elementary_hypot, -0.0, 0.0, 0.0 },
        { elementary_hypot, HUGE_VAL, NAN, HUGE_VAL },
        { elementary_hypot, NAN, -HUGE_VAL, HUGE_VAL },
        { elementary_hypot, 1, NAN, NAN },
        { elementary_hypot, DBL_MAX, DBL_MAX, HUGE_VAL },
        { elementary_hypot, 0x1.8p1021, 0x1p1022, 0x1.4p1022 },
        { elementary_hypot, 0x1.8p-1073, 0x1p-1072, 0x1.4p-1072 },
        { elementary_atan2, 0.0, 0.0, 0.0 },
        { elementary_atan2, -0.0, 0.0, -0.0 },
        { elementary_atan2, 0.0, -0.0, M_PI },
        { elementary_atan2, -0.0, -0.0, -M_PI },
        { elementary_atan2, 0.0, -1, M_PI },
        { elementary_atan2, -0.0, 1, -0.0 },
        { elementary_atan2, 1, 0.0, M_PI_2 },
        { elementary_atan2, -1, -0.0, -M_PI_2 },
        { elementary_atan2, 1, 1, M_PI_4 },
        { elementary_atan2, 1, HUGE_VAL, 0.0 },
        { elementary_atan2, -1, -HUGE_VAL, -M_PI },
        { elementary_atan2, HUGE_VAL, 1, M_PI_2 },
        { elementary_atan2, HUGE_VAL, HUGE_VAL, M_PI_4 },
        { elementary_atan2, -HUGE_VAL, -HUGE_VAL, -3 * M_PI_4 },
        { elementary_atan2, 0x1p-1074, 0x1p-1074, M_PI_4 },
        { elementary_atan2, DBL_MAX, -DBL_MAX, 3 * M_PI_4 },
        { elementary_atan2, 0x1p-1074, 1, 0x1p-1074 },
        { elementary_atan2, 1, NAN, NAN },
        { elementary_atan2, NAN, 1, NAN },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char what[64];
        snprintf(what, sizeof what, "row %zu, of %a and %a", i, rows[i].x, rows[i].y);
        assert_same(what, rows[i].function(rows[i].x, rows[i].y), rows[i].want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_the_same_bytes_everywhere),
        cmocka_unit_test(limits_of_functions_of_one_argument),
        cmocka_unit_test(limits_of_functions_of_two_arguments),
    };
    return cmocka_run_group_tests_name("elementary", tests, NULL, NULL);
}
