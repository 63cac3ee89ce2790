/* The columns of an input: names in order, and the role of each. Readers add names; columns_select gives
 * roles by the user's options, in the same way for every format. Invariant: channels are numbered in the
 * order of the input. */
#ifndef SPRUNG_ROWS_COLUMNS_H
#define SPRUNG_ROWS_COLUMNS_H

#include "base/messages.h"
#include "base/param.h"
#include "base/require.h"
#include "number/timestamp.h"

enum role {
    ROLE_PASS,
    ROLE_CHANNEL,
    ROLE_TIME,
    ROLE_GROUP,
    ROLE_CUT,
    ROLE_READ,  /* passes through; its numbers are read for channels: by --mask, --goal-velocity-from, an
                   option's  value @COLUMN, or a later filter of --then */
    ROLE_ABSENT /* a column of another table than the rows: see columns.partial */
};

/* Why a column has its role. columns_describe_role says it in words. */
enum role_reason {
    REASON_NONE, /* columns_select was not called */
    /* of a channel */
    REASON_NUMBER,  /* the first row holds a number */
    REASON_MISSING, /* the first row holds a missing value, and the column has a name */
    REASON_CHOSEN,  /* --columns names the column */
    /* of a column that an option names, and of the time */
    REASON_PARAMETER, /* a filter's option has its values from the column, as @COLUMN */
    REASON_OPTION,    /* --group-by, --cut-column, --time, --mask or --goal-velocity-from */
    REASON_NAME,      /* a usual name of a time, or of frame numbers with --time-unit frames */
    REASON_FORMAT,    /* the format makes the times or counts the rows, or the column is of another table */
    REASON_RATE,      /* a column of times, while the option --rate numbers the rows */
    /* of a column that passes through */
    REASON_TEXT,       /* the first row holds text */
    REASON_NAMELESS,   /* both the header and the first row are empty */
    REASON_NOT_CHOSEN, /* --columns names other columns */
    REASON_EXCLUDED,   /* --exclude names the column */
    /* of a column that passes through although it holds numbers, unless --columns names it. The order counts:
     * column_passes_numbers takes the reasons from REASON_COUNTER on. */
    REASON_COUNTER,    /* a count of rows */
    REASON_MARK,       /* a mark or the number of a thing: a flag, a state, an id */
    REASON_QUALITY,    /* how sure or exact a marker is */
    REASON_UNLABELLED, /* a marker without a name */
    REASON_CLOCK,      /* times of another clock */
    REASON_DERIVATIVE  /* a derivative or a prediction that an earlier run added */
};

/* Why the times have their unit. */
enum unit_reason {
    UNIT_ASSUMED, /* seconds, as nothing says another unit */
    UNIT_OPTION,  /* --time-unit */
    UNIT_NAME,    /* the name of the column ends in the unit */
    UNIT_LINE,    /* the header line below the names holds the unit */
    UNIT_EPOCH,   /* the first time lies between the years 2000 and 2100 in no other unit */
    UNIT_TEXT     /* dates or times of day are seconds */
};

enum cell_kind { CELL_TEXT, CELL_NUMBER, CELL_GAP };

#define COLUMN_NONE SIZE_MAX

