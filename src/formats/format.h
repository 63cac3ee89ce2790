/* A format is a descriptor with a reader and a writer. Readers cut bytes into blocks of rows and find the
 * cells and numbers that are wanted; writers turn filtered blocks into bytes. Nothing here knows filters or
 * files on disk. Invariant: load and store run in order on one thread; parse and print touch one block only
 * and may run on any thread. */
#ifndef SPRUNG_FORMATS_FORMAT_H
#define SPRUNG_FORMATS_FORMAT_H

#include "base/messages.h"
#include "base/text.h"
#include "io/source.h"
#include "rows/block.h"
#include "rows/columns.h"

#include <math.h>

enum {
    FORMAT_BLOCK = 64 * 1024,         /* bytes of text one load aims at */
    FORMAT_MAXROW = 64 * 1024 * 1024, /* a longer record is an error */
    FORMAT_MAXCELL = 1024 * 1024      /* so is a longer cell */
};

/* Options about reading, the same for every format; a format ignores those it does not know. */
struct input_options {
    const char *from;      /* --from: a format's name; NULL: by the name of the file, else its first bytes */
    const char *delimiter; /* --delimiter: one character, "tab", or NULL */
    bool no_header;
    const char *header;   /* --header: "4", "3,4", or NULL */
    const char *comment;  /* --comment: lines that begin with this pass through */
    const char *decimal;  /* --decimal: "." or ","; NULL: "." */
    const char *missing;  /* --missing: further cell texts that mean a gap, comma separated */
    const char *records;  /* --records: JSON Pointer */
    bool allow_truncated; /* --allow-truncated: audio or c3d shorter than its header promises */
    bool needs_cues;      /* the cue points of a recording are needed before its first row */
    bool analog;          /* --analog: the analog channels of c3d */
};

/* --subtype: how audio samples are written. */
enum subtype { SUBTYPE_PCM16, SUBTYPE_PCM24, SUBTYPE_PCM32, SUBTYPE_FLOAT, SUBTYPE_DOUBLE };

/* Which block->out column goes where. Made by the driver after columns_select. */
struct added {
    size_t column; /* the channel it belongs to (index into table.column) */
    size_t out;
    char *name;      /* owned */
    size_t stem;     /* bytes of the channel's name that name begins with: all, but of rotations */
    int derivative;  /* 0: the filter adds it whatever --derivatives says */
    char suffix[48]; /* what the output is called beside its channel: "_vel" */
};

struct output_columns {
    size_t nout;         /* out columns of a block */
    size_t ngrid;        /* the last of them, which hold times and counts: they are printed in full */
    size_t time;         /* that of the time, if any: an exact timestamp is printed as its decimal */
    size_t *replace;     /* [table.ncolumn] out column that replaces the cell; COLUMN_NONE: it stays */
    struct added *added; /* further columns, in order */
    size_t nadded;
    size_t ntaken; /* derivatives that are written into columns which an earlier run added for them */
    int *decimals; /* [nout] digits after the point, -1: as of numbers without a cell; NULL: all -1 */
};

/* How numbers of an out column are printed, where others are printed like `usual`. */
static inline struct number_format number_of_column(struct number_format usual, const int *decimals,
                                                    size_t out)
{
    bool own = decimals && out != COLUMN_NONE && decimals[out] >= 0;
    return own ? (struct number_format){ NUMBER_DECIMALS, decimals[out], usual.point } : usual;
}

struct outfile;

struct reader {
    const struct format *format;
    struct source *source; /* not owned */
    const struct input_options *options;
    struct columns columns;
    bool lenient;              /* diff: a cell that is no number is a gap with text, not an error */
    size_t nout;               /* out columns that load reserves in each block */
    struct messages *messages; /* may be NULL: warnings are dropped */
    char point;                /* the decimal sign that the rows were found to have; 0: as the options say */
    uint64_t nline;            /* physical lines before the text of the first block; set by open */
    size_t npart;              /* set by bind: the columns are those of several tables, of which so many have
                                  channels; next gives them one by one; 0: of one table */
    const char *part;          /* the name of the one that next gave; NULL: the input is one table */
    void *state;               /* the format's own; made by open, freed by close */
};

/* The decimal sign of an input. */
static inline char reader_point(const struct reader *r)
{
    char said = r->options->decimal ? *r->options->decimal : '.';
    return r->point ? r->point : said;
}

struct writer {
    const struct format *format;
    const struct reader *reader; /* of the rows: columns, cell text, and the head of the same format */
    const struct output_columns *layout;
    struct number_format number;
    bool fill; /* a gap whose out number is finite is printed as a number (always true for numbers) */
    int fd;    /* where bytes go; -1 until opened */
    struct outfile *out; /* what is written: accept may give it a second file; NULL: not known */
    double rate;         /* rows per second; 0: by the time column */
    int subtype;         /* enum subtype; -1: as the input */
    bool resampled; /* rows are not those of the input: each is printed alone, in the shape of an input row */
    struct messages *messages; /* may be NULL: warnings are dropped */
    void *state;
};

