/* How far a filter moves its channels, as a table and as JSON. See change_stats.h. */
#include "base/array.h"
#include "base/json_out.h"
#include "base/utf8.h"
#include "springs/filter_words.h"
#include "view/change_stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAXCELL = 512, NCELL = CHANGE_CUTOFF + 1 };

/* Heads of the columns of the table. Most heads are also names in the JSON report. */
static const char *const names[NCELL] = { "channel", "change", "component", "row",          "time",
                                          "group",   "RMS",    "velocity",  "acceleration", "gaps",
                                          "cuts",    "spikes", "filled",    "unbridged",    "cutoff (Hz)" };

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
                       k == CHANGE_ROW || k == CHANGE_TIME || (k >= CHANGE_GAPS && k <= CHANGE_UNBRIDGED));
        else
            strcpy(cell[k], k == CHANGE_GAPS ? "missing" : names[k]);
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

/* Writes a line that sums up, the heads of the table and a line for each channel. Names are aligned left,
 * numbers right. */
static bool put_table(struct text *text, const struct change_stats *stats, const struct change_report *report)
{
    enum { MOST = 20 };
    const struct table *table = &stats->reader->table;
    const struct change **order;
    char cell[NCELL][MAXCELL];
    size_t width[NCELL] = { 0 }, n = table->nchannel;
    bool chosen = false, unbridged = false; /* a channel has a cutoff; has unbridged spikes */
    bool own = false;                       /* a channel has a change of its own */
    if (!arrays_make(NULL, ARRAY(order, n + 1)))
        return false;
    for (size_t i = 0; i < n; i++)
        order[i + 1] = &stats->channel[i];
    qsort(order + 1, n, sizeof *order, compare_changes); /* order[0]: the heads */
    text_put(text, "%zu channel%s", n, error_plural(n));
    if (n && order[1]->number[CHANGE_LARGEST] >= 0) {
        make_line(cell, order[1], stats->nrow);
        text_put(text, ", largest change %s in \"%s\"", cell[CHANGE_LARGEST], cell[CHANGE_CHANNEL]);
    }
    if (n > MOST && !report->all) {
        text_put(text, "; the %d with the largest change follow (--verbose shows all)", MOST);
        n = MOST;
    }
    text_put(text, "\n");
    for (size_t i = 0; i <= n; i++) {
        make_line(cell, order[i], stats->nrow);
        chosen |= i > 0 && cell[CHANGE_CUTOFF][0] != '-';
        own |= i > 0 && cell[CHANGE_OWN][0] != '-';
        unbridged |= i > 0 && order[i]->number[CHANGE_UNBRIDGED] > 0;
        for (size_t k = 0; k < NCELL; k++) {
            size_t wide = utf8_count(cell[k], strlen(cell[k]));
            width[k] = wide > width[k] ? wide : width[k];
        }
    }
    for (size_t i = 0; i <= n; i++) {
        make_line(cell, order[i], stats->nrow);
        for (size_t k = 0; k < NCELL; k++) {
            int fill = (int)(width[k] - utf8_count(cell[k], strlen(cell[k])));
            if (k == CHANGE_CHANNEL)
                text_put(text, "%s%*s", cell[k], fill, "");
            else if ((k != CHANGE_GROUP || table->ngroup > 0) && (k != CHANGE_CUTOFF || chosen) &&
                     ((k != CHANGE_SPIKES && k != CHANGE_FILLED) || report->cleaned) &&
                     (k != CHANGE_UNBRIDGED || unbridged) && (k != CHANGE_OWN || own))
                text_put(text, "  %*s%s", fill, "", cell[k]);
        }
        text_put(text, "\n");
    }
    if (own)
        text_put(text, "change: of the whole vector or rotation; component: of the channel alone\n");
    free(order);
    return true;
}

static char *make_text(const struct change_stats *stats, const struct change_report *report)
{
    struct text text = { 0 };
    char file[MAXCELL], line[PARAMETERS_LINE];
    error_escape(report->file, strlen(report->file), file, sizeof file);
    text_put(&text, "%s: %s, %llu row%s", file, stats->filter->name, (unsigned long long)stats->nrow,
             error_plural(stats->nrow));
    if (stats->reader->table.ngroup > 0)
        text_put(&text, ", %llu group%s", (unsigned long long)report->groups, error_plural(report->groups));
    text_put(&text, "\n");
    if (parameters_equivalent(report->settings, report->zero_phase, NAN, line))
        text_put(&text, "%s\n", line);
    text.failed |= !put_table(&text, stats, report);
    if (!stats->comparable)
        text_put(&text,
                 stats->filter->keeps_cell
                     ? "%s does not change the channels: nothing to report\n"
                     : "%s outputs a different quantity than its input: no change to report\n",
                 stats->filter->name);
    return text_take(&text);
}

