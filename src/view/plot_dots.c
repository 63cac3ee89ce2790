/* A picture in the terminal, by dots of Braille patterns. See plot.h. Panels are one below the other. Each
 * color has its own canvas: with colors a cell shows the line that was added last, without colors the
 * dots of all lines, where the line before filtering is checkered. */
#include "view/plot.h"

#include "base/braille.h"
#include "base/utf8.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    LABEL = 10,           /* columns of the numbers left of the axis */
    LAYERS = PLOT_COLORS, /* canvases: the lines of each color */
    HIGH = 16,            /* rows of a panel that is alone */
    LOW = 8,              /* rows of one of several panels */
    MOSTNAME = 34         /* characters of the name of a panel or a file */
};

static const char *const codes[PLOT_COLORS] = { "\033[90m", "\033[36m", "\033[33m", "\033[32m",
                                                "\033[35m", "\033[93m", "\033[94m", "\033[31m" };

struct drawing {
    struct text text;
    const struct plot *plot;
    bool colored;
    size_t width, height; /* cells of a panel, without labels */
    double x[2], origin;  /* plot_times */
    double y[2];          /* of the present panel */
    unsigned char *dots;  /* [LAYERS * width * height]: the canvases of the present panel */
};

/* Adds a name, escaped and cut in the middle to MOSTNAME characters. Returns the number of characters. */
static size_t put_name(struct text *text, const char *name)
{
    char shown[2 * PLOT_NAME];
    error_escape(name, strlen(name), shown, sizeof shown - 1);
    size_t count = utf8_cut(shown, MOSTNAME);
    text_put(text, "%s", shown);
    return count;
}

static struct braille canvas_of(const struct drawing *drawing, size_t layer)
{
    size_t cells = drawing->width * drawing->height;
    return (struct braille){ drawing->dots + layer * cells, drawing->width, drawing->height };
}

/* The dot of a number between range[0] and range[1], of n dots. */
static size_t dot_of(double number, const double range[2], size_t n)
{
    double part = (number - range[0]) / (range[1] - range[0]);
    return (size_t)round(fmin(fmax(part, 0), 1) * (double)(n - 1));
}

static size_t dot_x(const struct drawing *drawing, double time)
{
    return dot_of(time, drawing->x, drawing->width * BRAILLE_ACROSS);
}

static size_t dot_y(const struct drawing *drawing, double value)
{
    size_t n = drawing->height * BRAILLE_DOWN;
    return n - 1 - dot_of(value, drawing->y, n);
}

static void draw_line(struct drawing *drawing, const struct plot_line *line, bool checkered)
{
    struct braille canvas = canvas_of(drawing, line->color % PLOT_COLORS);
    const struct envelope *envelope = &line->envelope;
    size_t x = 0, y = 0;
    bool joined = false; /* the line continues from x, y */
    for (size_t i = 0; i < envelope->npart; i++) {
        const struct envelope_part *part = &envelope->part[i];
        bool high_first = part->low_t > part->high_t;
        for (int k = 0; k < 2 && !isnan(part->low); k++) {
            bool high = (k == 0) == high_first;
            size_t to_x = dot_x(drawing, high ? part->high_t : part->low_t);
            size_t to_y = dot_y(drawing, high ? part->high : part->low);
            if (joined)
                braille_line(&canvas, x, y, to_x, to_y, checkered);
            else
                braille_dot(&canvas, to_x, to_y);
            x = to_x;
            y = to_y;
            joined = true;
        }
        joined = joined && !part->gap;
    }
}

/* Writes the cells of a row of the panel. */
static void put_cells(struct drawing *drawing, size_t row)
{
    const char *now = "";
    for (size_t i = row * drawing->width; i < (row + 1) * drawing->width; i++) {
        unsigned char dots = 0;
        const char *code = "";
        for (size_t layer = 0; layer < LAYERS; layer++) {
            unsigned char own = canvas_of(drawing, layer).cell[i];
            dots = own && drawing->colored ? own : dots | own;
            code = own && drawing->colored ? codes[layer] : code;
        }
        if (dots && strcmp(code, now) != 0) {
            text_put(&drawing->text, "%s%s", now[0] ? "\033[0m" : "", code);
            now = code;
        }
        braille_put(&drawing->text, dots);
    }
    text_put(&drawing->text, "%s\n", now[0] ? "\033[0m" : "");
}

