/* Finds the names and the first row of a text; the text before the first row is the head. Where no option
 * says which line has the names: a record is surely a row if a number stands below a name of the time, or if
 * it has more numbers than other cells; a gap below a name counts as a number. The names are the last record
 * without numbers above it. A record between the names and this row that has as many cells as the row is a
 * row, too. Only the text up to this row decides, so that a pipe and a file agree; where no record is surely
 * a row, the first HEADER_LOOK records decide. */
#include "formats/csv/header.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>

static bool is_year(double x)
{
    return x >= 1500 && x < 2200 && x == floor(x);
}

static bool is_cell(const struct csv_cell *cell, const char *text)
{
    return cell->n == strlen(text) && memcmp(cell->at, text, cell->n) == 0;
}

void header_count(const struct header *header, struct record *sum, size_t end, const struct record *names)
{
    *sum = (struct record){ .at = header->at, .end = end, .whole = true, .rising = true };
    sum->mark = header_mark(header, sum);
    sum->setting = sum->mark == '@' && header->csv->runs;
    double before = -INFINITY; /* the number before */
    bool tell_point = !header->reader->options->decimal && header->csv->delimiter != ',';
    struct cells cells = header_cells(header, sum),
                 above = names ? header_cells(header, names) : (struct cells){ 0 };
    while (cells.p) {
        struct csv_cell cell, name;
        struct timestamp ignored;
        double x;
        cells.p = csv_next(header->csv, cells.p, cells.end, &cell);
        above.p = csv_next(header->csv, above.p, above.end, &name);
        enum cell_kind kind = csv_kind(header->reader, &cell, &x);
        const char *cell_end = cell.at + cell.n;
        bool date = kind == CELL_TEXT && timestamp_read(cell.at, cell.n, &ignored) != TIMESTAMP_NUMBER;
        bool comma = kind == CELL_TEXT && memchr(cell.at, ',', cell.n) &&
                     number_read(cell.at, cell_end, ',', &x) == cell_end;
        sum->dated |= sum->ncell == 0 && date;
        sum->hash |= sum->ncell == 0 && cell.n == 1 && strchr("#%", *cell.at);
        sum->label |= sum->ncell == 0 && header->labelled && is_cell(&cell, "CHANNEL_NAMES");
        sum->trailing = cell.n == 0 && !cell.quoted;
        sum->ncomma += tell_point && comma;
        sum->ncomma_quoted += cell.quoted && comma;
        sum->npoint += kind == CELL_NUMBER && memchr(cell.at, '.', cell.n);
        sum->whole &= kind != CELL_NUMBER || strspn(cell.at, "0123456789") >= cell.n;
        if (kind == CELL_NUMBER) {
            sum->nyear += is_year(x);
            sum->rising &= x > before;
            before = x;
        }
        sum->nempty += cell.n == 0;
        sum->ncell++;
        sum->nnumber += kind == CELL_NUMBER;
        sum->ntext += kind == CELL_TEXT;
        sum->nword += kind == CELL_GAP && cell.n > 0;
        sum->nnamed += kind == CELL_GAP && name.n > 0;
        if (kind != CELL_GAP && columns_means_time(name.at, name.n))
            sum->timed |= kind == CELL_NUMBER ||
                          timestamp_read(cell.at, cell.n, &ignored) != TIMESTAMP_NUMBER;
    }
}

/* Appends the record from header->at to `end` to header->seen. names: as for header_count. */
static const struct record *summarize(struct header *header, size_t end, const struct record *names)
{
    struct record *sum = &header->seen[header->nseen++];
    header_count(header, sum, end, names);
    return sum;
}

bool header_may_be_names(const struct record *record)
{
    return !record->setting && (record->numbered || (record->nnumber == 0 && record->ntext > 0));
}

bool header_replaces_names(const struct record *names, const struct record *look)
{
    if (!names || names->ncell != look->ncell)
        return true;
    return !look->dated && (names->nempty > 0 || look->nempty == 0);
}

