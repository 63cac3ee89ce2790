/* A plan: how a run uses the columns of an input, or of one of its tables, by its options: the role of each
 * column and the reason for it, the channels, the time and its unit, the groups, the masks. plan_make makes
 * it, in the same way for every format, and nothing changes it afterwards. Invariant: channels are numbered
 * in the order of the input. */
#ifndef SPRUNG_ROWS_PLAN_H
#define SPRUNG_ROWS_PLAN_H

#include "rows/columns.h"

enum role {
    ROLE_PASS,
    ROLE_CHANNEL,
    ROLE_TIME,
    ROLE_GROUP,
    ROLE_CUT,
    ROLE_READ /* passes through; its numbers are read for channels, by --mask */
};

/* Why a column has its role. plan_describe_reason says it in words. */
enum role_reason {
    REASON_NONE, /* none yet, while the plan is made */
    /* of a channel */
    REASON_NUMBER,  /* the first row holds a number */
    REASON_MISSING, /* the first row holds a missing value, and the column has a name */
    REASON_CHOSEN,  /* --columns names the column */
    /* of a column that an option names, and of the time */
    REASON_OPTION, /* --group-by, --cut-column, --time or --mask */
    REASON_NAME,   /* a usual name of a time, or of frame numbers with --time-unit frames */
    REASON_FORMAT, /* the format makes the times or counts the rows */
    REASON_RATE,   /* a column of times, while the option --rate numbers the rows */
    /* of a column that passes through */
    REASON_TEXT,       /* the first row holds text */
    REASON_NAMELESS,   /* both the header and the first row are empty */
    REASON_NOT_CHOSEN, /* --columns names other columns */
    REASON_EXCLUDED,   /* --exclude names the column */
    /* of a column that passes through although it holds numbers, unless --columns names it. The order counts:
     * plan_passes_numbers takes the reasons from REASON_COUNTER on. */
    REASON_COUNTER,    /* a count of rows */
    REASON_MARK,       /* a mark or the number of a thing: a flag, a state, an id */
    REASON_QUALITY,    /* how sure or exact a marker is */
    REASON_UNLABELLED, /* a marker without a name */
    REASON_CLOCK,      /* times of another clock */
    REASON_DERIVATIVE  /* a derivative of a channel, measured or of an earlier run */
};

/* The use of one column in a plan. */
struct column_use {
    enum role role;
    enum role_reason reason; /* why the column has the role */
    size_t cell;   /* index among the recorded cells of a row; COLUMN_NONE: no cells are recorded */
    size_t value;  /* index among the columns of numbers, in the order channels, cuts, others; COLUMN_NONE: no
                      numbers are read */
};

/* --mask: a channel is missing in rows where the number in a column lies on one side of a limit. */
struct column_mask {
    size_t column; /* the channel */
    size_t teller; /* COLUMN, whose number is compared with the limit; may be the channel itself */
    bool above;    /* missing where the number is greater than the limit; false: where the number is less */
    bool equal;    /* also missing where the number equals the limit */
    double limit;  /* X, the number beside the comparison */
    const char *text; /* the argument of the option; not owned */
    size_t nlist;     /* bytes of LIST:COLUMN at the beginning of text */
    bool named;       /* LIST names the channel, not by a pattern */
};

struct column_plan {
    const struct columns *columns; /* the reader's; not owned */
    const struct columns *input;   /* the columns whose names and positions a LIST has: the same, or those of
                                      all tables of the input; not owned */
    struct column_use *use;        /* [ncolumn] owned */
    size_t *channel;               /* [nchannel] owned; the column of each channel */
    size_t nchannel;               /* columns with ROLE_CHANNEL */
    size_t nvalue;                 /* columns whose numbers are read: column_use.value is below nvalue */
    size_t ncell;                  /* columns whose cells are recorded: column_use.cell is below ncell */
    size_t time;                   /* the column that holds the times; COLUMN_NONE: rows come at row_rate */
    struct time_unit unit;         /* of the time column */
    enum unit_reason unit_reason;  /* why the times have this unit */
    enum timestamp_form form;      /* of the cells of the time column; without it, of numbers */
    double rate; /* rows per second by which the format counts times: by --rate, else by the header; 0: the
                    format counts no times, or with columns.even the header has no rate of use */
    double row_rate;    /* rows per second where rows have no times: by --rate, else as `rate`; 0: rows have
                           times, or no rate is known */
    size_t unused_time; /* the column that would be the time without --rate; COLUMN_NONE: no such column */
    size_t cut;         /* the column of --cut-column; COLUMN_NONE: not given */
    size_t *group;      /* [ngroup] owned; columns of --group-by in the order of the option */
    size_t ngroup;      /* columns in `group`; 0: all rows belong to a single series */
    struct column_mask *mask; /* [nmask] owned; of --mask */
    size_t nmask, maxmask;    /* number of masks; room in the array */
    bool all_cells;           /* the cells of all columns are recorded */
};

/* Options about columns, as the user typed the texts; a text that is NULL was not given. */
struct column_choice {
    const char *time, *cut;        /* --time, --cut-column: each one column */
    const char *columns, *exclude; /* lists of columns */
    const char *group;             /* --group-by: a list of columns */
    struct texts masks;            /* --mask: each LIST:COLUMN<X */
    int time_unit;                 /* TIME_UNIT_S to TIME_UNIT_FRAMES; TIME_UNIT_NONE: not given */
    double rate;    /* --rate; 0, NaN: not given. With a rate, times in a column are copied and not read, but
                       frame numbers are read */
    bool all_cells; /* record the spans of all cells (conversions, diff) */
    bool drawing;   /* plot: derivatives of channels are channels, too, and notes say "drawn" */
    bool keeps_times; /* inspect: times that the format counts at an even rate stay times, see columns.even */
    bool compare;     /* diff: every column whose first cell is not text holds numbers, the time too */
};

