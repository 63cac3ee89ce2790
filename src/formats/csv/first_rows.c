/* Reads the rows behind the first that decide about the roles of columns: see rows/first_rows.c. The rows
 * stay in rest and are read again as rows. */
#include "formats/csv/header.h"

#include <math.h>
#include <stdlib.h>

/* Sets number[ncolumn] to the numbers of a record. False: the record has another number of cells, or a fault.
 */
static bool read_numbers(struct header *header, size_t at, size_t end, double *number)
{
    const struct csv *csv = header->csv;
    struct columns *columns = &header->reader->columns;
    const char *stop = csv->rest + end, *p = csv_row_start(csv, csv->rest + at, stop);
    for (size_t i = columns->counted; i < columns->ncolumn; i++) {
        struct csv_cell cell;
        if (!p)
            return false;
        p = csv_next(csv, p, stop, &cell);
        if (cell.fault != CSV_FINE)
            return false;
        if (csv_kind(header->reader, &cell, &number[i]) == CELL_TEXT)
            number[i] = columns_take_date(&columns->column[i], cell.at, cell.n);
    }
    return true;
}

bool csv_read_first_rows(struct header *header, struct error *e)
{
    const struct csv *csv = header->csv;
    struct columns *columns = &header->reader->columns;
    if (!header->row)
        return true;
    double *number = calloc(columns->ncolumn + 1, sizeof *number);
    bool good = number || error_memory(e), more = good;
    for (size_t at = header->row->at, end;
         more && columns_want_row(columns, header->reader->options->seeks_time); at = end) {
        good = csv_peek_record(header->reader, at, &end, e);
        more = good && end > at;
        const char *p = csv->rest + at, *stop = csv->rest + end;
        if (more && !csv_is_comment(csv, p, stop, columns->ncolumn) && !csv_is_blank_line(csv, p, stop)) {
            more = read_numbers(header, at, end, number);
            good = !more || columns_add_row(columns, number, e);
            more = more && good;
        }
    }
    free(number);
    return good;
}
