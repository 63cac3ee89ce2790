/* Opening filters, their settings and responses. See sprung.h and stream.h. */
#include "library/stream.h"

#include "base/array.h"
#include "series/filter_pass.h"
#include "springs/filter_words.h"
#include "springs/frequency_response.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

enum { NUMBERS_AT_ONCE = 4096, MOST_ROWS = 256 };

/* --- opening --- */

/* Lists the channels and units of an input without names. */
static bool make_units(sprung *stream, struct error *e)
{
    const size_t components = stream->rotations ? 4 : 1, nunit = stream->n / components;
    struct units *units = &stream->units;
    if (!arrays_make(e, ARRAY(stream->count, stream->n), ARRAY(stream->reader.table.channel, stream->n),
                     ARRAY(units->at, nunit), ARRAY(units->of, stream->n)))
        return false;
    units->n = nunit;
    units->nrotation = stream->rotations ? nunit : 0;
    for (size_t i = 0; i < nunit; i++)
        units->at[i] = (struct unit){ .kind = stream->rotations ? &unit_quaternion : &unit_number,
                                      .n = components,
                                      .rotation = i };
    for (size_t c = 0; c < stream->n; c++) {
        units->of[c] = c / components;
        units->at[c / components].channel[c % components] = c;
    }
    stream->column.name = "";
    stream->reader.table.column = &stream->column;
    stream->reader.table.ncolumn = 1;
    stream->reader.table.nchannel = stream->n;
    stream->reader.source = &stream->source;
    return true;
}

static bool make_core(sprung *stream, const struct stream_config *wanted, struct error *e)
{
    stream->core = (struct core){
        .input = {
            .reader = &stream->reader,
            .table = &stream->reader.table,
            .settings = &stream->settings,
            .units = &stream->units,
        },
        .filter = stream->filter.filter,
        .settings = stream->filter.settings,
        .derivatives = { .computed = wanted->derivatives },
        .despike = (double)NAN,
        .detect = (double)NAN,
        .lookahead = (double)NAN,
        .zero_phase = wanted->whole,
        .count = stream->count,
    };
    return core_open(&stream->core, e);
}

/* Finds the numbers of the outputs: of several with the same derivative the first. */
static void find_outputs(sprung *stream)
{
    const struct wanted_outputs *wanted = &stream->core.wanted;
    const struct library_filter *of = &stream->filter;
    for (size_t derivative = 0; derivative < 3; derivative++)
        stream->output[derivative] = wanted->n;
    for (size_t k = wanted->n; k-- > 0;)
        stream->output[filter_output(of->filter, of->settings, wanted->output[k]).derivative] = k;
}

bool stream_open(sprung *stream, const struct stream_config *config, struct error *e)
{
    if (config->n == 0)
        return error_usage(e, "a filter needs at least one channel");
    if (!settings_read(&stream->filter, config->filter, config->settings, config->whole, e))
        return false;
    if (config->rotations && !stream->filter.filter->rotations)
        return error_usage(e, "%s cannot filter rotations", stream->filter.filter->name);
    if (config->n > SIZE_MAX / 4)
        return error_memory(e);
    stream->most = config->rows;
    stream->rotations = config->rotations;
    stream->n = config->rotations ? 4 * config->n : config->n;
    if (!make_units(stream, e) || !make_core(stream, config, e) ||
        !knots_reserve(&stream->core, &stream->series.knots, config->rows + 2, e) ||
        !arrays_make(e, ARRAY(stream->state, stream->core.nstate), ARRAY(stream->kept, stream->core.nstate),
                     ARRAY(stream->goal, stream->n)))
        return false;
    find_outputs(stream);
    sprung_reset(stream);
    return true;
}

void stream_close(sprung *stream)
{
    struct core *core = &stream->core;
    core_forget(core, stream->state);
    knots_free(&stream->series.knots);
    core_close(core);
    free(stream->state);
    free(stream->count);
    settings_free(&stream->filter);
}

static int open_filter(sprung **to, struct stream_config *config, char *message, size_t size)
{
    struct error e;
    sprung *filter = calloc(1, sizeof *filter);
    const size_t most = config->n > 0 ? NUMBERS_AT_ONCE / config->n : 0;
    config->rows = most < 1 ? 1 : most;
    config->rows = config->rows < MOST_ROWS ? config->rows : MOST_ROWS;
    *to = filter;
    bool good = filter || error_memory(&e);
    if (good && stream_open(filter, config, &e))
        return SPRUNG_OK;
    sprung_close(filter);
    *to = NULL;
    return settings_fail(&e, message, size);
}

int sprung_open(sprung **filter, const char *name, const char *settings, size_t n, char *message, size_t size)
{
    struct stream_config config = { name, settings, n, .derivatives = 2 };
    return open_filter(filter, &config, message, size);
}

int sprung_open_rotations(sprung **filter, const char *name, const char *settings, size_t n, char *message,
                          size_t size)
{
    struct stream_config config = { name, settings, n, .rotations = true, .derivatives = 2 };
    return open_filter(filter, &config, message, size);
}

void sprung_close(sprung *filter)
{
    if (!filter)
        return;
    stream_close(filter);
    free(filter);
}

int sprung_set(sprung *filter, const char *settings, char *message, size_t size)
{
    struct library_filter *own = &filter->filter, new;
    struct filter_pass *pass = filter->core.filter_pass;
    struct error e;
    if (!settings_read(&new, own->filter->name, settings, false, &e))
        return settings_fail(&e, message, size);
    const struct shape shape = filter_shape(new.filter, new.settings);
    if (shape.nstate != pass->shape.nstate || shape.nout != pass->shape.nout) {
        settings_free(&new);
        error_usage(&e, "sprung_set cannot change the number of values in a list: call sprung_open again");
        return settings_fail(&e, message, size);
    }
    settings_free(own);
    *own = new;
    filter->core.settings = pass->coefficients.settings = new.settings;
    coefficients_forget(&pass->coefficients);
    return SPRUNG_OK;
}

void sprung_reset(sprung *stream)
{
    struct knots *knots = &stream->series.knots;
    memset(stream->state, 0, stream->core.nstate);
    stream->series = (struct series){ .state = stream->state,
                                      .knots = stream->series.knots,
                                      .ref = &stream->ref };
    stream->ref = (struct ref){ .block = &stream->block, .n = SIZE_MAX };
    knots->n = 0;
    knots->first = 0;
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
    const struct filter_common *common = filter->filter.settings;
    double _Complex z;
    if (!(hertz >= 0 && step >= 0 && hertz * step <= 0.5))
        return SPRUNG_BAD_DATA;
    if (!filter_is_linear(filter->filter.settings))
        return SPRUNG_BAD_SETTINGS;
    if (step > 0) {
        struct frequency_response recurrence;
        frequency_response_make(&recurrence, filter->filter.filter, filter->filter.settings, step);
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
