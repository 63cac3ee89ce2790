/* Penalties from equations, and on rows from cutoffs. See smooth_cutoff.h.
 *
 * Forward and backward the gain of a spring of stiffness s and damping d is
 *
 *     1 / ((1 - w^2/s)^2 + d^2 w^2 / s^2) = 1 / (1 + a1 w^2 + a2 w^4)     a1 = (d^2/s - 2) / s     a2 = 1/s^2
 *
 * and that of a damper of rate r is 1 / (1 + w^2/r^2). On even rows of step T and weight T the gain is 1 / (1
 * + 1 / (T S)), S the spectrum of the sampled motion of smooth.c: for angle per row, q = 2 - 2 cos angle,
 *
 *     damper: T / (a1 q)     a1 = 0: T^3 (1 - q/6) / (a2 q^2)
 */
#include "whole/smooth_cutoff.h"

#include "springs/cutoff.h"
#include "springs/filter_words.h"

#include <math.h>

#define CUBIC_RATIO 0.7072 /* greatest damping ratio that is taken for 1/sqrt 2, as people type it */

/* Cutoff by the row rate. Above, the curve goes through the samples to the last digits. */
#define FASTEST 1e7

#define ROUNDED 0.01 /* relative error of a rate by times that are rounded in print */

#define MORE (M_SQRT2 - 1) /* 1/gain - 1 at the cutoff */

#define LEAST_ANGLE 0.05 /* of a wave at the cutoff: below, the gain is 1 */

enum { MOST_TRIALS = 60, ANGLES = 400 };

/* The spectrum of a motion whose penalty has a1 > 0 and a2 > 0, sampled every T seconds: that of the steps of
 * smooth.c through 1 / ((z - 1) (z - E)). */
static double spectrum(struct smooth_penalty penalty, double T, double angle)
{
    double k = sqrt(penalty.a1 / penalty.a2), q = 4 * sin(angle / 2) * sin(angle / 2);
    struct smooth_step step = smooth_step(penalty, T, 1);
    double E = exp(-k * T), lost = -expm1(-k * T), second = lost * lost + E * q; /* |z - E|^2 */
    double across = lost - q / 2;                                                /* cos angle - E */
    return (step.Q11 * second + 2 * step.F12 * step.Q12 * across + step.F12 * step.F12 * step.Q22) /
           (q * second);
}

double smoothing_gain(struct smooth_penalty penalty, double T, double angle)
{
    double q = 4 * sin(angle / 2) * sin(angle / 2);
    if (penalty.a2 == 0)
        return 1 / (1 + penalty.a1 * q / (T * T));
    if (penalty.a1 == 0)
        return 1 / (1 + penalty.a2 * q * q / (T * T * T * T * (1 - q / 6)));
    return 1 / (1 + 1 / (T * spectrum(penalty, T, angle)));
}

/* The penalties when all rates (1/s) of a motion are multiplied by factor. */
static struct smooth_penalty faster(struct smooth_penalty penalty, double factor)
{
    double square = factor * factor;
    return (struct smooth_penalty){ penalty.a1 / square, penalty.a2 / (square * square) };
}

/* The penalties of the same shape with this gain at the angle: a root in the logarithm of the factor, by the
 * secant. */
static struct smooth_penalty with_gain(struct smooth_penalty penalty, double T, double angle, double gain)
{
    double x[2] = { 0, 0.01 }, at[2];
    for (int i = 0; i < 2; i++)
        at[i] = log(smoothing_gain(faster(penalty, exp(x[i])), T, angle) / gain);
    for (int i = 0; i < MOST_TRIALS && at[1] != at[0] && at[1] != 0; i++) {
        double next = x[1] - at[1] * (x[1] - x[0]) / (at[1] - at[0]);
        x[0] = x[1];
        at[0] = at[1];
        x[1] = next;
        at[1] = log(smoothing_gain(faster(penalty, exp(next)), T, angle) / gain);
    }
    return faster(penalty, exp(x[1]));
}

/* a2 of the spline with a1 = 0 that has a cutoff in Hz, on rows T apart where rows show the cutoff. */
static double cubic_of(double cutoff, double T)
{
    double w = 2 * M_PI * cutoff, angle = w * T;
    if (!(cutoff * T < CUTOFF_MOST_OF_RATE) || angle < 1e-5)
        return MORE / (w * w * w * w);
    double q = 4 * sin(angle / 2) * sin(angle / 2);
    return MORE * (1 - q / 6) / (q * q) * T * T * T * T;
}

/* The penalties of an equation. */
static struct smooth_penalty penalty_of(struct continuous q)
{
    if (q.count < 1)
        return (struct smooth_penalty){ 1 / q.s, 0 };
    return (struct smooth_penalty){ (q.d * q.d / q.s - 2) / q.s, 1 / (q.s * q.s) };
}

