/* Rows into spans and numbers, of csv and of the formats of motion capture. Plain rows are taken the quick
 * way: a short number is read in place, and the byte after the number shows that the cell ends there;
 * unwanted columns are passed over 64 bytes at a time. Other rows are read cell by cell. The text is followed
 * by a line end (CSV_SLACK), so that no loop here looks for the end of the text. Invariant: a cell means the
 * same whichever way it is read. */
#include "formats/csv/csv.h"
#include "number/fast_read.h"

#include <math.h>
#include <stdlib.h>

bool csv_bind(struct reader *reader, struct error *e)
{
    struct csv *csv = reader->state;
    const struct table *table = &reader->table;
    size_t next = table->counted;
    free(csv->want);
    csv->nwant = 0;
    csv->want = malloc((table->ncolumn + 1) * sizeof *csv->want);
    if (!csv->want)
        return error_memory(e);
    for (size_t i = next; i < table->ncolumn; i++) {
        const struct column *use = table_column(table, i);
        if (use->cell == COLUMN_NONE)
            continue;
        bool number = use->value != COLUMN_NONE ||
                      (table_is_time(table, i) && table->form == TIMESTAMP_NUMBER);
        csv->want[csv->nwant++] = (struct csv_want){
            .column = i,
            .skip = i - next,
            .value = use->value,
            .time = table_is_time(table, i),
            .plain = number && (!reader->options->missing || i == table->time),
        };
        next = i + 1;
    }
    csv->ncolumn = table->ncolumn;
    csv->ntail = table->ncolumn - next;
    csv->fast = csv->delimiter != ' ' && !csv->vector && csv->nwant > 0;
    return true;
}

/* A block while its rows are parsed. */
struct scan {
    const struct reader *reader;
    const struct csv *csv;
    struct block *block;
    const char *end;     /* end of the text */
    const char *row;     /* start of the row under way */
    const char *row_end; /* its end, without empty cells after the last column */
    bool bad;            /* a cell of it has an error, in block->error; a wrong number of cells outranks it */
    char delimiter, eol, point;
};

static inline struct span span_of(const struct scan *scan, const char *at, const char *end)
{
    return (struct span){ (uint32_t)(at - scan->block->text), (uint32_t)(end - at) };
}

static inline void store_number(const struct scan *scan, const struct csv_want *want, size_t i, double x,
                                struct number_decimal decimal)
{
    if (want->time)
        scan->block->time[i] = (struct timestamp){ x, decimal };
    if (want->value != COLUMN_NONE)
        block_value(scan->block, want->value)[i] = x;
}

/* --- errors --- */

/* Sets the error of a row with a wrong number of cells. Returns NULL. */
static const char *fail_ragged(const struct scan *scan)
{
    const struct table *table = &scan->reader->table;
    csv_error_ragged(scan->csv, scan->block->text, scan->row, scan->end, table->ncolumn - table->counted,
                     &scan->block->error);
    return NULL;
}

/* Sets the error of a wanted cell that holds no number, or no time. */
static void fail_cell(const struct scan *scan, const struct csv_want *want, const struct csv_cell *cell)
{
    const struct reader *reader = scan->reader;
    struct error *e = &scan->block->error;
    const char *end = cell->at + cell->n, *what = "not a number";
    double x;
    struct timestamp unused;
    if (want->time && format_no_value(cell->at, cell->n))
        what = "the time is missing";
    else if (number_read(cell->at, end, scan->point, &x) == end && isinf(x))
        what = "the number is too large for a double";
    else if (want->time)
        what = timestamp_fault(reader->table.form, cell->at, cell->n, &unused);
    error_data(e, "%s", what);
    error_excerpt(e, cell->at, cell->n);
    error_column(e, reader->table.column[want->column].name);
    if (scan->point == '.' && memchr(cell->at, ',', cell->n) && number_read(cell->at, end, ',', &x) == end)
        error_hint(e, "if the comma is the decimal separator, try --decimal ','");
    else
        format_hint_cell(reader, want->column, cell->at, cell->n, e);
    csv_error_place(scan->csv, scan->block->text, cell->at, e);
}

