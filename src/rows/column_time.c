/* Times: the time column and the unit of the times, counts of frames, other clocks. The names are in
 * column_names.c. */
#include "rows/table.h"

#include "base/port.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The unit (s, ms, us or ns) that makes a number a time between the years 2000 and 2100, counted from 1970;
 * at most one unit fits. TIME_UNIT_NONE: no unit fits. */
static int unit_of_epoch(double number)
{
    static const double year_2000 = 946684800, year_2100 = 4102444800;
    double second = 1;
    for (int unit = TIME_UNIT_S; unit <= TIME_UNIT_NS; unit++, second *= 1000)
        if (number >= year_2000 * second && number < year_2100 * second)
            return unit;
    return TIME_UNIT_NONE;
}

struct time_unit columns_time_unit(int unit, double rate)
{
    if (unit == TIME_UNIT_FRAMES)
        return (struct time_unit){ .rate = rate };
    if (unit == TIME_UNIT_MIN)
        return (struct time_unit){ .multiple = 60 };
    if (unit == TIME_UNIT_H)
        return (struct time_unit){ .multiple = 3600 };
    return (struct time_unit){ .exp10 = -3 * unit };
}

int columns_choose_unit(const struct column *column, int given, const char **why)
{
    const int epoch = unit_of_epoch(column->number);
    const struct {
        int unit;
        const char *why;
    } choices[] = { { given, "by --time-unit" },
                    { columns_unit_in_name(column->name), "by its name" },
                    { column->unit, "by the line below the names" },
                    { epoch > TIME_UNIT_S ? epoch : TIME_UNIT_NONE, "by the size of its numbers" } };
    *why = column->form == TIMESTAMP_NUMBER ? NULL : "as dates and times of day";
    for (size_t k = 0; !*why && k < sizeof choices / sizeof *choices; k++)
        if (choices[k].unit != TIME_UNIT_NONE) {
            *why = choices[k].why;
            return choices[k].unit;
        }
    return TIME_UNIT_S;
}

bool columns_holds_epoch(const struct column *column)
{
    const char *why;
    const int epoch = unit_of_epoch(column->number);
    return column->first == CELL_NUMBER && epoch != TIME_UNIT_NONE &&
           columns_choose_unit(column, TIME_UNIT_NONE, &why) == epoch;
}

/* --- the time column, counts and clocks --- */

const char *columns_last_line(const struct table *table, size_t i)
{
    const struct column *column = &table->column[i];
    const char *dot = table->stacked ? strrchr(column->original, '.') : NULL;
    return dot ? dot + 1 : column->original;
}

/* Are these columns named date and time, with first cells of a kind? */
static bool are_pair(const struct table *table, size_t date, size_t time, enum cell_kind kind)
{
    const size_t n = table->ncolumn;
    const struct column *column = table->column;
    return date < n && time < n && strcasecmp(column[date].name, "date") == 0 &&
           strcasecmp(column[time].name, "time") == 0 && column[date].first == kind &&
           column[time].first == kind;
}

/* Is column i of such a pair that is numbers, as 140214 and 74852200? They cannot be read as a time. */
static bool is_packed_clock(const struct table *table, size_t i)
{
    return are_pair(table, i, i + 1, CELL_NUMBER) || are_pair(table, i - 1, i, CELL_NUMBER);
}

/* Is the first row of the column a time since 1970, in a first column or below the name of a clock? */
static bool is_unix_time(const struct table *table, size_t i)
{
    const char *name = columns_last_line(table, i);
    return (i == 0 || columns_name_means(name, strlen(name), NAME_CLOCK)) && table->ncolumn > 1 &&
           columns_holds_epoch(&table->column[i]);
}

/* The time of the first row. */
struct time_cells {
    size_t date, time; /* the columns; date is COLUMN_NONE for one column */
    enum timestamp_form form;
    char text[64]; /* of both with a blank between, cut; "": no text */
};

/* Column i as the time, or, with the column next to it, as a date and a time of day. */
static struct time_cells time_cells(const struct table *table, size_t i)
{
    const size_t pairs[][2] = { { i, i + 1 }, { i + 1, i }, { i - 1, i }, { i, i - 1 } };
    const struct column *column = table->column;
    struct time_cells one = { COLUMN_NONE, i, column[i].form, "" };
    struct timestamp ignored;
    snprintf(one.text, sizeof one.text, "%s", column[i].text ? column[i].text : "");
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        struct time_cells pair = { .date = pairs[k][0], .time = pairs[k][1] };
        if (!are_pair(table, pair.date, pair.time, CELL_TEXT))
            continue;
        snprintf(pair.text, sizeof pair.text, "%s %s", column[pair.date].text, column[pair.time].text);
        pair.form = timestamp_read(TIMESTAMP_NUMBER, pair.text, strlen(pair.text), &ignored);
        if (pair.form != TIMESTAMP_NUMBER)
            return pair;
    }
    return one;
}

static bool is_date(const struct column *column)
{
    return column->first == CELL_TEXT && column->form != TIMESTAMP_NUMBER &&
           column->form != TIMESTAMP_CLOCK && !timestamp_is_unsure(column->text, strlen(column->text));
}

