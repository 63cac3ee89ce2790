/* Makes columns of the names and the first row that header.c finds: joined names, what the cells of the first
 * row hold, what the heads of known programs say besides, and where the cells of added columns go. */
#include "formats/csv/header.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

/* One line of names, cell by cell. */
struct names {
    struct cells cells;
    struct csv_cell cell; /* the cell in the column under way */
    struct csv_cell fill; /* the last cell of the line that was not blank */
};

/* Joins the cells of one column, top to bottom, into buf. An empty cell above the last line takes the cell to
 * its left, unless a line above has a new cell in between. */
static size_t join_name(struct names *line, size_t nline, char *buf)
{
    size_t n = 0;
    for (size_t i = 0; i < nline; i++) {
        const struct csv_cell *cell = &line[i].cell;
        for (size_t k = i; i + 1 < nline && cell->n > 0 && k < nline; k++)
            line[k].fill = k == i ? *cell : (struct csv_cell){ 0 };
        cell = i + 1 < nline ? &line[i].fill : cell;
        if (n > 0 && cell->n > 0)
            buf[n++] = '.';
        n += csv_unquote(cell, buf + n);
    }
    return n;
}

/* Sets the units of time by the line of units below the names, if there is one. */
static void read_units(struct header *h)
{
    const struct record *below = h->nline > 0 ? h->line[h->nline - 1] + 1 : NULL;
    struct columns *t = &h->r->columns;
    if (!below || !h->row || below >= h->row || below->ncell != t->ncolumn || !header_is_units(h, below))
        return;
    struct cells cells = header_cells(h, below);
    for (size_t i = 0; i < t->ncolumn; i++) {
        struct csv_cell cell;
        cells.p = csv_next(h->csv, cells.p, cells.end, &cell);
        t->column[i].unit = columns_unit_of_text(cell.at, cell.n);
    }
}

/* Adds the columns. buf: room for a joined name. Where one line was found that holds the names, each column
 * gets the cell of the line above it, or the last one to the left of that. */
static bool add_names(struct header *h, size_t ncolumn, char *buf, struct error *e)
{
    struct names line[CSV_MAXLINES] = { 0 }, *l;
    const struct record *above = NULL;
    if (h->nline == 1 && !h->r->options->header)
        above = header_last_names(h, h->line[0], h->line[0]);
    struct cells over = above ? header_cells(h, above) : (struct cells){ 0 };
    struct csv_cell cell, last = { 0 };
    for (size_t i = 0; i < h->nline; i++)
        line[i].cells = header_cells(h, h->line[i]);
    if (h->nline == 1 && header_skips(h->line[0], ncolumn))
        line[0].cells.p = csv_next(h->csv, line[0].cells.p, line[0].cells.end, &cell);
    for (size_t column = 0; column < ncolumn; column++) {
        for (l = line; l < line + h->nline; l++) {
            l->cells.p = csv_next(h->csv, l->cells.p, l->cells.end, &l->cell);
            if (!csv_error_cell(h->csv, h->csv->rest, &l->cell, e))
                return false;
        }
        size_t n = h->nline ? join_name(line, h->nline, buf) : (size_t)sprintf(buf, "%zu", column + 1);
        if (!columns_add(&h->r->columns, buf, n, e))
            return false;
        over.p = csv_next(h->csv, over.p, over.end, &cell);
        last = cell.n > 0 ? cell : last;
        if (last.n > 0 && !(h->r->columns.column[column].above = strndup(last.at, last.n)))
            return error_memory(e);
    }
    return true;
}

bool csv_set_kinds(struct reader *r, const char *p, const char *end, struct error *e)
{
    const struct csv *csv = r->state;
    for (size_t i = r->columns.counted; i < r->columns.ncolumn; i++) {
        struct column *c = &r->columns.column[i];
        struct csv_cell cell;
        struct timestamp ignored;
        p = csv_next(csv, p, end, &cell);
        if (!csv_error_cell(csv, csv->rest, &cell, e))
            return error_column(e, c->name);
        c->first = csv_kind(r, &cell, &c->number);
        if (c->first == CELL_NUMBER)
            c->spelling = number_spelling(cell.at, cell.n, csv->point);
        if (c->first == CELL_TEXT && csv_is_grouped(csv, &cell))
            messages_add(r->messages, r->source->name,
                         "column \"%s\" is not filtered: separators between thousands make its numbers text",
                         c->name);
        if (c->first == CELL_TEXT && !columns_set_text(c, cell.at, cell.n, e))
            return false;
        c->form = c->first == CELL_TEXT ? timestamp_read(cell.at, cell.n, &ignored) : TIMESTAMP_NUMBER;
    }
    return true;
}

