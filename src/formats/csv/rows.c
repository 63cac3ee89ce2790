/* Rows into spans and numbers, of csv and of the formats of motion capture, cell by cell; fast_rows.c takes
 * the rows of csv that need no care. The text is followed by a line end (CSV_SLACK), so that no loop here
 * looks for the end of the text. Invariant: a cell means the same whichever way it is read. */
#include "formats/csv/csv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

bool csv_bind(struct reader *r, struct error *e)
{
    struct csv *csv = r->state;
    const struct columns *t = &r->columns;
    size_t next = t->counted;
    free(csv->want);
    csv->nwant = 0;
    csv->want = malloc((t->ncolumn + 1) * sizeof *csv->want);
    if (!csv->want)
        return error_memory(e);
    for (size_t i = next; i < t->ncolumn; i++) {
        const struct column *c = &t->column[i];
        if (c->cell == COLUMN_NONE)
            continue;
        bool number = c->value != COLUMN_NONE || (i == t->time && t->form == TIMESTAMP_NUMBER);
        csv->want[csv->nwant++] = (struct csv_want){ i, i - next, c->value, i == t->time,
                                                     number && (!r->options->missing || i == t->time) };
        next = i + 1;
    }
    csv->ntail = t->ncolumn - next;
    csv->fast = !csv->runs && csv->nwant > 0 && (t->form == TIMESTAMP_NUMBER || !r->options->missing);
    return true;
}

/* --- errors --------------------------------------------------------------------------------------------- */

/* Adds the name of a column to b->error, its number if it has none. */
static void error_cell(const struct csv_scan *s, size_t column)
{
    const struct columns *t = &s->r->columns;
    char number[24];
    snprintf(number, sizeof number, "%zu", column + 1);
    if (column < t->ncolumn)
        error_column(&s->b->error, t->column[column].name[0] ? t->column[column].name : number);
}

static const char *ragged(struct csv_scan *s)
{
    const struct columns *t = &s->r->columns;
    csv_error_ragged(s->csv, s->b->text, s->row, s->end, t->ncolumn - t->counted, &s->b->error);
    return NULL;
}

static const char *bad_cell(struct csv_scan *s, const struct csv_cell *cell, size_t column)
{
    csv_error_quote(s->csv, s->b->text, cell, &s->b->error);
    error_cell(s, column);
    return NULL;
}

/* The error of a cell that must be a number. */
static bool bad_number(const struct csv_scan *s, const struct csv_want *w, const struct csv_cell *cell,
                       enum cell_kind kind)
{
    struct error *e = &s->b->error;
    const char *name = s->r->columns.column[w->column].name, *end = cell->at + cell->n;
    const char *quote = strchr(name, ' ') ? "'" : "";
    double x;
    if (kind == CELL_GAP)
        error_data(e, "the time is missing");
    else if (kind == CELL_NUMBER && number_read(cell->at, end, s->point, &x) == end)
        error_data(e, "the number is too large for a double");
    else if (kind == CELL_NUMBER)
        error_data(e, "infinity is not a number that can be filtered");
    else
        error_data(e, "%s",
                   w->time ? timestamp_fault(cell->at, cell->n, s->r->columns.form) : "not a number");
    error_excerpt(e, cell->at, cell->n);
    error_cell(s, w->column);
    bool grouped = csv_is_grouped(s->csv, cell);
    if (s->point == '.' && memchr(cell->at, ',', cell->n) && number_read(cell->at, end, ',', &x) == end)
        error_hint(e, "--decimal , reads a decimal comma%s",
                   grouped ? "; separators between thousands must be removed first" : "");
    else if (grouped)
        error_hint(e, "separators between thousands must be removed first");
    else if (w->time)
        error_hint(e, "--time COLUMN names another time column, --rate HZ does without");
    else if (s->r->columns.column[w->column].role == ROLE_READ)
        error_hint(e, "--missing LIST says which texts are gaps");
    else if (w->value >= s->r->columns.nchannel)
        error_hint(e, "a cut column holds numbers, 0 where there is no cut");
    else
        error_hint(e, "-x %s%s%s leaves the column as it is; --missing LIST says which texts are gaps", quote,
                   name[0] ? name : e->column, quote);
    return csv_error_place(s->csv, s->b->text, cell->at, e);
}

