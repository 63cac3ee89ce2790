/* Cells of paired rows: do they agree, and how far are they apart? See diff.h. Numbers are compared column by
 * column; equal ones, which most are, cost one look. */
#include "compare/diff.h"

#include "base/utf8.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The rows under way: row a + k of one side with row b + k of the other. */
struct pairs {
    struct diff *d;
    struct block *block[DIFF_SIDES];
    size_t at[DIFF_SIDES];
    struct error *e;
};

bool diff_agree(const struct diff *d, double a, double b, double apart)
{
    double scale = fmax(fabs(a), fabs(b));
    if (d->options->exact)
        return apart == 0;
    return apart <= d->abs + d->rel * scale;
}

static struct diff_place place_of(const struct pairs *p, size_t k, bool lines)
{
    struct diff_place place = { .key = (double)NAN };
    for (int i = 0; i < DIFF_SIDES; i++) {
        const struct diff_side *s = &p->d->side[i];
        place.row[i] = s->nrow + p->at[i] + k + 1;
        if (lines)
            place.line[i] = diff_line(p->block[i], p->at[i] + k);
    }
    const struct diff_side *s = &p->d->side[DIFF_EXPECTED];
    if (s->shown != COLUMN_NONE)
        place.key = diff_number(s, p->block[DIFF_EXPECTED], s->shown, p->at[DIFF_EXPECTED] + k);
    return place;
}

/* --- texts --- */

static struct span span_of(const struct pairs *p, int side, size_t column, size_t k)
{
    const struct block *b = p->block[side];
    size_t cell = p->d->side[side].in.reader.columns.column[column].cell;
    return cell == COLUMN_NONE || b->ncell == 0 ? (struct span){ 0, 0 }
                                               : b->cell[(p->at[side] + k) * b->ncell + cell];
}

/* The plain text of a cell; NULL: a gap, or memory is out (p->e). */
static const char *plain(const struct pairs *p, int side, size_t column, size_t k, size_t *n)
{
    struct diff_side *s = &p->d->side[side];
    format_plain(&s->in.reader, p->block[side], p->at[side] + k, column, &s->cell, p->e);
    *n = s->cell.n;
    return s->cell.text;
}

static bool same_text(const struct pairs *p, const struct diff_column *c, size_t k)
{
    const struct reader *r[] = { &p->d->side[0].in.reader, &p->d->side[1].in.reader };
    if (r[0]->format == r[1]->format && r[0]->format->cell) {
        struct span a = span_of(p, 0, c->column[0], k), b = span_of(p, 1, c->column[1], k);
        if (a.n == b.n && memcmp(p->block[0]->text + a.at, p->block[1]->text + b.at, a.n) == 0)
            return true;
    }
    size_t na, nb;
    const char *a = plain(p, 0, c->column[0], k, &na), *b = plain(p, 1, c->column[1], k, &nb);
    if (!a || !b)
        return (!a || na == 0) && (!b || nb == 0);
    return na == nb && memcmp(a, b, na) == 0;
}

/* What a report shows of a cell. */
static struct diff_cell cell_of(const struct pairs *p, int side, const struct diff_column *c, size_t k)
{
    struct diff_cell cell = { .kind = DIFF_NUMBER };
    size_t n, column = c->column[side];
    cell.x = diff_number(&p->d->side[side], p->block[side], column, p->at[side] + k);
    if (c->number && !isnan(cell.x))
        return cell;
    const char *text = plain(p, side, column, k, &n);
    cell.kind = text ? DIFF_TEXT : DIFF_GAP;
    cell.cut = n >= sizeof cell.text;
    if (cell.cut)
        n = utf8_floor(text, sizeof cell.text - 1);
    if (text)
        memcpy(cell.text, text, n);
    return cell;
}

static void differs(const struct pairs *p, struct diff_column *c, size_t k)
{
    if (c->beyond++ > 0)
        return;
    c->first = place_of(p, k, true);
    for (int i = 0; i < DIFF_SIDES; i++)
        c->cell[i] = cell_of(p, i, c, k);
}

/* --- numbers --- */

static void remember(const struct pairs *p, struct diff_worst *worst, double by, double x, double y, size_t k)
{
    if (by > worst->by)
        *worst = (struct diff_worst){ by, { x, y }, place_of(p, k, false) };
}

static double distance(const struct diff *d, const struct diff_column *c, double x, double y)
{
    if (!c->angle)
        return fmin(fabs(x - y), DBL_MAX);
    double period = d->options->period;
    return fabs(remainder(remainder(x, period) - remainder(y, period), period));
}

/* Both are numbers; y has its sign put right where it is part of a quaternion: shown is as it was. */
static void compare_numbers(const struct pairs *p, struct diff_column *c, double x, double y, double shown,
                            size_t k)
{
    double apart = distance(p->d, c, x, y), scale = fmax(fabs(x), fabs(y));
    if (apart == 0)
        return;
    remember(p, &c->absolute, apart, x, shown, k);
    remember(p, &c->relative, fmin(apart / scale, DBL_MAX), x, shown, k);
    if (!diff_agree(p->d, x, y, apart))
        differs(p, c, k);
}

static double number_of(const struct pairs *p, int side, const struct diff_column *c, size_t k)
{
    return diff_number(&p->d->side[side], p->block[side], c->column[side], p->at[side] + k);
}

/* The numbers of a column, or NULL where they do not stand in one. */
static const double *numbers_of(const struct pairs *p, int side, const struct diff_column *c)
{
    size_t value = p->d->side[side].in.reader.columns.column[c->column[side]].value;
    return value == COLUMN_NONE ? NULL : block_value(p->block[side], value) + p->at[side];
}

/* The sign that brings the actual quaternion to the expected one's side. Parts that are gaps have no say. */
static double sign_of(const struct pairs *p, size_t rotation, size_t k)
{
    double dot = 0;
    for (size_t i = 0; i < 4; i++) {
        const struct diff_column *c = &p->d->column[p->d->rotation[rotation][i]];
        double product = number_of(p, 0, c, k) * number_of(p, 1, c, k);
        dot += isnan(product) ? 0 : product;
    }
    return dot < 0 ? -1 : 1;
}

static void compare_column(const struct pairs *p, struct diff_column *c, size_t n)
{
    const double *a = c->number ? numbers_of(p, 0, c) : NULL, *b = c->number ? numbers_of(p, 1, c) : NULL;
    for (size_t k = 0; k < n; k++) {
        double x = a ? a[k] : number_of(p, 0, c, k), y = b ? b[k] : number_of(p, 1, c, k);
        double sign = c->rotation == COLUMN_NONE ? 1 : sign_of(p, c->rotation, k);
        if (!c->number)
            x = y = (double)NAN;
        if (x == sign * y)
            continue;
        if (!isnan(x) && !isnan(y))
            compare_numbers(p, c, x, sign * y, y, k);
        else if (!isnan(x) || !isnan(y) || !same_text(p, c, k))
            differs(p, c, k);
    }
}

void diff_rows(struct diff *d, size_t n, struct error *e)
{
    struct pairs p = { .d = d, .e = e };
    for (int i = 0; i < DIFF_SIDES; i++) {
        p.block[i] = &d->side[i].block[d->side[i].current];
        p.at[i] = d->side[i].row;
    }
    for (size_t i = 0; i < d->ncolumn; i++)
        compare_column(&p, &d->column[i], n);
    d->compared += n;
}
