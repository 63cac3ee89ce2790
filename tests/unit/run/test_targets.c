/* Plans: names of outputs, repeated inputs, conflicts. The runs themselves are tested by
 * cases/run/batch.bats. */
#include "run/targets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* All that stands in the folder of a test. */
static const char *const files[] = { "x.csv",   "y.csv", "run.2024", "plain",
                                     ".hidden", "z.tsv", "a/x.csv",  "out/y.csv" };

static int setup(void **state)
{
    static char folder[] = "/tmp/sprung-plan-XXXXXX";
    strcpy(strrchr(folder, '-') + 1, "XXXXXX");
    *state = mkdtemp(folder);
    if (!*state || chdir(folder) != 0 || mkdir("a", 0777) != 0 || mkdir("out", 0777) != 0)
        return -1;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        FILE *f = fopen(files[i], "w");
        if (!f || fclose(f) != 0)
            return -1;
    }
    return symlink("x.csv", "link.csv");
}

static int teardown(void **state)
{
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        unlink(files[i]);
    unlink("link.csv");
    unlink("out/y2.csv");
    rmdir("a");
    rmdir("out");
    return chdir("/") == 0 ? rmdir(*state) : -1;
}

/* The plan as text: outputs with blanks between, ! for a failed one; or what is
 * said. */
static const char *planned(struct output_settings options, const char *inputs)
{
    static char shown[8192], words[1024];
    const char *text[32];
    struct texts list = { text, 0 };
    struct targets p = { 0 };
    struct messages messages = { 0 };
    snprintf(words, sizeof words, "%s", inputs);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
        text[list.ntext++] = word;
    shown[0] = 0;
    options.dry_run = true; /* makes no directory */
    if (targets_open(&p, &options, &list, &messages)) {
        struct target t = { 0 };
        struct error e;
        for (; targets_next(&p, true, &t, &e) == NAMES_NAME; target_free(&t))
            snprintf(shown + strlen(shown), sizeof shown - strlen(shown), "%s%s", shown[0] ? " " : "",
                     t.failed    ? "!"
                     : t.skipped ? "="
                                 : t.out.path);
    } else {
        assert_true(messages.text.n > 0);
        snprintf(shown, sizeof shown, "%s", messages.text.bytes);
    }
    targets_free(&p);
    messages_free(&messages);
    return shown;
}

#define PLAN(inputs, ...) planned((struct output_settings){ __VA_ARGS__ }, inputs)

static void says(const char *got, const char *text)
{
    if (!strstr(got, text))
        fail_msg("not said: %s\nsaid: %s", text, got);
}

static void test_names(void **state)
{
    (void)state;
    assert_string_equal(PLAN("x.csv"), "-");
    assert_string_equal(PLAN(""), "-");
    assert_string_equal(PLAN("x.csv", .output = "o.csv"), "o.csv");
    assert_string_equal(PLAN("x.csv a/../y.csv", .output_dir = "new/"), "new/x.csv new/y.csv");
    assert_string_equal(PLAN("x.csv plain .hidden run.2024", .output_dir = "new", .suffix = "_c"),
                        "new/x_c.csv new/plain_c new/.hidden_c new/run_c.2024");
    assert_string_equal(PLAN("x.csv plain run.2024 z.tsv", .output_dir = "new", .to = "tsv"),
                        "new/x.tsv new/plain.tsv new/run.2024.tsv new/z.tsv");
    assert_string_equal(PLAN("x.csv a/x.csv", .in_place = ""), "x.csv a/x.csv");
}

static void test_usage(void **state)
{
    (void)state;
    says(PLAN("x.csv y.csv"), "2 inputs, 1 output");
    says(PLAN("x.csv y.csv", .output = "o"), "--output-dir");
    says(PLAN("x.csv", .output = "o", .in_place = ""), "--output cannot be combined with --in-place");
    says(PLAN("x.csv", .output_dir = "o", .in_place = ""), "--output-dir cannot be combined with --in-place");
    says(PLAN("x.csv", .suffix = "_c"), "--suffix needs");
    says(PLAN("x.csv", .output_dir = "new", .suffix = "/c"), "cannot contain a slash");
    says(PLAN("x.csv", .in_place = "", .to = "tsv"), "--to cannot be combined with --in-place");
    says(PLAN("", .in_place = ""), "--in-place needs a file");
    says(PLAN("x.csv", .output_dir = "y.csv"), "Not a directory");
}

