/* Tables of options -> getopt_long -> checked settings. The commands share one parser; a command passes the
 * tables of its options. Help, the lists of the manual pages and the completions are made from the same
 * tables (manual.c). Invariant: every option is a row of a table. */
#ifndef SPRUNG_CLI_OPTIONS_H
#define SPRUNG_CLI_OPTIONS_H

#include "compare/diff.h"
#include "io/tree.h"
#include "run/filter_job.h"
#include "view/inspect/inspect.h"
#include "view/response.h"

/* Where a word of a command line is. */
struct option_place {
    const char *file; /* of --options; NULL: on the command line itself */
    uint64_t line;    /* in the file, from 1 */
};

/* The words of a command line: the name of the filter or command, then the words of each file of --options,
 * then the other words. Zero-initialize. In a file, words have blanks or line ends between them; quotes and
 * backslashes are as in a POSIX shell, where nothing is expanded; # at the start of a word begins a comment
 * up to the end of the line. */
struct option_words {
    char **word;                /* [n] and a NULL, like argv; the array is owned */
    struct option_place *place; /* [n] owned */
    size_t n, maxword, maxplace;
    struct texts files; /* the names of the files; the array is owned */
    struct texts bytes; /* text of the files, into which words point; owned */
};

/* The options of sprung plot. */
struct plot_options {
    const char *output; /* --output; NULL: the terminal */
};

/* The options of sprung inspect. */
struct inspect_options {
    int report;                                /* --report: enum inspect_report */
    struct inspect_given given[INSPECT_GIVEN]; /* [ngiven] the options about reading and columns that were
                                                  given, in order */
    size_t ngiven;
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

    bool help, version; /* --help, --version */
    bool brief;         /* help was asked for as -h */
    struct option_words words;
    const char *options;   /* --options; NULL: option_words_make has taken the option */
    struct texts operands; /* in the order of the command line */
    struct tree matches;   /* the names among the operands that match patterns */

    /* The settings of a filter's job. job.filter is the filter of the command line, if any: its options come
     * before the tables. options_parse does not check the filter's settings. */
    struct filter_job_config job;
    struct diff_options diff;
    struct response_options response;
    struct plot_options plot;
    struct inspect_options inspect;
    bool complete;  /* --complete */
    bool own_given; /* an option of the filter itself was given */

    struct messages *messages; /* for standard error; the error that a function returns is not added */
    const char *file;          /* the file that an error is about; NULL: no file */
    bool different;            /* diff found a difference */
};

/* The options that do not belong to a single filter (option_tables.c). */
extern const struct option_table options_columns, options_gaps, options_zero_phase, options_filtering,
    options_rotations, options_cuts, options_input, options_numbers, options_output, options_batch,
    options_messages, options_general, options_help, options_diff, options_response, options_plot,
    options_inspect;

/* Finds an option by the long name name[n] or by a letter (0: no letter). The option may be the filter's own
 * or in a table that some filters have. NULL: the filter has no such option. */
const struct param *options_of_filter(const struct filter *filter, const char *name, size_t n, int letter);

/* True if help shows the table for the filter, which may be NULL: cuts and zero phase are of some filters. */
bool options_apply(const struct filter *filter, const struct option_table *table);

/* The tables that every filter takes besides the filter's own options, in the order of help;
 * NULL-terminated. */
extern const struct option_table *const options_shared[];

/* Sets every option of the line's filter and tables to the default, or to "absent" if there is no default
 * (see param.h), and then to the value in argv[1..argc). The caller sets argc, argv, tables, messages and
 * job.filter.filter, zeroes the other members, and calls options_free in any case.
 *
 * "--" ends options, "-" is an operand, and options and operands may be in any order. If the long name of
 * an option occurs in two tables, the long name means the option of the first table, and the other option has
 * only its letter. Abbreviated long options are refused. --help and --version end parsing.
 *
 * The words of the files of --options come before those of the command line. An option also replaces those of
 * the same exclusive group that an earlier file gave. An error in a file sets line->file. Options of
 * options_cuts are unknown unless the filter takes cuts.
 *
 * Strings in the settings point into argv, and into memory that options_free frees. Only one thread may
 * parse. */
bool options_parse(struct command_line *line, struct error *e);

/* Frees the memory that options_parse allocated. */
void options_free(struct command_line *line);

/* options_file.c: makes the words of a command line. On false *file is the file of --options that the error
 * is about, or NULL. */
bool option_words_make(struct option_words *words, int argc, char *const *argv, const char **file,
                       struct error *e);

/* Adds the words of a file's text, a NUL-terminated string that is changed in place. */
bool option_words_split(struct option_words *words, const char *file, char *bytes, struct error *e);
void option_words_free(struct option_words *words);

/* synonyms.c: the hint for a word that other programs use for an option (given without dashes), for a value
 * (OPTION=VALUE), or for a filter; NULL: the word is not known. has(command, name): has the command an option
 * of this name, or a table with this heading? */
const char *synonym_of_option(const char *word, bool (*has)(const void *command, const char *name),
                              const void *command);
const char *synonym_of_filter(const char *word);

#endif
