/* Rows of arrays as knots, results as rows, and states. See stream.h. */
#include "base/array.h"
#include "library/stream.h"
#include "series/filter_pass.h"

#include <math.h>
#include <string.h>

/* --- rows to knots --- */

/* The part of the memory of the filter that begins at a place of filter_pass.h. */
static void *memory_at(sprung *stream, size_t place)
{
    return stream->state + stream->core.pass[0].place + place;
}

/* Runs the pass over the new knots. */
static void run(sprung *stream, bool end)
{
    const struct pass *pass = &stream->core.pass[0];
    struct series *series = &stream->series;
    series->grows = !end && !stream->core.waits && series_misses(&stream->core, series);
    pass->run(&stream->core, series, memory_at(stream, 0), series->n, end);
}

/* The cut before a row. */
static bool is_cut(const struct stream_rows *rows, size_t i)
{
    return rows->cut && rows->cut[i] != 0;
}

/* Lets go of the knots that the pass has taken, but for a last one that may still get a number. */
static void drop(sprung *stream)
{
    struct knots *knots = &stream->series.knots;
    const struct filter_series *memory = memory_at(stream, 0);
    const bool settled = memory->at == stream->series.n || stream->core.waits;
    const size_t last = knots->n - 1;
    for (size_t c = 0; c < stream->n && !settled; c++)
        knots_column(knots->x, c)[0] = knots_column(knots->x, c)[last];
    if (!settled) {
        knots->T[0] = knots->T[last];
        knots->cut[0] = knots->cut[last];
    }
    knots->n = settled ? 0 : 1;
    knots->first = stream->series.n - knots->n;
}

/* Adds the rows from `from` to end - 1, each at a new time. */
static void add_knots(sprung *stream, const struct stream_rows *rows, size_t from, size_t end)
{
    struct knots *knots = &stream->series.knots;
    struct series *series = &stream->series;
    for (size_t c = 0; c < stream->n; c++) {
        double *x = knots_column(knots->x, c) + knots->n;
        for (size_t i = 0; i < end - from; i++)
            x[i] = rows->goal[(from + i) * stream->n + c];
    }
    for (size_t i = from; i < end; i++, knots->n++, series->n++) {
        knots->T[knots->n] = series->n > 0 ? rows->step[i] : 0;
        knots->t[knots->n] = rows->time ? rows->time[i] - rows->time[0] : 0;
        knots->cut[knots->n] = is_cut(rows, i) || series->cut;
        series->cut = false;
    }
}

/* Is a component of a rotation, or a number, missing? */
static bool is_missing(const double *number, size_t n)
{
    bool missing = false;
    for (size_t k = 0; k < n; k++)
        missing = missing || isnan(number[k]);
    return missing;
}

/* Joins the units of a row, stream->goal, to the last knot. Returns whether the knot had missed one. */
static bool join_row(sprung *stream)
{
    const struct knots *knots = &stream->series.knots;
    bool brings = false;
    for (size_t i = 0; i < stream->units.n; i++) {
        const struct unit *unit = &stream->units.at[i];
        const double *row = stream->goal + unit->channel[0];
        if (!unit_misses(unit, knots->x, knots->n - 1) || is_missing(row, unit->n))
            continue;
        for (size_t k = 0; k < unit->n; k++)
            knots_column(knots->x, unit->channel[k])[knots->n - 1] = row[k];
        brings = true;
    }
    return brings;
}

/* --- results to rows --- */

/* Gives n rows, from `from` on, the results of the last n knots. own: the goals of a row that shares its
 * knot; what they miss is missing. NULL: the knots have no other rows. */
static void give(sprung *stream, const struct stream_rows *rows, size_t from, size_t n, const double *own)
{
    const struct knots *knots = &stream->series.knots;
    const size_t nwant = stream->core.wanted.n, components = stream->rotations ? 4 : 1, at = knots->n - n;
    for (int derivative = 0; derivative < 3; derivative++) {
        double *to = rows->result[derivative];
        if (!to)
            continue;
        /* Rotations have rates about the axes x, y and z: the results of these components. */
        const bool rates = stream->rotations && derivative > 0;
        const size_t output = stream->output[derivative], width = rates ? 3 * stream->units.n : stream->n;
        for (size_t k = 0; k < width; k++) {
            const size_t c = rates ? k / 3 * 4 + k % 3 + 1 : k;
            const bool missing = own && is_missing(own + c / components * components, components);
            const double *out = output < nwant && !missing ? knots_column(knots->out, c * nwant + output) + at
                                                           : NULL;
            for (size_t i = 0; i < n; i++)
                to[(from + i) * width + k] = out ? out[i] : (double)NAN;
        }
    }
}

/* --- taking --- */

/* Runs the pass over the last knots. A filter that looks ahead sees the next time of these rows. */
static void run_seeing(sprung *stream, const struct stream_rows *rows, size_t end)
{
    size_t next = stream->core.waits ? end : rows->n;
    while (next < rows->n && rows->step[next] == 0)
        next++;
    if (next == rows->n) {
        run(stream, stream->core.waits);
        return;
    }
    add_knots(stream, rows, next, next + 1);
    run(stream, false);
    stream->series.knots.n--;
    stream->series.n--;
}

/* Takes row i, which has the time of the last knot. */
static void take_joined(sprung *stream, const struct stream_rows *rows, size_t i)
{
    memcpy(stream->goal, rows->goal + i * stream->n, stream->n * sizeof *stream->goal);
    if (join_row(stream))
        run(stream, false);
    stream->series.cut = stream->series.cut || is_cut(rows, i);
    give(stream, rows, i, 1, stream->goal);
}

