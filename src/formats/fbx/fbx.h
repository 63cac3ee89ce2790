/* What the files of FBX 7 share. A file is a tree of nodes: a name, values, and nodes inside; in binary
 * records (records.c) or as text (ascii.c). Objects (objects.c) are nodes with a number, and connections
 * between the numbers say which curve animates what. The keys of curves (keys.c) are arrays, which may be
 * deflated. Facts on the format: Blender Foundation, "FBX binary file format specification"
 * (code.blender.org, 2013), and the files of Maya and Blender themselves. Invariant: places of nodes and
 * values are byte offsets into file.bytes, whose structure was checked when the file was opened. */
#ifndef SPRUNG_FORMATS_FBX_FBX_H
#define SPRUNG_FORMATS_FBX_FBX_H

#include "formats/binary/binary.h"

enum {
    FBX_HEAD = 27,      /* bytes before the first record of a binary file */
    FBX_MAXDEPTH = 100, /* nodes inside each other */
    FBX_INFLATE = 64    /* keys may take so many times the bytes of the file, and FBX_LEAST bytes more */
};
#define FBX_LEAST ((size_t)64 << 20)
#define FBX_NONE  SIZE_MAX

struct fbx_node {
    size_t at;        /* where the node begins */
    const char *name; /* [nname] in the file */
    size_t nname;
    size_t values;     /* the values are from here */
    size_t values_end; /* up to here */
    size_t nvalue;     /* values of a record; 0 in text */
    size_t body;       /* the nodes inside are from here */
    size_t body_end;   /* up to here; body: there are none */
    size_t end;        /* where the node ends; 0: see fbx_each */
};

struct fbx_value {
    char type; /* 'I' whole number, 'D' other number, 'S' text; of an array f, d, l, i, b or c in a record and
                  '*' in text; '?' anything else */
    int64_t integer;  /* of 'I'; of '*': the number of elements that the text promises */
    double number;    /* of 'I' and 'D' */
    const char *text; /* [ntext] of 'S', in the file */
    size_t ntext;
    size_t count;     /* elements of an array in a record */
    bool deflated;    /* the bytes of the array are those of zlib */
    size_t at, nbyte; /* where the value is, without what tells its length */
};

enum fbx_kind { FBX_OTHER, FBX_STACK, FBX_LAYER, FBX_CURVE_NODE, FBX_CURVE, FBX_MODEL };

struct fbx_object {
    int64_t id;
    enum fbx_kind kind;
    size_t at;        /* the object's node */
    const char *name; /* [nname] without its class; in the file */
    size_t nname;
    size_t parent; /* index of the stack of a layer, the layer of a curve node, the curve node of a curve; or
                      FBX_NONE */
    size_t target; /* index of the object that a curve node animates, or FBX_NONE */
    const char *property; /* [nproperty] what the curve node animates there, "Lcl Rotation", or which part of
                             the curve node a curve is, "d|X" */
    size_t nproperty;
    size_t nlayer; /* layers of a stack */
};

/* The keys of a curve. */
struct fbx_curve {
    size_t object;       /* index of the curve */
    size_t node;         /* index of its curve node; FBX_NONE: the curve animates nothing */
    size_t layer, stack; /* indices of the curve node's */
    size_t axis;         /* 1, 2, 3: the part x, y, z of the curve node; 4: another part */
    size_t nkey;
    unsigned char *ticks;  /* [8 nkey] times of the keys, 64-bit integers, the least significant byte first */
    unsigned char *values; /* [4 nkey] 32-bit floats, the least significant byte first: in the file itself,
                              where the array is not deflated */
    float first;           /* the first value when the file was read */
    bool steps;            /* constant interpolation at all keys but the last, which has no value after it */
    bool jumps;            /* constant interpolation at some key, and another value at the next */
    bool slopes;           /* the user set slopes of keys */
    bool selected;         /* the curve is a channel of this job */
    size_t part;           /* index into binary.part; FBX_NONE: the curve passes through */
    size_t rotation;       /* number of the rotation that the curve belongs to, from 1; 0: none */
    size_t turn;           /* its place in the product of the rotation */
    unsigned char
        *rows; /* [4 nrow] values at the times of the three curves of a rotation; NULL: values has them */
    size_t nrow;
    void *own_ticks, *own_values; /* malloc'ed, or NULL */
};

