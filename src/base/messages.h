/* Messages for the user: warnings, errors, and what --verbose prints. They are collected, so that files that
 * are filtered in parallel report in a stable order, or printed at once. Invariant: only main.c writes them
 * to stderr, by the function given here. */
#ifndef SPRUNG_BASE_MESSAGES_H
#define SPRUNG_BASE_MESSAGES_H

#include "base/error.h"
#include "base/text.h"

struct messages {
    struct text text;                        /* whole lines */
    void (*say)(const char *text, size_t n); /* NULL: collect only */
};

/* Adds a line "FILE: …" (file may be NULL). When memory is out, or messages is NULL, the message is lost. */
void messages_add(struct messages *messages, const char *file, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Adds n bytes to a text, escaped as error_escape does. */
void messages_escape(struct text *t, const char *bytes, size_t n);
/* Adds an error, "sprung: FILE:LINE: …", and its hint. */
void messages_error(struct messages *messages, const char *file, const struct error *e);
/* Adds whole lines. */
void messages_text(struct messages *messages, const char *text);
/* Moves what another has collected; adds the error that memory is out if a message was lost. */
void messages_move(struct messages *to, struct messages *from);
void messages_free(struct messages *messages);

#endif
