/* Facts about each channel from the rows: the range, missing values, and the kind of the numbers. See
 * table.h. */
#include "view/inspect/table.h"

#include "base/array.h"
#include "whole/kinds/angle.h"
#include "whole/kinds/count.h"
#include "whole/kinds/quaternion.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* --- numbers of one channel --- */

struct inspect_range inspect_range_of(const struct inspect_rows *rows, const double *x)
{
    struct inspect_range range = { NAN, NAN };
    for (size_t i = 0; i < rows->nrow; i++) {
        range.least = fmin(range.least, x[i]);
        range.most = fmax(range.most, x[i]);
    }
    return range;
}

/* Are all known values 0 or 1? */
static bool holds_marks(const struct inspect_rows *rows, const double *x)
{
    for (size_t i = 0; i < rows->nrow; i++)
        if (!isnan(x[i]) && x[i] != 0 && x[i] != 1)
            return false;
    return true;
}

/* Are the values a few whole numbers that each hold for several rows? */
static bool is_state(const struct inspect_rows *rows, const double *x)
{
    enum { STATES = 10, LEAST_ROWS = 20, ROWS_A_CHANGE = 10 };
    double state[STATES], before = NAN;
    size_t nstate = 0, known = 0, changes = 0;
    for (size_t i = 0; i < rows->nrow; i++) {
        if (isnan(x[i]))
            continue;
        size_t s = 0;
        while (s < nstate && state[s] != x[i])
            s++;
        if (s == STATES || x[i] != floor(x[i]))
            return false;
        state[s] = x[i];
        nstate = s == nstate ? nstate + 1 : nstate;
        changes += known > 0 && x[i] != before;
        before = x[i];
        known++;
    }
    return known >= LEAST_ROWS && changes * ROWS_A_CHANGE <= known;
}

/* The kind of numbers that are neither an angle nor a part of a rotation. Where rows are numbered, any even
 * rise may be that of their times. */
static enum inspect_kind find_kind(const struct inspect_table *table, const double *x,
                                   const struct inspect_range *range)
{
    const struct inspect_rows *rows = &table->rows;
    const struct count_rows numbers = { x, 1, rows->nrow, rows->begins };
    if (range->least == range->most)
        return INSPECT_CONSTANT;
    if (range->least == 0 && range->most == 1 && holds_marks(rows, x))
        return INSPECT_MARK;
    if (family_states_counts(table->reader->format->family))
        return INSPECT_VALUE;
    if (count_is(&numbers))
        return INSPECT_COUNT;
    if (is_state(rows, x))
        return INSPECT_STATE;
    return table->times.stated && count_rises_evenly(&numbers) ? INSPECT_CLOCK : INSPECT_VALUE;
}

