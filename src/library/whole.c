/* Whole series: zero phase, spikes and jumps. See sprung.h. */
#include "base/array.h"
#include "library/settings.h"
#include "springs/cutoff.h"
#include "springs/filter_words.h"
#include "springs/rotations/rotation.h"
#include "sprung.h"
#include "whole/choose_cutoff.h"
#include "whole/jumps.h"
#include "whole/noise/spikes.h"
#include "whole/sample_loop.h"
#include "whole/sample_runs.h"
#include "whole/stretches.h"

#include <stdint.h>
#include <stdlib.h>

/* The series of a call. */
struct whole {
    const struct filter_common *settings;
    size_t rows, n, width; /* width: numbers of a sample, 1 or 4 */
    const double *time, *goal;
    double *to[3];          /* value, velocity, acceleration; NULL: not wanted */
    double *T, *counted;    /* [rows] steps; the time that counts for stretches. Owned, with sample and run */
    double *sample;         /* [rows * width] of the channel under way */
    struct sample_run *run; /* [rows] */
    struct smoothing smoothing;
    size_t c; /* the channel under way */
};

/* --- samples --- */

/* The numbers of the channel in a row. */
static const double *given(const struct whole *whole, size_t row)
{
    return whole->goal + (row * whole->n + whole->c) * whole->width;
}

/* Gathers the samples of the channel. */
static void gather(struct whole *whole)
{
    double last[4] = { 0 };
    for (size_t i = 0; i < whole->rows; i++) {
        double *to = whole->sample + i * whole->width;
        memcpy(to, given(whole, i), whole->width * sizeof *to);
        if (whole->width == SAMPLE_ROTATION && (!rotation_read(last, to) || !rotation_unit(to)))
            to[0] = (double)NAN; /* missing */
    }
}

/* The samples from `begin` to end - 1. */
static struct samples samples_from(const struct whole *whole, size_t begin, size_t end)
{
    return (struct samples){ .n = end - begin,
                             .width = whole->width,
                             .T = whole->T + begin,
                             .value = whole->sample + begin * whole->width };
}

/* Divides samples into runs. longest: seconds; a longer gap ends a run. Returns their number. */
static size_t find_runs(struct whole *whole, const struct samples *samples, double longest)
{
    const struct run_ends ends = { .gaps = settings_gaps(), .longest = longest };
    return sample_runs_find(samples, &ends, whole->run);
}

/* --- results --- */

/* Numbers of a result. */
static size_t result_width(const struct whole *whole, unsigned derivative)
{
    return derivative > 0 && whole->width == SAMPLE_ROTATION ? 3 : whole->width;
}

/* Where a result of the channel in a row goes. */
static double *result_at(const struct whole *whole, unsigned derivative, size_t row)
{
    return whole->to[derivative] + (row * whole->n + whole->c) * result_width(whole, derivative);
}

/* The result of the smoothing at one of its samples. */
static const double *smoothed(const struct whole *whole, unsigned derivative, size_t sample)
{
    const struct smoothing *smoothing = &whole->smoothing;
    const double *of[] = { smoothing->curve.x, smoothing->curve.velocity, smoothing->curve.bend };
    if (derivative == 0 && whole->width == SAMPLE_ROTATION)
        of[0] = smoothing->rotation;
    return of[derivative] + sample * result_width(whole, derivative);
}

static void put_rotation(const struct whole *whole, size_t row, const double *from)
{
    double x[4], read[4];
    memcpy(x, from, sizeof x);
    memcpy(read, given(whole, row), sizeof read);
    rotation_follow(read, x);
    rotation_print(read, x, memcmp(x, whole->sample + 4 * row, sizeof x) == 0, result_at(whole, 0, row));
}

/* Puts the results of known samples into the rows from first to end - 1. The first is sample `from` of the
 * smoothing. False: a number is too large. */
static bool put_rows(const struct whole *whole, size_t first, size_t end, size_t from, struct error *e)
{
    bool good = true;
    for (unsigned derivative = 0; derivative < 3; derivative++)
        for (size_t row = first; row < end && whole->to[derivative]; row++) {
            const size_t width = result_width(whole, derivative);
            const double *x = smoothed(whole, derivative, from + row - first);
            if (isnan(whole->sample[row * whole->width]))
                continue;
            good = good && array_is_finite(x, width);
            if (derivative == 0 && whole->width == SAMPLE_ROTATION)
                put_rotation(whole, row, x);
            else
                memcpy(result_at(whole, derivative, row), x, width * sizeof *x);
        }
    return good || filter_too_large(e);
}

/* Makes the results of all rows missing. */
static void clear_results(const struct whole *whole)
{
    for (unsigned derivative = 0; derivative < 3; derivative++)
        for (size_t row = 0; row < whole->rows && whole->to[derivative]; row++)
            for (size_t k = 0; k < result_width(whole, derivative); k++)
                result_at(whole, derivative, row)[k] = (double)NAN;
}

/* --- smoothing --- */

static bool wants_rates(const struct whole *whole)
{
    return whole->to[1] || whole->to[2];
}

/* Chooses the cutoff of the channel. */
static bool find_cutoff(struct whole *whole, double *cutoff, struct error *e)
{
    const struct samples all = samples_from(whole, 0, whole->rows);
    struct cutoff_choice choice;
    *cutoff = whole->settings->cutoff;
    if (!filter_automatic(whole->settings))
        return true;
    const size_t nrun = find_runs(whole, &all, INFINITY);
    if (!choose_cutoff(&whole->smoothing, &all, whole->run, nrun, &choice, e))
        return false;
    *cutoff = choice.cutoff;
    return true;
}

