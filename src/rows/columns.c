/* Columns and their names, and the columns that a user's words mean, single or in a list. Names are found by
 * a hash table with open addressing, so that ten thousand columns take linear time. */
#include "rows/columns.h"

#include "base/array.h"
#include "base/hash.h"
#include "base/suggest.h"
#include "base/text.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The slot of a name: the number of the column with the name, from 1; 0: no column has the name. A slot is
 * always empty, so that the search ends. */
static size_t *find_slot(const struct columns *t, const char *name)
{
    size_t i = hash_bytes(name, strlen(name)) & (t->maxslot - 1);
    while (t->slot[i] && strcmp(t->column[t->slot[i] - 1].name, name) != 0)
        i = (i + 1) & (t->maxslot - 1);
    return &t->slot[i];
}

/* Makes room for one more name; the number of slots is a power of two. */
static bool grow_slots(struct columns *t, struct error *e)
{
    if (t->ncolumn < t->maxslot / 2)
        return true;
    size_t maxslot = t->maxslot ? 2 * t->maxslot : 64, *slot = calloc(maxslot, sizeof *slot);
    if (!slot)
        return error_memory(e);
    free(t->slot);
    t->slot = slot;
    t->maxslot = maxslot;
    for (size_t i = 0; i < t->ncolumn; i++)
        if (t->column[i].name[0])
            *find_slot(t, t->column[i].name) = i + 1;
    return true;
}

/* Gives c, whose name is taken, the next free name: X_2, X_3, … */
static bool make_unique(struct columns *t, struct column *c)
{
    struct column *first = &t->column[*find_slot(t, c->name) - 1];
    char *name = NULL;
    do {
        free(name);
        name = text_format("%s_%zu", c->original, ++first->tried + 1);
    } while (name && *find_slot(t, name));
    c->name = name ? name : c->name;
    return name;
}

bool columns_add(struct columns *t, const char *name, size_t nname, struct error *e)
{
    if (!array_reserve(&t->column, t->ncolumn + 1, &t->maxcolumn, sizeof *t->column, e) || !grow_slots(t, e))
        return false;
    struct column *c = &t->column[t->ncolumn];
    *c = (struct column){ .original = strndup(name, nname),
                          .number = (double)NAN,
                          .spelling.decimals = -1,
                          .unit = TIME_UNIT_NONE };
    c->name = c->original;
    c->cell = c->value = c->velocity = c->source = COLUMN_NONE;
    if (!c->name || (*find_slot(t, c->name) && !make_unique(t, c))) {
        free(c->name);
        return error_memory(e);
    }
    t->ncolumn++;
    if (c->name[0])
        *find_slot(t, c->name) = t->ncolumn;
    return true;
}

bool columns_set_text(struct column *c, const char *text, size_t ntext, struct error *e)
{
    enum { MOST = 24 };
    size_t n = ntext < MOST ? ntext : MOST;
    while (n < ntext && n > 0 && ((unsigned char)text[n] & 0xC0) == 0x80) /* not inside a character */
        n--;
    free(c->text);
    c->text = strndup(text, n);
    return c->text || error_memory(e);
}

void columns_choose_table(struct columns *t, size_t first, size_t end)
{
    bool chosen = t->table_end > 0;
    size_t from = chosen ? t->table_first : t->owns_time;
    size_t to = chosen ? t->table_end : t->ncolumn;
    for (struct column *c = t->column + from; c < t->column + to; c++) {
        c->role = ROLE_ABSENT;
        c->reason = REASON_FORMAT;
        c->cell = c->value = c->velocity = c->source = COLUMN_NONE;
    }
    for (size_t i = first; i < end; i++)
        t->column[i].role = ROLE_PASS;
    t->partial = true;
    t->table_first = first;
    t->table_end = end;
}

size_t columns_lookup(const struct columns *t, const char *name)
{
    return t->slot ? *find_slot(t, name) - 1 : COLUMN_NONE;
}

