/* Filters that take rows as they come: opening, rows, predictions and responses. See sprung.h. */
#include "base/array.h"
#include "library/array_core.h"
#include "series/filter_pass.h"
#include "springs/frequency_response.h"
#include "sprung.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

enum { NUMBERS_AT_ONCE = 4096, MOST_ROWS = 256 };

struct sprung {
    struct array_core arrays;
};

static int open_filter(sprung **to, struct array_config *config, char *message, size_t size)
{
    struct error e;
    sprung *filter = calloc(1, sizeof *filter);
    const size_t most = config->n > 0 ? NUMBERS_AT_ONCE / config->n : 0;
    config->rows = most < 1 ? 1 : most;
    config->rows = config->rows < MOST_ROWS ? config->rows : MOST_ROWS;
    *to = filter;
    bool good = filter || error_memory(&e);
    if (good && array_core_open(&filter->arrays, config, &e))
        return SPRUNG_OK;
    sprung_close(filter);
    *to = NULL;
    return settings_fail(&e, message, size);
}

int sprung_open(sprung **filter, const char *name, const char *settings, size_t n, char *message, size_t size)
{
    struct array_config config = { name, settings, LIBRARY_ROWS, n, 0, false };
    return open_filter(filter, &config, message, size);
}

int sprung_open_rotations(sprung **filter, const char *name, const char *settings, size_t n, char *message,
                          size_t size)
{
    struct array_config config = { name, settings, LIBRARY_ROWS, n, 0, true };
    return open_filter(filter, &config, message, size);
}

void sprung_close(sprung *filter)
{
    if (!filter)
        return;
    array_core_close(&filter->arrays);
    free(filter);
}

int sprung_set(sprung *filter, const char *settings, char *message, size_t size)
{
    struct library_filter *own = &filter->arrays.filter, new;
    struct filter_pass *pass = filter->arrays.core.filter_pass;
    struct error e;
    if (!settings_read(&new, own->filter->name, settings, LIBRARY_ROWS, &e))
        return settings_fail(&e, message, size);
    const struct shape shape = filter_shape(new.filter, new.settings);
    if (shape.nstate != pass->shape.nstate || shape.nout != pass->shape.nout) {
        settings_free(&new);
        error_usage(&e, "sprung_set cannot change the number of values in a list: call sprung_open again");
        return settings_fail(&e, message, size);
    }
    settings_free(own);
    *own = new;
    filter->arrays.core.settings = pass->coefficients.settings = new.settings;
    coefficients_forget(&pass->coefficients);
    return SPRUNG_OK;
}

void sprung_reset(sprung *filter)
{
    array_core_reset(&filter->arrays);
}

/* --- rows --- */

/* Are all steps 0 or more and finite, and is no goal infinite? */
static bool check_rows(const struct array_core *arrays, const struct array_rows *rows)
{
    const size_t n = rows->n * arrays->n;
    bool good = true;
    for (size_t i = arrays->series.n > 0 ? 0 : 1; i < rows->n; i++)
        good = good && rows->step[i] >= 0 && rows->step[i] <= DBL_MAX;
    for (size_t i = 0; i < n; i++)
        good = good && !(fabs(rows->goal[i]) > DBL_MAX);
    return good;
}

int sprung_process(sprung *filter, size_t rows, const double *step, const double *goal,
                   const unsigned char *cut, double *value, double *velocity, double *acceleration)
{
    const struct array_rows all = {
        .n = rows,
        .step = step,
        .goal = goal,
        .cut = filter->arrays.filter.filter->cuts ? cut : NULL,
        .result = { value, velocity, acceleration },
    };
    if (!check_rows(&filter->arrays, &all))
        return SPRUNG_BAD_DATA;
    array_core_take(&filter->arrays, &all);
    return SPRUNG_OK;
}

/* --- states --- */

int sprung_start(sprung *filter, const double *position, const double *velocity)
{
    const struct array_core *arrays = &filter->arrays;
    const size_t rates = arrays->rotations ? 3 * arrays->units.n : arrays->n;
    if (!array_is_finite(position, arrays->n) || (velocity && !array_is_finite(velocity, rates)))
        return SPRUNG_BAD_DATA;
    array_core_start(&filter->arrays, position, velocity);
    return SPRUNG_OK;
}

/* The state is restored, so that the filter stays as it was. */
int sprung_predict(const sprung *filter, double seconds, double *value, double *velocity)
{
    if (!(seconds > 0 && seconds <= DBL_MAX))
        return SPRUNG_BAD_DATA;
    array_core_predict((struct array_core *)&filter->arrays, seconds, value, velocity);
    return SPRUNG_OK;
}

/* --- responses --- */

/* The gain of the continuous equation: ((s + i w feed d) / (s - w^2 + i w d)) ^ count. */
static double _Complex continuous_gain(struct continuous q, double w)
{
    double _Complex once = (q.s + I * w * q.feed * q.d) / (q.s - w * w + I * w * q.d);
    double _Complex gain = once;
    for (int i = 1; i < q.count; i++)
        gain *= once;
    return gain;
}

int sprung_response(const sprung *filter, double hertz, double step, double *gain, double *phase)
{
    const struct filter_common *common = filter->arrays.filter.settings;
    double _Complex z;
    if (!(hertz >= 0 && step >= 0 && hertz * step <= 0.5))
        return SPRUNG_BAD_DATA;
    if (!filter_is_linear(filter->arrays.filter.settings))
        return SPRUNG_BAD_SETTINGS;
    if (step > 0) {
        struct frequency_response recurrence;
        frequency_response_make(&recurrence, filter->arrays.filter.filter, filter->arrays.filter.settings,
                                step);
        z = frequency_response_at(&recurrence, hertz);
    } else if (common->equation.count > 0) {
        z = continuous_gain(common->equation, 2 * M_PI * hertz);
    } else {
        return SPRUNG_BAD_SETTINGS;
    }
    if (gain)
        *gain = cabs(z);
    if (phase)
        *phase = carg(z) * 180 / M_PI;
    return SPRUNG_OK;
}

const char *sprung_version(void)
{
    return SPRUNG_VERSION;
}
