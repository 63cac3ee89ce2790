/* What a filter did to its channels. See changes.h; the report is written in changes_report.c. */
#include "view/change_stats.h"

#include "series/output_columns.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Can what the filter prints be compared with what it reads? */
static bool comparable(const struct filter *filter)
{
    return !filter->keeps_cell && !filter->other_unit;
}

bool change_stats_check(const struct filter *filter, double limit, struct error *e)
{
    if (isnan(limit) || comparable(filter))
        return true;
    error_usage(e, "--max-change: %s",
                filter->keeps_cell ? "this filter leaves the channels as they are, and adds columns"
                                   : "what this filter prints is not of the kind that it reads");
    return error_hint(e, "leave --max-change out; --report tells velocities and gaps");
}

bool change_stats_open(struct change_stats *c, const struct reader *reader, const struct filter *filter,
                  const void *settings, const double *period,
                  const struct quaternions *quaternions, double rate, double limit, struct error *e)
{
    const struct columns *t = &reader->columns;
    *c = (struct change_stats){ .reader = reader,
                           .filter = filter,
                           .period = period,
                           .quaternions = quaternions,
                           .rate = rate,
                           .limit = limit,
                           .known = comparable(filter),
                           .nwant = filter_shape(filter, settings).nout,
                           .channel = calloc(t->nchannel + 1, sizeof *c->channel) };
    if (!c->channel)
        return error_memory(e);
    for (size_t k = 0; k < 3 && k < c->nwant; k++)
        c->has[k] = output_columns_output(filter, settings, k).derivative == (int)k;
    for (size_t i = 0; i < t->ncolumn; i++)
        if (t->column[i].role == ROLE_CHANNEL)
            c->channel[t->column[i].value] = (struct change){ .column = &t->column[i],
                                                              .time = (double)NAN,
                                                              .velocity = (double)NAN,
                                                              .acceleration = (double)NAN };
    return true;
}

void change_stats_close(struct change_stats *c)
{
    for (size_t i = 0; c->channel && i < c->reader->columns.nchannel; i++)
        free(c->channel[i].group);
    free(c->channel);
    free(c->cell.room);
}

double change_stats_rms(const struct change *c)
{
    return c->nrow ? c->scale * sqrt(c->squares / (double)c->nrow) : (double)NAN;
}

/* One more change of size d. */
static void add(struct change *c, double d, size_t i)
{
    c->nrow++;
    if (d > c->largest || c->nrow == 1) {
        c->largest = d;
        c->at = i;
    }
    if (d > c->scale) {
        c->squares = 1 + c->squares * (c->scale / d) * (c->scale / d);
        c->scale = d;
    } else if (d > 0) {
        c->squares += (d / c->scale) * (d / c->scale);
    }
}

/* How far x is from the input, in a channel with that period (0: no angle). */
static double distance(double x, double input, double period)
{
    return fabs(period > 0 ? remainder(x - input, period) : x - input);
}

/* The sign that brings the input of a quaternion in row i to the side of the output. */
static double side(const struct change_stats *c, const struct block *b, const struct quaternion *q, size_t i)
{
    double dot = 0;
    for (size_t k = 0; q && k < 4; k++)
        dot += block_value(b, q->channel[k])[i] * block_out(b, q->channel[k] * c->nwant)[i];
    return dot < 0 ? -1 : 1;
}

/* The rows of a block in one channel; the first row beyond the limit, or nrow. */
static size_t take_channel(struct change_stats *c, const struct block *b, size_t channel)
{
    struct change *change = &c->channel[channel];
    const double *input = block_value(b, channel), *out = block_out(b, channel * c->nwant);
    double period = c->period ? c->period[channel] : 0;
    const struct quaternion *q = quaternions_of(c->quaternions, channel);
    change->at = COLUMN_NONE;
    for (size_t i = 0; i < b->nrow; i++) {
        if (isnan(input[i])) {
            change->ngap++;
            continue;
        }
        double d = c->known ? distance(out[i], side(c, b, q, i) * input[i], period) : (double)NAN;
        if (isnan(d))
            continue;
        add(change, d, i);
        if (d > c->limit)
            return i;
    }
    return b->nrow;
}

/* The largest size of n numbers and most, which is NaN as long as there was none. */
static double most_of(const double *x, size_t n, double most)
{
    for (size_t i = 0; i < n; i++)
        if (!isnan(x[i]) && !(fabs(x[i]) <= most))
            most = fabs(x[i]);
    return most;
}

/* The time of row i as the time column has it; with a rate in seconds. NaN: there is none to tell. */
static double time_of(const struct change_stats *c, const struct block *b, size_t i)
{
    if (c->rate == 0)
        return b->stamp[i].t;
    /* Rows count in their own group, whose number is not known here. */
    return c->reader->columns.group == COLUMN_NONE ? (double)(c->nrow + i) / c->rate : (double)NAN;
}

/* Remembers where the largest change is before the block goes. */
static bool locate(struct change_stats *c, const struct block *b, struct change *change, struct error *e)
{
    size_t group = c->reader->columns.group;
    change->row = c->nrow + change->at + 1;
    change->time = time_of(c, b, change->at);
    if (group == COLUMN_NONE)
        return true;
    if (!format_plain(c->reader, b, change->at, group, &c->cell, e))
        return false;
    free(change->group);
    change->group = strndup(c->cell.text ? c->cell.text : "", c->cell.n);
    return change->group || error_memory(e);
}

static bool beyond(const struct change_stats *c, const struct block *b, size_t row, const struct change *change,
                   struct error *e)
{
    double number[] = { change->largest, c->limit, time_of(c, b, row) };
    char text[3][NUMBER_MAX + 1], time[NUMBER_MAX + 32] = "";
    for (size_t i = 0; i < 3; i++)
        text[i][isfinite(number[i]) ? number_print(text[i], number[i], &number_shortest) : 0] = 0;
    if (text[2][0])
        snprintf(time, sizeof time, " at time %s", text[2]);
    error_data(e, "the filter moves it by %s%s, and --max-change allows %s",
               text[0][0] ? text[0] : "more than a number can tell", time, text[1]);
    error_column(e, change->column->name);
    error_place(e, block_line(b, row), 0);
    return error_hint(e, "without --max-change, --report tells how far each channel is moved");
}

bool change_stats_take(void *closure, const struct block *b, struct error *e)
{
    struct change_stats *c = closure;
    size_t n = c->reader->columns.nchannel, first = b->nrow, culprit = 0;
    for (size_t i = 0; i < n; i++) {
        size_t bad = take_channel(c, b, i);
        if (bad < first) {
            first = bad;
            culprit = i;
        }
    }
    if (first < b->nrow)
        return beyond(c, b, first, &c->channel[culprit], e);
    for (size_t i = 0; i < n; i++) {
        struct change *change = &c->channel[i];
        const struct quaternion *q = quaternions_of(c->quaternions, i);
        bool rates = !q || q->channel[0] != i; /* w has none */
        if (c->has[1] && rates)
            change->velocity = most_of(block_out(b, i * c->nwant + 1), b->nrow, change->velocity);
        if (c->has[2] && rates)
            change->acceleration = most_of(block_out(b, i * c->nwant + 2), b->nrow, change->acceleration);
        if (change->at != COLUMN_NONE && !locate(c, b, change, e))
            return false;
    }
    c->nrow += b->nrow;
    return true;
}
