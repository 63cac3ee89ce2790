/* What was found, in words and as JSON. See diff.h. */
#include "compare/diff.h"
#include "base/json_out.h"
#include "base/text.h"

#include <math.h>

static const char *const sides[] = { "expected", "actual" };

/* --- words --- */

static void put_exact(struct text *t, double x)
{
    text_number(t, x, &number_shortest);
}

static void put_short(struct text *t, double x)
{
    text_number(t, x, &(struct number_format){ NUMBER_PRECISION, 6, '.' });
}

static void put_name(struct text *t, const struct columns *table, size_t column)
{
    const char *name = table->column[column].name;
    char shown[256];
    error_escape(name, strlen(name), shown, sizeof shown);
    if (shown[0])
        text_put(t, "\"%s\"", shown);
    else
        text_put(t, "number %zu", column + 1);
}

/* The name of what tells rows apart: the key or the time. */
static void put_key(struct text *t, const struct diff *d, double key)
{
    const struct diff_side *s = &d->side[DIFF_EXPECTED];
    if (isnan(key))
        return;
    text_put(t, ", ");
    if (s->shown == COLUMN_NONE)
        text_put(t, "key");
    else {
        char shown[64];
        const char *name = s->in.reader.columns.column[s->shown].name;
        error_escape(name, strlen(name), shown, sizeof shown);
        text_put(t, "%s", shown);
    }
    text_put(t, " ");
    put_exact(t, key);
}

static void put_place(struct text *t, const struct diff *d, const struct diff_place *at)
{
    text_put(t, "row %llu", (unsigned long long)at->row[0]);
    if (at->row[1] != at->row[0])
        text_put(t, " (actual %llu)", (unsigned long long)at->row[1]);
    if (at->line[0])
        text_put(t, ", line %llu", (unsigned long long)at->line[0]);
    if (at->line[1] && at->line[1] != at->line[0])
        text_put(t, at->line[0] ? " (actual %llu)" : ", line (actual %llu)", (unsigned long long)at->line[1]);
    put_key(t, d, at->key);
}

static void put_worst(struct text *t, const struct diff *d, const char *what, const struct diff_worst *worst)
{
    if (worst->by == 0)
        return;
    text_put(t, "  worst %s difference ", what);
    put_short(t, worst->by);
    text_put(t, ": ");
    put_place(t, d, &worst->at);
    text_put(t, ": expected ");
    put_exact(t, worst->value[0]);
    text_put(t, ", actual ");
    put_exact(t, worst->value[1]);
    text_put(t, "\n");
}

static void put_cell(struct text *t, const struct diff_cell *cell)
{
    char shown[4 * sizeof cell->text];
    error_escape(cell->text, strlen(cell->text), shown, sizeof shown);
    if (cell->kind == DIFF_NUMBER)
        put_exact(t, cell->x);
    else if (cell->kind == DIFF_GAP)
        text_put(t, "(gap)");
    else
        text_put(t, "\"%s%s\"", shown, cell->cut ? "\xE2\x80\xA6" : "");
}

static void put_column(struct text *t, const struct diff *d, const struct diff_column *c)
{
    text_put(t, "column ");
    put_name(t, &d->side[0].in.reader.columns, c->column[0]);
    text_put(t, ": %llu of %llu row%s %s\n", (unsigned long long)c->beyond, (unsigned long long)d->compared,
             error_plural(d->compared), c->beyond == 1 ? "differs" : "differ");
    text_put(t, "  first: ");
    put_place(t, d, &c->first);
    text_put(t, ": expected ");
    put_cell(t, &c->cell[0]);
    text_put(t, ", actual ");
    put_cell(t, &c->cell[1]);
    text_put(t, "\n");
    put_worst(t, d, "absolute", &c->absolute);
    put_worst(t, d, "relative", &c->relative);
}

static void put_side(struct text *t, const struct diff *d, int side)
{
    const struct diff_side *s = &d->side[side];
    char name[512];
    error_escape(s->name, strlen(s->name), name, sizeof name);
    for (size_t i = 0; i < s->nonly; i++) {
        text_put(t, "only in %s (%s): column ", sides[side], name);
        put_name(t, &s->in.reader.columns, s->only[i]);
        text_put(t, "\n");
    }
    if (s->alone.nrow == 0)
        return;
    text_put(t, "only in %s (%s): %llu row%s, the first is row %llu", sides[side], name,
             (unsigned long long)s->alone.nrow, error_plural(s->alone.nrow),
             (unsigned long long)s->alone.row);
    put_key(t, d, s->alone.key);
    text_put(t, "\n");
}

