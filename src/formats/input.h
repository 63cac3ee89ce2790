/* An input: a source and its reader, opened by the name of a file.
 * Invariant: input_close may follow whatever input_open did. */
#ifndef SPRUNG_INPUT_H
#define SPRUNG_INPUT_H

#include "formats/format.h"

struct input {
    struct source source;
    struct reader reader;
    uint64_t nline; /* physical lines of the blocks that were loaded */
};

/* Opens a file ("-": standard input), tells its format (from: a format's name, or NULL: by the name of the
 * file, else by its first bytes) and reads its head: the columns are known then, without roles. *in is zeroed
 * before, and stays where it is. */
bool input_open(struct input *in, const char *name, const char *from, const struct input_options *options,
                struct error *e);
void input_close(struct input *in);

/* Loads and parses the next block that has rows; b->firstline tells where it stands, and *e has its line in
 * the input. After a fault in a block none of its rows counts. */
enum loaded input_load(struct input *in, struct block *b, struct error *e);

/* The same for a source that is open: tells the format, and has the zeroed reader read the head. */
bool input_begin(struct source *source, struct reader *reader, const char *name, const char *from,
                 const struct input_options *options, struct error *e);

/* The format of that name, given with an option ("--to"); NULL and *e when there is none. */
const struct format *input_format(const char *option, const char *name, struct error *e);

#endif
