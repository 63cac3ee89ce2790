/* A format is a descriptor with a reader and a writer. Readers cut bytes into blocks of rows and find the
 * wanted cells and numbers; writers turn filtered blocks into bytes. Formats know neither filters nor names
 * of files. Invariant: load and store run in order on one thread; parse and print touch a single block and
 * may run on any thread. */
#ifndef SPRUNG_FORMATS_FORMAT_H
#define SPRUNG_FORMATS_FORMAT_H

#include "base/messages.h"
#include "base/text.h"
#include "io/source.h"
#include "number/number.h"
#include "rows/block.h"
#include "rows/table.h"

#include <math.h>
#include <stdatomic.h>

enum {
    FORMAT_BLOCK = 64 * 1024,         /* bytes of text that a load aims at */
    FORMAT_MAXROW = 64 * 1024 * 1024, /* a longer record is an error */
    FORMAT_MAXCELL = 1024 * 1024      /* a longer cell is an error */
};

/* What is done about a row of text that cannot be used. */
enum bad_rows { BAD_ROWS_STOP, BAD_ROWS_SKIP };

/* Options about reading, the same for every format; a format ignores unknown options. */
struct input_options {
    const char *from;      /* --from: a format's name; NULL: by the name of the file, else its first bytes */
    const char *delimiter; /* --delimiter: one character, "tab", or NULL */
    bool no_header;        /* --no-header: the first row holds numbers, not names */
    const char *header;    /* --header: "4", "3,4", or NULL */
    const char *decimal;   /* --decimal: "." or ","; NULL: "." */
    const char *missing;   /* --missing: numbers and texts that mean a gap, comma separated */
    int bad_rows;          /* --bad-rows: enum bad_rows */
    const char *records;   /* --records: JSON Pointer to the rows; NULL: not given */
    bool analog;           /* --analog: the analog channels of c3d are read */
};

/* A column that the output has beyond the columns of the input. */
struct added {
    size_t column;   /* index of the channel that the added column belongs to */
    size_t out;      /* the block->out column with the numbers */
    char *name;      /* owned */
    int derivative;  /* 1: velocity, 2: acceleration; 0: another column of the filter, always added */
    char suffix[48]; /* the end of the name, such as "_vel" */
};

/* Where the block->out columns go. Made after table_plan. */
struct output_columns {
    size_t nout;  /* out columns of a block */
    size_t ngrid; /* the last ngrid out columns hold times and counts, which are printed in full */
    size_t time;  /* out column of the time, COLUMN_NONE without; exact timestamps are printed as decimals */
    size_t *replace;     /* [ncolumn] out column that replaces the cell; COLUMN_NONE: the cell stays */
    struct added *added; /* [nadded] more columns, in order */
    size_t nadded;
    bool decimals_of_cells; /* a number has as many decimals as the cell that it replaces, and at least 6 */
};

struct outfile;

struct reader {
    const struct format *format;
    struct source *source; /* not owned */
    const struct input_options *options;
    struct table table; /* complete after table_plan; owned */
    bool lenient; /* for diff and inspect: a text among the numbers of a channel is a gap, not an error */
    size_t nout;  /* columns of block->out that load reserves memory for */
    struct messages *messages; /* may be NULL: warnings are dropped */
    atomic_bool *listed;       /* becomes true where --missing finds a value; NULL: not wanted */
    char point;                /* the decimal sign found in the file; 0: the sign of the options */
    uint64_t nline;            /* physical lines before the text of the first block; set by open */
    size_t npart;     /* set by bind: number of tables with channels, for which next() makes a reader in turn;
                         0: the input is a single table */
    const char *part; /* name of the table, whose columns the reader has; NULL: the reader is that of
                         the input, with the columns of all tables */
    bool row_by_row;  /* rows may wait for later rows: see reader_wants_row */
    void *state;      /* private to the format; made by open, freed by close */
};

/* Makes *part the reader of a part of the input, which has a name and the columns first to end - 1: see
 * table_part. *part is zeroes or the reader of an earlier part. */
