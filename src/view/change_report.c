/* How far a filter moves its channels, as a table and as JSON. See change_stats.h. */
#include "base/json_out.h"
#include "base/text.h"
#include "base/utf8.h"
#include "series/overrides.h"
#include "view/change_stats.h"

#include <math.h>
#include <stdio.h>

/* --- a table --- */

enum {
    CHANNEL,
    LARGEST,
    ROW,
    TIME,
    GROUP,
    RMS,
    VELOCITY,
    ACCELERATION,
    GAPS,
    CUTS,
    SPIKES,
    FILLED,
    HALFLIFE,
    NCELL
};
enum { MAXCELL = 512 };

static const char *const heads[NCELL] = { "channel", "change",   "row",          "time", "group",
                                          "RMS",     "velocity", "acceleration", "gaps", "cuts",
                                          "spikes",  "filled",   "half-life" };

static const struct number_format brief = { NUMBER_PRECISION, 6, '.' };

static void set_number(char *cell, double x, const struct number_format *format)
{
    strcpy(cell, isnan(x) ? "-" : "too large");
    if (isfinite(x))
        cell[number_print(cell, x, format)] = 0;
}

/* The heads of the table (row 0), or the cells of channel row - 1. */
static void make_line(char cell[NCELL][MAXCELL], const struct change_stats *all, size_t row,
                      const struct change_report_input *input)
{
    for (size_t k = 0; k < NCELL && row == 0; k++)
        strcpy(cell[k], heads[k]);
    if (row == 0)
        return;
    size_t i = row - 1;
    const struct change *c = &all->channel[i];
    struct halflife_range halflife = series_halflife(input->series, i);
    struct clean_count clean = input->cleaned ? input->cleaned[i] : (struct clean_count){ 0 };
    const char *name = c->column->name[0] ? c->column->name : "(no name)", *group = c->group ? c->group : "-";
    error_escape(name, strlen(name), cell[CHANNEL], MAXCELL);
    error_escape(group, strlen(group), cell[GROUP], MAXCELL);
    set_number(cell[LARGEST], c->row ? c->largest : (double)NAN, &brief);
    set_number(cell[TIME], c->time, &number_shortest);
    set_number(cell[RMS], change_stats_rms(c), &brief);
    set_number(cell[VELOCITY], c->velocity, &brief);
    set_number(cell[ACCELERATION], c->acceleration, &brief);
    snprintf(cell[ROW], MAXCELL, c->row ? "%llu" : "-", (unsigned long long)c->row);
    snprintf(cell[GAPS], MAXCELL, "%llu", (unsigned long long)c->ngap);
    snprintf(cell[CUTS], MAXCELL, "%llu", (unsigned long long)input->cuts[i]);
    snprintf(cell[SPIKES], MAXCELL, "%llu", (unsigned long long)clean.spikes);
    snprintf(cell[FILLED], MAXCELL, "%llu", (unsigned long long)clean.filled);
    set_number(cell[HALFLIFE], halflife.least, &brief);
    if (halflife.most > halflife.least) {
        strcat(cell[HALFLIFE], " to ");
        set_number(cell[HALFLIFE] + strlen(cell[HALFLIFE]), halflife.most, &brief);
    }
}

/* The head of the table and a line for each channel. Names are aligned left, numbers right. */
static void put_table(struct text *t, const struct change_stats *c, const struct change_report_input *input)
{
    const struct columns *columns = &c->reader->columns;
    char cell[NCELL][MAXCELL];
    size_t width[NCELL] = { 0 };
    bool chosen = false;
    for (size_t i = 0; i <= columns->nchannel; i++) {
        make_line(cell, c, i, input);
        chosen |= i > 0 && cell[HALFLIFE][0] != '-';
        for (size_t k = 0; k < NCELL; k++) {
            size_t n = utf8_count(cell[k], strlen(cell[k]));
            width[k] = n > width[k] ? n : width[k];
        }
    }
    for (size_t i = 0; i <= columns->nchannel; i++) {
        make_line(cell, c, i, input);
        for (size_t k = 0; k < NCELL; k++) {
            int fill = (int)(width[k] - utf8_count(cell[k], strlen(cell[k])));
            if (k == CHANNEL)
                text_put(t, "%s%*s", cell[k], fill, "");
            else if ((k != GROUP || columns->group != COLUMN_NONE) && (k != HALFLIFE || chosen) &&
                     ((k != SPIKES && k != FILLED) || input->cleaned))
                text_put(t, "  %*s%s", fill, "", cell[k]);
        }
        text_put(t, "\n");
    }
}