enum loaded { LOAD_ROWS, LOAD_END, LOAD_ERROR };

/* Formats of a family share the reader's state, and the options of that family mean something to them. */
enum family {
    FAMILY_TEXT,   /* tables of text: struct csv */
    FAMILY_JSON,   /* struct json */
    FAMILY_AUDIO,  /* recordings: struct audio */
    FAMILY_MOTION, /* motion capture: struct motion */
    FAMILY_BINARY  /* samples at computed places: struct binary */
};

struct format {
    const char *name; /* as --from and --to take it */
    enum family family;
    const void *kind;            /* what the family says about the format besides; NULL: nothing */
    const char *const *suffixes; /* ".csv", …; NULL-terminated, lower case */
    const char *summary;
    const char *keeps; /* a sentence: what of a file comes out as it was, and what does not */
    /* True if the first bytes look like this format. NULL: never guessed from bytes. */
    bool (*sniff)(const unsigned char *head, size_t nhead);
    /* True if more bytes could show another format: a pipe may bring a line in pieces. NULL: never. */
    bool (*unsure)(const unsigned char *head, size_t nhead);

    /* Checks the options that this format knows, before any input. NULL: nothing to check. */
    bool (*check)(const struct input_options *o, struct error *e);
    /* Reads the header and as much as it takes to know the first row: fills names, first kinds and rate of
     * columns. An input without rows (header only) is allowed; an empty one is an error. */
    bool (*open)(struct reader *r, struct error *e);
    /* After columns_select: roles, cells and values are known. NULL: nothing to do. */
    bool (*bind)(struct reader *r, struct error *e);
    /* Fills b->text with whole records, at least one: what one read gives, or the rest of the buffer; and
     * reserves the block's arrays for the rows in it. LOAD_END: nothing is left. */
    enum loaded (*load)(struct reader *r, struct block *b, struct error *e);
    /* Fills rows, cells, values and timestamps of one block from its text. An error goes to b->error. */
    void (*parse)(const struct reader *r, struct block *b);
    /* The plain text of a recorded cell, unquoted and unescaped, for other formats' writers and for messages:
     * points into the block, or into buf, which has room for as many bytes as the cell has, and for a number
     * that the format makes itself. Returns NULL for a gap of the format's own. */
    const char *(*cell)(const struct reader *r, const struct block *b, size_t row, size_t column, char *buf,
                        size_t maxbuf, size_t *ntext);
    void (*close)(struct reader *r);
    /* Of an input with several tables: after all rows of one, chooses the next with channels, and sets
     * columns.partial and roles. LOAD_END: there is none. Without a call of it, load gives the rows of all
     * tables one after the other, with gaps in the columns of others. The writer's finish follows each table,
     * and writes after the last. NULL: there is one table. */
    enum loaded (*next)(struct reader *r);

    /* An error with a hint if this format cannot hold the columns, read and added. NULL: it always can. */
    bool (*accept)(struct writer *w, struct error *e);
    /* Bytes before the first row, appended to b->bytes. */
    bool (*begin)(struct writer *w, struct block *b, struct error *e);
    /* Appends b's rows to b->bytes. After an error (b->error) b->bytes and b->nrow are of the rows before. */
    void (*print)(const struct writer *w, struct block *b);
    /* Bytes after the last row, appended to b->bytes. NULL: none. */
    bool (*finish)(struct writer *w, struct block *b, struct error *e);
    /* Takes b->bytes to w->fd in order. NULL: they are written as they are. */
    bool (*store)(struct writer *w, struct block *b, struct error *e);
    void (*end)(struct writer *w); /* frees state; NULL: nothing to free */

    bool keeps_shape; /* a row cannot grow: derivatives are off by default */
    bool document;    /* rows may stand anywhere in it: --records says where */
};

/* Declares the functions of a struct format whose names begin with a prefix. A family defines those it has.
 */
#define FORMAT_FUNCTIONS(prefix)                                                                             \
    bool prefix##_open(struct reader *r, struct error *e);                                                   \
    bool prefix##_bind(struct reader *r, struct error *e);                                                   \
    enum loaded prefix##_load(struct reader *r, struct block *b, struct error *e);                           \
    void prefix##_parse(const struct reader *r, struct block *b);                                            \
    void prefix##_close(struct reader *r);                                                                   \
    bool prefix##_accept(struct writer *w, struct error *e);                                                 \
    bool prefix##_begin(struct writer *w, struct block *b, struct error *e);                                 \
    void prefix##_print(const struct writer *w, struct block *b);                                            \
    bool prefix##_finish(struct writer *w, struct block *b, struct error *e);                                \
    bool prefix##_store(struct writer *w, struct block *b, struct error *e);                                 \
    void prefix##_end(struct writer *w)

