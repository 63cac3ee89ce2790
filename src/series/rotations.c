/* Which channels are the components of rotations, and what their numbers mean. See rotations.h. */
#include "series/rotations.h"

#include "base/array.h"
#include "base/text.h"
#include "base/utf8.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDED 1e-3 /* a quaternion of three decimals has its length to this */

bool rotations_able(const struct filter *filter, double start)
{
    return filter->rotations && (isnan(start) || start == 0);
}

/* True if an option is given, and not as none. */
static bool is_list(const char *list)
{
    return list && strcmp(list, "none") != 0;
}

bool rotations_check(const struct filter *filter, const struct rotation_settings *lists, double start,
                     struct error *e)
{
    bool angles = is_list(lists->angles), quaternions = is_list(lists->quaternions);
    const char *option = quaternions ? "--quaternions" : "--rotations";
    const char *without = angles ? "; --rotations none filters each angle by itself" : "";
    char able[200] = "";
    if ((!quaternions && !angles) || rotations_able(filter, start))
        return true;
    if (filter->rotations) {
        error_usage(e, "--start %g with %s: a number is no rotation", start, option);
        return error_hint(e, "--start zero begins without rotation, --start first with the first one%s",
                          without);
    }
    for (const struct filter *const *f = filter_list; *f; f++)
        if ((*f)->rotations)
            text_append(able, sizeof able, "%s%s", able[0] ? ", " : "", (*f)->name);
    error_usage(e, "%s: %s does not filter rotations", option, filter->name);
    return error_hint(e, "these do: %s%s", able, without);
}

