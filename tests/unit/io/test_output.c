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
#include <sys/file.h>
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

static void test_appears_whole(void **state)
{
    (void)state;
    struct outfile o = { .path = "x.csv" };
    struct error e;
    assert_true(output_look(&o, &e) && output_open(&o, &e));
    say(&o, "half");
    assert_int_equal(access("x.csv", F_OK), -1);
    assert_true(output_commit(&o, &e));
    output_close(&o);
    holds("x.csv", "half");
    assert_int_equal(nfile(), 1);
}

static void test_dropped(void **state)
{
    (void)state;
    put("x.csv", "old", 0644);
    struct outfile o = { .path = "x.csv" };
    struct error e;
    assert_true(output_look(&o, &e) && output_open(&o, &e));
    say(&o, "new");
    output_close(&o);
    holds("x.csv", "old");
    assert_int_equal(nfile(), 1);
}

static void test_keeps_mode_and_link(void **state)
{
    (void)state;
    struct stat st;
    put("x.csv", "old", 0640);
    assert_int_equal(symlink("x.csv", "link.csv"), 0);
    struct outfile o = { .path = "link.csv", .in_place = true, .backup = (char[]){ "x.csv.bak" } };
    struct error e;
    assert_true(output_look(&o, &e) && output_open(&o, &e));
    assert_int_equal(fstat(o.fd, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0600); /* nobody else reads what is not yet whole */
    say(&o, "new");
    assert_true(output_commit(&o, &e));
    output_close(&o);
    holds("x.csv", "new");
    holds("x.csv.bak", "old");
    assert_int_equal(stat("x.csv", &st), 0);
    assert_int_equal(st.st_mode & 07777, 0640);
    assert_int_equal(lstat("link.csv", &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(nfile(), 3);
}

static void refused(struct outfile o, const char *text)
{
    struct error e;
    assert_false(output_look(&o, &e) && output_open(&o, &e));
    output_close(&o);
    assert_non_null(strstr(e.text, text));
}

static void test_refused(void **state)
{
    (void)state;
    put("x.csv", "old", 0644);
    put("ro.csv", "old", 0444);
    assert_int_equal(link("x.csv", "y.csv"), 0);
    assert_int_equal(symlink("nowhere", "lost.csv"), 0);
    refused((struct outfile){ .path = "ro.csv" }, "read-only");
    refused((struct outfile){ .path = "x.csv", .in_place = true }, "2 hard links");
    refused((struct outfile){ .path = ".", .in_place = true }, "cannot edit");
    refused((struct outfile){ .path = "." }, "cannot write");
    refused((struct outfile){ .path = "none.csv", .in_place = true }, "cannot open");
    refused((struct outfile){ .path = "lost.csv" }, "leads nowhere");
    refused((struct outfile){ .path = "no/such/x.csv" }, "cannot write");
    refused((struct outfile){ .path = "-", .in_place = true }, "standard input");
    refused((struct outfile){ .path = "/dev/null", .in_place = true }, "regular");
}

/* Somebody changes the file while it is filtered: by content, by name, by date. */
static void changed(void (*change)(void))
{
    put("x.csv", "old", 0644);
    struct outfile o = { .path = "x.csv", .in_place = true };
    struct error e;
    assert_true(output_look(&o, &e) && output_open(&o, &e));
    say(&o, "new");
    change();
    assert_false(output_commit(&o, &e));
    assert_true(strstr(e.text, "somebody else") || strstr(e.text, "gone"));
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

/* The same size and the same date: the change time tells. */
static void forge(void)
{
    struct stat st;
    stat("x.csv", &st);
    usleep(20000);
    put("x.csv", "odd", 0644);
    struct timespec times[] = { st.st_atim, st.st_mtim };
    utimensat(AT_FDCWD, "x.csv", times, 0);
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
    changed(forge);
    holds("x.csv", "odd");
    changed(take_away);
    assert_int_equal(nfile(), 0);
}

static void test_appeared_meanwhile(void **state)
{
    (void)state;
    struct outfile o = { .path = "x.csv" };
    struct error e;
    assert_true(output_look(&o, &e) && output_open(&o, &e));
    put("x.csv", "theirs", 0644);
    say(&o, "ours");
    assert_true(output_commit(&o, &e));
    output_close(&o);
    holds("x.csv", "ours");
    assert_int_equal(nfile(), 1);
}

static void test_backup_is_a_folder(void **state)
{
    (void)state;
    put("x.csv", "old", 0644);
    assert_int_equal(mkdir("x.csv.d", 0777), 0);
    struct outfile o = { .path = "x.csv", .in_place = true, .backup = (char[]){ "x.csv.d" } };
    struct error e;
    assert_true(output_look(&o, &e) && output_open(&o, &e));
    say(&o, "new");
    assert_false(output_commit(&o, &e));
    output_close(&o);
    holds("x.csv", "old");
    assert_int_equal(nfile(), 2);
    assert_int_equal(rmdir("x.csv.d"), 0);
}

static void test_clean(void **state)
{
    (void)state;
    struct error e;
    put(".x.csv.sprung-abc123", "litter", 0600);
    put(".x.csv.sprung-abc124", "in work", 0600);
    put(".x.csv.sprung-abc12", "no such name", 0600);
    put("x.csv.sprung-abc123", "no such name", 0600);
    put(".x.csv.sprung-ABC123", "no such name", 0600);
    int fd = open(".x.csv.sprung-abc124", O_RDWR | O_CLOEXEC);
    assert_int_equal(flock(fd, LOCK_EX), 0);
    assert_true(output_sync(".", &e));
    assert_int_equal(nfile(), 4);
    assert_int_equal(access(".x.csv.sprung-abc123", F_OK), -1);
    close(fd);
    assert_true(output_sync(".", &e));
    assert_int_equal(nfile(), 3);
}

static void test_directory_of(void **state)
{
    (void)state;
    static const char *const pair[][2] = {
        { "x", "." }, { "/x", "/" }, { "a/x", "a" }, { "/a/b/x", "/a/b" }
    };
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
        char *directory = output_directory(pair[i][0]);
        assert_string_equal(directory, pair[i][1]);
        free(directory);
    }
}

static void test_hidden_names(void **state)
{
    (void)state;
    char name[300] = "dir/", *a, *b;
    memset(name + 4, 'n', 255);
    name[259] = 0;
    a = atomic_rename_hidden(name);
    b = atomic_rename_hidden(name);
    assert_memory_equal(a, "dir/.nnn", 8);
    assert_true(strlen(a) <= 4 + 255);
    assert_string_not_equal(a, b);
    free(a);
    free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_appears_whole, setup, teardown),
        cmocka_unit_test_setup_teardown(test_dropped, setup, teardown),
        cmocka_unit_test_setup_teardown(test_keeps_mode_and_link, setup, teardown),
        cmocka_unit_test_setup_teardown(test_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(test_changed_meanwhile, setup, teardown),
        cmocka_unit_test_setup_teardown(test_appeared_meanwhile, setup, teardown),
        cmocka_unit_test_setup_teardown(test_backup_is_a_folder, setup, teardown),
        cmocka_unit_test_setup_teardown(test_clean, setup, teardown),
        cmocka_unit_test(test_directory_of),
        cmocka_unit_test(test_hidden_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
