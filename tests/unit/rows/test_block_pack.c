/* Blocks that wait: what is packed comes back to the last bit. */
#include "unit/harness.h"

#include "rows/block.h"
#include <math.h>

enum { ROWS = 300, CELLS = 3 };

/* Rows of text, with cells as in a file, cells that lie anywhere or are not there, and binary rows. */
static void set_spans(struct block *block)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < ROWS; i++) {
        struct span *cell = block->cell + i * CELLS;
        block->row[i] = (struct span){ at, 10 + i };
        cell[0] = (struct span){ at, 4 };
        cell[1] = (struct span){ at + 5, 2 + i };
        cell[2] = i % 3 == 0 ? (struct span){ UINT32_MAX, 0 } : (struct span){ i % 3 == 1 ? 0 : at / 2, 352 };
        if (i % 50 == 0)
            block->row[i] = (struct span){ 0, 0 };
        at += i % 7 == 0 ? 20000000 : 11 + i;
    }
}

static void set_times(struct block *block, int exp10)
{
    const double unit = pow(10, -exp10);
    for (int64_t i = 0; i < ROWS; i++) {
        int64_t digits = i % 100 == 0 ? -i : 17000000000000000 + 83 * i * i;
        block->time[i] = (struct timestamp){ (double)digits / unit, { digits, exp10, true } };
    }
}

static void make(struct block *block)
{
    const struct block_shape shape = { CELLS, 1, 1, true };
    struct error e;
    assert_true(block_reserve(block, ROWS, shape, &e));
    assert_true(block_reserve_split(block, (struct split_shape){ .steps = true }, &e));
    block->nrow = ROWS;
    block->ntext = UINT32_MAX;
    for (size_t row = 0; row < ROWS; row++)
        block->value[row] = 0.1 * (double)row;
    set_spans(block);
}

static void assert_same_times(const struct timestamp *time, const struct timestamp *expected)
{
    for (size_t i = 0; i < ROWS; i++) {
        assert_memory_equal(&time[i].t, &expected[i].t, sizeof time->t);
        assert_true(time[i].decimal.exact == expected[i].decimal.exact);
        assert_true(time[i].decimal.digits == expected[i].decimal.digits);
        assert_true(time[i].decimal.exp10 == expected[i].decimal.exp10);
    }
}

/* Packs and unpacks a block. Were the times packed? */
static bool there_and_back(struct block *block)
{
    struct span row[ROWS], cell[ROWS * CELLS];
    struct timestamp time[ROWS];
    struct error e;
    memcpy(row, block->row, sizeof row);
    memcpy(cell, block->cell, sizeof cell);
    memcpy(time, block->time, sizeof time);
    block_pack(block, true);
    assert_non_null(block->packed);
    assert_true(!block->row && !block->cell && block->T);
    const bool timed = !block->time;
    for (size_t i = 0; i < ROWS; i += 7)
        assert_true(block_row(block, i).at == row[i].at && block_row(block, i).n == row[i].n);
    assert_true(block_unpack(block, &e));
    assert_null(block->packed);
    assert_memory_equal(block->row, row, sizeof row);
    assert_memory_equal(block->cell, cell, sizeof cell);
    assert_same_times(block->time, time);
    return timed;
}

static void spans_and_decimal_times_come_back(void **state)
{
    (void)state;
    struct block block = { 0 };
    make(&block);
    for (int exp10 = 0; exp10 >= -99; exp10--) {
        set_times(&block, exp10);
        assert_true(there_and_back(&block) || exp10 < -22); /* 10^22 is the last power that is a double */
    }
    block_free(&block);
}

static void other_times_stay(void **state)
{
    (void)state;
    struct block block = { 0 };
    make(&block);
    for (int kind = 0; kind < 5; kind++) {
        set_times(&block, kind == 0 ? 2 : -3);
        struct timestamp *time = &block.time[ROWS - 1];
        if (kind == 1)
            *time = (struct timestamp){ 0.1, { 0, 0, false } };
        else if (kind == 2)
            time->decimal = (struct number_decimal){ 0, -4, true };
        else if (kind == 3)
            *time = (struct timestamp){ -0.0, { 0, -3, true } };
        else if (kind == 4)
            time->t = nextafter(time->t, 0);
        assert_false(there_and_back(&block));
    }
    block_free(&block);
}

/* A packed block is cut before a bad row, and filled anew. */
static void a_packed_block_is_cut_and_filled(void **state)
{
    (void)state;
    struct block block = { 0 };
    struct error e;
    make(&block);
    set_times(&block, -4);
    const struct span row = block.row[200];
    block_pack(&block, false);
    assert_null(block.T);
    block_end_before(&block, 200);
    assert_true(block.nrow == 200 && block.ntext == row.at);
    assert_true(block_unpack(&block, &e) &&
                block.time[199].decimal.digits == 17000000000000000 + 83 * 199 * 199);
    block_pack(&block, false);
    make(&block);
    assert_true(block.row && block.cell && block.time && block.T && !block.packed);
    block_free(&block);
}

/* Values of 16 bits are packed, also as parts of 2^15; others stay. All come back, to the sign of 0. */
static void values_of_16_bits_are_packed(void **state)
{
    (void)state;
    static const double odd[] = { 0, 32767, -32768, 32768, -32769, 0.5, 0.3, -0.0, NAN, INFINITY };
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        for (int wide = 0; wide < 2; wide++) {
            struct block block = { 0 };
            struct error e;
            double unit = wide ? 1 : 0x1p-15, got[ROWS];
            make(&block);
            set_times(&block, -4);
            for (int row = 0; row < ROWS; row++)
                block.value[row] = (row - 150) * unit;
            const double put = block.value[7] = odd[i] * unit;
            block_trim(&block);
            block_pack(&block, false);
            assert_int_equal(block.value == NULL, i < 3);
            block_copy_goals(&block, 0, 0, ROWS, got);
            assert_memory_equal(&got[7], &put, sizeof put);
            assert_true(got[200] == 50 * unit);
            assert_true(block_unpack(&block, &e) && block.value && !block.value16);
            assert_memory_equal(block.value, got, sizeof got);
            block_free(&block);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spans_and_decimal_times_come_back),
        cmocka_unit_test(other_times_stay),
        cmocka_unit_test(a_packed_block_is_cut_and_filled),
        cmocka_unit_test(values_of_16_bits_are_packed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
