/* Zero phase over one run of plain arrays. See zero_phase.h. */
#include "whole/zero_phase.h"

#include "base/array.h"
#include "base/text.h"
#include "springs/rotation.h"
#include "springs/spring_step.h"
#include "whole/angular_velocity.h"
#include "whole/bent_extension.h"
#include "whole/end_value.h"
#include "whole/even_steps.h"
#include "whole/odd_extension.h"
#include "whole/spline_slopes.h"
#include "whole/trend.h"
#include <stdlib.h>

#define FORGOTTEN 100   /* time scales after which a filter has forgotten */
#define ROUNDED   1e-10 /* relative difference of equal steps, whose times are rounded */

/* The bend of the extension fades out over FADE reaches, in a short run over half of the run, so that the
 * bends of both ends do not overlap. If the bend would fade out within fewer than FADE_LEAST reaches, the
 * extension is not bent. */
#define FADE       (2 * END_CURVATURE_REACHES)
#define FADE_LEAST 9

struct zero_phase {
    const struct filter *filter;
    size_t width;      /* SAMPLE_NUMBER or SAMPLE_ROTATION */
    const void *given; /* the settings of zero_phase_use */
    double halflife;   /* chosen half-life in seconds; NaN: the settings hold a half-life */
    double noise;      /* variance of the noise of a sample; NaN: found for each run */
    char *settings; /* [filter->settings_size] the settings of zero_phase_use with half-life and --hold of the
                       run under way */
    bool settings_made; /* `settings` is valid, for runs that are even as `even` says */
    struct odd_extension *odd;

    struct samples run; /* the run under way, as given; run.n 0: no run yet */
    bool even;          /* the steps of the run are equal, but for rounding */
    double step;        /* the step in seconds that every element of T is, bit for bit; NaN: T has several */
    const double *T;    /* [run.n] steps in seconds with which the run is filtered: run.T, or grid_T where the
                           times of the run are the rounded times of an even grid */
    double *grid_T;   /* [run.n] the step of an even grid, in every element. Owned, with all other arrays and
                         settings, but for `filtered`, which is in odd */
    double *time;     /* [run.n] seconds since the first sample, by T */
    double *target;   /* [run.n * width] samples of the run with bridges; of numbers later less the line */
    double *residual; /* [run.n * width] the target less the trend; for numbers the same array as target */
    double *filtered; /* [run.n * width] the filtered residual; of numbers later a derivative less the line */
    double *result;   /* [run.n * 4] of rotations: the filtered residual with the trend added; the same array
                         as residual. The result of numbers is `filtered` plus the line, and is not stored */
    double *vector[3];  /* [3][run.n] of rotations: angular velocity or acceleration, by component */
    double *reflection; /* [run.n * width] the bent reflection of the residual (struct odd_run) */
    struct trend trend;

    /* What depends on steps and settings alone. */
    bool reach_known;
    double reach;     /* reach of the fits at both ends in seconds (struct end_run) */
    double bent_part; /* result of bent_extension_part; 0: the extension is not bent */
    double fade;      /* seconds over which the bend of the extension fades out */
    double own_part;  /* result of zero_phase_own_part */
};

/* --- which filters --- */

bool zero_phase_check_rest(const void *settings, struct error *e)
{
    if (((const struct filter_common *)settings)->equation.d != 0)
        return true;
    error_usage(e, "--zero-phase takes a filter that comes to rest, and with these settings it never does");
    return error_hint(
        e, "more damping brings the filter to rest; of damper with --method lerp, a larger --factor");
}

bool zero_phase_check(const struct filter *filter, const void *settings, bool settings_differ,
                      struct error *e)
{
    char names[128] = "";
    if (filter->linear && !filter->cuts)
        return settings_differ || zero_phase_check_rest(settings, e);
    for (size_t i = 0; filter_list[i]; i++)
        if (filter_list[i]->linear && !filter_list[i]->cuts)
            text_append(names, sizeof names, "%s%s", names[0] ? ", " : "", filter_list[i]->name);
    error_usage(e, "--zero-phase takes a linear filter without cuts, and %s is none", filter->name);
    return error_hint(e, "these are: %s", names);
}

/* --- memory --- */

