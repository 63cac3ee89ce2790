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

void messages_escape(struct text *text, const char *bytes, size_t n)
{
    size_t room = 4 * n + 1; /* a control byte becomes \xHH */
    char *escaped = malloc(room);
    text->failed = text->failed || !escaped;
    if (escaped)
        text_add(text, escaped, error_escape(bytes, n, escaped, room));
    free(escaped);
}

void messages_escape_lines(struct text *text, const char *bytes, size_t n)
{
    const char *end = n > 0 ? bytes + n : bytes;
    for (const char *line = bytes; line < end;) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        size_t length = (size_t)((newline ? newline : end) - line);
        messages_escape(text, line, length);
        text_add(text, "\n", newline != NULL);
        line += length + 1;
    }
}

void messages_add(struct messages *messages, const char *file, const char *format, ...)
{
    struct text line = { 0 };
    va_list args;
    va_start(args, format);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *message = n < 0 ? NULL : malloc((size_t)n + 1);
    if (!message)
        return;
    va_start(args, format);
    vsnprintf(message, (size_t)n + 1, format, args);
    va_end(args);
    text_put(&line, "sprung: ");
    if (file)
        messages_escape(&line, file, strlen(file));
    text_put(&line, "%s", file ? ": " : "");
    messages_escape(&line, message, (size_t)n); /* names of columns may hold control bytes */
    text_put(&line, "\n");
    free(message);
    char *text = text_take(&line);
    if (text)
        messages_text(messages, text);
    free(text);
}

void messages_error(struct messages *messages, const char *file, const struct error *e)
{
    static const char start[] = "sprung: ";
    char small[4096]; /* enough for the error "out of memory" */
    size_t room = sizeof start + 4 * ((file ? strlen(file) : 0) + sizeof *e) + 64;
    char *large = malloc(room);
    char *text = large ? large : small;
    room = large ? room : sizeof small;
    strcpy(text, start);
    error_format(e, file, text + strlen(text), room - strlen(text));
    messages_text(messages, text);
    free(large);
}

void messages_move(struct messages *to, struct messages *from)
{
    struct error e;
    if (from->text.n)
        messages_text(to, from->text.bytes);
    if (from->text.failed) {
        error_memory(&e);
        messages_error(to, NULL, &e);
    }
    messages_free(from);
}

void messages_free(struct messages *messages)
{
    free(messages->text.bytes);
    memset(messages, 0, sizeof *messages);
}
