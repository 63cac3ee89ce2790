/* Opening csv: what stands before the rows, and which line of it holds the names.
 * Unasked, the first row is the first record in which numbers are the most: a gap counts as one where the line above
 * gives it a name. The names are in the last record without numbers before it. Where rows that are mostly text stand
 * between the two, they are rows as well. Only what stands up to the first row decides, so that live and file agree;
 * where no record is mostly numbers, the first LOOK records decide. */
#include "csv.h"

#include <stdio.h>
#include <stdlib.h>

enum { LOOK = 1000, MAXLINES = 16 };

/* A record. Offsets in rest, which moves when it grows. */
struct look {
    size_t at, end;
    size_t ncell;
    size_t nnumber, ntext, nword; /* cells that hold a number, text, a gap word; the others are empty */
    size_t nnamed;                /* gaps under a name */
};

struct find {
    struct reader *r;
    struct csv *csv;
    size_t start;                 /* after a byte order mark */
    struct look line[MAXLINES];   /* the names */
    size_t nline;
    struct look row;              /* the first row; at == end: there is none */
};

/* --- bytes ------------------------------------------------------------------------------------------------------- */

bool csv_reserve(struct csv *csv, size_t max, struct error *e)
{
    if (max + CSV_SLACK <= csv->maxrest)
        return true;
    char *rest = realloc(csv->rest, max + CSV_SLACK);
    if (!rest)
        return error_memory(e);
    csv->rest = rest;
    csv->maxrest = max + CSV_SLACK;
    return true;
}

static bool read_more(struct find *f, struct error *e)
{
    struct csv *csv = f->csv;
    size_t n, aim = csv->nrest > FORMAT_BLOCK ? csv->nrest : FORMAT_BLOCK;
    if (!csv_reserve(csv, csv->nrest + aim, e) || !source_read(f->r->source, csv->rest + csv->nrest, aim, &n, e))
        return false;
    csv->nrest += n;
    csv->ended = n == 0;
    return true;
}

