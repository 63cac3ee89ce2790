/* Names to numbers, beside a search through a list of the same names. */
#include "base/name_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_empty_table_has_no_name(void **state)
{
    (void)state;
    struct name_table table = { 0 };
    assert_true(name_table_find(&table, name_key("x", 1)) == NAME_TABLE_NONE);
    assert_true(name_table_find(&table, name_key(NULL, 0)) == NAME_TABLE_NONE);
    name_table_free(&table);
}

static void test_names_may_be_any_bytes(void **state)
{
    (void)state;
    struct name_table table = { 0 };
    assert_true(name_table_put(&table, name_key("a\0b", 3), 1, NULL));
    assert_true(name_table_put(&table, name_key("a\0c", 3), 2, NULL));
    assert_true(name_table_put(&table, name_key("a", 1), 3, NULL));
    assert_true(name_table_put(&table, name_key("", 0), 4, NULL));
    assert_int_equal(name_table_find(&table, name_key("a\0b", 3)), 1);
    assert_int_equal(name_table_find(&table, name_key("a\0c", 3)), 2);
    assert_int_equal(name_table_find(&table, name_key("abc", 1)), 3);
    assert_int_equal(name_table_find(&table, name_key(NULL, 0)), 4);
    assert_true(name_table_find(&table, name_key("a\0", 2)) == NAME_TABLE_NONE);
    name_table_free(&table);
}

static void test_later_number_replaces(void **state)
{
    (void)state;
    struct name_table table = { 0 };
    assert_true(name_table_put(&table, name_key("x", 1), 1, NULL));
    assert_true(name_table_put(&table, name_key("x", 1), 2, NULL));
    assert_int_equal(table.nentry, 1);
    assert_int_equal(name_table_find(&table, name_key("x", 1)), 2);
    name_table_free(&table);
}

/* Numbers drawn at random are put under random names in random scopes; a plain array of the same size, whose
 * place is the name and scope, says what is found. */
static void test_agrees_with_an_array(void **state)
{
    (void)state;
    enum { NAMES = 500, SCOPES = 40, DRAWS = 60000 };
    static char text[NAMES][8];
    static size_t expected[NAMES][SCOPES];
    struct name_table table = { 0 };
    size_t distinct = 0;
    for (size_t i = 0; i < NAMES; i++)
        snprintf(text[i], sizeof text[i], "ch%zu", i);
    srand(1);
    for (size_t draw = 1; draw <= DRAWS; draw++) {
        size_t name = (size_t)rand() % NAMES, scope = (size_t)rand() % SCOPES;
        struct name_key key = { text[name], strlen(text[name]), scope };
        size_t found = name_table_find(&table, key), there = expected[name][scope];
        assert_true(there ? found == there : found == NAME_TABLE_NONE);
        if (rand() % 2) {
            assert_true(name_table_put(&table, key, draw, NULL));
            distinct += there == 0;
            expected[name][scope] = draw;
        }
        assert_int_equal(table.nentry, distinct);
        assert_true(table.nslot >= 2 * table.nentry);
    }
    assert_true(distinct > NAMES * SCOPES / 2);
    name_table_free(&table);
    assert_int_equal(table.nentry, 0);
}

/* Places that a search passes before it meets its entry, all entries together: of order n, not n * n. */
static void test_searches_are_short(void **state)
{
    (void)state;
    enum { NAMES = 200000 };
    static char text[NAMES][8];
    struct name_table table = { 0 };
    for (size_t i = 0; i < NAMES; i++) {
        snprintf(text[i], sizeof text[i], "%zu", i);
        assert_true(name_table_put(&table, name_key(text[i], strlen(text[i])), i, NULL));
    }
    size_t run = 0, longest = 0;
    for (size_t i = 0; i < table.nslot; i++) {
        run = table.slot[i] ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    assert_true(longest < 1000);
    for (size_t i = 0; i < NAMES; i++)
        assert_int_equal(name_table_find(&table, name_key(text[i], strlen(text[i]))), i);
    name_table_free(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty_table_has_no_name), cmocka_unit_test(test_names_may_be_any_bytes),
        cmocka_unit_test(test_later_number_replaces),   cmocka_unit_test(test_agrees_with_an_array),
        cmocka_unit_test(test_searches_are_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
