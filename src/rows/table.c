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
                               .decimals = -1,
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
    enum { MOST = 24 };
    struct timestamp ignored;
    column->form = timestamp_read(TIMESTAMP_NUMBER, text, ntext, &ignored);
    free(column->text);
    column->text = text_copy(text, ntext > MOST ? utf8_floor(text, MOST) : ntext);
    return column->text || error_memory(e);
}

/* After the times that parts share, the columns of a part are side by side. */
size_t table_place(const struct table *part, size_t i)
{
    const size_t n = part->ncolumn, before = n > 0 ? part->column[n - 1].position - n : 0;
    if (i >= before && i - before < n && part->column[i - before].position == i + 1)
        return i - before;
    return n > 0 && part->column[0].position == i + 1 ? 0 : COLUMN_NONE;
}

/* Copies the masks of the part's channels. */
static bool copy_masks(struct table *part, const struct table *input, struct error *e)
{
    if (input->nmask > 0 && !array_reserve(&part->mask, input->nmask, &part->maxmask, sizeof *part->mask, e))
        return false;
    for (size_t k = 0; k < input->nmask; k++) {
        struct column_mask mask = input->mask[k];
        mask.column = table_place(part, input->mask[k].column);
        mask.judge = table_place(part, input->mask[k].judge);
        if (mask.column == COLUMN_NONE)
            continue;
        if (mask.judge == COLUMN_NONE) {
            error_data(e, "--mask names this column, but its times differ from those of \"%s\"",
                       part->column[mask.column].name);
            return error_column(e, input->column[input->mask[k].judge].name);
        }
        part->mask[part->nmask++] = mask;
    }
    return true;
}

bool table_part(struct table *part, const struct table *input, size_t first, size_t end, struct error *e)
{
    const size_t shared = input->owns_time;
    table_free(part);
    REQUIRE(input->ngroup == 0);
    *part = *input;
    part->input = input;
    part->column = NULL;
    part->names = (struct name_table){ 0 };
    part->channel = NULL;
    part->mask = NULL;
    part->group = NULL;
    part->maxcolumn = part->nvalue = part->ncell = part->nmask = part->maxmask = 0;
    part->ncolumn = shared + end - first;
    if (!array_reserve(&part->column, part->ncolumn, &part->maxcolumn, sizeof *part->column, e))
        return false;
    part->column[0] = input->column[0];
    memcpy(part->column + shared, input->column + first, (end - first) * sizeof *part->column);
    for (size_t i = 0; i < part->ncolumn; i++)
        if (!enter_name(part, i, e))
            return false;
    if (input->cut != COLUMN_NONE && (part->cut = table_place(part, input->cut)) == COLUMN_NONE) {
        error_data(e, "--cut-column names this column, but it is in another table");
        return error_column(e, input->column[input->cut].name);
    }
    part->time = table_place(part, input->time);
    part->date = COLUMN_NONE;
    part->unused_time = table_place(part, input->unused_time);
    return copy_masks(part, input, e) && table_count(part, e);
}

size_t columns_lookup(const struct table *table, const char *name)
{
    return name_table_find(&table->names, name_key(name, strlen(name))); /* NAME_TABLE_NONE: COLUMN_NONE */
}

void table_free(struct table *table)
{
    for (size_t i = 0; i < table->ncolumn && !table->input; i++) {
        if (table->column[i].name != table->column[i].original)
            free(table->column[i].name);
        free(table->column[i].original);
        free(table->column[i].above);
        free(table->column[i].text);
    }
    free(table->column);
    name_table_free(&table->names);
    free(table->channel);
    free(table->group);
    free(table->mask);
    *table = (struct table){ 0 };
}
