/* What is inserted into JSON, with the blanks of the first record: derivatives as members after their value,
 * `, "x_vel": 2`; of a vector as a vector; of a record that is an array as its last elements. */
#include "formats/json/json.h"

#include "base/array.h"
#include "base/text.h"

#include <stdlib.h>

enum { MOST = 128 }; /* longer runs of blanks are not imitated */

void *json_own(struct json_writer *jw, void *memory, struct error *e)
{
    if (memory && array_reserve(&jw->owned, jw->nowned + 1, &jw->maxowned, sizeof *jw->owned, NULL))
        return jw->owned[jw->nowned++] = memory;
    free(memory);
    error_memory(e);
    return NULL;
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

/* What stands between the members of an object, or the elements of an array. */
static struct bytes separator(const struct json_node *parent)
{
    const struct json_node *first = parent->child;
    const char *usual = parent->kind != JSON_OBJECT || colon(first).n > 1 ? ", " : ",";
    return first->next ? between(first->end, first->next->start, usual)
                       : (struct bytes){ usual, strlen(usual) };
}

/* The blanks inside the brackets of an array, and what stands between its elements. */
struct style {
    struct bytes open, separator, close;
};

static struct style array_style(const struct json_node *array)
{
    struct style style = { { "", 0 }, { ", ", 2 }, { "", 0 } };
    const struct json_node *first = array->child;
    struct json_items items = { .count = 1 };
    struct json_scan s = { .end = array->end };
    const char *close = array->end - 1;
    if (!first || !first->at)
        return style;
    style.open = between(array->at + 1, first->at, "");
    const char *second = json_next(&items, first->end, &s);
    if (second)
        style.separator = between(first->end, second, ", ");
    while (strchr(" \t\r\n", close[-1]))
        close--;
    style.close = between(close, array->end - 1, "");
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
static bool put_name(const struct writer *w, struct text *text, const struct json_node *n,
                     const struct added *a, struct error *e)
{
    struct json *j = w->reader->state;
    put_bytes(text, separator(n->parent));
    text_put(text, "\"");
    size_t start = text->n;
    put_key(w, text, n, a);
    const char *name = text->bytes + start;
    size_t nname = text->n - start;
    if (text->failed) {
        error_memory(e);
    } else if (json_find(j, n->parent, name, nname)) {
        error_data(e, "a member named \"%.*s\" exists already", (int)(nname < 100 ? nname : 100), name);
        error_hint(e, "leave derivatives out with --derivatives 0, or rename that member");
    } else if (json_add_node(j, n->parent, name, nname, true, e)) {
        text_put(text, "\"");
        put_bytes(text, colon(n));
        return true;
    }
    free(text->bytes);
    return false;
}

/* --- values --- */

/* Takes the text as a piece after that cell. */
static bool add_piece(const struct writer *w, struct text *text, size_t cell, size_t out, struct error *e)
{
    struct json_writer *jw = w->state;
    struct splice_piece piece = { .cell = cell, .out = out, .ntext = text->n };
    piece.text = json_own(jw, text_take(text), e);
    return piece.text && splice_add(&jw->splice, piece, e);
}

/* The added column of that suffix for leaf n, or NULL. */
static const struct added *find_added(const struct writer *w, const struct json_node *n, const char *suffix)
{
    for (size_t i = 0; i < w->layout->nadded; i++)
        if (w->layout->added[i].column == n->column && strcmp(w->layout->added[i].suffix, suffix) == 0)
            return &w->layout->added[i];
    return NULL;
}

/* Puts a value like n of the added columns of that suffix; null where there is none. A number ends the text
 * as a piece; what follows the last number stays in text. */
static bool put_value(const struct writer *w, const struct json_node *n, const char *suffix, size_t cell,
                      struct text *text, struct error *e)
{
    const struct added *a = n->kind == JSON_LEAF ? find_added(w, n, suffix) : NULL;
    if (a)
        return add_piece(w, text, cell, a->out, e);
    if (n->kind != JSON_ARRAY) {
        text_put(text, "null");
        return true;
    }
    struct style style = array_style(n);
    text_put(text, "[%.*s", (int)style.open.n, style.open.at);
    for (const struct json_node *child = n->child; child; child = child->next) {
        if (child != n->child)
            put_bytes(text, style.separator);
        if (!put_value(w, child, suffix, cell, text, e))
            return false;
    }
    text_put(text, "%.*s]", (int)style.close.n, style.close.at);
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

/* Inserts what is added to n after that cell: members after n, or elements at the end of the record n. */
static bool insert_added(const struct writer *w, const struct json_node *n, size_t cell, struct error *e)
{
    for (size_t i = 0; i < w->layout->nadded; i++) {
        const struct added *a = &w->layout->added[i];
        struct text text = { 0 };
        if (!n->parent && has_column(n, a->column)) {
            put_bytes(&text, separator(n));
            if (!add_piece(w, &text, cell, a->out, e))
                return false;
        } else if (n->parent && is_first_added(w, n, i)) {
            if (!put_name(w, &text, n, a, e) || !put_value(w, n, a->suffix, cell, &text, e) ||
                (text.n > 0 && !add_piece(w, &text, cell, COLUMN_NONE, e)))
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
    struct splice_piece piece = {
        .cell = n->cell, .replace = true, .out = out, .text = "", .value = n->value
    };
    if (out != COLUMN_NONE && !splice_add(&jw->splice, piece, e))
        return false;
    for (const struct json_node *child = n->child; child; child = child->next)
        if (!insert_node(w, child, e))
            return false;
    bool member = n->kind == JSON_LEAF && n->parent && n->parent->kind == JSON_OBJECT;
    size_t cell = member ? n->cell : n->anchor;
    return cell == COLUMN_NONE || insert_added(w, n, cell, e);
}

bool json_insert_rows(const struct writer *w, struct error *e)
{
    const struct json *j = w->reader->state;
    return j->nnode == 0 || insert_node(w, j->node[0], e);
}

/* --- objects of columns --- */

/* Adds an array after the array n, of all added columns of one suffix. */
static bool insert_array(const struct writer *w, const struct json_node *n, const struct added *first,
                         struct error *e)
{
    struct json_writer *jw = w->state;
    struct style style = array_style(n);
    struct text open = { 0 }, next = { 0 }, close = { 0 }, row = { 0 };
    struct json_added a = { .array = n, .first = jw->splice.npiece };
    if (!array_reserve(&jw->added, jw->nadded + 1, &jw->maxadded, sizeof *jw->added, e) ||
        !put_name(w, &open, n, first, e))
        return false;
    text_put(&open, "[%.*s", (int)style.open.n, style.open.at);
    put_bytes(&next, style.separator);
    text_put(&close, "%.*s]", (int)style.close.n, style.close.at);
    a.open = json_own(jw, text_take(&open), e);
    a.next = json_own(jw, text_take(&next), e);
    a.close = json_own(jw, text_take(&close), e);
    if (!a.open || !a.next || !a.close || !put_value(w, n->child, first->suffix, 0, &row, e) ||
        !add_piece(w, &row, 0, COLUMN_NONE, e))
        return false;
    a.end = jw->splice.npiece;
    jw->added[jw->nadded++] = a;
    return true;
}

bool json_insert_columns(const struct writer *w, struct error *e)
{
    const struct json *j = w->reader->state;
    for (size_t i = 0; i < j->nnode; i++)
        for (size_t k = 0; k < w->layout->nadded && j->node[i]->wanted && j->node[i]->kind == JSON_COLUMN;
             k++)
            if (is_first_added(w, j->node[i], k) && !insert_array(w, j->node[i], &w->layout->added[k], e))
                return false;
    return true;
}
