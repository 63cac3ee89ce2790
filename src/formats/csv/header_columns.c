/* Makes columns of the names and the first row, which header.c finds: joined names, the kinds of cells in
 * the first row, rates and units in the heads of known programs, and the places of cells of added columns. */
#include "base/text.h"
#include "formats/csv/header.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

/* One line of names, cell by cell. */
struct names {
    struct cells cells;
    struct csv_cell cell; /* the cell in the column under way */
    struct csv_cell
        fill; /* the last cell of the line that was not empty; the cell of an empty cell to its right */
};

/* Joins the cells of one column, top to bottom, into buf. An empty cell above the last line takes the cell
 * to its left, unless a line above has a new cell in between. motive: the lines above may have their own
 * names, such as Name, in columns without a kind of data. */
static size_t join_name(struct names *line, size_t nline, bool motive, char *buf)
{
    size_t n = 0;
    for (size_t i = 0; i < nline; i++) {
        const struct csv_cell *cell = &line[i].cell;
        for (size_t k = i; i + 1 < nline && cell->n > 0 && k < nline; k++)
            line[k].fill = k == i ? *cell : (struct csv_cell){ 0 };
        cell = i + 1 < nline ? &line[i].fill : cell;
        if (motive && i + 1 < nline && line[nline - 2].cell.n == 0)
            continue;
        if (n > 0 && cell->n > 0)
            buf[n++] = '.';
        n += csv_unquote(cell, buf + n);
    }
    return n;
}

/* Sets the units of time by the line of units below the names, if there is one. */
static void read_units(struct header *header)
{
    const struct record *below = header->nline > 0 ? header->line[header->nline - 1] + 1 : NULL;
    struct columns *columns = &header->reader->columns;
    if (!below || !header->row || below >= header->row || below->ncell > columns->ncolumn ||
        !header_is_units(header, header->line[header->nline - 1], below))
        return;
    struct cells cells = header_cells(header, below);
    for (size_t i = 0; i < columns->ncolumn; i++) {
        struct csv_cell cell;
        cells.p = csv_next(header->csv, cells.p, cells.end, &cell);
        columns->column[i].unit = columns_unit_of_text(cell.at, cell.n);
    }
}

/* Adds the columns. buf: room for a joined name. Where a single line holds the names, each column gets the
 * cell of the line above the names, or the last cell on the left of an empty cell. */
static bool add_names(struct header *header, size_t ncolumn, char *buf, struct error *e)
{
    struct names line[CSV_MAXLINES] = { 0 }, *names;
    const struct record *above = NULL;
    if (header->nline == 1 && !header->reader->options->header)
        above = header_last_names(header, header->line[0], header->line[0]);
    struct cells over = above ? header_cells(header, above) : (struct cells){ 0 };
    struct csv_cell cell, last = { 0 };
    for (size_t i = 0; i < header->nline; i++)
        line[i].cells = header_cells(header, header->line[i]);
    if (header->nline == 1 && header_skips(header->line[0], ncolumn))
        line[0].cells.p = csv_next(header->csv, line[0].cells.p, line[0].cells.end, &cell);
    for (size_t column = 0; column < ncolumn; column++) {
        for (names = line; names < line + header->nline; names++) {
            names->cells.p = csv_next(header->csv, names->cells.p, names->cells.end, &names->cell);
            if (!csv_error_cell(header->csv, header->csv->rest, &names->cell, e))
                return false;
        }
        size_t n = header->nline ? join_name(line, header->nline, header->motive, buf)
                                 : (size_t)sprintf(buf, "%zu", column + 1);
        if (!columns_add(&header->reader->columns, buf, n, e))
            return false;
        over.p = csv_next(header->csv, over.p, over.end, &cell);
        last = cell.n > 0 ? cell : last;
        if (last.n > 0 && !(header->reader->columns.column[column].above = text_copy(last.at, last.n)))
            return error_memory(e);
    }
    return true;
}

bool csv_set_kinds(struct reader *reader, const char *p, const char *end, struct error *e)
{
    const struct csv *csv = reader->state;
    for (size_t i = reader->columns.counted; i < reader->columns.ncolumn; i++) {
        struct column *column = &reader->columns.column[i];
        struct csv_cell cell;
        p = csv_next(csv, p, end, &cell);
        if (!csv_error_cell(csv, csv->rest, &cell, e))
            return error_column(e, column->name);
        column->first = csv_kind(reader, &cell, &column->number);
        if (column->first == CELL_NUMBER)
            column->decimals = number_decimals(cell.at, cell.n, reader_point(reader));
        if (column->first == CELL_TEXT && !columns_set_text(column, cell.at, cell.n, e))
            return false;
    }
    return true;
}

