/* Makes columns of the names and the first row, and the head of what stands before. */
#include "formats/csv/header.h"

#include <stdio.h>
#include <stdlib.h>

/* One line of names, cell by cell. */
struct names {
    const char *p, *end;        /* NULL: no cell is left */
    struct csv_cell cell, fill; /* this one; the last one that was not blank */
};

/* Joins the cells of one column, top to bottom, into buf. An empty cell above the last line takes the cell to
 * its left, unless a line above has a new cell in between. */
static size_t join_name(struct names *line, size_t nline, char *buf)
{
    size_t n = 0;
    for (size_t i = 0; i < nline; i++) {
        const struct csv_cell *cell = &line[i].cell;
        if (cell->n > 0 && i + 1 < nline) {
            line[i].fill = *cell;
            for (size_t k = i + 1; k < nline; k++)
                line[k].fill.n = 0;
        } else if (cell->n == 0 && i + 1 < nline) {
            cell = &line[i].fill;
        }
        if (cell->n == 0)
            continue;
        if (n > 0)
            buf[n++] = '.';
        n += csv_unquote(cell, buf + n);
    }
    return n;
}

static bool add_names(struct csv_header *h, size_t ncolumn, char *buf, struct error *e)
{
    const struct csv *csv = h->csv;
    struct names line[CSV_MAXLINES] = { 0 };
    for (size_t i = 0; i < h->nline; i++) {
        line[i].end = csv->rest + h->line[i].end;
        line[i].p = csv_row_start(csv, csv->rest + h->line[i].at, line[i].end);
    }
    for (size_t column = 0; column < ncolumn; column++) {
        for (size_t i = 0; i < h->nline; i++) {
            line[i].p = csv_next(csv, line[i].p, line[i].end, &line[i].cell);
            if (!csv_error_quote(csv, csv->rest, &line[i].cell, e))
                return false;
        }
        size_t n = h->nline ? join_name(line, h->nline, buf) : (size_t)sprintf(buf, "%zu", column + 1);
        if (!columns_add(&h->r->columns, buf, n, e))
            return false;
    }
    return true;
}

/* Where one line was found that holds the names: gives each column the cell of the line above it, or the last
 * one to the left of that. */
static bool add_above(struct csv_header *h, struct error *e)
{
    struct columns *t = &h->r->columns;
    const char *end = h->csv->rest + h->above.end,
               *p = csv_row_start(h->csv, h->csv->rest + h->above.at, end);
    const char *last = NULL;
    for (size_t i = 0; h->above.ncell && i < t->ncolumn; i++) {
        struct csv_cell cell;
        p = csv_next(h->csv, p, end, &cell);
        if (cell.n > 0 ? !(t->column[i].above = strndup(cell.at, cell.n))
                       : last && !(t->column[i].above = strdup(last)))
            return error_memory(e);
        last = t->column[i].above;
    }
    return true;
}

bool csv_set_kinds(struct reader *r, const char *p, const char *end, struct error *e)
{
    const struct csv *csv = r->state;
    for (size_t i = r->columns.counted; i < r->columns.ncolumn; i++) {
        struct column *c = &r->columns.column[i];
        struct csv_cell cell;
        struct timestamp ignored;
        double x;
        p = csv_next(csv, p, end, &cell);
        if (!csv_error_quote(csv, csv->rest, &cell, e))
            return error_column(e, c->name);
        c->first = csv_kind(r, &cell, &x);
        if (c->first == CELL_NUMBER)
            c->decimals = number_decimals(cell.at, cell.n, csv->point);
        if (c->first == CELL_TEXT && csv_is_grouped(csv, &cell))
            messages_add(r->messages, r->source->name,
                         "column \"%s\" is not filtered: separators between thousands make its numbers text",
                         c->name);
        c->form = c->first == CELL_TEXT ? timestamp_read(cell.at, cell.n, &ignored) : TIMESTAMP_NUMBER;
    }
    return true;
}

static bool make_columns(struct csv_header *h, struct error *e)
{
    const struct csv *csv = h->csv;
    struct columns *t = &h->r->columns;
    const char *row = csv->rest + h->row.at, *end = csv->rest + h->row.end;
    size_t ncolumn = h->row.ncell, room = 32;
    bool found = end > row;
    for (size_t i = 0; i < h->nline; i++) {
        room += h->line[i].end - h->line[i].at + 1;
        if (!found && h->line[i].ncell > ncolumn)
            ncolumn = h->line[i].ncell;
    }
    if (found && h->nline == 1 && h->line[0].ncell != ncolumn)
        return csv_error_ragged(csv, csv->rest, row, end, h->line[0].ncell, e);
    char *buf = malloc(room);
    if (!buf)
        return error_memory(e);
    bool good = add_names(h, ncolumn, buf, e) && add_above(h, e);
    free(buf);
    t->named = h->nline > 0;
    t->stacked = h->nline > 1;
    if (!good || !csv_set_kinds(h->r, found ? csv_row_start(csv, row, end) : NULL, end, e))
        return false;
    for (size_t i = 0; h->nline == 0 && !h->r->options->no_header && i < t->ncolumn; i++)
        t->doubtful |= t->column[i].first == CELL_TEXT;
    return true;
}

bool csv_read_header(struct reader *r, struct error *e)
{
    struct csv *csv = r->state;
    struct csv_header h = { .r = r, .csv = csv };
    if (!csv_read_start(r, e) || !csv_find_header(&h, e) || !make_columns(&h, e) ||
        !csv_set_head(r, h.row.end > h.row.at ? h.row.at : csv->nrest, e))
        return false;
    if (h.nline > 0) {
        const struct csv_summary *last = &h.line[h.nline - 1];
        csv->names = (size_t)(csv_without_eol(csv, csv->head + last->at, csv->head + last->end) - csv->head);
    }
    return true;
}
