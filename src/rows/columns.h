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

/* Why a column has its role. columns_describe_role says it in words. */
enum role_reason {
    REASON_NONE, /* columns_select was not called */
    /* of a channel */
    REASON_NUMBER,  /* the first row holds a number */
    REASON_MISSING, /* the first row holds a missing value, and the column has a name */
    REASON_CHOSEN,  /* --columns names it */
    /* of a column that an option names, and of the time */
    REASON_OPTION, /* --group-by, --cut-column, --time, --mask or --goal-velocity-from */
    REASON_NAME,   /* it has a usual name of a time, or of frame numbers with --time-unit frames */
    REASON_FORMAT, /* the format makes the times or counts the rows, or the column stands in another table */
    REASON_RATE,   /* it would be the time, and the option --rate numbers the rows instead */
    /* of a column that passes through */
    REASON_TEXT,       /* the first row holds text */
    REASON_NAMELESS,   /* the first row holds nothing, and neither does the header */
    REASON_NOT_CHOSEN, /* --columns does not name it */
    REASON_EXCLUDED,   /* --exclude names it */
    REASON_TELLS,      /* --mask or --goal-velocity-from names it beside the columns that it tells about */
    /* of a column that passes through although it holds numbers: --columns makes it a channel */
    REASON_COUNTER,    /* it counts rows */
    REASON_QUALITY,    /* Motive's quality of a marker */
    REASON_UNLABELLED, /* of a marker without a name */
    REASON_CLOCK,      /* it holds the times of another clock */
    REASON_DERIVATIVE  /* an earlier run added it */
};

/* Why the times have their unit. */
enum unit_reason {
    UNIT_ASSUMED, /* seconds, as nothing says another unit */
    UNIT_OPTION,  /* --time-unit */
    UNIT_NAME,    /* the name of the column ends in the unit */
    UNIT_EPOCH,   /* the first time lies between the years 2000 and 2100 in no other unit */
    UNIT_TEXT     /* dates or times of day are seconds */
};

enum cell_kind { CELL_TEXT, CELL_NUMBER, CELL_GAP };

#define COLUMN_NONE SIZE_MAX

struct column {
    char *name;     /* owned; unique: a repeated name got _2, _3, … ; "" where the header cell is empty */
    char *original; /* the name as the input spells it: the same pointer unless it was made unique */
    size_t tried;   /* numbers tried to make the same name of later columns unique; 0: there are none */
    char *above;    /* owned; the cell in the header line above the names; NULL: there is no such line */
    enum cell_kind first;     /* what the first data row holds here */
    double number;            /* the number in the first data row; NaN: no number, or not read */
    char *text;               /* owned; the text in the first data row, cut; NULL: it holds no text */
    enum timestamp_form form; /* of the first cell's text, if that is a time */
    struct number_spelling
        spelling; /* of the number in the first data row; decimals -1: no number, or an exponent */
    enum role role;
    enum role_reason reason; /* why it has the role */
    bool frame;              /* it holds the number of the row, from 1 */
    bool unlabelled;         /* of a marker without a name, which may be another one in the next row */
    size_t source;           /* REASON_DERIVATIVE: the channel that it is a derivative of; else COLUMN_NONE */
    double period;           /* of an angle, where the format knows that it is one; else 0 */
    bool keeps_turns;        /* with period: the output has the turns of the input's angles, as with --wrap */
    size_t joint;            /* number of the joint that it belongs to, from 1; 0: none */
    size_t axis; /* where the format knows it: of an angle about x, y, z 1, 2, 3; of the x, y, z, w of a
                    quaternion 1, 2, 3, 4; else 0 */
    size_t turn; /* of an angle of a rotation: its place in the product of the three rotations, from 1; 0: the
                    columns stand in the order of the product */
    size_t cell; /* index among recorded cells of a row, or COLUMN_NONE: this column is not used */
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
    size_t time, cut;               /* columns of those roles, or COLUMN_NONE */
    size_t *group;                  /* [ngroup] owned; the columns of --group-by, as the option orders them */
    size_t ngroup;                  /* 0: all rows are one series */
    struct time_unit unit;          /* of the time column */
    enum unit_reason unit_reason;   /* why it has this unit */
    enum timestamp_form form;       /* of its cells */
    size_t passed; /* with --rate: the column that would have been the time, or COLUMN_NONE */
    double rate;   /* rows per second by the header, or by --rate instead; 0: not said; NaN: none of use */
    double stated_rate; /* rows per second by the header; 0: it does not say, or nothing of use */
    bool counted;       /* the format counts the times of rows; else the time is a column of numbers */
    bool owns_time;     /* column 0 is the time, and the format makes its numbers: it is never a channel */
    const double *cue;  /* rows of the cut marks that the input holds, in any order; the reader's own */
    size_t ncue;
    bool measured;            /* the velocity of a channel is: column.velocity */
    struct column_mask *mask; /* [nmask] owned */
    size_t nmask, maxmask;
    bool named;       /* names come from the input, not from positions */
    bool doubtful;    /* the first row was taken for data though it has text: it may hold the names */
    bool stacked;     /* names come from several header lines: derivatives are off by default */
    bool other_lines; /* the header has further lines, of which the names are not taken */
    bool partial;     /* rows are those of one table of several: columns of the others are ROLE_ABSENT, which
                         the format says, and lists may name them */
    size_t table_first; /* the columns of that table besides column 0: from here on, */
    size_t table_end;   /* up to here; 0: columns of the table may be anywhere */
    size_t *channel;    /* [nchannel] owned; the column of each channel */
    size_t maxcolumn;   /* the rest is for columns.c only */
    size_t *slot, maxslot;
};

