/* Finds rotations: the columns of a quaternion, or of three Euler angles, and which of them is w, x, y and z.
 * Letters in the names tell that, or the user, or the format; it is never guessed. */
#include "rows/columns.h"

#include "base/array.h"
#include "base/text.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { SHOWN = 80, MAXORDER = 8 }; /* bytes of a word in messages; letters of an order */

/* How the name of a column goes on after that of its rotation: joint, letter, tail. */
static const struct form {
    const char *joint, *tail;
} forms[] = { { "_", "" }, { ".", "" }, { "", "" }, { ".", "rotation" } };

enum { NFORM = sizeof forms / sizeof *forms };

/* What a list names. */
struct kind {
    const char *option, *what, *number, *letters, *order; /* for messages; order: an example */
    const char *hint, *glob_hint;
    size_t first; /* component: 0, w, or 1, x */
};

/* clang-format off */
static const struct kind quaternions = {
    "--quaternions", "a quaternion", "four", "w, x, y and z", "xyzw",
    "hip stands for hip_w, hip_x, hip_y and hip_z, also with a dot between or nothing; or give positions and the "
    "order, as in 3-6:xyzw",
    "a name stands for four that end in w, x, y and z: hip* takes hip_w, hip_x, hip_y, hip_z", 0
};
static const struct kind angles = {
    "--rotations", "a rotation", "three", "x, y and z", "ZXY",
    "hip:ZXY stands for hip_z, hip_x and hip_y, also with a dot between or nothing; or give positions and the "
    "order, as in 3-5:ZXY",
    "a name stands for three that end in x, y and z: 'hip*:ZXY' takes hip_z, hip_x, hip_y", 1
};
/* clang-format on */

struct picking {
    const struct columns *t;
    const struct kind *kind;
    bool ordered;
    const char *order; /* of the entry; "": none is given */
    struct column_rotations *all;
    struct error *e;
};

/* The component that a letter names in either case, 0 to 3; 4: none. */
static size_t component(char letter)
{
    const char *at = letter ? strchr("wxyzWXYZ", letter) : NULL;
    return at ? (size_t)(at - "wxyzWXYZ") % 4 : 4;
}

/* Adds a rotation, unless it is there already. */
static bool add(struct column_rotations *all, const struct columns *t, const struct column_rotation *new,
                const char *option, struct error *e)
{
    for (size_t i = 0; i < all->n; i++) {
        const struct column_rotation *old = &all->at[i];
        size_t shared = 0;
        for (size_t k = 0; k < 16; k++)
            shared += old->column[k / 4] == new->column[k % 4] && old->column[k / 4] != COLUMN_NONE;
        if (memcmp(old->column, new->column, sizeof old->column) == 0 &&
            memcmp(old->axis, new->axis, sizeof old->axis) == 0)
            return true;
        if (shared) {
            error_usage(e, "%s: two rotations share a column", option);
            return error_column(e, t->column[new->column[3]].name);
        }
    }
    if (!array_reserve(&all->at, all->n + 1, &all->max, sizeof *all->at, e))
        return false;
    all->at[all->n++] = *new;
    return true;
}

static bool add_picked(struct picking *p, const size_t column[4], bool pattern)
{
    struct column_rotation new = { .pattern = pattern };
    memcpy(new.column, column, sizeof new.column);
    for (size_t i = 0; i < 3 && p->kind->first; i++)
        new.axis[i] = (unsigned char)(component(p->order[i]) - 1);
    return add(p->all, p->t, &new, p->kind->option, p->e);
}

/* The columns named STEM and a form; *whole tells whether all are there. False: a name stands for several. */
static bool joined(const struct picking *p, const char *stem, size_t nstem, const struct form *form,
                   size_t column[4], bool *whole)
{
    *whole = true;
    column[0] = COLUMN_NONE;
    for (size_t i = p->kind->first; i < 4; i++) {
        column[i] = COLUMN_NONE;
        for (size_t k = i; k < 8 && column[i] == COLUMN_NONE; k += 4) {
            char *name = text_format("%.*s%s%c%s", (int)nstem, stem, form->joint, "wxyzWXYZ"[k],
                                     form -> tail);
            bool good = name ? columns_by_name(p->t, name, p->kind->option, &column[i], p->e)
                             : error_memory(p->e);
            free(name);
            if (!good)
                return false;
        }
        *whole &= column[i] != COLUMN_NONE;
    }
    return true;
}

static bool pick_name(struct picking *p, const char *name)
{
    size_t column[4];
    bool whole = false;
    for (size_t j = 0; j < NFORM; j++) {
        if (!joined(p, name, strlen(name), &forms[j], column, &whole))
            return false;
        if (whole)
            return add_picked(p, column, false);
    }
    error_data(p->e, "%s: there are no %s columns for \"%.*s\"", p->kind->option, p->kind->number, SHOWN,
               name);
    return error_hint(p->e, "%s", p->kind->hint);
}

