/* What the parts of FBX 7 share. A file is a tree of nodes: a name, values, and nodes inside, in binary
 * records (records.c). Objects (objects.c) are nodes with a number, and connections between the numbers say
 * which curve animates what. The keys of curves (keys.c) are arrays, which may be deflated. Facts on the
 * format: Blender Foundation, "FBX binary file format specification" (code.blender.org, 2013), and the files
 * of Maya and Blender. Invariant: places of nodes and values are byte offsets into file.bytes, whose
 * structure was checked when the file was opened. */
#ifndef SPRUNG_FORMATS_FBX_FBX_H
#define SPRUNG_FORMATS_FBX_FBX_H

#include "base/name_table.h"
#include "formats/binary/binary.h"
#include "number/word.h"

enum {
    FBX_HEAD = 27,      /* bytes before the first record of a binary file */
    FBX_MAXDEPTH = 100, /* most nodes inside each other */
    FBX_INFLATE = 64    /* most bytes of keys in memory for each byte of the file, besides FBX_LEAST bytes */
};
/* Bytes of keys in memory that every file may take. */
#define FBX_LEAST ((size_t)64 << 20)
#define FBX_NONE  SIZE_MAX
#define FBX_FLOAT ((struct sample_type){ 'f', 4, false }) /* the values of keys */

struct fbx_node {
    size_t at;        /* where the node begins */
    const char *name; /* [nname] in the file */
    size_t nname;
    size_t values;     /* where the values begin */
    size_t values_end; /* after the values */
    size_t nvalue;     /* number of values */
    size_t body;       /* where the nodes inside begin */
    size_t body_end;   /* after the nodes inside; equal to body without nodes inside */
    size_t end;        /* after the node; 0: the node is zeroed, before the first call of fbx_each */
};

struct fbx_value {
    char type; /* 'I' whole number, 'D' other number, 'S' text, '?' unknown; of an array its letter: f, d, l,
                  i, b or c */
    int64_t integer;  /* of 'I': the number */
    double number;    /* of 'I' and 'D': the number */
    const char *text; /* [ntext] of 'S': the text, in the file */
    size_t ntext;
    size_t count;  /* elements of an array */
    bool deflated; /* the array is a zlib stream */
    size_t at;     /* where the value begins, after the letter and the lengths */
    size_t nbyte;  /* bytes of the value */
};

enum fbx_kind { FBX_OTHER, FBX_STACK, FBX_LAYER, FBX_CURVE_NODE, FBX_CURVE, FBX_MODEL };

struct fbx_object {
    int64_t id;
    enum fbx_kind kind;
    size_t at;        /* where the object's node begins */
    const char *name; /* [nname] in the file, without the class */
    size_t nname;
    size_t parent; /* index of the stack of a layer, the layer of a curve node, the curve node of a curve;
                      FBX_NONE: no parent */
    size_t target; /* index of the object that a curve node animates; FBX_NONE: no object */
    const char *property; /* [nproperty] of a curve node: the property of the target, "Lcl Rotation"; of a
                             curve: the part of the curve node, "d|X"; in the file */
    size_t nproperty;
    size_t nlayer; /* number of layers of a stack */
};

/* The keys of a curve. */
struct fbx_curve {
    size_t object;         /* index of the curve's object */
    size_t node;           /* index of the curve node; FBX_NONE: the curve animates nothing */
    size_t layer, stack;   /* indices of layer and stack of the curve node */
    size_t axis;           /* 1, 2, 3: the curve is the part x, y, z of the curve node; 4: another part */
    size_t nkey;           /* number of keys */
    unsigned char *ticks;  /* [8 * nkey] times of the keys: 64-bit integers, little-endian */
    unsigned char *values; /* [4 * nkey] values of the keys: 32-bit floats, little-endian; in the file itself
                              if the array is not deflated */
    bool steps;            /* constant interpolation at all keys but the last */
    size_t part;           /* index into binary.part; FBX_NONE: the curve passes through */
    size_t rotation;       /* number of the rotation that the curve belongs to, from 1; 0: no rotation */
    size_t turn;           /* place of the curve's angle in the product of the rotation */
    void *own_ticks;       /* owned; NULL: ticks are in the file */
    void *own_values;      /* owned; NULL: values are in the file */
};

/* Reasons why messages count curves or rotations. */
enum fbx_note {
    FBX_NOTE_COPIED, /* curves that are no channels */
    FBX_NOTE_ANGLES, /* rotations whose curves are missing, stepped, or have different key times */
    FBX_NOTE_FAR,    /* rotations with keys more than half a turn apart */
    FBX_NOTES
};

struct fbx {
    struct binary file;
    struct reader *reader;
    struct error *e; /* where the function of struct format under way puts an error */
    unsigned width;  /* bytes of each of the three numbers at the head of a record: 4, or 8 from version 7500
                        on */
    size_t footer;   /* the byte after the last record */
    struct fbx_object *object; /* [nobject] in the order of the file; owned */
    size_t nobject, maxobject;
    struct name_table by_id; /* finds the index of the first object with an id, by the 8 bytes of the id */
    struct fbx_curve *curve; /* [ncurve] by stack, layer, curve node, axis; owned */
    size_t ncurve;
    size_t nkeybyte;        /* bytes of keys and flags that were made outside the file */
    size_t nrotation;       /* number of rotations of three curves */
    size_t note[FBX_NOTES]; /* number of curves or rotations for each reason */
};

/* An error about a node, or about the file where node is NULL. Returns false. */
bool fbx_refuse(struct fbx *fbx, const struct fbx_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The nodes inside a parent, or at the top of the file where parent is NULL, in order: each call moves child
 * to the next node. child is zeroed before the first call. False: no node follows. */
bool fbx_each(const struct fbx *fbx, const struct fbx_node *parent, struct fbx_node *child);

/* The node that begins at a byte. */
void fbx_node_at(const struct fbx *fbx, size_t at, struct fbx_node *node);

/* Sets *child to the first node with a name inside a parent. False: no node has the name. */
bool fbx_find(const struct fbx *fbx, const struct fbx_node *parent, const char *name, struct fbx_node *child);

/* Is the text equal to the word? */
bool fbx_is(const char *text, size_t ntext, const char *word);

/* Sets *value to value i of a node, from 0. False: the node has fewer values. */
bool fbx_value(const struct fbx *fbx, const struct fbx_node *node, size_t i, struct fbx_value *value);

/* --- records.c: the binary container --- */

/* Checks all records, and finds the footer. */
bool fbx_check_records(struct fbx *fbx);

/* Makes the ends of all records and the padding of the footer fit the edits. */
bool fbx_move_records(struct fbx *fbx);

/* --- objects.c --- */

/* Finds objects and connections, and sorts the curves. */
bool fbx_read_objects(struct fbx *fbx);

/* The order of rotation of a model: "XYZ" turns about x first. NULL: the angles are no rotation. */
const char *fbx_rotation_order(const struct fbx *fbx, size_t model);

/* --- keys.c --- */

/* Reads times, values and interpolation of a curve, and checks them. */
bool fbx_read_keys(struct fbx *fbx, struct fbx_curve *curve);

/* Adds an edit for the changed values of a curve; values that are in the file itself are stored there. */
bool fbx_write_keys(struct fbx *fbx, const struct fbx_curve *curve);

/* The number of ticks in a second. */
#define FBX_TICKS 46186158000.0

/* --- channels.c --- */

/* Reads the keys of all curves, and adds the columns, table by table. */
bool fbx_add_channels(struct fbx *fbx);

#endif
