/* Rotation matrices among neighbouring columns of numbers: the nine numbers of a matrix, or poses of 3 by 4
 * or 4 by 4 numbers, with the position in the fourth column or row. */
#ifndef SPRUNG_WHOLE_KINDS_ROTATION_MATRIX_H
#define SPRUNG_WHOLE_KINDS_ROTATION_MATRIX_H

#include <stdbool.h>
#include <stddef.h>

/* A table of numbers; NaN: not known. */
struct number_table {
    const double *value;          /* number of row i in column k: value[i * row_step + k * column_step] */
    size_t nrow, ncolumn;         /* rows and columns */
    size_t row_step, column_step; /* see value */
};

/* Is one of the n columns from `first` on part of a rotation matrix or a pose? */
bool rotation_matrix_has(const struct number_table *table, size_t first, size_t n);

#endif
