/* Edits of a file: bytes that are replaced by more or fewer bytes. See binary.h. */
#include "formats/binary/binary.h"

#include <stdlib.h>

bool edits_add(struct edits *edits, struct edit edit, struct error *e)
{
    if (!edit.new)
        return error_memory(e);
    if (!array_reserve(&edits->edit, edits->n + 1, &edits->max, sizeof *edits->edit, e)) {
        free(edit.new);
        return false;
    }
    edits->edit[edits->n++] = edit;
    return true;
}

static int compare_places(const void *va, const void *vb)
{
    const char *a = ((const struct edit *)va)->at, *b = ((const struct edit *)vb)->at;
    return (a > b) - (a < b);
}

void edits_sort(struct edits *edits)
{
    if (edits->n > 0)
        qsort(edits->edit, edits->n, sizeof *edits->edit, compare_places);
}

bool edits_write(struct edits *edits, const void *from, const void *to, struct block *block)
{
    const char *at = from, *end = to;
    bool good = true;
    edits_sort(edits);
    for (size_t i = 0; i < edits->n && good; i++) {
        const struct edit *edit = &edits->edit[i];
        const char *place = edit->at;
        good = block_put(block, at, (size_t)(place - at)) && block_put(block, edit->new, edit->nnew);
        at = place + edit->n;
    }
    return good && block_put(block, at, (size_t)(end - at));
}

void edits_free(struct edits *edits)
{
    for (size_t i = 0; i < edits->n; i++)
        free(edits->edit[i].new);
    free(edits->edit);
    *edits = (struct edits){ 0 };
}