struct column {
    char *name;     /* owned; unique: a repeated name got _2, _3, … ; "" where the header cell is empty */
    char *original; /* the name as the input spells it; the same pointer as name unless the name was repeated;
                       owned */
    size_t tried;   /* numbers tried so far after this name, to make repeated names unique; 0: not repeated */
    char *above;    /* owned; the cell in the header line above the names; NULL: the names stand in the first
                       line */
    int unit;       /* the unit of time in the header line below the names, as --time-unit numbers units;
                       TIME_UNIT_NONE: no unit */
    enum cell_kind first;     /* kind of the cell in the first data row */
    double number;            /* the number in the first data row; NaN: no number, or not read */
    char *text;               /* owned; the text in the first data row, cut; NULL: the cell is not a text */
    enum timestamp_form form; /* form of the text in the first data row, if the text is a time */
    bool unsure;              /* form TIMESTAMP_MONTH_FIRST: no date so far shows whether the day is first */
    /* Spelling of the number in the first data row; decimals -1: no number, or a number with an exponent. */
    struct number_spelling spelling;
    enum role role;
    enum role_reason reason; /* why the column has the role */
    bool frame;              /* the cells hold the number of the row, from 1 */
    bool unlabelled;         /* a marker without a name: the next row may hold another marker here */
    size_t source;           /* REASON_DERIVATIVE: the column that was derived; else COLUMN_NONE */
    double period;           /* full turn of an angle, where the format names angles; else 0 */
    bool keeps_turns;        /* with period: the output has the turns of the input's angles, as with --wrap */
    size_t joint; /* number of the joint whose rotation the column is a part of, from 1; 0: no joint */
    size_t axis;  /* 1, 2, 3: an angle about x, y, z, or a component x, y, z of a quaternion; 4: the component
                     w; 0: the format names no axis */
    size_t turn;  /* place of an angle in the product of three rotations, from 1; 0: columns are in the order
                     of  the product */
    size_t vector; /* number of the vector, such as a position, whose component the column is, from 1; 0: the
                      format names no vector. The components are side by side */
    size_t cell;   /* index among the recorded cells of a row; COLUMN_NONE: no cells are recorded */
    size_t value;  /* index among the columns of numbers, in the order channels, cuts, others; COLUMN_NONE: no
                      numbers are read */
    size_t velocity; /* the column with the measured velocity of this channel; COLUMN_NONE: not measured */
};

/* --mask: a channel is missing in rows where the number in a column lies on one side of a limit.
 * --goal-velocity-from uses only column, teller, text, nlist and named. */
struct column_mask {
    size_t column; /* the channel */
    size_t teller; /* the column whose number is compared with the limit; may be the channel itself */
    bool above;    /* missing where the number is greater than the limit; false: where the number is less */
    bool equal;    /* also missing where the number equals the limit */
    double limit;
    const char *text; /* the argument of the option; not owned */
    size_t nlist;     /* bytes of LIST:COLUMN at the beginning of text */
    bool named;       /* LIST names the channel, not by a pattern */
};

struct columns {
    struct column *column;
    size_t ncolumn;
    size_t nchannel;              /* columns with ROLE_CHANNEL; set by columns_select, as the next two */
    size_t nvalue;                /* columns whose numbers are read: column.value is below nvalue */
    size_t ncell;                 /* columns whose cells are recorded: column.cell is below ncell */
    size_t time;                  /* column with ROLE_TIME, or COLUMN_NONE */
    size_t cut;                   /* column with ROLE_CUT, or COLUMN_NONE */
    size_t *group;                /* [ngroup] owned; columns of --group-by in the order of the option */
    size_t ngroup;                /* 0: all rows are one series */
    struct time_unit unit;        /* of the time column */
    enum unit_reason unit_reason; /* why the times have this unit */
    enum timestamp_form form;     /* of the cells of the time column */
    size_t unused_time;           /* with --rate: the column that would have been the time, or COLUMN_NONE */
    double rate; /* rows per second by --rate, else by the header; 0: not given; NaN: a rate of no use */
    char length_unit[8]; /* of positions, by the input, such as mm; "": the input does not say */
    double stated_rate;  /* rows per second by the header; 0: no rate, or a rate of no use */
    bool counted;        /* the format counts the times of rows; else the time is a column of numbers */
    bool owns_time;      /* column 0 is the time and never a channel, as the format makes its numbers */
    const double
        *cue; /* [ncue] rows of the cut marks that the input holds, in any order; owned by the reader */
    size_t ncue;
    bool measured;            /* a channel has a measured velocity: column.velocity */
    struct column_mask *mask; /* [nmask] owned */
    size_t nmask;
    size_t maxmask;   /* room in the array of masks */
    bool named;       /* names come from the input, not from positions */
    bool remarked;    /* names come from a remark, a line that begins with #, as those of trajectories */
    bool doubtful;    /* the first row has text and was taken for data: the row may hold the names */
    bool stacked;     /* names come from several header lines: derivatives are off by default */
    bool other_lines; /* the header has further lines, which give no names */
    bool partial;   /* the rows belong to one of several tables: the columns of other tables are ROLE_ABSENT,
                       and a list of columns may name absent columns */
    char delimiter; /* between the cells of a line; ' ': blanks; 0: a row is not a line of cells */
    size_t table_first; /* first column of the table besides column 0 */
    size_t table_end; /* column after the last column of the table; 0: columns of the table may be anywhere */
    bool seeks_time; /* neither --time nor --rate is given: an error proposes a column, where no name is known
                      */
    double *early;   /* [nearly * ncolumn] owned; numbers of the first rows that columns_want_row asks for */
    size_t nearly, maxearly; /* first rows in `early`; room in numbers */
    size_t *channel;         /* [nchannel] owned; the column of each channel */
    size_t maxcolumn;        /* room in the array of columns */
    size_t *slot;            /* [maxslot] owned; hash table of names, for columns.c */
    size_t maxslot;
};