/* Writes the rows of the panel with the numbers of its axis. */
static void put_rows(struct drawing *drawing)
{
    double step = plot_tic_distance(drawing->y[0], drawing->y[1], (double)drawing->height / 2.5);
    for (size_t row = 0; row < drawing->height; row++) {
        char label[32] = "";
        for (double k = ceil(drawing->y[0] / step); k * step <= drawing->y[1]; k++)
            if (dot_y(drawing, k * step) / BRAILLE_DOWN == row)
                snprintf(label, sizeof label, "%.6g", k * step + 0.0); /* not -0 */
        text_put(&drawing->text, "%*s %s", LABEL - 2, label, label[0] ? "┤" : "│");
        put_cells(drawing, row);
    }
}

/* Writes the horizontal axis, and the numbers of those tics where there is room. */
static void put_x_axis(struct drawing *drawing)
{
    char name[PLOT_NAME];
    struct text numbers = { 0 };
    size_t used = 0, at = 0; /* columns */
    double low = drawing->x[0] - drawing->origin, high = drawing->x[1] - drawing->origin;
    double step = plot_tic_distance(low, high, (double)drawing->width / 10);
    text_put(&drawing->text, "%*s└", LABEL - 1, "");
    for (double k = ceil(low / step); k * step <= high; k++) {
        char label[32];
        double tic = k * step + 0.0; /* not -0 */
        size_t cell = dot_x(drawing, tic + drawing->origin) / BRAILLE_ACROSS;
        size_t n = (size_t)snprintf(label, sizeof label, "%.10g", tic), half = n / 2;
        size_t most = LABEL + drawing->width - n, begin = LABEL + cell - half;
        begin = begin < most ? begin : most;
        for (; at < cell; at++)
            text_put(&drawing->text, "─");
        text_put(&drawing->text, "┬");
        at = cell + 1;
        if (used && begin < used + 2)
            continue;
        text_put(&numbers, "%*s%s", (int)(begin - used), "", label);
        used = begin + n;
    }
    for (; at < drawing->width; at++)
        text_put(&drawing->text, "─");
    plot_axis_name(drawing->origin, name);
    size_t n = utf8_count(name, strlen(name));
    size_t indent = n < drawing->width ? LABEL + (drawing->width - n) / 2 : 0;
    char *line = text_take(&numbers);
    text_put(&drawing->text, "\n%s\n%*s%s\n", line ? line : "", (int)indent, "", name);
    drawing->text.failed |= !line;
    free(line);
}

/* Writes the entries of the legend after what the line has already, or in separate lines. */
static void put_legend(struct drawing *drawing, size_t column)
{
    const struct plot_line *legend[PLOT_COLORS];
    size_t n = plot_legend(drawing->plot, legend);
    for (size_t i = 0; i < n; i++) {
        unsigned color = legend[i]->color % PLOT_COLORS;
        size_t length = utf8_count(legend[i]->name, strlen(legend[i]->name));
        length = 5 + (length < MOSTNAME ? length : MOSTNAME);
        if (column + length > LABEL + drawing->width && column > 0) {
            text_put(&drawing->text, "\n");
            column = 0;
        }
        const char *sample = !drawing->colored && color == PLOT_GREY ? "⠊⠔" : "⠒⠒";
        text_put(&drawing->text, "%s", column ? "  " : "");
        if (drawing->colored)
            text_put(&drawing->text, "%s%s\033[0m ", codes[color], sample);
        else
            text_put(&drawing->text, "%s ", sample);
        put_name(&drawing->text, legend[i]->name);
        column += length;
    }
}

static void put_panel(struct drawing *drawing, size_t panel)
{
    const struct plot *plot = drawing->plot;
    plot_panel_range(plot, panel, drawing->y);
    memset(drawing->dots, 0, LAYERS * drawing->width * drawing->height);
    size_t nline = 0;
    for (size_t i = 0; i < plot->nline; i++)
        nline += plot->line[i]->panel == panel;
    for (size_t i = 0; i < plot->nline; i++)
        if (plot->line[i]->panel == panel)
            draw_line(drawing, plot->line[i],
                      nline > 1 && !drawing->colored && plot->line[i]->color % PLOT_COLORS == PLOT_GREY);
    size_t column = put_name(&drawing->text, plot->panel[panel]);
    if (panel == 0)
        put_legend(drawing, column);
    text_put(&drawing->text, "\n");
    put_rows(drawing);
}

char *plot_dots(const struct plot *plot, size_t width, bool colored)
{
    struct drawing drawing = { .plot = plot, .colored = colored, .width = width - LABEL };
    drawing.height = plot->npanel > 1 ? LOW : HIGH;
    drawing.origin = plot_times(plot, drawing.x);
    drawing.dots = malloc(LAYERS * drawing.width * drawing.height);
    if (!drawing.dots)
        return NULL;
    for (size_t i = 0; i < plot->npanel; i++)
        put_panel(&drawing, i);
    put_x_axis(&drawing);
    free(drawing.dots);
    return text_take(&drawing.text);
}
