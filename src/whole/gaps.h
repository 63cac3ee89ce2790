/* Gaps: rows of a channel where the sample is missing: its number is NaN. The format tells which cells are
 * missing values (formats/format.h: format_gap). This file alone decides when a gap began, whether it is too
 * long, and how the filter is told. The functions see the rows of one channel in order; the caller owns the
 * state of each channel. */
#ifndef SPRUNG_WHOLE_GAPS_H
#define SPRUNG_WHOLE_GAPS_H

#include "number/timestamp.h"
#include "springs/filter.h"

/* --- the options --- */

/* The ways of --gaps: number, name, and the members of struct gap_way that are true. */
#define GAP_WAYS(WAY)                                                                                        \
    WAY(GAPS_KEEP, "keep", 0)                                                                                \
    WAY(GAPS_FILL, "fill", .printed = true)                                                                  \
    WAY(GAPS_LINEAR, "linear", .bridged = true, .ends_run = true)                                            \
    WAY(GAPS_RESTART, "restart", .ends_run = true)

#define GAP_NUMBER(number, ...) number,
enum gaps { GAP_WAYS(GAP_NUMBER) GAPS_WAYS };

/* What a way of --gaps does. */
struct gap_way {
    bool bridged;  /* before the filter, samples on a line replace a gap that is not too long */
    bool ends_run; /* a gap that reaches the filter ends the filter's run, however short it is */
    bool printed;  /* the filter's outputs in a gap are printed */
};

extern const char *const gap_names[GAPS_WAYS + 1]; /* by enum gaps; ends with NULL */
const struct gap_way *gaps_way(int gaps);

/* --max-gap. Zeroed: no limit. */
struct gap_limit {
    enum { GAP_UNLIMITED, GAP_SECONDS, GAP_ROWS } kind;
    double most;
};
extern const struct param_type gap_limit_type;

/* The options together, and the unit of the times that gaps are measured with. */
struct gap_rule {
    const struct gap_way *way;
    struct gap_limit limit;
    struct time_unit unit;
};

/* --- one gap --- */

/* The current gap in a channel. Zeroed: none. */
struct gap {
    bool open;
    uint64_t nrow;          /* rows of the gap; points of --resample do not count */
    struct timestamp since; /* time of the row before the gap */
};

/* Adds nrow rows at one time to the gap. before: the time of the row before. */
void gap_add(struct gap *gap, uint64_t nrow, const struct timestamp *before);

/* Is the gap longer than the limit, where it lasts at least up to *now? Exact where both times are exact; the
 * rounding of other times never makes a gap too long. */
bool gap_is_long(const struct gap *gap, const struct gap_rule *rule, const struct timestamp *now);

/* --- flags for the filter --- */

/* What is remembered of a channel between rows. Zeroed: no row so far. */
struct gap_state {
    struct gap gap;
    bool running; /* a run of the filter is under way: a sample came, and no gap has ended the run since */
    bool cut;     /* the next row with a time step follows a cut */
};

/* A row of a channel. */
struct gap_row {
    bool missing;                          /* the sample is missing */
    bool same_time;                        /* the row has the time of the row before */
    bool cut;                              /* the row follows a cut */
    uint64_t nrow;                         /* rows that the row counts for; 0: a point of --resample */
    const struct timestamp *before, *time; /* of the row before, and of the row. May be NULL where the rule
                                              has no limit in seconds */
};

/* Takes the next row. Returns its flags, enum row_flag. A row at the time of the row before ends no gap. */
unsigned gaps_take(struct gap_state *state, const struct gap_rule *rule, const struct gap_row *row);

/* Does the filter follow the last goal instead of the row's own? flags: what gaps_take returned. */
static inline bool gaps_repeat_goal(const struct gap_state *state, unsigned flags)
{
    return flags & FLAG_GAP || (flags & FLAG_ZERO_DT && state->gap.open);
}

/* Would a row with a value, a time step and no cut be without flags? */
static inline bool gaps_are_quiet(const struct gap_state *state)
{
    return state->running && !state->gap.open && !state->cut;
}

/* Is a row without flags? T: seconds since the row before. */
static inline bool gaps_are_passed(const struct gap_state *state, bool missing, double T, bool cut)
{
    return gaps_are_quiet(state) && !missing && T > 0 && !cut;
}

/* Rows of a channel, in order. */
struct gap_rows {
    size_t n;
    const double *T;                       /* [n] seconds since the row before */
    const unsigned char *cut;              /* [n] 1: the row follows a cut; NULL: none does */
    const unsigned char *point;            /* [n] 1: the row is a point of --resample; NULL: none is */
    const struct timestamp *before, *time; /* of the row before the first; [n] of the rows. May be NULL where
                                              the rule has no limit in seconds */
};

/* Sets flags[n], and replaces goals that are missing or do not count by the last goal, *last. Returns how
 * many rows miss a sample, without points. */
size_t gaps_flag(struct gap_state *state, const struct gap_rule *rule, const struct gap_rows *rows,
                 double *goal, double *last, unsigned char *flags);

/* Look-ahead: a row sees the next row only where that has no flag. Adds FLAG_NO_NEXT to the flags of the
 * other rows. hidden: the last row sees no next row. Returns whether a row has FLAG_NO_NEXT. */
bool gaps_hide_next(unsigned char *flags, size_t n, bool hidden);

/* What a row prints of a result: a gap where the row misses its sample, unless the results in gaps are
 * printed, too. */
static inline double gaps_result(const struct gap_way *way, bool missing, double x)
{
    return missing && !way->printed ? (double)NAN : x;
}

/* The printed output of a row; NaN: a gap. x: computed by the filter. last: the output before, replaced by the new output.
 * A further row of the same time repeats the output before. */
static inline double gaps_print(const struct gap_way *way, unsigned flags, double x, double *last)
{
    if (flags & FLAG_NO_VALUE)
        return (double)NAN;
    if (!(flags & FLAG_ZERO_DT))
        *last = x;
    return gaps_result(way, flags & FLAG_GAP, *last);
}

#endif
