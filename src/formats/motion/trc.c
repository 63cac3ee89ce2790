/* trc: positions of markers, three columns each, as Motion Analysis and OpenSim write them. Channels are
 * named Marker.X, Marker.Y, Marker.Z; columns of a marker without a name 7.X, 7.Y, 7.Z, by the place of the
 * marker. An empty cell is a missing value. Frame numbers and markers without a name are not filtered. */
#include "formats/motion/motion.h"

#include <ctype.h>

enum { MAXLINES = 64 }; /* most lines up to the line of names */

static const char axes[] = "XYZ";

/* Finds rate, number of rows, unit and number of markers in a line whose labels are in the line above. */
static void take_fields(struct motion *motion, struct span labels, struct span line)
{
    struct csv *csv = &motion->csv;
    const char *p = csv->rest + labels.at, *p_end = p + labels.n;
    const char *value_at = csv->rest + line.at, *value_end = value_at + line.n;
    if (!motion_begins(p, p_end, "DataRate"))
        return;
    char comma_or_blanks = memchr(p, ',', labels.n) ? ',' : ' ';
    csv_set_delimiter(csv, memchr(p, '\t', labels.n) ? '\t' : comma_or_blanks);
    while (p && value_at) {
        struct csv_cell label, value;
        p = csv_next(csv, p, p_end, &label);
        value_at = csv_next(csv, value_at, value_end, &value);
        struct span span = { (uint32_t)(value.at - csv->rest), (uint32_t)value.n };
        if (motion_is(label.at, label.n, "DataRate"))
            motion->field[MOTION_RATE] = span;
        else if (motion_is(label.at, label.n, "NumFrames"))
            motion->field[MOTION_ROWS] = span;
        else if (motion_is(label.at, label.n, "NumMarkers"))
            motion->nmarker = motion_count(motion, span);
    }
    csv_set_delimiter(csv, ' ');
}

/* Sets *line to the line of names, which begins with Frame#. */
static bool find_names(struct reader *reader, struct span *line, struct error *e)
{
    struct motion *motion = reader->state;
    struct span before = *line;
    for (size_t i = 0; i < MAXLINES; i++, before = *line) {
        if (!motion_line(reader, line, e))
            return false;
        if (line->n == 0)
            break;
        take_fields(motion, before, *line);
        const char *p = motion->csv.rest + line->at, *end = p + line->n;
        if (i == 0 && !motion_begins(p, end, "PathFileType")) {
            error_data(e, "expected PathFileType: this is not a trc file");
            return motion_error(reader, p, line->n, e);
        }
        if (motion_begins(p, end, "Frame#"))
            return true;
    }
    return error_data(e, "no line of names found: expected a line that begins with Frame#");
}

/* Sets *line to the first row, below the line of axes X1 Y1 Z1 …, which may be missing, and *nlabel to the
 * number of labels in the line of axes. */
static bool find_row(struct reader *reader, struct span *line, size_t *nlabel, struct error *e)
{
    const struct csv *csv = reader->state;
    *nlabel = 0;
    if (!motion_line(reader, line, e))
        return false;
    const char *p = csv->rest + line->at, *end = p + line->n;
    while (p < end && (isspace((unsigned char)*p) || *p == csv->delimiter))
        p++;
    if (p == end || !isalpha((unsigned char)*p))
        return true;
    for (struct csv_cell cell; p; *nlabel += cell.n > 0)
        p = csv_next(csv, p, end, &cell);
    return motion_line(reader, line, e);
}

/* Adds the columns. A name is above every third column. Older programs write names above other columns:
 * these names are taken in order if every name has three labels of axes, or three cells of the row. Further
 * labels and cells belong to markers without a name. */
static bool add_columns(struct reader *reader, struct span names, size_t nlabel, struct span row,
                        struct error *e)
{
    const struct motion *motion = reader->state;
    struct csv *csv = reader->state;
    const char *p = csv->rest + names.at, *end = p + names.n, *row_at = csv->rest + row.at;
    const size_t ncell = csv_count(csv, p, end);
    const size_t nrow = row.n ? csv_count(csv, row_at, row_at + row.n) : 0;
    size_t nname = 0;
    struct csv_cell cell, odd = { 0 };
    const char *name_at = p;
    for (size_t i = 0; i < ncell; i++) {
        name_at = csv_next(csv, name_at, end, &cell);
        nname += i >= 2 && cell.n > 0;
        if (i >= 2 && i % 3 != 2 && cell.n > 0 && !odd.at)
            odd = cell;
    }
    if (odd.at && nlabel != 3 * nname && nrow != 2 + 3 * nname) {
        error_data(e, "a marker name is above column %zu, but names must be above every third column",
                   1 + block_count(p, (size_t)(odd.at - p), csv->delimiter));
        return motion_error(reader, odd.at, odd.n, e);
    }
    size_t nmarker = odd.at ? nname : ncell / 3;
    nmarker = (nlabel + 2) / 3 > nmarker ? (nlabel + 2) / 3 : nmarker;
    csv->least = 2; /* cells that are missing at the end of a row are gaps */
    nmarker = nrow % 3 == 2 && nrow / 3 > nmarker ? nrow / 3 : nmarker;
    for (size_t i = 0, number = 0; number < nmarker || i < 2; i++) {
        p = csv_next(csv, p, end, &cell);
        bool here = odd.at ? cell.n > 0 || !p : i % 3 == 2;
        if (i < 2 ? !columns_add(&reader->table, cell.at, cell.n, e)
                  : here && !motion_add_vector(reader, &cell, ++number, axes, e))
            return false;
    }
    reader->table.column[0].frame = true;
    if (motion->nmarker != UINT64_MAX && motion->nmarker != nname && motion->nmarker != nmarker)
        reader_tell(reader,
                    "warning: NumMarkers is %llu, but the file has %zu named markers; all are filtered",
                    (unsigned long long)motion->nmarker, nname);
    return true;
}

static bool read_head(struct reader *reader, struct span *line, struct error *e)
{
    struct motion *motion = reader->state;
    size_t nlabel;
    if (!find_names(reader, line, e))
        return false;
    const struct span names = *line;
    csv_set_delimiter(&motion->csv, memchr(motion->csv.rest + names.at, '\t', names.n) ? '\t' : ',');
    return find_row(reader, line, &nlabel, e) && add_columns(reader, names, nlabel, *line, e);
}

static bool sniff(const unsigned char *head, size_t nhead)
{
    return motion_begins((const char *)head, (const char *)head + nhead, "PathFileType");
}

const struct format format_trc = {
    .name = "trc",
    .suffixes = (const char *const[]){ ".trc", NULL },
    .sniff = sniff,
    .kind = &(const struct motion_kind){ .read_head = read_head,
                                         .no_added = "a trc file has only positions of markers",
                                         .gap = "" },
    .markers = true,
    MOTION,
};
