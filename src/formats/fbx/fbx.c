/* FBX 7: the animation curves of a file of Maya, Blender, MotionBuilder and other programs, binary or as
 * text. Columns are named STACK/OBJECT.PROPERTY.COMPONENT; curves of a stack with keys at the same times are
 * one table. Only the values of keys are replaced, and with them the lengths of deflated arrays and the ends
 * of records. See fbx.h. */
#include "formats/fbx/fbx.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION_LONG = 7500, VERSION_LEAST = 7000, VERSION_MOST = 7999, ENDIAN_BYTE = 22, VERSION_BYTE = 23 };

static const char magic[] = "Kaydara FBX Binary  ", text_magic[] = "; FBX ";
enum { NMAGIC = sizeof magic - 1, NTEXT_MAGIC = sizeof text_magic - 1 };

bool fbx_refuse(struct fbx *f, const struct fbx_node *node, const char *format, ...)
{
    char text[sizeof f->e->text], where[sizeof f->e->column];
    struct fbx_value id;
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    error_data(f->e, "%s", text);
    if (!node)
        return false;
    if (node->nname == 0 && !f->ascii)
        snprintf(where, sizeof where, "node at byte %zu", node->at);
    else if (node->nname > 0 && fbx_value(f, node, 0, &id) && id.type == 'I')
        snprintf(where, sizeof where, "%.*s %lld", (int)(node->nname < 64 ? node->nname : 64), node->name,
                 (long long)id.integer);
    else
        snprintf(where, sizeof where, "%.*s", (int)(node->nname < 64 ? node->nname : 64), node->name);
    error_column(f->e, where);
    return f->ascii ? error_place(f->e, 1 + block_count((const char *)f->file.bytes, node->at, '\n')) : false;
}

/* --- versions --- */

static bool refuse_version(struct fbx *f, unsigned long version)
{
    if (version >= VERSION_LEAST && version <= VERSION_MOST)
        return true;
    error_data(f->e, "FBX %lu.%lu: only FBX 7 is read", version / 1000, version / 100 % 10);
    return error_hint(f->e,
                      "export it as FBX 7, which programs also call FBX 2011 to FBX 2020; Autodesk's FBX "
                      "Converter and Blender turn one into the other");
}

static bool open_binary(struct fbx *f)
{
    const unsigned char *bytes = f->file.bytes;
    if (f->file.nbyte < FBX_HEAD)
        return error_data(f->e, "the file ends in its head");
    if (bytes[ENDIAN_BYTE] != 0) {
        error_data(f->e, "a big-endian FBX file, which is not read");
        return error_hint(f->e, "export it anew, which writes little-endian with all programs of today");
    }
    unsigned long version = (unsigned long)fbx_get(bytes + VERSION_BYTE, 4);
    f->width = version >= VERSION_LONG ? 8 : 4;
    return refuse_version(f, version) && fbx_check_records(f);
}

/* The first line is `; FBX 7.5.0 project file`. */
static bool open_text(struct fbx *f)
{
    const unsigned char *p = f->file.bytes + NTEXT_MAGIC, *end = f->file.bytes + f->file.nbyte;
    unsigned long version = 0, place = 1000;
    f->ascii = true;
    for (; p < end && place > 0 && ((*p >= '0' && *p <= '9') || *p == '.'); p++)
        if (*p != '.') {
            version += place * (unsigned long)(*p - '0');
            place /= 10;
        }
    return refuse_version(f, version) && fbx_check_text(f);
}

/* --- the format --- */

static bool open_fbx(struct reader *r, struct error *e)
{
    if (!binary_open(r, sizeof(struct fbx), e))
        return false;
    struct fbx *f = r->state;
    f->file.row = "row";
    f->file.firstrow = 1;
    f->r = r;
    f->e = e;
    bool binary = f->file.nbyte >= NMAGIC && memcmp(f->file.bytes, magic, NMAGIC) == 0,
         text = f->file.nbyte >= NTEXT_MAGIC && memcmp(f->file.bytes, text_magic, NTEXT_MAGIC) == 0;
    if (!binary && !text)
        return error_data(e,
                          "this is no FBX file: it does not begin with \"Kaydara FBX Binary\" or \"; FBX\"");
    return (binary ? open_binary : open_text)(f) && fbx_read_objects(f) && fbx_add_channels(f);
}

static bool bind_fbx(struct reader *r, struct error *e)
{
    struct fbx *f = r->state;
    for (size_t i = 1; i < r->columns.ncolumn && !r->columns.partial; i++)
        if (r->columns.column[i].role == ROLE_CHANNEL)
            f->curve[f->file.column[i].source].selected = true;
    return binary_bind(r, e);
}

static bool finish_fbx(struct writer *w, struct block *b, struct error *e)
{
    struct fbx *f = w->reader->state;
    const unsigned char *bytes = f->file.bytes;
    f->e = e;
    if (binary_more(&f->file))
        return true;
    for (size_t i = 0; i < f->ncurve; i++)
        if (f->curve[i].selected && !fbx_write_keys(f, &f->curve[i]))
            return false;
    if (f->edits.n == 0)
        return binary_finish(w, b, e);
    if (!f->ascii && !fbx_move_records(f))
        return false;
    edits_sort(&f->edits);
    return edits_write(&f->edits, bytes, bytes + f->file.nbyte, 0, b) || error_memory(e);
}

static void close_fbx(struct reader *r)
{
    struct fbx *f = r->state;
    if (!f)
        return;
    for (size_t i = 0; f->curve && i < f->ncurve; i++) {
        free(f->curve[i].own_ticks);
        free(f->curve[i].own_values);
    }
    free(f->curve);
    free(f->object);
    name_table_free(&f->by_id);
    edits_free(&f->edits);
    binary_close(r);
}

static bool sniff_fbx(const unsigned char *head, size_t nhead)
{
    return (nhead >= NMAGIC && memcmp(head, magic, NMAGIC) == 0) ||
           (nhead >= NTEXT_MAGIC && memcmp(head, text_magic, NTEXT_MAGIC) == 0);
}

const struct format format_fbx = {
    .name = "fbx",
    .suffixes = (const char *const[]){ ".fbx", NULL },
    .summary = "FBX 7, binary or text: animation curves; written only from fbx",
    .keeps = "Keeps all but the values of the filtered keys, and Default where it repeats the first value. "
             "There are "
             "no derivatives in it.",
    .family = FAMILY_BINARY,
    .sniff = sniff_fbx,
    .open = open_fbx,
    .bind = bind_fbx,
    .load = binary_load,
    .parse = binary_parse,
    .cell = binary_cell,
    .close = close_fbx,
    .next = binary_next,
    .accept = binary_accept,
    .print = binary_print,
    .finish = finish_fbx,
    .keeps_shape = true,
};
