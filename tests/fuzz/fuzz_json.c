/* json and jsonl from any bytes. What must hold besides (see flow.h): what is read without an error is JSON
 * to cJSON as well, and so is what comes out. */
#include "flow.h"

#include <cjson/cJSON.h>

enum { LINES = 1, ADD = 2, POINTER = 4, MISSING = 8, TIME = 16, GROUP = 32, OTHER = 64, LENIENT = 128 };

static struct result run(const uint8_t *data, size_t n, unsigned how, bool replace, size_t piece)
{
    struct input_options options = { .records = how & POINTER ? "/a/0" : NULL,
                                     .missing = how & MISSING ? "0,b" : NULL };
    struct column_choice choice = { .time_unit = -1,
                                    .rate = !(how & TIME),
                                    .group = how & GROUP ? "1" : NULL,
                                    .all_cells = replace && how & OTHER };
    struct reader r = { .format = format_find(how & LINES ? "jsonl" : "json"),
                        .options = &options,
                        .lenient = how & LENIENT };
    struct writer w = { .format = r.format, .number = { NUMBER_SHORTEST, '.' } };
    if (choice.all_cells)
        w.format = format_find(how & GROUP ? "csv" : how & LINES ? "json" : "jsonl");
    return flow(data, n, piece, &r, &w, &choice, replace, how & ADD);
}

/* cJSON takes more than JSON, but it must take all of it. One value, or one a line. */
static void require_json(const char *text, size_t n, bool lines)
{
    const char *end = text + n;
    if (n >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        text += 3;
    while (text < end) {
        const char *eol = lines ? memchr(text, '\n', (size_t)(end - text)) : NULL,
                   *stop = eol ? eol + 1 : end;
        const char *p = text;
        while (p < stop && strchr(" \t\r\n", *p))
            p++;
        if (p < stop) {
            char *copy = strndup(p, (size_t)(stop - p));
            cJSON *value = cJSON_ParseWithLengthOpts(copy, (size_t)(stop - p) + 1, NULL, 1);
            /* Its own limit is 1000 levels as well, but it counts one less. */
            require(value || cJSON_GetErrorPtr() - copy >= 999);
            cJSON_Delete(value);
            free(copy);
        }
        text = stop;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (n < 2)
        return 0;
    unsigned how = data[0];
    bool good, lines = how & OTHER ? !(how & LINES) : how & LINES;
    struct result out = try_all(data, n, false, &good);
    if (good)
        require_json((const char *)data + 2, n - 2, how & LINES);
    if (out.error.kind == ERROR_NONE && (how & (OTHER | GROUP)) != (OTHER | GROUP))
        require_json(out.bytes, out.n, lines);
    free(out.bytes);
    return 0;
}
