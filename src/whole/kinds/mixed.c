/* See mixed.h. */
#include "whole/kinds/mixed.h"

#include "whole/kinds/clock.h"

#include <math.h>

enum {
    ROWS_A_LABEL = 2, /* fewest rows of a label, on average, where times show it */
    ROWS_A_TURN = 4,  /* where labels take turns */
    LEAST_ROWS = 30   /* fewer rows show no labels that take turns */
};

#define CHANGES 0.9 /* part of the rows with another label than the row before, where labels take turns */

/* Rows at the time of the last row with the same label, and rows before that time. */
struct clash {
    size_t nequal, nbackward;
};

/* label NULL: all rows have label 0. */
static struct clash find_clashes(const double *time, const uint32_t *label, size_t nrow, size_t nlabel,
                                 double *last)
{
    struct clash clash = { 0, 0 };
    for (size_t k = 0; k < nlabel; k++)
        last[k] = -(double)INFINITY;
    for (size_t i = 0; i < nrow; i++) {
        double *before = &last[label ? label[i] : 0];
        clash.nequal += time[i] == *before;
        clash.nbackward += time[i] < *before;
        *before = time[i];
    }
    return clash;
}

size_t mixed_changes(const uint32_t *label, size_t n)
{
    size_t nchange = 0;
    for (size_t i = 1; i < n; i++)
        nchange += label[i] != label[i - 1];
    return nchange;
}

bool mixed_by(const double *time, const uint32_t *label, size_t nrow, size_t nlabel, double *last)
{
    if (nlabel < 2)
        return false;
    const struct clash all = find_clashes(time, NULL, nrow, 1, last);
    const struct clash own = find_clashes(time, label, nrow, nlabel, last);
    if (own.nbackward > 0)
        return false;
    if (all.nbackward > 0 || (clock_is_coarse(all.nequal, nrow) && own.nequal == 0))
        return nrow >= ROWS_A_LABEL * nlabel;
    return nrow >= LEAST_ROWS && nrow >= ROWS_A_TURN * nlabel &&
           (double)mixed_changes(label, nrow) >= CHANGES * (double)(nrow - 1);
}

size_t mixed_seam(const double *x, const uint32_t *label, size_t n)
{
    double inside = 0, across = 0;
    size_t row = 0;
    for (size_t i = 1; i < n; i++) {
        const double step = fabs(x[i] - x[i - 1]);
        if (label[i] == label[i - 1]) {
            inside = fmax(inside, step);
        } else if (step > across) {
            across = step;
            row = i + 1;
        }
    }
    return inside > 0 && across > 2 * inside ? row : 0;
}
