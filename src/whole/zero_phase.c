/* Zero phase over one run of plain arrays. See zero_phase.h. */
#include "whole/zero_phase.h"

#include "base/array.h"
#include "base/text.h"
#include "springs/rotation.h"
#include "springs/spring_step.h"
#include "whole/angular_velocity.h"
#include "whole/even_steps.h"
#include "whole/odd_extension.h"
#include "whole/spline_slopes.h"
#include "whole/trend.h"
#include <stdlib.h>

#define FORGOTTEN 100   /* time scales after which a filter has forgotten */
#define ROUNDED   1e-10 /* steps that differ by this part are equal: their times are rounded */

struct zero_phase {
    const struct filter *filter;
    size_t width;       /* of samples */
    const void *given;  /* the settings of zero_phase_use */
    double halflife;    /* to be put into them; NaN: they have their own */
    char *settings;     /* [filter->settings_size] these, as the run under way needs them */
    bool settings_made; /* settings are there, for runs with steps as `even` says */
    struct odd_extension *odd;

    struct samples run; /* the run under way, as it was given */
    size_t n;           /* samples of it; 0: there was no run yet */
    bool even;          /* its steps are equal */
    double *T;          /* [n] its steps; of an even run all are the same */
    double *given_T;    /* [n] its steps as they were given */
    double *time;       /* [n] seconds since the first sample */
    double *target;     /* [n * width] its samples, with bridges; of numbers, less the line */
    double *rest;       /* [n * width] less the trend, then the result; of numbers the array target */
    double *result;     /* [n] numbers, or their derivative, less the line */
    double *vector[3];  /* [n] of rotations: angular velocity or acceleration, by component */
    struct trend trend;

    /* What depends on steps and settings alone. */
    bool reach_known;
    double reach;    /* seconds that the fits at both ends take in: as in end_value */
    double own_part; /* the part of a sample's value that its own result has */
};

/* --- which filters --- */

bool zero_phase_check_rest(const void *settings, struct error *e)
{
    if (((const struct filter_common *)settings)->equation.d != 0)
        return true;
    error_usage(e, "--zero-phase takes a filter that comes to rest, and with these settings it never does");
    return error_hint(e, "more damping brings it to rest, or with --method lerp a larger --factor");
}

bool zero_phase_check(const struct filter *filter, const void *settings, double start, bool settings_differ,
                      struct error *e)
{
    char names[128] = "";
    if (filter->linear && !filter->cuts) {
        if (isnan(start))
            return settings_differ || zero_phase_check_rest(settings, e);
        error_usage(e, "--start has no meaning with --zero-phase, which comes to both ends from outside");
        return error_hint(e, "leave one of them out");
    }
    for (size_t i = 0; filter_list[i]; i++)
        if (filter_list[i]->linear && !filter_list[i]->cuts)
            text_append(names, sizeof names, "%s%s", names[0] ? ", " : "", filter_list[i]->name);
    error_usage(e, "--zero-phase takes a linear filter without cuts, and %s is none", filter->name);
    return error_hint(e, "these are: %s", names);
}

/* --- memory --- */

static bool make_arrays(struct zero_phase *z, size_t most, struct error *e)
{
    size_t nrotation = z->width == SAMPLE_ROTATION ? most : 0;
    double *rest = NULL;
    bool good = arrays_make(e, ARRAY(z->T, most), ARRAY(z->given_T, most), ARRAY(z->time, most),
                            ARRAY(z->target, z->width * most), ARRAY(rest, 4 * nrotation),
                            ARRAY(z->vector[0], nrotation), ARRAY(z->vector[1], nrotation),
                            ARRAY(z->vector[2], nrotation), ARRAY(z->settings, z->filter->settings_size));
    z->rest = nrotation ? rest : z->target;
    return good;
}

struct zero_phase *zero_phase_make(const struct filter *filter, size_t most, size_t width, struct error *e)
{
    struct zero_phase *z;
    if (!arrays_make(e, ARRAY(z, 1)))
        return NULL;
    z->filter = filter;
    z->width = width;
    z->odd = odd_extension_make(filter, most, width, e);
    if (!z->odd || !make_arrays(z, most, e)) {
        zero_phase_free(z);
        return NULL;
    }
    z->result = odd_extension_value(z->odd);
    return z;
}

