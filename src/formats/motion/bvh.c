/* bvh: a skeleton (HIERARCHY) and its motion, a line of numbers a frame. Each channel of a joint is a column
 * joint.channel; column 1 is the time, frame * Frame Time, which the file does not hold. Rotations are
 * angles. */
#include "formats/motion/motion.h"

#include <ctype.h>
#include <math.h>

/* A header that is read word by word. */
struct header {
    struct reader *reader;
    struct span *line;   /* the current line, a part of rest */
    const char *p, *end; /* the bytes of the line that are not read yet */
    const char *word;    /* [nword] the word that was read last, or a whole line */
    size_t nword;
    struct span joint; /* name of the joint whose block is open; n == 0: no block is open, or the block of an
                          End Site */
    size_t njoint;     /* number of joints so far */
    size_t depth;      /* number of open blocks */
};

static bool word_is(const struct header *header, const char *text)
{
    return motion_is(header->word, header->nword, text);
}

/* The error that the last word is not `what`. Returns false. */
static bool refuse_word(const struct header *header, const char *what, struct error *e)
{
    error_data(e, "expected %s", what);
    return motion_error(header->reader, header->word, header->nword, e);
}

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && isspace((unsigned char)*p))
        p++;
    return p;
}

/* The end of the text from p to end without trailing blanks. */
static const char *without_blanks(const char *p, const char *end)
{
    while (end > p && isspace((unsigned char)end[-1]))
        end--;
    return end;
}

/* Reads the next line as a word. wanted: what the error at the end of the file says is missing. Pointers to
 * earlier words become invalid. */
static bool read_line(struct header *header, const char *wanted, struct error *e)
{
    const struct csv *csv = header->reader->state;
    if (!motion_line(header->reader, header->line, e))
        return false;
    const char *p = csv->rest + header->line->at;
    header->end = without_blanks(p, p + header->line->n);
    header->word = header->p = skip_blanks(p, header->end);
    header->nword = (size_t)(header->end - header->p);
    if (header->line->n > 0)
        return true;
    error_data(e, "the file ends before %s", wanted);
    return csv_error_place(csv, csv->rest, csv->rest + csv->nrest, e);
}

/* Reads the next word of the line; false at the end of the line. A brace is a separate word. */
static bool word_of_line(struct header *header)
{
    const char *p = header->word = skip_blanks(header->p, header->end);
    while (p < header->end && !isspace((unsigned char)*p) && *p != '{' && *p != '}')
        p++;
    header->p = p + (p == header->word && p < header->end);
    header->nword = (size_t)(header->p - header->word);
    return header->nword > 0;
}

/* Reads the next word of the hierarchy. */
static bool next_word(struct header *header, struct error *e)
{
    while (!word_of_line(header))
        if (!read_line(header, "the line MOTION", e))
            return false;
    return true;
}

/* --- the hierarchy --- */

/* Reads the rest of a statement ROOT, JOINT or End: the name, up to a '{' or the end of the line, and the
 * '{'. */
static bool open_joint(struct header *header, struct error *e)
{
    const struct csv *csv = header->reader->state;
    const char *brace = memchr(header->p, '{', (size_t)(header->end - header->p)),
               *stop = brace ? brace : header->end;
    const char *name = skip_blanks(header->p, stop);
    size_t n = (size_t)(without_blanks(name, stop) - name);
    header->p = stop;
    header->depth++;
    header->joint = (struct span){ 0, 0 };
    if (!word_is(header, "End")) {
        if (n == 0 || n > FORMAT_MAXCELL)
            return refuse_word(header, n ? "a shorter name" : "the joint's name", e);
        header->joint = (struct span){ (uint32_t)(name - csv->rest), (uint32_t)n };
        header->njoint++;
    }
    return next_word(header, e) && (word_is(header, "{") || refuse_word(header, "'{'", e));
}

static bool read_number(struct header *header, const char *what, double *x, struct error *e)
{
    return next_word(header, e) &&
           (number_read(header->word, header->word + header->nword, '.', x) == header->word + header->nword ||
            refuse_word(header, what, e));
}

/* Adds a column for the channel that the last word names. */
static bool add_channel(struct header *header, struct error *e)
{
    const struct csv *csv = header->reader->state;
    if (isdigit((unsigned char)*header->word) || strchr("{}+-.", *header->word))
        return refuse_word(header, "the name of a channel", e);
    char *name = text_format("%.*s.%.*s", (int)header->joint.n, csv->rest + header->joint.at,
                             (int)header->nword, header->word);
    struct column *column = motion_add_column(header->reader, name, e);
    if (!column)
        return false;
    column->joint = header->njoint;
    if (motion_is(header->word + 1, header->nword - 1, "position"))
        column->vector = header->njoint;
    if (motion_is(header->word + 1, header->nword - 1, "rotation")) {
        const char *axis = strchr("XYZxyz", *header->word);
        column->period = 360;
        column->axis = axis ? (size_t)(axis - "XYZxyz") % 3 + 1 : 0;
    }
    return true;
}

