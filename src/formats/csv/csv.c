/* csv and tsv: rows of cells between delimiters, quoted as in RFC 4180. Reading: csv_header.c opens,
 * csv_parse.c parses. Here: the descriptors, cutting what was read into blocks, and writing. A block ends
 * after a whole record; blank lines wait for what follows, since they are only good at the end of the input.
 * Invariant: what is parsed from a record does not depend on where blocks were cut. */
#include "formats/csv/csv.h"

#include <math.h>
#include <stdlib.h>

/* --- reading --- */

void csv_close(struct reader *r)
{
    struct csv *csv = r->state;
    if (!csv)
        return;
    free(csv->head);
    free(csv->rest);
    free(csv->want);
    free(csv);
    r->state = NULL;
}

static bool open_with(struct reader *r, char delimiter, struct error *e)
{
    r->state = calloc(1, sizeof(struct csv));
    if (!r->state)
        return error_memory(e);
    if (csv_options(r, delimiter, e) && csv_header(r, e))
        return true;
    csv_close(r);
    return false;
}

static bool open_csv(struct reader *r, struct error *e)
{
    return open_with(r, ',', e);
}

static bool open_tsv(struct reader *r, struct error *e)
{
    return open_with(r, '\t', e);
}

/* Everything is csv that nothing else claims; what is wrong with it is said when it is read. */
static bool sniff_csv(const unsigned char *head, size_t nhead)
{
    (void)head;
    return nhead > 0;
}

/* Bytes of the first line that are there, without its end. */
static size_t first_line(const unsigned char *head, size_t nhead)
{
    size_t n = 0;
    while (n < nhead && head[n] != '\n' && head[n] != '\r')
        n++;
    return n;
}

static bool sniff_tsv(const unsigned char *head, size_t nhead)
{
    size_t n = first_line(head, nhead);
    return memchr(head, '\t', n) && !memchr(head, ',', n);
}

static bool unsure(const unsigned char *head, size_t nhead)
{
    return first_line(head, nhead) == nhead;
}

/* Bytes of text up to the end of its last whole record. The first *seen bytes are known to hold no quote and
 * no record's end. */
static size_t whole_records(const struct csv *csv, const char *text, size_t n, size_t *seen)
{
    const char *p = text, *end = text + n;
    if (n == *seen)
        return 0;
    if (csv->bare || !memchr(text + *seen, '"', n - *seen)) {
        p = memrchr(text + *seen, csv->eol, n - *seen);
        *seen = n;
        return p ? (size_t)(p - text) + 1 : 0;
    }
    for (const char *next; p < end && (next = csv_record(csv, p, end));)
        p = next;
    return (size_t)(p - text);
}

/* Takes blank lines off the end of n bytes of whole records. In a line, a CR before a LF, or a LF after a
 * lone CR, is part of a line end. */
static size_t without_blank_lines(const struct csv *csv, const char *text, size_t n)
{
    for (char other = csv->eol == '\n' ? '\r' : '\n';;) {
        size_t line = n;
        if (line > 0 && text[line - 1] == csv->eol)
            line--;
        if (line > 0 && text[line - 1] == other)
            line--;
        if (line == n || (line > 0 && text[line - 1] != csv->eol))
            return n;
        n = line;
    }
}

/* Reads until text holds a whole record, nothing is left, or a record is too long; *n bytes are there then.
 * Returns how many of them make the block, or 0 after an error. */
static size_t fill(struct reader *r, struct block *b, size_t *n, struct error *e)
{
    struct csv *csv = r->state;
    for (size_t seen = 0, got;; *n += got) {
        size_t whole = without_blank_lines(csv, b->text, whole_records(csv, b->text, *n, &seen));
        if (whole > 0 || csv->ended || *n > FORMAT_MAXROW)
            return whole > 0 && !csv->ended ? whole : *n;
        size_t room = *n + FORMAT_BLOCK + CSV_SLACK;
        if (room > b->maxtext && !block_reserve_text(b, room + *n, e))
            return 0;
        if (!source_read(r->source, b->text + *n, FORMAT_BLOCK, &got, e))
            return 0;
        csv->ended = got == 0;
    }
}

enum loaded csv_load(struct reader *r, struct block *b, struct error *e)
{
    struct csv *csv = r->state;
    size_t n = csv->nrest, whole;
    b->ntext = b->nrow = b->nline = 0;
    if (n == 0 && csv->ended)
        return LOAD_END;
    if (!block_reserve_text(b, n + FORMAT_BLOCK + CSV_SLACK, e))
        return LOAD_ERROR;
    memcpy(b->text, csv->rest, n);
    e->kind = ERROR_NONE;
    whole = fill(r, b, &n, e);
    if (whole == 0)
        return e->kind == ERROR_NONE ? LOAD_END : LOAD_ERROR;
    if (!csv_reserve(csv, n - whole, e))
        return LOAD_ERROR;
    memcpy(csv->rest, b->text + whole, n - whole);
    csv->nrest = n - whole;
    memset(b->text + whole, 0, CSV_SLACK);
    b->text[whole] = csv->eol;
    b->ntext = whole;
    b->nline = block_count(b->text, whole, csv->eol);
    size_t maxrow = b->nline + (b->text[whole - 1] != csv->eol);
    const struct columns *t = &r->columns;
    return block_reserve(b, maxrow, t->ncell, t->nvalue, r->nout, t->time != COLUMN_NONE, e) ? LOAD_ROWS
                                                                                            : LOAD_ERROR;
}

