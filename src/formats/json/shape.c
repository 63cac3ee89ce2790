/* The shape of the first record: a tree of the values in the record, the columns of the leaves, and the marks
 * of wanted values. The text of the first record is valid. */
#include "formats/json/json.h"

#include "base/array.h"
#include <stdlib.h>

/* --- nodes --- */

/* The key of a member in the table of members: the name without escapes, in the scope of the parent. */
static struct name_key member_key(const struct json_node *parent, const char *name, size_t nname)
{
    return (struct name_key){ name, nname, (uintptr_t)parent };
}

struct json_node *json_find(const struct json *json, const struct json_node *parent, const char *key,
                            size_t nkey)
{
    char name[JSON_MAXNAME];
    if (nkey > 0 && memchr(key, '\\', nkey)) {
        nkey = json_unescape(key, nkey, name);
        key = name;
    }
    const size_t found = name_table_find(&json->members, member_key(parent, key, nkey));
    return found == NAME_TABLE_NONE ? NULL : json->node[found];
}

struct json_node *json_add_node(struct json *json, struct json_node *parent, const char *key, size_t nkey,
                                struct error *e)
{
    const bool member = parent && parent->kind == JSON_OBJECT;
    if (member && json_find(json, parent, key, nkey)) {
        error_data(e, "this name occurs twice in one object");
        error_excerpt(e, key, nkey);
        return NULL;
    }
    struct json_node *node = calloc(1, sizeof *node + nkey);
    if (!node || !array_reserve(&json->node, json->nnode + 1, &json->maxnode, sizeof *json->node, NULL)) {
        free(node);
        error_memory(e);
        return NULL;
    }
    json->node[json->nnode++] = node;
    char *name = (char *)(node + 1);
    node->parent = parent;
    node->name = name;
    node->nname = json_unescape(key, nkey, name);
    node->column = COLUMN_NONE;
    if (member && !name_table_put(&json->members, member_key(parent, name, node->nname), json->nnode - 1, e))
        return NULL;
    return node;
}

/* --- the tree --- */

struct builder {
    struct reader *reader;
    struct text *path; /* name of the columns in the value that is built */
    bool columns;      /* the value is an object of columns, or in one */
    size_t nrow;       /* elements of the array of columns that is built */
    struct json_scan scan;
    struct error *e;
};

/* Builds `node` and the nodes inside of the value at p. Returns the end of the value; NULL: an error. */
static const char *build(struct builder *builder, struct json_node *node, const char *p);

/* Builds the members or elements of the object or array at p. Returns the end of the value; NULL: an
 * error. */
static const char *build_items(struct builder *builder, struct json_node *node, const char *p)
{
    struct json *json = builder->reader->state;
    struct json_items items = { .object = *p == '{' };
    struct json_node **next = &node->child;
    const size_t npath = builder->path->n;
    node->after = p;
    node->kind = items.object ? JSON_OBJECT : JSON_ARRAY;
    while ((p = json_next(&items, p, &builder->scan))) {
        struct json_node *child = json_add_node(json, node, items.object ? items.key : "", items.nkey,
                                                builder->e);
        if (!child)
            return NULL;
        json_put_step(builder->path, &items, '.');
        *next = child;
        next = &child->next;
        child->before = node->after;
        node->after = p = build(builder, child, p);
        builder->path->n = npath;
        if (!p)
            return NULL;
    }
    node->count = items.count;
    return items.end;
}

/* Adds a column for the value at p, named by the path. */
static bool add_column(struct builder *builder, struct json_node *node, const char *p)
{
    struct table *table = &builder->reader->table;
    const struct text *path = builder->path;
    if (!columns_add(table, path->n > 0 ? path->bytes : "", path->n, builder->e))
        return false;
    node->column = table->ncolumn - 1;
    node->count = builder->nrow;
    struct column *column = &table->column[node->column];
    column->first = *p == 'n' ? CELL_GAP : CELL_TEXT;
    if (json_digit(*p) || *p == '-') {
        const size_t length = strspn(p, "-0123456789.eE+");
        column->first = CELL_NUMBER;
        column->decimals = number_decimals(p, length, '.');
        if (number_read(p, p + length, '.', &column->number) != p + length)
            column->number = (double)NAN;
    }
    size_t ntext;
    const char *text = json_inside(p, &ntext);
    return !text || columns_set_text(column, text, ntext, builder->e);
}

