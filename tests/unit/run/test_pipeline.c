/* The loop itself: whose fault is returned, and with which line, however many blocks are under way. The input
 * is csv; its reader's load is told to fail, or to hold a bad row, at a given block. */
#include "run/pipeline.h"
#include "series/core.h"
#include "unit/harness.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ROWS = 200000, MANY = 9 /* blocks, fewer than there are */ };

static const struct format *csv;
static size_t nload, last; /* blocks so far, and until load has its fault */
static uint64_t nline;     /* in the blocks that were loaded */

/* So many blocks, then a fault in the third line of what would follow. */
static enum loaded load(struct reader *r, struct block *b, struct error *e)
{
    if (nload++ == last) {
        error_data(e, "nothing more can be read");
        error_place(e, 3);
        return LOAD_ERROR;
    }
    enum loaded loaded = csv->load(r, b, e);
    nline += b->nline;
    return loaded;
}

/* Rows "i,i"; row bad (from 0; ROWS: none) holds a word. */
static int make_input(size_t bad)
{
    int fd = memfd_create("test", 0);
    FILE *f = fdopen(dup(fd), "w");
    fputs("time,x\n", f);
    for (size_t i = 0; i < ROWS; i++)
        fprintf(f, i == bad ? "%zu,word\n" : "%zu,%zu\n", i, i);
    fclose(f);
    lseek(fd, 0, SEEK_SET);
    return fd;
}

static void print(const struct writer *w, struct block *b)
{
    (void)w;
    (void)b;
}

static bool store(struct writer *w, struct block *b, struct error *e)
{
    (void)w;
    (void)b;
    (void)e;
    return true;
}

/* The error's line. */
static uint64_t run(size_t bad, size_t nthread)
{
    struct error e = { .kind = ERROR_NONE };
    struct source source = { .fd = make_input(bad), .name = "test", .regular = true };
    struct input_options input = { .delimiter = NULL };
    struct format format = *(csv = format_find("csv"));
    struct reader r = { .format = &format, .source = &source, .options = &input };
    struct column_choice choice = { .time = NULL };
    const struct filter *filter = filter_find("damper");
    void *settings = harness_good(filter, "halflife=1");
    struct series_settings series = { 0 };
    struct groups groups = { 0 };
    format.load = load;
    nload = nline = 0;
    assert_true(format.open(&r, &e) && table_plan(&r.table, &choice, &e));
    r.nout = r.table.nchannel;
    assert_true(format.bind(&r, &e));
    const struct numbers cuts = { 0 };
    const struct units units = { .at = &(struct unit){ .kind = &unit_number, .n = 1 },
                                 .n = 1,
                                 .of = &(size_t){ 0 } };
    struct channel_count count = { 0 };
    struct core core = { .input = { &r, &r.table, &series, 0, &cuts, &units, &groups },
                         .filter = filter,
                         .settings = settings,
                         .despike = (double)NAN,
                         .detect = (double)NAN,
                         .count = &count };
    struct writer w = { .format = &(const struct format){ .print = print, .store = store } };
    struct filter_job_task task = { .nthread = nthread };
    assert_true(core_open(&core, &e));
    const struct stage stage = core_stage(&core);
    struct pipeline p = { .reader = &r, .writer = &w, .stage = &stage, .nstage = 1, .task = &task };
    assert_non_null(task.pool = pool_open(nthread - 1));
    assert_false(pipeline_run(&p, &e));
    pool_close(task.pool);
    core_close(&core);
    groups_free(&groups);
    format.close(&r);
    table_free(&r.table);
    close(source.fd);
    free(settings);
    return e.line;
}

static void a_fault_of_load_has_the_line_behind_all_blocks(void **state)
{
    (void)state;
    for (size_t nthread = 1; nthread <= 4; nthread++)
        for (last = 0; last <= MANY; last++) {
            uint64_t line = run(ROWS, nthread);
            assert_true(nload == last + 1 && nline < ROWS);
            assert_int_equal(line, 1 + nline + 3);
        }
}

static void a_fault_of_an_earlier_row_comes_first(void **state)
{
    (void)state;
    last = MANY;
    for (size_t nthread = 1; nthread <= 4; nthread++) {
        assert_int_equal(run(10, nthread), 12);
        assert_int_equal(run(50000, nthread), 50002);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fault_of_load_has_the_line_behind_all_blocks),
        cmocka_unit_test(a_fault_of_an_earlier_row_comes_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
