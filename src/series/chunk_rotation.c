/* Rotations among the channels of a window. See window.h.
 *
 * The error of a rotation x with the goal g is the rotation vector log(x g*), in the frame of the world; the
 * filter's own matrix moves its three components like those of any error. So each row of a quaternion is a
 * row of three channels whose goal is 0: what the filter remembers as positions is told anew, as seen from
 * the row's goal, and what comes out is a rotation from there. Errors stay as they are where the goal does;
 * otherwise error and old goal are added as rotations. Rates are vectors in the world and need nothing.
 * Invariant: the four channels of a quaternion have the same marks. */
#include "series/rotation.h"
#include "series/chunk.h"

#include <float.h>
#include <math.h>

enum { MAXSTATE = 3 * FILTER_MAXSTATE, MAXOUT = 3 * FILTER_MAXOUT };

#define ROUNDED 1e-3 /* a quaternion of three decimals has its length to this */

/* Are they the components of a rotation: finite, and not all 0? Also true where one is missing. */
static bool is_rotation(const double q[4])
{
    bool gap = false, finite = true, any = false;
    for (size_t k = 0; k < 4; k++) {
        gap |= isnan(q[k]);
        finite &= isfinite(q[k]);
        any |= q[k] != 0;
    }
    return gap || (finite && any);
}

bool chunk_refuse_rotations(const struct series *s, struct block *b, struct error *e)
{
    const struct quaternions *all = s->c.quaternions;
    const struct quaternion *culprit = NULL;
    for (size_t i = 0; all && i < all->n; i++) {
        const struct quaternion *q = &all->at[i];
        for (size_t j = 0; j < b->nrow; j++) {
            double goal[4];
            for (size_t k = 0; k < 4; k++)
                goal[k] = block_value(b, q->channel[k])[j];
            if (!is_rotation(goal)) {
                b->nrow = j;
                culprit = q;
            }
        }
    }
    if (!culprit)
        return true;
    error_data(e, "this is no rotation: the four components are 0, or not finite");
    error_column(e, s->c.columns->column[culprit->column[0]].name);
    error_place(e, block_line(b, b->nrow), 0);
    return error_hint(e, "a rotation that is not known is a gap: empty cells");
}

void chunk_read_rotations(struct series *s, struct group *g, const struct chunk *w)
{
    const struct quaternions *all = s->c.quaternions;
    for (size_t i = 0; all && i < all->n; i++) {
        const struct quaternion *q = &all->at[i];
        for (size_t p = w->nheld; p < w->n; p++) {
            double goal[4], dot = 0;
            bool gap = false;
            for (size_t k = 0; k < 4; k++) {
                goal[k] = block_value(w->rows->block, q->channel[k])[rows_at(w->rows, p - w->nheld)];
                gap |= isnan(goal[k]);
            }
            for (size_t k = 0; k < 4; k++)
                dot += goal[k] * g->channel[q->channel[k]].angle;
            for (size_t k = 0; k < 4; k++) {
                goal[k] = gap ? (double)NAN : dot < 0 ? -goal[k] : goal[k];
                s->goal[q->channel[k] * (s->window + 1) + p] = goal[k];
                if (!gap)
                    g->channel[q->channel[k]].angle = goal[k];
            }
        }
    }
}

/* The goal at row p, of length 1. */
static void goal_at(const struct series *s, const struct quaternion *q, size_t p, double goal[4])
{
    for (size_t k = 0; k < 4; k++)
        goal[k] = s->goal_at[q->channel[k]][p];
    rotation_unit(goal);
}

static double norm(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

bool chunk_rotation_jumps(struct series *s, struct group *g, const struct quaternion *q, size_t p)
{
    double before[4], here[4], next[4], way[4], in[3], out[3], bend[3], T_in = s->T[p], T_out = s->T[p + 1];
    for (size_t k = 0; k < 4; k++)
        before[k] = g->channel[q->channel[k]].before;
    rotation_unit(before);
    goal_at(s, q, p, here);
    goal_at(s, q, p + 1, next);
    rotation_between(here, before, way);
    rotation_log(way, in);
    rotation_between(next, here, way);
    rotation_log(way, out);
    for (size_t i = 0; i < 3; i++)
        bend[i] = out[i] / T_out - in[i] / T_in;
    return detect_bend(&g->channel[q->channel[0]].detect, s->c.detect, norm(bend),
                       4 * DBL_EPSILON * 3 * (1 / T_in + 1 / T_out), norm(in), norm(out));
}

/* A rotation that was exp(v) from the last goal, as a vector from the next goal; way leads from that one to
 * the last one, and is told by p. */
static void see_anew(double *v[3], const double way[4], const double p[3])
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

/* The states of three channels, each of n doubles, as seen from the goal of this row: before, the goal of the
 * last. */
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
        see_anew(v, way, p);
        for (size_t k = 0; k < 3 && error; k++)
            *v[k] -= p[k];
    }
    for (size_t k = 0; k < 3; k++)
        state[k * n] = p[k];
}

