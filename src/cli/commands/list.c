/* The list of all commands but the filters. One line a command. */
#include "cli/commands/command.h"

#define COMMANDS X(command_response) X(command_diff) X(command_plot) X(command_help)

#define X(name) extern const struct command name;
COMMANDS
#undef X

#define X(name) &name,
const struct command *const command_list[] = { COMMANDS NULL };
#undef X
