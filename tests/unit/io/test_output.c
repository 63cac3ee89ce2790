/* Output files: hidden until committed, keeping what the old one had, and nothing left behind. */
#include "base/signals.h"
#include "io/output.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void put(const char *path, const char *text, mode_t mode)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(chmod(path, mode), 0);
}

static void holds(const char *path, const char *text)
{
    char buf[100];
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    buf[fread(buf, 1, sizeof buf - 1, f)] = 0;
    fclose(f);
    assert_string_equal(buf, text);
}

static size_t nfile(void)
{
    size_t n = 0;
    DIR *d = opendir(".");
    assert_non_null(d);
    for (struct dirent *entry; (entry = readdir(d));)
        n += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
    closedir(d);
    return n;
}

static void say(struct outfile *o, const char *text)
{
    assert_int_equal(write(o->fd, text, strlen(text)), strlen(text));
}

static int setup(void **state)
{
    static char folder[] = "/tmp/sprung-output-XXXXXX";
    strcpy(strrchr(folder, '-') + 1, "XXXXXX");
    *state = mkdtemp(folder);
    return *state && chdir(folder) == 0 ? 0 : -1;
}

static int teardown(void **state)
{
    DIR *d = opendir(".");
    for (struct dirent *entry; d && (entry = readdir(d));)
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
            unlink(entry->d_name);
    if (d)
        closedir(d);
    return chdir("/") == 0 && rmdir(*state) == 0 ? 0 : -1;
}

/* Somebody changes the file while it is filtered: by content, by name, by date. */
static void changed(void (*change)(void))
{
    put("x.csv", "old", 0644);
    struct outfile o = { .path = "x.csv", .in_place = true };
    struct error e;
    assert_true(output_look(&o, &e) && output_open(&o, false, &e));
    say(&o, "new");
    change();
    assert_false(output_commit(&o, &e));
    assert_non_null(strstr(e.text, "this file changed"));
    output_close(&o);
}

static void append(void)
{
    FILE *f = fopen("x.csv", "a");
    fputs("er", f);
    fclose(f);
}

static void swap(void)
{
    put("other", "own", 0644);
    rename("other", "x.csv");
}

static void take_away(void)
{
    unlink("x.csv");
}

static void test_changed_meanwhile(void **state)
{
    (void)state;
    changed(append);
    holds("x.csv", "older");
    changed(swap);
    holds("x.csv", "own");
    changed(take_away);
    assert_int_equal(nfile(), 0);
}

/* Somebody makes the output while it is written: only force replaces that. */
static void test_appeared_meanwhile(void **state)
{
    (void)state;
    struct error e;
    for (int force = 0; force < 2; force++) {
        struct outfile o = { .path = "x.csv", .force = force };
        assert_true(output_look(&o, &e) && output_open(&o, false, &e));
        swap();
        say(&o, "ours");
        assert_int_equal(output_commit(&o, &e), force);
        if (!force)
            assert_non_null(strstr(e.text, "created this file"));
        output_close(&o);
        holds("x.csv", force ? "ours" : "own");
        assert_int_equal(nfile(), 1);
        unlink("x.csv");
    }
}

/* An output that is gone meanwhile is made anew. */
static void test_gone_meanwhile(void **state)
{
    (void)state;
    struct error e;
    put("x.csv", "old", 0644);
    struct outfile o = { .path = "x.csv" };
    assert_true(output_look(&o, &e) && output_open(&o, false, &e));
    take_away();
    say(&o, "new");
    assert_true(output_commit(&o, &e));
    output_close(&o);
    holds("x.csv", "new");
}

/* The backup appears while the file is filtered. */
static void test_backup_appeared(void **state)
{
    (void)state;
    struct error e;
    for (int force = 0; force < 2; force++) {
        put("x.csv", "old", 0644);
        struct outfile o = { .path = "x.csv", .in_place = true, .suffix = ".bak", .force = force };
        assert_true(output_look(&o, &e) && output_open(&o, false, &e));
        put("x.csv.bak", "theirs", 0644);
        say(&o, "new");
        assert_int_equal(output_commit(&o, &e), force);
        output_close(&o);
        holds("x.csv", force ? "new" : "old");
        holds("x.csv.bak", force ? "old" : "theirs");
        assert_int_equal(nfile(), 2);
    }
}

/* Folders between the folder of outputs and the file are made. */
static void test_folder(void **state)
{
    (void)state;
    struct error e;
    assert_int_equal(mkdir("out", 0777), 0);
    struct outfile o = { .path = "out/a//b/x.csv" };
    assert_true(output_look(&o, &e) && output_open(&o, true, &e));
    say(&o, "new");
    assert_true(output_commit(&o, &e));
    output_close(&o);
    holds("out/a/b/x.csv", "new");
    unlink("out/a/b/x.csv");
    assert_true(rmdir("out/a/b") == 0 && rmdir("out/a") == 0 && rmdir("out") == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_changed_meanwhile, setup, teardown),
        cmocka_unit_test_setup_teardown(test_appeared_meanwhile, setup, teardown),
        cmocka_unit_test_setup_teardown(test_gone_meanwhile, setup, teardown),
        cmocka_unit_test_setup_teardown(test_backup_appeared, setup, teardown),
        cmocka_unit_test_setup_teardown(test_folder, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
