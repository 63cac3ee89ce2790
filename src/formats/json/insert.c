/* What is inserted into JSON, with the blanks of the first record: derivatives as members after their value,
 * `, "x_vel": 2`; of a vector as a vector; of a record that is an array as its last elements. */
#include "formats/json/json.h"

#include "base/array.h"

enum { MOST = 128 }; /* longer runs of blanks are not imitated */

bool json_add_piece(struct json_writer *jw, size_t cell, size_t out, struct error *e)
{
    struct splice_piece piece = { .cell = cell, .out = out, .ntext = jw->text.n - jw->ntext };
    jw->ntext = jw->text.n;
    return splice_add(&jw->splice, piece, e);
}

/* --- the style of the first record --- */

struct bytes {
    const char *at;
    size_t n;
};

static void put_bytes(struct text *text, struct bytes bytes)
{
    text_add(text, bytes.at, bytes.n);
}

/* The bytes between two places, if they are few and only blanks and a comma; else the usual ones. A member
 * that stands twice may be between them. */
static struct bytes between(const char *at, const char *end, const char *usual)
{
    size_t n = (size_t)(end - at);
    return n <= MOST && strspn(at, " \t\r\n,") >= n ? (struct bytes){ at, n }
                                                    : (struct bytes){ usual, strlen(usual) };
}

/* What stands between a member's name and its value. */
static struct bytes colon(const struct json_node *n)
{
    const char *at = n->key + n->nkey + 1;
    return n->at - at <= MOST ? (struct bytes){ at, (size_t)(n->at - at) } : (struct bytes){ ": ", 2 };
}

/* What stands between the elements of an array or the members of an object, and the blanks inside the
 * brackets of an array. */
struct style {
    struct bytes open, separator, close;
};

static struct style style_of(const struct json_node *n)
{
    const struct json_node *first = n->child;
    const bool object = n->kind == JSON_OBJECT;
    const char *usual = object && colon(first).n <= 1 ? "," : ", ", *close = n->end - 1;
    struct style style = { { "", 0 }, { usual, strlen(usual) }, { "", 0 } };
    struct json_items items = { .state = JSON_AT_NEXT };
    struct json_scan s = { .end = n->end };
    if (!first || !first->at)
        return style;
    style.open = between(n->at + 1, first->at, "");
    const char *second = !object       ? json_next(&items, first->end, &s)
                         : first->next ? first->next->start
                                       : NULL;
    if (second)
        style.separator = between(first->end, second, usual);
    while (strchr(" \t\r\n", close[-1]))
        close--;
    style.close = between(close, n->end - 1, "");
    return style;
}

/* --- names --- */

/* Puts the name of what is added beside n: x_vel beside x. Beside the x of a rotation: hip_vel_x beside
 * hip_x, and vel_x beside x inside hip. */
static void put_key(const struct writer *w, struct text *text, const struct json_node *n,
                    const struct added *a)
{
    size_t column = n->kind == JSON_COLUMN ? n->child->column : n->column;
    if (column != a->column) { /* a vector: its elements have the letters */
        text_add(text, n->key, n->nkey);
        text_put(text, "%s", a->suffix);
        return;
    }
    const char *rest = a->name + a->stem;
    size_t cut = strlen(w->reader->columns.column[a->column].name) - a->stem;
    if (cut == 0 || (cut < n->nkey && !memchr(n->key, '\\', n->nkey)))
        text_add(text, n->key, n->nkey - cut);
    else
        rest += *rest == '_';
    text_put(text, "%s", rest);
}

/* Puts `, "NAME_vel": ` for a member after n; a member of that name must not be there. */
static bool put_name(const struct writer *w, const struct json_node *n, const struct added *a,
                     struct error *e)
{
    struct json *j = w->reader->state;
    struct json_writer *jw = w->state;
    struct text *text = &jw->text;
    put_bytes(text, style_of(n->parent).separator);
    text_put(text, "\"");
    size_t start = text->n;
    put_key(w, text, n, a);
    if (text->failed)
        return error_memory(e);
    const char *name = text->bytes + start;
    size_t nname = text->n - start;
    if (json_find(j, n->parent, name, nname)) {
        error_data(e, "a member named \"%.*s\" exists already", (int)(nname < 100 ? nname : 100), name);
        return error_hint(e, "leave derivatives out with --derivatives 0, or rename that member");
    }
    if (!json_add_node(j, n->parent, name, nname, true, e))
        return false;
    text_put(text, "\"");
    put_bytes(text, colon(n));
    return true;
}

/* --- values --- */

/* The added column of that suffix for leaf n, or NULL. */
static const struct added *find_added(const struct writer *w, const struct json_node *n, const char *suffix)
{
    for (size_t i = 0; i < w->layout->nadded; i++)
        if (w->layout->added[i].column == n->column && strcmp(w->layout->added[i].suffix, suffix) == 0)
            return &w->layout->added[i];
    return NULL;
}

