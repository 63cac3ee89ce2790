/* Makes a plan: gives each column its role, by the user's options, the head and the first row alone: the result is
 * the same for a stream and a file. */
#include "rows/plan.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

struct selection {
    struct column_plan *plan;
    const struct columns *columns; /* the plan's */
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
        error_usage(
            e, "--time and --rate contradict each other: with --rate the times come from the row numbers");
        return error_hint(e, "leave one out, or add --time-unit frames if the column holds frame numbers");
    }
    if (frames && !(choice->rate > 0)) {
        error_usage(e, "--time-unit frames needs the frame rate");
        return error_hint(e, "give it with --rate, such as --rate 100");
    }
    if (frames && time == COLUMN_NONE) {
        error_usage(e, "--time-unit frames: no column of frame numbers found");
        return error_hint(e, "name it with -t COLUMN; if there is none, leave out --time-unit frames");
    }
    const struct column *column = time == COLUMN_NONE ? NULL : &selection->columns->column[time];
    if (choice->time && choice->time_unit == TIME_UNIT_NONE && columns_counts_rows(column)) {
        error_usage(e, "--time: this column holds row numbers, not times");
        error_column(e, column->name);
        return error_hint(e,
                          "add --time-unit frames --rate HZ for frame numbers, or --time-unit s for seconds");
    }
    if (choice->time_unit > TIME_UNIT_S && choice->rate > 0 && !frames)
        return error_usage(
            e,
            "--time-unit and --rate contradict each other: with --rate the times come from the row numbers");
    if (choice->time_unit == TIME_UNIT_NONE || !column || column->form == TIMESTAMP_NUMBER)
        return true;
    error_usage(e, "--time-unit: the time column does not hold numbers");
    return error_column(e, column->name);
}

/* Where rows have no times, they come at a rate. */
static void settle_rate(struct column_plan *plan, const struct column_choice *choice)
{
    const double known = choice->rate > 0 ? choice->rate : plan->rate;
    plan->row_rate = plan->time == COLUMN_NONE ? known : 0;
}

/* The output must not depend on the time of day, so no option takes arrival times: the hint for `--time now`
 * names a program that writes them. Returns false. */
static bool hint_arrival(const char *time, struct error *e)
{
    if (strcmp(time, "now") != 0)
        return false;
    return error_hint(e, "to prefix rows with arrival times: ts -s %%.s | sprung ... -t 1 --no-header");
}

/* Finds the time column, the unit of the times, and how cells of times are read. */
static bool find_time(struct selection *selection, struct error *e)
{
    struct column_plan *plan = selection->plan;
    const struct columns *columns = selection->columns;
    const struct column_choice *choice = selection->choice;
    bool frames = choice->time_unit == TIME_UNIT_FRAMES;
    size_t time = COLUMN_NONE;
    if (choice->time && (time = columns_find(columns, choice->time, "--time", e)) == COLUMN_NONE)
        return hint_arrival(choice->time, e);
    if (time == COLUMN_NONE && frames)
        time = columns_frame_counter(columns);
    if (time == COLUMN_NONE)
        time = columns_usual_time(columns);
    if (!check_time_options(selection, time, e))
        return false;
    if (choice->rate > 0 && !frames) {
        plan->unused_time = time;
        return true;
    }
    plan->time = time;
    if (time == COLUMN_NONE) {
        plan->rate = plan->rate == 0 ? columns->stated_rate : plan->rate;
        return true;
    }
    const struct column *column = &columns->column[time];
    struct column_use *use = plan_own(plan, time);
    use->role = ROLE_TIME;
    use->reason = REASON_NAME;
    if (choice->time)
        use->reason = REASON_OPTION;
    else if (columns->owns_time && time == 0)
        use->reason = REASON_FORMAT;
    plan->form = column->form;
    if (column->unsure) {
        error_data(e, "this date may have the month or the day first: \"%s\"", column->text);
        error_column(e, column->name);
        return error_hint(e, "write it as 2021-05-12 19:35:00");
    }
    if (frames) {
        plan->unit.rate = choice->rate;
        plan->unit_reason = UNIT_OPTION;
        return true;
    }
    plan->unit = columns_time_unit(columns_choose_unit(column, choice->time_unit, &plan->unit_reason));
    return true;
}

