/* The options that no single filter owns, as tables of rows: how a series is read, how numbers are printed,
 * where output goes; and what commands take that are no filters. A new option is a new row here (or in its
 * filter's file) and nowhere else. */
#include "cli/options.h"

/* clang-format off */
static const char *const time_units[] = { "s", "ms", "us", "ns", NULL };
static const char *const progress_ways[] = { "auto", "always", "never", NULL };
static const char *const report_styles[] = { "text", "json", NULL };
static const char *const gap_ways[] = { "keep", "fill", "restart", "error", NULL };

#define AT(field) offsetof(struct filter_job_config, field)
static const struct param series[] = {
    { .name = "time", .letter = 't', .kind = PARAM_TEXT, .value = "COLUMN", .offset = AT(columns.time),
      .help = "the time column, by name or position; without it the first of time, t, timestamp, seconds and "
              "Time (Seconds) that there is, in any letter case" },
    { .name = "time-unit", .kind = PARAM_CHOICE, .choices = time_units, .fallback = "s", .offset = AT(series.time_unit),
      .help = "unit of the time column" },
    { .name = "rate", .kind = PARAM_NUMBER, .range = RANGE_POSITIVE, .value = "HZ", .offset = AT(series.rate),
      .help = "row n, counted from 0, is at n/HZ seconds; a time column is only passed through" },
    { .name = "columns", .letter = 'c', .kind = PARAM_TEXT, .value = "LIST", .offset = AT(columns.columns),
      .help = "the channels, with commas between: names, globs such as hip*, positions from 1 and ranges of them (3, "
              "3-12, 7-); =3 is a column named 3, and a name with a comma goes in double quotes; without it every "
              "column but the time, group and cut columns that has a number in the first data row, or a gap under a name" },
    { .name = "exclude", .letter = 'x', .kind = PARAM_TEXT, .value = "LIST", .offset = AT(columns.exclude),
      .help = "columns that are no channels, listed in the same way; they pass through" },
    { .name = "derivatives", .letter = 'd', .kind = PARAM_COUNT, .range = RANGE_LIMITS, .min = 0, .max = 2,
      .value = "N", .offset = AT(derivatives),
      .help = "columns added at the end of the row: none (0), velocity (1), or velocity and acceleration (2); without "
              "it 2, but 0 under a header of several lines, with --in-place, and for audio and motion files" },
    { .name = "gaps", .kind = PARAM_CHOICE, .choices = gap_ways, .fallback = "keep", .offset = AT(series.gaps),
      .help = "what happens at a missing value; keep: it stays missing, and the spring coasts on toward the last goal; "
              "fill: the spring's own value is printed; restart: the next value starts anew; error: that is an error" },
    { .name = "max-gap", .kind = PARAM_NUMBER, .range = RANGE_NOT_NEGATIVE, .value = "S", .offset = AT(series.max_gap),
      .help = "after a gap longer than S seconds the next value always starts anew" },
    { .name = "group-by", .kind = PARAM_TEXT, .value = "COLUMN", .offset = AT(columns.group),
      .help = "rows with the same text in that column are a series of their own, with its own springs; the rows of "
              "several series may alternate as they like. Quotes and escapes are no part of the text; 1 and 1.0 are "
              "two texts" },
    { .name = "start", .kind = PARAM_PARSED, .type = &series_start_type, .value = "first|zero|X", .fallback = "first",
      .offset = AT(series.start),
      .help = "where the spring rests before the first row: on the first value, on 0, or on X" },
    { .name = "angles", .kind = PARAM_TEXT, .value = "LIST", .offset = AT(angles.list),
      .help = "columns that go round in a circle, listed as for --columns: a step over the seam, such as from 179 to "
              "-179, counts as the short way, across gaps too, and what is printed goes on without a seam" },
    { .name = "period", .kind = PARAM_NUMBER, .range = RANGE_POSITIVE, .value = "P", .offset = AT(angles.period),
      .help = "once round for --angles; without it 360" },
    { .name = "wrap", .kind = PARAM_FLAG, .offset = AT(angles.wrap),
      .help = "print angles in the turn that the input is in: whole periods are taken off again" },
    { .name = "quaternions", .kind = PARAM_TEXT, .value = "LIST", .offset = AT(quaternions),
      .help = "rotations of four columns each, for damper, critical, spring, tracking and inertialize, with commas "
              "between: hip stands for hip_w, hip_x, hip_y and hip_z (or with a dot, or joined), hip* for all that are "
              "like it, and 3-6:xyzw for positions and the order of the components there" },
    { .name = "zero-phase", .kind = PARAM_FLAG, .offset = AT(zero_phase),
      .help = "filter forward, then backward over the result, which takes the lag away; for linear filters; nothing is "
              "written before the input ends, and the series is held in memory" },
    { .name = "set", .kind = PARAM_TEXTS, .value = "LIST:OPTION=X", .offset = AT(sets),
      .help = "another value of one of the filter's own options for some channels, listed as for --columns, as in "
              "'Hips*:halflife=0.3'; it may be repeated, and where two name a channel the later one counts" },
    { .name = "resample", .kind = PARAM_NUMBER, .range = RANGE_POSITIVE, .value = "HZ", .offset = AT(resample),
      .help = "filter and print rows at even times instead, HZ a second from the first row's time on; goals are "
              "interpolated linearly between rows, other cells are those of the row before" },
};
static const struct param cuts[] = {
    { .name = "cuts", .kind = PARAM_PARSED, .type = &cut_times_type, .value = "T,T,...|cue", .offset = AT(cuts.given),
      .help = "the goal jumps at these times in seconds: the first row at or after each does not follow from the row "
              "before it; cue means the cue points of a recording" },
    { .name = "cut-column", .kind = PARAM_TEXT, .value = "COLUMN", .offset = AT(columns.cut),
      .help = "a row with a number other than 0 in that column lies behind a jump; it passes through" },
    { .name = "cuts-from", .kind = PARAM_TEXT, .value = "FILE", .offset = AT(cuts.from),
      .help = "take the times from a file: a table with a column time, a json list, or the cue points of a recording" },
    { .name = "detect-cuts", .kind = PARAM_NUMBER, .range = RANGE_POSITIVE, .value = "K", .offset = AT(cuts.detect),
      .help = "find the jumps, channel by channel: where the curve bends more than K times as much as the median of its "
              "last 63 rows; each row waits for the next one; --verbose says what was found" },
};
#undef AT