void columns_free(struct columns *t)
{
    for (size_t i = 0; i < t->ncolumn; i++) {
        if (t->column[i].name != t->column[i].original)
            free(t->column[i].name);
        free(t->column[i].original);
        free(t->column[i].above);
        free(t->column[i].text);
    }
    free(t->column);
    free(t->mask);
    free(t->channel);
    free(t->group);
    free(t->slot);
    *t = (struct columns){ 0 };
}

/* --- columns by the words of a user --- */

/* In messages: most bytes of a name; most names and bytes of a list. */
enum { SHOWN = 80, LISTED = 20, LISTWIDTH = 280 };

bool columns_hint(const struct columns *t, const char *word, struct error *e)
{
    char list[sizeof e->hint] = "";
    struct suggestion near = { .word = word };
    for (size_t k = 0; word && k < t->ncolumn; k++)
        suggest_offer(&near, t->column[k].name);
    size_t i = 0;
    if (t->doubtful)
        text_append(list, sizeof list, "if the first line holds the names, say so with --header 1; ");
    else if (near.best)
        text_append(list, sizeof list, "did you mean \"%.*s\"? ", SHOWN / 2, near.best);
    text_append(list, sizeof list, "columns: ");
    for (; i < t->ncolumn && i < LISTED; i++) {
        const char *name = t->column[i].name[0] ? t->column[i].name : "(no name)";
        if (strlen(list) + strlen(name) > LISTWIDTH && i > 0)
            break;
        const char *quote = strchr(name, ',') ? "\"" : ""; /* as it has to be typed */
        text_append(list, sizeof list, "%s%s%.*s%s", i ? ", " : "", quote, SHOWN, name, quote);
    }
    if (i < t->ncolumn)
        text_append(list, sizeof list, " and %zu more", t->ncolumn - i);
    if (t->other_lines)
        text_append(list, sizeof list, "; --header LINES takes names from other lines");
    return error_hint(e, "%s", list);
}

static bool missing(const struct columns *t, const char *word, const char *option, struct error *e)
{
    error_data(e, "%s: no column \"%.*s\"", option, SHOWN, word);
    return columns_hint(t, word, e);
}

static bool ambiguous(const struct columns *t, const char *name, const char *option, struct error *e)
{
    char positions[128] = "", names[200] = "";
    size_t count = 0;
    for (size_t i = 0; i < t->ncolumn; i++) {
        const struct column *c = &t->column[i];
        if ((strcmp(c->original, name) != 0 && strcmp(c->name, name) != 0) || ++count > 5)
            continue;
        text_append(positions, sizeof positions, "%s%zu", count > 1 ? ", " : "", i + 1);
        text_append(names, sizeof names, "%s%.30s", count > 1 ? ", " : "", c->name);
    }
    const char *more = count > 5 ? ", …" : "";
    error_data(e, "%s: %zu columns are named \"%.*s\"", option, count, SHOWN, name);
    return error_hint(e, "choose by position: %s%s (in messages and output they are %s%s)", positions, more,
                      names, more);
}

bool columns_by_name(const struct columns *t, const char *name, const char *option, size_t *column,
                     struct error *e)
{
    *column = columns_lookup(t, name);
    if (*column == COLUMN_NONE || !t->column[*column].tried)
        return true;
    *column = COLUMN_NONE;
    return ambiguous(t, name, option, e);
}

static const char digits[] = "0123456789";

/* The column at a position of n digits, counted from 1; COLUMN_NONE and *e: the table has no such position.
 */
static size_t by_position(const struct columns *t, const char *word, size_t n, const char *option,
                          struct error *e)
{
    size_t position = 0;
    for (size_t i = 0; i < n && position <= t->ncolumn; i++)
        position = 10 * position + (size_t)(word[i] - '0');
    if (position >= 1 && position <= t->ncolumn)
        return position - 1;
    char *name = strndup(word, n);
    size_t named = name ? columns_lookup(t, name) : COLUMN_NONE;
    free(name);
    if (named != COLUMN_NONE) /* a year as name: there are fewer columns */
        return named;
    error_data(e, "%s: no column %.*s: there %s %zu, counted from 1", option, (int)n, word,
               t->ncolumn == 1 ? "is" : "are", t->ncolumn);
    columns_hint(t, NULL, e);
    return COLUMN_NONE;
}

