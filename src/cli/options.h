/* Tables of options -> getopt_long -> checked settings. The commands share one parser; a command passes the
 * tables of its options. Help, the lists of the manual pages and the completions are made from the same
 * tables (manual.c). Invariant: every option is a row of a table. */
#ifndef SPRUNG_CLI_OPTIONS_H
#define SPRUNG_CLI_OPTIONS_H

#include "compare/diff.h"
#include "run/filter_job.h"
#include "view/inspect/inspect.h"
#include "view/response.h"

/* The words of a file of --options. Zero-initialize. Words have blanks or line ends between them; quotes keep
 * blanks, and # at the start of a word begins a comment up to the end of the line. */
struct option_words {
    char *bytes;    /* the text of the file, into which words point; owned */
    char **word;    /* [n] and a NULL, like argv; word[0] is NULL, in place of a command's name; owned */
    uint64_t *line; /* [n] the line of each word, from 1; freed with word */
    size_t n;
};

/* A table of options; the fields of the rows are members of struct command_line. */
struct option_table {
    const char *title;          /* heading in help: "Series", "Numbers" */
    const struct param *params; /* [nparam] */
    size_t nparam;
};

/* A command line and the settings that its options give. Members of options that the command does not take
 * stay zero. */
struct command_line {
    int argc;
    char **argv;                              /* [argc]; argv[0] is the name of the filter or command */
    const struct option_table *const *tables; /* options besides the filter's own, NULL-terminated */

    bool help, version;    /* --help, --version */
    bool brief;            /* help was asked for as -h */
    const char *options;   /* --options: the last */
    struct texts files;    /* the names of all files of --options; the array is owned */
    struct texts bytes;    /* their texts, into which settings point; owned */
    struct texts operands; /* in the order of the command line */

    /* The settings of a filter's job. job.filter is the filter of the command line, if any: its options come
     * before the tables. options_parse does not check the filter's settings. */
    struct filter_job_config job;
    struct diff_options diff;
    struct response_options response;
    const char *picture; /* --output of plot; NULL: the terminal */
    struct inspect_options inspect;

    struct messages *messages; /* for standard error; the error that a function returns is not added */
    const char *file;          /* the file that an error is about; NULL: no file */
    bool different;            /* diff found a difference */
};

/* option_tables.c: the options that do not belong to a single filter. */
extern const struct option_table options_columns, options_gaps, options_zero_phase, options_filtering,
    options_rotations, options_cuts, options_input, options_output, options_batch, options_general,
    options_diff, options_response, options_plot, options_inspect;

/* The tables of options that only some filters have, NULL-terminated. */
extern const struct option_table *const options_some[];

/* Finds the option that a word names, such as --gaps, --gaps=keep, gaps or -H, among the filter's own (NULL:
 * no filter) and in the tables that the filter takes. NULL: there is no option of the name. */
const struct param *options_find(const struct filter *filter, const struct option_table *const *tables,
                                 const char *word);

/* True if help shows the table for the filter, which may be NULL: cuts and zero phase are of some filters. */
bool options_apply(const struct filter *filter, const struct option_table *table);

/* The tables that every filter takes besides the filter's own options, in the order of help;
 * NULL-terminated. */
extern const struct option_table *const options_shared[];

/* Sets every option of the line's filter and tables to the default, then to the values of the files of
 * --options, then to those of argv[1..argc). The caller sets argc, argv, tables, messages and
 * job.filter.filter, zeroes the other members, and calls options_free in any case.
 *
 * Options and operands may be in any order. A long name in two tables is the option of the first. --help and
 * --version end parsing. An error in a file sets line->file. Strings in the settings point into argv, and
 * into memory that options_free frees. Only one thread may parse. */
bool options_parse(struct command_line *line, struct error *e);

void options_free(struct command_line *line);

/* options_file.c: reads a file of --options. The caller frees words->bytes and words->word in any case. */
bool option_words_read(struct option_words *words, const char *name, struct error *e);

/* synonyms.c: the hint for a word that other programs use for an option (given without dashes), or, as the
 * first word, for a filter; NULL: the word is not known. line: whose command and options decide what the word
 * can mean; NULL: it can mean anything. */
const char *synonym_of(const char *word, bool first, const struct command_line *line);

#endif
