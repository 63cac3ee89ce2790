/* Whole series: zero phase, spikes and jumps. See sprung.h. */
#include "base/array.h"
#include "library/settings.h"
#include "springs/rotation.h"
#include "sprung.h"
#include "whole/choose_halflife.h"
#include "whole/jumps.h"
#include "whole/spike_track.h"

#include <stdint.h>
#include <stdlib.h>

/* The series of a call. */
struct whole {
    const struct library_filter *own;
    size_t rows, n, width; /* width: numbers of a sample, 1 or 4 */
    const double *time, *goal;
    double *to[3];  /* value, velocity, acceleration; NULL: not wanted */
    double *T;      /* [rows] owned, with `sample` */
    double *sample; /* [rows * width] of the channel under way */
};

/* Copies a channel; a missing sample has NaN in its first number. Quaternions get length 1, and the sign that
 * is nearer to the one before. */
static void gather(const struct whole *whole, size_t c)
{
    double last[4] = { 0 };
    for (size_t i = 0; i < whole->rows; i++) {
        const double *from = whole->goal + (i * whole->n + c) * whole->width;
        double *to = whole->sample + i * whole->width, dot = 0;
        memcpy(to, from, whole->width * sizeof *to);
        if (whole->width == SAMPLE_NUMBER)
            continue;
        for (size_t k = 0; k < 4; k++)
            dot += to[k] * last[k];
        for (size_t k = 0; k < 4 && dot < 0; k++)
            to[k] = -to[k];
        if (!rotation_unit(to))
            to[0] = (double)NAN;
        else
            memcpy(last, to, sizeof last);
    }
}

/* The rows from the first known sample to the last; false: there is none. */
static bool find_run(const struct samples *all, struct sample_run *run)
{
    *run = (struct sample_run){ 0, all->n };
    while (run->first < all->n && !samples_known(all, run->first))
        run->first++;
    while (run->last > run->first && !samples_known(all, run->last - 1))
        run->last--;
    run->last--;
    return run->first < all->n;
}

/* Puts the result of a run into the arrays; where a sample is missing there is no number. */
static void scatter(const struct whole *whole, struct zero_phase *phase, const struct samples *all,
                    struct sample_run run, size_t c)
{
    for (unsigned derivative = 0; derivative < 3; derivative++) {
        size_t width = derivative == 0 ? whole->width : whole->width == SAMPLE_ROTATION ? 3 : 1;
        if (derivative > 0)
            zero_phase_derive(phase, derivative);
        for (size_t i = 0; i < whole->rows && whole->to[derivative]; i++) {
            double x[4] = { NAN, NAN, NAN, NAN };
            if (i >= run.first && i <= run.last && samples_known(all, i))
                zero_phase_get(phase, derivative, i - run.first, x);
            memcpy(whole->to[derivative] + (i * whole->n + c) * width, x, width * sizeof *x);
        }
    }
}

static bool smooth_channel(const struct whole *whole, struct zero_phase *phase, size_t c, struct error *e)
{
    const void *settings = whole->own->settings;
    struct choice choice = { .value = (double)NAN };
    struct sample_run run;
    gather(whole, c);
    const struct samples all = { whole->rows, whole->width, whole->T, whole->sample, whole->time };
    if (!find_run(&all, &run)) {
        scatter(whole, phase, &all, (struct sample_run){ 1, 0 }, c);
        return true;
    }
    if (filter_automatic(whole->own->filter, settings)) {
        if (!choose_halflife(phase, settings, &all, &run, 1, &choice, e))
            return false;
        if (isnan(choice.value))
            return error_data(e,
                              "auto needs at least %d values to tell noise from motion, and there are fewer",
                              CHOOSE_LEAST);
    }
    zero_phase_use(phase, settings, choice.value);
    const struct samples part = samples_of_run(&all, run);
    if (!zero_phase_run(phase, &part, e))
        return false;
    scatter(whole, phase, &all, run, c);
    return true;
}

static bool check_times(const struct whole *whole, struct error *e)
{
    for (size_t i = 1; i < whole->rows; i++)
        if (!(whole->time[i] - whole->time[i - 1] > 0 && whole->time[i] <= DBL_MAX))
            return error_data(e, "the time of row %zu is not above the time before", i);
    for (size_t i = 0; i < whole->rows * whole->n * whole->width; i++)
        if (fabs(whole->goal[i]) > DBL_MAX)
            return error_data(e, "a value of row %zu is infinite", i / (whole->n * whole->width));
    return true;
}

static bool smooth_all(struct whole *whole, struct error *e)
{
    if (!check_times(whole, e) ||
        !arrays_make(e, ARRAY(whole->T, whole->rows), ARRAY(whole->sample, whole->rows * whole->width)))
        return false;
    for (size_t i = 1; i < whole->rows; i++)
        whole->T[i] = whole->time[i] - whole->time[i - 1];
    struct zero_phase *phase = zero_phase_make(whole->own->filter, whole->rows, whole->width, e);
    bool good = phase;
    for (size_t c = 0; c < whole->n && good; c++)
        good = smooth_channel(whole, phase, c, e);
    zero_phase_free(phase);
    free(whole->T);
    return good;
}

static int smooth(const char *name, const char *settings, struct whole *whole, char *message, size_t size)
{
    struct library_filter own;
    struct error e;
    if (!settings_read(&own, name, settings, LIBRARY_WHOLE, &e))
        return settings_fail(&e, message, size);
    whole->own = &own;
    bool good = whole->width == SAMPLE_NUMBER || own.filter->rotations ||
                error_usage(&e, "%s cannot filter rotations", own.filter->name);
    good = good && (whole->rows == 0 || smooth_all(whole, &e));
    settings_free(&own);
    return good ? SPRUNG_OK : settings_fail(&e, message, size);
}

int sprung_smooth(const char *name, const char *settings, size_t rows, size_t n, const double *time,
                  const double *goal, double *value, double *velocity, double *acceleration, char *message,
                  size_t size)
{
    struct whole whole = { .rows = rows,
                           .n = n,
                           .width = SAMPLE_NUMBER,
                           .time = time,
                           .goal = goal,
                           .to = { value, velocity, acceleration } };
    return smooth(name, settings, &whole, message, size);
}

int sprung_smooth_rotations(const char *name, const char *settings, size_t rows, size_t n, const double *time,
                            const double *goal, double *value, double *velocity, double *acceleration,
                            char *message, size_t size)
{
    struct whole whole = { .rows = rows,
                           .n = n,
                           .width = SAMPLE_ROTATION,
                           .time = time,
                           .goal = goal,
                           .to = { value, velocity, acceleration } };
    return smooth(name, settings, &whole, message, size);
}

/* --- spikes and jumps --- */

size_t sprung_find_spikes(double K, size_t rows, const double *time, const double *value, unsigned char *mark)
{
    const struct spikes_settings settings = { .factor = K, .window = -1 };
    const struct spike_kind kind = { .nnumber = 1 };
    const struct spike_rows series = { .n = rows, .time = time, .number = { value } };
    struct error e;
    size_t count = 0;
    if (rows > 0 && !spikes_find(&settings, &kind, &series, mark, &e))
        return SIZE_MAX;
    for (size_t i = 0; i < rows; i++) {
        mark[i] = mark[i] != SPIKE_NONE;
        count += mark[i];
    }
    return count;
}

size_t sprung_find_cuts(double K, size_t rows, const double *time, const double *value, unsigned char *mark)
{
    return jumps_find(K, rows, time, value, mark);
}
