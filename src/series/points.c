/* Points that are states of the filter. See points.h. */
#include "series/points.h"

#include <math.h>
#include <string.h>

/* What a record holds of a channel. */
struct point_channel {
    double before, goal; /* goals of the samples on both sides */
    double near;         /* of an angle: what the points are printed near to */
    unsigned char flag;  /* enum row_flag of the sample after the points */
    bool gap;            /* the sample before the points is in a gap */
};

/* A record: the step, a point_channel and the state of each channel, the rotations. */
struct record {
    double *T;
    struct point_channel *channel;
    double *state;
    struct rotation_memory *rotation;
};

static struct record record_at(const struct filter_pass *pass, const void *bytes)
{
    const size_t n = pass->core->nchannel;
    char *next = (char *)(uintptr_t)bytes;
    struct record record = { .T = (double *)next };
    next += sizeof(double);
    record.channel = (struct point_channel *)next;
    next += n * sizeof *record.channel;
    record.state = (double *)next;
    next += n * pass->shape.nstate * sizeof *record.state;
    record.rotation = (struct rotation_memory *)next;
    return record;
}

size_t points_size(const struct filter_pass *pass)
{
    const struct core *core = pass->core;
    return sizeof(double) +
           core->nchannel * (sizeof(struct point_channel) + pass->shape.nstate * sizeof(double)) +
           core->input.units->nrotation * sizeof(struct rotation_memory);
}

/* The position of a sample among the points: a whole number if it is at one, but for rounding. */
static double position(double t, double hz)
{
    const double exact = hz * t, nearest = round(exact);
    return fabs(exact - nearest) <= 4 * DBL_EPSILON * nearest ? nearest : exact;
}

bool points_between(double before, double t, double hz)
{
    return hz > 0 && floor(position(before, hz)) + 1 < position(t, hz);
}

void points_begin(struct filter_pass *pass, const struct chunk *chunk)
{
    const struct core *core = pass->core;
    const struct record record = record_at(pass, pass->record);
    for (size_t c = 0; c < core->nchannel; c++) {
        const struct channel_state *channel = &chunk->memory->channel[c];
        record.channel[c] = (struct point_channel){ .before = channel->goal,
                                                    .near = channel->printed,
                                                    .gap = channel->gap.open };
    }
    memcpy(record.state, chunk->memory->state, core->nchannel * pass->shape.nstate * sizeof *record.state);
    memcpy(record.rotation, chunk->memory->rotation, core->input.units->nrotation * sizeof *record.rotation);
}

void points_end(struct filter_pass *pass, struct core *core, struct series *series, const struct chunk *chunk)
{
    const struct record record = record_at(pass, pass->record);
    *record.T = chunk->knots->T[chunk->at];
    for (size_t c = 0; c < core->nchannel; c++) {
        record.channel[c].goal = pass->goal_at[c][0];
        record.channel[c].flag = pass->flag_at[c] ? pass->flag_at[c][0] : 0;
    }
    core_record(core, series, chunk->memory->at, pass->record, points_size(pass));
}

/* --- reading --- */

/* Sets the goals of a unit at a part of the step. The goal jumps to that of the sample after the points at
 * the begin of the step, or moves there at constant speed. */
static void set_goals(struct filter_pass *pass, const struct record *record, const struct unit *unit,
                      double part)
{
    const struct filter_common *common = pass->core->settings;
    double before[4], goal[4], from[4], to[4], way[3];
    for (size_t k = 0; k < unit->n; k++) {
        before[k] = record->channel[unit->channel[k]].before;
        goal[k] = record->channel[unit->channel[k]].goal;
    }
    if (common->moves && unit_is_rotation(unit)) {
        unit_target(unit, record->rotation[unit->rotation].part, from);
        unit_target(unit, goal, to);
        unit_way(unit, from, to, way);
        unit_move(unit, from, way, part);
        unit_print(unit, goal, from, false, goal);
    }
    for (size_t k = 0; k < unit->n; k++) {
        if (common->moves && !unit_is_rotation(unit))
            goal[k] = before[k] + part * (goal[k] - before[k]);
        pass->goal[unit->channel[k] * (pass->maxrow + 1)] = goal[k];
    }
}

/* Is nothing printed of a channel at the points? */
static bool is_gap(const struct filter_pass *pass, const struct point_channel *channel)
{
    if (channel->flag & (FLAG_START | FLAG_NO_VALUE))
        return true;
    const bool missing = channel->gap || channel->flag & (FLAG_GAP | FLAG_CUT);
    return missing && !gaps_way(pass->core->input.settings->gaps)->printed;
}

void points_read(struct core *core, const void *bytes, double part, double *const *out, size_t row)
{
    struct filter_pass *pass = core->filter_pass;
    const size_t wide = pass->maxrow + 1, nout = pass->shape.nout, nwant = core->wanted.n;
    memcpy(pass->record, bytes, points_size(pass));
    const struct record record = record_at(pass, pass->record);
    double T = *record.T * part, t = 0;
    struct knots knots = { .T = &T, .t = &t };
    struct filter_series memory = { .at = 1, .rotation = record.rotation, .state = record.state };
    const struct chunk chunk = { .memory = &memory, .knots = &knots, .n = 1, .nknown = 1, .nread = 1 };
    coefficients_find(&pass->coefficients, &T, 1, 1);
    for (size_t i = 0; i < core->input.units->n; i++)
        set_goals(pass, &record, &core->input.units->at[i], part);
    for (size_t c = 0; c < core->nchannel; c++) {
        pass->goal_at[c] = pass->goal + c * wide;
        pass->flag_at[c] = pass->flag + c * wide;
        pass->flag_at[c][0] = record.channel[c].flag & FLAG_GAP;
        for (size_t o = 0; o < nout; o++)
            pass->out_at[c * nout + o] = pass->scratch;
        for (size_t k = 0; k < nwant; k++)
            pass->out_at[c * nout + core->wanted.output[k]] = out[c * nwant + k] + row;
    }
    filter_pass_run(pass, &chunk);
    for (size_t c = 0; c < core->nchannel; c++) {
        const struct unit *unit = units_of(core->input.units, c);
        double *value = out[c * nwant] + row;
        for (size_t k = 0; k < nwant && is_gap(pass, &record.channel[c]); k++)
            out[c * nwant + k][row] = (double)NAN;
        if (unit->kind == UNIT_ANGLE && core->wanted.output[0] == 0)
            *value = record.channel[c].near + remainder(*value - record.channel[c].near, unit->period);
    }
}
