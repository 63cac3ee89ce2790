/* Warnings of columns that hold something else than what they are filtered as: quaternions and angles that
 * are filtered as plain numbers, and counts of rows and times that are filtered at all. Quaternions, counts
 * and times are recognized by the first rows; an angle is recognized at the row where it wraps. No row waits
 * for a warning. */
#include "series/series_state.h"

#include "base/array.h"
#include "whole/kinds/angle.h"
#include "whole/kinds/count.h"
#include "whole/kinds/quaternion.h"

#include <math.h>
#include <stdlib.h>

/* --- quaternions --- */

/* Are four neighbours, which are filtered as numbers, a quaternion by their names and the first rows? */
static bool is_quaternion(const struct series *series, size_t c)
{
    const struct warnings *warnings = &series->warnings;
    const struct column_plan *plan = series->config.in.plan;
    const struct columns *columns = plan->columns;
    const struct number_table first = { warnings->first, warnings->nrow, series->nchannel, series->nchannel,
                                        1 };
    size_t column[4];
    bool named;
    for (size_t k = 0; k < 4; k++) {
        column[k] = plan->channel[c + k];
        if (units_rotation(series->config.in.units, c + k))
            return false;
    }
    return columns_may_be_quaternion(columns, column, &named) && quaternion_is(&first, c, named);
}

enum { LIST = 160 /* bytes of a list for --quaternions in a warning */ };

/* Adds the quaternion in channels c to c + 3 to a list for --quaternions, if the names say the order of the
 * components and the list has room. */
static void add_quaternion(const struct series *series, size_t c, char list[LIST])
{
    const struct column_plan *plan = series->config.in.plan;
    const size_t first = plan->channel[c];
    char entry[COLUMNS_QUATERNION];
    if (plan->channel[c + 3] != first + 3)
        return;
    columns_quaternion_entry(plan->columns, first, entry);
    if (!strchr(entry, ' ') && strlen(list) + strlen(entry) + 2 <= LIST)
        text_append(list, LIST, "%s%s", list[0] ? "," : "", entry);
}

static void warn_of_quaternions(const struct series *series, struct messages *to)
{
    size_t found = 0, first = 0;
    char list[LIST] = "";
    for (size_t c = 0; c + 4 <= series->nchannel; c++)
        if (is_quaternion(series, c)) {
            first = found++ ? first : c;
            add_quaternion(series, c, list);
            c += 3;
        }
    const char *others = found > 1 ? " (others too)" : "";
    if (found)
        messages_add(to, series->config.file,
                     "warning: \"%s\" and the next three columns look like a quaternion, but are filtered as "
                     "plain numbers%s; try --quaternions %s",
                     plan_channel(series->config.in.plan, first)->name, others, list[0] ? list : "LIST");
}

/* --- counts and times --- */

/* Can the channel hold times beside --rate? Not with the name of a coordinate, nor behind a count of rows,
 * which with the rate gives the times. */
static bool may_be_clock(const struct column_plan *plan, size_t c)
{
    const size_t column = plan->channel[c];
    return columns_angle_name(plan->columns, column) == POSSIBLE_ANGLE &&
           columns_frame_counter(plan->columns) > column;
}

static void warn_of_counts(const struct series *series, struct messages *to)
{
    struct column_names names = { .n = 0 };
    const struct column_plan *plan = series->config.in.plan;
    const bool rated = series->config.in.rate != 0;
    bool even = false;
    if (series->warnings.nrow < WARNINGS_ROWS ||
        family_states_counts(series->config.in.reader->format->family))
        return;
    for (size_t c = 0; c < series->nchannel; c++) {
        const struct column *column = plan_channel(plan, c);
        const struct count_rows first = { series->warnings.first + c, series->nchannel, WARNINGS_ROWS, NULL };
        const bool count = count_is(&first);
        const bool rises = count || (rated && count_rises_evenly(&first) && may_be_clock(plan, c));
        if (!rises || plan_use(plan, plan->channel[c])->reason == REASON_CHOSEN)
            continue;
        even = even || !count;
        columns_names_add(&names, column->name, NULL);
    }
    if (names.n == 0)
        return;
    const char *rise = even ? "evenly, like times" : "by 1, like row numbers";
    messages_add(to, series->config.file,
                 "warning: these columns are filtered, but their first %d rows rise %s: %s; try --exclude "
                 "COLUMN, or -t COLUMN%s",
                 WARNINGS_ROWS, rise, columns_names_text(&names), rated ? " instead of --rate" : "");
}

void column_warnings_of_first(struct series *series, struct messages *to)
{
    if (!series->config.numbers_meant)
        warn_of_quaternions(series, to);
    warn_of_counts(series, to);
}

/* --- angles that wrap --- */

