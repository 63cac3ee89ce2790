/* Warnings for what the user can hardly have meant: times in another unit, missing cuts; and when warnings
 * are shown. A warning depends on the rows, never on how rows arrive. Warnings about columns:
 * column_warnings.c. */
#include "series/chunk.h"

#include "base/array.h"
#include "base/text.h"
#include "springs/cutoff.h"
#include "springs/spring_step.h"
#include <math.h>
#include <stdlib.h>

enum {
    FIRST_STEPS = 3,
    MANY_GROUPS = 100000 /* groups of a stream after which --forget is proposed */
};

#define TOO_LONG 4.6  /* time scales of the filter in a step: 1 - exp(-4.6) is 99 % of a difference */
#define EVEN     1e-9 /* relative difference of steps that are even */
#define TOO_MANY 1e6  /* rows in which the filter hardly moves */

struct messages *warnings_note(struct series *s, struct spot row, struct spot by, enum note_kind kind)
{
    struct warnings *w = &s->warnings;
    struct note new = { row.block->firstrow + row.row, by.block->firstrow + by.row, kind, { .say = NULL } };
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
    double cutoff = ((const struct filter_common *)s->c.overrides->settings[0])->cutoff;
    if (w->nstep > 0 && cutoff * w->shortest > 0.5 && !s->mode->holds)
        messages_add(
            to, s->c.file,
            "warning: --cutoff %g: above half of the row rate, %.4g Hz by the first time steps, rows "
            "show no waves",
            cutoff, 0.5 / w->shortest);
    bool assumed = s->c.in.rate == 0 && s->c.in.columns->unit_reason == UNIT_ASSUMED;
    if (w->nstep == 0 || filter_automatic(filter, s->c.overrides->settings[0]) ||
        !(slow || w->longest * TOO_MANY < scale))
        return;
    messages_add(to, s->c.file,
                 "warning: the first time steps are %.3g s or %s, and %s takes %.3g s: it %s%s",
                 slow ? w->shortest : w->longest, slow ? "more" : "less", filter->name, scale,
                 slow ? "smooths next to nothing" : "hardly moves in a million rows",
                 assumed ? "; if the times are not in seconds, --time-unit says so" : "");
}

void warnings_take_steps(struct series *s, const struct group *g, const struct chunk *chunk)
{
    struct warnings *w = &s->warnings;
    const double *T = s->steps.T + chunk->nheld;
    size_t n = chunk->n - chunk->nheld;
    double longest = INFINITY; /* the shortest of the longest steps of all settings */
    for (size_t i = 0; i < s->c.overrides->n; i++) {
        const struct filter_common *common = s->c.overrides->settings[i];
        if (common->longest > 0 && !filter_from_columns(common))
            longest = fmin(longest, common->longest);
    }
    for (size_t i = 0; i < n && g->eldest && w->nstep < FIRST_STEPS; i++) {
        if (!(T[i] > 0))
            continue;
        w->shortest = w->nstep && w->shortest < T[i] ? w->shortest : T[i];
        w->longest = w->nstep && w->longest > T[i] ? w->longest : T[i];
        struct spot at = { chunk->block, new_row(chunk, i) };
        if (++w->nstep == FIRST_STEPS)
            warn_of_steps(s, warnings_note(s, at, at, NOTE_EACH));
    }
    for (size_t i = 0; i < n && s->c.verbose && !s->mode->holds; i++)
        if (T[i] > 0)
            steps_taken_add(&s->taken, T[i], T[i]);
    for (size_t i = 0; isfinite(longest) && !w->shown[NOTE_DIVERGES] && i < steps_distinct(s, n); i++)
        if (T[i] > longest) {
            struct spot at = { chunk->block, new_row(chunk, i) };
            messages_add(warnings_note(s, at, at, NOTE_DIVERGES), s->c.file,
                         "warning: a step of %g s is longer than %g s: --method euler diverges", T[i],
                         longest);
            break;
        }
}

