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
static struct json_node *find_long(const struct json *j, const struct json_node *parent, const char *key,
                                   size_t nkey)
{
    for (size_t i = 0; i < j->nnode; i++) {
        struct json_node *node = j->node[i];
        if (node->parent == parent && json_compare_name(key, nkey, node->name, node->nname) == 0)
            return node;
    }
    return NULL;
}

struct json_node *json_find(const struct json *j, const struct json_node *parent, const char *key,
                            size_t nkey)
{
    char name[1024];
    if (nkey > 0 && memchr(key, '\\', nkey)) {
        if (nkey > sizeof name)
            return find_long(j, parent, key, nkey);
        nkey = json_unescape(key, nkey, name);
        key = name;
    }
    size_t found = name_table_find(&j->members, member_key(parent, key, nkey));
    return found == NAME_TABLE_NONE ? NULL : j->node[found];
}

struct json_node *json_add_node(struct json *j, struct json_node *parent, const char *key, size_t nkey,
                                bool reserved, struct error *e)
{
    bool own_name = reserved || memchr(key, '\\', nkey), member = parent && parent->kind == JSON_OBJECT;
    struct json_node *n = calloc(1, sizeof *n + (own_name ? nkey : 0));
    if (n) {
        *n = (struct json_node){ .parent = parent,
                                 .depth = parent ? parent->depth + 1 : j->walk->depth,
                                 .key = key,
                                 .nkey = nkey,
                                 .name = key,
                                 .nname = nkey,
                                 .reserved = reserved,
                                 .column = COLUMN_NONE,
                                 .anchor = COLUMN_NONE };
    }
    if (n && own_name) {
        char *name = (char *)(n + 1);
        n->name = name;
        n->nname = json_unescape(key, nkey, name);
    }
    if (!n || !array_reserve(&j->node, j->nnode + 1, &j->maxnode, sizeof *j->node, NULL) ||
        (member && !name_table_put(&j->members, member_key(parent, n->name, n->nname), j->nnode, NULL))) {
        free(n);
        error_memory(e);
        return NULL;
    }
    return j->node[j->nnode++] = n;
}

/* --- the tree --- */

/* Has the name a NUL byte? No column can have such a name: the path takes the key as spelled. */
static bool has_nul(const struct json_node *n)
{
    return memchr(n->name, 0, n->nname) != NULL;
}

struct builder {
    struct json *j;
    struct columns *t;
    struct text path; /* of the node that is built */
    size_t ntime;     /* elements of the array of times in an object of columns; 0: none, or no such array */
    bool quaternion;  /* "type" of the object of columns is "quaternion" */
    bool vector;      /* "type" of the object of columns is "vector" */
    struct json_scan s;
    struct error *e;
};

static const char *build(struct builder *b, struct json_node *n, const char *p);

/* Builds the members or elements of the value at p. */
static const char *build_items(struct builder *b, struct json_node *n, const char *p)
{
    struct json_items items = { .object = *p == '{' };
    struct json_node **next = &n->child;
    const size_t npath = b->path.n;
    n->after = p;
    n->kind = items.object ? JSON_OBJECT : JSON_ARRAY;
    while ((p = json_next(&items, p, &b->s))) {
        if (items.count == 2)
            n->second = items.object ? items.key - 1 : p;
        struct json_node *child = items.object ? json_find(b->j, n, items.key, items.nkey) : NULL;
        if (child) {
            child->again = p;
            p = json_value(p, 0, &b->s);
            continue;
        }
        child = *next = json_add_node(b->j, n, items.object ? items.key : "", items.nkey, false, b->e);
        if (!child)
            return NULL;
        next = &child->next;
        if (n->parent)
            text_add(&b->path, ".", 1);
        if (items.object && has_nul(child))
            text_add(&b->path, child->key, child->nkey);
        else if (items.object)
            text_add(&b->path, child->name, child->nname);
        else
            text_put(&b->path, "%zu", n->parent ? items.count - 1 : items.count);
        child->before = n->after;
        n->after = p = build(b, child, p);
        b->path.n = npath;
        if (!p)
            return NULL;
    }
    n->count = items.count;
    return items.end;
}

