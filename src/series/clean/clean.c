/* The operator before the first filter: decides rows whose samples are judged (judge.c) and whose gaps are
 * bridged (bridge.c). See clean.h. */
#include "series/clean/clean.h"

#include "base/array.h"
#include "series/clean/history.h"

#include <stdlib.h>

/* --- options --- */

bool clean_wanted(const struct series_settings *settings, const struct spikes_settings *despike)
{
    return gaps_way(settings->gaps)->bridged || !isnan(despike->factor);
}

bool clean_check(const struct spikes_settings *despike, const struct texts *masks, struct error *e)
{
    struct column_mask mask;
    for (size_t i = 0; i < masks->ntext; i++)
        if (!plan_mask_read(masks->text[i], &mask, e))
            return false;
    return despike->window < 0 || !isnan(despike->factor) ||
           error_usage(e, "--despike-window needs --despike");
}

/* --- rows --- */

/* Adds the new rows of a group. */
static bool add_rows(const struct clean *clean, struct history *history, const struct group_rows *rows,
                     struct error *e)
{
    if (!history->rows)
        history_begin(history, clean, operator_rows_of(&clean->operator, rows->group));
    const size_t first = history->n;
    if (!history_reserve(history, rows->n, e))
        return false;
    for (size_t k = 0; k < rows->n; k++)
        history_add(history, &clean->in, rows->block, rows->index ? rows->index[k] : rows->first + k);
    return clean->nwindow == 0 || judge_keep_samples(history, first, e);
}

/* Decides the rows of a group that its later rows allow to decide. */
static void decide(struct clean *clean, struct history *history)
{
    size_t nwhole = history->n > clean->nwindow ? history->n - clean->nwindow : 0; /* with whole windows */
    size_t end = nwhole > history->run_first ? nwhole : history->run_first;
    history->done = history->n;
    for (size_t i = 0; i < history->ntrack; i++)
        judge_rows(clean, history, &history->track[i], end);
    for (size_t i = 0; i < history->ntrack; i++)
        history->done = history->track[i].final < history->done ? history->track[i].final : history->done;
}

static uint64_t take(struct operator* operator, const struct group_rows * rows)
{
    struct clean *clean = (struct clean *)operator;
    struct history *history = group_state(rows->group, clean->place);
    const struct spot first = { rows->block, 0 };
    struct error e;
    if (add_rows(clean, history, rows, &e))
        decide(clean, history);
    else
        operator_fail(operator, first, first, &e);
    return history->done;
}

static uint64_t end(struct operator* operator, struct group * group)
{
    struct clean *clean = (struct clean *)operator;
    struct history *history = group_state(group, clean->place);
    for (size_t i = 0; i < history->ntrack; i++)
        judge_rows(clean, history, &history->track[i], history->n);
    for (size_t i = 0; i < history->ntrack; i++)
        bridge_finish(clean, history, &history->track[i]);
    return history->rows->ntaken;
}

static void forget(struct operator* operator, struct group * group)
{
    history_free(group_state(group, ((struct clean *)operator)->place));
}

static void close(struct operator* operator)
{
    free(operator); /* the first member of the struct clean */
}

static const struct operator_kind cleaning = { .take = take, .end = end, .forget = forget, .close = close };

/* --- opening --- */

struct operator* clean_open(const struct series_rows *in, const struct spikes_settings *despike,
                            struct clean_count *count, struct error *e)
{
    struct clean *clean;
    if (!arrays_make(e, ARRAY(clean, 1)))
        return NULL;
    clean->in = *in;
    clean->despike = *despike;
    clean->nwindow = spikes_rows(despike);
    clean->count = count;
    operator_open(&clean->operator, & cleaning, in->groups);
    clean->operator.ahead = true;
    clean->place = groups_reserve(in->groups, history_size(clean));
    return &clean->operator;
}

struct clean_kept clean_kept(const struct operator* clean)
{
    return ((const struct clean *)clean)->kept;
}
