/* One window of rows through the kernel: steps, gaps, marks, outputs. See window.h.
 *
 * The time steps are taken, the step coefficients computed once per distinct T, and every channel is
 * prepared: one without anything special in it is filtered where it stands, side by side with its neighbours;
 * any other gets a copy of its goals without holes, and marks. With look-ahead a group's last row waits as
 * the first row of its next window. */
#include "series/chunk.h"

#include "number/timestamp.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

static void *make(size_t n, size_t size)
{
    return calloc(n ? n : 1, size);
}

static bool make_tunings(struct series *s)
{
    const struct overrides *all = s->c.overrides;
    bool good = (s->tuning = make(all->n, sizeof *s->tuning)) != NULL;
    s->tuning_of = all->of;
    for (size_t i = 0; good && i < all->n; i++) {
        struct tuning *tuning = &s->tuning[i];
        tuning->settings = all->settings[i];
        tuning->cache = make(CHUNK_CACHE * s->shape.nstep, sizeof *tuning->cache);
        tuning->step = make((s->window + 1) * s->shape.nstep, sizeof *tuning->step);
        good = tuning->cache && tuning->step;
        for (size_t k = 0; k < CHUNK_CACHE; k++)
            tuning->cache_T[k] = -1;
    }
    return good;
}

static void free_tunings(struct series *s)
{
    for (size_t i = 0; s->tuning && i < s->c.overrides->n; i++) {
        free(s->tuning[i].cache);
        free(s->tuning[i].step);
    }
    free(s->tuning);
}

bool chunk_make(struct series *s)
{
    size_t columns = s->nchannel * s->shape.nout, rows = s->window + 1;
    s->want = make(s->shape.nout, sizeof *s->want);
    s->prints = make(s->shape.nout, sizeof *s->prints);
    s->found = make(s->nchannel, sizeof *s->found);
    s->T = make(rows, sizeof *s->T);
    s->goal = make(rows * s->nchannel, sizeof *s->goal);
    s->mark = make(rows * s->nchannel, 1);
    s->cut = make(rows, 1);
    s->turns = make(s->c.period ? rows * s->nchannel : 0, sizeof *s->turns);
    s->out = make(rows * columns, sizeof *s->out);
    s->scratch = make(rows, sizeof *s->scratch);
    s->goal_at = make(s->nchannel, sizeof *s->goal_at);
    s->mark_at = make(s->nchannel, sizeof *s->mark_at);
    s->out_at = make(columns, sizeof *s->out_at);
    s->origin_at = make(s->nchannel, sizeof *s->origin_at);
    s->special = make(s->nchannel, sizeof *s->special);
    for (size_t j = 0; s->T && s->c.rate != 0 && j < rows; j++)
        s->T[j] = 1 / s->c.rate;
    return make_tunings(s) && s->want && s->prints && s->found && s->T && s->goal && s->mark && s->cut &&
           s->turns && s->out && s->scratch && s->goal_at && s->mark_at && s->out_at && s->origin_at && s->special;
}

void chunk_free(struct series *s)
{
    free(s->want);
    free(s->prints);
    free(s->found);
    free_tunings(s);
    free(s->T);
    free(s->goal);
    free(s->mark);
    free(s->cut);
    free(s->turns);
    free(s->out);
    free(s->scratch);
    free(s->goal_at);
    free(s->mark_at);
    free(s->out_at);
    free(s->origin_at);
    free(s->special);
}

struct timestamp chunk_stamp(const struct series *s, const struct group *g, const struct rows *r, size_t j)
{
    if (s->c.rate == 0)
        return r->block->stamp[rows_at(r, j)];
    /* With a rate the time of a row is its number in the group. */
    struct timestamp counted = { 0, { (int64_t)g->nseen + (int64_t)j, 0, true } };
    counted.t = (double)counted.decimal.digits;
    return counted;
}

double chunk_elapsed(const struct series *s, const struct timestamp *a, const struct timestamp *b)
{
    return s->c.rate == 0 ? timestamp_difference(a, b, s->unit) : (b->t - a->t) / s->c.rate;
}

static bool backward(const struct series *s, const struct rows *r, size_t j, const struct timestamp *before,
                     const struct timestamp *now, struct error *e)
{
    timestamp_backward(before, now, s->c.columns->column[s->c.columns->time].name, s->c.columns->group != COLUMN_NONE,
                   e);
    return error_place(e, block_line(r->block, rows_at(r, j)), 0);
}

