/* c3d: frames of points of motion capture and of analog samples. A header of 512 bytes and a section of
 * parameters say where the frames are, and how many points, samples and frames there are; the parameters
 * count more than the header. Channels are the coordinates of points, LABEL.x, .y and .z, or with --analog
 * the analog channels. Source of all facts: The C3D File Format User Guide, c3d.org. */
#include "base/text.h"
#include "formats/binary/binary.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    SECTION = 512,      /* bytes of a block */
    LEAST_ENTRY = 4,    /* least bytes of a group or parameter */
    MAXCOUNT = 1 << 28, /* most frames, points, channels, or samples of a channel in a frame */
    MAXARRAY = 260      /* most parameters NAME, NAME2, NAME3 … of a list */
};

struct c3d {
    struct binary file;
    struct entry *entry; /* [nentry] groups and parameters, in the order of the file; kept with the file */
    size_t nentry;
    bool big;                  /* the file is big-endian */
    struct sample_type real;   /* the type of floats */
    struct sample_type sample; /* the type of coordinates, and of analog samples that have a sign */
    size_t start;              /* number of the block where the frames begin, from 1 */
    size_t npoint;             /* points of a frame */
    size_t nchannel;           /* analog channels */
    size_t each;               /* samples of an analog channel in a frame */
    size_t nframe;
    double scale; /* coordinate = integer * scale; negative: samples are floats */
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
    int id;              /* < 0: the entry is a group; else a parameter of the group -id */
    int type;            /* of a parameter: -1: its elements are texts; else bytes of a number */
    unsigned char *data; /* [n] elements of a parameter, of `width` bytes each */
    size_t n, width;
};

/* Reads type, dimensions and data of a parameter at p, where `left` bytes remain. */
static bool read_data(unsigned char *p, size_t left, struct entry *entry)
{
    if (left < 2 || p[1] > 7 || left - 2 < p[1])
        return false;
    entry->type = (int8_t)p[0];
    entry->data = p + 2 + p[1];
    entry->width = (size_t)abs(entry->type);
    entry->n = 1;
    for (size_t i = 0; i < p[1]; i++)
        entry->n *= p[2 + i];
    if (entry->n * entry->width > left - 2 - p[1])
        return false;
    if (entry->type == -1) { /* characters: the first of several dimensions is the length of a text */
        entry->width = p[1] > 1 ? p[2] : entry->n;
        entry->n = entry->width > 0 ? entry->n / entry->width : 0;
    }
    return true;
}

/* Reads the entries in bytes `at` to `end` - 1 of the file. */
static bool read_entries(struct c3d *c3d, size_t at, size_t end, struct error *e)
{
    c3d->entry = binary_keep(&c3d->file, calloc((end - at) / LEAST_ENTRY + 1, sizeof *c3d->entry), e);
    if (!c3d->entry)
        return false;
    while (end - at >= 2 && c3d->file.bytes[at] != 0) {
        unsigned char *p = c3d->file.bytes + at;
        const size_t head = 2 + (size_t)abs((int8_t)p[0]), left = end - at;
        struct entry *entry = &c3d->entry[c3d->nentry++];
        *entry = (struct entry){ .name = p + 2, .nname = head - 2, .id = (int8_t)p[1] };
        if (left < head + 2 || (entry->id > 0 && !read_data(p + head + 2, left - head - 2, entry)))
            return error_data(e, "the parameter at byte %zu does not fit into its section", at + 1);
        const int step = (int)integer(c3d, p + head, 'i');
        if (step != 0 && step < 2)
            return error_data(e, "the parameter at byte %zu points to itself or backward", at + 1);
        const bool last = step == 0 || (size_t)step > left - head;
        at = last ? end : at + head + (size_t)step;
    }
    return true;
}

