/* The options that do not belong to a single filter, as tables of rows: how a series is read, how numbers are
 * printed, where output goes, and the options of the commands. A new option is a new row here; an option of
 * one filter is a row in the file of the filter. */
#include "cli/options.h"

#undef FIELD
#define FIELD(field) offsetof(struct command_line, field)
/* clang-format off */
static const char *const bad_rows[] = { "stop", "skip", NULL };
static const char *const report_styles[] = { "text", "json", NULL };
static const char *const diff_styles[] = { "text", "json", "junit", NULL };
static const char *const response_forms[] = { "text", "csv", NULL };

static const struct param columns_rows[] = {
    { .name = "time", .letter = 't', TEXT(job.columns.time, "COLUMN"),
      .help = "the time column; a date and a time side by side are one",
      .more = "By name or position. Default: the first column named like time, t, timestamp, seconds, date or elapsed time; else a first column "
              "of dates or Unix times. Case is ignored; # or _ may precede the name, and a unit may follow it, as in #timestamp [ns]. "
              "The column holds numbers, dates or times of day" },
    { .name = "time-unit", CHOICE(job.columns.time_unit, time_unit_names),
      .help = "unit of the times; frames needs --rate",
      .more = "frames: frame numbers. Default: the unit at the end of the column's name, such as (ms), [h], _us or the "
              "Ms of timeMs, or below the name. Otherwise, if the first time falls in the years 2000 to 2100 when read as ms, us or ns "
              "since 1970, that unit is used. Otherwise s. With frames, the default column is one "
              "named frame, and frame n is at n/HZ seconds, so missing frames become longer time steps" },
    { .name = "rate", NUMBER(job.columns.rate, RANGE_POSITIVE, "HZ"), .common = true,
      .help = "rows per second, where the file has no times",
      .more = "The time of row n, counted from 0, is n/HZ. A time column is only copied, except with --time-unit frames" },
    { .name = "columns", .letter = 'c', TEXT(job.columns.columns, "LIST"), .common = true,
      .help = "columns to use, such as 'hip*,7-9'",
      .more = "Names, globs and positions, separated by commas; 7- means position 7 and all after it. =3 is a column "
              "named 3, and a name with a comma is given in double quotes. Default: every column with numbers, except "
              "times, row counters, event markers and others: see sprung help columns" },
    { .name = "exclude", .letter = 'x', TEXT(job.columns.exclude, "LIST"),
      .help = "columns to leave alone, given as for --columns" },
};
static const struct param gaps_rows[] = {
    { .name = "gaps", CHOICE(job.series.gaps, gap_names), .fallback = "keep", .common = true,
      .help = "how to treat missing values",
      .more = "keep: the value stays missing, and the spring moves on toward the last value. fill: the spring's position "
              "is printed, or the smoothed curve with --zero-phase. linear: a straight line between the values on both "
              "sides fills the gap before filtering, unless it is longer than --max-gap. restart: filtering restarts at "
              "the next value" },
    { .name = "max-gap", PARSED(job.series.max_gap, gap_limit_type, "S|Nrows"),
      .help = "longest gap to fill; after a longer one, filtering restarts",
      .more = "Such as 0.2s or 30rows. In seconds, a gap lasts from the value before it to the value after it" },
    { .name = "mask", .kind = PARAM_TEXTS, .value = "LIST:COLUMN<X", .offset = FIELD(job.columns.masks),
      .help = "treat LIST as missing where COLUMN is <X, >X or =X: '*_x,*_y:*_likelihood<0.6'",
      .more = "Also where COLUMN has no value; <= and >= work as well. A * on both sides means the same text. "
              "COLUMN itself stays as it is, unless LIST or --columns names it. The option may be repeated" },
    { .name = "despike", NUMBER(job.despike, RANGE_POSITIVE, "K"), .common = true,
      .help = "bridge spikes above K times the usual scatter; try 6",
      .more = "Each row waits for the 15 rows after it, near a spike for up to 44. --verbose and --report count spikes: see sprung help cuts" },
};
static const struct param zero_phase_rows[] = {
    { .name = "zero-phase", FLAG(job.filter.zero_phase), .common = true,
      .help = "no lag, for recorded data; live: add --lookahead 0.2",
      .more = "The gain is that of two passes, forward and backward. Live rows are written late: see sprung help live" },
    { .name = "lookahead", NUMBER(job.filter.lookahead, RANGE_NOT_NEGATIVE, "S"),
      .help = "with --zero-phase, live: write rows S seconds late" },
};
static const struct param filtering_rows[] = {
    { .name = "derivatives", .letter = 'd', COUNT(job.derivatives, 0, 2), .common = true,
      .help = "0 adds nothing, 1 velocity, 2 also acceleration; default 2, but 0 with -i or --output-dir",
      .more = "The columns are appended to the row. The default is also 0 if the header has several lines (--header 3,4), and "
              "if the output is audio, motion, c3d, npy, gltf, fbx or JSON arrays. Of rotations: angular velocity" },
    { .name = "resample", NUMBER(job.resample, RANGE_POSITIVE, "HZ"),
      .help = "print HZ evenly spaced rows per second",
      .more = "They begin at the time of the first row: see sprung help resampling" },
    { .name = "group-by", TEXT(job.columns.group, "COLUMN,..."),
      .help = "filter the rows of each text in COLUMN separately",
      .more = "Rows of different groups may be mixed in any order. With several columns, the texts must agree in each of "
              "them; 1 and 1.0 are different" },
    { .name = "bad-rows", CHOICE(job.input.bad_rows, bad_rows), .fallback = "stop",
      .help = "rows that cannot be used: stop, or skip and count them",
      .more = "In csv, tsv and jsonl: see sprung help live. --in-place needs a SUFFIX" },
    { .name = "start", PARSED(job.series.start, series_start_type, "first|zero|X"), .fallback = "first",
      .help = "initial position",
      .more = "The first value, 0 or X, also after each gap where filtering restarts; velocity and acceleration are 0" },
};
static const struct param rotations_rows[] = {
    { .name = "angles", TEXT(job.units.angles, "LIST"),
      .help = "columns of angles: 179 to -179 is a change of 2",
      .more = "A change of over half a period goes the shorter way. A result is printed in the turn nearest to the input" },
    { .name = "period", NUMBER(job.units.period, RANGE_POSITIVE, "P"),
      .help = "full turn (default 360; 2 pi where the file says so)" },
    { .name = "quaternions", TEXT(job.units.quaternions, "LIST|none"),
      .help = "4 columns: hip means hip_w, hip_x, hip_y, hip_z",
      .more = "hip* means all that match, and 3-6:xyzw positions and the order of the components; the parts of a name "
              "may be joined by _, a dot, or nothing. For damper, critical, spring, butterworth, second-order, tracking "
              "and inertialize. none: each column separately" },
    { .name = "rotations", TEXT(job.units.rotations, "LIST:ORDER|none"),
      .help = "Euler angles: hip:ZXY means hip_z, hip_x, hip_y",
      .more = "hip:ZXY is the product Rz Rx Ry. '*:ZXY' means all that match, 3-5:ZXY positions. For the filters of "
              "--quaternions. The printed angles are those nearest to the input. Default: the joints of bvh and fbx. "
              "none: each angle separately" },
    { .name = "vectors", TEXT(job.units.vectors, "LIST|none"),
      .help = "points: wrist means wrist_x, wrist_y, wrist_z",
      .more = "A point has 2 or 3 columns. wrist* means all that match, and 3-5 positions. Default: what the format says "
              "is a position. none: each column separately" },
};
static const struct param cuts_rows[] = {
    { .name = "cuts", NUMBERS(job.cuts.given, RANGE_ANY, "T,T,..."),
      .help = "times of cuts in seconds, such as 1.5,7",
      .more = "The first row at or after each time starts a new motion" },
    { .name = "cut-column", TEXT(job.columns.cut, "COLUMN"), .common = true,
      .help = "column that is nonzero in the first row after a cut",
      .more = "All channels are cut there, as in joined clips. The column is copied" },
    { .name = "detect-cuts", NUMBER(job.cuts.detect, RANGE_POSITIVE, "K"), .common = true,
      .help = "cut at jumps above K times the usual change; try 30",
      .more = "Only the channel that jumps is cut. A smaller K finds smaller jumps: see sprung help cuts. This delays a "
              "live stream by one row. --verbose prints what was found" },
};
static const struct param output_rows[] = {
    { .name = "output", .letter = 'o', TEXT(job.output.output, "FILE"), .common = true,
      .help = "write to FILE instead of standard output",
      .more = "The suffix of FILE decides the format unless --to is given; without a suffix, or with .txt or .dat, it is "
              "the input's. Most other suffixes of up to 7 letters that name no format are refused. - is standard output" },
    { .name = "output-dir", TEXT(job.output.output_dir, "DIR"), .common = true,
      .help = "write each input to DIR under its own name",
      .more = "DIR is made if it does not exist, and files in it are only replaced with --force" },
    { .name = "suffix", TEXT(job.output.suffix, "TEXT"),
      .help = "insert TEXT before the extension, such as _clean" },
    { .name = "in-place", .letter = 'i', .kind = PARAM_OPTIONAL_TEXT, .value = "SUFFIX",
      .offset = FIELD(job.output.in_place), .common = true,
      .help = "replace each file; -i=.orig backs it up as FILE.orig",
      .more = "A file is replaced completely or not at all, and keeps its mode and owner (see sprung help batch). The "
              "backup must not exist, unless --force is given" },
    { .name = "force", FLAG(job.output.force), .help = "replace existing and read-only files" },
    { .name = "to", TEXT(job.output.to, "FORMAT"),
      .help = "output format (default: by --output, else as input)" },
    { .name = "decimals", COUNT(job.decimals, 0, 17), .word = "input",
      .help = "print N decimals; --decimals input: as in the input",
      .more = "input: as many as the cell that is replaced, but at least 6. It is the default with --in-place, with "
              "--output-dir if the format stays, and for motion formats. Otherwise: the fewest digits that give the same "
              "number when read back" },
    { .name = "report", .kind = PARAM_OPTIONAL_TEXT, .choices = report_styles,
      .offset = FIELD(job.output.report), .common = true,
      .help = "print how much the filter changed each channel",
      .more = "For each channel: the largest change and its row, the RMS change, the peak velocity and acceleration, "
              "and how many values were missing, filled, cut and bridged. Text shows the 20 channels that change most (-v: "
              "all), JSON is a line per file. It goes to standard output, or to standard error if the series goes there; a "
              "reader that ends early, such as head, ends the batch. The three channels that changed most are named last" },
};
static const struct param batch_rows[] = {
    { .name = "recursive", FLAG(job.output.recursive),
      .help = "folders as inputs: files of known formats in them",
      .more = "Needs --in-place or --output-dir: see sprung help batch" },
    { .name = "include", .kind = PARAM_TEXTS, .value = "GLOB", .offset = FIELD(job.output.include),
      .help = "with --recursive: only such names; may be repeated: '*.txt'" },
    { .name = "update", FLAG(job.output.update),
      .help = "with --output-dir: skip inputs whose output is newer",
      .more = "Only the times of the files count, not changed options: --force filters all again" },
    { .name = "jobs", .letter = 'j', COUNT(job.output.jobs, 1, 256),
      .help = "filter N files in parallel, or one with N threads",
      .more = "Default: all processors. The output and the order of messages do not depend on N" },
    { .name = "dry-run", .letter = 'n', FLAG(job.output.dry_run),
      .help = "only check, and print where results would go" },
    { .name = "quiet", .letter = 'q', FLAG(job.output.quiet), .help = "print only errors" },
    { .name = "verbose", .letter = 'v', FLAG(job.output.verbose), .common = true,
      .help = "print what was found and done" },
};