static bool make_arrays(struct zero_phase *phase, size_t most, struct error *e)
{
    size_t nrotation = phase->width == SAMPLE_ROTATION ? most : 0;
    double *of_rotations = NULL;
    bool good = arrays_make(e, ARRAY(phase->grid_T, most), ARRAY(phase->time, most),
                            ARRAY(phase->target, phase->width * most), ARRAY(of_rotations, 4 * nrotation),
                            ARRAY(phase->vector[0], nrotation), ARRAY(phase->vector[1], nrotation),
                            ARRAY(phase->vector[2], nrotation), ARRAY(phase->reflection, phase->width * most),
                            ARRAY(phase->settings, phase->filter->settings_size));
    phase->residual = nrotation ? of_rotations : phase->target;
    phase->result = of_rotations;
    return good;
}

struct zero_phase *zero_phase_make(const struct filter *filter, size_t most, size_t width, struct error *e)
{
    struct zero_phase *phase;
    if (!arrays_make(e, ARRAY(phase, 1)))
        return NULL;
    phase->filter = filter;
    phase->width = width;
    phase->odd = odd_extension_make(filter, most, width, e);
    if (!phase->odd || !make_arrays(phase, most, e)) {
        zero_phase_free(phase);
        return NULL;
    }
    phase->filtered = odd_extension_value(phase->odd);
    return phase;
}

void zero_phase_free(struct zero_phase *phase)
{
    if (!phase)
        return;
    odd_extension_free(phase->odd);
    free(phase->grid_T);
    free(phase);
}

const struct filter *zero_phase_filter(const struct zero_phase *phase)
{
    return phase->filter;
}

bool zero_phase_steps(const struct zero_phase *phase, double *shortest, double *longest)
{
    *shortest = *longest = phase->run.n > 1 ? phase->T[1] : 0;
    for (size_t k = 2; k < phase->run.n && !phase->even; k++) {
        *shortest = fmin(*shortest, phase->T[k]);
        *longest = fmax(*longest, phase->T[k]);
    }
    return phase->even;
}

void zero_phase_use(struct zero_phase *phase, const void *settings, double halflife)
{
    bool same = phase->given == settings &&
                (phase->halflife == halflife || (isnan(phase->halflife) && isnan(halflife)));
    phase->settings_made &= same;
    phase->given = settings;
    phase->halflife = halflife;
    phase->noise = (double)NAN;
}

void zero_phase_set_noise(struct zero_phase *phase, double variance)
{
    phase->noise = variance;
}

/* --- steps and settings --- */

/* Sets the steps of the run under way: phase->even, step and T. */
static void find_steps(struct zero_phase *phase)
{
    const struct samples *run = &phase->run;
    double first = run->n > 1 ? run->T[1] : 0;
    bool equal = true;
    phase->even = true;
    for (size_t k = 1; k < run->n; k++) {
        equal &= run->T[k] == first;
        phase->even &= fabs(run->T[k] - first) <= ROUNDED * first;
    }
    phase->step = equal ? first : (double)NAN;
    phase->T = run->T;
    if (phase->even)
        return;
    phase->step = even_steps_find(run->T, run->time, run->n);
    if (isnan(phase->step))
        return;
    for (size_t k = 1; k < run->n; k++)
        phase->grid_T[k] = phase->step;
    phase->T = phase->grid_T;
    phase->even = true;
}

/* Takes a run. Returns true if the steps are known to be the steps of the run before. */
static bool take_run(struct zero_phase *phase, const struct samples *run)
{
    const struct samples before = phase->run;
    double step_before = phase->step;
    phase->run = *run;
    if (before.n == run->n && before.T == run->T && before.time == run->time)
        return true;
    find_steps(phase);
    if (before.n == run->n && phase->step == step_before)
        return true;
    phase->time[0] = 0;
    for (size_t k = 1; k < run->n; k++)
        phase->time[k] = phase->time[k - 1] + phase->T[k];
    return false;
}

/* Copies the given settings, sets their half-life if it is chosen, and --hold if the goal moves and --hold is
 * not given. False: the filter refuses these settings. */
static bool try_settings(struct zero_phase *phase, bool moving)
{
    const struct filter *filter = phase->filter;
    struct error refused;
    memcpy(phase->settings, phase->given, filter->settings_size);
    double *halflife = filter_automatic(filter, phase->settings);
    if (halflife)
        *halflife = phase->halflife;
    const struct param *option = filter_option(filter, "hold");
    if (moving && option) {
        int *hold = (int *)(phase->settings + option->offset);
        if (*hold == HOLD_NOT_GIVEN)
            *hold = HOLD_LINEAR;
    }
    return filter->check(phase->settings, &refused);
}

/* Makes the settings for the run. With uneven steps the goal moves, unless --hold says otherwise or the
 * filter refuses a moving goal: with a moving goal the weight of a value does not depend on the length of the
 * step before the value. */
