/* glTF 2.0: animations of a .gltf file, whose bytes are embedded or in another file, or of a .glb file.
 * Columns are named ANIMATION/NODE.PATH.COMPONENT; columns of an animation with the same times are one table.
 * Only samples are replaced, and in the JSON text base64, min, max and the name of the other file. See
 * gltf.h. */
#include "formats/gltf/gltf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* What a channel animates. */
static const struct path {
    const char *name;
    size_t n; /* numbers of a value; 0: as many as the mesh has targets */
} paths[] = { { "translation", 3 }, { "rotation", 4 }, { "scale", 3 }, { "weights", 0 } };
enum { NPATH = sizeof paths / sizeof *paths, TRANSLATION = 0, ROTATION = 1 };

/* A sampler whose numbers are filtered. */
struct gltf_sampler {
    const struct path *path;
    size_t node;   /* index into the document's nodes */
    size_t output; /* index into the document's accessors */
    size_t n;      /* numbers of a row */
    size_t part;   /* index into binary.part */
    size_t order;  /* number of the sampler in the animation */
};

/* The name of an element, or WORDi for an element without a name. NULL: memory is out. */
static char *name_of(struct gltf *g, const char *element, const char *word, size_t i)
{
    size_t n;
    char *name = gltf_keep(g, gltf_string(gltf_member(element, "name"), &n));
    return !name || n > 0 ? name : gltf_keep(g, text_format("%s%zu", word, i));
}

/* --- times --- */

static bool read_times(struct gltf *g, size_t input)
{
    struct gltf_accessor *accessor = &g->accessor[input];
    double last = -INFINITY;
    if (!gltf_read_accessor(g, input, 1))
        return false;
    if (accessor->use == GLTF_TIMES)
        return true;
    if (accessor->use != GLTF_UNUSED || accessor->where.type != SAMPLE_FLOAT)
        return gltf_refuse(g, accessor->use != GLTF_UNUSED ? "it holds both times and values of animations"
                                                           : "times are floats, and it holds integers");
    accessor->use = GLTF_TIMES;
    for (size_t i = 0; i < accessor->count; i++) {
        double t = sample_get(accessor->where.first + i * accessor->where.stride, SAMPLE_FLOAT, false);
        if (!isfinite(t))
            return gltf_refuse(g, "the time in row %zu is not finite", i + 1);
        if (t < last)
            return gltf_refuse(g, "its times do not ascend: %.9g after %.9g, in row %zu", t, last, i + 1);
        last = t;
    }
    return true;
}

static bool same_times(const struct gltf *g, size_t part, size_t other)
{
    const struct binary_part *a = &g->file.part[part], *b = &g->file.part[other];
    return a->ntimes == b->ntimes && memcmp(a->times, b->times, a->ntimes) == 0;
}

/* Finds or adds the table with the times of an accessor in the animation under way. */
static bool find_part(struct gltf *g, size_t input, size_t *part)
{
    const struct gltf_accessor *accessor = &g->accessor[input];
    struct binary_part like = { .time = accessor->where,
                                .nrow = accessor->count,
                                .animation = g->animation,
                                .times = accessor->where.first,
                                .ntimes = accessor->nbyte };
    size_t npart = g->file.npart;
    if (!binary_find_part(&g->file, &like, part, g->e))
        return false;
    if (*part < npart)
        return true;
    bool first = *part == 0 || g->file.part[*part - 1].animation != g->animation;
    char *name = first ? g->name : gltf_keep(g, text_format("%s, times of accessors[%zu]", g->name, input));
    g->file.part[*part].name = name;
    return name;
}

/* --- columns --- */

/* Adds a column for each of the numbers of a sampler's values. */
static bool add_columns(struct gltf *g, const struct gltf_sampler *sampler)
{
    struct columns *t = &g->r->columns;
    struct binary_column where = g->accessor[sampler->output].where;
    bool rotation = sampler->path == &paths[ROTATION];
    const char *target = name_of(g, gltf_element(g, &g->nodes, sampler->node), "node", sampler->node);
    size_t first = t->ncolumn; /* also the number of a vector */
    g->nrotation += rotation;
    where.stride = sampler->n * sample_width(where.type);
    where.source = sampler->output;
    where.part = sampler->part;
    for (size_t i = 0; target && i < sampler->n; i++) {
        char *name = sampler->path->n
                         ? text_format("%s/%s.%s.%c", g->name, target, sampler->path->name, "xyzw"[i])
                         : text_format("%s/%s.%s.%zu", g->name, target, sampler->path->name, i);
        bool good = name ? binary_add_column(g->r, name, strlen(name), where, g->e) : error_memory(g->e);
        free(name);
        if (!good)
            return false;
        if (rotation) {
            t->column[t->ncolumn - 1].joint = g->nrotation;
            t->column[t->ncolumn - 1].axis = i + 1;
        }
        if (sampler->path == &paths[TRANSLATION])
            t->column[t->ncolumn - 1].vector = first + 1;
        where.first += sample_width(where.type);
    }
    return target;
}

