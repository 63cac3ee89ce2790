/* Gives each column its role, by the user's options and by the first data row alone: the result is the same
 * for a stream and a file. */
#include "rows/columns.h"

#include "base/array.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

struct selection {
    struct columns *columns;
    const struct column_choice *choice;
    unsigned char *pick; /* [ncolumn] of enum column_pick: the columns of --columns */
    unsigned char *drop; /* [ncolumn] of enum column_pick: the columns of --exclude, and condition columns */
};

/* Refuses --rate and --time-unit where the time column contradicts them. */
static bool check_time_options(const struct selection *selection, size_t time, struct error *e)
{
    const struct column_choice *choice = selection->choice;
    bool frames = choice->time_unit == TIME_UNIT_FRAMES;
    if (choice->time && choice->rate > 0 && !frames) {
        error_usage(e, "--time and --rate contradict each other: --rate numbers the rows itself");
        return error_hint(e, "leave one out, or add --time-unit frames if the column holds frame numbers");
    }
    if (frames && !(choice->rate > 0)) {
        error_usage(e, "--time-unit frames needs the frame rate");
        return error_hint(e, "give it with --rate, such as --rate 100");
    }
    if (frames && time == COLUMN_NONE) {
        error_usage(e, "--time-unit frames: no column of frame numbers found");
        return error_hint(e, "name it with --time, or give only --rate HZ to number the rows");
    }
    const struct column *column = time == COLUMN_NONE ? NULL : &selection->columns->column[time];
    if (choice->time && choice->time_unit == TIME_UNIT_NONE && columns_counts_rows(column)) {
        error_usage(e, "--time: this column holds row numbers, not times");
        error_column(e, column->name);
        return error_hint(e,
                          "add --time-unit frames --rate HZ for frame numbers, or --time-unit s for seconds");
    }
    if (choice->time_unit > TIME_UNIT_S && choice->rate > 0 && !frames)
        return error_usage(e, "--time-unit and --rate contradict each other: --rate numbers the rows itself");
    if (choice->time_unit == TIME_UNIT_NONE || !column || column->form == TIMESTAMP_NUMBER)
        return true;
    error_usage(e, "--time-unit: the time column does not hold numbers");
    return error_column(e, column->name);
}

/* Finds the time column, the unit of the times, and how cells of times are read. */
static bool find_time(struct selection *selection, struct error *e)
{
    struct columns *columns = selection->columns;
    const struct column_choice *choice = selection->choice;
    bool frames = choice->time_unit == TIME_UNIT_FRAMES;
    size_t time = COLUMN_NONE;
    if (choice->time && (time = columns_find(columns, choice->time, "--time", e)) == COLUMN_NONE)
        return false;
    if (time == COLUMN_NONE && frames)
        time = columns_frame_counter(columns);
    if (time == COLUMN_NONE)
        time = columns_usual_time(columns);
    if (!check_time_options(selection, time, e))
        return false;
    if (choice->rate > 0 && !frames) {
        columns->unused_time = time;
        return true;
    }
    columns->time = time;
    if (time == COLUMN_NONE) {
        columns->rate = columns->rate == 0 ? columns->stated_rate : columns->rate;
        return true;
    }
    struct column *column = &columns->column[time];
    column->role = ROLE_TIME;
    column->reason = REASON_NAME;
    if (choice->time)
        column->reason = REASON_OPTION;
    else if (columns->owns_time && time == 0)
        column->reason = REASON_FORMAT;
    columns->form = column->form;
    if (frames) {
        columns->unit.rate = choice->rate;
        columns->unit_reason = UNIT_OPTION;
        return true;
    }
    columns->unit = columns_time_unit(columns_choose_unit(column, choice->time_unit, &columns->unit_reason));
    return true;
}