/* The column with an index, which must be that of a column: COLUMN_NONE ends the program. */
static inline struct column *columns_at(const struct columns *columns, size_t index)
{
    REQUIRE(index < columns->ncolumn);
    return &columns->column[index];
}

/* Units of --time-unit, in the order of its choices. The first four are powers of 1000. */
enum {
    TIME_UNIT_S,
    TIME_UNIT_MS,
    TIME_UNIT_US,
    TIME_UNIT_NS,
    TIME_UNIT_MIN,
    TIME_UNIT_H,
    TIME_UNIT_FRAMES,
    TIME_UNIT_NONE = -1 /* no unit is given */
};

/* Options about columns, as the user typed the texts; a text that is NULL was not given. */
struct column_choice {
    const char *time, *columns, *exclude, *cut;
    const char *group;       /* a list of columns */
    struct texts velocities; /* --goal-velocity-from: each LIST:COLUMN */
    struct texts masks;      /* --mask: each LIST:COLUMN<X */
    struct texts parameters; /* of options with @COLUMN: each COLUMN */
    int time_unit;           /* TIME_UNIT_S to TIME_UNIT_FRAMES; TIME_UNIT_NONE: not given */
    double rate;    /* --rate; 0, NaN: not given. With a rate, times in a column are copied and not read, but
                       frame    numbers are read */
    bool all_cells; /* record the spans of all cells (conversions, diff) */
    bool old_derivatives; /* plot: derivatives that an earlier run added are channels, too */
    bool compare;         /* diff: every column whose first cell is not text holds numbers, the time too */
};

/* Appends a column with a copy of nname bytes as the name; a repeated name gets _2, _3, …, but several
 * columns may have empty names. A struct columns of zeroes is empty. */
bool columns_add(struct columns *columns, const char *name, size_t nname, struct error *e);

/* Keeps the text of the column in the first row, cut, for messages. */
bool columns_set_text(struct column *column, const char *text, size_t ntext, struct error *e);

/* Gives roles, cells and values: cells are numbered over the columns whose bytes are used (every role but
 * PASS; all with all_cells), values over channels, then the cut column, then columns that are read. Errors
 * name the column, list the columns and suggest the nearest name. May be called again with another choice. */
bool columns_select(struct columns *columns, const struct column_choice *choice, struct error *e);

/* From now on rows belong to one of several tables, whose columns are [first, end) and the times, column 0,
 * if the tables have times. Other columns become ROLE_ABSENT, without cell and value. The cost grows with the
 * columns of this table and of the table before, not with all columns. */
void columns_choose_table(struct columns *columns, size_t first, size_t end);

/* The next column after column i that the table may have; ncolumn or more: column i was the last. */
static inline size_t columns_after(const struct columns *columns, size_t i)
{
    size_t next = i + 1;
    if (columns->table_end == 0 || (next >= columns->table_first && next < columns->table_end))
        return next;
    return next < columns->table_first ? columns->table_first : columns->ncolumn;
}

/* The first column with a usual name of a time; the first column with a name of frame numbers. COLUMN_NONE:
 * no column has such a name. */
