/* What the files of glTF 2.0 share; the specification is that of Khronos,
 * registry.khronos.org/glTF/specs/2.0. The JSON text is read in place by the lexer of formats/json, since
 * every byte of it that need not change comes out again. Invariant: a place in the text is that of a value in
 * valid JSON; NULL: there is none. */
#ifndef SPRUNG_FORMATS_GLTF_GLTF_H
#define SPRUNG_FORMATS_GLTF_GLTF_H

#include "formats/binary/binary.h"
#include "formats/json/json.h"

#include <sys/stat.h>

/* An array of the document: the places of its n elements are in gltf.place, from first on. */
struct gltf_list {
    size_t first, n;
    char name[48]; /* for errors: "animations[0].samplers" */
};

struct gltf_buffer {
    unsigned char *bytes; /* [nbyte] with new samples where rows were printed; NULL: not read yet */
    size_t nbyte;         /* bytes that there are; accessors use byteLength of them */
    const char *uri;      /* inside the quotes; NULL: the binary chunk */
    size_t nuri;
    size_t nfill;   /* of base64, which ends the URI: = after the letters */
    char *file;     /* of another file: its path */
    struct stat st; /* when it was read */
    bool changed;   /* a filtered sample is in it */
    size_t base;    /* for gltf_check_overlap */
};

struct gltf_accessor {
    enum gltf_use { GLTF_UNUSED, GLTF_TIMES, GLTF_FILTERED, GLTF_UNCHANGED } use;
    size_t part;                /* of filtered numbers: index into binary.part */
    bool selected;              /* the numbers are those of a channel of this job */
    size_t count, ncomponent;   /* elements, and numbers of each */
    struct binary_column where; /* of the first component */
    size_t buffer, at, nbyte;   /* its bytes, from the first to the last of an element */
};

/* Why messages speak of a channel. */
enum { GLTF_STEP, GLTF_CUBIC, GLTF_OTHER, GLTF_SHARED, GLTF_NOTES };

struct gltf {
    struct binary file;
    struct reader *r;
    struct error *e; /* of the function of struct format that is called */
    bool failed;     /* *e was set */
    char where[64];  /* what is being read, as errors name it: "accessors[3]" */
    const char *json;
    size_t njson;       /* without what is around it; JSON_SLACK bytes of 0 follow */
    size_t head;        /* .glb: bytes of the file up to the end of the JSON chunk; 0: .gltf */
    unsigned char *bin; /* .glb: its binary chunk, or NULL */
    size_t nbin;
    char within[36];    /* where lists are found: "animations[0]." or "" */
    const char **place; /* of the elements of all lists; owned */
    size_t nplace, maxplace;
    struct gltf_list animations, accessors, views, buffers, nodes;
    struct gltf_list samplers, channels; /* of the animation that is being read, */
    char *name;                          /* its name, */
    size_t animation;                    /* and its index */
    size_t nchannel[GLTF_NOTES];         /* channels that messages speak of, by the reason */
    struct gltf_accessor *accessor;      /* [accessors.n] */
    struct gltf_buffer *buffer;          /* [buffers.n] */
    struct gltf_sampler *sampler;        /* [nsampler] of the animation: those that are filtered */
    size_t nsampler, maxsampler;
    size_t nrotation;   /* sets of columns that are rotations */
    size_t nbyte;       /* bytes of the buffers that were read */
    size_t nsample;     /* bytes of filtered numbers */
    struct edits edits; /* of the text */
};

/* --- tree.c: values by their places --- */

/* Checks the text and finds the lists at its top. */
bool gltf_read_tree(struct gltf *g);

/* An error about what is being read, unless there was one; returns false. */
bool gltf_refuse(struct gltf *g, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns p, malloc'ed, which is freed with the file; NULL and an error where memory is or was out. */
void *gltf_keep(struct gltf *g, void *p);

/* The first value in an array or object at p, and the next ones. items is zeroed first. */
const char *gltf_each(struct json_items *items, const char *p);

const char *gltf_member(const char *object, const char *name);
bool gltf_list(struct gltf *g, const char *object, const char *name, struct gltf_list *list);

/* An element of a list, which is being read from now on. */
const char *gltf_element(struct gltf *g, const struct gltf_list *list, size_t i);

/* A member that is a whole number up to 2^53. Without one: missing, or an error if that is GLTF_REQUIRED. */
#define GLTF_REQUIRED UINT64_MAX
uint64_t gltf_count(struct gltf *g, const char *object, const char *name, uint64_t missing);

/* A member that is the index of an element of the list; 0 after an error. */
size_t gltf_index(struct gltf *g, const char *object, const char *name, const struct gltf_list *list);

/* A string without quotes and escapes, malloc'ed, with a NUL; empty where the value is none. NULL: memory. */
char *gltf_string(const char *value, size_t *n);
bool gltf_is(const char *value, const char *word);

/* The number at p, and the place behind it, or NULL. */
const char *gltf_number(const char *p, double *x);

/* --- buffers.c: the file, its buffers, and how they are written --- */

/* Finds the JSON and the binary chunk in the file. */
bool gltf_open_file(struct gltf *g);

/* Reads buffer i, unless it was. */
bool gltf_read_buffer(struct gltf *g, size_t i);

/* Puts a string, malloc'ed and taken, in place of n bytes of the text; NULL: memory was out. */
bool gltf_replace(struct gltf *g, const char *at, size_t n, char *new);

/* Checks that changed buffers can be written where the output goes, and after all rows writes them. */
bool gltf_accept(struct writer *w, struct error *e);
bool gltf_write(struct gltf *g, struct writer *w, struct block *b);

/* --- accessors.c --- */

/* Reads accessor i, which an animation needs, with its bytes; its elements have ncomponent numbers. */
bool gltf_read_accessor(struct gltf *g, size_t i, size_t ncomponent);

/* Refuses a filtered accessor that shares bytes with another. */
bool gltf_check_overlap(struct gltf *g);

/* Writes min and max of changed accessors anew, where they have changed. */
bool gltf_correct_extremes(struct gltf *g);

#endif
