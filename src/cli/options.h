/* Tables of options -> getopt_long -> checked settings. All commands share one parser; each passes the tables
 * it takes. Help, the manual page's lists and the completions are made from the same tables (manual.h).
 * Invariant: every option is a row of a table. */
#ifndef SPRUNG_CLI_OPTIONS_H
#define SPRUNG_CLI_OPTIONS_H

#include "cli/options_file.h"
#include "compare/diff.h"
#include "run/filter_job.h"
#include "view/response.h"

struct plot_options {
    const char *output; /* NULL: the terminal */
    const char *title, *unit;
    long across; /* panels side by side */
    const char *from;
    const char *cut_column;
};

/* A table of rows and the struct that their offsets point into. */
struct option_table {
    const char *title; /* heading in help: "Series", "Numbers" */
    const struct param *params;
    size_t nparam;
    void *settings;
    const struct filter *filter; /* whose options these are; NULL: of none */
    bool refused;                /* its options are known, and not allowed here: inside --then */
};

struct general_options { /* of every command */
    bool help, version;
    struct option_files options;
};

enum help_format { HELP_TEXT, HELP_MAN, HELP_BASH, HELP_ZSH, HELP_FISH };

struct help_options {
    int format; /* enum help_format */
};

/* The tables that are not a filter's (option_tables.c). Their settings are NULL: a caller copies the tables
 * it takes and fills in settings: a struct filter_job_config for options_series, options_cuts,
 * options_numbers, options_output and options_channels, else the struct of that name. */
extern const struct option_table options_series, options_cuts, options_input, options_numbers, options_output,
    options_general, options_help, options_diff, options_response, options_plot, options_channels;

/* The tables that every filter takes after its own, in the order of help; NULL-terminated. */
extern const struct option_table *const options_shared[];

/* Does the filter take the options of this shared table? */
bool options_taken(const struct filter *filter, const struct option_table *shared);

/* Sets every field of every table to its default, or to "not given" where it has none (see param.h). Settings
 * are zeroed before by the caller. Fails only when memory is out or a default is not valid. */
bool options_defaults(const struct option_table *tables, size_t ntable, struct error *e);

/* Parses argv[1..argc) (argv[0] is the command's name) into the tables' settings. Operands go to a list, in
 * order; the caller frees it with options_free. "--" ends options; "-" is an operand; options and operands
 * may stand in any order, whatever POSIXLY_CORRECT says. If an option is given twice, the last counts. If two
 * tables have the same long name, it means the first table's, and the other can only be given by its letter.
 * An error names the option and what it takes; for an unknown option it suggests the nearest known one.
 * Abbreviated long options are refused. A flag of options_general ends parsing.
 *
 * The files of --options are parsed first, wherever it stands: a later source wins over an earlier one, the
 * command line over all. An option also replaces what earlier sources gave in its exclusive group, and if the
 * filter's check refuses options of several sources together, those in groups count of the last source only;
 * options that may be repeated add to those before. *file is the file that an error is about, or NULL.
 * Options of options_cuts are unknown unless the filter, or one of --then, takes cuts. Texts point into argv,
 * and into what options_free frees. Only one thread may parse, and the parser of a value may call it again.
 */
bool options_parse(int argc, char **argv, const struct option_table *tables, size_t ntable,
                   struct texts *operands, const char **file, struct error *e);

/* Frees what parsing allocated; operands may be NULL. */
void options_free(const struct option_table *tables, size_t ntable, struct texts *operands);

#endif
