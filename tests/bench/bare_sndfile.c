/* The floor for audio: libsndfile's own double loop with a critical spring in it, and nothing else that a
 * program owes its user. Usage: bare_sndfile HALFLIFE IN OUT [FRAMES] */
#include <math.h>
#include <sndfile.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAXCHANNEL = 16 };

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: %s HALFLIFE IN OUT [FRAMES]\n", argv[0]);
        return 2;
    }
    sf_count_t most = argc > 4 ? atol(argv[4]) : 4096, n;
    SF_INFO info = { 0 };
    SNDFILE *in = sf_open(argv[2], SFM_READ, &info), *out = in ? sf_open(argv[3], SFM_WRITE, &info) : NULL;
    int channels = info.channels;
    if (!out || channels > MAXCHANNEL) {
        fprintf(stderr, "cannot open: %s\n", sf_strerror(in));
        return 2;
    }
    sf_command(out, SFC_SET_CLIPPING, NULL, SF_TRUE);
    double *frames = malloc((size_t)(most * channels) * sizeof *frames);
    double y = 2 * log(2) / atof(argv[1]), T = 1.0 / info.samplerate, E = exp(-y * T);
    double ee = E * (1 + y * T), ev = E * T, ve = -E * y * y * T, vv = E * (1 - y * T);
    double x[MAXCHANNEL], v[MAXCHANNEL] = { 0 };
    for (bool begun = false; frames && (n = sf_readf_double(in, frames, most)) > 0; begun = true) {
        for (int c = 0; c < channels; c++) {
            double p = begun ? x[c] : frames[c], q = v[c], *at = frames + c;
            for (sf_count_t i = 0; i < n; i++, at += channels) {
                double e = p - *at;
                p = *at + ee * e + ev * q;
                q = ve * e + vv * q;
                *at = p;
            }
            x[c] = p;
            v[c] = q;
        }
        if (sf_writef_double(out, frames, n) != n)
            return 2;
    }
    sf_close(in);
    return sf_close(out) == 0 ? 0 : 2;
}