static void add_channel(struct json_out *json_out, struct cJSON *to, const struct change_stats *stats,
                        const struct change_report *report, size_t i)
{
    const struct change *change = &stats->channel[i];
    double least = change->number[CHANGE_CUTOFF], most = change->number[CHANGE_CUTOFF_MOST];
    struct equivalent equivalent[MAXEQUIVALENT];
    struct cJSON *channel = json_out_object(json_out, to, NULL);
    json_out_text(json_out, channel, "channel", change->column->name);
    if (change->nrow) {
        struct cJSON *object = json_out_object(json_out, channel, "change");
        json_out_number(json_out, object, "largest", change->number[CHANGE_LARGEST]);
        if (!isnan(change->number[CHANGE_OWN]))
            json_out_number(json_out, object, "own", change->number[CHANGE_OWN]);
        json_out_number(json_out, object, "row", change->number[CHANGE_ROW]);
        json_out_number(json_out, object, "time", change->number[CHANGE_TIME]);
        if (change->group)
            json_out_text(json_out, object, "group", change->group);
        json_out_number(json_out, object, "rms", change->number[CHANGE_RMS]);
    } else {
        json_out_number(json_out, channel, "change", (double)NAN);
    }
    for (size_t k = CHANGE_VELOCITY; k <= CHANGE_UNBRIDGED; k++)
        json_out_number(json_out, channel, names[k], change->number[k]);
    if (most > least)
        json_out_number(json_out, channel, "cutoff_least", least);
    if (most > 0)
        json_out_number(json_out, channel, most > least ? "cutoff_largest" : "cutoff", most);
    struct filter_room room;
    const void *settings = report->settings;
    if (least == most)
        settings = filter_chosen(stats->filter, settings, least, &room);
    size_t n = filter_equivalents(settings, report->zero_phase, equivalent);
    struct cJSON *parameters = n ? json_out_object(json_out, channel, "equivalent") : NULL;
    for (size_t k = 0; k < n; k++)
        json_out_number(json_out, parameters, equivalent[k].name, equivalent[k].value);
}

static char *make_json(const struct change_stats *stats, const struct change_report *report)
{
    struct json_out json_out;
    json_out_open(&json_out);
    json_out_text(&json_out, json_out.root, "file", report->file);
    json_out_text(&json_out, json_out.root, "filter", stats->filter->name);
    json_out_count(&json_out, json_out.root, "rows", stats->nrow);
    json_out_count(&json_out, json_out.root, "groups", report->groups);
    struct cJSON *channels = json_out_array(&json_out, json_out.root, "channels");
    for (size_t i = 0; i < stats->reader->table.nchannel; i++)
        add_channel(&json_out, channels, stats, report, i);
    return json_out_take(&json_out, true);
}

char *change_report(struct change_stats *stats, const struct change_report *report)
{
    for (size_t i = 0; i < stats->reader->table.nchannel; i++) {
        struct change *change = &stats->channel[i];
        double *number = change->number;
        number[CHANGE_RMS] = change->scale * sqrt(change->squares / (double)change->nrow); /* no rows: NaN */
        number[CHANGE_CUTS] = report->channel_cuts ? (double)report->channel_cuts[i] : 0;
        number[CHANGE_SPIKES] = report->cleaned
                                    ? (double)(report->cleaned[i].spikes - report->cleaned[i].emptied)
                                    : 0;
        number[CHANGE_FILLED] = report->cleaned ? (double)report->cleaned[i].filled : 0;
        number[CHANGE_UNBRIDGED] = report->cleaned
                                       ? (double)(report->cleaned[i].emptied + report->cleaned[i].kept)
                                       : 0;
        number[CHANGE_CUTOFF] = report->cutoff ? report->cutoff[i].least : (double)NAN;
        number[CHANGE_CUTOFF_MOST] = report->cutoff ? report->cutoff[i].most : (double)NAN;
    }
    return (report->json ? make_json : make_text)(stats, report);
}
