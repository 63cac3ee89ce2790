/* Reports of a comparison, in words and as JSON. See diff.h. */
#include "base/json_out.h"
#include "compare/diff_folders.h"

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

/* Adds ": row 3, line 4, time 0.02: expected 1, actual 2" and a line end. */
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
    text_put(text, "%s\n", pair->negated ? " (quaternion negated)" : "");
}

/* Adds the line about a column that differs. */
static void put_column(struct text *text, const struct diff *diff, const struct diff_column *column)
{
    put_name(text, &diff->side[0], column->column[0]);
    text_put(text, ": %llu of %llu row%s %s; worst", (unsigned long long)column->beyond,
             (unsigned long long)diff->compared, error_plural(diff->compared),
             column->beyond == 1 ? "differs" : "differ");
    put_rows(text, diff, &column->worst);
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
    text_put(text, "\n");
}

char *diff_worst(const struct diff *diff)
{
    const struct diff_column *worst = NULL;
    uint64_t n = 0; /* cells that differ */
    for (size_t i = 0; i < diff->ncolumn; i++) {
        const struct diff_column *column = &diff->column[i];
        if (column->beyond > 0 && (!worst || column->worst.apart > worst->worst.apart))
            worst = column;
        n += column->beyond;
    }
    if (!worst)
        return NULL;
    struct text text = { 0 };
    text_put(&text, "%s", n > 1 ? "worst: " : "");
    put_name(&text, &diff->side[0], worst->column[0]);
    put_rows(&text, diff, &worst->worst);
    text.n -= text.n > 0; /* the line end */
    return text_take(&text);
}

/* The column of the expected side, of times or else of counts, that shows that rows moved: a side has more
 * rows, and the rows that pair in order have different times. COLUMN_NONE: no column does, or the rows pair
 * by --key. */
static size_t moved_key(const struct diff *diff)
{
    size_t key = COLUMN_NONE;
    const bool uneven = diff->side[DIFF_EXPECTED].nalone > 0 || diff->side[DIFF_ACTUAL].nalone > 0;
    for (size_t i = 0; i < diff->ncolumn && uneven && !diff->options->key; i++) {
        const struct diff_column *column = &diff->column[i];
        const bool counts = columns_name_means(column->name, strlen(column->name), NAME_FRAMES) ||
                            columns_name_means(column->name, strlen(column->name), NAME_COUNT);
        if (column->number && column->beyond > 0 && (column->time || (counts && key == COLUMN_NONE)))
            key = column->column[DIFF_EXPECTED];
    }
    return key;
}

char *diff_hint(const struct diff *diff)
{
    const struct table *table = diff->side[DIFF_EXPECTED].table;
    const size_t key = moved_key(diff);
    char number[COLUMNS_NUMBER], quoted[TEXT_WORD];
    if (key == COLUMN_NONE)
        return NULL;
    return text_format(
        "one file has more rows, and rows pair in order; to pair them by \"%.60s\", add --key %s",
        table->column[key].name, text_quoted(quoted, columns_entry(table, key, number)));
}

/* Adds how many columns agree in how many rows. */
static void put_counts(struct text *text, const struct diff *diff)
{
    if (diff->ncolumn == 0 && diff->ntotal > 0) {
        text_put(text, "no column is in both files");
        return;
    }
    if (diff->agreeing == 0 && diff->ntotal > 0)
        text_put(text, "no column agrees (%zu compared)", diff->ncolumn);
    else
        text_put(text, "%zu of %zu column%s %s", diff->agreeing, diff->ntotal, error_plural(diff->ntotal),
                 diff->agreeing == 1 || diff->ntotal == 1 ? "agrees" : "agree");
    text_put(text, "; %llu row%s compared", (unsigned long long)diff->compared, error_plural(diff->compared));
}

char *diff_summary(const struct diff *diff)
{
    const size_t others = diff->ntotal - diff->agreeing - 1;
    struct text text = { 0 };
    char *worst = diff_worst(diff);
    if (!worst)
        put_counts(&text, diff);
    else if (others == 0)
        text_put(&text, "%s", worst);
    else
        text_put(&text, "%s; %zu other column%s", worst, others, others == 1 ? " differs" : "s differ");
    free(worst);
    return text_take(&text);
}

/* Adds the lines about the columns that differ; unless `all`, about the first of them. Returns how many
 * differ. */
static size_t put_columns(struct text *text, const struct diff *diff, bool all)
{
    enum { FIRST = 10 };
    size_t n = 0;
    for (size_t i = 0; i < diff->ncolumn; i++)
        if (diff->column[i].beyond > 0 && (n++ < FIRST || all))
            put_column(text, diff, &diff->column[i]);
    if (n > FIRST && !all)
        text_put(text, "and %zu more column%s (-v lists all)\n", n - FIRST,
                 n - FIRST == 1 ? " differs" : "s differ");
    return n;
}

