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
    MAXHEAD = 1 << 16,   /* most bytes of the dictionary */
    START = 8,           /* bytes of the magic text and the version */
    ALIGN = 64,          /* a head that NumPy writes has a multiple of ALIGN bytes */
    COUNT_ROOM = 21,     /* bytes that NumPy reserves for a growing number of rows */
    NEW_HEAD = 256       /* room for a new head */
};

#define MAGIC "\x93NUMPY"

/* --- reading --- */

/* A reader. */
struct npy {
    struct binary file;
    size_t nhead;      /* bytes of the head */
    unsigned width;    /* bytes of a number: 4 or 8 */
    unsigned ndim;     /* dimensions: 1 or 2 */
    uint64_t promised; /* rows by the head */
    size_t ncolumn;
};

static bool sniff(const unsigned char *head, size_t nhead)
{
    size_t n = sizeof MAGIC - 1;
    return nhead >= n && memcmp(head, MAGIC, n) == 0;
}

/* Sets *text to a copy of the dictionary, with a NUL, and npy->nhead. */
static bool find_dictionary(struct npy *npy, char **text, struct error *e)
{
    const unsigned char *bytes = npy->file.bytes;
    const size_t nbyte = npy->file.nbyte;
    if (!sniff(bytes, nbyte))
        return error_data(e, "this is not an npy file: it does not begin with \\x93NUMPY");
    const unsigned version = nbyte >= START ? bytes[START - 2] : 1;
    if (version < 1 || version > 3)
        return error_data(e, "unknown npy version %u: 1, 2 and 3 can be read", version);
    const unsigned width = version == 1 ? 2 : 4;
    const size_t start = START + width;
    const uint64_t n = nbyte >= start ? word_get(bytes + START, width, false) : 0;
    if (nbyte < start || n > nbyte - start)
        return error_data(e, "the file ends inside its header, after %zu byte%s", nbyte, error_plural(nbyte));
    if (n > MAXHEAD)
        return error_data(e, "the header has %llu bytes; at most %d are read", (unsigned long long)n,
                          MAXHEAD);
    npy->nhead = start + (size_t)n;
    *text = binary_keep(&npy->file, calloc(1, (size_t)n + 1), e);
    if (*text)
        memcpy(*text, bytes + start, (size_t)n);
    return *text != NULL;
}

/* The value of a key of the dictionary; NULL: there is no such key. */
static const char *value_of(const char *dictionary, const char *key)
{
    const char *at = strstr(dictionary, key);
    if (!at)
        return NULL;
    at += strlen(key);
    return at + strspn(at, " ");
}

static bool refuse(const char *what, const char *way_out, struct error *e)
{
    error_data(e, "the array holds %s; only little-endian float32 and float64 in C order can be read", what);
    return error_hint(e, "in Python: numpy.save(FILE, %s)", way_out);
}

/* Reads a type such as '<f8'. */
static bool read_type(const char *type, unsigned *width, struct error *e)
{
    const char *const convert = "numpy.ascontiguousarray(a, '<f8')";
    if (type[0] == '[')
        return refuse("structured data", "numpy.lib.recfunctions.structured_to_unstructured(a, '<f8')", e);
    *width = strncmp(type, "'<f4'", 5) == 0 ? 4 : 8;
    if (*width == 4 || strncmp(type, "'<f8'", 5) == 0)
        return true;
    char what[24];
    snprintf(what, sizeof what, "%.*s", (int)strcspn(type, ","), type);
    return refuse(what, strchr(what, 'c') ? "a.view('<f8')" : convert, e);
}

/* Reads a shape such as (100, 3). False: the text is no shape. */
static bool read_shape(const char *shape, uint64_t count[2], unsigned *ndim)
{
    if (*shape != '(')
        return false;
    const char *at = shape + 1 + strspn(shape + 1, " ");
    for (*ndim = 0; *at >= '0' && *at <= '9'; ++*ndim) {
        char *end;
        const unsigned long long n = strtoull(at, &end, 10);
        if (*ndim < 2)
            count[*ndim] = n;
        at = end + strspn(end, ", ");
    }
    return *at == ')';
}

static bool read_dictionary(struct npy *npy, const char *text, struct error *e)
{
    const char *type = value_of(text, "'descr':"), *fortran = value_of(text, "'fortran_order':"),
               *shape = value_of(text, "'shape':");
    uint64_t count[2] = { 0, 1 };
    if (!type || !fortran || !shape || !read_shape(shape, count, &npy->ndim)) {
        error_data(e, "the header is not a dictionary of descr, fortran_order and shape");
        return error_excerpt(e, text, strcspn(text, "\n"));
    }
    if (!read_type(type, &npy->width, e))
        return false;
    if (npy->ndim < 1 || npy->ndim > 2) {
        error_data(e, "the array has %u dimensions, but a series has 1 or 2", npy->ndim);
        return error_hint(e, "in Python: numpy.save(FILE, %s)", npy->ndim ? "a.reshape(len(a), -1)" : "[a]");
    }
    if (strncmp(fortran, "True", 4) == 0)
        return refuse("its numbers column by column", "numpy.ascontiguousarray(a)", e);
    if (count[1] == 0)
        return error_data(e, "the array has no columns");
    if (count[1] > MAXCOLUMN) {
        error_data(e, "the array has %llu columns; at most %d can be read", (unsigned long long)count[1],
                   MAXCOLUMN);
        return error_hint(e, "if its rows are the channels, in Python: numpy.save(FILE, a.T.copy())");
    }
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
    if (npy->file.nrow < npy->promised || bytes == npy->promised * row)
        return true;
    error_data(e, "more bytes follow the %llu row%s of the array", (unsigned long long)npy->promised,
               error_plural(npy->promised));
    return error_hint(e, "to read only the array: head -c %llu FILE | sprung ...",
                      (unsigned long long)(npy->nhead + npy->promised * row));
}

