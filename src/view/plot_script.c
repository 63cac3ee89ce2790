/* A picture as a script for gnuplot. See plot.h. The colors are the palette of Okabe and Ito, distinct for
 * any kind of color vision. The series before filtering is grey and thinner. Sizes suit a phone as well as a
 * large screen. */
#include "view/plot.h"

#include "base/utf8.h"

enum { MAXNAME = 34 /* most characters of a name */ };
static const char *const colors[PLOT_COLORS] = { "#999999", "#0072B2", "#D55E00", "#009E73",
                                                 "#CC79A7", "#E69F00", "#56B4E9", "#000000" };

/* Lengths in pixels of an SVG file. */
enum {
    WIDTH = 640,
    LEFT = 84, /* margins */
    RIGHT = 24,
    TOP = 8,
    BOTTOM = 64,
    ENTRY = 20, /* a name in the legend, which is above the panels */
    STRIP = 36, /* above a panel, with its name */
    HIGH = 300, /* a panel that is alone */
    LOW = 150   /* one of several panels */
};

/* Writes a string for gnuplot, cut in the middle to MAXNAME characters. Within single quotes only the single
 * quote is special. A single quote becomes a typographic quote, since gnuplot misreads a doubled quote at the
 * start of a string. The last byte of "]]>", which gnuplot leaves in SVG, where XML does not allow it,
 * becomes U+FFFD. */
static void put_quoted(struct text *text, const char *string)
{
    char shown[512];
    error_escape(string, strlen(string), shown, sizeof shown - 1);
    utf8_cut(shown, MAXNAME);
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

static void put_style(struct text *text, const struct plot_line *line)
{
    unsigned color = line->color % PLOT_COLORS;
    text_put(text, " with lines lw %s lc rgb '%s'", color ? "2" : "1.6", colors[color]);
}

/* Writes the lines of panel i, and with the first panel the legend, as lines without points. */
static void put_lines(struct text *text, const struct plot *plot, size_t i)
{
    const struct plot_line *legend[PLOT_COLORS];
    const size_t nlegend = i == 0 ? plot_legend(plot, legend) : 0;
    const char *comma = "plot ";
    for (size_t k = 0; k < plot->nline; k++)
        if (plot->line[k]->panel == i) {
            text_put(text, "%s$d%zu using 1:2", comma, k);
            put_style(text, plot->line[k]);
            text_put(text, " notitle");
            comma = ", ";
        }
    for (size_t k = 0; k < nlegend; k++) {
        text_put(text, ", NaN");
        put_style(text, legend[k]);
        text_put(text, " title ");
        put_quoted(text, legend[k]->name);
    }
    text_put(text, "\n");
}

static void put_panel(struct text *text, const struct plot *plot, size_t i)
{
    double range[2];
    plot_panel_range(plot, i, range);
    text_put(text, "set yrange [%.9g:%.9g]\nset ytics %.9g\nunset label 1\nset label 1 ", range[0], range[1],
             plot_tic_distance(range[0], range[1], plot->npanel > 1 ? 5 : 8));
    put_quoted(text, plot->panel[i]);
    text_put(text, " at screen 0.015, graph 1 left offset 0,0.8\n");
    put_lines(text, plot, i);
}

static void put_x_name(struct text *text, double origin)
{
    char name[PLOT_NAME];
    plot_axis_name(origin, name);
    text_put(text, "set format x '%%.10g'\nset xlabel ");
    put_quoted(text, name);
    text_put(text, " offset 0,0.7\n");
}

/* Writes what all panels share: the page, its panels, the place of the legend, the horizontal axis. */
static void put_page(struct text *text, const struct plot *plot, const struct plot_kind *kind,
                     const double x[2])
{
    const struct plot_line *legend[PLOT_COLORS];
    const double top = TOP + ENTRY * (double)plot_legend(plot, legend);
    const double height = top + (double)plot->npanel * (STRIP + (plot->npanel > 1 ? LOW : HIGH)) + BOTTOM;
    text_put(text, "set encoding utf8\nset terminal %s noenhanced size %.6g,%.6g%s\n", kind->terminal,
             WIDTH * kind->scale, height * kind->scale, kind->set);
    text_put(text, "set multiplot layout %zu,1 margins %.4f,%.4f,%.4f,%.4f spacing 0,%.4f\n", plot->npanel,
             (double)LEFT / WIDTH, 1 - (double)RIGHT / WIDTH, BOTTOM / height, 1 - (top + STRIP) / height,
             STRIP / height);
    text_put(text, "set border 3 lc rgb '#666666'\nset grid lw 0.6 lc rgb '#dddddd'\n");
    text_put(text,
             "set key at screen %.4f, screen %.4f left top vertical maxcols 1 Left reverse samplen 1.6\n",
             (double)LEFT / WIDTH, 1 - TOP / height);
    text_put(text, "set xtics %.9g\nset xrange [%.12g:%.12g]\n", plot_tic_distance(x[0], x[1], 8), x[0],
             x[1]);
    text_put(text, "set xtics out nomirror scale 0.6\nset ytics out nomirror scale 0.6 format '%%g'\n");
    text_put(text, "set format x ''\n");
}

char *plot_script(const struct plot *plot, const struct plot_kind *kind)
{
    struct text text = { 0 };
    double x[2];
    const double origin = plot_times(plot, x);
    for (size_t i = 0; i < plot->nline; i++)
        put_data(&text, &plot->line[i]->envelope, i, origin);
    put_page(&text, plot, kind, (const double[]){ x[0] - origin, x[1] - origin });
    for (size_t i = 0; i < plot->npanel; i++) {
        if (i + 1 == plot->npanel)
            put_x_name(&text, origin);
        put_panel(&text, plot, i);
        text_put(&text, "unset key\n");
    }
    text_put(&text, "unset multiplot\n");
    return text_take(&text);
}