char *diff_text(const struct diff *diff, bool all)
{
    struct text text = { 0 };
    put_counts(&text, diff);
    text_put(&text, "\n");
    for (int i = 0; i < DIFF_SIDES; i++)
        put_side(&text, diff, i);
    const size_t ndifferent = put_columns(&text, diff, all);
    char *summary = ndifferent > 1 ? diff_summary(diff) : NULL;
    if (summary)
        text_put(&text, "%s\n", summary);
    free(summary);
    return text_take(&text);
}

static void add_rows(struct json_out *json_out, struct cJSON *to, const struct diff_pair *pair)
{
    json_out_count(json_out, to, "row", pair->row[0]);
    json_out_count(json_out, to, "actual_row", pair->row[1]);
    if (pair->line[0])
        json_out_count(json_out, to, "line", pair->line[0]);
    if (pair->line[1])
        json_out_count(json_out, to, "actual_line", pair->line[1]);
    json_out_number(json_out, to, "key", pair->key);
    for (int i = 0; i < DIFF_SIDES; i++)
        if (pair->cell[i].kind == DIFF_TEXT)
            json_out_text(json_out, to, sides[i], pair->cell[i].text);
        else
            json_out_number(json_out, to, sides[i],
                            pair->cell[i].kind == DIFF_NUMBER ? pair->cell[i].x : (double)NAN);
    if (pair->negated)
        json_out_bool(json_out, to, "negated", true);
}

static void add_column(struct json_out *json_out, struct cJSON *to, const struct diff *diff,
                       const struct diff_column *diff_column)
{
    struct cJSON *column = json_out_object(json_out, to, NULL);
    json_out_text(json_out, column, "column", diff_column->name);
    json_out_bool(json_out, column, "agrees", diff_column->beyond == 0);
    json_out_count(json_out, column, "rows", diff->compared);
    json_out_count(json_out, column, "beyond", diff_column->beyond);
    if (diff_column->number) {
        json_out_number(json_out, column, "abs", diff_column->abs);
        json_out_number(json_out, column, "rel", diff_column->rel);
    }
    if (diff_column->worst.row[0] == 0)
        return;
    struct cJSON *worst = json_out_object(json_out, column, "worst");
    json_out_number(json_out, worst, "difference", diff_column->worst.apart);
    add_rows(json_out, worst, &diff_column->worst);
}

static void add_side(struct json_out *json_out, const struct diff_side *side, const char *columns,
                     const char *rows)
{
    struct cJSON *names = json_out_array(json_out, json_out->root, columns);
    for (size_t i = 0; i < side->nonly; i++)
        json_out_text(json_out, names, NULL, side->table->column[side->only[i]].name);
    struct cJSON *alone = json_out_object(json_out, json_out->root, rows);
    json_out_count(json_out, alone, "rows", side->nalone);
    if (side->nalone) {
        json_out_count(json_out, alone, "first_row", side->alone);
        json_out_number(json_out, alone, "first_key", side->alone_key);
    }
}

void diff_add_json(struct json_out *json_out, const struct diff *diff)
{
    json_out_text(json_out, json_out->root, "expected", diff->side[DIFF_EXPECTED].name);
    json_out_text(json_out, json_out->root, "actual", diff->side[DIFF_ACTUAL].name);
    json_out_bool(json_out, json_out->root, "same", diff->same);
    json_out_count(json_out, json_out->root, "columns_agree", diff->agreeing);
    json_out_count(json_out, json_out->root, "columns_total", diff->ntotal);
    json_out_count(json_out, json_out->root, "rows_compared", diff->compared);
    json_out_number(json_out, json_out->root, "abs", diff->abs);
    json_out_number(json_out, json_out->root, "rel", diff->rel);
    add_side(json_out, &diff->side[DIFF_EXPECTED], "columns_only_in_expected", "rows_only_in_expected");
    add_side(json_out, &diff->side[DIFF_ACTUAL], "columns_only_in_actual", "rows_only_in_actual");
    struct cJSON *columns = json_out_array(json_out, json_out->root, "columns");
    for (size_t i = 0; i < diff->ncolumn; i++)
        add_column(json_out, columns, diff, &diff->column[i]);
}

char *diff_json(const struct diff *diff)
{
    struct json_out json_out;
    json_out_open(&json_out);
    diff_add_json(&json_out, diff);
    return json_out_take(&json_out, false);
}

char *diff_junit(const struct diff *diff)
{
    char *text = diff_text(diff, true);
    if (!text)
        return NULL;
    const enum diff_verdict verdict = diff->same ? DIFF_SAME : DIFF_DIFFERENT;
    char *worst = diff_worst(diff);
    const struct junit_case one = { diff->side[DIFF_ACTUAL].name, verdict, worst, text };
    char *report = junit_report("sprung diff", &one, 1);
    free(worst);
    free(text);
    return report;
}
