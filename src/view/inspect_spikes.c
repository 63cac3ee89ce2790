/* The spikes of each channel: those that --despike would bridge, by the same function. The components of a
 * vector or a rotation are judged together, as the filter does. See inspect.h. */
#include "base/array.h"
#include "series/rotations.h"
#include "view/inspect.h"
#include "whole/spike_track.h"

#include <math.h>
#include <stdlib.h>

/* The channels that are judged together. */
struct judged {
    struct spike_kind kind;
    const struct rotation *rotation; /* by the format or its names; else NULL */
    size_t channel[SPIKES_COMPONENTS];
};

/* What the judging of a table needs. */
struct judging {
    struct inspect_table *table;
    struct rotations rotations;
    struct column_vectors vectors;
    bool *done;          /* [nchannel] the channel has been judged with others; in one allocation with: */
    unsigned char *mark; /* [nrow] */
    double *target;      /* [nrow][4] */
};

static bool is_motion(const struct inspect_channel *channel)
{
    return channel->kind == INSPECT_VALUE || channel->kind == INSPECT_ANGLE ||
           channel->kind == INSPECT_ROTATION;
}

/* Sets the unit quaternions of rows first to end - 1; of missing rows they mean nothing. */
static void set_targets(const struct judging *judging, const struct judged *judged, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        double part[SPIKES_COMPONENTS], *target = judging->target + SPIKES_COMPONENTS * i;
        for (size_t k = 0; k < judged->kind.nnumber; k++)
            part[k] = inspect_value(&judging->table->rows, judged->channel[k])[i];
        if (judged->rotation) {
            rotations_target(judged->rotation, part, target);
            continue;
        }
        double length = sqrt(part[0] * part[0] + part[1] * part[1] + part[2] * part[2] + part[3] * part[3]);
        for (size_t k = 0; k < SPIKES_COMPONENTS; k++)
            target[k] = part[k] / length;
    }
}

static bool judge_series(const struct judging *judging, const struct judged *judged, size_t first, size_t end,
                         struct error *e)
{
    const struct spikes_settings settings = { .factor = INSPECT_DESPIKE, .window = -1 };
    const struct inspect_rows *rows = &judging->table->rows;
    struct spike_rows series = { .n = end - first, .time = rows->time + first };
    if (judged->kind.rotation)
        set_targets(judging, judged, first, end);
    series.target = judging->target + SPIKES_COMPONENTS * first;
    for (size_t k = 0; k < judged->kind.nnumber; k++)
        series.number[k] = inspect_value(rows, judged->channel[k]) + first;
    if (!spikes_find(&settings, &judged->kind, &series, judging->mark, e))
        return false;
    for (size_t i = 0; i < series.n; i++)
        for (size_t k = 0; k < judged->kind.nnumber && judging->mark[i] == SPIKE_BRIDGED; k++) {
            struct inspect_channel *channel = &judging->table->channel[judged->channel[k]];
            if (channel->nspike++ == 0)
                channel->spike_row = rows->number[first + i];
        }
    return true;
}

static bool judge(struct judging *judging, const struct judged *judged, struct error *e)
{
    const struct inspect_rows *rows = &judging->table->rows;
    for (size_t k = 0; k < judged->kind.nnumber; k++)
        judging->done[judged->channel[k]] = true;
    for (size_t first = 0, end; first < rows->nrow; first = end) {
        end = inspect_series_end(rows, first);
        if (!judge_series(judging, judged, first, end, e))
            return false;
    }
    return true;
}

/* --- what is judged together --- */

static bool judge_rotations(struct judging *judging, struct error *e)
{
    bool good = true;
    for (size_t i = 0; i < judging->rotations.n && good; i++) {
        const struct rotation *rotation = &judging->rotations.at[i];
        struct judged judged = { .rotation = rotation,
                                 .kind = { .nnumber = rotation->ncolumn, .rotation = true } };
        if (rotation->ncolumn == 3)
            judged.kind.turn = 0.5 / rotations_unit(rotation);
        for (size_t k = 0; k < rotation->ncolumn; k++)
            judged.channel[k] = rotation->channel[k];
        good = judge(judging, &judged, e);
    }
    return good;
}

/* Judges the vectors that the format tells, if all components are numbers that move. */
static bool judge_vectors(struct judging *judging, struct error *e)
{
    const struct columns *columns = &judging->table->reader->columns;
    bool good = true;
    for (size_t i = 0; i < judging->vectors.n && good; i++) {
        const struct column_vector *vector = &judging->vectors.at[i];
        struct judged judged = { .kind.nnumber = vector->n };
        bool filtered = true;
        for (size_t k = 0; k < vector->n; k++) {
            const struct column *column = &columns->column[vector->column[k]];
            filtered = filtered && column->role == ROLE_CHANNEL && !judging->done[column->value];
            judged.channel[k] = column->value;
        }
        good = !filtered || judge(judging, &judged, e);
    }
    return good;
}

static bool judge_channels(struct judging *judging, struct error *e)
{
    const struct inspect_table *table = judging->table;
    bool good = true;
    for (size_t c = 0; c < table->rows.nchannel && good; c++) {
        const struct inspect_channel *channel = &table->channel[c];
        struct judged judged = { .kind = { .nnumber = 1, .period = channel->period }, .channel = { c } };
        if (judging->done[c] || !is_motion(channel))
            continue;
        if (channel->kind == INSPECT_ROTATION && channel->rotation == channel->column) {
            judged = (struct judged){ .kind = { .nnumber = SPIKES_COMPONENTS, .rotation = true } };
            for (size_t k = 0; k < SPIKES_COMPONENTS; k++)
                judged.channel[k] = c + k;
        }
        good = judge(judging, &judged, e);
    }
    return good;
}

bool inspect_spikes_find(struct inspect_table *table, struct error *e)
{
    const struct columns *columns = &table->reader->columns;
    const struct rotation_settings lists = { 0 };
    const struct angle_settings angles = { .period = (double)NAN };
    size_t nchannel = table->rows.nchannel, nrow = table->rows.nrow;
    struct judging judging = { .table = table };
    bool good = arrays_make(e, ARRAY(judging.target, SPIKES_COMPONENTS * nrow), ARRAY(judging.mark, nrow),
                            ARRAY(judging.done, nchannel)) &&
                rotations_collect(&judging.rotations, columns, &lists, &angles, true, e) &&
                columns_vectors(columns, NULL, &judging.vectors, e) && judge_rotations(&judging, e) &&
                judge_vectors(&judging, e) && judge_channels(&judging, e);
    rotations_free(&judging.rotations);
    free(judging.vectors.at);
    free(judging.target);
    return good;
}
