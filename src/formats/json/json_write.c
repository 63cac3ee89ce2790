/* Writes JSON: rows that come from JSON are spliced (insert.c makes the pieces), all others are composed, one
 * object a line: numbers as their cells spell them, missing values as null, all else as strings. */
#include "formats/json/json.h"

#include "base/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static bool put_text(struct block *b, const char *text)
{
    return block_put(b, text, strlen(text));
}

/* Appends pieces first to end, with the numbers of that row. */
static bool put_pieces(const struct writer *w, struct block *b, size_t first, size_t end, size_t row)
{
    const struct json_writer *jw = w->state;
    for (const struct splice_piece *p = jw->splice.piece + first; first < end; first++, p++)
        if (!block_put(b, p->text, p->ntext) ||
            (p->out != COLUMN_NONE && !writer_put(w, b, row, p->out, "null")))
            return false;
    return true;
}

/* --- strings and numbers of other formats --- */

/* Puts the text as a string in quotes. */
static bool put_string(struct block *b, const char *text, size_t n)
{
    static const char from[] = "\"\\\n\t\r\b\f", letters[] = "\"\\ntrbf";
    if (!block_room(b, 6 * n + 2))
        return false;
    char *to = b->bytes + b->nbyte;
    uint32_t code;
    *to++ = '"';
    for (size_t i = 0, length; i < n; i += length) {
        length = utf8_decode(text + i, n - i, &code);
        const char *special = code > 0 && code < 0x80 ? strchr(from, (int)code) : NULL;
        if (length == 0) {
            error_data(&b->error, "JSON is UTF-8, and this is not");
            error_excerpt(&b->error, text, n);
            return error_hint(&b->error, "convert it first, as in: iconv -f WINDOWS-1252 -t UTF-8");
        }
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
    b->nbyte = (size_t)(to - b->bytes);
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

/* Puts a cell of another format. The text of the cell is stored behind the room for the JSON of the cell. */
static bool put_other(const struct writer *w, struct block *b, size_t row, size_t column)
{
    const struct reader *r = w->reader;
    const struct column *c = &r->columns.column[column];
    size_t max = b->ncell ? b->cell[row * b->ncell + c->cell].n : 0;
    max = max > NUMBER_MAX ? max : NUMBER_MAX;
    if (!block_room(b, 7 * max + 2))
        return false;
    struct cell_text cell = { .room = b->bytes + b->nbyte + 6 * max + 2, .maxroom = max };
    r->format->cell(r, b, row, column, &cell);
    bool numeric = c->role == ROLE_TIME || c->value != COLUMN_NONE;
    if (cell.n == 0 || ((numeric || c->first != CELL_TEXT) && format_gap(r->options, cell.text, cell.n)))
        return put_text(b, "null");
    char *to = b->bytes + b->nbyte;
    size_t length = spell_number(to, cell.text, cell.n, reader_point(r));
    if (length == 0 || !(numeric || (length == cell.n && memcmp(to, cell.text, cell.n) == 0)))
        return put_string(b, cell.text, cell.n);
    b->nbyte += length;
    return true;
}

/* Puts a cell of an object of columns with the same bytes, except line ends, which would end the record. */
static bool put_json(struct block *b, size_t row, size_t cell)
{
    struct span span = b->cell[row * b->ncell + cell];
    if (span.at == SPLICE_ABSENT)
        return put_text(b, "null");
    if (!block_put(b, b->text + span.at, span.n))
        return false;
    for (char *p = b->bytes + b->nbyte - span.n; span.n-- > 0; p++)
        if (*p == '\n' || *p == '\r')
            *p = ' ';
    return true;
}

static bool put_cell(const struct writer *w, struct block *b, size_t row, size_t column)
{
    const struct column *c = &w->reader->columns.column[column];
    size_t out = w->layout->replace[column];
    if (writer_replaces(w, b, row, column))
        return writer_put(w, b, row, out, "null");
    if (c->cell == COLUMN_NONE || !w->reader->format->cell)
        return put_text(b, "null");
    return w->reader->format->family == FAMILY_JSON ? put_json(b, row, c->cell)
                                                    : put_other(w, b, row, column);
}

static bool compose_row(const struct writer *w, struct block *b, size_t row)
{
    const struct json_writer *jw = w->state;
    const struct columns *t = &w->reader->columns;
    for (size_t i = 0; i < jw->splice.npiece; i++)
        if ((i >= t->ncolumn || t->column[i].role != ROLE_ABSENT) &&
            (!put_pieces(w, b, i, i + 1, row) || (i < t->ncolumn && !put_cell(w, b, row, i))))
            return false;
    return put_text(b, "}");
}

/* Removes line ends, and the blanks behind line ends, from the bytes that were written from start on: a
 * record of jsonl is one line. */
static void join_lines(struct block *b, size_t start)
{
    char *from = b->bytes + start, *to = from, *end = b->bytes + b->nbyte;
    if (!memchr(from, '\n', b->nbyte - start) && !memchr(from, '\r', b->nbyte - start))
        return;
    while (from < end) {
        if (*from != '\n' && *from != '\r') {
            *to++ = *from++;
            continue;
        }
        while (from < end && (*from == '\n' || *from == '\r' || *from == ' ' || *from == '\t'))
            from++;
    }
    b->nbyte = (size_t)(to - b->bytes);
}

/* Puts a row that is not spliced into the reader's text. A comma stands before each record but the first, so
 * that a record is written before the next one is known. */
static bool put_row(const struct writer *w, struct block *b, size_t row)
{
    const struct json_writer *jw = w->state;
    if (jw->framed && !put_text(b, b->firstrow + row > 0 ? ",\n" : "\n"))
        return false;
    size_t start = b->nbyte;
    bool good = jw->way == JSON_COMPOSED ? compose_row(w, b, row) : splice_row(&jw->splice, b, row);
    if (!good)
        return error_place(&b->error, b->error.kind == ERROR_DATA ? block_line(b, row) : 0);
    if (!jw->framed && jw->way == JSON_SAME_ROWS)
        join_lines(b, start);
    return jw->framed || put_text(b, "\n");
}

/* --- an object of columns --- */

/* Puts the array n with new numbers; *from: the text from here on was not copied yet. */
static bool put_array(const struct writer *w, struct block *b, const struct json_node *n, const char **from)
{
    for (size_t row = 0; row < b->nrow; row++)
        for (const struct json_node *leaf = json_first_leaf(n); leaf; leaf = leaf->next) {
            if (leaf->column == COLUMN_NONE || !writer_replaces(w, b, row, leaf->column))
                continue;
            size_t out = w->layout->replace[leaf->column];
            struct span cell = b->cell[row * b->ncell + leaf->cell];
            if (cell.n == 0 || block_out(b, out)[row] == block_value(b, leaf->value)[row])
                continue;
            if (!block_put(b, *from, (size_t)(b->text + cell.at - *from)) ||
                !writer_put(w, b, row, out, "null"))
                return false;
            *from = b->text + cell.at + cell.n;
        }
    const char *end = json_place(json_of_block(w->reader, b), b, n->end);
    return block_put(b, *from, (size_t)(end - *from));
}

/* Puts the document, array by array. After a fault nothing is written, since the first row ends only at the
 * end of the document. */
static void print_columns(const struct writer *w, struct block *b)
{
    const struct json *j = json_of_block(w->reader, b);
    const struct json_writer *jw = w->state;
    size_t k = 0;
    const char *from = b->text;
    bool good = b->nrow == j->nrow;
    for (size_t i = 0; i < j->nnode && good; i++) {
        const struct json_node *n = j->node[i];
        if (n->kind != JSON_COLUMN || !n->wanted)
            continue;
        good = put_array(w, b, n, &from);
        from = json_place(j, b, n->end);
        for (; good && k < jw->nadded && jw->added[k].array == n; k++) {
            const struct json_added *a = &jw->added[k];
            good = put_pieces(w, b, a->first, a->first + 1, 0);
            for (size_t row = 0; row < b->nrow && good; row++)
                good = put_pieces(w, b, a->first + (row > 0 ? 1 : 2), a->end - 1, row);
            good = good && put_pieces(w, b, a->end - 1, a->end, 0);
        }
    }
    if (good)
        block_put(b, from, (size_t)(b->text + b->ntext - from));
}

/* --- the writer --- */

/* Makes a piece `{"time": ` or `, "x": ` for each column; the name of a column without a name is the
 * position. b: room for composing; a failure sets b->error. */
static void make_names(const struct writer *w, struct block *b)
{
    const struct columns *t = &w->reader->columns;
    struct json_writer *jw = w->state;
    const size_t start = b->nbyte;
    char number[24];
    for (size_t i = 0; i < t->ncolumn + w->layout->nadded; i++, b->nbyte = start) {
        const struct added *added = i < t->ncolumn ? NULL : &w->layout->added[i - t->ncolumn];
        const char *name = added ? added->name : t->column[i].name;
        snprintf(number, sizeof number, "%zu", i + 1);
        name = *name ? name : number;
        if (!put_text(b, i ? ", " : "{") || !put_string(b, name, strlen(name)) || !put_text(b, ": "))
            return;
        text_add(&jw->text, b->bytes + start, b->nbyte - start);
        json_add_piece(jw, 0, added ? added->out : COLUMN_NONE, &b->error);
    }
}

bool json_accept(struct writer *w, struct error *e)
{
    const struct json *j = w->reader->state;
    if (w->reader->format->family != FAMILY_JSON)
        return true;
    /* Resampled records stand in a new array: the document around the records of the input would be lost. */
    const bool document = j->npointer > 0 || j->tables;
    if (w->resampled && w->reader->format == w->format && (document || j->rows == JSON_COLUMNS)) {
        error_usage(e, "--resample: %s cannot be written anew",
                    document ? "the document around the records" : "an object of columns");
        return error_hint(e, "--to jsonl writes the records alone, one a line; --to csv a table");
    }
    if (j->rows != JSON_NUMBERS || w->layout->nadded == 0)
        return true;
    error_data(e, "between bare numbers there is no place for derivatives");
    return error_hint(e, "leave them out with --derivatives 0, or write --to csv");
}

bool json_begin(struct writer *w, struct block *b, struct error *e)
{
    json_end(w); /* of the table before */
    struct json_writer *jw = w->state = calloc(1, sizeof *jw);
    const struct json *j = w->reader->format->family == FAMILY_JSON ? w->reader->state : NULL;
    if (!jw)
        return error_memory(e);
    bool same = w->reader->format == w->format;
    jw->way = JSON_COMPOSED;
    if (j && j->rows == JSON_COLUMNS && same)
        jw->way = JSON_SAME_COLUMNS;
    else if (j && j->rows != JSON_COLUMNS)
        jw->way = same && !w->resampled ? JSON_SAME_TEXT : JSON_SAME_ROWS;
    jw->framed = w->format->document && (jw->way == JSON_SAME_ROWS || jw->way == JSON_COMPOSED);
    jw->splice.gap = "null";
    jw->splice.writer = w;
    w->number.point = '.';
    b->error.kind = ERROR_NONE;
    if (jw->framed)
        put_text(b, "[");
    if (jw->way == JSON_COMPOSED)
        make_names(w, b);
    else if (j->nnode > 0)
        json_insert(w, j->node[0], &b->error);
    text_add(&jw->text, "", 0);
    *e = b->error;
    if (e->kind != ERROR_NONE || jw->text.failed)
        return e->kind == ERROR_NONE && error_memory(e);
    const char *text = jw->text.bytes;
    for (size_t i = 0; i < jw->splice.npiece; text += jw->splice.piece[i++].ntext)
        jw->splice.piece[i].text = text;
    return true;
}

void json_print(const struct writer *w, struct block *b)
{
    const struct json_writer *jw = w->state;
    if (jw->way == JSON_SAME_TEXT)
        splice_print(&jw->splice, b);
    else if (jw->way == JSON_SAME_COLUMNS)
        print_columns(w, b);
    else
        format_print_rows(w, b, put_row);
}

bool json_finish(struct writer *w, struct block *b, struct error *e)
{
    const struct json_writer *jw = w->state;
    const struct json *j = w->reader->state;
    bool spliced = jw->way == JSON_SAME_TEXT || jw->way == JSON_SAME_ROWS;
    if (spliced && j->null_nodes && w->fill && w->messages)
        messages_add(
            w->messages, w->reader->source->name,
            "null in the place of an array or object has no room for values, and --gaps fill leaves it");
    if (!jw->framed || put_text(b, "\n]\n"))
        return true;
    *e = b->error;
    return false;
}

void json_end(struct writer *w)
{
    struct json_writer *jw = w->state;
    if (!jw)
        return;
    free(jw->text.bytes);
    free(jw->added);
    free(jw->owned);
    splice_free(&jw->splice);
    free(jw);
    w->state = NULL;
}
