/* The keys of FBX curves: arrays of times, values and interpolation, deflated or not. See fbx.h. */
#include "formats/fbx/fbx.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    CONSTANT = 0x2,    /* flag of KeyAttrFlags: the value stays until the next key */
    CUBIC = 0x8,       /* flag: slopes matter */
    PIECE = 16 * 1024, /* bytes that are compared at once */
    DENSEST = 1032     /* most bytes that a byte of deflate holds */
};

int64_t fbx_tick(const unsigned char *ticks, size_t i)
{
    return (int64_t)word_get(ticks + 8 * i, 8, false);
}

static float float_at(const unsigned char *values, size_t i)
{
    return (float)sample_get(values + 4 * i, SAMPLE_FLOAT);
}

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

/* Inflates a zlib stream of nbyte bytes to the n bytes at `to`; with `to` NULL, compares with the n bytes at
 * `same`. False: the stream is broken, has another length, or is not the same. */
static bool inflate_array(const unsigned char *from, size_t nbyte, unsigned char *to,
                          const unsigned char *same, size_t n)
{
    unsigned char piece[PIECE];
    z_stream z = { .next_in = (z_const Bytef *)from, .avail_in = (uInt)nbyte };
    size_t done = 0;
    int state = Z_OK;
    if (inflateInit(&z) != Z_OK)
        return false;
    while (state == Z_OK) {
        size_t room = n - done < PIECE ? n - done : PIECE;
        z.next_out = to && room ? to + done : piece;
        z.avail_out = (uInt)(room ? room : 1); /* without room: shows a byte too many */
        state = inflate(&z, Z_NO_FLUSH);
        size_t got = (room ? room : 1) - z.avail_out;
        if (got > n - done || (same && memcmp(piece, same + done, got) != 0))
            break;
        done += got;
        if (got == 0 && state == Z_OK && z.avail_in == 0)
            break;
    }
    inflateEnd(&z);
    return state == Z_STREAM_END && done == n;
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
    if (keys->n * keys->width / DENSEST > array.nbyte)
        return fbx_refuse(fbx, node, "its array should have %zu numbers, too many for %zu compressed bytes",
                          keys->n, array.nbyte);
    return make_room(fbx, node, keys) &&
           (inflate_array(bytes, array.nbyte, keys->bytes, NULL, keys->n * keys->width) ||
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

static bool check_times(struct fbx *fbx, const struct fbx_node *node, const struct fbx_curve *curve)
{
    int64_t before = INT64_MIN;
    for (size_t i = 0; i < curve->nkey; i++) {
        int64_t tick = fbx_tick(curve->ticks, i);
        if (tick < before)
            return fbx_refuse(fbx, node, "its times go backward: %lld after %lld, at key %zu",
                              (long long)tick, (long long)before, i + 1);
        before = tick;
    }
    return true;
}

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
    curve->first = times.n ? float_at(curve->values, 0) : 0;
    return check_times(fbx, &node, curve) && read_flags(fbx, &node, curve);
}

/* --- writing --- */

/* The level of compression in the second byte of a zlib stream, RFC 1950. */
static int level_of(unsigned char byte)
{
    static const int levels[] = { 1, 3, 6, 9 };
    return levels[byte >> 6];
}

/* Deflates changed values again, and corrects the length before the array. */
static bool deflate_values(struct fbx *fbx, const struct fbx_node *node, const struct fbx_curve *curve)
{
    struct fbx_value array;
    size_t nbyte = 4 * curve->nkey;
    if (!fbx_value(fbx, node, 0, &array) || !array.deflated)
        return true;
    unsigned char *old = fbx->file.bytes + array.at;
    if (inflate_array(old, array.nbyte, NULL, curve->values, nbyte))
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
    return edits_add(&fbx->edits, edit, fbx->e);
}

/* Stores the new first value in Default where Default was the old first value, as some programs write
 * Default. */
static bool write_default(struct fbx *fbx, const struct fbx_node *node, const struct fbx_curve *curve)
{
    struct fbx_node child;
    struct fbx_value value;
    float first = float_at(curve->values, 0);
    if (first == curve->first || !fbx_find(fbx, node, "Default", &child) ||
        !fbx_value(fbx, &child, 0, &value))
        return true;
    bool is_number = value.type == 'D' || value.type == 'I';
    if (!is_number || (float)value.number != curve->first)
        return true;
    uint64_t bits;
    double number = (double)first;
    memcpy(&bits, &number, sizeof bits);
    if (value.type == 'D' && value.nbyte == 8)
        word_put(fbx->file.bytes + value.at, bits, 8, false);
    else if (value.type == 'D')
        sample_put(fbx->file.bytes + value.at, SAMPLE_FLOAT, number);
    return true;
}

bool fbx_write_keys(struct fbx *fbx, struct fbx_curve *curve)
{
    struct fbx_node node, values;
    fbx_node_at(fbx, fbx->object[curve->object].at, &node);
    if (!fbx_find(fbx, &node, "KeyValueFloat", &values))
        return true;
    return write_default(fbx, &node, curve) && deflate_values(fbx, &values, curve);
}
