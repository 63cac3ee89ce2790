/* Windows 7 and later. See port.h. Elsewhere this file is empty.
 *
 * A descriptor is one of the C library, which has a table of handles; bytes go through the handle, so that no
 * line end is changed. Every path is made absolute and gets the prefix \\?\, which lifts the limit of 260
 * characters. Files are opened so that others may read, rename and remove them meanwhile, as on POSIX. */
#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#undef _WIN32_WINNT
#define _WIN32_WINNT 0x0602 /* to ask Windows 8 for more; all functions are those of Windows 7 */
#include "base/port.h"

#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* windows.h comes first, for its types. */
#include <windows.h>

#include <shellapi.h>

enum {
    SHARE = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
    MAXPIECE = 1 << 30,     /* bytes of a call for reading or writing */
    MAXCONSOLE = 8192,      /* the same for a console, which accepts at most 64 KiB */
    DESCRIPTORS = 2048,     /* of the C library */
    PATIENCE = 40,          /* tries to replace a file that another program, say a virus scanner, has open */
    PATIENCE_MS = 25,       /* between two tries */
    PIPE_CLOSED = 128 + 13, /* the exit status that a shell of POSIX shows after SIGPIPE */
};

/* --- errors --- */

static int errno_of(DWORD code)
{
    static const struct {
        DWORD code;
        int errnum;
    } known[] = {
        { ERROR_FILE_NOT_FOUND, ENOENT },
        { ERROR_PATH_NOT_FOUND, ENOENT },
        { ERROR_INVALID_DRIVE, ENOENT },
        { ERROR_BAD_NETPATH, ENOENT },
        { ERROR_BAD_NET_NAME, ENOENT },
        { ERROR_BAD_PATHNAME, ENOENT },
        { ERROR_INVALID_NAME, ENOENT },
        { ERROR_ACCESS_DENIED, EACCES },
        { ERROR_SHARING_VIOLATION, EBUSY },
        { ERROR_LOCK_VIOLATION, EBUSY },
        { ERROR_FILE_EXISTS, EEXIST },
        { ERROR_ALREADY_EXISTS, EEXIST },
        { ERROR_DISK_FULL, ENOSPC },
        { ERROR_HANDLE_DISK_FULL, ENOSPC },
        { ERROR_WRITE_PROTECT, EROFS },
        { ERROR_NOT_ENOUGH_MEMORY, ENOMEM },
        { ERROR_OUTOFMEMORY, ENOMEM },
        { ERROR_DIRECTORY, ENOTDIR },
        { ERROR_DIR_NOT_EMPTY, ENOTEMPTY },
        { ERROR_INVALID_HANDLE, EBADF },
        { ERROR_NO_DATA, EPIPE },
        { ERROR_BROKEN_PIPE, EPIPE },
        { ERROR_PIPE_NOT_CONNECTED, EPIPE },
        { ERROR_NOT_SUPPORTED, ENOTSUP },
        { ERROR_INVALID_FUNCTION, ENOTSUP },
        { ERROR_TOO_MANY_OPEN_FILES, EMFILE },
        { ERROR_TOO_MANY_LINKS, EMLINK },
        { ERROR_NOT_SAME_DEVICE, EXDEV },
        { ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG },
        { ERROR_INVALID_PARAMETER, EINVAL },
        { ERROR_CANT_RESOLVE_FILENAME, ELOOP },
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].code == code)
            return known[i].errnum;
    return EIO;
}

/* Sets errno to the error of the last call. Returns -1. */
static int fail(void)
{
    errno = errno_of(GetLastError());
    return -1;
}

static int fail_with(int errnum)
{
    errno = errnum;
    return -1;
}

/* The result of a call that has just returned `good`. */
static int result_of(BOOL good)
{
    return good ? 0 : fail();
}

/* --- text --- */

/* Text in UTF-16, malloc'ed. NULL, with errno. */
static wchar_t *to_wide(const char *text)
{
    int n = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, NULL, 0);
    wchar_t *wide = n > 0 ? malloc((size_t)n * sizeof *wide) : NULL;
    errno = n > 0 ? ENOMEM : EINVAL;
    if (wide)
        MultiByteToWideChar(CP_UTF8, 0, text, -1, wide, n);
    return wide;
}

