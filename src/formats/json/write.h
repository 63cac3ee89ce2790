/* What the files that write JSON share. Rows that come from JSON keep their text, in which numbers are
 * replaced and members added; rows of other formats are composed, one object a line. */
#ifndef SPRUNG_JSON_WRITE_H
#define SPRUNG_JSON_WRITE_H

#include "formats/json/json.h"
#include "formats/splice.h"

/* An array that is added to an object of columns: the text around its numbers. */
struct json_added {
    const struct json_node *array; /* it follows this one */
    const char *open, *next;       /* before the first row: `, "x_vel": [`; before each further one: `, ` */
    const char *comma;             /* between the elements of a vector */
    const char *close;             /* after the last row */
    size_t *out;                   /* [nout] out columns of a row's elements, or COLUMN_NONE */
    size_t nout;
};

struct json_writer {
    enum {
        JSON_SAME_TEXT,    /* the reader's text, all of it, with the rows spliced */
        JSON_SAME_ROWS,    /* the reader's rows, spliced, with other text between them */
        JSON_SAME_COLUMNS, /* the reader's object of columns */
        JSON_COMPOSED
    } way;
    bool lines; /* jsonl */
    struct splice edit;
    void **owned; /* memory to free; JSON_COMPOSED: the text before each column's value, then before each
                     added one */
    size_t nowned, maxowned;
    struct json_added *added; /* JSON_SAME_COLUMNS: by array, in the order of the text */
    size_t nadded, maxadded;
};

/* Hands memory to the writer, which frees it, and returns it; NULL (it may have been NULL before) and *e when
 * memory is out. */
void *json_own(struct json_writer *jw, void *memory, struct error *e);

/* insert.c: makes the pieces that are spliced into rows, and the arrays added to an object of columns, in the
 * style of the first record */
bool json_insert_rows(const struct writer *w, struct error *e);
bool json_insert_columns(const struct writer *w, struct error *e);

/* columns.c */
void json_columns_print(const struct writer *w, struct block *b);

/* write.c: appends the number of an out column, or null, to b->bytes */
bool json_put_number(const struct writer *w, struct block *b, size_t row, size_t out);

static inline bool json_put_text(struct block *b, const char *text)
{
    return block_put(b, text, strlen(text));
}

#endif