/* Finds the first cell of a record that is that word; *next: the cell after it. */
static bool find_label(const struct header *h, const struct record *record, const char *word,
                       struct csv_cell *next)
{
    for (struct cells cells = header_cells(h, record); cells.p;) {
        struct csv_cell cell;
        cells.p = csv_next(h->csv, cells.p, cells.end, &cell);
        if (cell.n == strlen(word) && strncasecmp(cell.at, word, cell.n) == 0) {
            csv_next(h->csv, cells.p, cells.end, next);
            return true;
        }
    }
    return false;
}

/* Takes the rate that a cell of the head states. */
static void take_rate(struct header *h, struct csv_cell cell)
{
    double x;
    if (csv_kind(h->r, &cell, &x) != CELL_NUMBER || !(x > 0))
        return;
    h->r->columns.stated_rate = x;
    h->csv->rate = (size_t)(cell.at - h->csv->rest);
    h->csv->nrate = cell.n;
}

/* What the heads of Vicon and Motive say besides the names. Vicon: two lines above the names stands the rate,
 * and one line above the names the markers, which join the names. Motive: the rate is in the first line.
 * Qualisys: the rate is in a line of its own. */
static void read_known_head(struct header *h)
{
    const struct record *names = h->nline == 1 && !h->r->options->header ? h->line[0] : NULL;
    struct csv_cell cell, next;
    for (const struct record *look = h->seen; h->labelled && look < h->row; look++)
        if (find_label(h, look, "FREQUENCY", &cell))
            take_rate(h, cell);
    if (!names || h->labelled)
        return;
    if (find_label(h, h->seen, "Export Frame Rate", &cell)) {
        take_rate(h, cell);
        return;
    }
    csv_next(h->csv, header_cells(h, names).p, header_cells(h, names).end, &cell);
    bool vicon = names - h->seen >= 2 && columns_means_frame(cell.at, cell.n) &&
                 find_label(h, names, "Sub Frame", &next) && header_may_be_names(names - 1);
    if (!vicon)
        return;
    const struct record *rate = names - 2;
    csv_next(h->csv, header_cells(h, rate).p, header_cells(h, rate).end, &cell);
    if (rate->nnumber == 1 && rate->ntext == 0)
        take_rate(h, cell);
    h->line[0] = names - 1;
    h->line[1] = names;
    h->nline = 2;
}

static bool make_columns(struct header *h, struct error *e)
{
    const struct csv *csv = h->csv;
    const struct record *row = h->row;
    struct columns *t = &h->r->columns;
    size_t ncolumn = row ? row->ncell : 0;
    for (size_t i = 0; !row && i < h->nline; i++)
        ncolumn = h->line[i]->ncell > ncolumn ? h->line[i]->ncell : ncolumn;
    if (row && h->nline == 1 && !header_fits(h, h->line[0], row))
        return csv_error_ragged(csv, csv->rest, csv->rest + row->at, csv->rest + row->end, h->line[0]->ncell,
                                e);
    char *buf = malloc(csv->nrest + 2 * CSV_MAXLINES); /* all names are in rest */
    bool good = buf ? add_names(h, ncolumn, buf, e) : error_memory(e);
    free(buf);
    t->delimiter = csv->delimiter;
    t->named = h->nline > 0;
    t->stacked = h->nline > 1;
    t->other_lines = !h->r->options->header && h->nseen > h->nline + (row != NULL);
    if (good)
        read_units(h);
    struct cells cells = row ? header_cells(h, row) : (struct cells){ NULL, csv->rest };
    if (!good || !csv_set_kinds(h->r, cells.p, cells.end, e))
        return false;
    for (size_t i = 0; h->nline == 0 && !h->r->options->no_header && i < t->ncolumn; i++)
        t->doubtful |= t->column[i].first == CELL_TEXT;
    return true;
}

/* Where the cells of a record stand. */
struct places {
    struct cells cells;
    struct csv_cell cell;
    const char *start; /* of the record */
};

static struct places places_of(const struct header *h, const struct record *record)
{
    struct places places = { .cells = header_cells(h, record) };
    places.start = places.cells.p;
    return places;
}

static void next_place(const struct header *h, struct places *places)
{
    places->cells.p = csv_next(h->csv, places->cells.p, places->cells.end, &places->cell);
}

