/* A bad system, for LD_PRELOAD in tests. What FAIL says goes wrong:
 *   malloc=N     the N-th allocation, counted from the start, and all after it when FAIL_ON is set, find no
 *                memory; if FAIL_TOLD names a file, it is made then
 *   short        every read and write moves at most 7 bytes, and every other one is interrupted
 *   links        there are no hard links
 *   rename=N     the N-th rename fails
 *   new=N        the N-th renaming to a name that no file has fails */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t n);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t n);

static long at; /* 0: allocations do not fail */
static int on, shorten, links, failing_rename, failing_new;
static const char *told;
static atomic_long count;

__attribute__((constructor)) static void begin(void)
{
    const char *fail = getenv("FAIL");
    if (!fail)
        return;
    told = getenv("FAIL_TOLD");
    on = getenv("FAIL_ON") != NULL;
    shorten = strcmp(fail, "short") == 0;
    links = strcmp(fail, "links") == 0;
    failing_rename = strncmp(fail, "rename=", 7) == 0 ? atoi(fail + 7) : 0;
    failing_new = strncmp(fail, "new=", 4) == 0 ? atoi(fail + 4) : 0;
    at = strncmp(fail, "malloc=", 7) == 0 ? atol(fail + 7) : 0;
}

static int fails(void)
{
    if (!at)
        return 0;
    long n = atomic_fetch_add(&count, 1) + 1;
    if (n != at && !(on && n > at))
        return 0;
    if (told)
        syscall(SYS_close, (int)syscall(SYS_openat, AT_FDCWD, told, O_WRONLY | O_CREAT, 0666));
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t n)
{
    return fails() ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
    return fails() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
    return fails() ? NULL : __libc_realloc(p, n);
}

/* Every other call is interrupted. */
static int interrupted(void)
{
    static atomic_int turn;
    if (!shorten || atomic_fetch_add(&turn, 1) % 2)
        return 0;
    errno = EINTR;
    return 1;
}

ssize_t read(int fd, void *buf, size_t n)
{
    return interrupted() ? -1 : syscall(SYS_read, fd, buf, shorten && n > 7 ? 7 : n);
}

ssize_t write(int fd, const void *buf, size_t n)
{
    return interrupted() ? -1 : syscall(SYS_write, fd, buf, shorten && n > 7 ? 7 : n);
}

int link(const char *from, const char *to)
{
    if (links) {
        errno = EPERM;
        return -1;
    }
    return (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int rename(const char *from, const char *to)
{
    static atomic_int n;
    if (failing_rename && atomic_fetch_add(&n, 1) + 1 == failing_rename) {
        errno = EIO;
        return -1;
    }
    return (int)syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
}

long syscall(long number, ...)
{
    static atomic_int n;
    long word[6];
    va_list words;
    va_start(words, number);
    for (int i = 0; i < 6; i++)
        word[i] = va_arg(words, long);
    va_end(words);
    if (number == SYS_renameat2 && failing_new && atomic_fetch_add(&n, 1) + 1 == failing_new) {
        errno = EIO;
        return -1;
    }
    long (*real)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    return real(number, word[0], word[1], word[2], word[3], word[4], word[5]);
}
