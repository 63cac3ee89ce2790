/* The digits of a filtered number where the output keeps the digits of the input: --decimals input,
 * the default in place, in --output-dir and in motion formats. The first row decides about a column, and a
 * number gets at least as many digits as the cell that it replaces. Invariant: a number depends on its own
 * row and on the first row alone. */
#ifndef SPRUNG_FORMATS_INPUT_DIGITS_H
#define SPRUNG_FORMATS_INPUT_DIGITS_H

#include "base/error.h"
#include "number/number.h"

struct column_plan;
struct output_columns;

enum digits_kind {
    DIGITS_UNKNOWN,     /* the first row shows no number: printed as if the input's digits were not kept */
    DIGITS_DECIMALS,    /* n digits after the point, as printf %.*f */
    DIGITS_SIGNIFICANT, /* n significant digits, as printf %.*g */
    DIGITS_ZERO /* as DIGITS_DECIMALS; the first row has zeros alone, and cells show the digits of %g */
};

/* The digits of a column. */
struct input_digits {
    enum digits_kind kind;
    int n; /* digits, at least 6; 0 with DIGITS_UNKNOWN */
};

/* Allocates and sets layout->digits, by the first row of the columns that are replaced. Columns that are
 * added get DIGITS_UNKNOWN. */
bool input_digits_keep(struct output_columns *layout, const struct column_plan *plan, struct error *e);

/* The format of a number in a column, where no cell is known; not for DIGITS_UNKNOWN. */
struct number_format input_digits_of_column(struct input_digits column, char point);

/* The format of a number that replaces a cell of the column; not for DIGITS_UNKNOWN. */
struct number_format input_digits_of_cell(struct input_digits column, struct number_spelling cell,
                                          char point);

#endif
