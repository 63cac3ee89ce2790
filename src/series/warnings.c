/* Warnings for what the user can hardly have meant: times in another unit, rotations filtered as numbers,
 * missing cuts. A warning depends on the first rows of the series, never on how rows arrive. */
#include "series/chunk.h"

#include "base/array.h"
#include <math.h>
#include <stdlib.h>

enum {
    FIRST_STEPS = 3,
    MANY_GROUPS = 100000 /* groups of a stream after which --forget is proposed */
};

#define TOO_LONG 4.6  /* time scales of the filter in a step: 1 - exp(-4.6) is 99 % of a difference */
#define TOO_MANY 1e6  /* rows in which the filter hardly moves */
#define UNIT     1e-3 /* error of the length of a quaternion that is printed with three decimals */

struct messages *warnings_note(struct series *s, struct spot row, struct spot by, bool once)
{
    struct warnings *w = &s->warnings;
    struct note new = { row.block->firstrow + row.row, by.block->firstrow + by.row, once, { .say = NULL } };
    size_t at = w->nnote;
    if (!array_reserve(&w->note, w->nnote + 1, &w->maxnote, sizeof *w->note, NULL))
        return NULL;
    for (; at > 0 && w->note[at - 1].by > new.by; at--)
        w->note[at] = w->note[at - 1];
    w->note[at] = new;
    w->nnote++;
    return &w->note[at].text;
}

static void warn_of_steps(struct series *s, struct messages *to)
{
    struct warnings *w = &s->warnings;
    const struct filter *filter = s->c.filter;
    double scale = filter_time_scale(s->c.overrides->settings[0]);
    bool slow = w->shortest > TOO_LONG * scale;
    if (w->nstep == 0 || filter_automatic(filter, s->c.overrides->settings[0]) ||
        !(slow || w->longest * TOO_MANY < scale))
        return;
    messages_add(to, s->c.file,
                 "warning: the first time steps are %.3g s or %s, and %s takes %.3g s: it %s%s",
                 slow ? w->shortest : w->longest, slow ? "more" : "less", filter->name, scale,
                 slow ? "smooths next to nothing" : "hardly moves in a million rows",
                 s->c.in.rate != 0 ? "" : "; if the times are not in seconds, --time-unit says so");
}

void warnings_take_steps(struct series *s, const struct group *g, const struct chunk *c)
{
    struct warnings *w = &s->warnings;
    const double *T = s->steps.T + c->nheld;
    size_t n = c->n - c->nheld;
    double longest = INFINITY; /* the shortest of the longest steps of all settings */
    for (size_t i = 0; i < s->c.overrides->n; i++) {
        const struct filter_common *common = s->c.overrides->settings[i];
        longest = common->longest > 0 ? fmin(longest, common->longest) : longest;
    }
    for (size_t i = 0; i < n && g->eldest && w->nstep < FIRST_STEPS; i++) {
        if (!(T[i] > 0))
            continue;
        w->shortest = w->nstep && w->shortest < T[i] ? w->shortest : T[i];
        w->longest = w->nstep && w->longest > T[i] ? w->longest : T[i];
        struct spot at = { c->block, new_row(c, i) };
        if (++w->nstep == FIRST_STEPS)
            warn_of_steps(s, warnings_note(s, at, at, false));
    }
    for (size_t i = 0; isfinite(longest) && !w->diverged && i < steps_distinct(s, n); i++)
        if (T[i] > longest) {
            struct spot at = { c->block, new_row(c, i) };
            messages_add(warnings_note(s, at, at, true), s->c.file,
                         "warning: a step of %g s is longer than %g s: --method euler diverges", T[i],
                         longest);
            break;
        }
}

void warnings_take_group(struct series *s, const struct group *g, struct spot first)
{
    if (g->begun || !s->c.endless || s->groups.forget > 0 || ++s->warnings.ngroup != MANY_GROUPS)
        return;
    messages_add(warnings_note(s, first, first, false), s->c.file,
                 "warning: --group-by has met %d groups so far, and each takes memory until the input ends; "
                 "--forget S drops groups without rows for S seconds",
                 MANY_GROUPS);
}