size_t columns_usual_time(const struct table *table)
{
    size_t other = COLUMN_NONE;
    for (size_t i = 0; i < table->ncolumn; i++) {
        const char *name = columns_last_line(table, i), *whole = table->column[i].name;
        const struct column *column = &table->column[i];
        if (is_packed_clock(table, i))
            continue;
        const struct time_cells cells = time_cells(table, i);
        if (cells.date != COLUMN_NONE)
            return cells.time;
        const bool named = columns_name_means(name, strlen(name), NAME_TIME) ||
                           columns_name_means(whole, strlen(whole), NAME_TIME);
        if (named && (column->first != CELL_TEXT || column->form != TIMESTAMP_NUMBER))
            return i;
        if (other == COLUMN_NONE && (named || is_unix_time(table, i) || (i == 0 && is_date(column))))
            other = i;
    }
    return other;
}

bool columns_counts_rows(const struct table *table, size_t i)
{
    const struct column *column = &table->column[i];
    const char *name = columns_last_line(table, i);
    const bool count = strcmp(name, "#") == 0 || columns_name_means(name, strlen(name), NAME_COUNT);
    const bool whole = column->number >= 0 && column->number == floor(column->number);
    return columns_name_means(name, strlen(name), NAME_FRAMES) || (count && whole);
}

bool columns_is_clock(const struct table *table, size_t i)
{
    const struct column *column = &table->column[i];
    const char *name = columns_last_line(table, i);
    const int epoch = unit_of_epoch(column->number);
    if (column->first != CELL_NUMBER || column->number < 0)
        return false;
    if (is_packed_clock(table, i))
        return true;
    if (epoch != TIME_UNIT_NONE && (port_strcasestr(name, "time") || port_strcasestr(name, "stamp") ||
                                    port_strcasestr(name, "clock") || columns_unit_in_name(name) == epoch))
        return true;
    return columns_name_means(name, strlen(name), NAME_CLOCK) ||
           (columns_name_means(name, strlen(name), NAME_TIME) && name[1]);
}

/* The first column of frame numbers, or COLUMN_NONE. */
static size_t frame_counter(const struct table *table)
{
    for (size_t i = 0; i < table->ncolumn; i++)
        if ((table->column[i].first == CELL_NUMBER || table->column[i].frame) &&
            columns_counts_rows(table, i))
            return i;
    return COLUMN_NONE;
}

/* --- the time of the table --- */

/* Sets how the time column is read: a column of dates next to times of day belongs to it. */
static bool find_form(struct table *table, struct column *column, struct error *e)
{
    const struct time_cells cells = time_cells(table, table->time);
    table->date = cells.date;
    table->time = cells.time;
    table->form = cells.form;
    if (cells.date != COLUMN_NONE) {
        table->column[cells.date].role = table->column[cells.time].role = ROLE_TIME;
        table->column[cells.date].why = table->column[cells.time].why = "a date and a time of day";
    }
    if (timestamp_is_unsure(cells.text, strlen(cells.text)))
        error_data(e, "this date may have the month or the day first: \"%s\"", cells.text);
    else if (cells.text[0] && cells.form == TIMESTAMP_NUMBER)
        error_data(e, "this text cannot be read as a time: \"%s\"", cells.text);
    else
        return true;
    error_column(e, column->name);
    return error_hint(e, "times are read as numbers, or as in " TIMESTAMP_FORMS);
}

bool table_find_time(struct table *table, struct error *e)
{
    const struct column_choice *choice = table->choice;
    const bool frames = choice->time_unit == TIME_UNIT_FRAMES;
    const size_t usual = columns_usual_time(table), counter = frames ? frame_counter(table) : COLUMN_NONE;
    size_t time = counter == COLUMN_NONE ? usual : counter;
    if (choice->time && (time = columns_find(table, choice->time, "--time", e)) == COLUMN_NONE)
        return false;
    if (frames && !(choice->rate > 0 && time != COLUMN_NONE)) {
        error_usage(e, "--time-unit frames needs the frame rate and a column of frame numbers");
        return error_hint(e, "give the rate with --rate, such as --rate 100, and the column with -t COLUMN");
    }
    if (choice->rate > 0 && !frames) {
        table->unused_time = time;
        return true;
    }
    table->time = time;
    if (time == COLUMN_NONE)
        return true;
    struct column *column = &table->column[time];
    column->role = ROLE_TIME;
    column->why = frames ? "named like a frame number" : "named like a time";
    if (choice->time)
        column->why = why_option;
    else if (table->owns_time && time == 0)
        column->why = "from the format";
    if (!find_form(table, column, e))
        return false;
    if (choice->time && !frames && usual != table->time)
        table->unused_time = usual;
    table->unit = columns_choose_unit(column, choice->time_unit, &table->unit_why);
    table->time_unit = columns_time_unit(table->unit, choice->rate);
    return true;
}

bool columns_untimed(struct error *e)
{
    error_data(e, "no time column found, and the row rate is unknown");
    return error_hint(e,
                      "give the time column, as in -t 1, or the rows per second, as in --rate 100 (if frames "
                      "were dropped: --time-unit frames, too)");
}
