/* Writing csv, and rows of motion capture. Rows of the same format are the text of the input with numbers in
 * place of cells; rows of other formats are composed. */
#include "formats/csv/csv.h"

#include <math.h>
#include <stdlib.h>

/* A gap in the only column, and between blanks, where an empty cell would not be seen. */
static const char gap_word[] = "nan";

#define NAMES SIZE_MAX /* the row of the names, where rows are composed */

/* Appends a text, in quotes if the text contains a quote, a line end or the delimiter, or has blanks at an
 * end. */
static bool put_quoted(const struct writer *writer, struct block *block, const char *text, size_t n)
{
    const struct csv_writer *csv_writer = writer->state;
    const struct csv *csv = writer->reader->format == writer->format ? writer->reader->state : NULL;
    if (csv && csv->bare)
        return block_put(block, text, n);
    const char marks[] = { '"', '\n', '\r', csv_writer->delimiter };
    bool quotes = n > 0 && (text[0] == ' ' || text[0] == '\t' || text[n - 1] == ' ' || text[n - 1] == '\t');
    for (size_t i = 0; i < sizeof marks; i++)
        quotes |= memchr(text, marks[i], n) != NULL;
    if (!quotes)
        return block_put(block, text, n);
    bool good = block_put(block, "\"", 1);
    for (size_t i = 0; i < n && good; i++)
        good = (text[i] != '"' || block_put(block, "\"", 1)) && block_put(block, text + i, 1);
    return good && block_put(block, "\"", 1);
}

bool csv_splice(const struct writer *writer, struct error *e)
{
    struct csv_writer *csv_writer = writer->state;
    struct splice *splice = &csv_writer->splice;
    splice->writer = writer;
    bool good = splice_add_cells(splice, e);
    for (size_t i = 0; good && i < writer->layout->nadded; i++) {
        const size_t out = writer->layout->added[i].out;
        const struct splice_piece piece = { SPLICE_ROW, .out = out, .text = &csv_writer->delimiter,
                                            .ntext = 1 };
        good = splice_add(splice, piece, e);
    }
    return good;
}

/* The part, of *n bytes, of an added column's name for the line of the names that has `below` of nline lines
 * below it. A name that begins like that of its column, `stem`, is divided at the last dots of the stem. */
static const char *find_part(const char *name, const char *stem, size_t nline, size_t below, size_t *n)
{
    const char *dot = strrchr(stem, '.');
    size_t start = dot ? (size_t)(dot - stem) + 1 : 0, end = strlen(name);
    if (strncmp(name, stem, start) != 0)
        start = 0;
    for (size_t k = 0; k < below; k++) {
        end = start > 0 ? start - 1 : 0;
        for (start = end; start > 0 && name[start - 1] != '.';)
            start--;
    }
    if (below + 1 == nline)
        start = 0;
    *n = end - start;
    return name + start;
}

/* Puts the cells of added columns into the i-th line of the names. */
static bool put_head_cells(const struct writer *writer, struct block *block, size_t i)
{
    const struct csv *csv = writer->reader->state;
    const struct csv_writer *csv_writer = writer->state;
    const struct output_columns *layout = writer->layout;
    bool good = true;
    for (size_t k = 0; k < csv->line[i].missing && layout->nadded > 0; k++)
        good = good && block_put(block, &csv_writer->delimiter, 1);
    for (size_t k = 0; good && k < layout->nadded; k++) {
        const struct added *added = &layout->added[k];
        const char *stem = writer->reader->table.column[added->column].name;
        size_t n;
        const char *part = find_part(added->name, stem, csv->nline, csv->nline - 1 - i, &n);
        good = block_put(block, &csv_writer->delimiter, 1) && put_quoted(writer, block, part, n);
    }
    return good;
}

/* Puts the head of the input with cells for the added columns, and with the rate of resampled rows. */
static bool put_head(const struct writer *writer, struct block *block)
{
    const struct csv *csv = writer->reader->state;
    size_t from = 0;
    if (writer->resampled && csv->nrate > 0) {
        from = csv->rate + csv->nrate;
        if (!block_put(block, csv->head, csv->rate) ||
            !block_put_number(block, writer->rate, &number_shortest))
            return false;
    }
    for (size_t i = 0; i < csv->nline; i++) {
        const struct csv_line *line = &csv->line[i];
        if (!block_put(block, csv->head + from, line->at - from) || !put_head_cells(writer, block, i))
            return false;
        from = line->at;
    }
    return block_put(block, csv->head + from, csv->nhead - from);
}

