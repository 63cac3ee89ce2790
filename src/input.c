/* An input that is read without being filtered. See input.h. */
#include "input.h"

#include "nearest.h"

#include <string.h>

static const char *format_name(size_t i, void *unused)
{
    (void)unused;
    return format_list[i] ? format_list[i]->name : NULL;
}

static const struct format *by_option(const char *from, struct error *e)
{
    const struct format *f = format_find(from);
    if (f)
        return f;
    error_usage(e, "--from: no such format");
    error_excerpt(e, from, strlen(from));
    const char *near = nearest_name(from, format_name, NULL);
    if (near)
        error_hint(e, "did you mean %s?", near);
    return NULL;
}

static const struct format *find_format(struct source *source, const char *name, const char *from,
                                        struct error *e)
{
    if (from)
        return by_option(from, e);
    const struct format *f = strcmp(name, "-") ? format_by_file(name) : NULL;
    if (f)
        return f;
    if (!source_peek(source, 1, e))
        return NULL;
    f = format_by_bytes(source->head, source->nhead);
    if (!f && source->nhead == 0)
        error_data(e, "the file is empty");
    else if (!f)
        error_data(e, "the format cannot be told from the first bytes"), error_hint(e, "name it with --from");
    return f;
}

bool input_open(struct input *in, const char *name, const char *from, const struct input_options *options,
                struct error *e)
{
    in->source.fd = -1;
    if (!source_open(&in->source, name, e))
        return false;
    const struct format *format = find_format(&in->source, name, from, e);
    if (!format)
        return false;
    in->reader.format = format;
    in->reader.source = &in->source;
    in->reader.options = options;
    return format->open(&in->reader, e);
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
