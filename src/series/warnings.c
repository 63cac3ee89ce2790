/* Warnings by the first rows. See warnings.h. */
#include "series/warnings.h"

#include "base/array.h"
#include "base/text.h"
#include "formats/time_watch.h"
#include "springs/cutoff.h"
#include "springs/filter_words.h"
#include "springs/spring_step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_STEPS = 3,
    JUDGED_ROWS = 20 /* the fewest rows of a take that is called too short for an option */
};

#define TOO_LONG 4.6  /* time scales of the filter in a step: 1 - exp(-4.6) is 99 % of a difference */
#define EVEN     1e-9 /* relative difference of steps that are even */
#define ROUNDED  0.1  /* relative difference of steps that are even but for rounding, as of 16 and 17 ms */
#define TOO_MANY 1e6  /* rows where the filter hardly moves */

/* A step between two rows in which a channel wraps. */
struct wrap {
    uint64_t row; /* number of the row; UINT64_MAX: it has not wrapped */
    double before, after, period;
};

#define say(warnings, ...) reader_tell((warnings)->core->input.reader, __VA_ARGS__)

static const char *name_of(const struct warnings *warnings, size_t channel)
{
    return table_channel(warnings->core->input.table, channel)->name;
}

/* --- steps --- */

static void step_range_add(struct step_range *range, double T)
{
    range->shortest = range->n > 0 ? fmin(range->shortest, T) : T;
    range->longest = range->n > 0 ? fmax(range->longest, T) : T;
    range->sum += T;
    range->n++;
}

/* What to try where nothing says the unit of the times. */
static const char *unit_hint(const struct warnings *warnings)
{
    const struct step_range *first = &warnings->first;
    const struct series_rows *input = &warnings->core->input;
    if (input->rate > 0 || input->table->time == COLUMN_NONE || input->table->unit_reason != UNIT_ASSUMED ||
        family_states_seconds(input->reader->format->family))
        return "";
    return first->shortest == 1 && first->longest == 1
               ? "; if the times count frames, add --time-unit frames --rate HZ"
               : "; if the times are not in seconds, try --time-unit ms";
}

/* A value of an option of seconds or hertz, with which the time scale of the filter is three steps long, to
 * one digit; 0: the option does not set the time scale. */
static double fitting_value(const struct warnings *warnings, const struct param *option, double step)
{
    enum { STEPS = 3 };
    const struct filter *filter = warnings->core->filter;
    const void *given = warnings->core->settings;
    const bool hertz = option->value && strcmp(option->value, "HZ") == 0;
    const bool seconds = option->value && strcmp(option->value, "S") == 0;
    struct filter_room room;
    struct error ignored = { 0 };
    double value;
    memcpy(&value, (const char *)given + option->offset, sizeof value);
    if (option->kind != PARAM_NUMBER || !(hertz || seconds) || !(value > 0))
        return 0;
    const double longer = STEPS * step / filter_time_scale(given);
    const double exact = seconds ? value * longer : value / longer;
    const double digit = pow(10, floor(log10(exact)));
    const double rounded = round(exact / digit) * digit;
    memcpy(room.settings, given, filter->settings_size);
    param_set_number(option, room.settings, rounded);
    if (!filter_check(filter, room.settings, warnings->config.zero_phase, &ignored))
        return 0;
    const double scale = filter_time_scale(room.settings);
    return scale > step && scale < 2 * STEPS * step ? rounded : 0;
}

/* How the value of an option of seconds or hertz is too much or too little. */
static const char *too_what(const struct param *option, bool fast)
{
    if (strcmp(option->value, "S") == 0)
        return fast ? "short" : "long";
    return fast ? "high" : "low";
}

/* Warns that the filter is too fast or too slow for the rows, by the option that sets its time scale. */
static void warn_of_scale(const struct warnings *warnings, bool fast, bool whole)
{
    const struct filter *filter = warnings->core->filter;
    const void *settings = warnings->core->settings;
    const double step = fast ? warnings->first.shortest : warnings->first.longest;
    const char *effect = fast ? "next to nothing is smoothed" : "the output hardly moves";
    char length[40] = "";
    if (whole && !fast)
        text_append(length, sizeof length, ", %.3g s in all", warnings->span);
    for (size_t i = 0; i < filter->nparam; i++) {
        const struct param *option = &filter->params[i];
        const double fitting = fitting_value(warnings, option, step);
        double value;
        if (fitting == 0)
            continue;
        memcpy(&value, (const char *)settings + option->offset, sizeof value);
        say(warnings, "warning: --%s %g is too %s for rows %.3g s apart%s: %s; try --%s %.3g%s", option->name,
            value, too_what(option, fast), step, length, effect, option->name, fitting, unit_hint(warnings));
        return;
    }
    say(warnings, "warning: time constant %.3g s is far %s the time step (%.3g s): %s%s",
        filter_time_scale(settings), fast ? "below" : "above", step, effect, unit_hint(warnings));
}

