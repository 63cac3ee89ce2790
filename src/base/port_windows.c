/* Windows 10 from version 1903 on. See port.h. Elsewhere this file is empty.
 *
 * windows.manifest makes UTF-8 the encoding of all narrow text, paths and argv included. A descriptor is one
 * of the C library. Files are opened so that the handler of Ctrl-C can remove them. */
#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#undef _WIN32_WINNT
#define _WIN32_WINNT 0x0A00
#include "base/port.h"

#include <direct.h>
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

enum {
    MAXPIECE = 1 << 30,     /* bytes of a call for reading or writing */
    PATIENCE = 40,          /* tries to replace a file that another program, say a virus scanner, has open */
    PATIENCE_MS = 25,       /* between two tries */
    PIPE_CLOSED = 128 + 13, /* the exit status that a shell of POSIX shows after SIGPIPE */
};

/* The C library replaces words like *.csv in argv by the names of files, as a shell of POSIX does. */
int _dowildcard = -1;

/* Sets errno to the error of the last call. Returns -1. */
static int fail(void)
{
    static const struct {
        DWORD code;
        int errnum;
    } known[] = {
        { ERROR_FILE_NOT_FOUND, ENOENT },    { ERROR_PATH_NOT_FOUND, ENOENT },
        { ERROR_INVALID_NAME, ENOENT },      { ERROR_ACCESS_DENIED, EACCES },
        { ERROR_SHARING_VIOLATION, EBUSY },  { ERROR_FILE_EXISTS, EEXIST },
        { ERROR_ALREADY_EXISTS, EEXIST },    { ERROR_DISK_FULL, ENOSPC },
        { ERROR_NOT_ENOUGH_MEMORY, ENOMEM }, { ERROR_WRITE_PROTECT, EROFS },
        { ERROR_INVALID_HANDLE, EBADF },     { ERROR_NO_DATA, EPIPE },
        { ERROR_BROKEN_PIPE, EPIPE },        { ERROR_PIPE_NOT_CONNECTED, EPIPE },
    };
    const DWORD code = GetLastError();
    errno = EIO;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].code == code)
            errno = known[i].errnum;
    return -1;
}

static int fail_with(int errnum)
{
    errno = errnum;
    return -1;
}

static HANDLE handle_of(int fd)
{
    return (HANDLE)_get_osfhandle(fd);
}

/* --- the process --- */

static UINT page_before; /* the console's code page before the program set its own; 0: it did not */

static void restore_console(void)
{
    if (page_before)
        SetConsoleOutputCP(page_before);
}

