/* Tables of options -> getopt_long -> checked settings. All commands share one parser; each passes the tables
 * it takes. Help, the manual page's lists and the completions are made from the same tables (manual.c).
 * Invariant: every option is a row of a table. */
#ifndef SPRUNG_CLI_OPTIONS_H
#define SPRUNG_CLI_OPTIONS_H

#include "compare/diff.h"
#include "run/filter_job.h"
#include "view/response.h"

/* A file of options (--options FILE): words with blanks or line ends between them; quotes and backslashes as
 * in a POSIX shell, where nothing is expanded; # at the start of a word begins a comment up to the end of the
 * line. */
struct option_file {
    const char *name; /* not owned */
    char *bytes;      /* the words point into it */
    char **word;      /* word[0] is the file's name, as a command's stands in argv[0]; NULL after the last */
    uint64_t *line;   /* where each word begins; owned with word */
    size_t nword;
};

struct option_files {
    struct option_file *file;
    size_t n, max;
    bool failed; /* to read or split the last */
};

struct plot_options {
    const char *output; /* NULL: the terminal */
    const char *title, *unit;
    long across; /* panels side by side */
    const char *cut_column;
};

/* A table of rows; their fields are in a struct command_line. */
struct option_table {
    const char *title; /* heading in help: "Series", "Numbers" */
    const struct param *params;
    size_t nparam;
};

enum help_format { HELP_TEXT, HELP_TABLE };

/* A command line, and all that it says; what its command does not take stays zero. */
struct command_line {
    int argc;
    char **argv;                              /* argv[0] is the name of the filter or command */
    const struct option_table *const *tables; /* those it takes after the filter's own, NULL-terminated */

    bool inside_then; /* it is that of a filter inside --then: other options are refused than its own */

    bool help, version;
    bool brief;                /* help was asked for by its letter */
    struct option_files files; /* --options */
    struct texts operands;     /* in order */
    /* Its filter: whose options come first, NULL: none. Its settings are not checked. */
    struct filter_job_config job;
    struct diff_options diff;
    struct response_options response;
    struct plot_options plot;
    int help_format; /* enum help_format */

    struct messages *messages; /* what is printed to standard error, but not the error */
    const char *file;          /* that an error is about, NULL: none */
    bool different;            /* diff found a difference */
};

/* The tables that are not a filter's (option_tables.c). */
extern const struct option_table options_series, options_cuts, options_input, options_numbers, options_output,
    options_general, options_help, options_diff, options_response, options_plot, options_channels;

/* The tables that every filter takes after its own, in the order of help; NULL-terminated. */
extern const struct option_table *const options_shared[];

/* Sets every option of the line's filter and tables to its default, or to "not given" where it has none (see
 * param.h), and then to what argv[1..argc) says. Only argc, argv, tables, inside_then, messages and the first
 * filter are set before, the rest is zero; options_free follows in any case. "--" ends options, "-" is an
 * operand, and both may stand in any order. If two tables have the same long name, it means the first
 * table's, and the other can only be given by its letter. Abbreviated long options are refused. --help and
 * --version end parsing.
 *
 * The files of --options are parsed first: a later source wins over an earlier one, the command line over
 * all. An option also replaces what earlier sources gave in its exclusive group. An error in a file sets
 * line->file. Options of options_cuts are unknown unless the filter, or one of --then, takes cuts.
 * Texts point into argv, and into what options_free frees. Only one thread may parse, and the parser of a
 * value may call it again. */
bool options_parse(struct command_line *line, struct error *e);

/* Frees what parsing allocated. */
void options_free(struct command_line *line);

/* options_file.c: --options, whose value is the name of a file, which is read and split, and is one more of
 * the field's struct option_files. An error has the line, if it is about one. */
extern const struct param_type option_files_type;

/* Splits f->bytes, which it changes, into words; NUL-terminated. Needs f->name. */
bool option_file_split(struct option_file *f, struct error *e);

/* synonyms.c: the hint for a word of other programs, an option without its dashes or a filter; NULL: the word
 * is not known. */
const char *synonym_of_option(const char *word);
const char *synonym_of_filter(const char *word);

/* then.c: --then, whose value is parsed and checked, and is one more filter of the field's struct
 * chained_list. */
extern const struct param_type then_type;

/* Parses the --set of a filter whose options are parsed, and checks its settings. */
bool chained_check(struct chained *c, struct error *e);

/* Frees what a filter of a command line owns, and zeroes it. */
void chained_free(struct chained *c);

#endif