static const char *cell(const struct reader *r, const struct block *b, size_t row, size_t column, char *buf,
                        size_t maxbuf, size_t *ntext)
{
    const struct column *c = &r->columns.column[column];
    *ntext = 0;
    if (c->cell == COLUMN_NONE)
        return NULL;
    struct span span = b->cell[row * b->ncell + c->cell];
    const char *text = b->text + span.at;
    *ntext = span.n;
    if (c->value != COLUMN_NONE && format_gap(r->options, text, span.n))
        return NULL;
    if (span.at == 0 || text[-1] != '"' || span.n > maxbuf || !memchr(text, '"', span.n))
        return text;
    *ntext = csv_unquote(text, span.n, buf);
    return buf;
}

/* --- writing --- */

static const char lone_gap[] = "nan"; /* in the only column: a line must not be blank */

struct csv_writer {
    bool same; /* rows come from a reader of this format: they are edited, not composed */
    char delimiter;
    struct splice edit;
};

static bool needs_quotes(char delimiter, const char *text, size_t n)
{
    if (n > 0 && (text[0] == ' ' || text[0] == '\t' || text[n - 1] == ' ' || text[n - 1] == '\t'))
        return true;
    return memchr(text, delimiter, n) || memchr(text, '"', n) || memchr(text, '\n', n) ||
           memchr(text, '\r', n);
}

/* Appends a cell, in quotes where it needs them. */
static bool put_text(struct block *b, char delimiter, const char *text, size_t n)
{
    if (!block_room(b, 2 * n + 2))
        return false;
    char *p = b->bytes + b->nbyte;
    bool quotes = needs_quotes(delimiter, text, n);
    if (quotes)
        *p++ = '"';
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '"')
            *p++ = '"';
        *p++ = text[i];
    }
    if (quotes)
        *p++ = '"';
    b->nbyte = (size_t)(p - b->bytes);
    return true;
}

static bool put_byte(struct block *b, char c)
{
    if (!block_room(b, 1))
        return false;
    b->bytes[b->nbyte++] = c;
    return true;
}

static bool put_added_names(const struct writer *w, struct block *b)
{
    const struct csv_writer *c = w->state;
    for (size_t i = 0; i < w->layout->nadded; i++) {
        const char *name = w->layout->added[i].name;
        if (!put_byte(b, c->delimiter) || !put_text(b, c->delimiter, name, strlen(name)))
            return false;
    }
    return true;
}

bool csv_edit(struct splice *edit, const struct writer *w, const char *delimiter, struct error *e)
{
    const struct columns *t = &w->reader->columns;
    edit->gap = w->resampled && t->ncolumn == 1 ? lone_gap : "";
    edit->number = w->number;
    edit->anew = w->resampled;
    edit->full = w->layout->nout - w->layout->ngrid;
    edit->time = w->layout->time;
    for (size_t i = 0; i < t->ncolumn; i++) {
        size_t out = w->layout->replace[i];
        struct splice_piece piece = { t->column[i].cell, true, out, "", 0 };
        bool absent = t->counted && i == 0;
        if (out != COLUMN_NONE && !absent && !splice_add(edit, piece, e))
            return false;
    }
    for (size_t i = 0; i < w->layout->nadded; i++)
        if (!splice_add(edit, (struct splice_piece){ SPLICE_ROW, false, w->layout->added[i].out, delimiter, 1 }, e))
            return false;
    return true;
}

bool csv_edit_row(const struct writer *w, const struct splice *edit, struct block *b, size_t row)
{
    static const char ends[] = "\r\n";
    const struct csv *csv = w->reader->state;
    size_t nend = csv->crlf ? 2 : 1;
    return splice_row(edit, b, row) && block_put(b, nend == 2 ? ends : &csv->eol, nend);
}

/* The input's own head, with the names of added columns at the end of the last line of names. */
static bool put_head(const struct writer *w, struct block *b)
{
    const struct csv *csv = w->reader->state;
    if (!w->reader->columns.named)
        return block_put(b, csv->head, csv->nhead);
    return block_put(b, csv->head, csv->names) && put_added_names(w, b) &&
           block_put(b, csv->head + csv->names, csv->nhead - csv->names);
}

