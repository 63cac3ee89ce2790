/* A picture as a script for gnuplot. See plot.h. Colors are those of Okabe and Ito, which people with any
 * kind of color vision can tell apart; what was before is grey and thinner. Sizes suit a phone as well as a
 * large screen. */
#include "view/plot.h"

#include "base/port.h"
#include "base/utf8.h"
#include <math.h>
#include <stdio.h>
#include <unistd.h>

enum { NCOLOR = 8, MAXLEGEND = 24 }; /* characters of a name in the legend */
static const char *const colors[NCOLOR] = { "#999999", "#0072B2", "#D55E00", "#009E73",
                                            "#CC79A7", "#E69F00", "#56B4E9", "#000000" };

/* What is written, and the page and its parts, in pixels of an SVG file or in characters. */
struct script {
    struct text t;
    const struct plot *p;
    bool terminal;
    size_t across, down;
    const struct plot_line *legend[NCOLOR]; /* the first line of each color */
    size_t nlegend, legend_across;          /* nlegend 0: none is needed */
    double legend_height;       /* of its strip above all panels; 0: it is beside the first panel's name */
    double width, height, cell; /* cell: width of a panel with what is around it */
    double left, right, top, strip, panel, bottom;
    double origin; /* of the times */
};

/* A string for gnuplot, cut in the middle to so many characters. Within single quotes only the quote itself
 * is special: it becomes a typographic one, for gnuplot misreads a doubled quote at the start of a string. */
static void put_quoted(struct text *t, const char *string, size_t most)
{
    char shown[512];
    size_t n = error_escape(string, strlen(string), shown, sizeof shown), width = 0;
    size_t all = utf8_count(shown, n), begin = all > most ? most / 2 : all, end = all + begin - most;
    text_add(t, "'", 1);
    for (size_t i = 0; i < n; i++) {
        width += !utf8_continues(shown[i]);
        if (width > begin && width <= end)
            text_put(t, width == begin + 1 && !utf8_continues(shown[i]) ? "\xE2\x80\xA6" : "");
        else if (shown[i] == '\'')
            text_put(t, "\xE2\x80\x99");
        else
            text_add(t, &shown[i], 1);
    }
    text_add(t, "'", 1);
}

/* The numbers in a panel, or with PLOT_PANELS the times in all of them; 0 to 1 if there are none. */
static void find_range(double range[2], const struct plot *p, size_t panel)
{
    bool times = panel == PLOT_PANELS;
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (struct plot_line **l = p->line; l < p->line + p->nline; l++) {
        const struct envelope *c = &(*l)->envelope;
        for (const struct envelope_part *part = c->part; part < c->part + c->npart; part++)
            if (times || (*l)->panel == panel) {
                range[0] = fmin(range[0], times ? fmin(part->low_t, part->high_t) : part->low);
                range[1] = fmax(range[1], times ? fmax(part->low_t, part->high_t) : part->high);
            }
    }
    if (range[0] > range[1])
        range[0] = 0, range[1] = 1;
}

/* The points of a line as a block of data, with an empty line at each gap. A point between gaps is written
 * twice, so that it is drawn. */
