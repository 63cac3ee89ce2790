/* Messages for the user. See messages.h. */
#include "base/messages.h"

#include "base/array.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void messages_text(struct messages *messages, const char *text)
{
    size_t n = strlen(text);
    if (messages && messages->say) {
        messages->say(text, n);
    } else if (messages && array_reserve(&messages->text, messages->n + n + 1, &messages->max, 1, NULL)) {
        memcpy(messages->text + messages->n, text, n + 1);
        messages->n += n;
    }
}

void messages_add(struct messages *messages, const char *file, const char *format, ...)
{
    char line[1024], name[512] = "", text[sizeof line + sizeof name + 16];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (file)
        error_escape(file, strlen(file), name, sizeof name);
    snprintf(text, sizeof text, "sprung: %s%s%s\n", name, file ? ": " : "", line);
    messages_text(messages, text);
}

void messages_error(struct messages *messages, const char *file, const struct error *e)
{
    char text[4096] = "sprung: ";
    error_format(e, file, text + strlen(text), sizeof text - strlen(text));
    messages_text(messages, text);
}

void messages_move(struct messages *to, struct messages *from)
{
    if (from->n)
        messages_text(to, from->text);
    messages_free(from);
}

void messages_free(struct messages *messages)
{
    free(messages->text);
    memset(messages, 0, sizeof *messages);
}
