/* The container of a glTF file and the buffers: reading and writing. See gltf.h. */
#include "formats/gltf/gltf.h"
#include "io/output.h"
#include "io/tempfile.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* --- .glb: a head, then chunks --- */

enum {
    HEAD = 12, /* bytes before the first chunk: "glTF", version, length of the file */
    CHUNK = 8  /* bytes before the content of a chunk: length and kind */
};

static uint32_t word(const unsigned char *p)
{
    return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

static void put_word(char *p, size_t x)
{
    for (int i = 0; i < 4; i++)
        p[i] = (char)(x >> 8 * i);
}

/* The content of the chunk of that kind at byte `at` of the file, of *n bytes. NULL: no such chunk is there.
 */
static unsigned char *find_chunk(struct binary *file, size_t at, const char *kind, size_t *n)
{
    if (file->nbyte - at < CHUNK || memcmp(file->bytes + at + 4, kind, 4) != 0)
        return NULL;
    *n = word(file->bytes + at);
    return *n <= file->nbyte - at - CHUNK ? file->bytes + at + CHUNK : NULL;
}

bool gltf_open_file(struct gltf *g)
{
    struct binary *file = &g->file;
    const unsigned char *json = file->bytes;
    g->njson = file->nbyte;
    if (file->nbyte >= 4 && memcmp(file->bytes, "glTF", 4) == 0) {
        if (file->nbyte < HEAD)
            return error_data(g->e, "the file ends in its head");
        if (word(file->bytes + 4) != 2)
            return error_data(g->e, "glTF %u: only glTF 2 is read", word(file->bytes + 4));
        if (word(file->bytes + 8) != file->nbyte)
            return error_data(g->e, "the head promises %u bytes, and the file has %zu", word(file->bytes + 8),
                              file->nbyte);
        json = find_chunk(file, HEAD, "JSON", &g->njson);
        if (!json)
            return error_data(g->e, "the first chunk is no JSON, or longer than the file");
        g->head = HEAD + CHUNK + g->njson;
        g->bin = find_chunk(file, g->head, "BIN\0", &g->nbin);
    }
    while (g->head && g->njson > 0 && json[g->njson - 1] == 0) /* some exporters fill the chunk with 0 */
        g->njson--;
    if (!g->head) { /* the file is the text, and needs the bytes of 0 behind the text */
        unsigned char *bytes = realloc(file->bytes, file->nbyte + JSON_SLACK);
        if (!bytes)
            return error_memory(g->e);
        memset(bytes + file->nbyte, 0, JSON_SLACK);
        file->bytes = bytes;
        g->json = (char *)bytes;
        return true;
    }
    char *text = gltf_keep(g, calloc(g->njson + JSON_SLACK, 1));
    g->json = text;
    return text && memcpy(text, json, g->njson);
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
    static const uint32_t beyond[] = { 0, 1, 15, 3 }; /* bits after the last byte are 0 */
    return n % 4 == 1 || (bits & beyond[n % 4]) ? SIZE_MAX : nbyte;
}

/* The bytes as base64 with nfill of = at the end; malloc'ed. */
static char *encode(const unsigned char *bytes, size_t nbyte, size_t nfill)
{
    size_t n = (4 * nbyte + 2) / 3;
    char *to = calloc(n + nfill + 1, 1);
    for (size_t i = 0; to && i < n; i++) {
        /* A letter has six of the 16 bits of bytes at - 1 and at: the first letter of four the first six bits
         * of byte at, the last letter the last six bits of byte at - 1. */
        size_t at = i / 4 * 3 + i % 4;
        uint32_t before = i % 4 > 0 ? bytes[at - 1] : 0;
        uint32_t byte = at < nbyte && i % 4 < 3 ? bytes[at] : 0;
        to[i] = letters[(before << 8 | byte) >> (i % 4 < 3 ? 2 + 2 * (i % 4) : 8) & 63];
    }
    if (to)
        memset(to + n, '=', nfill);
    return to;
}

static bool read_embedded(struct gltf *g, struct gltf_buffer *buffer, char *uri, size_t n)
{
    static const char base64[] = ";base64,";
    const char *data = strstr(uri, base64);
    if (!data || memchr(uri, ',', (size_t)(data - uri)) || !memchr(buffer->uri, ',', buffer->nuri))
        return gltf_refuse(g, "its data: URI is not of base64");
    data += sizeof base64 - 1;
    n -= (size_t)(data - uri);
    while (buffer->nfill < 2 && buffer->nfill < n && data[n - buffer->nfill - 1] == '=')
        buffer->nfill++;
    buffer->bytes = gltf_keep(g, malloc(n + 1));
    buffer->nbyte = buffer->bytes ? decode(data, n - buffer->nfill, buffer->bytes) : 0;
    return (buffer->nbyte != SIZE_MAX && (buffer->nfill == 0 || n % 4 == 0)) ||
           gltf_refuse(g, "its data: URI is no valid base64");
}

/* --- other files --- */

/* Removes %41 and the like in place. False: the URI is no name of a file in the same folder or below. */
static bool decode_uri(char *uri, size_t n)
{
    char *to = uri;
    if (n == 0 || *uri == '/' || strlen(uri) < n || strpbrk(uri, "\\?#:"))
        return false;
    for (const char *p = uri; *p; p++) {
        unsigned byte = (unsigned char)*p;
        if (*p == '%' && (!sscanf(p + 1, "%2x", &byte) || strspn(p + 1, "0123456789abcdefABCDEF") < 2 ||
                          byte == '/' || byte == 0))
            return false;
        p += *p == '%' ? 2 : 0;
        *to++ = (char)byte;
    }
    *to = 0;
    for (const char *part = uri; part; part = strchr(part, '/') ? strchr(part, '/') + 1 : NULL)
        if (strcspn(part, "/") == 2 && memcmp(part, "..", 2) == 0)
            return false;
    return true;
}

static bool read_other(struct gltf *g, struct gltf_buffer *buffer, char *uri, size_t n)
{
    const struct source *source = g->r->source;
    const char *slash = strrchr(source->name, '/');
    if (!decode_uri(uri, n)) {
        gltf_refuse(g, "its URI is no file beside this one");
        return error_hint(g->e, "a relative path, without \"..\" and without a scheme but data:");
    }
    if (source->fd == STDIN_FILENO) {
        gltf_refuse(g, "its bytes are in another file, and standard input has no folder");
        return error_hint(g->e, "give the file's name; a .glb file has all in one");
    }
    buffer->file = gltf_keep(
        g, text_format("%.*s%s", slash ? (int)(slash + 1 - source->name) : 0, source->name, uri));
    if (!buffer->file)
        return false;
    if (stat(buffer->file, &buffer->st) != 0)
        error_system(g->e, errno, "cannot open \"%s\"", buffer->file);
    else if (!S_ISREG(buffer->st.st_mode))
        error_data(g->e, "\"%s\" is no regular file", buffer->file);
    else if ((buffer->bytes = (unsigned char *)source_text(buffer->file, SIZE_MAX / 2, &buffer->nbyte, g->e)))
        return gltf_keep(g, buffer->bytes);
    return error_column(g->e, g->where);
}

bool gltf_read_buffer(struct gltf *g, size_t i)
{
    struct gltf_buffer *buffer = &g->buffer[i];
    const char *object = gltf_element(g, &g->buffers, i), *value = gltf_member(object, "uri");
    if (buffer->bytes)
        return true;
    if (value && *value != '"')
        return gltf_refuse(g, "its \"uri\" is no string");
    if (value) {
        struct json_scan scan = { .long_strings = true };
        size_t n;
        char *uri = gltf_string(value, &n);
        buffer->uri = value + 1;
        buffer->nuri = (size_t)(json_value(value, 0, &scan) - value) - 2;
        bool embedded = uri && strncmp(uri, "data:", 5) == 0;
        bool good = false;
        if (!uri)
            error_memory(g->e);
        else if (embedded)
            good = read_embedded(g, buffer, uri, n);
        else
            good = read_other(g, buffer, uri, n);
        free(uri);
        if (!good)
            return false;
    } else if (i > 0 || !g->bin) {
        return gltf_refuse(g, "has no \"uri\", and there is no binary chunk");
    } else {
        buffer->bytes = g->bin;
        buffer->nbyte = g->nbin;
    }
    uint64_t n = gltf_count(g, object, "byteLength", GLTF_REQUIRED);
    if (g->failed || n > buffer->nbyte)
        return gltf_refuse(g, "byteLength is %llu, and there are %zu bytes", (unsigned long long)n,
                           buffer->nbyte);
    g->nbyte += buffer->nbyte;
    return true;
}

/* --- writing --- */

bool gltf_replace(struct gltf *g, const char *at, size_t n, char *new)
{
    return edits_add(&g->edits, (struct edit){ at, n, new, new ? strlen(new) : 0 }, g->e);
}

/* The URI of a file in the same folder; malloc'ed. */
static char *file_uri(const char *file)
{
    struct text t = { 0 };
    const char *slash = strrchr(file, '/');
    for (const char *p = slash ? slash + 1 : file; *p; p++)
        if (isalnum((unsigned char)*p) || strchr("-._~", *p))
            text_add(&t, p, 1);
        else
            text_put(&t, "%%%02X", (unsigned char)*p);
    return text_take(&t);
}

/* Does another buffer, or an image, have that file as URI? */
static bool names_file(struct gltf *g, const struct gltf_buffer *buffer, const char *name)
{
    struct gltf_list images = { 0 };
    bool found = false;
    g->within[0] = 0;
    gltf_list(g, json_start(g->json), "images", &images);
    for (size_t i = 0; i < g->buffers.n + images.n && !found; i++) {
        const char *object = i < g->buffers.n ? gltf_element(g, &g->buffers, i)
                                              : gltf_element(g, &images, i - g->buffers.n),
                   *value = gltf_member(object, "uri");
        size_t n;
        char *uri = gltf_keep(g, value && value + 1 != buffer->uri ? gltf_string(value, &n) : strdup(""));
        found = uri && *uri && decode_uri(uri, n) && strcmp(uri + (strncmp(uri, "./", 2) ? 0 : 2), name) == 0;
    }
    return found;
}

bool gltf_accept(struct writer *w, struct error *e)
{
    if (!binary_accept(w, e))
        return false;
    struct gltf *g = w->reader->state;
    struct gltf_buffer *buffer = NULL;
    struct outfile *out = w->out;
    g->e = e;
    for (size_t i = 0; i < g->buffers.n; i++)
        if (g->buffer[i].changed && g->buffer[i].file) {
            if (buffer)
                return error_data(e, "the samples are in several files beside this one: one can be written");
            buffer = &g->buffer[i];
        }
    if (!buffer || (out && out->companion)) /* of several tables the first has made the companion */
        return true;
    if (!out || (out->kind != OUTPUT_NOTHING && out->kind != OUTPUT_FILE)) {
        error_usage(e, "the samples are in another file, which standard output or a pipe cannot bring");
        return error_hint(e, "--output FILE.gltf writes both; a .glb file has all in one");
    }
    const char *suffix = format_by_file(out->path) ? format_suffix(out->path) : NULL;
    int n = suffix ? (int)(suffix - out->path) : (int)strlen(out->path);
    const char *path = out->in_place ? buffer->file : gltf_keep(g, text_format("%.*s.bin", n, out->path));
    struct stat st;
    if (!path)
        return false;
    const char *slash = strrchr(path, '/');
    bool own = !out->in_place && stat(path, &st) == 0 && st.st_dev == buffer->st.st_dev &&
               st.st_ino == buffer->st.st_ino;
    bool named = !out->in_place && names_file(g, buffer, slash ? slash + 1 : path);
    bool good = !g->failed;
    if (good && (own || named))
        good = error_usage(e, own ? "its %s is the input's own" : "its %s is named as another file in it",
                           path);
    good = good && output_look_companion(out, path, e);
    if (good && out->in_place)
        out->companion->st = buffer->st; /* the file must not have changed since it was read */
    e->at_output = !good;
    return good;
}

/* Sets *same to whether the base64 in the text means the bytes of the buffer. False: memory is out. */
static bool is_embedded(struct gltf *g, const struct gltf_buffer *buffer, bool *same)
{
    size_t n;
    char *uri = gltf_string(buffer->uri - 1, &n);
    unsigned char *bytes = malloc(n + 1);
    if (uri && bytes) {
        const char *data = strchr(uri, ',') + 1;
        size_t nbyte = decode(data, n - (size_t)(data - uri) - buffer->nfill, bytes);
        *same = nbyte == buffer->nbyte && memcmp(bytes, buffer->bytes, nbyte) == 0;
    }
    bool good = uri && bytes;
    free(uri);
    free(bytes);
    return good || error_memory(g->e);
}

/* Writes a changed buffer into a file beside the output, or as base64 into the text. */
static bool write_buffer(struct gltf *g, const struct gltf_buffer *buffer, struct outfile *out)
{
    if (!buffer->changed || !buffer->uri)
        return true;
    if (buffer->file) {
        struct outfile *companion = out->companion;
        if (!companion->in_place && !gltf_replace(g, buffer->uri, buffer->nuri, file_uri(companion->path)))
            return false;
        g->e->at_output = !output_open(companion, g->e) ||
                          !tempfile_put(companion->fd, buffer->bytes, buffer->nbyte, g->e);
        return !g->e->at_output;
    }
    bool same = false;
    const char *data = (const char *)memchr(buffer->uri, ',', buffer->nuri) + 1;
    return is_embedded(g, buffer, &same) &&
           (same || gltf_replace(g, data, buffer->nuri - (size_t)(data - buffer->uri),
                                 encode(buffer->bytes, buffer->nbyte, buffer->nfill)));
}

bool gltf_write(struct gltf *g, struct writer *w, struct block *b)
{
    const struct binary *file = &g->file;
    size_t rest = g->head ? file->nbyte - g->head : 0; /* bytes behind the JSON chunk */
    for (size_t i = 0; i < g->buffers.n; i++)
        if (!write_buffer(g, &g->buffer[i], w->out))
            return false;
    if (g->edits.n == 0)
        return binary_finish(w, b, g->e);
    edits_sort(&g->edits);
    if (!block_put(b, (const char *)file->bytes, g->head ? HEAD + CHUNK : 0) ||
        !edits_write(&g->edits, g->json, g->json + g->njson, rest + 4, b))
        return error_memory(g->e);
    if (!g->head)
        return true;
    while (b->bytes[b->nbyte - 1] == ' ') /* blanks fill a chunk up to a multiple of 4 bytes */
        b->nbyte--;
    if (!block_put(b, "   ", -b->nbyte % 4))
        return error_memory(g->e);
    put_word(b->bytes + HEAD, b->nbyte - HEAD - CHUNK);
    if (!block_put(b, (const char *)file->bytes + g->head, rest))
        return error_memory(g->e);
    put_word(b->bytes + 8, b->nbyte);
    return b->nbyte <= UINT32_MAX ||
           error_data(g->e, "the new file would be longer than 4 GiB, which .glb cannot be");
}
