/* Whole series: held block by block, and filtered when no more rows come. See zero_phase.h.
 *
 * Group by group the rows are gathered, those of one time as one knot with the first valid value among them.
 * Then, channel by channel and rotation by rotation, the knots fall into runs, which are filtered (whole.h).
 */
#include "offline/zero_phase.h"

#include "base/text.h"
#include "offline/whole.h"

/* Refuses settings that bring the filter to rest with no steps at all; those of the input are not known. */
static bool rests(const struct filter *filter, const void *settings, struct error *e)
{
    if (!filter->rests || filter->rests(settings))
        return true;
    error_usage(e, "--zero-phase takes a filter that comes to rest, and with these settings it never does");
    return error_hint(e, "more damping brings it to rest, or with --method lerp a larger --factor");
}

bool zero_phase_check(const struct filter *filter, const void *settings, double start, bool overridden,
                      struct error *e)
{
    char names[128] = "";
    if (filter->linear && !filter->cuts) {
        if (isnan(start))
            return overridden || rests(filter, settings, e);
        error_usage(e, "--start has no meaning with --zero-phase, which comes to both ends from outside");
        return error_hint(e, "leave one of them out");
    }
    for (size_t i = 0; filter_list[i]; i++)
        if (filter_list[i]->linear && !filter_list[i]->cuts)
            text_append(names, sizeof names, "%s%s", names[0] ? ", " : "", filter_list[i]->name);
    error_usage(e, "--zero-phase takes a linear filter without cuts, and %s is none", filter->name);
    return error_hint(e, "these are: %s", names);
}

bool zero_phase_fits(const struct filter *filter, const struct overrides *overrides, const struct columns *t,
                     struct error *e)
{
    for (size_t i = 0; i < t->ncolumn; i++) {
        const struct column *c = &t->column[i];
        if (c->role == ROLE_CHANNEL && !rests(filter, overrides->settings[overrides->of[c->value]], e))
            return error_column(e, c->name);
    }
    return true;
}

static void filter_group(struct whole *w)
{
    const struct rotations *all = w->s->c.rotations;
    for (size_t c = 0; c < w->s->nchannel; c++)
        if (!rotations_of(all, c) && !series_leaves(w->s, c))
            whole_filter(w, &c, NULL);
    for (size_t i = 0; all && i < all->n; i++)
        if (!series_leaves(w->s, all->at[i].channel[0]))
            whole_filter(w, all->at[i].channel, &all->at[i]);
}

void zero_phase_filter(struct series *s)
{
    struct whole w = { 0 };
    struct error e;
    bool good = whole_open(&w, s, &e);
    for (struct group *g = s->groups.first; good && g; g = g->after) {
        good = whole_take_group(&w, g, &e);
        if (good)
            filter_group(&w);
    }
    if (!good && s->nblock > 0)
        series_fail(s, (struct spot){ s->block[0], 0 }, (struct spot){ s->block[0], 0 }, &e);
    whole_close(&w);
}