/* Finds an entry by name: with id 0 a group, else a parameter with the id. NULL: no such entry. */
static const struct entry *find_entry(const struct c3d *c3d, int id, const char *name)
{
    for (size_t i = 0; i < c3d->nentry; i++) {
        const struct entry *entry = &c3d->entry[i];
        const bool is_kind = id ? entry->id == id : entry->id < 0;
        if (is_kind && entry->nname == strlen(name) &&
            strncasecmp((const char *)entry->name, name, entry->nname) == 0)
            return entry;
    }
    return NULL;
}

/* Element i of a list, which are the elements of the parameters NAME, NAME2, NAME3, … of a group, one after
 * the other: type, data and width of the parameter with the element. Type 0: the list is shorter. */
static struct entry element(const struct c3d *c3d, const char *group, const char *name, size_t i)
{
    const struct entry *of_group = find_entry(c3d, 0, group);
    for (unsigned k = 1; of_group && k <= MAXARRAY; k++) {
        char numbered[32];
        snprintf(numbered, sizeof numbered, k > 1 ? "%s%u" : "%s", name, k);
        const struct entry *entry = find_entry(c3d, -of_group->id, numbered);
        if (!entry)
            break;
        if (i < entry->n)
            return (struct entry){ .type = entry->type,
                                   .data = entry->data + i * entry->width,
                                   .width = entry->width };
        i -= entry->n;
    }
    return (struct entry){ .type = 0 };
}

/* Number i of a list; integers are unsigned. `missing`: the list has no number i. */
static double number(const struct c3d *c3d, const char *group, const char *name, size_t i, double missing)
{
    const struct entry found = element(c3d, group, name, i);
    if (found.type == 4)
        return sample_get(found.data, c3d->real);
    if (found.type == 2)
        return integer(c3d, found.data, 'u');
    return found.type == 1 ? *found.data : missing;
}

/* A number as a count; 0 where it is none, or more than any file has. */
static size_t as_count(double x)
{
    return x >= 0 && x <= MAXCOUNT ? (size_t)x : 0;
}

/* Text i of a list, without blanks at the end, malloc'ed; if the list has no text i, `word` and i + 1. NULL:
 * out of memory. */
static char *make_label(const struct c3d *c3d, const char *group, const char *list, size_t i,
                        const char *word)
{
    const struct entry found = element(c3d, group, list, i);
    const char *text = (const char *)found.data;
    size_t n = found.type == -1 ? strnlen(text, found.width) : 0;
    while (n > 0 && text[n - 1] == ' ')
        n--;
    return n > 0 ? text_copy(text, n) : text_format("%s%zu", word, i + 1);
}

/* Finds the section of parameters, and reads it. */
static bool read_parameters(struct c3d *c3d, struct error *e)
{
    const unsigned char *bytes = c3d->file.bytes;
    const size_t nbyte = c3d->file.nbyte;
    if (nbyte < SECTION)
        return error_data(e, "the file ends inside its header, after %zu byte%s", nbyte, error_plural(nbyte));
    if (bytes[1] != 0x50 || bytes[0] == 0 || (bytes[0] - 1) * (size_t)SECTION + 4 > nbyte)
        return error_data(
            e, "this is not a c3d file: byte 2 is not 0x50, or there is no block %u of parameters", bytes[0]);
    const size_t start = (bytes[0] - 1) * (size_t)SECTION; /* blocks count from 1 */
    const unsigned char *head = bytes + start;
    if (head[3] < 84 || head[3] > 86)
        return error_data(e, "byte %zu (processor) is %u: expected 84 (Intel), 85 (DEC) or 86 (SGI)",
                          start + 4, head[3]);
    c3d->big = head[3] == 86;
    c3d->real = (struct sample_type){ head[3] == 85 ? 'd' : 'f', 4, c3d->big };
    const size_t end = start + (head[2] ? head[2] : 255) * (size_t)SECTION;
    return read_entries(c3d, start + 4, end < nbyte ? end : nbyte, e);
}

/* --- counts --- */

static size_t frame_size(const struct c3d *c3d)
{
    return c3d->sample.width * (4 * c3d->npoint + c3d->nchannel * c3d->each);
}