double smoothing_period(const struct filter_common *settings)
{
    struct continuous q = settings->equation;
    double ratio = q.d / (2 * sqrt(q.s));
    return 2 * M_PI / (sqrt(q.s) * filter_cutoff(ratio, 0, q.count, true));
}

struct smoothing smoothing_of(const struct filter_common *settings, struct usual_step usual)
{
    const double step = usual.seconds;
    struct continuous q = settings->equation;
    double ratio = q.d / (2 * sqrt(q.s));
    double cutoff = sqrt(q.s) / (2 * M_PI) * filter_cutoff(ratio, 0, q.count, true);
    bool on_rows = settings->cutoff > 0 && !usual.uneven && settings->cutoff * step < CUTOFF_MOST_OF_RATE;
    if (cutoff * step > FASTEST) {
        double slower = FASTEST / (cutoff * step);
        cutoff *= slower;
        q.s *= slower * slower;
        q.d *= slower;
    }
    struct smoothing smoothing = { .twice = q.count > 1, .period = 1 / cutoff };
    smoothing.cubic = cubic_of(cutoff, on_rows ? step : INFINITY);
    if (q.count == 1 && ratio <= CUBIC_RATIO) {
        smoothing.penalty.a2 = smoothing.cubic;
        return smoothing;
    }
    smoothing.penalty = penalty_of(q);
    if (on_rows)
        smoothing.penalty = with_gain(smoothing.penalty, step, 2 * M_PI * cutoff * step,
                                      smoothing.twice ? sqrt(M_SQRT1_2) : M_SQRT1_2);
    return smoothing;
}

/* The trace of a smoother on even rows is the mean of its gain over all angles. */
double smoothing_trace_part(const struct smoothing *smoothing, double step)
{
    double once = 0, twice = 0, before = 0;
    if (!smoothing->twice)
        return 1;
    double angle = LEAST_ANGLE * fmin(1, step / smoothing->period);
    double ratio = pow(M_PI / angle, 1.0 / ANGLES);
    for (int i = 0; i <= ANGLES; i++, angle *= ratio) {
        double gain = smoothing_gain(smoothing->penalty, step, fmin(angle, M_PI)), width = angle - before;
        once += gain * width;
        twice += gain * gain * width;
        before = angle;
    }
    return twice / once;
}

/* --- which filters --- */

/* The name of the given option's choice; NULL: the filter has no such option, or it is not given. */
static const char *choice_of(const struct filter *filter, const void *settings, const char *name)
{
    const struct param *option = filter_option(filter, name);
    int choice = option ? *(const int *)((const char *)settings + option->offset) : -1;
    return choice < 0 ? NULL : option->choices[choice];
}

static bool check_settings(const struct filter *filter, const void *settings, struct error *e)
{
    struct filter_room room; /* the damping ratio is that of any value that may be chosen */
    const struct filter_common *common = filter_chosen(filter, settings, 1, &room);
    const struct continuous q = common->equation;
    const char *method = choice_of(filter, settings, "method"),
               *approx = choice_of(filter, settings, "approx");
    if (method && strcmp(method, "exact") != 0)
        return error_usage(e, "--zero-phase cannot be combined with --method %s", method);
    if (approx)
        return error_usage(e, "--zero-phase cannot be combined with --approx");
    if (q.feed != 0) {
        error_usage(e, "--zero-phase has no lag, so --goal-velocity has no effect");
        return error_hint(e, filter_option(filter, "goal-velocity") ? "leave out --goal-velocity"
                                                                    : "use --response 0");
    }
    if (q.count == 1 && q.d < 2 * SMOOTH_LEAST_RATIO * sqrt(q.s)) {
        error_usage(
            e, "--zero-phase needs a damping ratio of at least %g: below that, both passes together amplify",
            SMOOTH_LEAST_RATIO);
        return error_hint(e, "try --damping-ratio 0.7071, or sprung butterworth --cutoff 6");
    }
    return true;
}

bool smoothing_check_cutoff(const struct filter_common *settings, double rate, struct error *e)
{
    double most = rate * CUTOFF_MOST_OF_RATE;
    return filter_automatic(settings) || !(settings->cutoff > most * (1 + ROUNDED)) ||
           error_usage(
               e, "--cutoff %g is too high for these rows: the maximum is %.4g Hz, %g times the row rate",
               settings->cutoff, most, CUTOFF_MOST_OF_RATE);
}

bool smoothing_check(const struct filter *filter, const void *settings, struct error *e)
{
    char names[128];
    if (filter_takes(filter, FILTER_ZERO_PHASE))
        return check_settings(filter, settings, e);
    filter_list_takers(FILTER_ZERO_PHASE, true, names, sizeof names);
    error_usage(e, "--zero-phase does not work with %s", filter->name);
    return error_hint(e, "filters with --zero-phase: %s", names);
}