/* Why messages speak of curves or rotations. */
enum fbx_note {
    FBX_NOTE_STEPS,
    FBX_NOTE_VISIBILITY,
    FBX_NOTE_FEW,
    FBX_NOTE_ALONE,
    FBX_NOTE_JUMPS,
    FBX_NOTE_SLOPES,
    FBX_NOTE_SHARED,
    FBX_NOTE_JOINED,
    FBX_NOTE_PARTIAL,
    FBX_NOTES
};

struct fbx {
    struct binary file;
    struct reader *r;
    struct error *e; /* of the function of struct format that is called */
    bool ascii;
    size_t width;  /* bytes of the three numbers at the head of a record: 4, or 8 from version 7500 on */
    size_t footer; /* the byte after the last record */
    struct fbx_object *object; /* [nobject] in the order of the file */
    size_t nobject, maxobject;
    size_t *by_id;           /* [nobject] indices, by ascending id */
    struct fbx_curve *curve; /* [ncurve] by stack, layer, curve node, axis */
    size_t ncurve;
    size_t nkeybyte;        /* bytes that keys take in memory besides the file */
    size_t nrotation;       /* rotations of three curves */
    size_t note[FBX_NOTES]; /* curves or rotations that messages speak of */
    struct edits edits;
};

/* An error about a node, or about the file where node is NULL; returns false. */
bool fbx_refuse(struct fbx *f, const struct fbx_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The nodes inside a parent, one after the other: child is zeroed first. False: there is no further node. A
 * parent of NULL is the file. */
bool fbx_each(const struct fbx *f, const struct fbx_node *parent, struct fbx_node *child);

/* The node that begins at a byte. */
void fbx_node_at(const struct fbx *f, size_t at, struct fbx_node *node);

/* The first node of that name inside a parent; false: there is none. */
bool fbx_find(const struct fbx *f, const struct fbx_node *parent, const char *name, struct fbx_node *child);

bool fbx_is(const char *text, size_t ntext, const char *word);

/* Value i of a node, from 0; false: there is none. */
bool fbx_value(const struct fbx *f, const struct fbx_node *node, size_t i, struct fbx_value *value);

/* --- records.c: the binary container --- */

/* An unsigned integer of up to 8 bytes in the file, the least significant byte first. */
uint64_t fbx_get(const unsigned char *at, size_t width);
void fbx_put(unsigned char *to, size_t width, uint64_t x);

/* Checks all records, and finds the footer. */
bool fbx_check_records(struct fbx *f);

bool fbx_each_record(const struct fbx *f, const struct fbx_node *parent, struct fbx_node *child);
void fbx_record_at(const struct fbx *f, size_t at, struct fbx_node *node);
bool fbx_record_value(const struct fbx *f, const struct fbx_node *node, size_t i, struct fbx_value *value);

/* Makes the ends of all records and the padding of the footer fit the edits, which it sorts. */
bool fbx_move_records(struct fbx *f);

/* --- ascii.c: the text container --- */

/* Checks braces and quotes. */
bool fbx_check_text(struct fbx *f);

bool fbx_each_text(const struct fbx *f, const struct fbx_node *parent, struct fbx_node *child);
void fbx_text_at(const struct fbx *f, size_t at, struct fbx_node *node);
bool fbx_text_value(const struct fbx *f, const struct fbx_node *node, size_t i, struct fbx_value *value);

/* --- objects.c --- */

/* Finds objects and connections, and sorts the curves. */
bool fbx_read_objects(struct fbx *f);

/* The order of rotation of a model: "XYZ" turns about x first; NULL: the angles are no rotation. */
const char *fbx_rotation_order(const struct fbx *f, size_t model);

/* --- keys.c --- */

/* Reads times, values and interpolation of a curve, and checks them. */
bool fbx_read_keys(struct fbx *f, struct fbx_curve *curve);

/* Adds edits for the changed values of a curve that is selected, or stores them in the file itself. */
bool fbx_write_keys(struct fbx *f, struct fbx_curve *curve);

/* The time of key i, and how many keys a second has. */
int64_t fbx_tick(const unsigned char *ticks, size_t i);
#define FBX_TICKS 46186158000.0

/* --- channels.c --- */

/* Reads the keys of all curves, and adds the columns, table by table. */
bool fbx_add_channels(struct fbx *f);

#endif
