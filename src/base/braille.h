/* Pictures of dots as text: each character of Unicode's Braille patterns has 2 by 4 dots. */
#ifndef SPRUNG_BASE_BRAILLE_H
#define SPRUNG_BASE_BRAILLE_H

#include "base/text.h"

#include <stddef.h>

enum { BRAILLE_ACROSS = 2, BRAILLE_DOWN = 4 /* dots of a cell */, BRAILLE_CURVE = 40 };

/* A canvas of cells, row by row from the top. */
struct braille {
    unsigned char *cell; /* [width * height]: the dots of each cell as bits; not owned */
    size_t width, height;
};

/* Sets the dot x from the left, below 2 width, and y from the top, below 4 height. */
void braille_dot(struct braille *canvas, size_t x, size_t y);

/* Sets the dots of a straight line. checkered: every other dot only. */
void braille_line(struct braille *canvas, size_t x0, size_t y0, size_t x1, size_t y1, bool checkered);

/* Adds the character with these dots; a blank for no dots. */
void braille_put(struct text *text, unsigned char dots);

/* Adds a line of `width` cells, at most BRAILLE_CURVE, with the curve of x[n] from its least to its most
 * value: a dot for each number, or several of few numbers. NaN has no dot. */
void braille_curve(struct text *text, const double *x, size_t n, size_t width);

#endif
