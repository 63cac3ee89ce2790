/* bvh, trc, sto ("mot" is the same with another suffix) and qualisys from any bytes. See flow.h. */
#include "flow.h"
#include "formats/motion/motion.h"

/* Leaves the number of rows in the header as it is, so that rows do not wait in a file. */
static bool open_without_count(struct reader *r, struct error *e)
{
    if (!motion_open(r, e))
        return false;
    ((struct motion *)r->state)->field[MOTION_ROWS].n = 0;
    return true;
}

static struct result run(const uint8_t *data, size_t n, unsigned how, bool replace, size_t piece)
{
    static const char *const formats[] = { "bvh", "trc", "sto", "qualisys" };
    struct input_options options = { .decimal = how & 4 ? "," : NULL, .missing = how & 8 ? "0,b" : NULL };
    struct column_choice choice = {
        .time_unit = -1, .rate = how & 16, .all_cells = how & 32, .columns = how & 64 ? "2" : NULL
    };
    struct format format = *format_find(formats[how % (sizeof formats / sizeof *formats)]);
    format.open = open_without_count;
    struct reader r = { .format = &format, .options = &options, .lenient = how & 128 };
    struct writer w = { .format = how & 32 && replace ? format_find("csv") : r.format,
                        .number = { NUMBER_SHORTEST, how & 4 ? ',' : '.' } };
    return flow(data, n, piece, &r, &w, &choice, replace, false);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    bool good;
    if (n >= 2)
        free(try_all(data, n, false, &good).bytes);
    return 0;
}
