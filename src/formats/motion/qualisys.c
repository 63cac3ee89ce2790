/* qualisys: positions of markers in the TSV files of Qualisys Track Manager. Lines of a label and its values
 * (FREQUENCY, MARKER_NAMES) come first, then perhaps a line of column names, then the rows: x, y and z of
 * each marker, in some files after frame number and time. Channels are named Marker.x, Marker.y, Marker.z.
 * Files of bodies (6D) and of other data are tables of tsv, whose head csv knows. */
#include "formats/motion/motion.h"

#include <math.h>

/* Reads the lines above the first row: labels with values, and perhaps column names. Sets *line to the first
 * row, and *markers to the text after MARKER_NAMES. */
static bool read_labels(struct reader *reader, struct span *line, struct span *markers, struct error *e)
{
    struct motion *motion = reader->state;
    while (motion_line(reader, line, e)) {
        const char *p = motion->csv.rest + line->at, *end = p + line->n;
        struct csv_cell label, value;
        double x;
        p = csv_next(&motion->csv, p, end, &label);
        if (line->n == 0 || csv_kind(reader, &label, &x) != CELL_TEXT)
            return true;
        csv_next(&motion->csv, p, end, &value);
        struct span field = { (uint32_t)(value.at - motion->csv.rest), (uint32_t)value.n };
        if (motion_is(label.at, label.n, "NO_OF_FRAMES"))
            motion->field[MOTION_ROWS] = field;
        else if (motion_is(label.at, label.n, "FREQUENCY"))
            motion->field[MOTION_RATE] = field;
        else if (motion_is(label.at, label.n, "MARKER_NAMES"))
            *markers = (struct span){ field.at, (uint32_t)(end - value.at) };
        else if (motion_is(label.at, label.n, "DATA_INCLUDED") && !motion_is(value.at, value.n, "3D")) {
            error_data(e, "a Qualisys file must hold 3D data (marker positions)");
            error_hint(e, "for other data, try --from tsv");
            return motion_error(reader, value.at, value.n, e);
        }
    }
    return false;
}

/* For rows without a time: takes the rate from the header, and adds the time as a column. */
static bool take_rate(struct reader *reader, struct error *e)
{
    const struct motion *motion = reader->state;
    struct span field = motion->field[MOTION_RATE];
    const char *p = motion->csv.rest + field.at;
    double *rate = &reader->table.rate;
    reader->table.counted = true;
    reader->table.owns_time = true;
    if (field.n && number_read(p, p + field.n, '.', rate) == p + field.n && *rate > 0 && isfinite(*rate) &&
        isfinite(1 / *rate))
        return columns_add(&reader->table, "time", 4, e);
    error_data(e, "no row rate found: the file has no FREQUENCY line and no Time column");
    return field.n && motion_error(reader, p, field.n, e);
}

static bool read_head(struct reader *reader, struct span *line, struct error *e)
{
    struct motion *motion = reader->state;
    struct table *table = &reader->table;
    struct span markers = { 0 };
    csv_set_delimiter(&motion->csv, '\t');
    motion->csv.gap_rows = true; /* a row of tabs alone: no marker was seen */
    if (!read_labels(reader, line, &markers, e))
        return false;
    const char *p = motion->csv.rest + markers.at, *end = p + markers.n;
    size_t nmarker = csv_count(&motion->csv, p, end);
    if (markers.n == 0)
        return error_data(e, "this is not a Qualisys marker file: no MARKER_NAMES line above the rows");
    /* A row has x, y and z of each marker, in some files after frame and time, and perhaps a tab at the
     * end. */
    bool timed = block_count(motion->csv.rest + line->at, line->n, '\t') > 3 * nmarker;
    bool good = timed ? columns_add(table, "Frame", 5, e) && columns_add(table, "Time", 4, e)
                      : take_rate(reader, e);
    if (!good)
        return false;
    table->column[0].frame = timed;
    motion->csv.gap_rows = !timed;
    p = motion->csv.rest + markers.at;
    for (size_t i = 1; i <= nmarker; i++) {
        struct csv_cell cell;
        p = csv_next(&motion->csv, p, end, &cell);
        if (!motion_add_vector(reader, &cell, i, "xyz", e))
            return false;
    }
    return true;
}

/* What the first bytes of a file say about the data. */
enum kind_of_data { DATA_UNKNOWN, DATA_POSITIONS, DATA_OTHER };

/* Looks for the line DATA_INCLUDED among the whole lines of the first bytes. A line that begins with a number
 * is a row: where a row comes first, the file has no line DATA_INCLUDED, and holds positions. */
static enum kind_of_data find_kind(const unsigned char *head, size_t nhead)
{
    static const char label[] = "DATA_INCLUDED";
    const char *p = (const char *)head, *end = p + nhead;
    while (p < end) {
        const char *stop = p;
        while (stop < end && *stop != '\n' && *stop != '\r')
            stop++;
        if (stop == end)
            return DATA_UNKNOWN;
        if (motion_begins(p, end, label)) {
            const char *value = p + strlen(label) + 1;
            return motion_is(value, (size_t)(stop - value), "3D") ? DATA_POSITIONS : DATA_OTHER;
        }
        if (p < stop && strchr("0123456789+-.", *p))
            return DATA_POSITIONS;
        p = stop + 1;
    }
    return DATA_UNKNOWN;
}

static bool sniff(const unsigned char *head, size_t nhead)
{
    return motion_begins((const char *)head, (const char *)head + nhead, "NO_OF_FRAMES") &&
           find_kind(head, nhead) != DATA_OTHER;
}

static bool unsure(const unsigned char *head, size_t nhead)
{
    return find_kind(head, nhead) == DATA_UNKNOWN;
}

const struct format format_qualisys = {
    .name = "qualisys",
    .suffixes = (const char *const[]){ ".tsv", NULL },
    .sniff = sniff,
    .unsure = unsure,
    .kind = &(const struct motion_kind){ .read_head = read_head,
                                         .no_added = "a Qualisys file has only positions of markers",
                                         .gap = "" },
    .markers = true,
    MOTION,
};
