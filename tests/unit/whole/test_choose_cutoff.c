/* The cutoff of auto has nearly the least score of all cutoffs, by all samples of a series that is longer
 * than what is smoothed at once. */
#include "unit/harness.h"
#include "whole/choose_cutoff.h"

enum { N = 70000, RATE = 100 };

static double T[N], x[N];

/* The sum of twelve uniform numbers: deviation 1. */
static double deviate(uint64_t *seed)
{
    double sum = -6;
    for (int k = 0; k < 12; k++) {
        *seed = *seed * 6364136223846793005u + 1442695040888963407u;
        sum += (double)(*seed >> 11) * 0x1p-53;
    }
    return sum;
}

/* Mean square of the residuals and twice the trace over n, at a cutoff, of noise of variance 1. */
static double score(struct smoothing *smoothing, const struct samples *all, double cutoff)
{
    struct error e;
    double sum = 0;
    assert_true(smoothing_run(smoothing, all, cutoff, (struct smoothing_wish){ false, true, true }, &e));
    for (size_t i = 0; i < N; i++)
        sum += (x[i] - smoothing->curve.x[i]) * (x[i] - smoothing->curve.x[i]);
    return (sum + 2 * smoothing_trace(smoothing)) / N;
}

/* The motion is in the last part alone, and decides. */
static void the_score_is_least_at_the_choice(void **state)
{
    const struct samples all = { .n = N, .width = SAMPLE_NUMBER, .T = T, .value = x };
    const struct sample_run run = { 0, N - 1 };
    struct smoothing smoothing = { .n = 0 };
    struct cutoff_choice choice;
    struct error e;
    uint64_t seed = 1;
    (void)state;
    for (size_t i = 0; i < N; i++) {
        const double time = (double)i / RATE, swell = i < 60000 ? 0 : sin(M_PI * (double)(i - 60000) / 10000);
        T[i] = 1.0 / RATE;
        x[i] = 20 * swell * swell * sin(2 * M_PI * 2 * time) + deviate(&seed);
    }
    assert_true(choose_cutoff(&smoothing, &all, &run, 1, &choice, &e));
    double least = INFINITY;
    for (double cutoff = 1; cutoff < 20; cutoff *= 1.1)
        least = fmin(least, score(&smoothing, &all, cutoff));
    assert_true(score(&smoothing, &all, choice.cutoff) < 1.005 * least);
    smoothing_free(&smoothing);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(the_score_is_least_at_the_choice) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
