/* c3d: frames of points of motion capture and of analog samples. A header of 512 bytes and a section of
 * parameters say where the frames are, and how many points, samples and frames there are; the parameters
 * count more than the header. Channels are the coordinates of points, LABEL.x, .y and .z, or with --analog
 * the analog channels. Source of all facts: The C3D File Format User Guide, c3d.org. */
#include "base/text.h"
#include "formats/binary/binary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    SECTION = 512,  /* bytes of a block */
    MAXARRAY = 260, /* most parameters NAME, NAME2, NAME3 … of a list */
    MAXLABEL = 260  /* room for a label, of at most 255 bytes */
};

/* Counts that both the header and the parameters hold: indices into c3d.count. */
enum {
    START,    /* number of the block where the frames begin, from 1 */
    POINTS,   /* points of a frame */
    CHANNELS, /* analog channels */
    EACH,     /* samples of an analog channel in a frame */
    FRAMES,   /* number of frames */
    FLOATS,   /* 1: samples are floats; 0: integers */
    NCOUNT
};

struct c3d {
    struct binary file;
    size_t from, to;         /* the parameters are in bytes from to to - 1 */
    bool big;                /* the file is big-endian */
    struct sample_type real; /* the type of floats */
    uint64_t count[NCOUNT];
    double scale; /* coordinate = integer * scale; not used with floats */
};

/* The integer of 16 bits at a place; kind: i or u, as in struct sample_type. */
static double integer(const struct c3d *c3d, const unsigned char *at, char kind)
{
    return sample_get(at, (struct sample_type){ kind, 2, c3d->big });
}

/* --- parameters --- */

/* A group or a parameter. */
struct entry {
    const unsigned char *name; /* [nname] */
    size_t nname;
    int id;                    /* < 0: the entry is a group; else a parameter of the group -id */
    int type;                  /* type of a parameter: -1: characters; else bytes of a number */
    const unsigned char *data; /* [n] characters or numbers of a parameter */
    size_t n;
    size_t width; /* with characters: characters of each text */
};

/* Reads type, dimensions and data of a parameter at p, where `left` bytes remain. */
static bool read_data(const unsigned char *p, size_t left, struct entry *entry)
{
    if (left < 2 || p[1] > 7 || left - 2 < p[1])
        return false;
    entry->type = (int8_t)p[0];
    entry->data = p + 2 + p[1];
    entry->n = 1;
    for (size_t i = 0; i < p[1]; i++)
        entry->n *= p[2 + i];
    entry->width = p[1] > 1 ? p[2] : entry->n;
    return entry->n <= (left - 2 - p[1]) / (size_t)(entry->type ? abs(entry->type) : 1);
}

/* Reads the entry at *at, and moves *at after the entry. False: the last entry was read (e->kind is
 * ERROR_NONE), or an error. */
static bool next_entry(const struct c3d *c3d, size_t *at, struct entry *entry, struct error *e)
{
    const unsigned char *p = c3d->file.bytes + *at;
    size_t left = c3d->to - *at, head = left > 0 ? 2 + (size_t)abs((int8_t)p[0]) : 0;
    e->kind = ERROR_NONE;
    if (left < 2 || p[0] == 0)
        return false;
    *entry = (struct entry){ .name = p + 2, .nname = head - 2, .id = (int8_t)p[1] };
    if (left < head + 2 || (entry->id > 0 && !read_data(p + head + 2, left - head - 2, entry)))
        return error_data(e, "the parameter at byte %zu does not fit into its section", *at + 1);
    const int step = (int)integer(c3d, p + head, 'i');
    if (step != 0 && step < 2)
        return error_data(e, "the parameter at byte %zu points to itself or backward", *at + 1);
    *at = step == 0 || (size_t)step > left - head ? c3d->to : *at + head + (size_t)step;
    return true;
}

