/* The operators that find spikes and fill gaps, with blocks made by hand: which goals are set, and how long
 * rows are pending. */
#include "series/clean/despike.h"
#include "series/clean/fill.h"
#include "series/split.h"
#include "unit/harness.h"

#include <math.h>

enum { MAXBLOCK = 64 };

static struct reader reader;
static struct split split;
static struct series_settings settings;
static struct block block[MAXBLOCK];
static size_t nblock;
static struct clean_count count;
static struct operator* despike; /* NULL: no spikes are looked for */
static struct operator* fill;
static size_t nfill; /* number of blocks that fill has taken */

/* rate: rows per second; 0: rows have times. */
static void begin_at(double rate, int gaps, const struct spikes_settings *spikes, struct gap_limit limit)
{
    static struct unit unit = { .n = 1 };
    static const struct units units = { .at = &unit, .n = 1 };
    static const struct cuts cuts;
    static const struct column_plan plan = { .nchannel = 1, .nvalue = 1, .cut = COLUMN_NONE };
    struct series_rows in = { &reader, &plan, &settings, rate, &cuts, &units, &split.groups };
    struct error e;
    settings = (struct series_settings){ .gaps = gaps, .max_gap = limit, .forget = (double)NAN };
    reader.plan = &plan;
    split_open(&split, &in);
    nblock = nfill = 0;
    fill = fill_open(&in, spikes_rows(spikes), &count, &e);
    assert_non_null(fill);
    despike = isnan(spikes->factor) ? NULL : despike_open(&in, spikes, fill, &e);
    assert_true(despike || isnan(spikes->factor));
}

static void begin(int gaps, double factor, long window, struct gap_limit limit)
{
    begin_at(10, gaps, &(struct spikes_settings){ factor, window }, limit);
}

/* Hands the blocks that despike has decided to fill. */
static void pass_on(void)
{
    for (; nfill < nblock && block[nfill].pending == 0; nfill++)
        assert_null(operator_stage(fill).take(fill, &block[nfill]));
}

/* Takes n values as one block. time: [n] whole seconds; NULL: rows have no times. */
static void take_at(const double *time, const double *value, size_t n)
{
    struct block *b = &block[nblock++];
    struct error e;
    *b = (struct block){ 0 };
    const struct block_shape shape = { .nvalue = 1, .nout = 1, .times = time != NULL };
    assert_true(block_reserve(b, n, shape, &e));
    b->nrow = n;
    memcpy(block_value(b, 0), value, n * sizeof *value);
    for (size_t i = 0; time && i < n; i++)
        b->time[i] = (struct timestamp){ time[i], { (int64_t)time[i], 0, true } };
    assert_true(!split_take(&split, b) && block_make_goals(b, 1, &e));
    assert_true(!despike || !operator_stage(despike).take(despike, b));
    pass_on();
}

static void take(const double *value, size_t n)
{
    take_at(NULL, value, n);
}

static size_t pending(void)
{
    size_t n = 0;
    for (size_t i = 0; i < nblock; i++)
        n += block[i].pending;
    return n;
}

static void finish(struct operator* c)
{
    struct block *faulty = NULL;
    while (!operator_stage(c).finish(c, true, &faulty))
        continue;
    assert_null(faulty);
}

static void end(void)
{
    if (despike) {
        finish(despike);
        for (size_t i = nfill; i < nblock; i++)
            assert_int_equal(block[i].pending, 0);
    }
    pass_on();
    finish(fill);
    assert_int_equal(pending(), 0);
    operator_close(fill);
    operator_close(despike);
    split_close(&split);
}

static void drop_blocks(void)
{
    while (nblock > 0)
        block_free(&block[--nblock]);
}

static void rows_wait_for_the_end_of_a_gap(void **state)
{
    (void)state;
    const double value[] = { 0, 1, NAN, NAN, 16, 25, 36, NAN, 64, NAN, NAN };
    const size_t cubic[] = { 0, 0, 1, 2, 3, 0, 0, 1, 2, 3, 4 }, line[] = { 0, 0, 1, 2, 0, 0, 0, 1, 0, 1, 2 };
    for (int gaps = GAPS_LINEAR; gaps <= GAPS_CUBIC; gaps++) {
        begin(gaps, (double)NAN, -1, (struct gap_limit){ GAP_UNLIMITED, 0 });
        for (size_t i = 0; i < 11; i++) {
            take(&value[i], 1);
            /* After the first gap's end a gap decides as well: row 9. */
            assert_int_equal(pending(), gaps == GAPS_LINEAR ? line[i] : i == 9 ? 1 : i == 10 ? 2 : cubic[i]);
        }
        end();
        if (gaps == GAPS_CUBIC)
            for (size_t i = 0; i < 9; i++)
                assert_true(fabs(block_goal(&block[i], 0)[0] - (double)(i * i)) < 1e-13);
        assert_true(isnan(block_goal(&block[9], 0)[0]) && isnan(block_value(&block[2], 0)[0]));
        drop_blocks();
    }
}

