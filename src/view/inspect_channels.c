/* Facts about each channel from the rows: missing values, jumps, noise, and the kind of the numbers.
 * Jumps are found by the rule of --detect-cuts (whole/jumps.h), and noise is measured as by --halflife auto
 * (whole/noise.h). See inspect.h. */
#include "view/inspect.h"

#include "whole/jumps.h"
#include "whole/noise.h"
#include "whole/rotation_matrix.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define FULL_TURN       0.9  /* part of the period that a step of an angle that wraps exceeds */
#define UNIT_LENGTH     0.02 /* distance from 1 of the length of a quaternion printed with few decimals */
#define RADIANS_IN_TURN 6.283185307179586

/* --- numbers of one channel --- */

/* Finds the range, and the kinds constant, count and mark. may_count: columns of the format may count rows;
 * in other formats a column that rises by 1 is a motion. */
static void find_range(struct inspect_channel *channel, const struct inspect_rows *rows, const double *x,
                       bool may_count)
{
    bool whole_steps = may_count && rows->nrow > 2 && (x[0] == 0 || x[0] == 1);
    bool marks = true, zero = false, one = false;
    channel->least = channel->most = NAN;
    for (size_t i = 0; i < rows->nrow; i++) {
        channel->least = fmin(channel->least, x[i]);
        channel->most = fmax(channel->most, x[i]);
        zero = zero || x[i] == 0;
        one = one || x[i] == 1;
        marks = marks && (isnan(x[i]) || x[i] == 0 || x[i] == 1);
        if (i > 0 && !rows->begins[i])
            whole_steps = whole_steps && x[i] - x[i - 1] == 1;
    }
    if (isnan(channel->least))
        return;
    if (channel->least == channel->most)
        channel->kind = INSPECT_CONSTANT;
    else if (marks && zero && one)
        channel->kind = INSPECT_MARK;
    else if (whole_steps)
        channel->kind = INSPECT_COUNT;
}

static void count_missing(struct inspect_channel *channel, const struct inspect_rows *rows, const double *x)
{
    size_t length = 0;
    for (size_t i = 0; i < rows->nrow; i++) {
        length = rows->begins[i] ? 0 : length;
        if (!isnan(x[i])) {
            length = 0;
            continue;
        }
        channel->nmissing++;
        channel->ngap += length == 0;
        length++;
        if (length > channel->longest) {
            channel->longest = length;
            channel->longest_row = rows->number[i + 1 - length];
        }
    }
}

/* --- angles --- */

/* Counts the steps of nearly a full turn. remove: also removes whole turns from steps of more than half a
 * turn. */
static uint64_t count_turns(double *x, const struct inspect_rows *rows, double period, bool remove)
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
        double step = x[i] - before;
        before = x[i];
        count += fabs(step) > FULL_TURN * period && fabs(step) < period * (2 - FULL_TURN);
        if (fabs(step) > period / 2)
            turns -= round(step / period);
        if (remove)
            x[i] += turns * period;
    }
    return count;
}

static bool is_whole(const struct inspect_rows *rows, const double *x)
{
    for (size_t i = 0; i < rows->nrow; i++)
        if (!isnan(x[i]) && x[i] != floor(x[i]))
            return false;
    return true;
}

static void find_angle(struct inspect_channel *channel, const struct columns *columns,
                       const struct inspect_rows *rows, double *x)
{
    static const double periods[] = { 360, RADIANS_IN_TURN };
    double period = columns_at(columns, channel->column)->period;
    channel->by_format = period > 0;
    for (size_t k = 0; k < 2 && !channel->by_format && channel->kind == INSPECT_VALUE; k++) {
        bool within = channel->most - channel->least <= periods[k] * (1 + 1e-9) &&
                      fabs(channel->most) <= periods[k];
        bool radians = periods[k] == RADIANS_IN_TURN;
        within = within && !(radians && is_whole(rows, x));
        if (within && columns_may_be_angle(columns, channel->column) &&
            count_turns(x, rows, periods[k], false) > 0)
            period = periods[k];
        if (period > 0)
            break;
    }
    if (period == 0)
        return;
    channel->period = period;
    channel->kind = INSPECT_ANGLE;
    channel->nwrap = count_turns(x, rows, period, true);
}

/* --- quaternions --- */

/* Gives each quaternion the sign with which it is nearer to the quaternion before: q and -q are the same
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

/* Makes four channels the components of a rotation. */
static void mark_rotation(struct inspect_table *table, const size_t channel[4], bool by_format)
{
    double *part[4];
    for (size_t k = 0; k < 4; k++) {
        struct inspect_channel *inspect_channel = &table->channel[channel[k]];
        inspect_channel->kind = INSPECT_ROTATION;
        inspect_channel->by_format = by_format;
        inspect_channel->rotation = table->channel[channel[0]].column;
        part[k] = inspect_value(&table->rows, channel[k]);
    }
    align_signs(&table->rows, part);
}

