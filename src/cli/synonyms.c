/* Words of other programs and of older versions, and hints with what this program has. In a hint,
 * FILE is the user's file: the commands run on any series. */
#include "cli/options.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* clang-format off */
/* Where a row applies. */
#define ANYWHERE   NULL         /* the first word, too */
#define FIRST_WORD "first word" /* where a filter or a command is expected */
#define FILTERS    "gaps"       /* an option of every filter */
#define RESPONSE   "bode"       /* an option of response */
#define HELP       "of help"    /* a word that help explains */

/* The first row that fits counts, so a row for one place is before the general row. */
static const struct {
    const char *words; /* with blanks between: options without dashes, or filters; - also means _ */
    const char *where; /* a command, or an option that the command has */
    const char *hint;
} synonyms[] = {
    /* --- options of version 3 --- */
    { "then set", FILTERS, "two runs, with -c or -x for some columns: sprung tracking -d 0 FILE | sprung butterworth --cutoff 6 -d 0" },
    { "join concat merge append stitch", ANYWHERE, "join the files first, and give --cut-column or --cuts: sprung help joining" },
    { "files-from null 0 parents", FILTERS, "--recursive keeps paths; also: find . -name '*.csv' -print0 | xargs -0 sprung damper -H 1 --output-dir DIR" },
    { "forget despike-window wrap comment allow-truncated unfilterable progress subtype b bits axis padlen padtype mode cval adjust "
      "ignore-na min-periods center win-type nan-policy encoding dtype parse-dates sos output-type q quiet exit-code", ANYWHERE, "leave it out: it is not needed" },
    { "start-velocity goal-velocity-from", FILTERS, "the start has only a position: --start X; critical and spring have --goal-velocity difference" },
    { "frequency angular-frequency w f", "lag", "critical has --halflife, --lag and --cutoff; spring has --frequency" },
    { "angular-frequency w", "stiffness", "divide by 6.2832: --frequency HZ" },
    { "predict forecast extrapolate horizon anticipation", ANYWHERE, "without lag: sprung second-order -f 3 -z 0.7 -r 2 FILE; for --predict see sprung help predict" },
    { "H halflife", "position-halflife", "to bridge jumps: --method halflife --position-halflife 0.1; to smooth: sprung critical -H 0.1 FILE" },
    { "decay-rate", "halflife", "for decay rate 7: --halflife 0.099, which is 0.6931 / 7" },
    { "k1 k2 k3", "response", "-f is 1 / (2 pi sqrt(k2)), -z is k1 / (2 sqrt(k2)), and -r is 2 k3 / k1" },
    { "cuts-from", FILTERS, "give the times: --cuts 1.5,7; or a column of the input: --cut-column cut" },
    { "length-unit", "from", "write csv, which needs no unit: --to csv" },
    { "precision round digits sigfigs float-format ofmt", FILTERS, "try --decimals 6" },
    { "color", ANYWHERE, "set NO_COLOR=1 for no color on a terminal" },
    { "exact time-tolerance", "diff", "try --rel 0; for the times --abs time:0.001, with the name of their column" },
    { "rate time t", "diff", "leave it out: rows pair in their order, or by --key COLUMN" },
    { "period", "diff", "angles of diff are in degrees: convert radians first" },
    { "include recursive", "inspect", "use find: find . -name '*.csv' -exec sprung inspect {} +" },
    { "include recursive r R", "diff", "with two folders, diff compares all files of known formats" },
    { "format", HELP, "for completions: sprung help --complete WORDS" },
    { "unit across title cut-column plot svg png pdf to format save size width height start end xlim zoom duration", "plot", "try -o FILE.svg; -c chooses columns; some rows: head -n 500 FILE | sprung plot -" },
    { "plot", RESPONSE, "pipe its output into: sprung plot -" },
    { "impulse ramp size", RESPONSE, "the input is a step to 1; of a linear filter, output_vel is the impulse response" },
    { "lookahead", RESPONSE, "the response of --zero-phase is that of both passes over the whole series" },
    { "json format", RESPONSE, "try --to csv" },

    /* --- options of one command or of a few filters --- */
    { "a atol rtol tol tolerance threshold max eps epsilon rms rmse mae", "diff", "try --abs 1e-6 (absolute) or --rel 1e-6 (relative)" },
    { "rotations", "diff", "Euler angles: --angles 'joint_*'; quaternions: --quaternions joint" },
    { "o output", "diff", "the result goes to standard output: add > FILE" },
    { "junit", "diff", "did you mean --report junit?" },
    { "json jsonl ndjson csv tsv to-csv format ojson ocsv otsv output-format", "to", "try --to json or --to csv" },
    { "json format", "report", "did you mean --report json?" },
    { "frequency f freq", "frequencies", "try --frequencies 440" },
    { "freq", "frequency", "did you mean --frequency?" },
    { "threads cores workers parallel p", "jobs", "did you mean --jobs?" },
    { "person people actor subject instance group", "group-by", "for a series of each: --group-by COLUMN" },
    { "ignore skip drop", "exclude", "did you mean --exclude?" },
    { "test simulate check what-if preview", "dry-run", "did you mean --dry-run?" },
    { "r R dir directory folder folders glob pattern ext extension", "recursive", "try --recursive FOLDER, with --include '*.csv' for some files" },
    { "backup bak", "in-place", "did you mean --in-place=.orig?" },
    { "decimate downsample upsample subsample output-rate rate-out", "resample", "did you mean --resample 30?" },
    { "nohead header-none implicit-csv-header headerless", "no-header", "did you mean --no-header?" },
    { "dcutoff d-cutoff", "min-cutoff", "did you mean --derivative-cutoff 1 (hertz)?" },
    { "smooth smoothing smoothness strength amount window halflife lag frequency freq lowpass fc", "min-cutoff",
      "try --min-cutoff 1 (hertz): a lower one smooths more, but lags more" },

    /* --- filters of other programs, and words that a reader looks up --- */
    { "noise jitter smooth smoothing filter clean denoise filtfilt sosfiltfilt savgol savgol-filter gaussian gaussian-filter gaussian-filter1d "
      "wiener loess lowess whittaker kalman ekf ukf rts wavelet stabilize steady deshake", FIRST_WORD,
      "live: sprung one-euro FILE; for a recorded file: sprung butterworth --cutoff 6 --zero-phase FILE" },
    { "gaze eye pupil pose deeplabcut mediapipe imu sensor emg", FIRST_WORD, "what is in the file: sprung inspect FILE; values to leave out: sprung help --mask" },
    { "limiter compressor clip clamp max-speed max-vel max-accel", ANYWHERE, "no filter limits values; --max-velocity of tracking limits their speed" },
    { "t3ssel8r procedural dynamics", FIRST_WORD, "t3ssel8r's filter: sprung second-order -f 2 -z 0.5 -r 0 FILE (his loop: --method stable)" },
    { "compare test check validate verify cmp assert equal", FIRST_WORD, "to compare files or folders: sprung diff EXPECTED ACTUAL" },
    { "version", FIRST_WORD, "try sprung --version" },
    { "max-change plot graph draw chart picture gnuplot", ANYWHERE,
      "to draw before and after: sprung plot FILE NEW.csv; to compare them: sprung diff --abs 40 FILE NEW.csv" },
    { "1euro 1-euro oneeuro oneeurofilter 1eurofilter euro", FIRST_WORD, "did you mean one-euro?" },
    { "smoothdamp SmoothDamp smooth-damp smoothTime unity", FIRST_WORD, "SmoothDamp without its clamp: sprung critical --lag 0.1 --approx holden FILE" },
    { "critically-damped critdamp criticaldamp pd pid camera follow chase", FIRST_WORD, "a spring without overshoot: sprung critical -H 0.1 FILE" },
    { "resample resample-poly decimate downsample upsample subsample", FIRST_WORD, "for 30 rows per second: sprung tracking --resample 30 -d 0 --gaps restart FILE" },
    { "convert export import copy to-csv", FIRST_WORD, "the suffix says the format: sprung tracking -d 0 --gaps restart FILE -o NEW.json" },
    { "python c library equation unreal blender houdini maya motionbuilder", FIRST_WORD, "in your own code: sprung help code; recipes: sprung help cookbook" },

    /* --- options and filters of other programs --- */
    { "fps fs Fs sr ar sfreq framerate frame-rate sample-rate samplerate sampling-rate sampling-frequency hz r dt timestep time-step delta-time", "rate", "try --rate 100; for the output --resample 100" },
    { "damping zeta ratio damp dampening damping-factor", ANYWHERE, "try spring -f 2 -z 0.7: -z is the damping ratio" },
    { "mass stiff spring-constant", ANYWHERE, "with a mass of 1: sprung spring -k 100 -z 0.7 FILE; for another, divide the stiffness by it" },
    { "tau time-constant smooth-time smoothtime delay latency decay response-time settling-time rise-time", ANYWHERE, "damper and critical have --lag 0.1 (seconds)" },
    { "gain", ANYWHERE, "tracking has --velocity-gain and --position-gain; no filter changes the level" },
    { "alpha span com ema ewm ewma exponential rolling moving-average movmean mean average convolve sma boxcar lerp factor smoothing-factor", ANYWHERE,
      "try sprung damper --method lerp --factor 0.1 FILE" },
    { "smooth smoothing smoothness strength amount window window-length width polyorder sigma", ANYWHERE, "try --cutoff 6 (hertz), --halflife 0.1 or --lag 0.1 (seconds)" },
    { "wn Wn fc f frequency freq freqs cutoff-frequency cutoff-freq lowpass low-pass lowpass-filter butter bessel cheby1 cheby2 ellip fir firwin iir lfilter sosfilt", ANYWHERE,
      "try --cutoff 6 (hertz) of butterworth: sprung butterworth --cutoff 6 FILE" },
    { "order N taps numtaps degree", ANYWHERE, "leave it out: butterworth and critical have order 2, damper 1, double 4; --zero-phase doubles it" },
    { "btype highpass high-pass bandpass notch detrend", ANYWHERE, "no filter is a high-pass; to subtract a low-pass from the input: sprung help highpass" },
    { "overshoot bounce bounciness", ANYWHERE, "try spring -f 2 -z 0.3: a smaller damping ratio (-z) overshoots more" },
    { "spikes outlier outliers artifact artifacts median medfilt kernel-size hampel zscore peak-removal despike", ANYWHERE, "add --despike 6 to a filter: sprung help cuts" },
    { "limit", ANYWHERE, "try --max-gap 30rows or --max-gap 0.2" },
    { "interpolate interpolation interp interp1d pchip spline cubic fill fillna fill-gaps fillgaps gap-fill ffill bfill dropna", ANYWHERE,
      "add --gaps fill; to fill only: sprung tracking --gaps linear -d 0 FILE; for rows at other times: sprung help resampling" },
    { "unwrap degrees radians euler euler-filter unroll rotation-order rotate-order slerp", ANYWHERE,
      "for angles: --angles 'joint_*' (--period 6.2831853: radians); three of a rotation: --rotations hip:ZXY" },
    { "derivative differentiate gradient jerk angular-velocity acceleration vel acc", ANYWHERE, "add -d 1 or -d 2: sprung butterworth --cutoff 6 --zero-phase -d 2 FILE" },
    { "stats describe summary info show view print list", ANYWHERE, "what is in a file: sprung inspect FILE; what a filter changes: --report" },
    { "out outdir out-dir outfile out-file output-file dest destination", ANYWHERE, "try --output FILE or --output-dir DIR" },
    { "input inputs input-file infile file", ANYWHERE, "give the file without an option: sprung critical -H 0.1 FILE" },
    { "index index-col timestamp ts time-col time-column", ANYWHERE, "try --time COLUMN" },
    { "channels select only cols usecols use-cols marker markers joint joints bone bones node nodes track tracks curve fcurve field fields", ANYWHERE, "try --columns 'hip*'; the other columns are copied: cut and mlr drop them" },
    { "na na-values nan na-value sentinel", ANYWHERE, "try --missing -999,none" },
    { "likelihood pcutoff confidence conf score min-confidence threshold valid validity", ANYWHERE, "try --mask '*_x,*_y:*_likelihood<0.6'" },
    { "skip-errors ignore-errors on-error on-bad-lines", ANYWHERE, "try --bad-rows skip" },
    { "skiprows skip-rows skip-lines skip-header header-rows", ANYWHERE, "try --header LINE, the number of the line with the names, from 1" },
    { "filtfilt zero-lag zerophase forward-backward bidirectional two-pass passes zero-phase", ANYWHERE,
      "for no lag on a recorded file: sprung butterworth --cutoff 6 --zero-phase FILE" },
    { "realtime real-time causal live stream streaming flush unbuffered", ANYWHERE, "live input needs no option: sprung help live" },
    { "ease easing ease-in ease-out tween smoothstep", ANYWHERE, "for an S-shaped transition: sprung double -H 0.1 FILE" },
    { "freqz freqresp bode impulse step fft psd spectrum spectrogram welch stft tremor", ANYWHERE,
      "a filter's gain and phase: sprung response critical -H 0.1 --bode; frequencies over time: sprung help resonance" },
    { "envelope rectify hilbert rms", ANYWHERE, "for the recipe: sprung help sound" },
    { "scale offset normalize norm integrate cumsum magnitude simplify key-reduce bake trim ss start-frame end-frame end range madgwick mahony", ANYWHERE,
      "no filter does this: do it before or after, say with mlr, sox or the animation program" },
    { "sep separator ifs", ANYWHERE, "did you mean --delimiter?" },
    { "icsv itsv ijson input-format", ANYWHERE, "formats are detected; otherwise --from csv" },
    { "overwrite replace clobber y", ANYWHERE, "--output FILE replaces FILE if it exists" },
    { "unit units", ANYWHERE, "try --time-unit ms, the unit of the time column" },
    { "blend transition crossfade", ANYWHERE, "to blend over a jump: sprung inertialize -H 0.1 --cuts 1 FILE" },
    { "atol rtol tol tolerance eps epsilon", ANYWHERE, "to compare files: sprung diff --abs 1e-6 EXPECTED ACTUAL" },
};
/* clang-format on */

/* Does a row of this place apply to a word? first: the word is the first of the command line. */
static bool applies(const char *where, bool first, const struct command_line *line)
{
    if (!where || first)
        return !where || strcmp(where, FIRST_WORD) == 0;
    return strcmp(where, FIRST_WORD) != 0 && (!line || strcmp(line->argv[0], where) == 0 ||
                                              options_find(line->job.filter.filter, line->tables, where));
}

const char *synonym_of(const char *word, bool first, const struct command_line *line)
{
    char name[64];
    snprintf(name, sizeof name, "%s", word);
    for (char *blank = strchr(name, '_'); blank; blank = strchr(blank, '_'))
        *blank = '-'; /* na_values of pandas is na-values here */
    for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++)
        if (applies(synonyms[i].where, first, line) && text_has_word(synonyms[i].words, name))
            return synonyms[i].hint;
    return NULL;
}
