/* Reads the header: finds the names and the first row; what stands before the row is the head. Without
 * --header and --no-header the row is the first record with a number below a name of the time, or in which
 * most cells are numbers; a gap counts as one below a name. The names are in the last record without numbers
 * before it; records of as many cells between the two are rows, too. Only the text up to the first row
 * decides, so that a pipe and a file agree; where there is no such record, the first LOOK records decide. */
#include "formats/csv/csv.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

enum { LOOK = 1000 };

/* A record and what its cells hold. Offsets in rest, which moves when it grows. */
struct summary {
    size_t at, end;
    size_t ncell;
    size_t nnumber, ntext, nword; /* cells that hold a number, text, a gap word; the others are empty */
    size_t nnamed;                /* gaps under a name */
    bool timed;                   /* a number stands under a name of the time */
};

struct detect {
    struct reader *r;
    struct csv *csv;
    struct summary line[CSV_MAXLINES]; /* the names */
    size_t nline;
    struct summary row; /* the first row; at == end: there is none */
};

static bool tells_time(enum cell_kind kind, const struct csv_cell *cell)
{
    struct timestamp ignored;
    return kind == CELL_NUMBER ||
           (kind == CELL_TEXT && timestamp_read(cell->at, cell->n, &ignored) != TIMESTAMP_NUMBER);
}

/* Counts what the cells of a record hold. names: the record whose cells are the names above, or NULL. */
static struct summary summarize(const struct detect *d, size_t at, size_t end, const struct summary *names)
{
    const struct csv *csv = d->csv;
    struct summary sum = { .at = at, .end = end };
    const char *stop = csv->rest + end, *p = csv_row_start(csv, csv->rest + at, stop);
    const char *above_end = names ? csv->rest + names->end : NULL;
    const char *above = names ? csv_row_start(csv, csv->rest + names->at, above_end) : NULL;
    while (p) {
        struct csv_cell cell, name;
        double x;
        p = csv_next(csv, p, stop, &cell);
        above = csv_next(csv, above, above_end, &name);
        enum cell_kind kind = csv_kind(d->r, &cell, &x);
        sum.ncell++;
        sum.nnumber += kind == CELL_NUMBER;
        sum.ntext += kind == CELL_TEXT;
        sum.nword += kind == CELL_GAP && cell.n > 0;
        sum.nnamed += kind == CELL_GAP && name.n > 0;
        sum.timed = sum.timed || (columns_means_time(name.at, name.n) && tells_time(kind, &cell));
    }
    return sum;
}

static bool looks_like_row(const struct summary *sum)
{
    size_t numbers = sum->nnumber + sum->nnamed;
    return sum->timed || ((sum->nnumber > 0 || sum->nword > 0) && numbers > sum->ncell - numbers);
}

static bool may_be_names(const struct summary *sum)
{
    return sum->nnumber == 0 && sum->ntext > 0;
}

/* Reads up to the next record at or after *at, and before end, that is no comment and not blank; *at moves
 * behind it. ncell == 0: there is none. names: as above. */
static bool next_row(const struct detect *d, size_t *at, size_t end, const struct summary *names,
                     struct summary *row, struct error *e)
{
    for (*row = (struct summary){ .at = *at }; *at < end; row->at = *at) {
        if (!csv_read_record(d->r, row->at, at, e))
            return false;
        const char *p = d->csv->rest + row->at, *stop = d->csv->rest + *at;
        if (p == stop)
            return true;
        if (!csv_is_comment(d->csv, p, stop) && !csv_is_blank_line(d->csv, p, stop)) {
            *row = summarize(d, row->at, *at, names);
            return true;
        }
    }
    return true;
}

/* The same among the records that were read already, which have no errors. */
static bool next_read(const struct detect *d, size_t *at, size_t end, struct summary *row)
{
    struct error none;
    return next_row(d, at, end, NULL, row, &none) && row->ncell > 0;
}

/* --- which record holds the names, which is the first row --- */

/* Words between blanks in a record. */
static size_t count_words(const struct detect *d, const struct summary *record)
{
    const char *p = d->csv->rest + record->at, *end = csv_without_eol(d->csv, p, d->csv->rest + record->end);
    size_t n = 0;
    for (bool blank = true; p < end; p++) {
        n += blank && !isspace((unsigned char)*p);
        blank = isspace((unsigned char)*p);
    }
    return n;
}

