/* What is put into rows of json: derivatives as members after their value, `, "x_vel": 2`, with the blanks of
 * the first record. A vector's derivatives are a vector after it; those of a record that is an array stand at
 * its end. */
#include "formats/json/write.h"

#include <stdlib.h>

enum { MOST = 128 }; /* longer runs of blanks are not imitated */

bool json_keep(struct json_writer *jw, char *literal, struct error *e)
{
    char **grown = literal ? realloc(jw->literal, (jw->nliteral + 1) * sizeof *grown) : NULL;
    if (!grown) {
        free(literal);
        return error_memory(e);
    }
    jw->literal = grown;
    grown[jw->nliteral++] = literal;
    return true;
}

/* --- the first record's style --- */

/* A run of bytes of the input. */
struct bytes {
    const char *at;
    size_t n;
};

/* The bytes from at to end, if they are blanks and, where comma says so, one comma; else the usual ones. */
static struct bytes between(const char *at, const char *end, bool comma, const char *usual)
{
    size_t commas = 0, n = end > at ? (size_t)(end - at) : 0;
    for (size_t i = 0; i < n && n <= MOST; i++) {
        commas += at[i] == ',';
        if (at[i] != ',' && *json_space((char[2]){ at[i] }))
            commas = 2;
    }
    return n <= MOST && commas == comma ? (struct bytes){ at, n } : (struct bytes){ usual, strlen(usual) };
}

/* What stands between a member's name and its value. */
static struct bytes colon(const struct json_node *n)
{
    const char *at = n->key + n->nkey + 1, *colon = memchr(at, ':', (size_t)(n->at - at));
    return n->at - at <= MOST && colon ? (struct bytes){ at, (size_t)(n->at - at) }
                                       : (struct bytes){ ": ", 2 };
}

/* What stands between the members of an object, or the elements of an array. */
static struct bytes separator(const struct json_node *parent)
{
    const struct json_node *first = parent->child[0];
    const char *usual = parent->kind != JSON_OBJECT || colon(first).n > 1 ? ", " : ",";
    if (parent->nchild < 2 || !parent->child[1]->start)
        return (struct bytes){ usual, strlen(usual) };
    return between(first->end, parent->child[1]->start, true, usual);
}

/* The blanks inside the brackets of an array, and what stands between its elements. */
struct style {
    struct bytes open, separator, close;
};

static struct style array_style(const char *at, const char *end)
{
    struct json_scan s = { .end = end };
    const char *first = json_space(at + 1), *close = end - 1, *next;
    struct style style = { between(at + 1, first, false, ""), { ", ", 2 }, { "", 0 } };
    while (close > at && *json_space((char[2]){ close[-1] }) == 0)
        close--;
    style.close = between(close, end - 1, false, "");
    if (*first == ']')
        return (struct style){ { "", 0 }, { ", ", 2 }, { "", 0 } };
    first = json_value(first, 0, &s);
    next = json_space(first);
    if (*next == ',')
        style.separator = between(first, json_space(next + 1), true, ", ");
    return style;
}

static void put_bytes(struct text *words, struct bytes bytes)
{
    text_add(words, bytes.at, bytes.n);
}

/* --- names --- */

/* The name of what is added beside n: x_vel beside x. Beside the x of a rotation, hip_vel_x beside hip_x, and
 * vel_x beside x inside hip. */
static void put_key(const struct writer *w, struct text *words, const struct json_node *n,
                    const struct added *a)
{
    if (n->column != a->column) { /* a vector: its elements have the letters */
        text_add(words, n->key, n->nkey);
        text_add(words, a->suffix, strlen(a->suffix));
        return;
    }
    const char *rest = a->name + a->stem;
    size_t cut = strlen(w->reader->columns.column[a->column].name) - a->stem;
    if (cut == 0 || (cut < n->nkey && !memchr(n->key, '\\', n->nkey)))
        text_add(words, n->key, n->nkey - cut);
    else
        rest += *rest == '_';
    text_add(words, rest, strlen(rest));
}