/* Notes that channel c wraps at a row. before: the number of the row before. */
static void note_wrap(struct series *series, size_t c, struct spot at, double before, double period)
{
    struct warnings *warnings = &series->warnings;
    uint64_t row = at.block->firstrow + at.row;
    if (row >= warnings->wrapped[c])
        return;
    warnings->wrapped[c] = row;
    const char *radians = period == ANGLE_DEGREES ? "" : " with --period 6.283185307179586";
    messages_add(warnings_note(series, at, at, NOTE_WRAPS), series->config.file,
                 "warning: \"%s\" jumps from %.6g to %.6g like an angle that wraps, but is filtered as a "
                 "plain number; try --angles LIST%s",
                 plan_channel(series->config.in.plan, c)->name, before, block_value(at.block, c)[at.row],
                 radians);
}

/* Looks at the new rows of a channel, row by row. */
static void watch_rows(struct series *series, struct angle_watch *of, const struct chunk *chunk, size_t c)
{
    struct angle_watch watch = *of;
    const double *value = block_value(chunk->block, c);
    const size_t n = chunk->n - chunk->nwaiting;
    for (size_t i = 0; i < n; i++) {
        const size_t row = new_row(chunk, i);
        const double before = watch.before;
        if (!block_row_read(chunk->block, row))
            continue;
        const double period = angle_watch_take(&watch, value[row]);
        if (period > 0)
            note_wrap(series, c, (struct spot){ chunk->block, row }, before, period);
    }
    *of = watch;
}

static enum angle_name angle_name_of(const struct series *series, size_t c)
{
    const struct column_plan *plan = series->config.in.plan;
    return columns_angle_name(plan->columns, plan->channel[c]);
}

/* The watches of a group's channels. NULL: the group is not among the first, or out of memory. */
static struct angle_watch *watches_of(struct series *series, const struct group *group)
{
    struct warnings *warnings = &series->warnings;
    struct error e;
    size_t end = ((size_t)group->number + 1) * series->nchannel;
    if (group->number >= WATCHED_GROUPS ||
        !array_reserve(&warnings->watch, end, &warnings->maxwatch, sizeof *warnings->watch, &e))
        return NULL;
    for (; warnings->nwatch < end; warnings->nwatch++)
        warnings->watch[warnings->nwatch] = (struct angle_watch){
            .coordinate = angle_name_of(series, warnings->nwatch % series->nchannel) == UNLIKELY_ANGLE
        };
    return warnings->watch + end - series->nchannel;
}

void column_warnings_take(struct series *series, const struct filter_group *group, const struct chunk *chunk)
{
    const struct warnings *warnings = &series->warnings;
    const bool plain = !chunk->index && !(chunk->block->marks & MARK_POINT);
    struct angle_watch *watches = watches_of(series, group->group);
    for (size_t c = 0; c < series->nchannel && watches; c++) {
        struct angle_watch *watch = &watches[c];
        if (!warnings->may_wrap[c] || angle_watch_is_over(watch) ||
            warnings->wrapped[c] < chunk->block->firstrow)
            continue;
        const double *x = block_value(chunk->block, c) + chunk->first;
        if (!plain || !angle_watch_pass(watch, x, chunk->n - chunk->nwaiting))
            watch_rows(series, watch, chunk, c);
    }
}

/* Names the channels that wrap, except the first channel, which was named at the row where it wraps. */
void column_warnings_finish(struct series *series)
{
    const struct warnings *warnings = &series->warnings;
    const struct column_plan *plan = series->config.in.plan;
    struct column_names others = { .n = 0 };
    size_t first = 0;
    for (size_t c = 1; c < series->nchannel; c++)
        first = warnings->wrapped[c] < warnings->wrapped[first] ? c : first;
    for (size_t c = 0; c < series->nchannel; c++)
        if (c != first && warnings->wrapped[c] < series->operator.end)
            columns_names_add(&others, plan_channel(plan, c)->name, NULL);
    if (others.n > 0)
        messages_add(series->config.messages, series->config.file,
                     "warning: these also jump by nearly a whole turn, as \"%s\" does: %s",
                     plan_channel(plan, first)->name, columns_names_text(&others));
}

/* --- opening --- */

bool column_warnings_open(struct series *series, struct error *e)
{
    struct warnings *warnings = &series->warnings;
    const bool stated = family_states_angles(series->config.in.reader->format->family);
    if (!arrays_make(e, ARRAY(warnings->wrapped, series->nchannel),
                     ARRAY(warnings->may_wrap, series->nchannel)))
        return false;
    for (size_t c = 0; c < series->nchannel; c++) {
        const enum unit_kind kind = units_of(series->config.in.units, c)->kind;
        bool number = kind == UNIT_NUMBER || kind == UNIT_VECTOR;
        bool able = number && !stated;
        warnings->wrapped[c] = UINT64_MAX;
        warnings->may_wrap[c] = able && angle_name_of(series, c) != NO_ANGLE;
    }
    return true;
}

void column_warnings_close(struct series *series)
{
    free(series->warnings.wrapped);
    free(series->warnings.watch);
}
