/* Other parameters for some channels. See overrides.h.
 *
 * Each --set is applied, in order, to the settings of the channels it names; there the option takes the place
 * of its exclusive_group. What comes out may be at odds with the rest of the command line: the spring, say, takes two
 * of three. Then the sets count alone: what the command line said of any option with exclusive_group is dropped. */
#include "series/overrides.h"

#include "base/suggest.h"

#include <stdlib.h>
#include <string.h>

static const char *param_name(size_t i, void *filter)
{
    const struct filter *f = filter;
    return i < f->nparam ? f->params[i].name : NULL;
}

static const struct param *find_param(const struct filter *filter, const char *name, size_t n)
{
    for (size_t i = 0; i < filter->nparam; i++) {
        const struct param *p = &filter->params[i];
        if ((strlen(p->name) == n && memcmp(p->name, name, n) == 0) || (n == 1 && p->letter == name[0]))
            return p;
    }
    return NULL;
}

static bool unknown(const struct filter *filter, const char *name, size_t n, struct error *e)
{
    char word[64];
    error_escape(name, n, word, sizeof word);
    error_usage(e, "--set: %s has no parameter \"%s\"", filter->name, word);
    const char *near = suggest_name(word, param_name, (void *)filter);
    return near ? error_hint(e, "did you mean %s?", near)
                : error_hint(e, "\"sprung help %s\" lists them; other options hold for all channels",
                             filter->name);
}

static bool all_alike(const struct param *p, struct error *e)
{
    error_usage(e, "--set: --%s decides which columns there are, and holds for all channels", p->name);
    return error_hint(e, "give --%s on its own, or filter these channels in a run of their own", p->name);
}

static bool malformed(const char *text, struct error *e)
{
    error_usage(e, "--set: must be LIST:option=value");
    error_excerpt(e, text, strlen(text));
    return error_hint(e, "for example --set 'Hips*:halflife=0.3'");
}

/* A column's name may have colons and equals signs: the option stands between the last of either. */
static bool parse(struct override *o, const struct filter *filter, const char *text, struct error *e)
{
    const char *equals = strrchr(text, '='), *colon = equals;
    while (colon && colon > text && *colon != ':')
        colon--;
    if (!colon || colon == text || colon + 1 == equals)
        return malformed(text, e);
    size_t n = (size_t)(equals - colon - 1);
    o->param = find_param(filter, colon + 1, n);
    if (!o->param)
        return unknown(filter, colon + 1, n, e);
    if (o->param->kind == PARAM_NUMBERS)
        return all_alike(o->param, e);
    o->list = strndup(text, (size_t)(colon - text));
    o->value = calloc(1, filter->settings_size + 1);
    return o->list && o->value ? param_set(o->param, o->value, equals + 1, e) : error_memory(e);
}

bool override_list_parse(struct override_list *list, const struct filter *filter, const struct texts *sets, const void *settings,
                         struct error *e)
{
    list->at = calloc(sets->ntext + 1, sizeof *list->at);
    list->given = malloc(filter->settings_size + 1);
    if (!list->at || !list->given)
        return error_memory(e);
    memcpy(list->given, settings, filter->settings_size);
    for (; list->n < sets->ntext; list->n++)
        if (!parse(&list->at[list->n], filter, sets->text[list->n], e)) {
            list->n++;
            return false;
        }
    return true;
}

void override_list_free(struct override_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        free(list->at[i].list);
        free(list->at[i].value);
    }
    free(list->at);
    free(list->given);
    *list = (struct override_list){ 0 };
}

/* Sets the option, and clears the other options of its exclusive group. */
static bool apply(const struct filter *filter, const struct override *o, void *settings, struct error *e)
{
    for (size_t i = 0; i < filter->nparam; i++) {
        const struct param *p = &filter->params[i];
        if (p != o->param && p->exclusive_group && p->exclusive_group == o->param->exclusive_group &&
            !param_default(p, settings, e))
            return false;
    }
    param_copy(o->param, settings, o->value);
    return true;
}

/* The settings of every channel while they are made. */
struct making {
    const struct columns *columns;
    const struct filter *filter;
    char *whole, *alone; /* [nchannel] settings each: with the command line's, and without what has exclusive_group */
    bool *touched;       /* [nchannel] */
    unsigned char *pick; /* [ncolumn] */
};

