/* The container of a glTF file and the buffers: reading and writing. See gltf.h. */
#include "base/port.h"
#include "formats/gltf/gltf.h"
#include "io/output.h"
#include "io/tempfile.h"
#include "number/word.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* --- .glb: a head, then chunks --- */

enum {
    HEAD = 12, /* bytes before the first chunk: "glTF", version, length of the file */
    CHUNK = 8  /* bytes before the content of a chunk: length and kind */
};

/* The number of 32 bits at p. */
static unsigned word(const unsigned char *p)
{
    return (unsigned)word_get(p, 4, false);
}

/* The content of the chunk at byte `at` of the file, if the chunk is of a kind; sets *n to the bytes of the
 * content. NULL: no such chunk is there. */
static unsigned char *find_chunk(struct binary *file, size_t at, const char *kind, size_t *n)
{
    if (file->nbyte - at < CHUNK || memcmp(file->bytes + at + 4, kind, 4) != 0)
        return NULL;
    *n = word(file->bytes + at);
    return *n <= file->nbyte - at - CHUNK ? file->bytes + at + CHUNK : NULL;
}

bool gltf_open_file(struct gltf *gltf)
{
    struct binary *file = &gltf->file;
    const unsigned char *json = file->bytes;
    gltf->njson = file->nbyte;
    if (file->nbyte >= 4 && memcmp(file->bytes, "glTF", 4) == 0) {
        if (file->nbyte < HEAD)
            return error_data(gltf->e, "the file ends inside its header");
        if (word(file->bytes + 4) != 2)
            return error_data(gltf->e, "glTF %u: only glTF 2 can be read", word(file->bytes + 4));
        if (word(file->bytes + 8) != file->nbyte)
            return error_data(gltf->e, "the header says %u bytes, but the file has %zu",
                              word(file->bytes + 8), file->nbyte);
        json = find_chunk(file, HEAD, "JSON", &gltf->njson);
        if (!json)
            return error_data(gltf->e, "the first chunk is not JSON, or is longer than the file");
        gltf->head = HEAD + CHUNK + gltf->njson;
        gltf->bin = find_chunk(file, gltf->head, "BIN\0", &gltf->nbin);
        while (gltf->njson > 0 && json[gltf->njson - 1] == 0) /* some exporters fill the chunk with zeros */
            gltf->njson--;
    }
    _Static_assert((int)BINARY_ZEROS >= (int)JSON_SLACK, "the text of a .gltf file is scanned in place");
    gltf->json = (const char *)file->bytes;
    if (!gltf->head)
        return true;
    char *text = binary_keep(file, calloc(gltf->njson + JSON_SLACK, 1), gltf->e);
    gltf->json = text;
    return text && memcpy(text, json, gltf->njson);
}

/* --- base64, RFC 4648 --- */

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Decodes n letters. Returns the number of bytes, or SIZE_MAX if the letters are no base64. */
static size_t decode(const char *text, size_t n, unsigned char *to)
{
    uint32_t bits = 0;
    size_t nbyte = 0;
    for (size_t i = 0; i < n; i++) {
        const char *letter = memchr(letters, text[i], 64);
        if (!letter)
            return SIZE_MAX;
        bits = bits << 6 | (uint32_t)(letter - letters);
        if (i % 4 > 0)
            to[nbyte++] = (unsigned char)(bits >> (6 - 2 * (i % 4)));
    }
    return n % 4 == 1 ? SIZE_MAX : nbyte;
}

/* The bytes as base64; malloc'ed. NULL: out of memory. */
static char *encode(const unsigned char *bytes, size_t nbyte)
{
    const size_t n = (4 * nbyte + 2) / 3;
    char *to = calloc(n + 3, 1);
    for (size_t i = 0; to && i < n; i++) {
        const size_t at = 6 * i / 8; /* the letter has six bits of this byte and the next */
        const uint32_t next = at + 1 < nbyte ? bytes[at + 1] : 0, pair = (uint32_t)bytes[at] << 8 | next;
        to[i] = letters[pair >> (10 - 6 * i % 8) & 63];
    }
    if (to)
        memset(to + n, '=', -n % 4);
    return to;
}

