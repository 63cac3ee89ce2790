/* The shape of the first record: the values in the record, the columns of the leaves, and the marks of wanted
 * values. The text of the first record is valid. */
#include "formats/json/json.h"

#include "base/array.h"
#include <stdlib.h>

/* --- nodes --- */

/* The key of a value in the table of members: its name as spelled, or its number as bytes, in the scope of
 * the parent. */
static struct name_key member_key(const struct json_node *parent, const struct json_items *items)
{
    if (items->object)
        return (struct name_key){ items->key, items->nkey, (uintptr_t)parent };
    return (struct name_key){ (const char *)&items->count, sizeof items->count, (uintptr_t)parent };
}

struct json_node *json_find(const struct json *json, const struct json_node *parent,
                            const struct json_items *items)
{
    char name[JSON_MAXNAME];
    struct name_key key = member_key(parent, items);
    if (items->object && key.nname > 0 && memchr(key.name, '\\', key.nname)) {
        key.nname = json_unescape(key.name, key.nname, name);
        key.name = name;
    }
    const size_t found = name_table_find(&json->members, key);
    return found == NAME_TABLE_NONE ? NULL : json->node[found];
}

struct json_node *json_add_node(struct json *json, const struct json_node *parent,
                                const struct json_items *items, struct error *e)
{
    struct name_key key = member_key(parent, items);
    if (json_find(json, parent, items)) {
        error_data(e, "this name occurs twice in one object");
        error_excerpt(e, key.name, key.nname);
        return NULL;
    }
    struct json_node *node = calloc(1, sizeof *node + key.nname);
    if (!node || !array_reserve(&json->node, json->nnode + 1, &json->maxnode, sizeof *json->node, NULL)) {
        free(node);
        error_memory(e);
        return NULL;
    }
    json->node[json->nnode++] = node;
    node->column = node->cell = COLUMN_NONE;
    char *name = memcpy(node + 1, key.name, key.nname);
    if (items->object)
        key.nname = json_unescape(name, key.nname, name);
    key.name = name;
    return name_table_put(&json->members, key, json->nnode - 1, e) ? node : NULL;
}

/* --- the first record --- */

struct builder {
    struct reader *reader;
    struct text path; /* name of the column, or of the columns in the value that is built */
    struct json_scan scan;
    struct error *e;
};

/* Adds a column for the value at p, named by the path. */
static bool add_column(struct builder *builder, struct json_node *node, const char *p)
{
    struct table *table = &builder->reader->table;
    if (!columns_add(table, builder->path.n > 0 ? builder->path.bytes : "", builder->path.n, builder->e))
        return false;
    node->column = table->ncolumn - 1;
    struct column *column = &table->column[node->column];
    column->first = *p == 'n' ? CELL_GAP : CELL_TEXT;
    if (json_is_number(p)) {
        column->first = CELL_NUMBER;
        number_read(p, p + strspn(p, "-0123456789.eE+"), '.', &column->number);
    }
    size_t ntext;
    const char *text = json_inside(p, &ntext);
    return !text || columns_set_text(column, text, ntext, builder->e);
}

/* Builds the array of an object of columns at p: a column, whose first row is the first element. Returns the
 * end of the array; NULL: an error. */
static const char *build_series(struct builder *builder, struct json_node *node, const char *p)
{
    struct json_items items = { .count = 0 };
    const char *first = "null";
    while ((p = json_each(&items, p)))
        if (items.count == 1)
            first = p;
    node->count = items.count;
    return add_column(builder, node, first) ? items.end : NULL;
}

/* Builds `node` and the nodes inside of the value at p. Returns the end of the value; NULL: an error. */
static const char *build(struct builder *builder, struct json_node *node, const char *p)
{
    struct json *json = builder->reader->state;
    struct json_items items = { .count = 0 };
    const size_t npath = builder->path.n;
    node->at = p;
    if (json->columns && *p == '[')
        return build_series(builder, node, p);
    if (*p != '{' && *p != '[') {
        node->before = json->last;
        json->last = add_column(builder, node, p) ? json_value(p, &builder->scan) : NULL;
        return json->last;
    }
    while ((p = json_next(&items, p, &builder->scan))) {
        const bool array = *p == '[' && *json_space(p + 1) != '{';
        if (json->columns && *p != '{' && !array) { /* no column */
            p = json_value(p, &builder->scan);
            continue;
        }
        struct json_node *child = json_add_node(json, node, &items, builder->e);
        json_put_step(&builder->path, &items, '.');
        p = child ? build(builder, child, p) : NULL;
        builder->path.n = npath;
        if (!p)
            return NULL;
    }
    node->count = items.count;
    return items.end;
}

bool json_shape(struct reader *reader, const char *p, struct error *e)
{
    struct json *json = reader->state;
    struct builder builder = { .reader = reader, .e = e };
    struct json_node *root = json_add_node(json, NULL, &(struct json_items){ .count = 0 }, e);
    reader->table.named = *p == '{';
    reader->table.stacked = *p != '{' &&
                            (*p != '[' || json->columns); /* bare numbers: no place between them */
    if (reader->table.stacked)
        text_put(&builder.path, "1"); /* their column has no name */
    json->last = p;
    json->end = root ? build(&builder, root, p) : NULL;
    free(builder.path.bytes);
    if (!json->end || builder.path.failed)
        return json->end && error_memory(e);
    if (reader->table.ncolumn > 0)
        return true;
    error_data(e, "%s",
               json->columns ? "this object has no columns: none of its members is an array of numbers"
                             : "the first records are empty, but they decide the columns");
    return error_hint(e, "try --records /a/b, an array of records; for a record per line: --from jsonl");
}

/* --- what is wanted --- */

bool json_bind(struct reader *reader, struct error *e)
{
    struct json *json = reader->state;
    const struct table *table = &reader->table;
    struct json_node *leader = NULL; /* the column that shows the number of rows */
    (void)e;
    json->time = table->time == COLUMN_NONE ? COLUMN_NONE : table_column(table, table->time)->cell;
    json->anchor = table->ncell;
    for (size_t i = 0; i < json->nnode; i++) {
        struct json_node *node = json->node[i];
        if (node->column == COLUMN_NONE)
            continue;
        const struct column *column = table_column(table, node->column);
        node->cell = column->cell;
        node->value = column->value;
        node->time = table_is_time(table, node->column);
        node->numeric = node->value != COLUMN_NONE || (node->time && table->form == TIMESTAMP_NUMBER);
        node->plain = node->numeric && (node->time || !reader->options->missing);
        node->full = column->role != ROLE_PASS;
        if (!leader || node->full > leader->full)
            leader = node;
        json->length = leader->count;
    }
    return true;
}
