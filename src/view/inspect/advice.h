/* The command line that would clean a file, with a reason for each option, and what to look at before it
 * runs. It begins with the options that the user gave; then every table of the file adds its own. */
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
};

struct inspect_advice {
    struct inspect_option option[INSPECT_OPTIONS];
    size_t noption;
    struct text note[INSPECT_NOTES]; /* owned */
    size_t nnote;
    struct text command; /* empty: no command helps; owned */
    struct text why_not; /* the reason for no command; owned */

    /* Of all tables. */
    bool rows;         /* there are rows */
    bool enough;       /* a series has enough values for --cutoff auto */
    bool noisy;        /* a table is not quiet */
    bool other_spikes; /* a channel that is no point of markers has spikes */
    uint64_t nspike;   /* spikes of points of markers */
    size_t fill_rows;  /* rows of the longest gap that is filled; 0: there are no gaps */
    double period;     /* full turn of the wrapping angles; 0: no angle wraps */
};

/* Adds the options that the user gave. */
void inspect_advice_begin(struct inspect_advice *advice, const struct inspect_request *request);

/* Adds what a table needs. */
void inspect_advice_take(struct inspect_advice *advice, const struct inspect_table *table);

/* Makes the command for the file `name`, whose tables were taken. */
void inspect_advice_finish(struct inspect_advice *advice, const char *name);

/* Adds option k to a command line. */
void inspect_put_option(struct text *line, const struct inspect_option *option);

void inspect_advice_free(struct inspect_advice *advice);

#endif