char *diff_text(const struct diff *d)
{
    struct text t = { 0 };
    size_t agree = diff_agreeing(d), all = diff_columns(d);
    text_put(&t, "%zu of %zu column%s %s; %llu row%s compared\n", agree, all, error_plural(all),
             agree == 1 || all == 1 ? "agrees" : "agree", (unsigned long long)d->compared,
             error_plural(d->compared));
    for (int i = 0; i < DIFF_SIDES; i++)
        put_side(&t, d, i);
    for (size_t i = 0; i < d->ncolumn; i++)
        if (d->column[i].beyond)
            put_column(&t, d, &d->column[i]);
    return text_take(&t);
}

/* --- JSON --- */

static void report_worst(struct json_out *r, struct cJSON *to, const char *name, const struct diff_worst *worst)
{
    struct cJSON *w = json_out_object(r, to, name);
    json_out_number(r, w, "difference", worst->by);
    if (worst->by == 0)
        return;
    json_out_count(r, w, "row", worst->at.row[0]);
    json_out_count(r, w, "actual_row", worst->at.row[1]);
    json_out_number(r, w, "key", worst->at.key);
    json_out_number(r, w, "expected", worst->value[0]);
    json_out_number(r, w, "actual", worst->value[1]);
}

static void report_column(struct json_out *r, struct cJSON *to, const struct diff *d,
                          const struct diff_column *c)
{
    struct cJSON *column = json_out_object(r, to, NULL);
    json_out_text(r, column, "column", c->name);
    json_out_bool(r, column, "agrees", c->beyond == 0);
    json_out_count(r, column, "rows", d->compared);
    json_out_count(r, column, "beyond", c->beyond);
    if (c->number) {
        report_worst(r, column, "worst_absolute", &c->absolute);
        report_worst(r, column, "worst_relative", &c->relative);
    }
    if (c->beyond) {
        struct cJSON *first = json_out_object(r, column, "first");
        json_out_count(r, first, "row", c->first.row[0]);
        json_out_count(r, first, "actual_row", c->first.row[1]);
        if (c->first.line[0])
            json_out_count(r, first, "line", c->first.line[0]);
        if (c->first.line[1])
            json_out_count(r, first, "actual_line", c->first.line[1]);
        json_out_number(r, first, "key", c->first.key);
        for (int i = 0; i < DIFF_SIDES; i++) {
            const struct diff_cell *cell = &c->cell[i];
            if (cell->kind == DIFF_TEXT)
                json_out_text(r, first, sides[i], cell->text);
            else
                json_out_number(r, first, sides[i], cell->kind == DIFF_NUMBER ? cell->x : (double)NAN);
        }
    }
}

static void report_alone(struct json_out *r, const struct diff *d, int side, const char *columns,
                         const char *rows)
{
    const struct diff_side *s = &d->side[side];
    struct cJSON *names = json_out_array(r, r->root, columns);
    for (size_t i = 0; i < s->nonly; i++)
        json_out_text(r, names, NULL, s->in.reader.columns.column[s->only[i]].name);
    struct cJSON *alone = json_out_object(r, r->root, rows);
    json_out_count(r, alone, "rows", s->alone.nrow);
    if (s->alone.nrow) {
        json_out_count(r, alone, "first_row", s->alone.row);
        json_out_number(r, alone, "first_key", s->alone.key);
    }
}

char *diff_json(const struct diff *d)
{
    struct json_out r;
    json_out_open(&r);
    json_out_bool(&r, r.root, "same", diff_same(d));
    json_out_count(&r, r.root, "columns_agree", diff_agreeing(d));
    json_out_count(&r, r.root, "columns_total", diff_columns(d));
    json_out_count(&r, r.root, "rows_compared", d->compared);
    json_out_number(&r, r.root, "abs", d->abs);
    json_out_number(&r, r.root, "rel", d->rel);
    report_alone(&r, d, DIFF_EXPECTED, "columns_only_in_expected", "rows_only_in_expected");
    report_alone(&r, d, DIFF_ACTUAL, "columns_only_in_actual", "rows_only_in_actual");
    struct cJSON *columns = json_out_array(&r, r.root, "columns");
    for (size_t i = 0; i < d->ncolumn; i++)
        report_column(&r, columns, d, &d->column[i]);
    return json_out_take(&r, false);
}
