/* A command. To add a command, write a file in src/cli/commands with a `const struct command`, declare the
 * struct below, and add the struct to command_list in src/cli/command.c. */
#ifndef SPRUNG_CLI_COMMAND_H
#define SPRUNG_CLI_COMMAND_H

#include "cli/options.h"

enum status { STATUS_DONE = 0, STATUS_DIFFERENT = 1, STATUS_TROUBLE = 2 };

/* The members that are NULL in command_filter are the filter's own. */
struct command {
    const char *name;                         /* the first word of the command line */
    const char *usage;                        /* the words after the name, as in the usage line */
    const char *summary;                      /* a line for help */
    const char *about;                        /* the description: paragraphs with an empty line between */
    const char *examples;                     /* command lines */
    const struct option_table *const *tables; /* the options that the command takes, NULL-terminated */
    bool takes_filter; /* the next word is a filter, whose own options the command takes, too */
    bool takes_words;  /* operands are words, not files; the first of them may be an option of any command */

    /* Runs a parsed command line. On false *e is the error; ERROR_NONE: line->messages has the error
     * already. */
    bool (*run)(struct command_line *line, struct error *e);
};

extern const struct command command_response, command_diff, command_plot, command_inspect, command_help;

/* The command of every filter. */
extern const struct command command_filter;

/* The commands except command_filter, NULL-terminated. */
extern const struct command *const command_list[];

/* The command with the name. With the name of a filter, command_filter, and *filter is the filter; else
 * *filter is NULL. NULL: the name is unknown. */
const struct command *command_named(const char *name, const struct filter **filter);

/* Runs the filter or command that argv[0] names; with --help or --version prints the help or the version
 * instead. */
enum status command_run(int argc, char **argv, struct messages *messages);

/* The error that a word is no `what`, with a hint of the nearest name, which help explains. Returns false. */
bool command_unknown(const char *what, const char *word, struct error *e);

/* Adds a few lines of help to messages, for a command line without arguments. */
void command_usage(struct messages *messages);

/* complete.c: `sprung help --complete WORD...`: prints what can replace the last word. words: those
 * after the name of the program, NULL-terminated. */
bool complete_words(char **words, struct error *e);

/* A section of a manual page in plain text, made from the page by man/topics.awk. */
struct help_topic {
    const char *name; /* a topic, or a format */
    const char *text;
};
extern const struct help_topic help_topics[]; /* the last topic has the name NULL */

/* --- manual.c: help. Strings are malloc'ed, or NULL when out of memory --- */

/* `sprung -h`: what sprung is, command lines to copy, the names of filters and commands. */
char *manual_start(void);

/* `sprung help`: every filter, command and topic. */
char *manual_overview(void);

/* `sprung COMMAND -h`: the command's own options and those used most; whole: `sprung COMMAND --help` and
 * `sprung help COMMAND`, the description and every option. filter: the filter of command_filter; NULL with
 * other commands. */
char *manual_page(const struct command *command, const struct filter *filter, bool whole);

/* `sprung help OPTION`: what the option means for the filters and commands that have it. word: its long name,
 * with or without dashes, or its letter with a dash. "": no filter and no command has it. */
char *manual_option(const char *word);

enum { MANUAL_HELP = 2048 /* bytes of an option's help */ };

/* Writes the help of an option into buf, "HELP (default 1)", and returns buf; whole: also the range, and
 * param->more. */
const char *manual_option_help(const struct param *param, bool whole, char buf[MANUAL_HELP]);

#endif