/* One row of a rotation as three channels. */
struct row {
    double goal[4], next[4];
    double state[MAXSTATE], out[MAXOUT], origin[3];
    unsigned char mark;
};

/* Where --start zero begins: the rotation that is none, as seen from the goal. */
static void origin_of(struct row *row)
{
    static const double none[4] = { 1, 0, 0, 0 };
    double way[4];
    rotation_between(none, row->goal, way);
    rotation_log(way, row->origin);
}

static void take_row(struct series *s, const struct tuning *tuning, struct row *row, size_t p,
                     size_t step_stride)
{
    size_t nout = s->shape.nout;
    double goals[3][2] = { { 0 } }, way[4], next[3] = { 0 };
    const double *goal[3] = { goals[0], goals[1], goals[2] };
    const unsigned char *mark[3] = { &row->mark, &row->mark, &row->mark };
    double *out[MAXOUT];
    for (size_t i = 0; i < 3 * nout; i++)
        out[i] = &row->out[i];
    if (s->c.filter->ahead && !(row->mark & (FLAG_NO_NEXT | FLAG_START))) {
        rotation_between(row->next, row->goal, way);
        rotation_log(way, next);
    }
    for (size_t i = 0; i < 3; i++)
        goals[i][1] = next[i];
    struct run run = {
        .settings = tuning->settings,
        .shape = &s->shape,
        .nrow = 1,
        .nchannel = 3,
        .T = s->T + p,
        .step = tuning->step + p * step_stride,
        .goal = goal,
        .flags = row->mark ? mark : NULL,
        .out = out,
        .state = row->state,
        .origin = isnan(s->origin) ? NULL : row->origin,
        .ahead = s->c.filter->ahead,
    };
    s->c.filter->run(&run);
}

/* Output 0 is a rotation from the goal. Of q and -q the one nearer to the goal is printed; and where there is
 * nothing between, the goal itself, with the digits that it was read with. */
static void print_row(struct series *s, const struct quaternion *q, const struct row *row, size_t p)
{
    size_t nout = s->shape.nout;
    double v[3] = { row->out[0], row->out[nout], row->out[2 * nout] }, turn[4], x[4];
    bool still = v[0] == 0 && v[1] == 0 && v[2] == 0;
    rotation_exp(v, turn);
    rotation_multiply(turn, row->goal, x);
    double sign = turn[0] < 0 ? -1 : 1, read[4], square = 0;
    for (size_t k = 0; k < 4; k++) {
        read[k] = s->goal_at[q->channel[k]][p];
        square += read[k] * read[k];
    }
    bool as_read = still && fabs(sqrt(square) - 1) <= ROUNDED;
    if (!rotation_unit(x))
        x[0] = x[1] = x[2] = x[3] = (double)NAN;
    for (size_t k = 0; k < 4; k++) {
        double *const *out = s->out_at + q->channel[k] * nout;
        out[0][p] = as_read ? read[k] : still ? row->goal[k] : sign * x[k];
        for (size_t o = 1; o < nout; o++)
            out[o][p] = k ? row->out[(k - 1) * nout + o] : 0;
    }
}

static void run_rotation(struct series *s, struct group *g, const struct chunk *w,
                         const struct quaternion *q, size_t step_stride)
{
    size_t n = s->shape.nstate;
    struct row row;
    double *state[3], before[4];
    for (size_t i = 0; i < 3; i++)
        state[i] = g->state + q->channel[i + 1] * n;
    for (size_t i = 0; i < 3; i++)
        memcpy(row.state + i * n, state[i], n * sizeof *row.state);
    for (size_t k = 0; k < 4; k++)
        before[k] = g->channel[q->channel[k]].part;
    for (size_t p = 0; p < w->nrun; p++) {
        row.mark = s->mark_at[q->channel[0]][p];
        if (row.mark & (FLAG_NO_VALUE | FLAG_ZERO_DT))
            continue;
        goal_at(s, q, p, row.goal);
        if (row.mark & FLAG_START)
            origin_of(&row);
        else
            move_states(s->c.filter, row.state, n, before, row.goal);
        if (s->c.filter->ahead && !(row.mark & FLAG_NO_NEXT))
            goal_at(s, q, p + 1, row.next);
        take_row(s, &s->tuning[s->tuning_of[q->channel[0]]], &row, p, step_stride);
        print_row(s, q, &row, p);
        memcpy(before, row.goal, sizeof before);
    }
    for (size_t i = 0; i < 3; i++)
        memcpy(state[i], row.state + i * n, n * sizeof *row.state);
    for (size_t k = 0; k < 4; k++)
        g->channel[q->channel[k]].part = before[k];
}

void chunk_run_rotations(struct series *s, struct group *g, const struct chunk *w, size_t step_stride)
{
    for (size_t i = 0; s->c.quaternions && i < s->c.quaternions->n; i++)
        run_rotation(s, g, w, &s->c.quaternions->at[i], step_stride);
}
