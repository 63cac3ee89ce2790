/* The options that do not belong to a single filter, as tables of rows: how a series is read, how numbers are
 * printed, where output goes, and the options of the commands. A new option is a new row here; an option of
 * one filter is a row in the file of the filter. */
#include "cli/options.h"

#undef FIELD
#define FIELD(field) offsetof(struct command_line, field)
/* clang-format off */
static const char *const time_units[] = { "s", "ms", "us", "ns", "min", "h", "frames", NULL };
static const char *const unfilterable_ways[] = { "error", "copy", NULL };
static const char *const progress_ways[] = { "auto", "always", "never", NULL };
static const char *const report_styles[] = { "text", "json", NULL };
static const char *const diff_styles[] = { "text", "json", "junit", NULL };
static const char *const subtypes[] = { "pcm16", "pcm24", "pcm32", "float", "double", NULL };
static const char *const help_formats[] = { "text", "table", NULL };
static const char *const response_forms[] = { "text", "csv", "json", NULL };
/* in the order of enum gaps (series/series.h) */
static const char *const gap_ways[] = { "keep", "fill", "linear", "cubic", "restart", "error", NULL };

/* The options that choose the time column and the channels. */
#define CHANNEL_OPTIONS \
    { .name = "time", .letter = 't', TEXT(job.columns.time, "COLUMN"),                                       \
      .help = "the time column, by name or position; without it the first that is named time, t, "           \
              "timestamp, seconds, elapsed time or time seconds, in any letter case, # or _ before it and "  \
              "a unit after it allowed, as in #timestamp [ns]. It holds numbers, ISO 8601 dates or times "   \
              "of day (H:MM:SS.fff)" },                                                                      \
    { .name = "time-unit", CHOICE(job.columns.time_unit, time_units),                                        \
      .help = "unit of the time column; without it the unit at the end of its name, such as (ms), [h], _us " \
              "or the Ms of timeMs; else ms, us or ns, where the first time lies between the years 2000 "    \
              "and 2100 in that unit, which a note says; else s; frames: the column, or one that is named "  \
              "frame, holds frame numbers, so that with --rate HZ a row has the time frame/HZ seconds and "  \
              "missing frames are longer steps" },                                                           \
    { .name = "rate", NUMBER(job.columns.rate, RANGE_POSITIVE, "HZ"),                                        \
      .help = "row n, counted from 0, has the time n/HZ seconds; a time column is copied, unless "           \
              "--time-unit frames is given" },                                                               \
    { .name = "columns", .letter = 'c', TEXT(job.columns.columns, "LIST"), .each_filter = true,              \
      .help = "the channels to filter, separated by commas: names, globs such as hip*, positions from 1 "    \
              "and ranges of them (3, 3-12, 7-); =3 is a column named 3, and a name with a comma is given "  \
              "in double quotes; without it every column, except the time, group and cut columns, that has " \
              "a number in the first data row, or a missing value under a name. Counts of rows, marks, "     \
              "ids, qualities of markers and other clocks, by their names, are channels only if their name " \
              "or position is given here" },                                                                 \
    { .name = "exclude", .letter = 'x', TEXT(job.columns.exclude, "LIST"),                                   \
      .help = "columns to leave unfiltered, given in the same way; they are copied" }
