/* Arrays of .npy from any bytes, in the same format and in csv, and with derivatives. See flow.h. */
#include "flow.h"

static struct result run(const uint8_t *data, size_t n, unsigned how, bool replace, size_t piece)
{
    struct input_options options = { 0 };
    struct column_choice choice = { .time_unit = -1,
                                    .rate = how & 4 ? 60 : 0,
                                    .time = how & 8 && !(how & 4) ? "1" : NULL,
                                    .all_cells = how & 32,
                                    .columns = how & 64 ? "2" : NULL };
    struct reader r = { .format = format_find("npy"), .options = &options, .lenient = how & 128 };
    struct writer w = { .format = how & 32 && replace ? format_find("csv") : r.format,
                        .number = { NUMBER_SHORTEST, '.' } };
    return flow(data, n, piece, &r, &w, &choice, replace, how & 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    bool good;
    if (n >= 2)
        free(try_all(data, n, true, &good).bytes);
    return 0;
}
