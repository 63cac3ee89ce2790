/* A reader over a reader, with a stage that is told how long blocks wait and which row is bad. The reader
 * below gives blocks of so many rows, a line each; the numbers of rows are their values. */
#include "series/stage.h"
#include "unit/harness.h"

#include <string.h>

enum { HEAD = 2 /* lines before the rows */, NONE = 1000, MAXROW = 100 };

/* The reader below. */
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
    assert_true(block_reserve(b, b->nline, 1, 1, 1, true, e) && block_reserve_text(b, 2 * b->nline + 1, e));
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
            error_data(&b->error, "this is no number");
            error_place(&b->error, i + 1);
            b->ntext = 2 * i;
            break;
        }
        b->nrow++;
    }
    nline += b->nline;
}

static const char *cell(const struct reader *r, const struct block *b, size_t row, size_t column, char *buf,
                        size_t maxbuf, size_t *n)
{
    (void)r, (void)column, (void)buf, (void)maxbuf;
    *n = 1;
    return b->text + b->row[row].at;
}

static const struct format below = {
    .name = "below", .family = FAMILY_AUDIO, .load = load, .parse = parse, .cell = cell
};

/* The stage: adds 0.5 to every goal of a block when `wait` more blocks have come. */
struct fake {
    size_t wait, bad; /* a bad row is found when its block is decided */
    struct block *block[MAXROW];
    size_t nblock, ndecided;
    uint64_t nrow;
    size_t ngiven;
};

static struct block *decide(struct fake *f)
{
    struct block *b = f->block[f->ndecided++];
    b->pending = 0;
    for (size_t i = 0; i < b->nrow; i++) {
        if (b->firstrow + i == f->bad) {
            b->nrow = i;
            error_data(&b->error, "a bad row");
            error_place(&b->error, i + 1);
            return b;
        }
        block_goal(b, 0)[i] += 0.5;
    }
    return NULL;
}

static struct block *take(void *closure, struct block *b)
{
    struct fake *f = closure;
    assert_int_equal(b->firstrow, f->nrow);
    assert_int_equal(b->firstline, HEAD + 1 + f->nrow);
    f->nrow += b->nrow;
    b->pending = b->nrow;
    f->block[f->nblock++] = b;
    return f->nblock - f->ndecided <= f->wait ? NULL : decide(f);
}

/* Blocks behind a bad row are still there: a stage may touch what it holds of them. */
static struct block *finish(void *closure)
{
    struct fake *f = closure;
    for (size_t i = f->ndecided; i < f->nblock; i++)
        for (size_t j = 0; j < f->block[i]->nrow; j++)
            block_out(f->block[i], 0)[j] = 0;
    struct block *faulty = NULL;
    while (f->ndecided < f->nblock && !faulty)
        faulty = decide(f);
    return faulty;
}

static void give(void *closure, struct block *b)
{
    struct fake *f = closure;
    assert_int_equal(b->pending, 0);
    f->ngiven++;
}

/* What came out of the reader on top. */
struct result {
    size_t nrow, nblock, nempty, nline;
    uint64_t line; /* of the error in the input; 0: there was none */
    struct error error;
};

/* Reads all, n stages one upon the other. */
static struct result run(const size_t *blocks, struct fake *fake, size_t n)
{
    struct reader r[4] = { { .format = &below, .columns.nchannel = 1, .nline = HEAD } };
    struct result result = { .nline = HEAD };
    struct error e = { .kind = ERROR_NONE };
    struct block b;
    b = (struct block){ 0 };
    script = blocks;
    nload = nline = 0;
    for (size_t i = 0; i < n; i++) {
        struct stage stage = { take, finish, give, &fake[i] };
        assert_true(stage_open(&r[i + 1], &r[i], &stage, &e));
    }
    assert_int_equal(r[n].columns.nchannel, 1);
    assert_int_equal(r[n].format->family, FAMILY_AUDIO);
    enum loaded loaded;
    for (;;) {
        b.error.kind = ERROR_NONE;
        b.ntext = b.nrow = 0;
        loaded = r[n].format->load(&r[n], &b, &e);
        if (loaded != LOAD_ROWS)
            break;
        r[n].format->parse(&r[n], &b);
        size_t ntext;
        for (size_t i = 0; i < b.nrow; i++) {
            assert_true(block_value(&b, 0)[i] == (double)result.nrow);
            assert_true(block_goal(&b, 0)[i] == (double)result.nrow++ + 0.5 * (double)n);
            assert_memory_equal(r[n].format->cell(&r[n], &b, i, 0, NULL, 0, &ntext), "x", 1);
        }
        assert_int_equal(b.ntext, 2 * b.nrow);
        result.nblock += b.nrow > 0;
        result.nempty += b.nrow == 0;
        if (b.error.kind != ERROR_NONE) {
            e = b.error;
            break;
        }
        result.nline += b.nline;
    }
    if (e.kind != ERROR_NONE) {
        result.line = result.nline + e.line;
        result.error = e;
    }
    block_free(&b);
    while (n > 0)
        stage_close(&r[n--]);
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
        struct fake fake[3] = { waits(wait, NONE), waits(2, NONE), waits(wait, NONE) };
        struct result one = run(five, fake, 1);
        assert_true(one.nrow == 15 && one.nblock == 5 && one.line == 0 && fake[0].ngiven == 5);
        fake[0] = waits(wait, NONE);
        struct result three = run(five, fake, 3);
        assert_true(three.nrow == 15 && three.nblock == 5 && three.line == 0 && three.nline == HEAD + 15);
    }
}

static void decided_blocks_are_given_before_more_is_loaded(void **state)
{
    (void)state;
    unparsed = NONE;
    for (size_t wait = 0; wait < 5; wait++) {
        struct fake fake = waits(wait, NONE);
        struct result r = run(five, &fake, 1);
        assert_int_equal(r.nempty, wait); /* one for each block that came too early */
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
                assert_string_equal(r.error.text, bad < unparsed ? "a bad row" : "this is no number");
            }
}

static void a_fault_of_load_comes_after_all_rows(void **state)
{
    (void)state;
    unparsed = NONE;
    breaks = true;
    for (size_t wait = 0; wait < 7; wait++) {
        struct fake fake[3] = { waits(wait, NONE), waits(3, NONE), waits(0, NONE) };
        struct result r = run(five, fake, 3);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_comes_once_and_in_order),
        cmocka_unit_test(decided_blocks_are_given_before_more_is_loaded),
        cmocka_unit_test(a_bad_row_ends_the_series_before_it),
        cmocka_unit_test(the_first_of_two_bad_rows_counts),
        cmocka_unit_test(a_fault_of_load_comes_after_all_rows),
        cmocka_unit_test(blocks_without_rows_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
