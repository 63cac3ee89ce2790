/* A series whose rows are held: window by window (whole/smooth_window.h) and unit by unit (numbers, angles,
 * rotations) the runs of samples at knots (knots.h) are filtered by whole/zero_phase.c, and the results go
 * into the rows. Where the whole series is needed, there is one window, when no more rows come. Here: which
 * half-life and settings a run is filtered with, which outputs are wanted, errors and messages. See
 * whole_series.h. */
#include "series/whole_series.h"

#include "base/array.h"
#include "series/knots.h"
#include "series/series_state.h"
#include "springs/cutoff.h"
#include "whole/choose_halflife.h"
#include "whole/smooth_cutoff.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDED 0.01 /* relative error of a rate by times that are rounded in print */

/* A chosen cutoff above this part of the row rate shows that there is hardly any noise. */
#define QUIET_FROM 0.25

/* The filtering of all groups: the mode's own memory. */
struct filtering {
    struct series *series;
    struct halflife_range *chosen; /* [nchannel] in the same allocation */
    double period; /* seconds of a wave at the lowest cutoff; INFINITY: the whole series is needed */
    size_t most;   /* rows of a window that there is room for */
    struct zero_phase *numbers;   /* filters runs of numbers and angles; NULL: the series has neither */
    struct zero_phase *rotations; /* filters runs of rotations; NULL: the series has no rotation */
    struct filter_group *group;   /* the group under way */
    struct knots knots;           /* of the group and unit under way */

    /* Channels of groups in which auto found next to no noise. */
    size_t nquiet;
    char first_quiet[200]; /* the first of these channels, in words */
};

bool whole_series_check(const struct filter *filter, const struct overrides *overrides,
                        const struct columns *columns, struct error *e)
{
    for (size_t i = 0; i < columns->ncolumn; i++) {
        const struct column *column = &columns->column[i];
        if (column->role == ROLE_CHANNEL &&
            !zero_phase_check_settings(filter, overrides->settings[overrides->of[column->value]], e))
            return error_column(e, column->name);
    }
    return true;
}

/* --- the mode's own memory --- */

static struct filtering *filtering_of(const struct series *series)
{
    return series->own;
}

static void free_rows(struct filter_group *group)
{
    held_rows_free(group->own);
}

const char *whole_series_needs_all(const struct filter *filter, const struct overrides *overrides,
                                   const struct series_rows *in)
{
    for (size_t i = 0; i < overrides->n; i++)
        if (filter_automatic(filter, overrides->settings[i]))
            return "auto chooses by all rows";
    if (in->settings->gaps == GAPS_FILL)
        return "--gaps fill puts one curve over gaps of any length";
    return in->rotations->n > 0 ? "rotations are smoothed as a whole" : NULL;
}

static bool open_held(struct series *series, struct error *e)
{
    const struct overrides *overrides = series->config.overrides;
    struct filtering *filtering;
    struct halflife_range *chosen;
    if (!arrays_make(e, ARRAY(filtering, 1), ARRAY(chosen, series->nchannel)))
        return false;
    filtering->series = series;
    filtering->chosen = chosen;
    filtering->knots.in = &series->config.in;
    filtering->knots.nwant = series->wanted.n;
    bool all = whole_series_needs_all(series->config.filter, overrides, &series->config.in) != NULL;
    filtering->period = all ? INFINITY : 0;
    for (size_t i = 0; i < overrides->n; i++)
        filtering->period = fmax(filtering->period, smoothing_period(overrides->settings[i]));
    for (size_t i = 0; i < series->nchannel; i++)
        filtering->chosen[i] = (struct halflife_range){ (double)NAN, (double)NAN };
    series->own = filtering;
    series->nown = sizeof(struct held_rows);
    return true;
}