/* Finds the first cell of a record with exactly this word, in any letter case; *next: the cell after the
 * word. */
static bool find_label(const struct header *header, const struct record *record, const char *word,
                       struct csv_cell *next)
{
    for (struct cells cells = header_cells(header, record); cells.p;) {
        struct csv_cell cell;
        cells.p = csv_next(header->csv, cells.p, cells.end, &cell);
        if (cell.n == strlen(word) && strncasecmp(cell.at, word, cell.n) == 0) {
            csv_next(header->csv, cells.p, cells.end, next);
            return true;
        }
    }
    return false;
}

/* Takes the rate that a cell of the head states. */
static void take_rate(struct header *header, struct csv_cell cell)
{
    double x;
    if (csv_kind(header->reader, &cell, &x) != CELL_NUMBER || !(x > 0))
        return;
    header->reader->columns.stated_rate = x;
    header->csv->rate = (size_t)(cell.at - header->csv->rest);
    header->csv->nrate = cell.n;
}

/* Takes the rate from the first line of Motive's head. The names are joined from the lines of
 * markers and bodies, of kinds of data, and of axes, where the head has them. */
static void read_motive(struct header *header, const struct record *names)
{
    enum { MARKERS = 2 }; /* behind the lines of the take and of types, blank lines aside */
    const struct record *markers = header->seen + MARKERS, *kinds = names - 1;
    struct csv_cell rate, next;
    if (find_label(header, header->seen, "Export Frame Rate", &rate))
        take_rate(header, rate);
    const bool kinds_are_known = find_label(header, kinds, "Position", &next) ||
                                 find_label(header, kinds, "Rotation", &next);
    if (!kinds_are_known || markers >= kinds || markers->ncell != names->ncell)
        return;
    header->line[0] = markers;
    header->line[1] = kinds;
    header->line[2] = names;
    header->nline = 3;
    header->motive = true;
}

/* Takes the rate, and the names of markers, from the heads of known programs. Vicon: the rate stands two
 * lines above the names, and the markers, which join the names, one line above the names. Qualisys: the rate
 * is in a line with a label. */
static void read_known_head(struct header *header)
{
    const struct record *names = header->nline == 1 && !header->reader->options->header ? header->line[0]
                                                                                        : NULL;
    struct csv_cell name, rate, next;
    if (header->labelled) {
        for (const struct record *look = header->seen; look < header->row; look++)
            if (find_label(header, look, "FREQUENCY", &rate))
                take_rate(header, rate);
        return;
    }
    if (header->paced) {
        csv_next(header->csv, header_cells(header, header->seen + 1).p,
                 header_cells(header, header->seen + 1).end, &rate);
        take_rate(header, rate);
        return;
    }
    if (!names)
        return;
    if (find_label(header, header->seen, "Format Version", &next)) {
        read_motive(header, names);
        return;
    }
    csv_next(header->csv, header_cells(header, names).p, header_cells(header, names).end, &name);
    bool vicon = names - header->seen >= 2 && columns_means_frame(name.at, name.n) &&
                 find_label(header, names, "Sub Frame", &next) && header_may_be_names(names - 1);
    if (!vicon)
        return;
    const struct record *above = names - 2;
    csv_next(header->csv, header_cells(header, above).p, header_cells(header, above).end, &rate);
    if (above->nnumber == 1 && above->ntext == 0)
        take_rate(header, rate);
    header->line[0] = names - 1;
    header->line[1] = names;
    header->nline = 2;
    header->markers = true;
}

/* The axis that the name of a column of markers ends in: X, Y or Z; 0: the name ends in something else. */
static char axis_of(const struct column *column)
{
    size_t n = strlen(column->name);
    bool axis = n > 2 && column->name[n - 2] == '.' && strchr("XYZ", column->name[n - 1]);
    return axis ? column->name[n - 1] : 0;
}

