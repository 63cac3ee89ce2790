/* Times of the rows of a group: cuts and long gaps by time, and the steps between rows. */
#include "series/series_state.h"

#include "base/array.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

bool series_cut(const struct series_rows *in, const struct block *block, size_t row,
                const struct timestamp *now, struct cuts_passed *passed)
{
    size_t before = passed->ncut, n = in->cuts->ncut, mark = in->columns->cut;
    double seconds = before < n ? timestamp_between(NULL, now, series_unit(in)) : 0;
    double v = mark == COLUMN_NONE ? 0 : block_value(block, in->columns->column[mark].value)[row];
    while (passed->ncut < n && in->cuts->time[passed->ncut] <= seconds)
        passed->ncut++;
    bool seam = passed->input != block->input && passed->input != 0;
    passed->input = block->input;
    return seam || passed->ncut > before || (!isnan(v) && v != 0);
}

bool series_long_gap(const struct series_rows *in, uint64_t nrow, const struct timestamp *a,
                     const struct timestamp *b)
{
    const struct gap_limit *limit = &in->settings->max_gap;
    struct time_unit unit = series_unit(in);
    if (limit->kind != GAP_SECONDS)
        return limit->kind == GAP_ROWS && (double)nrow > limit->most;
    bool exact = a->decimal.exact && b->decimal.exact;
    struct timestamp error = { .t = exact ? 0 : 2 * DBL_EPSILON * fmax(fabs(a->t), fabs(b->t)) };
    return timestamp_between(a, b, unit) - timestamp_between(NULL, &error, unit) > limit->most;
}

/* With --resample the reader knows the steps. With a rate all steps but the first are set when the steps are
 * opened. */
bool steps_take(struct series *series, const struct group *group, struct chunk *chunk)
{
    const struct grid_row *grid = chunk->block->grid;
    size_t n = chunk->n - chunk->nwaiting;
    double *T = series->T + chunk->nwaiting;
    if (grid) {
        for (size_t j = 0; j < n; j++)
            T[j] = grid[new_row(chunk, j)].T;
        return true;
    }
    if (series->config.in.rate != 0) {
        T[0] = group->begun ? 1 / series->config.in.rate : 0;
        return true;
    }
    const struct timestamp *before = group->begun ? &group->last : &chunk->block->time[new_row(chunk, 0)];
    double same = 0; /* the last step, which is `units` times 10^exp10: an equal step is not computed again */
    int64_t units = INT64_MIN;
    int exp10 = 0;
    const struct columns *columns = series->config.in.columns;
    const struct time_unit unit = columns->unit;
    const bool clock = columns->form == TIMESTAMP_CLOCK;
    for (size_t j = 0; j < n; j++) {
        struct spot at = { chunk->block, new_row(chunk, j) };
        struct timestamp *now = &chunk->block->time[at.row];
        if (clock)
            timestamp_pass_midnight(now, before);
        const struct number_decimal *p = &before->decimal, *q = &now->decimal;
        bool plain = p->exact && q->exact && p->exp10 == q->exp10;
        if (!plain || q->digits - p->digits != units || p->exp10 != exp10) {
            same = timestamp_between(before, now, unit);
            units = plain ? q->digits - p->digits : INT64_MIN;
            exp10 = p->exp10;
        }
        T[j] = same;
        if (!(same >= 0)) {
            struct error e;
            chunk->n = chunk->nwaiting + j;
            groups_backward(columns, group, before, now, &e);
            return series_fail(series, at, at, &e);
        }
        before = now;
    }
    return true;
}

bool steps_open(struct series *series, struct error *e)
{
    if (!arrays_make(e, ARRAY(series->T, series->maxrow)))
        return false;
    for (size_t j = 0; series->config.in.rate != 0 && j < series->maxrow; j++)
        series->T[j] = 1 / series->config.in.rate;
    return true;
}

void steps_close(struct series *series)
{
    free(series->T);
}
