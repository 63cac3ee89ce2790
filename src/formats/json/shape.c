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

/* Finds a member by a key with escapes, of any length: compares the key with every node. */
static struct json_node *find_long(const struct json *json, const struct json_node *parent, const char *key,
                                   size_t nkey)
{
    for (size_t i = 0; i < json->nnode; i++) {
        struct json_node *node = json->node[i];
        if (node->parent == parent && json_compare_name(key, nkey, node->name, node->nname) == 0)
            return node;
    }
    return NULL;
}

struct json_node *json_find(const struct json *json, const struct json_node *parent, const char *key,
                            size_t nkey)
{
    char name[1024];
    if (nkey > 0 && memchr(key, '\\', nkey)) {
        if (nkey > sizeof name)
            return find_long(json, parent, key, nkey);
        nkey = json_unescape(key, nkey, name);
        key = name;
    }
    size_t found = name_table_find(&json->members, member_key(parent, key, nkey));
    return found == NAME_TABLE_NONE ? NULL : json->node[found];
}

struct json_node *json_add_node(struct json *json, struct json_node *parent, const char *key, size_t nkey,
                                bool reserved, struct error *e)
{
    bool own_name = reserved || memchr(key, '\\', nkey), member = parent && parent->kind == JSON_OBJECT;
    struct json_node *node = calloc(1, sizeof *node + (own_name ? nkey : 0));
    if (node) {
        *node = (struct json_node){ .parent = parent,
                                    .depth = parent ? parent->depth + 1 : !json->lines,
                                    .key = key,
                                    .nkey = nkey,
                                    .name = key,
                                    .nname = nkey,
                                    .reserved = reserved,
                                    .column = COLUMN_NONE };
    }
    if (node && own_name) {
        char *name = (char *)(node + 1);
        node->name = name;
        node->nname = json_unescape(key, nkey, name);
    }
    if (!node || !array_reserve(&json->node, json->nnode + 1, &json->maxnode, sizeof *json->node, NULL) ||
        (member &&
         !name_table_put(&json->members, member_key(parent, node->name, node->nname), json->nnode, NULL))) {
        free(node);
        error_memory(e);
        return NULL;
    }
    return json->node[json->nnode++] = node;
}

/* --- the tree --- */

/* Has the name a NUL byte? No column can have such a name: the path takes the key as spelled. */
static bool has_nul(const struct json_node *node)
{
    return memchr(node->name, 0, node->nname) != NULL;
}

struct builder {
    struct json *json;
    struct table *table;
    struct text path; /* path of the node that is built */
    struct json_scan scan;
    struct error *e;
};

/* Builds `node` and the nodes inside of the value at p. Returns the end of the value; NULL: an error. */
static const char *build(struct builder *builder, struct json_node *node, const char *p);

/* Builds the members or elements of the object or array at p. Returns the end of the value; NULL: an
 * error. */
static const char *build_items(struct builder *builder, struct json_node *node, const char *p)
{
    struct json_items items = { .object = *p == '{' };
    struct json_node **next = &node->child;
    const size_t npath = builder->path.n;
    node->after = p;
    node->kind = items.object ? JSON_OBJECT : JSON_ARRAY;
    while ((p = json_next(&items, p, &builder->scan))) {
        if (items.count == 2)
            node->second = items.object ? items.key - 1 : p;
        struct json_node *child = items.object ? json_find(builder->json, node, items.key, items.nkey) : NULL;
        if (child) {
            child->again = p;
            p = json_value(p, 0, &builder->scan);
            continue;
        }
        child = *next = json_add_node(builder->json, node, items.object ? items.key : "", items.nkey, false,
                                      builder->e);
        if (!child)
            return NULL;
        next = &child->next;
        if (node->parent)
            text_add(&builder->path, ".", 1);
        if (items.object && has_nul(child))
            text_add(&builder->path, child->key, child->nkey);
        else if (items.object)
            text_add(&builder->path, child->name, child->nname);
        else
            text_put(&builder->path, "%zu", node->parent ? items.count - 1 : items.count);
        child->before = node->after;
        node->after = p = build(builder, child, p);
        builder->path.n = npath;
        if (!p)
            return NULL;
    }
    node->count = items.count;
    return items.end;
}

