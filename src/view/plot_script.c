/* A picture as a script for gnuplot. See plot.h. Colors are those of Okabe and Ito, which people with any
 * kind of color vision can tell apart; what was before is grey and thinner. Sizes suit a phone as well as a
 * large screen. */
#include "view/plot.h"

#include "base/text.h"
#include "base/utf8.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const char *const colors[] = { "#999999", "#0072B2", "#D55E00", "#009E73",
                                      "#CC79A7", "#E69F00", "#56B4E9", "#000000" };

/* The page and its parts, in pixels of an SVG file or in characters. */
struct page {
    enum plot_kind kind;
    size_t across, down;
    double width, height, cell; /* cell: width of a panel with what is around it */
    double left, right, top, strip, panel, bottom;
};

/* A string for gnuplot, cut to so many characters. Within single quotes only the quote itself is special: it
 * becomes a typographic one, for gnuplot misreads a doubled quote at the start of a string. */
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

/* The times or the numbers of the lines of panels; 0 to 1 if there are none. */
static void find_range(double range[2], const struct plot_panel *panel, size_t npanel, bool times)
{
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (size_t i = 0; i < npanel; i++)
        for (size_t k = 0; k < panel[i].nline; k++) {
            const struct envelope *c = &panel[i].line[k]->envelope;
            for (const struct envelope_part *part = c->part; part < c->part + c->npart; part++) {
                range[0] = fmin(range[0], times ? fmin(part->low_t, part->high_t) : part->low);
                range[1] = fmax(range[1], times ? fmax(part->low_t, part->high_t) : part->high);
            }
        }
    if (range[0] > range[1])
        range[0] = 0, range[1] = 1;
}

/* The points of a line as a block of data, with an empty line at each gap. A point between gaps is written
 * twice, so that it is drawn. */
static void put_data(struct text *t, const struct envelope *c, size_t panel, size_t line, double origin)
{
    text_put(t, "$d%zu_%zu << EOD\n", panel, line);
    bool joined = false; /* to a point before */
    for (size_t i = 0; i < c->npart; i++) {
        const struct envelope_part *part = &c->part[i];
        double time[] = { part->low_t, part->high_t }, y[] = { part->low, part->high };
        bool from = part->low_t > part->high_t; /* the high point comes first */
        bool ends = i + 1 == c->npart || part->gap || c->part[i + 1].gap;
        if (!isnan(part->low)) {
            text_put(t, "%.12g %.9g\n", time[from] - origin, y[from]);
            if (time[0] != time[1] || (!joined && ends))
                text_put(t, "%.12g %.9g\n", time[!from] - origin, y[!from]);
            joined = true;
        }
        if (part->gap) {
            text_put(t, "\n");
            joined = false;
        }
    }
    text_put(t, "%sEOD\n", c->npart == 0 ? "\n" : "");
}

/* The first panel with several lines, whose legend is that of the page; npanel: none is needed. */
static size_t legend_of(const struct plot *p)
{
    size_t i = 0;
    while (i < p->npanel && p->panel[i].nline < 2)
        i++;
    return i;
}

/* Has the legend a strip of its own above all panels? Else it stands beside the name of its panel. */
static bool legend_apart(const struct plot *p)
{
    size_t i = legend_of(p);
    return i < p->npanel && (p->across > 1 || p->panel[i].nline > 3);
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
    if (legend_apart(p))
        g.top += g.strip;
    g.cell = g.width / (double)across;
    g.height = g.top + (double)down * (g.strip + g.panel) + g.bottom;
    return g;
}

static void put_terminal(struct text *t, const struct page *g)
{
    static const struct terminal {
        const char *name, *unit, *rest;
        double scale; /* of pixels or characters */
        int decimals;
    } terminals[] = {
        [PLOT_SVG] = { "svg", "", " fixed rounded font 'Helvetica,Arial,sans-serif,16' background '#ffffff'",
                       1, 0 },
        [PLOT_PNG] = { "pngcairo", "", " rounded font 'sans,12' fontscale 2 linewidth 2 background '#ffffff'",
                       2, 0 },
        [PLOT_PDF] = { "pdfcairo", "in", " rounded font 'sans,11' linewidth 1.2 background '#ffffff'", 0.01,
                       2 },
        [PLOT_TERMINAL] = { "dumb", "", "", 1, 0 },
    };
    const struct terminal *to = &terminals[g->kind];
    text_put(t, "set terminal %s noenhanced size %.*f%s,%.*f%s%s\n", to->name, to->decimals,
             g->width * to->scale, to->unit, to->decimals, g->height * to->scale, to->unit, to->rest);
}

/* A distance of tics, 1, 2 or 5 times a power of ten, for at most that many. */
static double tics(double low, double high, double most)
{
    double least = (high - low) / most, power = pow(10, floor(log10(least))), share = least / power;
    return power * (share <= 1 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10);
}