/* The line end at or after p. */
static const char *line_end(const struct scan *scan, const char *p)
{
    return memchr(p, scan->eol, (size_t)(scan->end - p) + 1);
}

/* --- cells --- */

/* Stores the value and the time of row i from a cell. False: the cell holds no number, or no time. */
static bool store_cell(const struct scan *scan, const struct csv_want *want, struct csv_cell *cell, size_t i)
{
    const enum timestamp_form form = scan->reader->table.form;
    struct number_decimal decimal = { 0, 0, false };
    double x;
    if (!want->time && want->value == COLUMN_NONE)
        return true;
    bool good = csv_kind(scan->reader, cell, &x) != CELL_TEXT && !isinf(x);
    const char *end = cell->at + cell->n;
    if (want->time && form != TIMESTAMP_NUMBER)
        return !timestamp_fault(form, cell->at, cell->n, &scan->block->time[i]);
    if (want->time) /* whatever --missing says */
        good = number_read_decimal(cell->at, end, scan->point, &x, &decimal) == end && isfinite(x);
    if (!good && (want->time || !reader_takes_text(scan->reader, want->column)))
        return false;
    store_number(scan, want, i, good ? x : (double)NAN, decimal);
    return true;
}

/* Skips blanks at *cell, and reads a number of any length or an empty cell. Returns its end; NULL: the cell
 * is neither. */
static inline const char *long_number(const struct scan *scan, const struct csv_want *want, const char **cell,
                                      size_t i)
{
    double x = (double)NAN;
    struct number_decimal decimal = { 0, 0, false };
    while (csv_is(scan->csv, **cell, CSV_BLANK))
        ++*cell;
    const char *p = number_read_decimal(*cell, scan->end + CSV_SLACK, scan->point, &x, &decimal);
    if (p ? !isfinite(x) || p - *cell > FORMAT_MAXCELL : **cell != scan->delimiter || want->time)
        return NULL;
    store_number(scan, want, i, x, decimal);
    return p ? p : *cell;
}

static inline const char *any_number(const struct scan *scan, const struct csv_want *want, const char **cell,
                                     size_t i)
{
    struct number_short number;
    const char *p = number_short_read(*cell, scan->point, &number);
    if (!p)
        return long_number(scan, want, cell, i);
    store_number(scan, want, i, number_short_double(number), number_short_decimal(number));
    return p;
}

/* The end of a cell of text, or of a time that is no number, without quotes and without blanks around the
 * text; NULL: another cell. */
static const char *plain_text(const struct scan *scan, const struct csv_want *want, const char *cell,
                              size_t i)
{
    const char *p = cell;
    while (!csv_is(scan->csv, *p, CSV_STOP | CSV_QUOTE))
        p++;
    bool blank = p > cell && (csv_is(scan->csv, *cell, CSV_BLANK) || csv_is(scan->csv, p[-1], CSV_BLANK) ||
                              p[-1] == '\r');
    if (*p == '"' || blank || want->value != COLUMN_NONE)
        return NULL;
    enum timestamp_form form = scan->reader->table.form;
    return want->time && timestamp_fault(form, cell, (size_t)(p - cell), &scan->block->time[i]) ? NULL : p;
}

/* --- rows --- */

#if defined __SSE2__ && !defined SPRUNG_PLAIN
#include <emmintrin.h>

/* True if n bytes from p on, a multiple of 16, hold neither a line end nor a quote. Sets *count to the number
 * of delimiters in the n bytes. */
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
static inline const char *plain_row(const struct scan *scan, const char *p, size_t i, struct span *out)
{
    const struct csv_want *want = scan->csv->want, *last = want + scan->csv->nwant;
    for (;; p++) {
        if (want->skip) {
            p = pass_fast(p, want->skip, scan->delimiter, scan->eol);
            if (!p)
                return NULL;
            p++;
        }
        const char *cell = p;
        p = want->plain ? any_number(scan, want, &cell, i) : plain_text(scan, want, cell, i);
        if (!p)
            return NULL;
        *out++ = span_of(scan, cell, p);
        if (++want == last)
            break;
        for (; *p != scan->delimiter; p++)
            if (!csv_is(scan->csv, *p, CSV_BLANK))
                return NULL;
    }
    size_t n = scan->csv->ntail;
    if (n == 0)
        return p;
    if (*p != scan->delimiter || (n > 1 && !(p = pass_fast(p + 1, n - 1, scan->delimiter, scan->eol))))
        return NULL;
    for (p++; *p != scan->eol; p++)
        if (*p == scan->delimiter || *p == '"')
            return NULL;
    p -= p[-1] == '\r';
    return scan->csv->bare && csv_is(scan->csv, p[-1], CSV_BLANK | CSV_STOP) ? NULL : p;
}