size_t columns_usual_time(const struct columns *columns);
size_t columns_frame_counter(const struct columns *columns);

/* True if the column has a name of frame numbers, or a name of a count of rows and a whole number in the
 * first row. */
bool columns_counts_rows(const struct column *column);

/* True for a name of frame numbers. */
bool columns_means_frame(const char *name, size_t nname);

/* True if column i can hold angles by the name: the name has a word of rotations, or has neither a word of
 * another kind of number nor the letter of an axis at the end. */
bool columns_may_be_angle(const struct columns *columns, size_t i);

/* True if four columns can be the components of a quaternion by their names. *named: the names differ only in
 * the last letters, and these letters are w (or s), x, y and z. */
bool columns_may_be_quaternion(const struct columns *columns, const size_t column[4], bool *named);

/* True if column i holds the times of a clock that is not the time column, by the name and the numbers in the
 * first rows. */
bool columns_is_other_clock(const struct columns *columns, size_t i);

/* True for a column of numbers that passes through unless --columns names it. */
static inline bool column_passes_numbers(const struct column *column)
{
    return column->role == ROLE_PASS && column->reason >= REASON_COUNTER;
}

/* Names of columns for one message. Zero-initialize. */
struct column_names {
    char text[240];  /* the names, in quotes, with commas between them */
    size_t n;        /* names in the text */
    size_t left_out; /* names that do not fit into the text */
};

/* Adds a name and a sample, the text in the first row (NULL: no sample), unless the list has the name. */
void columns_names_add(struct column_names *list, const char *name, const char *sample);

/* The text of a complete list, with the number of names that were left out. */
const char *columns_names_text(struct column_names *list);

/* After columns_select: notes which columns of numbers are left alone and why; columns of text; the unit of
 * the times, where only their size shows it; a difference between --rate and the rate of the header. */
void columns_note(const struct columns *columns, const struct column_choice *choice,
                  struct messages *messages, const char *file);

/* Notes the columns with derivatives of an earlier run. written: the derivatives are written anew. */
void columns_note_derivatives(const struct columns *columns, bool written, struct messages *messages,
                              const char *file);

/* The role of column i and the reason for it, in words: "channel: a number in the first row". */
void columns_describe_role(const struct columns *columns, size_t i, char *buf, size_t maxbuf);

/* The time column, the unit of the times and the reason for the unit, in words. The input must have a time
 * column. */
void columns_describe_time(const struct columns *columns, char *buf, size_t maxbuf);

/* False and *e if --resample cannot print new times in the time column. */
bool columns_resamplable(const struct columns *columns, struct error *e);

/* The error that an input has neither a time column nor a rate; returns false. */
bool columns_untimed(const struct columns *columns, struct error *e);

/* The error that a time, `now`, is less than the time of the row before; returns false. group: the key of the
 * rows' group, escaped, or "" without --group-by. The caller adds the line. */
bool columns_backward(const struct columns *columns, const struct timestamp *before,
                      const struct timestamp *now, const char *group, struct error *e);

/* The column at a position (3) or with a name (time, =3, "a, b"), as --time takes a column. COLUMN_NONE and
 * *e: no such column, or several columns have the name. option: the option's name in messages, such as
 * "--time". */
size_t columns_find(const struct columns *columns, const char *spec, const char *option, struct error *e);

/* Sets column[0 … *n-1] to the columns of a list of names and positions; column has room for ncolumn. A list
 * that is the name of one column, commas included, is that column. To name a column twice is an error. */
bool columns_find_list(const struct columns *columns, const char *list, const char *option, size_t *column,
                       size_t *n, struct error *e);

/* How a LIST names a column; bits, so that PICK_EXPLICIT contains PICK_PATTERN. */
enum column_pick {
    PICK_NONE,         /* the list does not name the column */
    PICK_PATTERN = 1,  /* a glob or an open range, such as 7-, matches the column */
    PICK_EXPLICIT = 3, /* a name, a position or a range with an end names the column */
};

