/* A command. To add a command, write a file in src/cli/commands with a `const struct command`, declare the
 * struct below, and add the struct to command_list in src/cli/commands/help.c. */
#ifndef SPRUNG_CLI_COMMAND_H
#define SPRUNG_CLI_COMMAND_H

#include "cli/options.h"

enum status { STATUS_DONE = 0, STATUS_DIFFERENT = 1, STATUS_TROUBLE = 2 };

struct command {
    const char *name;                         /* the first word of the command line; "" for command_filter */
    const char *summary;                      /* a line for help; NULL: the summary of the filter */
    const char *operands;                     /* the operands, as in the usage line */
    const char *about;                        /* the description: paragraphs with an empty line between; NULL:
                                                 the description of the filter */
    const char *examples;                     /* command lines; NULL: the examples of the filter */
    const struct option_table *const *tables; /* the options that the command takes, NULL-terminated */
    bool takes_filter; /* the next word is a filter, whose own options the command takes, too */

    /* Runs a parsed command line. On false *e is the error; ERROR_NONE: line->messages has the error
     * already. */
    bool (*run)(struct command_line *line, struct error *e);
};

extern const struct command command_response, command_diff, command_plot, command_inspect, command_help;

/* The command of every filter: name, summary, description and examples are taken from the filter. */
extern const struct command command_filter;

/* The commands except command_filter, NULL-terminated. */
extern const struct command *const command_list[];

/* The command with the name. With the name of a filter, command_filter, and *filter is the filter; else
 * *filter is NULL. NULL: the name is unknown. */
const struct command *command_named(const char *name, const struct filter **filter);

/* complete.c: `sprung help --complete WORD...`: prints what can replace the last word. words: those
 * after the name of the program, NULL-terminated. */
bool complete_words(char **words, struct error *e);

/* Runs the filter or command that argv[0] names; with --help or --version prints the help or the version
 * instead. */
enum status command_run(int argc, char **argv, struct messages *messages);

/* After the settings of a filter were refused (*e): if no option of the filter itself is given, makes the
 * hint a command line of this command ("" for filters) that works on the file; file NULL: a file is not
 * named. Returns false. */
bool command_example(const struct command_line *line, const char *command, const char *file, struct error *e);

/* The error that a word is no filter, with a hint of the nearest name. commands: the word might also have
 * been a command. topics: the word might also have been a topic of help. */
bool command_unknown(const char *word, bool commands, bool topics, struct error *e);

/* --- manual.c: help. Strings
 * are malloc'ed, or NULL when out of memory. Invariant: manual.c names no option and no filter. --- */

/* `sprung -h`: what sprung is, command lines to copy, the names of filters and commands. */
char *manual_start(void);

/* `sprung help`: every filter, command, topic and format. */
char *manual_overview(void);

/* `sprung COMMAND -h`: the command's own options and those used most; whole: `sprung COMMAND --help` and
 * `sprung help COMMAND`, the description and every option. filter: the filter of command_filter; NULL with
 * other commands. */
char *manual_page(const struct command *command, const struct filter *filter, bool whole);

/* A section of a manual page in plain text, made from the page by man/topics.awk. A line "@FORMATS@" in the
 * text is replaced by the list of formats. */
struct help_topic {
    const char *name, *text;
};
extern const struct help_topic help_topics[]; /* the last topic has the name NULL */

/* `sprung help TOPIC`, `sprung help FORMAT`. */
char *manual_topic(const struct help_topic *topic);
char *manual_format(const struct format *format);

/* `sprung help OPTION`: what the option means for the filters and commands that have it. name: its long name,
 * with or without dashes, or its letter with a dash. "": no filter and no command has it. */
char *manual_option(const char *name);

/* Has any filter or command this option? */
bool manual_explains(const char *name);

/* How much help says of an option. */
enum manual_detail {
    MANUAL_SHORT, /* param->help and the default */
    MANUAL_FULL   /* also the range, and param->more */
};
enum { MANUAL_HELP = 2048 /* bytes of an option's help */ };

/* The help of an option: "HELP (greater than 0; default 1). MORE". The result is param->help or buf. */
const char *manual_option_help(const struct param *param, enum manual_detail detail, char buf[MANUAL_HELP]);

/* Has the filter itself an option with the long name of the shared option? filter NULL: no. */
bool manual_hides(const struct filter *filter, const struct param *shared);

/* Adds a few lines of help to messages, for a command line without arguments. */
void command_usage(struct messages *messages);

#endif
