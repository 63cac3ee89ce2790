/* .npy: one array of numbers, as numpy.save writes it: a head, which is a Python dictionary in text, and the
 * numbers, row by row. Little-endian float32 and float64 are read, in one or two dimensions and C order; the
 * error for anything else has the line of NumPy that converts. Columns are named by their numbers. The
 * format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html */
#include "formats/binary/binary.h"

#include "io/tempfile.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAXCOLUMN = 1 << 16, /* most columns of an array */
    START = 8,           /* bytes of the magic text and the version */
    DICTIONARY = 4096,   /* a longer dictionary is cut: its array has no numbers alone */
    NEW_HEAD = 128       /* bytes of a new head, as NumPy writes it: a multiple of 64 */
};

#define MAGIC "\x93NUMPY"

/* --- reading --- */

/* A reader. */
struct npy {
    struct binary file;
    size_t nhead;      /* bytes of the head */
    unsigned width;    /* bytes of a number: 4 or 8 */
    uint64_t promised; /* rows by the head */
    size_t ncolumn;
};

static bool sniff(const unsigned char *head, size_t nhead)
{
    size_t n = sizeof MAGIC - 1;
    return nhead >= n && memcmp(head, MAGIC, n) == 0;
}

/* Copies the dictionary to `text`, with a NUL, and sets npy->nhead. */
static bool find_dictionary(struct npy *npy, char text[DICTIONARY], struct error *e)
{
    const unsigned char *bytes = npy->file.bytes;
    const size_t nbyte = npy->file.nbyte;
    if (!sniff(bytes, nbyte))
        return error_data(e, "this is not an npy file: it does not begin with \\x93NUMPY");
    const unsigned width = nbyte >= START && bytes[START - 2] > 1 ? 4 : 2; /* by the version */
    const size_t start = START + width;
    const uint64_t n = nbyte >= start ? word_get(bytes + START, width, false) : 0;
    if (nbyte < start || n > nbyte - start)
        return error_data(e, "the file ends inside its header, after %zu byte%s", nbyte, error_plural(nbyte));
    npy->nhead = start + (size_t)n;
    snprintf(text, DICTIONARY, "%.*s", n < DICTIONARY ? (int)n : DICTIONARY, (const char *)bytes + start);
    return true;
}

/* The value of a key of the dictionary; "": there is no such key. */
static const char *value_of(const char *dictionary, const char *key)
{
    const char *at = strstr(dictionary, key);
    return at ? at + strlen(key) + strspn(at + strlen(key), " ") : "";
}

/* Reads a dictionary such as {'descr': '<f8', 'fortran_order': False, 'shape': (100, 3), }. */
static bool read_dictionary(struct npy *npy, const char *text, struct error *e)
{
    const char *type = value_of(text, "'descr':"), *order = value_of(text, "'fortran_order':"),
               *shape = value_of(text, "'shape':");
    unsigned long long count[3] = { 0, 1, 0 };
    if (!*type || !*order || *shape != '(' || shape[strspn(shape, "(0123456789, ")] != ')') {
        error_data(e, "the header is not a dictionary of descr, fortran_order and shape");
        return error_excerpt(e, text, strcspn(text, "}\n"));
    }
    const int ndim = sscanf(shape, "( %llu , %llu , %llu", &count[0], &count[1], &count[2]);
    const bool single = strncmp(type, "'<f4'", 5) == 0;
    if (!(single || strncmp(type, "'<f8'", 5) == 0) || strncmp(order, "False", 5) != 0 || ndim < 1 ||
        ndim > 2) {
        error_data(e, "only arrays of little-endian float32 or float64 in C order can be read, of one or two "
                      "dimensions");
        error_excerpt(e, text, strcspn(text, "}\n"));
        if (*type == '[')
            return error_hint(e, "in Python: numpy.save(FILE, "
                                 "numpy.lib.recfunctions.structured_to_unstructured(a, '<f8'))");
        return error_hint(e, "in Python: numpy.save(FILE, numpy.ascontiguousarray(a, "
                             "'<f8').reshape(len(a), -1))");
    }
    if (count[1] == 0 || count[1] > MAXCOLUMN) {
        error_data(e, "the array has %llu columns, but 1 to %d can be read", count[1], MAXCOLUMN);
        return error_hint(e, "if its rows are the channels, in Python: numpy.save(FILE, a.T.copy())");
    }
    npy->width = single ? 4 : 8;
    npy->promised = count[0];
    npy->ncolumn = (size_t)count[1];
    return true;
}

/* Compares the rows of the head with the bytes of the file. */
static bool count_rows(struct reader *reader, struct error *e)
{
    struct npy *npy = reader->state;
    const size_t row = npy->ncolumn * npy->width, bytes = npy->file.nbyte - npy->nhead;
    npy->file.nrow = bytes / row;
    format_warn_truncated(reader, "row", npy->promised, npy->file.nrow);
    return npy->file.nrow < npy->promised || bytes == npy->promised * row ||
           error_data(e, "more bytes follow the %llu row%s of the array", (unsigned long long)npy->promised,
                      error_plural(npy->promised));
}

static bool add_columns(struct reader *reader, struct error *e)
{
    struct npy *npy = reader->state;
    struct binary_column where = { .first = npy->file.bytes + npy->nhead,
                                   .stride = npy->ncolumn * npy->width,
                                   .type = { 'f', npy->width, false },
                                   .scale = 1,
                                   .divisor = 1,
                                   .nan = true };
    for (size_t i = 0; i < npy->ncolumn; i++, where.first += npy->width)
        if (!binary_add_column(&npy->file, where, text_format("%zu", i + 1), e))
            return false;
    if (!binary_make_columns(reader, e))
        return false;
    for (size_t i = 0; i < npy->ncolumn && npy->file.nrow > 0; i++) {
        const double x = sample_get(npy->file.column[i].first, where.type);
        reader->table.column[i].number = isfinite(x) ? x : (double)NAN;
    }
    return true;
}