/* The list of all formats, NULL-terminated. */
extern const struct format *const format_list[];

/* Checks the options of all formats before anything is read. */
bool format_check(const struct input_options *o, struct error *e);

const struct format *format_find(const char *name);    /* by --from/--to name; NULL: unknown */
const struct format *format_by_file(const char *file); /* the first with the name's suffix; NULL: none */
bool format_has_suffix(const struct format *format, const char *file);
const char *format_suffix(const char *file); /* from its dot on; NULL: there is none */
const struct format *format_by_bytes(const unsigned char *head, size_t n); /* by sniffing; NULL: none */

/* Has a value become a gap on the way to the filter, by --mask or as a spike? */
static inline bool writer_lost(const struct block *b, size_t row, size_t channel)
{
    return isnan(block_goal(b, channel)[row]) && !isnan(block_value(b, channel)[row]);
}

/* Is a cell printed from its out column? Else it keeps what it says: it is not filtered, or holds a gap, or
 * the number of a rotation that has one. */
static inline bool writer_replaces(const struct writer *w, const struct block *b, size_t row, size_t column)
{
    size_t out = w->layout->replace[column];
    size_t value = w->reader->columns.column[column].value;
    if (out == COLUMN_NONE || w->resampled || value == COLUMN_NONE)
        return out != COLUMN_NONE;
    return !isnan(block_out(b, out)[row]) || writer_lost(b, row, value);
}

/* Prints a number of an out column that is no gap, as number_print. */
static inline size_t writer_print(const struct writer *w, const struct block *b, size_t row, size_t out,
                                  char *to)
{
    const struct output_columns *l = w->layout;
    bool grid = out + l->ngrid >= l->nout;
    if (grid && out == l->time && b->time[row].decimal.exact)
        return number_print_decimal(to, &b->time[row].decimal, w->number.point);
    struct number_format format = grid ? number_shortest : number_of_column(w->number, l->decimals, out);
    format.point = w->number.point;
    return number_print(to, block_out(b, out)[row], &format);
}

/* The same into the block, and a gap as that text. */
static inline bool writer_put(const struct writer *w, struct block *b, size_t row, size_t out,
                              const char *gap)
{
    if (isnan(block_out(b, out)[row]))
        return block_put(b, gap, strlen(gap));
    if (!block_room(b, NUMBER_MAX))
        return false;
    b->nbyte += writer_print(w, b, row, out, b->bytes + b->nbyte);
    return true;
}

/* Prints a block row by row, up to the first error. */
void format_print_rows(const struct writer *w, struct block *b,
                       bool (*put)(const struct writer *w, struct block *b, size_t row));

/* The error of --time, --group-by or --cut-column for a format that counts the times of rows, column 0. */
bool format_owns_time(const struct reader *r, struct error *e);

/* An error with a hint if a column is no series of numbers, which is all that a format holds; what: it. */
bool format_takes_numbers(const char *what, const struct column *c, struct error *e);

/* True if --derivatives 0 leaves out all added columns. */
bool format_derived(const struct output_columns *layout);

/* True for a missing value: empty, nan, na, null in any letter case, or in the list of --missing. text has no
 * blanks around it. */
bool format_gap(const struct input_options *options, const char *text, size_t ntext);

/* The plain text of a cell, whatever its format. */
struct plain {
    const char *text; /* points into the block, or into room; NULL: a gap */
    size_t n;
    char *room; /* owned; it grows, and serves one cell after the other */
    size_t maxroom;
};

/* Takes the plain text of a recorded cell; false when memory is out. */
bool format_plain(const struct reader *r, const struct block *b, size_t row, size_t column,
                  struct plain *plain, struct error *e);

/* The key of a row's group. A struct of zeroes is empty. */
struct group_key {
    const char *text; /* points into the block, or into cell or joined; never NULL */
    size_t n;
    struct plain cell;  /* of the column that was read last */
    struct text joined; /* owned; the key of several columns */
};

/* Sets text and n to the key of a row: of one column of --group-by the cell's plain text, of several the texts
 * with commas between them, each quoted as in a line of csv where a comma or quote is in it. A missing value
 * is the empty text. Without --group-by the key is empty. False when memory is out. */
bool format_group(const struct reader *r, const struct block *b, size_t row, struct group_key *key,
                  struct error *e);

/* Frees what a key owns, and empties the key. */
void format_group_free(struct group_key *key);

#endif
