/* Which columns are compared with each other, and which are angles, quaternions, the key. See diff.h. Columns
 * pair by name, in any order; by position if one side has no names. */
#include "compare/diff.h"

#include "base/array.h"
#include <stdlib.h>

struct pairing {
    struct diff *d;
    struct columns *t[DIFF_SIDES];
    unsigned char *pick[DIFF_SIDES]; /* by --columns */
    const char *list;                /* of --columns, from the next item on */
    struct error *e;
};

/* The column of the other side that pairs with column i of this one, or COLUMN_NONE. Columns without a name
 * pair among each other, in order. */
static size_t partner(const struct pairing *p, int side, size_t i)
{
    const struct columns *t = p->t[side], *other = p->t[!side];
    if (!t->named || !other->named)
        return i < other->ncolumn ? i : COLUMN_NONE;
    if (t->column[i].name[0])
        return columns_lookup(other, t->column[i].name);
    size_t n = 0;
    for (size_t k = 0; k < i; k++)
        n += !t->column[k].name[0];
    for (size_t k = 0; k < other->ncolumn; k++)
        if (!other->column[k].name[0] && n-- == 0)
            return k;
    return COLUMN_NONE;
}

/* --- which columns are compared --- */

/* Picks what one item lists. What only one side has is a difference, what neither has is an error. Positions,
 * as 3, 3-12 or 7-, are the expected side's; an open range includes the columns that only the actual side
 * has.
 */
static bool pick_item(void *closure, const struct column_item *item)
{
    static const char digits[] = "0123456789";
    struct pairing *p = closure;
    struct error other;
    const char *to = item->text + strspn(item->text, digits);
    bool range = *to == '-', open = range && !to[1];
    bool position = !item->name && to > item->text && !to[range + strspn(to + range, digits)];
    char *typed = strndup(p->list, strlen(p->list) - (item->rest ? strlen(item->rest) + 1 : 0));
    if (!typed)
        return error_memory(p->e);
    p->list += strlen(typed) + 1;
    bool known = columns_pick_list(p->t[0], typed, "--columns", p->pick[0], p->e);
    if (!position)
        known = columns_pick_list(p->t[1], typed, "--columns", p->pick[1], &other) || known;
    for (size_t i = 0; known && position && open && i < p->t[1]->ncolumn; i++)
        if (partner(p, DIFF_ACTUAL, i) == COLUMN_NONE)
            p->pick[1][i] = PICK_PATTERN;
    free(typed);
    return known;
}

/* Picks what --columns lists, or all columns. The partner of a picked column is picked too. */
static bool pick_columns(struct pairing *p)
{
    p->list = p->d->options->columns;
    for (int i = 0; i < DIFF_SIDES && !p->list; i++)
        memset(p->pick[i], PICK_PATTERN, p->t[i]->ncolumn);
    p->d->fault = DIFF_EXPECTED;
    if (p->list && !columns_each_item(p->t[0], p->list, "--columns", pick_item, p, p->e))
        return false;
    for (size_t i = 0; i < p->t[1]->ncolumn; i++) {
        size_t k = partner(p, DIFF_ACTUAL, i);
        if (k != COLUMN_NONE)
            p->pick[0][k] = p->pick[1][i] = p->pick[0][k] | p->pick[1][i];
    }
    return true;
}

static bool pair_picked(struct pairing *p)
{
    struct diff *d = p->d;
    for (int side = 0; side < DIFF_SIDES; side++)
        for (size_t i = 0; i < p->t[side]->ncolumn; i++) {
            size_t k = partner(p, side, i);
            if (p->pick[side][i] == PICK_NONE) {
                continue;
            } else if (k == COLUMN_NONE) {
                d->side[side].only[d->side[side].nonly++] = i;
            } else if (side == DIFF_EXPECTED) {
                const char *name = p->t[0]->column[i].name;
                d->column[d->ncolumn++] = (struct diff_column){
                    .name = name[0] ? name : p->t[1]->column[k].name,
                    .column = { i, k },
                    .number = diff_numeric(&d->side[0], i) && diff_numeric(&d->side[1], k),
                    .rotation = COLUMN_NONE,
                };
            }
        }
    d->all = d->ncolumn + d->side[DIFF_EXPECTED].nonly + d->side[DIFF_ACTUAL].nonly;
    if (!d->options->columns || d->all > 0)
        return true;
    d->fault = DIFF_EXPECTED;
    return error_data(p->e, "--columns leaves no column to compare");
}

/* --- what they are --- */