/* --- composed rows --- */

/* Puts the cell of a column, or of an added column, counted after the others. row NAMES: its name. */
static bool put_cell(const struct writer *writer, struct block *block, size_t row, size_t column)
{
    const struct output_columns *layout = writer->layout;
    const size_t ncolumn = writer->reader->table.ncolumn;
    const struct added *added = column < ncolumn ? NULL : &layout->added[column - ncolumn];
    struct cell_text cell;
    if (row == NAMES) {
        const char *name = added ? added->name : writer->reader->table.column[column].name;
        return put_quoted(writer, block, name, strlen(name));
    }
    if (added)
        return writer_put(writer, block, row, added->out, "");
    if (writer_replaces(writer, block, row, column))
        return writer_put(writer, block, row, layout->replace[column], "");
    if (!format_cell_behind(writer->reader, block, row, column, 2, &cell))
        return false;
    if (!cell.text || !memchr(cell.text, 0, cell.n))
        return !cell.text || put_quoted(writer, block, cell.text, cell.n);
    error_data(&block->error, "this text has a NUL byte, which %s cannot hold", writer->format->name);
    error_column(&block->error, writer->reader->table.column[column].name);
    return error_place(&block->error, block_line(block, row));
}

static bool compose_row(const struct writer *writer, struct block *block, size_t row)
{
    const struct table *table = &writer->reader->table;
    const struct csv_writer *csv_writer = writer->state;
    const size_t start = block->nbyte;
    const bool timed = table->named && writer_adds_time(writer);
    if (timed && row == NAMES && !block_put(block, "time", strlen("time")))
        return false;
    if (timed && row != NAMES && !block_put_number(block, block->time[row].t, &number_shortest))
        return false;
    for (size_t i = 0; i < table->ncolumn + writer->layout->nadded; i++)
        if (((timed || i > 0) && !block_put(block, &csv_writer->delimiter, 1)) ||
            !put_cell(writer, block, row, i))
            return false;
    return (block->nbyte > start || row == NAMES || block_put(block, gap_word, strlen(gap_word))) &&
           block_put(block, "\n", 1);
}

/* --- the writer --- */

bool csv_begin(struct writer *writer, struct block *block, struct error *e)
{
    struct csv_writer *csv_writer = writer->state = calloc(1, sizeof *csv_writer);
    const struct reader *reader = writer->reader;
    const struct csv *csv = reader->state;
    if (!csv_writer)
        return error_memory(e);
    const bool spliced = reader->format == writer->format;
    csv_writer->delimiter = spliced ? csv->delimiter : *(const char *)writer->format->kind;
    if (csv_writer->delimiter == writer->number.point)
        csv_writer->delimiter = ';';
    const bool lone = reader->table.ncolumn == 1 && (writer->resampled || writer->layout->nadded == 0);
    csv_writer->splice.gap = spliced && (lone || csv->bare) ? gap_word : "";
    if (spliced && !csv_splice(writer, e))
        return false;
    const bool good = spliced ? put_head(writer, block)
                              : !reader->table.named || compose_row(writer, block, NAMES);
    if (!good)
        *e = block->error;
    return good;
}

static bool put_row(const struct writer *writer, struct block *block, size_t row)
{
    const struct csv_writer *csv_writer = writer->state;
    const struct csv *csv = writer->reader->state;
    if (writer->reader->format != writer->format)
        return compose_row(writer, block, row);
    return splice_row(&csv_writer->splice, block, row) && (!csv->crlf || block_put(block, "\r", 1)) &&
           block_put(block, &csv->eol, 1);
}

void csv_print(const struct writer *writer, struct block *block)
{
    const struct csv_writer *csv_writer = writer->state;
    if (writer->reader->format == writer->format && !writer->resampled)
        splice_print(&csv_writer->splice, block);
    else
        format_print_rows(writer, block, put_row);
}

void csv_end(struct writer *writer)
{
    struct csv_writer *csv_writer = writer->state;
    if (csv_writer)
        free(csv_writer->splice.piece);
    free(csv_writer);
    writer->state = NULL;
}
