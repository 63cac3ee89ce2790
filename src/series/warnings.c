/* Warnings for what the user can hardly have meant: times in another unit, missing cuts; and when warnings
 * are shown. A warning depends on the rows, never on how rows arrive. Warnings about columns:
 * column_warnings.c; about what auto chose: held/whole_series.c. */
#include "series/series_state.h"

#include "base/array.h"
#include "base/text.h"
#include "formats/time_watch.h"
#include "springs/cutoff.h"
#include "springs/filter_words.h"
#include "springs/spring_step.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_STEPS = 3 };

#define TOO_LONG 4.6  /* time scales of the filter in a step: 1 - exp(-4.6) is 99 % of a difference */
#define EVEN     1e-9 /* relative difference of steps that are even */
#define TOO_MANY 1e6  /* rows where the filter hardly moves */

struct messages *warnings_note(struct series *series, struct spot row, struct spot by, enum note_kind kind)
{
    struct warnings *warnings = &series->warnings;
    struct note new = { row.block->firstrow + row.row, by.block->firstrow + by.row, kind, { .say = NULL } };
    size_t at = warnings->nnote;
    if (!array_reserve(&warnings->note, warnings->nnote + 1, &warnings->maxnote, sizeof *warnings->note,
                       NULL))
        return NULL;
    for (; at > 0 && warnings->note[at - 1].by > new.by; at--)
        warnings->note[at] = warnings->note[at - 1];
    warnings->note[at] = new;
    warnings->nnote++;
    return &warnings->note[at].text;
}

/* What to try where nothing says the unit of the times. */
static const char *unit_hint(const struct series *series)
{
    const struct warnings *warnings = &series->warnings;
    const bool counted = warnings->shortest == 1 && warnings->longest == 1;
    const struct column_plan *plan = series->config.in.plan;
    if (series->config.in.rate > 0 || plan->time == COLUMN_NONE || plan->unit_reason != UNIT_ASSUMED ||
        family_states_seconds(series->config.in.reader->format->family))
        return "";
    return counted ? "; if the times count frames, add --time-unit frames --rate HZ"
                   : "; if the times are not in seconds, try --time-unit ms";
}

/* A value of an option of seconds or hertz, with which the time scale of the filter is three steps long, to
 * one digit; 0: the option does not set the time scale. */
static double fitting_value(const struct series_config *config, const struct param *option, double step)
{
    enum { STEPS = 3 };
    const struct filter *filter = config->filter;
    const void *given = config->settings;
    double value, fitting = 0;
    const bool hertz = option->value && strcmp(option->value, "HZ") == 0;
    const bool seconds = option->value && strcmp(option->value, "S") == 0;
    memcpy(&value, (const char *)given + option->offset, sizeof value);
    char *copy = option->kind == PARAM_NUMBER && (hertz || seconds) && value > 0
                     ? malloc(filter->settings_size)
                     : NULL;
    if (!copy)
        return 0;
    const double longer = STEPS * step / filter_time_scale(given);
    const double exact = seconds ? value * longer : value / longer;
    const double digit = pow(10, floor(log10(exact)));
    const double rounded = round(exact / digit) * digit;
    struct error ignored = { 0 };
    memcpy(copy, given, filter->settings_size);
    param_set_number(option, copy, rounded);
    if (filter_check(filter, copy, config->zero_phase, &ignored)) {
        const double scale = filter_time_scale(copy);
        fitting = scale > step && scale < 2 * STEPS * step ? rounded : 0;
    }
    free(copy);
    return fitting;
}

/* How the value of an option of seconds or hertz is too much or too little. */
static const char *too_what(const struct param *option, bool fast)
{
    if (strcmp(option->value, "S") == 0)
        return fast ? "short" : "long";
    return fast ? "high" : "low";
}

/* Warns that the filter is too fast or too slow for the steps, by the option that sets its time scale. */
static void warn_of_scale(const struct series *series, struct messages *to, bool fast)
{
    const struct series_config *config = &series->config;
    const void *settings = config->settings;
    const double step = fast ? series->warnings.shortest : series->warnings.longest;
    const char *effect = fast ? "next to nothing is smoothed" : "the output hardly moves";
    for (size_t i = 0; i < config->filter->nparam; i++) {
        const struct param *option = &config->filter->params[i];
        const double fitting = fitting_value(config, option, step);
        double value;
        if (fitting == 0)
            continue;
        memcpy(&value, (const char *)settings + option->offset, sizeof value);
        messages_add(to, config->file,
                     "warning: --%s %g is too %s for rows %.3g s apart: %s; try --%s %.3g%s", option->name,
                     value, too_what(option, fast), step, effect, option->name, fitting, unit_hint(series));
        return;
    }
    messages_add(to, config->file, "warning: time constant %.3g s is far %s the time step (%.3g s): %s%s",
                 filter_time_scale(settings), fast ? "below" : "above", step, effect, unit_hint(series));
}