/* With a rate all steps but the first stand there from the start. */
bool chunk_times(struct series *s, const struct group *g, const struct rows *r, double *T, size_t *n,
                  struct error *e)
{
    if (s->c.rate != 0) {
        if (*n)
            T[0] = g->begun ? 1 / s->c.rate : 0;
        return true;
    }
    const struct timestamp *before = g->begun ? &g->last : &r->block->stamp[rows_at(r, 0)];
    double same = 0; /* the last step taken, of so many units of 10^exp10 */
    int64_t units = INT64_MIN;
    int exp10 = 0;
    for (size_t j = 0; j < *n; j++) {
        const struct timestamp *now = &r->block->stamp[rows_at(r, j)];
        const struct number_decimal *p = &before->decimal, *q = &now->decimal;
        bool plain = p->exact && q->exact && p->exp10 == q->exp10;
        if (!plain || q->digits - p->digits != units || p->exp10 != exp10) {
            same = timestamp_difference(before, now, s->unit);
            units = plain ? q->digits - p->digits : INT64_MIN;
            exp10 = p->exp10;
        }
        T[j] = same;
        if (!(same >= 0)) {
            *n = j;
            return backward(s, r, j, before, now, e);
        }
        before = now;
    }
    return true;
}

/* The coefficients of a step of T, computed or remembered. */
static const double *coefficients(struct series *s, struct tuning *tuning, double T)
{
    uint64_t bits;
    memcpy(&bits, &T, sizeof bits);
    size_t i = (bits * 0x9E3779B97F4A7C15u) >> 60;
    double *step = tuning->cache + i * s->shape.nstep;
    if (tuning->cache_T[i] != T) {
        char text[256];
        s->c.filter->step(tuning->settings, T, step);
        tuning->cache_T[i] = T;
        if (!s->warned && s->c.filter->warn && s->c.filter->warn(tuning->settings, T, text, sizeof text)) {
            s->warned = true;
            messages_add(s->c.messages, s->c.file, "warning: %s", text);
        }
    }
    return step;
}

size_t chunk_coefficients(struct series *s, struct tuning *tuning, const double *T, size_t n)
{
    size_t nstep = s->shape.nstep, different = 0;
    double *step = tuning->step;
    for (size_t j = 1; j < chunk_steps(s, n); j++)
        different += T[j] != T[0];
    for (size_t j = 0; j < (different ? n : n > 0); j++) {
        if (j && T[j] == T[j - 1])
            memcpy(step + j * nstep, step + (j - 1) * nstep, nstep * sizeof *step);
        else if (T[j] > 0)
            memcpy(step + j * nstep, coefficients(s, tuning, T[j]), nstep * sizeof *step);
    }
    return different ? nstep : 0;
}

/* The same for every tuning. */
static size_t take_steps(struct series *s, const double *T, size_t n)
{
    size_t stride = 0;
    for (size_t i = 0; i < s->c.overrides->n; i++)
        stride = chunk_coefficients(s, &s->tuning[i], T, n);
    return stride;
}

const struct column *chunk_column(const struct series *s, size_t c)
{
    const struct column *column = s->c.columns->column;
    while (column->role != ROLE_CHANNEL || column->value != c)
        column++;
    return column;
}

/* Calls the kernel for stretches of neighbouring channels that are alike. */
static void run(struct series *s, struct group *g, const struct chunk *w, size_t step_stride)
{
    for (size_t c = 0, n; c < s->nchannel; c += n) {
        const size_t *of = s->tuning_of;
        bool part = quaternions_of(s->c.quaternions, c);
        for (n = 1; c + n < s->nchannel && s->special[c + n] == s->special[c] && of[c + n] == of[c] &&
                    part == (quaternions_of(s->c.quaternions, c + n) != NULL);)
            n++;
        if (part)
            continue;
        const struct tuning *tuning = &s->tuning[of[c]];
        struct run stretch = {
            .settings = tuning->settings,
            .shape = &s->shape,
            .nrow = w->nrun,
            .nchannel = n,
            .T = s->T,
            .step = tuning->step,
            .step_stride = step_stride,
            .goal = s->goal_at + c,
            .mark = s->special[c] ? s->mark_at + c : NULL,
            .out = s->out_at + c * s->shape.nout,
            .value_only = s->nwant == 1 && s->want[0] == 0,
            .state = g->state + c * s->shape.nstate,
            .origin = isnan(s->origin) ? NULL : s->origin_at + c,
            .ahead = s->c.filter->ahead,
        };
        s->c.filter->run(&stretch);
    }
    chunk_run_rotations(s, g, w, step_stride);
}

/* Where the kernel's outputs go: the block's columns, the window's own, or nowhere. */
static void place_outputs(struct series *s, const struct chunk *w)
{
    size_t nout = s->shape.nout, stride = s->window + 1;
    for (size_t i = 0; i < s->nchannel * nout; i++)
        s->out_at[i] = s->scratch;
    for (size_t c = 0; c < s->nchannel; c++)
        for (size_t k = 0; k < s->nwant; k++) {
            size_t column = c * s->nwant + k;
            s->out_at[c * nout + s->want[k]] = w->direct ? block_out(w->rows->block, column) + w->rows->first
                                                         : s->out + column * stride;
        }
}