static void free_filters(struct filtering *filtering)
{
    zero_phase_free(filtering->numbers);
    zero_phase_free(filtering->rotations);
    knots_free(&filtering->knots);
    filtering->numbers = filtering->rotations = NULL;
    filtering->knots.first = NULL;
}

static void close_held(struct series *series)
{
    struct filtering *filtering = filtering_of(series);
    if (filtering)
        free_filters(filtering);
    free(filtering);
}

const struct halflife_range *whole_series_halflives(const struct series *series)
{
    return series->mode == &series_held ? filtering_of(series)->chosen : NULL;
}

/* --- errors --- */

/* Ends the series before the first knot of a run, with error *e of a channel at a knot of the run. */
static void fail_at_knot(const struct filtering *filtering, size_t channel, struct sample_run run,
                         size_t knot, struct error *e)
{
    error_column(e, columns_channel(filtering->series->config.in.columns, channel)->name);
    series_fail(filtering->series, knots_spot(&filtering->knots, run.first),
                knots_spot(&filtering->knots, knot), e);
}

static void fail_too_large(const struct filtering *filtering, size_t channel, struct sample_run run,
                           size_t knot)
{
    struct error e;
    error_data(&e, "the filtered value is too large for a number here");
    fail_at_knot(filtering, channel, run, knot, &e);
}

/* --- the half-life --- */

/* Is there next to no white noise, where a cutoff in Hz was chosen? A channel whose values are all equal has
 * none, whatever the cutoff is. */
static bool is_quiet(const struct knots *knots, double cutoff, bool white)
{
    double time = 0, least = INFINITY, most = -INFINITY;
    for (size_t k = 0; k < knots->n; k++) {
        time += k > 0 ? knots->T[k] : 0;
        least = fmin(least, knots->value[k]); /* fmin and fmax pass over NaN */
        most = fmax(most, knots->value[k]);
    }
    bool moves = knots->unit->rotation || most > least;
    return knots->n > 1 && cutoff * time > QUIET_FROM * (double)(knots->n - 1) && moves && !white;
}

/* Notes the half-life that was chosen for a channel in a group. After a fault nothing is noted: how many rows
 * of later groups are left depends on the blocks. */
static void note_choice(struct filtering *filtering, size_t channel, struct choice choice)
{
    const struct series_config *config = &filtering->series->config;
    struct halflife_range *range = filtering->chosen + channel;
    struct equivalent all[MAXEQUIVALENT];
    char key[GROUP_SHOWN], group[GROUP_SHOWN + 20] = "";
    if (filtering->series->faulty)
        return;
    error_escape(filtering->group->group->key, filtering->group->group->nkey, key, sizeof key);
    if (key[0])
        snprintf(group, sizeof group, " of group \"%s\"", key);
    filter_equivalents(config->filter, config->overrides->settings[config->overrides->of[channel]],
                       choice.value, all);
    double halflife = all[EQUIVALENT_HALFLIFE].value, cutoff = all[EQUIVALENT_CUTOFF].value;
    range->least = fmin(range->least, halflife); /* fmin and fmax pass over NaN */
    range->most = fmax(range->most, halflife);
    const char *name = columns_channel(config->in.columns, channel)->name;
    if (config->verbose)
        messages_add(config->messages, config->file,
                     "channel \"%s\"%s: half-life %.6g s by Mallows' Cp, cutoff %.6g Hz", name, group,
                     halflife, cutoff);
    if (is_quiet(&filtering->knots, cutoff, choice.white) && filtering->nquiet++ == 0)
        snprintf(filtering->first_quiet, sizeof filtering->first_quiet, "\"%s\"%s", name, group);
}

/* Warns, in a single message, of the channels in which auto found next to no noise. */
static void warn_of_quiet(const struct filtering *filtering)
{
    char more[60] = "";
    if (filtering->nquiet == 0)
        return;
    if (filtering->nquiet > 1)
        snprintf(more, sizeof more, " and %zu more", filtering->nquiet - 1);
    messages_add(filtering->series->config.messages, filtering->series->config.file,
                 "warning: channel %s%s: auto found next to no noise from row to row: the data have "
                 "none, were smoothed before, or their noise is not white; --cutoff sets a cutoff",
                 filtering->first_quiet, more);
}