/* Do the letters at the ends of four names say w or s (scalar), x, y and z? */
static bool named_so(const struct columns *t, size_t c)
{
    static const char letters[] = "wxyzWXYZsxyzSXYZ";
    unsigned seen = 0;
    for (size_t k = 0; k < 4; k++) {
        const struct column *column = columns_channel(t, c + k);
        const char *name = column->original ? column->original : column->name;
        size_t n = strlen(name);
        const char *at = n ? strchr(letters, name[n - 1]) : NULL;
        seen |= at ? 1U << (at - letters) % 4 : 0;
    }
    return seen == 15;
}

/* Are four neighbours of length 1 in all first rows, and named like a quaternion or all moved? */
static bool like_rotation(const struct series *s, size_t c)
{
    const struct warnings *w = &s->warnings;
    bool unit = w->nrow > 1, moved[4] = { false };
    for (size_t i = 0; unit && i < w->nrow; i++) {
        double square = 0;
        for (size_t k = 0; k < 4; k++) {
            double x = w->first[i * s->nchannel + c + k];
            square += rotations_of(s->c.in.rotations, c + k) ? (double)NAN : x * x;
            moved[k] |= x != w->first[c + k];
        }
        unit = fabs(sqrt(square) - 1) < UNIT;
    }
    return unit && (named_so(s->c.in.columns, c) || !memchr(moved, false, 4));
}

static void warn_of_rotations(struct series *s, struct messages *to)
{
    size_t found = 0, first = 0;
    for (size_t c = 0; c + 4 <= s->nchannel; c++)
        if (like_rotation(s, c)) {
            first = found++ ? first : c;
            c += 3;
        }
    if (found)
        messages_add(to, s->c.file,
                     "warning: \"%s\" and the three columns after it look like a quaternion, and are "
                     "filtered as plain numbers%s: --quaternions filters rotations",
                     columns_channel(s->c.in.columns, first)->name, found > 1 ? ", and so are others" : "");
}

/* Shows the notes of the block under way. */
static void say(struct series *s)
{
    struct warnings *w = &s->warnings;
    for (size_t i = 0; i < w->nnote; i++) {
        struct note *note = &w->note[i];
        if (note->row < s->end && !(note->once && w->diverged))
            messages_move(s->c.messages, &note->text);
        messages_free(&note->text);
        w->diverged |= note->once;
    }
    w->nnote = 0;
}

void warnings_take_rows(struct series *s, struct block *b)
{
    struct warnings *w = &s->warnings;
    size_t i = 0, n = s->nchannel;
    bool looked = w->nrow == WARNINGS_ROWS || s->c.numbers_meant;
    for (; !looked && i < b->nrow && b->firstrow + i < s->end && w->nrow < WARNINGS_ROWS; i++, w->nrow++)
        for (size_t c = 0; c < n; c++)
            w->first[w->nrow * n + c] = block_value(b, c)[i];
    if (!looked && w->nrow == WARNINGS_ROWS) {
        struct spot last = { b, i - 1 };
        warn_of_rotations(s, warnings_note(s, last, last, false));
    }
    say(s);
}

void warnings_finish(struct series *s)
{
    struct warnings *w = &s->warnings;
    if (w->nstep < FIRST_STEPS)
        warn_of_steps(s, s->c.messages);
    if (w->nrow < WARNINGS_ROWS)
        warn_of_rotations(s, s->c.messages);
    bool cuts = s->c.in.cuts->ncut > 0 || s->c.in.columns->cut != COLUMN_NONE || !isnan(s->c.detect) ||
                s->c.in.reader->joined;
    const struct filter_common *common = s->c.overrides->settings[0];
    if (common->passes && !cuts && !s->c.cleaned && s->c.overrides->n == 1 && s->count.gaps == 0 &&
        s->count.rows > 1)
        messages_add(s->c.messages, s->c.file, "warning: %s changes nothing here, as no cuts are given: %s",
                     s->c.filter->name, common->passes);
}

bool warnings_open(struct series *s, struct error *e)
{
    return arrays_make(e, ARRAY(s->warnings.first, WARNINGS_ROWS * s->nchannel));
}

void warnings_close(struct series *s)
{
    free(s->warnings.first);
    free(s->warnings.note);
}
