/* Whole series: zero phase, spikes and jumps. See sprung.h. */
#include "base/array.h"
#include "library/settings.h"
#include "springs/rotations/rotation.h"
#include "sprung.h"
#include "whole/choose_halflife.h"
#include "whole/jumps.h"
#include "whole/noise/spike_track.h"
#include "whole/smooth_cutoff.h"
#include "whole/smooth_window.h"

#include <stdint.h>
#include <stdlib.h>

/* The series of a call. */
struct whole {
    const struct library_filter *own;
    size_t rows, n, width; /* width: numbers of a sample, 1 or 4 */
    const double *time, *goal;
    double *to[3];                    /* value, velocity, acceleration; NULL: not wanted */
    double *T;                        /* [rows] owned, with what follows */
    double *sampled, *begun, *number; /* [rows] what struct smooth_window_rows holds */
    double *usual;                    /* [n] zero_phase_usual of the last part of a channel */
    double period; /* seconds of a wave at the cutoff; INFINITY: the whole series is needed */

    /* The window and the channel under way: its rows lie behind `first` rows. */
    size_t first;
    struct smooth_window window;
    size_t c;
    double *sample; /* [maxsample * width] owned */
    size_t maxsample;
    struct zero_phase *phase; /* room for maxsample; owned */
};

static void gather_numbers(const struct whole *whole)
{
    const double *from = whole->goal + whole->first * whole->n + whole->c;
    for (size_t i = 0; i < whole->window.n; i++)
        whole->sample[i] = from[i * whole->n];
}

/* Quaternions get length 1, and the sign that is nearer to the one before. */
static void gather_quaternions(const struct whole *whole)
{
    double last[4] = { 0 };
    for (size_t i = 0; i < whole->window.n; i++) {
        const double *from = whole->goal + ((whole->first + i) * whole->n + whole->c) * 4;
        double *to = whole->sample + 4 * i;
        memcpy(to, from, sizeof last);
        rotation_follow(to, last);
        if (!rotation_unit(to))
            to[0] = (double)NAN;
        else
            memcpy(last, to, sizeof last);
    }
}

/* Copies a channel of the window; a missing sample has NaN in its first number. */
static void gather(const struct whole *whole)
{
    if (whole->width == SAMPLE_NUMBER)
        gather_numbers(whole);
    else
        gather_quaternions(whole);
}

/* The samples from the known sample `first` on, up to a gap of more than `longest` seconds. */
static struct sample_run run_from(const struct samples *all, size_t first, double longest)
{
    struct sample_run run = { first, first };
    for (size_t i = first + 1; i < all->n; i++) {
        if (!samples_known(all, i))
            continue;
        if (i > run.last + 1 && samples_between(all, run.last, i) > longest)
            break;
        run.last = i;
    }
    return run;
}

/* Puts a result of a run that begins with row `from`, or gaps, into the rows from first to last - 1. known:
 * the samples of the run; NULL: gaps. */
static void scatter_numbers(const struct whole *whole, unsigned derivative, const struct samples *known,
                            size_t from, size_t first, size_t last)
{
    const double *x = known ? zero_phase_numbers(whole->phase, derivative) : NULL;
    double *to = whole->to[derivative] + whole->first * whole->n + whole->c;
    for (size_t i = first; i < last; i++)
        to[i * whole->n] = known && samples_known(known, i) ? x[i - from] : (double)NAN;
}

static void scatter_rotations(const struct whole *whole, unsigned derivative, const struct samples *known,
                              size_t from, size_t first, size_t last)
{
    size_t width = derivative == 0 ? 4 : 3;
    for (size_t i = first; i < last; i++) {
        double x[4] = { NAN, NAN, NAN, NAN };
        if (known && samples_known(known, i))
            zero_phase_get(whole->phase, derivative, i - from, x);
        memcpy(whole->to[derivative] + ((whole->first + i) * whole->n + whole->c) * width, x,
               width * sizeof *x);
    }
}

/* Puts results of a run, or outside of runs gaps, into the wanted rows among those from `from` to end - 1.
 * known: the samples; NULL: gaps. */
static void scatter(const struct whole *whole, const struct samples *known, size_t from, size_t end)
{
    size_t first = from > whole->window.from ? from : whole->window.from;
    size_t last = end < whole->window.to ? end : whole->window.to;
    for (unsigned derivative = 0; derivative < 3; derivative++) {
        if (known && derivative > 0 && (whole->to[1] || whole->to[2]))
            zero_phase_derive(whole->phase, derivative);
        if (!whole->to[derivative])
            continue;
        if (whole->width == SAMPLE_NUMBER)
            scatter_numbers(whole, derivative, known, from, first, last);
        else
            scatter_rotations(whole, derivative, known, from, first, last);
    }
}

/* The run from the first to the last known sample of a channel. */
static struct sample_run longest_run(const struct samples *all)
{
    struct sample_run run = { 0, all->n - 1 };
    while (run.first < run.last && !samples_known(all, run.first))
        run.first++;
    while (run.last > run.first && !samples_known(all, run.last))
        run.last--;
    return run;
}

/* Sets up the smoother of a channel: auto chooses by all samples. */
static bool use_settings(const struct whole *whole, const struct samples *all, struct error *e)
{
    struct choice choice = { .value = (double)NAN };
    const struct sample_run run = longest_run(all);
    if (filter_automatic(whole->own->settings) && samples_known(all, run.first)) {
        if (!choose_halflife(whole->phase, whole->own->settings, all, &run, 1, &choice, e))
            return false;
        if (isnan(choice.value))
            return choose_halflife_few("this channel", e);
    }
    zero_phase_use(whole->phase, whole->own->settings, choice.value);
    return true;
}

