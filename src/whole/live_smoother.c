/* The formulas are those of smoother.c. A run begins with the first sample at rest, of which little is
 * certain: after a period the beginning does not count. See live_smoother.h. */
#include "whole/live_smoother.h"

#include "base/array.h"
#include "whole/smoothing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define UNCERTAIN 1e6 /* times the variance that the velocity has later: that at the beginning */

struct live_sample {
    double T;
    double K1, K2, P11, P12, P22;                       /* gain, and covariance of the prediction */
    double x[LIVE_WIDTH], v[LIVE_WIDTH], e[LIVE_WIDTH]; /* prediction, and innovation over its variance */
    bool begins; /* a run begins here: the sample stands for its own prediction */
    bool known;  /* a run is under way */
};

void live_free(struct live_smoother *live)
{
    free(live->at);
    live->at = NULL;
}

/* The prediction for the newest sample. */
static void predict(struct live_smoother *live, double T)
{
    const double a2 = live->a2;
    for (size_t c = 0; c < live->width; c++)
        live->x[c] += T * live->v[c];
    live->P11 += T * (2 * live->P12 + T * live->P22) + T * T * T / (3 * a2);
    live->P12 += T * live->P22 + T * T / (2 * a2);
    live->P22 += T / a2;
}

/* A run begins with a sample. Its own weight is known when the next one comes. */
static void begin(struct live_smoother *live, struct live_sample *sample, const double *x)
{
    const double w = 2 * M_PI * live->cutoff;
    for (size_t c = 0; c < live->width; c++) {
        live->x[c] = x[c];
        live->v[c] = 0;
    }
    live->P11 = w;
    live->P12 = 0;
    live->P22 = UNCERTAIN * w * w * w;
    sample->begins = true;
    live->nknown = 1;
}

/* Corrects the prediction by a known sample, which stands for `weight` seconds. */
static void correct(struct live_smoother *live, struct live_sample *sample, double weight, const double *x)
{
    const double per_s = 1 / (live->P11 + 1 / weight), left = per_s / weight;
    sample->K1 = live->P11 * per_s;
    sample->K2 = live->P12 * per_s;
    for (size_t c = 0; c < live->width; c++) {
        const double e = x[c] - live->x[c];
        sample->e[c] = e * per_s;
        live->x[c] += sample->K1 * e;
        live->v[c] += sample->K2 * e;
    }
    live->P22 -= sample->K2 * live->P12;
    live->P11 *= left;
    live->P12 *= left;
    live->nknown++;
}

/* The second sample of a run shows what the first one stands for. */
static void weigh_first(struct live_smoother *live, double T)
{
    struct live_sample *first = &live->at[live->n - 1];
    live->P11 = 1 / T;
    live->P22 = fmax(live->P22, UNCERTAIN / (T * T * T)); /* far more than the second sample says */
    if (first->begins) {
        first->P11 = live->P11;
        first->P22 = live->P22;
    }
}

bool live_take(struct live_smoother *live, double T, const double *x, bool restart, struct error *e)
{
    bool known = true;
    for (size_t c = 0; c < live->width; c++)
        known &= !isnan(x[c]);
    if (live->n == live->max && live->first > live->max / 2) {
        memmove(live->at, live->at + live->first, (live->n - live->first) * sizeof *live->at);
        live->n -= live->first;
        live->first = 0;
    }
    if (!array_reserve(&live->at, live->n + 1, &live->max, sizeof *live->at, e))
        return false;
    struct live_sample sample = { .T = T };
    const double last = live->n > live->first ? live->at[live->n - 1].T : 0;
    live->since += T;
    if (restart || (known && live->since * live->cutoff > SMOOTHING_LONGEST_GAP))
        live->nknown = 0;
    if (known)
        live->since = 0;
    if (!(live->a2 > 0) && T > 0)
        live->a2 = smoother_penalty(fmin(live->cutoff, 0.499 / T), T);
    if (live->nknown == 1 && live->at[live->n - 1].begins)
        weigh_first(live, T);
    if (live->nknown > 0)
        predict(live, T);
    else if (known)
        begin(live, &sample, x);
    sample.known = live->nknown > 0;
    sample.P11 = live->P11;
    sample.P12 = live->P12;
    sample.P22 = live->P22;
    memcpy(sample.x, live->x, sizeof sample.x);
    memcpy(sample.v, live->v, sizeof sample.v);
    if (known && !sample.begins)
        correct(live, &sample, last > 0 && smoothing_is_long(T, last) ? last : T, x);
    live->at[live->n++] = sample;
    return true;
}

/* The component c of the result of a sample, where the adjoint after it is known. */
static void set_result(const struct live_smoother *live, const struct live_sample *sample, size_t c,
                       double m1, double m2, struct live_result *result)
{
    result->x[c] = sample->x[c] - (sample->P11 * m1 + sample->P12 * m2);
    result->velocity[c] = sample->v[c] - (sample->P12 * m1 + sample->P22 * m2);
    result->acceleration[c] = live->a2 > 0 ? -m2 / live->a2 : 0;
}

struct live_result live_get(const struct live_smoother *live, size_t age)
{
    struct live_result result;
    const struct live_sample *wanted = &live->at[live->n - 1 - age];
    for (size_t c = 0; c < LIVE_WIDTH; c++)
        result.x[c] = result.velocity[c] = result.acceleration[c] = (double)NAN;
    if (!wanted->known)
        return result;
    for (size_t c = 0; c < live->width; c++) {
        double l1 = 0, l2 = 0;
        for (const struct live_sample *sample = &live->at[live->n - 1]; sample > wanted; sample--) {
            const double m1 = l1 - sample->K1 * l1 - sample->K2 * l2 - sample->e[c];
            l2 = sample->begins || !sample->known ? 0 : l2 + sample->T * m1;
            l1 = sample->begins || !sample->known ? 0 : m1;
        }
        const double m1 = l1 - wanted->K1 * l1 - wanted->K2 * l2 - wanted->e[c];
        set_result(live, wanted, c, m1, l2, &result);
    }
    return result;
}

void live_drop(struct live_smoother *live, size_t age)
{
    if (live->n - live->first > age + 1)
        live->first = live->n - age - 1;
}