/* Adds a column for the value at p, named by the path. */
static bool add_column(struct builder *b, struct json_node *n, const char *p)
{
    if (!columns_add(b->t, b->path.n > 0 ? b->path.bytes : "", b->path.n, b->e))
        return false;
    n->column = b->t->ncolumn - 1;
    struct column *c = &b->t->column[n->column];
    struct timestamp ignored;
    c->first = CELL_TEXT;
    if (json_digit(*p) || *p == '-')
        c->first = CELL_NUMBER;
    else if (*p == 'n' || *p == ']')
        c->first = CELL_GAP;
    if (c->first == CELL_NUMBER) {
        size_t length = strspn(p, "-0123456789.eE+");
        c->spelling = number_spelling(p, length, '.');
        if (number_read(p, p + length, '.', &c->number) != p + length)
            c->number = (double)NAN;
    }
    if (*p != '"')
        return true;
    size_t ntext = (size_t)(json_value(p, 0, &b->s) - p) - 2;
    c->form = timestamp_read(p + 1, ntext, &ignored);
    return columns_set_text(c, p + 1, ntext, b->e);
}

/* Builds the components of a row for an array n that has several values a row, of which the first is at p: an
 * element without brackets, with a leaf for each component. Four components of type "quaternion" are one
 * rotation.
 */
static bool build_components(struct builder *b, struct json_node *n, const char *p)
{
    const size_t ncomponent = n->count / b->ntime, npath = b->path.n;
    const bool rotation = b->quaternion && ncomponent == 4;
    const bool letters = rotation || (b->vector && ncomponent <= 4);
    const size_t joint = b->t->ncolumn + 1;
    struct json_node *element = n->child = json_add_node(b->j, n, "", 0, false, b->e);
    if (!element)
        return false;
    element->kind = JSON_ARRAY;
    element->count = ncomponent;
    element->before = n->at;
    element->at = p;
    n->count = b->ntime;
    struct json_items items = { .object = false };
    struct json_node **next = &element->child;
    const char *before = p, *value = n->at;
    for (size_t i = 0; i < ncomponent; i++, next = &(*next)->next) {
        value = json_next(&items, value, &b->s);
        if (i == 1)
            element->second = value;
        struct json_node *leaf = *next = json_add_node(b->j, element, "", 0, false, b->e);
        if (!leaf)
            return false;
        leaf->depth = element->depth;
        leaf->before = before;
        if (letters)
            text_put(&b->path, ".%c", "xyzw"[i]);
        else
            text_put(&b->path, ".%zu", i);
        value = before = build(b, leaf, value);
        b->path.n = npath;
        if (!value)
            return false;
        b->t->column[leaf->column].joint = rotation ? joint : 0;
        b->t->column[leaf->column].axis = rotation ? i + 1 : 0;
    }
    element->after = element->end = value;
    n->second = json_next(&items, value, &b->s);
    return true;
}

/* Builds an array in an object of columns: the elements are scalars, or vectors, or of no use as rows. */
static const char *build_column(struct builder *b, struct json_node *n, const char *p)
{
    struct json_items items = { .object = false }, inner = items;
    const char *first = NULL, *q;
    for (n->after = p; (p = json_next(&items, p, &b->s)); n->after = p = json_value(p, 0, &b->s)) {
        first = first ? first : p;
        n->second = items.count == 2 ? p : n->second;
    }
    bool flat = !first || *first != '{';
    for (q = first && *first == '[' ? first : NULL; q && (q = json_next(&inner, q, &b->s));
         q = json_value(q, 0, &b->s))
        flat &= *q != '[' && *q != '{';
    if (!flat)
        return items.end;
    n->kind = JSON_COLUMN;
    n->count = items.count;
    if (first && *first != '[' && b->ntime > 0 && n->count > b->ntime && n->count % b->ntime == 0)
        return build_components(b, n, first) ? items.end : NULL;
    n->child = json_add_node(b->j, n, "", 0, false, b->e);
    if (!n->child)
        return NULL;
    n->child->before = n->child->at = n->at;
    if (!(first ? build(b, n->child, first) != NULL : add_column(b, n->child, "]")))
        return NULL;
    return items.end;
}

