/* Rows into spans and numbers, of csv and of the formats of motion capture: the hot path. A short number is
 * read where it stands, and what follows it tells that the cell is whole; columns that are not wanted are
 * passed over 64 bytes at a time. Whatever is unusual goes to scan.c, cell by cell. The text is followed by a
 * line end (CSV_SLACK), so that no loop here looks for the end of the text. Invariant: a cell means the same
 * whichever way it is read. */
#include "formats/csv/csv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "number/fast_read.h"

#if defined __SSE2__ && !defined SPRUNG_PLAIN
#include <emmintrin.h>
#endif

struct scan {
    const struct reader *r;
    const struct csv *csv;
    struct block *b;
    const char *end;     /* of the text */
    const char *row;     /* where this row begins */
    const char *row_end; /* and where its text ends, if the format is bare */
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
    csv->fast = !csv->bare && csv->nwant > 0;
    return true;
}

static inline struct span span(const struct scan *s, const char *at, const char *end)
{
    return (struct span){ (uint32_t)(at - s->b->text), (uint32_t)(end - at) };
}

static inline void store(const struct scan *s, const struct csv_want *w, size_t i, double x,
                         struct number_decimal d)
{
    if (w->time)
        s->b->stamp[i] = (struct timestamp){ x, d };
    if (w->value != COLUMN_NONE)
        block_value(s->b, w->value)[i] = x;
}

/* --- errors --------------------------------------------------------------------------------------------- */

/* Adds the column of a cell to b->error: its name, or its number if it has none. */
static void error_cell(const struct scan *s, size_t column)
{
    const struct columns *t = &s->r->columns;
    char number[24];
    snprintf(number, sizeof number, "%zu", column + 1);
    if (column < t->ncolumn)
        error_column(&s->b->error, t->column[column].name[0] ? t->column[column].name : number);
}

static const char *ragged(struct scan *s)
{
    const struct columns *t = &s->r->columns;
    csv_error_ragged(s->csv, s->b->text, s->row, s->end, t->ncolumn - t->counted, &s->b->error);
    return NULL;
}

static const char *bad_cell(struct scan *s, const struct csv_cell *cell, size_t column)
{
    csv_error_quote(s->csv, s->b->text, cell, &s->b->error);
    error_cell(s, column);
    return NULL;
}

static bool is_comma_number(char point, const struct csv_cell *cell)
{
    double x;
    return point == '.' && memchr(cell->at, ',', cell->n) &&
           number_read(cell->at, cell->at + cell->n, ',', &x) == cell->at + cell->n;
}

/* The error of a cell that must be a number. */
static bool bad_number(const struct scan *s, const struct csv_want *w, const struct csv_cell *cell,
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
        error_data(e, "not a number");
    error_excerpt(e, cell->at, cell->n);
    error_cell(s, w->column);
    if (is_comma_number(s->point, cell))
        error_hint(e, "--decimal , reads a decimal comma");
    else if (w->time)
        error_hint(e, "--time COLUMN names another time column, --rate HZ does without");
    else if (w->value >= s->r->columns.nchannel)
        error_hint(e, "a cut column holds numbers, 0 where there is no cut");
    else
        error_hint(e, "-x %s%s%s leaves the column as it is; --missing LIST says which texts are gaps", quote,
                   name[0] ? name : e->column, quote);
    return csv_error_place(s->csv, s->b->text, cell->at, e);
}

/* Stores value and time of row i from a cell without fault; what stands in the way goes to b->error. */
static bool store_cell(const struct scan *s, const struct csv_want *w, struct csv_cell *cell, size_t i)
{
    double x;
    struct number_decimal d = { 0, 0, false };
    if (!w->time && w->value == COLUMN_NONE)
        return true;
    enum cell_kind kind = csv_kind(s->r, cell, &x);
    bool bad = kind == CELL_TEXT || (kind == CELL_NUMBER && !isfinite(x)) || (w->time && kind == CELL_GAP);
    if (bad && !s->r->lenient)
        return bad_number(s, w, cell, kind);
    if (w->time && isfinite(x))
        number_read_decimal(cell->at, cell->at + cell->n, s->point, &x, &d);
    store(s, w, i, isfinite(x) ? x : (double)NAN, d);
    return true;
}

/* False if the record that ends at `end`, which has more bytes than a cell may have, or a cell of it is too
 * long. */
static bool check_length(const struct scan *s, const char *end, bool comment)
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

/* Ends the block before row i, which is at fault: b->error says why, unless a NUL in it or its length do. */
static void fail(struct scan *s, size_t i)
{
    const char *next = csv_record(s->csv, s->row, s->end);
    csv_check_record(s->csv, s->b->text, s->row, next ? next : s->end, &s->b->error);
    s->b->nrow = i;
    s->b->ntext = (size_t)(s->row - s->b->text);
}