/* An error if blanks cut both records into the same number of words, where the delimiter cuts neither. */
static bool check_blanks(const struct detect *d, const struct summary *a, const struct summary *b,
                         struct error *e)
{
    size_t n = count_words(d, a);
    if (d->r->options->delimiter || a->ncell != 1 || b->ncell != 1 || n < 2 || count_words(d, b) != n)
        return true;
    char delimiter[] = { '\'', d->csv->delimiter, '\'', 0 };
    error_data(e, "blanks are between the cells, and %s is the delimiter",
               d->csv->delimiter == '\t' ? "tab" : delimiter);
    error_hint(
        e, "--delimiter ' ' takes one blank; for more: awk -v OFS=, '{ $1 = $1; print }' FILE | sprung ...");
    return csv_error_place(d->csv, d->csv->rest, d->csv->rest + a->at, e);
}

/* An error if another character cuts both records into the same number of cells, where the delimiter does not
 * cut the first at all. */
static bool check_delimiter(const struct detect *d, const struct summary *a, const struct summary *b,
                            struct error *e)
{
    const char *rest = d->csv->rest;
    for (const char *c = ";\t|,"; !d->r->options->delimiter && a->ncell == 1 && *c; c++) {
        uint64_t n = block_count(rest + a->at, a->end - a->at, *c);
        if (n == 0 || n != block_count(rest + b->at, b->end - b->at, *c) || *c == d->csv->delimiter)
            continue;
        if (d->csv->delimiter == '\t')
            error_data(e, "no tab is in this line, and tab is the delimiter");
        else
            error_data(e, "no '%c' is in this line, and that is the delimiter", d->csv->delimiter);
        const char *end = csv_without_eol(d->csv, rest + a->at, rest + a->end);
        error_excerpt(e, rest + a->at, (size_t)(end - rest) - a->at);
        error_hint(e, *c == '\t' ? "try --delimiter tab" : "try --delimiter '%c'%s", *c,
                   b->ncell > 1 && d->csv->delimiter == ',' ? " --decimal ," : "");
        csv_error_place(d->csv, rest, rest + a->at, e);
        e->at = 0;
        return false;
    }
    return check_blanks(d, a, b, e);
}

/* Does the record hold nothing but units, as the line below the names in exports of Vicon? */
static bool is_units(const struct detect *d, const struct summary *record)
{
    static const char units[] =
        " mm cm m mm/s m/s mm/s^2 mm/s/s mm/s2 m/s^2 m/s2 g deg deg/s deg/s^2 deg/s/s deg/s2 rad rad/s "
        "rad/s^2 rad/s2 N N.m N.mm Nm Nmm N/kg Nm/kg N.mm/kg W W/kg V mV uV Hz s ms us ns % ";
    const char *stop = d->csv->rest + record->end,
               *p = csv_row_start(d->csv, d->csv->rest + record->at, stop);
    for (struct csv_cell cell; p;) {
        char word[16];
        p = csv_next(d->csv, p, stop, &cell);
        bool bracketed = cell.n > 2 && ((cell.at[0] == '[' && cell.at[cell.n - 1] == ']') ||
                                        (cell.at[0] == '(' && cell.at[cell.n - 1] == ')'));
        if (cell.n == 0 || bracketed)
            continue;
        snprintf(word, sizeof word, " %.*s ", cell.n < 12 ? (int)cell.n : 12, cell.at);
        if (cell.n > 10 || !strstr(units, word))
            return false;
    }
    return true;
}

/* The last record that may be names before `before`, with that number of cells (0: any); a line of units
 * below names of as many columns holds none. */
static bool last_names(const struct detect *d, size_t before, size_t ncell, struct summary *names)
{
    struct summary look;
    bool found = false;
    for (size_t at = d->csv->start; next_read(d, &at, before, &look);)
        if (may_be_names(&look) && (ncell == 0 || look.ncell == ncell)) {
            if (found && names->ncell == look.ncell && is_units(d, &look))
                continue;
            *names = look;
            found = true;
        }
    return found;
}

/* Finds the names and the first row before a record that is certainly a row. */
static bool detect_names(struct detect *d, const struct summary *row, struct error *e)
{
    struct summary last, look;
    if (last_names(d, row->at, 0, &last)) {
        if (!check_delimiter(d, &last, row, e))
            return false;
        if (last.ncell != row->ncell && last.ntext > 1) {
            csv_error_ragged(d->csv, d->csv->rest, d->csv->rest + row->at, d->csv->rest + row->end,
                             last.ncell, e);
            /* With a place it is the error of a quote, which needs no hint. */
            return e->at ? false
                         : error_hint(e, "where another line holds the names, --header LINES says which");
        }
    }
    d->nline = last_names(d, row->at, row->ncell, &d->line[0]);
    size_t at = d->nline ? d->line[0].end : d->csv->start;
    for (bool units = d->nline > 0; next_read(d, &at, row->end, &look); units = false)
        if (look.ncell == row->ncell && !(units && is_units(d, &look))) {
            d->row = look;
            return true;
        }
    return true;
}

