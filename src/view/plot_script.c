/* A picture as a script for gnuplot. See plot.h. The colors are the palette of Okabe and Ito, distinct for
 * any kind of color vision. The series before filtering is grey and thinner. Sizes suit a phone as well as a
 * large screen. */
#include "view/plot.h"

#include "base/utf8.h"
#include <math.h>
#include <stdio.h>

enum { MAXLEGEND = 24, MAXPANEL = 34 }; /* most characters of a name in the legend, and of a panel's */
static const char *const colors[PLOT_COLORS] = { "#999999", "#0072B2", "#D55E00", "#009E73",
                                                 "#CC79A7", "#E69F00", "#56B4E9", "#000000" };

/* The script that is written, and the layout of the page. Lengths are in pixels of an SVG file. */
struct script {
    struct text text;
    const struct plot *plot;
    const struct plot_line *legend[PLOT_COLORS]; /* [nlegend]: the first line of each color */
    size_t nlegend;                              /* entries of the legend; 0: no legend is needed */
    size_t legend_across;                        /* entries side by side */
    double legend_height; /* of the strip above the panels; 0: the legend is next to the first panel's name */
    double width, height; /* of the page */
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
    error_escape(string, strlen(string), shown, sizeof shown - 1);
    utf8_cut(shown, most);
    text_add(text, "'", 1);
    for (size_t i = 0; shown[i]; i++) {
        if (shown[i] == '\'')
            text_put(text, "\xE2\x80\x99");
        else if (shown[i] == '>' && i >= 2 && shown[i - 1] == ']' && shown[i - 2] == ']')
            text_put(text, "\xEF\xBF\xBD");
        else
            text_add(text, &shown[i], 1);
    }
    text_add(text, "'", 1);
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
    script->nlegend = plot_legend(plot, script->legend);
    for (size_t i = 0; i < script->nlegend; i++) {
        size_t n = utf8_count(script->legend[i]->name, strlen(script->legend[i]->name));
        longest = n > longest ? n : longest;
    }
    double letter = 9, column = letter * fmin((double)longest, MAXLEGEND) + 5 * letter;
    script->legend_across = (size_t)fmax(1, floor((script->width - script->right) / column));
    size_t rows = (script->nlegend + script->legend_across - 1) / script->legend_across;
    bool beside = script->nlegend <= 3 &&
                  letter * (double)first + column * (double)script->nlegend < script->width - script->right;
    if (script->nlegend && !beside)
        script->legend_height = 10 + 20 * (double)rows;
}

/* A script without text whose page is laid out. */
static struct script lay_out_page(const struct plot *plot)
{
    const bool several = plot->npanel > 1;
    struct script script = {
        .plot = plot,
        .width = 640,
        .left = 84,
        .right = 24,
        .strip = 30,
        .top = 8,
        .bottom = 64,
        .panel = several ? 170 : 300,
    };
    lay_out_legend(&script);
    script.top += script.legend_height;
    script.height = script.top + (double)plot->npanel * (script.strip + script.panel) + script.bottom;
    return script;
}

static void put_x_axis(struct script *script, const double x[2])
{
    double low = x[0] - script->origin, high = x[1] - script->origin;
    text_put(&script->text, "set xtics %.9g\nset xrange [%.12g:%.12g]\n", plot_tic_distance(low, high, 8),
             low, high);
    text_put(&script->text,
             "set xtics out nomirror scale 0.6\nset ytics out nomirror scale 0.6 format '%%g'\n");
}

static void put_x_name(struct script *script, bool svg)
{
    char name[PLOT_NAME];
    plot_axis_name(script->origin, name);
    text_put(&script->text, "set format x '%%.10g'\nset xlabel ");
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
    unsigned color = line->color % PLOT_COLORS;
    text_put(text, " with lines lw %s lc rgb '%s'", color ? "2" : "1.6", colors[color]);
}

/* Writes the legend, as a plot without lines. */
static void put_legend(struct script *script)
{
    double top = script->top - script->legend_height,
           bottom = script->legend_height > 0 ? script->top : script->top + script->strip;
    put_edges(&script->text, 0.02, 0.98, top / script->height, bottom / script->height);
    text_put(&script->text, "unset border\nunset xtics\nunset ytics\nset xrange [0:1]\nset yrange [0:1]\n");
    text_put(
        &script->text,
        "set key horizontal right at screen %.4f, screen %.4f Left reverse samplen 1.6 spacing 1 width 1 "
        "maxcols %zu\n"
        "plot ",
        1 - script->right / script->width, 1 - (top + 9) / script->height, script->legend_across);
    for (size_t k = 0; k < script->nlegend; k++) {
        text_put(&script->text, k ? ", -1" : "-1");
        put_style(&script->text, script->legend[k]);
        text_put(&script->text, " title ");
        put_quoted(&script->text, script->legend[k]->name, MAXLEGEND);
    }
    text_put(&script->text, "\nset border 3\nunset key\n");
}

/* Writes the vertical axis of panel i and its name. */
static void put_y_axis(struct script *script, size_t i)
{
    double range[2];
    plot_panel_range(script->plot, i, range);
    text_put(&script->text, "set yrange [%.9g:%.9g]\nset ytics %.9g\n", range[0], range[1],
             plot_tic_distance(range[0], range[1], script->plot->npanel > 1 ? 5 : 8));
    text_put(&script->text, "unset label 1\nset label 1 ");
    put_quoted(&script->text, script->plot->panel[i], MAXPANEL);
}

static void put_panel(struct script *script, size_t i)
{
    double top = script->top + (double)i * (script->strip + script->panel) + script->strip;
    double space = script->plot->npanel > 1 ? script->strip / 2 : 0;
    double middle = 1 - (top - script->strip / 2) / script->height;
    put_edges(&script->text, script->left / script->width, 1 - script->right / script->width,
              top / script->height, (top + script->panel - space) / script->height);
    put_y_axis(script, i);
    text_put(&script->text, " at screen 0.015, screen %.4f left\n", middle);
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
    struct script script = lay_out_page(plot);
    double x[2];
    script.origin = plot_times(plot, x);
    for (size_t i = 0; i < plot->nline; i++)
        put_data(&script.text, &plot->line[i]->envelope, i, script.origin);
    text_put(&script.text, "set encoding utf8\nset terminal %s noenhanced size %.6g,%.6g%s\n", kind->terminal,
             script.width * kind->scale, script.height * kind->scale, kind->set);
    text_put(&script.text,
             "set multiplot\nset border 3 lc rgb '#666666'\nset grid lw 0.6 lc rgb '#dddddd'\nunset key\n");
    if (script.nlegend)
        put_legend(&script);
    put_x_axis(&script, x);
    for (size_t i = 0; i < plot->npanel; i++) {
        if (i + 1 == plot->npanel)
            put_x_name(&script, !strcmp(kind->suffix, ".svg"));
        else
            text_put(&script.text, "set format x ''\n");
        put_panel(&script, i);
    }
    text_put(&script.text, "unset multiplot\n");
    return text_take(&script.text);
}
