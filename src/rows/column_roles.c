/* Gives each column its role, by the user's options and by the first data row alone: the result is the same
 * for a stream and a file. */
#include "rows/columns.h"

#include "base/array.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

struct selection {
    struct columns *t;
    const struct column_choice *choice;
    unsigned char *pick, *drop; /* per column: enum column_pick by --columns and --exclude */
};

/* Refuses --rate and --time-unit where the time column contradicts them. */
static bool check_time_options(const struct selection *s, size_t time, struct error *e)
{
    const struct column_choice *choice = s->choice;
    bool frames = choice->time_unit == TIME_UNIT_FRAMES;
    if (choice->time && choice->rate > 0 && !frames) {
        error_usage(e, "--time and --rate contradict each other: with a rate rows are numbered");
        return error_hint(e, "leave one out; --time-unit frames if the column holds frame numbers");
    }
    if (frames && !(choice->rate > 0)) {
        error_usage(e, "--time-unit frames: the frames per second are missing");
        return error_hint(e, "give them with --rate HZ");
    }
    if (frames && time == COLUMN_NONE) {
        error_usage(e, "--time-unit frames: there is no column of frame numbers");
        return error_hint(e, "name it with --time; --rate HZ alone numbers the rows");
    }
    const struct column *c = time == COLUMN_NONE ? NULL : &s->t->column[time];
    if (choice->time && choice->time_unit == TIME_UNIT_NONE && columns_counts_rows(c)) {
        error_usage(e, "--time names a count of rows, and the unit of a time is missing");
        error_column(e, c->name);
        return error_hint(e, "--time-unit frames --rate HZ reads frame numbers; --time-unit s says that they "
                             "are seconds");
    }
    if (choice->time_unit > TIME_UNIT_S && choice->rate > 0 && !frames)
        return error_usage(e, "--time-unit and --rate contradict each other: with a rate rows are numbered");
    if (choice->time_unit == TIME_UNIT_NONE || !c || c->form == TIMESTAMP_NUMBER)
        return true;
    error_usage(e, "--time-unit: the time column does not hold numbers");
    return error_column(e, c->name);
}

/* Finds the time column, the unit of the times, and how cells of times are read. */
static bool find_time(struct selection *s, struct error *e)
{
    struct columns *t = s->t;
    const struct column_choice *choice = s->choice;
    bool frames = choice->time_unit == TIME_UNIT_FRAMES;
    size_t time = COLUMN_NONE;
    if (choice->time && (time = columns_find(t, choice->time, "--time", e)) == COLUMN_NONE)
        return false;
    if (time == COLUMN_NONE && frames)
        time = columns_frame_counter(t);
    if (time == COLUMN_NONE)
        time = columns_usual_time(t);
    if (!check_time_options(s, time, e))
        return false;
    if (choice->rate > 0 && !frames) {
        t->passed = time;
        return true;
    }
    t->time = time;
    if (time == COLUMN_NONE) {
        t->rate = t->rate == 0 ? t->stated_rate : t->rate;
        return true;
    }
    struct column *c = &t->column[time];
    c->role = ROLE_TIME;
    c->reason = REASON_NAME;
    if (choice->time)
        c->reason = REASON_OPTION;
    else if (t->owns_time && time == 0)
        c->reason = REASON_FORMAT;
    t->form = c->form;
    if (frames) {
        t->unit.rate = choice->rate;
        t->unit_reason = UNIT_OPTION;
        return true;
    }
    t->unit = columns_time_unit(columns_choose_unit(c, choice->time_unit, &t->unit_reason));
    return true;
}

/* A role in messages about an option that names the column for another role. */
static const char *name_of_role(enum role role)
{
    switch (role) {
    case ROLE_GROUP:
        return "a column of --group-by";
    case ROLE_CUT:
        return "the column of --cut-column";
    case ROLE_READ:
        return "a column of values of an option";
    case ROLE_ABSENT:
        return "in another table";
    default:
        return "the time column";
    }
}

/* The error of an option that names a column of text (text true), or a column that has a role already. */
static bool refuse(const struct column *c, const char *option, bool text, struct error *e)
{
    if (text)
        error_data(e, "%s names it, and it holds text in the first data row", option);
    else
        error_data(e, "%s names it, and it is %s already", option, name_of_role(c->role));
    return error_column(e, c->name);
}

/* Gives a role to a column that an option names. */
static bool give_role(struct column *c, const char *option, enum role role, struct error *e)
{
    bool numbers = role == ROLE_CUT || role == ROLE_READ;
    if (c->role != ROLE_PASS || (numbers && c->first == CELL_TEXT))
        return refuse(c, option, c->role == ROLE_PASS, e);
    c->role = role;
    c->reason = REASON_OPTION;
    return true;
}