static const struct param channels_rows[] = { CHANNEL_OPTIONS };
static const struct param series_rows[] = {
    CHANNEL_OPTIONS,
    { .name = "derivatives", .letter = 'd', COUNT(job.derivatives, 0, 2),
      .help = "columns added at the end of the row: none (0), velocity (1), or velocity and acceleration "
              "(2); without it 2, but 0 under a header of several lines, with --in-place and --output-dir, "
              "and for audio, motion, c3d and npy files" },
    { .name = "gaps", CHOICE(job.series.gaps, gap_ways), .fallback = "keep",
      .help = "what is done at a missing value; keep: it stays missing, and the spring moves on toward the "
              "last goal; fill: the output of the spring is printed; linear, cubic: a straight line or a "
              "cubic curve between the values on both sides fills it before filtering, unless it is longer "
              "than --max-gap; restart: filtering restarts at the next value; error: it is an error" },
    { .name = "max-gap", PARSED(job.series.max_gap, gap_limit_type, "S|Nrows"),
      .help = "after a gap of more than S seconds from value to value, or of more than N rows, filtering "
              "restarts at the next value; linear and cubic leave such a gap whole" },
    { .name = "mask", .kind = PARAM_TEXTS, .value = "LIST:COLUMN<X", .offset = FIELD(job.columns.masks),
      .help = "the channels in LIST are missing in rows where the number in COLUMN is below X, or missing; "
              "also >, <= and >=; a * in both stands for the same text, as in '*_x,*_y:*_likelihood<0.6'; "
              "COLUMN is copied unless --columns or LIST names it; it may be repeated" },
    { .name = "despike", NUMBER(job.despike.factor, RANGE_POSITIVE, "K"),
      .help = "a value, or up to three, whose distance from the curve through the values around is more than "
              "K times what such distances usually are (of a number 1.4826 times their median), and after "
              "which the curve goes on, is a spike: it is replaced like a gap with --gaps cubic, or linear "
              "if that is given; --verbose and --report count spikes" },
    { .name = "despike-window", ROWS(job.despike.window, 1, 500),
      .help = "rows after a row by which --despike judges the row, and for which the row waits, without it "
              "15; it judges by as many rows before, at least 30" },
    { .name = "group-by", TEXT(job.columns.group, "COLUMN,..."),
      .help = "rows with the same text in that column, or the same texts in all of the columns, are a series "
              "of their own, with its own springs; rows of several series may be mixed in any order. Columns "
              "are given by names or positions; =3 is a column named 3, and a name with a comma goes in "
              "quotes. Quotes and escapes do not belong to the text; 1 and 1.0 are different" },
    { .name = "forget", NUMBER(job.series.forget, RANGE_POSITIVE, "S"),
      .help = "with --group-by: a series without rows for more than S seconds is dropped, and begins anew "
              "with its next row, so that the memory for a live stream whose series come and go is bounded. "
              "Seconds are counted by the times of the rows; not with --rate, --resample and --zero-phase" },
    { .name = "start", PARSED(job.series.start, series_start_type, "first|zero|X"), .fallback = "first",
      .help = "where the spring is at rest before the first row: at the first value, at 0, or at X" },
    { .name = "start-velocity", PARSED(job.series.start_velocity, series_start_velocity_type, "V|first"),
      .help = "initial velocity, wherever --start gives the initial position: V, in units of the channel per "
              "second (of a quaternion each component of the angular velocity, in rad/s), or that of the "
              "input from the first value to the next row, for which each row waits for the next one; "
              "without it 0, and tracking takes over the velocity of the input. Not for damper, one-euro and "
              "resonance" },
    { .name = "goal-velocity-from", .kind = PARAM_TEXTS, .value = "LIST:COLUMN",
      .offset = FIELD(job.columns.velocities),
      .help = "for critical, spring and second-order: the velocity of the goal, relative to which the "
              "damping acts, is measured, in units per second; COLUMN holds it for the channels in LIST; a * "
              "in both stands for the same text, as in '*_pos:*_vel'; where it is missing the difference "
              "since the last value counts; COLUMN is copied unless --columns names it; it may be repeated" },
    { .name = "angles", TEXT(job.angles.list, "LIST"),
      .help = "columns of angles, given as for --columns: a change of more than half a period, such as from "
              "179 to -179, is taken the shorter way, across gaps too, and the output is continuous" },
    { .name = "period", NUMBER(job.angles.period, RANGE_POSITIVE, "P"),
      .help = "the full turn for --angles and --rotations; without it 360" },
    { .name = "wrap", FLAG(job.angles.wrap),
      .help = "print angles within the turn of the input: whole periods are subtracted again" },
    { .name = "quaternions", TEXT(job.rotations.quaternions, "LIST|none"),
      .help = "quaternions of four columns each, for damper, critical, spring, second-order, tracking and "
              "inertialize, separated by commas: hip stands for hip_w, hip_x, hip_y and hip_z (or with a "
              "dot, or without a separator), hip* for all that match, and 3-6:xyzw for positions and the "
              "order of the components; derivatives are the angular velocity and acceleration in the world "
              "frame, in radians. Without it the columns X, Y, Z and W of Rotation in a take of Motive are "
              "quaternions; none: each column is filtered by itself" },
    { .name = "rotations", TEXT(job.rotations.angles, "LIST:ORDER|none"),
      .help = "rotations of three Euler angles each, for the same filters: hip:ZXY stands for hip_z, hip_x "
              "and hip_y (or with a dot, or without a separator) and the product Rz Rx Ry, '*:ZXY' for all "
              "that match, and 3-5:ZXY for positions; orders such as ZXZ stand for hip_z, hip_x and hip_z2; "
              "printed are the angles nearest to the input's. Without it the joints of a bvh file; none: "
              "each angle is filtered by itself" },
    { .name = "vectors", TEXT(job.vectors, "LIST|none"),
      .help = "vectors of two or three columns each, separated by commas: wrist stands for wrist_x, wrist_y "
              "and, if it is there, wrist_z (or with a dot, or without a separator), wrist* for all that "
              "match, and 3-5 for positions. Speeds, limits, cuts and reports take their lengths, and a "
              "vector with a missing component is missing. Without it the positions of C3D, TRC, Vicon, "
              "Motive, Qualisys, BVH, glTF and FBX, and the vectors in cells of STO; none: each column by "
              "itself" },
    { .name = "zero-phase", FLAG(job.filters.at[0].zero_phase), .each_filter = true,
      .help = "smooth without lag, with the gain of the filter forward and then backward; for linear filters. "
              "A row is written when the 10 to 30 periods of the cutoff behind it have come. With --cutoff "
              "auto or --halflife auto the cutoff of each channel is chosen by its noise, and printed with "
              "--verbose and in the report; then, and with rotations, rows are written when the input ends" },
    { .name = "lookahead", NUMBER(job.filters.at[0].lookahead, RANGE_NOT_NEGATIVE, "S"), .each_filter = true,
      .help = "with --zero-phase, for live input: a row is written S seconds after it came, as if the series "
              "ended there" },
    { .name = "set", .kind = PARAM_TEXTS, .value = "LIST:OPTION=X", .offset = FIELD(job.filters.at[0].sets),
      .each_filter = true,
      .help = "another value of one of the filter's own options for some channels, given as for --columns, "
              "as in 'Hips*:halflife=0.3'; X may be @COLUMN; it may be repeated, and where two match a "
              "channel the later one counts" },
    { .name = "then", PARSED(job.filters, then_type, "'FILTER OPTIONS'"),
      .help = "filter the result again, as by a second sprung behind this one, but in full precision and "
              "without text in between; the filter's own options, --columns, which chooses among the "
              "channels, --set and --zero-phase are given inside the quotes, and hold for this filter; all "
              "others hold for the whole command. The derivatives are those of the last filter; it may be "
              "repeated" },
    { .name = "resample", NUMBER(job.resample, RANGE_POSITIVE, "HZ"),
      .help = "print HZ rows per second from the time of the first row on; the filter steps over these and "
              "over all rows of the input, tracking and inertialize over the rows alone; goals are "
              "interpolated linearly between rows, other cells are copied from the row before" },
};
static const struct param cuts_rows[] = {
    { .name = "cuts", PARSED(job.cuts.given, cut_times_type, "T,T,...|cue"),
      .help = "times in seconds at which the goal jumps: the first row at or after each does not continue "
              "the motion before it; cue means the cue points of a recording" },
    { .name = "cut-column", TEXT(job.columns.cut, "COLUMN"),
      .help = "a number other than 0 in that column marks the first row after a jump; the column is copied" },
    { .name = "cuts-from", TEXT(job.cuts.from, "FILE"),
      .help = "take the times from a file: a table with a column time, a json list, or the cue points of a "
              "recording" },
    { .name = "detect-cuts", NUMBER(job.cuts.detect, RANGE_POSITIVE, "K"),
      .help = "detect jumps in each channel: steps at both ends of which the slope changes by more than K "
              "times the median of the last 63 rows; a spike of one row is bridged; each row waits for the "
              "next one; --verbose prints what was found" },
};
static const struct param numbers_rows[] = {
    { .name = "precision", COUNT(job.precision, 1, 17), .exclusive_group = 1,
      .help = "print N significant digits; without it as few as read back to the same number; values that do "
              "not change keep their spelling" },
    { .name = "decimals", COUNT(job.decimals, 0, 17), .word = "input", .exclusive_group = 1,
      .help = "print N digits after the decimal sign; input: as many as the column has in the first data "
              "row, or as many significant digits where numbers are spelled as by %g, at least 6; the "
              "default with --in-place and --output-dir, and for motion files" },
};
static const struct param output_rows[] = {
    { .name = "to", TEXT(job.output.to, "FORMAT"),
      .help = "format of the output; without it that of the input" },
    { .name = "subtype", CHOICE(job.output.subtype, subtypes),
      .help = "how samples of audio output, or the numbers of npy (float, double), are stored; without it as in "
              "the input if the output format can store them so, else as float, in npy as double" },
    { .name = "output", .letter = 'o', TEXT(job.output.output, "FILE"), .exclusive_group = 2,
      .help = "write to FILE, which appears complete or not at all; its name decides the format unless --to "
              "is given; without a suffix, or with .txt, .dat, .out, .log, .tmp, .asc or that of the input, "
              "it is the input's, and other short suffixes are refused; - is standard output" },
    { .name = "output-dir", TEXT(job.output.output_dir, "DIR"), .exclusive_group = 2,
      .help = "write each input to DIR under its own name; DIR is made if it does not exist, and files in it "
              "are only replaced with --force" },
    { .name = "suffix", TEXT(job.output.suffix, "TEXT"),
      .help = "with --output-dir: insert TEXT between each name and its extension, as in _clean" },
    { .name = "parents", FLAG(job.output.parents),
      .help = "with --output-dir: keep the path of each operand, so that a/x.csv and b/x.csv become "
              "DIR/a/x.csv and DIR/b/x.csv" },
    { .name = "join", FLAG(job.output.join),
      .help = "the inputs, which have the same columns, are one series, one after the other, with a cut "
              "before the first row of each but the first; there is one output, under the head of the first. "
              "Where an input begins at or before the last time of the former, its times move to go on one "
              "step after it. For csv, tsv, jsonl, bvh, trc, sto, mot and qualisys" },
    { .name = "recursive", FLAG(job.output.recursive),
      .help = "filter the files below the folders on the command line, too, those with the suffix of a known "
              "format; with --in-place, or with --output-dir, where each keeps its path below the folder. "
              "Names that begin with a dot are left out, and links to folders are not followed" },
    { .name = "include", .kind = PARAM_TEXTS, .value = "GLOB", .offset = FIELD(job.output.include),
      .help = "with --recursive: take the files whose names match GLOB, as in '*.txt', and no others; it may "
              "be repeated" },
    { .name = "files-from", TEXT(job.output.files_from, "FILE"),
      .help = "filter the files that FILE names, too, one in each line, after those on the command line; - "
              "is standard input; with --output-dir or --in-place" },
    { .name = "null", .letter = '0', FLAG(job.output.null),
      .help = "names in the FILE of --files-from end with a NUL byte, as find -print0 writes them" },
    { .name = "update", FLAG(job.output.update),
      .help = "with --output-dir: skip an input whose output exists and is not older than it, and replace "
              "older ones; an interrupted run goes on where it stopped" },
    { .name = "unfilterable", CHOICE(job.output.unfilterable, unfilterable_ways), .fallback = "error",
      .help = "what becomes of an input in which there is nothing to filter, neither animation nor numbers: "
              "an error, or with --output-dir a copy, so that the folder is complete" },
    { .name = "in-place", .letter = 'i', .kind = PARAM_OPTIONAL_TEXT, .value = "SUFFIX",
      .offset = FIELD(job.output.in_place),
      .exclusive_group = 2,
      .help = "replace each file by its filtered version, completely or not at all; mode, owner and extended "
              "attributes are kept, a symbolic link remains one, a file with several hard links is refused; "
              "with SUFFIX the old file is kept under its name with SUFFIX appended, which must not exist, "
              "unless --force is given" },
    { .name = "plot", TEXT(job.output.plot, "FILE"),
      .help = "draw input and output, too, into FILE.svg, .png or .pdf, or in the terminal (-), with "
              "gnuplot" },
    { .name = "report", .kind = PARAM_OPTIONAL_TEXT, .choices = report_styles,
      .offset = FIELD(job.output.report),
      .help = "print for each channel how far the filter changed it, at most and on average (RMS), and "
              "where, its highest velocity and acceleration, missing values, and cuts; as text, for the 20 "
              "channels that change most, with --verbose for all, or as one line of JSON per file; on "
              "standard output, or on standard error if the series goes to standard output" },
    { .name = "max-change", NUMBER(job.output.max_change, RANGE_NOT_NEGATIVE, "V"),
      .help = "a file in which any value changes by more than V fails, and nothing of it is written; "
              "standard output waits until all input is read" },
    { .name = "force", FLAG(job.output.force),
      .help = "replace files that exist in --output-dir, old files kept by --in-place=SUFFIX, and files that "
              "are read-only" },
    { .name = "jobs", .letter = 'j', COUNT(job.output.jobs, 1, 256),
      .help = "filter N files at once, or one with N threads; without it as many as there are processors; "
              "the output does not depend on it" },
    { .name = "dry-run", .letter = 'n', FLAG(job.output.dry_run),
      .help = "only check each file, and print where its result would go" },
    { .name = "progress", CHOICE(job.output.progress, progress_ways), .fallback = "auto",
      .help = "show on standard error how much is done, how fast, and the time left: always, never, or on a "
              "terminal when it takes more than a second (auto)" },
    { .name = "quiet", .letter = 'q', FLAG(job.output.quiet), .help = "print no messages but errors" },
    { .name = "verbose", .letter = 'v', FLAG(job.output.verbose),
      .help = "print on standard error what was found and done: rate, channels, parameters, missing values" },
};