static bool add_columns(struct reader *reader, struct error *e)
{
    const struct npy *npy = reader->state;
    struct binary_column where = { .first = npy->file.bytes + npy->nhead,
                                   .stride = npy->ncolumn * npy->width,
                                   .type = { 'f', npy->width, false },
                                   .scale = 1 };
    for (size_t i = 0; i < npy->ncolumn; i++, where.first += npy->width) {
        char name[24];
        int n = snprintf(name, sizeof name, "%zu", i + 1);
        if (!binary_add_column(reader, name, (size_t)n, where, e))
            return false;
        const double x = npy->file.nrow > 0 ? sample_get(where.first, where.type) : (double)NAN;
        reader->table.column[i].number = isfinite(x) ? x : (double)NAN;
    }
    return true;
}

static bool open_npy(struct reader *reader, struct error *e)
{
    char *dictionary;
    if (!binary_open(reader, sizeof(struct npy), e))
        return false;
    struct npy *npy = reader->state;
    reader->table.named = false;
    reader->table.owns_time = false;
    npy->file.row = "row";
    npy->file.firstrow = 1;
    return find_dictionary(npy, &dictionary, e) && read_dictionary(npy, dictionary, e) &&
           count_rows(reader, e) && add_columns(reader, e);
}

/* Times are the decimals that their numbers are printed with. */
static void parse(const struct reader *reader, struct block *block)
{
    binary_parse(reader, block);
    for (size_t row = 0; reader->table.time != COLUMN_NONE && row < block->nrow; row++) {
        char text[NUMBER_MAX];
        struct timestamp *time = &block->time[row];
        if (isfinite(time->t)) {
            number_read_decimal(text, text + number_print(text, time->t, &number_shortest), '.', &time->t,
                                &time->decimal);
        } else if (!reader->lenient) {
            binary_refuse(reader, block, reader->table.time, row, "the time is not a number");
        }
    }
}

/* --- writing --- */

/* Where the numbers of a column of the output come from. */
struct array_source {
    size_t column; /* of the input */
    size_t out;    /* block->out column; COLUMN_NONE: the numbers of the input */
    bool added;    /* the input has no such column */
};

/* A writer. The output waits in a file until the number of rows is known. */
struct array {
    const struct npy *input;     /* the reader of the rows; NULL: they are of another format */
    unsigned width;              /* bytes of a number: 4 or 8 */
    struct array_source *source; /* [ncolumn] owned */
    size_t ncolumn;
    struct tempfile file; /* the output */
    size_t nhead;         /* bytes of the head */
    bool same_head;       /* the head is that of the input */
};

static bool accept(struct writer *writer, struct error *e)
{
    const struct table *table = &writer->reader->table;
    const struct output_columns *layout = writer->layout;
    struct array *array = writer->state = calloc(1, sizeof *array);
    if (!array)
        return error_memory(e);
    array->file.fd = -1;
    array->input = writer->reader->format == writer->format ? writer->reader->state : NULL;
    array->width = array->input ? array->input->width : 8;
    array->source = calloc(table->ncolumn + layout->nadded + 1, sizeof *array->source);
    if (!array->source)
        return error_memory(e);
    for (size_t i = 0; i < table->ncolumn; i++) {
        if (!table->column[i].frame && !format_has_no_text("npy", &writer->reader->table, i, e))
            return false;
        array->source[array->ncolumn++] = (struct array_source){ i, layout->replace[i], false };
    }
    for (size_t i = 0; i < layout->nadded; i++)
        array->source[array->ncolumn++] = (struct array_source){ layout->added[i].column,
                                                                 layout->added[i].out, true };
    if (array->ncolumn > 0 && array->ncolumn <= MAXCOLUMN)
        return true;
    error_data(e, "%zu columns; npy holds 1 to %d", array->ncolumn, MAXCOLUMN);
    return error_hint(e, "use --to csv");
}

/* Writes the head for a number of rows into `bytes`. Returns its bytes, which are the same for any number of
 * rows. */
