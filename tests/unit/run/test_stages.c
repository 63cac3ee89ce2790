/* The stages of a pipeline: each is told how long blocks wait and which row is bad. The reader gives blocks
 * of so many rows, a line each; the numbers of rows are their values. */
#include "run/pipeline.h"
#include "unit/harness.h"

#include <string.h>
#include <unistd.h>

enum { HEAD = 2 /* lines before the rows */, NONE = 1000, MAXROW = 100 };

static const struct block_shape shape = { .ncell = 1, .nvalue = 1, .nout = 1, .times = true };

/* The reader. */
static const size_t *script; /* rows of each block, NONE at the end */
static size_t nload, nline;  /* so far */
static size_t unparsed;      /* row that cannot be parsed; NONE: none */
static bool breaks;          /* load fails after the last block, in the third line behind it */

static enum loaded load(struct reader *r, struct block *b, struct error *e)
{
    (void)r;
    if (script[nload] == NONE) {
        if (!breaks)
            return LOAD_END;
        error_data(e, "nothing more can be read");
        error_place(e, 3);
        return LOAD_ERROR;
    }
    b->nline = script[nload++];
    assert_true(block_reserve(b, b->nline, shape, e) && block_reserve_text(b, 2 * b->nline + 1, e));
    b->ntext = 2 * b->nline;
    b->eol = '\n';
    return LOAD_ROWS;
}

static void parse(const struct reader *r, struct block *b)
{
    (void)r;
    for (size_t i = 0; i < b->nline; i++) {
        memcpy(b->text + 2 * i, "x\n", 2);
        b->row[i] = b->cell[i] = (struct span){ (uint32_t)(2 * i), 1 };
        block_value(b, 0)[i] = (double)(nline + i);
        if (nline + i == unparsed) {
            error_data(&b->error, "this is not a number");
            error_place(&b->error, i + 1);
            b->ntext = 2 * i;
            break;
        }
        b->nrow++;
    }
    nline += b->nline;
}

static const struct format rows_of_numbers = { .name = "rows", .load = load, .parse = parse };

/* The stage: adds 0.5 to every number of a block when `wait` more blocks have come. */
struct fake {
    size_t wait, bad; /* a bad row is found when its block is decided */
    struct block *block[MAXROW];
    size_t nblock, ndecided;
    uint64_t nrow;
};

static struct block *decide(struct fake *f)
{
    struct block *b = f->block[f->ndecided++];
    b->pending = 0;
    for (size_t i = 0; i < b->nrow; i++) {
        if (b->firstrow + i == f->bad) {
            block_end_before(b, i);
            error_data(&b->error, "a bad row");
            error_place(&b->error, i + 1);
            return b;
        }
        block_value(b, 0)[i] += 0.5;
    }
    return NULL;
}

static struct block *take(void *state, struct block *b)
{
    struct fake *f = state;
    assert_int_equal(b->firstrow, f->nrow);
    assert_int_equal(b->firstline, HEAD + 1 + f->nrow);
    f->nrow += b->nrow;
    b->pending = b->nrow;
    f->block[f->nblock++] = b;
    return f->nblock - f->ndecided <= f->wait ? NULL : decide(f);
}

/* Decides the other blocks. Blocks behind a bad row are still there: a stage may touch what it holds of them.
 */
static struct block *finish(void *state, bool whole)
{
    struct fake *f = state;
    struct block *faulty = NULL;
    (void)whole;
    for (size_t i = f->ndecided; i < f->nblock; i++)
        for (size_t j = 0; j < f->block[i]->nrow; j++)
            block_out(f->block[i], 0)[j] = 0;
    while (f->ndecided < f->nblock && !faulty)
        faulty = decide(f);
    return faulty;
}

/* What was written. */
struct result {
    size_t nrow, nblock;
    uint64_t line; /* of the error in the input; 0: there was none */
    struct error error;
};

static struct result result;
static size_t nstage;
static size_t most_loaded; /* blocks that had been loaded, but not written, when one was written */

static void print(const struct writer *w, struct block *b)
{
    (void)w, (void)b;
}

static bool store(struct writer *w, struct block *b, struct error *e)
{
    (void)w, (void)e;
    for (size_t i = 0; i < b->nrow; i++) {
        assert_true(block_value(b, 0)[i] == (double)result.nrow++ + 0.5 * (double)nstage);
    }
    assert_int_equal(b->ntext, 2 * b->nrow);
    result.nblock += b->nrow > 0;
    if (nload - result.nblock > most_loaded)
        most_loaded = nload - result.nblock;
    return true;
}

