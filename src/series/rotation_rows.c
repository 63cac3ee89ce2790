/* Rotations in the rows of a chunk: their targets, cuts, the filter, and what is printed. */
#include "series/chunk.h"

#include <math.h>

void rotation_rows_check(struct series *s, struct block *b)
{
    const struct rotations *all = s->c.in.rotations;
    for (size_t i = 0; i < all->n; i++) {
        const struct rotation *q = &all->at[i];
        bool judged = q->ncolumn == 4 && !series_leaves(s, q->channel[0]);
        for (size_t j = 0; j < b->nrow && judged; j++) {
            struct spot here = { b, j };
            struct error e;
            double most = 0;
            bool gap = false;
            for (size_t k = 0; k < 4; k++) {
                double x = block_goal(b, q->channel[k])[j];
                most = fmax(most, fabs(x));
                gap |= isnan(x);
            }
            if (gap || (most > 0 && isfinite(most)))
                continue;
            error_data(&e, "this is no rotation: the four components are 0, or not finite");
            error_column(&e, s->c.in.columns->column[q->column[0]].name);
            error_hint(&e, "a rotation that is not known is a gap: empty cells");
            series_fail(s, here, here, &e);
        }
    }
}

void rotation_rows_read(struct row_flags *f, const struct rotations *all, struct group *g,
                        const struct chunk *w)
{
    for (size_t i = 0; i < all->n; i++) {
        const struct rotation *r = &all->at[i];
        for (size_t p = w->nheld; p < w->n; p++) {
            double part[4];
            for (size_t k = 0; k < r->ncolumn; k++)
                part[k] = block_goal(w->rows->block, r->channel[k])[group_row(w->rows, p - w->nheld)];
            rotations_follow(r, g->rotation[i].part, part);
            for (size_t k = 0; k < r->ncolumn; k++)
                f->goal[r->channel[k] * f->stride + p] = part[k];
        }
    }
}

/* The target at row p. */
static void target_at(const struct row_flags *f, const struct rotation *r, size_t p, double goal[4])
{
    double part[4];
    for (size_t k = 0; k < r->ncolumn; k++)
        part[k] = f->goal_at[r->channel[k]][p];
    rotations_target(r, part, goal);
}

/* The out columns of the last three components are the x, y and z of velocity and acceleration. last: the
 * numbers printed last, to which those of a gap are near; they become those of this row. */
static void print_row(struct series *s, const struct rotation *r, const struct rotation_result *result,
                      size_t p, double last[4])
{
    size_t nout = s->shape.nout;
    double read[4], print[4], unit = rotations_unit(r);
    for (size_t k = 0; k < r->ncolumn; k++)
        read[k] = s->flags.goal_at[r->channel[k]][p];
    bool gap = s->flags.flags_at[r->channel[0]][p] & FLAG_GAP;
    rotations_print(r, gap && !result->at_goal ? last : read, result->x, result->at_goal, print);
    memcpy(last, print, r->ncolumn * sizeof *last);
    for (size_t k = 0; k < r->ncolumn; k++) {
        double *const *out = s->out.at + r->channel[k] * nout;
        size_t axis = k + 3 - r->ncolumn; /* of a quaternion's w too large */
        out[0][p] = print[k];
        out[1][p] = axis < 3 ? unit * result->velocity[axis] : 0;
        out[2][p] = axis < 3 ? unit * result->acceleration[axis] : 0;
    }
}

static void filter_rotation(struct series *s, struct group *g, const struct chunk *w, size_t i,
                            size_t step_stride)
{
    static const double identity[4] = { 1, 0, 0, 0 }; /* where --start zero begins */
    const struct rotation *r = &s->c.in.rotations->at[i];
    const struct coefficients *set = &s->steps.set[s->c.overrides->of[r->channel[0]]];
    const struct rotation_filter filter = { s->c.filter, r->settings ? r->settings : set->settings, &s->shape,
                                            s->c.derivatives.computed };
    struct rotation_row row = { .origin = isnan(s->c.in.settings->start) ? NULL : identity };
    struct rotation_result result = { 0 };
    for (size_t p = 0; p < w->nrun; p++) {
        row.flags = s->flags.flags_at[r->channel[0]][p];
        if (row.flags & (FLAG_NO_VALUE | FLAG_ZERO_DT))
            continue;
        target_at(&s->flags, r, p, row.goal);
        if (s->c.filter->ahead && !(row.flags & (FLAG_NO_NEXT | FLAG_START)))
            target_at(&s->flags, r, p + 1, row.next);
        row.T = s->steps.T + p;
        row.step = set->step + p * step_stride;
        row.part = s->flags.part[p];
        struct rotation_state kept = { 0 };
        bool aside = row.flags & FLAG_ASIDE;
        if (aside)
            kept = g->rotation[i].state;
        rotation_step(&filter, &g->rotation[i].state, &row, &result);
        if (aside)
            g->rotation[i].state = kept;
        print_row(s, r, &result, p, g->rotation[i].print);
    }
}

void rotation_rows_run(struct series *s, struct group *g, const struct chunk *w, size_t step_stride)
{
    for (size_t i = 0; i < s->c.in.rotations->n; i++)
        if (!series_leaves(s, s->c.in.rotations->at[i].channel[0]))
            filter_rotation(s, g, w, i, step_stride);
}
