/* The columns of an input: names in order, and the role of each. Readers add names; columns_select gives
 * roles by the user's options, in the same way for every format. Invariant: channels are numbered in the
 * order of the input. */
#ifndef SPRUNG_ROWS_COLUMNS_H
#define SPRUNG_ROWS_COLUMNS_H

#include "base/messages.h"
#include "base/param.h"
#include "number/timestamp.h"

enum role {
    ROLE_PASS,
    ROLE_CHANNEL,
    ROLE_TIME,
    ROLE_GROUP,
    ROLE_CUT,
    ROLE_READ,  /* its numbers serve a channel, and it passes through */
    ROLE_ABSENT /* it has no rows in this part of the input: see columns.partial */
};

enum cell_kind { CELL_TEXT, CELL_NUMBER, CELL_GAP };

#define COLUMN_NONE SIZE_MAX

struct column {
    char *name;     /* owned; unique: a repeated name got _2, _3, … ; "" where the header cell is empty */
    char *original; /* the name as the input spells it: the same pointer unless it was made unique */
    size_t tried;   /* numbers tried to make the same name of later columns unique; 0: there are none */
    char *above;    /* owned; the cell in the header line above the names; NULL: there is no such line */
    enum cell_kind first;     /* what the first data row holds here */
    enum timestamp_form form; /* of the first cell's text, if that is a time */
    int decimals;             /* of the first cell, if that is a number: its number_decimals; else -1 */
    enum role role;
    bool frame;      /* it holds the number of the row, from 1 */
    bool unlabelled; /* of a marker without a name, which may be another one in the next row */
    bool counter;    /* it would be a channel, but is none unless it is named: columns_note_counters */
    double period;   /* of an angle, where the format knows that it is one; else 0 */
    size_t joint;    /* number of the joint that it belongs to, from 1; 0: none */
    size_t axis;     /* where the format knows it: of an angle about x, y, z 1, 2, 3; of the x, y, z, w of a
                        quaternion 1, 2, 3, 4; else 0 */
    size_t cell;     /* index among recorded cells of a row, or COLUMN_NONE: this column is not used */
    size_t value;    /* index among numeric columns (channels, then cuts, then others), or COLUMN_NONE */
    size_t velocity; /* of a channel: the column that holds its measured velocity, or COLUMN_NONE */
};

/* A channel is missing in rows where the number of another column, or its own, is on one side of a limit. */
struct column_mask {
    size_t column, with;
    bool above, equal; /* missing where it is greater than the limit, else less; or equal to it */
    double limit;
    const char *text; /* of the option, */
    size_t nlist;     /* of which so many bytes are LIST:COLUMN */
    bool named;       /* LIST names the channel, not by a pattern */
};

struct columns {
    struct column *column;
    size_t ncolumn;
    size_t nchannel, nvalue, ncell; /* set by columns_select */
    size_t time, group, cut;        /* columns of those roles, or COLUMN_NONE */
    struct time_unit unit;          /* of the time column */
    enum timestamp_form form;       /* of its cells */
    size_t passed;  /* with --rate: the column that would have been the time, or COLUMN_NONE */
    double rate;    /* rows per second by the header, or by --rate instead; 0: not said; NaN: none of use */
    bool counted;   /* the format counts the times of rows; else the time is a column of numbers */
    bool owns_time; /* column 0 is the time, and the format makes its numbers: it is never a channel */
    const double *cue; /* rows of the cut marks that the input holds, in any order; the reader's own */
    size_t ncue;
    bool measured;            /* the velocity of a channel is: column.velocity */
    struct column_mask *mask; /* [nmask] owned */
    size_t nmask, maxmask;
    bool named;       /* names come from the input, not from positions */
    bool doubtful;    /* the first row was taken for data though it has text: it may hold the names */
    bool stacked;     /* names come from several header lines: derivatives are off by default */
    bool partial;     /* rows are those of one table of several: columns of the others are ROLE_ABSENT, which
                         the format says, and lists may name them */
    size_t maxcolumn; /* the rest is for columns.c only */
    size_t *slot, maxslot;
};

