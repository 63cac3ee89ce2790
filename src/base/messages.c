/* Messages for the user. See messages.h. */
#include "base/messages.h"

#include "base/array.h"
#include "base/port.h"
#include "base/style.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

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

static char *escaped_copy(const char *string)
{
    struct text text = { 0 };
    messages_escape(&text, string, strlen(string));
    return text_take(&text);
}

static void free_message(struct message *message)
{
    free(message->file);
    free(message->text);
    free(message->hint);
    *message = (struct message){ 0 };
}

/* --- printing --- */

/* Adds a part of a message, in a style of standard error if `styled`. */
static void put_styled(struct text *text, bool styled, enum style style, const char *part)
{
    if (styled)
        text_put(text, "%s%s%s", style_text(PORT_STDERR, style), part, style_text(PORT_STDERR, STYLE_PLAIN));
    else
        text_put(text, "%s", part);
}

/* Adds the lines of a message, with the styles of standard error or without. */
static void put_message(struct text *text, const struct message *message, bool styled)
{
    if (message->kind == MESSAGE_LINES) {
        text_put(text, "%s", message->text);
        return;
    }
    put_styled(text, styled && message->kind == MESSAGE_ERROR, STYLE_ERROR, "sprung:");
    text_put(text, " ");
    if (message->file) {
        put_styled(text, styled, STYLE_NAME, message->file);
        text_put(text, ":");
    }
    if (message->line)
        text_put(text, "%s%llu:", message->file ? "" : "line ", (unsigned long long)message->line);
    text_put(text, "%s", message->file || message->line ? " " : "");
    if (message->kind == MESSAGE_WARNING)
        put_styled(text, styled, STYLE_WARNING, MESSAGE_WARNS);
    text_put(text, "%s\n", message->text);
    if (!message->hint)
        return;
    text_put(text, "  ");
    put_styled(text, styled, STYLE_HINT, "hint:");
    text_put(text, " %s\n", message->hint);
}

char *messages_plain(const struct messages *messages)
{
    struct text text = { 0 };
    for (size_t i = 0; i < messages->n; i++)
        put_message(&text, &messages->at[i], false);
    return messages->n > 0 ? text_take(&text) : NULL;
}

/* Prints the message, or keeps a message that is collected. */
static void take(struct messages *messages, struct message *message)
{
    if (messages->say) {
        static const char out_of_memory[] = "sprung: out of memory\n";
        struct text text = { 0 };
        if (message->text)
            put_message(&text, message, true);
        if (message->text && !text.failed)
            messages->say(text.bytes, text.n);
        else
            messages->say(out_of_memory, strlen(out_of_memory));
        free(text.bytes);
    } else if (message->text &&
               array_reserve(&messages->at, messages->n + 1, &messages->max, sizeof *messages->at, NULL)) {
        messages->at[messages->n++] = *message;
        *message = (struct message){ 0 };
    } else {
        messages->lost = true;
    }
    free_message(message);
}

/* --- adding --- */

void messages_text(struct messages *messages, const char *text)
{
    struct message message = { .kind = MESSAGE_LINES };
    if (!messages)
        return;
    message.text = text_copy(text, strlen(text));
    take(messages, &message);
}

void messages_add(struct messages *messages, const char *file, const char *format, ...)
{
    struct text text = { 0 };
    const size_t nwarns = strlen(MESSAGE_WARNS);
    const bool warns = strncmp(format, MESSAGE_WARNS, nwarns) == 0;
    struct message message = { .kind = warns ? MESSAGE_WARNING : MESSAGE_NOTE };
    va_list args;
    if (!messages)
        return;
    format += warns ? nwarns : 0;
    va_start(args, format);
    text_put_arguments(&text, format, args);
    va_end(args);
    char *plain = text_take(&text);
    message.file = file ? escaped_copy(file) : NULL;
    message.text = plain ? escaped_copy(plain) : NULL; /* names of columns may hold control bytes */
    free(plain);
    take(messages, &message);
}

void messages_error(struct messages *messages, const char *file, const struct error *e)
{
    char what[4 * sizeof *e];
    struct message message = { .kind = MESSAGE_ERROR, .line = e->line };
    if (!messages)
        return;
    error_what(e, what, sizeof what);
    message.file = file ? escaped_copy(file) : NULL;
    message.text = text_copy(what, strlen(what));
    message.hint = e->hint[0] ? escaped_copy(e->hint) : NULL;
    take(messages, &message);
}

/* --- moving --- */

/* Was the text said about an earlier file? Else remembers it, if there is room. */
static bool is_said(struct message_fold *fold, const char *text)
{
    for (size_t i = 0; i < fold->nsaid; i++)
        if (strcmp(fold->said[i], text) == 0)
            return true;
    if (fold->nsaid < FOLD_KEPT) {
        fold->said[fold->nsaid] = text_copy(text, strlen(text));
        fold->nsaid += fold->said[fold->nsaid] != NULL;
    }
    return false;
}

void messages_move(struct messages *to, struct messages *from, struct message_fold *fold)
{
    bool repeated = false;
    for (size_t i = 0; i < from->n; i++) {
        struct message *message = &from->at[i];
        if (fold && message->kind <= MESSAGE_WARNING && is_said(fold, message->text)) {
            repeated = true;
            continue;
        }
        if (fold && message->hint && is_said(fold, message->hint)) {
            free(message->hint);
            message->hint = NULL;
        }
        if (to)
            take(to, message);
    }
    if (fold)
        fold->nfile += repeated;
    if (from->lost) {
        struct error e;
        error_memory(&e);
        messages_error(to, NULL, &e);
    }
    messages_free(from);
}

void messages_unfold(struct messages *to, struct message_fold *fold)
{
    if (fold->nfile > 0)
        messages_add(to, NULL, "%zu more file%s the same notes (to see all: --verbose)", fold->nfile,
                     fold->nfile == 1 ? " has" : "s have");
    for (size_t i = 0; i < fold->nsaid; i++)
        free(fold->said[i]);
    *fold = (struct message_fold){ 0 };
}

void messages_free(struct messages *messages)
{
    for (size_t i = 0; i < messages->n; i++)
        free_message(&messages->at[i]);
    free(messages->at);
    *messages = (struct messages){ .say = messages->say };
}
