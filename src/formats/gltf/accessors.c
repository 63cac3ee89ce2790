/* Accessors of a glTF file: where their numbers are, and their min and max. See gltf.h. */
#include "formats/gltf/gltf.h"

#include <math.h>
#include <stdlib.h>

enum { BYTE = 5120, INT32 = 5124, UINT32, FLOAT };

/* Component types, section 3.6.2.2, and what a normalized integer is divided by, section 3.11. */
static const struct {
    enum sample_type type;
    double most;
} kinds[] = { { SAMPLE_INT8, 127 }, { SAMPLE_UINT8, 255 }, { SAMPLE_INT16, 32767 }, { SAMPLE_UINT16, 65535 },
              { SAMPLE_FLOAT, 0 },  { SAMPLE_FLOAT, 0 },   { SAMPLE_FLOAT, 0 } };

static size_t components(const char *type)
{
    static const char *const names[] = { "SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4" };
    static const size_t count[] = { 1, 2, 3, 4, 4, 9, 16 };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (gltf_is(type, names[i]))
            return count[i];
    return 0;
}

/* Where the bytes of accessor i are inside of its buffer, which may not be read yet. */
static bool locate(struct gltf *g, size_t i, struct gltf_accessor *a)
{
    const char *o = gltf_element(g, &g->accessors, i);
    uint64_t kind = gltf_count(g, o, "componentType", GLTF_REQUIRED), at = gltf_count(g, o, "byteOffset", 0);
    uint64_t count = gltf_count(g, o, "count", GLTF_REQUIRED);
    size_t view = gltf_index(g, o, "bufferView", &g->views);
    a->ncomponent = components(gltf_member(o, "type"));
    if (gltf_member(o, "sparse"))
        gltf_refuse(g, "a sparse accessor, which is not read: export it with all its elements");
    if (kind < BYTE || kind == INT32 || kind > FLOAT || a->ncomponent == 0)
        gltf_refuse(g, "its \"componentType\" or \"type\" is none of glTF 2");
    if (g->failed)
        return false;
    const char *v = gltf_element(g, &g->views, view), *extensions = gltf_member(v, "extensions");
    size_t width = sample_width(kinds[kind - BYTE].type), element = width * a->ncomponent;
    uint64_t view_at = gltf_count(g, v, "byteOffset", 0), n = gltf_count(g, v, "byteLength", GLTF_REQUIRED);
    uint64_t stride = gltf_count(g, v, "byteStride", element);
    a->buffer = gltf_index(g, v, "buffer", &g->buffers);
    if (gltf_member(extensions, "EXT_meshopt_compression") ||
        gltf_member(extensions, "KHR_meshopt_compression"))
        gltf_refuse(g, "compressed with meshoptimizer, which is not read: export it without");
    gltf_element(g, &g->accessors, i);
    if (count == 0 || stride < element || at > n || element > n - at ||
        count - 1 > (n - at - element) / stride)
        gltf_refuse(g, "its %llu elements do not fit into bufferViews[%zu]", (unsigned long long)count, view);
    else if (at % width > 0 || (view_at + at) % width > 0 || stride % width > 0)
        gltf_refuse(g, "its elements are not aligned to %zu bytes", width);
    if (g->failed)
        return false;
    a->where = (struct binary_column){ .stride = stride, .type = kinds[kind - BYTE].type, .scale = 1 };
    a->where.divisor = kinds[kind - BYTE].most;
    a->count = (size_t)count;
    a->at = (size_t)(view_at + at);
    a->nbyte = (size_t)((count - 1) * stride) + element;
    return true;
}

bool gltf_read_accessor(struct gltf *g, size_t i, size_t ncomponent)
{
    struct gltf_accessor *a = &g->accessor[i];
    if (!a->where.first) {
        if (!locate(g, i, a) || !gltf_read_buffer(g, a->buffer))
            return false;
        const struct gltf_buffer *u = &g->buffer[a->buffer];
        const char *o = gltf_element(g, &g->accessors, i), *normalized = gltf_member(o, "normalized");
        bool integer = normalized && strncmp(normalized, "true", 4) == 0;
        if (a->at > u->nbyte || a->nbyte > u->nbyte - a->at)
            return gltf_refuse(g, "its bufferView goes beyond buffers[%zu]", a->buffer);
        if (gltf_count(g, o, "componentType", 0) == UINT32 || integer != (a->where.type != SAMPLE_FLOAT))
            return gltf_refuse(g, "animations take floats and normalized integers of 8 or 16 bits");
        if (a->where.stride != a->ncomponent * sample_width(a->where.type))
            return gltf_refuse(g, "its buffer view has a \"byteStride\", which is for vertices only");
        a->where.first = u->bytes + a->at;
    }
    gltf_element(g, &g->accessors, i);
    return a->ncomponent == ncomponent ||
           gltf_refuse(g, "its elements have %zu number%s, and the animation takes %zu", a->ncomponent,
                       error_plural(a->ncomponent), ncomponent);
}