/* What a column is already, for the message that an option cannot take the column. */
static const char *what_it_is(const struct column_plan *plan, size_t i)
{
    switch (plan_use(plan, i)->role) {
    case ROLE_GROUP:
        return "a --group-by column";
    case ROLE_CUT:
        return "the --cut-column";
    case ROLE_READ:
        return "a column with the values of an option";
    default:
        return "the time column";
    }
}

bool plan_refuse(const struct column_plan *plan, size_t i, const char *option, bool text, struct error *e)
{
    if (text)
        error_data(e, "%s names this column, but its first row holds text", option);
    else
        error_data(e, "%s names this column, but it is already %s", option, what_it_is(plan, i));
    return error_column(e, plan->columns->column[i].name);
}

/* Gives a role to a column that an option names. */
static bool give_role(struct column_plan *plan, size_t i, const char *option, enum role role, struct error *e)
{
    const bool able = plan_use(plan, i)->role == ROLE_PASS;
    bool numbers = role == ROLE_CUT || role == ROLE_READ;
    if (!able || (numbers && plan->columns->column[i].first == CELL_TEXT))
        return plan_refuse(plan, i, option, able, e);
    plan_own(plan, i)->role = role;
    plan_own(plan, i)->reason = REASON_OPTION;
    return true;
}

/* Finds the columns of --group-by. */
static bool find_groups(struct selection *selection, struct error *e)
{
    static const char option[] = "--group-by";
    struct column_plan *plan = selection->plan;
    if (!selection->choice->group)
        return true;
    plan->group = malloc((plan->columns->ncolumn + 1) * sizeof *plan->group);
    if (!plan->group)
        return error_memory(e);
    if (!columns_find_list(plan->columns, selection->choice->group, option, plan->group, &plan->ngroup, e))
        return false;
    for (size_t i = 0; i < plan->ngroup; i++)
        if (!give_role(plan, plan->group[i], option, ROLE_GROUP, e))
            return false;
    return true;
}

/* Finds the column of --cut-column. */
static bool find_cut(struct selection *selection, struct error *e)
{
    static const char option[] = "--cut-column";
    struct column_plan *plan = selection->plan;
    if (!selection->choice->cut)
        return true;
    plan->cut = columns_find(plan->columns, selection->choice->cut, option, e);
    return plan->cut != COLUMN_NONE && give_role(plan, plan->cut, option, ROLE_CUT, e);
}

/* Makes column i a channel, or sets the reason why the column is no channel. False: the user named the
 * column, and the column cannot be a channel. */
static bool choose_channel(struct selection *selection, size_t i, struct error *e)
{
    const struct column *column = &selection->columns->column[i];
    struct column_use *use = plan_own(selection->plan, i);
    const bool named = selection->pick[i] == PICK_EXPLICIT;
    const bool made = i == 0 && selection->columns->owns_time;
    if (selection->drop[i] != PICK_NONE || (selection->choice->columns && selection->pick[i] == PICK_NONE)) {
        if (use->role == ROLE_PASS)
            use->reason = selection->drop[i] == PICK_NONE ? REASON_NOT_CHOSEN : REASON_EXCLUDED;
        return true;
    }
    /* With --rate a column of times may be filtered like any other, unless the format makes the times. */
    bool time = made || (i == selection->plan->unused_time && !named);
    bool taken = time || use->role != ROLE_PASS;
    if (named && (taken || column->first == CELL_TEXT)) {
        plan_refuse(selection->plan, i, "--columns", !taken, e);
        return taken || selection->columns->doubtful ? columns_hint(selection->columns, e) : false;
    }
    if (taken) {
        if (use->role == ROLE_PASS)
            use->reason = made ? REASON_FORMAT : REASON_RATE;
        return true;
    }
    if (!named && column->first == CELL_TEXT)
        use->reason = column->frame ? REASON_FORMAT : REASON_TEXT;
    else if (!named && column->first == CELL_GAP && !column->name[0])
        use->reason = REASON_NAMELESS;
    else {
        enum role_reason alone = named ? REASON_NONE : columns_why_alone(selection->columns, i);
        enum role_reason here = column->first == CELL_NUMBER ? REASON_NUMBER : REASON_MISSING;
        use->role = alone ? ROLE_PASS : ROLE_CHANNEL;
        use->reason = alone ? alone : here;
        if (named)
            use->reason = REASON_CHOSEN;
    }
    return true;
}

