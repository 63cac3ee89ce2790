/* How far the filling of gaps is in the rows of a group: fill.c takes the rows, bridge.c decides those of a
 * gap. Private to both. Rows are numbered within their group, from 0. */
#ifndef SPRUNG_SERIES_CLEAN_BRIDGE_H
#define SPRUNG_SERIES_CLEAN_BRIDGE_H

#include "series/clean/fill.h"
#include "whole/gap_curve.h"
#include "whole/noise/spike_track.h"

/* A valid sample of a unit. */
struct valid_sample {
    size_t row;
    uint64_t instant; /* number of different earlier times in the group */
    struct timestamp time;
    double number[4];
};

/* The spikes in rows that are not taken yet. */
struct expected {
    size_t *row; /* [first, n) their rows, ascending; owned */
    size_t first, n, max;
};

/* How far a unit is in the rows of a group. */
struct unit_fill {
    struct expected spikes;
    size_t final; /* number of rows whose goals are final; rows from here on are a gap, and the sample
                     at its end */
    struct valid_sample last;    /* if has_sample: the last valid sample */
    struct valid_sample earlier; /* if has_sample: the last valid sample at an earlier time than `last`; equal
                              to `last` where no earlier sample is known */
    size_t end;                  /* if ended: row of the valid sample after the gap */
    uint64_t end_instant;        /* if ended: number of different times before that row */
    size_t spike_end;            /* number of the row after the last spike; 0: there was no spike */
    size_t opening;  /* number of the row after the spikes that the run begins with; without these, of
                        the first row of the run */
    bool has_sample; /* a gap can be bridged from a known valid sample */
    bool ended;      /* the gap has ended, and waits for the row after its end */
    bool unfilled;   /* the gap under way stays a gap */
    bool left;      /* with unfilled: there was a sample before the gap, so that the gap counts as too long */
    struct gap gap; /* the gap under way, of missing values and spikes */
};

struct fill {
    struct operator operator;
    struct series_rows in;
    size_t nwindow;            /* most rows between a spike and the samples that it is bridged with */
    struct clean_count *count; /* [nchannel] */
    struct fill_kept kept;
    uint64_t *instant; /* [ninstant] of each row under way: number of different earlier times; owned */
    size_t ninstant;
    size_t place; /* of the struct group_fill in a group's state */
};

/* A unit of the group under way. */
struct filling {
    struct fill *fill;
    const struct operator_rows *rows; /* of the group */
    const struct unit *unit;
    struct unit_fill *own;
};

/* The time of a row that is not final. */
static inline struct timestamp filling_time(const struct filling *at, size_t row)
{
    const struct spot spot = operator_spot(at->rows, row);
    return series_time(&at->fill->in, spot.block, spot.row, row);
}

/* Reads the numbers of the unit in a row that is not final. False: a number is missing. */
static inline bool filling_numbers(const struct filling *at, size_t row, double number[4])
{
    return series_goals(at->unit, operator_spot(at->rows, row), number);
}

/* Do the gaps of the unit get curves that can leave the range of its numbers? */
static inline bool filling_may_overshoot(const struct filling *at)
{
    const struct gap_way *way = gaps_way(at->fill->in.settings->gaps);
    return way->bridged && !way->straight && (at->unit->kind == UNIT_NUMBER || at->unit->kind == UNIT_VECTOR);
}

/* A curve over a gap, and the numbers of the row before as they are printed. */
struct bridge {
    struct gap_curve curve;
    double printed[4];
};

/* The bridge over the gap from the last sample to own->end. next: the row of the first sample after own->end;
 * 0: not known. */
struct bridge bridge_make(const struct filling *at, size_t next);

/* Decides the rows of a gap from the first that is not final up to row `end`. A row with a number is a spike.
 * bridge: NULL where the gap has a sample on one side only. */
void bridge_settle(const struct filling *at, const struct spike_gap *gap, struct bridge *bridge, size_t end);

/* Widens the ranges of the unit by the numbers of a row: of a sample, or of a curve over a gap. */
void bridge_measure(const struct filling *at, const double number[4], bool curve);

#endif
