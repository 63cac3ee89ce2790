/* Help as a command, and for those who need it without having asked. */
#ifndef SPRUNG_HELP_H
#define SPRUNG_HELP_H

#include "cli/command.h"

/* No argument at all: a few lines as messages. */
enum status help_short(struct messages *messages);

/* The first word is no filter and no command: -h, --help, --version, or a mistake. */
enum status help_unknown(const char *word, struct messages *messages);

#endif