/* Decodes the data: URI of n bytes, that of the buffer `object`, in place. */
static bool read_embedded(struct gltf *gltf, struct gltf_buffer *buffer, const char *object, char *uri,
                          size_t n)
{
    static const char base64[] = ";base64,";
    const char *data = strstr(uri, base64);
    if (!data || memchr(uri, ',', (size_t)(data - uri)) || !memchr(buffer->uri, ',', buffer->nuri))
        return gltf_refuse(gltf, object, "its data: URI is not base64");
    data += sizeof base64 - 1;
    n -= (size_t)(data - uri);
    for (int fill = 0; fill < 2 && n > 0 && data[n - 1] == '='; fill++)
        n--;
    buffer->bytes = (unsigned char *)uri;
    buffer->nbyte = decode(data, n, buffer->bytes);
    return buffer->nbyte != SIZE_MAX || gltf_refuse(gltf, object, "its data: URI is not valid base64");
}

/* --- other files --- */

/* Decodes %41 and the like in place. False: the URI does not name a file in the same folder or below. */
static bool decode_uri(char *uri, size_t n)
{
    char *to = uri;
    for (const char *p = uri; p < uri + n; p++) {
        unsigned byte = (unsigned char)*p;
        const bool coded = *p == '%' && sscanf(p + 1, "%2x", &byte) == 1;
        if (byte == 0 || (*p == '%' && !coded))
            return false;
        p += coded ? 2 : 0;
        *to++ = (char)byte;
    }
    *to = 0;
    return *uri && *uri != '/' && !strpbrk(uri, "\\?#:") && !strstr(uri, "..");
}

/* Reads the bytes in another file, which a URI of n bytes names, that of the buffer `object`. */
static bool read_other(struct gltf *gltf, struct gltf_buffer *buffer, const char *object, char *uri, size_t n)
{
    const struct source *source = gltf->reader->source;
    const char *slash = strrchr(source->name, '/');
    if (!decode_uri(uri, n)) {
        gltf_refuse(gltf, object, "its URI cannot be used");
        return error_hint(gltf->e, "use a relative path without \"..\", or a data: URI");
    }
    if (source->fd == PORT_STDIN) {
        gltf_refuse(gltf, object, "its data is in another file, which cannot be located from standard input");
        return error_hint(gltf->e, "give the file's name, or use a .glb file, which holds everything");
    }
    const int nfolder = slash ? (int)(slash + 1 - source->name) : 0;
    buffer->file = binary_keep(&gltf->file, text_format("%.*s%s", nfolder, source->name, uri), gltf->e);
    if (!buffer->file)
        return false;
    if (port_status_of(buffer->file, &buffer->st) != 0)
        return error_system(gltf->e, errno, "cannot open \"%s\"", buffer->file);
    if (buffer->st.kind != PORT_REGULAR)
        return error_data(gltf->e, "\"%s\" is not a regular file", buffer->file);
    buffer->bytes = (unsigned char *)source_text(buffer->file, SIZE_MAX / 2, &buffer->nbyte, gltf->e);
    return buffer->bytes && binary_keep(&gltf->file, buffer->bytes, gltf->e);
}

bool gltf_read_buffer(struct gltf *gltf, size_t i)
{
    struct gltf_buffer *buffer = &gltf->buffer[i];
    const char *object = gltf->buffers.element[i], *value = json_member(object, "uri");
    if (buffer->bytes)
        return true;
    if (value) {
        size_t n;
        char *uri = binary_keep(&gltf->file, gltf_string(value, &n), gltf->e);
        buffer->uri = json_inside(value, &buffer->nuri);
        if (!uri ||
            !(strncmp(uri, "data:", 5) == 0 ? read_embedded : read_other)(gltf, buffer, object, uri, n))
            return false;
    } else if (i > 0 || !gltf->bin) {
        return gltf_refuse(gltf, object, "has no \"uri\", and the file has no binary chunk");
    } else {
        buffer->bytes = gltf->bin;
        buffer->nbyte = gltf->nbin;
    }
    uint64_t n = gltf_count(gltf, object, "byteLength", GLTF_REQUIRED);
    if (gltf->fault || n > buffer->nbyte)
        return gltf_refuse(gltf, object, "byteLength is %llu, but there are %zu bytes", (unsigned long long)n,
                           buffer->nbyte);
    return true;
}

/* --- writing --- */

bool gltf_replace(struct gltf *gltf, const char *at, size_t n, char *new)
{
    return binary_edit(&gltf->file, (struct edit){ at, n, new, new ? strlen(new) : 0 }, gltf->e);
}