/* Text in UTF-8, malloc'ed. NULL, with errno. */
static char *to_utf8(const wchar_t *wide)
{
    int n = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    char *text = n > 0 ? malloc((size_t)n) : NULL;
    errno = n > 0 ? ENOMEM : EINVAL;
    if (text)
        WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, n, NULL, NULL);
    return text;
}

/* Texts joined, malloc'ed. NULL, with errno. */
static wchar_t *join(const wchar_t *first, const wchar_t *second, const wchar_t *third)
{
    size_t n = wcslen(first) + wcslen(second) + wcslen(third) + 1;
    wchar_t *joined = malloc(n * sizeof *joined);
    if (!joined)
        errno = ENOMEM;
    else
        wcscat(wcscat(wcscpy(joined, first), second), third);
    return joined;
}

/* --- the process --- */

const bool port_expands_patterns = true;

static UINT page_before;      /* the console's code page before the program set its own; 0: it did not */
static bool shows_escapes[3]; /* the console at this descriptor understands escape sequences */

static HANDLE handle_of(int fd)
{
    return (HANDLE)_get_osfhandle(fd);
}

static bool is_console(int fd)
{
    DWORD mode;
    return GetConsoleMode(handle_of(fd), &mode);
}

static void restore_console(void)
{
    if (page_before)
        SetConsoleOutputCP(page_before);
}

/* Text on a console is UTF-8, with escape sequences for colours. */
static void open_console(void)
{
    DWORD mode;
    for (int fd = PORT_STDOUT; fd <= PORT_STDERR; fd++)
        shows_escapes[fd] = GetConsoleMode(handle_of(fd), &mode) &&
                            SetConsoleMode(handle_of(fd), mode | ENABLE_PROCESSED_OUTPUT |
                                                              ENABLE_VIRTUAL_TERMINAL_PROCESSING);
    if (!is_console(PORT_STDOUT) && !is_console(PORT_STDERR))
        return;
    page_before = GetConsoleOutputCP();
    SetConsoleOutputCP(CP_UTF8);
    atexit(restore_console);
}

bool port_open_standard(void)
{
    for (int fd = PORT_STDIN; fd <= PORT_STDERR; fd++) {
        if (_get_osfhandle(fd) < 0 && _open("NUL", fd == PORT_STDIN ? _O_WRONLY : _O_RDONLY) != fd)
            return false;
        _setmode(fd, _O_BINARY);
    }
    open_console();
    return true;
}

char **port_arguments(int *argc, char **argv)
{
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), argc);
    argv = wide ? calloc((size_t)*argc + 1, sizeof *argv) : NULL;
    for (int i = 0; argv && i < *argc; i++)
        if (!(argv[i] = to_utf8(wide[i])))
            return NULL;
    LocalFree(wide);
    return argv;
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

/* A handle that a program to be run inherits: of the descriptor, or of the device NUL for -1. */
static HANDLE inheritable(int fd)
{
    SECURITY_ATTRIBUTES inherit = { sizeof inherit, NULL, TRUE };
    HANDLE copy = INVALID_HANDLE_VALUE, self = GetCurrentProcess();
    if (fd < 0)
        return CreateFileW(L"NUL", GENERIC_READ | GENERIC_WRITE, SHARE, &inherit, OPEN_EXISTING, 0, NULL);
    if (!DuplicateHandle(self, handle_of(fd), self, &copy, 0, TRUE, DUPLICATE_SAME_ACCESS))
        return INVALID_HANDLE_VALUE;
    return copy;
}

/* The words in quotes; none of them has a quote or ends with a backslash. */
static wchar_t *command_line(char *const argv[])
{
    struct text line = { 0 };
    for (size_t i = 0; argv[i]; i++)
        text_put(&line, "%s\"%s\"", i ? " " : "", argv[i]);
    char *text = text_take(&line);
    wchar_t *wide = text ? to_wide(text) : NULL;
    free(text);
    return wide;
}