bool header_is_row(const struct record *record, const struct record *names)
{
    size_t numbers = record->nnumber + record->nnamed + (record->dated ? 1 : 0);
    bool dated = names && record->dated && record->ncell == names->ncell && !names->dated;
    bool filled = record->nnumber + record->nword > 0 && numbers > record->ncell - numbers;
    return !record->mark && (record->timed || dated || filled);
}

bool header_fits(const struct header *header, const struct record *names, const struct record *row)
{
    bool tabs = header->csv->delimiter == '\t';
    if (names->label)
        return names->ncell - names->trailing == 1 + row->ncell - row->trailing;
    if (names->ncell == row->ncell + 1)
        return (tabs && names->trailing) || names->hash;
    return names->ncell == row->ncell || (tabs && row->ncell == names->ncell + 1 && row->trailing);
}

/* Are all numbers of a record years, in order, as names may be? */
static bool holds_years(const struct record *record)
{
    return record->whole && record->rising && record->nnumber > 1 && record->nyear == record->nnumber;
}

/* Are the numbers in a record names? Either the numbers are years beside a text, and the record below has
 * numbers but no year. Or the numbers consist of digits alone, a number stands below a text of the record,
 * and no text stands below a number. */
static bool names_with_numbers(const struct header *header, const struct record *names,
                               const struct record *below)
{
    if (names->ncell != below->ncell)
        return false;
    if (holds_years(names) && names->ntext > 0 && below->nnumber > 0 && below->nyear == 0)
        return true;
    if (names->nnumber == 0 || names->ntext == 0 || !names->whole)
        return false;
    bool number_below_text = false;
    struct cells upper = header_cells(header, names), lower = header_cells(header, below);
    while (upper.p) {
        struct csv_cell cell, under;
        double x;
        upper.p = csv_next(header->csv, upper.p, upper.end, &cell);
        lower.p = csv_next(header->csv, lower.p, lower.end, &under);
        enum cell_kind kind = csv_kind(header->reader, &cell, &x),
                       kind_below = csv_kind(header->reader, &under, &x);
        if (kind == CELL_NUMBER && kind_below == CELL_TEXT)
            return false;
        number_below_text |= kind == CELL_TEXT && kind_below == CELL_NUMBER;
    }
    return number_below_text;
}

/* Does the last record that was read show that numbers have a decimal comma? It is the first with a decimal
 * comma, and no number so far has a decimal point. */
static bool shows_comma(const struct header *header)
{
    bool pointed = false;
    for (size_t i = 0; i < header->nseen; i++)
        pointed |= header->seen[i].npoint > 0;
    return header->seen[header->nseen - 1].ncomma > 0 && !pointed && reader_point(header->reader) == '.';
}

/* Reads up to the next record that is no blank line, and sets *row; NULL: the text has
 * ended. names: as for summarize. */
static bool next_row(struct header *header, const struct record *names, const struct record **row,
                     struct error *e)
{
    *row = NULL;
    for (size_t end; !*row; header->at = end) {
        if (!csv_read_record(header->reader, header->at, &end, e))
            return false;
        const char *p = header->csv->rest + header->at, *stop = header->csv->rest + end;
        if (p == stop)
            return true;
        if (!csv_is_blank_line(header->csv, p, stop))
            *row = summarize(header, end, names);
        if (*row && shows_comma(header)) {
            header->reader->point = ',';
            header->nseen--;
            *row = summarize(header, end, names);
        }
    }
    return true;
}

/* --- which record holds the names, which is the first row --- */

/* Words between blanks in a record. */
static size_t count_words(const struct header *header, const struct record *record)
{
    const char *p = header->csv->rest + record->at, *end = header->csv->rest + record->end;
    size_t n = 0;
    for (const char *q = p; q < end; q++)
        n += !isspace((unsigned char)*q) && (q == p || isspace((unsigned char)q[-1]));
    return n;
}