static const struct param input_rows[] = {
    { .name = "from", TEXT(job.input.from, "FORMAT"),
      .help = "format of the input; without it the name of each file decides, else its first bytes" },
    { .name = "delimiter", TEXT(job.input.delimiter, "C"), 
      .help = "the character between cells, or the word tab; blanks: any number of blanks and tabs, "
              "without quotes; a cell keeps its width where the number fits; without it the head and the "
              "first row decide" },
    { .name = "no-header", FLAG(job.input.no_header),
      .help = "the first row is data; columns are named 1, 2 and so on" },
    { .name = "header", TEXT(job.input.header, "LINES"),
      .help = "the line or lines that hold the names, such as 4, 3,4 or 3-5; the names of several lines are "
              "joined, as in Hip.X; without it the last row without numbers before the data" },
    { .name = "comment", TEXT(job.input.comment, "C"), .help = "lines that begin with C are copied" },
    { .name = "decimal", TEXT(job.input.decimal, "C"),
      .help = "the decimal sign, a dot or a comma; without it a comma, where cells stand between ; or tabs "
              "and the first lines have numbers with commas and none with a dot, which a note says, else a "
              "dot" },
    { .name = "records", TEXT(job.input.records, "POINTER"),
      .help = "the array of records inside a JSON document, as a JSON Pointer such as /tracks/0/samples; a * "
              "stands for each element or member, as in /tracks/*, and each array or object of columns there "
              "is a table of its own" },
    { .name = "missing", TEXT(job.input.missing, "LIST"),
      .help = "more cell texts that mean a missing value, separated by commas, such as 0,-999, besides the "
              "empty cell, nan, NA and null" },
    { .name = "allow-truncated", FLAG(job.input.allow_truncated),
      .help = "read audio, c3d or npy that is shorter than its header says, up to its end" },
    { .name = "length-unit", CHOICE(job.input.length_unit, length_units),
      .help = "unit of the positions, for outputs that name one, where the input does not say it" },
    { .name = "analog", FLAG(job.input.analog),
      .help = "filter the analog channels of a c3d file, at their own rate, instead of its points" },
};

