/* Colors and weights of text on a terminal. */
#ifndef SPRUNG_BASE_STYLE_H
#define SPRUNG_BASE_STYLE_H

#include <stdbool.h>

enum style { STYLE_PLAIN, STYLE_NAME, STYLE_ERROR, STYLE_WARNING, STYLE_HINT, STYLE_FAINT };
enum style_when { STYLE_AUTO, STYLE_ALWAYS, STYLE_NEVER }; /* in the order of the choices of --color */

/* Sets when styles are used; until then: never. STYLE_AUTO: where the descriptor is a terminal, the variable
 * NO_COLOR is not set to a text, and TERM is not dumb. */
void style_choose(int when);

/* Are styles used on the descriptor fd? */
bool style_is_on(int fd);

/* The text that begins a style, or with STYLE_PLAIN ends it; "" where styles are not used. */
const char *style_text(int fd, enum style style);

#endif
