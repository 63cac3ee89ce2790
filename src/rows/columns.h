/* The columns of an input: what the head and the first rows say of each. Readers add and fill them; what the
 * options make of them is a plan (rows/plan.h). */
#ifndef SPRUNG_ROWS_COLUMNS_H
#define SPRUNG_ROWS_COLUMNS_H

#include "base/messages.h"
#include "base/name_table.h"
#include "base/param.h"
#include "base/require.h"
#include "number/timestamp.h"

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
    size_t position; /* place in the input, from 1, as lists and messages count */
    char *above;     /* owned; the cell in the header line above the names; NULL: the names stand in the first
                        line */
    int unit;        /* the unit of time in the header line below the names, as --time-unit numbers units;
                        TIME_UNIT_NONE: no unit */
    enum cell_kind first;     /* kind of the cell in the first data row */
    double number;            /* the number in the first data row; NaN: no number, or not read */
    char *text;               /* owned; the text in the first data row, cut; NULL: the cell is not a text */
    enum timestamp_form form; /* form of the text in the first data row, if the text is a time */
    bool unsure;              /* form TIMESTAMP_MONTH_FIRST: the date can also have the day first */
    int decimals;    /* of the number in the first data row; -1: no number, or a number with an exponent */
    bool frame;      /* the cells hold the number of the row, from 1 */
    bool unlabelled; /* a marker without a name: the next row may hold another marker here */
    double period;   /* full turn of an angle, where the format names angles; else 0 */
    size_t joint;    /* number of the joint whose rotation the column is a part of, from 1; 0: no joint */
    size_t axis; /* 1, 2, 3: an angle about x, y, z, or a component x, y, z of a quaternion; 4: the component
                    w; 0: the format names no axis */
    size_t turn; /* place of an angle in the product of three rotations, from 1; 0: columns are in the order
                    of  the product */
    size_t vector; /* number of the vector, such as a position, whose component the column is, from 1; 0: the
                      format names no vector. The components are side by side */
};

/* What the reader found in the head and in the first rows; constant from then on. A plan (rows/plan.h) is
 * what the options make of it. */
struct columns {
    struct column *column; /* [ncolumn] owned; in the order of the input */
    size_t ncolumn;        /* number of columns; 0: an empty array of JSON */
    double rate; /* rows per second by the header, where the format counts times by it; 0: it does not, or
                    with `even` the header has no rate of use */
    double stated_rate; /* rows per second by the header, where it is only a remark; 0: no such rate, or a
                           rate  of no use. See columns_stated_rate. */
    bool counted;       /* the format counts the times of rows; else the time is a column of numbers */
    bool owns_time;     /* column 0 is the time and never a channel, as the format makes its numbers */
    bool even; /* the times that the format makes are those of `rate`: rows are filtered by the rate */
    bool radians;        /* the file has angles in radians */
    bool named;        /* names come from the input, not from positions */
    bool remarked;     /* names come from a remark, a line that begins with #, as those of trajectories */
    bool doubtful;     /* the first row has text and was taken for data: the row may hold the names */
    bool stacked;      /* names come from several header lines: derivatives are off by default */
    bool other_lines;  /* the header has further lines, which give no names */
    char delimiter;    /* between the cells of a line; ' ': blanks; 0: a row is not a line of cells */
    size_t maxcolumn;        /* room in the array of columns */
    struct name_table names; /* owned; indices of the columns by their names, but empty ones */
    bool borrowed;           /* the texts of the columns are owned by others: see columns_of_table */
};

/* The column with an index, which must be that of a column: COLUMN_NONE ends the program. */
static inline const struct column *columns_at(const struct columns *columns, size_t index)
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

/* Makes *table the columns of one table of an input of several tables: column 0, if the format owns the
 * times, and columns first to end - 1. The positions stay those in the input. *table is zeroes or an earlier
 * table; columns_free follows, also on error, before that of the input's columns, which own the texts. */
bool columns_of_table(struct columns *table, const struct columns *input, size_t first, size_t end,
                      struct error *e);

/* The column that is column i of the input's columns; COLUMN_NONE: the table has no such column. i may be
 * COLUMN_NONE. */
size_t columns_here(const struct columns *table, size_t i);

/* Appends a column with a copy of nname bytes as the name; a repeated name gets _2, _3, …, but several
 * columns may have empty names. A struct columns of zeroes is empty. */
bool columns_add(struct columns *columns, const char *name, size_t nname, struct error *e);

/* Takes the text of the column in the first row: the form of a date, and the beginning, for messages. */
bool columns_set_text(struct column *column, const char *text, size_t ntext, struct error *e);

/* The first column with a usual name of a time; the first column with a name of frame numbers. COLUMN_NONE:
 * no column has such a name. */
size_t columns_usual_time(const struct columns *columns);
size_t columns_frame_counter(const struct columns *columns);

