/* Chooses the delimiter: the one that cuts the names and the first row into the same number of cells, two at
 * least. Records are cut in every way, one after the other, until one of the ways shows a row; so a pipe and
 * a file agree, and the first row does not wait for the second. */
#include "formats/csv/header.h"

enum { BLANKS = 0, MOST_WAYS = 5 };

/* The records so far, as cut at a certain delimiter. */
struct way {
    char delimiter; /* BLANKS: runs of blanks and tabs */
    struct record first, before, names, now;
    bool named; /* names holds a record */
};

/* The delimiters that are tried. */
struct ways {
    struct header *header;
    struct way way[MOST_WAYS]; /* [nway] the first of several that fit is chosen */
    size_t nway;
    char usual;        /* the delimiter of the format */
    size_t nrecord;    /* records so far */
    bool only_remarks; /* every record so far begins with #, % or @ */
};

static void set_delimiter(struct csv *csv, char delimiter)
{
    csv->bare = delimiter == BLANKS;
    csv_set_delimiter(csv, delimiter);
}

/* Counts the cells of the record up to `end`; a number may have a decimal comma if no number has a point. */
static void count_cells(const struct header *header, struct way *way, size_t end)
{
    struct reader *reader = header->reader;
    const struct record *names = way->named ? &way->names : NULL;
    const char point = reader->point;
    set_delimiter(header->csv, way->delimiter);
    header_count(header, &way->now, end, names);
    if (way->now.ncomma > 0 && way->now.npoint == 0) {
        reader->point = ',';
        header_count(header, &way->now, end, names);
        reader->point = point;
    }
}

/* Does the record hold numbers and gaps, and perhaps a date in the first cell, but no other text? */
static bool holds_only_numbers(const struct record *record)
{
    return record->nnumber > 0 && record->ntext == (record->dated ? 1 : 0);
}

/* Is the record certainly a row with this delimiter, and cut as the names or the record above? Blanks are
 * also between the words of a text: there all cells must be numbers, unless the file begins with names of as
 * many words. */
static bool fits(const struct ways *ways, const struct way *way)
{
    const struct header *header = ways->header;
    const struct record *row = &way->now, *names = way->named ? &way->names : NULL;
    const bool numbers = holds_only_numbers(row), blanks = way->delimiter == BLANKS;
    const char *text = header->csv->rest + row->at;
    bool ambiguous = way->delimiter == reader_point(header->reader) && !memchr(text, '"', row->end - row->at);
    if (row->ncell < 2 || ambiguous || !header_is_row(row, names))
        return false;
    if (names && header_fits(header, names, row))
        return !blanks || numbers || names->at == header->csv->start;
    if (numbers && (ways->nrecord == 0 || ways->only_remarks))
        return true;
    return !blanks && ways->nrecord > 0 && way->before.ncell == row->ncell;
}

/* Takes a record, cut at the delimiter of `way`. given: by --header, the record holds the names. */
static void take_record(const struct ways *ways, struct way *way, bool given)
{
    const struct record *names = way->named ? &way->names : NULL;
    if (ways->nrecord == 0)
        way->first = way->now;
    bool may_be_names = header_may_be_names(&way->now) && header_replaces_names(names, &way->now);
    if (given || may_be_names) {
        way->names = way->now;
        way->named = true;
    }
    way->before = way->now;
}

/* Finds the way that fits the record up to `end`; the usual way also fits a row that other lines do not fit,
 * as below the heads of known programs. NULL: the record is no row in any way. */
static const struct way *find_way(struct ways *ways, size_t end)
{
    struct header *header = ways->header;
    const struct way *found = NULL;
    for (struct way *way = ways->way; way < ways->way + ways->nway; way++) {
        count_cells(header, way, end);
        if (!found && fits(ways, way))
            found = way;
    }
    for (const struct way *way = ways->way; !found && way < ways->way + ways->nway; way++)
        if (way->delimiter == ways->usual && header_is_row(&way->now, way->named ? &way->names : NULL))
            found = way;
    return found;
}

/* The way that cuts the records so far, one or two, into the same number of cells, with a number in the last.
 */
static const struct way *find_even_way(const struct ways *ways)
{
    for (const struct way *way = ways->way; way < ways->way + ways->nway; way++) {
        bool even = way->first.ncell == way->before.ncell;
        bool words = way->delimiter == BLANKS && !holds_only_numbers(&way->before);
        if (even && way->before.ncell > 1 && way->before.nnumber > 0 && !words)
            return way;
    }
    return NULL;
}

static struct ways list_ways(struct header *header)
{
    static const char delimiters[] = { ',', '\t', ';', '|', BLANKS };
    struct ways ways = { .header = header, .usual = header->csv->delimiter, .only_remarks = true };
    if (header->reader->options->from) /* --from tsv: tabs win a tie */
        ways.way[ways.nway++].delimiter = ways.usual;
    for (size_t i = 0; i < sizeof delimiters; i++)
        if (ways.nway == 0 || delimiters[i] != ways.way[0].delimiter)
            ways.way[ways.nway++].delimiter = delimiters[i];
    return ways;
}

/* Reads the record from header->at to `end`. names: --header says that it holds the names. Returns how the
 * record is a row; NULL: it is not a row. */
static const struct way *take_next(struct ways *ways, size_t end, bool names)
{
    const struct way *found = find_way(ways, end);
    for (struct way *way = ways->way; way < ways->way + ways->nway; way++)
        take_record(ways, way, names);
    ways->only_remarks &= ways->way[0].now.mark != 0;
    ways->nrecord++;
    return names ? NULL : found;
}

bool header_choose_delimiter(struct header *header, struct error *e)
{
    const struct input_options *options = header->reader->options;
    struct csv *csv = header->csv;
    uint64_t lines[CSV_MAXLINES] = { 0 }, line = 1;
    size_t nline = options->header ? csv_name_lines(options->header, lines) : 0;
    const uint64_t last_names = nline > 0 ? lines[nline - 1] : 0;
    const size_t least = options->no_header ? 1 : 2; /* records that decide if no record is certainly a row */
    if (options->delimiter)
        return true;
    struct ways ways = list_ways(header);
    const struct way *found = NULL, *even = NULL;
    while (!found && ways.nrecord < HEADER_LOOK && header->at - csv->start <= FORMAT_MAXROW) {
        size_t end;
        set_delimiter(csv, ways.usual);
        if (!csv_read_record(header->reader, header->at, &end, e))
            return false;
        const char *p = csv->rest + header->at, *stop = csv->rest + end;
        if (p == stop || (options->no_header && ways.nrecord == least))
            break;
        const bool names = line == last_names;
        const bool remark = options->no_header && memchr("#%@", *p, 3);
        const bool cells = !remark && !csv_is_blank_line(csv, p, stop);
        line += block_count(p, (size_t)(stop - p), csv->eol);
        if (names || (cells && line > last_names))
            found = take_next(&ways, end, names);
        if (ways.nrecord == least && !even)
            even = find_even_way(&ways);
        header->at = end;
    }
    found = found ? found : even;
    set_delimiter(csv, found ? found->delimiter : ways.usual);
    header->at = csv->start;
    return true;
}
