/* See mixed.h. */
#include "whole/kinds/mixed.h"

#include "base/array.h"
#include "base/hash.h"
#include "whole/kinds/clock.h"

#include <math.h>
#include <stdlib.h>

enum {
    ROWS_A_LABEL = 2,       /* fewest rows of a label, on average, where times are evidence */
    ROWS_A_LABEL_VALUE = 4, /* fewest rows of a label, on average, where values are evidence */
    LEAST_DISTANCES = 30    /* fewest distances that show anything about a channel */
};

/* Limits of the evidence by values. Measured on recorded takes whose columns were mixed row by row: four in
 * five mixed files are noticed; in the others the series lie near each other. Labels that have nothing to do
 * with the values reach a part of 0.35 where FAR_PART asks for 0.75; labels that are made from the values,
 * and those of rows that are outliers or lost, reach 0.7. */
#define FAR      4    /* distance to the row before, in distances to the last row of the label */
#define FAR_PART 0.75 /* part of the rows that are far from the row before */
#define CHANGES  0.4  /* part of the rows that have another label than the row before */
#define CHANNELS 0.5  /* part of the channels with evidence */

uint64_t mixed_label(const char *text, size_t n)
{
    for (; n > 0 && *text == ' '; n--)
        text++;
    while (n > 0 && text[n - 1] == ' ')
        n--;
    return hash_bytes(text, n);
}

bool mixed_open(struct mixed *mixed, size_t ncolumn, size_t nchannel, struct error *e)
{
    struct mixed_distance *distance;
    if (!arrays_make(e, ARRAY(mixed->before, nchannel + 1), ARRAY(distance, ncolumn * nchannel + 1)))
        return false;
    mixed->ncolumn = ncolumn;
    mixed->nchannel = nchannel;
    for (size_t k = 0; k < ncolumn; k++)
        mixed->column[k].distance = distance + k * nchannel;
    return true;
}

void mixed_free(struct mixed *mixed)
{
    for (size_t k = 0; k < mixed->ncolumn; k++) {
        name_table_free(&mixed->column[k].labels);
        free(mixed->column[k].time);
        free(mixed->column[k].value);
    }
    free(mixed->before);
    *mixed = (struct mixed){ 0 };
}

void mixed_drop(struct mixed *mixed, size_t column)
{
    mixed->column[column].useless = true;
}

/* --- rows --- */

/* Makes room for the values of one more label. Where there would be too many, none are kept. */
static bool add_values(struct mixed_column *column, size_t nchannel, struct error *e)
{
    const size_t n = column->nlabel * nchannel;
    if (column->nlabel > 0 && !column->value)
        return true;
    if (n + nchannel > MIXED_VALUES) {
        free(column->value);
        column->value = NULL;
        return true;
    }
    if (!array_reserve(&column->value, n + nchannel, &column->maxvalue, sizeof *column->value, e))
        return false;
    for (size_t c = 0; c < nchannel; c++)
        column->value[n + c] = NAN;
    return true;
}

/* Sets *number to that of a label, which may be new; MIXED_LABELS: there are more labels. */
static bool find_number(struct mixed_column *column, uint64_t label, size_t nchannel, size_t *number,
                        struct error *e)
{
    const struct name_key key = { .name = "", .scope = label };
    *number = name_table_find(&column->labels, key);
    if (*number != NAME_TABLE_NONE)
        return true;
    *number = column->nlabel;
    if (column->nlabel == MIXED_LABELS)
        return true;
    if (!array_reserve(&column->time, column->nlabel + 1, &column->maxtime, sizeof *column->time, e) ||
        !add_values(column, nchannel, e) || !name_table_put(&column->labels, key, column->nlabel, e))
        return false;
    column->time[column->nlabel++] = -(double)INFINITY;
    return true;
}

static void take_time(struct mixed_column *column, size_t number, double time)
{
    double *before = &column->time[number];
    column->repeats = column->repeats || time == *before;
    column->backward = column->backward || time < *before;
    *before = time;
}

/* Takes the distances of a value from the row before and from the last row of its label. Values that stay the
 * same for a label are no motion of a series: they may stand for samples that were lost. */
