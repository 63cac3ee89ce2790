/* Pictures of series: panels below and beside each other over a common axis, drawn by gnuplot into a file or
 * in the terminal. Invariant: names from the input reach gnuplot only as quoted strings, and no file name
 * reaches it. */
#ifndef SPRUNG_VIEW_PLOT_H
#define SPRUNG_VIEW_PLOT_H

#include "formats/format.h"

enum {
    PLOT_DOWN = 6,
    PLOT_ACROSS = 3,
    PLOT_PANELS = PLOT_DOWN * PLOT_ACROSS,
    PLOT_MARKS = 500,
    PLOT_NAME = 256, /* bytes of a name; longer ones are cut, in the picture even earlier */
    ENVELOPE_PARTS = 2000
};

/* A curve of any length in bounded memory: the lowest and the highest point of each stretch of equally many
 * rows; all points of up to ENVELOPE_PARTS rows. Invariant: every extreme of the series is one of its
 * envelope. All zeroes: no rows yet. */
struct envelope {
    struct envelope_part {
        double low_t, low, high_t, high; /* low and high are NaN if no row has a number */
        bool gap;                        /* a row has no number */
    } part[ENVELOPE_PARTS];
    size_t npart;
    uint64_t nrow, each; /* so far; in a part, but the last may have fewer */
};

/* Appends a row; y is NaN at a gap. */
void envelope_add(struct envelope *c, double t, double y);

enum { PLOT_GREY, PLOT_BLUE }; /* the first colors: before, after */

struct plot_line {
    size_t panel;
    char name[PLOT_NAME]; /* in the legend, where the first line of a color stands for all of it */
    unsigned color;       /* PLOT_GREY, PLOT_BLUE or a following one */
    size_t column;        /* of a series: the numbers of a block that it takes, */
    bool out;             /* from its out columns */
    struct envelope envelope;
};

/* All zeroes: empty. */
struct plot {
    const char *title; /* NULL: none */
    const char *x;     /* name of the horizontal axis, with its unit */
    const char *unit;  /* of the panels; NULL: none is named */
    bool log_x;
    char *panel[PLOT_PANELS]; /* names of their vertical axes, without units */
    size_t npanel;
    struct plot_line **line;
    size_t nline, maxline;
    size_t across;           /* panels side by side; 0 is 1. At most PLOT_DOWN below each other look good */
    double mark[PLOT_MARKS]; /* dotted lines across all panels: cuts */
    size_t nmark;
};

/* True if FILE can be drawn: its name tells the kind of picture, and gnuplot is installed. "-" is the
 * terminal. To be called before any work; option: "--plot". */
bool plot_check(const char *file, const char *option, struct error *e);

/* True if the picture is the same file as another one, which exists or will be written; false for "-". */
bool plot_is(const char *picture, const char *other);

/* Adds a line to a panel, or to a new one, npanel < PLOT_PANELS, with an axis that is named after title: "x",
 * "x (mm)", "x_vel (1/s)" or "x_acc (mm/s²)". The caller fills the envelope, or lets plot_series_row do so.
 * NULL if memory is out. */
struct plot_line *plot_add_line(struct plot *p, size_t panel, const char *title, const char *name,
                                unsigned color, struct error *e);

/* Marks a cut; those after PLOT_MARKS are dropped. */
void plot_mark(struct plot *p, double x);

/* Draws it. A file appears whole or not at all. */
bool plot_draw(const struct plot *p, const char *file, struct error *e);
void plot_free(struct plot *p);

/* A series whose rows are drawn by the last lines of a picture. */
struct plot_series {
    struct plot *plot;
    size_t line; /* the first of its lines */
    const struct columns *columns;
    double rate;           /* rows per second; 0: rows have times */
    uint64_t nrow;         /* so far */
    struct timestamp last; /* time of the row before */
};

/* Draws a row of a block: its numbers, and a mark if its cut column is not 0. */
void plot_series_row(struct plot_series *s, const struct block *b, size_t row);

/* plot_overlay.c: input against output of what is being filtered, from the blocks as they pass. Its memory
 * does not grow with the series. */
struct plot_overlay {
    struct plot plot;
    struct plot_series series;
    const struct reader *reader;
    size_t nleft; /* channels for which there is no room */
    struct plain cell;
    struct text group; /* of several groups the first one is drawn: its name */
    bool others;       /* there are other groups */
};

/* Adds a panel for each channel and, if there is room for all, for each derivative; marks cuts at these
 * seconds. rate: rows per second; 0: rows have times. *p is zeroed before;
 * plot_overlay_close follows in any case. */
bool plot_overlay_open(struct plot_overlay *p, const struct reader *r, const struct output_columns *l,
                       double rate, const double *cut, size_t ncut, struct error *e);

/* Adds the rows of a filtered block. */
bool plot_overlay_add(struct plot_overlay *p, const struct block *b, struct error *e);

/* Draws the picture; messages tell what is not in it. */
bool plot_overlay_draw(struct plot_overlay *p, const char *file, struct messages *messages, const char *name,
                       struct error *e);
void plot_overlay_close(struct plot_overlay *p);

/* --- used in this folder only --- */

struct plot_kind {
    const char *suffix, *end; /* of the name; of a whole file, in its last bytes; NULL: the terminal */
    const char *terminal, *unit, *set; /* gnuplot's terminal, the unit of its size, its settings */
    double scale;                      /* of pixels or characters */
};

/* The picture as a script for gnuplot that draws to its standard output. malloc'ed; NULL if memory is out. */
char *plot_script(const struct plot *p, const struct plot_kind *kind);

#endif
