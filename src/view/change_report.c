/* How far a filter moves its channels, as a table and as JSON. See change_stats.h. */
#include "base/array.h"
#include "base/json_out.h"
#include "base/utf8.h"
#include "view/change_stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAXCELL = 512, NCELL = CHANGE_CUTOFF + 1 };

/* Heads of the columns of the table. */
static const char *const heads[NCELL] = { "channel", "change",   "row",        "time",    "group",
                                          "RMS",     "peak vel", "peak acc",   "missing", "cuts",
                                          "spikes",  "filled",   "cutoff (Hz)" };

/* --- a table --- */

/* Sets a cell to a number, with all digits if `exact`, else with six digits; NaN: "-". */
static void set_number(char *cell, double x, bool exact)
{
    strcpy(cell, isnan(x) ? "-" : "too large");
    if (isfinite(x) && exact)
        cell[number_print(cell, x, &number_shortest)] = 0;
    else if (isfinite(x))
        snprintf(cell, NUMBER_MAX, "%.6g", x);
}

/* Sets the cells of a line of the table: the numbers of a channel of nrow rows; change NULL: the heads. */
static void make_line(char cell[NCELL][MAXCELL], const struct change *change, uint64_t nrow)
{
    for (size_t k = 0; k < NCELL; k++)
        if (change)
            set_number(cell[k], change->number[k],
                       k == CHANGE_ROW || k == CHANGE_TIME || (k >= CHANGE_GAPS && k <= CHANGE_FILLED));
        else
            strcpy(cell[k], heads[k]);
    if (!change)
        return;
    const char *name = change->column->name[0] ? change->column->name : "(no name)";
    const char *group = change->group ? change->group : "-";
    error_escape(name, strlen(name), cell[CHANGE_CHANNEL], MAXCELL);
    error_escape(group, strlen(group), cell[CHANGE_GROUP], MAXCELL);
    if (nrow > 0 && change->number[CHANGE_GAPS] == (double)nrow)
        strcpy(cell[CHANGE_LARGEST], "empty");
    if (change->number[CHANGE_CUTOFF_MOST] > change->number[CHANGE_CUTOFF]) {
        strcat(cell[CHANGE_CUTOFF], " to ");
        set_number(cell[CHANGE_CUTOFF] + strlen(cell[CHANGE_CUTOFF]), change->number[CHANGE_CUTOFF_MOST],
                   false);
    }
}

/* For qsort: the largest change first, channels without a change last. */
static int compare_changes(const void *a, const void *b)
{
    const struct change *x = *(const struct change *const *)a, *y = *(const struct change *const *)b;
    double left = x->number[CHANGE_LARGEST], right = y->number[CHANGE_LARGEST];
    left = isnan(left) ? -1 : left;
    right = isnan(right) ? -1 : right;
    if (left != right)
        return left < right ? 1 : -1;
    return (x > y) - (x < y);
}

/* Writes the heads of the table and a line for each channel, order[n]; order[0] is NULL, for the heads. Names
 * are aligned left, numbers right. */
static void put_lines(struct text *text, const struct change_stats *stats, const struct change_report *report,
                      const struct change *const *order, size_t n)
{
    char cell[NCELL][MAXCELL];
    size_t width[NCELL] = { 0 };
    for (size_t i = 0; i < n; i++) {
        make_line(cell, order[i], stats->nrow);
        for (size_t k = 0; k < NCELL; k++) {
            const size_t wide = utf8_count(cell[k], strlen(cell[k]));
            width[k] = wide > width[k] ? wide : width[k];
        }
    }
    for (size_t i = 0; i < n; i++) {
        make_line(cell, order[i], stats->nrow);
        text_put(text, "%s%*s", cell[0], (int)(width[0] - utf8_count(cell[0], strlen(cell[0]))), "");
        for (size_t k = 1; k < NCELL; k++) {
            const int fill = (int)(width[k] - utf8_count(cell[k], strlen(cell[k])));
            const bool grouped = k != CHANGE_GROUP || stats->reader->table.ngroup > 0;
            const bool cleaned = (k != CHANGE_SPIKES && k != CHANGE_FILLED) || report->cleaned;
            if (grouped && cleaned && (k != CHANGE_CUTOFF || report->chosen))
                text_put(text, "  %*s%s", fill, "", cell[k]);
        }
        text_put(text, "\n");
    }
}