/* Puts a value like n of the added columns of that suffix; null where there is none. A number ends a piece
 * after that cell. */
static bool put_value(const struct writer *w, const struct json_node *n, const char *suffix, size_t cell,
                      struct error *e)
{
    struct json_writer *jw = w->state;
    const struct added *a = n->kind == JSON_LEAF ? find_added(w, n, suffix) : NULL;
    if (a)
        return json_add_piece(jw, cell, a->out, e);
    if (n->kind != JSON_ARRAY) {
        text_put(&jw->text, "null");
        return true;
    }
    struct style style = style_of(n);
    text_put(&jw->text, "[%.*s", (int)style.open.n, style.open.at);
    for (const struct json_node *child = n->child; child; child = child->next) {
        if (child != n->child)
            put_bytes(&jw->text, style.separator);
        if (!put_value(w, child, suffix, cell, e))
            return false;
    }
    text_put(&jw->text, "%.*s]", (int)style.close.n, style.close.at);
    return true;
}

/* True if the column is n's, or among its elements, but not in an object there. */
static bool has_column(const struct json_node *n, size_t column)
{
    for (const struct json_node *child = n->child; child; child = child->next)
        if ((child->kind == JSON_ARRAY || !child->child) && has_column(child, column))
            return true;
    return n->column == column;
}

/* True if added column i belongs to n, and none before it has the same suffix there. */
static bool is_first_added(const struct writer *w, const struct json_node *n, size_t i)
{
    const struct added *a = w->layout->added;
    for (size_t k = 0; k < i; k++)
        if (strcmp(a[k].suffix, a[i].suffix) == 0 && has_column(n, a[k].column))
            return false;
    return has_column(n, a[i].column);
}

/* --- rows --- */

/* Puts an array beside the array n of an object of columns, of all added columns of that suffix. */
static bool put_array(const struct writer *w, const struct json_node *n, const char *suffix, struct error *e)
{
    struct json_writer *jw = w->state;
    struct style style = style_of(n);
    struct json_added a = { .array = n, .first = jw->splice.npiece };
    text_put(&jw->text, "[%.*s", (int)style.open.n, style.open.at);
    if (!array_reserve(&jw->added, jw->nadded + 1, &jw->maxadded, sizeof *jw->added, e) ||
        !json_add_piece(jw, 0, COLUMN_NONE, e))
        return false;
    put_bytes(&jw->text, style.separator);
    if (!json_add_piece(jw, 0, COLUMN_NONE, e) || !put_value(w, n->child, suffix, 0, e) ||
        !json_add_piece(jw, 0, COLUMN_NONE, e))
        return false;
    text_put(&jw->text, "%.*s]", (int)style.close.n, style.close.at);
    a.end = jw->splice.npiece + 1;
    jw->added[jw->nadded++] = a;
    return true;
}

/* Inserts what is added to n after that cell: members after n, or elements at the end of the record n. */
static bool insert_added(const struct writer *w, const struct json_node *n, size_t cell, struct error *e)
{
    struct json_writer *jw = w->state;
    for (size_t i = 0; i < w->layout->nadded; i++) {
        const struct added *a = &w->layout->added[i];
        if (!n->parent && has_column(n, a->column)) {
            put_bytes(&jw->text, style_of(n).separator);
            if (!json_add_piece(jw, cell, a->out, e))
                return false;
        } else if (n->parent && is_first_added(w, n, i)) {
            if (!put_name(w, n, a, e) ||
                !(n->kind == JSON_COLUMN ? put_array(w, n, a->suffix, e)
                                         : put_value(w, n, a->suffix, cell, e)) ||
                (jw->text.n > jw->ntext && !json_add_piece(jw, cell, COLUMN_NONE, e)))
                return false;
        }
    }
    return true;
}

static bool insert_node(const struct writer *w, const struct json_node *n, struct error *e)
{
    struct json_writer *jw = w->state;
    size_t out = n->column != COLUMN_NONE ? w->layout->replace[n->column] : COLUMN_NONE;
    if (!n->wanted)
        return true;
    if (n->kind == JSON_COLUMN)
        return insert_added(w, n, 0, e);
    struct splice_piece piece = { .cell = n->cell, .replace = true, .out = out, .value = n->value };
    if (out != COLUMN_NONE && !splice_add(&jw->splice, piece, e))
        return false;
    for (const struct json_node *child = n->child; child; child = child->next)
        if (!insert_node(w, child, e))
            return false;
    bool member = n->kind == JSON_LEAF && n->parent && n->parent->kind == JSON_OBJECT;
    size_t cell = member ? n->cell : n->anchor;
    return cell == COLUMN_NONE || insert_added(w, n, cell, e);
}

bool json_insert(const struct writer *w, struct error *e)
{
    const struct json *j = w->reader->state;
    return j->nnode == 0 || insert_node(w, j->node[0], e);
}
