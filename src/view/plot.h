/* Pictures of series: panels below and beside each other over a common axis, drawn by gnuplot into a file or
 * in the terminal. Invariant: names from the input reach gnuplot as quoted strings only, and no name of a
 * file does. */
#ifndef SPRUNG_PLOT_H
#define SPRUNG_PLOT_H

#include "view/envelope.h"
#include "base/error.h"

enum {
    PLOT_DOWN = 6,
    PLOT_ACROSS = 3,
    PLOT_PANELS = PLOT_DOWN * PLOT_ACROSS,
    PLOT_LINES = 12,
    PLOT_MARKS = 500
};

struct plot_line {
    char *name;     /* owned; in the legend */
    unsigned color; /* 0 is grey, what was before; then others */
    struct envelope curve;
};

struct plot_panel {
    char *name; /* owned; of the vertical axis, with its unit */
    struct plot_line *line[PLOT_LINES];
    size_t nline;
};

struct plot {
    const char *title; /* NULL: none */
    const char *x;     /* name of the horizontal axis, with its unit */
    bool log_x;
    struct plot_panel *panel[PLOT_PANELS];
    size_t npanel;
    size_t across; /* panels side by side; 0 is 1. Not more than PLOT_DOWN below each other look well */
    double mark[PLOT_MARKS]; /* dotted lines across all panels: cuts */
    size_t nmark;
};

/* Can FILE be drawn: does its name say how, and is gnuplot there? "-" is the terminal. For use before the
 * work begins; option: "--plot". */
bool plot_check(const char *file, const char *option, struct error *e);

/* Is the picture the same file as another one, which exists or is to be written? "-" never is. */
bool plot_is(const char *picture, const char *other);

/* A new panel; false when memory is out or there are PLOT_PANELS already. */
bool plot_add_panel(struct plot *p, const char *name, struct error *e);

/* A new line in the panel; its curve is filled by the caller. NULL when memory is out, or there are
 * PLOT_LINES. */
struct envelope *plot_add_line(struct plot_panel *panel, const char *name, unsigned color, struct error *e);

/* Marks a cut; those past PLOT_MARKS are dropped. */
void plot_mark(struct plot *p, double x);

/* The name of an axis: "x", "x_vel (1/s)", "x_acc (mm/s²)". unit: of the value itself, or NULL. buf is
 * returned. */
char *plot_axis(const char *name, const char *unit, char *buf, size_t maxbuf);

/* Draws it. A file appears whole or not at all. */
bool plot_draw(const struct plot *p, const char *file, struct error *e);
void plot_free(struct plot *p);

/* --- between the files of this module --- */

enum plot_kind { PLOT_SVG, PLOT_PNG, PLOT_PDF, PLOT_TERMINAL };

/* The picture for gnuplot, which draws to its standard output. malloc'ed; NULL: memory is out. */
char *plot_script(const struct plot *p, enum plot_kind kind);

#endif
