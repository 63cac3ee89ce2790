/* Words by which other programs call options and filters, and hints with the names in sprung. No hint names
 * an option that replaces files. */
#include "cli/options.h"

#include <string.h>

struct synonym {
    const char *word; /* an option without dashes, or a filter */
    const char *hint;
};

#define RATE   "--rate HZ gives the rows per second, --resample HZ those of the output"
#define INPUT  "files are named without an option: sprung FILTER OPTIONS FILE"
#define OUTPUT "the result goes to standard output: write > FILE; --plot FILE.svg of response draws it"
#define TOLERANCE                                                                                            \
    "--abs A is the absolute tolerance of sprung diff, --rel R the relative one, such as --abs 0.001"
#define SMOOTH "--cutoff HZ, --halflife S or --lag S says how much is smoothed"

static const struct synonym option_synonyms[] = {
    { "fps", RATE },
    { "fs", RATE },
    { "framerate", RATE },
    { "frame-rate", RATE },
    { "sample-rate", RATE },
    { "samplerate", RATE },
    { "sampling-rate", RATE },
    { "hz", RATE },
    { "dt", RATE },
    { "freq", "did you mean --frequency HZ?" },
    { "f0", "did you mean --frequency HZ?" },
    { "zeta", "did you mean --damping-ratio Z?" },
    { "ratio", "did you mean --damping-ratio Z?" },
    { "tau", "the time constant is --lag S, in seconds" },
    { "time-constant", "the time constant is --lag S, in seconds" },
    { "smooth-time", "the time constant is --lag S, in seconds" },
    { "smoothtime", "the time constant is --lag S, in seconds" },
    { "alpha", "damper --method lerp has --factor A, the weight of a new value" },
    { "smooth", SMOOTH },
    { "smoothing", SMOOTH },
    { "strength", SMOOTH },
    { "window", SMOOTH },
    { "cutoff-frequency", "did you mean --cutoff HZ?" },
    { "cutoff-freq", "did you mean --cutoff HZ?" },
    { "lowpass", "did you mean --cutoff HZ?" },
    { "fc", "--cutoff HZ is the frequency at which the gain is -3 dB" },
    { "order", "a filter has one order: damper 1, critical and spring 2; --then filters the result again" },
    { "fill-gaps", "did you mean --gaps cubic?" },
    { "fillgaps", "did you mean --gaps cubic?" },
    { "interpolate", "did you mean --gaps cubic?" },
    { "channels", "did you mean --columns LIST?" },
    { "only", "did you mean --columns LIST?" },
    { "ignore", "did you mean --exclude LIST?" },
    { "skip", "did you mean --exclude LIST?" },
    { "velocity", "--derivatives 1 adds the velocity, 2 the acceleration, too" },
    { "acceleration", "--derivatives 2 adds velocity and acceleration" },
    { "backup", "--in-place=.orig keeps the old file as FILE.orig" },
    { "outdir", "did you mean --output-dir DIR?" },
    { "out-dir", "did you mean --output-dir DIR?" },
    { "filtfilt", "did you mean --zero-phase?" },
    { "zero-lag", "did you mean --zero-phase?" },
    { "zerophase", "did you mean --zero-phase?" },
    { "sep", "did you mean --delimiter?" },
    { "separator", "did you mean --delimiter?" },
    { "config", "did you mean --options FILE?" },
    { "threads", "did you mean --jobs N?" },
    { "overwrite", "--output FILE replaces FILE if it exists" },
    { "unit", "--time-unit is the unit of the time column" },
    { "tol", TOLERANCE },
    { "tolerance", TOLERANCE },
    { "eps", TOLERANCE },
    { "epsilon", TOLERANCE },
    { "atol", "did you mean --abs A?" },
    { "rtol", "did you mean --rel R?" },
    { "o", OUTPUT },
    { "output", OUTPUT },
    { "in", INPUT },
    { "input", INPUT },
    { "input-file", INPUT },
    { "out", "did you mean --output FILE?" },
    { "input-format", "did you mean --from FORMAT?" },
    { "output-format", "did you mean --to FORMAT?" },
};

static const struct synonym filter_synonyms[] = {
    { "lowpass", "butterworth --cutoff HZ is a low-pass of second order, damper --cutoff HZ of first order" },
    { "low-pass",
      "butterworth --cutoff HZ is a low-pass of second order, damper --cutoff HZ of first order" },
    { "1euro", "did you mean one-euro?" },
    { "oneeuro", "did you mean one-euro?" },
    { "ema", "damper is the exponential moving average: its --factor is the weight of a new value" },
    { "exponential", "damper is the exponential moving average: its --factor is the weight of a new value" },
    { "smoothdamp", "critical is the spring of SmoothDamp" },
    { "kalman", "tracking estimates position, velocity and acceleration with fixed gains" },
    { "savgol", "critical --zero-phase smooths without lag" },
};

static const char *find_hint(const struct synonym *list, size_t n, const char *word)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i].word, word) == 0)
            return list[i].hint;
    return NULL;
}

const char *synonym_of_option(const char *word)
{
    return find_hint(option_synonyms, sizeof option_synonyms / sizeof *option_synonyms, word);
}

const char *synonym_of_filter(const char *word)
{
    return find_hint(filter_synonyms, sizeof filter_synonyms / sizeof *filter_synonyms, word);
}
