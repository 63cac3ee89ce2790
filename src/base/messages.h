/* Words for the user that are no errors: warnings and what --verbose tells. They are collected, so that files
 * worked on in parallel report in a stable order, or passed on at once. Invariant: only main.c writes them to
 * stderr, through the function given here. */
#ifndef SPRUNG_NOTES_H
#define SPRUNG_NOTES_H

#include "base/error.h"

struct messages {
    char *text; /* whole lines, each ends in '\n' */
    size_t n, max;
    void (*say)(const char *text, size_t n); /* NULL: collect only */
};

/* One line "FILE: …" (file may be NULL). When memory is out the note is lost; nothing else is. */
void messages_add(struct messages *messages, const char *file, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* An error in its words: "sprung: FILE:LINE: …", and its hint. */
void messages_error(struct messages *messages, const char *file, const struct error *e);
/* Text as it stands, whole lines. */
void messages_text(struct messages *messages, const char *text);
/* Passes on what another collected, and forgets it there. */
void messages_move(struct messages *to, struct messages *from);
void messages_free(struct messages *messages);

#endif
