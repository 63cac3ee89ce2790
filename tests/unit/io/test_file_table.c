/* Files of a command: found again however their names are spelled. */
#include "io/file_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_outputs(void **state)
{
    (void)state;
    struct file_table files;
    file_table_open(&files);
    assert_int_equal(file_table_claim_output(&files, "/tmp/x", 1), 1);
    assert_int_equal(file_table_claim_output(&files, "/tmp/../tmp/./x", 2), 1);
    assert_int_equal(file_table_claim_output(&files, "/tmp/y", 3), 3);
    assert_int_equal(file_table_claim_output(&files, "/x", 4), 4);
    assert_int_equal(file_table_claim_output(&files, "no such/x", 5), 5);
    assert_int_equal(file_table_claim_output(&files, "no such/x", 6), 5);
    assert_int_equal(file_table_claim_output(&files, "x", 7), 7);
    assert_int_equal(file_table_claim_output(&files, "./x", 8), 7);
    file_table_close(&files);
}

static void test_inputs(void **state)
{
    (void)state;
    struct file_table files;
    struct port_status a, b, other;
    file_table_open(&files);
    assert_true(port_status_of("/tmp", &a) == 0 && port_status_of("/tmp/.", &b) == 0);
    assert_int_equal(port_status_of("/", &other), 0);
    assert_int_equal(file_table_find_input(&files, &a), 0);
    assert_int_equal(file_table_claim_input(&files, &a, 1), 1);
    assert_int_equal(file_table_claim_input(&files, &b, 2), 1);
    assert_int_equal(file_table_find_input(&files, &b), 1);
    assert_int_equal(file_table_find_input(&files, &other), 0);
    file_table_close(&files);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_outputs), cmocka_unit_test(test_inputs) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
