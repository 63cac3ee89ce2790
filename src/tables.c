/* The options that no single filter owns, as tables of rows: how a series is read, how numbers are printed, where
 * output goes; and what commands take that are no filters. A new option is a new row here (or in its filter's file) and
 * nowhere else. */
#include "options.h"

/* clang-format off */
static const char *const time_units[] = { "s", "ms", "us", "ns", NULL };
static const char *const progress_ways[] = { "auto", "always", "never", NULL };
static const char *const gap_ways[] = { "keep", "fill", "restart", "error", NULL };

#define AT(field) offsetof(struct series_options, field)
static const struct param series[] = {
    { .name = "time", .letter = 't', .kind = PARAM_TEXT, .value = "COLUMN", .offset = AT(time),
      .help = "the time column, by name or position; without it the first of time, t, timestamp, seconds and "
              "Time (Seconds) that there is, in any letter case" },
    { .name = "time-unit", .kind = PARAM_CHOICE, .choices = time_units, .fallback = "s", .offset = AT(time_unit),
      .help = "unit of the time column" },
    { .name = "rate", .kind = PARAM_NUMBER, .range = RANGE_POSITIVE, .value = "HZ", .offset = AT(rate),
      .help = "row n, counted from 0, is at n/HZ seconds; a time column is only passed through" },
    { .name = "columns", .letter = 'c', .kind = PARAM_TEXT, .value = "LIST", .offset = AT(columns),
      .help = "the channels, with commas between: names, globs such as hip*, positions from 1 and ranges of them (3, "
              "3-12, 7-); =3 is a column named 3, and a name with a comma goes in double quotes; without it every "
              "column but time and group that has a number in the first data row, or a gap under a name" },
    { .name = "exclude", .letter = 'x', .kind = PARAM_TEXT, .value = "LIST", .offset = AT(exclude),
      .help = "columns that are no channels, listed in the same way; they pass through" },
    { .name = "derivatives", .letter = 'd', .kind = PARAM_COUNT, .range = RANGE_LIMITS, .min = 0, .max = 2,
      .value = "N", .offset = AT(derivatives),
      .help = "columns added at the end of the row: none (0), velocity (1), or velocity and acceleration (2); without "
              "it 2, but 0 under a header of several lines" },
    { .name = "gaps", .kind = PARAM_CHOICE, .choices = gap_ways, .fallback = "keep", .offset = AT(gaps),
      .help = "what happens at a missing value; keep: it stays missing, and the spring coasts on toward the last goal; "
              "fill: the spring's own value is printed; restart: the next value starts anew; error: that is an error" },
    { .name = "max-gap", .kind = PARAM_NUMBER, .range = RANGE_NOT_NEGATIVE, .value = "S", .offset = AT(max_gap),
      .help = "after a gap longer than S seconds the next value always starts anew" },
    { .name = "group-by", .kind = PARAM_TEXT, .value = "COLUMN", .offset = AT(group_by),
      .help = "rows with the same text in that column are a series of their own, with its own springs; the rows of "
              "several series may alternate as they like" },
    { .name = "start", .kind = PARAM_TEXT, .value = "first|zero|X", .fallback = "first", .offset = AT(start),
      .help = "where the spring rests before the first row: on the first value, on 0, or on X" },
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
    { .name = "missing", .kind = PARAM_TEXT, .value = "LIST", .offset = AT(missing),
      .help = "more cell texts that mean a missing value, such as 0,-999, besides the empty cell, nan, NA and null" },
    { .name = "allow-truncated", .kind = PARAM_FLAG, .offset = AT(allow_truncated),
      .help = "read audio that is shorter than its header promises, as far as it goes" },
};
#undef AT

#define AT(field) offsetof(struct number_options, field)
static const struct param numbers[] = {
    { .name = "precision", .kind = PARAM_COUNT, .range = RANGE_LIMITS, .min = 1, .max = 17, .value = "N",
      .offset = AT(precision),
      .help = "print N significant digits; without it as few as read back to exactly the same number" },
    { .name = "decimals", .kind = PARAM_COUNT, .range = RANGE_LIMITS, .min = 0, .max = 17, .value = "N",
      .offset = AT(decimals), .help = "print N digits after the decimal sign" },
};
#undef AT