#define one_channel                                                                                          \
    {                                                                                                        \
        .nchannel = 1, .time = COLUMN_NONE                                                                   \
    }

/* Runs all with that list of stages, on so many threads. */
static void run_list(const size_t *blocks, const struct stage *stage, size_t n, size_t nthread)
{
    struct reader r = { .format = &rows_of_numbers,
                        .table = one_channel,
                        .options = &(struct input_options){ .missing = NULL },
                        .nline = HEAD };
    int quiet[2]; /* a pipe from which nothing comes: load is called when nothing else is left to do */
    assert_int_equal(pipe(quiet), 0);
    struct source source = { .name = "test", .fd = quiet[0] };
    struct writer w = { .format = &(const struct format){ .print = print, .store = store } };
    struct filter_job_task task = { .nthread = nthread };
    struct pipeline p = { .reader = &r, .writer = &w, .stage = stage, .nstage = n, .task = &task };
    struct error e = { .kind = ERROR_NONE };
    result = (struct result){ 0 };
    script = blocks;
    nload = nline = most_loaded = 0;
    r.source = &source;
    assert_non_null(task.pool = pool_open(nthread - 1));
    bool good = pipeline_run(&p, &e);
    assert_int_equal(good, e.kind == ERROR_NONE);
    result.line = good ? 0 : e.line;
    result.error = e;
    pool_close(task.pool);
    close(quiet[0]);
    close(quiet[1]);
}

/* The first n fake stages. */
static struct result run(const size_t *blocks, struct fake *fake, size_t n)
{
    struct stage stage[2];
    for (size_t i = 0; i < n; i++)
        stage[i] = (struct stage){ take, finish, .state = &fake[i] };
    nstage = n;
    run_list(blocks, stage, n, 1);
    return result;
}

static struct fake waits(size_t wait, size_t bad)
{
    return (struct fake){ .wait = wait, .bad = bad };
}

static const size_t five[] = { 3, 1, 4, 2, 5, NONE };

static void every_row_comes_once_and_in_order(void **state)
{
    (void)state;
    unparsed = NONE;
    for (size_t wait = 0; wait < 8; wait++) {
        struct fake fake[2] = { waits(wait, NONE), waits(2, NONE) };
        struct result one = run(five, fake, 1);
        assert_true(one.nrow == 15 && one.nblock == 5 && one.line == 0);
        fake[0] = waits(wait, NONE);
        struct result both = run(five, fake, 2);
        assert_true(both.nrow == 15 && both.nblock == 5 && both.line == 0);
    }
}

static void decided_blocks_are_written_before_more_is_loaded(void **state)
{
    (void)state;
    unparsed = NONE;
    for (size_t wait = 0; wait < 5; wait++) {
        struct fake fake = waits(wait, NONE);
        assert_int_equal(run(five, &fake, 1).nblock, 5);
        assert_int_equal(most_loaded, wait); /* besides the one that is written */
    }
}

static void a_bad_row_ends_the_series_before_it(void **state)
{
    (void)state;
    unparsed = NONE;
    for (size_t wait = 0; wait < 7; wait++)
        for (size_t bad = 0; bad < 15; bad++)
            for (size_t at = 0; at < 2; at++) {
                struct fake fake[2] = { waits(wait, at == 0 ? bad : NONE), waits(1, at ? bad : NONE) };
                struct result r = run(five, fake, 2);
                assert_true(r.nrow == bad && r.line == HEAD + bad + 1);
                assert_string_equal(r.error.text, "a bad row");
            }
}

static void the_first_of_two_bad_rows_counts(void **state)
{
    (void)state;
    for (size_t wait = 0; wait < 7; wait++)
        for (size_t bad = 0; bad < 15; bad++)
            for (unparsed = 0; unparsed < 15; unparsed++) {
                struct fake fake = waits(wait, bad);
                struct result r = run(five, &fake, 1);
                size_t first = bad < unparsed ? bad : unparsed;
                assert_true(r.nrow == first && r.line == HEAD + first + 1);
                assert_string_equal(r.error.text, bad < unparsed ? "a bad row" : "this is not a number");
            }
}

static void a_fault_of_load_comes_after_all_rows(void **state)
{
    (void)state;
    unparsed = NONE;
    breaks = true;
    for (size_t wait = 0; wait < 7; wait++) {
        struct fake fake[2] = { waits(wait, NONE), waits(3, NONE) };
        struct result r = run(five, fake, 2);
        assert_true(r.nrow == 15 && r.line == HEAD + 15 + 3);
        fake[0] = waits(wait, 14);
        r = run(five, fake, 1);
        assert_true(r.nrow == 14 && r.line == HEAD + 15);
    }
    breaks = false;
}

