/* What the files of glTF 2.0 share. Source: the specification of Khronos,
 * registry.khronos.org/glTF/specs/2.0. The JSON text is read in place by the lexer of formats/json, since
 * every byte of the text that need not change comes out again. A value is named by its place in the text;
 * NULL: the value is absent. Invariant: the text is valid JSON. */
#ifndef SPRUNG_FORMATS_GLTF_GLTF_H
#define SPRUNG_FORMATS_GLTF_GLTF_H

#include "base/port.h"
#include "formats/binary/binary.h"
#include "formats/json/json.h"

/* An array of the document. */
struct gltf_list {
    const char **element; /* [n] places of the elements; kept with the file */
    size_t n;
};

struct gltf_buffer {
    unsigned char *bytes; /* [nbyte] with new samples where rows were printed; NULL: not read yet */
    size_t nbyte;         /* may be more than byteLength, which accessors are limited to */
    const char *uri;      /* [nuri] in the text, inside the quotes; NULL: the binary chunk */
    size_t nuri;
    char *file; /* path of the file next to this one with the bytes; NULL: the bytes are in this file */
    struct port_status st; /* status of `file` before the file was read */
    bool changed;          /* set by gltf_accept: the buffer holds filtered samples */
};

struct gltf_accessor {
    const char *object; /* its place in the text */
    enum gltf_use { GLTF_UNUSED, GLTF_TIMES, GLTF_FILTERED, GLTF_UNCHANGED } use;
    size_t part;       /* with GLTF_FILTERED: index into binary.part */
    bool selected;     /* set by gltf_accept: the numbers are a channel of this job */
    size_t count;      /* number of elements */
    size_t ncomponent; /* numbers of an element */
    struct binary_column
        where;        /* where the first numbers of the elements are; where.first NULL: not read yet */
    size_t buffer;    /* index into gltf.buffer */
    size_t at, nbyte; /* the elements are in nbyte bytes of the buffer, from byte at on */
};

struct gltf {
    struct binary file;
    struct reader *reader;
    struct error *e;   /* where the function of struct format under way puts an error */
    const char *fault; /* what *e complains of; NULL: of nothing in the text */
    const char *json;  /* [njson] the text; JSON_SLACK bytes of 0 follow */
    size_t njson;
    size_t head;        /* .glb: bytes of the file up to the end of the JSON chunk; 0: .gltf */
    unsigned char *bin; /* [nbin] .glb: the binary chunk, or NULL */
    size_t nbin;
    struct gltf_list animations, accessors, views, buffers, nodes;
    struct gltf_list samplers, channels; /* of the animation under way */
    char *name;                          /* name of the animation under way; kept with the file */
    size_t animation;                    /* index of the animation under way */
    size_t ncopied;                      /* number of channels that are copied unchanged */
    struct gltf_accessor *accessor;      /* [accessors.n] kept with the file, as buffer is */
    struct gltf_buffer *buffer;          /* [buffers.n] */
};

/* --- document.c: values by their places --- */

/* Checks the text and finds the lists of the document. */
bool gltf_read_tree(struct gltf *gltf);

/* An error about the value at `at`; only the first error counts. Returns false. */
bool gltf_refuse(struct gltf *gltf, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Makes a list of the elements of a member that is an array; without the member the list is empty. */
bool gltf_list(struct gltf *gltf, const char *object, const char *name, struct gltf_list *list);

/* A member that is a whole number up to 2^53. Without the member the result is `missing`, or an error where
 * `missing` is GLTF_REQUIRED. */
#define GLTF_REQUIRED UINT64_MAX
uint64_t gltf_count(struct gltf *gltf, const char *object, const char *name, uint64_t missing);

/* A member that is the index of an element of the list; 0 after an error. */
size_t gltf_index(struct gltf *gltf, const char *object, const char *name, const struct gltf_list *list);

/* A string of *n bytes without quotes and escapes, with a NUL, malloc'ed; empty where the value is no string.
 * NULL: out of memory. */
char *gltf_string(const char *value, size_t *n);

/* Reads the number at p into *x. Returns the place after the number, or NULL if no number is there. */
const char *gltf_number(const char *p, double *x);

/* --- buffers.c: the file, its buffers, and how they are written --- */

/* Finds the JSON and the binary chunk in the file. */
bool gltf_open_file(struct gltf *gltf);

/* Reads buffer i, unless the buffer was read before. */
bool gltf_read_buffer(struct gltf *gltf, size_t i);

/* Puts a string, malloc'ed and then kept with the file, in place of n bytes of the text. NULL as the string
 * is an out-of-memory error. */
bool gltf_replace(struct gltf *gltf, const char *at, size_t n, char *new);

/* Checks that changed buffers can be written where the output goes. */
bool gltf_accept(struct writer *writer, struct error *e);

/* After all rows: writes the changed buffers, and the file into the block. */
bool gltf_write(struct gltf *gltf, struct writer *writer, struct block *block);

/* --- accessors.c --- */

/* Reads an accessor of an animation and its buffer. Elements must have ncomponent numbers. */
bool gltf_read_accessor(struct gltf *gltf, struct gltf_accessor *accessor, size_t ncomponent);

/* Refuses a filtered accessor that shares bytes with another accessor. */
bool gltf_check_overlap(struct gltf *gltf);

/* Writes min and max of filtered accessors again, where they are not right. */
bool gltf_correct_extremes(struct gltf *gltf);

#endif
