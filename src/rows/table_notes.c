/* Messages about columns: which columns are left alone and why, the roles, and the unit of the times. */
#include "rows/table.h"

#include "base/text.h"
#include "base/utf8.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- notes --- */

enum { NAMES = 8 /* that a message shows */ };

void columns_names_add(struct column_names *list, const char *name, const char *sample)
{
    enum { NAME = 60 }; /* bytes */
    const size_t n = strlen(name) > NAME ? utf8_floor(name, NAME) : strlen(name);
    if (list->n++ >= NAMES)
        return;
    text_append(list->text, sizeof list->text, "%s\"%.*s\"", list->n > 1 ? ", " : "", (int)n, name);
    if (sample)
        text_append(list->text, sizeof list->text, " (%s)", sample);
}

const char *columns_names_text(struct column_names *list)
{
    if (list->n > NAMES)
        text_append(list->text, sizeof list->text, " and %zu more", list->n - NAMES);
    return list->text;
}

void table_note(const struct table *table, struct messages *messages, const char *file)
{
    const bool drawing = table->choice->drawing;
    struct column_names alone = { .n = 0 }, text = { .n = 0 };
    const char *done = drawing ? "drawn" : "filtered";
    for (size_t i = 0; i < table->ncolumn; i++) {
        const struct column *column = &table->column[i];
        const char *name = column->name[0] ? column->name : columns_last_line(table, i);
        char position[COLUMNS_NUMBER];
        snprintf(position, sizeof position, "%zu", column->position);
        if (column->alone)
            columns_names_add(&alone, name[0] ? name : position, column->why);
        else if (column->role == ROLE_PASS && column->why == why_text)
            columns_names_add(&text, name[0] ? name : position, column->text);
    }
    if (alone.n > 0)
        messages_add(messages, file, "not %s: %s; to %s one, name it with --columns", done,
                     columns_names_text(&alone), drawing ? "draw" : "filter");
    if (text.n > 0)
        messages_add(messages, file, "not %s (text): %s", done, columns_names_text(&text));
}

void table_describe_time(const struct table *table, char *buf, size_t maxbuf)
{
    const char *name = table_column(table, table->time)->name;
    if (table->date == COLUMN_NONE)
        snprintf(buf, maxbuf, "column \"%.100s\"", name);
    else
        snprintf(buf, maxbuf, "columns \"%.100s\" and \"%.100s\"", table->column[table->date].name, name);
    if (table->time_unit.rate > 0)
        text_append(buf, maxbuf, ", %.15g frames per second", table->time_unit.rate);
    else if (table->unit != TIME_UNIT_S)
        text_append(buf, maxbuf, ", in %s %s", time_unit_names[table->unit], table->unit_why);
}

/* --- errors --- */

bool table_resamplable(const struct table *table, struct error *e)
{
    if (table->form == TIMESTAMP_NUMBER && table->unit <= TIME_UNIT_NS)
        return true;
    error_usage(e, "--resample needs times that are numbers in s, ms, us or ns");
    error_column(e, table_column(table, table->time)->name);
    return error_hint(e, "if no row is missing, give the row rate in place of the times, as in --rate 100");
}

bool table_backward(const struct table *table, const struct timestamp *before, const struct timestamp *now,
                    struct error *e)
{
    char a[NUMBER_MAX + 1], b[NUMBER_MAX + 1];
    const char *unit = table->form == TIMESTAMP_NUMBER ? "" : " seconds";
    a[timestamp_print(a, before)] = b[timestamp_print(b, now)] = 0;
    error_data(e, "time goes backward: %s after %s%s", b, a, unit);
    error_column(e, table_column(table, table->time)->name);
    return error_hint(e,
                      "sort the rows of each series by time (--group-by COLUMN tells series apart); to leave "
                      "out such rows, add --bad-rows skip; to ignore the times, give the row rate, as in "
                      "--rate 100");
}
