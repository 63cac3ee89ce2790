/* Names of options and filters in other programs, and hints with the names in sprung. No hint names an option
 * that replaces files. */
#include "cli/options.h"

#include <string.h>

struct synonym {
    const char *word; /* an option without dashes, or a filter */
    const char *hint;
};

#define RATE      "try --rate 100, the rows per second of the input; --resample 100 sets those of the output"
#define INPUT     "name files without an option: sprung critical -H 0.1 FILE"
#define OUTPUT    "the result goes to standard output: add > FILE"
#define TOLERANCE "try --abs 0.001 (absolute) or --rel 0.001 (relative)"
#define SMOOTH    "try --cutoff 6 (hertz), --halflife 0.1 or --lag 0.1 (seconds)"
#define LAG       "damper and critical have the time constant in seconds: --lag 0.1"
#define BOUNCE    "try spring -f 2 -z 0.3: a smaller damping ratio (-z) overshoots more"
#define MASS                                                                                                 \
    "divide by the mass: for stiffness 200, damping 10 and mass 2, spring --stiffness 100 --damping 5"
#define TENSION "spring calls tension stiffness, and friction damping: spring --stiffness 170 --damping 26"

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
    { "zeta", "try spring -f 2 -z 0.7: -z is the damping ratio" },
    { "ratio", "try spring -f 2 -z 0.7: -z is the damping ratio" },
    { "tau", LAG },
    { "time-constant", LAG },
    { "smooth-time", LAG },
    { "smoothtime", LAG },
    { "alpha", "try damper --method lerp --factor 0.1 (the weight of the new value)" },
    { "smooth", SMOOTH },
    { "smoothing", SMOOTH },
    { "smoothness", SMOOTH },
    { "strength", SMOOTH },
    { "amount", SMOOTH },
    { "window", SMOOTH },
    { "order", "damper has order 1, critical and butterworth 2, double 4; --zero-phase doubles the order" },
    { "overshoot", BOUNCE },
    { "bounce", BOUNCE },
    { "bounciness", BOUNCE },
    { "mass", MASS },
    { "tension", TENSION },
    { "friction", TENSION },
    { "outliers", "try --despike 6" },
    { "median", "try --despike 6" },
    { "max-lag", "damper and critical have --lag 0.1 (seconds)" },
    { "fill", "did you mean --gaps fill?" },
    { "fill-gaps", "did you mean --gaps cubic?" },
    { "fillgaps", "did you mean --gaps cubic?" },
    { "interpolate", "did you mean --gaps cubic?" },
    { "channels", "try --columns, such as --columns 'hip*'" },
    { "select", "try --columns, such as --columns 'hip*'" },
    { "only", "try --columns, such as --columns 'hip*'" },
    { "ignore", "try --exclude, such as --exclude 'hip*'" },
    { "skip", "try --exclude, such as --exclude 'hip*'" },
    { "velocity", "--derivatives 1 adds velocity, 2 also acceleration" },
    { "acceleration", "--derivatives 2 adds velocity and acceleration" },
    { "backup", "--in-place=.orig saves the original as FILE.orig" },
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
    { "unit", "try --time-unit ms, the unit of the time column" },
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

/* What asks for another format, in commands with --to and in commands with --report only. */
static const struct synonym to_synonyms[] = {
    { "json", "did you mean --to json?" },
    { "csv", "did you mean --to csv?" },
    { "format", "did you mean --to FORMAT, such as --to json?" },
};
static const struct synonym report_synonyms[] = {
    { "json", "did you mean --report json?" },
    { "format", "did you mean --report json?" },
};

/* In the command that compares files. */
static const struct synonym diff_synonyms[] = {
    { "a", "did you mean --abs A?" },
    { "r", "did you mean --rel R?" },
    { "percent", "try --rel 0.005, which is 0.5 %" },
    { "all", "did you mean --verbose, which lists all columns that differ?" },
    { "junit", "did you mean --report junit?" },
    { "rotations", "Euler angles: --angles 'joint_*'; quaternions: --quaternions joint" },
};

/* In what can draw. The result of sprung response goes nowhere else. */
static const struct synonym plot_synonyms[] = {
    { "svg", "did you mean --plot FILE.svg?" },
    { "png", "did you mean --plot FILE.png?" },
    { "pdf", "did you mean --plot FILE.pdf?" },
    { "o", OUTPUT ", or --plot FILE.svg to draw it" },
    { "output", OUTPUT ", or --plot FILE.svg to draw it" },
};

static const struct synonym lag_synonyms[] = {
    { "max-lag", "did you mean --lag S?" },
};

/* In filters with a damping ratio. */
static const struct synonym ratio_synonyms[] = {
    { "damping", "did you mean --damping-ratio Z?" },
    { "zeta", "did you mean --damping-ratio Z?" },
    { "ratio", "did you mean --damping-ratio Z?" },
};

static const struct synonym frequency_synonyms[] = {
    { "freq", "did you mean --frequency HZ?" },
    { "f0", "did you mean --frequency HZ?" },
};

/* In filters with a cutoff. */
static const struct synonym cutoff_synonyms[] = {
    { "frequency", "did you mean --cutoff HZ?" },
    { "freq", "did you mean --cutoff HZ?" },
    { "cutoff-frequency", "did you mean --cutoff HZ?" },
    { "cutoff-freq", "did you mean --cutoff HZ?" },
    { "lowpass", "did you mean --cutoff HZ?" },
    { "fc", "try --cutoff 6, the -3 dB frequency in hertz" },
};

