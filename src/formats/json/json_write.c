/* Writes JSON. Rows that come from JSON are spliced: added columns are members or elements at the end of the
 * record. Other rows are composed, one object a line: numbers as their cells spell them, missing values as
 * null, other cells as strings. */
#include "formats/json/json.h"

#include "base/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* --- strings and numbers of other formats --- */

/* Puts the text as a string in quotes. */
static bool put_string(struct block *block, const char *text, size_t n)
{
    if (!block_room(block, 6 * n + 2))
        return false;
    char *to = block->bytes + block->nbyte;
    uint32_t code;
    *to++ = '"';
    for (size_t i = 0, length; i < n; i += length) {
        length = utf8_decode(text + i, n - i, &code);
        if (length == 0) {
            error_data(&block->error, "JSON must be UTF-8, but this text is not");
            error_excerpt(&block->error, text, n);
            return error_hint(&block->error, "convert it first, as in: iconv -f WINDOWS-1252 -t UTF-8");
        }
        if (code < 0x20) {
            to += sprintf(to, "\\u%04x", (unsigned)code);
            continue;
        }
        if (code == '"' || code == '\\')
            *to++ = '\\';
        memcpy(to, text + i, length);
        to += length;
    }
    *to++ = '"';
    block->nbyte = (size_t)(to - block->bytes);
    return true;
}

/* --- composed rows --- */

/* Puts a cell of another format: a number with the same digits where JSON allows it. */
static bool put_other(const struct writer *writer, struct block *block, size_t row, size_t column)
{
    const struct reader *reader = writer->reader;
    const struct column *c = table_column(&reader->table, column);
    const bool numeric = c->role == ROLE_TIME || c->value != COLUMN_NONE ||
                         !family_holds_texts(reader->format->family);
    struct cell_text cell;
    double x;
    if (!format_cell_behind(reader, block, row, column, 6, &cell))
        return false;
    if (cell.n == 0 || ((numeric || c->first != CELL_TEXT) && format_gap(reader, cell.text, cell.n)))
        return json_put(block, "null");
    char *to = block->bytes + block->nbyte, *end = to + cell.n;
    struct json_scan scan = { .end = end };
    memcpy(to, cell.text, cell.n);
    *end = 0; /* there is room */
    if (json_is_number(to) && json_value(to, &scan) == end) {
        block->nbyte += cell.n;
        return true;
    }
    if (numeric && number_read(to, end, reader_point(reader), &x) == end)
        return block_put_number(block, x, &number_shortest);
    return put_string(block, cell.text, cell.n);
}

static bool put_cell(const struct writer *writer, struct block *block, size_t row, size_t column)
{
    const size_t cell = table_column(&writer->reader->table, column)->cell;
    if (writer_replaces(writer, block, row, column))
        return writer_put(writer, block, row, writer->layout->replace[column], "null");
    if (cell == COLUMN_NONE || writer->reader->format->family != FAMILY_JSON)
        return put_other(writer, block, row, column);
    const struct span span = block->cell[row * block->ncell + cell];
    return span.at == SPLICE_ABSENT ? json_put(block, "null")
                                    : block_put(block, block->text + span.at, span.n);
}

static bool compose_row(const struct writer *writer, struct block *block, size_t row)
{
    const struct json_writer *json_writer = writer->state;
    const struct output_columns *layout = writer->layout;
    const size_t ncolumn = writer->reader->table.ncolumn;
    const bool adds_time = writer_adds_time(writer);
    bool good = json_put(block, "{");
    if (adds_time)
        good = good && json_put(block, "\"time\": ") &&
               block_put_number(block, block->time[row].t, &number_shortest);
    for (size_t i = 0; good && json_writer->label[i]; i++) {
        const bool first = i == 0 && !adds_time;
        good = json_put(block, json_writer->label[i] + (first ? strlen(", ") : 0));
        if (i < ncolumn)
            good = good && put_cell(writer, block, row, i);
        else
            good = good && writer_put(writer, block, row, layout->added[i - ncolumn].out, "null");
    }
    return good && json_put(block, "}");
}

/* Puts a row that is not spliced into the reader's text. A comma comes before each record except the first,
 * so that a record is written before the next record is known. */