/* The line end at or after p. */
static const char *line_end(const struct scan *s, const char *p)
{
    return memchr(p, s->eol, (size_t)(s->end - p) + 1);
}

/* --- plain rows, the quick way -------------------------------------------------------------------------- */

/* What 64 bytes hold: how many delimiters, and whether there is a line end or a quote. */
struct window {
    size_t ndelimiter;
    bool others;
};

#if defined __SSE2__ && !defined SPRUNG_PLAIN

static inline struct window window_at(const char *p, char delimiter, char eol)
{
    const __m128i want = _mm_set1_epi8(delimiter), end = _mm_set1_epi8(eol), quote = _mm_set1_epi8('"');
    __m128i others = _mm_setzero_si128(), sum = others;
    for (int i = 0; i < 64; i += 16) {
        __m128i x = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
        sum = _mm_sub_epi8(sum, _mm_cmpeq_epi8(x, want));
        others = _mm_or_si128(others, _mm_or_si128(_mm_cmpeq_epi8(x, end), _mm_cmpeq_epi8(x, quote)));
    }
    sum = _mm_sad_epu8(sum, _mm_setzero_si128());
    size_t ndelimiter = (size_t)_mm_cvtsi128_si64(sum) + (size_t)_mm_extract_epi16(sum, 4);
    return (struct window){ ndelimiter, _mm_movemask_epi8(others) };
}

/* One bit for each of 64 bytes that is c, lowest first. */
static inline uint64_t bits_of(const char *p, char c)
{
    const __m128i want = _mm_set1_epi8(c);
    uint64_t found = 0;
    for (int i = 0; i < 64; i += 16) {
        __m128i x = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
        found |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(x, want)) << i;
    }
    return found;
}

/* One bit for each of 16 bytes that may end a cell, or begins or ends a quoted one. */
static inline unsigned marks(const struct scan *s, const char *p)
{
    __m128i x = _mm_loadu_si128((const __m128i *)(const void *)p);
    __m128i stops = _mm_or_si128(_mm_cmpeq_epi8(x, _mm_set1_epi8(s->delimiter)),
                                 _mm_cmpeq_epi8(x, _mm_set1_epi8(s->eol)));
    return (unsigned)_mm_movemask_epi8(_mm_or_si128(stops, _mm_cmpeq_epi8(x, _mm_set1_epi8('"'))));
}

#else

static inline struct window window_at(const char *p, char delimiter, char eol)
{
    struct window window = { 0, false };
    for (int i = 0; i < 64; i++) {
        window.ndelimiter += p[i] == delimiter;
        window.others |= p[i] == eol || p[i] == '"';
    }
    return window;
}

static inline uint64_t bits_of(const char *p, char c)
{
    uint64_t found = 0;
    for (int i = 0; i < 64; i++)
        found |= (uint64_t)(p[i] == c) << i;
    return found;
}

static inline unsigned marks(const struct scan *s, const char *p)
{
    unsigned found = 0;
    for (int i = 0; i < 16; i++)
        found |= (unsigned)(p[i] == s->delimiter || p[i] == s->eol || p[i] == '"') << i;
    return found;
}

#endif

/* The n-th delimiter from p on, n > 0; NULL if a line end or quote comes before it. */
static const char *pass_fast(const char *p, size_t n, char delimiter, char eol)
{
    struct window window = window_at(p, delimiter, eol);
    for (; window.ndelimiter < n; window = window_at(p += 64, delimiter, eol)) {
        if (window.others)
            return NULL;
        n -= window.ndelimiter;
    }
    uint64_t found = bits_of(p, delimiter);
    for (; n > 1; n--)
        found &= found - 1;
    size_t at = (size_t)__builtin_ctzll(found);
    return window.others && (memchr(p, eol, at) || memchr(p, '"', at)) ? NULL : p + at;
}

/* The end of a cell of text that has neither quotes nor blanks around it; NULL for another one. */
static const char *text_cell(const struct csv *csv, const char *cell)
{
    const char *p = cell;
    while (!csv_is(csv, *p, CSV_STOP | CSV_QUOTE))
        p++;
    bool plain = *p != '"' && (p == cell || !(csv_is(csv, *cell, CSV_BLANK) ||
                                              csv_is(csv, p[-1], CSV_BLANK) || p[-1] == '\r'));
    return plain ? p : NULL;
}