/* Adds to pick[i], of enum column_pick, for every column i of a LIST as --columns takes it: names, globs,
 * positions, ranges. pick has ncolumn entries. Roles do not matter. */
bool columns_pick_list(const struct columns *columns, const char *list, const char *option,
                       unsigned char *pick, struct error *e);

/* Sets named[c] for each channel c of a LIST; other entries stay. A LIST without a channel is an error. */
bool columns_pick_channels(const struct columns *columns, const char *list, const char *option, bool *named,
                           struct error *e);

/* The column COLUMN that belongs to a column of LIST. */
struct column_pair {
    size_t teller; /* index of COLUMN; COLUMN_NONE: no COLUMN belongs to the column */
    bool named;    /* LIST names the column, not by a pattern */
};

/* Sets pair[i] for each column i in LIST of a text LIST:COLUMN; other entries of pair, which has ncolumn
 * entries, stay. Without a * in COLUMN, LIST is a list as --columns takes, and COLUMN belongs to all
 * columns of LIST. With a *, each entry of LIST must have a *, too; both stand for the same text, and a
 * column of LIST counts where COLUMN with this text exists. COLUMN may belong to itself only if self is true;
 * without a * LIST must then name COLUMN, not by a glob. Names may have colons: LIST ends at the first colon
 * where both sides name columns. Roles do not matter. */
bool columns_pair(const struct columns *columns, const char *text, const char *option, bool self,
                  struct column_pair *pair, struct error *e);

/* Reads a text LIST:COLUMN<X of --mask into *mask, except the members column, teller and named. Any other
 * text is a usage error. */
bool columns_mask_read(const char *text, struct column_mask *mask, struct error *e);

/* Is the channel missing where the column of the mask holds x? Also true where x is NaN, a missing value. */
static inline bool columns_masks(const struct column_mask *mask, double x)
{
    return !(mask->above ? x < mask->limit : x > mask->limit) && (mask->equal || x != mask->limit);
}

/* --- the first rows --- */

/* True if the next row can still change a decision about roles. Readers that know the first row, the names
 * and the kinds then add the next row, before columns_select. */
bool columns_want_row(const struct columns *columns);

/* Takes a further date, a text of n bytes, of a column whose dates may have the month or the day first. */
void columns_learn_date(struct column *column, const char *text, size_t n);

/* Appends the numbers of the next row: [ncolumn], NaN for a cell without a number, seconds for a date. */
bool columns_add_row(struct columns *columns, const double *number, struct error *e);

/* The column with exactly this unique name, or COLUMN_NONE. Takes constant time. */
size_t columns_lookup(const struct columns *columns, const char *name);

/* True for a usual name of a time column, in any letter case, with or without a unit at the end. */
bool columns_means_time(const char *name, size_t nname);

/* The unit at the end of a name, such as (ms), [h], _us or the Ms of timeMs, or the whole name, as
 * --time-unit numbers units; TIME_UNIT_NONE: no unit. */
int columns_unit_in_name(const char *name);

/* The unit (s, ms, us or ns) that makes a number a time between the years 2000 and 2100, counted from 1970;
 * at most one unit fits. TIME_UNIT_NONE: no unit fits. */
int columns_unit_of_epoch(double number);

/* The name of a unit in messages: s, ms, …, frames. */
const char *columns_unit_name(struct time_unit unit);

/* The unit of a column of times, as --time-unit numbers units, and the reason. given: the unit that the user
 * gave, or TIME_UNIT_NONE. */
int columns_choose_unit(const struct column *column, int given, enum unit_reason *reason);

/* The struct of a unit that --time-unit numbers, except TIME_UNIT_FRAMES. */
struct time_unit columns_time_unit(int unit);

/* Sets columns->length_unit to the unit of length that n bytes name, such as mm or Meters; other texts change
 * nothing. */
void columns_set_length_unit(struct columns *columns, const char *text, size_t n);

/* The unit that a whole text names, in brackets or without; TIME_UNIT_NONE: the text names no unit of time.
 */
int columns_unit_of_text(const char *text, size_t ntext);

