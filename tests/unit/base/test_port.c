/* What port.h gives on every system, with the calls of the system and with the fallbacks alike. */
#include "base/port.h"

#include <errno.h>
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

/* A directory for the files of a test, and a descriptor of it. */
struct place {
    char path[64];
    int fd;
};

static struct place make_place(void)
{
    struct place place = { .path = "/tmp/sprung-port.XXXXXX" };
    assert_non_null(mkdtemp(place.path));
    place.fd = open(place.path, O_RDONLY | O_DIRECTORY);
    assert_true(place.fd >= 0 && fchdir(place.fd) == 0);
    return place;
}

static void remove_place(struct place *place, const char *const names[])
{
    for (size_t i = 0; names[i]; i++)
        assert_int_equal(unlinkat(place->fd, names[i], 0), 0);
    close(place->fd);
    assert_int_equal(rmdir(place->path), 0); /* nothing else is left in it */
}

static void put_file(const struct place *place, const char *name, const char *text)
{
    int fd = openat(place->fd, name, O_WRONLY | O_CREAT | O_EXCL, 0644);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
}

static void assert_file(const struct place *place, const char *name, const char *text)
{
    char got[64] = "";
    int fd = openat(place->fd, name, O_RDONLY);
    assert_true(fd >= 0);
    assert_true(read(fd, got, sizeof got - 1) >= 0);
    assert_string_equal(got, text);
    close(fd);
}

static void test_memrchr_finds_the_last(void **state)
{
    (void)state;
    const char text[] = "a,b,c";
    assert_ptr_equal(port_memrchr(text, ',', 5), text + 3);
    assert_ptr_equal(port_memrchr(text, ',', 3), text + 1);
    assert_ptr_equal(port_memrchr(text, 'a', 5), text);
    assert_null(port_memrchr(text, 'x', 5));
    assert_null(port_memrchr(text, 'a', 0));
    assert_ptr_equal(port_memrchr("\xff\xfe", 0xff - 256, 2),
                     (const char *)port_memrchr("\xff\xfe", 0xff, 2));
}

static void test_strcasestr_ignores_case(void **state)
{
    (void)state;
    const char text[] = "Local TIMESTAMP time";
    assert_ptr_equal(port_strcasestr(text, "time"), text + 6);
    assert_ptr_equal(port_strcasestr(text, "E"), text + 9);
    assert_ptr_equal(port_strcasestr(text, ""), text);
    assert_null(port_strcasestr(text, "times "));
    assert_null(port_strcasestr("", "t"));
}

static void test_machine_has_processors(void **state)
{
    (void)state;
    assert_true(port_processors() >= 1);
}

static void test_pipe_is_no_terminal(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    setenv("COLUMNS", "132", 1);
    assert_int_equal(port_terminal_columns(ends[0]), 0);
    close(ends[0]);
    close(ends[1]);
}

static void test_status_of_a_file(void **state)
{
    (void)state;
    struct place place = make_place();
    put_file(&place, "file", "x");
    struct timespec set[2] = { { 100, 0 }, { 1234567890, 123456789 } };
    assert_int_equal(utimensat(place.fd, "file", set, 0), 0);
    assert_int_equal(symlinkat("file", place.fd, "link"), 0);
    struct stat st;
    struct port_status status;
    assert_int_equal(fstatat(place.fd, "file", &st, 0), 0);
    assert_int_equal(port_status_of("link", &status), 0);
    assert_int_equal(status.kind, PORT_REGULAR);
    assert_int_equal(status.modified.tv_sec, 1234567890);
    assert_true(status.modified.tv_nsec == 123456789 || status.modified.tv_nsec == 0);
    assert_int_equal(status.mode, 0644);
    assert_int_equal(status.size, 1);
    assert_int_equal(status.inode, st.st_ino);
    assert_int_equal(port_status_of_link("link", &status), 0);
    assert_int_equal(status.kind, PORT_LINK);
    assert_int_equal(port_status(place.fd, &status), 0);
    assert_int_equal(status.kind, PORT_DIRECTORY);
    assert_int_equal(port_status_of("/dev/null", &status), 0);
    assert_int_equal(status.kind, PORT_OTHER);
    assert_int_equal(port_status_of("absent", &status), -1);
    assert_int_equal(errno, ENOENT);
    remove_place(&place, (const char *const[]){ "file", "link", NULL });
}

static void test_temporary_file_leaves_no_name(void **state)
{
    (void)state;
    struct place place = make_place();
    int fd = port_open_temporary(place.path);
    assert_true(fd >= 0);
    assert_int_equal(fcntl(fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    struct stat st;
    assert_int_equal(fstat(fd, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0600);
    assert_int_equal(st.st_nlink, 0);
    char got[4];
    assert_int_equal(pwrite(fd, "text", 4, 0), 4);
    assert_int_equal(pread(fd, got, 4, 0), 4);
    assert_memory_equal(got, "text", 4);
    close(fd);
    remove_place(&place, (const char *const[]){ NULL });
    assert_int_equal(port_open_temporary(place.path), -1); /* the directory is gone */
    assert_int_equal(errno, ENOENT);
}

static void test_rename_new_replaces_nothing(void **state)
{
    (void)state;
    struct place place = make_place();
    put_file(&place, "from", "new");
    put_file(&place, "taken", "other");
    assert_int_equal(symlinkat("nowhere", place.fd, "link"), 0);
    assert_int_equal(port_rename_new("from", "taken"), -1);
    assert_int_equal(errno, EEXIST);
    assert_int_equal(port_rename_new("from", "link"), -1);
    assert_int_equal(errno, EEXIST);
    assert_int_equal(port_rename_new("absent", "to"), -1);
    assert_int_equal(errno, ENOENT);
    assert_file(&place, "taken", "other");
    assert_file(&place, "from", "new");
    assert_int_equal(port_rename_new("from", "to"), 0);
    assert_file(&place, "to", "new");
    remove_place(&place, (const char *const[]){ "taken", "link", "to", NULL });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memrchr_finds_the_last),
        cmocka_unit_test(test_strcasestr_ignores_case),
        cmocka_unit_test(test_machine_has_processors),
        cmocka_unit_test(test_pipe_is_no_terminal),
        cmocka_unit_test(test_status_of_a_file),
        cmocka_unit_test(test_temporary_file_leaves_no_name),
        cmocka_unit_test(test_rename_new_replaces_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
