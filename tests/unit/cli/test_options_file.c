/* Files of options: how words, quotes, backslashes, comments and lines are told apart. */
#include "cli/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Splits text and compares: each word in brackets after its line, or "!" and the line of the error. */
static void check(const char *text, const char *expected)
{
    struct option_words words = { .bytes = strdup(text) };
    struct error e = { 0 };
    char got[256] = "";
    assert_non_null(words.bytes);
    if (option_words_split(&words, &e)) {
        assert_null(words.word[words.n]);
        for (size_t i = 1; i < words.n; i++)
            snprintf(got + strlen(got), sizeof got - strlen(got), "%d[%s]", (int)words.line[i],
                     words.word[i]);
    } else {
        assert_int_equal(e.kind, ERROR_USAGE);
        snprintf(got, sizeof got, "!%d", (int)e.line);
    }
    assert_string_equal(got, expected);
    free(words.bytes);
    free(words.word);
}

static void blanks_and_lines(void **state)
{
    (void)state;
    check("", "");
    check(" \t\n\n", "");
    check("-H 0.1", "1[-H]1[0.1]");
    check("\n -H\t0.1 \n-q\n", "2[-H]2[0.1]3[-q]");
    check("a\nb\nc", "1[a]2[b]3[c]");
    check("-H 0.1\r\n-q\r\n", "1[-H]1[0.1]2[-q]");
}

static void comments(void **state)
{
    (void)state;
    check("# all\n-q # quiet 'as\n-v", "2[-q]3[-v]");
    check("a#b '#c' \"\"#e", "1[a#b]1[#c]1[#e]");
}

static void quotes(void **state)
{
    (void)state;
    check("'a b'\"c d\"e", "1[a bc de]");
    check("'' \"\"", "1[]1[]");
    check("'a\"b' \"a'b\"", "1[a\"b]1[a'b]");
    check("'$x' $x `y` ~ *.csv a;b|c<d& C:\\x", "1[$x]1[$x]1[`y`]1[~]1[*.csv]1[a;b|c<d&]1[C:\\x]");
}

static void errors(void **state)
{
    (void)state;
    check("a\n'b\nc'", "!2");
    check("\"a", "!1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blanks_and_lines),
        cmocka_unit_test(comments),
        cmocka_unit_test(quotes),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
