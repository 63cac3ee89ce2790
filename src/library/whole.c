/* Whole series: zero phase, spikes and jumps. See sprung.h. */
#include "base/array.h"
#include "library/settings.h"
#include "springs/cutoff.h"
#include "springs/filter_words.h"
#include "springs/rotations/rotation.h"
#include "sprung.h"
#include "whole/choose_halflife.h"
#include "whole/jumps.h"
#include "whole/noise/spikes.h"
#include "whole/run_steps.h"
#include "whole/smooth_cutoff.h"
#include "whole/smooth_runs.h"

#include <stdint.h>
#include <stdlib.h>

/* The series of a call. */
struct whole {
    const struct library_filter *own;
    size_t rows, n, width; /* width: numbers of a sample, 1 or 4 */
    const double *time, *goal;
    double *to[3]; /* value, velocity, acceleration; NULL: not wanted */
    struct usual_step
        *usual;     /* [n] usual step of the last part of a channel; owned, with chosen and channel */
    double *chosen; /* [n] what auto chose for a channel */
    struct window_channel *channel; /* [n] */
    double period; /* seconds of a wave at the lowest cutoff; INFINITY: the whole series is needed */

    /* The window and the channel under way: its rows lie behind `first` rows. */
    size_t first;
    struct window_rows counted; /* rows from row `first` on; owned */
    struct smooth_window window;
    size_t c;
    double *sample;         /* [maxsample * width] owned, with run */
    struct sample_run *run; /* [nrun] */
    size_t nrun, maxsample;
    struct zero_phase *phase; /* room for maxsample; owned */
};

/* --- samples --- */

/* The numbers of the channel in a row of the window. */
static const double *given(const struct whole *whole, size_t row)
{
    return whole->goal + ((whole->first + row) * whole->n + whole->c) * whole->width;
}

static void copy_numbers(const struct whole *whole)
{
    const double *from = given(whole, 0);
    for (size_t i = 0; i < whole->window.n; i++)
        whole->sample[i] = from[i * whole->n];
}

static void copy_rotations(const struct whole *whole)
{
    double last[4] = { 0 };
    for (size_t i = 0; i < whole->window.n; i++) {
        double *to = whole->sample + 4 * i;
        memcpy(to, given(whole, i), sizeof last);
        if (!rotation_read(last, to) || !rotation_unit(to))
            to[0] = (double)NAN; /* missing */
    }
}

/* Gathers the samples of the channel, and divides them into runs. longest: seconds; a longer gap ends a run.
 */
static struct samples gather(struct whole *whole, double longest)
{
    const struct samples all = { .n = whole->window.n,
                                 .width = whole->width,
                                 .T = whole->counted.T,
                                 .value = whole->sample,
                                 .time = whole->time + whole->first };
    const struct run_ends ends = { .gaps = settings_gaps(), .longest = longest };
    if (whole->width == SAMPLE_NUMBER)
        copy_numbers(whole);
    else
        copy_rotations(whole);
    whole->nrun = smooth_runs_find(&all, &ends, whole->run);
    return all;
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
    return whole->phase && arrays_make(e, ARRAY(whole->sample, whole->maxsample * whole->width),
                                       ARRAY(whole->run, whole->maxsample));
}

/* --- results --- */

/* Where a result of the channel in a row of the window goes. width: its numbers. */
static double *result_at(const struct whole *whole, unsigned derivative, size_t row, size_t width)
{
    return whole->to[derivative] + ((whole->first + row) * whole->n + whole->c) * width;
}

/* Numbers of a result. */
static size_t result_width(const struct whole *whole, unsigned derivative)
{
    return derivative > 0 && whole->width == SAMPLE_ROTATION ? 3 : whole->width;
}

/* Puts results of a run into the rows from first to end - 1. False: a number is too large. */
static bool put_numbers(const struct whole *whole, unsigned derivative, size_t begin, size_t first,
                        size_t end, struct error *e)
{
    const double *x = zero_phase_numbers(whole->phase, derivative);
    double *to = result_at(whole, derivative, 0, 1);
    for (size_t i = first; i < end; i++)
        to[i * whole->n] = x[i - begin];
    return array_is_finite(x + (first - begin), end - first) || filter_too_large(e);
}

