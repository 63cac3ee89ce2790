/* Are rows of several series mixed, such as those of several sensors in one file? A column of labels shows it
 * where the times of all rows together go backward or repeat, and those of each label do not; or where its
 * few labels take turns from row to row. */
#ifndef SPRUNG_WHOLE_KINDS_MIXED_H
#define SPRUNG_WHOLE_KINDS_MIXED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Do the labels of rows distinguish series? time: [nrow] in seconds, or in rows where there are no times.
 * label: [nrow] numbers of labels, below nlabel. last: room for nlabel numbers. */
bool mixed_by(const double *time, const uint32_t *label, size_t nrow, size_t nlabel, double *last);

/* How many rows have another label than the row before. label: [n]. */
size_t mixed_changes(const uint32_t *label, size_t n);

/* The row with the longest step of x where the label changes, from 1, which may be a seam of joined takes; 0:
 * a step of half that length is between others, or none is. x, label: [n]. */
size_t mixed_seam(const double *x, const uint32_t *label, size_t n);

#endif
