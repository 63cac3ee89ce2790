/* The list of all commands, one line each. */
#include "cli/command.h"

const struct command *const command_list[] = { &command_response, &command_diff, &command_plot, &command_help,
                                               NULL };