/* Skips a byte order mark, refuses others. */
static bool read_mark(struct find *f, struct error *e)
{
    struct csv *csv = f->csv;
    while (csv->nrest < 3 && !csv->ended)
        if (!read_more(f, e))
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

/* Tries to tell the style of line ends from the first one outside of quotes; leaves eol at 0 when it has to see more. */
static void look_for_eol(const struct find *f)
{
    struct csv *csv = f->csv;
    const char *p = csv->rest + f->start, *end = csv->rest + csv->nrest;
    bool comment = csv_is_comment(csv, p, end), fresh = true, quoted = false;
    for (; p < end; p++) {
        if (quoted) {
            quoted = *p != '"';
        } else if (*p == '\n' || *p == '\r') {
            if (*p == '\n' || (p + 1 < end && p[1] == '\n'))
                csv->eol = '\n';
            else if (p + 1 < end || csv->ended)
                csv->eol = '\r';
            break;
        } else if (*p == '"' && (fresh || p[-1] == '"')) {
            quoted = !comment;
            fresh = false;
        } else {
            fresh = *p == csv->delimiter || (fresh && csv->blank[(unsigned char)*p]);
        }
    }
    if (csv->ended && !csv->eol)
        csv->eol = '\n';
}

/* Reads until the record at `at` is whole. *end == at: nothing is left. */
static bool whole_record(struct find *f, size_t at, size_t *end, struct error *e)
{
    struct csv *csv = f->csv;
    for (;;) {
        const char *p = csv->rest + at, *stop = csv->rest + csv->nrest, *next = csv_record(csv, p, stop);
        const char *nul = memchr(p, 0, (size_t)((next ? next : stop) - p));
        if (nul)
            return csv_nul(csv, csv->rest, nul, e);
        if ((size_t)((next ? next : stop) - p) > FORMAT_MAXROW)
            return csv_too_long(csv, csv->rest, p, stop, e);
        if (next || csv->ended) {
            *end = next ? (size_t)(next - csv->rest) : csv->nrest;
            return true;
        }
        if (!read_more(f, e))
            return false;
    }
}

/* --- records ----------------------------------------------------------------------------------------------------- */

static bool is_row(const struct find *f, size_t at, size_t end)
{
    const char *p = f->csv->rest + at, *stop = f->csv->rest + end;
    return !csv_is_comment(f->csv, p, stop) && !csv_is_blank_line(f->csv, p, stop);
}

/* names: the record whose cells are the names above, or NULL. */
static struct look look_at(const struct find *f, size_t at, size_t end, const struct look *names)
{
    const struct csv *csv = f->csv;
    struct look look = { .at = at, .end = end };
    const char *stop = csv->rest + end, *p = csv_row_start(csv, csv->rest + at, stop), *above = NULL, *above_end = NULL;
    if (names) {
        above = csv_row_start(csv, csv->rest + names->at, csv->rest + names->end);
        above_end = csv->rest + names->end;
    }
    for (;;) {
        struct csv_cell cell, name = { .n = 0 };
        double x;
        p = csv_cell(csv, p, stop, &cell);
        if (above) {
            above = csv_cell(csv, above, above_end, &name);
            above = above < above_end && *above == csv->delimiter ? above + 1 : NULL;
        }
        enum cell_kind kind = csv_kind(f->r, &cell, &x);
        look.ncell++;
        look.nnumber += kind == CELL_NUMBER;
        look.ntext += kind == CELL_TEXT;
        look.nword += kind == CELL_GAP && cell.n > 0;
        look.nnamed += kind == CELL_GAP && name.n > 0;
        if (p == stop || *p++ != csv->delimiter)
            return look;
    }
}

static bool mostly_numbers(const struct look *k)
{
    size_t numbers = k->nnumber + k->nnamed;
    return (k->nnumber > 0 || k->nword > 0) && numbers > k->ncell - numbers;
}

static bool may_be_names(const struct look *k)
{
    return k->nnumber == 0 && k->ntext > 0;
}

/* The next row-like record at or after *at and before end, which all is there; *at moves behind it. */
static bool next_look(const struct find *f, size_t *at, size_t end, struct look *look)
{
    while (*at < end) {
        size_t from = *at;
        const char *next = csv_record(f->csv, f->csv->rest + from, f->csv->rest + end);
        *at = next ? (size_t)(next - f->csv->rest) : end;
        if (is_row(f, from, *at)) {
            *look = look_at(f, from, *at, NULL);
            return true;
        }
    }
    return false;
}

/* --- which record is what ---------------------------------------------------------------------------------------- */

/* Does a character other than the delimiter cut both records into the same number of cells, where the delimiter does not
 * cut the first at all? */
static bool check_delimiter(const struct find *f, const struct look *a, const struct look *b, struct error *e)
{
    const char *rest = f->csv->rest;
    for (const char *c = ";\t|,"; !f->r->options->delimiter && a->ncell == 1 && *c; c++) {
        size_t na = 0, nb = 0;
        for (size_t i = a->at; i < a->end; i++)
            na += rest[i] == *c;
        for (size_t i = b->at; i < b->end; i++)
            nb += rest[i] == *c;
        if (na == 0 || na != nb || *c == f->csv->delimiter)
            continue;
        error_data(e, "the names are not cut by the delimiter '%c'", f->csv->delimiter);
        error_excerpt(e, rest + a->at, a->end - a->at);
        error_hint(e, *c == '\t' ? "try --delimiter tab" : "try --delimiter '%c'%s", *c,
                   b->ncell > 1 && f->csv->delimiter == ',' ? " --decimal ," : "");
        csv_place(f->csv, rest, rest + a->at, e);
        e->at = 0;
        return false;
    }
    return true;
}

/* The last record that may be names before `before`, with that number of cells (0: any). */
static bool last_names(const struct find *f, size_t before, size_t ncell, struct look *names)
{
    struct look look;
    bool found = false;
    for (size_t at = f->start; next_look(f, &at, before, &look);)
        if (may_be_names(&look) && (ncell == 0 || look.ncell == ncell)) {
            *names = look;
            found = true;
        }
    return found;
}

/* A row was found: which record before it holds the names, and where do the rows begin? */
static bool settle(struct find *f, const struct look *row, struct error *e)
{
    struct look last, look;
    if (last_names(f, row->at, 0, &last)) {
        if (!check_delimiter(f, &last, row, e))
            return false;
        if (last.ncell != row->ncell && last.ntext > 1) {
            csv_ragged(f->csv, f->csv->rest, f->csv->rest + row->at, f->csv->rest + row->end, last.ncell, e);
            return error_hint(e, "where another line holds the names, --header LINES says which");
        }
    }
    f->nline = last_names(f, row->at, row->ncell, &f->line[0]);
    for (size_t at = f->nline ? f->line[0].end : f->start; next_look(f, &at, row->end, &look);)
        if (look.ncell == row->ncell) {
            f->row = look;
            return true;
        }
    return true;
}

/* No record is mostly numbers: those before end decide. */
static bool settle_text(struct find *f, size_t end, struct error *e)
{
    struct look first = { .end = 0 }, second = { .end = 0 }, last = { .end = 0 }, look;
    for (size_t at = f->start; next_look(f, &at, end, &look); last = look) {
        second = !first.end ? second : !second.end ? look : second;
        first = first.end ? first : look;
    }
    if (!first.end)
        return error_data(e, end == f->start ? "the file is empty" : "there is no header and no row in it");
    if (second.end && !check_delimiter(f, &first, &second, e))
        return false;
    for (size_t at = f->start; next_look(f, &at, end, &look);)
        if (look.nnumber > 0 && look.ncell == last.ncell) {
            f->row = look;
            f->nline = last_names(f, look.at, look.ncell, &f->line[0]);
            return true;
        }
    if (!f->csv->ended || end < f->csv->nrest) {
        f->line[f->nline++] = first;
        f->row = second;
    } else if (last_names(f, end, 0, &f->line[0])) {
        f->nline = 1;
    } else {
        f->row = first;
    }
    return true;
}

static bool find_unasked(struct find *f, struct error *e)
{
    struct look names = { .end = 0 }, look;
    size_t end, n = 0;
    for (size_t at = f->start; n < LOOK; at = end) {
        if (!whole_record(f, at, &end, e))
            return false;
        if (end == at)
            return settle_text(f, at, e);
        if (!is_row(f, at, end))
            continue;
        look = look_at(f, at, end, names.end ? &names : NULL);
        if (mostly_numbers(&look))
            return settle(f, &look, e);
        if (may_be_names(&look))
            names = look;
        n++;
        if (n == LOOK || end - f->start > FORMAT_MAXROW)
            return settle_text(f, end, e);
    }
    return true;
}

/* --no-header: the first record is a row. */
static bool find_none(struct find *f, struct error *e)
{
    size_t end;
    for (size_t at = f->start;; at = end) {
        if (!whole_record(f, at, &end, e))
            return false;
        if (end == at)
            return settle_text(f, at, e);
        if (is_row(f, at, end)) {
            f->row = look_at(f, at, end, NULL);
            return true;
        }
    }
}

static bool parse_lines(const char *text, uint64_t *line, size_t *nline, struct error *e)
{
    const char *p = text;
    for (*nline = 0; *nline < MAXLINES; p++) {
        char *end;
        unsigned long n = *p >= '1' && *p <= '9' ? strtoul(p, &end, 10) : 0;
        if (n == 0 || n > UINT32_MAX || (*nline && n <= line[*nline - 1]))
            break;
        line[(*nline)++] = n;
        p = end;
        if (!*p)
            return true;
        if (*p != ',')
            break;
    }
    error_usage(e, "--header: takes the line of the names, or up to %d lines in order, as 4 or 3,4", MAXLINES);
    return error_excerpt(e, text, strlen(text));
}

/* The first row below the names: a record with a number, or with nothing but gaps. */
static bool find_row_below(struct find *f, size_t at, struct error *e)
{
    struct look first = { .end = 0 };
    size_t end;
    for (size_t n = 0;; at = end) {
        if (!whole_record(f, at, &end, e))
            return false;
        if (end == at)
            return true;
        if (!is_row(f, at, end))
            continue;
        struct look look = look_at(f, at, end, NULL);
        if (n++ == 0)
            first = look;
        if (!may_be_names(&look) || n == LOOK) {
            f->row = n == LOOK ? first : look;
            return true;
        }
    }
}

/* --header LINES */
static bool find_given(struct find *f, struct error *e)
{
    uint64_t want[MAXLINES], line = 1;
    size_t nwant, end;
    if (!parse_lines(f->r->options->header, want, &nwant, e))
        return false;
    for (size_t at = f->start; f->nline < nwant; at = end) {
        if (!whole_record(f, at, &end, e))
            return false;
        if (end == at || line > want[f->nline]) {
            error_data(e, "--header: line %llu is not one", (unsigned long long)want[f->nline]);
            return error_hint(e, end == at ? "the file has %llu lines" : "it lies within a quoted cell",
                              (unsigned long long)line - 1);
        }
        if (line == want[f->nline])
            f->line[f->nline++] = look_at(f, at, end, NULL);
        for (size_t i = at; i < end; i++)
            line += f->csv->rest[i] == f->csv->eol;
    }
    return find_row_below(f, f->line[nwant - 1].end, e);
}

/* --- the table --------------------------------------------------------------------------------------------------- */

/* One line of names, cell by cell. */
struct names {
    const char *p, *end;          /* NULL: no cell is left */
    struct csv_cell cell, fill;   /* this one; the last one that was not blank */
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

/* Joins the cells of one column, top to bottom, into buf. Blanks above the last line are filled from the left, as far as
 * nothing new begins in a line above them. */
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

static bool add_names(struct find *f, size_t ncolumn, char *buf, struct error *e)
{
    struct names line[MAXLINES];
    for (size_t i = 0; i < f->nline; i++) {
        const char *end = f->csv->rest + f->line[i].end;
        line[i] = (struct names){ csv_row_start(f->csv, f->csv->rest + f->line[i].at, end), end, { .n = 0 }, { .n = 0 } };
    }
    for (size_t column = 0; column < ncolumn; column++) {
        for (size_t i = 0; i < f->nline; i++)
            if (!next_name(f->csv, &line[i], e))
                return false;
        size_t n = f->nline ? join_name(line, f->nline, buf) : (size_t)sprintf(buf, "%zu", column + 1);
        if (!table_add(&f->r->table, buf, n, e))
            return false;
    }
    return true;
}

static bool take_kinds(struct find *f, struct error *e)
{
    const struct csv *csv = f->csv;
    struct table *t = &f->r->table;
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

static bool make_table(struct find *f, struct error *e)
{
    size_t ncolumn = f->row.ncell, room = 32;
    bool found = f->row.end > f->row.at;
    for (size_t i = 0; i < f->nline; i++) {
        room += f->line[i].end - f->line[i].at + 1;
        if (!found && f->line[i].ncell > ncolumn)
            ncolumn = f->line[i].ncell;
    }
    if (found && f->nline == 1 && f->line[0].ncell != ncolumn)
        return csv_ragged(f->csv, f->csv->rest, f->csv->rest + f->row.at, f->csv->rest + f->row.end, f->line[0].ncell, e);
    char *buf = malloc(room);
    if (!buf)
        return error_memory(e);
    bool good = add_names(f, ncolumn, buf, e);
    free(buf);
    f->r->table.named = f->nline > 0;
    f->r->table.stacked = f->nline > 1;
    return good && take_kinds(f, e);
}

/* What stands before the rows becomes the head. */
static bool cut_head(struct find *f, struct error *e)
{
    struct csv *csv = f->csv;
    csv->nhead = f->row.end > f->row.at ? f->row.at : csv->nrest;
    csv->head = malloc(csv->nhead + 1);
    if (!csv->head)
        return error_memory(e);
    memcpy(csv->head, csv->rest, csv->nhead);
    csv->nrest -= csv->nhead;
    memmove(csv->rest, csv->rest + csv->nhead, csv->nrest);
    for (size_t i = 0; i < csv->nhead; i++)
        f->r->nline += csv->head[i] == csv->eol;
    if (f->nline == 0)
        return true;
    csv->names = f->line[f->nline - 1].end;
    if (csv->head[csv->names - 1] == csv->eol)
        csv->names--;
    if (csv->eol == '\n' && csv->names > 0 && csv->head[csv->names - 1] == '\r')
        csv->names--;
    return true;
}

bool csv_header(struct reader *r, struct error *e)
{
    struct find f = { .r = r, .csv = r->state };
    if (r->options->no_header && r->options->header)
        return error_usage(e, "--no-header and --header contradict each other");
    if (!read_mark(&f, e))
        return false;
    for (look_for_eol(&f); !f.csv->eol; look_for_eol(&f))
        if (!read_more(&f, e))
            return false;
    if (!(r->options->header ? find_given : r->options->no_header ? find_none : find_unasked)(&f, e))
        return false;
    return make_table(&f, e) && cut_head(&f, e);
}