/* The form of a name whose letter is that of the first component, and the bytes before it; NULL: none. */
static const struct form *form_of(const struct kind *kind, const char *name, size_t *nstem)
{
    size_t n = strlen(name);
    for (const struct form *f = forms; f < forms + NFORM; f++) {
        size_t njoint = strlen(f->joint), ntail = strlen(f->tail);
        if (n < njoint + 1 + ntail || strcmp(name + n - ntail, f->tail) != 0 ||
            component(name[n - ntail - 1]) != kind->first)
            continue;
        *nstem = n - ntail - 1 - njoint;
        if (memcmp(name + *nstem, f->joint, njoint) == 0)
            return f;
    }
    return NULL;
}

/* Every first component that has the others beside it under the same stem. */
static bool pick_glob(struct picking *p, const char *glob)
{
    bool any = false;
    for (size_t i = 0; i < p->t->ncolumn; i++) {
        size_t n, column[4];
        const struct form *form = form_of(p->kind, p->t->column[i].name, &n);
        char *stem = form ? strndup(p->t->column[i].name, n) : NULL;
        if (form && !stem)
            return error_memory(p->e);
        bool whole = form && fnmatch(glob, stem, 0) == 0, good = true;
        if (whole)
            good = joined(p, stem, n, form, column, &whole) && (!whole || add_picked(p, column, true));
        free(stem);
        if (!good)
            return false;
        any |= whole;
    }
    if (any)
        return true;
    error_data(p->e, "%s: no %s columns are like \"%.*s\"", p->kind->option, p->kind->number, SHOWN, glob);
    return error_hint(p->e, "%s", p->kind->glob_hint);
}

/* The component that letter i of an order names goes to column first + i. False: it is not an order. */
static bool by_order(const struct kind *kind, const char *order, size_t first, size_t column[4])
{
    size_t seen = 0, n = 4 - kind->first;
    column[0] = COLUMN_NONE;
    for (size_t i = 0; i < n; i++) {
        size_t c = component(order[i]);
        if (c == 4)
            return false;
        column[c] = first + i;
        seen |= (size_t)1 << c;
    }
    return seen >> kind->first == ((size_t)1 << n) - 1 && order[n] == 0;
}

/* The order by the last letters of neighbouring names, or those before "rotation". False: they are not the
 * components. */
static bool by_letters(const struct kind *kind, const struct columns *t, size_t first, size_t column[4])
{
    static const char tail[] = "rotation";
    char order[5] = "";
    for (size_t i = 0; i < 4 - kind->first; i++) {
        const struct column *c = &t->column[first + i], *other = &t->column[first];
        const char *name = c->original ? c->original : c->name;
        size_t n = strlen(name);
        n -= n >= sizeof tail && strcmp(name + n + 1 - sizeof tail, tail) == 0 ? sizeof tail - 1 : 0;
        if (n == 0 || strncmp(name, other->original ? other->original : other->name, n - 1) != 0)
            return false;
        order[i] = name[n - 1];
    }
    return by_order(kind, order, first, column);
}

static bool no_order(const struct picking *p, const char *whose)
{
    error_usage(p->e, "%s: not an order of components", p->kind->option);
    error_excerpt(p->e, p->order, strlen(p->order));
    return error_hint(p->e, "an order has the letters %s once each, as in %.*s:%s", p->kind->letters, SHOWN,
                      whose, p->kind->order);
}

/* Finds the components among the columns from first on, which text names. */
static bool place(const struct picking *p, const char *text, size_t first, size_t column[4])
{
    const struct kind *kind = p->kind;
    if ((kind->first || !p->order[0]) && by_letters(kind, p->t, first, column))
        return true;
    if (p->order[0])
        return by_order(kind, p->order, first, column) || no_order(p, text);
    if (!p->ordered)
        return by_order(kind, "wxyz", first, column);
    error_usage(p->e, "%s: nothing tells which of the columns %s is w, x, y and z", kind->option, text);
    return error_hint(p->e, "add the order in which they stand, as in %s:xyzw or %s:wxyz", text, text);
}

/* 3-6 or 3-6:xyzw; *found tells whether text is one of them. */
static bool pick_positions(struct picking *p, char *text, bool *found)
{
    unsigned first, last, more = 3 - (unsigned)p->kind->first;
    int used = 0;
    size_t column[4];
    *found = sscanf(text, "%8u-%8u%n", &first, &last, &used) == 2 && (text[used] == 0 || text[used] == ':');
    if (!*found)
        return true;
    if (first < 1 || last != first + more)
        return error_usage(p->e, "%s: %s takes %s columns, as in 3-%u, and this is %s", p->kind->option,
                           p->kind->what, p->kind->number, 3 + more, text);
    if (last > p->t->ncolumn) {
        error_data(p->e, "%s: no column %u: there %s %zu, counted from 1", p->kind->option, last,
                   p->t->ncolumn == 1 ? "is" : "are", p->t->ncolumn);
        return columns_hint(p->t, NULL, p->e);
    }
    if (text[used]) {
        p->order = text + used + 1;
        text[used] = 0;
    }
    return place(p, text, first - 1, column) && add_picked(p, column, false);
}

