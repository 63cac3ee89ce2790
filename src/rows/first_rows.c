/* What the first rows show beyond the first: whether a column without a name holds times, and which columns
 * rise as the times do. Readers add rows only while a decision is open, so that a live stream of other data
 * comes out row by row. The result is the same for a stream and a file. */
#include "number/number.h"
#include "rows/columns.h"

#include "base/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_ROWS = 8, /* most rows that a decision takes */
    LEAST_ROWS = 4, /* least rows that show a clock, in a short file */
    EPOCH_ROWS = 2  /* rows that show whether a time since 1970 rises */
};

#define LARGE 1000 /* from this number on a column can be a clock that began before the file */
#define EQUAL 1e-6 /* of a step: difference of equal steps */
#define SAME_RATE                                                                                            \
    0.01 /* of a step: how far the rows of a clock may lie from even progress with the times                 \
          */

bool columns_add_row(struct columns *columns, const double *number, struct error *e)
{
    const size_t n = columns->ncolumn, at = columns->nearly * n;
    if (!array_reserve(&columns->early, at + n, &columns->maxearly, sizeof *columns->early, e))
        return false;
    memcpy(columns->early + at, number, n * sizeof *number);
    columns->nearly++;
    return true;
}

/* Does the column rise from row to row in all rows known? */
static bool rises(const struct columns *columns, size_t i)
{
    for (size_t row = 1; row < columns->nearly; row++)
        if (!(columns_early(columns, row, i) > columns_early(columns, row - 1, i)))
            return false;
    return true;
}

/* --- a time without a name --- */

bool columns_goes_forward(const struct columns *columns, size_t i)
{
    for (size_t row = 1; row < columns->nearly; row++)
        if (!(columns_early(columns, row, i) >= columns_early(columns, row - 1, i)))
            return false;
    return columns->nearly < 2 ||
           columns_early(columns, columns->nearly - 1, i) > columns_early(columns, 0, i);
}

bool columns_begins_with_epoch(const struct columns *columns)
{
    return !columns->named && columns->ncolumn > 1 && columns->column[0].first == CELL_NUMBER &&
           columns_unit_of_epoch(columns->column[0].number) != TIME_UNIT_NONE && rises(columns, 0);
}

/* --- other clocks --- */

/* The power of 1000 that is nearest to a ratio; 0: the ratio is not positive. */
static double nearest_unit(double ratio)
{
    return ratio > 0 ? pow(1000, round(log(ratio) / log(1000))) : 0;
}

/* Can the column be a clock, by the first row: is its number large, or the time of the row in another unit?
 */
static bool may_be_clock(const struct column *column, double time)
{
    const double x = column->number, unit = nearest_unit(x / time);
    const bool converted = time > 0 && unit != 1 && fabs(x - unit * time) <= SAME_RATE * x;
    return column->first == CELL_NUMBER && (x >= LARGE || (x > 0 && converted));
}

/* The unit of the last decimal that the first rows of a column show, at least 1e-9. */
static double last_decimal(const struct columns *columns, size_t i)
{
    return fmax(number_unit(columns->early + i, columns->ncolumn, columns->nearly, 9, 0), 1e-9);
}

/* Are the steps of the times equal? If so, the times show no rounding. */
static bool has_equal_steps(const struct columns *columns, size_t time)
{
    const double step = columns_early(columns, 1, time) - columns_early(columns, 0, time);
    for (size_t row = 2; row < columns->nearly; row++)
        if (fabs(columns_early(columns, row, time) - columns_early(columns, row - 1, time) - step) >
            EQUAL * fabs(step))
            return false;
    return true;
}

/* Does the column go on with the times in all rows known, by one factor that is a power of 1000? Times since
 * 1970 need only rise at about this rate. */
static bool follows(const struct columns *columns, size_t i, size_t time)
{
    const size_t last = columns->nearly - 1;
    const double x = columns_early(columns, 0, i), t = columns_early(columns, 0, time);
    const double elapsed = columns_early(columns, last, time) - t, rise = columns_early(columns, last, i) - x;
    const double unit = nearest_unit(rise / elapsed);
    if (!(elapsed > 0) || !(unit > 0) || !rises(columns, i))
        return false;
    if (columns_unit_of_epoch(columns->column[i].number) != TIME_UNIT_NONE)
        return rise < 2 * unit * elapsed && rise > unit * elapsed / 2;
    const double of_times = has_equal_steps(columns, time) ? 0 : last_decimal(columns, time);
    const double slack = SAME_RATE * rise / (double)last + last_decimal(columns, i) + unit * of_times;
    for (size_t row = 1; row <= last; row++)
        if (!(fabs(columns_early(columns, row, i) - x - unit * (columns_early(columns, row, time) - t)) <=
              slack))
            return false;
    return true;
}

