/* Gives each column its role, by the user's options and by the first data row. Only that row is read, so that
 * the result is the same for a stream and a file. */
#include "rows/columns.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char velocity_option[] = "--goal-velocity-from";

struct selection {
    struct columns *t;
    const struct column_choice *choice;
    unsigned char *pick, *drop; /* per column: enum column_pick by --columns and --exclude */
    struct column_pair *velocity;
};

static const char *const usual[] = { "time", "t", "timestamp", "seconds", "Time (Seconds)", NULL };

bool columns_means_time(const char *name, size_t nname)
{
    for (size_t k = 0; usual[k]; k++)
        if (strlen(usual[k]) == nname && strncasecmp(name, usual[k], nname) == 0)
            return true;
    return false;
}

size_t columns_usual_time(const struct columns *t)
{
    for (size_t k = 0; usual[k]; k++)
        for (size_t i = 0; i < t->ncolumn; i++)
            if (strcasecmp(t->column[i].name, usual[k]) == 0)
                return i;
    return COLUMN_NONE;
}

bool columns_untimed(const struct columns *t, struct error *e)
{
    error_data(e, "there is no time column, and no rate is assumed");
    return error_hint(
        e, t->doubtful ? "if the first line holds the names, say so with --header 1; else give the time "
                         "column with --time, or the rows per second with --rate HZ"
                       : "name the column with --time, or give the rows per second with --rate HZ");
}

bool columns_backward(const struct columns *t, const struct timestamp *before, const struct timestamp *now,
                      struct error *e)
{
    char a[NUMBER_MAX + 1], b[NUMBER_MAX + 1];
    a[timestamp_print(a, before)] = b[timestamp_print(b, now)] = 0;
    error_data(e, "time goes backward: %s after %s", b, a);
    error_column(e, t->column[t->time].name);
    return error_hint(e, "%s; to number the rows use --rate HZ",
                      t->group != COLUMN_NONE ? "the rows of a group stand in the order of their times"
                                              : "for several series in one file use --group-by COLUMN");
}

static bool find_time(struct selection *s, struct error *e)
{
    struct columns *t = s->t;
    size_t time = s->choice->time ? columns_find(t, s->choice->time, "--time", e) : columns_usual_time(t);
    if (s->choice->time && time == COLUMN_NONE)
        return false;
    if (s->choice->rate_given)
        t->passed = time;
    else
        t->time = time;
    if (t->time != COLUMN_NONE)
        t->column[t->time].role = ROLE_TIME;
    return true;
}

static const char *role_words(enum role role)
{
    return role == ROLE_GROUP ? "the column of --group-by"
           : role == ROLE_CUT ? "the column of --cut-column"
                              : "the time column";
}

/* Gives a column that the user named a role of its own. */
static bool give_role(struct selection *s, const char *spec, const char *option, enum role role,
                      size_t *column, struct error *e)
{
    if (!spec)
        return true;
    *column = columns_find(s->t, spec, option, e);
    if (*column == COLUMN_NONE)
        return false;
    struct column *c = &s->t->column[*column];
    if (c->role != ROLE_PASS) {
        error_data(e, "%s names it, and it is %s already", option, role_words(c->role));
        return error_column(e, c->name);
    }
    if (role == ROLE_CUT && c->first == CELL_TEXT) {
        error_data(e, "holds text in the first data row, and %s takes numbers", option);
        return error_column(e, c->name);
    }
    c->role = role;
    return true;
}

/* Which columns hold velocities of others; they are channels only if --columns names them. */
static bool pair_velocities(struct selection *s, struct error *e)
{
    const struct texts *texts = &s->choice->velocities;
    for (size_t i = 0; i < texts->ntext; i++)
        if (!columns_pair(s->t, texts->text[i], velocity_option, s->velocity, e))
            return false;
    for (size_t i = 0; i < s->t->ncolumn; i++)
        if (s->velocity[i].with != COLUMN_NONE && s->pick[s->velocity[i].with] != PICK_EXPLICIT)
            s->drop[s->velocity[i].with] = PICK_EXPLICIT;
    return true;
}

/* After the channels are known: their velocities are read. */
static bool read_velocities(struct selection *s, struct error *e)
{
    for (size_t i = 0; i < s->t->ncolumn; i++) {
        const struct column_pair *pair = &s->velocity[i];
        struct column *c = &s->t->column[i],
                      *v = pair->with == COLUMN_NONE ? NULL : &s->t->column[pair->with];
        if (v && c->role != ROLE_CHANNEL && pair->named)
            return error_data(e, "%s: column \"%s\" is not filtered", velocity_option, c->name);
        if (!v || c->role != ROLE_CHANNEL)
            continue;
        bool text = v->first == CELL_TEXT;
        if (text || v->role == ROLE_TIME || v->role == ROLE_GROUP) {
            error_data(e,
                       text ? "holds text in the first data row, and %s takes numbers"
                            : "%s names it, and it is %s already",
                       velocity_option, role_words(v->role));
            return error_column(e, v->name);
        }
        v->role = v->role == ROLE_PASS ? ROLE_READ : v->role;
        c->velocity = pair->with;
        s->t->measured = true;
    }
    return s->t->measured || s->choice->velocities.ntext == 0 ||
           error_data(e, "%s: no filtered column is in a list", velocity_option);
}

