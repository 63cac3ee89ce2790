/* --cutoff and the equivalents, against the transfer functions of the continuous filters. */
#include "springs/filter_words.h"
#include "unit/harness.h"

#include <complex.h>

/* |G| at w, in units of the undamped angular frequency, of springs in series in all passes. */
static double gain(double w, double z, double feed, double count, bool zero_phase)
{
    double _Complex p = I * w, one = (1 + 2 * z * feed * p) / (1 + 2 * z * p + p * p);
    return pow(cabs(one), zero_phase ? 2 * count : count);
}

static void the_gain_at_the_cutoff_is_root_half(void **state)
{
    (void)state;
    static const double ratios[] = { 0, 1e-9, 0.1, 0.5, 0.7071067811865476, 1, 3, 1e3, 1e7 };
    static const double feeds[] = { 0, 0.3, 1, -1 }, counts[] = { 0.5, 1, 2 };
    for (size_t i = 0; i < 9 * 4 * 3 * 2; i++) {
        double z = ratios[i % 9], feed = feeds[i / 9 % 4], count = counts[i / 36 % 3];
        bool zero_phase = i / 108;
        double w = filter_cutoff(z, feed, count, zero_phase), got = gain(w, z, feed, count, zero_phase);
        if (!(fabs(got - sqrt(0.5)) < 1e-12 * (1 + w * z)))
            fail_msg("z %g feed %g count %g passes %d: %.17g", z, feed, count, 1 + zero_phase, got);
        assert_true(gain(w * (1 + 1e-6), z, feed, count, zero_phase) < got);
    }
}

/* The member with the name of the option. */
static double find(const struct equivalents *equal, const char *name)
{
    if (strcmp(name, "halflife") == 0)
        return equal->halflife;
    return strcmp(name, "lag") == 0 ? equal->lag : equal->cutoff;
}

static void near(double got, double want, const char *what)
{
    if (!(fabs(got - want) <= 1e-13 * fabs(want)))
        fail_msg("%s: %.17g, not %.17g", what, got, want);
}

/* n equal real poles: rate = 2 pi cutoff / sqrt(2^(1/n) - 1). */
static void real_poles_have_the_rate_of_their_cutoff(void **state)
{
    (void)state;
    static const struct {
        const char *filter, *words;
        double poles;
    } all[] = { { "damper", "cutoff=6", 1 },
                { "critical", "cutoff=6", 2 },
                { "double", "cutoff=6", 4 },
                { "spring", "cutoff=6 damping-ratio=1", 2 } };
    for (size_t i = 0; i < 4; i++) {
        const struct filter *f = filter_find(all[i].filter);
        struct equivalents equal;
        double poles = all[i].poles, rate = 2 * M_PI * 6 / sqrt(pow(2, 1 / poles) - 1);
        void *settings = harness_good(f, all[i].words);
        assert_true(filter_equivalents(settings, false, &equal));
        near(equal.cutoff, 6, "cutoff");
        near(equal.lag, poles / rate, "lag");
        near(equal.halflife, poles * log(2) / rate, "halflife");
        free(settings);
    }
}

static void equivalents_are_the_options_that_were_given(void **state)
{
    (void)state;
    static const struct {
        const char *filter, *words, *name;
        double value;
    } all[] = {
        { "damper", "halflife=0.3", "halflife", 0.3 },
        { "damper", "lag=0.3", "lag", 0.3 },
        { "damper", "lag=7", "lag", 7 },
        { "critical", "halflife=0.3", "halflife", 0.3 },
        { "critical", "lag=0.3", "lag", 0.3 },
        { "critical", "halflife=0.3 goal-velocity=difference", "lag", 0 },
        { "double", "halflife=0.3", "halflife", 0.3 },
        { "spring", "frequency=7 halflife=0.3", "halflife", 0.3 },
        { "spring", "stiffness=7 damping=2", "lag", 2. / 7 },
        { "spring", "cutoff=3 damping-ratio=0.2 goal-velocity=difference", "cutoff", 3 },
        { "second-order", "frequency=2 damping-ratio=0.4 response=3", "lag", -0.4 / (4 * M_PI) },
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const struct filter *f = filter_find(all[i].filter);
        struct equivalents equal;
        void *settings = harness_good(f, all[i].words);
        assert_true(filter_equivalents(settings, false, &equal));
        near(find(&equal, all[i].name), all[i].value, all[i].words);
        free(settings);
    }
    void *lerp = harness_good(filter_find("damper"), "method=lerp factor=0.1");
    struct equivalents equal;
    assert_false(filter_equivalents(lerp, false, &equal));
    free(lerp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_gain_at_the_cutoff_is_root_half),
        cmocka_unit_test(real_poles_have_the_rate_of_their_cutoff),
        cmocka_unit_test(equivalents_are_the_options_that_were_given),
    };
    return cmocka_run_group_tests_name("cutoff", tests, NULL, NULL);
}