/* Is there a number besides the times and column i, so that something is left to filter? */
static bool leaves_another(const struct columns *columns, size_t i, size_t time)
{
    for (size_t k = 0; k < columns->ncolumn; k++)
        if (k != i && k != time && columns->column[k].first == CELL_NUMBER &&
            !columns_counts_rows(&columns->column[k]))
            return true;
    return false;
}

/* Can column i be a clock, by the rows known? time: the time column. */
static bool is_open(const struct columns *columns, size_t i, size_t time)
{
    return i != time && may_be_clock(&columns->column[i], columns_early(columns, 0, time)) &&
           (columns->nearly < 2 || follows(columns, i, time));
}

bool columns_rises_as_time(const struct columns *columns, size_t i)
{
    const size_t time = columns->nearly > 1 ? columns_usual_time(columns) : COLUMN_NONE;
    const bool epoch = columns_unit_of_epoch(columns->column[i].number) != TIME_UNIT_NONE;
    return time != COLUMN_NONE && columns->nearly >= (epoch ? EPOCH_ROWS : LEAST_ROWS) &&
           is_open(columns, i, time) && leaves_another(columns, i, time);
}

/* --- derivatives of an earlier run --- */

bool columns_moves(const struct columns *columns, size_t i)
{
    for (size_t row = 1; row < columns->nearly; row++)
        if (columns_early(columns, row, i) != columns_early(columns, row - 1, i))
            return true;
    return false;
}

/* Is a column named as a derivative of a column that does not move in the rows known? */
static bool awaits_motion(const struct columns *columns)
{
    for (size_t i = columns_first_added(columns); columns->delimiter && i < columns->ncolumn; i++) {
        const size_t source = columns_find_source(columns, columns->column[i].name);
        if (source != COLUMN_NONE && columns->column[i].first == CELL_NUMBER &&
            !columns_moves(columns, source))
            return true;
    }
    return false;
}

/* --- dates --- */

static void learn_date(struct column *column, const char *text, size_t n)
{
    struct timestamp ignored;
    const bool month = !timestamp_fault(TIMESTAMP_MONTH_FIRST, text, n, &ignored);
    const bool day = !timestamp_fault(TIMESTAMP_DAY_FIRST, text, n, &ignored);
    column->unsure = month == day;
    column->form = day && !month ? TIMESTAMP_DAY_FIRST : TIMESTAMP_MONTH_FIRST;
}

double columns_take_date(struct column *column, const char *text, size_t n)
{
    struct timestamp time;
    if (timestamp_read(text, n, &time) == TIMESTAMP_NUMBER)
        return (double)NAN;
    if (column->unsure)
        learn_date(column, text, n);
    return time.t;
}

/* --- rows that are needed --- */

bool columns_want_row(const struct columns *columns, bool seeks_time)
{
    if (columns->nearly == 0 || columns->nearly >= FIRST_ROWS)
        return columns->nearly == 0 && columns->ncolumn > 0;
    if ((columns->nearly < EPOCH_ROWS && columns_begins_with_epoch(columns)) || awaits_motion(columns))
        return true;
    for (size_t i = 0; i < columns->ncolumn; i++)
        if (columns->column[i].unsure)
            return true;
    const size_t time = columns_usual_time(columns);
    if (seeks_time && time == COLUMN_NONE && columns->rate == 0)
        return columns_resembles_time(columns, false) != COLUMN_NONE;
    for (size_t i = 0; time != COLUMN_NONE && i < columns->ncolumn; i++) {
        const bool epoch = columns_unit_of_epoch(columns->column[i].number) != TIME_UNIT_NONE;
        const bool known = columns_name_means(columns->column[i].name, strlen(columns->column[i].name),
                                              NAME_CLOCK);
        if (!known && columns->nearly < (epoch ? EPOCH_ROWS : FIRST_ROWS) && is_open(columns, i, time) &&
            leaves_another(columns, i, time))
            return true;
    }
    return false;
}