/* Finds the columns of --group-by. */
static bool find_groups(struct selection *s, struct error *e)
{
    static const char option[] = "--group-by";
    struct columns *t = s->t;
    if (!s->choice->group)
        return true;
    t->group = malloc((t->ncolumn + 1) * sizeof *t->group);
    if (!t->group)
        return error_memory(e);
    if (!columns_find_list(t, s->choice->group, option, t->group, &t->ngroup, e))
        return false;
    for (size_t i = 0; i < t->ngroup; i++)
        if (!give_role(&t->column[t->group[i]], option, ROLE_GROUP, e))
            return false;
    return true;
}

/* Finds the column of --cut-column. */
static bool find_cut(struct selection *s, struct error *e)
{
    static const char option[] = "--cut-column";
    struct columns *t = s->t;
    if (!s->choice->cut)
        return true;
    t->cut = columns_find(t, s->choice->cut, option, e);
    return t->cut != COLUMN_NONE && give_role(&t->column[t->cut], option, ROLE_CUT, e);
}

/* Finds the columns of options with @COLUMN; several options may name one. */
static bool find_parameters(struct selection *s, struct error *e)
{
    for (size_t i = 0; i < s->choice->parameters.ntext; i++) {
        size_t at = columns_find(s->t, s->choice->parameters.text[i], "@COLUMN", e);
        if (at == COLUMN_NONE)
            return false;
        struct column *c = &s->t->column[at];
        if (c->reason == REASON_PARAMETER)
            continue;
        if (!give_role(c, "@COLUMN", ROLE_READ, e))
            return false;
        c->reason = REASON_PARAMETER;
    }
    return true;
}

/* Makes column i a channel, or sets the reason why the column is no channel. False: the user named the
 * column, and the column cannot be a channel. */
static bool choose_channel(struct selection *s, size_t i, struct error *e)
{
    struct column *c = &s->t->column[i];
    const bool named = s->pick[i] == PICK_EXPLICIT;
    const bool made = i == 0 && s->t->owns_time;
    if (c->role == ROLE_ABSENT)
        return true;
    if (s->drop[i] != PICK_NONE || (s->choice->columns && s->pick[i] == PICK_NONE)) {
        if (c->role == ROLE_PASS)
            c->reason = s->drop[i] == PICK_NONE ? REASON_NOT_CHOSEN : REASON_EXCLUDED;
        return true;
    }
    /* With --rate a column of times may be filtered like any other, unless the format makes the times. */
    bool time = made || (i == s->t->passed && !named);
    bool taken = time || c->role != ROLE_PASS;
    if (named && (taken || c->first == CELL_TEXT)) {
        refuse(c, "--columns", !taken, e);
        return taken || s->t->doubtful ? columns_hint(s->t, NULL, e) : false;
    }
    if (taken) {
        if (c->role == ROLE_PASS)
            c->reason = made ? REASON_FORMAT : REASON_RATE;
        return true;
    }
    if (!named && c->first == CELL_TEXT)
        c->reason = c->frame ? REASON_FORMAT : REASON_TEXT;
    else if (!named && c->first == CELL_GAP && !c->name[0])
        c->reason = REASON_NAMELESS;
    else {
        enum role_reason alone = named ? REASON_NONE : columns_why_alone(s->t, i);
        enum role_reason here = c->first == CELL_NUMBER ? REASON_NUMBER : REASON_MISSING;
        c->role = alone ? ROLE_PASS : ROLE_CHANNEL;
        c->reason = alone ? alone : here;
        if (named)
            c->reason = REASON_CHOSEN;
    }
    return true;
}

/* Are there three columns with this name, once with each of the letters x, y and z as last letter? */
static bool has_three_axes(const struct columns *t, const char *name)
{
    char *sibling = strdup(name);
    bool all = sibling != NULL;
    for (const char *axis = "xyz"; all && *axis; axis++) {
        sibling[strlen(sibling) - 1] = *axis;
        all = columns_lookup(t, sibling) != COLUMN_NONE;
    }
    free(sibling);
    return all;
}

/* The column of which a column with this name is a derivative, by the names that --derivatives gives: x for
 * x_vel and x_acc; q_x for q_vel_x, of a rotation; p.0 for p_vel.0, of an array in JSON. COLUMN_NONE: the
 * name is not the name of a derivative. */
