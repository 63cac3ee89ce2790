/* Which curves of an FBX file are channels, and their tables and names. See fbx.h. */
#include "formats/fbx/fbx.h"

#include <stdlib.h>
#include <string.h>

enum {
    LEAST_KEYS = 3, /* least keys of a curve that is filtered */
    FULL_TURN = 360 /* degrees */
};

/* Does a curve animate a property of its object? */
static bool animates(const struct fbx *fbx, const struct fbx_curve *curve, const char *property)
{
    const struct fbx_object *node = &fbx->object[curve->node];
    return fbx_is(node->property, node->nproperty, property);
}

/* --- tables --- */

/* The name of an object, malloc'ed; for an object without a name WORD and the object's id. */
static char *name_of(const struct fbx *fbx, size_t object, const char *word)
{
    const struct fbx_object *fbx_object = &fbx->object[object];
    return fbx_object->nname ? text_format("%.*s", (int)fbx_object->nname, fbx_object->name)
                             : text_format("%s%lld", word, (long long)fbx_object->id);
}

/* The part of a column's name before the property, malloc'ed: STACK/OBJECT, or STACK/LAYER/OBJECT in a stack
 * of several layers. */
static char *path_of(const struct fbx *fbx, const struct fbx_curve *curve)
{
    char *stack = name_of(fbx, curve->stack, "stack"), *layer = name_of(fbx, curve->layer, "layer");
    char *object = name_of(fbx, fbx->object[curve->node].target, "object"), *path = NULL;
    bool whole = stack && layer && object;
    if (whole && fbx->object[curve->stack].nlayer > 1)
        path = text_format("%s/%s/%s", stack, layer, object);
    else if (whole)
        path = text_format("%s/%s", stack, object);
    free(stack);
    free(layer);
    free(object);
    return path;
}

/* The property of a curve node as names of columns have it; sets *n to the bytes of the property. */
static const char *property_of(const struct fbx_object *node, size_t *n)
{
    static const char *const names[][2] = { { "Lcl Translation", "translation" },
                                            { "Lcl Rotation", "rotation" },
                                            { "Lcl Scaling", "scale" } };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (fbx_is(node->property, node->nproperty, names[i][0])) {
            *n = strlen(names[i][1]);
            return names[i][1];
        }
    *n = node->nproperty;
    return node->property;
}

/* Puts n curves, which have the same times, into the table with these times, an earlier or a new table. */
static bool choose_part(struct fbx *fbx, struct fbx_curve *curve, size_t n)
{
    struct binary_part like = {
        .time = { .first = curve->ticks,
                  .stride = 8,
                  .type = { 'i', 8, false },
                  .scale = 1,
                  .divisor = FBX_TICKS },
        .nrow = curve->nkey,
        .animation = curve->stack,
    };
    char *name = name_of(fbx, curve->stack, "stack");
    const bool good = name ? binary_find_part(&fbx->file, &like, name, &curve->part, fbx->e)
                           : error_memory(fbx->e);
    free(name);
    for (size_t i = 1; i < n; i++)
        curve[i].part = curve->part;
    return good;
}

/* --- curves --- */

static bool same_times(const struct fbx_curve *a, const struct fbx_curve *b)
{
    return a->nkey == b->nkey && memcmp(a->ticks, b->ticks, 8 * a->nkey) == 0;
}

/* Are the n curves of a curve node the three angles of a rotation that is filtered as a whole? Then sets
 * *order to the order of the rotation. Notes count rotations that are not. */
static bool is_rotation(struct fbx *fbx, const struct fbx_curve *curve, size_t n, const char **order)
{
    size_t target = fbx->object[curve->node].target;
    if (!animates(fbx, curve, "Lcl Rotation") || fbx->object[target].kind != FBX_MODEL)
        return false;
    *order = fbx_rotation_order(fbx, target);
    bool whole = n == 3, filtered = false;
    for (size_t i = 0; i < n; i++) {
        whole = whole && curve[i].axis == i + 1 && !curve[i].steps && curve[i].nkey > 0;
        filtered |= !curve[i].steps && curve[i].nkey >= LEAST_KEYS;
    }
    const bool together = whole && same_times(&curve[0], &curve[1]) && same_times(&curve[0], &curve[2]);
    fbx->note[FBX_NOTE_ANGLES] += filtered && !together && *order;
    return together && filtered && *order;
}

/* Is a single curve a channel? If not, a note counts the curve. */
static bool is_channel(struct fbx *fbx, const struct fbx_curve *curve)
{
    const bool good = !animates(fbx, curve, "Visibility") && !curve->steps && curve->nkey >= LEAST_KEYS;
    fbx->note[FBX_NOTE_COPIED] += !good;
    return good;
}

/* Are two keys of an angle more than half a turn apart? */
static bool is_far(const struct fbx_curve *curve)
{
    for (size_t i = 1; i < curve->nkey; i++) {
        const double before = sample_get(curve->values + 4 * (i - 1), FBX_FLOAT);
        if (fabs(sample_get(curve->values + 4 * i, FBX_FLOAT) - before) > FULL_TURN / 2)
            return true;
    }
    return false;
}

