/* Files of a command: found again however their names are spelled, also when the table has grown. */
#include "io/file_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_names(void **state)
{
    (void)state;
    assert_true(file_key_of_name("/tmp/x") == file_key_of_name("/tmp/../tmp/./x"));
    assert_true(file_key_of_name("/tmp/x") != file_key_of_name("/tmp/y"));
    assert_true(file_key_of_name("/tmp/x") != file_key_of_name("/x"));
    assert_true(file_key_of_name("x") == file_key_of_name("./x"));
    assert_true(file_key_of_name("no such/x") == file_key_of_name("no such/x"));
    struct port_status a, b;
    assert_true(port_status_of("/tmp", &a) == 0 && port_status_of("/tmp/.", &b) == 0);
    assert_true(file_key(&a) == file_key(&b));
}

static void test_many(void **state)
{
    (void)state;
    struct command_files files;
    command_files_open(&files);
    struct file_table *t = &files.outputs;
    assert_int_equal(file_table_find(t, 5), 0);
    for (uint64_t i = 1; i < 5000; i++)
        assert_int_equal(file_table_claim(t, 2 * i * i + 1, i), i);
    for (uint64_t i = 1; i < 5000; i++) {
        assert_int_equal(file_table_find(t, 2 * i * i + 1), i);
        assert_int_equal(file_table_claim(t, 2 * i * i + 1, i + 7), i);
        assert_int_equal(file_table_find(t, 2 * i * i + 1), i);
    }
    assert_int_equal(file_table_find(t, 5), 0);
    assert_int_equal(file_table_find(&files.inputs, 3), 0);
    command_files_close(&files);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_names), cmocka_unit_test(test_many) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