static bool open_npy(struct reader *reader, struct error *e)
{
    char dictionary[DICTIONARY];
    if (!binary_open(reader, sizeof(struct npy), e))
        return false;
    struct npy *npy = reader->state;
    reader->table.named = false;
    reader->table.owns_time = false;
    return find_dictionary(npy, dictionary, e) && read_dictionary(npy, dictionary, e) &&
           count_rows(reader, e) && add_columns(reader, e);
}

/* Times are the decimals that their numbers are printed with. */
static void parse(const struct reader *reader, struct block *block)
{
    binary_parse(reader, block);
    for (size_t row = 0; reader->table.time != COLUMN_NONE && row < block->nrow; row++) {
        char text[NUMBER_MAX];
        struct timestamp *time = &block->time[row];
        number_read_decimal(text, text + number_print(text, time->t, &number_shortest), '.', &time->t,
                            &time->decimal);
    }
}

/* --- writing --- */

/* A writer. The rows wait in memory until their number is known. */
struct array {
    bool same;        /* the output has the rows and columns of the input, which is whole, with new samples;
                         else it is a new array of float64 */
    size_t ncolumn;   /* columns of the input, then added columns */
    struct text rows; /* owned */
};

static bool accept(struct writer *writer, struct error *e)
{
    const struct reader *reader = writer->reader;
    const struct table *table = &reader->table;
    const struct npy *npy = reader->state;
    struct array *array = writer->state = calloc(1, sizeof *array);
    if (!array)
        return error_memory(e);
    array->same = reader->format == writer->format && !writer->resampled && writer->layout->nadded == 0 &&
                  npy->promised == npy->file.nrow;
    array->ncolumn = table->ncolumn + writer->layout->nadded;
    for (size_t i = 0; i < table->ncolumn; i++)
        if (!table->column[i].frame && !format_has_no_text("npy", table, i, e))
            return false;
    return array->ncolumn > 0 || error_data(e, "no columns: npy holds 1 or more");
}

/* Makes the head of a new array: blanks and the end of a line follow the dictionary. */
static void make_head(uint64_t nrow, size_t ncolumn, char bytes[NEW_HEAD])
{
    enum { LENGTH = 2, ROOM = NEW_HEAD - START - LENGTH };
    char dictionary[ROOM];
    snprintf(dictionary, ROOM, "{'descr': '<f8', 'fortran_order': False, 'shape': (%llu, %zu), }",
             (unsigned long long)nrow, ncolumn);
    memcpy(bytes, MAGIC "\1\0", START);
    word_put(bytes + START, ROOM, LENGTH, false);
    snprintf(bytes + START + LENGTH, ROOM, "%-*s", ROOM - 1, dictionary);
    bytes[NEW_HEAD - 1] = '\n';
}

static bool store(struct writer *writer, struct block *block, struct error *e)
{
    struct array *array = writer->state;
    if (block->nbyte > 0)
        text_add(&array->rows, block->bytes, block->nbyte);
    return !array->rows.failed || error_memory(e);
}

static bool finish(struct writer *writer, struct block *block, struct error *e)
{
    const struct array *array = writer->state;
    const struct binary *file = writer->reader->state;
    char head[NEW_HEAD];
    (void)block;
    if (array->same)
        return tempfile_put(writer->fd, (const char *)file->bytes, file->nbyte, e);
    const uint64_t nrow = array->rows.n / (array->ncolumn * sizeof(double));
    make_head(nrow, array->ncolumn, head);
    return tempfile_put(writer->fd, head, sizeof head, e) &&
           tempfile_put(writer->fd, array->rows.bytes, array->rows.n, e);
}

static void end(struct writer *writer)
{
    struct array *array = writer->state;
    if (!array)
        return;
    free(array->rows.bytes);
    free(array);
    writer->state = NULL;
}

/* Sets *x to the number of column i of the output in a row; NaN: a gap. False and block->error: a text. */
static bool find_number(const struct writer *writer, struct block *block, size_t i, size_t row, double *x)
{
    const size_t ncolumn = writer->reader->table.ncolumn;
    size_t out = COLUMN_NONE;
    if (i >= ncolumn)
        out = writer->layout->added[i - ncolumn].out;
    else if (writer_replaces(writer, block, row, i))
        out = writer->layout->replace[i];
    if (out == COLUMN_NONE)
        return format_cell_number(writer->reader, block, row, i, "npy", x);
    *x = block_out(block, out)[row];
    return true;
}

static bool put_row(const struct writer *writer, struct block *block, size_t row)
{
    const struct array *array = writer->state;
    for (size_t i = 0; i < array->ncolumn; i++) {
        unsigned char bytes[sizeof(double)];
        double x;
        if (!find_number(writer, block, i, row, &x))
            return false;
        sample_put(bytes, (struct sample_type){ 'f', sizeof x, false }, x);
        if (!block_put(block, (const char *)bytes, sizeof bytes))
            return false;
    }
    return true;
}

static void print(const struct writer *writer, struct block *block)
{
    const struct array *array = writer->state;
    if (array->same)
        binary_print(writer, block);
    else
        format_print_rows(writer, block, put_row);
}

const struct format format_npy = {
    .name = "npy",
    .family = FAMILY_ARRAY,
    .suffixes = (const char *const[]){ ".npy", NULL },
    .sniff = sniff,
    .open = open_npy,
    .load = binary_load,
    .parse = parse,
    .cell = binary_cell,
    .close = binary_close,
    .accept = accept,
    .print = print,
    .store = store,
    .finish = finish,
    .end = end,
    .keeps_shape = true,
};