static const char *const subtypes[] = { "pcm16", "pcm24", "pcm32", "float", "double", NULL };

#define AT(field) offsetof(struct output_options, field)
static const struct param output[] = {
    { .name = "from", .kind = PARAM_TEXT, .value = "FORMAT", .offset = AT(from),
      .help = "format of the input; without it by the name of the file, else by its first bytes" },
    { .name = "to", .kind = PARAM_TEXT, .value = "FORMAT", .offset = AT(to),
      .help = "format of the output; without it as the input" },
    { .name = "subtype", .kind = PARAM_CHOICE, .choices = subtypes, .offset = AT(subtype),
      .help = "how samples of audio output are stored; without it as in the input where the output can hold that, else "
              "as float" },
    { .name = "output", .letter = 'o', .kind = PARAM_TEXT, .value = "FILE", .offset = AT(output),
      .help = "write to FILE, which appears whole or not at all; its format goes by its name unless --to says another; "
              "- is standard output" },
    { .name = "output-dir", .kind = PARAM_TEXT, .value = "DIR", .offset = AT(output_dir),
      .help = "write each input to DIR under its own name; DIR is made if it is missing, and files in it are only "
              "replaced with --force" },
    { .name = "suffix", .kind = PARAM_TEXT, .value = "TEXT", .offset = AT(suffix),
      .help = "with --output-dir: put TEXT between each name and its extension, as in _clean" },
    { .name = "in-place", .letter = 'i', .kind = PARAM_OPTIONAL_TEXT, .value = "SUFFIX", .offset = AT(in_place),
      .help = "replace each file by its filtered self, whole or not at all; mode, owner and extended attributes stay, a "
              "symbolic link stays one, a file with several hard links is refused; with SUFFIX the old file is kept "
              "under its name and SUFFIX" },
    { .name = "force", .kind = PARAM_FLAG, .offset = AT(force),
      .help = "replace files that exist in --output-dir, and files that are read-only" },
    { .name = "jobs", .letter = 'j', .kind = PARAM_COUNT, .range = RANGE_LIMITS, .min = 1, .max = 256, .value = "N",
      .offset = AT(jobs),
      .help = "work on N files at once, or on one with N threads; without it as many as there are processors; what is "
              "written does not depend on it" },
    { .name = "dry-run", .letter = 'n', .kind = PARAM_FLAG, .offset = AT(dry_run),
      .help = "only look at each file, and say where its result would go" },
    { .name = "progress", .kind = PARAM_CHOICE, .choices = progress_ways, .fallback = "auto", .offset = AT(progress),
      .help = "show on standard error how far the work is, how fast, and how long it will take: always, never, or on "
              "a terminal when it takes more than a second (auto)" },
    { .name = "quiet", .letter = 'q', .kind = PARAM_FLAG, .offset = AT(quiet), .help = "no words but errors" },
    { .name = "verbose", .letter = 'v', .kind = PARAM_FLAG, .offset = AT(verbose),
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

#define TABLE(title, rows) { title, rows, sizeof rows / sizeof *rows, NULL }
const struct option_table options_series = TABLE("Series", series);
const struct option_table options_input = TABLE("Reading", input);
const struct option_table options_numbers = TABLE("Numbers", numbers);
const struct option_table options_output = TABLE("Output", output);
const struct option_table options_general = TABLE("Other", general);
const struct option_table options_help = TABLE("Help", help);

const struct option_table *const options_shared[] = { &options_series, &options_input, &options_numbers,
                                                      &options_output, &options_general, NULL };
static const struct option_table *const help_tables[] = { &options_help, &options_general, NULL };

const struct option_page options_pages[] = {
    { .name = "help", .summary = "explains a filter, a command, or everything in short", .operands = "[FILTER | COMMAND]",
      .about = "Without a word after it: what sprung is, and what there is. With the name of a filter or a command: all "
               "about that one. The same as the option --help after that name.",
      .tables = help_tables },
    { .name = NULL },
};
