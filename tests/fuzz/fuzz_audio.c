/* Any bytes as an audio file: where the head is accepted, all samples are read. The first byte says which
 * format the rest is taken for. */
#include "formats/input.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *const formats[] = { "wav", "au", "aiff", "flac", "caf", "w64", "ogg" };

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    static int fd = -1;
    if (fd < 0)
        fd = memfd_create("fuzz", 0);
    if (size == 0 || ftruncate(fd, 0) != 0 || pwrite(fd, data + 1, size - 1, 0) != (ssize_t)(size - 1))
        return 0;
    lseek(fd, 0, SEEK_SET);
    struct source source = { .fd = fd, .name = "fuzz", .regular = true };
    struct input_options options = { 0 };
    struct reader reader = { .format = format_find(formats[data[0] % (sizeof formats / sizeof *formats)]),
                             .source = &source,
                             .options = &options };
    struct block block = { 0 };
    struct error e;
    bool good = reader.format->open(&reader, &e) &&
                table_plan(&reader.table, &(struct column_choice){ 0 }, &e) && reader_bind(&reader, &e);
    for (int i = 0; good && i < 1000 && reader.format->load(&reader, &block, &e) == LOAD_ROWS; i++)
        format_parse(&reader, &block);
    reader.format->close(&reader);
    block_free(&block);
    table_free(&reader.table);
    return 0;
}
