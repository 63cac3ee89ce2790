/* An error as a value: what kind, where, what is wrong, and what to do about it.
 * Functions that can fail return bool and take a struct error *; whoever knows a part of the place adds it.
 * Only main.c turns an error into words on stderr and a status. */
#ifndef SPRUNG_ERROR_H
#define SPRUNG_ERROR_H

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
    int errnum; /* errno of ERROR_SYSTEM, else 0 */
    uint64_t
        line; /* physical line of the input, from 1; 0: no line. Relative to its block until it is placed */
    uint64_t at;      /* byte in that line, from 1; 0: none */
    char column[128]; /* name of the column or path (`$.tracks[3].x`); "": none */
    char text[384];   /* what is wrong, without newline or final dot */
    char excerpt[80]; /* raw bytes of the input (escaped when printed) */
    size_t nexcerpt;  /* bytes in excerpt; 0: none */
    bool at_output;   /* it is about the output; else about the input */
    bool excerpt_cut; /* the excerpt was longer */
    char hint[384];   /* what to do, or "" */
};

/* All return false, so that a caller can write `return error_data(e, …);`. Each overwrites *e whole. */
bool error_usage(struct error *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool error_data(struct error *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* errnum: an errno value; its strerror text is appended when the error is printed. */
bool error_system(struct error *e, int errnum, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool error_memory(struct error *e);

/* Add to an error that is set; they return false as well. */
bool error_hint(struct error *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool error_place(struct error *e, uint64_t line, uint64_t at);
bool error_column(struct error *e, const char *name);
bool error_excerpt(struct error *e, const char *bytes, size_t nbyte);

/* Writes "FILE:LINE: column "NAME": what: "excerpt"\n" and "  hint: …\n" into buf, control bytes escaped;
 * file may be NULL. Always NUL-terminated; returns the length. */
size_t error_format(const struct error *e, const char *file, char *buf, size_t maxbuf);

/* Escapes control bytes, DEL and invalid UTF-8 of nbyte bytes as \n, \t, \xHH into buf; NUL-terminated, cut
 * at whole characters; returns the length. */
size_t error_escape(const char *bytes, size_t nbyte, char *buf, size_t maxbuf);

/* The ending of a word for that many things. */
static inline const char *error_plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

#endif
