/* Opens an input and finds its format. See input.h. */
#include "formats/input.h"

#include "base/suggest.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

bool input_refuse_format(const char *option, const char *name, const char *way_out, struct error *e)
{
    struct suggestion near = { .word = name };
    char known[256] = "";
    for (size_t i = 0; format_list[i]; i++) {
        suggest_offer(&near, format_list[i]->name);
        text_append(known, sizeof known, "%s%s", i ? ", " : "", format_list[i]->name);
    }
    error_usage(e, "%s: no such format", option);
    error_excerpt(e, name, strlen(name));
    return error_hint(e, "%s%s%sformats are %s%s", near.best ? "did you mean " : "",
                      near.best ? near.best : "", near.best ? "? " : "", known, way_out);
}

const struct format *input_format(const char *option, const char *name, struct error *e)
{
    const struct format *f = format_find(name);
    if (!f)
        input_refuse_format(option, name, "", e);
    return f;
}

static const struct format *find_format(struct source *source, const char *name,
                                        const struct input_options *options, struct error *e)
{
    if (options->from)
        return input_format("--from", options->from, e);
    const struct format *named = strcmp(name, "-") ? format_by_file(name) : NULL, *f, *other = NULL;
    for (const struct format *const *each = format_list; named && *each; each++)
        other = *each != named && format_has_suffix(*each, name) ? *each : other;
    if (named && !other)
        return named;
    size_t n = 0;
    do {
        if (!source_peek(source, n + 1, e))
            return NULL;
        bool more = source->nhead > n;
        n = source->nhead;
        f = format_by_bytes(source->head, n);
        /* A document on one line looks like a record, but only a document has records inside. */
        if (f && !named && options->records && f->family == FAMILY_JSON)
            return format_find("json");
        if (!more)
            break;
    } while (f && f->unsure && n < sizeof source->head && f->unsure(source->head, n));
    if (named) /* the first bytes decide between formats of one suffix */
        return f == other ? other : named;
    if (!f && source->nhead == 0)
        error_data(e, "the file is empty");
    else if (!f)
        error_data(e, "the format cannot be told from the first bytes"), error_hint(e, "name it with --from");
    return f;
}

bool input_begin(struct source *source, struct reader *reader, const char *name,
                 const struct input_options *options, struct error *e)
{
    const struct format *format = find_format(source, name, options, e);
    if (!format || (format->family != FAMILY_AUDIO && !foreign_check(source, e)))
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

enum loaded input_load(struct input *in, struct block *b, struct error *e)
{
    struct reader *r = &in->reader;
    for (;;) {
        uint64_t before = r->nline + in->nline;
        b->error.kind = ERROR_NONE;
        b->ntext = b->nrow = b->nline = 0;
        enum loaded loaded = r->format->load(r, b, e);
        if (loaded == LOAD_ROWS)
            r->format->parse(r, b);
        if (loaded == LOAD_ROWS && b->error.kind != ERROR_NONE) {
            *e = b->error;
            loaded = LOAD_ERROR;
        }
        if (loaded == LOAD_ERROR)
            e->line += e->line ? before : 0;
        b->firstline = before + 1;
        in->nline += b->nline;
        if (loaded != LOAD_ROWS || b->nrow > 0)
            return loaded;
    }
}

void input_close(struct input *in)
{
    if (in->reader.format)
        in->reader.format->close(&in->reader);
    columns_free(&in->reader.columns);
    source_close(&in->source);
    memset(in, 0, sizeof *in);
    in->source.fd = -1;
}
