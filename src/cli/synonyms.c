/* Words by which other programs call options and filters, and hints with the names in sprung. No hint names
 * an option that replaces files. */
#include "cli/options.h"

#include <string.h>

struct synonym {
    const char *word; /* an option without dashes, or a filter */
    const char *hint;
};

#define RATE  "--rate HZ gives the rows per second, --resample HZ those of the output"
#define INPUT "files are named without an option: sprung FILTER OPTIONS FILE"

static const struct synonym option_synonyms[] = {
    { "fps", RATE },
    { "fs", RATE },
    { "framerate", RATE },
    { "frame-rate", RATE },
    { "sample-rate", RATE },
    { "samplerate", RATE },
    { "sampling-rate", RATE },
    { "fc", "--cutoff HZ is the frequency at which the gain is -3 dB" },
    { "order", "a filter has one order: damper 1, critical and spring 2; --then filters the result again" },
    { "filtfilt", "did you mean --zero-phase?" },
    { "zero-lag", "did you mean --zero-phase?" },
    { "zerophase", "did you mean --zero-phase?" },
    { "sep", "did you mean --delimiter?" },
    { "separator", "did you mean --delimiter?" },
    { "config", "did you mean --options FILE?" },
    { "threads", "did you mean --jobs N?" },
    { "overwrite", "--output FILE replaces FILE if it exists" },
    { "unit", "--time-unit is the unit of the time column" },
    { "tolerance", "sprung diff takes --abs A for an absolute tolerance and --rel R for a relative one" },
    { "in", INPUT },
    { "input", INPUT },
    { "input-file", INPUT },
    { "out", "did you mean --output FILE?" },
    { "input-format", "did you mean --from FORMAT?" },
    { "output-format", "did you mean --to FORMAT?" },
};

static const struct synonym filter_synonyms[] = {
    { "lowpass", "butterworth --cutoff HZ is a low-pass of second order, damper --cutoff HZ of first order" },
    { "low-pass", "butterworth --cutoff HZ is a low-pass of second order, damper --cutoff HZ of first order" },
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