static const char *build(struct builder *b, struct json_node *n, const char *p)
{
    bool row = b->j->rows != JSON_COLUMNS || (n->parent && n->parent->kind != JSON_OBJECT);
    n->at = p;
    if (*p == '{' || (*p == '[' && row))
        n->end = build_items(b, n, p);
    else if (*p == '[')
        n->end = build_column(b, n, p);
    else
        n->end = !row || add_column(b, n, p) ? json_value(p, 0, &b->s) : NULL;
    return n->end;
}

const char *json_times(const char *p, size_t *ntime)
{
    struct json_items items = { .object = true };
    struct json_scan s = { 0 };
    for (*ntime = 0; (p = json_next(&items, p, &s)); p = json_value(p, 0, &s))
        if (*p == '[' && columns_means_time(items.key, items.nkey)) {
            struct json_items times = { .object = false };
            for (const char *time = p; (time = json_next(&times, time, &s)); time = json_value(time, 0, &s))
                ++*ntime;
            return p;
        }
    return NULL;
}

const char *json_member(const char *p, const char *name)
{
    struct json_items items = { .object = true };
    struct json_scan s = { 0 };
    for (; (p = json_next(&items, p, &s)); p = json_value(p, 0, &s))
        if (json_compare_name(items.key, items.nkey, name, strlen(name)) == 0)
            return p;
    return NULL;
}

const char *json_string_member(const char *p, const char *name, size_t *nvalue)
{
    const char *value = json_member(p, name);
    struct json_scan s = { 0 };
    if (!value || *value != '"')
        return NULL;
    *nvalue = (size_t)(json_value(value, 0, &s) - value) - 2;
    return value + 1;
}

/* Reads the length of times and the type of the object of columns at p. */
static void read_types(struct builder *b, const char *p)
{
    size_t ntype;
    const char *type = json_string_member(p, "type", &ntype);
    json_times(p, &b->ntime);
    b->quaternion = type && json_compare_name(type, ntype, "quaternion", 10) == 0;
    b->vector = type && json_compare_name(type, ntype, "vector", 6) == 0;
}

bool json_shape(struct reader *r, const char *p, struct error *e)
{
    struct builder b = { .j = r->state, .t = &r->columns, .e = e };
    struct json_node *root = json_add_node(b.j, NULL, "", 0, false, e);
    if (!root)
        return false;
    if (b.j->rows == JSON_COLUMNS)
        read_types(&b, p);
    if (*p != '{' && *p != '[')
        text_put(&b.path, "1");
    bool good = build(&b, root, p) != NULL;
    if (good && b.path.failed)
        good = error_memory(e);
    free(b.path.bytes);
    return good;
}

/* --- what is wanted --- */

/* Judges an array n of another length than the series, which has nrow rows by the leading column. An array
 * that only passes through is kept, with empty cells; any other array is an error. */
static bool allow_length(const struct reader *r, struct json_node *n, size_t nrow, const char *leading,
                         struct error *e)
{
    const struct column *column = r->columns.column;
    const char *name = column[json_first_leaf(n)->column].name;
    n->wanted = false;
    for (const struct json_node *leaf = json_first_leaf(n); leaf; leaf = leaf->next)
        n->wanted |= column[leaf->column].role != ROLE_PASS;
    if (!n->wanted) {
        messages_add(r->messages, r->source->name,
                     "\"%s\" has %zu element%s and the series %zu row%s: it is left empty", name, n->count,
                     error_plural(n->count), nrow, error_plural(nrow));
        return true;
    }
    error_data(
        e,
        "the arrays of an object of columns differ in length: this one has %zu element%s, \"%.100s\" has %zu",
        n->count, error_plural(n->count), leading, nrow);
    error_column(e, name);
    json_explain_table(r->state, n->at, e);
    return error_hint(e, "choose the columns to filter with --columns or --exclude");
}

