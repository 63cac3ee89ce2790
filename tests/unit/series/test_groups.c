/* The table of groups: which keys are one group, also where their hashes are equal; rows of the block. */
#include "series/groups.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static struct group *get(struct groups *all, const char *key)
{
    struct group *g = groups_get(all, key, strlen(key));
    assert_non_null(g);
    return g;
}

/* The case on --group-by in cases/series/series.bats has these keys, too: with another hash they must be
 * replaced. */
static void keys_with_the_same_hash_are_different_groups(void **state)
{
    (void)state;
    struct groups all = { 0 };
    struct group *a = get(&all, "actor-336v8b64upvd"), *b = get(&all, "actor-094r2h86ae9u");
    assert_true(a->hash == b->hash);
    assert_ptr_not_equal(a, b);
    assert_ptr_equal(get(&all, "actor-336v8b64upvd"), a);
    assert_ptr_equal(get(&all, "actor-094r2h86ae9u"), b);
    assert_int_equal(all.ngroup, 2);
    groups_free(&all);
}

static void each_key_is_one_group_however_many_there_are(void **state)
{
    (void)state;
    enum { N = 5000 };
    static struct group *group[N];
    struct groups all = { 0 };
    char key[32];
    for (int turn = 0; turn < 2; turn++)
        for (size_t i = 0; i < N; i++) {
            snprintf(key, sizeof key, "%zu", i);
            struct group *g = get(&all, key);
            assert_true(turn == 0 || g == group[i]);
            group[i] = g;
            assert_int_equal(all.ngroup, turn == 0 ? i + 1 : N);
        }
    assert_ptr_equal(groups_get(&all, "12345", 3), group[123]);
    assert_non_null(groups_get(&all, "1\0", 2));
    assert_int_equal(all.ngroup, N + 1);
    size_t n = 0;
    for (struct group *g = groups_each(&all, NULL); g; g = groups_each(&all, g))
        n++;
    assert_int_equal(n, N + 1);
    groups_free(&all);
}

static const char *cell(const struct reader *r, const struct block *b, size_t row, size_t column, char *buf,
                        size_t maxbuf, size_t *ntext)
{
    (void)r, (void)column, (void)buf, (void)maxbuf;
    *ntext = b->cell[row].n;
    return b->text + b->cell[row].at;
}

static void a_block_is_sorted_by_group(void **state)
{
    (void)state;
    enum { N = 101 };
    struct groups all = { 0 };
    struct error e;
    char text[N + 1];
    struct span cells[N];
    static const struct format format = { .cell = cell };
    struct column column = { .cell = 0 };
    struct reader r = { .format = &format, .columns = { .column = &column, .ncolumn = 1, .group = 0 } };
    struct block b = { .text = text, .ntext = N, .nrow = N, .ncell = 1, .cell = cells };
    memset(text, 'a', N + 1);
    text[0] = text[N - 1] = 'b';
    for (uint32_t i = 0; i < N; i++)
        cells[i] = (struct span){ i, 1 };
    for (int block = 0; block < 2; block++) {
        assert_true(groups_sort(&all, &r, &b, &e));
        assert_int_equal(all.ntouched, 2);
        assert_ptr_equal(all.touched[0], get(&all, "b"));
        assert_int_equal(all.touched[0]->nrow, 2);
        assert_int_equal(all.touched[0]->row[1], N - 1);
        assert_int_equal(all.touched[1]->nrow, N - 2);
        assert_int_equal(all.touched[1]->row[N - 3], N - 2);
    }
    groups_free(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_with_the_same_hash_are_different_groups),
        cmocka_unit_test(each_key_is_one_group_however_many_there_are),
        cmocka_unit_test(a_block_is_sorted_by_group),
    };
    return cmocka_run_group_tests_name("groups", tests, NULL, NULL);
}
