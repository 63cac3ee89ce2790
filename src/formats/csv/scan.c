/* Text of csv into records and cells, the careful way: for headers, quotes, faults and whatever is not on the
 * hot path of csv_parse.c. */
#include "formats/csv/csv.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <strings.h>

static char delimiter_of(const char *text)
{
    if (strcmp(text, "tab") == 0 || strcmp(text, "\\t") == 0)
        return '\t';
    return strlen(text) == 1 && !isalnum((unsigned char)*text) && !strchr("+-.\"\r\n", *text) ? *text : 0;
}

bool csv_name_lines(const char *text, uint64_t *line, size_t *nline, struct error *e)
{
    const char *p = text;
    for (*nline = 0; *nline < CSV_MAXLINES; p++) {
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
    error_usage(e, "--header: takes the line of the names, or up to %d lines in order, as 4 or 3,4",
                CSV_MAXLINES);
    return error_excerpt(e, text, strlen(text));
}

bool csv_check(const struct input_options *o, struct error *e)
{
    char point = o->decimal ? *o->decimal : '.', delimiter = o->delimiter ? delimiter_of(o->delimiter) : ';';
    uint64_t line[CSV_MAXLINES];
    size_t nline;
    if (o->decimal && strcmp(o->decimal, ".") != 0 && strcmp(o->decimal, ",") != 0)
        return error_usage(e, "--decimal: takes . or ,");
    if (!delimiter) {
        error_usage(e, "--delimiter: takes one character that no number has in it, or 'tab'");
        return error_excerpt(e, o->delimiter, strlen(o->delimiter));
    }
    if (delimiter == point) {
        error_usage(e, "--delimiter and --decimal are both '%c'", point);
        return error_hint(e, "files with a decimal comma are mostly written with --delimiter ';'");
    }
    if (o->no_header && o->header)
        return error_usage(e, "--no-header and --header contradict each other");
    return !o->header || csv_name_lines(o->header, line, &nline, e);
}

bool csv_options(struct reader *r, char delimiter, struct error *e)
{
    struct csv *csv = r->state;
    const struct input_options *o = r->options;
    if (!csv_check(o, e))
        return false;
    csv->point = o->decimal ? *o->decimal : '.';
    csv->delimiter = o->delimiter                            ? delimiter_of(o->delimiter)
                     : delimiter == ',' && csv->point == ',' ? ';'
                                                             : delimiter;
    csv->comment = o->comment ? o->comment : "";
    csv->ncomment = strlen(csv->comment);
    csv->missing = o->missing != NULL;
    csv->blank[' '] = csv->delimiter != ' ';
    csv->blank['\t'] = csv->delimiter != '\t';
    return true;
}

static inline bool is_blank(const struct csv *csv, char c)
{
    return csv->blank[(unsigned char)c];
}

bool csv_is_blank_line(const struct csv *csv, const char *p, const char *end)
{
    p = csv_row_start(csv, p, end);
    if (p < end && *p == '\r' && csv->eol == '\n')
        p++;
    return p == end || *p == csv->eol;
}

/* The closing quote of a cell whose inside begins at p, or NULL. */
static const char *closing(const char *p, const char *end)
{
    while (p < end && (p = memchr(p, '"', (size_t)(end - p)))) {
        if (p + 1 == end || p[1] != '"')
            return p;
        p += 2;
    }
    return NULL;
}

const char *csv_record(const struct csv *csv, const char *p, const char *end)
{
    const char *start = csv_row_start(csv, p, end), *eol, *quote;
    bool comment = csv_is_comment(csv, start, end);
    for (p = start;; p = quote + 1) {
        eol = memchr(p, csv->eol, (size_t)(end - p));
        quote = comment ? NULL : memchr(p, '"', (size_t)((eol ? eol : end) - p));
        if (!quote)
            return eol ? eol + 1 : NULL;
        const char *before = quote;
        while (before > start && is_blank(csv, before[-1]))
            before--;
        if (before > start && before[-1] != csv->delimiter)
            continue;
        quote = closing(quote + 1, end);
        if (!quote)
            return NULL;
    }
}

/* Is this CR a part of the line end that follows, or of one that is missing at the end of the input? */
static inline bool is_eol_cr(const struct csv *csv, const char *p, const char *end)
{
    return *p == '\r' && csv->eol == '\n' && (p + 1 == end || p[1] == '\n');
}

static const char *stop(const struct csv *csv, const char *p, const char *end)
{
    while (p < end && *p != csv->delimiter && *p != csv->eol)
        p++;
    return p;
}

static const char *quoted_cell(const struct csv *csv, const char *open, const char *end,
                               struct csv_cell *cell)
{
    const char *close = closing(open + 1, end), *p;
    *cell = (struct csv_cell){ open + 1, (size_t)((close ? close : end) - open - 1), true, CSV_FINE, open };
    if (!close) {
        cell->fault = CSV_OPEN;
        return end;
    }
    for (p = close + 1; p < end && (is_blank(csv, *p) || is_eol_cr(csv, p, end)); p++)
        ;
    if (p < end && *p != csv->delimiter && *p != csv->eol)
        cell->fault = CSV_AFTER;
    return stop(csv, p, end);
}

const char *csv_cell(const struct csv *csv, const char *p, const char *end, struct csv_cell *cell)
{
    while (p < end && is_blank(csv, *p))
        p++;
    if (p < end && *p == '"')
        return quoted_cell(csv, p, end, cell);
    const char *last = stop(csv, p, end), *z = last;
    if (z > p && is_eol_cr(csv, z - 1, end))
        z--;
    while (z > p && is_blank(csv, z[-1]))
        z--;
    const char *quote = memchr(p, '"', (size_t)(z - p));
    *cell = (struct csv_cell){ p, (size_t)(z - p), false, quote ? CSV_STRAY : CSV_FINE, quote };
    return last;
}

size_t csv_count(const struct csv *csv, const char *p, const char *end)
{
    struct csv_cell cell;
    size_t n = 0;
    do {
        p = csv_cell(csv, p, end, &cell);
        n++;
    } while (p < end && *p++ == csv->delimiter);
    return n;
}

size_t csv_unquote(const char *at, size_t n, char *buf)
{
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        buf[k++] = at[i];
        i += at[i] == '"' && i + 1 < n && at[i + 1] == '"';
    }
    return k;
}

