/* Help as a command, and for those who need it without having asked. */
#ifndef SPRUNG_HELP_H
#define SPRUNG_HELP_H

#include "cli/command.h"

extern const struct command command_help;

/* Writes a text of manual.h to standard output and frees it; NULL: memory was out. For --help and --version.
 */
enum status help_print(char *text, struct messages *messages);

/* --help or --version of a command. */
enum status help_command(const char *command, const struct general_options *general,
                         struct messages *messages);

/* No argument at all: a few lines as messages. */
enum status help_short(struct messages *messages);

/* The first word is no filter and no command: -h, --help, --version, or a mistake. */
enum status help_unknown(const char *word, struct messages *messages);

#endif
