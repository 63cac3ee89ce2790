/* What the files that write json share. Rows from json are edited in their own text; rows from other formats
 * are composed as one object a line. */
#ifndef SPRUNG_JSON_WRITER_H
#define SPRUNG_JSON_WRITER_H

#include "base/text.h"
#include "formats/splice.h"
#include "formats/json/json.h"

/* A derivative of a column that is an array: what stands around its numbers. */
struct json_added {
    char *before, *between, *after; /* `, "x_vel": [`, `, `, `]` */
    char *inner, *comma, *close;    /* the same in each vector, where elements are vectors; else "" */
    size_t *out;                    /* [nout] out columns of the vector's elements, or COLUMN_NONE */
    size_t nout;
};

struct json_array {
    const struct json_node *node;
    struct json_added *added;
    size_t nadded;
};

struct json_writer {
    enum {
        JSON_AS_IT_IS,           /* the reader's own text, edited */
        JSON_ROW_BY_ROW,         /* the reader's rows, edited, in another frame: json to jsonl and back */
        JSON_ARRAYS_AS_THEY_ARE, /* the reader's object of columns */
        JSON_COMPOSED
    } way;
    bool lines;
    struct splice edit;
    char **literal; /* owned texts of edit's pieces; JSON_COMPOSED: what stands before each column's value, */
    size_t nliteral;          /* then before each added one */
    struct json_array *array; /* JSON_ARRAYS_AS_THEY_ARE: of channels, as they stand in the text */
    size_t narray;
};

/* Hands a text of text_take to the writer, which frees it. */
bool json_keep(struct json_writer *jw, char *literal, struct error *e);

/* json_style.c: the pieces of edited rows, written in the style of the first record */
bool json_style_rows(const struct writer *w, struct error *e);
bool json_style_arrays(const struct writer *w, struct error *e);

/* json_columns.c */
void json_columns_print(const struct writer *w, struct block *b);

/* json_write.c: the number of an out column, or null, after b->bytes */
bool json_put_number(const struct writer *w, struct block *b, size_t row, size_t out);

#endif