/* Parses the rows from p on, where a row begins, up to the first row that is not plain: a plain row needs no
 * csv_cell and has no error. The text has no NUL. Adds the number of rows to *nrow; returns the start of the
 * first row that is not plain, or the end of the text. */
static const char *plain_rows(const struct scan *shared, const char *p, size_t *nrow)
{
    const struct scan copy = *shared,
                      *scan = &copy; /* a copy whose address is not known elsewhere stays in registers */
    const size_t ncell = scan->block->ncell;
    size_t i = *nrow;
    struct span *cell = scan->block->cell + (i + 1) * ncell - scan->csv->nwant, *row = scan->block->row + i;
    while (p < scan->end && !csv_is(scan->csv, *p, CSV_FIRST)) {
        const char *end = plain_row(scan, p, i, cell), *eol = end;
        if (!end || end - p > FORMAT_MAXCELL || (*end != scan->eol && (*end != '\r' || *++eol != scan->eol)))
            break;
        *row++ = span_of(scan, p, end);
        cell += ncell;
        p = eol + 1;
        i++;
    }
    *nrow = i;
    return p;
}

/* Records the wanted cells, from want on, that row i lacks: the values are missing. */
static void lack_cells(const struct scan *scan, const struct csv_want *want, size_t i, struct span *out)
{
    for (; want < scan->csv->want + scan->csv->nwant; want++) {
        *out++ = (struct span){ SPLICE_ABSENT, 0 };
        store_number(scan, want, i, (double)NAN, (struct number_decimal){ 0, 0, false });
    }
}

/* Reads the cell of row i in a column, which begins at cell->at, and stores the number or time of a recorded
 * cell. want: the recorded column; NULL: the cell is not recorded. Returns the end of the cell, as csv_cell
 * does; NULL: an error. */
static const char *any_cell(struct scan *scan, const struct csv_want *want, size_t column, size_t i,
                            struct csv_cell *cell)
{
    const struct csv *csv = scan->csv;
    const char *start = cell->at;
    if (want && want->plain) {
        const char *end = long_number(scan, want, &cell->at, i);
        const bool run = end && csv->delimiter == ' ' &&
                         csv_is(csv, end[1], CSV_STOP); /* several blanks, or the line end */
        if (end && (*end == scan->eol || (*end == scan->delimiter && !run))) {
            cell->n = (size_t)(end - cell->at);
            return end;
        }
    }
    const char *end = csv_cell(csv, start, scan->end, cell);
    if (column >= scan->reader->table.ncolumn && cell->n > 0 && csv->least == 0)
        return fail_ragged(scan);
    if (!csv_error_cell(csv, scan->block->text, cell, &scan->block->error)) {
        if (column < scan->reader->table.ncolumn)
            error_column(&scan->block->error, scan->reader->table.column[column].name);
        return NULL;
    }
    if (want && !scan->bad && !store_cell(scan, want, cell, i)) {
        fail_cell(scan, want, cell);
        scan->bad = true;
    }
    return end;
}

/* Parses row i, which begins at scan->row, and sets the spans. Returns the line end of the row; NULL: an
 * error. */
