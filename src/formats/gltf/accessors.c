/* Accessors of a glTF file: places of numbers, min and max. See gltf.h. */
#include "formats/gltf/gltf.h"

#include <math.h>
#include <stdlib.h>

enum { BYTE = 5120, INT32 = 5124, FLOAT = 5126 };

/* Component types from BYTE on, section 3.6.2.2 of the specification. */
static const struct {
    struct sample_type type;
    double most; /* the number that stands for 1, section 3.11 */
} kinds[] = { { { 'i', 1, false }, 127 },   { { 'u', 1, false }, 255 }, { { 'i', 2, false }, 32767 },
              { { 'u', 2, false }, 65535 }, { { 'i', 4, false }, 1 },   { { 'u', 4, false }, 1 },
              { { 'f', 4, false }, 1 } };

/* Numbers in an element of a type; 0: the type is unknown. */
static size_t components(const char *type)
{
    static const char *const names[] = { "SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4" };
    static const size_t count[] = { 1, 2, 3, 4, 4, 9, 16 };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (json_is(type, names[i]))
            return count[i];
    return 0;
}

/* Finds the bytes of an accessor in its buffer, which need not have been read. */
static bool locate(struct gltf *gltf, struct gltf_accessor *accessor)
{
    const char *object = accessor->object, *normalized = json_member(object, "normalized");
    uint64_t kind = gltf_count(gltf, object, "componentType", GLTF_REQUIRED),
             at = gltf_count(gltf, object, "byteOffset", 0);
    uint64_t count = gltf_count(gltf, object, "count", GLTF_REQUIRED);
    size_t view = gltf_index(gltf, object, "bufferView", &gltf->views);
    accessor->ncomponent = components(json_member(object, "type"));
    if (json_member(object, "sparse"))
        gltf_refuse(gltf, object, "sparse accessors cannot be read: export without them");
    if (kind < BYTE || kind == INT32 || kind > FLOAT || accessor->ncomponent == 0)
        gltf_refuse(gltf, object, "its \"componentType\" or \"type\" is unknown");
    if (gltf->fault)
        return false;
    const char *v = gltf->views.element[view], *extensions = json_member(v, "extensions");
    size_t width = kinds[kind - BYTE].type.width, element = width * accessor->ncomponent;
    uint64_t view_at = gltf_count(gltf, v, "byteOffset", 0),
             n = gltf_count(gltf, v, "byteLength", GLTF_REQUIRED);
    uint64_t stride = gltf_count(gltf, v, "byteStride", element);
    accessor->buffer = gltf_index(gltf, v, "buffer", &gltf->buffers);
    if (json_member(extensions, "EXT_meshopt_compression") ||
        json_member(extensions, "KHR_meshopt_compression"))
        gltf_refuse(gltf, v, "compressed with meshoptimizer, which cannot be read: export without it");
    if (count == 0 || stride < element || at > n || element > n - at ||
        count - 1 > (n - at - element) / stride)
        gltf_refuse(gltf, object, "its %llu elements do not fit into bufferViews[%zu]",
                    (unsigned long long)count, view);
    if (gltf->fault)
        return false;
    accessor->where = (struct binary_column){ .stride = stride,
                                              .type = kinds[kind - BYTE].type,
                                              .scale = 1,
                                              .divisor = kinds[kind - BYTE].most,
                                              .normalized = normalized && *normalized == 't' };
    accessor->count = (size_t)count;
    accessor->at = (size_t)(view_at + at);
    accessor->nbyte = (size_t)((count - 1) * stride) + element;
    return true;
}

