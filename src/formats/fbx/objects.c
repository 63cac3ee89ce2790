/* Objects of an FBX file, what connects them, and which curve animates what. See fbx.h. */
#include "formats/fbx/fbx.h"

#include <stdlib.h>
#include <string.h>

bool fbx_each(const struct fbx *f, const struct fbx_node *parent, struct fbx_node *child)
{
    return (f->ascii ? fbx_each_text : fbx_each_record)(f, parent, child);
}

void fbx_node_at(const struct fbx *f, size_t at, struct fbx_node *node)
{
    (f->ascii ? fbx_text_at : fbx_record_at)(f, at, node);
}

bool fbx_value(const struct fbx *f, const struct fbx_node *node, size_t i, struct fbx_value *value)
{
    return (f->ascii ? fbx_text_value : fbx_record_value)(f, node, i, value);
}

bool fbx_is(const char *text, size_t ntext, const char *word)
{
    return strlen(word) == ntext && memcmp(text, word, ntext) == 0;
}

bool fbx_find(const struct fbx *f, const struct fbx_node *parent, const char *name, struct fbx_node *child)
{
    *child = (struct fbx_node){ 0 };
    while (fbx_each(f, parent, child))
        if (fbx_is(child->name, child->nname, name))
            return true;
    return false;
}

/* --- objects --- */

