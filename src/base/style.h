/* Colors and weights of text on a terminal. */
#ifndef SPRUNG_BASE_STYLE_H
#define SPRUNG_BASE_STYLE_H

#include <stdbool.h>

enum style { STYLE_PLAIN, STYLE_NAME, STYLE_ERROR, STYLE_WARNING, STYLE_HINT };

/* Are styles used on the descriptor fd: is it a terminal that is not dumb by TERM, without NO_COLOR? */
bool style_is_on(int fd);

/* The text that begins a style, or with STYLE_PLAIN ends it; "" where styles are not used. */
const char *style_text(int fd, enum style style);

#endif