enum { TIME_UNIT_FRAMES = 4 }; /* --time-unit: after s, ms, us and ns */

struct column_choice { /* as the user typed them; NULL: not given */
    const char *time, *columns, *exclude, *group, *cut;
    struct texts velocities; /* --goal-velocity-from: each LIST:COLUMN */
    struct texts masks;      /* --mask: each LIST:COLUMN<X */
    int time_unit;           /* 0 to TIME_UNIT_FRAMES; -1: not given */
    double rate;    /* --rate; 0, NaN: not given. The time column is only copied, unless it holds frames */
    bool all_cells; /* record spans of every column (conversions, diff) */
    bool compare;   /* diff: every column whose first cell is not text holds numbers, the time too */
};

/* Appends a column with a copy of nname bytes as its name; a repeated name gets _2, _3, …, but several
 * columns may have none. A struct columns of zeroes is empty. */
bool columns_add(struct columns *t, const char *name, size_t nname, struct error *e);

/* Gives roles, cells and values: cells are numbered over the columns whose bytes are used (every role but
 * PASS; all with all_cells), values over channels, then the cut column, then columns that are read. Errors
 * name the column, list the columns and suggest the nearest name. May be called again with another choice. */
bool columns_select(struct columns *t, const struct column_choice *choice, struct error *e);

/* The first column with a usual name of a time, or with that of frame numbers, or COLUMN_NONE. */
size_t columns_usual_time(const struct columns *t);
size_t columns_frame_counter(const struct columns *t);

/* Has it a name of frame numbers; or one of Motive's for the quality of markers, which may stand above? */
bool columns_counts_frames(const struct column *c);
bool columns_tells_quality(const struct columns *t, size_t i);

/* Says which columns are no channels although they hold numbers: those with column.counter. */
void columns_note_counters(const struct columns *t, struct messages *messages, const char *file);

/* The time column, which is there, and its unit in words. */
void columns_describe_time(const struct columns *t, char *buf, size_t maxbuf);

/* False and *e if --resample cannot print new times in the time column. */
bool columns_resamplable(const struct columns *t, struct error *e);

/* The errors of an input without a time column, where no rate is given either, and of a time that is less
 * than the one before it; the caller adds the place. They return false. */
bool columns_untimed(const struct columns *t, struct error *e);
bool columns_backward(const struct columns *t, const struct timestamp *before, const struct timestamp *now,
                      struct error *e);

/* The column of that name or position ("3", "=3", quoted), as --time and --group-by take it; COLUMN_NONE and
 * *e if none. option is the option's name in messages, "--time". */
size_t columns_find(const struct columns *t, const char *spec, const char *option, struct error *e);

/* Adds to pick[column] for every column of a LIST as --columns takes it: names, globs, positions, ranges.
 * pick holds ncolumn entries of enum column_pick. Roles do not matter. */
enum column_pick { PICK_NONE, PICK_PATTERN = 1, PICK_EXPLICIT = 3 };
bool columns_pick_list(const struct columns *t, const char *list, const char *option, unsigned char *pick,
                       struct error *e);

/* Sets named[c] for each channel c of a LIST, not for others. One that names no channel is an error. */
bool columns_pick_channels(const struct columns *t, const char *list, const char *option, bool *named,
                           struct error *e);

/* Columns that are one rotation, a quaternion or angles about the axes x, y and z. */
struct column_rotation {
    size_t column[4];      /* of w, x, y, z; of angles the first is COLUMN_NONE */
    unsigned char axis[3]; /* of angles: the order of the product, 0, 1, 2: x, y, z */
    bool pattern;          /* a glob or the format found it */
};

struct column_rotations {
    struct column_rotation *at; /* malloc'ed; NULL: there are none */
    size_t n, max;
};

