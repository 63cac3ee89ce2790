/* Opening filters, rows in and out, predictions and responses. See sprung.h and stream.h. */
#include "library/stream.h"

#include "base/array.h"
#include "springs/filter_words.h"
#include "springs/frequency_response.h"
#include "sprung.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

enum { NUMBERS_AT_ONCE = 4096, MOST_ROWS = 256 };

/* --- memory --- */

static bool make_arrays(struct sprung *stream, struct error *e)
{
    size_t n = stream->n, nrotation = stream->rotations ? n : 0, nnumber = n - nrotation;
    size_t nout = nnumber * stream->shape.nout, most = stream->most;
    size_t nprinted = stream->rotations ? 4 * n : nout;
    return arrays_make(
        e, ARRAY(stream->gaps, n), ARRAY(stream->step, most * stream->shape.nstep),
        ARRAY(stream->last_step, stream->shape.nstep), ARRAY(stream->own_T, most + 1),
        ARRAY(stream->state, nnumber * stream->shape.nstate), ARRAY(stream->last, nnumber + 4 * nrotation),
        ARRAY(stream->printed, nprinted), ARRAY(stream->goal, nnumber * (most + 1)),
        ARRAY(stream->out, nout * most), ARRAY(stream->ahead.step, stream->shape.nstep),
        ARRAY(stream->ahead.state, stream->shape.nstate), ARRAY(stream->ahead.out, stream->shape.nout),
        ARRAY(stream->ahead.out_at, stream->shape.nout), ARRAY(stream->flags, nnumber * most),
        ARRAY(stream->goal_at, nnumber), ARRAY(stream->flags_at, nnumber), ARRAY(stream->out_at, nout),
        ARRAY(stream->rotation, nrotation), ARRAY(stream->result, nrotation),
        ARRAY(stream->read, 4 * nrotation));
}

/* Output number of a derivative; shape.nout: the filter has no such output. */
static size_t output_of(const struct sprung *stream, int derivative)
{
    for (size_t o = 0; o < stream->shape.nout && o < FILTER_MAXOUT; o++)
        if (filter_output(stream->own.filter, stream->own.settings, o).derivative == derivative)
            return o;
    return stream->shape.nout;
}

static bool check_rotations(const struct filter *filter, struct error *e)
{
    return filter->rotations || error_usage(e, "%s cannot filter rotations", filter->name);
}

static int open_stream(sprung **to, const char *name, const char *settings, size_t n, bool rotations,
                       char *message, size_t size)
{
    struct error e;
    struct sprung *stream = calloc(1, sizeof *stream);
    *to = NULL;
    bool good = stream || error_memory(&e);
    good = good && (n > 0 || error_usage(&e, "a filter needs at least one channel"));
    good = good && settings_read(&stream->own, name, settings, LIBRARY_ROWS, &e);
    good = good && (!rotations || check_rotations(stream->own.filter, &e));
    if (good) {
        stream->n = n;
        stream->rotations = rotations;
        stream->shape = filter_shape(stream->own.filter, stream->own.settings);
        stream->most = n >= NUMBERS_AT_ONCE ? 1 : NUMBERS_AT_ONCE / n;
        stream->most = stream->most < MOST_ROWS ? stream->most : MOST_ROWS;
        for (int derivative = 0; derivative < 3; derivative++)
            stream->output[derivative] = output_of(stream, derivative);
        good = make_arrays(stream, &e);
    }
    if (!good) {
        sprung_close(stream);
        return settings_fail(&e, message, size);
    }
    *to = stream;
    return SPRUNG_OK;
}

int sprung_open(sprung **filter, const char *name, const char *settings, size_t n, char *message, size_t size)
{
    return open_stream(filter, name, settings, n, false, message, size);
}

int sprung_open_rotations(sprung **filter, const char *name, const char *settings, size_t n, char *message,
                          size_t size)
{
    return open_stream(filter, name, settings, n, true, message, size);
}

void sprung_close(sprung *filter)
{
    if (!filter)
        return;
    settings_free(&filter->own);
    free(filter->gaps);
    free(filter);
}

