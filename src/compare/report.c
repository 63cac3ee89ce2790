/* Reports of a comparison, in words and as JSON. See diff.h. */
#include "base/json_out.h"
#include "compare/diff.h"

#include <math.h>
#include <stdlib.h>

static const char *const sides[] = { "expected", "actual" };

static void put_name(struct text *text, const struct diff_side *side, size_t column)
{
    const char *name = side->table->column[column].name;
    char shown[256];
    error_escape(name, strlen(name), shown, sizeof shown);
    if (shown[0])
        text_put(text, "column \"%s\"", shown);
    else
        text_put(text, "column number %zu", column + 1);
}

/* Adds the key or the time of a row, with the name of the column; nothing if key is NaN. */
static void put_key(struct text *text, const struct diff *diff, double key)
{
    const struct diff_side *side = &diff->side[DIFF_EXPECTED];
    const char *name = side->shown == COLUMN_NONE ? "key" : side->table->column[side->shown].name;
    char shown[64];
    if (isnan(key))
        return;
    error_escape(name, strlen(name), shown, sizeof shown);
    text_put(text, ", %s ", shown);
    text_number(text, key, &number_shortest);
}

/* Adds ": row 3, line 4, time 0.02: expected 1, actual 2". */
static void put_rows(struct text *text, const struct diff *diff, const struct diff_pair *pair)
{
    text_put(text, ": row %llu", (unsigned long long)pair->row[0]);
    if (pair->row[1] != pair->row[0])
        text_put(text, " (actual %llu)", (unsigned long long)pair->row[1]);
    if (pair->line[0])
        text_put(text, ", line %llu", (unsigned long long)pair->line[0]);
    if (pair->line[1] && pair->line[1] != pair->line[0])
        text_put(text, pair->line[0] ? " (actual %llu)" : ", line (actual %llu)",
                 (unsigned long long)pair->line[1]);
    put_key(text, diff, pair->key);
    for (int i = 0; i < DIFF_SIDES; i++) {
        char shown[4 * sizeof pair->cell->text];
        text_put(text, "%s%s ", i == 0 ? ": " : ", ", sides[i]);
        error_escape(pair->cell[i].text, strlen(pair->cell[i].text), shown, sizeof shown);
        if (pair->cell[i].kind == DIFF_NUMBER)
            text_number(text, pair->cell[i].x, &number_shortest);
        else if (pair->cell[i].kind == DIFF_GAP)
            text_put(text, "(gap)");
        else
            text_put(text, "\"%s%s\"", shown, pair->cell[i].cut ? "\xE2\x80\xA6" : "");
    }
    text_put(text, "%s", pair->negated ? " (quaternion negated)" : "");
}

/* Adds the lines about columns and rows that only this side has. */
static void put_side(struct text *text, const struct diff *diff, int side)
{
    const struct diff_side *diff_side = &diff->side[side];
    char name[512];
    error_escape(diff_side->name, strlen(diff_side->name), name, sizeof name);
    for (size_t i = 0; i < diff_side->nonly; i++) {
        text_put(text, "only in %s (%s): ", sides[side], name);
        put_name(text, diff_side, diff_side->only[i]);
        text_put(text, "\n");
    }
    if (diff_side->nalone == 0)
        return;
    text_put(text, "only in %s (%s): %llu row%s, the first is row %llu", sides[side], name,
             (unsigned long long)diff_side->nalone, error_plural(diff_side->nalone),
             (unsigned long long)diff_side->alone);
    put_key(text, diff, diff_side->alone_key);
    text_put(text, "%s\n", diff_side->key == COLUMN_NONE ? " (to pair rows by a column: --key)" : "");
}

/* Adds how many columns agree in how many rows. */
static void put_counts(struct text *text, const struct diff *diff)
{
    if (diff->ncolumn == 0 && diff->ntotal > 0)
        text_put(text, "no column is in both files");
    else if (diff->agreeing == 0 && diff->ntotal > 0)
        text_put(text, "no column agrees (%zu compared)", diff->ncolumn);
    else
        text_put(text, "%zu of %zu column%s %s", diff->agreeing, diff->ntotal, error_plural(diff->ntotal),
                 diff->agreeing == 1 || diff->ntotal == 1 ? "agrees" : "agree");
    text_put(text, "; %llu row%s compared", (unsigned long long)diff->compared, error_plural(diff->compared));
}

/* Adds "2 rows only in expected" and its kin. */
static void put_alone(struct text *text, const struct diff *diff)
{
    for (int i = 0; i < DIFF_SIDES; i++) {
        const struct diff_side *side = &diff->side[i];
        if (side->nonly > 0)
            text_put(text, "%s%zu column%s only in %s", text->n > 0 ? "; " : "", side->nonly,
                     error_plural(side->nonly), sides[i]);
        if (side->nalone > 0)
            text_put(text, "%s%llu row%s only in %s%s", text->n > 0 ? "; " : "",
                     (unsigned long long)side->nalone, error_plural(side->nalone), sides[i],
                     side->key == COLUMN_NONE ? " (to pair rows by a column: --key)" : "");
    }
}