/* Finds an entry by name: with id 0 a group, else a parameter with the id. */
static bool find_entry(const struct c3d *c3d, int id, const char *name, struct entry *entry)
{
    struct error ignored; /* find_parameters reports it */
    for (size_t at = c3d->from; next_entry(c3d, &at, entry, &ignored);) {
        bool is_kind = id ? entry->id == id : entry->id < 0;
        if (is_kind && entry->nname == strlen(name) &&
            strncasecmp((const char *)entry->name, name, entry->nname) == 0)
            return true;
    }
    return false;
}

/* A list of texts or numbers: the elements of the parameters NAME, NAME2, NAME3, … of a group, one after the
 * other. The reader of a list moves from parameter to parameter. */
struct list {
    const char *group, *name;
    struct entry entry; /* the current parameter */
    unsigned narray;    /* number of the current parameter, from 1; 0: no parameter yet */
    size_t before;      /* elements of the parameters before the current one */
    size_t n;           /* elements of the current parameter */
    bool ended;         /* there are no more parameters */
};

/* Moves to the next parameter of a list. */
static void next_array(const struct c3d *c3d, struct list *list)
{
    struct entry *entry = &list->entry;
    char name[32];
    list->before += list->n;
    list->narray++;
    snprintf(name, sizeof name, list->narray > 1 ? "%s%u" : "%s", list->name, list->narray);
    list->ended = list->narray > MAXARRAY || !find_entry(c3d, 0, list->group, entry) ||
                  !find_entry(c3d, -entry->id, name, entry);
    list->n = entry->n;
    if (entry->type == -1)
        list->n = entry->width ? entry->n / entry->width : 0;
}

/* Element i of a list, or NULL if the list is shorter. i does not descend from call to call. */
static const unsigned char *element(const struct c3d *c3d, struct list *list, size_t i)
{
    const struct entry *entry = &list->entry;
    while (!list->ended && i - list->before >= list->n)
        next_array(c3d, list);
    if (list->ended)
        return NULL;
    size_t width = entry->type == -1 ? entry->width : (size_t)abs(entry->type);
    return entry->data + (i - list->before) * width;
}

/* Element i of a list of numbers; integers are unsigned. NaN: the list has no number i. */
static double number(const struct c3d *c3d, struct list *list, size_t i)
{
    const unsigned char *at = element(c3d, list, i);
    int type = at ? list->entry.type : 0;
    if (type == 4)
        return sample_get(at, c3d->real);
    if (type == 2)
        return integer(c3d, at, 'u');
    return type == 1 ? *at : (double)NAN;
}

/* Number i of a parameter; NaN: no such number. */
static double parameter(const struct c3d *c3d, const char *group, const char *name, size_t i)
{
    return number(c3d, &(struct list){ .group = group, .name = name }, i);
}

/* Sets name to element i of a list of texts, without blanks at the end, or, if the list has no text i, to
 * `word` and i + 1. Returns the length of the name. */
static size_t read_label(const struct c3d *c3d, struct list *list, size_t i, const char *word,
                         char name[MAXLABEL])
{
    const unsigned char *at = element(c3d, list, i);
    size_t n = at && list->entry.type == -1 ? strnlen((const char *)at, list->entry.width) : 0;
    while (n > 0 && at[n - 1] == ' ')
        n--;
    return (size_t)(n ? sprintf(name, "%.*s", (int)n, at) : sprintf(name, "%s%zu", word, i + 1));
}

/* Finds the section of parameters, and checks every entry of it. */
static bool find_parameters(struct c3d *c3d, struct error *e)
{
    const unsigned char *bytes = c3d->file.bytes;
    if (c3d->file.nbyte < SECTION)
        return error_data(e, "the file ends inside its header, after %zu byte%s", c3d->file.nbyte,
                          error_plural(c3d->file.nbyte));
    const size_t start = bytes[0] * (size_t)SECTION; /* blocks count from 1 */
    if (bytes[1] != 0x50 || start == 0 || start - SECTION + 4 > c3d->file.nbyte)
        return error_data(
            e, "this is not a c3d file: byte 2 is not 0x50, or there is no block %u of parameters", bytes[0]);
    const unsigned char *p = bytes + start - SECTION;
    if (p[3] < 84 || p[3] > 86)
        return error_data(e, "byte %zu (processor) is %u: expected 84 (Intel), 85 (DEC) or 86 (SGI)",
                          start - SECTION + 4, p[3]);
    c3d->big = p[3] == 86;
    c3d->real = (struct sample_type){ p[3] == 85 ? 'd' : 'f', 4, c3d->big };
    c3d->from = start - SECTION + 4;
    c3d->to = start - SECTION + (p[2] ? p[2] : 255) * (size_t)SECTION;
    c3d->to = c3d->to < c3d->file.nbyte ? c3d->to : c3d->file.nbyte;
    struct entry entry;
    for (size_t at = c3d->from; next_entry(c3d, &at, &entry, e);)
        ;
    return e->kind == ERROR_NONE;
}

