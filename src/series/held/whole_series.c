/* A series whose rows are held: window by window (whole/smooth_window.h) the rows of a group are filtered
 * (held_filter.h). Where the whole series is needed, there is one window, when no more rows come. Auto
 * chooses by all rows of a group, which then are filtered window by window. See whole_series.h. */
#include "series/held/whole_series.h"

#include "base/array.h"
#include "series/held/held_filter.h"
#include "series/series_state.h"
#include "springs/cutoff.h"
#include "springs/filter_words.h"
#include "whole/choose_halflife.h"
#include "whole/smooth_cutoff.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The filtering of all groups: the operator's own memory. */
struct filtering {
    struct series *series;
    struct halflife_range *chosen; /* [nchannel] in the same allocation */
    struct held_filter filter;
    bool whole;     /* the curve needs all rows of a group; false: a window of rows is enough */
    bool automatic; /* a half-life or cutoff is chosen by all rows of a group */
    double period;  /* seconds of a wave at the lowest cutoff; INFINITY: one window takes all rows */
    struct filter_group *group;  /* the group under way */
    struct filter_group *ending; /* the group that was chosen for, and is not smoothed to its end; or NULL */

    /* Channels of groups where auto found almost no noise. */
    size_t nquiet;
    char first_quiet[200]; /* the first channel with almost no noise, in words */

    /* Channels of groups with too few values for auto, which are left as they are. */
    size_t nfew;
    char first_few[200]; /* the first channel with too few values, in words */
    bool filtered;       /* another channel is filtered */
};

/* --- the operator's own memory --- */

static struct filtering *filtering_of(const struct series *series)
{
    return series->own;
}

/* Why the curve of a group needs all its rows; NULL: a window is enough. */
static const char *needs_whole(const struct series_rows *in)
{
    if (gaps_way(in->settings->gaps)->printed)
        return "--gaps fill needs all rows at once";
    return in->units->nrotation > 0 ? "rotations need all rows at once" : NULL;
}

const char *whole_series_needs_all(const void *settings, const struct series_rows *in)
{
    return filter_automatic(settings) ? "auto needs all rows at once" : needs_whole(in);
}

bool smoothed_open(struct series *series, struct error *e)
{
    const struct series_config *config = &series->config;
    struct filtering *filtering;
    struct halflife_range *chosen;
    if (!arrays_make(e, ARRAY(filtering, 1), ARRAY(chosen, series->nchannel)))
        return false;
    filtering->series = series;
    filtering->chosen = chosen;
    filtering->whole = needs_whole(&config->in) != NULL;
    filtering->automatic = filter_automatic(config->settings) != NULL;
    filtering->period =
        filtering->whole || filtering->automatic ? INFINITY : smoothing_period(config->settings);
    for (size_t i = 0; i < series->nchannel; i++)
        filtering->chosen[i] = (struct halflife_range){ (double)NAN, (double)NAN };
    series->operator.ahead = true;
    series->own = filtering;
    series->nown = sizeof(struct held_rows);
    return held_filter_open(&filtering->filter, series, e);
}

static void close_held(struct operator* operator)
{
    struct series *series = series_of(operator);
    struct filtering *filtering = filtering_of(series);
    if (filtering)
        held_filter_close(&filtering->filter);
    free(filtering);
    series_free(series);
}

const struct halflife_range *whole_series_halflives(const struct operator* operator)
{
    const struct series *series = (const struct series *)operator;
    return series_has_steps(series) ? NULL : filtering_of(series)->chosen;
}

bool whole_series_leaves_all(const struct operator* operator)
{
    const struct series *series = (const struct series *)operator;
    const struct filtering *filtering = series_has_steps(series) ? NULL : filtering_of(series);
    return filtering && filtering->nfew > 0 && !filtering->filtered;
}

/* --- the half-life --- */

/* Notes the half-life that was chosen for a channel in a group, or that the channel has too few values. */
static void note_choice(struct filtering *filtering, size_t channel, const struct held_unit *unit)
{
    const struct series_config *config = &filtering->series->config;
    struct halflife_range *range = filtering->chosen + channel;
    char key[GROUP_SHOWN], group[GROUP_SHOWN + 20] = "";
    error_escape(filtering->group->group->key, filtering->group->group->nkey, key, sizeof key);
    if (key[0])
        snprintf(group, sizeof group, " of group \"%s\"", key);
    if (unit->few) {
        if (!filtering->series->operator.faulty && filtering->nfew++ == 0)
            snprintf(filtering->first_few, sizeof filtering->first_few, "\"%s\"%s",
                     plan_channel(config->in.plan, channel)->name, group);
        return;
    }
    const char *name = plan_channel(config->in.plan, channel)->name;
    if (unit->choice.empty) {
        if (config->verbose)
            messages_add(config->messages, config->file, "channel \"%s\"%s: no values for auto", name, group);
        return;
    }
    double halflife = unit->equivalent[EQUIVALENT_HALFLIFE].value;
    range->least = fmin(range->least, halflife); /* fmin and fmax pass over NaN */
    range->most = fmax(range->most, halflife);
    if (config->verbose)
        messages_add(config->messages, config->file,
                     "channel \"%s\"%s: auto chose half-life %.6g s, cutoff %.6g Hz", name, group, halflife,
                     unit->equivalent[EQUIVALENT_CUTOFF].value);
    if (unit->choice.quiet && filtering->nquiet++ == 0)
        snprintf(filtering->first_quiet, sizeof filtering->first_quiet, "\"%s\"%s", name, group);
}