int sprung_set(sprung *filter, const char *settings, char *message, size_t size)
{
    struct library_filter new;
    struct error e;
    if (!settings_read(&new, filter->own.filter->name, settings, LIBRARY_ROWS, &e))
        return settings_fail(&e, message, size);
    struct shape shape = filter_shape(new.filter, new.settings);
    if (shape.nstate != filter->shape.nstate || shape.nout != filter->shape.nout) {
        settings_free(&new);
        error_usage(&e, "sprung_set cannot change the number of values in a list: call sprung_open again");
        return settings_fail(&e, message, size);
    }
    settings_free(&filter->own);
    filter->own = new;
    filter->T = 0;
    return SPRUNG_OK;
}

/* --- state --- */

void sprung_reset(sprung *filter)
{
    memset(filter->gaps, 0, filter->n * sizeof *filter->gaps);
    for (size_t k = 0; k < 4 * filter->n && filter->rotations; k++)
        filter->read[k] = 0;
    filter->begun = filter->quiet = filter->unprinted = false;
}

static void start_number(struct sprung *stream, size_t c, double position, double velocity)
{
    const struct filter *filter = stream->own.filter;
    const struct first_row first = { .goal = position, .x = position, .velocity = velocity, .moving = true };
    filter->start(stream->own.settings, &first, stream->state + c * stream->shape.nstate,
                  stream->printed + c * stream->shape.nout);
    stream->last[c] = position;
}

/* The filter says which doubles of the state hold the velocity of the output. */
static void start_rotation(struct sprung *stream, size_t c, const double position[4], const double *velocity)
{
    const struct filter *filter = stream->own.filter;
    struct rotation_filter rotation_filter = stream_rotation_filter(stream);
    const double T[2] = { 0 };
    struct rotation_row first = { .T = T, .step = stream->last_step, .flags = FLAG_START | FLAG_NO_NEXT };
    double *state = stream->rotation[c].state;
    memcpy(first.goal, position, sizeof first.goal);
    memcpy(stream->read + 4 * c, position, sizeof first.goal);
    memcpy(stream->last + 4 * c, position, sizeof first.goal);
    rotation_unit(first.goal);
    rotation_step(&rotation_filter, &stream->rotation[c], &first, &stream->result[c]);
    for (size_t k = 0; k < 3 && velocity; k++)
        for (size_t i = 0; i < filter->shape.nstate; i++)
            if (filter->rotations[i] == 'v')
                state[k * filter->shape.nstate + i] = velocity[k];
    for (size_t k = 0; k < 3 && velocity; k++)
        stream->result[c].velocity[k] = stream->rotation[c].velocity[k] = velocity[k];
}

int sprung_start(sprung *filter, const double *position, const double *velocity)
{
    size_t width = filter->rotations ? 4 : 1;
    size_t rates = filter->rotations ? 3 : 1;
    if (!array_is_finite(position, width * filter->n) ||
        (velocity && !array_is_finite(velocity, rates * filter->n)))
        return SPRUNG_BAD_DATA;
    sprung_reset(filter);
    for (size_t c = 0; c < filter->n; c++) {
        if (filter->rotations)
            start_rotation(filter, c, position + 4 * c, velocity ? velocity + 3 * c : NULL);
        else
            start_number(filter, c, position[c], velocity ? velocity[c] : 0);
        filter->gaps[c].running = true;
    }
    filter->begun = true;
    return SPRUNG_OK;
}

/* --- rows --- */

bool stream_is_same_time(const struct sprung *stream, const struct stream_rows *rows, size_t row)
{
    return stream->begun && rows->step[row] == 0;
}

bool stream_is_cut(const struct sprung *stream, const struct stream_rows *rows, size_t row)
{
    return stream->own.filter->cuts && rows->cut && rows->cut[row];
}

const double *stream_coefficients(struct sprung *stream, double T)
{
    if (T != stream->T)
        stream->own.filter->step(stream->own.settings, T, stream->last_step);
    stream->T = T;
    return stream->last_step;
}

/* Are all steps 0 or more and finite, and is no goal infinite? *known: no goal is missing. */
static bool check_rows(const struct sprung *stream, size_t rows, const double *step, const double *goal,
                       bool *known)
{
    size_t n = rows * stream->n * (stream->rotations ? 4 : 1);
    bool good = true;
    for (size_t i = stream->begun ? 0 : 1; i < rows; i++)
        good = good && step[i] >= 0 && step[i] <= DBL_MAX;
    *known = array_is_finite(goal, n);
    for (size_t i = 0; i < n && !*known; i++)
        good = good && !(fabs(goal[i]) > DBL_MAX);
    return good;
}