#define AT(field) offsetof(struct input_options, field)
static const struct param input[] = {
    { .name = "delimiter", .kind = PARAM_TEXT, .value = "C", .offset = AT(delimiter),
      .help = "the character between cells, or the word tab" },
    { .name = "no-header", .kind = PARAM_FLAG, .offset = AT(no_header),
      .help = "the first row holds data; columns are named 1, 2 and so on" },
    { .name = "header", .kind = PARAM_TEXT, .value = "LINES", .offset = AT(header),
      .help = "the line or lines with the names, such as 4 or 3,4; the names of several lines are joined, as in Hip.X; "
              "without it the last row without numbers before the data" },
    { .name = "comment", .kind = PARAM_TEXT, .value = "C", .offset = AT(comment),
      .help = "lines that begin with C pass through untouched" },
    { .name = "decimal", .kind = PARAM_TEXT, .value = "C", .fallback = ".", .offset = AT(decimal),
      .help = "the decimal sign, a dot or a comma" },
    { .name = "records", .kind = PARAM_TEXT, .value = "POINTER", .offset = AT(records),
      .help = "the array of records inside a JSON document, as a JSON Pointer such as /tracks/0/samples" },
    { .name = "missing", .kind = PARAM_TEXT, .value = "LIST", .offset = AT(missing),
      .help = "more cell texts that mean a missing value, such as 0,-999, besides the empty cell, nan, NA and null" },
    { .name = "allow-truncated", .kind = PARAM_FLAG, .offset = AT(allow_truncated),
      .help = "read audio that is shorter than its header promises, as far as it goes" },
};
#undef AT

