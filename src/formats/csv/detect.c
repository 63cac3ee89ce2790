/* Which record of csv holds the names, and which is the first row.
 * Unasked, the first row is the first record with a number below a name of the time, or in which most cells
 * are numbers; a gap is one where the line above gives it a name. The names are in the last record without
 * numbers before it; records of as many cells between the two are rows, too. Only what stands up to the first
 * row decides, so that live and file agree; where there is no such record, the first LOOK records decide. */
#include "formats/csv/csv.h"

#include <stdlib.h>

enum { LOOK = 1000 };

/* --- records --- */

/* Reads until the record at `at` is whole. *end == at: nothing is left. */
static bool whole_record(struct csv_find *f, size_t at, size_t *end, struct error *e)
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
        if (!csv_read_more(f, e))
            return false;
    }
}

static bool is_row(const struct csv_find *f, size_t at, size_t end)
{
    const char *p = f->csv->rest + at, *stop = f->csv->rest + end;
    return !csv_is_comment(f->csv, p, stop) && !csv_is_blank_line(f->csv, p, stop);
}

/* names: the record whose cells are the names above, or NULL. */
static struct csv_look look_at(const struct csv_find *f, size_t at, size_t end, const struct csv_look *names)
{
    const struct csv *csv = f->csv;
    struct csv_look look = { .at = at, .end = end };
    const char *stop = csv->rest + end, *p = csv_row_start(csv, csv->rest + at, stop), *above = NULL,
               *above_end = NULL;
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
        look.timed = look.timed || (kind == CELL_NUMBER && columns_means_time(name.at, name.n));
        if (p == stop || *p++ != csv->delimiter)
            return look;
    }
}

static bool looks_like_row(const struct csv_look *k)
{
    size_t numbers = k->nnumber + k->nnamed;
    return k->timed || ((k->nnumber > 0 || k->nword > 0) && numbers > k->ncell - numbers);
}

static bool may_be_names(const struct csv_look *k)
{
    return k->nnumber == 0 && k->ntext > 0;
}

/* The next row-like record at or after *at and before end, which all is there; *at moves behind it. */
static bool next_look(const struct csv_find *f, size_t *at, size_t end, struct csv_look *look)
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

/* --- which record is what --- */

/* Does a character other than the delimiter cut both records into the same number of cells, where the
 * delimiter does not cut the first at all? */
static bool check_delimiter(const struct csv_find *f, const struct csv_look *a, const struct csv_look *b,
                            struct error *e)
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
        if (f->csv->delimiter == '\t')
            error_data(e, "no tab is in this line, and tab is the delimiter");
        else
            error_data(e, "no '%c' is in this line, and that is the delimiter", f->csv->delimiter);
        const char *end = csv_without_eol(f->csv, rest + a->at, rest + a->end);
        error_excerpt(e, rest + a->at, (size_t)(end - rest) - a->at);
        error_hint(e, *c == '\t' ? "try --delimiter tab" : "try --delimiter '%c'%s", *c,
                   b->ncell > 1 && f->csv->delimiter == ',' ? " --decimal ," : "");
        csv_place(f->csv, rest, rest + a->at, e);
        e->at = 0;
        return false;
    }
    return true;
}

/* The last record that may be names before `before`, with that number of cells (0: any). */
static bool last_names(const struct csv_find *f, size_t before, size_t ncell, struct csv_look *names)
{
    struct csv_look look;
    bool found = false;
    for (size_t at = f->start; next_look(f, &at, before, &look);)
        if (may_be_names(&look) && (ncell == 0 || look.ncell == ncell)) {
            *names = look;
            found = true;
        }
    return found;
}

/* A row was found: which record before it holds the names, and where do the rows begin? */
static bool settle(struct csv_find *f, const struct csv_look *row, struct error *e)
{
    struct csv_look last, look;
    if (last_names(f, row->at, 0, &last)) {
        if (!check_delimiter(f, &last, row, e))
            return false;
        if (last.ncell != row->ncell && last.ntext > 1) {
            csv_ragged(f->csv, f->csv->rest, f->csv->rest + row->at, f->csv->rest + row->end, last.ncell, e);
            /* The place of a bad quote says enough. */
            return e->at ? false
                         : error_hint(e, "where another line holds the names, --header LINES says which");
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
static bool settle_text(struct csv_find *f, size_t end, struct error *e)
{
    struct csv_look first = { .end = 0 }, second = { .end = 0 }, last = { .end = 0 }, look;
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

static bool find_unasked(struct csv_find *f, struct error *e)
{
    struct csv_look names = { .end = 0 }, look;
    size_t end, n = 0;
    for (size_t at = f->start; n < LOOK; at = end) {
        if (!whole_record(f, at, &end, e))
            return false;
        if (end == at)
            return settle_text(f, at, e);
        if (!is_row(f, at, end))
            continue;
        look = look_at(f, at, end, names.end ? &names : NULL);
        if (looks_like_row(&look))
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
static bool find_none(struct csv_find *f, struct error *e)
{
    size_t end;
    for (size_t at = f->start;; at = end) {
        if (!whole_record(f, at, &end, e))
            return false;
        if (end == at)
            return settle_text(f, at, e);
        if (is_row(f, at, end)) {
            f->row = look_at(f, at, end, NULL);
            return check_delimiter(f, &f->row, &f->row, e);
        }
    }
}

/* The first row below the names: a record with a number, or with nothing but gaps. */
static bool find_row_below(struct csv_find *f, size_t at, struct error *e)
{
    struct csv_look first = { .end = 0 };
    size_t end;
    for (size_t n = 0;; at = end) {
        if (!whole_record(f, at, &end, e))
            return false;
        if (end == at)
            return true;
        if (!is_row(f, at, end))
            continue;
        struct csv_look look = look_at(f, at, end, NULL);
        if (n == 0 && !check_delimiter(f, &f->line[f->nline - 1], &look, e))
            return false;
        if (n++ == 0)
            first = look;
        if (!may_be_names(&look) || n == LOOK) {
            f->row = n == LOOK ? first : look;
            return true;
        }
    }
}

/* --header LINES */
static bool find_given(struct csv_find *f, struct error *e)
{
    uint64_t want[CSV_MAXLINES], line = 1;
    size_t nwant, end;
    if (!csv_name_lines(f->r->options->header, want, &nwant, e))
        return false;
    for (size_t at = f->start; f->nline < nwant; at = end) {
        if (!whole_record(f, at, &end, e))
            return false;
        if (end == at || line > want[f->nline]) {
            error_data(e, end == at ? "--header: there is no line %llu" : "--header: line %llu begins no row",
                       (unsigned long long)want[f->nline]);
            return error_hint(e, end == at ? "the file has %llu line%s" : "it lies within a quoted cell",
                              (unsigned long long)line - 1, error_plural(line - 1));
        }
        if (line == want[f->nline])
            f->line[f->nline++] = look_at(f, at, end, NULL);
        for (size_t i = at; i < end; i++)
            line += f->csv->rest[i] == f->csv->eol;
    }
    return find_row_below(f, f->line[nwant - 1].end, e);
}

bool csv_find(struct csv_find *f, struct error *e)
{
    const struct input_options *o = f->r->options;
    return o->header ? find_given(f, e) : o->no_header ? find_none(f, e) : find_unasked(f, e);
}
