/* Files of samples of fixed width, each at a place that can be computed: C3D, glTF. The whole file is held in
 * memory, a pipe too. A format reads it, checks it, and says where the samples of each column are; then rows
 * are read by place, on any thread, and the writer stores new samples at the same places. Invariant: bytes
 * that hold no filtered sample come out unchanged, and so do samples whose number does not change; after an
 * error nothing is written. */
#ifndef SPRUNG_FORMATS_BINARY_BINARY_H
#define SPRUNG_FORMATS_BINARY_BINARY_H

#include "formats/format.h"

/* SAMPLE_FLOAT_DEC: the F float of a VAX, as DEC's 16-bit words have it. */
enum sample_type { SAMPLE_INT8, SAMPLE_UINT8, SAMPLE_INT16, SAMPLE_UINT16, SAMPLE_FLOAT, SAMPLE_FLOAT_DEC };

struct binary_column {
    unsigned char *first; /* the sample of row 0; NULL: the time, which is row / columns.rate */
    size_t stride;        /* bytes from one row to the next */
    size_t fold, jump;    /* fold > 0: jump bytes more after every fold rows */
    enum sample_type type;
    bool big;                /* the most significant byte comes first; not of SAMPLE_FLOAT_DEC */
    double scale, offset;    /* number = (sample - offset) * scale; scale is neither 0 nor infinite or NaN */
    double normal;           /* not 0: instead number = max(sample / normal, -1), as of glTF */
    size_t part;             /* rows of another part have a gap here: see struct binary */
    size_t source;           /* for the format: where the column comes from */
    unsigned char *residual; /* of row 0: a sample whose number is negative where the value is missing; NULL:
                                none is. Columns of one residual are one point: up to four side by side that
                                differ in first alone, and are missing together */
};

/* The first member of the reader's state (r->state), which binary_open makes. */
struct binary {
    unsigned char *bytes; /* [nbyte] the file; owned; samples are there, or in bytes that the format owns */
    size_t nbyte;
    struct binary_column *column; /* [columns.ncolumn] owned */
    size_t maxcolumn;
    size_t part;                /* of a file with several tables: the one whose rows are loaded */
    struct binary_column *time; /* by part: its times, in place of column 0; NULL: there is one table */
    uint64_t nrow;              /* rows of this part, less than 2^40; */
    uint64_t atrow;             /* of them so many are loaded */
    const char *row;            /* what messages call a row: "frame" */
    uint64_t firstrow;          /* and its number in them, of row 0 */
};

/* Sets r->state to a zeroed struct of that size and reads all of the source into it. The format's open calls
 * it first, then describes the part: names with binary_add_column, columns.rate, rows. An empty file is an
 * error. */
bool binary_open(struct reader *r, size_t size, struct error *e);

/* Adds a column: a copy of nname bytes as its name, and where its samples are; x->column grows with it. */
bool binary_add_column(struct reader *r, const char *name, size_t nname, struct binary_column where,
                       struct error *e);

/* The number in a sample, without scale and offset; and what stores one: false where it does not fit. An
 * integer is rounded to the nearest, a float to the nearest one. */
double sample_get(const unsigned char *at, enum sample_type type, bool big);
bool sample_put(unsigned char *at, enum sample_type type, bool big, double x);
size_t sample_width(enum sample_type type);

/* Functions of struct format. bind: with columns.rate, rows have no times, and column 0 is the time; NaN: the
 * file has none that can be used, and --rate must be given. Without a rate (0) the numbers of the time column
 * become block.time. cell and load need no more than the columns, parse only x->column. */
bool binary_bind(struct reader *r, struct error *e);
enum loaded binary_load(struct reader *r, struct block *b, struct error *e);
void binary_parse(const struct reader *r, struct block *b);
const char *binary_cell(const struct reader *r, const struct block *b, size_t row, size_t column, char *buf,
                        size_t maxbuf, size_t *ntext);
void binary_close(struct reader *r);

/* The writer: rows of the same file alone, without added columns and --resample. print stores numbers in the
 * reader's bytes; finish hands all of them to the block, so that the columns point nowhere. A missing point
 * becomes valid (residual 0) when all its columns have numbers, else it stays as it is; one of which a value
 * is lost becomes missing (residual -1), and its samples stay. A number that does not fit, and a value that
 * is lost where there is no residual, is an error with column and row. */
bool binary_accept(struct writer *w, struct error *e);
void binary_print(const struct writer *w, struct block *b);
bool binary_finish(struct writer *w, struct block *b, struct error *e);

/* All but name, suffixes, summary, sniff, open and, with something of its own, next and close. */
#define BINARY                                                                                               \
    .family = FAMILY_BINARY, .bind = binary_bind, .load = binary_load, .parse = binary_parse,                \
    .cell = binary_cell, .accept = binary_accept, .print = binary_print, .finish = binary_finish,            \
    .keeps_shape = true

#endif