static bool read_channels(struct header *header, struct error *e)
{
    static const char what[] = "the number of channels";
    double n;
    if (!read_number(header, what, &n, e))
        return false;
    if (!(n >= 0 && n <= 1e6) || n != floor(n))
        return refuse_word(header, what, e);
    for (; n > 0; n--)
        if (!next_word(header, e) || !add_channel(header, e))
            return false;
    return true;
}

/* Reads the statement that begins with the last word. */
static bool read_statement(struct header *header, struct error *e)
{
    static const char offset[] = "an offset, a number";
    double x;
    if (header->depth == 0 ? word_is(header, "ROOT") : word_is(header, "JOINT") || word_is(header, "End"))
        return open_joint(header, e);
    if (header->depth > 0 && word_is(header, "OFFSET"))
        return read_number(header, offset, &x, e) && read_number(header, offset, &x, e) &&
               read_number(header, offset, &x, e);
    if (header->joint.n && word_is(header, "CHANNELS"))
        return read_channels(header, e);
    if (header->depth == 0 || !word_is(header, "}"))
        return refuse_word(header,
                           header->depth ? "JOINT, End Site, OFFSET, CHANNELS or '}'" : "ROOT or MOTION", e);
    header->depth--;
    header->joint.n = 0;
    return true;
}

static bool read_hierarchy(struct header *header, struct error *e)
{
    if (!next_word(header, e))
        return false;
    if (!word_is(header, "HIERARCHY"))
        return refuse_word(header, "HIERARCHY: this is not a bvh file", e);
    while (next_word(header, e)) {
        if (header->depth == 0 && word_is(header, "MOTION"))
            return !word_of_line(header) || refuse_word(header, "nothing after MOTION", e);
        if (!read_statement(header, e))
            return false;
    }
    return false;
}

/* --- the header of the frames --- */

/* Reads the next line, a label and a value: sets the field to the place of the value. Where the label has a
 * blank, the line may have any number of blanks. */
static bool read_label(struct header *header, const char *label, enum motion_field field, struct error *e)
{
    struct motion *motion = header->reader->state;
    if (!read_line(header, label, e))
        return false;
    const char *letter = label, *p = header->p;
    for (; *letter; letter++) {
        if (*letter == ' ')
            continue;
        if (p == header->end || strncasecmp(p, letter, 1) != 0)
            break;
        p = skip_blanks(p + 1, header->end);
    }
    motion->field[field] = (struct span){ (uint32_t)(p - motion->csv.rest), (uint32_t)(header->end - p) };
    if (!*letter && p < header->end)
        return true;
    error_data(e, "expected \"%s\" and a number", label);
    return motion_error(header->reader, header->word, header->nword, e);
}

static bool read_motion(struct header *header, struct error *e)
{
    struct motion *motion = header->reader->state;
    if (!read_label(header, "Frames:", MOTION_ROWS, e) || !read_label(header, "Frame Time:", MOTION_RATE, e))
        return false;
    const char *p = motion->csv.rest + motion->field[MOTION_RATE].at;
    const char *after = number_read_decimal(p, header->end, '.', &motion->seconds, &motion->step);
    const double rate = header->reader->table.rate = 1 / motion->seconds;
    return (after == header->end && rate > 0 && isfinite(rate)) ||
           refuse_word(header, "the frame time in seconds", e);
}

static bool read_head(struct reader *reader, struct span *line, struct error *e)
{
    struct csv *csv = reader->state;
    struct header header = { .reader = reader, .line = line, .p = csv->rest, .end = csv->rest };
    csv->ragged_hint = "a row has one number for each of the CHANNELS of the skeleton";
    reader->table.counted = true;
    reader->table.owns_time = true;
    return columns_add(&reader->table, "time", 4, e) && read_hierarchy(&header, e) &&
           read_motion(&header, e) && motion_line(reader, line, e);
}

static bool sniff(const unsigned char *head, size_t nhead)
{
    const char *p = (const char *)head, *end = p + nhead;
    p += nhead >= 3 && memcmp(p, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    return motion_begins(skip_blanks(p, end), end, "HIERARCHY");
}

const struct format format_bvh = {
    .name = "bvh",
    .suffixes = (const char *const[]){ ".bvh", NULL },
    .sniff = sniff,
    .kind = &(const struct motion_kind){ .read_head = read_head,
                                         .no_added = "a bvh file has no place for them",
                                         .gap = "nan" },
    MOTION,
};
