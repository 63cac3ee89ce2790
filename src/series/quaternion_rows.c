/* Quaternions in the rows of a chunk: targets, cuts, and the filter.
 *
 * The error of a rotation x with the target g is the rotation vector log(x g*), in the world frame; the
 * filter's own matrix moves its three components like any error. So a row of a quaternion is a row of three
 * channels whose target is 0: states that are positions are expressed relative to the row's target before the
 * step, and the output is a rotation from that target. Errors stay as they are where the target does;
 * otherwise error and old target are added as rotations. Rates are vectors in the world frame and stay as
 * they are. */
#include "series/chunk.h"
#include "series/rotation.h"

#include <float.h>
#include <math.h>

enum { MAXSTATE = 3 * FILTER_MAXSTATE, MAXOUT = 3 * FILTER_MAXOUT };

#define ROUNDED 1e-3 /* a quaternion of three decimals has its length to this */

/* Are they the components of a rotation: finite, and not all 0? Also true where one is missing. */
static bool is_rotation(const double q[4])
{
    bool finite = true, any = false;
    for (size_t k = 0; k < 4; k++) {
        if (isnan(q[k]))
            return true;
        finite &= isfinite(q[k]);
        any |= q[k] != 0;
    }
    return finite && any;
}

void quaternion_rows_check(struct series *s, struct block *b)
{
    const struct quaternions *all = s->c.quaternions;
    for (size_t i = 0; all && i < all->n; i++)
        for (size_t j = 0; j < b->nrow; j++) {
            const struct quaternion *q = &all->at[i];
            struct spot here = { b, j };
            struct error e;
            double goal[4];
            for (size_t k = 0; k < 4; k++)
                goal[k] = block_value(b, q->channel[k])[j];
            if (is_rotation(goal))
                continue;
            error_data(&e, "this is no rotation: the four components are 0, or not finite");
            error_column(&e, s->c.columns->column[q->column[0]].name);
            error_hint(&e, "a rotation that is not known is a gap: empty cells");
            series_fail(s, here, here, &e);
        }
}

void quaternion_rows_read(struct row_flags *f, const struct quaternions *all, struct group *g,
                          const struct chunk *w)
{
    for (size_t i = 0; all && i < all->n; i++) {
        const struct quaternion *q = &all->at[i];
        for (size_t p = w->nheld; p < w->n; p++) {
            double goal[4], dot = 0;
            bool gap = false;
            for (size_t k = 0; k < 4; k++) {
                goal[k] = block_value(w->rows->block, q->channel[k])[group_row(w->rows, p - w->nheld)];
                gap |= isnan(goal[k]);
            }
            for (size_t k = 0; k < 4; k++)
                dot += goal[k] * g->channel[q->channel[k]].component;
            for (size_t k = 0; k < 4; k++) {
                goal[k] = gap ? (double)NAN : dot < 0 ? -goal[k] : goal[k];
                f->goal[q->channel[k] * f->stride + p] = goal[k];
                if (!gap)
                    g->channel[q->channel[k]].component = goal[k];
            }
        }
    }
}

/* The target at row p, of length 1. */
static void goal_at(const struct row_flags *f, const struct quaternion *q, size_t p, double goal[4])
{
    for (size_t k = 0; k < 4; k++)
        goal[k] = f->goal_at[q->channel[k]][p];
    rotation_unit(goal);
}

/* The rotation vector that takes b to a. */
static void vector_between(const double a[4], const double b[4], double v[3])
{
    double way[4];
    rotation_between(a, b, way);
    rotation_log(way, v);
}

