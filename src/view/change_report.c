/* What a filter did to its channels, in words and as JSON. See changes.h. */
#include "view/change_stats.h"
#include "base/json_out.h"
#include "base/text.h"
#include "base/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* --- words: a table --- */

enum { CHANNEL, LARGEST, ROW, TIME, GROUP, RMS, VELOCITY, ACCELERATION, GAPS, CUTS, NCELL };

static const char *const heads[NCELL] = { "channel", "change",   "row",          "time", "group",
                                          "RMS",     "velocity", "acceleration", "gaps", "cuts" };

struct line {
    char *cell[NCELL];
};

static char *number(double x, const struct number_format *format)
{
    char text[NUMBER_MAX + 1];
    if (isnan(x) || isinf(x))
        return strdup(isnan(x) ? "-" : "too large");
    text[number_print(text, x, format)] = 0;
    return strdup(text);
}

static char *brief(double x)
{
    return number(x, &(struct number_format){ NUMBER_PRECISION, 6, '.' });
}

static char *exact(double x)
{
    return number(x, &number_shortest);
}

static char *count(uint64_t n)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)n);
    return strdup(text);
}

static char *words(const char *text)
{
    char shown[512];
    error_escape(text, strlen(text), shown, sizeof shown);
    return strdup(shown);
}

static bool make_line(struct line *l, const struct change *c, uint64_t cuts)
{
    *l = (struct line){ { words(c->column->name[0] ? c->column->name : "(no name)"),
                          brief(c->row ? c->largest : (double)NAN), c->row ? count(c->row) : strdup("-"),
                          exact(c->time), c->group ? words(c->group) : strdup("-"), brief(change_stats_rms(c)),
                          brief(c->velocity), brief(c->acceleration), count(c->ngap), count(cuts) } };
    bool good = true;
    for (size_t k = 0; k < NCELL; k++)
        good = good && l->cell[k];
    return good;
}

static bool shown(const struct change_stats *c, size_t k)
{
    return k != GROUP || c->reader->columns.group != COLUMN_NONE;
}

/* Names stand at the left, numbers at the right. */
static void put_line(struct text *t, const struct change_stats *c, const char *const *cell, const size_t *width)
{
    for (size_t k = 0; k < NCELL; k++) {
        size_t n = strlen(cell[k]), fill = width[k] - utf8_count(cell[k], n);
        if (!shown(c, k))
            continue;
        if (k == CHANNEL)
            text_put(t, "%s%*s", cell[k], (int)fill, "");
        else
            text_put(t, "  %*s%s", (int)fill, "", cell[k]);
    }
    text_put(t, "\n");
}

static void put_table(struct text *t, const struct change_stats *c, struct line *line)
{
    size_t n = c->reader->columns.nchannel, width[NCELL];
    for (size_t k = 0; k < NCELL; k++) {
        width[k] = strlen(heads[k]);
        for (size_t i = 0; i < n; i++) {
            size_t own = utf8_count(line[i].cell[k], strlen(line[i].cell[k]));
            width[k] = own > width[k] ? own : width[k];
        }
    }
    put_line(t, c, heads, width);
    for (size_t i = 0; i < n; i++)
        put_line(t, c, (const char *const *)line[i].cell, width);
}

char *change_report_text(const struct change_stats *c, const struct change_report_story *story)
{
    size_t n = c->reader->columns.nchannel;
    struct line *line = calloc(n + 1, sizeof *line);
    struct text t = { .failed = !line };
    char *file = words(story->file);
    text_put(&t, "%s: %s, %llu row%s", file ? file : "", c->filter->name, (unsigned long long)story->rows,
             error_plural(story->rows));
    if (c->reader->columns.group != COLUMN_NONE)
        text_put(&t, ", %llu group%s", (unsigned long long)story->groups, error_plural(story->groups));
    text_put(&t, "\n");
    for (size_t i = 0; line && i < n; i++)
        t.failed |= !make_line(&line[i], &c->channel[i], story->cuts[i]);
    if (!t.failed)
        put_table(&t, c, line);
    if (!c->known)
        text_put(&t,
                 c->filter->keeps_cell
                     ? "%s leaves the channels as they are: there is no change to tell\n"
                     : "%s prints another kind of number than it reads: there is no change to tell\n",
                 c->filter->name);
    for (size_t i = 0; line && i < n; i++)
        for (size_t k = 0; k < NCELL; k++)
            free(line[i].cell[k]);
    free(line);
    free(file);
    return text_take(&t);
}

/* --- JSON --- */

static void report_channel(struct json_out *r, struct cJSON *to, const struct change *change, uint64_t cuts)
{
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
    json_out_count(r, channel, "cuts", cuts);
}

char *change_report_json(const struct change_stats *c, const struct change_report_story *story)
{
    struct json_out r;
    json_out_open(&r);
    json_out_text(&r, r.root, "file", story->file);
    json_out_text(&r, r.root, "filter", c->filter->name);
    json_out_count(&r, r.root, "rows", story->rows);
    json_out_count(&r, r.root, "groups", story->groups);
    struct cJSON *channels = json_out_array(&r, r.root, "channels");
    for (size_t i = 0; i < c->reader->columns.nchannel; i++)
        report_channel(&r, channels, &c->channel[i], story->cuts[i]);
    return json_out_take(&r, true);
}
