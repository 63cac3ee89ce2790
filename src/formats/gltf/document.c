/* Values in the JSON of a glTF file, named by places in the text. See gltf.h. */
#include "formats/gltf/gltf.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

bool gltf_refuse(struct gltf *gltf, const char *at, const char *format, ...)
{
    char text[sizeof gltf->e->text];
    va_list args;
    if (gltf->fault)
        return false;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    gltf->fault = at;
    return error_data(gltf->e, "%s", text);
}

bool gltf_list(struct gltf *gltf, const char *object, const char *name, struct gltf_list *list)
{
    struct json_items items = { .count = 0 };
    const char *p = json_member(object, name);
    size_t max = 0;
    bool good = true;
    *list = (struct gltf_list){ .n = 0 };
    if (p && *p != '[')
        return gltf_refuse(gltf, p, "is not an array");
    while (good && p && (p = json_each(&items, p))) {
        good = array_reserve(&list->element, list->n + 1, &max, sizeof *list->element, gltf->e);
        if (good)
            list->element[list->n++] = p;
    }
    return (!list->element || binary_keep(&gltf->file, list->element, gltf->e)) && good;
}

const char *gltf_number(const char *p, double *x)
{
    size_t n = strspn(p, "+-.0123456789eE");
    return n ? number_read(p, p + n, '.', x) : NULL;
}

uint64_t gltf_count(struct gltf *gltf, const char *object, const char *name, uint64_t missing)
{
    const char *p = json_member(object, name);
    double x = -1;
    if (!p && missing == GLTF_REQUIRED)
        gltf_refuse(gltf, object, "has no \"%s\"", name);
    else if (p && (!gltf_number(p, &x) || !(x >= 0 && x <= 0x1p53) || x != floor(x)))
        gltf_refuse(gltf, object, "its \"%s\" is not a whole number", name);
    return gltf->fault || !p ? missing : (uint64_t)x;
}

size_t gltf_index(struct gltf *gltf, const char *object, const char *name, const struct gltf_list *list)
{
    uint64_t i = gltf_count(gltf, object, name, GLTF_REQUIRED);
    if (i >= list->n)
        gltf_refuse(gltf, object, "its \"%s\" is %llu, but there %s only %zu, counted from 0", name,
                    (unsigned long long)i, list->n == 1 ? "is" : "are", list->n);
    return gltf->fault ? 0 : (size_t)i;
}

char *gltf_string(const char *value, size_t *n)
{
    size_t max = 0;
    const char *inside = json_inside(value, &max);
    char *text = malloc(max + 1);
    *n = text && inside ? json_unescape(inside, max, text) : 0;
    if (text)
        text[*n] = 0;
    return text;
}

bool gltf_read_tree(struct gltf *gltf)
{
    struct json_scan scan = { .text = gltf->json, .end = gltf->json + gltf->njson };
    const char *top = json_start(gltf->json), *end = json_value(top, &scan);
    if (end && json_space(end) != scan.end)
        end = json_fail(&scan, json_space(end), "text after the end of the document");
    if (!end)
        return json_explain(&scan, gltf->json, "", gltf->e);
    const char *version = json_member(json_member(top, "asset"), "version");
    if (!version || strncmp(version, "\"2.", 3) != 0)
        return error_data(gltf->e, "\"asset\" has no \"version\" 2.0: only glTF 2 can be read");
    if (!gltf_list(gltf, top, "animations", &gltf->animations) ||
        !gltf_list(gltf, top, "accessors", &gltf->accessors) ||
        !gltf_list(gltf, top, "bufferViews", &gltf->views) ||
        !gltf_list(gltf, top, "buffers", &gltf->buffers) || !gltf_list(gltf, top, "nodes", &gltf->nodes) ||
        !arrays_make(gltf->e, ARRAY(gltf->accessor, gltf->accessors.n + 1),
                     ARRAY(gltf->buffer, gltf->buffers.n)) ||
        !binary_keep(&gltf->file, gltf->accessor, gltf->e))
        return false;
    for (size_t i = 0; i < gltf->accessors.n; i++)
        gltf->accessor[i].object = gltf->accessors.element[i];
    return true;
}