static char *make_text(const struct change_stats *stats, const struct change_report *report)
{
    enum { MOST = 20 };
    const struct table *table = &stats->reader->table;
    const struct change **order;
    struct text text = { 0 };
    char file[MAXCELL], cell[NCELL][MAXCELL];
    size_t n = table->nchannel;
    if (!arrays_make(NULL, ARRAY(order, n + 1)))
        return NULL;
    for (size_t i = 0; i < n; i++)
        order[i + 1] = &stats->channel[i];
    qsort(order + 1, n, sizeof *order, compare_changes);
    error_escape(report->file, strlen(report->file), file, sizeof file);
    text_put(&text, "%s: %s, %llu row%s", file, stats->filter->name, (unsigned long long)stats->nrow,
             error_plural(stats->nrow));
    if (table->ngroup > 0)
        text_put(&text, ", %llu group%s", (unsigned long long)report->groups, error_plural(report->groups));
    text_put(&text, "\n%zu channel%s", n, error_plural(n));
    if (n && order[1]->number[CHANGE_LARGEST] >= 0) {
        make_line(cell, order[1], stats->nrow);
        text_put(&text, ", largest change %s in \"%s\"", cell[CHANGE_LARGEST], cell[CHANGE_CHANNEL]);
    }
    if (n > MOST && !report->all) {
        text_put(&text, "; the %d with the largest change follow (--verbose shows all)", MOST);
        n = MOST;
    }
    text_put(&text, "\n");
    put_lines(&text, stats, report, order, n + 1);
    if (!stats->comparable)
        text_put(&text, "the output of %s cannot be compared with its input: no change to report\n",
                 stats->filter->name);
    free(order);
    return text_take(&text);
}

/* --- JSON --- */

static void add_channel(struct json_out *json, struct cJSON *channel, const struct change *change)
{
    static const char *const names[] = { "velocity", "acceleration", "gaps", "cuts", "spikes", "filled" };
    const double *number = change->number;
    const double least = number[CHANGE_CUTOFF], most = number[CHANGE_CUTOFF_MOST];
    json_out_text(json, channel, "channel", change->column->name);
    if (change->nrow) {
        struct cJSON *object = json_out_object(json, channel, "change");
        json_out_number(json, object, "largest", number[CHANGE_LARGEST]);
        json_out_number(json, object, "row", number[CHANGE_ROW]);
        json_out_number(json, object, "time", number[CHANGE_TIME]);
        if (change->group)
            json_out_text(json, object, "group", change->group);
        json_out_number(json, object, "rms", number[CHANGE_RMS]);
    } else {
        json_out_number(json, channel, "change", (double)NAN);
    }
    for (size_t k = CHANGE_VELOCITY; k <= CHANGE_FILLED; k++)
        json_out_number(json, channel, names[k - CHANGE_VELOCITY], number[k]);
    if (most > least)
        json_out_number(json, channel, "cutoff_least", least);
    if (most > 0)
        json_out_number(json, channel, most > least ? "cutoff_largest" : "cutoff", most);
}

static char *make_json(const struct change_stats *stats, const struct change_report *report)
{
    struct json_out json;
    json_out_open(&json);
    json_out_text(&json, json.root, "file", report->file);
    json_out_text(&json, json.root, "filter", stats->filter->name);
    json_out_count(&json, json.root, "rows", stats->nrow);
    json_out_count(&json, json.root, "groups", report->groups);
    struct cJSON *channels = json_out_array(&json, json.root, "channels");
    for (size_t i = 0; i < stats->reader->table.nchannel; i++)
        add_channel(&json, json_out_object(&json, channels, NULL), &stats->channel[i]);
    return json_out_take(&json, true);
}

char *change_report(struct change_stats *stats, const struct change_report *report)
{
    for (size_t i = 0; i < stats->reader->table.nchannel; i++) {
        struct change *change = &stats->channel[i];
        const struct channel_count *count = &report->count[i];
        double *number = change->number;
        number[CHANGE_RMS] = change->scale * sqrt(change->squares / (double)change->nrow); /* no rows: NaN */
        number[CHANGE_CUTS] = (double)count->cuts;
        number[CHANGE_SPIKES] = (double)(count->spikes - count->emptied);
        number[CHANGE_FILLED] = (double)count->filled;
        number[CHANGE_CUTOFF] = count->least_cutoff > 0 ? count->least_cutoff : (double)NAN;
        number[CHANGE_CUTOFF_MOST] = count->largest_cutoff > 0 ? count->largest_cutoff : (double)NAN;
    }
    return (report->json ? make_json : make_text)(stats, report);
}
