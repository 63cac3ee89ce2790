/* The command help, and help for command lines that do not name a filter or command. */
#ifndef SPRUNG_HELP_H
#define SPRUNG_HELP_H

#include "cli/command.h"

extern const struct command command_help;

/* Writes a text of manual.h to standard output and frees it; NULL: out of memory. */
enum status help_print(char *text, struct messages *messages);

/* --help or --version of a command. */
enum status help_command(const char *command, const struct general_options *general,
                         struct messages *messages);

/* Without arguments: a few lines on standard error. */
enum status help_short(struct messages *messages);

/* For a first word that is neither filter nor command: -h, --help, --version, or an error. */
enum status help_unknown(const char *word, struct messages *messages);

#endif
