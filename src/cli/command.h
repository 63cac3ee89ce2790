/* A command: main.c finds it by name and runs it. Adding one: a file in src/cli/commands with a `const struct
 * command`, its name below and in src/cli/commands/list.c. A filter is no command: its name is given in a
 * command's place. */
#ifndef SPRUNG_CLI_COMMAND_H
#define SPRUNG_CLI_COMMAND_H

#include "base/messages.h"
#include "cli/options.h"

enum status { STATUS_DONE = 0, STATUS_DIFFERENT = 1, STATUS_TROUBLE = 2 };

struct command {
    const char *name, *summary;
    const char *operands;                     /* as the usage line shows them */
    const char *about;                        /* paragraphs, an empty line between */
    const struct option_table *const *tables; /* NULL-terminated */
    bool takes_filter; /* a filter follows its name, and the filter's own options belong to it */
    /* argv[0] is the command's name. messages receives what is printed to standard error, errors too. */
    enum status (*run)(int argc, char **argv, struct messages *messages);
};

extern const struct command command_response, command_diff, command_plot, command_help;

/* All of them, NULL-terminated. */
extern const struct command *const command_list[];

/* The command of that name, or NULL. */
const struct command *command_find(const char *name);

/* Reports the error, which is about that file; NULL: about none. */
static inline enum status command_trouble(struct messages *messages, const char *file, const struct error *e)
{
    messages_error(messages, file, e);
    return STATUS_TROUBLE;
}

/* A command line, and what to do with it. */
struct command_line {
    int argc;
    char **argv;                   /* argv[0] is the name of the filter or command */
    const struct command *command; /* NULL: the filter itself */
    const struct filter *filter;   /* whose options come first; NULL: none */
    void *const *settings;         /* of the command's tables without options_general, in order */
    enum status (*work)(const struct command_line *line, const struct texts *operands,
                        struct messages *messages);
    void *own; /* made for work: the filter's settings, not checked yet */
};

/* Parses the options, then prints help or version if they ask for it, or calls work. */
enum status command_run(struct command_line line, struct messages *messages);

/* `sprung FILTER [OPTION]... [FILE]...`. argv[0] is the filter's name. */
enum status filter_command(const struct filter *filter, int argc, char **argv, struct messages *messages);

#endif