static void warn_of_steps(struct series *series, struct messages *to)
{
    struct warnings *warnings = &series->warnings;
    const void *settings = series->config.settings;
    const double scale = filter_time_scale(settings);
    const double cutoff = ((const struct filter_common *)settings)->cutoff;
    const bool fast = warnings->shortest > TOO_LONG * scale;
    if (warnings->nstep == 0)
        return;
    if (cutoff * warnings->shortest > 0.5) {
        if (series_has_steps(series)) /* a smoother refuses the cutoff */
            messages_add(to, series->config.file,
                         "warning: --cutoff %g is above the Nyquist frequency, %.4g Hz (half the row rate); "
                         "try --cutoff %.4g%s%s",
                         cutoff, 0.5 / warnings->shortest, cutoff_example(1 / warnings->shortest),
                         series->config.keyed ? ", or leave out sparse channels with --exclude" : "",
                         unit_hint(series));
    } else if (!filter_automatic(settings) && (fast || warnings->longest * TOO_MANY < scale)) {
        warn_of_scale(series, to, fast);
    }
}

static void take_steps(struct series *series, const struct filter_group *group, const struct chunk *chunk)
{
    struct warnings *warnings = &series->warnings;
    const double *T = series->T + chunk->nwaiting;
    size_t n = chunk->n - chunk->nwaiting;
    const struct filter_common *common = series->config.settings;
    double longest = INFINITY;
    if (common->longest > 0)
        longest = common->longest;
    for (size_t i = 0; i < n && group->group->number == 0 && warnings->nstep < FIRST_STEPS; i++) {
        if (!(T[i] > 0))
            continue;
        warnings->shortest = warnings->nstep && warnings->shortest < T[i] ? warnings->shortest : T[i];
        warnings->longest = warnings->nstep && warnings->longest > T[i] ? warnings->longest : T[i];
        struct spot at = { chunk->block, new_row(chunk, i) };
        if (++warnings->nstep == FIRST_STEPS)
            warn_of_steps(series, warnings_note(series, at, at, NOTE_EACH));
    }
    for (size_t i = 0; i < n && series->config.verbose && series_has_steps(series); i++)
        if (T[i] > 0) {
            steps_taken_add(&series->taken, T[i], T[i]);
            series->taken.sum += T[i];
            series->taken.n++;
        }
    for (size_t i = 0; isfinite(longest) && !warnings->shown[NOTE_DIVERGES] && i < steps_distinct(series, n);
         i++)
        if (T[i] > longest) {
            struct spot at = { chunk->block, new_row(chunk, i) };
            messages_add(warnings_note(series, at, at, NOTE_DIVERGES), series->config.file,
                         "warning: --method euler diverges: this time step of %g s is longer than %g s", T[i],
                         longest);
            break;
        }
}

void warnings_take_chunk(struct series *series, const struct filter_group *group, const struct chunk *chunk)
{
    take_steps(series, group, chunk);
    column_warnings_take(series, group, chunk);
}

/* Shows the notes of the block under way. */
static void say(struct series *series)
{
    struct warnings *warnings = &series->warnings;
    for (size_t i = 0; i < warnings->nnote; i++) {
        struct note *note = &warnings->note[i];
        bool due = note->row <
                   series->operator.end && !(note->kind != NOTE_EACH && warnings->shown[note->kind]);
        if (due) {
            messages_move(series->config.messages, &note->text, NULL);
            warnings->shown[note->kind] = true;
        }
        messages_free(&note->text);
    }
    warnings->nnote = 0;
}

