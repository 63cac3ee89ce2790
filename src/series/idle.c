/* Idle channels: a gap that goes on changes nothing of them but the count of missing values. Where a block
 * tells that a channel has no cell in any row, an idle channel is passed over, so that records that lack the
 * members of a wide first record take no time for what they lack. A channel is idle in a gap when no run of
 * the filter is under way, or when the filter is at rest at the channel's goal (chunk.c: at_rest).
 * Invariant: states, counts and printed outputs are those of a series that passes no channel over. */
#include "series/chunk.h"

#include "base/array.h"
#include <stdlib.h>

enum { BITS = 64 }; /* channels in a word of group.idle */

bool idle_open(struct series *s, struct error *e)
{
    struct busy *busy = &s->busy;
    if (!arrays_make(e, ARRAY(busy->channel, s->nchannel)))
        return false;
    for (size_t c = 0; c < s->nchannel; c++)
        busy->channel[c] = c;
    busy->n = s->nchannel;
    busy->passes_over = s->c.cells_alone && !s->mode->holds && !s->ahead;
    return true;
}

void idle_close(struct series *s)
{
    free(s->busy.channel);
}

size_t idle_words(const struct series *s)
{
    return s->busy.passes_over ? s->nchannel / BITS + 1 : 0;
}

void idle_choose(struct series *s, struct group *g, const struct block *b)
{
    struct busy *busy = &s->busy;
    const struct present_cells *present = &b->present;
    if (g->nidle == 0 && busy->n == s->nchannel)
        return;
    busy->n = 0;
    for (size_t first = 0; first < s->nchannel; first += BITS) {
        uint64_t *idle = &g->idle[first / BITS];
        if (g->nidle == 0 || !present->known || b->ngoal > 0)
            *idle = 0;
        else
            *idle &= ~present->filled[first / BITS];
        for (size_t i = 0; i < BITS && first + i < s->nchannel && ~*idle >> i; i++)
            if (!(*idle >> i & 1))
                busy->channel[busy->n++] = first + i;
    }
    g->nidle = s->nchannel - busy->n;
}

void idle_find(struct series *s, struct group *g, const struct block *b)
{
    if (!s->busy.passes_over || !b->present.known || b->ngoal > 0)
        return;
    for (size_t i = 0; i < s->busy.n; i++) {
        size_t c = s->busy.channel[i];
        uint64_t *idle = &g->idle[c / BITS], bit = (uint64_t)1 << c % BITS;
        const struct channel *channel = &g->channel[c];
        bool number = s->c.in.rotations->period[c] == 0 && !chunk_apart(s, c);
        bool rests = !channel->live || (s->flags.missing[c] && s->out.rests[c]);
        if (*idle & bit || !number || !channel->gap || !rests || block_may_have(b, c))
            continue;
        *idle |= bit;
        g->nidle++;
    }
}
