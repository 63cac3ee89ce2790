/* Messages about columns: which columns are left alone and why, the roles, and the unit of the times. */
#include "rows/plan.h"

#include "base/text.h"
#include "base/utf8.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- notes --- */

void columns_names_add(struct column_names *list, const char *name, const char *sample)
{
    enum { MOST = 8, NAME = 60, SAMPLE = 24 }; /* names; bytes of a name; bytes of a sample */
    char entry[NAME + SAMPLE + 20] = "";
    size_t n = strlen(name) > NAME ? utf8_floor(name, NAME) : strlen(name);
    text_append(entry, sizeof entry, "\"%.*s\"", (int)n, name);
    if (strstr(list->text, entry))
        return;
    if (sample)
        text_append(entry, sizeof entry, " (%.*s)", SAMPLE, sample);
    if (list->n == MOST || strlen(list->text) + strlen(entry) + 2 >= sizeof list->text) {
        list->left_out++;
        return;
    }
    text_append(list->text, sizeof list->text, "%s%s", list->n ? ", " : "", entry);
    list->n++;
}

const char *columns_names_text(struct column_names *list)
{
    static const char more[] = " and %zu more";
    if (list->left_out > 0)
        text_append(list->text, sizeof list->text, more, list->left_out);
    return list->text;
}

/* Adds one note about all columns of numbers that are left alone, with a word for the reason behind each
 * name. */
static void note_alone(const struct column_plan *plan, bool drawing, struct messages *messages,
                       const char *file)
{
    const struct columns *columns = plan->columns;
    static const char *const words[] = {
        [REASON_COUNTER] = "count",   [REASON_MARK] = "event marker or ID",
        [REASON_QUALITY] = "quality", [REASON_UNLABELLED] = "without name",
        [REASON_CLOCK] = "clock",     [REASON_DERIVATIVE] = "derivative",
    };
    struct column_names names = { .n = 0 };
    for (size_t i = 0; i < columns->ncolumn; i++) {
        const struct column_use *use = plan_use(plan, i);
        const char *whole = columns_at(columns, i)->name;
        const char *name = whole[0] ? whole : columns_last_line(columns, i);
        if (plan_passes_numbers(use))
            columns_names_add(&names, name[0] ? name : "1", words[use->reason]);
    }
    const char *format = drawing ? "not drawn: %s; to draw one, name it with --columns"
                                 : "not filtered: %s; to filter one, name it with --columns";
    if (names.n > 0)
        messages_add(messages, file, format, columns_names_text(&names));
}

/* Adds a note that names all columns with this reason to be left alone. what: the words before the names. */
static void note_reason(const struct column_plan *plan, enum role_reason reason, const char *what,
                        struct messages *messages, const char *file)
{
    const struct columns *columns = plan->columns;
    struct column_names names = { .n = 0 };
    for (size_t i = 0; i < columns->ncolumn; i++) {
        const struct column *column = &columns->column[i];
        const struct column_use *use = plan_use(plan, i);
        const char *sample = reason == REASON_TEXT ? column->text : NULL;
        char position[24];
        snprintf(position, sizeof position, "%zu", plan->columns->column[i].position);
        if (use->role == ROLE_PASS && use->reason == reason)
            columns_names_add(&names, column->name[0] ? column->name : position, sample);
    }
    if (names.n > 0)
        messages_add(messages, file, "%s: %s", what, columns_names_text(&names));
}

static const char *const unit_names[] = { "s", "ms", "us", "ns", "min", "h", "frames" };

const char *columns_unit_name(struct time_unit unit)
{
    if (unit.rate > 0)
        return unit_names[TIME_UNIT_FRAMES];
    if (unit.multiple)
        return unit_names[unit.multiple == 60 ? TIME_UNIT_MIN : TIME_UNIT_H];
    return unit_names[unit.exp10 / -3];
}

