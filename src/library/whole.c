/* Whole series: zero phase, spikes and jumps. See sprung.h. */
#include "base/array.h"
#include "library/stream.h"
#include "whole/jumps.h"
#include "whole/noise/spikes.h"

#include <stdlib.h>

/* --- zero phase --- */

/* Sets the steps of rows whose times rise, and checks their values, `width` a row. */
static bool find_steps(const struct stream_rows *rows, size_t width, double *step, struct error *e)
{
    for (size_t i = 1; i < rows->n; i++) {
        step[i] = rows->time[i] - rows->time[i - 1];
        if (!(step[i] > 0 && rows->time[i] <= DBL_MAX))
            return error_data(e, "the time of row %zu is not later than the time before", i);
    }
    for (size_t i = 0; i < rows->n * width; i++)
        if (fabs(rows->goal[i]) > DBL_MAX)
            return error_data(e, "a value of row %zu is infinite", i / width);
    return true;
}

/* Smooths n channels, or rotations. */
static int smooth(const char *settings, struct stream_rows *rows, size_t n, bool rotations, char *message,
                  size_t size)
{
    const struct stream_config config = {
        .filter = "butterworth",
        .settings = settings,
        .n = n,
        .rows = rows->n,
        .rotations = rotations,
        .whole = true,
        .derivatives = rows->result[1] || rows->result[2] ? 2 : 0,
    };
    sprung stream = { .n = 0 };
    struct error e;
    double *step = NULL;
    bool good = stream_open(&stream, &config, &e);
    if (good && rows->n > 0) {
        good = arrays_make(&e, ARRAY(step, rows->n)) && find_steps(rows, stream.n, step, &e);
        rows->step = step;
        good = good && stream_take_all(&stream, rows, &e);
    }
    free(step);
    stream_close(&stream);
    return good ? SPRUNG_OK : settings_fail(&e, message, size);
}

int sprung_smooth(const char *settings, size_t rows, size_t n, const double *time, const double *goal,
                  double *value, double *velocity, double *acceleration, char *message, size_t size)
{
    struct stream_rows all = { rows, NULL, time, goal, NULL, { value, velocity, acceleration } };
    return smooth(settings, &all, n, false, message, size);
}

int sprung_smooth_rotations(const char *settings, size_t rows, size_t n, const double *time,
                            const double *goal, double *value, double *velocity, double *acceleration,
                            char *message, size_t size)
{
    struct stream_rows all = { rows, NULL, time, goal, NULL, { value, velocity, acceleration } };
    return smooth(settings, &all, n, true, message, size);
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
