/* csv and tsv: rows of cells between delimiters, quoted as in RFC 4180. Here: the descriptors, the options
 * and cutting what was read into blocks. A block ends after a whole record; blank lines wait for what
 * follows, since blank lines are only allowed at the end of the input. Invariant: the parsed cells of a
 * record do not depend on where blocks were cut. */
#include "formats/csv/csv.h"

#include "base/array.h"
#include "base/port.h"

#include <ctype.h>
#include <stdlib.h>

/* --- options --- */

/* The delimiter of --delimiter; 0: the text names none. */
static char delimiter_of(const char *text)
{
    if (strcmp(text, "blanks") == 0)
        return ' ';
    if (strcmp(text, "tab") == 0 || strcmp(text, "\\t") == 0)
        return '\t';
    return strlen(text) == 1 && !isalnum((unsigned char)*text) && !strchr("+-.\"\r\n", *text) ? *text : 0;
}

size_t csv_name_lines(const char *text, uint64_t line[CSV_MAXLINES])
{
    size_t nline = 0;
    for (;; text++) {
        char *end;
        const unsigned long n = strtoul(text, &end, 10);
        if (n <= (nline > 0 ? line[nline - 1] : 0) || n > UINT32_MAX || nline == CSV_MAXLINES)
            return 0;
        line[nline++] = n;
        text = end;
        if (*text != ',')
            return *text ? 0 : nline;
    }
}

static bool check(const struct input_options *options, struct error *e)
{
    const char point = options->decimal ? *options->decimal : '.';
    const char delimiter = options->delimiter ? delimiter_of(options->delimiter) : ';';
    uint64_t line[CSV_MAXLINES];
    if (options->decimal && strcmp(options->decimal, ".") != 0 && strcmp(options->decimal, ",") != 0)
        return error_usage(e, "--decimal must be . or ,");
    if (!delimiter) {
        error_usage(e, "--delimiter must be 'tab', 'blanks' or a character that is not part of a number");
        return error_excerpt(e, options->delimiter, strlen(options->delimiter));
    }
    if (delimiter == point) {
        error_usage(e, "--delimiter and --decimal are both '%c'", point);
        return error_hint(e, "with a decimal comma, try --delimiter ';'");
    }
    if (options->no_header && options->header)
        return error_usage(e, "--no-header and --header contradict each other");
    if (!options->header || csv_name_lines(options->header, line) > 0)
        return true;
    error_usage(e, "--header must be the line of the names, or up to %d ascending lines", CSV_MAXLINES);
    error_excerpt(e, options->header, strlen(options->header));
    return error_hint(e, "such as --header 4 or 3,4; in a file without names: --no-header");
}

/* --- reading --- */

void csv_close(struct reader *reader)
{
    struct csv *csv = reader->state;
    if (!csv)
        return;
    free(csv->head);
    free(csv->line);
    free(csv->rest);
    free(csv->want);
    free(csv);
    reader->state = NULL;
}

static bool open_text(struct reader *reader, struct error *e)
{
    struct csv *csv = reader->state = calloc(1, sizeof *csv);
    const struct input_options *options = reader->options;
    const char *usual = reader->format->kind;
    if (!csv)
        return error_memory(e);
    csv->skips = options->bad_rows == BAD_ROWS_SKIP;
    char delimiter = *usual == reader_point(reader) ? ';' : *usual;
    csv_set_delimiter(csv, options->delimiter ? delimiter_of(options->delimiter) : delimiter);
    return csv_read_header(reader, e);
}

/* Adds the bytes of a read to rest. */
static bool read_more(struct reader *reader, struct error *e)
{
    struct csv *csv = reader->state;
    const size_t aim = csv->nrest > FORMAT_BLOCK ? csv->nrest : FORMAT_BLOCK;
    size_t n;
    if (!array_reserve(&csv->rest, csv->nrest + aim + CSV_SLACK, &csv->maxrest, 1, e) ||
        !source_read(reader->source, csv->rest + csv->nrest, aim, &n, e))
        return false;
    csv->nrest += n;
    csv->ended = n == 0;
    return true;
}

/* Sets crlf. Returns the last byte of the first line end; 0: more bytes are needed. */
static char find_eol(struct csv *csv)
{
    const char *p = csv->rest, *end = csv->rest + csv->nrest;
    const char *lf = memchr(p, '\n', (size_t)(end - p));
    const char *cr = memchr(p, '\r', (size_t)((lf ? lf : end) - p));
    if (cr && (cr + 1 < end ? cr[1] != '\n' : csv->ended))
        return '\r';
    csv->crlf = cr && cr + 1 == lf;
    return lf || csv->ended ? '\n' : 0;
}

bool csv_read_start(struct reader *reader, struct error *e)
{
    struct csv *csv = reader->state;
    do {
        if (!read_more(reader, e))
            return false;
        csv->eol = find_eol(csv);
    } while (!csv->eol);
    if (csv->nrest >= 3 && memcmp(csv->rest, "\xEF\xBB\xBF", 3) == 0)
        csv->start = 3;
    csv_set_delimiter(csv, csv->delimiter);
    return true;
}