void plan_note(const struct column_plan *plan, const struct column_choice *choice, struct messages *messages,
               const char *file)
{
    const struct columns *columns = plan->columns;
    note_alone(plan, choice->drawing, messages, file);
    note_reason(plan, REASON_TEXT, choice->drawing ? "not drawn (text)" : "not filtered (text)", messages,
                file);
    if (plan->time != COLUMN_NONE && plan->unit_reason == UNIT_EPOCH)
        messages_add(messages, file,
                     "the times of \"%s\" are read as %s since 1970 (first: %.17g); for another unit, try "
                     "--time-unit s",
                     columns_last_line(columns, plan->time), columns_unit_name(plan->unit),
                     columns_at(columns, plan->time)->number);
    double stated = columns_stated_rate(columns), given = choice->rate;
    if (stated > 0 && given > 0 && fabs(stated - given) > 1e-3 * stated)
        messages_add(messages, file, "--rate %.6g is used instead of the header's rate, %.6g", given, stated);
    if (columns->doubtful)
        messages_add(messages, file,
                     "no header row found: the first line is read as data; try --header 1 if it holds the "
                     "column names, otherwise --no-header");
}

void plan_note_repeated(const struct column_plan *plan, double hz, struct messages *messages,
                        const char *file)
{
    struct column_names names = { .n = 0 };
    for (size_t i = 0; i < plan->columns->ncolumn; i++) {
        const struct column *column = columns_at(plan->columns, i);
        const enum role_reason reason = plan_use(plan, i)->reason;
        const bool motion = column->first == CELL_NUMBER && !column->frame;
        if (motion && (reason == REASON_NOT_CHOSEN || reason == REASON_EXCLUDED))
            columns_names_add(&names, column->name, NULL);
    }
    if (names.n > 0)
        messages_add(messages, file,
                     "warning: not interpolated, as they are not selected: %s; to interpolate them, "
                     "filter without --resample, then run sprung tracking --resample %.15g",
                     columns_names_text(&names), hz);
}

/* --- descriptions --- */

/* The words for a reason, which follow the role. */
static const char *reason_text(const struct column_plan *plan, const struct column_use *use)
{
    switch (use->reason) {
    case REASON_NONE:
        return "not looked at";
    case REASON_NUMBER:
        return "a number in the first row";
    case REASON_MISSING:
        return "empty in the first row";
    case REASON_CHOSEN:
        return "chosen by --columns";
    case REASON_OPTION:
        return "named by an option";
    case REASON_NAME:
        return plan->unit.rate > 0 ? "named like a frame number" : "named like a time";
    case REASON_FORMAT:
        return use->role == ROLE_TIME ? "from the format" : "by the format";
    case REASON_RATE:
        return "--rate is used instead";
    case REASON_TEXT:
        return "text";
    case REASON_NAMELESS:
        return "no name, empty";
    case REASON_NOT_CHOSEN:
        return "not in --columns";
    case REASON_EXCLUDED:
        return "in --exclude";
    case REASON_COUNTER:
        return "counts rows";
    case REASON_MARK:
        return "an event marker or an ID";
    case REASON_QUALITY:
        return "marker quality";
    case REASON_UNLABELLED:
        return "a marker without a name";
    case REASON_CLOCK:
        return "times of another clock";
    case REASON_DERIVATIVE:
        return "a derivative of a channel";
    }
    return "";
}

void plan_describe_reason(const struct column_plan *plan, size_t i, char *buf, size_t maxbuf)
{
    const struct columns *columns = plan->columns;
    const struct column *column = &columns->column[i];
    const struct column_use *use = plan_use(plan, i);
    snprintf(buf, maxbuf, "%s", reason_text(plan, use));
    if (use->reason == REASON_TEXT && column->text)
        text_append(buf, maxbuf, ": \"%s\"", column->text);
}

void plan_describe_time(const struct column_plan *plan, char *buf, size_t maxbuf)
{
    const struct columns *columns = plan->columns;
    static const char *const reasons[] = {
        [UNIT_ASSUMED] = "",
        [UNIT_OPTION] = " by --time-unit",
        [UNIT_NAME] = " by its name",
        [UNIT_LINE] = " by the line below the names",
        [UNIT_EPOCH] = " by the size of its numbers",
        [UNIT_TEXT] = "",
    };
    snprintf(buf, maxbuf, "column \"%.100s\"", columns_at(columns, plan->time)->name);
    if (plan->unit.rate > 0)
        text_append(buf, maxbuf, ", %.15g frames per second", plan->unit.rate);
    else if (plan->unit.exp10 != 0 || plan->unit.multiple)
        text_append(buf, maxbuf, ", in %s%s", columns_unit_name(plan->unit), reasons[plan->unit_reason]);
}

