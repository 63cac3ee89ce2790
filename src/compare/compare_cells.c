/* Cells of paired rows: do they agree, and how far are they apart? See diff.h. Numbers are compared column by
 * column; most numbers are equal, and take one comparison. Row k of a side is the k-th row after the current
 * row of the side. */
#include "compare/diff.h"

#include "base/utf8.h"
#include <float.h>
#include <math.h>

const struct cell_text *diff_cell_text(struct diff *diff, int side, size_t column, size_t row)
{
    struct diff_side *s = &diff->side[side];
    s->cell.text = NULL;
    s->cell.n = 0;
    if (!block_has_column(diff_block(s), column))
        return &s->cell;
    diff->failed |= !format_cell_text(&s->in.reader, diff_block(s), s->row + row, column, &s->cell);
    return &s->cell;
}

/* The span of a cell in the text of the block. sprung diff records the spans of all cells. */
static struct span span_of(const struct diff_side *s, size_t column, size_t k)
{
    const struct block *b = diff_block(s);
    return b->cell[(s->row + k) * b->ncell + s->columns->column[column].cell];
}

static bool same_text(struct diff *diff, const struct diff_column *c, size_t k)
{
    const struct diff_side *s = diff->side;
    bool text = true; /* false: a cell has no span of text */
    for (int i = 0; i < DIFF_SIDES; i++)
        text &= diff_block(&s[i])->eol && block_has_column(diff_block(&s[i]), c->column[i]);
    if (text && s[0].in.reader.format == s[1].in.reader.format) {
        struct span x = span_of(&s[0], c->column[0], k), y = span_of(&s[1], c->column[1], k);
        const char *expected = diff_block(&s[0])->text + x.at, *actual = diff_block(&s[1])->text + y.at;
        if (x.n == y.n && memcmp(expected, actual, x.n) == 0)
            return true;
    }
    const struct cell_text *expected = diff_cell_text(diff, DIFF_EXPECTED, c->column[DIFF_EXPECTED], k);
    const struct cell_text *actual = diff_cell_text(diff, DIFF_ACTUAL, c->column[DIFF_ACTUAL], k);
    return expected->n == actual->n &&
           (expected->n == 0 || memcmp(expected->text, actual->text, expected->n) == 0);
}

/* What the report shows of a cell. */
static struct diff_cell cell_of(struct diff *diff, int side, const struct diff_column *c, size_t k)
{
    struct diff_cell cell = { .kind = DIFF_NUMBER, .x = diff_number(&diff->side[side], c->column[side], k) };
    if (c->number && !isnan(cell.x))
        return cell;
    const struct cell_text *plain = diff_cell_text(diff, side, c->column[side], k);
    cell.kind = plain->text ? DIFF_TEXT : DIFF_GAP;
    cell.cut = plain->n >= sizeof cell.text;
    if (plain->text)
        memcpy(cell.text, plain->text, cell.cut ? utf8_floor(plain->text, sizeof cell.text - 1) : plain->n);
    return cell;
}

static struct diff_pair pair_at(struct diff *diff, const struct diff_column *c, double by, size_t k)
{
    const struct diff_side *expected = &diff->side[DIFF_EXPECTED];
    struct diff_pair pair = { .key = diff_number(expected, expected->shown, k), .by = by };
    for (int i = 0; i < DIFF_SIDES; i++) {
        pair.row[i] = diff->side[i].nrow + diff->side[i].row + k + 1;
        pair.cell[i] = cell_of(diff, i, c, k);
    }
    return pair;
}

/* Counts a row that differs, and keeps the first of these rows. */
static void add_difference(struct diff *diff, struct diff_column *c, size_t k)
{
    if (c->beyond++ > 0)
        return;
    c->first = pair_at(diff, c, 0, k);
    for (int i = 0; i < DIFF_SIDES; i++)
        c->first.line[i] = diff_line(&diff->side[i], k);
}

/* Compares two numbers. sign: -1 if y is a component of a quaternion with the opposite sign, else 1. */
static void compare_numbers(struct diff *diff, struct diff_column *c, double x, double y, double sign,
                            size_t k)
{
    double period = diff->options->period, scale = fmax(fabs(x), fabs(y));
    double apart = !c->angle ? fmin(fabs(x - sign * y), DBL_MAX)
                             : fabs(remainder(remainder(x, period) - remainder(sign * y, period), period));
    double relative = fmin(apart / scale, DBL_MAX);
    if (apart == 0)
        return;
    if (apart > c->absolute.by)
        c->absolute = pair_at(diff, c, apart, k);
    if (relative > c->relative.by)
        c->relative = pair_at(diff, c, relative, k);
    bool agree = c->time ? diff_times_agree(diff, c->column, (const double[]){ x, y }, k)
                         : diff_agree(c, x, y, apart);
    if (!agree)
        add_difference(diff, c, k);
}

/* The numbers of a column from the current row on; NULL: the current block holds no numbers of the column. */
static const double *numbers_of(const struct diff_side *s, size_t column)
{
    size_t value = s->columns->column[column].value;
    bool held = value != COLUMN_NONE && block_has_column(diff_block(s), column);
    return held ? block_value(diff_block(s), value) + s->row : NULL;
}

/* -1 if the actual quaternion has the opposite sign of the expected one, else 1. Gaps do not count. */
static double sign_of(const struct diff *diff, size_t rotation, size_t k)
{
    double dot = 0;
    for (size_t i = 0; i < 4; i++) {
        const struct diff_column *c = &diff->column[diff->rotation[rotation][i]];
        double product = diff_number(&diff->side[0], c->column[0], k) *
                         diff_number(&diff->side[1], c->column[1], k);
        dot += isnan(product) ? 0 : product;
    }
    return dot < 0 ? -1 : 1;
}

void diff_compare(struct diff *diff, struct diff_column *c, size_t n)
{
    const struct diff_side *expected = &diff->side[0], *actual = &diff->side[1];
    const double *a = numbers_of(expected, c->column[0]), *b = numbers_of(actual, c->column[1]);
    for (size_t k = 0; k < n; k++) {
        double x = a ? a[k] : diff_number(expected, c->column[0], k);
        double y = b ? b[k] : diff_number(actual, c->column[1], k);
        double sign = c->rotation == COLUMN_NONE ? 1 : sign_of(diff, c->rotation, k);
        if (!c->number)
            x = y = (double)NAN;
        if (x == sign * y)
            continue;
        if (!isnan(x) && !isnan(y))
            compare_numbers(diff, c, x, y, sign, k);
        else if (!isnan(x) || !isnan(y) || !same_text(diff, c, k))
            add_difference(diff, c, k);
    }
}
