/* Angles: which channels are, and unwrapping. See angles.h. */
#include "series/angles.h"

#include "series/rotations.h"
#include <math.h>
#include <stdlib.h>

bool angles_collect(const struct columns *t, const struct angle_settings *settings,
                    const struct rotations *rotations, double **period, struct error *e)
{
    bool *named = calloc(t->nchannel + 1, sizeof *named), any = false, turns = false;
    *period = calloc(t->nchannel + 1, sizeof **period);
    bool good = named && *period ? true : error_memory(e);
    if (good && settings->list)
        good = columns_pick_channels(t, settings->list, "--angles", named, e);
    for (size_t i = 0; good && i < t->ncolumn; i++) {
        const struct column *c = &t->column[i];
        if (c->role != ROLE_CHANNEL || (!named[c->value] && !(c->period > 0)))
            continue;
        const struct rotation *r = rotations_of(rotations, c->value);
        if (r && (r->ncolumn == 4 || named[c->value])) {
            error_data(e, "it is an angle, and %s names it as a component", rotations_option(r));
            good = error_column(e, c->name);
        }
        if (r)
            continue;
        double own = c->period > 0 ? c->period : 360;
        (*period)[c->value] = isnan(settings->period) ? own : settings->period;
        any = true;
    }
    for (size_t i = 0; i < rotations->n; i++)
        turns |= rotations->at[i].ncolumn == 3;
    if (good && !any && !turns && (settings->wrap || !isnan(settings->period))) {
        error_usage(e, "--%s is for angles, and no channel is one", settings->wrap ? "wrap" : "period");
        good = error_hint(e, "--angles LIST says which are");
    }
    if (!good || !any) {
        free(*period);
        *period = NULL;
    }
    free(named);
    return good;
}

void angles_unwrap(struct unwrap *u, double period, double *angle, double *turns, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        if (!isnan(angle[j])) {
            /* To the nearest whole number, from its half down: 180, -180, 180 must not add a turn a step. */
            double periods = u->known ? (angle[j] - u->angle) / period : 0;
            double whole = copysign(ceil(fabs(periods) - 0.5), periods);
            *u = (struct unwrap){ angle[j], u->turns - whole, true };
            angle[j] += u->turns * period;
        }
        turns[j] = u->turns;
    }
}

double angles_wrap(double filtered, double angle, double turns, double period)
{
    double read = isnan(angle) ? 0 : angle;
    return read + (filtered - (read + turns * period));
}