/* Makes the plan of the columns. Cells are numbered over the columns whose bytes are used (every role but
 * PASS; all with all_cells), values over channels, then the cut column, then columns that are read. Errors
 * name the column, list the columns and suggest the nearest name. *plan is a plan that was made before, which
 * is freed, or zeroes; plan_free follows, also on error. The columns must stay in place. */
bool plan_make(struct column_plan *plan, const struct columns *columns, const struct column_choice *choice,
               struct error *e);

/* Makes the plan of one table of an input from the plan of the input: columns is what columns_of_table made.
 * What tables share, such as the rate, is the same in both; each column keeps its use. An option that reads a
 * column of another table is an error. A format whose tables have times of their own takes no --group-by. As
 * for plan_make, *plan is a plan that was made before or zeroes, and plan_free follows; the input's plan must
 * stay in place. */
bool plan_of_table(struct column_plan *plan, const struct column_plan *input, const struct columns *columns,
                   struct error *e);

/* The plan's column that is column i of the input. COLUMN_NONE and *e: it is of another table. */
size_t plan_here(const struct column_plan *plan, size_t i, const char *option, struct error *e);


void plan_free(struct column_plan *plan);

/* The use of column i: the program stops at COLUMN_NONE. */
static inline const struct column_use *plan_use(const struct column_plan *plan, size_t i)
{
    REQUIRE(i < plan->columns->ncolumn);
    return &plan->use[i];
}

/* Is column i a channel? */
static inline bool plan_filters(const struct column_plan *plan, size_t i)
{
    return plan_use(plan, i)->role == ROLE_CHANNEL;
}

/* The column of channel c; c < nchannel. */
static inline const struct column *plan_channel(const struct column_plan *plan, size_t c)
{
    return &plan->columns->column[plan->channel[c]];
}

/* True for a column of numbers that passes through unless --columns names it. */
static inline bool plan_passes_numbers(const struct column_use *use)
{
    return use->role == ROLE_PASS && use->reason >= REASON_COUNTER;
}

/* Sets named[c] for each channel c of a LIST; other entries stay. A column that is no channel is an error,
 * unless only patterns match the column. */
bool plan_pick_channels(const struct column_plan *plan, const char *list, const char *option, bool *named,
                        struct error *e);

/* For an option whose LIST names no channel of the plan, with the error for that in *e: false if the error
 * holds. True, and no error, if the input has other tables: the LIST may name their channels. */
bool plan_allows_none(const struct column_plan *plan, struct error *e);

/* Reads a text LIST:COLUMN<X of --mask into *mask, except the members column, teller and named. Any other
 * text is a usage error. */
bool plan_mask_read(const char *text, struct column_mask *mask, struct error *e);

/* Is the channel missing where the column of the mask holds x? Also true where x is NaN, a missing value. */
static inline bool plan_masks(const struct column_mask *mask, double x)
{
    return !(mask->above ? x < mask->limit : x > mask->limit) && (mask->equal || x != mask->limit);
}

/* --- messages: plan_notes.c --- */

/* Notes which columns of numbers are left alone and why; columns of text; the unit of the times, where only
 * their size shows it; a difference between --rate and the rate of the header. */
void plan_note(const struct column_plan *plan, const struct column_choice *choice, struct messages *messages,
               const char *file);

/* Warns of the numbers that --resample does not interpolate, as they are not selected. hz: of the new rows.
 */
void plan_note_repeated(const struct column_plan *plan, double hz, struct messages *messages,
                        const char *file);

/* The reason for the role of column i, in words: "a number in the first row". */
void plan_describe_reason(const struct column_plan *plan, size_t i, char *buf, size_t maxbuf);

/* The time column, the unit of the times and the reason for the unit, in words. The input must have a time
 * column. */
void plan_describe_time(const struct column_plan *plan, char *buf, size_t maxbuf);

/* False and *e if --resample cannot print new times in the time column. */
bool plan_resamplable(const struct column_plan *plan, struct error *e);

/* The error that a time, `now`, is less than the time of the row before; returns false. group: the key of the
 * rows' group, escaped, or "" without --group-by. The caller adds the line. */
bool plan_backward(const struct column_plan *plan, const struct timestamp *before,
                   const struct timestamp *now, const char *group, struct error *e);

/* --- between the files of this folder --- */

/* As plan_use, while the plan is made. */
static inline struct column_use *plan_own(const struct column_plan *plan, size_t i)
{
    REQUIRE(i < plan->columns->ncolumn);
    return &plan->use[i];
}

/* The reason to leave column i alone although it can be a channel, or REASON_NONE. */
enum role_reason columns_why_alone(const struct columns *columns, size_t i);

/* Numbers the channels, and the cells and values of columns, by their roles. */
bool plan_count(struct column_plan *plan, struct error *e);

/* derivatives.c: takes the role of a channel from columns that are named as derivatives of a channel. */
void plan_leave_derivatives(struct column_plan *plan);

/* The error of an option that names a column of text (text true), or a column that has a role already.
 * Returns false. */
bool plan_refuse(const struct column_plan *plan, size_t i, const char *option, bool text, struct error *e);

/* plan_masks.c, before the channels are known: adds the pairs of the options in texts to plan->mask. Sets
 * drop for each condition column, which then is no channel, unless pick names the column. */
bool plan_find_masks(struct column_plan *plan, const struct texts *texts, const unsigned char *pick,
                     unsigned char *drop, struct error *e);

/* When the channels are known: keeps the masks of channels, and marks the condition columns as read. */
bool plan_keep_masks(struct column_plan *plan, const struct column_choice *choice, struct error *e);

#endif