static int by_part(const void *va, const void *vb)
{
    const struct gltf_sampler *a = va, *b = vb;
    if (a->part != b->part)
        return (a->part > b->part) - (a->part < b->part);
    return (a->order > b->order) - (a->order < b->order);
}

/* Adds the columns of an animation, table by table. */
static bool add_animation(struct gltf *g)
{
    if (g->nsampler > 0)
        qsort(g->sampler, g->nsampler, sizeof *g->sampler, by_part);
    for (size_t i = 0; i < g->nsampler; i++)
        if (!add_columns(g, &g->sampler[i]))
            return false;
    return true;
}

/* Notes what an accessor of values is used for. Several samplers may share an accessor if the samplers have
 * the same times: the values are one set of columns. */
static bool use_accessor(struct gltf *g, size_t output, enum gltf_use use, size_t part)
{
    struct gltf_accessor *accessor = &g->accessor[output];
    if (accessor->use == GLTF_UNUSED) {
        accessor->use = use;
        accessor->part = part;
    }
    if (accessor->use == use && (use == GLTF_UNCHANGED || same_times(g, part, accessor->part)))
        return true;
    gltf_element(g, &g->accessors, output);
    gltf_refuse(g, "several samplers use it with other times, or in another way");
    return error_hint(g->e, "give each an accessor of its own");
}

static bool read_sampler(struct gltf *g, size_t sampler, const struct path *path, size_t node)
{
    const char *object = gltf_element(g, &g->samplers, sampler), *way = gltf_member(object, "interpolation");
    size_t input = gltf_index(g, object, "input", &g->accessors),
           output = gltf_index(g, object, "output", &g->accessors);
    size_t part = 0, n = path->n ? path->n : 1;
    bool step = gltf_is(way, "STEP"), cubic = gltf_is(way, "CUBICSPLINE");
    if (way && !step && !cubic && !gltf_is(way, "LINEAR"))
        gltf_refuse(g, "its \"interpolation\" is none of glTF 2");
    g->nchannel[GLTF_STEP] += step;
    g->nchannel[GLTF_CUBIC] += cubic;
    if (g->failed || step || cubic)
        return !g->failed && use_accessor(g, output, GLTF_UNCHANGED, 0);
    if (!read_times(g, input) || !find_part(g, input, &part) || !gltf_read_accessor(g, output, n))
        return false;
    bool shared = g->accessor[output].use != GLTF_UNUSED;
    g->nchannel[GLTF_SHARED] += shared;
    g->nsample += shared ? 0 : g->accessor[output].nbyte;
    if (g->nsample > g->nbyte) /* checked here, before columns are made for each component */
        return gltf_refuse(g, "it shares bytes with another accessor, and its numbers are filtered");
    if (!use_accessor(g, output, GLTF_FILTERED, part))
        return false;
    size_t nrow = g->accessor[input].count, nvalue = g->accessor[output].count;
    gltf_element(g, &g->samplers, sampler);
    if (nvalue % nrow > 0 || (path->n && nvalue != nrow))
        return gltf_refuse(g, "it has %zu times and %zu values", nrow, nvalue);
    if (shared)
        return true;
    if (!array_reserve(&g->sampler, g->nsampler + 1, &g->maxsampler, sizeof *g->sampler, g->e))
        return false;
    g->sampler[g->nsampler] = (struct gltf_sampler){ path, node,       output, path->n ? n : nvalue / nrow,
                                                     part, g->nsampler };
    g->nsampler++;
    return true;
}

static bool read_channel(struct gltf *g, size_t i)
{
    const char *object = gltf_element(g, &g->channels, i), *target = gltf_member(object, "target"),
               *name = gltf_member(target, "path");
    size_t k = 0, sampler = gltf_index(g, object, "sampler", &g->samplers);
    if (!name)
        return gltf_refuse(g, "has no \"target\" with a \"path\"");
    while (k < NPATH && !gltf_is(name, paths[k].name))
        k++;
    if (!g->failed && (k == NPATH || !gltf_member(target, "node"))) { /* an extension names the target */
        size_t output = gltf_index(g, gltf_element(g, &g->samplers, sampler), "output", &g->accessors);
        g->nchannel[GLTF_OTHER]++;
        return !g->failed && use_accessor(g, output, GLTF_UNCHANGED, 0);
    }
    size_t node = gltf_index(g, target, "node", &g->nodes);
    return !g->failed && read_sampler(g, sampler, &paths[k], node);
}

