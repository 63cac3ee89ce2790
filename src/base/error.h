/* An error as a value: its kind, its place, what is wrong, and what to do about it. Functions that can fail
 * return bool and take a struct error *; each caller adds the part of the place that this caller knows. */
#ifndef SPRUNG_BASE_ERROR_H
#define SPRUNG_BASE_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum error_kind {
    ERROR_NONE,   /* no error */
    ERROR_USAGE,  /* the command line: option, filter, parameter */
    ERROR_DATA,   /* what a file holds */
    ERROR_SYSTEM, /* a system call; errnum says which */
    ERROR_MEMORY  /* out of memory */
};

struct error {
    enum error_kind kind;
    int errnum;        /* errno of ERROR_SYSTEM, else 0 */
    uint64_t line;     /* physical line of the input file, from 1; 0: the error is about no line. A parser of
                          blocks counts lines from the start of the block, and its caller places the error */
    char column[128];  /* name of the column, or path in a JSON document (`$.tracks[3].x`); "": no column */
    char text[1024];   /* what is wrong, without newline or final dot; has room for a long path */
    char excerpt[80];  /* raw bytes of the input (escaped when printed) */
    size_t nexcerpt;   /* bytes in excerpt; 0: no excerpt */
    bool unfilterable; /* nothing is wrong: the file cannot be filtered */
    bool at_output;    /* the error is about the output file; false: about the input file */
    bool excerpt_cut;  /* the input went on after the bytes in excerpt */
    char hint[1024];   /* what the user can do; "": no hint */
};

/* Overwrites all of *e. errnum is an errno value; the text of that value is appended when the error is
 * printed. Every bool function here returns false, so that a caller can write `return error_data(e, …);`. */
bool error_set(struct error *e, enum error_kind kind, int errnum, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
#define error_usage(e, ...)          error_set(e, ERROR_USAGE, 0, __VA_ARGS__)
#define error_data(e, ...)           error_set(e, ERROR_DATA, 0, __VA_ARGS__)
#define error_system(e, errnum, ...) error_set(e, ERROR_SYSTEM, errnum, __VA_ARGS__)
bool error_memory(struct error *e);

/* Add a hint, a line, a column or an excerpt to the error in *e. */
bool error_hint(struct error *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool error_place(struct error *e, uint64_t line);
bool error_column(struct error *e, const char *name);

/* Moves the line of the error, if it has one, by the lines before its block. */
static inline void error_shift(struct error *e, uint64_t nline)
{
    e->line += e->line ? nline : 0;
}

/* Says of the error in *e that the file cannot be filtered. Returns false. */
bool error_unfilterable(struct error *e);

bool error_excerpt(struct error *e, const char *bytes, size_t nbyte);

/* Writes what is wrong, `column "NAME": what: "excerpt"` (or `at $.tracks[3].x: `), into buf, escaped and cut
 * as by error_escape, without the file, the line and the hint. */
void error_what(const struct error *e, char *buf, size_t maxbuf);

/* Writes bytes[nbyte] into buf. What a terminal would not show (utf8_is_shown), DEL and invalid UTF-8 are
 * escaped as \n, \t, \xHH; U+FFFE and U+FFFF become U+FFFD. The text is NUL-terminated and cut at whole
 * characters. Returns its length. */
size_t error_escape(const char *bytes, size_t nbyte, char *buf, size_t maxbuf);

/* The ending of a noun after the number n: "" for 1, else "s". */
static inline const char *error_plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

#endif
