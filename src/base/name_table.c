/* See name_table.h. Entries are in a separate array, so that an empty slot takes only eight bytes. */
#include "base/name_table.h"

#include "base/array.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

enum { FEWEST_SLOTS = 16 };

struct name_entry {
    struct name_key key;
    uint64_t hash;
    size_t number;
};

static uint64_t key_hash(struct name_key key)
{
    /* An odd factor: scope * odd has different low bits for different scopes, which choose the slot. */
    const uint64_t odd = 0x9E3779B97F4A7C15;
    return hash_bytes(key.name, key.nname) ^ key.scope * odd;
}

static bool keys_equal(struct name_key a, struct name_key b)
{
    if (a.nname != b.nname || a.scope != b.scope)
        return false;
    return a.nname == 0 || memcmp(a.name, b.name, a.nname) == 0;
}

/* The slot of the entry with this key, or the empty slot for a new entry with this key. The table must have
 * an empty slot. */
static size_t *find_slot(const struct name_table *table, struct name_key key, uint64_t hash)
{
    size_t mask = table->nslot - 1, at = hash & mask;
    while (table->slot[at]) {
        const struct name_entry *entry = &table->entry[table->slot[at] - 1];
        if (entry->hash == hash && keys_equal(entry->key, key))
            break;
        at = (at + 1) & mask;
    }
    return &table->slot[at];
}

size_t name_table_find(const struct name_table *table, struct name_key key)
{
    if (table->nslot == 0)
        return NAME_TABLE_NONE;
    size_t slot = *find_slot(table, key, key_hash(key));
    return slot ? table->entry[slot - 1].number : NAME_TABLE_NONE;
}

/* Makes room for one more entry, so that at most half of the slots are taken afterwards. */
static bool make_room(struct name_table *table, struct error *e)
{
    if (!array_reserve(&table->entry, table->nentry + 1, &table->maxentry, sizeof *table->entry, e))
        return false;
    if (table->nentry < table->nslot / 2)
        return true;
    size_t nslot = table->nslot ? 2 * table->nslot : FEWEST_SLOTS;
    size_t *slot = calloc(nslot, sizeof *slot);
    if (!slot)
        return e ? error_memory(e) : false;
    free(table->slot);
    table->slot = slot;
    table->nslot = nslot;
    for (size_t i = 0; i < table->nentry; i++) /* keys differ, so the slot found is empty */
        *find_slot(table, table->entry[i].key, table->entry[i].hash) = i + 1;
    return true;
}

bool name_table_put(struct name_table *table, struct name_key key, size_t number, struct error *e)
{
    if (!make_room(table, e))
        return false;
    uint64_t hash = key_hash(key);
    size_t *slot = find_slot(table, key, hash);
    if (*slot) {
        table->entry[*slot - 1].number = number;
        return true;
    }
    table->entry[table->nentry++] = (struct name_entry){ key, hash, number };
    *slot = table->nentry;
    return true;
}

void name_table_free(struct name_table *table)
{
    free(table->entry);
    free(table->slot);
    *table = (struct name_table){ 0 };
}
