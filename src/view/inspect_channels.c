/* Facts about each channel from the rows: the range, missing values, and the kind of the numbers. See
 * inspect.h. */
#include "view/inspect.h"

#include "base/array.h"
#include "rows/units.h"
#include "whole/kinds/angle.h"
#include "whole/kinds/count.h"
#include "whole/kinds/quaternion.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* --- numbers of one channel --- */

/* Finds the range, and the kinds constant and mark. */
static void find_range(struct inspect_channel *channel, const struct inspect_rows *rows, const double *x)
{
    bool marks = true, zero = false, one = false;
    channel->least = channel->most = NAN;
    for (size_t i = 0; i < rows->nrow; i++) {
        channel->least = fmin(channel->least, x[i]);
        channel->most = fmax(channel->most, x[i]);
        zero = zero || x[i] == 0;
        one = one || x[i] == 1;
        marks = marks && (isnan(x[i]) || x[i] == 0 || x[i] == 1);
    }
    if (isnan(channel->least))
        return;
    if (channel->least == channel->most)
        channel->kind = INSPECT_CONSTANT;
    else if (marks && zero && one)
        channel->kind = INSPECT_MARK;
}

/* Finds the kinds count and clock. Where rows are numbered, any even rise may be that of their times. */
static void find_count(struct inspect_channel *channel, const struct inspect_table *table, const double *x)
{
    const struct inspect_rows *rows = &table->rows;
    const struct count_rows numbers = { x, 1, rows->nrow, rows->begins };
    if (family_states_counts(table->reader->format->family) || channel->kind != INSPECT_VALUE)
        return;
    if (count_is(&numbers))
        channel->kind = INSPECT_COUNT;
    else if (table->times.stated && count_rises_evenly(&numbers))
        channel->kind = INSPECT_CLOCK;
}

/* Finds the next gap from index *i on, and sets *i to the index behind it. False: no gap. */
static bool next_gap(const struct inspect_rows *rows, const double *x, size_t *i, struct inspect_gap *gap)
{
    while (*i < rows->nrow && !isnan(x[*i]))
        ++*i;
    if (*i == rows->nrow)
        return false;
    const size_t first = *i;
    do
        ++*i;
    while (*i < rows->nrow && isnan(x[*i]) && !rows->begins[*i]);
    gap->length = *i - first;
    gap->row = rows->number[first];
    return true;
}

/* Counts the missing values of channel k, and if table->all lists its gaps. */
static bool find_gaps(struct inspect_table *table, size_t k, struct error *e)
{
    struct inspect_channel *channel = &table->channel[k];
    const double *x = inspect_value(&table->rows, k);
    struct inspect_gap gap = { .channel = k };
    for (size_t i = 0; next_gap(&table->rows, x, &i, &gap);) {
        channel->nmissing += gap.length;
        channel->ngap++;
        if (gap.length > channel->longest) {
            channel->longest = gap.length;
            channel->longest_row = gap.row;
        }
        if (!table->all)
            continue;
        if (table->ngap == table->maxgap &&
            !array_grow(&table->gap, table->ngap, &table->maxgap, sizeof *table->gap, e))
            return false;
        table->gap[table->ngap++] = gap;
    }
    return true;
}

/* --- angles --- */

/* Removes whole turns from steps of more than half a turn. Returns the number of steps with such turns. */
static uint64_t remove_turns(double *x, const struct inspect_rows *rows, double period)
{
    double turns = 0, before = NAN;
    uint64_t count = 0;
    for (size_t i = 0; i < rows->nrow; i++) {
        if (rows->begins[i]) {
            turns = 0;
            before = NAN;
        }
        if (isnan(x[i]))
            continue;
        const double step = x[i] - before;
        before = x[i];
        if (fabs(step) > period / 2) {
            turns -= angle_turns(step, period);
            count++;
        }
        x[i] += turns * period;
    }
    return count;
}

/* The period of an angle in numbers whose format states none; 0: they are no angle in any series, or lie
 * beyond a turn in some series. coordinate: the name is that of a coordinate. */
