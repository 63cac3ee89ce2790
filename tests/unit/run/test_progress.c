/* The progress line fits any terminal, and says what it should where there is room. */
#include "run/progress.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static const struct progress_state batch = {
    .nfile = 10000, .ndone = 1234, .nbyte = 2000000000, .nread = 500000000, .nrow = 6000000, .seconds = 5
};

static const char *line(struct progress_state p, size_t width)
{
    static char buf[1024];
    size_t n = progress_line(&p, width, buf, sizeof buf);
    assert_int_equal(n, strlen(buf));
    assert_true(n < width || n == 0);
    return buf;
}

static void test_words(void **state)
{
    (void)state;
    assert_string_equal(line(batch, 120), " 25%  1234/10000 files  0:15 left  6000000 rows  1.2M rows/s  "
                                          "[######------------------]");
    struct progress_state p = { .nfile = 1, .nread = 1500, .seconds = 61.6, .nrow = 1480 };
    assert_string_equal(line(p, 120), "1:02  1480 rows  24 rows/s");
    p.nrow = 17092606;
    assert_string_equal(line(p, 120), "1:02  17092606 rows  277k rows/s");
    p.seconds = 3661;
    assert_string_equal(line(p, 120), "1:01:01  17092606 rows  4.7k rows/s");
    p.seconds = 0;
    p.nrow = 0;
    p.nfile = 1;
    p.ndone = 0;
    p.nbyte = 1000;
    assert_string_equal(line(p, 40), "100%  0:00 left  0 rows  [#############");
}

static void test_result(void **state)
{
    (void)state;
    char buf[200];
    struct progress_state p = { .nfile = 1, .nrow = 3000012, .nchannel = 1, .seconds = 3.24 };
    progress_result(&p, buf, sizeof buf);
    assert_string_equal(buf, "3,000,012 rows, 1 channel, 3.2 s\n");
    p.nfile = 1204;
    p.nrow = 1;
    p.seconds = 100;
    progress_result(&p, buf, sizeof buf);
    assert_string_equal(buf, "1,204 files, 1 row, 1:40 minutes\n");
}

static void test_every_width(void **state)
{
    (void)state;
    for (size_t width = 0; width < 200; width++)
        line(batch, width);
    assert_string_equal(line(batch, 5), " 25%");
    assert_string_equal(line(batch, 4), " 25");
    assert_string_equal(line(batch, 24), " 25%  1234/10000 files ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_result),
        cmocka_unit_test(test_every_width),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
