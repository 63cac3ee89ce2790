/* Writes JSON. Rows that come from JSON are spliced: added columns are members or elements at the end of the
 * record. Other rows are composed, one object a line: numbers as their cells spell them, missing values as
 * null, other cells as strings. */
#include "formats/json/json.h"

#include "base/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static bool put_text(struct block *block, const char *text)
{
    return block_put(block, text, strlen(text));
}

/* Appends pieces first to end - 1, with the numbers of a row. */
static bool put_pieces(const struct writer *writer, struct block *block, size_t first, size_t end, size_t row)
{
    const struct json_writer *json_writer = writer->state;
    for (const struct splice_piece *piece = json_writer->splice.piece + first; first < end; first++, piece++)
        if (!block_put(block, piece->text, piece->ntext) ||
            (piece->out != COLUMN_NONE && !writer_put(writer, block, row, piece->out, "null")))
            return false;
    return true;
}

/* --- strings and numbers of other formats --- */

/* Puts the text as a string in quotes. */
static bool put_string(struct block *block, const char *text, size_t n)
{
    static const char from[] = "\"\\\n\t\r\b\f", letters[] = "\"\\ntrbf";
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
        const char *special = code > 0 && code < 0x80 ? strchr(from, (int)code) : NULL;
        if (special) {
            *to++ = '\\';
            *to++ = letters[special - from];
        } else if (code < 0x20) {
            to += sprintf(to, "\\u%04x", (unsigned)code);
        } else {
            memcpy(to, text + i, length);
            to += length;
        }
    }
    *to++ = '"';
    block->nbyte = (size_t)(to - block->bytes);
    return true;
}

/* Writes a number of another format in the spelling of JSON, with the same digits: +.5 is 0.5, 007 is 7.
 * Returns the length, at most n + 1; 0: the text is no number. */
static size_t spell_number(char *to, const char *text, size_t n, char point)
{
    const char *p = text, *end = text + n, *start = to;
    double x;
    if (n == 0 || number_read(text, end, point, &x) != end)
        return 0;
    if (*p == '-')
        *to++ = '-';
    p += *p == '-' || *p == '+';
    while (*p == '0' && p + 1 < end && json_digit(p[1]))
        p++;
    if (*p == point)
        *to++ = '0';
    for (; p < end; p++)
        if (*p != point)
            *to++ = *p;
        else if (p + 1 < end && json_digit(p[1]))
            *to++ = '.';
    return (size_t)(to - start);
}

/* --- composed rows --- */

/* Puts a cell of another format. */
static bool put_other(const struct writer *writer, struct block *block, size_t row, size_t column)
{
    const struct reader *reader = writer->reader;
    const struct column *c = &reader->table.column[column];
    const struct column *use = table_column(&reader->table, column);
    struct cell_text cell;
    if (!format_cell_behind(reader, block, row, column, 6, &cell))
        return false;
    bool numeric = use->role == ROLE_TIME || use->value != COLUMN_NONE ||
                   !family_holds_texts(reader->format->family);
    if (cell.n == 0 || ((numeric || c->first != CELL_TEXT) && format_gap(reader, cell.text, cell.n)))
        return put_text(block, "null");
    char *to = block->bytes + block->nbyte;
    size_t length = spell_number(to, cell.text, cell.n, reader_point(reader));
    if (length == 0 || !(numeric || (length == cell.n && memcmp(to, cell.text, cell.n) == 0)))
        return put_string(block, cell.text, cell.n);
    block->nbyte += length;
    return true;
}

/* Puts a cell of an object of columns with the same bytes, except line ends, which would end the record. */
static bool put_json(struct block *block, size_t row, size_t cell)
{
    struct span span = block->cell[row * block->ncell + cell];
    if (span.at == SPLICE_ABSENT)
        return put_text(block, "null");
    if (!block_put(block, block->text + span.at, span.n))
        return false;
    for (char *p = block->bytes + block->nbyte - span.n; span.n-- > 0; p++)
        if (*p == '\n' || *p == '\r')
            *p = ' ';
    return true;
}

