/* sto and mot: OpenSim's tables. Header lines up to "endheader", the line of names, then a line per row.
 * Cells are between tabs, blanks, or the commas of a spreadsheet. With DataType=Quaternion, Vec3 or the
 * like a cell after the time holds several numbers between commas, and every number is a column; a
 * quaternion is a rotation, w first. */
#include "formats/motion/motion.h"

#include <ctype.h>

/* True if a line of n bytes is the word; blanks and commas after the word do not count. */
static bool is_word(const char *p, size_t n, const char *word)
{
    while (n > 0 && (isspace((unsigned char)p[n - 1]) || p[n - 1] == ','))
        n--;
    return motion_is(p, n, word);
}

static const char *after_blanks(const char *p, const char *end)
{
    while (p < end && *p == ' ')
        p++;
    return p;
}

/* The value after a label at the start of a line, with or without blanks around its =; NULL: another line. */
static const char *value_of(const char *p, const char *end, const char *label)
{
    const size_t n = strcspn(label, "=");
    if ((size_t)(end - p) <= n || strncasecmp(p, label, n) != 0)
        return NULL;
    p = after_blanks(p + n, end);
    if (!label[n])
        return p;
    return p < end && *p == '=' ? after_blanks(p + 1, end) : NULL;
}

/* The labels in the header, and the field after each label; MOTION_NFIELD: no field that changes. */
static const struct label {
    const char *text;
    enum motion_field field;
} labels[] = {
    { "nRows=", MOTION_ROWS },          { "datarows ", MOTION_ROWS },   { "nColumns=", MOTION_COLUMNS },
    { "datacolumns ", MOTION_COLUMNS }, { "DataRate=", MOTION_RATE },   { "version=", MOTION_NFIELD },
    { "inDegrees=", MOTION_NFIELD },    { "DataType=", MOTION_NFIELD },
};
enum { NLABEL = sizeof labels / sizeof *labels };

/* The letters of the columns NAME.LETTER in a cell of the type named by n bytes; NULL: a cell is a single
 * number. */
