/* Writing json: rows that come from json are edited (json_style.c says how), all others are composed, one
 * object a line: numbers as their cells spell them, whatever else as a string, gaps as null. */
#include "formats/json/write.h"

#include <math.h>
#include <stdlib.h>

bool json_put_number(const struct writer *w, struct block *b, size_t row, size_t out)
{
    if (out == COLUMN_NONE || isnan(block_out(b, out)[row]))
        return block_put(b, "null", 4);
    return writer_put(w, b, row, out, '.');
}

/* --- strings --- */

/* Length of the UTF-8 sequence at text, 0 if there is none. */
static size_t sequence(const char *text, size_t n)
{
    char quoted[8 + JSON_SLACK] = "\"";
    struct json_scan s = { .end = quoted + 8 };
    size_t length = (unsigned char)*text >= 0xF0 ? 4 : (unsigned char)*text >= 0xE0 ? 3 : 2;
    if (length > n)
        return 0;
    memcpy(quoted + 1, text, length);
    quoted[length + 1] = '"';
    return json_string(quoted, &s) ? length : 0;
}

/* The text as a string in quotes at to, which has room for 6 bytes a byte and 2; NULL: it is not UTF-8. */
static char *put_string(char *to, const char *text, size_t n)
{
    static const char from[] = "\"\\\n\t\r\b\f", letters[] = "\"\\ntrbf", hex[] = "0123456789abcdef";
    *to++ = '"';
    for (size_t i = 0; i < n;) {
        unsigned char c = (unsigned char)text[i];
        size_t length = c < 0x80 ? 1 : sequence(text + i, n - i);
        const char *special = c ? strchr(from, c) : NULL;
        if (length == 0)
            return NULL;
        if (special) {
            *to++ = '\\';
            *to++ = letters[special - from];
        } else if (c < 0x20) {
            memcpy(to, "\\u00", 4);
            to[4] = hex[c >> 4];
            to[5] = hex[c & 15];
            to += 6;
        } else {
            memcpy(to, text + i, length);
            to += length;
        }
        i += length;
    }
    *to++ = '"';
    return to;
}

static bool no_utf8(const char *text, size_t n, struct error *e)
{
    error_data(e, "JSON is UTF-8, and this is not");
    error_excerpt(e, text, n);
    return error_hint(e, "convert it first, as in: iconv -f WINDOWS-1252 -t UTF-8");
}

static bool put_cell_string(struct block *b, const char *text, size_t n)
{
    if (!block_room(b, 6 * n + 2))
        return false;
    char *start = b->bytes + b->nbyte, *to = put_string(start, text, n);
    if (!to)
        return no_utf8(text, n, &b->error);
    b->nbyte += (size_t)(to - start);
    return true;
}

/* --- numbers of other formats --- */

/* The parts of a number in csv: [sign] whole [point fraction] [exponent]. */
struct parts {
    const char *whole, *fraction, *exponent;
    size_t nwhole, nfraction, nexponent;
    bool negative, plus, point;
};

static const char *digits(const char *p, const char *end, const char **at, size_t *n)
{
    for (*at = p; p < end && json_digit(*p); p++)
        ;
    *n = (size_t)(p - *at);
    return p;
}

static bool split(const char *text, size_t n, char point, struct parts *parts)
{
    const char *p = text, *end = text + n;
    double x;
    memset(parts, 0, sizeof *parts);
    if (n == 0 || number_read(text, end, point, &x) != end)
        return false;
    parts->negative = *p == '-';
    parts->plus = *p == '+';
    p += parts->negative || parts->plus;
    p = digits(p, end, &parts->whole, &parts->nwhole);
    parts->point = p < end && *p == point;
    if (parts->point)
        p = digits(p + 1, end, &parts->fraction, &parts->nfraction);
    parts->exponent = p;
    parts->nexponent = (size_t)(end - p);
    return true;
}

/* Is it a number in JSON, too, with the same bytes? */
static bool is_plain(const struct parts *parts, char point)
{
    return !parts->plus && parts->nwhole > 0 && (*parts->whole != '0' || parts->nwhole == 1) &&
           (!parts->point || (parts->nfraction > 0 && point == '.'));
}

/* The number with the same digits as JSON spells it: +.5 is 0.5, 007 is 7. */
static bool put_parts(struct block *b, struct parts parts)
{
    while (parts.nwhole > 1 && *parts.whole == '0') {
        parts.whole++;
        parts.nwhole--;
    }
    return (!parts.negative || block_put(b, "-", 1)) &&
           (parts.nwhole ? block_put(b, parts.whole, parts.nwhole) : block_put(b, "0", 1)) &&
           (!parts.nfraction || (block_put(b, ".", 1) && block_put(b, parts.fraction, parts.nfraction))) &&
           block_put(b, parts.exponent, parts.nexponent);
}

