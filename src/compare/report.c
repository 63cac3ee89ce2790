/* What was found, in words and as JSON. See diff.h. */
#include "base/json_out.h"
#include "compare/diff_folders.h"

#include <math.h>
#include <stdlib.h>

static const char *const sides[] = { "expected", "actual" };

static void put_name(struct text *t, const struct diff_side *s, size_t column)
{
    const char *name = s->columns->column[column].name;
    char shown[256];
    error_escape(name, strlen(name), shown, sizeof shown);
    if (shown[0])
        text_put(t, "column \"%s\"", shown);
    else
        text_put(t, "column number %zu", column + 1);
}

/* The key or the time of a row, with its name. */
static void put_key(struct text *t, const struct diff *diff, double key)
{
    const struct diff_side *s = &diff->side[DIFF_EXPECTED];
    const char *name = s->shown == COLUMN_NONE ? "key" : s->columns->column[s->shown].name;
    char shown[64];
    if (isnan(key))
        return;
    error_escape(name, strlen(name), shown, sizeof shown);
    text_put(t, ", %s ", shown);
    text_number(t, key, &number_shortest);
}

static void put_rows(struct text *t, const struct diff *diff, const struct diff_pair *p)
{
    text_put(t, ": row %llu", (unsigned long long)p->row[0]);
    if (p->row[1] != p->row[0])
        text_put(t, " (actual %llu)", (unsigned long long)p->row[1]);
    if (p->line[0])
        text_put(t, ", line %llu", (unsigned long long)p->line[0]);
    if (p->line[1] && p->line[1] != p->line[0])
        text_put(t, p->line[0] ? " (actual %llu)" : ", line (actual %llu)", (unsigned long long)p->line[1]);
    put_key(t, diff, p->key);
    for (int i = 0; i < DIFF_SIDES; i++) {
        char shown[4 * sizeof p->cell->text];
        text_put(t, "%s%s ", i == 0 ? ": " : ", ", sides[i]);
        error_escape(p->cell[i].text, strlen(p->cell[i].text), shown, sizeof shown);
        if (p->cell[i].kind == DIFF_NUMBER)
            text_number(t, p->cell[i].x, &number_shortest);
        else if (p->cell[i].kind == DIFF_GAP)
            text_put(t, "(gap)");
        else
            text_put(t, "\"%s%s\"", shown, p->cell[i].cut ? "\xE2\x80\xA6" : "");
    }
    text_put(t, "\n");
}

static void put_column(struct text *t, const struct diff *diff, const struct diff_column *c)
{
    put_name(t, &diff->side[0], c->column[0]);
    text_put(t, ": %llu of %llu row%s %s\n  first", (unsigned long long)c->beyond,
             (unsigned long long)diff->compared, error_plural(diff->compared),
             c->beyond == 1 ? "differs" : "differ");
    put_rows(t, diff, &c->first);
    const struct diff_pair *worst[] = { &c->absolute, &c->relative };
    for (size_t i = 0; i < 2; i++)
        if (worst[i]->by != 0) {
            text_put(t, "  worst %s difference ", i == 0 ? "absolute" : "relative");
            text_number(t, worst[i]->by, &(struct number_format){ NUMBER_PRECISION, 6, '.' });
            put_rows(t, diff, worst[i]);
        }
}

static void put_side(struct text *t, const struct diff *diff, int side)
{
    const struct diff_side *s = &diff->side[side];
    char name[512];
    error_escape(s->name, strlen(s->name), name, sizeof name);
    for (size_t i = 0; i < s->nonly; i++) {
        text_put(t, "only in %s (%s): ", sides[side], name);
        put_name(t, s, s->only[i]);
        text_put(t, "\n");
    }
    if (s->nalone == 0)
        return;
    text_put(t, "only in %s (%s): %llu row%s, the first is row %llu", sides[side], name,
             (unsigned long long)s->nalone, error_plural(s->nalone), (unsigned long long)s->alone);
    put_key(t, diff, s->alone_key);
    text_put(t, "\n");
}

char *diff_summary(const struct diff *diff)
{
    const struct diff_column *worst = NULL;
    struct text t = { 0 };
    text_put(&t, "%zu of %zu column%s %s; %llu row%s compared", diff->agreeing, diff->all,
             error_plural(diff->all), diff->agreeing == 1 || diff->all == 1 ? "agrees" : "agree",
             (unsigned long long)diff->compared, error_plural(diff->compared));
    for (const struct diff_column *c = diff->column; c < diff->column + diff->ncolumn; c++)
        if (c->beyond > (worst ? worst->beyond : 0))
            worst = c;
    if (worst) {
        text_put(&t, "; ");
        put_name(&t, &diff->side[0], worst->column[0]);
        text_put(&t, " in %llu", (unsigned long long)worst->beyond);
    }
    if (worst && worst->absolute.by != 0) {
        text_put(&t, ", by ");
        text_number(&t, worst->absolute.by, &(struct number_format){ NUMBER_PRECISION, 6, '.' });
        text_put(&t, " at most");
    }
    return text_take(&t);
}