/* Is the filter too slow for the rows? Where the whole take is known, its length decides: nothing is left of
 * what is shorter than the filter's time scale, nor of a smoother's period. */
static bool is_too_slow(const struct warnings *warnings, bool whole)
{
    const struct filter_common *common = warnings->core->settings;
    const double scale = filter_time_scale(common);
    if (warnings->first.longest * TOO_MANY < scale)
        return true;
    if (!whole || warnings->nrow < JUDGED_ROWS)
        return false;
    return (warnings->config.zero_phase ? 1 / common->cutoff : scale) > warnings->span;
}

/* A gap is never longer than the take. */
static void warn_of_max_gap(const struct warnings *warnings, bool whole)
{
    const struct gap_limit *limit = &warnings->core->input.settings->max_gap;
    if (whole && warnings->nrow >= JUDGED_ROWS && limit->kind == GAP_SECONDS && limit->most > warnings->span)
        say(warnings,
            "warning: --max-gap %g is longer than the whole series, %.3g s, and has no effect; in rows it is "
            "--max-gap "
            "%grows",
            limit->most, warnings->span, limit->most);
}

/* whole: the rows judged are all rows of the input. */
static void warn_of_steps(const struct warnings *warnings, bool whole)
{
    const struct step_range *first = &warnings->first;
    const void *settings = warnings->core->settings;
    const double cutoff = ((const struct filter_common *)settings)->cutoff;
    const bool zero_phase = warnings->config.zero_phase; /* refuses a cutoff that is too high */
    if (first->n == 0 || filter_automatic(settings))
        return;
    if (cutoff * first->shortest > 0.5 && !zero_phase)
        say(warnings,
            "warning: --cutoff %g is above the Nyquist frequency, %.4g Hz (half the row rate); try --cutoff "
            "%.4g%s%s",
            cutoff, 0.5 / first->shortest, cutoff_example(1 / first->shortest),
            warnings->config.keyed ? ", or leave out sparse channels with --exclude" : "",
            unit_hint(warnings));
    else if (first->shortest > TOO_LONG * filter_time_scale(settings) && !zero_phase)
        warn_of_scale(warnings, true, whole);
    else if (is_too_slow(warnings, whole))
        warn_of_scale(warnings, false, whole);
}

/* --- counts and times --- */

/* Can the channel hold times next to --rate? Not with the name of a coordinate, nor after a count of rows,
 * which with the rate gives the times. */
static bool may_be_clock(const struct table *table, size_t channel)
{
    const size_t column = table->channel[channel];
    return columns_angle_name(table, column) == POSSIBLE_ANGLE && columns_frame_counter(table) > column;
}

static void warn_of_counts(const struct warnings *warnings)
{
    struct column_names names = { .n = 0 };
    const struct series_rows *input = &warnings->core->input;
    bool even = false;
    if (warnings->nrow < WARNINGS_FIRST || family_states_counts(input->reader->format->family))
        return;
    for (size_t channel = 0; channel < warnings->core->nchannel; channel++) {
        const struct count_rows first = { warnings->value + channel, warnings->core->nchannel, WARNINGS_FIRST,
                                          NULL };
        const bool count = count_is(&first);
        const bool rises = count || (input->rate != 0 && count_rises_evenly(&first) &&
                                     may_be_clock(input->table, channel));
        if (!rises || table_channel(input->table, channel)->asked)
            continue;
        even = even || !count;
        columns_names_add(&names, name_of(warnings, channel), NULL);
    }
    const char *how = even ? "evenly, like times" : "by 1, like row numbers";
    if (names.n > 0)
        say(warnings,
            "warning: these columns are filtered, but their first %d rows rise %s: %s; try --exclude COLUMN, "
            "or -t "
            "COLUMN%s",
            WARNINGS_FIRST, how, columns_names_text(&names), input->rate != 0 ? " instead of --rate" : "");
}

/* --- angles that wrap --- */

static enum angle_name angle_name_of(const struct warnings *warnings, size_t channel)
{
    const struct table *table = warnings->core->input.table;
    return columns_angle_name(table, table->channel[channel]);
}

