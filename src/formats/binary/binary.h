/* Files of samples of fixed width at places that can be computed: C3D, glTF, FBX, NumPy. The whole file is
 * held in memory. A format says where the samples of each column are; rows are read by place, on any thread,
 * and new samples stored at the same places. Invariant: bytes that hold no filtered sample come out
 * unchanged, and so do samples whose number does not change; after an error nothing is written. */
#ifndef SPRUNG_FORMATS_BINARY_BINARY_H
#define SPRUNG_FORMATS_BINARY_BINARY_H

#include "formats/binary/sample.h"
#include "formats/format.h"

enum { BINARY_ZEROS = 64 }; /* bytes after those of the file */

struct binary_column {
    const char *name;     /* kept with the file */
    unsigned char *first; /* the sample of row 0; NULL: the column is the time, row / table.rate */
    size_t stride;        /* bytes from a row to the next row */
    size_t fold;          /* after every `fold` rows the next row is `jump` bytes later; 0: no jumps */
    size_t jump;          /* bytes between the end of row fold - 1 and row fold, besides the stride */
    struct sample_type type;
    double scale, offset, divisor; /* number = (sample - offset) * scale / divisor; all are finite, scale
                                      and divisor not 0 */
    bool normalized;               /* the number is at least -1 */
    bool nan;                      /* a gap is a NaN */
    size_t part;                   /* index into binary.part until binary_bind; of the time 0 */
    size_t order;                  /* set by binary_add_column: how many columns were added before */
    size_t source;                 /* private to the format: index of what the column was made from */
    unsigned char *residual; /* of row 0: a sample that is negative where the value is missing; NULL: none is.
                                In a file with residuals, each three columns after the time are a point */
    size_t vector, joint, axis, turn; /* as in struct column */
    double period;                    /* as in struct column */
};

/* A table of a file of several tables: rows with their own times. */
struct binary_part {
    struct binary_column time; /* the times of the rows, in place of column 0; one after the other */
    uint64_t nrow;
    size_t animation;  /* number of the animation that the table belongs to */
    char *name;        /* name of the table, for messages; kept with the file */
    size_t first, end; /* the table has columns first to end - 1 */
    bool selected;     /* set by binary_bind: a column of the table is a channel */
};

/* The first member of the reader's state (reader->state), which binary_open makes. */
struct binary {
    unsigned char *bytes; /* [nbyte] the file, then BINARY_ZEROS zeros; owned. Samples lie here, or in bytes
                             that the format owns */
    size_t nbyte;
    struct binary_column *column; /* [ncolumn] owned; of all tables */
    size_t ncolumn, maxcolumn;
    size_t nname;             /* bytes of the names of all columns */
    struct binary_part *part; /* [npart] owned; NULL: the file is a single table. After binary_bind, those
                                 with a channel */
    size_t npart, maxpart;
    size_t nextpart; /* the table after the current one; 0: before the first */
    uint64_t nrow;   /* rows of the current table */
    uint64_t atrow;  /* rows of the current table that are loaded already */
    void **kept;     /* [nkept] owned; memory that binary_keep took */
    size_t nkept, maxkept;
    struct edit *edit; /* [nedit] owned; in the order of their places after binary_sort_edits */
    size_t nedit, maxedit;
};

/* Sets reader->state to a zeroed struct of `size` bytes and reads the whole source into its struct binary.
 * The format's open calls it first, then describes the tables. An empty file is an error. */
bool binary_open(struct reader *reader, size_t size, struct error *e);

/* Takes p, malloc'ed, to be freed with the file, and returns p. NULL: out of memory, as if p is NULL. */
void *binary_keep(struct binary *file, void *p, struct error *e);

/* Adds a column with a name that is malloc'ed, to be freed with the file; a name of NULL is an out-of-memory
 * error. Names that take much more room than the file are an error. */
bool binary_add_column(struct binary *file, struct binary_column column, char *name, struct error *e);

/* Puts the columns into the reader's table: those of a part together, else in the order in which they were
 * added. */
bool binary_make_columns(struct reader *reader, struct error *e);

/* Do two tables have the same times, byte for byte? */
bool binary_same_times(const struct binary_part *a, const struct binary_part *b);

/* Sets *part to the index of the table with the animation and the times of *like, which is added if there is
 * none: NAME of the animation, then "NAME, table 2" and so on. */
bool binary_find_part(struct binary *file, const struct binary_part *like, const char *name, size_t *part,
                      struct error *e);

/* Does another table follow the current one? */
static inline bool binary_more(const struct binary *file)
{
    return file->nextpart < file->npart;
}

/* Functions of struct format. binary_bind: with a rate (table.rate) column 0 is the time, computed from the
 * rate; with table.even a rate of 0 is an error, else the numbers of the time column become block.time. */
bool binary_bind(struct reader *reader, struct error *e);
enum loaded binary_load(struct reader *reader, struct block *block, struct error *e);
void binary_parse(const struct reader *reader, struct block *block);
void binary_cell(const struct reader *reader, const struct block *block, size_t row, size_t column,
                 struct cell_text *cell);
enum loaded binary_next(const struct reader *input, struct reader *table, struct error *e);
void binary_close(struct reader *reader);

/* The writer only accepts rows of the same file, without added columns and --resample. binary_print stores
 * numbers in the reader's bytes; binary_finish moves these bytes to the block. A missing point becomes valid
 * (residual 0) if all its columns have numbers. A point with a lost value (writer_lost) becomes missing
 * (residual -1), and its samples stay. A number that does not fit, and a lost value without a residual, are
 * errors with column and row. */
bool binary_accept(struct writer *writer, struct error *e);
void binary_print(const struct writer *writer, struct block *block);
bool binary_finish(struct writer *writer, struct block *block, struct error *e);

/* The members of a struct format that files with their own times share. */
#define BINARY                                                                                               \
    .family = FAMILY_BINARY, .bind = binary_bind, .load = binary_load, .parse = binary_parse,                \
    .cell = binary_cell, .next = binary_next, .keeps_shape = true

/* --- edits.c: bytes that are replaced by more or fewer bytes --- */

struct edit {
    const void *at; /* [n] the bytes that are replaced */
    size_t n;
    char *new; /* [nnew] the new bytes; kept with the file */
    size_t nnew;
};

/* Adds an edit, whose `new` is malloc'ed; a `new` of NULL is an out-of-memory error. Edits may be added in
 * any order, and do not overlap. */
bool binary_edit(struct binary *file, struct edit edit, struct error *e);

/* Sorts the edits by their place. */
void binary_sort_edits(struct binary *file);

/* Appends the bytes from `from` to `to`, with the edits made, to block->bytes. */
bool binary_write_edits(struct binary *file, const void *from, const void *to, struct block *block);

#endif