/* The words for a role in the message that a column has this role already. */
static const char *name_of_role(enum role role)
{
    switch (role) {
    case ROLE_GROUP:
        return "a --group-by column";
    case ROLE_CUT:
        return "the --cut-column";
    case ROLE_READ:
        return "a column with the values of an option";
    case ROLE_ABSENT:
        return "in another table";
    default:
        return "the time column";
    }
}

/* The error of an option that names a column of text (text true), or a column that has a role already. */
static bool refuse(const struct column *column, const char *option, bool text, struct error *e)
{
    if (text)
        error_data(e, "%s names this column, but its first row holds text", option);
    else
        error_data(e, "%s names this column, but it is %s already", option, name_of_role(column->role));
    return error_column(e, column->name);
}

/* Gives a role to a column that an option names. */
static bool give_role(struct column *column, const char *option, enum role role, struct error *e)
{
    bool numbers = role == ROLE_CUT || role == ROLE_READ;
    if (column->role != ROLE_PASS || (numbers && column->first == CELL_TEXT))
        return refuse(column, option, column->role == ROLE_PASS, e);
    column->role = role;
    column->reason = REASON_OPTION;
    return true;
}

/* Finds the columns of --group-by. */
static bool find_groups(struct selection *selection, struct error *e)
{
    static const char option[] = "--group-by";
    struct columns *columns = selection->columns;
    if (!selection->choice->group)
        return true;
    columns->group = malloc((columns->ncolumn + 1) * sizeof *columns->group);
    if (!columns->group)
        return error_memory(e);
    if (!columns_find_list(columns, selection->choice->group, option, columns->group, &columns->ngroup, e))
        return false;
    for (size_t i = 0; i < columns->ngroup; i++)
        if (!give_role(&columns->column[columns->group[i]], option, ROLE_GROUP, e))
            return false;
    return true;
}

/* Finds the column of --cut-column. */
static bool find_cut(struct selection *selection, struct error *e)
{
    static const char option[] = "--cut-column";
    struct columns *columns = selection->columns;
    if (!selection->choice->cut)
        return true;
    columns->cut = columns_find(columns, selection->choice->cut, option, e);
    return columns->cut != COLUMN_NONE && give_role(&columns->column[columns->cut], option, ROLE_CUT, e);
}

/* Finds the columns of options with @COLUMN; several options may name the same column. */
static bool find_parameters(struct selection *selection, struct error *e)
{
    for (size_t i = 0; i < selection->choice->parameters.ntext; i++) {
        size_t at = columns_find(selection->columns, selection->choice->parameters.text[i], "@COLUMN", e);
        if (at == COLUMN_NONE)
            return false;
        struct column *column = &selection->columns->column[at];
        if (column->reason == REASON_PARAMETER)
            continue;
        if (!give_role(column, "@COLUMN", ROLE_READ, e))
            return false;
        column->reason = REASON_PARAMETER;
    }
    return true;
}

/* Makes column i a channel, or sets the reason why the column is no channel. False: the user named the
 * column, and the column cannot be a channel. */
static bool choose_channel(struct selection *selection, size_t i, struct error *e)
{
    struct column *column = &selection->columns->column[i];
    const bool named = selection->pick[i] == PICK_EXPLICIT;
    const bool made = i == 0 && selection->columns->owns_time;
    if (column->role == ROLE_ABSENT)
        return true;
    if (selection->drop[i] != PICK_NONE || (selection->choice->columns && selection->pick[i] == PICK_NONE)) {
        if (column->role == ROLE_PASS)
            column->reason = selection->drop[i] == PICK_NONE ? REASON_NOT_CHOSEN : REASON_EXCLUDED;
        return true;
    }
    /* With --rate a column of times may be filtered like any other, unless the format makes the times. */
    bool time = made || (i == selection->columns->unused_time && !named);
    bool taken = time || column->role != ROLE_PASS;
    if (named && (taken || column->first == CELL_TEXT)) {
        refuse(column, "--columns", !taken, e);
        return taken || selection->columns->doubtful ? columns_hint(selection->columns, NULL, e) : false;
    }
    if (taken) {
        if (column->role == ROLE_PASS)
            column->reason = made ? REASON_FORMAT : REASON_RATE;
        return true;
    }
    if (!named && column->first == CELL_TEXT)
        column->reason = column->frame ? REASON_FORMAT : REASON_TEXT;
    else if (!named && column->first == CELL_GAP && !column->name[0])
        column->reason = REASON_NAMELESS;
    else {
        enum role_reason alone = named ? REASON_NONE : columns_why_alone(selection->columns, i);
        enum role_reason here = column->first == CELL_NUMBER ? REASON_NUMBER : REASON_MISSING;
        column->role = alone ? ROLE_PASS : ROLE_CHANNEL;
        column->reason = alone ? alone : here;
        if (named)
            column->reason = REASON_CHOSEN;
    }
    return true;
}