/* --- composed rows --- */

/* A cell of another format. Its text is taken behind the place of what becomes of it. */
static bool put_other(const struct writer *w, struct block *b, size_t row, size_t column)
{
    const struct reader *r = w->reader;
    const struct column *c = &r->columns.column[column];
    size_t max = b->ncell ? b->cell[row * b->ncell + c->cell].n : 0, n;
    max = max > NUMBER_MAX ? max : NUMBER_MAX;
    if (!block_room(b, 7 * max + 2))
        return false;
    const char *text = r->format->cell(r, b, row, column, b->bytes + b->nbyte + 6 * max + 2, max, &n);
    char point = r->options->decimal ? *r->options->decimal : '.';
    bool numeric = c->role == ROLE_CHANNEL || c->role == ROLE_TIME || c->role == ROLE_CUT;
    if (!text || n == 0 || ((numeric || c->first != CELL_TEXT) && format_gap(r->options, text, n)))
        return block_put(b, "null", 4);
    struct parts parts;
    bool number = split(text, n, point, &parts);
    if (number && (numeric || is_plain(&parts, point)))
        return put_parts(b, parts);
    return put_cell_string(b, text, n);
}

/* A cell of an object of columns, as it is spelled; line ends in it would end the line. */
static bool put_json(struct block *b, size_t row, size_t cell)
{
    struct span span = b->cell[row * b->ncell + cell];
    if (span.at == SPLICE_ABSENT)
        return block_put(b, "null", 4);
    if (!block_put(b, b->text + span.at, span.n))
        return false;
    for (char *p = b->bytes + b->nbyte - span.n; span.n-- > 0; p++)
        if (*p == '\n' || *p == '\r')
            *p = ' ';
    return true;
}

static bool is_json(const struct reader *r)
{
    return r->format->family == FAMILY_JSON;
}

static bool put_cell(const struct writer *w, struct block *b, size_t row, size_t column)
{
    const struct column *c = &w->reader->columns.column[column];
    size_t out = w->layout->replace[column];
    if (out != COLUMN_NONE && (w->resampled || !isnan(block_out(b, out)[row])))
        return json_put_number(w, b, row, out);
    if (c->cell == COLUMN_NONE || !w->reader->format->cell)
        return block_put(b, "null", 4);
    return is_json(w->reader) ? put_json(b, row, c->cell) : put_other(w, b, row, column);
}

static bool compose_row(const struct writer *w, struct block *b, size_t row)
{
    const struct json_writer *jw = w->state;
    size_t ncolumn = w->reader->columns.ncolumn;
    for (size_t i = 0; i < ncolumn; i++)
        if (!block_put(b, jw->literal[i], strlen(jw->literal[i])) || !put_cell(w, b, row, i))
            return false;
    for (size_t i = 0; i < w->layout->nadded; i++)
        if (!block_put(b, jw->literal[ncolumn + i], strlen(jw->literal[ncolumn + i])) ||
            !json_put_number(w, b, row, w->layout->added[i].out))
            return false;
    return block_put(b, "}", 1);
}

/* Takes line ends and the blanks after them out of what was written from start on: json may have them, jsonl
 * not. */
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

/* A row in a frame of our own. A record comes out before the comma that may follow it. */
static bool put_row(const struct writer *w, struct block *b, size_t row)
{
    const struct json_writer *jw = w->state;
    const char *before = jw->lines ? "" : b->firstrow + row > 0 ? ",\n" : "\n";
    if (!block_put(b, before, strlen(before)))
        return false;
    size_t start = b->nbyte;
    if (!(jw->way == JSON_COMPOSED ? compose_row(w, b, row) : splice_row(&jw->edit, b, row)))
        return error_place(&b->error, b->error.kind == ERROR_DATA ? block_line(b, row) : 0, 0);
    if (jw->lines && jw->way == JSON_ROW_BY_ROW)
        join_lines(b, start);
    return !jw->lines || block_put(b, "\n", 1);
}

/* --- the writer --- */

/* `{"time": ` or `, "x": `; a column without a name has its number. */
static bool keep_name(struct json_writer *jw, const char *name, size_t column, struct error *e)
{
    struct text words = { NULL, 0, 0, false };
    size_t n = strlen(name), digits = column + 1;
    char number[24], *p = number + sizeof number;
    for (*--p = 0; digits; digits /= 10)
        *--p = (char)('0' + digits % 10);
    name = n ? name : p;
    n = strlen(name);
    char *quoted = malloc(6 * n + 2), *end = quoted ? put_string(quoted, name, n) : NULL;
    if (!end) {
        free(quoted);
        return quoted ? no_utf8(name, n, e) : error_memory(e);
    }
    text_add(&words, jw->nliteral ? ", " : "{", jw->nliteral ? 2 : 1);
    text_add(&words, quoted, (size_t)(end - quoted));
    text_add(&words, ": ", 2);
    free(quoted);
    return json_keep(jw, text_take(&words), e);
}

