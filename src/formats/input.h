/* An input: a source and its reader, opened by the name of a file.
 * Invariant: input_close may be called after input_open, whether that failed or not. */
#ifndef SPRUNG_FORMATS_INPUT_H
#define SPRUNG_FORMATS_INPUT_H

#include "formats/format.h"

struct input {
    struct source source;
    struct reader reader;
    uint64_t nline; /* physical lines of the blocks that were loaded */
};

/* Opens a file ("-": standard input), finds its format and reads its header: the columns are known then,
 * without roles. *in must be zeroed, and must not be moved later. */
bool input_open(struct input *in, const char *name, const struct input_options *options, struct error *e);
void input_close(struct input *in);

/* Loads and parses the next block that has rows; b->firstline is its first line in the input. *e has the line
 * in the input; after an error in a block none of its rows counts. */
enum loaded input_load(struct input *in, struct block *b, struct error *e);

/* The same for a source that is open, and a zeroed reader. */
bool input_begin(struct source *source, struct reader *reader, const char *name,
                 const struct input_options *options, struct error *e);

/* The error of a name that is no format's; way_out follows the list of formats. Returns false. */
bool input_refuse_format(const char *option, const char *name, const char *way_out, struct error *e);

/* The format of that name, given with an option ("--to"); NULL and *e when there is none. */
const struct format *input_format(const char *option, const char *name, struct error *e);

#endif