/* The watches of a group's channels. NULL: the group is not among the first, or out of memory. */
static struct angle_watch *watches_of(struct warnings *warnings, uint64_t group)
{
    const size_t nchannel = warnings->core->nchannel, end = ((size_t)group + 1) * nchannel;
    if (group >= WATCHED_GROUPS ||
        !array_reserve(&warnings->watch, end, &warnings->maxwatch, sizeof *warnings->watch, NULL))
        return NULL;
    for (; warnings->nwatch < end; warnings->nwatch++)
        warnings->watch[warnings->nwatch] = (struct angle_watch){
            .coordinate = angle_name_of(warnings, warnings->nwatch % nchannel) == UNLIKELY_ANGLE
        };
    return warnings->watch + end - nchannel;
}

static void watch_row(struct warnings *warnings, const struct block *block, size_t row)
{
    struct angle_watch *watches = watches_of(warnings, block->group ? block->group[row]->number : 0);
    for (size_t channel = 0; channel < warnings->core->nchannel && watches; channel++) {
        struct wrap *wrap = &warnings->wrap[channel];
        const double before = watches[channel].before, after = block_value(block, channel)[row];
        if (!warnings->may_wrap[channel] || wrap->row != UINT64_MAX)
            continue;
        const double period = angle_watch_take(&watches[channel], after);
        if (period > 0)
            *wrap = (struct wrap){ block->firstrow + row, before, after, period };
    }
}

/* Names the first wrapping channel with two numbers, then the others. */
static void warn_of_wraps(const struct warnings *warnings)
{
    struct column_names others = { .n = 0 };
    size_t first = 0;
    for (size_t channel = 1; channel < warnings->core->nchannel; channel++)
        first = warnings->wrap[channel].row < warnings->wrap[first].row ? channel : first;
    const struct wrap *wrap = &warnings->wrap[first];
    if (warnings->core->nchannel == 0 || wrap->row == UINT64_MAX)
        return;
    say(warnings,
        "warning: \"%s\" jumps from %.6g to %.6g like an angle that wraps, but is filtered as a plain "
        "number; try "
        "--angles LIST%s",
        name_of(warnings, first), wrap->before, wrap->after,
        wrap->period == ANGLE_DEGREES ? "" : " with --period 6.283185307179586");
    for (size_t channel = 0; channel < warnings->core->nchannel; channel++)
        if (channel != first && warnings->wrap[channel].row != UINT64_MAX)
            columns_names_add(&others, name_of(warnings, channel), NULL);
    if (others.n > 0)
        say(warnings, "warning: these also jump by nearly a whole turn, as \"%s\" does: %s",
            name_of(warnings, first), columns_names_text(&others));
}

/* --- rows --- */

/* The longest step that --method euler takes; INFINITY: another method. */
static double longest_step(const struct warnings *warnings)
{
    const struct filter_common *common = warnings->core->settings;
    return common->longest > 0 ? common->longest : INFINITY;
}

static void take_steps(struct warnings *warnings, const struct block *block)
{
    const double longest = longest_step(warnings), rate = warnings->core->input.rate;
    for (size_t i = 0; i < block->nrow && (isfinite(longest) || warnings->config.verbose); i++) {
        const double T = block->T ? block->T[i] : 1 / rate;
        if (!(T > 0))
            continue;
        step_range_add(&warnings->all, T);
        if (T > longest && !warnings->diverges)
            say(warnings, "warning: --method euler diverges: this time step of %g s is longer than %g s", T,
                longest);
        warnings->diverges |= T > longest;
    }
}

static void take_first_row(struct warnings *warnings, const struct block *block, size_t row)
{
    const size_t nchannel = warnings->core->nchannel;
    const double T = block->T ? block->T[row] : 1 / warnings->core->input.rate;
    const bool first_group = !block->group || block->group[row]->number == 0;
    for (size_t channel = 0; channel < nchannel && warnings->nrow < WARNINGS_FIRST; channel++)
        warnings->value[warnings->nrow * nchannel + channel] = block_value(block, channel)[row];
    if (first_group && T > 0 && warnings->first.n < FIRST_STEPS && (block->T || warnings->nrow > 0))
        step_range_add(&warnings->first, T);
    if (first_group && T > 0)
        warnings->span += T;
    watch_row(warnings, block, row);
    if (time_watch_wants(warnings->times))
        time_watch_take(warnings->times, block, row);
    warnings->nrow++;
}

void warnings_take(struct warnings *warnings, const struct block *block)
{
    take_steps(warnings, block);
    for (size_t i = 0; i < block->nrow && warnings->nrow < WARNINGS_ROWS; i++)
        take_first_row(warnings, block, i);
}

/* --- at the end --- */

