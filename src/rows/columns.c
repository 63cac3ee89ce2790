/* Columns and their names, which are found by a hash table with open addressing, so that ten thousand columns
 * take linear time. */
#include "rows/columns.h"

#include "base/array.h"
#include "base/hash.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The slot of a name: the number of the column with the name, from 1; 0: no column has the name. A slot is
 * always empty, so that the search ends. */
static size_t *find_slot(const struct columns *columns, const char *name)
{
    size_t i = hash_bytes(name, strlen(name)) & (columns->maxslot - 1);
    while (columns->slot[i] && strcmp(columns->column[columns->slot[i] - 1].name, name) != 0)
        i = (i + 1) & (columns->maxslot - 1);
    return &columns->slot[i];
}

/* Makes the slots of all names, with room for one more; the number of slots is a power of two. */
static bool make_slots(struct columns *columns, struct error *e)
{
    size_t maxslot = columns->maxslot ? columns->maxslot : 64;
    while (columns->ncolumn >= maxslot / 2)
        maxslot *= 2;
    size_t *slot = calloc(maxslot, sizeof *slot);
    if (!slot)
        return error_memory(e);
    free(columns->slot);
    columns->slot = slot;
    columns->maxslot = maxslot;
    for (size_t i = 0; i < columns->ncolumn; i++)
        if (columns->column[i].name[0])
            *find_slot(columns, columns->column[i].name) = i + 1;
    return true;
}

/* Gives the column, whose name is taken, the next free name: X_2, X_3, … False: out of memory. */
static bool make_unique(struct columns *columns, struct column *column)
{
    struct column *first = &columns->column[*find_slot(columns, column->name) - 1];
    char *name = NULL;
    do {
        free(name);
        name = text_format("%s_%zu", column->original, ++first->tried + 1);
    } while (name && *find_slot(columns, name));
    column->name = name ? name : column->name;
    return name;
}

bool columns_add(struct columns *columns, const char *name, size_t nname, struct error *e)
{
    if (!array_reserve(&columns->column, columns->ncolumn + 1, &columns->maxcolumn, sizeof *columns->column,
                       e) ||
        (columns->ncolumn >= columns->maxslot / 2 && !make_slots(columns, e)))
        return false;
    struct column *column = &columns->column[columns->ncolumn];
    *column = (struct column){ .original = text_copy(name, nname),
                               .position = columns->ncolumn + 1,
                               .number = (double)NAN,
                               .spelling.decimals = -1,
                               .unit = TIME_UNIT_NONE };
    column->name = column->original;
    if (!column->name || (*find_slot(columns, column->name) && !make_unique(columns, column))) {
        free(column->name);
        return error_memory(e);
    }
    columns->ncolumn++;
    if (column->name[0])
        *find_slot(columns, column->name) = columns->ncolumn;
    return true;
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
    table->early = NULL;
    table->slot = NULL;
    table->maxcolumn = table->nearly = table->maxearly = table->maxslot = 0;
    table->ncolumn = shared + end - first;
    if (!array_reserve(&table->column, table->ncolumn, &table->maxcolumn, sizeof *table->column, e))
        return false;
    table->column[0] = input->column[0];
    memcpy(table->column + shared, input->column + first, (end - first) * sizeof *table->column);
    return make_slots(table, e);
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
    return columns->slot ? *find_slot(columns, name) - 1 : COLUMN_NONE;
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
    free(columns->early);
    free(columns->column);
    free(columns->slot);
    *columns = (struct columns){ 0 };
}