static bool make(struct making *m, const void *given, struct error *e)
{
    size_t size = m->filter->settings_size, n = m->columns->nchannel;
    m->whole = calloc(n + 1, size + 1);
    m->alone = calloc(n + 1, size + 1);
    m->touched = calloc(n + 1, sizeof *m->touched);
    m->pick = malloc(m->columns->ncolumn + 1);
    if (!m->whole || !m->alone || !m->touched || !m->pick)
        return error_memory(e);
    for (size_t c = 0; c < n; c++) {
        memcpy(m->whole + c * size, given, size);
        memcpy(m->alone + c * size, given, size);
        for (size_t i = 0; i < m->filter->nparam; i++)
            if (m->filter->params[i].exclusive_group &&
                !param_default(&m->filter->params[i], m->alone + c * size, e))
                return false;
    }
    return true;
}

/* Applies one set to the channels of its list. */
static bool apply_to_channels(struct making *m, const struct override *set, struct error *e)
{
    const struct columns *t = m->columns;
    size_t size = m->filter->settings_size;
    bool any = false;
    memset(m->pick, PICK_NONE, t->ncolumn);
    if (!columns_pick_list(t, set->list, "--set", m->pick, e))
        return false;
    for (size_t i = 0; i < t->ncolumn; i++) {
        const struct column *c = &t->column[i];
        if (m->pick[i] == PICK_NONE)
            continue;
        if (c->role == ROLE_CHANNEL) {
            any = m->touched[c->value] = true;
            if (!apply(m->filter, set, m->whole + c->value * size, e) ||
                !apply(m->filter, set, m->alone + c->value * size, e))
                return false;
        } else if (m->pick[i] == PICK_EXPLICIT) {
            return error_data(e, "--set: column \"%s\" is not filtered", c->name);
        }
    }
    return any || error_data(e, "--set: no filtered column is like \"%s\"", set->list);
}

/* Checks the settings of channel c; returns those that hold, NULL when none does. */
static const void *settle(struct making *m, size_t c, struct error *e)
{
    size_t size = m->filter->settings_size;
    void *whole = m->whole + c * size, *alone = m->alone + c * size;
    struct error first, unsaid;
    if (m->filter->check(whole, &first))
        return whole;
    if (m->filter->check(alone, &unsaid))
        return alone;
    error_usage(e, "--set: %s", first.text);
    memcpy(e->hint, first.hint, sizeof e->hint);
    return NULL;
}

/* Gives channel c the tuning with these settings, a new one if there is none. */
static bool assign(struct overrides *s, const struct filter *filter, const void *settings, size_t c,
                   struct error *e)
{
    size_t i = 0;
    while (i < s->n && memcmp(s->settings[i], settings, filter->settings_size) != 0)
        i++;
    s->of[c] = i;
    if (i < s->n)
        return true;
    void *copy = malloc(filter->settings_size + 1);
    if (!copy)
        return error_memory(e);
    memcpy(copy, settings, filter->settings_size);
    s->settings[s->n++] = copy;
    return true;
}

static bool settle_channels(struct overrides *s, struct making *m, struct error *e)
{
    const struct columns *t = m->columns;
    struct shape shape = m->filter->shape(s->settings[0]);
    for (size_t i = 0; i < t->ncolumn; i++) {
        const struct column *c = &t->column[i];
        if (c->role != ROLE_CHANNEL || !m->touched[c->value])
            continue;
        const void *settings = settle(m, c->value, e);
        if (!settings)
            return error_column(e, c->name);
        struct shape own = m->filter->shape(settings);
        if (own.nout != shape.nout || own.nstate != shape.nstate || own.nstep != shape.nstep)
            return error_usage(e, "--set: channels of one run must have the same columns");
        if (!assign(s, m->filter, settings, c->value, e))
            return false;
    }
    return true;
}

bool overrides_collect(struct overrides *s, const struct columns *t, const struct filter *filter, const struct override_list *list,
                       const void *settings, struct error *e)
{
    struct making m = { .columns = t, .filter = filter };
    s->settings = calloc(t->nchannel + 1, sizeof *s->settings);
    s->of = calloc(t->nchannel + 1, sizeof *s->of);
    if (!s->settings || !s->of)
        return error_memory(e);
    s->settings[s->n++] = settings;
    if (list->n == 0)
        return true;
    bool good = make(&m, list->given, e);
    for (size_t i = 0; good && i < list->n; i++)
        good = apply_to_channels(&m, &list->at[i], e);
    good = good && settle_channels(s, &m, e);
    free(m.whole);
    free(m.alone);
    free(m.touched);
    free(m.pick);
    return good;
}

void overrides_free(struct overrides *s)
{
    for (size_t i = 1; i < s->n; i++)
        free((void *)s->settings[i]);
    free(s->settings);
    free(s->of);
}