/* The column of channel c; c < nchannel. */
static inline const struct column *columns_channel(const struct columns *columns, size_t c)
{
    return &columns->column[columns->channel[c]];
}

void columns_free(struct columns *columns);

/* --- between the files of this folder --- */

/* Adds a hint with the names of columns, "columns: time, x and 7 more", after "did you mean …?" if a name is
 * near the word; word NULL: no word. Returns false. */
bool columns_hint(const struct columns *columns, const char *word, struct error *e);

/* Sets *column to the column with exactly this name, or COLUMN_NONE. False: several columns have the name. */
bool columns_by_name(const struct columns *columns, const char *name, const char *option, size_t *column,
                     struct error *e);

/* The part of column i's name from the last header line, where several lines are joined to names; the cell
 * above an empty name. */
const char *columns_last_line(const struct columns *columns, size_t i);

/* What a name of a column can mean; column_names.c has the words. */
enum name_meaning {
    NAME_TIME,
    NAME_CLOCK,  /* a time that is not the time column */
    NAME_FRAMES, /* frame numbers */
    NAME_COUNT,  /* a count of rows, if the number is whole */
    NAME_MARK,   /* a flag, a state or an id, if the number is whole */
    NAME_QUALITY /* how sure or exact a marker is */
};

/* True if the name has the meaning. A name can have several. */
bool columns_name_means(const char *name, size_t nname, enum name_meaning meaning);

/* True if names are missing and the first column begins with times since 1970 that rise. */
bool columns_begins_with_epoch(const struct columns *columns);

/* The column that looks most like a time by its name or its dates; COLUMN_NONE: none does. forward: only a
 * column that columns_goes_forward. */
size_t columns_resembles_time(const struct columns *columns, bool forward);

/* True if column i never falls in the first rows, and rises from the first of them to the last. */
bool columns_goes_forward(const struct columns *columns, size_t i);

/* True if the numbers of column i rise as the times do in the first rows, in any unit. */
bool columns_rises_as_time(const struct columns *columns, size_t i);

/* The column that a column with this name is a derivative or prediction of, by the names that filters give;
 * COLUMN_NONE: the name is not of this kind. */
size_t columns_find_source(const struct columns *columns, const char *name);

/* The first of the columns at the end of the row that can all be added by their names; 0 where rows are not
 * lines of cells. */
size_t columns_first_added(const struct columns *columns);

/* Do the first rows show that column i is the derivative of column `source` that a filter wrote, or that it
 * is not? Roles, the time and its unit must be known. rate: of --rate, or 0. */
enum derived { NOT_DERIVED, MAY_BE_DERIVED, DERIVED };
enum derived columns_was_derived(const struct columns *columns, size_t i, size_t source, double rate);

/* The reason to leave column i alone although it can be a channel, or REASON_NONE. */
enum role_reason columns_why_alone(const struct columns *columns, size_t i);

/* Adds the pairs of the options in texts to columns->mask: masks true: of --mask; false: of
 * --goal-velocity-from. Sets drop for each condition column, unless pick names the column: then the column is
 * not a channel. */
bool columns_find_masks(struct columns *columns, const struct texts *texts, bool masks,
                        const unsigned char *pick, unsigned char *drop, struct error *e);

/* Returns the first column of a range of positions, "3-6", and sets *last to the last column. A number above
 * the number of columns may be a name, such as a year. COLUMN_NONE and *e: no column is at a position. */
size_t columns_find_range(const struct columns *columns, const char *range, const char *option, size_t *last,
                          struct error *e);

/* One entry of a list. */
struct column_item {
    char *text;
    const char *rest; /* the following entries, as typed; NULL: this entry is the last */
    bool is_name; /* the entry is in quotes or after =: a name, even if it looks like a position or glob */
};

/* Takes an entry of a list. False and *e, which the closure holds: an error. */
typedef bool column_item_taker(void *closure, const struct column_item *item);

/* Calls take for each entry of a list, until take returns false. */
bool columns_each_item(const struct columns *columns, const char *list, const char *option,
                       column_item_taker *take, void *closure, struct error *e);

#endif
