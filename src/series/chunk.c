/* One chunk of rows through the filter: outputs, and what is checked of them. See chunk.h.
 *
 * The steps are taken and their coefficients computed (steps.c), then the targets of every channel and their
 * flags (row_flags.c). A channel without flags is filtered where it stands, side by side with its neighbours.
 * With look-ahead a group's last row waits as the first row of its next chunk. */
#include "series/chunk.h"

#include "series/quaternion_rows.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

bool chunk_open(struct series *s)
{
    struct chunk_outputs *out = &s->out;
    size_t nout = s->nchannel * s->shape.nout + 1, stride = s->maxrow + 1;
    s->steps = (struct steps){ .filter = s->c.filter,
                               .columns = s->c.columns,
                               .rate = s->c.rate,
                               .unit = -3 * s->c.settings->time_unit,
                               .messages = s->c.messages,
                               .file = s->c.file,
                               .nstep = s->shape.nstep,
                               .maxrow = stride };
    s->flags = (struct row_flags){
        .config = &s->c, .steps = &s->steps, .count = &s->count, .nchannel = s->nchannel, .stride = stride
    };
    out->want = calloc(s->shape.nout + 1, sizeof *out->want);
    out->prints = calloc(s->shape.nout + 1, sizeof *out->prints);
    out->own = calloc(stride * nout, sizeof *out->own);
    out->scratch = calloc(stride, sizeof *out->scratch);
    out->at = calloc(nout, sizeof *out->at);
    out->start = calloc(s->nchannel + 1, sizeof *out->start);
    for (size_t i = 0; out->start && i < s->nchannel; i++)
        out->start[i] = s->c.settings->start;
    return steps_open(&s->steps, s->c.overrides) && row_flags_open(&s->flags) && out->want && out->prints &&
           out->own && out->scratch && out->at && out->start;
}

void chunk_close(struct series *s)
{
    steps_close(&s->steps);
    row_flags_close(&s->flags);
    free(s->out.want);
    free(s->out.prints);
    free(s->out.own);
    free(s->out.scratch);
    free(s->out.at);
    free(s->out.start);
}

/* Filters the channels, stretches of neighbours that are alike together, and then quaternions. */
static void run_filter(struct series *s, struct group *g, const struct chunk *w, size_t step_stride)
{
    const bool *special = s->flags.special;
    const size_t *set_of = s->steps.set_of;
    for (size_t c = 0, n; c < s->nchannel; c += n) {
        bool part = quaternions_of(s->c.quaternions, c);
        for (n = 1; c + n < s->nchannel && special[c + n] == special[c] && set_of[c + n] == set_of[c] &&
                    part == (quaternions_of(s->c.quaternions, c + n) != NULL);)
            n++;
        if (part)
            continue;
        const struct coefficients *set = &s->steps.set[set_of[c]];
        struct run stretch = {
            .settings = set->settings,
            .shape = &s->shape,
            .nrow = w->nrun,
            .nchannel = n,
            .T = s->steps.T,
            .step = set->step,
            .step_stride = step_stride,
            .goal = s->flags.goal_at + c,
            .flags = special[c] ? s->flags.flags_at + c : NULL,
            .out = s->out.at + c * s->shape.nout,
            .value_only = s->out.nwant == 1 && s->out.want[0] == 0,
            .state = g->state + c * s->shape.nstate,
            .origin = isnan(s->c.settings->start) ? NULL : s->out.start + c,
            .ahead = s->c.filter->ahead,
        };
        s->c.filter->run(&stretch);
    }
    quaternion_rows_run(s, g, w, step_stride);
}

/* Where the filter's outputs go: the block's columns, the chunk's own, or nowhere. */
static void place_outputs(struct series *s, const struct chunk *w)
{
    struct chunk_outputs *out = &s->out;
    size_t nout = s->shape.nout, stride = s->maxrow + 1;
    for (size_t i = 0; i < s->nchannel * nout; i++)
        out->at[i] = out->scratch;
    for (size_t c = 0; c < s->nchannel; c++)
        for (size_t k = 0; k < out->nwant; k++) {
            size_t column = c * out->nwant + k;
            out->at[c * nout + out->want[k]] = w->direct ? block_out(w->rows->block, column) + w->rows->first
                                                         : out->own + column * stride;
        }
}

/* After the filter, for a channel with flags: rows without a time step repeat the row before, gaps are set.
 * Returns the first row whose number is not finite, or nrun. */