static bool smooth_run_of(const struct whole *whole, const struct samples *all, struct sample_run run,
                          double longest, struct error *e)
{
    const struct samples samples = samples_of_run(all, run);
    struct zero_phase_part part = smooth_window_part(&whole->window, all, run, whole->first == 0, longest);
    part.values_only = !whole->to[1] && !whole->to[2];
    part.usual = part.begun ? whole->usual[whole->c] : 0;
    if (!zero_phase_run(whole->phase, &samples, part, e))
        return false;
    whole->usual[whole->c] = zero_phase_usual(whole->phase);
    scatter(whole, all, run.first, run.last + 1);
    return true;
}

static bool smooth_channel(const struct whole *whole, struct error *e)
{
    const struct samples all = { .n = whole->window.n,
                                 .width = whole->width,
                                 .T = whole->T + whole->first,
                                 .value = whole->sample,
                                 .time = whole->time + whole->first };
    size_t next = 0;
    gather(whole);
    if (!use_settings(whole, &all, e))
        return false;
    double longest = SMOOTH_LONGEST_GAP * zero_phase_period(whole->phase);
    for (size_t i = 0; i < all.n; i++) {
        if (!samples_known(&all, i))
            continue;
        struct sample_run run = run_from(&all, i, longest);
        scatter(whole, NULL, next, run.first);
        bool wanted = run.last >= whole->window.from && run.first < whole->window.to;
        if (wanted && !smooth_run_of(whole, &all, run, longest, e))
            return false;
        i = run.last;
        next = run.last + 1;
    }
    scatter(whole, NULL, next, all.n);
    return true;
}

/* Makes room for the window. */
static bool reserve(struct whole *whole, struct error *e)
{
    if (whole->window.n <= whole->maxsample)
        return true;
    zero_phase_free(whole->phase);
    free(whole->sample);
    whole->maxsample = isinf(whole->period) ? whole->window.n : 2 * whole->window.n;
    whole->sample = NULL;
    whole->phase = zero_phase_make(whole->own->filter, whole->maxsample, whole->width, e);
    return whole->phase && arrays_make(e, ARRAY(whole->sample, whole->maxsample * whole->width));
}

/* Sets sampled, begun and number. */
static void count_rows(const struct whole *whole)
{
    memcpy(whole->sampled, whole->T, whole->rows * sizeof *whole->sampled);
    for (size_t i = 0; i < whole->rows; i++) {
        whole->begun[i] = -INFINITY;
        whole->number[i] = (double)i;
    }
    for (size_t c = 0; c < whole->n; c++) {
        struct smooth_window_channel channel = { .last = whole->time[0] };
        for (size_t i = 0; i < whole->rows; i++)
            smooth_window_take(&channel, whole->period, whole->time[i], !isnan(whole->goal[i * whole->n + c]),
                               &whole->sampled[i], &whole->begun[i]);
    }
    smooth_window_add_up(whole->sampled, whole->begun, 0, whole->rows);
}

/* Smooths all channels, window by window. */
static bool smooth_windows(struct whole *whole, struct error *e)
{
    bool good = true;
    for (size_t given = 0; good && given < whole->rows;) {
        const struct smooth_window_rows rows = { whole->rows - whole->first, whole->time + whole->first,
                                                 whole->sampled + whole->first, whole->begun + whole->first,
                                                 whole->number + whole->first };
        size_t from = given - whole->first;
        if (!smooth_window_next(whole->period, &rows, from, &whole->window))
            whole->window = (struct smooth_window){ from, rows.n, rows.n, true };
        good = reserve(whole, e);
        for (whole->c = 0; whole->c < whole->n && good; whole->c++)
            good = smooth_channel(whole, e);
        given = whole->first + whole->window.to;
        whole->first += smooth_window_keep(whole->period, &rows, whole->window.to);
    }
    return good;
}

static bool check_times(const struct whole *whole, struct error *e)
{
    for (size_t i = 1; i < whole->rows; i++)
        if (!(whole->time[i] - whole->time[i - 1] > 0 && whole->time[i] <= DBL_MAX))
            return error_data(e, "the time of row %zu is not later than the time before", i);
    for (size_t i = 0; i < whole->rows * whole->n * whole->width; i++)
        if (fabs(whole->goal[i]) > DBL_MAX)
            return error_data(e, "a value of row %zu is infinite", i / (whole->n * whole->width));
    return true;
}

static bool smooth_all(struct whole *whole, struct error *e)
{
    bool entire = whole->width == SAMPLE_ROTATION || filter_automatic(whole->own->settings);
    if (!check_times(whole, e) ||
        !arrays_make(e, ARRAY(whole->T, whole->rows), ARRAY(whole->sampled, whole->rows),
                     ARRAY(whole->begun, whole->rows), ARRAY(whole->number, whole->rows),
                     ARRAY(whole->usual, whole->n)))
        return false;
    for (size_t i = 1; i < whole->rows; i++)
        whole->T[i] = whole->time[i] - whole->time[i - 1];
    whole->period = entire ? INFINITY : smoothing_period(whole->own->settings);
    if (!entire)
        count_rows(whole);
    bool good = smooth_windows(whole, e);
    zero_phase_free(whole->phase);
    free(whole->sample);
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