/* After the kernel: what held rows repeat and what gaps print; the first row whose number is not finite, or
 * nrun. */
static size_t settle_special(struct series *s, struct group *g, size_t c, size_t nrun)
{
    const unsigned char *mark = s->mark_at[c];
    bool fill = s->c.settings->gaps == GAPS_FILL;
    for (size_t k = 0; k < s->nwant; k++) {
        double *out = s->out_at[c * s->shape.nout + s->want[k]], *last = &g->last_out[c * s->nwant + k];
        for (size_t p = 0; p < nrun; p++) {
            if (mark[p] & FLAG_NO_VALUE) {
                out[p] = (double)NAN;
                continue;
            }
            if (mark[p] & FLAG_ZERO_DT)
                out[p] = *last;
            *last = out[p];
            if (!isfinite(out[p]) && s->prints[k])
                nrun = p;
            else if (mark[p] & FLAG_GAP && !fill)
                out[p] = (double)NAN;
        }
    }
    return nrun;
}

bool chunk_finite(const double *x, size_t n)
{
    enum { LANES = 8 }; /* sums side by side: infinity less infinity is no number */
    double sum[LANES] = { 0 }, all = 0;
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
#pragma GCC unroll 8
        for (size_t k = 0; k < LANES; k++)
            sum[k] += x[i + k] - x[i + k];
    for (; i < n; i++)
        all += x[i] - x[i];
    for (size_t k = 0; k < LANES; k++)
        all += sum[k];
    return all == 0;
}

static size_t settle_plain(struct series *s, struct group *g, size_t c, size_t nrun)
{
    for (size_t k = 0; k < s->nwant; k++) {
        const double *out = s->out_at[c * s->shape.nout + s->want[k]];
        if (s->prints[k] && !chunk_finite(out, nrun))
            for (size_t p = 0; p < nrun; p++)
                if (!isfinite(out[p]))
                    nrun = p;
        if (nrun)
            g->last_out[c * s->nwant + k] = out[nrun - 1];
    }
    return nrun;
}

static bool overflow(const struct series *s, size_t c, const struct spot *bad, struct error *e)
{
    error_data(e, "the filtered value is too large for a number here");
    error_column(e, chunk_column(s, c)->name);
    error_place(e, block_line(bad->block, bad->row), 0);
    return error_hint(e, "the filter is unstable with steps of this length, or the input is too large");
}

/* --wrap: the turns that were added to the goal are taken off the value again. */
static void rewind_turns(struct series *s, size_t c, size_t nrun)
{
    const double *turns = s->turns + c * (s->window + 1);
    double *out = s->out_at[c * s->shape.nout];
    for (size_t p = 0; p < nrun; p++)
        out[p] -= turns[p] * s->c.period[c];
}

/* Takes the outputs of a window with columns of its own to the blocks they belong to. */
static void scatter(struct series *s, struct group *g, const struct chunk *w)
{
    size_t stride = s->window + 1;
    for (size_t column = 0; column < s->nchannel * s->nwant; column++)
        for (size_t p = 0; p < w->nrun; p++) {
            bool held = p < w->nheld;
            struct block *b = held ? g->held : w->rows->block;
            block_out(
                b, column)[held ? g->held_row : rows_at(w->rows, p - w->nheld)] = s->out[column * stride + p];
        }
    /* Rows that wait in the block under way are counted when all of it is taken. */
    if (w->nheld && w->nrun && g->held != w->rows->block)
        g->held->pending--;
}

bool chunk_run(struct series *s, struct group *g, const struct chunk *w, struct spot *bad, struct error *e)
{
    size_t stride = take_steps(s, s->T, w->nrun), good = w->nrun, culprit = 0;
    row_flags_prepare(s, g, w);
    if (s->ahead)
        row_flags_look_ahead(s, g, w);
    place_outputs(s, w);
    run(s, g, w, stride);
    for (size_t c = 0; c < s->nchannel; c++) {
        size_t n = s->special[c] ? settle_special(s, g, c, w->nrun) : settle_plain(s, g, c, w->nrun);
        if (s->c.wrap && s->c.period && s->c.period[c] > 0)
            rewind_turns(s, c, n);
        if (n < good) {
            good = n;
            culprit = c;
        }
    }
    if (!w->direct)
        scatter(s, g, w);
    if (good == w->nrun)
        return true;
    *bad = good < w->nheld ? (struct spot){ g->held, g->held_row }
                           : (struct spot){ w->rows->block, rows_at(w->rows, good - w->nheld) };
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
