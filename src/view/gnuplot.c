/* Runs gnuplot. See gnuplot.h. Its three descriptors are files, so that it never waits for us nor we for
 * it. */
#include "view/gnuplot.h"

#include "io/tempfile.h"
#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static bool missing(int errnum, struct error *e)
{
    if (errnum != ENOENT && errnum != EACCES)
        return error_system(e, errnum, "cannot run gnuplot, which draws the pictures");
    error_usage(e, "gnuplot draws the pictures, and it is not installed");
    return error_hint(e, "on Debian: apt-get install gnuplot-nox");
}

/* Runs it to its end; *status is that of wait(). */
static bool spawn(char *const argv[], int in, int out, int messages, int *status, struct error *e)
{
    posix_spawn_file_actions_t files;
    pid_t child;
    int errnum = posix_spawn_file_actions_init(&files);
    if (errnum)
        return error_system(e, errnum, "cannot run gnuplot");
    const int from[] = { in, out, messages };
    for (int to = 0; to < 3 && !errnum; to++)
        errnum = from[to] < 0 ? posix_spawn_file_actions_addopen(&files, to, "/dev/null", to ? 1 : 0, 0)
                              : posix_spawn_file_actions_adddup2(&files, from[to], to);
    if (!errnum)
        errnum = posix_spawnp(&child, argv[0], &files, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&files);
    if (errnum)
        return missing(errnum, e);
    while (waitpid(child, status, 0) < 0)
        if (errno != EINTR)
            return error_system(e, errno, "cannot wait for gnuplot");
    return WIFEXITED(*status) && WEXITSTATUS(*status) == 127 ? missing(ENOENT, e) : true;
}

bool gnuplot_find(struct error *e)
{
    char *const argv[] = { "gnuplot", "--version", NULL };
    int status;
    return spawn(argv, -1, -1, -1, &status, e);
}

/* What gnuplot has to say, as an excerpt: its last line but empty ones is the cause. */
static bool explain(int messages, int status, struct error *e)
{
    char text[2048];
    ssize_t n = pread(messages, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = 0;
    char *end = text + strlen(text);
    while (end > text && strchr(" \n\r\t", end[-1]))
        *--end = 0;
    char *line = strrchr(text, '\n');
    line = line ? line + 1 : text;
    if (WIFSIGNALED(status))
        error_data(e, "gnuplot was killed by signal %d", WTERMSIG(status));
    else
        error_data(e, "gnuplot cannot draw this");
    return line[0] ? error_excerpt(e, line, strlen(line)) : false;
}

static bool run(const char *script, size_t n, const int file[3], struct error *e)
{
    char *const argv[] = { "gnuplot", "-d", "-", NULL };
    int status;
    if (!tempfile_put(file[0], script, n, e))
        return false;
    if (lseek(file[0], 0, SEEK_SET) < 0)
        return error_system(e, errno, "cannot read a temporary file");
    if (!spawn(argv, file[0], file[1], file[2], &status, e))
        return false;
    return status == 0 ? true : explain(file[2], status, e);
}

/* Is the drawing whole? */
static bool whole(int file, const char *end, struct error *e)
{
    char tail[64];
    off_t size = lseek(file, 0, SEEK_END), from = size > (off_t)sizeof tail ? size - (off_t)sizeof tail : 0;
    ssize_t n = size < 0 ? -1 : pread(file, tail, sizeof tail, from);
    if (n < 0)
        return error_system(e, errno, "cannot read a temporary file");
    if (n == 0 || (end && !memmem(tail, (size_t)n, end, strlen(end))))
        return error_data(e, n ? "gnuplot has drawn a part only: is the disk full?"
                               : "gnuplot has drawn nothing");
    return true;
}

/* Copies the drawing to its place. */
static bool copy(int from, int to, struct error *e)
{
    char buf[1 << 16];
    for (off_t at = 0;;) {
        ssize_t n = pread(from, buf, sizeof buf, at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return error_system(e, errno, "cannot read a temporary file");
        if (n == 0)
            return true;
        if (!tempfile_put(to, buf, (size_t)n, e))
            return false;
        at += n;
    }
}

bool gnuplot_run(const char *script, size_t n, const char *end, int out, struct error *e)
{
    int file[3] = { -1, -1, -1 };
    bool good = true;
    for (int i = 0; i < 3 && good; i++)
        good = (file[i] = tempfile_temporary(e)) >= 0;
    good = good && run(script, n, file, e) && whole(file[1], end, e) && copy(file[1], out, e);
    for (int i = 0; i < 3; i++)
        if (file[i] >= 0)
            close(file[i]);
    return good;
}
