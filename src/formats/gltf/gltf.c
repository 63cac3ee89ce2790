/* glTF 2.0: animations of a .gltf file, whose bytes are embedded or in another file, or of a .glb file.
 * Columns are named ANIMATION/NODE.PATH.COMPONENT; columns of an animation with the same times are one table.
 * The output differs from the input in samples, and in the JSON text in base64, min, max and the name of the
 * other file. See gltf.h. */
#include "formats/gltf/gltf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* What a channel animates. */
static const struct path {
    const char *name;
    size_t n; /* numbers of a value; 0: as many numbers as the mesh has targets */
} paths[] = { { "translation", 3 }, { "rotation", 4 }, { "scale", 3 }, { "weights", 0 } };
enum { NPATH = sizeof paths / sizeof *paths, TRANSLATION = 0, ROTATION = 1 };

/* Quaternions that differ by at most half the last bit of a float near 1 are equal. */
#define UNCHANGED 0x1p-24

/* The name of an element, or WORDi for an element without a name. NULL: out of memory. */
static char *name_of(struct gltf *gltf, const char *element, const char *word, size_t i)
{
    size_t n;
    char *name = binary_keep(&gltf->file, gltf_string(json_member(element, "name"), &n), gltf->e);
    return !name || n > 0 ? name : binary_keep(&gltf->file, text_format("%s%zu", word, i), gltf->e);
}

/* --- times --- */

/* Reads an accessor of times, and finds or adds their table in the animation under way. */
static bool read_times(struct gltf *gltf, struct gltf_accessor *accessor, size_t *part)
{
    if (!gltf_read_accessor(gltf, accessor, 1))
        return false;
    if (accessor->use > GLTF_TIMES)
        return gltf_refuse(gltf, accessor->object, "it holds both times and values of animations");
    accessor->use = GLTF_TIMES;
    if (accessor->where.type.kind != 'f')
        return gltf_refuse(gltf, accessor->object, "times must be floats, but it holds integers");
    const struct binary_part like = { .time = accessor->where,
                                      .nrow = accessor->count,
                                      .animation = gltf->animation };
    return binary_find_part(&gltf->file, &like, gltf->name, part, gltf->e);
}

/* --- columns --- */

/* Adds a column for each of the n numbers of a row of an accessor. */
static bool add_columns(struct gltf *gltf, const struct path *path, size_t node,
                        const struct gltf_accessor *accessor, size_t n)
{
    struct binary_column where = accessor->where;
    const char *target = name_of(gltf, gltf->nodes.element[node], "node", node);
    where.stride = n * where.type.width;
    where.source = (size_t)(accessor - gltf->accessor);
    where.part = accessor->part;
    where.vector = path == &paths[TRANSLATION] ? where.source + 1 : 0;
    where.joint = path == &paths[ROTATION] ? where.source + 1 : 0;
    for (size_t i = 0; target && i < n; i++) {
        char *name = path->n ? text_format("%s/%s.%s.%c", gltf->name, target, path->name, "xyzw"[i])
                             : text_format("%s/%s.%s.%zu", gltf->name, target, path->name, i);
        where.axis = where.joint > 0 ? i + 1 : 0;
        if (!binary_add_column(&gltf->file, where, name, gltf->e))
            return false;
        where.first += where.type.width;
    }
    return target;
}

/* Notes what an accessor of values is used for. Several samplers may share an accessor if the samplers have
 * the same times: the values are one set of columns. */
static bool use_accessor(struct gltf *gltf, struct gltf_accessor *accessor, enum gltf_use use, size_t part)
{
    if (accessor->use == GLTF_UNUSED) {
        accessor->use = use;
        accessor->part = part;
    }
    const struct binary_part *table = gltf->file.part;
    if (accessor->use == use &&
        (use == GLTF_UNCHANGED || binary_same_times(&table[part], &table[accessor->part])))
        return true;
    gltf_refuse(gltf, accessor->object,
                "several samplers share it, but their times differ or not all are filtered");
    return error_hint(gltf->e, "give each its own accessor");
}

/* Reads the times and values of a sampler that animates a node, and adds their columns. */
static bool read_values(struct gltf *gltf, const char *sampler, struct gltf_accessor *output,
                        const struct path *path, size_t node)
{
    struct gltf_accessor *input = &gltf->accessor[gltf_index(gltf, sampler, "input", &gltf->accessors)];
    const bool shared = output->use != GLTF_UNUSED;
    const size_t n = path->n ? path->n : 1;
    size_t part = 0;
    if (gltf->fault || !gltf_read_accessor(gltf, output, n) || !read_times(gltf, input, &part) ||
        !use_accessor(gltf, output, GLTF_FILTERED, part))
        return false;
    if (output->count % input->count > 0 || output->count == 0 || (path->n && output->count != input->count))
        return gltf_refuse(gltf, sampler, "it has %zu times, but %zu values", input->count, output->count);
    return shared || add_columns(gltf, path, node, output, output->count / input->count * n);
}

