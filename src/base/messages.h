/* Messages for the user: warnings, errors, and what --verbose prints. Messages are printed at once, or
 * collected and printed later: files that are filtered in parallel report in a stable order. Invariant: only
 * main.c writes messages to stderr, by the function `say`. */
#ifndef SPRUNG_BASE_MESSAGES_H
#define SPRUNG_BASE_MESSAGES_H

#include "base/error.h"
#include "base/text.h"

struct messages {
    struct text text;                        /* the collected messages: whole lines; owned */
    void (*say)(const char *text, size_t n); /* prints text[n] at once; NULL: messages are collected */
};

/* Adds a line "sprung: FILE: …" (file may be NULL). Both are escaped as by error_escape. When out of
 * memory, or messages is NULL, the message is lost. */
void messages_add(struct messages *messages, const char *file, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Adds bytes[n] to a text, escaped as by error_escape. */
void messages_escape(struct text *text, const char *bytes, size_t n);
/* Adds lines, each escaped as by error_escape: line ends stay. */
void messages_escape_lines(struct text *text, const char *bytes, size_t n);
/* Adds an error, "sprung: FILE:LINE: …", and its hint. */
void messages_error(struct messages *messages, const char *file, const struct error *e);
/* Adds whole lines. */
void messages_text(struct messages *messages, const char *text);
/* Moves the messages that `from` has collected to the end of `to`, and frees `from`. If a message was lost
 * because the program ran out of memory, an error that says so is added. */
void messages_move(struct messages *to, struct messages *from);
void messages_free(struct messages *messages);

#endif
