/* Warnings by the first rows. See warnings.h. */
#include "series/warnings.h"

#include "base/array.h"
#include "base/text.h"
#include "number/number.h"
#include "whole/kinds/clock.h"
#include "whole/smoothing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    JUDGED_ROWS = 20, /* the fewest rows of a take that is called too short for an option */
    LEAST_RATED = 4   /* the fewest rows that show a rate */
};

#define TOO_LONG  4.6  /* time scales of the filter in a step: 1 - exp(-4.6) is 99 % of a difference */
#define TOO_MANY  1e6  /* rows where the filter hardly moves */
#define SAME_RATE 0.03 /* relative difference of rates that agree */

#define say(warnings, ...) reader_tell((warnings)->core->input.reader, __VA_ARGS__)

/* --- rows --- */

/* Takes the time of a row in the column that --rate replaces. A cell without a time ends the column. */
static void take_beside(struct warnings *warnings, const struct block *block, size_t row)
{
    const struct series_rows *input = &warnings->core->input;
    const size_t index = input->table->unused_time;
    const char *why;
    if (warnings->nbeside < warnings->nrow + row)
        return;
    const struct column *column = table_column(input->table, index);
    const struct time_unit unit = columns_time_unit(columns_choose_unit(column, TIME_UNIT_NONE, &why), 0);
    const struct timestamp now = format_cell_time(input->reader, block, row, index, &warnings->cell);
    if (isnan(now.t))
        return;
    warnings->beside[warnings->nbeside++] = timestamp_between(NULL, &now, unit);
}

/* Takes the steps of n rows side by side, the next ones of the first group. */
static void take_steps(struct warnings *warnings, const double *T, size_t n)
{
    double time = warnings->n > 0 ? warnings->time[warnings->n - 1] : 0;
    for (size_t i = 0; i < n; i++) {
        const double step = T[i] > 0 && warnings->n > 0 ? T[i] : 0;
        warnings->step[warnings->nstep] = step; /* the first row has none, so there is room */
        warnings->nstep += step > 0;
        time += step;
        warnings->time[warnings->n++] = time;
    }
}

/* Takes the numbers of n rows side by side, the next ones of the first group. */
static void take_numbers(struct warnings *warnings, const struct block *block, size_t row, size_t n)
{
    const struct units *units = warnings->core->input.units;
    for (size_t u = 0; u < units->n; u++) {
        struct warnings_unit *unit = &warnings->unit[u];
        const double *x = block_goal(block, units->at[u].channel[0]) + row;
        if (units->at[u].n == 1)
            angle_watch(&unit->angle, x, NULL, n);
        for (size_t i = 0; i < n && warnings->n + i < WARNINGS_COUNTED; i++)
            unit->number[warnings->n + i] = x[i];
    }
}

void warnings_take(struct warnings *warnings, const struct block *block)
{
    const size_t room = WARNINGS_ROWS - warnings->nrow, n = block->nrow < room ? block->nrow : room;
    for (size_t i = 0, count; i < n; i += count) {
        count = block->grouped ? 1 : n;
        if (block->grouped && block->group[i]->number > 0)
            continue;
        take_numbers(warnings, block, i, count);
        take_steps(warnings, block->T + i, count);
    }
    for (size_t i = 0; i < n && warnings->core->input.table->unused_time != COLUMN_NONE; i++)
        take_beside(warnings, block, i);
    warnings->nrow += n;
}

/* --- options of another size than the rows --- */

/* Seconds from the first row to the last. */
static double span_of(const struct warnings *warnings)
{
    return warnings->n > 0 ? warnings->time[warnings->n - 1] : 0;
}

/* The options that set the time scale of a filter. */
static const char *const scale_options[] = { "halflife", "lag", "cutoff", NULL };

/* Warns of an option that is too much or too little for rows `step` seconds apart. Tries a value with which
 * the time scale of the filter is three steps long. A half-life below --time only rounds the ends of a move.
 * whole: the rows judged are all rows of the input. */