char *diff_text(const struct diff *diff)
{
    struct text t = { 0 };
    text_put(&t, "%zu of %zu column%s %s; %llu row%s compared\n", diff->agreeing, diff->all,
             error_plural(diff->all), diff->agreeing == 1 || diff->all == 1 ? "agrees" : "agree",
             (unsigned long long)diff->compared, error_plural(diff->compared));
    for (int i = 0; i < DIFF_SIDES; i++)
        put_side(&t, diff, i);
    for (size_t i = 0; i < diff->ncolumn; i++)
        if (diff->column[i].beyond)
            put_column(&t, diff, &diff->column[i]);
    return text_take(&t);
}

static void add_rows(struct json_out *r, struct cJSON *to, const struct diff_pair *p)
{
    json_out_count(r, to, "row", p->row[0]);
    json_out_count(r, to, "actual_row", p->row[1]);
    if (p->line[0])
        json_out_count(r, to, "line", p->line[0]);
    if (p->line[1])
        json_out_count(r, to, "actual_line", p->line[1]);
    json_out_number(r, to, "key", p->key);
    for (int i = 0; i < DIFF_SIDES; i++)
        if (p->cell[i].kind == DIFF_TEXT)
            json_out_text(r, to, sides[i], p->cell[i].text);
        else
            json_out_number(r, to, sides[i], p->cell[i].kind == DIFF_NUMBER ? p->cell[i].x : (double)NAN);
}

static void add_worst(struct json_out *r, struct cJSON *to, const char *name, const struct diff_pair *worst)
{
    struct cJSON *object = json_out_object(r, to, name);
    json_out_number(r, object, "difference", worst->by);
    if (worst->by != 0)
        add_rows(r, object, worst);
}

static void add_column(struct json_out *r, struct cJSON *to, const struct diff *diff,
                       const struct diff_column *c)
{
    struct cJSON *column = json_out_object(r, to, NULL);
    json_out_text(r, column, "column", c->name);
    json_out_bool(r, column, "agrees", c->beyond == 0);
    json_out_count(r, column, "rows", diff->compared);
    json_out_count(r, column, "beyond", c->beyond);
    if (c->number) {
        json_out_number(r, column, "abs", c->abs);
        json_out_number(r, column, "rel", c->rel);
        add_worst(r, column, "worst_absolute", &c->absolute);
        add_worst(r, column, "worst_relative", &c->relative);
    }
    if (c->beyond)
        add_rows(r, json_out_object(r, column, "first"), &c->first);
}

static void add_side(struct json_out *r, const struct diff_side *s, const char *columns, const char *rows)
{
    struct cJSON *names = json_out_array(r, r->root, columns);
    for (size_t i = 0; i < s->nonly; i++)
        json_out_text(r, names, NULL, s->columns->column[s->only[i]].name);
    struct cJSON *alone = json_out_object(r, r->root, rows);
    json_out_count(r, alone, "rows", s->nalone);
    if (s->nalone) {
        json_out_count(r, alone, "first_row", s->alone);
        json_out_number(r, alone, "first_key", s->alone_key);
    }
}

void diff_add_json(struct json_out *r, const struct diff *diff)
{
    json_out_text(r, r->root, "expected", diff->side[DIFF_EXPECTED].name);
    json_out_text(r, r->root, "actual", diff->side[DIFF_ACTUAL].name);
    json_out_bool(r, r->root, "same", diff->same);
    json_out_count(r, r->root, "columns_agree", diff->agreeing);
    json_out_count(r, r->root, "columns_total", diff->all);
    json_out_count(r, r->root, "rows_compared", diff->compared);
    json_out_number(r, r->root, "abs", diff->abs);
    json_out_number(r, r->root, "rel", diff->rel);
    add_side(r, &diff->side[DIFF_EXPECTED], "columns_only_in_expected", "rows_only_in_expected");
    add_side(r, &diff->side[DIFF_ACTUAL], "columns_only_in_actual", "rows_only_in_actual");
    struct cJSON *columns = json_out_array(r, r->root, "columns");
    for (size_t i = 0; i < diff->ncolumn; i++)
        add_column(r, columns, diff, &diff->column[i]);
}

char *diff_json(const struct diff *diff)
{
    struct json_out r;
    json_out_open(&r);
    diff_add_json(&r, diff);
    return json_out_take(&r, false);
}

char *diff_junit(const struct diff *diff)
{
    char *text = diff_text(diff);
    if (!text)
        return NULL;
    const enum diff_verdict verdict = diff->same ? DIFF_SAME : DIFF_DIFFERENT;
    const struct junit_case one = { diff->side[DIFF_ACTUAL].name, verdict, text };
    char *report = junit_report("sprung diff", &one, 1);
    free(text);
    return report;
}