/* Counts the missing values of channel k and their gaps. */
static struct inspect_missing find_missing(const struct inspect_rows *rows, size_t k)
{
    const double *x = inspect_value(rows, k);
    struct inspect_missing missing = { 0 };
    uint64_t length = 0;
    for (size_t i = 0; i < rows->nrow; i++) {
        const bool follows = length > 0 && !rows->begins[i];
        if (!follows)
            length = 0;
        length = isnan(x[i]) ? length + 1 : 0;
        missing.n += length > 0;
        missing.ngap += length == 1;
        if (length > missing.longest) {
            missing.longest = length;
            missing.longest_row = rows->number[i + 1 - length];
        }
    }
    return missing;
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

/* The full turn of channel k, if it is an angle by the format or by its numbers, which have a kind so far;
 * else 0. */
static double find_turn(const struct inspect_table *table, size_t k, enum inspect_kind kind)
{
    const struct columns *columns = &table->reader->columns;
    const size_t column = table->reader->plan->channel[k];
    const double stated = columns_at(columns, column)->period;
    const bool open = kind == INSPECT_VALUE && !family_states_angles(table->reader->format->family);
    const enum angle_name name = columns_angle_name(columns, column);
    if (stated > 0 || !open || name == NO_ANGLE)
        return stated;
    return find_period(&table->rows, inspect_value(&table->rows, k), name == UNLIKELY_ANGLE);
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

/* Makes rotations of four zeros missing. Returns the first row that had one, from 1; 0: no row. */
static size_t remove_lost(const struct inspect_rows *rows, double *const part[4])
{
    size_t first = 0;
    for (size_t i = 0; i < rows->nrow; i++) {
        if (part[0][i] != 0 || part[1][i] != 0 || part[2][i] != 0 || part[3][i] != 0)
            continue;
        for (size_t k = 0; k < 4; k++)
            part[k][i] = (double)NAN;
        first = first == 0 || rows->number[i] < first ? rows->number[i] : first;
    }
    return first;
}

static bool are_components(const char letters[5])
{
    return strchr(letters, 'w') && strchr(letters, 'x') && strchr(letters, 'y') && strchr(letters, 'z');
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
    struct inspect_meaning meaning = { .kind = INSPECT_ROTATION,
                                       .by_format = by_format,
                                       .plain = !by_format && !are_components(letters),
                                       .rotation = first };
    for (size_t k = 0; k < 4; k++)
        part[k] = inspect_value(&table->rows, channel[k]);
    if (!meaning.plain) {
        meaning.lost_row = remove_lost(&table->rows, part);
        align_signs(&table->rows, part);
    }
    for (size_t k = 0; k < 4; k++)
        table->channel[channel[k]].meaning = meaning;
}

/* Are four channels, no part of a rotation so far, a quaternion by their names and numbers? A quaternion of 0
 * and 1 alone needs the names. */
static bool is_quaternion(const struct inspect_table *table, size_t first)
{
    const struct inspect_rows *rows = &table->rows;
    const struct inspect_channel *channel = &table->channel[first];
    const struct number_table numbers = { rows->value, rows->nrow, rows->nchannel, 1, rows->maxrow };
    size_t column[4];
    bool named, marks = false;
    for (size_t k = 0; k < 4; k++) {
        const enum inspect_kind kind = channel[k].meaning.kind;
        column[k] = channel[k].column;
        if (column[k] != column[0] + k || (kind > INSPECT_CONSTANT && kind != INSPECT_MARK))
            return false;
        marks |= kind == INSPECT_MARK;
    }
    return columns_may_be_quaternion(&table->reader->columns, column, &named) && (named || !marks) &&
           quaternion_is(&numbers, first, named);
}

static bool find_quaternions(struct inspect_table *table, struct error *e)
{
    const struct unit_settings settings = { .period = (double)NAN };
    struct units *units = &table->units;
    if (!units_collect(units, table->reader->plan, &settings, true, e))
        return false;
    for (const struct unit *unit = units->at; unit < units->at + units->n; unit++)
        if (unit->kind == UNIT_QUATERNION)
            mark_rotation(table, unit->channel, true);
    for (size_t c = 0; c + 4 <= table->rows.nchannel; c++)
        if (is_quaternion(table, c))
            mark_rotation(table, (const size_t[]){ c, c + 1, c + 2, c + 3 }, false);
    return true;
}

/* --- confidences beside coordinates --- */

size_t inspect_stem(const char *name)
{
    const char *last = name;
    for (const char *p = name; *p; p++)
        last = strchr("._:", *p) ? p : last;
    return (size_t)(last - name);
}

size_t inspect_numbered(const char *name)
{
    size_t n = strlen(name);
    while (n > 1 && isdigit((unsigned char)name[n - 1]))
        n--;
    return n > 1 && name[n] && name[n - 1] == '_' ? n - 1 : n;
}

bool inspect_is_coordinate(const char *name)
{
    return *name && strchr("xyzXYZ", *name) && inspect_numbered(name) == 1;
}

/* Do two columns belong to the same point: are the cells above the names equal, or do the names begin alike,
 * or is b a coordinate with the number of a? */
static bool of_one_point(const struct column *a, const struct column *b)
{
    size_t stem = inspect_stem(a->name);
    if (a->above && b->above)
        return a->above[0] && strcmp(a->above, b->above) == 0;
    if (inspect_is_coordinate(b->name) && strcmp(b->name + 1, a->name + inspect_numbered(a->name)) == 0)
        return true;
    return stem > 0 && strncmp(a->name, b->name, stem + 1) == 0;
}

/* Is channel k a quality all the same: numbers from 0 to 1, named as a quality or a score, beside a channel
 * of the same point? */
static bool is_quality(const struct inspect_table *table, size_t k, const struct inspect_range *range)
{
    const struct column_plan *plan = table->reader->plan;
    const struct column *column = plan_channel(plan, k);
    const char *name = column->above ? column->original : column->name;
    size_t stem = inspect_stem(name);
    const size_t kind = inspect_numbered(name);
    const bool letter = kind == 1 && name[kind] && tolower((unsigned char)*name) == 'c';
    const bool named = letter || columns_name_means(name, kind, NAME_QUALITY) ||
                       columns_name_means(name, strlen(name), NAME_QUALITY) ||
                       strcasecmp(stem > 0 ? name + stem + 1 : name, "score") == 0;
    if (!named || !(range->least >= 0 && range->most <= 1))
        return false;
    for (size_t other = 0; other < plan->nchannel; other++)
        if (other != k && of_one_point(column, plan_channel(plan, other)))
            return true;
    return false;
}

/* --- all of a channel --- */

/* What channel k is, if it is no part of a quaternion. Where no format states angles, only those of one
 * period are advised, table->period: --period has one value. */
static struct inspect_meaning find_meaning(struct inspect_table *table, size_t k,
                                           const struct inspect_range *range)
{
    double *x = inspect_value(&table->rows, k);
    struct inspect_meaning meaning = { .kind = find_kind(table, x, range), .rotation = COLUMN_NONE };
    const double turn = find_turn(table, k, meaning.kind);
    if (turn > 0) {
        meaning.kind = INSPECT_ANGLE;
        meaning.period = turn;
        meaning.by_format = plan_channel(table->reader->plan, k)->period > 0;
        if (!meaning.by_format && table->period == 0)
            table->period = turn;
        meaning.plain = !meaning.by_format && turn != table->period;
        meaning.nwrap = meaning.plain ? 0 : remove_turns(x, &table->rows, turn);
    }
    if (is_quality(table, k, range))
        meaning.kind = INSPECT_QUALITY;
    return meaning;
}

bool inspect_channels_find(struct inspect_table *table, struct error *e)
{
    const size_t n = table->rows.nchannel;
    if (!arrays_make(e, ARRAY(table->channel, n + 1)))
        return false;
    for (size_t k = 0; k < n; k++) {
        struct inspect_channel *channel = &table->channel[k];
        channel->column = table->reader->plan->channel[k];
        channel->range = inspect_range_of(&table->rows, inspect_value(&table->rows, k));
        channel->meaning = find_meaning(table, k, &channel->range);
        channel->missing = find_missing(&table->rows, k);
    }
    return find_quaternions(table, e);
}
