/* Files of samples of fixed width, each at a place that can be computed: C3D, glTF, FBX. The whole file is
 * held in memory, also when a pipe brings the bytes. A format reads the file, checks it, and says where the
 * samples of each column are; then rows are read by place, on any thread, and the writer stores new samples
 * at the same places. Invariant: bytes that hold no filtered sample come out unchanged, and so do samples
 * whose number does not change; after an error nothing is written. */
#ifndef SPRUNG_FORMATS_BINARY_BINARY_H
#define SPRUNG_FORMATS_BINARY_BINARY_H

#include "formats/format.h"

/* SAMPLE_FLOAT_DEC: the F float of a VAX, as DEC's 16-bit words have it. SAMPLE_INT64: times, which are never
 * stored. */
enum sample_type {
    SAMPLE_INT8,
    SAMPLE_UINT8,
    SAMPLE_INT16,
    SAMPLE_UINT16,
    SAMPLE_FLOAT,
    SAMPLE_FLOAT_DEC,
    SAMPLE_INT64
};

struct binary_column {
    unsigned char *first; /* the sample of row 0; NULL: the time of a row, which is row / columns.rate */
    size_t stride;        /* bytes from one row to the next */
    size_t fold;          /* rows without a jump between them; 0: no row has one */
    size_t jump;          /* bytes more than stride after every fold rows */
    enum sample_type type;
    bool big;             /* the most significant byte comes first; not of SAMPLE_FLOAT_DEC */
    double scale, offset; /* number = (sample - offset) * scale; scale is neither 0 nor infinite or NaN */
    double divisor;       /* not 0: instead number = sample / divisor; integers of 8 or 16 bits give at least
                             -1, as glTF wants */
    size_t part;          /* index into binary.part: rows of other tables have a gap in this column */
    size_t source;        /* for the format: where the column comes from */
    unsigned char *residual; /* the sample of row 0 that tells whether the value is missing: its number is
                                then negative; NULL: no value is missing. Columns with the same residual are
                                one point: up to four columns side by side that differ in first alone */
};

/* One of several tables of a file: rows with times of their own. */
struct binary_part {
    struct binary_column time; /* the times of the rows, in place of column 0 */
    uint64_t nrow;             /* less than 2^40 */
    size_t animation;          /* tables of different animations are different tables, whatever their times */
    const unsigned char *times; /* [ntimes] not owned; tables of one animation have different bytes here */
    size_t ntimes;
    char *name;        /* of the table, for messages; not owned */
    size_t first, end; /* columns from first on, up to but without end, belong to the table */
    bool selected;     /* one of its columns is a channel */
};

/* The first member of the reader's state (r->state), which binary_open makes. */
struct binary {
    unsigned char *bytes; /* [nbyte] the file; owned; samples are there, or in bytes that the format owns */
    size_t nbyte;
    struct binary_column *column; /* [columns.ncolumn] owned */
    size_t maxcolumn;
    size_t nname;             /* bytes of the names of all columns */
    struct binary_part *part; /* [npart] owned; NULL: the file is one table without times of its own */
    size_t npart, maxpart;
    size_t atpart;       /* the table whose rows are loaded; npart: before the first */
    size_t *slot, nslot; /* for binary_find_part */
    uint64_t nrow;       /* rows of the table, less than 2^40 */
    uint64_t atrow;      /* rows of the table that are loaded already */
    const char *row;     /* what messages call a row: "frame" */
    uint64_t firstrow;   /* the number of row 0 in messages */
    void **kept;         /* [nkept] what binary_keep was given */
    size_t nkept, maxkept;
};

/* Sets r->state to a zeroed struct of that size and reads all of the source into it. The format's open calls
 * binary_open first, then describes the table or tables. An empty file is an error. */
bool binary_open(struct reader *r, size_t size, struct error *e);

/* Returns p, malloc'ed, which is freed with the file; NULL and an error where p is NULL or memory is out. */
void *binary_keep(struct binary *x, void *p, struct error *e);

/* Adds a column: a copy of nname bytes as its name, and where its samples are; x->column grows with it.
 * Columns of a table follow each other, and the first of them comes after binary_find_part for it. Names that
 * take much more room than the file are an error. */
bool binary_add_column(struct reader *r, const char *name, size_t nname, struct binary_column where,
                       struct error *e);

/* Finds the table of the same animation with the same bytes of times, or adds a copy of *like; *part is its
 * index. Takes constant time, whatever the number of tables. */
bool binary_find_part(struct binary *x, const struct binary_part *like, size_t *part, struct error *e);

/* True if a table after the one whose rows are loaded has a channel. */
bool binary_more(const struct binary *x);

/* The number in a sample, without scale, offset and divisor; and what stores one: false where it does not
 * fit. An integer is rounded to the nearest, a float to the nearest one. */
double sample_get(const unsigned char *at, enum sample_type type, bool big);
bool sample_put(unsigned char *at, enum sample_type type, bool big, double x);
size_t sample_width(enum sample_type type);

/* Functions of struct format. bind: with columns.rate, rows have no times, and column 0 is the time; NaN: the
 * file has no rate that can be used, and --rate must be given. Without a rate (0) the numbers of the time
 * column become block.time. */
bool binary_bind(struct reader *r, struct error *e);
enum loaded binary_load(struct reader *r, struct block *b, struct error *e);
void binary_parse(const struct reader *r, struct block *b);
const char *binary_cell(const struct reader *r, const struct block *b, size_t row, size_t column, char *buf,
                        size_t maxbuf, size_t *ntext);
enum loaded binary_next(struct reader *r);
void binary_close(struct reader *r);

/* The writer takes rows of the same file alone, without added columns and --resample. print stores numbers in
 * the reader's bytes; finish gives these bytes to the block, and the columns are of no use afterwards. A
 * missing point becomes valid (residual 0) when all its columns have numbers, and stays missing otherwise. A
 * point becomes missing (residual -1) where the value of one of its columns is lost, and its samples stay.
 * Two things are an error with column and row: a number that does not fit, and a value that is lost where
 * there is no residual. */
bool binary_accept(struct writer *w, struct error *e);
void binary_print(const struct writer *w, struct block *b);
bool binary_finish(struct writer *w, struct block *b, struct error *e);

/* --- edits.c: bytes that are replaced by more or fewer bytes --- */

struct edit {
    const char *at; /* n bytes from here on become others */
    size_t n;
    char *new; /* [nnew] owned */
    size_t nnew;
};

/* A struct edits of zeroes is empty. */
struct edits {
    struct edit *edit; /* [n] owned */
    size_t n, max;
};

/* Adds an edit, which takes new, malloc'ed; NULL: memory was out. Edits may come in any order, and do not
 * overlap. */
bool edits_add(struct edits *edits, const void *at, size_t n, char *new, size_t nnew, struct error *e);

/* Sorts the edits by their place. */
void edits_sort(struct edits *edits);

/* Appends the bytes from `from` to `to` to b->bytes, with the sorted edits made; then has room for `more`
 * bytes. The block takes no more memory than these bytes, which may be a large file. */
bool edits_write(const struct edits *edits, const void *from, const void *to, size_t more, struct block *b);

void edits_free(struct edits *edits);

/* All but name, suffixes, summary, sniff and open. */
#define BINARY                                                                                               \
    .family = FAMILY_BINARY, .bind = binary_bind, .load = binary_load, .parse = binary_parse,                \
    .cell = binary_cell, .accept = binary_accept, .print = binary_print, .finish = binary_finish,            \
    .next = binary_next, .close = binary_close, .keeps_shape = true

#endif