/* The same where no record before end is mostly numbers. */
static bool detect_in_text(struct detect *d, size_t end, struct error *e)
{
    struct summary first = { .end = 0 }, second = { .end = 0 }, last = { .end = 0 }, look;
    for (size_t at = d->csv->start; next_read(d, &at, end, &look); last = look) {
        second = !first.end ? second : !second.end ? look : second;
        first = first.end ? first : look;
    }
    if (!first.end)
        return error_data(e,
                          end == d->csv->start ? "the file is empty" : "there is no header and no row in it");
    if (second.end && !check_delimiter(d, &first, &second, e))
        return false;
    for (size_t at = d->csv->start; next_read(d, &at, end, &look);)
        if (look.nnumber > 0 && look.ncell == last.ncell) {
            d->row = look;
            d->nline = last_names(d, look.at, look.ncell, &d->line[0]);
            return true;
        }
    if (!d->csv->ended || end < d->csv->nrest) {
        d->line[d->nline++] = first;
        d->row = second;
    } else if (last_names(d, end, 0, &d->line[0])) {
        d->nline = 1;
    } else {
        d->row = first;
    }
    return true;
}

static bool detect_unasked(struct detect *d, struct error *e)
{
    struct summary names = { .end = 0 }, row;
    size_t at = d->csv->start;
    for (size_t n = 1;; n++) {
        if (!next_row(d, &at, SIZE_MAX, names.end ? &names : NULL, &row, e))
            return false;
        if (row.ncell > 0 && looks_like_row(&row))
            return detect_names(d, &row, e);
        if (row.ncell == 0 || n == LOOK || at - d->csv->start > FORMAT_MAXROW)
            return detect_in_text(d, at, e);
        if (may_be_names(&row))
            names = row;
    }
}

/* --no-header: the first record is a row. */
static bool detect_no_header(struct detect *d, struct error *e)
{
    size_t at = d->csv->start;
    if (!next_row(d, &at, SIZE_MAX, NULL, &d->row, e))
        return false;
    return d->row.ncell > 0 ? check_delimiter(d, &d->row, &d->row, e) : detect_in_text(d, at, e);
}

/* The first row below the names: a record with a number, or with nothing but gaps. */
static bool detect_row_below(struct detect *d, size_t at, struct error *e)
{
    struct summary first = { .end = 0 }, row;
    for (size_t n = 1;; n++) {
        if (!next_row(d, &at, SIZE_MAX, NULL, &row, e))
            return false;
        if (row.ncell == 0)
            return true;
        if (n == 1 && !check_delimiter(d, &d->line[d->nline - 1], &row, e))
            return false;
        first = n == 1 ? row : first;
        if (!may_be_names(&row) || n == LOOK) {
            d->row = n == LOOK ? first : row;
            return true;
        }
    }
}

/* --header LINES */
static bool detect_given(struct detect *d, struct error *e)
{
    uint64_t want[CSV_MAXLINES], line = 1;
    size_t nwant, end;
    if (!csv_name_lines(d->r->options->header, want, &nwant, e))
        return false;
    for (size_t at = d->csv->start; d->nline < nwant; at = end) {
        if (!csv_read_record(d->r, at, &end, e))
            return false;
        if (end == at || line > want[d->nline]) {
            error_data(e, end == at ? "--header: there is no line %llu" : "--header: line %llu begins no row",
                       (unsigned long long)want[d->nline]);
            return error_hint(e, end == at ? "the file has %llu line%s" : "it lies within a quoted cell",
                              (unsigned long long)line - 1, error_plural(line - 1));
        }
        if (line == want[d->nline])
            d->line[d->nline++] = summarize(d, at, end, NULL);
        line += block_count(d->csv->rest + at, end - at, d->csv->eol);
    }
    return detect_row_below(d, d->line[nwant - 1].end, e);
}

/* --- the columns --- */

/* One line of names, cell by cell. */
struct names {
    const char *p, *end;        /* NULL: no cell is left */
    struct csv_cell cell, fill; /* this one; the last one that was not blank */
};

/* Joins the cells of one column, top to bottom, into buf. An empty cell above the last line takes the cell to
 * its left, unless a line above has a new cell in between. */
static size_t join_name(struct names *line, size_t nline, char *buf)
{
    size_t n = 0;
    for (size_t i = 0; i < nline; i++) {
        const struct csv_cell *cell = &line[i].cell;
        if (cell->n > 0 && i + 1 < nline) {
            line[i].fill = *cell;
            for (size_t k = i + 1; k < nline; k++)
                line[k].fill.n = 0;
        } else if (cell->n == 0 && i + 1 < nline) {
            cell = &line[i].fill;
        }
        if (cell->n == 0)
            continue;
        if (n > 0)
            buf[n++] = '.';
        n += csv_unquote(cell, buf + n);
    }
    return n;
}

