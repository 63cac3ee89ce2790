/* A record that is laid out as the first one was: the hot path. What stands between its values is compared as
 * bytes, and of the values only those are read that are wanted. Nothing is said here: a record that is not so
 * is read once more, along the tree. Invariant: what is taken of a record is what json_parse.c takes. */
#include "formats/json/json.h"

#include "number/fast_read.h"
#include "formats/splice.h"

#define INLINE static inline __attribute__((always_inline))

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

/* A short number by JSON's grammar, which wants digits around the point and no zeros in front, or NULL. */
INLINE const char *short_number(const char *p, struct number_short *number)
{
    const char *first = p + (*p == '-'), *q = number_short_read(p, '.', number);
    bool good = q && json_digit(*first) && !(*first == '0' && json_digit(first[1])) && json_digit(q[-1]) &&
                *q != '.' && (*q | 0x20) != 'e';
    return good ? q : NULL;
}

/* The leaf's number at p; false: it is no short number. */
INLINE bool take_number(struct json_row *row, const struct json_node *n, const char **p)
{
    struct number_short number;
    const char *q = short_number(*p, &number);
    if (!q)
        return false;
    double x = number_short_double(number);
    if (n->time)
        row->b->stamp[row->i] = (struct timestamp){ x, number_short_decimal(number) };
    if (n->value != COLUMN_NONE)
        block_value(row->b, n->value)[row->i] = x;
    row->cell[n->cell] = (struct span){ (uint32_t)(*p - row->b->text), (uint32_t)(q - *p) };
    *p = q;
    return true;
}

static inline const char *take(struct json_row *row, const struct json_slot *slot, const char *p)
{
    row->cell[slot->node->cell].at = SPLICE_ABSENT;
    return json_take(row, slot->node, p, slot->depth);
}

/* A value that nobody wants. */
static inline const char *skip(struct json_row *row, const struct json_slot *slot, const char *p)
{
    struct number_short number;
    const char *q = *p == '"' ? json_plain(p + 1) : short_number(p, &number);
    if (q && *p != '"')
        return q;
    return q && *q == '"' && q - p < FORMAT_MAXCELL ? q + 1 : json_value(p, slot->depth, &row->s);
}

const char *json_by_layout(struct json_row *row, const char *p)
{
    const struct json_slot *slot = row->j->slot, *last = slot + row->j->nslot;
    struct span *cell = row->cell;
    for (; p && slot < last; slot++) {
        if (!same_literal(slot, p, row->s.end))
            return NULL;
        p += slot->nliteral;
        switch (slot->kind) {
        case JSON_NUMBER:
            if (!take_number(row, slot->node, &p))
                p = take(row, slot, p);
            break;
        case JSON_TAKE:
            p = take(row, slot, p);
            break;
        case JSON_SKIP:
            p = skip(row, slot, p);
            break;
        case JSON_OPEN:
        case JSON_HERE:
            cell[slot->node->anchor] = (struct span){ (uint32_t)(p - row->b->text), 0 };
            break;
        case JSON_CLOSE:
            cell[slot->node->anchor].n = (uint32_t)(p - row->b->text) - cell[slot->node->anchor].at;
            break;
        case JSON_LAST:
            break;
        }
    }
    return p;
}
