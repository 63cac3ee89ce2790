/* Motion capture: rows are lines of numbers below a header of the format's own. Cells are between
 * delimiters, or between runs of blanks; nothing is quoted. csv cuts and parses the rows. Invariant: header,
 * blank lines and bytes around cells come out unchanged. */
#ifndef SPRUNG_FORMATS_MOTION_MOTION_H
#define SPRUNG_FORMATS_MOTION_MOTION_H

#include "base/text.h"
#include "formats/csv/csv.h"
#include "io/tempfile.h"

#include <strings.h>

/* The facts about a format that struct format does not hold. */
struct motion_kind {
    /* Reads the header, which begins after *line, and adds the columns; sets *line to the first row, n == 0:
     * the file has no row. With table.counted, column 0 is the time of a row, which the text does not hold:
     * row * step, or row / table.rate. */
    bool (*read_head)(struct reader *reader, struct span *line, struct error *e);
    const char *no_added; /* why the format has no place for added columns; NULL: columns can be added */
    const char *gap;      /* written for numbers that are lost; a gap that the input has keeps its text */
};

/* Places in the head that change with the rows: the place for the names of added columns, the number of
 * columns (the time and counts of rows, too), the number of rows, and the rate (rows per second, or seconds
 * per row where motion.seconds is not 0). The place for names is empty, at the end of the last name. */
enum motion_field { MOTION_NAMES, MOTION_COLUMNS, MOTION_ROWS, MOTION_RATE, MOTION_NFIELD };

struct motion {
    struct csv csv; /* first member: a pointer to a struct motion is a pointer to its csv */

    struct number_decimal step; /* where rows are counted: seconds per row, exactly */
    double seconds; /* where rows are counted: seconds per row, rounded; 0: the header has a rate instead */

    uint64_t nrow;     /* rows in blocks so far */
    uint64_t promised; /* rows by the header; UINT64_MAX: the header has no whole number */
    uint64_t nmarker;  /* markers by the header; UINT64_MAX: the header does not say */
    /* Places of the fields: in rest, after opening in head. n == 0: the header lacks the field. Of
     * MOTION_NAMES only `at` is read: where names of added columns go, after the last name. A format without
     * added columns does not set it. */
    struct span field[MOTION_NFIELD];
};

/* --- reading: motion.c --- */

/* Moves *line to the next line of rest that is not blank, without the line end; n == 0: the input has
 * ended. */
bool motion_line(struct reader *reader, struct span *line, struct error *e);

/* Adds to an error the excerpt and the place of n bytes of rest. Returns false. */
bool motion_error(const struct reader *reader, const char *at, size_t n, struct error *e);

/* Adds a column with an allocated name and frees the name. Returns the column. NULL: out of memory, here or
 * when the name was allocated (name is NULL then). */
struct column *motion_add_column(struct reader *reader, char *name, struct error *e);

/* Adds a column NAME.LETTER for every letter. With an empty name the columns are NUMBER.LETTER, and marked as
 * columns of a marker without a name (column.unlabelled), which are left alone. Columns of the letters wxyz
 * are a rotation, columns of the letters xyz a vector. */
bool motion_add_vector(struct reader *reader, const struct csv_cell *name, size_t number, const char *letters,
                       struct error *e);

/* The whole number in a field of the header; UINT64_MAX: the field holds no whole number. */
uint64_t motion_count(const struct motion *motion, struct span field);

/* True if n bytes are the word, in any letter case. */
static inline bool motion_is(const char *p, size_t n, const char *word)
{
    return n == strlen(word) && strncasecmp(p, word, n) == 0;
}

/* True if the bytes begin, after a byte order mark if any, with the word in any letter case and a blank or
 * delimiter. False where the text ends right after the word, as a line of motion_line may. */
bool motion_begins(const char *p, const char *end, const char *word);

FORMAT_FUNCTIONS(motion);
void motion_cell(const struct reader *reader, const struct block *block, size_t row, size_t column,
                 struct cell_text *cell);

/* --- writing: motion_write.c --- */

struct motion_writer {
    struct csv_writer csv; /* first member, for csv_print */
    struct tempfile held;  /* the rows, while the header waits for the number of rows */
    bool waiting;          /* held is open */
    uint64_t nrow;         /* rows stored so far, while waiting */
};

/* The members of a struct format that all formats of motion capture share. */
#define MOTION                                                                                               \
    .family = FAMILY_MOTION, .open = motion_open, .bind = motion_bind, .load = motion_load,                  \
    .parse = motion_parse, .cell = motion_cell, .close = motion_close, .accept = motion_accept,              \
    .begin = motion_begin, .print = csv_print, .store = motion_store, .finish = motion_finish,               \
    .end = motion_end, .keeps_shape = true

#endif