static bool put_header(const struct writer *w, struct block *b)
{
    const struct csv_writer *c = w->state;
    const struct columns *t = &w->reader->columns;
    for (size_t i = 0; i < t->ncolumn; i++)
        if ((i > 0 && !put_byte(b, c->delimiter)) ||
            !put_text(b, c->delimiter, t->column[i].name, strlen(t->column[i].name)))
            return false;
    return put_added_names(w, b) && put_byte(b, '\n');
}

static bool begin(struct writer *w, struct block *b, struct error *e)
{
    struct csv_writer *c = w->state = calloc(1, sizeof *c);
    const struct csv *csv = w->reader->state;
    const char *given = w->reader->options->delimiter;
    bool from_text = w->reader->format->parse == csv_parse;
    if (!c)
        return error_memory(e);
    c->same = w->reader->format == w->format;
    c->delimiter = strcmp(w->format->name, "tsv") == 0 ? '\t' : ',';
    if (c->same)
        c->delimiter = csv->delimiter;
    else if (!from_text && given)
        c->delimiter = strlen(given) == 1 ? *given : '\t';
    if (c->same && !csv_edit(&c->edit, w, &c->delimiter, e))
        return false;
    if (c->same ? put_head(w, b) : !w->reader->columns.named || put_header(w, b))
        return true;
    *e = b->error;
    return false;
}

static bool put_number(const struct writer *w, struct block *b, size_t row, size_t out)
{
    const struct csv_writer *c = w->state;
    char point = w->number.point, text[NUMBER_MAX];
    if (isnan(block_out(b, out)[row]))
        return true;
    if (point == c->delimiter)
        return put_text(b, c->delimiter, text, writer_print(w, b, row, out, point, text));
    return writer_put(w, b, row, out, point);
}

/* A cell of another format's row. Unquoting never makes it longer, so that its text fits behind what it may
 * become. */
static bool put_cell(const struct writer *w, struct block *b, size_t row, size_t column)
{
    const struct csv_writer *c = w->state;
    const struct reader *r = w->reader;
    size_t out = w->layout->replace[column], index = r->columns.column[column].cell, n;
    if (out != COLUMN_NONE && (w->resampled || !isnan(block_out(b, out)[row])))
        return put_number(w, b, row, out);
    if (!r->format->cell || index == COLUMN_NONE)
        return true;
    size_t max = b->cell[row * b->ncell + index].n;
    if (!block_room(b, 3 * max + 2))
        return false;
    const char *text = r->format->cell(r, b, row, column, b->bytes + b->nbyte + 2 * max + 2, max, &n);
    if (!text || !memchr(text, 0, n))
        return !text || put_text(b, c->delimiter, text, n);
    error_data(&b->error, "a text with a NUL byte in it, which no %s can hold", w->format->name);
    error_column(&b->error, r->columns.column[column].name);
    error_hint(&b->error, "--to json or --to jsonl keeps it");
    return error_place(&b->error, block_line(b, row), 0);
}

static bool compose_row(const struct writer *w, struct block *b, size_t row)
{
    const struct csv_writer *c = w->state;
    size_t start = b->nbyte;
    for (size_t i = 0; i < w->reader->columns.ncolumn; i++)
        if ((i > 0 && !put_byte(b, c->delimiter)) || !put_cell(w, b, row, i))
            return false;
    for (size_t i = 0; i < w->layout->nadded; i++)
        if (!put_byte(b, c->delimiter) || !put_number(w, b, row, w->layout->added[i].out))
            return false;
    return (b->nbyte > start || block_put(b, lone_gap, strlen(lone_gap))) && put_byte(b, '\n');
}

static bool put_row(const struct writer *w, struct block *b, size_t row)
{
    const struct csv_writer *c = w->state;
    return c->same ? csv_edit_row(w, &c->edit, b, row) : compose_row(w, b, row);
}

static void print(const struct writer *w, struct block *b)
{
    const struct csv_writer *c = w->state;
    if (c->same && !w->resampled)
        splice_print(&c->edit, b);
    else
        format_print_rows(w, b, put_row);
}

static void end(struct writer *w)
{
    struct csv_writer *c = w->state;
    if (c)
        splice_free(&c->edit);
    free(c);
    w->state = NULL;
}

/* --- descriptors --- */

static const char *const csv_suffixes[] = { ".csv", NULL };
static const char *const tsv_suffixes[] = { ".tsv", ".tab", NULL };

/* All but name, suffixes, summary, sniff and open. */
#define CSV                                                                                                  \
    .check = csv_check, .unsure = unsure, .bind = csv_bind, .load = csv_load, .parse = csv_parse,            \
    .cell = cell, .close = csv_close, .begin = begin, .print = print, .end = end, .headed = true

const struct format format_csv = {
    .name = "csv",
    .suffixes = csv_suffixes,
    .summary = "comma separated values, or with another --delimiter",
    .sniff = sniff_csv,
    .open = open_csv,
    CSV,
};

const struct format format_tsv = {
    .name = "tsv",
    .suffixes = tsv_suffixes,
    .summary = "tab separated values",
    .sniff = sniff_tsv,
    .open = open_tsv,
    CSV,
};
