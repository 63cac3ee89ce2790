/* --predict. Each prediction is one more row in a copy of the state, S seconds after the row, with the goal
 * where it is. */
#include "springs/filter.h"

enum { TOGETHER = 3 }; /* most components of a vector */

/* The coefficients of a step of each S. */
struct later_steps {
    double of[RUN_MAXANY / 2][FILTER_MAXSTEP];
};

/* Columns of n channels from channel c on, at row i. */
struct columns {
    const double *goal[TOGETHER];
    const unsigned char *flags[TOGETHER];
    double *out[TOGETHER * FILTER_MAXOUT];
};

/* Predicts from the state after a row of n channels from channel c on. row: that row by itself. */
static void predict(const struct run *run, const struct run *row, size_t c, size_t i,
                    const struct later_steps *steps)
{
    static const unsigned char no_next = FLAG_NO_NEXT;
    const struct filter *filter = run->predicts;
    const struct numbers *seconds = filter_values(filter, run->settings);
    const size_t own = filter->shape.nout, each = filter->each.nout, nstate = filter->shape.nstate;
    const unsigned char *const flags[TOGETHER] = { &no_next, &no_next, &no_next };
    for (size_t p = 0; p < seconds->nvalue; p++) {
        double state[TOGETHER * FILTER_MAXSTATE], unused, *out[TOGETHER * FILTER_MAXOUT];
        for (size_t k = 0; k < row->nchannel; k++)
            for (size_t o = 0; o < own; o++)
                out[k * own + o] = o < each ? run->out[(c + k) * run->shape->nout + own + p * each + o] + i
                                            : &unused;
        memcpy(state, row->state, row->nchannel * nstate * sizeof *state);
        struct run later = *row;
        later.T = &seconds->value[p];
        later.step = steps->of[p];
        later.flags = flags;
        later.out = out;
        later.state = state;
        filter->run(&later);
    }
}

/* Takes n channels from channel c on through every row, each with its predictions. */
static void run_together(const struct run *run, size_t c, size_t n, const struct later_steps *steps)
{
    const struct filter *filter = run->predicts;
    const size_t own = filter->shape.nout;
    for (size_t i = 0; i < run->nrow; i++) {
        struct columns at;
        struct run row = *run;
        for (size_t k = 0; k < n; k++) {
            at.goal[k] = run->goal[c + k] + i;
            at.flags[k] = run->flags ? run->flags[c + k] + i : NULL;
            for (size_t o = 0; o < own; o++)
                at.out[k * own + o] = run->out[(c + k) * run->shape->nout + o] + i;
        }
        row.shape = &filter->shape;
        row.nrow = 1;
        row.nchannel = n;
        row.T += i;
        row.step += i * run->step_stride;
        row.goal = at.goal;
        row.flags = run->flags ? at.flags : NULL;
        row.out = at.out;
        row.state += c * filter->shape.nstate;
        row.origin = run->origin ? run->origin + c : NULL;
        row.predicts = NULL;
        filter->run(&row);
        if (!run->flags || !(*at.flags[0] & FLAG_NO_VALUE))
            predict(run, &row, c, i, steps);
    }
}

void run_predicting(const struct run *run)
{
    const struct numbers *seconds = filter_values(run->predicts, run->settings);
    const size_t n = run->sizes ? run->nchannel : 1;
    struct later_steps steps;
    for (size_t p = 0; p < seconds->nvalue; p++)
        run->predicts->step(run->settings, seconds->value[p], steps.of[p]);
    for (size_t c = 0; c < run->nchannel; c += n)
        run_together(run, c, n, &steps);
}