/* Removes the quotes of "a ""b""" in place: the text then begins at p, in the place of the opening quote.
 * Returns the text behind the closing quote; NULL: no quote closes. */
static char *unquote(char *p)
{
    char *to = p++;
    while (*p) {
        if (*p == '"' && *++p != '"') {
            *to = 0;
            return p;
        }
        *to++ = *p++;
    }
    return NULL;
}

static char *trim(const struct columns *t, char *text)
{
    if (columns_lookup(t, text) != COLUMN_NONE)
        return text; /* the blanks belong to the name */
    text += strspn(text, " \t");
    size_t n = strlen(text);
    while (n && (text[n - 1] == ' ' || text[n - 1] == '\t'))
        text[--n] = 0;
    return text;
}

/* Takes the entry at *at and moves *at to the next entry; NULL: the entry was the last. */
static bool next_item(const struct columns *t, char **at, const char *option, struct column_item *item,
                      struct error *e)
{
    char *start = *at + strspn(*at, " \t"), *rest;
    bool equals = *start == '=', quoted = start[equals] == '"';
    item->name = equals || quoted;
    item->text = item->name ? start + equals : *at;
    if (quoted) {
        rest = unquote(item->text);
        if (!rest)
            return error_usage(e, "%s: a quote is not closed", option);
        rest += strspn(rest, " \t");
        if (*rest && *rest != ',')
            return error_usage(e, "%s: a comma is missing after \"%.*s\"", option, SHOWN, item->text);
    } else {
        rest = *at + strcspn(*at, ",");
    }
    item->rest = *at = *rest ? rest + 1 : NULL;
    *rest = 0;
    if (!quoted)
        item->text = trim(t, item->text);
    return item->text[0] ? true : error_usage(e, "%s: an entry of the list is empty", option);
}

bool columns_each_item(const struct columns *t, const char *list, const char *option, column_item_taker *take,
                       void *closure, struct error *e)
{
    char *copy = strdup(list), *at = copy;
    bool good = copy ? true : error_memory(e);
    struct column_item item;
    while (good && at)
        good = next_item(t, &at, option, &item, e) && take(closure, &item);
    free(copy);
    return good;
}

/* The columns that a list picks. */
struct picking {
    const struct columns *t;
    const char *option;
    unsigned char *pick;
    struct error *e;
};

/* 7- picks like a pattern: columns that cannot be filtered are left out without an error. */
static bool pick_range(const struct picking *p, const char *text)
{
    size_t n = strspn(text, digits), from = by_position(p->t, text, n, p->option, p->e), to = from;
    const char *last = text[n] ? text + n + 1 : text;
    if (from != COLUMN_NONE)
        to = *last ? by_position(p->t, last, strlen(last), p->option, p->e) : p->t->ncolumn - 1;
    if (to == COLUMN_NONE)
        return false;
    if (to < from)
        return error_usage(p->e, "%s: a range runs backward: %s", p->option, text);
    for (size_t i = from; i <= to; i++)
        p->pick[i] |= *last ? PICK_EXPLICIT : PICK_PATTERN;
    return true;
}

/* A glob. The program sets no locale: a ? is one byte. */
static bool pick_glob(const struct picking *p, const char *glob)
{
    bool any = false;
    for (size_t i = 0; i < p->t->ncolumn; i++) {
        const struct column *c = &p->t->column[i];
        if (fnmatch(glob, c->name, 0) != 0 && fnmatch(glob, c->original, 0) != 0)
            continue;
        p->pick[i] |= PICK_PATTERN;
        any = true;
    }
    if (any)
        return true;
    error_data(p->e, "%s: no column is like \"%.*s\"", p->option, SHOWN, glob);
    return columns_hint(p->t, NULL, p->e);
}

