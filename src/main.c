/* The only file that writes to standard error, checks the standard descriptors, and exits. (When a signal
 * ends the program, progress.c clears its line on the terminal itself.) */
#include "base/hash.h"
#include "base/port.h"
#include "base/signals.h"
#include "cli/command.h"
#include "io/tempfile.h"
#include "run/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void say(const char *text, size_t n)
{
    struct error ignored; /* it could not be reported */
    tempfile_put(STDERR_FILENO, text, n, &ignored);
}

/* Opens a standard descriptor that is closed at the start on /dev/null in the wrong direction, so that no
 * data file gets its number, and using it is still an error. */
static bool open_closed_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
            return false;
    return true;
}

int main(int argc, char **argv)
{
    struct messages messages = { .say = say };
    if (!port_reserve_stack()) {
        messages_text(&messages, "sprung: out of memory\n");
        return STATUS_TROUBLE;
    }
    if (!open_closed_descriptors())
        return STATUS_TROUBLE;
    if (!port_random(hash_key, sizeof hash_key))
        hash_key[0] = (uintptr_t)&messages; /* an old kernel: drawn at random as well, by its loader */
    signals_open(progress_abort);
    enum status status = STATUS_TROUBLE;
    if (argc < 2)
        command_usage(&messages);
    else
        status = command_run(argc - 1, argv + 1, &messages);
    /* Closing reports the write errors that the kernel has not reported yet. */
    if (close(STDOUT_FILENO) != 0 && errno != EBADF) {
        struct error e;
        error_system(&e, errno, "cannot write standard output");
        messages_error(&messages, NULL, &e);
        status = STATUS_TROUBLE;
    }
    messages_free(&messages);
    return (int)status;
}