static const struct param general_rows[] = {
    { .name = "help", .letter = 'h', FLAG(help), .ends = true, .help = "print this help; -h is short" },
    { .name = "version", .letter = 'V', FLAG(version), .ends = true, .help = "print the version, and with --verbose the libraries" },
    { .name = "options", PARSED(files, option_files_type, "FILE"),
      .help = "read options from FILE, too: words as in a shell line, comments from # on; the command line "
              "wins over FILE, and of several files the later one" },
};

static const struct param help_rows[] = {
    { .name = "format", CHOICE(help_format, help_formats), .fallback = "text",
      .help = "help text, or a table of all filters, commands, formats and options, for programs" },
};

static const struct param diff_rows[] = {
    { .name = "abs", PARSED(diff.abs, tolerance_type, "A|LIST:A"),
      .help = "two numbers a and b agree if |a-b| <= A + R*max(|a|,|b|); without it A is 0. LIST:A holds for "
              "the columns in LIST, as in '*_acc:5'. It may be repeated: LIST:A wins over A, and a later one "
              "over an earlier one. Times and keys have --time-tolerance" },
    { .name = "rel", PARSED(diff.rel, tolerance_type, "R|LIST:R"),
      .help = "the R of --abs, given in the same ways; without it 1e-9" },
    { .name = "time-tolerance", NUMBER(diff.time_tolerance, RANGE_NOT_NEGATIVE, "S"),
      .help = "times and keys agree if they differ by at most S, in the unit of their column; without it "
              "half a unit of the last digit after the decimal sign of the cell that has fewer digits" },
    { .name = "exact", FLAG(diff.exact),
      .help = "no tolerance: two numbers agree if they are equal to the last bit; 0 and -0 are equal" },
    { .name = "columns", .letter = 'c', TEXT(diff.columns, "LIST"),
      .help = "compare these columns only: names, globs, positions and ranges of them in EXPECTED, separated "
              "by commas" },
    { .name = "exclude", .letter = 'x', TEXT(diff.exclude, "LIST"),
      .help = "leave out these columns, given in the same way" },
    { .name = "key", TEXT(diff.key, "COLUMN"),
      .help = "pair the rows by the numbers in that column, such as the time, which must ascend on both "
              "sides, within --time-tolerance; without it rows are paired in order" },
    { .name = "angles", TEXT(diff.angles, "LIST"),
      .help = "columns of angles: 359.9 and -0.1 are compared as neighbours" },
    { .name = "period", NUMBER(diff.period, RANGE_POSITIVE, "P"), .fallback = "360",
      .help = "the full turn for --angles" },
    { .name = "quaternions", TEXT(diff.quaternions, "LIST"),
      .help = "quaternions of four columns each, where q and -q are equal: hip stands for hip_w, hip_x, "
              "hip_y and hip_z (or with a dot, or without a separator), hip* for all that match, 3-6 for "
              "positions" },
    { .name = "report", CHOICE(diff.report, diff_styles), .fallback = "text",
      .help = "the differences, as text, as JSON, or in the XML format of JUnit, in which each file is a "
              "test case" },
    { .name = "include", .kind = PARAM_TEXTS, .value = "GLOB", .offset = FIELD(diff.include),
      .help = "of two folders: compare the files whose names match GLOB, as in '*.txt', and no others; "
              "without it files with the suffix of a known format; it may be repeated" },
    { .name = "jobs", .letter = 'j', COUNT(diff.jobs, 1, 256),
      .help = "of two folders: compare N files at once; without it as many as there are processors" },
    { .name = "quiet", .letter = 'q', FLAG(diff.quiet), .help = "no report: only the exit status" },
};

