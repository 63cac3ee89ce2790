/* Strings that grow. Zero-initialize. When out of memory, text_take returns NULL; the other functions need no
 * check. Widths are counted in characters (UTF-8), not bytes. */
#ifndef SPRUNG_BASE_TEXT_H
#define SPRUNG_BASE_TEXT_H

#include "number/number.h"

#include <stdarg.h>

struct text {
    char *bytes; /* [n] and a NUL; NULL before the first bytes are added; owned */
    size_t n;    /* bytes without the NUL */
    size_t max;  /* bytes that have room */
    bool failed; /* out of memory: the text is incomplete */
};

/* Adds bytes[n]. */
void text_add(struct text *text, const char *bytes, size_t n);

/* Adds what printf would print. */
void text_put(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* text_put with a list of arguments. */
void text_put_arguments(struct text *text, const char *format, va_list args);

/* Adds a finite number. */
void text_number(struct text *text, double x, const struct number_format *format);

/* Adds words in lines of at most width characters and ends the last line. In `words` a blank or a line end
 * separates words, and an empty line separates paragraphs. The first line has `column` characters already.
 * All later lines are indented by `indent` blanks. */
void text_fill(struct text *text, const char *words, size_t column, size_t indent, size_t width);

/* What printf would print, malloc'ed; NULL when out of memory. */
char *text_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The first n bytes of a string, or the whole string if it is shorter, malloc'ed; NULL when out of memory. */
char *text_copy(const char *string, size_t n);

/* Appends to the string in buf, which has room for max bytes. The text is cut where buf is full. */
void text_append(char *buf, size_t max, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Writes names, NULL-terminated, into buf, with `last` before the last name and ", " between the others: with
 * last = " or ", "s, ms or us". The text is cut where buf is full. */
void text_list(const char *const *names, const char *last, char *buf, size_t max);

/* Is the word one of the words, which have blanks between? */
bool text_has_word(const char *words, const char *word);

/* Adds a word, quoted for a shell where the word needs quotes. */
void text_word(struct text *text, const char *word);

/* Writes the word into buf as text_word adds it, and returns buf; "FILE" where the word is too long. */
enum { TEXT_WORD = 600 };
const char *text_quoted(char buf[TEXT_WORD], const char *word);

/* The string, malloc'ed; the caller frees it. NULL when out of memory. The text is empty afterwards. */
char *text_take(struct text *text);

#endif
