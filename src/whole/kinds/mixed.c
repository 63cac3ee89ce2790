/* See mixed.h. */
#include "whole/kinds/mixed.h"

#include "base/array.h"
#include "base/hash.h"
#include "whole/kinds/clock.h"

#include <math.h>
#include <stdlib.h>

enum {
    ROWS_A_LABEL = 2, /* fewest rows of a label, on average, where times show it */
    ROWS_A_TURN = 4,  /* where labels take turns */
    LEAST_ROWS = 30   /* fewer rows show no labels that take turns */
};

#define CHANGES                                                                                              \
    0.9 /* part of the rows that have another label than the row before, where labels take turns */

uint64_t mixed_label(const char *text, size_t n)
{
    for (; n > 0 && *text == ' '; n--)
        text++;
    while (n > 0 && text[n - 1] == ' ')
        n--;
    return hash_bytes(text, n);
}

void mixed_free(struct mixed *mixed)
{
    for (size_t k = 0; k < mixed->ncolumn; k++) {
        name_table_free(&mixed->column[k].labels);
        free(mixed->column[k].time);
    }
    *mixed = (struct mixed){ 0 };
}

/* Takes the row in one column of labels. */
static bool take_label(const struct mixed *mixed, struct mixed_column *column, double time, uint64_t label,
                       struct error *e)
{
    const struct name_key key = { .name = "", .scope = label };
    size_t number = name_table_find(&column->labels, key);
    if (number == NAME_TABLE_NONE) {
        column->useless = column->nlabel == MIXED_LABELS;
        if (column->useless)
            return true;
        number = column->nlabel;
        if (!array_reserve(&column->time, number + 1, &column->maxtime, sizeof *column->time, e) ||
            !name_table_put(&column->labels, key, number, e))
            return false;
        column->time[column->nlabel++] = -(double)INFINITY;
    }
    double *before = &column->time[number];
    column->repeats = column->repeats || time == *before;
    column->backward = column->backward || time < *before;
    *before = time;
    column->nchange += mixed->nrow > 0 && number != column->now;
    column->now = (uint32_t)number;
    return true;
}

bool mixed_take(struct mixed *mixed, double time, const uint64_t *label, struct error *e)
{
    for (size_t k = 0; k < mixed->ncolumn; k++)
        if (!mixed->column[k].useless && !take_label(mixed, &mixed->column[k], time, label[k], e))
            return false;
    mixed->nequal += mixed->nrow > 0 && time == mixed->time;
    mixed->backward = mixed->backward || (mixed->nrow > 0 && time < mixed->time);
    mixed->time = time;
    mixed->nrow++;
    return true;
}

/* Can the labels of a column be those of series? There are two or more, with `least` rows each on average,
 * and the time never goes backward within a label. */
static bool may_be_series(const struct mixed *mixed, const struct mixed_column *column, size_t least)
{
    return !column->useless && !column->backward && column->nlabel > 1 &&
           mixed->nrow >= least * column->nlabel;
}

/* Does a column distinguish series: by times that go backward or repeat without it, or by labels that take
 * turns from row to row? */
static bool shows_series(const struct mixed *mixed, const struct mixed_column *column)
{
    const bool odd = mixed->backward || clock_is_coarse(mixed->nequal, mixed->nrow);
    const bool turns = mixed->nrow >= LEAST_ROWS &&
                       (double)column->nchange >= CHANGES * (double)(mixed->nrow - 1);
    if (odd && may_be_series(mixed, column, ROWS_A_LABEL) && (mixed->backward || !column->repeats))
        return true;
    return !mixed->backward && turns && may_be_series(mixed, column, ROWS_A_TURN);
}

/* Of several columns, the one with the most labels: a device rather than its version. */
size_t mixed_judge(const struct mixed *mixed)
{
    size_t most = MIXED_COLUMNS, nlabel = 0;
    for (size_t k = 0; k < mixed->ncolumn; k++)
        if (mixed->column[k].nlabel > nlabel && shows_series(mixed, &mixed->column[k])) {
            most = k;
            nlabel = mixed->column[k].nlabel;
        }
    return most;
}
