/* Which channels are the components of rotations. See rotations.h. */
#include "series/rotations.h"

#include "base/array.h"
#include "base/text.h"
#include "base/utf8.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDED 1e-3 /* a quaternion of three decimals has its length to this */

bool rotations_check(const struct filter *filter, const char *list, double start, struct error *e)
{
    char able[200] = "";
    if (!list)
        return true;
    if (filter->rotations && !isnan(start) && start != 0) {
        error_usage(e, "--start %g with --quaternions: a number is no rotation", start);
        return error_hint(e, "--start zero begins without rotation, --start first with the first one");
    }
    if (filter->rotations)
        return true;
    for (const struct filter *const *f = filter_list; *f; f++)
        if ((*f)->rotations)
            text_append(able, sizeof able, "%s%s", able[0] ? ", " : "", (*f)->name);
    error_usage(e, "--quaternions: %s does not filter rotations", filter->name);
    return error_hint(e, "these do: %s", able);
}

/* Bytes that the four names have in common at their beginning, without a separator at the end. */
static size_t common_stem(const struct columns *t, const size_t column[4])
{
    const char *name = t->column[column[0]].name;
    size_t n = strlen(name);
    for (size_t i = 1; i < 4; i++)
        for (size_t k = 0; k < n; k++)
            if (t->column[column[i]].name[k] != name[k])
                n = k;
    while (n && strchr("_.- ", name[n - 1]))
        n--;
    return utf8_floor(name, n);
}

static bool name_taken(const struct rotations *q, const struct rotation *new)
{
    for (size_t i = 0; i < q->n; i++)
        if (strcmp(q->at[i].name, new->name) == 0)
            return true;
    return false;
}

/* The name is the common stem of the four columns; where they have none, or it is taken, q and a position. */
static bool name_it(const struct rotations *q, struct rotation *new, const struct columns *t, struct error *e)
{
    new->stem = common_stem(t, new->column);
    new->name = malloc(new->stem + 24 + q->n);
    if (!new->name)
        return error_memory(e);
    snprintf(new->name, new->stem + 1, "%s", t->column[new->column[0]].name);
    if (new->stem && !name_taken(q, new))
        return true;
    new->stem = 0;
    snprintf(new->name, 24, "q%zu", new->first + 1);
    while (name_taken(q, new))
        strcat(new->name, "_");
    return true;
}

static bool add(struct rotations *q, const struct columns *t, const struct column_quaternion *found,
                struct error *e)
{
    struct rotation *new = &q->at[q->n];
    *new = (struct rotation){ .ncolumn = 4, .first = found->column[0] };
    for (size_t i = 0; i < 4; i++) {
        new->column[i] = found->column[i];
        new->channel[i] = t->column[found->column[i]].value;
        new->first = new->column[i] < new->first ? new->column[i] : new->first;
        q->of[new->channel[i]] = q->n;
    }
    if (!name_it(q, new, t, e))
        return false;
    q->n++;
    return true;
}

bool rotations_collect(struct rotations *q, const struct columns *t, const char *list, struct error *e)
{
    struct column_quaternion *found = NULL;
    size_t n = 0;
    *q = (struct rotations){ 0 };
    if (!list || t->ncolumn == 0)
        return true;
    if (!columns_pick_quaternions(t, list, true, &found, &n, e))
        return false;
    bool good = arrays_make(e, ARRAY(q->at, n), ARRAY(q->of, t->nchannel));
    for (size_t i = 0; good && i < t->nchannel; i++)
        q->of[i] = COLUMN_NONE;
    for (size_t i = 0; good && i < n; i++) {
        size_t nchannel = 0;
        const struct column *other = NULL; /* the first that is no channel */
        for (size_t k = 4; k-- > 0;) {
            const struct column *c = &t->column[found[i].column[k]];
            nchannel += c->role == ROLE_CHANNEL;
            other = c->role == ROLE_CHANNEL ? other : c;
        }
        if (!other) {
            good = add(q, t, &found[i], e);
        } else if (nchannel > 0 || !found[i].pattern) {
            error_data(e, "--quaternions: column \"%s\" is not filtered", other->name);
            good = error_hint(
                e, "all four columns of a quaternion must be channels: see --columns and --exclude");
        }
    }
    free(found);
    return good;
}

void rotations_free(struct rotations *q)
{
    for (size_t i = 0; i < q->n; i++)
        free(q->at[i].name);
    free(q->at);
    *q = (struct rotations){ 0 };
}

bool rotations_fit(const struct rotations *q, const struct columns *t, const double *period,
                   const size_t *settings, struct error *e)
{
    for (size_t i = 0; i < q->n; i++)
        for (size_t k = 0; k < q->at[i].ncolumn; k++) {
            const struct rotation *of = &q->at[i];
            if (period && period[of->channel[k]] > 0) {
                error_data(e, "it is an angle, and --quaternions names it as a component");
                return error_column(e, t->column[of->column[k]].name);
            }
            if (t->column[of->column[k]].velocity != COLUMN_NONE) {
                error_usage(e, "--goal-velocity-from names it, and it is the component of a quaternion");
                return error_column(e, t->column[of->column[k]].name);
            }
            if (settings[of->channel[k]] != settings[of->channel[0]]) {
                error_data(e, "--set: the four columns of the quaternion \"%s\" are not set alike", of->name);
                return error_hint(e, "name all of them, as in 'hip_[wxyz]:halflife=0.3'");
            }
        }
    return true;
}

void rotations_follow(const struct rotation *r, double last[4], double part[4])
{
    double dot = 0;
    bool gap = false;
    for (size_t k = 0; k < r->ncolumn; k++) {
        dot += part[k] * last[k];
        gap |= isnan(part[k]);
    }
    for (size_t k = 0; k < r->ncolumn; k++) {
        part[k] = gap ? (double)NAN : dot < 0 ? -part[k] : part[k];
        last[k] = gap ? last[k] : part[k];
    }
}

void rotations_target(const struct rotation *r, const double part[4], double q[4])
{
    memcpy(q, part, r->ncolumn * sizeof *q);
    rotation_unit(q);
}

/* Where there is nothing between output and target, it is the target, with the digits that it was read
 * with. */
void rotations_print(const struct rotation *r, const double read[4], const struct rotation_result *result,
                     double print[4])
{
    double square = 0;
    for (size_t k = 0; k < r->ncolumn; k++)
        square += read[k] * read[k];
    bool as_read = result->at_goal && fabs(sqrt(square) - 1) <= ROUNDED;
    memcpy(print, as_read ? read : result->x, r->ncolumn * sizeof *print);
}
