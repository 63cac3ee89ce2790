/* The picture of --plot: input against output of what is being filtered. See plot.h. */
#include "view/plot.h"

#include <stdlib.h>

/* title: of a new panel; NULL: the last one gets the line. */
static bool add_line(struct plot_overlay *p, const char *title, size_t column, bool out, unsigned color,
                     struct error *e)
{
    size_t panel = title ? p->plot.npanel : p->plot.npanel - 1;
    struct plot_line *line = plot_add_line(&p->plot, panel, title, out ? "output" : "input", color, e);
    if (line) {
        line->column = column;
        line->out = out;
    }
    return line;
}

/* Adds the panels of one channel: itself and, with all, the columns that the filter adds. */
static bool add_channel(struct plot_overlay *p, const struct output_columns *l, size_t column, bool all,
                        struct error *e)
{
    const struct column *c = &p->series.columns->column[column];
    bool replaced = l->replace[column] != COLUMN_NONE;
    bool good = add_line(p, c->name, c->value, false, replaced ? PLOT_GREY : PLOT_BLUE, e) &&
                (!replaced || add_line(p, NULL, l->replace[column], true, PLOT_BLUE, e));
    for (const struct added *a = l->added; good && all && a < l->added + l->nadded; a++)
        if (a->column == column && p->plot.npanel < PLOT_DOWN)
            good = add_line(p, a->name, a->out, true, PLOT_BLUE, e);
    return good;
}

bool plot_overlay_open(struct plot_overlay *p, const struct reader *r, const struct output_columns *l,
                       double rate, const double *cut, size_t ncut, struct error *e)
{
    const struct columns *t = &r->columns;
    bool all = t->nchannel + l->nadded <= PLOT_DOWN || t->nchannel == 1;
    p->reader = r;
    p->plot.x = "time (s)";
    p->series = (struct plot_series){ .plot = &p->plot, .columns = t, .rate = rate };
    bool good = true;
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

bool plot_overlay_add(struct plot_overlay *p, const struct block *b, struct error *e)
{
    size_t group = p->reader->columns.group;
    for (size_t i = 0; i < b->nrow; i++) {
        if (group != COLUMN_NONE && !format_plain(p->reader, b, i, group, &p->cell, e))
            return false;
        const char *name = p->cell.text ? p->cell.text : "";
        if (!p->group.bytes)
            text_add(&p->group, name, p->cell.n); /* of the first row */
        if (p->group.failed)
            return error_memory(e);
        if (p->cell.n != p->group.n || memcmp(name, p->group.bytes, p->cell.n) != 0)
            p->others = true;
        else
            plot_series_row(&p->series, b, i);
    }
    return true;
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
    free(p->cell.room);
    free(p->group.bytes);
}