static inline bool reader_of_part(const struct reader *input, struct reader *part, const char *name,
                                  size_t first, size_t end, struct error *e)
{
    struct table table = part->table;
    *part = *input;
    part->table = table;
    part->part = name;
    return table_part(&part->table, &input->table, first, end, e);
}

/* The shape of the rows that load makes. */
static inline struct block_shape reader_shape(const struct reader *reader)
{
    const struct table *table = &reader->table;
    return (struct block_shape){ table->ncell, table->nvalue, reader->nout, table->time != COLUMN_NONE };
}

/* Is load to make a block of one row? It is where rows may wait and no more input has arrived: a block leaves
 * as a whole, and a row that waits would hold back the others. */
static inline bool reader_wants_row(const struct reader *reader)
{
    return reader->row_by_row && !source_ready(reader->source);
}

/* Adds a message about the input of the reader. */
#define reader_tell(reader, ...) messages_add((reader)->messages, (reader)->source->name, __VA_ARGS__)

/* The decimal sign of an input. */
static inline char reader_point(const struct reader *reader)
{
    char given = reader->options->decimal ? *reader->options->decimal : '.';
    return reader->point ? reader->point : given;
}

struct writer {
    const struct format *format;
    const struct reader *reader; /* reader of the rows, with the columns and, in the same format, the head */
    const struct output_columns *layout;
    struct number_format number;
    int fd;              /* the file that bytes are written to; -1 until opened */
    struct outfile *out; /* the output, to which accept may add a second file; NULL: unknown */
    double rate;         /* rows per second; 0: by the time column */
    bool resampled; /* rows are made by --resample: each row is printed separately, in the shape of an input
                       row */
    void *state;
};

enum loaded { LOAD_ROWS, LOAD_END, LOAD_ERROR };

/* The plain text of one cell, without quotes and escapes. The caller of a format's cell function gives the
 * room, the function sets text and n. */
struct cell_text {
    const char *text; /* [n] part of the block's text, or of room; NULL: the cell is a gap */
    size_t n;         /* bytes of text; 0 for a gap */
    char *room;       /* [maxroom] memory for a text that is not in the block as it is */
    size_t maxroom;   /* at least NUMBER_MAX; a cell of more bytes keeps its escapes or doubled quotes */
};

/* Formats of a family share the type of the reader's state, and know the options of the family. */
enum family {
    FAMILY_TEXT,   /* tables of text: struct csv */
    FAMILY_JSON,   /* struct json */
    FAMILY_AUDIO,  /* recordings: struct audio */
    FAMILY_MOTION, /* motion capture: struct motion */
    FAMILY_BINARY, /* samples at computed places: struct binary */
    FAMILY_ARRAY,  /* an array of numbers: struct binary */
    FAMILIES
};

/* Do files of the format say which of their numbers are angles? Then the numbers themselves are not
 * examined. */
static inline bool family_states_angles(enum family family)
{
    return family == FAMILY_AUDIO || family == FAMILY_BINARY;
}

/* Do formats of the family say which numbers are times, in seconds? Else seconds are a guess, and a number
 * that rises evenly may be a time. */
static inline bool family_states_seconds(enum family family)
{
    return family != FAMILY_TEXT && family != FAMILY_JSON && family != FAMILY_ARRAY;
}

/* Can a cell hold a text, which --missing may name? */
static inline bool family_holds_texts(enum family family)
{
    return family == FAMILY_TEXT || family == FAMILY_JSON || family == FAMILY_MOTION;
}

struct format {
    const char *name; /* for --from and --to */
    enum family family;
    const void *kind; /* facts about the format in a type of the family; NULL: the family has no such type */
    const char *const *suffixes; /* ".csv", …; NULL-terminated, lower case */
    /* Three questions about the first bytes. sniff: do they look like this format? NULL: never guessed from
     * bytes. */
    bool (*sniff)(const unsigned char *head, size_t nhead);
    /* unsure, where sniff is true: could more bytes show another format, as a pipe may bring a line in
     * pieces? NULL: no, but of text the first line must be whole. */
    bool (*unsure)(const unsigned char *head, size_t nhead);
    /* may_follow, where sniff is false: could more bytes show this format, as its mark comes lines below the
     * start? NULL: no. */
    bool (*may_follow)(const unsigned char *head, size_t nhead);