static const struct param response_rows[] = {
    { .name = "step", FLAG(response.step),
      .help = "the input steps from 0 to 1 after the first row (default)" },
    { .name = "impulse", FLAG(response.impulse),
      .help = "the input is an impulse of area 1: one row with the value of the rate" },
    { .name = "ramp", FLAG(response.ramp), .help = "the input moves at 1 unit per second" },
    { .name = "size", NUMBER(response.size, RANGE_POSITIVE, "U"), .fallback = "1",
      .help = "the step goes to U, the impulse has the area U, the ramp moves at U units per second: of a "
              "filter that is not linear, steps of different sizes have different shapes" },
    { .name = "bode", FLAG(response.bode),
      .help = "gain in decibels and phase in degrees over frequency in hertz, for sines sampled at the "
              "rate" },
    { .name = "summary", FLAG(response.summary),
      .help = "print a few numbers instead: lag behind constant-velocity motion, rise time from 10 to 90 "
              "percent, overshoot, settling time to within 2 percent, and the frequency where the gain is -3 "
              "dB" },
    { .name = "zero-phase", FLAG(response.zero_phase),
      .help = "the response of a pass forward and one backward; the rows of a curve begin before the input "
              "does" },
    { .name = "duration", NUMBER(response.duration, RANGE_POSITIVE, "S"),
      .help = "length in seconds; with --bode the lowest frequency is 1/S; without it somewhat longer than "
              "the settling time" },
    { .name = "rate", NUMBER(response.rate, RANGE_POSITIVE, "HZ"),
      .help = "rows per second; with --bode the highest frequency is HZ/2; without it some hundred rows in "
              "the duration, and for --summary and --bode enough that the time step no longer matters" },
    { .name = "to", CHOICE(response.to, response_forms), .fallback = "text",
      .help = "csv, JSON, or text: for curves text is csv, for --summary one line per number" },
    { .name = "plot", TEXT(response.plot, "FILE"),
      .help = "draw the curve instead of printing it, into FILE.svg, .png or .pdf, or in the terminal (-)" },
};