static bool add_names(struct detect *d, size_t ncolumn, char *buf, struct error *e)
{
    const struct csv *csv = d->csv;
    struct names line[CSV_MAXLINES] = { 0 };
    for (size_t i = 0; i < d->nline; i++) {
        line[i].end = csv->rest + d->line[i].end;
        line[i].p = csv_row_start(csv, csv->rest + d->line[i].at, line[i].end);
    }
    for (size_t column = 0; column < ncolumn; column++) {
        for (size_t i = 0; i < d->nline; i++) {
            line[i].p = csv_next(csv, line[i].p, line[i].end, &line[i].cell);
            if (!csv_error_quote(csv, csv->rest, &line[i].cell, e))
                return false;
        }
        size_t n = d->nline ? join_name(line, d->nline, buf) : (size_t)sprintf(buf, "%zu", column + 1);
        if (!columns_add(&d->r->columns, buf, n, e))
            return false;
    }
    return true;
}

/* Where one line was found that holds the names: gives each column the cell of the line above it, or the last
 * one to the left of that. */
static bool add_above(struct detect *d, struct error *e)
{
    struct columns *t = &d->r->columns;
    struct summary above;
    if (d->r->options->header || d->nline != 1 || !last_names(d, d->line[0].at, d->line[0].ncell, &above))
        return true;
    const char *end = d->csv->rest + above.end, *p = csv_row_start(d->csv, d->csv->rest + above.at, end);
    const char *last = NULL;
    for (size_t i = 0; i < t->ncolumn; i++) {
        struct csv_cell cell;
        p = csv_next(d->csv, p, end, &cell);
        if (cell.n > 0 ? !(t->column[i].above = strndup(cell.at, cell.n))
                       : last && !(t->column[i].above = strdup(last)))
            return error_memory(e);
        last = t->column[i].above;
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
        double x;
        p = csv_next(csv, p, end, &cell);
        if (!csv_error_quote(csv, csv->rest, &cell, e))
            return error_column(e, c->name);
        c->first = csv_kind(r, &cell, &x);
        if (c->first == CELL_NUMBER)
            c->decimals = number_decimals(cell.at, cell.n, csv->point);
        if (c->first == CELL_TEXT && csv_is_grouped(csv, &cell))
            messages_add(r->messages, r->source->name,
                         "column \"%s\" is not filtered: separators between thousands make its numbers text",
                         c->name);
        c->form = c->first == CELL_TEXT ? timestamp_read(cell.at, cell.n, &ignored) : TIMESTAMP_NUMBER;
    }
    return true;
}

static bool make_columns(struct detect *d, struct error *e)
{
    const struct csv *csv = d->csv;
    struct columns *t = &d->r->columns;
    const char *row = csv->rest + d->row.at, *end = csv->rest + d->row.end;
    size_t ncolumn = d->row.ncell, room = 32;
    bool found = end > row;
    for (size_t i = 0; i < d->nline; i++) {
        room += d->line[i].end - d->line[i].at + 1;
        if (!found && d->line[i].ncell > ncolumn)
            ncolumn = d->line[i].ncell;
    }
    if (found && d->nline == 1 && d->line[0].ncell != ncolumn)
        return csv_error_ragged(csv, csv->rest, row, end, d->line[0].ncell, e);
    char *buf = malloc(room);
    if (!buf)
        return error_memory(e);
    bool good = add_names(d, ncolumn, buf, e) && add_above(d, e);
    free(buf);
    t->named = d->nline > 0;
    t->stacked = d->nline > 1;
    if (!good || !csv_set_kinds(d->r, found ? csv_row_start(csv, row, end) : NULL, end, e))
        return false;
    for (size_t i = 0; d->nline == 0 && !d->r->options->no_header && i < t->ncolumn; i++)
        t->doubtful |= t->column[i].first == CELL_TEXT;
    return true;
}

bool csv_read_header(struct reader *r, struct error *e)
{
    struct csv *csv = r->state;
    struct detect d = { .r = r, .csv = csv };
    const struct input_options *o = r->options;
    if (!csv_read_start(r, e) ||
        !(o->header      ? detect_given
          : o->no_header ? detect_no_header
                         : detect_unasked)(&d, e) ||
        !make_columns(&d, e) || !csv_set_head(r, d.row.end > d.row.at ? d.row.at : csv->nrest, e))
        return false;
    if (d.nline > 0) {
        const struct summary *last = &d.line[d.nline - 1];
        csv->names = (size_t)(csv_without_eol(csv, csv->head + last->at, csv->head + last->end) - csv->head);
    }
    return true;
}
