/* The mending of an end without noise: the last rung takes the place of the spline. */
#include "whole/smooth_ends.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 150, WIDE = 3 };

#define STEP   0.01
#define PERIOD 0.3 /* the mending reaches ROWS rows */

static const struct smooth_penalty penalty = { 0, 2e-6 };
static double T[ROWS], weight[ROWS], value[ROWS * WIDE], ease[ROWS];

/* A curve of rows and channels. */
struct curve {
    double value[ROWS * WIDE], velocity[ROWS * WIDE], acceleration[ROWS * WIDE];
};

static struct smooth_curve arrays_of(struct curve *curve)
{
    memset(curve, 0, sizeof *curve);
    return (struct smooth_curve){ .value = curve->value,
                                  .velocity = curve->velocity,
                                  .acceleration = curve->acceleration };
}

/* missing: the row without a sample. */
static void draw_rows(size_t missing)
{
    double time = 0;
    for (size_t i = 0; i < ROWS; i++) {
        T[i] = weight[i] = STEP * (i % 3 == 1 ? 1.25 : 1);
        for (size_t c = 0; c < WIDE; c++)
            value[i * WIDE + c] = sin((double)i * STEP * (20 + (double)c)) + 0.01 * (double)(i * 37 % 11);
    }
    weight[missing] = 0;
    for (size_t i = ROWS - 1, before; i > 0; i = before) {
        before = i - 1 == missing ? i - 2 : i - 1; /* both steps beside the missing row count as one */
        double step = before == i - 2 ? T[i - 1] + T[i] : T[i];
        double u = fmin((time + step / 2) / (1.5 * PERIOD), 1);
        time += step;
        for (size_t k = before + 1; k <= i; k++)
            ease[k] = pow(1e-6, 1 - u * u * (3 - 2 * u));
    }
}

static void run(const double *eased, struct curve *curve)
{
    static struct smooth_gain gain[ROWS];
    struct smooth_gains gains = { .row = gain };
    const struct smooth_curve arrays = arrays_of(curve);
    const struct smooth_rows rows = {
        .n = ROWS, .nchannel = WIDE, .T = T, .weight = weight, .ease = eased, .value = value
    };
    smooth_find_gains(penalty, &rows, &gains);
    smooth_run(penalty, &rows, &gains, &arrays);
}

static void without_noise_the_last_rung_takes_the_place_of_the_spline(void **state)
{
    (void)state;
    static struct curve spline, rung, mended;
    const struct smooth_end end = { .a2 = penalty.a2,
                                    .period = PERIOD,
                                    .n = ROWS,
                                    .nchannel = WIDE,
                                    .T = T,
                                    .weight = weight,
                                    .value = value };
    for (size_t missing = ROWS - 60; missing < ROWS - 1; missing++) {
        struct smooth_ladder ladder = { .room = NULL };
        double at_end[WIDE];
        draw_rows(missing);
        run(NULL, &spline);
        run(ease, &rung);
        for (size_t from = 0; from < ROWS; from += 37) {
            struct smooth_curve correction = arrays_of(&mended);
            correction.from = from;
            assert_true(smooth_end_mend(&ladder, &end, &correction, at_end, NULL));
            for (size_t i = from * WIDE; i < ROWS * WIDE; i++) {
                assert_true(fabs(spline.value[i] + mended.value[i] - rung.value[i]) < 1e-12);
                assert_true(fabs(spline.velocity[i] + mended.velocity[i] - rung.velocity[i]) < 1e-9);
                assert_true(fabs(spline.acceleration[i] + mended.acceleration[i] - rung.acceleration[i]) <
                            1e-6);
            }
            for (size_t c = 0; c < WIDE; c++)
                assert_true(fabs(at_end[c] - rung.value[(ROWS - 1) * WIDE + c]) < 1e-12);
        }
        smooth_ladder_free(&ladder);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_noise_the_last_rung_takes_the_place_of_the_spline),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
