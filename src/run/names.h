/* The names of the inputs, one by one: operands, then those in the list that --files-from names. The list is
 * not held in memory. Invariant: names_next waits for a pipe only if it is told to. */
#ifndef SPRUNG_RUN_NAMES_H
#define SPRUNG_RUN_NAMES_H

#include "base/param.h"
#include "io/source.h"

struct names {
    const struct texts *operands;
    size_t at;             /* operands that have been given out */
    bool known;            /* no list, or one in a file: all names can be read again */
    char end;              /* the byte that ends a name in the list */
    struct source source;  /* of the list; its name is NULL without one */
    size_t line;           /* names of the list that have been read, empty ones too */
    size_t begin, nbyte;   /* in bytes[]: the next name, and the end of what has been read */
    char bytes[64 * 1024]; /* more than the longest path */
};

/* Opens the names; list is the name of a file, "-": standard input, NULL: there is none; null: its names end
 * with NUL. *n is zero before. The operands must stay; the caller closes the source in any case. */
bool names_open(struct names *n, const struct texts *operands, const char *list, bool null, struct error *e);

/* Goes back to the first name; those of a pipe cannot be read again. */
void names_rewind(struct names *n);

enum names_way {
    NAMES_KNOWN, /* only names that can be read again */
    NAMES_READY, /* all, but NAMES_LATER instead of waiting for a pipe */
    NAMES_WAIT
};
enum named { NAMES_NAME, NAMES_LATER, NAMES_END, NAMES_ERROR };

/* The next name, which stays until the next call; empty ones are skipped. An error is about the list. */
enum named names_next(struct names *n, enum names_way way, const char **name, struct error *e);

#endif