/* The URI of a file in the same folder; malloc'ed. */
static char *file_uri(const char *file)
{
    struct text text = { 0 };
    const char *slash = strrchr(file, '/');
    for (const char *p = slash ? slash + 1 : file; *p; p++)
        if (isalnum((unsigned char)*p) || strchr("-._~", *p))
            text_add(&text, p, 1);
        else
            text_put(&text, "%%%02X", (unsigned char)*p);
    return text_take(&text);
}

bool gltf_accept(struct writer *writer, struct error *e)
{
    if (!binary_accept(writer, e))
        return false;
    struct gltf *gltf = writer->reader->state;
    struct gltf_buffer *buffer = NULL;
    struct outfile *out = writer->out;
    for (size_t i = 0; i < gltf->file.ncolumn; i++) {
        const struct binary_column *column = &gltf->file.column[i];
        struct gltf_accessor *accessor = &gltf->accessor[column->source];
        if (!table_filters(&gltf->reader->table, i))
            continue;
        struct gltf_buffer *changed = &gltf->buffer[accessor->buffer];
        accessor->selected = changed->changed = true;
        if (changed->file && buffer && changed != buffer)
            return error_data(e, "the samples are in several other files; only one can be written");
        buffer = changed->file ? changed : buffer;
    }
    if (!buffer || (out && out->companion)) /* of several tables the first has made the companion */
        return true;
    if (!out || (out->kind != OUTPUT_NOTHING && out->kind != OUTPUT_FILE)) {
        error_usage(e, "the samples are in another file, which cannot be written to a pipe");
        return error_hint(
            e, "use --output FILE.gltf, which writes both, or a .glb file, which holds everything");
    }
    const char *suffix = format_by_file(out->path) ? format_suffix(out->path) : NULL;
    int n = suffix ? (int)(suffix - out->path) : (int)strlen(out->path);
    const char *path = out->in_place ? buffer->file
                                     : binary_keep(&gltf->file, text_format("%.*s.bin", n, out->path), e);
    struct port_status st;
    if (!path)
        return false;
    bool own = !out->in_place && port_status_of(path, &st) == 0 && port_same_file(&st, &buffer->st);
    bool good = own ? error_usage(e, "%s would overwrite the samples of the input", path)
                    : output_look_companion(out, path, e);
    if (good && out->in_place)
        out->companion->status = buffer->st; /* the file must not have changed since it was read */
    e->at_output = !good;
    return good;
}

/* Writes a changed buffer into a file next to the output, or as base64 into the text. */
static bool write_buffer(struct gltf *gltf, const struct gltf_buffer *buffer, struct outfile *out)
{
    if (!buffer->changed || !buffer->uri)
        return true;
    if (buffer->file) {
        struct outfile *companion = out->companion;
        if (!companion->in_place && !gltf_replace(gltf, buffer->uri, buffer->nuri, file_uri(companion->path)))
            return false;
        gltf->e->at_output = !output_open(companion, false, gltf->e) ||
                             !tempfile_put(companion->fd, buffer->bytes, buffer->nbyte, gltf->e);
        return !gltf->e->at_output;
    }
    const char *data = (const char *)memchr(buffer->uri, ',', buffer->nuri) + 1;
    return gltf_replace(gltf, data, buffer->nuri - (size_t)(data - buffer->uri),
                        encode(buffer->bytes, buffer->nbyte));
}

bool gltf_write(struct gltf *gltf, struct writer *writer, struct block *block)
{
    struct binary *file = &gltf->file;
    for (size_t i = 0; i < gltf->buffers.n; i++)
        if (!write_buffer(gltf, &gltf->buffer[i], writer->out))
            return false;
    if (file->nedit == 0)
        return binary_finish(writer, block, gltf->e);
    if (!block_put(block, (const char *)file->bytes, gltf->head ? HEAD + CHUNK : 0) ||
        !binary_write_edits(file, gltf->json, gltf->json + gltf->njson, block))
        return error_memory(gltf->e);
    if (!gltf->head)
        return true;
    while (block->bytes[block->nbyte - 1] == ' ') /* blanks fill a chunk up to a multiple of 4 bytes */
        block->nbyte--;
    if (!block_put(block, "   ", -block->nbyte % 4))
        return error_memory(gltf->e);
    word_put(block->bytes + HEAD, block->nbyte - HEAD - CHUNK, 4, false);
    if (!block_put(block, (const char *)file->bytes + gltf->head, file->nbyte - gltf->head))
        return error_memory(gltf->e);
    word_put(block->bytes + 8, block->nbyte, 4, false);
    return true;
}