/* Sets *chosen to the half-life or cutoff that auto chooses for the unit; NaN: the settings leave
 * none to be chosen. False: the unit has too few values, and the series has ended. */
static bool find_choice(struct filtering *filtering, struct zero_phase *phase, const void *settings,
                        double *chosen)
{
    const struct knots *knots = &filtering->knots;
    const struct unit *unit = knots->unit;
    const struct samples all = knots_samples(knots);
    *chosen = (double)NAN;
    if (!filter_automatic(filtering->series->config.filter, settings))
        return true;
    struct choice choice;
    struct error e;
    if (!choose_halflife(phase, settings, &all, knots->run, knots->nrun, &choice, &e)) {
        fail_at_knot(filtering, unit->channel[0], knots->run[0], knots->run[0].first, &e);
        return false;
    }
    *chosen = choice.value;
    if (isnan(*chosen)) {
        error_data(&e, "auto needs at least %d values to tell noise from motion, and there are fewer",
                   CHOOSE_LEAST);
        error_hint(&e, "--halflife and --cutoff set the same for all channels");
        fail_at_knot(filtering, unit->channel[0], knots->run[0], knots->run[0].first, &e);
        return false;
    }
    for (size_t i = 0; i < unit->nchannel; i++)
        note_choice(filtering, unit->channel[i], choice);
    return true;
}

/* --- runs --- */

/* Puts a wanted output of a filtered run into its rows, sample by sample. False: a result is too large, and
 * the series has ended. */
static bool put_samples(struct filtering *filtering, struct zero_phase *phase, struct sample_run run,
                        size_t output)
{
    const struct wanted_outputs *wanted = &filtering->series->wanted;
    const struct unit *unit = filtering->knots.unit;
    /* The outputs of a linear filter without cuts are value, velocity and acceleration. */
    struct knot_result result = { .derivative = (unsigned)wanted->output[output] };
    for (size_t k = run.first; k <= run.last; k++) {
        if (!knots_wanted(&filtering->knots, k))
            continue;
        zero_phase_get(phase, result.derivative, k - run.first, result.x);
        result.at_goal = unit->rotation && result.derivative == 0 &&
                         zero_phase_unchanged(phase, k - run.first);
        knots_make_cells(&filtering->knots, k, &result);
        for (size_t i = 0; i < unit->nchannel; i++)
            if (!isfinite(result.x[i]) && wanted->prints[output]) {
                fail_too_large(filtering, unit->channel[i], run, k);
                return false;
            }
        knots_scatter(&filtering->knots, output, k, result.x);
    }
    return true;
}

/* Like put_samples, for numbers at rows of their own, which go into the rows as they are. */
static bool put_numbers(struct filtering *filtering, const struct zero_phase *phase, struct sample_run run,
                        size_t output)
{
    const struct wanted_outputs *wanted = &filtering->series->wanted;
    const struct knots *knots = &filtering->knots;
    const double *x = zero_phase_numbers(phase, (unsigned)wanted->output[output]);
    for (size_t k = run.first; k <= run.last && wanted->prints[output]; k++)
        if (!isfinite(x[k - run.first]) && knots_wanted(knots, k)) {
            fail_too_large(filtering, knots->unit->channel[0], run, k);
            return false;
        }
    knots_scatter_numbers(knots, output, run, x);
    return true;
}

/* Puts the wanted outputs of a filtered run into its rows. */
static void put_outputs(struct filtering *filtering, struct zero_phase *phase, struct sample_run run)
{
    const struct wanted_outputs *wanted = &filtering->series->wanted;
    bool plain = knots_are_numbers(&filtering->knots), good = true;
    unsigned derived = 0;
    for (size_t output = 0; output < wanted->n && good; output++) {
        while (derived < wanted->output[output])
            zero_phase_derive(phase, ++derived);
        good = plain ? put_numbers(filtering, phase, run, output) : put_samples(filtering, phase, run, output);
    }
}