void zero_phase_free(struct zero_phase *z)
{
    if (!z)
        return;
    odd_extension_free(z->odd);
    free(z->T);
    free(z);
}

const struct filter *zero_phase_filter(const struct zero_phase *z)
{
    return z->filter;
}

void zero_phase_use(struct zero_phase *z, const void *settings, double halflife)
{
    bool same = z->given == settings && (z->halflife == halflife || (isnan(z->halflife) && isnan(halflife)));
    z->settings_made &= same;
    z->given = settings;
    z->halflife = halflife;
}

/* --- steps and settings --- */

/* Takes over the steps of a run. Returns whether they are those of the run before. */
static bool take_steps(struct zero_phase *z, const struct samples *run)
{
    size_t n = run->n;
    if (z->n == n && (n < 2 || memcmp(z->given_T + 1, run->T + 1, (n - 1) * sizeof *z->T) == 0))
        return true;
    z->n = n;
    z->even = true;
    z->time[0] = 0;
    for (size_t k = 1; k < n; k++) {
        z->T[k] = z->given_T[k] = run->T[k];
        z->even &= fabs(z->T[k] - z->T[1]) <= ROUNDED * z->T[1];
    }
    double step = z->even ? (double)NAN : even_steps_find(run->T, n);
    for (size_t k = 1; k < n && !isnan(step); k++)
        z->T[k] = step;
    z->even |= !isnan(step);
    for (size_t k = 1; k < n; k++)
        z->time[k] = z->time[k - 1] + z->T[k];
    return false;
}

/* Makes the settings for the run. With uneven steps the goal moves, unless --hold says otherwise or the
 * filter refuses that: then the weight of a value does not depend on the length of the step before it. */
static void make_settings(struct zero_phase *z)
{
    const struct filter *filter = z->filter;
    struct error refused;
    for (bool moving = !z->even, good = false; !good; moving = false) {
        memcpy(z->settings, z->given, filter->settings_size);
        double *halflife = filter_automatic(filter, z->settings);
        if (halflife)
            *halflife = z->halflife;
        for (size_t k = 0; k < filter->nparam; k++) {
            int *field = (int *)(z->settings + filter->params[k].offset);
            if (moving && strcmp(filter->params[k].name, "hold") == 0 && *field == HOLD_NOT_GIVEN)
                *field = HOLD_LINEAR;
        }
        good = filter->check(z->settings, &refused) || !moving;
    }
    z->settings_made = true;
}

/* Finds the reach of the fits at the ends of the run, such that an end is at most twice as noisy as the
 * middle. White noise of variance 1 leaves about 1.25 T / reach of the fit, less for short reaches, and in
 * the middle the sum of the squares of what becomes of a lone 1; T is the mean step, where long steps weigh
 * more. A spring that oscillates amplifies the noise of its middle, and near its end also the noise of the
 * fit: so the reach is not much shorter than its period. */
static void find_reach(struct zero_phase *z)
{
    double time = z->time[z->n - 1], parts = 0, noise = 0;
    z->reach_known = true;
    z->reach = 0;
    z->own_part = 1;
    if (z->n == 1)
        return;
    for (size_t k = 1; k < z->n; k++)
        parts += z->T[k] / time * (z->T[k] / time);
    double last = fmin(round(1 / parts), (double)(z->n - 1)), scale = filter_time_scale(z->settings);
    if (!isnan(z->halflife)) /* the trials of short half-lives need not be long */
        last = fmin(last, floor(FORGOTTEN * scale / (time * parts) + 2));
    struct odd_run lone = { .step = time * parts, .last = (ptrdiff_t)last, .width = SAMPLE_NUMBER };
    if (lone.last > 1) {
        /* What is wrong with the filter is found again when the run itself is filtered. */
        bool good = odd_extension_filter(z->odd, &lone).reason == ZERO_PHASE_GOOD;
        for (ptrdiff_t k = 0; k <= lone.last && good; k++)
            noise += z->result[k] * z->result[k];
        z->own_part = z->result[lone.last / 2];
    }
    double twice_as_noisy = 1.25 / 4 * time * parts * (1 / noise - 1);
    z->reach = fmax(twice_as_noisy, 0.4 * scale);
}

