/* The command line that would clean a file, with a reason for each option; and the two printers of sprung
 * inspect, straight from what was found: for people (page.c) and for programs (json.c). The command begins
 * with the options that the user gave; then every table of the file adds its own. A report that is out of
 * memory fails when its text is taken. */
#ifndef SPRUNG_VIEW_INSPECT_REPORT_H
#define SPRUNG_VIEW_INSPECT_REPORT_H

#include "base/json_out.h"
#include "view/inspect/inspect.h"
#include "view/inspect/table.h"

enum { INSPECT_OPTIONS = INSPECT_GIVEN + 16 /* most options of a command */ };

/* An option of the command. */
struct inspect_option {
    const char *name;
    struct text value; /* empty: a flag; owned */
    struct text why;   /* reasons; owned */
};

struct inspect_advice {
    struct inspect_option option[INSPECT_OPTIONS];
    size_t noption;
    struct text command; /* empty: no command helps; owned */
    struct text why_not; /* the reason for no command; empty: there is a command; owned */

    /* Of all tables. */
    bool rows;                        /* there are rows */
    size_t nsmoothed;                 /* channels that --cutoff auto smooths without doubt */
    bool doubtful;                    /* it smooths others */
    bool marker_spikes, other_spikes; /* a point of markers has spikes; another channel has */
    bool gaps;                        /* a filtered channel has gaps */
    double period;                    /* full turn of the wrapping angles; 0: no angle wraps */
};

/* Three steps: the options that the user gave, what a table needs, and the command for the file `name`. */
void inspect_advice_begin(struct inspect_advice *advice, const struct inspect_options *options);
void inspect_advice_take(struct inspect_advice *advice, const struct inspect_table *table);
void inspect_advice_finish(struct inspect_advice *advice, const char *name);

/* Adds option k to a command line. */
void inspect_put_option(struct text *line, const struct inspect_option *option);

void inspect_advice_free(struct inspect_advice *advice);

void inspect_page_file(struct text *page, const struct reader *reader, const char *name);
/* all: each channel has a line, not the first few only. */
void inspect_page_table(struct text *page, const struct inspect_table *table, bool all);
void inspect_page_advice(struct text *page, const struct inspect_advice *advice);

void inspect_json_file(struct json_out *json, const struct reader *reader, const char *name);
void inspect_json_table(struct json_out *json, struct cJSON *tables, const struct inspect_table *table);
void inspect_json_advice(struct json_out *json, const struct inspect_advice *advice);

#endif
