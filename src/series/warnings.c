/* Warnings for what the user can hardly have meant: times in another unit, rotations filtered as numbers,
 * cuts that are missing. Each goes by the first rows of the series, however they arrive. */
#include "series/chunk.h"

#include "base/array.h"

#include <math.h>
#include <stdlib.h>

enum { FIRST_STEPS = 3, FIRST_ROWS = 8 };

#define TOO_LONG 100  /* time scales of the filter in a step */
#define TOO_MANY 1e6  /* rows in which the filter hardly moves */
#define UNIT     1e-3 /* a quaternion of three decimals has its length to this */

static uint64_t number_of(struct spot at)
{
    return at.block->firstrow + at.row;
}

struct messages *warnings_note(struct series *s, struct spot row, struct spot by)
{
    struct warnings *w = &s->warnings;
    if (!array_reserve(&w->note, w->nnote + 1, &w->maxnote, sizeof *w->note, NULL))
        return NULL;
    w->note[w->nnote] = (struct note){ .row = number_of(row), .by = number_of(by), .order = w->nnote };
    return &w->note[w->nnote++].text;
}

static int by_row(const void *p, const void *q)
{
    const struct note *a = p, *b = q;
    return a->by != b->by ? (a->by < b->by ? -1 : 1) : a->order < b->order ? -1 : 1;
}

void warnings_say(struct series *s)
{
    struct warnings *w = &s->warnings;
    if (w->nnote == 0)
        return;
    qsort(w->note, w->nnote, sizeof *w->note, by_row);
    for (size_t i = 0; i < w->nnote; i++)
        if (w->note[i].row < s->end)
            messages_move(s->c.messages, &w->note[i].text);
        else
            messages_free(&w->note[i].text);
    w->nnote = 0;
    w->diverged = w->diverging > 0;
}

static void warn_of_steps(struct series *s, struct messages *to)
{
    struct warnings *w = &s->warnings;
    const struct filter *filter = s->c.filter;
    double scale = filter_time_scale(filter, s->c.overrides->settings[0]);
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

/* Of the rows of a block the first one counts, in whatever order its groups are taken. */
static void warn_of_divergence(struct series *s, struct spot at, double T)
{
    struct warnings *w = &s->warnings;
    const struct overrides *o = s->c.overrides;
    char text[256];
    if (w->diverging && number_of(at) >= w->note[w->diverging - 1].row)
        return;
    for (size_t i = 0; i < o->n; i++) {
        if (!s->c.filter->warn(o->settings[i], T, text, sizeof text))
            continue;
        struct messages *to = warnings_note(s, at, at);
        if (to && w->diverging)
            messages_free(&w->note[w->diverging - 1].text);
        w->diverging = to ? w->nnote : w->diverging;
        messages_add(to, s->c.file, "warning: %s", text);
        return;
    }
}

void warnings_take_steps(struct series *s, const struct group *g, const struct group_rows *r, const double *T,
                         size_t n)
{
    struct warnings *w = &s->warnings;
    w->group = w->group ? w->group : g;
    for (size_t i = 0; i < n && w->group == g && w->nstep < FIRST_STEPS; i++) {
        if (!(T[i] > 0))
            continue;
        w->shortest = w->nstep && w->shortest < T[i] ? w->shortest : T[i];
        w->longest = w->nstep && w->longest > T[i] ? w->longest : T[i];
        struct spot at = { r->block, group_row(r, i) };
        if (++w->nstep == FIRST_STEPS)
            warn_of_steps(s, warnings_note(s, at, at));
    }
    for (size_t i = 0; s->c.filter->warn && !w->diverged && i < steps_distinct(&s->steps, n); i++)
        if (T[i] > 0 && (i == 0 || T[i] != T[i - 1]))
            warn_of_divergence(s, (struct spot){ r->block, group_row(r, i) }, T[i]);
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

/* Looks for four neighbours of length 1 in all first rows that are named like a quaternion, or all moved. */
static void warn_of_rotations(struct series *s, struct messages *to)
{
    struct warnings *w = &s->warnings;
    size_t found = 0, first = 0;
    w->decided = true;
    for (size_t c = 0; c + 4 <= s->nchannel && w->unit && w->nrow > 1; c++)
        if (w->unit[c] == w->nrow && (named_so(s->c.in.columns, c) || !memchr(w->moved + c, false, 4))) {
            first = found++ ? first : c;
            c += 3;
        }
    if (found)
        messages_add(to, s->c.file,
                     "warning: \"%s\" and the three columns after it look like a quaternion, and are "
                     "filtered as plain numbers%s: --quaternions filters rotations",
                     columns_channel(s->c.in.columns, first)->name, found > 1 ? ", and so are others" : "");
}

void warnings_take_rows(struct series *s, struct block *b)
{
    struct warnings *w = &s->warnings;
    if (w->decided || s->c.numbers_meant)
        return;
    struct error none; /* without memory there is no warning */
    if (!w->unit && s->nchannel >= 4 &&
        !arrays_make(&none, ARRAY(w->unit, s->nchannel), ARRAY(w->first, s->nchannel),
                     ARRAY(w->moved, s->nchannel)))
        w->unit = NULL;
    size_t i = 0;
    for (; i < b->nrow && b->firstrow + i < s->end && w->nrow < FIRST_ROWS && w->unit; i++, w->nrow++)
        for (size_t c = 0; c < s->nchannel; c++) {
            double square = 0, x = block_value(b, c)[i];
            for (size_t k = c; k < c + 4; k++)
                square += k < s->nchannel && !rotations_of(s->c.in.rotations, k)
                              ? block_value(b, k)[i] * block_value(b, k)[i]
                              : (double)NAN;
            w->unit[c] += fabs(sqrt(square) - 1) < UNIT;
            w->first[c] = w->nrow ? w->first[c] : x;
            w->moved[c] |= x != w->first[c];
        }
    if (w->nrow == FIRST_ROWS) {
        struct spot last = { b, i - 1 };
        warn_of_rotations(s, warnings_note(s, last, last));
    }
}

void warnings_finish(struct series *s)
{
    struct warnings *w = &s->warnings;
    const struct filter *filter = s->c.filter;
    if (w->nstep < FIRST_STEPS)
        warn_of_steps(s, s->c.messages);
    if (!w->decided && !s->c.numbers_meant)
        warn_of_rotations(s, s->c.messages);
    bool cuts = s->c.in.cuts->ncut > 0 || s->c.in.columns->cut != COLUMN_NONE || !isnan(s->c.detect);
    const char *way_out = filter->passes && !cuts && !s->c.cleaned && s->c.overrides->n == 1 &&
                                  s->count.gaps == 0 && s->count.rows > 1
                              ? filter->passes(s->c.overrides->settings[0])
                              : NULL;
    if (way_out)
        messages_add(s->c.messages, s->c.file, "warning: %s changes nothing here, as no cuts are given: %s",
                     filter->name, way_out);
}
