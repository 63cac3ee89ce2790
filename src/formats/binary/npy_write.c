/* .npy out: a head, and the numbers of all columns in one type. To a pipe, the rows leave as they come if the
 * head of the input gives their number; else they wait in a temporary file. See npy.h. */
#include "formats/binary/npy.h"

#include "base/port.h"
#include "io/tempfile.h"
#include <float.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Where the numbers of a column of the output come from. */
struct array_source {
    size_t column; /* of the input */
    size_t out;    /* block->out column; COLUMN_NONE: the numbers of the input */
    bool added;    /* the input has no such column */
};

/* A writer. */
struct array {
    struct npy_head head;        /* of the output; owns no bytes */
    const struct npy *input;     /* the reader of the rows; NULL: they are of another format */
    bool same_type;              /* numbers of the input are copied where they do not change */
    bool same_head;              /* the output has the head of the input, except for the number of rows */
    bool direct;                 /* bytes go to a pipe as they come */
    struct array_source *source; /* [head.ncolumn] owned */
    struct tempfile file;        /* the output, unless direct */
    size_t nhead;                /* bytes of the head; 0: not written yet */
    bool ended;                  /* the file is complete, or cannot be completed */
    _Atomic uint64_t clipped;    /* numbers too large or small for their type, which were clipped */
};

/* --- what the output is --- */

static bool choose_type(struct array *array, const struct writer *writer, struct error *e)
{
    struct sample_type *type = &array->head.type;
    *type = array->input ? array->input->head.type : (struct sample_type){ 'f', 8, false };
    if (writer->subtype < 0)
        return true;
    if (writer->subtype < SUBTYPE_FLOAT) {
        error_usage(e, "--subtype: npy cannot hold PCM samples");
        return error_hint(e, "use --subtype float or --subtype double");
    }
    type->kind = 'f';
    type->width = writer->subtype == SUBTYPE_FLOAT ? 4 : 8;
    return true;
}

static bool choose_columns(struct array *array, const struct writer *writer, struct error *e)
{
    const struct columns *columns = &writer->reader->columns;
    const struct column_plan *plan = writer->reader->plan;
    const struct output_columns *layout = writer->layout;
    size_t n = 0;
    array->source = calloc(columns->ncolumn + layout->nadded + 1, sizeof *array->source);
    if (!array->source)
        return error_memory(e);
    for (size_t i = 0; i < columns->ncolumn; i++) {
        const struct column *column = &columns->column[i];
        if (!column->frame && !format_has_no_text("npy", plan, i, e))
            return false;
        array->source[n++] = (struct array_source){ i, layout->replace[i], false };
    }
    for (size_t i = 0; i < layout->nadded; i++)
        array->source[n++] = (struct array_source){ layout->added[i].column, layout->added[i].out, true };
    array->head.ncolumn = n;
    array->head.ndim = array->input && n == 1 ? array->input->head.ndim : 2;
    if (n == 0 || n > NPY_MAXCOLUMN) {
        error_data(e, "%zu columns; npy holds 1 to %d", n, NPY_MAXCOLUMN);
        return error_hint(e, "use --to csv");
    }
    if (layout->nadded == 0 || array->head.type.kind == 'f')
        return true;
    char name[8];
    error_usage(e, "%s do not fit into an array of %s",
                format_derived(layout) ? "derivatives" : "columns that the filter adds",
                npy_type_name(array->head.type, name));
    return error_hint(e, "store all columns as floats with --subtype double, or use --to csv");
}

bool npy_accept(struct writer *writer, struct error *e)
{
    struct array *array = writer->state = calloc(1, sizeof *array);
    if (!array)
        return error_memory(e);
    array->file.fd = -1;
    array->input = writer->reader->format == writer->format ? writer->reader->state : NULL;
    if (!choose_type(array, writer, e) || !choose_columns(array, writer, e))
        return false;
    if (!array->input)
        return true;
    const struct npy_head *head = &array->input->head;
    array->same_type = array->head.type.kind == head->type.kind && array->head.type.width == head->type.width;
    array->same_head = array->same_type && array->head.ncolumn == head->ncolumn && !writer->resampled;
    return true;
}