/* Infinity is meant as a number: the column must not pass for one of text. */
static bool is_infinity(const char *p, size_t n)
{
    if (n > 0 && (*p == '+' || *p == '-'))
        p++, n--;
    return (n == 3 && strncasecmp(p, "inf", 3) == 0) || (n == 8 && strncasecmp(p, "infinity", 8) == 0);
}

/* The inside of a quoted number may have blanks around it as well. */
static struct csv_cell trimmed(const struct csv *csv, struct csv_cell cell)
{
    for (; cell.n > 0 && is_blank(csv, *cell.at); cell.n--)
        cell.at++;
    while (cell.n > 0 && is_blank(csv, cell.at[cell.n - 1]))
        cell.n--;
    return cell;
}

enum cell_kind csv_kind(const struct reader *r, struct csv_cell *cell, double *x)
{
    const struct csv *csv = r->state;
    struct csv_cell inner = trimmed(csv, *cell);
    *x = (double)NAN;
    if (cell->fault != CSV_FINE)
        return CELL_TEXT;
    if (format_gap(r->options, inner.at, inner.n)) {
        *cell = inner;
        return CELL_GAP;
    }
    double number;
    const char *end = inner.at + inner.n;
    if (number_read(inner.at, end, csv->point, &number) == end)
        *x = number;
    else if (!is_infinity(inner.at, inner.n))
        return CELL_TEXT;
    *cell = inner;
    return CELL_NUMBER;
}

/* --- faults --------------------------------------------------------------------------------------------- */

bool csv_place(const struct csv *csv, const char *text, const char *at, struct error *e)
{
    uint64_t line = 1;
    const char *start = text;
    for (const char *p = text; (p = memchr(p, csv->eol, (size_t)(at - p))); start = ++p)
        line++;
    return error_place(e, line, (uint64_t)(at - start) + 1);
}

bool csv_explain(const struct csv *csv, const char *text, const struct csv_cell *cell, struct error *e)
{
    const char *end = cell->at + cell->n, *from = cell->where;
    switch (cell->fault) {
    case CSV_FINE:
        return true;
    case CSV_STRAY:
        from = cell->at;
        error_data(e, "a stray quote in a cell that is not quoted");
        error_hint(e, "a cell with quotes in it is written \"5\"\" nail\"");
        break;
    case CSV_AFTER:
        error_data(e, "text after the closing quote of the cell that opens here");
        end++;
        break;
    case CSV_OPEN:
        error_data(e, "the quote that opens here is never closed");
        break;
    }
    error_excerpt(e, from, (size_t)(end - from));
    return csv_place(csv, text, cell->where, e);
}

const char *csv_without_eol(const struct csv *csv, const char *p, const char *end)
{
    end -= end > p && end[-1] == csv->eol;
    end -= end > p && end[-1] == '\r';
    return end;
}

bool csv_ragged(const struct csv *csv, const char *text, const char *row, const char *end, size_t ncolumn,
                struct error *e)
{
    const char *next = csv_record(csv, row, end);
    size_t n = csv_count(csv, row, end);
    end = csv_without_eol(csv, row, next ? next : end);
    /* A quote that is not as it should be is the cause, the count of cells what comes of it. */
    for (const char *p = row; p <= end;) {
        struct csv_cell cell;
        p = csv_cell(csv, p, end, &cell);
        if (cell.fault != CSV_FINE)
            return csv_explain(csv, text, &cell, e);
        p++;
    }
    error_data(e, "expected %zu cell%s, found %zu", ncolumn, error_plural(ncolumn), n);
    error_excerpt(e, row, (size_t)(end - row));
    if (ncolumn == 1)
        error_hint(e, "is the header on another line? --header LINES says which, --delimiter C what is "
                      "between the cells");
    csv_place(csv, text, row, e);
    e->at = 0;
    return false;
}

bool csv_nul(const struct csv *csv, const char *text, const char *at, struct error *e)
{
    error_data(e, "a NUL byte: this is not text");
    error_hint(e, "if it is UTF-16, convert it: iconv -f UTF-16 -t UTF-8");
    return csv_place(csv, text, at, e);
}

bool csv_too_long(const struct csv *csv, const char *text, const char *row, const char *end, struct error *e)
{
    error_data(e, "a row of more than %d MiB", FORMAT_MAXROW >> 20);
    error_excerpt(e, row, (size_t)(end - row));
    if (memchr(row, '"', FORMAT_MAXROW))
        error_hint(e, "is a quote not closed?");
    return csv_place(csv, text, row, e);
}