void warnings_take_group(struct series *s, const struct group *g, struct spot first)
{
    if (g->begun || !s->c.endless || s->groups.forget > 0 || ++s->warnings.ngroup != MANY_GROUPS)
        return;
    messages_add(warnings_note(s, first, first, NOTE_EACH), s->c.file,
                 "warning: --group-by has met %d groups so far, and each takes memory until the input ends; "
                 "--forget S drops groups without rows for S seconds",
                 MANY_GROUPS);
}

/* Shows the notes of the block under way. */
static void say(struct series *s)
{
    struct warnings *w = &s->warnings;
    for (size_t i = 0; i < w->nnote; i++) {
        struct note *note = &w->note[i];
        bool due = note->row < s->end && !(note->kind != NOTE_EACH && w->shown[note->kind]);
        if (due) {
            messages_move(s->c.messages, &note->text);
            w->shown[note->kind] = true;
        }
        messages_free(&note->text);
    }
    w->nnote = 0;
}

void warnings_take_rows(struct series *s, struct block *b)
{
    struct warnings *w = &s->warnings;
    size_t last = b->nrow;
    bool looked = w->nrow == WARNINGS_ROWS || !s->c.first;
    for (size_t i = 0; !looked && i < b->nrow && b->firstrow + i < s->end && w->nrow < WARNINGS_ROWS; i++) {
        if (!block_row_read(b, i))
            continue;
        for (size_t c = 0; c < s->nchannel; c++)
            w->first[w->nrow * s->nchannel + c] = block_value(b, c)[i];
        w->nrow++;
        last = i;
    }
    if (!looked && w->nrow == WARNINGS_ROWS) {
        struct spot row = { b, last };
        column_warnings_of_first(s, warnings_note(s, row, row, NOTE_EACH));
    }
    say(s);
}

/* --verbose: the motion of the goal, the time steps, and where the gain is -3 dB with --cutoff. */
static void say_steps(const struct series *s)
{
    const struct filter *filter = s->c.filter;
    const struct steps_taken *taken = &s->taken;
    bool even = taken->longest - taken->shortest <= EVEN * taken->longest;
    for (size_t i = 0; i < s->c.overrides->n && s->c.verbose && taken->any; i++) {
        const void *settings = s->c.overrides->settings[i];
        double cutoff = ((const struct filter_common *)settings)->cutoff;
        char line[200] = "";
        if (!(cutoff > 0) && !s->mode->holds)
            continue;
        for (size_t k = 0; k < filter->nparam; k++) {
            int hold = HOLD_STEP;
            if (strcmp(filter->params[k].name, "hold") != 0)
                continue;
            memcpy(&hold, (const char *)settings + filter->params[k].offset, sizeof hold);
            if (hold == HOLD_NOT_GIVEN)
                hold = taken->moving ? HOLD_LINEAR : HOLD_STEP;
            text_append(line, sizeof line, "hold %s, ", hold_names[hold]);
        }
        if (even)
            text_append(line, sizeof line, "time steps even, %.6g s", taken->shortest);
        else
            text_append(line, sizeof line, "time steps uneven, %.6g to %.6g s", taken->shortest,
                        taken->longest);
        if (cutoff > 0 && cutoff * taken->longest < CUTOFF_MOST_OF_RATE)
            text_append(line, sizeof line, ", -3 dB at %.6g Hz", cutoff);
        messages_add(s->c.messages, s->c.file, "%s", line);
    }
}

void warnings_finish(struct series *s)
{
    struct warnings *w = &s->warnings;
    say_steps(s);
    if (w->nstep < FIRST_STEPS)
        warn_of_steps(s, s->c.messages);
    if (w->nrow < WARNINGS_ROWS && s->c.first)
        column_warnings_of_first(s, s->c.messages);
    column_warnings_finish(s);
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
    return arrays_make(e, ARRAY(s->warnings.first, WARNINGS_ROWS * s->nchannel)) &&
           column_warnings_open(s, e);
}

void warnings_close(struct series *s)
{
    free(s->warnings.first);
    column_warnings_close(s);
    free(s->warnings.note);
}
