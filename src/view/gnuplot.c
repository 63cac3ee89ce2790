/* Runs gnuplot, without a shell. Its three descriptors are files, so that neither process waits for the other
 * one's pipe. */
#include "view/plot.h"

#include "io/tempfile.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs it until it exits. fd: its descriptors 0 to 2, or -1 for /dev/null; *status as by wait(). */
static bool spawn(char *const argv[], const int fd[3], int *status, struct error *e)
{
    enum { MISSING = 127 };
    pid_t child = fork();
    if (child == 0) {
        for (int to = 0; to < 3; to++)
            if (dup2(fd[to] < 0 ? open("/dev/null", O_RDWR) : fd[to], to) < 0)
                _exit(EXIT_FAILURE);
        execvp(argv[0], argv);
        _exit(MISSING);
    }
    while (child > 0 && waitpid(child, status, 0) < 0)
        if (errno != EINTR)
            child = -1;
    if (child < 0)
        return error_system(e, errno, "cannot run gnuplot, which draws the pictures");
    if (!WIFEXITED(*status) || WEXITSTATUS(*status) != MISSING)
        return true;
    error_usage(e, "gnuplot draws the pictures, and it is not installed");
    return error_hint(e, "on Debian: apt-get install gnuplot-nox");
}

bool gnuplot_find(struct error *e)
{
    int status;
    return spawn((char *const[]){ "gnuplot", "--version", NULL }, (const int[]){ -1, -1, -1 }, &status, e);
}

/* The last line of gnuplot's messages that is not empty tells the cause: it becomes the excerpt. */
static bool explain(int messages, int status, struct error *e)
{
    char text[2048], *line = NULL, *rest = text;
    ssize_t n = pread(messages, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = 0;
    for (char *next; (next = strtok_r(rest, "\r\n", &rest));)
        line = next[strspn(next, " \t")] ? next : line;
    if (WIFSIGNALED(status))
        error_data(e, "gnuplot was killed by signal %d", WTERMSIG(status));
    else
        error_data(e, "gnuplot cannot draw this");
    return line ? error_excerpt(e, line, strlen(line)) : false;
}

/* True if the picture is whole. */
static bool check_end(int file, const char *end, struct error *e)
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

bool gnuplot_run(const char *script, const char *end, int out, struct error *e)
{
    char *const argv[] = { "gnuplot", "-d", "-", NULL };
    struct tempfile file[3] = { { .fd = -1 }, { .fd = -1 }, { .fd = -1 } }; /* script, picture, messages */
    int status;
    bool good = true;
    for (size_t i = 0; good && i < 3; i++)
        good = tempfile_hold(&file[i], out, e);
    good = good && tempfile_write(&file[0], 0, script, strlen(script), e) &&
           spawn(argv, (const int[]){ file[0].fd, file[1].fd, file[2].fd }, &status, e) &&
           (status == 0 || explain(file[2].fd, status, e)) && check_end(file[1].fd, end, e) &&
           tempfile_finish(&file[1], e);
    for (size_t i = 0; i < 3; i++)
        tempfile_close(&file[i]);
    return good;
}
