/* CUBICSPLINE interpolation, appendix C of the specification: each value stands between two tangents, the
 * slopes of the curve before and after its time, in the unit of the value per second. See gltf.h. */
#include "formats/gltf/gltf.h"

#include "whole/spline_slopes.h"

#include <stdlib.h>

enum { TANGENT_IN, VALUE, TANGENT_OUT, OF_A_KEY };

/* A component of a key's values and tangents. */
static unsigned char *place_of(const struct gltf_accessor *accessor, size_t key, size_t which,
                               size_t component)
{
    size_t number = (key * OF_A_KEY + which) * accessor->ncubic + component;
    return (unsigned char *)accessor->where.first + number * accessor->where.type.width;
}

/* Sets T[n] to the steps between keys. */
static void read_steps(const struct binary_part *part, double *T)
{
    double before = 0;
    for (size_t key = 0; key < part->nrow; key++) {
        double time = sample_get(part->time.first + key * part->time.stride, part->time.type);
        T[key] = time - before;
        before = time;
    }
}

/* Makes the tangents of a component of the keys from `first` to end - 1, whose times are distinct. */
static bool make_tangents(const struct gltf_accessor *accessor, size_t component, const double *T,
                          size_t first, size_t end, double *slope, double *room)
{
    bool fit = true;
    for (size_t key = first; key < end; key++)
        slope[key] = sample_get(place_of(accessor, key, VALUE, component), accessor->where.type);
    if (end - first == 1)
        slope[first] = 0;
    else
        spline_slopes(T + first, slope + first, end - first, false, room);
    for (size_t key = first; key < end; key++) {
        fit &= sample_put(place_of(accessor, key, TANGENT_IN, component), accessor->where.type, slope[key]);
        fit &= sample_put(place_of(accessor, key, TANGENT_OUT, component), accessor->where.type, slope[key]);
    }
    return fit;
}

/* Has a component of a value changed? */
static bool has_changed(const struct gltf_accessor *accessor, size_t component, size_t nkey)
{
    size_t width = accessor->where.type.width;
    for (size_t key = 0; key < nkey; key++) {
        const unsigned char *now = place_of(accessor, key, VALUE, component);
        if (memcmp(now, accessor->original + (now - accessor->where.first), width) != 0)
            return true;
    }
    return false;
}

static bool correct_accessor(struct gltf *gltf, const struct gltf_accessor *accessor)
{
    const struct binary_part *part = &gltf->file.part[accessor->part];
    size_t n = (size_t)part->nrow;
    double *T = malloc(3 * n * sizeof *T), *slope = T + n, *room = slope + n;
    bool fit = true;
    if (!T)
        return error_memory(gltf->e);
    read_steps(part, T);
    for (size_t component = 0; component < accessor->ncubic; component++) {
        if (!has_changed(accessor, component, n))
            continue;
        for (size_t first = 0, end; first < n; first = end) {
            for (end = first + 1; end < n && T[end] > 0;)
                end++;
            fit &= make_tangents(accessor, component, T, first, end, slope, room);
        }
    }
    free(T);
    return fit || gltf_refuse(gltf, "a new tangent is too large for a float");
}

bool gltf_correct_tangents(struct gltf *gltf)
{
    for (size_t i = 0; i < gltf->accessors.n; i++) {
        const struct gltf_accessor *accessor = &gltf->accessor[i];
        gltf_element(gltf, &gltf->accessors, i);
        if (accessor->selected && accessor->ncubic > 0 && !correct_accessor(gltf, accessor))
            return false;
    }
    return true;
}