static enum fbx_kind kind_of(const struct fbx_node *node)
{
    static const struct {
        const char *name;
        enum fbx_kind kind;
    } kinds[] = {
        { "AnimationStack", FBX_STACK },
        { "AnimationLayer", FBX_LAYER },
        { "AnimationCurveNode", FBX_CURVE_NODE },
        { "AnimationCurve", FBX_CURVE },
        { "Model", FBX_MODEL },
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (fbx_is(node->name, node->nname, kinds[i].name))
            return kinds[i].kind;
    return FBX_OTHER;
}

/* A record has `walk\0\1AnimStack`, text `AnimStack::walk`: the object's own name is walk. */
static void take_name(const struct fbx *f, const struct fbx_value *value, struct fbx_object *object)
{
    object->name = value->text;
    object->nname = value->ntext;
    if (f->ascii) {
        for (size_t i = 0; i + 1 < value->ntext; i++)
            if (value->text[i] == ':' && value->text[i + 1] == ':') {
                object->name += i + 2;
                object->nname -= i + 2;
                return;
            }
        return;
    }
    const char *end = value->ntext ? memchr(value->text, 0, value->ntext) : NULL;
    if (end)
        object->nname = (size_t)(end - value->text);
}

static bool add_object(struct fbx *f, const struct fbx_node *node)
{
    struct fbx_value id, name;
    if (!fbx_value(f, node, 0, &id) || id.type != 'I') /* such a node is no object of FBX 7 */
        return true;
    if (!array_reserve(&f->object, f->nobject + 1, &f->maxobject, sizeof *f->object, f->e))
        return false;
    struct fbx_object *object = &f->object[f->nobject++];
    *object = (struct fbx_object){ .id = id.integer, .kind = kind_of(node), .at = node->at, .name = "" };
    object->parent = object->target = FBX_NONE;
    if (fbx_value(f, node, 1, &name) && name.type == 'S')
        take_name(f, &name, object);
    f->ncurve += object->kind == FBX_CURVE;
    return true;
}

struct numbered {
    int64_t id;
    size_t object;
};

static int by_number(const void *va, const void *vb)
{
    const struct numbered *a = va, *b = vb;
    if (a->id != b->id)
        return (a->id > b->id) - (a->id < b->id);
    return (a->object > b->object) - (a->object < b->object);
}

static bool sort_objects(struct fbx *f)
{
    struct numbered *all = malloc((f->nobject + 1) * sizeof *all);
    bool good = all && arrays_make(f->e, ARRAY(f->by_id, f->nobject + 1));
    for (size_t i = 0; good && i < f->nobject; i++)
        all[i] = (struct numbered){ f->object[i].id, i };
    if (good)
        qsort(all, f->nobject, sizeof *all, by_number);
    for (size_t i = 0; good && i < f->nobject; i++)
        f->by_id[i] = all[i].object;
    free(all);
    return good || error_memory(f->e);
}

/* The first object of that number, or NULL. */
static struct fbx_object *object_of(const struct fbx *f, int64_t id)
{
    size_t low = 0, high = f->nobject;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (f->object[f->by_id[middle]].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < f->nobject && f->object[f->by_id[low]].id == id ? &f->object[f->by_id[low]] : NULL;
}

/* --- connections --- */

/* Notes what a connection says of animations. A connection leads from a curve to a curve node, from a curve
 * node to a layer and to what it animates, from a layer to a stack, so that no circle can matter. Of several
 * of a kind the first counts. */
static void connect(struct fbx *f, const struct fbx_node *node)
{
    struct fbx_value way, from, to, property;
    if (!fbx_value(f, node, 0, &way) || way.type != 'S' || !fbx_value(f, node, 1, &from) ||
        from.type != 'I' || !fbx_value(f, node, 2, &to) || to.type != 'I')
        return;
    bool of_property = fbx_is(way.text, way.ntext, "OP");
    if (of_property ? !fbx_value(f, node, 3, &property) || property.type != 'S'
                    : !fbx_is(way.text, way.ntext, "OO"))
        return;
    struct fbx_object *child = object_of(f, from.integer), *parent = object_of(f, to.integer);
    if (!child || !parent)
        return;
    size_t at = (size_t)(parent - f->object);
    bool layer = !of_property && child->kind == FBX_LAYER && parent->kind == FBX_STACK,
         in_layer = !of_property && child->kind == FBX_CURVE_NODE && parent->kind == FBX_LAYER,
         curve = of_property && child->kind == FBX_CURVE && parent->kind == FBX_CURVE_NODE,
         animates = of_property && child->kind == FBX_CURVE_NODE && parent->kind != FBX_CURVE_NODE &&
                    parent->kind != FBX_CURVE;
    if (curve && child->parent != FBX_NONE)
        f->note[FBX_NOTE_SHARED]++;
    if ((layer || in_layer || curve) && child->parent == FBX_NONE) {
        child->parent = at;
        parent->nlayer += layer;
    } else if (animates && child->target == FBX_NONE) {
        child->target = at;
    } else {
        return;
    }
    if (of_property) {
        child->property = property.text;
        child->nproperty = property.ntext;
    }
}

/* --- curves --- */

static size_t axis_of(const struct fbx_object *curve)
{
    static const char *const parts[] = { "d|X", "d|Y", "d|Z" };
    for (size_t i = 0; i < 3; i++)
        if (fbx_is(curve->property, curve->nproperty, parts[i]))
            return i + 1;
    return 4;
}

/* Follows the connections of a curve up to a stack. */
static void place_curve(const struct fbx *f, struct fbx_curve *curve)
{
    const struct fbx_object *object = f->object, *own = &object[curve->object];
    curve->node = curve->layer = curve->stack = curve->part = FBX_NONE;
    if (own->parent == FBX_NONE)
        return;
    const struct fbx_object *node = &object[own->parent];
    if (node->target == FBX_NONE || node->parent == FBX_NONE || object[node->parent].parent == FBX_NONE)
        return;
    curve->node = own->parent;
    curve->layer = node->parent;
    curve->stack = object[node->parent].parent;
    curve->axis = axis_of(own);
}

static int by_place(const void *va, const void *vb)
{
    const struct fbx_curve *a = va, *b = vb;
    const size_t keys[][2] = { { a->stack, b->stack },
                               { a->layer, b->layer },
                               { a->node, b->node },
                               { a->axis, b->axis },
                               { a->object, b->object } };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] > keys[i][1] ? 1 : -1;
    return 0;
}

static bool collect_curves(struct fbx *f)
{
    size_t n = 0;
    if (!arrays_make(f->e, ARRAY(f->curve, f->ncurve + 1)))
        return false;
    for (size_t i = 0; i < f->nobject; i++)
        if (f->object[i].kind == FBX_CURVE) {
            f->curve[n].object = i;
            place_curve(f, &f->curve[n++]);
        }
    qsort(f->curve, n, sizeof *f->curve, by_place);
    return true;
}

bool fbx_read_objects(struct fbx *f)
{
    struct fbx_node top = { 0 };
    while (fbx_each(f, NULL, &top)) {
        struct fbx_node node = { 0 };
        while (fbx_is(top.name, top.nname, "Objects") && fbx_each(f, &top, &node))
            if (!add_object(f, &node))
                return false;
    }
    if (!sort_objects(f))
        return false;
    top = (struct fbx_node){ 0 };
    while (fbx_each(f, NULL, &top)) {
        struct fbx_node node = { 0 };
        while (fbx_is(top.name, top.nname, "Connections") && fbx_each(f, &top, &node))
            if (fbx_is(node.name, node.nname, "C"))
                connect(f, &node);
    }
    return collect_curves(f);
}

const char *fbx_rotation_order(const struct fbx *f, size_t model)
{
    static const char *const orders[] = { "XYZ", "XZY", "YZX", "YXZ", "ZXY", "ZYX" };
    struct fbx_node node, properties, property = { 0 };
    struct fbx_value name, order;
    fbx_node_at(f, f->object[model].at, &node);
    if (!fbx_find(f, &node, "Properties70", &properties))
        return orders[0];
    while (fbx_each(f, &properties, &property)) {
        if (!fbx_value(f, &property, 0, &name) || !fbx_is(name.text, name.ntext, "RotationOrder"))
            continue;
        if (!fbx_value(f, &property, 4, &order) || order.type != 'I')
            return orders[0];
        return order.integer >= 0 && order.integer < 6 ? orders[order.integer] : NULL;
    }
    return orders[0];
}
