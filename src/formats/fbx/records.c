/* The binary container of FBX: records whose heads say where the record ends. See fbx.h. */
#include "formats/fbx/fbx.h"

#include <stdlib.h>
#include <string.h>

enum {
    FOOTER_ID = 16,    /* bytes of the footer before its padding */
    FOOTER_ALIGN = 16, /* the padding ends at a multiple of FOOTER_ALIGN bytes */
    FOOTER_ZEROS = 4   /* zeros before or after the padding */
};

/* Bytes of a record before its name: end, number and bytes of the values, and the length of the name. */
static size_t head_size(const struct fbx *fbx)
{
    return 3 * fbx->width + 1;
}

/* Reads the head of the record at `at`, which must end at `limit` or before. A null record, which ends the
 * nodes inside a node, has no name and the end 0. Returns what is wrong with the record; NULL: no fault. */
static const char *read_record(const struct fbx *fbx, size_t at, size_t limit, struct fbx_node *node)
{
    const unsigned char *p = fbx->file.bytes + at;
    size_t head = head_size(fbx);
    if (limit - at < head)
        return "ends outside its parent";
    uint64_t end = word_get(p, fbx->width, false), nvalue = word_get(p + fbx->width, fbx->width, false),
             nbyte = word_get(p + 2 * fbx->width, fbx->width, false);
    *node = (struct fbx_node){ .at = at, .name = (const char *)p + head, .nname = p[head - 1] };
    node->end = (size_t)end;
    if (end == 0 && nvalue == 0 && nbyte == 0 && node->nname == 0)
        return NULL;
    if (end <= at || end > limit)
        return "ends outside its parent";
    if (node->nname > end - at || head > end - at - node->nname || nbyte > end - at - node->nname - head)
        return "is shorter than its values";
    node->nvalue = (size_t)nvalue;
    node->values = at + head + node->nname;
    node->values_end = node->values + (size_t)nbyte;
    node->body = node->values_end;
    node->body_end = node->end;
    return NULL;
}