/* Notes the time steps of the run that was filtered last, and whether the goal moves in the steps. */
static void note_steps(struct series *series, const struct zero_phase *phase)
{
    double shortest = 0, longest;
    if (series->config.verbose)
        zero_phase_steps(phase, &shortest, &longest);
    if (shortest > 0)
        steps_taken_add(&series->taken, shortest, longest);
}

/* Is the run a part of a longer one? One that does not reach over the wanted rows begins or ends there. */
static unsigned part_of(const struct knots *knots, struct sample_run run)
{
    unsigned part = ZERO_PHASE_WHOLE;
    if (knots->held->begun && knots_first_row(knots, run.first) < knots->from)
        part |= ZERO_PHASE_BEGUN;
    if (!knots->ends && knots_first_row(knots, run.last) >= knots->to)
        part |= ZERO_PHASE_GOES_ON;
    return part;
}

/* Smooths a run and puts the outputs into its wanted rows. */
static void filter_run(struct filtering *filtering, struct zero_phase *phase, struct sample_run run)
{
    const struct samples all = knots_samples(&filtering->knots), part = samples_of_run(&all, run);
    struct error e;
    if (!zero_phase_run(phase, &part, part_of(&filtering->knots, run), &e)) {
        fail_at_knot(filtering, filtering->knots.unit->channel[0], run, run.first, &e);
        return;
    }
    note_steps(filtering->series, phase);
    put_outputs(filtering, phase, run);
}

/* Prints gaps at the knots from to end - 1. */
static void put_gaps(const struct filtering *filtering, size_t from, size_t end)
{
    static const double gap[4] = { NAN, NAN, NAN, NAN };
    for (size_t k = from; k < end; k++)
        for (size_t o = 0; o < filtering->series->wanted.n && knots_wanted(&filtering->knots, k); o++)
            knots_scatter(&filtering->knots, o, k, gap);
}

/* Filters and prints a number, an angle or a rotation. */
static void filter_unit(struct filtering *filtering, const struct unit *unit)
{
    const struct series_config *config = &filtering->series->config;
    const void *settings = config->overrides->settings[config->overrides->of[unit->channel[0]]];
    struct zero_phase *phase = unit->rotation ? filtering->rotations : filtering->numbers;
    struct knots *knots = &filtering->knots;
    double chosen;
    if (series_leaves(filtering->series, unit->channel[0]))
        return;
    knots_gather(knots, unit,
                 isinf(filtering->period) ? INFINITY : SMOOTH_LONGEST_GAP * smoothing_period(settings));
    filtering->series->count.gaps += knots_count_gaps(knots);
    if (!find_choice(filtering, phase, settings, &chosen))
        return;
    zero_phase_use(phase, settings, chosen);
    size_t next = 0; /* the knot after the last run */
    for (size_t i = 0; i < knots->nrun; i++) {
        put_gaps(filtering, next, knots->run[i].first);
        filter_run(filtering, phase, knots->run[i]);
        next = knots->run[i].last + 1;
    }
    put_gaps(filtering, next, knots->n);
}

/* --- groups --- */

/* Names the first channel with settings number `set` in an error about too few rows, and what helps. */
static void name_sparse(const struct series *series, size_t set, struct error *e)
{
    const struct overrides *overrides = series->config.overrides;
    size_t channel = 0;
    while (channel + 1 < series->nchannel &&
           (overrides->of[channel] != set || series_leaves(series, channel)))
        channel++;
    error_column(e, columns_channel(series->config.in.columns, channel)->name);
    error_hint(e, "--exclude leaves channels of few rows or keys as they are; sprung tracking --resample 60 "
                  "--to csv makes rows between first");
}