/* Adds a column for the value at p, named by the path. */
static bool add_column(struct builder *builder, struct json_node *node, const char *p)
{
    if (!columns_add(builder->table, builder->path.n > 0 ? builder->path.bytes : "", builder->path.n,
                     builder->e))
        return false;
    node->column = builder->table->ncolumn - 1;
    struct column *column = &builder->table->column[node->column];
    column->first = CELL_TEXT;
    if (json_digit(*p) || *p == '-')
        column->first = CELL_NUMBER;
    else if (*p == 'n' || *p == ']')
        column->first = CELL_GAP;
    if (column->first == CELL_NUMBER) {
        size_t length = strspn(p, "-0123456789.eE+");
        column->decimals = number_decimals(p, length, '.');
        if (number_read(p, p + length, '.', &column->number) != p + length)
            column->number = (double)NAN;
    }
    if (*p != '"')
        return true;
    size_t ntext;
    const char *text = json_inside(p, &ntext);
    return columns_set_text(column, text, ntext, builder->e);
}

/* Can the value at p be the row of a column: a scalar, or an array of scalars? */
static bool is_row_of_column(const char *p)
{
    struct json_items items = { .count = 0 };
    if (*p != '[')
        return *p != '{';
    while ((p = json_each(&items, p)))
        if (*p == '[' || *p == '{')
            return false;
    return true;
}

/* Builds an array in an object of columns. An array whose first element cannot be a row stays a LEAF without
 * a column. Returns the end of the array; NULL: an error. */
static const char *build_column(struct builder *builder, struct json_node *node, const char *p)
{
    struct json_items items = { .object = false };
    const char *first = NULL;
    node->after = p;
    while ((p = json_next(&items, p, &builder->scan))) {
        if (items.count == 1)
            first = p;
        if (items.count == 2)
            node->second = p;
        p = json_value(p, 0, &builder->scan);
        node->after = p;
    }
    if (first && !is_row_of_column(first))
        return items.end;
    node->kind = JSON_COLUMN;
    node->count = items.count;
    node->child = json_add_node(builder->json, node, "", 0, false, builder->e);
    if (!node->child)
        return NULL;
    node->child->before = node->child->at = node->at;
    bool good = first ? build(builder, node->child, first) != NULL : add_column(builder, node->child, "]");
    return good ? items.end : NULL;
}

static const char *build(struct builder *builder, struct json_node *node, const char *p)
{
    /* Is the value in a row? In an object of columns rows are inside arrays. */
    bool in_row = builder->json->rows != JSON_COLUMNS || (node->parent && node->parent->kind != JSON_OBJECT);
    node->at = p;
    if (*p == '{' || (*p == '[' && in_row))
        node->end = build_items(builder, node, p);
    else if (*p == '[')
        node->end = build_column(builder, node, p);
    else if (!in_row || add_column(builder, node, p))
        node->end = json_value(p, 0, &builder->scan);
    return node->end;
}

bool json_shape(struct reader *reader, const char *p, struct error *e)
{
    struct builder builder = { .json = reader->state, .table = &reader->table, .e = e };
    struct json_node *root = json_add_node(builder.json, NULL, "", 0, false, e);
    if (!root)
        return false;
    if (*p != '{' && *p != '[')
        text_put(&builder.path, "1");
    bool good = build(&builder, root, p) != NULL;
    if (good && builder.path.failed)
        good = error_memory(e);
    free(builder.path.bytes);
    return good;
}

/* --- what is wanted --- */

/* Decides about the array `node`, whose length differs from the nrow rows of the series, the length of the
 * column `leading`. An array that only passes through is no longer wanted: it stays in the document, with a
 * message, and its cells are empty. Any other array is an error. */