/* Text on a console is UTF-8, with escape sequences for colours. */
static void open_console(int fd)
{
    DWORD mode;
    if (!GetConsoleMode(handle_of(fd), &mode))
        return;
    SetConsoleMode(handle_of(fd), mode | ENABLE_PROCESSED_OUTPUT | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
    if (!page_before)
        page_before = GetConsoleOutputCP();
    SetConsoleOutputCP(CP_UTF8);
}

bool port_open_standard(void)
{
    for (int fd = PORT_STDIN; fd <= PORT_STDERR; fd++) {
        if (_get_osfhandle(fd) < 0 && _open("NUL", fd == PORT_STDIN ? _O_WRONLY : _O_RDONLY) != fd)
            return false;
        _setmode(fd, _O_BINARY);
    }
    open_console(PORT_STDOUT);
    open_console(PORT_STDERR);
    atexit(restore_console);
    return true;
}

bool port_reserve_stack(void)
{
    return true; /* the loader has reserved it */
}

static void (*clean_up)(void); /* NULL before port_watch_signals */

/* Ends the program as a signal does. */
static void die(UINT status)
{
    if (clean_up)
        clean_up();
    restore_console();
    TerminateProcess(GetCurrentProcess(), status);
}

static BOOL WINAPI handle_control(DWORD type)
{
    (void)type;
    die((UINT)STATUS_CONTROL_C_EXIT);
    return TRUE;
}

void port_watch_signals(void (*clean)(void))
{
    clean_up = clean;
    SetConsoleCtrlHandler(handle_control, TRUE);
}

/* The system handles signals in its own thread, which nothing needs to hold back. */
void port_hold_signals(void)
{
}

void port_release_signals(void)
{
}

int port_run(char *const argv[], const int fd[3], int *status)
{
    int kept[3];
    const int nothing = _open("NUL", _O_RDWR);
    for (int to = 0; to < 3; to++) {
        kept[to] = _dup(to);
        _dup2(fd[to] < 0 ? nothing : fd[to], to);
    }
    errno = 0;
    const intptr_t result = _spawnvp(_P_WAIT, argv[0], (const char *const *)argv);
    const int errnum = errno;
    for (int to = 0; to < 3; to++) {
        _dup2(kept[to], to);
        _close(kept[to]);
    }
    _close(nothing);
    *status = (int)result;
    return result < 0 ? errnum : 0;
}

unsigned port_processors(void)
{
    DWORD n = GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
    return n > 0 ? n : 1;
}

/* --- terminals --- */

bool port_is_terminal(int fd)
{
    DWORD mode;
    return GetConsoleMode(handle_of(fd), &mode);
}

bool port_file_of(int fd, char *path, size_t max)
{
    (void)fd, (void)path, (void)max;
    return false;
}

unsigned port_terminal_columns(int fd)
{
    CONSOLE_SCREEN_BUFFER_INFO screen;
    if (!GetConsoleScreenBufferInfo(handle_of(fd), &screen))
        return 0;
    return (unsigned)(screen.srWindow.Right - screen.srWindow.Left + 1);
}

/* --- the status of a file --- */

/* time: units of 100 ns since 1601. */
static struct timespec to_timespec(int64_t time)
{
    const int64_t epoch = 116444736000000000, second = 10000000; /* 1970 */
    return (struct timespec){ .tv_sec = (time_t)((time - epoch) / second),
                              .tv_nsec = (long)(time % second) * 100 };
}

/* Not each reparse point is a link: files in a cloud are reparse points, too. */
static bool is_link(HANDLE file)
{
    FILE_ATTRIBUTE_TAG_INFO tag;
    return GetFileInformationByHandleEx(file, FileAttributeTagInfo, &tag, sizeof tag) &&
           (tag.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) &&
           (tag.ReparseTag == IO_REPARSE_TAG_SYMLINK || tag.ReparseTag == IO_REPARSE_TAG_MOUNT_POINT);
}

static int status_of(HANDLE file, struct port_status *status)
{
    FILE_BASIC_INFO basic;
    FILE_STANDARD_INFO standard;
    FILE_ID_INFO id;
    *status = (struct port_status){ .kind = PORT_OTHER, .mode = 0666, .device = 1, .nlink = 1 };
    status->inode = (uint64_t)(uintptr_t)file;
    if (GetFileType(file) != FILE_TYPE_DISK)
        return file == INVALID_HANDLE_VALUE ? fail_with(EBADF) : 0;
    if (!GetFileInformationByHandleEx(file, FileBasicInfo, &basic, sizeof basic) ||
        !GetFileInformationByHandleEx(file, FileStandardInfo, &standard, sizeof standard) ||
        !GetFileInformationByHandleEx(file, FileIdInfo, &id, sizeof id))
        return fail();
    status->kind = standard.Directory ? PORT_DIRECTORY : PORT_REGULAR;
    if (is_link(file))
        status->kind = PORT_LINK;
    if (basic.FileAttributes & FILE_ATTRIBUTE_READONLY && !standard.Directory)
        status->mode = 0444;
    status->device = id.VolumeSerialNumber;
    memcpy(&status->inode, &id.FileId, sizeof status->inode);
    status->nlink = standard.NumberOfLinks;
    status->size = (uint64_t)standard.EndOfFile.QuadPart;
    status->modified = to_timespec(basic.LastWriteTime.QuadPart);
    return 0;
}

int port_status(int fd, struct port_status *status)
{
    return status_of(handle_of(fd), status);
}

/* Opens a file. how: OPEN_EXISTING or CREATE_NEW; flags of CreateFile. Others may read, rename and remove it
 * meanwhile. */
static HANDLE open_handle(const char *path, DWORD access, DWORD how, DWORD flags)
{
    const DWORD share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    HANDLE file = CreateFileA(path, access, share, NULL, how, flags | FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (file == INVALID_HANDLE_VALUE)
        fail();
    return file;
}

static int status_of_path(const char *path, DWORD flags, struct port_status *status)
{
    HANDLE file = open_handle(path, FILE_READ_ATTRIBUTES, OPEN_EXISTING, flags);
    if (file == INVALID_HANDLE_VALUE)
        return -1;
    int result = status_of(file, status);
    CloseHandle(file);
    return result;
}

int port_status_of(const char *path, struct port_status *status)
{
    return status_of_path(path, 0, status);
}

int port_status_of_link(const char *path, struct port_status *status)
{
    return status_of_path(path, FILE_FLAG_OPEN_REPARSE_POINT, status);
}

int port_may_write(const char *path)
{
    enum { WRITE = 2 };
    return _access(path, WRITE);
}

/* --- files --- */

static int open_file(const char *path, DWORD access, DWORD how, DWORD flags)
{
    HANDLE file = open_handle(path, access, how, flags);
    return file == INVALID_HANDLE_VALUE ? -1 : _open_osfhandle((intptr_t)file, _O_BINARY);
}

int port_open_read(const char *path)
{
    return open_file(path, GENERIC_READ, OPEN_EXISTING, 0);
}

int port_open_write(const char *path)
{
    return open_file(path, GENERIC_WRITE, OPEN_EXISTING, 0);
}

int port_create(const char *path, unsigned mode)
{
    (void)mode; /* the directory's access control list holds */
    return open_file(path, GENERIC_READ | GENERIC_WRITE | DELETE, CREATE_NEW, 0);
}

static int64_t read_bytes(int fd, void *bytes, size_t n, OVERLAPPED *at)
{
    DWORD got = 0;
    if (ReadFile(handle_of(fd), bytes, (DWORD)(n < MAXPIECE ? n : MAXPIECE), &got, at))
        return got;
    const DWORD code = GetLastError();
    return code == ERROR_BROKEN_PIPE || code == ERROR_HANDLE_EOF ? 0 : fail(); /* the input has ended */
}

static int64_t write_bytes(int fd, const void *bytes, size_t n, OVERLAPPED *at)
{
    DWORD done = 0;
    if (WriteFile(handle_of(fd), bytes, (DWORD)(n < MAXPIECE ? n : MAXPIECE), &done, at))
        return done;
    fail();
    if (errno == EPIPE)
        die(PIPE_CLOSED); /* as by SIGPIPE: the reader wants no more */
    return -1;
}

int64_t port_read(int fd, void *bytes, size_t n)
{
    return read_bytes(fd, bytes, n, NULL);
}

int64_t port_write(int fd, const void *bytes, size_t n)
{
    return write_bytes(fd, bytes, n, NULL);
}

int64_t port_read_at(int fd, void *bytes, size_t n, uint64_t at)
{
    return read_bytes(fd, bytes, n, &(OVERLAPPED){ .Offset = (DWORD)at, .OffsetHigh = (DWORD)(at >> 32) });
}

int64_t port_write_at(int fd, const void *bytes, size_t n, uint64_t at)
{
    return write_bytes(fd, bytes, n, &(OVERLAPPED){ .Offset = (DWORD)at, .OffsetHigh = (DWORD)(at >> 32) });
}

int64_t port_seek(int fd, int64_t offset, int whence)
{
    return GetFileType(handle_of(fd)) == FILE_TYPE_DISK ? _lseeki64(fd, offset, whence) : fail_with(ESPIPE);
}

bool port_can_read(int fd)
{
    DWORD n = 0;
    if (port_is_terminal(fd))
        return WaitForSingleObject(handle_of(fd), 0) == WAIT_OBJECT_0;
    if (GetFileType(handle_of(fd)) != FILE_TYPE_PIPE)
        return true;
    if (PeekNamedPipe(handle_of(fd), NULL, 0, NULL, &n, NULL))
        return n > 0;
    return GetLastError() == ERROR_BROKEN_PIPE;
}

void port_wait(int fd, bool to_write)
{
    (void)fd, (void)to_write; /* calls always wait here */
}

int port_sync(int fd)
{
    return _commit(fd);
}

int port_open_temporary(const char *path)
{
    char name[MAX_PATH];
    if (!GetTempFileNameA(path, "spr", 0, name)) /* makes the file */
        return fail();
    return open_file(name, GENERIC_READ | GENERIC_WRITE | DELETE, OPEN_EXISTING, FILE_FLAG_DELETE_ON_CLOSE);
}

/* --- directories and names --- */

int port_make_directory(const char *path)
{
    return _mkdir(path);
}

char *port_slashes(char *path)
{
    for (char *at = path; *at; at++)
        if (*at == '\\')
            *at = '/';
    return path;
}

size_t port_root(const char *path)
{
    if (path[0] && path[1] == ':')
        return path[2] == '/' ? 3 : 2;
    return path[0] == '/';
}

char *port_real_path(const char *path)
{
    static const char prefix[] = "\\\\?\\";
    char final[32768];
    HANDLE file = open_handle(path, 0, OPEN_EXISTING, 0);
    if (file == INVALID_HANDLE_VALUE)
        return NULL;
    const DWORD n = GetFinalPathNameByHandleA(file, final, sizeof final, 0);
    CloseHandle(file);
    const bool known = n > 0 && n < sizeof final && strncmp(final, prefix, 4) == 0 && final[5] == ':';
    char *real = strdup(known ? final + 4 : path);
    return real ? port_slashes(real) : NULL;
}

int port_link(const char *path, const char *second)
{
    return CreateHardLinkA(second, path, NULL) ? 0 : fail();
}

/* ReplaceFile keeps owner, access control list and attributes of the file that it replaces, but refuses a
 * read-only file. */
int port_replace(const char *from, const char *to)
{
    const DWORD attributes = GetFileAttributesA(to);
    const bool locked = attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_READONLY);
    if (locked)
        SetFileAttributesA(to, attributes & ~(DWORD)FILE_ATTRIBUTE_READONLY);
    bool good = ReplaceFileA(to, from, NULL, REPLACEFILE_IGNORE_MERGE_ERRORS, NULL, NULL);
    for (int tries = 0; !good && GetLastError() == ERROR_SHARING_VIOLATION && tries < PATIENCE; tries++) {
        Sleep(PATIENCE_MS);
        good = ReplaceFileA(to, from, NULL, REPLACEFILE_IGNORE_MERGE_ERRORS, NULL, NULL);
    }
    good = good || MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH);
    const int result = good ? 0 : fail();
    if (locked)
        SetFileAttributesA(to, attributes);
    return result;
}

int port_rename_new(const char *from, const char *to)
{
    return MoveFileExA(from, to, MOVEFILE_WRITE_THROUGH) ? 0 : fail();
}

/* --- what port_replace does --- */

int port_set_owner(int fd, const struct port_status *other)
{
    (void)fd, (void)other;
    return 0;
}

int port_set_mode(int fd, unsigned mode)
{
    (void)fd, (void)mode;
    return 0;
}
#endif