/* Can the value at p be the row of a column: a scalar, or an array of scalars? */
static bool is_row(const char *p)
{
    struct json_items items = { .count = 0 };
    if (*p != '[')
        return *p != '{';
    while ((p = json_each(&items, p)))
        if (*p == '[' || *p == '{')
            return false;
    return true;
}

/* Builds a value of an object of columns, at p: an array becomes columns of the shape of its first element,
 * unless that cannot be a row. Returns the end of the value; NULL: an error. */
static const char *build_columns(struct builder *builder, struct json_node *node, const char *p)
{
    struct json_items items = { .count = 0 };
    const char *first = NULL;
    if (*p != '[')
        return json_value(p, &builder->scan);
    while ((p = json_each(&items, p)))
        first = first ? first : p;
    if (first && !is_row(first))
        return items.end;
    node->kind = JSON_SERIES;
    node->child = json_add_node(builder->reader->state, node, "", 0, builder->e);
    builder->columns = false;
    builder->nrow = items.count;
    const bool good = node->child && build(builder, node->child, first ? first : "null");
    builder->columns = true;
    return good ? items.end : NULL;
}

static const char *build(struct builder *builder, struct json_node *node, const char *p)
{
    node->at = p;
    if (builder->columns && *p != '{')
        node->end = build_columns(builder, node, p);
    else if (*p == '{' || *p == '[')
        node->end = build_items(builder, node, p);
    else if (add_column(builder, node, p))
        node->end = json_value(p, &builder->scan);
    return node->end;
}

bool json_shape(struct reader *reader, const char *p, bool columns, struct error *e)
{
    struct text path = { 0 };
    struct builder builder = { .reader = reader, .path = &path, .columns = columns, .e = e };
    struct json_node *root = json_add_node(reader->state, NULL, "", 0, e);
    if (*p != '{' && (*p != '[' || columns))
        text_put(&path, "1"); /* a column of numbers has no name */
    const bool good = root && build(&builder, root, p), failed = path.failed;
    free(path.bytes);
    return good && (!failed || error_memory(e));
}

/* --- what is wanted --- */

/* Sets what a node is by the column of the node. */
static void bind_node(const struct reader *reader, struct json_node *node)
{
    const struct table *table = &reader->table;
    const struct column *column = node->column == COLUMN_NONE ? NULL : table_column(table, node->column);
    node->cell = column ? column->cell : COLUMN_NONE;
    node->value = column ? column->value : COLUMN_NONE;
    node->time = column && table_is_time(table, node->column);
    node->numeric = node->value != COLUMN_NONE || (node->time && table->form == TIMESTAMP_NUMBER);
    node->plain = node->numeric && (node->time || !reader->options->missing);
    node->wanted |= node->cell != COLUMN_NONE;
}

/* The column whose length is the number of rows: the time, else the first channel, else the first column. */
static size_t leading_column(const struct table *table)
{
    if (table->time != COLUMN_NONE)
        return table->time;
    return table->nchannel > 0 ? table->channel[0] : 0;
}

/* Finds the number of rows of an object of columns, and checks the lengths of its arrays. */
static bool bind_columns(struct json *json, const struct table *table, struct error *e)
{
    const size_t leader = leading_column(table);
    for (size_t i = 0; i < json->nnode; i++)
        if (json->node[i]->column == leader)
            json->length = json->node[i]->count;
    for (size_t i = 0; i < json->nnode; i++) {
        const struct json_node *leaf = json->node[i];
        if (leaf->column == COLUMN_NONE || leaf->count == json->length ||
            table_column(table, leaf->column)->role == ROLE_PASS)
            continue;
        error_data(e, "columns differ in length: this one has %zu element%s, \"%.100s\" has %zu", leaf->count,
                   error_plural(leaf->count), table->column[leader].name, json->length);
        error_column(e, table->column[leaf->column].name);
        return error_hint(e, "choose the columns to filter with --columns or --exclude");
    }
    return true;
}

bool json_bind(struct reader *reader, struct error *e)
{
    struct json *json = reader->state;
    const struct table *table = &reader->table;
    json->time = table->time == COLUMN_NONE ? COLUMN_NONE : table_column(table, table->time)->cell;
    json->anchor = table->ncell;
    json->ncell = json->anchor + 1;
    for (size_t i = json->nnode; i-- > 0;) { /* children before their parents */
        struct json_node *node = json->node[i];
        bind_node(reader, node);
        if (node->wanted && node->parent)
            node->parent->wanted = true;
    }
    return !json->columns || bind_columns(json, table, e);
}
