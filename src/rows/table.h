/* The table of an input's columns. A reader adds the columns and fills in what the head and the first row
 * say; then table_plan completes them by the options. From then on the table is constant. Invariant: channels
 * are numbered in the order of the input. */
#ifndef SPRUNG_ROWS_TABLE_H
#define SPRUNG_ROWS_TABLE_H

#include "base/messages.h"
#include "base/name_table.h"
#include "base/param.h"
#include "base/require.h"
#include "number/timestamp.h"

#include <math.h>
#include <string.h>

enum cell_kind { CELL_TEXT, CELL_NUMBER, CELL_GAP };

/* ROLE_READ passes through, but --mask reads its numbers. */
enum role { ROLE_PASS, ROLE_CHANNEL, ROLE_TIME, ROLE_GROUP, ROLE_CUT, ROLE_READ };

/* Reasons for a role that other code asks for, by the pointer. */
extern const char why_number[], why_text[], why_counter[], why_mark[], why_quality[], why_option[];

#define COLUMN_NONE SIZE_MAX

enum { COLUMN_TEXT = 24 /* most bytes of column.text */ };

struct column {
    /* by the head and the first row */
    char *name;     /* owned; unique: a repeated name got _2, _3, … ; "" where the header cell is empty */
    char *original; /* owned; the name in the input; the same pointer as name unless the name was repeated */
    size_t tried;   /* numbers tried so far after this name, to make repeated names unique; 0: not repeated */
    size_t position;          /* place in the input, from 1, as lists and messages count */
    int unit;                 /* the unit of time below the name; TIME_UNIT_NONE: no unit */
    bool radians;             /* the unit in the name or below it is the radian */
    enum cell_kind first;     /* kind of the cell in the first data row */
    double number;            /* its number; NaN: no number, or not read */
    char *text;               /* owned; its text, cut; NULL: the cell is not a text */
    enum timestamp_form form; /* of the text, if it is a time */
    /* by the format */
    bool frame;      /* the cells hold the number of the row, from 1 */
    bool unlabelled; /* a marker without a name: the next row may hold another marker here */
    double period;   /* full turn of an angle; 0: the format does not name it an angle */
    size_t joint;    /* the joint whose rotation the column is a part of, from 1; 0: no joint */
    size_t axis;     /* 1, 2, 3: about x, y, z, or component x, y, z of a quaternion; 4: its w; 0: no axis */
    size_t turn;     /* place of an angle in the product of three rotations, from 1; 0: as the columns are */
    size_t vector;   /* the vector, such as a position, whose component the column is, from 1; 0: no vector.
                        The components are side by side */
    /* by the options */
    enum role role;
    const char *why; /* the reason for the role, in words */
    bool asked;      /* --columns names the column, not by a pattern */
    bool alone;      /* passes through although it holds numbers, unless --columns names it */
    bool masked;     /* --mask hides some of its numbers */
    size_t cell;     /* index among the recorded cells of a row; COLUMN_NONE: none are recorded */
    size_t value; /* index among the columns of numbers: channels, cuts, others; COLUMN_NONE: none are read */
};

/* --mask: a channel is missing in rows where the number in a column compares with a limit. */
struct column_mask {
    size_t column;            /* the channel */
    size_t judge;             /* COLUMN, whose number is compared with the limit; may be the channel itself */
    bool below, above, equal; /* the channel is missing where the number is below, above or at the limit */
    double limit;
};

struct table {
    struct column *column; /* [ncolumn] owned; in the order of the input; none: an empty array of JSON */
    size_t ncolumn, maxcolumn;
    struct name_table names; /* owned; indices of the columns by their names, but empty ones */
    bool is_part;            /* other columns are in other parts of the input, whose table owns the texts of
                                the columns; LISTs may name them */

    /* by the head and the first row */
    double rate;    /* rows per second by which the format counts times; 0: no rate of use. See row_rate */
    bool counted;   /* the format counts the times of rows; else the time is a column of numbers */
    bool owns_time; /* column 0 is the time and never a channel, as the format makes its numbers */
    bool even;      /* the times that the format makes are those of `rate`: rows are filtered by it */
    bool radians;   /* the file has angles in radians */
    bool named;     /* names come from the input, not from positions */
    bool stacked;   /* names come from several header lines: derivatives are off by default */