static void blocks_without_rows_do_no_harm(void **state)
{
    (void)state;
    static const size_t nothing[] = { NONE }, empty[] = { 0, 0, 2, 0, 0, 3, 0, NONE };
    unparsed = NONE;
    for (size_t wait = 0; wait < 4; wait++) {
        struct fake fake[2] = { waits(wait, NONE), waits(1, NONE) };
        assert_int_equal(run(nothing, fake, 2).nblock, 0);
        fake[0] = waits(wait, NONE);
        fake[1] = waits(1, NONE);
        assert_int_equal(run(empty, fake, 2).nrow, 5);
        fake[0] = waits(wait, 3);
        assert_int_equal(run(empty, fake, 1).line, HEAD + 4);
    }
}

/* --- a stage that makes blocks: of each row as many rows of the same number, at most two in a block --- */

enum { COPIES = 5 };
static struct block *taken;
static size_t ncopied, bad_copy; /* copies of the block so far; row whose copies cannot be made; NONE: none */

static struct block *take_whole(void *state, struct block *b)
{
    (void)state;
    taken = b;
    ncopied = 0;
    b->pending = b->nrow;
    return NULL;
}

static void make(void *state, struct block *b)
{
    (void)state;
    assert_true(block_reserve(b, 2, shape, &b->error) && block_reserve_text(b, 1, &b->error));
    for (; b->nrow < 2 && ncopied < COPIES * taken->nrow; ncopied++) {
        size_t row = ncopied / COPIES;
        if (taken->firstrow + row == bad_copy) {
            error_data(&b->error, "no copy");
            error_place(&b->error, taken->firstline + row);
            return;
        }
        b->row[b->nrow] = (struct span){ 0, 0 };
        block_value(b, 0)[b->nrow++] = (double)(taken->firstrow + row);
    }
    taken->pending = taken->nrow - ncopied / COPIES;
}

static struct block *waiting[100];
static size_t nheld, nlet;

/* Holds so many blocks back. */
static struct block *hold(void *state, struct block *b)
{
    const size_t *wait = state;
    b->pending = b->nrow;
    waiting[nheld++] = b;
    if (nheld - nlet > *wait)
        waiting[nlet++]->pending = 0;
    return NULL;
}

static struct block *let_go(void *state, bool whole)
{
    (void)state;
    (void)whole;
    return NULL;
}

static bool store_copies(struct writer *w, struct block *b, struct error *e)
{
    (void)w, (void)e;
    for (size_t i = 0; i < b->nrow; i++)
        assert_true(block_value(b, 0)[i] == (double)(result.nrow++ / COPIES));
    return true;
}

/* Behind it stands a stage that holds `wait` blocks back. */
static void made_blocks_go_on_in_order(void **state)
{
    (void)state;
    static const struct format copies = { .print = print, .store = store_copies };
    unparsed = NONE;
    for (size_t nthread = 1; nthread < 4; nthread++)
        for (size_t wait = 0; wait < 90; wait += 17)
            for (bad_copy = 0; bad_copy <= 15; bad_copy++) {
                struct stage stage[] = { { take_whole, .make = make },
                                         { hold, let_go, .state = &(size_t){ wait } } };
                struct reader r = { .format = &rows_of_numbers,
                                    .table = one_channel,
                                    .options = &(struct input_options){ .missing = NULL },
                                    .nline = HEAD };
                struct source source = { .name = "test", .regular = true };
                struct writer w = { .format = &copies };
                struct filter_job_task task = { .nthread = nthread, .pool = pool_open(nthread - 1) };
                struct pipeline p = {
                    .reader = &r, .writer = &w, .stage = stage, .nstage = 2, .task = &task
                };
                struct error e = { .kind = ERROR_NONE };
                r.source = &source;
                result = (struct result){ 0 };
                script = five;
                nload = nline = 0;
                nheld = nlet = 0;
                bool good = pipeline_run(&p, &e);
                assert_int_equal(good, bad_copy == 15);
                assert_int_equal(result.nrow, COPIES * bad_copy);
                assert_true(good || e.line == HEAD + 1 + bad_copy);
                pool_close(task.pool);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_comes_once_and_in_order),
        cmocka_unit_test(decided_blocks_are_written_before_more_is_loaded),
        cmocka_unit_test(a_bad_row_ends_the_series_before_it),
        cmocka_unit_test(the_first_of_two_bad_rows_counts),
        cmocka_unit_test(a_fault_of_load_comes_after_all_rows),
        cmocka_unit_test(blocks_without_rows_do_no_harm),
        cmocka_unit_test(made_blocks_go_on_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