/* --- counts --- */

static size_t frame_size(const uint64_t *count)
{
    return (count[FLOATS] ? 4 : 2) * (4 * count[POINTS] + count[CHANNELS] * count[EACH]);
}

/* Whole frames in the file, by some counts. */
static uint64_t whole_frames(const struct c3d *c3d, const uint64_t *count)
{
    uint64_t at = (count[START] - 1) * SECTION;
    bool none = count[START] == 0 || at > c3d->file.nbyte || frame_size(count) == 0;
    return none ? 0 : (c3d->file.nbyte - at) / frame_size(count);
}

/* Word i of the header, counted from 1. */
static uint64_t word(const struct c3d *c3d, size_t i)
{
    return (uint64_t)integer(c3d, c3d->file.bytes + 2 * (i - 1), 'u');
}

static void read_header(const struct c3d *c3d, uint64_t *count)
{
    count[START] = word(c3d, 9);
    count[POINTS] = word(c3d, 2);
    count[EACH] = word(c3d, 10) ? word(c3d, 10) : 1;
    count[CHANNELS] = word(c3d, 3) / count[EACH];
    count[FRAMES] = word(c3d, 5) < word(c3d, 4) ? 0 : word(c3d, 5) - word(c3d, 4) + 1;
    count[FLOATS] = sample_get(c3d->file.bytes + 12, c3d->real) < 0;
}

/* Sets a count to x, unless x is NaN or out of range. */
static void set_count(uint64_t *count, double x, double most)
{
    if (x >= 0 && x <= most)
        *count = (uint64_t)x;
}

/* The number of the first or last frame in a parameter of TRIAL, which has two words for files of more than
 * 65535 frames. NaN: no such parameter. */
static double trial_frame(const struct c3d *c3d, const char *name)
{
    return parameter(c3d, "TRIAL", name, 0) + 65536 * parameter(c3d, "TRIAL", name, 1);
}

static void read_parameters(const struct c3d *c3d, uint64_t *count)
{
    double frames = parameter(c3d, "POINT", "FRAMES", 0);
    if (isnan(frames) || frames == UINT16_MAX) {
        double trial = trial_frame(c3d, "ACTUAL_END_FIELD") - trial_frame(c3d, "ACTUAL_START_FIELD") + 1;
        double more = trial > 0 ? trial : parameter(c3d, "POINT", "LONG_FRAMES", 0);
        if (more > 0)
            frames = more;
    }
    set_count(&count[FRAMES], frames, UINT32_MAX);
    set_count(&count[START], parameter(c3d, "POINT", "DATA_START", 0), UINT16_MAX);
    set_count(&count[POINTS], parameter(c3d, "POINT", "USED", 0), UINT16_MAX);
    set_count(&count[CHANNELS], parameter(c3d, "ANALOG", "USED", 0), UINT16_MAX);
    double each = round(parameter(c3d, "ANALOG", "RATE", 0) / parameter(c3d, "POINT", "RATE", 0));
    if (count[CHANNELS] > 0 && each >= 1)
        set_count(&count[EACH], each, UINT16_MAX);
    double scale = parameter(c3d, "POINT", "SCALE", 0);
    set_count(&count[FLOATS], isnan(scale) ? scale : scale < 0, 1);
}

static bool is_rate(double x)
{
    return x >= 1e-6 && x <= 1e9;
}

