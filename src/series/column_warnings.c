/* Warnings of columns that hold something else than what they are filtered as: quaternions and angles that
 * are filtered as plain numbers, and counts of rows and times that are filtered at all. The first rows alone
 * tell quaternions, counts and times; an angle is told at the row at which it wraps. No row waits for a
 * warning. */
#include "series/series_state.h"

#include "base/array.h"
#include "whole/rotation_matrix.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#define UNIT         1e-3 /* error of the length of a quaternion that is printed with three decimals */
#define WHOLE_TURN   0.9  /* of the period: the least step that counts as a whole turn */
#define HALF_LEAST   0.3  /* of the period: the least step that counts as half a turn */
#define HALF_MOST    0.7
#define WRAP_SLACK   1e-3              /* of the period: by how much rounded angles may lie beyond the turn */
#define EVEN_ROUNDED (4 * DBL_EPSILON) /* of a number: its rounding */

static const double periods[] = { 360, 6.283185307179586 }; /* of angles in degrees and in radians */

/* --- quaternions --- */

/* Are four neighbours of length 1 in all first rows, and named like a quaternion, or all moved and no part of
 * a matrix? */
static bool is_quaternion(const struct series *series, size_t c)
{
    const struct warnings *warnings = &series->warnings;
    const struct columns *columns = series->config.in.columns;
    const size_t column[4] = { columns->channel[c], columns->channel[c + 1], columns->channel[c + 2],
                               columns->channel[c + 3] };
    bool named, unit = warnings->nrow > 1, moved[4] = { false };
    if (!columns_may_be_quaternion(columns, column, &named))
        return false;
    for (size_t i = 0; unit && i < warnings->nrow; i++) {
        double square = 0;
        for (size_t k = 0; k < 4; k++) {
            double x = warnings->first[i * series->nchannel + c + k];
            square += rotations_of(series->config.in.rotations, c + k) ? (double)NAN : x * x;
            moved[k] |= x != warnings->first[c + k];
        }
        unit = fabs(sqrt(square) - 1) < UNIT;
    }
    const struct number_table first = { warnings->first, warnings->nrow, series->nchannel, series->nchannel,
                                        1 };
    return unit && (named || (!memchr(moved, false, 4) && !rotation_matrix_has(&first, c, 4)));
}

static void warn_of_quaternions(const struct series *series, struct messages *to)
{
    size_t found = 0, first = 0;
    for (size_t c = 0; c + 4 <= series->nchannel; c++)
        if (is_quaternion(series, c)) {
            first = found++ ? first : c;
            c += 3;
        }
    if (found)
        messages_add(to, series->config.file,
                     "warning: \"%s\" and the three columns after it look like a quaternion, and are "
                     "filtered as plain numbers%s: --quaternions filters rotations",
                     columns_channel(series->config.in.columns, first)->name,
                     found > 1 ? ", and so are others" : "");
}

/* --- counts and times --- */

/* Does the channel rise by 1 from row to row, from a whole number on? */
static bool counts(const struct series *series, size_t c)
{
    const double *x = series->warnings.first + c;
    bool whole = x[0] >= 0 && x[0] == floor(x[0]);
    for (size_t i = 1; whole && i < WARNINGS_ROWS; i++)
        whole = x[i * series->nchannel] == x[0] + (double)i;
    return whole;
}

/* The value of the last digit of the numbers x[0], x[stride], …, by the decimals that they show; 0: too many.
 */
static double last_digit(const double *x, size_t stride)
{
    enum { MOST = 12 };
    double scale = 1;
    for (size_t i = 0, decimals = 0; i < WARNINGS_ROWS; i++)
        while (fabs(x[i * stride] * scale - round(x[i * stride] * scale)) >
               EVEN_ROUNDED * fabs(x[i * stride] * scale)) {
            if (++decimals > MOST)
                return 0;
            scale *= 10;
        }
    return 1 / scale;
}

/* Does the channel rise by one constant from row to row, to within the last digit of its numbers? */
static bool rises_evenly(const struct series *series, size_t c)
{
    const size_t last = WARNINGS_ROWS - 1, stride = series->nchannel;
    const double *x = series->warnings.first + c, most = fmax(fabs(x[0]), fabs(x[last * stride]));
    const double step = (x[last * stride] - x[0]) / (double)last, rounded = EVEN_ROUNDED * most;
    const double digit = last_digit(x, stride);
    double off = 0;
    for (size_t i = 1; i <= last; i++) {
        if (!(x[i * stride] > x[(i - 1) * stride]))
            return false;
        off = fmax(off, fabs(x[i * stride] - x[0] - (double)i * step));
    }
    /* Of few digits only equal steps are even. */
    return off <= rounded || (step > 1.5 * digit && off <= digit + rounded);
}

