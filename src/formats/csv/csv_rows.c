/* Rows into spans and numbers, of csv and of the formats of motion capture. Plain rows are taken the quick
 * way: a short number is read where it stands, and what follows it tells that the cell is whole; columns that
 * are not wanted are passed over 64 bytes at a time. All others are read cell by cell. The text is followed
 * by a line end (CSV_SLACK), so that no loop here looks for the end of the text. Invariant: a cell means the
 * same whichever way it is read. */
#include "formats/csv/csv.h"
#include "number/fast_read.h"

#include <math.h>
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
    csv->fast = !csv->runs && !csv->vector && csv->nwant > 0 &&
                (t->form == TIMESTAMP_NUMBER || !r->options->missing);
    return true;
}

/* A block while its rows are parsed. */
struct scan {
    const struct reader *r;
    const struct csv *csv;
    struct block *b;
    const char *end;     /* end of the text */
    const char *row;     /* start of the row under way */
    const char *row_end; /* in a bare format: end of the text of the row under way */
    char delimiter, eol, point;
};

static inline struct span span_of(const struct scan *s, const char *at, const char *end)
{
    return (struct span){ (uint32_t)(at - s->b->text), (uint32_t)(end - at) };
}

static inline void store(const struct scan *s, const struct csv_want *w, size_t i, double x,
                         struct number_decimal d)
{
    if (w->time)
        s->b->time[i] = (struct timestamp){ x, d };
    if (w->value != COLUMN_NONE)
        block_value(s->b, w->value)[i] = x;
}

/* --- errors --------------------------------------------------------------------------------------------- */

static const char *ragged(struct scan *s)
{
    const struct columns *t = &s->r->columns;
    csv_error_ragged(s->csv, s->b->text, s->row, s->end, t->ncolumn - t->counted, &s->b->error);
    return NULL;
}

/* The line end at or after p. */
static const char *line_end(const struct scan *s, const char *p)
{
    return memchr(p, s->eol, (size_t)(s->end - p) + 1);
}

/* --- cells ---------------------------------------------------------------------------------------------- */

/* Stores value and time of row i from a cell whose quotes are good; false and b->error if it is no number. */
static bool store_cell(const struct scan *s, const struct csv_want *w, struct csv_cell *cell, size_t i)
{
    double x;
    struct number_decimal d = { 0, 0, false };
    if (!w->time && w->value == COLUMN_NONE)
        return true;
    enum cell_kind kind = csv_kind(s->r, cell, &x);
    if (w->time && kind != CELL_GAP && s->r->columns.form != TIMESTAMP_NUMBER)
        return !timestamp_fault(s->r->columns.form, cell->at, cell->n, &s->b->time[i]) ||
               csv_error_number(s->r, s->b->text, w, cell, CELL_TEXT, &s->b->error);
    bool bad = kind == CELL_TEXT || (kind == CELL_NUMBER && !isfinite(x)) || (w->time && kind == CELL_GAP);
    if (bad && !s->r->lenient)
        return csv_error_number(s->r, s->b->text, w, cell, kind, &s->b->error);
    if (w->time && isfinite(x))
        number_read_decimal(cell->at, cell->at + cell->n, s->point, &x, &d);
    store(s, w, i, isfinite(x) ? x : (double)NAN, d);
    return true;
}

/* The end of a number of any length, or of an empty cell, that begins at *cell or after blanks; NULL: another
 * cell. */
static inline const char *long_number(const struct scan *s, const struct csv_want *w, const char **cell,
                                      size_t i)
{
    double x = (double)NAN;
    struct number_decimal d = { 0, 0, false };
    while (csv_is(s->csv, **cell, CSV_BLANK))
        ++*cell;
    const char *p = number_read_decimal(*cell, s->end + CSV_SLACK, s->point, &x, &d);
    if (p ? !isfinite(x) || p - *cell > FORMAT_MAXCELL : **cell != s->delimiter || w->time)
        return NULL;
    store(s, w, i, x, d);
    return p ? p : *cell;
}

static inline const char *any_number(const struct scan *s, const struct csv_want *w, const char **cell,
                                     size_t i)
{
    struct number_short number;
    const char *p = number_short_read(*cell, s->point, &number);
    if (!p)
        return long_number(s, w, cell, i);
    store(s, w, i, number_short_double(number), number_short_decimal(number));
    return p;
}

