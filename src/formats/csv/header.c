/* Reads the header: bytes before the first row become the head, the names in it the columns. detect.c tells
 * which lines the names are in. */
#include "formats/csv/csv.h"

#include "base/array.h"

#include <stdio.h>
#include <stdlib.h>

/* --- bytes --- */

bool csv_reserve(struct csv *csv, size_t max, struct error *e)
{
    return array_reserve(&csv->rest, max + CSV_SLACK, &csv->maxrest, 1, e);
}

static bool read_more(struct reader *r, struct error *e)
{
    struct csv *csv = r->state;
    size_t n, aim = csv->nrest > FORMAT_BLOCK ? csv->nrest : FORMAT_BLOCK;
    if (!csv_reserve(csv, csv->nrest + aim, e) || !source_read(r->source, csv->rest + csv->nrest, aim, &n, e))
        return false;
    csv->nrest += n;
    csv->ended = n == 0;
    return true;
}

/* Skips a UTF-8 byte order mark and refuses those of UTF-16. */
static bool read_mark(struct reader *r, struct error *e)
{
    struct csv *csv = r->state;
    /* One byte can show that there is none; then a first row of one byte does not wait for a second one. */
    while (csv->nrest < 3 && !csv->ended && (csv->nrest == 0 || (unsigned char)csv->rest[0] >= 0xEF))
        if (!read_more(r, e))
            return false;
    const char *p = csv->rest;
    if (csv->nrest >= 2 && (memcmp(p, "\xFF\xFE", 2) == 0 || memcmp(p, "\xFE\xFF", 2) == 0)) {
        error_data(e, "this is UTF-16, which is not read");
        error_hint(e, "convert it: iconv -f UTF-16 -t UTF-8");
        return error_place(e, 1, 1);
    }
    if (csv->nrest >= 3 && memcmp(p, "\xEF\xBB\xBF", 3) == 0)
        csv->start = 3;
    return true;
}

/* Sets eol by the first line end outside of quotes; leaves it 0 if more bytes are needed. */
static void find_eol(struct csv *csv)
{
    const char *p = csv->rest + csv->start, *end = csv->rest + csv->nrest;
    bool comment = csv_is_comment(csv, p, end), fresh = !csv->bare, quoted = false;
    for (; p < end; p++) {
        if (quoted) {
            quoted = *p != '"';
        } else if (*p == '\n' || *p == '\r') {
            if (*p == '\n' || (p + 1 < end && p[1] == '\n'))
                csv->eol = '\n';
            else if (p + 1 < end || csv->ended)
                csv->eol = '\r';
            break;
        } else if (*p == '"' && (fresh || (!csv->bare && p[-1] == '"'))) {
            quoted = !comment;
            fresh = false;
        } else {
            fresh = (*p == csv->delimiter && !csv->bare) || (fresh && csv_is(csv, *p, CSV_BLANK));
        }
    }
    if (csv->ended && !csv->eol)
        csv->eol = '\n';
}

bool csv_read_start(struct reader *r, struct error *e)
{
    struct csv *csv = r->state;
    if (!read_mark(r, e))
        return false;
    for (find_eol(csv); !csv->eol; find_eol(csv))
        if (!read_more(r, e))
            return false;
    csv_set_delimiter(csv, csv->runs ? 0 : csv->delimiter);
    return true;
}

bool csv_read_record(struct reader *r, size_t at, size_t *end, struct error *e)
{
    struct csv *csv = r->state;
    for (;;) {
        const char *p = csv->rest + at, *stop = csv->rest + csv->nrest, *next = csv_record(csv, p, stop);
        *end = next ? (size_t)(next - csv->rest) : csv->nrest;
        if (!csv_check_record(csv, csv->rest, p, csv->rest + *end, e))
            return false;
        if (next || csv->ended)
            return true;
        if (!read_more(r, e))
            return false;
    }
}

/* --- the columns --- */

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