static bool settle_length(const struct reader *reader, struct json_node *node, size_t nrow,
                          const char *leading, struct error *e)
{
    const struct table *table = &reader->table;
    const char *name = table_column(table, json_first_leaf(node)->column)->name;
    node->wanted = false;
    for (const struct json_node *leaf = json_first_leaf(node); leaf; leaf = leaf->next)
        node->wanted |= table_column(table, leaf->column)->role != ROLE_PASS;
    if (!node->wanted) {
        reader_tell(reader,
                    "\"%s\" has %zu element%s, but the series has %zu row%s: this column is left empty", name,
                    node->count, error_plural(node->count), nrow, error_plural(nrow));
        return true;
    }
    error_data(e, "columns differ in length: this one has %zu element%s, \"%.100s\" has %zu", node->count,
               error_plural(node->count), leading, nrow);
    error_column(e, name);
    return error_hint(e, "choose the columns to filter with --columns or --exclude");
}

/* The column whose elements count the rows of an object of columns: the time, else the first channel, else
 * the first column. */
static size_t leading_column(const struct reader *reader)
{
    const struct table *table = &reader->table;
    if (table->time != COLUMN_NONE)
        return table->time;
    for (size_t i = 0; i < table->ncolumn; i++)
        if (table_column(table, i)->role == ROLE_CHANNEL)
            return i;
    return 0;
}

/* The array of an object of columns that holds the cells of a column. */
static const struct json_node *array_of(const struct json *json, size_t column)
{
    const struct json_node *node = NULL;
    for (size_t i = 0; !node; i++)
        if (json->node[i]->column == column)
            node = json->node[i];
    while (node->kind != JSON_COLUMN)
        node = node->parent;
    return node;
}

/* Checks the lengths of the arrays in an object of columns. */
static bool bind_lengths(struct reader *reader, struct error *e)
{
    struct json *json = reader->state;
    const size_t leading = leading_column(reader), nrow = array_of(json, leading)->count;
    json->leader = table_column(&reader->table, leading)->cell;
    json->nrow = nrow;
    for (size_t i = 0; i < json->nnode; i++) {
        struct json_node *node = json->node[i];
        if (node->kind == JSON_COLUMN && node->wanted && node->count != nrow &&
            !settle_length(reader, node, nrow, reader->table.column[leading].name, e))
            return false;
    }
    return true;
}

/* Sets what a node is by the column of the node. */
static void bind_node(const struct reader *reader, struct json_node *node)
{
    const struct table *table = &reader->table;
    const struct column *use = node->column == COLUMN_NONE ? NULL : table_column(table, node->column);
    node->cell = use ? use->cell : COLUMN_NONE;
    node->value = use ? use->value : COLUMN_NONE;
    node->time = use && table_is_time(table, node->column);
    node->numeric = node->value != COLUMN_NONE || (node->time && table->form == TIMESTAMP_NUMBER);
    node->plain = node->numeric && (node->time || !reader->options->missing);
    node->wanted |= node->cell != COLUMN_NONE;
}

bool json_bind(struct reader *reader, struct error *e)
{
    struct json *json = reader->state;
    const struct json_node *nul = NULL, *repeated = NULL;
    json->anchor = reader->table.ncell;
    json->ncell = json->anchor + 1;
    for (size_t i = json->nnode; i-- > 0;) { /* children before their parents */
        struct json_node *node = json->node[i];
        bind_node(reader, node);
        if (!node->wanted)
            continue;
        if (node->parent)
            node->parent->wanted = true;
        nul = has_nul(node) ? node : nul;
        repeated = node->again ? node : repeated;
    }
    if (nul) {
        error_data(e, "a name with \\u0000 in it cannot be used");
        error_excerpt(e, nul->key, nul->nkey);
        return error_hint(e, "leave it out with --exclude");
    }
    json->same_layout = !repeated;
    if (json->rows != JSON_COLUMNS)
        return true;
    if (!repeated)
        return bind_lengths(reader, e);
    struct json_scan scan = json_scan_rest(json);
    json_fail(&scan, repeated->again, "this name occurs twice in one object");
    return json_explain(&scan, json->rest, json->rest, "$", e);
}
