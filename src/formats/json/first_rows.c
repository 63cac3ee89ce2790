/* Reads the rows behind the first record that decide about the roles of columns: see rows/first_rows.c. The
 * rows stay in rest and are read again as rows. A row with a fault, or another count of elements, ends the
 * search. */
#include "formats/json/json.h"

#include <math.h>
#include <stdlib.h>

/* The numbers of a row. */
struct first_row {
    struct reader *reader;
    double *number; /* [ncolumn] NaN: no number */
    struct json_scan scan;
};

/* Takes the leaf from p to end: a number, or a date in a column of dates. */
static void take_leaf(struct first_row *first, const struct json_node *node, const char *p, const char *end)
{
    struct column *column = &first->reader->columns.column[node->column];
    double *number = &first->number[node->column];
    if (json_digit(*p) || *p == '-')
        number_read(p, end, '.', number);
    if (*p == '"' && column->form != TIMESTAMP_NUMBER)
        *number = columns_take_date(column, p + 1, (size_t)(end - p) - 2);
}

/* Takes the numbers of the value at p along the shape. Returns the end of the value; NULL: a fault. */
static const char *take_value(struct first_row *first, const struct json_node *node, const char *p)
{
    const struct json *json = first->reader->state;
    struct json_items items = { .object = *p == '{' };
    if (node->kind != (items.object ? JSON_OBJECT : JSON_ARRAY) || (*p != '{' && *p != '[')) {
        const char *end = json_value(p, node->depth, &first->scan);
        if (end && node->column != COLUMN_NONE)
            take_leaf(first, node, p, end);
        return end;
    }
    const struct json_node *element = node->child;
    while ((p = json_next(&items, p, &first->scan))) {
        const struct json_node *child = items.object ? json_find(json, node, items.key, items.nkey) : element;
        element = element ? element->next : NULL;
        p = child ? take_value(first, child, p) : json_value(p, node->depth + 1, &first->scan);
        if (!p)
            return NULL;
    }
    return items.end;
}

/* --- records --- */

/* Waits until the record that begins at or behind rest[*at] has ended, and moves *at to its begin. *found:
 * there is a record. False: an error. */
static bool await_record(struct reader *reader, size_t *at, bool *found, struct error *e)
{
    struct json *json = reader->state;
    struct json_split *split = &json->split;
    for (;;) {
        const char *p = json_space(json->rest + *at);
        if (!json->lines && *p == ',')
            p = json_space(p + 1);
        const size_t place = (size_t)(p - json->rest);
        const size_t end = json->lines && json->ended ? json->nrest : split->last;
        *found = place < end;
        if (*found)
            *at = place;
        if (*found || split->closed || json->ended)
            return true;
        const size_t nrow = split->nrow;
        split->most = nrow + 1;
        if (!json_await_rows(reader, nrow + 1, e))
            return false;
        if (split->nrow == nrow && !split->closed && !json->ended)
            return true; /* the record is too long */
    }
}

/* Takes the record at rest[*at], and moves *at to its end. False: the record has a fault. */
static bool take_record(struct first_row *first, size_t *at)
{
    const struct json *json = first->reader->state;
    const char *p = json->rest + *at;
    if ((json->rows == JSON_RECORDS) != (*p == '{'))
        return false;
    first->scan = json_scan_rest(json);
    const char *end = take_value(first, json->node[0], p);
    if (!end || (json->lines && !json_in_line(p, end, &first->scan)))
        return false;
    *at = (size_t)(end - json->rest);
    return true;
}

/* --- objects of columns --- */

/* Takes the numbers of row `row` of the array `node`. False: the array is shorter. */
static bool take_element(struct first_row *first, const struct json_node *node, size_t row)
{
    const struct json_node *element = node->child;
    const bool components = json_has_components(node);
    struct json_items items = { .count = 0 };
    const char *p = json_each(&items, node->at);
    for (size_t skip = components ? row * element->count : row; p && skip > 0; skip--)
        p = json_each(&items, p);
    if (!components)
        return p && take_value(first, element, p);
    for (const struct json_node *leaf = element->child; p && leaf; leaf = leaf->next) {
        take_value(first, leaf, p);
        p = json_each(&items, p);
    }
    return true;
}

/* Takes the numbers of row `row` of all arrays. */
static bool take_row(struct first_row *first, size_t row)
{
    const struct json *json = first->reader->state;
    first->scan = json_scan_rest(json);
    for (size_t i = 0; i < json->nnode; i++)
        if (json->node[i]->kind == JSON_COLUMN &&
            (row >= json->node[i]->count || !take_element(first, json->node[i], row)))
            return false;
    return true;
}

bool json_read_first_rows(struct reader *reader, struct error *e)
{
    struct json *json = reader->state;
    struct columns *columns = &reader->columns;
    struct first_row first = { .reader = reader };
    size_t at = json->nhead;
    first.number = calloc(columns->ncolumn + 1, sizeof *first.number);
    bool good = first.number || error_memory(e), more = good && json->rows != JSON_NUMBERS;
    for (size_t row = 0; more && columns_want_row(columns, reader->options->seeks_time); row++) {
        for (size_t i = 0; i < columns->ncolumn; i++)
            first.number[i] = (double)NAN;
        if (json->rows == JSON_COLUMNS)
            more = take_row(&first, row);
        else
            good = await_record(reader, &at, &more, e);
        if (good && more && json->rows != JSON_COLUMNS)
            more = take_record(&first, &at);
        good = good && (!more || columns_add_row(columns, first.number, e));
        more = more && good;
    }
    free(first.number);
    return good;
}
