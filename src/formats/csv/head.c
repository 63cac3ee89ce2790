/* The lines of the head of a text of cells, and the first row. Each record is cut by each delimiter, and the
 * first that is a row in some cut decides. Nothing after the first row is looked at, so that a stream is
 * live, and a pipe and a file agree. */
#include "formats/csv/head.h"

#include <stdio.h>
#include <stdlib.h>

enum { LOOK = 1000 }; /* most records that are looked at for a row */

/* --- what a record holds --- */

static bool has_decimal_comma(struct csv_cell cell)
{
    double ignored;
    const char *end = cell.at + cell.n;
    return memchr(cell.at, ',', cell.n) && number_read(cell.at, end, ',', &ignored) == end;
}

static void set_cut(struct head *head, size_t cut, bool comma)
{
    head->cut = cut;
    csv_set_delimiter(head->csv, head->delimiter[cut]);
    head->reader->point = comma ? ',' : 0;
}

/* What a record holds in the cut that is set, below names (NULL: none). Its numbers have a decimal comma if
 * some would and none has a point. */
static struct head_tally count_cells(const struct head *head, const struct head_record *record,
                                     const struct head_record *names)
{
    struct head_tally tally = { 0 };
    size_t npoint = 0, ncomma = 0;
    struct head_cells cells = head_cells(head, record), above = head_cells(head, names);
    for (bool first = true; cells.p; first = false) {
        struct csv_cell cell = head_next_cell(head, &cells);
        const struct csv_cell name = head_next_cell(head, &above);
        double x;
        struct timestamp time;
        const enum cell_kind kind = csv_kind(head->reader, &cell, &x);
        const bool date = kind == CELL_TEXT &&
                          timestamp_read(TIMESTAMP_NUMBER, cell.at, cell.n, &time) != TIMESTAMP_NUMBER;
        const bool number = kind == CELL_NUMBER || (date && first);
        tally.ncell++;
        if (cell.n > 0)
            tally.filled = tally.ncell;
        tally.nnumber += number;
        tally.ntext += kind == CELL_TEXT && !number;
        tally.nword += kind == CELL_GAP && cell.n > 0;
        tally.ngap += kind == CELL_GAP && name.n > 0;
        tally.timed |= (number || date) && columns_name_means(name.at, name.n, NAME_TIME);
        tally.titled |= first && kind != CELL_NUMBER;
        npoint += kind == CELL_NUMBER && memchr(cell.at, '.', cell.n);
        ncomma += kind == CELL_TEXT && has_decimal_comma(cell);
    }
    tally.comma = !head->reader->options->decimal && head->csv->delimiter != ',' && ncomma > 0 && npoint == 0;
    if (tally.comma) {
        tally.nnumber += ncomma;
        tally.ntext -= ncomma;
    }
    return tally;
}

/* Appends a record, counted in every cut. */
static struct head_record *add_record(struct head *head, size_t at, size_t end)
{
    struct head_record *record = &head->record[head->nrecord++];
    *record = (struct head_record){ .at = at, .end = end };
    const char *p = head->csv->rest + at;
    if (memchr("#%@", *p, 3))
        record->mark = *p;
    for (size_t cut = head->ncut; cut-- > 0;) {
        set_cut(head, cut, false);
        record->in[cut] = count_cells(head, record, NULL);
    }
    return record;
}

/* --- names --- */

/* Where a unit of time is below a name of the time, all cells are units, also unknown ones. */
bool head_is_units(const struct head *head, const struct head_record *names, const struct head_record *record)
{
    static const char units[] =
        " mm cm m mm/s m/s mm/s^2 mm/s/s mm/s2 m/s^2 m/s2 g deg deg/s deg/s^2 deg/s/s deg/s2 rad rad/s "
        "rad/s^2 rad/s2 N N.m N.mm Nm Nmm N/kg Nm/kg N.mm/kg W W/kg V mV uV Hz s sec ms us ns min h % dps uT "
        "Pa hPa kPa bar degC K bpm kN kg ";
    const bool same = names->in[head->cut].ncell == record->in[head->cut].ncell;
    bool known = true;
    struct head_cells above = head_cells(head, names), cells = head_cells(head, record);
    while (cells.p) {
        const struct csv_cell name = head_next_cell(head, &above), cell = head_next_cell(head, &cells);
        char word[16];
        if (same && columns_name_means(name.at, name.n, NAME_TIME) &&
            columns_unit_of_text(cell.at, cell.n) != TIME_UNIT_NONE)
            return true;
        const bool bracketed = cell.n > 2 && strchr("[(", cell.at[0]) && strchr("])", cell.at[cell.n - 1]);
        snprintf(word, sizeof word, " %.*s ", cell.n < 12 ? (int)cell.n : 12, cell.at);
        known &= cell.n == 0 || bracketed || (cell.n <= 10 && strstr(units, word));
    }
    return known;
}

/* The nearest record above `below` that may hold names, text and no number, with the cells of `like` (NULL:
 * any number of cells). A line of units is passed over, and a line of @, a setting in files of Grace. NULL:
 * no such record. */
