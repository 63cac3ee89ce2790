/* Cuts text into records and cells byte by byte, where the row parsers do not; errors of both. */
#include "formats/csv/csv.h"

#include <math.h>

enum { QUOTED_LINES = 100 }; /* with --bad-rows skip: most line ends in a quoted cell */

void csv_set_delimiter(struct csv *csv, char delimiter)
{
    unsigned char *class = csv->class;
    csv->delimiter = delimiter;
    csv->bare = csv->motion || delimiter == ' ';
    memset(class, 0, sizeof csv->class);
    class[' '] = class['\t'] = (unsigned char)(CSV_BLANK | (delimiter == ' ' ? CSV_STOP : 0));
    if (csv->bare) /* the byte of a line end that is not counted as a line */
        class[csv->eol == '\n' ? '\r' : '\n'] = class[' '];
    else
        class['"'] = CSV_QUOTE;
    if (delimiter != ' ')
        class[(unsigned char)delimiter] = CSV_STOP;
    if (csv->vector)
        class[','] = CSV_STOP;
    class[(unsigned char)csv->eol] |= CSV_STOP;
    for (const char *c = csv->motion ? "\n\r \t," : "#"; *c; c++)
        class[(unsigned char)*c] |= CSV_FIRST;
}

bool csv_is_blank_line(const struct csv *csv, const char *p, const char *end)
{
    if (p < end && *p == '\r' && csv->eol == '\n')
        p++;
    while (csv->bare && !csv->gap_rows && p < end && (csv_is(csv, *p, CSV_BLANK) || *p == '\t' || *p == ','))
        p++;
    return p == end || *p == csv->eol;
}

bool csv_is_comment(const struct csv *csv, const char *p, const char *end)
{
    if (csv->motion || p == end || *p != '#')
        return false;
    const char *eol = memchr(p, csv->eol, (size_t)(end - p));
    return csv_count(csv, p, eol ? eol : end) != csv->ncolumn;
}

/* The closing quote of a cell whose first byte inside the quotes is at p, or NULL. *late: there is none in
 * the lines that a quoted cell may have. */
static const char *closing_quote(const struct csv *csv, const char *p, const char *end, bool *late)
{
    const char *start = p;
    while (p < end && (p = memchr(p, '"', (size_t)(end - p))) && p + 1 < end && p[1] == '"')
        p += 2;
    const char *stop = p && p < end ? p : end;
    *late = csv->skips && block_count(start, (size_t)(stop - start), csv->eol) > QUOTED_LINES;
    return stop < end && !*late ? stop : NULL;
}

const char *csv_record(const struct csv *csv, const char *p, const char *end, bool last)
{
    const bool plain = csv->bare || csv_is_comment(csv, p, end);
    const char *start = p, *eol, *quote;
    for (;; p = quote + 1) {
        eol = memchr(p, csv->eol, (size_t)(end - p));
        const char *stop_at = eol ? eol : end;
        quote = plain ? NULL : memchr(p, '"', (size_t)(stop_at - p));
        if (!quote)
            return eol ? eol + 1 : NULL;
        const char *before = quote;
        while (before > start && csv_is(csv, before[-1], CSV_BLANK))
            before--;
        if (before > start && before[-1] != csv->delimiter)
            continue;
        bool late;
        quote = closing_quote(csv, quote + 1, end, &late);
        if (!quote)
            return eol && (late || last) ? eol + 1 : NULL;
    }
}

/* True for a CR before a LF, or at the end of the input. */
static inline bool is_eol_cr(const struct csv *csv, const char *p, const char *end)
{
    return *p == '\r' && csv->eol == '\n' && (p + 1 == end || p[1] == '\n');
}

/* The first byte from p on that ends an unquoted cell, or end. */
static const char *cell_stop(const struct csv *csv, const char *p, const char *end)
{
    while (p < end && !csv_is(csv, *p, CSV_STOP))
        p++;
    return p;
}

static const char *quoted_cell(const struct csv *csv, const char *open, const char *end,
                               struct csv_cell *cell)
{
    bool late;
    const char *close = closing_quote(csv, open + 1, end, &late), *p;
    *cell = (struct csv_cell){ open + 1, (size_t)((close ? close : end) - open - 1), true, CSV_FINE };
    if (!close) {
        cell->fault = CSV_OPEN;
        return end;
    }
    for (p = close + 1; p < end && (csv_is(csv, *p, CSV_BLANK) || is_eol_cr(csv, p, end)); p++)
        ;
    if (p < end && *p != csv->delimiter && *p != csv->eol)
        cell->fault = CSV_AFTER;
    else if (cell->n > FORMAT_MAXCELL)
        cell->fault = CSV_LONG;
    return cell_stop(csv, p, end);
}

const char *csv_cell(const struct csv *csv, const char *p, const char *end, struct csv_cell *cell)
{
    while (p < end && csv_is(csv, *p, CSV_BLANK))
        p++;
    if (p < end && csv_is(csv, *p, CSV_QUOTE))
        return quoted_cell(csv, p, end, cell);
    const char *last = cell_stop(csv, p, end), *text_end = last;
    if (text_end > p && is_eol_cr(csv, text_end - 1, end))
        text_end--;
    while (text_end > p && csv_is(csv, text_end[-1], CSV_BLANK))
        text_end--;
    size_t n = (size_t)(text_end - p);
    bool stray = !csv->bare && memchr(p, '"', n);
    enum csv_fault fault = n > FORMAT_MAXCELL ? CSV_LONG : CSV_FINE;
    *cell = (struct csv_cell){ p, n, false, stray ? CSV_STRAY : fault };
    if (csv->delimiter != ' ')
        return last;
    for (p = last; p < end && csv_is(csv, *p, CSV_BLANK);)
        p++;
    return p < end && *p != csv->eol ? p - 1 : p;
}