/* The columns X, Y and Z of a marker are a vector. */
static void mark_vectors(struct columns *columns)
{
    for (size_t i = 0; i + 3 <= columns->ncolumn; i++) {
        struct column *column = &columns->column[i];
        size_t stem = strlen(column->name) - 1;
        bool marker = axis_of(column) == 'X' && axis_of(column + 1) == 'Y' && axis_of(column + 2) == 'Z' &&
                      strncmp(column[1].name, column->name, stem) == 0 &&
                      strncmp(column[2].name, column->name, stem) == 0;
        for (size_t k = 0; k < 3 && marker; k++)
            column[k].vector = i + 1;
    }
}

static bool make_columns(struct header *header, struct error *e)
{
    const struct csv *csv = header->csv;
    const struct record *row = header->row;
    struct columns *columns = &header->reader->columns;
    size_t ncolumn = row ? row->ncell : 0;
    for (size_t i = 0; !row && i < header->nline; i++)
        ncolumn = header->line[i]->ncell > ncolumn ? header->line[i]->ncell : ncolumn;
    if (row && header->nline == 1 && !header_fits(header, header->line[0], row))
        return csv_error_ragged(csv, csv->rest, csv->rest + row->at, csv->rest + row->end,
                                header->line[0]->ncell, e);
    char *buf = malloc(csv->nrest + 2 * CSV_MAXLINES); /* all names are in rest */
    bool good = buf ? add_names(header, ncolumn, buf, e) : error_memory(e);
    free(buf);
    columns->delimiter = csv->delimiter;
    if (good && header->markers)
        mark_vectors(columns);
    columns->named = header->nline > 0;
    columns->remarked = columns->named && header->line[0]->mark;
    columns->stacked = header->nline > 1;
    columns->other_lines = !header->reader->options->header && header->nseen > header->nline + (row != NULL);
    if (good)
        read_units(header);
    struct cells cells = row ? header_cells(header, row) : (struct cells){ NULL, csv->rest };
    if (!good || !csv_set_kinds(header->reader, cells.p, cells.end, e))
        return false;
    for (size_t i = 0; header->nline == 0 && !header->reader->options->no_header && i < columns->ncolumn; i++)
        columns->doubtful |= columns->column[i].first == CELL_TEXT;
    return true;
}

/* Finds where the names of added columns go in each line of the names. */
static bool find_line_ends(struct header *header, struct error *e)
{
    struct csv *csv = header->csv;
    size_t ncolumn = header->reader->columns.ncolumn;
    csv->line = calloc(header->nline + 1, sizeof *csv->line);
    if (!csv->line)
        return error_memory(e);
    for (; csv->nline < header->nline; csv->nline++) {
        const struct record *names = header->line[csv->nline];
        const size_t below = header->nline - 1 - csv->nline;
        const size_t ncell = names->ncell - (below == 0 ? header_skips(names, ncolumn) : 0);
        const char *p = csv->head + names->at, *stop = csv_without_eol(csv, p, csv->head + names->end);
        while (csv->runs && stop > p && (stop[-1] == ' ' || stop[-1] == '\t'))
            stop--;
        bool cut = names->trailing && ncell == ncolumn + 1; /* rows do not end in a tab, but names do */
        csv->line[csv->nline] = (struct csv_line){
            .at = (size_t)(stop - csv->head) - cut,
            .missing = ncell < ncolumn ? ncolumn - ncell : 0,
            .below = below,
        };
    }
    return true;
}

bool csv_read_header(struct reader *reader, struct error *e)
{
    struct csv *csv = reader->state;
    struct record seen[CSV_MAXLINES + HEADER_LOOK];
    struct header header = { .reader = reader, .csv = csv, .seen = seen };
    if (!csv_read_start(reader, e))
        return false;
    header.at = csv->start;
    if (!header_choose_delimiter(&header, e) || !header_find(&header, e))
        return false;
    read_known_head(&header);
    if (!make_columns(&header, e) || !csv_read_first_rows(&header, e) ||
        !csv_set_head(reader, header.row ? header.row->at : csv->nrest, e))
        return false;
    if (reader->point == ',')
        reader_tell(reader, "numbers are read with a decimal comma (if that is wrong: --decimal .)");
    if (reader->columns.stated_rate > 0 && reader->columns.ncolumn > 0 &&
        reader->columns.column[0].number == 1)
        reader->columns.column[0].frame = columns_counts_rows(&reader->columns.column[0]);
    return find_line_ends(&header, e);
}
