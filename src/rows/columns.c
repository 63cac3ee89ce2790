/* Columns and their names. A hash table finds a name, so that ten thousand columns take linear time. */
#include "rows/columns.h"

#include "base/array.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Enters the name of column i, unless it is empty. */
static bool enter_name(struct columns *columns, size_t i, struct error *e)
{
    const char *name = columns->column[i].name;
    return !name[0] || name_table_put(&columns->names, name_key(name, strlen(name)), i, e);
}

/* Gives the column, whose name is taken, the next free name: X_2, X_3, … False: out of memory. */
static bool make_unique(struct columns *columns, struct column *column)
{
    struct column *first = &columns->column[columns_lookup(columns, column->name)];
    char *name = NULL;
    do {
        free(name);
        name = text_format("%s_%zu", column->original, ++first->tried + 1);
    } while (name && columns_lookup(columns, name) != COLUMN_NONE);
    column->name = name ? name : column->name;
    return name;
}

bool columns_add(struct columns *columns, const char *name, size_t nname, struct error *e)
{
    if (!array_reserve(&columns->column, columns->ncolumn + 1, &columns->maxcolumn, sizeof *columns->column,
                       e))
        return false;
    struct column *column = &columns->column[columns->ncolumn];
    *column = (struct column){ .original = text_copy(name, nname),
                               .position = columns->ncolumn + 1,
                               .number = (double)NAN,
                               .decimals = -1,
                               .unit = TIME_UNIT_NONE };
    column->name = column->original;
    const bool taken = column->name && columns_lookup(columns, column->name) != COLUMN_NONE;
    if (!column->name || (taken && !make_unique(columns, column))) {
        free(column->name);
        return error_memory(e);
    }
    return enter_name(columns, columns->ncolumn++, e);
}

bool columns_set_text(struct column *column, const char *text, size_t ntext, struct error *e)
{
    enum { MOST = 24 };
    struct timestamp ignored;
    column->form = timestamp_read(text, ntext, &ignored);
    column->unsure = column->form == TIMESTAMP_MONTH_FIRST &&
                     !timestamp_fault(TIMESTAMP_DAY_FIRST, text, ntext, &ignored);
    size_t n = ntext < MOST ? ntext : MOST;
    while (n < ntext && n > 0 && ((unsigned char)text[n] & 0xC0) == 0x80) /* not inside a character */
        n--;
    free(column->text);
    column->text = text_copy(text, n);
    return column->text || error_memory(e);
}

bool columns_of_table(struct columns *table, const struct columns *input, size_t first, size_t end,
                      struct error *e)
{
    const size_t shared = input->owns_time;
    columns_free(table);
    *table = *input;
    table->borrowed = true;
    table->column = NULL;
    table->names = (struct name_table){ 0 };
    table->maxcolumn = 0;
    table->ncolumn = shared + end - first;
    if (!array_reserve(&table->column, table->ncolumn, &table->maxcolumn, sizeof *table->column, e))
        return false;
    table->column[0] = input->column[0];
    memcpy(table->column + shared, input->column + first, (end - first) * sizeof *table->column);
    bool good = true;
    for (size_t i = 0; good && i < table->ncolumn; i++)
        good = enter_name(table, i, e);
    return good;
}

/* Behind the times that tables share, the columns of a table are side by side. */
size_t columns_here(const struct columns *table, size_t i)
{
    const struct column *column = table->column;
    const size_t n = table->ncolumn, here = n > 0 ? i + n - column[n - 1].position : n;
    if (here < n && column[here].position == i + 1)
        return here;
    return n > 0 && column[0].position == i + 1 ? 0 : COLUMN_NONE;
}

size_t columns_lookup(const struct columns *columns, const char *name)
{
    return name_table_find(&columns->names, name_key(name, strlen(name))); /* NAME_TABLE_NONE: COLUMN_NONE */
}

double columns_stated_rate(const struct columns *columns)
{
    if (columns->stated_rate != 0)
        return columns->stated_rate;
    return columns->rate > 0 ? columns->rate : 0;
}

void columns_free(struct columns *columns)
{
    for (size_t i = 0; i < columns->ncolumn && !columns->borrowed; i++) {
        if (columns->column[i].name != columns->column[i].original)
            free(columns->column[i].name);
        free(columns->column[i].original);
        free(columns->column[i].above);
        free(columns->column[i].text);
    }
    free(columns->column);
    name_table_free(&columns->names);
    *columns = (struct columns){ 0 };
}
