/* Audio between blocks and files, without the pipeline: samples come out as they went in, whatever the
 * container and its sample; clipping; temporary files. */
#include "unit/harness.h"

#include "formats/audio/audio.h"
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static const char *const formats[] = { "wav", "au", "aiff", "caf", "w64", "flac" };

/* What one writer takes: rows with a time column and channels, as text formats bring them. */
struct rig {
    struct reader reader;
    struct column_plan plan;
    struct output_columns layout;
    struct writer writer;
    struct block block;
    struct source source;
    struct input_options options;
    size_t replace[300];
};

static void no_close(struct reader *r)
{
    (void)r;
}

static const struct format plain_format = { .name = "text", .close = no_close };

/* A writer of nchannel channels to fd, ready for blocks of nrow rows. */
static void rig_open(struct rig *g, const char *format, int subtype, double rate, size_t nchannel,
                     size_t nrow, int fd)
{
    struct error e;
    memset(g, 0, sizeof *g);
    g->block = (struct block){ 0 };
    g->source.name = "test";
    g->reader = (struct reader){ .format = &plain_format, .source = &g->source, .options = &g->options };
    assert_true(columns_add(&g->reader.columns, "time", 4, &e));
    for (size_t i = 0; i < nchannel; i++) {
        char name[16];
        int n = snprintf(name, sizeof name, "x%zu", i);
        assert_true(columns_add(&g->reader.columns, name, (size_t)n, &e));
        g->reader.columns.column[i + 1].first = CELL_NUMBER;
    }
    assert_true(reader_plan(&g->reader, &g->plan, &(struct column_choice){ 0 }, &e));
    g->replace[0] = COLUMN_NONE;
    for (size_t i = 0; i < nchannel; i++)
        g->replace[i + 1] = i;
    g->layout = (struct output_columns){ .nout = nchannel, .replace = g->replace };
    g->writer = (struct writer){ .format = format_find(format),
                                 .reader = &g->reader,
                                 .layout = &g->layout,
                                 .fd = fd,
                                 .rate = rate,
                                 .subtype = subtype };
    if (!g->writer.format->accept(&g->writer, &e) || !g->writer.format->begin(&g->writer, &g->block, &e))
        fail_msg("%s: %s", format, e.text);
    struct block_shape shape = { .nvalue = nchannel, .nout = nchannel, .times = true };
    assert_true(block_reserve(&g->block, nrow, shape, &e));
    g->block.nrow = nrow;
}

static void rig_write(struct rig *g)
{
    struct error e;
    g->writer.format->print(&g->writer, &g->block);
    if (g->block.error.kind != ERROR_NONE || !g->writer.format->store(&g->writer, &g->block, &e))
        fail_msg("%s", g->block.error.kind ? g->block.error.text : e.text);
}

static void rig_close(struct rig *g)
{
    struct error e;
    if (!g->writer.format->finish(&g->writer, &g->block, &e))
        fail_msg("%s", e.text);
    g->writer.format->end(&g->writer);
    block_free(&g->block);
    plan_free(&g->plan);
    columns_free(&g->reader.columns);
}

/* Reads a whole file of one channel: its numbers, and how many. */
static size_t read_back(int fd, const char *format, double *x, size_t max, double *rate)
{
    struct source source = { .fd = fd, .name = "test", .regular = true };
    struct input_options options = { 0 };
    struct reader r = { .format = format_find(format), .source = &source, .options = &options };
    struct column_plan plan = { 0 };
    struct block b;
    struct error e;
    size_t n = 0;
    enum loaded loaded;
    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    if (!r.format->open(&r, &e))
        fail_msg("%s: %s", format, e.text);
    *rate = r.columns.rate;
    assert_true(reader_plan(&r, &plan, &(struct column_choice){ 0 }, &e));
    assert_true(r.format->bind(&r, &e));
    b = (struct block){ 0 };
    while ((loaded = r.format->load(&r, &b, &e)) == LOAD_ROWS) {
        r.format->parse(&r, &b);
        assert_true(n + b.nrow <= max);
        memcpy(x + n, block_value(&b, 0), b.nrow * sizeof *x);
        n += b.nrow;
    }
    assert_int_equal(loaded, LOAD_END);
    block_free(&b);
    r.format->close(&r);
    plan_free(&plan);
    columns_free(&r.columns);
    return n;
}

static int scratch(void)
{
    struct error e;
    int fd = tempfile_temporary(&e);
    assert_true(fd >= 0);
    return fd;
}

/* Writes x and asserts that want comes back, from every container that holds the sample. */
static void round_trip(int subtype, const double *x, const double *want, size_t n)
{
    double *got = harness_alloc(n, sizeof *got), rate;
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++) {
        if (strcmp(formats[k], "flac") == 0 && subtype != SUBTYPE_PCM16 && subtype != SUBTYPE_PCM24)
            continue;
        struct rig g;
        int fd = scratch();
        rig_open(&g, formats[k], subtype, 48000, 1, n, fd);
        memcpy(block_out(&g.block, 0), x, n * sizeof *x);
        rig_write(&g);
        rig_close(&g);
        assert_int_equal(read_back(fd, formats[k], got, n, &rate), n);
        assert_true(rate == 48000);
        for (size_t i = 0; i < n; i++)
            if (got[i] != want[i])
                fail_msg("%s, sample %zu: %.17g became %.17g, not %.17g", formats[k], i, x[i], got[i],
                         want[i]);
        close(fd);
    }
    free(got);
}

