/* Gives each column its role, by the user's options, the head and the first row alone: the result is the same
 * for a stream and a file. */
#include "rows/table.h"

#include "base/array.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char why_number[] = "a number in the first row", why_text[] = "text", why_counter[] = "count",
           why_clock[] = "clock", why_mark[] = "event marker or ID", why_quality[] = "quality",
           why_option[] = "named by an option";
static const char why_missing[] = "empty in the first row", why_excluded[] = "in --exclude";

bool table_refuse(const struct table *table, size_t i, const char *option, bool text, struct error *e)
{
    static const char *const what[] = { [ROLE_PASS] = "the time column", /* made by the format */
                                        [ROLE_CHANNEL] = "a channel",         [ROLE_TIME] = "the time column",
                                        [ROLE_GROUP] = "a --group-by column", [ROLE_CUT] = "the --cut-column",
                                        [ROLE_READ] = "a --mask column" };
    const char *first = table->column[i].text;
    char word[TEXT_WORD];
    if (text)
        error_data(e, "%s names this column, but its first row holds text", option);
    else
        error_data(e, "%s names this column, but it is already %s", option, what[table->column[i].role]);
    if (text && first && strlen(first) < COLUMN_TEXT && table->column[i].role != ROLE_TIME)
        error_hint(e, "if this text means a missing value: --missing %s", text_quoted(word, first));
    else
        error_hint(e, "what it takes: sprung help %s", option);
    return error_column(e, table->column[i].name);
}

/* Gives a role to a column that an option names. */
static bool give_role(struct table *table, size_t i, const char *option, enum role role, struct error *e)
{
    const bool able = table_column(table, i)->role == ROLE_PASS;
    if (!able || (role == ROLE_CUT && table->column[i].first == CELL_TEXT))
        return table_refuse(table, i, option, able, e);
    table->column[i].role = role;
    table->column[i].why = why_option;
    return true;
}

/* Finds the columns of --group-by and --cut-column. */
static bool find_groups_and_cut(struct table *table, struct error *e)
{
    const char *group = table->choice->group, *cut = table->choice->cut;
    unsigned char *pick;
    if (!arrays_make(e, ARRAY(table->group, table->ncolumn), ARRAY(pick, table->ncolumn)))
        return false;
    bool good = !group || columns_pick_list(table, group, "--group-by", pick, e);
    for (size_t i = 0; good && i < table->ncolumn; i++)
        if (pick[i] != PICK_NONE) {
            table->group[table->ngroup++] = i;
            good = give_role(table, i, "--group-by", ROLE_GROUP, e);
        }
    if (!good || !cut)
        return good;
    table->cut = columns_find(table, cut, "--cut-column", e);
    return table->cut != COLUMN_NONE && give_role(table, table->cut, "--cut-column", ROLE_CUT, e);
}

/* --- columns that are left alone --- */

/* Is column i the confidence of a point, as c0 or pose_c next to x0 and y0, or pose_x and pose_y? */
static bool is_confidence(const struct table *table, size_t i)
{
    const struct column *column = &table->column[i];
    const char *letter = strrchr(column->name, 'c');
    if (!letter || !(column->number >= 0 && column->number <= 1))
        return false;
    const size_t at = (size_t)(letter - column->name);
    return columns_with_letter(table, i, at, 'x') != COLUMN_NONE &&
           columns_with_letter(table, i, at, 'y') != COLUMN_NONE;
}

/* The reason to leave column i alone although it can be a channel, or NULL. */
static const char *why_alone(const struct table *table, size_t i)
{
    const struct column *column = &table->column[i];
    if (column->unlabelled)
        return "no name";
    /* pandas and R write an index without a name */
    const bool index = i == 0 && table->named && !column->original[0] && column->number >= 0;
    const char *name = columns_last_line(table, i);
    const size_t n = strlen(name);
    if (columns_counts_rows(table, i) || (index && column->number == floor(column->number)))
        return why_counter;
    if (columns_name_means(name, n, NAME_MARK) && column->number == floor(column->number))
        return why_mark;
    if (columns_name_means(name, n, NAME_QUALITY) || columns_name_means(name, n, NAME_ERROR) ||
        is_confidence(table, i))
        return why_quality;
    return columns_is_clock(table, i) ? why_clock : NULL;
}

/* --- channels --- */

/* The reason why a column that no option names is no channel; NULL: it can be one. */
static const char *why_no_number(const struct column *column)
{
    if (column->first == CELL_TEXT)
        return column->frame ? "by the format" : why_text;
    return column->first == CELL_GAP && !column->name[0] ? "no name, empty" : NULL;
}

static void make_channel(struct column *column)
{
    column->role = ROLE_CHANNEL;
    column->why = column->first == CELL_NUMBER ? why_number : why_missing;
    column->alone = false;
}

/* Makes column i a channel, or sets the reason why the column is no channel. False: the user named the
 * column, and the column cannot be a channel. */
static bool choose_channel(struct table *table, size_t i, enum column_pick pick, bool dropped,
                           struct error *e)
{
    struct column *column = &table->column[i];
    const char *why = NULL;
    column->asked = pick == PICK_EXPLICIT;
    /* An unused time may be filtered like any other column, unless the format makes the times. */
    const bool made = i == 0 && table->owns_time;
    const bool taken = made || column->role != ROLE_PASS || (i == table->unused_time && !column->asked);
    if (dropped || (table->choice->columns && pick == PICK_NONE)) {
        why = dropped ? why_excluded : "not in --columns";
    } else if (column->asked && (taken || column->first == CELL_TEXT)) {
        table_refuse(table, i, "--columns", !taken, e);
        return taken && columns_hint(table, NULL, e);
    } else if (taken) {
        why = made ? "by the format" : "another time is used";
    } else if (!column->asked) {
        why = why_no_number(column);
        if (!why) {
            why = why_alone(table, i);
            column->alone = why != NULL;
        }
    }
    if (!why)
        make_channel(column);
    else if (column->role == ROLE_PASS)
        column->why = why;
    if (column->asked)
        column->why = "chosen by --columns";
    return true;
}