static const struct param input_rows[] = {
    { .name = "from", TEXT(job.input.from, "FORMAT"),
      .help = "input format (default: by name, else first bytes)" },
    { .name = "delimiter", TEXT(job.input.delimiter, "C"),
      .help = "cell separator: a character, tab, or blanks",
      .more = "blanks, or a space: runs of spaces and tabs, where quotes have no meaning. Default: detected from the "
              "header and the first rows" },
    { .name = "no-header", FLAG(job.input.no_header),
      .help = "the first row is data; columns are 1, 2 and so on" },
    { .name = "header", TEXT(job.input.header, "LINES"),
      .help = "line of the names, such as 4, or lines, such as 3,4" },
    { .name = "decimal", TEXT(job.input.decimal, "C"),
      .help = "decimal separator: . or ,",
      .more = "Default: a dot. A comma (a note is printed) if cells are separated by ; or tabs, and numbers in the first "
              "lines have commas but no dots. Then --to csv separates cells by ;" },
    { .name = "missing", TEXT(job.input.missing, "LIST"),
      .help = "numbers in any format and texts that mean missing: 0,-999,none",
      .more = "A number, written with a point, means every spelling of it. Empty cells, nan, NA, null and others "
              "are always missing: see sprung help csv" },
    { .name = "records", TEXT(job.input.records, "POINTER"),
      .help = "the JSON records, where there are several arrays: /a/0/b",
      .more = "A JSON Pointer, or / for the document. Its one array of records is found without it" },
    { .name = "analog", FLAG(job.input.analog), .help = "the analog channels of c3d, instead of its points" },
};

