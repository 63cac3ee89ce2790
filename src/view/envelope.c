/* A curve in bounded memory: if all parts are full, each two of them become one. See envelope.h. */
#include "view/envelope.h"

#include <math.h>

static void merge(struct envelope_part *a, const struct envelope_part *b)
{
    a->gap |= b->gap;
    if (isnan(a->low) || b->low < a->low) {
        a->low = b->low;
        a->low_t = b->low_t;
    }
    if (isnan(a->high) || b->high > a->high) {
        a->high = b->high;
        a->high_t = b->high_t;
    }
}

static void halve(struct envelope *c)
{
    for (size_t i = 0; i < ENVELOPE_PARTS / 2; i++) {
        c->part[i] = c->part[2 * i];
        merge(&c->part[i], &c->part[2 * i + 1]);
    }
    c->npart = ENVELOPE_PARTS / 2;
    c->each *= 2;
    c->last = c->each;
}

void envelope_add(struct envelope *c, double t, double y)
{
    struct envelope_part row = { t, y, t, y, isnan(y) };
    if (c->npart == 0)
        c->each = c->last = 1;
    if (c->last == c->each && c->npart == ENVELOPE_PARTS)
        halve(c);
    if (c->last == c->each) {
        c->part[c->npart++] = row;
        c->last = 0;
    } else {
        merge(&c->part[c->npart - 1], &row);
    }
    c->last++;
}
