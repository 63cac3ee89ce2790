/* The rows of each group become samples of whole/noise/spikes.h; its verdicts become goals. Rows are numbered
 * within their group, from 0. See despike.h. */
#include "series/clean/despike.h"

#include "base/array.h"
#include "springs/rotations/rotation.h"
#include "whole/noise/spikes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A group. Zeroed before its first row. */
struct despike_group {
    struct spikes spikes;
    struct timestamp begin; /* time of the first row */
    size_t n, final;        /* rows taken, rows that are final */
    size_t *sample;         /* [n - final] number of the sample that each waiting row is part of; owned */
    size_t max;             /* room in sample */
};

struct despike {
    struct operator operator;
    struct series_rows in;
    double factor;
    struct clean_count *count; /* [nchannel] */
    struct despike_kept kept;
    struct spike_kind *kind; /* [nunit] owned */
    size_t place;            /* of the struct despike_group in a group's state */
};

/* --- samples --- */

/* Makes room for more rows of a group. */
static bool make_room(const struct despike *despike, struct despike_group *group, size_t more,
                      struct error *e)
{
    const size_t nunit = despike->in.units->n;
    if (!group->spikes.unit && !spikes_open(&group->spikes, despike->factor, despike->kind, nunit, e))
        return false;
    return array_reserve(&group->sample, group->n - group->final + more, &group->max, sizeof *group->sample,
                         e) &&
           spikes_reserve(&group->spikes, more, e);
}

/* Adds the times of rows. */
static void add_times(const struct despike *despike, struct despike_group *group,
                      const struct group_rows *rows)
{
    size_t *sample = group->sample + (group->n - group->final);
    for (size_t k = 0; k < rows->n; k++) {
        const size_t i = group_row(rows, k);
        const struct timestamp time = series_time(&despike->in, rows->block, i, group->n + k);
        const bool first = group->n + k == 0;
        if (first)
            group->begin = time;
        sample[k] = spikes_add(&group->spikes,
                               timestamp_between(&group->begin, &time, series_unit(&despike->in)),
                               !first && block_has_mark(rows->block, i, MARK_CUT));
    }
}

/* Adds the numbers of a unit in rows whose times were added. */
static void add_numbers(const struct despike *despike, struct despike_group *group, size_t number,
                        const struct group_rows *rows)
{
    const struct unit *unit = &despike->in.units->at[number];
    const size_t *sample = group->sample + (group->n - group->final);
    const double *goal[SPIKES_COMPONENTS];
    for (size_t c = 0; c < unit->n; c++)
        goal[c] = block_goal(rows->block, unit->channel[c]);
    for (size_t k = 0; k < rows->n; k++) {
        double numbers[SPIKES_COMPONENTS], target[SPIKES_COMPONENTS];
        for (size_t c = 0; c < unit->n; c++)
            numbers[c] = goal[c][group_row(rows, k)];
        if (unit_is_rotation(unit))
            unit_target(unit, numbers, target);
        spikes_set(&group->spikes, number, sample[k], numbers, target);
    }
}

/* --- verdicts --- */

/* Keeps what may be a spike. */
static void keep(struct despike *despike, const struct unit *unit, struct spot at)
{
    struct despike_kept *kept = &despike->kept;
    const uint64_t row = at.block->firstrow + at.row + 1;
    const size_t channel = unit->channel[0];
    for (size_t c = 0; c < unit->n; c++)
        despike->count[unit->channel[c]].kept++;
    if (kept->n == 0 || row < kept->row || (row == kept->row && channel < kept->channel))
        *kept = (struct despike_kept){ kept->n, row, channel };
    kept->n++;
}

/* Replaces a spike. */
static void replace(struct despike *despike, const struct spikes *spikes, size_t number, size_t sample,
                    struct spot at)
{
    const struct unit *unit = &despike->in.units->at[number];
    double x[SPIKES_COMPONENTS], near[SPIKES_COMPONENTS];
    double goal[SPIKES_COMPONENTS] = { NAN, NAN, NAN, NAN };
    const bool bridged = spikes_bridge(spikes, number, sample, x, near);
    if (bridged && unit->period > 0)
        x[0] -= unit->period * angle_turns(x[0] - near[0], unit->period);
    if (bridged)
        unit_print(unit, near, x, false, goal);
    for (size_t c = 0; c < unit->n; c++) {
        struct clean_count *count = &despike->count[unit->channel[c]];
        block_goal(at.block, unit->channel[c])[at.row] = goal[c];
        count->spikes++;
        count->emptied += !bridged;
    }
}