/* Are there three columns with this name, once with each of the letters x, y and z as last letter? */
static bool has_three_axes(const struct columns *columns, const char *name)
{
    char *sibling = strdup(name);
    bool found = sibling != NULL;
    for (const char *axis = "xyz"; found && *axis; axis++) {
        sibling[strlen(sibling) - 1] = *axis;
        found = columns_lookup(columns, sibling) != COLUMN_NONE;
    }
    free(sibling);
    return found;
}

/* The column that a column with this name is a derivative of, by the names that --derivatives gives: x for
 * x_vel and x_acc; q_x, q.x or qx for q_vel_x, of a rotation; p.0 for p_vel.0, of an array in JSON.
 * COLUMN_NONE: the name is not the name of a derivative. */
static size_t find_source(const struct columns *columns, const char *name)
{
    static const char *const suffixes[] = { "_vel", "_acc" };
    enum { SUFFIX = 4 /* bytes of "_vel" and "_acc" */ };
    size_t n = strlen(name);
    char *stem = malloc(n + 1);
    size_t source = COLUMN_NONE;
    for (size_t i = 0; stem && i < 2 && source == COLUMN_NONE; i++) {
        const char *at = strstr(name, suffixes[i]), *next;
        while (at && (next = strstr(at + 1, suffixes[i])))
            at = next;
        if (!at || at == name || (at[SUFFIX] && at[SUFFIX] != '_' && at[SUFFIX] != '.'))
            continue;
        memcpy(stem, name, (size_t)(at - name));
        memcpy(stem + (at - name), at + SUFFIX, n + 1 - (size_t)(at - name) - SUFFIX);
        source = columns_lookup(columns, stem);
        if (at[SUFFIX] == '_' && !has_three_axes(columns, name)) {
            source = COLUMN_NONE;
            continue;
        }
        if (source == COLUMN_NONE && at[SUFFIX] == '_') { /* q.x, or else qx */
            char *joint = stem + (at - name);
            *joint = '.';
            source = columns_lookup(columns, stem);
            if (source == COLUMN_NONE) {
                memmove(joint, joint + 1, strlen(joint));
                source = columns_lookup(columns, stem);
            }
        }
    }
    free(stem);
    return source;
}

/* Is there a column with the predicted velocity for a column NAME@S: NAME_vel@S, or, if NAME is a component
 * STEM_x of a rotation, STEM_vel_x@S? name: the text NAME@S; nname: bytes of NAME. */
static bool has_predicted_velocity(const struct columns *columns, const char *name, size_t nname)
{
    bool found = false;
    for (int of_rotation = 0; of_rotation < 2 && !found; of_rotation++) {
        size_t nstem = nname;
        while (of_rotation && nstem > 0 && !strchr("_.", name[nstem - 1]))
            nstem--;
        nstem -= of_rotation && nstem > 0;
        char *velocity = text_format("%.*s_vel%s%s", (int)nstem, name, of_rotation ? "_x" : "", name + nname);
        found = velocity && columns_lookup(columns, velocity) != COLUMN_NONE;
        free(velocity);
    }
    return found;
}

