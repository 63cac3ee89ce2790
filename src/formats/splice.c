/* Prints rows as their own text with pieces put in. See splice.h. */
#include "formats/splice.h"

#include "base/array.h"
#include "formats/format.h"

#include <math.h>
#include <string.h>

/* Bytes that a short copy moves at once. Source and target have the same number of spare bytes after their
 * end. */
enum { COPY = 32 };

/* Decimals of a number in place of a cell, where numbers keep those of the input. */
enum { LEAST_DECIMALS = 6, MOST_DECIMALS = 17 };

bool splice_add(struct splice *splice, struct splice_piece piece, struct error *e)
{
    if (!array_reserve(&splice->piece, splice->npiece + 1, &splice->maxpiece, sizeof *splice->piece, e))
        return false;
    const struct output_columns *layout = splice->writer->layout;
    piece.grid = splice->writer->resampled && piece.out != COLUMN_NONE &&
                 piece.out + layout->ngrid >= layout->nout;
    piece.number = splice->writer->number;
    piece.as_cell = layout->decimals_of_cells && piece.replace && !piece.grid;
    splice->piece[splice->npiece++] = piece;
    splice->room += piece.ntext + NUMBER_MAX + strlen(splice->gap);
    return true;
}

bool splice_add_cells(struct splice *splice, struct error *e)
{
    const struct writer *writer = splice->writer;
    const struct table *table = &writer->reader->table;
    for (size_t i = table->counted; i < table->ncolumn; i++) {
        const struct column *column = table_column(table, i);
        const struct splice_piece piece = {
            .cell = column->cell,
            .replace = true,
            .out = writer->layout->replace[i],
            .anew = column->value == COLUMN_NONE,
            .value = column->value,
        };
        if (piece.out != COLUMN_NONE && !splice_add(splice, piece, e))
            return false;
    }
    return true;
}

/* A row of a block. Functions take the row and the cursor by value or inline, so that both stay in registers:
 * to the compiler a write of bytes might change any variable whose address is taken. */
struct row {
    const char *text, *end;    /* text of the block; end of the row */
    const struct span *cell;   /* [ncell] cells of the row */
    const double *out, *value; /* numbers of the row in the first column; the next column is maxrow later */
    size_t maxrow;
    const struct block *block;
};

/* Target and source of the next bytes. */
struct cursor {
    char *to, *limit; /* next byte to write; end of the room */
    const char *from; /* the next byte of the text to copy */
    const char *safe; /* from here on fewer than COPY bytes may be read at once */
};

#define INLINE static inline __attribute__((always_inline))

INLINE void copy_to(struct cursor *cursor, const char *end)
{
    size_t n = (size_t)(end - cursor->from);
    if (n <= COPY && cursor->from < cursor->safe)
        memcpy(cursor->to, cursor->from, COPY);
    else
        memcpy(cursor->to, cursor->from, n);
    cursor->to += n;
    cursor->from = end;
}

/* The place of a piece in a row; NULL: the row lacks the piece's cell. */
INLINE const char *place_of(struct row row, const struct splice_piece *piece)
{
    if (piece->cell == SPLICE_ROW)
        return row.end;
    const struct span *cell = &row.cell[piece->cell];
    if (cell->at == SPLICE_ABSENT)
        return NULL;
    return row.text + cell->at + (piece->replace ? 0 : cell->n);
}

/* True if the cell keeps its bytes: the new number is missing, or equals the number in the cell (0 equals
 * -0). */
INLINE bool keeps_bytes(const struct splice *splice, struct row row, const struct splice_piece *piece,
                        double x)
{
    double held = row.value[piece->value * row.maxrow];
    if (splice->writer->resampled)
        return isnan(x) && isnan(held);
    return !islessgreater(x, held) &&
           (x == held ||
            (isnan(x) && !writer_lost(row.block, (size_t)(row.value - row.block->value), piece->value)));
}

INLINE void put_number(const struct splice *splice, double x, const struct number_format *format,
                       struct cursor *cursor)
{
    if (!isnan(x)) {
        cursor->to += number_print(cursor->to, x, format);
        return;
    }
    size_t n = strlen(splice->gap);
    memcpy(cursor->to, splice->gap, n);
    cursor->to += n;
}

struct number_format splice_cell_format(const char *cell, size_t n, char point)
{
    int decimals = number_decimals(cell, n, point);
    if (decimals > MOST_DECIMALS)
        decimals = NUMBER_SHORTEST;
    else if (decimals != NUMBER_SHORTEST && decimals < LEAST_DECIMALS)
        decimals = LEAST_DECIMALS;
    return (struct number_format){ decimals, point };
}

/* Puts x, which is no gap, in place of the cell at `at`, for a piece whose `number` does not decide the
 * text. The text of a resampled row is the text of an input row. */
