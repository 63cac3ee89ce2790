/* The only file that writes to standard error, judges the standard descriptors, exits, and knows statuses.
 * (When a signal ends the program, progress.c wipes its line off the terminal by itself.) */
#include "base/signals.h"
#include "cli/command.h"
#include "cli/commands/help.h"
#include "io/tempfile.h"
#include "run/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void say(const char *text, size_t n)
{
    struct error ignored; /* there is nowhere left to complain */
    tempfile_put(STDERR_FILENO, text, n, &ignored);
}

/* A descriptor that is closed at the start is opened the wrong way round, so that no data file takes its
 * place and using it is an error all the same. */
static bool guard(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
            return false;
    return true;
}

static enum status dispatch(int argc, char **argv, struct messages *messages)
{
    const struct filter *filter = filter_find(argv[0]);
    if (filter)
        return filter_command(filter, argc, argv, messages);
    const struct command *command = command_find(argv[0]);
    return command ? command->run(argc, argv, messages) : help_unknown(argv[0], messages);
}

int main(int argc, char **argv)
{
    struct messages messages = { .say = say };
    if (!guard())
        return STATUS_TROUBLE;
    signals_open(progress_abort);
    enum status status = argc < 2 ? help_short(&messages) : dispatch(argc - 1, argv + 1, &messages);
    /* What the kernel could not write shows at the latest here. */
    if (close(STDOUT_FILENO) != 0 && errno != EBADF) {
        struct error e;
        error_system(&e, errno, "cannot write standard output");
        messages_error(&messages, NULL, &e);
        status = STATUS_TROUBLE;
    }
    messages_free(&messages);
    return (int)status;
}
