/* Messages for the user. See messages.h. */
#include "base/messages.h"

#include "base/port.h"
#include "base/style.h"
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
    const char *plain = style_text(PORT_STDERR, STYLE_PLAIN);
    text_put(&line, "sprung: ");
    if (file) {
        text_put(&line, "%s", style_text(PORT_STDERR, STYLE_NAME));
        messages_escape(&line, file, strlen(file));
        text_put(&line, "%s: ", plain);
    }
    static const char warning[] = "warning:";
    size_t word = strncmp(message, warning, sizeof warning - 1) == 0 ? sizeof warning - 1 : 0;
    if (word)
        text_put(&line, "%s%s%s", style_text(PORT_STDERR, STYLE_WARNING), warning, plain);
    messages_escape(&line, message + word, (size_t)n - word); /* names of columns may hold control bytes */
    text_put(&line, "\n");
    free(message);
    char *text = text_take(&line);
    if (text)
        messages_text(messages, text);
    free(text);
}

/* Adds a message and its hint, "sprung: FILE:LINE: …" and "  hint: …", in the styles of standard error.
 * length: of the file's name in the text, 0 for none. False: out of memory. */
static bool add_styled(struct messages *messages, const char *text, size_t length)
{
    static const char start[] = "sprung: ", hint[] = "\n  hint: ";
    const char *plain = style_text(PORT_STDERR, STYLE_PLAIN), *name = text + sizeof start - 1;
    const char *rest = name + length, *way_out = strstr(rest, hint);
    struct text styled = { 0 };
    text_put(&styled, "%ssprung:%s ", style_text(PORT_STDERR, STYLE_ERROR), plain);
    if (length)
        text_put(&styled, "%s%.*s%s", style_text(PORT_STDERR, STYLE_NAME), (int)length, name, plain);
    text_add(&styled, rest, way_out ? (size_t)(way_out - rest) : strlen(rest));
    if (way_out)
        text_put(&styled, "\n  %shint:%s %s", style_text(PORT_STDERR, STYLE_HINT), plain,
                 way_out + sizeof hint - 1);
    char *line = text_take(&styled);
    if (line)
        messages_text(messages, line);
    free(line);
    return line;
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
    size_t length = file ? error_escape(file, strlen(file), text + strlen(text), room - strlen(text)) : 0;
    text[sizeof start - 1] = 0;
    error_format(e, file, text + strlen(text), room - strlen(text));
    if (!style_is_on(PORT_STDERR) || !add_styled(messages, text, length))
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