    /* by the options */
    size_t *channel; /* [nchannel] owned; the columns with ROLE_CHANNEL */
    size_t nchannel;
    size_t nvalue;                      /* columns whose numbers are read: column.value is below nvalue */
    size_t ncell;                       /* columns whose cells are recorded: column.cell is below ncell */
    const struct column_choice *choice; /* of table_plan; not owned */
    struct list_uses *uses; /* of several inputs: what their LISTs name; NULL: an entry must name something */
    size_t time;            /* the column of times; COLUMN_NONE: rows come at row_rate */
    size_t date;            /* the column of dates, if `time` has only times of day; else COLUMN_NONE */
    int unit;               /* of the time column, such as TIME_UNIT_MS */
    struct time_unit time_unit; /* the same */
    const char *unit_why;       /* why the times have this unit; NULL: nothing says another than seconds */
    enum timestamp_form form;   /* of the cells of the time column; without it, of numbers */
    double row_rate;            /* rows per second where rows have no times; 0: they have, or it is unknown */
    size_t unused_time;         /* the time without --rate and --time, if another is used, or COLUMN_NONE */
    size_t cut;                 /* the column of --cut-column, or COLUMN_NONE */
    size_t *group;              /* [ngroup] owned; columns of --group-by; none: a single series */
    size_t ngroup;
    struct column_mask *mask; /* [nmask] owned; of --mask */
    size_t nmask, maxmask;
};

/* The column with an index, which is not COLUMN_NONE. */
static inline const struct column *table_column(const struct table *table, size_t index)
{
    REQUIRE(index < table->ncolumn);
    return &table->column[index];
}

/* Units of --time-unit, in the order of its choices. The first four are powers of 1000. */
enum { TIME_UNIT_S, TIME_UNIT_MS, TIME_UNIT_US, TIME_UNIT_NS, TIME_UNIT_MIN, TIME_UNIT_H, TIME_UNIT_FRAMES };
enum { TIME_UNIT_NONE = -1 };
extern const char *const time_unit_names[]; /* ends with NULL */

/* Options about columns, as the user typed the texts; a text that is NULL was not given. */
struct column_choice {
    const char *time, *cut;                /* --time, --cut-column */
    const char *columns, *exclude, *group; /* LISTs */
    struct texts masks;                    /* --mask: each LIST:COLUMN<X */
    int time_unit;                         /* TIME_UNIT_NONE: not given */
    double rate;    /* --rate; 0, NaN: not given. Else a column of times is copied, one of frames is read */
    bool all_cells; /* record the spans of all cells (conversions, diff) */
    bool drawing;   /* plot: derivatives of channels are channels, too, and notes say "drawn" */
    struct list_uses *uses; /* of several inputs: see table.uses; NULL: a single input */
    bool compare;           /* diff: every column whose first cell is not text holds numbers, the time too */
};

/* Completes the table by the options, which must stay if parts follow. table_free follows, also on error. */
bool table_plan(struct table *table, const struct column_choice *choice, struct error *e);
void table_free(struct table *table);

/* Makes *part the table of one part of an input, whose table is complete: column 0, which is the time, and
 * columns first to end - 1, with their positions. *part is zeroes or an earlier part; table_free follows,
 * and the input's table stays until then. */
bool table_part(struct table *part, const struct table *input, size_t first, size_t end, struct error *e);

/* Is column i a channel? */
static inline bool table_filters(const struct table *table, size_t i)
{
    return table_column(table, i)->role == ROLE_CHANNEL;
}

/* The column of channel c; c < nchannel. */
static inline const struct column *table_channel(const struct table *table, size_t c)
{
    return &table->column[table->channel[c]];
}

/* Does column i alone hold the time? A time of day is joined with its date by format_parse. */
static inline bool table_is_time(const struct table *table, size_t i)
{
    return i == table->time && table->date == COLUMN_NONE;
}

/* Is the channel missing where the column of the mask holds x, which may be missing itself? */
static inline bool table_masks(const struct column_mask *mask, double x)
{
    return isnan(x) || (mask->below && x < mask->limit) || (mask->above && x > mask->limit) ||
           (mask->equal && x == mask->limit);
}

