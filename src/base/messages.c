/* Messages for the user. See messages.h. */
#include "base/messages.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void messages_text(struct messages *messages, const char *text)
{
    if (messages && messages->say)
        messages->say(text, strlen(text));
    else if (messages)
        text_add(&messages->text, text, strlen(text));
}

void messages_add(struct messages *messages, const char *file, const char *format, ...)
{
    char line[1024], said[2 * sizeof line], name[512] = "", text[sizeof said + sizeof name + 16];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (file)
        error_escape(file, strlen(file), name, sizeof name);
    error_escape(line, strlen(line), said, sizeof said); /* it may have names of columns */
    snprintf(text, sizeof text, "sprung: %s%s%s\n", name, file ? ": " : "", said);
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
    if (from->text.n)
        messages_text(to, from->text.bytes);
    messages_free(from);
}

void messages_free(struct messages *messages)
{
    free(messages->text.bytes);
    memset(messages, 0, sizeof *messages);
}