static const struct param general_rows[] = {
    { .name = "help", .letter = 'h', FLAG(help), .ends = true, .help = "-h: the most used options; --help: all" },
    { .name = "version", .letter = 'V', FLAG(version), .ends = true, .help = "print the version" },
    { .name = "options", TEXT(options, "FILE"), .help = "read options from FILE; the command line wins" },
};

static const struct param diff_rows[] = {
    { .name = "abs", PARSED(diff.abs, tolerance_type, "A|LIST:A"),
      .help = "absolute tolerance (default 0), such as 0.001 or '*_acc:5'",
      .more = "Two numbers a and b agree if |a-b| <= A + R*max(|a|,|b|). LIST:A applies to the columns in LIST. The "
              "option may be repeated: LIST:A wins over A, and a later one over an earlier one. Times and keys agree "
              "within half a unit of their last printed decimal, unless LIST names them: time:0.001" },
    { .name = "rel", PARSED(diff.rel, tolerance_type, "R|LIST:R"),
      .help = "relative tolerance: 0.005 is 0.5 % of the larger number (default 1e-9)",
      .more = "It is R in the formula of --abs; LIST:R works, too. With 0, numbers must be equal as doubles" },
    { .name = "columns", .letter = 'c', TEXT(diff.columns, "LIST"),
      .help = "compare only these columns of EXPECTED: names, globs, positions" },
    { .name = "exclude", .letter = 'x', TEXT(diff.exclude, "LIST"),
      .help = "columns to skip: names, globs, positions" },
    { .name = "key", TEXT(diff.key, "COLUMN"),
      .help = "pair rows by the ascending numbers in COLUMN, such as time (default: in order)" },
    { .name = "angles", TEXT(diff.angles, "LIST"),
      .help = "columns of angles in degrees: 359.9 and -0.1 differ by 0" },
    { .name = "quaternions", TEXT(diff.quaternions, "LIST"),
      .help = "rotations of 4 columns, where q equals -q: hip means hip_w ... hip_z",
      .more = "hip* means all that match, and 3-6 positions; the parts of a name may be joined by _, a dot, or nothing" },
    { .name = "report", CHOICE(diff.report, diff_styles), .fallback = "text",
      .help = "form of the report; junit is XML for CI services, with a test case for each file" },
    { .name = "verbose", .letter = 'v', FLAG(diff.verbose),
      .help = "list all columns that differ; of two folders also the files that agree" },
    { .name = "quiet", .letter = 'q', FLAG(diff.quiet), .help = "no report: only the exit status" },
};

