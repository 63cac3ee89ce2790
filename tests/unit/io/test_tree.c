/* The names that a pattern stands for where no shell replaces it. */
#include "io/tree.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void put(const char *name)
{
    int fd = open(name, O_WRONLY | O_CREAT, 0644);
    assert_true(fd >= 0);
    close(fd);
}

/* Checks that the pattern stands for these names, with commas between. */
static void stands_for(const char *pattern, const char *names)
{
    struct error e;
    struct tree tree = { 0 };
    char got[256] = "";
    assert_true(tree_add_matches(&tree, pattern, &e));
    for (size_t i = 0; i < tree.nfile; i++) {
        strcat(got, i ? "," : "");
        strcat(got, tree.file[i].path);
    }
    assert_string_equal(got, names);
    tree_free(&tree);
}

static void test_patterns(void **state)
{
    (void)state;
    char folder[] = "/tmp/sprung-tree.XXXXXX";
    static const char *const names[] = {
        "b.csv", "a.CSV", ".c.csv", "a b.csv", "take[1].csv", "below/d.csv"
    };
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(mkdir("below", 0755), 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        put(names[i]);
    stands_for("*.csv", "a b.csv,a.CSV,b.csv,take[1].csv");
    stands_for("?.Csv", "a.CSV,b.csv");
    stands_for("below/*", "below/d.csv");
    stands_for("./b*", "./b.csv,./below");
    stands_for("absent/*.csv", "");
    stands_for("*.wav", "");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(names[i]);
    rmdir("below");
    assert_int_equal(chdir("/"), 0);
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_patterns) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
