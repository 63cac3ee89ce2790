/* The command line that would clean a file. Every table of the file adds its options (advice.c); then the
 * line is written, with the options that the user gave, and a reason for each (command_line.c). */
#ifndef SPRUNG_VIEW_INSPECT_ADVICE_H
#define SPRUNG_VIEW_INSPECT_ADVICE_H

#include "view/inspect/inspect.h"
#include "view/inspect/table.h"

enum {
    INSPECT_OPTIONS = INSPECT_GIVEN + 16, /* most options of a command */
    INSPECT_NOTES = 4                     /* most notes */
};

/* An option of the command. */
struct inspect_option {
    const char *name;
    struct text value; /* empty: a flag; owned */
    struct text why;   /* reasons; owned */
    bool dropped;      /* another option takes its place */
};

struct inspect_advice {
    struct inspect_option option[INSPECT_OPTIONS];
    size_t noption;
    struct text note[INSPECT_NOTES]; /* what to look at before the command runs; owned */
    size_t nnote;
    struct text command; /* empty: no command helps; owned */
    struct text why_not; /* the reason for no command; owned */

    uint64_t nrow;       /* rows of all tables */
    uint64_t nspike;     /* spikes of points */
    bool other_spikes;   /* a channel that is no point has spikes */
    uint64_t njump;      /* jumps at changes of a label, those of a vector or a rotation counted once */
    char takes[80];      /* name or position of the column of these labels */
    bool hopeless;       /* in some table no channel can be filtered */
    bool infinite;       /* a channel has infinite values */
    size_t lost_row;     /* lost_row of the first rotation with lost rows; 0: no rotation has lost rows */
    uint64_t nbackward;  /* rows with a time before the time of the row before */
    size_t backward_row; /* the first such row, from 1 */
    uint64_t nshared;    /* rows with the time of the row before, where they are too many */
    double rate;         /* --rate, where too many rows share their times; 0: not needed */
    size_t fill_rows;    /* rows of the longest gap that is filled; 0: there are no gaps */
    double period;       /* full turn of the angles; 0: no angles */
    bool untimed;        /* neither times nor a rate are known */
    bool noisy;          /* a table is not quiet */
    bool audio;          /* the file is a recording */
    double
        count_step; /* the step of times that may be frames (1) or milliseconds, and are read as seconds; 0 */
};

/* advice.c: takes what a table decides. */
void inspect_advice_take(struct inspect_advice *advice, const struct inspect_table *table);

/* command_line.c: makes the command for the file `name`, whose tables were taken, and the notes. */
void inspect_advice_finish(struct inspect_advice *advice, const char *name,
                           const struct inspect_request *request);

/* Adds an option to the command, or a value to its list. value NULL: the option has none. */
void inspect_advise(struct inspect_advice *advice, const char *name, const char *value, const char *why);

/* The option, if it is part of the command; else NULL. */
struct inspect_option *inspect_advised(struct inspect_advice *advice, const char *name);

/* Adds option k to a command line. */
void inspect_put_option(struct text *line, const struct inspect_option *option);

void inspect_advice_free(struct inspect_advice *advice);

#endif
