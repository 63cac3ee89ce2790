/* Times: the time column and the unit of the times, counts of frames, other clocks, and which columns are
 * left alone. The names are in column_names.c. */
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
    const char *dot = table->stacked ? strrchr(column->name, '.') : NULL;
    if (dot)
        return dot + 1;
    return column->name[0] || !column->above ? column->name : column->above;
}

/* Are columns i and i + 1 a date and a time of day that are numbers, such as 140214 and 74852200? */
static bool are_packed_clock(const struct table *table, size_t i)
{
    return i + 1 < table->ncolumn && strcasecmp(table->column[i].name, "date") == 0 &&
           strcasecmp(table->column[i + 1].name, "time") == 0 && table->column[i].first == CELL_NUMBER &&
           table->column[i + 1].first == CELL_NUMBER;
}

/* Is the first row of the column a time since 1970, in a first column or below a name of a time or unit? */
static bool is_unix_time(const struct table *table, size_t i)
{
    const struct column *column = &table->column[i];
    const char *name = columns_last_line(table, i);
    const bool named = columns_unit_in_name(name) != TIME_UNIT_NONE || port_strcasestr(name, "time") ||
                       port_strcasestr(name, "stamp");
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

struct time_cells columns_time_cells(const struct table *table, size_t i)
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
    pair.form = timestamp_read(pair.text, strlen(pair.text), &ignored);
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
        const struct time_cells cells = columns_time_cells(table, i);
        if (cells.date != COLUMN_NONE)
            return cells.time;
        const bool named = columns_means_time(name, strlen(name)) || columns_means_time(whole, strlen(whole));
        if (named && (column->first != CELL_TEXT || column->form != TIMESTAMP_NUMBER))
            return i;
        if (other == COLUMN_NONE && (named || is_unix_time(table, i) || (i == 0 && is_date(column))))
            other = i;
    }
    return other;
}

/* True for a number that can count rows. */
static bool is_count(double x)
{
    return x >= 0 && x == floor(x);
}

bool columns_counts_rows(const struct column *column)
{
    const char *name = column->original;
    const bool count = strcmp(name, "#") == 0 || columns_name_means(name, strlen(name), NAME_COUNT);
    return columns_name_means(name, strlen(name), NAME_FRAMES) || (count && is_count(column->number));
}

/* Does the name of column i have the meaning, with or without the number that makes it unique? */
static bool means(const struct table *table, size_t i, enum name_meaning meaning)
{
    const char *name = columns_last_line(table, i), *original = table->column[i].original;
    return columns_name_means(name, strlen(name), meaning) ||
           columns_name_means(original, strlen(original), meaning);
}

/* Does column i hold the times of a clock that is not the time column, by the name and the number in the
 * first row? */
static bool is_other_clock(const struct table *table, size_t i)
{
    const struct column *column = &table->column[i];
    const char *name = columns_last_line(table, i);
    const int unit = columns_unit_in_name(name), epoch = unit_of_epoch(column->number);
    if (column->first != CELL_NUMBER || column->number < 0)
        return false;
    bool timely = port_strcasestr(name, "time") || port_strcasestr(name, "stamp") ||
                  port_strcasestr(name, "clock");
    if (epoch != TIME_UNIT_NONE && (timely || unit == epoch))
        return true;
    return means(table, i, NAME_CLOCK) || (columns_means_time(name, strlen(name)) && name[1]);
}

size_t columns_frame_counter(const struct table *table)
{
    for (size_t i = 0; i < table->ncolumn; i++)
        if ((table->column[i].first == CELL_NUMBER || table->column[i].frame) &&
            columns_counts_rows(&table->column[i]))
            return i;
    return COLUMN_NONE;
}

/* Is column i the confidence of a point, as c0 or pose_c next to x0 and y0, or pose_x and pose_y? */
static bool is_confidence(const struct table *table, size_t i)
{
    const struct column *column = &table->column[i];
    char *name = strdup(column->name), *letter = name ? strrchr(name, 'c') : NULL;
    bool found = letter != NULL && column->number >= 0 && column->number <= 1;
    for (const char *axis = "xy"; found && *axis; axis++) {
        *letter = *axis;
        found = columns_lookup(table, name) != COLUMN_NONE;
    }
    free(name);
    return found;
}

size_t columns_other_clock(const struct table *table)
{
    for (size_t i = 0; i < table->ncolumn; i++)
        if (table->column[i].why == why_clock)
            return i;
    return COLUMN_NONE;
}

const char *columns_why_alone(const struct table *table, size_t i)
{
    const struct column *column = &table->column[i];
    if (column->unlabelled)
        return "without name";
    const bool index = i == 0 && table->named && !column->original[0] && is_count(column->number);
    if (columns_counts_rows(column) || index) /* pandas and R write an index without a name */
        return why_counter;
    if (means(table, i, NAME_MARK) && column->number == floor(column->number))
        return why_mark;
    if (means(table, i, NAME_QUALITY) || means(table, i, NAME_ERROR) || is_confidence(table, i))
        return why_quality;
    const bool packed = are_packed_clock(table, i) || (i > 0 && are_packed_clock(table, i - 1));
    return packed || is_other_clock(table, i) ? why_clock : NULL;
}

bool columns_untimed(const struct table *table, struct error *e)
{
    const size_t counter = columns_frame_counter(table);
    char word[TEXT_WORD], number[COLUMNS_NUMBER];
    error_data(e, "no time column found, and the row rate is unknown");
    if (table->doubtful)
        return error_hint(e, "try --header 1 if the first line holds the names; otherwise -t COLUMN, or "
                             "--rate 100 for 100 rows per second");
    if (counter != COLUMN_NONE)
        return error_hint(e,
                          "give the frame rate: --rate 100 (if frames were dropped, also -t %s --time-unit "
                          "frames), or -t COLUMN",
                          text_quoted(word, columns_entry(table, counter, number)));
    return error_hint(e, "give the rows per second, as in --rate 100, or the time column, as in -t 1");
}