static const struct param response_rows[] = {
    { .name = "step", FLAG(response.step),
      .help = "the input steps from 0 to 1 after the first row (default)" },
    { .name = "bode", FLAG(response.bode),
      .help = "gain in decibels and phase in degrees over frequency in hertz",
      .more = "Computed for sine waves sampled at --rate" },
    { .name = "summary", FLAG(response.summary),
      .help = "print lag, rise time, overshoot, settling time, cutoff",
      .more = "Lag: after constant-velocity motion. With --rate it is half a row shorter than --lag: see sprung help "
              "rates. Rise time: 10 to 90 percent. Settling time: to within 2 percent. Cutoff: the frequency where the "
              "gain is -3 dB" },
    { .name = "zero-phase", FLAG(response.zero_phase),
      .help = "response of the zero-phase filter (both passes)" },
    { .name = "duration", NUMBER(response.duration, RANGE_POSITIVE, "S"),
      .help = "length in seconds; with --bode the lowest frequency is 1/S" },
    { .name = "rate", NUMBER(response.rate, RANGE_POSITIVE, "HZ"),
      .help = "rows per second; with --bode the highest frequency is HZ/2",
      .more = "For --summary and --bode, the default is high enough that the time step no longer matters" },
    { .name = "to", CHOICE(response.to, response_forms), .fallback = "text",
      .help = "form of the summary",
      .more = "text: a line for each quantity. A curve is always csv" },
    { .name = "output", .letter = 'o', TEXT(response.output, "FILE"),
      .help = "write to FILE (sprung plot FILE draws it)" },
};