#define AT(field) offsetof(struct filter_job_config, field)
static const struct param numbers[] = {
    { .name = "precision", .kind = PARAM_COUNT, .range = RANGE_LIMITS, .min = 1, .max = 17, .value = "N",
      .offset = AT(numbers.precision),
      .help = "print N significant digits; without it as few as read back to exactly the same number" },
    { .name = "decimals", .kind = PARAM_COUNT, .range = RANGE_LIMITS, .min = 0, .max = 17, .value = "N",
      .offset = AT(numbers.decimals), .help = "print N digits after the decimal sign" },
};
static const char *const subtypes[] = { "pcm16", "pcm24", "pcm32", "float", "double", NULL };

static const struct param output[] = {
    { .name = "from", .kind = PARAM_TEXT, .value = "FORMAT", .offset = AT(output.from),
      .help = "format of the input; without it by the name of the file, else by its first bytes" },
    { .name = "to", .kind = PARAM_TEXT, .value = "FORMAT", .offset = AT(output.to),
      .help = "format of the output; without it as the input" },
    { .name = "subtype", .kind = PARAM_CHOICE, .choices = subtypes, .offset = AT(output.subtype),
      .help = "how samples of audio output are stored; without it as in the input where the output can hold that, else "
              "as float" },
    { .name = "output", .letter = 'o', .kind = PARAM_TEXT, .value = "FILE", .offset = AT(output.output),
      .help = "write to FILE, which appears whole or not at all; its format goes by its name unless --to says another; "
              "- is standard output" },
    { .name = "output-dir", .kind = PARAM_TEXT, .value = "DIR", .offset = AT(output.output_dir),
      .help = "write each input to DIR under its own name; DIR is made if it is missing, and files in it are only "
              "replaced with --force" },
    { .name = "suffix", .kind = PARAM_TEXT, .value = "TEXT", .offset = AT(output.suffix),
      .help = "with --output-dir: put TEXT between each name and its extension, as in _clean" },
    { .name = "in-place", .letter = 'i', .kind = PARAM_OPTIONAL_TEXT, .value = "SUFFIX", .offset = AT(output.in_place),
      .help = "replace each file by its filtered self, whole or not at all; mode, owner and extended attributes stay, a "
              "symbolic link stays one, a file with several hard links is refused; with SUFFIX the old file is kept "
              "under its name and SUFFIX, which must be free, or --force given" },
    { .name = "plot", .kind = PARAM_TEXT, .value = "FILE", .offset = AT(output.plot),
      .help = "draw input against output as well, into FILE.svg, .png or .pdf, or in the terminal (-), by gnuplot" },
    { .name = "report", .kind = PARAM_OPTIONAL_TEXT, .choices = report_styles, .offset = AT(output.report),
      .help = "tell of each channel how far the filter moved it, at most and on average (RMS), where that is, its highest "
              "velocity and acceleration, gaps, and cuts; in words, or as one line of JSON a file; on standard output, or "
              "on standard error where the series goes to standard output" },
    { .name = "max-change", .kind = PARAM_NUMBER, .range = RANGE_NOT_NEGATIVE, .value = "V", .offset = AT(output.max_change),
      .help = "a file in which the filter moves a channel further than V from its input in any row fails, and nothing of "
              "it is written; standard output waits until all is read" },
    { .name = "force", .kind = PARAM_FLAG, .offset = AT(output.force),
      .help = "replace files that exist in --output-dir, old files that --in-place=SUFFIX kept, and files that are "
              "read-only" },
    { .name = "jobs", .letter = 'j', .kind = PARAM_COUNT, .range = RANGE_LIMITS, .min = 1, .max = 256, .value = "N",
      .offset = AT(output.jobs),
      .help = "work on N files at once, or on one with N threads; without it as many as there are processors; what is "
              "written does not depend on it" },
    { .name = "dry-run", .letter = 'n', .kind = PARAM_FLAG, .offset = AT(output.dry_run),
      .help = "only look at each file, and say where its result would go" },
    { .name = "progress", .kind = PARAM_CHOICE, .choices = progress_ways, .fallback = "auto", .offset = AT(output.progress),
      .help = "show on standard error how far the work is, how fast, and how long it will take: always, never, or on "
              "a terminal when it takes more than a second (auto)" },
    { .name = "quiet", .letter = 'q', .kind = PARAM_FLAG, .offset = AT(output.quiet), .help = "no words but errors" },
    { .name = "verbose", .letter = 'v', .kind = PARAM_FLAG, .offset = AT(output.verbose),
      .help = "say on standard error what was found and done: rate, channels, parameters, gaps" },
};
#undef AT

