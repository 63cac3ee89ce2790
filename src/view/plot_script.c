/* A picture as a script for gnuplot. See plot.h. Colours are those of Okabe and Ito, which people with any
 * kind of colour vision tell apart; what was before is grey, and thinner. Sizes suit a phone as well as a
 * screen. */
#include "view/plot.h"

#include "base/text.h"
#include "base/utf8.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const char *const colors[] = { "#999999", "#0072B2", "#D55E00", "#009E73",
                                      "#CC79A7", "#E69F00", "#56B4E9", "#000000" };

/* Lengths in pixels of an SVG file, or in characters. */
struct page {
    enum plot_kind kind;
    size_t across, down;
    double width, height, cell; /* cell: of a panel, across, with what stands around it */
    double left, right, top, strip, panel, bottom;
};

/* A string that gnuplot takes as it is: within single quotes nothing is special but the quote itself, which
 * becomes a typographic one. (Doubled, as gnuplot has it, it is misread at the start.) */
static void put_quoted(struct text *t, const char *string, size_t most)
{
    char shown[512];
    size_t n = error_escape(string, strlen(string), shown, sizeof shown), width = 0;
    text_add(t, "'", 1);
    for (size_t i = 0; i < n; i++) {
        width += !utf8_continues(shown[i]);
        if (width > most) {
            text_put(t, "\xE2\x80\xA6");
            break;
        }
        if (shown[i] == '\'')
            text_put(t, "\xE2\x80\x99");
        else
            text_add(t, &shown[i], 1);
    }
    text_add(t, "'", 1);
}

static void widen(double range[2], double low, double high)
{
    if (low < range[0])
        range[0] = low;
    if (high > range[1])
        range[1] = high;
}

/* The times of all lines; empty: 0 to 1. */
static void x_range(const struct plot *p, double range[2])
{
    range[0] = DBL_MAX;
    range[1] = -DBL_MAX;
    for (size_t i = 0; i < p->npanel; i++)
        for (size_t k = 0; k < p->panel[i]->nline; k++) {
            const struct envelope *c = &p->panel[i]->line[k]->curve;
            for (size_t m = 0; m < c->npart; m++) {
                widen(range, c->part[m].low_t, c->part[m].low_t);
                widen(range, c->part[m].high_t, c->part[m].high_t);
            }
        }
    if (range[0] > range[1])
        range[0] = 0, range[1] = 1;
}

static void y_range(const struct plot_panel *panel, double range[2])
{
    range[0] = DBL_MAX;
    range[1] = -DBL_MAX;
    for (size_t k = 0; k < panel->nline; k++) {
        const struct envelope *c = &panel->line[k]->curve;
        for (size_t m = 0; m < c->npart; m++)
            if (!isnan(c->part[m].low))
                widen(range, c->part[m].low, c->part[m].high);
    }
    if (range[0] > range[1])
        range[0] = 0, range[1] = 1;
    double margin = (range[1] - range[0]) / 20, least = fmax(fabs(range[0]), fabs(range[1])) * 1e-9;
    if (!(margin > least))
        margin = range[0] == 0 && range[1] == 0 ? 1 : fmax(fabs(range[0]), fabs(range[1])) / 20;
    range[0] -= margin;
    range[1] += margin;
}

static void put_point(struct text *t, double x, double y)
{
    text_put(t, "%.12g %.9g\n", x, y);
}

/* The points of a line, as a block of data. A point between gaps is put twice, so that it shows. */
static void put_data(struct text *t, const struct envelope *c, size_t panel, size_t line, double origin)
{
    text_put(t, "$d%zu_%zu << EOD\n", panel, line);
    size_t run = 0;
    for (size_t i = 0; i < c->npart; i++) {
        const struct envelope_part *part = &c->part[i];
        bool low_first = part->low_t <= part->high_t, last = i + 1 == c->npart;
        if (!isnan(part->low)) {
            double first_t = low_first ? part->low_t : part->high_t,
                   first = low_first ? part->low : part->high;
            double then_t = low_first ? part->high_t : part->low_t, then = low_first ? part->high : part->low;
            bool lone = run == 0 && (last || part->gap || c->part[i + 1].gap);
            put_point(t, first_t - origin, first);
            if (then_t != first_t || lone)
                put_point(t, then_t - origin, then);
            run++;
        }
        if (part->gap) {
            text_put(t, "\n");
            run = 0;
        }
    }
    if (c->npart == 0)
        text_put(t, "\n");
    text_put(t, "EOD\n");
}

/* The first panel with several lines: its legend is that of the page; NULL: none is needed. */
static const struct plot_panel *legend_of(const struct plot *p)
{
    for (size_t i = 0; i < p->npanel; i++)
        if (p->panel[i]->nline > 1)
            return p->panel[i];
    return NULL;
}