/* Takes counts, rate and scale from the parameters, or from the header what no parameter gives. */
static void settle(struct c3d *c3d, struct reader *reader)
{
    const unsigned char *header = c3d->file.bytes;
    const double rate = parameter(c3d, "POINT", "RATE", 0), other = sample_get(header + 20, c3d->real);
    read_header(c3d, c3d->count);
    read_parameters(c3d, c3d->count);
    if (is_rate(rate))
        reader->table.rate = rate;
    else if (is_rate(other))
        reader->table.rate = other;
    c3d->scale = parameter(c3d, "POINT", "SCALE", 0);
    if (isnan(c3d->scale))
        c3d->scale = sample_get(header + 12, c3d->real);
}

/* --- columns --- */

static bool add_points(const struct c3d *c3d, struct reader *reader, struct binary_column where,
                       struct error *e)
{
    struct list labels = { .group = "POINT", .name = "LABELS" };
    char name[MAXLABEL];
    size_t width = where.type.width;
    if (!c3d->count[FLOATS] && !(c3d->scale > 0 && isfinite(c3d->scale)))
        return error_data(e, "POINT:SCALE is %g, but integers need a positive scale", c3d->scale);
    where.scale = c3d->count[FLOATS] ? 1 : c3d->scale;
    for (size_t i = 0; i < c3d->count[POINTS]; i++) {
        size_t n = read_label(c3d, &labels, i, "point", name);
        name[n] = '.';
        where.residual = where.first + 3 * width;
        for (const char *axis = "xyz"; *axis; axis++, where.first += width) {
            name[n + 1] = *axis;
            if (!binary_add_column(reader, name, n + 2, where, e))
                return false;
            reader->table.column[reader->table.ncolumn - 1].vector = i + 1;
        }
        where.first += width;
    }
    return true;
}

static bool add_channels(const struct c3d *c3d, struct reader *reader, struct binary_column where,
                         struct error *e)
{
    struct list labels = { .group = "ANALOG", .name = "LABELS" },
                scales = { .group = "ANALOG", .name = "SCALE" },
                offsets = { .group = "ANALOG", .name = "OFFSET" },
                format = { .group = "ANALOG", .name = "FORMAT" };
    char name[MAXLABEL];
    size_t width = where.type.width;
    double general = parameter(c3d, "ANALOG", "GEN_SCALE", 0);
    if (isnan(general))
        general = 1;
    read_label(c3d, &format, 0, "", name);
    bool is_unsigned = strcasecmp(name, "UNSIGNED") == 0;
    if (!c3d->count[FLOATS] && is_unsigned)
        where.type.kind = 'u';
    where.stride = c3d->count[CHANNELS] * width;
    where.fold = c3d->count[EACH];
    where.jump = frame_size(c3d->count) - where.stride * where.fold;
    where.first += 4 * c3d->count[POINTS] * width;
    for (size_t i = 0; i < c3d->count[CHANNELS]; i++, where.first += width) {
        double scale = number(c3d, &scales, i), offset = number(c3d, &offsets, i);
        bool is_signed = !is_unsigned && offsets.entry.type == 2;
        if (isnan(offset))
            offset = 0;
        else if (is_signed && offset > INT16_MAX)
            offset -= 65536;
        where.scale = (isnan(scale) ? 1 : scale) * general;
        where.offset = offset;
        if (!binary_add_column(reader, name, read_label(c3d, &labels, i, "analog", name), where, e))
            return false;
        if (where.scale != 0 && isfinite(where.scale) && isfinite(where.offset))
            continue;
        error_data(e, "invalid ANALOG:SCALE or GEN_SCALE: %g", where.scale);
        return error_column(e, reader->table.column[reader->table.ncolumn - 1].name);
    }
    return true;
}