/* A long number, or an empty cell; its end, or NULL. */
static const char *long_cell(const struct scan *s, const struct csv_want *w, const char *cell, size_t i)
{
    double x = (double)NAN;
    struct number_decimal d = { 0, 0, false };
    const char *p = number_read_long(cell, s->end + CSV_SLACK, s->point, &x, &d);
    if (p ? !isfinite(x) : *cell != s->delimiter || w->time)
        return NULL;
    store(s, w, i, x, d);
    return p ? p : cell;
}

static inline const char *number_cell(const struct scan *s, const struct csv_want *w, const char *cell,
                                      size_t i)
{
    struct number_short number;
    const char *p = number_short_read(cell, s->point, &number);
    if (!p)
        return long_cell(s, w, cell, i);
    store(s, w, i, number_short_double(number), number_short_decimal(number));
    return p;
}

/* Row i, which begins at p, and its spans; returns its end, where a CR or its line end is, or NULL if it is
 * not plain. */
static inline const char *plain_row(const struct scan *s, const char *p, size_t i, struct span *out)
{
    const struct csv_want *w = s->csv->want, *last = w + s->csv->nwant;
    for (;; p++) {
        if (w->skip) {
            p = pass_fast(p, w->skip, s->delimiter, s->eol);
            if (!p)
                return NULL;
            p++;
        }
        const char *cell = p;
        p = w->plain ? number_cell(s, w, cell, i) : w->value == COLUMN_NONE ? text_cell(s->csv, cell) : NULL;
        if (!p)
            return NULL;
        *out++ = span(s, cell, p);
        if (++w == last)
            break;
        if (*p != s->delimiter)
            return NULL;
    }
    size_t n = s->csv->ntail;
    if (n == 0)
        return p;
    if (*p != s->delimiter || (n > 1 && !(p = pass_fast(p + 1, n - 1, s->delimiter, s->eol))))
        return NULL;
    for (p++; *p != s->eol; p++)
        if (*p == s->delimiter || *p == '"')
            return NULL;
    return p - (p[-1] == '\r');
}

/* Parses rows from p on, where one begins, as long as they are plain: nothing in them needs csv_cell, and
 * they are no error. Counts them in *nrow; returns where the first begins that is not, or the end of the
 * text. */
static const char *plain_rows(const struct scan scan, const char *p, size_t *nrow)
{
    const struct scan *s = &scan;
    const size_t ncell = s->csv->nwant;
    size_t i = *nrow;
    struct span *cell = s->b->cell + i * ncell, *row = s->b->row + i;
    while (p < s->end && !csv_is(s->csv, *p, CSV_FIRST)) {
        const char *end = plain_row(s, p, i, cell), *eol = end;
        if (!end || end - p > FORMAT_MAXCELL || (*end != s->eol && (*end != '\r' || *++eol != s->eol)))
            break;
        *row++ = span(s, p, end);
        cell += ncell;
        p = eol + 1;
        i++;
    }
    *nrow = i;
    return p;
}

/* --- any rows ------------------------------------------------------------------------------------------- */

static inline const char *skip_blanks(const struct scan *s, const char *p)
{
    while (csv_is(s->csv, *p, CSV_BLANK))
        p++;
    return p;
}

/* What ends a cell whose text ends at p: as csv_cell returns it, or NULL if more text follows. */
static inline const char *after_text(const struct scan *s, const char *p)
{
    const char *from = p;
    p = skip_blanks(s, p);
    p += *p == '\r' && s->eol == '\n' && p[1] == '\n';
    if (*p == s->delimiter || *p == s->eol)
        return p;
    return s->csv->runs && p > from ? p - 1 : NULL;
}

/* Any wanted cell, which is likely to be a number if it is plain; returns what ends it, NULL for an error. */
static const char *any_cell(struct scan *s, const struct csv_want *w, const char *p, size_t i,
                            struct span *out)
{
    struct csv_cell cell;
    double x;
    struct number_decimal d;
    p = w->plain ? skip_blanks(s, p) : p;
    const char *z = w->plain ? number_read_decimal(p, s->end + CSV_SLACK, s->point, &x, &d) : NULL;
    const char *end = z ? after_text(s, z) : NULL;
    if (end && isfinite(x)) {
        store(s, w, i, x, d);
        *out = span(s, p, z);
        return end;
    }
    p = csv_cell(s->csv, p, s->end, &cell);
    if (cell.fault != CSV_FINE)
        return bad_cell(s, &cell, w->column);
    if (!store_cell(s, w, &cell, i))
        return NULL;
    *out = span(s, cell.at, cell.at + cell.n);
    return p;
}

