/* Notes of many files, collected as batch.c collects them. */
#include "run/repeated_notes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void expect(struct messages *printed, const char *text)
{
    assert_non_null(printed->text.bytes);
    assert_string_equal(printed->text.bytes, text);
    messages_free(printed);
}

static void the_first_file_alone(void **state)
{
    (void)state;
    struct repeated_notes notes = { 0 };
    struct messages printed = { 0 }, file = { 0 };
    messages_add(&file, "a.csv", "no time");
    messages_add(&file, "a.csv", "no rate");
    repeated_notes_move(&notes, "a.csv", &printed, &file);
    repeated_notes_move(&notes, "silent.csv", &printed, &file);
    messages_add(&file, "b.csv", "no rate");
    messages_add(&file, "b.csv", "no rows");
    messages_add(&file, "b.csv", "no time");
    repeated_notes_move(&notes, "b.csv", &printed, &file);
    messages_add(&file, "c.csv", "no rows");
    repeated_notes_move(&notes, "c.csv", &printed, &file);
    repeated_notes_finish(&notes, &printed);
    expect(&printed, "sprung: a.csv: no time\nsprung: a.csv: no rate\nsprung: b.csv: no rows\n"
                     "sprung: 2 more files have the same notes (to see all: --verbose)\n");
    repeated_notes_finish(&notes, &printed);
    assert_null(printed.text.bytes);
}

/* The name is escaped in the line; a line that does not begin with the name of the file is a note as a whole.
 */
static void names_of_files(void **state)
{
    (void)state;
    struct repeated_notes notes = { 0 };
    struct messages printed = { 0 }, file = { 0 };
    messages_add(&file, "a\nb", "odd");
    repeated_notes_move(&notes, "a\nb", &printed, &file);
    messages_add(&file, "other", "odd");
    messages_add(&file, "c: clip 1", "odd");
    messages_add(&file, NULL, "odd");
    repeated_notes_move(&notes, "c", &printed, &file);
    repeated_notes_finish(&notes, &printed);
    expect(&printed, "sprung: a\\nb: odd\nsprung: other: odd\nsprung: c: clip 1: odd\nsprung: odd\n");
}

static void many_notes(void **state)
{
    (void)state;
    struct repeated_notes notes = { 0 };
    struct messages printed = { 0 }, file = { 0 };
    char note[20];
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i <= NOTES_KEPT; i++) {
            snprintf(note, sizeof note, "note %03d", i);
            messages_add(&file, "x", "%s", note);
            repeated_notes_move(&notes, "x", &printed, &file);
        }
    size_t line = strlen("sprung: x: note 000\n");
    assert_int_equal(printed.text.n, (NOTES_KEPT + 2) * line); /* the last one twice */
    assert_int_equal(notes.nfile, NOTES_KEPT);
    repeated_notes_finish(&notes, &printed);
    messages_free(&printed);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(the_first_file_alone),
                                        cmocka_unit_test(names_of_files), cmocka_unit_test(many_notes) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
