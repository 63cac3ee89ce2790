/* How far a filter moves its channels, for --report and --max-change, from the blocks as they pass.
 * Invariant: a change is output minus input in one row, for an angle the short way round, for a quaternion up
 * to sign, for each of three Euler angles the angle of the rotation from input to output; rows whose input is
 * a gap have none. Nothing depends on how rows are divided into blocks. */
#ifndef SPRUNG_VIEW_CHANGE_STATS_H
#define SPRUNG_VIEW_CHANGE_STATS_H

#include "springs/filter.h"
#include "formats/format.h"
#include "series/clean.h"
#include "series/rotations.h"

enum { /* the numbers of a channel, in the order of the report; two are texts */
       CHANGE_CHANNEL,
       CHANGE_LARGEST,
       CHANGE_ROW,  /* of the largest change, from 1 */
       CHANGE_TIME, /* of that row, in the time column's unit */
       CHANGE_GROUP,
       CHANGE_RMS,
       CHANGE_VELOCITY, /* largest magnitude */
       CHANGE_ACCELERATION,
       CHANGE_GAPS, /* of the input */
       CHANGE_CUTS,
       CHANGE_SPIKES,
       CHANGE_FILLED,
       CHANGE_UNBRIDGED, /* spikes that became gaps */
       CHANGE_HALFLIFE, /* --halflife auto: the least of its groups */
       CHANGE_HALFLIFE_MOST,
       CHANGE_NUMBERS
};

struct change { /* of one channel */
    const struct column *column;
    double number[CHANGE_NUMBERS]; /* NaN: there is none, or it is not known */
    uint64_t nrow;                 /* rows with a change */
    char *group;                   /* name of the group of the largest change; NULL: there are no groups */
    double scale,
        squares; /* the sum of squared changes is scale * scale * squares, which does not overflow */
};

struct change_stats { /* what it points to must stay */
    const struct reader *reader;
    const struct filter *filter;
    const struct rotations *rotations; /* among the channels, and angles */
    double rate;                       /* rows per second; 0: by the time column */
    double limit;                      /* --max-change, or NaN: there is none, or it was exceeded */
    struct error beyond; /* the first change beyond the limit; the caller looks at the end, so that messages
                            about other rows do not depend on which came in one block */
    bool comparable;     /* output with input */
    size_t nout;         /* out columns of a channel */
    struct change *channel; /* [nchannel], owned */
    uint64_t nrow;          /* so far */
    struct plain cell;
};

/* Checks that the filter has what --max-change needs. */
bool change_stats_check(const struct filter *filter, double limit, struct error *e);

/* The members down to limit are set, the others zero; the reader is bound, all derivatives are computed.
 * settings: the filter's. change_stats_close follows in any case, also without this. */
bool change_stats_open(struct change_stats *c, const void *settings, struct error *e);
void change_stats_close(struct change_stats *c);

/* Adds the rows of a filtered block. */
bool change_stats_add(struct change_stats *c, const struct block *b, struct error *e);

/* What a report needs to know besides. */
struct change_report {
    const char *file, *filters; /* filters: their names */
    struct series_count count;
    const struct overrides *sets;
    const struct clean_count *cleaned; /* [nchannel], or NULL */
    bool json, all;                    /* all: the table has all channels, else those that are changed most */
};

/* change_report.c: the report as a table or as one line of JSON; malloc'ed, NULL if memory is out. */
char *change_report(struct change_stats *c, const struct change_report *report);

#endif
