/* Notes and warnings of many files: each text is printed for the first file with the text, and the later
 * files whose notes are not printed are counted. */
#ifndef SPRUNG_RUN_REPEATED_NOTES_H
#define SPRUNG_RUN_REPEATED_NOTES_H

#include "base/messages.h"

enum { NOTES_KEPT = 100 }; /* different notes that are kept; further notes are printed for every file */

struct repeated_notes {
    char *note[NOTES_KEPT]; /* [nnote] without the name of the file; owned */
    size_t nnote;
    size_t nfile; /* files with a note that was not printed */
};

/* Moves the lines of `from`, all about a single file, to the end of `to`, except notes that were kept from an
 * earlier file. A line about the file begins with "sprung: FILE: ", as messages_add writes lines. */
void repeated_notes_move(struct repeated_notes *notes, const char *file, struct messages *to,
                         struct messages *from);

/* Adds how many files had notes that were not printed, if any, and frees the notes. */
void repeated_notes_finish(struct repeated_notes *notes, struct messages *to);

#endif