/* Puts `, "NAME_vel": ` for a member after n; a member of that name must not be there. */
static bool put_name(const struct writer *w, struct text *words, const struct json_node *n,
                     const struct added *a, struct error *e)
{
    put_bytes(words, separator(n->parent));
    text_add(words, "\"", 1);
    size_t start = words->n;
    put_key(w, words, n, a);
    size_t nname = words->n - start;
    text_add(words, "\"", 1);
    if (!words->failed && json_tree_find(n->parent, words->bytes + start, nname)) {
        error_data(e, "a member named \"%.*s\" exists already", (int)(nname < 100 ? nname : 100),
                   words->bytes + start);
        free(words->bytes);
        return error_hint(e, "leave derivatives out with --derivatives 0, or rename that member");
    }
    if (words->failed || !json_tree_take(n->parent, words->bytes + start, nname, e)) {
        free(words->bytes);
        return error_memory(e);
    }
    put_bytes(words, colon(n));
    return true;
}

/* --- rows --- */

/* Ends the words and makes them a piece after that cell. */
static bool add_piece(struct json_writer *jw, struct text *words, size_t cell, size_t out, struct error *e)
{
    struct splice_piece piece = { cell, false, out, NULL, words->n };
    char *literal = text_take(words);
    piece.text = literal;
    return json_keep(jw, literal, e) && splice_add(&jw->edit, piece, e);
}

static bool style_leaf(const struct writer *w, const struct json_node *n, struct error *e)
{
    struct json_writer *jw = w->state;
    size_t out = n->column == COLUMN_NONE ? COLUMN_NONE : w->layout->replace[n->column];
    if (out != COLUMN_NONE && !splice_add(&jw->edit, (struct splice_piece){ n->cell, true, out, "", 0 }, e))
        return false;
    for (size_t i = 0; i < w->layout->nadded && n->parent && n->parent->kind == JSON_OBJECT; i++) {
        const struct added *a = &w->layout->added[i];
        struct text words = { NULL, 0, 0, false };
        if (a->column == n->column &&
            (!put_name(w, &words, n, a, e) || !add_piece(jw, &words, n->cell, a->out, e)))
            return false;
    }
    return true;
}

/* The added column of that suffix for leaf n, or NULL. */
static const struct added *find_added(const struct writer *w, const struct json_node *n, const char *suffix)
{
    for (size_t i = 0; i < w->layout->nadded; i++)
        if (w->layout->added[i].column == n->column && strcmp(w->layout->added[i].suffix, suffix) == 0)
            return &w->layout->added[i];
    return NULL;
}

/* A vector like n of the added columns of that suffix; null where there is none. */
static bool style_vector(const struct writer *w, const struct json_node *n, const char *suffix, size_t cell,
                         struct text *words, struct error *e)
{
    struct style style = array_style(n->at, n->end);
    text_add(words, "[", 1);
    put_bytes(words, style.open);
    for (size_t i = 0; i < n->nchild; i++) {
        const struct json_node *child = n->child[i];
        const struct added *a = child->kind == JSON_LEAF ? find_added(w, child, suffix) : NULL;
        if (i > 0)
            put_bytes(words, style.separator);
        if (child->kind == JSON_ARRAY && !style_vector(w, child, suffix, cell, words, e))
            return false;
        if (a && !add_piece(w->state, words, cell, a->out, e))
            return false;
        if (!a && child->kind != JSON_ARRAY)
            text_add(words, "null", 4);
    }
    put_bytes(words, style.close);
    text_add(words, "]", 1);
    return true;
}

/* Is leaf's column among the elements of n, not in an object there? */
static bool holds(const struct json_node *n, size_t column)
{
    for (size_t i = 0; i < n->nchild; i++)
        if (n->child[i]->kind == JSON_ARRAY || n->child[i]->nchild == 0 ? holds(n->child[i], column) : false)
            return true;
    return n->column == column;
}

/* Does this suffix stand among those of the added columns before i that belong to n? */
static bool seen(const struct writer *w, const struct json_node *n, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (holds(n, w->layout->added[k].column) &&
            strcmp(w->layout->added[k].suffix, w->layout->added[i].suffix) == 0)
            return true;
    return false;
}

