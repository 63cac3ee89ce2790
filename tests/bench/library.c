/* libsprung in a loop: library row|damp|many|smooth N prints nanoseconds. row: the critical spring, one
 * channel, a call a row, N rows; damp: SmoothDamp of Unity written out in C, likewise; many: 1,000 channels a
 * call, per channel, N calls; smooth: sprung_smooth of N rows of butterworth at 6 Hz and 120 rows a second,
 * per row. The least of five turns. */
#include "sprung.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TURNS = 5, MANY = 1000 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static sprung *opened(size_t n)
{
    sprung *filter;
    char message[200];
    if (sprung_open(&filter, "critical", "halflife=0.1", n, message, sizeof message) == SPRUNG_OK)
        return filter;
    fprintf(stderr, "%s\n", message);
    exit(1);
}

static double goal_of(size_t i)
{
    return i & 64 ? 1 : 0;
}

static double row(size_t n)
{
    sprung *filter = opened(1);
    double step = 1.0 / 60, x = 0, sum = 0;
    for (size_t i = 0; i < n; i++) {
        double goal = goal_of(i);
        sprung_process(filter, 1, &step, &goal, NULL, &x, NULL, NULL);
        sum += x;
    }
    sprung_close(filter);
    return sum;
}

/* Thomas Lowe, "Critically Damped Ease-In/Ease-Out Smoothing", Game Programming Gems 4 (2004). */
static double smooth_damp(double x, double goal, double *velocity, double smooth_time, double T)
{
    double omega = 2 / smooth_time, u = omega * T;
    double fade = 1 / (1 + u + 0.48 * u * u + 0.235 * u * u * u);
    double change = x - goal, way = (*velocity + omega * change) * T;
    *velocity = (*velocity - omega * way) * fade;
    return goal + (change + way) * fade;
}

static double damp(size_t n)
{
    double x = 0, velocity = 0, sum = 0;
    for (size_t i = 0; i < n; i++) {
        x = smooth_damp(x, goal_of(i), &velocity, 0.1 / 0.69314718055994531, 1.0 / 60);
        sum += x;
    }
    return sum;
}

static double many(size_t n)
{
    static double goal[MANY], x[MANY];
    sprung *filter = opened(MANY);
    double step = 1.0 / 60, sum = 0;
    for (size_t i = 0; i < n; i++) {
        goal[i % MANY] = goal_of(i) + 1;
        sprung_process(filter, 1, &step, goal, NULL, x, NULL, NULL);
        sum += x[i % MANY];
    }
    sprung_close(filter);
    return sum;
}

static double smooth(size_t n)
{
    double *time = malloc(3 * n * sizeof *time), *goal = time + n, *x = goal + n, sum = 0;
    char message[200];
    for (size_t i = 0; i < n; i++) {
        time[i] = (double)i / 120;
        goal[i] = sin((double)i / 100) + (double)(i * 2654435761u % 1000) / 1e5;
    }
    double begun = now();
    if (sprung_smooth("cutoff=6", n, 1, time, goal, x, NULL, NULL, message, sizeof message) != SPRUNG_OK) {
        fprintf(stderr, "%s\n", message);
        exit(1);
    }
    sum = now() - begun;
    free(time);
    return sum;
}

int main(int argc, char **argv)
{
    size_t n = argc == 3 ? (size_t)strtoul(argv[2], NULL, 10) : 0;
    double least = INFINITY, sum = 0;
    for (int turn = 0; turn < TURNS && n > 0; turn++) {
        double begun = now(), each = (double)n, seconds;
        if (strcmp(argv[1], "row") == 0)
            sum += row(n);
        else if (strcmp(argv[1], "damp") == 0)
            sum += damp(n);
        else if (strcmp(argv[1], "many") == 0)
            sum += many(n), each *= MANY;
        seconds = strcmp(argv[1], "smooth") == 0 ? smooth(n) : now() - begun;
        least = seconds / each < least ? seconds / each : least;
    }
    if (n == 0 || !isfinite(sum))
        return 2;
    printf("%.2f\n", least * 1e9);
    return 0;
}
