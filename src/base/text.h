/* Strings that grow. When memory is out, text_take returns NULL; other functions need no check. Widths are
 * counted in characters (UTF-8), not bytes. */
#ifndef SPRUNG_BASE_TEXT_H
#define SPRUNG_BASE_TEXT_H

#include "number/number.h"

struct text {
    char *bytes; /* NUL-terminated once something was added */
    size_t n, max;
    bool failed; /* memory was out */
};

void text_add(struct text *t, const char *bytes, size_t n);
void text_put(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A finite number. */
void text_number(struct text *t, double x, const struct number_format *format);

/* Adds words, which a blank or line end separates, in lines of at most width characters, each but the first
 * indented. column: the characters in the first line already. An empty line separates paragraphs. Ends the
 * last line. */
void text_fill(struct text *t, const char *words, size_t column, size_t indent, size_t width);

/* What printf would print, malloc'ed; NULL when memory is out. */
char *text_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Appends to the string in buf, which has room for max bytes; what does not fit is cut off. */
void text_append(char *buf, size_t max, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The string, malloc'ed, for the caller to free; NULL when memory was out. The text is empty afterwards. */
char *text_take(struct text *t);

#endif