static bool read_animations(struct gltf *g)
{
    static const char *const words[] = {
        "with STEP interpolation: passed through unchanged",
        "with CUBICSPLINE interpolation, whose tangents belong to the values: passed through unchanged",
        "of an extension: passed through unchanged", "with the numbers of others, and their columns"
    };
    bool good = binary_add_column(g->r, "time", 4, (struct binary_column){ .scale = 1 }, g->e);
    for (size_t i = 0; good && i < g->animations.n; i++) {
        const char *object = gltf_element(g, &g->animations, i);
        snprintf(g->within, sizeof g->within, "animations[%zu].", i);
        g->animation = i;
        g->nsampler = 0;
        g->name = name_of(g, object, "animation", i);
        good = g->name && gltf_list(g, object, "samplers", &g->samplers) &&
               gltf_list(g, object, "channels", &g->channels);
        for (size_t k = 0; good && k < g->channels.n; k++)
            good = read_channel(g, k);
        good = good && add_animation(g);
    }
    for (size_t k = 0; good && k < GLTF_NOTES; k++)
        if (g->nchannel[k])
            messages_add(g->r->messages, g->r->source->name, "%zu channel%s %s", g->nchannel[k],
                         error_plural(g->nchannel[k]), words[k]);
    if (good && g->file.npart == 0)
        return error_data(g->e, "no animation to filter: %s",
                          g->animations.n ? "there is no channel with LINEAR interpolation"
                                          : "the file has none");
    return good && gltf_check_overlap(g);
}

/* --- the format --- */

static bool open_gltf(struct reader *r, struct error *e)
{
    if (!binary_open(r, sizeof(struct gltf), e))
        return false;
    struct gltf *g = r->state;
    g->file.row = "row";
    g->file.firstrow = 1;
    g->r = r;
    g->e = e;
    return gltf_open_file(g) && gltf_read_tree(g) && read_animations(g);
}

static bool bind_gltf(struct reader *r, struct error *e)
{
    struct gltf *g = r->state;
    for (size_t i = 1; i < r->columns.ncolumn && !r->columns.partial; i++)
        if (r->columns.column[i].role == ROLE_CHANNEL) {
            struct gltf_accessor *accessor = &g->accessor[g->file.column[i].source];
            g->buffer[accessor->buffer].changed = true;
            accessor->selected = true;
        }
    return binary_bind(r, e);
}

static void close_gltf(struct reader *r)
{
    struct gltf *g = r->state;
    if (!g)
        return;
    free(g->place);
    free(g->accessor); /* with buffer */
    free(g->sampler);
    edits_free(&g->edits);
    binary_close(r);
}

static bool finish_gltf(struct writer *w, struct block *b, struct error *e)
{
    struct gltf *g = w->reader->state;
    g->e = e;
    return binary_more(&g->file) || (gltf_correct_extremes(g) && gltf_write(g, w, b));
}

static bool sniff_glb(const unsigned char *head, size_t nhead)
{
    return nhead >= 4 && memcmp(head, "glTF", 4) == 0;
}

#define GLTF                                                                                                 \
    .family = FAMILY_BINARY, .open = open_gltf, .bind = bind_gltf, .load = binary_load,                      \
    .parse = binary_parse, .cell = binary_cell, .close = close_gltf, .next = binary_next,                    \
    .accept = gltf_accept, .print = binary_print, .finish = finish_gltf, .keeps_shape = true

const struct format format_gltf = {
    .name = "gltf",
    .suffixes = (const char *const[]){ ".gltf", NULL },
    .summary = "glTF 2.0 in JSON: animations; written only from gltf",
    .keeps =
        "Keeps all but the numbers of the filtered channels, and min and max of those. Samples in a file "
        "beside it are written to one beside the output, OUTPUT.bin. There are no derivatives in it.",
    GLTF,
};

const struct format format_glb = {
    .name = "glb",
    .suffixes = (const char *const[]){ ".glb", NULL },
    .summary = "glTF 2.0 in one binary file; written only from glb",
    .keeps = "Keeps what gltf keeps.",
    .sniff = sniff_glb,
    GLTF,
};