static void test_repeated(void **state)
{
    (void)state;
    assert_string_equal(PLAN("x.csv ./x.csv a/../x.csv", .in_place = ""), "x.csv");
    assert_string_equal(PLAN("x.csv link.csv", .in_place = ""), "x.csv");
    assert_string_equal(PLAN("x.csv link.csv ./x.csv", .output_dir = "new"), "new/x.csv new/link.csv");
    assert_string_equal(PLAN("none.csv none.csv", .output_dir = "new"), "!");
}

static void test_conflicts(void **state)
{
    (void)state;
    says(PLAN("x.csv a/x.csv", .output_dir = "new"),
         "a/x.csv: the output new/x.csv is also the output of x.csv");
    says(PLAN("x.csv y.csv", .output_dir = "."), "./x.csv: the output is the input itself");
    says(PLAN("x.csv", .output = "a/../x.csv"), "the output is the input itself");
    says(PLAN("x.csv", .output = "link.csv"), "the output is the input itself");
    says(PLAN("x.csv y.csv", .output_dir = "out"), "out/y.csv: the output already exists");
    assert_string_equal(PLAN("x.csv y.csv", .output_dir = "out", .force = true), "out/x.csv out/y.csv");
    assert_string_equal(PLAN("y.csv", .output = "out/y.csv"), "out/y.csv");
    says(PLAN("a/x.csv y.csv out/y.csv", .output_dir = "out", .force = true), "is also the output of y.csv");
    assert_int_equal(link("out/y.csv", "out/y2.csv"), 0);
    says(PLAN("out/y2.csv y.csv", .output_dir = "out", .force = true),
         "out/y.csv: the output is out/y2.csv itself");
    says(PLAN("x.csv .hidden", .in_place = "/../y.csv"), "cannot contain a slash");
    assert_int_equal(rename("y.csv", "x.csv.b"), 0);
    says(PLAN("x.csv x.csv.b", .in_place = ".b"), "the backup x.csv.b is an input");
    assert_int_equal(rename("x.csv.b", "y.csv"), 0);
}

static void test_failed_items(void **state)
{
    (void)state;
    assert_string_equal(PLAN("x.csv none.csv a - y.csv", .in_place = ""), "x.csv ! ! ! y.csv");
    assert_string_equal(PLAN("x.csv - y.csv", .output_dir = "new"), "new/x.csv ! new/y.csv");
}

/* Lists, with and without operands; what is known of a list in a file is refused as of operands. */
static void write_list(const char *text, size_t n)
{
    FILE *f = fopen("list", "w");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}
#define LIST(text) write_list(text, sizeof(text) - 1)

static void test_lists(void **state)
{
    (void)state;
    struct output_settings o = { .files_from = "list", .output_dir = "new" };
    LIST("y.csv\r\n\n\nx.csv\n./y.csv\nplain");
    assert_string_equal(planned(o, ""), "new/y.csv new/x.csv new/plain");
    assert_string_equal(planned(o, "z.tsv x.csv"), "new/z.tsv new/x.csv new/y.csv new/plain");
    LIST("x.csv\n\na/x.csv\n");
    says(planned(o, ""), "a/x.csv: the output new/x.csv is also the output of line 1 of list");
    says(planned(o, "x.csv"), "a/x.csv: the output new/x.csv is also the output of x.csv");
    LIST("x.csv\nout/y.csv\ny.csv");
    says(planned((struct output_settings){ .files_from = "list", .output_dir = "out", .force = true },
                 "plain"),
         "out/y.csv: the output is the input itself");
    LIST("");
    assert_string_equal(planned(o, ""), "");
    LIST("x.csv\0y.csv\0\0plain");
    says(planned(o, ""), "list:1: a name with a NUL byte");
    o.null = true;
    assert_string_equal(planned(o, ""), "new/x.csv new/y.csv new/plain");
    LIST("x.csv\ny.csv\r\n");
    assert_string_equal(planned(o, ""), "!");
    static char large[1 << 17] = "x.csv\n";
    memset(large + 6, 'a', sizeof large - 6);
    write_list(large, sizeof large);
    o.null = false;
    says(planned(o, ""), "list:1: the name after this one is too long");
    says(PLAN("x.csv", .files_from = "none", .output_dir = "new"), "none: cannot open");
    says(PLAN("x.csv", .files_from = "list"), "--files-from can name several inputs");
    says(PLAN("", .files_from = "list", .output = "o"), "--files-from can name several inputs");
    says(PLAN("x.csv", .null = true), "--null needs --files-from");
    says(PLAN("x.csv", .update = true, .in_place = ""), "--update needs --output-dir");
    assert_int_equal(unlink("list"), 0);
}

