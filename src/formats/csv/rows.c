/* Rows of csv into spans and numbers: the hot path. A wanted number is read where it stands, and what follows
 * it tells that the cell is whole; columns that nobody wants are passed over eight bytes at a time. Whatever
 * is unusual goes to csv_scan.c. The text is followed by a line end (CSV_SLACK), so that no loop here looks
 * for the end of the text. */
#include "formats/csv/csv.h"

#include <math.h>
#include <stdlib.h>

struct scan {
    const struct reader *r;
    const struct csv *csv;
    struct block *b;
    const char *end; /* of the text */
    const char *row; /* where this row begins */
    char delimiter, eol, point;
};

bool csv_bind(struct reader *r, struct error *e)
{
    struct csv *csv = r->state;
    const struct columns *t = &r->columns;
    size_t next = 0;
    free(csv->want);
    csv->nwant = 0;
    csv->want = malloc((t->ncolumn + 1) * sizeof *csv->want);
    if (!csv->want)
        return error_memory(e);
    for (size_t i = 0; i < t->ncolumn; i++) {
        const struct column *c = &t->column[i];
        if (c->cell == COLUMN_NONE)
            continue;
        bool number = c->value != COLUMN_NONE || i == t->time;
        csv->want[csv->nwant++] = (struct csv_want){ i, i - next, c->value, i == t->time,
                                                     number && (!r->options->missing || i == t->time) };
        next = i + 1;
    }
    csv->ntail = t->ncolumn - next;
    csv->swift = csv->eol != '\r' && csv->nwant > 0 && t->ncolumn > 1;
    for (size_t i = 0; i < csv->nwant; i++)
        csv->swift &= csv->want[i].plain || csv->want[i].value == COLUMN_NONE;
    return true;
}

/* --- faults --------------------------------------------------------------------------------------------- */

static const char *column_name(const struct reader *r, size_t column, char *buf, size_t maxbuf)
{
    const char *name = r->columns.column[column].name;
    if (name[0])
        return name;
    size_t n = 0, digits = column + 1;
    char reversed[24];
    for (; digits; digits /= 10)
        reversed[n++] = (char)('0' + digits % 10);
    for (size_t i = 0; i < n && i + 1 < maxbuf; i++)
        buf[i] = reversed[n - 1 - i];
    buf[n < maxbuf ? n : maxbuf - 1] = 0;
    return buf;
}

static const char *ragged(struct scan *s)
{
    csv_ragged(s->csv, s->b->text, s->row, s->end, s->r->columns.ncolumn, &s->b->error);
    return NULL;
}

static const char *bad_cell(struct scan *s, const struct csv_cell *cell, size_t column)
{
    char buf[24];
    csv_explain(s->csv, s->b->text, cell, &s->b->error);
    error_column(&s->b->error, column_name(s->r, column, buf, sizeof buf));
    return NULL;
}

static bool is_comma_number(char point, const struct csv_cell *cell)
{
    double x;
    return point == '.' && memchr(cell->at, ',', cell->n) &&
           number_read(cell->at, cell->at + cell->n, ',', &x) == cell->at + cell->n;
}

/* A cell that had to be a number. */
static bool bad_number(const struct reader *r, struct block *b, const struct csv_want *w,
                       const struct csv_cell *cell, enum cell_kind kind)
{
    const struct csv *csv = r->state;
    struct error *e = &b->error;
    char buf[24];
    const char *name = column_name(r, w->column, buf, sizeof buf);
    const char *end = cell->at + cell->n;
    double x;
    if (kind == CELL_GAP)
        error_data(e, "the time is missing");
    else if (kind == CELL_NUMBER && number_read(cell->at, end, csv->point, &x) == end)
        error_data(e, "the number is too large for a double");
    else if (kind == CELL_NUMBER)
        error_data(e, "infinity is not a number that can be filtered");
    else
        error_data(e, "not a number");
    error_excerpt(e, cell->at, cell->n);
    if (is_comma_number(csv->point, cell))
        error_hint(e, "--decimal , reads a decimal comma");
    else if (w->time)
        error_hint(e, "--time COLUMN names another time column, --rate HZ does without");
    else if (w->value >= r->columns.nchannel)
        error_hint(e, "a cut column holds numbers, 0 where there is no cut");
    else
        error_hint(e,
                   strchr(name, ' ')
                       ? "-x '%s' leaves the column as it is; --missing LIST says which texts are gaps"
                       : "-x %s leaves the column as it is; --missing LIST says which texts are gaps",
                   name);
    error_column(e, name);
    return csv_place(csv, b->text, cell->at, e);
}

