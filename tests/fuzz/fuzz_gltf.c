/* gltf and glb from any bytes, with all tables at once and one by one. Another file is never read, as on
 * standard input. See flow.h. */
#include "flow.h"

static struct result run(const uint8_t *data, size_t n, unsigned how, bool replace, size_t piece)
{
    struct input_options options = { 0 };
    struct column_choice choice = {
        .time_unit = -1, .rate = how & 16, .all_cells = how & 32, .columns = how & 64 ? "2" : NULL
    };
    struct reader r = { .format = format_find(how & 1 ? "gltf" : "glb"),
                        .options = &options,
                        .lenient = how & 128 };
    struct writer w = { .format = how & 32 && replace ? format_find("csv") : r.format,
                        .number = { NUMBER_SHORTEST, '.' } };
    return flow(data, n, piece, &r, &w, &choice, replace, false);
}

/* Every table has rows, and columns of its own alone. */
static void take_tables(const uint8_t *data, size_t n)
{
    struct input_options options = { 0 };
    struct column_choice choice = { .time_unit = -1 };
    struct source source = { .name = "-" };
    struct reader r = { .format = format_find("glb"), .options = &options, .source = &source };
    struct reader part = { 0 };
    struct error e;
    struct block b;
    b = (struct block){ 0 };
    input = data, ninput = n, chunk = SIZE_MAX;
    if (r.format->open(&r, &e) && table_plan(&r.table, &choice, &e) && r.format->bind(&r, &e))
        for (size_t i = 0, ntable = r.npart; i < ntable; i++) {
            require(next_part(&r, &part, &e) && part.part && part.table.nchannel > 0);
            require(r.format->load(&part, &b, &e) == LOAD_ROWS && b.nrow > 0);
            format_parse(&part, &b);
            require(i + 1 < ntable || r.format->next(&r, &part, &e) == LOAD_END);
        }
    r.format->close(&r);
    table_free(&part.table);
    table_free(&r.table);
    block_free(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    bool good;
    if (n < 2)
        return 0;
    take_tables(data + 2, n - 2);
    free(try_all(data, n, true, &good).bytes);
    return 0;
}
