/* Patterns, compared with fnmatch() of the C library, which has more: brackets mean themselves here. */
#include "base/glob.h"

#include <fnmatch.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_same(const char *glob, const char *text)
{
    bool expected = fnmatch(glob, text, 0) == 0;
    if (glob_matches(glob, text) != expected)
        fail_msg("%s %s match %s", glob, expected ? "should" : "should not", text);
}

static void test_known_patterns(void **state)
{
    (void)state;
    assert_true(glob_matches("*_x", "wrist_x"));
    assert_false(glob_matches("*_x", "wrist_xy"));
    assert_true(glob_matches("orientation[*]", "orientation[0]"));
    assert_false(glob_matches("orientation[0]", "orientation0"));
    assert_true(glob_matches("a\\*", "a\\b"));
    assert_true(glob_matches("", ""));
    assert_false(glob_matches("", "a"));
    assert_false(glob_matches("?", ""));
}

/* Short patterns and texts of few letters meet every rule often. */
static void test_drawn_patterns_as_fnmatch(void **state)
{
    (void)state;
    static const char *const parts[] = { "a", "b", "c", "ab", "*", "?", "-", "]" };
    static const char letters[] = "abc*-]";
    srand(1);
    for (int draw = 0; draw < 200000; draw++) {
        char glob[64] = "", text[8] = "";
        for (int n = rand() % 5; n > 0; n--)
            strcat(glob, parts[(size_t)rand() % (sizeof parts / sizeof *parts)]);
        for (int i = 0, n = rand() % 6; i < n; i++)
            text[i] = letters[(size_t)rand() % (sizeof letters - 1)];
        assert_same(glob, text);
    }
}

/* A pattern with many stars must not take a time that grows as a power of the text. */
static void test_many_stars_are_quick(void **state)
{
    (void)state;
    char text[4096];
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = 0;
    assert_false(glob_matches("*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b", text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_patterns),
        cmocka_unit_test(test_drawn_patterns_as_fnmatch),
        cmocka_unit_test(test_many_stars_are_quick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