static bool pick_item(struct picking *p, const struct column_item *item)
{
    bool positions = false, good = item->name || pick_positions(p, item->text, &positions);
    if (positions || !good)
        return good;
    return !item->name && strpbrk(item->text, "*?[") ? pick_glob(p, item->text) : pick_name(p, item->text);
}

static bool pick_quaternion(void *closure, const struct column_item *item)
{
    struct picking *p = closure;
    p->order = "";
    return pick_item(p, item);
}

bool columns_pick_quaternions(const struct columns *t, const char *list, bool ordered,
                              struct column_rotations *all, struct error *e)
{
    struct picking p = { .t = t, .kind = &quaternions, .ordered = ordered, .all = all, .e = e };
    return columns_each_item(t, list, p.kind->option, pick_quaternion, &p, e);
}

/* --- Euler angles --- */

/* Copies the first order of a text, after a colon and before one of those bytes or the end; returns the
 * colon. NULL: there is none. */
static char *find_order(const char *text, const char *ends, char order[MAXORDER])
{
    for (const char *colon = text; colon && (colon = strchr(colon, ':')); colon++) {
        size_t n = strspn(colon + 1, "xyzXYZ");
        if (n == 0 || n >= MAXORDER || !strchr(ends, colon[1 + n]))
            continue;
        snprintf(order, MAXORDER, "%.*s", (int)n, colon + 1);
        return (char *)colon;
    }
    return NULL;
}

static bool pick_angles(void *closure, const struct column_item *item)
{
    struct picking *p = closure;
    char order[MAXORDER], *own = find_order(item->text, "", order);
    size_t column[4];
    if (own)
        *own = 0;
    else if (!find_order(item->rest, ",\" \t", order)) {
        error_usage(p->e, "--rotations: the order of the angles is missing after \"%.*s\"", SHOWN,
                    item->text);
        return error_hint(p->e, "ZXY means the product Rz Rx Ry of matrices, as in %.*s:ZXY", SHOWN,
                          item->text);
    }
    p->order = order;
    return by_order(p->kind, order, 0, column) ? pick_item(p, item) : no_order(p, item->text);
}

bool columns_pick_angles(const struct columns *t, const char *list, struct column_rotations *all,
                         struct error *e)
{
    struct picking p = { .t = t, .kind = &angles, .all = all, .e = e };
    return columns_each_item(t, list, p.kind->option, pick_angles, &p, e);
}

bool columns_joint_angles(const struct columns *t, struct column_rotations *all, struct error *e)
{
    struct column_rotation new = { .column = { COLUMN_NONE }, .pattern = true };
    for (size_t i = 0, n = 0, seen = 0; i < t->ncolumn; i++) {
        const struct column *c = &t->column[i];
        if (c->axis && c->joint) {
            new.axis[n < 3 ? n : 0] = (unsigned char)(c->axis - 1);
            new.column[c->axis] = i;
            seen |= (size_t)1 << c->axis;
            n++;
        }
        if (i + 1 < t->ncolumn && t->column[i + 1].joint == c->joint)
            continue;
        if (n == 3 && seen == 14 && !add(all, t, &new, angles.option, e))
            return false;
        n = seen = 0;
    }
    return true;
}

/* The component that a column of Motive's `Rotation` holds, by its name and what stands above it; 4: none. */
static size_t motive_component(const struct column *c)
{
    static const char above[] = "Rotation", joined[] = ".Rotation.";
    const char *name = c->original ? c->original : c->name, *last = strrchr(name, '.');
    size_t n = sizeof joined - 1;
    if (c->above && strcasecmp(c->above, above) == 0 && name[0] && !name[1])
        return component(*name);
    if (!last || !last[1] || last[2] || (size_t)(last + 1 - name) < n ||
        strncasecmp(last + 1 - n, joined, n) != 0)
        return 4;
    return component(last[1]);
}

bool columns_motive_quaternions(const struct columns *t, struct column_rotations *all, struct error *e)
{
    for (size_t i = 0; i + 4 <= t->ncolumn; i++) {
        struct column_rotation new = { .pattern = true };
        size_t seen = 0;
        for (size_t k = 0; k < 4; k++) {
            size_t of = motive_component(&t->column[i + k]);
            seen |= (size_t)1 << of;
            new.column[of % 4] = i + k;
        }
        if (seen != 15)
            continue;
        if (!add(all, t, &new, quaternions.option, e))
            return false;
        i += 3;
    }
    return true;
}
