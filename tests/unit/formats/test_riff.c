/* The walks over audio headers and the heads that are written: what is read is what was written, and no byte
 * of a header, whatever it becomes, leads outside the file. */
#include "unit/harness.h"

#include "formats/audio/audio.h"
#include <stdlib.h>
#include <string.h>

static struct sound_file memory(const unsigned char *bytes, size_t n)
{
    return (struct sound_file){ .fd = -1, .bytes = bytes, .size = n };
}

/* A file with ndata bytes of samples; returns its length. */
static size_t make(const struct sound *s, unsigned char *buf, size_t ndata)
{
    size_t n = sound_containers[s->kind].head(s, buf);
    n += sound_data_head(s, buf + n);
    memset(buf + n, 0x11, ndata);
    return n + ndata;
}

static void heads_are_read_back(void **state)
{
    (void)state;
    for (int kind = SOUND_WAV; kind <= SOUND_CAF; kind++)
        for (int sample = SOUND_PCM8; sample <= SOUND_DOUBLE; sample++)
            for (int big = 0; big < 2; big++) {
                bool fits = kind != SOUND_FLAC;
                if (kind == SOUND_AIFF && !big && sample != SOUND_PCM16)
                    fits = false;
                if (!fits)
                    continue;
                unsigned char buf[1024];
                struct sound s = { .kind = (enum sound_kind)kind,
                                   .sample = (enum sound_sample)sample,
                                   .big = big,
                                   .channels = 3,
                                   .rate = 44100,
                                   .promised = 5 };
                size_t ndata = 5 * 3 * sound_width(&s), n = make(&s, buf, ndata);
                struct sound_file file = memory(buf, n);
                struct sound got = { 0 };
                struct error e;
                assert_true(sound_containers[kind].format->sniff(buf, n));
                if (!sound_read_header(&got, s.kind, &file, &e))
                    fail_msg("kind %d sample %d: %s", kind, sample, e.text);
                assert_int_equal(got.sample, sample);
                if (sound_width(&s) > 1 || kind == SOUND_AU || kind == SOUND_CAF)
                    assert_int_equal(got.big, big);
                assert_int_equal(got.channels, 3);
                assert_true(got.rate == 44100);
                assert_int_equal(got.ndata, ndata);
                assert_int_equal(got.data, n - ndata);
                assert_int_equal(got.promised, 5);
                sound_free(&got);
            }
}

static void rates_are_kept(void **state)
{
    (void)state;
    static const double rates[] = { 1, 8000, 11025, 44100, 48000, 192000, 22254.5454545, 29.97, 1e-3, 1e9 };
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        for (int kind = SOUND_AIFF; kind <= SOUND_CAF; kind += SOUND_CAF - SOUND_AIFF) {
            unsigned char buf[1024];
            struct sound s = { .kind = (enum sound_kind)kind,
                               .sample = SOUND_PCM16,
                               .big = true,
                               .channels = 1,
                               .rate = rates[i],
                               .promised = 1 };
            struct sound_file file = memory(buf, make(&s, buf, 2));
            struct sound got = { 0 };
            struct error e;
            assert_true(sound_read_header(&got, s.kind, &file, &e));
            assert_true(got.rate == rates[i]);
            sound_free(&got);
        }
}

static void large_files_are_rf64(void **state)
{
    (void)state;
    unsigned char buf[SOUND_HEAD];
    struct sound s = { .kind = SOUND_WAV,
                       .sample = SOUND_FLOAT,
                       .channels = 2,
                       .rate = 48000,
                       .promised = 1000,
                       .reserve = true };
    size_t small = sound_containers[SOUND_WAV].head(&s, buf);
    assert_memory_equal(buf, "RIFF", 4);
    assert_memory_equal(buf + 12, "JUNK", 4);
    s.promised = (uint64_t)1 << 33;
    assert_int_equal(sound_containers[SOUND_WAV].head(&s, buf), small);
    assert_memory_equal(buf, "RF64\xff\xff\xff\xff", 8);
    assert_memory_equal(buf + 12, "ds64", 4);
    assert_true(sound_word(buf + 28, 8, false) == (uint64_t)1 << 36);
    assert_true(sound_word(buf + 36, 8, false) == s.promised);
    assert_int_equal(sound_data_head(&s, buf), 8);
    assert_memory_equal(buf, "data\xff\xff\xff\xff", 8);
    /* The last that is not, and the first that is. */
    for (s.promised = 0x1FFFFFFF - 64; !sound_is_large(&s); s.promised++)
        ;
    s.promised--;
    sound_containers[SOUND_WAV].head(&s, buf);
    assert_true((uint64_t)sound_word(buf + 4, 4, false) + 8 >= s.promised * 8);
}