int port_run(char *const argv[], const int fd[3], int *status)
{
    PROCESS_INFORMATION child;
    DWORD code = 0;
    STARTUPINFOW start = { .cb = sizeof start, .dwFlags = STARTF_USESTDHANDLES };
    HANDLE handle[3] = { inheritable(fd[0]), inheritable(fd[1]), inheritable(fd[2]) };
    start.hStdInput = handle[0];
    start.hStdOutput = handle[1];
    start.hStdError = handle[2];
    wchar_t *line = command_line(argv);
    BOOL good = line && CreateProcessW(NULL, line, NULL, NULL, TRUE, 0, NULL, NULL, &start, &child);
    int errnum = line ? errno_of(GetLastError()) : ENOMEM;
    if (good) {
        WaitForSingleObject(child.hProcess, INFINITE);
        GetExitCodeProcess(child.hProcess, &code);
        CloseHandle(child.hThread);
        CloseHandle(child.hProcess);
    }
    for (size_t i = 0; i < 3; i++)
        CloseHandle(handle[i]);
    free(line);
    *status = (int)code;
    return good ? 0 : errnum;
}

/* --- the machine --- */

unsigned port_processors(void)
{
    DWORD n = GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
    return n > 0 ? n : 1;
}

size_t port_most_descriptors(void)
{
    return DESCRIPTORS;
}

/* --- terminals --- */