/* --- what the reader adds: table.c --- */

/* Appends a column with a copy of nname bytes as the name. A struct table of zeroes is empty. */
bool columns_add(struct table *table, const char *name, size_t nname, struct error *e);

/* Takes the text of the column in the first row: the form of a date, and the beginning, for messages. */
bool columns_set_text(struct column *column, const char *text, size_t ntext, struct error *e);

/* The column with exactly this unique name, or COLUMN_NONE. Takes constant time. */
size_t columns_lookup(const struct table *table, const char *name);

/* The column whose name differs from that of column i in the letter at this place alone, below the same cell;
 * or COLUMN_NONE. */
size_t columns_with_letter(const struct table *table, size_t i, size_t at, char letter);

/* --- messages: table_notes.c --- */

/* Notes columns that pass through: numbers that are left alone, with the reason; and text, with the first
 * text after each name. */
void table_note(const struct table *table, struct messages *messages, const char *file);

/* The time column of a table with times, and the unit of the times, in words. */
void table_describe_time(const struct table *table, char *buf, size_t maxbuf);

/* Can --resample print new times in the time column? */
bool table_resamplable(const struct table *table, struct error *e);

/* The error that a time is less than that of the row before. Returns false. */
bool table_backward(const struct table *table, const struct timestamp *before, const struct timestamp *now,
                    struct error *e);

/* Names of columns for one message. Zero-initialize. */
struct column_names {
    char text[800]; /* the first names, in quotes, with commas between them */
    size_t n;
};

/* Adds a name and a sample, the text in the first row (NULL: no sample). */
void columns_names_add(struct column_names *list, const char *name, const char *sample);

/* The text of a complete list, with the number of names that it leaves out. */
const char *columns_names_text(struct column_names *list);

/* --- what a user's words mean: column_lists.c --- */

/* The column at a position (3) or with a name (time, =3); COLUMN_NONE and *e: not one column. */
size_t columns_find(const struct table *table, const char *spec, const char *option, struct error *e);

/* What options with a column or a LIST take for column i alone: the name; or the position, written into
 * `number`, where the name is long, repeats or is missing, or a list would read the name otherwise. */
enum { COLUMNS_NUMBER = 24 };
const char *columns_entry(const struct table *table, size_t i, char number[COLUMNS_NUMBER]);

/* How a LIST names a column: by a glob or an open range, such as 7-; or by a name, a position or a range with
 * an end. Bits, so that PICK_EXPLICIT contains PICK_PATTERN. */
enum column_pick { PICK_NONE, PICK_PATTERN = 1, PICK_EXPLICIT = 3 };

/* One entry of a LIST. */
struct column_item {
    const char *option; /* the option's name, in messages; not owned */
    const char *typed;  /* the entry as the user typed it: typed[ntyped], in the list; not owned */
    size_t ntyped;
    char *text;   /* without quotes and blanks; owned by the list */
    bool is_name; /* the entry is in quotes or after =: a name, even if it looks like a position or glob */
};

struct column_list {
    struct column_item *at; /* [n] owned, with the texts */
    size_t n;
};

static inline bool column_item_is_glob(const struct column_item *item)
{
    return !item->is_name && strpbrk(item->text, "*?") != NULL;
}

/* Reads the entries of a LIST of nlist bytes. The caller frees items->at, also after an error. */
bool columns_read_list(const char *list, size_t nlist, const char *option, struct column_list *items,
                       struct error *e);

/* Adds to pick[i], of enum column_pick, for every column i that an entry names. *any: it names a column. */
bool columns_pick_item(const struct table *table, const struct column_item *item, unsigned char *pick,
                       bool *any, struct error *e);

/* May an entry of a LIST name nothing here, as another input or part may have its columns? */
static inline bool columns_may_miss(const struct table *table)
{
    return table->uses || table->is_part;
}

/* The error that an entry names no column. Where columns_may_miss holds, there is none: table->uses counts
 * the entry, if several inputs follow. */
bool columns_check_item(const struct table *table, const struct column_item *item, bool any, struct error *e);