/* Bytes that the names have in common at their beginning, without a separator at the end. */
static size_t common_stem(const struct columns *t, const struct rotation *r)
{
    const char *name = t->column[r->column[0]].name;
    size_t n = strlen(name);
    for (size_t i = 1; i < r->ncolumn; i++)
        for (size_t k = 0; k < n; k++)
            if (t->column[r->column[i]].name[k] != name[k])
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

/* The name is the common stem of the columns; where they have none, or it is taken, q and a position. */
static bool name_it(const struct rotations *q, struct rotation *new, const struct columns *t, struct error *e)
{
    new->stem = common_stem(t, new);
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

static bool add(struct rotations *q, const struct columns *t, const struct column_rotation *found,
                double period, struct error *e)
{
    bool angles = found->column[0] == COLUMN_NONE;
    const size_t *column = found->column + angles;
    struct rotation *new = &q->at[q->n];
    *new = (struct rotation){ .ncolumn = angles ? 3 : 4, .first = column[0] };
    for (size_t i = 0; i < new->ncolumn; i++) {
        new->column[i] = column[i];
        new->channel[i] = t->column[column[i]].value;
        new->first = column[i] < new->first ? column[i] : new->first;
        q->of[new->channel[i]] = q->n;
    }
    memcpy(new->euler.axis, found->axis, sizeof new->euler.axis);
    double own = t->column[column[0]].period;
    new->euler.period = !isnan(period) ? period : own > 0 ? own : 360;
    if (!name_it(q, new, t, e))
        return false;
    q->n++;
    return true;
}

/* Adds a rotation whose columns are channels. Of a list: where they are not, an error, unless none is that a
 * glob found. Else, where the names or the format tell it, it is passed over, also if an option says what its
 * columns are; named: channels of --angles. */
static bool add_found(struct rotations *q, const struct columns *t, const struct column_rotation *found,
                      const bool *named, bool listed, double period, struct error *e)
{
    bool angles = found->column[0] == COLUMN_NONE;
    size_t nchannel = 0, nfree = 0, n = angles ? 3 : 4;
    const struct column *other = NULL; /* the first that is no channel */
    for (size_t k = 4; k-- > angles;) {
        const struct column *c = &t->column[found->column[k]];
        bool channel = c->role == ROLE_CHANNEL;
        nchannel += channel;
        nfree += channel && c->velocity == COLUMN_NONE && !named[c->value] && q->of[c->value] == COLUMN_NONE;
        other = channel ? other : c;
    }
    if (listed ? !other : nfree == n) {
        q->nmotive += !listed && !angles && !t->column[found->column[0]].joint;
        return add(q, t, found, period, e);
    }
    if (!listed || (nchannel == 0 && found->pattern))
        return true;
    error_data(e, "--%s: column \"%s\" is not filtered", angles ? "rotations" : "quaternions", other->name);
    return error_hint(e, "all %s columns of a %s must be channels: see --columns and --exclude",
                      angles ? "three" : "four", angles ? "rotation" : "quaternion");
}

bool rotations_collect(struct rotations *q, const struct columns *t, const struct rotation_settings *lists,
                       const struct angle_settings *angles, bool unasked, struct error *e)
{
    struct column_rotations listed = { 0 }, known = { 0 };
    bool *named = NULL; /* [nchannel], by --angles */
    *q = (struct rotations){ 0 };
    if (t->ncolumn == 0)
        return true;
    bool good = true;
    if (is_list(lists->quaternions))
        good = columns_rotations(t, QUATERNIONS, lists->quaternions, true, &listed, e);
    else if (!lists->quaternions && unasked)
        good = columns_rotations(t, QUATERNIONS, NULL, true, &known, e);
    if (good && is_list(lists->angles))
        good = columns_rotations(t, EULER_ANGLES, lists->angles, true, &listed, e);
    else if (good && !lists->angles && unasked)
        good = columns_rotations(t, EULER_ANGLES, NULL, true, &known, e);
    size_t n = listed.n + known.n;
    if (good && n)
        good = arrays_make(e, ARRAY(q->at, n), ARRAY(q->of, t->nchannel), ARRAY(named, t->nchannel));
    for (size_t i = 0; good && n && i < t->nchannel; i++)
        q->of[i] = COLUMN_NONE;
    for (size_t i = 0; good && i < n; i++) {
        bool asked = i < listed.n;
        if (i == listed.n && angles->list)
            good = columns_pick_channels(t, angles->list, "--angles", named, e);
        good = good && add_found(q, t, asked ? &listed.at[i] : &known.at[i - listed.n], named, asked,
                                 angles->period, e);
    }
    free(listed.at);
    free(known.at);
    return good;
}

void rotations_free(struct rotations *q)
{
    for (size_t i = 0; i < q->n; i++) {
        free(q->at[i].name);
        free(q->at[i].settings);
    }
    free(q->at);
    *q = (struct rotations){ 0 };
}

/* The filter works in radians. */
static bool scale_settings(struct rotation *r, const struct filter *filter, const void *settings,
                           struct error *e)
{
    r->settings = malloc(filter->settings_size + 1);
    if (!r->settings)
        return error_memory(e);
    memcpy(r->settings, settings, filter->settings_size);
    for (size_t i = 0; i < filter->nparam; i++)
        if (filter->params[i].in_unit)
            *(double *)((char *)r->settings + filter->params[i].offset) /= rotations_unit(r);
    return true;
}

bool rotations_fit(struct rotations *q, const struct columns *t, const struct filter *filter,
                   const struct overrides *overrides, struct error *e)
{
    for (size_t i = 0; i < q->n; i++) {
        struct rotation *r = &q->at[i];
        size_t of = overrides->of[r->channel[0]];
        bool angles = r->ncolumn == 3;
        for (size_t k = 0; k < r->ncolumn; k++) {
            const struct column *c = &t->column[r->column[k]];
            if (c->velocity != COLUMN_NONE) {
                error_usage(e, "--goal-velocity-from names it, and it is the component of a rotation");
                return error_column(e, c->name);
            }
            if (overrides->of[r->channel[k]] != of) {
                error_data(e, "--set: the %s columns of the %s \"%s\" are not set alike",
                           angles ? "three" : "four", angles ? "rotation" : "quaternion", r->name);
                return error_hint(e, "name all of them, %s",
                                  angles ? "or filter each angle by itself: --rotations none"
                                         : "as in 'hip_[wxyz]:halflife=0.3'");
            }
        }
        if (angles && !scale_settings(r, filter, overrides->settings[of], e))
            return false;
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
        part[k] = gap ? (double)NAN : dot < 0 && r->ncolumn == 4 ? -part[k] : part[k];
        last[k] = gap ? last[k] : part[k];
    }
}

void rotations_target(const struct rotation *r, const double part[4], double q[4])
{
    if (r->ncolumn == 3) {
        euler_to_rotation(&r->euler, part, q);
    } else {
        memcpy(q, part, 4 * sizeof *q);
        rotation_unit(q);
    }
}

/* Where there is nothing between output and target, it is the target, with the digits that it was read
 * with. */
void rotations_print(const struct rotation *r, const double read[4], const struct rotation_result *result,
                     double print[4])
{
    double square = 0;
    for (size_t k = 0; k < r->ncolumn; k++)
        square += read[k] * read[k];
    if (result->at_goal && (r->ncolumn == 3 || fabs(sqrt(square) - 1) <= ROUNDED))
        memcpy(print, read, r->ncolumn * sizeof *print);
    else if (r->ncolumn == 3)
        euler_from_rotation(&r->euler, result->x, read, print);
    else
        memcpy(print, result->x, sizeof result->x);
}
