/* A picture as a script for gnuplot. See plot.h. People with any kind of color vision can tell the colors
 * apart: they are the palette of Okabe and Ito. The series before filtering is grey and thinner. Sizes suit a
 * phone as well as a large screen. */
#include "view/plot.h"

#include "base/port.h"
#include "base/utf8.h"
#include <math.h>
#include <stdio.h>

enum {
    NCOLOR = 8,
    MAXLEGEND = 24 /* most characters of a name in the legend */
};
static const char *const colors[NCOLOR] = { "#999999", "#0072B2", "#D55E00", "#009E73",
                                            "#CC79A7", "#E69F00", "#56B4E9", "#000000" };

/* The script that is written, and the layout of the page. Lengths are in pixels of an SVG file, or in
 * characters of the terminal. */
struct script {
    struct text text;
    const struct plot *plot;
    bool terminal;                          /* drawn in the terminal */
    size_t across, down;                    /* columns and rows of panels */
    const struct plot_line *legend[NCOLOR]; /* [nlegend]: the first line of each color */
    size_t nlegend;                         /* entries of the legend; 0: no legend is needed */
    size_t legend_across;                   /* entries side by side */
    double legend_height; /* of the strip above the panels; 0: the legend is beside the first panel's name */
    double width, height; /* of the page */
    double cell;          /* width / across: a panel with its margins */
    double left, right;   /* margins of a panel */
    double top, bottom;   /* margins of the page */
    double strip;         /* height of the strip above a panel, which holds its name */
    double panel;         /* height of a panel */
    double origin;        /* the time that is 0 in the data */
};

/* Writes a string for gnuplot, cut in the middle to `most` characters. Within single quotes only the single
 * quote is special. A single quote becomes a typographic quote, since gnuplot misreads a doubled quote at the
 * start of a string. The last byte of "]]>", which gnuplot leaves in SVG, where XML does not allow it,
 * becomes U+FFFD. */
static void put_quoted(struct text *text, const char *string, size_t most)
{
    char shown[512];
    size_t n = error_escape(string, strlen(string), shown, sizeof shown), width = 0;
    size_t all = utf8_count(shown, n), begin = all > most ? most / 2 : all, end = all + begin - most;
    text_add(text, "'", 1);
    for (size_t i = 0; i < n; i++) {
        width += !utf8_continues(shown[i]);
        if (width > begin && width <= end)
            text_put(text, width == begin + 1 && !utf8_continues(shown[i]) ? "\xE2\x80\xA6" : "");
        else if (shown[i] == '\'')
            text_put(text, "\xE2\x80\x99");
        else if (shown[i] == '>' && i >= 2 && shown[i - 1] == ']' && shown[i - 2] == ']')
            text_put(text, "\xEF\xBF\xBD");
        else
            text_add(text, &shown[i], 1);
    }
    text_add(text, "'", 1);
}

/* Sets range to the least and the greatest number in a panel, or with panel = PLOT_PANELS to the least and
 * the greatest time in the picture; to 0 and 1 if there are no points. */
static void find_range(double range[2], const struct plot *plot, size_t panel)
{
    bool times = panel == PLOT_PANELS;
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (struct plot_line **l = plot->line; l < plot->line + plot->nline; l++) {
        const struct envelope *envelope = &(*l)->envelope;
        for (const struct envelope_part *part = envelope->part; part < envelope->part + envelope->npart;
             part++)
            if (times || (*l)->panel == panel) {
                range[0] = fmin(range[0], times ? fmin(part->low_t, part->high_t) : part->low);
                range[1] = fmax(range[1], times ? fmax(part->low_t, part->high_t) : part->high);
            }
    }
    if (range[0] > range[1]) {
        range[0] = 0;
        range[1] = 1;
    }
}

/* Writes the points of a line as a block of data, with an empty line at each gap. gnuplot draws no curve of
 * one point, so a point between gaps is written twice. */