static void judge_scale(const struct warnings *warnings, const char *option, double step, bool whole)
{
    const struct series_rows *input = &warnings->core->input;
    const struct param *param = filter_option(warnings->core->filter, option);
    const struct filter_common *common = warnings->core->settings;
    const bool hertz = strcmp(option, "cutoff") == 0;
    double value = 0;
    if (param)
        memcpy(&value, (const char *)common + param->offset, sizeof value);
    if (!(value > 0) || filter_automatic(common))
        return;
    const double scale = filter_time_scale(common), longer = 3 * step / scale;
    const double period = hertz ? 1 / value : scale;
    const bool slow = step * TOO_MANY < scale || (whole && period > span_of(warnings));
    const double printed = warnings->core->hz > 0 ? fmin(step, 1 / warnings->core->hz) : step;
    const bool rounds = filter_option(warnings->core->filter, "time") != NULL;
    const bool in_seconds = input->rate > 0 || input->table->unit_why ||
                            family_states_seconds(input->reader->format->family);
    if (!slow && (rounds || !(printed > TOO_LONG * scale)))
        return;
    const char *fault = slow ? "the output hardly moves" : "next to nothing is smoothed";
    const double better = hertz ? value / longer : value * longer;
    say(warnings, "warning: --%s %g does not fit %zu rows %.3g s apart: %s; try --%s %g%s", option, value,
        warnings->n, step, fault, option, number_round(better, 1),
        in_seconds ? "" : "; if the times are not in seconds, add --time-unit");
}

static void judge_options(const struct warnings *warnings, bool whole)
{
    const struct gap_limit *limit = &warnings->core->input.settings->max_gap;
    const struct filter_common *common = warnings->core->settings;
    double longest = 0;
    for (size_t i = 0; i < warnings->nstep && common->longest > 0; i++)
        longest = fmax(longest, warnings->step[i]);
    const double step = 1 / smoothing_row_rate(warnings->step, warnings->nstep);
    for (size_t i = 0; scale_options[i] && warnings->nstep > 0; i++)
        judge_scale(warnings, scale_options[i], step, whole);
    if (whole && limit->kind == GAP_SECONDS && limit->most > span_of(warnings))
        say(warnings,
            "warning: --max-gap %g is longer than the whole series, %.3g s, and has no effect; for %g "
            "rows: --max-gap %grows",
            limit->most, span_of(warnings), limit->most, limit->most);
    if (common->longest > 0 && longest > common->longest)
        say(warnings, "warning: --method euler diverges: a time step of %g s is longer than %g s", longest,
            common->longest);
}

/* --- times --- */

static void judge_times(const struct warnings *warnings)
{
    const size_t nshared = clock_count_shared(warnings->time, warnings->n);
    char hint[60] = "";
    if (warnings->core->input.table->ngroup > 0 || !clock_is_coarse(nshared, warnings->n))
        return;
    const double rate = clock_rate(warnings->time, warnings->n);
    if (rate > 0)
        text_append(hint, sizeof hint, "--rate %.10g, or ", number_round(rate, 3));
    say(warnings,
        "warning: %zu of %zu rows have the same time as the row before: "
        "try %s--group-by COLUMN if they are of several series",
        nshared, warnings->n, hint);
}

/* Are rates alike, but for a power of 1000, which is that of a unit? */
static bool are_alike(double rate, double other)
{
    const double ratio = rate / other, thousands = pow(1000, round(log(ratio) / log(1000)));
    return fabs(ratio / thousands - 1) <= SAME_RATE;
}

/* Warns of --rate where the times say another rate. */
static void judge_rate(const struct warnings *warnings)
{
    const struct table *table = warnings->core->input.table;
    const double given = warnings->core->input.rate, rate = clock_rate(warnings->beside, warnings->nbeside);
    if (warnings->nbeside < LEAST_RATED || table->ngroup > 0 || !(rate > 0 && given > 0) ||
        are_alike(rate, given))
        return;
    say(warnings,
        "warning: --rate %.6g is used, but the times in \"%s\" show %.6g rows per second; try that rate, "
        "none, or --time-unit frames",
        given, table_column(table, table->unused_time)->name, rate);
}

