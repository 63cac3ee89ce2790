/* Pictures of dots as text. See braille.h. */
#include "base/braille.h"

#include <math.h>

/* The bit of the dot in column x and row y of a cell, in the order of Unicode's table. */
static const unsigned char bits[BRAILLE_DOWN][BRAILLE_ACROSS] = {
    { 0x01, 0x08 }, { 0x02, 0x10 }, { 0x04, 0x20 }, { 0x40, 0x80 }
};

void braille_dot(struct braille *canvas, size_t x, size_t y)
{
    size_t cell = y / BRAILLE_DOWN * canvas->width + x / BRAILLE_ACROSS;
    canvas->cell[cell] |= bits[y % BRAILLE_DOWN][x % BRAILLE_ACROSS];
}

static size_t distance(size_t a, size_t b)
{
    return a < b ? b - a : a - b;
}

void braille_line(struct braille *canvas, size_t x0, size_t y0, size_t x1, size_t y1, bool checkered)
{
    size_t across = distance(x0, x1), down = distance(y0, y1), n = across > down ? across : down;
    for (size_t i = 0; i <= n; i++) {
        double part = n ? (double)i / (double)n : 0;
        size_t x = (size_t)round((double)x0 + part * ((double)x1 - (double)x0));
        size_t y = (size_t)round((double)y0 + part * ((double)y1 - (double)y0));
        if (!checkered || (x + y) % 2 == 0)
            braille_dot(canvas, x, y);
    }
}

void braille_put(struct text *text, unsigned char dots)
{
    /* U+2800 + dots in UTF-8 */
    const char character[] = { (char)0xE2, (char)(0xA0 | dots >> 6), (char)(0x80 | (dots & 0x3F)) };
    if (dots)
        text_add(text, character, sizeof character);
    else
        text_add(text, " ", 1);
}

void braille_curve(struct text *text, const double *x, size_t n, size_t width)
{
    const size_t across = width * BRAILLE_ACROSS, ndot = n > across ? n : across;
    unsigned char cells[BRAILLE_CURVE] = { 0 };
    struct braille canvas = { cells, width, 1 };
    double least = NAN, most = NAN;
    for (size_t i = 0; i < n; i++) {
        least = fmin(least, x[i]);
        most = fmax(most, x[i]);
    }
    for (size_t i = 0; i < ndot; i++) {
        const double at = x[i * n / ndot];
        const double down = most > least ? (most - at) / (most - least) : 0.5;
        if (!isnan(at))
            braille_dot(&canvas, i * across / ndot, (size_t)round((BRAILLE_DOWN - 1) * down));
    }
    for (size_t i = 0; i < width; i++)
        braille_put(text, cells[i]);
}
