/* Help, and what the manual page and the shell completions are made from (man/generate.awk), from the tables
 * of options and the lists of filters and commands. Every function that returns a string returns it
 * malloc'ed, to be freed by the caller, or NULL when memory is out. Invariant: nothing here names an option
 * or a filter. */
#ifndef SPRUNG_CLI_MANUAL_H
#define SPRUNG_CLI_MANUAL_H

#include "base/text.h"
#include "cli/command.h"

/* `sprung help`: what it is, the filters, the commands, examples. */
char *manual_overview(void);

/* `sprung --version`. */
char *manual_version(void);

/* `sprung help COMMAND` and `sprung COMMAND -h`, or whole: `sprung COMMAND --help`; of command_filter with
 * the filter, else NULL. In short, shared options are named only. */
char *manual_page(const struct command *command, const struct filter *filter, bool whole);

/* A section of the manual page in plain text, where a line "@FORMATS@" stands for the list of formats. Made
 * from the page by man/topics.awk. */
struct help_topic {
    const char *name, *text;
};
extern const struct help_topic help_topics[]; /* ended by a name of NULL */

/* `sprung help TOPIC`. */
char *manual_topic(const struct help_topic *topic);

/* `sprung help --format table`: all filters, commands, formats and options, for man/generate.awk. */
char *manual_table(void);

#endif