/* Stores value and time of row i from a cell whose quotes are good; false and b->error if it is no number. */
static bool store_cell(const struct csv_scan *s, const struct csv_want *w, struct csv_cell *cell, size_t i)
{
    double x;
    struct number_decimal d = { 0, 0, false };
    if (!w->time && w->value == COLUMN_NONE)
        return true;
    enum cell_kind kind = csv_kind(s->r, cell, &x);
    if (w->time && kind != CELL_GAP && s->r->columns.form != TIMESTAMP_NUMBER)
        return timestamp_read_as(s->r->columns.form, cell->at, cell->n, &s->b->time[i]) ||
               bad_number(s, w, cell, CELL_TEXT);
    bool bad = kind == CELL_TEXT || (kind == CELL_NUMBER && !isfinite(x)) || (w->time && kind == CELL_GAP);
    if (bad && !s->r->lenient)
        return bad_number(s, w, cell, kind);
    if (w->time && isfinite(x))
        number_read_decimal(cell->at, cell->at + cell->n, s->point, &x, &d);
    csv_store(s, w, i, isfinite(x) ? x : (double)NAN, d);
    return true;
}

/* False if the record that ends at `end`, or a cell of it, is too long. */
static bool check_length(const struct csv_scan *s, const char *end, bool comment)
{
    struct csv_cell cell;
    size_t column = s->r->columns.counted;
    for (const char *p = s->row; p && !comment; column++) {
        p = csv_next(s->csv, p, s->end, &cell);
        if (cell.n <= FORMAT_MAXCELL)
            continue;
        error_data(&s->b->error, "a cell of more than %d MiB", FORMAT_MAXCELL >> 20);
        error_excerpt(&s->b->error, cell.at, cell.n);
        error_cell(s, column);
        return csv_error_place(s->csv, s->b->text, cell.at, &s->b->error);
    }
    return end - s->row <= FORMAT_MAXROW;
}

/* Ends the block before row i, which is bad; a NUL in it or its length replace b->error. */
static void fail(struct csv_scan *s, size_t i)
{
    const char *next = csv_record(s->csv, s->row, s->end);
    csv_check_record(s->csv, s->b->text, s->row, next ? next : s->end, &s->b->error);
    s->b->nrow = i;
    s->b->ntext = (size_t)(s->row - s->b->text);
}

/* The line end at or after p. */
static const char *line_end(const struct csv_scan *s, const char *p)
{
    return memchr(p, s->eol, (size_t)(s->end - p) + 1);
}

/* --- rows ----------------------------------------------------------------------------------------------- */

static inline const char *skip_blanks(const struct csv_scan *s, const char *p)
{
    while (csv_is(s->csv, *p, CSV_BLANK))
        p++;
    return p;
}

/* A wanted cell that is likely to be a number; what ends it, as csv_cell returns it. NULL: it is none. */
static const char *likely_number(const struct csv_scan *s, const struct csv_want *w, const char *p, size_t i,
                                 struct csv_cell *cell)
{
    double x;
    struct number_decimal d;
    p = skip_blanks(s, p);
    const char *z = number_read_decimal(p, s->end + CSV_SLACK, s->point, &x, &d);
    if (!z || !isfinite(x))
        return NULL;
    const char *end = skip_blanks(s, z), *blank = s->csv->runs && end > z ? end - 1 : NULL;
    end += *end == '\r' && s->eol == '\n' && end[1] == '\n';
    if (*end != s->delimiter && *end != s->eol && !(end = blank))
        return NULL;
    csv_store(s, w, i, x, d);
    *cell = (struct csv_cell){ .at = p, .n = (size_t)(z - p) };
    return end;
}

/* The same for a cell that is not wanted; NULL: it needs csv_cell. */
static const char *pass_cell(const struct csv_scan *s, const char *p)
{
    p = skip_blanks(s, p);
    while (!csv_is(s->csv, *p, CSV_STOP | CSV_QUOTE))
        p++;
    if (csv_is(s->csv, *p, CSV_QUOTE))
        return NULL;
    const char *next = s->csv->runs ? skip_blanks(s, p) : p;
    return next > p && *next != s->eol ? next - 1 : next;
}