    /* Checks the options known to the format, before any input. NULL: nothing to check. */
    bool (*check)(const struct input_options *options, struct error *e);
    /* Reads the header, and what is needed of the first row: fills the names and first kinds of columns, and
     * the rate. An input without rows (header only) is allowed; an empty input is an error. */
    bool (*open)(struct reader *reader, struct error *e);
    /* Gets ready for rows by the reader's table. NULL: nothing to do. */
    bool (*bind)(struct reader *reader, struct error *e);
    /* Fills block->text with at least one whole record, from a single read or from the rest of the buffer,
     * and reserves the arrays of the block for the rows. LOAD_END: the input has ended. */
    enum loaded (*load)(struct reader *reader, struct block *block, struct error *e);
    /* Fills rows, cells, values and timestamps of one block from its text. An error goes to block->error. */
    void (*parse)(const struct reader *reader, struct block *block);
    /* Sets text and n of *cell to the plain text of a recorded cell, for other formats' writers, for groups
     * and for messages. NULL: the format records no cells. */
    void (*cell)(const struct reader *reader, const struct block *block, size_t row, size_t column,
                 struct cell_text *cell);
    void (*close)(struct reader *reader);
    /* For an input with several tables: after all rows of a table, makes *part the reader of the next table
     * with channels, by reader_of_part; then bind is called. LOAD_END: no table is left.
     * Without a call of next, load gives the rows of all tables in turn, and blocks hold only the columns of
     * one table: see block_has_column. The writer's finish is called after every table, and writes after the
     * last table. NULL: an input is a single table. */
    enum loaded (*next)(const struct reader *input, struct reader *part, struct error *e);

    /* An error with a hint if this format cannot hold the columns, read and added. NULL: it always can. */
    bool (*accept)(struct writer *writer, struct error *e);
    /* Bytes before the first row, appended to block->bytes. */
    bool (*begin)(struct writer *writer, struct block *block, struct error *e);
    /* Appends the rows of a block to block->bytes. After an error (block->error) block->bytes and block->nrow
     * cover the rows before the error. */
    void (*print)(const struct writer *writer, struct block *block);
    /* Bytes after the last row, appended to block->bytes. NULL: no bytes. */
    bool (*finish)(struct writer *writer, struct block *block, struct error *e);
    /* Writes block->bytes to writer->fd in order. NULL: the bytes are written unchanged. */
    bool (*store)(struct writer *writer, struct block *block, struct error *e);
    void (*end)(struct writer *writer); /* frees state; NULL: nothing to free */

    bool keeps_shape; /* derivatives are off by default */
    bool markers;     /* vectors are positions of markers: 0 0 0 may be a lost one */
    bool document;    /* rows are somewhere in a document: --records names the place */
    bool companions;  /* a file may name a second file with its samples, which accept finds */
};

/* Gets the reader ready for rows by its table. */
static inline bool reader_bind(struct reader *reader, struct error *e)
{
    return !reader->format->bind || reader->format->bind(reader, e);
}

/* Declares functions for a struct format, with a prefix before the name of the member. A family defines only
 * the functions that the family has. */
#define FORMAT_FUNCTIONS(prefix)                                                                             \
    bool prefix##_open(struct reader *reader, struct error *e);                                              \
    bool prefix##_bind(struct reader *reader, struct error *e);                                              \
    enum loaded prefix##_load(struct reader *reader, struct block *block, struct error *e);                  \
    void prefix##_parse(const struct reader *reader, struct block *block);                                   \
    void prefix##_close(struct reader *reader);                                                              \
    bool prefix##_accept(struct writer *writer, struct error *e);                                            \
    bool prefix##_begin(struct writer *writer, struct block *block, struct error *e);                        \
    void prefix##_print(const struct writer *writer, struct block *block);                                   \
    bool prefix##_finish(struct writer *writer, struct block *block, struct error *e);                       \
    bool prefix##_store(struct writer *writer, struct block *block, struct error *e);                        \
    void prefix##_end(struct writer *writer)

/* The list of all formats, NULL-terminated. */
extern const struct format *const format_list[];