static bool put_cell(const struct writer *writer, struct block *block, size_t row, size_t column)
{
    const struct column *use = table_column(&writer->reader->table, column);
    size_t out = writer->layout->replace[column];
    if (writer_replaces(writer, block, row, column))
        return writer_put(writer, block, row, out, "null");
    return use->cell != COLUMN_NONE && writer->reader->format->family == FAMILY_JSON
               ? put_json(block, row, use->cell)
               : put_other(writer, block, row, column);
}

static bool compose_row(const struct writer *writer, struct block *block, size_t row)
{
    const struct json_writer *json_writer = writer->state;
    const struct table *table = &writer->reader->table;
    if (writer_adds_time(writer) && !(put_text(block, "{\"time\": ") && writer_put_time(block, row)))
        return false;
    for (size_t i = 0; i < table->ncolumn; i++)
        if (!put_pieces(writer, block, i, i + 1, row) || !put_cell(writer, block, row, i))
            return false;
    return put_pieces(writer, block, table->ncolumn, json_writer->splice.npiece, row) && put_text(block, "}");
}

/* Removes line ends, and the blanks after line ends, from the bytes that were written from start on: a
 * record of jsonl is one line. */
static void join_lines(struct block *block, size_t start)
{
    char *from = block->bytes + start, *to = from, *end = block->bytes + block->nbyte;
    if (!memchr(from, '\n', block->nbyte - start) && !memchr(from, '\r', block->nbyte - start))
        return;
    while (from < end) {
        if (*from != '\n' && *from != '\r') {
            *to++ = *from++;
            continue;
        }
        while (from < end && (*from == '\n' || *from == '\r' || *from == ' ' || *from == '\t'))
            from++;
    }
    block->nbyte = (size_t)(to - block->bytes);
}

/* Puts a row that is not spliced into the reader's text. A comma comes before each record except the first,
 * so that a record is written before the next record is known. */
static bool put_row(const struct writer *writer, struct block *block, size_t row)
{
    const struct json_writer *json_writer = writer->state;
    if (json_writer->framed && !put_text(block, block->firstrow + row > 0 ? ",\n" : "\n"))
        return false;
    size_t start = block->nbyte;
    bool good = json_writer->way == JSON_COMPOSED ? compose_row(writer, block, row)
                                                  : splice_row(&json_writer->splice, block, row);
    if (!good)
        return error_place(&block->error, block->error.kind == ERROR_DATA ? block_line(block, row) : 0);
    if (!json_writer->framed && json_writer->way == JSON_SAME_ROWS)
        join_lines(block, start);
    return json_writer->framed || put_text(block, "\n");
}

/* --- an object of columns --- */

/* Puts the array `node` with new numbers. *from: the text up to here was copied; becomes the end of the last
 * cell that was replaced. */
static bool put_array(const struct writer *writer, struct block *block, const struct json_node *node,
                      const char **from)
{
    for (size_t row = 0; row < block->nrow; row++)
        for (const struct json_node *leaf = json_first_leaf(node); leaf; leaf = leaf->next) {
            if (leaf->column == COLUMN_NONE || !writer_replaces(writer, block, row, leaf->column))
                continue;
            size_t out = writer->layout->replace[leaf->column];
            struct span cell = block->cell[row * block->ncell + leaf->cell];
            if (cell.n == 0 || block_out(block, out)[row] == block_value(block, leaf->value)[row])
                continue;
            const double x = block_out(block, out)[row];
            const struct number_format format = splice_cell_format(block->text + cell.at, cell.n, '.');
            const bool as_cell = writer->layout->decimals_of_cells && !isnan(x);
            if (!block_put(block, *from, (size_t)(block->text + cell.at - *from)) ||
                !(as_cell ? block_put_number(block, x, &format)
                          : writer_put(writer, block, row, out, "null")))
                return false;
            *from = block->text + cell.at + cell.n;
        }
    const char *end = json_place(writer->reader->state, block, node->end);
    return block_put(block, *from, (size_t)(end - *from));
}