static const struct head_record *nearest_names(const struct head *head, const struct head_record *below,
                                               const struct head_tally *like)
{
    const struct head_record *found = NULL;
    for (const struct head_record *look = below; look-- > head->record;) {
        const struct head_tally *tally = &look->in[head->cut];
        if (tally->nnumber > 0 || tally->ntext == 0 || (look->mark == '@' && head->csv->delimiter == ' ') ||
            (like && !head_fits(tally, like)))
            continue;
        if (found)
            return head_is_units(head, look, found) ? look : found;
        found = look;
    }
    return found;
}

/* Does no delimiter cut the record? */
static bool is_whole(const struct head *head, const struct head_record *record)
{
    bool whole = true;
    for (size_t cut = 0; cut < head->ncut; cut++)
        whole &= record->in[cut].ncell == 1;
    return whole;
}

/* --- the first row, and the cut by it --- */

/* Has a record numbers in most of its cells, or in half of them below as many names, where a gap under a name
 * counts? A label and its value are no row; a number under a name of the time is one. names NULL: no names.
 */
static bool is_row(const struct head *head, const struct head_record *record, const struct head_record *names)
{
    const struct head_tally tally = count_cells(head, record, names);
    const size_t numbers = tally.nnumber + tally.ngap;
    const bool half = names && names->in[head->cut].ncell == tally.ncell && 2 * numbers == tally.ncell;
    return tally.timed || 2 * numbers > tally.ncell || (half && !(tally.ncell == 2 && tally.titled));
}

/* How surely is a record a row in a cut? Names of as many cells say it best; then a single name over a single
 * number; then numbers alone, which below words between blanks are not enough; then the format. */
enum sure { NO_ROW, BY_FORMAT, BY_NUMBERS, BY_NAME, BY_NAMES };

static enum sure judge(struct head *head, const struct head_record *record, size_t cut)
{
    const struct input_options *options = head->reader->options;
    const struct head_tally *row = &record->in[cut];
    const char point = options->decimal ? *options->decimal : '.';
    if (record->mark || row->nnumber + row->nword == 0 || head->delimiter[cut] == point)
        return NO_ROW;
    set_cut(head, cut, row->comma);
    const struct head_record *given = head->nline > 0 ? head->line[head->nline - 1] : NULL;
    const bool known = given || options->no_header;
    const struct head_record *names = known ? given : nearest_names(head, record, row);
    const struct head_record *text = known ? given : nearest_names(head, record, NULL);
    if (!given && !is_row(head, record, names))
        return NO_ROW;
    if (names && row->ncell > 1 && head_fits(&names->in[cut], row))
        return BY_NAMES;
    if (names && row->ncell == 1 && !names->mark && is_whole(head, names))
        return BY_NAME;
    const bool blanks = head->delimiter[cut] == ' ' && !options->delimiter;
    const bool numbers = row->ntext == 0;
    if (row->ncell > 1 && (blanks ? numbers && (!text || text->mark) : numbers || !text))
        return BY_NUMBERS;
    return cut == 0 ? BY_FORMAT : NO_ROW;
}

/* Is the record a row in some cut? Then it is cut as is surest from here on. */
static bool choose_cut(struct head *head, const struct head_record *record)
{
    enum sure most = NO_ROW;
    size_t found = 0;
    for (size_t cut = 0; cut < head->ncut; cut++) {
        const enum sure sure = judge(head, record, cut);
        if (sure > most) {
            most = sure;
            found = cut;
        }
    }
    set_cut(head, found, most > NO_ROW && record->in[found].comma);
    return most > NO_ROW;
}

/* Reads records until one is a row, and chooses the cut by it. With --header sets the lines of the names. */
static bool read_records(struct head *head, struct error *e)
{
    struct csv *csv = head->csv;
    const struct input_options *options = head->reader->options;
    uint64_t want[CSV_MAXLINES], line = 1;
    const size_t nwant = options->header ? csv_name_lines(options->header, want) : 0;
    for (size_t at = csv->start, end; !head->row && head->nrecord < LOOK; at = end) {
        if (!csv_read_record(head->reader, at, &end, e))
            return false;
        const char *p = csv->rest + at, *stop = csv->rest + end;
        if (p == stop)
            break;
        if (line == 1 && nwant == 0)
            head->vendor = vendor_find(p, stop);
        const bool given = head->nline < nwant && line == want[head->nline];
        line += block_count(p, (size_t)(stop - p), csv->eol);
        if (head->nline < nwant ? !given : csv_is_blank_line(csv, p, stop))
            continue;
        const struct head_record *record = add_record(head, at, end);
        if (given)
            head->line[head->nline++] = record;
        else if (!vendor_holds(head, p, stop) &&
                 (choose_cut(head, record) || (options->no_header && !record->mark)))
            head->row = record;
    }
    return head->nline == nwant ||
           error_data(e, "--header: no row begins on line %llu", (unsigned long long)want[head->nline]);
}

/* Finds the names above the first row, which may be a record of gaps between the names and the record that is
 * a row. */
