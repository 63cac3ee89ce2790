/* The Butterworth low-pass of second order: the spring of damping ratio 1/sqrt 2, whose gain is as flat as
 * can be below its cutoff (S. Butterworth, "On the theory of filter amplifiers", 1930). */
#include "springs/cutoff.h"
#include "springs/filter_words.h"
#include "springs/option_groups.h"
#include "springs/run_rows.h"
#include "springs/spring_step.h"

struct settings {
    struct filter_common common;
};

/* clang-format off */
static const struct param params[] = {
    {
        .name = "cutoff", NUMBER(common.cutoff, RANGE_POSITIVE, "HZ"), .word = "auto",
        .help = "-3 dB frequency: 6 for walking; auto: from the noise, with --zero-phase",
        .more = CUTOFF_MORE ". With --zero-phase it is the cutoff of both passes together",
        .if_missing = "for example --cutoff 6" },
    HOLD_OPTION(EACH_METHOD),
    PREDICT_OPTION(EACH_METHOD),
    { .name = "loop", FLAG(common.loop),
        .help = "with --zero-phase: the last row is followed by the first, as in a walk cycle",
        .more = "Value and velocity agree at the seam. The last row may repeat the first" },
};
/* clang-format on */

static bool check(void *settings, struct error *e)
{
    struct filter_common *common = settings;
    const double w = 2 * M_PI * common->cutoff / filter_cutoff(M_SQRT1_2, 0, 1, common->zero_phase);
    common->equation = (struct continuous){ w * w, M_SQRT2 * w, 0, 1 };
    common->linear = true;
    if (common->loop && !common->zero_phase) {
        error_usage(e, "--loop needs --zero-phase");
        return error_hint(e, "add --zero-phase, or leave out --loop");
    }
    return true;
}

static void step(const void *settings, double T, void *to)
{
    const struct settings *set = settings;
    const struct continuous q = cutoff_equation(set, T);
    struct transition_full phi = transition_spring(q.s, q.d, T, APPROX_NONE);
    spring_coefficients(to, q, set->common.hold, &phi, T);
}

static const struct filter_words words = {
    .summary = "Butterworth low-pass: for recorded motion, with --zero-phase",
    .about =
        "The Butterworth low-pass has the flattest passband of any filter of its order. With --zero-phase it "
        "is the fourth-order zero-lag Butterworth of biomechanics, and the filter to try first for anything "
        "recorded: it follows the motion at both ends of the file and adds no delay. Without --zero-phase it "
        "is of second order and lags by 0.225 / cutoff seconds behind constant-velocity motion. After a step "
        "it overshoots by 4 percent; critical does not.",
    .equation = "the spring of damping-ratio 1/sqrt 2:\n"
                "s = w^2     d = sqrt(2) w     y = d / 2     W = sqrt(s - y^2)     e = x - g\n"
                "e <- (C + y S) e + S v     v <- (C - y S) v - s S e\n"
                "C = exp(-yT) cos(WT)     S = exp(-yT) sin(WT) / W\n"
                "w = 2 pi cutoff; with --zero-phase, 2 pi cutoff / 0.802 in each pass",
    .examples = "sprung butterworth --cutoff auto --zero-phase take.csv -o clean.csv\n"
                "sprung butterworth --cutoff 6 --zero-phase take.csv > clean.csv",
};

const struct filter filter_butterworth = {
    .name = "butterworth",
    .words = &words,
    FILTER_OPTIONS(params),
    .zero_phase = true,
    .shape = { DOUBLES(struct spring_state), DOUBLES(struct spring_step), 3 },
    .rotations = "g-ev",
    .check = check,
    .step = step,
    .start = spring_start,
    .run = spring_run,
    .each = { .nout = 2 },
};
