/* Opens an input and finds the format. The error about a file that holds no series says how to convert the
 * file. See input.h. */
#include "formats/input.h"

#include "base/suggest.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* --- files that are no series --- */

static const char as_csv[] = "save or export it as CSV first";

/* clang-format off */
#define FOREIGN(magic, what, way_out) { magic, sizeof magic - 1, what, way_out }
static const struct foreign {
    const char *magic;
    size_t nmagic;
    const char *what, *way_out;
} foreign[] = {
    FOREIGN("\x1F\x8B", "compressed with gzip", "zcat FILE | sprung ..."),
    FOREIGN("BZh91AY&SY", "compressed with bzip2", "bzcat FILE | sprung ..."),
    FOREIGN("\xFD" "7zXZ", "compressed with xz", "xzcat FILE | sprung ..."),
    FOREIGN("\x28\xB5\x2F\xFD", "compressed with zstd", "zstdcat FILE | sprung ..."),
    FOREIGN("PK\3\4", "a zip archive, as XLSX, ODS and NPZ files are",
            "unzip -p FILE | sprung ..., or save the spreadsheet as CSV"),
    FOREIGN("\xD0\xCF\x11\xE0", "an Office document, such as XLS", as_csv),
    FOREIGN("\x89HDF\r\n", "an HDF5 file, as MATLAB 7.3 files are", as_csv),
    FOREIGN("MATLAB 5.0 MAT", "a MATLAB file", "writematrix or writetable writes CSV in MATLAB"),
    FOREIGN("PAR1\x15", "a Parquet file", as_csv),
    FOREIGN("\xFF\xFE", "UTF-16 text", "iconv -f UTF-16 -t UTF-8 FILE | sprung ..."),
    FOREIGN("\xFE\xFF", "UTF-16 text", "iconv -f UTF-16 -t UTF-8 FILE | sprung ..."),
    FOREIGN("<?xml", "an XML document", as_csv),
    FOREIGN("** CONVERTED FROM", "an EyeLink recording",
            "grep '^[0-9]' FILE | sprung ... --no-header --time 1 --time-unit ms keeps the samples"),
    FOREIGN("ID3\3", "MP3 audio", "convert it to WAV or FLAC, as with sox or ffmpeg"),
    FOREIGN("ID3\4", "MP3 audio", "convert it to WAV or FLAC, as with sox or ffmpeg"),
    FOREIGN("RIFX", "a big-endian WAV file", "sox IN.wav -L OUT.wav"),
};
/* clang-format on */

/* An error if the first bytes belong to a kind of file that holds no series. */
static bool refuse_foreign(struct source *source, struct error *e)
{
    for (const struct foreign *f = foreign; f < foreign + sizeof foreign / sizeof *foreign; f++)
        for (size_t n = 0;; n++) {
            if (n == f->nmagic) {
                error_data(e, "the file is %s", f->what);
                return error_hint(e, "%s", f->way_out);
            }
            if (!source_peek(source, n + 1, e)) /* byte by byte: a pipe may not have more yet */
                return false;
            if (source->nhead <= n || source->head[n] != (unsigned char)f->magic[n])
                break;
        }
    return true;
}

/* --- formats --- */

bool input_refuse_format(const char *option, const char *name, const char *way_out, struct error *e)
{
    struct suggestion near = { .word = name };
    char known[256] = "formats are";
    for (size_t i = 0; format_list[i]; i++) {
        suggest_offer(&near, format_list[i]->name);
        text_append(known, sizeof known, "%s %s", i ? "," : "", format_list[i]->name);
    }
    error_usage(e, "%s: no such format", option);
    error_excerpt(e, name, strlen(name));
    if (near.best)
        return error_hint(e, "did you mean %s? %s", near.best, way_out ? way_out : known);
    return error_hint(e, "%s", way_out ? way_out : known);
}

const struct format *input_format(const char *option, const char *name, struct error *e)
{
    const struct format *format = format_find(name);
    if (!format)
        input_refuse_format(option, name, NULL, e);
    return format;
}

/* The last format in the list, except `named`, with the suffix of the name; NULL: no other format. */
static const struct format *other_with_suffix(const struct format *named, const char *name)
{
    const struct format *other = NULL;
    for (const struct format *const *each = format_list; *each; each++)
        if (*each != named && format_has_suffix(*each, name))
            other = *each;
    return other;
}