static const struct param plot_rows[] = {
    { .name = "output", .letter = 'o', TEXT(picture, "FILE"), .fallback = "-",
      .help = "draw into FILE (.svg or .png); - is the terminal" },
};

static const char *const inspect_reports[] = { "text", "json", "columns", NULL };

static const struct param inspect_rows[] = {
    { .name = "group-by", TEXT(job.columns.group, "COLUMN,..."),
      .help = "take the rows of each text in COLUMN as a series" },
    { .name = "bad-rows", CHOICE(job.input.bad_rows, bad_rows), .fallback = "stop",
      .help = "rows that cannot be used: stop, or skip them" },
    { .name = "report", CHOICE(inspect.report, inspect_reports), .fallback = "text",
      .help = "text, a line of JSON per file, or the file's column names" },
    { .name = "verbose", .letter = 'v', FLAG(job.output.verbose), .help = "list every channel" },
};

#define TABLE(title, rows) { title, rows, sizeof rows / sizeof *rows }
const struct option_table options_columns = TABLE("Columns and time", columns_rows);
const struct option_table options_gaps = TABLE("Gaps and spikes", gaps_rows);
const struct option_table options_zero_phase = TABLE("Without lag (butterworth)", zero_phase_rows);
const struct option_table options_filtering = TABLE("Filtering", filtering_rows);
const struct option_table options_rotations = TABLE("Angles, rotations and vectors", rotations_rows);
const struct option_table options_cuts = TABLE("Cuts (tracking, inertialize)", cuts_rows);
const struct option_table options_input = TABLE("Reading", input_rows);
const struct option_table options_output = TABLE("Output", output_rows);
const struct option_table options_batch = TABLE("Batches and messages", batch_rows);
const struct option_table options_general = TABLE("Other", general_rows);
const struct option_table options_diff = TABLE("Comparing", diff_rows);
const struct option_table options_response = TABLE("Response", response_rows);
const struct option_table options_plot = TABLE("Picture", plot_rows);
const struct option_table options_inspect = TABLE("Inspecting", inspect_rows);

const struct option_table *const options_some[] = { &options_cuts, &options_zero_phase, NULL };
const struct option_table *const options_shared[] = {
    &options_columns, &options_gaps,  &options_zero_phase, &options_filtering, &options_rotations, &options_cuts,
    &options_input,   &options_output, &options_batch,     &options_general,   NULL,
};
