/* Writing motion capture: the text of the input with numbers in place of cells, below the input's header.
 * Where the header holds the number of rows, rows wait in a temporary file until all have come. */
#include "formats/motion/motion.h"

#include <stdlib.h>

/* --- the header --- */

/* Puts the names of added columns, each after a delimiter. */
static void put_added_names(const struct writer *writer, struct text *text)
{
    const struct motion_writer *motion_writer = writer->state;
    for (size_t i = 0; i < writer->layout->nadded; i++)
        text_put(text, "%c%s", motion_writer->csv.delimiter, writer->layout->added[i].name);
}

/* Puts the header of the input with the names of added columns and the new number of columns, after
 * --resample with the new rate, and with the number of rows that follow. */
static void put_head_fields(const struct writer *writer, struct text *text)
{
    const struct motion_writer *motion_writer = writer->state;
    const struct motion *motion = writer->reader->state;
    uint64_t ncolumn = writer->reader->table.ncolumn + writer->layout->nadded;
    const bool added = writer->layout->nadded > 0;
    const bool changed[MOTION_NFIELD] = {
        [MOTION_NAMES] = added,
        [MOTION_COLUMNS] = added,
        [MOTION_ROWS] = motion_writer->nrow != motion->promised,
        [MOTION_RATE] = writer->resampled,
    };
    size_t from = 0;
    for (size_t at = 0; at <= motion->csv.nhead; at++)
        for (unsigned f = 0; f < MOTION_NFIELD; f++) {
            if (!changed[f] || motion->field[f].at != at || (f != MOTION_NAMES && motion->field[f].n == 0))
                continue;
            text_add(text, motion->csv.head + from, at - from);
            from = at + motion->field[f].n;
            if (f == MOTION_NAMES)
                put_added_names(writer, text);
            else if (f == MOTION_RATE)
                text_number(text, motion->seconds > 0 ? 1 / writer->rate : writer->rate, &number_shortest);
            else
                text_put(text, "%llu",
                         (unsigned long long)(f == MOTION_ROWS ? motion_writer->nrow : ncolumn));
        }
    text_add(text, motion->csv.head + from, motion->csv.nhead - from);
}

static bool put_head(const struct writer *writer, struct block *block, struct error *e)
{
    struct text head = { 0 };
    put_head_fields(writer, &head);
    bool good = !head.failed && block_put(block, head.bytes, head.n);
    free(head.bytes);
    return good || error_memory(e);
}

/* --- the writer --- */

/* Does --derivatives 0 leave out every added column? */
static bool are_derivatives(const struct output_columns *layout)
{
    for (size_t i = 0; i < layout->nadded; i++)
        if (layout->added[i].derivative == 0)
            return false;
    return true;
}

bool motion_accept(struct writer *writer, struct error *e)
{
    const struct motion_kind *kind = writer->format->kind;
    const struct motion *motion = writer->reader->state;
    if (writer->reader->format->kind != kind) {
        error_usage(e, "--to %s needs a %s input: the output copies its header", writer->format->name,
                    writer->format->name);
        return error_hint(e, "use --to csv, tsv, json, jsonl or npy");
    }
    struct motion_writer *motion_writer = writer->state = calloc(1, sizeof *motion_writer);
    if (!motion_writer)
        return error_memory(e);
    motion_writer->held.fd = -1;
    motion_writer->csv = (struct csv_writer){ .delimiter = '\t', .splice.gap = kind->gap };
    if (motion->csv.delimiter != ' ' || !memchr(motion->csv.head, '\t', motion->csv.nhead))
        motion_writer->csv.delimiter = motion->csv.delimiter;
    const char *no_added = motion->csv.vector ? "cells of several numbers cannot hold them" : kind->no_added;
    if (!no_added || writer->layout->nadded == 0)
        return true;
    bool derived = are_derivatives(writer->layout);
    error_usage(e, "%s: %s", derived ? "derivatives" : "columns that the filter adds", no_added);
    return error_hint(e, "%swrite them with --to csv",
                      derived ? "leave them out with --derivatives 0, or " : "");
}

bool motion_begin(struct writer *writer, struct block *block, struct error *e)
{
    struct motion_writer *motion_writer = writer->state;
    const struct motion *motion = writer->reader->state;
    if (!csv_splice(writer, e))
        return false;
    if (motion->field[MOTION_ROWS].n == 0)
        return put_head(writer, block, e);
    motion_writer->waiting = tempfile_open(&motion_writer->held, -1, e);
    return motion_writer->waiting;
}

bool motion_store(struct writer *writer, struct block *block, struct error *e)
{
    struct motion_writer *motion_writer = writer->state;
    if (!motion_writer->waiting)
        return tempfile_put(writer->fd, block->bytes, block->nbyte, e);
    motion_writer->nrow += block->nrow;
    motion_writer->waiting = tempfile_write(&motion_writer->held, motion_writer->held.size, block->bytes,
                                            block->nbyte, e);
    return motion_writer->waiting;
}

/* Writes the header and then the waiting rows. */
bool motion_finish(struct writer *writer, struct block *block, struct error *e)
{
    struct motion_writer *motion_writer = writer->state;
    if (!motion_writer->waiting)
        return true;
    motion_writer->waiting = false;
    motion_writer->held.out = writer->fd;
    bool good = put_head(writer, block, e) && tempfile_put(writer->fd, block->bytes, block->nbyte, e) &&
                tempfile_finish(&motion_writer->held, e);
    block->nbyte = 0;
    return good;
}

void motion_end(struct writer *writer)
{
    struct motion_writer *motion_writer = writer->state;
    struct error ignored;
    struct block head = { 0 };
    if (!motion_writer)
        return;
    /* After an error in the input the rows before the error still make a complete file. */
    motion_finish(writer, &head, &ignored);
    block_free(&head);
    tempfile_close(&motion_writer->held);
    csv_end(writer);
}