/* Makes the verdicts on the rows of decided samples. Returns how many rows are final. */
static uint64_t settle(struct despike *despike, const struct group *of, size_t decided)
{
    struct despike_group *group = group_state(of, despike->place);
    const struct operator_rows *rows = operator_rows_of(&despike->operator, of);
    const size_t waiting = group->n - group->final;
    size_t n = 0;
    while (n < waiting && group->sample[n] < decided)
        n++;
    for (size_t u = 0; u < despike->in.units->n; u++) {
        const struct unit *unit = &despike->in.units->at[u];
        for (size_t k = 0; k < n; k++) {
            double number[SPIKES_COMPONENTS];
            const enum spike_out verdict = spikes_verdict(&group->spikes, u, group->sample[k]);
            if (verdict == SPIKE_NONE)
                continue;
            const struct spot at = operator_spot(rows, group->final + k);
            if (!series_goals(unit, at, number))
                continue;
            if (verdict == SPIKE)
                replace(despike, &group->spikes, u, group->sample[k], at);
            else
                keep(despike, unit, at);
        }
    }
    memmove(group->sample, group->sample + n, (waiting - n) * sizeof *group->sample);
    group->final += n;
    return group->final;
}

/* --- the operator --- */

static uint64_t take(struct operator* operator, const struct group_rows * rows)
{
    struct despike *despike = (struct despike *)operator;
    struct despike_group *group = group_state(rows->group, despike->place);
    const struct spot first = { rows->block, 0 };
    struct error e;
    if (operator->end != UINT64_MAX)
        return group->final;
    if (!make_room(despike, group, rows->n, &e)) {
        operator_fail(operator, first, first, &e);
        return group->final;
    }
    add_times(despike, group, rows);
    for (size_t u = 0; u < despike->in.units->n; u++)
        add_numbers(despike, group, u, rows);
    group->n += rows->n;
    return settle(despike, rows->group, spikes_judge(&group->spikes, false));
}

/* Out of memory, samples may lack, and nothing is judged. */
static uint64_t end(struct operator* operator, struct group * of)
{
    struct despike *despike = (struct despike *)operator;
    struct despike_group *group = group_state(of, despike->place);
    if (operator->end == UINT64_MAX)
        settle(despike, of, spikes_judge(&group->spikes, true));
    return operator_rows_of(operator, of)->ntaken;
}

static void forget(struct operator* operator, struct group * of)
{
    const struct despike *despike = (const struct despike *)operator;
    struct despike_group *group = group_state(of, despike->place);
    spikes_free(&group->spikes);
    free(group->sample);
    *group = (struct despike_group){ 0 };
}

static void close(struct operator* operator)
{
    free(((struct despike *)operator)->kind);
    free(operator); /* the first member of the struct despike */
}

static const struct operator_kind despiking = { .take = take, .end = end, .forget = forget, .close = close };

struct operator*
    despike_open(const struct series_rows *in, double factor, struct clean_count *count, struct error *e)
{
    struct despike *despike;
    if (!arrays_make(e, ARRAY(despike, 1)))
        return NULL;
    despike->in = *in;
    despike->factor = factor;
    despike->count = count;
    operator_open(&despike->operator, & despiking, in->groups);
    despike->operator.ahead = true;
    despike->place = groups_reserve(in->groups, sizeof(struct despike_group));
    if (!arrays_make(e, ARRAY(despike->kind, in->units->n))) {
        free(despike);
        return NULL;
    }
    for (size_t u = 0; u < in->units->n; u++)
        despike->kind[u] = unit_spike_kind(&in->units->at[u]);
    return &despike->operator;
}

struct despike_kept despike_kept(const struct operator* despike)
{
    return ((const struct despike *)despike)->kept;
}