static bool read_channel(struct gltf *gltf, size_t i)
{
    const char *object = gltf->channels.element[i], *target = json_member(object, "target"),
               *name = json_member(target, "path");
    const size_t sampler = gltf_index(gltf, object, "sampler", &gltf->samplers);
    size_t k = 0;
    if (!name)
        return gltf_refuse(gltf, object, "has no \"target\" with a \"path\"");
    while (k < NPATH && !json_is(name, paths[k].name))
        k++;
    const bool known = k < NPATH && json_member(target, "node"); /* else an extension names the target */
    const size_t node = known ? gltf_index(gltf, target, "node", &gltf->nodes) : 0;
    if (gltf->fault)
        return false;
    object = gltf->samplers.element[sampler];
    const char *way = json_member(object, "interpolation");
    struct gltf_accessor *output = &gltf->accessor[gltf_index(gltf, object, "output", &gltf->accessors)];
    if (gltf->fault)
        return false;
    if (known && (!way || json_is(way, "LINEAR")))
        return read_values(gltf, object, output, &paths[k], node);
    gltf->ncopied++;
    return use_accessor(gltf, output, GLTF_UNCHANGED, 0);
}

static bool read_animations(struct gltf *gltf)
{
    const struct binary_column time = { .first = NULL };
    bool good = binary_add_column(&gltf->file, time, text_copy("time", 4), gltf->e);
    for (size_t i = 0; good && i < gltf->animations.n; i++) {
        const char *object = gltf->animations.element[i];
        gltf->animation = i;
        gltf->name = name_of(gltf, object, "animation", i);
        good = gltf->name && gltf_list(gltf, object, "samplers", &gltf->samplers) &&
               gltf_list(gltf, object, "channels", &gltf->channels);
        for (size_t k = 0; good && k < gltf->channels.n; k++)
            good = read_channel(gltf, k);
    }
    if (good && gltf->ncopied > 0)
        reader_tell(gltf->reader,
                    "%zu channel%s with STEP or CUBICSPLINE interpolation, or of an extension: "
                    "copied unchanged",
                    gltf->ncopied, error_plural(gltf->ncopied));
    if (good && gltf->file.npart == 0) {
        error_data(gltf->e, "no animation found: %s",
                   gltf->animations.n ? "no channel has LINEAR interpolation" : "the file has none");
        return error_unfilterable(gltf->e);
    }
    return good && gltf_check_overlap(gltf) && binary_make_columns(gltf->reader, gltf->e);
}

/* --- the format --- */

static bool open_gltf(struct reader *reader, struct error *e)
{
    if (!binary_open(reader, sizeof(struct gltf), e))
        return false;
    struct gltf *gltf = reader->state;
    gltf->reader = reader;
    gltf->e = e;
    if (gltf_open_file(gltf) && gltf_read_tree(gltf) && read_animations(gltf))
        return true;
    const struct json_scan scan = { .text = gltf->json, .end = gltf->fault, .at = gltf->fault };
    return gltf->fault && json_place(&scan, gltf->json, "$", e);
}

static bool finish_gltf(struct writer *writer, struct block *block, struct error *e)
{
    struct gltf *gltf = writer->reader->state;
    gltf->e = e;
    return binary_more(&gltf->file) || (gltf_correct_extremes(gltf) && gltf_write(gltf, writer, block));
}

/* Two quaternions of opposite signs are one rotation. The signs of a filter continue from row to row; a
 * rotation that did not change keeps the sign that it was read with, and so its bytes. */
static void keep_unchanged(const struct writer *writer, struct block *block, size_t column)
{
    const struct table *table = &writer->reader->table;
    double *out[4];
    const double *value[4];
    for (size_t k = 0; k < 4; k++) {
        if (writer->layout->replace[column + k] == COLUMN_NONE)
            return;
        out[k] = block_out(block, writer->layout->replace[column + k]);
        value[k] = block_value(block, table_column(table, column + k)->value);
    }
    for (size_t row = 0; row < block->nrow; row++) {
        double difference = 0; /* from the quaternion of the opposite sign */
        for (size_t k = 0; k < 4; k++)
            difference = fmax(difference, fabs(out[k][row] + value[k][row]));
        for (size_t k = 0; k < 4 && difference <= UNCHANGED; k++)
            out[k][row] = -out[k][row];
    }
}

static void print_gltf(const struct writer *writer, struct block *block)
{
    const struct table *table = &writer->reader->table;
    for (size_t i = 1; i + 3 < table->ncolumn; i++)
        if (table->column[i].joint > 0 && table->column[i].axis == 1)
            keep_unchanged(writer, block, i);
    binary_print(writer, block);
}

static bool sniff_glb(const unsigned char *head, size_t nhead)
{
    return nhead >= 4 && memcmp(head, "glTF", 4) == 0;
}

#define GLTF                                                                                                 \
    .open = open_gltf, .close = binary_close, .accept = gltf_accept, .print = print_gltf,                    \
    .finish = finish_gltf, BINARY

const struct format format_gltf = {
    .name = "gltf",
    .suffixes = (const char *const[]){ ".gltf", NULL },
    .companions = true,
    GLTF,
};

const struct format format_glb = {
    .name = "glb",
    .suffixes = (const char *const[]){ ".glb", NULL },
    .sniff = sniff_glb,
    GLTF,
};
