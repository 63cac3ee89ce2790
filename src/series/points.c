/* Points that are states. See points.h. */
#include "series/points.h"

#include "base/array.h"
#include "whole/sample_grid.h"

#include <math.h>
#include <string.h>

bool points_between(const struct core *core, const struct knots *knots, size_t i)
{
    return floor(sample_grid_at(core->hz, knots->t[i - 1])) + 1 < sample_grid_at(core->hz, knots->t[i]);
}

/* A record: the memory of the filter before the sample after the points, then these. */
struct record {
    double *T;           /* of the step */
    double *goal;        /* [nchannel] of that sample, by place in the pass */
    unsigned char *flag; /* [nchannel] enum row_flag, likewise */
};

static struct record record_at(const struct filter_pass *pass, void *bytes)
{
    double *numbers = (double *)((char *)bytes + pass->nbyte);
    return (struct record){ numbers, numbers + 1, (unsigned char *)(numbers + 1 + pass->core->nchannel) };
}

size_t points_size(const struct filter_pass *pass)
{
    const size_t n = pass->core->nchannel, flags = (n + sizeof(double) - 1) / sizeof(double);
    return pass->nbyte + (1 + n + flags) * sizeof(double);
}

void points_keep(struct core *core, const struct chunk *chunk)
{
    const struct filter_pass *pass = core->filter_pass;
    struct series *series = chunk->series;
    const struct record record = record_at(pass, pass->record);
    const size_t n = points_size(pass);
    struct error e;
    *record.T = series->knots.T[chunk->at];
    for (size_t c = 0; c < core->nchannel; c++) {
        record.goal[c] = pass->goal_at[c][0];
        record.flag[c] = pass->flag_at[c] ? pass->flag_at[c][0] : 0;
    }
    if (series->firstrecord > 0) {
        series->nrecord -= series->firstrecord;
        memmove(series->record, series->record + series->firstrecord, series->nrecord);
        series->firstrecord = 0;
    }
    if (!array_reserve(&series->record, series->nrecord + n, &series->maxrecord, 1, &e)) {
        core_fail(core, series, chunk->memory->at, &e);
        return;
    }
    memcpy(series->record + series->nrecord, pass->record, n);
    series->nrecord += n;
}

void points_drop(const struct core *core, struct series *series)
{
    series->firstrecord += points_size(core->filter_pass);
}

/* Sets the goals of a unit at a part of the step. The goal jumps to that of the sample after the points at
 * the begin of the step, or moves there at constant speed. */
static void set_goals(struct filter_pass *pass, const struct filter_series *memory,
                      const struct record *record, const struct unit *unit, double part)
{
    const struct filter_common *common = pass->core->settings;
    double before[4], goal[4], from[4], to[4], way[3];
    const size_t place = filter_place_of(pass, unit);
    for (size_t k = 0; k < unit->n; k++) {
        before[k] = memory->channel[place + k].goal;
        goal[k] = record->goal[place + k];
    }
    if (common->moves) {
        unit_target(unit, before, from);
        unit_target(unit, goal, to);
        unit_way(unit, from, to, way);
        unit_move(unit, from, way, part);
        unit_print(unit, goal, from, false, goal);
    }
    for (size_t k = 0; k < unit->n; k++)
        *filter_own_goals(pass, place + k) = goal[k];
}

void points_of_states(struct core *core, const struct series *series, double part, struct knot_columns out)
{
    struct filter_pass *pass = core->filter_pass;
    const size_t nwant = core->wanted.n;
    const bool printed = core->input.settings->gaps == GAPS_FILL;
    memcpy(pass->record, series->record + series->firstrecord, points_size(pass));
    struct filter_series *memory = filter_memory(pass, pass->record);
    const struct record record = record_at(pass, pass->record);
    const double T = *record.T * part;
    coefficients_find(&pass->coefficients, &T, 1, 1);
    for (size_t i = 0; i < core->input.units->n; i++)
        set_goals(pass, memory, &record, &core->input.units->at[i], part);
    for (size_t c = 0; c < core->nchannel; c++) {
        pass->goal_at[c] = filter_own_goals(pass, c);
        pass->flag_at[c] = pass->flag + c * (pass->maxrow + 1);
        pass->flag_at[c][0] = record.flag[c] & FLAG_GAP;
    }
    filter_set_outputs(pass, out);
    filter_run(pass, memory, &T, 1);
    for (size_t c = 0; c < core->nchannel; c++) {
        const struct unit *unit = units_of(core->input.units, c);
        const struct channel_state *before = &memory->channel[pass->place[c]];
        const unsigned char flag = record.flag[pass->place[c]];
        const bool missing = before->open || flag & (FLAG_GAP | FLAG_CUT);
        double *value = knots_column(out, c * nwant);
        if (unit->period > 0 && core->wanted.output[0] == 0)
            *value = angle_near(*value, before->printed, unit->period);
        if (flag & (FLAG_START | FLAG_NO_VALUE) || (missing && !printed))
            for (size_t k = 0; k < nwant; k++)
                value[k * out.stride] = (double)NAN;
    }
}