static bool put_row(const struct writer *writer, struct block *block, size_t row)
{
    const struct json_writer *json_writer = writer->state;
    if (json_writer->framed && !json_put(block, block->firstrow + row > 0 ? ",\n" : "\n"))
        return false;
    const size_t start = block->nbyte;
    const bool good = json_writer->way == JSON_COMPOSED ? compose_row(writer, block, row)
                                                        : splice_row(&json_writer->splice, block, row);
    if (!good)
        return error_place(&block->error, block->error.kind == ERROR_DATA ? block_line(block, row) : 0);
    if (json_writer->framed)
        return true;
    if (writer->reader->format->family == FAMILY_JSON) /* a record of jsonl is one line */
        for (char *p = block->bytes + start; p < block->bytes + block->nbyte; p++)
            *p = *p == '\n' || *p == '\r' ? ' ' : *p;
    return json_put(block, "\n");
}

/* --- pieces --- */

/* Makes the labels of all columns, for composed rows, and of the added columns: the name as a string between
 * a comma and a colon. A column without a name is named by its position. block: room for composing. */
static bool make_labels(const struct writer *writer, struct block *block)
{
    struct json_writer *json_writer = writer->state;
    const struct table *table = &writer->reader->table;
    const size_t n = json_writer->way == JSON_COMPOSED ? table->ncolumn : 0, start = block->nbyte;
    if (!arrays_make(&block->error, ARRAY(json_writer->label, n + writer->layout->nadded + 1)))
        return false;
    for (size_t i = 0; i < n + writer->layout->nadded; i++, block->nbyte = start) {
        char number[24];
        const char *name = i < n ? table->column[i].name : writer->layout->added[i - n].name;
        snprintf(number, sizeof number, "%zu", i + 1);
        name = *name ? name : number;
        if (!json_put(block, ", ") || !put_string(block, name, strlen(name)) || !json_put(block, ": "))
            return false;
        json_writer->label[i] = text_copy(block->bytes + start, block->nbyte - start);
        if (!json_writer->label[i])
            return error_memory(&block->error);
    }
    return true;
}

/* Makes the pieces of the added columns, at the end of records of the reader: members, whose names no record
 * may have, or elements. */
static bool make_added(const struct writer *writer, struct error *e)
{
    struct json *json = writer->reader->state;
    struct json_writer *json_writer = writer->state;
    const bool named = writer->reader->table.named;
    for (size_t i = 0; i < writer->layout->nadded; i++) {
        const char *label = json_writer->label[i];
        const struct splice_piece piece = { .cell = json->anchor,
                                            .out = writer->layout->added[i].out,
                                            .text = label,
                                            .ntext = strlen(named ? label : ", ") };
        if (!splice_add(&json_writer->splice, piece, e))
            return false;
        if (!named)
            continue;
        struct json_items member = { .object = true, .key = label + strlen(", \"") };
        member.nkey = strlen(member.key) - strlen("\": ");
        struct json_node *node = json_add_node(json, json->node[0], &member, e);
        if (!node)
            return error_hint(e, "leave derivatives out with --derivatives 0, or rename that member");
        node->added = true;
    }
    return true;
}

/* --- objects of columns, and arrays of numbers --- */

/* Puts new numbers into the elements of a column. *from: the text up to here was copied; becomes the end of
 * the last cell that was replaced. */
static bool put_elements(const struct writer *writer, struct block *block, const struct json_node *series,
                         const char **from)
{
    for (size_t row = 0; row < block->nrow; row++) {
        if (!writer_replaces(writer, block, row, series->column))
            continue;
        const size_t out = writer->layout->replace[series->column];
        const double x = block_out(block, out)[row];
        const struct span cell = block->cell[row * block->ncell + series->cell];
        const char *text = block->text + cell.at;
        if (x == block_value(block, series->value)[row])
            continue;
        const struct number_format format = splice_cell_format(text, cell.n, '.');
        const bool as_cell = writer->layout->decimals_of_cells && !isnan(x);
        if (!block_put(block, *from, (size_t)(text - *from)) ||
            !(as_cell ? block_put_number(block, x, &format) : writer_put(writer, block, row, out, "null")))
            return false;
        *from = text + cell.n;
    }
    return true;
}

