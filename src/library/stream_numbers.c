/* Rows of numbers through a filter: rows become columns with flags (whole/gaps.h), and the outputs become
 * rows. See stream.h. */
#include "library/stream.h"

/* Has channel c any flag in the row behind the last of `rows`? The goal of that row goes behind the others.
 */
static bool flags_next(struct sprung *stream, const struct stream_rows *rows, size_t c)
{
    double goal = rows->goal[rows->n * stream->n + c];
    stream->goal[c * (stream->height + 1) + rows->n] = goal;
    return !gaps_are_passed(&stream->gaps[c], isnan(goal), rows->step[rows->n],
                            stream_is_cut(stream, rows, rows->n));
}

/* Look-ahead: a row sees the next row only where that has no flag. next: a row follows. Returns whether a row
 * does not see the next one. */
static bool flag_ahead(struct sprung *stream, const struct stream_rows *rows, bool next)
{
    bool any = false;
    for (size_t c = 0; c < stream->n; c++) {
        bool hidden = !next || flags_next(stream, rows, c);
        any |= gaps_hide_next(stream->flags + c * stream->height, rows->n, hidden);
    }
    return any;
}

/* Sets goals and flags of all channels in rows whose steps are set. next: a row follows. Returns whether any
 * flag is set. */
static bool flag_rows(struct sprung *stream, const struct stream_rows *rows, bool next)
{
    const struct gap_rule rule = settings_gaps();
    const struct gap_rows gap_rows = { .n = rows->n,
                                       .T = stream->own_T,
                                       .cut = stream->own.filter->cuts ? rows->cut : NULL };
    size_t n = stream->n;
    unsigned any = 0;
    for (size_t c = 0; c < n; c++) {
        double *goal = stream->goal + c * (stream->height + 1);
        unsigned char *flags = stream->flags + c * stream->height;
        for (size_t i = 0; i < rows->n; i++)
            goal[i] = rows->goal[i * n + c];
        gaps_flag(&stream->gaps[c], &rule, &gap_rows, goal, &stream->last[c], flags);
        for (size_t i = 0; i < rows->n; i++)
            any |= flags[i];
    }
    stream->begun = true;
    return (stream->own.filter->ahead && flag_ahead(stream, rows, next)) || any != 0;
}

/* Sets steps and coefficients of the rows. Returns the doubles from the coefficients of a row to those of the
 * next: 0 where all rows share them. */
static size_t take_steps(struct sprung *stream, const struct stream_rows *rows, bool next, bool first)
{
    size_t nstep = stream->shape.nstep;
    bool same = !first && rows->step[0] > 0;
    for (size_t i = 0; i < rows->n; i++) {
        stream->own_T[i] = first && i == 0 ? 0 : rows->step[i];
        same = same && rows->step[i] == rows->step[0];
    }
    stream->own_T[rows->n] = next ? rows->step[rows->n] : 0;
    if (same) {
        stream_coefficients(stream, rows->step[0]);
        return 0;
    }
    for (size_t i = 0; i < rows->n; i++)
        if (stream->own_T[i] > 0)
            memcpy(stream->step + i * nstep, stream_coefficients(stream, stream->own_T[i]),
                   nstep * sizeof *stream->step);
    return nstep;
}

/* Lays the columns out for this many rows. */
static void lay_columns(struct sprung *stream, size_t height)
{
    stream->height = height;
    for (size_t c = 0; c < stream->n; c++) {
        stream->goal_at[c] = stream->goal + c * (height + 1);
        stream->flags_at[c] = stream->flags + c * height;
    }
    for (size_t k = 0; k < stream->n * stream->shape.nout; k++)
        stream->out_at[k] = stream->out + k * height;
    stream->run = (struct run){
        .shape = &stream->shape,
        .nchannel = stream->n,
        .T = stream->own_T,
        .goal = stream->goal_at,
        .out = stream->out_at,
        .state = stream->state,
        .ahead = stream->own.filter->ahead,
    };
}