static void take_rows(sprung *stream, const struct stream_rows *rows)
{
    for (size_t from = 0, end; from < rows->n; from = end) {
        end = from + 1;
        if (stream->series.n > 0 && rows->step[from] == 0) {
            take_joined(stream, rows, from);
            continue;
        }
        while (end < rows->n && end - from < stream->most && rows->step[end] > 0)
            end++;
        drop(stream);
        add_knots(stream, rows, from, end);
        run_seeing(stream, rows, end);
        give(stream, rows, from, end - from, NULL);
    }
}

/* Are all steps 0 or more and finite, and is no goal infinite? */
static bool check_rows(const sprung *stream, const struct stream_rows *rows)
{
    const size_t n = rows->n * stream->n;
    bool good = true;
    for (size_t i = stream->series.n > 0 ? 0 : 1; i < rows->n; i++)
        good = good && rows->step[i] >= 0 && rows->step[i] <= DBL_MAX;
    for (size_t i = 0; i < n; i++)
        good = good && !(fabs(rows->goal[i]) > DBL_MAX);
    return good;
}

int sprung_process(sprung *filter, size_t rows, const double *step, const double *goal,
                   const unsigned char *cut, double *value, double *velocity, double *acceleration)
{
    const struct stream_rows all = {
        .n = rows,
        .step = step,
        .goal = goal,
        .cut = filter->filter.filter->cuts ? cut : NULL,
        .result = { value, velocity, acceleration },
    };
    if (!check_rows(filter, &all))
        return SPRUNG_BAD_DATA;
    take_rows(filter, &all);
    return SPRUNG_OK;
}

bool stream_take_all(sprung *stream, const struct stream_rows *rows, struct error *e)
{
    add_knots(stream, rows, 0, rows->n);
    run(stream, true);
    core_settle(&stream->core, &stream->series, rows->n);
    if (stream->core.end != UINT64_MAX) {
        *e = stream->block.error;
        return false;
    }
    give(stream, rows, 0, rows->n, NULL);
    return true;
}

/* --- states --- */

static void start_number(sprung *stream, size_t c, double position, double velocity)
{
    const struct filter *filter = stream->filter.filter;
    const struct filter_pass *pass = stream->core.filter_pass;
    const struct first_row first = { .goal = position, .x = position, .velocity = velocity, .moving = true };
    double *state = memory_at(stream, pass->state), out[RUN_MAXANY];
    filter->start(stream->filter.settings, &first, state + c * pass->shape.nstate, out);
    for (size_t k = 0; k < stream->core.wanted.n; k++)
        knots_column(stream->series.knots.out,
                     c * stream->core.wanted.n + k)[0] = out[stream->core.wanted.output[k]];
}

/* The filter says which doubles of the state hold the velocity of the output. */
static void start_rotation(sprung *stream, size_t number, const double velocity[3])
{
    const struct filter *filter = stream->filter.filter;
    struct rotation_memory *memory = memory_at(stream, stream->core.filter_pass->rotation);
    struct rotation_state *state = &memory[number].state;
    const size_t nstate = filter->shape.nstate, nwant = stream->core.wanted.n;
    for (size_t k = 0; k < 3; k++) {
        for (size_t i = 0; i < nstate; i++)
            if (filter->rotations[i] == 'v')
                state->state[k * nstate + i] = velocity[k];
        state->velocity[k] = velocity[k];
        if (stream->output[1] < nwant)
            knots_column(stream->series.knots.out,
                         (4 * number + 1 + k) * nwant + stream->output[1])[0] = velocity[k];
    }
}

int sprung_start(sprung *stream, const double *position, const double *velocity)
{
    const double step = 0;
    const struct stream_rows row = { .n = 1, .step = &step, .goal = position };
    const size_t rates = stream->rotations ? 3 * stream->units.n : stream->n;
    if (!array_is_finite(position, stream->n) || (velocity && !array_is_finite(velocity, rates)))
        return SPRUNG_BAD_DATA;
    sprung_reset(stream);
    take_rows(stream, &row);
    for (size_t c = 0; c < stream->n && !stream->rotations; c++)
        start_number(stream, c, position[c], velocity ? velocity[c] : 0);
    for (size_t i = 0; i < stream->units.nrotation && velocity; i++)
        start_rotation(stream, i, velocity + 3 * i);
    return SPRUNG_OK;
}

/* Computes another row, then restores state, series and knots: the filter stays as it was. */
int sprung_predict(const sprung *filter, double seconds, double *value, double *velocity)
{
    sprung *stream = (sprung *)filter;
    struct knots *knots = &stream->series.knots;
    const struct channel_state *channel = memory_at(stream, stream->core.filter_pass->channel);
    const struct stream_rows row = {
        .n = 1, .step = &seconds, .goal = stream->goal, .result = { value, velocity }
    };
    const struct series series = stream->series;
    const size_t nknot = knots->n;
    if (!(seconds > 0 && seconds <= DBL_MAX))
        return SPRUNG_BAD_DATA;
    memcpy(stream->kept, stream->state, stream->core.nstate);
    run(stream, true); /* takes a last knot that may still get a number */
    for (size_t c = 0; c < stream->n; c++)
        stream->goal[c] = channel[c].running ? channel[c].goal : (double)NAN;
    add_knots(stream, &row, 0, 1);
    run(stream, true);
    give(stream, &row, 0, 1, stream->goal);
    memcpy(stream->state, stream->kept, stream->core.nstate);
    stream->series = series;
    knots->n = nknot;
    return SPRUNG_OK;
}
