/* The changes that a filter makes to channels, for --report, measured block by block. The change of a channel
 * in a row is output minus input; for an angle the short way round; for a quaternion with the sign that is
 * nearer; for each of three Euler angles the angle of the rotation from input to output; for each component
 * of a vector the distance from input to output. Velocity and acceleration of a component of a vector are
 * lengths, too. Rows whose input is a gap have no change. Invariant: no number depends on how rows are
 * divided into blocks. */
#ifndef SPRUNG_VIEW_CHANGE_STATS_H
#define SPRUNG_VIEW_CHANGE_STATS_H

#include "formats/format.h"
#include "rows/units.h"
#include "series/series.h"
#include "springs/filter.h"

/* The numbers of a channel, in the order of the report. CHANGE_CHANNEL and CHANGE_GROUP have no number: in
 * their places the report has a text. */
enum {
    CHANGE_CHANNEL,
    CHANGE_LARGEST, /* largest change */
    CHANGE_ROW,     /* row of the largest change, from 1 */
    CHANGE_TIME,    /* time of the row of the largest change, in the time column's unit */
    CHANGE_GROUP,
    CHANGE_RMS,
    CHANGE_VELOCITY,     /* largest magnitude of the velocity */
    CHANGE_ACCELERATION, /* largest magnitude of the acceleration */
    CHANGE_GAPS,         /* missing values of the input */
    CHANGE_CUTS,
    CHANGE_SPIKES,
    CHANGE_FILLED,
    CHANGE_CUTOFF,      /* --cutoff auto: the least cutoff of the groups */
    CHANGE_CUTOFF_MOST, /* --cutoff auto: the greatest cutoff of the groups */
    CHANGE_NUMBERS
};

/* The change of a channel. */
struct change {
    const struct column *column;
    double number[CHANGE_NUMBERS]; /* NaN: the channel has no such number, or the number is not known */
    uint64_t nrow;                 /* rows with a change */
    char *group;                   /* name of the group of the largest change; NULL: no groups; owned */
    double scale, squares;         /* sum of squared changes = scale^2 * squares, which does not overflow */
};

/* The changes of every channel. `channel` and `key` are owned; the other pointers must stay valid until
 * change_stats_close. */
struct change_stats {
    const struct reader *reader;
    const struct filter *filter;
    const struct units *units; /* of the channels */
    double rate;               /* rows per second; 0: rows have times */
    bool comparable;           /* output minus input has a meaning */
    size_t nout;               /* out columns of a channel */
    struct change *channel;    /* [nchannel] */
    uint64_t nrow;             /* rows of the blocks so far */
    struct group_key key;      /* of the row of the largest change that was found last */
};

/* The caller sets the members from reader to rate and zeroes the other members. The reader must be
 * bound, and the filter must compute its derivatives. settings: of the filter. The caller calls
 * change_stats_close after true and after false; change_stats_close may also be called without
 * change_stats_open. */
bool change_stats_open(struct change_stats *stats, const void *settings, struct error *e);
void change_stats_close(struct change_stats *stats);

/* Adds the rows of a filtered block. */
bool change_stats_add(struct change_stats *stats, const struct block *block, struct error *e);

enum { MOST_CHANGED = 3 };

/* A channel that a filter has changed much, by the unit's component of the largest change. */
struct most_changed {
    double change;    /* its largest change; 0: no channel */
    const char *file; /* not owned */
    char channel[80];
};

/* Keeps the channels of the largest changes, the largest first: enters a further channel. */
void most_changed_enter(struct most_changed most[MOST_CHANGED], const struct most_changed *channel);

/* Enters a channel of each unit of a file. */
void change_stats_most(const struct change_stats *stats, const char *file,
                       struct most_changed most[MOST_CHANGED]);

/* The facts of a report that are not in struct change_stats. */
struct change_report {
    const char *file;                  /* name of the input */
    uint64_t groups;                   /* number of groups */
    const struct channel_count *count; /* [nchannel] */
    bool cleaned;                      /* values were masked, bridged or filled */
    bool chosen;                       /* --cutoff auto */
    bool json;                         /* --report json */
    bool all;                          /* the table has every channel; false: the most changed channels */
};

/* change_report.c: the report as a table or as one line of JSON; malloc'ed, NULL if out of memory. */
char *change_report(struct change_stats *stats, const struct change_report *report);

#endif