static void every_16_bit_sample_stays(void **state)
{
    (void)state;
    static double x[65536];
    for (int i = 0; i < 65536; i++)
        x[i] = (i - 32768) / 32768.0;
    round_trip(SUBTYPE_PCM16, x, x, 65536);
    round_trip(SUBTYPE_PCM24, x, x, 65536);
    round_trip(SUBTYPE_PCM32, x, x, 65536);
    round_trip(SUBTYPE_FLOAT, x, x, 65536);
    round_trip(SUBTYPE_DOUBLE, x, x, 65536);
}

static void edges_of_24_and_32_bits_stay(void **state)
{
    (void)state;
    static const int64_t whole[] = {
        0, 1, 2, 127, 128, 255, 256, 32767, 32768, 65535, 65536, 8388606, 8388607
    };
    double x[64];
    size_t n = 0;
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        x[n++] = (double)whole[i] * 0x1p-23;
        x[n++] = (double)-whole[i] * 0x1p-23;
    }
    x[n++] = -1;
    round_trip(SUBTYPE_PCM24, x, x, n);
    for (size_t i = 0; i < n; i++)
        x[i] *= 0x1p-8;
    x[n++] = 1 - 0x1p-31;
    x[n++] = -1;
    round_trip(SUBTYPE_PCM32, x, x, n);
}

static void numbers_are_rounded_and_clipped(void **state)
{
    (void)state;
    double x[] = { 0.4,     0.5,   0.6,   1.5,    2.5,      -0.5,      -0.6,   -1.5,   32767, 32767.49,
                   32767.5, 32768, 1e300, -32768, -32768.5, -32768.51, -1e300, 1e-300, 5 };
    double want[] = { 0,     0,     1,     2,      2,      0,      -1,     -2, 32767, 32767,
                      32767, 32767, 32767, -32768, -32768, -32768, -32768, 0,  5 };
    size_t n = sizeof x / sizeof *x;
    for (size_t i = 0; i < n; i++) {
        x[i] /= 32768;
        want[i] /= 32768;
    }
    round_trip(SUBTYPE_PCM16, x, want, n);

    struct rig g;
    struct messages messages = { 0 };
    int fd = scratch();
    rig_open(&g, "wav", SUBTYPE_PCM16, 48000, 1, n, fd);
    g.reader.messages = &messages;
    memcpy(block_out(&g.block, 0), x, sizeof x);
    rig_write(&g);
    rig_close(&g);
    assert_non_null(strstr(messages.text.bytes, "5 samples were clipped"));
    messages_free(&messages);
    close(fd);
}

static void what_is_no_number_is_refused(void **state)
{
    (void)state;
    static const double bad[] = { (double)NAN, (double)INFINITY, -(double)INFINITY };
    for (size_t k = 0; k < 3; k++)
        for (int subtype = SUBTYPE_PCM16; subtype <= SUBTYPE_DOUBLE; subtype++)
            for (size_t at = 0; at < 20; at++) {
                struct rig g;
                int fd = scratch();
                rig_open(&g, "wav", subtype, 48000, 2, 20, fd);
                for (size_t i = 0; i < 40; i++)
                    block_out(&g.block, i / 20)[i % 20] = 0.25;
                block_out(&g.block, 1)[at] = bad[k];
                g.block.text = strdup("\n");
                g.block.eol = '\n';
                memset(g.block.row, 0, 20 * sizeof *g.block.row);
                g.writer.format->print(&g.writer, &g.block);
                assert_int_equal(g.block.error.kind, ERROR_DATA);
                assert_string_equal(g.block.error.column, "x1");
                g.writer.format->end(&g.writer);
                block_free(&g.block);
                plan_free(&g.plan);
                columns_free(&g.reader.columns);
                close(fd);
            }
}

/* The same bytes to an empty file, appended to another, and to a pipe; a WAV file to a pipe has its length
 * left open. */
