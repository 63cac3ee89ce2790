/* Prints a block by its edit list. See edit.h. */
#include "formats/splice.h"

#include "base/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COPY = 32 }; /* bytes that a short copy moves at once: room for as many is kept on both sides */

bool splice_add(struct splice *edit, struct splice_piece piece, struct error *e)
{
    if (!array_reserve(&edit->piece, edit->npiece + 1, &edit->maxpiece, sizeof *edit->piece, e))
        return false;
    edit->piece[edit->npiece++] = piece;
    edit->room += piece.ntext + NUMBER_MAX + strlen(edit->gap);
    return true;
}

void splice_free(struct splice *edit)
{
    free(edit->piece);
    *edit = (struct splice){ 0 };
}

/* What a block has about one row. Only copies of this and of the pen have an address, so that all of it stays
 * in registers while bytes are written, which might change anything else. */
struct row {
    const char *text, *end; /* of the row */
    const struct span *cell;
    const double *out; /* of the first column */
    size_t maxrow;
    const struct block *b;
};

/* Where the next bytes go, and where they come from. */
struct pen {
    char *to, *limit; /* room for a row's bytes, all pieces and COPY is there */
    const char *from; /* the next byte of the text to copy */
    const char *safe; /* from here on fewer than COPY bytes may be read at once */
};

#define INLINE static inline __attribute__((always_inline))

static struct pen pen_at(const struct block *b, const char *from)
{
    const char *safe = b->maxtext >= COPY ? b->text + b->maxtext - COPY + 1 : b->text;
    return (struct pen){ b->bytes + b->nbyte, b->bytes + b->maxbyte, from, safe };
}

static struct row row_at(const struct block *b, size_t i)
{
    const char *end = b->text + b->row[i].at + b->row[i].n;
    return (struct row){ b->text, end, b->cell + i * b->ncell, b->out + i, b->maxrow, b };
}

/* Makes room for n bytes where the pen is. */
INLINE bool make_room(struct block *b, struct pen *pen, size_t n)
{
    if ((size_t)(pen->limit - pen->to) >= n)
        return true;
    b->nbyte = (size_t)(pen->to - b->bytes);
    if (!block_room(b, n))
        return false;
    pen->to = b->bytes + b->nbyte;
    pen->limit = b->bytes + b->maxbyte;
    return true;
}

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

/* Where a piece goes in a row, or NULL when the row does not have its cell. */
INLINE const char *find(struct row r, const struct splice_piece *piece)
{
    if (piece->cell == SPLICE_ROW)
        return r.end;
    struct span cell = r.cell[piece->cell];
    return cell.at == SPLICE_ABSENT ? NULL : r.text + cell.at + (piece->replace ? 0 : cell.n);
}

INLINE void put_number(const struct splice *edit, double x, struct pen *pen)
{
    if (isnan(x))
        pen->to = stpcpy(pen->to, edit->gap);
    else
        pen->to += number_print(pen->to, x, &edit->number);
}

/* A number, or a gap, in a row that is not the one its text was made for. */
static char *put_anew(const struct splice *edit, struct row r, size_t out, double x, char *to)
{
    const struct number_format full = { NUMBER_SHORTEST, 0, edit->number.point };
    const struct timestamp *time = out == edit->time ? &r.b->stamp[r.out - r.b->out] : NULL;
    if (time && time->decimal.exact)
        return to + number_print_decimal(to, &time->decimal, edit->number.point);
    return isnan(x) ? stpcpy(to, edit->gap)
                    : to + number_print(to, x, out < edit->full ? &edit->number : &full);
}

INLINE void put_piece(const struct splice *edit, struct row r, const struct splice_piece *piece, const char *at,
                      struct pen *pen)
{
    if (piece->replace) {
        double x = r.out[piece->out * r.maxrow];
        if (isnan(x) && !edit->anew)
            return;
        copy_to(pen, at);
        pen->from += r.cell[piece->cell].n;
        if (edit->anew)
            pen->to = put_anew(edit, r, piece->out, x, pen->to);
        else
            pen->to += number_print(pen->to, x, &edit->number);
        return;
    }
    if (at != pen->from)
        copy_to(pen, at);
    if (piece->ntext == 1)
        *pen->to = *piece->text;
    else
        memcpy(pen->to, piece->text, piece->ntext);
    pen->to += piece->ntext;
    if (piece->out != SIZE_MAX)
        put_number(edit, r.out[piece->out * r.maxrow], pen);
}