/* Checks the options of all formats before anything is read. */
bool format_check(const struct input_options *options, struct error *e);

const struct format *format_find(const char *name);    /* by --from/--to name; NULL: unknown */
const struct format *format_by_file(const char *file); /* the first one with its suffix; NULL: none */
bool format_knows(const char *file);                   /* Has any format the suffix of the name? */
bool format_has_suffix(const struct format *format, const char *file);
const char *format_suffix(const char *file); /* the suffix, from the dot on; NULL: the name has no suffix */
const struct format *format_by_bytes(const unsigned char *head, size_t n); /* by sniffing; NULL: no bytes */

/* Has a value become a gap on the way to the filter, by --mask or as a spike? */
static inline bool writer_lost(const struct block *block, size_t row, size_t channel)
{
    return isnan(block_goal(block, channel)[row]) && !isnan(block_value(block, channel)[row]);
}

/* Is a cell printed from an out column? A cell that is not filtered, or holds a gap, or belongs to a rotation
 * with a gap, keeps its text. A row of --resample has the cells and values of the row before. */
static inline bool writer_replaces(const struct writer *writer, const struct block *block, size_t row,
                                   size_t column)
{
    size_t out = writer->layout->replace[column];
    size_t value = table_column(&writer->reader->table, column)->value;
    if (out == COLUMN_NONE)
        return false;
    if (value == COLUMN_NONE || !isnan(block_out(block, out)[row]))
        return true;
    return writer->resampled ? !isnan(block_value(block, value)[row]) : writer_lost(block, row, value);
}

/* Do the rows of --resample begin with their time? In another format, where the input has no time column and
 * its rate is given, or is in its head, which the other format does not have. */
static inline bool writer_adds_time(const struct writer *writer)
{
    const struct table *table = &writer->reader->table;
    return writer->resampled && writer->format != writer->reader->format && !table->owns_time &&
           writer->reader->table.time == COLUMN_NONE && columns_lookup(table, "time") == COLUMN_NONE;
}

/* Prints a number, which is no gap, of an out column. Returns the number of bytes, like number_print. */
static inline size_t writer_print(const struct writer *writer, const struct block *block, size_t row,
                                  size_t out, char *to)
{
    const struct output_columns *layout = writer->layout;
    bool grid = out + layout->ngrid >= layout->nout;
    if (grid && out == layout->time && block->time[row].decimal.exact)
        return number_print_decimal(to, &block->time[row].decimal, writer->number.point);
    const struct number_format whole = { NUMBER_SHORTEST, writer->number.point };
    return number_print(to, block_out(block, out)[row], grid ? &whole : &writer->number);
}

/* Appends a number of an out column to block->bytes; for a gap the text `gap`. */
static inline bool writer_put(const struct writer *writer, struct block *block, size_t row, size_t out,
                              const char *gap)
{
    if (isnan(block_out(block, out)[row]))
        return block_put(block, gap, strlen(gap));
    if (!block_room(block, NUMBER_MAX))
        return false;
    block->nbyte += writer_print(writer, block, row, out, block->bytes + block->nbyte);
    return true;
}

/* Prints a block row by row, up to the first error. */
void format_print_rows(const struct writer *writer, struct block *block,
                       bool (*put)(const struct writer *writer, struct block *block, size_t row));

/* Parses a block. Makes times of dates and times of day that are in two columns, and gaps of the numbers of
 * --missing where rows are not text. */
void format_parse(const struct reader *reader, struct block *block);

/* Parses a block again after block_trim. */
bool format_parse_again(const struct reader *reader, struct block *block, struct error *e);

/* Refuses --time, --group-by or --cut-column for a format whose times, column 0, are counted. */
bool format_owns_time(struct reader *reader, struct error *e);

/* An error with a hint if column i holds text, for a format that holds only numbers; what: the name of the
 * format in the message. */
bool format_has_no_text(const char *what, const struct table *table, size_t i, struct error *e);

/* An error with a hint if column i is no series of numbers, for a format that holds only numbers; what: the
 * name of the format in the message. */
bool format_takes_numbers(const char *what, const struct table *table, size_t i, struct error *e);

