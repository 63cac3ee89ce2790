/* Rows of .npy files. They come as the bytes come, from a file and from a pipe alike. See npy.h. */
#include "formats/binary/npy.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    PIECE = 64 * 1024, /* bytes of a read */
    BLOCK = 16 * 1024  /* numbers of a block */
};

/* --- numbers --- */

SAMPLE_INLINE void decode(const unsigned char *from, size_t stride, size_t n, struct sample_type type,
                          double *to)
{
    for (size_t i = 0; i < n; i++)
        to[i] = sample_get(from + i * stride, type);
}

/* Reads the numbers of a column in the rows of a block. For the types of most files the compiler makes loops
 * of their own. */
static void read_column(const struct npy_head *head, const struct block *block, size_t column, double *to)
{
    const struct sample_type type = head->type;
    const unsigned char *from = npy_place(head, block, column);
    size_t stride = npy_row_bytes(head);
    bool little_real = type.kind == 'f' && !type.big;
    if (little_real && type.width == 4)
        decode(from, stride, block->nrow, SAMPLE_FLOAT, to);
    else if (little_real)
        decode(from, stride, block->nrow, (struct sample_type){ 'f', 8, false }, to);
    else
        decode(from, stride, block->nrow, type, to);
}

/* Prints a finite number, without NUL; integers exactly. Returns its bytes. */
static size_t print_number(const unsigned char *at, struct sample_type type, char to[NUMBER_MAX])
{
    uint64_t word = word_get(at, type.width, type.big);
    unsigned unused = 64 - 8 * type.width;
    if (type.kind == 'u')
        return (size_t)snprintf(to, NUMBER_MAX, "%llu", (unsigned long long)word);
    if (type.kind == 'i')
        return (size_t)snprintf(to, NUMBER_MAX, "%lld", (long long)((int64_t)(word << unused) >> unused));
    return number_print(to, sample_get(at, type), &number_shortest);
}

/* --- bytes in --- */

/* Reads until rest has n bytes, or the input ends. */
static bool fetch(struct reader *reader, size_t n, struct error *e)
{
    struct npy *npy = reader->state;
    while (npy->nrest < n && !npy->ended) {
        size_t got;
        if (!array_reserve(&npy->rest, npy->nrest + PIECE, &npy->maxrest, 1, e) ||
            !source_read(reader->source, npy->rest + npy->nrest, npy->maxrest - npy->nrest, &got, e))
            return false;
        npy->nrest += got;
        npy->ended = got == 0;
    }
    return true;
}

/* Removes the first n bytes of rest. */
static void drop(struct npy *npy, size_t n)
{
    npy->nrest -= n;
    memmove(npy->rest, npy->rest + n, npy->nrest);
}

/* Fetches n bytes of the head. */
static bool fetch_head(struct reader *reader, size_t n, struct error *e)
{
    const struct npy *npy = reader->state;
    if (!fetch(reader, n, e))
        return false;
    if (npy->nrest == 0)
        return error_data(e, "the file is empty");
    return npy->nrest >= n || error_data(e, "the file ends inside its header, after %zu byte%s", npy->nrest,
                                         error_plural(npy->nrest));
}

static bool sniff(const unsigned char *head, size_t nhead)
{
    size_t n = sizeof NPY_MAGIC - 1;
    return nhead >= n && memcmp(head, NPY_MAGIC, n) == 0;
}

