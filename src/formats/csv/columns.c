/* The columns of a text of cells: the lines of the names, the line of units and the first row. */
#include "formats/csv/head.h"

#include <stdio.h>
#include <stdlib.h>

/* --- names --- */

/* One line of names, cell by cell. */
struct names {
    struct head_cells cells;
    struct csv_cell cell; /* the cell in the column under way */
    struct csv_cell fill; /* the last cell that was not empty; the cell of an empty cell to its right */
};

/* Joins the cells of one column, top to bottom, into buf. An empty cell above the last line takes the cell
 * to its left, unless a line above has a new cell in between. Motive has words of its own, such as Name,
 * above columns without a kind of data. */
static size_t join_name(const struct head *head, struct names *line, char *buf)
{
    const size_t nline = head->nline;
    size_t n = 0;
    for (size_t i = 0; i < nline; i++) {
        const struct csv_cell *cell = &line[i].cell;
        for (size_t k = i; i + 1 < nline && cell->n > 0 && k < nline; k++)
            line[k].fill = k == i ? *cell : (struct csv_cell){ 0 };
        cell = i + 1 < nline ? &line[i].fill : cell;
        if (head->motive && i + 1 < nline && line[nline - 2].cell.n == 0)
            continue;
        if (n > 0 && cell->n > 0)
            buf[n++] = '.';
        n += csv_unquote(cell, buf + n);
    }
    return n;
}

/* Adds the columns. buf: room for a joined name. */
static bool add_names(struct head *head, size_t ncolumn, char *buf, struct error *e)
{
    struct names line[CSV_MAXLINES] = { 0 };
    struct table *table = &head->reader->table;
    for (size_t i = 0; i < head->nline; i++)
        line[i].cells = head_cells(head, head->line[i]);
    for (size_t column = 0; column < ncolumn; column++) {
        for (struct names *names = line; names < line + head->nline; names++) {
            names->cell = head_next_cell(head, &names->cells);
            if (!csv_error_cell(head->csv, head->csv->rest, &names->cell, e))
                return false;
        }
        size_t n = head->nline ? join_name(head, line, buf) : (size_t)sprintf(buf, "%zu", column + 1);
        if (!columns_add(table, buf, n, e))
            return false;
    }
    return true;
}

/* --- what the first row and the line of units say --- */

/* Takes the units from the line below the names, if it holds units. */
static void read_units(struct head *head)
{
    struct table *table = &head->reader->table;
    const struct head_record *line = head->nline > 0 ? head->line[head->nline - 1] + 1 : NULL;
    if (!line || !head->row || line >= head->row || !head_is_units(head, line - 1, line))
        return;
    struct head_cells cells = head_cells(head, line);
    for (size_t i = 0; i < table->ncolumn && cells.p; i++) {
        const struct csv_cell cell = head_next_cell(head, &cells);
        table->column[i].unit = columns_unit_of_text(cell.at, cell.n);
        table->column[i].radians |= columns_means_radians(cell.at, cell.n);
    }
}

bool csv_set_kinds(struct reader *reader, const char *p, const char *end, struct error *e)
{
    const struct csv *csv = reader->state;
    for (size_t i = reader->table.counted; i < reader->table.ncolumn; i++) {
        struct column *column = &reader->table.column[i];
        struct csv_cell cell;
        p = csv_next(csv, p, end, &cell);
        if (!csv_error_cell(csv, csv->rest, &cell, e))
            return error_column(e, column->name);
        column->first = csv_kind(reader, &cell, &column->number);
        if (column->first == CELL_TEXT && !columns_set_text(column, cell.at, cell.n, e))
            return false;
    }
    return true;
}

/* --- where lines end --- */

/* Finds where the names of added columns go in each line of the names, whose text is in csv.head. */
static bool find_line_ends(struct head *head, struct error *e)
{
    struct csv *csv = head->csv;
    const size_t ncolumn = head->reader->table.ncolumn;
    csv->line = calloc(head->nline + 1, sizeof *csv->line);
    if (!csv->line)
        return error_memory(e);
    for (; csv->nline < head->nline; csv->nline++) {
        const struct head_record *names = head->line[csv->nline];
        const size_t ncell = names->in[head->cut].ncell;
        const char *p = csv->head + names->at, *stop = csv_without_eol(csv, p, csv->head + names->end);
        while (csv->delimiter == ' ' && stop > p && (stop[-1] == ' ' || stop[-1] == '\t'))
            stop--;
        const bool cut = ncell == ncolumn + 1; /* rows do not end in a delimiter, but names do */
        csv->line[csv->nline] = (struct csv_line){
            .at = (size_t)(stop - csv->head) - cut,
            .missing = ncell < ncolumn ? ncolumn - ncell : 0,
        };
    }
    return true;
}

/* The number of columns: of cells in the first row, or in its names if these are fewer and in one line, since
 * its other cells are empty then. Without a row, of names. */
static size_t count_columns(const struct head *head)
{
    const size_t ncell = head->row ? head->row->in[head->cut].ncell : 0;
    if (head->nline == 0 || (head->row && head->nline > 1))
        return ncell;
    const size_t nname = head->line[head->nline - 1]->in[head->cut].ncell;
    return head->row && ncell < nname ? ncell : nname;
}

bool head_make_columns(struct head *head, struct error *e)
{
    struct csv *csv = head->csv;
    struct table *table = &head->reader->table;
    const size_t ncolumn = count_columns(head);
    char *buf = malloc(csv->nrest + 2 * CSV_MAXLINES); /* all names are in rest */
    bool good = buf ? add_names(head, ncolumn, buf, e) : error_memory(e);
    free(buf);
    if (!good)
        return false;
    table->named = head->nline > 0;
    table->stacked = head->nline > 1;
    if (table->stacked && head->vendor)
        vendor_mark_vectors(head);
    read_units(head);
    const struct head_cells cells = head_cells(head, head->row);
    return csv_set_kinds(head->reader, cells.p, cells.end, e) &&
           csv_set_head(head->reader, head->row ? head->row->at : csv->nrest, e) && find_line_ends(head, e);
}