static size_t find_source(const struct columns *t, const char *name)
{
    static const char *const suffixes[] = { "_vel", "_acc" };
    size_t n = strlen(name);
    char *stem = malloc(n + 1);
    size_t source = COLUMN_NONE;
    for (size_t i = 0; stem && i < 2 && source == COLUMN_NONE; i++) {
        const char *at = strstr(name, suffixes[i]), *next;
        while (at && (next = strstr(at + 1, suffixes[i])))
            at = next;
        if (!at || at == name || (at[4] && at[4] != '_' && at[4] != '.'))
            continue;
        memcpy(stem, name, (size_t)(at - name));
        memcpy(stem + (at - name), at + 4, n + 1 - (size_t)(at - name) - 4);
        source = columns_lookup(t, stem);
        if (at[4] == '_' && !has_three_axes(t, name)) {
            source = COLUMN_NONE;
            continue;
        }
        if (source == COLUMN_NONE && at[4] == '_') { /* qx or q.x */
            char *joint = stem + (at - name);
            *joint = '.';
            source = columns_lookup(t, stem);
            if (source == COLUMN_NONE) {
                memmove(joint, joint + 1, strlen(joint));
                source = columns_lookup(t, stem);
            }
        }
    }
    free(stem);
    return source;
}

/* Is there a column NAME_vel@S, or of a component of a rotation STEM_vel_x@S, for a column NAME@S? nname:
 * bytes of NAME. */
static bool has_predicted_velocity(const struct columns *t, const char *name, size_t nname)
{
    bool found = false;
    for (int of_rotation = 0; of_rotation < 2 && !found; of_rotation++) {
        size_t nstem = nname;
        while (of_rotation && nstem > 0 && !strchr("_.", name[nstem - 1]))
            nstem--;
        nstem -= of_rotation && nstem > 0;
        char *velocity = text_format("%.*s_vel%s%s", (int)nstem, name, of_rotation ? "_x" : "", name + nname);
        found = velocity && columns_lookup(t, velocity) != COLUMN_NONE;
        free(velocity);
    }
    return found;
}

/* The channel of which a column is a prediction, by the names that --predict gives: x of x@0.1 beside
 * x_vel@0.1, and of x_vel@0.1 beside x@0.1. COLUMN_NONE: none. */
static size_t find_predicted(const struct columns *t, const char *name)
{
    const char *at = strrchr(name, '@'), *end = name + strlen(name);
    double seconds;
    size_t source = COLUMN_NONE;
    if (!at || at == name || number_read(at + 1, end, '.', &seconds) != end)
        return COLUMN_NONE;
    char *now = text_format("%.*s", (int)(at - name), name);
    if (now && has_predicted_velocity(t, name, (size_t)(at - name)))
        source = columns_lookup(t, now);
    if (now && source == COLUMN_NONE)
        source = find_source(t, now);
    free(now);
    return source;
}

/* Leaves the derivatives and predictions alone that an earlier run added beside channels. */
static void find_derivatives(struct columns *t)
{
    for (size_t i = 0; i < t->ncolumn; i = columns_after(t, i)) {
        struct column *c = &t->column[i];
        if (c->role != ROLE_CHANNEL || c->reason == REASON_CHOSEN)
            continue;
        size_t source = find_source(t, c->name);
        if (source == COLUMN_NONE)
            source = find_predicted(t, c->name);
        if (source == COLUMN_NONE || t->column[source].role != ROLE_CHANNEL)
            continue;
        c->role = ROLE_PASS;
        c->reason = REASON_DERIVATIVE;
        c->source = source;
    }
}

static bool no_channel(const struct selection *s, struct error *e)
{
    bool counter = false;
    for (size_t i = 0; i < s->t->ncolumn; i++)
        counter |= column_passes_numbers(&s->t->column[i]);
    const char *frames = counter ? " and frame numbers" : "";
    const char *option = s->choice->exclude ? "--exclude" : "--columns";
    const char *but = counter ? " but frame numbers, which only their full name makes a channel" : "";
    if (s->choice->columns || s->choice->exclude)
        error_data(e, "nothing is left to filter after %s%s", option, but);
    else
        error_data(e, "no column to filter: the first data row has no number besides the time%s", frames);
    return columns_hint(s->t, NULL, e);
}

/* After the channels are known: keeps the masks and velocities of channels, and gives ROLE_READ to the
 * columns that tell these, unless such a column has a role with numbers. */
