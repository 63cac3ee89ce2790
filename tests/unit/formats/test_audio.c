/* Samples between frames and numbers: PCM comes out as it went in, numbers are rounded and clipped. */
#include "unit/harness.h"

#include "formats/audio/audio.h"
#include <string.h>

static struct sound sound_of(enum sound_sample sample)
{
    return (struct sound){ .sample = sample, .channels = 3 };
}

/* Writes n numbers into the second channel of three, and asserts which numbers are read back, how many were
 * clipped, and that the other channels stay. */
static void write_and_read(enum sound_sample sample, const double *x, const double *want, size_t n,
                           uint64_t clipped)
{
    struct sound sound = sound_of(sample);
    size_t width = sound_width(&sound), nbyte = n * sound_frame(&sound);
    unsigned char *frames = harness_alloc(nbyte, 1);
    double *got = harness_alloc(n, sizeof *got);
    memset(frames, 0x55, nbyte);
    struct sample_output out = { .to = frames + width };
    assert_int_equal(samples_encode(&sound, x, n, &out), n);
    assert_int_equal(out.clipped, clipped);
    samples_decode(&sound, frames + width, n, got);
    for (size_t i = 0; i < n; i++)
        if (got[i] != want[i])
            fail_msg("sample %zu: %.17g became %.17g, not %.17g", i, x[i], got[i], want[i]);
    for (size_t i = 0; i < nbyte; i++)
        if (i / width % 3 != 1)
            assert_int_equal(frames[i], 0x55);
    free(got);
    free(frames);
}

static void every_pcm_sample_stays(void **state)
{
    (void)state;
    static double x[65536];
    for (int i = 0; i < 256; i++)
        x[i] = (i - 128) / 128.0;
    write_and_read(SOUND_PCM8, x, x, 256, 0);
    for (int i = 0; i < 65536; i++)
        x[i] = (i - 32768) / 32768.0;
    for (enum sound_sample sample = SOUND_PCM16; sample <= SOUND_DOUBLE; sample++)
        write_and_read(sample, x, x, 65536, 0);
    for (int bits = 24; bits <= 32; bits += 8) {
        size_t n = 0;
        double unit = bits == 24 ? 0x1p-23 : 0x1p-31;
        for (int64_t whole = 1; (double)whole * unit < 1; whole = 2 * whole + 1) {
            x[n++] = (double)whole * unit;
            x[n++] = (double)-whole * unit;
        }
        x[n++] = -1;
        write_and_read(bits == 24 ? SOUND_PCM24 : SOUND_PCM32, x, x, n, 0);
    }
}

static void bits_are_at_the_top(void **state)
{
    (void)state;
    struct sound sound = sound_of(SOUND_PCM8);
    sound.channels = 1;
    double x = -3. / 128, y = 0x123456p-23;
    int16_t word = 0;
    int32_t words = 0;
    samples_encode(&sound, &x, 1, &(struct sample_output){ .to = &word });
    assert_int_equal(word, -3 * 256);
    sound.sample = SOUND_PCM24;
    samples_encode(&sound, &y, 1, &(struct sample_output){ .to = &words });
    assert_int_equal(words, 0x12345600);
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
    write_and_read(SOUND_PCM16, x, want, n, 5);
}

static void what_is_no_number_is_refused(void **state)
{
    (void)state;
    static const double bad[] = { (double)NAN, (double)INFINITY, -(double)INFINITY };
    for (size_t k = 0; k < 3; k++)
        for (enum sound_sample sample = SOUND_PCM8; sample <= SOUND_DOUBLE; sample++)
            for (int passes = 0; passes < 2; passes++) {
                double frames[3 * 20], x[20] = { 0 };
                struct sound sound = sound_of(sample);
                struct sample_output out = { .to = frames, .nonfinite = passes };
                x[7] = bad[k];
                bool kept = passes && sample >= SOUND_FLOAT;
                assert_int_equal(samples_encode(&sound, x, 20, &out), kept ? 20 : 7);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pcm_sample_stays),
        cmocka_unit_test(bits_are_at_the_top),
        cmocka_unit_test(numbers_are_rounded_and_clipped),
        cmocka_unit_test(what_is_no_number_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