bool gltf_read_accessor(struct gltf *gltf, struct gltf_accessor *accessor, size_t ncomponent)
{
    const char *object = accessor->object;
    if (!accessor->where.first) {
        if (!locate(gltf, accessor) || !gltf_read_buffer(gltf, accessor->buffer))
            return false;
        const struct gltf_buffer *buffer = &gltf->buffer[accessor->buffer];
        const struct sample_type type = accessor->where.type;
        if (accessor->at > buffer->nbyte || accessor->nbyte > buffer->nbyte - accessor->at)
            return gltf_refuse(gltf, object, "its bufferView goes beyond buffers[%zu]", accessor->buffer);
        if (type.kind != 'f' && !(accessor->where.normalized && type.width < 4))
            return gltf_refuse(gltf, object,
                               "animations need floats, or normalized integers of 8 or 16 bits");
        if (accessor->where.stride != accessor->ncomponent * type.width)
            return gltf_refuse(gltf, object,
                               "its buffer view has a \"byteStride\", which is for vertices only");
        accessor->where.first = buffer->bytes + accessor->at;
    }
    return accessor->ncomponent == ncomponent ||
           gltf_refuse(gltf, object, "its elements have %zu number%s, but the animation needs %zu",
                       accessor->ncomponent, error_plural(accessor->ncomponent), ncomponent);
}

/* Orders accessors by their places. */
static int compare_places(const void *one, const void *other)
{
    const struct gltf_accessor *a = *(const struct gltf_accessor *const *)one,
                               *b = *(const struct gltf_accessor *const *)other;
    if (a->buffer != b->buffer)
        return a->buffer < b->buffer ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

bool gltf_check_overlap(struct gltf *gltf)
{
    size_t n = 0;
    const struct gltf_accessor **sorted, *reach = NULL; /* the accessor that ends last so far */
    if (!arrays_make(gltf->e, ARRAY(sorted, gltf->accessors.n + 1)))
        return false;
    for (size_t i = 0; i < gltf->accessors.n; i++) {
        struct gltf_accessor *accessor = &gltf->accessor[i];
        if (accessor->where.first || locate(gltf, accessor))
            sorted[n++] = accessor;
        gltf->fault = NULL; /* an accessor that no animation needs may have faults */
    }
    qsort(sorted, n, sizeof *sorted, compare_places);
    for (size_t i = 0; i < n && !gltf->fault; i++) {
        const struct gltf_accessor *own = sorted[i];
        const bool beside = reach && reach->buffer == own->buffer;
        const bool shares = beside && own->at < reach->at + reach->nbyte;
        if (shares && (own->use == GLTF_FILTERED || reach->use == GLTF_FILTERED))
            gltf_refuse(gltf, own->object, "it is filtered, but shares bytes with another accessor");
        if (!beside || own->at + own->nbyte > reach->at + reach->nbyte)
            reach = own;
    }
    free(sorted);
    return !gltf->fault;
}

/* --- min and max --- */

/* Corrects the wrong numbers in the array of min or max at p; NULL: no such member. Normalized integers are
 * compared as integers; a float may be written with few digits. */
static bool correct_extremes(struct gltf *gltf, const struct gltf_accessor *accessor, const char *p,
                             bool greatest)
{
    const struct sample_type type = accessor->where.type;
    struct json_items items = { .count = 0 };
    if (!p || *p != '[')
        return true;
    for (size_t c = 0; c < accessor->ncomponent && (p = json_each(&items, p)); c++) {
        double x, extreme = (double)NAN;
        for (size_t i = 0; i < accessor->count; i++) {
            const double y = sample_get(accessor->where.first + c * type.width + i * accessor->where.stride,
                                        type);
            extreme = greatest ? fmax(extreme, y) : fmin(extreme, y); /* both pass over NaN */
        }
        const char *end = gltf_number(p, &x);
        if (!end || !isfinite(extreme) || x == extreme || (type.kind == 'f' && (float)x == (float)extreme))
            continue;
        char *text = malloc(NUMBER_MAX + 1);
        if (text)
            text[number_print(text, extreme, &number_shortest)] = 0;
        if (!gltf_replace(gltf, p, (size_t)(end - p), text))
            return false;
    }
    return true;
}

bool gltf_correct_extremes(struct gltf *gltf)
{
    for (size_t i = 0; i < gltf->accessors.n; i++) {
        const struct gltf_accessor *accessor = &gltf->accessor[i];
        if (accessor->selected &&
            (!correct_extremes(gltf, accessor, json_member(accessor->object, "min"), false) ||
             !correct_extremes(gltf, accessor, json_member(accessor->object, "max"), true)))
            return false;
    }
    return true;
}