/* Where the first row has no other number, marks and qualities are channels. */
static void take_marks(struct column_plan *plan)
{
    const struct columns *columns = plan->columns;
    for (size_t i = 0; i < columns->ncolumn; i++) {
        const struct column_use *use = plan_use(plan, i);
        const bool excluded = use->reason == REASON_EXCLUDED && columns->column[i].first != CELL_TEXT;
        if (use->role == ROLE_CHANNEL || excluded)
            return;
    }
    for (size_t i = 0; i < columns->ncolumn; i++) {
        struct column_use *use = plan_own(plan, i);
        if (use->role != ROLE_PASS || (use->reason != REASON_MARK && use->reason != REASON_QUALITY))
            continue;
        use->role = ROLE_CHANNEL;
        use->reason = columns->column[i].first == CELL_NUMBER ? REASON_NUMBER : REASON_MISSING;
    }
}

/* The error that no channel is left. */
static bool no_channel(const struct selection *selection, struct error *e)
{
    bool counter = false;
    const struct column_plan *plan = selection->plan;
    for (size_t i = 0; i < plan->columns->ncolumn; i++)
        counter |= plan_passes_numbers(plan_use(plan, i));
    const char *frames = counter ? " and frame numbers" : "";
    const char *option = selection->choice->exclude ? "--exclude" : "--columns";
    const char *but = counter ? " (to filter frame numbers, give the full column name)" : "";
    if (selection->choice->columns || selection->choice->exclude)
        error_data(e, "%s leaves nothing to filter%s", option, but);
    else
        error_data(e, "nothing to filter: the first data row has no number except the time%s", frames);
    columns_hint(selection->columns, e);
    return error_unfilterable(e);
}

bool plan_count(struct column_plan *plan, struct error *e)
{
    const size_t ncolumn = plan->columns->ncolumn;
    plan->channel = malloc((ncolumn + 1) * sizeof *plan->channel);
    if (!plan->channel)
        return error_memory(e);
    for (size_t i = 0; i < ncolumn; i++) {
        struct column_use *use = plan_own(plan, i);
        if (use->role != ROLE_PASS || plan->all_cells)
            use->cell = plan->ncell++;
        if (use->role == ROLE_CHANNEL) {
            plan->channel[plan->nvalue] = i;
            use->value = plan->nvalue++;
        }
    }
    plan->nchannel = plan->nvalue;
    if (plan->cut != COLUMN_NONE)
        plan_own(plan, plan->cut)->value = plan->nvalue++;
    for (size_t i = 0; i < ncolumn; i++)
        if (plan_use(plan, i)->role == ROLE_READ)
            plan_own(plan, i)->value = plan->nvalue++;
    return true;
}