/* Units of --time-unit, in the order of its choices. The first four are powers of 1000. */
enum {
    TIME_UNIT_S,
    TIME_UNIT_MS,
    TIME_UNIT_US,
    TIME_UNIT_NS,
    TIME_UNIT_MIN,
    TIME_UNIT_H,
    TIME_UNIT_FRAMES,
    TIME_UNIT_NONE = -1 /* not given, or not said */
};

struct column_choice { /* as the user typed them; NULL: not given */
    const char *time, *columns, *exclude, *cut;
    const char *group;       /* a list of columns */
    struct texts velocities; /* --goal-velocity-from: each LIST:COLUMN */
    struct texts masks;      /* --mask: each LIST:COLUMN<X */
    int time_unit;           /* TIME_UNIT_S to TIME_UNIT_FRAMES; TIME_UNIT_NONE: not given */
    double rate;      /* --rate; 0, NaN: not given. The time column is only copied, unless it holds frames */
    bool all_cells;   /* record spans of every column (conversions, diff) */
    bool derivatives; /* plot: derivatives that an earlier run added are channels like any other */
    bool compare;     /* diff: every column whose first cell is not text holds numbers, the time too */
};

/* Appends a column with a copy of nname bytes as its name; a repeated name gets _2, _3, …, but several
 * columns may have none. A struct columns of zeroes is empty. */
bool columns_add(struct columns *t, const char *name, size_t nname, struct error *e);

/* Keeps the text of the first row, cut, for messages. */
bool columns_set_text(struct column *c, const char *text, size_t ntext, struct error *e);

/* Gives roles, cells and values: cells are numbered over the columns whose bytes are used (every role but
 * PASS; all with all_cells), values over channels, then the cut column, then columns that are read. Errors
 * name the column, list the columns and suggest the nearest name. May be called again with another choice. */
bool columns_select(struct columns *t, const struct column_choice *choice, struct error *e);

/* From now on rows are those of one table of several, whose columns are column 0 and those from first on, up
 * to end. The others become ROLE_ABSENT, without cell and value. Takes time for the columns of this table and
 * of the one before. */
void columns_choose_table(struct columns *t, size_t first, size_t end);

/* The column after column i that the table may have; ncolumn or more: there is none. */
static inline size_t columns_after(const struct columns *t, size_t i)
{
    size_t next = i + 1;
    if (t->table_end == 0 || (next >= t->table_first && next < t->table_end))
        return next;
    return next < t->table_first ? t->table_first : t->ncolumn;
}

/* The first column with a usual name of a time, or with that of frame numbers, or COLUMN_NONE. */
size_t columns_usual_time(const struct columns *t);
size_t columns_frame_counter(const struct columns *t);

/* True if the column has a name of frame numbers, or of another count of rows and a whole number in the first
 * row. */
bool columns_counts_rows(const struct column *c);

/* True for the name of frame numbers. */
bool columns_means_frame(const char *name, size_t nname);

/* True if column i can hold angles, by its name: a word of a rotation stands in the name, or neither a word of
 * another kind of number nor the letter of an axis at its end. */
bool columns_may_be_angle(const struct columns *t, size_t i);

/* True if four columns can be the components of a quaternion, by their names. *named: the names differ in
 * their last letters alone, which are w (or s), x, y and z. */
bool columns_may_be_quaternion(const struct columns *t, const size_t column[4], bool *named);

/* True if column i has one of Motive's names for the quality of markers, which may stand above its name. */
bool columns_tells_quality(const struct columns *t, size_t i);

/* True if the name of column i, and its first number, are those of a clock. */
bool columns_tells_time(const struct columns *t, size_t i);

/* True for a column that passes through although it holds numbers, unless --columns names it. */
static inline bool column_left_alone(const struct column *c)
{
    return c->role == ROLE_PASS && c->reason >= REASON_COUNTER;
}