/* The leaf whose elements count the rows of an object of columns: the time, else the first channel, else the
 * first column. */
static const struct json_node *find_leader(const struct json *j, const struct columns *t)
{
    const struct json_node *first = NULL, *channel = NULL;
    for (size_t i = 0; i < j->nnode; i++) {
        const struct json_node *n = j->node[i];
        if (n->column == COLUMN_NONE)
            continue;
        if (n->column == t->time)
            return n;
        if (!channel && t->column[n->column].role == ROLE_CHANNEL)
            channel = n;
        if (!first)
            first = n;
    }
    return channel ? channel : first;
}

/* Checks the lengths of the arrays in an object of columns. */
static bool bind_lengths(struct reader *r, struct error *e)
{
    struct json *j = r->state;
    const struct columns *t = &r->columns;
    const struct json_node *leader = find_leader(j, t), *array = leader;
    const size_t leading = leader->column;
    j->leader = t->column[leading].cell;
    while (array->kind != JSON_COLUMN)
        array = array->parent;
    j->nrow = array->count;
    for (size_t i = 0; i < j->nnode; i++) {
        struct json_node *n = j->node[i];
        if (n->kind == JSON_COLUMN && n->wanted && n->count != array->count &&
            !allow_length(r, n, array->count, t->column[leading].name, e))
            return false;
    }
    return true;
}

bool json_bind(struct reader *r, struct error *e)
{
    struct json *j = r->state;
    return j->tables ? json_bind_tables(r, e) : json_bind_table(r, e);
}

bool json_bind_table(struct reader *r, struct error *e)
{
    struct json *j = r->state;
    const struct columns *t = &r->columns;
    const struct json_node *nul = NULL, *repeated = NULL;
    j->ncell = t->ncell;
    for (size_t i = j->nnode; i-- > 0;) { /* children before their parents */
        struct json_node *n = j->node[i];
        const struct column *c = n->column == COLUMN_NONE ? NULL : &t->column[n->column];
        n->cell = c ? c->cell : COLUMN_NONE;
        n->value = c ? c->value : COLUMN_NONE;
        n->time = c && n->column == t->time;
        n->numeric = n->value != COLUMN_NONE || (n->time && t->form == TIMESTAMP_NUMBER);
        n->plain = n->numeric && (n->time || !r->options->missing);
        n->wanted |= n->cell != COLUMN_NONE;
        if (!n->wanted)
            continue;
        if (n->parent)
            n->parent->wanted = true;
        if (n->kind == JSON_ARRAY && (!n->parent || n->parent->kind == JSON_OBJECT))
            n->anchor = j->ncell++;
        nul = has_nul(n) ? n : nul;
        repeated = n->again ? n : repeated;
    }
    if (nul) {
        error_data(e, "a name with \\u0000 in it cannot be used");
        error_excerpt(e, nul->key, nul->nkey);
        return error_hint(e, "leave it out with --exclude");
    }
    j->same_layout = !repeated && (!j->tables || t->partial);
    if (j->rows != JSON_COLUMNS || !repeated)
        return j->rows != JSON_COLUMNS || bind_lengths(r, e);
    struct json_scan s = json_scan_rest(j);
    json_fail(&s, repeated->again, "this name stands twice in one object");
    if (j->tables)
        return json_explain(&s, j->tables->text, j->tables->text, "$", e);
    return json_explain(&s, j->rest, j->rest, "$", e);
}
