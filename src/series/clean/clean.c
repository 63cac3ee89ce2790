/* The stage before the first filter: masks values, sorts the rows of a block by group, and decides rows whose
 * samples are judged (judge.c) and whose gaps are bridged (bridge.c). See clean.h. */
#include "series/clean/clean.h"

#include "base/array.h"
#include "series/clean/history.h"

#include <stdlib.h>

/* --- opening --- */

bool clean_wanted(const struct series_settings *settings, const struct spikes_settings *despike,
                  const struct columns *columns)
{
    return gaps_way(settings->gaps)->bridged || !isnan(despike->factor) || columns->nmask > 0;
}

bool clean_check(const struct spikes_settings *despike, const struct texts *masks, struct error *e)
{
    struct column_mask mask;
    for (size_t i = 0; i < masks->ntext; i++)
        if (!columns_mask_read(masks->text[i], &mask, e))
            return false;
    return despike->window < 0 || !isnan(despike->factor) ||
           error_usage(e, "--despike-window needs --despike");
}

struct clean *clean_open(const struct series_rows *in, const struct spikes_settings *despike,
                         const struct clean_count **counted, struct error *e)
{
    struct clean *clean;
    struct clean_count *count;
    if (!arrays_make(e, ARRAY(clean, 1), ARRAY(count, in->columns->nchannel)))
        return NULL;
    clean->in = *in;
    clean->despike = *despike;
    clean->nwindow = spikes_rows(despike);
    *counted = clean->count = count;
    clean->place = groups_reserve(in->groups, history_size(clean));
    return clean;
}

void clean_close(struct clean *clean)
{
    for (struct group *group = NULL; clean && (group = groups_each(clean->in.groups, group));)
        history_free(group_state(group, clean->place));
    if (clean)
        sorted_rows_free(&clean->sorted);
    free(clean);
}

/* --- rows --- */

/* Masked values become missing goals. */
static void mask(const struct clean *clean, const struct block *block)
{
    const struct columns *columns = clean->in.columns;
    for (size_t i = 0; i < columns->nmask; i++) {
        size_t channel = columns->column[columns->mask[i].column].value;
        const double *value = block_value(block, columns->column[columns->mask[i].teller].value);
        double *goal = block_goal(block, channel);
        for (size_t j = 0; j < block->nrow; j++)
            if (columns_masks(&columns->mask[i], value[j])) {
                clean->count[channel].masked += isnan(goal[j]) == 0;
                goal[j] = (double)NAN;
            }
    }
}

/* Adds the rows of a group in a block. */
static bool add_rows(const struct clean *clean, struct history *history, const struct group_rows *rows)
{
    struct block *block = rows->block;
    if (history->size == 0)
        history_begin(history, clean);
    const size_t first = history->n;
    if (!history_reserve(history, rows->n, &block->error))
        return false;
    for (size_t k = 0; k < rows->n; k++)
        history_add(history, &clean->in, block, rows->index ? rows->index[k] : rows->first + k);
    return clean->nwindow == 0 || judge_keep_samples(history, first, &block->error);
}

/* Rows of a group before row `done` are final in all tracks. */
static void let_go(struct history *history, size_t done)
{
    for (; history->done < done; history->done++)
        history_row(history, history->done)->block->pending--;
}

/* Decides rows of a group as far as its rows tell. */
static void decide(struct clean *clean, struct history *history)
{
    size_t nwhole = history->n > clean->nwindow ? history->n - clean->nwindow : 0; /* with whole windows */
    size_t end = nwhole > history->run_first ? nwhole : history->run_first;
    size_t done = history->n;
    for (size_t i = 0; i < history->ntrack; i++)
        judge_rows(clean, history, &history->track[i], end);
    for (size_t i = 0; i < history->ntrack; i++)
        done = history->track[i].final < done ? history->track[i].final : done;
    let_go(history, done);
}

/* No more rows of a group come: decides all its rows. */
static void end_group(struct clean *clean, struct history *history)
{
    if (history->size == 0) /* no row of the group came, or the group has ended */
        return;
    for (size_t i = 0; i < history->ntrack; i++)
        judge_rows(clean, history, &history->track[i], history->n);
    for (size_t i = 0; i < history->ntrack; i++)
        bridge_finish(clean, history, &history->track[i]);
    let_go(history, history->n);
}

struct block *clean_take(void *closure, struct block *block)
{
    struct clean *clean = closure;
    const struct group *ended = block->ended;
    bool good = groups_sort(&clean->sorted, clean->in.groups, block, &block->error);
    block->pending = block->nrow;
    mask(clean, block);
    units_complete(clean->in.units, block, true);
    for (size_t i = 0; good && i < clean->sorted.npart; i++) {
        const struct group_rows *rows = &clean->sorted.part[i];
        struct history *history = group_state(rows->group, clean->place);
        good = add_rows(clean, history, rows);
        if (good)
            decide(clean, history);
    }
    if (!good) {
        block_end_before(block, 0);
        return block;
    }
    for (size_t i = 0; i < block->nended; i++, ended = ended->after) {
        struct history *history = group_state(ended, clean->place);
        end_group(clean, history);
        history_free(history);
    }
    return NULL;
}

struct block *clean_finish(void *closure)
{
    struct clean *clean = closure;
    for (struct group *group = NULL; (group = groups_each(clean->in.groups, group));)
        end_group(clean, group_state(group, clean->place));
    return NULL;
}
