/* Angles: which channels are, and unwrapping. See angles.h. */
#include "series/angles.h"

#include <math.h>
#include <stdlib.h>

bool angles_collect(const struct columns *t, const struct angle_settings *settings, double **period,
                    struct error *e)
{
    unsigned char *pick = calloc(t->ncolumn + 1, 1);
    bool any = false, good = pick && (*period = calloc(t->nchannel + 1, sizeof **period));
    if (!good)
        error_memory(e);
    if (good && settings->list)
        good = columns_pick_list(t, settings->list, "--angles", pick, e);
    for (size_t i = 0; good && i < t->ncolumn; i++) {
        const struct column *c = &t->column[i];
        if (c->role == ROLE_CHANNEL && (pick[i] != PICK_NONE || c->period > 0)) {
            (*period)[c->value] = c->period > 0 && isnan(settings->period) ? c->period
                                  : isnan(settings->period)                ? 360
                                                                           : settings->period;
            any = true;
        } else if (pick[i] == PICK_EXPLICIT) {
            error_data(e, "--angles: column \"%s\" is not filtered", c->name);
            good = false;
        }
    }
    if (good && !any && (settings->wrap || !isnan(settings->period))) {
        error_usage(e, "--%s is for angles, and no channel is one", settings->wrap ? "wrap" : "period");
        error_hint(e, "--angles LIST says which are");
        good = false;
    }
    if (!good || !any) {
        free(*period);
        *period = NULL;
    }
    free(pick);
    return good;
}

void angles_unwrap(struct unwrap *u, double period, double *angle, double *turns, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        if (!isnan(angle[j])) {
            double nearest = u->known ? round((u->angle - angle[j]) / period) : 0;
            angle[j] += nearest * period;
            *u = (struct unwrap){ angle[j], nearest, true };
        }
        turns[j] = u->turns;
    }
}