/* Puts an added array: name and numbers. */
static bool put_added(const struct writer *writer, struct block *block, const struct splice_piece *piece)
{
    const struct json *json = writer->reader->state;
    const char *separator = json_is_tight(json->node[0]) ? "," : ", ";
    bool good = block_put(block, piece->text, piece->ntext) && put_text(block, "[");
    for (size_t row = 0; row < block->nrow && good; row++)
        good = (row == 0 || put_text(block, separator)) && writer_put(writer, block, row, piece->out, "null");
    return good && put_text(block, "]");
}

/* Puts the document, array by array; added arrays are members at the end of the object. After a fault nothing
 * is written, since the first row ends only at the end of the document. */
static void print_columns(const struct writer *writer, struct block *block)
{
    const struct json *json = writer->reader->state;
    const struct json_writer *json_writer = writer->state;
    const char *from = block->text;
    bool good = block->nrow == json->nrow;
    for (size_t i = 0; i < json->nnode && good; i++) {
        const struct json_node *node = json->node[i];
        if (node->kind != JSON_COLUMN || !node->wanted)
            continue;
        good = put_array(writer, block, node, &from);
        from = json_place(json, block, node->end);
    }
    const char *last = json_place(json, block, json->node[0]->after);
    good = good && block_put(block, from, (size_t)(last - from));
    for (size_t k = 0; good && k < json_writer->splice.npiece; k++)
        good = put_added(writer, block, &json_writer->splice.piece[k]);
    if (good)
        block_put(block, last, (size_t)(block->text + block->ntext - last));
}

/* --- pieces --- */

/* Adds a piece after a cell: the text since the last piece, then the number of the out column. */
static void add_piece(struct json_writer *writer, size_t cell, size_t out, struct error *e)
{
    struct splice_piece piece = { .cell = cell, .out = out, .ntext = writer->text.n - writer->ntext };
    writer->ntext = writer->text.n;
    splice_add(&writer->splice, piece, e);
}

/* Adds a name as a string to the text of the next piece. block: room for composing; a failure sets
 * block->error. */
static bool add_name(struct json_writer *writer, struct block *block, const char *name)
{
    const size_t start = block->nbyte;
    const bool good = put_string(block, name, strlen(name));
    if (good)
        text_add(&writer->text, block->bytes + start, block->nbyte - start);
    block->nbyte = start;
    return good;
}

/* Adds what is between two values of the record to the text of the next piece. */
static void add_separator(struct text *text, const struct json_node *record)
{
    const struct json_node *first = record->child;
    if (record->second)
        text_add(text, first->end, (size_t)(record->second - first->end));
    else
        text_put(text, json_is_tight(record) ? "," : ", ");
}

/* Makes the pieces of the added columns, at the end of records of the reader. No record may have a member of
 * such a name. */
static void make_added(const struct writer *writer, struct block *block)
{
    struct json *json = writer->reader->state;
    struct json_writer *json_writer = writer->state;
    struct json_node *record = json->node[0];
    struct text *text = &json_writer->text;
    struct error *e = &block->error;
    for (size_t i = 0; i < writer->layout->nadded && e->kind == ERROR_NONE; i++) {
        const struct added *added = &writer->layout->added[i];
        const size_t n = strlen(added->name);
        add_separator(text, record);
        if (record->kind == JSON_OBJECT && json_find(json, record, added->name, n)) {
            error_data(e, "a member named \"%.100s\" already exists", added->name);
            error_hint(e, "leave derivatives out with --derivatives 0, or rename that member");
        } else if (record->kind == JSON_OBJECT) {
            const struct json_node *first = record->child;
            json_add_node(json, record, added->name, n, true, e);
            if (!add_name(json_writer, block, added->name))
                return;
            text_add(text, first->key + first->nkey + 1, (size_t)(first->at - first->key) - first->nkey - 1);
        }
        add_piece(json_writer, json->anchor, added->out, e);
    }
}

/* Makes the pieces of the filtered cells of the reader's rows, in the order of the first record. */
static void make_cells(const struct writer *writer, struct error *e)
{
    const struct json *json = writer->reader->state;
    struct json_writer *json_writer = writer->state;
    for (size_t i = 0; i < json->nnode; i++) {
        const struct json_node *node = json->node[i];
        struct splice_piece piece = { .cell = node->cell, .replace = true, .value = node->value };
        piece.anew = node->value == COLUMN_NONE;
        piece.out = node->column == COLUMN_NONE ? COLUMN_NONE : writer->layout->replace[node->column];
        if (piece.out != COLUMN_NONE && !splice_add(&json_writer->splice, piece, e))
            return;
    }
}