static bool smooth_loop(struct whole *whole, double cutoff, struct error *e)
{
    const struct samples all = samples_from(whole, 0, whole->rows);
    size_t first;
    return find_runs(whole, &all, INFINITY) == 0 ||
           (sample_loop_smooth(&whole->smoothing, &all, 0, cutoff, wants_rates(whole), &first, e) &&
            put_rows(whole, 0, whole->rows, first, e));
}

static bool smooth_stretch(struct whole *whole, struct stretch stretch, double cutoff, struct error *e)
{
    const struct samples all = samples_from(whole, stretch.begin, stretch.end);
    const size_t nrun = find_runs(whole, &all, isinf(cutoff) ? INFINITY : SMOOTHING_LONGEST_GAP / cutoff);
    for (size_t i = 0; i < nrun; i++) {
        const struct sample_run run = whole->run[i];
        const size_t begin = stretch.begin + run.first, end = stretch.begin + run.last + 1;
        const size_t first = begin > stretch.from ? begin : stretch.from;
        const size_t last = end < stretch.to ? end : stretch.to;
        const struct smoothing_wish wish = { wants_rates(whole), stretch.begin == 0 || run.first > 0,
                                             stretch.to == stretch.end || run.last + 1 < all.n };
        const struct samples samples = samples_of_run(&all, run);
        if (first >= last)
            continue;
        if (!smoothing_run(&whole->smoothing, &samples, cutoff, wish, e) ||
            !put_rows(whole, first, last, first - begin, e))
            return false;
    }
    return true;
}

static bool smooth_channel(struct whole *whole, struct error *e)
{
    double cutoff;
    gather(whole);
    clear_results(whole);
    if (!find_cutoff(whole, &cutoff, e))
        return false;
    if (whole->settings->loop)
        return smooth_loop(whole, cutoff, e);
    struct stretch_reach reach = { .seconds = stretch_seconds(cutoff) };
    if (whole->width == SAMPLE_ROTATION || filter_automatic(whole->settings))
        reach.seconds = INFINITY;
    struct stretch stretch;
    for (size_t from = 0; from < whole->rows; from = stretch.to) {
        stretch_find(whole->counted, whole->rows, true, from, reach, &stretch);
        if (!smooth_stretch(whole, stretch, cutoff, e))
            return false;
    }
    return true;
}

/* Refuses a cutoff that the first rows do not show. */
static bool check_cutoff(const struct whole *whole, struct error *e)
{
    enum { STEPS = 4096 };
    double step[STEPS];
    const size_t n = whole->rows - 1 < STEPS ? whole->rows - 1 : STEPS;
    if (n == 0 || filter_automatic(whole->settings))
        return true;
    memcpy(step, whole->T + 1, n * sizeof *step);
    const double rate = smoothing_row_rate(step, n), most = SMOOTHING_MOST_OF_RATE * rate;
    if (whole->settings->cutoff <= most * (1 + SMOOTHING_RATE_ROUNDED))
        return true;
    error_usage(e, "--cutoff %g is too high for these rows: the maximum is %.4g Hz, %g times the row rate",
                whole->settings->cutoff, most, SMOOTHING_MOST_OF_RATE);
    return error_hint(e, "try --cutoff %.4g", cutoff_example(rate));
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
    struct stretch_time time = { .n = 0 };
    if (!check_times(whole, e) ||
        !arrays_make(e, ARRAY(whole->T, whole->rows), ARRAY(whole->counted, whole->rows),
                     ARRAY(whole->sample, whole->rows * whole->width), ARRAY(whole->run, whole->rows)))
        return false;
    for (size_t i = 1; i < whole->rows; i++) {
        whole->T[i] = whole->time[i] - whole->time[i - 1];
        whole->counted[i] = stretch_time_take(&time, whole->T[i]);
    }
    bool good = check_cutoff(whole, e);
    for (; whole->c < whole->n && good; whole->c++)
        good = smooth_channel(whole, e);
    smoothing_free(&whole->smoothing);
    free(whole->T);
    return good;
}

static int smooth(const char *settings, struct whole *whole, char *message, size_t size)
{
    struct library_filter own;
    struct error e;
    if (!settings_read(&own, "butterworth", settings, LIBRARY_WHOLE, &e))
        return settings_fail(&e, message, size);
    whole->settings = own.settings;
    const bool good = whole->rows == 0 || smooth_all(whole, &e);
    settings_free(&own);
    return good ? SPRUNG_OK : settings_fail(&e, message, size);
}

int sprung_smooth(const char *settings, size_t rows, size_t n, const double *time, const double *goal,
                  double *value, double *velocity, double *acceleration, char *message, size_t size)
{
    struct whole whole = { .rows = rows,
                           .n = n,
                           .width = SAMPLE_NUMBER,
                           .time = time,
                           .goal = goal,
                           .to = { value, velocity, acceleration } };
    return smooth(settings, &whole, message, size);
}

int sprung_smooth_rotations(const char *settings, size_t rows, size_t n, const double *time,
                            const double *goal, double *value, double *velocity, double *acceleration,
                            char *message, size_t size)
{
    struct whole whole = { .rows = rows,
                           .n = n,
                           .width = SAMPLE_ROTATION,
                           .time = time,
                           .goal = goal,
                           .to = { value, velocity, acceleration } };
    return smooth(settings, &whole, message, size);
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