bool csv_read_record(struct reader *reader, size_t at, size_t *end, struct error *e)
{
    struct csv *csv = reader->state;
    const char *next;
    while (!(next = csv_record(csv, csv->rest + at, csv->rest + csv->nrest, false)) && !csv->ended &&
           csv->nrest - at <= FORMAT_MAXROW)
        if (!read_more(reader, e))
            return false;
    *end = next ? (size_t)(next - csv->rest) : csv->nrest;
    return csv_check_record(csv, csv->rest, csv->rest + at, csv->rest + *end, e);
}

bool csv_set_head(struct reader *reader, size_t nhead, struct error *e)
{
    struct csv *csv = reader->state;
    csv->nhead = nhead;
    csv->head = malloc(nhead + 1);
    if (!csv->head)
        return error_memory(e);
    memcpy(csv->head, csv->rest, nhead);
    csv->nrest -= nhead;
    memmove(csv->rest, csv->rest + nhead, csv->nrest);
    reader->nline += block_count(csv->head, nhead, csv->eol);
    return true;
}

/* --- blocks --- */

size_t csv_without_blank_lines(const struct csv *csv, const char *text, size_t n)
{
    while (n > 0) {
        size_t line = n - 1;
        while (line > 0 && text[line - 1] != csv->eol)
            line--;
        if (!csv_is_blank_line(csv, text + line, text + n))
            break;
        n = line;
    }
    return n;
}

/* Bytes of rest up to the end of the last whole record, or of the first one that is no blank line. */
static size_t whole_records(const struct csv *csv, bool one)
{
    const char *p = csv->rest, *end = p + csv->nrest;
    if (csv->nrest == 0)
        return 0;
    if (!one && (csv->bare || !memchr(p, '"', csv->nrest))) {
        const char *last = port_memrchr(p, csv->eol, csv->nrest);
        return last ? (size_t)(last - p) + 1 : 0;
    }
    for (const char *next; p < end && (next = csv_record(csv, p, end, false));) {
        p = next;
        if (one && csv_without_blank_lines(csv, csv->rest, (size_t)(p - csv->rest)) > 0)
            break;
    }
    return (size_t)(p - csv->rest);
}

enum loaded csv_load(struct reader *reader, struct block *block, struct error *e)
{
    struct csv *csv = reader->state;
    size_t n;
    while ((n = csv_without_blank_lines(csv, csv->rest, whole_records(csv, reader_wants_row(reader)))) == 0 &&
           !csv->ended && csv->nrest <= FORMAT_MAXROW)
        if (!read_more(reader, e))
            return LOAD_ERROR;
    if (n == 0 || csv->ended)
        n = csv->nrest;
    if (n == 0)
        return LOAD_END;
    if (!block_reserve_text(block, n + CSV_SLACK, e))
        return LOAD_ERROR;
    memcpy(block->text, csv->rest, n);
    csv->nrest -= n;
    memmove(csv->rest, csv->rest + n, csv->nrest);
    memset(block->text + n, 0, CSV_SLACK);
    block->text[n] = csv->eol;
    block->ntext = n;
    block->eol = csv->eol;
    block->nline = block_count(block->text, n, block->eol);
    size_t maxrow = block->nline + (block->text[n - 1] != csv->eol);
    return block_reserve(block, maxrow, reader_shape(reader), e) ? LOAD_ROWS : LOAD_ERROR;
}

void csv_cell_text(const struct reader *reader, const struct block *block, size_t row, size_t column,
                   struct cell_text *cell)
{
    const struct column *use = table_column(&reader->table, column);
    struct span span = block->cell[row * block->ncell + use->cell];
    cell->n = 0;
    cell->text = NULL;
    if (span.at == SPLICE_ABSENT) {
        cell->text = use->value == COLUMN_NONE ? "" : NULL;
        return;
    }
    const char *text = block->text + span.at;
    if (use->value != COLUMN_NONE && format_gap(reader, text, span.n))
        return;
    cell->text = text;
    cell->n = span.n;
    const struct csv *csv = reader->state;
    if (csv->bare || span.at == 0 || text[-1] != '"' || span.n > cell->maxroom || !memchr(text, '"', span.n))
        return;
    cell->n = csv_unquote(&(struct csv_cell){ .at = text, .n = span.n, .quoted = true }, cell->room);
    cell->text = cell->room;
}

/* --- descriptors --- */

/* All but name, suffixes and the usual delimiter (kind). */
#define CSV                                                                                                  \
    .family = FAMILY_TEXT, .check = check, .open = open_text, .bind = csv_bind, .load = csv_load,            \
    .parse = csv_parse, .cell = csv_cell_text, .close = csv_close, .begin = csv_begin, .print = csv_print,   \
    .end = csv_end, .markers = true

const struct format format_csv = {
    .name = "csv",
    .suffixes = (const char *const[]){ ".csv", NULL },
    .kind = ",",
    CSV,
};

const struct format format_tsv = {
    .name = "tsv",
    .suffixes = (const char *const[]){ ".tsv", ".tab", NULL },
    .kind = "\t",
    CSV,
};