static bool pick_item(void *closure, const struct column_item *item)
{
    const struct picking *p = closure;
    size_t column, n = strspn(item->text, digits), dash = item->text[n] == '-';
    bool range = n > 0 && item->text[n + dash + strspn(item->text + n + dash, digits)] == 0;
    if (!item->name && range) /* 3, 3-12 or 7- */
        return pick_range(p, item->text);
    if (!columns_by_name(p->t, item->text, p->option, &column, p->e))
        return false;
    if (column != COLUMN_NONE) {
        p->pick[column] |= PICK_EXPLICIT;
        return true;
    }
    return !item->name && strpbrk(item->text, "*?[") ? pick_glob(p, item->text)
                                                     : missing(p->t, item->text, p->option, p->e);
}

bool columns_pick_list(const struct columns *t, const char *list, const char *option, unsigned char *pick,
                       struct error *e)
{
    struct picking p = { t, option, pick, e };
    return columns_each_item(t, list, option, pick_item, &p, e);
}

bool columns_pick_channels(const struct columns *t, const char *list, const char *option, bool *named,
                           struct error *e)
{
    unsigned char *pick = calloc(t->ncolumn + 1, 1);
    bool good = pick ? columns_pick_list(t, list, option, pick, e) : error_memory(e);
    for (size_t i = 0; good && i < t->ncolumn; i++) {
        const struct column *c = &t->column[i];
        if (pick[i] != PICK_NONE && c->role == ROLE_CHANNEL)
            named[c->value] = true;
        else if (pick[i] == PICK_EXPLICIT && c->role != ROLE_ABSENT)
            good = error_data(e, "%s: column \"%s\" is not filtered", option, c->name);
    }
    free(pick);
    return good;
}

size_t columns_find(const struct columns *t, const char *spec, const char *option, struct error *e)
{
    size_t column, n = strspn(spec, digits);
    if (n > 0 && spec[n] == 0)
        return by_position(t, spec, n, option, e);
    if (!columns_by_name(t, spec, option, &column, e) || column != COLUMN_NONE)
        return column;
    char *copy = strdup(spec + (*spec == '='));
    const char *rest = copy && *copy == '"' ? unquote(copy) : "";
    if (!copy)
        error_memory(e);
    else if (!rest || *rest)
        missing(t, spec, option, e);
    else if (columns_by_name(t, copy, option, &column, e) && column == COLUMN_NONE)
        missing(t, copy, option, e);
    free(copy);
    return column;
}

/* The columns of a list without patterns and ranges. */
struct finding {
    const struct columns *t;
    const char *option;
    size_t *column; /* [n] */
    size_t n;
    struct error *e;
};

static bool add_found(struct finding *f, size_t column)
{
    for (size_t i = 0; i < f->n; i++)
        if (f->column[i] == column) {
            error_data(f->e, "%s names it twice", f->option);
            return error_column(f->e, f->t->column[column].name);
        }
    f->column[f->n++] = column;
    return true;
}

static bool find_item(void *closure, const struct column_item *item)
{
    struct finding *f = closure;
    size_t column = COLUMN_NONE;
    if (!item->name)
        column = columns_find(f->t, item->text, f->option, f->e);
    else if (columns_by_name(f->t, item->text, f->option, &column, f->e) && column == COLUMN_NONE)
        missing(f->t, item->text, f->option, f->e);
    return column != COLUMN_NONE && add_found(f, column);
}

bool columns_find_list(const struct columns *t, const char *list, const char *option, size_t *column,
                       size_t *n, struct error *e)
{
    size_t whole = strchr(list, ',') ? columns_lookup(t, list) : COLUMN_NONE;
    struct finding f = { t, option, column, 0, e };
    bool good = whole == COLUMN_NONE ? columns_each_item(t, list, option, find_item, &f, e)
                                     : add_found(&f, whole);
    *n = f.n;
    return good;
}
