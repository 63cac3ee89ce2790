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
    struct groups all = { 0 };
    char key[32];
    for (int turn = 0; turn < 2; turn++)
        for (size_t i = 0; i < N; i++) {
            snprintf(key, sizeof key, "%zu", i);
            assert_int_equal(get(&all, key)->number, i);
        }
    assert_int_equal(get(&all, "")->number, N);
    assert_int_equal(groups_get(&all, "12345", 3)->number, 123);
    assert_int_equal(groups_get(&all, "1\0", 2)->number, N + 1);
    assert_int_equal(all.ngroup, N + 2);
    groups_free(&all);
}

static void rows_are_kept_until_the_block_ends(void **state)
{
    (void)state;
    struct groups all = { 0 };
    struct group *a = get(&all, "a"), *b = get(&all, "b");
    for (int block = 0; block < 2; block++) {
        assert_true(groups_touch(&all, b, 0));
        for (size_t row = 1; row < 100; row++)
            assert_true(groups_touch(&all, a, row));
        assert_true(groups_touch(&all, b, 100));
        assert_int_equal(all.ntouched, 2);
        assert_ptr_equal(all.touched[0], b);
        assert_int_equal(a->nrow, 99);
        assert_int_equal(a->row[98], 99);
        assert_int_equal(b->nrow, 2);
        assert_int_equal(b->row[1], 100);
        groups_rest(&all);
        assert_int_equal(all.ntouched, 0);
        assert_int_equal(a->nrow, 0);
    }
    groups_free(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_with_the_same_hash_are_different_groups),
        cmocka_unit_test(each_key_is_one_group_however_many_there_are),
        cmocka_unit_test(rows_are_kept_until_the_block_ends),
    };
    return cmocka_run_group_tests_name("groups", tests, NULL, NULL);
}
