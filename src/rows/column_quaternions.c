/* Finds the quaternions that a user's words mean: four columns, and which of them is w, x, y and z. The order
 * of the components comes from the letters in the names or from the user; it is never guessed. */
#include "rows/columns.h"

#include "base/array.h"
#include "base/text.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 80 }; /* bytes of a word in messages */

static const char option[] = "--quaternions";
static const char *const joints[] = { "_", ".", "" };

struct picking {
    const struct columns *t;
    bool ordered;
    struct column_quaternion *all;
    size_t n, max;
    struct error *e;
};

/* The component that a letter names in either case, 0 to 3; 4: none. */
static size_t component(char letter)
{
    const char *at = letter ? strchr("wxyzWXYZ", letter) : NULL;
    return at ? (size_t)(at - "wxyzWXYZ") % 4 : 4;
}

static bool add(struct picking *p, const size_t column[4], bool pattern)
{
    for (size_t i = 0; i < p->n; i++) {
        size_t shared = 0;
        for (size_t k = 0; k < 16; k++)
            shared += p->all[i].column[k / 4] == column[k % 4];
        if (memcmp(p->all[i].column, column, sizeof p->all[i].column) == 0)
            return true;
        if (shared) {
            error_usage(p->e, "%s: two quaternions share a column", option);
            return error_column(p->e, p->t->column[column[0]].name);
        }
    }
    if (!array_reserve(&p->all, p->n + 1, &p->max, sizeof *p->all, p->e))
        return false;
    struct column_quaternion *q = &p->all[p->n++];
    memcpy(q->column, column, sizeof q->column);
    q->pattern = pattern;
    return true;
}

/* The four columns named STEM JOINT letter; *found is how many there are. False: a name stands for
 * several. */
static bool joined(const struct picking *p, const char *stem, size_t nstem, const char *joint,
                   size_t column[4], size_t *found)
{
    *found = 0;
    for (size_t i = 0; i < 4; i++) {
        column[i] = COLUMN_NONE;
        for (size_t k = i; k < 8 && column[i] == COLUMN_NONE; k += 4) {
            char *name = text_format("%.*s%s%c", (int)nstem, stem, joint, "wxyzWXYZ"[k]);
            bool good = name ? columns_by_name(p->t, name, option, &column[i], p->e) : error_memory(p->e);
            free(name);
            if (!good)
                return false;
        }
        *found += column[i] != COLUMN_NONE;
    }
    return true;
}

static bool pick_name(struct picking *p, const char *name)
{
    size_t column[4], found = 0;
    for (size_t j = 0; j < 3; j++) {
        if (!joined(p, name, strlen(name), joints[j], column, &found))
            return false;
        if (found == 4)
            return add(p, column, false);
    }
    error_data(p->e, "%s: there are no four columns for \"%.*s\"", option, SHOWN, name);
    return error_hint(
        p->e, "hip stands for hip_w, hip_x, hip_y and hip_z, also with a dot between or nothing; or give "
              "positions and the order, as in 3-6:xyzw");
}

/* Every w that has its x, y and z beside it under the same stem. */
static bool pick_glob(struct picking *p, const char *glob)
{
    bool any = false;
    for (size_t i = 0; i < p->t->ncolumn; i++) {
        const char *name = p->t->column[i].name;
        size_t n = strlen(name), column[4], found;
        if (n == 0 || component(name[n - 1]) != 0)
            continue;
        const char *joint = n > 1 && name[n - 2] == '_' ? "_" : n > 1 && name[n - 2] == '.' ? "." : "";
        n -= 1 + strlen(joint);
        char *stem = strndup(name, n);
        if (!stem)
            return error_memory(p->e);
        bool like = fnmatch(glob, stem, 0) == 0, good = true;
        if (like)
            good = joined(p, stem, n, joint, column, &found) && (found < 4 || add(p, column, true));
        free(stem);
        if (!good)
            return false;
        any |= like && found == 4;
    }
    if (any)
        return true;
    error_data(p->e, "%s: no four columns are like \"%.*s\"", option, SHOWN, glob);
    return error_hint(
        p->e, "a name stands for four that end in w, x, y and z: hip* takes hip_w, hip_x, hip_y, hip_z");
}

/* The component that letter i of an order names goes to column first + i. False: it is not an order. */
static bool by_order(const char *order, size_t first, size_t column[4])
{
    size_t seen = 0;
    for (size_t i = 0; i < 4; i++) {
        size_t c = component(order[i]);
        if (c == 4)
            return false;
        column[c] = first + i;
        seen |= (size_t)1 << c;
    }
    return seen == 15 && order[4] == 0;
}

/* The order by the last letters of four neighbouring names. False: they are not the four components. */
static bool by_letters(const struct columns *t, size_t first, size_t column[4])
{
    char order[5] = "";
    for (size_t i = 0; i < 4; i++) {
        const struct column *c = &t->column[first + i], *other = &t->column[first];
        const char *name = c->original ? c->original : c->name;
        size_t n = strlen(name);
        if (n == 0 || strncmp(name, other->original ? other->original : other->name, n - 1) != 0)
            return false;
        order[i] = name[n - 1];
    }
    return by_order(order, first, column);
}

/* 3-6 or 3-6:xyzw; *found tells whether text is one of them. */
static bool pick_positions(struct picking *p, const char *text, bool *found)
{
    unsigned first, last;
    int used = 0;
    size_t column[4];
    *found = sscanf(text, "%8u-%8u%n", &first, &last, &used) == 2 && (text[used] == 0 || text[used] == ':');
    if (!*found)
        return true;
    if (first < 1 || last != first + 3)
        return error_usage(p->e, "%s: a quaternion takes four columns, as in 3-6, and this is %s", option,
                           text);
    if (last > p->t->ncolumn) {
        error_data(p->e, "%s: no column %u: there %s %zu, counted from 1", option, last,
                   p->t->ncolumn == 1 ? "is" : "are", p->t->ncolumn);
        return columns_hint(p->t, NULL, p->e);
    }
    if (text[used] && !by_order(text + used + 1, first - 1, column)) {
        error_usage(p->e, "%s: not an order of components", option);
        error_excerpt(p->e, text + used + 1, strlen(text + used + 1));
        return error_hint(p->e, "an order has the letters w, x, y and z once each, as in %u-%u:xyzw", first,
                          last);
    }
    if (!text[used] && !by_letters(p->t, first - 1, column)) {
        if (p->ordered) {
            error_usage(p->e, "%s: nothing tells which of the columns %s is w, x, y and z", option, text);
            return error_hint(p->e, "add the order in which they stand, as in %s:xyzw or %s:wxyz", text,
                              text);
        }
        by_order("wxyz", first - 1, column);
    }
    return add(p, column, false);
}

static bool pick_item(void *closure, const struct column_item *item)
{
    struct picking *p = closure;
    bool positions = false, good = item->name || pick_positions(p, item->text, &positions);
    if (positions || !good)
        return good;
    return !item->name && strpbrk(item->text, "*?[") ? pick_glob(p, item->text) : pick_name(p, item->text);
}

bool columns_pick_quaternions(const struct columns *t, const char *list, bool ordered,
                              struct column_quaternion **all, size_t *n, struct error *e)
{
    struct picking p = { .t = t, .ordered = ordered, .e = e };
    bool good = columns_each_item(t, list, option, pick_item, &p, e);
    if (!good) {
        free(p.all);
        p.all = NULL;
        p.n = 0;
    }
    *all = p.all;
    *n = p.n;
    return good;
}