static void put_data(struct text *text, const struct envelope *envelope, size_t line, double origin)
{
    text_put(text, "$d%zu << EOD\n", line);
    bool joined = false; /* the next point continues a curve */
    for (size_t i = 0; i < envelope->npart; i++) {
        const struct envelope_part *part = &envelope->part[i];
        double time[] = { part->low_t, part->high_t }, y[] = { part->low, part->high };
        bool high_first = part->low_t > part->high_t;
        bool ends = i + 1 == envelope->npart || part->gap || envelope->part[i + 1].gap;
        if (!isnan(part->low)) {
            text_put(text, "%.12g %.9g\n", time[high_first] - origin, y[high_first]);
            if (time[0] != time[1] || (!joined && ends))
                text_put(text, "%.12g %.9g\n", time[!high_first] - origin, y[!high_first]);
            joined = true;
        }
        if (part->gap) {
            text_put(text, "\n");
            joined = false;
        }
    }
    text_put(text, "%sEOD\n", envelope->npart == 0 ? "\n" : "");
}

/* Lays out the legend, in columns of equal width. A legend is needed if lines share a panel. */
static void lay_out_legend(struct script *script)
{
    const struct plot *plot = script->plot;
    size_t longest = 0, first = plot->npanel ? utf8_count(plot->panel[0], strlen(plot->panel[0])) : 0;
    for (struct plot_line **l = plot->line; l < plot->line + plot->nline && plot->nline > plot->npanel; l++) {
        size_t entry = 0, n = utf8_count((*l)->name, strlen((*l)->name));
        while (entry < script->nlegend && script->legend[entry]->color % NCOLOR != (*l)->color % NCOLOR)
            entry++;
        if (entry < script->nlegend)
            continue;
        script->legend[script->nlegend++] = *l;
        longest = n > longest ? n : longest;
    }
    double letter = script->terminal ? 1 : 9, column = letter * fmin((double)longest, MAXLEGEND) + 5 * letter;
    script->legend_across = (size_t)fmax(1, floor((script->width - script->right) / column));
    size_t rows = (script->nlegend + script->legend_across - 1) / script->legend_across;
    bool beside = script->across == 1 && script->nlegend <= 3 &&
                  letter * (double)first + column * (double)script->nlegend < script->width - script->right;
    if (script->nlegend && !beside)
        script->legend_height = script->terminal ? (double)rows : 10 + 20 * (double)rows;
}

/* Sets the lengths that depend on where the picture is drawn and on the number of panels. */
static void set_lengths(struct script *script)
{
    bool title = script->plot->title, low = script->down > 1, narrow = script->across > 1;
    if (script->terminal) {
        script->width = 79;
        script->left = 12;
        script->right = 3;
        script->strip = 1;
        script->top = title ? 2 : 1;
        script->panel = low ? 12 : 18;
        script->bottom = 3;
        return;
    }
    script->width = 640;
    script->left = narrow ? 66 : 84;
    script->right = narrow ? 16 : 24;
    script->strip = 30;
    script->top = title ? 34 : 8;
    script->bottom = 64;
    if (narrow)
        script->panel = low ? 150 : 220;
    else
        script->panel = low ? 170 : 300;
}

/* A script without text whose page is laid out. */
static struct script lay_out_page(const struct plot *plot, bool terminal)
{
    size_t across = plot->across ? plot->across : 1, down = (plot->npanel + across - 1) / across;
    struct script script = { .plot = plot, .terminal = terminal, .across = across, .down = down };
    set_lengths(&script);
    unsigned columns = terminal ? port_terminal_columns(PORT_STDOUT) : 0;
    if (columns >= 40)
        script.width = columns < 160 ? columns - 1 : 159;
    script.cell = script.width / (double)across;
    lay_out_legend(&script);
    script.top += script.legend_height;
    script.height = script.top + (double)down * (script.strip + script.panel) + script.bottom;
    return script;
}

/* A distance of tics, 1, 2 or 5 times a power of ten, so that there are at most `most` tics from low to
 * high. */
static double tic_distance(double low, double high, double most)
{
    double least = (high - low) / most, power = pow(10, floor(log10(least))), share = least / power;
    if (share <= 1)
        return power * 1;
    if (share <= 2)
        return power * 2;
    return power * (share <= 5 ? 5 : 10);
}