void inspect_component_letters(const struct columns *columns, size_t first, char letters[5])
{
    for (size_t k = 0; k < 4; k++) {
        const char *name = columns->column[first + k].original;
        size_t n = strlen(name);
        char letter = n > 0 ? (char)tolower((unsigned char)name[n - 1]) : ' ';
        letters[k] = letter == 's' ? 'w' : letter;
        if (!strchr("wxyz", letters[k]))
            letters[k] = ' ';
    }
    letters[4] = '\0';
}

/* May four channels be a quaternion by their names, or else by what lies beside them? The z of a marker and
 * the x, y and z of the next marker are no quaternion, and neither are four numbers of a matrix. */
static bool may_be_quaternion(const struct inspect_table *table, size_t first)
{
    const struct inspect_rows *rows = &table->rows;
    char letters[5];
    inspect_component_letters(&table->reader->columns, table->channel[first].column, letters);
    bool all_four = strchr(letters, 'w') && strchr(letters, 'x') && strchr(letters, 'y') &&
                    strchr(letters, 'z');
    const struct number_table numbers = { rows->value, rows->nrow, rows->nchannel, 1, rows->maxrow };
    return all_four || (strchr(letters, ' ') && !rotation_matrix_has(&numbers, first, 4));
}

/* Are four neighbouring channels a quaternion: their length is 1 in all rows where the four are known, and
 * the names allow a quaternion? */
static bool is_unit(const struct inspect_table *table, size_t first)
{
    const struct inspect_channel *channel = &table->channel[first];
    size_t known = 0;
    for (size_t k = 0; k < 4; k++)
        if (channel[k].column != channel->column + k || channel[k].kind > INSPECT_CONSTANT)
            return false;
    for (size_t i = 0; i < table->rows.nrow; i++) {
        double square = 0;
        for (size_t k = 0; k < 4; k++) {
            double x = inspect_value(&table->rows, first + k)[i];
            square += x * x;
        }
        if (isnan(square))
            continue;
        known++;
        if (fabs(sqrt(square) - 1) > UNIT_LENGTH)
            return false;
    }
    return known > 2 && may_be_quaternion(table, first);
}

static bool find_quaternions(struct inspect_table *table, struct error *e)
{
    const struct columns *columns = &table->reader->columns;
    struct column_rotations rotations = { 0 };
    if (!columns_rotations(columns, QUATERNIONS, NULL, false, &rotations, e))
        return false;
    for (size_t k = 0; k < rotations.n; k++) {
        size_t channel[4];
        bool filtered = true;
        for (size_t i = 0; i < 4; i++) {
            const struct column *column = &columns->column[rotations.at[k].column[i]];
            filtered = filtered && column->role == ROLE_CHANNEL;
            channel[i] = column->value;
        }
        if (filtered)
            mark_rotation(table, channel, true);
    }
    free(rotations.at);
    for (size_t c = 0; c + 4 <= table->rows.nchannel; c++)
        if (table->channel[c].kind <= INSPECT_CONSTANT && is_unit(table, c))
            mark_rotation(table, (const size_t[]){ c, c + 1, c + 2, c + 3 }, false);
    return true;
}

/* --- confidences beside coordinates --- */

/* Bytes of a name before the last separator. */
static size_t stem_of(const char *name)
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
    size_t stem = stem_of(a->name);
    if (a->above && b->above)
        return a->above[0] && strcmp(a->above, b->above) == 0;
    return stem > 0 && strncmp(a->name, b->name, stem + 1) == 0;
}

/* Finds a quality: numbers from 0 to 1, with the name likelihood, confidence or score, beside a channel of
 * the same point. */
static void find_quality(struct inspect_table *table, size_t channel)
{
    static const char *const words[] = { "likelihood", "confidence", "score", "visibility" };
    const struct columns *columns = &table->reader->columns;
    struct inspect_channel *inspect_channel = &table->channel[channel];
    const struct column *column = columns_at(columns, inspect_channel->column);
    const char *name = column->above ? column->original : column->name;
    size_t stem = stem_of(name);
    bool named = false;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        named = named || strcasecmp(stem > 0 ? name + stem + 1 : name, words[k]) == 0;
    if (!named || !(inspect_channel->least >= 0 && inspect_channel->most <= 1))
        return;
    for (size_t other = 0; other < table->rows.nchannel; other++)
        if (other != channel && of_one_point(column, &columns->column[table->channel[other].column]))
            inspect_channel->kind = INSPECT_QUALITY;
}

/* --- jumps and noise --- */

/* Room for the numbers of a series. */
struct room {
    double *time, *value, *step, *work; /* [nrow]; one allocation, with mark */
    unsigned char *mark;                /* [nrow] */
};

