/* How far a filter moves its channels. See change_stats.h; the report is written in change_report.c. */
#include "view/change_stats.h"

#include "base/array.h"

#include <math.h>
#include <stdlib.h>

bool change_stats_check(const struct filter *filter, double limit, struct error *e)
{
    if (isnan(limit) || !(filter->keeps_cell || filter->other_unit))
        return true;
    error_usage(e, "--max-change: %s",
                filter->keeps_cell ? "this filter leaves the channels as they are, and adds columns"
                                   : "what this filter prints is not of the kind that it reads");
    return error_hint(e, "leave --max-change out; --report tells velocities and gaps");
}

bool change_stats_open(struct change_stats *c, const void *settings, struct error *e)
{
    const struct columns *t = &c->reader->columns;
    c->comparable = !c->filter->keeps_cell && !c->filter->other_unit;
    c->nout = filter_shape(c->filter, settings).nout;
    if (!arrays_make(e, ARRAY(c->channel, t->nchannel)))
        return false;
    for (size_t i = 0; i < t->ncolumn; i++)
        if (t->column[i].role == ROLE_CHANNEL) {
            struct change *change = &c->channel[t->column[i].value];
            change->column = &t->column[i];
            for (size_t k = 0; k < CHANGE_GAPS; k++)
                change->number[k] = (double)NAN;
        }
    return true;
}

void change_stats_close(struct change_stats *c)
{
    for (size_t i = 0; c->channel && i < c->reader->columns.nchannel; i++)
        free(c->channel[i].group);
    free(c->channel);
    free(c->cell.room);
}

/* Adds to the sum of squares. */
static void add_square(struct change *c, double d)
{
    if (d > c->scale) {
        c->squares = 1 + c->squares * (c->scale / d) * (c->scale / d);
        c->scale = d;
    } else if (d > 0) {
        c->squares += (d / c->scale) * (d / c->scale);
    }
}

/* The angle between input and output of a rotation by three angles, in their unit. */
static double change_of_angles(const struct change_stats *c, const struct block *b, const struct rotation *r,
                               size_t i)
{
    double in[4], out[4], from[4], to[4], way[4], v[3];
    for (size_t k = 0; k < r->ncolumn; k++) {
        in[k] = block_value(b, r->channel[k])[i];
        out[k] = block_out(b, r->channel[k] * c->nout)[i];
    }
    rotations_target(r, in, from);
    rotations_target(r, out, to);
    rotation_between(to, from, way);
    rotation_log(way, v);
    return rotations_unit(r) * sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* The change of a channel in row i, not negative; NaN: there is none. */
static double change_of(const struct change_stats *c, const struct block *b, size_t channel, size_t i)
{
    const struct rotation *q = rotations_of(c->rotations, channel);
    double x = block_out(b, channel * c->nout)[i], input = block_value(b, channel)[i], dot = 0;
    double period = c->rotations->period ? c->rotations->period[channel] : 0;
    if (q && q->ncolumn == 3)
        return change_of_angles(c, b, q, i);
    for (size_t k = 0; q && k < 4; k++)
        dot += block_value(b, q->channel[k])[i] * block_out(b, q->channel[k] * c->nout)[i];
    input = dot < 0 ? -input : input; /* q and -q are the same rotation */
    return fabs(period > 0 ? remainder(x - input, period) : x - input);
}

/* The time of row i in the time column's unit, or in seconds if there is a rate; NaN: not known. */
static double time_of(const struct change_stats *c, const struct block *b, size_t i)
{
    if (c->rate == 0)
        return b->time[i].t;
    /* In groups a row's number within its group would be needed. */
    return c->reader->columns.group == COLUMN_NONE ? (double)(c->nrow + i) / c->rate : (double)NAN;
}

/* Stores row, time and group of the largest change, in row i. */
static bool locate(struct change_stats *c, const struct block *b, struct change *change, size_t i,
                   struct error *e)
{
    size_t group = c->reader->columns.group;
    change->number[CHANGE_ROW] = (double)(c->nrow + i + 1);
    change->number[CHANGE_TIME] = time_of(c, b, i);
    if (group == COLUMN_NONE)
        return true;
    if (!format_plain(c->reader, b, i, group, &c->cell, e))
        return false;
    free(change->group);
    change->group = strndup(c->cell.text ? c->cell.text : "", c->cell.n);
    return change->group || error_memory(e);
}

/* Adds a block's rows to one channel. *last: rows to compare; if the change of an earlier row is beyond the
 * limit, it becomes that row, and *beyond the channel. */
static bool add_channel(struct change_stats *c, const struct block *b, size_t channel, size_t *last,
                        const struct change **beyond, struct error *e)
{
    struct change *change = &c->channel[channel];
    const struct rotation *q = rotations_of(c->rotations, channel);
    const double *input = block_value(b, channel);
    double *number = change->number;
    size_t at = COLUMN_NONE; /* row of the largest change */
    for (size_t i = 0; i < *last; i++) {
        double d = isnan(input[i]) || !c->comparable ? (double)NAN : change_of(c, b, channel, i);
        number[CHANGE_GAPS] += isnan(input[i]) != 0;
        if (isnan(d))
            continue;
        if (!(d <= number[CHANGE_LARGEST])) {
            number[CHANGE_LARGEST] = d;
            at = i;
        }
        change->nrow++;
        add_square(change, d);
        if (d > c->limit) {
            *last = i;
            *beyond = change;
        }
    }
    bool rates = !(q && q->ncolumn == 4 && q->channel[0] == channel); /* w has none */
    for (size_t k = 1; rates && k < c->filter->shape.nout; k++) {
        double *most = &number[CHANGE_VELOCITY + k - 1];
        for (size_t i = 0; i < b->nrow; i++)
            *most = fmax(*most, fabs(block_out(b, channel * c->nout + k)[i]));
    }
    return at == COLUMN_NONE || locate(c, b, change, at, e);
}

/* The error that a change in that row is beyond the limit. */
static void report_beyond(const struct change_stats *c, const struct block *b, size_t row,
                          const struct change *change, struct error *e)
{
    double number[] = { change->number[CHANGE_LARGEST], c->limit, time_of(c, b, row) };
    char text[3][NUMBER_MAX + 1];
    for (size_t i = 0; i < 3; i++)
        text[i][isfinite(number[i]) ? number_print(text[i], number[i], &number_shortest) : 0] = 0;
    error_data(e, "the filter moves it by %s%s%s, and --max-change allows %s",
               text[0][0] ? text[0] : "more than a number can tell", text[2][0] ? " at time " : "", text[2],
               text[1]);
    error_column(e, change->column->name);
    error_place(e, block_line(b, row));
    error_hint(e, "without --max-change, --report tells how far each channel is moved");
}

bool change_stats_add(struct change_stats *c, const struct block *b, struct error *e)
{
    const struct change *beyond = NULL;
    size_t last = b->nrow;
    for (size_t i = 0; i < c->reader->columns.nchannel; i++)
        if (!add_channel(c, b, i, &last, &beyond, e))
            return false;
    if (beyond) {
        report_beyond(c, b, last, beyond, &c->beyond);
        c->beyond.line += c->beyond.line ? b->firstline - 1 : 0;
        c->limit = (double)NAN;
    }
    c->nrow += b->nrow;
    return true;
}