static void where_it_goes_does_not_matter(void **state)
{
    (void)state;
    static const char *const seekable[] = { "wav", "au", "aiff", "caf", "w64", "flac" };
    for (size_t k = 0; k < sizeof seekable / sizeof *seekable; k++) {
        unsigned char direct[8192], other[8192];
        ssize_t size = 0;
        for (int way = 0; way < 3; way++) {
            struct rig g;
            int fd = scratch(), ends[2];
            if (way == 1)
                assert_int_equal(fcntl(fd, F_SETFL, O_APPEND), 0);
            if (way == 2)
                assert_int_equal(pipe(ends), 0);
            rig_open(&g, seekable[k], SUBTYPE_PCM24, 8000, 2, 200, way == 2 ? ends[1] : fd);
            for (size_t i = 0; i < 400; i++)
                block_out(&g.block, i / 200)[i % 200] = (double)i / 400 - 0.5;
            rig_write(&g);
            rig_write(&g);
            rig_close(&g);
            if (way == 0) {
                assert_int_equal(lseek(fd, 0, SEEK_CUR), lseek(fd, 0, SEEK_END));
                size = pread(fd, direct, sizeof direct, 0);
            } else {
                ssize_t n = way == 1 ? pread(fd, other, sizeof other, 0) : read(ends[0], other, sizeof other);
                if (way == 2 && k == 0) {
                    assert_memory_equal(other, "RIFF\xff\xff\xff\xffWAVEfmt ", 16);
                    assert_memory_equal(other + 36, "data\xff\xff\xff\xff", 8);
                    assert_int_equal(n, 44 + 400 * 6);
                    assert_memory_equal(other + 44, direct + size - 400 * 6, 400 * 6);
                } else {
                    assert_int_equal(n, size);
                    assert_memory_equal(direct, other, (size_t)size);
                }
            }
            if (way == 2) {
                close(ends[0]);
                close(ends[1]);
            }
            close(fd);
        }
    }
}

/* Bytes by hand, between two channels that are not theirs. */
static void bytes_are_numbers(void **unused)
{
    (void)unused;
    static const struct {
        enum sound_sample sample;
        unsigned char bytes[8]; /* the first byte is the highest */
        double number;
    } cases[] = {
        { SOUND_PCM8, { 0x00 }, -1 },
        { SOUND_PCM8, { 0x81 }, 1. / 128 },
        { SOUND_PCM16, { 0x12, 0x34 }, 0x1234 / 32768. },
        { SOUND_PCM16, { 0xff, 0xfe }, -2 / 32768. },
        { SOUND_PCM24, { 0x12, 0x34, 0x56 }, 0x123456 / 8388608. },
        { SOUND_PCM24, { 0x80, 0x00, 0x01 }, -8388607 / 8388608. },
        { SOUND_PCM32, { 0x12, 0x34, 0x56, 0x78 }, 0x12345678 / 2147483648. },
        { SOUND_PCM32, { 0xff, 0xff, 0xff, 0xff }, -1 / 2147483648. },
        { SOUND_FLOAT, { 0xc0, 0x49, 0x0f, 0xdb }, -0x1.921fb6p+1 },
        { SOUND_DOUBLE, { 0x40, 0x09, 0x21, 0xfb, 0x54, 0x44, 0x2d, 0x18 }, 0x1.921fb54442d18p+1 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int big = 0; big < 2; big++) {
            unsigned char frames[10 * 3 * 8], back[sizeof frames];
            struct sound s = { .sample = cases[i].sample, .big = big, .channels = 3 };
            size_t width = sound_width(&s);
            double x[10];
            struct sample_output out = { .to = back + width };
            memset(frames, 0x55, sizeof frames);
            for (size_t k = 0; k < 10 * width; k++)
                frames[(k / width * 3 + 1) * width + k % width] =
                    cases[i].bytes[big ? k % width : width - 1 - k % width];
            samples_decode(&s, frames + width, 10, x);
            for (size_t k = 0; k < 10; k++)
                assert_true(x[k] == cases[i].number);
            memset(back, 0x55, sizeof back);
            assert_int_equal(samples_encode(&s, x, 10, &out), 10);
            assert_memory_equal(back, frames, sizeof back);
            assert_int_equal(out.clipped, 0);
        }
}

/* PCM as libsndfile has it: the sample's bits at the top of an int32_t. */
static void words_are_numbers(void **unused)
{
    (void)unused;
    static const struct {
        enum sound_sample sample;
        int32_t word;
        double number;
    } cases[] = {
        { SOUND_PCM8, -128 * (1 << 24), -1 },           { SOUND_PCM8, 1 << 24, 1. / 128 },
        { SOUND_PCM16, 0x1234 << 16, 0x1234 / 32768. }, { SOUND_PCM24, 0x123456 << 8, 0x123456 / 8388608. },
        { SOUND_PCM32, -1, -1 / 2147483648. },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sound s = { .sample = cases[i].sample, .words = true, .channels = 1 };
        int32_t word = cases[i].word, back;
        double x;
        struct sample_output out = { .to = (unsigned char *)&back };
        samples_decode(&s, (unsigned char *)&word, 1, &x);
        assert_true(x == cases[i].number);
        assert_int_equal(samples_encode(&s, &x, 1, &out), 1);
        assert_int_equal(back, word);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_numbers),
        cmocka_unit_test(words_are_numbers),
        cmocka_unit_test(every_16_bit_sample_stays),
        cmocka_unit_test(edges_of_24_and_32_bits_stay),
        cmocka_unit_test(numbers_are_rounded_and_clipped),
        cmocka_unit_test(what_is_no_number_is_refused),
        cmocka_unit_test(where_it_goes_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