static void unknown_lengths_are_read_to_the_end(void **state)
{
    (void)state;
    static const uint32_t sizes[] = { 0, 0xFFFFFFFF, 0x7FFFF000, 0x7FFFF024, 0x7FFFFFFF };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        unsigned char buf[256];
        struct sound s = {
            .kind = SOUND_WAV, .sample = SOUND_PCM16, .channels = 2, .rate = 8000, .promised = 7
        };
        struct sound_file file = memory(buf, make(&s, buf, 28));
        sound_put(buf + 4, false, { 4, sizes[i] ? sizes[i] : 36 });
        sound_put(buf + 40, false, { 4, sizes[i] });
        struct sound got = { 0 };
        struct error e;
        assert_true(sound_read_header(&got, SOUND_WAV, &file, &e));
        assert_int_equal(got.ndata, 28);
        assert_true(got.promised == SOUND_UNKNOWN);
        sound_free(&got);
    }
}

static void damage_leads_nowhere(void **state)
{
    (void)state;
    static const enum sound_kind kinds[] = { SOUND_WAV, SOUND_AU, SOUND_AIFF, SOUND_CAF, SOUND_FLAC };
    unsigned seed = 1;
    size_t accepted = 0;
    for (size_t round = 0; round < 60000; round++) {
        unsigned char buf[512] = "fLaC\0\0\0\x22";
        enum sound_kind kind = kinds[round % 5];
        struct sound s = { .kind = kind,
                           .sample = SOUND_PCM16,
                           .big = kind != SOUND_WAV,
                           .channels = 2,
                           .rate = 8000,
                           .promised = 20 };
        size_t n = kind == SOUND_FLAC ? 200 : make(&s, buf, 80);
        for (int i = 0; i < 3; i++) {
            seed = seed * 1103515245 + 12345;
            static const unsigned char nasty[] = { 0, 1, 0x7F, 0x80, 0xFE, 0xFF };
            buf[(seed >> 8) % n] = seed & 1 ? nasty[(seed >> 24) % sizeof nasty]
                                            : (unsigned char)(seed >> 20);
        }
        n = round % 7 ? n : (seed >> 12) % n;
        unsigned char *exact = malloc(n + !n); /* no byte more, so that sanitizers see a read past the end */
        assert_non_null(exact);
        struct sound_file file = memory(memcpy(exact, buf, n), n);
        struct sound got = { 0 };
        struct error e;
        if (sound_read_header(&got, kind, &file, &e)) {
            accepted++;
            assert_true(got.data <= n && got.ndata <= n - got.data);
            assert_true(got.channels > 0 && got.channels <= SOUND_MAXCHANNEL && got.rate > 0);
            if (kind != SOUND_FLAC)
                assert_int_equal(got.ndata % (got.channels * sound_width(&got)), 0);
            for (size_t i = 0; i < got.nchunk; i++)
                assert_true(got.chunk[i].at <= n && got.chunk[i].n <= n - got.chunk[i].at);
        } else {
            assert_true(e.kind != ERROR_NONE && e.text[0]);
        }
        sound_free(&got);
        free(exact);
    }
    assert_true(accepted > 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heads_are_read_back),  cmocka_unit_test(rates_are_kept),
        cmocka_unit_test(large_files_are_rf64), cmocka_unit_test(unknown_lengths_are_read_to_the_end),
        cmocka_unit_test(damage_leads_nowhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
