/* What --verbose says about a job. See job_summary.h. */
#include "run/job_summary.h"

#include "base/text.h"
#include <stdio.h>

#define tell(chain, ...) messages_add((chain)->reader->messages, (chain)->reader->source->name, __VA_ARGS__)

void job_summary_note_vectors(const struct chain *chain)
{
    const struct rotations *q = chain_sized(chain);
    if (!q && filter_job_wants_changes(chain->config))
        q = &chain->link[chain->n - 1].rotations;
    if (!q && !isnan(chain->config->despike.factor))
        q = &chain->link[0].rotations;
    if (q && q->nvector > 0 && !chain->config->vectors && !chain->reader->part)
        tell(chain,
             "positions are vectors, whose lengths speeds, limits, cuts, spikes and changes take: --verbose "
             "names them, --vectors none takes each column by itself");
}

/* Prints a range of neighbouring channels that begins in column `first`. All channels of the range are
 * components of rotations, or no channel is. Returns the last column of the range. */
static size_t print_channels(const struct chain *chain, size_t first)
{
    const struct columns *t = &chain->reader->columns;
    const struct rotations *q = &chain->link[0].rotations;
    const struct rotation *from = rotations_of(q, t->column[first].value), *to = from;
    char rotation[300] = "";
    size_t last = first;
    for (const struct column *c = &t->column[first + 1]; c < t->column + t->ncolumn; c++, last++) {
        if (c->role != ROLE_CHANNEL || !rotations_of(q, c->value) != !from)
            break;
        to = rotations_of(q, c->value);
    }
    if (from)
        text_append(rotation, sizeof rotation, ", of the rotation%s \"%.100s\"", to == from ? "" : "s",
                    from->name);
    if (to != from)
        text_append(rotation, sizeof rotation, " to \"%.100s\"", to->name);
    if (first == last)
        tell(chain, "channel \"%s\" (column %zu)%s", t->column[first].name, first + 1, rotation);
    else
        tell(chain, "channels %zu-%zu: \"%s\" to \"%s\"%s", first + 1, last + 1, t->column[first].name,
             t->column[last].name, rotation);
    return last;
}

static void print_cleaned(const struct chain *chain, const struct column *c)
{
    struct clean_count n = chain->clean_count[c->value];
    char left[80] = "";
    if (n.unbridged)
        snprintf(left, sizeof left, ", %llu spike%s left as %s", (unsigned long long)n.unbridged,
                 error_plural(n.unbridged), n.unbridged == 1 ? "a gap" : "gaps");
    if (n.masked || n.spikes || n.filled || n.unbridged)
        tell(chain, "channel \"%s\": %llu value%s masked, %llu spike%s bridged, %llu gap%s filled%s", c->name,
             (unsigned long long)n.masked, error_plural(n.masked), (unsigned long long)n.spikes,
             error_plural(n.spikes), (unsigned long long)n.filled, error_plural(n.filled), left);
}

/* Names the vectors of the input. */
static void print_vectors(const struct chain *chain)
{
    const struct rotations *q = &chain->link[0].rotations;
    char to[120] = "";
    if (q->nvector == 0)
        return;
    if (q->nvector > 1)
        snprintf(to, sizeof to, " to \"%.100s\"", q->vector[q->nvector - 1].name);
    tell(chain, "%zu vector%s: \"%.100s\"%s", q->nvector, error_plural(q->nvector), q->vector[0].name, to);
}

static void print_parameters(const struct chain *chain)
{
    char line[PARAMETERS_LINE];
    for (const struct link *link = chain->link; link < chain->link + chain->n; link++)
        for (size_t set = 0; set < link->overrides.n; set++) {
            parameters_given(&link->overrides, set, line);
            tell(chain, "%s", line);
            if (parameters_equivalent(&link->overrides, set, line))
                tell(chain, "%s", line);
        }
}

void job_summary_print(const struct chain *chain)
{
    struct series_count n = chain_counted(chain);
    const struct columns *t = &chain->reader->columns;
    char time[200];
    print_parameters(chain);
    if (t->time == COLUMN_NONE)
        snprintf(time, sizeof time, "%.15g rows per second", chain->rate);
    else
        columns_describe_time(t, time, sizeof time);
    tell(chain, "%s, %zu column%s, time: %s", chain->reader->format->name, t->ncolumn,
         error_plural(t->ncolumn), time);
    if (!isnan(chain->config->resample))
        tell(chain, "resampled to %.15g rows per second", chain->config->resample);
    for (size_t i = 0; i < t->ncolumn; i++)
        if (t->column[i].role == ROLE_CHANNEL)
            i = print_channels(chain, i);
    print_vectors(chain);
    for (size_t i = 0; i < t->ncolumn; i++) {
        const struct column *c = &t->column[i];
        if (c->role == ROLE_CHANNEL && chain->clean)
            print_cleaned(chain, c);
        if (c->velocity != COLUMN_NONE)
            tell(chain, "velocity of \"%s\": column \"%s\"", c->name, t->column[c->velocity].name);
        if (c->reason == REASON_PARAMETER)
            tell(chain, "column \"%s\" is no channel: an option has its values from it", c->name);
    }
    tell(chain, "%llu row%s, %llu gap%s, %llu cut%s, %llu group%s", (unsigned long long)n.rows,
         error_plural(n.rows), (unsigned long long)n.gaps, error_plural(n.gaps), (unsigned long long)n.cuts,
         error_plural(n.cuts), (unsigned long long)n.groups, error_plural(n.groups));
}