static void make_settings(struct zero_phase *phase)
{
    if (phase->even || !try_settings(phase, true))
        try_settings(phase, false);
    phase->settings_made = true;
}

/* Filters a 1 in the middle of zeroes at even steps. Sets the weight of a sample in its own result and the
 * part of the curvature by which the extension is bent; returns the sum of the squares of the response. A
 * fault of the filter is found again when the run itself is filtered. */
static double measure_response(struct zero_phase *phase, double step, double last)
{
    struct odd_run impulse = { .step = step, .last = (ptrdiff_t)last, .width = SAMPLE_NUMBER };
    double squares = 0;
    phase->own_part = 1;
    phase->bent_part = 0;
    if (impulse.last <= 1)
        return 0;
    bool good = odd_extension_filter(phase->odd, &impulse).reason == ZERO_PHASE_GOOD;
    for (ptrdiff_t k = 0; k <= impulse.last && good; k++)
        squares += phase->filtered[k] * phase->filtered[k];
    phase->own_part = phase->filtered[impulse.last / 2];
    if (good)
        phase->bent_part = bent_extension_part(phase->filtered, (size_t)impulse.last);
    return squares;
}

/* Finds the reach of the fits at both ends of the run, the weight of a sample in its own result, and how far
 * the extension is bent. The reach is such that an end is at most twice as noisy as the middle. White noise
 * of variance 1 leaves in the fit a variance of about 1.25 T / reach, or less for a short reach, where T is
 * the mean step with long steps weighing more. In the middle, white noise leaves the sum of the squares of
 * the impulse response. A spring that oscillates amplifies the noise of its middle, and near the end of the
 * run the noise of the fit as well: so the reach is not much shorter than the period of the spring. */
static void find_reach_and_bend(struct zero_phase *phase)
{
    size_t n = phase->run.n;
    double time = phase->time[n - 1], squares = 0;
    phase->reach_known = true;
    phase->reach = 0;
    phase->own_part = 1;
    phase->bent_part = 0;
    if (n == 1)
        return;
    for (size_t k = 1; k < n; k++)
        squares += phase->T[k] / time * (phase->T[k] / time);
    /* The mean step is time * squares, and 1 / squares steps of this length are as long as the run. */
    double last = fmin(round(1 / squares), (double)(n - 1)), scale = filter_time_scale(phase->settings);
    if (!isnan(phase->halflife)) /* for --halflife auto: a short half-life needs only a short run */
        last = fmin(last, floor(FORGOTTEN * scale / (time * squares) + 2));
    double noise = measure_response(phase, time * squares, last);
    double twice_as_noisy = 1.25 / 4 * time * squares * (1 / noise - 1);
    phase->reach = fmax(twice_as_noisy, 0.4 * scale);
    phase->fade = fmin(FADE * phase->reach, time / 2);
    if (!(FADE_LEAST * phase->reach <= phase->fade))
        phase->bent_part = 0;
}

/* --- the run --- */

/* Sets the missing samples between the known samples `from` and `to`. */
static void bridge_gap(struct zero_phase *phase, size_t from, size_t to)
{
    double duration = phase->time[to] - phase->time[from], slope = 0, way[3];
    if (phase->width == SAMPLE_ROTATION)
        rotation_vector(phase->target + 4 * to, phase->target + 4 * from, way);
    else
        slope = (phase->target[to] - phase->target[from]) / duration;
    for (size_t k = from + 1; k < to; k++) {
        double t = phase->time[k] - phase->time[from], *q = phase->target + 4 * k;
        if (phase->width == SAMPLE_ROTATION) {
            memcpy(q, phase->target + 4 * from, 4 * sizeof *q);
            rotation_turn(q, way, t / duration);
        } else {
            phase->target[k] = phase->target[from] + slope * t;
        }
    }
}

/* Sets the target to the samples of the run, with bridges over missing samples. */
static void make_target(struct zero_phase *phase)
{
    const struct samples *run = &phase->run;
    memcpy(phase->target, run->value, run->n * phase->width * sizeof *phase->target);
    for (size_t k = 1, known = 0; k < run->n; k++) {
        if (!samples_known(run, k))
            continue;
        if (k > known + 1)
            bridge_gap(phase, known, k);
        known = k;
    }
}