static double norm(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

bool quaternion_rows_jump(const struct series *s, struct group *g, const struct quaternion *q, size_t p,
                          double part)
{
    const double *T = s->steps.T;
    double before[4], here[4], next[4], in[3], out[3], bend[3], T_in = T[p], T_out = T[p + 1];
    for (size_t k = 0; k < 4; k++)
        before[k] = g->channel[q->channel[k]].before;
    rotation_unit(before);
    goal_at(&s->flags, q, p, here);
    goal_at(&s->flags, q, p + 1, next);
    vector_between(here, before, in);
    vector_between(next, here, out);
    for (size_t i = 0; i < 3; i++)
        bend[i] = out[i] / T_out - in[i] / T_in;
    return detect_bend(&g->channel[q->channel[0]].detect, s->c.detect, norm(bend),
                       4 * DBL_EPSILON * 3 * (1 / T_in + 1 / T_out), norm(in), norm(out) / part);
}

/* v, a rotation vector from the last target, becomes one from the next target; way leads from that one to the
 * last one, and p is its rotation vector. */
static void change_base(double *v[3], const double way[4], const double p[3])
{
    double at[3] = { *v[0], *v[1], *v[2] }, q[4], product[4];
    if (p[0] == 0 && p[1] == 0 && p[2] == 0 && norm(at) <= M_PI)
        return;
    rotation_exp(at, q);
    rotation_multiply(q, way, product);
    rotation_log(product, at);
    for (size_t i = 0; i < 3; i++)
        *v[i] = at[i];
}

/* Expresses the states of three channels, each of n doubles, relative to this row's target; before: the
 * target of the last row. */
static void move_states(const struct filter *filter, double *state, size_t n, const double before[4],
                        const double goal[4])
{
    double way[4], p[3];
    rotation_between(before, goal, way);
    rotation_log(way, p);
    for (size_t i = 1; i < n; i++) {
        double *v[3] = { state + i, state + n + i, state + 2 * n + i };
        bool error = filter->errors >> i & 1;
        if (!error && !(filter->points >> i & 1))
            continue;
        change_base(v, way, p);
        for (size_t k = 0; k < 3 && error; k++)
            *v[k] -= p[k];
    }
    for (size_t k = 0; k < 3; k++)
        state[k * n] = p[k];
}

/* One row of a rotation as three channels. */
struct row {
    double goal[4], next[4];
    double state[MAXSTATE], out[MAXOUT], start[3];
    unsigned char flags;
};

static void filter_one_row(struct series *s, const struct coefficients *set, struct row *row, size_t p,
                           size_t step_stride)
{
    size_t nout = s->shape.nout;
    double goals[3][2] = { { 0 } }, next[3] = { 0 };
    const double *goal[3] = { goals[0], goals[1], goals[2] };
    const unsigned char *flags[3] = { &row->flags, &row->flags, &row->flags };
    double *out[MAXOUT];
    for (size_t i = 0; i < 3 * nout; i++)
        out[i] = &row->out[i];
    if (s->c.filter->ahead && !(row->flags & (FLAG_NO_NEXT | FLAG_START)))
        vector_between(row->next, row->goal, next);
    for (size_t i = 0; i < 3; i++)
        goals[i][1] = next[i];
    struct run run = {
        .settings = set->settings,
        .shape = &s->shape,
        .nrow = 1,
        .nchannel = 3,
        .T = s->steps.T + p,
        .step = set->step + p * step_stride,
        .goal = goal,
        .flags = row->flags ? flags : NULL,
        .part = s->flags.aside ? s->flags.part + p : NULL,
        .out = out,
        .state = row->state,
        .origin = isnan(s->c.settings->start) ? NULL : row->start,
        .ahead = s->c.filter->ahead,
    };
    s->c.filter->run(&run);
}

/* Output 0 is a rotation from the target. Of q and -q the one nearer to the target is printed; and where
 * there is nothing between, the target itself, with the digits that it was read with. */
static void print_row(struct series *s, const struct quaternion *q, const struct row *row, size_t p)
{
    size_t nout = s->shape.nout;
    double v[3] = { row->out[0], row->out[nout], row->out[2 * nout] }, turn[4], x[4];
    bool still = v[0] == 0 && v[1] == 0 && v[2] == 0;
    rotation_exp(v, turn);
    rotation_multiply(turn, row->goal, x);
    double sign = turn[0] < 0 ? -1 : 1, read[4], square = 0;
    for (size_t k = 0; k < 4; k++) {
        read[k] = s->flags.goal_at[q->channel[k]][p];
        square += read[k] * read[k];
    }
    bool as_read = still && fabs(sqrt(square) - 1) <= ROUNDED;
    if (!rotation_unit(x))
        x[0] = x[1] = x[2] = x[3] = (double)NAN;
    for (size_t k = 0; k < 4; k++) {
        double *const *out = s->out.at + q->channel[k] * nout;
        out[0][p] = as_read ? read[k] : still ? row->goal[k] : sign * x[k];
        for (size_t o = 1; o < nout; o++)
            out[o][p] = k ? row->out[(k - 1) * nout + o] : 0;
    }
}

static void filter_rotation(struct series *s, struct group *g, const struct chunk *w,
                            const struct quaternion *q, size_t step_stride)
{
    static const double identity[4] = { 1, 0, 0, 0 }; /* where --start zero begins */
    size_t n = s->shape.nstate;
    struct row row;
    double before[4], kept[MAXSTATE];
    for (size_t i = 0; i < 3; i++)
        memcpy(row.state + i * n, g->state + q->channel[i + 1] * n, n * sizeof *row.state);
    for (size_t k = 0; k < 4; k++)
        before[k] = g->channel[q->channel[k]].unit;
    for (size_t p = 0; p < w->nrun; p++) {
        row.flags = s->flags.flags_at[q->channel[0]][p];
        if (row.flags & (FLAG_NO_VALUE | FLAG_ZERO_DT))
            continue;
        bool aside = row.flags & FLAG_ASIDE;
        memcpy(kept, row.state, 3 * n * sizeof *kept);
        goal_at(&s->flags, q, p, row.goal);
        if (row.flags & FLAG_START)
            vector_between(identity, row.goal, row.start);
        else
            move_states(s->c.filter, row.state, n, before, row.goal);
        if (s->c.filter->ahead && !(row.flags & FLAG_NO_NEXT))
            goal_at(&s->flags, q, p + 1, row.next);
        filter_one_row(s, &s->steps.set[s->c.overrides->of[q->channel[0]]], &row, p, step_stride);
        print_row(s, q, &row, p);
        if (aside)
            memcpy(row.state, kept, 3 * n * sizeof *kept);
        else
            memcpy(before, row.goal, sizeof before);
    }
    for (size_t i = 0; i < 3; i++)
        memcpy(g->state + q->channel[i + 1] * n, row.state + i * n, n * sizeof *row.state);
    for (size_t k = 0; k < 4; k++)
        g->channel[q->channel[k]].unit = before[k];
}

void quaternion_rows_run(struct series *s, struct group *g, const struct chunk *w, size_t step_stride)
{
    for (size_t i = 0; s->c.quaternions && i < s->c.quaternions->n; i++)
        filter_rotation(s, g, w, &s->c.quaternions->at[i], step_stride);
}