/* Warns, in a single message, about the channels where auto found almost no noise. */
static void warn_of_quiet(const struct filtering *filtering)
{
    char more[60] = "";
    if (filtering->nquiet == 0)
        return;
    if (filtering->nquiet > 1)
        snprintf(more, sizeof more, " and %zu more", filtering->nquiet - 1);
    messages_add(filtering->series->config.messages, filtering->series->config.file,
                 "warning: channel %s%s: auto found almost no noise (was it smoothed already?) and changes "
                 "little; to smooth more, give --cutoff HZ instead, and see the change with --report",
                 filtering->first_quiet, more);
}

/* Says, in a single message, which channels are left as they are. */
static void note_few(const struct filtering *filtering)
{
    char more[60] = "";
    if (filtering->nfew == 0)
        return;
    if (filtering->nfew > 1)
        snprintf(more, sizeof more, " and %zu more", filtering->nfew - 1);
    messages_add(filtering->series->config.messages, filtering->series->config.file,
                 "channel %s%s: copied unchanged, as auto needs at least %d values", filtering->first_few,
                 more, CHOOSE_LEAST);
}

/* Chooses by the rows of the group under way, and notes what was chosen. After a fault nothing is noted: how
 * many rows of later groups are left depends on the blocks. */
static void choose_for_group(struct filtering *filtering, struct held_rows *held)
{
    struct held_filter *filter = &filtering->filter;
    const struct operator* operator= & filtering->series->operator;
    bool faulty = operator->faulty != NULL || operator->broken;
    held_filter_choose(filter, held);
    for (size_t i = 0; i < filter->nunit && !faulty; i++)
        for (size_t c = 0; c < filter->unit[i].unit->n && (filter->unit[i].chosen || filter->unit[i].few);
             c++)
            note_choice(filtering, filter->unit[i].unit->channel[c], &filter->unit[i]);
    for (size_t i = 0; i < filter->nunit && !faulty; i++)
        filtering->filtered |= !filter->unit[i].few && !filter->unit[i].choice.empty;
    filtering->period = filtering->whole ? INFINITY : 0;
    for (size_t i = 0; i < filter->nunit; i++)
        filtering->period = fmax(filtering->period, filter->unit[i].period);
}

/* --- groups --- */

/* Names the first channel in an error about a cutoff too high for its rows, `rate` per second, and what
 * helps. */
static void name_sparse(const struct series *series, double rate, struct error *e)
{
    error_column(e, plan_channel(series->config.in.plan, 0)->name);
    e->high_cutoff = true;
    error_hint(e, "try --cutoff %.4g for this file%s", cutoff_example(rate),
               series->config.keyed ? ", or leave out sparse channels with --exclude" : "");
}

/* Refuses a cutoff that the rows of the group under way do not show. False: the series has ended. */
static bool check_cutoff(struct filtering *filtering, struct held_rows *held,
                         const struct smooth_window *window)
{
    struct spot first = held_spot(held, 0);
    double rate;
    struct error e;
    if (!held_filter_row_rate(&filtering->filter, held, window, &rate, &e))
        return operator_fail(&filtering->series->operator, first, first, &e);
    if (smoothing_check_cutoff(filtering->series->config.settings, rate, &e))
        return true;
    name_sparse(filtering->series, rate, &e);
    return operator_fail(&filtering->series->operator, first, first, &e);
}

/* Filters a window of the group under way. keep: the first row that the next window needs. */
static void filter_window(struct filtering *filtering, struct held_rows *held,
                          const struct smooth_window *window, size_t keep)
{
    struct series *series = filtering->series;
    struct spot first = held_spot(held, window->from);
    struct error e;
    if (held->number == 0 && window->from == 0 && !check_cutoff(filtering, held, window))
        return;
    held_filter_smooth(&filtering->filter, held, window, keep);
    if (!held_rows_give(held, window->to, keep, &e))
        operator_fail(&series->operator, first, first, &e);
}

/* Lengthens a window until it ends with a row of the input, as a series does. False: that row is not there
 * yet. */
static bool end_with_row_read(const struct held_rows *held, struct smooth_window *window)
{
    while (window->n < held->nrow && held_is_point(held, window->n - 1))
        window->n++;
    return !held_is_point(held, window->n - 1);
}