/* Does a unit of time stand below a name of the time? Then all cells are units, also unknown ones. */
static bool has_unit_of_time(const struct header *header, const struct record *names,
                             const struct record *record)
{
    struct cells above = header_cells(header, names), cells = header_cells(header, record);
    while (above.p && cells.p) {
        struct csv_cell name, unit;
        above.p = csv_next(header->csv, above.p, above.end, &name);
        cells.p = csv_next(header->csv, cells.p, cells.end, &unit);
        if (columns_means_time(name.at, name.n))
            return columns_unit_of_text(unit.at, unit.n) != TIME_UNIT_NONE;
    }
    return false;
}

bool header_is_units(const struct header *header, const struct record *names, const struct record *record)
{
    static const char units[] =
        " mm cm m mm/s m/s mm/s^2 mm/s/s mm/s2 m/s^2 m/s2 g deg deg/s deg/s^2 deg/s/s deg/s2 rad rad/s "
        "rad/s^2 rad/s2 N N.m N.mm Nm Nmm N/kg Nm/kg N.mm/kg W W/kg V mV uV Hz s sec ms us ns min h % dps uT "
        "Pa hPa kPa bar degC K bpm kN kg ";
    if (record->nnumber == 0 && names->ncell == record->ncell && has_unit_of_time(header, names, record))
        return true;
    for (struct cells cells = header_cells(header, record); cells.p;) {
        struct csv_cell cell;
        char word[16];
        cells.p = csv_next(header->csv, cells.p, cells.end, &cell);
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

const struct record *header_last_names(const struct header *header, const struct record *before,
                                       const struct record *like)
{
    const struct record *names = NULL;
    for (const struct record *look = header->seen; look < before; look++) {
        bool units = names && header_is_units(header, names, look);
        if (header_may_be_names(look) && (!like || header_fits(header, look, like)) && !units &&
            header_replaces_names(names, look))
            names = look;
    }
    return names;
}

/* Makes a record the only record of the names; NULL: there are no names. Returns false for NULL. */
static bool set_names(struct header *header, const struct record *names)
{
    header->line[0] = names;
    header->nline = names != NULL;
    return names;
}

/* The first cell of a record. */
static struct csv_cell first_cell(const struct header *header, const struct record *record)
{
    struct csv_cell cell;
    struct cells cells = header_cells(header, record);
    csv_next(header->csv, cells.p, cells.end, &cell);
    return cell;
}

/* Does the first record of a file begin the head of a file of Qualisys? */
static bool begins_labelled_head(const struct header *header, const struct record *first)
{
    const struct csv_cell cell = first_cell(header, first);
    return is_cell(&cell, "NO_OF_FRAMES") || is_cell(&cell, "NO_OF_SAMPLES");
}

/* Does the first record of a file begin the head of a file of Vicon, whose next line holds the rate alone? */
static bool begins_vicon_head(const struct header *header, const struct record *first)
{
    static const char *const kinds[] = { "Devices", "Trajectories", "Model Outputs", "Joints", "Segments" };
    const struct csv_cell cell = first_cell(header, first);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (first->ncell == 1 && is_cell(&cell, kinds[i]))
            return true;
    return false;
}

/* Is the record a line of a label and its values, in the head of a file of Qualisys? */
static bool is_labelled_line(const struct header *header, const struct record *record)
{
    static const char capitals[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    const struct csv_cell cell = first_cell(header, record);
    return header->labelled && cell.n > 0 && strspn(cell.at, capitals) >= cell.n;
}

/* Finds the names and the first row, where `row` is the first record that is certainly a row. */
static bool detect_names(struct header *header, const struct record *row, struct error *e)
{
    const struct csv *csv = header->csv;
    size_t nrow = (size_t)(row - header->seen);
    if (nrow > 0 && row[-1].ncell == row->ncell && !header_last_names(header, row, row))
        header->seen[nrow - 1].numbered = names_with_numbers(header, row - 1, row);
    const struct record *last = header_last_names(header, row, NULL), *look = header->seen;
    const bool remark = last && last->mark;
    if (last && !remark && !header_fits(header, last, row) && last->ntext > 1 &&
        !is_labelled_line(header, last)) {
        header->csv->ragged_hint = "for names on other lines, use --header LINES";
        return csv_error_ragged(csv, csv->rest, csv->rest + row->at, csv->rest + row->end, last->ncell, e);
    }
    if (set_names(header, header_last_names(header, row, row)))
        look = header->line[0] + 1;
    if (header->nline > 0 && look < row && header_is_units(header, header->line[0], look))
        look++;
    while (look < row && (look->mark || look->ncell != row->ncell))
        look++;
    header->row = header->labelled ? row : look;
    return true;
}

/* May the names be the only content of a file without rows? The names must be the only line, or one name
 * must mean a time; and no other delimiter may cut the line. */
static bool is_lone_header(const struct header *header, const struct record *names)
{
    enum { SENTENCE = 4 }; /* words in a cell that are no name */
    const char *p = header->csv->rest + names->at, *end = header->csv->rest + names->end;
    bool timed = false;
    for (struct cells cells = header_cells(header, names); cells.p;) {
        struct csv_cell cell;
        cells.p = csv_next(header->csv, cells.p, cells.end, &cell);
        timed |= columns_means_time(cell.at, cell.n);
    }
    if (names->ncell > 1)
        return timed || header->nseen == 1;
    for (const char *other = ";\t|,"; *other; other++)
        if (memchr(p, *other, (size_t)(end - p)))
            return false;
    return header->nseen == 1 && count_words(header, names) < SENTENCE;
}

/* The error of a text without a number; last: the last record that may hold names. Returns false. */
static bool fail_without_numbers(const struct header *header, const struct record *last, struct error *e)
{
    const char *p = header->csv->rest + last->at,
               *end = csv_without_eol(header->csv, p, header->csv->rest + last->end);
    error_data(e, "no line holds a number; last line with text");
    error_excerpt(e, p, (size_t)(end - p));
    if (header->seen[header->nseen - 1].ncomma_quoted > 0)
        error_hint(e, "try --decimal ,");
    else
        error_hint(e, "if cells are separated by ';', try --delimiter ';'; if line 1 is the header row, "
                      "--header 1");
    csv_error_place(header->csv, header->csv->rest, p, e);
    return error_unfilterable(e);
}

/* Finds the names and the first row where no record is certainly a row. */
static bool detect_in_text(struct header *header, struct error *e)
{
    const struct record *first = header->seen, *end = first + header->nseen,
                        *second = first + 1 < end ? first + 1 : NULL;
    if (first == end)
        return error_data(e, header->at == header->csv->start ? "the file is empty"
                                                              : "the file has no header and no rows");
    for (const struct record *look = first; look < end; look++)
        if (look->nnumber > 0 && look->ncell == end[-1].ncell) {
            header->row = look;
            set_names(header, header_last_names(header, look, look));
            return true;
        }
    bool more_records = !header->csv->ended || header->at < header->csv->nrest;
    if (more_records) {
        set_names(header, first);
        header->row = second;
        return true;
    }
    if (!set_names(header, header_last_names(header, end, NULL))) {
        header->row = first;
        return true;
    }
    if (is_lone_header(header, header->line[0]))
        return true;
    return fail_without_numbers(header, header->line[0], e);
}

/* Do all cells of a record hold equal numbers? *number: the number in the cells. */
static bool repeats_number(const struct header *header, const struct record *record, double *number)
{
    size_t n = 0;
    for (struct cells cells = header_cells(header, record); cells.p; n++) {
        struct csv_cell cell;
        double x;
        cells.p = csv_next(header->csv, cells.p, cells.end, &cell);
        if (csv_kind(header->reader, &cell, &x) != CELL_NUMBER || (n > 0 && x != *number))
            return false;
        *number = x;
    }
    return true;
}

/* Is the first record the first line of a file of Empatica: in each column the time of the first row, in
 * seconds since 1970? */
static bool may_be_start(const struct header *header, const struct record *record)
{
    double start;
    return record == header->seen && repeats_number(header, record, &start) &&
           columns_unit_of_epoch(start) == TIME_UNIT_S;
}

/* Is the second record the second line of a file of Empatica: in each column the rows per second? */
static bool is_rate_line(const struct header *header, const struct record *record)
{
    enum { MOST_RATE = 10000 };
    double rate;
    return record && record->ncell == header->seen->ncell && repeats_number(header, record, &rate) &&
           rate > 0 && rate < MOST_RATE;
}

/* Finds the names and the first row without --header. With --no-header the first record is a row. */
static bool detect_by_cells(struct header *header, struct error *e)
{
    const struct record *names = NULL, *row;
    while (next_row(header, names, &row, e)) {
        if (row && header->reader->options->no_header && row->mark)
            continue; /* a comment */
        if (row && header->reader->options->no_header) {
            header->row = row;
            return true;
        }
        if (row == header->seen) {
            header->labelled = begins_labelled_head(header, row);
            header->vicon = begins_vicon_head(header, row);
        }
        if (row && may_be_start(header, row)) {
            const struct record *below;
            if (!next_row(header, NULL, &below, e))
                return false;
            header->paced = is_rate_line(header, below);
            if (header->paced)
                return next_row(header, NULL, &header->row, e);
            header->row = row;
            return true;
        }
        const bool labelled = row && is_labelled_line(header, row);
        if (row && !names && !labelled && !row->mark && row->whole && row->ntext > 0 && row->nnumber > 0) {
            /* Are the numbers names or values? The record below decides. */
            const struct record *below;
            if (!next_row(header, row, &below, e))
                return false;
            if (below && names_with_numbers(header, row, below))
                return detect_names(header, below, e);
            if (2 * (row->nnumber + row->nnamed) > row->ncell)
                return detect_names(header, row, e);
            row = below ? below : row;
        }
        const bool alone = row && header->vicon && row->ncell == 1;
        if (row && !labelled && !alone && header_is_row(row, names))
            return detect_names(header, row, e);
        if (!row || header->nseen >= HEADER_LOOK || header->at - header->csv->start > FORMAT_MAXROW)
            return detect_in_text(header, e);
        names = header_may_be_names(row) && header_replaces_names(names, row) ? row : names;
    }
    return false;
}

/* Finds the names by --header LINES, and the first row below the names. */
static bool detect_given(struct header *header, struct error *e)
{
    uint64_t want[CSV_MAXLINES], line = 1;
    size_t nwant = csv_name_lines(header->reader->options->header, want);
    for (size_t end; header->nline < nwant; header->at = end) {
        if (!csv_read_record(header->reader, header->at, &end, e))
            return false;
        if (end == header->at || line > want[header->nline]) {
            error_data(e,
                       end == header->at ? "--header: the file has no line %llu"
                                         : "--header: line %llu is not the start of a row",
                       (unsigned long long)want[header->nline]);
            return error_hint(e,
                              end == header->at ? "the file has %llu line%s" : "it is inside a quoted cell",
                              (unsigned long long)line - 1, error_plural(line - 1));
        }
        if (line == want[header->nline])
            header->line[header->nline++] = summarize(header, end, NULL);
        line += block_count(header->csv->rest + header->at, end - header->at, header->csv->eol);
    }
    /* The first row is the first record below the names with a number, or with gaps alone; where the records
     * that are looked at have no such record, it is the first record below the names. */
    const struct record *names = header->line[nwant - 1], *first = names + 1;
    do {
        if (!next_row(header, NULL, &header->row, e))
            return false;
    } while (header->row && header_may_be_names(header->row) && header->row < names + HEADER_LOOK);
    if (header->row == names + HEADER_LOOK)
        header->row = first;
    return true;
}

bool header_find(struct header *header, struct error *e)
{
    return header->reader->options->header ? detect_given(header, e) : detect_by_cells(header, e);
}