static bool keep_masks(struct columns *t, const struct column_choice *choice, struct error *e)
{
    size_t i = 0, n = t->nmask, nvelocity = choice->velocities.ntext;
    t->nmask = 0;
    for (size_t k = nvelocity == 0; k <= choice->masks.ntext; k++) {
        const char *text = k ? choice->masks.text[k - 1] : choice->velocities.text[nvelocity - 1];
        const char *option = k ? "--mask" : "--goal-velocity-from";
        bool any = false;
        for (; i < n && t->mask[i].text == text; i++) {
            const struct column_mask link = t->mask[i];
            struct column *channel = &t->column[link.column], *c = &t->column[link.teller];
            if (channel->role != ROLE_CHANNEL && channel->role != ROLE_ABSENT && link.named)
                return error_data(e, "%s: column \"%s\" is not filtered", option, channel->name);
            if (channel->role != ROLE_CHANNEL)
                continue;
            if (c->first == CELL_TEXT || c->role == ROLE_TIME || c->role == ROLE_GROUP)
                return refuse(c, option, c->first == CELL_TEXT, e);
            if (c->role == ROLE_ABSENT) {
                error_data(e, "%s names it, and its rows have other times than those of \"%s\"", option,
                           channel->name);
                return error_column(e, c->name);
            }
            if (c->role == ROLE_PASS) {
                c->role = ROLE_READ;
                c->reason = REASON_OPTION;
            }
            any = true;
            if (k > 0)
                t->mask[t->nmask++] = link;
            else
                channel->velocity = link.teller;
        }
        t->measured |= k == 0 && any;
        if (!any && !t->partial)
            return error_data(
                e, k ? "%s: no filtered column is in \"%.200s\"" : "%s: no filtered column is in a list",
                option, text);
    }
    return true;
}

static bool count_columns(struct columns *t, bool all_cells, struct error *e)
{
    free(t->channel);
    t->channel = malloc((t->ncolumn + 1) * sizeof *t->channel);
    if (!t->channel)
        return error_memory(e);
    t->nchannel = t->nvalue = t->ncell = 0;
    for (size_t i = 0; i < t->ncolumn; i = columns_after(t, i)) {
        struct column *c = &t->column[i];
        bool written = c->role != ROLE_PASS || c->reason == REASON_DERIVATIVE;
        bool used = c->role != ROLE_ABSENT && (written || all_cells);
        c->cell = used ? t->ncell++ : COLUMN_NONE;
        c->value = COLUMN_NONE;
        if (c->role == ROLE_CHANNEL) {
            t->channel[t->nvalue] = i;
            c->value = t->nvalue++;
        }
    }
    t->nchannel = t->nvalue;
    if (t->cut != COLUMN_NONE)
        t->column[t->cut].value = t->nvalue++;
    for (size_t i = 0; i < t->ncolumn; i = columns_after(t, i))
        if (t->column[i].role == ROLE_READ)
            t->column[i].value = t->nvalue++;
    return true;
}

static bool give_roles(struct selection *s, struct error *e)
{
    const struct column_choice *choice = s->choice;
    struct columns *t = s->t;
    if (!find_time(s, e) || !find_groups(s, e) || !find_cut(s, e) || !find_parameters(s, e))
        return false;
    if ((choice->columns && !columns_pick_list(t, choice->columns, "--columns", s->pick, e)) ||
        (choice->exclude && !columns_pick_list(t, choice->exclude, "--exclude", s->drop, e)) ||
        !columns_find_masks(t, &choice->velocities, false, s->pick, s->drop, e) ||
        !columns_find_masks(t, &choice->masks, true, s->pick, s->drop, e))
        return false;
    for (size_t i = 0; i < t->ncolumn; i = columns_after(t, i))
        if (!choose_channel(s, i, e))
            return false;
    if (!choice->derivatives)
        find_derivatives(t);
    if (!keep_masks(t, choice, e))
        return false;
    if (!count_columns(t, choice->all_cells, e))
        return false;
    return t->nchannel > 0 ? true : no_channel(s, e);
}

bool columns_select(struct columns *t, const struct column_choice *choice, struct error *e)
{
    bool compare = choice->compare || t->ncolumn == 0; /* no column: an empty array of JSON */
    for (size_t i = 0; i < t->ncolumn; i = columns_after(t, i)) {
        struct column *c = &t->column[i];
        c->velocity = c->source = COLUMN_NONE;
        c->reason = c->role == ROLE_ABSENT ? REASON_FORMAT : REASON_NONE;
        if (c->role != ROLE_ABSENT)
            c->role = compare && c->first != CELL_TEXT ? ROLE_CHANNEL : ROLE_PASS;
    }
    if (t->stated_rate == 0 && t->rate > 0)
        t->stated_rate = t->rate;
    t->unit = (struct time_unit){ 0 };
    t->unit_reason = UNIT_ASSUMED;
    t->form = TIMESTAMP_NUMBER;
    t->time = t->cut = t->passed = COLUMN_NONE;
    free(t->group);
    t->group = NULL;
    t->ngroup = 0;
    t->measured = false;
    t->nmask = 0;
    if (t->rate != 0 && choice->rate > 0)
        t->rate = choice->rate;
    if (compare) {
        if (t->counted) { /* column 0 stays the time */
            t->time = 0;
            t->column[0].role = ROLE_TIME;
        }
        return count_columns(t, true, e);
    }
    struct selection s = { t, choice, NULL, NULL };
    if (!arrays_make(e, ARRAY(s.pick, t->ncolumn), ARRAY(s.drop, t->ncolumn)))
        return false;
    bool good = give_roles(&s, e);
    free(s.pick);
    return good;
}