/* The bytes of an accessor. */
struct range {
    size_t at, end; /* among the bytes of all buffers */
    size_t accessor;
};

static int by_start(const void *va, const void *vb)
{
    const struct range *a = va, *b = vb;
    if (a->at != b->at)
        return (a->at > b->at) - (a->at < b->at);
    return (a->accessor > b->accessor) - (a->accessor < b->accessor);
}

/* Gives each buffer its place among the bytes of all buffers. Two buffers may be one file. */
static void place_buffers(struct gltf *g)
{
    size_t n = 0;
    for (struct gltf_buffer *u = g->buffer; u < g->buffer + g->buffers.n; u++) {
        const struct gltf_buffer *same = g->buffer;
        while (u->file && same < u &&
               (!same->file || same->st.st_dev != u->st.st_dev || same->st.st_ino != u->st.st_ino))
            same++;
        bool again = u->file && same < u && same->nbyte == u->nbyte;
        u->base = again ? same->base : n;
        n += u->bytes && !again ? u->nbyte : 0;
    }
}

bool gltf_check_overlap(struct gltf *g)
{
    size_t n = 0;
    struct range *range = malloc((g->accessors.n + 1) * sizeof *range);
    if (!range)
        return error_memory(g->e);
    place_buffers(g);
    for (size_t i = 0; i < g->accessors.n; i++) {
        struct gltf_accessor a = { 0 };
        bool good = locate(g, i, &a) && g->buffer[a.buffer].bytes;
        const struct gltf_buffer *u = &g->buffer[a.buffer];
        g->failed = false; /* one that no animation needs may have faults */
        if (good && a.at <= u->nbyte && a.nbyte <= u->nbyte - a.at)
            range[n++] = (struct range){ u->base + a.at, u->base + a.at + a.nbyte, i };
    }
    qsort(range, n, sizeof *range, by_start);
    const struct range none = { 0, 0, 0 }, *last = &none, *filtered = &none; /* those that end last so far */
    for (const struct range *own = range; own < range + n && !g->failed; own++) {
        bool filter = g->accessor[own->accessor].use == GLTF_FILTERED;
        bool shares = own->at < filtered->end || (filter && own->at < last->end);
        if (shares) {
            gltf_element(g, &g->accessors, own->at < filtered->end ? filtered->accessor : own->accessor);
            gltf_refuse(g, "it shares bytes with another accessor, and its numbers are filtered");
        }
        last = own->end > last->end ? own : last;
        filtered = filter && own->end > filtered->end ? own : filtered;
    }
    free(range);
    return !g->failed;
}

/* --- min and max --- */

/* The least or the greatest number of a component; of normalized integers that of the integers. */
static double find_extreme(const struct gltf_accessor *a, const unsigned char *first, size_t component,
                           bool greatest)
{
    double extreme = greatest ? -INFINITY : INFINITY;
    first += component * sample_width(a->where.type);
    for (size_t i = 0; i < a->count; i++) {
        double x = sample_get(first + i * a->where.stride, a->where.type, false);
        extreme = greatest ? fmax(extreme, x) : fmin(extreme, x); /* pass over NaN */
    }
    return extreme;
}

/* Is the number in the text the extreme? A float may be written with few digits. */
static bool is_extreme(const struct gltf_accessor *a, double text, double extreme)
{
    return text == extreme || (a->where.type == SAMPLE_FLOAT && (float)text == (float)extreme);
}

/* Corrects the numbers of min or max at p; those that are right stay. */
static bool correct(struct gltf *g, const struct gltf_accessor *a, const char *p, bool greatest)
{
    struct json_items items = { .count = 0 };
    if (!p || *p != '[')
        return true;
    for (size_t c = 0; c < a->ncomponent && (p = gltf_each(&items, p)); c++) {
        double x, extreme = find_extreme(a, a->where.first, c, greatest);
        const char *end = gltf_number(p, &x);
        if (!end || is_extreme(a, x, extreme) || !isfinite(extreme))
            continue;
        char *text = malloc(NUMBER_MAX + 1);
        if (text)
            text[number_print(text, extreme, &number_shortest)] = 0;
        if (!gltf_replace(g, p, (size_t)(end - p), text))
            return false;
    }
    return true;
}

bool gltf_correct_extremes(struct gltf *g)
{
    for (size_t i = 0; i < g->accessors.n; i++) {
        const struct gltf_accessor *a = &g->accessor[i];
        const char *o = gltf_element(g, &g->accessors, i);
        if (a->selected &&
            (!correct(g, a, gltf_member(o, "min"), false) || !correct(g, a, gltf_member(o, "max"), true)))
            return false;
    }
    return true;
}
