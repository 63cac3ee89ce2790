/* The list of all formats, in the order of help. First bytes are compared from the end of the list up: a
 * file of no other format is csv, the first. */
#include "formats/format.h"

#include <string.h>
#include <strings.h>

#define FORMATS                                                                                              \
    X(format_csv)                                                                                            \
    X(format_tsv)                                                                                            \
    X(format_json)                                                                                           \
    X(format_jsonl)                                                                                          \
    X(format_npy)                                                                                            \
    X(format_wav)                                                                                            \
    X(format_au)                                                                                             \
    X(format_aiff)                                                                                           \
    X(format_flac)                                                                                           \
    X(format_caf)                                                                                            \
    X(format_w64)                                                                                            \
    X(format_ogg)                                                                                            \
    X(format_bvh)                                                                                            \
    X(format_trc)                                                                                            \
    X(format_mot)                                                                                            \
    X(format_sto)                                                                                            \
    X(format_c3d)                                                                                            \
    X(format_qualisys)                                                                                       \
    X(format_gltf)                                                                                           \
    X(format_glb)                                                                                            \
    X(format_fbx)

#define X(name) extern const struct format name;
FORMATS
#undef X

#define X(name) &name,
const struct format *const format_list[] = { FORMATS NULL };
#undef X

bool format_check(const struct input_options *options, struct error *e)
{
    if (options->records && options->records[0] && options->records[0] != '/') {
        error_usage(e, "--records: a path begins with /");
        error_excerpt(e, options->records, strlen(options->records));
        return error_hint(e, "for example --records /frames");
    }
    for (const struct format *const *f = format_list; *f; f++)
        if ((*f)->check && !(*f)->check(options, e))
            return false;
    return true;
}

const struct format *format_find(const char *name)
{
    for (const struct format *const *f = format_list; *f; f++)
        if (strcmp((*f)->name, name) == 0)
            return *f;
    return NULL;
}

const char *format_suffix(const char *file)
{
    const char *slash = strrchr(file, '/');
    return strrchr(slash ? slash + 1 : file, '.');
}

bool format_has_suffix(const struct format *format, const char *file)
{
    const char *dot = format_suffix(file);
    for (const char *const *suffix = format->suffixes; dot && *suffix; suffix++)
        if (strcasecmp(dot, *suffix) == 0)
            return true;
    return false;
}

const struct format *format_by_file(const char *file)
{
    for (const struct format *const *f = format_list; *f; f++)
        if (format_has_suffix(*f, file))
            return *f;
    return NULL;
}

bool format_knows(const char *file)
{
    return format_by_file(file) != NULL;
}

const struct format *format_by_bytes(const unsigned char *head, size_t n)
{
    size_t i = sizeof format_list / sizeof *format_list - 2;
    while (i > 0 && !(format_list[i]->sniff && format_list[i]->sniff(head, n)))
        i--;
    return n > 0 ? format_list[i] : NULL;
}