static size_t finish_special(struct series *s, struct group *g, size_t c, size_t nrun)
{
    const unsigned char *flags = s->flags.flags_at[c];
    bool fill = s->c.settings->gaps == GAPS_FILL;
    for (size_t k = 0; k < s->out.nwant; k++) {
        double *out = s->out.at[c * s->shape.nout + s->out.want[k]],
               *last = &g->last_out[c * s->out.nwant + k];
        for (size_t p = 0; p < nrun; p++) {
            if (flags[p] & FLAG_NO_VALUE) {
                out[p] = (double)NAN;
                continue;
            }
            if (flags[p] & FLAG_ZERO_DT)
                out[p] = *last;
            *last = out[p];
            if (!isfinite(out[p]) && s->out.prints[k])
                nrun = p;
            else if (flags[p] & FLAG_GAP && !fill)
                out[p] = (double)NAN;
        }
    }
    return nrun;
}

static size_t finish_plain(struct series *s, struct group *g, size_t c, size_t nrun)
{
    for (size_t k = 0; k < s->out.nwant; k++) {
        const double *out = s->out.at[c * s->shape.nout + s->out.want[k]];
        if (s->out.prints[k] && !row_flags_finite(out, nrun))
            for (size_t p = 0; p < nrun; p++)
                if (!isfinite(out[p]))
                    nrun = p;
        if (nrun)
            g->last_out[c * s->out.nwant + k] = out[nrun - 1];
    }
    return nrun;
}

static bool overflow(const struct series *s, size_t c, const struct spot *bad, struct error *e)
{
    error_data(e, "the filtered value is too large for a number here");
    error_column(e, columns_channel(s->c.columns, c)->name);
    error_place(e, block_line(bad->block, bad->row), 0);
    return error_hint(e, "the filter is unstable with steps of this length, or the input is too large");
}

/* --wrap: the periods that were added to the target are subtracted from the value. */
static void wrap(struct series *s, size_t c, size_t nrun)
{
    const double *turns = s->flags.turns + c * s->flags.stride;
    double *out = s->out.at[c * s->shape.nout];
    for (size_t p = 0; p < nrun; p++)
        out[p] -= turns[p] * s->c.period[c];
}

/* Row p of a chunk. */
static struct spot row_at(const struct group *g, const struct chunk *w, size_t p)
{
    return p < w->nheld ? (struct spot){ g->held.block, g->held.row }
                        : (struct spot){ w->rows->block, group_row(w->rows, p - w->nheld) };
}

/* Copies the outputs of a chunk with columns of its own to the blocks they belong to. */
static void scatter(struct series *s, struct group *g, const struct chunk *w)
{
    size_t stride = s->maxrow + 1;
    for (size_t column = 0; column < s->nchannel * s->out.nwant; column++)
        for (size_t p = 0; p < w->nrun; p++) {
            struct spot to = row_at(g, w, p);
            block_out(to.block, column)[to.row] = s->out.own[column * stride + p];
        }
    /* Rows that wait in the block under way are counted when all of it is taken. */
    if (w->nheld && w->nrun && g->held.block != w->rows->block)
        g->held.block->pending--;
}

bool chunk_run(struct series *s, struct group *g, const struct chunk *w, struct spot *bad, struct error *e)
{
    size_t stride = 0, good = w->nrun, culprit = 0;
    for (size_t i = 0; i < s->steps.nset; i++)
        stride = steps_coefficients(&s->steps, &s->steps.set[i], s->steps.T, w->nrun);
    row_flags_prepare(&s->flags, g, w);
    if (s->ahead)
        row_flags_look_ahead(&s->flags, g, w);
    place_outputs(s, w);
    run_filter(s, g, w, stride);
    for (size_t c = 0; c < s->nchannel; c++) {
        size_t n = s->flags.special[c] ? finish_special(s, g, c, w->nrun) : finish_plain(s, g, c, w->nrun);
        if (s->c.wrap && s->c.period && s->c.period[c] > 0)
            wrap(s, c, n);
        if (n < good) {
            good = n;
            culprit = c;
        }
    }
    if (!w->direct)
        scatter(s, g, w);
    if (good == w->nrun)
        return true;
    *bad = row_at(g, w, good);
    return overflow(s, culprit, bad, e);
}

void chunk_fade(const struct series *s, struct group *g)
{
    for (size_t i = 0; i < s->shape.nstate; i++)
        for (size_t c = 0; s->c.filter->fading >> (i < 31 ? i : 31) & 1 && c < s->nchannel; c++) {
            double *state = &g->state[c * s->shape.nstate + i];
            *state = fabs(*state) < DBL_MIN ? 0 : *state;
        }
}
