/* FBX 7, binary: the animation curves of a file of Maya, Blender, MotionBuilder and other programs. Columns
 * are named STACK/OBJECT.PROPERTY.COMPONENT; curves of a stack with keys at the same times are
 * one table. Only the values of keys are replaced, and with them the lengths of deflated arrays and the ends
 * of records. See fbx.h. */
#include "formats/fbx/fbx.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    VERSION_LEAST = 7000,
    VERSION_MOST = 7999,
    VERSION_LONG = 7500, /* least version whose records have numbers of 8 bytes */
    ENDIAN_BYTE = 22,    /* position of a byte that is not 0 in a big-endian file */
    VERSION_BYTE = 23    /* position of the version */
};

static const char magic[] = "Kaydara FBX Binary  ", text_magic[] = "; FBX ";

bool fbx_refuse(struct fbx *fbx, const struct fbx_node *node, const char *format, ...)
{
    char text[sizeof fbx->e->text], where[sizeof fbx->e->column];
    struct fbx_value id;
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    error_data(fbx->e, "%s", text);
    if (!node)
        return false;
    if (node->nname > 0 && fbx_value(fbx, node, 0, &id) && id.type == 'I')
        snprintf(where, sizeof where, "%.*s %lld", (int)(node->nname < 64 ? node->nname : 64), node->name,
                 (long long)id.integer);
    else
        snprintf(where, sizeof where, "%.*s", (int)(node->nname < 64 ? node->nname : 64), node->name);
    error_column(fbx->e, where);
    return false;
}

/* Checks what is before the first record. */
static bool check_head(struct fbx *fbx)
{
    const unsigned char *bytes = fbx->file.bytes;
    if (fbx->file.nbyte < FBX_HEAD)
        return error_data(fbx->e, "the file ends inside its header");
    if (bytes[ENDIAN_BYTE] != 0) {
        error_data(fbx->e, "a big-endian FBX file cannot be read");
        return error_hint(fbx->e, "export it again: current programs write little-endian");
    }
    unsigned long version = (unsigned long)word_get(bytes + VERSION_BYTE, 4, false);
    fbx->width = version >= VERSION_LONG ? 8 : 4;
    if (version >= VERSION_LEAST && version <= VERSION_MOST)
        return true;
    error_data(fbx->e, "FBX %lu.%lu: only FBX 7 can be read", version / 1000, version / 100 % 10);
    return error_hint(fbx->e, "export it as FBX 7 (also called FBX 2011 to 2020), or convert it with "
                              "Autodesk's FBX Converter or Blender");
}

static bool begins_with(const unsigned char *bytes, size_t nbyte, const char *text)
{
    return nbyte >= strlen(text) && memcmp(bytes, text, strlen(text)) == 0;
}

static bool open_fbx(struct reader *reader, struct error *e)
{
    if (!binary_open(reader, sizeof(struct fbx), e))
        return false;
    struct fbx *fbx = reader->state;
    fbx->reader = reader;
    fbx->e = e;
    if (begins_with(fbx->file.bytes, fbx->file.nbyte, text_magic)) {
        error_data(e, "an ASCII FBX file cannot be read");
        return error_hint(e, "save it as binary FBX");
    }
    if (!begins_with(fbx->file.bytes, fbx->file.nbyte, magic))
        return error_data(e, "this is not an FBX file: it does not begin with \"Kaydara FBX Binary\"");
    return check_head(fbx) && fbx_check_records(fbx) && fbx_read_objects(fbx) && fbx_add_channels(fbx);
}

static bool finish_fbx(struct writer *writer, struct block *block, struct error *e)
{
    struct fbx *fbx = writer->reader->state;
    const unsigned char *bytes = fbx->file.bytes;
    fbx->e = e;
    if (binary_more(&fbx->file))
        return true;
    for (size_t i = 0; i < fbx->file.ncolumn; i++) {
        const struct binary_column *column = &fbx->file.column[i];
        if (table_filters(&fbx->reader->table, i) && !fbx_write_keys(fbx, &fbx->curve[column->source]))
            return false;
    }
    if (fbx->file.nedit == 0)
        return binary_finish(writer, block, e);
    if (!fbx_move_records(fbx))
        return false;
    return binary_write_edits(&fbx->file, bytes, bytes + fbx->file.nbyte, block) || error_memory(e);
}

static void close_fbx(struct reader *reader)
{
    struct fbx *fbx = reader->state;
    if (!fbx)
        return;
    for (size_t i = 0; fbx->curve && i < fbx->ncurve; i++) {
        free(fbx->curve[i].own_ticks);
        free(fbx->curve[i].own_values);
    }
    free(fbx->curve);
    free(fbx->object);
    name_table_free(&fbx->by_id);
    binary_close(reader);
}

static bool sniff_fbx(const unsigned char *head, size_t nhead)
{
    return begins_with(head, nhead, magic) || begins_with(head, nhead, text_magic);
}

const struct format format_fbx = {
    .name = "fbx",
    .suffixes = (const char *const[]){ ".fbx", NULL },
    .sniff = sniff_fbx,
    .open = open_fbx,
    .close = close_fbx,
    .accept = binary_accept,
    .print = binary_print,
    .finish = finish_fbx,
    BINARY,
};
