/* Writing csv, and rows of motion capture. Rows of the same format are the text of the input with numbers in
 * place of cells; rows of other formats are composed. */
#include "formats/csv/csv.h"

#include <math.h>
#include <stdlib.h>

static const char gap_word[] =
    "nan"; /* in the only column, and between blanks: an empty cell is no cell there */

/* Appends a text, in quotes if the text contains a quote, a line end or the delimiter, or has blanks at an
 * end. */
static bool put_quoted(const struct writer *w, struct block *b, const char *text, size_t n)
{
    const struct csv_writer *csv_writer = w->state;
    if (csv_writer->bare)
        return block_put(b, text, n);
    const char marks[] = { '"', '\n', '\r', csv_writer->delimiter };
    bool quotes = n > 0 && (text[0] == ' ' || text[0] == '\t' || text[n - 1] == ' ' || text[n - 1] == '\t');
    for (size_t i = 0; i < sizeof marks; i++)
        quotes |= memchr(text, marks[i], n) != NULL;
    if (!quotes)
        return block_put(b, text, n);
    bool good = block_put(b, "\"", 1);
    for (size_t i = 0; i < n && good; i++)
        good = (text[i] != '"' || block_put(b, "\"", 1)) && block_put(b, text + i, 1);
    return good && block_put(b, "\"", 1);
}

bool csv_put_delimiter(const struct writer *w, struct block *b)
{
    const struct csv_writer *csv_writer = w->state;
    return block_put(b, &csv_writer->delimiter, 1);
}

bool csv_splice(const struct writer *w, struct error *e)
{
    const struct columns *t = &w->reader->columns;
    const struct csv *csv = w->reader->state;
    struct csv_writer *csv_writer = w->state;
    csv_writer->splice.writer = w;
    for (size_t i = t->counted; i < t->ncolumn + w->layout->nadded; i++) {
        const struct column *column = i < t->ncolumn ? &t->column[i] : NULL;
        struct splice_piece piece = { .cell = SPLICE_ROW, .text = &csv_writer->delimiter, .ntext = 1 };
        if (column)
            piece = (struct splice_piece){ .cell = column->cell,
                                           .replace = true,
                                           .value = column->value,
                                           .anew = column->value == COLUMN_NONE };
        if (column && csv->align)
            piece.align = csv->align[i];
        piece.out = column ? w->layout->replace[i] : w->layout->added[i - t->ncolumn].out;
        if (piece.out != COLUMN_NONE && !splice_add(&csv_writer->splice, piece, e))
            return false;
    }
    return true;
}

/* Puts the names from number first on: of columns, then of added ones. */
static bool put_names(const struct writer *w, struct block *b, size_t first)
{
    const struct columns *t = &w->reader->columns;
    for (size_t i = first; i < t->ncolumn + w->layout->nadded; i++) {
        const char *name = i < t->ncolumn ? t->column[i].name : w->layout->added[i - t->ncolumn].name;
        if (i < t->ncolumn && t->column[i].role == ROLE_ABSENT)
            continue;
        if ((i > 0 && !csv_put_delimiter(w, b)) || !put_quoted(w, b, name, strlen(name)))
            return false;
    }
    return true;
}

/* Has the head a line of that kind? */
static bool has_line(const struct writer *w, enum csv_line_kind kind)
{
    const struct csv *csv = w->reader->state;
    for (size_t i = 0; i < csv->nline; i++)
        if (csv->line[i].kind == kind)
            return true;
    return false;
}

/* Puts the cells of added columns into a line of the head. */
static bool put_head_cells(const struct writer *w, struct block *b, const struct csv_line *line)
{
    const struct columns *t = &w->reader->columns;
    const struct output_columns *l = w->layout;
    bool good = true;
    for (size_t i = 0; i < line->missing && l->nadded > 0; i++)
        good = good && csv_put_delimiter(w, b);
    for (size_t i = 0; good && i < l->nadded; i++) {
        const char *name = l->added[i].name, *stem = t->column[l->added[i].column].name;
        const char *dot = t->stacked ? strrchr(stem, '.') : NULL;
        size_t above = dot && strncmp(name, stem, (size_t)(dot - stem) + 1) == 0 ? (size_t)(dot - stem) : 0;
        bool split = w->reader->format == w->format && above > 0 && has_line(w, CSV_ABOVE);
        good = csv_put_delimiter(w, b);
        if (good && line->kind == CSV_ABOVE)
            good = put_quoted(w, b, name, split ? above : 0);
        else if (good && line->kind == CSV_NAMES) {
            const char *last = split ? name + above + 1 : name;
            good = put_quoted(w, b, last, strlen(last));
        }
    }
    return good;
}

/* Puts the head of the input with cells for the added columns, and with the rate of resampled rows. */
static bool put_head(const struct writer *w, struct block *b)
{
    const struct csv *csv = w->reader->state;
    size_t from = 0;
    if (w->resampled && csv->nrate > 0) {
        from = csv->rate + csv->nrate;
        if (!block_put(b, csv->head, csv->rate) || !block_put_number(b, w->rate, &number_shortest))
            return false;
    }
    for (size_t i = 0; i < csv->nline; i++) {
        const struct csv_line *line = &csv->line[i];
        if (line->at < from) /* the line of the rate */
            continue;
        if (!block_put(b, csv->head + from, line->at - from) || !put_head_cells(w, b, line))
            return false;
        from = line->at;
    }
    return block_put(b, csv->head + from, csv->nhead - from);
}