static void put_rotations(const struct whole *whole, unsigned derivative, size_t begin, size_t first,
                          size_t end)
{
    size_t width = result_width(whole, derivative);
    for (size_t i = first; i < end; i++) {
        double x[4], read[4], print[4];
        zero_phase_get(whole->phase, derivative, i - begin, x);
        memcpy(read, given(whole, i), sizeof read);
        rotation_follow(read, x);
        rotation_print(read, x, derivative == 0 && zero_phase_unchanged(whole->phase, i - begin), print);
        memcpy(result_at(whole, derivative, i, width), print, width * sizeof *print);
    }
}

/* Puts the results of a run into its wanted rows. */
static bool put_run(const struct whole *whole, struct sample_run run, struct error *e)
{
    bool good = true;
    size_t first = run.first > whole->window.from ? run.first : whole->window.from;
    size_t end = run.last < whole->window.to ? run.last + 1 : whole->window.to;
    for (unsigned derivative = 0; derivative < 3; derivative++) {
        if (derivative > 0 && (whole->to[1] || whole->to[2]))
            zero_phase_derive(whole->phase, derivative);
        if (whole->to[derivative] && whole->width == SAMPLE_NUMBER)
            good = good && put_numbers(whole, derivative, run.first, first, end, e);
        else if (whole->to[derivative])
            put_rotations(whole, derivative, run.first, first, end);
    }
    return good;
}

/* Leaves the channel as it is in the wanted rows. It has no derivatives. */
static void put_goals(const struct whole *whole)
{
    for (size_t i = whole->window.from; i < whole->window.to; i++)
        for (unsigned derivative = 0; derivative < 3; derivative++) {
            const size_t width = result_width(whole, derivative);
            for (size_t k = 0; k < width && whole->to[derivative]; k++)
                result_at(whole, derivative, i, width)[k] = derivative == 0 ? given(whole, i)[k]
                                                                            : (double)NAN;
        }
}

/* Puts gaps into the wanted rows without a sample. */
static void put_gaps(const struct whole *whole)
{
    for (size_t i = whole->window.from; i < whole->window.to; i++)
        for (unsigned derivative = 0; derivative < 3 && isnan(whole->sample[i * whole->width]); derivative++)
            for (size_t k = 0; k < result_width(whole, derivative) && whole->to[derivative]; k++)
                result_at(whole, derivative, i, result_width(whole, derivative))[k] = (double)NAN;
}

/* --- smoothing --- */

static bool smooth_channel(struct whole *whole, struct error *e)
{
    if (filter_automatic(whole->own->settings) && isnan(whole->chosen[whole->c])) {
        put_goals(whole);
        return true;
    }
    zero_phase_use(whole->phase, whole->own->settings, whole->chosen[whole->c]);
    double longest = SMOOTH_LONGEST_GAP * zero_phase_period(whole->phase);
    const struct smooth_unit unit = { .window = &whole->window,
                                      .all = gather(whole, longest),
                                      .first = whole->first == 0,
                                      .longest = longest,
                                      .values_only = !whole->to[1] && !whole->to[2],
                                      .usual = &whole->usual[whole->c] };
    for (size_t i = 0; i < whole->nrun; i++) {
        if (!smooth_runs_wanted(&whole->window, whole->run[i]))
            continue;
        if (!smooth_runs_smooth(whole->phase, &unit, whole->run[i], e) || !put_run(whole, whole->run[i], e))
            return false;
    }
    put_gaps(whole);
    return true;
}

/* Counts some more rows, or all where windows need all. */
static bool count_rows(struct whole *whole, struct error *e)
{
    enum { AT_ONCE = 4096 };
    struct window_rows *counted = &whole->counted;
    size_t first = whole->first + counted->n, left = whole->rows - first, stride = whole->n * whole->width;
    size_t n = isinf(whole->period) || left < AT_ONCE ? left : AT_ONCE;
    if (!window_rows_reserve(counted, n, e))
        return false;
    for (size_t i = first; i < first + n; i++) {
        counted->T[i - whole->first] = i > 0 ? whole->time[i] - whole->time[i - 1] : 0;
        counted->point[i - whole->first] = false;
    }
    window_rows_begin(counted, n);
    for (size_t c = 0; c < whole->n; c++)
        window_rows_count(counted, n, whole->period, &whole->channel[c],
                          whole->goal + first * stride + c * whole->width, stride);
    window_rows_end(counted, n);
    return true;
}

