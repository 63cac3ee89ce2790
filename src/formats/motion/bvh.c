/* bvh: a skeleton (HIERARCHY) and its motion, a line of numbers a frame. Each channel of a joint is a column
 * joint.channel; column 1 is the time, which is not in the file but frame * Frame Time. Rotations are angles.
 * The skeleton is written as it was read, so that a bvh file can only be made of one. */
#include "formats/motion/motion.h"

#include <ctype.h>
#include <math.h>

/* Reads the header word by word. */
struct header {
    struct reader *r;
    struct span *line;   /* in rest; */
    const char *p, *end; /* what is left of it */
    const char *word;    /* the last word, of nword bytes, or a whole line */
    size_t nword;
    struct span joint; /* name of the joint whose block is open; n == 0: none, or an End Site */
    size_t njoint;     /* joints so far */
    size_t depth;      /* open blocks */
};

static bool is(const struct header *h, const char *text)
{
    return motion_is(h->word, h->nword, text);
}

/* The error of a word. */
static bool expected(const struct header *h, const char *what, struct error *e)
{
    error_data(e, "expected %s", what);
    return motion_error(h->r, h->word, h->nword, e);
}

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && isspace((unsigned char)*p))
        p++;
    return p;
}

/* Where the text from p to end ends without the blanks after it. */
static const char *without_blanks(const char *p, const char *end)
{
    while (end > p && isspace((unsigned char)end[-1]))
        end--;
    return end;
}

/* Reads the next line as a word; an error where there is none. Words before it become invalid. */
static bool read_line(struct header *h, const char *wanted, struct error *e)
{
    const struct csv *csv = h->r->state;
    if (!motion_line(h->r, h->line, e))
        return false;
    const char *p = csv->rest + h->line->at;
    h->end = without_blanks(p, p + h->line->n);
    h->word = h->p = skip_blanks(p, h->end);
    h->nword = (size_t)(h->end - h->p);
    if (h->line->n > 0)
        return true;
    error_data(e, "the file ends before %s", wanted);
    return csv_error_place(csv, csv->rest, csv->rest + csv->nrest, e);
}

/* The next word of the line; false: none is left. A brace is a word of its own. */
static bool word_of_line(struct header *h)
{
    const char *p = h->word = skip_blanks(h->p, h->end);
    while (p < h->end && !isspace((unsigned char)*p) && *p != '{' && *p != '}')
        p++;
    h->p = p + (p == h->word && p < h->end);
    h->nword = (size_t)(h->p - h->word);
    return h->nword > 0;
}

/* The next word of the hierarchy. */
static bool next_word(struct header *h, struct error *e)
{
    while (!word_of_line(h))
        if (!read_line(h, "the line MOTION", e))
            return false;
    return true;
}

/* --- the hierarchy --- */

/* Reads the rest of a statement ROOT, JOINT or End: the name, up to a '{' or the line's end, and the '{'. */
static bool open_joint(struct header *h, struct error *e)
{
    const struct csv *csv = h->r->state;
    const char *brace = memchr(h->p, '{', (size_t)(h->end - h->p)), *stop = brace ? brace : h->end;
    const char *name = skip_blanks(h->p, stop);
    size_t n = (size_t)(without_blanks(name, stop) - name);
    h->p = stop;
    h->depth++;
    h->joint = (struct span){ 0, 0 };
    if (!is(h, "End")) {
        if (n == 0 || n > FORMAT_MAXCELL)
            return expected(h, n ? "a shorter name" : "the joint's name", e);
        h->joint = (struct span){ (uint32_t)(name - csv->rest), (uint32_t)n };
        h->njoint++;
    }
    return next_word(h, e) && (is(h, "{") || expected(h, "'{'", e));
}

static bool read_number(struct header *h, const char *what, double *x, struct error *e)
{
    return next_word(h, e) &&
           (number_read(h->word, h->word + h->nword, '.', x) == h->word + h->nword || expected(h, what, e));
}

static bool add_channel(struct header *h, struct error *e)
{
    const struct csv *csv = h->r->state;
    if (isdigit((unsigned char)*h->word) || strchr("{}+-.", *h->word))
        return expected(h, "the name of a channel", e);
    char *name = text_format("%.*s.%.*s", (int)h->joint.n, csv->rest + h->joint.at, (int)h->nword, h->word);
    struct column *c = motion_add_column(h->r, name, e);
    if (!c)
        return false;
    c->joint = h->njoint;
    if (motion_is(h->word + 1, h->nword - 1, "rotation")) {
        const char *axis = strchr("XYZxyz", *h->word);
        c->period = 360;
        c->axis = axis ? (size_t)(axis - "XYZxyz") % 3 + 1 : 0;
    }
    return true;
}