/* Copies the known values of a series at rising times to room->time and room->value, and the step before each
 * value to room->step. Returns the number of values. */
static size_t gather(const struct inspect_rows *rows, const double *x, size_t first, size_t end,
                     const struct room *room)
{
    size_t n = 0;
    for (size_t i = first; i < end; i++) {
        double T = n > 0 ? rows->time[i] - room->time[n - 1] : 1;
        if (isnan(x[i]) || !(T > 0))
            continue;
        room->time[n] = rows->time[i];
        room->step[n] = T;
        room->value[n++] = x[i];
    }
    return n;
}

/* Counts the jumps of a series, rows first to end - 1, by the rule of --detect-cuts. */
static void count_jumps(struct inspect_channel *channel, const struct inspect_rows *rows, const double *x,
                        size_t first, size_t end, const struct room *room)
{
    size_t n = jumps_find(INSPECT_JUMP, end - first, rows->time + first, x + first, room->mark);
    for (size_t i = first; i < end && n > 0 && channel->njump == 0; i++)
        if (room->mark[i - first]) {
            channel->jump_row = rows->number[i];
            break;
        }
    channel->njump += n;
}

static void judge_channel(struct inspect_channel *channel, const struct inspect_rows *rows, const double *x,
                          const struct room *room)
{
    double squares = 0, count = 0;
    for (size_t first = 0, end; first < rows->nrow; first = end) {
        end = inspect_series_end(rows, first);
        size_t n = gather(rows, x, first, end, room);
        if (n < NOISE_LEAST)
            continue;
        struct noise_samples samples = { .T = room->step, .column = { room->value }, .ncolumn = 1, .n = n };
        squares += (double)n * noise_variance(&samples, room->work);
        count += (double)n;
    }
    channel->noise = count > 0 ? sqrt(squares / count) : (double)NAN;
    for (size_t first = 0, end; first < rows->nrow; first = end) {
        end = inspect_series_end(rows, first);
        count_jumps(channel, rows, x, first, end, room);
    }
}

static bool is_motion(const struct inspect_channel *channel)
{
    return channel->kind == INSPECT_VALUE || channel->kind == INSPECT_ANGLE ||
           channel->kind == INSPECT_ROTATION;
}

bool inspect_channels_find(struct inspect_table *table, struct error *e)
{
    const struct columns *columns = &table->reader->columns;
    struct inspect_rows *rows = &table->rows;
    struct room room;
    enum family family = table->reader->format->family;
    bool may_count = family == FAMILY_TEXT || family == FAMILY_JSON;
    for (size_t k = 0; k < rows->nchannel; k++) {
        struct inspect_channel *channel = &table->channel[k];
        double *x = inspect_value(rows, k);
        channel->rotation = COLUMN_NONE;
        find_range(channel, rows, x, may_count);
        count_missing(channel, rows, x);
        find_angle(channel, columns, rows, x);
    }
    for (size_t k = 0; k < rows->nchannel; k++)
        find_quality(table, k);
    size_t n = rows->nrow + 1;
    if (!find_quaternions(table, e) ||
        !arrays_make(e, ARRAY(room.time, n), ARRAY(room.value, n), ARRAY(room.step, n), ARRAY(room.work, n),
                     ARRAY(room.mark, n)))
        return false;
    for (size_t k = 0; k < rows->nchannel; k++) {
        table->channel[k].noise = NAN;
        if (is_motion(&table->channel[k]))
            judge_channel(&table->channel[k], rows, inspect_value(rows, k), &room);
    }
    free(room.time);
    return inspect_spikes_find(table, e);
}

void inspect_describe_kind(const struct columns *columns, const struct inspect_channel *channel, char *buf,
                           size_t maxbuf)
{
    buf[0] = 0;
    switch (channel->kind) {
    case INSPECT_VALUE:
        break;
    case INSPECT_CONSTANT:
        text_append(buf, maxbuf, "the same number in all rows");
        break;
    case INSPECT_COUNT:
        text_append(buf, maxbuf, "counts rows: each row has one more than the row before");
        break;
    case INSPECT_MARK:
        text_append(buf, maxbuf, "0 and 1 alone: a mark, no motion");
        break;
    case INSPECT_QUALITY:
        text_append(buf, maxbuf, "0 to 1: tells how sure a detection is");
        break;
    case INSPECT_ANGLE:
        text_append(buf, maxbuf,
                    channel->by_format ? "an angle, by the format" : "an angle that wraps at %.6g",
                    channel->period);
        break;
    case INSPECT_ROTATION:
        text_append(buf, maxbuf,
                    channel->by_format ? "of a quaternion, by the format or its names"
                                       : "of a quaternion: four components of unit length");
        break;
    }
    if (channel->ntext > 0)
        text_append(buf, maxbuf, "%stext in later rows", buf[0] ? "; " : "");
    (void)columns;
}