/* True if two blanks follow each other before the end of the last cell of a line. */
static bool has_wide_gap(const char *p, const char *end)
{
    while (end > p && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    for (; p + 1 < end; p++)
        if (p[0] == ' ' && p[1] == ' ')
            return true;
    return false;
}

/* Where columns are aligned by blanks: finds the end of the cells that stays in its place, by the first row
 * and the names above, or else by the blanks before the cell. Cells with one blank between are not aligned.
 */
static bool find_alignment(struct header *h, struct error *e)
{
    const struct csv *csv = h->csv;
    size_t ncolumn = h->r->columns.ncolumn;
    if (!csv->runs || !h->row)
        return true;
    struct places row = places_of(h, h->row), names = { .cell.at = NULL };
    const char *stop = csv_without_eol(csv, row.start, row.cells.end);
    bool wide = row.start < stop && *row.start == ' ';
    wide |= has_wide_gap(row.start, stop);
    const bool named = h->nline > 0;
    if (named) {
        names = places_of(h, h->line[h->nline - 1]);
        const char *end = csv_without_eol(csv, names.start, names.cells.end);
        wide |= has_wide_gap(names.start, end);
        if (header_skips(h->line[0], ncolumn))
            next_place(h, &names);
    }
    if (!wide)
        return true;
    h->csv->align = calloc(ncolumn + 1, 1);
    if (!h->csv->align)
        return error_memory(e);
    for (size_t i = 0; i < ncolumn; i++) {
        next_place(h, &row);
        if (named)
            next_place(h, &names);
        ptrdiff_t begin = row.cell.at - row.start;
        ptrdiff_t begin_name = named ? names.cell.at - names.start : -1;
        bool ends = named && begin + (ptrdiff_t)row.cell.n == begin_name + (ptrdiff_t)names.cell.n;
        bool begins = begin == begin_name;
        bool blanks = begin > (i > 0) && row.cell.at[-1] == ' ' && (i == 0 || row.cell.at[-2] == ' ');
        bool right = ends || (!begins && blanks);
        h->csv->align[i] = (unsigned char)(right ? SPLICE_RIGHT : SPLICE_LEFT);
    }
    return true;
}

/* Finds where the cells of added columns go in each line of the head that has a cell for each column. */
static bool find_line_ends(struct header *h, struct error *e)
{
    struct csv *csv = h->csv;
    size_t ncolumn = h->r->columns.ncolumn;
    const struct record *end = h->row ? h->row : h->seen + h->nseen;
    csv->line = calloc(h->nseen + 1, sizeof *csv->line);
    if (!csv->line)
        return error_memory(e);
    for (const struct record *look = h->seen; look < end && h->nline > 0; look++) {
        bool names = false, above = false;
        for (size_t i = 0; i < h->nline; i++) {
            names |= h->line[i] == look && i + 1 == h->nline;
            above |= h->line[i] == look && i + 1 < h->nline;
        }
        if (!names && (look->ncell != ncolumn || h->labelled))
            continue;
        const size_t ncell = look->ncell - (names ? header_skips(look, ncolumn) : 0);
        const char *p = csv->head + look->at, *stop = csv_without_eol(csv, p, csv->head + look->end);
        while (csv->runs && stop > p && (stop[-1] == ' ' || stop[-1] == '\t'))
            stop--;
        size_t at = (size_t)(stop - csv->head);
        bool cut = look->trailing && ncell == ncolumn + 1; /* rows do not end in a tab, but names do */
        enum csv_line_kind kind = names ? CSV_NAMES : CSV_OTHER;
        size_t missing = ncell < ncolumn ? ncolumn - ncell : 0;
        csv->line[csv->nline++] = (struct csv_line){
            .at = at - cut,
            .kind = above && h->nline == 2 ? CSV_ABOVE : kind,
            .missing = missing,
        };
    }
    return true;
}

bool csv_read_header(struct reader *r, struct error *e)
{
    struct csv *csv = r->state;
    struct record seen[CSV_MAXLINES + HEADER_LOOK];
    struct header h = { .r = r, .csv = csv, .seen = seen };
    if (!csv_read_start(r, e))
        return false;
    h.at = csv->start;
    if (!header_find(&h, e))
        return false;
    read_known_head(&h);
    if (!make_columns(&h, e) || !find_alignment(&h, e) || !csv_set_head(r, h.row ? h.row->at : csv->nrest, e))
        return false;
    if (csv->point == ',' && !r->options->decimal) {
        r->point = ',';
        messages_add(
            r->messages, r->source->name,
            "numbers have a decimal comma, as no cell of the first lines has a point: --decimal . says "
            "that commas are none");
    }
    if (r->columns.stated_rate > 0 && r->columns.ncolumn > 0 && r->columns.column[0].number == 1)
        r->columns.column[0].frame = columns_counts_rows(&r->columns.column[0]);
    return find_line_ends(&h, e);
}
