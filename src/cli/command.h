/* A command. Adding one: a file in src/cli/commands with a `const struct command`, its name below and in
 * src/cli/commands/help.c. */
#ifndef SPRUNG_CLI_COMMAND_H
#define SPRUNG_CLI_COMMAND_H

#include "cli/options.h"

enum status { STATUS_DONE = 0, STATUS_DIFFERENT = 1, STATUS_TROUBLE = 2 };

struct command {
    const char *name, *summary;
    const char *operands;                     /* as the usage line shows them */
    const char *about;                        /* paragraphs, an empty line between */
    const char *examples;                     /* command lines; NULL: those of the filter */
    const struct option_table *const *tables; /* NULL-terminated */
    bool takes_filter; /* a filter follows its name, and the filter's own options belong to it */
    /* Runs a line that is parsed. False, and *e as it was: the error is in line->messages, too. */
    bool (*run)(struct command_line *line, struct error *e);
};

extern const struct command command_response, command_diff, command_plot, command_help;

/* Every filter's, whose name, summary and description are the filter's. */
extern const struct command command_filter;

/* All but command_filter, NULL-terminated. */
extern const struct command *const command_list[];

/* Runs the filter or command that argv[0] names, or what --help and --version ask for instead. */
enum status command_run(int argc, char **argv, struct messages *messages);

/* The error that a word is no filter; commands: nor a command; topics: nor a topic of help. Suggests the
 * nearest one. */
bool command_unknown(const char *word, bool commands, bool topics, struct error *e);

/* --- manual.c: help, and what the manual page and the completions are made from (man/generate.awk). Strings
 * are malloc'ed, or NULL when memory is out. Invariant: nothing there names an option or a filter. --- */

/* `sprung help`: what it is, the filters, the commands, examples. */
char *manual_overview(void);

/* `sprung help COMMAND` and `sprung COMMAND -h`, or whole: `sprung COMMAND --help`; of command_filter with
 * the filter, else NULL. In short, shared options are named only. */
char *manual_page(const struct command *command, const struct filter *filter, bool whole);

/* A section of the manual page in plain text, where a line "@FORMATS@" stands for the list of formats. Made from the page by man/topics.awk. */
struct help_topic {
    const char *name, *text;
};
extern const struct help_topic help_topics[]; /* ended by a name of NULL */

/* `sprung help TOPIC`, `sprung help FORMAT`. */
char *manual_topic(const struct help_topic *topic);
char *manual_format(const struct format *format);

/* `sprung help --format table`: all filters, commands, formats and options, for man/generate.awk. */
char *manual_table(void);

/* For a command line without arguments: a few lines on standard error. */
void command_usage(struct messages *messages);

#endif