static bool give_roles(struct selection *selection, struct error *e)
{
    const struct column_choice *choice = selection->choice;
    const struct columns *columns = selection->columns;
    struct column_plan *plan = selection->plan;
    if (!find_time(selection, e))
        return false;
    /* A filter counts rows by the rate; inspect looks at the times of counted rows. */
    if (columns->even && plan->time == 0 && !(columns->counted && choice->keeps_times))
        plan->time = COLUMN_NONE;
    settle_rate(plan, choice);
    if (!find_groups(selection, e) || !find_cut(selection, e))
        return false;
    if ((choice->columns && !columns_pick_list(columns, choice->columns, "--columns", selection->pick, e)) ||
        (choice->exclude && !columns_pick_list(columns, choice->exclude, "--exclude", selection->drop, e)) ||
        !plan_find_masks(plan, &choice->masks, selection->pick, selection->drop, e))
        return false;
    for (size_t i = 0; i < columns->ncolumn; i++)
        if (!choose_channel(selection, i, e))
            return false;
    if (!choice->columns)
        take_marks(plan);
    if (!choice->drawing)
        plan_leave_derivatives(plan);
    if (!plan_keep_masks(plan, choice, e) || !plan_count(plan, e))
        return false;
    return plan->nchannel > 0 ? true : no_channel(selection, e);
}

bool plan_pick_channels(const struct column_plan *plan, const char *list, const char *option, bool *named,
                        struct error *e)
{
    const struct columns *columns = plan->columns;
    unsigned char *picks = calloc(plan->input->ncolumn + 1, 1);
    bool good = picks ? columns_pick_list(plan->input, list, option, picks, e) : error_memory(e);
    for (size_t i = 0; good && i < columns->ncolumn; i++) {
        const struct column_use *use = plan_use(plan, i);
        const unsigned char pick = picks[columns->column[i].position - 1];
        if (pick != PICK_NONE && use->role == ROLE_CHANNEL)
            named[use->value] = true;
        else if (pick == PICK_EXPLICIT)
            good = error_data(e, "%s: column \"%s\" is not filtered", option, columns->column[i].name);
    }
    free(picks);
    return good;
}

/* Begins a plan in which every column passes through. */
static bool begin(struct column_plan *plan, const struct columns *columns, struct error *e)
{
    plan_free(plan);
    *plan = (struct column_plan){
        .columns = columns,
        .input = columns,
        .form = TIMESTAMP_NUMBER,
        .unit_reason = UNIT_ASSUMED,
        .rate = columns->rate,
        .time = COLUMN_NONE,
        .cut = COLUMN_NONE,
        .unused_time = COLUMN_NONE,
    };
    if (!arrays_make(e, ARRAY(plan->use, columns->ncolumn)))
        return false;
    for (size_t i = 0; i < columns->ncolumn; i++)
        plan->use[i] = (struct column_use){ .cell = COLUMN_NONE, .value = COLUMN_NONE };
    return true;
}

/* Makes every number a channel: columns are compared. */
static void take_numbers(struct column_plan *plan)
{
    const struct columns *columns = plan->columns;
    for (size_t i = 0; i < columns->ncolumn; i++)
        if (columns->column[i].first != CELL_TEXT)
            plan_own(plan, i)->role = ROLE_CHANNEL;
    if (columns->counted) { /* column 0 stays the time */
        plan->time = 0;
        plan->use[0].role = ROLE_TIME;
    }
}

static bool choose(struct column_plan *plan, const struct column_choice *choice, struct error *e)
{
    if (choice->compare || plan->columns->ncolumn == 0) { /* no column: an empty array of JSON */
        take_numbers(plan);
        settle_rate(plan, choice);
        plan->all_cells = true;
        return plan_count(plan, e);
    }
    struct selection selection = { plan, plan->columns, choice, NULL, NULL };
    if (!arrays_make(e, ARRAY(selection.pick, plan->columns->ncolumn),
                     ARRAY(selection.drop, plan->columns->ncolumn)))
        return false;
    bool good = give_roles(&selection, e);
    free(selection.pick);
    return good;
}

bool plan_make(struct column_plan *plan, const struct columns *columns, const struct column_choice *choice,
               struct error *e)
{
    if (!begin(plan, columns, e))
        return false;
    if ((columns->rate > 0 || columns->even) && choice->rate > 0)
        plan->rate = choice->rate;
    plan->all_cells = choice->all_cells;
    return choose(plan, choice, e);
}

void plan_free(struct column_plan *plan)
{
    free(plan->use);
    free(plan->channel);
    free(plan->group);
    free(plan->mask);
    *plan = (struct column_plan){ 0 };
}
