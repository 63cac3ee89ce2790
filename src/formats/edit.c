/* Prints a block by its edit list. See edit.h. */
#include "edit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COPY = 32 }; /* bytes that a short copy moves at once: room for as many is kept on both sides */

bool edit_add(struct edit *edit, struct edit_piece piece, struct error *e)
{
    if (edit->npiece == edit->maxpiece) {
        size_t max = edit->maxpiece ? 2 * edit->maxpiece : 16;
        struct edit_piece *grown = realloc(edit->piece, max * sizeof *grown);
        if (!grown)
            return error_memory(e);
        edit->piece = grown;
        edit->maxpiece = max;
    }
    edit->piece[edit->npiece++] = piece;
    edit->room += piece.ntext + NUMBER_MAX + strlen(edit->gap);
    return true;
}

void edit_free(struct edit *edit)
{
    free(edit->piece);
    *edit = (struct edit){ 0 };
}

/* Where the next bytes go, and where they come from. Kept in registers: only copies of it have an address. */
struct pen {
    char *to;         /* room for a row's bytes, all pieces and COPY is there */
    const char *from; /* the next byte of the text to copy */
    const char *safe; /* from here on fewer than COPY bytes may be read at once */
};

#define INLINE static inline __attribute__((always_inline))

INLINE void copy_to(struct pen *pen, const char *end)
{
    size_t n = (size_t)(end - pen->from);
    if (n <= COPY && pen->from < pen->safe)
        memcpy(pen->to, pen->from, COPY);
    else
        memcpy(pen->to, pen->from, n);
    pen->to += n;
    pen->from = end;
}

/* Where a piece goes in row i, or NULL when the row does not have its cell. */
INLINE const char *place(const struct block *b, size_t i, const struct edit_piece *piece)
{
    if (piece->cell == EDIT_ROW)
        return b->text + b->row[i].at + b->row[i].n;
    const struct span *cell = &b->cell[i * b->ncell + piece->cell];
    return cell->at == EDIT_ABSENT ? NULL : b->text + cell->at + (piece->replace ? 0 : cell->n);
}

INLINE void put_piece(const struct edit *edit, const struct block *b, size_t i,
                      const struct edit_piece *piece, const char *at, struct pen *pen)
{
    double x = piece->out == SIZE_MAX ? 0 : block_out(b, piece->out)[i];
    if (piece->replace && isnan(x))
        return;
    copy_to(pen, at);
    if (piece->replace) {
        pen->from += b->cell[i * b->ncell + piece->cell].n;
    } else {
        if (piece->ntext == 1)
            *pen->to = *piece->text;
        else
            memcpy(pen->to, piece->text, piece->ntext);
        pen->to += piece->ntext;
        if (piece->out == SIZE_MAX)
            return;
    }
    if (isnan(x))
        pen->to = stpcpy(pen->to, edit->gap);
    else
        pen->to += number_print(pen->to, x, &edit->number);
}

/* false: a place lies before the one before it; then the row is not whole. */
INLINE bool put_in_order(const struct edit *edit, const struct block *b, size_t i, struct pen *pen)
{
    const struct edit_piece *piece = edit->piece;
    for (size_t n = edit->npiece; n > 0; n--, piece++) {
        const char *at = place(b, i, piece);
        if (at && at < pen->from)
            return false;
        if (at)
            put_piece(edit, b, i, piece, at, pen);
    }
    return true;
}

/* A row whose cells stand in another order: pieces are sorted by place, keeping the order of those at one
 * place. Insertion sort: such rows mostly have a few cells that moved. order: room for npiece numbers. */
static void put_sorted(const struct edit *edit, const struct block *b, size_t i, size_t *order,
                       struct pen *pen)
{
    size_t n = 0;
    for (size_t k = 0; k < edit->npiece; k++) {
        const char *at = place(b, i, &edit->piece[k]);
        size_t j = n;
        if (!at)
            continue;
        for (; j > 0 && place(b, i, &edit->piece[order[j - 1]]) > at; j--)
            order[j] = order[j - 1];
        order[j] = k;
        n++;
    }
    for (size_t j = 0; j < n; j++)
        put_piece(edit, b, i, &edit->piece[order[j]], place(b, i, &edit->piece[order[j]]), pen);
}

/* The row again, sorted; false when memory is out. The room to sort in lies behind that for nrow bytes of the
 * row. */
static bool put_unordered(const struct edit *edit, struct block *b, size_t i, size_t nrow, struct pen *pen)
{
    if (!block_room(b, nrow + 16 + edit->npiece * sizeof(size_t)))
        return false;
    size_t behind = (b->nbyte + nrow + 15) & ~(size_t)15;
    pen->to = b->bytes + b->nbyte;
    put_sorted(edit, b, i, (size_t *)(void *)(b->bytes + behind), pen);
    return true;
}

/* Row i from where the pen is. */
INLINE bool put_row(const struct edit *edit, struct block *b, size_t i, struct pen *pen)
{
    size_t row = (size_t)(b->text + b->row[i].at + b->row[i].n - pen->from) + edit->room + COPY;
    if (!block_room(b, row))
        return false;
    struct pen start = *pen;
    pen->to = b->bytes + b->nbyte;
    if (!put_in_order(edit, b, i, pen)) {
        if (!put_unordered(edit, b, i, row, &start))
            return false;
        *pen = start;
    }
    b->nbyte = (size_t)(pen->to - b->bytes);
    return true;
}

static struct pen pen_at(const struct block *b, const char *from)
{
    return (struct pen){ NULL, from, b->maxtext >= COPY ? b->text + b->maxtext - COPY + 1 : b->text };
}

/* The text up to end, behind what was written. */
static void put_rest(struct block *b, const struct pen *pen, const char *end)
{
    size_t rest = (size_t)(end - pen->from);
    if (rest == 0 || !block_room(b, rest))
        return;
    memcpy(b->bytes + b->nbyte, pen->from, rest);
    b->nbyte += rest;
}

bool edit_row(const struct edit *edit, struct block *b, size_t i)
{
    struct pen pen = pen_at(b, b->text + b->row[i].at);
    if (!put_row(edit, b, i, &pen))
        return false;
    put_rest(b, &pen, b->text + b->row[i].at + b->row[i].n);
    return b->error.kind == ERROR_NONE;
}

void edit_print(const struct edit *edit, struct block *b)
{
    struct pen pen = pen_at(b, b->text);
    for (size_t i = 0; i < b->nrow; i++)
        if (!put_row(edit, b, i, &pen))
            return;
    put_rest(b, &pen, b->text + b->ntext);
}
