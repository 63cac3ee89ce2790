/* Memory of a block: arrays that grow and are kept as long as the block. */
#include "rows/block.h"

#include <stdlib.h>

static void free_present(struct block *b)
{
    free(b->present.cell);
    free(b->present.end);
    free(b->present.filled);
    b->present = (struct present_cells){ 0 };
}

void block_free(struct block *b)
{
    free(b->text);
    free(b->row);
    free(b->cell);
    free(b->value);
    free(b->goal);
    free(b->time);
    free_present(b);
    free(b->line);
    free(b->grid);
    free(b->out);
    free(b->bytes);
    *b = (struct block){ 0 };
}

/* Replaces *array by a new array of n elements, at least one element, so that NULL means failure. */
static bool renew(void *array, size_t n, size_t size)
{
    void **p = array;
    free(*p);
    *p = NULL;
    if (n <= SIZE_MAX / size)
        *p = malloc((n ? n : 1) * size);
    return *p != NULL;
}

bool block_reserve(struct block *b, size_t nrow, struct block_shape shape, struct error *e)
{
    if (nrow > b->maxrow || shape.ncell != b->ncell || shape.nvalue != b->nvalue || shape.nout != b->nout ||
        (shape.times && !b->time)) {
        /* An eighth more rows, so that not every small growth allocates. */
        size_t maxrow = nrow + nrow / 8 + 1;
        b->maxrow = 0;
        free(b->line);
        free(b->grid);
        free(b->goal);
        b->line = NULL;
        b->grid = NULL;
        b->goal = NULL;
        b->ngoal = 0;
        b->present.nblank = b->present.nlisted = 0;
        if (!renew(&b->row, maxrow, sizeof *b->row) ||
            !renew(&b->cell, maxrow * shape.ncell, sizeof *b->cell) ||
            !renew(&b->value, maxrow * shape.nvalue, sizeof *b->value) ||
            !renew(&b->out, maxrow * shape.nout, sizeof *b->out) ||
            (shape.times && !renew(&b->time, maxrow, sizeof *b->time)))
            return error_memory(e);
        b->maxrow = maxrow;
        b->ncell = shape.ncell;
        b->nvalue = shape.nvalue;
        b->nout = shape.nout;
    }
    b->nrow = 0;
    return true;
}

bool block_reserve_present(struct block *b, struct error *e)
{
    struct present_cells *p = &b->present;
    return array_reserve(&p->cell, b->maxrow * b->ncell, &p->maxcell, sizeof *p->cell, e) &&
           array_reserve(&p->end, b->maxrow, &p->maxend, sizeof *p->end, e) &&
           array_reserve(&p->filled, b->nvalue / 64 + 1, &p->nfilled, sizeof *p->filled, e);
}

/* Shrinks an array of ncolumn columns from maxrow to nrow elements a column; NULL stays, and a failure of
 * realloc only keeps the room. */
static void shrink(const struct block *b, void *array, size_t ncolumn, size_t size)
{
    void **p = array, *less;
    char *bytes = *p;
    size_t column = b->nrow * size, n = ncolumn * column;
    for (size_t i = 1; bytes && i < ncolumn; i++)
        memmove(bytes + i * column, bytes + i * b->maxrow * size, column);
    if (bytes && (less = realloc(bytes, n ? n : 1)))
        *p = less;
}

void block_trim(struct block *b)
{
    free_present(
        b); /* any row may have any cell: true of every block, and less memory for a block that stays */
    shrink(b, &b->row, 1, sizeof *b->row);
    shrink(b, &b->cell, 1, b->ncell * sizeof *b->cell);
    shrink(b, &b->time, 1, sizeof *b->time);
    shrink(b, &b->line, 1, sizeof *b->line);
    shrink(b, &b->grid, 1, sizeof *b->grid);
    shrink(b, &b->value, b->nvalue, sizeof *b->value);
    if (b->ngoal == 0) {
        free(b->goal);
        b->goal = NULL;
    }
    shrink(b, &b->goal, b->ngoal, sizeof *b->goal);
    shrink(b, &b->out, b->nout, sizeof *b->out);
    b->maxrow = b->nrow;
}

bool block_make_goals(struct block *b, size_t n, struct error *e)
{
    if (!b->goal && !renew(&b->goal, b->maxrow * n, sizeof *b->goal))
        return error_memory(e);
    b->ngoal = n;
    for (size_t c = 0; c < n; c++)
        memcpy(b->goal + c * b->maxrow, block_value(b, c), b->nrow * sizeof *b->goal);
    return true;
}

bool block_reserve_grid(struct block *b, struct error *e)
{
    bool good = (b->line || renew(&b->line, b->maxrow, sizeof *b->line)) &&
                (b->grid || renew(&b->grid, b->maxrow, sizeof *b->grid));
    return good || error_memory(e);
}

/* Moves the elements of printed rows to the front of an array of b->nrow elements. */
static inline void drop(const struct block *b, void *array, size_t size)
{
    char *to = array, *from = array;
    for (size_t i = 0; i < b->nrow; i++, from += size)
        if (b->grid[i].kind != GRID_HIDDEN) {
            memmove(to, from, size);
            to += size;
        }
}

void block_drop_hidden(struct block *b)
{
    size_t nhidden = 0;
    for (size_t i = 0; b->grid && i < b->nrow; i++)
        nhidden += b->grid[i].kind == GRID_HIDDEN;
    if (nhidden == 0)
        return;
    drop(b, b->row, sizeof *b->row);
    drop(b, b->cell, b->ncell * sizeof *b->cell);
    drop(b, b->time, sizeof *b->time);
    drop(b, b->line, sizeof *b->line);
    for (size_t i = 0; i < b->nvalue; i++)
        drop(b, block_value(b, i), sizeof *b->value);
    for (size_t i = 0; i < b->ngoal; i++)
        drop(b, block_goal(b, i), sizeof *b->goal);
    for (size_t i = 0; i < b->nout; i++)
        drop(b, block_out(b, i), sizeof *b->out);
    drop(b, b->grid, sizeof *b->grid);
    b->nrow -= nhidden;
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

uint64_t block_line(const struct block *b, size_t row)
{
    if (b->line)
        return b->line[row];
    return b->eol ? 1 + block_count(b->text, b->row[row].at, b->eol) : 0;
}