static const struct param plot_rows[] = {
    { .name = "output", .letter = 'o', TEXT(plot.output, "FILE"),
      .help = "file of the picture, whose name ends in .svg, .png or .pdf; without it, or with -, it is "
              "drawn in the terminal" },
    { .name = "plot", TEXT(plot.output, "FILE"), .help = "the same as --output" },
    { .name = "unit", TEXT(plot.unit, "TEXT"),
      .help = "unit of the channels, such as mm, for the labels of the axes, those of derivatives too" },
    { .name = "across", COUNT(plot.across, 1, 3), .fallback = "1",
      .help = "panels side by side; there are up to 6 in a column" },
    { .name = "title", TEXT(plot.title, "TEXT"), .help = "a line above the picture" },
    { .name = "cut-column", TEXT(plot.cut_column, "COLUMN"),
      .help = "mark the rows of the first file that have a number other than 0 in that column" },
};

static const struct param inspect_rows[] = {
    { .name = "report", CHOICE(inspect.report, report_styles), .fallback = "text",
      .help = "what was found, as text or, for programs, as one line of JSON for each file" },
    { .name = "recursive", FLAG(job.output.recursive),
      .help = "inspect the files below the folders on the command line, too, those with the suffix of a "
              "known format" },
    { .name = "include", .kind = PARAM_TEXTS, .value = "GLOB", .offset = FIELD(job.output.include),
      .help = "with --recursive: take the files whose names match GLOB, as in '*.txt', and no others; it may "
              "be repeated" },
};

#define TABLE(title, rows) { title, rows, sizeof rows / sizeof *rows }
const struct option_table options_series = TABLE("Series", series_rows);
const struct option_table options_cuts = TABLE("Cuts", cuts_rows);
const struct option_table options_input = TABLE("Reading", input_rows);
const struct option_table options_numbers = TABLE("Numbers", numbers_rows);
const struct option_table options_output = TABLE("Output", output_rows);
const struct option_table options_general = TABLE("Other", general_rows);
const struct option_table options_help = TABLE("Help", help_rows);
const struct option_table options_diff = TABLE("Comparing", diff_rows);
const struct option_table options_response = TABLE("Response", response_rows);
const struct option_table options_plot = TABLE("Picture", plot_rows);
const struct option_table options_inspect = TABLE("Inspecting", inspect_rows);

const struct option_table options_channels = TABLE("Series", channels_rows);

const struct option_table *const options_shared[] = {
    &options_series, &options_cuts, &options_input, &options_numbers, &options_output, &options_general, NULL,
};