/* Makes column i a channel if it can be one and is selected; false: it cannot, although the user named it. */
static bool choose_channel(struct selection *s, size_t i, struct error *e)
{
    struct column *c = &s->t->column[i];
    bool named = s->pick[i] == PICK_EXPLICIT;
    /* With --rate a column of times may be filtered like any other, unless the format makes the times. */
    bool made = s->t->counted || s->t->rate > 0;
    bool time = i == s->t->passed && (!named || s->choice->time || made);
    if (s->drop[i] != PICK_NONE || (s->choice->columns && s->pick[i] == PICK_NONE))
        return true;
    if (named && (time || c->role != ROLE_PASS)) {
        error_data(e, "--columns names it as a channel, and it is %s", role_words(c->role));
        error_column(e, c->name);
        return columns_hint(s->t, NULL, e);
    }
    if (named && c->first == CELL_TEXT) {
        error_data(e, "holds text in the first data row, and a channel holds numbers");
        error_column(e, c->name);
        return s->t->doubtful ? columns_hint(s->t, NULL, e) : false;
    }
    bool fit = c->first == CELL_NUMBER || (c->first == CELL_GAP && c->name[0]);
    if (named || (fit && !time && c->role == ROLE_PASS))
        c->role = ROLE_CHANNEL;
    return true;
}

static bool no_channel(const struct selection *s, struct error *e)
{
    if (s->choice->columns || s->choice->exclude)
        error_data(e, "nothing is left to filter after %s", s->choice->exclude ? "--exclude" : "--columns");
    else
        error_data(e, "no column to filter: the first data row has no number besides the time");
    return columns_hint(s->t, NULL, e);
}

static void count_columns(struct columns *t, bool all_cells)
{
    t->nchannel = t->nvalue = t->ncell = 0;
    for (size_t i = 0; i < t->ncolumn; i++) {
        struct column *c = &t->column[i];
        c->cell = c->role != ROLE_PASS || all_cells ? t->ncell++ : COLUMN_NONE;
        c->value = c->role == ROLE_CHANNEL ? t->nvalue++ : COLUMN_NONE;
    }
    t->nchannel = t->nvalue;
    if (t->cut != COLUMN_NONE)
        t->column[t->cut].value = t->nvalue++;
    for (size_t i = 0; i < t->ncolumn; i++)
        if (t->column[i].role == ROLE_READ)
            t->column[i].value = t->nvalue++;
}

/* Roles for diff, which only needs to know which columns may hold numbers. A time that the format counts
 * stays one. */
static bool compare_roles(struct columns *t)
{
    if (t->counted)
        t->time = columns_usual_time(t);
    for (size_t i = 0; i < t->ncolumn; i++)
        t->column[i].role = i == t->time                      ? ROLE_TIME
                            : t->column[i].first == CELL_TEXT ? ROLE_PASS
                                                              : ROLE_CHANNEL;
    count_columns(t, true);
    return true;
}

static bool give_roles(struct selection *s, struct error *e)
{
    const struct column_choice *choice = s->choice;
    struct columns *t = s->t;
    if (!find_time(s, e) || !give_role(s, choice->group, "--group-by", ROLE_GROUP, &t->group, e) ||
        !give_role(s, choice->cut, "--cut-column", ROLE_CUT, &t->cut, e))
        return false;
    if ((choice->columns && !columns_pick_list(t, choice->columns, "--columns", s->pick, e)) ||
        (choice->exclude && !columns_pick_list(t, choice->exclude, "--exclude", s->drop, e)) ||
        !pair_velocities(s, e))
        return false;
    for (size_t i = 0; i < t->ncolumn; i++)
        if (!choose_channel(s, i, e))
            return false;
    if (!read_velocities(s, e))
        return false;
    count_columns(t, choice->all_cells);
    return t->nchannel > 0 ? true : no_channel(s, e);
}

bool columns_select(struct columns *t, const struct column_choice *choice, struct error *e)
{
    for (size_t i = 0; i < t->ncolumn; i++) {
        t->column[i].role = ROLE_PASS;
        t->column[i].velocity = COLUMN_NONE;
    }
    t->time = t->group = t->cut = t->passed = COLUMN_NONE;
    t->measured = false;
    if (t->ncolumn == 0) {
        count_columns(t, false); /* an empty array of JSON: there are no rows, and so no columns */
        return true;
    }
    if (choice->compare)
        return compare_roles(t);
    struct selection s = { t, choice, NULL, NULL, NULL };
    if (!arrays_make(e, ARRAY(s.velocity, t->ncolumn), ARRAY(s.pick, t->ncolumn), ARRAY(s.drop, t->ncolumn)))
        return false;
    for (size_t i = 0; i < t->ncolumn; i++)
        s.velocity[i].with = COLUMN_NONE;
    bool good = give_roles(&s, e);
    free(s.velocity);
    return good;
}