bool port_is_terminal(int fd)
{
    return is_console(fd) && (fd == PORT_STDIN || fd > PORT_STDERR || shows_escapes[fd]);
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

bool port_in_background(int fd)
{
    (void)fd;
    return false;
}

/* --- paths --- */

/* The path from its root, malloc'ed, as the system takes it at any length. NULL, with errno. */
static wchar_t *absolute(const char *path)
{
    wchar_t *given = to_wide(path), *full = NULL, *prefixed = NULL;
    DWORD n = given && *given ? GetFullPathNameW(given, 0, NULL, NULL) : 0;
    if (n > 0)
        full = malloc(n * sizeof *full);
    else if (given)
        errno = ENOENT;
    free(given);
    if (!full)
        return NULL;
    given = to_wide(path);
    if (given && GetFullPathNameW(given, n, full, NULL) < n) {
        bool device = wcsncmp(full, L"\\\\.\\", 4) == 0 || wcsncmp(full, L"\\\\?\\", 4) == 0;
        bool network = !device && wcsncmp(full, L"\\\\", 2) == 0;
        if (network)
            prefixed = join(L"\\\\?\\UNC\\", full + 2, L"");
        else
            prefixed = join(device ? L"" : L"\\\\?\\", full, L"");
    }
    free(given);
    free(full);
    return prefixed;
}

/* The path of an open file without links, from the root, malloc'ed. path: the one that opened it. NULL, with
 * errno. */
static wchar_t *final_path(HANDLE file, const char *path)
{
    DWORD n = GetFinalPathNameByHandleW(file, NULL, 0, 0);
    if (n == 0 && GetLastError() == ERROR_MORE_DATA)
        return absolute(path); /* Wine does not know a path of more than 260 characters */
    wchar_t *final = n > 0 ? malloc((n + 1) * sizeof *final) : NULL;
    if (n == 0)
        fail();
    else if (!final)
        errno = ENOMEM;
    else if (GetFinalPathNameByHandleW(file, final, n + 1, 0) > n) {
        free(final);
        fail_with(EBUSY); /* renamed between the two calls */
        return NULL;
    }
    return final;
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
    bool drive = ((path[0] | 32) >= 'a' && (path[0] | 32) <= 'z') && path[1] == ':';
    if (drive)
        return path[2] == '/' ? 3 : 2;
    if (path[0] != '/' || path[1] != '/')
        return path[0] == '/';
    size_t server = 2 + strcspn(path + 2, "/"); /* //server/share/ */
    size_t share = server + (path[server] == '/');
    share += strcspn(path + share, "/");
    return share + (path[share] == '/');
}

char *port_real_path(const char *path)
{
    int fd = port_open_read(path);
    if (fd < 0)
        return NULL;
    wchar_t *wide = final_path(handle_of(fd), path);
    const wchar_t *shown = wide;
    _close(fd);
    if (wide && wcsncmp(wide, L"\\\\?\\UNC\\", 8) == 0) {
        wide[6] = L'\\'; /* the path begins with \\ at the C of UNC */
        shown = wide + 6;
    } else if (wide && wcsncmp(wide, L"\\\\?\\", 4) == 0) {
        shown = wide + 4;
    }
    char *text = wide ? to_utf8(shown) : NULL;
    free(wide);
    return text ? port_slashes(text) : NULL;
}

/* --- the status of a file --- */

/* time: units of 100 ns since 1601. */
static struct timespec to_timespec(int64_t time)
{
    const int64_t epoch = 116444736000000000; /* 1970 */
    int64_t since = time - epoch, second = since / 10000000;
    second -= since % 10000000 < 0;
    return (struct timespec){ .tv_sec = (time_t)second, .tv_nsec = (long)(since - second * 10000000) * 100 };
}

static bool is_link(HANDLE file, DWORD attributes)
{
    FILE_ATTRIBUTE_TAG_INFO tag;
    return (attributes & FILE_ATTRIBUTE_REPARSE_POINT) &&
           GetFileInformationByHandleEx(file, FileAttributeTagInfo, &tag, sizeof tag) &&
           (tag.ReparseTag == IO_REPARSE_TAG_SYMLINK || tag.ReparseTag == IO_REPARSE_TAG_MOUNT_POINT);
}

/* Sets what identifies the file. Windows 7 does not know FileIdInfo. */
static bool identify(HANDLE file, struct port_status *status)
{
    FILE_ID_INFO id;
    BY_HANDLE_FILE_INFORMATION info;
    if (GetFileInformationByHandleEx(file, FileIdInfo, &id, sizeof id)) {
        memcpy(&status->inode, &id.FileId, sizeof status->inode);
        status->device = id.VolumeSerialNumber;
        return true;
    }
    if (!GetFileInformationByHandle(file, &info))
        return false;
    status->device = info.dwVolumeSerialNumber;
    status->inode = (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow;
    return true;
}

static int status_of(HANDLE file, struct port_status *status)
{
    FILE_BASIC_INFO basic;
    FILE_STANDARD_INFO standard;
    *status = (struct port_status){ .kind = PORT_OTHER, .mode = 0666, .device = 1, .nlink = 1 };
    status->inode = (uint64_t)(uintptr_t)file;
    if (GetFileType(file) != FILE_TYPE_DISK)
        return file == INVALID_HANDLE_VALUE ? fail_with(EBADF) : 0;
    if (!GetFileInformationByHandleEx(file, FileBasicInfo, &basic, sizeof basic) ||
        !GetFileInformationByHandleEx(file, FileStandardInfo, &standard, sizeof standard) ||
        !identify(file, status))
        return fail();
    status->kind = standard.Directory ? PORT_DIRECTORY : PORT_REGULAR;
    if (is_link(file, basic.FileAttributes))
        status->kind = PORT_LINK;
    if (basic.FileAttributes & FILE_ATTRIBUTE_READONLY && !standard.Directory)
        status->mode = 0444;
    status->nlink = standard.NumberOfLinks;
    status->size = (uint64_t)standard.EndOfFile.QuadPart;
    status->modified = to_timespec(basic.LastWriteTime.QuadPart);
    return 0;
}

int port_status(int fd, struct port_status *status)
{
    return status_of(handle_of(fd), status);
}

/* Opens an existing file at a wide path, which is freed. */
static HANDLE open_path(wchar_t *path, DWORD access, bool follow)
{
    HANDLE file = INVALID_HANDLE_VALUE;
    if (path)
        file = CreateFileW(path, access, SHARE, NULL, OPEN_EXISTING,
                           FILE_FLAG_BACKUP_SEMANTICS | (follow ? 0 : FILE_FLAG_OPEN_REPARSE_POINT), NULL);
    if (path && file == INVALID_HANDLE_VALUE)
        fail();
    free(path);
    return file;
}

static int status_of_path(wchar_t *path, bool follow, struct port_status *status)
{
    HANDLE file = open_path(path, FILE_READ_ATTRIBUTES, follow);
    if (file == INVALID_HANDLE_VALUE)
        return -1;
    int result = status_of(file, status);
    CloseHandle(file);
    return result;
}

int port_status_of(const char *path, struct port_status *status)
{
    return status_of_path(absolute(path), true, status);
}

int port_status_of_link(const char *path, struct port_status *status)
{
    return status_of_path(absolute(path), false, status);
}

bool port_exists(const char *path)
{
    struct port_status status;
    return port_status_of(path, &status) == 0;
}

int port_may_write(const char *path)
{
    struct port_status status;
    if (port_status_of(path, &status) != 0)
        return -1;
    return status.mode & 0222 ? 0 : fail_with(EACCES);
}

/* --- files --- */

/* The descriptor of a handle, which it owns from now on. */
static int to_descriptor(HANDLE file)
{
    int fd = file == INVALID_HANDLE_VALUE ? -1 : _open_osfhandle((intptr_t)file, _O_BINARY);
    if (fd < 0 && file != INVALID_HANDLE_VALUE) {
        CloseHandle(file);
        errno = EMFILE;
    }
    return fd;
}

int port_open_read(const char *path)
{
    return to_descriptor(open_path(absolute(path), GENERIC_READ, true));
}

int port_open_write(const char *path)
{
    return to_descriptor(open_path(absolute(path), GENERIC_WRITE, true));
}

/* Makes a file at a wide path, which is freed. */
static int create(wchar_t *path, DWORD flags)
{
    HANDLE file = INVALID_HANDLE_VALUE;
    if (path)
        file = CreateFileW(path, GENERIC_READ | GENERIC_WRITE | DELETE, SHARE, NULL, CREATE_NEW, flags, NULL);
    if (path && file == INVALID_HANDLE_VALUE)
        fail();
    free(path);
    return to_descriptor(file);
}

int port_create(const char *path, unsigned mode)
{
    (void)mode; /* the directory's access control list holds */
    return create(absolute(path), FILE_ATTRIBUTE_NORMAL);
}

int port_close(int fd)
{
    return _close(fd);
}

static int64_t read_at(int fd, void *bytes, size_t n, OVERLAPPED *at)
{
    DWORD got = 0;
    if (ReadFile(handle_of(fd), bytes, (DWORD)(n < MAXPIECE ? n : MAXPIECE), &got, at))
        return got;
    DWORD code = GetLastError();
    return code == ERROR_BROKEN_PIPE || code == ERROR_HANDLE_EOF ? 0 : fail(); /* the input has ended */
}

int64_t port_read(int fd, void *bytes, size_t n)
{
    return read_at(fd, bytes, n, NULL);
}

/* Fewer than MAXCONSOLE bytes, without the first bytes of a character at their end. */
static size_t console_piece(const char *bytes, size_t n)
{
    if (n <= MAXCONSOLE)
        return n;
    size_t piece = MAXCONSOLE;
    while (piece > MAXCONSOLE - 4 && (bytes[piece] & 0xC0) == 0x80)
        piece--;
    return piece;
}

static int64_t write_at(int fd, const void *bytes, size_t n, OVERLAPPED *at)
{
    DWORD done = 0;
    n = n > MAXCONSOLE && is_console(fd) ? console_piece(bytes, n) : n;
    if (WriteFile(handle_of(fd), bytes, (DWORD)(n < MAXPIECE ? n : MAXPIECE), &done, at))
        return done;
    fail();
    if (errno == EPIPE)
        die(PIPE_CLOSED); /* as by SIGPIPE: the reader wants no more */
    return -1;
}

int64_t port_write(int fd, const void *bytes, size_t n)
{
    return write_at(fd, bytes, n, NULL);
}

static OVERLAPPED position(uint64_t at)
{
    return (OVERLAPPED){ .Offset = (DWORD)at, .OffsetHigh = (DWORD)(at >> 32) };
}

int64_t port_read_at(int fd, void *bytes, size_t n, uint64_t at)
{
    OVERLAPPED from = position(at);
    return read_at(fd, bytes, n, &from);
}

int64_t port_write_at(int fd, const void *bytes, size_t n, uint64_t at)
{
    OVERLAPPED to = position(at);
    return write_at(fd, bytes, n, &to);
}

int64_t port_seek(int fd, int64_t offset, int whence)
{
    static const DWORD method[] = {
        [SEEK_SET] = FILE_BEGIN, [SEEK_CUR] = FILE_CURRENT, [SEEK_END] = FILE_END
    };
    LARGE_INTEGER to = { .QuadPart = offset }, now;
    if (GetFileType(handle_of(fd)) != FILE_TYPE_DISK)
        return fail_with(ESPIPE);
    return SetFilePointerEx(handle_of(fd), to, &now, method[whence]) ? now.QuadPart : fail();
}

bool port_empty(int fd)
{
    return port_seek(fd, 0, SEEK_SET) == 0 && SetEndOfFile(handle_of(fd));
}

bool port_can_read(int fd)
{
    DWORD n = 0;
    if (is_console(fd))
        return WaitForSingleObject(handle_of(fd), 0) == WAIT_OBJECT_0;
    if (GetFileType(handle_of(fd)) != FILE_TYPE_PIPE)
        return true;
    if (PeekNamedPipe(handle_of(fd), NULL, 0, NULL, &n, NULL))
        return n > 0;
    return GetLastError() ==
           ERROR_BROKEN_PIPE; /* another pipe, which cannot be asked, may make the reader wait */
}

/* Descriptors always wait here. */
void port_wait_to_read(int fd)
{
    (void)fd;
}

void port_wait_to_write(int fd)
{
    (void)fd;
}

bool port_appends(int fd)
{
    return _get_osfhandle(fd) < 0; /* >> of the shells opens a file at its end, for writing anywhere */
}

int port_sync(int fd)
{
    bool disk = GetFileType(handle_of(fd)) == FILE_TYPE_DISK;
    return result_of(!disk || FlushFileBuffers(handle_of(fd)));
}

const char port_temporary_variable[] = "TMP";

const char *port_temporary_directory(void)
{
    static _Thread_local char path[3 * MAX_PATH + 3];
    wchar_t wide[MAX_PATH + 1];
    DWORD n = GetTempPathW(MAX_PATH + 1, wide);
    if (n == 0 || n > MAX_PATH || !WideCharToMultiByte(CP_UTF8, 0, wide, -1, path, sizeof path, NULL, NULL))
        return ".";
    size_t length = strlen(port_slashes(path));
    if (length > port_root(path) && path[length - 1] == '/')
        path[length - 1] = 0;
    return path;
}

int port_open_temporary(const char *path)
{
    static atomic_uint count;
    for (int tries = 0; tries < 100; tries++) {
        char *name = text_format("%s/sprung.%lx-%x", path, GetCurrentProcessId(),
                                 atomic_fetch_add(&count, 1));
        int fd = name ? create(absolute(name), FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE) : -1;
        int errnum = name ? errno : ENOMEM;
        free(name);
        errno = errnum;
        if (fd >= 0 || errnum != EEXIST)
            return fd;
    }
    return -1;
}

/* --- directories and names --- */

int port_make_directory(const char *path)
{
    wchar_t *wide = absolute(path);
    int result = wide ? result_of(CreateDirectoryW(wide, NULL)) : -1;
    free(wide);
    return result;
}

int port_remove(const char *path)
{
    wchar_t *wide = absolute(path);
    int result = wide ? result_of(DeleteFileW(wide)) : -1;
    free(wide);
    return result;
}

int port_remove_directory(const char *path)
{
    wchar_t *wide = absolute(path);
    int result = wide ? result_of(RemoveDirectoryW(wide)) : -1;
    free(wide);
    return result;
}

struct port_folder {
    wchar_t *path;
    HANDLE find; /* gives the names */
    WIN32_FIND_DATAW entry;
    bool first;                  /* entry has a name that has not been returned */
    char name[3 * MAX_PATH + 1]; /* the name returned last */
};

struct port_folder *port_open_folder(const char *path, bool follow)
{
    struct port_status status;
    wchar_t *all = NULL;
    if (status_of_path(absolute(path), follow, &status) != 0)
        return NULL;
    if (status.kind != PORT_DIRECTORY) {
        fail_with(status.kind == PORT_LINK ? ELOOP : ENOTDIR);
        return NULL;
    }
    struct port_folder *folder = calloc(1, sizeof *folder);
    if (!folder)
        return NULL;
    folder->find = INVALID_HANDLE_VALUE;
    folder->path = absolute(path);
    if (folder->path && (all = join(folder->path, L"\\", L"*")))
        folder->find = FindFirstFileW(all, &folder->entry);
    free(all);
    if (folder->find != INVALID_HANDLE_VALUE) {
        folder->first = true;
        return folder;
    }
    fail();
    free(folder->path);
    free(folder);
    return NULL;
}

const char *port_next_name(struct port_folder *folder)
{
    while (folder->first || FindNextFileW(folder->find, &folder->entry)) {
        const wchar_t *name = folder->entry.cFileName;
        folder->first = false;
        if (wcscmp(name, L".") == 0 || wcscmp(name, L"..") == 0)
            continue;
        WideCharToMultiByte(CP_UTF8, 0, name, -1, folder->name, sizeof folder->name, NULL, NULL);
        return folder->name;
    }
    errno = GetLastError() == ERROR_NO_MORE_FILES ? 0 : errno_of(GetLastError());
    return NULL;
}

void port_close_folder(struct port_folder *folder)
{
    FindClose(folder->find);
    free(folder->path);
    free(folder);
}

int port_link(const char *path, const char *second)
{
    wchar_t *old = absolute(path), *new = absolute(second);
    int result = old && new ? result_of(CreateHardLinkW(new, old, NULL)) : -1;
    free(old);
    free(new);
    return result;
}

/* One try to replace the file `to`, whose attributes and access control list stay. */
static bool replace(const wchar_t *from, const wchar_t *to)
{
    if (ReplaceFileW(to, from, NULL, REPLACEFILE_IGNORE_MERGE_ERRORS, NULL, NULL))
        return true;
    DWORD code = GetLastError();
    bool lacks = code == ERROR_NOT_SUPPORTED || code == ERROR_INVALID_FUNCTION ||
                 code == ERROR_INVALID_PARAMETER;
    bool new = code == ERROR_FILE_NOT_FOUND &&GetFileAttributesW(to) == INVALID_FILE_ATTRIBUTES;
    return (lacks || new) && MoveFileExW(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH);
}

/* Replaces, and tries again while another program has one of the files open for a moment. */
static bool replace_patiently(const wchar_t *from, const wchar_t *to)
{
    for (int tries = 0; !replace(from, to); tries++) {
        DWORD code = GetLastError();
        bool busy = code == ERROR_SHARING_VIOLATION || code == ERROR_LOCK_VIOLATION ||
                    code == ERROR_UNABLE_TO_REMOVE_REPLACED;
        if (!busy || tries == PATIENCE)
            return false;
        Sleep(PATIENCE_MS);
    }
    return true;
}

int port_replace(const char *from, const char *to)
{
    wchar_t *old = absolute(from), *new = absolute(to);
    int result = -1;
    if (old && new) {
        DWORD attributes = GetFileAttributesW(new);
        bool locked = attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_READONLY);
        if (locked)
            SetFileAttributesW(new, attributes & ~(DWORD)FILE_ATTRIBUTE_READONLY);
        result = result_of(replace_patiently(old, new));
        if (locked)
            SetFileAttributesW(new, attributes);
    }
    free(old);
    free(new);
    return result;
}

int port_rename_new(const char *from, const char *to)
{
    wchar_t *old = absolute(from), *new = absolute(to);
    int result = old && new ? result_of(MoveFileExW(old, new, MOVEFILE_WRITE_THROUGH)) : -1;
    free(old);
    free(new);
    return result;
}

/* --- what Windows does not have --- */

/* ReplaceFile keeps owner, access control list, attributes and other streams of the file it replaces. */
int port_set_owner(int fd, const struct port_status *other, bool group_alone)
{
    (void)fd;
    (void)other;
    (void)group_alone;
    return 0;
}

int port_set_mode(int fd, unsigned mode)
{
    (void)fd;
    (void)mode;
    return 0;
}
#endif