/* Names of columns for one message. A struct of zeroes is empty. */
struct column_names {
    char text[240];     /* the names, in quotes, with commas between them */
    size_t n, left_out; /* names in the text, and names that it has no room for */
};

/* Adds a name, and after it what stands in the first row, or nothing where sample is NULL; a name that is
 * there already is not added again. */
void columns_names_add(struct column_names *list, const char *name, const char *sample);

/* The text of a list whose names are all added, with the number of names that were left out. */
const char *columns_names_text(struct column_names *list);

/* After columns_select: says which columns are left alone and why, in one note for each kind of reason; in
 * which unit times are read that do not say it; and where --rate and the rate of the header differ. */
void columns_note(const struct columns *t, const struct column_choice *choice, struct messages *messages,
                  const char *file);

/* Says which derivatives of an earlier run are there, and whether they are written anew. */
void columns_note_derivatives(const struct columns *t, bool written, struct messages *messages,
                              const char *file);

/* The role of column i and the reason for it, in words: "channel: a number in the first row". */
void columns_describe_role(const struct columns *t, size_t i, char *buf, size_t maxbuf);

/* The time column, which is there, its unit, and why it has this unit, in words. */
void columns_describe_time(const struct columns *t, char *buf, size_t maxbuf);

/* False and *e if --resample cannot print new times in the time column. */
bool columns_resamplable(const struct columns *t, struct error *e);

/* The errors of an input without a time column, where no rate is given either, and of a time that is less
 * than the time before it; group: the key of the rows' group, escaped, or "" without --group-by. The caller
 * adds the place. They return false. */
bool columns_untimed(const struct columns *t, struct error *e);
bool columns_backward(const struct columns *t, const struct timestamp *before, const struct timestamp *now,
                      const char *group, struct error *e);

/* The column of that name or position ("3", "=3", quoted), as --time takes it; COLUMN_NONE and
 * *e if none. option is the option's name in messages, "--time". */
size_t columns_find(const struct columns *t, const char *spec, const char *option, struct error *e);

/* Sets column[0 … *n-1] to the columns of a list of names and positions; column has room for ncolumn. A list
 * that is the name of one column, commas included, is that column. A column that is named twice is an error.
 */
bool columns_find_list(const struct columns *t, const char *list, const char *option, size_t *column,
                       size_t *n, struct error *e);

/* Adds to pick[column] for every column of a LIST as --columns takes it: names, globs, positions, ranges.
 * pick holds ncolumn entries of enum column_pick. Roles do not matter. */
enum column_pick { PICK_NONE, PICK_PATTERN = 1, PICK_EXPLICIT = 3 };
bool columns_pick_list(const struct columns *t, const char *list, const char *option, unsigned char *pick,
                       struct error *e);

/* Sets named[c] for each channel c of a LIST, not for others. One that names no channel is an error. */
bool columns_pick_channels(const struct columns *t, const char *list, const char *option, bool *named,
                           struct error *e);

/* Columns that are one rotation: a quaternion, or three Euler angles. */
struct column_rotation {
    size_t column[4];      /* of w, x, y, z; of angles COLUMN_NONE, then three by euler_index of the order */
    unsigned char axis[3]; /* of angles: the order of the product, 0, 1, 2: x, y, z (struct euler) */
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

/* The unit at the end of a name, such as (ms), [h], _us or the Ms of timeMs, as of --time-unit;
 * TIME_UNIT_NONE where there is none. */
int columns_unit_in_name(const char *name);

/* The column of channel c, which is there. */
static inline const struct column *columns_channel(const struct columns *t, size_t c)
{
    return &t->column[t->channel[c]];
}

void columns_free(struct columns *t);

/* --- between the files of this folder --- */

/* Adds the hint "columns: time, x and 7 more", after "did you mean …?" where word, or NULL, is near one. */
bool columns_hint(const struct columns *t, const char *word, struct error *e);

/* A column by its name, exactly; *column is COLUMN_NONE where there is none. False: the name stands for
 * several. */
bool columns_by_name(const struct columns *t, const char *name, const char *option, size_t *column,
                     struct error *e);

/* The last of the header lines that were joined to the name of column i; the cell above the name where the name
 * is empty. */
const char *columns_last_line(const struct columns *t, size_t i);

/* The reason to leave column i alone although it can be a channel, or REASON_NONE. */
enum role_reason columns_why_alone(const struct columns *t, size_t i);

/* The unit of a column of times as of --time-unit, and the reason. given: by the user, or TIME_UNIT_NONE. */
int columns_choose_unit(const struct column *c, int given, enum unit_reason *reason);

/* The struct of a unit as of --time-unit, but not of frames. */
struct time_unit columns_time_unit(int unit);

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