enum rotation_kind { QUATERNIONS, EULER_ANGLES };

/* Adds the rotations of a LIST as --quaternions or --rotations takes it: names, globs, positions with the
 * order of the components. Each is there once, and no column is in two rotations of all. Where neither names
 * nor user give the order of a quaternion, that is an error, or w, x, y, z if ordered is false; angles
 * without order have that of the next entry with one. Without LIST: those that the format knows, which are
 * the four columns X, Y, Z and W of `Rotation` of OptiTrack's Motive, and joints with the components of
 * a quaternion, or with three angles about different axes. */
bool columns_rotations(const struct columns *t, enum rotation_kind kind, const char *list, bool ordered,
                       struct column_rotations *all, struct error *e);

/* Another column that belongs to one. */
struct column_pair {
    size_t with; /* COLUMN_NONE: none does */
    bool named;  /* LIST names the one, not by a pattern */
};

/* Sets pair[i] for the columns i of a text LIST:COLUMN; of ncolumn entries the others stay. Without a * in
 * COLUMN, LIST is as --columns takes it, and COLUMN belongs to all of it. With one, each entry of LIST has a
 * * that stands for the same text, and of its columns those count whose COLUMN exists. A column belongs to
 * itself only with self, and where no glob without COLUMN's * names it. As names may have colons, the first
 * one counts at which both sides name columns. Roles do not matter. */
bool columns_pair(const struct columns *t, const char *text, const char *option, bool self,
                  struct column_pair *pair, struct error *e);

/* Reads all but column and with of a text LIST:COLUMN<X, of --mask; a usage error where it is not one. */
bool columns_mask_read(const char *text, struct column_mask *mask, struct error *e);

/* Is the channel missing where the column of the mask holds x? Also where that is missing. */
static inline bool columns_masks(const struct column_mask *mask, double x)
{
    return !(mask->above ? x < mask->limit : x > mask->limit) && (mask->equal || x != mask->limit);
}

/* The column whose unique name is exactly this, or COLUMN_NONE. Takes constant time. */
size_t columns_lookup(const struct columns *t, const char *name);

/* True if this is a usual name of a time column, in any letter case, with or without a unit at its end. */
bool columns_means_time(const char *name, size_t nname);

/* The unit at the end of a name, such as (ms), [ns] or _us, as an exponent; 0 where there is none. */
int columns_unit_in_name(const char *name);

/* The column of channel c, which is there. */
static inline const struct column *columns_channel(const struct columns *t, size_t c)
{
    const struct column *column = t->column;
    while (column->role != ROLE_CHANNEL || column->value != c)
        column++;
    return column;
}

void columns_free(struct columns *t);

/* --- between the files of this folder --- */

/* Adds the hint "columns: time, x and 7 more", after "did you mean …?" where word, or NULL, is near one. */
bool columns_hint(const struct columns *t, const char *word, struct error *e);

/* A column by its name, exactly; *column is COLUMN_NONE where there is none. False: the name stands for
 * several. */
bool columns_by_name(const struct columns *t, const char *name, const char *option, size_t *column,
                     struct error *e);

/* Adds the masks, or else the velocities, that texts tell of to t->mask. Sets drop for columns that tell
 * about others, but not themselves, and are no channels unless pick names them. */
bool columns_find_masks(struct columns *t, const struct texts *texts, bool masks, const unsigned char *pick,
                        unsigned char *drop, struct error *e);

/* One entry of a list. */
struct column_item {
    char *text;
    const char *rest; /* the entries after it, as typed; NULL: none */
    bool name;        /* in quotes, or after =: a name, whatever it looks like */
};

/* Calls take for each entry of a list, as long as it returns true. */
typedef bool column_item_taker(void *closure, const struct column_item *item);
bool columns_each_item(const struct columns *t, const char *list, const char *option, column_item_taker *take,
                       void *closure, struct error *e);

#endif
