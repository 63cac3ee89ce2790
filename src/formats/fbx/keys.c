/* The keys of FBX curves: arrays of times, values and interpolation, deflated or not. See fbx.h. */
#include "formats/fbx/fbx.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    CONSTANT = 0x2,   /* flag of KeyAttrFlags: the value stays until the next key */
    CUBIC = 0x8,      /* flag: slopes matter */
    PIECE = 16 * 1024 /* bytes that are compared at once */
};

/* An array of a curve. */
struct keys {
    char type;            /* 'l' 64-bit integers, 'f' floats, 'i' 32-bit integers */
    size_t n;             /* number of elements */
    unsigned width;       /* bytes of an element */
    unsigned char *bytes; /* [n * width] little-endian */
    void *own;            /* owned; NULL: bytes are in the file */
};

/* Makes room for keys outside the file. */
static bool make_room(struct fbx *fbx, const struct fbx_node *node, struct keys *keys)
{
    size_t most = FBX_LEAST + FBX_INFLATE * fbx->file.nbyte, nbyte = keys->n * keys->width;
    if (nbyte > most - fbx->nkeybyte)
        return fbx_refuse(fbx, node, "the unpacked keys exceed %zu MiB, the limit for a file of this size",
                          most >> 20);
    fbx->nkeybyte += nbyte;
    keys->bytes = keys->own = malloc(nbyte + 1);
    return keys->own || error_memory(fbx->e);
}

/* Inflates a zlib stream of nbyte bytes to the n bytes at `to`. False: the stream is broken, or has another
 * length. */
static bool inflate_array(const unsigned char *from, size_t nbyte, unsigned char *to, size_t n)
{
    uLongf got = (uLongf)n;
    return uncompress(to, &got, from, (uLong)nbyte) == Z_OK && got == n;
}

/* Reads an array, whose type and width `keys` has. */
static bool read_keys(struct fbx *fbx, const struct fbx_node *node, struct keys *keys)
{
    struct fbx_value array;
    if (!fbx_value(fbx, node, 0, &array) || array.type != keys->type)
        return fbx_refuse(fbx, node, "its value is not an array of %s",
                          keys->type == 'f' ? "floats" : "integers");
    unsigned char *bytes = fbx->file.bytes + array.at;
    keys->n = array.count;
    if (!array.deflated) {
        keys->bytes = bytes;
        return array.nbyte == keys->n * keys->width ||
               fbx_refuse(fbx, node, "its array should have %zu numbers of %u bytes, but has %zu bytes",
                          keys->n, keys->width, array.nbyte);
    }
    return make_room(fbx, node, keys) &&
           (inflate_array(bytes, array.nbyte, keys->bytes, keys->n * keys->width) ||
            fbx_refuse(fbx, node, "its compressed array is damaged, or does not hold %zu numbers", keys->n));
}

/* --- interpolation --- */

/* Sets steps of a curve. KeyAttrFlags holds flags of consecutive keys, KeyAttrRefCount the number of keys
 * that have the same flags. Where the counts do not fit the keys, the last flags hold for the other keys. */
static void take_flags(struct fbx_curve *curve, const struct keys *flags, const struct keys *counts)
{
    size_t key = 0, nconstant = 0, last = curve->nkey - 1;
    for (size_t i = 0; i < flags->n && key < curve->nkey; i++) {
        uint64_t own = word_get(flags->bytes + 4 * i, 4, false),
                 n = i < counts->n ? word_get(counts->bytes + 4 * i, 4, false) : 1;
        if (i + 1 == flags->n || n > curve->nkey - key)
            n = curve->nkey - key;
        const size_t end = key + (size_t)n;
        if (own & CONSTANT && !(own & CUBIC))
            nconstant += (end < last ? end : last) - key;
        key = end;
    }
    curve->steps = nconstant > 0 && nconstant == last;
}

static bool read_flags(struct fbx *fbx, const struct fbx_node *node, struct fbx_curve *curve)
{
    struct fbx_node flags_node, counts_node;
    struct keys flags = { .type = 'i', .width = 4 }, counts = flags;
    if (!fbx_find(fbx, node, "KeyAttrFlags", &flags_node))
        return true;
    bool good = read_keys(fbx, &flags_node, &flags) &&
                (!fbx_find(fbx, node, "KeyAttrRefCount", &counts_node) ||
                 read_keys(fbx, &counts_node, &counts));
    if (good)
        take_flags(curve, &flags, &counts);
    free(flags.own);
    free(counts.own);
    return good;
}

/* --- reading --- */

bool fbx_read_keys(struct fbx *fbx, struct fbx_curve *curve)
{
    struct fbx_node node, times_node, values_node;
    struct keys times = { .type = 'l', .width = 8 }, values = { .type = 'f', .width = 4 };
    fbx_node_at(fbx, fbx->object[curve->object].at, &node);
    if (!fbx_find(fbx, &node, "KeyTime", &times_node) || !fbx_find(fbx, &node, "KeyValueFloat", &values_node))
        return fbx_refuse(fbx, &node, "it has no KeyTime or no KeyValueFloat");
    bool good = read_keys(fbx, &times_node, &times);
    curve->own_ticks = times.own;
    curve->ticks = times.bytes;
    good = good && read_keys(fbx, &values_node, &values);
    curve->own_values = values.own;
    curve->values = values.bytes;
    curve->nkey = times.n;
    if (!good)
        return false;
    if (times.n != values.n)
        return fbx_refuse(fbx, &node, "it has %zu times, but %zu values", times.n, values.n);
    return read_flags(fbx, &node, curve);
}

/* --- writing --- */

/* The level of compression in the second byte of a zlib stream, RFC 1950. */
static int level_of(unsigned char byte)
{
    static const int levels[] = { 1, 3, 6, 9 };
    return levels[byte >> 6];
}

/* Deflates the values if they changed, and corrects the length before the array. */
bool fbx_write_keys(struct fbx *fbx, const struct fbx_curve *curve)
{
    struct fbx_node node, values;
    struct fbx_value array;
    const size_t nbyte = 4 * curve->nkey;
    fbx_node_at(fbx, fbx->object[curve->object].at, &node);
    if (!fbx_find(fbx, &node, "KeyValueFloat", &values) || !fbx_value(fbx, &values, 0, &array) ||
        !array.deflated)
        return true;
    unsigned char *old = fbx->file.bytes + array.at, *before = malloc(nbyte + 1);
    if (!before)
        return error_memory(fbx->e);
    const bool same = inflate_array(old, array.nbyte, before, nbyte) &&
                      memcmp(before, curve->values, nbyte) == 0;
    free(before);
    if (same)
        return true;
    uLongf n = compressBound((uLong)nbyte);
    unsigned char *new = malloc(n);
    if (!new || compress2(new, &n, curve->values, (uLong)nbyte, level_of(old[1])) != Z_OK || n > UINT32_MAX) {
        free(new);
        return error_memory(fbx->e);
    }
    unsigned char *shorter = realloc(new, n);
    word_put(old - 4, n, 4, false);
    struct edit edit = { old, array.nbyte, (char *)(shorter ? shorter : new), n };
    return binary_edit(&fbx->file, edit, fbx->e);
}
