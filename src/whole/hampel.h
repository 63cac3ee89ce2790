/* --despike: the rule that tells whether a sample is a spike, over a window of samples of one channel or
 * one rotation. Invariant: the result depends on the window and on the group's earlier rows only. */
#ifndef SPRUNG_WHOLE_HAMPEL_H
#define SPRUNG_WHOLE_HAMPEL_H

#include <stdbool.h>
#include <stddef.h>

enum {
    HAMPEL_ROWS = 5,   /* on each side of a sample: the default, */
    HAMPEL_MOST = 500, /* and the most */
};

struct hampel {        /* what is known of one channel or rotation; zeroed at the start of its series */
    double sum;        /* of the non-zero second differences of accepted samples, */
    size_t n;          /* how many they are, */
    double resolution; /* and the least one */
    size_t accepted;   /* samples up to the last one since the last spike */
};

/* True if sample i of a window of n is a spike. The window has the valid samples within N rows of i, at most
 * HAMPEL_MOST on each side, at times t[0..n) in seconds that do not fall; sample j is the vector x[0][j] ..
 * x[ncolumn - 1][j], of at most 4 numbers. Call it once for each valid sample, in order; it updates *noise.
 * The memory stays the caller's; never fails. */
bool hampel_spike(struct hampel *noise, double factor, const double *t, const double *const x[],
                  size_t ncolumn, size_t n, size_t i);

#endif
