/* Words for the user that are no errors. See notes.h. */
#include "base/messages.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Passes n bytes on, or keeps them. */
static void keep(struct notes *notes, const char *text, size_t n)
{
    if (notes->say) {
        notes->say(text, n);
        return;
    }
    if (notes->max - notes->n < n) {
        char *grown = realloc(notes->text, 2 * (notes->n + n));
        if (!grown)
            return;
        notes->text = grown;
        notes->max = 2 * (notes->n + n);
    }
    memcpy(notes->text + notes->n, text, n);
    notes->n += n;
}

void notes_add(struct notes *notes, const char *file, const char *format, ...)
{
    char line[1024], name[512] = "", text[sizeof line + sizeof name + 16];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (file)
        error_escape(file, strlen(file), name, sizeof name);
    snprintf(text, sizeof text, "sprung: %s%s%s\n", name, file ? ": " : "", line);
    keep(notes, text, strlen(text));
}

void notes_error(struct notes *notes, const char *file, const struct error *e)
{
    char text[4096] = "sprung: ";
    error_format(e, file, text + strlen(text), sizeof text - strlen(text));
    keep(notes, text, strlen(text));
}

void notes_text(struct notes *notes, const char *text)
{
    keep(notes, text, strlen(text));
}

void notes_move(struct notes *to, struct notes *from)
{
    if (from->n)
        keep(to, from->text, from->n);
    notes_free(from);
}

void notes_free(struct notes *notes)
{
    free(notes->text);
    memset(notes, 0, sizeof *notes);
}
