/* Which columns are compared with each other, and which are angles, quaternions, the key. See diff.h. Columns
 * pair by name, in any order; by position if one side has no names. */
#include "compare/diff.h"

#include "base/array.h"
#include <stdlib.h>

/* The column of the other side that pairs with column i of this one, or COLUMN_NONE. Columns without a name
 * pair among each other, in order. */
static size_t partner(const struct diff *d, int side, size_t i)
{
    const struct columns *t = d->side[side].columns, *other = d->side[!side].columns;
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

/* Picks what one item lists. What only one side has is a difference, what neither has is an error. Positions,
 * as 3, 3-12 or 7-, are the expected side's; an open range includes the columns that only the actual side
 * has.
 */
struct picking {
    struct diff *d;
    const char *list; /* from the item on */
    struct error *e;
};

static bool pick_item(void *closure, const struct column_item *item)
{
    static const char digits[] = "0123456789";
    struct picking *p = closure;
    struct diff_side *expected = &p->d->side[DIFF_EXPECTED], *actual = &p->d->side[DIFF_ACTUAL];
    struct error other;
    const char *to = item->text + strspn(item->text, digits);
    bool range = *to == '-', open = range && !to[1];
    bool position = !item->name && to > item->text && !to[range + strspn(to + range, digits)];
    char *typed = strndup(p->list, strlen(p->list) - (item->rest ? strlen(item->rest) + 1 : 0));
    if (!typed)
        return error_memory(p->e);
    p->list += strlen(typed) + 1;
    bool known = columns_pick_list(expected->columns, typed, "--columns", expected->pick, p->e);
    if (!position)
        known = columns_pick_list(actual->columns, typed, "--columns", actual->pick, &other) || known;
    for (size_t i = 0; known && position && open && i < actual->columns->ncolumn; i++)
        if (partner(p->d, DIFF_ACTUAL, i) == COLUMN_NONE)
            actual->pick[i] = PICK_PATTERN;
    free(typed);
    return known;
}

/* Takes the columns of --exclude, and their partners, out of what is picked. */
static bool drop_columns(struct diff *d, struct error *e)
{
    const char *list = d->options->exclude;
    struct diff_side *expected = &d->side[DIFF_EXPECTED], *actual = &d->side[DIFF_ACTUAL];
    struct error other;
    if (!list)
        return true;
    bool known = columns_pick_list(expected->columns, list, "--exclude", expected->drop, e);
    bool known_too = columns_pick_list(actual->columns, list, "--exclude", actual->drop, &other);
    if (!known && !known_too)
        return false;
    for (int side = 0; side < DIFF_SIDES; side++) {
        struct diff_side *s = &d->side[side];
        for (size_t i = 0; i < s->columns->ncolumn; i++) {
            size_t k = partner(d, side, i);
            if (s->drop[i] == PICK_NONE)
                continue;
            s->pick[i] = PICK_NONE;
            if (k != COLUMN_NONE)
                d->side[!side].pick[k] = PICK_NONE;
        }
    }
    return true;
}

/* Picks what --columns lists, or all columns. The partner of a picked column is picked too. */
static bool pick_columns(struct diff *d, struct error *e)
{
    struct diff_side *expected = &d->side[DIFF_EXPECTED], *actual = &d->side[DIFF_ACTUAL];
    struct picking p = { d, d->options->columns, e };
    for (int i = 0; i < DIFF_SIDES && !p.list; i++)
        memset(d->side[i].pick, PICK_PATTERN, d->side[i].columns->ncolumn);
    if (p.list && !columns_each_item(expected->columns, p.list, "--columns", pick_item, &p, e))
        return false;
    for (size_t i = 0; i < actual->columns->ncolumn; i++) {
        size_t k = partner(d, DIFF_ACTUAL, i);
        if (k != COLUMN_NONE)
            expected->pick[k] = actual->pick[i] = expected->pick[k] | actual->pick[i];
    }
    return true;
}

static bool pair_picked(struct diff *d, struct error *e)
{
    for (int side = 0; side < DIFF_SIDES; side++) {
        struct diff_side *s = &d->side[side];
        for (size_t i = 0; i < s->columns->ncolumn; i++) {
            size_t k = partner(d, side, i);
            if (s->pick[i] == PICK_NONE) {
                continue;
            } else if (k == COLUMN_NONE) {
                s->only[s->nonly++] = i;
            } else if (side == DIFF_EXPECTED) {
                const char *name = s->columns->column[i].name;
                d->column[d->ncolumn++] = (struct diff_column){
                    .name = name[0] ? name : d->side[1].columns->column[k].name,
                    .column = { i, k },
                    .number = diff_numeric(s, i) && diff_numeric(&d->side[1], k),
                    .rotation = COLUMN_NONE,
                };
            }
        }
    }
    d->all = d->ncolumn + d->side[0].nonly + d->side[1].nonly;
    const char *option = d->options->columns ? "--columns" : d->options->exclude ? "--exclude" : NULL;
    return !option || d->all > 0 || error_data(e, "%s leaves no column to compare", option);
}

/* The pair that holds a column of the expected side, or COLUMN_NONE. */
static size_t pair_of(const struct diff *d, size_t column)
{
    for (size_t i = 0; i < d->ncolumn; i++)
        if (d->column[i].column[0] == column)
            return i;
    return COLUMN_NONE;
}

/* Checks that column of the expected side, which the option names, is compared as numbers. */
static bool needs_numbers(const struct diff *d, size_t column, const char *option, struct error *e)
{
    size_t i = pair_of(d, column);
    if (i != COLUMN_NONE && d->column[i].number)
        return true;
    error_data(e, "%s %s", option,
               i == COLUMN_NONE ? "names it, and it is not compared"
                                : "takes numbers, and it does not hold numbers on both sides");
    return error_column(e, d->side[0].columns->column[column].name);
}

static bool find_angles(struct diff *d, struct error *e)
{
    const struct columns *t = d->side[0].columns;
    const char *list = d->options->angles;
    unsigned char *pick = d->side[0].pick; /* columns are paired: it is free */
    memset(pick, PICK_NONE, t->ncolumn);
    if (list && !columns_pick_list(t, list, "--angles", pick, e))
        return false;
    for (size_t i = 0; i < t->ncolumn; i++) {
        size_t k = pick[i] == PICK_NONE ? COLUMN_NONE : pair_of(d, i);
        if (pick[i] == PICK_EXPLICIT && !needs_numbers(d, i, "--angles", e))
            return false;
        if (k != COLUMN_NONE)
            d->column[k].angle = d->column[k].number;
    }
    return true;
}

/* Adds a quaternion if its four columns are compared, as numbers. If they are not, one that a glob found is
 * left out, and one that was named is an error. */
static bool add_rotation(struct diff *d, const struct column_rotation *q, struct error *e)
{
    size_t *rotation = d->rotation[d->nrotation];
    for (size_t i = 0; i < 4; i++) {
        rotation[i] = pair_of(d, q->column[i]);
        if (!q->pattern && !needs_numbers(d, q->column[i], "--quaternions", e))
            return false;
        if (rotation[i] == COLUMN_NONE || !d->column[rotation[i]].number)
            return true;
    }
    for (size_t i = 0; i < 4; i++)
        d->column[rotation[i]].rotation = d->nrotation;
    d->nrotation++;
    return true;
}

static bool find_rotations(struct diff *d, struct error *e)
{
    const char *list = d->options->quaternions;
    struct column_rotations all = { 0 };
    bool good = (!list || columns_rotations(d->side[0].columns, QUATERNIONS, list, false, &all, e)) &&
                arrays_make(e, ARRAY(d->rotation, all.n));
    for (size_t i = 0; good && i < all.n; i++)
        good = add_rotation(d, &all.at[i], e);
    free(all.at);
    return good;
}

/* The column of times: the one that the format computes, or one with a usual name; or COLUMN_NONE. */
static size_t time_of(const struct columns *t)
{
    return diff_computed(t, 0) ? 0 : columns_usual_time(t);
}

/* Marks the columns that are times or keys on both sides. */
static void mark_times(struct diff *d)
{
    for (size_t i = 0; i < d->ncolumn; i++) {
        struct diff_column *c = &d->column[i];
        bool times = true, keys = true;
        for (int side = 0; side < DIFF_SIDES; side++) {
            times &= c->column[side] == time_of(d->side[side].columns);
            keys &= c->column[side] == d->side[side].key;
        }
        c->time = times || keys;
    }
}

static bool find_key(struct diff *d, struct error *e)
{
    const char *key = d->options->key;
    for (d->fault = 0; d->fault < DIFF_SIDES; d->fault++) {
        struct diff_side *s = &d->side[d->fault];
        s->key = key ? columns_find(s->columns, key, "--key", e) : COLUMN_NONE;
        s->shown = key ? s->key : time_of(s->columns);
        if (key && s->key == COLUMN_NONE)
            return false;
        if (key && !diff_numeric(s, s->key) && s->columns->column[s->key].first == CELL_TEXT) {
            error_data(e, "--key takes numbers, and it does not begin with one");
            return error_column(e, s->columns->column[s->key].name);
        }
    }
    mark_times(d);
    return true;
}

bool diff_pair_columns(struct diff *d, struct error *e)
{
    struct diff_side *expected = &d->side[DIFF_EXPECTED], *actual = &d->side[DIFF_ACTUAL];
    size_t n = expected->columns->ncolumn, other = actual->columns->ncolumn;
    d->fault = DIFF_SIDES;
    if (!arrays_make(e, ARRAY(d->column, n), ARRAY(expected->only, n), ARRAY(actual->only, other),
                     ARRAY(expected->pick, n), ARRAY(actual->pick, other), ARRAY(expected->drop, n),
                     ARRAY(actual->drop, other)))
        return false;
    d->fault = DIFF_EXPECTED;
    return pick_columns(d, e) && drop_columns(d, e) && pair_picked(d, e) && find_angles(d, e) &&
           find_rotations(d, e) && find_key(d, e);
}