/* Makes the bent reflections of the samples of the residual next to both ends. */
static void reflect_residual(struct zero_phase *phase, struct odd_run *odd)
{
    struct bent_ends ends = {
        .time = phase->time,
        .n = phase->run.n,
        .part = phase->bent_part,
        .fade = phase->fade,
    };
    memcpy(ends.curvature, phase->trend.curvature, sizeof ends.curvature);
    for (int end = 0; end < 2; end++)
        odd->nbent[end] = (ptrdiff_t)bent_extension_count(&ends, end > 0);
    odd->reflection = phase->reflection;
    if (phase->width == SAMPLE_ROTATION)
        bent_extension_of_rotations(&ends, phase->residual, phase->reflection);
    else
        bent_extension_of_numbers(&ends, phase->residual, phase->reflection);
}

/* Does the motion have a curvature at an end, as far as noise lets the curvature be known? */
static bool is_curved(const struct trend *trend)
{
    bool curved = false;
    for (size_t c = 0; c < 3; c++)
        curved |= trend->curvature[0][c] != 0 || trend->curvature[1][c] != 0;
    return curved;
}

struct zero_phase_fault zero_phase_run(struct zero_phase *phase, const struct samples *run)
{
    bool was_even = phase->even, same_steps = take_run(phase, run);
    if (!phase->settings_made || phase->even != was_even) {
        make_settings(phase);
        same_steps = false;
    }
    if (!same_steps) {
        odd_extension_use(phase->odd, phase->settings);
        phase->reach_known = false;
    }
    make_target(phase);
    if (!phase->reach_known)
        find_reach_and_bend(phase);
    const struct samples bridged = { run->n, phase->width, phase->T, phase->target, NULL };
    phase->trend = trend_find(&(struct trend_input){
        .run = &bridged,
        .time = phase->time,
        .reach = phase->reach,
        .noise = phase->noise,
        .curved = phase->bent_part > 0,
        .room = phase->filtered,
        .vector = phase->vector,
    });
    trend_take_off(&phase->trend, &bridged, phase->time, phase->residual);
    struct odd_run odd = {
        .goal = phase->residual,
        .last = (ptrdiff_t)run->n - 1,
        .width = (ptrdiff_t)phase->width,
    };
    if (run->n > 1)
        odd.step = phase->T[1];
    if (!phase->even)
        odd.T = phase->T;
    if (phase->bent_part > 0 && is_curved(&phase->trend))
        reflect_residual(phase, &odd);
    struct zero_phase_fault fault = odd_extension_filter(phase->odd, &odd);
    if (fault.reason == ZERO_PHASE_GOOD && phase->width == SAMPLE_ROTATION)
        trend_add_motion(&phase->trend, &bridged, phase->time, phase->filtered, phase->result);
    return fault;
}

/* --- the result --- */

/* The run less the line is extended by odd reflection. So the velocity is extended by even reflection, and
 * the spline through the velocities is level at both ends. */
void zero_phase_derive(struct zero_phase *phase, unsigned derivative)
{
    if (phase->width == SAMPLE_NUMBER)
        spline_slopes(phase->T, phase->filtered, phase->run.n, derivative > 1, phase->target);
    else if (derivative == 1)
        angular_velocity(phase->T, phase->result, phase->run.n, phase->vector, phase->filtered);
    else
        for (size_t c = 0; c < 3; c++)
            spline_slopes(phase->T, phase->vector[c], phase->run.n, true, phase->filtered);
}

void zero_phase_get(const struct zero_phase *phase, unsigned derivative, size_t sample, double x[4])
{
    if (phase->width == SAMPLE_NUMBER) {
        const double line[] = { trend_line(&phase->trend, phase->time[sample]), phase->trend.slope, 0 };
        x[0] = phase->filtered[sample] + line[derivative];
    } else if (derivative == 0) {
        memcpy(x, phase->result + 4 * sample, 4 * sizeof *x);
    } else {
        for (size_t c = 0; c < 3; c++)
            x[c] = phase->vector[c][sample];
    }
}

bool zero_phase_unchanged(const struct zero_phase *phase, size_t sample)
{
    return memcmp(phase->result + 4 * sample, phase->target + 4 * sample, 4 * sizeof *phase->result) == 0;
}

double zero_phase_square(const struct zero_phase *phase, size_t sample)
{
    double off[3] = { 0 };
    if (phase->width == SAMPLE_ROTATION)
        rotation_vector(phase->target + 4 * sample, phase->result + 4 * sample, off);
    else
        off[0] = phase->run.value[sample] - phase->filtered[sample] -
                 trend_line(&phase->trend, phase->time[sample]);
    return off[0] * off[0] + off[1] * off[1] + off[2] * off[2];
}

double zero_phase_own_part(const struct zero_phase *phase)
{
    return phase->own_part;
}
