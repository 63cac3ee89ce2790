/* The list of all commands, one line each. */
#include "cli/command.h"

#include <string.h>

#define COMMANDS X(command_response) X(command_diff) X(command_plot) X(command_help)

#define X(name) extern const struct command name;
COMMANDS
#undef X

#define X(name) &name,
const struct command *const command_list[] = { COMMANDS NULL };
#undef X

const struct command *command_find(const char *name)
{
    for (const struct command *const *c = command_list; *c; c++)
        if (strcmp((*c)->name, name) == 0)
            return *c;
    return NULL;
}