bool csv_take(const struct reader *r, struct block *b, const struct csv_want *w, struct csv_cell *cell,
              size_t i)
{
    double x;
    if (!w->time && w->value == COLUMN_NONE)
        return true;
    enum cell_kind kind = csv_kind(r, cell, &x);
    bool bad = kind == CELL_TEXT || (kind == CELL_NUMBER && !isfinite(x)) || (w->time && kind == CELL_GAP);
    if (bad && !r->lenient)
        return bad_number(r, b, w, cell, kind);
    x = isfinite(x) ? x : (double)NAN;
    if (w->value != COLUMN_NONE)
        block_value(b, w->value)[i] = x;
    if (w->time && isnan(x))
        b->stamp[i] = (struct timestamp){ x, { 0, 0, false } };
    else if (w->time)
        number_read_decimal(cell->at, cell->at + cell->n, ((const struct csv *)r->state)->point,
                            &b->stamp[i].t, &b->stamp[i].decimal);
    return true;
}

/* false if the record that ends at `end`, which has more bytes than a cell may have, or a cell of it is too
 * long. */
static bool check_length(struct scan *s, const char *end, bool comment)
{
    struct csv_cell cell;
    size_t column = 0;
    if (end - s->row > FORMAT_MAXROW)
        return csv_too_long(s->csv, s->b->text, s->row, end, &s->b->error);
    for (const char *p = s->row; !comment && p <= end; p++, column++) {
        p = csv_cell(s->csv, p, s->end, &cell);
        if (cell.n <= FORMAT_MAXCELL)
            continue;
        char buf[24];
        error_data(&s->b->error, "a cell of more than %d MiB", FORMAT_MAXCELL >> 20);
        error_excerpt(&s->b->error, cell.at, cell.n);
        error_column(&s->b->error, column_name(s->r, column, buf, sizeof buf));
        return csv_place(s->csv, s->b->text, cell.at, &s->b->error);
    }
    return true;
}

/* Row i is at fault and b->error says why; what weighs more, a NUL or its length, overrides that. Rows before
 * it stand. */
static void fail(struct scan *s, size_t i)
{
    const char *next = csv_record(s->csv, s->row, s->end);
    size_t n = (size_t)((next ? next : s->end) - s->row);
    const char *nul = memchr(s->row, 0, n < FORMAT_MAXROW ? n : FORMAT_MAXROW);
    if (nul)
        csv_nul(s->csv, s->b->text, nul, &s->b->error);
    else if (n > FORMAT_MAXROW)
        csv_too_long(s->csv, s->b->text, s->row, next ? next : s->end, &s->b->error);
    s->b->nrow = i;
    s->b->ntext = (size_t)(s->row - s->b->text);
}

/* --- cells ---------------------------------------------------------------------------------------------- */

static inline bool is_blank(const struct scan *s, char c)
{
    return s->csv->blank[(unsigned char)c];
}

static inline struct span span(const struct scan *s, const char *at, const char *end)
{
    return (struct span){ (uint32_t)(at - s->b->text), (uint32_t)(end - at) };
}

