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

/* Makes room for one more name; the number of slots is a power of two. */
static bool grow_slots(struct columns *columns, struct error *e)
{
    if (columns->ncolumn < columns->maxslot / 2)
        return true;
    size_t maxslot = columns->maxslot ? 2 * columns->maxslot : 64, *slot = calloc(maxslot, sizeof *slot);
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
        !grow_slots(columns, e))
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
    size_t n = ntext < MOST ? ntext : MOST;
    while (n < ntext && n > 0 && ((unsigned char)text[n] & 0xC0) == 0x80) /* not inside a character */
        n--;
    free(column->text);
    column->text = text_copy(text, n);
    return column->text || error_memory(e);
}

bool columns_choose_table(struct columns *columns, size_t first, size_t end, struct error *e)
{
    if (!columns->whole) {
        struct columns *whole = malloc(sizeof *whole);
        if (!whole)
            return error_memory(e);
        *whole = *columns;
        *columns = (struct columns){ .whole = whole };
    }
    const struct columns *whole = columns->whole;
    const size_t shared = whole->owns_time;
    struct columns table = *whole;
    table.whole = columns->whole;
    table.column = columns->column;
    table.maxcolumn = columns->maxcolumn;
    table.ncolumn = shared + end - first;
    table.early = NULL;
    table.slot = NULL;
    table.nearly = table.maxearly = table.maxslot = 0;
    if (!array_reserve(&table.column, table.ncolumn, &table.maxcolumn, sizeof *table.column, e))
        return false;
    table.column[0] = whole->column[0];
    memcpy(table.column + shared, whole->column + first, (end - first) * sizeof *table.column);
    *columns = table;
    return true;
}

/* Behind the times that tables share, the columns of a table are side by side. */
size_t columns_here(const struct columns *columns, size_t i)
{
    const struct column *column = columns->column;
    const size_t n = columns->ncolumn, here = n > 0 ? i + n - column[n - 1].position : n;
    if (here < n && column[here].position == i + 1)
        return here;
    return n > 0 && column[0].position == i + 1 ? 0 : COLUMN_NONE;
}

size_t columns_lookup(const struct columns *columns, const char *name)
{
    const struct columns *all = columns_all(columns);
    const size_t found = all->slot ? *find_slot(all, name) - 1 : COLUMN_NONE;
    return found == COLUMN_NONE ? COLUMN_NONE : columns_here(columns, found);
}

double columns_stated_rate(const struct columns *columns)
{
    if (columns->stated_rate != 0)
        return columns->stated_rate;
    return columns->rate > 0 ? columns->rate : 0;
}

void columns_free(struct columns *columns)
{
    if (columns->whole)
        columns_free(columns->whole);
    for (size_t i = 0; i < columns->ncolumn && !columns->whole; i++) {
        if (columns->column[i].name != columns->column[i].original)
            free(columns->column[i].name);
        free(columns->column[i].original);
        free(columns->column[i].above);
        free(columns->column[i].text);
    }
    free(columns->early);
    free(columns->column);
    free(columns->whole);
    free(columns->slot);
    *columns = (struct columns){ 0 };
}
