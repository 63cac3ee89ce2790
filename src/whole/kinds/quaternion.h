/* Are four neighbouring columns of numbers the components of a quaternion? */
#ifndef SPRUNG_WHOLE_KINDS_QUATERNION_H
#define SPRUNG_WHOLE_KINDS_QUATERNION_H

#include "whole/kinds/rotation_matrix.h"

/* Do the columns from `first` on have length 1 in all rows where the four numbers are known and not all 0?
 * named: their names are those of a quaternion. Other columns must all move, and be no part of a rotation
 * matrix. */
bool quaternion_is(const struct number_table *table, size_t first, bool named);

#endif