static bool add_names(struct csv_detect *d, size_t ncolumn, char *buf, struct error *e)
{
    const struct csv *csv = d->csv;
    struct names line[CSV_MAXLINES] = { 0 };
    for (size_t i = 0; i < d->nline; i++) {
        line[i].end = csv->rest + d->line[i].end;
        line[i].p = csv_row_start(csv, csv->rest + d->line[i].at, line[i].end);
    }
    for (size_t column = 0; column < ncolumn; column++) {
        for (size_t i = 0; i < d->nline; i++) {
            line[i].p = csv_next(csv, line[i].p, line[i].end, &line[i].cell);
            if (!csv_error_quote(csv, csv->rest, &line[i].cell, e))
                return false;
        }
        size_t n = d->nline ? join_name(line, d->nline, buf) : (size_t)sprintf(buf, "%zu", column + 1);
        if (!columns_add(&d->r->columns, buf, n, e))
            return false;
    }
    return true;
}

bool csv_set_kinds(struct reader *r, const char *p, const char *end, struct error *e)
{
    const struct csv *csv = r->state;
    for (size_t i = 0; i < r->columns.ncolumn; i++) {
        struct column *c = &r->columns.column[i];
        struct csv_cell cell;
        double x;
        p = csv_next(csv, p, end, &cell);
        if (!csv_error_quote(csv, csv->rest, &cell, e))
            return error_column(e, c->name);
        c->first = csv_kind(r, &cell, &x);
    }
    return true;
}

static bool make_columns(struct csv_detect *d, struct error *e)
{
    const struct csv *csv = d->csv;
    struct columns *t = &d->r->columns;
    const char *row = csv->rest + d->row.at, *end = csv->rest + d->row.end;
    size_t ncolumn = d->row.ncell, room = 32;
    bool found = end > row;
    for (size_t i = 0; i < d->nline; i++) {
        room += d->line[i].end - d->line[i].at + 1;
        if (!found && d->line[i].ncell > ncolumn)
            ncolumn = d->line[i].ncell;
    }
    if (found && d->nline == 1 && d->line[0].ncell != ncolumn)
        return csv_error_ragged(csv, csv->rest, row, end, d->line[0].ncell, e);
    char *buf = malloc(room);
    if (!buf)
        return error_memory(e);
    bool good = add_names(d, ncolumn, buf, e);
    free(buf);
    t->named = d->nline > 0;
    t->stacked = d->nline > 1;
    if (!good || !csv_set_kinds(d->r, found ? csv_row_start(csv, row, end) : NULL, end, e))
        return false;
    for (size_t i = 0; d->nline == 0 && !d->r->options->no_header && i < t->ncolumn; i++)
        t->doubtful |= t->column[i].first == CELL_TEXT;
    return true;
}

bool csv_set_head(struct reader *r, size_t nhead, struct error *e)
{
    struct csv *csv = r->state;
    const char *end = csv->nrest ? memchr(csv->rest, csv->eol, csv->nrest) : NULL;
    csv->crlf = csv->eol == '\n' && end && end > csv->rest && end[-1] == '\r';
    csv->nhead = nhead;
    csv->head = malloc(nhead + 1);
    if (!csv->head)
        return error_memory(e);
    memcpy(csv->head, csv->rest, nhead);
    csv->nrest -= nhead;
    memmove(csv->rest, csv->rest + nhead, csv->nrest);
    r->nline += block_count(csv->head, nhead, csv->eol);
    return true;
}

bool csv_read_header(struct reader *r, struct error *e)
{
    struct csv *csv = r->state;
    struct csv_detect d = { .r = r, .csv = csv };
    if (!csv_read_start(r, e) || !csv_detect(&d, e) || !make_columns(&d, e) ||
        !csv_set_head(r, d.row.end > d.row.at ? d.row.at : csv->nrest, e))
        return false;
    if (d.nline > 0) {
        const struct csv_summary *last = &d.line[d.nline - 1];
        csv->names = (size_t)(csv_without_eol(csv, csv->head + last->at, csv->head + last->end) - csv->head);
    }
    return true;
}