/* How many bytes longer the edits before a place make the file. */
static size_t shift_at(const struct binary *file, const size_t *grown, const unsigned char *place)
{
    size_t low = 0, high = file->nedit;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if ((const unsigned char *)file->edit[middle].at < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? grown[low - 1] : 0;
}

/* Writes the new end of a record, and the new number of bytes of the record's values. */
static bool move_record(struct fbx *fbx, const size_t *grown, const struct fbx_node *node)
{
    unsigned char *bytes = fbx->file.bytes, *head = bytes + node->at;
    size_t before = shift_at(&fbx->file, grown, bytes + node->values),
           after = shift_at(&fbx->file, grown, bytes + node->values_end);
    uint64_t end = node->end + shift_at(&fbx->file, grown, bytes + node->end);
    if (fbx->width == 4 && end > UINT32_MAX)
        return fbx_refuse(fbx, node, "the new file would exceed 4 GiB, the limit of FBX 7.4");
    word_put(head, end, fbx->width, false);
    word_put(head + 2 * fbx->width, node->values_end - node->values + after - before, fbx->width, false);
    return true;
}

/* Walks over all records, checks the records, and finds the footer. grown: for each edit, how many bytes
 * longer the edits up to it make the file, modulo 2^64; move_record adds these bytes to each record. NULL: no
 * record is changed. */
static bool walk(struct fbx *fbx, const size_t *grown)
{
    size_t ends[FBX_MAXDEPTH], depth = 0, at = FBX_HEAD;
    struct fbx_node node = { 0 };
    for (;;) {
        size_t limit = depth ? ends[depth - 1] : fbx->file.nbyte;
        if (depth && at == limit) { /* a node without a null record at its end */
            depth--;
            continue;
        }
        const char *fault = read_record(fbx, at, limit, &node);
        if (fault)
            return fbx_refuse(fbx, NULL, "the node at byte %zu %s: the file is damaged or cut off", at,
                              fault);
        if (node.end == 0) {
            at += head_size(fbx);
            if (depth == 0)
                break;
            if (at != limit)
                return fbx_refuse(fbx, NULL,
                                  "the children of a node end at byte %zu, but the node ends at byte %zu",
                                  node.at, limit);
            depth--;
            continue;
        }
        if (grown && !move_record(fbx, grown, &node))
            return false;
        at = node.body;
        if (at == node.end)
            continue;
        if (depth == FBX_MAXDEPTH)
            return fbx_refuse(fbx, &node, "nodes are nested more than %d deep", FBX_MAXDEPTH);
        ends[depth++] = node.end;
    }
    fbx->footer = at;
    return true;
}

bool fbx_check_records(struct fbx *fbx)
{
    return walk(fbx, NULL);
}

bool fbx_each(const struct fbx *fbx, const struct fbx_node *parent, struct fbx_node *child)
{
    size_t at = FBX_HEAD, limit = fbx->file.nbyte;
    if (parent) {
        at = parent->body;
        limit = parent->body_end;
    }
    if (child->end > 0)
        at = child->end;
    return at < limit && !read_record(fbx, at, limit, child) && child->end > 0;
}

void fbx_node_at(const struct fbx *fbx, size_t at, struct fbx_node *node)
{
    read_record(fbx, at, fbx->file.nbyte, node);
}

/* --- values --- */

/* Bytes of a value that is a single number; 0: the letter stands for another kind of value. */
static unsigned scalar_width(char type)
{
    static const char letters[] = "CBYIFLD";
    static const unsigned char widths[] = { 1, 1, 2, 4, 4, 8, 8 };
    const char *at = type ? strchr(letters, type) : NULL;
    return at ? widths[at - letters] : 0;
}

static void read_scalar(const unsigned char *p, char type, unsigned width, struct fbx_value *value)
{
    uint64_t bits = word_get(p, width, false), sign = (uint64_t)1 << (8 * width - 1);
    bool real = type == 'D' || type == 'F';
    value->type = real ? 'D' : 'I';
    value->integer = real ? 0 : (int64_t)((bits ^ sign) - sign);
    value->number = real ? sample_get(p, (struct sample_type){ 'f', width, false }) : (double)value->integer;
}

/* Reads the value at a place. Returns the place after the value, or 0 if no whole value is there. */
static size_t read_value(const struct fbx *fbx, size_t at, size_t end, struct fbx_value *value)
{
    const unsigned char *p = fbx->file.bytes + at;
    *value = (struct fbx_value){ .type = '?', .at = at + 1 };
    if (at == end)
        return 0;
    size_t room = end - at - 1;
    unsigned width = scalar_width((char)*p);
    if (room < width)
        return 0;
    if (width > 0) {
        value->nbyte = width;
        read_scalar(p + 1, (char)*p, width, value);
        return at + 1 + width;
    }
    bool array = *p && strchr("fdlibc", *p);
    size_t before = array ? 12 : 4; /* bytes of the lengths */
    if ((!array && *p != 'S' && *p != 'R') || room < before)
        return 0;
    value->nbyte = (size_t)word_get(p + 1 + before - 4, 4, false);
    value->at += before;
    if (value->nbyte > room - before)
        return 0;
    if (array) {
        uint64_t encoding = word_get(p + 5, 4, false);
        value->count = (size_t)word_get(p + 1, 4, false);
        value->deflated = encoding == 1;
        value->type = encoding <= 1 ? (char)*p : '?';
    } else {
        value->text = (const char *)fbx->file.bytes + value->at;
        value->ntext = value->nbyte;
        value->type = 'S';
    }
    return value->at + value->nbyte;
}

bool fbx_value(const struct fbx *fbx, const struct fbx_node *node, size_t i, struct fbx_value *value)
{
    size_t at = node->values;
    if (i >= node->nvalue)
        return false;
    for (size_t k = 0; k <= i; k++) {
        at = read_value(fbx, at, node->values_end, value);
        if (at == 0)
            return false;
    }
    return true;
}

/* --- moving --- */

/* Number of zeros from a place to the next multiple of FOOTER_ALIGN; FOOTER_ALIGN at a multiple. */
static size_t padding(size_t at)
{
    return FOOTER_ALIGN - at % FOOTER_ALIGN;
}

/* Number of zeros after the first bytes of a footer. Blender writes FOOTER_ZEROS zeros before the padding,
 * other programs write them after the padding. */
static size_t footer_zeros(size_t footer, bool blender)
{
    size_t at = footer + FOOTER_ID;
    return FOOTER_ZEROS + padding(blender ? at + FOOTER_ZEROS : at);
}

/* Pads the footer again, which moves by `shift` bytes, if the footer was padded as Blender or other programs
 * pad. */
static bool pad_footer(struct fbx *fbx, size_t shift)
{
    const unsigned char *bytes = fbx->file.bytes;
    size_t nzero = 0, at = fbx->footer + FOOTER_ID;
    while (at < fbx->file.nbyte && nzero < fbx->file.nbyte - at && bytes[at + nzero] == 0)
        nzero++;
    for (int blender = 0; blender < 2; blender++)
        if (nzero == footer_zeros(fbx->footer, blender)) {
            size_t n = footer_zeros(fbx->footer + shift, blender);
            struct edit edit = { bytes + at, nzero, NULL, n };
            if (n == nzero)
                return true;
            edit.new = calloc(n, 1);
            return binary_edit(&fbx->file, edit, fbx->e);
        }
    return true;
}

bool fbx_move_records(struct fbx *fbx)
{
    struct binary *file = &fbx->file;
    size_t *grown = malloc((file->nedit + 1) * sizeof *grown), sum = 0;
    if (!grown)
        return error_memory(fbx->e);
    binary_sort_edits(file);
    for (size_t i = 0; i < file->nedit; i++) {
        sum += file->edit[i].nnew - file->edit[i].n;
        grown[i] = sum;
    }
    bool good = walk(fbx, grown) && pad_footer(fbx, sum);
    free(grown);
    return good;
}
