/* Memory of a block: arrays that grow and are kept as long as the block. */
#include "rows/block.h"

#include <stdlib.h>

/* Frees *array, an address of a pointer, which becomes NULL. */
static void release(void *array)
{
    void **p = array;
    free(*p);
    *p = NULL;
}

void block_free(struct block *block)
{
    free(block->text);
    free(block->row);
    free(block->cell);
    free(block->value);
    free(block->goal);
    free(block->time);
    free(block->line);
    free(block->bad);
    free(block->bad_error);
    free(block->group);
    free(block->T);
    free(block->cut);
    free(block->out);
    free(block->bytes);
    *block = (struct block){ 0 };
}

/* Replaces *array, an address of a pointer, by a new array of n elements whose content is undefined. There is
 * room for at least one element, so that NULL means failure. */
static bool renew(void *array, size_t n, size_t size)
{
    void **p = array;
    release(array);
    if (n <= SIZE_MAX / size)
        *p = malloc((n ? n : 1) * size);
    return *p != NULL;
}

bool block_reserve(struct block *block, size_t nrow, struct block_shape shape, struct error *e)
{
    if (nrow > block->maxrow || block->forgot || shape.ncell != block->ncell ||
        shape.nvalue != block->nvalue || shape.nout != block->nout || (shape.times && !block->time) ||
        !block->out || !block->T) {
        /* An eighth more rows, so that not every small growth allocates. */
        size_t maxrow = nrow + nrow / 8 + (nrow == 0);
        block->maxrow = 0;
        release(&block->bad);
        release(&block->goal);
        block->forgot = false;
        block->ngoal = 0;
        if (!renew(&block->row, maxrow, sizeof *block->row) ||
            !renew(&block->cell, maxrow * shape.ncell, sizeof *block->cell) ||
            !renew(&block->value, maxrow * shape.nvalue, sizeof *block->value) ||
            !renew(&block->out, maxrow * shape.nout, sizeof *block->out) ||
            !renew(&block->group, maxrow, sizeof(struct group *)) ||
            !renew(&block->T, maxrow, sizeof *block->T) || !renew(&block->cut, maxrow, 1) ||
            (shape.times && !renew(&block->time, maxrow, sizeof *block->time)))
            return error_memory(e);
        block->maxrow = maxrow;
        block->ncell = shape.ncell;
        block->nvalue = shape.nvalue;
        block->nout = shape.nout;
    }
    release(&block->line);
    block->nrow = 0;
    block->nbad = 0;
    block->changed = false;
    return true;
}

void block_trim(struct block *block, bool keeps_times)
{
    const size_t ntext = block->ntext + BLOCK_SLACK;
    char *text = ntext < block->maxtext ? realloc(block->text, ntext) : NULL;
    if (text) {
        block->text = text;
        block->maxtext = ntext;
    }
    release(&block->out);
    release(&block->cell);
    release(&block->value);
    block->forgot = true;
    if (keeps_times)
        return;
    release(&block->time);
    release(&block->group);
    release(&block->T);
    release(&block->cut);
}

bool block_remember(struct block *block, bool times, struct error *e)
{
    block->forgot = false;
    return (renew(&block->cell, block->maxrow * block->ncell, sizeof *block->cell) &&
            renew(&block->value, block->maxrow * block->nvalue, sizeof *block->value) &&
            (!times || renew(&block->time, block->maxrow, sizeof *block->time))) ||
           error_memory(e);
}

bool block_make_outputs(struct block *block, struct error *e)
{
    return block->out || renew(&block->out, block->maxrow * block->nout, sizeof *block->out) ||
           error_memory(e);
}

bool block_make_goals(struct block *block, size_t n, struct error *e)
{
    if (!block->goal && !renew(&block->goal, block->maxrow * n, sizeof *block->goal))
        return error_memory(e);
    block->ngoal = n;
    for (size_t c = 0; c < n; c++)
        memcpy(block->goal + c * block->maxrow, block_value(block, c), block->nrow * sizeof *block->goal);
    return true;
}