static void find_names(struct head *head)
{
    const struct head_record *row = head->row, *text = nearest_names(head, row, NULL);
    const struct head_tally *tally = &row->in[head->cut];
    const struct head_record *names = nearest_names(head, row, tally);
    if (!names && text && !text->mark && text->in[head->cut].ntext > 1 && !head->vendor)
        names = text; /* of another number of cells, which is an error */
    const struct head_record *look = names ? names + 1 : head->record;
    head->line[0] = names;
    head->nline = names != NULL;
    if (names && look < row && head_is_units(head, names, look))
        look++;
    while (look < row && (look->mark || look->in[head->cut].ncell != tally->ncell || head->vendor))
        look++;
    head->row = look;
}

/* Finds the names where no record is a row for sure. The first with a number counts, if it has as many cells
 * as the last, as in a table of labels and values. Without one, a lone line holds the names of a file without
 * rows, if a delimiter cuts it or none does, not even a blank. */
static bool find_unsure_head(struct head *head, struct error *e)
{
    const struct csv *csv = head->csv;
    const struct head_record *end = head->record + head->nrecord, *last = end - 1;
    if (head->nrecord == 0)
        return error_data(e, "the file %s",
                          csv->nrest == csv->start ? "is empty" : "has no header and no rows");
    for (head->row = head->record; head->row < end; head->row++)
        if (head->row->in[0].nnumber > 0 && head->row->in[0].ncell == last->in[0].ncell)
            return true;
    head->row = NULL;
    for (size_t cut = 0; cut < head->ncut && head->nrecord == 1; cut++) {
        set_cut(head, cut, false);
        const bool blanks = head->delimiter[cut] == ' ' && !head->reader->options->delimiter;
        const bool named = (last->in[cut].ncell > 1 && !blanks) || is_whole(head, last);
        if (named && last->in[cut].ntext > 0) {
            head->line[head->nline++] = last;
            return true;
        }
    }
    const char *p = csv->rest + last->at, *point = head->reader->options->decimal;
    error_data(e, "no line holds numbers in at least half of its cells; last line");
    error_excerpt(e, p, (size_t)(csv_without_eol(csv, p, csv->rest + last->end) - p));
    error_hint(e, "%s",
               point && *point == ','
                   ? "the comma cannot be the delimiter, too: mlr --csv --ofs ';' cat FILE | sprung ..."
                   : "if line 1 is the header row, try --header 1; if the decimal sign is ',', --decimal ,");
    csv_error_place(csv, csv->rest, p, e);
    return error_unfilterable(e);
}

/* --- all of the head --- */

/* A first row that has not as many cells as its names is an error. */
static bool check_fit(const struct head *head, struct error *e)
{
    struct csv *csv = head->csv;
    const struct head_tally *names = &head->line[0]->in[head->cut], *row = &head->row->in[head->cut];
    if (head_fits(names, row))
        return true;
    csv->ragged_hint =
        "name every column, use --header LINES, or leave the names out: sed 1d FILE | sprung ... --no-header";
    return csv_error_ragged(csv, csv->rest, csv->rest + head->row->at, csv->rest + head->row->end,
                            names->ncell, e);
}

static bool read_head(struct head *head, struct error *e)
{
    if (!read_records(head, e))
        return false;
    const bool given = head->nline > 0 || head->reader->options->no_header;
    if (!given && !head->row && !find_unsure_head(head, e))
        return false;
    if (!given && head->row)
        find_names(head);
    if (head->vendor)
        vendor_read(head);
    if (head->row && head->nline == 1 && !check_fit(head, e))
        return false;
    if (!head_make_columns(head, e))
        return false;
    if (!given && head->nline == 0 && head->row->in[head->cut].ntext > 0)
        reader_tell(head->reader, "no header row: try --header 1 if line 1 has the names, else --no-header");
    if (head->reader->point == ',')
        reader_tell(head->reader, "numbers are read with a decimal comma (if that is wrong: --decimal .)");
    return true;
}

bool csv_read_header(struct reader *reader, struct error *e)
{
    static const char delimiters[HEAD_CUTS] = { ',', ';', '\t', '|', ' ' };
    struct csv *csv = reader->state;
    struct head head = { .reader = reader, .csv = csv };
    head.delimiter[head.ncut++] = csv->delimiter;
    for (size_t i = 0; i < HEAD_CUTS && !reader->options->delimiter; i++)
        if (delimiters[i] != head.delimiter[0])
            head.delimiter[head.ncut++] = delimiters[i];
    if (!csv_read_start(reader, e))
        return false;
    head.record = malloc(LOOK * sizeof *head.record);
    const bool good = head.record ? read_head(&head, e) : error_memory(e);
    if (!good && head.row && e->kind == ERROR_DATA && reader->options->bad_rows == BAD_ROWS_SKIP)
        error_hint(e, "--bad-rows skip cannot leave out the first row, which shows what the columns are");
    free(head.record);
    if (csv->delimiter == '\t' && !reader->options->from && !format_by_file(reader->source->name))
        reader->format = &format_tsv;
    return good;
}
