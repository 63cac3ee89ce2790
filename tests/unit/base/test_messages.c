/* Messages as records, and notes of many files, collected as batch.c collects them. */
#include "base/messages.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void expect(struct messages *printed, const char *text)
{
    char *plain = messages_plain(printed);
    assert_non_null(plain);
    assert_string_equal(plain, text);
    free(plain);
    messages_free(printed);
}

static void the_first_file_alone(void **state)
{
    (void)state;
    struct message_fold fold = { 0 };
    struct messages printed = { 0 }, file = { 0 };
    messages_add(&file, "a.csv", "no time");
    messages_add(&file, "a.csv", "no rate");
    messages_move(&printed, &file, &fold);
    messages_move(&printed, &file, &fold); /* a silent file */
    messages_add(&file, "b.csv", "no rate");
    messages_add(&file, "b: clip 1", "no rows");
    messages_add(&file, "b.csv", "no time");
    messages_move(&printed, &file, &fold);
    messages_add(&file, "c.csv", "no rows");
    messages_move(&printed, &file, &fold);
    messages_unfold(&printed, &fold);
    expect(&printed, "sprung: a.csv: no time\nsprung: a.csv: no rate\nsprung: b: clip 1: no rows\n"
                     "sprung: 2 more files have the same notes (to see all: --verbose)\n");
    messages_unfold(&printed, &fold);
    assert_null(messages_plain(&printed));
}

/* Every error stays, and a hint is given once. */
static void errors_and_hints(void **state)
{
    (void)state;
    struct message_fold fold = { 0 };
    struct messages printed = { 0 }, file = { 0 };
    struct error e;
    for (int i = 0; i < 2; i++) {
        error_data(&e, "no \x1B number");
        error_excerpt(&e, "a\nb", 3);
        error_column(&e, "x");
        error_hint(&e, "try -x x");
        error_place(&e, 7);
        messages_error(&file, i ? "b" : "a\nb", &e);
        messages_move(&printed, &file, &fold);
    }
    error_memory(&e);
    messages_error(&printed, NULL, &e);
    messages_text(&printed, "usage\n");
    messages_unfold(&printed, &fold);
    expect(&printed, "sprung: a\\nb:7: column \"x\": no \\x1B number: \"a\\nb\"\n  hint: try -x x\n"
                     "sprung: b:7: column \"x\": no \\x1B number: \"a\\nb\"\nsprung: out of memory\nusage\n");
}

static void many_notes(void **state)
{
    (void)state;
    struct message_fold fold = { 0 };
    struct messages printed = { 0 }, file = { 0 };
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i <= FOLD_KEPT; i++) {
            messages_add(&file, "x", "note %03d", i);
            messages_move(&printed, &file, &fold);
        }
    assert_int_equal(printed.n, FOLD_KEPT + 2); /* the last one twice */
    assert_int_equal(fold.nfile, FOLD_KEPT);
    messages_free(&printed);
    messages_unfold(NULL, &fold);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(the_first_file_alone),
                                        cmocka_unit_test(errors_and_hints), cmocka_unit_test(many_notes) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