/* The choice of --hold; HOLD_NOT_GIVEN also where the filter has no such option. */
static int hold_of(const struct warnings *warnings)
{
    const struct param *option = filter_option(warnings->core->filter, "hold");
    int hold = HOLD_NOT_GIVEN;
    if (option)
        memcpy(&hold, (const char *)warnings->core->settings + option->offset, sizeof hold);
    return hold;
}

/* --verbose: the motion of the goal, the time steps, and where the gain is -3 dB with --cutoff. */
static void say_steps(const struct warnings *warnings)
{
    const struct step_range *all = &warnings->all;
    const struct param *option = filter_option(warnings->core->filter, "hold");
    const struct filter_common *common = warnings->core->settings;
    char line[200] = "";
    if (!warnings->config.verbose || all->n == 0 || (!(common->cutoff > 0) && !warnings->config.zero_phase))
        return;
    if (option && !warnings->config.zero_phase)
        text_append(line, sizeof line, ", hold %s",
                    option->choices[hold_of(warnings) == HOLD_NOT_GIVEN ? HOLD_STEP : hold_of(warnings)]);
    if (all->longest - all->shortest <= EVEN * all->longest)
        text_append(line, sizeof line, ", time steps even, %.6g s", all->shortest);
    else
        text_append(line, sizeof line, ", time steps uneven, %.6g to %.6g s", all->shortest, all->longest);
    if (common->cutoff > 0 && !filter_automatic(common) &&
        common->cutoff * all->longest < CUTOFF_MOST_OF_RATE)
        text_append(line, sizeof line, ", -3 dB at %.6g Hz", common->cutoff);
    say(warnings, "%s", line + strlen(", "));
}

static void warn_of_cuts(const struct warnings *warnings, uint64_t gaps)
{
    const struct core *core = warnings->core;
    const struct filter_common *common = core->settings;
    const bool cuts = core->input.cuts->ncut > 0 || core->input.table->cut != COLUMN_NONE ||
                      warnings->config.finds_cuts;
    if (common->needs_cuts && !cuts && !warnings->config.cleaned && gaps == 0 && warnings->nrow > 1)
        say(warnings, "warning: %s changes nothing without cuts: give %s", core->filter->name,
            core->filter->words->without_cuts);
}

/* end: the input has no more rows. */
static void judge(struct warnings *warnings, bool end)
{
    const bool whole = end && warnings->nrow < WARNINGS_ROWS;
    warnings->judged = true;
    if (whole && warnings->nrow == 1)
        say(warnings, "warning: one row only, which stays as it is; sprung inspect says how it was read");
    warn_of_steps(warnings, whole);
    warn_of_max_gap(warnings, whole);
    warn_of_counts(warnings);
    warn_of_wraps(warnings);
    time_watch_judge(warnings->times, warnings->core->input.reader->messages);
}

void warnings_say(struct warnings *warnings, bool end, uint64_t gaps)
{
    const bool whole = warnings->core->end == UINT64_MAX;
    const bool due = warnings->nrow >= WARNINGS_ROWS ? warnings->core->end >= WARNINGS_ROWS : end && whole;
    if (due && !warnings->judged)
        judge(warnings, end);
    if (!end || !whole)
        return;
    say_steps(warnings);
    warn_of_cuts(warnings, gaps);
}

double warnings_row_rate(const struct warnings *warnings)
{
    const struct step_range *all = &warnings->all;
    const bool even = all->n > 0 && all->longest - all->shortest <= ROUNDED * all->longest;
    return even ? (double)all->n / all->sum : (double)NAN;
}

/* --- opening --- */

bool warnings_open(struct warnings *warnings, struct core *core, const struct warnings_config *config,
                   struct error *e)
{
    const bool stated = family_states_angles(core->input.reader->format->family);
    warnings->core = core;
    warnings->config = *config;
    warnings->times = time_watch_make(core->input.reader, core->input.rate, e);
    if (!warnings->times ||
        !arrays_make(e, ARRAY(warnings->value, WARNINGS_FIRST * core->nchannel),
                     ARRAY(warnings->wrap, core->nchannel), ARRAY(warnings->may_wrap, core->nchannel)))
        return false;
    for (size_t channel = 0; channel < core->nchannel; channel++) {
        const enum unit_kind kind = units_of(core->input.units, channel)->kind;
        warnings->wrap[channel].row = UINT64_MAX;
        warnings->may_wrap[channel] = (kind == UNIT_NUMBER || kind == UNIT_VECTOR) && !stated &&
                                      angle_name_of(warnings, channel) != NO_ANGLE;
    }
    return true;
}

void warnings_close(struct warnings *warnings)
{
    free(warnings->value);
    free(warnings->watch);
    time_watch_free(warnings->times);
}
