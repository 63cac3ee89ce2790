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
    if (dot)
        return dot + 1;
    return column->name[0] || !column->above ? column->original : column->above;
}

/* Are columns i and i + 1 a date and a time of day that are numbers, such as 140214 and 74852200? */
static bool are_packed_clock(const struct table *table, size_t i)
{
    return i + 1 < table->ncolumn && strcasecmp(table->column[i].name, "date") == 0 &&
           strcasecmp(table->column[i + 1].name, "time") == 0 && table->column[i].first == CELL_NUMBER &&
           table->column[i + 1].first == CELL_NUMBER;
}

static bool is_timely(const char *name)
{
    return port_strcasestr(name, "time") || port_strcasestr(name, "stamp");
}

/* Is the first row of the column a time since 1970, in a first column or below a name of a time or unit? */
static bool is_unix_time(const struct table *table, size_t i)
{
    const struct column *column = &table->column[i];
    const char *name = columns_last_line(table, i);
    const bool named = columns_unit_in_name(name) != TIME_UNIT_NONE || is_timely(name);
    return (named || i == 0) && table->ncolumn > 1 && columns_holds_epoch(column);
}

/* Column i or a neighbour, if it has this name and a text; else COLUMN_NONE. */
static size_t find_near(const struct table *table, size_t i, const char *name)
{
    const size_t near[] = { i, i + 1, i - 1 };
    for (size_t k = 0; k < sizeof near / sizeof *near; k++)
        if (near[k] < table->ncolumn && table->column[near[k]].text &&
            strcasecmp(table->column[near[k]].name, name) == 0)
            return near[k];
    return COLUMN_NONE;
}

/* The time of the first row. */
struct time_cells {
    size_t date, time; /* the columns; date is COLUMN_NONE for one column */
    enum timestamp_form form;
    char text[64]; /* of both with a blank between, cut; "": no text */
};

/* Column i as the time, or its pair: `date` and `time` next to each other. */
static struct time_cells time_cells(const struct table *table, size_t i)
{
    const struct column *column = &table->column[i];
    struct time_cells one = { COLUMN_NONE, i, column->form, "" };
    struct time_cells pair = { .date = find_near(table, i, "date"), .time = find_near(table, i, "time") };
    struct timestamp ignored;
    snprintf(one.text, sizeof one.text, "%s", column->text ? column->text : "");
    if (pair.date == COLUMN_NONE || pair.time == COLUMN_NONE || (pair.date != i && pair.time != i))
        return one;
    snprintf(pair.text, sizeof pair.text, "%s %s", table->column[pair.date].text,
             table->column[pair.time].text);
    pair.form = timestamp_read(TIMESTAMP_NUMBER, pair.text, strlen(pair.text), &ignored);
    return pair.form == TIMESTAMP_NUMBER ? one : pair;
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
        if (are_packed_clock(table, i)) {
            i++;
            continue;
        }
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
    const int unit = columns_unit_in_name(name), epoch = unit_of_epoch(column->number);
    if (column->first != CELL_NUMBER || column->number < 0)
        return false;
    if (are_packed_clock(table, i) || (i > 0 && are_packed_clock(table, i - 1)))
        return true;
    if (epoch != TIME_UNIT_NONE && (is_timely(name) || port_strcasestr(name, "clock") || unit == epoch))
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

bool columns_untimed(const struct table *table, struct error *e)
{
    const size_t counter = frame_counter(table);
    char word[TEXT_WORD], number[COLUMNS_NUMBER];
    error_data(e, "no time column found, and the row rate is unknown");
    if (counter != COLUMN_NONE)
        return error_hint(e,
                          "give the frame rate: --rate 100 (if frames were dropped, also -t %s --time-unit "
                          "frames), or -t COLUMN",
                          text_quoted(word, columns_entry(table, counter, number)));
    return error_hint(e, "give the time column, as in -t 1, or the rows per second, as in --rate 100");
}