/* The end of a cell of text, or of a time that is no number, without quotes and without blanks around the
 * text; NULL: another cell. */
static const char *plain_text(const struct scan *s, const struct csv_want *w, const char *cell, size_t i)
{
    const char *p = cell;
    while (!csv_is(s->csv, *p, CSV_STOP | CSV_QUOTE))
        p++;
    bool blank = p > cell &&
                 (csv_is(s->csv, *cell, CSV_BLANK) || csv_is(s->csv, p[-1], CSV_BLANK) || p[-1] == '\r');
    if (*p == '"' || blank || w->value != COLUMN_NONE)
        return NULL;
    enum timestamp_form form = s->r->columns.form;
    return w->time && timestamp_fault(form, cell, (size_t)(p - cell), &s->b->time[i]) ? NULL : p;
}

/* --- rows ----------------------------------------------------------------------------------------------- */

#if defined __SSE2__ && !defined SPRUNG_PLAIN
#include <emmintrin.h>

/* True if there is neither a line end nor a quote in n bytes, a multiple of 16; *count: delimiters in them.
 */
static inline bool count_plain(const char *p, int n, char delimiter, char eol, size_t *count)
{
    const __m128i want = _mm_set1_epi8(delimiter), end = _mm_set1_epi8(eol), quote = _mm_set1_epi8('"');
    __m128i others = _mm_setzero_si128(), sum = others;
    for (int i = 0; i < n; i += 16) {
        __m128i x = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
        sum = _mm_sub_epi8(sum, _mm_cmpeq_epi8(x, want));
        others = _mm_or_si128(others, _mm_or_si128(_mm_cmpeq_epi8(x, end), _mm_cmpeq_epi8(x, quote)));
    }
    sum = _mm_sad_epu8(sum, _mm_setzero_si128());
    *count = (size_t)_mm_cvtsi128_si64(sum) + (size_t)_mm_extract_epi16(sum, 4);
    return _mm_movemask_epi8(others) == 0;
}

#endif

/* The n-th delimiter from p on, n > 0; NULL: a line end or quote comes first. */
static const char *pass_fast(const char *p, size_t n, char delimiter, char eol)
{
#if defined __SSE2__ && !defined SPRUNG_PLAIN
    size_t count;
    for (; count_plain(p, 64, delimiter, eol, &count) && count < n; p += 64)
        n -= count;
    for (; count_plain(p, 16, delimiter, eol, &count) && count < n; p += 16)
        n -= count;
#endif
    for (; *p != eol && *p != '"'; p++)
        if (*p == delimiter && --n == 0)
            return p;
    return NULL;
}

/* Parses row i from p on, and sets the spans. Returns the end of the row, at a CR or line end; NULL: the row
 * is not plain. */
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
        p = w->plain ? any_number(s, w, &cell, i) : plain_text(s, w, cell, i);
        if (!p)
            return NULL;
        *out++ = span_of(s, cell, p);
        if (++w == last)
            break;
        for (; *p != s->delimiter; p++)
            if (!csv_is(s->csv, *p, CSV_BLANK))
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
    p -= p[-1] == '\r';
    return s->csv->bare && csv_is(s->csv, p[-1], CSV_BLANK | CSV_STOP) ? NULL : p;
}

/* Parses rows from p on, where one begins, as long as they are plain: nothing in them needs csv_cell, and
 * none is an error. There is no NUL in the text. Counts them in *nrow; returns where the first begins that is
 * not plain, or the end of the text. */
static const char *plain_rows(const struct scan *scan, const char *p, size_t *nrow)
{
    const struct scan copy = *scan,
                      *s = &copy; /* a copy whose address is not known elsewhere stays in registers */
    const size_t ncell = s->b->ncell;
    size_t i = *nrow;
    struct span *cell = s->b->cell + (i + 1) * ncell - s->csv->nwant, *row = s->b->row + i;
    while (p < s->end && !csv_is(s->csv, *p, CSV_FIRST)) {
        const char *end = plain_row(s, p, i, cell), *eol = end;
        if (!end || end - p > FORMAT_MAXCELL || (*end != s->eol && (*end != '\r' || *++eol != s->eol)))
            break;
        *row++ = span_of(s, p, end);
        cell += ncell;
        p = eol + 1;
        i++;
    }
    *nrow = i;
    return p;
}

