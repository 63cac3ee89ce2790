/* Columns and their names, and the table of a part of an input. A hash table finds a name, so that ten
 * thousand columns take linear time. */
#include "rows/table.h"

#include "base/array.h"
#include "base/text.h"
#include "base/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Enters the name of column i, unless it is empty. */
static bool enter_name(struct table *table, size_t i, struct error *e)
{
    const char *name = table->column[i].name;
    return !name[0] || name_table_put(&table->names, name_key(name, strlen(name)), i, e);
}

/* Gives the column, whose name is taken, the next free name: X_2, X_3, … False: out of memory. */
static bool make_unique(struct table *table, struct column *column)
{
    struct column *first = &table->column[columns_lookup(table, column->name)];
    char *name = NULL;
    do {
        free(name);
        name = text_format("%s_%zu", column->original, ++first->tried + 1);
    } while (name && columns_lookup(table, name) != COLUMN_NONE);
    column->name = name ? name : column->name;
    return name;
}

bool columns_add(struct table *table, const char *name, size_t nname, struct error *e)
{
    if (!array_reserve(&table->column, table->ncolumn + 1, &table->maxcolumn, sizeof *table->column, e))
        return false;
    struct column *column = &table->column[table->ncolumn];
    *column = (struct column){ .original = text_copy(name, nname),
                               .position = table->ncolumn + 1,
                               .number = (double)NAN,
                               .radians = columns_means_radians(name, nname),
                               .unit = TIME_UNIT_NONE };
    column->name = column->original;
    const bool taken = column->name && columns_lookup(table, column->name) != COLUMN_NONE;
    if (!column->name || (taken && !make_unique(table, column))) {
        free(column->name);
        return error_memory(e);
    }
    return enter_name(table, table->ncolumn++, e);
}

bool columns_set_text(struct column *column, const char *text, size_t ntext, struct error *e)
{
    struct timestamp ignored;
    column->form = timestamp_read(TIMESTAMP_NUMBER, text, ntext, &ignored);
    free(column->text);
    column->text = text_copy(text, ntext > COLUMN_TEXT ? utf8_floor(text, COLUMN_TEXT) : ntext);
    return column->text || error_memory(e);
}

/* Appends a column of another table, which owns its texts. */
static bool add_shared(struct table *table, const struct column *from, struct error *e)
{
    if (!array_reserve(&table->column, table->ncolumn + 1, &table->maxcolumn, sizeof *table->column, e))
        return false;
    table->column[table->ncolumn] = *from;
    return enter_name(table, table->ncolumn++, e);
}

bool table_part(struct table *part, const struct table *input, size_t first, size_t end, struct error *e)
{
    table_free(part);
    *part = (struct table){ .is_part = true,
                            .rate = input->rate,
                            .owns_time = input->owns_time,
                            .radians = input->radians,
                            .named = input->named };
    bool good = add_shared(part, &input->column[0], e);
    for (size_t i = first; good && i < end; i++)
        good = add_shared(part, &input->column[i], e);
    return good && table_plan(part, input->choice, e);
}

size_t columns_lookup(const struct table *table, const char *name)
{
    return name_table_find(&table->names, name_key(name, strlen(name))); /* NAME_TABLE_NONE: COLUMN_NONE */
}

void table_free(struct table *table)
{
    for (size_t i = 0; i < table->ncolumn && !table->is_part; i++) {
        if (table->column[i].name != table->column[i].original)
            free(table->column[i].name);
        free(table->column[i].original);
        free(table->column[i].text);
    }
    free(table->column);
    name_table_free(&table->names);
    free(table->channel);
    free(table->group);
    free(table->mask);
    *table = (struct table){ 0 };
}
