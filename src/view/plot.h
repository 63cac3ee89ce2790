/* Pictures of series: panels one below the other over a common axis, drawn by gnuplot into a file, or by dots
 * in the terminal. Invariant: names from the input reach gnuplot as quoted strings only, and file names do
 * not reach gnuplot. */
#ifndef SPRUNG_VIEW_PLOT_H
#define SPRUNG_VIEW_PLOT_H

#include "formats/format.h"

enum {
    PLOT_PANELS = 6, /* more panels do not look good */
    PLOT_COLORS = 8, /* colors that differ */
    PLOT_NAME = 256, /* bytes of a name; longer names are cut, and the picture shows even fewer characters */
    ENVELOPE_PARTS = 2000 /* see struct envelope */
};

/* A curve of any length in bounded memory. The rows are divided into parts of equally many rows, and each
 * part keeps its lowest and its highest point; up to ENVELOPE_PARTS rows each row is a part. Invariant: every
 * extreme of the series is a point of the envelope. All zeroes: no rows yet. */
struct envelope {
    struct envelope_part {
        double low_t, low;   /* time and value of the lowest point; low is NaN if no row has a number */
        double high_t, high; /* time and value of the highest point; high is NaN if no row has a number */
        bool gap;            /* a row of the part has no number */
    } part[ENVELOPE_PARTS];
    size_t npart;
    uint64_t nrow; /* rows in the envelope */
    uint64_t each; /* rows of a part; the last part may have fewer rows */
};

/* Appends a row; value is NaN at a gap. */
void envelope_add(struct envelope *envelope, double time, double value);

enum { PLOT_GREY, PLOT_BLUE }; /* colors of the series before and after; other colors follow */

struct plot_line {
    size_t panel;
    char name[PLOT_NAME];     /* the legend of the color, if the line is the first of its color */
    unsigned color;           /* PLOT_GREY, PLOT_BLUE or a following number */
    size_t column;            /* the column of numbers in a block, for the caller */
    struct envelope envelope; /* the points */
};

/* A picture. All zeroes: an empty picture. */
struct plot {
    char *panel[PLOT_PANELS]; /* [npanel]: names of the vertical axes, without units; owned */
    size_t npanel;
    struct plot_line **line; /* [nline]; owned */
    size_t nline;
    size_t maxline; /* lines that have room in line */
};

/* Checks that a picture can be drawn into the file: the suffix names a kind of picture, and gnuplot is
 * installed. "-" is the terminal, which needs no gnuplot. To be called before any work. */
bool plot_check(const char *file, struct error *e);

/* True if the name has the suffix of a picture. */
bool plot_draws(const char *file);

/* Adds a panel, where npanel is below PLOT_PANELS. title: the name of its axis; copied. False if out of
 * memory. */
bool plot_add_panel(struct plot *plot, const char *title, struct error *e);

/* Adds a line to a panel; name and color as in struct plot_line. The caller fills the envelope. NULL if out
 * of memory. */
struct plot_line *plot_add_line(struct plot *plot, size_t panel, const char *name, unsigned color,
                                struct error *e);

/* Draws the picture. A file appears whole or not at all. */
bool plot_draw(const struct plot *plot, const char *file, struct error *e);
void plot_free(struct plot *plot);

/* --- used in this folder only --- */

struct plot_kind {
    const char *suffix;   /* of the file name; "-": the terminal; the other members are not used then */
    const char *end;      /* a text in the last bytes of a whole file; NULL: the terminal */
    const char *terminal; /* gnuplot's name for the kind */
    const char *set;      /* gnuplot's settings of the kind */
    double scale;         /* gnuplot's pixels for a pixel of an SVG file */
};

/* plot_layout.c: what both ways to draw share. */

/* The legend: sets legend[0..n) to the first line of each color, and returns n; 0: no legend is needed, since
 * no lines share a panel. */
size_t plot_legend(const struct plot *plot, const struct plot_line *legend[PLOT_COLORS]);

/* Sets x to the least and the greatest time in the picture, which differ, and returns the origin: the time
 * that the axis counts from. */
double plot_times(const struct plot *plot, double x[2]);

/* Sets range to the least and the greatest number of the vertical axis of a panel, which differ. */
void plot_panel_range(const struct plot *plot, size_t panel, double range[2]);

/* The name of the horizontal axis. */
void plot_axis_name(double origin, char name[PLOT_NAME]);

/* A distance of tics, 1, 2 or 5 times a power of ten, so that there are at most `most` from low to high. */
double plot_tic_distance(double low, double high, double most);

/* The picture as text of `width` columns, in colors or without. malloc'ed; NULL if out of memory. */
char *plot_dots(const struct plot *plot, size_t width, bool colored);

/* The picture as a script for gnuplot that draws to its standard output. malloc'ed; NULL if out of memory. */
char *plot_script(const struct plot *plot, const struct plot_kind *kind);

#endif