static bool read_channels(struct header *h, struct error *e)
{
    static const char what[] = "the number of channels";
    double n;
    if (!read_number(h, what, &n, e))
        return false;
    if (!(n >= 0 && n <= 1e6) || n != floor(n))
        return expected(h, what, e);
    for (; n > 0; n--)
        if (!next_word(h, e) || !add_channel(h, e))
            return false;
    return true;
}

/* Reads the statement that begins with the last word. */
static bool read_statement(struct header *h, struct error *e)
{
    static const char offset[] = "a number of the offset";
    double x;
    if (h->depth == 0 ? is(h, "ROOT") : is(h, "JOINT") || is(h, "End"))
        return open_joint(h, e);
    if (h->depth > 0 && is(h, "OFFSET"))
        return read_number(h, offset, &x, e) && read_number(h, offset, &x, e) &&
               read_number(h, offset, &x, e);
    if (h->joint.n && is(h, "CHANNELS"))
        return read_channels(h, e);
    if (h->depth == 0 || !is(h, "}"))
        return expected(h, h->depth ? "JOINT, End Site, OFFSET, CHANNELS or '}'" : "ROOT or MOTION", e);
    h->depth--;
    h->joint.n = 0;
    return true;
}

static bool read_hierarchy(struct header *h, struct error *e)
{
    if (!next_word(h, e))
        return false;
    if (!is(h, "HIERARCHY"))
        return expected(h, "HIERARCHY: this is not a bvh file", e);
    while (next_word(h, e)) {
        if (h->depth == 0 && is(h, "MOTION"))
            return !word_of_line(h) || expected(h, "nothing behind MOTION", e);
        if (!read_statement(h, e))
            return false;
    }
    return false;
}

/* --- the header of the frames --- */

/* Reads the next line, "LABEL number", into step and seconds; blanks in the label may be missing or many. */
static bool read_label(struct header *h, const char *label, enum motion_field field, struct error *e)
{
    struct motion *m = h->r->state;
    if (!read_line(h, label, e))
        return false;
    const char *l = label, *p = h->p;
    for (; *l && (*l == ' ' || (p < h->end && strncasecmp(p, l, 1) == 0)); l++)
        if (*l != ' ')
            p = skip_blanks(p + 1, h->end);
    m->field[field] = (struct span){ (uint32_t)(p - m->csv.rest), (uint32_t)(h->end - p) };
    if (!*l && p < h->end && number_read_decimal(p, h->end, '.', &m->seconds, &m->step) == h->end)
        return true;
    error_data(e, "expected \"%s\" and a number", label);
    return motion_error(h->r, h->word, h->nword, e);
}

static bool read_motion(struct header *h, struct error *e)
{
    struct motion *m = h->r->state;
    if (!read_label(h, "Frames:", MOTION_ROWS, e))
        return false;
    m->promised = motion_count(m, m->field[MOTION_ROWS]);
    if (m->promised == UINT64_MAX)
        return expected(h, "a whole number of frames", e);
    if (!read_label(h, "Frame Time:", MOTION_RATE, e))
        return false;
    double rate = h->r->columns.rate = 1 / m->seconds;
    return (rate > 0 && isfinite(rate)) || expected(h, "the seconds of a frame", e);
}

static bool read_head(struct reader *r, struct span *line, struct error *e)
{
    struct csv *csv = r->state;
    struct header h = { .r = r, .line = line, .p = csv->rest, .end = csv->rest };
    csv->ragged_hint = "the skeleton has as many CHANNELS";
    r->columns.counted = true;
    r->columns.owns_time = true;
    return columns_add(&r->columns, "time", 4, e) && read_hierarchy(&h, e) && read_motion(&h, e) &&
           motion_line(r, line, e);
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
    .summary = "Biovision motion: a skeleton, and its channels frame by frame",
    .keeps = "Keeps the skeleton, and everything but filtered numbers. There are no derivatives in it.",
    .sniff = sniff,
    .kind = &(const struct motion_kind){ .read_head = read_head,
                                         .no_added = "a bvh file has no place for them",
                                         .gap = "nan",
                                         .exact = true },
    MOTION,
};