/* --- the run --- */

/* Sets the missing samples between two known ones. */
static void bridge(struct zero_phase *z, size_t from, size_t to)
{
    double all = z->time[to] - z->time[from], slope = 0, way[3];
    if (z->width == SAMPLE_ROTATION)
        rotation_vector(z->target + 4 * to, z->target + 4 * from, way);
    else
        slope = (z->target[to] - z->target[from]) / all;
    for (size_t k = from + 1; k < to; k++) {
        double t = z->time[k] - z->time[from], *q = z->target + 4 * k;
        if (z->width == SAMPLE_ROTATION) {
            memcpy(q, z->target + 4 * from, 4 * sizeof *q);
            rotation_turn(q, way, t / all);
        } else {
            z->target[k] = z->target[from] + slope * t;
        }
    }
}

struct zero_phase_fault zero_phase_run(struct zero_phase *z, const struct samples *run)
{
    bool was_even = z->even, same_steps = take_steps(z, run);
    z->run = *run;
    if (!z->settings_made || z->even != was_even) {
        make_settings(z);
        same_steps = false;
    }
    if (!same_steps) {
        odd_extension_use(z->odd, z->settings);
        z->reach_known = false;
    }
    memcpy(z->target, run->value, run->n * z->width * sizeof *z->target);
    for (size_t k = 1, known = 0; k < run->n; k++) {
        if (!samples_known(run, k))
            continue;
        if (k > known + 1)
            bridge(z, known, k);
        known = k;
    }
    if (!z->reach_known)
        find_reach(z);
    const struct samples bridged = { run->n, z->width, z->T, z->target };
    z->trend = trend_find(&(struct trend_input){ &bridged, z->time, z->reach, z->result, z->vector });
    trend_take_off(&z->trend, &bridged, z->time, z->rest);
    const struct odd_run odd = {
        .T = z->even ? NULL : z->T,
        .step = run->n > 1 ? z->T[1] : 0,
        .goal = z->rest,
        .last = (ptrdiff_t)run->n - 1,
        .width = (ptrdiff_t)z->width,
    };
    struct zero_phase_fault fault = odd_extension_filter(z->odd, &odd);
    if (fault.reason == ZERO_PHASE_GOOD && z->width == SAMPLE_ROTATION)
        trend_add_motion(&z->trend, &bridged, z->time, z->result, z->rest);
    return fault;
}

/* --- the result --- */

/* The run, less its line, goes on through its end points, and so its slopes are level there. */
void zero_phase_derive(struct zero_phase *z, unsigned derivative)
{
    if (z->width == SAMPLE_NUMBER)
        spline_slopes(z->T, z->result, z->n, derivative > 1, z->target);
    else if (derivative == 1)
        angular_velocity(z->T, z->rest, z->n, z->vector, z->result);
    else
        for (size_t c = 0; c < 3; c++)
            spline_slopes(z->T, z->vector[c], z->n, true, z->result);
}

void zero_phase_get(const struct zero_phase *z, unsigned derivative, size_t sample, double x[4])
{
    if (z->width == SAMPLE_NUMBER) {
        const double line[] = { trend_line(&z->trend, z->time[sample]), z->trend.slope, 0 };
        x[0] = z->result[sample] + line[derivative];
    } else if (derivative == 0) {
        memcpy(x, z->rest + 4 * sample, 4 * sizeof *x);
    } else {
        for (size_t c = 0; c < 3; c++)
            x[c] = z->vector[c][sample];
    }
}

bool zero_phase_unchanged(const struct zero_phase *z, size_t sample)
{
    return memcmp(z->rest + 4 * sample, z->target + 4 * sample, 4 * sizeof *z->rest) == 0;
}

double zero_phase_square(const struct zero_phase *z, size_t sample)
{
    double off[3] = { 0 };
    if (z->width == SAMPLE_ROTATION)
        rotation_vector(z->target + 4 * sample, z->rest + 4 * sample, off);
    else
        off[0] = z->run.value[sample] - z->result[sample] - trend_line(&z->trend, z->time[sample]);
    return off[0] * off[0] + off[1] * off[1] + off[2] * off[2];
}

double zero_phase_own_part(const struct zero_phase *z)
{
    return z->own_part;
}
