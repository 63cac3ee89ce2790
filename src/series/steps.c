/* Time steps and the coefficients for them. See steps.h. */
#include "series/steps.h"

#include "number/timestamp.h"

#include <stdlib.h>

bool steps_open(struct steps *s, const struct overrides *overrides)
{
    s->nset = overrides->n;
    s->set_of = overrides->of;
    s->set = calloc(s->nset, sizeof *s->set);
    s->T = calloc(s->maxrow, sizeof *s->T);
    bool good = s->set && s->T;
    for (size_t j = 0; good && s->rate != 0 && j < s->maxrow; j++)
        s->T[j] = 1 / s->rate;
    for (size_t i = 0; good && i < s->nset; i++) {
        struct coefficients *set = &s->set[i];
        set->settings = overrides->settings[i];
        set->cache = calloc(STEPS_CACHE * s->nstep + 1, sizeof *set->cache);
        set->step = calloc(s->maxrow * s->nstep + 1, sizeof *set->step);
        good = set->cache && set->step;
        for (size_t k = 0; k < STEPS_CACHE; k++)
            set->cached_T[k] = -1;
    }
    return good;
}

void steps_close(struct steps *s)
{
    for (size_t i = 0; s->set && i < s->nset; i++) {
        free(s->set[i].cache);
        free(s->set[i].step);
    }
    free(s->set);
    free(s->T);
}

struct timestamp steps_time(const struct steps *s, const struct group *g, const struct group_rows *r,
                            size_t j)
{
    if (s->rate == 0)
        return r->block->stamp[group_row(r, j)];
    struct timestamp counted = { 0, { (int64_t)g->nseen + (int64_t)j, 0, true } };
    counted.t = (double)counted.decimal.digits;
    return counted;
}

double steps_between(const struct steps *s, const struct timestamp *a, const struct timestamp *b)
{
    return s->rate == 0 ? timestamp_difference(a, b, s->unit) : (b->t - a->t) / s->rate;
}

double steps_seconds(const struct steps *s, const struct timestamp *a)
{
    return s->rate == 0 ? timestamp_seconds(a, s->unit) : a->t / s->rate;
}

/* With a rate all steps but the first are set when the steps are opened. */
bool steps_take(const struct steps *s, const struct group *g, const struct group_rows *r, double *T,
                size_t *n, struct error *e)
{
    if (s->rate != 0) {
        if (*n)
            T[0] = g->begun ? 1 / s->rate : 0;
        return true;
    }
    const struct timestamp *before = g->begun ? &g->last : &r->block->stamp[group_row(r, 0)];
    double same = 0; /* the last step, of so many units of 10^exp10: equal ones are not computed again */
    int64_t units = INT64_MIN;
    int exp10 = 0;
    for (size_t j = 0; j < *n; j++) {
        const struct timestamp *now = &r->block->stamp[group_row(r, j)];
        const struct number_decimal *p = &before->decimal, *q = &now->decimal;
        bool plain = p->exact && q->exact && p->exp10 == q->exp10;
        if (!plain || q->digits - p->digits != units || p->exp10 != exp10) {
            same = timestamp_difference(before, now, s->unit);
            units = plain ? q->digits - p->digits : INT64_MIN;
            exp10 = p->exp10;
        }
        T[j] = same;
        if (!(same >= 0)) {
            *n = j;
            columns_backward(s->columns, before, now, e);
            return error_place(e, block_line(r->block, group_row(r, j)), 0);
        }
        before = now;
    }
    return true;
}

/* The coefficients of a step of T, computed or remembered. */
static const double *find(struct steps *s, struct coefficients *set, double T)
{
    uint64_t bits;
    memcpy(&bits, &T, sizeof bits);
    size_t i = (bits * 0x9E3779B97F4A7C15u) >> 60;
    double *step = set->cache + i * s->nstep;
    if (set->cached_T[i] != T) {
        char text[256];
        s->filter->step(set->settings, T, step);
        set->cached_T[i] = T;
        if (!s->warned && s->filter->warn && s->filter->warn(set->settings, T, text, sizeof text)) {
            s->warned = true;
            messages_add(s->messages, s->file, "warning: %s", text);
        }
    }
    return step;
}

size_t steps_coefficients(struct steps *s, struct coefficients *set, const double *T, size_t n)
{
    size_t nstep = s->nstep, different = 0;
    double *step = set->step;
    for (size_t j = 1; j < steps_distinct(s, n); j++)
        different += T[j] != T[0];
    for (size_t j = 0; j < (different ? n : n > 0); j++) {
        if (j && T[j] == T[j - 1])
            memcpy(step + j * nstep, step + (j - 1) * nstep, nstep * sizeof *step);
        else if (T[j] > 0)
            memcpy(step + j * nstep, find(s, set, T[j]), nstep * sizeof *step);
    }
    return different ? nstep : 0;
}