/* Reads samples of the channel, where all rows are counted. */
static struct choice_part read_part(void *closure, size_t first, size_t n)
{
    struct whole *whole = closure;
    whole->first = first;
    whole->window = (struct smooth_window){ 0, n, n, true };
    struct samples part = gather(whole, INFINITY);
    part.T += first;
    return (struct choice_part){ part, whole->run, whole->nrun };
}

/* Chooses the setting of every channel by all samples of the channel. A channel with too few samples gets
 * NaN, if another channel has enough. */
static bool choose(struct whole *whole, struct error *e)
{
    double period = 0, least = whole->period;
    bool few = false, filters = false;
    whole->period = INFINITY;
    whole->window = (struct smooth_window){ 0, whole->rows, whole->rows, true };
    if (!count_rows(whole, e) || !reserve(whole, e))
        return false;
    for (whole->c = 0; whole->c < whole->n; whole->c++) {
        const struct choice_series series = { whole->rows, whole->width, read_part, whole };
        struct choice choice;
        if (!choose_halflife(whole->phase, whole->own->settings, &series, &choice, e))
            return false;
        whole->chosen[whole->c] = choice.value;
        few |= isnan(choice.value);
        filters |= !isnan(choice.value) && !choice.empty;
        if (isnan(choice.value))
            continue;
        zero_phase_use(whole->phase, whole->own->settings, choice.value);
        period = fmax(period, zero_phase_period(whole->phase));
    }
    whole->first = 0;
    if (few && !filters)
        return choose_halflife_few(whole->n == 1 ? "this channel" : "every channel", e);
    if (isinf(least))
        return true;
    whole->period = period;
    memset(whole->channel, 0, whole->n * sizeof *whole->channel);
    window_rows_free(&whole->counted);
    whole->counted = (struct window_rows){ 0 };
    return true;
}

/* Refuses a cutoff that the rows of the first window do not show. */
static bool check_cutoff(const struct whole *whole, struct error *e)
{
    double *step = whole->sample;
    memcpy(step, whole->counted.T + 1, (whole->window.n - 1) * sizeof *step);
    double rate = run_steps_row_rate(step, whole->window.n - 1);
    return smoothing_check_cutoff(whole->own->settings, rate, e) ||
           error_hint(e, "try --cutoff %.4g", cutoff_example(rate));
}

/* Smooths all channels, window by window. */
static bool smooth_windows(struct whole *whole, struct error *e)
{
    bool good = true;
    struct window_rows *counted = &whole->counted;
    for (size_t from = 0; good && whole->first + from < whole->rows;) {
        bool there = smooth_window_next(whole->period, counted, from, &whole->window);
        if (!there && whole->first + counted->n < whole->rows) {
            good = count_rows(whole, e);
            continue;
        }
        if (!there)
            whole->window = (struct smooth_window){ from, counted->n, counted->n, true };
        good = reserve(whole, e) && (whole->first + from > 0 || check_cutoff(whole, e));
        for (whole->c = 0; whole->c < whole->n && good; whole->c++)
            good = smooth_channel(whole, e);
        size_t keep = smooth_window_keep(whole->period, counted, whole->window.to);
        window_rows_take_off(counted, keep);
        whole->first += keep;
        from = whole->window.to - keep;
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
    if (!check_times(whole, e) ||
        !arrays_make(e, ARRAY(whole->usual, whole->n), ARRAY(whole->chosen, whole->n),
                     ARRAY(whole->channel, whole->n)))
        return false;
    whole->period = whole->width == SAMPLE_ROTATION ? INFINITY : smoothing_period(whole->own->settings);
    bool good = (!filter_automatic(whole->own->settings) || choose(whole, e)) && smooth_windows(whole, e);
    zero_phase_free(whole->phase);
    window_rows_free(&whole->counted);
    free(whole->sample);
    free(whole->usual);
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
    const struct spike_kind kind = { .nnumber = 1 };
    const struct spike_rows series = { .n = rows, .time = time, .number = { value } };
    struct error e;
    size_t count = 0;
    if (rows > 0 && !spikes_find(K, &kind, &series, mark, &e))
        return SIZE_MAX;
    for (size_t i = 0; i < rows; i++) {
        mark[i] = mark[i] == SPIKE;
        count += mark[i];
    }
    return count;
}

size_t sprung_find_cuts(double K, size_t rows, const double *time, const double *value, unsigned char *mark)
{
    return jumps_find(K, rows, time, value, mark);
}