static void warn_of_counts(const struct series *series, struct messages *to)
{
    const enum family family = series->config.in.reader->format->family;
    struct column_names names = { .n = 0 };
    const bool rated = series->config.in.rate != 0;
    bool even = false;
    if (series->warnings.nrow < WARNINGS_ROWS || (family != FAMILY_TEXT && family != FAMILY_JSON))
        return;
    for (size_t c = 0; c < series->nchannel; c++) {
        const struct column *column = columns_channel(series->config.in.columns, c);
        bool count = counts(series, c), rises = count || (rated && rises_evenly(series, c));
        if (!rises || column->reason == REASON_CHOSEN || series_leaves(series, c))
            continue;
        even = even || !count;
        columns_names_add(&names, column->name, NULL);
    }
    if (names.n == 0)
        return;
    messages_add(
        to, series->config.file,
        "warning: in the first %d rows these columns rise %s, and they are filtered: %s; --exclude leaves a "
        "column as it is, --time COLUMN%s takes the times from it",
        WARNINGS_ROWS, even ? "evenly, as times do" : "by 1, as counts of rows do",
        columns_names_text(&names), rated ? " instead of --rate" : "");
}

void column_warnings_of_first(struct series *series, struct messages *to)
{
    if (!series->config.numbers_meant)
        warn_of_quaternions(series, to);
    warn_of_counts(series, to);
}

/* --- angles that wrap --- */

/* Can the numbers so far be angles of one turn: from 0 to the period, or to half the period on both sides? */
static bool within_turn(const struct wrap_watch *watch, double period)
{
    double slack = WRAP_SLACK * period;
    bool positive = watch->least >= -slack && watch->most <= period + slack;
    return positive || (watch->least >= -period / 2 - slack && watch->most <= period / 2 + slack);
}

/* The least step that tells anything of an angle. Numbers beyond a turn in radians can be degrees alone. */
static double least_leap(const struct wrap_watch *watch)
{
    return HALF_LEAST * periods[within_turn(watch, periods[1]) ? 1 : 0];
}

/* Takes a step of at least least_leap. Returns the period of the angle that wraps in this step, or 0. An
 * angle that moves on wraps more often than it makes half a turn in a step, and noise does not. A number that
 * stands still before the step, as a switch, is no angle; nor are whole numbers radians. */
static double take_leap(struct wrap_watch *watch, double step)
{
    double wraps = 0;
    for (size_t k = 0; k < 2; k++) {
        double part = fabs(step) / periods[k];
        bool whole = part > WHOLE_TURN && within_turn(watch, periods[k]) && watch->step != 0;
        watch->nhalf[k] += part >= HALF_LEAST && part <= HALF_MOST;
        if (!whole || (k > 0 && !watch->fraction))
            continue;
        watch->nwrap[k]++;
        if (watch->nwrap[k] > watch->nhalf[k])
            wraps = periods[k];
    }
    return wraps;
}

/* Notes that channel c wraps at a row. before: the number of the row before. */
static void note_wrap(struct series *series, size_t c, struct spot at, double before, double period)
{
    struct warnings *warnings = &series->warnings;
    uint64_t row = at.block->firstrow + at.row;
    if (row >= warnings->wrapped[c])
        return;
    warnings->wrapped[c] = row;
    const char *radians = period == periods[0] ? "" : " with --period 6.283185307179586";
    messages_add(
        warnings_note(series, at, at, NOTE_WRAPS), series->config.file,
        "warning: \"%s\" goes from %.6g to %.6g, nearly a whole turn, and is filtered as a plain number: "
        "--angles LIST%s filters angles",
        columns_channel(series->config.in.columns, c)->name, before, block_value(at.block, c)[at.row],
        radians);
}

/* Looks at the new rows of a channel, row by row. */
static void watch_rows(struct series *series, struct wrap_watch *of, const struct chunk *chunk, size_t c)
{
    struct wrap_watch watch = *of;
    const double *value = block_value(chunk->block, c);
    const size_t n = chunk->n - chunk->nwaiting;
    for (size_t i = 0; i < n; i++) {
        size_t row = new_row(chunk, i);
        double x = value[row], step = x - watch.before, period = 0;
        if (isnan(x) || !block_row_read(chunk->block, row))
            continue;
        if (!watch.known) {
            watch = (struct wrap_watch){ .known = true, .before = x, .least = x, .most = x };
            step = 0;
        }
        watch.least = fmin(watch.least, x);
        watch.most = fmax(watch.most, x);
        if (fabs(step) >= least_leap(&watch)) {
            watch.fraction = watch.fraction || x != floor(x) || watch.before != floor(watch.before);
            period = take_leap(&watch, step);
        }
        if (period > 0)
            note_wrap(series, c, (struct spot){ chunk->block, row }, watch.before, period);
        watch.before = x;
        watch.step = step;
    }
    *of = watch;
}

