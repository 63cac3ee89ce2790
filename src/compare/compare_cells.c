/* Compares the cells of paired rows: whether two cells agree, and how far two numbers are apart. See diff.h.
 * Numbers are compared column by column; most numbers are equal, and take one comparison. The argument k of a
 * function stands for the k-th row after the current row of each side. */
#include "compare/diff.h"

#include "base/utf8.h"
#include <float.h>
#include <math.h>

#define TURN 360.0 /* of angles */

const struct cell_text *diff_cell_text(struct diff *diff, int side, size_t column, size_t row)
{
    struct diff_side *diff_side = &diff->side[side];
    diff_side->cell.text = NULL;
    diff_side->cell.n = 0;
    if (!block_has_column(&diff_side->block, column))
        return &diff_side->cell;
    diff->failed |= !format_cell_text(&diff_side->in.reader, &diff_side->block, diff_side->row + row, column,
                                      &diff_side->cell);
    return &diff_side->cell;
}

/* Do the cells of a column hold the same bytes, without quotes? Two cells without a text are the same. */
static bool same_text(struct diff *diff, const struct diff_column *column, size_t k)
{
    const struct cell_text *expected = diff_cell_text(diff, DIFF_EXPECTED, column->column[DIFF_EXPECTED], k);
    const struct cell_text *actual = diff_cell_text(diff, DIFF_ACTUAL, column->column[DIFF_ACTUAL], k);
    return expected->n == actual->n &&
           (expected->n == 0 || memcmp(expected->text, actual->text, expected->n) == 0);
}

/* -1 if the column is of a quaternion, and the actual quaternion has the opposite sign of the expected
 * quaternion, else 1. Components with a gap do not count. */
static double sign_of(const struct diff *diff, const struct diff_column *column, size_t k)
{
    double dot = 0;
    for (size_t i = 0; i < 4 && column->rotation != COLUMN_NONE; i++) {
        const struct diff_column *component = &diff->column[diff->rotation[column->rotation][i]];
        double product = diff_number(&diff->side[0], component->column[0], k) *
                         diff_number(&diff->side[1], component->column[1], k);
        dot += isnan(product) ? 0 : product;
    }
    return dot < 0 ? -1 : 1;
}

/* What the report shows of a cell. */
static struct diff_cell cell_of(struct diff *diff, int side, const struct diff_column *column, size_t k)
{
    struct diff_cell cell = { .kind = DIFF_NUMBER,
                              .x = diff_number(&diff->side[side], column->column[side], k) };
    if (column->number && !isnan(cell.x))
        return cell;
    const struct cell_text *plain = diff_cell_text(diff, side, column->column[side], k);
    cell.kind = plain->text ? DIFF_TEXT : DIFF_GAP;
    cell.cut = plain->n >= sizeof cell.text;
    if (plain->text)
        memcpy(cell.text, plain->text, cell.cut ? utf8_floor(plain->text, sizeof cell.text - 1) : plain->n);
    return cell;
}

/* Keeps the worst row, and counts one that differs. apart: the difference of the two numbers; 0: one of them
 * is no number. */
static void add_difference(struct diff *diff, struct diff_column *column, double apart, bool differs,
                           size_t k)
{
    const struct diff_side *expected = &diff->side[DIFF_EXPECTED];
    struct diff_pair *pair = &column->worst;
    const bool first = differs && column->beyond == 0;
    const bool weighs = differs || column->beyond == 0;
    column->beyond += differs;
    if (!first && !(weighs && apart > pair->apart))
        return;
    *pair = (struct diff_pair){ .key = diff_number(expected, expected->shown, k), .apart = apart };
    for (int i = 0; i < DIFF_SIDES; i++) {
        pair->row[i] = diff->side[i].nrow + diff->side[i].row + k + 1;
        pair->line[i] = diff_line(&diff->side[i], k);
        pair->cell[i] = cell_of(diff, i, column, k);
    }
    struct diff_cell *actual = &pair->cell[DIFF_ACTUAL];
    pair->negated = actual->kind == DIFF_NUMBER && sign_of(diff, column, k) < 0;
    if (pair->negated)
        actual->x = 0 - actual->x; /* 0 stays 0 */
}

/* Compares two numbers. sign: -1 if y is a component of a quaternion with the opposite sign of the expected
 * quaternion, else 1. */
static void compare_numbers(struct diff *diff, struct diff_column *column, double x, double y, double sign,
                            size_t k)
{
    double apart = !column->angle ? fmin(fabs(x - sign * y), DBL_MAX)
                                  : fabs(remainder(remainder(x, TURN) - remainder(sign * y, TURN), TURN));
    if (apart == 0)
        return;
    const bool agree = column->time
                           ? diff_times_agree(diff, column->column, (const double[]){ x, y }, column->abs, k)
                           : diff_agree(column, x, y, apart);
    add_difference(diff, column, apart, !agree, k);
}

void diff_compare(struct diff *diff, struct diff_column *column, size_t n)
{
    const struct diff_side *expected = &diff->side[0], *actual = &diff->side[1];
    for (size_t k = 0; k < n; k++) {
        double x = diff_number(expected, column->column[0], k);
        double y = diff_number(actual, column->column[1], k);
        double sign = sign_of(diff, column, k);
        if (!column->number)
            x = y = (double)NAN;
        if (x == sign * y)
            continue;
        if (!isnan(x) && !isnan(y))
            compare_numbers(diff, column, x, y, sign, k);
        else if (!isnan(x) || !isnan(y) || !same_text(diff, column, k))
            add_difference(diff, column, 0, true, k);
    }
}
