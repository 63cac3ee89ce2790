/* Idle channels. Records that lack the members of a wide first record take no time for what they lack: where
 * a block tells that a channel has no cell in any of its rows, an idle channel is passed over. A channel is
 * idle in a gap when no run of the filter is under way, or when the filter is at rest (chunk.c: at_rest,
 * stands_still): as long as the gap goes on, only the channel's count of missing values changes. The other
 * channels are busy. Invariant: states, counts and printed outputs do not depend on whether idle
 * channels are passed over. */
#include "series/streamed.h"

#include "base/array.h"
#include <stdlib.h>

enum { BITS = 64 }; /* channels in a word of group.idle */

bool idle_open(struct series *series, struct error *e)
{
    struct streamed *streamed = streamed_of(series);
    struct channel_list *busy = &streamed->busy;
    if (!arrays_make(e, ARRAY(busy->channel, series->nchannel)))
        return false;
    for (size_t c = 0; c < series->nchannel; c++)
        busy->channel[c] = c;
    busy->n = series->nchannel;
    streamed->passes_over = series->config.only_own_cells && !streamed->ahead;
    return true;
}

void idle_close(struct series *series)
{
    free(streamed_of(series)->busy.channel);
}

size_t idle_words(const struct series *series)
{
    return streamed_of(series)->passes_over ? series->nchannel / BITS + 1 : 0;
}

void idle_choose(struct series *series, struct group *group, const struct block *block)
{
    struct channel_list *busy = &streamed_of(series)->busy;
    const struct present_cells *present = &block->present;
    if (group->nidle == 0 && busy->n == series->nchannel)
        return;
    busy->n = 0;
    for (size_t first = 0; first < series->nchannel; first += BITS) {
        uint64_t *idle = &group->idle[first / BITS];
        if (group->nidle == 0 || !present->known || block->ngoal > 0)
            *idle = 0;
        else
            *idle &= ~present->has_cell[first / BITS];
        for (size_t i = 0; i < BITS && first + i < series->nchannel && ~*idle >> i; i++)
            if (!(*idle >> i & 1))
                busy->channel[busy->n++] = first + i;
    }
    group->nidle = series->nchannel - busy->n;
}

void idle_find(struct series *series, struct group *group, const struct block *block)
{
    const struct streamed *streamed = streamed_of(series);
    if (!streamed->passes_over || !block->present.known || block->ngoal > 0)
        return;
    for (size_t i = 0; i < streamed->busy.n; i++) {
        size_t c = streamed->busy.channel[i];
        uint64_t *idle = &group->idle[c / BITS], bit = (uint64_t)1 << c % BITS;
        const struct channel *channel = &group->channel[c];
        bool number = series->config.in.rotations->period[c] == 0 && !chunk_apart(series, c);
        bool rests = !channel->running || (streamed->targets.missing[c] && streamed->out.rests[c]);
        if (*idle & bit || !number || !channel->gap || !rests || block_may_have(block, c))
            continue;
        *idle |= bit;
        group->nidle++;
    }
}