void warnings_take_rows(struct series *series, struct block *block)
{
    struct warnings *warnings = &series->warnings;
    size_t last = block->nrow;
    bool looked = warnings->nrow == WARNINGS_ROWS;
    for (size_t i = 0; !looked && i < block->nrow &&
                       block->firstrow + i < series->operator.end && warnings->nrow<WARNINGS_ROWS;
         i++) {
        if (!block_row_read(block, i))
            continue;
        for (size_t c = 0; c < series->nchannel; c++)
            warnings->first[warnings->nrow * series->nchannel + c] = block_value(block, c)[i];
        warnings->nrow++;
        last = i;
    }
    if (!looked && warnings->nrow == WARNINGS_ROWS) {
        struct spot row = { block, last };
        column_warnings_of_first(series, warnings_note(series, row, row, NOTE_EACH));
    }
    for (size_t i = 0;
         time_watch_wants(warnings->times) && i < block->nrow && block->firstrow + i < series->operator.end;
         i++) {
        struct spot row = { block, i };
        time_watch_take(warnings->times, block, i);
        if (!time_watch_wants(warnings->times))
            time_watch_judge(warnings->times, warnings_note(series, row, row, NOTE_EACH));
    }
    say(series);
}

/* The choice of --hold; HOLD_NOT_GIVEN also where the filter has no such option. */
static int hold_of(const struct series *series)
{
    const struct param *option = filter_option(series->config.filter, "hold");
    int hold = HOLD_NOT_GIVEN;
    if (option)
        memcpy(&hold, (const char *)series->config.settings + option->offset, sizeof hold);
    return hold;
}

static void warn_of_hold(const struct series *series)
{
    if (hold_of(series) != HOLD_NOT_GIVEN && !series_has_steps(series))
        messages_add(series->config.messages, series->config.file,
                     "warning: --hold has no effect with --zero-phase: the curve has no steps between rows");
}

/* --verbose: the motion of the goal, the time steps, and where the gain is -3 dB with --cutoff. Nothing once
 * the filter has refused a row: which groups were filtered before that depends on how the rows arrived. */
static void say_steps(const struct series *series)
{
    if (series->operator.end != UINT64_MAX)
        return;
    const struct param *option = filter_option(series->config.filter, "hold");
    const struct steps_taken *taken = &series->taken;
    bool even = taken->longest - taken->shortest <= EVEN * taken->longest;
    double cutoff = ((const struct filter_common *)series->config.settings)->cutoff;
    char line[200] = "";
    if (!series->config.verbose || !taken->any || (!(cutoff > 0) && series_has_steps(series)))
        return;
    if (option && series_has_steps(series)) {
        int hold = hold_of(series);
        text_append(line, sizeof line, ", hold %s",
                    option->choices[hold == HOLD_NOT_GIVEN ? HOLD_STEP : hold]);
    }
    if (even)
        text_append(line, sizeof line, ", time steps even, %.6g s", taken->shortest);
    else if (!series->config.points)
        text_append(line, sizeof line, ", time steps uneven, %.6g to %.6g s", taken->shortest,
                    taken->longest);
    if (cutoff > 0 && !filter_automatic(series->config.settings) &&
        cutoff * taken->longest < CUTOFF_MOST_OF_RATE)
        text_append(line, sizeof line, ", -3 dB at %.6g Hz", cutoff);
    if (line[0])
        messages_add(series->config.messages, series->config.file, "%s", line + strlen(", "));
}

void warnings_finish(struct series *series)
{
    struct warnings *warnings = &series->warnings;
    say_steps(series);
    warn_of_hold(series);
    if (warnings->nstep < FIRST_STEPS)
        warn_of_steps(series, series->config.messages);
    if (warnings->nrow < WARNINGS_ROWS)
        column_warnings_of_first(series, series->config.messages);
    column_warnings_finish(series);
    if (warnings->times)
        time_watch_judge(warnings->times, series->config.messages);
    bool cuts = series->config.in.cuts->ncut > 0 || series->config.in.plan->cut != COLUMN_NONE ||
                !isnan(series->config.detect);
    const struct filter_common *common = series->config.settings;
    if (common->needs_cuts && !cuts && !series->config.cleaned &&
        series->count.gaps == 0 && series->count.rows > 1)
        messages_add(series->config.messages, series->config.file,
                     "warning: %s changes nothing without cuts: give %s", series->config.filter->name,
                     series->config.filter->words->without_cuts);
}

bool warnings_open(struct series *series, struct error *e)
{
    struct warnings *warnings = &series->warnings;
    if (!arrays_make(e, ARRAY(warnings->first, WARNINGS_ROWS * series->nchannel)) ||
        !column_warnings_open(series, e))
        return false;
    warnings->times = time_watch_make(series->config.in.reader, series->config.in.rate, e);
    return warnings->times != NULL;
}

void warnings_close(struct series *series)
{
    free(series->warnings.first);
    column_warnings_close(series);
    time_watch_free(series->warnings.times);
    free(series->warnings.note);
}
