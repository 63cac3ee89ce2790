/* Notes of many files, each text printed once. See repeated_notes.h. */
#include "run/repeated_notes.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* Was the text note[n] remembered before? Else remembers the text, if there is room. */
static bool is_repeated(struct repeated_notes *notes, const char *note, size_t n)
{
    for (size_t i = 0; i < notes->nnote; i++)
        if (strlen(notes->note[i]) == n && memcmp(notes->note[i], note, n) == 0)
            return true;
    if (notes->nnote == NOTES_KEPT)
        return false;
    notes->note[notes->nnote] = text_copy(note, n);
    notes->nnote += notes->note[notes->nnote] != NULL;
    return false;
}

void repeated_notes_move(struct repeated_notes *notes, const char *file, struct messages *to,
                         struct messages *from)
{
    struct text start = { 0 }, kept = { 0 };
    if (from->text.n == 0) {
        messages_move(to, from);
        return;
    }
    text_put(&start, "sprung: ");
    messages_escape(&start, file, strlen(file));
    text_put(&start, ": ");
    const char *line = from->text.bytes;
    bool repeated = false;
    while (*line) {
        size_t n = strcspn(line, "\n");
        n += line[n] == '\n';
        size_t skip = n > start.n && !start.failed && memcmp(line, start.bytes, start.n) == 0 ? start.n : 0;
        if (is_repeated(notes, line + skip, n - skip))
            repeated = true;
        else
            text_add(&kept, line, n);
        line += n;
    }
    notes->nfile += repeated;
    kept.failed |= from->text.failed;
    free(start.bytes);
    messages_free(from);
    from->text = kept;
    messages_move(to, from);
}

void repeated_notes_finish(struct repeated_notes *notes, struct messages *to)
{
    if (notes->nfile > 0)
        messages_add(to, NULL, "%zu more file%s the same notes (to see all: --verbose)", notes->nfile,
                     notes->nfile == 1 ? " has" : "s have");
    for (size_t i = 0; i < notes->nnote; i++)
        free(notes->note[i]);
    *notes = (struct repeated_notes){ 0 };
}
