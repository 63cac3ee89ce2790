/* A table from names to numbers, for finding a column, a member or an animation by name: a hash table with
 * open addressing. Zero-initialize. */
#ifndef SPRUNG_BASE_NAME_TABLE_H
#define SPRUNG_BASE_NAME_TABLE_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

#define NAME_TABLE_NONE SIZE_MAX

/* Two keys are equal if their names and their scopes are equal. */
struct name_key {
    const char *name; /* any bytes; the table keeps the pointer, so the bytes must outlive the table */
    size_t nname;     /* bytes in name; 0: the empty name, which is a name like others */
    uint64_t scope;   /* distinguishes equal names: the number of the object that a member is of, or 0 */
};

struct name_table {
    struct name_entry *entry; /* [nentry], in the order of the calls of name_table_put; owned */
    size_t *slot;             /* [nslot]: 1 + the index of an entry; 0: the slot is empty; owned */
    size_t nentry;
    size_t maxentry; /* entries that have room in entry */
    size_t nslot;    /* a power of two, at least 2 * nentry; 0: no slots yet */
};

static inline struct name_key name_key(const char *name, size_t nname)
{
    return (struct name_key){ .name = name, .nname = nname };
}

/* The number that was put under the key, or NAME_TABLE_NONE. */
size_t name_table_find(const struct name_table *table, struct name_key key);

/* Puts a number under the key, in place of an earlier number. False: out of memory, and the table is as it
 * was (e may be NULL). */
bool name_table_put(struct name_table *table, struct name_key key, size_t number, struct error *e);

/* Frees the entries and leaves an empty table. */
void name_table_free(struct name_table *table);

#endif
