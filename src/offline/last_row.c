/* The last row of a series that is resampled. See last_row.h. */
#include "offline/last_row.h"

#include "base/array.h"
#include "formats/splice.h"
#include <stdlib.h>
#include <string.h>

struct last_row *last_row_make(size_t ncell, size_t nvalue, struct error *e)
{
    struct last_row *k = calloc(1, sizeof *k);
    if (k) {
        k->value = calloc(nvalue + 1, sizeof *k->value);
        k->cell = calloc(ncell + 1, sizeof *k->cell);
    }
    if (k && k->value && k->cell)
        return k;
    last_row_free(k);
    error_memory(e);
    return NULL;
}

void last_row_free(void *last_row)
{
    struct last_row *k = last_row;
    if (!k)
        return;
    free(k->value);
    free(k->text);
    free(k->cell);
    free(k);
}

static bool append(struct last_row *k, const char *bytes, size_t n, struct error *e)
{
    if (!array_reserve(&k->text, k->ntext + n, &k->maxtext, 1, e))
        return false;
    if (n > 0)
        memcpy(k->text + k->ntext, bytes, n);
    k->ntext += n;
    return true;
}

/* Keeps the row's text with its cells, and after it cells that lie elsewhere (in JSON's objects of columns).
 * A line end separates rows. */
static bool keep_text(struct last_row *k, const struct block *b, size_t i, struct error *e)
{
    struct span row = b->row[i];
    k->row = (struct span){ 0, row.n };
    if (!append(k, b->text + row.at, row.n, e) || !append(k, "\n", 1, e))
        return false;
    for (size_t c = 0; c < b->ncell; c++) {
        struct span cell = b->cell[i * b->ncell + c];
        bool inside = cell.at >= row.at && cell.at - row.at <= row.n;
        bool there = !inside && cell.n > 0 && cell.at < b->ntext && cell.n <= b->ntext - cell.at;
        k->cell[c].n = cell.n;
        k->cell[c].at = inside ? cell.at - row.at : there ? (uint32_t)k->ntext : SPLICE_ABSENT;
        if (there && !append(k, b->text + cell.at, cell.n, e))
            return false;
    }
    return true;
}

bool last_row_keep(struct last_row *k, const struct block *b, size_t i, size_t nvalue, size_t frame,
                   struct error *e)
{
    k->ntext = 0;
    k->block = 0;
    if (frame ? !append(k, b->text + i * frame, frame, e) : !keep_text(k, b, i, e))
        return false;
    for (size_t c = 0; c < nvalue; c++)
        k->value[c] = block_value(b, c)[i];
    for (size_t c = 0; frame && c < b->ncell; c++)
        k->cell[c] = (struct span){ SPLICE_ABSENT, NUMBER_MAX };
    return true;
}

bool last_row_place(struct last_row *k, struct block *b, uint64_t nblock, struct error *e)
{
    if (k->block == nblock)
        return true;
    if (b->maxtext - b->ntext < k->ntext && !block_reserve_text(b, 2 * (b->ntext + k->ntext), e))
        return false;
    memcpy(b->text + b->ntext, k->text, k->ntext);
    k->at = b->ntext;
    k->block = nblock;
    b->ntext += k->ntext;
    return true;
}

void last_row_point(const struct last_row *k, struct block *b, size_t i)
{
    struct span *cell = b->cell + i * b->ncell;
    uint32_t at = (uint32_t)k->at;
    b->row[i] = (struct span){ k->row.n ? at : 0, k->row.n };
    for (size_t c = 0; c < b->ncell; c++) {
        cell[c] = k->cell[c];
        if (cell[c].at != SPLICE_ABSENT)
            cell[c].at += at;
    }
}
