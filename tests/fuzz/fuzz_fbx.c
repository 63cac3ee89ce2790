/* fbx from any bytes, with all tables at once and one by one. See flow.h. */
#include "flow.h"

static struct result run(const uint8_t *data, size_t n, unsigned how, bool replace, size_t piece)
{
    struct input_options options = { 0 };
    struct column_choice choice = {
        .time_unit = -1, .rate = how & 16, .all_cells = how & 32, .columns = how & 64 ? "2" : NULL
    };
    struct reader r = { .format = format_find("fbx"), .options = &options, .lenient = how & 128 };
    struct writer w = { .format = how & 32 && replace ? format_find("csv") : r.format,
                        .number = { NUMBER_SHORTEST, '.' } };
    struct result out = flow(data, n, piece, &r, &w, &choice, replace, false);
    /* Values that are printed as they were read are the file as it was. */
    require(out.error.kind != ERROR_NONE || w.format != r.format ||
            (out.n == n && memcmp(out.bytes, data, n) == 0));
    return out;
}

/* Filters every table by itself: all values become others, and the file that comes out has the same channels.
 */
static void change_tables(const uint8_t *data, size_t n)
{
    struct input_options options = { 0 };
    struct column_choice choice = { .time_unit = -1 };
    struct source source = { .name = "-" };
    struct reader r = {
        .format = format_find("fbx"), .options = &options, .source = &source, .lenient = true
    };
    struct reader again = r, part = { 0 }, *of = &r; /* of: of the rows */
    struct error e = { 0 };
    struct block b;
    b = (struct block){ 0 };
    input = data, ninput = n, chunk = SIZE_MAX;
    bool good = r.format->open(&r, &e) && table_plan(&r.table, &choice, &e) && r.format->bind(&r, &e);
    size_t ntable = good && r.npart > 0 ? r.npart : 1, ncolumn = r.table.ncolumn; /* of all tables */
    for (size_t i = 0; good && i < ntable; i++) {
        struct output_columns layout = { 0 };
        if (ntable > 1) {
            require(next_part(&r, &part, &e) && part.part && part.table.nchannel > 0);
            of = &part;
        }
        struct writer w = { .format = r.format, .reader = of, .layout = &layout, .fd = -1 };
        lay_out(&layout, &of->table, true, false);
        of->nout = layout.nout;
        while (r.format->load(of, &b, &e) == LOAD_ROWS) {
            format_parse(of, &b);
            for (size_t c = 0; c < of->table.nchannel; c++)
                for (size_t row = 0; row < b.nrow; row++)
                    block_out(&b, c)[row] = 0.75 * block_value(&b, c)[row] + 0.125;
            w.format->print(&w, &b);
            good = good && b.error.kind == ERROR_NONE;
        }
        good = good && w.format->finish(&w, &b, &e);
        free(layout.added);
        free(layout.replace);
    }
    if (good) {
        input = (const uint8_t *)b.bytes, ninput = b.nbyte, chunk = SIZE_MAX;
        require(again.format->open(&again, &e) && again.table.ncolumn == ncolumn);
        again.format->close(&again);
        table_free(&again.table);
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
    change_tables(data + 2, n - 2);
    free(try_all(data, n, false, &good).bytes);
    return 0;
}