const char *csv_next(const struct csv *csv, const char *p, const char *end, struct csv_cell *cell)
{
    *cell = (struct csv_cell){ .at = end };
    if (!p)
        return NULL;
    p = csv_cell(csv, p, end, cell);
    return p < end && *p != csv->eol ? p + 1 : NULL;
}

size_t csv_count(const struct csv *csv, const char *p, const char *end)
{
    struct csv_cell cell;
    size_t n = 0;
    for (size_t i = 1; p; i++) {
        p = csv_next(csv, p, end, &cell);
        n = cell.n > 0 ? i : n;
    }
    return n;
}

size_t csv_unquote(const struct csv_cell *cell, char *buf)
{
    size_t k = 0;
    for (size_t i = 0; i < cell->n; i++) {
        buf[k++] = cell->at[i];
        i += cell->quoted && cell->at[i] == '"' && i + 1 < cell->n && cell->at[i + 1] == '"';
    }
    return k;
}

enum cell_kind csv_kind(const struct reader *reader, struct csv_cell *cell, double *x)
{
    const struct csv *csv = reader->state;
    const char *p = cell->at, *end = p + cell->n;
    double number = (double)NAN;
    *x = number;
    while (p < end && csv_is(csv, *p, CSV_BLANK)) /* blanks inside quotes */
        p++;
    while (end > p && csv_is(csv, end[-1], CSV_BLANK))
        end--;
    size_t n = (size_t)(end - p);
    const bool gap = format_gap(reader, p, n);
    if (cell->fault != CSV_FINE || (!gap && number_read(p, end, reader_point(reader), &number) != end))
        return CELL_TEXT;
    *x = number;
    cell->at = p;
    cell->n = n;
    return gap ? CELL_GAP : CELL_NUMBER;
}

/* --- errors --- */

bool csv_error_place(const struct csv *csv, const char *text, const char *at, struct error *e)
{
    return error_place(e, 1 + block_count(text, (size_t)(at - text), csv->eol));
}

bool csv_error_cell(const struct csv *csv, const char *text, const struct csv_cell *cell, struct error *e)
{
    static const char *const what[] = {
        [CSV_STRAY] = "stray quote in an unquoted cell",
        [CSV_AFTER] = "text after the closing quote of the cell that opens here",
        [CSV_OPEN] = "this quote is never closed",
        [CSV_LONG] = "a cell of more than 1 MiB",
    };
    bool after = cell->fault == CSV_AFTER, opens = after || cell->fault == CSV_OPEN;
    const char *at = cell->at - opens;
    if (cell->fault == CSV_FINE)
        return true;
    error_data(e, "%s", what[cell->fault]);
    error_excerpt(e, at, cell->n + opens + after);
    if (cell->fault == CSV_STRAY)
        error_hint(e, "quote the cell and double the quotes in it: \"5\"\" nail\"");
    return csv_error_place(csv, text, at, e);
}

const char *csv_without_eol(const struct csv *csv, const char *p, const char *end)
{
    end -= end > p && end[-1] == csv->eol;
    end -= end > p && end[-1] == '\r';
    return end;
}

bool csv_error_ragged(const struct csv *csv, const char *text, const char *row, const char *end,
                      size_t ncolumn, struct error *e)
{
    const char *next = csv_record(csv, row, end, false);
    size_t n = 0;
    end = csv_without_eol(csv, row, next ? next : end);
    /* A bad quote changes the number of cells: it is the cause. */
    struct csv_cell cell;
    for (const char *p = row; p; n++) {
        p = csv_next(csv, p, end, &cell);
        if (!csv_error_cell(csv, text, &cell, e))
            return false;
    }
    if (csv_is_blank_line(csv, row, end)) {
        error_data(e, "a blank line between rows");
        error_hint(e, "take it out: grep '[^[:space:]]' FILE | sprung ...; if sections follow, split "
                      "the file: csplit -z FILE '/^[[:space:],]*$/' '{*}'");
        return csv_error_place(csv, text, row, e);
    }
    if (csv->vector)
        error_data(e, "expected a time, then %zu comma-separated numbers in every cell after it",
                   csv->vector);
    else
        error_data(e, "expected %zu cell%s, found %zu", ncolumn, error_plural(ncolumn), n);
    error_excerpt(e, row, (size_t)(end - row));
    if (csv->ragged_hint)
        error_hint(e, "%s", csv->ragged_hint);
    else if (!csv->bare && !csv->vector)
        error_hint(e, "to leave such rows out: --bad-rows skip");
    return csv_error_place(csv, text, row, e);
}

bool csv_check_record(const struct csv *csv, const char *text, const char *p, const char *end,
                      struct error *e)
{
    const size_t n = (size_t)(end - p);
    const char *nul = n > 0 ? memchr(p, 0, n) : NULL;
    if (!nul && n <= FORMAT_MAXROW)
        return true;
    if (nul) {
        error_data(e, "a NUL byte: this is not text");
        error_hint(e, "if it is UTF-16, convert it: iconv -f UTF-16 -t UTF-8");
    } else {
        error_data(e, "a row of more than %d MiB", FORMAT_MAXROW >> 20);
        error_excerpt(e, p, n);
    }
    return csv_error_place(csv, text, nul ? nul : p, e);
}
