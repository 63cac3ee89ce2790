/* Three triples of numbers that have length 1 and are at right angles in all rows are the rows or the columns
 * of a rotation matrix. Quaternions side by side are not at right angles. See rotation_matrix.h. */
#include "whole/kinds/rotation_matrix.h"

#include <math.h>

enum { AXES = 3 };

#define ROUNDED 0.02 /* error of lengths and products of numbers that are printed with few decimals */

/* Are the triples of a row at right angles and of length 1? Numbers that are not known say nothing. */
static bool is_orthonormal(const double *value, size_t column_step, size_t stride)
{
    for (size_t a = 0; a < AXES; a++)
        for (size_t b = a; b < AXES; b++) {
            double product = 0;
            for (size_t k = 0; k < AXES; k++)
                product += value[(a * stride + k) * column_step] * value[(b * stride + k) * column_step];
            if (fabs(product - (a == b)) > ROUNDED)
                return false;
        }
    return true;
}

/* Does a matrix begin at a column: triples at this column and stride and twice stride columns after it? */
static bool begins_matrix(const struct number_table *table, size_t column, size_t stride)
{
    if (column + 2 * stride + AXES > table->ncolumn)
        return false;
    for (size_t i = 0; i < table->nrow; i++)
        if (!is_orthonormal(table->value + i * table->row_step + column * table->column_step,
                            table->column_step, stride))
            return false;
    return true;
}

static bool is_one(const struct number_table *table, size_t column)
{
    for (size_t i = 0; i < table->nrow && column < table->ncolumn; i++)
        if (table->value[i * table->row_step + column * table->column_step] != 1)
            return false;
    return column < table->ncolumn;
}

bool rotation_matrix_has(const struct number_table *table, size_t first, size_t n)
{
    enum { POSE = 4 };
    for (size_t stride = AXES; stride <= POSE; stride++) {
        const size_t most = POSE * stride;
        for (size_t at = first >= most ? first - most + 1 : 0; at < first + n; at++) {
            if (!begins_matrix(table, at, stride))
                continue;
            /* The last row of a pose of 4 by 4 ends in 1. */
            const size_t nrow = stride == POSE && is_one(table, at + POSE * POSE - 1) ? POSE : AXES;
            if (at + nrow * stride > first)
                return true;
        }
    }
    return false;
}
