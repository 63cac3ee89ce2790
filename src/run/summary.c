/* What --verbose prints: see summary.h. */
#include "run/summary.h"

#include "base/text.h"
#include <math.h>
#include <stdio.h>

/* Appends ", name value" to buf if the parameter has a value. */
static void put_parameter(const struct param *p, const void *settings, char *buf, size_t maxbuf)
{
    const void *field = (const char *)settings + p->offset;
    if (p->kind == PARAM_NUMBER && !isnan(*(const double *)field)) {
        char number[NUMBER_MAX + 1];
        number[number_print(number, *(const double *)field, &number_shortest)] = 0;
        snprintf(buf, maxbuf, ", %s %s", p->name, number);
    } else if (p->kind == PARAM_COUNT && *(const long *)field >= 0) {
        snprintf(buf, maxbuf, ", %s %ld", p->name, *(const long *)field);
    } else if (p->kind == PARAM_CHOICE && *(const int *)field >= 0) {
        snprintf(buf, maxbuf, ", %s %s", p->name, p->choices[*(const int *)field]);
    } else if (p->kind == PARAM_NUMBERS && ((const struct numbers *)field)->nvalue) {
        snprintf(buf, maxbuf, ", %s (%zu)", p->name, ((const struct numbers *)field)->nvalue);
    }
}

/* Writes "; channels …", those with settings number k, into buf. */
static void put_channels(const struct summary *v, size_t k, char *buf, size_t maxbuf)
{
    const struct columns *t = &v->reader->columns;
    size_t n = 0, nshown = 0;
    for (size_t i = 0; i < t->ncolumn; i++) {
        const struct column *c = &t->column[i];
        size_t at = strlen(buf);
        if (c->role != ROLE_CHANNEL || v->overrides->of[c->value] != k || n++ > nshown ||
            at + strlen(c->name) + 30 > maxbuf)
            continue;
        snprintf(buf + at, maxbuf - at, "%s\"%s\"", nshown++ ? ", " : "; channels ", c->name);
    }
    if (nshown < n)
        text_append(buf, maxbuf, "%s%zu", nshown ? " and more, in all " : "; channels: ", n);
    if (n == 0)
        snprintf(buf, maxbuf, "; no channel");
}

/* Prints the filter with its parameters, defaults too; with --set once for each set of parameters. */
static void print_parameters(const struct summary *v, struct messages *messages)
{
    const struct filter *filter = v->filter;
    for (size_t k = 0; k < v->overrides->n; k++) {
        char line[600] = "", channels[400] = "";
        for (size_t i = 0; i < filter->nparam; i++)
            put_parameter(&filter->params[i], v->overrides->settings[k], line + strlen(line),
                          sizeof line - strlen(line));
        if (v->overrides->n > 1)
            put_channels(v, k, channels, sizeof channels);
        messages_add(messages, v->file, "%s%s%s%s", filter->name, line[0] ? ":" : "", line[0] ? line + 1 : "",
                     channels);
    }
}

void summary_print(const struct summary *v, struct messages *messages)
{
    const struct series_count *n = &v->count;
    const struct columns *t = &v->reader->columns;
    char time[160] = "";
    print_parameters(v, messages);
    if (!isnan(v->rate) || t->time == COLUMN_NONE)
        snprintf(time, sizeof time, "%.15g rows per second", isnan(v->rate) ? t->rate : v->rate);
    else if (t->time != COLUMN_NONE)
        snprintf(time, sizeof time, "column \"%.100s\"", t->column[t->time].name);
    messages_add(messages, v->file, "%s, %zu column%s, time: %s", v->reader->format->name, t->ncolumn,
                 error_plural(t->ncolumn), time);
    if (v->resampled > 0)
        messages_add(messages, v->file, "resampled to %.15g rows per second", v->resampled);
    for (size_t i = 0; i < t->ncolumn; i++)
        if (t->column[i].role == ROLE_CHANNEL)
            messages_add(messages, v->file, "channel \"%s\" (column %zu)", t->column[i].name, i + 1);
    messages_add(messages, v->file, "%llu row%s, %llu gap%s, %llu cut%s, %llu group%s",
                 (unsigned long long)n->rows, error_plural(n->rows), (unsigned long long)n->gaps,
                 error_plural(n->gaps), (unsigned long long)n->cuts, error_plural(n->cuts),
                 (unsigned long long)n->groups, error_plural(n->groups));
}