/* The channel that a column predicts, by the names that --predict gives: x for x@0.1 beside x_vel@0.1, and
 * for x_vel@0.1. COLUMN_NONE: the column is not a prediction. */
static size_t find_predicted(const struct columns *columns, const char *name)
{
    const char *at = strrchr(name, '@'), *end = name + strlen(name);
    double seconds;
    size_t source = COLUMN_NONE;
    if (!at || at == name || number_read(at + 1, end, '.', &seconds) != end)
        return COLUMN_NONE;
    char *now = text_format("%.*s", (int)(at - name), name);
    if (now && has_predicted_velocity(columns, name, (size_t)(at - name)))
        source = columns_lookup(columns, now);
    if (now && source == COLUMN_NONE)
        source = find_source(columns, now);
    free(now);
    return source;
}

size_t columns_find_source(const struct columns *columns, const char *name)
{
    const size_t source = find_source(columns, name);
    return source == COLUMN_NONE ? find_predicted(columns, name) : source;
}

/* Is column i named as a derivative or prediction of a channel? *source: the channel. */
static bool is_named_after_channel(const struct columns *columns, size_t i, size_t *source)
{
    const struct column *column = &columns->column[i];
    *source = COLUMN_NONE;
    if (column->role == ROLE_CHANNEL && column->reason != REASON_CHOSEN)
        *source = columns_find_source(columns, column->name);
    return *source != COLUMN_NONE && columns->column[*source].role == ROLE_CHANNEL;
}

/* Takes the role of a channel from derivatives and predictions of channels, which an earlier run added.
 * Columns that show nothing, as of channels that stand still, go with the others. rate: of --rate, or 0. */
static void find_derivatives(struct columns *columns, double rate)
{
    const size_t first = columns_first_added(columns);
    bool added = false;
    for (size_t i = first, source; i < columns->ncolumn && !added; i = columns_after(columns, i))
        added = is_named_after_channel(columns, i, &source) &&
                columns_was_derived(columns, i, source, rate) == DERIVED;
    for (size_t i = first, source; i < columns->ncolumn && added; i = columns_after(columns, i)) {
        if (!is_named_after_channel(columns, i, &source) ||
            columns_was_derived(columns, i, source, rate) == NOT_DERIVED)
            continue;
        columns->column[i].role = ROLE_PASS;
        columns->column[i].reason = REASON_DERIVATIVE;
        columns->column[i].source = source;
    }
}

/* Where the first row has no other number, marks and qualities are channels. */
static void take_marks(struct columns *columns)
{
    for (size_t i = 0; i < columns->ncolumn; i = columns_after(columns, i)) {
        const struct column *column = &columns->column[i];
        const bool excluded = column->reason == REASON_EXCLUDED && column->first != CELL_TEXT;
        if (column->role == ROLE_CHANNEL || excluded)
            return;
    }
    for (size_t i = 0; i < columns->ncolumn; i = columns_after(columns, i)) {
        struct column *column = &columns->column[i];
        if (column->role != ROLE_PASS || (column->reason != REASON_MARK && column->reason != REASON_QUALITY))
            continue;
        column->role = ROLE_CHANNEL;
        column->reason = column->first == CELL_NUMBER ? REASON_NUMBER : REASON_MISSING;
    }
}

/* The error that no channel is left. */
static bool no_channel(const struct selection *selection, struct error *e)
{
    bool counter = false;
    for (size_t i = 0; i < selection->columns->ncolumn; i++)
        counter |= column_passes_numbers(&selection->columns->column[i]);
    const char *frames = counter ? " and frame numbers" : "";
    const char *option = selection->choice->exclude ? "--exclude" : "--columns";
    const char *but = counter ? " (to filter frame numbers, give the full column name)" : "";
    if (selection->choice->columns || selection->choice->exclude)
        error_data(e, "%s leaves nothing to filter%s", option, but);
    else
        error_data(e, "nothing to filter: the first data row has no number except the time%s", frames);
    columns_hint(selection->columns, NULL, e);
    return error_unfilterable(e);
}

