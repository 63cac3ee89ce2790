/* Objects and connections of an FBX file: which curve animates which property of which object. See fbx.h. */
#include "formats/fbx/fbx.h"

#include <stdlib.h>
#include <string.h>

bool fbx_is(const char *text, size_t ntext, const char *word)
{
    return strlen(word) == ntext && memcmp(text, word, ntext) == 0;
}

bool fbx_find(const struct fbx *fbx, const struct fbx_node *parent, const char *name, struct fbx_node *child)
{
    *child = (struct fbx_node){ 0 };
    while (fbx_each(fbx, parent, child))
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

/* Takes the name without the class: the stack walk is named `walk\0\1AnimStack`. */
static void take_name(const struct fbx_value *value, struct fbx_object *object)
{
    object->name = value->text;
    object->nname = value->ntext;
    const char *end = value->ntext ? memchr(value->text, 0, value->ntext) : NULL;
    if (end)
        object->nname = (size_t)(end - value->text);
}

static bool add_object(struct fbx *fbx, const struct fbx_node *node)
{
    struct fbx_value id, name;
    if (!fbx_value(fbx, node, 0, &id) || id.type != 'I') /* not an object of FBX 7 */
        return true;
    if (!array_reserve(&fbx->object, fbx->nobject + 1, &fbx->maxobject, sizeof *fbx->object, fbx->e))
        return false;
    struct fbx_object *object = &fbx->object[fbx->nobject++];
    *object = (struct fbx_object){ .id = id.integer, .kind = kind_of(node), .at = node->at, .name = "" };
    object->parent = object->target = FBX_NONE;
    if (fbx_value(fbx, node, 1, &name) && name.type == 'S')
        take_name(&name, object);
    fbx->ncurve += object->kind == FBX_CURVE;
    return true;
}

static struct name_key key_of(const int64_t *id)
{
    return name_key((const char *)id, sizeof *id);
}

/* Puts the objects into by_id. The first of several objects with the same id counts. */
static bool index_objects(struct fbx *fbx)
{
    for (size_t i = 0; i < fbx->nobject; i++) {
        struct name_key key = key_of(&fbx->object[i].id);
        bool known = name_table_find(&fbx->by_id, key) != NAME_TABLE_NONE;
        if (!known && !name_table_put(&fbx->by_id, key, i, fbx->e))
            return false;
    }
    return true;
}

/* The first object with an id; NULL: no object has the id. */
static struct fbx_object *object_of(const struct fbx *fbx, int64_t id)
{
    size_t i = name_table_find(&fbx->by_id, key_of(&id));
    return i == NAME_TABLE_NONE ? NULL : &fbx->object[i];
}

/* --- connections --- */

/* The two objects of a connection. */
struct connection {
    struct fbx_object *child, *parent;
    bool to_property;          /* the connection leads to a property of the parent */
    struct fbx_value property; /* with to_property: name of the property of the parent */
};

/* Reads `C: "OO", child, parent` or `C: "OP", child, parent, property`. False: the connection is of another
 * kind, or of unknown objects. */
static bool read_connection(const struct fbx *fbx, const struct fbx_node *node, struct connection *connection)
{
    struct fbx_value way, from, to;
    if (!fbx_value(fbx, node, 0, &way) || way.type != 'S')
        return false;
    if (!fbx_value(fbx, node, 1, &from) || from.type != 'I' || !fbx_value(fbx, node, 2, &to) ||
        to.type != 'I')
        return false;
    connection->to_property = fbx_is(way.text, way.ntext, "OP");
    if (!connection->to_property && !fbx_is(way.text, way.ntext, "OO"))
        return false;
    if (connection->to_property &&
        (!fbx_value(fbx, node, 3, &connection->property) || connection->property.type != 'S'))
        return false;
    connection->child = object_of(fbx, from.integer);
    connection->parent = object_of(fbx, to.integer);
    return connection->child && connection->parent;
}

/* Stores a connection of an animation: of a layer to its stack, of a curve node to its layer and to the
 * object that the curve node animates, of a curve to its curve node. Each connection leads to an object of
 * another kind, so that a circle of connections does no harm. The first of several connections of one kind
 * counts. Returns true. */
static bool connect(struct fbx *fbx, const struct fbx_node *node)
{
    struct connection connection;
    if (!fbx_is(node->name, node->nname, "C") || !read_connection(fbx, node, &connection))
        return true;
    struct fbx_object *child = connection.child, *parent = connection.parent;
    size_t index = (size_t)(parent - fbx->object);
    bool layer_of_stack = !connection.to_property && child->kind == FBX_LAYER && parent->kind == FBX_STACK;
    bool node_of_layer = !connection.to_property && child->kind == FBX_CURVE_NODE &&
                         parent->kind == FBX_LAYER;
    bool curve_of_node = connection.to_property && child->kind == FBX_CURVE && parent->kind == FBX_CURVE_NODE;
    bool animates = connection.to_property && child->kind == FBX_CURVE_NODE &&
                    parent->kind != FBX_CURVE_NODE && parent->kind != FBX_CURVE;
    if ((layer_of_stack || node_of_layer || curve_of_node) && child->parent == FBX_NONE) {
        child->parent = index;
        parent->nlayer += layer_of_stack;
    } else if (animates && child->target == FBX_NONE) {
        child->target = index;
    } else {
        return true;
    }
    if (connection.to_property) {
        child->property = connection.property.text;
        child->nproperty = connection.property.ntext;
    }
    return true;
}

/* --- curves --- */

/* The axis of a curve, as in struct fbx_curve. */
static size_t axis_of(const struct fbx_object *curve)
{
    static const char *const parts[] = { "d|X", "d|Y", "d|Z" };
    for (size_t i = 0; i < 3; i++)
        if (fbx_is(curve->property, curve->nproperty, parts[i]))
            return i + 1;
    return 4;
}

/* Follows the connections of a curve up to a stack. */
static void place_curve(const struct fbx *fbx, struct fbx_curve *curve)
{
    const struct fbx_object *object = fbx->object, *own = &object[curve->object];
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

static int compare_curves(const void *va, const void *vb)
{
    const struct fbx_curve *a = va, *b = vb;
    const size_t place_a[] = { a->stack, a->layer, a->node, a->axis, a->object };
    const size_t place_b[] = { b->stack, b->layer, b->node, b->axis, b->object };
    for (size_t i = 0; i < sizeof place_a / sizeof *place_a; i++)
        if (place_a[i] != place_b[i])
            return place_a[i] > place_b[i] ? 1 : -1;
    return 0;
}

/* Makes fbx->curve of the objects that are curves, and sorts the curves. */
static bool collect_curves(struct fbx *fbx)
{
    size_t n = 0;
    if (!arrays_make(fbx->e, ARRAY(fbx->curve, fbx->ncurve + 1)))
        return false;
    for (size_t i = 0; i < fbx->nobject; i++)
        if (fbx->object[i].kind == FBX_CURVE) {
            fbx->curve[n].object = i;
            place_curve(fbx, &fbx->curve[n++]);
        }
    qsort(fbx->curve, n, sizeof *fbx->curve, compare_curves);
    return true;
}

/* Calls `take` for each node inside the top-level nodes with a name. False: a call returned false. */
static bool each_in(struct fbx *fbx, const char *name,
                    bool (*take)(struct fbx *fbx, const struct fbx_node *node))
{
    struct fbx_node top = { 0 };
    while (fbx_each(fbx, NULL, &top)) {
        struct fbx_node node = { 0 };
        if (!fbx_is(top.name, top.nname, name))
            continue;
        while (fbx_each(fbx, &top, &node))
            if (!take(fbx, &node))
                return false;
    }
    return true;
}

bool fbx_read_objects(struct fbx *fbx)
{
    return each_in(fbx, "Objects", add_object) && index_objects(fbx) &&
           each_in(fbx, "Connections", connect) && collect_curves(fbx);
}

const char *fbx_rotation_order(const struct fbx *fbx, size_t model)
{
    static const char *const orders[] = { "XYZ", "XZY", "YZX", "YXZ", "ZXY", "ZYX" };
    struct fbx_node node, properties, property = { 0 };
    struct fbx_value name, order;
    fbx_node_at(fbx, fbx->object[model].at, &node);
    if (!fbx_find(fbx, &node, "Properties70", &properties))
        return orders[0];
    while (fbx_each(fbx, &properties, &property)) {
        if (!fbx_value(fbx, &property, 0, &name) || !fbx_is(name.text, name.ntext, "RotationOrder"))
            continue;
        if (!fbx_value(fbx, &property, 4, &order) || order.type != 'I')
            return orders[0];
        return order.integer >= 0 && order.integer < 6 ? orders[order.integer] : NULL;
    }
    return orders[0];
}
