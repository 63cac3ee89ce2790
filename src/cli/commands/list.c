/* The list of all commands, one line each. */
#include "cli/command.h"

#include <string.h>

const struct command *const command_list[] = { &command_response, &command_diff, &command_plot, &command_help,
                                               NULL };

const struct command *command_find(const char *name)
{
    for (const struct command *const *c = command_list; *c; c++)
        if (strcmp((*c)->name, name) == 0)
            return *c;
    return NULL;
}