/* Any wanted cell, the careful way; returns its delimiter or line end, NULL when it is at fault. */
static const char *any_cell(struct scan *s, const struct csv_want *w, const char *p, size_t i,
                            struct span *out)
{
    struct csv_cell cell;
    p = csv_cell(s->csv, p, s->end, &cell);
    if (cell.fault != CSV_FINE)
        return bad_cell(s, &cell, w->column);
    if (!csv_take(s->r, s->b, w, &cell, i))
        return NULL;
    *out = span(s, cell.at, cell.at + cell.n);
    return p;
}

/* What ends a cell whose number ends at p, and has something else behind it; NULL if that is more than
 * blanks. */
static const char *after_blanks(const struct scan *s, const char *p)
{
    while (is_blank(s, *p))
        p++;
    p += *p == '\r' && s->eol == '\n' && p[1] == '\n';
    return *p == s->delimiter || *p == s->eol ? p : NULL;
}

/* A cell that is likely to be a number. The line end after the text bounds it as well as the end of the text
 * does, and lets the number be read without looking at that end. */
static inline const char *number_cell(struct scan *s, const struct csv_want *w, const char *cell, size_t i,
                                      struct span *out)
{
    const char *p = cell, *z, *next;
    double x;
    while (is_blank(s, *p))
        p++;
    if (w->time) {
        struct timestamp *stamp = &s->b->stamp[i];
        z = number_read_decimal(p, s->end + CSV_SLACK, s->point, &stamp->t, &stamp->decimal);
        x = stamp->t;
    } else {
        z = number_read(p, s->end + CSV_SLACK, s->point, &x);
    }
    if (!z)
        return any_cell(s, w, cell, i, out);
    next = *z == s->delimiter || *z == s->eol ? z : after_blanks(s, z);
    if (!next || !isfinite(x))
        return any_cell(s, w, cell, i, out);
    if (w->value != COLUMN_NONE)
        block_value(s->b, w->value)[i] = x;
    *out = span(s, p, z);
    return next;
}

/* --- columns that are passed over ----------------------------------------------------------------------- */

#define BYTES(c) (0x0101010101010101u * (unsigned char)(c))

static inline uint64_t load8(const char *p)
{
    uint64_t x;
    memcpy(&x, p, sizeof x);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    x = __builtin_bswap64(x);
#endif
    return x;
}

/* The high bit of every byte of x that is not c; the other bits are anything. */
static inline uint64_t differ(uint64_t x, char c)
{
    x ^= BYTES(c);
    return ((x & BYTES(0x7F)) + BYTES(0x7F)) | x;
}

/* The high bit of every byte of the eight at p that may end a cell, or begins or ends a quoted one. */
static inline uint64_t marks(const struct scan *s, const char *p)
{
    uint64_t x = load8(p);
    return ~(differ(x, s->delimiter) & differ(x, s->eol) & differ(x, '"')) & BYTES(0x80);
}

/* Passes n > 0 cells from p on; returns the delimiter or line end after the last, NULL for a fault. column:
 * the first. */
static const char *pass(struct scan *s, const char *p, size_t column, size_t n)
{
    const char *cell = p;
    uint64_t found = marks(s, p);
    for (;; column++) {
        for (; !found; found = marks(s, p))
            p += 8;
        const char *at = p + (__builtin_ctzll(found) >> 3);
        found &= found - 1;
        if (*at == '"') {
            struct csv_cell quoted;
            p = at = csv_cell(s->csv, cell, s->end, &quoted);
            if (quoted.fault != CSV_FINE)
                return bad_cell(s, &quoted, column);
            found = marks(s, p) & ~(uint64_t)0x80;
        }
        if (--n == 0)
            return at;
        if (*at == s->eol)
            return ragged(s);
        cell = at + 1;
    }
}

/* --- rows ----------------------------------------------------------------------------------------------- */