char *diff_summary(const struct diff *diff)
{
    const struct diff_column *worst = NULL;
    struct text text = { 0 };
    uint64_t n = 0;     /* cells that differ */
    size_t ncolumn = 0; /* columns with such cells */
    for (size_t i = 0; i < diff->ncolumn; i++) {
        const struct diff_column *column = &diff->column[i];
        if (column->beyond > 0 && (!worst || column->worst.apart > worst->worst.apart))
            worst = column;
        n += column->beyond;
        ncolumn += column->beyond > 0;
    }
    if (worst) {
        text_put(&text, "%s", n > 1 ? "worst: " : "");
        put_name(&text, &diff->side[0], worst->column[0]);
        put_rows(&text, diff, &worst->worst);
    }
    if (ncolumn > 1)
        text_put(&text, "; %zu other column%s", ncolumn - 1, ncolumn == 2 ? " differs" : "s differ");
    put_alone(&text, diff);
    return text_take(&text);
}

char *diff_text(const struct diff *diff, bool all)
{
    enum { FIRST = 10 };
    struct text text = { 0 };
    size_t n = 0; /* columns that differ */
    put_counts(&text, diff);
    text_put(&text, "\n");
    for (int i = 0; i < DIFF_SIDES; i++)
        put_side(&text, diff, i);
    for (size_t k = 0; k < diff->ncolumn; k++) {
        const struct diff_column *column = &diff->column[k];
        if (column->beyond == 0 || (n++ >= FIRST && !all))
            continue;
        put_name(&text, &diff->side[0], column->column[0]);
        text_put(&text, ": %llu of %llu row%s %s; worst", (unsigned long long)column->beyond,
                 (unsigned long long)diff->compared, error_plural(diff->compared),
                 column->beyond == 1 ? "differs" : "differ");
        put_rows(&text, diff, &column->worst);
        text_put(&text, "\n");
    }
    if (n > FIRST && !all)
        text_put(&text, "and %zu more column%s (-v lists all)\n", n - FIRST,
                 n - FIRST == 1 ? " differs" : "s differ");
    char *summary = n > 1 ? diff_summary(diff) : NULL;
    if (summary)
        text_put(&text, "%s\n", summary);
    free(summary);
    return text_take(&text);
}

/* --- JSON --- */

static void add_column(struct json_out *json, struct cJSON *to, const struct diff *diff,
                       const struct diff_column *column)
{
    const struct diff_pair *pair = &column->worst;
    json_out_text(json, to, "column", column->name);
    json_out_bool(json, to, "agrees", column->beyond == 0);
    json_out_count(json, to, "rows", diff->compared);
    json_out_count(json, to, "beyond", column->beyond);
    if (column->number) {
        json_out_number(json, to, "abs", column->abs);
        json_out_number(json, to, "rel", column->rel);
    }
    if (pair->row[0] == 0)
        return;
    struct cJSON *worst = json_out_object(json, to, "worst");
    json_out_number(json, worst, "difference", pair->apart);
    json_out_count(json, worst, "row", pair->row[0]);
    json_out_count(json, worst, "actual_row", pair->row[1]);
    if (pair->line[0])
        json_out_count(json, worst, "line", pair->line[0]);
    if (pair->line[1])
        json_out_count(json, worst, "actual_line", pair->line[1]);
    json_out_number(json, worst, "key", pair->key);
    for (int i = 0; i < DIFF_SIDES; i++)
        if (pair->cell[i].kind == DIFF_TEXT)
            json_out_text(json, worst, sides[i], pair->cell[i].text);
        else
            json_out_number(json, worst, sides[i],
                            pair->cell[i].kind == DIFF_NUMBER ? pair->cell[i].x : (double)NAN);
    if (pair->negated)
        json_out_bool(json, worst, "negated", true);
}

static void add_side(struct json_out *json, struct cJSON *to, const struct diff_side *side,
                     const char *columns, const char *rows)
{
    struct cJSON *names = json_out_array(json, to, columns);
    for (size_t i = 0; i < side->nonly; i++)
        json_out_text(json, names, NULL, side->table->column[side->only[i]].name);
    struct cJSON *alone = json_out_object(json, to, rows);
    json_out_count(json, alone, "rows", side->nalone);
    if (side->nalone) {
        json_out_count(json, alone, "first_row", side->alone);
        json_out_number(json, alone, "first_key", side->alone_key);
    }
}

void diff_add_json(struct json_out *json, struct cJSON *to, const struct diff *diff)
{
    json_out_text(json, to, "expected", diff->side[DIFF_EXPECTED].name);
    json_out_text(json, to, "actual", diff->side[DIFF_ACTUAL].name);
    json_out_bool(json, to, "same", diff->same);
    json_out_count(json, to, "columns_agree", diff->agreeing);
    json_out_count(json, to, "columns_total", diff->ntotal);
    json_out_count(json, to, "rows_compared", diff->compared);
    json_out_number(json, to, "abs", diff->abs);
    json_out_number(json, to, "rel", diff->rel);
    add_side(json, to, &diff->side[DIFF_EXPECTED], "columns_only_in_expected", "rows_only_in_expected");
    add_side(json, to, &diff->side[DIFF_ACTUAL], "columns_only_in_actual", "rows_only_in_actual");
    struct cJSON *columns = json_out_array(json, to, "columns");
    for (size_t i = 0; i < diff->ncolumn; i++)
        add_column(json, json_out_object(json, columns, NULL), diff, &diff->column[i]);
}