/* false: a place lies before the one before it; then the row is not whole. */
INLINE bool put_in_order(const struct splice *edit, struct row r, struct pen *pen)
{
    const struct splice_piece *piece = edit->piece;
    for (size_t n = edit->npiece; n > 0; n--, piece++) {
        const char *at = find(r, piece);
        if (!at)
            continue;
        if (at < pen->from)
            return false;
        put_piece(edit, r, piece, at, pen);
    }
    return true;
}

/* A row whose cells stand in another order: pieces are sorted by place, keeping the order of those at one
 * place. Insertion sort: such rows mostly have a few cells that moved. order: room for npiece numbers. */
static void put_sorted(const struct splice *edit, struct row r, size_t *order, struct pen *pen)
{
    size_t n = 0;
    for (size_t k = 0; k < edit->npiece; k++) {
        const char *at = find(r, &edit->piece[k]);
        size_t j = n;
        if (!at)
            continue;
        for (; j > 0 && find(r, &edit->piece[order[j - 1]]) > at; j--)
            order[j] = order[j - 1];
        order[j] = k;
        n++;
    }
    for (size_t j = 0; j < n; j++)
        put_piece(edit, r, &edit->piece[order[j]], find(r, &edit->piece[order[j]]), pen);
}

/* The same, where room for need bytes is; false when memory is out. The room to sort in lies behind that. */
static bool put_unordered(const struct splice *edit, struct block *b, size_t i, size_t need, struct pen *pen)
{
    if (!make_room(b, pen, need + 16 + edit->npiece * sizeof(size_t)))
        return false;
    size_t behind = ((size_t)(pen->to - b->bytes) + need + 15) & ~(size_t)15;
    put_sorted(edit, row_at(b, i), (size_t *)(void *)(b->bytes + behind), pen);
    return true;
}

/* Row i from where the pen is. */
INLINE bool put_row(const struct splice *edit, struct block *b, size_t i, struct row r, struct pen *pen)
{
    size_t need = (size_t)(r.end - pen->from) + edit->room + COPY;
    if (!make_room(b, pen, need))
        return false;
    struct pen now = *pen;
    if (put_in_order(edit, r, &now)) {
        *pen = now;
        return true;
    }
    struct pen again = *pen;
    bool good = put_unordered(edit, b, i, need, &again);
    *pen = again;
    return good;
}

/* The text up to end, behind what was written. */
static void finish(struct block *b, struct pen pen, const char *end)
{
    b->nbyte = (size_t)(pen.to - b->bytes);
    block_put(b, pen.from, (size_t)(end - pen.from));
}

bool splice_row(const struct splice *edit, struct block *b, size_t i)
{
    if (!block_room(b, COPY)) /* so that there are bytes to count from */
        return false;
    struct row r = row_at(b, i);
    struct pen pen = pen_at(b, r.text + b->row[i].at);
    if (!put_row(edit, b, i, r, &pen))
        return false;
    finish(b, pen, r.end);
    return b->error.kind == ERROR_NONE;
}

void splice_print(const struct splice *edit, struct block *b)
{
    const struct span *row = b->row;
    const size_t nrow = b->nrow, ncell = b->ncell;
    if (!block_room(b, COPY)) /* so that there are bytes, even of no rows */
        return;
    struct pen pen = pen_at(b, b->text);
    struct row r = { b->text, NULL, b->cell, b->out, b->maxrow, b };
    for (size_t i = 0; i < nrow; i++) {
        r.end = r.text + row[i].at + row[i].n;
        if (!put_row(edit, b, i, r, &pen))
            return;
        r.cell += ncell;
        r.out++;
    }
    finish(b, pen, b->text + b->ntext);
}