/* Added arrays are members at the end of the object. After a fault nothing is written, since the first row
 * ends only at the end of the document. */
static void print_columns(const struct writer *writer, struct block *block)
{
    const struct json *json = writer->reader->state;
    const struct json_writer *json_writer = writer->state;
    const char *from = block->text;
    bool good = block->nrow == json->length;
    for (size_t i = 0; i < json->nnode && good; i++)
        good = json->node[i]->column == COLUMN_NONE || put_elements(writer, block, json->node[i], &from);
    if (good && *json_writer->label) {
        const char *start = block->text + json->nhead,
                   *last = json_last(start, start + (json->end - json->node[0]->at));
        good = block_put(block, from, (size_t)(last - from));
        from = last;
    }
    for (size_t i = 0; good && json_writer->label[i]; i++) {
        good = json_put(block, json_writer->label[i]) && json_put(block, "[");
        for (size_t row = 0; row < block->nrow && good; row++)
            good = json_put(block, row > 0 ? ", " : "") &&
                   writer_put(writer, block, row, writer->layout->added[i].out, "null");
        good = good && json_put(block, "]");
    }
    if (good)
        block_put(block, from, (size_t)(block->text + block->ntext - from));
}

/* --- the writer --- */

bool json_accept(struct writer *writer, struct error *e)
{
    const struct json *json = writer->reader->state;
    if (writer->reader->format->family != FAMILY_JSON)
        return true;
    /* Resampled records are in a new array: the document around the records of the input would be lost. */
    if (writer->resampled && writer->reader->format == writer->format && json->held) {
        error_usage(e, "--resample does not work with %s",
                    json->columns ? "an object of columns" : "records inside a document");
        return error_hint(e, "use --to jsonl (one record per line) or --to csv");
    }
    if (!writer->reader->table.stacked || writer->layout->nadded == 0)
        return true;
    error_data(e, "an array of bare numbers cannot hold derivatives");
    return error_hint(e, "leave them out with --derivatives 0, or use --to csv");
}

bool json_begin(struct writer *writer, struct block *block, struct error *e)
{
    struct json_writer *json_writer = calloc(1, sizeof *json_writer);
    const struct json *json = writer->reader->format->family == FAMILY_JSON ? writer->reader->state : NULL;
    const bool same = writer->reader->format == writer->format;
    writer->state = json_writer;
    if (!json_writer)
        return error_memory(e);
    json_writer->way = JSON_COMPOSED;
    if (json && !json->columns)
        json_writer->way = same && !writer->resampled ? JSON_SAME_TEXT : JSON_SAME_ROWS;
    else if (json && same)
        json_writer->way = JSON_SAME_COLUMNS;
    json_writer->framed = writer->format->document && json_writer->way >= JSON_SAME_ROWS;
    json_writer->splice.gap = "null";
    json_writer->splice.writer = writer;
    writer->number.point = '.';
    block->error.kind = ERROR_NONE;
    const bool spliced = json && !json->columns && json->nnode > 0;
    const bool good = (!json_writer->framed || json_put(block, "[")) && make_labels(writer, block) &&
                      (!spliced || (splice_add_cells(&json_writer->splice, &block->error) &&
                                    make_added(writer, &block->error)));
    *e = block->error;
    return good;
}

void json_print(const struct writer *writer, struct block *block)
{
    const struct json_writer *json_writer = writer->state;
    if (json_writer->way == JSON_SAME_TEXT)
        splice_print(&json_writer->splice, block);
    else if (json_writer->way == JSON_SAME_COLUMNS)
        print_columns(writer, block);
    else
        format_print_rows(writer, block, put_row);
}

bool json_finish(struct writer *writer, struct block *block, struct error *e)
{
    const struct json_writer *json_writer = writer->state;
    const bool good = !json_writer->framed || json_put(block, "\n]\n");
    *e = block->error;
    return good;
}

void json_end(struct writer *writer)
{
    struct json_writer *json_writer = writer->state;
    if (!json_writer)
        return;
    for (char **label = json_writer->label; label && *label; label++)
        free(*label);
    free(json_writer->label);
    free(json_writer->splice.piece);
    free(json_writer);
    writer->state = NULL;
}
