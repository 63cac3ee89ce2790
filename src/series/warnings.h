/* Warnings of what the user can hardly have meant: options of another size than the rows, times that cannot
 * be right, a count that is filtered. They are judged once, by the first rows of the input or, if it is
 * shorter, at its end; no row waits for them. Invariant: what is said depends on the rows, never on how they
 * arrive. */
#ifndef SPRUNG_SERIES_WARNINGS_H
#define SPRUNG_SERIES_WARNINGS_H

#include "series/core.h"
#include "whole/kinds/angle.h"

enum {
    WARNINGS_ROWS = 4096,  /* rows that the warnings go by */
    WARNINGS_COUNTED = 256 /* first rows of the first group that show a count */
};

/* The numbers of a unit that is a number, in the first group. */
struct warnings_unit {
    struct angle_watch angle;
    double number[WARNINGS_COUNTED];
};

struct warnings {
    struct core *core;
    size_t nrow; /* rows so far, of all groups, up to WARNINGS_ROWS */
    bool judged;
    size_t n;     /* of these, rows of the first group */
    double *time; /* [n] seconds since the first row of the group; owned, as are the arrays below */
    double *step; /* [nstep] steps, except those of rows that share a time */
    size_t nstep;
    struct warnings_unit *unit; /* [units.n] */
    double *beside;             /* [nbeside] seconds, by the column of times that --rate replaces */
    size_t nbeside;
    struct cell_text cell; /* the last cell of the column; owns room */
};

/* warnings_close follows, also on error. */
bool warnings_open(struct warnings *warnings, struct core *core, struct error *e);
void warnings_close(struct warnings *warnings);

/* Looks at the rows of a block, before the passes take them. */
void warnings_take(struct warnings *warnings, const struct block *block);

/* Says the warnings when they are due: after the passes have taken a block, and at the end of the input. */
void warnings_say(struct warnings *warnings, bool end);

#endif