/* --- composed rows --- */

static bool put_number(const struct writer *w, struct block *b, size_t row, size_t out)
{
    const struct csv_writer *csv_writer = w->state;
    char text[NUMBER_MAX];
    if (w->number.point == csv_writer->delimiter && !isnan(block_out(b, out)[row]))
        return put_quoted(w, b, text, writer_print(w, b, row, out, text));
    return writer_put(w, b, row, out, csv_writer->splice.gap);
}

/* The text is unquoted behind the room for the quoted result; unquoting never makes it longer. */
bool csv_put_unfiltered(const struct writer *w, struct block *b, size_t row, size_t column)
{
    const struct csv_writer *csv_writer = w->state;
    const struct reader *r = w->reader;
    size_t index = r->columns.column[column].cell;
    struct cell_text cell = { 0 };
    if (r->format->cell && index != COLUMN_NONE) {
        size_t max = b->cell[row * b->ncell + index].n + (size_t)NUMBER_MAX;
        if (!block_room(b, 3 * max + 2))
            return false;
        cell.room = b->bytes + b->nbyte + 2 * max + 2;
        cell.maxroom = max;
        r->format->cell(r, b, row, column, &cell);
    }
    return csv_writer->put_text(w, b, row, column, &cell);
}

bool csv_put_cell(const struct writer *w, struct block *b, size_t row, size_t column)
{
    return writer_replaces(w, b, row, column) ? put_number(w, b, row, w->layout->replace[column])
                                              : csv_put_unfiltered(w, b, row, column);
}

bool csv_put_added(const struct writer *w, struct block *b, size_t row)
{
    for (size_t i = 0; i < w->layout->nadded; i++)
        if (!csv_put_delimiter(w, b) || !put_number(w, b, row, w->layout->added[i].out))
            return false;
    return true;
}

static bool put_text(const struct writer *w, struct block *b, size_t row, size_t column,
                     const struct cell_text *cell)
{
    if (!cell->text)
        return true;
    if (!memchr(cell->text, 0, cell->n))
        return put_quoted(w, b, cell->text, cell->n);
    error_data(&b->error, "a text with a NUL byte in it, which no %s can hold", w->format->name);
    error_column(&b->error, w->reader->columns.column[column].name);
    error_hint(&b->error, "--to json or --to jsonl keeps it");
    return error_place(&b->error, block_line(b, row));
}

static bool compose_row(const struct writer *w, struct block *b, size_t row)
{
    const struct columns *t = &w->reader->columns;
    size_t start = b->nbyte;
    for (size_t i = 0; i < t->ncolumn; i++)
        if (t->column[i].role != ROLE_ABSENT &&
            ((i > 0 && !csv_put_delimiter(w, b)) || !csv_put_cell(w, b, row, i)))
            return false;
    return csv_put_added(w, b, row) && (b->nbyte > start || block_put(b, gap_word, strlen(gap_word))) &&
           block_put(b, "\n", 1);
}

/* --- the writer --- */

bool csv_begin(struct writer *w, struct block *b, struct error *e)
{
    struct csv_writer *csv_writer = w->state = calloc(1, sizeof *csv_writer);
    const struct reader *r = w->reader;
    const struct csv *csv = r->state;
    const char *given = r->options->delimiter;
    if (!csv_writer)
        return error_memory(e);
    csv_writer->same = r->format == w->format;
    csv_writer->delimiter = csv_writer->same ? csv->delimiter : *(const char *)w->format->kind;
    if (given && r->format->family != FAMILY_TEXT) {
        if (strcmp(given, "blanks") == 0)
            return error_usage(e, "--delimiter blanks reads aligned columns, and does not write them");
        csv_writer->delimiter = strlen(given) == 1 ? *given : '\t';
    }
    bool lone = csv_writer->same && r->columns.ncolumn == 1 && (w->resampled || w->layout->nadded == 0);
    csv_writer->bare = csv_writer->same && csv->bare;
    csv_writer->splice.gap = lone || csv_writer->bare ? gap_word : "";
    csv_writer->put_text = put_text;
    csv_writer->compose = compose_row;
    if (csv_writer->same && !csv_splice(w, e))
        return false;
    if (csv_writer->same ? put_head(w, b)
                         : !r->columns.named || (put_names(w, b, 0) && block_put(b, "\n", 1)))
        return true;
    *e = b->error;
    return false;
}

static bool put_row(const struct writer *w, struct block *b, size_t row)
{
    const struct csv_writer *csv_writer = w->state;
    const struct csv *csv = w->reader->state;
    if (!csv_writer->same)
        return csv_writer->compose(w, b, row);
    return splice_row(&csv_writer->splice, b, row) && (!csv->crlf || block_put(b, "\r", 1)) &&
           block_put(b, &csv->eol, 1);
}

void csv_print(const struct writer *w, struct block *b)
{
    const struct csv_writer *csv_writer = w->state;
    if (csv_writer->same && !w->resampled)
        splice_print(&csv_writer->splice, b);
    else
        format_print_rows(w, b, put_row);
}

void csv_end(struct writer *w)
{
    struct csv_writer *csv_writer = w->state;
    if (csv_writer)
        splice_free(&csv_writer->splice);
    free(csv_writer);
    w->state = NULL;
}