char *change_report_text(const struct change_stats *c, const struct change_report_input *input)
{
    struct text t = { 0 };
    char file[MAXCELL], line[PARAMETERS_LINE];
    error_escape(input->file, strlen(input->file), file, sizeof file);
    text_put(&t, "%s: %s, %llu row%s", file, input->filters, (unsigned long long)input->rows,
             error_plural(input->rows));
    if (c->reader->columns.group != COLUMN_NONE)
        text_put(&t, ", %llu group%s", (unsigned long long)input->groups, error_plural(input->groups));
    text_put(&t, "\n");
    for (size_t k = 0; k < input->sets->n; k++)
        if (parameters_equivalent(c->filter, input->sets, &c->reader->columns, k, line))
            text_put(&t, "%s\n", line);
    put_table(&t, c, input);
    if (!c->comparable)
        text_put(&t,
                 c->filter->keeps_cell
                     ? "%s leaves the channels as they are: there is no change to tell\n"
                     : "%s prints another kind of number than it reads: there is no change to tell\n",
                 c->filter->name);
    return text_take(&t);
}

/* --- JSON --- */

/* Channel i. */
static void add_channel(struct json_out *r, struct cJSON *to, const struct change_stats *c,
                        const struct change_report_input *input, size_t i)
{
    const struct change *change = &c->channel[i];
    struct clean_count clean = input->cleaned ? input->cleaned[i] : (struct clean_count){ 0 };
    struct halflife_range halflife = series_halflife(input->series, i);
    struct equivalent all[MAXEQUIVALENT];
    struct cJSON *channel = json_out_object(r, to, NULL);
    json_out_text(r, channel, "channel", change->column->name);
    if (change->row) {
        struct cJSON *largest = json_out_object(r, channel, "change");
        json_out_number(r, largest, "largest", change->largest);
        json_out_count(r, largest, "row", change->row);
        json_out_number(r, largest, "time", change->time);
        if (change->group)
            json_out_text(r, largest, "group", change->group);
        json_out_number(r, largest, "rms", change_stats_rms(change));
    } else {
        json_out_number(r, channel, "change", (double)NAN);
    }
    json_out_number(r, channel, "velocity", change->velocity);
    json_out_number(r, channel, "acceleration", change->acceleration);
    json_out_count(r, channel, "gaps", change->ngap);
    json_out_count(r, channel, "cuts", input->cuts[i]);
    json_out_count(r, channel, "spikes", clean.spikes);
    json_out_count(r, channel, "filled", clean.filled);
    if (halflife.most > halflife.least) {
        json_out_number(r, channel, "halflife_least", halflife.least);
        json_out_number(r, channel, "halflife_largest", halflife.most);
    } else if (halflife.most > 0) {
        json_out_number(r, channel, "halflife", halflife.most);
    }
    double chosen = halflife.least < halflife.most ? (double)NAN : halflife.least;
    size_t n = filter_equivalents(c->filter, input->sets->settings[input->sets->of[i]], chosen, all);
    struct cJSON *parameters = n ? json_out_object(r, channel, "equivalent") : NULL;
    for (size_t k = 0; k < n; k++)
        json_out_number(r, parameters, all[k].name, all[k].value);
}

char *change_report_json(const struct change_stats *c, const struct change_report_input *input)
{
    struct json_out r;
    json_out_open(&r);
    json_out_text(&r, r.root, "file", input->file);
    json_out_text(&r, r.root, "filter", input->filters);
    json_out_count(&r, r.root, "rows", input->rows);
    json_out_count(&r, r.root, "groups", input->groups);
    struct cJSON *channels = json_out_array(&r, r.root, "channels");
    for (size_t i = 0; i < c->reader->columns.nchannel; i++)
        add_channel(&r, channels, c, input, i);
    return json_out_take(&r, true);
}
