/* Writes all messages to standard error, checks the standard descriptors, and exits. */
#include "base/port.h"
#include "base/signals.h"
#include "cli/command.h"
#include "io/tempfile.h"
#include "run/progress.h"

#include <errno.h>
#include <stdlib.h>

static void say(const char *text, size_t n)
{
    struct error ignored; /* it could not be reported */
    tempfile_put(PORT_STDERR, text, n, &ignored);
}

int main(int argc, char **argv)
{
    struct messages messages = { .say = say };
    if (!port_reserve_stack()) {
        messages_text(&messages, "sprung: out of memory\n");
        return STATUS_TROUBLE;
    }
    if (!port_open_standard())
        return STATUS_TROUBLE;
    signals_open(progress_abort);
    enum status status = STATUS_TROUBLE;
    if (argc < 2)
        command_usage(&messages);
    else
        status = command_run(argc - 1, argv + 1, &messages);
    /* Closing reports the write errors that the kernel has not reported yet. */
    if (port_close(PORT_STDOUT) != 0 && errno != EBADF) {
        struct error e;
        error_system(&e, errno, "cannot write standard output");
        messages_error(&messages, NULL, &e);
        status = STATUS_TROUBLE;
    }
    messages_free(&messages);
    return (int)status;
}
