/* The command help, and help for command lines that do not name a filter or command. */
#ifndef SPRUNG_CLI_COMMANDS_HELP_H
#define SPRUNG_CLI_COMMANDS_HELP_H

#include "cli/command.h"

/* Without arguments: a few lines on standard error. */
enum status help_short(struct messages *messages);

/* For a first word that is neither filter nor command: -h, --help, --version, or an error. */
enum status help_unknown(const char *word, struct messages *messages);

#endif
