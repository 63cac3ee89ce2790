/* Messages about columns: which columns are left alone and why, the roles, and the unit of the times. */
#include "rows/table.h"

#include "base/text.h"
#include "base/utf8.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- notes --- */

void columns_names_add(struct column_names *list, const char *name, const char *sample)
{
    enum { MOST = 8, NAME = 60, SAMPLE = 24 }; /* names; bytes of a name; bytes of a sample */
    char entry[NAME + SAMPLE + 20] = "";
    size_t n = strlen(name) > NAME ? utf8_floor(name, NAME) : strlen(name);
    text_append(entry, sizeof entry, "\"%.*s\"", (int)n, name);
    if (strstr(list->text, entry))
        return;
    if (sample)
        text_append(entry, sizeof entry, " (%.*s)", SAMPLE, sample);
    if (list->n == MOST || strlen(list->text) + strlen(entry) + 2 >= sizeof list->text) {
        list->left_out++;
        return;
    }
    text_append(list->text, sizeof list->text, "%s%s", list->n ? ", " : "", entry);
    list->n++;
}

const char *columns_names_text(struct column_names *list)
{
    static const char more[] = " and %zu more";
    if (list->left_out > 0)
        text_append(list->text, sizeof list->text, more, list->left_out);
    return list->text;
}

/* Notes the columns of numbers that are left alone, with the reason after each name. */
static void note_alone(const struct table *table, bool drawing, struct messages *messages, const char *file)
{
    struct column_names names = { .n = 0 };
    for (size_t i = 0; i < table->ncolumn; i++) {
        const struct column *column = &table->column[i];
        const char *name = column->name[0] ? column->name : columns_last_line(table, i);
        if (column->alone)
            columns_names_add(&names, name[0] ? name : "1", column->why);
    }
    const char *format = drawing ? "not drawn: %s; to draw one, name it with --columns"
                                 : "not filtered: %s; to filter one, name it with --columns";
    if (names.n > 0)
        messages_add(messages, file, format, columns_names_text(&names));
}

/* Notes the columns of text, with the first text after each name. */
static void note_texts(const struct table *table, bool drawing, struct messages *messages, const char *file)
{
    struct column_names names = { .n = 0 };
    for (size_t i = 0; i < table->ncolumn; i++) {
        const struct column *column = &table->column[i];
        char position[24];
        snprintf(position, sizeof position, "%zu", column->position);
        if (column->role == ROLE_PASS && column->why == why_text)
            columns_names_add(&names, column->name[0] ? column->name : position, column->text);
    }
    if (names.n > 0)
        messages_add(messages, file, "not %s (text): %s", drawing ? "drawn" : "filtered",
                     columns_names_text(&names));
}

static const char *const unit_names[] = { "s", "ms", "us", "ns", "min", "h", "frames" };

const char *columns_unit_name(struct time_unit unit)
{
    if (unit.rate > 0)
        return unit_names[TIME_UNIT_FRAMES];
    if (unit.multiple)
        return unit_names[unit.multiple == 60 ? TIME_UNIT_MIN : TIME_UNIT_H];
    return unit_names[unit.exp10 / -3];
}

void table_note(const struct table *table, const struct column_choice *choice, struct messages *messages,
                const char *file)
{
    note_alone(table, choice->drawing, messages, file);
    note_texts(table, choice->drawing, messages, file);
    if (table->time != COLUMN_NONE && table->unit_reason == UNIT_EPOCH)
        messages_add(messages, file,
                     "the times of \"%s\" are read as %s since 1970 (first: %.17g); for another unit, try "
                     "--time-unit s",
                     columns_last_line(table, table->time), columns_unit_name(table->time_unit),
                     table_column(table, table->time)->number);
    double stated = table->stated_rate, given = choice->rate;
    if (stated > 0 && given > 0 && fabs(stated - given) > 1e-3 * stated)
        messages_add(messages, file, "--rate %.6g is used instead of the header's rate, %.6g", given, stated);
    if (table->doubtful)
        messages_add(messages, file,
                     "no header row found: the first line is read as data; try --header 1 if it holds the "
                     "column names, otherwise --no-header");
}

void table_note_repeated(const struct table *table, double hz, struct messages *messages, const char *file)
{
    struct column_names names = { .n = 0 };
    for (size_t i = 0; i < table->ncolumn; i++) {
        const struct column *column = &table->column[i];
        if (table_leaves_out(table, i) && column->first == CELL_NUMBER && !column->frame)
            columns_names_add(&names, column->name, NULL);
    }
    if (names.n > 0)
        messages_add(messages, file,
                     "warning: not interpolated, as they are not selected: %s; to interpolate them, "
                     "filter without --resample, then run sprung tracking --resample %.15g",
                     columns_names_text(&names), hz);
}