/* Refuses a cutoff that the rows of the group under way do not show. False: the series has ended. */
static bool check_cutoff(struct filtering *filtering)
{
    const struct overrides *overrides = filtering->series->config.overrides;
    double rate = knots_row_rate(&filtering->knots);
    struct error e;
    for (size_t i = 0; i < overrides->n; i++) {
        const struct filter_common *common = overrides->settings[i];
        if (filter_automatic(filtering->series->config.filter, common) ||
            !(common->cutoff > rate * CUTOFF_MOST_OF_RATE * (1 + ROUNDED)))
            continue;
        error_usage(&e, "--cutoff %g: rows show cutoffs below %g of their rate, %.4g Hz by the times",
                    common->cutoff, CUTOFF_MOST_OF_RATE, rate * CUTOFF_MOST_OF_RATE);
        name_sparse(filtering->series, i, &e);
        return series_fail(filtering->series, knots_spot(&filtering->knots, 0),
                           knots_spot(&filtering->knots, 0), &e);
    }
    return true;
}

/* Makes the filters and the knots, with room for windows of this many rows. */
static bool make_filters(struct filtering *filtering, size_t most, struct error *e)
{
    const struct series *series = filtering->series;
    const struct rotations *all = series->config.in.rotations;
    bool number = false, rotation = false;
    if (most <= filtering->most)
        return true;
    free_filters(filtering);
    filtering->most = isinf(filtering->period) ? most : 2 * most;
    for (size_t i = 0; i < all->nunit; i++) {
        rotation |= all->unit[i].rotation != NULL;
        number |= all->unit[i].rotation == NULL;
    }
    if (!knots_make(&filtering->knots, filtering->most, rotation, e))
        return false;
    if (number &&
        !(filtering->numbers = zero_phase_make(series->config.filter, filtering->most, SAMPLE_NUMBER, e)))
        return false;
    return !rotation || (filtering->rotations = zero_phase_make(series->config.filter, filtering->most,
                                                                SAMPLE_ROTATION, e));
}

/* Filters a window of the group under way: first its numbers and angles, in the order of channels, then its
 * rotations, in the order in which rotations_collect found the rotations. Messages come in this order. False:
 * the series has ended. */
static bool filter_window(struct filtering *filtering, struct held_rows *held,
                          const struct smooth_window *window)
{
    const struct rotations *all = filtering->series->config.in.rotations;
    size_t keep = smooth_window_keep(filtering->period, held->since, window->to);
    struct error e;
    if (!make_filters(filtering, window->n, &e))
        return series_fail(filtering->series, held->row[window->from], held->row[window->from], &e);
    knots_take_rows(&filtering->knots, held, window, keep);
    if (!held->begun && window->from == 0 && !check_cutoff(filtering))
        return false;
    for (size_t i = 0; i < all->nunit; i++)
        if (!all->unit[i].rotation)
            filter_unit(filtering, &all->unit[i]);
    for (size_t i = 0; i < all->n; i++)
        filter_unit(filtering, &all->unit[all->at[i].unit]);
    for (size_t row = window->from; row < window->to; row++)
        held->row[row].block->pending--;
    held->ngiven = window->to;
    held_rows_drop(held, filtering->series->nchannel, keep);
    return filtering->series->end == UINT64_MAX;
}

/* Finds the next window of a group. False: its rows are not there yet. */
static bool next_window(const struct filtering *filtering, const struct held_rows *held,
                        struct smooth_window *window)
{
    double lookahead = filtering->series->config.lookahead;
    if (!isnan(lookahead))
        return smooth_window_of_row(lookahead, held->since, held->nrow, held->ngiven, window);
    return smooth_window_next(filtering->period, held->since, held->nrow, held->ngiven, window);
}