/* Passes n > 0 cells between runs of blanks. */
static const char *pass_runs(struct scan *s, const char *p, size_t n)
{
    for (; n > 0; n--) {
        if (*p == s->eol)
            return ragged(s);
        while (!csv_is(s->csv, *p, CSV_STOP))
            p++;
        p = skip_blanks(s, p);
    }
    return *p == s->eol ? p : p - 1;
}

/* Passes n > 0 cells from p on, of which the first is that of column; returns what ends the last, NULL for an
 * error. */
static const char *pass(struct scan *s, const char *p, size_t column, size_t n)
{
    if (s->csv->runs)
        return pass_runs(s, p, n);
    const char *cell = p;
    unsigned found = marks(s, p);
    for (;; column++) {
        for (; !found; found = marks(s, p))
            p += 16;
        const char *at = p + __builtin_ctz(found);
        found &= found - 1;
        if (*at == '"') {
            struct csv_cell quoted;
            p = at = csv_cell(s->csv, cell, s->end, &quoted);
            if (quoted.fault != CSV_FINE)
                return bad_cell(s, &quoted, column);
            found = marks(s, p) & ~1u;
        }
        if (--n == 0)
            return at;
        if (*at == s->eol)
            return ragged(s);
        cell = at + 1;
    }
}

/* Passes the cells after the last wanted one, which ends at `end` (NULL: no cell is wanted); returns the line
 * end, NULL for an error. */
static const char *pass_tail(struct scan *s, const char *end)
{
    size_t n = s->csv->ntail, column = s->r->columns.ncolumn - n;
    const char *p = !end ? skip_blanks(s, s->row) : *end == s->eol ? NULL : end + 1;
    struct csv_cell cell;
    if (!p)
        return n > 0 ? ragged(s) : end;
    if (n > 0 && !s->csv->bare) {
        end = pass(s, p, column, n);
        return !end || *end == s->eol ? end : ragged(s);
    }
    if (n > 1) {
        end = pass(s, p, column, n - 1);
        if (!end || *end == s->eol)
            return end ? ragged(s) : NULL;
        p = end + 1;
    }
    if (n > 0) {
        p = csv_next(s->csv, p, s->end, &cell);
        s->row_end = cell.at + cell.n;
    }
    while (p) {
        p = csv_next(s->csv, p, s->end, &cell);
        if (!s->csv->bare || cell.n > 0)
            return ragged(s);
    }
    return line_end(s, s->row);
}

/* Row i, which begins at s->row, and its spans; returns its line end, NULL for an error. */
static const char *any_row(struct scan *s, size_t i, struct span *out)
{
    const struct csv_want *w = s->csv->want, *last = w + s->csv->nwant;
    const char *p = skip_blanks(s, s->row), *end = NULL;
    for (; w < last; w++, p = end + 1) {
        if (w->skip) {
            end = pass(s, p, w->column - w->skip, w->skip);
            if (!end || *end == s->eol)
                return end ? ragged(s) : NULL;
            p = end + 1;
        }
        end = any_cell(s, w, p, i, out++);
        if (!end || (*end == s->eol && w + 1 < last))
            return end ? ragged(s) : NULL;
    }
    s->row_end = end ? s->b->text + out[-1].at + out[-1].n : p;
    return pass_tail(s, end);
}

/* Only blank lines may follow the one at s->row, which then end the input: load has seen to it that they are
 * not followed by a row of another block. */
static bool check_blank_lines(struct scan *s)
{
    const char *p = s->row;
    while (p < s->end && csv_is_blank_line(s->csv, p, s->end))
        p = line_end(s, p) + 1;
    if (p >= s->end)
        return true;
    error_data(&s->b->error, "a blank line between rows");
    if (s->r->columns.ncolumn == 1)
        error_hint(&s->b->error, "a gap in a single column is written NA");
    return csv_error_place(s->csv, s->b->text, s->row, &s->b->error);
}

/* What begins at s->row: row *i, a comment line, or blank lines; returns its line end, NULL for an error. */
static const char *parse_record(struct scan *s, size_t *i)
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
        b->row[(*i)++] = span(s, s->row, s->csv->bare ? s->row_end : end - (end[-1] == '\r'));
    return end;
}

void csv_parse(const struct reader *r, struct block *b)
{
    const struct csv *csv = r->state;
    const char *p = b->text, *nul = b->ntext ? memchr(p, 0, b->ntext) : NULL;
    struct scan s = { r, csv, b, p + b->ntext, p, p, csv->delimiter, csv->eol, csv->point };
    bool fast = csv->fast && !nul;
    size_t i = 0;
    for (; p < s.end; p++) {
        if (fast && (p = plain_rows(s, p, &i)) >= s.end)
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
