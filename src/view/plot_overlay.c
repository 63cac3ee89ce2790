/* Input against output of what is being filtered. See picture.h. */
#include "view/plot_overlay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GREY, BLUE };

/* Out columns of a channel: the one in its place, and those added. */
static size_t count_outputs(const struct output_columns *l, size_t column)
{
    size_t n = l->replace[column] != COLUMN_NONE;
    for (size_t i = 0; i < l->nadded; i++)
        n += l->added[i].column == column;
    return n;
}

static bool add(struct plot_overlay *p, const char *name, struct envelope **in, struct envelope **out, struct error *e)
{
    char axis[256];
    if (!plot_add_panel(&p->plot, plot_axis(name, NULL, axis, sizeof axis), e))
        return false;
    struct plot_panel *panel = p->plot.panel[p->plot.npanel - 1];
    if (in && !(*in = plot_add_line(panel, "input", out ? GREY : BLUE, e)))
        return false;
    return !out || (*out = plot_add_line(panel, "output", BLUE, e)) != NULL;
}

/* Panels of one channel: itself, and with all its derivatives, if those are drawn. */
static bool add_channel(struct plot_overlay *p, size_t column, bool all, struct error *e)
{
    const struct column *c = &p->columns->column[column];
    size_t replace = p->layout->replace[column];
    if (p->plot.npanel == PLOT_DOWN) {
        p->nleft++;
        return true;
    }
    if (!add(p, c->name, &p->in[c->value], replace == COLUMN_NONE ? NULL : &p->out[replace], e))
        return false;
    for (size_t i = 0; all && i < p->layout->nadded && p->plot.npanel < PLOT_DOWN; i++) {
        const struct added *a = &p->layout->added[i];
        if (a->column == column && !add(p, a->name, NULL, &p->out[a->out], e))
            return false;
    }
    return true;
}

bool plot_overlay_open(struct plot_overlay *p, const struct reader *r, const struct output_columns *l, double rate,
                  int exponent, const double *cut, size_t ncut, struct error *e)
{
    size_t panels = 0;
    const struct columns *t = p->columns = &r->columns;
    p->reader = r;
    p->layout = l;
    p->rate = rate;
    p->unit = exponent == -9 ? 1e-9 : exponent == -6 ? 1e-6 : exponent == -3 ? 1e-3 : 1;
    p->plot.x = "time (s)";
    p->in = calloc(t->nchannel + 1, sizeof *p->in);
    p->out = calloc(l->nout + 1, sizeof *p->out);
    if (!p->in || !p->out)
        return error_memory(e);
    for (size_t i = 0; i < t->ncolumn; i++)
        if (t->column[i].role == ROLE_CHANNEL)
            panels += count_outputs(l, i) + (l->replace[i] == COLUMN_NONE);
    for (size_t i = 0; i < t->ncolumn; i++)
        if (t->column[i].role == ROLE_CHANNEL &&
            !add_channel(p, i, panels <= PLOT_DOWN || t->nchannel == 1, e))
            return false;
    for (size_t i = 0; i < ncut; i++)
        plot_mark(&p->plot, cut[i]);
    return true;
}

/* Is row i of the group that is drawn, the first one? */
static bool drawn(struct plot_overlay *p, const struct block *b, size_t i)
{
    if (p->columns->group == COLUMN_NONE)
        return true;
    struct error e;
    if (!format_plain(p->reader, b, i, p->columns->group, &p->cell, &e)) {
        p->failed = true;
        return false;
    }
    const char *key = p->cell.text ? p->cell.text : "";
    if (!p->group) {
        p->group = malloc(p->cell.n + 1);
        p->failed |= !p->group;
        if (!p->group)
            return false;
        memcpy(p->group, key, p->cell.n);
        p->ngroup = p->cell.n;
    }
    bool same = p->cell.n == p->ngroup && memcmp(key, p->group, p->ngroup) == 0;
    p->others |= !same;
    return same;
}

static void take_row(struct plot_overlay *p, const struct block *b, size_t i)
{
    const struct columns *t = p->columns;
    double time = p->rate > 0 ? (double)p->nrow / p->rate : b->stamp[i].t * p->unit;
    for (size_t c = 0; c < t->nchannel; c++)
        p->failed |= p->in[c] && !envelope_add(p->in[c], time, block_value(b, c)[i]);
    for (size_t o = 0; o < p->layout->nout; o++)
        p->failed |= p->out[o] && !envelope_add(p->out[o], time, block_out(b, o)[i]);
    if (t->cut != COLUMN_NONE) {
        double cut = block_value(b, t->column[t->cut].value)[i];
        if (!isnan(cut) && cut != 0)
            plot_mark(&p->plot, time);
    }
    p->nrow++;
}

bool plot_overlay_take(void *closure, const struct block *b, struct error *e)
{
    struct plot_overlay *p = closure;
    for (size_t i = 0; i < b->nrow; i++)
        if (drawn(p, b, i))
            take_row(p, b, i);
    return !p->failed || error_memory(e);
}

bool plot_overlay_draw(struct plot_overlay *p, const char *file, struct messages *messages, const char *name, struct error *e)
{
    char group[256];
    if (p->group)
        error_escape(p->group, p->ngroup, group, sizeof group);
    if (p->others)
        messages_add(messages, name, "the picture shows the first group, \"%s\"", group);
    if (p->nleft)
        messages_add(messages, name, "the picture shows %zu channels, and %zu more %s left out: --columns chooses",
                  p->plot.npanel, p->nleft, p->nleft == 1 ? "is" : "are");
    return plot_draw(&p->plot, file, e);
}

void plot_overlay_close(struct plot_overlay *p)
{
    plot_free(&p->plot);
    free(p->cell.room);
    free(p->group);
    free(p->in);
    free(p->out);
}
