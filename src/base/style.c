/* Colors and weights of text on a terminal. See style.h. */
#include "base/style.h"

#include "base/port.h"
#include <stdlib.h>
#include <string.h>

static const char *const codes[] = {
    [STYLE_PLAIN] = "\033[0m",    [STYLE_NAME] = "\033[1m",  [STYLE_ERROR] = "\033[1;31m",
    [STYLE_WARNING] = "\033[33m", [STYLE_HINT] = "\033[36m",
};

bool style_is_on(int fd)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    return port_is_terminal(fd) && !(no_color && no_color[0]) && !(term && strcmp(term, "dumb") == 0);
}

const char *style_text(int fd, enum style style)
{
    return style_is_on(fd) ? codes[style] : "";
}