/* True if the column has a name of frame numbers, or a name of a count of rows and a whole number in the
 * first row. */
bool columns_counts_rows(const struct column *column);

/* True for a name of frame numbers. */
bool columns_means_frame(const char *name, size_t nname);

/* What the name of a column says about angles. */
enum angle_name {
    NO_ANGLE,       /* a word of another kind of number, or a component of a vector that the format states */
    UNLIKELY_ANGLE, /* the letter of an axis at the end: a coordinate as a rule */
    POSSIBLE_ANGLE  /* a word of rotations, or a name that says nothing */
};

enum angle_name columns_angle_name(const struct columns *columns, size_t i);

/* True if four columns can be the components of a quaternion by their names. *named: the names differ only in
 * the last letters, and these letters are w (or s), x, y and z. */
bool columns_may_be_quaternion(const struct columns *columns, const size_t column[4], bool *named);

/* Sets letters to the last letters of four column names, from column `first` on, as --quaternions takes
 * letters: w, x, y, z; an s or S, as in "scalar", becomes w. A name with another ending gives ' '. */
void columns_component_letters(const struct columns *columns, size_t first, char letters[5]);

/* The word without quotes that --quaternions takes for four columns: the beginning of their names, or else
 * their numbers and columns_component_letters. */
enum { COLUMNS_QUATERNION = 120 };
void columns_quaternion_entry(const struct columns *columns, size_t first, char entry[COLUMNS_QUATERNION]);

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

/* The error that an input has neither a time column nor a rate; returns false. */
bool columns_untimed(const struct columns *columns, struct error *e);

/* The column at a position (3) or with a name (time, =3, "a, b"), as --time takes a column. COLUMN_NONE and
 * *e: no such column, or several columns have the name. option: the option's name in messages, such as
 * "--time". */
size_t columns_find(const struct columns *columns, const char *spec, const char *option, struct error *e);

/* Sets column[0 … *n-1] to the columns of a list of names and positions; column has room for ncolumn. A list
 * that is the name of one column, commas included, is that column. To name a column twice is an error. */
bool columns_find_list(const struct columns *columns, const char *list, const char *option, size_t *column,
                       size_t *n, struct error *e);

/* What options with a column or a LIST take for column i alone: the name; or the position, written into
 * `number`, where the name is long, repeats or is missing, or a list would read the name otherwise. */
enum { COLUMNS_NUMBER = 24 };
const char *columns_entry(const struct columns *columns, size_t i, char number[COLUMNS_NUMBER]);

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

/* The column COLUMN that belongs to a column of LIST. */
struct column_pair {
    bool paired;   /* a COLUMN belongs to the column */
    size_t teller; /* index of COLUMN */
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

/* Is the number of the first row a time since 1970, in the unit that the column's times would have? */
bool columns_holds_epoch(const struct column *column);

/* The name of a unit in messages: s, ms, …, frames. */
const char *columns_unit_name(struct time_unit unit);

/* The unit of a column of times, as --time-unit numbers units, and the reason. given: the unit that the user
 * gave, or TIME_UNIT_NONE. */
int columns_choose_unit(const struct column *column, int given, enum unit_reason *reason);

/* The struct of a unit that --time-unit numbers, except TIME_UNIT_FRAMES. */
struct time_unit columns_time_unit(int unit);

/* The unit that a whole text names, in brackets or without; TIME_UNIT_NONE: the text names no unit of time.
 */
int columns_unit_of_text(const char *text, size_t ntext);

/* The rows per second that the header states in any way; 0: it does not. */
double columns_stated_rate(const struct columns *columns);

void columns_free(struct columns *columns);

/* --- between the files of this folder --- */

/* Adds a hint with the names of columns, "columns: time, x and 7 more". Returns false. */
bool columns_hint(const struct columns *columns, struct error *e);

/* Sets *column to the column with exactly this name, or COLUMN_NONE. False: several columns have the name. */
bool columns_by_name(const struct columns *columns, const char *name, const char *option, size_t *column,
                     struct error *e);

/* The part of column i's name from the last header line, where several lines are joined to names; the cell
 * above an empty name. */
const char *columns_last_line(const struct columns *columns, size_t i);

/* What a name of a column can mean; column_names.c has the words. */
enum name_meaning {
    NAME_TIME,
    NAME_CLOCK,   /* a time that is not the time column */
    NAME_FRAMES,  /* frame numbers */
    NAME_COUNT,   /* a count of rows, if the number is whole */
    NAME_MARK,    /* a flag, a state or an id, if the number is whole */
    NAME_QUALITY, /* how sure a marker is */
    NAME_ERROR    /* how far markers are from where they should be: less is better */
};

/* True if the name has the meaning. A name can have several. */
bool columns_name_means(const char *name, size_t nname, enum name_meaning meaning);

/* The column that looks most like a time by its name; COLUMN_NONE: none does. */
size_t columns_resembles_time(const struct columns *columns);

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
