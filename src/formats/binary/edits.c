/* Edits of a file: bytes that are replaced by more or fewer bytes. See binary.h. */
#include "formats/binary/binary.h"

#include <stdlib.h>

bool binary_edit(struct binary *file, struct edit edit, struct error *e)
{
    if (!binary_keep(file, edit.new, e) ||
        !array_reserve(&file->edit, file->nedit + 1, &file->maxedit, sizeof *file->edit, e))
        return false;
    file->edit[file->nedit++] = edit;
    return true;
}

static int compare_places(const void *va, const void *vb)
{
    const char *a = ((const struct edit *)va)->at, *b = ((const struct edit *)vb)->at;
    return (a > b) - (a < b);
}

void binary_sort_edits(struct binary *file)
{
    if (file->nedit > 0)
        qsort(file->edit, file->nedit, sizeof *file->edit, compare_places);
}

bool binary_write_edits(struct binary *file, const void *from, const void *to, struct block *block)
{
    const char *at = from, *end = to;
    bool good = true;
    binary_sort_edits(file);
    for (size_t i = 0; i < file->nedit && good; i++) {
        const struct edit *edit = &file->edit[i];
        const char *place = edit->at;
        good = block_put(block, at, (size_t)(place - at)) && block_put(block, edit->new, edit->nnew);
        at = place + edit->n;
    }
    return good && block_put(block, at, (size_t)(end - at));
}