int sprung_process(sprung *filter, size_t rows, const double *step, const double *goal,
                   const unsigned char *cut, double *value, double *velocity, double *acceleration)
{
    size_t width = filter->n * (filter->rotations ? 4 : 1);
    size_t rates = filter->n * (filter->rotations ? 3 : 1);
    bool known;
    if (!check_rows(filter, rows, step, goal, &known))
        return SPRUNG_BAD_DATA;
    for (size_t first = 0, n; first < rows; first += n) {
        n = rows - first < filter->most ? rows - first : filter->most;
        struct stream_rows part = {
            .n = n,
            .step = step + first,
            .goal = goal + first * width,
            .cut = cut ? cut + first : NULL,
            .value = value + first * width,
            .known = known,
        };
        if (velocity)
            part.velocity = velocity + first * rates;
        if (acceleration)
            part.acceleration = acceleration + first * rates;
        bool next = first + n < rows;
        if (filter->rotations)
            stream_filter_rotations(filter, &part, next);
        else
            stream_filter_numbers(filter, &part, next);
    }
    return SPRUNG_OK;
}

/* --- predictions --- */

static void predict_number(const struct sprung *stream, size_t c, double seconds, double *value,
                           double *velocity)
{
    const struct stream_ahead *ahead = &stream->ahead;
    const double *goal = &stream->last[c], T[2] = { seconds, seconds };
    size_t nstate = stream->shape.nstate, v = stream->output[1];
    memcpy(ahead->state, stream->state + c * nstate, nstate * sizeof *ahead->state);
    for (size_t o = 0; o < stream->shape.nout; o++)
        ahead->out_at[o] = ahead->out + o;
    const unsigned char flag = FLAG_NO_NEXT, *flags = &flag;
    const struct run run = {
        .settings = stream->own.settings,
        .shape = &stream->shape,
        .nrow = 1,
        .nchannel = 1,
        .T = T,
        .step = ahead->step,
        .goal = &goal,
        .flags = &flags,
        .out = ahead->out_at,
        .state = ahead->state,
        .ahead = stream->own.filter->ahead,
    };
    stream->own.filter->run(&run);
    value[c] = ahead->out[0];
    if (velocity)
        velocity[c] = v < stream->shape.nout ? ahead->out[v] : (double)NAN;
}

static void predict_rotation(const struct sprung *stream, size_t c, double seconds, double *value,
                             double *velocity)
{
    const struct rotation_filter rotation_filter = stream_rotation_filter(stream);
    struct rotation_result later = { 0 };
    rotation_predict(&rotation_filter, &stream->rotation[c], seconds, stream->ahead.step, &later);
    memcpy(value + 4 * c, later.x, sizeof later.x);
    if (velocity)
        memcpy(velocity + 3 * c, later.velocity, sizeof later.velocity);
}

int sprung_predict(const sprung *filter, double seconds, double *value, double *velocity)
{
    size_t width = filter->rotations ? 4 : 1;
    size_t rates = filter->rotations ? 3 : 1;
    if (!(seconds > 0 && seconds <= DBL_MAX))
        return SPRUNG_BAD_DATA;
    filter->own.filter->step(filter->own.settings, seconds, filter->ahead.step);
    for (size_t c = 0; c < filter->n; c++) {
        if (filter->gaps[c].running && filter->rotations)
            predict_rotation(filter, c, seconds, value, velocity);
        else if (filter->gaps[c].running)
            predict_number(filter, c, seconds, value, velocity);
        for (size_t k = 0; k < width && !filter->gaps[c].running; k++)
            value[width * c + k] = (double)NAN;
        for (size_t k = 0; k < rates && velocity && !filter->gaps[c].running; k++)
            velocity[rates * c + k] = (double)NAN;
    }
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
    const struct filter_common *common = filter->own.settings;
    double _Complex z;
    if (!(hertz >= 0 && step >= 0 && hertz * step <= 0.5))
        return SPRUNG_BAD_DATA;
    if (!filter_is_linear(filter->own.settings))
        return SPRUNG_BAD_SETTINGS;
    if (step > 0) {
        struct frequency_response recurrence;
        frequency_response_make(&recurrence, filter->own.filter, filter->own.settings, step);
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