INLINE void put_specially(const struct splice *splice, struct row row, const struct splice_piece *piece,
                          const char *at, double x, struct cursor *cursor)
{
    const size_t index = (size_t)(row.out - row.block->out);
    const struct number_format format = splice_cell_format(at, row.cell[piece->cell].n, piece->number.point);
    if (piece->grid)
        cursor->to += writer_print(splice->writer, row.block, index, piece->out, cursor->to);
    else
        cursor->to += number_print(cursor->to, x, &format);
}

INLINE void put_piece(const struct splice *splice, struct row row, const struct splice_piece *piece,
                      const char *at, struct cursor *cursor)
{
    if (piece->replace) {
        double x = row.out[piece->out * row.maxrow];
        if (!piece->anew && keeps_bytes(splice, row, piece, x))
            return;
        copy_to(cursor, at);
        cursor->from += row.cell[piece->cell].n;
        if ((piece->grid || piece->as_cell) && !isnan(x))
            put_specially(splice, row, piece, at, x, cursor);
        else
            put_number(splice, x, &piece->number, cursor);
        return;
    }
    if (at != cursor->from)
        copy_to(cursor, at);
    if (piece->ntext == 1)
        *cursor->to = *piece->text;
    else
        memcpy(cursor->to, piece->text, piece->ntext);
    cursor->to += piece->ntext;
    if (piece->out != COLUMN_NONE)
        put_number(splice, row.out[piece->out * row.maxrow], &piece->number, cursor);
}

/* Puts the pieces of a row in their order. False: the places are in another order, and the row is not
 * complete. */
INLINE bool put_in_order(const struct splice *splice, struct row row, struct cursor *cursor)
{
    for (size_t i = 0; i < splice->npiece; i++) {
        const struct splice_piece *piece = &splice->piece[i];
        const char *at = place_of(row, piece);
        if (!at)
            continue;
        if (at < cursor->from)
            return false;
        put_piece(splice, row, piece, at, cursor);
    }
    return true;
}

/* Puts the pieces of a row whose cells are in another order than the pieces; pieces at one place stay in the
 * order of output. */
static struct cursor put_by_place(const struct splice *splice, struct row row, struct cursor cursor)
{
    const struct splice_piece *next, *last = NULL;
    const char *at = cursor.from, *nearest = NULL; /* the places of last and next */
    do {
        next = NULL;
        for (const struct splice_piece *piece = splice->piece; piece < splice->piece + splice->npiece;
             piece++) {
            const char *place = place_of(row, piece);
            const bool done = !place || place < at || (place == at && last && piece <= last);
            if (done || (next && place >= nearest))
                continue;
            next = piece;
            nearest = place;
        }
        if (next)
            put_piece(splice, row, next, nearest, &cursor);
        last = next;
        at = nearest;
    } while (next);
    return cursor;
}

/* Puts a row with its pieces, from the cursor on. */
INLINE bool put_row(const struct splice *splice, struct block *block, struct row row, struct cursor *cursor)
{
    size_t need = (size_t)(row.end - cursor->from) + splice->room + COPY;
    if ((size_t)(cursor->limit - cursor->to) < need) {
        block->nbyte = (size_t)(cursor->to - block->bytes);
        if (!block_room(block, need))
            return false;
        cursor->to = block->bytes + block->nbyte;
        cursor->limit = block->bytes + block->maxbyte;
    }
    const struct cursor start = *cursor;
    if (!put_in_order(splice, row, cursor))
        *cursor = put_by_place(splice, row, start);
    return true;
}

/* Appends rows i to last - 1, the text between these rows, and the text up to `end`. */
static bool print_rows(const struct splice *splice, struct block *block, size_t i, size_t last,
                       const char *from, const char *end)
{
    const struct span *span = block->row;
    if (!block_room(block, COPY)) /* block->bytes is not NULL afterwards, even without rows */
        return false;
    const char *safe = block->maxtext >= COPY ? block->text + block->maxtext - COPY + 1 : block->text;
    struct cursor cursor = { block->bytes + block->nbyte, block->bytes + block->maxbyte, from, safe };
    struct row row = { block->text, NULL, block->cell, block->out, block->value, block->maxrow, block };
    if (i < last) { /* without rows the arrays may be NULL */
        row.cell += i * block->ncell;
        row.out += i;
        row.value += i;
    }
    for (; i < last; i++, row.cell += block->ncell, row.out++, row.value++) {
        row.end = row.text + span[i].at + span[i].n;
        if (!put_row(splice, block, row, &cursor))
            return false;
    }
    block->nbyte = (size_t)(cursor.to - block->bytes);
    return block_put(block, cursor.from, (size_t)(end - cursor.from));
}

bool splice_row(const struct splice *splice, struct block *block, size_t i)
{
    const char *text = block->text + block->row[i].at;
    return print_rows(splice, block, i, i + 1, text, text + block->row[i].n);
}

void splice_print(const struct splice *splice, struct block *block)
{
    if (block->ntext > 0) /* without text block->text may be NULL */
        print_rows(splice, block, 0, block->nrow, block->text, block->text + block->ntext);
}
