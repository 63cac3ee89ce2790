/* Whole commands on any bytes: inspect, diff, and filters with stages before and behind them. The
 * first byte chooses the command, the second how many bytes a pipe brings at once; the rest is the input,
 * which a line of dashes parts in two. What must hold: a message or a result; and the same result from a file
 * and from a pipe in pieces. */
#include "cli/command.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

enum { MAXWORD = 16, MAXINPUT = 1 << 16 };

/* FIRST and SECOND stand for the inputs; commands with FIRST alone are run with a pipe, too. */
static const char *const commands[][MAXWORD] = {
    { "inspect", "FIRST" },
    { "critical", "-q", "-H", "0.1", "FIRST" },
    { "diff", "FIRST", "SECOND" },
    { "inspect", "--report", "json", "FIRST" },
    { "tracking", "--detect-cuts", "8", "--report", "--verbose", "FIRST" },
    { "damper", "-H", "1", "--rate", "100", "--despike", "6", "--gaps", "linear", "FIRST" },
    { "critical", "-H", "1", "--group-by", "1", "--resample", "3", "FIRST" },
    { "spring", "--cutoff", "1", "-z", "0.8", "--zero-phase", "FIRST" },
};
enum { NCOMMAND = sizeof commands / sizeof *commands };

static char path[2][64];
static int out = -1;

/* The bytes that a thread writes into a pipe. */
static struct flood {
    const uint8_t *data;
    size_t n, piece;
    int fd;
} flood;

static void *write_pieces(void *closure)
{
    struct flood *f = closure;
    for (size_t at = 0; at < f->n;) {
        size_t piece = f->n - at < f->piece ? f->n - at : f->piece;
        ssize_t wrote = write(f->fd, f->data + at, piece);
        if (wrote < 0)
            break;
        at += (size_t)wrote;
    }
    close(f->fd);
    return NULL;
}

static void require(bool good)
{
    if (!good)
        abort();
}

static void write_file(const char *name, const uint8_t *data, size_t n)
{
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    require(fd >= 0 && write(fd, data, n) == (ssize_t)n);
    close(fd);
}

static void remove_files(void)
{
    unlink(path[0]);
    unlink(path[1]);
}

/* Makes standard output a file in memory, once. */
static void begin(void)
{
    if (out >= 0)
        return;
    signal(SIGPIPE, SIG_IGN);
    out = memfd_create("out", 0);
    require(out >= 0 && dup2(out, STDOUT_FILENO) >= 0);
    for (int i = 0; i < 2; i++)
        snprintf(path[i], sizeof path[i], "/dev/shm/fuzz-%ld-%d", (long)getpid(), i);
    atexit(remove_files);
}

struct result {
    enum status status;
    char *bytes;
    size_t n;
};

static struct result run(const char *const *command, const char *first)
{
    char *argv[MAXWORD + 1] = { NULL };
    struct messages messages = { 0 };
    int argc = 0;
    for (; command[argc]; argc++) {
        const char *word = command[argc];
        word = strcmp(word, "FIRST") == 0 ? first : strcmp(word, "SECOND") == 0 ? path[1] : word;
        argv[argc] = (char *)(uintptr_t)word;
    }
    require(ftruncate(out, 0) == 0 && lseek(out, 0, SEEK_SET) == 0);
    struct result result = { .status = command_run(argc, argv, &messages) };
    messages_free(&messages);
    off_t n = lseek(out, 0, SEEK_END);
    result.n = n > 0 ? (size_t)n : 0;
    result.bytes = malloc(result.n + 1);
    require(result.bytes && pread(out, result.bytes, result.n, 0) == (ssize_t)result.n);
    return result;
}

/* The same command with standard input in the place of the file. */
static struct result run_piped(const char *const *command, const uint8_t *data, size_t n, size_t piece)
{
    int ends[2];
    pthread_t thread;
    require(pipe(ends) == 0 && dup2(ends[0], STDIN_FILENO) >= 0);
    close(ends[0]);
    flood = (struct flood){ data, n, piece, ends[1] };
    require(pthread_create(&thread, NULL, write_pieces, &flood) == 0);
    struct result result = run(command, "-");
    int null = open("/dev/null", O_RDONLY);
    require(null >= 0 && dup2(null, STDIN_FILENO) >= 0); /* a writer that still waits fails now */
    close(null);
    pthread_join(thread, NULL);
    return result;
}

/* Recordings have a length in their head, which is not known of a pipe; their output may differ there. */
static bool is_audio(const uint8_t *data, size_t n)
{
    static const char *const magic[] = { "RIFF", "RIFX", "RF64", "FORM", "caff",
                                         "fLaC", ".snd", "OggS", "riff" };
    for (size_t i = 0; i < sizeof magic / sizeof *magic; i++)
        if (n >= 4 && memcmp(data, magic[i], 4) == 0)
            return true;
    return false;
}

/* inspect prints the name of its input in the first line and in the command. */
static bool prints_names(const char *const *command)
{
    return strcmp(command[0], "inspect") == 0 || strcmp(command[0], "tracking") == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (n < 2 || n > MAXINPUT)
        return 0;
    begin();
    const char *const *command = commands[data[0] % NCOMMAND];
    size_t piece = data[1] % 32 + 1;
    const uint8_t *text = data + 2, *second = memmem(text, n - 2, "\n---\n", 5);
    size_t nfirst = second ? (size_t)(second + 1 - text) : n - 2;
    size_t nsecond = second ? n - 2 - nfirst - 4 : n - 2;
    write_file(path[0], text, nfirst);
    write_file(path[1], second ? second + 5 : text, nsecond);
    struct result of_file = run(command, path[0]);
    bool alone = strcmp(command[0], "diff") != 0;
    if (alone) {
        struct result of_pipe = run_piped(command, text, nfirst, piece);
        if (!is_audio(text, nfirst)) {
            require(of_file.status == of_pipe.status);
            require(prints_names(command) ||
                    (of_file.n == of_pipe.n && memcmp(of_file.bytes, of_pipe.bytes, of_file.n) == 0));
        }
        free(of_pipe.bytes);
    }
    free(of_file.bytes);
    return 0;
}