static void put_x_axis(struct script *script, const double x[2])
{
    double margin = x[1] > x[0] ? 0 : 0.5, low = x[0] - script->origin - margin,
           high = x[1] - script->origin + margin;
    static const int most_tics[] = { [1] = 8, [2] = 5, [3] = 3 }; /* by the number of panels side by side */
    if (script->plot->log_x)
        text_put(&script->text, "set logscale x\nset mxtics 10\n");
    else
        text_put(&script->text, "set xtics %.9g\n", tic_distance(low, high, most_tics[script->across]));
    text_put(&script->text, "set xrange [%.12g:%.12g]\n", low, high);
    text_put(&script->text,
             "set xtics out nomirror scale 0.6\nset ytics out nomirror scale 0.6 format '%%g'\n");
    for (size_t i = 0; i < script->plot->nmark; i++)
        text_put(&script->text,
                 "set arrow from first %.12g, graph 0 to first %.12g, graph 1 nohead back lw 1.5 dt (4,6) lc "
                 "rgb '#000000'\n",
                 script->plot->mark[i] - script->origin, script->plot->mark[i] - script->origin);
}

static void put_x_name(struct script *script, bool svg)
{
    char name[128] = "";
    text_append(name, sizeof name, "%s", script->plot->x);
    if (script->origin != 0)
        text_append(name, sizeof name, ", from %.12g on", script->origin);
    text_put(&script->text, "set format x '%s'\nset xlabel ", script->plot->log_x ? "%g" : "%.10g");
    put_quoted(&script->text, name, 60);
    text_put(&script->text, " offset 0,%s\n", svg ? "0.4" : "0.3");
}

/* Writes the edges of a plot, as fractions of the page's width from the left and of the page's height from
 * the top. */
static void put_edges(struct text *text, double left, double right, double top, double bottom)
{
    text_put(text, "set lmargin at screen %.4f\nset rmargin at screen %.4f\n", left, right);
    text_put(text, "set tmargin at screen %.4f\nset bmargin at screen %.4f\n", 1 - top, 1 - bottom);
}

static void put_style(struct text *text, const struct plot_line *line)
{
    unsigned color = line->color % NCOLOR;
    text_put(text, " with lines lw %s lc rgb '%s'", color ? "2" : "1.6", colors[color]);
}

/* Writes the legend, as a plot without lines. */
static void put_legend(struct script *script)
{
    double top = script->top - script->legend_height,
           bottom = script->legend_height > 0 ? script->top : script->top + script->strip;
    put_edges(&script->text, 0.02, 0.98, top / script->height, bottom / script->height);
    text_put(&script->text, "unset border\nunset xtics\nunset ytics\nset xrange [0:1]\nset yrange [0:1]\n");
    text_put(&script->text,
             "set key horizontal right at screen %.4f, screen %.4f samplen 1.6 spacing 1 width -1 maxcols "
             "%zu\nplot ",
             1 - script->right / script->width, 1 - (top + (script->terminal ? -0.5 : 9)) / script->height,
             script->legend_across);
    for (size_t k = 0; k < script->nlegend; k++) {
        text_put(&script->text, k ? ", -1" : "-1");
        put_style(&script->text, script->legend[k]);
        text_put(&script->text, " title ");
        put_quoted(&script->text, script->legend[k]->name, MAXLEGEND);
    }
    text_put(&script->text, "\nset border 3\nunset key\n");
}

/* Does the name of a panel say that the panel shows a derivative: "x_vel", "hip_vel_x" or "x_vel@0.1" with
 * the suffix _vel? A column may be called "left_velocity". */
static bool shows_derivative(const char *panel, const char *suffix)
{
    const char *at = strstr(panel, suffix);
    while (at && !memchr("_@", at[strlen(suffix)], sizeof "_@"))
        at = strstr(at + 1, suffix);
    return at;
}