#define AT(field) offsetof(struct general_options, field)
static const struct param general[] = {
    { .name = "help", .letter = 'h', .kind = PARAM_FLAG, .offset = AT(help), .help = "print this help" },
    { .name = "version", .kind = PARAM_FLAG, .offset = AT(version), .help = "print the version" },
};
#undef AT

static const char *const help_formats[] = { "text", "man", "bash", "zsh", "fish", NULL };

#define AT(field) offsetof(struct help_options, field)
static const struct param help[] = {
    { .name = "format", .kind = PARAM_CHOICE, .choices = help_formats, .fallback = "text", .offset = AT(format),
      .help = "help to read, the manual page (its frame is read from standard input), or the completions of a shell" },
};
#undef AT

#define AT(field) offsetof(struct diff_options, field)
static const struct param diff[] = {
    { .name = "abs", .kind = PARAM_NUMBER, .range = RANGE_NOT_NEGATIVE, .value = "A", .offset = AT(abs),
      .help = "two numbers a and b agree when |a-b| <= A + R*max(|a|,|b|); without it A is 0" },
    { .name = "rel", .kind = PARAM_NUMBER, .range = RANGE_NOT_NEGATIVE, .value = "R", .offset = AT(rel),
      .help = "the R of that; without it 1e-9" },
    { .name = "exact", .kind = PARAM_FLAG, .offset = AT(exact),
      .help = "no tolerance: two numbers agree when they are the same to the last bit; 0 and -0 are the same" },
    { .name = "columns", .letter = 'c', .kind = PARAM_TEXT, .value = "LIST", .offset = AT(columns),
      .help = "compare these columns only: names, globs, positions and ranges of them in EXPECTED, with commas between" },
    { .name = "key", .kind = PARAM_TEXT, .value = "COLUMN", .offset = AT(key),
      .help = "pair the rows by the numbers in that column, which ascend on both sides, such as the time, and within the "
              "tolerance; without it rows pair by their order" },
    { .name = "angles", .kind = PARAM_TEXT, .value = "LIST", .offset = AT(angles),
      .help = "these columns are angles: 359.9 and -0.1 are the same" },
    { .name = "period", .kind = PARAM_NUMBER, .range = RANGE_POSITIVE, .value = "P", .fallback = "360", .offset = AT(period),
      .help = "a full turn of --angles" },
    { .name = "quaternions", .kind = PARAM_TEXT, .value = "LIST", .offset = AT(quaternions),
      .help = "four columns each, which turn the same way when all their signs are turned: hip stands for hip_w, hip_x, "
              "hip_y and hip_z (or with a dot, or joined), hip* for all that are like it, 3-6 for positions" },
    { .name = "report", .kind = PARAM_CHOICE, .choices = report_styles, .fallback = "text", .offset = AT(report),
      .help = "what differs, in words or as JSON" },
    { .name = "from", .kind = PARAM_TEXT, .value = "FORMAT", .offset = AT(from),
      .help = "format of both files; without it by each one's name, else by its first bytes" },
    { .name = "quiet", .letter = 'q', .kind = PARAM_FLAG, .offset = AT(quiet),
      .help = "no report: the exit status alone tells" },
};
#undef AT

static const char *const response_forms[] = { "text", "csv", "json", NULL };

