/* Records that are laid out as the first one: the fast path. The bytes between the values are compared with
 * those of the first record, and only wanted values are read. Faults are not reported here: a record that
 * does not fit is read again along the shape. Invariant: the cells of a record are those that rows.c finds.
 */
#include "formats/json/json.h"

#include "base/array.h"
#include "number/fast_read.h"

#include <stdlib.h>

#define INLINE static inline __attribute__((always_inline))

/* One value of the record, and the bytes before it. */
struct json_slot {
    const char *literal; /* the bytes before the value */
    size_t nliteral;
    uint64_t word, mask; /* its first eight bytes, and which of these count */
    /* NUMBER: a number without --missing. OPEN, CLOSE: where an anchored array begins and ends; END: the end
     * of the last element of a record that is an array. NOTHING: only the bytes at the end of the record */
    enum slot_kind { SLOT_NUMBER, SLOT_LEAF, SLOT_SKIP, SLOT_OPEN, SLOT_CLOSE, SLOT_END, SLOT_NOTHING } kind;
    const struct json_node *node;
};

static bool add_slot(struct json *j, const char **from, const char *to, enum slot_kind kind,
                     const struct json_node *node, struct error *e)
{
    if (!array_reserve(&j->slot, j->nslot + 1, &j->maxslot, sizeof *j->slot, e))
        return false;
    struct json_slot *slot = &j->slot[j->nslot++];
    *slot = (struct json_slot){ *from, (size_t)(to - *from), 0, 0, kind, node };
    size_t n = slot->nliteral < 8 ? slot->nliteral : 8;
    memcpy(&slot->word, *from, n);
    memset(&slot->mask, 0xFF, n);
    *from = to;
    return true;
}

/* Adds the slots of a node. from: the end of the last slot's value. */
static bool add_slots(struct json *j, const struct json_node *n, const char **from, struct error *e)
{
    /* The root's members count even where none is wanted. */
    if ((!n->wanted && n->parent) || n->kind == JSON_LEAF) {
        bool number = n->wanted && n->numeric && !(j->missing && !n->time);
        if (!add_slot(j, from, n->at, number ? SLOT_NUMBER : n->wanted ? SLOT_LEAF : SLOT_SKIP, n, e))
            return false;
        *from = n->end;
        return true;
    }
    bool anchored = n->anchor != COLUMN_NONE, inner = n->parent != NULL;
    if (anchored && inner && !add_slot(j, from, n->at, SLOT_OPEN, n, e))
        return false;
    for (const struct json_node *child = n->child; child; child = child->next)
        if (!add_slots(j, child, from, e))
            return false;
    if (anchored && !inner)
        return add_slot(j, from, n->last->end, SLOT_END, n, e);
    return !anchored || add_slot(j, from, n->end, SLOT_CLOSE, n, e);
}

bool json_fast_bind(struct json *j, struct error *e)
{
    const struct json_node *root = j->node[0];
    const char *from = j->first;
    return add_slots(j, root, &from, e) &&
           (root->end == from || add_slot(j, &from, root->end, SLOT_NOTHING, NULL, e));
}

static inline uint64_t load8(const char *p)
{
    uint64_t x;
    memcpy(&x, p, sizeof x);
    return x;
}

static inline bool same_literal(const struct json_slot *slot, const char *p, const char *end)
{
    size_t n = slot->nliteral;
    if (((load8(p) ^ slot->word) & slot->mask) != 0)
        return false;
    if (n <= 8)
        return true;
    if (n <= 16)
        return load8(p + n - 8) == load8(slot->literal + n - 8);
    return (size_t)(end - p) >= n && memcmp(p + 8, slot->literal + 8, n - 8) == 0;
}

/* A short number by JSON's grammar (digits on both sides of the point, no leading zeros), or NULL. */
INLINE const char *short_number(const char *p, struct number_short *number)
{
    const char *first = p + (*p == '-'), *q = number_short_read(p, '.', number);
    bool good = q && json_digit(*first) && !(*first == '0' && json_digit(first[1])) && json_digit(q[-1]) &&
                *q != '.' && (*q | 0x20) != 'e';
    return good ? q : NULL;
}

/* The leaf's number at p; false: it is no short number. */
INLINE bool read_number(struct json_row *row, const struct json_node *n, const char **p)
{
    struct number_short number;
    const char *q = short_number(*p, &number);
    if (!q)
        return false;
    double x = number_short_double(number);
    if (n->time)
        row->b->time[row->i] = (struct timestamp){ x, number_short_decimal(number) };
    if (n->value != COLUMN_NONE)
        block_value(row->b, n->value)[row->i] = x;
    row->cell[n->cell] = (struct span){ (uint32_t)(*p - row->b->text), (uint32_t)(q - *p) };
    *p = q;
    return true;
}

/* A value that is not wanted. */
static inline const char *skip(struct json_row *row, const struct json_slot *slot, const char *p)
{
    struct number_short number;
    const char *q = *p == '"' ? json_plain(p + 1) : short_number(p, &number);
    if (q && *p != '"')
        return q;
    return q && *q == '"' && q - p < FORMAT_MAXCELL ? q + 1 : json_value(p, slot->node->depth, &row->s);
}

const char *json_fast_record(struct json_row *row, const char *p)
{
    const struct json_slot *slot = row->j->slot, *last = slot + row->j->nslot;
    struct span *cell = row->cell;
    for (; p && slot < last; slot++) {
        if (!same_literal(slot, p, row->s.end))
            return NULL;
        p += slot->nliteral;
        switch (slot->kind) {
        case SLOT_NUMBER:
            if (read_number(row, slot->node, &p))
                break;
            /* fall through */
        case SLOT_LEAF:
            cell[slot->node->cell].at = SPLICE_ABSENT;
            p = json_read_leaf(row, slot->node, p);
            break;
        case SLOT_SKIP:
            p = skip(row, slot, p);
            break;
        case SLOT_OPEN:
        case SLOT_END:
            cell[slot->node->anchor] = (struct span){ (uint32_t)(p - row->b->text), 0 };
            break;
        case SLOT_CLOSE:
            cell[slot->node->anchor].n = (uint32_t)(p - row->b->text) - cell[slot->node->anchor].at;
            break;
        case SLOT_NOTHING:
            break;
        }
    }
    return p;
}