static size_t make_head(const struct array *array, uint64_t nrow, char bytes[NEW_HEAD])
{
    char columns[24] = "";
    const bool table = !array->input || array->input->ndim == 2 || array->ncolumn > 1;
    if (table)
        snprintf(columns, sizeof columns, " %zu", array->ncolumn);
    const int ncount = snprintf(NULL, 0, "%llu", (unsigned long long)nrow);
    const size_t start = START + 2;
    memcpy(bytes, MAGIC "\1\0", START);
    const int nword = snprintf(bytes + start, NEW_HEAD - start,
                               "{'descr': '<f%u', 'fortran_order': False, 'shape': (%llu,%s), }",
                               array->width, (unsigned long long)nrow, columns);
    const size_t end = start + (size_t)nword, least = end + (size_t)(COUNT_ROOM - ncount) + 1;
    const size_t n = least + ALIGN - least % ALIGN;
    memset(bytes + end, ' ', n - end);
    bytes[n - 1] = '\n';
    word_put((unsigned char *)bytes + START, n - start, 2, false);
    return n;
}

static bool begin(struct writer *writer, struct block *block, struct error *e)
{
    struct array *array = writer->state;
    const struct npy *input = array->input;
    char new_head[NEW_HEAD];
    const char *head = new_head;
    array->same_head = input && input->promised == input->file.nrow && input->ncolumn == array->ncolumn &&
                       !writer->resampled;
    if (array->same_head) {
        head = (const char *)input->file.bytes;
        array->nhead = input->nhead;
    } else {
        array->nhead = make_head(array, 0, new_head);
    }
    if (!tempfile_open(&array->file, writer->fd, e))
        return false;
    array->file.out = writer->fd;
    return block_put(block, head, array->nhead) || error_memory(e);
}

static bool store(struct writer *writer, struct block *block, struct error *e)
{
    struct array *array = writer->state;
    return tempfile_write(&array->file, array->file.size, block->bytes, block->nbyte, e);
}

static bool finish(struct writer *writer, struct block *block, struct error *e)
{
    struct array *array = writer->state;
    char head[NEW_HEAD];
    (void)block;
    if (!array->same_head) {
        make_head(array, (array->file.size - array->nhead) / (array->ncolumn * array->width), head);
        if (!tempfile_write(&array->file, 0, head, array->nhead, e))
            return false;
    }
    return tempfile_finish(&array->file, e);
}

static void end(struct writer *writer)
{
    struct array *array = writer->state;
    if (!array)
        return;
    tempfile_close(&array->file);
    free(array->source);
    free(array);
    writer->state = NULL;
}

/* Sets *x to the number of a column in a row; NaN: a gap. False and block->error: a text. */
static bool find_number(const struct writer *writer, struct block *block, const struct array_source *source,
                        size_t row, double *x)
{
    const struct array *array = writer->state;
    const struct reader *reader = writer->reader;
    const size_t value = table_column(&reader->table, source->column)->value;
    if (source->added || writer_replaces(writer, block, row, source->column)) {
        *x = block_out(block, source->out)[row];
        const bool unchanged = !source->added && value != COLUMN_NONE && *x == block_value(block, value)[row];
        if (unchanged)
            *x = block_value(block, value)[row]; /* perhaps -0 */
        return true;
    }
    if (!array->input)
        return format_cell_number(reader, block, row, source->column, "npy", x);
    *x = binary_number(reader, block, row, source->column);
    return true;
}

/* Prints the number of a column in a row. False and block->error: there is no such number in the type. */
static bool print_number(const struct writer *writer, struct block *block, const struct array_source *source,
                         size_t row, unsigned char *to)
{
    const struct array *array = writer->state;
    double x;
    uint64_t word = 0;
    if (!find_number(writer, block, source, row, &x))
        return false;
    const float single = (float)x;
    if (array->width == 8)
        memcpy(&word, &x, sizeof x);
    else
        memcpy(&word, &single, sizeof single);
    if (array->width == 8 || !isinf(single) || isinf(x)) {
        word_put(to, word, array->width, false);
        return true;
    }
    error_data(&block->error, "row %llu: %g does not fit into float32",
               (unsigned long long)(block->firstrow + row + 1), x);
    error_hint(&block->error, "use --to csv");
    return error_column(&block->error, writer->reader->table.column[source->column].name);
}

/* After an error in a column, further columns are printed up to the row of the error, so that only the error
 * of an earlier row takes its place. */
static void print(const struct writer *writer, struct block *block)
{
    const struct array *array = writer->state;
    const size_t bytes = array->ncolumn * array->width, start = block->nbyte;
    if (!block_room(block, block->nrow * bytes))
        return;
    for (size_t i = 0; i < array->ncolumn; i++) {
        unsigned char *to = (unsigned char *)block->bytes + start + i * array->width;
        for (size_t row = 0; row < block->nrow; row++)
            if (!print_number(writer, block, &array->source[i], row, to + row * bytes))
                block->nrow = row;
    }
    block->nbyte = start + block->nrow * bytes;
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
    .begin = begin,
    .print = print,
    .store = store,
    .finish = finish,
    .end = end,
    .keeps_shape = true,
};