/* Where the first row has no other number, marks and qualities are channels. */
static void take_marks(struct table *table)
{
    for (size_t i = 0; i < table->ncolumn; i++) {
        const struct column *column = &table->column[i];
        if (column->role == ROLE_CHANNEL || (column->why == why_excluded && column->first != CELL_TEXT))
            return;
    }
    for (size_t i = 0; i < table->ncolumn; i++)
        if (table->column[i].why == why_mark || table->column[i].why == why_quality)
            make_channel(&table->column[i]);
}

/* The error that no channel is left. */
static bool no_channel(const struct table *table, struct error *e)
{
    const struct column_choice *choice = table->choice;
    if (choice->columns || choice->exclude)
        error_data(e, "%s leaves nothing to filter (counters and event markers: give their full names)",
                   choice->exclude ? "--exclude" : "--columns");
    else
        error_data(e, "nothing to filter: the first data row has no number except times and counts");
    columns_hint(table, choice->exclude ? NULL : choice->columns, e);
    return error_unfilterable(e);
}

/* Numbers the channels, and the cells and values of columns, by their roles. */
static bool count(struct table *table, struct error *e)
{
    const size_t ncolumn = table->ncolumn;
    const bool all_cells = table->choice->all_cells || table->choice->compare;
    if (!arrays_make(e, ARRAY(table->channel, ncolumn)))
        return false;
    for (size_t i = 0; i < ncolumn; i++) {
        struct column *column = &table->column[i];
        column->cell = column->value = COLUMN_NONE;
        if (column->role != ROLE_PASS || i == table->unused_time || all_cells)
            column->cell = table->ncell++;
        if (column->role == ROLE_CHANNEL) {
            table->channel[table->nvalue] = i;
            column->value = table->nvalue++;
        }
    }
    table->nchannel = table->nvalue;
    if (table->cut != COLUMN_NONE)
        table->column[table->cut].value = table->nvalue++;
    for (size_t i = 0; i < ncolumn; i++)
        if (table->column[i].role == ROLE_READ)
            table->column[i].value = table->nvalue++;
    return true;
}

/* Makes channels of the columns that --columns and --exclude leave. */
static bool choose_channels(struct table *table, struct error *e)
{
    const char *columns = table->choice->columns, *exclude = table->choice->exclude;
    unsigned char *pick, *drop;
    if (!arrays_make(e, ARRAY(pick, table->ncolumn), ARRAY(drop, table->ncolumn)))
        return false;
    table->uses = table->is_part ? NULL : table->choice->uses; /* the LISTs were checked with the input */
    bool good = (!columns || columns_pick_list(table, columns, "--columns", pick, e)) &&
                (!exclude || columns_pick_list(table, exclude, "--exclude", drop, e));
    for (size_t i = 0; good && i < table->ncolumn; i++)
        good = choose_channel(table, i, pick[i], drop[i] != PICK_NONE, e);
    free(pick);
    return good;
}

static bool give_roles(struct table *table, struct error *e)
{
    if (!table_find_time(table, e))
        return false;
    if (table->even && table->time == 0)
        table->time = COLUMN_NONE;
    if (!find_groups_and_cut(table, e) || !choose_channels(table, e))
        return false;
    if (!table->choice->columns)
        take_marks(table);
    if (!table->choice->drawing)
        table_leave_derivatives(table);
    return table_find_masks(table, e);
}

/* Begins, for the first time or again, with all columns passing through. */
static void begin(struct table *table)
{
    free(table->channel);
    free(table->group);
    free(table->mask);
    table->channel = table->group = NULL;
    table->mask = NULL;
    table->nchannel = table->nvalue = table->ncell = table->ngroup = table->nmask = table->maxmask = 0;
    table->form = TIMESTAMP_NUMBER;
    table->time_unit = (struct time_unit){ 0 };
    table->unit = TIME_UNIT_S;
    table->unit_why = NULL;
    table->row_rate = 0;
    table->uses = NULL;
    table->time = table->date = table->cut = table->unused_time = COLUMN_NONE;
    for (size_t i = 0; i < table->ncolumn; i++) {
        table->column[i].role = ROLE_PASS;
        table->column[i].why = "not looked at";
        table->column[i].asked = table->column[i].alone = table->column[i].masked = false;
    }
}

/* Makes every number a channel: columns are compared. */
static void take_numbers(struct table *table)
{
    for (size_t i = 0; i < table->ncolumn; i++)
        if (table->column[i].first != CELL_TEXT)
            table->column[i].role = ROLE_CHANNEL;
    if (table->counted) { /* column 0 stays the time */
        table->time = 0;
        table->column[0].role = ROLE_TIME;
    }
}

bool table_plan(struct table *table, const struct column_choice *choice, struct error *e)
{
    begin(table);
    table->choice = choice;
    if ((table->rate > 0 || table->even) && choice->rate > 0)
        table->rate = choice->rate;
    const bool all = choice->compare || table->ncolumn == 0; /* no column: an empty array of JSON */
    if (all)
        take_numbers(table);
    else if (!give_roles(table, e))
        return false;
    if (table->time == COLUMN_NONE)
        table->row_rate = choice->rate > 0 ? choice->rate : table->rate;
    return count(table, e) && (all || table->nchannel > 0 || no_channel(table, e));
}