/* Reads the n curves of a curve node, and puts them into tables. */
static bool read_node(struct fbx *fbx, struct fbx_curve *curve, size_t n)
{
    const char *order;
    for (size_t i = 0; i < n; i++)
        if (!fbx_read_keys(fbx, &curve[i]))
            return false;
    if (is_rotation(fbx, curve, n, &order)) {
        fbx->nrotation++;
        fbx->note[FBX_NOTE_FAR] += is_far(&curve[0]) || is_far(&curve[1]) || is_far(&curve[2]);
        for (size_t i = 0; i < 3; i++) {
            /* The axis that is turned about first is the last factor of the product. */
            const char *letter = strchr(order, "XYZ"[i]);
            curve[i].rotation = fbx->nrotation;
            curve[i].turn = 3 - (size_t)(letter - order);
        }
        return choose_part(fbx, curve, 3);
    }
    for (size_t i = 0; i < n; i++)
        if (is_channel(fbx, &curve[i]) && !choose_part(fbx, &curve[i], 1))
            return false;
    return true;
}

/* --- columns --- */

/* The name of a curve's column, malloc'ed: the path, the property of `node`, and the part of the property
 * that `own` has; the part is left out where it is the property itself, as for Visibility. */
static char *name_of_column(const struct fbx_curve *curve, const struct fbx_object *node,
                            const struct fbx_object *own, const char *path)
{
    size_t nproperty, nprefix = own->nproperty > 2 && memcmp(own->property, "d|", 2) == 0 ? 2 : 0;
    const char *property = property_of(node, &nproperty), *part = own->property + nprefix;
    size_t npart = own->nproperty - nprefix;
    if (curve->axis <= 3)
        return text_format("%s.%.*s.%c", path, (int)nproperty, property, " xyz"[curve->axis]);
    if (npart == node->nproperty && memcmp(part, node->property, npart) == 0)
        return text_format("%s.%.*s", path, (int)nproperty, property);
    return text_format("%s.%.*s.%.*s", path, (int)nproperty, property, (int)npart, part);
}

static bool add_column(struct fbx *fbx, size_t i)
{
    const struct fbx_curve *curve = &fbx->curve[i];
    const struct fbx_object *node = &fbx->object[curve->node], *own = &fbx->object[curve->object];
    struct binary_column where = { .first = curve->values,
                                   .stride = 4,
                                   .type = FBX_FLOAT,
                                   .scale = 1,
                                   .divisor = 1,
                                   .part = curve->part,
                                   .source = i,
                                   .joint = curve->rotation,
                                   .axis = curve->rotation ? curve->axis : 0,
                                   .turn = curve->turn };
    if (animates(fbx, curve, "Lcl Rotation") && curve->axis <= 3)
        where.period = FULL_TURN;
    if (animates(fbx, curve, "Lcl Translation") && curve->axis <= 3)
        where.vector = curve->node + 1;
    char *path = path_of(fbx, curve);
    char *name = path ? name_of_column(curve, node, own, path) : NULL;
    free(path);
    return binary_add_column(&fbx->file, where, name, fbx->e);
}

static void say_notes(const struct fbx *fbx)
{
    static const char *const words[FBX_NOTES][3] = {
        [FBX_NOTE_COPIED] = { "", "curve",
                              "copied unchanged: steps, visibility, fewer than 3 keys, or without an "
                              "object" },
        [FBX_NOTE_ANGLES] = { "", "rotation",
                              "with a missing or stepped curve, or with different key times for x, y and z: "
                              "each angle is filtered separately" },
        [FBX_NOTE_FAR] = { "warning: ", "rotation",
                           "with keys more than 180 degrees apart, filtered the short way round: add keys "
                           "between them, or filter each angle as a number: --rotations none --period 1e6" },
    };
    for (size_t i = 0; i < FBX_NOTES; i++)
        if (fbx->note[i])
            reader_tell(fbx->reader, "%s%zu %s%s %s", words[i][0], fbx->note[i], words[i][1],
                        error_plural(fbx->note[i]), words[i][2]);
}

bool fbx_add_channels(struct fbx *fbx)
{
    const struct binary_column time = { .first = NULL };
    bool good = binary_add_column(&fbx->file, time, text_copy("time", 4), fbx->e);
    for (size_t i = 0, n; good && i < fbx->ncurve; i += n) {
        n = 1;
        if (fbx->curve[i].node == FBX_NONE) {
            fbx->note[FBX_NOTE_COPIED]++;
            continue;
        }
        while (i + n < fbx->ncurve && fbx->curve[i + n].node == fbx->curve[i].node)
            n++;
        good = read_node(fbx, &fbx->curve[i], n);
    }
    if (!good)
        return false;
    say_notes(fbx);
    if (fbx->file.npart == 0) {
        error_data(fbx->e, "no animation found: %s",
                   fbx->ncurve ? "no curve has 3 or more keys with interpolation between them"
                               : "the file has no curves");
        return error_unfilterable(fbx->e);
    }
    for (size_t i = 0; good && i < fbx->ncurve; i++)
        good = fbx->curve[i].part == FBX_NONE || add_column(fbx, i);
    return good && binary_make_columns(fbx->reader, fbx->e);
}