/* Finds the next window of a group. False: its rows are not there yet. */
static bool next_window(const struct filtering *filtering, const struct held_rows *held,
                        struct smooth_window *window)
{
    double lookahead = filtering->series->config.lookahead;
    if (held->ngiven >= held->counted.n)
        return false;
    bool there = isnan(lookahead)
                     ? smooth_window_next(filtering->period, &held->counted, held->ngiven, window)
                     : smooth_window_of_row(lookahead, &held->counted, held->ngiven, window);
    return there && end_with_row_read(held, window);
}

/* Filters the next window of the group under way. False: its rows are not there. */
static bool filter_next(struct filtering *filtering)
{
    struct held_rows *held = filtering->group->own;
    struct smooth_window window;
    struct error e;
    bool there = !isinf(filtering->period) && next_window(filtering, held, &window);
    while (!there && !isinf(filtering->period) && held->counted.n < held->nrow) {
        struct spot first = held_spot(held, held->counted.n);
        if (!held_rows_count(held, filtering->series, filtering->period, &e))
            return operator_fail(&filtering->series->operator, first, first, &e);
        there = next_window(filtering, held, &window);
    }
    if (!there)
        return false;
    size_t keep = smooth_window_keep(filtering->period, &held->counted, window.to);
    filter_window(filtering, held, &window, keep);
    return true;
}

/* Leaves out the rows of a group that stand behind a fault. */
static void drop_rows_behind_fault(struct held_rows *held)
{
    for (; held->nrow > held->ngiven; held->nrow--) {
        struct spot last = held_spot(held, held->nrow - 1);
        if (last.row < last.block->nrow)
            break;
    }
    held->counted.n = held->counted.n < held->nrow ? held->counted.n : held->nrow;
}

/* Filters a window of a group that gets no more rows; what is left for a last window is filtered at once. */
static uint64_t end_group(struct operator* operator, struct group * of)
{
    struct series *series = series_of(operator);
    struct filtering *filtering = filtering_of(series);
    struct filter_group *group = series_group(series, of);
    struct held_rows *held = group->own;
    filtering->group = group;
    drop_rows_behind_fault(held);
    if (filtering->automatic && filtering->ending != group && held->nrow > held->ngiven)
        choose_for_group(filtering, held);
    filtering->ending = group;
    if (filtering->automatic && held->nrow > held->ngiven && filter_next(filtering))
        return held->number + held->ngiven;
    const struct smooth_window rest = { held->ngiven, held->nrow, held->nrow, true };
    if (rest.n > rest.from)
        filter_window(filtering, held, &rest, rest.n);
    filtering->ending = NULL;
    if (filtering->automatic)
        filtering->period = INFINITY;
    return group->rows->ntaken;
}

static void forget_group(struct operator* operator, struct group * group)
{
    struct held_rows *held = series_group(series_of(operator), group)->own;
    held_rows_free(held);
    *held = (struct held_rows){ .rows = NULL };
}

static void finish(struct operator* operator)
{
    warn_of_quiet(filtering_of(series_of(operator)));
    note_few(filtering_of(series_of(operator)));
    series_finish_warnings(operator);
}

/* --- rows --- */

/* A block that stays to the end gives back the room that it does not use. */
static void prepare(struct operator* operator, struct block * block)
{
    struct series *series = series_of(operator);
    series_prepare(series, block);
    if (isinf(filtering_of(series)->period) && block->nrow > 0)
        block_trim(block);
}

/* What is needed of the rows of a block until the last row has come is known now. */
static void pass(struct operator* operator, struct block * block)
{
    series_show_warnings(operator, block);
    if (isinf(filtering_of(series_of(operator))->period) && block->pending > 0)
        block_pack(block, !operator->last);
}

static uint64_t hold_rows(struct operator* operator, const struct group_rows * rows)
{
    struct series *series = series_of(operator);
    struct filtering *filtering = filtering_of(series);
    struct filter_group *group = series_begin_group(series, rows);
    struct held_rows *held = group->own;
    const struct spot begin = { rows->block, group_row(rows, 0) };
    struct error e;
    bool good = held_rows_begin(held, &series->config.in, group->rows, &e) ||
                operator_fail(operator, begin, begin, &e);
    for (size_t first = 0, n; first < rows->n && good; first += n) {
        struct chunk chunk = chunk_from(rows, first);
        chunk.n = chunk.n < series->maxrow ? chunk.n : series->maxrow;
        n = chunk.n;
        steps_take(series, group, &chunk);
        warnings_take_chunk(series, group, &chunk);
        good = held_rows_take(held, series, group, &chunk, &e) || operator_fail(operator, begin, begin, &e);
        series_pass(series, group, &chunk);
        filtering->group = group;
        while (series->operator.end == UINT64_MAX && filter_next(filtering))
            continue;
    }
    return held->number + held->ngiven;
}

const struct operator_kind series_smoothed = {
    .prepare = prepare,
    .take = hold_rows,
    .end = end_group,
    .forget = forget_group,
    .pass = pass,
    .finish = finish,
    .close = close_held,
};
