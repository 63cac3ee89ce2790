/* csv from any bytes. See flow.h. */
#include "flow.h"

static struct result run(const uint8_t *data, size_t n, unsigned how, bool replace, size_t piece)
{
    struct input_options options = { .from = "csv",
                                     .decimal = how & 2 ? "," : NULL,
                                     .header = how & 4 ? "1,2" : NULL,
                                     .delimiter = (how & 6) == 6 ? "blanks" : NULL,
                                     .no_header = (how & 12) == 8,
                                     .missing = how & 16 ? "0,b" : NULL,
                                     .bad_rows = how & 1 ? BAD_ROWS_SKIP : BAD_ROWS_STOP };
    struct column_choice choice = {
        .time_unit = -1, .rate = how & 32, .group = how & 64 ? "1" : NULL, .all_cells = how & 128
    };
    struct reader r = { .format = format_find("csv"), .options = &options, .lenient = how & 128 };
    struct writer w = { .format = format_find(how & 128 && replace ? "tsv" : "csv"),
                        .number = { NUMBER_SHORTEST, how & 2 ? ',' : '.' } };
    return flow(data, n, piece, &r, &w, &choice, replace, false);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    bool good;
    if (n < 2)
        return 0;
    struct result result = data[0] & 1 ? try_pieces(data, n) : try_all(data, n, false, &good);
    free(result.bytes);
    return 0;
}