static bool read_head(struct reader *reader, struct error *e)
{
    struct npy *npy = reader->state;
    if (!fetch_head(reader, NPY_START, e))
        return false;
    if (!sniff((const unsigned char *)npy->rest, npy->nrest))
        return error_data(e, "this is not an npy file: it does not begin with \\x93NUMPY");
    unsigned version = (unsigned char)npy->rest[6], minor = (unsigned char)npy->rest[7];
    if (version < 1 || version > 3 || minor > 0)
        return error_data(e, "unknown npy version %u.%u: 1.0, 2.0 and 3.0 can be read", version, minor);
    unsigned width = version == 1 ? 2 : 4;
    size_t start = NPY_START + width;
    if (!fetch_head(reader, start, e))
        return false;
    uint64_t n = word_get((const unsigned char *)npy->rest + NPY_START, width, false);
    if (n > NPY_MAXHEAD)
        return error_data(e, "the header has %llu bytes; at most %d are read", (unsigned long long)n,
                          NPY_MAXHEAD);
    struct npy_head *head = &npy->head;
    size_t end = start + (size_t)n;
    if (!fetch_head(reader, end, e))
        return false;
    head->bytes = malloc(end);
    if (!head->bytes)
        return error_memory(e);
    memcpy(head->bytes, npy->rest, end);
    head->n = end;
    drop(npy, end);
    return npy_head_parse(head, start, e);
}

/* --- columns --- */

static bool add_columns(struct reader *reader, struct error *e)
{
    const struct npy *npy = reader->state;
    for (size_t i = 0; i < npy->head.ncolumn; i++) {
        char name[24];
        int n = snprintf(name, sizeof name, "%zu", i + 1);
        if (!columns_add(&reader->columns, name, (size_t)n, e))
            return false;
        reader->columns.column[i].first = CELL_NUMBER;
    }
    return true;
}

/* Reads the rows that decide about the roles of columns; they stay in rest. */
static bool read_first_rows(struct reader *reader, struct error *e)
{
    struct npy *npy = reader->state;
    struct columns *columns = &reader->columns;
    size_t row = npy_row_bytes(&npy->head);
    double *number = calloc(columns->ncolumn, sizeof *number);
    bool good = number || error_memory(e);
    for (size_t k = 0; good && k < npy->head.nrow && columns_want_row(columns, reader->options->seeks_time);
         k++) {
        good = fetch(reader, (k + 1) * row, e);
        if (!good || npy->nrest < (k + 1) * row)
            break;
        const unsigned char *at = (const unsigned char *)npy->rest + k * row;
        for (size_t i = 0; i < columns->ncolumn; i++) {
            double x = sample_get(at + i * npy->head.type.width, npy->head.type);
            number[i] = isfinite(x) ? x : (double)NAN;
            if (k == 0)
                columns->column[i].number = number[i];
        }
        good = columns_add_row(columns, number, e);
    }
    free(number);
    return good;
}

static bool open_npy(struct reader *reader, struct error *e)
{
    reader->state = calloc(1, sizeof(struct npy));
    if (!reader->state)
        return error_memory(e);
    return read_head(reader, e) && add_columns(reader, e) && read_first_rows(reader, e);
}

/* --- rows --- */

/* Checks, after the last row, that the file has the rows of its head and no other bytes. */
static bool check_end(struct reader *reader, struct error *e)
{
    struct npy *npy = reader->state;
    const struct npy_head *head = &npy->head;
    if (npy->nrow < head->nrow)
        return format_is_whole(reader, "row", head->nrow, npy->nrow, e);
    if (!fetch(reader, 1, e))
        return false;
    if (npy->nrest == 0)
        return true;
    error_data(e, "more bytes follow the %llu row%s of the array", (unsigned long long)head->nrow,
               error_plural(head->nrow));
    return error_hint(e, "to read only the array: head -c %llu FILE | sprung ...",
                      (unsigned long long)(head->n + head->nrow * npy_row_bytes(head)));
}