/* True for a missing value in any input: the empty text, and the words of pandas such as nan, NA, null and
 * n/a in any letter case. text has no blanks around it. */
bool format_no_value(const char *text, size_t ntext);

/* True for a missing value of a channel: as format_no_value, and by --missing a number with the value of an
 * entry, or the text of an entry. */
bool format_gap(const struct reader *reader, const char *text, size_t ntext);

/* Is a text among the numbers of a column a gap at first: for a lenient reader, or in a channel that has a
 * gap in the first row, where format_take_texts judges the text? */
static inline bool reader_takes_text(const struct reader *reader, size_t column)
{
    const struct column *use = table_column(&reader->table, column);
    return reader->lenient || (use->role == ROLE_CHANNEL && use->first == CELL_GAP);
}

/* What a channel with a gap in the first row has held so far. */
enum held { HELD_GAPS, HELD_NUMBERS, HELD_TEXTS };

/* Takes the blocks of an input in order. A channel whose first text comes before its first number is text
 * from then on: what follows are gaps for the filter. A text after a number is a fault: with --bad-rows skip
 * the row is bad, else the block is cut. held: [nchannel], zeroed before the first block. False: it was cut.
 */
bool format_take_texts(const struct reader *reader, struct block *block, enum held *held);

/* Adds the hint of an error that a cell of this column holds no number, or no time. */
void format_hint_cell(const struct reader *reader, size_t column, const char *text, size_t ntext,
                      struct error *e);

/* Sets *x to the number in a recorded cell, for a format that holds only numbers; NaN: a gap. False and
 * block->error: the cell holds a text; what: the name of the format in the message. */
bool format_cell_number(const struct reader *reader, struct block *block, size_t row, size_t column,
                        const char *what, double *x);

/* Sets *cell to the plain text of a cell, for a writer that appends the text in its own form, of at most
 * `times` bytes for each byte and two quotes: the plain text is after the room for it in block->bytes.
 * text NULL: a gap, or a cell that is not recorded. False and block->error: out of memory. */
bool format_cell_behind(const struct reader *reader, struct block *block, size_t row, size_t column,
                        size_t times, struct cell_text *cell);

/* Sets text and n of *cell to the text of a number that a file holds in binary, with the decimal sign of the
 * input; NaN: a gap. */
void format_number_cell(const struct reader *reader, double x, struct cell_text *cell);

/* A warning where an input has fewer rows than its header promises. what: a row in the message, "frame". */
void format_warn_truncated(const struct reader *reader, const char *what, uint64_t promised, uint64_t found);

/* Makes the rows of a block whose text is nrow frames of `bytes` bytes each. Cells have no spans. */
bool format_make_frames(const struct reader *reader, struct block *block, size_t nrow, size_t bytes,
                        struct error *e);

/* Sets *cell to the plain text of a cell in any format, whether recorded or not. cell->room is allocated
 * memory or NULL: the function makes the room larger where the cell needs more, and the caller frees the room
 * after the last cell. False: out of memory. */
bool format_cell_text(const struct reader *reader, const struct block *block, size_t row, size_t column,
                      struct cell_text *cell);

/* The time in a cell of a column of times; t NaN: the cell holds none. cell: as for format_cell_text. */
struct timestamp format_cell_time(const struct reader *reader, const struct block *block, size_t row,
                                  size_t column, struct cell_text *cell);

/* The key of a row's group. Zero-initialize. */
struct group_key {
    struct text text;      /* owned, as is lengths */
    size_t nshown;         /* bytes of text for people: the cells, with commas between */
    struct text lengths;   /* lengths of the cells; at the end of text where rows have several */
    struct cell_text cell; /* the last cell; owns its room */
};

/* Sets the key of a row: the plain text of its cells in the columns of --group-by. A missing value is the
 * empty text. False: out of memory. */
bool format_group(const struct reader *reader, const struct block *block, size_t row, struct group_key *key,
                  struct error *e);

/* Have the cells of row > 0 in these columns the bytes of those of the row before? Then both rows have the
 * same key. */
bool format_same_group(const struct reader *reader, const struct block *block, size_t row);

/* Frees what a key owns. */
void format_group_free(struct group_key *key);

#endif