static struct page page_of(const struct plot *p, enum plot_kind kind)
{
    struct winsize size;
    size_t across = p->across ? p->across : 1, down = (p->npanel + across - 1) / across;
    struct page g = {
        kind, across, down, 640, 0, 0, 84, 24, p->title ? 34 : 8, 30, down > 1 ? 170 : 300, 64
    };
    if (across > 1)
        g.left = 66, g.right = 16, g.panel = down > 1 ? 150 : 220;
    if (kind == PLOT_TERMINAL) {
        g = (struct page){ kind, across, down, 79, 0, 0, 12, 3, p->title ? 2 : 1, 1, down > 1 ? 12 : 18, 3 };
        if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40)
            g.width = size.ws_col < 160 ? size.ws_col - 1 : 159;
    }
    if (across > 1 && legend_of(p))
        g.top += g.strip;
    g.cell = g.width / (double)across;
    g.height = g.top + (double)down * (g.strip + g.panel) + g.bottom;
    return g;
}

static void put_terminal(struct text *t, const struct page *g)
{
    int width = (int)g->width, height = (int)g->height;
    switch (g->kind) {
    case PLOT_SVG:
        text_put(t,
                 "set terminal svg noenhanced size %d,%d fixed rounded font 'Helvetica,Arial,sans-serif,16' "
                 "background '#ffffff'\n",
                 width, height);
        break;
    case PLOT_PNG:
        text_put(t,
                 "set terminal pngcairo noenhanced size %d,%d rounded font 'sans,12' fontscale 2 linewidth 2 "
                 "background '#ffffff'\n",
                 2 * width, 2 * height);
        break;
    case PLOT_PDF:
        text_put(t,
                 "set terminal pdfcairo noenhanced size %.2fin,%.2fin rounded font 'sans,11' linewidth 1.2 "
                 "background '#ffffff'\n",
                 g->width / 100, g->height / 100);
        break;
    case PLOT_TERMINAL:
        text_put(t, "set terminal dumb noenhanced size %d,%d\n", width, height);
    }
}

/* Where the time is far from 0 for the time it takes, as with seconds since 1970, it is counted from its
 * start. */
static double origin_of(const struct plot *p, const double x[2])
{
    bool far = !p->log_x && x[1] > x[0] && fmax(fabs(x[0]), fabs(x[1])) > 2000 * (x[1] - x[0]);
    return far ? x[0] : 0;
}

/* A distance of marks, 1, 2 or 5 times a power of ten, such that there are about that many. */
static double tics(double low, double high, double most)
{
    double least = (high - low) / most, power = pow(10, floor(log10(least))), share = least / power;
    return power * (share <= 1 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10);
}

static void put_x_axis(struct text *t, const struct plot *p, const struct page *g, const double x[2],
                       double origin)
{
    double low = x[0] - origin, high = x[1] - origin;
    if (!(high > low)) {
        low -= 0.5;
        high += 0.5;
    }
    if (p->log_x)
        text_put(t, "set logscale x\nset mxtics 10\n");
    else
        text_put(t, "set xtics %.9g\n", tics(low, high, g->across == 1 ? 8 : g->across == 2 ? 5 : 3));
    text_put(t, "set xrange [%.12g:%.12g]\n", low, high);
    text_put(t, "set xtics out nomirror scale 0.6\nset ytics out nomirror scale 0.6 format '%%g'\n");
    for (size_t i = 0; i < p->nmark; i++)
        text_put(t,
                 "set arrow from first %.12g, graph 0 to first %.12g, graph 1 nohead back lw 1.5 dt (4,6) lc "
                 "rgb '#000000'\n",
                 p->mark[i] - origin, p->mark[i] - origin);
}

static void put_x_name(struct text *t, const struct plot *p, const struct page *g, double origin)
{
    char name[128];
    if (origin != 0)
        snprintf(name, sizeof name, "%s, from %.12g on", p->x, origin);
    else
        snprintf(name, sizeof name, "%s", p->x);
    text_put(t, "set format x '%s'\nset xlabel ", p->log_x ? "%g" : "%.10g");
    put_quoted(t, name, 60);
    text_put(t, " offset 0,%s\n", g->kind == PLOT_SVG ? "0.4" : "0.3");
}

