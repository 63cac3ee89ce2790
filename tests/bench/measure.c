// measure REPORT COMMAND [ARGUMENT]...: runs the command, and writes one line to REPORT: its seconds by the
// clock and the kilobytes of memory it held at most. The status is the command's. This program is small, so
// that what the command inherits from it is no memory worth counting.
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    struct timespec begin, end;
    struct rusage usage;
    int status;
    if (argc < 3)
        return 125;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    const pid_t child = fork();
    if (child == 0) {
        execvp(argv[2], argv + 2);
        perror(argv[2]);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child)
        return 125;
    clock_gettime(CLOCK_MONOTONIC, &end);
    FILE *report = fopen(argv[1], "w");
    if (!report)
        return 125;
    const double seconds = (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    double user = (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec;
    fprintf(report, "%.6f %ld %.6f\n", seconds, usage.ru_maxrss, user);
    if (fclose(report) != 0)
        return 125;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