static void take_distances(struct mixed_distance *distance, double x, double before, double of_label)
{
    const double apart = fabs(x - before), within = fabs(x - of_label);
    if (!isfinite(apart) || !isfinite(within) || (apart == 0 && within == 0))
        return;
    distance->n++;
    distance->far += within > 0 && apart > FAR * within;
}

static void take_values(const struct mixed *mixed, struct mixed_column *column, size_t number, bool changed,
                        const double *value, size_t stride)
{
    double *of_label = column->value + number * mixed->nchannel;
    for (size_t c = 0; c < mixed->nchannel; c++) {
        const double x = value[c * stride];
        if (changed)
            take_distances(&column->distance[c], x, mixed->before[c], of_label[c]);
        of_label[c] = isnan(x) ? of_label[c] : x;
    }
}

/* Takes the row in one column of labels. */
static bool take_label(const struct mixed *mixed, struct mixed_column *column, double time, uint64_t label,
                       const double *value, size_t stride, struct error *e)
{
    size_t number;
    if (column->useless)
        return true;
    if (!find_number(column, label, mixed->nchannel, &number, e))
        return false;
    column->useless = number == MIXED_LABELS;
    if (column->useless)
        return true;
    const bool changed = mixed->nrow > 0 && number != column->now;
    take_time(column, number, time);
    if (column->value)
        take_values(mixed, column, number, changed, value, stride);
    column->nchange += changed;
    column->now = (uint32_t)number;
    return true;
}

bool mixed_take(struct mixed *mixed, double time, const uint64_t *label, const double *value, size_t stride,
                struct error *e)
{
    for (size_t k = 0; k < mixed->ncolumn; k++)
        if (!take_label(mixed, &mixed->column[k], time, label[k], value, stride, e))
            return false;
    for (size_t c = 0; c < mixed->nchannel; c++)
        mixed->before[c] = value[c * stride];
    mixed->nequal += mixed->nrow > 0 && time == mixed->time;
    mixed->backward = mixed->backward || (mixed->nrow > 0 && time < mixed->time);
    mixed->time = time;
    mixed->nrow++;
    return true;
}

/* --- verdict --- */

/* Are there two labels or more, with `least` rows or more per label on average, and does the time never run
 * backward within a label? */
static bool may_tell(const struct mixed *mixed, const struct mixed_column *column, size_t least)
{
    return !column->useless && !column->backward && column->nlabel > 1 &&
           mixed->nrow >= least * column->nlabel;
}

static bool tells_by_times(const struct mixed *mixed, const struct mixed_column *column)
{
    return may_tell(mixed, column, ROWS_A_LABEL) && (mixed->backward || !column->repeats);
}

static bool tells_by_values(const struct mixed *mixed, const struct mixed_column *column)
{
    size_t known = 0, far = 0;
    if (!may_tell(mixed, column, ROWS_A_LABEL_VALUE) || !column->value ||
        column->nchange < CHANGES * (double)mixed->nrow)
        return false;
    for (size_t c = 0; c < mixed->nchannel; c++) {
        const struct mixed_distance *distance = &column->distance[c];
        if (distance->n < LEAST_DISTANCES)
            continue;
        known++;
        far += distance->far >= FAR_PART * distance->n;
    }
    return far > 0 && (double)far >= CHANNELS * (double)known;
}

struct mixed_verdict mixed_judge(const struct mixed *mixed)
{
    const bool odd = mixed->backward || clock_is_coarse(mixed->nequal, mixed->nrow);
    for (size_t k = 0; odd && k < mixed->ncolumn; k++)
        if (tells_by_times(mixed, &mixed->column[k]))
            return (struct mixed_verdict){ MIXED_BY_TIMES, k };
    for (size_t k = 0; !mixed->backward && k < mixed->ncolumn; k++)
        if (tells_by_values(mixed, &mixed->column[k]))
            return (struct mixed_verdict){ MIXED_BY_VALUES, k };
    return (struct mixed_verdict){ MIXED_NOT, 0 };
}

size_t mixed_stretches(const struct mixed *mixed)
{
    for (size_t k = 0; k < mixed->ncolumn; k++) {
        const struct mixed_column *column = &mixed->column[k];
        if (!column->useless && column->nlabel > 1 && column->nchange == column->nlabel - 1)
            return k;
    }
    return MIXED_COLUMNS;
}