/* Where panel i stands, as shares of the page from below and from the left; its name above it. */
static double put_margins(struct text *t, const struct page *g, size_t i)
{
    double across = (double)(i % g->across), down = (double)(i / g->across),
           space = g->down > 1 ? g->strip / 2 : 0;
    double above = g->top + down * (g->strip + g->panel) + g->strip;
    text_put(t, "set lmargin at screen %.4f\nset rmargin at screen %.4f\n",
             (across * g->cell + g->left) / g->width, ((across + 1) * g->cell - g->right) / g->width);
    text_put(t, "set tmargin at screen %.4f\nset bmargin at screen %.4f\n", 1 - above / g->height,
             1 - (above + g->panel - space) / g->height);
    return 1 - (above - g->strip / 2) / g->height;
}

static void put_line(struct text *t, const struct plot_line *line, const char *before, const char *data)
{
    unsigned color = line->color % (sizeof colors / sizeof *colors);
    text_put(t, "%s%s with lines lw %s lc rgb '%s' title ", before, data, color ? "2" : "1.6", colors[color]);
    put_quoted(t, line->name, 24);
}

/* The key of one panel, right of its name; where panels are narrow, it has a strip of its own above them
 * all. */
static void put_key(struct text *t, const struct page *g, double middle)
{
    text_put(t, "set key horizontal right at screen %.4f, screen %.4f samplen 1.6 spacing 1 width -1\n",
             1 - g->right / g->width, middle + (g->kind == PLOT_TERMINAL ? 1 : 6) / g->height);
}

static void put_legend(struct text *t, const struct page *g, const struct plot_panel *panel)
{
    double top = g->top - g->strip;
    text_put(
        t,
        "set lmargin at screen 0.02\nset rmargin at screen 0.98\nset tmargin at screen %.4f\nset bmargin at "
        "screen %.4f\nunset border\nunset xtics\nunset ytics\nset xrange [0:1]\nset yrange [0:1]\n",
        1 - top / g->height, 1 - g->top / g->height);
    put_key(t, g, 1 - (top + g->strip / 2) / g->height);
    for (size_t k = 0; k < panel->nline; k++)
        put_line(t, panel->line[k], k ? ", " : "plot ", "-1");
    text_put(t, "\nset border 3\nunset key\n");
}

static void put_panel(struct text *t, const struct plot *p, const struct page *g, size_t i, bool legend)
{
    const struct plot_panel *panel = p->panel[i];
    double range[2], middle = put_margins(t, g, i), column = (double)(i % g->across) / (double)g->across;
    y_range(panel, range);
    text_put(t, "set yrange [%.9g:%.9g]\nset ytics %.9g\nunset label 1\nset label 1 ", range[0], range[1],
             tics(range[0], range[1], g->down > 1 ? 5 : 8));
    put_quoted(t, panel->name, (size_t)(g->kind == PLOT_TERMINAL ? 40 : 34) / g->across);
    text_put(t, " at screen %.4f, screen %.4f left\n", column + (g->kind == PLOT_TERMINAL ? 0.02 : 0.015),
             middle);
    if (legend)
        put_key(t, g, middle);
    else
        text_put(t, "unset key\n");
    for (size_t k = 0; k < panel->nline; k++) {
        char data[64];
        snprintf(data, sizeof data, "$d%zu_%zu using 1:2", i, k);
        put_line(t, panel->line[k], k ? ", " : "plot ", data);
    }
    text_put(t, "\n");
}

char *plot_script(const struct plot *p, enum plot_kind kind)
{
    struct text t = { 0 };
    struct page g = page_of(p, kind);
    double x[2];
    const struct plot_panel *legend = legend_of(p);
    x_range(p, x);
    double origin = origin_of(p, x);
    for (size_t i = 0; i < p->npanel; i++)
        for (size_t k = 0; k < p->panel[i]->nline; k++)
            put_data(&t, &p->panel[i]->line[k]->curve, i, k, origin);
    text_put(&t, "set encoding utf8\n");
    put_terminal(&t, &g);
    text_put(&t, "set multiplot\nset border 3 lc rgb '#666666'\nset grid lw 0.6 lc rgb '#dddddd'\n"
                 "unset key\n");
    if (kind == PLOT_TERMINAL)
        text_put(&t, "unset grid\n");
    if (legend && g.across > 1)
        put_legend(&t, &g, legend);
    put_x_axis(&t, p, &g, x, origin);
    if (p->title) {
        text_put(&t, "set label 1000 ");
        put_quoted(&t, p->title, 66);
        text_put(&t, " at screen 0.5, screen %.4f center\n", 1 - g.top / 2 / g.height);
    }
    for (size_t i = 0; i < p->npanel; i++) {
        if (i + g.across >= p->npanel)
            put_x_name(&t, p, &g, origin);
        else
            text_put(&t, "set format x ''\n");
        put_panel(&t, p, &g, i, p->panel[i] == legend && g.across == 1);
    }
    text_put(&t, "unset multiplot\n");
    return text_take(&t);
}