/* --- the file --- */

/* The bytes of the head for this number of rows, malloc'ed. */
static char *make_head(struct array *array, uint64_t nrow, struct error *e)
{
    char *head = array->same_head ? npy_head_copy(&array->input->head, nrow, &array->nhead)
                                  : npy_head_make(&array->head, nrow, &array->nhead);
    if (!head)
        error_memory(e);
    return head;
}

bool npy_begin(struct writer *writer, struct block *block, struct error *e)
{
    struct array *array = writer->state;
    struct port_status st;
    bool known = array->input && !writer->resampled && !writer->reader->options->allow_truncated;
    bool to_file = port_status(writer->fd, &st) == 0 && st.kind == PORT_REGULAR;
    array->direct = known && !to_file;
    if (!array->direct && !tempfile_open(&array->file, writer->fd, e))
        return false;
    array->file.out = writer->fd;
    char *head = make_head(array, known ? array->input->head.nrow : 0, e);
    bool good = head && (block_put(block, head, array->nhead) || error_memory(e));
    free(head);
    return good;
}

bool npy_store(struct writer *writer, struct block *block, struct error *e)
{
    struct array *array = writer->state;
    bool good = array->direct ? tempfile_put(writer->fd, block->bytes, block->nbyte, e)
                              : tempfile_write(&array->file, array->file.size, block->bytes, block->nbyte, e);
    array->ended = array->ended || !good;
    return good;
}

/* Ends the file after any number of rows. */
static bool end_file(struct array *array, struct error *e)
{
    array->ended = true;
    if (array->direct)
        return true;
    uint64_t nrow = (array->file.size - array->nhead) / npy_row_bytes(&array->head);
    char *head = make_head(array, nrow, e);
    bool good = head && tempfile_write(&array->file, 0, head, array->nhead, e);
    free(head);
    return good && tempfile_finish(&array->file, e);
}

bool npy_finish(struct writer *writer, struct block *block, struct error *e)
{
    struct array *array = writer->state;
    unsigned long long clipped = atomic_load(&array->clipped);
    char name[8];
    (void)block;
    if (clipped > 0 && writer->reader->messages)
        reader_tell(writer->reader, "warning: %llu number%s clipped to the range of %s", clipped,
                    clipped == 1 ? " was" : "s were", npy_type_name(array->head.type, name));
    return end_file(array, e);
}

void npy_end(struct writer *writer)
{
    struct array *array = writer->state;
    struct error ignored;
    if (!array)
        return;
    /* After an error in the input the rows before the error still make a file. */
    if (!array->ended && array->nhead > 0 && array->file.size >= array->nhead)
        end_file(array, &ignored);
    tempfile_close(&array->file);
    free(array->source);
    free(array);
    writer->state = NULL;
}

/* --- rows to numbers --- */

/* Stores an integer, rounded and clipped. */
static void put_integer(struct array *array, unsigned char *to, double x)
{
    const struct sample_type type = array->head.type;
    const unsigned bits = 8 * type.width;
    const double beyond = ldexp(1, (int)(type.kind == 'i' ? bits - 1 : bits));
    const double least = type.kind == 'i' ? -beyond : 0, rounded = nearbyint(x);
    const uint64_t all = UINT64_MAX >> (64 - bits), top = (uint64_t)1 << (bits - 1);
    uint64_t word;
    if (rounded >= beyond)
        word = type.kind == 'i' ? all >> 1 : all;
    else if (rounded < least)
        word = type.kind == 'i' ? top : 0;
    else
        word = rounded < 0 ? (uint64_t)(int64_t)rounded : (uint64_t)rounded;
    if (rounded >= beyond || rounded < least)
        atomic_fetch_add_explicit(&array->clipped, 1, memory_order_relaxed);
    word_put(to, word, type.width, type.big);
}

/* Stores a number. False: the type cannot hold it. */
static bool put_number(struct array *array, unsigned char *to, double x)
{
    const struct sample_type type = array->head.type;
    uint64_t word = 0;
    if (type.kind != 'f') {
        if (!isnan(x))
            put_integer(array, to, x);
        return !isnan(x);
    }
    if (type.width == 4) {
        const float single = (float)x;
        uint32_t low;
        if (isinf(single) && !isinf(x))
            return false;
        memcpy(&low, &single, sizeof low);
        word = low;
    } else {
        memcpy(&word, &x, sizeof word);
    }
    word_put(to, word, type.width, type.big);
    return true;
}

