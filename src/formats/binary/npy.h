/* .npy: one array of numbers, as numpy.save writes it: a head, which is a Python dictionary in text, and the
 * numbers, row by row. The columns of the array are named by their numbers, as those of a table without
 * names. The format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html. npy_head.c reads
 * and writes the head, npy.c reads rows, npy_write.c writes them. */
#ifndef SPRUNG_FORMATS_BINARY_NPY_H
#define SPRUNG_FORMATS_BINARY_NPY_H

#include "formats/binary/sample.h"
#include "formats/format.h"

enum {
    NPY_MAXCOLUMN = 1 << 16, /* most columns of an array */
    NPY_MAXHEAD = 1 << 16,   /* most bytes of the dictionary */
    NPY_START = 8            /* bytes of the magic text and the version */
};

#define NPY_MAGIC "\x93NUMPY"

/* What the head says. */
struct npy_head {
    struct sample_type type; /* of the numbers: f, i or u */
    unsigned ndim;           /* 1 or 2 */
    uint64_t nrow;
    size_t ncolumn;
    char *bytes; /* [n] owned; the whole head as it was read, with the magic text */
    size_t n;
    size_t count_at, ncount; /* place of the number of rows in bytes, and its digits */
};

/* A reader. */
struct npy {
    struct npy_head head;
    char *rest; /* [nrest] owned; bytes that were read and are not in a block yet */
    size_t nrest, maxrest;
    bool ended;    /* the input has no bytes after rest */
    uint64_t nrow; /* rows that were loaded so far */
};

static inline size_t npy_row_bytes(const struct npy_head *head)
{
    return head->ncolumn * head->type.width;
}

/* The bytes of a column in the rows of a block. */
static inline const unsigned char *npy_place(const struct npy_head *head, const struct block *block,
                                             size_t column)
{
    return (const unsigned char *)block->text + column * head->type.width;
}

/* The name of a type in messages and in Python, such as float32. */
const char *npy_type_name(struct sample_type type, char name[8]);

/* Sets the members of *head by head->bytes; the dictionary begins at `start`. */
bool npy_head_parse(struct npy_head *head, size_t start, struct error *e);

/* The bytes of a new head for this number of rows, malloc'ed; *n receives their number, which is the same for
 * any number of rows. NULL: no memory. */
char *npy_head_make(const struct npy_head *head, uint64_t nrow, size_t *n);

/* The bytes of a head that was read, with another number of rows, which has no more digits. */
char *npy_head_copy(const struct npy_head *head, uint64_t nrow, size_t *n);

/* The functions of npy_write.c. */
bool npy_accept(struct writer *writer, struct error *e);
bool npy_begin(struct writer *writer, struct block *block, struct error *e);
void npy_print(const struct writer *writer, struct block *block);
bool npy_store(struct writer *writer, struct block *block, struct error *e);
bool npy_finish(struct writer *writer, struct block *block, struct error *e);
void npy_end(struct writer *writer);

#endif
