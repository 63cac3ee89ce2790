/* Digits of filtered numbers by the digits of the input. See input_digits.h. */
#include "formats/input_digits.h"

#include "base/array.h"
#include "formats/format.h"

#include <stdlib.h>

enum {
    LEAST_DIGITS = 6,      /* least digits of a filtered number, after the point or significant */
    MOST_SIGNIFICANT = 15, /* with more digits, some doubles print as another decimal than was read */
    MOST_DECIMALS = 17,    /* most digits after the point that NUMBER_DECIMALS prints */
    LEAST_SHOWN = 3,       /* numbers with a fraction or an exponent that show that %g printed a row */
    LEAST_EQUAL = 4        /* significant digits of numbers that show %g: fewer digits are equal by chance */
};

static int at_least(int digits, int least)
{
    return digits > least ? digits : least;
}

static struct number_format significant_format(int digits, char point)
{
    if (digits > MOST_SIGNIFICANT)
        return (struct number_format){ NUMBER_SHORTEST, 0, point };
    return (struct number_format){ NUMBER_PRECISION, at_least(digits, LEAST_DIGITS), point };
}

static struct number_format decimals_format(int decimals, char point)
{
    if (decimals > MOST_DECIMALS)
        return (struct number_format){ NUMBER_SHORTEST, 0, point };
    return (struct number_format){ NUMBER_DECIMALS, decimals, point };
}

/* Does the number have a fraction or an exponent? Zeros and integers look alike in every printf format. */
static bool shows_digits(struct number_spelling spelling)
{
    return spelling.decimals != 0 && spelling.digits > 0;
}

/* Were the numbers of a row printed as by %g? Then most numbers have the same number of significant digits
 * and different numbers of decimals; some numbers have fewer digits, as %g leaves out zeros at the end. */
static bool is_significant_row(const struct number_spelling *row, size_t n)
{
    int most = 0;
    for (size_t i = 0; i < n; i++)
        most = shows_digits(row[i]) ? at_least(row[i].digits, most) : most;
    size_t shown = 0, with_most = 0;
    int decimals = 0; /* of the first number with the most digits */
    bool varied = false;
    for (size_t i = 0; i < n; i++) {
        shown += shows_digits(row[i]);
        if (!shows_digits(row[i]) || row[i].digits < most)
            continue;
        if (with_most == 0)
            decimals = row[i].decimals;
        varied |= row[i].decimals != decimals;
        with_most++;
    }
    return most >= LEAST_EQUAL && shown >= LEAST_SHOWN && 2 * with_most > shown && varied;
}

/* Are the numbers of a row, at least LEAST_SHOWN of them, zeros without decimals? %g prints a pose at rest
 * so. */
static bool is_zero_row(const struct number_spelling *row, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (row[i].digits > 0 || row[i].decimals != 0)
            return false;
    return n >= LEAST_SHOWN;
}

static struct input_digits digits_of_number(struct number_spelling spelling, enum digits_kind row)
{
    if (row == DIGITS_SIGNIFICANT || spelling.decimals < 0)
        return (struct input_digits){ DIGITS_SIGNIFICANT, at_least(spelling.digits, LEAST_DIGITS) };
    return (struct input_digits){ row, at_least(spelling.decimals, LEAST_DIGITS) };
}

/* The out column that replaces a column whose number in the first row was text; else COLUMN_NONE. The columns
 * of the grid of --resample are printed in full. */
static size_t spelled_out(const struct output_columns *layout, const struct columns *columns, size_t column)
{
    const struct column *c = &columns->column[column];
    size_t out = layout->replace[column];
    bool spelled = c->first == CELL_NUMBER && (c->spelling.decimals >= 0 || c->spelling.digits > 0);
    return spelled && out != COLUMN_NONE && out + layout->ngrid < layout->nout ? out : COLUMN_NONE;
}

bool input_digits_keep(struct output_columns *layout, const struct column_plan *plan, struct error *e)
{
    const struct columns *columns = plan->columns;
    struct number_spelling *row = NULL; /* of the numbers in the first row */
    size_t nspelled = 0;
    if (!arrays_make(e, ARRAY(layout->digits, layout->nout)) || !arrays_make(e, ARRAY(row, layout->nout)))
        return false;
    for (size_t i = 0; i < columns->ncolumn; i++)
        if (spelled_out(layout, columns, i) != COLUMN_NONE)
            row[nspelled++] = columns->column[i].spelling;
    enum digits_kind kind = DIGITS_DECIMALS;
    if (is_significant_row(row, nspelled))
        kind = DIGITS_SIGNIFICANT;
    else if (is_zero_row(row, nspelled))
        kind = DIGITS_ZERO;
    free(row);
    for (size_t i = 0; i < columns->ncolumn; i++) {
        size_t out = spelled_out(layout, columns, i);
        if (out != COLUMN_NONE)
            layout->digits[out] = digits_of_number(columns->column[i].spelling, kind);
    }
    return true;
}

struct number_format input_digits_of_column(struct input_digits column, char point)
{
    if (column.kind == DIGITS_SIGNIFICANT)
        return significant_format(column.n, point);
    return decimals_format(column.n, point);
}

struct number_format input_digits_of_cell(struct input_digits column, struct number_spelling cell, char point)
{
    if (column.kind == DIGITS_SIGNIFICANT)
        return significant_format(at_least(column.n, cell.digits), point);
    /* As many digits as %g prints, below a row that %g may have printed. */
    bool as_g = column.kind == DIGITS_ZERO && cell.decimals > 0 && cell.digits == LEAST_DIGITS;
    if (cell.decimals < 0 || as_g)
        return significant_format(cell.digits, point);
    return decimals_format(at_least(cell.decimals, column.n), point);
}