static double find_period(const struct inspect_rows *rows, const double *x, bool coordinate)
{
    double period = 0;
    for (size_t first = 0, end; first < rows->nrow; first = end) {
        struct angle_watch watch = { .coordinate = coordinate };
        end = inspect_series_end(rows, first);
        for (size_t i = first; i < end; i++)
            angle_watch_take(&watch, x[i]);
        if (angle_watch_is_over(&watch))
            return 0;
        period = period > 0 ? period : angle_watch_period(&watch);
    }
    return period;
}

/* Where no format states angles, only those of one period are advised: --period has one value. */
static void find_angle(struct inspect_table *table, struct inspect_channel *channel, double *x)
{
    const struct columns *columns = &table->reader->columns;
    double period = columns_at(columns, channel->column)->period;
    channel->by_format = period > 0;
    const bool open = !channel->by_format && channel->kind == INSPECT_VALUE &&
                      !family_states_angles(table->reader->format->family);
    const enum angle_name name = columns_angle_name(columns, channel->column);
    if (open && name != NO_ANGLE)
        period = find_period(&table->rows, x, name == UNLIKELY_ANGLE);
    if (period == 0)
        return;
    channel->period = period;
    channel->kind = INSPECT_ANGLE;
    if (!channel->by_format && table->period == 0)
        table->period = period;
    channel->plain = !channel->by_format && period != table->period;
    if (!channel->plain)
        channel->nwrap = remove_turns(x, &table->rows, period);
}

/* --- channels that a filter cannot read --- */

static bool has_comma_or_blank(const char *text)
{
    return strpbrk(text, ", \\") != NULL;
}

bool inspect_texts_stop(const struct inspect_table *table, const struct inspect_texts *texts)
{
    const bool gap = family_holds_texts(table->reader->format->family) && !texts->differ &&
                     !has_comma_or_blank(texts->first);
    return texts->n > 0 && !gap;
}

/* Excludes the components of a rotation, channel[n], if one of them is excluded: a rotation is filtered as a
 * whole. */
static void exclude_together(struct inspect_table *table, const size_t *channel, size_t n)
{
    bool excluded = false;
    for (size_t k = 0; k < n; k++)
        excluded = excluded || table->channel[channel[k]].excluded;
    for (size_t k = 0; k < n; k++)
        table->channel[channel[k]].excluded = excluded;
}

/* Excludes channels, and with them those of the rotations that the format states. */
static bool find_excluded(struct inspect_table *table, struct error *e)
{
    const struct unit_settings settings = { .period = (double)NAN };
    struct units rotations = { 0 };
    for (size_t k = 0; k < table->rows.nchannel; k++)
        table->channel[k].excluded = inspect_texts_stop(table, &table->channel[k].texts);
    const bool good = units_collect(&rotations, table->reader->plan, &settings, true, e);
    for (size_t i = 0; i < rotations.n && good; i++)
        exclude_together(table, rotations.at[i].channel, rotations.at[i].n);
    units_free(&rotations);
    return good;
}

/* --- quaternions --- */

/* Gives each quaternion the sign that brings it nearer to the quaternion before: q and -q are the same
 * rotation. */
static void align_signs(const struct inspect_rows *rows, double *const part[4])
{
    double before[4] = { 0 };
    for (size_t i = 0; i < rows->nrow; i++) {
        double dot = 0;
        for (size_t k = 0; k < 4; k++)
            dot += before[k] * part[k][i];
        for (size_t k = 0; k < 4 && !isnan(dot); k++) {
            part[k][i] = dot < 0 && !rows->begins[i] ? -part[k][i] : part[k][i];
            before[k] = part[k][i];
        }
    }
}

/* Makes four channels the components of a rotation. Without names the components are unknown, so nothing can
 * be advised. */
static void mark_rotation(struct inspect_table *table, const size_t channel[4], bool by_format)
{
    double *part[4];
    char letters[5] = "";
    const size_t first = table->channel[channel[0]].column;
    if (!by_format)
        columns_component_letters(&table->reader->columns, first, letters);
    const bool plain = !by_format && !inspect_are_components(letters);
    for (size_t k = 0; k < 4; k++) {
        struct inspect_channel *inspect_channel = &table->channel[channel[k]];
        inspect_channel->kind = INSPECT_ROTATION;
        inspect_channel->by_format = by_format;
        inspect_channel->rotation = first;
        inspect_channel->plain = plain;
        part[k] = inspect_value(&table->rows, channel[k]);
    }
    if (!plain) {
        align_signs(&table->rows, part);
        exclude_together(table, channel, 4);
    }
}

