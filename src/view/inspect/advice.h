/* The command line that would clean a file. First every table adds its options and figures to the advice
 * (advice.c); then the line is written, with a reason for each option (command_line.c). */
#ifndef SPRUNG_VIEW_INSPECT_ADVICE_H
#define SPRUNG_VIEW_INSPECT_ADVICE_H

#include "view/inspect/table.h"

enum { INSPECT_OPTIONS = 26 /* options that may be advised */ };

/* An option of the command line that would clean a file. */
struct inspect_option {
    struct text value; /* of a flag: empty; owned */
    struct text why;   /* reasons; empty: the option is not advised; owned */
};

/* The advice about a file. Zero-initialized, but fewest = SIZE_MAX. */
struct inspect_advice {
    struct inspect_option option[INSPECT_OPTIONS];
    uint64_t nrow;      /* rows of all tables */
    bool hopeless;      /* in some table every channel has cells that a filter cannot read, or is no motion */
    bool infinite;      /* a channel has infinite values */
    size_t lost_row;    /* the lost_row of the first rotation that has one; 0: no rotation has one */
    uint64_t nspike;    /* spikes of all channels */
    uint64_t njump;     /* jumps, those of a vector or a rotation counted once */
    char flicker[128];  /* name of the first channel that flickers, escaped; "": none does */
    char cut[80];       /* name of a column of cuts, which is no channel; "": no column of cuts */
    char takes[80];     /* name or position of a column whose label changes where the jumps are; "": there is
                           none */
    size_t kept_row;    /* the first kept_row of a channel; 0: no channel has one */
    char kept[128];     /* name of that channel, escaped */
    uint64_t longest;   /* rows of the longest gap */
    uint64_t nbackward; /* rows with a time before the time of the row before */
    uint64_t nshared;   /* rows with the time of the row before, where they are too many */
    double rate;        /* --rate, by the times that cannot be used; 0: not needed */
    uint64_t fill_rows; /* rows of the longest gap that is filled; 0: there are no gaps */
    size_t fewest;      /* the fewest values of a channel in a series, of channels with two or more values */
    double step;        /* the smallest usual step of a table, in seconds; 0: no table has a step */
    double period;      /* full turn of the angles; 0: no angles */
    bool untimed;       /* neither times nor a rate are known */
    size_t dates;       /* where untimed: position of a column of dates, from 1; 0: no column */
    bool noisy;         /* a table is not quiet */
    bool assumed_count; /* the times rise by 1, and are read as seconds */
    bool assumed_ms;    /* the times would be usual in milliseconds, and are read as seconds */
    double bytes;       /* bytes of memory that --zero-phase takes for all rows, about; INFINITY: not known */
    bool audio;         /* the file is a recording */
};

/* advice.c: takes what a table decides. */
void inspect_advice_take(struct inspect_advice *advice, const struct inspect_table *table);

/* options.c: the names of the options, in the order of the command. */
extern const char *const inspect_option_names[INSPECT_OPTIONS];

struct inspect_option *inspect_option_of(struct inspect_advice *advice, const char *name);
bool inspect_is_advised(struct inspect_advice *advice, const char *name);

/* Adds an option to the command, or a value to its list. value NULL: the option has none. */
void inspect_advise(struct inspect_advice *advice, const char *name, const char *value, const char *why);

/* The option is not advised any more. */
void inspect_drop_option(struct inspect_advice *advice, const char *name);
void inspect_advice_free(struct inspect_advice *advice);

/* command_line.c: adds the advice for the file `name`, whose tables were taken, to the facts. */
void inspect_facts_of_advice(struct facts *facts, struct inspect_advice *advice, const char *name,
                             const struct column_choice *choice, const struct input_options *options);

#endif