static void put_data(struct text *t, const struct envelope *c, size_t line, double origin)
{
    text_put(t, "$d%zu << EOD\n", line);
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

/* A legend is needed where several lines share a panel. It has columns of equal width. */
static void lay_out_legend(struct script *s)
{
    const struct plot *p = s->p;
    size_t longest = 0, first = p->npanel ? utf8_count(p->panel[0], strlen(p->panel[0])) : 0;
    for (struct plot_line **l = p->line; l < p->line + p->nline && p->nline > p->npanel; l++) {
        size_t k = 0, n = utf8_count((*l)->name, strlen((*l)->name));
        while (k < s->nlegend && s->legend[k]->color % NCOLOR != (*l)->color % NCOLOR)
            k++;
        if (k < s->nlegend)
            continue;
        s->legend[s->nlegend++] = *l;
        longest = n > longest ? n : longest;
    }
    double letter = s->terminal ? 1 : 9, column = letter * fmin((double)longest, MAXLEGEND) + 5 * letter;
    s->legend_across = (size_t)fmax(1, floor((s->width - s->right) / column));
    size_t rows = (s->nlegend + s->legend_across - 1) / s->legend_across;
    bool beside = s->across == 1 && s->nlegend <= 3 &&
                  letter * (double)first + column * (double)s->nlegend < s->width - s->right;
    if (s->nlegend && !beside)
        s->legend_height = s->terminal ? (double)rows : 10 + 20 * (double)rows;
}

static struct script begin(const struct plot *p, bool terminal)
{
    size_t across = p->across ? p->across : 1, down = (p->npanel + across - 1) / across;
    bool one = across == 1, low = down > 1;
    struct script s = { .p = p, .terminal = terminal, .across = across, .down = down };
    s.width = terminal ? 79 : 640;
    s.left = terminal ? 12 : one ? 84 : 66;
    s.right = terminal ? 3 : one ? 24 : 16;
    s.strip = terminal ? 1 : 30;
    s.top = p->title ? terminal ? 2 : 34 : terminal ? 1 : 8;
    s.panel = terminal ? (low ? 12 : 18) : one ? (low ? 170 : 300) : low ? 150 : 220;
    s.bottom = terminal ? 3 : 64;
    unsigned columns = terminal ? port_terminal_columns(STDOUT_FILENO) : 0;
    if (columns >= 40)
        s.width = columns < 160 ? columns - 1 : 159;
    s.cell = s.width / (double)across;
    lay_out_legend(&s);
    s.top += s.legend_height;
    s.height = s.top + (double)down * (s.strip + s.panel) + s.bottom;
    return s;
}

/* A distance of tics, 1, 2 or 5 times a power of ten, for at most that many. */
static double tics(double low, double high, double most)
{
    double least = (high - low) / most, power = pow(10, floor(log10(least))), share = least / power;
    return power * (share <= 1 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10);
}

static void put_x_axis(struct script *s, const double x[2])
{
    double margin = x[1] > x[0] ? 0 : 0.5, low = x[0] - s->origin - margin, high = x[1] - s->origin + margin;
    if (s->p->log_x)
        text_put(&s->t, "set logscale x\nset mxtics 10\n");
    else
        text_put(&s->t, "set xtics %.9g\n", tics(low, high, s->across == 1 ? 8 : s->across == 2 ? 5 : 3));
    text_put(&s->t, "set xrange [%.12g:%.12g]\n", low, high);
    text_put(&s->t, "set xtics out nomirror scale 0.6\nset ytics out nomirror scale 0.6 format '%%g'\n");
    for (size_t i = 0; i < s->p->nmark; i++)
        text_put(&s->t,
                 "set arrow from first %.12g, graph 0 to first %.12g, graph 1 nohead back lw 1.5 dt (4,6) lc "
                 "rgb '#000000'\n",
                 s->p->mark[i] - s->origin, s->p->mark[i] - s->origin);
}

static void put_x_name(struct script *s, bool svg)
{
    char name[128] = "";
    text_append(name, sizeof name, "%s", s->p->x);
    if (s->origin != 0)
        text_append(name, sizeof name, ", from %.12g on", s->origin);
    text_put(&s->t, "set format x '%s'\nset xlabel ", s->p->log_x ? "%g" : "%.10g");
    put_quoted(&s->t, name, 60);
    text_put(&s->t, " offset 0,%s\n", svg ? "0.4" : "0.3");
}

/* The edges of a plot, as parts of the page from its left and its top. */
static void put_edges(struct text *t, double left, double right, double top, double bottom)
{
    text_put(t, "set lmargin at screen %.4f\nset rmargin at screen %.4f\n", left, right);
    text_put(t, "set tmargin at screen %.4f\nset bmargin at screen %.4f\n", 1 - top, 1 - bottom);
}

static void put_style(struct text *t, const struct plot_line *line)
{
    unsigned color = line->color % NCOLOR;
    text_put(t, " with lines lw %s lc rgb '%s'", color ? "2" : "1.6", colors[color]);
}

/* The legend, as a plot without lines. */
static void put_legend(struct script *s)
{
    double top = s->top - s->legend_height, bottom = s->legend_height > 0 ? s->top : s->top + s->strip;
    put_edges(&s->t, 0.02, 0.98, top / s->height, bottom / s->height);
    text_put(&s->t, "unset border\nunset xtics\nunset ytics\nset xrange [0:1]\nset yrange [0:1]\n");
    text_put(&s->t,
             "set key horizontal right at screen %.4f, screen %.4f samplen 1.6 spacing 1 width -1 maxcols "
             "%zu\nplot ",
             1 - s->right / s->width, 1 - (top + (s->terminal ? -0.5 : 9)) / s->height, s->legend_across);
    for (size_t k = 0; k < s->nlegend; k++) {
        text_put(&s->t, k ? ", -1" : "-1");
        put_style(&s->t, s->legend[k]);
        text_put(&s->t, " title ");
        put_quoted(&s->t, s->legend[k]->name, MAXLEGEND);
    }
    text_put(&s->t, "\nset border 3\nunset key\n");
}

/* The vertical axis, and its name: "x", "x (mm)", "x_vel (1/s)" or "x_acc (mm/s²)". */
static void put_y_axis(struct script *s, size_t i)
{
    double range[2];
    find_range(range, s->p, i);
    double margin = (range[1] - range[0]) / 20, largest = fmax(fabs(range[0]), fabs(range[1]));
    if (!(margin > largest * 1e-9))
        margin = largest == 0 ? 1 : largest / 20;
    double low = range[0] - margin, high = range[1] + margin;
    text_put(&s->t, "set yrange [%.9g:%.9g]\nset ytics %.9g\n", low, high,
             tics(low, high, s->down > 1 ? 5 : 8));
    const char *panel = s->p->panel[i];
    const char *per = strstr(panel, "_acc") ? "/s\xC2\xB2" : strstr(panel, "_vel") ? "/s" : "";
    const char *unit = s->p->unit ? s->p->unit : "1";
    char name[PLOT_NAME];
    snprintf(name, sizeof name, s->p->unit || per[0] ? "%s (%s%s)" : "%s%.0s%.0s", panel, unit, per);
    text_put(&s->t, "unset label 1\nset label 1 ");
    put_quoted(&s->t, name, (size_t)(s->terminal ? 40 : 34) / s->across);
}

static void put_panel(struct script *s, size_t i)
{
    double across = (double)(i % s->across), down = (double)(i / s->across);
    double top = s->top + down * (s->strip + s->panel) + s->strip, space = s->down > 1 ? s->strip / 2 : 0;
    double middle = 1 - (top - s->strip / 2) / s->height;
    put_edges(&s->t, (across * s->cell + s->left) / s->width, ((across + 1) * s->cell - s->right) / s->width,
              top / s->height, (top + s->panel - space) / s->height);
    put_y_axis(s, i);
    text_put(&s->t, " at screen %.4f, screen %.4f left\n",
             across / (double)s->across + (s->terminal ? 0.02 : 0.015), middle);
    const char *comma = "plot ";
    for (size_t k = 0; k < s->p->nline; k++)
        if (s->p->line[k]->panel == i) {
            text_put(&s->t, "%s$d%zu using 1:2", comma, k);
            put_style(&s->t, s->p->line[k]);
            comma = ", ";
        }
    text_put(&s->t, "\n");
}

char *plot_script(const struct plot *p, const struct plot_kind *kind)
{
    struct script s = begin(p, !kind->end);
    double x[2];
    find_range(x, p, PLOT_PANELS);
    /* The axis counts from the first time if that is far from 0 for the duration, as for seconds since 1970.
     */
    if (!p->log_x && x[1] > x[0] && fmax(fabs(x[0]), fabs(x[1])) > 2000 * (x[1] - x[0]))
        s.origin = x[0];
    for (size_t i = 0; i < p->nline; i++)
        put_data(&s.t, &p->line[i]->envelope, i, s.origin);
    text_put(&s.t, "set encoding utf8\nset terminal %s noenhanced size %.6g%s,%.6g%s%s\n", kind->terminal,
             s.width * kind->scale, kind->unit, s.height * kind->scale, kind->unit, kind->set);
    text_put(&s.t,
             "set multiplot\nset border 3 lc rgb '#666666'\nset grid lw 0.6 lc rgb '#dddddd'\nunset key\n%s",
             s.terminal ? "unset grid\n" : "");
    if (s.nlegend)
        put_legend(&s);
    put_x_axis(&s, x);
    if (p->title) {
        text_put(&s.t, "set label 1000 ");
        put_quoted(&s.t, p->title, 66);
        text_put(&s.t, " at screen 0.5, screen %.4f center\n", 1 - (s.top - s.legend_height) / 2 / s.height);
    }
    for (size_t i = 0; i < p->npanel; i++) {
        if (i + s.across >= p->npanel)
            put_x_name(&s, !strcmp(kind->suffix, ".svg"));
        else
            text_put(&s.t, "set format x ''\n");
        put_panel(&s, i);
    }
    text_put(&s.t, "unset multiplot\n");
    return text_take(&s.t);
}