/* The output is skipped when it is as old as the input, to the nanosecond, or newer. */
static void test_update(void **state)
{
    (void)state;
    struct output_settings o = { .output_dir = "out", .update = true };
    struct timespec in[2] = { { 1000, 500 }, { 1000, 500 } }, at[2] = { { 1000, 499 }, { 1000, 499 } };
    assert_int_equal(utimensat(AT_FDCWD, "y.csv", in, 0), 0);
    assert_int_equal(utimensat(AT_FDCWD, "out/y.csv", at, 0), 0);
    assert_string_equal(planned(o, "x.csv y.csv"), "out/x.csv out/y.csv");
    at[1].tv_nsec = 500;
    assert_int_equal(utimensat(AT_FDCWD, "out/y.csv", at, 0), 0);
    assert_string_equal(planned(o, "x.csv y.csv"), "out/x.csv =");
    at[1] = (struct timespec){ 999, 999999999 };
    assert_int_equal(utimensat(AT_FDCWD, "out/y.csv", at, 0), 0);
    assert_string_equal(planned(o, "y.csv"), "out/y.csv");
    at[1] = (struct timespec){ 1001, 0 };
    assert_int_equal(utimensat(AT_FDCWD, "out/y.csv", at, 0), 0);
    assert_string_equal(planned(o, "y.csv none.csv"), "= !");
    says(planned(o, "y.csv out/y.csv"), "out/y.csv: the output is out/y.csv itself");
}

/* Many names: identities are found again after the table has grown. */
static void test_many(void **state)
{
    (void)state;
    enum { N = 5000 };
    static char name[2 * N][16];
    static const char *text[2 * N + 1];
    struct texts list = { text, 2 * N + 1 };
    struct output_settings o = { .output_dir = "new", .dry_run = true };
    struct targets p = { 0 };
    struct messages messages = { 0 };
    for (size_t i = 0; i < 2 * N; i++) {
        snprintf(name[i], sizeof name[i], i < N ? "%zu.csv" : "a/%zu.csv", i % N);
        text[i] = name[i];
    }
    text[2 * N] = "z.tsv";
    struct target t = { 0 };
    struct error e;
    size_t n = 0;
    /* Inputs that do not exist; those in the other folder have the same outputs. */
    assert_false(targets_open(&p, &o, &list, &messages));
    assert_non_null(strstr(messages.text.bytes, "and 4990 more like these"));
    messages_free(&messages);
    targets_free(&p);
    for (size_t i = 0; i < N; i++)
        text[N + i] = text[i];
    p = (struct targets){ 0 };
    assert_true(targets_open(&p, &o, &list, &messages));
    assert_int_equal(p.ntarget, N + 1);
    for (; targets_next(&p, true, &t, &e) == NAMES_NAME; target_free(&t))
        n++;
    assert_int_equal(n, N + 1);
    targets_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_names, setup, teardown),
        cmocka_unit_test_setup_teardown(test_usage, setup, teardown),
        cmocka_unit_test_setup_teardown(test_repeated, setup, teardown),
        cmocka_unit_test_setup_teardown(test_conflicts, setup, teardown),
        cmocka_unit_test_setup_teardown(test_failed_items, setup, teardown),
        cmocka_unit_test_setup_teardown(test_lists, setup, teardown),
        cmocka_unit_test_setup_teardown(test_update, setup, teardown),
        cmocka_unit_test_setup_teardown(test_many, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
