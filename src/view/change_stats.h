/* What a filter did to its channels, for --report and --max-change: it looks at the blocks as they pass.
 * Invariant: a change is output minus input in one row, for an angle the short way round, and for a
 * quaternion up to sign; rows where the input is a gap have none. Nothing depends on how rows were cut into
 * blocks. */
#ifndef SPRUNG_CHANGES_H
#define SPRUNG_CHANGES_H

#include "filters/filter.h"
#include "formats/format.h"
#include "series/quaternions.h"

struct change { /* of one channel */
    const struct column *column;
    uint64_t nrow, ngap; /* rows with a change, and gaps of the input */
    double largest;
    uint64_t row;          /* of the largest change, from 1; 0: there is none */
    double time;           /* of that row, in the time column's unit; NaN: not known */
    char *group;           /* what that row's group is called; NULL: there are none */
    double scale, squares; /* the sum of squared changes is scale * scale * squares, so that none overflows */
    double velocity, acceleration; /* the largest of either sign; NaN: there is none */
    size_t at;                     /* row of the largest change in the block under way, or COLUMN_NONE */
};

struct change_stats {
    const struct reader *reader;
    const struct filter *filter;
    const double *period; /* [nchannel] of angles, 0: no angle; NULL: there are none */
    const struct quaternions *quaternions; /* among the channels; NULL: there are none */
    double rate;          /* rows per second; 0: by the time column */
    double limit;         /* --max-change, or NaN */
    bool known;           /* output and input can be compared */
    size_t nwant;         /* out columns of a channel */
    bool has[3];          /* is out column k of a channel its k-th derivative? */
    struct change *channel;
    uint64_t nrow; /* so far */
    struct plain cell;
};

/* What --report and --max-change ask of the filter. */
bool change_stats_check(const struct filter *filter, double limit, struct error *e);

/* The reader, planned, the period's array and the settings must stay; all derivatives must be computed.
 * *c is zeroed before; change_stats_close follows in any case. */
bool change_stats_open(struct change_stats *c, const struct reader *reader, const struct filter *filter,
                  const void *settings, const double *period,
                  const struct quaternions *quaternions, double rate, double limit, struct error *e);
void change_stats_close(struct change_stats *c);

/* An observer's take; closure is the changes. False where a change is beyond the limit. */
bool change_stats_take(void *closure, const struct block *b, struct error *e);

/* The square root of the mean squared change; NaN where there is none. */
double change_stats_rms(const struct change *c);

/* changes_report.c: the report, in words or as one line of JSON; malloc'ed, NULL when memory is out. cuts:
 * [nchannel]. */
struct change_report_story {
    const char *file;
    uint64_t rows, groups;
    const uint64_t *cuts;
};
char *change_report_text(const struct change_stats *c, const struct change_report_story *story);
char *change_report_json(const struct change_stats *c, const struct change_report_story *story);

#endif
