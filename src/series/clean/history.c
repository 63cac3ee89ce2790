/* The rows of a group that cleaning keeps: how many rows back, their times, and the runs between cuts. See
 * history.h. */
#include "series/clean/history.h"

#include "base/array.h"

#include <stdlib.h>

size_t history_size(const struct clean *clean)
{
    return sizeof(struct history) + clean->in.units->n * sizeof(struct track);
}

void history_begin(struct history *history, const struct clean *clean, const struct operator_rows *rows)
{
    history->rows = rows;
    history->size = sizeof(struct kept_row) + clean->in.plan->nchannel * sizeof(double);
    history->ntrack = clean->in.units->n;
    for (size_t i = 0; i < history->ntrack; i++)
        history->track[i].unit = &clean->in.units->at[i];
}

void history_free(struct history *history)
{
    for (size_t i = 0; i < history->ntrack; i++)
        spike_track_free(&history->track[i].judging.samples);
    free(history->row);
    *history = (struct history){ 0 };
}

bool history_reserve(struct history *history, size_t more, struct error *e)
{
    size_t first = history->done > 0 ? history->done - 1 : 0;
    if (history->n - history->first + more <= history->max)
        return true;
    for (size_t i = 0; i < history->ntrack; i++) {
        const struct track *track = &history->track[i];
        if (track->has_sample && track->earlier < first)
            first = track->earlier;
    }
    if (history->n > first)
        memmove(history->row, history_row(history, first), (history->n - first) * history->size);
    history->first = first;
    return array_reserve(&history->row, (history->n - first + more) * 3 / 2, &history->max, history->size, e);
}

void history_add(struct history *history, const struct series_rows *in, struct block *block, size_t i)
{
    struct kept_row *row = history_row(history, history->n);
    const struct kept_row *last = history->n > 0 ? history_row(history, history->n - 1) : NULL;
    *row = (struct kept_row){ .run = 0 };
    row->time = series_time(in, block, i, history->n);
    if (!last)
        history->begin = row->time;
    row->second = timestamp_between(&history->begin, &row->time, series_unit(in));
    if (last) {
        double T = block->T ? block->T[i] : 1 / in->rate;
        bool cut = block_has_mark(block, i, MARK_CUT);
        row->run = last->run + cut;
        row->instant = last->instant + (T > 0);
        history->run_first = cut ? history->n : history->run_first;
    }
    for (size_t k = 0; k < in->plan->nchannel; k++)
        row->value[k] = block_goal(block, k)[i];
    history->n++;
}

void history_set_goals(const struct history *history, const struct unit *unit, size_t row,
                       const double number[4])
{
    const struct spot to = operator_spot(history->rows, row);
    for (size_t k = 0; k < unit->n; k++)
        block_goal(to.block, unit->channel[k])[to.row] = number[k];
}