#define EURO "try --min-cutoff 1 (hertz): a lower one smooths more, but lags more"

static const struct synonym euro_synonyms[] = {
    { "smooth", EURO },    { "smoothing", EURO }, { "smoothness", EURO },       { "strength", EURO },
    { "amount", EURO },    { "window", EURO },    { "halflife", EURO },         { "lag", EURO },
    { "frequency", EURO }, { "freq", EURO },      { "cutoff-frequency", EURO }, { "cutoff-freq", EURO },
    { "lowpass", EURO },   { "fc", EURO },
};

#define BLEND "to close a jump within 0.3 s: --position-gain 0.1225 --velocity-gain 0.7"

static const struct synonym tracking_synonyms[] = {
    { "blend", BLEND },    { "blend-time", BLEND }, { "blend-duration", BLEND },
    { "duration", BLEND }, { "transition", BLEND }, { "halflife", BLEND },
};

#define WRITTEN                                                                                              \
    "--columns x,y filters only these, but every column is written; to drop some, add | mlr --csv cut -f "   \
    "x,y"

/* In all filters. */
static const struct synonym then_synonyms[] = {
    { "predict",
      "this filter cannot predict; let a second one do it: --then 'critical -H 0.03 --goal-velocity "
      "difference --predict 0.03'" },
    { "only", WRITTEN },
    { "keep", WRITTEN },
    { "drop", WRITTEN },
    { "select", WRITTEN },
    { "output-columns", WRITTEN },
};

/* Synonyms in commands that have a certain option, in the order in which they are searched. */
#define LIST(with, list)                                                                                     \
    {                                                                                                        \
        with, list, sizeof list / sizeof *list                                                               \
    }
static const struct {
    const char *with; /* the option; NULL: in every command */
    const struct synonym *list;
    size_t n;
} option_lists[] = {
    LIST("abs", diff_synonyms),
    LIST("to", to_synonyms),
    LIST("report", report_synonyms),
    LIST("plot", plot_synonyms),
    LIST("lag", lag_synonyms),
    LIST("damping-ratio", ratio_synonyms),
    LIST("frequency", frequency_synonyms),
    LIST("cutoff", cutoff_synonyms),
    LIST("min-cutoff", euro_synonyms),
    LIST("position-gain", tracking_synonyms),
    LIST("then", then_synonyms),
    LIST(NULL, option_synonyms),
};

#define FILTER                                                                                               \
    "try butterworth --cutoff 6 --zero-phase for a recorded file, critical --halflife 0.1 for a live stream"

#define RATIO     "the damping ratio decides how much a spring overshoots: sprung help spring"
#define SPIKES    "for spikes, add --despike 6 to a filter: sprung help cuts"
#define FILLING   "to fill gaps: sprung help gaps; for rows at other times: sprung help resampling"
#define ROTATIONS "for quaternions and Euler angles: sprung help rotations"

/* Also words that a reader looks up. */
static const struct synonym filter_synonyms[] = {
    { "overshoot", RATIO },
    { "bounce", RATIO },
    { "spikes", SPIKES },
    { "outliers", SPIKES },
    { "quaternion", ROTATIONS },
    { "euler", ROTATIONS },
    { "interpolate", FILLING },
    { "interpolation", FILLING },
    { "nyquist", "for the highest cutoff: sprung help smoothing" },
    { "latency", "for the delay of live output: sprung help live" },
    { "noise", FILTER },
    { "jitter", FILTER },
    { "smooth", FILTER },
    { "smoothing", FILTER },
    { "filter", FILTER },
    { "clean", FILTER },
    { "denoise", FILTER },
    { "lowpass", "try butterworth --cutoff 6 (second order) or damper --cutoff 6 (first order)" },
    { "low-pass", "try butterworth --cutoff 6 (second order) or damper --cutoff 6 (first order)" },
    { "1euro", "did you mean one-euro?" },
    { "oneeuro", "did you mean one-euro?" },
    { "ema", "for an exponential moving average, try damper --method lerp --factor 0.1" },
    { "exponential", "for an exponential moving average, try damper --method lerp --factor 0.1" },
    { "smoothdamp", "try critical --lag 0.1 (SmoothDamp with smoothTime 0.1)" },
    { "kalman", "try tracking (fixed gains), or butterworth --zero-phase for a recorded file" },
    { "resample", "try tracking --resample 30 -d 0 --gaps restart (evenly spaced rows, here 30 per second)" },
    { "convert",
      "try tracking -d 0 --gaps restart FILE -o NEW.json (format by suffix; the numbers stay as they are)" },
    { "compare", "did you mean diff?" },
    { "savgol", "try butterworth --cutoff 6 --zero-phase" },
};

static const char *find_hint(const struct synonym *list, size_t n, const char *word)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i].word, word) == 0)
            return list[i].hint;
    return NULL;
}

const char *synonym_of_option(const char *word, bool (*has)(const void *command, const char *option),
                              const void *command)
{
    const char *hint = NULL;
    for (size_t i = 0; i < sizeof option_lists / sizeof *option_lists && !hint; i++)
        if (!option_lists[i].with || has(command, option_lists[i].with))
            hint = find_hint(option_lists[i].list, option_lists[i].n, word);
    return hint;
}

const char *synonym_of_filter(const char *word)
{
    return find_hint(filter_synonyms, sizeof filter_synonyms / sizeof *filter_synonyms, word);
}