/* Sets number i of a parameter, if the file has it. */
static void set_parameter(struct c3d *c3d, const char *group, const char *name, size_t i, uint64_t x)
{
    struct list list = { .group = group, .name = name };
    const unsigned char *found = element(c3d, &list, i);
    if (!found)
        return;
    unsigned char *at = c3d->file.bytes + (found - c3d->file.bytes);
    if (list.entry.type == 2)
        word_put(at, x < UINT16_MAX ? x : UINT16_MAX, 2, c3d->big);
    else if (list.entry.type == 4)
        sample_put(at, c3d->real, (double)x);
}

/* Makes header and parameters say how many frames are there. */
static void set_frames(struct c3d *c3d, uint64_t nframe)
{
    const uint64_t last = word(c3d, 4) + nframe - 1;
    const double start = trial_frame(c3d, "ACTUAL_START_FIELD");
    const uint64_t end = (start > 0 ? (uint64_t)start : 1) + nframe - 1;
    c3d->count[FRAMES] = nframe;
    word_put(c3d->file.bytes + 8, last < UINT16_MAX ? last : UINT16_MAX, 2, c3d->big);
    set_parameter(c3d, "POINT", "FRAMES", 0, nframe);
    set_parameter(c3d, "POINT", "LONG_FRAMES", 0, nframe);
    set_parameter(c3d, "TRIAL", "ACTUAL_END_FIELD", 0, end & UINT16_MAX);
    set_parameter(c3d, "TRIAL", "ACTUAL_END_FIELD", 1, end >> 16);
}

/* Refuses a file without samples. Of a file that was cut the frames that are there are read. */
static bool check_counts(struct c3d *c3d, struct reader *reader, struct error *e)
{
    const struct input_options *options = reader->options;
    const uint64_t *count = c3d->count;
    const uint64_t nframe = whole_frames(c3d, count);
    if (count[options->analog ? CHANNELS : POINTS] == 0) {
        error_data(e, "the file has no %s", options->analog ? "analog channels" : "points");
        return count[CHANNELS] ? error_hint(e, "to filter its analog channels, add --analog") : false;
    }
    if (count[FRAMES] == 0)
        return error_data(e, "the file has no frames");
    if (nframe == 0)
        return error_data(e, "truncated: %llu frame%s of %zu bytes expected from block %llu, none found",
                          (unsigned long long)count[FRAMES], error_plural(count[FRAMES]), frame_size(count),
                          (unsigned long long)count[START]);
    format_warn_truncated(reader, "frame", count[FRAMES], nframe);
    if (nframe < count[FRAMES])
        set_frames(c3d, nframe);
    return true;
}

static bool open_c3d(struct reader *reader, struct error *e)
{
    bool analog = reader->options->analog, good = binary_open(reader, sizeof(struct c3d), e);
    struct c3d *c3d = reader->state;
    if (!good || !find_parameters(c3d, e))
        return false;
    settle(c3d, reader);
    if (!check_counts(c3d, reader, e))
        return false;
    c3d->file.firstrow = analog ? 1 : word(c3d, 4);
    if (!analog)
        set_count(&c3d->file.firstrow, trial_frame(c3d, "ACTUAL_START_FIELD"), UINT32_MAX);
    c3d->file.row = analog ? "analog sample" : "frame";
    c3d->file.nrow = c3d->count[FRAMES] * (analog ? c3d->count[EACH] : 1);
    reader->table.rate *= analog ? (double)c3d->count[EACH] : 1;
    reader->table.even = true;
    const struct sample_type integers = { 'i', 2, c3d->big };
    struct binary_column where = { .first = c3d->file.bytes + (c3d->count[START] - 1) * SECTION,
                                   .stride = frame_size(c3d->count),
                                   .type = c3d->count[FLOATS] ? c3d->real : integers };
    return binary_add_column(reader, "time", 4, (struct binary_column){ 0 }, e) &&
           (analog ? add_channels : add_points)(c3d, reader, where, e);
}

static bool sniff(const unsigned char *head, size_t nhead)
{
    return nhead >= 2 && head[0] > 0 && head[0] < '\t' && head[1] == 0x50;
}

const struct format format_c3d = {
    .name = "c3d",
    .suffixes = (const char *const[]){ ".c3d", NULL },
    .sniff = sniff,
    .open = open_c3d,
    BINARY,
};
