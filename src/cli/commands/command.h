/* What a command is. main.c finds it by name, runs it and knows what a status means.
 * Adding a command: one file in src/commands with a `const struct command`, and one line in src/commands/list.c. */
#ifndef SPRUNG_COMMAND_H
#define SPRUNG_COMMAND_H

#include "base/messages.h"
#include "cli/options.h"

enum status { STATUS_DONE = 0, STATUS_DIFFERENT = 1, STATUS_TROUBLE = 2 };

struct command {
    const char *name, *summary;
    /* argv[0] is the command's name. Notes take words for stderr; errors too, by messages_error. */
    enum status (*run)(int argc, char **argv, struct messages *messages);
};

/* Says the error, which is about that file; NULL: about none. */
static inline enum status command_trouble(struct messages *messages, const char *file, const struct error *e)
{
    messages_error(messages, file, e);
    return STATUS_TROUBLE;
}

/* The job of every filter: `sprung FILTER [OPTION]... [FILE]...`. argv[0] is the filter's name. */
enum status filter_command(const struct filter *filter, int argc, char **argv, struct messages *messages);

/* All commands but the filters, NULL-terminated. */
extern const struct command *const command_list[];

#endif
