/* What a linear filter does to a step, an impulse and a ramp when it is run forward and backward. See
 * response.h. Both passes begin so far away that nothing is left of their beginnings. */
#include "view/response.h"

#include "base/array.h"
#include "offline/spline_slopes.h"

enum { MAXROW = 20000000 };

bool response_pass_twice(struct response *r, enum response_input input, double rate, size_t n,
                         bool derivatives, struct response_passes *p, struct error *e)
{
    size_t rest = response_rest(r, rate, MAXROW / 4);
    size_t zero = p->zero = n + rest, all = 2 * zero + 1;
    double *T, *room;
    if (rest == 0 || all > MAXROW) {
        error_usage(e, "--zero-phase: both passes need more than %d rows at %g rows per second", MAXROW,
                    rate);
        return error_hint(e, "give another --rate, a shorter --duration, or more damping");
    }
    if (!arrays_make(e, ARRAY(p->out[0], all), ARRAY(p->out[1], all), ARRAY(p->out[2], all), ARRAY(T, all),
                     ARRAY(room, all)))
        return false;
    response_start(r, rate);
    for (size_t i = 1; i <= zero; i++) {
        response_row(r, response_goal(input, rate, (double)i));
        p->out[0][zero + i] = r->out[0];
    }
    r->filter->start(r->settings, r->out[0], r->out[0], r->state, r->out);
    for (size_t i = all - 1; i-- > 0;) {
        response_row(r, p->out[0][i]);
        p->out[0][i] = r->out[0];
    }
    for (size_t i = 0; derivatives && i < all; i++)
        T[i] = 1 / rate;
    for (int k = 1; derivatives && k < 3; k++) {
        memcpy(p->out[k], p->out[k - 1], all * sizeof *p->out[k]);
        spline_slopes(T, p->out[k], all, k == 2, room);
    }
    return true;
}
