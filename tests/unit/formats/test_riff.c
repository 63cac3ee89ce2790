/* The walk over WAV and the heads that are written: what is read is what was written, and no byte of a
 * header, whatever it becomes, leads outside the file. */
#include "unit/harness.h"

#include "formats/audio/audio.h"
#include <stdlib.h>
#include <string.h>

static const struct sound_container *container(const char *format)
{
    return format_find(format)->kind;
}

static struct sound_file memory(unsigned char *bytes, size_t n)
{
    return (struct sound_file){ .fd = -1, .bytes = bytes, .size = n };
}

static struct sound wav(enum sound_sample sample, unsigned channels)
{
    return (
        struct sound){ .container = container("wav"), .sample = sample, .channels = channels, .rate = 8000 };
}

/* A WAV file with nframe frames; returns its length. */
static size_t make(const struct sound *s, unsigned char *buf, uint64_t nframe)
{
    size_t n = wav_put_head(s, nframe, buf), ndata = nframe * sound_frame(s);
    memset(wav_put_chunk(s, "data", ndata, buf + n), 0x11, ndata);
    return n + 8 + ndata;
}

static void heads_are_read_back(void **state)
{
    (void)state;
    for (int sample = SOUND_PCM8; sample <= SOUND_DOUBLE; sample++)
        for (int big = 0; big < 2; big++)
            for (int reserve = 0; reserve < 2; reserve++) {
                unsigned char buf[1024];
                struct sound s = wav((enum sound_sample)sample, 3);
                s.big = big;
                s.reserve = reserve;
                s.has_fact = sample >= SOUND_FLOAT;
                size_t ndata = 5 * sound_frame(&s), n = make(&s, buf, 5);
                struct sound_file file = memory(buf, n);
                struct sound got = { .container = s.container, .file = &file };
                struct error e;
                assert_true(format_find("wav")->sniff(buf, n));
                if (!wav_read_head(&got, &e))
                    fail_msg("sample %d: %s", sample, e.text);
                assert_int_equal(got.sample, sample);
                assert_int_equal(got.big, big);
                assert_int_equal(got.channels, 3);
                assert_true(got.rate == 8000);
                assert_int_equal(got.data, n - ndata);
                assert_int_equal(got.promised, 5);
                assert_int_equal(got.present, 5);
                /* The size of the file, with a padding byte. */
                assert_int_equal(got.total, n + n % 2);
                sound_free(&got);
            }
}

static void large_files_are_rf64(void **state)
{
    (void)state;
    unsigned char buf[SOUND_HEAD_BYTES];
    struct sound s = wav(SOUND_FLOAT, 2);
    s.reserve = true;
    size_t small = wav_put_head(&s, 1000, buf);
    assert_memory_equal(buf, "RIFF", 4);
    assert_memory_equal(buf + 12, "JUNK", 4);
    uint64_t many = (uint64_t)1 << 33;
    assert_int_equal(wav_put_head(&s, many, buf), small);
    assert_memory_equal(buf, "RF64\xff\xff\xff\xff", 8);
    assert_memory_equal(buf + 12, "ds64", 4);
    assert_true(word_get(buf + 28, 8, false) == (uint64_t)1 << 36);
    assert_true(word_get(buf + 36, 8, false) == many);
    assert_ptr_equal(wav_put_chunk(&s, "data", many * 8, buf), buf + 8);
    assert_memory_equal(buf, "data\xff\xff\xff\xff", 8);
    /* The last that is not, and the first that is. */
    for (many = 0x1FFFFFFF - 64; !wav_is_large(&s, many); many++)
        ;
    many--;
    wav_put_head(&s, many, buf);
    assert_true((uint64_t)word_get(buf + 4, 4, false) + 8 >= many * 8);
    /* A length that is left open. */
    s.reserve = false;
    assert_int_equal(wav_put_head(&s, SOUND_UNKNOWN, buf), 38);
    assert_memory_equal(buf, "RIFF\xff\xff\xff\xff", 8);
}

static void unknown_lengths_are_read_to_the_end(void **state)
{
    (void)state;
    static const uint32_t sizes[] = { 0, 0xFFFFFFFF, 0x7FFFF000, 0x7FFFF024, 0x7FFFFFFF };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        unsigned char buf[256];
        struct sound s = wav(SOUND_PCM16, 2);
        struct sound_file file = memory(buf, make(&s, buf, 7));
        word_put(buf + 4, sizes[i] ? sizes[i] : 36, 4, false);
        word_put(buf + 40, sizes[i], 4, false);
        struct sound got = { .container = s.container, .file = &file };
        struct error e;
        assert_true(wav_read_head(&got, &e));
        assert_int_equal(got.present, 7);
        assert_true(got.promised == SOUND_UNKNOWN);
        sound_free(&got);
    }
}

/* Changes three bytes, and cuts the file now and then; returns its length. */
static size_t damage(unsigned char *buf, size_t n, size_t round, unsigned *seed)
{
    static const unsigned char nasty[] = { 0, 1, 0x7F, 0x80, 0xFE, 0xFF };
    for (int i = 0; i < 3; i++) {
        *seed = *seed * 1103515245 + 12345;
        unsigned place = (*seed >> 8) % (unsigned)n, other = *seed >> 20;
        buf[place] = *seed & 1 ? nasty[(*seed >> 24) % sizeof nasty] : (unsigned char)other;
    }
    return round % 7 ? n : (*seed >> 12) % n;
}

static void damage_leads_nowhere(void **state)
{
    (void)state;
    unsigned char whole[8192];
    struct sound s = wav(SOUND_PCM16, 2);
    size_t length = make(&s, whole, 20);
    unsigned seed = 1;
    size_t accepted = 0;
    for (size_t round = 0; round < 10000; round++) {
        unsigned char buf[sizeof whole];
        memcpy(buf, whole, length);
        size_t n = damage(buf, length, round, &seed);
        unsigned char *exact = malloc(n + !n); /* no byte more, so that sanitizers see a read past the end */
        assert_non_null(exact);
        struct sound_file file = memory(memcpy(exact, buf, n), n);
        struct sound got = { .container = s.container, .file = &file };
        struct error e = { .kind = ERROR_NONE };
        if (wav_read_head(&got, &e)) {
            accepted++;
            assert_true(got.data <= n);
            assert_true(got.present <= (n - got.data) / got.channels);
            assert_true(got.channels > 0 && got.channels <= SOUND_MAXCHANNEL && got.rate > 0);
            for (size_t i = 0; i < got.nchunk; i++)
                assert_true(got.chunk[i].at <= n && got.chunk[i].n <= n - got.chunk[i].at);
        } else {
            assert_true(e.kind != ERROR_NONE && e.text[0]);
        }
        sound_free(&got);
        free(exact);
    }
    assert_true(accepted > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heads_are_read_back),
        cmocka_unit_test(large_files_are_rf64),
        cmocka_unit_test(unknown_lengths_are_read_to_the_end),
        cmocka_unit_test(damage_leads_nowhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