/* Gives ROLE_READ to a condition column, unless the column has a role with numbers. */
static bool read_teller(struct columns *columns, const struct column_mask *link, const char *option,
                        struct error *e)
{
    struct column *teller = &columns->column[link->teller];
    if (teller->first == CELL_TEXT || teller->role == ROLE_TIME || teller->role == ROLE_GROUP)
        return refuse(teller, option, teller->first == CELL_TEXT, e);
    if (teller->role == ROLE_ABSENT) {
        error_data(e, "%s names this column, but its rows have other times than \"%s\"", option,
                   columns_at(columns, link->column)->name);
        return error_column(e, teller->name);
    }
    if (teller->role == ROLE_PASS) {
        teller->role = ROLE_READ;
        teller->reason = REASON_OPTION;
    }
    return true;
}

/* The links of one argument of --mask or of the list of --goal-velocity-from. */
struct links {
    size_t next;        /* index into columns->mask of the next link; kept masks move to the front */
    size_t end;         /* number of links in columns->mask */
    const char *option; /* the option, for messages */
};

/* After the channels are known: takes the links that the argument `text` made, from links->next on, and marks
 * the condition columns as read. velocity: a link gives the channel a measured velocity; else the link is
 * kept as a mask. *any: a link belongs to a channel. */
static bool keep_links(struct columns *columns, struct links *links, const char *text, bool velocity,
                       bool *any, struct error *e)
{
    *any = false;
    for (; links->next < links->end && columns->mask[links->next].text == text; links->next++) {
        const struct column_mask link = columns->mask[links->next];
        struct column *channel = columns_at(columns, link.column);
        if (channel->role != ROLE_CHANNEL && channel->role != ROLE_ABSENT && link.named)
            return error_data(e, "%s: column \"%s\" is not filtered", links->option, channel->name);
        if (channel->role != ROLE_CHANNEL)
            continue;
        if (!read_teller(columns, &link, links->option, e))
            return false;
        *any = true;
        if (velocity)
            channel->velocity = link.teller;
        else
            columns->mask[columns->nmask++] = link;
    }
    return true;
}

static bool keep_velocities(struct columns *columns, struct links *links, const struct texts *texts,
                            struct error *e)
{
    bool any;
    links->option = "--goal-velocity-from";
    if (texts->ntext == 0)
        return true;
    /* The links of all texts hold the last text. */
    if (!keep_links(columns, links, texts->text[texts->ntext - 1], true, &any, e))
        return false;
    columns->measured |= any;
    if (!any && !columns->partial)
        return error_data(e, "%s: its lists name no filtered column", links->option);
    return true;
}

static bool keep_masks(struct columns *columns, struct links *links, const struct texts *texts,
                       struct error *e)
{
    links->option = "--mask";
    for (size_t k = 0; k < texts->ntext; k++) {
        bool any;
        if (!keep_links(columns, links, texts->text[k], false, &any, e))
            return false;
        if (!any && !columns->partial)
            return error_data(e, "%s: no filtered column in \"%.200s\"", links->option, texts->text[k]);
    }
    return true;
}