/* The error of a number that the type cannot hold. */
static void refuse_number(const struct writer *writer, struct block *block, size_t column, size_t row,
                          double x)
{
    const struct array *array = writer->state;
    struct error *e = &block->error;
    const unsigned long long number = block->firstrow + row + 1;
    char name[8];
    npy_type_name(array->head.type, name);
    if (isnan(x)) {
        error_data(e, "row %llu is a gap, which %s cannot hold", number, name);
        error_hint(e, "fill it with --gaps linear, or store NaN with --subtype double");
    } else {
        error_data(e, "row %llu: %g does not fit into %s", number, x, name);
        error_hint(e, "use --subtype double");
    }
    error_column(e, writer->reader->columns.column[column].name);
    if (!array->input)
        error_place(e, block_line(block, row));
}

/* Stores a time of --resample, x, as an integer, unless it has a fraction: rounded, rows would come at other
 * times. */
static bool put_time(struct array *array, unsigned char *to, const struct timestamp *time, double x)
{
    const struct sample_type type = array->head.type;
    if (x != nearbyint(x))
        return false;
    if (!time->decimal.exact || time->decimal.exp10 != 0)
        return put_number(array, to, x);
    word_put(to, (uint64_t)time->decimal.digits, type.width, type.big);
    return true;
}

/* Where the number of a row's column stands in an array that is read; NULL: nowhere. */
static const unsigned char *input_place(const struct array *array, const struct block *block,
                                        const struct array_source *source, size_t row)
{
    if (!array->input || source->added)
        return NULL;
    const struct npy_head *in = &array->input->head;
    return npy_place(in, block, source->column) + row * npy_row_bytes(in);
}

/* Has the filter changed a number of the input? */
static bool is_changed(const struct writer *writer, const struct block *block,
                       const struct array_source *source, size_t row)
{
    const size_t value = plan_use(writer->reader->plan, source->column)->value;
    return writer->resampled || value == COLUMN_NONE ||
           block_out(block, source->out)[row] != block_value(block, value)[row];
}

/* Prints the number of a column in a row. False and block->error: the type cannot hold it. */
static bool print_number(const struct writer *writer, struct block *block, const struct array_source *source,
                         size_t row, unsigned char *to)
{
    struct array *array = writer->state;
    const struct reader *reader = writer->reader;
    const struct sample_type type = array->head.type;
    const unsigned char *from = input_place(array, block, source, row);
    const bool replaced = source->added || writer_replaces(writer, block, row, source->column);
    if (from && array->same_type && (!replaced || !is_changed(writer, block, source, row))) {
        memcpy(to, from, type.width);
        return true;
    }
    double x;
    if (replaced)
        x = block_out(block, source->out)[row];
    else if (from)
        x = sample_get(from, array->input->head.type);
    else if (!format_cell_number(reader, block, row, source->column, "npy", &x))
        return false;
    const bool time = replaced && source->out == writer->layout->time && type.kind != 'f';
    if (time ? put_time(array, to, &block->time[row], x) : put_number(array, to, x))
        return true;
    refuse_number(writer, block, source->column, row, x);
    return false;
}

void npy_print(const struct writer *writer, struct block *block)
{
    const struct array *array = writer->state;
    const size_t width = array->head.type.width, bytes = npy_row_bytes(&array->head);
    const size_t start = block->nbyte;
    if (!block_room(block, block->nrow * bytes))
        return;
    /* After an error in a column, further columns are printed up to the row of the error, so that only the
     * error of an earlier row takes its place. */
    for (size_t i = 0; i < array->head.ncolumn; i++) {
        unsigned char *to = (unsigned char *)block->bytes + start + i * width;
        for (size_t row = 0; row < block->nrow; row++)
            if (!print_number(writer, block, &array->source[i], row, to + row * bytes))
                block->nrow = row;
    }
    block->nbyte = start + block->nrow * bytes;
}
