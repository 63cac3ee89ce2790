/* The arrays of knots. See core.h. */
#include "series/core.h"

#include "base/array.h"

#include <stdlib.h>

/* Doubles of a knot: T, t, samples, goals, results, and those of passes. */
static size_t columns_of(const struct core *core)
{
    return 2 + core->nchannel * ((core->cleans ? 2 : 1) + core->wanted.n) + core->nextra;
}

void knots_copy(struct knot_columns to, struct knot_columns from, size_t ncolumn, size_t n)
{
    for (size_t k = 0; k < ncolumn; k++)
        if (n == 1)
            to.at[k * to.stride] = from.at[k * from.stride];
        else
            memcpy(to.at + k * to.stride, from.at + k * from.stride, n * sizeof *to.at);
}

void knots_free(struct knots *knots)
{
    free(knots->T);
    free(knots->cut);
    *knots = (struct knots){ 0 };
}

/* Points the columns of the knots into numbers[columns_of][max]. */
static void place_columns(const struct core *core, struct knots *knots, double *numbers, size_t max)
{
    const size_t nchannel = core->nchannel, nout = nchannel * core->wanted.n;
    knots->T = numbers;
    knots->t = numbers + max;
    knots->x = (struct knot_columns){ knots->t + max, max };
    knots->goal = core->cleans ? (struct knot_columns){ knots_column(knots->x, nchannel), max } : knots->x;
    knots->out = (struct knot_columns){ knots_column(knots->goal, nchannel), max };
    knots->extra = (struct knot_columns){ knots_column(knots->out, nout), max };
}

bool knots_reserve(const struct core *core, struct knots *knots, size_t more, struct error *e)
{
    const size_t ncolumn = columns_of(core), least = knots->n + more;
    if (least <= knots->max)
        return true;
    const size_t max = least < 2 * knots->max ? 2 * knots->max : least;
    double *numbers, *old = knots->T;
    unsigned char *cut;
    if (!arrays_make(e, ARRAY(numbers, ncolumn * max)))
        return false;
    if (!(cut = malloc((1 + core->nmark) * max))) {
        free(numbers);
        return error_memory(e);
    }
    const struct knot_columns from = { old, knots->max }, to = { numbers, max };
    knots_copy(to, from, knots->n > 0 ? ncolumn : 0, knots->n);
    for (size_t k = 0; k <= core->nmark && knots->n > 0; k++)
        memcpy(cut + k * max, knots->cut + k * knots->max, knots->n);
    free(old);
    free(knots->cut);
    knots->cut = cut;
    knots->mark = cut + max;
    knots->max = max;
    place_columns(core, knots, numbers, max);
    return true;
}

void knots_drop(const struct core *core, struct knots *knots, size_t n)
{
    const size_t rest = knots->n - n;
    for (size_t k = 0; k < columns_of(core); k++)
        memmove(knots->T + k * knots->max, knots->T + k * knots->max + n, rest * sizeof *knots->T);
    for (size_t k = 0; k <= core->nmark; k++)
        memmove(knots->cut + k * knots->max, knots->cut + k * knots->max + n, rest);
    knots->first += n;
    knots->n = rest;
}