/* Row i, which begins at s->row; returns its line end, or NULL and b->error. */
static inline const char *parse_row(struct scan *s, size_t i)
{
    const struct csv_want *w = s->csv->want, *last = w + s->csv->nwant;
    struct span *out = s->b->cell + i * s->b->ncell;
    const char *end = NULL;
    for (const char *cell = s->row; w < last; cell = end + 1) {
        if (w->skip) {
            end = pass(s, cell, w->column - w->skip, w->skip);
            if (!end || *end != s->delimiter)
                return end ? ragged(s) : NULL;
            cell = end + 1;
        }
        end = w->plain ? number_cell(s, w, cell, i, out++) : any_cell(s, w, cell, i, out++);
        if (!end)
            return NULL;
        w++;
        if (*end != s->delimiter)
            break;
    }
    if (w == last && s->csv->ntail && (!end || *end == s->delimiter)) {
        end = pass(s, end ? end + 1 : s->row, s->r->columns.ncolumn - s->csv->ntail, s->csv->ntail);
        return !end || *end == s->eol ? end : ragged(s);
    }
    return w == last && !s->csv->ntail && *end == s->eol ? end : ragged(s);
}

/* Blank lines may stand at the end of the input only; load has seen to it that nothing but a row can follow
 * in another block. */
static bool blank_lines_end(struct scan *s, const char *p)
{
    while (p < s->end && csv_is_blank_line(s->csv, p, s->end)) {
        const char *eol = memchr(p, s->eol, (size_t)(s->end - p));
        p = eol ? eol + 1 : s->end;
    }
    if (p >= s->end)
        return true;
    error_data(&s->b->error, "a blank line between rows");
    if (s->r->columns.ncolumn == 1)
        error_hint(&s->b->error, "a gap in a single column is written NA");
    return csv_place(s->csv, s->b->text, s->row, &s->b->error);
}

/* The end of the comment line at p. */
static const char *comment_end(struct scan *s, const char *p)
{
    const char *eol = memchr(p, s->eol, (size_t)(s->end - p));
    return eol ? eol : s->end;
}

static inline bool is_comment(const struct scan *s)
{
    return s->csv->ncomment && csv_is_comment(s->csv, s->row, s->end);
}

static inline bool is_blank_line(const struct scan *s)
{
    return (*s->row == s->eol || *s->row == '\r') && csv_is_blank_line(s->csv, s->row, s->end);
}

/* The end of what begins at s->row: row *i, or a comment; NULL for a fault. */
static inline const char *parse_record(struct scan *s, const char *nul, size_t *i)
{
    bool comment = is_comment(s);
    const char *end = comment ? comment_end(s, s->row) : parse_row(s, *i);
    if (!end || end > nul || (end - s->row > FORMAT_MAXCELL && !check_length(s, end, comment)))
        return NULL;
    if (!comment) {
        size_t n = (size_t)(end - s->row);
        n -= n > 0 && end[-1] == '\r' && s->eol == '\n';
        s->b->row[(*i)++] = (struct span){ (uint32_t)(s->row - s->b->text), (uint32_t)n };
    }
    return end;
}

void csv_parse(const struct reader *r, struct block *b)
{
    const struct csv *csv = r->state;
    struct scan s = { r, csv, b, b->text + b->ntext, b->text, csv->delimiter, csv->eol, csv->point };
    const char *nul = b->ntext ? memchr(b->text, 0, b->ntext) : NULL;
    size_t i = 0;
    bool swift = csv->swift && csv->eol == '\n' && !nul;
    for (const char *p = b->text; p < s.end; p++) {
        if (swift && (p = csv_swift(r, b, p, &i)) >= s.end)
            break;
        s.row = csv_row_start(csv, p, s.end);
        bool blank = is_blank_line(&s);
        if (blank && blank_lines_end(&s, s.row))
            break;
        p = blank ? NULL : parse_record(&s, nul ? nul : s.end, &i);
        if (!p) {
            fail(&s, i);
            return;
        }
    }
    b->nrow = i;
}
