/* Input against output of what is being filtered. See plot_overlay.h. */
#include "view/plot_overlay.h"

#include <stdlib.h>

/* Adds the panels of one channel: itself and, with all, the columns that the filter adds. */
static bool add_channel(struct plot_overlay *p, const struct output_columns *l, size_t column, bool all,
                        struct error *e)
{
    struct plot_series *s = &p->series;
    const struct column *c = &s->columns->column[column];
    size_t replace = l->replace[column];
    struct plot_panel *panel = plot_add_panel(&p->plot, c->name, e);
    s->in[c->value] = plot_add_line(panel, "input", replace == COLUMN_NONE ? PLOT_BLUE : PLOT_GREY, e);
    if (replace != COLUMN_NONE)
        s->out[replace] = plot_add_line(panel, "output", PLOT_BLUE, e);
    bool good = s->in[c->value] && (replace == COLUMN_NONE || s->out[replace]);
    for (const struct added *a = l->added; good && all && a < l->added + l->nadded; a++)
        if (a->column == column && p->plot.npanel < PLOT_DOWN) {
            panel = plot_add_panel(&p->plot, a->name, e);
            good = (s->out[a->out] = plot_add_line(panel, "output", PLOT_BLUE, e)) != NULL;
        }
    return good;
}

bool plot_overlay_open(struct plot_overlay *p, const struct reader *r, const struct output_columns *l,
                       double rate, const double *cut, size_t ncut, struct error *e)
{
    const struct columns *t = &r->columns;
    bool all = t->nchannel + l->nadded <= PLOT_DOWN || t->nchannel == 1;
    p->reader = r;
    p->plot.x = "time (s)";
    bool good = plot_series_open(&p->series, &p->plot, t, l->nout, rate, e);
    for (size_t i = 0; good && i < t->ncolumn; i++)
        if (t->column[i].role != ROLE_CHANNEL)
            continue;
        else if (p->plot.npanel == PLOT_DOWN)
            p->nleft++;
        else
            good = add_channel(p, l, i, all, e);
    for (size_t i = 0; i < ncut; i++)
        plot_mark(&p->plot, cut[i]);
    return good;
}

/* True if the cell holds the name of the first group; keeps that of the first row. */
static bool is_first_group(struct plot_overlay *p)
{
    const char *name = p->cell.text ? p->cell.text : "";
    if (!p->group.bytes)
        text_add(&p->group, name, p->cell.n);
    return p->group.bytes && p->cell.n == p->group.n && memcmp(name, p->group.bytes, p->cell.n) == 0;
}

bool plot_overlay_add(void *closure, const struct block *b, struct error *e)
{
    struct plot_overlay *p = closure;
    size_t group = p->reader->columns.group;
    for (size_t i = 0; i < b->nrow; i++) {
        if (group != COLUMN_NONE && !format_plain(p->reader, b, i, group, &p->cell, e))
            return false;
        if (group == COLUMN_NONE || is_first_group(p))
            plot_series_row(&p->series, b, i);
        else
            p->others = true;
    }
    return !p->group.failed || error_memory(e);
}

bool plot_overlay_draw(struct plot_overlay *p, const char *file, struct messages *messages, const char *name,
                       struct error *e)
{
    char group[256];
    if (p->others) {
        error_escape(p->group.bytes, p->group.n, group, sizeof group);
        messages_add(messages, name, "the picture shows the first group, \"%s\"", group);
    }
    if (p->nleft)
        messages_add(messages, name,
                     "the picture shows %zu channels, and %zu more %s left out: --columns chooses",
                     p->plot.npanel, p->nleft, p->nleft == 1 ? "is" : "are");
    return plot_draw(&p->plot, file, e);
}

void plot_overlay_close(struct plot_overlay *p)
{
    plot_free(&p->plot);
    free(p->series.in);
    free(p->cell.room);
    free(p->group.bytes);
}
