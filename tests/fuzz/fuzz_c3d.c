/* c3d from any bytes, and samples of every type. See flow.h. */
#include "flow.h"

#include "formats/binary/binary.h"

static struct result run(const uint8_t *data, size_t n, unsigned how, bool replace, size_t piece)
{
    struct input_options options = { .analog = how & 1 };
    struct column_choice choice = { .time_unit = -1,
                                    .all_cells = how & 32,
                                    .columns = how & 64 ? "2" : NULL };
    struct reader r = { .format = format_find("c3d"), .options = &options, .lenient = how & 128 };
    struct writer w = { .format = how & 32 && replace ? format_find("csv") : r.format,
                        .number = { NUMBER_SHORTEST, '.' } };
    return flow(data, n, piece, &r, &w, &choice, replace, false);
}

/* A number that a sample holds is stored as the same sample, or as another one of the same number. */
static void store_again(const uint8_t *data)
{
    static const struct sample_type types[] = { { 'i', 1, false }, { 'i', 2, false }, { 'i', 2, true },
                                                { 'u', 1, false }, { 'u', 2, false }, { 'u', 2, true },
                                                { 'f', 4, false }, { 'f', 4, true },  { 'd', 4, false } };
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        uint8_t again[4] = { 0 };
        double x = sample_get(data, types[k]);
        require(sample_put(again, types[k], x) == !isinf(x));
        require(!isfinite(x) || sample_get(again, types[k]) == x);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    bool good;
    if (n >= 6)
        store_again(data + 2);
    if (n >= 2)
        free(try_all(data, n, true, &good).bytes);
    return 0;
}