/* Filters the windows of a group whose rows are there. False: the series has ended. */
static bool filter_windows(struct filtering *filtering, struct filter_group *group)
{
    struct held_rows *held = group->own;
    struct smooth_window window;
    bool good = true;
    filtering->group = group;
    while (good && next_window(filtering, held, &window))
        good = filter_window(filtering, held, &window);
    return good;
}

/* Filters the rows of a group that are left when no more come. Rows behind a fault do not count. */
static void filter_rest(struct filtering *filtering, struct filter_group *group)
{
    struct held_rows *held = group->own;
    for (; held->nrow > held->ngiven; held->nrow--) {
        struct spot last = held->row[held->nrow - 1];
        if (last.row < last.block->nrow)
            break;
    }
    const struct smooth_window window = { held->ngiven, held->nrow, held->nrow, true };
    filtering->group = group;
    if (held->nrow > held->ngiven)
        filter_window(filtering, held, &window);
}

/* No more rows of a group come: what is held of the group is freed. */
static void finish_group(struct series *series, struct filter_group *group)
{
    filter_rest(filtering_of(series), group);
    held_rows_free(group->own);
    memset(group->own, 0, sizeof(struct held_rows));
}

static void filter_held(struct series *series)
{
    struct filtering *filtering = filtering_of(series);
    const struct groups *groups = series->config.in.groups;
    for (struct group *group = NULL; (group = groups_each(groups, group));) {
        struct filter_group *own = series_group(series, group);
        if (own->nseen > 0)
            filter_rest(filtering, own);
    }
    warn_of_quiet(filtering);
}

/* --- rows --- */

/* A block that stays to the end gives back the room that it does not use. */
static void trim(struct series *series, struct block *block)
{
    if (isinf(filtering_of(series)->period) && block->nrow > 0)
        block_trim(block);
}

/* Adds the rows of a chunk, whose steps are known, to the rows of the group. */
static bool hold_chunk(struct series *series, struct filter_group *group, const struct chunk *chunk)
{
    struct held_rows *held = group->own;
    struct spot first = { chunk->block, new_row(chunk, 0) };
    struct error e;
    if (!held_rows_reserve(held, series->nchannel, chunk->n, &e))
        return series_fail(series, first, first, &e);
    for (size_t j = 0; j < chunk->n; j++) {
        size_t row = new_row(chunk, j), to = held->nrow + j;
        held->row[to] = (struct spot){ chunk->block, row };
        held->T[to] = series->T[j];
        held->since[to] = to > 0 ? held->since[to - 1] + series->T[j] : 0;
        held->time[to] = steps_time(series, group, chunk, j);
        held->read[to] = block_row_read(chunk->block, row);
    }
    for (size_t c = 0; c < series->nchannel; c++) {
        const double *from = block_goal(chunk->block, c);
        double *to = held->goal + c * held->maxrow + held->nrow;
        for (size_t j = 0; j < chunk->n; j++)
            to[j] = from[new_row(chunk, j)];
    }
    held->nrow += chunk->n;
    return true;
}

static void hold_rows(struct series *series, struct filter_group *group, const struct group_rows *rows)
{
    bool good = true;
    for (size_t first = 0, n; first < rows->n && good; first += n) {
        struct chunk chunk = chunk_from(rows, first);
        chunk.n = chunk.n < series->maxrow ? chunk.n : series->maxrow;
        n = chunk.n;
        steps_take(series, group, &chunk);
        warnings_take_chunk(series, group, &chunk);
        good = hold_chunk(series, group, &chunk);
        series_pass(series, group, &chunk);
        if (good && series->end == UINT64_MAX && !isinf(filtering_of(series)->period))
            filter_windows(filtering_of(series), group);
    }
}

const struct series_mode series_held = {
    .holds = true,
    .open = open_held,
    .close = close_held,
    .check = trim,
    .take = hold_rows,
    .finish = filter_held,
    .finish_group = finish_group,
    .free_group = free_rows,
};