/* --- descriptions --- */

void table_describe_reason(const struct table *table, size_t i, char *buf, size_t maxbuf)
{
    const struct column *column = table_column(table, i);
    snprintf(buf, maxbuf, "%s", column->why);
    if (column->why == why_text && column->text)
        text_append(buf, maxbuf, ": \"%s\"", column->text);
}

void table_describe_time(const struct table *table, char *buf, size_t maxbuf)
{
    static const char *const reasons[] = {
        [UNIT_ASSUMED] = "",
        [UNIT_OPTION] = " by --time-unit",
        [UNIT_NAME] = " by its name",
        [UNIT_LINE] = " by the line below the names",
        [UNIT_EPOCH] = " by the size of its numbers",
        [UNIT_TEXT] = "",
    };
    const char *name = table_column(table, table->time)->name;
    if (table->date == COLUMN_NONE)
        snprintf(buf, maxbuf, "column \"%.100s\"", name);
    else
        snprintf(buf, maxbuf, "columns \"%.100s\" and \"%.100s\"", table->column[table->date].name, name);
    if (table->time_unit.rate > 0)
        text_append(buf, maxbuf, ", %.15g frames per second", table->time_unit.rate);
    else if (table->time_unit.exp10 != 0 || table->time_unit.multiple)
        text_append(buf, maxbuf, ", in %s%s", columns_unit_name(table->time_unit),
                    reasons[table->unit_reason]);
}

/* --- errors --- */

bool table_resamplable(const struct table *table, struct error *e)
{
    const char *what = "dates or times of day";
    if (table->form == TIMESTAMP_NUMBER && table->time_unit.rate == 0 && !table->time_unit.multiple)
        return true;
    if (table->time_unit.rate > 0)
        what = "frame numbers";
    else if (table->time_unit.multiple)
        what = table->time_unit.multiple == 60 ? "minutes" : "hours";
    error_usage(e, "--resample cannot print new times: this column holds %s", what);
    error_column(e, table_column(table, table->time)->name);
    return error_hint(
        e, table->time_unit.rate > 0
               ? "if no frame is missing, leave out -t and --time-unit"
               : "it needs times in s, ms, us or ns; if no row is missing, give the row rate in place "
                 "of the times, for example --rate 100");
}

/* Writes a hint: the command of sort that puts the rows in the order of their times. */
static void describe_sort(const struct table *table, char *buf, size_t maxbuf)
{
    const char *kind = table->form == TIMESTAMP_NUMBER ? "g" : "";
    char between[24];
    if (table->delimiter == ',')
        snprintf(between, sizeof between, "-t,");
    else if (table->delimiter == '\t')
        snprintf(between, sizeof between, "-t \"$(printf '\\t')\"");
    else if (table->delimiter == ' ')
        snprintf(between, sizeof between, "-b");
    else
        snprintf(between, sizeof between, "-t '%c'", table->delimiter);
    snprintf(buf, maxbuf, "; to sort the rows: sort -s %s -k%zu,%zu%s (without the header)", between,
             table->time + 1, table->time + 1, kind);
}

/* The first column of text or marks, which may distinguish the series, as --group-by takes it; else COLUMN.
 */
static const char *label_of(const struct table *table, char word[TEXT_WORD])
{
    char number[COLUMNS_NUMBER];
    for (size_t i = 0; i < table->ncolumn; i++) {
        const char *name = table->column[i].name, *why = table->column[i].why;
        if (name[0] && (why == why_text || why == why_mark))
            return text_quoted(word, columns_entry(table, i, number));
    }
    return "COLUMN";
}

bool table_backward(const struct table *table, const struct timestamp *before, const struct timestamp *now,
                    const char *group, struct error *e)
{
    char a[NUMBER_MAX + 1], b[NUMBER_MAX + 1];
    a[timestamp_print(a, before)] = b[timestamp_print(b, now)] = 0;
    const char *since = table->form == TIMESTAMP_NUMBER ? "" : " seconds since 1970";
    if (table->form == TIMESTAMP_CLOCK)
        since = " seconds since midnight";
    const char *open = table->ngroup > 0 ? " in group \"" : "";
    error_data(e, "time goes backward%s%s%s: %s after %s%s", open, group, table->ngroup > 0 ? "\"" : "", b, a,
               since);
    error_column(e, table_column(table, table->time)->name);
    if (table->ngroup > 0)
        return error_hint(
            e,
            "sort the rows of each group by time; to ignore the times, give the row rate, as in --rate 100");
    char sort[200] = "", word[TEXT_WORD];
    if (table->delimiter)
        describe_sort(table, sort, sizeof sort);
    return error_hint(e,
                      "several series in one file: --group-by %s; to ignore the times, give the row rate, "
                      "as in --rate 100%s",
                      label_of(table, word), sort);
}