static enum loaded load(struct reader *reader, struct block *block, struct error *e)
{
    struct npy *npy = reader->state;
    const struct npy_head *head = &npy->head;
    size_t row = npy_row_bytes(head), most = head->ncolumn < BLOCK ? BLOCK / head->ncolumn : 1;
    uint64_t left = head->nrow - npy->nrow;
    if (left > 0 && !fetch(reader, row, e))
        return LOAD_ERROR;
    size_t n = npy->nrest / row;
    n = n < most ? n : most;
    n = n < left ? n : (size_t)left;
    if (n == 0)
        return check_end(reader, e) ? LOAD_END : LOAD_ERROR;
    if (!block_reserve_text(block, n * row, e) || !format_reserve_frames(block, n, reader_shape(reader), e))
        return LOAD_ERROR;
    memcpy(block->text, npy->rest, n * row);
    drop(npy, n * row);
    block->ntext = n * row;
    block->nrow = n;
    block->nline = 0;
    block->firstrow = npy->nrow;
    npy->nrow += n;
    return LOAD_ROWS;
}

/* Ends the rows of the block before a row whose number is of no use. */
static void refuse_number(const struct reader *reader, struct block *block, size_t column, size_t row,
                          const char *what)
{
    error_data(&block->error, "row %llu: %s", (unsigned long long)(block->firstrow + row + 1), what);
    error_column(&block->error, reader->columns.column[column].name);
    block->nrow = row;
}

/* Reads the times of the rows, as the decimals that their numbers are printed with. */
static void read_times(const struct reader *reader, struct block *block)
{
    const struct npy_head *head = &((const struct npy *)reader->state)->head;
    size_t time = reader->plan->time;
    const unsigned char *at = npy_place(head, block, time);
    for (size_t row = 0; row < block->nrow; row++, at += npy_row_bytes(head)) {
        char text[NUMBER_MAX];
        struct timestamp *now = &block->time[row];
        *now = (struct timestamp){ .t = (double)NAN };
        if (isfinite(sample_get(at, head->type)))
            number_read_decimal(text, text + print_number(at, head->type, text), '.', &now->t, &now->decimal);
        else if (!reader->lenient)
            refuse_number(reader, block, time, row, "the time is not a number");
    }
}

static void parse(const struct reader *reader, struct block *block)
{
    const struct npy_head *head = &((const struct npy *)reader->state)->head;
    for (size_t i = 0; i < reader->columns.ncolumn; i++) {
        if (plan_use(reader->plan, i)->value == COLUMN_NONE)
            continue;
        double *value = block_value(block, plan_use(reader->plan, i)->value);
        read_column(head, block, i, value);
        for (size_t row = 0; head->type.kind == 'f' && row < block->nrow; row++) {
            if (isinf(value[row]) && !reader->lenient)
                refuse_number(reader, block, i, row, "the number is infinite");
            value[row] = isinf(value[row]) ? (double)NAN : value[row];
        }
    }
    if (reader->plan->time != COLUMN_NONE)
        read_times(reader, block);
}

static void cell(const struct reader *reader, const struct block *block, size_t row, size_t column,
                 struct cell_text *cell)
{
    const struct npy_head *head = &((const struct npy *)reader->state)->head;
    const unsigned char *at = npy_place(head, block, column) + row * npy_row_bytes(head);
    if (head->type.kind == 'f') {
        format_number_cell(reader, sample_get(at, head->type), cell);
        return;
    }
    cell->n = print_number(at, head->type, cell->room);
    cell->text = cell->room;
}

static void close(struct reader *reader)
{
    struct npy *npy = reader->state;
    if (npy) {
        free(npy->head.bytes);
        free(npy->rest);
    }
    free(npy);
    reader->state = NULL;
}

const struct format format_npy = {
    .name = "npy",
    .family = FAMILY_ARRAY,
    .suffixes = (const char *const[]){ ".npy", NULL },
    .summary = "NumPy array: columns of floats or integers",
    .keeps = "Keeps the header, the type of the numbers, and every number that does not change.",
    .sniff = sniff,
    .open = open_npy,
    .load = load,
    .parse = parse,
    .cell = cell,
    .close = close,
    .accept = npy_accept,
    .begin = npy_begin,
    .print = npy_print,
    .store = npy_store,
    .finish = npy_finish,
    .end = npy_end,
    .keeps_shape = true,
};