/* --- columns --- */

/* Warns of columns that rise from row to row by 1, or as the time does. */
static void judge_counts(const struct warnings *warnings)
{
    const struct series_rows *input = &warnings->core->input;
    struct column_names names = { .n = 0 };
    if (family_states_seconds(input->reader->format->family))
        return;
    const size_t n = warnings->n < WARNINGS_COUNTED ? warnings->n : WARNINGS_COUNTED;
    for (size_t u = 0; u < input->units->n; u++) {
        const struct unit *unit = &input->units->at[u];
        const struct column *column = table_channel(input->table, unit->channel[0]);
        const double step = clock_step(warnings->unit[u].number, 1, n);
        const double rate = step > 0 ? clock_rate(warnings->time, warnings->n) : 0;
        const bool rises = step == 1 || (rate > 0 && are_alike(1 / step, rate));
        if (unit->n == 1 && rises && !column->asked)
            columns_names_add(&names, column->name, NULL);
    }
    if (names.n > 0)
        say(warnings,
            "warning: these columns are filtered, but rise evenly, like row numbers or times: %s; "
            "try --exclude COLUMN, or -t COLUMN%s",
            columns_names_text(&names), input->rate > 0 ? " instead of --rate" : "");
}

/* Warns of the first column of numbers that wrap like an angle, but are filtered as they are. */
static void judge_angles(const struct warnings *warnings)
{
    const struct series_rows *input = &warnings->core->input;
    for (size_t u = 0; u < input->units->n; u++) {
        const struct unit *unit = &input->units->at[u];
        const size_t index = input->table->channel[unit->channel[0]];
        const struct column *column = &input->table->column[index];
        char number[COLUMNS_NUMBER], word[TEXT_WORD];
        if (unit->n > 1 || unit->period > 0 || !columns_may_wrap(column))
            continue;
        const double period = angle_watch(&warnings->unit[u].angle, NULL, NULL, 0);
        if (period == 0)
            continue;
        say(warnings,
            "warning: \"%s\" jumps like an angle that wraps, but is filtered as a plain number; "
            "try --angles %s%s",
            column->name, text_quoted(word, columns_entry(input->table, index, number)),
            period == ANGLE_RADIANS ? " --period 6.283185307179586" : "");
        return;
    }
}

/* --- series of one row --- */

static void judge_lengths(const struct warnings *warnings)
{
    const struct groups *groups = warnings->core->input.groups;
    size_t n = 0;
    for (size_t i = 0; i < groups->ngroup; i++)
        n += groups->at[i]->nrow == 1;
    if (n > 0)
        say(warnings, "warning: only one row, too few to filter, in %zu of %zu series; %s", n, groups->ngroup,
            groups->ngroup > 1 ? "try another --group-by COLUMN" : "sprung inspect says how it was read");
}

/* --- saying --- */

void warnings_say(struct warnings *warnings, bool end)
{
    const uint64_t fault = warnings->core->end;
    const bool all = warnings->nrow == WARNINGS_ROWS, whole = end && fault == UINT64_MAX;
    if (whole)
        judge_lengths(warnings);
    if (warnings->judged || !(all ? fault >= WARNINGS_ROWS : whole))
        return;
    warnings->judged = true;
    judge_options(warnings, !all && warnings->nrow >= JUDGED_ROWS);
    judge_times(warnings);
    judge_rate(warnings);
    judge_counts(warnings);
    judge_angles(warnings);
}

bool warnings_open(struct warnings *warnings, struct core *core, struct error *e)
{
    warnings->core = core;
    return arrays_make(e, ARRAY(warnings->time, WARNINGS_ROWS), ARRAY(warnings->step, WARNINGS_ROWS),
                       ARRAY(warnings->beside, WARNINGS_ROWS), ARRAY(warnings->unit, core->input.units->n));
}

void warnings_close(struct warnings *warnings)
{
    free(warnings->time);
    free(warnings->cell.room);
}