/* Word i of the header, counted from 1. */
static uint64_t word(const struct c3d *c3d, size_t i)
{
    return (uint64_t)integer(c3d, c3d->file.bytes + 2 * (i - 1), 'u');
}

/* The number of the first or last frame in a parameter of TRIAL, which has two words for files of more than
 * 65535 frames. NaN: no such parameter. */
static double trial_frame(const struct c3d *c3d, const char *name)
{
    return number(c3d, "TRIAL", name, 0, (double)NAN) + 65536 * number(c3d, "TRIAL", name, 1, (double)NAN);
}

static void read_counts(struct c3d *c3d, struct table *table)
{
    const double rate = number(c3d, "POINT", "RATE", 0, 0);
    c3d->start = as_count(number(c3d, "POINT", "DATA_START", 0, 0));
    c3d->npoint = as_count(number(c3d, "POINT", "USED", 0, 0));
    c3d->nchannel = as_count(number(c3d, "ANALOG", "USED", 0, 0));
    c3d->each = as_count(round(number(c3d, "ANALOG", "RATE", 0, 0) / rate));
    if (c3d->each == 0)
        c3d->each = word(c3d, 10) > 0 ? word(c3d, 10) : 1;
    c3d->scale = number(c3d, "POINT", "SCALE", 0, 0);
    c3d->sample = c3d->scale < 0 ? c3d->real : (struct sample_type){ 'i', 2, c3d->big };
    const double trial = trial_frame(c3d, "ACTUAL_END_FIELD") - trial_frame(c3d, "ACTUAL_START_FIELD") + 1;
    double nframe = number(c3d, "POINT", "FRAMES", 0, 0);
    if (nframe == UINT16_MAX)
        nframe = trial > 0 ? trial : number(c3d, "POINT", "LONG_FRAMES", 0, nframe);
    c3d->nframe = as_count(nframe);
    table->rate = rate >= 1e-6 && rate <= 1e9 ? rate : 0;
}

/* --- columns --- */

static bool add_points(struct c3d *c3d, struct binary_column where, struct error *e)
{
    const size_t width = where.type.width;
    where.scale = where.type.kind == 'i' ? c3d->scale : 1;
    if (!(where.scale > 0 && isfinite(where.scale)))
        return error_data(e, "POINT:SCALE is %g, but integers need a positive scale", c3d->scale);
    for (size_t i = 0; i < c3d->npoint; i++) {
        const char *label = binary_keep(&c3d->file, make_label(c3d, "POINT", "LABELS", i, "point"), e);
        where.vector = i + 1;
        where.residual = where.first + 3 * width;
        for (const char *axis = "xyz"; *axis; axis++, where.first += width)
            if (!label || !binary_add_column(&c3d->file, where, text_format("%s.%c", label, *axis), e))
                return false;
        where.first += width;
    }
    return true;
}

static bool add_channels(struct c3d *c3d, struct binary_column where, struct error *e)
{
    const double general = number(c3d, "ANALOG", "GEN_SCALE", 0, 1);
    const size_t width = where.type.width;
    const struct entry format = element(c3d, "ANALOG", "FORMAT", 0);
    const bool is_unsigned = format.type == -1 && toupper(*format.data) == 'U'; /* SIGNED or UNSIGNED */
    if (where.type.kind == 'i' && is_unsigned)
        where.type.kind = 'u';
    where.stride = c3d->nchannel * width;
    where.fold = c3d->each;
    where.jump = frame_size(c3d) - where.stride * where.fold;
    where.first += 4 * c3d->npoint * width;
    for (size_t i = 0; i < c3d->nchannel; i++, where.first += width) {
        where.scale = number(c3d, "ANALOG", "SCALE", i, 1) * general;
        const struct entry offset = element(c3d, "ANALOG", "OFFSET", i);
        const bool is_signed = offset.type == 2 && !is_unsigned;
        where.offset = is_signed ? integer(c3d, offset.data, 'i') : number(c3d, "ANALOG", "OFFSET", i, 0);
        char *name = make_label(c3d, "ANALOG", "LABELS", i, "analog");
        if (!binary_add_column(&c3d->file, where, name, e))
            return false;
        if (where.scale != 0 && isfinite(where.scale) && isfinite(where.offset))
            continue;
        error_data(e, "invalid ANALOG:SCALE, GEN_SCALE or OFFSET");
        return error_column(e, name);
    }
    return true;
}

