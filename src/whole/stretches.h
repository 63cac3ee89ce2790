/* How a long series is smoothed in bounded memory. What lies ahead fades by exp(-5.5) a period of the cutoff.
 * So the results of some samples, a stretch, are those of a series that reaches 14 periods farther to both
 * sides. Invariant: stretches depend on the samples' times alone, not on how they arrive. */
#ifndef SPRUNG_WHOLE_STRETCHES_H
#define SPRUNG_WHOLE_STRETCHES_H

#include <stdbool.h>
#include <stddef.h>

/* The time that counts for stretches: of a step over a pause, in which nothing fades, three usual steps. */
enum { STRETCH_STEPS = 7 /* the usual step is the median of as many steps */ };
struct stretch_time {
    double step[STRETCH_STEPS]; /* the last ones, in a ring */
    size_t n;                   /* steps so far */
    double now;                 /* seconds that count so far */
};

/* Takes a step of T seconds, > 0. Returns the seconds that count up to its sample. */
double stretch_time_take(struct stretch_time *time, double T);

/* How far a stretch reaches to both sides. */
struct stretch_reach {
    double seconds; /* of the time that counts; INFINITY: a single stretch takes the whole series */
    size_t samples; /* and as many more samples */
};

/* Seconds of 14 periods of a cutoff in Hz. */
double stretch_seconds(double cutoff);

/* Samples from `from` to to - 1 have their results, by the samples from `begin` to end - 1. */
struct stretch {
    size_t begin, from, to, end;
};

/* The stretch that begins with sample `from`. counted: [n] of stretch_time_take. all: no more samples come.
 * False: more samples are needed, and none before stretch->begin. */
bool stretch_find(const double *counted, size_t n, bool all, size_t from, struct stretch_reach reach,
                  struct stretch *stretch);

#endif
