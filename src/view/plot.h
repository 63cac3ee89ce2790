/* Pictures of series: panels below and beside each other over a common axis, drawn by gnuplot into a file or
 * in the terminal. Invariant: names from the input reach gnuplot only as quoted strings, and no file name
 * reaches it. */
#ifndef SPRUNG_VIEW_PLOT_H
#define SPRUNG_VIEW_PLOT_H

#include "rows/block.h"
#include "rows/columns.h"

enum {
    PLOT_DOWN = 6,
    PLOT_ACROSS = 3,
    PLOT_PANELS = PLOT_DOWN * PLOT_ACROSS,
    PLOT_LINES = 12,
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
    uint64_t each, last; /* rows in a part, and in the last one so far; 0 before the first row */
};

/* Appends a row; y is NaN at a gap. */
void envelope_add(struct envelope *c, double t, double y);

enum { PLOT_GREY, PLOT_BLUE }; /* the first colors: before, after */

struct plot_line {
    char name[PLOT_NAME]; /* in the legend */
    unsigned color;       /* PLOT_GREY, PLOT_BLUE or a following one */
    struct envelope envelope;
};

struct plot_panel {
    char *name; /* of the vertical axis, without its unit */
    struct plot_line *line[PLOT_LINES];
    size_t nline;
};

/* All zeroes: empty. */
struct plot {
    const char *title; /* NULL: none */
    const char *x;     /* name of the horizontal axis, with its unit */
    const char *unit;  /* of the panels; NULL: none is named */
    bool log_x;
    struct plot_panel panel[PLOT_PANELS];
    size_t npanel;
    size_t across;           /* panels side by side; 0 is 1. At most PLOT_DOWN below each other look good */
    double mark[PLOT_MARKS]; /* dotted lines across all panels: cuts */
    size_t nmark;
};

/* True if FILE can be drawn: its name tells the kind of picture, and gnuplot is installed. "-" is the
 * terminal. To be called before any work; option: "--plot". */
bool plot_check(const char *file, const char *option, struct error *e);

/* True if the picture is the same file as another one, which exists or will be written; false for "-". */
bool plot_is(const char *picture, const char *other);

/* Adds a panel; npanel < PLOT_PANELS. Its axis is named "x", "x (mm)", "x_vel (1/s)" or "x_acc (mm/s²)". NULL
 * if memory is out. */
struct plot_panel *plot_add_panel(struct plot *p, const char *name, struct error *e);

/* Adds a line to a panel; the caller fills its envelope. NULL if memory is out, also for the panel, or the
 * panel has PLOT_LINES lines. */
struct envelope *plot_add_line(struct plot_panel *panel, const char *name, unsigned color, struct error *e);

/* Marks a cut; those after PLOT_MARKS are dropped. */
void plot_mark(struct plot *p, double x);

/* Draws it. A file appears whole or not at all. */
bool plot_draw(const struct plot *p, const char *file, struct error *e);
void plot_free(struct plot *p);

/* Where the rows of a series are drawn. */
struct plot_series {
    struct plot *plot;
    const struct columns *columns;
    double rate;                 /* rows per second; 0: rows have times */
    uint64_t nrow;               /* so far */
    struct timestamp last;       /* time of the row before */
    struct envelope **in, **out; /* [nchannel] and [nout]: takes the column's numbers; NULL: not drawn */
    size_t nout;
};

/* Starts a series of a picture. The caller adds the lines, and frees in, which frees out, too. */
bool plot_series_open(struct plot_series *s, struct plot *plot, const struct columns *columns, size_t nout,
                      double rate, struct error *e);

/* Draws a row of a block: its numbers, and a mark if its cut column is not 0. */
void plot_series_row(struct plot_series *s, const struct block *b, size_t row);

/* --- used in this folder only --- */

/* True if gnuplot is found by PATH; otherwise the error tells how to install it. */
bool gnuplot_find(struct error *e);

/* Writes to out what the script draws to standard output. end: what a whole picture has in its last bytes,
 * for gnuplot does not report a full disk; NULL: any bytes. */
bool gnuplot_run(const char *script, const char *end, int out, struct error *e);

struct plot_kind {
    const char *suffix, *end; /* of the name; of a whole file, in its last bytes; NULL: the terminal */
    const char *terminal, *unit, *set; /* gnuplot's terminal, the unit of its size, its settings */
    double scale;                      /* of pixels or characters */
    int decimals;                      /* of the size */
};

/* The picture as a script for gnuplot that draws to its standard output. malloc'ed; NULL if memory is out. */
char *plot_script(const struct plot *p, const struct plot_kind *kind);

#endif