static const char *letters_of(const char *p, size_t n)
{
    static const char *const types[][2] = {
        { "Quaternion", "wxyz" },   { "Vec3", "xyz" },    { "UnitVec3", "xyz" },
        { "SpatialVec", "123456" }, { "Vec6", "123456" },
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (is_word(p, n, types[i][0]))
            return types[i][1];
    return NULL;
}

/* Takes from a header line the number of rows or of columns, the rate, the unit of angles, or the type of the
 * cells, which sets *letters. */
static void take_fields(struct reader *reader, struct span line, const char **letters)
{
    struct motion *motion = reader->state;
    const char *p = motion->csv.rest + line.at, *end = p + line.n;
    const char *type = value_of(p, end, "DataType="), *degrees = value_of(p, end, "inDegrees=");
    if (type)
        *letters = letters_of(type, (size_t)(end - type));
    if (degrees)
        reader->table.radians = is_word(degrees, (size_t)(end - degrees), "no");
    for (size_t i = 0; i < NLABEL; i++) {
        const char *at = labels[i].field == MOTION_NFIELD ? NULL : value_of(p, end, labels[i].text);
        const char *after = at;
        while (at && after < end && *after != ',' && !isspace((unsigned char)*after))
            after++;
        if (at)
            motion->field[labels[i].field] = (struct span){ line.at + (uint32_t)(at - p),
                                                            (uint32_t)(after - at) };
    }
}

/* Sets *line to the line of names, and *letters as letters_of. */
static bool find_names(struct reader *reader, struct span *line, const char **letters, struct error *e)
{
    struct motion *motion = reader->state;
    for (bool header_ended = false;;) {
        if (!motion_line(reader, line, e))
            return false;
        if (line->n == 0) {
            error_data(e, header_ended ? "the file ends before the names of its columns"
                                       : "no line \"endheader\" found");
            return error_hint(e, "for a table without one, try --from csv or --from tsv");
        }
        if (header_ended)
            return true;
        header_ended = is_word(motion->csv.rest + line->at, line->n, "endheader");
        take_fields(reader, *line, letters);
    }
}

/* Sets the delimiter to the first of tab, comma and blanks that cuts names and row into the same number of
 * cells, where the first cell of the row is a number. row.n == 0: the file has no row. */
static void find_delimiter(struct reader *reader, struct span names, struct span row)
{
    struct csv *csv = reader->state;
    const char *p = csv->rest + names.at, *row_at = csv->rest + row.at;
    static const char delimiters[] = { '\t', ',', ' ' };
    for (size_t i = 0; i < sizeof delimiters; i++) {
        struct csv_cell first;
        double x;
        csv_set_delimiter(csv, delimiters[i]);
        size_t n = csv_count(csv, p, p + names.n);
        csv_next(csv, row_at, row_at + row.n, &first);
        bool fits = row.n == 0 || (csv_kind(reader, &first, &x) == CELL_NUMBER &&
                                   n == csv_count(csv, row_at, row_at + row.n));
        if (fits && n > 1 && delimiters[i] != reader_point(reader))
            return;
    }
    csv_set_delimiter(csv, memchr(p, '\t', names.n) ? '\t' : ' ');
}

static bool read_head(struct reader *reader, struct span *line, struct error *e)
{
    struct motion *motion = reader->state;
    const char *letters = NULL;
    if (!find_names(reader, line, &letters, e))
        return false;
    const struct span names = *line;
    if (!motion_line(reader, line, e))
        return false;
    find_delimiter(reader, names, *line);
    if (motion->csv.delimiter != '\t' || reader_point(reader) == ',' ||
        (line->n && !memchr(motion->csv.rest + line->at, ',', line->n)))
        letters = NULL;
    const char *p = motion->csv.rest + names.at, *end = p + names.n;
    size_t ncell = csv_count(&motion->csv, p, end);
    for (size_t i = 0; i < ncell; i++) {
        struct csv_cell cell;
        p = csv_next(&motion->csv, p, end, &cell);
        bool good = i > 0 && letters ? motion_add_vector(reader, &cell, i, letters, e)
                                     : columns_add(&reader->table, cell.at, cell.n, e);
        if (!good)
            return false;
        motion->field[MOTION_NAMES].at = (uint32_t)(cell.at + cell.n - motion->csv.rest);
    }
    motion->csv.vector = letters ? strlen(letters) : 0;
    csv_set_delimiter(&motion->csv, motion->csv.delimiter);
    return true;
}

/* What the first bytes of a file show. */
enum header_state { HEADER_NONE, HEADER_POSSIBLE, HEADER_FOUND };

/* Can this be the first line of a header? It holds the name of the motion; a row of numbers has no letter. */
static bool may_be_first_line(const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (isalpha((unsigned char)p[i]))
            return true;
    return n == 0;
}

/* Can a line without a label, below the first line, be part of a header? Rows of tables cannot. */
static bool may_stand_above_labels(const char *p, size_t n)
{
    return n == 0 ||
           (isalpha((unsigned char)*p) && !memchr(p, ',', n) && !memchr(p, '\t', n) && !memchr(p, ';', n));
}

/* Reads the lines up to "endheader", which must be below a line with a label; the first label is in
 * one of the first LABEL_LINES lines. The state never depends on bytes after a line that rules a header out,
 * so that pieces of a head show the same format as the whole. */
static enum header_state look_for_header(const unsigned char *head, size_t nhead)
{
    enum { LABEL_LINES = 5 };
    const char *p = (const char *)head, *end = p + nhead;
    bool labelled = false;
    for (size_t nline = 0; nline < LABEL_LINES || labelled; nline++) {
        size_t n = 0;
        while (p + n < end && p[n] != '\n' && p[n] != '\r')
            n++;
        if (labelled && is_word(p, n, "endheader"))
            return HEADER_FOUND;
        for (size_t i = 0; i < NLABEL; i++)
            labelled = labelled || value_of(p, p + n, labels[i].text);
        if (!labelled && !(nline == 0 ? may_be_first_line(p, n) : may_stand_above_labels(p, n)))
            return HEADER_NONE;
        if (p + n == end)
            return HEADER_POSSIBLE;
        p += n + 1;
        p += p[-1] == '\r' && p < end && *p == '\n';
    }
    return HEADER_NONE;
}

static bool sniff(const unsigned char *head, size_t nhead)
{
    return look_for_header(head, nhead) == HEADER_FOUND;
}

static bool may_follow(const unsigned char *head, size_t nhead)
{
    return look_for_header(head, nhead) == HEADER_POSSIBLE;
}

static const struct motion_kind table = { .read_head = read_head, .gap = "nan" };

#define TABLE .kind = &table, MOTION

const struct format format_sto = {
    .name = "sto",
    .suffixes = (const char *const[]){ ".sto", NULL },
    .sniff = sniff,
    .may_follow = may_follow,
    TABLE,
};

const struct format format_mot = {
    .name = "mot",
    .suffixes = (const char *const[]){ ".mot", NULL },
    TABLE,
};