/* Row i, which begins at s->row, and its spans; returns its line end, NULL for an error. */
static const char *any_row(struct csv_scan *s, size_t i, struct span *out)
{
    const struct columns *t = &s->r->columns;
    const struct csv_want *w = s->csv->want, *last = w + s->csv->nwant;
    const char *p = s->row;
    for (size_t column = t->counted;; column++, p++) {
        bool wanted = w < last && w->column == column;
        struct csv_cell cell;
        const char *end = NULL;
        if (wanted && w->plain)
            end = likely_number(s, w, p, i, &cell);
        else if (!wanted && column + 1 < t->ncolumn)
            end = pass_cell(s, p);
        if (!end) {
            end = csv_cell(s->csv, p, s->end, &cell);
            if (column >= t->ncolumn && (!s->csv->bare || cell.n > 0))
                return ragged(s);
            if (cell.fault != CSV_FINE)
                return bad_cell(s, &cell, column);
            if (wanted && !store_cell(s, w, &cell, i))
                return NULL;
        }
        p = end;
        if (wanted) {
            *out++ = csv_span(s, cell.at, cell.at + cell.n);
            w++;
        }
        if (column + 1 == t->ncolumn)
            s->row_end = cell.at + cell.n;
        if (*p == s->eol)
            return column + 1 < t->ncolumn ? ragged(s) : p;
    }
}

/* Only blank lines may follow the one at s->row; load keeps them with what follows. */
static bool check_blank_lines(struct csv_scan *s)
{
    const char *p = s->row;
    while (p < s->end && csv_is_blank_line(s->csv, p, s->end))
        p = line_end(s, p) + 1;
    if (p >= s->end)
        return true;
    struct csv_cell cell;
    double x;
    csv_cell(s->csv, p, s->end, &cell);
    bool section = s->r->columns.ncolumn > 1 && csv_kind(s->r, &cell, &x) == CELL_TEXT;
    error_data(&s->b->error, section ? "a blank line, and another section" : "a blank line between rows");
    if (section) {
        error_excerpt(&s->b->error, cell.at, cell.n);
        error_hint(&s->b->error,
                   "filter one section at a time: csplit -z FILE '/^[[:space:],]*$/' '{*}' splits the file");
    } else if (s->r->columns.ncolumn == 1)
        error_hint(&s->b->error, "a gap in a single column is written NA");
    return csv_error_place(s->csv, s->b->text, s->row, &s->b->error);
}

/* What begins at s->row: row *i, a comment line, or blank lines; returns its line end, NULL for an error. */
static const char *parse_record(struct csv_scan *s, size_t *i)
{
    struct block *b = s->b;
    bool comment = csv_is_comment(s->csv, s->row, s->end);
    if (!comment && csv_is(s->csv, *s->row, CSV_FIRST) && csv_is_blank_line(s->csv, s->row, s->end))
        return s->csv->bare ? line_end(s, s->row) : check_blank_lines(s) ? s->end : NULL;
    const char *end = comment ? line_end(s, s->row)
                              : any_row(s, *i, b->cell + (*i + 1) * b->ncell - s->csv->nwant);
    if (!end || (end - s->row > FORMAT_MAXCELL && !check_length(s, end, comment)))
        return NULL;
    if (!comment)
        b->row[(*i)++] = csv_span(s, s->row, s->csv->bare ? s->row_end : end - (end[-1] == '\r'));
    return end;
}

void csv_parse(const struct reader *r, struct block *b)
{
    const struct csv *csv = r->state;
    const char *p = b->text, *nul = b->ntext ? memchr(p, 0, b->ntext) : NULL;
    struct csv_scan s = { r, csv, b, p + b->ntext, p, p, csv->delimiter, csv->eol, csv->point };
    bool fast = csv->fast && !nul;
    size_t i = 0;
    for (; p < s.end; p++) {
        if (fast && (p = csv_fast_rows(&s, p, &i)) >= s.end)
            break;
        s.row = csv_row_start(csv, p, s.end);
        size_t before = i;
        p = parse_record(&s, &i);
        if (!p || (nul && p > nul)) {
            fail(&s, before);
            return;
        }
    }
    b->nrow = i;
}