static void rows_of_a_long_gap_do_not_wait(void **state)
{
    (void)state;
    const double value[] = { 0, NAN, NAN, NAN, NAN, NAN, 6, NAN, 8 };
    const size_t wait[] = { 0, 1, 2, 0, 0, 0, 0, 1, 0 };
    const struct gap_limit limits[] = { { GAP_ROWS, 2 }, { GAP_SECONDS, 0.25 } };
    for (size_t k = 0; k < 2; k++) {
        begin(GAPS_LINEAR, (double)NAN, -1, limits[k]);
        for (size_t i = 0; i < 9; i++) {
            take(&value[i], 1);
            assert_int_equal(pending(), wait[i]);
        }
        end();
        assert_true(isnan(block_goal(&block[3], 0)[0]) && block_goal(&block[7], 0)[0] == 7);
        drop_blocks();
    }
}

/* A ramp of 40 rows with a spike in row 20 and a gap in row 22, in blocks of n rows. */
static void with_a_spike(size_t n, double spike, int gaps)
{
    enum { WINDOW = 5 }; /* rows after a row */
    begin(gaps, 5, WINDOW, (struct gap_limit){ GAP_UNLIMITED, 0 });
    double value[40];
    for (size_t i = 0; i < 40; i++)
        value[i] = i == 20 ? spike : i == 22 ? (double)NAN : (double)i + 1e-3 * sin((double)(i * i));
    for (size_t i = 0; i < 40; i += n) {
        take(value + i, n);
        /* the window, and a stretch that is judged together; and the rows from the spike on, until the gap
         * after the spike is judged */
        size_t most = WINDOW + SPIKES_STRETCH - 1 + (i < 20 + WINDOW ? 0 : 3);
        assert_true(n > 1 || i < WINDOW || (pending() >= WINDOW && pending() <= most));
    }
    end();
    for (size_t i = 0; i < 40; i++) {
        double goal = block_goal(&block[i / n], 0)[i % n];
        if (i == 20 || (i == 22 && gaps == GAPS_CUBIC))
            assert_true(fabs(goal - (double)i) < 0.01);
        else
            assert_true(goal == value[i] || (isnan(goal) && isnan(value[i])));
    }
    drop_blocks();
}

static void spikes_are_bridged_in_any_blocks(void **state)
{
    (void)state;
    for (size_t n = 1; n <= 40; n++)
        if (40 % n == 0) {
            with_a_spike(n, 500, GAPS_KEEP);
            with_a_spike(n, -3, GAPS_CUBIC);
        }
}

/* Of two samples at one time the first counts, for the slopes of the curve over a gap as well. The samples
 * lie on t^3: at t = 3 the cubic Hermite curve with the slopes of the parabolas through the samples at 1, 2,
 * 4 and at 2, 4, 5 is (8 + 64) / 2 + 2 * (14 - 50) / 8 = 27. */
static void samples_at_one_time(void **state)
{
    (void)state;
    const double time[] = { 0, 1, 2, 2, 3, 4, 5 }, value[] = { 0, 1, 8, 70, NAN, 64, 125 };
    for (size_t n = 1; n <= 7; n += 6) { /* rows of a block */
        const struct spikes_settings no_spikes = { (double)NAN, -1 };
        begin_at(0, GAPS_CUBIC, &no_spikes, (struct gap_limit){ GAP_UNLIMITED, 0 });
        for (size_t i = 0; i < 7; i += n)
            take_at(time + i, value + i, n);
        end();
        assert_true(fabs(block_goal(&block[4 / n], 0)[4 % n] - 27) < 1e-12);
        drop_blocks();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_wait_for_the_end_of_a_gap),
        cmocka_unit_test(rows_of_a_long_gap_do_not_wait),
        cmocka_unit_test(spikes_are_bridged_in_any_blocks),
        cmocka_unit_test(samples_at_one_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
