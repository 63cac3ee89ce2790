/* An input: a source and its reader, opened by the name of a file.
 * Invariant: input_close may be called after input_open, also after a failed input_open. */
#ifndef SPRUNG_FORMATS_INPUT_H
#define SPRUNG_FORMATS_INPUT_H

#include "formats/format.h"

struct input {
    struct source source;
    struct reader reader;
    uint64_t nline; /* physical lines of the blocks that were loaded so far */
};

/* Opens a file ("-": standard input), finds the format and reads the header: then the columns are known, but
 * not their roles. *in must be zeroed before, and must not be moved later. */
bool input_open(struct input *in, const char *name, const struct input_options *options, struct error *e);
void input_close(struct input *in);

/* Refuses options that mean nothing in the input's format. */
bool input_check_options(const struct reader *reader, struct error *e);

/* Makes *part the reader of the next part with channels of an input of several tables, and binds it; see
 * struct format: next. *part is zeroes or the reader of an earlier part. table_free follows, also on error,
 * before that of the input. */
enum loaded input_next_part(const struct reader *input, struct reader *part, struct error *e);

/* Loads and parses the next block that has rows; block->firstline is the line of the input at which the block
 * begins. The line in *e is a line of the input; after an error in a block the rows of the block do not
 * count. */
enum loaded input_load(struct input *in, struct block *block, struct error *e);

/* Like input_open, for a source that is open and a zeroed reader. */
bool input_begin(struct source *source, struct reader *reader, const char *name,
                 const struct input_options *options, struct error *e);

/* The error of a name that is not a format name; way_out: the hint; NULL: the hint lists the formats. Returns
 * false. */
bool input_refuse_format(const char *option, const char *name, const char *way_out, struct error *e);

/* The format with the name that was given with an option ("--to"); NULL and *e for an unknown name. */
const struct format *input_format(const char *option, const char *name, struct error *e);

#endif
