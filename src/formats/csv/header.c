/* Opening csv: what stands before the rows becomes the head, the names in it the table. csv_find.c tells
 * which lines they are in. */
#include "formats/csv/csv.h"

#include <stdio.h>
#include <stdlib.h>

/* --- bytes --- */

bool csv_reserve(struct csv *csv, size_t max, struct error *e)
{
    if (max + CSV_SLACK <= csv->maxrest)
        return true;
    size_t room = max + max / 2 + CSV_SLACK;
    char *rest = realloc(csv->rest, room);
    if (!rest)
        return error_memory(e);
    csv->rest = rest;
    csv->maxrest = room;
    return true;
}

bool csv_read_more(struct csv_find *f, struct error *e)
{
    struct csv *csv = f->csv;
    size_t n, aim = csv->nrest > FORMAT_BLOCK ? csv->nrest : FORMAT_BLOCK;
    if (!csv_reserve(csv, csv->nrest + aim, e) ||
        !source_read(f->r->source, csv->rest + csv->nrest, aim, &n, e))
        return false;
    csv->nrest += n;
    csv->ended = n == 0;
    return true;
}

/* Skips a byte order mark, refuses others. */
static bool read_mark(struct csv_find *f, struct error *e)
{
    struct csv *csv = f->csv;
    /* One byte tells that there is none, so that a first row as short as that need not wait for a second. */
    while (csv->nrest < 3 && !csv->ended && (csv->nrest == 0 || (unsigned char)csv->rest[0] >= 0xEF))
        if (!csv_read_more(f, e))
            return false;
    const char *p = csv->rest;
    if (csv->nrest >= 2 && (memcmp(p, "\xFF\xFE", 2) == 0 || memcmp(p, "\xFE\xFF", 2) == 0)) {
        error_data(e, "this is UTF-16, which is not read");
        error_hint(e, "convert it: iconv -f UTF-16 -t UTF-8");
        return error_place(e, 1, 1);
    }
    if (csv->nrest >= 3 && memcmp(p, "\xEF\xBB\xBF", 3) == 0)
        f->start = 3;
    return true;
}

/* Tries to tell the style of line ends from the first one outside of quotes; leaves eol at 0 when it has to
 * see more. */
static void look_for_eol(const struct csv_find *f)
{
    struct csv *csv = f->csv;
    const char *p = csv->rest + f->start, *end = csv->rest + csv->nrest;
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
            fresh = (*p == csv->delimiter && !csv->bare) || (fresh && csv->blank[(unsigned char)*p]);
        }
    }
    if (csv->ended && !csv->eol)
        csv->eol = '\n';
}

/* --- the table --- */

/* One line of names, cell by cell. */
struct names {
    const char *p, *end;        /* NULL: no cell is left */
    struct csv_cell cell, fill; /* this one; the last one that was not blank */
};

/* The next cell of a line; past its end cells are blank. */
static bool next_name(const struct csv *csv, struct names *line, struct error *e)
{
    line->cell = (struct csv_cell){ .n = 0 };
    if (!line->p)
        return true;
    line->p = csv_cell(csv, line->p, line->end, &line->cell);
    line->p = line->p < line->end && *line->p == csv->delimiter ? line->p + 1 : NULL;
    return csv_explain(csv, csv->rest, &line->cell, e);
}

/* Joins the cells of one column, top to bottom, into buf. Blanks above the last line are filled from the
 * left, as far as nothing new begins in a line above them. */
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
        if (cell->quoted) {
            n += csv_unquote(cell->at, cell->n, buf + n);
        } else {
            memcpy(buf + n, cell->at, cell->n);
            n += cell->n;
        }
    }
    return n;
}

static bool add_names(struct csv_find *f, size_t ncolumn, char *buf, struct error *e)
{
    struct names line[CSV_MAXLINES];
    for (size_t i = 0; i < f->nline; i++) {
        const char *end = f->csv->rest + f->line[i].end;
        line[i] = (struct names){
            csv_row_start(f->csv, f->csv->rest + f->line[i].at, end), end, { .n = 0 }, { .n = 0 }
        };
    }
    for (size_t column = 0; column < ncolumn; column++) {
        for (size_t i = 0; i < f->nline; i++)
            if (!next_name(f->csv, &line[i], e))
                return false;
        size_t n = f->nline ? join_name(line, f->nline, buf) : (size_t)sprintf(buf, "%zu", column + 1);
        if (!columns_add(&f->r->columns, buf, n, e))
            return false;
    }
    return true;
}

static bool take_kinds(struct csv_find *f, struct error *e)
{
    const struct csv *csv = f->csv;
    struct columns *t = &f->r->columns;
    const char *end = csv->rest + f->row.end, *p = csv_row_start(csv, csv->rest + f->row.at, end);
    for (size_t i = 0; i < t->ncolumn; i++) {
        struct csv_cell cell;
        double x;
        t->column[i].first = CELL_GAP;
        if (f->row.at == f->row.end)
            continue;
        p = csv_cell(csv, p, end, &cell) + 1;
        if (!csv_explain(csv, csv->rest, &cell, e))
            return error_column(e, t->column[i].name);
        t->column[i].first = csv_kind(f->r, &cell, &x);
    }
    return true;
}

static bool make_table(struct csv_find *f, struct error *e)
{
    size_t ncolumn = f->row.ncell, room = 32;
    bool found = f->row.end > f->row.at;
    for (size_t i = 0; i < f->nline; i++) {
        room += f->line[i].end - f->line[i].at + 1;
        if (!found && f->line[i].ncell > ncolumn)
            ncolumn = f->line[i].ncell;
    }
    if (found && f->nline == 1 && f->line[0].ncell != ncolumn)
        return csv_ragged(f->csv, f->csv->rest, f->csv->rest + f->row.at, f->csv->rest + f->row.end,
                          f->line[0].ncell, e);
    char *buf = malloc(room);
    if (!buf)
        return error_memory(e);
    bool good = add_names(f, ncolumn, buf, e);
    free(buf);
    f->r->columns.named = f->nline > 0;
    f->r->columns.stacked = f->nline > 1;
    if (!good || !take_kinds(f, e))
        return false;
    struct columns *t = &f->r->columns;
    for (size_t i = 0; f->nline == 0 && !f->r->options->no_header && i < t->ncolumn; i++)
        t->doubtful |= t->column[i].first == CELL_TEXT;
    return true;
}

bool csv_cut(struct reader *r, size_t nhead, struct error *e)
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
    for (size_t i = 0; i < nhead; i++)
        r->nline += csv->head[i] == csv->eol;
    return true;
}

/* What stands before the rows becomes the head. */
static bool cut_head(struct csv_find *f, struct error *e)
{
    struct csv *csv = f->csv;
    if (!csv_cut(f->r, f->row.end > f->row.at ? f->row.at : csv->nrest, e))
        return false;
    if (f->nline == 0)
        return true;
    const struct csv_look *last = &f->line[f->nline - 1];
    csv->names = (size_t)(csv_without_eol(csv, csv->head + last->at, csv->head + last->end) - csv->head);
    return true;
}

bool csv_start(struct csv_find *f, struct error *e)
{
    if (!read_mark(f, e))
        return false;
    for (look_for_eol(f); !f->csv->eol; look_for_eol(f))
        if (!csv_read_more(f, e))
            return false;
    return true;
}

bool csv_header(struct reader *r, struct error *e)
{
    struct csv_find f = { .r = r, .csv = r->state };
    return csv_start(&f, e) && csv_find(&f, e) && make_table(&f, e) && cut_head(&f, e);
}