static const char *any_row(struct scan *scan, size_t i)
{
    struct span *out = scan->block->cell + (i + 1) * scan->block->ncell - scan->csv->nwant;
    const struct table *table = &scan->reader->table;
    const struct csv_want *want = scan->csv->want, *last = want + scan->csv->nwant;
    const char *p = scan->row;
    scan->bad = false;
    for (size_t column = table->counted;; column++, p++) {
        const bool wanted = want < last && want->column == column;
        struct csv_cell cell = { .at = p };
        p = any_cell(scan, wanted ? want : NULL, column, i, &cell);
        if (!p)
            return NULL;
        if (scan->csv->vector && column < table->ncolumn && (*p == ',') != (column % scan->csv->vector > 0))
            return fail_ragged(scan);
        if (wanted) {
            *out++ = span_of(scan, cell.at, cell.at + cell.n);
            want++;
        }
        const size_t ncell = column + 1;
        if (ncell <= table->ncolumn || cell.n > 0)
            scan->row_end = scan->csv->bare ? cell.at + cell.n : p;
        if (*p != scan->eol)
            continue;
        if (ncell < table->ncolumn && (scan->csv->least == 0 || ncell < scan->csv->least))
            return fail_ragged(scan);
        scan->row_end -= scan->row_end == p && p > scan->row && p[-1] == '\r';
        lack_cells(scan, want, i, out);
        return scan->bad ? NULL : p;
    }
}

/* Notes that row i, whose fault is in block->error, cannot be used. Returns its line end. NULL: rows are not
 * skipped, or the row is too long. */
static const char *skip_row(struct scan *scan, size_t i)
{
    struct block *block = scan->block;
    const char *next = csv_record(scan->csv, scan->row, scan->end, true);
    const char *eol = next ? next - 1 : line_end(scan, scan->row);
    const bool skips = scan->reader->options->bad_rows == BAD_ROWS_SKIP && block->error.kind == ERROR_DATA;
    if (!skips || eol - scan->row > FORMAT_MAXROW || !block_mark_bad(block, i, &block->error, &block->error))
        return NULL;
    block->row[i] = span_of(scan, scan->row, eol - (eol > scan->row && eol[-1] == '\r'));
    block->error.kind = ERROR_NONE;
    return eol;
}

/* Parses the record at scan->row, which is not plain: a comment (it begins with # and has another number of
 * cells than a row), a blank line or row i. Returns its line end; NULL and block->error: a fault. *is_row:
 * the record is a row. */
static const char *any_record(struct scan *scan, size_t i, bool *is_row)
{
    const struct csv *csv = scan->csv;
    if (csv->motion)
        *is_row = !csv_is(csv, *scan->row, CSV_FIRST) || !csv_is_blank_line(csv, scan->row, scan->end);
    else
        *is_row = !csv_is_comment(csv, scan->row, scan->end);
    const char *p = *is_row ? any_row(scan, i) : line_end(scan, scan->row);
    const char *next = p ? p : csv_record(csv, scan->row, scan->end, false);
    const char *stop = next ? next : scan->end;
    /* A NUL, or a row too long, is more telling than another fault. */
    return csv_check_record(csv, scan->block->text, scan->row, stop, &scan->block->error) ? p : NULL;
}

void csv_parse(const struct reader *reader, struct block *block)
{
    const struct csv *csv = reader->state;
    const char *p = block->text;
    struct scan scan = {
        .reader = reader,
        .csv = csv,
        .block = block,
        .end = p + csv_without_blank_lines(csv, p, block->ntext),
        .delimiter = csv->delimiter,
        .eol = csv->eol,
        .point = reader_point(reader),
    };
    const bool fast = csv->fast && block->ntext > 0 && !memchr(p, 0, block->ntext);
    size_t i = 0;
    for (; p < scan.end; p++) {
        if (fast)
            p = plain_rows(&scan, p, &i);
        if (p >= scan.end)
            break;
        bool is_row;
        scan.row = p;
        p = any_record(&scan, i, &is_row);
        if (p && is_row)
            block->row[i++] = span_of(&scan, scan.row, scan.row_end);
        else if (!p && (p = skip_row(&scan, i)))
            i++;
        if (!p) {
            block->ntext = (size_t)(scan.row - block->text); /* the block ends before the bad row */
            break;
        }
    }
    block->nrow = i;
}