#define AT(field) offsetof(struct response_options, field)
static const struct param response[] = {
    { .name = "step", .kind = PARAM_FLAG, .offset = AT(step),
      .help = "the input leaves 0 for 1 right after the first row (this is what it does when nothing else is said)" },
    { .name = "impulse", .kind = PARAM_FLAG, .offset = AT(impulse),
      .help = "the input is a blow of area 1: the rate, for one row" },
    { .name = "ramp", .kind = PARAM_FLAG, .offset = AT(ramp), .help = "the input moves at 1 unit per second" },
    { .name = "bode", .kind = PARAM_FLAG, .offset = AT(bode),
      .help = "gain in decibels and phase in degrees over frequency in hertz, of tones sampled at the rate" },
    { .name = "summary", .kind = PARAM_FLAG, .offset = AT(summary),
      .help = "a few numbers instead: how far it lags behind an even motion, the rise time from 10 to 90 percent, the "
              "overshoot, the time to settle within 2 percent, and the frequency where the gain is 3 dB down" },
    { .name = "duration", .kind = PARAM_NUMBER, .range = RANGE_POSITIVE, .value = "S", .offset = AT(duration),
      .help = "how long to look, in seconds; with --bode the lowest frequency is 1/S; without it somewhat longer than the "
              "filter takes to settle" },
    { .name = "rate", .kind = PARAM_NUMBER, .range = RANGE_POSITIVE, .value = "HZ", .offset = AT(rate),
      .help = "rows per second; with --bode the highest frequency is HZ/2; without it some hundred rows in that time, and "
              "for --summary and --bode so many that the steps no longer matter" },
    { .name = "to", .kind = PARAM_CHOICE, .choices = response_forms, .fallback = "text", .offset = AT(to),
      .help = "csv, JSON, or text: csv for curves, lines for --summary" },
    { .name = "plot", .kind = PARAM_TEXT, .value = "FILE", .offset = AT(plot),
      .help = "draw the curve instead of printing it: into FILE.svg, .png or .pdf, or with - in the terminal" },
};
#undef AT

#define AT(field) offsetof(struct plot_options, field)
static const struct param plot[] = {
    { .name = "output", .letter = 'o', .kind = PARAM_TEXT, .value = "FILE", .offset = AT(output),
      .help = "the picture, whose name ends in .svg, .png or .pdf; without it, or with -, it is drawn in the terminal" },
    { .name = "plot", .kind = PARAM_TEXT, .value = "FILE", .offset = AT(output), .help = "the same as --output" },
    { .name = "unit", .kind = PARAM_TEXT, .value = "TEXT", .offset = AT(unit),
      .help = "unit of the channels, such as mm: it is written at the axes, and in those of derivatives" },
    { .name = "across", .kind = PARAM_COUNT, .range = RANGE_LIMITS, .min = 1, .max = 3, .value = "N", .fallback = "1",
      .offset = AT(across), .help = "panels side by side; there are up to 6 below each other" },
    { .name = "title", .kind = PARAM_TEXT, .value = "TEXT", .offset = AT(title), .help = "a line above the picture" },
    { .name = "cut-column", .kind = PARAM_TEXT, .value = "COLUMN", .offset = AT(cut_column),
      .help = "mark the rows of the first file whose number in that column is not 0" },
    { .name = "from", .kind = PARAM_TEXT, .value = "FORMAT", .offset = AT(from),
      .help = "format of the files; without it by each one's name, else by its first bytes" },
};
#undef AT

#define TABLE(title, rows) { title, rows, sizeof rows / sizeof *rows, NULL }
const struct option_table options_series = TABLE("Series", series);
const struct option_table options_cuts = TABLE("Cuts", cuts);
const struct option_table options_input = TABLE("Reading", input);
const struct option_table options_numbers = TABLE("Numbers", numbers);
const struct option_table options_output = TABLE("Output", output);
const struct option_table options_general = TABLE("Other", general);
const struct option_table options_help = TABLE("Help", help);
const struct option_table options_diff = TABLE("Comparing", diff);
const struct option_table options_response = TABLE("Response", response);
const struct option_table options_plot = TABLE("Picture", plot);

/* The first rows of the series options: what is the time, and what are the channels. */
enum { NCHANNEL = 5 };
const struct option_table options_channels = { "Series", series, NCHANNEL, NULL };

const struct option_table *const options_shared[] = { &options_series, &options_cuts, &options_input, &options_numbers,
                                                      &options_output, &options_general, NULL };

bool options_taken(const struct filter *filter, const struct option_table *shared)
{
    return filter->cuts || shared->params != options_cuts.params;
}