/* Writes the vertical axis of panel i and its name: "x", "x (mm)", "x_vel (1/s)" or "x_acc (mm/s²)". */
static void put_y_axis(struct script *script, size_t i)
{
    double range[2];
    find_range(range, script->plot, i);
    double margin = (range[1] - range[0]) / 20, largest = fmax(fabs(range[0]), fabs(range[1]));
    if (!(margin > largest * 1e-9))
        margin = largest == 0 ? 1 : largest / 20;
    double low = range[0] - margin, high = range[1] + margin;
    text_put(&script->text, "set yrange [%.9g:%.9g]\nset ytics %.9g\n", low, high,
             tic_distance(low, high, script->down > 1 ? 5 : 8));
    const char *panel = script->plot->panel[i];
    const char *per = shows_derivative(panel, "_vel") ? "/s" : "";
    if (shows_derivative(panel, "_acc"))
        per = "/s\xC2\xB2";
    const char *unit = script->plot->unit ? script->plot->unit : "1";
    char name[PLOT_NAME];
    snprintf(name, sizeof name, script->plot->unit || per[0] ? "%s (%s%s)" : "%s%.0s%.0s", panel, unit, per);
    text_put(&script->text, "unset label 1\nset label 1 ");
    put_quoted(&script->text, name, (size_t)(script->terminal ? 40 : 34) / script->across);
}

static void put_panel(struct script *script, size_t i)
{
    double across = (double)(i % script->across), down = (double)(i / script->across);
    double top = script->top + down * (script->strip + script->panel) + script->strip,
           space = script->down > 1 ? script->strip / 2 : 0;
    double middle = 1 - (top - script->strip / 2) / script->height;
    put_edges(&script->text, (across * script->cell + script->left) / script->width,
              ((across + 1) * script->cell - script->right) / script->width, top / script->height,
              (top + script->panel - space) / script->height);
    put_y_axis(script, i);
    text_put(&script->text, " at screen %.4f, screen %.4f left\n",
             across / (double)script->across + (script->terminal ? 0.02 : 0.015), middle);
    const char *comma = "plot ";
    for (size_t k = 0; k < script->plot->nline; k++)
        if (script->plot->line[k]->panel == i) {
            text_put(&script->text, "%s$d%zu using 1:2", comma, k);
            put_style(&script->text, script->plot->line[k]);
            comma = ", ";
        }
    text_put(&script->text, "\n");
}

char *plot_script(const struct plot *plot, const struct plot_kind *kind)
{
    struct script script = lay_out_page(plot, !kind->end);
    double x[2];
    find_range(x, plot, PLOT_PANELS);
    /* Times far from 0 compared with the duration, such as seconds since 1970, count from the first time. */
    if (!plot->log_x && x[1] > x[0] && fmax(fabs(x[0]), fabs(x[1])) > 2000 * (x[1] - x[0]))
        script.origin = x[0];
    for (size_t i = 0; i < plot->nline; i++)
        put_data(&script.text, &plot->line[i]->envelope, i, script.origin);
    text_put(&script.text, "set encoding utf8\nset terminal %s noenhanced size %.6g%s,%.6g%s%s\n",
             kind->terminal, script.width * kind->scale, kind->unit, script.height * kind->scale, kind->unit,
             kind->set);
    text_put(&script.text,
             "set multiplot\nset border 3 lc rgb '#666666'\nset grid lw 0.6 lc rgb '#dddddd'\nunset key\n%s",
             script.terminal ? "unset grid\n" : "");
    if (script.nlegend)
        put_legend(&script);
    put_x_axis(&script, x);
    if (plot->title) {
        text_put(&script.text, "set label 1000 ");
        put_quoted(&script.text, plot->title, 66);
        text_put(&script.text, " at screen 0.5, screen %.4f center\n",
                 1 - (script.top - script.legend_height) / 2 / script.height);
    }
    for (size_t i = 0; i < plot->npanel; i++) {
        if (i + script.across >= plot->npanel)
            put_x_name(&script, !strcmp(kind->suffix, ".svg"));
        else
            text_put(&script.text, "set format x ''\n");
        put_panel(&script, i);
    }
    text_put(&script.text, "unset multiplot\n");
    return text_take(&script.text);
}