/* --- the writer --- */

/* Makes a piece `{"time": ` or `, "x": ` for each column of composed rows; the name of a column without a
 * name is the position. */
static void make_names(const struct writer *writer, struct block *block)
{
    const struct table *table = &writer->reader->table;
    struct json_writer *json_writer = writer->state;
    char number[24];
    for (size_t i = 0; i < table->ncolumn + writer->layout->nadded; i++) {
        const struct added *added = i < table->ncolumn ? NULL : &writer->layout->added[i - table->ncolumn];
        const char *name = added ? added->name : table->column[i].name;
        snprintf(number, sizeof number, "%zu", i + 1);
        text_put(&json_writer->text, i > 0 || writer_adds_time(writer) ? ", " : "{");
        if (!add_name(json_writer, block, *name ? name : number))
            return;
        text_put(&json_writer->text, ": ");
        add_piece(json_writer, 0, added ? added->out : COLUMN_NONE, &block->error);
    }
}

bool json_accept(struct writer *writer, struct error *e)
{
    const struct json *json = writer->reader->state;
    if (writer->reader->format->family != FAMILY_JSON)
        return true;
    /* Resampled records are in a new array: the document around the records of the input would be lost. */
    const bool columns = json->rows == JSON_COLUMNS;
    if (writer->resampled && writer->reader->format == writer->format && (json->inside || columns)) {
        error_usage(e, "--resample does not work with %s",
                    columns ? "an object of columns" : "records inside a document");
        return error_hint(e, "use --to jsonl (one record per line) or --to csv");
    }
    if (json->rows != JSON_NUMBERS || writer->layout->nadded == 0)
        return true;
    error_data(e, "an array of bare numbers cannot hold derivatives");
    return error_hint(e, "leave them out with --derivatives 0, or use --to csv");
}

bool json_begin(struct writer *writer, struct block *block, struct error *e)
{
    struct json_writer *json_writer = calloc(1, sizeof *json_writer);
    writer->state = json_writer;
    const struct json *json = writer->reader->format->family == FAMILY_JSON ? writer->reader->state : NULL;
    if (!json_writer)
        return error_memory(e);
    bool same = writer->reader->format == writer->format;
    json_writer->way = JSON_COMPOSED;
    if (json && json->rows == JSON_COLUMNS && same)
        json_writer->way = JSON_SAME_COLUMNS;
    else if (json && json->rows != JSON_COLUMNS)
        json_writer->way = same && !writer->resampled ? JSON_SAME_TEXT : JSON_SAME_ROWS;
    json_writer->framed = writer->format->document &&
                          (json_writer->way == JSON_SAME_ROWS || json_writer->way == JSON_COMPOSED);
    json_writer->splice.gap = "null";
    json_writer->splice.writer = writer;
    writer->number.point = '.';
    block->error.kind = ERROR_NONE;
    if (json_writer->framed)
        put_text(block, "[");
    if (json_writer->way == JSON_COMPOSED) {
        make_names(writer, block);
    } else if (json->nnode > 0) {
        if (json_writer->way != JSON_SAME_COLUMNS)
            make_cells(writer, &block->error);
        make_added(writer, block);
    }
    text_add(&json_writer->text, "", 0);
    *e = block->error;
    if (e->kind != ERROR_NONE)
        return false;
    if (json_writer->text.failed)
        return error_memory(e);
    const char *text = json_writer->text.bytes;
    for (size_t i = 0; i < json_writer->splice.npiece; i++) {
        json_writer->splice.piece[i].text = text;
        text += json_writer->splice.piece[i].ntext;
    }
    return true;
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
    if (!json_writer->framed || put_text(block, "\n]\n"))
        return true;
    *e = block->error;
    return false;
}

void json_end(struct writer *writer)
{
    struct json_writer *json_writer = writer->state;
    if (!json_writer)
        return;
    free(json_writer->text.bytes);
    splice_free(&json_writer->splice);
    free(json_writer);
    writer->state = NULL;
}