static bool keep_names(const struct writer *w, struct error *e)
{
    const struct columns *t = &w->reader->columns;
    for (size_t i = 0; i < t->ncolumn; i++)
        if (!keep_name(w->state, t->column[i].name, i, e))
            return false;
    for (size_t i = 0; i < w->layout->nadded; i++)
        if (!keep_name(w->state, w->layout->added[i].name, 0, e))
            return false;
    return true;
}

/* Resampled records stand in an array of their own: what is around those of the input would be lost. */
static bool accept_resampled(const struct writer *w, const struct json *j, struct error *e)
{
    if (w->reader->format != w->format || (j->npointer == 0 && j->shape != JSON_COLUMNS))
        return true;
    error_usage(e, "--resample: %s cannot be written anew",
                j->npointer ? "the document around the records" : "an object of columns");
    return error_hint(e, "--to jsonl writes the records alone, one a line; --to csv a table");
}

bool json_accept(struct writer *w, struct error *e)
{
    const struct json *j = w->reader->state;
    if (w->resampled && is_json(w->reader) && !accept_resampled(w, j, e))
        return false;
    if (!is_json(w->reader) || j->shape != JSON_NUMBERS || w->layout->nadded == 0)
        return true;
    error_data(e, "between bare numbers there is no place for derivatives");
    return error_hint(e, "leave them out with --derivatives 0, or write --to csv");
}

bool json_begin(struct writer *w, struct block *b, struct error *e)
{
    struct json_writer *jw = w->state = calloc(1, sizeof *jw);
    const struct json *j = is_json(w->reader) ? w->reader->state : NULL;
    if (!jw)
        return error_memory(e);
    bool same = w->reader->format == w->format;
    jw->lines = strcmp(w->format->name, "jsonl") == 0;
    jw->way = !j                         ? JSON_COMPOSED
              : j->shape == JSON_COLUMNS ? (same ? JSON_ARRAYS_AS_THEY_ARE : JSON_COMPOSED)
              : same && !w->resampled    ? JSON_AS_IT_IS
                                         : JSON_ROW_BY_ROW;
    jw->edit.gap = "null";
    jw->edit.resampled = w->resampled ? w : NULL;
    jw->edit.number = w->number;
    jw->edit.number.point = '.';
    bool good = jw->way == JSON_COMPOSED             ? keep_names(w, e)
                : jw->way == JSON_ARRAYS_AS_THEY_ARE ? json_style_arrays(w, e)
                                                     : json_style_rows(w, e);
    if (!good)
        return false;
    if (jw->way == JSON_AS_IT_IS ? block_put(b, j->head, j->nhead)
                                 : jw->lines || jw->way == JSON_ARRAYS_AS_THEY_ARE || block_put(b, "[", 1))
        return true;
    *e = b->error;
    return false;
}

void json_print(const struct writer *w, struct block *b)
{
    const struct json_writer *jw = w->state;
    if (jw->way == JSON_AS_IT_IS)
        splice_print(&jw->edit, b);
    else if (jw->way == JSON_ARRAYS_AS_THEY_ARE)
        json_columns_print(w, b);
    else
        format_print_rows(w, b, put_row);
}

bool json_finish(struct writer *w, struct block *b, struct error *e)
{
    const struct json_writer *jw = w->state;
    const struct json *j = is_json(w->reader) ? w->reader->state : NULL;
    if (j && j->hollow && w->fill && w->messages && jw->way != JSON_COMPOSED)
        messages_add(
            w->messages, w->reader->source->name,
            "null in the place of an array or object has no room for values, and --gaps fill leaves it");
    bool framed = !jw->lines && (jw->way == JSON_ROW_BY_ROW || jw->way == JSON_COMPOSED);
    if (!framed || block_put(b, "\n]\n", 3))
        return true;
    *e = b->error;
    return false;
}

void json_end(struct writer *w)
{
    struct json_writer *jw = w->state;
    if (!jw)
        return;
    for (size_t i = 0; i < jw->nliteral; i++)
        free(jw->literal[i]);
    for (size_t i = 0; i < jw->narray; i++) {
        for (size_t k = 0; k < jw->array[i].nadded; k++) {
            struct json_added *a = &jw->array[i].added[k];
            char *texts[] = { a->before, a->between, a->after, a->inner, a->comma, a->close };
            for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
                free(texts[t]);
            free(a->out);
        }
        free(jw->array[i].added);
    }
    free(jw->array);
    free(jw->literal);
    splice_free(&jw->edit);
    free(jw);
    w->state = NULL;
}