/* --- errors --- */

bool plan_resamplable(const struct column_plan *plan, struct error *e)
{
    const char *what = "dates or times of day";
    if (plan->form == TIMESTAMP_NUMBER && plan->unit.rate == 0 && !plan->unit.multiple)
        return true;
    if (plan->unit.rate > 0)
        what = "frame numbers";
    else if (plan->unit.multiple)
        what = plan->unit.multiple == 60 ? "minutes" : "hours";
    error_usage(e, "--resample cannot print new times: this column holds %s", what);
    error_column(e, columns_at(plan->columns, plan->time)->name);
    return error_hint(
        e, plan->unit.rate > 0
               ? "if no frame is missing, leave out -t and --time-unit"
               : "it needs times in s, ms, us or ns; if no row is missing, give the row rate in place "
                 "of the times, for example --rate 100");
}

/* Writes a hint: the command of sort that puts the rows in the order of their times. */
static void describe_sort(const struct column_plan *plan, char *buf, size_t maxbuf)
{
    const char *kind = plan->form == TIMESTAMP_NUMBER ? "g" : "";
    char between[24];
    if (plan->columns->delimiter == ',')
        snprintf(between, sizeof between, "-t,");
    else if (plan->columns->delimiter == '\t')
        snprintf(between, sizeof between, "-t \"$(printf '\\t')\"");
    else if (plan->columns->delimiter == ' ')
        snprintf(between, sizeof between, "-b");
    else
        snprintf(between, sizeof between, "-t '%c'", plan->columns->delimiter);
    snprintf(buf, maxbuf, "; to sort the rows: sort -s %s -k%zu,%zu%s (without the header)", between,
             plan->time + 1, plan->time + 1, kind);
}

/* The first column of text or marks, which may distinguish the series, as --group-by takes it; else COLUMN.
 */
static const char *label_of(const struct column_plan *plan, char word[TEXT_WORD])
{
    char number[COLUMNS_NUMBER];
    for (size_t i = 0; i < plan->columns->ncolumn; i++) {
        const char *name = plan->columns->column[i].name;
        const enum role_reason reason = plan_use(plan, i)->reason;
        if (name[0] && (reason == REASON_TEXT || reason == REASON_MARK))
            return text_quoted(word, columns_entry(plan->columns, i, number));
    }
    return "COLUMN";
}

bool plan_backward(const struct column_plan *plan, const struct timestamp *before,
                   const struct timestamp *now, const char *group, struct error *e)
{
    char a[NUMBER_MAX + 1], b[NUMBER_MAX + 1];
    a[timestamp_print(a, before)] = b[timestamp_print(b, now)] = 0;
    const char *since = plan->form == TIMESTAMP_NUMBER ? "" : " seconds since 1970";
    if (plan->form == TIMESTAMP_CLOCK)
        since = " seconds since midnight";
    const char *open = plan->ngroup > 0 ? " in group \"" : "";
    error_data(e, "time goes backward%s%s%s: %s after %s%s", open, group, plan->ngroup > 0 ? "\"" : "", b, a,
               since);
    error_column(e, columns_at(plan->columns, plan->time)->name);
    if (plan->ngroup > 0)
        return error_hint(
            e,
            "sort the rows of each group by time; to ignore the times, give the row rate, as in --rate 100");
    char sort[200] = "", word[TEXT_WORD];
    if (plan->columns->delimiter)
        describe_sort(plan, sort, sizeof sort);
    return error_hint(e,
                      "several series in one file: --group-by %s; to ignore the times, give the row rate, "
                      "as in --rate 100%s",
                      label_of(plan, word), sort);
}
