/* Reports in JSON. See json_out.h. */
#include "base/json_out.h"

#include "base/text.h"
#include "base/utf8.h"
#include <cJSON.h>
#include <math.h>
#include <stdlib.h>

void json_out_open(struct json_out *json_out)
{
    *json_out = (struct json_out){ .root = cJSON_CreateObject() };
}

static struct cJSON *add_item(struct json_out *json_out, struct cJSON *to, const char *name,
                              struct cJSON *item)
{
    bool good = to && item && (name ? cJSON_AddItemToObject(to, name, item) : cJSON_AddItemToArray(to, item));
    if (good)
        return item;
    cJSON_Delete(item);
    json_out->failed = true;
    return NULL;
}

struct cJSON *json_out_object(struct json_out *json_out, struct cJSON *to, const char *name)
{
    return add_item(json_out, to, name, cJSON_CreateObject());
}

struct cJSON *json_out_array(struct json_out *json_out, struct cJSON *to, const char *name)
{
    return add_item(json_out, to, name, cJSON_CreateArray());
}

void json_out_text(struct json_out *json_out, struct cJSON *to, const char *name, const char *text)
{
    struct text clean = { 0 };
    uint32_t code;
    for (size_t n; *text; text += n ? n : 1) {
        n = utf8_decode(text, 4, &code);
        if (n)
            text_add(&clean, text, n);
        else
            text_add(&clean, "\xEF\xBF\xBD", 3); /* U+FFFD */
    }
    char *bytes = text_take(&clean);
    add_item(json_out, to, name, bytes ? cJSON_CreateString(bytes) : NULL);
    free(bytes);
}

void json_out_bool(struct json_out *json_out, struct cJSON *to, const char *name, bool value)
{
    add_item(json_out, to, name, cJSON_CreateBool(value));
}

void json_out_count(struct json_out *json_out, struct cJSON *to, const char *name, uint64_t n)
{
    json_out_number(json_out, to, name, (double)n);
}

void json_out_number(struct json_out *json_out, struct cJSON *to, const char *name, double x)
{
    char text[NUMBER_MAX + 1];
    if (isfinite(x))
        text[number_print(text, x, &number_shortest)] = 0;
    add_item(json_out, to, name, isfinite(x) ? cJSON_CreateRaw(text) : cJSON_CreateNull());
}

void json_out_close(struct json_out *json_out)
{
    cJSON_Delete(json_out->root);
    json_out->root = NULL;
}

char *json_out_take(struct json_out *json_out, bool one_line)
{
    char *printed = NULL;
    if (!json_out->failed)
        printed = one_line ? cJSON_PrintUnformatted(json_out->root) : cJSON_Print(json_out->root);
    char *text = printed ? text_format("%s\n", printed) : NULL;
    cJSON_free(printed);
    json_out_close(json_out);
    return text;
}