bool block_cut(struct block *block, size_t row, const struct error *e)
{
    block_end_before(block, row);
    block->error = *e;
    return e->kind == ERROR_DATA && error_place(&block->error, block_line(block, row));
}

bool block_mark_bad(struct block *block, size_t row, const struct error *why, struct error *e)
{
    if ((!block->bad && !renew(&block->bad, block->maxrow, 1)) ||
        (!block->bad_error && !renew(&block->bad_error, 1, sizeof *block->bad_error)))
        return error_memory(e);
    if (block->nbad++ == 0)
        memset(block->bad, 0, block->maxrow);
    if (block->nbad == 1 || row < block->first_bad) {
        block->first_bad = row;
        *block->bad_error = *why;
    }
    block->bad[row] = 1;
    return true;
}

/* Moves what the block knows of a row to an earlier row; its text has moved by `shift` bytes. */
static void move_row(struct block *block, size_t from, size_t to, uint32_t shift)
{
    block->row[to] = block->row[from];
    block->row[to].at -= shift;
    for (size_t c = 0; c < block->ncell; c++) {
        struct span *cell = &block->cell[to * block->ncell + c];
        *cell = block->cell[from * block->ncell + c];
        cell->at -= cell->at == UINT32_MAX ? 0 : shift; /* an absent cell has no place */
    }
    for (size_t k = 0; k < block->nvalue; k++)
        block_value(block, k)[to] = block_value(block, k)[from];
    if (block->time)
        block->time[to] = block->time[from];
    if (block->grouped)
        block->group[to] = block->group[from];
    if (block->cuts)
        block->cut[to] = block->cut[from];
    block->T[to] = block->T[from];
}

bool block_leave_out(struct block *block, struct error *e)
{
    char *text = block->text;
    const size_t all = block->ntext + BLOCK_SLACK < block->maxtext ? block->ntext + BLOCK_SLACK
                                                                   : block->maxtext;
    size_t n = 0, counted = 0, kept = 0, next = 0; /* text[kept] is the place of what is now text[next] */
    uint64_t line = 1;
    if (block->nbad == 0)
        return true;
    if (!block->line && !renew(&block->line, block->maxrow, sizeof *block->line))
        return error_memory(e);
    for (size_t row = 0; row < block->nrow; row++) {
        const struct span span = block->row[row];
        line += block_count(text + counted, span.at - counted, block->eol);
        counted = span.at;
        if (!block->bad[row]) {
            block->line[n] = line;
            move_row(block, row, n++, (uint32_t)(next - kept));
            continue;
        }
        const size_t end = (size_t)span.at + span.n;
        const char *eol = memchr(text + end, block->eol, block->ntext - end);
        memmove(text + kept, text + next, span.at - next);
        kept += span.at - next;
        next = eol ? (size_t)(eol - text) + 1 : block->ntext;
    }
    memmove(text + kept, text + next, all - next);
    block->ntext -= next - kept;
    block->nrow = n;
    block->nbad = 0;
    return true;
}

uint64_t block_count(const char *text, size_t n, char c)
{
    enum { PIECE = 240 }; /* a constant that is a multiple of 16: compilers use vectors of bytes */
    uint64_t total = 0;
    for (; n >= PIECE; n -= PIECE, text += PIECE) {
        unsigned char sum = 0;
        for (size_t i = 0; i < PIECE; i++)
            sum = (unsigned char)(sum + (text[i] == c));
        total += sum;
    }
    for (; n > 0; n--)
        total += *text++ == c;
    return total;
}

uint64_t block_line(const struct block *block, size_t row)
{
    if (block->line)
        return block->line[row];
    return block->eol ? 1 + block_count(block->text, block->row[row].at, block->eol) : 0;
}