/* Could more bytes show another format than this one, which the first bytes look like? */
static bool is_unsure(const struct format *format, const unsigned char *head, size_t nhead)
{
    if (format->family != FAMILY_TEXT) /* any text looks like csv; the other formats have their own marks */
        return format->unsure && format->unsure(head, nhead);
    if (!memchr(head, '\n', nhead) && !memchr(head, '\r', nhead))
        return true;
    for (const struct format *const *other = format_list; *other; other++)
        if ((*other)->may_follow && (*other)->may_follow(head, nhead))
            return true;
    return false;
}

/* The format of an input: by --from, by the name of the file, or by the first bytes. */
static const struct format *find_format(struct source *source, const char *name,
                                        const struct input_options *options, struct error *e)
{
    if (options->from)
        return input_format("--from", options->from, e);
    const struct format *named = strcmp(name, "-") ? format_by_file(name) : NULL;
    const struct format *other = named ? other_with_suffix(named, name) : NULL, *format;
    if (named && !other)
        return named;
    size_t n = 0;
    do {
        if (!source_peek(source, n + 1, e))
            return NULL;
        bool more = source->nhead > n;
        n = source->nhead;
        format = format_by_bytes(source->head, n);
        /* A document on a single line looks like a record, but --records only makes sense for a document. */
        if (format && !named && options->records && format->family == FAMILY_JSON)
            return format_find("json");
        if (!more)
            break;
    } while (format && n < sizeof source->head && is_unsure(format, source->head, n));
    if (named) /* the first bytes decide between formats with the same suffix */
        return format == other ? other : named;
    if (!format)
        error_data(e, "the file is empty");
    return format;
}

bool input_begin(struct source *source, struct reader *reader, const char *name,
                 const struct input_options *options, struct error *e)
{
    const struct format *format = find_format(source, name, options, e);
    if (!format || !refuse_foreign(source, e))
        return false;
    reader->format = format;
    reader->source = source;
    reader->options = options;
    return format->open(reader, e);
}

bool input_open(struct input *in, const char *name, const struct input_options *options, struct error *e)
{
    in->source.fd = -1;
    return source_open(&in->source, name, e) && input_begin(&in->source, &in->reader, name, options, e);
}

enum loaded input_load(struct input *in, struct block *block, struct error *e)
{
    struct reader *reader = &in->reader;
    for (;;) {
        uint64_t before = reader->nline + in->nline;
        block->error.kind = ERROR_NONE;
        block->ntext = block->nrow = block->nline = 0;
        enum loaded loaded = reader->format->load(reader, block, e);
        if (loaded == LOAD_ROWS)
            format_parse(reader, block);
        if (loaded == LOAD_ROWS && block->error.kind != ERROR_NONE) {
            *e = block->error;
            loaded = LOAD_ERROR;
        }
        if (loaded == LOAD_ERROR)
            error_shift(e, before);
        block->firstline = before + 1;
        in->nline += block->nline;
        if (loaded != LOAD_ROWS || block->nrow > 0)
            return loaded;
    }
}

enum loaded input_next_part(const struct reader *input, struct reader *part, struct error *e)
{
    const enum loaded loaded = input->format->next ? input->format->next(input, part, e) : LOAD_END;
    return loaded == LOAD_ROWS && !reader_bind(part, e) ? LOAD_ERROR : loaded;
}

bool input_check_options(const struct reader *reader, struct error *e)
{
    const struct format *format = reader->format;
    const struct input_options *in = reader->options;
    if (in->records && !format->document)
        return error_usage(e, "--records does not apply to %s, which has only rows", format->name);
    if (in->header && format->family != FAMILY_TEXT)
        return error_usage(e, "--header does not apply to %s, only to csv and tsv", format->name);
    if (in->delimiter && format->family != FAMILY_TEXT)
        return error_usage(e, "--delimiter does not apply to %s, only to csv and tsv", format->name);
    if (in->bad_rows == BAD_ROWS_SKIP && format->family != FAMILY_TEXT && strcmp(format->name, "jsonl") != 0)
        return error_usage(e, "--bad-rows skip works with csv, tsv and jsonl, not with %s", format->name);
    if (in->analog && strcmp(format->name, "c3d") != 0)
        return error_usage(e, "--analog does not apply to %s, only to c3d", format->name);
    return true;
}

void input_close(struct input *in)
{
    if (in->reader.format)
        in->reader.format->close(&in->reader);
    table_free(&in->reader.table);
    source_close(&in->source);
    memset(in, 0, sizeof *in);
    in->source.fd = -1;
}