/* Records the wanted cells, from w on, that row i lacks: their values are missing. */
static void lack_cells(const struct scan *s, const struct csv_want *w, size_t i, struct span *out)
{
    for (; w < s->csv->want + s->csv->nwant; w++) {
        *out++ = (struct span){ SPLICE_ABSENT, 0 };
        store(s, w, i, (double)NAN, (struct number_decimal){ 0, 0, false });
    }
}

/* Parses row i, which begins at s->row, and sets the spans. Returns the line end of the row; NULL: an error.
 */
static const char *any_row(struct scan *s, size_t i, struct span *out)
{
    const struct columns *t = &s->r->columns;
    const struct csv_want *w = s->csv->want, *last = w + s->csv->nwant;
    const char *p = s->row;
    for (size_t column = t->counted;; column++, p++) {
        bool wanted = w < last && w->column == column;
        struct csv_cell cell = { .at = p };
        const char *end = wanted && w->plain ? long_number(s, w, &cell.at, i) : NULL;
        bool run = end && s->csv->runs && csv_is(s->csv, end[1], CSV_STOP);
        if (end && (*end == s->eol || (*end == s->delimiter && !run))) {
            cell.n = (size_t)(end - cell.at);
        } else {
            end = csv_cell(s->csv, p, s->end, &cell);
            bool surplus = column >= t->ncolumn, empty = s->csv->bare && cell.n == 0;
            if (surplus && !empty && s->csv->least == 0)
                return ragged(s);
            if (!csv_error_cell(s->csv, s->b->text, &cell, &s->b->error)) {
                csv_error_column(s->r, column, &s->b->error);
                return NULL;
            }
            if (wanted && !store_cell(s, w, &cell, i))
                return NULL;
        }
        p = end;
        if (s->csv->vector && column < t->ncolumn && (*p == ',') != (column % s->csv->vector > 0))
            return ragged(s);
        if (wanted) {
            *out++ = span_of(s, cell.at, cell.at + cell.n);
            w++;
        }
        const size_t ncell = column + 1;
        if (ncell <= t->ncolumn || cell.n > 0)
            s->row_end = cell.at + cell.n;
        if (*p != s->eol)
            continue;
        if (ncell < t->ncolumn && (s->csv->least == 0 || ncell < s->csv->least))
            return ragged(s);
        lack_cells(s, w, i, out);
        return p;
    }
}

/* Only blank lines may follow the blank line at s->row; load keeps blank lines together with the text that
 * follows. */
static bool check_blank_lines(struct scan *s)
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

void csv_parse(const struct reader *r, struct block *b)
{
    const struct csv *csv = r->state;
    const char *p = b->text, *nul = b->ntext ? memchr(p, 0, b->ntext) : NULL;
    struct scan s = { r, csv, b, p + b->ntext, p, p, csv->delimiter, csv->eol, csv->point };
    size_t i = 0;
    for (; p < s.end; p++) {
        if (csv->fast && !nul && (p = plain_rows(&s, p, &i)) >= s.end)
            break;
        s.row = csv_row_start(csv, p, s.end);
        bool comment = csv_is_comment(csv, s.row, s.end);
        bool blank = !comment && csv_is(csv, *s.row, CSV_FIRST) && csv_is_blank_line(csv, s.row, s.end);
        if (comment || (blank && csv->skips))
            p = line_end(&s, s.row);
        else if (blank)
            p = check_blank_lines(&s) ? s.end : NULL;
        else
            p = any_row(&s, i, b->cell + (i + 1) * b->ncell - csv->nwant);
        if (!p || (!blank && p - s.row > FORMAT_MAXROW) || (nul && p > nul)) {
            /* The block ends before the bad row; a NUL in the row, or a row too long, is a more telling
             * error. */
            const char *next = csv_record(csv, s.row, s.end);
            csv_check_record(csv, b->text, s.row, next ? next : s.end, &b->error);
            b->ntext = (size_t)(s.row - b->text);
            break;
        }
        if (!comment && !blank)
            b->row[i++] = span_of(&s, s.row, csv->bare ? s.row_end : p - (p[-1] == '\r'));
    }
    b->nrow = i;
}
