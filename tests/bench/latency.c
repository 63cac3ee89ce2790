// latency ROWS PAUSE COMMAND [ARGUMENT]...: how long a row of CSV takes through a command, over two pipes: a
// row is written, the answer awaited, then PAUSE microseconds nothing happens. Prints the median, what 99 of
// 100 rows stay under, and the worst, in microseconds. The status is 1 where a row does not come out within
// ten seconds.
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

// Reads until so many lines have come.
static bool answer(int from, int nline)
{
    char text[4096];
    while (nline > 0) {
        struct pollfd waiting = { .fd = from, .events = POLLIN };
        const ssize_t n = poll(&waiting, 1, 10000) == 1 ? read(from, text, sizeof text) : 0;
        if (n <= 0)
            return false;
        for (ssize_t i = 0; i < n; i++)
            nline -= text[i] == '\n';
    }
    return nline == 0;
}

static bool row(int to, int from, int i, double *took)
{
    char line[64];
    const int length = snprintf(line, sizeof line, "%s%d.%03d,%d.%06d\n", i == 0 ? "time,x\n" : "", i / 1000,
                                i % 1000, i % 7, i * 7919 % 1000000);
    const double begin = now();
    const bool good = write(to, line, (size_t)length) == length && answer(from, i == 0 ? 2 : 1);
    *took = now() - begin;
    return good;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    const int nrow = argc > 3 ? atoi(argv[1]) : 0, pause = argc > 3 ? atoi(argv[2]) : 0;
    int in[2], out[2];
    double *took = nrow > 0 ? malloc((size_t)nrow * sizeof *took) : NULL;
    if (!took || pipe(in) != 0 || pipe(out) != 0)
        return 2;
    signal(SIGPIPE, SIG_IGN);
    const pid_t child = fork();
    if (child == 0) {
        dup2(in[0], 0);
        dup2(out[1], 1);
        for (int i = 0; i < 2; i++) {
            close(in[i]);
            close(out[i]);
        }
        signal(SIGPIPE, SIG_DFL);
        execvp(argv[3], argv + 3);
        perror(argv[3]);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    // The first row waits for the program to start: it is not counted.
    bool good = child > 0 && row(in[1], out[0], 0, took);
    for (int i = 0; good && i < nrow; i++) {
        const struct timespec rest = { .tv_sec = pause / 1000000, .tv_nsec = pause % 1000000 * 1000L };
        nanosleep(&rest, NULL);
        good = row(in[1], out[0], i + 1, &took[i]);
    }
    close(in[1]);
    int status = 0;
    waitpid(child, &status, 0);
    if (!good || status != 0) {
        fputs("a row did not come out\n", stderr);
        return 1;
    }
    qsort(took, (size_t)nrow, sizeof *took, ascending);
    printf("%.1f %.1f %.1f\n", took[nrow / 2], took[nrow * 99 / 100], took[nrow - 1]);
    free(took);
}