bool inspect_are_components(const char letters[5])
{
    return strchr(letters, 'w') && strchr(letters, 'x') && strchr(letters, 'y') && strchr(letters, 'z');
}

/* Are four channels, no part of a rotation so far, a quaternion by their names and numbers? */
static bool is_quaternion(const struct inspect_table *table, size_t first)
{
    const struct inspect_rows *rows = &table->rows;
    const struct inspect_channel *channel = &table->channel[first];
    const struct number_table numbers = { rows->value, rows->nrow, rows->nchannel, 1, rows->maxrow };
    size_t column[4];
    bool named;
    for (size_t k = 0; k < 4; k++) {
        column[k] = channel[k].column;
        if (column[k] != column[0] + k || channel[k].kind > INSPECT_CONSTANT)
            return false;
    }
    return columns_may_be_quaternion(&table->reader->columns, column, &named) &&
           quaternion_is(&numbers, first, named);
}

static bool find_quaternions(struct inspect_table *table, struct error *e)
{
    const struct column_plan *plan = table->reader->plan;
    struct unit_list rotations = { 0 };
    const bool good = units_known(plan, UNIT_QUATERNION, &rotations, e);
    for (size_t k = 0; good && k < rotations.n; k++) {
        size_t channel[4];
        bool filtered = true;
        for (size_t i = 0; i < 4; i++) {
            const struct column_use *use = plan_use(plan, rotations.at[k].column[i]);
            filtered = filtered && use->role == ROLE_CHANNEL;
            channel[i] = use->value;
        }
        if (filtered)
            mark_rotation(table, channel, true);
    }
    unit_list_free(&rotations);
    for (size_t c = 0; good && c + 4 <= table->rows.nchannel; c++)
        if (is_quaternion(table, c))
            mark_rotation(table, (const size_t[]){ c, c + 1, c + 2, c + 3 }, false);
    return good;
}

/* --- confidences beside coordinates --- */

size_t inspect_stem(const char *name)
{
    const char *last = name;
    for (const char *p = name; *p; p++)
        last = strchr("._:", *p) ? p : last;
    return (size_t)(last - name);
}

/* Do two columns belong to the same point: are the cells above the names equal, or do the names begin alike?
 */
static bool of_one_point(const struct column *a, const struct column *b)
{
    size_t stem = inspect_stem(a->name);
    if (a->above && b->above)
        return a->above[0] && strcmp(a->above, b->above) == 0;
    return stem > 0 && strncmp(a->name, b->name, stem + 1) == 0;
}

/* Finds a quality that is a channel all the same: numbers from 0 to 1, named as a quality or a score, beside
 * a channel of the same point. */
static void find_quality(struct inspect_table *table, size_t channel)
{
    const struct columns *columns = &table->reader->columns;
    struct inspect_channel *inspect_channel = &table->channel[channel];
    const struct column *column = columns_at(columns, inspect_channel->column);
    const char *name = column->above ? column->original : column->name;
    size_t stem = inspect_stem(name);
    const bool named = columns_name_means(name, strlen(name), NAME_QUALITY) ||
                       strcasecmp(stem > 0 ? name + stem + 1 : name, "score") == 0;
    if (!named || !(inspect_channel->least >= 0 && inspect_channel->most <= 1))
        return;
    for (size_t other = 0; other < table->rows.nchannel; other++)
        if (other != channel && of_one_point(column, &columns->column[table->channel[other].column]))
            inspect_channel->kind = INSPECT_QUALITY;
}

bool inspect_channels_find(struct inspect_table *table, struct error *e)
{
    struct inspect_rows *rows = &table->rows;
    for (size_t k = 0; k < rows->nchannel; k++) {
        struct inspect_channel *channel = &table->channel[k];
        double *x = inspect_value(rows, k);
        channel->rotation = COLUMN_NONE;
        find_range(channel, rows, x);
        if (!find_gaps(table, k, e))
            return false;
        find_count(channel, table, x);
        find_angle(table, channel, x);
    }
    for (size_t k = 0; k < rows->nchannel; k++)
        find_quality(table, k);
    return find_excluded(table, e) && find_quaternions(table, e);
}