/* Numbers the cells and values of columns by their roles. */
static bool count_columns(struct columns *columns, bool all_cells, struct error *e)
{
    free(columns->channel);
    columns->channel = malloc((columns->ncolumn + 1) * sizeof *columns->channel);
    if (!columns->channel)
        return error_memory(e);
    columns->nchannel = columns->nvalue = columns->ncell = 0;
    for (size_t i = 0; i < columns->ncolumn; i = columns_after(columns, i)) {
        struct column *column = &columns->column[i];
        bool written = column->role != ROLE_PASS || column->reason == REASON_DERIVATIVE;
        bool used = column->role != ROLE_ABSENT && (written || all_cells);
        column->cell = used ? columns->ncell++ : COLUMN_NONE;
        column->value = COLUMN_NONE;
        if (column->role == ROLE_CHANNEL) {
            columns->channel[columns->nvalue] = i;
            column->value = columns->nvalue++;
        }
    }
    columns->nchannel = columns->nvalue;
    if (columns->cut != COLUMN_NONE)
        columns->column[columns->cut].value = columns->nvalue++;
    for (size_t i = 0; i < columns->ncolumn; i = columns_after(columns, i))
        if (columns->column[i].role == ROLE_READ)
            columns->column[i].value = columns->nvalue++;
    return true;
}

static bool give_roles(struct selection *selection, struct error *e)
{
    const struct column_choice *choice = selection->choice;
    struct columns *columns = selection->columns;
    if (!find_time(selection, e) || !find_groups(selection, e) || !find_cut(selection, e) ||
        !find_parameters(selection, e))
        return false;
    if ((choice->columns && !columns_pick_list(columns, choice->columns, "--columns", selection->pick, e)) ||
        (choice->exclude && !columns_pick_list(columns, choice->exclude, "--exclude", selection->drop, e)) ||
        !columns_find_masks(columns, &choice->velocities, false, selection->pick, selection->drop, e) ||
        !columns_find_masks(columns, &choice->masks, true, selection->pick, selection->drop, e))
        return false;
    for (size_t i = 0; i < columns->ncolumn; i = columns_after(columns, i))
        if (!choose_channel(selection, i, e))
            return false;
    if (!choice->columns)
        take_marks(columns);
    if (!choice->old_derivatives)
        find_derivatives(columns, choice->rate);
    struct links links = { .end = columns->nmask };
    columns->nmask = 0;
    if (!keep_velocities(columns, &links, &choice->velocities, e) ||
        !keep_masks(columns, &links, &choice->masks, e))
        return false;
    if (!count_columns(columns, choice->all_cells, e))
        return false;
    return columns->nchannel > 0 ? true : no_channel(selection, e);
}

bool columns_select(struct columns *columns, const struct column_choice *choice, struct error *e)
{
    bool compare = choice->compare || columns->ncolumn == 0; /* no column: an empty array of JSON */
    for (size_t i = 0; i < columns->ncolumn; i = columns_after(columns, i)) {
        struct column *column = &columns->column[i];
        column->velocity = column->source = COLUMN_NONE;
        column->reason = column->role == ROLE_ABSENT ? REASON_FORMAT : REASON_NONE;
        if (column->role != ROLE_ABSENT)
            column->role = compare && column->first != CELL_TEXT ? ROLE_CHANNEL : ROLE_PASS;
    }
    if (columns->stated_rate == 0 && columns->rate > 0)
        columns->stated_rate = columns->rate;
    columns->unit = (struct time_unit){ 0 };
    columns->unit_reason = UNIT_ASSUMED;
    columns->form = TIMESTAMP_NUMBER;
    columns->time = columns->cut = columns->unused_time = COLUMN_NONE;
    free(columns->group);
    columns->group = NULL;
    columns->ngroup = 0;
    columns->measured = false;
    columns->nmask = 0;
    if (columns->rate != 0 && choice->rate > 0)
        columns->rate = choice->rate;
    if (compare) {
        if (columns->counted) { /* column 0 stays the time */
            columns->time = 0;
            columns->column[0].role = ROLE_TIME;
        }
        return count_columns(columns, true, e);
    }
    struct selection selection = { columns, choice, NULL, NULL };
    if (!arrays_make(e, ARRAY(selection.pick, columns->ncolumn), ARRAY(selection.drop, columns->ncolumn)))
        return false;
    bool good = give_roles(&selection, e);
    free(selection.pick);
    return good;
}