static inline double lesser(double a, double b)
{
    return b < a ? b : a; /* a where b is missing */
}

static inline double greater(double a, double b)
{
    return b > a ? b : a;
}

/* One more than the index of the last of the first n values that is not missing; 0: all are. */
static size_t number_before(const double *x, size_t n)
{
    while (n > 0 && isnan(x[n - 1]))
        n--;
    return n;
}

/* Takes n values if the range of these values and the value before them is less than least_leap, so that no
 * step is a leap. False, and nothing is taken: the range is larger, or no value came before. */
static bool pass_quiet(struct wrap_watch *watch, const double *x, size_t n)
{
    double least = watch->before, most = least;
    size_t i = 0;
    for (; i + 1 < n; i += 2) {
        least = lesser(lesser(least, x[i]), x[i + 1]);
        most = greater(greater(most, x[i]), x[i + 1]);
    }
    if (i < n) {
        least = lesser(least, x[i]);
        most = greater(most, x[i]);
    }
    if (!watch->known || !(most - least < least_leap(watch)))
        return false;
    watch->least = lesser(watch->least, least);
    watch->most = greater(watch->most, most);
    size_t last = number_before(x, n), earlier = number_before(x, last > 0 ? last - 1 : 0);
    if (last == 0)
        return true;
    watch->step = x[last - 1] - (earlier > 0 ? x[earlier - 1] : watch->before);
    watch->before = x[last - 1];
    return true;
}

/* The watches of a group's channels. NULL: the group is not among the first, or memory is out. */
static struct wrap_watch *watches_of(struct series *series, const struct group *group)
{
    struct warnings *warnings = &series->warnings;
    struct error e;
    size_t end = ((size_t)group->number + 1) * series->nchannel;
    if (group->number >= WATCHED_GROUPS ||
        !array_reserve(&warnings->watch, end, &warnings->maxwatch, sizeof *warnings->watch, &e))
        return NULL;
    while (warnings->nwatch < end)
        warnings->watch[warnings->nwatch++] = (struct wrap_watch){ .known = false };
    return warnings->watch + end - series->nchannel;
}

void column_warnings_take(struct series *series, const struct filter_group *group, const struct chunk *chunk)
{
    const struct warnings *warnings = &series->warnings;
    const bool plain = !chunk->index && !(chunk->block->marks & MARK_POINT);
    struct wrap_watch *watches = watches_of(series, group->group);
    for (size_t c = 0; c < series->nchannel && watches; c++) {
        struct wrap_watch *watch = &watches[c];
        bool over = watch->known && !within_turn(watch, periods[0]);
        if (!warnings->may_wrap[c] || over || warnings->wrapped[c] < chunk->block->firstrow)
            continue;
        const double *x = block_value(chunk->block, c) + chunk->first;
        if (!plain || !pass_quiet(watch, x, chunk->n - chunk->nwaiting))
            watch_rows(series, watch, chunk, c);
    }
}

/* Names the channels that wrap, except the first channel, which was named at the row where it wraps. */
void column_warnings_finish(struct series *series)
{
    const struct warnings *warnings = &series->warnings;
    const struct columns *columns = series->config.in.columns;
    struct column_names others = { .n = 0 };
    size_t first = 0;
    for (size_t c = 1; c < series->nchannel; c++)
        first = warnings->wrapped[c] < warnings->wrapped[first] ? c : first;
    for (size_t c = 0; c < series->nchannel; c++)
        if (c != first && warnings->wrapped[c] < series->end)
            columns_names_add(&others, columns_channel(columns, c)->name, NULL);
    if (others.n > 0)
        messages_add(series->config.messages, series->config.file,
                     "warning: nearly whole turns as in \"%s\" are also in %s",
                     columns_channel(columns, first)->name, columns_names_text(&others));
}

/* --- opening --- */

bool column_warnings_open(struct series *series, struct error *e)
{
    struct warnings *warnings = &series->warnings;
    const struct reader *reader = series->config.in.reader;
    bool binary = reader->format->family == FAMILY_AUDIO || reader->format->family == FAMILY_BINARY;
    if (!arrays_make(e, ARRAY(warnings->wrapped, series->nchannel),
                     ARRAY(warnings->may_wrap, series->nchannel)))
        return false;
    for (size_t c = 0; c < series->nchannel; c++) {
        bool number = series->config.in.rotations->period[c] == 0 &&
                      !rotations_of(series->config.in.rotations, c);
        bool able = number && !binary && series->config.first && !series_leaves(series, c);
        warnings->wrapped[c] = UINT64_MAX;
        warnings->may_wrap[c] = able && columns_may_be_angle(series->config.in.columns,
                                                             series->config.in.columns->channel[c]);
    }
    return true;
}

void column_warnings_close(struct series *series)
{
    free(series->warnings.wrapped);
    free(series->warnings.watch);
}