static void put_x_axis(struct text *t, const struct plot *p, const struct page *g, const double x[2],
                       double origin)
{
    double margin = x[1] > x[0] ? 0 : 0.5, low = x[0] - origin - margin, high = x[1] - origin + margin;
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

/* The edges of a plot, as parts of the page from its left and its top. */
static void put_edges(struct text *t, double left, double right, double top, double bottom)
{
    text_put(t, "set lmargin at screen %.4f\nset rmargin at screen %.4f\n", left, right);
    text_put(t, "set tmargin at screen %.4f\nset bmargin at screen %.4f\n", 1 - top, 1 - bottom);
}

/* Plots the lines of panel i, or (data false) only their legend. */
static void put_lines(struct text *t, const struct plot *p, size_t i, bool data)
{
    for (size_t k = 0; k < p->panel[i].nline; k++) {
        const struct plot_line *line = p->panel[i].line[k];
        unsigned color = line->color % (sizeof colors / sizeof *colors);
        text_put(t, k ? ", " : "plot ");
        text_put(t, data ? "$d%zu_%zu using 1:2" : "-1", i, k);
        text_put(t, " with lines lw %s lc rgb '%s' title ", color ? "2" : "1.6", colors[color]);
        put_quoted(t, line->name, 24);
    }
    text_put(t, "\n");
}

/* The legend, at the right of a panel's name; middle: its height on the page. */
static void put_key(struct text *t, const struct page *g, double middle)
{
    text_put(t, "set key horizontal right at screen %.4f, screen %.4f samplen 1.6 spacing 1 width -1\n",
             1 - g->right / g->width, middle + (g->kind == PLOT_TERMINAL ? 1 : 6) / g->height);
}

/* The legend in a strip of its own above all panels. */
static void put_legend(struct text *t, const struct plot *p, const struct page *g, size_t i)
{
    double top = g->top - g->strip;
    put_edges(t, 0.02, 0.98, top / g->height, g->top / g->height);
    text_put(t, "unset border\nunset xtics\nunset ytics\nset xrange [0:1]\nset yrange [0:1]\n");
    put_key(t, g, 1 - (top + g->strip / 2) / g->height);
    put_lines(t, p, i, false);
    text_put(t, "set border 3\nunset key\n");
}

static void put_y_axis(struct text *t, const struct page *g, const struct plot_panel *panel)
{
    double range[2];
    find_range(range, panel, 1, false);
    double margin = (range[1] - range[0]) / 20, largest = fmax(fabs(range[0]), fabs(range[1]));
    if (!(margin > largest * 1e-9))
        margin = largest == 0 ? 1 : largest / 20;
    double low = range[0] - margin, high = range[1] + margin;
    text_put(t, "set yrange [%.9g:%.9g]\nset ytics %.9g\n", low, high, tics(low, high, g->down > 1 ? 5 : 8));
}

static void put_panel(struct text *t, const struct plot *p, const struct page *g, size_t i, bool legend)
{
    const struct plot_panel *panel = &p->panel[i];
    bool terminal = g->kind == PLOT_TERMINAL;
    double across = (double)(i % g->across), down = (double)(i / g->across);
    double top = g->top + down * (g->strip + g->panel) + g->strip, space = g->down > 1 ? g->strip / 2 : 0;
    double middle = 1 - (top - g->strip / 2) / g->height;
    put_edges(t, (across * g->cell + g->left) / g->width, ((across + 1) * g->cell - g->right) / g->width,
              top / g->height, (top + g->panel - space) / g->height);
    put_y_axis(t, g, panel);
    text_put(t, "unset label 1\nset label 1 ");
    put_quoted(t, panel->name, (size_t)(terminal ? 40 : 34) / g->across);
    text_put(t, " at screen %.4f, screen %.4f left\n", across / (double)g->across + (terminal ? 0.02 : 0.015),
             middle);
    if (legend)
        put_key(t, g, middle);
    else
        text_put(t, "unset key\n");
    put_lines(t, p, i, true);
}

char *plot_script(const struct plot *p, enum plot_kind kind)
{
    struct text t = { 0 };
    struct page g = page_of(p, kind);
    double x[2];
    size_t legend = legend_of(p);
    bool apart = legend_apart(p);
    find_range(x, p->panel, p->npanel, true);
    /* The axis counts from the first time if that is far from 0 for the duration, as for seconds since 1970.
     */
    bool far = !p->log_x && x[1] > x[0] && fmax(fabs(x[0]), fabs(x[1])) > 2000 * (x[1] - x[0]);
    double origin = far ? x[0] : 0;
    for (size_t i = 0; i < p->npanel; i++)
        for (size_t k = 0; k < p->panel[i].nline; k++)
            put_data(&t, &p->panel[i].line[k]->envelope, i, k, origin);
    text_put(&t, "set encoding utf8\n");
    put_terminal(&t, &g);
    text_put(&t,
             "set multiplot\nset border 3 lc rgb '#666666'\nset grid lw 0.6 lc rgb '#dddddd'\nunset key\n%s",
             kind == PLOT_TERMINAL ? "unset grid\n" : "");
    if (apart)
        put_legend(&t, p, &g, legend);
    put_x_axis(&t, p, &g, x, origin);
    if (p->title) {
        text_put(&t, "set label 1000 ");
        put_quoted(&t, p->title, 66);
        text_put(&t, " at screen 0.5, screen %.4f center\n", 1 - (g.top - apart * g.strip) / 2 / g.height);
    }
    for (size_t i = 0; i < p->npanel; i++) {
        if (i + g.across >= p->npanel)
            put_x_name(&t, p, &g, origin);
        else
            text_put(&t, "set format x ''\n");
        put_panel(&t, p, &g, i, i == legend && !apart);
    }
    text_put(&t, "unset multiplot\n");
    return text_take(&t);
}