/* Sets number i of a parameter, if the file has it. */
static void set_parameter(struct c3d *c3d, const char *group, const char *name, size_t i, uint64_t x)
{
    const struct entry found = element(c3d, group, name, i);
    if (found.type == 2)
        word_put(found.data, x < UINT16_MAX ? x : UINT16_MAX, 2, c3d->big);
    else if (found.type == 4)
        sample_put(found.data, c3d->real, (double)x);
}

/* Makes header and parameters say how many frames are there. */
static void set_frames(struct c3d *c3d, size_t nframe)
{
    const uint64_t last = word(c3d, 4) + nframe - 1;
    const size_t start = as_count(trial_frame(c3d, "ACTUAL_START_FIELD"));
    const uint64_t end = (start > 0 ? start : 1) + nframe - 1;
    c3d->nframe = nframe;
    word_put(c3d->file.bytes + 8, last < UINT16_MAX ? last : UINT16_MAX, 2, c3d->big);
    set_parameter(c3d, "POINT", "FRAMES", 0, nframe);
    set_parameter(c3d, "POINT", "LONG_FRAMES", 0, nframe);
    set_parameter(c3d, "TRIAL", "ACTUAL_END_FIELD", 0, end & UINT16_MAX);
    set_parameter(c3d, "TRIAL", "ACTUAL_END_FIELD", 1, end >> 16);
}

/* Refuses a file without samples. Of a file that was cut the frames that are there are read. */
static bool check_counts(struct c3d *c3d, struct reader *reader, struct error *e)
{
    const bool analog = reader->options->analog;
    if ((analog ? c3d->nchannel : c3d->npoint) == 0) {
        error_data(e, "the file has no %s", analog ? "analog channels" : "points");
        return c3d->nchannel ? error_hint(e, "to filter its analog channels, add --analog") : false;
    }
    const size_t nbyte = c3d->file.nbyte, at = (c3d->start - 1) * SECTION, size = frame_size(c3d);
    const size_t nframe = c3d->start > 0 && at < nbyte ? (nbyte - at) / size : 0;
    if (c3d->nframe == 0 || nframe == 0)
        return error_data(e, "expected %zu frames of %zu bytes from block %zu, found none", c3d->nframe, size,
                          c3d->start);
    format_warn_truncated(reader, "frame", c3d->nframe, nframe);
    if (nframe < c3d->nframe)
        set_frames(c3d, nframe);
    return true;
}

static bool open_c3d(struct reader *reader, struct error *e)
{
    const bool analog = reader->options->analog, good = binary_open(reader, sizeof(struct c3d), e);
    struct c3d *c3d = reader->state;
    if (!good || !read_parameters(c3d, e))
        return false;
    read_counts(c3d, &reader->table);
    if (!check_counts(c3d, reader, e))
        return false;
    c3d->file.nrow = c3d->nframe;
    if (analog) {
        c3d->file.nrow *= c3d->each;
        reader->table.rate *= (double)c3d->each;
    }
    reader->table.even = true;
    const struct binary_column where = { .first = c3d->file.bytes + (c3d->start - 1) * SECTION,
                                         .stride = frame_size(c3d),
                                         .type = c3d->sample,
                                         .divisor = 1 };
    return binary_add_column(&c3d->file, (struct binary_column){ .first = NULL }, text_copy("time", 4), e) &&
           (analog ? add_channels : add_points)(c3d, where, e) && binary_make_columns(reader, e);
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
    .close = binary_close,
    .accept = binary_accept,
    .print = binary_print,
    .finish = binary_finish,
    .markers = true,
    BINARY,
};