/* Adds to pick[i] for every column i that a LIST names, as --columns takes it. */
bool columns_pick_list(const struct table *table, const char *list, const char *option, unsigned char *pick,
                       struct error *e);

/* In how many tables each entry of the LISTs names something. Zero-initialize, and free `at`. */
struct list_uses {
    struct list_use {
        struct column_item item; /* without the text */
        size_t some, none;       /* tables where it names something, or nothing */
    } * at;                      /* [n] owned */
    size_t n, max;
};

/* Notes whether the entry names something in one more table. False and *e: out of memory. */
bool list_uses_add(struct list_uses *uses, const struct column_item *item, bool any, struct error *e);

/* Is the text a position or a range: 3, 3-6, or 7-, up to the last column? Its columns are *first to *end -
 * 1; *first == *end: the table has none of them. */
bool columns_range(const struct table *table, const char *text, size_t *first, size_t *end);

/* Sets *column to the column with exactly this name, or COLUMN_NONE. False: several columns have the name. */
bool columns_by_name(const struct table *table, const char *name, const char *option, size_t *column,
                     struct error *e);

/* Adds a hint: the column that is near the word, which may be NULL, and the names. Returns false. */
bool columns_hint(const struct table *table, const char *word, struct error *e);

/* --- what names mean: column_names.c --- */

enum name_meaning {
    NAME_TIME,    /* a usual name of a time column */
    NAME_CLOCK,   /* a time that is not the time column */
    NAME_FRAMES,  /* frame numbers */
    NAME_COUNT,   /* a count of rows, if the number is whole */
    NAME_MARK,    /* a flag, a state or an id, if the number is whole */
    NAME_QUALITY, /* how sure a marker is */
    NAME_ERROR    /* how far markers are from where they should be: less is better */
};

/* Has a name the meaning, in any letter case, a time with or without a unit at the end? */
bool columns_name_means(const char *name, size_t nname, enum name_meaning meaning);

/* The unit at the end of a name, such as (ms), [h], _us or the Ms of timeMs, or of a whole text; or
 * TIME_UNIT_NONE. */
int columns_unit_in_name(const char *name);
int columns_unit_of_text(const char *text, size_t ntext);

/* Is the last word of a name, in brackets or without, the radian? */
bool columns_means_radians(const char *name, size_t n);

/* Can the column be an angle, by its name? Not a coordinate. */
bool columns_may_wrap(const struct column *column);

/* Makes channels that are named as derivatives of a channel pass through. */
void table_leave_derivatives(struct table *table);

/* --- times, counts, clocks: column_time.c --- */

/* Finds the time column, the unit of the times, and how their cells are read. */
bool table_find_time(struct table *table, struct error *e);

/* The first column with a usual name of a time; COLUMN_NONE: none. */
size_t columns_usual_time(const struct table *table);

/* Does column i hold the times of a clock that is not the time column, by its name and its first number? */
bool columns_is_clock(const struct table *table, size_t i);

/* Has column i a name of frame numbers, or of a count of rows and a whole number in the first row? */
bool columns_counts_rows(const struct table *table, size_t i);

/* Is the number of the first row a time since 1970, in the unit that the column's times would have? */
bool columns_holds_epoch(const struct column *column);

/* The unit of a column of times. given: by the user, or TIME_UNIT_NONE. *why: the reason, in words; NULL:
 * nothing says another unit than seconds. */
int columns_choose_unit(const struct column *column, int given, const char **why);

/* The struct of a unit that --time-unit numbers. rate: frames per second. */
struct time_unit columns_time_unit(int unit, double rate);

/* The part of column i's name from the last header line. */
const char *columns_last_line(const struct table *table, size_t i);

/* The error that an input has neither a time column nor a rate; returns false. */
bool columns_untimed(struct error *e);

/* --- between roles.c and masks.c --- */

/* The error that an option names a column of text (text true), or one that has a role. Returns false. */
bool table_refuse(const struct table *table, size_t i, const char *option, bool text, struct error *e);

/* Adds the masks of the channels, and has the numbers of the columns read that show where others are missing.
 */
bool table_find_masks(struct table *table, struct error *e);

#endif