/* The pair that holds a column of the expected side, or COLUMN_NONE. */
static size_t pair_of(const struct diff *d, size_t column)
{
    for (size_t i = 0; i < d->ncolumn; i++)
        if (d->column[i].column[0] == column)
            return i;
    return COLUMN_NONE;
}

/* Checks that column of the expected side, which the option names, is compared as numbers. */
static bool needs_numbers(const struct pairing *p, size_t column, const char *option)
{
    size_t i = pair_of(p->d, column);
    if (i != COLUMN_NONE && p->d->column[i].number)
        return true;
    error_data(p->e, "%s %s", option,
               i == COLUMN_NONE ? "names it, and it is not compared"
                                : "takes numbers, and it does not hold numbers on both sides");
    return error_column(p->e, p->t[0]->column[column].name);
}

static bool find_angles(struct pairing *p)
{
    const char *list = p->d->options->angles;
    unsigned char *pick = p->pick[0]; /* columns are paired: it is free */
    memset(pick, PICK_NONE, p->t[0]->ncolumn);
    p->d->fault = DIFF_EXPECTED;
    if (list && !columns_pick_list(p->t[0], list, "--angles", pick, p->e))
        return false;
    for (size_t i = 0; i < p->t[0]->ncolumn; i++) {
        size_t k = pick[i] == PICK_NONE ? COLUMN_NONE : pair_of(p->d, i);
        if (pick[i] == PICK_EXPLICIT && !needs_numbers(p, i, "--angles"))
            return false;
        if (k != COLUMN_NONE)
            p->d->column[k].angle = p->d->column[k].number;
    }
    return true;
}

/* Adds a quaternion if its four columns are compared, as numbers. If they are not, one that a glob found is
 * left out, and one that was named is an error. */
static bool add_rotation(struct pairing *p, const struct column_rotation *q)
{
    struct diff *d = p->d;
    size_t *rotation = d->rotation[d->nrotation];
    for (size_t i = 0; i < 4; i++) {
        rotation[i] = pair_of(d, q->column[i]);
        if (!q->pattern && !needs_numbers(p, q->column[i], "--quaternions"))
            return false;
        if (rotation[i] == COLUMN_NONE || !d->column[rotation[i]].number)
            return true;
    }
    for (size_t i = 0; i < 4; i++)
        d->column[rotation[i]].rotation = d->nrotation;
    d->nrotation++;
    return true;
}

static bool find_rotations(struct pairing *p)
{
    const char *list = p->d->options->quaternions;
    struct column_rotations all = { 0 };
    p->d->fault = DIFF_EXPECTED;
    bool good = !list || columns_rotations(p->t[0], QUATERNIONS, list, false, &all, p->e);
    p->d->rotation = calloc(all.n + 1, sizeof *p->d->rotation);
    if (good && !p->d->rotation)
        good = error_memory(p->e);
    for (size_t i = 0; good && i < all.n; i++)
        good = add_rotation(p, &all.at[i]);
    free(all.at);
    return good;
}

static bool find_key(struct pairing *p)
{
    const char *key = p->d->options->key;
    for (int i = 0; i < DIFF_SIDES; i++) {
        struct diff_side *s = &p->d->side[i];
        const struct columns *t = p->t[i];
        p->d->fault = i;
        s->key = key ? columns_find(t, key, "--key", p->e) : COLUMN_NONE;
        s->shown = key ? s->key : columns_usual_time(t);
        if (key && s->key == COLUMN_NONE)
            return false;
        if (key && !diff_numeric(s, s->key) && t->column[s->key].first == CELL_TEXT) {
            error_data(p->e, "--key takes numbers, and it does not begin with one");
            return error_column(p->e, t->column[s->key].name);
        }
    }
    p->d->fault = DIFF_SIDES;
    return true;
}

bool diff_pair_columns(struct diff *d, struct error *e)
{
    struct pairing p = { .d = d, .e = e };
    for (int i = 0; i < DIFF_SIDES; i++)
        p.t[i] = &d->side[i].in.reader.columns;
    d->fault = DIFF_SIDES;
    size_t n0 = p.t[0]->ncolumn, n1 = p.t[1]->ncolumn;
    bool good = arrays_make(e, ARRAY(p.pick[0], n0), ARRAY(p.pick[1], n1)) &&
                arrays_make(e, ARRAY(d->column, n0), ARRAY(d->side[0].only, n0),
                            ARRAY(d->side[1].only, n1)) &&
                pick_columns(&p) && pair_picked(&p) && find_angles(&p) && find_rotations(&p) && find_key(&p);
    free(p.pick[0]);
    return good;
}