void stream_keep_outputs(struct sprung *stream)
{
    if (!stream->unprinted)
        return;
    stream->unprinted = false;
    for (size_t k = 0; k < stream->n * stream->shape.nout; k++)
        stream->printed[k] = stream->out[(k + 1) * stream->height - 1];
}

/* Puts an output into rows; NaN: the filter has no such output. */
static void give(const struct sprung *stream, const struct stream_rows *rows, int derivative, double *to)
{
    size_t n = stream->n, nout = stream->shape.nout, height = stream->height, o = stream->output[derivative];
    for (size_t i = 0; i < rows->n && to; i++)
        for (size_t c = 0; c < n; c++)
            to[i * n + c] = o < nout ? stream->out[(c * nout + o) * height + i] : (double)NAN;
}

/* Turns what the filter computed into what the rows give, and keeps the outputs of the last row. */
static void finish_outputs(struct sprung *stream, const struct stream_rows *rows)
{
    size_t nout = stream->shape.nout;
    for (size_t k = 0; k < stream->n * nout; k++) {
        const unsigned char *flags = stream->flags + k / nout * stream->height;
        double *out = stream->out + k * stream->height;
        for (size_t i = 0; i < rows->n; i++)
            out[i] = gaps_print(settings_gaps().way, flags[i], out[i], &stream->printed[k]);
    }
}

/* Runs the filter over the columns. stride: of the coefficients, from row to row. */
static void run_columns(struct sprung *stream, const struct stream_rows *rows, size_t stride, bool flagged)
{
    struct run *run = &stream->run;
    run->settings = stream->own.settings;
    run->nrow = rows->n;
    run->step = stride > 0 ? stream->step : stream->last_step;
    run->step_stride = stride;
    run->flags = flagged ? stream->flags_at : NULL;
    stream->own.filter->run(run);
}

/* Has no channel a flag in any of the rows? */
static bool are_quiet(const struct sprung *stream, const struct stream_rows *rows)
{
    const struct filter *filter = stream->own.filter;
    bool quiet = stream->quiet && rows->known && filter->ahead == 0;
    for (size_t i = 0; i < rows->n && quiet; i++)
        quiet = rows->step[i] > 0 && !stream_is_cut(stream, rows, i);
    return quiet;
}

static void filter_quiet(struct sprung *stream, const struct stream_rows *rows)
{
    size_t n = stream->n, stride = stream->height + 1;
    for (size_t i = 0; i < rows->n; i++)
        for (size_t c = 0; c < n; c++)
            stream->goal[c * stride + i] = rows->goal[i * n + c];
    memcpy(stream->last, rows->goal + (rows->n - 1) * n, n * sizeof *stream->last);
    run_columns(stream, rows, take_steps(stream, rows, false, false), false);
    stream->unprinted = true;
    give(stream, rows, 0, rows->value);
    give(stream, rows, 1, rows->velocity);
    give(stream, rows, 2, rows->acceleration);
}

static void filter_flagged(struct sprung *stream, const struct stream_rows *rows, bool next)
{
    size_t stride = take_steps(stream, rows, next, !stream->begun);
    run_columns(stream, rows, stride, flag_rows(stream, rows, next));
    finish_outputs(stream, rows);
    give(stream, rows, 0, rows->value);
    give(stream, rows, 1, rows->velocity);
    give(stream, rows, 2, rows->acceleration);
    stream->quiet = true;
    for (size_t c = 0; c < stream->n; c++)
        stream->quiet = stream->quiet && gaps_are_quiet(&stream->gaps[c]);
}

void stream_filter_numbers(struct sprung *stream, const struct stream_rows *rows, bool next)
{
    bool quiet = are_quiet(stream, rows);
    if (!quiet || stream->height != rows->n)
        stream_keep_outputs(stream);
    if (stream->height != rows->n)
        lay_columns(stream, rows->n);
    if (quiet)
        filter_quiet(stream, rows);
    else
        filter_flagged(stream, rows, next);
}