/* What comes after the vector n, or at the end of the record that n is. */
static bool style_end(const struct writer *w, const struct json_node *n, struct error *e)
{
    for (size_t i = 0; i < w->layout->nadded; i++) {
        const struct added *a = &w->layout->added[i];
        struct text words = { NULL, 0, 0, false };
        if (!holds(n, a->column) || (n->parent && seen(w, n, i)))
            continue;
        if (!n->parent) {
            put_bytes(&words, separator(n));
            if (!add_piece(w->state, &words, n->anchor, a->out, e))
                return false;
        } else if (!put_name(w, &words, n, a, e) || !style_vector(w, n, a->suffix, n->anchor, &words, e) ||
                   !add_piece(w->state, &words, n->anchor, COLUMN_NONE, e)) {
            return false;
        }
    }
    return true;
}

static bool style_node(const struct writer *w, const struct json_node *n, struct error *e)
{
    if (!n->wanted)
        return true;
    if (n->kind == JSON_LEAF)
        return style_leaf(w, n, e);
    for (size_t i = 0; i < n->nchild; i++)
        if (!style_node(w, n->child[i], e))
            return false;
    return n->anchor == COLUMN_NONE || style_end(w, n, e);
}

bool json_style_rows(const struct writer *w, struct error *e)
{
    const struct json *j = w->reader->state;
    return !j->root || style_node(w, j->root, e);
}

/* --- objects of columns --- */

static bool keep_bytes(char **text, struct bytes a, const char *bracket, struct bytes b, struct error *e)
{
    struct text words = { NULL, 0, 0, false };
    put_bytes(&words, a);
    text_add(&words, bracket, strlen(bracket));
    put_bytes(&words, b);
    *text = text_take(&words);
    return *text || error_memory(e);
}

static bool style_added(const struct writer *w, const struct json_node *n, const struct added *first,
                        struct json_added *a, struct error *e)
{
    const struct bytes none = { "", 0 };
    struct style style = array_style(n->at, n->end), inner = { none, none, none };
    struct text words = { NULL, 0, 0, false };
    if (n->nchild)
        inner = array_style(json_space(n->at + 1),
                            json_value(json_space(n->at + 1), 0, &(struct json_scan){ .end = n->end }));
    if (!put_name(w, &words, n, first, e))
        return false;
    text_add(&words, "[", 1);
    put_bytes(&words, style.open);
    a->before = text_take(&words);
    if (!a->before)
        return error_memory(e);
    a->nout = n->nchild ? n->nchild : 1;
    a->out = malloc(a->nout * sizeof *a->out);
    if (!a->out)
        return error_memory(e);
    for (size_t k = 0; k < a->nout; k++) {
        const struct added *added = find_added(w, n->nchild ? n->child[k] : n, first->suffix);
        a->out[k] = added ? added->out : COLUMN_NONE;
    }
    return keep_bytes(&a->between, style.separator, "", none, e) &&
           keep_bytes(&a->after, style.close, "]", none, e) &&
           keep_bytes(&a->inner, none, n->nchild ? "[" : "", inner.open, e) &&
           keep_bytes(&a->comma, inner.separator, "", none, e) &&
           keep_bytes(&a->close, inner.close, n->nchild ? "]" : "", none, e);
}

static bool style_array(const struct writer *w, const struct json_node *n, struct error *e)
{
    struct json_writer *jw = w->state;
    struct json_array *grown = realloc(jw->array, (jw->narray + 1) * sizeof *grown);
    if (!grown)
        return error_memory(e);
    jw->array = grown;
    struct json_array *array = &grown[jw->narray++];
    *array = (struct json_array){ .node = n, .added = calloc(w->layout->nadded + 1, sizeof *array->added) };
    if (!array->added)
        return error_memory(e);
    for (size_t i = 0; i < w->layout->nadded; i++)
        if (holds(n, w->layout->added[i].column) && !seen(w, n, i) &&
            !style_added(w, n, &w->layout->added[i], &array->added[array->nadded++], e))
            return false;
    return true;
}

static bool style_arrays(const struct writer *w, const struct json_node *n, struct error *e)
{
    if (n->kind == JSON_COLUMN)
        return !n->wanted || style_array(w, n, e);
    for (size_t i = 0; i < n->nchild; i++)
        if (!style_arrays(w, n->child[i], e))
            return false;
    return true;
}

bool json_style_arrays(const struct writer *w, struct error *e)
{
    const struct json *j = w->reader->state;
    return style_arrays(w, j->root, e);
}
