/* Columns and their names. Names are found through a hash table of open addressing, so that ten thousand
 * columns cost no more than their bytes. Roles are given in columns_select.c. */
#include "rows/columns.h"

#include "base/array.h"
#include "base/hash.h"
#include "rows/column_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One name: the column that bears it, and the number last tried for a further column that is spelled the
 * same. */
struct slot {
    size_t column; /* COLUMN_NONE: empty */
    size_t tried;  /* 0: no other column is spelled the same */
};

struct column_names {
    size_t nslot, maxslot; /* maxslot is a power of two */
    struct slot slot[];
};

/* The slot of that name, or the empty one where it belongs. There is always an empty one. */
static struct slot *find_slot(const struct columns *t, const char *name)
{
    struct column_names *names = t->names;
    size_t i = hash_add(HASH_START, name, strlen(name)) & (names->maxslot - 1);
    while (names->slot[i].column != COLUMN_NONE && strcmp(t->column[names->slot[i].column].name, name) != 0)
        i = (i + 1) & (names->maxslot - 1);
    return &names->slot[i];
}

static bool grow_names(struct columns *t, struct error *e)
{
    struct column_names *old = t->names;
    if (old && old->nslot < old->maxslot / 2)
        return true;
    size_t maxslot = old ? 2 * old->maxslot : 64;
    struct column_names *names = malloc(sizeof *names + maxslot * sizeof *names->slot);
    if (!names)
        return error_memory(e);
    *names = (struct column_names){ old ? old->nslot : 0, maxslot };
    for (size_t i = 0; i < maxslot; i++)
        names->slot[i] = (struct slot){ COLUMN_NONE, 0 };
    t->names = names;
    for (size_t i = 0; old && i < old->maxslot; i++)
        if (old->slot[i].column != COLUMN_NONE)
            *find_slot(t, t->column[old->slot[i].column].name) = old->slot[i];
    free(old);
    return true;
}

/* Gives c, whose name is taken, the next free name: X_2, X_3, … */
static bool count_on(struct columns *t, struct column *c, struct error *e)
{
    size_t nname = strlen(c->name);
    char *name = malloc(nname + 24);
    if (!name)
        return error_memory(e);
    struct slot *first = find_slot(t, c->name);
    memcpy(name, c->name, nname);
    first->tried += first->tried == 0;
    do
        sprintf(name + nname, "_%zu", ++first->tried);
    while (find_slot(t, name)->column != COLUMN_NONE);
    c->original = c->name;
    c->name = name;
    return true;
}

bool columns_add(struct columns *t, const char *name, size_t nname, struct error *e)
{
    if (!array_reserve(&t->column, t->ncolumn + 1, &t->maxcolumn, sizeof *t->column, e) || !grow_names(t, e))
        return false;
    struct column *c = &t->column[t->ncolumn];
    *c = (struct column){ .name = strndup(name, nname), .cell = COLUMN_NONE, .value = COLUMN_NONE };
    if (!c->name)
        return error_memory(e);
    if (c->name[0]) {
        if (find_slot(t, c->name)->column != COLUMN_NONE && !count_on(t, c, e)) {
            free(c->name);
            return false;
        }
        *find_slot(t, c->name) = (struct slot){ t->ncolumn, 0 };
        t->names->nslot++;
    }
    t->ncolumn++;
    return true;
}

size_t columns_lookup(const struct columns *t, const char *name)
{
    return t->names && name[0] ? find_slot(t, name)->column : COLUMN_NONE;
}

bool columns_repeats(const struct columns *t, const char *name)
{
    return t->names && name[0] && find_slot(t, name)->tried;
}

void columns_free(struct columns *t)
{
    for (size_t i = 0; i < t->ncolumn; i++) {
        free(t->column[i].name);
        free(t->column[i].original);
    }
    free(t->column);
    free(t->names);
    *t = (struct columns){ 0 };
}
